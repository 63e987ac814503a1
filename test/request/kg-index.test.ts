/** The tables beside the claims follow whoever writes the claims; and the modules that declare the records. */
import { describe, expect, it } from "vitest";
import { InvalidParams } from "../../src/tools/answer";
import { RequestFixture } from "./request-fixture";

describe("what a program writes", () => {
  it("[decision: records are claims] is found by the verbs, under the name it has", () => {
    const f = new RequestFixture();
    f.result('create(kind="concept", name="first")');
    f.run(
      'import kg\nremember(Concept["mine"].name, "Mine", "survey")\nremember(Concept["mine"].extends, Concept["other"], "survey")\nremember(Concept["other"].name, "Other", "survey")',
    );
    expect(f.result('get(id="mine")')).toMatchObject({ id: "mine", name: "Mine", namespace: "survey" });
    expect(f.result('neighbors(node_id="mine")')).toMatchObject([{ id: "other", name: "Other", relation: "extends", weight: 1 }]);
    expect(f.result("stats()")).toMatchObject({ entities: 3, edges: 1 });
    expect(f.result('list(kind="concept", namespace="survey")').items).toHaveLength(2);
    const edge = f.result('list(kind="edge")').items[0];
    expect(f.result(`get(id="${edge.id}")`)).toMatchObject({ source_id: "mine", target_id: "other" });
    f.run('import kg\nforget(Concept["mine"].extends)\nupdate(Concept["other"].name, "Another", "survey")');
    expect(f.result("stats()").edges).toBe(0);
    expect(f.result('get(id="other")').name).toBe("Another");
    f.run('import kg\nforget(Concept["mine"])');
    expect(f.error('get(id="mine")')).toMatch(/not found/);
  });

  it("[decision: records are claims] a value that a rule concluded shows like one that was written", () => {
    const f = new RequestFixture();
    const { id } = f.result('create(kind="concept", name="A", tags=["x"])');
    const source =
      'import kg\n@rule\ndef described(c: Concept):\n    when(c.tags == "x", not_asserted(c.description))\n    conclude(c.description, f"tagged: {c.name}")\n';
    expect(f.call("compile", { name: "m", source }).text).toContain("OK module");
    expect(f.result(`get(id="${id}")`).description).toBe("tagged: A");
    expect(f.result(`update(id="${id}", description="mine")`).description).toBe("mine");
  });

  it("[decision: records are claims] tags that a rule concluded are shown, listed and searched by, and no merge writes what is concluded", () => {
    const f = new RequestFixture();
    const rule = (name: string, kind: string, when: string, then: string) =>
      `@rule\ndef ${name}(c: ${kind}):\n    when(${when})\n    conclude(${then})\n`;
    const source = [
      "import kg",
      rule("tagged", "Concept", 'c.name == "A", not_asserted(c.tags)', 'c.tags, "auto"'),
      rule("said", "Concept", "not_asserted(c.description)", 'c.description, f"zebra {c.name}"'),
      rule("due", "Task", "not_asserted(c.tags)", 'c.tags, "soon"'),
      rule("kept", "Memory", "not_asserted(c.tags)", 'c.tags, "vip"'),
    ].join("\n");
    const a = f.result('create(kind="concept", name="A")').id;
    const b = f.result('create(kind="concept", name="B", tags=["y", "x", "y"])').id;
    expect(f.call("compile", { name: "m", source }).text).toContain("OK module");
    expect(f.result(`get(id="${a}")`)).toMatchObject({ tags: ["auto"], description: "zebra A" });
    expect(f.result(`get(id="${b}")`).tags).toEqual(["y", "x"]);
    expect(f.result('list(kind="concept", tags=["AUTO"])').items).toMatchObject([{ id: a }]);
    expect(f.result('search(kind="concept", query="A", tags=["auto"])')).toMatchObject([{ id: a }]);
    expect(f.result("query(query=\"MATCH (c:concept) WHERE c.name = 'A' RETURN c.tags\")").rows).toEqual([{ "c.tags": ["auto"] }]);
    expect(f.result('gtd.assign(title="t") | gtd.tasks()').items).toMatchObject([{ tags: ["soon"] }]);
    expect(f.result('memory.remember(content="a cat") | memory.recall(query="cat", tags=["vip"])')).toMatchObject([{ tags: ["vip"] }]);
    expect(f.result(`merge(into_id="${b}", from_id="${a}")`)).toMatchObject({ tags_unioned: 0, content_appended: false });
    expect(f.result(`get(id="${b}")`)).toMatchObject({ tags: ["y", "x"], description: "zebra B" });
    expect(f.run(`import kg\nprint(get(kg.Concept["${b}"].description)[0].source)`)).not.toContain("local");
  });
});

describe("the tables", () => {
  it("[decision: records are claims] are made anew from the claims where they are of another form", () => {
    const f = new RequestFixture();
    const a = f.result('create(kind="concept", name="A")').id;
    const b = f.result('create(kind="concept", name="B")').id;
    f.result(`link(source_id="${a}", target_id="${b}", relation="extends", weight=0.5)`);
    f.result('stream.append(stream="s", record=1)');
    f.result('stream.batch(ops=[{"op":"write","key":"k","kind":"reference","doc":1}], atomic=true)');
    const read = () => [
      f.result(`get(id="${a.slice(0, 8)}")`),
      f.result(`neighbors(node_id="${b}")`),
      f.result('stream.read(stream="s")'),
      f.result("stats()"),
    ];
    const before = read();
    f.sql.exec("DELETE FROM kg_edge");
    f.sql.exec("DELETE FROM kg_record");
    f.sql.exec("DELETE FROM kg_entry");
    f.sql.exec("DELETE FROM kg_key");
    f.sql.exec("DELETE FROM meta WHERE name = 'kg_index'");
    f.reopen();
    expect(read()).toEqual(before);
    expect(
      f.error('stream.batch(ops=[{"op":"write","key":"k","kind":"reference","doc":2,"expected_version":null}], atomic=true)'),
    ).toMatchObject({ kind: "conflict" });
  });
});

describe("the modules kg and kg_deleted", () => {
  it("[decision: records are claims] are compiled by nobody else, and come back with the next write after they were forgotten", () => {
    const f = new RequestFixture();
    f.result('create(kind="concept", name="A lighthouse")');
    expect(f.result('search(query="lighthouse", kind="concept")')).toHaveLength(1);
    for (const name of ["kg", "kg_deleted"]) expect(() => f.call("compile", { name, source: "x = 1" })).toThrow(InvalidParams);
    expect(f.error('dke.compile(name="kg", source="x = 1")')).toMatchObject({ kind: "invalid_input" });
    expect(f.result('dke.forget_module(name="kg", confirm=true)').removed).toBe(1);
    expect(f.result("stats()").entities).toBe(0);
    expect(f.result('search(query="lighthouse", kind="concept")')).toEqual([]);
    const { id } = f.result('create(kind="concept", name="B", tags=["x", "y"])');
    expect(f.result(`get(id="${id}")`).tags).toEqual(["x", "y"]);
  });
});

describe("a failed program", () => {
  it("[rulings: request] is a failed op that says what it printed, and stops its chain", () => {
    const f = new RequestFixture();
    const { results } = f.request('dke.run(source="print(1)\\nremember(A.b.c, 1, \\"s\\")\\nx = 1 / 0") | stats()');
    expect(results[0]).toMatchObject({
      ok: false,
      error: { kind: "invalid_value", details: { printed: ["1"], status: "refuse" }, domain_disposition: "unknown" },
    });
    expect(results[1]).toMatchObject({ aborted: true });
    expect(f.error('dke.run(source="while True: pass")')).toMatchObject({ kind: "compile_error", domain_disposition: "not_committed" });
    expect(f.error('dke.run(source="print(1)\\nx = 1 / 0")')).toMatchObject({ kind: "invalid_value", domain_disposition: "not_committed" });
    expect(f.error('dke.run(source="with branch():\\n    remember(A.b.d, 1, \\"s\\")\\n    x = 1 / 0")')).toMatchObject({
      domain_disposition: "not_committed",
    });
    expect(f.error('dke.run(source="remember(A.b.e, 1, \\"s\\")")', { opsMax: 1 })).toMatchObject({
      kind: "limit_exceeded",
      details: { text: expect.stringContaining("remember A.b.e = 1") },
      domain_disposition: "unknown",
    });
    expect(f.result('dke.run(source="print(fields(A.b))")').printed).toEqual(["['c', 'e']"]);
    expect(f.result('dke.run(source="print(2, end=\\"\\")\\nprint(3)")')).toEqual({
      status: "success",
      printed: ["2", "3"],
      text: expect.any(String),
      ops: expect.any(Number),
    });
  });
});

describe("a ceiling", () => {
  it("[contract §7] ends the rest of a request, and what ran stays", () => {
    const f = new RequestFixture();
    const { results } = f.request(
      '[create(kind="concept", name="A"), create(kind="concept", name="B"), create(kind="concept", name="C")]',
      {},
      { opsMax: 3 },
    );
    expect(results.map((one: { ok: boolean; error?: { kind: string } }) => one.error?.kind ?? one.ok)).toEqual([
      true,
      "limit_exceeded",
      "limit_exceeded",
    ]);
    expect(f.result("stats()").entities).toBe(1);
  });

  it("[request facts §10] a limit beyond the cap is taken as the cap, and said in one shape", () => {
    const f = new RequestFixture();
    const { id } = f.result('create(kind="concept", name="Alpha")');
    const clamped = (cap: number) => ({ requested_limit: 5000, effective_limit: cap, limit_clamped: true });
    expect(f.result('context(query="alpha", limit=5000)')).toMatchObject(clamped(20));
    expect(f.result('context(query="alpha")')).toMatchObject({ requested_limit: 5, effective_limit: 5, limit_clamped: false });
    expect(f.result("gtd.tasks(limit=5000)")).toMatchObject(clamped(200));
    const lists: readonly (readonly [string, number])[] = [
      ['search(kind="entity", query="alpha", limit=5000)', 100],
      ['memory.recall(query="alpha", limit=5000)', 100],
      [`neighbors(node_id="${id}", limit=5000)`, 1000],
      [`traverse(roots=["${id}"], limit=5000)`, 1000],
    ];
    for (const [ops, cap] of lists) {
      expect(f.request(ops).results[0], ops).toMatchObject({ ok: true, advisories: [{ kind: "limit_clamped", ...clamped(cap) }] });
      expect(f.request(ops.replace("5000", "5")).results[0], ops).not.toHaveProperty("advisories");
    }
  });

  it("[request facts §7.1] search looks for a property of any name", () => {
    const f = new RequestFixture();
    f.result('create(kind="concept", name="Alpha", properties={"__proto__": 1})');
    f.result('create(kind="concept", name="Alpha two")');
    const found = (properties: string) =>
      f.result(`search(kind="entity", query="alpha", properties=${properties})`).map((hit: { title: string }) => hit.title);
    expect(found('{"__proto__": 1}')).toEqual(["Alpha"]);
    expect(found('{"__proto__": 2}')).toEqual([]);
    expect(found('{"constructor": 1}')).toEqual([]);
  });
});
