/**
 * The SQL port: all that the engine asks of a database. One adapter is a Durable Object's SQLite
 * (durable/sql-durable.ts), the other a WebAssembly SQLite for tests (test/engine/sql-node.ts); both refuse the
 * same things and run the same contract suite (test/engine/sql-contract.ts).
 *
 * Values are `string | number | null | Uint8Array`. Integers must be safe: an object's SQLite rounds larger
 * ones silently. At most 100 parameters. No BEGIN, SAVEPOINT or PRAGMA user_version: use `transaction`.
 */
export type SqlValue = string | number | null | Uint8Array;
export type SqlRow = readonly SqlValue[];

export interface Sql {
  /** Runs one statement and gives its rows, in order, as arrays; blobs as fresh `Uint8Array`. */
  exec(text: string, ...parameters: readonly SqlValue[]): SqlRow[];
  /** As `exec`, one row at a time, for scans. The cursor must not outlive a write to its tables. */
  scan(text: string, ...parameters: readonly SqlValue[]): Iterable<SqlRow>;
  /** All of `body` or none of it; nests. `body` must be synchronous: a returned promise is refused. */
  transaction<T>(body: () => T): T;
  /** Bytes of the pages in use. Those that a removal freed are left out: later writes take them first (contract §9.5). */
  databaseBytes(): number;
}

/** Encryption at rest, with the store's data key behind it (durable/vault.ts). Synchronous. */
export interface Cipher {
  /** AES-256-GCM under a fresh nonce; `context` is bound as additional data. */
  seal(plain: Uint8Array, context: string): Uint8Array;
  /** Throws if a bit differs, or if `context` is not the one it was sealed with. */
  open(sealed: Uint8Array, context: string): Uint8Array;
  /** Two 64-bit words keying the SipHash that look-ups by value go through. */
  readonly lookupKey: readonly [bigint, bigint];
}
