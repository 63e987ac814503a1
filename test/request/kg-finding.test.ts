/** Finding what is meant: `resolve`, `search`, `context`, `list`, `link`, where kinds, limits and namesakes get in each other's way. */
import { beforeEach, describe, expect, it } from "vitest";
import { RequestFixture } from "./request-fixture";

let f: RequestFixture;
beforeEach(() => {
  f = new RequestFixture();
});
const made = (ops: string): string => f.result(ops).id;

describe("resolve", () => {
  it("[request facts §7.1] several that fit are ambiguous, however small the limit", () => {
    made('create(kind="concept", name="Twin")');
    made('create(kind="concept", name="twin")');
    made('create(kind="concept", name="Left", description="a wing")');
    made('create(kind="concept", name="Right", description="a wing")');
    const [named, worded] = f.result('resolve(refs=["twin", "wing"], limit=1)');
    expect(named).toMatchObject({ outcome: "ambiguous", candidates: [{}] });
    expect(worded).toMatchObject({ outcome: "ambiguous", candidates: [{}] });
    expect(f.error('resolve(refs=["twin"], kind="nonsense")').message).toContain("unknown kind");
  });

  it("[request facts §7.1] without a kind an id or a name may be of any record, and words find entities", () => {
    const note = made('create(kind="note", content="on wings and feathers", name="Feather")');
    const entity = made('create(kind="concept", name="Wing")');
    const refs = JSON.stringify([note, note.slice(0, 8), "feather", "wing", "wings"]);
    expect(f.result(`resolve(refs=${refs})`)).toMatchObject([
      { outcome: "resolved", id: note, confidence: 1 },
      { outcome: "resolved", id: note, confidence: 1 },
      { outcome: "resolved", id: note, confidence: 0.95 },
      { outcome: "resolved", id: entity, confidence: 0.95 },
      { outcome: "resolved", id: entity, confidence: 0.7 },
    ]);
    expect(f.result(`resolve(refs=${refs}, kind="entity")`)[0]).toEqual({ ref: note, outcome: "not_found" });
    expect(f.result('resolve(refs=["feathers"], kind="note")')).toMatchObject([{ outcome: "resolved", id: note }]);
  });

  it("[request facts §7.1] a name that has no words in it is found as it is written", () => {
    const id = made('create(kind="concept", name="+++")');
    made('create(kind="concept", name="++")');
    expect(f.result('resolve(refs=["+++", "+"])')).toMatchObject([{ id, confidence: 0.95 }, { outcome: "not_found" }]);
    f.result(`delete(id="${id}")`);
    expect(f.result('resolve(refs=["+++"])')).toMatchObject([{ outcome: "not_found" }]);
  });
});

describe("search", () => {
  it("[request facts §7.1] a kind and the kind beside it that contradict are refused", () => {
    made('create(kind="concept", name="Alpha")');
    expect(f.result('search(kind="concept", entity_kind="concept", query="alpha")')).toHaveLength(1);
    for (const [kind, beside] of [
      ["concept", 'entity_kind="document"'],
      ["entity", 'entity_kind="insight"'],
      ["entity", 'note_kind="insight"'],
      ["insight", 'entity_kind="concept"'],
      ["insight", 'note_kind="question"'],
      ["note", 'entity_type="x"'],
      ["edge", "limit=1"],
    ])
      expect(f.error(`search(kind="${kind}", ${beside}, query="alpha")`)).toMatchObject({ kind: "invalid_input" });
  });

  it("[request facts §7.1] list and search mean the same by a type", () => {
    const plain = made('create(kind="concept", name="Alpha one", entity_type="method")');
    const inside = made('create(kind="concept", name="Alpha two", properties={"type": "method"})');
    made('create(kind="concept", name="Alpha three")');
    const ids = (rows: { id: string }[]) => rows.map(({ id }) => id).sort();
    expect(ids(f.result('search(kind="concept", query="alpha", entity_type="method")'))).toEqual([plain, inside].sort());
    expect(ids(f.result('list(kind="concept", entity_type="method")').items)).toEqual([plain, inside].sort());
  });
});

describe("context", () => {
  it("[request facts §7.1] what was named and is beyond the limit is told as dropped", () => {
    const ids = ["A", "B", "C"].map((name) => made(`create(kind="concept", name="${name}")`));
    const asked = JSON.stringify([ids[0], ids[0].slice(0, 8), ids[1], ids[2]]);
    expect(f.result(`context(entity_ids=${asked}, limit=2, hops=0)`)).toMatchObject({
      anchors: [{ entity: { id: ids[0] } }, { entity: { id: ids[1] } }],
      truncated: true,
      dropped: 1,
    });
    expect(f.result(`context(entity_ids=${asked}, limit=3, hops=0)`)).toMatchObject({ truncated: false, dropped: 0 });
  });

  it("[request facts §7.1] a question that says nothing is refused", () => {
    for (const args of ["", "entity_ids=[]", 'query=" "', 'query="", entity_ids=[]'])
      expect(f.error(`context(${args})`)).toMatchObject({ kind: "invalid_input" });
  });
});

describe("list", () => {
  it("[request facts §7.1] a walk goes on behind a row that was deleted meanwhile", () => {
    const ids = [1, 2, 3, 4].map((n) => made(`create(kind="concept", name="N${n}")`));
    const first = f.result('list(kind="entity", after="", limit=2)');
    expect(first.next_after).toBe(ids[2]);
    f.result(`delete(id="${ids[2]}")`);
    const rest = f.result(`list(kind="entity", after="${first.next_after.toUpperCase()}", limit=2)`);
    expect(rest.entities.map(({ id }: { id: string }) => id)).toEqual([ids[1], ids[0]]);
    expect(rest.next_after).toBeNull();
    f.result(`delete(id="${ids[1]}", hard=true)`);
    expect(f.result(`list(kind="entity", after="${ids[1]}")`).entities).toHaveLength(1);
    expect(f.error(`list(kind="entity", after="${ids[2].slice(0, 8)}")`).message).toContain("full id");
    expect(f.error(`list(kind="document", after="${ids[2]}")`).message).toContain("full id");
  });

  it("[request facts §7.1] a walk over edges too, also where the edge had been changed", () => {
    const [a, ...targets] = ["A", "B", "C", "D", "E"].map((name) => made(`create(kind="concept", name="${name}")`));
    const edges = targets.map((to) => made(`link(source_id="${a}", target_id="${to}", relation="extends")`));
    const first = f.result('list(kind="edge", after="", limit=2)');
    expect(first.next_after).toBe(edges[2]);
    f.result(`delete(id="${edges[2]}")`);
    const rest = f.result(`list(kind="edge", after="${first.next_after.toUpperCase()}", limit=5)`);
    expect(rest.edges.map(({ id }: { id: string }) => id)).toEqual([edges[1], edges[0]]);
    // Brought back or changed it is the newest; deleted then, it was that.
    f.result(`link(source_id="${a}", target_id="${targets[2]}", relation="extends", resurrect=true)`);
    f.result(`update(id="${edges[0]}", weight=0.5)`);
    f.result(`delete(id="${edges[0]}")`);
    expect(f.result(`list(kind="edge", after="${edges[0]}")`).edges).toHaveLength(3);
    expect(f.error(`list(kind="edge", after="${edges[0].slice(0, 8)}")`).message).toContain("full id");
  });
});

describe("link", () => {
  it("[request facts §7.1] one edge that a list says from both ends is one edge", () => {
    const [a, b] = ["A", "B"].map((name) => made(`create(kind="concept", name="${name}")`));
    const link = (source_id: string, target_id: string, relation: string) => ({ source_id, target_id, relation });
    const links = [link(a, b, "competes_with"), link(b, a, "competes-with"), link(a, b, "extends"), link(b, a, "extends")];
    expect(f.result(`link(links=${JSON.stringify(links)})`)).toMatchObject({ attempted: 4, created: 3, updated: 0, skipped: 1, failed: 0 });
  });
});

describe("what is told of a record", () => {
  it("[request facts §8] a change that only takes away is a change all the same", () => {
    const id = made('create(kind="concept", name="A", description="d", tags=["t"], properties={"p": 1})');
    const noteId = made('create(kind="note", content="c", name="n")');
    for (const [of, change] of [
      [id, "tags=[]"],
      [id, "description=null"],
      [id, 'properties={"p": null}'],
      [noteId, 'name=""'],
    ]) {
      const before = f.result(`get(id="${of}")`);
      const after = f.result(`update(id="${of}", ${change})`);
      expect(after.updated_at > before.updated_at).toBe(true);
      expect(f.result(`get(id="${of}")`)).toEqual(after);
      expect(f.result(`update(id="${of}", ${change})`)).toEqual(after);
    }
    expect(f.result('search(kind="concept", query="a")')).toHaveLength(1);
    expect(f.run(`import kg\nprint(kg.Concept["${id}"].name)`)).toMatch(/\nA$/);
  });

  it.each([
    ["tags=[]", "tags"],
    ["description=null", "description"],
    ['properties={"p": null}', "properties"],
  ])("[decision: records are claims] a diff tells that %s took something away", (change, field) => {
    const id = made('create(kind="concept", name="A", description="d", tags=["t"], properties={"p": 1})');
    f.result('dke.checkpoint(name="m")');
    f.result(`update(id="${id}", ${change})`);
    expect(f.result('dke.diff(since="m")').lines).toContain(`removed a value of kg.Concept["${id}"].${field}`);
  });

  it("[request facts §8.1] an edge of a symmetric relation is listed from either end", () => {
    const [a, b, c] = ["A", "B", "C"].map((name) => made(`create(kind="concept", name="${name}")`));
    const edge = made(`link(source_id="${a}", target_id="${b}", relation="competes_with")`);
    const directed = made(`link(source_id="${a}", target_id="${c}", relation="extends")`);
    const ids = (args: string) => f.result(`list(kind="edge", ${args})`).items.map(({ id }: { id: string }) => id);
    expect(ids(`source_id="${a}"`)).toEqual([directed, edge]);
    expect(ids(`source_id="${b}"`)).toEqual([edge]);
    expect(ids(`target_id="${a}"`)).toEqual([edge]);
    expect(ids(`target_id="${c}"`)).toEqual([directed]);
    expect(ids(`source_id="${c}"`)).toEqual([]);
    for (const [from, to] of [
      [a, b],
      [b, a],
    ])
      expect(ids(`source_id="${from}", target_id="${to}"`)).toEqual([edge]);
    expect(ids(`source_id="${c}", target_id="${a}"`)).toEqual([]);
    expect(ids(`source_id="${a}", target_id="${c}"`)).toEqual([directed]);
  });
});
