/**
 * Arithmetic, text and parsing of complex numbers, as CPython 3.11: the plain formula for products, Smith's for
 * quotients, repeated squaring for integer powers up to 100, polar form for the others. Signed zeros are kept.
 */
import { Complex } from "../../datum";
import { raise } from "./exception";
import { floatRepr, type Real, realToDouble } from "./float";
import { exp, hypot, log, pow } from "./float-math";
import { atan2, cos, sin } from "./float-trig";

export function toComplex(v: Real | Complex): Complex {
  return v instanceof Complex ? v : new Complex(realToDouble(v), 0);
}

export function complexAdd(a: Complex, b: Complex): Complex {
  return new Complex(a.re + b.re, a.im + b.im);
}
export function complexSub(a: Complex, b: Complex): Complex {
  return new Complex(a.re - b.re, a.im - b.im);
}
export function complexMul(a: Complex, b: Complex): Complex {
  return new Complex(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re);
}
export function complexDiv(a: Complex, b: Complex): Complex {
  const q = quotient(a, b);
  if (q === null) raise("ZeroDivisionError", "complex division by zero");
  return q;
}

/** Null for a zero divisor. */
function quotient(a: Complex, b: Complex): Complex | null {
  if (Math.abs(b.re) >= Math.abs(b.im)) {
    if (b.re === 0) return null;
    const ratio = b.im / b.re;
    const unit = b.re + b.im * ratio;
    return new Complex((a.re + a.im * ratio) / unit, (a.im - a.re * ratio) / unit);
  }
  if (Math.abs(b.im) >= Math.abs(b.re)) {
    const ratio = b.re / b.im;
    const unit = b.re * ratio + b.im;
    return new Complex((a.re * ratio + a.im) / unit, (a.im * ratio - a.re) / unit);
  }
  return new Complex(Number.NaN, Number.NaN);
}

export function complexPow(a: Complex, b: Complex): Complex {
  const r = b.im === 0 && Number.isInteger(b.re) && Math.abs(b.re) <= 100 ? integerPower(a, b.re) : polarPower(a, b);
  if (r === null) raise("ZeroDivisionError", "0.0 to a negative or complex power");
  if (Math.abs(r.re) === Number.POSITIVE_INFINITY || Math.abs(r.im) === Number.POSITIVE_INFINITY)
    raise("OverflowError", "complex exponentiation");
  return r;
}

function integerPower(a: Complex, n: number): Complex | null {
  return n > 0 ? squarings(a, n) : quotient(new Complex(1, 0), squarings(a, -n));
}

function squarings(a: Complex, n: number): Complex {
  let r = new Complex(1, 0);
  let p = a;
  for (let bit = 1; bit <= n; bit *= 2) {
    if (n & bit) r = complexMul(r, p);
    p = complexMul(p, p);
  }
  return r;
}

function polarPower(a: Complex, b: Complex): Complex | null {
  if (b.re === 0 && b.im === 0) return new Complex(1, 0);
  if (a.re === 0 && a.im === 0) return b.im !== 0 || b.re < 0 ? null : new Complex(0, 0);
  const size = hypot(a.re, a.im);
  let length = pow(size, b.re);
  const angle = atan2(a.im, a.re);
  let phase = angle * b.re;
  if (b.im !== 0) {
    length /= exp(angle * b.im);
    phase += b.im * log(size);
  }
  // C's cos reports a domain error at an infinity, and CPython words any such error so.
  if (Math.abs(phase) === Number.POSITIVE_INFINITY) return null;
  return new Complex(length * cos(phase), length * sin(phase));
}

/** `abs(z)`. */
export function complexAbs(z: Complex): number {
  const r = hypot(z.re, z.im);
  if (r === Number.POSITIVE_INFINITY && Number.isFinite(z.re) && Number.isFinite(z.im)) raise("OverflowError", "absolute value too large");
  return r;
}

/** `repr(z)`, the same as `str(z)`. */
export function complexRepr(z: Complex): string {
  if (z.re === 0 && !Object.is(z.re, -0)) return `${part(z.im)}j`;
  const im = part(z.im);
  return `(${part(z.re)}${im[0] === "-" ? "" : "+"}${im}j)`;
}

function part(x: number): string {
  const text = floatRepr(x);
  return text.endsWith(".0") ? text.slice(0, -2) : text;
}
