import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { StoreReply } from "../../src/durable/call";
import type { SettledCall } from "../../src/durable/settled-call";
import { freshGate, type Probe, StoreUnderTest, startProbe } from "./probe";

const CEILING = 1000;
let probe: Probe;
beforeAll(async () => {
  probe = await startProbe({ CALL_OPS_MAX: CEILING, CALL_LOG: "off" });
});
afterAll(() => probe.stop());

const KEY = "read-write";

function ended(reply: StoreReply) {
  if (reply.tag !== "answered") return reply.tag;
  const { ended: how, opsMax, opsMaxIsCredit } = reply.answer.meta as { ended: string; opsMax: number; opsMaxIsCredit: boolean };
  return { how, ops: reply.answer.ops, opsMax, opsMaxIsCredit };
}

/** deposited, settled, sum of the ledger, its rows, held by stores unsettled. */
async function totals(store: StoreUnderTest): Promise<{ deposited: number; settled: number; ledger: number; calls: number; held: number }> {
  const [deposited, settled, ledger, calls, held] = await store.account("totals");
  return { deposited, settled, ledger, calls, held };
}

async function settle(store: StoreUnderTest): Promise<void> {
  await store.store("settle");
}

describe("credit", () => {
  test("[7] a call may use its ceiling where the balance covers it, and what is left where it does not", async () => {
    const store = await StoreUnderTest.make(probe, { balanceOps: 1500 });
    expect(ended(await store.call(KEY, { statements: 900 }))).toEqual({ how: "completed", ops: 900, opsMax: 1000, opsMaxIsCredit: false });
    expect(ended(await store.call(KEY, { statements: 900 }))).toEqual({ how: "limit", ops: 600, opsMax: 600, opsMaxIsCredit: true });
    const reply = await store.call(KEY, { statements: 1, write: true });
    expect(reply).toMatchObject({ tag: "payment_required" });
    expect((reply as { message: string }).message).toMatch(/dke\.langsyn\.com\/buy\//);
    await settle(store);
    expect(await totals(store)).toEqual({ deposited: 1500, settled: 1500, ledger: 1500, calls: 2, held: 0 });
  });

  test("[7] without credit nothing runs, whatever the tool; stop, spec and report are not billed", async () => {
    const store = await StoreUnderTest.make(probe, { balanceOps: 0 });
    for (const tool of ["run", "compile", "list", "diff"])
      expect((await store.call(KEY, { write: true }, { tool })).tag).toBe("payment_required");
    expect((await store.call(KEY, {}, { tool: "spec" })).tag).toBe("admitted");
    expect((await store.call(KEY, {}, { tool: "stop" })).tag).toBe("answered");
    await expect(store.query("SELECT * FROM probe")).rejects.toThrow(/no such table/);
  });

  test("[7] an account that was never opened has no API access", async () => {
    const store = await StoreUnderTest.make(probe, { accountId: (await StoreUnderTest.make(probe)).storeId }).catch(() => null);
    expect(store).toBeNull(); // an id of the other namespace is no account
    const fresh = await StoreUnderTest.make(probe, { balanceOps: undefined });
    expect((await fresh.call(KEY)) as object).toMatchObject({
      tag: "payment_required",
      message: expect.stringMatching(/does not include API access/),
    });
  });

  test("[7] the next call after a deposit runs; the same deposit twice counts once", async () => {
    const store = await StoreUnderTest.make(probe, { balanceOps: 10 });
    await store.call(KEY, { statements: 10 });
    expect((await store.call(KEY)).tag).toBe("payment_required");
    await store.account("deposit", "d1", 500);
    expect((await store.account("deposit", "d1", 500)).balanceOps + 10).toBeLessThanOrEqual(510);
    expect(ended(await store.call(KEY, { statements: 500 }))).toMatchObject({ how: "completed", ops: 500 });
    expect((await store.call(KEY)).tag).toBe("payment_required");
  });

  test("[7] what is taken back is taken once, and what the balance has not is owed: no op is granted before that is paid", async () => {
    const store = await StoreUnderTest.make(probe, { balanceOps: 3000 });
    await store.call(KEY, { statements: 500 });
    await settle(store);
    const takeBack = (id: string, ops: number, owing = true) => store.account("takeBack", id, ops, owing);
    expect(await takeBack("refund", 1000)).toBe(1000);
    // Told again, late, and of more in all.
    expect([await takeBack("refund", 1000), await takeBack("refund", 400), await takeBack("refund", 1200)]).toEqual([0, 0, 200]);
    expect(await store.account("status")).toMatchObject({ balanceOps: 1300, depositedOps: 1800, owedOps: 0 });
    // What a person takes is no more than there is.
    expect(await takeBack("by hand", 1301, false)).toBeNull();
    expect(await takeBack("by hand", 300, false)).toBe(300);
    expect(await takeBack("dispute", 5000)).toBe(5000);
    expect(await store.account("status")).toMatchObject({ balanceOps: 0, depositedOps: 500, owedOps: 4000 });
    expect((await store.call(KEY)).tag).toBe("payment_required");
    await store.account("deposit", "d1", 3000);
    expect(await store.account("status")).toMatchObject({ balanceOps: 0, owedOps: 1000 });
    expect((await store.call(KEY)).tag).toBe("payment_required");
    await store.account("deposit", "d2", 1300);
    expect(await store.account("status")).toMatchObject({ balanceOps: 300, owedOps: 0 });
    expect(ended(await store.call(KEY, { statements: 900 }))).toMatchObject({ how: "limit", ops: 300, opsMaxIsCredit: true });
    const listed = (await store.account("withdrawals", 10)) as unknown as { id: string; ops: number }[];
    expect(listed.map(({ id, ops }) => `${id} ${ops}`).sort()).toEqual(["by hand 300", "dispute 5000", "refund 1200"]);
  });

  test("[7] what a running call holds is not taken back from it; what it leaves is, once it has ended", async () => {
    const store = await StoreUnderTest.make(probe, { balanceOps: 1001 });
    await store.call(KEY);
    await settle(store);
    const gate = freshGate();
    const running = store.call(KEY, { statements: 600, write: true, gateAt: 1, gate });
    await store.until(async () => (await store.query("SELECT count(*) FROM probe"))[0][0] > 0);
    await store.account("takeBack", "refund", 900, true);
    expect(await store.account("status")).toMatchObject({ balanceOps: 1000, owedOps: 900 });
    await store.openGate(gate);
    expect(ended(await running)).toMatchObject({ how: "completed", ops: 600 });
    await settle(store);
    await store.until(async () => (await store.account("status")).balanceOps === 0);
    expect(await store.account("status")).toMatchObject({ depositedOps: 601, owedOps: 500 });
    expect((await store.call(KEY)).tag).toBe("payment_required");
  });

  test("[7] a suspended account runs nothing, also where the store holds a lease; resumed, it does", async () => {
    const store = await StoreUnderTest.make(probe);
    await store.call(KEY);
    await store.account("setSuspended", true);
    expect(await store.call(KEY)).toMatchObject({ tag: "payment_required", message: expect.stringMatching(/suspended/) });
    await expect(store.store("crash")).rejects.toThrow();
    expect((await store.call(KEY)).tag).toBe("payment_required");
    await store.account("setSuspended", false);
    expect(ended(await store.call(KEY))).toMatchObject({ how: "completed" });
  });

  test("[7] calls at once on the last ops never take more than there is [C7.45]", async () => {
    const store = await StoreUnderTest.make(probe, { balanceOps: 250, levels: ["read1", "read2", "read3", "read4"] });
    const readers = ["read1", "read2", "read3", "read4"];
    for (const reader of readers) await store.call(reader);
    const replies = await Promise.all(readers.map((reader) => store.call(reader, { statements: 100 })));
    const used = replies.map((reply) => (reply.tag === "answered" ? reply.answer.ops : 0));
    expect(used.reduce((sum, ops) => sum + ops, 0)).toBe(246);
    expect(replies.filter((reply) => reply.tag === "payment_required").length).toBe(1);
    await settle(store);
    expect(await totals(store)).toMatchObject({ settled: 250, ledger: 250, held: 0 });
  });

  test("[7] ops that one store holds and does not need reach another store of the account", async () => {
    const one = await StoreUnderTest.make(probe, { balanceOps: 3000 });
    await one.call(KEY);
    const two = await StoreUnderTest.make(probe, { accountId: one.accountId });
    expect((await totals(one)).held).toBe(3000);
    expect(ended(await two.call(KEY, { statements: 1000 }))).toMatchObject({ how: "completed", ops: 1000 });
    expect(ended(await two.call(KEY, { statements: 1000 }))).toMatchObject({ how: "completed", ops: 1000 });
    expect(ended(await one.call(KEY, { statements: 900 }))).toMatchObject({ how: "completed", ops: 900 });
    expect(ended(await one.call(KEY, { statements: 900 }))).toMatchObject({ how: "limit", ops: 99 });
    expect((await two.call(KEY)).tag).toBe("payment_required");
    await settle(one);
    await settle(two);
    expect(await totals(one)).toEqual({ deposited: 3000, settled: 3000, ledger: 3000, calls: 5, held: 0 });
  });

  test("[7] what a running call holds is not taken from it", async () => {
    const one = await StoreUnderTest.make(probe, { balanceOps: 1000 });
    await one.call(KEY);
    const gate = freshGate();
    const running = one.call(KEY, { statements: 999, write: true, gateAt: 1, gate });
    await one.until(async () => (await one.query("SELECT count(*) FROM probe"))[0][0] > 0);
    const two = await StoreUnderTest.make(probe, { accountId: one.accountId });
    expect((await two.call(KEY)).tag).toBe("payment_required");
    await one.openGate(gate);
    expect(ended(await running)).toMatchObject({ how: "completed", ops: 999 });
  });

  test("[9.8] as many calls at once as the account allows, over all its stores; the next is told to wait [C7.44]", async () => {
    const one = await StoreUnderTest.make(probe, { balanceOps: 1e6, callsAtOnceMax: 3 });
    const two = await StoreUnderTest.make(probe, { accountId: one.accountId });
    const gate = freshGate();
    const hold = (store: StoreUnderTest) => store.call(KEY, { statements: 2, write: true, gateAt: 1, gate });
    const held = [hold(one), hold(one)];
    await one.until(async () => (await one.query("SELECT count(*) FROM probe").catch(() => [[0]]))[0][0] > 0);
    expect(ended(await two.call(KEY))).toMatchObject({ how: "completed" });
    held.push(hold(two));
    await two.until(async () => (await two.query("SELECT count(*) FROM probe"))[0][0] > 0);
    expect(await two.call(KEY)).toEqual({ tag: "rate_limited", why: "calls_at_once", retryAfterS: 1 });
    expect(await one.call(KEY)).toEqual({ tag: "rate_limited", why: "calls_at_once", retryAfterS: 1 });
    await one.openGate(gate);
    for (const call of held) expect(ended(await call)).toMatchObject({ how: "completed" });
    expect(ended(await one.call(KEY))).toMatchObject({ how: "completed" });
    expect(ended(await two.call(KEY))).toMatchObject({ how: "completed" });
  });

  test("[7] a call that is cut short by a crash is billed what it left on disk, once, and without another call", async () => {
    const store = await StoreUnderTest.make(probe, { balanceOps: 10_000 });
    const gate = freshGate();
    const cut = store.call(KEY, { statements: 50, write: true, gateAt: 20, gate }).catch(() => "lost");
    await store.until(async () => (await store.query("SELECT count(*) FROM probe").catch(() => [[0]]))[0][0] === 20);
    // The alarm of its first slice comes while it still runs, and settles nothing of it.
    await new Promise((resolve) => setTimeout(resolve, 700));
    expect(await totals(store)).toMatchObject({ settled: 0, calls: 0 });
    await expect(store.store("crash")).rejects.toThrow();
    expect(await cut).toBe("lost");
    expect((await store.query("SELECT count(*) FROM probe"))[0][0]).toBe(20);
    await store.until(async () => (await totals(store)).settled > 0);
    await settle(store);
    expect(await totals(store)).toMatchObject({ settled: 20, ledger: 20, calls: 1 });
    expect(ended(await store.call(KEY, { statements: 5 }))).toMatchObject({ how: "completed" });
  });

  test("[7] a reply that is lost settles nothing twice and mints nothing", async () => {
    const store = await StoreUnderTest.make(probe, { balanceOps: 5000 });
    await store.call(KEY, { statements: 600 });
    await store.account("loseReplies", 1);
    await expect(settle(store)).rejects.toThrow(/reply is lost/);
    await settle(store);
    expect(await totals(store)).toMatchObject({ settled: 600, ledger: 600, calls: 1 });
    for (let i = 0; i < 5; i++) {
      // Each call asks for more than is left of the lease; the first replies are lost.
      await store.account("loseReplies", 2);
      expect(ended(await store.call(KEY, { statements: 800 }))).toMatchObject({ how: "completed" });
    }
    expect(ended(await store.call(KEY, { statements: 800 }))).toMatchObject({ how: "limit", ops: 400 });
    await store.account("loseReplies", 0);
    await settle(store);
    expect(await totals(store)).toEqual({ deposited: 5000, settled: 5000, ledger: 5000, calls: 7, held: 0 });
  });

  test("[7] an account without API access runs nothing, whether it is suspended or not, until it has access and is not", async () => {
    const store = await StoreUnderTest.make(probe);
    await store.call(KEY);
    const refused = async (word: RegExp | null) => {
      const reply = await store.call(KEY);
      if (word === null) expect(ended(reply)).toMatchObject({ how: "completed" });
      else expect(reply).toMatchObject({ tag: "payment_required", message: expect.stringMatching(word) });
    };
    expect(await store.account("setApiAccess", false)).toMatchObject({ apiAccess: false, suspended: false });
    await refused(/does not include API access/);
    await expect(store.store("crash")).rejects.toThrow();
    await refused(/does not include API access/);
    expect(await store.account("setSuspended", true)).toMatchObject({ apiAccess: false, suspended: true });
    await refused(/suspended/);
    expect(await store.account("setApiAccess", true)).toMatchObject({ apiAccess: true, suspended: true });
    await refused(/suspended/);
    expect(await store.account("setSuspended", false)).toMatchObject({ apiAccess: true, suspended: false });
    await refused(null);
  });

  test("[7] a message that comes late, or twice, changes nothing", async () => {
    const store = await StoreUnderTest.make(probe, { balanceOps: 5000 });
    const message = (sequence: number, heldOps: number) =>
      store.account("lease", {
        storeId: store.storeId,
        sequence,
        heldOps,
        freeOpsWanted: 1000,
        usedOps: 0,
        callsHeld: 0,
        callsWanted: 2,
        calls: [],
      });
    const limits = { keyCallsPerSecond: null, callOpsMax: null };
    expect(await message(7, 0)).toEqual({ tag: "leased", heldOps: 1000, callsHeld: 2, limits, closed: null, askAgain: false });
    expect(await message(7, 0)).toEqual({ tag: "stale", sequence: 7 });
    expect(await message(3, 0)).toEqual({ tag: "stale", sequence: 7 });
    expect((await totals(store)).held).toBe(1000);
    expect(await message(8, 0)).toMatchObject({ tag: "leased", heldOps: 1000 });
    expect((await totals(store)).held).toBe(1000);
  });

  test("[7] a store put back to an earlier state numbers its messages on, and works", async () => {
    const store = await StoreUnderTest.make(probe, { balanceOps: 5000 });
    for (let i = 0; i < 3; i++) {
      await store.call(KEY, { statements: 700 });
      await settle(store);
    }
    await store.query("UPDATE service_credit SET sequence = 1");
    await expect(store.store("crash")).rejects.toThrow();
    for (let i = 0; i < 2; i++) expect(ended(await store.call(KEY, { statements: 700 }))).toMatchObject({ how: "completed" });
    await settle(store);
    expect(await totals(store)).toMatchObject({ settled: 3500, ledger: 3500 });
  });

  test("[7] the alarm settles by itself [A7.77]", async () => {
    const store = await StoreUnderTest.make(probe);
    await store.call(KEY, { statements: 12 });
    await store.until(async () => (await totals(store)).ledger === 12);
    expect(await store.query("SELECT * FROM service_usage")).toEqual([]);
  });

  test("[7] the ledger names call, key, tool, ops and how it ended, and nothing else", async () => {
    const store = await StoreUnderTest.make(probe);
    await store.call(KEY, { statements: 3 });
    const beganMs = Date.now();
    const gate = freshGate();
    const held = store.call("read", { statements: 4, gateAt: 1, gate }, { tool: "diff" });
    await new Promise((resolve) => setTimeout(resolve, 60));
    await store.openGate(gate);
    await held;
    const tookMs = Date.now() - beganMs;
    await settle(store);
    const ledger: SettledCall[] = await store.account("ledger", store.storeId, 10);
    const told = ledger.map(({ keyId, tool, ops, status }) => [keyId, tool, ops, status]);
    expect(told.sort()).toEqual(
      [
        [store.keys[KEY].keyId, "run", 3, "success"],
        [store.keys.read.keyId, "diff", 4, "success"],
      ].sort(),
    );
    const { ms } = ledger.find(({ tool }) => tool === "diff")!;
    expect(ms).toBeGreaterThanOrEqual(40);
    expect(ms).toBeLessThanOrEqual(tookMs + 1);
    for (const call of ledger) expect(Object.keys(call).sort()).toEqual(["callId", "endedAtMs", "keyId", "ms", "ops", "status", "tool"]);
  });

  test("[7] a call that a crash cut short is in the ledger as one that has not ended", async () => {
    const store = await StoreUnderTest.make(probe);
    await store.call(KEY);
    const gate = freshGate();
    const running = store.call(KEY, { statements: 50, write: true, gateAt: 2, gate }).catch(() => {});
    await store.until(async () => (await store.query("SELECT count(*) FROM probe"))[0][0] > 1);
    await expect(store.store("crash")).rejects.toThrow();
    await running;
    await settle(store);
    const ledger: SettledCall[] = await store.account("ledger", store.storeId, 10);
    expect(ledger.map(({ status }) => status).sort()).toEqual(["success", "unfinished"]);
  });

  test("[7] a store that was made before it was kept how calls end keeps it from its next call on", async () => {
    const store = await StoreUnderTest.make(probe);
    for (const column of ["status", "ms"]) await store.query(`ALTER TABLE service_usage DROP COLUMN ${column}`);
    await expect(store.store("crash")).rejects.toThrow();
    await store.call(KEY, { statements: 3 });
    await settle(store);
    expect(await store.account("ledger", store.storeId, 10)).toMatchObject([{ ops: 3, status: "success" }]);
  });

  test("[E13] through crashes of store and account at any moment: every op billed once, the balance never below zero", async () => {
    const balanceOps = 4000;
    const one = await StoreUnderTest.make(probe, { balanceOps });
    const two = await StoreUnderTest.make(probe, { accountId: one.accountId });
    let state = 20_261_130;
    const random = (below: number): number => {
      state = (Math.imul(state, 1103515245) + 12345) >>> 0;
      return (state >>> 8) % below;
    };
    let answeredOps = 0;
    let takenBack = 0;
    for (let round = 0; round < 60; round++) {
      const store = random(2) === 0 ? one : two;
      const calls = Array.from({ length: 1 + random(3) }, () =>
        store.call(KEY, { statements: 1 + random(60), write: true }).then(
          (reply) => {
            if (reply.tag === "answered") answeredOps += reply.answer.ops;
          },
          () => {},
        ),
      );
      const crash = random(4);
      if (crash === 0) await store.store("crash").catch(() => {});
      if (crash === 1) await store.account("crash").catch(() => {});
      if (crash === 2) settle(store).catch(() => {});
      if (random(4) === 0) takenBack += 20;
      await Promise.all([...calls, one.account("takeBack", "refund", takenBack, true).catch(() => {})]);
      const { deposited, settled, held } = await totals(one);
      expect(deposited - settled - held, `round ${round}`).toBeGreaterThanOrEqual(0);
    }
    await settle(one);
    await settle(two);
    const onDisk = (await one.query("SELECT count(*) FROM probe"))[0][0] + (await two.query("SELECT count(*) FROM probe"))[0][0];
    await one.account("takeBack", "refund", takenBack, true);
    const { deposited, settled, ledger } = await totals(one);
    expect(ledger).toBe(settled);
    expect(settled).toBe(onDisk);
    const { owedOps } = await one.account("status");
    expect(takenBack).toBeGreaterThan(100);
    expect(deposited + takenBack - owedOps).toBe(balanceOps);
    expect(answeredOps).toBeLessThanOrEqual(settled);
    expect(answeredOps).toBeGreaterThan(500);
    expect(settled).toBeLessThanOrEqual(balanceOps);
  });
});
