/** A store made to pass: open until its time, then gone; meanwhile settled like any other. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Probe, StoreUnderTest, startProbe } from "./probe";

describe("a store made to pass", () => {
  let probe: Probe;
  beforeAll(async () => {
    probe = await startProbe();
  });
  afterAll(() => probe.stop());
  const tables = async (store: StoreUnderTest): Promise<number> =>
    (await store.query("SELECT count(*) FROM sqlite_master WHERE name NOT LIKE '\\_cf\\_%' ESCAPE '\\'"))[0][0] as number;

  it("[docs] is open until its time, and then nothing of it is left, and its credit is the account's again", async () => {
    const store = await StoreUnderTest.make(probe, { balanceOps: 1e12, expiresInMs: 1500 });
    expect((await store.call("read-write", { write: true, statements: 7 })).tag).toBe("answered");
    await store.until(async () => (await tables(store)) === 0);
    const [deposited, settled, ledger, , held] = await store.account("totals");
    expect([deposited - settled, ledger, held]).toEqual([1e12 - 7, 7, 0]);
    expect((await store.call("read-write")).tag).toBe("denied");
    await store.store("crash").catch(() => {});
    expect((await store.call("read-write")).tag).toBe("denied");
  });

  it("[docs] takes an account that was made for it along, and no other; told again, and after a crash, nothing is there", async () => {
    const store = await StoreUnderTest.make(probe, { expiresInMs: 1500, passing: true });
    const beside = await StoreUnderTest.make(probe, { expiresInMs: 1500 });
    for (const one of [store, beside]) expect((await one.call("read-write", { write: true })).tag).toBe("answered");
    expect(await store.account("tables")).toBeGreaterThan(3);
    await store.until(async () => (await store.account("tables")) === 0);
    await beside.until(async () => (await tables(beside)) === 0);
    expect(await beside.account("tables")).toBeGreaterThan(3);
    await store.account("storeGone", store.storeId);
    await store.account("crash").catch(() => {});
    await store.account("storeGone", store.storeId);
    expect(await store.account("tables")).toBe(0);
  });

  it("[docs] passes though its object was lost meanwhile", async () => {
    const store = await StoreUnderTest.make(probe, { expiresInMs: 800 });
    await store.call("read-write", { write: true });
    await store.store("crash").catch(() => {});
    await store.until(async () => (await tables(store)) === 0);
  });

  it("[rulings] settles soon after a call, however far off the next alarm is", async () => {
    const store = await StoreUnderTest.make(probe, { balanceOps: 1e12, expiresInMs: 3_600_000 });
    await store.call("read-write", { write: true, statements: 7 });
    await store.until(async () => (await store.account("totals"))[1] === 7);
    expect((await store.call("read-write")).tag).toBe("answered");
  });
});
