/** [0] Ops and steps are pure functions of source and store: not of what ran before, beside, or how the run is cut. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { runProgram, startProgram } from "./run-program";

const ROOT = join(import.meta.dirname, "../../testdata");
const NAMES = ["parity/programs", "lang"].flatMap((dir) =>
  readdirSync(join(ROOT, dir))
    .filter((f) => f.endsWith(".py"))
    .map((f) => `${dir}/${f}`),
);
const read = (name: string): string => readFileSync(join(ROOT, name), "utf8");
/** Measures long texts, which is remembered. */
const LONG =
  'a = "é" * 500 + "😀"\nb = "x" * 900\nfor i in range(60):\n    n = len(a) + len(b) + len(a + b)\nprint(n, a[499], b[3:9], (a + b).find("x"))\n';

describe("[0] counting depends on nothing but the program", () => {
  test("every recorded program counts the same a second time", () => {
    for (const name of NAMES.filter((n, i) => i % 3 === 0 || n.endsWith("009.py"))) {
      const [first, again] = [runProgram(read(name)), runProgram(read(name))];
      expect([name, again.execution?.steps, again.ops]).toEqual([name, first.execution?.steps, first.ops]);
    }
  });
  test("and cut into slices", () => {
    for (const source of [LONG, ...NAMES.slice(0, 12).map(read)]) {
      const whole = runProgram(source);
      for (const slice of [1, 13]) expect(runProgram(source, { slice }).execution?.steps).toBe(whole.execution?.steps);
    }
  });
  test("and beside another program, slice by slice", () => {
    const other = LONG.replaceAll("é", "ß").replaceAll("x", "y");
    const alone = runProgram(LONG);
    const [one, two] = [startProgram(LONG), startProgram(other)];
    for (let running = true; running; ) {
      const a = one.advance(3);
      const b = two.advance(5);
      running = !a || !b;
    }
    expect([one.steps, one.ops]).toEqual([alone.execution?.steps, alone.ops]);
    expect(two.steps).toBe(alone.execution?.steps);
  });
});

describe("[0] what joins a list is counted, not what stands in it", () => {
  test.each(["xs.extend([i])", "xs.extend((i, i))", "xs[len(xs):] = [i]"])("%s", (statement) => {
    const steps = (n: number): number => {
      const { execution } = runProgram(`xs = [0]\nfor i in range(${n}):\n    ${statement}\nprint(len(xs))\n`);
      return execution!.steps;
    };
    expect(steps(4000) / steps(1000)).toBeLessThan(4.1);
  });
});

describe("[0] a text made of pieces is counted once, not once a piece", () => {
  test.each([
    're.sub("a", "xx", "ab" * N)',
    '("\\t" * N).expandtabs()',
    "json.dumps([1] * N)",
    '("%s" * N) % ((1,) * N)',
    '("é" * N).encode("ascii", "replace")',
  ])("%s", (expression) => {
    const steps = (n: number): number => runProgram(`import json, re\nN = ${n}\nprint(len(${expression}))\n`).execution!.steps;
    expect(steps(40_000) / steps(10_000)).toBeLessThan(4.5);
  });
});

describe("[8] what a builtin gathers is counted once, not again with each of it", () => {
  test.each([
    ["re.findall('a', 'a' * N)", 150_000],
    ["re.split(' ', 'a ' * N)", 10_000],
    ["json.loads('[' + '1,' * N + '1]')", 300_000],
    ["deque(range(N))", 300_000],
  ])("%s", (expression, n) => {
    const steps = (count: number): number => {
      const source = `import json, re\nfrom collections import deque\nx = ${expression.replace("N", String(count))}\n`;
      const { ending, execution } = runProgram(source, {});
      expect(ending).toEqual({ tag: "completed" });
      return execution!.steps;
    };
    expect(steps(2 * n) / steps(n)).toBeLessThan(2.2);
  });
});
