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

describe("[3] a stop is heard before the statement of a callback", () => {
  const CALLED = "def f(*xs):\n    a = 1\n    b = 2\n    c = 3\n    d = 4\n    return xs[0]\n";
  test.each([
    "sorted([3, 1, 2], key=f)",
    "sorted([3, 1], key=cmp_to_key(f))",
    "[3, 1, 2].sort(key=f)",
    "min([1, 2], key=f)",
    "list(map(f, [1, 2]))",
    "list(filter(f, [1, 2]))",
    "sum(f(x) for x in [1, 2])",
    "any(f(0) for x in [1, 2])",
    "list(f(x) for x in [1, 2])",
    'dict((f(x), 1) for x in "ab")',
    "{1}.union(f(x) for x in [1, 2])",
    "set().update(f(x) for x in [1, 2])",
    "dict.fromkeys(f(x) for x in [1, 2])",
    '"".join(f(x) for x in "ab")',
    "list(enumerate(zip(map(f, [1]), map(f, [2]))))",
    "reduce(f, [1, 2, 3])",
    "partial(f, 1)(2)",
    "list(itertools.accumulate([1, 2], f))",
    "[list(g) for k, g in itertools.groupby([1, 2], f)]",
    "list(itertools.islice(map(f, [1, 2]), 1))",
    "list(itertools.product(map(f, [1, 2]), repeat=2))",
    're.sub("a", lambda m: str(f(1)), "banana")',
    "statistics.mean(f(x) for x in [1, 2])",
    "math.prod(f(x) for x in [1, 2])",
    "Counter(f(x) for x in [1, 2])",
    "deque(f(x) for x in [1, 2])",
    "[*map(f, [1, 2])]",
    "print(*map(f, [1, 2]))",
    "5 in map(f, [1, 2])",
    'defaultdict(lambda: f(1))["a"]',
    "next(map(f, [1, 2]))",
    "[x for x in map(f, [1, 2])]",
    "f(*(f(x) for x in [1, 2]))",
  ])("%s", (work) => {
    const imports =
      "import itertools, math, re, statistics\nfrom collections import Counter, defaultdict, deque\nfrom functools import cmp_to_key, partial, reduce\n";
    const x = startProgram(`${imports}${CALLED}r = ${work}\n`);
    while (!x.advance(1));
    expect(x.ending).toEqual({ tag: "completed" });
    // Stopped after each number of slices: every statement of `f` is one of the places.
    const lines = new Set<number>();
    for (let slices = 0; slices < 60; slices++) {
      const y = startProgram(`${imports}${CALLED}r = ${work}\n`);
      for (let i = 0; i < slices; i++) if (y.advance(1)) break;
      y.stop();
      y.advance(1);
      if (y.ending?.tag === "stopped") lines.add(y.ending.line);
    }
    for (const line of [5, 6, 7, 8, 9]) expect(lines).toContain(line);
  });
});

describe("[9.8] a statement that runs is not cut short by a stop", () => {
  const IMPORTS = "import itertools, math, re\nfrom functools import cmp_to_key\nd = {}\nxs = [1]\n";
  const LAST = "print(r)\n";
  test.each([
    "r = sum(range(40000))",
    "r = len([x * x for x in range(600)])",
    "r = len({x: [y for y in range(3)] for x in range(200)})",
    "r = sum(x for x in range(600) if x % 2)",
    "r = sorted(range(500), key=lambda x: -x)[0]",
    "r = sorted(range(200), key=cmp_to_key(lambda a, b: b - a))[0]",
    "r = list(map(lambda x: [x for x in range(4)], range(60)))[-1]",
    "r = (lambda: sum(range(40000)))()",
    "r = math.prod(range(1, 400)) % 7",
    're.sub("a", lambda m: "bb", "a" * 300); r = 1',
    "xs += (x for x in range(600)); r = len(xs)",
    "d.update((x, x) for x in range(600)); r = len(d)",
    "r = 1 if any(x < 0 for x in range(600)) else 2",
    "[a, *r] = [x for x in range(600)]; r = len(r)",
  ])("%s", (line) => {
    const statement = line.split("; ")[0]!;
    const source = `${IMPORTS}${line.replace("; ", "\n")}\n${LAST}`;
    const place = IMPORTS.split("\n").length;
    // Stopped at many moments: whatever runs then is ended, and the next statement is not begun.
    let slices = 0;
    for (const whole = startProgram(source); !whole.advance(1); slices++);
    const lines = new Set<number>();
    for (let before = 6; before < slices; before += 1 + Math.floor(slices / 12)) {
      const x = startProgram(source);
      for (let i = 0; i < before; i++) expect(x.advance(1)).toBe(false);
      const { ops } = x;
      x.stop();
      while (!x.advance(1000));
      expect(x.ending, `after ${before} of ${slices}`).toMatchObject({ tag: "stopped" });
      const { line: at } = x.ending as { line: number };
      lines.add(at);
      if (at <= place) expect(x.ops).toBe(ops);
    }
    expect(lines).toContain(place + 1);
    // The only statement left: the program is through, as if nobody had asked.
    const only = startProgram(`${IMPORTS}${statement}\n`);
    for (let i = 0; i < 10; i++) expect(only.advance(1)).toBe(false);
    only.stop();
    while (!only.advance(1000));
    expect(only.ending).toEqual({ tag: "completed" });
  });

  test("it does not hold its store in one go meanwhile", () => {
    const x = startProgram("r = [x * x for x in range(10 ** 5)]\nprint(1)\n");
    x.advance(100);
    x.stop();
    let slices = 1;
    while (!x.advance(1000)) slices++;
    expect(slices).toBeGreaterThan(90);
    expect(x.ending).toMatchObject({ tag: "stopped", line: 2 });
  });

  test("a loop is a statement around statements: it stops before the next of these", () => {
    for (const body of ["    t += i\n", "    t += i\n    u = t\n", "    t = sum([t, i])\n"]) {
      const x = startProgram(`t = 0\nfor i in range(10 ** 6):\n${body}print(t)\n`);
      x.advance(5000);
      x.stop();
      x.advance(10);
      expect(x.ending).toMatchObject({ tag: "stopped" });
    }
  });
});

describe("[3] one long builtin suspends", () => {
  test.each([
    ["sum(range(10**5))", "4999950000"],
    ["max(range(10**5))", "99999"],
    ["sum(filter(None, range(10**5)))", "4999950000"],
    ["list(itertools.islice(range(10**6), 10**5, 10**5 + 2))", "[100000, 100001]"],
    ["math.prod(range(1, 3000)) == math.factorial(2999)", "True"],
    ["math.gcd(7**4000 * 3**1000, 7**3000 * 2**9000) == 7**3000", "True"],
    ["math.lcm(7**4000, 7**3000 * 2**9000) == 7**4000 * 2**9000", "True"],
    ["pow(3, 7**300, 5**900) == pow(3, 7**300 % (4 * 5**899), 5**900)", "True"],
    ["pow(7**1700, -1, 5**2000) * 7**1700 % 5**2000", "1"],
    ["sorted(range(10**4), key=cmp_to_key(lambda a, b: b - a))[:2]", "[9999, 9998]"],
    ['len(re.sub("a", "bb", "a" * 20000))', "40000"],
  ])("%s", (work, want) => {
    const source = `import itertools, math, re\nfrom functools import cmp_to_key\nprint(${work})\n`;
    const whole = runProgram(source, { slice: 1e9 });
    expect(whole.out).toBe(`${want}\n`);
    const x = startProgram(source);
    let slices = 1;
    while (!x.advance(2000)) slices++;
    expect(slices).toBeGreaterThan(5);
    expect([x.ops, x.steps]).toEqual([whole.ops, whole.execution!.steps]);
  });
  test("roots of squares and their neighbours", () => {
    const source =
      "import math\nn = 1\nok = True\nfor i in range(1, 400):\n    n = n * 3 + i % 2\n    ok = ok and math.isqrt(n * n) == n and math.isqrt(n * n - 1) == n - 1 and math.isqrt(n * n + 2 * n) == n\nprint(ok)\n";
    expect(runProgram(source).out).toBe("True\n");
  });
  test("what cannot be suspended is bounded, and says so", () => {
    const source = "def slow(*xs):\n    for i in range(10**7): pass\n    return 0\nfor a, b in [map(slow, [1, 2])]: pass\n";
    const { ending } = runProgram(source);
    expect(ending).toMatchObject({ tag: "refused", reason: "limit_exceeded" });
    expect((ending as { message: string }).message).toMatch(/cannot be suspended/);
  });
});

test("[3] what a program holds is counted in slices too, which cost no steps", () => {
  const source = "xs = [[i] for i in range(150000)]\nys = [[x] for x in xs]\nprint(len(ys))\n";
  const whole = runProgram(source, { slice: 10_000_000 });
  const x = startProgram(source);
  let counting = 0;
  for (let before = -1; !x.advance(5000); before = x.steps) if (x.steps === before) counting++;
  expect(x.ending).toEqual({ tag: "completed" });
  expect(x.steps).toBe(whole.execution!.steps);
  expect(counting).toBeGreaterThan(50);
});

describe("[3] one long operation is cut", () => {
  test.each([
    ["sorted([[i * 7919 % 10007, i] for i in range(10000)])[0]", "[0, 0]\n"],
    ["sorted((str(i * 7919 % 10007) for i in range(10000)), reverse=True)[0]", "9999\n"],
    ["sorted(range(10000), key=lambda i: (i % 7, -i))[0]", "9996\n"],
    ["re.search('(a|b|ab)*c', 'ab' * 4000)", "None\n"],
    ["re.compile('(a|b|ab)*$').match('ab' * 4000 + 'c')", "None\n"],
    ["re.fullmatch('(?=(?:a|b|ab)*$)[ab]*', 'ab' * 4000).end()", "8000\n"],
    ["re.search('(?>(?:a|b)*)c', 'ab' * 140)", "None\n"],
    ["re.search('zz$', 'ab' * 400000)", "None\n"],
    ["len(re.findall('[a-z]+', 'ab ' * 10000))", "10000\n"],
    ["len(re.split(' ', 'ab ' * 10000))", "10001\n"],
    ["len(re.sub('[a-z]+', 'x', 'ab ' * 10000))", "20000\n"],
    ["len(list(re.finditer('[a-z]+', 'ab ' * 10000)))", "10000\n"],
    ["next(re.finditer('(?:a|b|ab)*c', 'ab' * 4000), None)", "None\n"],
    ["sum(json.loads('[' + '7,' * 39999 + '7]'))", "280000\n"],
    ["len(json.loads('{' + ', '.join('\"k%d\": [%d, {\"a\": null}]' % (i, i) for i in range(9000)) + '}'))", "9000\n"],
    ["len(json.loads('[' + '{\"a\": 1},' * 9000 + '[]]', object_hook=len))", "9001\n"],
    ["len(json.loads('[' + '[' * 100 + ']' * 100 + (',' + '[' * 100 + ']' * 100) * 300 + ']'))", "301\n"],
    ["len(json.dumps([[i, str(i), {'a': None}] for i in range(9000)]))", "258780\n"],
    ["len(json.dumps({str(i): (i, {}) for i in range(9000)}, indent=1, sort_keys=True))", "249782\n"],
    ["len(', '.join(list(map(str, range(60000)))))", "408888\n"],
    ["'-'.join(map(str, range(60000)))[-12:]", "-59998-59999\n"],
    ["len(json.dumps([{1} for i in range(9000)], default=sorted))", "45000\n"],
  ])("%s", (expression, want) => {
    const source = `import json, re\nprint(${expression})\n`;
    const whole = runProgram(source, { slice: 50_000_000 });
    expect(whole.out).toBe(want);
    const x = startProgram(source);
    let slices = 1;
    while (!x.advance(1000)) slices++;
    expect(x.record().transcript.map((e) => e.value)).toEqual([want.trimEnd()]);
    expect([x.ops, x.steps]).toEqual([whole.ops, whole.execution!.steps]);
    expect(slices).toBeGreaterThan(12);
  });
});
