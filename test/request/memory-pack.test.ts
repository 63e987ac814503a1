/** Memories and search by words through the request endpoint (request facts §7.1, §7.2). */
import { beforeEach, describe, expect, it } from "vitest";
import { RequestFixture } from "./request-fixture";

let store: RequestFixture;
beforeEach(() => {
  store = new RequestFixture();
});

const DAY = 86_400_000_000;
const remember = (content: string, more = "") => store.result(`memory.remember(content=${JSON.stringify(content)}${more})`);
const recall = (query: string, more = "") => store.result(`memory.recall(query=${JSON.stringify(query)}${more})`);
const contents = (rows: { content: string }[]) => rows.map(({ content }) => content);

describe("memory", () => {
  it("[request facts §7.2] has the usual salience, decay and namespace of its type, and what is named instead", () => {
    expect(remember("a", ', namespace="mine"')).toMatchObject({
      memory_type: "episodic",
      salience: 0.3,
      decay_factor: 0.02,
      namespace: "mine",
    });
    expect(remember("b", ', memory_type="semantic", namespace="mine"').namespace).toBe("mine");
    const client = { client: { namespace: "theirs" } };
    const asClient = (ops: string) => store.request(ops, client).results[0].result;
    expect(asClient('memory.remember(content="b", memory_type="semantic")')).toMatchObject({
      salience: 0.5,
      decay_factor: 0.005,
      namespace: "local",
    });
    expect(asClient('memory.remember(content="b")').namespace).toBe("theirs");
    expect(remember("c", ", salience=1, decay_factor=0")).toMatchObject({ salience: 1, decay_factor: 0 });
    expect(store.error('memory.remember(content="x", salience=2)').message).toContain("at most 1");
    expect(store.error('memory.remember(content=" ")').message).toContain("blank");
  });

  it("[request facts §7.2] under a key it is kept once", () => {
    const first = remember("one", ', key="k"');
    expect(remember("one", ', key="k"')).toMatchObject({ id: first.id, replayed: true });
    expect(store.error('memory.remember(content="two", key="k")').details).toEqual({ reason: "key_conflict", existing_id: first.id });
    expect(remember("two", ', key="k", namespace="mine"').id).not.toBe(first.id);
  });

  it("[request facts §7.2] what it comes from is linked to it", () => {
    const entity = store.result('create(kind="concept", name="Herons")');
    const memory = remember("They fish at dawn", `, source_id="${entity.id.slice(0, 8)}"`);
    expect(store.result(`neighbors(node_id="${entity.id}")`)).toMatchObject([{ id: memory.id, relation: "annotates" }]);
  });

  it("[request facts §7.2] recall puts the better match first, and what matters more among equals", () => {
    remember("The heron fishes in the river at dawn");
    remember("Herons nest in colonies");
    remember("Nothing to do with birds");
    expect(contents(recall("heron fishing"))).toEqual(["The heron fishes in the river at dawn", "Herons nest in colonies"]);
    const dull = remember("walnut ink", ", salience=0.1");
    const vivid = remember("walnut oil", ", salience=0.9");
    expect(recall("walnut").map((row: { id: string }) => row.id)).toEqual([vivid.id, dull.id]);
    expect(recall("zebra")).toEqual([]);
  });

  it("[request facts §7.2] the score is what the formula says, and fades with the days", () => {
    remember("quartz vein", ", salience=0.5, decay_factor=0.1");
    const [fresh] = recall("quartz", ", include_breakdown=true");
    expect(fresh.breakdown).toMatchObject({ retrieval: 1, text_rank: 1, entity_boost: 1 });
    expect(fresh.score).toBeCloseTo(0.7 + 0.2 * 0.5 + 0.1, 4);
    store.clock += 30 * DAY;
    const [old] = recall("quartz");
    expect(old.score).toBeCloseTo(0.7 + 0.2 * 0.5 * Math.exp(-3) + 0.1 * 0.5, 4);
    expect(recall("quartz", ', entity_names=["Quartz"]')[0].score).toBeCloseTo(1.3 * old.score, 4);
    expect(recall("quartz", ", min_score=0.9")).toEqual([]);
    expect(recall("quartz", ", score_floor=0.5")).toHaveLength(1);
    expect(old.serve_attribution).toBe("unattributed");
  });

  it("[request facts §7.2] filters by type, salience and labels, cuts contents, takes top_k", () => {
    remember("slate roof", ', memory_type="semantic", tags=["House", "roof"]');
    remember("slate grey", ', tags=["colour"], salience=0.05');
    remember(`slate ${"x".repeat(400)}`);
    expect(recall("slate", ', memory_type="semantic"')).toHaveLength(1);
    expect(recall("slate", ", min_salience=0.2")).toHaveLength(2);
    expect(recall("slate", ', tags=["house", "colour"]')).toHaveLength(2);
    expect(recall("slate", ', tags=["house", "roof"], tag_mode="all"')).toHaveLength(1);
    expect(recall("slate", ", limit=3, top_k=1")).toHaveLength(1);
    expect(recall("slate", ", full_content=false").every((row: { content: string }) => [...row.content].length <= 200)).toBe(true);
    expect(recall("slate", ', fusion_strategy="weighted"')).toHaveLength(3);
    expect(store.error('memory.recall(query="x", fusion_strategy="vector_only")').message).toContain("none is configured");
    expect(store.error('memory.recall(query="x", top_k=101)').message).toContain("at most 100");
    expect(store.error('memory.recall(query=" ")').message).toContain("blank");
  });

  it("[request facts §7.2] feedback moves the salience within its bounds and is counted", () => {
    const { id } = remember("x", ", salience=0.95");
    expect(store.result(`memory.feedback(target_id="${id}", signal="useful")`)).toEqual({
      target_id: id,
      signal: "useful",
      recorded: true,
      salience: 1,
    });
    expect(store.result(`memory.feedback(target_id="${id}", signal="wrong")`).salience).toBeCloseTo(0.8, 12);
    expect(store.result(`get(id="${id}")`).properties.feedback).toEqual({ useful: 1, wrong: 1 });
    expect(store.error(`memory.feedback(target_id="${id}", signal="meh")`).message).toContain("useful");
  });

  it("[request facts §7.2] prune deletes softly what no longer matters, and only counts in a dry run", () => {
    const faint = remember("faint", ", salience=0.2, decay_factor=0.5");
    remember("firm", ", salience=0.9, decay_factor=0");
    store.clock += 10 * DAY;
    const counted = { expired: 0, low_salience: 1, examined: 2 };
    expect(store.result("memory.prune(min_salience=0.1, dry_run=true)")).toEqual({ pruned: 0, dry_run: true, ...counted });
    expect(store.result("memory.prune(min_salience=0.1)")).toEqual({ pruned: 1, dry_run: false, ...counted });
    expect(contents(recall("faint firm"))).toEqual(["firm"]);
    expect(store.result(`get(id="${faint.id}", include_deleted=true)`).content).toBe("faint");
    expect(store.result("memory.vacuum()")).toMatchObject({ compacted: true });
    expect(store.error("memory.prune()", { level: "read-write" }).kind).toBe("scope_forbidden");
  });
});

describe("search", () => {
  const create = (args: string) => store.result(`create(${args})`);
  const search = (args: string) => store.result(`search(${args})`);
  const titles = (args: string) => search(args).map((row: { title: string }) => row.title);

  it("[request facts §7.1] finds entities by name and description, all words unless any is asked, an exact title first", () => {
    create('kind="concept", name="Low rank adaptation of models", description="LoRA"');
    create('kind="concept", name="LoRA", description="a way of finetuning"');
    create('kind="document", name="LoRA paper", description="about finetuning models"');
    expect(titles('kind="entity", query="lora"')[0]).toBe("LoRA");
    expect(titles('kind="entity", query="lora models"').sort()).toEqual(["LoRA paper", "Low rank adaptation of models"]);
    expect(titles('kind="entity", query="lora models", text_mode="any"')).toHaveLength(3);
    expect(titles('kind="document", query="lora"')).toEqual(["LoRA paper"]);
    expect(titles('kind="entity", entity_kind="document", query="lora"')).toEqual(["LoRA paper"]);
    const [first] = search('kind="entity", query="lora"');
    expect(first).toMatchObject({ kind: "concept", entity_kind: "concept", score: 1 / 11 + 0.5, snippet: "a way of finetuning" });
    expect(titles('kind="entity", query="lora", min_score=0.5')).toEqual(["LoRA"]);
  });

  it("[request facts §7.1] finds notes, weighed by their salience, without those superseded", () => {
    const old = create('kind="note", content="the plan is A", salience=1.0');
    const fresh = create('kind="note", content="the plan is B", note_kind="decision", salience=0.0');
    expect(search('kind="note", query="plan"').map((row: { score: number }) => row.score)).toEqual([1 / 61, 0.5 / 62]);
    store.result(`link(source_id="${fresh.id}", target_id="${old.id}", relation="supersedes")`);
    expect(search('kind="note", query="plan"').map((row: { id: string }) => row.id)).toEqual([fresh.id]);
    expect(search('kind="note", query="plan", include_superseded=true')).toHaveLength(2);
    expect(search('kind="decision", query="plan"')).toHaveLength(1);
  });

  it("[request facts §7.1] filters by type, properties and labels", () => {
    create('kind="concept", name="one thing", entity_type="method", tags=["ML"], properties={"year": 2021, "open": true}');
    create('kind="concept", name="two thing", properties={"year": 2022}');
    expect(titles('kind="concept", query="thing", entity_type="method"')).toEqual(["one thing"]);
    expect(titles('kind="concept", query="thing", tags=["ml"]')).toEqual(["one thing"]);
    expect(titles('kind="concept", query="thing", properties={"year": 2021, "open": true}')).toEqual(["one thing"]);
    expect(titles('kind="concept", query="thing", properties={"year": 2021, "open": false}')).toEqual([]);
  });

  it.each([
    ['kind="note", query="x", entity_kind="concept"', "chooses among entities, and `kind` says note"],
    ['kind="entity", query="x", note_kind="insight"', "chooses among notes, and `kind` says entity"],
    ['kind="edge", query="x"', "edge"],
    ['kind="entity", query=" "', "blank"],
    ['kind="entity"', "`query` is missing"],
  ])("[request facts §7.1] refuses %s", (args, said) => {
    expect(store.error(`search(${args})`).message).toContain(said);
  });

  it("[request facts §7.1] follows updates and deletions, in the namespace asked for or in all", () => {
    const { id } = create('kind="concept", name="falcon", namespace="n"');
    expect(titles('kind="entity", query="falcon", namespace="other"')).toEqual([]);
    expect(titles('kind="entity", query="falcon", namespace="n"')).toEqual(["falcon"]);
    store.result(`update(id="${id}", name="kestrel")`);
    expect([titles('kind="entity", query="falcon"'), titles('kind="entity", query="kestrel"')]).toEqual([[], ["kestrel"]]);
    store.reopen();
    store.result(`delete(id="${id}")`);
    expect(titles('kind="entity", query="kestrel"')).toEqual([]);
  });

  it("[request facts §7.1] create tells of entities of the same name, unless told not to look", () => {
    const { id } = create('kind="concept", name="Falcon"');
    expect(create('kind="concept", name="falcon"').similar_existing).toMatchObject([{ id, name: "Falcon" }]);
    expect(create('kind="concept", name="falcon", skip_dedup_check=true').similar_existing).toBeUndefined();
    expect(create('kind="concept", name="sparrow"').similar_existing).toBeUndefined();
  });
});
