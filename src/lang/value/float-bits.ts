/**
 * The bits of a double: exponent, exact decomposition, powers of two, neighbours, exact fused multiply-add.
 *
 * Everything here is exact. The platform's `**` is never used, not even for powers of two.
 */

const float64 = new Float64Array(1);
const word32 = new Uint32Array(float64.buffer);
float64[0] = 1;
const HIGH = word32[1] !== 0 ? 1 : 0;
const LOW = 1 - HIGH;

/** The upper 32 bits: sign, exponent, 20 bits of fraction. Unsigned. */
export function highWord(x: number): number {
  float64[0] = x;
  return word32[HIGH]!;
}
/** The lower 32 bits of the fraction. Unsigned. */
export function lowWord(x: number): number {
  float64[0] = x;
  return word32[LOW]!;
}
export function fromWords(high: number, low: number): number {
  word32[HIGH] = high;
  word32[LOW] = low;
  return float64[0]!;
}

/** The e of |x| = m * 2**e, 1 <= m < 2, for a normal x. */
export function exponentOf(x: number): number {
  return ((highWord(x) >>> 20) & 0x7ff) - 1023;
}

/** 2**e, exactly: 0 below -1074, infinite above 1023. */
export function powerOfTwo(e: number): number {
  if (e > 1023) return Number.POSITIVE_INFINITY;
  if (e >= -1022) return fromWords((e + 1023) << 20, 0);
  if (e < -1074) return 0;
  return e >= -1042 ? fromWords(1 << (e + 1042), 0) : fromWords(0, 1 << (e + 1074));
}

/** x * 2**e where no step before the last can round: the last rounds at most once. */
export function scaleByPowerOfTwo(x: number, e: number): number {
  let k = e;
  let r = x;
  for (; k > 1000 && Number.isFinite(r) && r !== 0; k -= 1000) r *= powerOfTwo(1000);
  if (k < -1000) {
    // Keeps |r| above 2**-1022 as long as it can be, so that only the last product may be subnormal.
    for (; k < -1000 && Math.abs(r) >= powerOfTwo(-20); k += 1000) r *= powerOfTwo(-1000);
    if (k < -2200) return r * 0;
    if (k < -1000) {
      const rest = k + 1000;
      return rest >= -1074 ? r * powerOfTwo(-1000) * powerOfTwo(rest) : r * 0;
    }
  }
  return r * powerOfTwo(k);
}

const word64 = new BigUint64Array(float64.buffer);

/** |x| = m * 2**e of a finite x. */
export function decompose(x: number): { m: bigint; e: number } {
  float64[0] = Math.abs(x);
  const bits = word64[0]!;
  const biased = Number(bits >> 52n);
  const fraction = bits & 0xfffffffffffffn;
  return biased === 0 ? { m: fraction, e: -1074 } : { m: fraction | 0x10000000000000n, e: biased - 1075 };
}

/** Veltkamp's constant, 2**27 + 1. */
const SPLIT = 134217729;

/**
 * a*b + c rounded once. Exact for operands whose product and split neither overflow nor fall into the subnormals: callers
 * stay well inside. (Boldo and Melquiond: the small parts are added rounding to odd, then the final sum rounds once.)
 */
export function fma(a: number, b: number, c: number): number {
  const p = a * b;
  const ca = SPLIT * a;
  const ah = ca - (ca - a);
  const al = a - ah;
  const cb = SPLIT * b;
  const bh = cb - (cb - b);
  const bl = b - bh;
  const pe = al * bl - (p - ah * bh - al * bh - ah * bl);
  // c + pe = t + te exactly
  const t = c + pe;
  const tb = t - c;
  const te = c - (t - tb) + (pe - tb);
  // p + t = s + se exactly
  const s = p + t;
  const sb = s - p;
  const se = p - (s - sb) + (t - sb);
  const small = te + se;
  // te + se rounded to odd
  const ob = small - te;
  const lost = te - (small - ob) + (se - ob);
  const r = s + small;
  // What was lost below `small` decides only where the sum lies halfway between two doubles.
  const twice = 2 * (small - (r - s));
  if (lost === 0 || r + twice - r !== twice) return r;
  float64[0] = small;
  const low = word32[LOW]!;
  if ((low & 1) === 0) {
    // One step toward the lost part makes the last bit odd.
    if (lost > 0 === small > 0) word32[LOW] = low | 1;
    else {
      word32[LOW] = low - 1;
      if (low === 0) word32[HIGH] = word32[HIGH]! - 1;
    }
    return s + float64[0]!;
  }
  return s + small;
}
