/** `<`, `<=`, `>`, `>=` of every value, and CPython's TypeError where there is no order. Sorting is in sort.ts. */
import { Bytes, Datetime, Duration, Float, Subject } from "../../datum";
import { PyDict, PyDictView } from "./dict";
import { raise } from "./exception";
import { spendSteps } from "./meter";
import { deeper, equal, identical } from "./protocol-equal";
import { contains, iterate, length } from "./protocol-iterate";
import { typeName } from "./protocol-type";
import { isSet, isSubset } from "./set";
import { strCompare } from "./str";
import { DONE, PyList, PyNative, PySlice, PyTuple, type Value } from "./value";

export type OrderOp = "<" | "<=" | ">" | ">=";

/** `a op b`. */
export function compare(op: OrderOp, a: Value, b: Value): boolean {
  return compareAt(op, a, b, 0);
}

/** What sorting asks. */
export function lessThan(a: Value, b: Value): boolean {
  if (typeof a === "number" && typeof b === "number") return a < b;
  return compareAt("<", a, b, 0);
}

function holds(op: OrderOp, sign: number): boolean {
  switch (op) {
    case "<":
      return sign < 0;
    case "<=":
      return sign <= 0;
    case ">":
      return sign > 0;
    case ">=":
      return sign >= 0;
  }
}

function compareAt(op: OrderOp, a: Value, b: Value, depth: number): boolean {
  if (typeof a === "string" && typeof b === "string") return holds(op, strCompare(a, b));
  const x = realOf(a);
  const y = realOf(b);
  if (x !== undefined && y !== undefined) {
    // Exact between bigint and number in JavaScript; false with NaN, as Python's.
    switch (op) {
      case "<":
        return x < y;
      case "<=":
        return x <= y;
      case ">":
        return x > y;
      case ">=":
        return x >= y;
    }
  }
  if ((a instanceof PyList && b instanceof PyList) || (a instanceof PyTuple && b instanceof PyTuple))
    return compareArrays(op, a.a, b.a, depth);
  if (a instanceof PySlice && b instanceof PySlice) return compareArrays(op, [a.start, a.stop, a.step], [b.start, b.stop, b.step], depth);
  const setLike = compareSets(op, a, b);
  if (setLike !== undefined) return setLike;
  if (a instanceof Bytes && b instanceof Bytes) return holds(op, bytesCompare(a.b, b.b));
  if (a instanceof Datetime && b instanceof Datetime) return holds(op, a.micros - b.micros);
  if (a instanceof Duration && b instanceof Duration) return holds(op, a.micros - b.micros);
  if (a instanceof Subject && b instanceof Subject) return holds(op, strCompare(a.kind, b.kind) || strCompare(a.name, b.name));
  if ((a instanceof PyNative || a instanceof PyDict) && a.binary !== undefined) {
    const answer = a.binary(op, b, false);
    if (answer !== undefined) return answer === true;
  }
  if ((b instanceof PyNative || b instanceof PyDict) && b.binary !== undefined) {
    const answer = b.binary(MIRROR[op], a, true);
    if (answer !== undefined) return answer === true;
  }
  raise("TypeError", `'${op}' not supported between instances of '${typeName(a)}' and '${typeName(b)}'`);
}

const MIRROR: Readonly<Record<OrderOp, OrderOp>> = { "<": ">", "<=": ">=", ">": "<", ">=": "<=" };

function realOf(v: Value): number | bigint | undefined {
  switch (typeof v) {
    case "number":
    case "bigint":
      return v;
    case "boolean":
      return v ? 1 : 0;
  }
  return v instanceof Float ? v.v : undefined;
}

/** Lexicographic: the first pair that is neither identical nor equal decides. */
function compareArrays(op: OrderOp, a: readonly Value[], b: readonly Value[], depth: number): boolean {
  deeper(depth);
  const n = Math.min(a.length, b.length);
  let i = 0;
  while (i < n && i < a.length && i < b.length && (identical(a[i], b[i]) || equal(a[i], b[i]))) i++;
  spendSteps(i >> 1);
  if (i >= a.length || i >= b.length) return holds(op, a.length - b.length);
  return compareAt(op, a[i], b[i], depth + 1);
}

/** Inclusion of sets and of the views that act as sets; undefined where they are not both such. */
function compareSets(op: OrderOp, a: Value, b: Value): boolean | undefined {
  if (isSet(a) && isSet(b)) {
    spendSteps(Math.min(a.size, b.size));
    switch (op) {
      case "<":
        return a.size < b.size && isSubset(a, b);
      case "<=":
        return isSubset(a, b);
      case ">":
        return b.size < a.size && isSubset(b, a);
      case ">=":
        return isSubset(b, a);
    }
  }
  const viewA = a instanceof PyDictView && a.kind !== "values";
  const viewB = b instanceof PyDictView && b.kind !== "values";
  if (!(viewA || viewB) || !(viewA || isSet(a)) || !(viewB || isSet(b))) return undefined;
  const m = length(a);
  const n = length(b);
  switch (op) {
    case "<":
      return m < n && allIn(a, b);
    case "<=":
      return m <= n && allIn(a, b);
    case ">":
      return m > n && allIn(b, a);
    case ">=":
      return m >= n && allIn(b, a);
  }
}
function allIn(a: Value, b: Value): boolean {
  const it = iterate(a);
  for (let e = it.next(); e !== DONE; e = it.next()) {
    spendSteps(1);
    if (!contains(b, e)) return false;
  }
  return true;
}

/** Order of bytes: negative, 0, positive. */
export function bytesCompare(a: Uint8Array, b: Uint8Array): number {
  const n = Math.min(a.length, b.length);
  for (let i = 0; i < n; i++) if (a[i] !== b[i]) return a[i] - b[i];
  return a.length - b.length;
}
