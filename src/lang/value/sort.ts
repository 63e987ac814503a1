/**
 * Sorting as CPython 3.11's list.sort: stable, and comparing the same pairs in the same order wherever that can show.
 *
 * For a total order every stable sort gives one answer, so ints and texts take the platform's (a typed array for ints).
 * Everything else (NaN, sets, mixed types that raise half way) goes through a port of the algorithm itself: runs, binary
 * insertion, galloping merges, the powersort merge order of 3.11.
 */
import { Float } from "../../datum";
import { ended, startValue } from "./call";
import { checkJoined, spendSteps } from "./meter";
import { Pending, type Work } from "./pending";
import { equal } from "./protocol-equal";
import { lessThan } from "./protocol-order";
import { listSort } from "./sort-merge";
import { strCompare } from "./str";
import { PyNative, PyTuple, type Value } from "./value";

/** A new sorted array; `reverse` keeps stability. */
export function sortValues(values: readonly Value[], reverse = false): Value[] {
  checkJoined(0, values.length);
  spendSort(values.length);
  return sortPlain(values, reverse) ?? inOrder(values, placesOf(values, reverse));
}

/** `key=` and `reverse=`. */
export interface SortArguments {
  readonly key: Value;
  readonly reverse: boolean;
}
/** The same by `keys`, which are made here: the function is called once an element, in order. */
export function* sortKeyed(values: readonly Value[], { key, reverse }: SortArguments, keys: Value[]): Work<Value[]> {
  const n = values.length;
  checkJoined(0, n);
  for (let i = 0; i < n; i++) {
    let k = startValue(key, [values[i]]);
    if (k instanceof Pending) k = yield* ended(k);
    keys.push(k);
  }
  spendSort(n);
  return inOrder(values, keys.some(isAsked) ? yield* placesAsked(keys, reverse) : placesOf(keys, reverse));
}
/** The same by keys that are there. */
export function sortByKeys<T>(values: readonly T[], keys: readonly Value[], reverse: boolean): T[] {
  checkJoined(0, values.length);
  spendSort(values.length);
  return inOrder(values, placesOf(keys, reverse));
}

function spendSort(n: number): void {
  spendSteps(n * Math.ceil(Math.log2(n + 1)));
}
function inOrder<T>(values: readonly T[], places: readonly number[]): T[] {
  return places.map((i) => values[i]);
}
function unsorted(n: number, reverse: boolean): number[] {
  const order: number[] = new Array(n);
  for (let i = 0; i < n; i++) order[i] = reverse ? n - 1 - i : i;
  return order;
}

/** The places of the keys, least key first (`reverse`: last). */
function placesOf(keys: readonly Value[], reverse: boolean): number[] {
  const order = unsorted(keys.length, reverse);
  if (allInts(keys)) sortByInts(order, keys as readonly number[], reverse);
  else if (allFlatTexts(keys)) order.sort((i, j) => (keys[i] === keys[j] ? 0 : (keys[i] as string) < (keys[j] as string) ? -1 : 1));
  else if (allTuples(keys)) listSort(order, (i, j) => tupleLess((keys[i] as PyTuple).a, (keys[j] as PyTuple).a));
  else listSort(order, (i, j) => lessThan(keys[i], keys[j]));
  return reverse ? order.reverse() : order;
}

function isAsked(key: Value): boolean {
  return key instanceof PyNative && key.startLess !== undefined;
}
class Unanswered {
  constructor(readonly question: Pending) {}
}
/**
 * Places by keys whose order a function of the program decides (`cmp_to_key`). The sort itself cannot be left half way:
 * where an answer has to wait, it is done again from its start with the answers there are, which are given in order.
 */
function* placesAsked(keys: readonly Value[], reverse: boolean): Work<number[]> {
  const answers: boolean[] = [];
  for (;;) {
    const order = unsorted(keys.length, reverse);
    let asked = 0;
    const less = (i: number, j: number): boolean => {
      if (asked === answers.length) answers.push(answered(keys[i], keys[j]));
      return answers[asked++];
    };
    try {
      listSort(order, less);
      return reverse ? order.reverse() : order;
    } catch (thrown) {
      if (!(thrown instanceof Unanswered)) throw thrown;
      answers.push((yield* ended(thrown.question)) === true);
    }
  }
}
function answered(a: Value, b: Value): boolean {
  if (!(a instanceof PyNative) || a.startLess === undefined) return lessThan(a, b);
  const answer = a.startLess(b);
  if (answer instanceof Pending) throw new Unanswered(answer);
  return answer === true;
}

/** Above this the product of a key and the count is not surely taken apart again by a division of doubles. */
const PACKED_MAX = 2 ** 51;

/** Sorts places by their int keys. Small keys are packed with their places into doubles, which a typed array sorts. */
function sortByInts(order: number[], keys: readonly number[], reverse: boolean): void {
  const n = order.length;
  let largest = 1;
  for (const k of keys) largest = Math.max(largest, Math.abs(k));
  if (n * (largest + 1) > PACKED_MAX) {
    order.sort((i, j) => keys[i] - keys[j]);
    return;
  }
  const packed = new Float64Array(n);
  for (let i = 0; i < n; i++) packed[i] = keys[order[i]] * n + i;
  packed.sort();
  for (let i = 0; i < n; i++) {
    const place = packed[i] - Math.floor(packed[i] / n) * n;
    order[i] = reverse ? n - 1 - place : place;
  }
}

function allTuples(values: readonly Value[]): boolean {
  for (const v of values) if (!(v instanceof PyTuple)) return false;
  return true;
}

/** `a < b` of two tuples: ints and texts at once, the rest by the protocol. */
function tupleLess(a: readonly Value[], b: readonly Value[]): boolean {
  const n = Math.min(a.length, b.length);
  for (let i = 0; i < n; i++) {
    const x = a[i];
    const y = b[i];
    if (x === y) continue;
    if (typeof x === "number" && typeof y === "number") return x < y;
    if (typeof x === "string" && typeof y === "string") return strCompare(x, y) < 0;
    if (!equal(x, y)) return lessThan(x, y);
  }
  return a.length < b.length;
}

/** The whole sort where equals cannot be told apart or the platform's stable sort keeps them; null where it may not. */
function sortPlain(values: readonly Value[], reverse: boolean): Value[] | null {
  if (allInts(values)) {
    const sorted = new Float64Array(values.length);
    for (let i = 0; i < sorted.length; i++) sorted[i] = values[i] as number;
    sorted.sort();
    const out: Value[] = new Array(sorted.length);
    for (let i = 0, last = sorted.length - 1; i <= last; i++) out[i] = sorted[reverse ? last - i : i];
    return out;
  }
  if (allFlatTexts(values)) {
    const sorted: Value[] = (values.slice() as string[]).sort();
    return reverse ? sorted.reverse() : sorted;
  }
  if (allOrdinaryFloats(values)) return (values.slice() as Float[]).sort(reverse ? (x, y) => y.v - x.v : (x, y) => x.v - y.v);
  return null;
}

function allInts(values: readonly Value[]): boolean {
  for (const v of values) if (typeof v !== "number") return false;
  return true;
}

/** Texts whose UTF-16 order is the order of their code points: none of them has a surrogate pair. */
function allFlatTexts(values: readonly Value[]): boolean {
  for (const v of values) if (typeof v !== "string" || /[\ud800-\udfff]/.test(v)) return false;
  return true;
}

/** Finite, and neither NaN; infinities would subtract to NaN. The comparator is stable, so zeros keep their order. */
function allOrdinaryFloats(values: readonly Value[]): boolean {
  for (const v of values) if (!(v instanceof Float) || !Number.isFinite(v.v)) return false;
  return true;
}
