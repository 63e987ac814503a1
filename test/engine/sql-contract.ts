/**
 * What every adapter of the SQL port promises, as a table of checks that throw. Run against the WebAssembly SQLite in
 * plain Node (sql-contract.test.ts) and inside a Durable Object (test/durable): both must pass all of them, so it
 * uses nothing but the port.
 */
import type { Sql, SqlValue } from "../../src/engine/sql";

export interface SqlCheck {
  readonly name: string;
  /** On an empty database. Throws where the promise is broken. */
  run(sql: Sql): void;
}

function same(found: unknown, wanted: unknown): void {
  const text = (value: unknown) => JSON.stringify(value, (_, part) => (part instanceof Uint8Array ? { blob: [...part] } : part));
  if (text(found) !== text(wanted)) throw new Error(`got ${text(found)}, want ${text(wanted)}`);
}

function refuses(body: () => unknown): void {
  try {
    body();
  } catch {
    return;
  }
  throw new Error("got an answer, want a refusal");
}

function table(sql: Sql): void {
  sql.exec("CREATE TABLE t (id INTEGER PRIMARY KEY, v)");
}

export const SQL_CONTRACT: readonly SqlCheck[] = [
  {
    name: "rows come as arrays, in order, with the columns' own types",
    run(sql) {
      table(sql);
      const values: SqlValue[] = [null, 0, -1, 1.5, "", "é😀", Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER];
      for (const [i, value] of values.entries()) sql.exec("INSERT INTO t VALUES (?, ?)", i, value);
      same(
        sql.exec("SELECT v FROM t ORDER BY id").map((row) => row[0]),
        values,
      );
      same(sql.exec("SELECT id, v, id + 1 FROM t WHERE id = ?", 5), [[5, "é😀", 6]]);
    },
  },
  {
    name: "blobs come back as fresh Uint8Arrays",
    run(sql) {
      table(sql);
      const blob = new Uint8Array([0, 1, 255]);
      sql.exec("INSERT INTO t VALUES (1, ?)", blob);
      const [[first]] = sql.exec("SELECT v FROM t");
      const [[second]] = sql.exec("SELECT v FROM t");
      if (!(first instanceof Uint8Array) || first === second) throw new Error("want two Uint8Arrays");
      same([...first], [0, 1, 255]);
      first[0] = 9;
      same([...(second as Uint8Array)], [0, 1, 255]);
    },
  },
  {
    name: "a view of a larger buffer binds its own bytes only",
    run(sql) {
      table(sql);
      sql.exec("INSERT INTO t VALUES (1, ?)", new Uint8Array([1, 2, 3, 4]).subarray(1, 3));
      same([...(sql.exec("SELECT v FROM t")[0][0] as Uint8Array)], [2, 3]);
    },
  },
  {
    name: "whole numbers land as integers in an INTEGER column",
    run(sql) {
      table(sql);
      sql.exec("CREATE TABLE n (v INTEGER)");
      sql.exec("INSERT INTO n VALUES (?)", 7);
      same(sql.exec("SELECT typeof(v), v / 2 FROM n"), [["integer", 3]]);
    },
  },
  {
    name: "integers beyond 2^53, booleans, undefined, bigint, infinities and NaN are refused, not rounded or changed",
    run(sql) {
      table(sql);
      for (const value of [2 ** 53, -(2 ** 53), true, undefined, 1n, Number.POSITIVE_INFINITY, Number.NaN, {}]) {
        refuses(() => sql.exec("INSERT INTO t VALUES (1, ?)", value as SqlValue));
      }
      refuses(() => sql.exec("SELECT 9007199254740993"));
      same(sql.exec("SELECT count(*) FROM t"), [[0]]);
    },
  },
  {
    name: "100 parameters are taken and 101 refused",
    run(sql) {
      const select = (n: number) => `SELECT ${Array.from({ length: n }, () => "?").join(" + ")}`;
      same(sql.exec(select(100), ...Array.from({ length: 100 }, () => 1)), [[100]]);
      refuses(() => sql.exec(select(101), ...Array.from({ length: 101 }, () => 1)));
    },
  },
  {
    name: "transactions by statement and pragmas are refused",
    run(sql) {
      for (const text of ["BEGIN", "SAVEPOINT s", "COMMIT", "PRAGMA user_version = 1", "VACUUM", "ATTACH ':memory:' AS a"]) {
        refuses(() => sql.exec(text));
      }
    },
  },
  {
    name: "a transaction keeps all of its body or none of it",
    run(sql) {
      table(sql);
      same(
        sql.transaction(() => {
          sql.exec("INSERT INTO t VALUES (1, 1)");
          return "kept";
        }),
        "kept",
      );
      refuses(() =>
        sql.transaction(() => {
          sql.exec("INSERT INTO t VALUES (2, 1)");
          throw new Error("no");
        }),
      );
      same(sql.exec("SELECT id FROM t"), [[1]]);
    },
  },
  {
    name: "an inner transaction that fails leaves the outer one whole",
    run(sql) {
      table(sql);
      sql.transaction(() => {
        sql.exec("INSERT INTO t VALUES (1, 1)");
        refuses(() =>
          sql.transaction(() => {
            sql.exec("INSERT INTO t VALUES (2, 1)");
            throw new Error("no");
          }),
        );
        sql.exec("INSERT INTO t VALUES (3, 1)");
      });
      same(sql.exec("SELECT id FROM t ORDER BY id"), [[1], [3]]);
    },
  },
  {
    name: "a body that gives a promise is refused and keeps nothing",
    run(sql) {
      table(sql);
      refuses(() =>
        sql.transaction(() => {
          sql.exec("INSERT INTO t VALUES (1, 1)");
          return Promise.resolve();
        }),
      );
      same(sql.exec("SELECT count(*) FROM t"), [[0]]);
    },
  },
  {
    name: "a statement that fails throws, and the next one works",
    run(sql) {
      table(sql);
      sql.exec("INSERT INTO t VALUES (1, 1)");
      refuses(() => sql.exec("INSERT INTO t VALUES (1, 2)"));
      refuses(() => sql.exec("SELECT nothing FROM nowhere"));
      same(sql.exec("SELECT v FROM t"), [[1]]);
    },
  },
  {
    name: "scan gives the rows one by one, may be left early, and leaves room for other reads between",
    run(sql) {
      table(sql);
      for (let i = 0; i < 50; i++) sql.exec("INSERT INTO t VALUES (?, ?)", i, i * i);
      let sum = 0;
      for (const [id, v] of sql.scan("SELECT id, v FROM t WHERE id >= ? ORDER BY id", 10)) {
        same(sql.exec("SELECT v FROM t WHERE id = ?", id), [[v]]);
        if ((id as number) >= 20) break;
        sum += id as number;
      }
      same(sum, 145);
      same([...sql.scan("SELECT id FROM t WHERE id < 2")], [[0], [1]]);
    },
  },
  {
    name: "RETURNING, upsert, WITHOUT ROWID and partial results work as in SQLite",
    run(sql) {
      sql.exec("CREATE TABLE c (k TEXT PRIMARY KEY, n INTEGER) WITHOUT ROWID");
      const add = "INSERT INTO c VALUES (?, ?) ON CONFLICT (k) DO UPDATE SET n = n + excluded.n RETURNING n";
      same([sql.exec(add, "a", 1), sql.exec(add, "a", 2)], [[[1]], [[3]]]);
      same(sql.exec("DELETE FROM c WHERE k = ? RETURNING k", "a"), [["a"]]);
      same(sql.exec("SELECT 1 FROM c"), []);
    },
  },
  {
    name: "a blob of 1.9 MB is kept and one past the row limit refused",
    run(sql) {
      table(sql);
      sql.exec("INSERT INTO t VALUES (1, ?)", new Uint8Array(1_900_000));
      refuses(() => sql.exec("INSERT INTO t VALUES (2, ?)", new Uint8Array(2_300_000)));
      same(sql.exec("SELECT length(v) FROM t"), [[1_900_000]]);
    },
  },
  {
    name: "databaseBytes counts the pages in use: it grows with what is stored and shrinks with what is removed",
    run(sql) {
      table(sql);
      const empty = sql.databaseBytes();
      for (let i = 0; i < 20; i++) sql.exec("INSERT INTO t VALUES (?, ?)", i, new Uint8Array(10_000));
      const full = sql.databaseBytes();
      if (!(empty > 0 && full >= empty + 200_000)) throw new Error(`got ${empty} and ${full}`);
      sql.exec("DELETE FROM t");
      const emptied = sql.databaseBytes();
      if (!(emptied < full - 150_000)) throw new Error(`got ${full} and then ${emptied}`);
    },
  },
];
