/** [0] A program that CPython and DKE both accept prints the same bytes, and stops and resumes before any statement. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { runProgram } from "./run-program";

const NAMES = ["parity/programs", "lang"].flatMap((dir) =>
  readdirSync(join(import.meta.dirname, "../../testdata", dir))
    .filter((f) => f.endsWith(".py"))
    .map((f) => `${dir}/${f.slice(0, -3)}`),
);

/** Refused by name: a lone surrogate is no text here. */
const REFUSED = new Set(["parity/programs/097"]);

describe("[0] recorded programs print what CPython printed", () => {
  test.each(NAMES)("%s", (name) => {
    const source = readFileSync(join(import.meta.dirname, "../../testdata", `${name}.py`), "utf8");
    const want = readFileSync(join(import.meta.dirname, "../../testdata", `${name}.out`), "utf8");
    const whole = runProgram(source);
    if (REFUSED.has(name)) {
      expect(whole.ending.tag).toBe("rejected");
      return;
    }
    expect(whole.ending).toEqual({ tag: "completed" });
    expect(whole.out).toBe(want);
    // The same output and the same ops, however the run is cut.
    for (const slice of whole.execution!.steps < 3000 ? [1, 7] : [97]) {
      const cut = runProgram(source, { slice });
      expect(cut.out).toBe(want);
      expect(cut.ops).toBe(whole.ops);
    }
  });
});
