/**
 * A long sort by a total order, which can be left half way: parts that the platform sorts at once are merged pair by pair.
 * For a total order every stable sort gives one answer, so this is only another way to it.
 */
import type { Work } from "./pending";
import { type SortPace, STRETCH } from "./sort-pace";

/** Elements that are sorted at once: a millisecond or two. */
export const PART = 4096;
/** The same of numbers in a typed array, where no function compares. */
export const PART_NUMBERS = 65536;

type Numbers = Int32Array | Float64Array;
type Sortable = unknown[] | Numbers;

/**
 * `a` in order, which is used up: the result is `a` or another. `sortPart` sorts [low, high) of it in place, keeping the order
 * of equals.
 */
export function* sortedInParts<A extends Sortable>(
  a: A,
  sortPart: (a: A, low: number, high: number) => void,
  compare: (x: A[number], y: A[number]) => number,
  pace: SortPace,
): Work<A> {
  const n = a.length;
  const part = Array.isArray(a) ? PART : PART_NUMBERS;
  for (let low = 0; low < n; low += part) {
    const high = Math.min(low + part, n);
    sortPart(a, low, high);
    if (pace.mustWait((high - low) * Math.log2(part))) yield;
  }
  if (n <= part) return a;
  let from = a;
  let to = a.slice() as A;
  for (let width = part; width < n; width *= 2) {
    for (let low = 0; low < n; low += 2 * width)
      yield* merged(from, to, low, Math.min(low + width, n), Math.min(low + 2 * width, n), compare, pace);
    [from, to] = [to, from];
  }
  return from;
}

/** Numbers in order, which are used up. */
export function* sortedNumbers<A extends Numbers>(a: A, pace: SortPace): Work<A> {
  return yield* sortedInParts<A>(a, sortNumbers, byNumber, pace);
}
function sortNumbers(a: Numbers, low: number, high: number): void {
  a.subarray(low, high).sort();
}
function byNumber(x: number, y: number): number {
  return x - y;
}

/** Merges [low, middle) and [middle, high) of `from` into `to`. */
function* merged<A extends Sortable>(
  from: A,
  to: A,
  low: number,
  middle: number,
  high: number,
  compare: (x: A[number], y: A[number]) => number,
  pace: SortPace,
): Work<void> {
  // In order as they stand, as they are where all was.
  const apart = middle === high || compare(from[middle - 1], from[middle]) <= 0;
  let i = low;
  let j = middle;
  for (let k = low; k < high; ) {
    const stop = Math.min(k + STRETCH, high);
    if (apart) for (; k < stop; k++) to[k] = from[k];
    else for (; k < stop; k++) to[k] = i < middle && (j === high || compare(from[i], from[j]) <= 0) ? from[i++] : from[j++];
    if (pace.mustWait(STRETCH)) yield;
  }
}
