/**
 * Source text to tokens: Python 3.11's lexical rules, indentation and brackets included.
 *
 * One pass, left to right. What is wrong becomes a `FAULT` token that carries its diagnostic, so that the
 * parser meets it where it stands and one cause gives one report; faults of indentation are reported at once.
 * A line that opens with a statement keyword ends a bracket left open above it, so the lines below still parse.
 *
 * Also scans a region of the same text, for the fields of an f-string: positions stay those of the source.
 * Does not read literals (literal.ts) nor f-strings (fstring.ts).
 */
import type { Diagnostic } from "../../diagnostic";
import { SOURCE_DEPTH_MAX } from "../../limits";
import { continuesIdentifier, normalIdentifier, startsIdentifier } from "./identifier";
import { teach, teachCharacter, teachNumber, teachQuotes } from "./teaching";
import { KEYWORDS, STATEMENT_KEYWORDS, type Token } from "./token";

/** Where a scan of a part of the source begins and ends; `line` and `col` are those of `pos`. */
export interface Region {
  readonly pos: number;
  readonly end: number;
  readonly line: number;
  readonly col: number;
}

const OPERATORS_3 = new Set(["**=", "//=", ">>=", "<<=", "..."]);
const OPERATORS_2 = new Set([
  "**",
  "//",
  ">>",
  "<<",
  "<=",
  ">=",
  "==",
  "!=",
  "<>",
  "->",
  "+=",
  "-=",
  "*=",
  "/=",
  "%=",
  "&=",
  "|=",
  "^=",
  "@=",
  ":=",
]);
const OPERATORS_1 = new Set("+-*/%@&|^~<>()[]{},:.;=!?$".split(""));
/** The first two characters of the operators of three. */
const OPERATOR_2_OF_3 = new Set(["**", "//", ">>", "<<", ".."]);
/** Those that begin no longer operator. */
const BRACKETS_AND_SEPARATORS = new Set("()[]{},;~".split(""));
const CLOSER: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}" };
/** A tab stops at multiples of 8 in one count and of 1 in the other; the two must agree (Python reference, 2.1.8). */
const TAB_STOP = 8;

const NUMBER =
  /(?:0[xX](?:_?[0-9a-fA-F])+|0[oO](?:_?[0-7])+|0[bB](?:_?[01])+|(?:[0-9](?:_?[0-9])*)?(?:\.(?:[0-9](?:_?[0-9])*)?)?(?:[eE][+-]?[0-9](?:_?[0-9])*)?[jJ]?)/y;
/** Keywords that may follow a number with no space between (deprecated, still Python 3.11). */
const AFTER_NUMBER = /(?:and|else|for|if|in|is|or|not)/y;
const STRING_PREFIX = /^(?:[rRuUbBfF]|[bBfF][rR]|[rR][bBfF])$/;

/** The whole source, ended by `NEWLINE`, the open `DEDENT`s and `END`. */
export function tokenize(source: string, report: (diagnostic: Diagnostic) => void): Token[] {
  return new Lexer(source, report, null).run();
}

/** A region read as if inside brackets: no `NEWLINE`, no indentation; ended by `END`. */
export function tokenizeRegion(source: string, region: Region, report: (diagnostic: Diagnostic) => void): Token[] {
  return new Lexer(source, report, region).run();
}

class Lexer {
  private readonly tokens: Token[] = [];
  private readonly limit: number;
  private pos: number;
  private line: number;
  private lineStart: number;
  /** Column of `lineStart`: 1, but for the first line of a region. */
  private lineCol: number;
  private readonly astral: boolean;
  private colPos: number;
  private colNow: number;
  /** Where a `/*` seen last is closed; -1 where none closes any more. */
  private commentClose = -2;
  private readonly open: Token[] = [];
  private readonly indents: { col: number; alt: number }[] = [{ col: 0, alt: 0 }];

  constructor(
    private readonly source: string,
    private readonly report: (diagnostic: Diagnostic) => void,
    private readonly region: Region | null,
  ) {
    this.limit = region?.end ?? source.length;
    this.pos = region?.pos ?? 0;
    this.line = region?.line ?? 1;
    this.lineCol = region?.col ?? 1;
    this.lineStart = this.pos;
    this.colPos = this.pos;
    this.colNow = this.lineCol;
    this.astral = /[\ud800-\udfff]/.test(region ? source.slice(region.pos, region.end) : source);
  }

  run(): Token[] {
    let lineOpens = this.region === null;
    for (;;) {
      if (lineOpens) {
        lineOpens = false;
        if (!this.indentation()) break;
        continue;
      }
      this.skipBlanks();
      if (this.pos >= this.limit) break;
      const char = this.source[this.pos];
      if (char === "\n") {
        if (this.open.length === 0 && this.region === null) {
          this.push("NEWLINE", this.pos, this.pos + 1);
          this.newLine();
          lineOpens = true;
        } else {
          this.newLine();
          if (this.region === null && this.endsUnclosed()) lineOpens = true;
        }
      } else if (char === "#") {
        this.skipComment();
      } else if (char === "\\") {
        this.continuation();
      } else {
        this.token(char);
      }
    }
    this.finish();
    return this.tokens;
  }

  // ---- lines --------------------------------------------------------------------------------------------------

  /** At the start of a logical line: blank ones are passed over, then indents and dedents. False at the end of the source. */
  private indentation(): boolean {
    let col = 0;
    let alt = 0;
    for (;;) {
      const char = this.source[this.pos];
      if (this.pos >= this.limit) return false;
      if (char === " ") {
        col++;
        alt++;
      } else if (char === "\t") {
        col = (Math.floor(col / TAB_STOP) + 1) * TAB_STOP;
        alt++;
      } else if (char === "\f") {
        col = 0;
        alt = 0;
      } else if (char === "\n") {
        this.newLine();
        col = 0;
        alt = 0;
        continue;
      } else if (char === "#") {
        this.skipComment();
        continue;
      } else if (char === "\\" && this.source[this.pos + 1] === "\n") {
        this.pos++;
        this.newLine();
        this.skipBlanks();
        if (this.source[this.pos] === "\n" || this.pos >= this.limit) continue;
        break;
      } else break;
      this.pos++;
    }
    this.setIndent(col, alt);
    return true;
  }

  private setIndent(col: number, alt: number): void {
    const top = this.indents[this.indents.length - 1];
    if (col === top.col) {
      if (alt !== top.alt) this.tabFault();
      return;
    }
    if (col > top.col) {
      if (alt <= top.alt) this.tabFault();
      this.indents.push({ col, alt });
      this.push("INDENT", this.pos, this.pos);
      return;
    }
    while (this.indents.length > 1 && col < this.indents[this.indents.length - 1].col) {
      this.indents.pop();
      this.push("DEDENT", this.pos, this.pos);
    }
    const level = this.indents[this.indents.length - 1];
    if (col !== level.col) {
      this.reportHere(
        "this line's indentation matches no block that is open: indent it exactly as the statement it follows, or as a line of the block it belongs to",
      );
    } else if (alt !== level.alt) this.tabFault();
  }

  private tabFault(): void {
    this.reportHere("this line mixes tabs and spaces so that its block depends on the width of a tab: indent with spaces only");
  }

  private reportHere(message: string): void {
    this.report({ class: "parse_error", line: this.line, col: this.colAt(this.pos), message });
  }

  private newLine(): void {
    this.pos++;
    this.line++;
    this.lineStart = this.pos;
    this.lineCol = 1;
    this.colPos = this.pos;
    this.colNow = 1;
  }

  private skipBlanks(): void {
    for (;;) {
      const code = this.source.charCodeAt(this.pos);
      if ((code === 32 || code === 9 || code === 12) && this.pos < this.limit) this.pos++;
      else return;
    }
  }

  private skipComment(): void {
    const end = this.source.indexOf("\n", this.pos);
    this.pos = end < 0 || end > this.limit ? this.limit : end;
  }

  private continuation(): void {
    if (this.source[this.pos + 1] === "\n" && this.pos + 1 < this.limit) {
      this.pos++;
      this.newLine();
      if (this.pos >= this.limit) this.fault(this.pos, this.pos, "got the end of the source after a `\\`, want the line it continues");
      return;
    }
    this.fault(this.pos, this.pos + 1, "a `\\` continues a line only as its last character: remove what follows it, or the `\\`");
    this.skipComment();
  }

  /** In brackets at a line's start: a statement keyword indented no deeper than the open block shows that the bracket was never closed. */
  private endsUnclosed(): boolean {
    let at = this.pos;
    while (this.source[at] === " " || this.source[at] === "\t") at++;
    if (at - this.pos > this.indents[this.indents.length - 1].col) return false;
    const word = /[a-z]+(?![\w=.(,)])/y;
    word.lastIndex = at;
    const found = word.exec(this.source);
    if (found === null || !STATEMENT_KEYWORDS.has(found[0])) return false;
    this.unclosed(this.pos);
    this.open.length = 0;
    this.push("NEWLINE", this.pos, this.pos);
    return true;
  }

  private unclosed(pos: number): void {
    const bracket = this.open[this.open.length - 1];
    const message = `\`${bracket.kind}\` was never closed: want its \`${CLOSER[bracket.kind]}\``;
    const diagnostic: Diagnostic = { class: "parse_error", line: bracket.line, col: bracket.col, message };
    this.tokens.push({ ...this.make("FAULT", pos, pos), diagnostic, openLine: bracket.line });
  }

  private finish(): void {
    if (this.open.length > 0) this.unclosed(this.limit);
    if (this.region === null) {
      const last = this.tokens[this.tokens.length - 1];
      if (last !== undefined && last.kind !== "NEWLINE" && last.kind !== "DEDENT") this.push("NEWLINE", this.limit, this.limit);
      for (let level = this.indents.length; level > 1; level--) this.push("DEDENT", this.limit, this.limit);
    }
    this.push("END", this.limit, this.limit);
  }

  // ---- tokens -------------------------------------------------------------------------------------------------

  private token(char: string): void {
    const code = char.charCodeAt(0);
    if (isNameStart(code) || code >= 128) this.name(code);
    else if (isDigit(code) || (code === 46 && isDigit(this.source.charCodeAt(this.pos + 1)))) this.number();
    else if (char === '"' || char === "'") this.string(this.pos, this.pos);
    else this.operator(char);
  }

  private name(first: number): void {
    const start = this.pos;
    let at = start;
    let ascii = true;
    if (first >= 128 && !startsIdentifier(this.source.codePointAt(start)!)) {
      this.strayCharacter(start);
      return;
    }
    for (;;) {
      const code = this.source.charCodeAt(at);
      if (isNamePart(code)) at++;
      else if (code >= 128 && at < this.limit && continuesIdentifier(this.source.codePointAt(at)!)) {
        ascii = false;
        at += this.source.codePointAt(at)! > 0xffff ? 2 : 1;
      } else break;
    }
    if (at > this.limit) at = this.limit;
    const raw = this.source.slice(start, at);
    const next = this.source[at];
    if ((next === '"' || next === "'") && at < this.limit && STRING_PREFIX.test(raw)) {
      this.string(start, at);
      return;
    }
    this.pos = at;
    if (ascii && KEYWORDS.has(raw)) this.push(raw, start, at);
    else this.pushText("NAME", start, at, ascii ? raw : normalIdentifier(raw));
  }

  private strayCharacter(start: number): void {
    const code = this.source.codePointAt(start)!;
    const char = String.fromCodePoint(code);
    const quoted = teachQuotes(this.source, start);
    const end = quoted?.end ?? start + char.length;
    const known = quoted ?? teachCharacter(char);
    this.fault(start, end, known.message, known.fix);
    // One report a run of such characters: `“text”` is one slip.
    this.skipComment();
  }

  private number(): void {
    const start = this.pos;
    NUMBER.lastIndex = start;
    NUMBER.exec(this.source);
    let end = Math.min(NUMBER.lastIndex, this.limit);
    const text = this.source.slice(start, end);
    const next = this.source.charCodeAt(end);
    const more = end < this.limit && (isNamePart(next) || next >= 128);
    if (more) {
      AFTER_NUMBER.lastIndex = end;
      const radix = /^0[xXoObB]/.test(text) || (text === "0" && /[xXoObB]/.test(this.source[end]));
      if (this.source[end] === "_" || !AFTER_NUMBER.test(this.source) || (radix && text === "0")) {
        while (end < this.limit && isNamePart(this.source.charCodeAt(end))) end++;
        const whole = this.source.slice(start, end);
        const known = teachNumber(whole);
        this.fault(start, end, known.message, known.fix);
        this.pos = end;
        return;
      }
    }
    if (/^0[0-9_]*[1-9]/.test(text) && /^[0-9_]+$/.test(text)) {
      const known = teachNumber(text);
      this.fault(start, end, known.message, known.fix);
    } else this.push("NUMBER", start, end);
    this.pos = end;
  }

  /** @param quoteAt  Where the opening quote stands, after any prefix. */
  private string(start: number, quoteAt: number): void {
    const quote = this.source[quoteAt];
    const triple = this.source[quoteAt + 1] === quote && this.source[quoteAt + 2] === quote && quoteAt + 2 < this.limit;
    const line = this.line;
    const col = this.colAt(start);
    let at = quoteAt + (triple ? 3 : 1);
    let lines = 0;
    let lastStart = this.lineStart;
    for (;;) {
      const char = this.source[at];
      if (at >= this.limit || (char === "\n" && !triple)) {
        this.unterminated(start, at, { line, col }, triple, line + lines);
        return;
      }
      if (char === "\\") {
        at++;
        if (at < this.limit && this.source[at] === "\n") {
          lines++;
          lastStart = at + 1;
        }
      } else if (char === "\n") {
        lines++;
        lastStart = at + 1;
      } else if (char === quote && (!triple || (this.source[at + 1] === quote && this.source[at + 2] === quote))) {
        at += triple ? 3 : 1;
        break;
      }
      at++;
    }
    if (lines > 0) {
      this.line += lines;
      this.lineStart = lastStart;
      this.lineCol = 1;
      this.colPos = lastStart;
      this.colNow = 1;
    }
    this.pos = at;
    this.tokens.push({
      kind: "STRING",
      text: this.source.slice(start, at),
      pos: start,
      end: at,
      line,
      col,
      endLine: this.line,
      endCol: this.colAt(at),
    });
  }

  private unterminated(start: number, at: number, place: { line: number; col: number }, triple: boolean, endLine: number): void {
    const what = triple ? "a triple-quoted text" : "a text";
    const message = `unterminated string: ${what} opens here and is not closed ${
      triple ? "before the source ends" : "on its line"
    } (line ${endLine}): want its closing quote`;
    const diagnostic: Diagnostic = { class: "parse_error", line: place.line, col: place.col, message };
    this.tokens.push({ ...this.make("FAULT", start, start), diagnostic });
    // The text may have crossed lines by `\`; newline counting goes on from the end of what was read.
    if (endLine > this.line) {
      this.line = endLine;
      this.lineStart = this.source.lastIndexOf("\n", at - 1) + 1;
      this.lineCol = 1;
      this.colPos = this.lineStart;
      this.colNow = 1;
    }
    this.pos = Math.min(at, this.limit);
  }

  private operator(char: string): void {
    const start = this.pos;
    if (char === "/" && this.firstOnLine()) {
      const mark = this.source[start + 1];
      if (mark === "/" || mark === "*") {
        this.comment(start, mark);
        return;
      }
    }
    if (char === "`") {
      const end = this.source.indexOf("`", start + 1);
      const lineEnd = this.source.indexOf("\n", start);
      const closed = end > 0 && end < this.limit && (lineEnd < 0 || end < lineEnd);
      this.pos = closed ? end + 1 : start + 1;
      this.fault(start, this.pos, teach("backtick").message);
      return;
    }
    const kind = BRACKETS_AND_SEPARATORS.has(char) ? char : this.longestOperator(char, start);
    if (kind === null) {
      this.pos = start + 1;
      const known = teachCharacter(char);
      this.fault(start, start + 1, known.message, known.fix);
      return;
    }
    this.pos = start + kind.length;
    if (kind === "(" || kind === "[" || kind === "{") this.openBracket(kind, start);
    else if (kind === ")" || kind === "]" || kind === "}") this.closeBracket(kind, start);
    else this.push(kind, start, this.pos);
  }

  private longestOperator(char: string, start: number): string | null {
    const left = this.limit - start;
    const two = left >= 2 ? this.source.slice(start, start + 2) : "";
    if (left >= 3 && OPERATOR_2_OF_3.has(two)) {
      const three = this.source.slice(start, start + 3);
      if (OPERATORS_3.has(three)) return three;
    }
    return OPERATORS_2.has(two) ? two : OPERATORS_1.has(char) ? char : null;
  }

  private firstOnLine(): boolean {
    if (this.region !== null || this.open.length > 0) return false;
    const last = this.tokens[this.tokens.length - 1]?.kind;
    return last === undefined || last === "NEWLINE" || last === "INDENT" || last === "DEDENT";
  }

  private comment(start: number, mark: string): void {
    // Looked for once: a source of many openings and no closing stays linear.
    if (mark === "*" && this.commentClose !== -1 && this.commentClose < start + 2) this.commentClose = this.source.indexOf("*/", start + 2);
    const close = mark === "*" ? this.commentClose : -1;
    const token = this.make("FAULT", start, start + 2);
    const known = teach(mark === "*" ? "blockComment" : "lineComment");
    const diagnostic: Diagnostic = {
      class: "parse_error",
      line: token.line,
      col: token.col,
      message: known.message,
      ...(known.fix === undefined ? {} : { fix: known.fix, fixSpan: spanOf(token) }),
    };
    this.tokens.push({ ...token, diagnostic });
    this.skipComment();
    while (close >= 0 && this.pos < close + 2 && this.pos < this.limit) {
      this.newLine();
      this.skipComment();
    }
  }

  private openBracket(kind: string, start: number): void {
    const token = this.make(kind, start, this.pos);
    if (this.open.length >= SOURCE_DEPTH_MAX) {
      this.fault(start, this.pos, `more than ${SOURCE_DEPTH_MAX} brackets are open here: give an inner part a name of its own`);
      // Nothing below can be read: the brackets no longer tell where a line ends.
      this.pos = this.limit;
      this.open.length = 0;
      return;
    }
    this.open.push(token);
    this.tokens.push(token);
  }

  private closeBracket(kind: string, start: number): void {
    const bracket = this.open.pop();
    if (bracket === undefined) {
      this.fault(start, this.pos, `unmatched \`${kind}\`: no bracket is open here: remove it, or open one before it`);
    } else if (CLOSER[bracket.kind] !== kind) {
      const where = bracket.line === this.line ? "" : ` on line ${bracket.line}`;
      this.fault(
        start,
        this.pos,
        `closing \`${kind}\` does not match opening \`${bracket.kind}\`${where}: want \`${CLOSER[bracket.kind]}\``,
      );
    } else this.push(kind, start, this.pos);
  }

  // ---- positions ----------------------------------------------------------------------------------------------

  /** Columns are asked for from left to right, so a long line is counted once. */
  private colAt(pos: number): number {
    if (!this.astral) return pos - this.lineStart + this.lineCol;
    if (pos < this.colPos) {
      this.colPos = this.lineStart;
      this.colNow = this.lineCol;
    }
    for (; this.colPos < pos; this.colPos++) {
      const code = this.source.charCodeAt(this.colPos);
      if (code < 0xdc00 || code > 0xdfff) this.colNow++;
    }
    return this.colNow;
  }

  private make(kind: string, start: number, end: number): Token {
    const col = this.colAt(start);
    return {
      kind,
      text: kind === "NUMBER" ? this.source.slice(start, end) : kind,
      pos: start,
      end,
      line: this.line,
      col,
      endLine: this.line,
      endCol: this.colAt(end),
    };
  }

  private push(kind: string, start: number, end: number): void {
    this.tokens.push(this.make(kind, start, end));
  }

  private pushText(kind: string, start: number, end: number, text: string): void {
    const col = this.colAt(start);
    this.tokens.push({ kind, text, pos: start, end, line: this.line, col, endLine: this.line, endCol: this.colAt(end) });
  }

  private fault(start: number, end: number, message: string, fix?: string): void {
    const token = this.make("FAULT", start, end);
    const diagnostic: Diagnostic = {
      class: "parse_error",
      line: token.line,
      col: token.col,
      message,
      ...(fix === undefined ? {} : { fix, fixSpan: spanOf(token) }),
    };
    this.tokens.push({ ...token, diagnostic });
  }
}

function spanOf(token: Token) {
  return { line: token.line, col: token.col, endLine: token.endLine, endCol: token.endCol };
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

function isNameStart(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 95;
}

function isNamePart(code: number): boolean {
  return isNameStart(code) || isDigit(code);
}
