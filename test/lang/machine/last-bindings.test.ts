/** [5] Of a line's bindings the last is told as it was when it was bound, whatever the program did to the value since. */
import { describe, expect, test } from "vitest";
import { startProgram } from "./run-program";

/** The texts of the bindings of `v`, the last one last. */
function bindings(source: string): string[] {
  const x = startProgram(source);
  while (!x.advance(1000));
  expect(x.ending).toEqual({ tag: "completed" });
  return x
    .record()
    .transcript.filter((e) => e.kind === "assign" && e.name === "v")
    .map((e) => e.value);
}

describe("[5] the last binding of a line", () => {
  const cases: readonly (readonly [name: string, source: string, last: string])[] = [
    ["a list changed since", "for i in range(9):\n    v = [i, [i]]\n    v[1].append(7)\n    v.append(8)\n", "[8, [8]]"],
    ["lists of different lengths", "for n in [5, 3, 9, 0, 7, 2]:\n    v = list(range(n))\n    v.clear()\n", "[0, 1]"],
    [
      "growing lists",
      "xs = []\nfor i in range(6):\n    xs = xs + [i]\n    v = xs\n    xs.append(i)\n",
      "[0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5]",
    ],
    ["one list, changed after", "xs = [0]\nfor i in range(9):\n    v = xs\nxs[0] = 1\n", "[0]"],
    [
      "a list, then no list",
      "for x in [[1], [2], [3], [4], [5, [6]], 'a', (1, [2])]:\n    v = x\n    if x == (1, [2]):\n        x[1].append(3)\n",
      "(1, [2])",
    ],
    ["a list in itself", "for i in range(7):\n    v = [i]\n    v.append(v)\n    v = v\n", "[6, [...]]"],
    ["a tuple of lists", "for i in range(7):\n    v = (i, [])\n    v[1].append(i)\n", "(6, [])"],
    ["a dict of lists", "for i in range(7):\n    v = {i: [i]}\n    v[i].append(0)\n    v[0] = 0\n", "{6: [6]}"],
    ["a deque", "from collections import deque\nfor i in range(7):\n    v = deque([i])\n    v.append(0)\n", "deque([6])"],
    [
      "a named tuple",
      "from collections import namedtuple\nP = namedtuple('P', 'x y')\nfor i in range(7):\n    v = P(i, [])\n    v.y.append(1)\n",
      "P(x=6, y=[])",
    ],
    ["a match", "import re\nfor i in range(7):\n    v = re.match('a*', 'aab')\n", "<re.Match object; span=(0, 2), match='aa'>"],
    ["a repetition", "import itertools\nfor i in range(7):\n    v = itertools.repeat(1, i)\n    list(v)\n", "repeat(1, 6)"],
  ];
  test.each(cases)("%s", (_name, source, last) => {
    expect(bindings(source).at(-1)).toBe(last);
  });
});
