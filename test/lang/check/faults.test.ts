/**
 * [language 3] What the checker tells before the run: each snippet of faults.txt says at its lines what it is told, class,
 * line, column, text and fix, and nothing else may come. Whatever the parser refuses is in test/lang/syntax/faults.txt.
 */
import { describe, expect, test } from "vitest";
import { applied, snippetsOf, told } from "./told";

const SNIPPETS = snippetsOf("faults.txt");

describe("[language 3] what the checker tells", () => {
  test.each(SNIPPETS.map((s) => [s.source, s.wants] as const))("%s", (source, wants) => {
    expect(told(source).all).toEqual(wants);
  });

  test("every fix but the `while` template mends what it is given for, and a lone one makes the source compile", () => {
    let mended = 0;
    for (const { source } of SNIPPETS) {
      const { diagnostics } = told(source);
      for (const d of diagnostics) {
        if (d.fix === undefined || d.fix.includes("<name>")) continue;
        const after = told(applied(source, d)).diagnostics;
        const left = diagnostics.length === 1 ? after : after.filter((x) => x.line === d.line && x.message === d.message);
        expect([source, applied(source, d), left]).toEqual([source, applied(source, d), []]);
        mended++;
      }
    }
    expect(mended).toBeGreaterThan(50);
  });

  test("at least 60 reflexes have a text of their own", () => {
    const texts = new Set(SNIPPETS.flatMap((s) => s.wants.map((w) => w.message)));
    expect(texts.size).toBeGreaterThan(150);
  });
});
