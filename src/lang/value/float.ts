/**
 * Arithmetic, comparison and text of floats.
 *
 * The digits are V8's (shortest that read back; the same as CPython's), the layout is ours. `//`, `%` and divmod follow
 * CPython's adjustments of fmod, signed zeros included. Comparison of an int with a float is exact.
 * Reading floats from text and the methods are in float-text.ts and float-methods.ts; powers in float-math.ts.
 */
import { Float, type Int } from "../../datum";
import { raise } from "./exception";
import { exactDecimal } from "./float-digits";
import { pow } from "./float-math";
import { intFromDouble, intToDouble } from "./int";

/** `repr(x)`. */
export function floatRepr(x: number): string {
  const size = Math.abs(x);
  if (size >= 1e-4 && size < 1e16) {
    const text = String(x);
    return Number.isInteger(x) ? `${text}.0` : text;
  }
  if (x === 0) return Object.is(x, -0) ? "-0.0" : "0.0";
  if (Number.isNaN(x)) return "nan";
  if (size === Number.POSITIVE_INFINITY) return x > 0 ? "inf" : "-inf";
  const text = x.toExponential();
  const e = text.indexOf("e");
  const sign = text[e + 1]!;
  const digits = text.slice(e + 2);
  return `${text.slice(0, e)}e${sign}${digits.length < 2 ? `0${digits}` : digits}`;
}

export function floatDiv(a: number, b: number): number {
  if (b === 0) raise("ZeroDivisionError", "float division by zero");
  return a / b;
}

/** Floor of a/b with CPython's care for rounding and signed zeros; b is not 0. */
function floorQuotient(a: number, b: number): number {
  const mod = a % b;
  let div = (a - mod) / b;
  if (mod !== 0 && b < 0 !== mod < 0) div -= 1;
  if (div === 0) return Object.is(a / b, -0) || a / b < 0 ? -0 : 0;
  const floor = Math.floor(div);
  return div - floor > 0.5 ? floor + 1 : floor;
}

function remainder(a: number, b: number): number {
  const mod = a % b;
  if (mod === 0) return b < 0 ? -0 : 0;
  return b < 0 !== mod < 0 ? mod + b : mod;
}

export function floatFloorDiv(a: number, b: number): number {
  if (b === 0) raise("ZeroDivisionError", "float floor division by zero");
  return floorQuotient(a, b);
}
export function floatMod(a: number, b: number): number {
  if (b === 0) raise("ZeroDivisionError", "float modulo");
  return remainder(a, b);
}
export function floatDivmod(a: number, b: number): [number, number] {
  if (b === 0) raise("ZeroDivisionError", "float divmod()");
  return [floorQuotient(a, b), remainder(a, b)];
}

/** `int(x)`: toward zero. */
export function floatToInt(x: number): Int {
  if (Number.isNaN(x)) raise("ValueError", "cannot convert float NaN to integer");
  if (x === Number.POSITIVE_INFINITY || x === Number.NEGATIVE_INFINITY) raise("OverflowError", "cannot convert float infinity to integer");
  return intFromDouble(Math.trunc(x));
}

/** The integral double nearest to x, halves to even; the sign of zero is kept. */
export function roundHalfEven(x: number): number {
  const floor = Math.floor(x);
  const part = x - floor;
  if (part === 0) return x;
  const r = part < 0.5 || (part === 0.5 && floor % 2 === 0) ? floor : floor + 1;
  return r === 0 && x < 0 ? -0 : r;
}

/** `round(x)`. */
export function floatRoundToInt(x: number): Int {
  if (Number.isNaN(x)) raise("ValueError", "cannot convert float NaN to integer");
  if (x === Number.POSITIVE_INFINITY || x === Number.NEGATIVE_INFINITY) raise("OverflowError", "cannot convert float infinity to integer");
  return intFromDouble(roundHalfEven(x));
}

/** `round(x, digits)`: through the exact decimal value, halves to even. */
export function floatRound(x: number, digits: Int): number {
  if (!Number.isFinite(x) || x === 0) return x;
  // More digits than a double has: unchanged. Fewer than its size: zero. CPython's own bounds.
  if (digits > 323) return x;
  if (digits < -308) return 0 * x;
  const r = Number(exactDecimal(x, Number(digits)));
  if (!Number.isFinite(r)) raise("OverflowError", "rounded value too large to represent");
  return r;
}

/** Exact order of an int and a double: -1, 0, 1, or NaN where the double is NaN. */
function compareIntFloat(i: Int, x: number): number {
  if (typeof i === "number") return i < x ? -1 : i > x ? 1 : i === x ? 0 : Number.NaN;
  // The language compares bigint and number exactly.
  return i < x ? -1 : i > x ? 1 : Number.isNaN(x) ? Number.NaN : 0;
}

export type Real = Int | boolean | Float;

/** Exact order of two real numbers (bools count as ints): -1, 0, 1, or NaN if one is NaN. */
export function compareNumbers(a: Real, b: Real): number {
  if (typeof a === "number" && typeof b === "number") return a < b ? -1 : a > b ? 1 : 0;
  const x = typeof a === "boolean" ? Number(a) : a;
  const y = typeof b === "boolean" ? Number(b) : b;
  if (x instanceof Float) {
    if (y instanceof Float) return x.v < y.v ? -1 : x.v > y.v ? 1 : x.v === y.v ? 0 : Number.NaN;
    return -compareIntFloat(y, x.v) + 0;
  }
  if (y instanceof Float) return compareIntFloat(x, y.v);
  return x < y ? -1 : x > y ? 1 : 0;
}

/** The double of a real number, as CPython's conversion in mixed arithmetic. */
export function realToDouble(v: Real): number {
  return v instanceof Float ? v.v : typeof v === "boolean" ? Number(v) : intToDouble(v);
}

/** `x ** y` of floats; a negative x with a fractional y is not a float (see protocol-arith.ts). */
export function floatPow(x: number, y: number): number {
  if (y === 0 || x === 1) return 1;
  if (x === 0 && y < 0 && y !== Number.NEGATIVE_INFINITY) raise("ZeroDivisionError", "0.0 cannot be raised to a negative power");
  const r = pow(x, y);
  if ((r === Number.POSITIVE_INFINITY || r === Number.NEGATIVE_INFINITY) && Number.isFinite(x) && Number.isFinite(y))
    raise("OverflowError", 34, "Numerical result out of range");
  return r;
}
