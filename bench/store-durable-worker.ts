/**
 * The object that bench/store-durable.ts measures in.
 *
 * What is compared takes turns in small blocks: a block of ours, a block of raw SQL of as many rows, and so on. So a
 * machine that is busy with other work slows both alike, and the ratio stands.
 */
import { DurableObject } from "cloudflare:workers";
import { Pace } from "../src/durable/run-loop";
import { SqlDurable } from "../src/durable/sql-durable";
import { generateDataKey, StoreCipher } from "../src/durable/vault";
import { ALWAYS } from "../src/engine/claim";
import { Store } from "../src/engine/store";
import { OpenStore } from "../src/tools/start-tool";

const STATEMENTS_A_SLICE = 200;
const BLOCK = 1000;
/** Of one round of the loop in `#programOf`. */
const OPS_A_FACT = 5;
/** Steps of the pseudo-random walk over cells: coprime to every round count. */
const STRIDE = 7919;

interface Measured {
  readonly name: string;
  readonly ours: number;
  readonly raw: number;
  readonly each: number;
}

export class Bench extends DurableObject {
  readonly #sql = new SqlDurable(this.ctx.storage);
  readonly #lines: string[] = [];
  #rawRows = 0;

  override async fetch(request: Request): Promise<Response> {
    const count = Number(new URL(request.url).searchParams.get("claims"));
    const sql = this.#sql;
    sql.exec("CREATE TABLE t (a INTEGER, b INTEGER, c INTEGER, d INTEGER, e INTEGER, f INTEGER, PRIMARY KEY (a, b)) WITHOUT ROWID");
    sql.exec("CREATE INDEX t_c ON t (c)");
    sql.exec("CREATE INDEX t_d ON t (d)");
    this.#warm();

    const cipher = new StoreCipher(generateDataKey(), "00".repeat(32));
    this.#print(this.#programOf(new OpenStore(sql, cipher, { storeId: "bench", createdAtMicros: 0 }), count));
    const store = Store.open(sql, cipher);
    const session = store.beginCall({ keyId: "key", level: "read-write-delete", wallMicros: Date.now() * 1000, writes: true });
    const cell = (i: number) => ({ kind: "Sensor", subject: `sensor-${i}`, field: "reading" });
    const written = (name: string, write: (i: number) => void) =>
      this.#print(
        this.#turns(
          name,
          count,
          (from, to) => {
            for (let i = from; i < to; i++) {
              write(i);
              if (i % STATEMENTS_A_SLICE === 0) session.flush();
            }
            session.flush();
          },
          (from, to) => this.#insert(to - from),
        ),
      );
    written("`remember`: a new subject, a new value", (i) => session.remember(cell(i), `value ${i}`, "bench", ALWAYS, new Map()));
    written("`remember`: another field of it, an int", (i) =>
      session.remember({ kind: "Sensor", subject: `sensor-${i}`, field: "count" }, i % 1000, "bench", ALWAYS, new Map()),
    );
    const read = (name: string, rounds: number, body: (i: number) => void) =>
      this.#print(
        this.#turns(
          name,
          rounds,
          (from, to) => {
            for (let i = from; i < to; i++) body(i);
          },
          (from, to) => {
            for (let i = from; i < to; i++) sql.exec("SELECT c, d FROM t WHERE a = ? AND b = ?", (i * STRIDE) % this.#rawRows, 1);
          },
        ),
      );
    read("`value`: any of all cells", count, (i) => session.value(cell((i * STRIDE) % count), {}));
    read("`value`: any of 10,000 cells", count, (i) => session.value(cell((i * STRIDE) % Math.min(count, 10_000)), {}));
    read("`value(known_at=)`: any of all cells", count / 2, (i) => session.value(cell((i * STRIDE) % count), { knownAt: session.instant }));
    read("`value(at=)`: any of all cells", count / 2, (i) => session.value(cell((i * STRIDE) % count), { at: session.instant }));
    const again = Store.open(sql, cipher).beginCall({ keyId: "key", level: "read", wallMicros: Date.now() * 1000, writes: false });
    read("`value`, in an object just opened", count / 10, (i) => again.value(cell((i * STRIDE) % count), {}));

    const time = (name: string, body: () => void) => {
      const start = performance.now();
      body();
      this.#lines.push(`| ${name} | ${(performance.now() - start).toFixed(0)} ms | | |`);
    };
    time(`\`subjects\` of ${count}`, () => session.subjects("Sensor", {}));
    time(`\`find\` among ${count}`, () => session.find("Sensor", new Map([["reading", "value 4711"]]), {}));
    time("1,000 calls of one `remember` each", () => {
      for (let i = 0; i < 1000; i++) {
        const one = store.beginCall({ keyId: "key", level: "read-write", wallMicros: Date.now() * 1000, writes: true });
        one.remember({ kind: "One", subject: `s${i}`, field: "x" }, i, "bench", ALWAYS, new Map());
        one.flush();
      }
    });
    this.#lines.push(`\n${sql.databaseBytes()} bytes with the raw rows`);
    return new Response(this.#lines.join("\n"));
  }

  /** One program of `count` facts, sliced as the run loop slices it; after each slice as many raw rows as it wrote facts. */
  #programOf(store: OpenStore, count: number): Measured {
    const task = store.startTool({
      tool: "run",
      args: { source: `for i in range(${count}):\n    remember(Probe[f"probe-{i}"].reading, f"value {i}", "bench")\n` },
      caller: { keyId: "key", level: "read-write-delete" },
      wallMicros: Date.now() * 1000,
      opsMax: 50_000_000,
      opsMaxIsCredit: false,
    });
    const pace = new Pace();
    let ours = 0;
    let raw = 0;
    let opsBefore = 0;
    for (let done = false; !done; ) {
      const start = performance.now();
      this.#sql.transaction(() => {
        done = task.advance(pace.steps);
      });
      const end = performance.now();
      ours += end - start;
      pace.sliceTook({ computingMs: end - start, turnMs: end - start });
      // A round of the loop is a fixed number of ops, so ops say how many facts the slice wrote.
      const facts = Math.round((task.ops - opsBefore) / OPS_A_FACT);
      opsBefore = task.ops;
      raw += this.#insert(facts);
    }
    const answer = task.answer();
    const found = this.#sql.exec("SELECT count(*) FROM claim")[0][0];
    if (found !== count) throw new Error(`${found} claims: ${JSON.stringify(answer).slice(0, 500)}`);
    return { name: `one program, ${count} facts (${task.ops} ops)`, ours, raw: (raw / this.#rawRows) * count, each: count };
  }

  #warm(): void {
    this.#insert(2000);
    this.#sql.exec("DELETE FROM t");
    this.#rawRows = 0;
  }

  /** Milliseconds. */
  #insert(rows: number): number {
    const start = performance.now();
    this.#sql.transaction(() => {
      for (let n = 0; n < rows; n++) {
        const i = this.#rawRows++;
        this.#sql.exec("INSERT INTO t VALUES (?, ?, ?, ?, ?, ?)", i, 1, i * 7, i % 97, i, i);
      }
    });
    return performance.now() - start;
  }

  #turns(name: string, count: number, ours: (from: number, to: number) => void, raw: (from: number, to: number) => void): Measured {
    let oursMs = 0;
    let rawMs = 0;
    for (let from = 0; from < count; from += BLOCK) {
      const to = Math.min(count, from + BLOCK);
      const start = performance.now();
      ours(from, to);
      const between = performance.now();
      raw(from, to);
      oursMs += between - start;
      rawMs += performance.now() - between;
    }
    return { name, ours: oursMs, raw: rawMs, each: count };
  }

  #print({ name, ours, raw, each }: Measured): void {
    const micros = (ms: number) => ((ms * 1000) / each).toFixed(1);
    this.#lines.push(`| ${name} | ${micros(ours)} µs | ${micros(raw)} µs | ${(raw / ours).toFixed(2)} |`);
  }
}

export default {
  fetch(request: Request, env: { BENCH: DurableObjectNamespace }): Promise<Response> {
    return env.BENCH.get(env.BENCH.newUniqueId()).fetch(request);
  },
};
