/** [2] Sorting is stable and by value, whatever way the keys take: counted, packed or compared, forwards and back. */
import { describe, expect, test } from "vitest";
import { seeded } from "../../../scripts/seeded.mjs";
import { Float } from "../../../src/datum";
import { Builtin } from "../../../src/lang/value/builtin-function";
import { meter } from "../../../src/lang/value/meter";
import { sortByKeys, sortingValues, sortKeyed, sortValues } from "../../../src/lang/value/sort";
import { PyList, PyTuple, type Value } from "../../../src/lang/value/value";

/** How far apart the keys are, and from where. */
const SPANS: readonly (readonly [name: string, least: number, span: number])[] = [
  ["one value", 5, 1],
  ["few values", -3, 7],
  ["as many values as keys", 0, 300],
  ["32 bits", -(2 ** 31), 2 ** 32],
  ["past 32 bits", 2 ** 33, 2 ** 20],
  ["all ints that are doubles", -(2 ** 53) + 1, 2 ** 54 - 2],
];

describe("[2] sort", () => {
  test.each(SPANS)("ints: %s", (_name, least, span) => {
    const { next } = seeded(span % 1000);
    for (const n of [0, 1, 2, 3, 300]) {
      const keys = Array.from({ length: n }, () => least + Math.floor(next() * span));
      const places = keys.map((_, i) => i);
      const ascending = places.slice().sort((i, j) => (keys[i]! < keys[j]! ? -1 : keys[i]! > keys[j]! ? 1 : i - j));
      const descending = places.slice().sort((i, j) => (keys[i]! > keys[j]! ? -1 : keys[i]! < keys[j]! ? 1 : i - j));
      expect(sortByKeys(places, keys, false)).toEqual(ascending);
      expect(sortByKeys(places, keys, true)).toEqual(descending);
      expect(sortValues(keys)).toEqual(ascending.map((i) => keys[i]));
      expect(sortValues(keys, true)).toEqual(descending.map((i) => keys[i]));
    }
  });
  test("floats with infinities, ints of any size and lists of lists", () => {
    const floats = [1.5, Number.NEGATIVE_INFINITY, 0, Number.POSITIVE_INFINITY, -2, 1.5].map((x) => new Float(x));
    const sorted = [1, 4, 2, 0, 5, 3].map((i) => floats[i]);
    expect(sortValues(floats)).toEqual(sorted);
    expect(sortValues(floats, true)).toEqual([3, 0, 5, 2, 4, 1].map((i) => floats[i]));
    expect(sortValues([5, 2n ** 70n, -(2n ** 70n), 2n ** 53n, 7])).toEqual([-(2n ** 70n), 5, 7, 2n ** 53n, 2n ** 70n]);
    expect(sortValues([2n ** 70n, 5, 2n ** 53n], true)).toEqual([2n ** 70n, 2n ** 53n, 5]);
    const lists = [[2], [1, "b"], [], [1, "a", 3], [1, "a"]].map((a) => new PyList(a));
    expect(sortValues(lists)).toEqual([2, 4, 3, 1, 0].map((i) => lists[i]));
  });
});

describe("[2] a long sort is done in slices, and gives what one in one go gives", () => {
  const N = 20_000;
  const { next } = seeded(7);
  const drawn = Array.from({ length: N }, () => Math.floor(next() * 3 * N));
  const KINDS: readonly (readonly [name: string, of: (x: number, i: number) => Value])[] = [
    ["ints close together", (x) => x],
    ["ints far apart", (x) => x * 1_000_003],
    ["ints of any size", (x) => (x % 3 === 0 ? BigInt(x) * 10n ** 20n : x * 2 ** 36)],
    ["floats", (x) => new Float(x / 7)],
    ["floats and a NaN", (x, i) => new Float(i === 77 ? Number.NaN : x / 7)],
    ["texts", (x) => `a${x}`],
    ["texts beyond U+FFFF", (x) => `\u{1f600}${x}`],
    ["tuples", (x, i) => new PyTuple([x % 100, i % 50])],
    ["in order", (_, i) => i],
    ["texts in order but for one", (_, i) => String((i === 5000 ? 0 : i) + 100_000)],
  ];
  /** The slices it took, cut every 1,000 steps, and the result. */
  function cut(work: Generator<undefined, Value[], undefined>): { slices: number; sorted: Value[] } {
    try {
      for (let slices = 1; ; slices++) {
        meter.sliceEnd = meter.steps + 1000;
        const step = work.next();
        if (step.done === true) return { slices, sorted: step.value };
      }
    } finally {
      meter.sliceEnd = Number.POSITIVE_INFINITY;
    }
  }
  const self = new Builtin("self", ([v]) => v!);
  test.each(KINDS)("%s", (name, of) => {
    const values = drawn.map(of);
    for (const reverse of [false, true]) {
      const before = meter.steps;
      const want = sortValues(values, reverse);
      const steps = meter.steps - before;
      for (const work of [sortingValues(values, reverse), sortKeyed(values, { key: self, reverse }, [])]) {
        const began = meter.steps;
        const { slices, sorted } = cut(work);
        expect(meter.steps - began).toBe(steps);
        // The same objects in the same places: it is stable.
        expect(sorted.every((v, i) => v === want[i])).toBe(true);
        // Of numbers many more are sorted at once.
        if (!name.startsWith("ints") && name !== "in order") expect(slices).toBeGreaterThan(30);
      }
    }
  });
});

test("[2] ints by the hundred thousand are sorted in parts too", () => {
  const { next } = seeded(9);
  for (const far of [1, -1, 2 ** 40]) {
    const values = Array.from({ length: 200_000 }, () => Math.floor(next() * 2 ** 31) * far - 5 * Math.sign(far));
    const want = Float64Array.from(values).sort();
    for (const reverse of [false, true]) {
      let slices = 0;
      const work = sortingValues(values, reverse);
      meter.sliceEnd = 0;
      let step = work.next();
      for (; step.done !== true; step = work.next()) slices++;
      meter.sliceEnd = Number.POSITIVE_INFINITY;
      expect(step.value).toEqual(Array.from(reverse ? want.toReversed() : want));
      expect(slices).toBeGreaterThan(100);
    }
  }
});
