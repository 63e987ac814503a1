/**
 * What the adapter over an object's SQLite promises, as checks that run inside the object: the port's contract, and what is ours alone.
 *
 * A check throws where its promise is broken.
 */
import { SqlDurable } from "../../src/durable/sql-durable";
import { StoreCipher } from "../../src/durable/vault";
import type { SqlValue } from "../../src/engine/sql";
import { Store } from "../../src/engine/store";
import { SQL_CONTRACT } from "../engine/sql-contract";

type Check = (sql: SqlDurable, storage: DurableObjectStorage) => void;

export const SQL_CHECKS: { [promise: string]: Check } = {
  "a blob comes back as bytes of its own": (sql) => {
    sql.exec("CREATE TABLE a (b BLOB)");
    sql.exec("INSERT INTO a VALUES (?)", Uint8Array.of(0, 255, 7).subarray(1));
    const [[one]] = sql.exec("SELECT b FROM a");
    equal(one instanceof Uint8Array, true);
    (one as Uint8Array)[0] = 1;
    for (const [two] of sql.scan("SELECT b FROM a")) equal([...(two as Uint8Array)], [255, 7]);
  },
  "integers to 2^53 - 1 come back as they were; beyond, they are refused both ways": (sql) => {
    sql.exec("CREATE TABLE a (n INTEGER)");
    for (const n of [0, -1, Number.MAX_SAFE_INTEGER, -Number.MAX_SAFE_INTEGER]) {
      sql.exec("DELETE FROM a");
      sql.exec("INSERT INTO a VALUES (?)", n);
      equal(sql.exec("SELECT n, typeof(n) FROM a"), [[n, "integer"]]);
    }
    for (const n of [2 ** 53, -(2 ** 53), 1e300]) refuses(/safe/, () => sql.exec("INSERT INTO a VALUES (?)", n));
    refuses(/safe/, () => sql.exec("SELECT 9007199254740993"));
    refuses(/safe/, () => [...sql.scan("SELECT -9007199254740993")]);
  },
  "what the platform would store as something else is refused": (sql) => {
    for (const value of [true, undefined, Number.NaN, Number.POSITIVE_INFINITY, 1n, new Date(0), [1], new ArrayBuffer(1)]) {
      refuses(/invariant broken/, () => sql.exec("SELECT ?", value as unknown as SqlValue));
    }
  },
  "text keeps every character, NUL and astral ones too": (sql) => {
    const text = "a\u0000b😀\u{10ffff}é";
    equal(sql.exec("SELECT ?, length(?)", text, "é😀")[0], [text, 2]);
  },
  "more than 100 parameters are refused, 100 are taken": (sql) => {
    const list = (count: number) => Array.from({ length: count }, () => "?").join(", ");
    equal(sql.exec(`SELECT ${list(100)}`, ...Array.from({ length: 100 }, (_, i) => i))[0].length, 100);
    refuses(/100 parameters/, () => sql.exec(`SELECT ${list(101)}`, ...Array.from({ length: 101 }, () => 0)));
  },
  "a transaction is all or nothing, and nests": (sql) => {
    sql.exec("CREATE TABLE a (n INTEGER)");
    refuses(/outer/, () =>
      sql.transaction(() => {
        sql.exec("INSERT INTO a VALUES (1)");
        throw new Error("outer");
      }),
    );
    const result = sql.transaction(() => {
      sql.exec("INSERT INTO a VALUES (2)");
      refuses(/inner/, () =>
        sql.transaction(() => {
          sql.exec("INSERT INTO a VALUES (3)");
          throw new Error("inner");
        }),
      );
      sql.transaction(() => sql.exec("INSERT INTO a VALUES (4)"));
      return "done";
    });
    equal(result, "done");
    equal(sql.exec("SELECT n FROM a ORDER BY n").flat(), [2, 4]);
  },
  "a promise is refused as a transaction's body, and nothing of it stays": (sql) => {
    sql.exec("CREATE TABLE a (n INTEGER)");
    refuses(/synchronous/, () => {
      sql.transaction(async () => {
        sql.exec("INSERT INTO a VALUES (1)");
      });
    });
    equal(sql.exec("SELECT count(*) FROM a"), [[0]]);
  },
  "statements of transactions are refused": (sql) => {
    for (const text of ["BEGIN", "SAVEPOINT a", "COMMIT", "PRAGMA user_version = 3"]) refuses(/./, () => sql.exec(text));
  },
  "rows written are counted, reading counts nothing": (sql) => {
    sql.exec("CREATE TABLE a (n INTEGER)");
    const before = sql.rowsWritten;
    sql.exec("SELECT n FROM a");
    equal(sql.rowsWritten, before);
    sql.exec("INSERT INTO a VALUES (1), (2)");
    equal(sql.rowsWritten, before + 2);
    sql.exec("DELETE FROM a");
    equal(sql.rowsWritten > before + 2, true);
  },
  "a write that reports rows counts them too": (sql) => {
    sql.exec("CREATE TABLE a (n INTEGER)");
    const before = sql.rowsWritten;
    equal(sql.exec("INSERT INTO a VALUES (1), (2) RETURNING n"), [[1], [2]]);
    equal(sql.rowsWritten, before + 2);
  },
  "a scan gives rows one at a time and may be left early": (sql) => {
    sql.exec("CREATE TABLE a (n INTEGER)");
    for (let n = 0; n < 10; n++) sql.exec("INSERT INTO a VALUES (?)", n);
    const seen: unknown[] = [];
    for (const [n] of sql.scan("SELECT n FROM a ORDER BY n")) {
      seen.push(n);
      if (n === 3) break;
    }
    equal(seen, [0, 1, 2, 3]);
    sql.transaction(() => sql.exec("DELETE FROM a"));
    equal(sql.exec("SELECT count(*) FROM a"), [[0]]);
  },
  "an error of a statement is not taken for one of the disk": (sql) => {
    refuses(/no such table/, () => sql.exec("SELECT * FROM nowhere"));
    try {
      sql.exec("SELECT * FROM nowhere");
    } catch (error) {
      equal((error as Error).name === "StorageFailure", false);
    }
  },
  "an error of the disk has a name of its own": () => {
    // The disk does not fail to order: a storage whose every statement reports what SQLite reports then.
    for (const code of ["SQLITE_FULL", "SQLITE_IOERR", "SQLITE_NOMEM", "SQLITE_CORRUPT"]) {
      const failing = { sql: { exec: () => fail(new Error(`database or disk is full: ${code}`)) } } as unknown as DurableObjectStorage;
      const sql = new SqlDurable(failing);
      for (const run of [() => sql.exec("SELECT 1"), () => [...sql.scan("SELECT 1")]]) {
        try {
          run();
          fail(new Error("did not throw"));
        } catch (error) {
          equal([(error as Error).name, (error as Error).message.includes(code)], ["StorageFailure", true]);
        }
      }
    }
  },
};

for (const { name, run } of SQL_CONTRACT) SQL_CHECKS[`contract: ${name}`] = run;

/** The engine's store over this adapter and the vault's cipher. */
SQL_CHECKS["a store keeps what it was told, and no name or value can be read in its tables"] = (sql) => {
  const cipher = () => new StoreCipher(new Uint8Array(32).fill(5), "ab".repeat(32));
  const call = { keyId: "key_one", level: "read-write-delete", wallMicros: 1_800_000_000_000_000, writes: true } as const;
  const cell = (n: number) => ({ kind: "SecretKind", subject: `secret subject ${n}`, field: "secret_field" });
  const writing = Store.open(sql, cipher()).beginCall(call);
  for (let n = 0; n < 200; n++) writing.remember(cell(n), `secret value ${n}`, "secret source", { from: null, to: null }, new Map());
  writing.flush();
  for (let n = 0; n < 200; n += 2) writing.forget({ tag: "cell", cell: cell(n) });
  writing.flush();
  const reading = Store.open(sql, cipher()).beginCall({ ...call, writes: false });
  for (let n = 0; n < 200; n++) equal(reading.value(cell(n)).value ?? null, n % 2 === 0 ? null : `secret value ${n}`);
  equal(reading.subjects("SecretKind").length, 100);
  const tables = sql.exec("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB '_cf*'").flat();
  let bytes = 0;
  for (const table of tables) {
    for (const row of sql.scan(`SELECT * FROM ${table}`)) {
      for (const value of row) {
        const text = value instanceof Uint8Array ? Buffer.from(value).toString("latin1") : String(value);
        bytes += text.length;
        if (/secret/i.test(text)) fail(new Error(`${table}: ${text}`));
      }
    }
  }
  equal(bytes > 5_000, true);
};

function fail(error: Error): never {
  throw error;
}

function equal(got: unknown, want: unknown): void {
  if (JSON.stringify(got) !== JSON.stringify(want)) throw new Error(`got ${JSON.stringify(got)}, want ${JSON.stringify(want)}`);
}

function refuses(message: RegExp, body: () => unknown): void {
  let refused: unknown = null;
  try {
    body();
  } catch (error) {
    refused = error;
  }
  if (refused === null) throw new Error("not refused");
  if (!message.test(String(refused))) throw refused;
}
