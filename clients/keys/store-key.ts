/**
 * Making a store key where it will be used: in a browser or under Node 20, by Web Crypto and nothing else.
 *
 * A key is its store's id and 32 random bytes, as text (the service's half of this is src/worker/key.ts and
 * src/durable/vault.ts; test/testdata/keys/vectors.json holds both and Python's to the same bytes). The store's data key
 * leaves this machine only wrapped; the key itself never does.
 */

export interface StoreKey {
  /** `dke_s_…`: what a client is given. */
  readonly text: string;
  /** Lower-case hex, 64 digits. */
  readonly storeId: string;
  readonly secret: Uint8Array;
}

/** What the service is told of a new key. */
export interface KeyRecord {
  /** Lower-case hex SHA-256 of the key's text. */
  readonly hash: string;
  /** Base64: version ‖ nonce ‖ sealed data key ‖ tag, 61 bytes. */
  readonly wrap: string;
}

export interface NewKey {
  readonly key: StoreKey;
  readonly record: KeyRecord;
}

const PREFIX = "dke_s_";
const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const PART_WIDTH = 43;
const CHECK_WIDTH = 6;
export const KEY_CHARS = PREFIX.length + 2 * PART_WIDTH + CHECK_WIDTH;
const WRAP_VERSION = 1;
const NONCE_BYTES = 12;
const DATA_KEY_BYTES = 32;
const SECRET_BYTES = 32;
const TAG_BYTES = 16;
const WRAP_INFO = "dke/wrap/v1";

/** Random bytes of the machine's own source; tests bring others. */
export type RandomBytes = (count: number) => Uint8Array<ArrayBuffer>;
export const machineRandom: RandomBytes = (count) => crypto.getRandomValues(new Uint8Array(count));

/** The first key of a store: with it the store's data key is made. */
export async function makeFirstKey(storeId: string, random: RandomBytes = machineRandom): Promise<NewKey> {
  return makeKey(storeId, random(DATA_KEY_BYTES), random);
}

/**
 * Another key, for whoever holds one that opens the store, or the store that this one is a copy of. Throws where the wrap is not of
 * that key.
 */
export async function makeFurtherKey(
  opener: StoreKey,
  wrapOfOpener: string,
  random: RandomBytes = machineRandom,
  storeId = opener.storeId,
): Promise<NewKey> {
  const dataKey = await unwrap(fromBase64(wrapOfOpener), opener);
  try {
    return await makeKey(storeId, dataKey, random);
  } finally {
    dataKey.fill(0);
  }
}

async function makeKey(storeId: string, dataKey: Uint8Array<ArrayBuffer>, random: RandomBytes): Promise<NewKey> {
  const secret = random(SECRET_BYTES);
  const key = { text: formatKey(storeId, secret), storeId, secret };
  const hash = await hashOf(key.text);
  return { key, record: { hash, wrap: toBase64(await wrap(dataKey, key, hash, random(NONCE_BYTES))) } };
}

/** The key that a text is; null where it is none: wrong length, alphabet, range or checksum. */
export function readKey(text: string): StoreKey | null {
  if (text.length !== KEY_CHARS || !text.startsWith(PREFIX)) return null;
  const body = text.slice(0, -CHECK_WIDTH);
  const id = fromBase62(body.slice(PREFIX.length, PREFIX.length + PART_WIDTH));
  const secret = fromBase62(body.slice(PREFIX.length + PART_WIDTH));
  const check = fromBase62(text.slice(-CHECK_WIDTH));
  if (id === null || secret === null || id >> 256n !== 0n || secret >> 256n !== 0n || check !== BigInt(crc32(body))) return null;
  return { text, storeId: id.toString(16).padStart(64, "0"), secret: bytesOf(secret.toString(16).padStart(64, "0")) };
}

/** Lower-case hex SHA-256 of a key's text: what the service knows it by. */
export async function hashOf(keyText: string): Promise<string> {
  return hexOf(new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(keyText))));
}

export function formatKey(storeId: string, secret: Uint8Array): string {
  if (!/^[0-9a-f]{64}$/.test(storeId) || secret.length !== SECRET_BYTES)
    throw new Error("a key is made of 32 bytes of id and 32 of secret");
  const body = PREFIX + toBase62(BigInt(`0x${storeId}`), PART_WIDTH) + toBase62(BigInt(`0x${hexOf(secret)}`), PART_WIDTH);
  return body + toBase62(BigInt(crc32(body)), CHECK_WIDTH);
}

async function wrap(
  dataKey: Uint8Array<ArrayBuffer>,
  key: StoreKey,
  hash: string,
  nonce: Uint8Array<ArrayBuffer>,
): Promise<Uint8Array<ArrayBuffer>> {
  const algorithm = { name: "AES-GCM", iv: nonce, additionalData: bindingOf(key.storeId, hash), tagLength: TAG_BYTES * 8 };
  const sealed = new Uint8Array(await crypto.subtle.encrypt(algorithm, await encryptionKey(key), dataKey));
  const bytes = new Uint8Array(1 + NONCE_BYTES + sealed.length);
  bytes[0] = WRAP_VERSION;
  bytes.set(nonce, 1);
  bytes.set(sealed, 1 + NONCE_BYTES);
  return bytes;
}

async function unwrap(bytes: Uint8Array<ArrayBuffer>, key: StoreKey): Promise<Uint8Array<ArrayBuffer>> {
  if (bytes.length !== 1 + NONCE_BYTES + DATA_KEY_BYTES + TAG_BYTES || bytes[0] !== WRAP_VERSION)
    throw new Error("this is no wrap of a data key");
  const iv = bytes.slice(1, 1 + NONCE_BYTES);
  const algorithm = { name: "AES-GCM", iv, additionalData: bindingOf(key.storeId, await hashOf(key.text)), tagLength: TAG_BYTES * 8 };
  try {
    return new Uint8Array(await crypto.subtle.decrypt(algorithm, await encryptionKey(key), bytes.slice(1 + NONCE_BYTES)));
  } catch {
    throw new Error("this key does not open this store's wrap");
  }
}

/** HKDF-SHA-256 of the secret, with the store's id as salt. */
async function encryptionKey({ secret, storeId }: StoreKey): Promise<CryptoKey> {
  const material = await crypto.subtle.importKey("raw", Uint8Array.from(secret), "HKDF", false, ["deriveKey"]);
  const derivation = { name: "HKDF", hash: "SHA-256", salt: bytesOf(storeId), info: new TextEncoder().encode(WRAP_INFO) };
  return crypto.subtle.deriveKey(derivation, material, { name: "AES-GCM", length: 256 }, false, ["encrypt", "decrypt"]);
}

/** What a wrap is bound to: store id ‖ key hash ‖ version. */
function bindingOf(storeId: string, hash: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array([...bytesOf(storeId), ...bytesOf(hash), WRAP_VERSION]);
}

function toBase62(value: bigint, width: number): string {
  let text = "";
  for (let rest = value; text.length < width; rest /= 62n) text = DIGITS[Number(rest % 62n)] + text;
  return text;
}

function fromBase62(text: string): bigint | null {
  let value = 0n;
  for (const char of text) {
    const digit = DIGITS.indexOf(char);
    if (digit < 0) return null;
    value = value * 62n + BigInt(digit);
  }
  return value;
}

/** CRC-32 of ASCII text, as in zip and PNG. */
function crc32(text: string): number {
  let crc = ~0;
  for (let i = 0; i < text.length; i++) {
    crc ^= text.charCodeAt(i);
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}

function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function bytesOf(hex: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

export function toBase64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}

export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
}
