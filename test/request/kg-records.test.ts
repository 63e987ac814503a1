/** Entities, notes and edges through the verbs, and the same through the language: one store, one truth. */
import { describe, expect, it } from "vitest";
import { RequestFixture } from "./request-fixture";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe("records", () => {
  it("[request facts §7.1] create gives the record, and get reads it by its id and by eight digits of it", () => {
    const f = new RequestFixture();
    const made = f.result(
      'create(kind="entity", entity_kind="concept", name="LoRA", description="low rank", tags=["peft","ml"], properties={"year": 2021, "f": 1.5, "n": 9007199254740993})',
    );
    expect(made.id).toMatch(UUID);
    expect(made).toMatchObject({
      namespace: "local",
      kind: "concept",
      name: "LoRA",
      description: "low rank",
      tags: ["peft", "ml"],
      deleted_at: null,
    });
    expect(f.result(`get(id="${made.id}")`)).toEqual(made);
    expect(f.result(`get(id="${made.id.slice(0, 8)}")`)).toEqual(made);
    expect(f.result(`get(id="${made.id.replaceAll("-", "").toUpperCase()}")`)).toEqual(made);
    f.reopen();
    expect(f.result(`get(id="${made.id}")`)).toEqual(made);
    expect(f.call("request", { ops: `get(id="${made.id}")` }).text).toContain('"n":9007199254740993');
    expect(f.error('get(id="ffffffff")')).toMatch(/^not found: /);
  });

  it("[decision: records are claims] a program sees what create and link wrote, and why explains it", () => {
    const f = new RequestFixture();
    const a = f.result('create(kind="concept", name="A")').id;
    const b = f.result('create(kind="document", name="B")').id;
    f.result(`link(source_id="${a}", target_id="${b}", relation="introduced_by", weight=0.5)`);
    const text = f.run(
      `import kg\nprint(find(Concept, name="A")[0] == Concept["${a}"], values(Concept["${a}"].introduced_by) == [Document["${b}"]])\nprint(why(Concept["${a}"].introduced_by))`,
    );
    expect(text).toContain("True True");
    expect(text).toContain(b);
    const ruled = f.call("compile", {
      name: "m",
      source: "import kg\n@rule\ndef r(c: Concept, d: Document):\n    when(c.introduced_by == d)\n    conclude(d.introduces, c)\n",
    });
    expect(ruled.text).toContain("OK module");
    expect(f.run(`import kg\nimport m\nprint(values(Document["${b}"].introduces) == [Concept["${a}"]])`)).toContain("True");
    f.result(`delete(id="${b}")`);
    expect(f.run(`import kg\nimport m\nprint(values(Document["${b}"].introduces), values(Concept["${a}"].introduced_by))`)).toContain(
      "[] []",
    );
  });

  it("[decision: records are claims] diff shows a record, restore brings it back after a removal, soft or hard, edges too", () => {
    for (const hard of [false, true]) {
      const f = new RequestFixture();
      const a = f.result('create(kind="concept", name="A", tags=["t"])').id;
      const b = f.result('create(kind="concept", name="B")').id;
      f.result(`link(source_id="${a}", target_id="${b}", relation="extends", weight=0.7)`);
      const before = [f.result(`get(id="${a}")`), f.result(`neighbors(node_id="${a}")`)];
      f.result('dke.checkpoint(name="m")');
      f.result('create(kind="insight", content="seen")');
      expect(f.result('dke.diff(since="m")').text).toContain("content = 'seen'");
      expect(f.result(`delete(id="${a}", hard=${hard})`)).toEqual({ deleted: true, id: a, kind: "concept", hard, edges_removed: 1 });
      expect(f.error(`get(id="${a}")`)).toMatch(/not found/);
      expect(f.result(`neighbors(node_id="${b}")`)).toEqual([]);
      if (!hard)
        expect(f.result(`get(id="${a}", include_deleted=true)`)).toMatchObject({
          name: "A",
          tags: ["t"],
          deleted_at: expect.any(String),
          created_at: before[0].created_at,
        });
      else expect(f.error(`get(id="${a}", include_deleted=true)`)).toMatch(/not found/);
      expect(f.result('dke.diff(since="m")').text).toContain(`removed kg.Concept["${a}"]`);
      expect(f.result('dke.restore(since="m")').restored).toBeGreaterThan(0);
      expect([{ ...f.result(`get(id="${a}")`), updated_at: 0 }, f.result(`neighbors(node_id="${a}")`)]).toEqual([
        { ...before[0], updated_at: 0 },
        before[1],
      ]);
    }
  });

  it("[decision: records are claims] what was deleted softly can be deleted for good, and then is nowhere", () => {
    const f = new RequestFixture();
    const a = f.result('create(kind="concept", name="A")').id;
    const b = f.result('create(kind="concept", name="B")').id;
    const link = (from: string, to: string) => f.result(`link(source_id="${from}", target_id="${to}", relation="extends")`).id;
    const [out, into] = [link(a, b), link(b, a)];
    f.result(`delete(id="${a}")`);
    for (const edge of [out, into])
      expect(f.result(`get(id="${edge}", include_deleted=true)`)).toMatchObject({ deleted_at: expect.any(String) });
    expect(f.error(`delete(id="${a}")`)).toMatch(/not found/);
    f.result(`delete(id="${a}", hard=true)`);
    for (const id of [a, out, into]) expect(f.error(`get(id="${id}", include_deleted=true)`)).toMatch(/not found/);
    expect(f.sql.exec("SELECT count(*) FROM kg_edge")[0][0]).toBe(0);
    expect(f.run("print(kinds())")).toContain("['kg.Concept']");
  });

  it("[request facts §1.3] any text is a key of properties, and integers keep their digits", () => {
    const f = new RequestFixture();
    const properties = '{"__proto__":1,"constructor":2,"":3,"n":18446744073709551615}';
    const { id } = f.result(`create(kind="concept", name="A", properties=${properties})`);
    expect(f.call("request", { ops: `get(id="${id}")` }).text).toContain(`"properties":${properties}`);
    expect(f.error('create(kind="concept", name="A", properties=[1])').message).toContain("`properties` must be an object");
  });

  it("[request facts §7.1] update changes what is named, joins properties, replaces and clears tags", () => {
    const f = new RequestFixture();
    const { id } = f.result('create(kind="concept", name="A", description="d", tags=["x","y"], properties={"a":1,"b":2})');
    expect(f.result(`update(id="${id}", properties={"b":3,"a":null}, tags=["y","z"])`)).toMatchObject({
      name: "A",
      description: "d",
      properties: { b: 3 },
      tags: ["y", "z"],
    });
    expect(f.result(`update(id="${id}", tags=[], description=null, name="B")`)).toMatchObject({ name: "B", description: null, tags: [] });
    expect(f.result(`update(id="${id}", tags=["x"], description="again")`)).toMatchObject({ tags: ["x"], description: "again" });
    expect(f.error(`update(id="${id}", content="no")`)).toMatchObject({ kind: "invalid_input" });
  });

  it("[request facts §8.1] link holds the pair against the table and names the pairs that would be legal", () => {
    const f = new RequestFixture();
    const a = f.result('create(kind="concept", name="A")').id;
    const d = f.result('create(kind="document", name="D")').id;
    const error = f.error(`link(source_id="${d}", target_id="${a}", relation="extends")`);
    expect(error).toMatchObject({
      kind: "invalid_input",
      details: { legal_pairs: ["concept → concept"], legal_relations: expect.arrayContaining(["supports"]) },
    });
    expect(f.error(`link(source_id="${a}", target_id="${a}", relation="extends")`).message).toContain("itself");
    expect(f.error(`link(source_id="${a}", target_id="${d}", relation="likes")`).message).toContain("unknown relation");
  });

  it("[request facts §7.1] linking again keeps id and created_at and replaces weight and metadata; a deleted edge asks for resurrect", () => {
    const f = new RequestFixture();
    const a = f.result('create(kind="project", name="A")').id;
    const b = f.result('create(kind="project", name="B")').id;
    const link = (more = "") => `link(source_id="${a}", target_id="${b}", relation="depends-on"${more})`;
    const first = f.result(link());
    expect(first).toMatchObject({ mutation: "created", weight: 1, metadata: { dependency_kind: "build" }, relation: "depends_on" });
    const second = f.result(link(', weight=0.4, metadata={"k":1}, dependency_kind="runtime"'));
    expect(second).toMatchObject({
      mutation: "updated",
      id: first.id,
      created_at: first.created_at,
      weight: 0.4,
      metadata: { k: 1, dependency_kind: "runtime" },
    });
    expect(f.result(`get(id="${first.id.slice(0, 8)}")`)).toMatchObject({ id: first.id, annotations: [] });
    f.result(`delete(id="${first.id}")`);
    expect(f.error(link())).toMatchObject({ kind: "conflict" });
    expect(f.result(link(", resurrect=true"))).toMatchObject({ mutation: "resurrected", id: first.id, created_at: first.created_at });
    expect(f.result("stats()")).toMatchObject({ entities: 2, edges: 1, edges_by_relation: { depends_on: 1 }, notes: 0 });
  });

  it("[request facts §7.1] update gives an edge another relation where its ends may be joined so; it is the same edge", () => {
    const f = new RequestFixture();
    const [a, b] = ["A", "B"].map((name) => f.result(`create(kind="concept", name="${name}")`).id).sort();
    const made = f.result(`link(source_id="${b}", target_id="${a}", relation="extends", weight=0.5, metadata={"k": 1})`);
    const note = f.result(`create(kind="insight", content="about it", annotates=["${made.id}"])`).id;
    const update = (args: string, more = {}) => f.result(`update(id="${made.id}", ${args})`, more);
    expect(update('relation="Variant-Of"')).toEqual({
      ...made,
      relation: "variant_of",
      updated_at: expect.not.stringMatching(made.updated_at),
      mutation: undefined,
    });
    f.reopen();
    expect(f.result(`get(id="${made.id.slice(0, 8)}")`)).toMatchObject({ relation: "variant_of", annotations: [{ id: note }] });
    expect(f.result("stats()").edges_by_relation).toEqual({ variant_of: 1, annotates: 1 });
    // A symmetric one is kept from the smaller id on.
    const both = update('relation="competes_with", weight=0.9, properties={"j": 2}');
    expect(both).toMatchObject({ source_id: a, target_id: b, weight: 0.9, metadata: { k: 1, j: 2 }, created_at: made.created_at });
    expect(f.result(`neighbors(node_id="${b}", direction="outgoing")`)).toMatchObject([{ id: a, edge_id: made.id }]);
    f.result(`link(source_id="${a}", target_id="${b}", relation="extends")`);
    const refused = (args: string, more = {}) => f.error(`update(id="${made.id}", ${args})`, more);
    expect(refused('relation="extends"')).toMatchObject({ kind: "conflict", details: { reason: "edge_exists" } });
    expect(refused('relation="introduced_by"').message).toContain("introduced_by does not join concept → concept");
    expect(refused('relation="likes"').message).toContain("unknown relation");
    expect(refused('relation="variant_of"', { level: "read-add" })).toMatchObject({ kind: "scope_forbidden" });
    expect(refused('properties={"dependency_kind": "data"}').message).toContain("belongs to depends_on");
    const [p, s] = ["project", "service"].map((kind) => f.result(`create(kind="${kind}", name="x")`).id);
    const depends = f.result(`link(source_id="${s}", target_id="${p}", relation="depends_on", dependency_kind="build")`).id;
    expect(f.result(`update(id="${depends}", relation="instance_of")`).metadata).toEqual({});
    expect(f.result(`delete(id="${made.id}") | get(id="${made.id}", include_deleted=true)`)).toMatchObject({ relation: "competes_with" });
  });

  it("[request facts §8.1] a symmetric relation is one edge, read in both directions, echoed as it was said", () => {
    const f = new RequestFixture();
    const a = f.result('create(kind="concept", name="A")').id;
    const b = f.result('create(kind="concept", name="B")').id;
    const [one, two] = [
      f.result(`link(source_id="${a}", target_id="${b}", relation="competes_with")`),
      f.result(`link(source_id="${b}", target_id="${a}", relation="competes_with")`),
    ];
    expect([one.source_id, two.source_id, two.mutation, two.id]).toEqual([a, b, "updated", one.id]);
    for (const [from, to] of [
      [a, b],
      [b, a],
    ])
      expect(f.result(`neighbors(node_id="${from}", direction="outgoing")`)).toMatchObject([{ id: to, relation: "competes_with" }]);
  });

  it("[request facts §7.1] a note may be about anything, an edge too", () => {
    const f = new RequestFixture();
    const a = f.result('create(kind="concept", name="A")').id;
    const b = f.result('create(kind="concept", name="B")').id;
    const edge = f.result(`link(source_id="${a}", target_id="${b}", relation="extends")`).id;
    const note = f.result(`create(kind="note", content="why so", salience=0.8, annotates=["${edge}", "${a}"])`);
    expect(note).toMatchObject({ kind: "observation", salience: 0.8 });
    expect(f.result(`get(id="${edge}")`).annotations).toMatchObject([{ id: note.id, content: "why so" }]);
    expect(f.result(`delete(id="${edge}")`).edges_removed).toBe(1);
    expect(f.result(`neighbors(node_id="${note.id}")`)).toHaveLength(1);
  });

  it("[request facts §7.1] create(items) is all or nothing, or each for itself", () => {
    const f = new RequestFixture();
    const items = '[{"kind":"concept","name":"A"},{"kind":"concept","name":" "},{"kind":"insight","content":"c"}]';
    const error = f.error(`create(items=${items})`);
    expect(error).toMatchObject({ kind: "invalid_input", details: { errors: [{ index: 1 }] }, domain_disposition: "not_committed" });
    expect(f.result("stats()")).toMatchObject({ entities: 0, notes: 0 });
    expect(f.result(`create(items=${items}, atomic=false, verbose=true)`)).toMatchObject({
      attempted: 3,
      created: 2,
      failed: 1,
      errors: [{ index: 1 }],
      entities: [{ name: "A" }, { content: "c" }],
    });
    expect(f.result("stats()")).toMatchObject({ entities: 1, notes: 1 });
  });

  it("[request facts §7.1] list pages by offset and by cursor, newest first, filtered", () => {
    const f = new RequestFixture();
    f.result(
      `create(items=${JSON.stringify(Array.from({ length: 30 }, (_, i) => ({ kind: i % 3 === 0 ? "document" : "concept", name: `n${i}`, tags: i % 2 === 0 ? ["Even"] : [] })))})`,
    );
    const names = (page: { name: string }[]) => page.map((row) => row.name);
    expect(names(f.result('list(kind="entity", limit=3)').items)).toEqual(["n29", "n28", "n27"]);
    expect(names(f.result('list(kind="entity", limit=2, offset=29)').items)).toEqual(["n0"]);
    expect(names(f.result('list(kind="document", limit=2, tags=["even"])').items)).toEqual(["n24", "n18"]);
    expect(f.result('list(kind="entity", limit=9999)')).toMatchObject({ requested_limit: 9999, effective_limit: 500, limit_clamped: true });
    const seen: string[] = [];
    for (let after: string | null = ""; after !== null; ) {
      const page: { entities: { name: string }[]; next_after: string | null } = f.result(`list(kind="entity", limit=7, after="${after}")`);
      seen.push(...names(page.entities));
      after = page.next_after;
    }
    expect(seen).toEqual(Array.from({ length: 30 }, (_, i) => `n${29 - i}`));
  });

  it("[rulings: Levels] a key that only adds creates and links; it neither updates nor deletes; one that only reads does not create", () => {
    const f = new RequestFixture();
    const add = { level: "read-add" } as const;
    const a = f.result('create(kind="concept", name="A")', add).id;
    const b = f.result('create(kind="concept", name="B")', add).id;
    f.result(`link(source_id="${a}", target_id="${b}", relation="extends")`, add);
    for (const ops of [`update(id="${a}", name="C")`, `delete(id="${a}")`])
      expect(f.error(ops, add)).toMatchObject({ kind: "scope_forbidden" });
    expect(f.error('create(kind="concept", name="A")', { level: "read" })).toMatchObject({ kind: "scope_forbidden" });
    expect(f.error("stats()", { level: "none" })).toMatchObject({ kind: "scope_forbidden" });
    expect(f.result("whoami()", { level: "none" })).toMatchObject({ level: "none" });
  });

  it("[request facts §7.1, §8] create says what contradicts, and who makes what it does not", () => {
    const f = new RequestFixture();
    expect(f.error('create(kind="concept", entity_kind="document", name="x")').message).toContain(
      '`kind` says "concept" and `entity_kind` says "document"',
    );
    expect(f.error('create(kind="note", note_kind="task", entity_kind="concept", content="x")').message).toContain("contradict");
    for (const [kind, verb] of [
      ["edge", "link"],
      ["proposal", "propose"],
      ["event", "nobody"],
      ["message", "comm.send"],
    ])
      expect(f.error(`create(kind="${kind}", name="x", content="x")`).message).toContain(verb);
  });

  it("[request facts §7.1] the text to search by meaning is a proper beginning of a note's", () => {
    const f = new RequestFixture();
    expect(f.result('create(kind="note", content="one two", embedding_content="one")').content).toBe("one two");
    for (const wrong of ["two", "one two", " "])
      expect(f.error(`create(kind="note", content="one two", embedding_content="${wrong}")`).message).toContain("beginning");
    expect(f.error('create(kind="concept", name="x", embedding_content="x")').message).toContain("no `embedding_content`");
    expect(f.error('create(items=[{"kind": "note", "content": "one two", "embedding_content": "one"}])').message).toContain(
      "embedding_content",
    );
    expect(f.error('memory.recall(query="x", embedding_model="m")').message).toContain("none is configured");
  });
});
