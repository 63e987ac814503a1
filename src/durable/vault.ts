/**
 * The store's data key: made, wrapped, unwrapped, and the cipher that it keys.
 *
 * A data key is 32 random bytes and lies nowhere in the clear. Each store key wraps it once:
 * AES-256-GCM under HKDF-SHA-256(key secret, salt = store id, info = "dke/wrap/v1"), bound to store id ‖ key hash ‖
 * version, so that a wrap moved to another store or another key does not open. From the data key one
 * sub-key is derived for each purpose; no two purposes share a key.
 *
 * Synchronous node:crypto throughout: the engine seals inside a transaction. Keeps nothing; whoever holds a
 * `StoreCipher` holds the key, and drops it by dropping the object.
 */
import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from "node:crypto";
import type { Cipher } from "../engine/sql";
import { assert } from "../failure";

const WRAP_VERSION = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;
/** version ‖ nonce ‖ encrypted data key ‖ tag. */
export const WRAP_BYTES = 1 + NONCE_BYTES + KEY_BYTES + TAG_BYTES;

/** What a wrap is bound to. Both as lower-case hex of 32 bytes. */
export interface WrapBinding {
  readonly storeId: string;
  readonly keyHash: string;
}

export function generateDataKey(): Uint8Array {
  return new Uint8Array(randomBytes(KEY_BYTES));
}

/** The key-encryption key of a store key's secret. The worker derives it; the object sees nothing else of the key. */
export function keyEncryptionKey(keySecret: Uint8Array, storeId: string): Uint8Array {
  return derive(keySecret, storeId, "dke/wrap/v1", KEY_BYTES);
}

/** Lower-case hex SHA-256 of the whole key text: what the store knows a key by. */
export function keyHash(keyText: string): string {
  return createHash("sha256").update(keyText, "utf8").digest("hex");
}

export function wrapDataKey(dataKey: Uint8Array, encryptionKey: Uint8Array, binding: WrapBinding): Uint8Array {
  assert(dataKey.length === KEY_BYTES, "a data key has 32 bytes");
  const sealed = sealBytes(encryptionKey, dataKey, wrapContext(binding));
  const wrap = new Uint8Array(WRAP_BYTES);
  wrap[0] = WRAP_VERSION;
  wrap.set(sealed, 1);
  return wrap;
}

/** The data key, or null where this key does not open this wrap here: wrong key, moved or damaged wrap, unknown version. */
export function unwrapDataKey(wrap: Uint8Array, encryptionKey: Uint8Array, binding: WrapBinding): Uint8Array | null {
  if (wrap.length !== WRAP_BYTES || wrap[0] !== WRAP_VERSION || encryptionKey.length !== KEY_BYTES) return null;
  try {
    return openBytes(encryptionKey, wrap.subarray(1), wrapContext(binding));
  } catch {
    // GCM's "unable to authenticate data" is the only thing that fails here, and it is an answer.
    return null;
  }
}

/** A wrap that nothing opens, of the right shape: an unknown key costs what a known one costs. */
export function decoyWrap(): Uint8Array {
  const wrap = new Uint8Array(randomBytes(WRAP_BYTES));
  wrap[0] = WRAP_VERSION;
  return wrap;
}

/** Shows, without showing the key, that a data key is the one this store was first opened with. */
export function dataKeyCheck(dataKey: Uint8Array, storeId: string): Uint8Array {
  return derive(dataKey, storeId, "dke/check/v1", KEY_BYTES);
}

/** Tells whether two secrets are the same without telling where they differ. */
export function sameSecret(left: Uint8Array, right: Uint8Array): boolean {
  return left.length === right.length && timingSafeEqual(left, right);
}

/** The engine's cipher over one store's data key. */
export class StoreCipher implements Cipher {
  readonly lookupKey: readonly [bigint, bigint];
  /** Made ready once: to do so costs a third of what opening a page does. */
  readonly #pageKey: KeyObject;

  constructor(dataKey: Uint8Array, storeId: string) {
    assert(dataKey.length === KEY_BYTES, "a data key has 32 bytes");
    this.#pageKey = createSecretKey(derive(dataKey, storeId, "dke/page/v1", KEY_BYTES));
    const words = new DataView(derive(dataKey, storeId, "dke/lookup/v1", 16).buffer);
    this.lookupKey = [words.getBigUint64(0, true), words.getBigUint64(8, true)];
  }

  seal(plain: Uint8Array, context: string): Uint8Array {
    return sealBytes(this.#pageKey, plain, Buffer.from(context, "utf8"));
  }

  open(sealed: Uint8Array, context: string): Uint8Array {
    return openBytes(this.#pageKey, sealed, Buffer.from(context, "utf8"));
  }
}

function wrapContext(binding: WrapBinding): Uint8Array {
  const storeId = Buffer.from(binding.storeId, "hex");
  const hash = Buffer.from(binding.keyHash, "hex");
  assert(storeId.length === 32 && hash.length === 32, "a wrap is bound to a 32-byte store id and a 32-byte hash");
  return Buffer.concat([storeId, hash, Uint8Array.of(WRAP_VERSION)]);
}

function derive(secret: Uint8Array, storeId: string, info: string, bytes: number): Uint8Array {
  return new Uint8Array(hkdfSync("sha256", secret, Buffer.from(storeId, "hex"), info, bytes));
}

/** nonce ‖ ciphertext ‖ tag. A random nonce of 96 bits is good for 2^32 seals of one key; a store makes far fewer. */
function sealBytes(key: KeyObject | Uint8Array, plain: Uint8Array, context: Uint8Array): Uint8Array {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv("aes-256-gcm", key, nonce);
  cipher.setAAD(context);
  const body = cipher.update(plain);
  const rest = cipher.final();
  const tag = cipher.getAuthTag();
  const sealed = new Uint8Array(NONCE_BYTES + body.length + rest.length + TAG_BYTES);
  sealed.set(nonce, 0);
  sealed.set(body, NONCE_BYTES);
  sealed.set(rest, NONCE_BYTES + body.length);
  sealed.set(tag, NONCE_BYTES + body.length + rest.length);
  return sealed;
}

function openBytes(key: KeyObject | Uint8Array, sealed: Uint8Array, context: Uint8Array): Uint8Array {
  assert(sealed.length >= NONCE_BYTES + TAG_BYTES, "sealed bytes hold a nonce and a tag");
  const decipher = createDecipheriv("aes-256-gcm", key, sealed.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAAD(context);
  decipher.setAuthTag(sealed.subarray(sealed.length - TAG_BYTES));
  const body = decipher.update(sealed.subarray(NONCE_BYTES, sealed.length - TAG_BYTES));
  // GCM keeps no bytes back, so what ends it is empty, and nothing is copied together.
  assert(decipher.final().length === 0, "the end of what is opened holds no bytes");
  return new Uint8Array(body.buffer, body.byteOffset, body.length);
}
