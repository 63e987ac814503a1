/**
 * Arc sine and arc cosine, to the last bit of the C library under CPython (glibc on x86-64 with fused multiply-add); the
 * measurements stand in float-math.ts.
 *
 * Method: below 1/8 a series in x; up to 31/32 a polynomial a piece of 1/256, from a table (scripts/arcsine-table.py); above
 * that asin(x) = pi/2 - 2 asin(sqrt((1 - x)/2)), the root in two parts. Where the library fuses a product and a sum we do
 * so too.
 */
import { ASIN_ROWS, ROOT_STARTS } from "./asin-table.generated";
import { fma, highWord, powerOfTwo } from "./float-bits";

const HALF_PI = 1.5707963267948966;
const HALF_PI_REST = 6.123233995736766e-17;

/** (asin(x) - x) / x**3 by powers of x**2 */
const S1 = 0.1666666666666641;
const S2 = 0.07500000000261227;
const S3 = 0.044642856142105974;
const S4 = 0.03038212685821193;
const S5 = 0.022355121102652562;
const S6 = 0.018138290340456505;

/** 1/sqrt(1 - r) for a small r, by powers of r */
const R0 = 0.9999999998599908;
const R1 = 0.4999999994959554;
const R2 = 0.3750175008673452;
const R3 = 0.31252362655451865;

function series(x2: number): number {
  return fma(fma(fma(fma(fma(S6, x2, S5), x2, S4), x2, S3), x2, S2), x2, S1);
}

/** The head of asin of the middle of a piece that `pieceRest` leaves. */
let head = 0;

/** asin(size) less `head`, for 1/8 <= size < 31/32. */
function pieceRest(size: number): number {
  const piece = Math.trunc((size - 0.125) * 256);
  const row = ASIN_ROWS[piece]!;
  const d = size - (0.125 + (piece + 0.5) / 256);
  const degree = row.length - 2;
  let p = row[degree - 1]!;
  for (let k = degree - 2; k >= 1; k--) p = fma(d, p, row[k]!);
  head = row[degree + 1]!;
  return fma(row[0]!, d, fma(d * d, p, row[degree]!));
}

/** What `rootOf` leaves of the root. */
let rootRest = 0;

/** sqrt(z) in two parts, for 0 < z <= 1/64: what `cut` leaves of a near root, and `rootRest`. */
function rootOf(z: number, cut: (near: number) => number): number {
  const high = highWord(z);
  const t = ROOT_STARTS[(high & 0x1fffff) >> 14]! * powerOfTwo(511 - (high >> 21));
  const r = fma(-(t * t), z, 1);
  const inverse = t * fma(r, fma(r, fma(r, R3, R2), R1), R0);
  const near = inverse * z;
  const y = cut(near);
  rootRest = fma(-y, y, z) / fma(near, fma(-(0.5 * inverse), near, 1.5), y);
  return y;
}

/** To 28 bits after the point. */
const fixedCut = (near: number): number => near + 16777216 - 16777216;
/** To 26 bits from the first. */
const floatingCut = (near: number): number => 134217728 * near + near - 134217728 * near;

export function asin(x: number): number {
  const size = Math.abs(x);
  if (!(size <= 1)) return Number.NaN;
  if (size < 1.4901161193847656e-8) return x;
  if (size < 0.125) {
    const x2 = x * x;
    return fma(series(x2), x2 * x, x);
  }
  let r: number;
  if (size < 0.96875) {
    const rest = pieceRest(size);
    r = head + rest;
  } else if (size < 1) {
    const z = 0.5 * (1 - size);
    const y = rootOf(z, fixedCut);
    r = HALF_PI - 2 * y + fma(-2 * (y + rootRest), series(z) * z, HALF_PI_REST - 2 * rootRest);
  } else r = HALF_PI;
  return x < 0 ? -r : r;
}

export function acos(x: number): number {
  const size = Math.abs(x);
  if (!(size <= 1)) return Number.NaN;
  if (size < 4.163336342344337e-17) return HALF_PI;
  if (size < 0.125) {
    const x2 = x * x;
    const r = HALF_PI - x;
    return r + fma(-series(x2), x2 * x, HALF_PI - r - x + HALF_PI_REST);
  }
  if (size < 0.96875) {
    const rest = pieceRest(size);
    return x > 0 ? HALF_PI - head + (HALF_PI_REST - rest) : HALF_PI + head + (HALF_PI_REST + rest);
  }
  if (size === 1) return x > 0 ? 0 : 2 * HALF_PI;
  const z = 0.5 * (1 - size);
  const y = rootOf(z, floatingCut);
  const more = series(z) * z * (y + rootRest);
  return 2 * (x > 0 ? y + (rootRest + more) : HALF_PI - y + (HALF_PI_REST - rootRest - more));
}
