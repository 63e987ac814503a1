import { createHmac } from "node:crypto";
import { describe, expect, test } from "vitest";
import {
  dataKeyCheck,
  decoyWrap,
  generateDataKey,
  keyEncryptionKey,
  keyHash,
  StoreCipher,
  sameSecret,
  unwrapDataKey,
  WRAP_BYTES,
  wrapDataKey,
} from "../../src/durable/vault";

const STORE = "11".repeat(32);
const OTHER_STORE = "22".repeat(32);
const SECRET = Uint8Array.from({ length: 32 }, (_, i) => i);
const HASH = keyHash("dke_s_one");
const OTHER_HASH = keyHash("dke_s_two");

/** RFC 5869 written out, as a twin of what the platform gives. */
function hkdf(secret: Uint8Array, salt: Buffer, info: string, bytes: number): Buffer {
  const extracted = createHmac("sha256", salt).update(secret).digest();
  let block = Buffer.alloc(0);
  let out = Buffer.alloc(0);
  for (let counter = 1; out.length < bytes; counter++) {
    block = createHmac("sha256", extracted)
      .update(Buffer.concat([block, Buffer.from(info), Buffer.of(counter)]))
      .digest();
    out = Buffer.concat([out, block]);
  }
  return out.subarray(0, bytes);
}

describe("vault", () => {
  test("the key-encryption key is HKDF-SHA-256 of the secret, salted with the store id [C7.22]", () => {
    expect(Buffer.from(keyEncryptionKey(SECRET, STORE))).toEqual(hkdf(SECRET, Buffer.from(STORE, "hex"), "dke/wrap/v1", 32));
  });

  test("the key hash is SHA-256 of the whole key text, in lower-case hex", () => {
    expect(keyHash("abc")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  });

  test("a wrap opens with its own key, store and hash, and gives the data key back", () => {
    const dataKey = generateDataKey();
    const kek = keyEncryptionKey(SECRET, STORE);
    const wrap = wrapDataKey(dataKey, kek, { storeId: STORE, keyHash: HASH });
    expect(wrap.length).toBe(WRAP_BYTES);
    expect(unwrapDataKey(wrap, kek, { storeId: STORE, keyHash: HASH })).toEqual(dataKey);
  });

  const kek = keyEncryptionKey(SECRET, STORE);
  const wrap = wrapDataKey(generateDataKey(), kek, { storeId: STORE, keyHash: HASH });
  test.each([
    [
      "another key's encryption key",
      wrap,
      keyEncryptionKey(
        SECRET.map((b) => b ^ 1),
        STORE,
      ),
      STORE,
      HASH,
    ],
    ["another store's", wrap, kek, OTHER_STORE, HASH],
    ["another key's hash", wrap, kek, STORE, OTHER_HASH],
    ["a shorter wrap", wrap.subarray(0, -1), kek, STORE, HASH],
    ["no wrap", new Uint8Array(0), kek, STORE, HASH],
    ["a key of the wrong length", wrap, kek.subarray(1), STORE, HASH],
    ["a decoy", decoyWrap(), kek, STORE, HASH],
  ])("a wrap does not open with %s [C7.19]", (_, bytes, key, storeId, hash) => {
    expect(unwrapDataKey(bytes, key, { storeId, keyHash: hash })).toBeNull();
  });

  test("a wrap with any one bit turned does not open [C7.25]", () => {
    for (let bit = 0; bit < 8 * WRAP_BYTES; bit++) {
      const turned = Uint8Array.from(wrap);
      turned[bit >> 3] ^= 1 << (bit & 7);
      expect(unwrapDataKey(turned, kek, { storeId: STORE, keyHash: HASH }), `bit ${bit}`).toBeNull();
    }
  });

  test("the cipher opens what it sealed, in its context only, and every turned bit is noticed [C7.24] [C7.25]", () => {
    const cipher = new StoreCipher(generateDataKey(), STORE);
    for (const plain of [new Uint8Array(0), Uint8Array.of(7), new Uint8Array(5000).fill(3)]) {
      expect(cipher.open(cipher.seal(plain, "page 1"), "page 1")).toEqual(plain);
      expect(() => cipher.open(cipher.seal(plain, "page 1"), "page 2")).toThrow();
    }
    const sealed = cipher.seal(Uint8Array.of(1, 2, 3), "c");
    for (let bit = 0; bit < 8 * sealed.length; bit++) {
      const turned = Uint8Array.from(sealed);
      turned[bit >> 3] ^= 1 << (bit & 7);
      expect(() => cipher.open(turned, "c"), `bit ${bit}`).toThrow();
    }
    for (let length = 0; length < sealed.length; length++) expect(() => cipher.open(sealed.subarray(0, length), "c")).toThrow();
  });

  test("no nonce comes twice in 100,000 seals [C7.23]", () => {
    const cipher = new StoreCipher(generateDataKey(), STORE);
    const nonces = new Set<string>();
    for (let n = 0; n < 100_000; n++) nonces.add(Buffer.from(cipher.seal(Uint8Array.of(n & 255), "c").subarray(0, 12)).toString("latin1"));
    expect(nonces.size).toBe(100_000);
  });

  test("sealing twice gives two texts, and neither holds the plain one", () => {
    const cipher = new StoreCipher(generateDataKey(), STORE);
    const plain = Buffer.from("a name that must not be seen");
    const [one, two] = [cipher.seal(plain, ""), cipher.seal(plain, "")];
    expect(Buffer.from(one)).not.toEqual(Buffer.from(two));
    expect(Buffer.from(one).includes(plain)).toBe(false);
  });

  test("look-up key, page key and check depend on the data key and on the store, and on nothing else", () => {
    const dataKey = generateDataKey();
    const here = new StoreCipher(dataKey, STORE);
    expect(new StoreCipher(dataKey, STORE).lookupKey).toEqual(here.lookupKey);
    expect(new StoreCipher(dataKey, STORE).open(here.seal(Uint8Array.of(1), ""), "")).toEqual(Uint8Array.of(1));
    expect(new StoreCipher(dataKey, OTHER_STORE).lookupKey).not.toEqual(here.lookupKey);
    expect(() => new StoreCipher(dataKey, OTHER_STORE).open(here.seal(Uint8Array.of(1), ""), "")).toThrow();
    expect(dataKeyCheck(dataKey, STORE)).toEqual(dataKeyCheck(dataKey, STORE));
    expect(dataKeyCheck(dataKey, STORE)).not.toEqual(dataKeyCheck(dataKey, OTHER_STORE));
    for (const word of here.lookupKey) expect(word >> 64n).toBe(0n);
  });

  test("secrets compare by length and content", () => {
    expect(sameSecret(Uint8Array.of(1, 2), Uint8Array.of(1, 2))).toBe(true);
    expect(sameSecret(Uint8Array.of(1, 2), Uint8Array.of(1, 3))).toBe(false);
    expect(sameSecret(Uint8Array.of(1, 2), Uint8Array.of(1))).toBe(false);
  });
});
