/** Each item of the security checklist is named by a test, or it is said here why not. */
import { describe, expect, it } from "vitest";
import { sourceFiles } from "./sources";

/** Not for this part of the service. */
const ELSEWHERE: Readonly<Record<string, readonly number[]>> = {
  "the dashboard and its tokens": [18, 27, 28, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60],
  "the released programs": [61, 62],
  "measured by hand, in bench/RESULTS.md": [42],
};

describe("the checklist", () => {
  const named = new Set(
    sourceFiles(["test"], /\.test\.ts$/).flatMap((file) => [...file.text.matchAll(/\[C7\.(\d+)\]/g)].map((one) => Number(one[1]))),
  );

  it("[coverage] has a test for each of its 64 items, but for those of other parts", () => {
    const elsewhere = Object.values(ELSEWHERE).flat();
    expect(Array.from({ length: 64 }, (_, i) => i + 1).filter((n) => !named.has(n) && !elsewhere.includes(n))).toEqual([]);
    expect(elsewhere.filter((n) => named.has(n))).toEqual([]);
    expect([...named].filter((n) => n < 1 || n > 64)).toEqual([]);
  });
});
