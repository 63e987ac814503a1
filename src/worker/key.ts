/**
 * The text form of a store key: `dke_s_` + base62(32-byte object id) + base62(32-byte secret) + base62(CRC-32).
 *
 * Each part has a fixed width (43, 43 and 6 digits, most significant first), so one key has one spelling.
 * The checksum covers everything before it: a mistyped key is known as such without asking anybody.
 * A key addresses its store by itself; no directory is read to find the object. Pure: the random bytes come in.
 */

export interface StoreKey {
  /** Lower-case hex, 64 digits: the store object's id. */
  readonly objectId: string;
  readonly secret: Uint8Array;
  /** The whole key. */
  readonly text: string;
}

export const STORE_KEY_PREFIX = "dke_s_";
export const CUSTOMER_KEY_PREFIX = "dke_c_";

const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/** 62^43 > 2^256 > 62^42. */
const PART_WIDTH = 43;
/** 62^6 > 2^32 > 62^5. */
const CHECK_WIDTH = 6;
export const STORE_KEY_CHARS = STORE_KEY_PREFIX.length + 2 * PART_WIDTH + CHECK_WIDTH;

export function formatStoreKey(part: { readonly objectId: string; readonly secret: Uint8Array }): string {
  if (!/^[0-9a-f]{64}$/.test(part.objectId) || part.secret.length !== 32)
    throw new Error("a store key is made of 32 bytes of id and 32 of secret");
  const body = STORE_KEY_PREFIX + toBase62(BigInt(`0x${part.objectId}`), PART_WIDTH) + toBase62(bytesToInt(part.secret), PART_WIDTH);
  return body + toBase62(BigInt(crc32(body)), CHECK_WIDTH);
}

/** Null where the text is not a store key: wrong length, alphabet, range or checksum. Costs no I/O. */
export function parseStoreKey(text: string): StoreKey | null {
  if (text.length !== STORE_KEY_CHARS || !text.startsWith(STORE_KEY_PREFIX)) return null;
  const body = text.slice(0, -CHECK_WIDTH);
  const check = fromBase62(text.slice(-CHECK_WIDTH));
  if (check === null || check !== BigInt(crc32(body))) return null;
  const id = fromBase62(body.slice(STORE_KEY_PREFIX.length, STORE_KEY_PREFIX.length + PART_WIDTH));
  const secret = fromBase62(body.slice(STORE_KEY_PREFIX.length + PART_WIDTH));
  if (id === null || secret === null || id >> 256n !== 0n || secret >> 256n !== 0n) return null;
  return { objectId: id.toString(16).padStart(64, "0"), secret: intToBytes(secret), text };
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

function bytesToInt(bytes: Uint8Array): bigint {
  let value = 0n;
  for (const byte of bytes) value = (value << 8n) | BigInt(byte);
  return value;
}

function intToBytes(value: bigint): Uint8Array {
  const bytes = new Uint8Array(32);
  for (let i = 31, rest = value; i >= 0; i--, rest >>= 8n) bytes[i] = Number(rest & 255n);
  return bytes;
}

/** CRC-32 of ASCII text: polynomial 0xEDB88320 (reflected), initial and final xor all ones, as in zip and PNG. */
export function crc32(text: string): number {
  let crc = ~0;
  for (let i = 0; i < text.length; i++) {
    crc ^= text.charCodeAt(i) & 255;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}
