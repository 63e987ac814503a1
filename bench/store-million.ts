/**
 * One store of a million claims, under a heap of 128 MiB: `npx tsx bench/store-million.ts [claims] [heap MiB]`.
 *
 * CPU time. One process builds the store, in a file, and another, with the small heap, opens and asks it; the same is done for a
 * tenth of the size, so that what grows with the store shows. The heap is V8's. Outside it lie, here as in an isolate,
 * the contents of typed arrays (what is held of the index of symbols, open pages), told as `external`; and SQLite with its page
 * cache, which here is WebAssembly memory and inside an object belongs to the platform.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ALWAYS, type Cell } from "../src/engine/claim";
import type { Session } from "../src/engine/session";
import { Store } from "../src/engine/store";
import { CipherNode } from "../test/engine/cipher-node";
import { SqlNode } from "../test/engine/sql-node";

const KEY = Buffer.alloc(32, 7);
const STATEMENTS_A_SLICE = 200;
const STRIDE = 7919;
const CLAIMS_A_SUBJECT = 4;
const FIELDS = ["name", "count", "place", "note"];
const SMALL_KIND = 100;
const READS = 5000;
const AFTER_MARK = 1000;

const [role, ...rest] = process.argv.slice(2);
if (role === "build") build(rest[0], Number(rest[1]));
else if (role === "ask") ask(rest[0], Number(rest[1]));
else compare(Number(role ?? 1_000_000), Number(rest[0] ?? 128));

function compare(claims: number, heapMiB: number): void {
  const told: Record<string, string>[] = [];
  for (const size of [claims / 10, claims]) {
    const folder = mkdtempSync(join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "dke-million-"));
    try {
      const file = join(folder, "store.sqlite");
      process.stderr.write(`building ${size} claims\n`);
      child(["build", file, String(size)], 1024);
      told.push(JSON.parse(child(["ask", file, String(size)], heapMiB)) as Record<string, string>);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
  const [small, large] = told;
  console.log(`| V8 heap at most ${heapMiB} MiB | ${claims / 10} claims | ${claims} claims |\n|---|--:|--:|`);
  for (const name of Object.keys(large)) console.log(`| ${name} | ${small[name]} | ${large[name]} |`);
}

function child(args: readonly string[], heapMiB: number): string {
  const tsx = fileURLToPath(new URL("../node_modules/tsx/dist/esm/index.mjs", import.meta.url));
  const flags = [`--max-old-space-size=${heapMiB}`, "--max-semi-space-size=8", "--expose-gc", "--import", tsx];
  const { status, stdout, stderr } = spawnSync(process.execPath, [...flags, fileURLToPath(import.meta.url), ...args], { encoding: "utf8" });
  if (status !== 0) throw new Error(`${args[0]} ended with ${status}: ${stderr.slice(-2000)}`);
  return stdout;
}

function begin(store: Store): Session {
  return store.beginCall({ keyId: "key", level: "read-write-delete", wallMicros: Date.now() * 1000, writes: true });
}

function cellOf(i: number): Cell {
  return { kind: "Item", subject: `item-${Math.floor(i / CLAIMS_A_SUBJECT)}`, field: FIELDS[i % CLAIMS_A_SUBJECT] };
}

/** Half of the values are new texts, the others ints and a few places; some in a small Kind beside them. */
function valueOf(i: number): string | number {
  return [`name of ${i}`, i % 1000, `place ${i % 50}`, `note ${i} of this item`][i % CLAIMS_A_SUBJECT];
}

function build(file: string, claims: number): void {
  const sql = new SqlNode(file);
  const store = Store.open(sql, new CipherNode(KEY), { bytesMax: 4 * 2 ** 30 });
  const session = begin(store);
  // One transaction a hundred slices: the slices are what a run does, and the file's syncs are not what is asked here.
  for (let from = 0; from < claims; from += STATEMENTS_A_SLICE * 100) {
    sql.transaction(() => {
      for (let i = from; i < Math.min(claims, from + STATEMENTS_A_SLICE * 100); i++) {
        session.remember(cellOf(i), valueOf(i), "bench", ALWAYS, new Map());
        if (i % STATEMENTS_A_SLICE === 0) session.flush();
      }
      session.flush();
    });
  }
  for (let i = 0; i < SMALL_KIND; i++) session.remember({ kind: "Small", subject: `s${i}`, field: "x" }, i, "bench", ALWAYS, new Map());
  session.flush();
  session.checkpoint("recent");
  for (let i = 0; i < AFTER_MARK; i++) session.update(cellOf((i * STRIDE) % claims), `later ${i}`, "bench", ALWAYS, new Map());
  session.flush();
  sql.close();
}

function ask(file: string, claims: number): void {
  const told: Record<string, string> = {};
  const sql = new SqlNode(file);
  // This SQLite locks its file anew for each statement outside a transaction, which an object's own does not.
  const locked = (body: () => unknown) => sql.transaction(() => void body());
  const time = (name: string, each: number, body: () => unknown) => {
    const start = process.cpuUsage();
    locked(body);
    const { user, system } = process.cpuUsage(start);
    told[name] = each === 1 ? `${((user + system) / 1000).toFixed(1)} ms` : `${((user + system) / each).toFixed(1)} µs`;
  };
  let store!: Store;
  let session!: Session;
  const open = () => {
    store = Store.open(sql, new CipherNode(KEY), { bytesMax: 4 * 2 ** 30 });
    session = begin(store);
    must(session.value({ kind: "Small", subject: "s7", field: "x" }, {}).value === 7);
  };
  time("open, and the first `value`, in a new process", 1, open);
  // What is compiled by now is no cost of the store.
  for (let i = 0; i < 4; i++) locked(open);
  time("the same again, in an object opened anew", 1, open);
  const any = (i: number) => cellOf(AFTER_MARK + ((i * STRIDE * 13) % (claims - AFTER_MARK)));
  time("`value`, any of all cells", READS, () => {
    for (let i = 0; i < READS; i++) must(session.value(any(i), {}).found);
  });
  time("the same cells again", READS, () => {
    for (let i = 0; i < READS; i++) must(session.value(any(i), {}).found);
  });
  time("`value(known_at=)`, any of all cells", READS, () => {
    for (let i = 0; i < READS; i++) must(session.value(any(i), { knownAt: session.instant }).found);
  });
  time(`\`subjects\` of a Kind of ${SMALL_KIND}`, 1, () => must(session.subjects("Small", {}).length === SMALL_KIND));
  time(`\`find\` in it`, 1, () => must(session.find("Small", new Map([["x", 42]]), {}).length === 1));
  time(`\`diff\` of ${AFTER_MARK} updates since a mark`, 1, () => must([...session.diff("recent")!].length === AFTER_MARK));
  time("`kinds`", 1, () => must(session.kinds().length === 2));
  time("a mark", 1, () => {
    session.checkpoint("now");
    session.flush();
  });
  time("a call of one `remember`", 200, () => {
    for (let i = 0; i < 200; i++) {
      const one = begin(store);
      one.remember({ kind: "Late", subject: `l${i}`, field: "x" }, `late ${i}`, "bench", ALWAYS, new Map());
      one.flush();
    }
  });
  time("`find` over a quarter as many subjects", 1, () => must(session.find("Item", new Map([["place", "place 6"]]), {}).length > 0));
  (globalThis as { gc?: () => void }).gc?.();
  const { heapUsed, external } = process.memoryUsage();
  told["V8 heap then"] = `${(heapUsed / 2 ** 20).toFixed(0)} MiB`;
  told["outside it (typed arrays, SQLite)"] = `${(external / 2 ** 20).toFixed(0)} MiB`;
  told["the database"] = `${(sql.databaseBytes() / 2 ** 20).toFixed(0)} MiB`;
  sql.close();
  process.stdout.write(JSON.stringify(told));
}

function must(holds: boolean): void {
  if (!holds) throw new Error("a wrong answer");
}
