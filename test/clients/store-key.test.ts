/** A key made on somebody's own machine is byte for byte the key the service knows (contract §3.1). */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  formatKey,
  fromBase64,
  hashOf,
  KEY_CHARS,
  machineRandom,
  makeFirstKey,
  makeFurtherKey,
  type RandomBytes,
  readKey,
  toBase64,
} from "../../clients/keys/store-key";
import { keyEncryptionKey, keyHash, unwrapDataKey } from "../../src/durable/vault";
import { parseStoreKey, STORE_KEY_CHARS } from "../../src/worker/key";
import { ROOT } from "../tidy/sources";

interface Vector {
  readonly storeId: string;
  readonly secret: string;
  readonly text: string;
  readonly hash: string;
  readonly dataKey: string;
  readonly nonce: string;
  readonly wrap: string;
}
const VECTORS: Vector[] = JSON.parse(readFileSync(join(ROOT, "test/testdata/keys/vectors.json"), "utf8"));
const bytes = (hex: string) => Uint8Array.from(Buffer.from(hex, "hex"));

/** Gives these bytes, one piece after the other, as they are asked for. */
function dealt(...pieces: string[]): RandomBytes {
  return (count) => {
    const piece = bytes(pieces.shift() ?? "");
    expect(piece).toHaveLength(count);
    return piece;
  };
}

describe("a key made on one's own machine", () => {
  it.each(VECTORS)(
    "[3.1] is text, hash and wrap of the frozen vector $hash",
    async ({ storeId, secret, text, hash, dataKey, nonce, wrap }) => {
      expect(KEY_CHARS).toBe(STORE_KEY_CHARS);
      const made = await makeFirstKey(storeId, dealt(dataKey, secret, nonce));
      expect(made.key.text).toBe(text);
      expect(made.record).toEqual({ hash, wrap });
      expect(readKey(text)).toEqual({ text, storeId, secret: bytes(secret) });
      expect(parseStoreKey(text)).toEqual({ text, objectId: storeId, secret: bytes(secret) });
    },
  );

  it("[3.1] opens what the service wraps, and is opened by the service", async () => {
    const [{ storeId, dataKey }] = VECTORS;
    const data = [bytes(dataKey)];
    const first = await makeFirstKey(storeId, (count) => data.pop() ?? machineRandom(count));
    const second = await makeFurtherKey(first.key, first.record.wrap);
    for (const { key, record } of [first, second]) {
      expect(record.hash).toBe(keyHash(key.text));
      const opened = unwrapDataKey(fromBase64(record.wrap), keyEncryptionKey(key.secret, storeId), { storeId, keyHash: record.hash });
      expect(Buffer.from(opened!).toString("hex")).toBe(dataKey);
    }
    expect(second.key.text).not.toBe(first.key.text);
  });

  it("[C7.19] a wrap of another key, another store or with a bit changed opens nothing", async () => {
    const [one, two] = VECTORS;
    const key = readKey(one.text)!;
    const flipped = fromBase64(one.wrap);
    flipped[20] ^= 1;
    for (const wrap of [two.wrap, toBase64(flipped), toBase64(fromBase64(one.wrap).slice(0, 60)), ""]) {
      await expect(makeFurtherKey(key, wrap)).rejects.toThrow();
    }
    await expect(makeFurtherKey(readKey(two.text)!, one.wrap)).rejects.toThrow("does not open");
  });

  it("[C7.7] one changed character is no key", () => {
    const { text } = VECTORS[0];
    for (let i = 0; i < text.length; i++) {
      const other = text[i] === "A" ? "B" : "A";
      expect(readKey(text.slice(0, i) + other + text.slice(i + 1)), String(i)).toBeNull();
    }
    expect(readKey("")).toBeNull();
    expect(() => formatKey("xyz", new Uint8Array(32))).toThrow();
  });

  it("[C7.23] secrets and nonces come from the machine's own random source, and never twice", async () => {
    const made = await Promise.all(Array.from({ length: 200 }, () => makeFirstKey(VECTORS[0].storeId)));
    expect(new Set(made.map(({ key }) => key.text)).size).toBe(200);
    expect(new Set(made.map(({ record }) => toBase64(fromBase64(record.wrap).slice(1, 13)))).size).toBe(200);
    expect(await hashOf(made[0].key.text)).toBe(made[0].record.hash);
  });
});
