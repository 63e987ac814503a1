/** A request that waits for others (`comm.inbox`), and what ends it or meets it meanwhile: its key, its store, its caller. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { StoreReply } from "../../src/durable/call";
import { type CallOptions, type Probe, StoreUnderTest, startProbe } from "./probe";

let probe: Probe;
beforeAll(async () => {
  probe = await startProbe({ REAL_ENGINE: 1, CALL_LOG: "off" });
});
afterAll(() => probe.stop());

interface Entry {
  readonly ok: boolean;
  // biome-ignore lint/suspicious/noExplicitAny: an answer is looked at member by member.
  readonly result?: any;
  readonly error?: { readonly kind: string };
  readonly aborted?: true;
}

function entriesOf(reply: StoreReply): Entry[] {
  if (reply.tag !== "answered") throw new Error(`not answered: ${JSON.stringify(reply)}`);
  return JSON.parse(reply.answer.text).results;
}

const request = (store: StoreUnderTest, key: string, actor: string, ops: string, options: CallOptions = {}): Promise<StoreReply> =>
  store.call(key, { ops, presentation: "verbose", client: { actor } }, { tool: "request", ...options });

const WAIT = 'comm.inbox(wait_ms=30000) | comm.send(to="ann", content="after")';

/** A request of bob's with a key of this level, which waits by now; in a list, since a promise of it would be waited for. */
async function waiting(store: StoreUnderTest, key: string, options: CallOptions = {}): Promise<Promise<StoreReply>[]> {
  const call = request(store, key, "bob", WAIT, options);
  await new Promise((resolve) => setTimeout(resolve, 150));
  return [call];
}

const sent = async (store: StoreUnderTest): Promise<string[]> =>
  entriesOf(await request(store, "read-write-delete", "bob", 'comm.inbox(box="sent")'))[0].result.items.map(
    ({ content }: { content: string }) => content,
  );

describe("a request that waits", () => {
  it.each<[string, (store: StoreUnderTest) => Promise<unknown>]>([
    ["its key is revoked", (store) => store.store("revokeKey", store.keys["read-write"].keyId)],
    ["its key may do nothing any longer", (store) => store.store("setLevel", store.keys["read-write"].keyId, "none")],
    ["its caller takes it back", (store) => store.store("cancelRequest", store.keys["read-write"].hash, "asked")],
    ["its caller leaves", (store) => store.store("cancel", "bob's")],
    ["the store is put back to a snapshot", (store) => store.store("restoreSnapshot", "snp_1", "snp_2")],
  ])("[contract §9.8] ends when %s, and writes nothing after", async (_, end) => {
    const store = await StoreUnderTest.make(probe);
    await request(store, "read-write", "ann", 'comm.send(to="carl", content="first")');
    await store.store("takeSnapshot", "snp_1");
    const [call] = await waiting(store, "read-write", { requestId: "asked", token: "bob's" });
    await end(store);
    const [inbox, send] = entriesOf(await call);
    expect(inbox).toMatchObject({ ok: false, error: { kind: "cancelled" } });
    expect(send).toMatchObject({ ok: false, aborted: true });
    expect(await sent(store)).toEqual([]);
    // And nothing of it stands in the way of others.
    const next = request(store, "read-write-delete", "ann", 'comm.send(to="bob", content="next") | stats()');
    expect(entriesOf(await next)[1]).toMatchObject({ ok: true, result: { notes: 4 } });
  });

  it("[contract §9.8] ends when its store is deleted", async () => {
    const store = await StoreUnderTest.make(probe);
    await request(store, "read-write", "ann", 'comm.send(to="carl", content="first")');
    const [call] = await waiting(store, "read-write");
    await store.store("setDeletion", Date.now() + 60_000);
    expect(entriesOf(await call)[0]).toMatchObject({ ok: false, error: { kind: "cancelled" } });
  });

  it("[rulings, Levels] goes on with what its key may do by then", async () => {
    const store = await StoreUnderTest.make(probe);
    await request(store, "read-write", "ann", 'comm.send(to="carl", content="first")');
    const [call] = await waiting(store, "read-write");
    await store.store("setLevel", store.keys["read-write"].keyId, "read");
    await request(store, "read-add", "ann", 'comm.send(to="bob", content="here")');
    const [inbox, send] = entriesOf(await call);
    expect(inbox.result.items).toMatchObject([{ content: "here" }]);
    expect(send).toMatchObject({ ok: false, error: { kind: "scope_forbidden" } });
    expect(await sent(store)).toEqual([]);
  });
});
