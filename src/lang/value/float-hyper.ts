/**
 * Exponentials and logarithms near zero, hyperbolic functions and their inverses, base-2 logarithm and cube root, with
 * the operations of the C library under CPython in its order. Only `expm1`, `log1p` and `log2` fuse products and
 * sums there, so only they do here; how far the answers agree stands in float-math.ts.
 */
import { fma, fromWords, highWord, lowWord, powerOfTwo, scaleByPowerOfTwo } from "./float-bits";
import { exp, log } from "./float-math";
import { LOG2_TABLE } from "./float-tables.generated";

const INF = Number.POSITIVE_INFINITY;
const LN2 = Math.LN2;
const LN2_HIGH = 0.6931471803691238;
const LN2_LOW = 1.9082149292705877e-10;

/** The high word's exponent raised by k. */
function raised(y: number, k: number): number {
  return fromWords(highWord(y) + (k << 20), lowWord(y));
}

/** e**x - 1 */
export function expm1(x: number): number {
  if (Number.isNaN(x)) return x;
  const high = highWord(x) & 0x7fffffff;
  if (high >= 0x4043687a) {
    if (x > 709.782712893384) return INF;
    if (x < 0) return -1;
  }
  if (high < 0x3c900000) return x;
  let k = 0;
  let r = x;
  let c = 0;
  if (high > 0x3fd62e42) {
    let head: number;
    let low: number;
    if (high < 0x3ff0a2b2) {
      k = x < 0 ? -1 : 1;
      head = x - k * LN2_HIGH;
      low = k * LN2_LOW;
    } else {
      k = Math.trunc(fma(Math.LOG2E, x, x < 0 ? -0.5 : 0.5));
      head = fma(-k, LN2_HIGH, x);
      low = k * LN2_LOW;
    }
    r = head - low;
    c = head - r - low;
  }
  const half = 0.5 * r;
  const h = r * half;
  const h2 = h * h;
  const p = fma(
    h2 * h2,
    fma(h, -2.0109921818362437e-7, 4.008217827329362e-6),
    fma(h2, fma(h, -7.93650757867488e-5, 0.0015873015872548146), fma(h, -0.03333333333333313, 1)),
  );
  const t = fma(-p, half, 3);
  let e = h * ((p - t) / fma(-r, t, 6));
  if (k === 0) return r - fma(r, e, -h);
  e = fma(r, e - c, -c) - h;
  if (k === -1) return 0.5 * (r - e) - 0.5;
  if (k === 1) return r < -0.25 ? -2 * (e - (r + 0.5)) : 1 + 2 * (r - e);
  if (k <= -2 || k > 56) return raisedOne(1 - (e - r), k) - 1;
  if (k < 20) return raised(1 - powerOfTwo(-k) - (e - r), k);
  return raised(r - (e + powerOfTwo(-k)) + 1, k);
}

/** y * 2**k where k may be 1024 and the product still a double. */
function raisedOne(y: number, k: number): number {
  return k === 1024 ? y * 2 * powerOfTwo(1023) : raised(y, k);
}

/** ln(1 + x) */
export function log1p(x: number): number {
  if (Number.isNaN(x) || x === INF) return x;
  if (x <= -1) return x === -1 ? -INF : Number.NaN;
  const high = highWord(x) | 0;
  let k = 1;
  let f = 0;
  let c = 0;
  let hu = 1;
  if (high < 0x3fda827a) {
    if ((high & 0x7fffffff) < 0x3e200000) return (high & 0x7fffffff) < 0x3c900000 ? x : x - x * x * 0.5;
    if (high > 0 || high <= (0xbfd2bec3 | 0)) {
      k = 0;
      f = x;
    }
  }
  if (k !== 0) {
    let u = x;
    if (high < 0x43400000) {
      u = 1 + x;
      k = (highWord(u) >> 20) - 1023;
      c = (k > 0 ? 1 - (u - x) : x - (u - 1)) / u;
    } else k = (high >> 20) - 1023;
    hu = highWord(u) & 0xfffff;
    if (hu < 0x6a09e) u = fromWords(hu | 0x3ff00000, lowWord(u));
    else {
      k += 1;
      u = fromWords(hu | 0x3fe00000, lowWord(u));
      hu = (0x100000 - hu) >> 2;
    }
    f = u - 1;
  }
  const square = 0.5 * f * f;
  const low = fma(k, LN2_LOW, c);
  if (hu === 0) {
    if (f === 0) return k === 0 ? 0 : fma(k, LN2_HIGH, low);
    const rest = square * fma(-0.6666666666666666, f, 1);
    return k === 0 ? f - rest : fma(k, LN2_HIGH, -(rest - low - f));
  }
  const s = f / (2 + f);
  const z = s * s;
  const z2 = z * z;
  const z4 = z2 * z2;
  const r2 = fma(0.2857142874366239, z, 0.3999999999940942);
  const r3 = fma(0.1818357216161805, z, 0.22222198432149784);
  const r4 = fma(0.14798198605116586, z, 0.15313837699209373);
  const sum = fma(z2 * z4, r4, fma(z4, r3, fma(z, 0.6666666666666735, z2 * r2)));
  if (k === 0) return f - (square - s * (square + sum));
  return fma(k, LN2_HIGH, -(square - (low + s * (square + sum)) - f));
}

/** Base-2 logarithm; NaN below 0, -inf at 0. */
export function log2(x: number): number {
  if (!(x > 0) || x === INF) return x === 0 ? -INF : x < 0 ? Number.NaN : x;
  if (x >= 0.9576029777526855 && x < 1.0442743301391602) return log2NearOne(x);
  const normal = x < 2.2250738585072014e-308 ? x * 4503599627370496 : x;
  const high = highWord(normal) - (normal === x ? 0 : 52 << 20);
  const low = lowWord(normal);
  const offset = (high - 0x3fe60000) | 0;
  const at = ((offset >>> 14) & 63) * 2;
  const k = offset >> 20;
  const z = fromWords(high - (offset & 0xfff00000), low);
  const r = fma(z, LOG2_TABLE[at]!, -1);
  const t1 = r * INVERSE_LN2_HIGH;
  const t2 = fma(r, INVERSE_LN2_LOW, fma(r, INVERSE_LN2_HIGH, -t1));
  const t3 = k + LOG2_TABLE[at + 1]!;
  const head = t3 + t1;
  const rest = t3 - head + t1 + t2;
  const square = r * r;
  const p = fma(square * square, fma(r, A5, A4), fma(square, fma(r, A3, A2), fma(r, A1, A0)));
  return fma(square, p, rest) + head;
}

function log2NearOne(x: number): number {
  if (x === 1) return 0;
  const r = x - 1;
  const t = r * INVERSE_LN2_HIGH;
  const low = fma(r, INVERSE_LN2_LOW, fma(r, INVERSE_LN2_HIGH, -t));
  const r2 = r * r;
  const r4 = r2 * r2;
  const p = fma(r, B1, B0);
  const y = fma(r2, p, t);
  const high = fma(r4, fma(r2, fma(r, B9, B8), fma(r, B7, B6)), fma(r2, fma(r, B5, B4), fma(r, B3, B2)));
  return y + fma(r4, high, low + fma(r2, p, t - y));
}
const INVERSE_LN2_HIGH = 1.4426950407214463;
const INVERSE_LN2_LOW = 1.6751713164886512e-10;
const A0 = -0.7213475204444882;
const A1 = 0.4808983469629985;
const A2 = -0.36067375954075914;
const A3 = 0.2885390073180969;
const A4 = -0.2404693555628422;
const A5 = 0.2061202382173603;
const B0 = -0.7213475204444817;
const B1 = 0.48089834696298744;
const B2 = -0.360673760222145;
const B3 = 0.2885390081805197;
const B4 = -0.24044917405728863;
const B5 = 0.2060992861022954;
const B6 = -0.18033596705327856;
const B7 = 0.1603032746063156;
const B8 = -0.14483316576701266;
const B9 = 0.13046826811283835;

export function sinh(x: number): number {
  if (!Number.isFinite(x)) return x;
  const size = Math.abs(x);
  const half = x < 0 ? -0.5 : 0.5;
  if (size < 22) {
    if (size < 3.725290298461914e-9) return x;
    const t = expm1(size);
    return size < 1 ? half * (2 * t - (t * t) / (t + 1)) : half * (t + t / (t + 1));
  }
  return large(size, half);
}

export function cosh(x: number): number {
  const size = Math.abs(x);
  if (!Number.isFinite(size)) return size;
  if (size < 22) {
    if (highWord(size) < 0x3fd62e43) {
      if (highWord(size) < 0x3c800000) return 1;
      const t = expm1(size);
      const w = 1 + t;
      return 1 + (t * t) / (w + w);
    }
    const t = exp(size);
    return 0.5 * t + 0.5 / t;
  }
  return large(size, 0.5);
}

/** half * e**size, also where e**size alone would overflow. */
function large(size: number, half: number): number {
  if (highWord(size) < 0x40862e42) return half * exp(size);
  if (size > 710.4758600739439) return half * INF;
  const w = exp(0.5 * size);
  return half * w * w;
}

export function tanh(x: number): number {
  const size = Math.abs(x);
  if (Number.isNaN(size) || x === 0) return x;
  let z = 1;
  if (size < 22) {
    if (size < 2.7755575615628914e-17) return x * (1 + x);
    if (size >= 1) z = 1 - 2 / (expm1(2 * size) + 2);
    else {
      const t = expm1(-2 * size);
      z = -t / (t + 2);
    }
  }
  return x < 0 ? -z : z;
}

export function asinh(x: number): number {
  const size = Math.abs(x);
  if (!Number.isFinite(size)) return x;
  const high = highWord(size);
  if (high < 0x3e300000) return x;
  let w: number;
  if (high > 0x41b00000) w = log(size) + LN2;
  else if (high > 0x40000000) w = log(2 * size + 1 / (Math.sqrt(size * size + 1) + size));
  else {
    const t = size * size;
    w = log1p(size + t / (1 + Math.sqrt(1 + t)));
  }
  return x < 0 ? -w : w;
}

export function acosh(x: number): number {
  if (!(x >= 1)) return Number.NaN;
  if (x > 2) {
    if (x >= 268435456) return x === INF ? x : log(x) + LN2;
    return log(2 * x - 1 / (x + Math.sqrt(x * x - 1)));
  }
  const t = x - 1;
  return x === 1 ? 0 : log1p(t + Math.sqrt(2 * t + t * t));
}

export function atanh(x: number): number {
  const size = Math.abs(x);
  if (!(size < 1)) return size === 1 ? x * INF : Number.NaN;
  if (size < 3.725290298461914e-9) return x;
  const twice = size + size;
  const t = 0.5 * log1p(size < 0.5 ? twice + (twice * size) / (1 - size) : twice / (1 - size));
  return x < 0 ? -t : t;
}

/** Cube roots of 2**-2 … 2**2; the first two a unit low, as the library has them. */
const CUBE_ROOTS: readonly number[] = [0.6299605249474365, 0.7937005259840997, 1, 1.2599210498948732, 1.5874010519681996];

export function cbrt(x: number): number {
  if (x === 0 || !Number.isFinite(x)) return x;
  let m = Math.abs(x);
  let e = 0;
  if (m < 2.2250738585072014e-308) {
    m *= powerOfTwo(54);
    e = -54;
  }
  const shift = ((highWord(m) >>> 20) & 0x7ff) - 1022;
  e += shift;
  m = fromWords((highWord(m) & 0xfffff) | (1022 << 20), lowWord(m));
  const u =
    0.35489576504391984 +
    (1.508191937815849 -
      (2.114994941673713 - (2.4469312256353444 - (1.8346927748361308 - (0.7849323449766392 - 0.14526389938548637 * m) * m) * m) * m) * m) *
      m;
  const cube = u * u * u;
  const root = ((u * (cube + 2 * m)) / (2 * cube + m)) * CUBE_ROOTS[2 + (e % 3)]!;
  return scaleByPowerOfTwo(x > 0 ? root : -root, Math.trunc(e / 3));
}
