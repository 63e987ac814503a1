/**
 * Members of `statistics` that go beyond one sum: other means, and relations of two samples. Their arithmetic is of doubles in
 * CPython's order, with exactly rounded sums where it has them.
 */
import { Float } from "../../datum";
import { NUMBER_TYPES } from "../builtins/number-types";
import type { Kwargs } from "../value/arguments";
import { exceptionOf, raise } from "../value/exception";
import { exp, log } from "../value/float-math";
import { spendOps, spendSteps } from "../value/meter";
import { truediv } from "../value/protocol-arith";
import { length, takeAll, truthy } from "../value/protocol-iterate";
import { compare } from "../value/protocol-order";
import { sortValues } from "../value/sort";
import type { PyFunction, PyType, Value } from "../value/value";
import { doubleOf } from "./math";
import { exactSum } from "./math-exact";
import { functionMember, type Member } from "./member";
import { namedtuple } from "./named-tuple";
import { bindPython, signature } from "./python-call";
import { dividedInto, fail, member, sums } from "./statistics-sums";

function geometricMean(values: readonly Value[]): Value {
  const numbers = values.map(doubleOf);
  if (numbers.length === 0 || numbers.some((x) => x <= 0)) fail("geometric mean requires a non-empty dataset containing positive numbers");
  return new Float(exp(exactSum(numbers.map(log)) / numbers.length));
}

const NEGATIVE = "harmonic mean does not support negative values";

function harmonicMean(values: readonly Value[], weights: Value): Value {
  if (values.length === 0) fail("harmonic_mean requires at least one data point");
  if (values.length === 1 && weights === null) {
    doubleOf(values[0]);
    return compare("<", values[0], 0) ? fail(NEGATIVE) : values[0];
  }
  const w = weights === null ? values.map((): Value => 1) : takeAll(weights);
  if (w.length !== values.length) fail("Number of weights does not match data size");
  if (w.some((v) => compare("<", v, 0))) fail(NEGATIVE);
  const parts: Value[] = [];
  for (let i = 0; i < w.length; i++) {
    if (compare("<", values[i], 0)) fail(NEGATIVE);
    if (truthy(w[i]) && !truthy(values[i])) return 0;
    parts.push(truthy(w[i]) ? truediv(w[i], values[i]) : 0);
  }
  const total = sums(parts);
  const { sum } = total;
  if (typeof sum === "number" ? sum <= 0 : sum.n <= 0n) fail("Weighted sum must be positive");
  return dividedInto(sums(w).sum, sum, total.float);
}

const FLOAT = NUMBER_TYPES.find((t) => t.name === "float") as PyType;
/** `float(v)`, and a text that is no number is no number either. */
function coerced(v: Value): number {
  try {
    return (FLOAT.call([v], null) as Float).v;
  } catch (thrown) {
    if (exceptionOf(thrown)?.className === "ValueError") raise("TypeError", "Value cannot be converted to a float");
    throw thrown;
  }
}

function groupedMedian(values: readonly Value[], interval: Value): Value {
  const sorted = sortValues(values);
  const n = sorted.length;
  if (n === 0) fail("no median for empty data");
  const middle = sorted[n >> 1];
  const below = sorted.findIndex((v) => !compare("<", v, middle));
  const above = sorted.findIndex((v) => compare("<", middle, v));
  const count = (above < 0 ? n : above) - below;
  spendSteps(n);
  const [width, x] = [coerced(interval), coerced(middle)];
  return new Float(x - width / 2 + (width * (n / 2 - below)) / count);
}

/** Two samples of one length, at least two. */
function pairs(name: string, x: Value, y: Value): { readonly x: number[]; readonly y: number[] } {
  const n = length(x);
  if (length(y) !== n) fail(`${name} requires that both inputs have same number of data points`);
  if (n < 2) fail(`${name} requires at least two data points`);
  spendOps(2 * n);
  return { x: takeAll(x).map(doubleOf), y: takeAll(y).map(doubleOf) };
}
const meanOf = (xs: readonly number[]): number => exactSum(xs) / xs.length;
/** The sum of the products of the distances from the means. */
function products(x: readonly number[], y: readonly number[]): number {
  const [xbar, ybar] = [meanOf(x), meanOf(y)];
  return exactSum(x.map((v, i) => (v - xbar) * (y[i] - ybar)));
}

/** The two samples have no names. */
function samplesByPlace(name: string, kwargs: Kwargs): void {
  const named = ["x", "y"].filter((k) => kwargs?.has(k));
  if (named.length > 0)
    raise("TypeError", `${name}() got some positional-only arguments passed as keyword arguments: '${named.join(", ")}'`);
}

function relation(name: string, of: (x: Value, y: Value) => Value): Member {
  const form = signature(name, "x y", 2);
  return functionMember(name, (args, kwargs) => {
    samplesByPlace(name, kwargs);
    const [x, y] = bindPython(form, args, kwargs);
    return of(x as Value, y as Value);
  });
}

const REGRESSION = signature("linear_regression", "x y", 2, 0, "proportional");
const LINE = namedtuple(["LinearRegression", "slope intercept"], null, "statistics") as PyFunction;

export const RELATIONS: readonly Member[] = [
  relation("correlation", (a, b) => {
    const { x, y } = pairs("correlation", a, b);
    const sxy = products(x, y);
    const root = Math.sqrt(products(x, x) * products(y, y));
    return root === 0 ? fail("at least one of the inputs is constant") : new Float(sxy / root);
  }),
  relation("covariance", (a, b) => {
    const { x, y } = pairs("covariance", a, b);
    return new Float(products(x, y) / (x.length - 1));
  }),
  member("geometric_mean", "data", 1, geometricMean),
  member("harmonic_mean", "data weights", 1, (values, [weights = null]) => harmonicMean(values, weights)),
  functionMember("linear_regression", (args, kwargs) => {
    samplesByPlace("linear_regression", kwargs);
    const [a, b, proportional = false] = bindPython(REGRESSION, args, kwargs);
    const { x, y } = pairs("linear regression", a as Value, b as Value);
    const through = truthy(proportional);
    const sxy = through ? exactSum(x.map((v, i) => v * y[i])) : products(x, y);
    const sxx = through ? exactSum(x.map((v) => v * v)) : products(x, x);
    if (sxx === 0) fail("x is constant");
    const slope = sxy / sxx;
    return LINE.call([new Float(slope), new Float(through ? 0 : meanOf(y) - slope * meanOf(x))], null);
  }),
  member("median_grouped", "data interval", 1, (values, [interval = 1]) => groupedMedian(values, interval)),
];
