/**
 * The module `statistics`. Means and variances are exact: sums are fractions of whole numbers, rounded once at the end,
 * as CPython does with `Fraction`; a standard deviation is the correctly rounded root of one.
 */

import { Float } from "../../datum";
import { noKeywords } from "../value/arguments";
import { PyDict } from "../value/dict";
import { raise } from "../value/exception";
import { bitLength, normInt, ratioToDouble } from "../value/int";
import { checkItems } from "../value/meter";
import { worked } from "../value/pending";
import { add, divmod, mul, sub, truediv } from "../value/protocol-arith";
import { takeAll } from "../value/protocol-iterate";
import { compare } from "../value/protocol-order";
import { repr } from "../value/protocol-text";
import { typeName } from "../value/protocol-type";
import { sortValues } from "../value/sort";
import { PyException, PyList, type Value } from "../value/value";
import { exceptionType } from "./exception-type";
import { doubleOf } from "./math";
import { exactSum, gcd } from "./math-exact";
import { RELATIONS } from "./statistics-relations";
import { dividedBy, type Exact, fail, member, sums, valueOf } from "./statistics-sums";

function mean(values: readonly Value[]): Value {
  const { count, sum, float } = sums(values);
  if (count < 1) fail("mean requires at least one data point");
  return valueOf(dividedBy(sum, count), float);
}

/** The sum of the squared distances from the mean (or from `center`), exactly. */
function spread(values: readonly Value[], center: Value): { total: Exact; count: number; float: boolean } {
  if (center !== null) {
    const parts = values.map((v) => {
      const apart = sub(v, center);
      return mul(apart, apart);
    });
    const { sum, float, count } = sums(parts);
    return { total: sum, count, float };
  }
  const { count, sum, squares, float } = sums(values);
  if (typeof sum === "number" || typeof squares === "number") return { total: sum, count, float };
  if (count === 0) return { total: { n: 0n, d: 1n }, count, float };
  // (count * squares - sum * sum) / count over the square of the sum's denominator.
  return { total: { n: BigInt(count) * squares.n - sum.n * sum.n, d: squares.d * BigInt(count) }, count, float };
}

function variance(name: string, values: readonly Value[], center: Value, freedom: 0 | 1): { x: Exact; float: boolean } {
  const { total, count, float } = spread(values, center);
  if (count < 1 + freedom) fail(`${name} requires at least ${freedom === 1 ? "two data points" : "one data point"}`);
  return { x: dividedBy(total, count - freedom), float };
}

function deviation(name: string, values: readonly Value[], center: Value, freedom: 0 | 1): Value {
  const { x } = variance(name, values, center, freedom);
  if (typeof x === "number") return raise("AttributeError", "'float' object has no attribute 'numerator'");
  return new Float(rootOf(x.n, x.d));
}

/** The double nearest to the square root of n/d. */
export function rootOf(n: bigint, d: bigint): number {
  if (n === 0n) return 0;
  const divisor = BigInt(worked(gcd(normInt(n), normInt(d))));
  const a = n / divisor;
  const b = d / divisor;
  // A root of 109 bits, its last bit telling whether it is exact, rounds once.
  const q = Math.floor((bitLength(normInt(a)) - bitLength(normInt(b)) - 109) / 2);
  const num = q >= 0 ? a : a << BigInt(-2 * q);
  const den = q >= 0 ? b << BigInt(2 * q) : b;
  const whole = num / den;
  let root = 1n << BigInt((bitLength(normInt(whole)) + 1) >> 1);
  for (;;) {
    const next = (root + whole / root) >> 1n;
    if (next >= root) break;
    root = next;
  }
  const odd = root * root * den === num ? root : root | 1n;
  return q >= 0 ? ratioToDouble(odd << BigInt(q), 1n) : ratioToDouble(odd, 1n << BigInt(-q));
}

function middle(values: readonly Value[], which: "mean" | "low" | "high"): Value {
  const sorted = sortValues(values);
  const n = sorted.length;
  if (n === 0) fail("no median for empty data");
  if (n % 2 === 1) return sorted[(n - 1) / 2];
  if (which === "low") return sorted[n / 2 - 1];
  if (which === "high") return sorted[n / 2];
  return truediv(add(sorted[n / 2 - 1], sorted[n / 2]), 2);
}

function modes(values: readonly Value[]): { most: number; counts: PyDict } {
  const counts = new PyDict();
  let most = 0;
  for (const v of values) {
    const n = ((counts.get(v) as number | undefined) ?? 0) + 1;
    counts.set(v, n);
    if (n > most) most = n;
  }
  return { most, counts };
}

function modesOf(values: readonly Value[]): Value[] {
  const { most, counts } = modes(values);
  return counts
    .entries()
    .filter(([, n]) => n === most)
    .map(([v]) => v);
}

function fmean(values: readonly Value[], weights: Value | undefined): Value {
  if (weights === undefined || weights === null) {
    const total = exactSum(values.map(doubleOf));
    if (values.length === 0) fail("fmean requires at least one data point");
    return new Float(total / values.length);
  }
  const w = takeAll(weights).map(doubleOf);
  if (w.length !== values.length) fail("data and weights must be the same length");
  const top = exactSum(values.map((v, i) => doubleOf(v) * w[i]));
  const bottom = exactSum(w);
  if (bottom === 0) fail("sum of weights must be non-zero");
  return new Float(top / bottom);
}

function quantiles(values: readonly Value[], parts: Value, method: Value): Value {
  if (compare("<", parts, 1)) fail("n must be at least 1");
  const sorted = sortValues(values);
  const size = sorted.length;
  if (size < 2) fail("must have at least two data points");
  if (method !== "inclusive" && method !== "exclusive") raise("ValueError", `Unknown method: ${repr(method)}`);
  if (typeof parts !== "number" && typeof parts !== "boolean" && typeof parts !== "bigint")
    return raise("TypeError", `'${typeName(parts)}' object cannot be interpreted as an integer`);
  const n = Number(parts);
  checkItems(n);
  const inclusive = method === "inclusive";
  const m = inclusive ? size - 1 : size + 1;
  const cuts: Value[] = [];
  for (let i = 1; i < n; i++) {
    let j: number;
    let rest: Value;
    if (inclusive) {
      const [quotient, remainder] = divmod(i * m, n).a;
      j = (quotient as number) + 1;
      rest = remainder;
    } else {
      const quotient = Math.floor((i * m) / n);
      j = Math.min(Math.max(quotient, 1), size - 1);
      rest = i * m - j * n;
    }
    const low = mul(sorted[j - 1], sub(n, rest));
    const high = mul(sorted[j], rest);
    cuts.push(truediv(add(low, high), n));
  }
  return new PyList(cuts);
}

export const STATISTICS: ReadonlyMap<string, Value> = new Map<string, Value>([
  [
    "StatisticsError",
    exceptionType("statistics.StatisticsError", "ValueError", (args, kwargs) => {
      noKeywords("StatisticsError", kwargs);
      return new PyException("StatisticsError", args);
    }),
  ],
  ...RELATIONS,
  member("fmean", "data weights", 1, (values, [weights]) => fmean(values, weights)),
  member("mean", "data", 1, mean),
  member("median", "data", 1, (values) => middle(values, "mean")),
  member("median_high", "data", 1, (values) => middle(values, "high")),
  member("median_low", "data", 1, (values) => middle(values, "low")),
  member("mode", "data", 1, (values) => {
    const [first] = modesOf(values);
    return first === undefined ? fail("no mode for empty data") : first;
  }),
  member("multimode", "data", 1, (values) => new PyList(modesOf(values))),
  member("pstdev", "data mu", 1, (values, [mu = null]) => deviation("pstdev", values, mu, 0)),
  member("pvariance", "data mu", 1, (values, [mu = null]) => {
    const { x, float } = variance("pvariance", values, mu, 0);
    return valueOf(x, float);
  }),
  member("quantiles", "data", 1, (values, [n = 4, method = "exclusive"]) => quantiles(values, n, method), "n method"),
  member("stdev", "data xbar", 1, (values, [xbar = null]) => deviation("stdev", values, xbar, 1)),
  member("variance", "data xbar", 1, (values, [xbar = null]) => {
    const { x, float } = variance("variance", values, xbar, 1);
    return valueOf(x, float);
  }),
]);
