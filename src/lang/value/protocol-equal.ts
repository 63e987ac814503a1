/** `==` and `is` of every value. Containers compare elements by identity first, as CPython does (a NaN in a list). */
import { Bytes, Complex, Datetime, Duration, Float, Subject } from "../../datum";
import { Refusal } from "../../failure";
import { VALUE_DEPTH_MAX } from "../../limits";
import { BoundMethod } from "./builtin-function";
import { PyDict, PyDictView } from "./dict";
import { spendSteps } from "./meter";
import { hashKey } from "./protocol-hash";
import { isSet, isSubset, setOf } from "./set";
import { PyList, PyNative, PyOpaque, PyRange, PySlice, PyTuple, type Value } from "./value";

/** `a == b`. */
export function equal(a: Value, b: Value): boolean {
  return equalAt(a, b, 0);
}

/** `a is b`. Ints and texts of one value are one object here; so is the empty tuple. */
export function identical(a: Value, b: Value): boolean {
  return a === b || (a instanceof PyTuple && b instanceof PyTuple && a.a.length === 0 && b.a.length === 0 && a.typeName === b.typeName);
}

function equalAt(a: Value, b: Value, depth: number): boolean {
  switch (typeof a) {
    case "string":
      return a === b;
    case "number":
    case "bigint":
      return equalNumber(a, b);
    case "boolean":
      return equalNumber(a ? 1 : 0, b);
  }
  if (a === null || b === null) return a === b;
  if (a instanceof Float) {
    if (b instanceof Float) return a.v === b.v;
    if (b instanceof Complex) return b.im === 0 && b.re === a.v;
    return isInt(b) && equalNumber(plain(b), a);
  }
  if (a instanceof PyList) return b instanceof PyList && equalArrays(a.a, b.a, depth);
  if (a instanceof PyTuple) return b instanceof PyTuple && equalArrays(a.a, b.a, depth);
  if (a instanceof PyDict) {
    if (b instanceof PyDict) return a.equalTo(b) ?? b.equalTo(a) ?? equalDicts(a, b, depth);
    return b instanceof PyNative && b.equals(a);
  }
  if (isSet(a)) {
    spendSteps(a.size);
    if (isSet(b)) return a.size === b.size && isSubset(a, b);
    if (b instanceof PyDictView) return b.kind !== "values" && equalToView(b, a);
    return b instanceof PyNative && b.equals(a);
  }
  if (a instanceof Bytes) return b instanceof Bytes && equalBytes(a.b, b.b);
  if (a instanceof Complex) {
    if (b instanceof Complex) return a.re === b.re && a.im === b.im;
    if (a.im !== 0) return false;
    return b instanceof Float ? a.re === b.v : isInt(b) && equalNumber(plain(b), new Float(a.re));
  }
  if (a instanceof Datetime) return b instanceof Datetime && a.micros === b.micros;
  if (a instanceof Duration) return b instanceof Duration && a.micros === b.micros;
  if (a instanceof Subject) return b instanceof Subject && a.kind === b.kind && a.name === b.name;
  if (a instanceof PyRange) return b instanceof PyRange && hashKey(a) === hashKey(b);
  if (a instanceof PySlice) return b instanceof PySlice && equalArrays([a.start, a.stop, a.step], [b.start, b.stop, b.step], depth);
  if (a instanceof PyDictView && a.kind !== "values") {
    if (a === b) return true;
    if (b instanceof PyNative) return b.equals(a);
    return (isSet(b) || (b instanceof PyDictView && b.kind !== "values")) && equalToView(a, b);
  }
  if (a instanceof PyOpaque || a instanceof PyNative) return a.equals(b);
  if (b instanceof PyNative) return b.equals(a);
  if (a instanceof BoundMethod) return b instanceof BoundMethod && a.name === b.name && identical(a.self, b.self);
  return a === b;
}

function isInt(v: Value): v is number | bigint | boolean {
  return typeof v === "number" || typeof v === "bigint" || typeof v === "boolean";
}

const plain = (v: number | bigint | boolean): number | bigint => (typeof v === "boolean" ? (v ? 1 : 0) : v);

function equalNumber(a: number | bigint, b: Value): boolean {
  switch (typeof b) {
    case "number":
    case "bigint":
      return a === b;
    case "boolean":
      return a === (b ? 1 : 0);
  }
  if (b instanceof Float) return sameNumber(a, b.v);
  if (b instanceof Complex) return b.im === 0 && sameNumber(a, b.re);
  if (b instanceof PyNative) return b.equals(a);
  return false;
}

/** JavaScript orders a bigint and a number exactly, so neither being less is equality (NaN apart). */
function sameNumber(a: number | bigint, x: number): boolean {
  return typeof a === "bigint" ? a <= x && a >= x : a === x;
}

/** From this depth on, pairs found equal are remembered: lists that share their parts would else be compared once for every path to them. */
const SHARED_DEPTH = 8;
/** Pairs remembered at once. What shares its parts so that it matters has few of them. */
const SHARED_PAIRS_MAX = 10_000;
/** Of the part under comparison at `SHARED_DEPTH`; dropped with it, because lists change. */
let foundEqual = new Map<readonly Value[], readonly Value[]>();

function equalArrays(a: readonly Value[], b: readonly Value[], depth: number): boolean {
  if (a.length !== b.length) return false;
  deeper(depth);
  if (depth < SHARED_DEPTH) return equalElements(a, b, depth);
  if (depth === SHARED_DEPTH) {
    if (foundEqual.size > 0) foundEqual = new Map();
    return equalElements(a, b, depth);
  }
  if (foundEqual.get(a) === b) return true;
  if (!equalElements(a, b, depth)) return false;
  if (a.length > 0 && foundEqual.size < SHARED_PAIRS_MAX) foundEqual.set(a, b);
  return true;
}

function equalElements(a: readonly Value[], b: readonly Value[], depth: number): boolean {
  spendSteps(1 + (a.length >> 1));
  for (let i = 0; i < a.length && i < b.length; i++) if (!identical(a[i], b[i]) && !equalAt(a[i], b[i], depth + 1)) return false;
  return a.length === b.length;
}

function equalDicts(a: PyDict, b: PyDict, depth: number): boolean {
  if (a.size !== b.size) return false;
  deeper(depth);
  spendSteps(a.size);
  for (const [canonical, i] of a.index) {
    const j = b.index.get(canonical);
    if (j === undefined) return false;
    const x = a.valueList[i];
    const y = b.valueList[j];
    if (!identical(x, y) && !equalAt(x, y, depth + 1)) return false;
  }
  return true;
}

function equalToView(view: PyDictView, other: Value): boolean {
  if (view.kind === "keys") {
    const map = isSet(other) ? other.map : other instanceof PyDictView && other.kind === "keys" ? other.dict.index : null;
    if (map !== null) {
      if (map.size !== view.dict.size) return false;
      for (const key of view.dict.index.keys()) if (!map.has(key)) return false;
      return true;
    }
  }
  const mine = view.kind === "keys" ? view.dict.keys() : view.dict.entries().map((e): Value => new PyTuple(e));
  const theirs = isSet(other) ? other.size : (other as PyDictView).dict.size;
  if (mine.length !== theirs) return false;
  if (isSet(other)) return mine.every((e) => other.map.has(hashKey(e)));
  const view2 = other as PyDictView;
  if (view.kind === "items" && view2.kind === "items") return equalAt(view.dict, view2.dict, 0);
  const set = setOf(view2.kind === "keys" ? view2.dict.keys() : view2.dict.entries().map((e): Value => new PyTuple(e)));
  return mine.every((e) => set.map.has(hashKey(e)));
}

function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  spendSteps(a.length >> 4);
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

/** CPython raises RecursionError near 1,000; ours is a limit of its own (limits.ts). */
export function deeper(depth: number): void {
  if (depth > VALUE_DEPTH_MAX) throw new Refusal("limit_exceeded", `a value nested deeper than ${VALUE_DEPTH_MAX} is past the limit`);
}
