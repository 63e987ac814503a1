/**
 * Writes test/testdata/keys/vectors.json: keys made from given bytes by the service's own code, for the page, the command line
 * and Python to be held to. Run with `npx tsx`, once; the file is frozen, since a key made today must open a store for ever.
 */
import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { keyEncryptionKey, keyHash, wrapDataKey } from "../src/durable/vault.ts";
import { formatStoreKey } from "../src/worker/key.ts";

const bytes = (seed, count) => {
  const made = [];
  for (let i = 0; made.length < count; i++) made.push(...createHash("sha256").update(`${seed} ${i}`).digest());
  return Uint8Array.from(made.slice(0, count));
};
const hex = (value) => Buffer.from(value).toString("hex");

const vectors = [];
for (let n = 0; n < 8; n++) {
  const edge = n === 6 ? 0 : n === 7 ? 255 : null;
  const storeId = hex(edge === null ? bytes(`store ${n}`, 32) : new Uint8Array(32).fill(edge));
  const secret = edge === null ? bytes(`secret ${n}`, 32) : new Uint8Array(32).fill(edge);
  const dataKey = bytes(`data ${n}`, 32);
  const text = formatStoreKey({ objectId: storeId, secret });
  const encryptionKey = keyEncryptionKey(secret, storeId);
  const hash = keyHash(text);
  const wrap = wrapDataKey(dataKey, encryptionKey, { storeId, keyHash: hash });
  vectors.push({
    storeId,
    secret: hex(secret),
    text,
    hash,
    encryptionKey: hex(encryptionKey),
    dataKey: hex(dataKey),
    nonce: hex(wrap.slice(1, 13)),
    wrap: Buffer.from(wrap).toString("base64"),
  });
}
writeFileSync(new URL("../test/testdata/keys/vectors.json", import.meta.url), `${JSON.stringify(vectors, null, 1)}\n`);
