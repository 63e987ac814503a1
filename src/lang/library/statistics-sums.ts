/**
 * What the members of `statistics` share: exact sums as fractions of whole numbers, what is made of them, and how a member
 * that takes data is called.
 */
import { Float } from "../../datum";
import type { Kwargs } from "../value/arguments";
import { raise } from "../value/exception";
import { decompose } from "../value/float-bits";
import { bitLength, normInt, ratioToDouble } from "../value/int";
import { spendSteps } from "../value/meter";
import { typeName } from "../value/protocol-type";
import type { Value } from "../value/value";
import { taking } from "../value/walk";
import { functionMember, type Member } from "./member";
import { bindPython, signature } from "./python-call";

/** n / d, d > 0; or what is not finite, as it is. */
export type Exact = { n: bigint; d: bigint } | number;

/** v = m * 2**e, or what is not finite. */
function exactOf(v: Value): { m: bigint; e: number } | number {
  if (typeof v === "number" || typeof v === "bigint" || typeof v === "boolean") return { m: BigInt(v), e: 0 };
  if (!(v instanceof Float)) return raise("TypeError", `can't convert type '${typeName(v)}' to numerator/denominator`);
  if (!Number.isFinite(v.v)) return v.v;
  const x = decompose(v.v);
  return v.v < 0 ? { m: -x.m, e: x.e } : x;
}

export interface Sums {
  count: number;
  float: boolean;
  /** The sum, and the sum of the squares. */
  sum: Exact;
  squares: Exact;
}

export function sums(values: readonly Value[]): Sums {
  // One pair of whole numbers an exponent, of which there are few.
  const byExponent = new Map<number, { n: bigint; nn: bigint }>();
  let special: number | null = null;
  let float = false;
  for (const v of values) {
    const x = exactOf(v);
    if (v instanceof Float) float = true;
    if (typeof x === "number") {
      special = special === null ? x : special + x;
      continue;
    }
    let at = byExponent.get(x.e);
    if (at === undefined) byExponent.set(x.e, (at = { n: 0n, nn: 0n }));
    spendSteps(1 + (bitLength(normInt(x.m)) >> 5));
    at.n += x.m;
    at.nn += x.m * x.m;
  }
  if (special !== null) return { count: values.length, float, sum: special, squares: special };
  let low = 0;
  for (const e of byExponent.keys()) low = Math.min(low, e);
  let n = 0n;
  let nn = 0n;
  for (const [e, at] of byExponent) {
    n += at.n << BigInt(e - low);
    nn += at.nn << BigInt(2 * (e - low));
  }
  const d = 1n << BigInt(-low);
  return { count: values.length, float, sum: { n, d }, squares: { n: nn, d: d * d } };
}

/** A fraction as the type of the data: an int where it is one and the data are, else the nearest float. */
export function valueOf(x: Exact, float: boolean): Value {
  if (typeof x === "number") return new Float(x);
  if (!float && x.n % x.d === 0n) return normInt(x.n / x.d);
  const q = ratioToDouble(x.n, x.d);
  if (!Number.isFinite(q)) raise("OverflowError", "integer division result too large for a float");
  return new Float(q);
}
export function dividedBy(x: Exact, by: number): Exact {
  return typeof x === "number" ? x / by : { n: x.n, d: x.d * BigInt(by) };
}

export const fail = (message: string): never => raise("StatisticsError", message);

/** a / b, b not zero. */
export function dividedInto(a: Exact, b: Exact, float: boolean): Value {
  if (typeof a === "number" || typeof b === "number") return new Float(approximate(a) / approximate(b));
  return valueOf({ n: a.n * b.d, d: a.d * b.n }, float);
}
function approximate(x: Exact): number {
  return typeof x === "number" ? x : ratioToDouble(x.n, x.d);
}

export function member(
  name: string,
  names: string,
  required: number,
  of: (values: Value[], rest: readonly (Value | undefined)[]) => Value,
  keywordOnly = "",
): Member {
  const form = signature(name, names, required, 0, keywordOnly);
  return functionMember(name, (args: readonly Value[], kwargs: Kwargs) => {
    const [data, ...rest] = bindPython(form, args, kwargs);
    return taking(data as Value, (values) => of(values, rest));
  });
}
