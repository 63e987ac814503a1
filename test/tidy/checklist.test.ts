/**
 * Each item of the security checklist, each report of what went wrong elsewhere, each kind of request that clients send and each
 * step that clients are taken through is named by a test, or it is said here whose it is.
 */
import { describe, expect, it } from "vitest";
import { sourceFiles } from "./sources";

/** Of the 82 reports of other services' users. */
const REPORTS_ELSEWHERE: Readonly<Record<string, readonly number[]>> = {
  "the documentation and the programs that make keys": [30, 32, 65],
  "measured by hand, in bench/RESULTS.md": [60],
  "the store's own tests: faults, times, sizes, kills": [58, 61, 66, 67, 68, 69, 70, 71, 72, 78, 80, 81],
  "snapshots, and passwords": [54, 82],
};

const TESTS = sourceFiles(["test"], /\.test\.ts$/).map((file) => file.text);
const numbersIn = (pattern: RegExp) => new Set(TESTS.flatMap((text) => [...text.matchAll(pattern)].map((one) => Number(one[1]))));

const CLIENT_ROWS = sourceFiles(["test/worker"], /^client-rows\.test\.ts$/)[0].text;
const ROWS = [...CLIENT_ROWS.matchAll(/\brow: (\d+),/g)].map((one) => Number(one[1]));

describe("the checklists", () => {
  it.each([
    ["security", 64, numbersIn(/\[C7\.(\d+)\]/g), {}],
    ["reports", 82, numbersIn(/\[A\d\.(\d+)\]/g), REPORTS_ELSEWHERE],
    ["steps of clients", 11, numbersIn(/\[B7\.(\d+)\]/g), {}],
    // The rows are data, their numbers with them.
    ["requests of clients", 14, new Set(ROWS), {}],
  ] as const)("[coverage] %s: of its %i items each is named by a test, or is another part's", (_, count, named, others) => {
    const elsewhere = Object.values(others).flat();
    expect(Array.from({ length: count }, (_item, i) => i + 1).filter((n) => !named.has(n) && !elsewhere.includes(n))).toEqual([]);
    expect([...named].filter((n) => n < 1 || n > count)).toEqual([]);
  });
});
