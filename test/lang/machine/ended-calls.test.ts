/** [4] A builtin that takes a StopIteration of a function it called for an end goes on at its own line. */
import { describe, expect, test } from "vitest";
import { runProgram } from "./run-program";

const ENDING = ["def f(x):", "    if x == 2:", "        raise StopIteration", "    return x", ""];
/** The program's line 5, and what it printed or failed with. */
const CASES: readonly (readonly [source: string, printed: string])[] = [
  ["print(list(map(f, [1, 2, 3])))", "[1]"],
  ["print(sum(map(lambda x: f(x), [1, 2])))", "1"],
  ["print(list(filter(f, [2])), list(map(f, [1])))", "[] [1]"],
];

describe("[4] a call that ended an iterator is over", () => {
  test.each(CASES)("[4] %s is recorded at its own line", (statement, printed) => {
    for (const slice of [1, 2, 200_000]) {
      const ran = runProgram([...ENDING.slice(0, 4), statement].join("\n"), { slice });
      expect(ran.ending).toEqual({ tag: "completed" });
      expect(ran.execution!.record().transcript.map((e) => [e.kind, e.value, e.line])).toEqual([["print", printed, 5]]);
    }
  });

  test("[4] an exception after it is reported at the line of the builtin", () => {
    for (const slice of [1, 2, 200_000]) {
      const ran = runProgram([...ENDING.slice(0, 4), "y = len(list(map(f, [2]))) // len(list(map(f, [2])))"].join("\n"), { slice });
      expect(ran.ending).toMatchObject({ tag: "refused", line: 5, exception: "ZeroDivisionError" });
    }
  });

  test("[4] one that nothing takes is reported at the line that raised it", () => {
    const ran = runProgram([...ENDING.slice(0, 4), "sorted([2], key=f)"].join("\n"));
    expect(ran.ending).toMatchObject({ tag: "refused", line: 3, exception: "StopIteration" });
  });
});
