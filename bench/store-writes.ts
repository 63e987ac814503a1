/**
 * What the store's verbs cost, beside raw SQL on the same database: `npx tsx bench/store-writes.ts [claims]`.
 * Flushes every 200 statements, as a run does at the end of each slice.
 */

import { ALWAYS } from "../src/engine/claim";
import { Store } from "../src/engine/store";
import { CipherNode } from "../test/engine/cipher-node";
import { SqlNode } from "../test/engine/sql-node";

const count = Number(process.argv[2] ?? 100_000);
const STATEMENTS_A_SLICE = 200;

function time(name: string, each: number, body: () => void): number {
  const start = performance.now();
  body();
  const ms = performance.now() - start;
  console.log(`${name.padEnd(44)} ${ms.toFixed(0).padStart(7)} ms ${((ms * 1000) / each).toFixed(2).padStart(8)} µs each`);
  return ms;
}

const raw = new SqlNode();
raw.exec("CREATE TABLE t (a INTEGER, b INTEGER, c INTEGER, d INTEGER, e INTEGER, f INTEGER, PRIMARY KEY (a, b)) WITHOUT ROWID");
raw.exec("CREATE INDEX t_c ON t (c)");
raw.exec("CREATE INDEX t_d ON t (d)");
time("raw insert, 6 integers, 2 indices", count, () =>
  raw.transaction(() => {
    for (let i = 0; i < count; i++) raw.exec("INSERT INTO t VALUES (?, ?, ?, ?, ?, ?)", i, 1, i * 7, i % 97, i, i);
  }),
);
time("raw point select", count, () => {
  for (let i = 0; i < count; i++) raw.exec("SELECT c, d FROM t WHERE a = ? AND b = ?", (i * 7919) % count, 1);
});

const sql = new SqlNode();
const cipher = new CipherNode();
const store = Store.open(sql, cipher);
const session = store.beginCall({ keyId: "key", level: "read-write-delete", wallMicros: Date.now() * 1000, writes: true });
const cell = (i: number) => ({ kind: "Sensor", subject: `sensor-${i}`, field: "reading" });
time("remember, a subject and a value each", count, () => {
  for (let i = 0; i < count; i++) {
    session.remember(cell(i), `value ${i}`, "bench", ALWAYS, new Map());
    if (i % STATEMENTS_A_SLICE === 0) session.flush();
  }
  session.flush();
});
time("remember, a second field with small ints", count, () => {
  for (let i = 0; i < count; i++) {
    session.remember({ kind: "Sensor", subject: `sensor-${i}`, field: "count" }, i % 1000, "bench", ALWAYS, new Map());
    if (i % STATEMENTS_A_SLICE === 0) session.flush();
  }
  session.flush();
});
time("value, random", count, () => {
  for (let i = 0; i < count; i++) session.value(cell((i * 7919) % count), {});
});
time("current, random", count, () => {
  for (let i = 0; i < count; i++) session.current(cell((i * 7919) % count), {});
});
time("value known_at, random", count / 10, () => {
  for (let i = 0; i < count / 10; i++) session.value(cell((i * 7919) % count), { knownAt: session.instant });
});
time("update of every tenth", count / 10, () => {
  for (let i = 0; i < count; i += 10) {
    session.update(cell(i), `new ${i}`, "bench", ALWAYS, new Map());
    if (i % (STATEMENTS_A_SLICE * 10) === 0) session.flush();
  }
  session.flush();
});
time("subjects", count, () => {
  session.subjects("Sensor", {});
});
time("find", count, () => {
  session.find("Sensor", new Map([["reading", "value 4711"]]), {});
});
console.log(`${sql.databaseBytes()} bytes, ${Math.round(process.memoryUsage().heapUsed / 1e6)} MB of heap`);
time("open again", 1, () => {
  const session = Store.open(sql, cipher).beginCall({ keyId: "key", level: "read", wallMicros: Date.now() * 1000, writes: false });
  time("value, random, cold", count / 10, () => {
    for (let i = 0; i < count / 10; i++) session.value(cell((i * 7919) % count), {});
  });
});
