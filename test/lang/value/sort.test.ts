/** [2] Sorting is stable and by value, whatever way the keys take: counted, packed or compared, forwards and back. */
import { describe, expect, test } from "vitest";
import { seeded } from "../../../scripts/seeded.mjs";
import { sortByKeys, sortValues } from "../../../src/lang/value/sort";

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
});
