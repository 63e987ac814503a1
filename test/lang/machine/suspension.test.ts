/** [3] A program can be left before any statement, also inside what a builtin calls or walks; nothing holds it for long. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { runProgram, startProgram } from "./run-program";

const WAITING = join(import.meta.dirname, "../../testdata/lang/waiting");

describe("[3] callbacks and generators", () => {
  const source = readFileSync(`${WAITING}.py`, "utf8");
  const want = readFileSync(`${WAITING}.out`, "utf8");
  const whole = runProgram(source, { slice: 200_000 });
  test.each([1, 2, 7, 200_000])("output, ops and steps are the same in slices of %d", (slice) => {
    const cut = runProgram(source, { slice });
    expect(cut.ending).toEqual({ tag: "completed" });
    expect(cut.out).toBe(want);
    expect([cut.ops, cut.execution!.steps]).toEqual([whole.ops, whole.execution!.steps]);
  });
});
