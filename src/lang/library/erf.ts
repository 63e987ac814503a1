/**
 * `math.erf` and `math.erfc`: quotients of polynomials in four stretches of |x|, with the coefficients and the operations of
 * the C library under CPython in its order.
 *
 * Up to 0.84375 erf(x) is x + x q(x*x); up to 1.25 it is a constant and a quotient in |x| - 1; beyond, erfc(x) is
 * exp(-x*x - 0.5625 + q(1/(x*x))) / x, where x*x is taken in two parts.
 */
import { fromWords, highWord } from "../value/float-bits";
import { exp } from "../value/float-math";

const NEAR_TOP = [0.12837916709551256, -0.3250421072470015, -0.02848174957559851, -0.005770270296489442, -2.3763016656650163e-5];
const NEAR_BOTTOM = [1, 0.39791722395915535, 0.0650222499887673, 0.005081306281875766, 0.00013249473800432164, -3.960228278775368e-6];
const ONE_TOP = [
  -0.0023621185607526594, 0.41485611868374833, -0.3722078760357013, 0.31834661990116175, -0.11089469428239668, 0.035478304325618236,
  -0.002166375594868791,
];
const ONE_BOTTOM = [
  1, 0.10642088040084423, 0.540397917702171, 0.07182865441419627, 0.12617121980876164, 0.01363708391202905, 0.011984499846799107,
];
const MIDDLE_TOP = [
  -0.009864944034847148, -0.6938585727071818, -10.558626225323291, -62.375332450326006, -162.39666946257347, -184.60509290671104,
  -81.2874355063066, -9.814329344169145,
];
const MIDDLE_BOTTOM = [
  1, 19.651271667439257, 137.65775414351904, 434.56587747522923, 645.3872717332679, 429.00814002756783, 108.63500554177944,
  6.570249770319282, -0.0604244152148581,
];
const FAR_TOP = [
  -0.0098649429247001, -0.799283237680523, -17.757954917754752, -160.63638485582192, -637.5664433683896, -1025.0951316110772,
  -483.5191916086514,
];
const FAR_BOTTOM = [
  1, 30.33806074348246, 325.7925129965739, 1536.729586084437, 3199.8582195085955, 2553.0504064331644, 474.52854120695537,
  -22.44095244658582,
];
const AT_ONE = 0.8450629115104675;
const SLOPE = 0.1283791670955126;
/** 1/0.35, where the last quotient takes over. */
const FAR = [0x4006db6e, 0x4006db6d] as const;

/** A polynomial in pairs of terms: c0 + c1 z, (c2 + c3 z) z**2, … added in turn. */
function paired(z: number, c: readonly number[]): number {
  const z2 = z * z;
  const z4 = z2 * z2;
  const powers = [1, z2, z4, z4 * z2, z4 * z4];
  const pair = (i: number): number => (i + 1 < c.length ? c[i]! + z * c[i + 1]! : c[i]!);
  let sum = pair(0);
  for (let i = 2; i < c.length; i += 2) sum += powers[i / 2]! * pair(i);
  return sum;
}

/** erfc(x) * x of x >= 1.25. */
function tail(x: number, far: boolean): number {
  const s = 1 / (x * x);
  const q = far ? paired(s, FAR_TOP) / paired(s, FAR_BOTTOM) : paired(s, MIDDLE_TOP) / paired(s, MIDDLE_BOTTOM);
  const z = fromWords(highWord(x), 0);
  return exp(-z * z - 0.5625) * exp((z - x) * (z + x) + q);
}

/** What erf is near zero beside x itself, as a factor of it. */
function near(x: number): number {
  const z = x * x;
  return paired(z, NEAR_TOP) / paired(z, NEAR_BOTTOM);
}
function aroundOne(size: number): number {
  const s = size - 1;
  return paired(s, ONE_TOP) / paired(s, ONE_BOTTOM);
}

export function erf(x: number): number {
  if (Number.isNaN(x)) return x;
  const high = highWord(x) & 0x7fffffff;
  const sign = x < 0 ? -1 : 1;
  if (high < 0x3feb0000) {
    if (high < 0x00800000) return 0.0625 * (16 * x + 16 * SLOPE * x);
    return high < 0x3e300000 ? x + SLOPE * x : x + x * near(x);
  }
  const size = Math.abs(x);
  if (high < 0x3ff40000) return sign * (AT_ONE + aroundOne(size));
  if (high >= 0x40180000) return sign;
  return sign * (1 - tail(size, high >= FAR[0]) / size);
}

export function erfc(x: number): number {
  if (Number.isNaN(x)) return x;
  const high = highWord(x) & 0x7fffffff;
  if (high < 0x3feb0000) {
    if (high < 0x3c700000) return 1 - x;
    const y = near(x);
    if (x < 0.25) return 1 - (x + x * y);
    return 0.5 - (x * y + (x - 0.5));
  }
  const size = Math.abs(x);
  if (high < 0x3ff40000) {
    const q = aroundOne(size);
    return x < 0 ? 1 + (AT_ONE + q) : 1 - AT_ONE - q;
  }
  if (high >= 0x403c0000 || (x < 0 && high >= 0x40180000)) return x < 0 ? 2 : 0;
  const r = tail(size, high >= FAR[1]) / size;
  return x < 0 ? 2 - r : r;
}
