/**
 * [0] Names of the top level that hide builtins and verbs, bound, unbound and deleted in every order: programs drawn at random,
 * with what CPython 3.11 printed.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { runProgram } from "./run-program";

const RECORDED = readFileSync(join(import.meta.dirname, "../../testdata/lang-names/recorded.jsonl"), "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as { readonly source: string; readonly out: string });

describe("[0] names that hide builtins and verbs", () => {
  test("there are some", () => {
    expect(RECORDED.length).toBe(120);
  });
  test.each(RECORDED.map((r, i) => [i, r] as const))("program %i", (_, { source, out }) => {
    const { ending, out: printed } = runProgram(source);
    expect({ source, ending, printed }).toEqual({ source, ending: { tag: "completed" }, printed: out });
  });
});
