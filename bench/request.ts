/**
 * The request endpoint: what reading a text costs, beside `JSON.parse` of the same size; what records as claims cost, beside
 * a table made for them. `npx tsx bench/request.ts`.
 *
 * The table is what one would build instead: a row a record, sealed, found by id; a row an edge. It gives no history, no
 * rules, no reasons, no marks. Both go through the same requests: the same reading, checking, layers, transactions, answers.
 */
import * as z from "zod";
import { Reasoner } from "../src/engine/reasoner";
import { Store } from "../src/engine/store";
import { RULE_CALCULUS } from "../src/lang/declare/rule-calculus";
import { parseOps } from "../src/lang/ops/parse-ops";
import { EventLog } from "../src/request/event/event-log";
import { kgIndex } from "../src/request/kg/kg-index";
import { headOf, recordId } from "../src/request/kg/record-id";
import { PACKS } from "../src/request/packs";
import { Registry } from "../src/request/registry";
import { RequestTask } from "../src/request/run-request";
import { describeVerb } from "../src/request/verb";
import { CipherNode } from "../test/engine/cipher-node";
import { SqlNode } from "../test/engine/sql-node";

const cpuMicros = (): number => {
  const { user, system } = process.cpuUsage();
  return user + system;
};

/** Least of five runs, CPU microseconds a round. */
function micros(rounds: number, body: () => void): number {
  let best = Number.POSITIVE_INFINITY;
  for (let i = 0; i < 5; i++) {
    const before = cpuMicros();
    for (let round = 0; round < rounds; round++) body();
    best = Math.min(best, (cpuMicros() - before) / rounds);
  }
  return best;
}

// ---- reading

const line = (cells: readonly (string | number)[]) => console.log(`| ${cells.join(" | ")} |`);
const TEXTS: readonly (readonly [string, string])[] = [
  ["one call, simple", 'search(query="LoRA")'],
  [
    "one call, complex",
    'create(kind="entity", entity_kind="concept", name="LoRA", tags=["peft", "ml"], properties={"year": 2021, "by": ["Hu", "Shen"], "open": true})',
  ],
  ["batch of 3", '[stats(), search(kind="entity", query="LoRA"), get(id="1f0c9a52")]'],
  ["batch of 10", `[${Array.from({ length: 10 }, (_, i) => `get(id="1f0c9a5${i}", include_deleted=false)`).join(", ")}]`],
  ["chain of 2", 'create(kind="concept", name="A") | get(id=$prev.id)'],
  ["chain of 5", `create(kind="concept", name="A")${" | get(id=$prev.id)".repeat(4)}`],
  ["JSON, 3 ops", '[{"tool":"stats"},{"tool":"search","args":{"kind":"entity","query":"LoRA"}},{"tool":"get","args":{"id":"1f0c9a52"}}]'],
];
console.log("| text | µs | bytes |\n| --- | --: | --: |");
for (const [name, text] of TEXTS) line([name, micros(20_000, () => parseOps(text)).toFixed(2), text.length]);

console.log("\n| size | call form, ns a byte | JSON form, ns a byte | JSON.parse, ns a byte |\n| --- | --: | --: | --: |");
const item = '{"name": "Low-rank adaptation", "year": 2021, "tags": ["peft", "ml"], "open": true, "w": 0.25}';
for (const kib of [1, 16, 256, 1000]) {
  const items = `[${Array.from({ length: Math.floor((kib * 1024 - 40) / (item.length + 2)) }, () => item).join(", ")}]`;
  const call = `put(items=${items})`;
  const json = `{"tool": "put", "args": {"items": ${items}}}`;
  const rounds = Math.max(3, Math.floor(3000 / kib));
  const perByte = (text: string, read: (text: string) => unknown) => ((micros(rounds, () => read(text)) * 1000) / text.length).toFixed(2);
  line([`${kib} KiB`, perByte(call, parseOps), perByte(json, parseOps), perByte(json, JSON.parse)]);
}

// ---- records

const cipher = new CipherNode();

/** `create` and `link` over a table of their own. */
function tableVerbs(sql: SqlNode): Registry {
  sql.exec("CREATE TABLE direct (id TEXT PRIMARY KEY, kind INTEGER NOT NULL, head INTEGER NOT NULL, sealed BLOB NOT NULL) WITHOUT ROWID");
  sql.exec("CREATE INDEX direct_by_head ON direct (head)");
  sql.exec(
    "CREATE TABLE direct_edge (source TEXT, relation INTEGER, target TEXT, id TEXT, sealed BLOB, PRIMARY KEY (source, relation, target)) WITHOUT ROWID",
  );
  sql.exec("CREATE INDEX direct_edge_by_target ON direct_edge (target)");
  const encoder = new TextEncoder();
  const seal = (value: unknown) => cipher.seal(encoder.encode(JSON.stringify(value)), "direct");
  const create = PACKS.get("create")!;
  const link = PACKS.get("link")!;
  const get = PACKS.get("get")!;
  let count = 0;
  const insert = (args: { readonly [name: string]: unknown }, storeId: string, micros: number) => {
    const id = recordId(storeId, ++count, micros);
    const row = { namespace: "local", ...args, id, created_at: micros, updated_at: micros };
    sql.exec("INSERT INTO direct VALUES (?, ?, ?, ?)", id, 1, headOf(id), seal(row));
    return row;
  };
  const verbs = [
    describeVerb({
      ...create,
      params: create.params,
      run: (site, args) => {
        const { items, ...one } = args as { items?: { [name: string]: unknown }[] };
        const made = (items ?? [one]).map((item) => insert(item, site.storeId, site.session.instant));
        return items === undefined ? made[0] : { created: made.length };
      },
    }),
    describeVerb({
      ...link,
      params: z.strictObject({ source_id: z.string(), target_id: z.string(), relation: z.string() }),
      run: (site, args) => {
        for (const end of [args.source_id, args.target_id]) sql.exec("SELECT sealed FROM direct WHERE id = ?", end);
        const id = recordId(site.storeId, ++count, site.session.instant);
        sql.exec("INSERT OR REPLACE INTO direct_edge VALUES (?, ?, ?, ?, ?)", args.source_id, 1, args.target_id, id, seal({ weight: 1 }));
        return { id, ...args };
      },
    }),
    describeVerb({
      ...get,
      params: z.strictObject({ id: z.string() }),
      run: (_, args) => {
        const [[sealed]] = sql.exec("SELECT sealed FROM direct WHERE id = ?", args.id);
        return JSON.parse(new TextDecoder().decode(cipher.open(sealed as Uint8Array, "direct")));
      },
    }),
  ];
  return new Registry([{ name: "kg", verbs }]);
}

class Runner {
  readonly sql = new SqlNode();
  readonly #store = Store.open(this.sql, cipher, {
    projections: [kgIndex("bench")],
    reasoner: (symbols, facts) => new Reasoner(symbols, facts, RULE_CALCULUS),
  });
  readonly #registry: Registry;
  readonly #events = new EventLog(this.sql, cipher, "bench");
  #clock = 1_767_225_600_000_000;
  constructor(kind: "claims" | "table") {
    this.#registry = kind === "claims" ? PACKS : tableVerbs(this.sql);
  }
  request(ops: string): { results: { ok: boolean; result: { id: string } }[] } {
    const call = {
      tool: "request",
      args: { ops, presentation: "verbose" },
      caller: { keyId: "k", level: "read-write-delete" as const },
      wallMicros: (this.#clock += 1000),
      opsMax: 1e9,
      opsMaxIsCredit: false,
    };
    const store = this.#store;
    const site = {
      storeId: "bench",
      bornAs: "bench",
      begin: () => store.beginCall({ keyId: "k", level: "read-write-delete", wallMicros: call.wallMicros, writes: true }),
      startTool: () => {
        throw new Error("no tools");
      },
      embeddingModel: null,
      events: this.#events,
      bytes: () => store.bytes(),
      bytesMax: store.bytesMax,
    };
    const task = new RequestTask(site, this.#registry, call);
    while (!this.sql.transaction(() => task.advance(1000)));
    const answer = JSON.parse(task.answer().text);
    if (answer.summary.failed > 0) throw new Error(JSON.stringify(answer.results.find((one: { ok: boolean }) => !one.ok)));
    return answer;
  }
}

const WORK: readonly (readonly [name: string, each: number, run: (runner: Runner, round: number) => void])[] = [
  [
    "create, a name",
    100,
    (runner, round) =>
      void runner.request(
        `[${Array.from({ length: 100 }, (_, i) => `create(kind="concept", name="concept ${round}-${i}", skip_dedup_check=true)`).join(", ")}]`,
      ),
  ],
  [
    "create, a name, a description, two tags, three properties",
    100,
    (runner, round) =>
      void runner.request(
        `[${Array.from({ length: 100 }, (_, i) => `create(kind="concept", name="concept ${round}-${i}", description="what ${round}-${i} is", tags=["a", "b"], properties={"n": ${i}, "m": ${round}, "t": "x"}, skip_dedup_check=true)`).join(", ")}]`,
      ),
  ],
  [
    "create(items=1000), a name each",
    1000,
    (runner, round) =>
      void runner.request(
        JSON.stringify({
          tool: "create",
          args: { items: Array.from({ length: 1000 }, (_, i) => ({ kind: "concept", name: `bulk ${round}-${i}` })) },
        }),
      ),
  ],
];

console.log("\n| a record, CPU µs | claims | table | claims / table |\n| --- | --: | --: | --: |");
for (const [name, each, run] of WORK) compare(name, each, () => 0, run);
compare(
  "link",
  100,
  (runner) => makeIds(runner),
  (runner, round, ids) =>
    void runner.request(
      `[${Array.from({ length: 100 }, (_, i) => `link(source_id="${ids[i]}", target_id="${ids[(i + round + 1) % 100]}", relation="extends")`).join(", ")}]`,
    ),
);
compare(
  "get",
  100,
  (runner) => makeIds(runner),
  (runner, _, ids) => void runner.request(`[${ids.map((id) => `get(id="${id}")`).join(", ")}]`),
);

function makeIds(runner: Runner): string[] {
  const { results } = runner.request(
    `[${Array.from({ length: 100 }, (_, i) => `create(kind="concept", name="n${i}", skip_dedup_check=true)`).join(", ")}]`,
  );
  return results.map(({ result }) => result.id);
}

/** The two in turn, so that both meet the same machine: the least of each, and the median of what a round of the one costs of that of the other. */
function compare<Made>(
  name: string,
  each: number,
  prepare: (runner: Runner) => Made,
  run: (runner: Runner, round: number, made: Made) => void,
): void {
  const sides = (["claims", "table"] as const).map((kind) => {
    const runner = new Runner(kind);
    return { runner, made: prepare(runner), costs: [] as number[] };
  });
  for (let round = 0; round < 42; round++) {
    for (const side of sides) {
      const before = cpuMicros();
      run(side.runner, round, side.made);
      if (round >= 2) side.costs.push((cpuMicros() - before) / each);
    }
  }
  const [claims, table] = sides.map(({ costs }) => costs);
  const ratios = claims.map((cost, round) => cost / table[round]).sort((a, b) => a - b);
  line([name, Math.min(...claims).toFixed(1), Math.min(...table).toFixed(1), ratios[ratios.length >> 1].toFixed(2)]);
}
