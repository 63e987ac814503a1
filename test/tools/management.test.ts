/** What is stored, told and taken away: contract §9.2 to §9.5. */
import { describe, expect, it } from "vitest";
import type { ToolAnswer } from "../../src/tools/answer";
import { ToolFixture } from "./tool-fixture";

const lines = (answer: ToolAnswer): string[] => answer.text.split("\n").slice(1);
const list = (f: ToolFixture, target: string): string[] => lines(f.call("list", { target }));

const NUMBERS = `class N:
    v: int
    w: int

@rule
def big(n: N):
    when(n.v > 5)
    conclude(n.big, True)

@rule
def odd(n: N):
    when(n.w == 1)
    conclude(n.big, True)

@constraint
def positive(n: N):
    when(n.v < 100)
    require(n.v > 0)

def double(n: int):
    return n * 2

def half(n: int):
    return n // 2
`;
function withNumbers(): ToolFixture {
  const f = new ToolFixture();
  expect(f.compile("num", NUMBERS).status).toBe("success");
  expect(
    f.run('import num\nremember(N.a.v, 6, "s")\nremember(N.b.v, 7, "s")\nremember(N.b.w, 1, "s")\nremember(N.c.v, -1, "s")').status,
  ).toBe("success");
  return f;
}

describe("list", () => {
  it("[9.2] scripts: full signatures as written, in code point order under their module", () => {
    const f = new ToolFixture();
    f.compile("zeta", "def a():\n    return 1\n");
    f.compile("Beta", "def z(x: int, /, y, *, k: bool = False, **rest):\n    return 1\n\ndef a(*xs):\n    return 1\n");
    f.compile("étage", "def f():\n    return 1\n");
    f.compile("be", "def ta():\n    return 1\n");
    const listed = list(f, "scripts");
    expect(listed).toEqual(["Beta.a(*xs)", "Beta.z(x: int, /, y, *, k: bool = False, **rest)", "be.ta()", "zeta.a()", "étage.f()"]);
    expect(f.call("list", { target: "scripts" })).toMatchObject({ status: "success", meta: { names: listed }, mirror: null });
    // What a program sees is the same names.
    const names = listed.map((line) => line.slice(0, line.indexOf("(")));
    expect(
      f.run("print(list_scripts() == sorted(list_scripts()))\nfor s in list_scripts():\n    print(s)").text.split("\n").slice(1),
    ).toEqual(["True", ...names]);
  });

  it("[9.2] rules: authored ones by module.rule, computed fields not", () => {
    const f = withNumbers();
    f.compile(
      "a",
      "class P:\n    x: int\n\n    @computed\n    def y(self) -> int:\n        return self.x\n\n@rule\ndef r(p: P):\n    when(p.x == 1)\n    conclude(p.z, 1)\n",
    );
    expect(list(f, "rules")).toEqual(["a.r", "num.big", "num.odd"]);
  });

  it("[9.2.1] kinds: what data is stored under, in force or not, and never the store's own", () => {
    const f = withNumbers();
    expect(list(f, "kinds")).toEqual(["num.N"]);
    f.run('remember(Past.p.x, 1, "s", valid_to=datetime("2000-01-01T00:00:00Z"))\nremember(Zed.z.x, 1, "s")\nassert_absent(Gone.g.x, "s")');
    expect(list(f, "kinds")).toEqual(["Gone", "Past", "Zed", "num.N"]);
    expect(f.run("print(subjects(Past), get(Past.p.x))").text).toMatch(/\[\] \[active_claim=1/);
    f.run("forget(Zed.z)");
    expect(list(f, "kinds")).toEqual(["Gone", "Past", "num.N"]);
    f.compile("empty", "class Unused:\n    x: int\n");
    expect(list(f, "kinds")).not.toContain("empty.Unused");
  });

  it("[9.2] an empty store lists nothing, of each", () => {
    for (const [target, head] of [
      ["scripts", "OK list: 0 scripts"],
      ["rules", "OK list: 0 rules"],
      ["kinds", "OK list: 0 kinds"],
    ])
      expect(new ToolFixture().call("list", { target }).text).toBe(head);
  });
});

describe("info", () => {
  it("[9.2] tells who compiled a script, in which language and against which manifest; running it changes nothing of that", () => {
    const f = withNumbers();
    const before = f.call("info", { name: "num.double" });
    expect(before.text.split("\n")).toEqual([
      "OK info: num.double",
      "signature: num.double(n: int)",
      "compiled by: key_1",
      "language: eng",
      "manifest: python.1",
      expect.stringMatching(/^compiled at: 2026-/),
    ]);
    f.run("import num\nprint(num.double(4))");
    expect(f.call("info", { name: "num.double" })).toEqual(before);
  });
});

describe("forget", () => {
  it("[9.2] takes one script away and leaves the rest of its module; a second time succeeds", () => {
    const f = withNumbers();
    expect(f.call("forget", { name: "num.half" })).toMatchObject({ status: "success", text: "OK forgot script num.half." });
    expect(list(f, "scripts")).toEqual(["num.double(n: int)"]);
    expect(f.call("forget", { name: "num.half" }).status).toBe("success");
    expect(f.call("forget", { name: "nowhere.at_all" }).status).toBe("success");
    expect(f.run("import num\nprint(num.double(4), N.a.big)").text).toContain("8 True");
    expect(f.run("import num\nnum.half(4)").status).toBe("compile_error");
  });

  it("[9.3] forget_rule withdraws what the rule concluded, unless another supports it; compiling again brings both back", () => {
    const f = withNumbers();
    const big = (): string => lines(f.run("import num\nprint(N.a.big, N.b.big, N.a.v, N.b.w)"))[0]!;
    expect(big()).toBe("True True 6 1");
    expect(f.call("forget_rule", { name: "num.big" })).toMatchObject({ status: "success" });
    expect(big()).toBe("None True 6 1");
    expect(list(f, "rules")).toEqual(["num.odd"]);
    expect(f.call("forget_rule", { name: "num.big" }).status).toBe("success");
    f.reopen();
    expect(big()).toBe("None True 6 1");
    f.call("compile", { name: "num" });
    expect(big()).toBe("None True 6 1");
    f.compile("num", NUMBERS);
    expect(big()).toBe("True True 6 1");
    expect(list(f, "rules")).toEqual(["num.big", "num.odd"]);
  });

  it.each([
    ["forget_rule", "num.big"],
    ["forget_constraint", "num.positive"],
    ["forget", "num.half"],
  ])("[9.4] %s changes what its module holds, and so when it was updated", (tool, name) => {
    const f = withNumbers();
    const updated = () => f.call("info_module", { name: "num" }).meta["updated_at"];
    const before = updated();
    f.call(tool, { name: "num.no_such" });
    expect(updated()).toBe(before);
    const { clock } = f;
    f.call(tool, { name });
    expect(updated()).toBe(new Date((clock + f.clockStep) / 1000).toISOString().replace(".000", ""));
    f.reopen();
    expect(updated()).not.toBe(before);
  });

  it("[9.3] forget_constraint ends the watch and touches no data; compiling again brings it back", () => {
    const f = withNumbers();
    const data = (): string => f.run("import num\nprint(N.a.v, N.c.v, N.a.big)").text;
    const before = data();
    expect(f.call("forget_constraint", { name: "num.positive" }).status).toBe("success");
    expect(f.call("info_module", { name: "num" }).text).not.toContain("constraints");
    expect(data()).toBe(before);
    expect(f.call("forget_constraint", { name: "num.positive" }).status).toBe("success");
    f.compile("num", NUMBERS);
    expect(f.call("info_module", { name: "num" }).text).toContain("constraints: num.positive");
  });

  it.each(["forget", "forget_rule", "forget_constraint", "info"])("[6] %s takes a name qualified by its module", (tool) => {
    for (const name of ["double", "", ".", "num.", ".double", "a.b.c"])
      expect(() => withNumbers().call(tool, { name }), name).toThrow(/qualified by its module/);
  });
});

describe("modules", () => {
  it("[9.4] list_modules gives name, number of scripts and created-at, the same at each read", () => {
    const f = withNumbers();
    f.compile("Able", "x = 1\n");
    const first = f.call("list_modules", {});
    expect(lines(first)).toEqual([
      expect.stringMatching(/^Able \(0 scripts, created 2026-/),
      expect.stringMatching(/^num \(2 scripts, created 2026-/),
    ]);
    f.run('remember(K.a.x, 1, "s")');
    expect(f.call("list_modules", {})).toEqual(first);
    f.reopen();
    expect(f.call("list_modules", {})).toEqual(first);
  });

  it("[9.4] info_module names what the module has, qualified, and is silent about what it has not", () => {
    const f = withNumbers();
    expect(lines(f.call("info_module", { name: "num" }))).toEqual([
      "init language: eng",
      "scripts: num.double, num.half",
      "classes: num.N",
      "rules: num.big, num.odd",
      "constraints: num.positive",
      expect.stringMatching(/^updated: 2026-/),
      expect.stringMatching(/^created: 2026-/),
    ]);
    f.compile("bare", 'remember(K.a.x, 1, "s")\n');
    const { text } = f.call("info_module", { name: "bare" });
    for (const word of ["classes", "rules", "constraints", "version"]) expect(text).not.toContain(word);
  });

  it("[9.4] `created` stays; `updated` moves with the content and not with an identical compile", () => {
    const f = withNumbers();
    const times = (): string[] => lines(f.call("info_module", { name: "num" })).slice(-2);
    const [updated, created] = times();
    f.compile("num", NUMBERS);
    expect(times()).toEqual([updated, created]);
    f.compile("num", NUMBERS.replace("n * 2", "n * 3"));
    expect(times()[0]! > updated!).toBe(true);
    expect(times()[1]).toBe(created);
  });

  it("[9.4] a caller keeps the body it was compiled against until it is compiled again", () => {
    const f = new ToolFixture();
    f.compile("base", "def f():\n    return 1\n");
    f.compile("top", "import base\n\ndef g():\n    return base.f()\n");
    f.compile("base", "def f():\n    return 2\n");
    expect(f.run("import top\nimport base\nprint(top.g(), base.f())").text).toContain("1 2");
    f.reopen();
    expect(f.run("import top\nprint(top.g())").text).toContain("\n1");
    f.compile("top", "import base\n\ndef g():\n    return base.f()\n");
    expect(f.run("import top\nprint(top.g())").text).toContain("\n2");
  });

  it("[9.4] forget_module takes scripts, rules, kinds and their data, and nothing else", () => {
    const f = withNumbers();
    f.run('remember(Other.a.x, 1, "s")');
    expect(f.call("forget_module", { name: "num", confirm: true })).toMatchObject({
      status: "success",
      meta: { module: "num", removed: 4 },
    });
    for (const target of ["scripts", "rules"]) expect(list(f, target)).toEqual([]);
    expect(list(f, "kinds")).toEqual(["Other"]);
    expect(f.call("info_module", { name: "num" }).status).toBe("engine_error");
    expect(f.call("forget_module", { name: "num", confirm: true }).status).toBe("engine_error");
    f.compile("num", NUMBERS);
    expect(f.run("import num\nprint(get(N.a.v), N.a.big)").text).toContain("[] None");
  });

  it("[9.4] forget_module refuses while another stored module refers to it, naming that one", () => {
    const f = withNumbers();
    f.compile("user", "import num\n\ndef g():\n    return num.double(1)\n");
    const answer = f.call("forget_module", { name: "num", confirm: true });
    expect(answer).toMatchObject({ status: "refuse", meta: { refuse_reason: "still_referenced", teaching_hint: "user" } });
    expect(answer.text).toContain("`user`");
    expect(list(f, "scripts")).toContain("num.double(n: int)");
    f.call("forget_module", { name: "user", confirm: true });
    expect(f.call("forget_module", { name: "num", confirm: true }).status).toBe("success");
  });

  it.each([{ name: "num" }, { name: "num", confirm: false }, { name: "num", confirm: "true" }])(
    "[9.4] forget_module %j wants confirm=true",
    (args) => {
      const f = withNumbers();
      expect(() => f.call("forget_module", args)).toThrow(/`confirm` must be true/);
      expect(list(f, "scripts")).toHaveLength(2);
    },
  );

  it("[9.4] info_module and forget_module take a bare name", () => {
    for (const [tool, args] of [
      ["info_module", { name: "num.double" }],
      ["forget_module", { name: "num.double", confirm: true }],
    ] as const)
      expect(() => withNumbers().call(tool, args)).toThrow(/bare module name/);
  });
});

describe("the store", () => {
  it("[9.5] stores gives the one store's id, size and created-at", () => {
    const f = new ToolFixture();
    const { text, meta } = f.call("stores", {});
    expect(text).toMatch(/^OK stores: 1 store\nstore1 size \d+ of \d+ bytes, created 2023-11-14T22:13:20Z$/);
    const [before] = meta["stores"] as { size_bytes: number }[];
    for (let i = 0; i < 4; i++) f.run(`remember(K["s${i}"].x, "${String(i).repeat(200_000)}", "s")`);
    const [after] = f.call("stores", {}).meta["stores"] as { size_bytes: number }[];
    expect(after!.size_bytes).toBeGreaterThan(before!.size_bytes + 4 * 200_000);
  });

  it("[7] what computes nothing costs nothing", () => {
    const f = withNumbers();
    for (const [tool, args] of [
      ["list", { target: "kinds" }],
      ["list_modules", {}],
      ["info_module", { name: "num" }],
      ["info", { name: "num.half" }],
      ["stores", {}],
      ["forget", { name: "num.half" }],
    ] as const)
      expect(f.call(tool, args).ops, tool).toBe(0);
  });
});
