/**
 * Sorting as CPython 3.11's list.sort: stable, and comparing the same pairs in the same order wherever that can show.
 *
 * For a total order every stable sort gives one answer, so ints and texts take the platform's (a typed array for ints).
 * Everything else (NaN, sets, mixed types that raise half way) goes through a port of the algorithm itself: runs, binary
 * insertion, galloping merges, the powersort merge order of 3.11.
 */
import { Float } from "../../datum";
import { calledEach, ended } from "./call";
import { checkJoined, spendSteps } from "./meter";
import { Pending, type Work } from "./pending";
import { equal } from "./protocol-equal";
import { lessThan } from "./protocol-order";
import { listSort, listSorting } from "./sort-merge";
import { SortPace, sortSteps } from "./sort-pace";
import { PART, PART_NUMBERS, sortedInParts, sortedNumbers } from "./sort-parts";
import { sortedInts } from "./sort-radix";
import { strCompare } from "./str";
import { PyList, PyNative, PyTuple, type Value } from "./value";

/** Told how the values stand where a comparison raised: CPython's list keeps what was sorted so far. */
type LeftSo = (values: Value[]) => void;

/** A new sorted array, in one go; `reverse` keeps stability. */
export function sortValues(values: readonly Value[], reverse = false, left: LeftSo | null = null): Value[] {
  checkJoined(0, values.length);
  spendSteps(sortSteps(values.length));
  return sortPlain(values, reverse) ?? inOrder(values, placesOf(values, reverse, leftIn(values, left)));
}
/** Whether a sort is long enough to be done in slices. */
export function isLongSort(values: readonly Value[]): boolean {
  const n = values.length;
  return n > PART_NUMBERS || (n > PART && !allInts(values));
}
/** The same in slices. */
export function* sortingValues(values: readonly Value[], reverse: boolean, left: LeftSo | null = null): Work<Value[]> {
  checkJoined(0, values.length);
  const pace = new SortPace(values.length);
  const order = plainOrder(values);
  const sorted =
    order === null
      ? inOrder(values, yield* placing(values, order, reverse, pace, leftIn(values, left)))
      : order === byInt
        ? yield* sortingInts(values as readonly number[], reverse, pace)
        : yield* sortedInParts(values.slice(), sortPart, reverse ? (x, y) => order(y, x) : order, pace);
  pace.end();
  return sorted;
  function sortPart(a: Value[], low: number, high: number): void {
    const part = sortPlain(a.slice(low, high), reverse) as Value[];
    for (let i = low; i < high; i++) a[i] = part[i - low];
  }
}
function* sortingInts(values: readonly number[], reverse: boolean, pace: SortPace): Work<Value[]> {
  const n = values.length;
  const ints = intsIn(values, new Int32Array(n));
  const sorted = ints !== null ? yield* sortedInts(ints, pace) : yield* sortedNumbers(Float64Array.from(values), pace);
  if (reverse) sorted.reverse();
  const out: Value[] = new Array(sorted.length);
  for (let i = 0; i < out.length; i++) out[i] = sorted[i];
  return out;
}

/** `key=` and `reverse=`. */
export interface SortArguments {
  readonly key: Value;
  readonly reverse: boolean;
}
/** The same by `keys`, which are made here: the function is called once an element, in order. */
export function* sortKeyed(
  values: readonly Value[],
  { key, reverse }: SortArguments,
  keys: Value[],
  left: LeftSo | null = null,
): Work<Value[]> {
  const n = values.length;
  checkJoined(0, n);
  yield* calledEach(key, values, keys);
  const order = plainOrder(keys);
  const asked = order === null && keys.some(isAsked);
  if (n > PART && !asked) {
    const pace = new SortPace(n);
    const places = yield* placing(keys, order, reverse, pace, leftIn(values, left));
    pace.end();
    return inOrder(values, places);
  }
  spendSteps(sortSteps(n));
  const leftPlaces = leftIn(values, left);
  return inOrder(values, asked ? yield* placesAsked(keys, reverse, leftPlaces) : placesOf(keys, reverse, leftPlaces));
}
/** The same by keys that are there. */
export function sortByKeys<T>(values: readonly T[], keys: readonly Value[], reverse: boolean): T[] {
  checkJoined(0, values.length);
  spendSteps(sortSteps(values.length));
  return inOrder(values, placesOf(keys, reverse));
}

/** Told of the places instead. */
type LeftPlaces = (places: number[]) => void;
function leftIn(values: readonly Value[], left: LeftSo | null): LeftPlaces | null {
  return left === null ? null : (places) => left(inOrder(values, places));
}
function inOrder<T>(values: readonly T[], places: ArrayLike<number>): T[] {
  const out: T[] = new Array(places.length);
  for (let i = 0; i < out.length; i++) out[i] = values[places[i]];
  return out;
}
function unsorted(n: number, reverse: boolean): number[] {
  const order: number[] = new Array(n);
  for (let i = 0; i < n; i++) order[i] = reverse ? n - 1 - i : i;
  return order;
}

/** What was sorted backwards from its end, as `unsorted` begins it. */
function turned(order: number[], reverse: boolean): number[] {
  return reverse ? order.reverse() : order;
}

/** The places of the keys, least key first (`reverse`: last). */
function placesOf(keys: readonly Value[], reverse: boolean, left: LeftPlaces | null = null): ArrayLike<number> {
  if (allInts(keys)) return placesByInts(keys as readonly number[], reverse);
  const order = unsorted(keys.length, reverse);
  if (allFlatTexts(keys)) order.sort((i, j) => byText(keys[i], keys[j]));
  else
    try {
      listSort(order, lessOf(keys));
    } catch (thrown) {
      left?.(turned(order, reverse));
      throw thrown;
    }
  return turned(order, reverse);
}
/** The same in slices; `order` is the keys' `plainOrder`. */
function* placing(
  keys: readonly Value[],
  order: PlainOrder,
  reverse: boolean,
  pace: SortPace,
  left: LeftPlaces | null,
): Work<ArrayLike<number>> {
  const n = keys.length;
  if (order === byInt) {
    const { least, most } = boundsOf(keys as readonly number[]);
    const span = most - least + 1;
    if (span <= 2 * n) return placesByCount(keys as readonly number[], reverse ? most : least, span, reverse);
    if (n * span <= PACKED_MAX) {
      const packed = packedInts(keys as readonly number[], least, most, reverse);
      return unpacked(yield* sortedNumbers(packed, pace));
    }
  }
  if (order === null) {
    const places = unsorted(n, reverse);
    try {
      yield* listSorting(places, lessOf(keys), pace);
    } catch (thrown) {
      left?.(turned(places, reverse));
      throw thrown;
    }
    return turned(places, reverse);
  }
  const compare = reverse ? (i: number, j: number) => order(keys[j], keys[i]) : (i: number, j: number) => order(keys[i], keys[j]);
  return yield* sortedInParts(
    unsorted(n, false),
    (a, low, high) => {
      const part = a.slice(low, high).sort(compare);
      for (let i = low; i < high; i++) a[i] = part[i - low];
    },
    compare,
    pace,
  );
}
function lessOf(keys: readonly Value[]): (i: number, j: number) => boolean {
  if (allOf(PyTuple, keys) || allOf(PyList, keys))
    return (i, j) => elementsLess((keys[i] as PyTuple | PyList).a, (keys[j] as PyTuple | PyList).a);
  return (i, j) => lessThan(keys[i], keys[j]);
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
function* placesAsked(keys: readonly Value[], reverse: boolean, left: LeftPlaces | null): Work<number[]> {
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
      return turned(order, reverse);
    } catch (thrown) {
      try {
        if (!(thrown instanceof Unanswered)) throw thrown;
        answers.push((yield* ended(thrown.question)) === true);
      } catch (raised) {
        left?.(turned(order, reverse));
        throw raised;
      }
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

/**
 * The places of int keys, in order. Keys close together are counted; others are packed with their places into doubles, which a
 * typed array sorts.
 */
function placesByInts(keys: readonly number[], reverse: boolean): ArrayLike<number> {
  const n = keys.length;
  if (n === 0) return [];
  const { least, most } = boundsOf(keys);
  const span = most - least + 1;
  if (span <= 2 * n) return placesByCount(keys, reverse ? most : least, span, reverse);
  if (n * span <= PACKED_MAX) return unpacked(packedInts(keys, least, most, reverse).sort());
  const order = unsorted(n, false);
  return order.sort(reverse ? (i, j) => keys[j] - keys[i] : (i, j) => keys[i] - keys[j]);
}
function boundsOf(keys: readonly number[]): { least: number; most: number } {
  let least = keys[0];
  let most = least;
  for (let i = 1; i < keys.length; i++) {
    const k = keys[i];
    if (k < least) least = k;
    if (k > most) most = k;
  }
  return { least, most };
}
function packedInts(keys: readonly number[], least: number, most: number, reverse: boolean): Float64Array {
  const n = keys.length;
  const packed = new Float64Array(n);
  for (let i = 0; i < n; i++) packed[i] = (reverse ? most - keys[i] : keys[i] - least) * n + i;
  return packed;
}
function unpacked(packed: Float64Array): Float64Array {
  const n = packed.length;
  for (let i = 0; i < n; i++) packed[i] -= Math.floor(packed[i] / n) * n;
  return packed;
}
/** The same where the keys have no more than `span` values, from `first` on. */
function placesByCount(keys: readonly number[], first: number, span: number, reverse: boolean): ArrayLike<number> {
  const begin = new Int32Array(span + 1);
  const sign = reverse ? -1 : 1;
  for (let i = 0; i < keys.length; i++) begin[sign * (keys[i] - first) + 1]++;
  for (let k = 1; k < span; k++) begin[k] += begin[k - 1];
  const places = new Int32Array(keys.length);
  for (let i = 0; i < keys.length; i++) places[begin[sign * (keys[i] - first)]++] = i;
  return places;
}

function allOf(type: typeof PyTuple | typeof PyList, values: readonly Value[]): boolean {
  for (const v of values) if (!(v instanceof type)) return false;
  return true;
}

/** `a < b` of two tuples or two lists: ints and texts at once, the rest by the protocol. */
function elementsLess(a: readonly Value[], b: readonly Value[]): boolean {
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

type PlainOrder = ((x: Value, y: Value) => number) | null;
/** The order of the values where the platform's stable sorts keep it (`sortPlain`); null where it is the algorithm's own. */
function plainOrder(values: readonly Value[]): PlainOrder {
  if (allInts(values)) return byInt;
  if (allFlatTexts(values)) return byText;
  if (allOrderedFloats(values)) return byFloat as (x: Value, y: Value) => number;
  return allWhole(values) ? (byWhole as (x: Value, y: Value) => number) : null;
}
function byInt(x: Value, y: Value): number {
  return (x as number) - (y as number);
}
function byText(x: Value, y: Value): number {
  return x === y ? 0 : (x as string) < (y as string) ? -1 : 1;
}

/** The whole sort where equals cannot be told apart or the platform's stable sort keeps them; null where it may not. */
function sortPlain(values: readonly Value[], reverse: boolean): Value[] | null {
  if (typeof values[0] === "number") {
    const sorted = intsIn(values, new Int32Array(values.length)) ?? intsIn(values, new Float64Array(values.length));
    if (sorted !== null) {
      sorted.sort();
      if (reverse) sorted.reverse();
      const out: Value[] = new Array(sorted.length);
      for (let i = 0; i < out.length; i++) out[i] = sorted[i];
      return out;
    }
  }
  if (allFlatTexts(values)) {
    const sorted: Value[] = (values.slice() as string[]).sort();
    return reverse ? sorted.reverse() : sorted;
  }
  if (allOrderedFloats(values)) return (values.slice() as Float[]).sort(reverse ? (x, y) => byFloat(y, x) : byFloat);
  if (allWhole(values)) return (values.slice() as (number | bigint)[]).sort(reverse ? (x, y) => byWhole(y, x) : byWhole);
  return null;
}

/** The values, which are ints that the array holds; null where one is not. */
function intsIn<A extends Int32Array | Float64Array>(values: readonly Value[], array: A): A | null {
  for (let i = 0; i < array.length; i++) {
    const v = values[i];
    if (typeof v !== "number") return null;
    array[i] = v;
    if (array[i] !== v) return null;
  }
  return array;
}
function allInts(values: readonly Value[]): boolean {
  for (let i = 0; i < values.length; i++) if (typeof values[i] !== "number") return false;
  return true;
}

/** Texts whose UTF-16 order is the order of their code points: none of them has a surrogate pair. */
function allFlatTexts(values: readonly Value[]): boolean {
  for (const v of values) if (typeof v !== "string" || /[\ud800-\udfff]/.test(v)) return false;
  return true;
}

/** None is NaN, so that the order is total. The platform's sort is stable: zeros keep their order. */
function allOrderedFloats(values: readonly Value[]): boolean {
  for (const v of values) if (!(v instanceof Float) || Number.isNaN(v.v)) return false;
  return true;
}
function byFloat(x: Float, y: Float): number {
  return x.v < y.v ? -1 : x.v > y.v ? 1 : 0;
}
function allWhole(values: readonly Value[]): boolean {
  for (const v of values) if (typeof v !== "number" && typeof v !== "bigint") return false;
  return true;
}
function byWhole(x: number | bigint, y: number | bigint): number {
  return x < y ? -1 : x > y ? 1 : 0;
}
