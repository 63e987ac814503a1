/** A store its owner deletes: closed at once, back with everything where it is wanted back, empty afterwards. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { deleteFiles } from "../../src/durable/store-deletion";
import { type Probe, StoreUnderTest, startProbe } from "./probe";

describe("deleting a store", () => {
  let probe: Probe;
  beforeAll(async () => {
    probe = await startProbe();
  });
  afterAll(() => probe.stop());
  const week = (): number => Date.now() + 7 * 24 * 3_600_000;

  it("[C7.28] no key opens a deleted store, and each does again when the deletion is undone, with what the store held", async () => {
    const store = await StoreUnderTest.make(probe, {});
    await store.call("read-write", { write: true, statements: 3 });
    expect(await store.store("setDeletion", week())).toBe(true);
    for (const level of Object.keys(store.keys)) expect((await store.call(level)).tag).toBe("denied");
    expect((await store.call("read-write", {}, { tool: "spec" })).tag).toBe("denied");
    expect(await store.store("setDeletion", null)).toBe(true);
    expect((await store.call("read-write", { write: true })).tag).toBe("answered");
    expect(await store.query("SELECT count(*) FROM probe")).toEqual([[4]]);
  });

  it("[C7.28] a call that runs when its store is deleted is stopped at its next statement, one that waits never begins, and both are billed right", async () => {
    const store = await StoreUnderTest.make(probe, { balanceOps: 1e12 });
    const running = store.call("read-write", { write: true, statements: 1000, gateAt: 5, gate: "deleted" });
    // The table is made when the engine is first opened.
    await store.until(async () => (await store.query("SELECT count(*) FROM probe").catch(() => []))[0]?.[0] === 5);
    const waiting = store.call("read-write-delete", { write: true });
    await store.store("setDeletion", week());
    expect(await running).toMatchObject({ tag: "answered", answer: { meta: { ended: "stopped", statements: 5 } } });
    expect(await waiting).toMatchObject({ tag: "answered", answer: { ops: 0 } });
    await store.store("settle");
    expect(await store.account("usageOfKeys", store.storeId, 0)).toEqual([{ keyId: store.keys["read-write"].keyId, calls: 1, ops: 5 }]);
  });

  it("[C7.28] when its time has come nothing of it is left, no wrap, no row, no alarm, and its credit is the account's again", async () => {
    const store = await StoreUnderTest.make(probe, { balanceOps: 1e12 });
    await store.call("read-write", { write: true, statements: 7 });
    expect((await store.query("SELECT count(*) FROM service_key WHERE wrap IS NOT NULL"))[0][0]).toBe(5);
    expect(await store.store("setDeletion", Date.now() + 50)).toBe(true);
    await store.until(
      async () => (await store.query("SELECT count(*) FROM sqlite_master WHERE name NOT LIKE '\\_cf\\_%' ESCAPE '\\'"))[0][0] === 0,
    );
    const [deposited, settled, ledger, , held] = await store.account("totals");
    expect([deposited - settled, ledger, held]).toEqual([1e12 - 7, 7, 0]);
    expect(await store.store("setDeletion", null)).toBe(false);
    expect((await store.call("read-write")).tag).toBe("denied");
    expect(await store.account("setSuspended", true)).toMatchObject({ balanceOps: 1e12 - 7 });
    // A new life of the object is as empty.
    await store.store("crash").catch(() => {});
    expect((await store.call("read-write")).tag).toBe("denied");
    expect((await store.query("SELECT count(*) FROM sqlite_master WHERE name NOT LIKE '\\_cf\\_%' ESCAPE '\\'"))[0][0]).toBe(0);
  });

  it("[C7.28] a crash between deleting and emptying changes nothing about either", async () => {
    const store = await StoreUnderTest.make(probe, {});
    await store.call("read-write", { write: true });
    await store.store("setDeletion", Date.now() + 400);
    await store.store("crash").catch(() => {});
    expect((await store.call("read-write")).tag).toBe("denied");
    await store.until(async () => (await store.query("SELECT count(*) FROM sqlite_master WHERE name = 'service_key'"))[0][0] === 0);
  });
});

describe("its files", () => {
  it("[C7.28] all of them go from object storage, however many, and no other store's", async () => {
    const [mine, other] = ["a".repeat(64), "b".repeat(64)];
    const kept = new Set<string>();
    for (let i = 0; i < 2_345; i++) kept.add(`exports/${mine}/${i}.csv`);
    kept.add(`snapshots/${mine}/one/part-0`);
    const others = [`exports/${other}/0.csv`, `snapshots/${other}/one/part-0`, `exports/${mine}x/0.csv`];
    for (const key of others) kept.add(key);
    // As the platform's bucket: a thousand keys at once, no more.
    const bucket = {
      list: async ({ prefix, limit }: { prefix: string; limit: number }) => {
        expect(limit).toBeLessThanOrEqual(1000);
        return {
          objects: [...kept]
            .filter((key) => key.startsWith(prefix))
            .slice(0, limit)
            .map((key) => ({ key })),
        };
      },
      delete: async (keys: string[]) => {
        expect(keys.length).toBeLessThanOrEqual(1000);
        for (const key of keys) kept.delete(key);
      },
    };
    await deleteFiles(bucket as unknown as R2Bucket, mine);
    expect([...kept]).toEqual(others);
    await deleteFiles(undefined, mine);
  });
});
