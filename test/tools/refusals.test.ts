/** Every reason for which a call is declined, where contract §6 says it comes, and what it tells the caller to do. */
import { describe, expect, it } from "vitest";
import { FRAMES_MAX } from "../../src/lang/machine/vm";
import type { ToolAnswer } from "../../src/tools/answer";
import { ToolFixture } from "./tool-fixture";

/** Of a run of `sources` one after the other, the last answer. */
function last(
  sources: readonly string[],
  modules: Readonly<Record<string, string>> = {},
  more: Parameters<ToolFixture["run"]>[1] = {},
): ToolAnswer {
  const f = new ToolFixture();
  for (const [name, source] of Object.entries(modules)) {
    const compiled = f.compile(name, source);
    expect(compiled.status, compiled.text).toBe("success");
  }
  for (const source of sources.slice(0, -1)) {
    const answer = f.run(source);
    expect(answer.status, answer.text).toBe("success");
  }
  return f.run(sources.at(-1)!, more);
}

const WROTE = 'remember(K.a.x, 1, "s")';
const GROWN =
  "class P:\n    age: int\n\n    @computed\n    def half(self) -> int:\n        return self.age // 2\n\n@rule\ndef grown(p: P):\n    when(p.age >= 18)\n    conclude(p.grown, True)\n";

describe("a refusal of a run", () => {
  it.each<[string, string[], string, RegExp]>([
    ["out_of_surface", ["def f():\n    return 1"], "", /`compile`/],
    ["incomplete_slots", ["# nothing"], "", /at least one/],
    ["conflicting_write", [WROTE, 'remember(K.a.x, 2, "s")'], "K.a.x", /`update` revises it, or cite a different source/],
    ["pinned_address", [WROTE, "pin(K.a.x)", "forget(K.a.x)"], "K.a.x", /unpin\(K\.a\.x\)/],
    ["pinned_address", [WROTE, "pin(K.a.x)", "forget(K.a)"], "K.a.x", /unpin\(K\.a\.x\)/],
    ["immutable_in_branch", [WROTE, 'with branch("b"):\n    forget(K.a.x)'], "K.a.x", /leave the branch/],
    ["invalid_value", ['remember(K.a.x, len, "s")'], "", /cannot hold a value of type builtin_function_or_method$/m],
    [
      "invalid_value",
      ['remember(K.a.x, {"k": [1, (2, len)]}, "s")'],
      "",
      /cannot hold a value of type builtin_function_or_method, and this dict has one in it/,
    ],
    [
      "invalid_value",
      ['remember(K.a.x, 1, "s", valid_from=datetime("2027-01-01T00:00:00Z"), valid_to=datetime("2026-01-01T00:00:00Z"))'],
      "",
      /./,
    ],
    ["invalid_value", ["x = {}['k']"], "", /KeyError: 'k'/],
    ["not_recorded", ["pin(K.a.x)"], "K.a.x", /nothing is recorded/],
    ["not_recorded", ["unpin(K.a.x)"], "K.a.x", /nothing is recorded/],
    ["not_recorded", ['prefer(K.a.x, "s")'], "K.a.x", /holds no value/],
    ["not_recorded", [WROTE, 'prefer(K.a.x, "t")'], "K.a.x", /holds no value/],
    ["not_recorded", ["unprefer(K.a.x)"], "K.a.x", /nothing is recorded/],
    ["already_in_effect", [WROTE, "pin(K.a.x)", "pin(K.a.x)"], "K.a.x", /already pinned/],
    ["already_in_effect", [WROTE, "unpin(K.a.x)"], "K.a.x", /not pinned/],
    ["already_in_effect", [WROTE, 'prefer(K.a.x, "s")', 'prefer(K.a.x, "s")'], "K.a.x", /already preferred/],
    ["already_in_effect", [WROTE, "unprefer(K.a.x)"], "K.a.x", /no preference stands/],
    ["limit_exceeded", ["x = 10 ** 10000000"], "", /./],
  ])("[6] %s: %j", (reason, sources, hint, says) => {
    const answer = last(sources);
    expect(answer.status, answer.text).toBe("refuse");
    expect(answer.meta["refuse_reason"]).toBe(reason);
    expect(answer.text).toMatch(says);
    if (hint !== "") expect(answer.meta["teaching_hint"]).toBe(hint);
    // The text alone answers the call: the reason, and the hint where there is one.
    expect(answer.text).toContain(answer.meta["reason"] as string);
    if (answer.meta["teaching_hint"] !== undefined) expect(answer.text).toContain(`hint: ${answer.meta["teaching_hint"]}`);
    expect(answer.mirror).toMatchObject({ refuse_reason: reason, reason: answer.meta["reason"] });
  });

  it("[6] ambiguous: several values hold and nothing judges between them; the hint names the read that gives them all", () => {
    const answer = last(["import m\nprint(P.a.tag)"], {
      m: 'class P:\n    tag: many[string]\n\nremember(P.a.tag, "x", "s")\nremember(P.a.tag, "y", "s")\n',
    });
    expect(answer).toMatchObject({ status: "refuse", meta: { refuse_reason: "ambiguous" } });
    expect(answer.text).toContain("values(");
  });

  it.each([
    ["an address", 'import a\nimport b\nremember(Widget.w.n, 1, "s")'],
    ["a Kind", "import a, b\nprint(1)\nx = subjects(Widget)"],
    ["a read", "import b\nimport a\nfor i in range(2):\n    print(Widget.w.n)"],
    ["two names imported", 'from a import Widget\nfrom b import Widget\nremember(Widget.w.n, 1, "s")'],
    ["one name for two", "from a import Widget as W\nfrom b import Widget as W\nprint(W.w.n)"],
  ])("[rulings, Three refuse reasons] ambiguous: a name with two answers, as %s; nothing has run, and the hint lists them", (_, source) => {
    const f = new ToolFixture();
    for (const name of ["a", "b"]) f.compile(name, "class Widget:\n    n: int\n");
    const answer = f.run(source);
    expect(answer).toMatchObject({
      status: "refuse",
      meta: { refuse_reason: "ambiguous", teaching_hint: "a.Widget, b.Widget", invoke_status: "failed", transcript: [] },
    });
    expect(answer.text).toMatch(
      /^error: program failed — line [34]: `W(?:idget)?` is declared by `a.Widget` and `b.Widget`: write which one you mean\.\nhint: a\.Widget, b\.Widget$/,
    );
    // Beside another fault of the source it is one more diagnostic, without a fix: no edit is the mechanical one.
    const faulty = f.run(`${source}\nnope`);
    expect(faulty.status).toBe("compile_error");
    expect((faulty.meta["diagnostics"] as { message: string; fix?: string }[]).map((d) => [/^\S+ \S+/.exec(d.message)![0], d.fix])).toEqual(
      [
        [expect.stringMatching(/^`W(idget)?` is$/), undefined],
        ["Unknown name", undefined],
      ],
    );
  });

  it("[language 3, namespacing] a stored module named without its import is told to be imported; a class does not take an imported name", () => {
    const f = new ToolFixture();
    f.compile("stock", "class Item:\n    n: int\n\ndef add(n):\n    return n\n");
    for (const use of ["x = stock.add(1)", "print(stock.Item.a.n)", 'remember(stock.Item.a.n, 1, "s")', "print(1, stock)"]) {
      const { meta, status } = f.run(use);
      expect(status).toBe("compile_error");
      expect(meta["diagnostics"]).toMatchObject([{ message: "`stock` is a stored module: write `import stock` at the top first." }]);
    }
    const classes = f.compile(
      "shop",
      "from stock import Item\nfrom math import floor\nclass Item:\n    n: int\nclass floor:\n    n: int\n",
    );
    expect(classes.meta["diagnostics"]).toMatchObject(
      ["Item", "floor"].map((name, i) => ({
        line: 3 + 2 * i,
        col: 7,
        message: `\`${name}\` is imported too: name the class otherwise, or import what it hides \`as\` another name.`,
      })),
    );
    expect(f.compile("shop", "from stock import Item as Thing\nclass Item:\n    of: Thing\n").status).toBe("success");
  });

  it("[rulings, Three refuse reasons] ambiguous: a compile in which a name has two answers stores nothing", () => {
    const f = new ToolFixture();
    for (const name of ["a", "b"]) f.compile(name, "class Widget:\n    n: int\n");
    for (const use of ["x: Widget", "y: many[Widget]"]) {
      const answer = f.compile("c", `import a\nimport b\nclass C:\n    ${use}\n`);
      expect(answer).toMatchObject({
        status: "refuse",
        text: "error: compile failed — line 4: `Widget` is declared by `a.Widget` and `b.Widget`: write which one you mean.\nhint: a.Widget, b.Widget",
        meta: { refuse_reason: "ambiguous", teaching_hint: "a.Widget, b.Widget" },
      });
    }
    const ruled = "@rule\ndef r(w: Widget):\n    when(w.n > 1)\n    conclude(w.n, 2)\n";
    expect(f.compile("c", `import a\nimport b\n${ruled}`).meta).toMatchObject({ refuse_reason: "ambiguous" });
    expect(f.call("list_modules", {}).text).not.toContain("c (");
  });

  it("[6] derived_field: a write to what a rule concludes, or to a computed field; the hint names what it is derived from", () => {
    for (const [cell, value] of [
      ["P.ann.grown", "True"],
      ["P.ann.half", "9"],
    ]) {
      for (const verb of ["remember", "update"]) {
        const answer = last([`import m\n${verb}(${cell}, ${value}, "s")`], { m: GROWN });
        expect(answer, cell).toMatchObject({ status: "refuse", meta: { refuse_reason: "derived_field", teaching_hint: "m.P.age" } });
      }
    }
  });

  it.each([
    ["P.a.half", 9, "m.P.age", "write the fields it is derived from (m.P.age)"],
    ["P.a.one", 9, "m.P.age", "write the fields it is derived from (m.P.age), or say `not_asserted` in the rule"],
    ["P.a.two", 9, "m.P.age", "write the fields it is derived from (m.P.age), or say `not_asserted` in each rule that concludes it"],
    [
      "P.a.above",
      "P.b",
      "m.P.over",
      "write the fields it is derived from (m.P.over), or give the conclusion of `m.further` a field of its own",
    ],
  ])("[6] derived_field at %s says what the rules there can do, and nothing that they cannot", (cell, value, hint, says) => {
    const rule = (head: string, premises: string, conclusion: string) =>
      `@rule\ndef ${head}:\n    when(${premises})\n    conclude(${conclusion})\n`;
    const m = [
      "class P:\n    age: int\n    over: many[P]\n    above: many[P]\n\n    @computed\n    def half(self) -> int:\n        return self.age // 2\n",
      rule("a1(p: P)", "p.age > 1", "p.one, 1"),
      rule("b1(p: P)", "p.age > 1", "p.two, 1"),
      rule("b2(p: P)", "p.age > 2", "p.two, 2"),
      rule("first(p: P, q: P)", "p.over == q", "p.above, q"),
      rule("further(p: P, q: P, r: P)", "p.above == q, q.above == r", "p.above, r"),
    ].join("\n");
    const answer = last([`import m\nremember(${cell}, ${value}, "s")`], { m });
    expect(answer.meta).toMatchObject({ refuse_reason: "derived_field", teaching_hint: hint });
    expect(answer.text.split("\n")[0]!.endsWith(says), answer.text).toBe(true);
  });

  it("[language 5.3] `why` of a value that is recorded or concluded and not in force points to `why_not`", () => {
    const answer = last(['remember(K.a.x, 1, "s")\nremember(K.a.x, 2, "t")', "print(values(K.a.x))\nprint(why(K.a.x, 1))"]);
    expect(answer.meta).toMatchObject({ refuse_reason: "invalid_value", teaching_hint: "K.a.x" });
    expect(answer.text).toContain("that value is not in force at K.a.x: `why_not(cell, value)` tells");
    expect(last(['remember(K.a.x, 1, "s")\nremember(K.a.x, 2, "t")', "print(why_not(K.a.x, 1))"]).text).toContain("K.a.x is 2, not 1");
  });

  it("[6] limit_exceeded at the call's ceiling: the run stops there, no handler sees it, what it wrote stays", () => {
    const f = new ToolFixture();
    const answer = f.run(
      'try:\n    for i in range(100):\n        remember(K["s" + str(i)].x, i, "s")\nexcept Exception:\n    print("caught")\nfinally:\n    print("finally")',
      { opsMax: 60 },
    );
    expect(answer).toMatchObject({ status: "refuse", meta: { refuse_reason: "limit_exceeded" }, ops: 60 });
    expect(answer.text).not.toMatch(/caught|finally/);
    expect(Number(f.run("print(len(subjects(K)))").text.split("\n").at(-1))).toBeGreaterThan(3);
  });

  it("[6] limit_exceeded at whatever operation: what is told to be written is what is there", () => {
    for (let opsMax = 1; opsMax < 12; opsMax++) {
      const f = new ToolFixture();
      const source = ["a", "b", "c", "d"].map((field) => `remember(K.s.${field}, 1, "s")`).join("\n");
      const { text } = f.run(source, { opsMax });
      const told = [...text.matchAll(/^remember K\.s\.(\w) = 1/gm)].map(([, field]) => field);
      expect(f.run("print(fields(K.s))").text.split("\n").at(-1), `${opsMax}`).toBe(`[${told.map((field) => `'${field}'`).join(", ")}]`);
    }
  });

  it("[3] scope_forbidden: at the statement that would change a recorded value; what came before stays, and nothing catches it", () => {
    const f = new ToolFixture();
    const answer = f.run(
      'remember(K.a.x, 1, "s")\ntry:\n    update(K.a.x, 2, "s")\nexcept Exception as e:\n    print("caught", e)\nfinally:\n    print("finally")',
      { level: "read-add" },
    );
    expect(answer).toMatchObject({ status: "refuse", meta: { refuse_reason: "scope_forbidden" } });
    expect(answer.text.split("\n")).toEqual(["error: program failed — line 3: this key may not do this", "remember K.a.x = 1 (per s)"]);
    expect(answer.meta).not.toHaveProperty("teaching_hint");
    expect(f.run("print(K.a.x)").text).toContain("\n1");
  });

  it.each([
    ["PinnedAddress", "pinned_address", "forget(K.a.x)"],
    ["ConflictingWrite", "conflicting_write", 'remember(K.a.x, 2, "s")'],
    ["AlreadyInEffect", "already_in_effect", "pin(K.a.x)"],
    ["NotRecorded", "not_recorded", "pin(K.b.x)"],
    ["InvalidValue", "invalid_value", 'remember(K.a.y, [len], "s")'],
  ])("[6] %s is caught by its class, and says reason, text and hint", (name, reason, statement) => {
    const answer = last([
      `${WROTE}\npin(K.a.x)`,
      `try:\n    ${statement}\nexcept ${name} as e:\n    print(e.reason)\n    print(len(str(e)) > 0)`,
    ]);
    expect(answer.text.split("\n").slice(1)).toEqual([reason, "True"]);
  });

  it("[6] `unpin` and `unprefer` lift what stands, whatever the address holds now", () => {
    const sources = [`${WROTE}\npin(K.a.x)\nprefer(K.a.x, "s")`, "unpin(K.a.x)", "forget(K.a.x)", "unprefer(K.a.x)"];
    expect(last(sources).status).toBe("success");
  });

  it("[6] removing a recorded value is never refused for being at a derived field", () => {
    const f = new ToolFixture();
    f.compile(
      "m",
      "class P:\n    age: int\n    grown: bool\n\n@rule\ndef grown(p: P):\n    when(p.age >= 18, not_asserted(p.grown))\n    conclude(p.grown, True)\n",
    );
    expect(f.run('import m\nremember(P.a.grown, False, "s")').status).toBe("success");
    expect(f.run("import m\nforget(P.a.grown)").text).toContain("1 claim removed");
  });
});

describe("a refusal of a compile", () => {
  it("[6] asserted_field: a rule or a computed field that would conclude over recorded values; the hint names the first", () => {
    const f = new ToolFixture();
    f.compile("m", "class P:\n    age: int\n    grown: bool\n    half: int\n");
    f.run('import m\nremember(P.b.grown, True, "s")\nremember(P.a.half, 1, "s")');
    const rule = f.compile(
      "m",
      "class P:\n    age: int\n    half: int\n\n@rule\ndef grown(p: P):\n    when(p.age >= 18)\n    conclude(p.grown, True)\n",
    );
    expect(rule).toMatchObject({ status: "refuse", meta: { refuse_reason: "asserted_field", teaching_hint: "m.P.b.grown" } });
    expect(rule.text).toContain("forget them, conclude the rule at another field, or say `not_asserted` in it");
    const computed = f.compile(
      "m",
      "class P:\n    age: int\n    grown: bool\n\n    @computed\n    def half(self) -> int:\n        return self.age // 2\n",
    );
    expect(computed).toMatchObject({ status: "refuse", meta: { refuse_reason: "asserted_field", teaching_hint: "m.P.a.half" } });
    expect(computed.text).toContain("forget them, or give the computed field another name");
    expect(f.run("import m\nprint(P.b.grown, P.a.half)").text).toContain("True 1");
  });

  it("[6] still_referenced: a class that another module's rule reads; nothing changes", () => {
    const f = new ToolFixture();
    f.compile("base", "class P:\n    age: int\n");
    f.compile("top", "import base\n\n@rule\ndef grown(p: P):\n    when(p.age >= 18)\n    conclude(p.grown, True)\n");
    const answer = f.compile("base", "class Q:\n    age: int\n");
    expect(answer).toMatchObject({ status: "refuse", meta: { refuse_reason: "still_referenced" } });
    expect(answer.text).toContain("top");
    expect(f.call("info_module", { name: "base" }).text).toContain("base.P");
  });
});

describe("a call that fails otherwise", () => {
  it("[6] a program that imports a module that is not stored fails as the import runs; one that also uses it, before it runs", () => {
    const late = last(['print("ran")\nimport nowhere']);
    expect(late).toMatchObject({ status: "engine_error", meta: { invoke_status: "failed" } });
    expect(late.meta).not.toHaveProperty("refuse_reason");
    expect(late.text).toContain("ran");
    const early = last(['print("ran")\nimport nowhere\nnowhere.f()']);
    expect(early.status).toBe("compile_error");
    expect(early.text).not.toMatch(/^ran$/m);
    const [diagnostic] = early.meta["diagnostics"] as { line: number; message: string }[];
    expect(diagnostic!.line).toBe(2);
    expect(late.meta["reason"]).toBe(`line 2: ${diagnostic!.message}`);
    // No handler catches it.
    expect(last(["try:\n    x = 1\nexcept Exception:\n    print('caught')\nimport nowhere"]).status).toBe("engine_error");
  });

  it.each([
    ["info", { name: "m.nothing" }],
    ["info_module", { name: "nothing" }],
    ["forget_module", { name: "nothing", confirm: true }],
    ["compile", { name: "nothing" }],
  ])("[6] %s of %j is an engine_error that names it and where to look", (tool, args) => {
    const answer = new ToolFixture().call(tool, args);
    expect(answer.status).toBe("engine_error");
    expect(answer.text).toContain(`\`${args.name}\``);
    expect(answer.text).toMatch(/`list(_modules)?`/);
    expect(answer.meta).not.toHaveProperty("refuse_reason");
  });

  it("[6] success and failure are told apart by the status alone, whatever the tool", () => {
    const f = new ToolFixture();
    for (const source of ["x = 1", "x = 1 // 0", "x =", "import nowhere", "", "return 1"]) {
      const answer = f.run(source);
      expect(answer.text.startsWith("OK program: ")).toBe(answer.status === "success");
      expect(answer.text.startsWith("error: program failed — ")).toBe(answer.status !== "success");
      expect("refuse_reason" in answer.meta).toBe(answer.status === "refuse");
      expect("diagnostics" in answer.meta).toBe(answer.status === "compile_error");
    }
  });
});

describe("the repair loop", () => {
  const BROKEN = 'def watch(n: int):\n    i = 0\n    while i < n:\n        print("checking")\n';

  it("[6.1] a `while` is refused whole, with the form to write instead, apart from the message; the corrected source compiles", () => {
    const f = new ToolFixture();
    const answer = f.compile("watch", BROKEN);
    expect(answer).toMatchObject({ status: "compile_error", meta: { compile_status: "parse_error" } });
    const [diagnostic, ...more] = answer.meta["diagnostics"] as {
      class: string;
      line: number;
      col: number;
      message: string;
      fix: string;
    }[];
    expect(more).toEqual([]);
    expect(diagnostic).toMatchObject({ class: "parse_error", line: 3, col: 5, fix: "for <name> in <iterable>:" });
    expect(diagnostic!.message).toMatch(/`while`.*`for <name> in <iterable>:`.*`range\(n\)`/);
    expect(answer.text).toContain("fix: for <name> in <iterable>:");
    expect(f.call("list_modules", {}).text).toBe("OK list_modules: 0 modules");
    expect(f.compile("watch", 'def watch(n: int):\n    for i in range(n):\n        print("checking")\n').status).toBe("success");
  });

  it("[6.1] recursion is refused with the whole cycle", () => {
    const answer = new ToolFixture().compile("m", "def f(n):\n    return g(n)\n\ndef g(n):\n    return f(n)\n");
    expect(answer).toMatchObject({ status: "compile_error", meta: { compile_status: "type_error" } });
    expect(answer.text).toMatch(/`?f`?.*`?g`?/);
  });

  it("[6] calls deeper than a call may stand are refused in words that fit an import too", () => {
    const chain = Array.from({ length: FRAMES_MAX + 5 }, (_, i) => `f${i} = lambda: ${i === 0 ? "1" : `f${i - 1}()`}`).join("\n");
    const f = new ToolFixture();
    expect(f.run(`${chain}\nprint(f${FRAMES_MAX - 2}())`).status).toBe("success");
    const answer = f.run(`${chain}\nprint(f${FRAMES_MAX + 4}())`);
    expect(answer).toMatchObject({ status: "refuse", meta: { refuse_reason: "out_of_surface" } });
    expect(answer.text).toContain(`calls stand ${FRAMES_MAX} deep here, an import counting as one`);
  });

  it("[6.1] `fix` stands only where one edit mends it", () => {
    const [unknown] = new ToolFixture().run("print(completely_unheard_of)").meta["diagnostics"] as object[];
    expect(unknown).not.toHaveProperty("fix");
    const [near] = new ToolFixture().run("total = 1\nprint(totl)").meta["diagnostics"] as object[];
    expect(near).toMatchObject({ fix: "total" });
  });

  it("[6.1] line and column count from 1, the column in characters", () => {
    const [diagnostic] = new ToolFixture().run('x = 1\ny = ("é💥", nowhere)').meta["diagnostics"] as object[];
    expect(diagnostic).toMatchObject({ line: 2, col: 12 });
  });
});
