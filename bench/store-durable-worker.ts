/** The object that bench/store-durable.ts measures in. */
import { DurableObject } from "cloudflare:workers";
import { SqlDurable } from "../src/durable/sql-durable";
import { ALWAYS } from "../src/engine/claim";
import { Store } from "../src/engine/store";
import { CipherNode } from "../test/engine/cipher-node";

const STATEMENTS_A_SLICE = 200;

export class Bench extends DurableObject {
  override async fetch(request: Request): Promise<Response> {
    const count = Number(new URL(request.url).searchParams.get("claims"));
    const lines: string[] = [];
    const time = (name: string, each: number, body: () => void) => {
      const start = performance.now();
      body();
      const ms = performance.now() - start;
      lines.push(`${name.padEnd(44)} ${ms.toFixed(0).padStart(7)} ms ${((ms * 1000) / each).toFixed(2).padStart(8)} µs each`);
    };
    const sql = new SqlDurable(this.ctx.storage);
    sql.exec("CREATE TABLE t (a INTEGER, b INTEGER, c INTEGER, d INTEGER, e INTEGER, f INTEGER, PRIMARY KEY (a, b)) WITHOUT ROWID");
    sql.exec("CREATE INDEX t_c ON t (c)");
    sql.exec("CREATE INDEX t_d ON t (d)");
    time("raw insert, 6 integers, 2 indices", count, () =>
      sql.transaction(() => {
        for (let i = 0; i < count; i++) sql.exec("INSERT INTO t VALUES (?, ?, ?, ?, ?, ?)", i, 1, i * 7, i % 97, i, i);
      }),
    );
    time("raw point select", count, () => {
      for (let i = 0; i < count; i++) sql.exec("SELECT c, d FROM t WHERE a = ? AND b = ?", (i * 7919) % count, 1);
    });
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
    time("value, 10,000 cells again and again", count, () => {
      for (let i = 0; i < count; i++) session.value(cell((i * 7919) % 10_000), {});
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
    const again = Store.open(sql, cipher).beginCall({ keyId: "key", level: "read", wallMicros: Date.now() * 1000, writes: false });
    time("value, random, cold", count / 10, () => {
      for (let i = 0; i < count / 10; i++) again.value(cell((i * 7919) % count), {});
    });
    time("a call of one remember", 1000, () => {
      for (let i = 0; i < 1000; i++) {
        const one = store.beginCall({ keyId: "key", level: "read-write", wallMicros: Date.now() * 1000, writes: true });
        one.remember({ kind: "One", subject: `s${i}`, field: "x" }, i, "bench", ALWAYS, new Map());
        one.flush();
      }
    });
    lines.push(`${sql.databaseBytes()} bytes`);
    return new Response(lines.join("\n"));
  }
}

export default {
  fetch(request: Request, env: { BENCH: DurableObjectNamespace }): Promise<Response> {
    return env.BENCH.get(env.BENCH.newUniqueId()).fetch(request);
  },
};
