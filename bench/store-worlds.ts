/**
 * What a world costs beside the store itself, under rules: `npx tsx bench/store-worlds.ts [subjects]`.
 *
 * CPU time. A statement inside costs what it changes, never the store; to enter costs what the world holds, once for as
 * long as nobody asks for the store or another world.
 */
import { ALWAYS } from "../src/engine/claim";
import { Reasoner } from "../src/engine/reasoner";
import { Store, type StoreOptions } from "../src/engine/store";
import { RULE_CALCULUS } from "../src/lang/declare/rule-calculus";
import { CipherNode } from "../test/engine/cipher-node";
import { declareSource } from "../test/engine/rule-source";
import { SqlNode } from "../test/engine/sql-node";

const count = Number(process.argv[2] ?? 100_000);
const SOURCE = `class S:
    value: int
    limit: int
    at: Room

@rule
def alarm(s: S):
    when(s.value > s.limit, none(o for o in Off if o.sensor == s))
    conclude(s.alarm, True)

@rule
def crowd(r: Room):
    when(r.size > 0)
    conclude(r.alarms, count(s for s in S if s.at == r and s.alarm == True))
`;
const { kinds, rules, constraints, diagnostics } = declareSource(SOURCE);
if (diagnostics.length > 0) throw new Error(JSON.stringify(diagnostics));

function time(name: string, each: number, body: () => void): void {
  const start = process.cpuUsage();
  body();
  const { user, system } = process.cpuUsage(start);
  const micros = user + system;
  console.log(`${name.padEnd(52)} ${(micros / 1000).toFixed(1).padStart(9)} ms ${(micros / each).toFixed(1).padStart(9)} µs each`);
}

const options: StoreOptions = { reasoner: (symbols, facts) => new Reasoner(symbols, facts, RULE_CALCULUS) };
const sql = new SqlNode();
const cipher = new CipherNode();
let store = Store.open(sql, cipher, options);
let wall = 1_000_000;
const begin = () => store.beginCall({ keyId: "key", level: "read-write-delete", wallMicros: (wall += 1000), writes: true });
let session = begin();
session.installModule({ name: "m", form: "{}", language: "eng", kinds, scripts: [], rules, constraints, imports: [] });
const cell = (i: number, field: string) => ({ kind: "m.S", subject: `s${i}`, field });
const write = (i: number, field: string, value: number) => session.remember(cell(i, field), value, "bench", ALWAYS, new Map());
const held = 10_000;
const readAll = () => {
  for (let i = 0; i < held; i++) session.value(cell((i * 7919) % count, "alarm"));
};
const within = (name: string, body: () => void) => {
  session.worldBegin(name);
  body();
  session.worldEnd();
};

console.log(`${count} subjects with two claims each, a conclusion for half of them`);
time("remember in an empty store", 2 * count, () => {
  for (let i = 0; i < count; i++) {
    write(i, "limit", 50);
    write(i, "value", i % 100);
    if (i % 200 === 0) session.flush();
  }
  session.flush();
});
time("update in the store", held, () => {
  for (let i = 0; i < held; i++) {
    session.update(cell((i * 7919) % count, "value"), (i % 100) + 1000, "bench", ALWAYS, new Map());
    if (i % 200 === 0) session.flush();
  }
  session.flush();
});
session.createWorld("small");
session.createWorld("large");
time("enter an empty world and read there", 1, () => within("small", () => session.value(cell(1, "alarm"))));
within("small", () => write(count + 1, "value", 1));
within("large", () => {
  time("update in a world", held, () => {
    for (let i = 0; i < held; i++) {
      session.update(cell((i * 7907) % count, "value"), (i % 100) + 2000, "bench", ALWAYS, new Map());
      if (i % 200 === 0) session.flush();
    }
    session.flush();
  });
  time("update in a branch in a world, and its landing", held, () => {
    session.branchBegin(null);
    for (let i = 0; i < held; i++) session.update(cell((i * 7901) % count, "limit"), (i % 100) + 1, "bench", ALWAYS, new Map());
    session.branchCommit(true);
    session.flush();
  });
  readAll();
  time("value in a world, random", held, readAll);
});
time(`leave a world of ${2 * held} revisions`, 2 * held, () => session.value(cell(1, "value")));
readAll();
time("value in the store, random", held, readAll);
time(`enter it again`, 2 * held, () => within("large", () => session.value(cell(1, "value"))));
time("in and out of it, a read each time", held, () => {
  for (let i = 0; i < held; i++) within("large", () => session.value(cell(i, "value")));
});
time("in and out of a world of one claim, a write outside between", held, () => {
  for (let i = 0; i < held; i++) {
    within("small", () => session.value(cell(count + 1, "value")));
    write(count + 2 + i, "limit", 1);
    if (i % 200 === 0) session.flush();
  }
});
session.flush();
console.log(`heap ${(process.memoryUsage().heapUsed / 2 ** 20).toFixed(0)} MiB`);
store = Store.open(sql, cipher, options);
session = begin();
time("opened anew: enter it", 2 * held, () => within("large", () => session.value(cell(1, "value"))));
time("merge it", 2 * held, () => {
  session.mergeWorld("large");
  session.flush();
});
time("discard a world of one claim", 1, () => {
  session.discardWorld("small");
  session.flush();
});
