/**
 * `math.gamma` and `math.lgamma`: the Lanczos approximation with the parameters and the order of operations that CPython
 * has, over functions of the C library that agree to the last bit; so do these.
 *
 * The sum is a quotient of two polynomials of degree 12; below g - 1/2 it is taken in x, above in 1/x.
 */
import { exp, log, pow } from "../value/float-math";
import { cos, sin } from "../value/float-trig";

const G = 6.02468004077673;
const G_MINUS_HALF = 5.52468004077673;
const LOG_PI = 1.1447298858494002;
const NUMERATOR = [
  23531376880.41076, 42919803642.6491, 35711959237.35567, 17921034426.03721, 6039542586.352028, 1439720407.3117216, 248874557.86205417,
  31426415.585400194, 2876370.6289353725, 186056.26539522348, 8071.672002365816, 210.82427775157936, 2.5066282746310002,
];
/** Of x (x + 1) … (x + 11). */
const DENOMINATOR = [0, 39916800, 120543840, 150917976, 105258076, 45995730, 13339535, 2637558, 357423, 32670, 1925, 66, 1];
/** The largest whole number whose gamma is an exact double. */
const WHOLE_MAX = 23;
/** Past these the result overflows, a power would, or 1/x is all there is of it. */
const OVERFLOW = 200;
const SPLIT_POWER = 140;
const TINY = 1e-20;

function sum(x: number): number {
  let top = 0;
  let bottom = 0;
  if (x < 5)
    for (let i = NUMERATOR.length - 1; i >= 0; i--) {
      top = top * x + NUMERATOR[i]!;
      bottom = bottom * x + DENOMINATOR[i]!;
    }
  else
    for (let i = 0; i < NUMERATOR.length; i++) {
      top = top / x + NUMERATOR[i]!;
      bottom = bottom / x + DENOMINATOR[i]!;
    }
  return top / bottom;
}

/** sin(pi x), whole for whole x. */
function sinPi(x: number): number {
  const y = Math.abs(x) % 2;
  // Halves go away from zero, as the C library's `round` takes them.
  const quarter = Math.floor(2 * y + 0.5);
  const r =
    quarter === 0
      ? sin(Math.PI * y)
      : quarter === 1
        ? cos(Math.PI * (y - 0.5))
        : quarter === 2
          ? sin(Math.PI * (1 - y))
          : quarter === 3
            ? -cos(Math.PI * (y - 1.5))
            : sin(Math.PI * (y - 2));
  return x < 0 ? -r : r;
}

/** NaN for a domain error, an infinity of a finite x for a range error. */
export function gamma(x: number): number {
  if (!Number.isFinite(x)) return x > 0 ? x : Number.NaN;
  if (x === 0) return Number.NaN;
  if (x === Math.floor(x)) {
    if (x < 0) return Number.NaN;
    if (x <= WHOLE_MAX) {
      let p = 1;
      for (let i = 2; i < x; i++) p *= i;
      return p;
    }
  }
  const size = Math.abs(x);
  if (size < TINY) return 1 / x;
  if (size > OVERFLOW) return x < 0 ? 0 / sinPi(x) : Number.POSITIVE_INFINITY;
  const y = size + G_MINUS_HALF;
  // What the rounding of y lost.
  const lost = size > G_MINUS_HALF ? y - size - G_MINUS_HALF : y - G_MINUS_HALF - size;
  const z = (lost * G) / y;
  const power = size < SPLIT_POWER ? pow(y, size - 0.5) : pow(y, size / 2 - 0.25);
  let r: number;
  if (x < 0) {
    r = ((-Math.PI / sinPi(size) / size) * exp(y)) / sum(size);
    r -= z * r;
    r /= power;
    if (size >= SPLIT_POWER) r /= power;
  } else {
    r = sum(size) / exp(y);
    r += z * r;
    r *= power;
    if (size >= SPLIT_POWER) r *= power;
  }
  return r;
}

/** As `gamma`; NaN at the poles. */
export function lgamma(x: number): number {
  if (!Number.isFinite(x)) return Number.isNaN(x) ? x : Number.POSITIVE_INFINITY;
  if (x === Math.floor(x) && x <= 2) return x <= 0 ? Number.NaN : 0;
  const size = Math.abs(x);
  if (size < TINY) return -log(size);
  let r = log(sum(size)) - G;
  r += (size - 0.5) * (log(size + G - 0.5) - 1);
  if (x < 0) r = LOG_PI - log(Math.abs(sinPi(size))) - log(size) - r;
  return r;
}
