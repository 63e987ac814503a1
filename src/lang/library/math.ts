/**
 * The module `math`. Functions of the C library are those of value/float-math.ts, to the last bit; a member that could
 * only be nearly right is not listed.
 */
import { Float, type Int } from "../../datum";
import { Refusal } from "../../failure";
import { bindArgs, type Kwargs, oneArg, parameters } from "../value/arguments";
import { raise } from "../value/exception";
import { floatToInt, realToDouble } from "../value/float";
import { acos, asin } from "../value/float-asin";
import { fromWords, scaleByPowerOfTwo } from "../value/float-bits";
import { acosh, asinh, atanh, cbrt, cosh, expm1, log1p, log2, sinh, tanh } from "../value/float-hyper";
import { exp, log, pow } from "../value/float-math";
import { tan } from "../value/float-tan";
import { atan, atan2, cos, sin } from "../value/float-trig";
import { indexOf } from "../value/index-of";
import { bitLength } from "../value/int";
import { spendOps } from "../value/meter";
import { mustWait, Task, type Work } from "../value/pending";
import { isReal, mul } from "../value/protocol-arith";
import { iterate, takeAll } from "../value/protocol-iterate";
import { typeName } from "../value/protocol-type";
import { DONE, PAUSED, type PyIterator, PyTuple, type Value } from "../value/value";
import { walk } from "../value/walk";
import { checkGrowing } from "../value/weight";
import { erf, erfc } from "./erf";
import { exp2 } from "./exp2";
import { gamma, lgamma } from "./gamma";
import { combinations, exactSum, factorial, frexp, gcd, integerRoot, lcm, permutations, vectorLength } from "./math-exact";
import { functionMember, type Member, positionalMember, unaryMember } from "./member";

/** A real argument as a double. */
export function doubleOf(v: Value): number {
  if (v instanceof Float) return v.v;
  if (typeof v === "number") return v;
  if (!isReal(v)) raise("TypeError", `must be real number, not ${typeName(v)}`);
  return realToDouble(v);
}

const domain = (): never => raise("ValueError", "math domain error");
const range = (): never => raise("OverflowError", "math range error");

const unary = (name: string, of: (v: Value) => Value): Member => unaryMember(`math.${name}`, of);
const some = (name: string, min: number, max: number, of: (args: readonly Value[]) => Value): Member =>
  positionalMember(`math.${name}`, min, max, of);
const boolean = (name: string, of: (x: number) => boolean): Member => unary(name, (v) => of(doubleOf(v)));
/** double to double: NaN made of a number is a domain error, an infinity made of a finite one what `infinite` raises. */
const real = (name: string, of: (x: number) => number, infinite: () => never = domain): Member =>
  unary(name, (v) => {
    const x = doubleOf(v);
    const r = of(x);
    if (Number.isNaN(r) && !Number.isNaN(x)) domain();
    if (!Number.isFinite(r) && Number.isFinite(x)) infinite();
    return new Float(r);
  });

/** `floor`, `ceil`, `trunc` of what is an int already, else by the double. */
function rounded(v: Value, of: (x: number) => number): Value {
  if (typeof v === "number" || typeof v === "bigint") return v;
  if (typeof v === "boolean") return Number(v);
  return floatToInt(of(doubleOf(v)));
}

/** A logarithm of an int or a float; an int may be too large for a double. */
function logOf(v: Value, of: (x: number) => number): number {
  const n = typeof v === "boolean" ? Number(v) : v;
  if (typeof n === "number" || typeof n === "bigint") {
    if (n <= 0) domain();
    const x = Number(n);
    if (Number.isFinite(x)) return of(x);
    const shift = bitLength(n);
    // The nearest double of n / 2**shift, in [0.5, 1): the top 64 bits, the rest as a sticky bit.
    const top = (n as bigint) >> BigInt(shift - 64);
    const sticky = top << BigInt(shift - 64) === n ? 0n : 1n;
    return of(Number(top * 4n + sticky) * scaleByPowerOfTwo(1, -66)) + of(2) * shift;
  }
  const x = doubleOf(v);
  if (!Number.isNaN(x) && x <= 0) domain();
  return of(x);
}

const LOG10_2_HIGH = fromWords(0x3fd34413, 0x509f6000);
const LOG10_2_LOW = fromWords(0x3d59fef3, 0x11f12b36);
const INVERSE_LN10 = fromWords(0x3fdbcb7b, 0x1526e50e);

/** The C library's log10: the natural logarithm of the fraction and the binary exponent, each times a constant. */
export function log10(x: number): number {
  if (!Number.isFinite(x)) return x;
  const { m, e } = frexp(x);
  let exponent = e - 1;
  let fraction = m * 2;
  if (exponent < 0) {
    exponent += 1;
    fraction = m;
  }
  return exponent * LOG10_2_LOW + INVERSE_LN10 * log(fraction) + exponent * LOG10_2_HIGH;
}

function nextAfter(x: number, y: number): number {
  if (Number.isNaN(x) || Number.isNaN(y)) return Number.NaN;
  if (x === y) return y;
  if (x === 0) return y > 0 ? Number.MIN_VALUE : -Number.MIN_VALUE;
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, x);
  view.setBigUint64(0, view.getBigUint64(0) + (x < y === x > 0 ? 1n : -1n));
  return view.getFloat64(0);
}

function ulp(v: number): number {
  const x = Math.abs(v);
  if (!Number.isFinite(x)) return x;
  const above = nextAfter(x, Number.POSITIVE_INFINITY);
  return Number.isFinite(above) ? above - x : x - nextAfter(x, 0);
}

/** x - n*y with n the nearest whole number to x/y, ties to even. Every step is exact. */
function remainder(x: number, y: number): number {
  if (Number.isNaN(x) || Number.isNaN(y)) return x + y;
  if (!Number.isFinite(x) || y === 0) return domain();
  if (!Number.isFinite(y)) return x;
  const a = Math.abs(x);
  const b = Math.abs(y);
  const m = a % b;
  const c = b - m;
  let r: number;
  if (m < c) r = m;
  else if (m > c) r = -c;
  else r = m - 2 * ((0.5 * (a - m)) % b);
  return (x < 0 || Object.is(x, -0) ? -1 : 1) * r;
}

/** `math.pow`: C's pow, with its errors as Python raises them. */
function power(x: number, y: number): number {
  const r = pow(x, y);
  if (Number.isFinite(r) || !Number.isFinite(x) || !Number.isFinite(y)) return r;
  if (Number.isNaN(r)) return domain();
  return x === 0 ? domain() : range();
}

function ldexp(v: Value, by: Value): number {
  const x = doubleOf(v);
  if (typeof by !== "number" && typeof by !== "bigint" && typeof by !== "boolean")
    raise("TypeError", "Expected an int as second argument to ldexp.");
  if (x === 0 || !Number.isFinite(x)) return x;
  const e = Number(by);
  if (e > 2147483647) range();
  if (e < -2147483648) return x < 0 ? -0 : 0;
  const r = scaleByPowerOfTwo(x, e);
  return Number.isFinite(r) ? r : range();
}

function factorialOf(v: Value): Int {
  const n = indexOf(v);
  if (n > 0x7fffffffffffffffn) raise("OverflowError", "factorial() argument should not exceed 9223372036854775807");
  if (n < 0) raise("ValueError", "factorial() not defined for negative values");
  return factorial(Number(n));
}

function perm(args: readonly Value[]): Int {
  if (args.length === 1 || args[1] === null) return factorialOf(args[0]);
  const n = indexOf(args[0]);
  const k = indexOf(args[1]);
  if (n < 0) raise("ValueError", "n must be a non-negative integer");
  if (k < 0) raise("ValueError", "k must be a non-negative integer");
  if (k > n) return 0;
  if (k > 0x7fffffffffffffffn) raise("OverflowError", "k must not exceed 9223372036854775807");
  return permutations(n, Number(k));
}

function comb(args: readonly Value[]): Int {
  const n = indexOf(args[0]);
  const given = indexOf(args[1]);
  if (n < 0) raise("ValueError", "n must be a non-negative integer");
  if (given < 0) raise("ValueError", "k must be a non-negative integer");
  if (given > n) return 0;
  const rest = BigInt(n) - BigInt(given);
  const k = rest < BigInt(given) ? rest : BigInt(given);
  if (k > 0x7fffffffffffffffn) raise("OverflowError", "min(n - k, k) must not exceed 9223372036854775807");
  return combinations(n, Number(k));
}

function product(args: readonly Value[], kwargs: Kwargs): Value | Task {
  const given = args.length + (kwargs?.size ?? 0);
  if (given > 2) raise("TypeError", `prod() takes at most 2 ${args.length === 0 ? "keyword " : ""}arguments (${given} given)`);
  // One positional argument and the keyword start.
  if (args.length !== 1) raise("TypeError", `prod() takes exactly 1 positional argument (${args.length} given)`);
  let p: Value = 1;
  for (const [name, v] of kwargs ?? []) {
    if (name !== "start") raise("TypeError", `'${name}' is an invalid keyword argument for prod()`);
    p = v;
  }
  return new Task(multiplying(iterate(args[0]), p));
}
/** Each product may be of long ints: the slice is asked after each. */
function* multiplying(it: PyIterator, start: Value): Work<Value> {
  let p = start;
  for (;;) {
    const e = it.poll();
    if (e === DONE) return p;
    if (e !== PAUSED) {
      spendOps(1);
      p = mul(p, e);
    }
    if (e === PAUSED || mustWait()) yield;
  }
}

const IS_CLOSE = parameters("isclose", "a b rel_tol abs_tol", 2, 2);

function isClose([a, b, rel, abs]: readonly (Value | undefined)[]): boolean {
  const x = doubleOf(a as Value);
  const y = doubleOf(b as Value);
  const relative = rel === undefined ? 1e-9 : doubleOf(rel);
  const absolute = abs === undefined ? 0 : doubleOf(abs);
  if (relative < 0 || absolute < 0) raise("ValueError", "tolerances must be non-negative");
  if (x === y) return true;
  if (!Number.isFinite(x) && !Number.isNaN(x)) return false;
  if (!Number.isFinite(y) && !Number.isNaN(y)) return false;
  const apart = Math.abs(y - x);
  return apart <= Math.abs(relative * y) || apart <= Math.abs(relative * x) || apart <= absolute;
}

function* folded(ints: readonly Int[], of: (a: Int, b: Int) => Work<Int>, start: Int): Work<Value> {
  let r = start;
  for (const i of ints) r = yield* of(r, i);
  return r;
}

function dist([p, q]: readonly Value[]): Value {
  const a = p instanceof PyTuple ? p.a : takeAll(p);
  const b = q instanceof PyTuple ? q.a : takeAll(q);
  if (a.length !== b.length) raise("ValueError", "both points must have the same number of dimensions");
  return new Float(vectorLength(a.map((v, i) => Math.abs(doubleOf(v) - doubleOf(b[i])))));
}

function logMember(args: readonly Value[], kwargs: Kwargs): Value {
  if (kwargs !== null && kwargs.size > 0) raise("TypeError", "log() takes no keyword arguments");
  if (args.length < 1 || args.length > 2) raise("TypeError", "math.log requires 1 to 2 arguments");
  const top = logOf(args[0], log);
  if (args.length === 1) return new Float(top);
  const base = logOf(args[1], log);
  if (base === 0) raise("ZeroDivisionError", "float division by zero");
  return new Float(top / base);
}

export const MATH: ReadonlyMap<string, Value> = new Map<string, Value>([
  ["e", new Float(Math.E)],
  ["inf", new Float(Number.POSITIVE_INFINITY)],
  ["nan", new Float(Number.NaN)],
  ["pi", new Float(Math.PI)],
  ["tau", new Float(2 * Math.PI)],
  real("acos", acos),
  real("acosh", acosh),
  real("asin", asin),
  real("asinh", asinh),
  real("atan", atan),
  some("atan2", 2, 2, ([y, x]) => new Float(atan2(doubleOf(y), doubleOf(x)))),
  real("atanh", atanh),
  real("cbrt", cbrt),
  unary("ceil", (v) => rounded(v, Math.ceil)),
  some("comb", 2, 2, comb),
  some("copysign", 2, 2, ([x, y]) => {
    const size = Math.abs(doubleOf(x));
    const sign = doubleOf(y);
    if (Number.isNaN(sign) && !Number.isNaN(size))
      throw new Refusal("invalid_value", "the sign of a NaN is not kept: math.copysign(x, nan) has no answer here", null);
    return new Float(sign < 0 || Object.is(sign, -0) ? -size : size);
  }),
  real("cos", cos),
  real("cosh", cosh, range),
  unary("degrees", (v) => new Float(doubleOf(v) * (180 / Math.PI))),
  some("dist", 2, 2, dist),
  real("erf", erf),
  real("erfc", erfc),
  real("exp", exp, range),
  real("exp2", exp2, range),
  real("expm1", expm1, range),
  real("fabs", Math.abs),
  unary("factorial", factorialOf),
  unary("floor", (v) => rounded(v, Math.floor)),
  some("fmod", 2, 2, ([a, b]) => {
    const x = doubleOf(a);
    const y = doubleOf(b);
    if (!Number.isFinite(y) && !Number.isNaN(y) && Number.isFinite(x)) return new Float(x);
    const r = x % y;
    if (Number.isNaN(r) && !Number.isNaN(x) && !Number.isNaN(y)) domain();
    return new Float(r);
  }),
  unary("frexp", (v) => {
    const { m, e } = frexp(doubleOf(v));
    return new PyTuple([new Float(m), e]);
  }),
  functionMember("fsum", (args, kwargs) => {
    const numbers: number[] = [];
    return walk(
      oneArg("math.fsum", args, kwargs),
      (v) => {
        spendOps(1);
        checkGrowing(numbers);
        numbers.push(doubleOf(v));
      },
      () => new Float(exactSum(numbers)),
    );
  }),
  real("gamma", gamma, range),
  functionMember("gcd", (args, kwargs) => {
    if (kwargs !== null && kwargs.size > 0) raise("TypeError", "math.gcd() takes no keyword arguments");
    return new Task(folded(args.map(indexOf), gcd, 0));
  }),
  functionMember("hypot", (args, kwargs) => {
    if (kwargs !== null && kwargs.size > 0) raise("TypeError", "math.hypot() takes no keyword arguments");
    return new Float(vectorLength(args.map(doubleOf)));
  }),
  functionMember("isclose", (args, kwargs) => {
    if (args.length > 2 && args.length + (kwargs?.size ?? 0) <= 4)
      raise("TypeError", `isclose() takes exactly 2 positional arguments (${args.length} given)`);
    return isClose(bindArgs(IS_CLOSE, args, kwargs));
  }),
  boolean("isfinite", Number.isFinite),
  boolean("isinf", (x) => Math.abs(x) === Number.POSITIVE_INFINITY),
  boolean("isnan", Number.isNaN),
  unary("isqrt", (v) => {
    const n = indexOf(v);
    if (n < 0) raise("ValueError", "isqrt() argument must be nonnegative");
    return integerRoot(n);
  }),
  functionMember("lcm", (args, kwargs) => {
    if (kwargs !== null && kwargs.size > 0) raise("TypeError", "math.lcm() takes no keyword arguments");
    return new Task(folded(args.map(indexOf), lcm, 1));
  }),
  real("lgamma", lgamma, range),
  some("ldexp", 2, 2, ([x, e]) => new Float(ldexp(x, e))),
  functionMember("log", logMember),
  real("log1p", log1p),
  unary("log2", (v) => new Float(logOf(v, log2))),
  unary("log10", (v) => new Float(logOf(v, log10))),
  unary("modf", (v) => {
    const x = doubleOf(v);
    if (!Number.isFinite(x)) return new PyTuple([new Float(Number.isNaN(x) ? x : x > 0 ? 0 : -0), new Float(x)]);
    const whole = Math.trunc(x);
    return new PyTuple([new Float(whole === x ? (x < 0 || Object.is(x, -0) ? -0 : 0) : x - whole), new Float(whole)]);
  }),
  some("nextafter", 2, 2, ([x, y]) => new Float(nextAfter(doubleOf(x), doubleOf(y)))),
  some("perm", 1, 2, perm),
  some("pow", 2, 2, ([x, y]) => new Float(power(doubleOf(x), doubleOf(y)))),
  functionMember("prod", product),
  unary("radians", (v) => new Float(doubleOf(v) * (Math.PI / 180))),
  some("remainder", 2, 2, ([x, y]) => new Float(remainder(doubleOf(x), doubleOf(y)))),
  real("sin", sin),
  real("sinh", sinh, range),
  real("sqrt", Math.sqrt),
  real("tan", tan),
  real("tanh", tanh),
  unary("trunc", (v) => {
    if (!isReal(v)) raise("TypeError", `type ${typeName(v)} doesn't define __trunc__ method`);
    return rounded(v, Math.trunc);
  }),
  unary("ulp", (v) => new Float(ulp(doubleOf(v)))),
]);
