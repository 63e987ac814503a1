/** Events through the request endpoint: what ops leave behind, and how it is listed (request facts §7.1, §8). */
import { beforeEach, describe, expect, it } from "vitest";
import { EVENTS_MAX } from "../../src/limits";
import { EventLog } from "../../src/request/event/event-log";
import { CipherNode } from "../engine/cipher-node";
import { SqlNode } from "../engine/sql-node";
import { type Answered, RequestFixture } from "./request-fixture";

let store: RequestFixture;
beforeEach(() => {
  store = new RequestFixture();
});

const events = (filters = ""): Answered[] => store.result(`list(kind="event"${filters})`).items;
const brief = (rows: Answered[]) => rows.map(({ verb, kind, outcome }) => [verb, kind, outcome]);

describe("events", () => {
  it("[request facts §8] an op that acts leaves one, newest first, with the members the facts list", () => {
    const a = store.result('create(kind="concept", name="A")').id;
    const b = store.result('create(kind="document", name="B", namespace="papers")').id;
    const edge = store.result(`link(source_id="${a}", target_id="${b}", relation="introduced_by")`).id;
    const listed = store.result('list(kind="event")');
    expect(Object.keys(listed)).toEqual(["items", "requested_limit", "effective_limit", "limit_clamped"]);
    expect(brief(listed.items)).toEqual([
      ["link", "link_created", "success"],
      ["create", "entity_created", "success"],
      ["create", "entity_created", "success"],
    ]);
    const [link, second] = listed.items;
    expect(link).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-8/),
      namespace: "local",
      verb: "link",
      substrate: "edge",
      actor: "key_1",
      kind: "link_created",
      outcome: "success",
      payload: { request_id: expect.any(Number), relation: "introduced_by", mutation: "created", observed: [a, b] },
      payload_schema_version: 1,
      profile_state_version: null,
      duration_us: null,
      target_id: edge,
      session_id: null,
      aggregate_kind: null,
      aggregate_id: null,
      created_at: expect.stringMatching(/^2026-01-01T00:/),
    });
    expect(second).toMatchObject({ namespace: "papers", target_id: b, substrate: "entity" });
    expect(events(', namespace="papers"').map(({ id }) => id)).toEqual([second.id]);
    store.reopen();
    expect(events()).toEqual(listed.items);
  });

  it("[request facts §8] get reads one by its id or the beginning of it; nobody makes, changes or deletes one", () => {
    store.result('create(kind="concept", name="A")');
    const [event] = events();
    expect(store.result(`get(id="${event.id}")`)).toEqual(event);
    expect(store.result(`get(id="${event.id.slice(0, 8)}")`)).toEqual(event);
    expect(store.error(`update(id="${event.id}", name="x")`).message).toContain("neither changed nor deleted");
    expect(store.error(`delete(id="${event.id}", hard=true)`).message).toContain("neither changed nor deleted");
    expect(store.error('create(kind="event", name="x")').message).toContain("nobody makes one");
  });

  it("[request facts §8.1] a note annotates an event; nothing else joins one", () => {
    store.result('create(kind="concept", name="A")');
    const [event] = events();
    const note = store.result(`create(kind="insight", content="how it began", annotates=["${event.id.slice(0, 8)}"])`).id;
    expect(store.result(`neighbors(node_id="${note}")`)).toMatchObject([{ id: event.id, relation: "annotates", kind: "event" }]);
    expect(store.result(`list(kind="edge", target_id="${event.id}")`).items).toMatchObject([{ source_id: note, target_id: event.id }]);
    expect(store.error(`link(source_id="${event.id}", target_id="${note}", relation="supports")`).message).toContain("source of no edge");
    expect(store.error(`link(source_id="${note}", target_id="${event.id}", relation="supports")`).message).toContain(
      "supports does not join insight → event",
    );
    const other = store.result('create(kind="insight", content="the same")').id;
    store.result(`merge(into_id="${other}", from_id="${note}", kind="note")`);
    expect(store.result(`neighbors(node_id="${other}")`)).toMatchObject([{ id: event.id }]);
  });

  it("[request facts §7.1] each kind of act has its word", () => {
    const a = store.result('create(kind="concept", name="A")').id;
    const b = store.result('create(kind="concept", name="B")').id;
    const note = store.result('memory.remember(content="herons fish at dawn")').id;
    const task = store.result('gtd.assign(title="T")').id;
    const edge = store.result(`link(source_id="${a}", target_id="${b}", relation="extends")`).id;
    const last = (ops: string) => {
      store.result(ops);
      const [{ kind, target_id, payload }] = events(", limit=1");
      const { request_id: _label, ...said } = payload;
      return [kind, target_id, said];
    };
    expect(last(`link(source_id="${a}", target_id="${b}", relation="extends", weight=0.5)`)).toEqual([
      "edge_updated",
      edge,
      { relation: "extends", mutation: "updated", observed: [a, b] },
    ]);
    expect(last(`update(id="${a}", description="x")`)).toEqual(["entity_updated", a, { fields: ["description"] }]);
    expect(last(`update(id="${note}", salience=1)`)).toEqual(["note_updated", note, { fields: ["salience"] }]);
    expect(last(`update(id="${edge}", weight=1)`)).toEqual(["edge_updated", edge, { fields: ["weight"] }]);
    expect(last(`gtd.transition(id="${task}", status="next")`)).toEqual(["task_transitioned", task, { from: "inbox", to: "next" }]);
    expect(last(`memory.feedback(target_id="${note}", signal="useful")`)).toEqual([
      "feedback_explicit",
      note,
      { signal: "useful", selected: [note] },
    ]);
    expect(last('memory.recall(query="heron")')).toEqual(["recall_executed", null, { query: "heron", observed: [note] }]);
    expect(last('search(kind="entity", query="A")')).toEqual(["search_executed", null, { query: "A", kind: "entity", observed: [a] }]);
    expect(last(`delete(id="${edge}")`)).toEqual(["edge_deleted", edge, { hard: false }]);
    expect(last(`merge(into_id="${a}", from_id="${b}")`)).toEqual(["entity_merged", a, expect.objectContaining({ observed: [b] })]);
    expect(last(`delete(id="${a}", hard=true)`)).toEqual(["entity_deleted", a, { hard: true }]);
    expect(last('stream.append(stream="s", record=1)')).toEqual(["note_created", expect.any(String), { stream: "s", seq: 1 }]);
    expect(last('create(items=[{"kind": "concept", "name": "C"}, {"kind": "concept", "name": "D"}])')).toEqual([
      "entity_created",
      null,
      { attempted: 2, created: 2, skipped: 0, failed: 0, observed: [expect.any(String), expect.any(String)] },
    ]);
    store.result('create(items=[{"kind": "note", "content": "a"}, {"kind": "insight", "content": "b"}])');
    store.result('create(items=[{"kind": "note", "content": "c"}, {"kind": "entity", "entity_kind": "concept", "name": "E"}])');
    expect(brief(events(", limit=2"))).toEqual([
      ["create", "audit", "success"],
      ["create", "note_created", "success"],
    ]);
    const proposal = store.result('propose(title="t", description="d", changeset={"kind": "add_note", "content": "x"})').id;
    store.result(`review(id="${proposal}", decision="comment")`);
    expect(events(", limit=2")).toMatchObject([
      { kind: "proposal_reviewed", aggregate_kind: "proposal", aggregate_id: proposal, payload: { decision: "comment" } },
      { kind: "proposal_created", aggregate_id: proposal },
    ]);
    const session = store.result('session.store(content="x")').id;
    expect(events(`, session_id="${session}"`)).toMatchObject([{ verb: "session.store", session_id: session }]);
  });

  it("[request facts §7.1] a failure and a refusal leave one too; reads, help, dry runs and readers leave none", () => {
    const a = store.result('create(kind="concept", name="A")').id;
    store.request(`[update(id="ffffffff", name="x"), get(id="${a}"), stats(), create(help=true), create(kind="concept")]`);
    store.request(`delete(id="${a}")`, {}, { level: "read-write" });
    store.request(`[search(kind="entity", query="A"), delete(id="${a}")]`, {}, { level: "read" });
    store.request(`memory.prune(dry_run=true)`);
    expect(brief(events())).toEqual([
      ["delete", "audit", "denied"],
      ["create", "audit", "error"],
      ["update", "audit", "error"],
      ["create", "entity_created", "success"],
    ]);
    expect(events(', outcome="denied"')).toMatchObject([{ target_id: a, payload: { error: "scope_forbidden" } }]);
    expect(events(', outcome="error", verb="update"')).toMatchObject([{ target_id: "ffffffff" }]);
  });

  it("[request facts §4] every event of a request carries its label, with all its digits", () => {
    const answer = store.call("request", {
      ops: '[create(kind="concept", name="A"), stats(), create(kind="concept")]',
      request_id: 2n ** 64n - 1n,
    });
    expect(answer.meta["request_id"]).toBe(18446744073709551615n);
    const { text } = store.call("request", { ops: 'list(kind="event")' });
    expect(text.match(/"request_id":18446744073709551615\b/g)).toHaveLength(2);
    expect(store.call("request", { ops: "stats()" }).meta["request_id"]).toEqual(expect.any(Number));
  });

  it("[request facts §7.1] filters choose, each by itself and together, and are told apart from those of records", () => {
    const a = store.result('create(kind="concept", name="A")').id;
    store.result('create(kind="insight", content="n")');
    const made = store.result('memory.remember(content="herons")').id;
    store.result('memory.recall(query="heron")');
    expect(events(', event_kind="note_created", event_kinds=["entity_created"]')).toHaveLength(3);
    expect(brief(events(', verbs=["memory.recall"], verb="memory.remember"'))).toEqual([
      ["memory.recall", "recall_executed", "success"],
      ["memory.remember", "note_created", "success"],
    ]);
    expect(events(', substrate="entity"')).toMatchObject([{ target_id: a }]);
    expect(events(`, observed=["${made}"]`)).toMatchObject([{ kind: "recall_executed" }]);
    expect(events(`, selected=["${made}"]`)).toEqual([]);
    expect(events(', actor="key_2"')).toEqual([]);
    const [newest, next] = events();
    expect(events(`, since="${newest.created_at}"`).map(({ id }) => id)).toEqual([newest.id]);
    expect(events(`, until="${newest.created_at}", limit=1`).map(({ id }) => id)).toEqual([next.id]);
    expect(events(", since=0, until=1")).toEqual([]);
    const refused = (filters: string) => store.error(`list(kind="event"${filters})`).message;
    expect(refused(', event_kind="made"')).toContain("entity_created");
    expect(refused(', outcome="fine"')).toContain("denied");
    expect(refused(', tags=["a"]')).toContain("`tags`");
    expect(refused(', observed=["ffffffff"]')).toContain("full id");
    expect(refused(', session_id="ffffffff"')).toContain("full id");
    expect(refused(', since="noon"')).toContain("RFC 3339");
    expect(store.error('list(kind="entity", verb="create")').message).toContain("`verb`");
  });

  it("[request facts §7.1] pages go by offset and by walking, and a limit past the cap is told", () => {
    for (let i = 0; i < 5; i++) store.result(`create(kind="concept", name="c${i}")`);
    const all = events().map(({ id }) => id);
    expect(all).toHaveLength(5);
    expect(events(", limit=2, offset=3").map(({ id }) => id)).toEqual(all.slice(3));
    expect(store.result('list(kind="event", limit=5000)')).toMatchObject({ effective_limit: 1000, limit_clamped: true });
    const walked: string[] = [];
    for (let after: string | null = ""; after !== null; ) {
      const page = store.result(`list(kind="event", limit=2, after="${after}")`);
      walked.push(...page.events.map(({ id }: Answered) => id));
      after = page.next_after;
    }
    expect(walked).toEqual(all);
    for (const id of all) expect(store.result(`get(id="${id.slice(0, 8)}")`).id).toBe(id);
    // Of one slice, and so of one row.
    store.request(`[${Array.from({ length: 9 }, (_, i) => `create(kind="concept", name="d${i}")`).join(", ")}]`);
    const both = events().map(({ id }) => id);
    expect(both.slice(9)).toEqual(all);
    expect(new Set(both.map((id: string) => id.slice(0, 8))).size).toBe(14);
    expect(store.result(`list(kind="event", after="${both[4]}", limit=6)`).events.map(({ id }: Answered) => id)).toEqual(both.slice(5, 11));
  });

  it("[request facts §8] an event is seen by the op after it, and is none where its slice is undone", () => {
    const { results } = store.request('create(kind="concept", name="A") | list(kind="event")');
    expect(results[1].result.items).toMatchObject([{ verb: "create", target_id: results[0].result.id }]);
    store.result('dke.checkpoint(name="m")');
    store.result('create(kind="concept", name="B")');
    store.result('dke.restore(since="m")');
    expect(events(', verb="create"')).toHaveLength(2);
  });

  it("[request facts §8] the oldest make room, and a copied database shows nothing of what they say", () => {
    const sql = new SqlNode();
    const log = new EventLog(sql, new CipherNode(), "s");
    const wish = {
      kind: "audit",
      verb: "heronry",
      namespace: "local",
      actor: "ann",
      outcome: "success",
      request: "1",
      micros: 1000,
    } as const;
    for (let i = 0; i < 3; i++) {
      log.append(wish);
      log.append(wish);
      log.flush();
    }
    sql.exec("UPDATE kg_event_page SET first = first + ?, last = last + ?", EVENTS_MAX - 4, EVENTS_MAX - 4);
    log.forget();
    const kept = () => sql.exec("SELECT min(first), max(last), count(*) FROM kg_event_page")[0];
    log.append(wish);
    log.flush();
    expect(kept()).toEqual([EVENTS_MAX - 3, EVENTS_MAX + 3, 4]);
    sql.exec("UPDATE kg_event_page SET first = 1, last = 2 WHERE first = ?", EVENTS_MAX - 3);
    log.append(wish);
    log.flush();
    expect(kept()).toEqual([EVENTS_MAX - 1, EVENTS_MAX + 4, 4]);
    log.append(wish);
    log.flush(true);
    expect(kept()).toEqual([EVENTS_MAX + 1, EVENTS_MAX + 5, 4]);
    log.append(wish);
    log.forget();
    log.flush();
    expect(kept()).toEqual([EVENTS_MAX + 1, EVENTS_MAX + 5, 4]);
    const bytes = sql.exec("SELECT sealed FROM kg_event_page").map(([sealed]) => Buffer.from(sealed as Uint8Array).toString("latin1"));
    expect(bytes.join("")).not.toMatch(/heronry|ann"|audit/);
  });
});
