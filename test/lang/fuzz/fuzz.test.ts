/**
 * [0] Programs at random end and print as CPython 3.11 recorded them, however the run is cut.
 *
 * `npx tsx test/lang/fuzz/compare.ts 1 320 --record` writes the expectations anew, with CPython at hand.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { generate } from "./generate";
import { outcomeOf } from "./outcome";

const RECORDED = readFileSync(join(import.meta.dirname, "../../testdata/fuzz/recorded.jsonl"), "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as { readonly seed: number; readonly out: string; readonly ending: string });
const GROUP = 20;

describe("[0] programs at random", () => {
  test("there are some, and most of them end well", () => {
    expect(RECORDED.length).toBeGreaterThan(290);
    expect(RECORDED.filter((r) => r.ending === "completed").length).toBeGreaterThan(250);
  });
  for (let at = 0; at < RECORDED.length; at += GROUP) {
    const group = RECORDED.slice(at, at + GROUP);
    test(`seeds ${group[0]!.seed} to ${group[group.length - 1]!.seed}`, () => {
      for (const { seed, out, ending } of group) {
        const source = generate(seed);
        expect({ seed, source, ...outcomeOf(source) }).toEqual({ seed, source, out, ending });
        expect({ seed, source, ...outcomeOf(source, 1 + (seed % 7)) }).toEqual({ seed, source, out, ending });
      }
    });
  }
});
