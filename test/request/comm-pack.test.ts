/** Messages and sessions through the request endpoint (request facts §7.4, §7.7). Actors are named by the key that calls. */
import { beforeEach, describe, expect, it } from "vitest";
import { RequestFixture } from "./request-fixture";

let store: RequestFixture;
beforeEach(() => {
  store = new RequestFixture();
});

const as = (keyId: string) => ({ keyId });
const ANN = as("ann");
const BOB = as("bob");

function send(content: string, more = "", from = ANN) {
  return store.result(`comm.send(to="bob", content=${JSON.stringify(content)}${more})`, from);
}

describe("comm", () => {
  it("[request facts §7.4] a message is in the sender's box and, unread, in the receiver's", () => {
    const sent = send("hello", ', subject="greeting"');
    expect(sent).toMatchObject({
      from: "ann",
      to: "bob",
      content: "hello",
      subject: "greeting",
      direction: "outbound",
      thread_id: sent.id,
    });
    const inbox = store.result("comm.inbox()", BOB);
    expect(inbox.items).toMatchObject([{ id: sent.inbound_id, from: "ann", read: false, thread_id: sent.id, outbound_ref: sent.id }]);
    expect(inbox.items[0].short_id).toBe(sent.inbound_id.slice(0, 8));
    expect(inbox).toMatchObject({ unread_count: 1, unread_count_saturated: false, has_more: false, next_offset: null });
    expect(store.result("comm.inbox()", ANN).items).toEqual([]);
    expect(store.result('comm.inbox(box="sent")', ANN).items).toMatchObject([{ id: sent.id }]);
    expect(store.result(`comm.delivered(id="${sent.id}")`, ANN)).toEqual({
      id: sent.id,
      status: "delivered",
      delivered: true,
      inbound_count: 1,
    });
    store.result(`delete(id="${sent.inbound_id}")`);
    expect(store.result(`comm.delivered(id="${sent.id}")`, ANN)).toMatchObject({ status: "undelivered", inbound_count: 0 });
  });

  it("[request facts §7.4] an inbox that is empty waits for what others send, and looks again only as long as was asked", () => {
    const waits: number[] = [];
    const waiting = (ms: number, then: () => void) => (msMax: number) => {
      waits.push(msMax);
      then();
      return ms;
    };
    store.whileWaiting.push(
      waiting(400, () => store.result('comm.send(to="carl", content="not for bob")', ANN)),
      waiting(250, () => send("at last")),
    );
    expect(store.result("comm.inbox(wait_ms=1000)", BOB).items).toMatchObject([{ content: "at last", from: "ann" }]);
    expect(waits).toEqual([1000, 600]);
    expect(store.result("comm.inbox(wait_ms=1000)", BOB).items).toHaveLength(1);
    expect(waits).toHaveLength(2);
    // In a chain: what was sent before has landed, and its answer is waited for.
    store.whileWaiting.push(waiting(1, () => send("the answer", ', subject="re"')));
    const { results } = store.request(
      'comm.send(to="ann", content="?") | comm.inbox(subject_contains="re", wait_ms=500) | comm.read(id=$prev.items[0].id)',
      {},
      BOB,
    );
    expect(results.map((one: { ok: boolean }) => one.ok)).toEqual([true, true, true]);
    expect(store.result("comm.inbox()", ANN).items).toMatchObject([{ content: "?" }]);
    // Nothing came: the time is up.
    expect(store.result('comm.inbox(from_actor="nobody", wait_ms=30000)', BOB).items).toEqual([]);
    expect(store.error("comm.inbox(wait_ms=30001)", BOB).message).toContain("30000");
  });

  it("one request waits thirty seconds in all, however many of its ops ask", () => {
    const waits: number[] = [];
    const waiting = (msMax: number) => {
      waits.push(msMax);
      return msMax;
    };
    store.whileWaiting.push(waiting, waiting, waiting);
    expect(
      store.request("[comm.inbox(wait_ms=20000), comm.inbox(wait_ms=20000), comm.inbox(wait_ms=20000)]", {}, BOB).summary.succeeded,
    ).toBe(3);
    expect(waits).toEqual([20_000, 10_000]);
  });

  it("[request facts §7.4] to oneself only where that is said", () => {
    expect(store.error('comm.send(to="ann", content="x")', ANN).message).toContain("self_send");
    expect(store.result('comm.send(to="ann", content="x", self_send=true)', ANN).inbound_id).toBeTruthy();
    expect(store.result("comm.unread()", ANN)).toEqual({ count: 1, count_cap: 1000, count_saturated: false, actor: "ann" });
  });

  it("[request facts §7.4] sent again under the same key it is sent once, and another message under it is a conflict", () => {
    const first = send("once", ', idempotency_key="k"');
    expect(send("once", ', idempotency_key="k"')).toMatchObject({ id: first.id, inbound_id: first.inbound_id, replayed: true });
    expect(store.error('comm.send(to="bob", content="other", idempotency_key="k")', ANN).details).toEqual({
      reason: "key_conflict",
      existing_id: first.id,
    });
    expect(store.result("comm.unread()", BOB).count).toBe(1);
    expect(store.result('comm.send(to="ann", content="once", idempotency_key="k")', BOB).replayed).toBeUndefined();
  });

  it("[request facts §7.4] a reply goes back in the thread and marks what it answers", () => {
    const sent = send("question?", ', subject="q"');
    const reply = store.result(`comm.reply(id="${sent.inbound_id.slice(0, 8)}", content="answer")`, BOB);
    expect(reply).toMatchObject({ from: "bob", to: "ann", thread_id: sent.id, reply_to: sent.inbound_id, subject: "q" });
    expect(store.result("comm.unread()", BOB).count).toBe(0);
    expect(store.result("comm.inbox()", ANN).items).toMatchObject([{ content: "answer" }]);
    for (const id of [sent.id, sent.inbound_id, reply.id]) {
      const thread = store.result(`comm.thread(id="${id}")`, ANN);
      expect(thread.items.map((row: { content: string }) => row.content)).toEqual(["question?", "answer"]);
      expect(thread).toMatchObject({ thread_id: sent.id, total: 2, has_more: false, next_after: null });
    }
    const page = store.result(`comm.thread(id="${sent.id}", limit=1, order="desc", fields=["id", "content"])`, ANN);
    expect(page.items.map((row: object) => Object.keys(row))).toEqual([["id", "content"]]);
    expect(store.result(`comm.thread(id="${sent.id}", limit=1, order="desc", after="${page.next_after}")`, ANN).items[0].content).toBe(
      "question?",
    );
  });

  it("[request facts §7.4] the inbox is filtered, newest first, and paged by offset", () => {
    for (const n of [1, 2, 3]) send(`note ${n}`, n === 2 ? ', subject="Budget"' : "");
    store.result('comm.send(to="bob", content="from eve")', as("eve"));
    const contents = (args: string) => store.result(`comm.inbox(${args})`, BOB).items.map((row: { content: string }) => row.content);
    expect(contents("")).toEqual(["from eve", "note 3", "note 2", "note 1"]);
    expect(contents('from_actor="eve"')).toEqual(["from eve"]);
    expect(contents('from_prefix="an"')).toHaveLength(3);
    expect(contents('exclude_from_actor="ann"')).toEqual(["from eve"]);
    expect(contents('subject_contains="budget"')).toEqual(["note 2"]);
    expect(contents('content_contains="NOTE"')).toHaveLength(3);
    expect(contents("limit=2, offset=1")).toEqual(["note 3", "note 2"]);
    expect(contents('status="read"')).toEqual([]);
    expect(store.result("comm.inbox(limit=2)", BOB)).toMatchObject({ total: 4, has_more: true, next_offset: 2 });
    expect(store.result("comm.inbox(limit=5000)", BOB)).toMatchObject({ requested_limit: 5000, effective_limit: 200, limit_clamped: true });
    const [newest] = store.result("comm.inbox()", BOB).items;
    expect(contents(`before="${newest.created_at}"`)).toHaveLength(3);
    expect(contents(`since="${newest.created_at}"`)).toEqual(["from eve"]);
    expect(store.error('comm.inbox(since="yesterday")', BOB).message).toContain("RFC 3339");
    expect(store.error('comm.inbox(from_actor="a", from_prefix="b")', BOB).message).toContain("exclude each other");
    expect(store.error('comm.inbox(fields=["nope"])', BOB).message).toContain("nope");
    expect(contents("wait_ms=30000")).toHaveLength(4);
  });

  it("[request facts §7.4] marking is told of each message; atomic marks all or none", () => {
    const ids = [send("1").inbound_id, send("2").inbound_id, send("3").inbound_id];
    expect(store.result(`comm.read(id="${ids[0]}")`, BOB)).toMatchObject({ id: ids[0], status: "success", read: true });
    const refused = store.error(`comm.mark_read(ids=["${ids[1]}", "ffffffff"], atomic=true)`, BOB);
    expect(refused.message).toContain("none was");
    expect(refused.details.results).toMatchObject([{ id: "ffffffff", status: "failed", read: false }]);
    expect(store.result("comm.unread()", BOB).count).toBe(2);
    const loose = store.result(`comm.read(ids=["${ids[1]}", "ffffffff"])`, BOB);
    expect(loose).toMatchObject({
      total: 2,
      succeeded: 1,
      failed: 1,
      results: [{ status: "success" }, { status: "failed", mark_error: expect.stringContaining("not found") }],
    });
    expect(store.result(`comm.mark_read(ids=["${ids[2]}"], atomic=true)`, BOB)).toMatchObject({ succeeded: 1, failed: 0 });
    expect(store.result("comm.unread()", BOB).count).toBe(0);
    expect(store.error(`comm.read(id="${ids[0]}", ids=["${ids[1]}"])`, BOB).message).toContain("one of them");
    expect(store.error("comm.read()", BOB).message).toContain("one of them");
  });

  it("[request facts §7.4] a probe tells what is new since the last one and marks nothing", () => {
    send("1");
    const first = store.result('comm.probe(actor="bob")', ANN);
    expect(first).toMatchObject({ stale_unread_count: 0, new_messages: [{ content: "1" }] });
    expect(store.result(`comm.probe(actor="bob", since_us=${first.cursor_us})`, ANN)).toEqual({
      cursor_us: first.cursor_us,
      stale_unread_count: 0,
      new_messages: [],
    });
    expect(store.result('comm.probe(actor="bob", stale_minutes=0)', ANN).stale_unread_count).toBe(1);
    expect(store.result("comm.unread()", BOB).count).toBe(1);
    expect(store.result("comm.health()").channels).toMatchObject([{ channel: "store", stalled: false, last_error: null }]);
  });

  it("[request facts §8] a message is made by comm alone, and levels hold", () => {
    expect(store.error('create(kind="message", content="x")').message).toContain("comm.send");
    expect(store.error('comm.send(to="bob", content="x")', { level: "read" }).kind).toBe("scope_forbidden");
    const sent = store.result('comm.send(to="bob", content="x")', { level: "read-add", keyId: "ann" });
    expect(store.result(`comm.reply(id="${sent.inbound_id}", content="y")`, { level: "read-add", keyId: "bob" }).content).toBe("y");
  });
});

describe("session", () => {
  it("[request facts §7.7] keeps a text, lists it without, resumes it whole and exports it", () => {
    const made = store.result(
      'session.store(content="We chose plan B.", title="Planning", provider="claude", provider_session_id="s-1", tags=["b","b"])',
      ANN,
    );
    expect(made).toMatchObject({
      title: "Planning",
      provider: "claude",
      provider_session_id: "s-1",
      agent_id: "ann",
      tags: ["b"],
      content_length: 16,
    });
    store.result('session.store(content="Other", provider="codex")', BOB);
    expect(store.result("session.list()").items.map((row: { provider: string }) => row.provider)).toEqual(["codex", "claude"]);
    expect(store.result('session.list(provider="claude")').items).toEqual([made]);
    expect(store.result('session.list(agent_id="bob")').total).toBe(1);
    expect(store.result('session.list(since="2100-01-01T00:00:00Z")').total).toBe(0);
    expect(store.result(`session.resume(id="${made.id.slice(0, 8)}")`)).toMatchObject({ id: made.id, content: "We chose plan B." });
    expect(JSON.parse(store.result(`session.export(id="${made.id}")`).text)).toMatchObject({
      title: "Planning",
      content: "We chose plan B.",
    });
    expect(store.result(`session.export(id="${made.id}", format="markdown")`).text).toMatch(
      /^# Planning\n\n- provider: claude\n[\s\S]*We chose plan B\.\n$/,
    );
    expect(store.error('session.store(content="  ")').message).toContain("blank");
    expect(store.error(`session.resume(id="${store.result('create(kind="note", content="n")').id}")`).message).toContain(
      "is of kind observation, not session",
    );
  });

  it("[request facts §7.1] list filters messages by thread, direction, sender, receiver, read and delivered", () => {
    const f = new RequestFixture();
    const { thread_id: thread, inbound_id: inbound, id } = f.result('comm.send(to="ann", content="one")');
    f.result('comm.send(to="bob", content="two") | comm.read(id=$prev.inbound_id)');
    const listed = (filters: string) =>
      f
        .result(`list(kind="message", ${filters})`)
        .items.map((one: { content: string; properties: { direction: string } }) => `${one.content} ${one.properties.direction}`);
    expect(listed(`thread_id="${thread}"`)).toEqual(["one inbound", "one outbound"]);
    expect(listed('direction="inbound"')).toEqual(["two inbound", "one inbound"]);
    expect(listed('direction="inbound", read=false')).toEqual(["one inbound"]);
    expect(listed('to="bob", read=true')).toEqual(["two inbound", "two outbound"]);
    expect(listed('from="nobody"')).toEqual([]);
    expect(listed('from="key_1", delivered=true, direction="outbound"')).toEqual(["two outbound", "one outbound"]);
    f.result(`delete(id="${inbound}")`);
    expect(listed("delivered=false")).toEqual(["one outbound"]);
    expect(f.error('list(kind="note", read=true)').message).toContain("`read`");
    expect(f.error('list(kind="edge", from="x")').message).toContain("`from`");
    expect(id).not.toBe(inbound);
  });
});
