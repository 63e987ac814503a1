/** Floats and complex numbers from text, and floats to and from hexadecimal, with CPython's rules and messages. */
import { type Bytes, Complex } from "../../datum";
import { bytesRepr } from "./bytes";
import { raise } from "./exception";
import { decompose } from "./float-bits";
import { ratioToDouble } from "./int";
import { asciiDigits, stripBlanks } from "./int-text";
import { strRepr } from "./str";

const DIGITS = "[0-9](?:_?[0-9])*";
const NUMBER = `(?:${DIGITS}\\.?(?:${DIGITS})?|\\.${DIGITS})(?:[eE][+-]?${DIGITS})?`;
const WORD = "(?:[iI][nN][fF](?:[iI][nN][iI][tT][yY])?|[nN][aA][nN])";
const ANY = `(?:${NUMBER}|${WORD})`;
const FLOAT = new RegExp(`^[+-]?${ANY}$`);
/** Real part, imaginary part with its sign, or one of them; `j` alone is 1j. */
const COMPLEX = new RegExp(`^(?:([+-]?${ANY})|([+-]?${ANY})?([+-]${ANY}?)[jJ]|(${ANY}?)[jJ])$`);

/** The double of a text of one of the forms above. */
function doubleOf(text: string): number {
  const lower = text.toLowerCase();
  const sign = lower[0] === "-" ? -1 : 1;
  if (lower.includes("n")) return lower.endsWith("nan") ? Number.NaN : sign * Number.POSITIVE_INFINITY;
  return Number(lower.replaceAll("_", ""));
}

/** `float(text)` */
export function floatFromText(text: string): number {
  const stripped = stripBlanks(asciiDigits(text));
  if (!FLOAT.test(stripped)) raise("ValueError", `could not convert string to float: ${strRepr(text)}`);
  return doubleOf(stripped);
}

/** `float(bytes)` */
export function floatFromBytesText(bytes: Bytes): number {
  let text = "";
  for (const b of bytes.b) text += b < 128 ? String.fromCharCode(b) : "?";
  const stripped = stripBlanks(text);
  if (!FLOAT.test(stripped)) raise("ValueError", `could not convert string to float: ${bytesRepr(bytes)}`);
  return doubleOf(stripped);
}

/** `complex(text)` */
export function complexFromText(text: string): Complex {
  const plain = asciiDigits(text);
  // A misplaced underscore has its own message.
  if (/(?:^|[^0-9])_|_(?:$|[^0-9])/.test(plain)) raise("ValueError", `could not convert string to complex: ${strRepr(text)}`);
  let body = stripBlanks(plain);
  if (body[0] === "(" && body.endsWith(")")) body = stripBlanks(body.slice(1, -1));
  const m = COMPLEX.exec(body);
  if (m === null) raise("ValueError", "complex() arg is a malformed string");
  if (m[1] !== undefined) return new Complex(doubleOf(m[1]), 0);
  const im = m[3] ?? m[4]!;
  return new Complex(m[2] === undefined ? 0 : doubleOf(m[2]), im === "" || im === "+" ? 1 : im === "-" ? -1 : doubleOf(im));
}

/** `x.hex()` */
export function floatHex(x: number): string {
  if (Number.isNaN(x)) return "nan";
  if (!Number.isFinite(x)) return x > 0 ? "inf" : "-inf";
  const sign = x < 0 || Object.is(x, -0) ? "-" : "";
  if (x === 0) return `${sign}0x0.0p+0`;
  const { m, e } = decompose(x);
  const exponent = e + 52;
  const digits = m.toString(16).padStart(14, "0");
  return `${sign}0x${digits[0]}.${digits.slice(1)}p${exponent < 0 ? "-" : "+"}${Math.abs(exponent)}`;
}

const HEX = /^([+-]?)(?:0[xX])?([0-9a-fA-F]*)(?:(\.)([0-9a-fA-F]*))?(?:[pP]([+-]?[0-9]+))?$/;
const HEX_NAMED = /^([+-]?)(?:(inf(?:inity)?)|nan)$/i;

/** `float.fromhex(text)` */
export function floatFromHex(text: string): number {
  const body = stripBlanks(text);
  const named = HEX_NAMED.exec(body);
  if (named !== null) return named[2] === undefined ? Number.NaN : named[1] === "-" ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  const m = HEX.exec(body);
  const whole = m?.[2] ?? "";
  const fraction = m?.[4] ?? "";
  if (m === null || whole.length + fraction.length === 0) raise("ValueError", "invalid hexadecimal floating-point string");
  const digits = (whole + fraction).replace(/^0+/, "");
  const negative = m[1] === "-";
  if (digits === "") return negative ? -0 : 0;
  const exponent = Number(m[5] ?? "0") - 4 * fraction.length;
  // Bounds the shift below: beyond them the result is certain.
  const top = exponent + 4 * digits.length;
  if (top > 1100) raise("OverflowError", "hexadecimal value too large to represent as a float");
  if (top < -1100) return negative ? -0 : 0;
  const value = BigInt(`0x${digits}`);
  const r = exponent >= 0 ? ratioToDouble(value << BigInt(exponent), 1n) : ratioToDouble(value, 1n << BigInt(-exponent));
  if (!Number.isFinite(r)) raise("OverflowError", "hexadecimal value too large to represent as a float");
  return negative ? -r : r;
}
