/**
 * `text % args` and `bytes % args`: printf-style formatting with CPython 3.11's order of checks and messages.
 *
 * Both kinds share the reading of a conversion and the layout of numbers; they differ in `s r a b c` and some words.
 */
import { Bytes, Float } from "../../datum";
import { PyDict } from "./dict";
import { raise } from "./exception";
import { floatToInt, realToDouble } from "./float";
import { floatLayout } from "./format-number";
import { SIZE_MAX } from "./format-spec";
import { baseDigits, intText } from "./int-text";
import { checkChars, checkPiece, spendSteps } from "./meter";
import { isInt, isReal } from "./protocol-arith";
import { getItem } from "./protocol-item";
import { ascii, repr, str } from "./protocol-text";
import { typeName } from "./protocol-type";
import { chrText, positionOf, strLength, strRange } from "./str";
import { PyList, PyNative, PyRange, PyTuple, type Value } from "./value";

/** `text % arg`, `bytes % arg`. */
export function percentFormat(template: string | Bytes, arg: Value): Value {
  if (typeof template === "string") return new Formatter(template, arg, false).run();
  const text = latin(template.b);
  const out = new Formatter(text, arg, true).run();
  return new Bytes(Uint8Array.from(out, (c) => c.charCodeAt(0)));
}

/** Bytes as a text of the code points 0–255, which is how this file works on them. */
function latin(b: Uint8Array): string {
  let text = "";
  for (const byte of b) text += String.fromCharCode(byte);
  return text;
}

/** One conversion, read. */
interface Conversion {
  readonly left: boolean;
  readonly plus: boolean;
  readonly blank: boolean;
  readonly alternate: boolean;
  readonly zero: boolean;
  readonly width: number;
  /** -1 where none is given. */
  readonly precision: number;
  /** One code point. */
  readonly code: string;
}

class Formatter {
  private at = 0;
  /** Arguments still to take; for a single one that is no tuple, it alone. */
  private args: readonly Value[];
  private next = 0;
  private readonly mapping: boolean;

  constructor(
    private readonly template: string,
    private readonly whole: Value,
    private readonly bytes: boolean,
  ) {
    this.args = whole instanceof PyTuple ? whole.a : [whole];
    this.mapping = isMapping(whole, bytes);
  }

  run(): string {
    const template = this.template;
    let out = "";
    while (this.at < template.length) {
      const percent = template.indexOf("%", this.at);
      if (percent < 0) {
        out += template.slice(this.at);
        break;
      }
      out += template.slice(this.at, percent);
      this.at = percent + 1;
      spendSteps(1);
      const shown = this.conversion();
      out += shown;
      checkPiece(out.length >> 1, shown.length);
    }
    if (this.next < this.args.length && !this.mapping)
      raise("TypeError", `not all arguments converted during ${this.bytes ? "bytes" : "string"} formatting`);
    return out;
  }

  private argument(): Value {
    const v = this.args[this.next];
    if (v === undefined) raise("TypeError", "not enough arguments for format string");
    this.next++;
    return v;
  }

  private conversion(): string {
    const template = this.template;
    // "%%" is a percent sign only as these two characters.
    if (template[this.at] === "%") {
      this.at++;
      return "%";
    }
    if (template[this.at] === "(") this.key();
    let [left, plus, blank, alternate, zero] = [false, false, false, false, false];
    for (; ; this.at++) {
      const c = template[this.at];
      if (c === "-") left = true;
      else if (c === "+") plus = true;
      else if (c === " ") blank = true;
      else if (c === "#") alternate = true;
      else if (c === "0") zero = true;
      else break;
    }
    let width = this.size("width");
    if (width < 0) {
      left = left || width < -1;
      width = width === -1 ? 0 : -width - 2;
    }
    let precision = -1;
    if (template[this.at] === ".") {
      this.at++;
      precision = this.size("precision");
      if (precision < 0) precision = 0;
    }
    const c = template[this.at];
    if (c === "h" || c === "l" || c === "L") this.at++;
    if (this.at >= template.length) raise("ValueError", "incomplete format");
    const code = String.fromCodePoint(template.codePointAt(this.at)!);
    const place = this.at;
    this.at += code.length;
    const v = this.argument();
    return this.layout(v, { left, plus, blank, alternate, zero, width, precision, code }, place);
  }

  /** `(key)`: from now on the arguments are the mapping's value. */
  private key(): void {
    if (!this.mapping) raise("TypeError", "format requires a mapping");
    const start = ++this.at;
    for (let open = 1; open > 0; this.at++) {
      if (this.at >= this.template.length) raise("ValueError", "incomplete format key");
      if (this.template[this.at] === "(") open++;
      else if (this.template[this.at] === ")") open--;
    }
    const name = this.template.slice(start, this.at - 1);
    this.args = [getItem(this.whole, this.bytes ? bytesOf(name) : name)];
    this.next = 0;
  }

  /**
   * `*` or digits; -1 for neither, and for `*` with a negative argument that argument minus 2, so that the two stay apart.
   */
  private size(what: "width" | "precision"): number {
    if (this.template[this.at] === "*") {
      const v = this.argument();
      if (!isInt(v)) raise("TypeError", "* wants int");
      this.at++;
      const n = Number(v);
      if (what === "width" && Math.abs(n) >= SIZE_MAX) raise("OverflowError", "Python int too large to convert to C ssize_t");
      if (what === "precision" && Math.abs(n) > 2147483647) raise("OverflowError", "Python int too large to convert to C int");
      return n < 0 ? n - 2 : n;
    }
    let n = -1;
    for (; ; this.at++) {
      const digit = this.template.charCodeAt(this.at) - 48;
      if (!(digit >= 0 && digit <= 9)) return n;
      n = Math.max(n, 0) * 10 + digit;
      if (n >= (what === "width" ? SIZE_MAX : 2147483648))
        raise("ValueError", `${what === "precision" && this.bytes ? "prec" : what} too big`);
    }
  }

  private layout(v: Value, c: Conversion, place: number): string {
    switch (c.code) {
      case "s":
      case "b":
        if (this.bytes) {
          if (!(v instanceof Bytes))
            raise("TypeError", `%b requires a bytes-like object, or an object that implements __bytes__, not '${typeName(v)}'`);
          return fill(cut(latin(v.b), c), c);
        }
        if (c.code === "b") break;
        return fill(cut(str(v), c), c);
      case "r":
        return fill(cut(this.bytes ? ascii(v) : repr(v), c), c);
      case "a":
        return fill(cut(ascii(v), c), c);
      case "c":
        return fill(this.character(v), c);
      case "d":
      case "i":
      case "u":
      case "o":
      case "x":
      case "X":
        return fillNumber(wholeText(v, this.bytes && c.code === "i" ? { ...c, code: "d" } : c), c);
      case "e":
      case "E":
      case "f":
      case "F":
      case "g":
      case "G":
        return fillNumber(this.floatText(v, c), c);
    }
    const code = c.code.codePointAt(0)!;
    // CPython shows what is not ASCII as a question mark in text, and as it is in bytes.
    const shown = this.bytes || (code > 31 && code < 127) ? c.code : "?";
    const index = this.bytes ? place : positionOf(this.template, place);
    raise("ValueError", `unsupported format character '${shown}' (0x${code.toString(16)}) at index ${index}`);
  }

  private character(v: Value): string {
    if (this.bytes) {
      if (v instanceof Bytes && v.b.length === 1) return String.fromCharCode(v.b[0]!);
      if (!isInt(v)) raise("TypeError", "%c requires an integer in range(256) or a single byte");
      if (Number(v) < 0 || Number(v) > 255) raise("OverflowError", "%c arg not in range(256)");
      return String.fromCharCode(Number(v));
    }
    if (typeof v === "string" && strLength(v) === 1) return v;
    if (!isInt(v)) raise("TypeError", "%c requires int or char");
    if (Number(v) < 0 || Number(v) > 0x10ffff) raise("OverflowError", "%c arg not in range(0x110000)");
    return chrText(Number(v));
  }

  private floatText(v: Value, c: Conversion): string {
    if (!isReal(v))
      raise("TypeError", this.bytes ? `float argument required, not ${typeName(v)}` : `must be real number, not ${typeName(v)}`);
    return floatLayout(realToDouble(v), {
      type: c.code,
      precision: c.precision < 0 ? 6 : c.precision,
      alternate: c.alternate,
      pointZero: false,
      positiveZero: false,
    });
  }
}

function bytesOf(latinText: string): Bytes {
  return new Bytes(Uint8Array.from(latinText, (c) => c.charCodeAt(0)));
}

/** What CPython takes for a mapping here: whatever can be subscripted, but tuples, texts and, for a template of bytes, bytes. */
function isMapping(v: Value, bytes: boolean): boolean {
  if (v instanceof PyDict || v instanceof PyList || v instanceof PyRange) return true;
  if (v instanceof PyNative) return v.getItem !== undefined && v.sequence === null;
  return !bytes && v instanceof Bytes;
}

/** Cut to the precision. */
function cut(text: string, c: Conversion): string {
  return c.precision >= 0 && strLength(text) > c.precision ? strRange(text, 0, c.precision) : text;
}

function fill(text: string, c: Conversion): string {
  const count = c.width - strLength(text);
  if (count <= 0) return text;
  checkChars(c.width);
  return c.left ? text + " ".repeat(count) : " ".repeat(count) + text;
}

/** Sign, base prefix, zeros of the precision, digits. */
function wholeText(v: Value, c: Conversion): string {
  const decimal = c.code === "d" || c.code === "i" || c.code === "u";
  if (!isInt(v) && !(decimal && v instanceof Float))
    raise("TypeError", `%${c.code} format: ${decimal ? "a real number" : "an integer"} is required, not ${typeName(v)}`);
  const i = v instanceof Float ? floatToInt(v.v) : typeof v === "boolean" ? Number(v) : v;
  const size = i < 0 ? -i : i;
  const digits = decimal ? intText(size) : baseDigits(size, c.code === "o" ? 8 : 16);
  if (c.precision > digits.length) checkChars(c.precision);
  const prefix = !c.alternate || decimal ? "" : c.code === "o" ? "0o" : "0x";
  const text = `${i < 0 ? "-" : ""}${prefix}${digits.padStart(c.precision, "0")}`;
  return c.code === "X" ? text.toUpperCase() : text;
}

/** Adds the sign flag and fills to the width, with zeros after sign and base prefix where asked. */
function fillNumber(text: string, c: Conversion): string {
  const signed = text[0] === "-" ? text : c.plus ? `+${text}` : c.blank ? ` ${text}` : text;
  const count = c.width - signed.length;
  if (count <= 0) return signed;
  checkChars(c.width);
  if (c.left) return signed + " ".repeat(count);
  if (!c.zero) return " ".repeat(count) + signed;
  let lead = signed[0] === "-" || signed[0] === "+" || signed[0] === " " ? 1 : 0;
  if (c.alternate && "oxX".includes(c.code)) lead += 2;
  return signed.slice(0, lead) + "0".repeat(count) + signed.slice(lead);
}
