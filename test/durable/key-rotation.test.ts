/** A key under a new secret: wraps change, what is sealed does not (store-and-rules §6). */
import { createHash, randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { KeyRing } from "../../src/durable/key-ring";
import { generateDataKey, keyEncryptionKey, StoreCipher, wrapDataKey } from "../../src/durable/vault";
import { ALWAYS, type Level } from "../../src/engine/claim";
import { Store } from "../../src/engine/store";
import { SqlNode } from "../engine/sql-node";

const STORE = "ab".repeat(32);
const CELL = { kind: "P", subject: "a", field: "x" };

function secretOf(dataKey: Uint8Array) {
  const secret = new Uint8Array(randomBytes(32));
  const hash = createHash("sha256").update(secret).digest("hex");
  const encryptionKey = keyEncryptionKey(secret, STORE);
  return { hash, encryptionKey, wrap: wrapDataKey(dataKey, encryptionKey, { storeId: STORE, keyHash: hash }) };
}

function made(level: Level = "read-write") {
  const sql = new SqlNode();
  KeyRing.createTables(sql);
  const ring = new KeyRing(sql, STORE);
  const dataKey = generateDataKey();
  const old = secretOf(dataKey);
  expect(ring.issue({ keyId: "key_1", hash: old.hash, wrap: old.wrap, level, label: "l" }, 1)).toEqual({ tag: "issued" });
  return { sql, ring, dataKey, old };
}

/** Everything of the store itself, as it lies. */
function sealed(sql: SqlNode): unknown[] {
  const tables = sql.exec("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'service_%' ORDER BY name");
  return tables.map(([name]) => [
    name,
    sql.exec(`SELECT * FROM ${name}`).map((row) => row.map((v) => (v instanceof Uint8Array ? Buffer.from(v).toString("hex") : v))),
  ]);
}

test("[store-and-rules 6] rotation wraps anew and encrypts nothing anew: every row of the store stays as it lies", () => {
  const { sql, ring, dataKey, old } = made();
  const session = Store.open(sql, new StoreCipher(dataKey, STORE)).beginCall({
    keyId: "key_1",
    level: "read-write",
    wallMicros: 1,
    writes: true,
  });
  session.remember(CELL, "kept", "s", ALWAYS, new Map());
  session.flush();
  const before = sealed(sql);
  const fresh = secretOf(dataKey);
  expect(ring.rotate("key_1", fresh)).toEqual({ tag: "rotated" });
  expect(sealed(sql)).toEqual(before);
  expect(ring.open(old.hash, old.encryptionKey)).toBeNull();
  const opened = ring.open(fresh.hash, fresh.encryptionKey)!;
  expect(opened).toMatchObject({ keyId: "key_1", level: "read-write" });
  const later = Store.open(sql, new StoreCipher(opened.dataKey, STORE)).beginCall({
    keyId: "key_1",
    level: "read",
    wallMicros: 2,
    writes: false,
  });
  expect(later.current(CELL)).toMatchObject({ value: "kept", writtenBy: "key_1" });
});

test("[store-and-rules 6] the old secret is used up: no key and no rotation takes it again", () => {
  const { ring, dataKey, old } = made();
  expect(ring.rotate("key_1", secretOf(dataKey))).toEqual({ tag: "rotated" });
  const again = { keyId: "key_2", hash: old.hash, wrap: old.wrap, level: "read", label: "" } as const;
  expect(ring.issue(again, 2)).toEqual({ tag: "refused", why: "known_hash" });
  expect(ring.rotate("key_1", old)).toEqual({ tag: "refused", why: "known_hash" });
});

test("[store-and-rules 6] what cannot be rotated is refused, and the key opens the store as before", () => {
  const { ring, dataKey, old } = made();
  const fresh = secretOf(dataKey);
  expect(ring.rotate("key_9", fresh)).toEqual({ tag: "refused", why: "unknown_key" });
  expect(ring.rotate("key_1", { ...fresh, hash: "no hash" })).toEqual({ tag: "refused", why: "malformed" });
  expect(ring.rotate("key_1", { ...fresh, wrap: fresh.wrap.subarray(1) })).toEqual({ tag: "refused", why: "malformed" });
  expect(ring.rotate("key_1", old)).toEqual({ tag: "refused", why: "known_hash" });
  expect(ring.open(old.hash, old.encryptionKey)).toMatchObject({ keyId: "key_1" });
  expect(ring.revoke("key_1", 3)).toBe(true);
  expect(ring.rotate("key_1", fresh)).toEqual({ tag: "refused", why: "unknown_key" });
  expect(ring.open(fresh.hash, fresh.encryptionKey)).toBeNull();
});
