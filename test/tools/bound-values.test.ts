/** Binding a value never fails and never costs much because of its text: contract §5, rulings "re, and bombs". */
import { describe, expect, it } from "vitest";
import { ToolFixture } from "./tool-fixture";

interface Entry {
  readonly kind: string;
  readonly name?: string;
  readonly type: string;
  readonly value: string;
}

function transcript(source: string): Entry[] {
  const answer = new ToolFixture().run(source);
  expect(answer.status, answer.text).toBe("success");
  return answer.meta["transcript"] as unknown as Entry[];
}
const bindings = (source: string) => transcript(source).filter((entry) => entry.kind === "assign");
const printed = (source: string) =>
  transcript(source)
    .filter((entry) => entry.kind === "print")
    .map((entry) => entry.value);

describe("a bound value whose text could not be printed", () => {
  it("[5] an int of more digits than `print` takes is bound, and told digit by digit", () => {
    const [x, y] = bindings("x = 10**5000\ny = [x, -x]\nz = x % 7");
    expect(x!.value).toBe(`1${"0".repeat(5000)}`);
    expect(y!.value).toBe(`[1${"0".repeat(5000)}, -1${"0".repeat(5000)}]`);
    expect(new ToolFixture().run("x = 10**5000\nprint(x)").text).toContain("ValueError: Exceeds the limit (4300 digits)");
  });

  it("[5] an int of more than 65,536 digits is told by its size", () => {
    const told = bindings("x = 1 << 4000000\ny = [x, 1]\nz = 10**65535\nw = 10**65536").map((entry) => entry.value);
    expect(told.slice(0, 2)).toEqual(["<int 4000001 bits>", "[<int 4000001 bits>, 1]"]);
    expect(told[2]).toHaveLength(65_536);
    expect(told[3]).toBe("<int 217706 bits>");
  });

  it("[5] a value nested deeper than `print` takes is bound", () => {
    const whole = bindings("x = []\nfor i in range(199):\n    x = [x]").at(-1)!;
    expect(whole.value).toBe("[".repeat(200) + "]".repeat(200));
    const deeper = bindings("x = []\nfor i in range(300):\n    x = [x]").at(-1)!;
    expect(deeper.value).toMatch(/^\[{1,200}1 entries \[\+1 more\]\]{1,200}$/);
  });

  it("[rulings] a value that doubles at every binding costs its elements, not its text", () => {
    const started = performance.now();
    const last = bindings("x = [0]\nfor i in range(60):\n    x = [x, x]").at(-1)!;
    expect(last.value.length).toBeLessThan(1_200_000);
    expect(last.value).toContain("2 entries [+2 more]");
    expect(performance.now() - started).toBeLessThan(10_000);
  });

  it("[rulings] a list bound anew at every turn of a loop is not written out at every turn", () => {
    const started = performance.now();
    const [, , , , list] = bindings("xs = []\nfor i in range(15000):\n    xs = xs + [i]");
    expect(list!.value.startsWith("[0, 1, 2,") || list!.value.startsWith("15000 entries")).toBe(true);
    const dict = bindings("d = {}\nfor i in range(2000):\n    d[i] = str(i)\n    e = d").at(-1)!;
    expect(dict.value).toContain("1999: '1999'");
    expect(performance.now() - started).toBeLessThan(15_000);
  });
});

describe("values that share their parts", () => {
  it("[rulings] are compared in their size, not in the number of paths through them", () => {
    const build = "x = [0]\ny = [0]\nz = [1]\nfor i in range(60):\n    x = [x, x]\n    y = [y, y]\n    z = [z, z]\n";
    expect(printed(`${build}print(x == y, x == z, [x] < [z], sorted([z, x])[0] == y)`)).toEqual(["True False True True"]);
    // What changes between two comparisons is seen by the second.
    expect(
      printed(
        "a = [1]\nb = [1]\nx = a\ny = b\nfor i in range(12):\n    x = [x, x]\n    y = [y, y]\nprint(x == y)\na.append(2)\nprint(x == y)\nb.append(2)\nprint(x == y)",
      ),
    ).toEqual(["True", "False", "True"]);
    // By paths neither would ever end.
  }, 120_000);
});

describe("a key of a dict", () => {
  it("[rulings] that is a size bomb is refused before its memory is spent", () => {
    const answer = new ToolFixture().run("x = (0,)\nfor i in range(40):\n    x = (x, x)\nd = {x: 1}");
    expect(answer.meta["refuse_reason"]).toBe("limit_exceeded");
    expect(answer.text).toContain("line 4");
  }, 30_000);
});

describe("the text of a binding is of the moment it was made", () => {
  it.each([
    ["x = [0]", "x.append(9)", "[0]"],
    ["x = [[0], (1, [2])]", "x[0].append(9)\nx[1][1].append(9)", "[[0], (1, [2])]"],
    ["x = {1: [2]}", "x[1].append(9)\nx[3] = 4", "{1: [2]}"],
    ["x = {1: 2, 3: 4}\n    del x[1]\n    y = x", "x[5] = 6", "{3: 4}"],
    ["x = {1, 2}", "x.add(9)", "{1, 2}"],
    ["x = ([],)", "x[0].append(x)", "([],)"],
  ])("[5] %s, then %s", (binding, change, text) => {
    const told = bindings(`for i in range(6):\n    ${binding}\n${change}`);
    expect(told.at(-1)!.value).toBe(text);
  });

  it("[5] a list of names keeps its word", () => {
    expect(bindings("for i in range(6):\n    k = kinds()").at(-1)).toMatchObject({ type: "string_list", value: "[]" });
  });
});

describe("values that hold themselves, as CPython prints them", () => {
  it("[repr] named tuples, dicts of the collections module", () => {
    const source = [
      "from collections import namedtuple, defaultdict, OrderedDict, deque",
      "P = namedtuple('P', 'a')",
      "l = []",
      "p = P(l)",
      "l.append(p)",
      "print(l, p)",
      "d = defaultdict(list)",
      "d[1].append(d)",
      "print(d)",
      "o = OrderedDict()",
      "o[1] = o",
      "print(o)",
      "q = deque()",
      "q.append(q)",
      "print(q)",
    ].join("\n");
    expect(printed(source)).toEqual([
      "[P(a=[...])] P(a=[P(a=[...])])",
      "defaultdict(<class 'list'>, {1: [defaultdict(<class 'list'>, {...})]})",
      "OrderedDict([(1, ...)])",
      "deque([[...]])",
    ]);
  });
});
