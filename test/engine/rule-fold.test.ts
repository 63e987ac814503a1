/** Sums and averages are exact and rounded once: 400 groups with the answers of Python's exact fractions. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { type Datum, Float } from "../../src/datum";
import { fold } from "../../src/engine/rule-aggregate";
import { RULE_CALCULUS } from "../../src/lang/declare/rule-calculus";

interface Group {
  readonly values: readonly ["i" | "f", string][];
  readonly sum: string | null;
  readonly float: boolean;
  readonly avg: string | null;
}

const GROUPS = readFileSync(new URL("../testdata/engine/rule-folds.jsonl", import.meta.url), "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as Group);

function shown(datum: Datum | undefined): string | null {
  if (datum === undefined) return null;
  return datum instanceof Float ? `${datum.v}f` : String(datum);
}

function int(text: string): number | bigint {
  const value = BigInt(text);
  return Number.isSafeInteger(Number(value)) ? Number(value) : value;
}

test("[rules] sum and avg are the exactly rounded value of the exact sum, in any order", () => {
  for (const group of GROUPS) {
    const values: Datum[] = group.values.map(([kind, text]) => (kind === "f" ? new Float(Number(text)) : int(text)));
    for (const order of [values, [...values].reverse()]) {
      const sum = group.sum === null ? null : group.float ? `${Number(group.sum)}f` : group.sum;
      expect(shown(fold("sum", order, RULE_CALCULUS)), JSON.stringify(group)).toBe(sum);
      expect(shown(fold("avg", order, RULE_CALCULUS)), JSON.stringify(group)).toBe(group.avg === null ? null : `${Number(group.avg)}f`);
    }
  }
});

const float = (v: number) => new Float(v);
const CASES: readonly [string, "count" | "sum" | "min" | "max" | "avg", (Datum | undefined)[], string | null][] = [
  ["count of nothing is 0", "count", [], "0"],
  ["sum of nothing is 0", "sum", [], "0"],
  ["avg of nothing has no value", "avg", [], null],
  ["min of nothing has no value", "min", [], null],
  ["a bool is no number to add", "sum", [1, true], null],
  ["a text is no number to add", "avg", ["a"], null],
  ["avg of ints is a float", "avg", [1, 2], "1.5f"],
  ["ints beyond 2^53 stay exact", "sum", [Number.MAX_SAFE_INTEGER, 1, 1], "9007199254740993"],
  ["of equal values the least in value order", "min", [float(1), 1], "1"],
  ["of equal values the least in value order", "max", [float(1), 1], "1"],
  ["texts have an order", "max", ["a", "b"], "b"],
  ["a text and a number have none", "max", ["a", 1], null],
  ["NaN makes min conclude nothing", "min", [float(Number.NaN), float(1)], null],
  ["an infinity stays one", "sum", [float(Number.POSITIVE_INFINITY), 1], "Infinityf"],
];
for (const [rule, op, values, expected] of CASES) {
  test(`[rules] ${op}: ${rule}`, () => {
    expect(shown(fold(op, values, RULE_CALCULUS))).toBe(expected);
  });
}
