/**
 * Who is calling: the `Authorization` header, checked as far as that costs no I/O.
 *
 * Cheapest first: header there, bearer form, kind of key, checksum, an id of our namespace. A forged key ends here and
 * no object is touched. Whether the key is known, and at which level, only its store object can say: it is asked in the
 * one call that does the work. The key's text goes no further than this file: the object receives its hash and the
 * key-encryption key derived from its secret.
 */
import { keyEncryptionKey, keyHash } from "../durable/vault";
import { CUSTOMER_KEY_PREFIX, parseStoreKey, type StoreKey } from "./key";

export type AuthCode = "AUTH_MISSING" | "AUTH_MALFORMED" | "AUTH_EMPTY_TOKEN" | "AUTH_CUSTOMER_KEY_NOT_ALLOWED";

/** What a store object is told about the key of a call. */
export interface Credential {
  readonly keyHash: string;
  readonly keyEncryptionKey: Uint8Array;
}

/** Longest header looked at; a store key is under 100 characters. */
const AUTHORIZATION_CHARS_MAX = 512;

/**
 * The scheme is matched without regard to case, blanks and tabs around the token are ignored, and exactly one token is
 * taken: two headers arrive joined by a comma and are malformed.
 */
export function readAuthorization(
  header: string | null | undefined,
): { readonly ok: true; readonly key: StoreKey } | { readonly ok: false; readonly code: AuthCode } {
  if (header === null || header === undefined) return { ok: false, code: "AUTH_MISSING" };
  const trimmed = header.slice(0, AUTHORIZATION_CHARS_MAX + 1).replace(/^[ \t]+|[ \t]+$/g, "");
  if (trimmed.length > AUTHORIZATION_CHARS_MAX) return { ok: false, code: "AUTH_MALFORMED" };
  const form = /^bearer(?:[ \t]+(.*))?$/i.exec(trimmed);
  if (form === null) return { ok: false, code: "AUTH_MALFORMED" };
  const token = form[1] ?? "";
  if (token === "") return { ok: false, code: "AUTH_EMPTY_TOKEN" };
  if (token.startsWith(CUSTOMER_KEY_PREFIX)) return { ok: false, code: "AUTH_CUSTOMER_KEY_NOT_ALLOWED" };
  const key = parseStoreKey(token);
  return key === null ? { ok: false, code: "AUTH_MALFORMED" } : { ok: true, key };
}

export function credentialOf(key: StoreKey): Credential {
  return { keyHash: keyHash(key.text), keyEncryptionKey: keyEncryptionKey(key.secret, key.objectId) };
}
