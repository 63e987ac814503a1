/**
 * A store that its owner has deleted: until when that can be undone, and what is taken away then. And one that was made to pass:
 * until when it is open, after which it is gone like a deleted one.
 *
 * Meanwhile no key opens it and nothing of it changes. Knows of files in object storage by their prefixes; the object's own
 * database is emptied by the object.
 */
import type { Sql } from "../engine/sql";

/** Everything of a store in object storage lies under one of these, then the store's id. */
const PREFIXES = ["exports/", "snapshots/"];
/** Object storage takes and lists so many keys at once. */
const KEYS_AT_ONCE = 1000;

export class StoreDeletion {
  readonly #sql: Sql;
  /** Milliseconds; null: the store is not deleted. */
  #emptyAtMs: number | null;
  /** Milliseconds; null: the store is made to stay. */
  readonly expiresAtMs: number | null;

  constructor(sql: Sql) {
    this.#sql = sql;
    // Not among the tables that a store is made with: stores were made before it was.
    sql.exec("CREATE TABLE IF NOT EXISTS service_deletion (one INTEGER PRIMARY KEY CHECK (one = 1), empty_at_ms INTEGER NOT NULL) STRICT");
    const [row] = sql.exec("SELECT empty_at_ms FROM service_deletion");
    this.#emptyAtMs = (row?.[0] as number | undefined) ?? null;
    sql.exec("CREATE TABLE IF NOT EXISTS service_expiry (one INTEGER PRIMARY KEY CHECK (one = 1), at_ms INTEGER NOT NULL) STRICT");
    const [expiry] = sql.exec("SELECT at_ms FROM service_expiry");
    this.expiresAtMs = (expiry?.[0] as number | undefined) ?? null;
  }

  /** Of a store that is just being made. */
  static makePassing(sql: Sql, expiresAtMs: number): void {
    new StoreDeletion(sql);
    sql.exec("INSERT INTO service_expiry VALUES (1, ?)", expiresAtMs);
  }

  /** Whether keys open the store. */
  isOpen(nowMs: number): boolean {
    return this.#emptyAtMs === null && (this.expiresAtMs === null || nowMs < this.expiresAtMs);
  }

  get emptyAtMs(): number | null {
    return this.#emptyAtMs;
  }

  set(emptyAtMs: number | null): void {
    if (emptyAtMs === null) this.#sql.exec("DELETE FROM service_deletion");
    else this.#sql.exec("INSERT OR REPLACE INTO service_deletion VALUES (1, ?)", emptyAtMs);
    this.#emptyAtMs = emptyAtMs;
  }
}

/** Deletes what lies in object storage of a store. */
export async function deleteFiles(bucket: R2Bucket | undefined, storeId: string): Promise<void> {
  if (bucket === undefined) return;
  for (const prefix of PREFIXES) {
    for (;;) {
      const { objects } = await bucket.list({ prefix: `${prefix}${storeId}/`, limit: KEYS_AT_ONCE });
      if (objects.length === 0) break;
      await bucket.delete(objects.map(({ key }) => key));
    }
  }
}
