/**
 * Arithmetic of ints of any size.
 *
 * An `Int` is a safe-integer number, or a bigint that does not fit one; never -0. Every function here takes and gives
 * canonical ints. The number path comes first and is exact: a result outside the safe integers is computed again as
 * bigints. Sizes are checked before the bits are spent (`checkBits`).
 *
 * Texts of ints (parsing, `str`, `hex`) and the methods are in int-text.ts and int-methods.ts.
 */
import type { Int } from "../../datum";
import { INT_BITS_MAX } from "../../limits";
import { raise } from "./exception";
import { exponentOf, scaleByPowerOfTwo } from "./float-bits";
import { checkBits, spendSteps } from "./meter";
import { mustWait, type Work } from "./pending";

export const SAFE_MAX = Number.MAX_SAFE_INTEGER;
const SAFE_MAX_BIG = BigInt(SAFE_MAX);
const SAFE_MIN_BIG = -SAFE_MAX_BIG;

/** Canonical form of a bigint. */
export function normInt(b: bigint): Int {
  return b <= SAFE_MAX_BIG && b >= SAFE_MIN_BIG ? Number(b) : b;
}

/** The int with the value of an integral double. */
export function intFromDouble(x: number): Int {
  return x <= SAFE_MAX && x >= -SAFE_MAX ? x + 0 : BigInt(x);
}

export function intAdd(a: Int, b: Int): Int {
  if (typeof a === "number" && typeof b === "number") {
    const r = a + b;
    if (r <= SAFE_MAX && r >= -SAFE_MAX) return r;
  }
  return sumOfBigs(BigInt(a), BigInt(b));
}

export function intSub(a: Int, b: Int): Int {
  if (typeof a === "number" && typeof b === "number") {
    const r = a - b;
    if (r <= SAFE_MAX && r >= -SAFE_MAX) return r;
  }
  return sumOfBigs(BigInt(a), -BigInt(b));
}

function sumOfBigs(a: bigint, b: bigint): Int {
  const bits = Math.max(roughBits(a), roughBits(b));
  spendSteps(1 + (bits >> 6));
  return atMostLimit(a + b, bits + 1);
}

export function intMul(a: Int, b: Int): Int {
  if (typeof a === "number" && typeof b === "number") {
    const r = a * b;
    // `+ 0` turns -0 into 0: an int has no signed zero.
    if (r <= SAFE_MAX && r >= -SAFE_MAX) return r + 0;
  }
  if (a === 0 || b === 0) return 0;
  const bits = roughBits(a) + roughBits(b);
  // A product has at least bits - 2 bits here (each rough count may be one above): only certain excess is refused.
  checkBits(bits - 2);
  spendProduct(a, b);
  return atMostLimit(BigInt(a) * BigInt(b), bits);
}

/** A result that may have up to `bits` bits, refused if it is really past the limit. */
function atMostLimit(r: bigint, bits: number): Int {
  if (bits > INT_BITS_MAX) checkBits(bitLength(r));
  return normInt(r);
}

/** Products and quotients of large ints cost more than their size: charges for it. */
function spendProduct(a: Int, b: Int): void {
  if (typeof a === "number" || typeof b === "number") return;
  const m = roughBits(a) >> 6;
  const n = roughBits(b) >> 6;
  // Schoolbook below, near-linear above some hundred limbs.
  spendSteps(Math.min(m * n, (m + n) * 64) >> 2);
}

export function intFloorDiv(a: Int, b: Int): Int {
  if (b === 0) raise("ZeroDivisionError", "integer division or modulo by zero");
  if (typeof a === "number" && typeof b === "number") {
    const r = a % b;
    // a - r is an exact multiple of b, and the quotient of two exact values that is an integer is exact.
    const q = (a - r) / b;
    return (r !== 0 && r < 0 !== b < 0 ? q - 1 : q) + 0;
  }
  return bigFloorDiv(BigInt(a), BigInt(b));
}

function bigFloorDiv(a: bigint, b: bigint): Int {
  spendProduct(a, b);
  const q = a / b;
  return normInt(a < 0n !== b < 0n && q * b !== a ? q - 1n : q);
}

export function intMod(a: Int, b: Int): Int {
  if (b === 0) raise("ZeroDivisionError", "integer modulo by zero");
  if (typeof a === "number" && typeof b === "number") {
    const r = a % b;
    return (r !== 0 && r < 0 !== b < 0 ? r + b : r) + 0;
  }
  return normInt(bigMod(BigInt(a), BigInt(b)));
}

function bigMod(a: bigint, b: bigint): bigint {
  spendProduct(a, b);
  const r = a % b;
  return r !== 0n && r < 0n !== b < 0n ? r + b : r;
}

/** `a / b` as Python's true division: the correctly rounded quotient. */
export function intTrueDiv(a: Int, b: Int): number {
  if (b === 0) raise("ZeroDivisionError", "division by zero");
  if (typeof a === "number" && typeof b === "number") return a / b;
  const q = ratioToDouble(BigInt(a), BigInt(b));
  if (q === Number.POSITIVE_INFINITY || q === Number.NEGATIVE_INFINITY)
    raise("OverflowError", "integer division result too large for a float");
  return q;
}

/** The double nearest to a/b, ties to even; infinite where it is too large. b is not 0. */
export function ratioToDouble(a: bigint, b: bigint): number {
  const negative = a < 0n !== b < 0n;
  const n = a < 0n ? -a : a;
  const d = b < 0n ? -b : b;
  if (n === 0n) return negative ? -0 : 0;
  spendProduct(n, d);
  // Scale so that the quotient has 55 or 56 bits, fewer where the result is subnormal; the remainder becomes a sticky bit.
  let shift = 55 - (bitLength(n) - bitLength(d));
  // The unit of a subnormal is 2**-1074: two bits below it are kept for the rounding.
  if (shift > 1076) shift = 1076;
  let q: bigint;
  if (shift >= 0) {
    const m = n << BigInt(shift);
    q = m / d;
    if (q * d !== m) q |= 1n;
  } else {
    const e = d << BigInt(-shift);
    q = n / e;
    if (q * e !== n) q |= 1n;
  }
  // Round q to the precision the result has: 53 bits, or down to the unit 2**-1074.
  const drop = Math.max(bitLength(q) - 53, shift - 1074);
  if (drop > 0) {
    const unit = 1n << BigInt(drop);
    const low = q & (unit - 1n);
    const half = unit >> 1n;
    q >>= BigInt(drop);
    if (low > half || (low === half && (q & 1n) === 1n)) q += 1n;
  }
  const x = scaleByPowerOfTwo(Number(q), Math.max(drop, 0) - shift);
  return negative ? -x : x;
}

/** `float(i)`: correctly rounded. */
export function intToDouble(i: Int): number {
  if (typeof i === "number") return i;
  const x = Number(i);
  if (x === Number.POSITIVE_INFINITY || x === Number.NEGATIVE_INFINITY) raise("OverflowError", "int too large to convert to float");
  return x;
}

/** `base ** exponent` of a non-negative exponent. */
export function intPow(base: Int, exponent: Int): Int {
  if (exponent === 0 || base === 1) return 1;
  if (base === 0) return 0;
  if (base === -1) return (typeof exponent === "number" ? exponent % 2 !== 0 : (exponent & 1n) === 1n) ? -1 : 1;
  if (typeof exponent !== "number") {
    checkBits(Number.MAX_SAFE_INTEGER);
    return 0;
  }
  if (typeof base === "number") {
    // Exact as long as every partial product is a safe integer.
    let r = 1;
    let square = base;
    let e = exponent;
    for (;;) {
      if (e & 1) r *= square;
      if (r > SAFE_MAX || r < -SAFE_MAX) break;
      e = Math.floor(e / 2);
      if (e === 0) return r;
      square *= square;
      if (square > SAFE_MAX) break;
    }
  }
  const bits = bitLength(base);
  // The power has more than (bits - 1) * exponent bits; two more of the base's leading bits make the bound closer.
  const sharper = typeof base === "number" && Math.abs(base) < 256 ? POWER_BITS[Math.abs(base)]! : bits - 1;
  checkBits(Math.floor(sharper * exponent) + 1);
  spendSteps((bits * exponent) >>> 4);
  return normInt(BigInt(base) ** BigInt(exponent));
}

/** Lower bounds of log2(n) for small n, to sixteenths: floor(log2(n**16)) / 16. */
const POWER_BITS: readonly number[] = Array.from({ length: 256 }, (_, n) =>
  n === 0 ? 0 : ((BigInt(n) ** 16n).toString(2).length - 1) / 16,
);

/** Below this a product of two remainders is a safe integer. */
const SMALL_MODULUS = 94_906_265;

/** `pow(base, exponent, modulus)`: at once where the numbers are small, else as work whose every product may wait. */
export function intPowMod(base: Int, exponent: Int, modulus: Int): Int | Work<Int> {
  if (modulus === 0) raise("ValueError", "pow() 3rd argument cannot be 0");
  if (typeof base !== "number" || typeof exponent !== "number" || typeof modulus !== "number") return bigPowMod(base, exponent, modulus);
  if (exponent < 0 || modulus < 0 || modulus > SMALL_MODULUS) return bigPowMod(base, exponent, modulus);
  let square = base % modulus;
  if (square < 0) square += modulus;
  let r = 1 % modulus;
  for (let e = exponent; e > 0; e = Math.floor(e / 2)) {
    if (e % 2 === 1) r = (r * square) % modulus;
    square = (square * square) % modulus;
  }
  return r;
}
function* bigPowMod(base: Int, exponent: Int, modulus: Int): Work<Int> {
  const m = BigInt(modulus);
  const positive = m < 0n ? -m : m;
  if (positive === 1n) return 0;
  let e = BigInt(exponent);
  let b = BigInt(base);
  if (e < 0n) {
    b = yield* inverseMod(b, positive);
    e = -e;
  }
  let square = bigMod(b, positive);
  let r = 1n;
  const words = 1 + (bitLength(positive) >> 6);
  for (let bit = 0, bits = e.toString(2); bit < bits.length; bit++) {
    spendSteps(1 + Math.min(words * words, words * 64));
    if (mustWait()) yield;
    if (bits.charCodeAt(bits.length - 1 - bit) === 49) r = (r * square) % positive;
    if (bit + 1 < bits.length) square = (square * square) % positive;
  }
  if (m < 0n && r !== 0n) r += m;
  return normInt(r);
}

function* inverseMod(a: bigint, m: bigint): Work<bigint> {
  let [r0, r1] = [m, bigMod(a, m)];
  let [t0, t1] = [0n, 1n];
  const words = 1 + (bitLength(m) >> 6);
  while (r1 !== 0n) {
    spendSteps(words);
    if (mustWait()) yield;
    const q = r0 / r1;
    [r0, r1] = [r1, r0 - q * r1];
    [t0, t1] = [t1, t0 - q * t1];
  }
  if (r0 !== 1n) raise("ValueError", "base is not invertible for the given modulus");
  return bigMod(t0, m);
}

/** Powers of two that are safe integers. */
const POWER_OF_TWO: number[] = [1];
while (POWER_OF_TWO.length < 53) POWER_OF_TWO.push(POWER_OF_TWO[POWER_OF_TWO.length - 1]! * 2);

export function intLeftShift(a: Int, n: Int): Int {
  if (n < 0) raise("ValueError", "negative shift count");
  if (a === 0) return 0;
  if (typeof n === "number") {
    if (typeof a === "number" && n < 53) {
      const r = a * POWER_OF_TWO[n]!;
      if (r <= SAFE_MAX && r >= -SAFE_MAX) return r;
    }
    checkBits(bitLength(a) + n);
    return normInt(BigInt(a) << BigInt(n));
  }
  checkBits(Number.MAX_SAFE_INTEGER);
  return 0;
}

export function intRightShift(a: Int, n: Int): Int {
  if (n < 0) raise("ValueError", "negative shift count");
  if (typeof a === "number") return typeof n === "number" && n < 53 ? Math.floor(a / POWER_OF_TWO[n]!) + 0 : a < 0 ? -1 : 0;
  if (typeof n === "number" && n <= SAFE_MAX) return n > bitLength(a) ? (a < 0n ? -1 : 0) : normInt(a >> BigInt(n));
  return a < 0n ? -1 : 0;
}

export function intAnd(a: Int, b: Int): Int {
  if (typeof a === "number" && typeof b === "number" && (a | 0) === a && (b | 0) === b) return a & b;
  return normInt(BigInt(a) & BigInt(b));
}
export function intOr(a: Int, b: Int): Int {
  if (typeof a === "number" && typeof b === "number" && (a | 0) === a && (b | 0) === b) return a | b;
  return normInt(BigInt(a) | BigInt(b));
}
export function intXor(a: Int, b: Int): Int {
  if (typeof a === "number" && typeof b === "number" && (a | 0) === a && (b | 0) === b) return a ^ b;
  return normInt(BigInt(a) ^ BigInt(b));
}

export function intNeg(a: Int): Int {
  return typeof a === "number" ? 0 - a : -a;
}
export function intInvert(a: Int): Int {
  if (typeof a !== "number") return normInt(-a - 1n);
  const r = -1 - a;
  return r >= -SAFE_MAX ? r : BigInt(r);
}
export function intAbs(a: Int): Int {
  return a < 0 ? intNeg(a) : a;
}

/** `round(a, digits)`: half to even at a power of ten. */
export function intRound(a: Int, digits: Int): Int {
  if (digits >= 0) return a;
  // Past its own digits every int rounds to 0.
  if (digits < -(2 + Math.ceil(bitLength(a) * 0.302))) return 0;
  const unit = intPow(10, -Number(digits));
  const rest = intMod(a, unit);
  const floor = intSub(a, rest);
  const twice = intMul(rest, 2);
  if (twice < unit) return floor;
  if (twice > unit) return intAdd(floor, unit);
  return intMod(intFloorDiv(floor, unit), 2) === 0 ? floor : intAdd(floor, unit);
}

/** Number of bits of |i|; 0 for 0. */
export function bitLength(i: Int): number {
  if (typeof i === "number") {
    const n = Math.abs(i);
    return n < 0x80000000 ? 32 - Math.clz32(n) : 64 - Math.clz32(Math.floor(n / 0x100000000));
  }
  // Shifts copy whole words; writing the number out would take many times as long.
  let x = i < 0n ? -i : i;
  let shift = 64;
  while (x >> BigInt(shift) !== 0n) shift *= 2;
  let bits = 0;
  for (; shift >= 32; shift /= 2) {
    const rest = x >> BigInt(shift);
    if (rest === 0n) continue;
    x = rest;
    bits += shift;
  }
  return bits + bitLength(Number(x));
}

/** An upper bound of `bitLength`, at most one above it; cheap for all but huge ints. */
function roughBits(i: Int): number {
  if (typeof i === "number") return bitLength(i);
  const x = Math.abs(Number(i));
  return x < Number.MAX_VALUE ? exponentOf(x) + 2 : bitLength(i);
}
