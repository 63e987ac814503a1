/**
 * Random rules under random changes against the naive twin. What fails is shrunk and told as a sequence.
 * `TWIN_SEEDS=1,10000 npx vitest run --project pure test/engine/rule-store-twin.test.ts` runs as many as wanted.
 */
import { expect, test } from "vitest";
import { runSequence, type SequenceCounts } from "./rule-store-twin";

const [first, last] = process.env["TWIN_SEEDS"]?.split(",").map(Number) ?? [1, 100];
const STATEMENTS = 14;
const FAILED_MAX = 3;

test("[rules] conclusions, diff lines, judgement, proofs and constraints agree with the twin over random changes", { timeout: 0 }, () => {
  const total: SequenceCounts = { concluded: 0, told: 0, proved: 0, known: 0, breached: 0, refused: 0, cut: 0 };
  const failed: string[] = [];
  for (let seed = first!; seed <= last! && failed.length < FAILED_MAX; seed++) {
    try {
      const counts = runSequence(seed, STATEMENTS);
      for (const key of Object.keys(counts) as (keyof SequenceCounts)[]) total[key] += counts[key];
    } catch (problem) {
      failed.push((problem as Error).message);
    }
  }
  expect(failed.join("\n\n")).toBe("");
  const count = last! - first! + 1;
  expect(total.concluded, "conclusions compared").toBeGreaterThan(20 * count);
  expect(total.told, "lines of diff compared").toBeGreaterThan(count);
  expect(total.proved, "nodes of proofs walked").toBeGreaterThan(5 * count);
  expect(total.known, "reads by known_at").toBeGreaterThan(count);
  expect(total.cut, "sequences cut short").toBeLessThan(Math.max(1, count / 10));
});

test("[rules] seed 2075, whose rules conclude ever longer texts, ends as refused by the store and not as a difference", () => {
  expect(runSequence(2075, STATEMENTS).cut).toBe(1);
});

test("[rules] seed 3972, where a rule stops standing behind a value that another goes on concluding", () => {
  expect(runSequence(3972, STATEMENTS).concluded).toBeGreaterThan(0);
});

test("[9.7] seed 15215, where what a branch landed, and stayed open, ceases in what it lands next: its line stays, as between any two statements", () => {
  expect(runSequence(15215, STATEMENTS).told).toBeGreaterThan(0);
});
