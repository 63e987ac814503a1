/**
 * Sine, cosine and the arc tangents, to the last bit of the C library under CPython (glibc on x86-64 with fused
 * multiply-add); the measurements stand in float-math.ts. Tangent is in float-tan.ts, arc sine and arc cosine in float-asin.ts.
 *
 * Method: the argument is reduced to [-pi/4, pi/4] in two parts; within, sin and cos come from a table of 1/128 steps and
 * short polynomials of the rest. Where the library fuses a product and a sum we do so too.
 */
import { ATAN_TABLE } from "./atan-table.generated";
import { decompose, fma, highWord, lowWord, powerOfTwo } from "./float-bits";
import { SINE_TABLE } from "./float-tables.generated";
import { ratioToDouble } from "./int";

/** pi/2 in two parts. */
const HALF_PI = 1.5707963267948966;
const HALF_PI_REST = 6.123233995736766e-17;
/** 1.5 * 2**45: adding it leaves a number rounded to 1/128 in the low word. */
const TO_128THS = 52776558133248;
/** 1.5 * 2**52 */
const ROUNDER = 6755399441055744;

function cosNear(x: number, dx: number): number {
  const size = Math.abs(x);
  const u = TO_128THS + size;
  const at = lowWord(u) * 4;
  const r = size - (u - TO_128THS) + (x < 0 ? -dx : dx);
  const r2 = r * r;
  const s = fma(r * r2, fma(r2, 0.008333332142857223, -0.16666666666666488), r);
  const c = r2 * fma(r2, fma(r2, 0.001388888740379376, -0.04166666666666644), 0.5);
  const sn = SINE_TABLE[at]!;
  const cs = SINE_TABLE[at + 2]!;
  const rest = fma(-sn, s, fma(-cs, c, fma(-s, SINE_TABLE[at + 1]!, SINE_TABLE[at + 3]!)));
  return cs + rest;
}

function sinNear(x: number, dx: number): number {
  const size = Math.abs(x);
  if (size < 0.126) {
    const x2 = x * x;
    const p = fma(
      fma(fma(fma(-2.5022014848318398e-8, x2, 2.755729806860771e-6), x2, -0.00019841269834414642), x2, 0.008333333333332329),
      x2,
      -0.16666666666666666,
    );
    return x + fma(fma(p, x, -0.5 * dx), x2, dx);
  }
  const d = x <= 0 ? -dx : dx;
  const u = TO_128THS + size;
  const at = lowWord(u) * 4;
  const r = size - (u - TO_128THS);
  const r2 = r * r;
  const s = r + fma(r * r2, fma(r2, 0.008333332142857223, -0.16666666666666488), d);
  const c = fma(r2, fma(r2, fma(r2, 0.001388888740379376, -0.04166666666666644), 0.5), r * d);
  const sn = SINE_TABLE[at]!;
  const cs = SINE_TABLE[at + 2]!;
  const rest = fma(cs, s, fma(-sn, c, fma(s, SINE_TABLE[at + 3]!, SINE_TABLE[at + 1]!)));
  return x < 0 ? -(sn + rest) : sn + rest;
}

/** The rest that `reduce` leaves beside its head. */
let reducedRest = 0;
/** Which quarter turn `reduce` took away, 0–3. */
let quarter = 0;

/** x minus the nearest multiple of pi/2: the head; `reducedRest` and `quarter` go with it. */
function reduce(x: number): number {
  if (Math.abs(x) >= 105414350) return reduceHuge(x);
  const t = fma(x, 0.6366197723675814, ROUNDER);
  const n = t - ROUNDER;
  quarter = lowWord(t) & 3;
  const y = fma(-n, -1.3909067564377153e-8, fma(-n, 1.5707963407039642, x));
  const t1 = fma(-n, -4.9789962314799099e-17, y);
  const d1 = fma(-n, -4.9789962314799099e-17, y - t1);
  const head = fma(-n, -1.9034889620193266e-25, t1);
  reducedRest = d1 + fma(-n, -1.9034889620193266e-25, t1 - head);
  return head;
}

/** Fraction bits of the fixed-point numbers of `reduceHuge`: 1,074 for the smallest x, 53 for its digits, 70 to spare. */
const BITS = 1200n;

/** pi * 2**1300 by Machin's formula. */
function piFixed(): bigint {
  const one = 1n << 1300n;
  const arcTangent = (n: bigint): bigint => {
    let term = one / n;
    let sum = term;
    for (let k = 3n, sign = -1n; term !== 0n; k += 2n, sign = -sign) {
      term /= n * n;
      sum += (sign * term) / k;
    }
    return sum;
  };
  return 4n * (4n * arcTangent(5n) - arcTangent(239n));
}

/** pi * 2**1300 and 2/pi * 2**1200, made at first use. */
let fixedPi: { readonly pi: bigint; readonly inverse: bigint } | null = null;

/** `reduce` where doubles would lose the fraction: exact, in integers. */
function reduceHuge(x: number): number {
  if (fixedPi === null) {
    const pi = piFixed();
    fixedPi = { pi, inverse: (1n << 2501n) / pi };
  }
  const { m, e } = decompose(x);
  const turns = e < 0 ? (m * fixedPi.inverse) >> BigInt(-e) : (m * fixedPi.inverse) << BigInt(e);
  let n = turns >> BITS;
  let fraction = turns - (n << BITS);
  if (fraction >> (BITS - 1n) === 1n) {
    n += 1n;
    fraction -= 1n << BITS;
  }
  // fraction * pi/2, in two doubles.
  const rest = (fraction * fixedPi.pi) >> 1301n;
  const head = ratioToDouble(rest, 1n << BITS);
  reducedRest = ratioToDouble(rest - fixedOf(head), 1n << BITS);
  quarter = Number(n & 3n);
  if (x > 0) return head;
  quarter = (4 - quarter) & 3;
  reducedRest = -reducedRest;
  return -head;
}

/** A double as a number with BITS fraction bits. */
function fixedOf(x: number): bigint {
  const { m, e } = decompose(x);
  const v = m << BigInt(e + Number(BITS));
  return x < 0 ? -v : v;
}

function quarterSine(x: number, dx: number, n: number): number {
  const r = n & 1 ? cosNear(x, dx) : sinNear(x, dx);
  return n & 2 ? -r : r;
}

/** x less the nearest multiple of pi/2, in two parts, and which quarter turn was taken away (0–3). */
export function reduceQuarter(x: number): { readonly head: number; readonly rest: number; readonly quarter: number } {
  const head = reduce(x);
  return { head, rest: reducedRest, quarter };
}

export function sin(x: number): number {
  const high = highWord(x) & 0x7fffffff;
  if (high < 0x3e500000) return x;
  if (high < 0x3feb6000) return sinNear(x, 0);
  if (high < 0x400368fd) {
    const r = cosNear(HALF_PI - Math.abs(x), HALF_PI_REST);
    return x < 0 ? -r : r;
  }
  if (!Number.isFinite(x)) return Number.NaN;
  const a = reduce(x);
  return quarterSine(a, reducedRest, quarter);
}

export function cos(x: number): number {
  const high = highWord(x) & 0x7fffffff;
  if (high < 0x3e400000) return 1;
  if (high < 0x3feb6000) return cosNear(x, 0);
  if (high < 0x400368fd) {
    const y = HALF_PI - Math.abs(x);
    const a = y + HALF_PI_REST;
    return sinNear(a, y - a + HALF_PI_REST);
  }
  if (!Number.isFinite(x)) return Number.NaN;
  const a = reduce(x);
  return quarterSine(a, reducedRest, quarter + 1);
}

const PI = 2 * HALF_PI;
const PI_REST = 1.2246467991473532e-16;

/** (atan(x) - x) / x**3 as a polynomial of x**2, for |x| below 1/16. */
function atanSeries(x2: number): number {
  let p = fma(x2, D13, D11);
  p = fma(x2, p, D9);
  p = fma(x2, p, D7);
  p = fma(x2, p, D5);
  return fma(x2, p, D3);
}
const D3 = -0.3333333333333333;
const D5 = 0.19999999999998855;
const D7 = -0.14285714283953163;
const D9 = 0.11111109821886427;
const D11 = -0.09090424391727987;
const D13 = 0.07601836584380736;

/** Place in ATAN_TABLE of the point nearest to u, 1/16 <= u <= 1. */
function atanRow(u: number): number {
  return (fma(u, 256, 4503599627370496) - 4503599627370496 - 16) * 7;
}

/** (atan(x_i + z) - atan(x_i)) / z */
function atanSlope(z: number, at: number): number {
  const p = fma(fma(fma(ATAN_TABLE[at + 6]!, z, ATAN_TABLE[at + 5]!), z, ATAN_TABLE[at + 4]!), z, ATAN_TABLE[at + 3]!);
  return fma(p, z, ATAN_TABLE[at + 2]!);
}

export function atan(x: number): number {
  const u = Math.abs(x);
  if (Number.isNaN(u)) return x;
  if (u < 0.0625) {
    if (u < ATAN_IDENTITY) return x;
    const v = x * x;
    return fma(x * v, atanSeries(v), x);
  }
  let r: number;
  if (u < 1) {
    const at = atanRow(u);
    const z = u - ATAN_TABLE[at]!;
    r = fma(atanSlope(z, at), z, ATAN_TABLE[at + 1]!);
  } else if (u < 16) {
    const w = 1 / u;
    const t1 = w * u;
    const rest = 1 - t1 - fma(u, w, -t1);
    const at = atanRow(w);
    const z = fma(rest, w, w - ATAN_TABLE[at]!);
    r = HALF_PI - ATAN_TABLE[at + 1]! + fma(-z, atanSlope(z, at), HALF_PI_REST);
  } else if (u < ATAN_LIMIT) {
    const w = 1 / u;
    const v = w * w;
    const t1 = w * u;
    const rest = w * (1 - t1 - fma(u, w, -t1));
    const series = w * v * atanSeries(v);
    const t3 = HALF_PI - w;
    const lost = HALF_PI - t3 - w;
    r = t3 + (HALF_PI_REST + lost - rest - series);
  } else r = HALF_PI;
  return x < 0 ? -r : r;
}
const ATAN_IDENTITY = 1.2904777690891933e-8;
const ATAN_LIMIT = 5805361265115136;

const BEYOND = powerOfTwo(500);
const BELOW = powerOfTwo(-500);

/** The angle of (x, y), in [-pi, pi]. */
export function atan2(y: number, x: number): number {
  if (Number.isNaN(x) || Number.isNaN(y)) return Number.NaN;
  const down = y < 0 || Object.is(y, -0);
  const left = x < 0 || Object.is(x, -0);
  const r = angle(Math.abs(y), Math.abs(x), left);
  return down ? -r : r;
}

/** The angle of (-x or x, y), both not negative, in [0, pi]. */
function angle(y: number, x: number, left: boolean): number {
  if (y === 0) return left ? PI : 0;
  if (x === 0) return HALF_PI;
  if (x === Number.POSITIVE_INFINITY) {
    if (y === Number.POSITIVE_INFINITY) return left ? 2.356194490192345 : 0.7853981633974483;
    return left ? PI : 0;
  }
  if (y === Number.POSITIVE_INFINITY) return HALF_PI;
  const apart = (highWord(y) & 0x7ff00000) - (highWord(x) & 0x7ff00000);
  if (apart >= 59768832) return HALF_PI;
  if (apart <= -59768832) return left ? PI : y / x;
  let ax = x;
  let ay = y;
  if (ax < BELOW || ay < BELOW) {
    ax *= BEYOND;
    ay *= BEYOND;
  }
  if (ax > BEYOND || ay > BEYOND) {
    ax *= BELOW;
    ay *= BELOW;
  }
  // The smaller over the larger, in two parts.
  const flat = ay < ax;
  const low = flat ? ay : ax;
  const high = flat ? ax : ay;
  const u = low / high;
  const v = high * u;
  const du = (low - v - fma(high, u, -v)) / high;
  if (u < 0.0625) return angleOfSmall(u, du, flat, left);
  const at = atanRow(u);
  if (flat && !left) {
    const t3 = u - ATAN_TABLE[at]!;
    const z = t3 + du;
    const dz = Math.abs(t3) > Math.abs(du) ? t3 - z + du : du - z + t3;
    const p = fma(z, fma(z, fma(z, ATAN_TABLE[at + 6]!, ATAN_TABLE[at + 5]!), ATAN_TABLE[at + 4]!), ATAN_TABLE[at + 3]!);
    const slope = ATAN_TABLE[at + 2]!;
    return ATAN_TABLE[at + 1]! + fma(z, slope, fma(z * z, p, dz * slope));
  }
  const z = u - ATAN_TABLE[at]! + du;
  const slope = atanSlope(z, at);
  if (!left) return HALF_PI - ATAN_TABLE[at + 1]! + fma(-z, slope, HALF_PI_REST);
  if (!flat) return HALF_PI + ATAN_TABLE[at + 1]! + fma(z, slope, HALF_PI_REST);
  return PI - ATAN_TABLE[at + 1]! + fma(-z, slope, PI_REST);
}

/** The same for a ratio below 1/16, by the series. */
function angleOfSmall(u: number, du: number, flat: boolean, left: boolean): number {
  const v = u * u;
  const series = atanSeries(v);
  if (flat && !left) return u + fma(u * v, series, du);
  const cube = u * v * series;
  if (!flat && left) {
    const t2 = HALF_PI + u;
    return t2 + (HALF_PI_REST + (HALF_PI - t2 + u) + du + cube);
  }
  const whole = flat ? PI : HALF_PI;
  const t2 = whole - u;
  return t2 + ((flat ? PI_REST : HALF_PI_REST) + (whole - t2 - u) - du - cube);
}
