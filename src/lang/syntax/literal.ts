/**
 * The values of number and text literals, as Python 3.11 reads them.
 *
 * Differs from Python in two places, both refused by name: `\N{…}` (no table of names) and an escape that
 * makes a lone surrogate (texts are well formed).
 */
import { Bytes, Complex, Float } from "../../datum";
import { INT_TEXT_DIGITS_MAX } from "../../limits";
import type { Constant } from "./ast";
import type { Cursor } from "./cursor";
import { teach } from "./teaching";
import type { Token } from "./token";

export function numberValue(p: Cursor, token: Token): Constant["value"] {
  const text = token.text.includes("_") ? token.text.replace(/_/g, "") : token.text;
  const second = text.charCodeAt(1) | 32;
  if (text.charCodeAt(0) === 48 && (second === 120 || second === 111 || second === 98)) return smallest(BigInt(text.toLowerCase()));
  const final = text.charCodeAt(text.length - 1) | 32;
  if (final === 106) return new Complex(0, Number(text.slice(0, -1)));
  if (/[.eE]/.test(text)) return new Float(Number(text));
  if (text.length <= 15) return Number(text);
  if (text.length > INT_TEXT_DIGITS_MAX) {
    p.fail(
      token,
      `got an int of ${text.length} digits, want at most ${INT_TEXT_DIGITS_MAX} in decimal: write it in hexadecimal (\`0x…\`), or as a power or product`,
    );
  }
  return smallest(BigInt(text));
}

function smallest(value: bigint): number | bigint {
  const small = Number(value);
  return Number.isSafeInteger(small) ? small : value;
}

/** The parts of a STRING token: what its prefix says and where its body lies in the source. */
export interface TextLiteral {
  readonly token: Token;
  readonly raw: boolean;
  readonly bytes: boolean;
  readonly formatted: boolean;
  readonly bodyStart: number;
  readonly bodyEnd: number;
}

export function textLiteral(token: Token): TextLiteral {
  const text = token.text;
  let at = 0;
  let raw = false;
  let bytes = false;
  let formatted = false;
  for (; ; at++) {
    const mark = text.charCodeAt(at) | 32;
    if (mark === 114) raw = true;
    else if (mark === 98) bytes = true;
    else if (mark === 102) formatted = true;
    else if (mark !== 117) break;
  }
  const quote = text[at];
  const width = text.length - at >= 6 && text[at + 1] === quote && text[at + 2] === quote ? 3 : 1;
  return { token, raw, bytes, formatted, bodyStart: token.pos + at + width, bodyEnd: token.end - width };
}

const SIMPLE: Readonly<Record<string, string>> = {
  "\\": "\\",
  "'": "'",
  '"': '"',
  a: "\x07",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
  "\n": "",
};

/** The text between two offsets of a literal's body, escapes read unless it is raw. */
export function decodeText(p: Cursor, literal: TextLiteral, start: number, end: number): string {
  const body = p.source.slice(start, end);
  if (literal.raw || !body.includes("\\")) return body;
  const parts: string[] = [];
  let from = 0;
  for (let at = body.indexOf("\\"); at >= 0; at = body.indexOf("\\", from)) {
    parts.push(body.slice(from, at));
    const mark = body[at + 1];
    if (mark === undefined) {
      // Only before a field of an f-string: `f"\{x}"` keeps its backslash.
      parts.push("\\");
      from = at + 1;
    } else if (SIMPLE[mark] !== undefined) {
      parts.push(SIMPLE[mark]);
      from = at + 2;
    } else if (mark >= "0" && mark <= "7") {
      const digits = /^[0-7]{1,3}/.exec(body.slice(at + 1, at + 4))![0];
      parts.push(String.fromCharCode(Number.parseInt(digits, 8)));
      from = at + 1 + digits.length;
    } else if (mark === "x" || mark === "u" || mark === "U") {
      const width = mark === "x" ? 2 : mark === "u" ? 4 : 8;
      parts.push(escapedCharacter(p, literal, start + at, body.slice(at + 2, at + 2 + width), width));
      from = at + 2 + width;
    } else if (mark === "N") {
      const lesson = teach("namedEscape");
      return p.fail(placeAt(p, literal.token, start + at), lesson.message);
    } else {
      parts.push("\\"); // An unknown escape stands for itself.
      from = at + 1;
    }
  }
  parts.push(body.slice(from));
  return parts.join("");
}

function escapedCharacter(p: Cursor, literal: TextLiteral, pos: number, digits: string, width: number): string {
  const mark = p.source[pos + 1];
  if (digits.length < width || !/^[0-9a-fA-F]+$/.test(digits)) {
    p.fail(
      placeAt(p, literal.token, pos),
      `the escape \`\\${mark}\` takes ${width} hexadecimal digits: write them all, or \`\\\\${mark}\` for a backslash`,
    );
  }
  const code = Number.parseInt(digits, 16);
  if (code > 0x10ffff) p.fail(placeAt(p, literal.token, pos), `\`\\${mark}${digits}\` is beyond the last character, \`\\U0010ffff\``);
  if (code >= 0xd800 && code <= 0xdfff) {
    p.fail(
      placeAt(p, literal.token, pos),
      `\`\\${mark}${digits}\` is half of a surrogate pair and no character: write the character itself, or its number as \`\\U0001f600\``,
    );
  }
  return String.fromCodePoint(code);
}

export function decodeBytes(p: Cursor, literal: TextLiteral): Bytes {
  const body = p.source.slice(literal.bodyStart, literal.bodyEnd);
  const out = new Uint8Array(body.length);
  let length = 0;
  for (let at = 0; at < body.length; ) {
    const code = body.charCodeAt(at);
    if (code > 127) {
      p.fail(
        placeAt(p, literal.token, literal.bodyStart + at),
        'bytes hold only ASCII characters as such: write the byte as `\\xff`, or the text as `"…".encode()`',
      );
    }
    if (code !== 92 || literal.raw) {
      out[length++] = code;
      at++;
      continue;
    }
    const mark = body[at + 1];
    if (SIMPLE[mark] !== undefined) {
      if (mark !== "\n") out[length++] = SIMPLE[mark].charCodeAt(0);
      at += 2;
    } else if (mark >= "0" && mark <= "7") {
      const digits = /^[0-7]{1,3}/.exec(body.slice(at + 1, at + 4))![0];
      out[length++] = Number.parseInt(digits, 8) & 255;
      at += 1 + digits.length;
    } else if (mark === "x") {
      const digits = body.slice(at + 2, at + 4);
      if (!/^[0-9a-fA-F]{2}$/.test(digits)) {
        p.fail(
          placeAt(p, literal.token, literal.bodyStart + at),
          "the escape `\\x` takes 2 hexadecimal digits: write both, or `\\\\x` for a backslash",
        );
      }
      out[length++] = Number.parseInt(digits, 16);
      at += 4;
    } else {
      out[length++] = 92;
      at++;
    }
  }
  return new Bytes(out.slice(0, length));
}

/** Line and column of an offset inside a token. */
export function placeAt(p: Cursor, token: Token, pos: number): { line: number; col: number } {
  let { line, col } = token;
  for (let at = token.pos; at < pos; at++) {
    const code = p.source.charCodeAt(at);
    if (code === 10) {
      line++;
      col = 1;
    } else if (code < 0xdc00 || code > 0xdfff) col++;
  }
  return { line, col };
}
