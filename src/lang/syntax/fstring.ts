/**
 * Texts side by side, f-strings among them, to one constant or one `JoinedStr`.
 *
 * An f-string is cut as CPython 3.11 cuts it: the scanner has already ended it at its quote, and its fields are
 * found by a scan of their own (quotes and brackets skipped, no backslash, no `#`), then read as an expression
 * in brackets, in place, so that every node has its true position.
 */

import { Bytes } from "../../datum";
import type { Span } from "../../diagnostic";
import type { Constant, Expr, FormattedValue, JoinedStr } from "./ast";
import { Cursor, spanOf } from "./cursor";
import { atom } from "./expressions";
import { tokenizeRegion } from "./lexer";
import { decodeBytes, decodeText, placeAt, type TextLiteral, textLiteral } from "./literal";
import type { Token } from "./token";

/** Fields may hold fields in their format, and those no more (CPython 3.11). */
const FIELD_DEPTH_MAX = 2;

/** strings: STRING+ */
export function strings(p: Cursor): Constant | JoinedStr {
  const first = p.tok;
  const literals: TextLiteral[] = [];
  while (p.at("STRING")) literals.push(textLiteral(p.next()));
  const span = p.from(first);
  for (const literal of literals) {
    if (literal.bytes !== literals[0].bytes) {
      p.fail(literal.token, 'bytes and texts do not join: make all of them bytes (`b"…"`), or none');
    }
  }
  if (literals[0].bytes) return { kind: "Constant", value: joinBytes(literals.map((literal) => decodeBytes(p, literal))), span };
  if (!literals.some((literal) => literal.formatted)) {
    const texts = literals.map((literal) => decodeText(p, literal, literal.bodyStart, literal.bodyEnd));
    return { kind: "Constant", value: texts.length === 1 ? texts[0] : texts.join(""), span };
  }
  const joiner = new Joiner(span);
  for (const literal of literals) {
    if (literal.formatted) new FieldScan(p, literal).parts(joiner, 0);
    else joiner.text(decodeText(p, literal, literal.bodyStart, literal.bodyEnd));
  }
  return joiner.node();
}

function joinBytes(parts: readonly Bytes[]): Bytes {
  if (parts.length === 1) return parts[0];
  const out = new Uint8Array(parts.reduce((length, part) => length + part.b.length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part.b, at);
    at += part.b.length;
  }
  return new Bytes(out);
}

/** Collects texts and fields; neighbouring texts become one constant. */
class Joiner {
  private readonly values: (Constant | FormattedValue)[] = [];
  private pending: string[] = [];

  constructor(private readonly span: Span) {}

  text(text: string): void {
    if (text !== "") this.pending.push(text);
  }

  field(field: FormattedValue): void {
    this.flush();
    this.values.push(field);
  }

  node(): JoinedStr {
    this.flush();
    return { kind: "JoinedStr", values: this.values, span: this.span };
  }

  private flush(): void {
    if (this.pending.length === 0) return;
    this.values.push({ kind: "Constant", value: this.pending.join(""), span: this.span });
    this.pending = [];
  }
}

class FieldScan {
  private at: number;
  private readonly end: number;
  /** A place already counted, so that many fields in one long text are counted once. */
  private known: { pos: number; line: number; col: number };

  constructor(
    private readonly p: Cursor,
    private readonly literal: TextLiteral,
  ) {
    this.at = literal.bodyStart;
    this.end = literal.bodyEnd;
    this.known = { pos: literal.token.pos, line: literal.token.line, col: literal.token.col };
  }

  /** Texts and fields up to the end, or in a format (`level` > 0) up to its `}`. */
  parts(joiner: Joiner, level: number): void {
    while (this.at < this.end) {
      this.literalPart(joiner, level);
      if (this.at >= this.end || this.p.source[this.at] === "}") return;
      this.field(joiner, level);
    }
  }

  /** Text up to a `{` that opens a field, or in a format the `}` that closes it. */
  private literalPart(joiner: Joiner, level: number): void {
    const { p } = this;
    const source = p.source;
    let from = this.at;
    for (; this.at < this.end; this.at++) {
      const char = source[this.at];
      if (char === "\\" && !this.literal.raw) {
        const mark = source[this.at + 1];
        if (mark === "N") decodeText(p, this.literal, this.at, this.at + 2); // Refuses.
        if (this.at + 1 < this.end && mark !== "{" && mark !== "}") this.at++;
        continue;
      }
      if (char !== "{" && char !== "}") continue;
      if (level === 0) {
        if (this.at + 1 < this.end && source[this.at + 1] === char) {
          joiner.text(decodeText(p, this.literal, from, this.at + 1));
          this.at++;
          from = this.at + 1;
          continue;
        }
        if (char === "}")
          this.fail(this.at, "a single `}` stands in this f-string: write `}}` for the character, or open the field with `{`");
      }
      break;
    }
    joiner.text(decodeText(p, this.literal, from, this.at));
  }

  private field(joiner: Joiner, level: number): void {
    const { p } = this;
    const source = p.source;
    const open = this.at;
    if (level >= FIELD_DEPTH_MAX) this.fail(open, "fields of an f-string nest too deep: work the inner one out first and give it a name");
    const opened = this.place(open);
    this.at++;
    const start = this.at;
    this.skipExpression();
    if (this.at >= this.end) this.fail(open, "got the end of the f-string, want `}` to close this field");
    const value = this.expression(opened, open, this.at);
    let shown: string | null = null;
    if (source[this.at] === "=") {
      this.at++;
      while (this.at < this.end && /[ \t\n\r\f\v]/.test(source[this.at])) this.at++;
      shown = source.slice(start, this.at);
    }
    let conversion: FormattedValue["conversion"] = null;
    if (source[this.at] === "!" && this.at < this.end) conversion = this.conversion();
    let spec: JoinedStr | null = null;
    if (source[this.at] === ":" && this.at < this.end) {
      this.at++;
      const format = new Joiner(spanOf(this.literal.token));
      this.parts(format, level + 1);
      spec = format.node();
    }
    if (this.at >= this.end || source[this.at] !== "}")
      this.fail(open, "got the end of the f-string or a stray character, want `}` to close this field");
    this.at++;
    if (shown !== null) {
      joiner.text(shown);
      if (spec === null && conversion === null) conversion = "r";
    }
    joiner.field({ kind: "FormattedValue", value, conversion, spec, span: this.spanFrom(opened, this.at) });
  }

  private conversion(): "s" | "r" | "a" {
    const start = ++this.at;
    while (this.at < this.end && !/[}:]/.test(this.p.source[this.at])) this.at++;
    const text = this.p.source.slice(start, this.at);
    if (text === "s" || text === "r" || text === "a") return text;
    return this.fail(start, `got conversion ${JSON.stringify(text)}, want \`!s\`, \`!r\` or \`!a\``);
  }

  /** Moves to the end of the field's expression: `!`, `:`, `=` or `}` outside quotes and brackets. */
  private skipExpression(): void {
    const source = this.p.source;
    const opened: { char: string; pos: number }[] = [];
    let quote = "";
    for (; this.at < this.end; this.at++) {
      const char = source[this.at];
      if (char === "\\") {
        this.fail(this.at, "a field of an f-string holds no backslash: give the text a name above and use the name here");
      }
      if (quote !== "") {
        if (char !== quote[0]) continue;
        if (quote.length === 1) quote = "";
        else if (this.at + 2 < this.end && source.startsWith(quote, this.at)) {
          this.at += 2;
          quote = "";
        }
      } else if (char === "'" || char === '"') {
        const triple = this.at + 2 < this.end && source[this.at + 1] === char && source[this.at + 2] === char;
        quote = triple ? char.repeat(3) : char;
        if (triple) this.at += 2;
      } else if (char === "(" || char === "[" || char === "{") {
        opened.push({ char, pos: this.at });
      } else if (char === "#") {
        this.fail(this.at, "a field of an f-string holds no `#`: comments stand outside texts");
      } else if (opened.length === 0 && /[!:}=<>]/.test(char)) {
        if (char !== ":" && char !== "}" && source[this.at + 1] === "=" && this.at + 1 < this.end) this.at++;
        else if (char !== "<" && char !== ">") break;
      } else if (char === ")" || char === "]" || char === "}") {
        const bracket = opened.pop();
        if (bracket === undefined) this.fail(this.at, `unmatched \`${char}\` in this field of an f-string: no bracket is open here`);
        const closer = bracket.char === "(" ? ")" : bracket.char === "[" ? "]" : "}";
        if (closer !== char) this.fail(this.at, `closing \`${char}\` does not match opening \`${bracket.char}\`: want \`${closer}\``);
      }
    }
    if (quote !== "")
      this.fail(this.literal.bodyStart - 1, "a text inside a field of this f-string is not closed: use the other quotes inside");
    if (opened.length > 0)
      this.fail(opened[opened.length - 1].pos, `\`${opened[opened.length - 1].char}\` was never closed in this field of an f-string`);
  }

  /** The expression of the field that opens at `open`, up to `end`, read as if in brackets. */
  private expression(opened: { line: number; col: number }, open: number, end: number): Expr {
    const { p } = this;
    const start = open + 1;
    if (/^[ \t\n\r\f]*$/.test(p.source.slice(start, end))) {
      this.fail(open, "got an empty field, want an expression between `{` and `}`: write `{{}}` for the characters");
    }
    const tokens = tokenizeRegion(p.source, { pos: start, end, line: opened.line, col: opened.col + 1 }, p.report);
    const last = tokens[tokens.length - 1];
    const { line, col } = opened;
    const opener: Token = { kind: "(", text: "(", pos: open, end: start, line, col, endLine: line, endCol: col + 1 };
    const closer: Token = { ...last, kind: ")", text: ")", pos: end, end: end + 1, endCol: last.col + 1 };
    const inner = new Cursor(p.source, [opener, ...tokens.slice(0, -1), closer, last], p.report);
    inner.inFunction = p.inFunction;
    inner.depth = p.depth;
    const value = atom(inner);
    if (!inner.at("END")) inner.want("`}`, or an operator");
    p.depthDeepest = Math.max(p.depthDeepest, inner.depthDeepest);
    p.chainLongest = Math.max(p.chainLongest, inner.chainLongest);
    p.walrusSeen ||= inner.walrusSeen;
    return value;
  }

  // ---- places -------------------------------------------------------------------------------------------------

  private place(pos: number): { line: number; col: number } {
    if (pos < this.known.pos) return placeAt(this.p, this.literal.token, pos);
    const { line, col } = placeAt(this.p, { ...this.literal.token, ...this.known }, pos);
    this.known = { pos, line, col };
    return { line, col };
  }

  private spanFrom(from: { line: number; col: number }, end: number): Span {
    const to = this.place(end);
    return { line: from.line, col: from.col, endLine: to.line, endCol: to.col };
  }

  private fail(pos: number, message: string): never {
    return this.p.fail(this.place(pos), message);
  }
}
