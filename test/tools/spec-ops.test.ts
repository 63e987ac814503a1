/** [ops] What an operation costs: every row of the specification's table, and the spellings that cost the same. */
import { describe, expect, test } from "vitest";
import { codesIn, specMarkdown, tableOf } from "./spec-blocks";
import { ToolFixture } from "./tool-fixture";

const MODULE = `class Person:
    age: int
    friend: many[Person]

def same(v):
    return v

def three(a, b=2, *, c=3):
    return a + b + c
`;

/** Ops of `example` after `given`. */
function price(given: string, example: string): number {
  const run = (source: string): number => {
    const f = new ToolFixture();
    f.compile("m", MODULE);
    const r = f.run(source);
    if (r.status !== "success") throw new Error(r.text);
    return r.ops;
  };
  const before = given === "" ? "pass" : given;
  return run(`${before}\n${example}\n`) - run(`${before}\n`);
}

/** A line's end in a cell of the table. */
function lines(code: string): string {
  return code.replaceAll("↵", "\n");
}

describe("[ops] the table of the specification", () => {
  const rows = tableOf(specMarkdown("header"), "what");
  test("it has rows for what is free and what is not", () => {
    expect(rows.length).toBeGreaterThan(50);
    expect(rows.some((r) => r[3] === "0")).toBe(true);
  });
  test.each(rows.map((r) => [r[0]!, lines(codesIn(r[1]!)[0] ?? ""), lines(codesIn(r[2]!)[0]!), Number(r[3])] as const))(
    "%s: %s %s",
    (_what, given, example, ops) => {
      expect(price(given, example)).toBe(ops);
    },
  );
});

const REMEMBERED = 'remember(P.a.f, 1, "s")';

describe("[ops] spellings of one question cost the same", () => {
  test.each<readonly [string, string, readonly string[]]>([
    [
      "a read",
      REMEMBERED,
      ["x = P.a.f", "x = value(P.a.f)", "x = current(P.a.f).value", "c = current(P.a.f)\nx = c.value", "s = P.a\nx = s.f"],
    ],
    ["a read that finds nothing", "pass", ["x = P.a.f", "x = value(P.a.f)", "x = current(P.a.f)", "s = P.a\nx = s.f"]],
    ["a read by a field's name", REMEMBERED, ['x = P.a["f"]', 'x = value(P.a["f"])', 'x = current(P.a["f"]).value', 'n = "f"\nx = P.a[n]']],
    ["a second step", `${REMEMBERED}\nremember(P.b.to, P.a, "s")`, ["x = P.b.to.f", "t = P.b.to\nx = t.f", "x = value(value(P.b.to).f)"]],
    ["an intermediate", "x = 3", ["y = (x + 1) * 2", "t = x + 1\ny = t * 2"]],
    ["an intermediate name of a subject", "", ["y = P['a']", "n = 'a'\ny = P[n]"]],
    ["an intermediate name in an address", "", ["y = value(P['a'].f)", "n = 'a'\ny = value(P[n].f)"]],
    ["an intermediate generator", "xs = [1, 2]", ["y = sum(v for v in xs)", "g = (v for v in xs)\ny = sum(g)"]],
    ["an intermediate method", "x = 'a'", ["y = x.upper()", "f = x.upper\ny = f()"]],
    ["a list", "xs = [1, 2, 3]", ["y = [x * x for x in xs if x > 1]", "y = []\nfor x in xs:\n    if x > 1:\n        y.append(x * x)"]],
    [
      "a list of two loops",
      "xs = [[1, 2], [3]]",
      ["y = [v for x in xs for v in x]", "y = []\nfor x in xs:\n    for v in x:\n        y.append(v)"],
    ],
    ["a list of unpacked pairs", "xs = [(1, 2)]", ["y = [a + b for a, b in xs]", "y = []\nfor a, b in xs:\n    y.append(a + b)"]],
    ["a dict", "xs = [1, 2, 3]", ["y = {x: x * x for x in xs}", "y = {}\nfor x in xs:\n    y[x] = x * x"]],
    ["a set", "xs = [1, 2, 3]\ny = set()", ["y = {x * x for x in xs}", "for x in xs:\n    y.add(x * x)"]],
    ["a chain", "x = 3", ["y = 1 < x < 5", "y = 1 < x and x < 5"]],
    ["x += int", "x = 1", ["x += 2", "x = x + 2"]],
    ["x += text", "x = 'a'", ["x += 'b'", "x = x + 'b'"]],
    ["x += list", "x = [1]", ["x += [2, 3]", "x = x + [2, 3]"]],
    ["x *= list", "x = [1]", ["x *= 3", "x = x * 3"]],
    ["x |= set", "x = {1}", ["x |= {2}", "x = x | {2}"]],
    ["x |= dict", "x = {1: 2}", ["x |= {2: 3}", "x = x | {2: 3}"]],
    ["x[0] += int", "x = [1]", ["x[0] += 2", "x[0] = x[0] + 2"]],
    ["x += Counter", "from collections import Counter\nx = Counter('ab')", ["x += Counter('bc')", "x = x + Counter('bc')"]],
    ["arguments of a script", "import m", ["m.three(1, 2)", "m.three(1, b=2)", "m.three(b=2, a=1)", "m.three(1, 2, c=3)", "m.three(1)"]],
    ["arguments of a builtin", "pass", ["round(2.5, 1)", "round(number=2.5, ndigits=1)"]],
    [
      "arguments of a verb",
      "pass",
      ['remember(P.a.f, 1, "s")', 'remember(P.a.f, value=1, source="s")', 'remember(P.a.f, source="s", value=1)'],
    ],
    [
      "bare and qualified Kinds",
      'import m\nimport m as q\nremember(Person.ann.age, 3, "s")',
      ["x = Person.ann.age", "x = m.Person.ann.age", "x = q.Person.ann.age", 'x = Person["ann"].age'],
    ],
    ["bare and qualified members", "import math\nfrom math import sqrt", ["x = math.sqrt(4)", "x = sqrt(4)", "f = math.sqrt\nx = f(4)"]],
  ])("%s", (_what, given, spellings) => {
    const prices = spellings.map((s) => price(given, s));
    expect(prices, spellings.join("\n---\n")).toEqual(prices.map(() => prices[0]));
  });
  test("what rules work out costs nothing", () => {
    const work = (rule: string): number => {
      const f = new ToolFixture();
      f.compile("m", `class N:\n    to: many[N]\n    far: many[N]\n${rule}`);
      const r = f.run("import m\nfor i in range(20):\n    remember(N[str(i)].to, N[str(i + 1)], 's')\n");
      expect(r.status, r.text).toBe("success");
      return r.ops;
    };
    const rules =
      "@rule\ndef near(a: N, b: N):\n    when(a.to == b)\n    conclude(a.far, b)\n@rule\ndef step(a: N, b: N, c: N):\n    when(a.to == b, b.far == c)\n    conclude(a.far, c)\n";
    expect(work(rules)).toBe(work(""));
  });
});
