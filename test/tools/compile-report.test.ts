/** `compile`: what it keeps, what it says, and that a failure keeps nothing: contract §4.1, §9.4. */
import { describe, expect, it } from "vitest";
import { ToolFixture } from "./tool-fixture";

const SHOP = `class Item:
    price: int
    stock: int

    @computed
    def worth(self) -> int:
        return self.price * self.stock

@rule
def scarce(i: Item):
    when(i.stock < 3)
    conclude(i.scarce, True)

@constraint
def priced(i: Item):
    when(i.stock > 0)
    require(i.price > 0)

def restock(name: string, n: int = 1):
    update(Item[name].stock, n, "clerk")
    return n

remember(Item.bolt.stock, 2, "count")
print("loaded", Item.bolt.scarce)
`;

/** Everything a client can see of a store. */
function seen(f: ToolFixture): unknown[] {
  const tools = [
    ["list", { target: "scripts" }],
    ["list", { target: "rules" }],
    ["list", { target: "kinds" }],
    ["list_modules", {}],
  ] as const;
  const listed = tools.map(([tool, args]) => f.call(tool, args).text);
  const data = f.run("for k in kinds():\n    print(k)\nprint(get(Item.bolt.stock), get(Shelf.a.n))").text;
  return [...listed, data];
}

describe("a compile that succeeds", () => {
  it("[4.1] says what it installed, then what its body did, in execution order", () => {
    const answer = new ToolFixture().compile("shop", SHOP);
    expect(answer.text.split("\n")).toEqual([
      "OK module: shop",
      "installed class shop.Item",
      "installed script shop.restock(name: string, n: int = 1)",
      "installed rule shop.scarce",
      "installed computed field shop.Item.worth",
      "installed constraint shop.priced",
      "body: 1 claim added, 1 print",
      "remember Item.bolt.stock = 2 (per count)",
      "loaded True",
    ]);
    expect(answer).toMatchObject({
      status: "success",
      mirror: null,
      meta: {
        module: "shop",
        classes: ["shop.Item"],
        scripts: ["shop.restock"],
        rules: ["shop.scarce"],
        computed_fields: ["shop.Item.worth"],
        constraints: ["shop.priced"],
      },
    });
    expect(answer.meta).not.toHaveProperty("transcript");
  });

  it.each([
    [
      "a data declaration alone installs nothing",
      'remember(A.b.c, 1, "s")\n',
      ["OK module: m", "body: 1 claim added", "remember A.b.c = 1 (per s)"],
    ],
    ["without a body reports none", "def f():\n    return 1\n", ["OK module: m", "installed script m.f()"]],
    ["with neither is acknowledged on its own", "# only words\n", ["OK module: m"]],
    ["of nothing at all is acknowledged too", "", ["OK module: m"]],
    ["whose body changes nothing and prints nothing says nothing of it", "x = 1\n", ["OK module: m"]],
    [
      "of one def is a module like any other",
      "def f(a, /, b: int = 3, *, c='x', **rest):\n    return a\n",
      ["OK module: m", "installed script m.f(a, /, b: int = 3, *, c='x', **rest)"],
    ],
  ])("[4.1] %s", (_, source, lines) => {
    expect(new ToolFixture().compile("m", source).text.split("\n")).toEqual(lines);
  });

  it("[4.1] reloads a stored module by name: its body runs again, and no installs are stated", () => {
    const f = new ToolFixture();
    f.compile("shop", SHOP);
    f.run("import shop\nforget(Item.bolt.stock)");
    const answer = f.call("compile", { name: "shop" });
    expect(answer.text.split("\n")).toEqual([
      "OK module: shop",
      "body: 1 claim added, 1 print",
      "remember Item.bolt.stock = 2 (per count)",
      "loaded True",
    ]);
    expect(answer.meta).toEqual({ module: "shop" });
  });

  it("[4.1] runs a body that is the same twice and adds nothing the second time", () => {
    const f = new ToolFixture();
    f.compile("shop", SHOP);
    expect(f.compile("shop", SHOP).text).toContain("body: 1 print\nloaded True");
  });

  it("[4.1] makes each def callable by its qualified name, and two modules may have the same one", () => {
    const f = new ToolFixture();
    f.compile("a", "def pick():\n    return 'a'\n");
    f.compile("b", "def pick():\n    return 'b'\n");
    expect(f.run("import a\nimport b\nprint(a.pick(), b.pick())").text).toContain("a b");
  });
});

describe("a compile that fails", () => {
  it.each([
    ["a token", "def f(:\n", "parse_error"],
    ["a loop the language lacks", "while True:\n    pass\n", "parse_error"],
    ["an unknown name", "def f():\n    return nowhere\n", "type_error"],
    ["a wrong argument", "def g(a):\n    return a\n\ndef f():\n    return g()\n", "type_error"],
  ])("[4.1] for %s stores nothing and names line, column and class", (_, source, compileStatus) => {
    const f = new ToolFixture();
    f.compile("shop", SHOP);
    const before = seen(f);
    const answer = f.compile("shop", `remember(Item.bolt.stock, 9, "other")\n${source}`);
    expect(answer).toMatchObject({ status: "compile_error", mirror: null, meta: { compile_status: compileStatus }, ops: 0 });
    const diagnostics = answer.meta["diagnostics"] as { class: string; line: number; col: number; message: string; fix?: string }[];
    expect(diagnostics.length).toBeGreaterThan(0);
    for (const one of diagnostics) {
      expect(Object.keys(one).filter((name) => !["class", "line", "col", "message", "fix"].includes(name))).toEqual([]);
      expect(one.class).toBe(compileStatus);
      expect(one.line).toBeGreaterThan(1);
      expect(one.col).toBeGreaterThan(0);
      expect(answer.text).toContain(`line ${one.line}, col ${one.col}: ${one.message}`);
    }
    expect(seen(f)).toEqual(before);
  });

  it.each([
    ["two writes that conflict", 'remember(Shelf.a.n, 2, "s")', "refuse", "conflicting_write"],
    ["an exception", "raise ValueError('no')", "refuse", "invalid_value"],
    ["an import of what is not stored", "import nowhere", "engine_error", undefined],
  ])(
    "[4.1] as its body does (%s) keeps neither a declaration nor a write, and carries what the body printed",
    (_, last, status, reason) => {
      const f = new ToolFixture();
      f.compile("shop", SHOP);
      const before = seen(f);
      const body = `class Shelf:\n    n: int\n\ndef f():\n    return 1\n\n@rule\ndef low(i: Shelf):\n    when(i.n < 3)\n    conclude(i.low, True)\n\nremember(Shelf.a.n, 1, "s")\nprint("so far")\n`;
      const answer = f.compile("rack", body + last);
      expect(answer.status).toBe(status);
      expect(answer.meta["refuse_reason"]).toBe(reason);
      const lines = answer.text.split("\n");
      expect(lines[0]).toMatch(/^error: compile failed — line 14: /);
      expect(lines.at(-1)).toBe("so far");
      expect(answer.text).not.toContain("remember Shelf");
      expect(seen(f)).toEqual(before);
      // The corrected source compiles with nothing to forget first.
      expect(f.compile("rack", body).status).toBe("success");
    },
  );

  it("[4.1] as a reload does keeps the module that is stored, and discards what the run wrote", () => {
    const f = new ToolFixture();
    f.compile(
      "m",
      'def f():\n    return 1\n\nremember(A.x.seen, True, "m")\nremember(A.x.n, value(A.x.wanted), "m") if present(A.x.wanted) else None\n',
    );
    f.run('remember(A.x.wanted, 5, "w")\nremember(A.x.n, 4, "m")\nforget(A.x.seen)');
    const answer = f.call("compile", { name: "m" });
    expect(answer).toMatchObject({ status: "refuse", meta: { refuse_reason: "conflicting_write" } });
    expect(answer.text).toMatch(/^error: compile failed — line 5 of module `m`: /);
    expect(f.run("import_ok = 1\nprint(get(A.x.seen))").text).toContain("[]");
    expect(f.run("print(list_scripts())").text).toContain("['m.f']");
  });

  it("[9.4] as a reload of what is not stored does is an engine_error that names it", () => {
    const answer = new ToolFixture().call("compile", { name: "nothing" });
    expect(answer.status).toBe("engine_error");
    expect(answer.text).toContain("`nothing`");
  });
});

describe("a module's name", () => {
  it.each(["a", "_", "_x1", "été", "名前", `x${"y".repeat(500)}`, "match", "list"])("[4.1] may be %s", (name) => {
    const f = new ToolFixture();
    expect(f.compile(name, "def f():\n    return 1\n").status).toBe("success");
    expect(f.run(`import ${name}\nprint(${name}.f())`).text).toBe("OK program: 1 print\n1");
  });

  it.each(["", "a.b", "a-b", "1a", "a b", " a", "a\n", "def", "None", "math", "json", "é́-", "a’b", "💥"])("[4.1] may not be %j", (name) => {
    expect(() => new ToolFixture().compile(name, "x = 1\n")).toThrow(/`name` must/);
  });
});

describe("a version label", () => {
  const f = new ToolFixture();
  const record = (): { version?: string; updated: string } => {
    const { version, updated_at } = f.call("info_module", { name: "m" }).meta as { version?: string; updated_at: string };
    return version === undefined ? { updated: updated_at } : { version, updated: updated_at };
  };
  const RULE = (limit: number): string =>
    `class N:\n    v: int\n\n@rule\ndef big(n: N):\n    when(n.v > ${limit})\n    conclude(n.big, True)\n`;
  const compile = (args: object): unknown => f.call("compile", { name: "m", ...args });

  it("[4.1] is recorded, kept when omitted, any other is a change, and the content decides the rest", () => {
    compile({ source: RULE(5) });
    const never = record();
    expect(never).not.toHaveProperty("version");
    expect(f.call("info_module", { name: "m" }).text).not.toContain("version");
    compile({ source: RULE(5) });
    expect(record()).toEqual(never);
    compile({ source: RULE(5), version: "2.1.0" });
    const labelled = record();
    expect(labelled.version).toBe("2.1.0");
    expect(labelled.updated > never.updated).toBe(true);
    expect(f.call("info_module", { name: "m" }).text).toContain("version: 2.1.0");
    compile({ source: RULE(5), version: "2.1.0" });
    expect(record()).toEqual(labelled);
    compile({ source: RULE(6) });
    const edited = record();
    expect(edited.version).toBe("2.1.0");
    expect(edited.updated > labelled.updated).toBe(true);
    compile({ source: RULE(6), version: "1" });
    const back = record();
    expect(back.version).toBe("1");
    expect(back.updated > edited.updated).toBe(true);
    compile({ version: "2.1.0" });
    expect(record().version).toBe("2.1.0");
    expect(record().updated > back.updated).toBe(true);
    f.reopen();
    expect(record().version).toBe("2.1.0");
  });
});
