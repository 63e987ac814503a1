/**
 * The SQL port over an object's own SQLite.
 *
 * What the platform does silently is refused here: integers beyond 2^53 (rounded), booleans and `undefined` (stored as
 * something else), an asynchronous transaction (protects nothing). Blobs come back as `Uint8Array`.
 *
 * A failure of the storage itself becomes a `StorageFailure`, so that the call can be answered "could not
 * be confirmed" (contract §6); every other SQL error is our bug and goes up as it is.
 */
import type { Sql, SqlRow, SqlValue } from "../engine/sql";
import { assert } from "../failure";
import { SQL_PARAMETERS_MAX } from "../limits";

/** The disk, not the statement: full, broken or out of memory. The object must be opened anew after it. */
export class StorageFailure extends Error {
  override readonly name = "StorageFailure";
}

/** The platform gives SQLite's result code in the message and nowhere else. */
const STORAGE_CODES = /SQLITE_(FULL|IOERR|NOMEM|CORRUPT|CANTOPEN|NOTADB|PROTOCOL|READONLY)/;

/** What the platform's types leave out. */
type RawRows = IterableIterator<SqlStorageValue[]> & { toArray(): SqlStorageValue[][] };

export class SqlDurable implements Sql {
  readonly #storage: DurableObjectStorage;
  #rowsWritten = 0;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
  }

  /** Rows written through `exec` since this adapter was made: tells whether a slice changed the disk. */
  get rowsWritten(): number {
    return this.#rowsWritten;
  }

  exec(text: string, ...parameters: readonly SqlValue[]): SqlRow[] {
    const cursor = this.#run(text, parameters);
    try {
      // All at once: to step through them costs each statement a tenth.
      const rows: SqlRow[] = (cursor.raw() as RawRows).toArray().map(rowFrom);
      // To ask costs a tenth of a point read, and what only reads has written nothing.
      if (!text.startsWith("SELECT")) this.#rowsWritten += cursor.rowsWritten;
      return rows;
    } catch (error) {
      throw named(error);
    }
  }

  *scan(text: string, ...parameters: readonly SqlValue[]): Iterable<SqlRow> {
    const rows = this.#run(text, parameters).raw();
    for (;;) {
      let next: IteratorResult<SqlStorageValue[]>;
      try {
        next = rows.next();
      } catch (error) {
        throw named(error);
      }
      if (next.done) return;
      yield rowFrom(next.value);
    }
  }

  transaction<T>(body: () => T): T {
    return this.#storage.transactionSync(() => {
      const result = body();
      const then = (result as { then?: unknown } | null | undefined)?.then;
      assert(typeof then !== "function", "a transaction's body is synchronous");
      return result;
    });
  }

  databaseBytes(): number {
    return this.#storage.sql.databaseSize;
  }

  #run(text: string, parameters: readonly SqlValue[]): SqlStorageCursor<Record<string, SqlStorageValue>> {
    assert(parameters.length <= SQL_PARAMETERS_MAX, "a statement takes at most 100 parameters");
    for (const parameter of parameters) checkParameter(parameter);
    try {
      return this.#storage.sql.exec(text, ...parameters);
    } catch (error) {
      throw named(error);
    }
  }
}

function checkParameter(parameter: SqlValue): void {
  switch (typeof parameter) {
    case "string":
      return;
    case "number":
      assert(Number.isFinite(parameter), "a number in SQL is finite");
      assert(!Number.isInteger(parameter) || Number.isSafeInteger(parameter), "an integer in SQL is safe");
      return;
    default:
      assert(parameter === null || parameter instanceof Uint8Array, "a parameter is text, a number, null or bytes");
  }
}

/** In place: a row of a cursor is nobody else's, and most of what a read costs is its columns. */
function rowFrom(row: SqlStorageValue[]): SqlRow {
  const values: (SqlStorageValue | Uint8Array)[] = row;
  for (let i = 0; i < row.length; i++) {
    const value = row[i];
    if (typeof value === "number") assert(Number.isSafeInteger(value) || !Number.isInteger(value), "an integer from SQL is safe");
    else if (value instanceof ArrayBuffer) values[i] = new Uint8Array(value);
  }
  return values as SqlRow;
}

function named(error: unknown): unknown {
  if (error instanceof Error && STORAGE_CODES.test(error.message)) return new StorageFailure(error.message, { cause: error });
  return error;
}
