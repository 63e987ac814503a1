/**
 * Powers, exponentials and logarithms, to the last bit of the C library under CPython (glibc on x86-64 with fused
 * multiply-add). The platform's `Math.pow`, `exp`, `log` … are never called for a value a program sees: they differ from
 * CPython in one operand of ten, and move with the engine.
 *
 * Method: table of 128 points, a short polynomial, and double-double steps where the result needs more than 53 bits.
 * Where the library fuses a product and a sum we do so too (`fma` of float-bits.ts, exact).
 *
 * Measured against glibc 2.36 with fused multiply-add (what CPython 3.11 calls on x86-64): no difference in 50,000
 * operands of ordinary size and thousands over the whole range, for each of `pow exp log hypot` here, `sin cos atan atan2`
 * in float-trig.ts, `tan` in float-tan.ts and `expm1 log1p log2 sinh cosh tanh asinh acosh atanh cbrt` in float-hyper.ts, and
 * in 3,000,000 for `asin acos` in float-asin.ts. On a machine without fused multiply-add CPython itself answers otherwise in about one operand of a thousand.
 *
 * Pure functions of doubles; what raises is in float.ts and the library module.
 */
import { fma, fromWords, highWord, lowWord, powerOfTwo } from "./float-bits";
import { EXP_TABLE, LOG_TABLE, POW_LOG_TABLE } from "./float-tables.generated";

const INF = Number.POSITIVE_INFINITY;
/** 1.5 * 2**52: adding and taking it away rounds to an integer, whose low bits stand in the low word of the sum. */
const ROUNDER = 6755399441055744;
const INVERSE_LN2_128 = 184.6649652337873;
const MINUS_LN2_128_HIGH = -0.005415212348111709;
const MINUS_LN2_128_LOW = -1.2864023111638346e-14;
const E2 = 0.49999999999996786;
const E3 = 0.16666666666665886;
const E4 = 0.0416666808410674;
const E5 = 0.008333335853059549;
/** From here down the C library looks out for subnormal results, and its compiler fuses no product with a sum. */
const LEAST_FUSED = -512;
const LN2_HIGH = 0.6931471805598903;
const LN2_LOW = 5.497923018708371e-14;

/** e**x of a finite x, |x| at most 1100, with `rest` added to x; `sign` is 1 or -1. */
function expOf(x: number, rest: number, sign: number): number {
  const shifted = fma(INVERSE_LN2_128, x, ROUNDER);
  const k = lowWord(shifted) | 0;
  const kd = shifted - ROUNDER;
  let r = fma(kd, MINUS_LN2_128_LOW, fma(kd, MINUS_LN2_128_HIGH, x));
  r += rest;
  const at = (k & 127) * 2;
  const head = sign * EXP_TABLE[at + 1]!;
  const r2 = r * r;
  const part = fma(r2 * r2, fma(r, E5, E4), fma(r2, fma(r, E3, E2), EXP_TABLE[at]! + r));
  const exponent = k >> 7;
  if (exponent >= -900 && exponent < 900) {
    const scale = fromWords(highWord(head) + (exponent << 20), lowWord(head));
    return x <= LEAST_FUSED ? scale + scale * part : fma(scale, part, scale);
  }
  if (exponent > 0) {
    const scale = fromWords(highWord(head) + ((exponent - 1009) << 20), lowWord(head));
    return 5.486124068793689e303 * fma(scale, part, scale);
  }
  return tinyExp(fromWords(highWord(head) + ((exponent + 1022) << 20), lowWord(head)), part);
}

/** scale * (1 + part) * 2**-1022, rounded once where the result is subnormal. */
function tinyExp(scale: number, part: number): number {
  const more = scale * part;
  let y = scale + more;
  if (Math.abs(y) < 1) {
    const one = y < 0 ? -1 : 1;
    const low = scale - y + more;
    const high = one + y;
    y = high + (one - high + y + low) - one;
    if (y === 0) y = scale < 0 ? -0 : 0;
  }
  return 2.2250738585072014e-308 * y;
}

export function exp(x: number): number {
  const size = Math.abs(x);
  if (!(size >= 5.551115123125783e-17)) return 1 + x;
  if (size >= 1024) return x > 0 ? INF : 0;
  return expOf(x, 0, 1);
}

/** The rest of ln(x) that `logOf` leaves. One evaluation at a time uses it. */
let logRest = 0;

/** ln(x) of a positive normal x given by its words and `k` extra powers of two, to 68 bits: head, and `logRest`. */
function logOf(high: number, low: number): number {
  const offset = (high - 0x3fe69555) | 0;
  const at = ((offset >>> 13) & 127) * 3;
  const k = offset >> 20;
  const z = fromWords(high - (offset & 0xfff00000), low);
  const r = fma(z, POW_LOG_TABLE[at]!, -1);
  const t1 = k * LN2_HIGH + POW_LOG_TABLE[at + 1]!;
  const t2 = t1 + r;
  const low1 = fma(k, LN2_LOW, POW_LOG_TABLE[at + 2]!);
  const low2 = t1 - t2 + r;
  const ar = -0.5 * r;
  const ar2 = r * ar;
  const ar3 = r * ar2;
  const head = t2 + ar2;
  const low3 = fma(ar, r, -ar2);
  const low4 = t2 - head + ar2;
  const p = fma(
    ar2,
    fma(ar2, fma(r, 1.0000415263675542, -1.142909628459501), fma(r, -0.6666666663487739, 0.7999999995323976)),
    fma(r, 0.5000000000000007, -0.6666666666666679),
  );
  const rest = fma(ar3, p, low1 + low2 + low3 + low4);
  const y = head + rest;
  logRest = head - y + rest;
  return y;
}

/** C's pow(x, y), without its errors. */
export function pow(x: number, y: number): number {
  if (y === 0 || x === 1) return 1;
  if (Number.isNaN(x) || Number.isNaN(y)) return Number.NaN;
  const size = Math.abs(x);
  const odd = Math.abs(y) < 9007199254740992 && Number.isInteger(y) && y % 2 !== 0;
  if (y === INF || y === -INF) return size === 1 ? 1 : size > 1 === y > 0 ? INF : 0;
  if (x === 0 || size === INF) {
    const r = (size === INF) === y > 0 ? INF : 0;
    return odd && (x < 0 || Object.is(x, -0)) ? -r : r;
  }
  if (x < 0 && !Number.isInteger(y)) return Number.NaN;
  const sign = x < 0 && odd ? -1 : 1;
  const ySize = Math.abs(y);
  // So small that 1 + y ln x rounds to 1; so large that nothing is left or everything overflows.
  if (ySize < 2.710505431213761e-20) return sign;
  if (ySize >= 18446744073709552000) return size === 1 ? sign : size > 1 === y > 0 ? INF : 0;
  const normal = size < 2.2250738585072014e-308 ? size * 4503599627370496 : size;
  const high = highWord(normal) - (normal === size ? 0 : 52 << 20);
  const head = logOf(high, lowWord(normal));
  const rest = logRest;
  const product = y * head;
  const low = fma(y, rest, fma(y, head, -product));
  if (!(Math.abs(product) < 1024)) {
    if (product > 0) return sign * INF;
    return sign * 0;
  }
  if (Math.abs(product) < 5.551115123125783e-17) return sign * (1 + product);
  return expOf(product, low, sign);
}

/** Natural logarithm; NaN below 0, -inf at 0. */
export function log(x: number): number {
  if (!(x > 0) || x === INF) return x === 0 ? -INF : x < 0 ? Number.NaN : x;
  if (x >= 0.9375 && x < 1.064697265625) return logNearOne(x);
  const normal = x < 2.2250738585072014e-308 ? x * 4503599627370496 : x;
  const high = highWord(normal) - (normal === x ? 0 : 52 << 20);
  const low = lowWord(normal);
  const offset = (high - 0x3fe60000) | 0;
  const at = ((offset >>> 13) & 127) * 2;
  const k = offset >> 20;
  const z = fromWords(high - (offset & 0xfff00000), low);
  const r = fma(z, LOG_TABLE[at]!, -1);
  const w = k * LN2_HIGH + LOG_TABLE[at + 1]!;
  const head = w + r;
  const rest = fma(k, LN2_LOW, w - head + r);
  const r2 = r * r;
  const p = fma(r2, fma(r, -0.16667054827627667, 0.20000304511814496), fma(r, -0.2499999999622955, 0.33333333331825593));
  return fma(r * r2, p, fma(r2, -0.5000000000000001, rest)) + head;
}

function logNearOne(x: number): number {
  if (x === 1) return 0;
  const r = x - 1;
  const r2 = r * r;
  const r3 = r * r2;
  const p3 = fma(r3, -0.08328363062289341, fma(r2, 0.09181994006195467, fma(r, -0.10000486757818193, 0.11110712032936046)));
  const p2 = fma(r3, p3, fma(r2, -0.12499997863982555, fma(r, 0.14285715076560868, -0.16666666669929706)));
  const p1 = fma(r3, p2, fma(r2, 0.19999999999320328, fma(r, -0.24999999999998432, 0.3333333333333352)));
  // The square of r, in two parts.
  const rh = fma(r, 134217728, r) - r * 134217728;
  const rl = r - rh;
  const half = rh * rh * -0.5;
  const head = r + half;
  let rest = r - head + half;
  rest = fma(-0.5 * rl, rh + r, rest);
  return fma(r3, p1, rest) + head;
}

const HUGE_SIZE = powerOfTwo(511);
const TINY_SIZE = powerOfTwo(-459);
const SCALE = powerOfTwo(-600);
/** A part below this share of the other does not reach the rounding. */
const NEGLIGIBLE = powerOfTwo(-54);

/** C's hypot: sqrt(x*x + y*y) without undue overflow. */
export function hypot(x: number, y: number): number {
  const a = Math.abs(x);
  const b = Math.abs(y);
  if (a === INF || b === INF) return INF;
  if (Number.isNaN(a) || Number.isNaN(b)) return Number.NaN;
  const large = Math.max(a, b);
  const small = Math.min(a, b);
  if (large > HUGE_SIZE) {
    if (small <= large * NEGLIGIBLE) return large + small;
    return hypotOf(large * SCALE, small * SCALE) / SCALE;
  }
  if (small < TINY_SIZE) {
    if (large >= small / NEGLIGIBLE) return large + small;
    return hypotOf(large / SCALE, small / SCALE) * SCALE;
  }
  if (small <= large * NEGLIGIBLE) return large + small;
  return hypotOf(large, small);
}

/** The square root, then one correction from the exact residue. */
function hypotOf(a: number, b: number): number {
  const h = Math.sqrt(a * a + b * b);
  let t1: number;
  let t2: number;
  if (h <= 2 * b) {
    const delta = h - b;
    t1 = a * (2 * delta - a);
    t2 = (delta - 2 * (a - b)) * delta;
  } else {
    const delta = h - a;
    t1 = 2 * delta * (a - 2 * b);
    t2 = (4 * delta - b) * b + delta * delta;
  }
  return h - (t1 + t2) / (2 * h);
}
