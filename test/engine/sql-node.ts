/**
 * The SQL port over a WebAssembly SQLite in memory, for tests in plain Node. Refuses whatever a Durable Object's SQLite
 * refuses and the port does not cover: transactions by statement, pragmas, more than 100 parameters, integers it
 * would round, values it would store as something else, rows over 2 MB.
 */
import sqlite from "node-sqlite3-wasm";
import type { Sql, SqlRow, SqlValue } from "../../src/engine/sql";

const REFUSED = /^\s*(BEGIN|COMMIT|END|ROLLBACK|SAVEPOINT|RELEASE|ATTACH|DETACH|VACUUM|PRAGMA|CREATE\s+TEMP)/i;
const ROW_BYTES_MAX = 2_000_000;
const PARAMETERS_MAX = 100;

export class SqlNode implements Sql {
  readonly #db: sqlite.Database;
  readonly #statements = new Map<string, sqlite.Statement>();
  #depth = 0;
  /** Calls of `exec` and `scan` so far. */
  calls = 0;
  /** The call, counted from 1, that fails; 0 for none. */
  failAt = 0;

  constructor(path?: string) {
    this.#db = new sqlite.Database(path);
  }

  exec(text: string, ...parameters: readonly SqlValue[]): SqlRow[] {
    this.#check(text, parameters);
    let statement = this.#statements.get(text);
    if (statement === undefined) this.#statements.set(text, (statement = this.#db.prepare(text)));
    return (statement.all(parameters as sqlite.BindValues) as Record<string, unknown>[]).map(rowFrom);
  }

  *scan(text: string, ...parameters: readonly SqlValue[]): Iterable<SqlRow> {
    this.#check(text, parameters);
    const statement = this.#db.prepare(text);
    try {
      for (const row of statement.iterate(parameters as sqlite.BindValues)) yield rowFrom(row as Record<string, unknown>);
    } finally {
      statement.finalize();
    }
  }

  transaction<T>(body: () => T): T {
    const name = `level_${this.#depth++}`;
    this.#db.exec(`SAVEPOINT ${name}`);
    try {
      const result = body();
      if (typeof (result as { then?: unknown } | null | undefined)?.then === "function")
        throw new Error("a transaction's body is synchronous");
      this.#db.exec(`RELEASE ${name}`);
      return result;
    } catch (error) {
      this.#db.exec(`ROLLBACK TO ${name}; RELEASE ${name}`);
      throw error;
    } finally {
      this.#depth--;
    }
  }

  databaseBytes(): number {
    const pages = this.#db.get("PRAGMA page_count") as { page_count: number };
    const free = this.#db.get("PRAGMA freelist_count") as { freelist_count: number };
    const size = this.#db.get("PRAGMA page_size") as { page_size: number };
    return (pages.page_count - free.freelist_count) * size.page_size;
  }

  close(): void {
    // Finalizes its statements, and would throw the last error of one again if asked to one by one.
    this.#db.close();
  }

  #check(text: string, parameters: readonly SqlValue[]): void {
    if (++this.calls === this.failAt) throw new Error(`SQL call ${this.calls} fails`);
    if (REFUSED.test(text)) throw new Error(`not authorized: ${text}`);
    if (parameters.length > PARAMETERS_MAX) throw new Error("too many SQL variables");
    for (const parameter of parameters) checkParameter(parameter);
  }
}

function checkParameter(parameter: unknown): void {
  if (parameter === null || typeof parameter === "string") return;
  if (parameter instanceof Uint8Array) {
    if (parameter.length > ROW_BYTES_MAX) throw new Error("string or blob too big");
    return;
  }
  if (typeof parameter !== "number") throw new Error(`a parameter is text, a number, null or bytes, not ${typeof parameter}`);
  if (!Number.isFinite(parameter)) throw new Error("a number in SQL is finite");
  if (Number.isInteger(parameter) && !Number.isSafeInteger(parameter)) throw new Error("an integer in SQL is safe");
}

function rowFrom(row: Record<string, unknown>): SqlRow {
  return Object.values(row).map((value) => {
    if (typeof value === "bigint") throw new Error("an integer from SQL is safe");
    return value instanceof Uint8Array ? value.slice() : (value as SqlValue);
  });
}
