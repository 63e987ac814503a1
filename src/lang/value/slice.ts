/** `slice`: bounds against a length, as CPython's PySlice_Unpack and AdjustIndices, and `slice.indices`. */
import type { Int } from "../../datum";
import { oneArg } from "./arguments";
import type { Method } from "./attribute";
import { raise } from "./exception";
import { indexOf, intOf } from "./index-of";
import { type PySlice, PyTuple, type Value } from "./value";

export interface Bounds {
  readonly start: number;
  readonly stop: number;
  readonly step: number;
  /** How many elements are selected. */
  readonly count: number;
}

/** The bounds of `[start:stop:step]` in a sequence of `length`. */
export function sliceBounds(slice: PySlice, length: number): Bounds {
  const step = slice.step === null ? 1 : clip(boundOf(slice.step));
  if (step === 0) raise("ValueError", "slice step cannot be zero");
  const low = step < 0 ? -1 : 0;
  const high = step < 0 ? length - 1 : length;
  const bound = (v: Value, none: number): number => {
    if (v === null) return none;
    let n = clip(boundOf(v));
    if (n < 0) {
      n += length;
      return n < 0 ? low : n;
    }
    return n >= length ? high : n;
  };
  const start = bound(slice.start, step < 0 ? high : 0);
  const stop = bound(slice.stop, step < 0 ? -1 : length);
  const span = step > 0 ? stop - start : start - stop;
  return { start, stop, step, count: span <= 0 ? 0 : Math.floor((span - 1) / Math.abs(step)) + 1 };
}

/** The same with ints of any size: ranges, and `slice.indices`. */
export function sliceBoundsLong(slice: PySlice, length: Int): { start: Int; stop: Int; step: Int } {
  const n = BigInt(length);
  const step = slice.step === null ? 1n : BigInt(boundOf(slice.step));
  if (step === 0n) raise("ValueError", "slice step cannot be zero");
  const low = step < 0n ? -1n : 0n;
  const high = step < 0n ? n - 1n : n;
  const bound = (v: Value, none: bigint): bigint => {
    if (v === null) return none;
    let b = BigInt(boundOf(v));
    if (b < 0n) {
      b += n;
      return b < low ? low : b;
    }
    return b > high ? high : b;
  };
  const start = bound(slice.start, step < 0n ? high : low);
  const stop = bound(slice.stop, step < 0n ? low : high);
  return { start: canonical(start), stop: canonical(stop), step: canonical(step) };
}

const canonical = (n: bigint): Int => (n >= -9007199254740991n && n <= 9007199254740991n ? Number(n) : n);

function boundOf(v: Value): Int {
  const n = intOf(v);
  if (n !== undefined) return n;
  raise("TypeError", "slice indices must be integers or None or have an __index__ method");
}

/** Far outside every sequence is as good as the exact int. */
function clip(n: Int): number {
  return typeof n === "number" ? n : n > 0n ? Number.MAX_SAFE_INTEGER : Number.MIN_SAFE_INTEGER;
}

export const SLICE_METHODS: ReadonlyMap<string, Method> = new Map<string, Method>([
  [
    "indices",
    (self: PySlice, args, kwargs) => {
      const length = indexOf(oneArg("slice.indices", args, kwargs));
      if (length < 0) raise("ValueError", "length should not be negative");
      const { start, stop, step } = sliceBoundsLong(self, length);
      return new PyTuple([start, stop, step]);
    },
  ],
]);

export const SLICE_PROPERTIES: ReadonlyMap<string, (self: PySlice) => Value> = new Map<string, (self: PySlice) => Value>([
  ["start", (s) => s.start],
  ["stop", (s) => s.stop],
  ["step", (s) => s.step],
]);
