/**
 * Ints as text and bytes: `str`, `int(text, base)`, `hex`, `to_bytes` … with CPython's rules and messages.
 *
 * Decimal text past 4,300 digits raises ValueError both ways, as CPython does by default; the other bases are bounded
 * only by the size of ints.
 */
import { Bytes, type Int } from "../../datum";
import { INT_TEXT_DIGITS_MAX } from "../../limits";
import { bytesRepr } from "./bytes";
import { raise } from "./exception";
import { bitLength, intInvert, normInt } from "./int";
import { checkBits, checkChars } from "./meter";
import { strLength, strRange, strRepr } from "./str";
import { decimalValue, isSpace } from "./unicode";

/** `str(i)` */
export function intText(i: Int): string {
  if (typeof i === "number") return String(i);
  // 10**4300 has 14,285 bits: anything much longer need not be converted to know.
  if (bitLength(i) <= 14_300) {
    const text = i.toString();
    if (text.length - (i < 0n ? 1 : 0) <= INT_TEXT_DIGITS_MAX) return text;
  }
  raise(
    "ValueError",
    `Exceeds the limit (${INT_TEXT_DIGITS_MAX} digits) for integer string conversion; use sys.set_int_max_str_digits() to increase the limit`,
  );
}

/** Digits of |i| in base 2, 8 or 16. */
export function baseDigits(i: Int, base: 2 | 8 | 16): string {
  checkChars(Math.ceil(bitLength(i) / (base === 2 ? 1 : base === 8 ? 3 : 4)));
  return (i < 0 ? -i : i).toString(base);
}

/** `bin(i)`, `oct(i)`, `hex(i)` */
export function prefixedText(i: Int, base: 2 | 8 | 16): string {
  return `${i < 0 ? "-" : ""}${base === 2 ? "0b" : base === 8 ? "0o" : "0x"}${baseDigits(i, base)}`;
}

/** Other scripts' digits and spaces as ASCII, anything else outside ASCII as `?`. */
export function asciiDigits(text: string): string {
  let plain = true;
  for (let i = 0; i < text.length && plain; i++) plain = text.charCodeAt(i) < 128;
  if (plain) return text;
  let out = "";
  for (const character of text) {
    const code = character.codePointAt(0)!;
    if (code < 128) out += character;
    else if (isSpace(code)) out += " ";
    else {
      const digit = decimalValue(code);
      out += digit < 0 ? "?" : digit;
    }
  }
  return out;
}

const isBlank = (unit: number): boolean => unit === 32 || (unit >= 9 && unit <= 13);

/** Without the ASCII white space around it (C's isspace). */
export function stripBlanks(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isBlank(text.charCodeAt(start))) start++;
  while (end > start && isBlank(text.charCodeAt(end - 1))) end--;
  return text.slice(start, end);
}

/** Value of an ASCII digit or letter, 36 for anything else. */
function digitOf(unit: number): number {
  if (unit >= 48 && unit <= 57) return unit - 48;
  const lower = unit | 32;
  return lower >= 97 && lower <= 122 ? lower - 87 : 36;
}

/** `int(text, base)`; base 0 reads prefixes. */
export function intFromText(text: string, base: number): Int {
  return readInt(asciiDigits(text), base, () => strRepr(text));
}

/** `int(bytes, base)`. */
export function intFromBytesText(bytes: Bytes, base: number): Int {
  let text = "";
  for (const b of bytes.b) text += b < 128 ? String.fromCharCode(b) : "?";
  return readInt(text, base, () => bytesRepr(bytes));
}

function readInt(whole: string, asked: number, shown: () => string): Int {
  // The message shows at most 200 characters of the text.
  const invalid = (): never =>
    raise("ValueError", `invalid literal for int() with base ${asked}: ${strRange(shown(), 0, Math.min(200, strLength(shown())))}`);
  const text = stripBlanks(whole);
  let at = 0;
  const negative = text[0] === "-";
  if (negative || text[0] === "+") at = 1;
  let base = asked;
  let zeroOnly = false;
  if (text[at] === "0") {
    const mark = (text[at + 1] ?? "").toLowerCase();
    const marked = mark === "x" ? 16 : mark === "o" ? 8 : mark === "b" ? 2 : 0;
    if (base === 0) {
      base = marked === 0 ? 10 : marked;
      // "0", "00" are ints without a prefix, "012" is not.
      zeroOnly = marked === 0;
    }
    if (marked !== 0 && marked === base) {
      at += 2;
      // One underscore may follow a prefix.
      if (text[at] === "_") at++;
    }
  } else if (base === 0) base = 10;
  let digits = "";
  let from = at;
  let end = at;
  for (; end < text.length; end++) {
    const unit = text.charCodeAt(end);
    if (unit === 95) {
      if (end === from) return invalid();
      digits += text.slice(from, end);
      from = end + 1;
    } else if (digitOf(unit) >= base) break;
  }
  if (end === from) return invalid();
  digits += text.slice(from, end);
  const power = base === 2 || base === 4 || base === 8 || base === 16 || base === 32;
  if (!power && digits.length > INT_TEXT_DIGITS_MAX)
    raise(
      "ValueError",
      `Exceeds the limit (${INT_TEXT_DIGITS_MAX} digits) for integer string conversion: value has ${digits.length} digits; use sys.set_int_max_str_digits() to increase the limit`,
    );
  if (end < text.length) return invalid();
  const size = digitsValue(digits, base);
  if (zeroOnly && size !== 0) return invalid();
  return negative ? (typeof size === "number" ? 0 - size : -size) : size;
}

function digitsValue(digits: string, base: number): Int {
  // Ten digits of base 36 and fifteen of base 10 are safe integers.
  if (digits.length <= 10 || (base <= 10 && digits.length <= 15)) return Number.parseInt(digits, base);
  const bits = digits.length * Math.ceil(Math.log2(base));
  if (bits > 1 << 20) checkBits(digits.replace(/^0+/, "").length * Math.floor(Math.log2(base)));
  if (base === 10) return normInt(BigInt(digits));
  if (base === 16) return normInt(BigInt(`0x${digits}`));
  if (base === 8) return normInt(BigInt(`0o${digits}`));
  if (base === 2) return normInt(BigInt(`0b${digits}`));
  if (base === 4 || base === 32) {
    const width = base === 4 ? 2 : 5;
    const binary = Array.from(digits, (digit) => Number.parseInt(digit, 32).toString(2).padStart(width, "0"));
    return normInt(BigInt(`0b${binary.join("")}`));
  }
  const unit = BigInt(base) ** 10n;
  const head = digits.length % 10;
  let value = head === 0 ? 0n : BigInt(Number.parseInt(digits.slice(0, head), base));
  for (let i = head; i < digits.length; i += 10) value = value * unit + BigInt(Number.parseInt(digits.slice(i, i + 10), base));
  return normInt(value);
}

export function checkByteOrder(order: string): void {
  if (order !== "big" && order !== "little") raise("ValueError", "byteorder must be either 'little' or 'big'");
}

/** `i.to_bytes(length, order, signed=…)` */
export function intToBytes(i: Int, length: number, order: string, signed: boolean): Bytes {
  checkByteOrder(order);
  if (length < 0) raise("ValueError", "length argument must be non-negative");
  if (i < 0 && !signed) raise("OverflowError", "can't convert negative int to unsigned");
  // Bits of the two's complement, with its sign where there is one.
  const size = bitLength(i < 0 ? intInvert(i) : i);
  // CPython lets 0 and -1 be no bytes at all.
  if (size !== 0 && size + (signed ? 1 : 0) > length * 8) raise("OverflowError", "int too big to convert");
  checkChars(length);
  const bytes = new Uint8Array(length);
  if (i < 0) bytes.fill(255);
  const used = Math.min(length, (size >> 3) + 1);
  let hex = (i < 0 ? (1n << BigInt(used * 8)) + BigInt(i) : i).toString(16);
  if (hex.length % 2 === 1) hex = `0${hex}`;
  const count = Math.min(hex.length / 2, length);
  for (let k = 0; k < count; k++) {
    const from = hex.length - 2 * (k + 1);
    bytes[order === "little" ? k : length - 1 - k] = Number.parseInt(hex.slice(from, from + 2), 16);
  }
  return new Bytes(bytes);
}

/** `int.from_bytes(bytes, order, signed=…)`; the order is checked before the bytes are made. */
export function intFromBytes(bytes: Uint8Array, order: string, signed: boolean): Int {
  const length = bytes.length;
  if (length === 0) return 0;
  checkBits(length * 8);
  let hex = "0x";
  for (let k = 0; k < length; k++) hex += bytes[order === "big" ? k : length - 1 - k]!.toString(16).padStart(2, "0");
  const value = BigInt(hex);
  const top = bytes[order === "big" ? 0 : length - 1]!;
  return normInt(signed && top >= 128 ? value - (1n << BigInt(length * 8)) : value);
}

/** `i.bit_count()`: ones of |i|. */
export function bitCount(i: Int): number {
  const binary = baseDigits(i, 2);
  let ones = 0;
  for (let k = 0; k < binary.length; k++) if (binary.charCodeAt(k) === 49) ones++;
  return ones;
}
