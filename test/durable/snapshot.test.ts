/** Snapshots of a store: what they hold, that a restore is all or nothing, and what never comes back with one. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freshGate, type Probe, StoreUnderTest, startProbe } from "./probe";

describe("snapshots", () => {
  let probe: Probe;
  beforeAll(async () => {
    probe = await startProbe();
  });
  afterAll(() => probe.stop());

  const rows = async (store: StoreUnderTest): Promise<number> => (await store.query("SELECT count(*) FROM probe"))[0][0];
  const content = async (store: StoreUnderTest): Promise<unknown> => [
    await store.query("SELECT * FROM probe ORDER BY rowid"),
    await store.query("SELECT * FROM sealed ORDER BY rowid"),
    await store.query("SELECT name, replace(sql, '\"', '') FROM sqlite_master WHERE name IN ('probe', 'sealed') ORDER BY name"),
  ];

  it("[9.5] a restore brings back exactly what lay there, and keeps what it replaces as a snapshot that brings that back", async () => {
    const store = await StoreUnderTest.make(probe);
    await store.call("read-write", { write: true, statements: 30 });
    const before = await content(store);
    expect(await store.store("takeSnapshot", "snp_1")).toMatchObject({ tag: "done" });
    await store.call("read-write", { write: true, statements: 12 });
    const after = await content(store);
    expect(after).not.toEqual(before);
    expect((await store.store("restoreSnapshot", "snp_1", "snp_2")).tag).toBe("done");
    expect(await content(store)).toEqual(before);
    expect((await store.store("restoreSnapshot", "snp_2", "snp_3")).tag).toBe("done");
    expect(await content(store)).toEqual(after);
    // And the engine opens over it: what was sealed opens.
    expect((await store.call("read-write", { write: true })).tag).toBe("answered");
    expect(await rows(store)).toBe(43);
  });

  it("[9.5] a call that broke off reading keeps no restore from taking place [workerd#959]", async () => {
    const store = await StoreUnderTest.make(probe);
    await store.call("read-write", { write: true, statements: 5 });
    await store.store("takeSnapshot", "snp_1");
    await store.call("read-write", { write: true, statements: 9, breakOff: true });
    expect((await store.store("restoreSnapshot", "snp_1", "snp_2")).tag).toBe("done");
    expect(await rows(store)).toBe(5);
  });

  it("[9.5] tables that the snapshot has not, or has in another form, go with a restore, and their indexes", async () => {
    const store = await StoreUnderTest.make(probe);
    await store.call("read-write", { write: true, statements: 5 });
    await store.query("CREATE TABLE old (a INTEGER PRIMARY KEY, b TEXT)");
    await store.query("CREATE INDEX old_by_b ON old (b)");
    await store.query("INSERT INTO old VALUES (7, 'x')");
    const schema = () =>
      store.query("SELECT name, sql FROM sqlite_master WHERE name NOT LIKE 'staged%' AND name NOT LIKE '\\_cf%' ESCAPE '\\' ORDER BY name");
    const before = await schema();
    await store.store("takeSnapshot", "snp_1");
    await store.query("DROP TABLE old");
    await store.query("CREATE TABLE old (a TEXT, c TEXT)");
    await store.query("CREATE TABLE young (a TEXT)");
    await store.query("CREATE INDEX probe_young ON probe (statement)");
    expect((await store.store("restoreSnapshot", "snp_1", "snp_2")).tag).toBe("done");
    expect(await schema()).toEqual(before);
    expect(await store.query("SELECT * FROM old")).toEqual([[7, "x"]]);
  });

  it("[9.5] a revoked key stays revoked, a changed level stays as it is, and the balance knows nothing of a restore", async () => {
    const store = await StoreUnderTest.make(probe, { balanceOps: 1e6 });
    await store.call("read-write", { write: true, statements: 10 });
    await store.store("takeSnapshot", "snp_1");
    await store.store("revokeKey", store.keys["read-add"].keyId);
    await store.store("setLevel", store.keys["read-write-delete"].keyId, "read");
    await store.call("read-write", { write: true, statements: 7 });
    await store.store("restoreSnapshot", "snp_1", "snp_2");
    expect((await store.call("read-add")).tag).toBe("denied");
    expect(await store.call("read-write-delete")).toMatchObject({ tag: "answered", answer: { meta: { level: "read" } } });
    await store.store("settle");
    expect((await store.account("status")).balanceOps).toBe(1e6 - 18);
    const usage = await store.account("usageOfKeys", store.storeId, 0);
    expect(usage.reduce((sum: number, key: { ops: number }) => sum + key.ops, 0)).toBe(18);
  });

  it("[9.5] a snapshot waits for what runs, and a call that comes meanwhile waits for the snapshot", async () => {
    const store = await StoreUnderTest.make(probe);
    const gate = freshGate();
    const running = store.call("read-write", { write: true, statements: 5, gateAt: 3, gate });
    await store.until(async () => (await rows(store).catch(() => 0)) === 3);
    const taking = store.store("takeSnapshot", "snp_1");
    const waiting = store.call("read-write", { write: true, statements: 4 });
    await store.openGate(gate);
    expect([(await running).tag, (await taking).tag, (await waiting).tag]).toEqual(["answered", "done", "answered"]);
    expect(await rows(store)).toBe(9);
    await store.store("restoreSnapshot", "snp_1", "snp_2");
    expect(await rows(store)).toBe(5);
  });

  it("[9.5] where a call holds the store for too long the snapshot is told that it is busy", async () => {
    const store = await StoreUnderTest.make(probe);
    const gate = freshGate();
    const running = store.call("read-write", { write: true, statements: 2, gateAt: 1, gate });
    await store.until(async () => (await rows(store).catch(() => 0)) === 1);
    expect(await store.store("takeSnapshot", "snp_1")).toEqual({ tag: "busy" });
    await store.openGate(gate);
    await running;
  });

  it("[9.5] whichever statement of a restore fails, the store holds what it held or what the snapshot holds, whole", async () => {
    const store = await StoreUnderTest.make(probe);
    await store.call("read-write", { write: true, statements: 40 });
    const old = await content(store);
    await store.store("takeSnapshot", "snp_old");
    await store.call("read-write", { write: true, statements: 3 });
    const seen = new Set<string>();
    for (let number = 1; ; number++) {
      const here = await content(store);
      await store.store("failStatement", number);
      const outcome = await store.store("restoreSnapshot", "snp_old", `snp_${number}`).then(
        (reply) => reply.tag,
        () => "failed",
      );
      await store.store("crash").catch(() => {});
      const there = await content(store);
      if (outcome === "done") {
        expect(there).toEqual(old);
        expect(number).toBeGreaterThan(8);
        break;
      }
      seen.add(
        JSON.stringify(there) === JSON.stringify(here) ? "as it was" : JSON.stringify(there) === JSON.stringify(old) ? "restored" : "torn",
      );
      expect(await store.query("SELECT name FROM sqlite_master WHERE name LIKE 'staged%'")).toEqual([]); // the object began anew
    }
    expect([...seen]).toEqual(["as it was"]);
  });

  it("[9.5] a crash at any moment of a restore leaves the one or the other", async () => {
    const store = await StoreUnderTest.make(probe);
    await store.call("read-write", { write: true, statements: 20 });
    await store.store("takeSnapshot", "snp_old");
    const allowed = [20, 21];
    for (let waitMs = 0; waitMs < 40; waitMs += 3) {
      if ((await rows(store)) === 20) await store.call("read-write", { write: true });
      const restoring = store.store("restoreSnapshot", "snp_old", `snp_at_${waitMs}`).catch(() => "ended");
      await new Promise((resolve) => setTimeout(resolve, waitMs));
      await store.store("crash").catch(() => {});
      await restoring;
      expect(allowed).toContain(await rows(store));
      expect((await store.call("read-write")).tag).toBe("answered");
    }
  });

  it("[9.5] a snapshot that is damaged, unfinished or absent is refused, and changes nothing", async () => {
    const store = await StoreUnderTest.make(probe);
    await store.call("read-write", { write: true, statements: 6 });
    const before = await content(store);
    expect(await store.store("restoreSnapshot", "snp_none", "snp_x")).toMatchObject({ tag: "refused" });
    await store.store("takeSnapshot", "snp_1");
    await store.store("spoilFile", `snapshots/${store.storeId}/snp_1/0`);
    expect(await store.store("restoreSnapshot", "snp_1", "snp_y")).toMatchObject({
      tag: "refused",
      why: expect.stringContaining("damaged"),
    });
    await store.store("takeSnapshot", "snp_2");
    await store.store("dropFile", `snapshots/${store.storeId}/snp_2/manifest`);
    expect(await store.store("restoreSnapshot", "snp_2", "snp_z")).toMatchObject({
      tag: "refused",
      why: expect.stringContaining("finished"),
    });
    expect(await content(store)).toEqual(before);
  });

  it("[C7.5] a snapshot holds no key, no hash, no wrap and nothing of the account", async () => {
    const store = await StoreUnderTest.make(probe);
    await store.call("read-write", { write: true, statements: 6 });
    await store.store("takeSnapshot", "snp_1");
    const files: Record<string, string> = await store.store("readFiles", `snapshots/${store.storeId}/snp_1/`);
    // A piece of each of its tables (probe-worker.ts), and the manifest.
    expect(Object.keys(files).length).toBe(3 + 1);
    const all = Object.values(files).join("");
    expect(all).toContain(Buffer.from("probe").toString("hex"));
    for (const [name] of await store.query("SELECT name FROM sqlite_master WHERE name LIKE 'service%' AND type = 'table'"))
      expect(all).not.toContain(Buffer.from(name).toString("hex"));
    for (const [hash, wrap] of await store.query("SELECT hash, wrap FROM service_key")) {
      expect(all).not.toContain(Buffer.from(hash).toString("hex"));
      expect(all).not.toContain(wrap);
    }
    expect(all).not.toContain(Buffer.from(store.accountId).toString("hex"));
  });

  it("[9.5] a copy opens with no key of another data key, and a store that was opened is made no copy", async () => {
    const store = await StoreUnderTest.make(probe);
    await store.call("read-write", { write: true, statements: 6 });
    await store.store("takeSnapshot", "snp_1");
    const name = { storeId: store.storeId, snapshotId: "snp_1" };
    const copy = await StoreUnderTest.make(probe);
    expect(await copy.store("copySnapshot", name)).toMatchObject({ tag: "done" });
    expect(await content(copy)).toEqual(await content(store));
    expect((await copy.call("read-write")).tag).toBe("denied");
    expect((await copy.store("overview")).copiedFrom).toBe(store.storeId);
    const used = await StoreUnderTest.make(probe);
    await used.call("read-write", { write: true });
    await expect(used.store("copySnapshot", name)).rejects.toThrow("nobody has opened");
    expect(await rows(used)).toBe(1);
  });
});
