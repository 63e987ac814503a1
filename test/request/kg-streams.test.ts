/** Streams: places without gaps, what two writers expect, fences, batches that are whole or not. */
import { describe, expect, it } from "vitest";
import { RequestFixture } from "./request-fixture";

describe("streams", () => {
  it("[request facts §7.1] places are dense from 1; any JSON comes back as it went in; an unknown stream is empty", () => {
    const f = new RequestFixture();
    expect(f.result('stream.read(stream="s")')).toEqual({ entries: [], head_seq: 0, next_after: null });
    const records = ["null", "1", '"a"', '{"b":[1,{"c":null}],"a":2}', "[]", "18446744073709551615", '"$prev is text"'];
    for (const [index, record] of records.entries())
      expect(f.result(`stream.append(stream="s", record=${record})`)).toMatchObject({
        seq: index + 1,
        id: expect.any(String),
        created_at: expect.any(String),
      });
    const text = f.call("request", { ops: 'stream.read(stream="s")' }).text;
    for (const record of records) expect(text).toContain(`"record":${record}`);
    expect(f.result('stream.stat(stream="s")')).toEqual({ head_seq: 7, count: 7 });
    expect(f.result('stream.read(stream="s", after=2, limit=2)')).toMatchObject({
      entries: [{ seq: 3 }, { seq: 4 }],
      next_after: 4,
      head_seq: 7,
    });
    expect(f.result('stream.stat(stream="s", namespace="other")')).toEqual({ head_seq: 0, count: 0 });
    f.reopen();
    expect(f.result('stream.append(stream="s", record=1, expected_seq=8)').seq).toBe(8);
  });

  it("[request facts §7.1] a place that is not the next is a conflict, its details texts; nothing is written", () => {
    const f = new RequestFixture();
    f.result('stream.append(stream="s", record=1)');
    expect(f.error('stream.append(stream="s", record=2, expected_seq=5)')).toMatchObject({
      kind: "conflict",
      details: { reason: "seq_conflict", stream: "s", expected_seq: "5", next_seq: "2" },
      domain_disposition: "not_committed",
    });
    expect(f.result('stream.stat(stream="s")').count).toBe(1);
    expect(f.error('stream.append(stream="s")').message).toContain("record");
    expect(f.error(`stream.append(stream="${"é".repeat(257)}", record=1)`).message).toContain("512 bytes");
  });

  it("[request facts §7.1] an entry is neither deleted nor rewritten; what may change of it changes", () => {
    const f = new RequestFixture();
    const { id } = f.result('stream.append(stream="s", record=1)');
    for (const ops of [`delete(id="${id}")`, `delete(id="${id}", hard=true)`, `update(id="${id}", content="x")`]) {
      expect(f.error(ops)).toMatchObject({ kind: "conflict", details: { reason: "stream_member" } });
    }
    expect(f.result(`update(id="${id}", salience=0.9, name="first")`)).toMatchObject({ salience: 0.9, name: "first" });
  });

  it("[request facts §7.1] fences and observations hold a batch against the versions that were seen", () => {
    const f = new RequestFixture();
    const write = (more = "") =>
      `stream.batch(ops=[{"op":"write","key":"k","kind":"reference","doc":{"n":1}}, {"op":"append","stream":"s","record":"r"}]${more})`;
    expect(f.result(write(', fence={"key":"k","kind":"reference","expected_version":null}'))).toMatchObject({
      results: [{ key: "k", version: 1 }, { seq: 1 }],
      committed: true,
    });
    expect(f.error(write(', fence={"key":"k","kind":"reference","expected_version":null}'))).toMatchObject({
      kind: "conflict",
      details: { reason: "fence_conflict", actual_version: "1", expected_version: "absent" },
    });
    expect(f.error(write(', atomic=true, observed=[{"key":"k","kind":"reference","version":2}]'))).toMatchObject({
      details: { reason: "observed_conflict" },
    });
    expect(f.result(write(', fence=[{"key":"k","kind":"reference","expected_version":1}]')).results).toMatchObject([
      { version: 2 },
      { seq: 2 },
    ]);
    expect(f.result('stream.append(stream="s", record=1, fence={"key":"k","kind":"reference","expected_version":2})').seq).toBe(3);
    expect(f.error('stream.append(stream="s", record=1, fence={"key":"k","kind":"reference","expected_version":1})')).toMatchObject({
      kind: "conflict",
    });
  });

  it("[request facts §7.1] atomic: one refusal refuses all and says whose; otherwise each member for itself", () => {
    const f = new RequestFixture();
    const members =
      '[{"op":"append","stream":"s","record":1},{"op":"append","stream":"s","record":2,"expected_seq":9},{"op":"fly"},{"op":"append","stream":"s","record":3}]';
    expect(f.error(`stream.batch(ops=${members}, atomic=true)`)).toMatchObject({
      kind: "conflict",
      details: { reason: "seq_conflict", next_seq: "2", member: "1" },
    });
    expect(f.result('stream.stat(stream="s")').count).toBe(0);
    const { results } = f.result(`stream.batch(ops=${members})`);
    expect(results).toMatchObject([
      { seq: 1 },
      { error: { details: { reason: "seq_conflict" } } },
      { error: { details: { reason: "unknown_op" } } },
      { seq: 2 },
    ]);
    for (const ops of [
      `stream.batch(ops=${members}, atomic=false, fence={"key":"k","kind":"reference","expected_version":1})`,
      'stream.batch(ops=[{"op":"append","stream":"s","record":1}], observed=[{"key":"k","kind":"reference","version":null}])',
      'stream.batch(ops=[{"op":"append","stream":"s"}])',
      "stream.batch(ops=[])",
      "stream.batch(ops=[1])",
    ]) {
      expect(f.error(ops)).toMatchObject({ kind: "invalid_input" });
    }
    expect(
      f.result('stream.batch(ops=[{"op":"append","stream":"s","record":1,"fence":null}], fence=null, observed=null)').results[0].seq,
    ).toBe(3);
    const many = JSON.stringify(
      Array.from({ length: 2 }, () => ({
        op: "append",
        stream: "s",
        record: 1,
        fence: Array.from({ length: 51 }, () => ({ key: "k", kind: "reference", expected_version: null })),
      })),
    );
    expect(f.error(`stream.batch(ops=${many})`).message).toContain("100 are looked up");
  });

  it("[request facts §7.1] of an entry only its name and its weights change, by whatever verb", () => {
    const f = new RequestFixture();
    const { id } = f.result('stream.append(stream="s", record={"a": 1})');
    const note = f.result('create(kind="note", content="x")').id;
    for (const change of ['content="y"', 'tags=["t"]', 'properties={"p": 1}', 'status="s"', 'name="n", tags=[]'])
      expect(f.error(`update(id="${id}", ${change})`), change).toMatchObject({ kind: "conflict", details: { reason: "stream_member" } });
    expect(f.result(`update(id="${id}", name="n", salience=0.5, decay_factor=0.1)`)).toMatchObject({
      name: "n",
      salience: 0.5,
      decay_factor: 0.1,
    });
    for (const [into, from] of [
      [id, note],
      [note, id],
    ])
      expect(f.error(`merge(kind="note", into_id="${into}", from_id="${from}", dry_run=true)`)).toMatchObject({
        details: { reason: "stream_member" },
      });
    expect(f.result('stream.read(stream="s")').entries[0].record).toEqual({ a: 1 });
  });
});
