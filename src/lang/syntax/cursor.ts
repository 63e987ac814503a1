/**
 * The place in the token stream, and what a parse carries along: depth, context, what was found wrong.
 *
 * A rule that cannot go on throws a `Fault`; the statement around it reports it and goes on behind the line
 * (statements.ts). `report` is for what is wrong and yet readable: the parse goes on at once.
 */
import type { Diagnostic, Span } from "../../diagnostic";
import { SOURCE_DEPTH_MAX } from "../../limits";
import type { Expr } from "./ast";
import { type LessonId, teach } from "./teaching";
import { describeToken, type Token } from "./token";

/** Thrown inside the parser only. `line` is the furthest line read, which decides whether an unclosed bracket is the cause. */
export class Fault {
  constructor(
    readonly diagnostic: Diagnostic,
    readonly line: number,
  ) {}
}

type Place = Pick<Span, "line" | "col">;

export class Cursor {
  tok: Token;
  /** The last token passed that is text: where a node ends. */
  last: Token;
  index = 0;
  depth = 0;
  depthDeepest = 1;
  chainLongest = 1;
  /** Whether any `:=` was read: only then are comprehensions looked through for it. */
  walrusSeen = false;
  inFunction = false;
  inLoop = false;
  /** Directly in a class body. */
  inClass = false;
  /** Behind a header that could not be read nobody knows what the block belongs to. */
  contextUnknown = false;
  /** Expressions that stood in brackets of their own: `(a): int` and `(a, b) = …` ask. */
  readonly bracketed = new WeakSet<Expr>();

  constructor(
    readonly source: string,
    readonly tokens: readonly Token[],
    readonly report: (diagnostic: Diagnostic) => void,
  ) {
    this.tok = tokens[0];
    this.last = tokens[0];
  }

  // ---- moving -------------------------------------------------------------------------------------------------

  at(kind: string): boolean {
    return this.tok.kind === kind;
  }

  peek(ahead = 1): Token {
    return this.tokens[Math.min(this.index + ahead, this.tokens.length - 1)];
  }

  /** The token before `tok`, of whatever kind. */
  before(): Token {
    return this.tokens[Math.max(0, this.index - 1)];
  }

  next(): Token {
    const token = this.tok;
    const kind = token.kind;
    if (kind !== "NEWLINE" && kind !== "INDENT" && kind !== "DEDENT") this.last = token;
    if (kind !== "END") this.tok = this.tokens[++this.index];
    return token;
  }

  accept(kind: string): boolean {
    if (this.tok.kind !== kind) return false;
    this.next();
    return true;
  }

  expect(kind: string): Token {
    if (this.tok.kind !== kind) this.want(`\`${kind}\``);
    return this.next();
  }

  expectName(what: string): Token {
    if (this.tok.kind !== "NAME") this.want(what);
    return this.next();
  }

  back(index: number): void {
    this.index = index;
    this.tok = this.tokens[index];
    for (let at = index - 1; at >= 0; at--) {
      const kind = this.tokens[at].kind;
      if (kind !== "NEWLINE" && kind !== "INDENT" && kind !== "DEDENT") {
        this.last = this.tokens[at];
        return;
      }
    }
    this.last = this.tokens[0];
  }

  // ---- places -------------------------------------------------------------------------------------------------

  /** From a token (or a node's span) to the end of what was passed. */
  from(start: Place): Span {
    return { line: start.line, col: start.col, endLine: this.last.endLine, endCol: this.last.endCol };
  }

  /** The source between two tokens, both included. */
  text(first: Token, last: Token): string {
    return this.source.slice(first.pos, last.end);
  }

  /** The source a node spans. */
  sourceOf(span: Span): string {
    this.lineStarts ??= lineStartsOf(this.source);
    const offset = (line: number, col: number) => {
      let at = this.lineStarts![line - 1] ?? this.source.length;
      for (let left = col - 1; left > 0; left--) at += this.source.codePointAt(at)! > 0xffff ? 2 : 1;
      return at;
    };
    return this.source.slice(offset(span.line, span.col), offset(span.endLine, span.endCol));
  }

  private lineStarts: number[] | null = null;

  // ---- depth --------------------------------------------------------------------------------------------------

  enter(): void {
    if (++this.depth > SOURCE_DEPTH_MAX) {
      this.fail(
        this.tok,
        `brackets, blocks and operators nest more than ${SOURCE_DEPTH_MAX} deep here: give an inner part a name of its own`,
      );
    }
    if (this.depth > this.depthDeepest) this.depthDeepest = this.depth;
  }

  leave(): void {
    this.depth--;
  }

  /** A chain of `count` links read in a loop nests as deep in the tree; the tree's height is checked at the end. */
  chain(count: number): void {
    if (count > this.chainLongest) this.chainLongest = count;
  }

  // ---- faults -------------------------------------------------------------------------------------------------

  /** `got <token>, want <what>`; a `FAULT` token tells its own. */
  want(what: string): never {
    if (this.tok.diagnostic !== undefined) throw new Fault(this.tok.diagnostic, this.tok.line);
    return this.fail(this.tok, `got ${describeToken(this.tok)}, want ${what}`);
  }

  fail(at: Place, message: string, fix?: string, fixSpan?: Span): never {
    throw new Fault(diagnosticAt(at, message, fix, fixSpan), this.tok.line);
  }

  note(at: Place, message: string, fix?: string, fixSpan?: Span): void {
    this.report(diagnosticAt(at, message, fix, fixSpan));
  }

  /** Reports a lesson whose fix replaces `span`, and goes on. */
  teach(span: Span, id: LessonId, ...pieces: readonly string[]): void {
    const lesson = teach(id, ...pieces);
    this.note(span, lesson.message, lesson.fix, span);
  }

  refuse(span: Span, id: LessonId, ...pieces: readonly string[]): never {
    const lesson = teach(id, ...pieces);
    return this.fail(span, lesson.message, lesson.fix, span);
  }
}

export function spanOf(span: Span): Span {
  return { line: span.line, col: span.col, endLine: span.endLine, endCol: span.endCol };
}

export function spanBetween(first: Span, last: Span): Span {
  return { line: first.line, col: first.col, endLine: last.endLine, endCol: last.endCol };
}

function lineStartsOf(source: string): number[] {
  const starts = [0];
  for (let at = source.indexOf("\n"); at >= 0; at = source.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}

function diagnosticAt(at: Place, message: string, fix?: string, fixSpan?: Span): Diagnostic {
  const head = { class: "parse_error", line: at.line, col: at.col, message } as const;
  return fix === undefined || fixSpan === undefined ? head : { ...head, fix, fixSpan: spanOf(fixSpan) };
}
