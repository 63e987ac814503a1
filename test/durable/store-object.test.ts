import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { StoreReply } from "../../src/durable/call";
import type { Json, ToolAnswer } from "../../src/tools/answer";
import { freshGate, type Probe, StoreUnderTest, startProbe } from "./probe";

let probe: Probe;
beforeAll(async () => {
  probe = await startProbe({ CALL_OPS_MAX: 1_000_000 });
});
afterAll(() => probe.stop());

function answerOf(reply: StoreReply): ToolAnswer {
  if (reply.tag !== "answered") throw new Error(`not answered: ${JSON.stringify(reply)}`);
  return reply.answer;
}

function metaOf(reply: StoreReply): { readonly [name: string]: Json } {
  return answerOf(reply).meta;
}

/** A call that wrote one row and now waits for the gate, before its next statement or inside it. */
async function heldCall(
  store: StoreUnderTest,
  level: string,
  options: { inside?: boolean; write?: boolean; requestId?: string | number; token?: string } = {},
) {
  const gate = freshGate();
  const before = (await rowCount(store, level)) ?? 0;
  const reply = store.call(
    level,
    { statements: 3, write: true, gateAt: 1, gate, gateIsInside: options.inside ?? false },
    { requestId: options.requestId ?? null, token: options.token },
  );
  await store.until(async () => ((await rowCount(store, level)) ?? 0) > before);
  return { reply, open: () => store.openGate(gate) };
}

async function rowCount(store: StoreUnderTest, level: string): Promise<number | null> {
  try {
    return (await store.query(`SELECT count(*) FROM probe WHERE key_id = '${store.keys[level].keyId}'`))[0][0];
  } catch {
    return null; // the table is made with the engine's first opening
  }
}

/** A read-only key shares the store from its second call on. */
async function worked(store: StoreUnderTest, ...levels: string[]): Promise<void> {
  for (const level of levels) await store.call(level);
}

const soon = (ms = 60): Promise<"still waiting"> => new Promise((resolve) => setTimeout(resolve, ms, "still waiting"));

describe("keys", () => {
  test("[3] a key of the store is answered with its account, its id, its level and the call's instant", async () => {
    const store = await StoreUnderTest.make(probe);
    const reply = await store.call("read-write", { statements: 2 });
    expect(reply.tag).toBe("answered");
    const { identity } = reply as Extract<StoreReply, { tag: "answered" }>;
    expect(identity).toMatchObject({ tenantId: store.accountId, keyId: store.keys["read-write"].keyId, level: "read-write" });
    expect(identity.answeredAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}007Z$/);
  });

  test("[3] what opens nothing is denied: unknown, another key's secret, another store's key, revoked", async () => {
    const store = await StoreUnderTest.make(probe);
    const other = await StoreUnderTest.make(probe);
    const key = store.keys["read-write"];
    const denied = { tag: "denied" };
    expect(await store.call({ ...key, hash: "00".repeat(32) })).toEqual(denied);
    expect(await store.call({ ...key, hash: "no hash" })).toEqual(denied);
    expect(await store.call({ ...key, encryptionKey: store.keys.read.encryptionKey })).toEqual(denied);
    expect(await store.call({ ...key, encryptionKey: "" })).toEqual(denied);
    expect(await store.call(other.keys["read-write"])).toEqual(denied);
    expect((await store.call(key)).tag).toBe("answered");
    expect(await store.store("revokeKey", key.keyId)).toBe(true);
    expect(await store.call(key)).toEqual(denied);
    expect(await store.call(key, {}, { tool: "spec" })).toEqual(denied);
    expect(await store.call(key, {}, { tool: "stop" })).toEqual(denied);
    expect((await store.call("read")).tag).toBe("answered");
  });

  test("[C2] a wrap of another data key is denied and leaves the store as it was [C7.19]", async () => {
    const store = await StoreUnderTest.make(probe);
    await store.call("read-write", { write: true });
    const { result, key } = await store.issueForeignKey("one");
    expect(result).toEqual({ tag: "issued" });
    expect(await store.call(key, { write: true })).toEqual({ tag: "denied" });
    expect((await store.call("read-write", { write: true })).tag).toBe("answered");
  });

  test("[C2] a revoked key keeps its hash and loses its wrap; the same hash is not issued twice [C7.20]", async () => {
    const store = await StoreUnderTest.make(probe);
    const { key } = await store.issueForeignKey("one");
    expect((await store.issueForeignKey("one")).result).toEqual({ tag: "refused", why: "known_hash" });
    await store.store("revokeKey", key.keyId);
    expect(await store.query(`SELECT wrap FROM service_key WHERE key_id = '${key.keyId}'`)).toEqual([[null]]);
    expect((await store.issueForeignKey("one")).result).toEqual({ tag: "refused", why: "known_hash" });
    expect(await store.store("revokeKey", key.keyId)).toBe(false);
  });

  test("[3] a level is changed for the next call, and for a call that still waits", async () => {
    const store = await StoreUnderTest.make(probe);
    await worked(store, "read");
    const held = await heldCall(store, "read-write-delete");
    const waiting = store.call("read");
    await soon();
    expect(await store.store("setLevel", store.keys.read.keyId, "read-write")).toBe(true);
    await held.open();
    expect(metaOf(await waiting).level).toBe("read-write");
    expect(metaOf(await store.call("read")).level).toBe("read-write");
  });

  test("[C7.12] revoking a key stops its running call, and denies its waiting one", async () => {
    const store = await StoreUnderTest.make(probe);
    const held = await heldCall(store, "read-write");
    const waiting = store.call("read-write");
    await soon();
    await store.store("revokeKey", store.keys["read-write"].keyId);
    expect(metaOf(await held.reply)).toMatchObject({ ended: "stopped", statements: 1 });
    expect(await waiting).toEqual({ tag: "denied" });
    expect(await store.call("read-write")).toEqual({ tag: "denied" });
  });

  test("[3] what a client says of itself is kept, cleaned and bounded", async () => {
    const store = await StoreUnderTest.make(probe);
    const { hash, keyId } = store.keys.read;
    const listed = async () => (await store.store("listKeys")).find((key: { keyId: string }) => key.keyId === keyId);
    await store.store("recordClient", hash, { name: "agent\u202e\u0000 <b>", version: `1${"0".repeat(1000)}` });
    const [client] = (await listed()).clients;
    expect(client).toMatchObject({ name: "agent <b>", version: `1${"0".repeat(127)}` });
    expect(client.firstSeenAtMs).toBe(client.lastSeenAtMs);
    expect(Math.abs(Date.now() - client.firstSeenAtMs)).toBeLessThan(60_000);
    for (const nobody of [{ name: { evil: true } }, { name: "\u202e", version: 7 }, "agent", null, [1]])
      await store.store("recordClient", hash, nobody);
    await store.store("recordClient", "00".repeat(32), { name: "nobody" });
    expect((await listed()).clients).toEqual([client]);
    expect((await store.query("SELECT count(*) FROM service_client"))[0]).toEqual([1]);
  });

  test("[3] two clients on one key are both seen; of many, the latest eight", async () => {
    const store = await StoreUnderTest.make(probe);
    const { hash, keyId } = store.keys.read;
    const clients = async () => (await store.store("listKeys")).find((key: { keyId: string }) => key.keyId === keyId).clients;
    for (const name of ["one", "two", "one"]) await store.store("recordClient", hash, { name, version: "1" });
    expect((await clients()).map((client: { name: string }) => client.name).sort()).toEqual(["one", "two"]);
    for (let n = 0; n < 12; n++) {
      await store.store("recordClient", hash, { name: `client ${n}`, version: "1" });
      await soon(2); // the clock has moved on
    }
    expect((await clients()).map((client: { name: string }) => client.name)).toEqual([11, 10, 9, 8, 7, 6, 5, 4].map((n) => `client ${n}`));
  });

  test("[C7.39] a text of a megabyte, half a character included, is cut to 128 characters", async () => {
    const store = await StoreUnderTest.make(probe);
    await store.store("recordClient", store.keys.read.hash, { name: "😀".repeat(1 << 18), version: "\ud800x" });
    const [[name, version]] = await store.query("SELECT name, version FROM service_client");
    expect([...(name as string)].length).toBe(128);
    expect(version).toBe("x");
  });
});

describe("at rest", () => {
  test("[C2] neither the data key nor a key-encryption key lies in the database [C7.6] [C7.26]", async () => {
    const store = await StoreUnderTest.make(probe);
    await store.call("read-write", { write: true });
    const tables = (await store.query("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_cf%' ESCAPE '\\'")).flat();
    expect(tables).toContain("service_key");
    let all = "";
    for (const table of tables) all += JSON.stringify(await store.query(`SELECT * FROM ${table}`));
    expect(all).toContain(store.keys["read-write"].hash);
    for (const key of Object.values(store.keys)) expect(all).not.toContain(key.encryptionKey);
    expect(all).not.toContain(Buffer.from("sealed").toString("hex"));
  });

  test("[arch] the data key is kept from call to call and forgotten when the store is idle [C7.26]", async () => {
    const store = await StoreUnderTest.make(probe);
    // The engine under test seals one row whenever it is opened.
    const openings = async () => (await store.query("SELECT count(*) FROM sealed"))[0][0];
    await Promise.all([store.call("read-write"), store.call("read-add")]);
    await store.call("read-write");
    expect(await openings()).toBe(1);
    await soon(600);
    await store.call("read-write");
    expect(await openings()).toBe(2);
  });

  test("[arch] an object that lost its memory opens again from SQL, with the same data key", async () => {
    const store = await StoreUnderTest.make(probe);
    await store.call("read-write", { write: true });
    await expect(store.store("crash")).rejects.toThrow();
    expect(metaOf(await store.call("read-write", { write: true })).ended).toBe("completed");
    expect(await rowCount(store, "read-write")).toBe(2);
  });
});

describe("turns", () => {
  test("[arch] the engine is told that no call is at work, and not while one is", async () => {
    const store = await StoreUnderTest.make(probe, { levels: ["read1", "read2"] });
    await worked(store, "read1", "read2");
    const rests = async () => (await store.query("SELECT count(*) FROM rest"))[0][0];
    const before = (await rests()) as number;
    const one = await heldCall(store, "read1");
    const two = await heldCall(store, "read2");
    await one.open();
    await one.reply;
    expect(await rests()).toBe(before);
    await two.open();
    await two.reply;
    expect(await rests()).toBe(before + 1);
  });

  test("[9.8] read-only keys work together; a read with a key that may write works alone", async () => {
    const store = await StoreUnderTest.make(probe, { levels: ["read1", "read2", "read3", "read-add", "read-write"] });
    await worked(store, "read1", "read2", "read3");
    const one = await heldCall(store, "read1");
    const two = await heldCall(store, "read2");
    const writer = store.call("read-write");
    expect(await Promise.race([writer, soon()])).toBe("still waiting");
    const behind = store.call("read3");
    expect(await Promise.race([behind, soon()])).toBe("still waiting");
    await one.open();
    await two.open();
    for (const reply of [one.reply, two.reply, writer, behind]) expect(metaOf(await reply).ended).toBe("completed");
  });

  test("[9.8] a read-only key's first call runs alone", async () => {
    const store = await StoreUnderTest.make(probe, { levels: ["read1", "read2"] });
    await worked(store, "read1");
    const held = await heldCall(store, "read1");
    const first = store.call("read2");
    expect(await Promise.race([first, soon()])).toBe("still waiting");
    await held.open();
    await first;
    const again = await heldCall(store, "read1");
    expect(metaOf(await store.call("read2")).ended).toBe("completed");
    await again.open();
    await again.reply;
  });

  test("[9.8] a key that may write by the time its turn comes works alone all the same", async () => {
    const store = await StoreUnderTest.make(probe, { levels: ["read1", "read2", "read3", "read-write"] });
    await worked(store, "read1", "read2", "read3");
    const first = await heldCall(store, "read1");
    const writer = store.call("read-write");
    await soon();
    const raised = store.call("read2", { write: true });
    await soon();
    const beside = heldCall(store, "read3");
    await soon();
    await store.store("setLevel", store.keys.read2.keyId, "read-write");
    await first.open();
    await Promise.all([first.reply, writer]);
    const reader = await beside;
    expect(await Promise.race([raised, soon()])).toBe("still waiting");
    await reader.open();
    expect(metaOf(await reader.reply).ended).toBe("completed");
    expect(metaOf(await raised)).toMatchObject({ ended: "completed", level: "read-write" });
  });

  test("[6] a call that waits past the limit is told the store is busy, and keeps nothing", async () => {
    const store = await StoreUnderTest.make(probe);
    const held = await heldCall(store, "read-write");
    expect(answerOf(await store.call("read-add", { write: true }))).toMatchObject({ status: "engine_error", ops: 0 });
    await held.open();
    expect(metaOf(await held.reply).ended).toBe("completed");
    expect(await rowCount(store, "read-add")).toBe(0);
  });

  test("[6] a call past the queue's length is told the store is busy and nothing in it needs changing [A7.73]", async () => {
    const store = await StoreUnderTest.make(probe);
    const held = await heldCall(store, "read-write");
    const waiting = Array.from({ length: 64 }, () => store.call("read-add"));
    await soon(300);
    const busy = answerOf(await store.call("read-add", { write: true }));
    expect(busy.status).toBe("engine_error");
    expect(busy.text).toMatch(/^error: program failed — the store was busy .*nothing in the call needs changing/);
    expect(busy.ops).toBe(0);
    await held.open();
    for (const reply of waiting) expect(metaOf(await reply).ended).toBe("completed");
    expect(await rowCount(store, "read-add")).toBe(0);
  });
});

describe("stop", () => {
  test("[9.8] idle: no call was running; answered, not billed", async () => {
    const store = await StoreUnderTest.make(probe);
    for (const level of ["read-add", "read-write", "read-write-delete"]) {
      const answer = answerOf(await store.call(level, {}, { tool: "stop" }));
      expect(answer).toMatchObject({ status: "success", meta: { outcome: "idle" }, ops: 0 });
    }
  });

  test.each(["none", "read"])("[9.8] a key at %s is refused with scope_forbidden, and nothing is stopped", async (level) => {
    const store = await StoreUnderTest.make(probe);
    const held = await heldCall(store, "read-write");
    expect(answerOf(await store.call(level, {}, { tool: "stop" }))).toMatchObject({
      status: "refuse",
      meta: { refuse_reason: "scope_forbidden" },
    });
    await held.open();
    expect(metaOf(await held.reply)).toMatchObject({ ended: "completed", statements: 3 });
  });

  test("[9.8] stopped: the call ends at its next statement and keeps what it wrote", async () => {
    const store = await StoreUnderTest.make(probe);
    const held = await heldCall(store, "read-write");
    expect(metaOf(await store.call("read-add", {}, { tool: "stop" })).outcome).toBe("stopped");
    expect(metaOf(await held.reply)).toMatchObject({ ended: "stopped", statements: 1 });
    expect(await rowCount(store, "read-write")).toBe(1);
    expect(metaOf(await store.call("read-add", {}, { tool: "stop" })).outcome).toBe("idle");
  });

  test("[9.8] a statement already running finishes first, and stop waits for it", async () => {
    const store = await StoreUnderTest.make(probe);
    const held = await heldCall(store, "read-write", { inside: true });
    const stop = store.call("read-write", {}, { tool: "stop" });
    expect(await Promise.race([stop, soon(200)])).toBe("still waiting");
    await held.open();
    expect(metaOf(await stop).outcome).toBe("stopped");
    expect(metaOf(await held.reply)).toMatchObject({ ended: "stopped" });
  });

  test("[9.8] finished: the call reached no further statement and answers as without the stop", async () => {
    const store = await StoreUnderTest.make(probe);
    const gate = freshGate();
    const last = store.call("read-write", { statements: 1, write: true, gateAt: 1, gate, gateIsInside: true });
    await store.until(async () => (await rowCount(store, "read-write")) === 1);
    const stop = store.call("read-write", {}, { tool: "stop" });
    await soon();
    await store.openGate(gate);
    expect(metaOf(await stop).outcome).toBe("finished");
    expect(metaOf(await last)).toMatchObject({ ended: "completed" });
  });

  test("[9.8] stopping: the wait ended with the statement still running", async () => {
    const store = await StoreUnderTest.make(probe);
    const held = await heldCall(store, "read-write", { inside: true });
    const began = Date.now();
    expect(metaOf(await store.call("read-write", {}, { tool: "stop" })).outcome).toBe("stopping");
    expect(Date.now() - began).toBeGreaterThan(690);
    await held.open();
    await held.reply;
    expect(metaOf(await store.call("read-write", {}, { tool: "stop" })).outcome).toBe("idle");
  });

  test("[9.8] every call running then is reached, a call that waits is not", async () => {
    const store = await StoreUnderTest.make(probe, { levels: ["read1", "read2", "read-write"] });
    await worked(store, "read1", "read2");
    const held = [await heldCall(store, "read1"), await heldCall(store, "read2")];
    const waiting = store.call("read-write", { statements: 5, write: true });
    await soon();
    expect(metaOf(await store.call("read-write", {}, { tool: "stop" })).outcome).toBe("stopped");
    for (const call of held) expect(metaOf(await call.reply)).toMatchObject({ ended: "stopped", statements: 1 });
    expect(metaOf(await waiting)).toMatchObject({ ended: "completed", statements: 5 });
  });

  test("[9.8] a call that has its turn and waits for credit is reached, and ends before its first statement", async () => {
    const store = await StoreUnderTest.make(probe, { balanceOps: 900_000 });
    await worked(store, "read-write");
    const gate = freshGate();
    await store.account("holdLeases", gate);
    const call = store.call("read-write", { statements: 5, write: true });
    await soon();
    const stop = store.call("read-write", {}, { tool: "stop" });
    expect(await Promise.race([stop, soon()])).toBe("still waiting");
    await store.openGate(gate);
    expect(metaOf(await stop).outcome).toBe("stopped");
    expect(metaOf(await call)).toMatchObject({ ended: "stopped", statements: 0 });
  });

  test("[9.8] stop is answered when as many calls run as the account allows [C7.44]", async () => {
    const store = await StoreUnderTest.make(probe, { callsAtOnceMax: 2 });
    await worked(store, "read-write");
    const held = await heldCall(store, "read-write");
    const waiting = store.call("read-add");
    await soon();
    expect(await store.call("read-add")).toEqual({ tag: "rate_limited", why: "calls_at_once", retryAfterS: 1 });
    expect(metaOf(await store.call("read-add", {}, { tool: "stop" })).outcome).toBe("stopped");
    expect(metaOf(await held.reply).ended).toBe("stopped");
    expect(metaOf(await waiting).ended).toBe("completed");
  });
});

describe("cancelling", () => {
  test("[4.2] a call whose caller left stops at its next statement", async () => {
    const store = await StoreUnderTest.make(probe);
    const held = await heldCall(store, "read-write", { token: "mine" });
    await store.store("cancel", "somebody else's");
    await store.store("cancel", "");
    await store.store("cancel", "mine");
    expect(metaOf(await held.reply)).toMatchObject({ ended: "stopped", statements: 1 });
  });

  test("[4.2] a call whose caller left while it waited never begins", async () => {
    const store = await StoreUnderTest.make(probe);
    const held = await heldCall(store, "read-write");
    const waiting = store.call("read-add", { write: true }, { token: "waiting" });
    await soon();
    await store.store("cancel", "waiting");
    expect(answerOf(await waiting)).toMatchObject({ status: "refuse", ops: 0 });
    await held.open();
    await held.reply;
    expect(await rowCount(store, "read-add")).toBe(0);
  });

  test("[4.2] a call whose caller left before it was let in never begins", async () => {
    const store = await StoreUnderTest.make(probe);
    const gate = freshGate();
    await store.account("holdLeases", gate);
    const call = store.call("read-write", { write: true }, { token: "early" });
    await soon();
    await store.store("cancel", "early");
    await store.openGate(gate);
    expect(answerOf(await call)).toMatchObject({ status: "refuse", ops: 0 });
    await store.call("read-write");
    expect(await rowCount(store, "read-write")).toBe(0);
  });

  test.each([
    ["the id of the call", "read-write", 7, "stopped"],
    ["the same id as text", "read-write", "7", "completed"],
    ["another id", "read-write", 8, "completed"],
    ["another key's call of that id", "read-add", 7, "completed"],
  ] as const)("[wire] notifications/cancelled with %s", async (_, level, id, ended) => {
    const store = await StoreUnderTest.make(probe);
    const held = await heldCall(store, "read-write", { requestId: 7 });
    await store.store("cancelRequest", store.keys[level].hash, id);
    await held.open();
    expect(metaOf(await held.reply).ended).toBe(ended);
  });

  test("[wire] notifications/cancelled that fits two calls stops neither", async () => {
    const store = await StoreUnderTest.make(probe);
    await worked(store, "read");
    const held = [await heldCall(store, "read", { requestId: 1 }), await heldCall(store, "read", { requestId: 1 })];
    await store.store("cancelRequest", store.keys.read.hash, 1);
    for (const call of held) await call.open();
    for (const call of held) expect(metaOf(await call.reply).ended).toBe("completed");
  });
});

describe("faults", () => {
  test("[wire] a fault of ours is answered with an id that is in the log, and the store works on", async () => {
    const store = await StoreUnderTest.make(probe);
    await store.call("read-write", { write: true });
    const reply = await store.call("read-write", { statements: 2, failAt: 1, fail: "fault", write: true });
    expect(reply.tag).toBe("failed");
    const { id } = reply as Extract<StoreReply, { tag: "failed" }>;
    await store.until(async () =>
      probe.lines.some((line) => line.includes(id) && line.includes('"fault"') && line.includes("a fault of ours")),
    );
    expect(metaOf(await store.call("read-write", { write: true })).ended).toBe("completed");
    expect(await rowCount(store, "read-write")).toBe(3);
  });

  test("[arch] a slice that fails leaves nothing of itself", async () => {
    const store = await StoreUnderTest.make(probe);
    const reply = await store.call("read-write", { statements: 5, failAt: 2, fail: "fault after writing", write: true });
    expect(reply.tag).toBe("failed");
    expect((await store.query("SELECT statement FROM probe ORDER BY statement")).flat()).toEqual([0, 1]);
    expect(await store.query("SELECT sum(ops) FROM service_usage")).toEqual([[2]]);
  });

  test("[6] where a save failed, the answer says that it could not be confirmed, and the next call works [A7.79]", async () => {
    const store = await StoreUnderTest.make(probe);
    const answer = answerOf(await store.call("read-write", { statements: 2, failAt: 1, fail: "storage", write: true }));
    expect(answer.status).toBe("engine_error");
    expect(answer.text).toMatch(/could not be confirmed/);
    await soon();
    expect(metaOf(await store.call("read-write", { write: true })).ended).toBe("completed");
  });

  test("[6] arguments that only the tool can fault are -32602's", async () => {
    const store = await StoreUnderTest.make(probe);
    expect(await store.call("read-write", { fail: "params" })).toEqual({ tag: "invalid_params", message: "`source` is missing" });
  });

  test("[6] a tool that is not carried out is refused by name, and not billed", async () => {
    const store = await StoreUnderTest.make(probe);
    const answer = answerOf(await store.call("read-write", { write: true }, { tool: "restore" }));
    expect(answer).toMatchObject({ status: "engine_error", ops: 0 });
    expect(answer.text).toMatch(/^error: restore failed — .*`restore`/);
  });

  test("[7] spec and report are admitted at every level, and need no turn", async () => {
    const store = await StoreUnderTest.make(probe);
    const held = await heldCall(store, "read-write");
    for (const level of Object.keys(store.keys)) {
      for (const tool of ["spec", "report"])
        expect(await store.call(level, {}, { tool })).toMatchObject({ tag: "admitted", identity: { level } });
    }
    await held.open();
    await held.reply;
  });

  test("[log] a call is answered with what an operator wants to know of it", async () => {
    const store = await StoreUnderTest.make(probe);
    const oneBehindAnother = async () => {
      const held = await heldCall(store, "read-write");
      const waiting = store.call("read-write-delete");
      await soon();
      await held.open();
      return { first: await held.reply, second: (await waiting) as Extract<StoreReply, { tag: "answered" }> };
    };
    let pair = await oneBehindAnother();
    // On a busy machine the second may come only as the first is let go.
    while (pair.second.work!.waitedMs < 40) pair = await oneBehindAnother();
    expect(pair.first).toMatchObject({ work: { callId: expect.stringMatching(/^[0-9a-f-]{36}$/), running: 1, waiting: 1 } });
    const { work } = pair.second;
    expect(work).toMatchObject({ running: 1, waiting: 0 });
    await store.store("settle");
    expect((await store.account("ledger", store.storeId, 10)).map((call: { callId: string }) => call.callId)).toContain(work!.callId);
  });
});
