/** No statement of the contract is without a test that is there: docs/contract-coverage.md. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { COVERAGE, coverageText, readSentences, sectionsOf } from "../../scripts/contract-coverage.mjs";
import { ROOT } from "./sources";

/** The contract's sections and how many statements each makes, counted once from its text. */
const STATEMENTS: Readonly<Record<string, number>> = {
  2: 16,
  3: 17,
  3.1: 12,
  4: 2,
  4.1: 31,
  4.2: 32,
  5: 49,
  6: 67,
  6.1: 15,
  7: 7,
  8: 16,
  8.1: 18,
  9.1: 4,
  9.2: 9,
  "9.2.1": 9,
  9.3: 13,
  9.4: 16,
  9.5: 9,
  9.6: 19,
  9.7: 80,
  9.8: 19,
  9.9: 16,
};

const sentences = readSentences();

describe("the contract", () => {
  it("[coverage] has every statement of every section in the list, in order", () => {
    const listed = [...sectionsOf(sentences)].map(([section, list]) => [section, list.map((one) => one.id)]);
    const wanted = Object.entries(STATEMENTS).map(([section, count]) => [
      section,
      Array.from({ length: count }, (_, i) => `${section}:${i + 1}`),
    ]);
    expect(Object.fromEntries(listed)).toEqual(Object.fromEntries(wanted));
  });

  it("[coverage] has for each statement a test, of what it says or of the refusal of what it is of, or says that it is advice", () => {
    for (const one of sentences) {
      const { id, says, state, tests, of } = one;
      expect(says, id).toMatch(/\S/);
      expect(["tested", "refused", "advice"], id).toContain(state);
      expect((tests ?? []).length > 0, id).toBe(state !== "advice");
      expect(of !== undefined, id).toBe(state === "refused");
    }
  });

  it("[coverage] names only tests that are there", () => {
    const texts = new Map<string, string | null>();
    const missing: string[] = [];
    for (const { id, tests = [] } of sentences) {
      for (const named of tests) {
        const [file, piece] = named.split(" › ") as [string, string];
        const path = join(ROOT, "test", `${file}.test.ts`);
        if (!texts.has(file)) texts.set(file, existsSync(path) ? readFileSync(path, "utf8") : null);
        if (piece === undefined || texts.get(file)?.includes(piece) !== true) missing.push(`${id}: ${named}`);
      }
    }
    expect(missing).toEqual([]);
  });

  it("[coverage] is told in docs as the list has it: node scripts/contract-coverage.mjs writes it", () => {
    expect(readFileSync(join(ROOT, COVERAGE), "utf8")).toBe(coverageText(sentences));
  });
});
