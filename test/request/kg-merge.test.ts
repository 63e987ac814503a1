/** `merge`, and batches that are kept whole. */
import { describe, expect, it } from "vitest";
import { RequestFixture } from "./request-fixture";

describe("merge", () => {
  it("[request facts §7.1] moves edges, joins properties and tags, appends the description; the other is deleted and says where it went", () => {
    const f = new RequestFixture();
    const into = f.result('create(kind="concept", name="LoRA", description="one", tags=["a"], properties={"x":1})').id;
    const from = f.result(
      'create(kind="concept", name="Low-rank adaptation", description="two", tags=["a","b"], properties={"x":2,"y":3})',
    ).id;
    const d = f.result('create(kind="document", name="D")').id;
    const c = f.result('create(kind="concept", name="C")').id;
    f.result(`link(source_id="${from}", target_id="${d}", relation="introduced_by", weight=0.5)`);
    f.result(`link(source_id="${c}", target_id="${from}", relation="extends")`);
    f.result(`link(source_id="${c}", target_id="${into}", relation="extends", weight=0.9)`);
    f.result(`link(source_id="${from}", target_id="${into}", relation="variant_of")`);
    const want = {
      kept_id: into,
      removed_id: from,
      edges_rewired: 1,
      edges_contract_skipped: 1,
      edge_conflict_preimages: [{ relation: "extends", weight: 1 }],
      properties_merged: 1,
      tags_unioned: 1,
      content_appended: true,
    };
    const ops = `merge(into_id="${into}", from_id="${from}"`;
    expect(f.result(`${ops}, dry_run=true)`)).toMatchObject({ ...want, dry_run: true });
    expect(f.result(`get(id="${from}")`).name).toBe("Low-rank adaptation");
    expect(f.result(`${ops})`)).toMatchObject({ ...want, dry_run: false });
    expect(f.result(`get(id="${into}")`)).toMatchObject({
      name: "LoRA",
      description: "one\n\ntwo",
      tags: ["a", "b"],
      properties: { x: 1, y: 3 },
    });
    expect(f.result(`neighbors(node_id="${into}")`)).toMatchObject([
      { id: c, weight: 0.9 },
      { id: d, weight: 0.5 },
    ]);
    expect(f.result(`get(id="${from}", include_deleted=true)`)).toMatchObject({ merged_into: into, name: "Low-rank adaptation" });
    expect(f.error(`merge(into_id="${into}", from_id="${d}")`).message).toContain("differ in kind");
    expect(f.error(`merge(into_id="${into}", winner_id="${into}", from_id="${c}")`).message).toContain("two names");
  });
});

describe("what was merged", () => {
  it("[request facts §8] names the event of the op that did it, while the log has it", () => {
    const f = new RequestFixture();
    const made = Array.from({ length: 9 }, (_, i) => f.result(`create(kind="concept", name="c${i}", skip_dedup_check=true)`).id);
    const [into, direct, chained, ...others] = made;
    const gone = (id: string) => f.result(`get(id="${id}", include_deleted=true)`).merge_event_id;
    f.result(`merge(into_id="${into}", from_id="${direct}")`);
    const [event] = f.result('list(kind="event", limit=1)').items;
    expect(event).toMatchObject({ kind: "entity_merged", payload: { observed: [direct] } });
    // In the same slice.
    const inChain = f.result(`merge(into_id="${into}", from_id="${chained}") | get(id=$prev.removed_id, include_deleted=true)`);
    expect(inChain.merge_event_id).toBe(f.result('list(kind="event", limit=1)').items[0].id);
    const ops = others.slice(0, 2).map((id, i) => ({ tool: "merge", args: { into_id: others[4 + i], from_id: id } }));
    const unit = f.request(JSON.stringify(ops), { client: { atomicMaxOps: 10 } });
    expect(unit.atomic.committed).toBe(true);
    const units = f.result('list(kind="event", limit=2)').items;
    expect(others.slice(0, 2).map(gone)).toEqual([units[1].id, units[0].id]);
    const change = `{"kind": "merge_entities", "into_id": "${into}", "from_id": "${others[2]}"}`;
    const proposal = f.result(`propose(title="t", description="d", changeset=${change})`).id;
    f.result(`review(id="${proposal}", decision="approve", namespace="local")`, { keyId: "key_2" });
    const [review] = f.result('list(kind="event", limit=1)').items;
    expect(review.kind).toBe("proposal_reviewed");
    f.result(`delete(id="${others[3]}")`);
    f.reopen();
    expect([direct, chained, others[2], others[3]].map(gone)).toEqual([event.id, inChain.merge_event_id, review.id, null]);
    expect(f.result(`get(id="${into}")`).merge_event_id).toBeNull();
    const buried = f.result(`get(id="${others[3]}", include_deleted=true)`);
    expect(buried.updated_at).toBe(buried.deleted_at);
    f.sql.exec("DELETE FROM kg_event_page WHERE first < (SELECT max(first) FROM kg_event_page)");
    expect([direct, others[2], others[3]].map(gone)).toEqual([null, null, null]);
    f.sql.exec("DELETE FROM kg_event_page");
    f.reopen();
    expect(gone(direct)).toBeNull();
  });
});

describe("integers of 64 bits", () => {
  it("[decision: 64 bits] are kept exactly by merge, streams, proposals, tables and files of results", () => {
    const f = new RequestFixture();
    const big = "18446744073709551615";
    const make = (name: string, n: string) => f.result(`create(kind="concept", name="${name}", properties={"n": ${n}, "list": [${n}]})`).id;
    const [a, b] = [make("A", "1"), make("B", big)];
    const shown = (ops: string, more = {}) => f.call("request", { ops, presentation: "verbose", ...more }).text;
    f.result(`merge(into_id="${a}", from_id="${b}", strategy="union")`);
    expect(shown(`get(id="${a}")`)).toContain(`"list":[1,${big}]`);
    f.result(`stream.append(stream="s", record={"n": ${big}})`);
    expect(shown('stream.read(stream="s")')).toContain(`"record":{"n":${big}}`);
    const change = `{"kind": "update_entity", "id": "${a}", "properties": {"m": -9223372036854775808}}`;
    const proposal = f.result(`propose(title="t", description="d", changeset=${change})`).id;
    expect(shown(`get(id="${proposal}")`)).toContain('"m":-9223372036854775808');
    f.result(`review(id="${proposal}", decision="approve")`, { keyId: "key_2" });
    expect(shown(`get(id="${a}")`)).toContain('"m":-9223372036854775808');
    expect(shown(`get(id="${a}")`, { format: "table" })).toContain(big);
    expect(f.error(`list(kind="concept", limit=${big})`).message).toContain("2^53");
  });
});

describe("a unit", () => {
  const atomic = (f: RequestFixture, ops: object[]) => {
    const answer = f.call("request", { ops: JSON.stringify(ops), client: { atomicMaxOps: 2000 } });
    return { ...JSON.parse(answer.text), answerStatus: answer.status };
  };

  it("[request facts §9.1] is kept whole", () => {
    const f = new RequestFixture();
    const [a, b] = ["A", "B"].map((name) => f.result(`create(kind="concept", name="${name}")`).id);
    const ops = [
      { tool: "update", args: { id: a, name: "AA" } },
      { tool: "link", args: { source_id: a, target_id: b, relation: "extends" } },
    ];
    expect(atomic(f, ops)).toMatchObject({
      results: [
        { ok: true, op_index: 0 },
        { ok: true, op_index: 1 },
      ],
      atomic: { committed: true, status: "committed", degradations: [], retryable: false },
      summary: { succeeded: 2 },
    });
    expect(f.result(`get(id="${a}")`).name).toBe("AA");
  });

  it("[request facts §9.1] or not at all; what may not stand in it is refused by name, all together, before anything is written", () => {
    const f = new RequestFixture();
    const [a, b] = ["A", "B"].map((name) => f.result(`create(kind="concept", name="${name}")`).id);
    const failing = atomic(f, [
      { tool: "update", args: { id: a, name: "AA" } },
      { tool: "link", args: { source_id: a, target_id: b, relation: "introduced_by" } },
      { tool: "update", args: { id: b, name: "BB" } },
    ]);
    expect(failing).toMatchObject({
      results: [{ aborted: true }, { ok: false, error: { kind: "invalid_input" } }, { aborted: true }],
      atomic: { committed: false, status: "rolled_back" },
      answerStatus: "refuse",
    });
    expect(f.result(`get(id="${a}")`).name).toBe("A");
    const refused = atomic(f, [
      { tool: "create", args: {} },
      { tool: "update", args: { id: a, name: "AA" } },
      { tool: "stats" },
      { tool: "nope" },
    ]);
    expect(refused.results.map((one: { error?: unknown; aborted?: boolean }) => one.aborted ?? false)).toEqual([false, true, false, false]);
    expect(f.result(`get(id="${a}")`).name).toBe("A");
    expect(
      atomic(f, [
        { tool: "update", args: { id: a, name: "X" } },
        { tool: "delete", args: { id: a } },
      ]).results,
    ).toMatchObject([{ error: { kind: "conflict" } }, { error: { kind: "conflict" } }]);
  });
});
