/**
 * The keys of one store, at rest: hash, wrap of the data key, level, label, and what its client says of itself.
 *
 * Never the key. A revoked key loses its wrap and keeps its hash, so that no hash is issued twice. An unknown
 * key, a revoked one and one whose wrap does not open cost the same work and give the same answer: null.
 */
import type { Level } from "../engine/claim";
import { LEVELS } from "../engine/claim";
import type { Sql } from "../engine/sql";
import { assert } from "../failure";
import { CLIENT_TEXT_CHARS_MAX, KEY_CLIENTS_MAX, STORE_KEYS_MAX } from "../limits";
import type { KeyRow } from "./call";
import { decoyWrap, unwrapDataKey, WRAP_BYTES } from "./vault";

export interface KnownKey {
  readonly keyId: string;
  readonly level: Level;
  /** True once a call of this key has worked on the store. */
  readonly hasWorked: boolean;
}

export interface OpenedKey extends KnownKey {
  readonly dataKey: Uint8Array;
}

/** A key as its account's owner sees it. */
export interface KeyListing {
  readonly keyId: string;
  readonly level: Level;
  readonly label: string;
  /** What made it. */
  readonly made: string;
  readonly issuedAtMs: number;
  readonly lastUsedAtMs: number | null;
  readonly revokedAtMs: number | null;
  /** What has connected with it, latest first; self-declared. Two that are seen at the same time are two clients on one key. */
  readonly clients: readonly ClientSeen[];
}

export interface ClientSeen {
  readonly name: string;
  readonly version: string;
  readonly firstSeenAtMs: number;
  readonly lastSeenAtMs: number;
}

export type IssueResult =
  | { readonly tag: "issued" }
  | { readonly tag: "refused"; readonly why: "malformed" | "known_hash" | "known_id" | "too_many" };

export type RotateResult =
  | { readonly tag: "rotated" }
  | { readonly tag: "refused"; readonly why: "malformed" | "known_hash" | "unknown_key" };

/** `lastUsedAtMs` and `lastSeenAtMs` are exact to this many milliseconds, so that a busy key does not write a row a call. */
const LAST_USED_STEP_MS = 60_000;

export class KeyRing {
  readonly #sql: Sql;
  readonly #storeId: string;
  readonly #decoy = decoyWrap();

  constructor(sql: Sql, storeId: string) {
    this.#sql = sql;
    this.#storeId = storeId;
    // Not among the tables that a store is made with: stores were made before it was.
    sql.exec(`CREATE TABLE IF NOT EXISTS service_client (
      key_id TEXT NOT NULL, name TEXT NOT NULL, version TEXT NOT NULL, first_seen_ms INTEGER NOT NULL, last_seen_ms INTEGER NOT NULL,
      PRIMARY KEY (key_id, name, version)) STRICT, WITHOUT ROWID`);
    const [keys] = sql.exec("SELECT sql FROM sqlite_master WHERE name = 'service_key'");
    if (keys !== undefined && !(keys[0] as string).includes("made TEXT")) {
      sql.exec("ALTER TABLE service_key ADD COLUMN made TEXT NOT NULL DEFAULT 'start'");
    }
  }

  static createTables(sql: Sql): void {
    sql.exec(`CREATE TABLE service_key (
      key_id TEXT PRIMARY KEY, hash TEXT NOT NULL UNIQUE, wrap BLOB, level TEXT NOT NULL, label TEXT NOT NULL,
      issued_at_ms INTEGER NOT NULL, last_used_at_ms INTEGER, has_worked INTEGER NOT NULL DEFAULT 0, revoked_at_ms INTEGER,
      made TEXT NOT NULL) STRICT, WITHOUT ROWID`);
  }

  /** The key, if this hash and this key-encryption key open the store. */
  open(hash: string, encryptionKey: Uint8Array): OpenedKey | null {
    if (!isHash(hash)) return null;
    // One row whether there is such a key or not: what is unknown is read, unwrapped and refused like what was revoked.
    const [row] = this.#sql.exec("SELECT key_id, level, has_worked, wrap FROM (SELECT 1) LEFT JOIN service_key ON hash = ?", hash);
    const wrap = (row[3] as Uint8Array | null) ?? this.#decoy;
    const dataKey = unwrapDataKey(wrap, encryptionKey, { storeId: this.#storeId, keyHash: hash });
    return dataKey === null ? null : { ...knownFrom(row), dataKey };
  }

  /** The key as it stands now; null where it was revoked meanwhile. */
  read(keyId: string): KnownKey | null {
    const [row] = this.#sql.exec("SELECT key_id, level, has_worked FROM service_key WHERE key_id = ? AND revoked_at_ms IS NULL", keyId);
    return row === undefined ? null : knownFrom(row);
  }

  /** Null where no key of this hash opens the store. */
  wrapOf(hash: string): Uint8Array | null {
    const [row] = this.#sql.exec("SELECT wrap FROM service_key WHERE hash = ? AND revoked_at_ms IS NULL", hash);
    return (row?.[0] as Uint8Array | undefined) ?? null;
  }

  issue(key: KeyRow, nowMs: number): IssueResult {
    if (!isHash(key.hash) || key.wrap.length !== WRAP_BYTES || !LEVELS.includes(key.level) || key.keyId === "") {
      return { tag: "refused", why: "malformed" };
    }
    if (this.#isKnownHash(key.hash)) return { tag: "refused", why: "known_hash" };
    if (this.#exists("key_id", key.keyId)) return { tag: "refused", why: "known_id" };
    const [[count]] = this.#sql.exec("SELECT count(*) FROM service_key");
    if ((count as number) >= STORE_KEYS_MAX) return { tag: "refused", why: "too_many" };
    this.#sql.exec(
      "INSERT INTO service_key (key_id, hash, wrap, level, label, issued_at_ms, made) VALUES (?, ?, ?, ?, ?, ?, ?)",
      key.keyId,
      key.hash,
      key.wrap,
      key.level,
      cleanText(key.label),
      nowMs,
      cleanText(key.made ?? "start"),
    );
    return { tag: "issued" };
  }

  /**
   * The same key under a new secret: its id, level and history stay, its hash and its wrap are others, and the old secret
   * opens nothing from now on. What is sealed under the data key is not touched. The old hash is kept, so that it is not
   * issued again.
   */
  rotate(keyId: string, { hash, wrap }: { readonly hash: string; readonly wrap: Uint8Array }): RotateResult {
    if (!isHash(hash) || wrap.length !== WRAP_BYTES) return { tag: "refused", why: "malformed" };
    if (this.#isKnownHash(hash)) return { tag: "refused", why: "known_hash" };
    const [old] = this.#sql.exec("SELECT hash FROM service_key WHERE key_id = ? AND revoked_at_ms IS NULL", keyId);
    if (old === undefined) return { tag: "refused", why: "unknown_key" };
    this.#sql.transaction(() => {
      this.#sql.exec("CREATE TABLE IF NOT EXISTS service_retired_hash (hash TEXT PRIMARY KEY) STRICT, WITHOUT ROWID");
      this.#sql.exec("INSERT INTO service_retired_hash (hash) VALUES (?)", old[0]);
      this.#sql.exec("UPDATE service_key SET hash = ?, wrap = ? WHERE key_id = ?", hash, wrap, keyId);
    });
    return { tag: "rotated" };
  }

  /** False where there is no such key, or it was revoked before. */
  revoke(keyId: string, nowMs: number): boolean {
    const changed = this.#sql.exec(
      "UPDATE service_key SET wrap = NULL, revoked_at_ms = ? WHERE key_id = ? AND revoked_at_ms IS NULL RETURNING 1",
      nowMs,
      keyId,
    );
    return changed.length > 0;
  }

  setLevel(keyId: string, level: Level): boolean {
    assert(LEVELS.includes(level), "a level is one of the five");
    return (
      this.#sql.exec("UPDATE service_key SET level = ? WHERE key_id = ? AND revoked_at_ms IS NULL RETURNING 1", level, keyId).length > 0
    );
  }

  /** Notes that a call of this key has ended; writes only where that says something new. */
  used(keyId: string, nowMs: number): void {
    this.#sql.exec(
      `UPDATE service_key SET has_worked = 1, last_used_at_ms = ?
       WHERE key_id = ? AND (has_worked = 0 OR last_used_at_ms IS NULL OR last_used_at_ms < ?)`,
      nowMs,
      keyId,
      nowMs - LAST_USED_STEP_MS,
    );
  }

  /** What names itself neither by a name nor by a version is nobody. The clients seen longest ago make room for new ones. */
  recordClient(hash: string, clientInfo: unknown, nowMs: number): void {
    const said = (typeof clientInfo === "object" && clientInfo !== null ? clientInfo : {}) as { name?: unknown; version?: unknown };
    const name = typeof said.name === "string" ? cleanText(said.name) : "";
    const version = typeof said.version === "string" ? cleanText(said.version) : "";
    const [key] = this.#sql.exec("SELECT key_id FROM service_key WHERE hash = ? AND revoked_at_ms IS NULL", hash);
    if (key === undefined || (name === "" && version === "")) return;
    const keyId = key[0] as string;
    this.#sql.exec(
      `INSERT INTO service_client VALUES (?1, ?2, ?3, ?4, ?4) ON CONFLICT DO UPDATE SET last_seen_ms = ?4 WHERE last_seen_ms < ?5`,
      keyId,
      name,
      version,
      nowMs,
      nowMs - LAST_USED_STEP_MS,
    );
    this.#sql.exec(
      `DELETE FROM service_client WHERE key_id = ?1 AND (name, version) NOT IN
       (SELECT name, version FROM service_client WHERE key_id = ?1 ORDER BY last_seen_ms DESC, first_seen_ms DESC LIMIT ?2)`,
      keyId,
      KEY_CLIENTS_MAX,
    );
  }

  list(): KeyListing[] {
    const rows = this.#sql.exec(
      `SELECT key_id, level, label, issued_at_ms, last_used_at_ms, revoked_at_ms, made FROM service_key ORDER BY issued_at_ms, key_id`,
    );
    const clients = this.#sql.exec(
      "SELECT key_id, name, version, first_seen_ms, last_seen_ms FROM service_client ORDER BY last_seen_ms DESC, name, version",
    );
    return rows.map((row) => ({
      keyId: row[0] as string,
      level: row[1] as Level,
      label: row[2] as string,
      issuedAtMs: row[3] as number,
      lastUsedAtMs: row[4] as number | null,
      revokedAtMs: row[5] as number | null,
      made: row[6] as string,
      clients: clients
        .filter((client) => client[0] === row[0])
        .map(([, name, version, first, last]) => ({
          name: name as string,
          version: version as string,
          firstSeenAtMs: first as number,
          lastSeenAtMs: last as number,
        })),
    }));
  }

  #isKnownHash(hash: string): boolean {
    if (this.#exists("hash", hash)) return true;
    if (this.#sql.exec("SELECT 1 FROM sqlite_master WHERE name = 'service_retired_hash'").length === 0) return false;
    return this.#sql.exec("SELECT 1 FROM service_retired_hash WHERE hash = ?", hash).length > 0;
  }

  #exists(column: "hash" | "key_id", value: string): boolean {
    return this.#sql.exec(`SELECT 1 FROM service_key WHERE ${column} = ?`, value).length > 0;
  }
}

function knownFrom(row: readonly unknown[]): KnownKey {
  return { keyId: row[0] as string, level: row[1] as Level, hasWorked: row[2] === 1 };
}

function isHash(text: string): boolean {
  return /^[0-9a-f]{64}$/.test(text);
}

/** What somebody says of themselves, fit to be shown: no controls, no marks that turn the line around, bounded. */
export function cleanText(text: string): string {
  const shown = text
    .slice(0, 4 * CLIENT_TEXT_CHARS_MAX)
    .replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}]/gu, "")
    .trim();
  return Array.from(shown).slice(0, CLIENT_TEXT_CHARS_MAX).join("");
}
