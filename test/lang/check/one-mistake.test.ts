/**
 * [language 3] Programs as people send them, each with one mistake in it: the checker tells that one, its class, line and
 * column, in words that say what to write; where it has an edit that mends, the program with it compiles.
 */
import { describe, expect, test } from "vitest";
import { applied, snippetsOf, told } from "./told";

const PROGRAMS = snippetsOf("one-mistake.txt");

describe("[language 3] a program with one mistake is told that one", () => {
  test.each(PROGRAMS.map((p) => [p.source, p] as const))("%s", (_, { source, wants }) => {
    expect(wants.length).toBe(1);
    const { diagnostics, all } = told(source);
    expect(all).toEqual(wants);
    for (const d of diagnostics) {
      if (d.fix === undefined || d.fix.includes("<name>")) continue;
      expect([applied(source, d), told(applied(source, d)).diagnostics]).toEqual([applied(source, d), []]);
    }
  });

  test("a hundred and more of them, of which many are mended by one edit", () => {
    expect(new Set(PROGRAMS.map((p) => p.source)).size).toBeGreaterThanOrEqual(120);
    expect(new Set(PROGRAMS.flatMap((p) => p.wants.map((w) => w.message))).size).toBeGreaterThan(105);
    expect(PROGRAMS.filter((p) => p.wants[0]?.fix !== undefined).length).toBeGreaterThan(35);
  });
});
