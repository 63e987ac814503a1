/**
 * Tangent, to the last bit of the C library under CPython: the argument reduced as for sine (float-trig.ts), a short
 * series near zero, elsewhere a table of tangents and cotangents and the addition theorem.
 */
import { fma, lowWord } from "./float-bits";
import { TAN_TABLE } from "./float-tables.generated";
import { reduceQuarter } from "./float-trig";

/** Up to here the series serves. */
const SERIES_MAX = 0.0607999861240387;
/** 1.5 * 2**52 */
const ROUNDER = 6755399441055744;

/** (tan(x) - x) / x**3 as a polynomial of x**2. */
function series(x2: number): number {
  let p = fma(x2, 0.008896546349534924, 0.021869380598167253);
  p = fma(x2, p, 0.05396825411095433);
  p = fma(x2, p, 0.1333333333332673);
  return fma(x2, p, 0.3333333333333333);
}

/** tan(a + da) or, for an odd quarter, -cot(a + da) of a positive a above SERIES_MAX. */
function byTable(a: number, da: number, odd: boolean): number {
  const at = Math.trunc(fma(256, a, -15.5)) * 3;
  const z = a - TAN_TABLE[at]! + da;
  const z2 = z * z;
  const p = fma(z * z2, fma(z2, 0.13333354920669913, 0.3333333333332254), z);
  const tangent = TAN_TABLE[at + 1]!;
  const cotangent = TAN_TABLE[at + 2]!;
  const product = (tangent + cotangent) * p;
  return odd ? -(cotangent - product / (p + tangent)) : product / (cotangent - p) + tangent;
}

/** The same near zero, for either sign of a. */
function bySeries(a: number, da: number, odd: boolean): number {
  const a2 = a * a;
  const t = fma(a * a2, series(a2), da);
  const b = a + t;
  if (!odd) return b;
  const db = Math.abs(a) > Math.abs(t) ? a - b + t : t - b + a;
  // -1 / (b + db) in two parts.
  const c = 1 / b;
  const u = c * b;
  const cc = fma(-db, c, 1 - u - fma(c, b, -u)) / b;
  const y = c + cc;
  return -(c - y + cc + y);
}

export function tan(x: number): number {
  const size = Math.abs(x);
  if (!Number.isFinite(x)) return Number.NaN;
  if (size <= 1.259e-8) return x;
  if (size <= SERIES_MAX) {
    const x2 = x * x;
    return fma(x * x2, series(x2), x);
  }
  if (size <= 0.7869997024536133) return (x < 0 ? -1 : 1) * byTable(size, 0, false);
  let a: number;
  let da: number;
  let odd: boolean;
  if (size <= 25) {
    const t = fma(x, 0.6366197723675814, ROUNDER);
    const n = t - ROUNDER;
    odd = (lowWord(t) & 1) === 1;
    const y = fma(-n, -1.3909067564377153e-8, fma(-n, 1.5707963407039642, x));
    a = fma(-n, -4.9789962505147994e-17, y);
    da = fma(-n, -4.9789962505147994e-17, y - a);
  } else {
    const reduced = reduceQuarter(x);
    odd = (reduced.quarter & 1) === 1;
    a = reduced.head + reduced.rest;
    da = Math.abs(reduced.head) > Math.abs(reduced.rest) ? reduced.head - a + reduced.rest : reduced.rest - a + reduced.head;
  }
  if (Math.abs(a) <= SERIES_MAX) return bySeries(a, da, odd);
  return a < 0 ? -byTable(-a, -da, odd) : byTable(a, da, odd);
}
