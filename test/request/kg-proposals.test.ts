/** `propose`, `review`, `withdraw`; `context`, `resolve`. */
import { describe, expect, it } from "vitest";
import { RequestFixture } from "./request-fixture";

const json = (tool: string, args: object) => JSON.stringify({ tool, args });

describe("proposals", () => {
  it("[request facts §7.1] an approval by another carries the change out, all of it; then nothing is decided any more", () => {
    const f = new RequestFixture();
    const a = f.result('create(kind="concept", name="A")').id;
    const ann = { keyId: "ann" };
    const changeset = {
      kind: "compound",
      changes: [
        { kind: "update_entity", id: a, description: "d" },
        { kind: "add_entity", entity_kind: "document", name: "D" },
      ],
    };
    const made = f.result(json("propose", { title: "T", description: "why", changeset, reviewers: ["bob"] }), ann);
    expect(made).toMatchObject({ status: "open", proposer: "ann", title: "T", parent_id: null, full_id: made.id });
    expect(f.error(`review(id="${made.id}", decision="approve")`, ann)).toMatchObject({
      kind: "conflict",
      details: { reason: "self_approval" },
    });
    expect(f.result(`review(id="${made.id}", decision="request_changes", comment="hm")`)).toMatchObject({
      status: "changes_requested",
      reviewer: "key_1",
    });
    expect(f.result(`review(id="${made.id.slice(0, 8)}", decision="approve")`)).toMatchObject({
      status: "applied",
      applied: [{ description: "d" }, { name: "D" }],
    });
    expect(f.result(`get(id="${a}")`).description).toBe("d");
    expect(f.error(`review(id="${made.id}", decision="reject")`)).toMatchObject({
      details: { reason: "proposal_closed", status: "applied" },
    });
    expect(f.error(`withdraw(id="${made.id}")`, ann)).toMatchObject({ kind: "conflict" });
    expect(f.result('list(kind="proposal", status="applied")').items).toMatchObject([
      { id: made.id, review_count: 2, approve_count: 1, last_decision: "approve" },
    ]);
    expect(f.result(`get(id="${made.id}")`)).toMatchObject({
      kind: "proposal",
      changeset,
      reviews: [{ comment: "hm" }, { decision: "approve" }],
      reviewers: ["bob"],
    });
  });

  it("[request facts §7.1] a change that cannot be made is refused whole, when it is asked for or when it is approved", () => {
    const f = new RequestFixture();
    const a = f.result('create(kind="concept", name="A")').id;
    const propose = (changeset: object) => json("propose", { title: "T", description: "d", changeset });
    for (const wrong of [
      { kind: "explode" },
      { kind: "update_entity", id: a.slice(0, 8), name: "B" },
      { kind: "update_entity", id: a, colour: 1 },
      { kind: "compound", changes: [] },
    ]) {
      expect(f.error(propose(wrong))).toMatchObject({ kind: "invalid_input" });
    }
    const { id } = f.result(
      propose({
        kind: "compound",
        changes: [
          { kind: "update_entity", id: a, name: "B" },
          { kind: "add_edge", source_id: a, target_id: a, relation: "extends" },
        ],
      }),
      { keyId: "ann" },
    );
    expect(f.error(`review(id="${id}", decision="approve")`).message).toContain("itself");
    expect(f.result(`get(id="${a}")`).name).toBe("A");
    const { created_at: made, updated_at: before } = f.result(`get(id="${id}")`);
    expect(before).toBe(made);
    expect(f.result(`withdraw(id="${id}", rationale="no")`, { keyId: "ann" })).toEqual({ id, status: "withdrawn" });
    expect(f.result(`get(id="${id}")`).updated_at > made).toBe(true);
    expect(f.error(`withdraw(id="${id}")`)).toMatchObject({ details: { reason: "not_proposer" } });
  });

  it("[request facts §7.1] a status that no proposal has is refused, one that none has now lists nothing", () => {
    const f = new RequestFixture();
    expect(f.result('list(kind="proposal", status="rejected")').items).toEqual([]);
    expect(f.error('list(kind="proposal", status="refused")').message).toContain("changes_requested");
  });

  it("[request facts §7.1] what would be refused whatever the store holds is refused before anybody is asked", () => {
    const f = new RequestFixture();
    const [a, b] = ["A", "B"].map((name) => f.result(`create(kind="concept", name="${name}")`).id);
    const propose = (changeset: object) =>
      f.request(JSON.stringify({ tool: "propose", args: { title: "t", description: "d", changeset } })).results[0];
    for (const changeset of [
      { kind: "add_entity", name: "x" },
      { kind: "add_entity", entity_kind: "insight", name: "x" },
      { kind: "add_note", note_kind: "concept", content: "x" },
      { kind: "add_edge", source_id: a, target_id: b, relation: "likes" },
      { kind: "add_edge", source_id: a, relation: "extends" },
      { kind: "add_edge", source_id: a, target_id: b, relation: "extends", dependency_kind: "build" },
      { kind: "supersede_entity", new_id: a },
      { kind: "supersede_entity", new_id: a, old_id: b, because: "newer" },
    ])
      expect(propose(changeset)).toMatchObject({ ok: false, error: { kind: "invalid_input" } });
    const { id } = propose({ kind: "supersede_entity", new_id: a, old_id: b, weight: 0.5 }).result;
    expect(f.result(`review(id="${id}", decision="approve")`, { keyId: "key_2" }).applied).toMatchObject([
      { source_id: a, target_id: b, relation: "supersedes", weight: 0.5 },
    ]);
  });
});

describe("finding what is meant", () => {
  it("[request facts §7.1] resolve answers each reference: by id, by exact name, by words, or not at all", () => {
    const f = new RequestFixture();
    const a = f.result('create(kind="concept", name="Low-rank adaptation", description="LoRA")').id;
    f.result('create(kind="concept", name="Attention")');
    f.result('create(kind="document", name="attention")');
    expect(f.result(`resolve(refs=["${a.slice(0, 8)}", "low-rank ADAPTATION", "lora", "Attention", "nobody"])`)).toMatchObject([
      { outcome: "resolved", id: a, confidence: 1 },
      { outcome: "resolved", id: a, confidence: 0.95 },
      { outcome: "resolved", id: a, confidence: 0.7 },
      { outcome: "ambiguous", candidates: [{}, {}] },
      { ref: "nobody", outcome: "not_found" },
    ]);
    expect(f.result('resolve(refs=["Attention"], kind="concept")')).toMatchObject([{ outcome: "resolved" }]);
  });

  it("[request facts §7.1] context gives anchors with what they are joined to, within the budget", () => {
    const f = new RequestFixture();
    const ids = ["Rank", "Adaptation", "Matrix"].map(
      (name) => f.result(`create(kind="concept", name="${name}", description="${"x".repeat(300)}")`).id,
    );
    f.result(`link(source_id="${ids[0]}", target_id="${ids[1]}", relation="extends")`);
    f.result(`link(source_id="${ids[1]}", target_id="${ids[2]}", relation="extends")`);
    expect(f.result('context(query="rank")')).toMatchObject({
      anchors: [{ entity: { name: "Rank" }, neighbors: [{ id: ids[1], hop: 1 }] }],
      truncated: false,
      dropped: 0,
    });
    expect(f.result('context(query="rank", hops=2)').anchors[0].neighbors).toMatchObject([
      { id: ids[1], hop: 1 },
      { id: ids[2], hop: 2 },
    ]);
    expect(f.result(`context(entity_ids=${JSON.stringify(ids)}, budget=256, hops=0)`)).toMatchObject({
      anchors: [{ entity: { id: ids[0] } }],
      truncated: true,
      dropped: 2,
    });
    expect(f.error("context()")).toMatchObject({ kind: "invalid_input" });
  });
});
