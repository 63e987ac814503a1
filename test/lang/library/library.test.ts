/** The served modules against answers recorded from CPython 3.11 (scripts/library-cases.py). */
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { LIBRARY } from "../../../src/lang/library/library";
import { exceptionOf } from "../../../src/lang/value/exception";
import { exceptionText, repr } from "../../../src/lang/value/protocol-text";
import { PyModule, type Value } from "../../../src/lang/value/value";
import { evaluate } from "../value/evaluate";

const names: Record<string, Value> = Object.fromEntries([...LIBRARY].map(([name, members]) => [name, new PyModule(name, members)]));

function outcome(source: string): string {
  try {
    return repr(evaluate(source, names));
  } catch (thrown) {
    const e = exceptionOf(thrown);
    if (e === null) throw thrown;
    return `${e.className}: ${exceptionText(e)}`;
  }
}

const folder = new URL("../../testdata/library/", import.meta.url);
describe.each(readdirSync(folder).filter((name) => name.endsWith(".jsonl")))("%s", (file) => {
  const cases = readFileSync(new URL(file, folder), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as [string, string]);
  test(`[6] ${file.replace(".jsonl", "")} answers as CPython 3.11`, () => {
    const wrong = cases.map(([source, want]) => ({ source, want, got: outcome(source) })).filter(({ want, got }) => want !== got);
    expect(wrong).toEqual([]);
    expect(cases.length).toBeGreaterThan(5);
  });
});
