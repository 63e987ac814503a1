/**
 * Many ints of 32 bits in order: a radix sort from the least digit on, three digits of eleven bits, which can be left after
 * every few thousand ints. It compares nothing, so it takes the same time whatever the order was.
 */
import type { Work } from "./pending";
import type { SortPace } from "./sort-pace";

const BITS = 11;
const DIGITS = 3;
const RADIX = 1 << BITS;
/** Makes the order of the bits that of the numbers. */
const SIGN = 1 << 31;
/** Ints between two looks at the slice. */
const STRIDE = 4096;
/** What placing an int is worth in comparisons, about: the pace is told as much. */
const WORTH = 2;

/** The ints in order, which are used up: the result is `a` or another. */
export function* sortedInts(a: Int32Array, pace: SortPace): Work<Int32Array> {
  const n = a.length;
  const places = new Int32Array(DIGITS * RADIX);
  for (let low = 0; low < n; low += STRIDE) {
    countDigits(a, low, Math.min(low + STRIDE, n), places);
    if (pace.mustWait(WORTH * STRIDE)) yield;
  }
  let from = a;
  let to: Int32Array = new Int32Array(n);
  for (let digit = 0; digit < DIGITS; digit++) {
    beginnings(places, digit * RADIX);
    for (let low = 0; low < n; low += STRIDE) {
      place(from, to, low, Math.min(low + STRIDE, n), digit, places);
      if (pace.mustWait(WORTH * STRIDE)) yield;
    }
    [from, to] = [to, from];
  }
  return from;
}

/** Adds how often each digit occurs in `a` from `low` to `high`. */
function countDigits(a: Int32Array, low: number, high: number, counts: Int32Array): void {
  for (let i = low; i < high; i++) {
    const bits = a[i] ^ SIGN;
    counts[bits & (RADIX - 1)]++;
    counts[RADIX + ((bits >>> BITS) & (RADIX - 1))]++;
    counts[2 * RADIX + (bits >>> (2 * BITS))]++;
  }
}
/** How often each value of a digit occurs becomes where the first int with it goes. */
function beginnings(counts: Int32Array, base: number): void {
  let next = 0;
  for (let k = base; k < base + RADIX; k++) {
    const count = counts[k];
    counts[k] = next;
    next += count;
  }
}
function place(from: Int32Array, to: Int32Array, low: number, high: number, digit: number, places: Int32Array): void {
  const base = digit * RADIX;
  const shift = digit * BITS;
  for (let i = low; i < high; i++) {
    const v = from[i];
    to[places[base + (((v ^ SIGN) >>> shift) & (RADIX - 1))]++] = v;
  }
}
