/** `range`: construction, exact length and access with ints of any size, and its methods. */
import type { Int } from "../../datum";
import { oneArg } from "./arguments";
import type { Method } from "./attribute";
import { raise } from "./exception";
import { indexOf } from "./index-of";
import { equal } from "./protocol-equal";
import { iterate } from "./protocol-iterate";
import { repr } from "./protocol-text";
import { DONE, PyRange, type Value } from "./value";

const canonical = (n: bigint): Int => (n >= -9007199254740991n && n <= 9007199254740991n ? Number(n) : n);

/** The range of ints; `step` is not 0. */
export function makeRange(start: Int, stop: Int, step: Int): PyRange {
  if (typeof start === "number" && typeof stop === "number" && typeof step === "number") {
    const span = step > 0 ? stop - start : start - stop;
    if (Number.isSafeInteger(span)) {
      const stride = Math.abs(step);
      return new PyRange(start, stop, step, span <= 0 ? 0 : Math.floor((span - 1) / stride) + 1);
    }
  }
  const [a, b, s] = [BigInt(start), BigInt(stop), BigInt(step)];
  const span = s > 0n ? b - a : a - b;
  const stride = s > 0n ? s : -s;
  return new PyRange(start, stop, step, span <= 0n ? 0 : canonical((span - 1n) / stride + 1n));
}

/** `range(...)` as called. */
export function rangeOf(args: readonly Value[]): PyRange {
  if (args.length === 0) raise("TypeError", "range expected at least 1 argument, got 0");
  if (args.length > 3) raise("TypeError", `range expected at most 3 arguments, got ${args.length}`);
  if (args.length === 1) return makeRange(0, indexOf(args[0]), 1);
  const start = indexOf(args[0]);
  const stop = indexOf(args[1]);
  const step = args.length === 3 ? indexOf(args[2]) : 1;
  if (step === 0) raise("ValueError", "range() arg 3 must not be zero");
  return makeRange(start, stop, step);
}

/** The value at position `i`, 0 ≤ i < length. */
export function rangeAt(r: PyRange, i: Int): Int {
  if (typeof r.start === "number" && typeof r.step === "number" && typeof i === "number") {
    const v = r.start + r.step * i;
    if (Number.isSafeInteger(v)) return v;
  }
  return canonical(BigInt(r.start) + BigInt(r.step) * BigInt(i));
}

/** Membership by arithmetic. */
export function rangeHas(r: PyRange, n: Int): boolean {
  return rangeFind(r, n) !== -1;
}
function rangeFind(r: PyRange, n: Int): Int {
  const [start, stop, step, x] = [BigInt(r.start), BigInt(r.stop), BigInt(r.step), BigInt(n)];
  if (step > 0n ? x < start || x >= stop : x > start || x <= stop) return -1;
  return (x - start) % step === 0n ? canonical((x - start) / step) : -1;
}

/** `r[a:b:c]` with bounds already brought inside: a range again. */
export function rangeSlice(r: PyRange, start: Int, stop: Int, step: Int): PyRange {
  const [a, s, from, to] = [BigInt(r.start), BigInt(r.step), BigInt(start), BigInt(stop)];
  return makeRange(canonical(a + s * from), canonical(a + s * to), canonical(s * BigInt(step)));
}

export const RANGE_METHODS: ReadonlyMap<string, Method> = new Map<string, Method>([
  [
    "count",
    (self: PyRange, args, kwargs) => {
      const item = oneArg("range.count", args, kwargs);
      if (isInt(item)) return rangeHas(self, Number.isInteger(item) ? (item as number) : BigInt(item)) ? 1 : 0;
      return scan(self, item, true);
    },
  ],
  [
    "index",
    (self: PyRange, args, kwargs) => {
      const item = oneArg("range.index", args, kwargs);
      const at = isInt(item) ? rangeFind(self, Number.isInteger(item) ? (item as number) : BigInt(item)) : scan(self, item, false);
      if (at === -1) raise("ValueError", isInt(item) ? `${repr(item)} is not in range` : "sequence.index(x): x not in sequence");
      return at;
    },
  ],
]);

export const RANGE_PROPERTIES: ReadonlyMap<string, (self: PyRange) => Value> = new Map<string, (self: PyRange) => Value>([
  ["start", (r) => r.start],
  ["stop", (r) => r.stop],
  ["step", (r) => r.step],
]);

function isInt(v: Value): v is number | bigint | boolean {
  return typeof v === "number" || typeof v === "bigint" || typeof v === "boolean";
}

function scan(r: PyRange, item: Value, counting: boolean): number {
  const it = iterate(r);
  let count = 0;
  let at = 0;
  for (let e = it.next(); e !== DONE; e = it.next(), at++) {
    if (!equal(e, item)) continue;
    if (!counting) return at;
    count++;
  }
  return counting ? count : -1;
}
