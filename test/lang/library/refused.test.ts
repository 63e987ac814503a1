/** [4.5] What the served modules cannot answer exactly is refused by name, not answered. */
import { expect, test } from "vitest";
import { runProgram } from "../machine/run-program";

const REFUSED: readonly (readonly [string, string])[] = [
  ["import itertools\nprint(itertools.repeat(1))\n", "out_of_surface: itertools.repeat(x) has no end"],
  ["import math\nprint(math.copysign(1.0, float('nan')))\n", "invalid_value: the sign of a NaN is not kept"],
  ["import re\nprint(re.I + 1)\n", "out_of_surface: a flag of re takes |, & and ^"],
  ...["[1, 2][re.I]", "-re.I", "round(re.I)", "f'{re.I:d}'", "type(re.I)", "re.I.bit_length()", "sorted([re.M, re.I])", "float(re.I)"].map(
    (e): [string, string] => [`import re\nprint(${e})\n`, "out_of_surface: a flag of re takes |, & and ^"],
  ),
  ["from collections import namedtuple\nP = namedtuple('P', 'x')\nprint(P.x)\n", "out_of_surface: `x` is not served"],
  ["print(tuple.__getitem__)\n", "out_of_surface: `__getitem__` is not served"],
];

test.each(REFUSED)("[4.5] refused by name: %s", (source, want) => {
  const { ending, out } = runProgram(source);
  expect(out).toBe("");
  expect(ending.tag === "refused" ? `${ending.reason}: ${ending.message}` : ending.tag).toContain(want);
});
