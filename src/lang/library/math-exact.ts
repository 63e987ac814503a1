/**
 * The parts of `math` that need an algorithm and no library of logarithms: exact sums, norms, whole-number functions.
 */
import type { Int } from "../../datum";
import { raise } from "../value/exception";
import { scaleByPowerOfTwo } from "../value/float-bits";
import { bitLength, intFloorDiv, intMul, intNeg, intSub, normInt } from "../value/int";
import { checkBits, spendSteps } from "../value/meter";
import { mustWait, type Work } from "../value/pending";

/** x = m * 2**e with 0.5 <= |m| < 1; zeros and what is not finite as they are, with e 0. */
export function frexp(x: number): { m: number; e: number } {
  if (x === 0 || !Number.isFinite(x)) return { m: x, e: 0 };
  let e = 0;
  let m = x;
  if (Math.abs(m) < 2.2250738585072014e-308) {
    m *= 18014398509481984;
    e = -54;
  }
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, m);
  e += ((view.getUint16(0) >> 4) & 0x7ff) - 1022;
  view.setUint16(0, (view.getUint16(0) & 0x800f) | (1022 << 4));
  return { m: view.getFloat64(0), e };
}

/** The exactly rounded sum (Shewchuk's partials that do not overlap, each step exact). */
export function exactSum(values: Iterable<number>): number {
  const partials: number[] = [];
  let special = 0;
  let infinities = 0;
  for (const value of values) {
    let x = value;
    let kept = 0;
    for (let j = 0; j < partials.length; j++) {
      let y = partials[j];
      if (Math.abs(x) < Math.abs(y)) [x, y] = [y, x];
      const high = x + y;
      const low = y - (high - x);
      if (low !== 0) partials[kept++] = low;
      x = high;
    }
    partials.length = kept;
    if (x === 0) continue;
    if (Number.isFinite(x)) partials.push(x);
    else {
      if (Number.isFinite(value)) raise("OverflowError", "intermediate overflow in fsum");
      if (!Number.isNaN(value)) infinities += value;
      special += value;
      partials.length = 0;
    }
  }
  if (special !== 0) {
    if (Number.isNaN(infinities)) raise("ValueError", "-inf + inf in fsum");
    return special;
  }
  return roundPartials(partials);
}

/** The sum of partials in ascending size, to nearest, ties to even. */
function roundPartials(partials: number[]): number {
  let n = partials.length;
  if (n === 0) return 0;
  let high = partials[--n];
  let low = 0;
  while (n > 0) {
    const x = high;
    const y = partials[--n];
    high = x + y;
    low = y - (high - x);
    if (low !== 0) break;
  }
  // A tie that the next partial breaks the other way.
  if (n > 0 && ((low < 0 && partials[n - 1] < 0) || (low > 0 && partials[n - 1] > 0))) {
    const y = low * 2;
    const x = high + y;
    if (y === x - high) high = x;
  }
  return high;
}

/** The Euclidean length of a vector, as CPython 3.11 computes it: scaled, with the squares summed in two parts. */
export function vectorLength(coordinates: readonly number[]): number {
  const values = coordinates.map(Math.abs);
  let max = 0;
  let nan = false;
  for (const x of values) {
    if (Number.isNaN(x)) nan = true;
    else if (x > max) max = x;
  }
  if (max === Number.POSITIVE_INFINITY) return max;
  if (nan) return Number.NaN;
  if (max === 0 || values.length <= 1) return max;
  spendSteps(values.length);
  const { e } = frexp(max);
  let sum = 1;
  let first = 0;
  let second = 0;
  let third = 0;
  let before: number;
  if (e < -1023) {
    for (const value of values) {
      const x = (value / max) * (value / max);
      before = sum;
      sum += x;
      first += before - sum + x;
    }
    return max * Math.sqrt(sum - 1 + first);
  }
  const scale = scaleByPowerOfTwo(1, -e);
  for (const value of values) {
    const x = value * scale;
    const t = x * 134217729;
    const high = t - (t - x);
    const low = x - high;
    const square = high * high;
    before = sum;
    sum += square;
    first += before - sum + square;
    const cross = 2 * high * low;
    before = sum;
    sum += cross;
    second += before - sum + cross;
    third += low * low;
  }
  const h = Math.sqrt(sum - 1 + (first + second + third));
  // One correction from the residue of the root.
  const t = h * 134217729;
  const high = t - (t - h);
  const low = h - high;
  for (const [x, into] of [
    [-high * high, 1],
    [-2 * high * low, 2],
    [-low * low, 3],
  ] as const) {
    before = sum;
    sum += x;
    const lost = before - sum + x;
    if (into === 1) first += lost;
    else if (into === 2) second += lost;
    else third += lost;
  }
  const rest = sum - 1 + (first + second + third);
  return (h + rest / (2 * h)) / scale;
}

/** Of ints of any size: each round may wait. */
export function* gcd(a: Int, b: Int): Work<Int> {
  let [x, y] = [a < 0 ? intNeg(a) : a, b < 0 ? intNeg(b) : b];
  if (x < y) [x, y] = [y, x];
  let bits = bitLength(x);
  while (typeof y !== "number") {
    const [long, short] = [BigInt(x), y];
    // A round costs the length of its ints.
    spendSteps(1 + (bits >> 5));
    if (mustWait()) yield;
    const [p, q, r, s] = leadingRounds(long, short, BigInt(bits - LEADING_BITS));
    if (q === 0) {
      [x, y] = [y, normInt(long % short)];
      bits = bitLength(x);
      continue;
    }
    [x, y] = [normInt(BigInt(p) * long + BigInt(q) * short), normInt(BigInt(r) * long + BigInt(s) * short)];
    // A few bits shorter.
    while (BigInt(x) >> BigInt(bits - 1) === 0n) bits--;
  }
  if (y !== 0) [x, y] = [y, Number(BigInt(x) % BigInt(y))];
  while (y !== 0) [x, y] = [y, (x as number) % y];
  return x;
}

const LEADING_BITS = 50;
const FACTOR_MAX = 2 ** 25;
/**
 * Lehmer's: as many of Euclid's rounds as the leading bits of two ints tell for sure, `shift` bits from the end, as one matrix:
 * the next two are p * x + q * y and r * x + s * y. `q` is 0 where they tell not even one.
 */
function leadingRounds(x: bigint, y: bigint, shift: bigint): readonly [p: number, q: number, r: number, s: number] {
  let [a, b] = [Number(x >> shift), Number(y >> shift)];
  let [p, q, r, s] = [1, 0, 0, 1];
  while (b + r !== 0 && b + s !== 0) {
    const quotient = Math.floor((a + p) / (b + r));
    if (quotient !== Math.floor((a + q) / (b + s))) break;
    const [t, u] = [p - quotient * r, q - quotient * s];
    if (Math.abs(t) > FACTOR_MAX || Math.abs(u) > FACTOR_MAX) break;
    [p, q, r, s] = [r, s, t, u];
    [a, b] = [b, a - quotient * b];
  }
  return [p, q, r, s];
}

/** The floor of the square root of n >= 0. */
export function integerRoot(n: Int): Int {
  if (typeof n === "number") {
    let r = Math.floor(Math.sqrt(n));
    // The double root of a safe integer is off by one at most.
    if (r * r > n) r--;
    return r;
  }
  // Each round doubles the leading bits of the root that are right (to one unit), dividing numbers of that length only.
  const half = (bitLength(n) - 1) >> 1;
  let root = 1n;
  for (let bits = 0, left = 32 - Math.clz32(half); left > 0; left--) {
    const before = bits;
    bits = half >> (left - 1);
    spendSteps(1 + (bits >> 4));
    root = (root << BigInt(bits - before - 1)) + (n >> BigInt(2 * half - before - bits + 1)) / root;
  }
  return normInt(root * root > n ? root - 1n : root);
}

/** low * (low + 1) * … * high, halved again and again so that the factors stay of one size. */
export function productOfRange(low: bigint, high: bigint): bigint {
  if (low > high) return 1n;
  if (high - low < 8n) {
    let p = low;
    for (let i = low + 1n; i <= high; i++) p *= i;
    return p;
  }
  const middle = (low + high) >> 1n;
  const p = productOfRange(low, middle) * productOfRange(middle + 1n, high);
  spendSteps(1 + (bitLength(normInt(p)) >> 5));
  return p;
}

/** n! for n >= 0. The size is bounded before it is computed. */
export function factorial(n: number): Int {
  // Half of the factors are at least n / 2.
  checkBits(Math.floor(n / 2) * Math.max(0, bitLength(n) - 2));
  return normInt(productOfRange(2n, BigInt(n)));
}

/** n * (n - 1) * … of k factors; 0 <= k <= n. */
export function permutations(n: Int, k: number): Int {
  checkBits(k * Math.max(1, bitLength(intSub(n, k)) - 1));
  const top = BigInt(n);
  return k === 0 ? 1 : normInt(productOfRange(top - BigInt(k) + 1n, top));
}

/** Binomial coefficient; 0 <= k <= n, k the smaller half. */
export function combinations(n: Int, k: number): Int {
  if (k === 0) return 1;
  if (k === 1) return n;
  // At least (n / k) ** k.
  checkBits(Math.floor(k * Math.max(0, bitLength(n) - 1 - bitLength(k))));
  return normInt(BigInt(permutations(n, k)) / BigInt(factorial(k)));
}

/** lcm of two. */
export function* lcm(a: Int, b: Int): Work<Int> {
  if (a === 0 || b === 0) return 0;
  const product = intMul(intFloorDiv(a, yield* gcd(a, b)), b);
  return product < 0 ? intNeg(product) : product;
}
