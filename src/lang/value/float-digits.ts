/**
 * Decimal digits of a double, correctly rounded (halves to even on the exact binary value).
 *
 * V8's `toFixed`/`toExponential` round correctly except at exact ties, where they round up, and they stop at 100 digits.
 * So the native routine serves where the value cannot be a tie, and an exact decimal expansion in bigints elsewhere.
 */
import { decompose, powerOfTwo } from "./float-bits";
import { normInt } from "./int";

const POWERS_OF_TWO = Float64Array.from({ length: 101 }, (_, e) => powerOfTwo(e));

/** No double has more digits after the point, nor more significant digits. */
const DIGITS_MAX = 1100;

/** |x| * 10**digits rounded to an integer, halves to even. */
function scaledInteger(x: number, digits: number): bigint {
  const { m, e } = decompose(x);
  let numerator = m;
  let denominator = 1n;
  if (digits >= 0) numerator *= 10n ** BigInt(digits);
  else denominator *= 10n ** BigInt(-digits);
  if (e >= 0) numerator <<= BigInt(e);
  else denominator <<= BigInt(-e);
  const q = numerator / denominator;
  const twice = (numerator - q * denominator) * 2n;
  return twice > denominator || (twice === denominator && (q & 1n) === 1n) ? q + 1n : q;
}

/** `|x|` with exactly `digits` (>= 0) digits after the point, as text without a sign; no point where there are none. */
export function fixedDigits(x: number, digits: number): string {
  if (digits > DIGITS_MAX) return fixedDigits(x, DIGITS_MAX) + "0".repeat(digits - DIGITS_MAX);
  const size = Math.abs(x);
  if (digits <= 100 && size < 1e21 && !isTie(size, digits)) return size.toFixed(digits);
  return placePoint(scaledInteger(x, digits).toString(), digits);
}

function placePoint(text: string, digits: number): string {
  if (digits === 0) return text;
  const padded = text.padStart(digits + 1, "0");
  return `${padded.slice(0, -digits)}.${padded.slice(-digits)}`;
}

/**
 * Whether size * 10**digits, of at most 100, ends in .5: it is (size * 2**(digits + 1)) * 5**digits / 2, so where the first factor,
 * which is exact, is an odd integer.
 */
function isTie(size: number, digits: number): boolean {
  const half = size * POWERS_OF_TWO[digits]!;
  return half !== Math.floor(half) && half + half === Math.floor(half + half);
}

/** Significant digits of |x| (not 0) at `count` >= 1 of them, and the decimal exponent of the first. */
export function significantDigits(x: number, count: number): { digits: string; exponent: number } {
  if (count > DIGITS_MAX) {
    const exact = significantDigits(x, DIGITS_MAX);
    return { digits: exact.digits + "0".repeat(count - DIGITS_MAX), exponent: exact.exponent };
  }
  const size = Math.abs(x);
  if (count <= 17) {
    const text = size.toExponential(count - 1);
    const e = text.indexOf("e");
    const exponent = Number(text.slice(e + 1));
    // A tie here has at most 18 significant digits, and its fraction bits are as many as its fraction digits.
    const fraction = count - exponent;
    if (exponent <= 22 && (fraction < 0 || fraction > 60 || !Number.isInteger(size * powerOfTwo(fraction))) && fraction >= 0)
      return { digits: count === 1 ? text.slice(0, e) : text[0]! + text.slice(2, e), exponent };
  }
  // Rough decimal exponent from the shortest form, corrected where rounding carries, and where the shortest form had carried
  // itself (1e60 is a little less than 10**60).
  const shortest = size.toExponential();
  let exponent = Number(shortest.slice(shortest.indexOf("e") + 1));
  let digits = scaledInteger(x, count - 1 - exponent).toString();
  if (digits.length < count || /^10*$/.test(digits)) {
    const finer = scaledInteger(x, count - exponent).toString();
    if (finer.length <= count) {
      digits = finer;
      exponent--;
    }
  }
  if (digits.length > count) {
    exponent++;
    digits = digits.slice(0, count);
  }
  return { digits, exponent };
}

/** The digits of the shortest decimal that reads back as |x| (not 0), and the decimal exponent of the first. */
export function shortestDigits(x: number): { digits: string; exponent: number } {
  const text = Math.abs(x).toExponential();
  const e = text.indexOf("e");
  return { digits: text[0]! + text.slice(2, e), exponent: Number(text.slice(e + 1)) };
}

/** x rounded at 10**-digits (digits may be negative), as a text that `Number` reads; keeps the sign. */
export function exactDecimal(x: number, digits: number): string {
  const sign = x < 0 ? "-" : "";
  if (digits >= 0) return sign + fixedDigits(x, digits);
  return `${sign}${scaledInteger(x, digits)}e${-digits}`;
}

/** A finite double as the reduced ratio of two ints. */
export function integerRatio(x: number): [numerator: number | bigint, denominator: number | bigint] {
  let { m, e } = decompose(x);
  if (m === 0n) return [0, 1];
  while (e < 0 && (m & 1n) === 0n) {
    m >>= 1n;
    e++;
  }
  if (x < 0) m = -m;
  return e >= 0 ? [normInt(m << BigInt(e)), 1] : [normInt(m), normInt(1n << BigInt(-e))];
}
