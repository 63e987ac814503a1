/**
 * `memory.recall` over a hundred thousand memories in one store, over HTTP, beside the smallest `run` in the same rounds.
 *
 * The memories are pieces of real text (eight books of the King James version), each of about twenty words and, so that they are
 * as many, each with a number of its own; the queries are those of the judged set, and a word that is in one memory in three.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { median, quantile, table } from "./report.mjs";
import { withService } from "./service.mjs";

const MEMORIES = 100_000;
const ITEMS_A_CALL = 1000;
const WORDS = 20;

export function benchRecall({ memories = MEMORIES, rounds = 300 } = {}) {
  return withService(async ({ url, keys, post }) => {
    const call = (to, name, args) =>
      post(to, keys["read-write"], { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } });
    const request = (ops) => call(new URL("/request", url), "request", { ops: JSON.stringify(ops) });
    const pieces = textPieces();
    const began = performance.now();
    for (let made = 0; made < memories; made += ITEMS_A_CALL) {
      const items = Array.from({ length: Math.min(ITEMS_A_CALL, memories - made) }, (_, i) => ({
        kind: "memory",
        content: `${pieces[(made + i) % pieces.length]} ${made + i}`,
        salience: ((made + i) % 10) / 10,
      }));
      const answer = await request({ tool: "create", args: { items } });
      if (!answer.includes('\\"failed\\":0')) throw new Error(`the memories were not kept: ${answer.slice(0, 500)}`);
    }
    const fillMs = performance.now() - began;
    const queries = rows("queries.tsv").map(([query]) => query);
    let n = 0;
    const kinds = {
      "run `print(1)`": () => call(url, "run", { source: "print(1)" }),
      "memory.recall, a judged query": () => request({ tool: "memory.recall", args: { query: queries[n++ % queries.length], limit: 10 } }),
      "memory.recall, three rare words": () => request({ tool: "memory.recall", args: { query: `gopher pitch ${n++}`, limit: 10 } }),
      "memory.recall, one word of every third memory": () => request({ tool: "memory.recall", args: { query: "lord", limit: 10 } }),
      "memory.remember": () => request({ tool: "memory.remember", args: { content: `${pieces[n++ % pieces.length]} anew` } }),
    };
    const times = Object.fromEntries(Object.keys(kinds).map((kind) => [kind, []]));
    for (const run of Object.values(kinds)) for (let i = 0; i < 20; i++) await run();
    for (let i = 0; i < rounds; i++) {
      for (const [kind, run] of Object.entries(kinds)) {
        const start = performance.now();
        await run();
        times[kind].push(performance.now() - start);
      }
    }
    const least = median(times["run `print(1)`"]);
    const figures = Object.entries(times).map(([kind, ms]) => [
      kind,
      median(ms).toFixed(2),
      quantile(ms, 0.99).toFixed(2),
      `${(median(ms) / least).toFixed(1)} ×`,
    ]);
    return [
      `## Recall over ${memories.toLocaleString("en-US")} memories in one store`,
      "",
      `Filled in ${(fillMs / 1000).toFixed(1)} s, ${((fillMs * 1000) / memories).toFixed(0)} µs a memory.`,
      "",
      table(["request", "p50 ms", "p99 ms", "of the smallest run"], figures),
    ].join("\n");
  });
}

function rows(name) {
  const text = readFileSync(join(import.meta.dirname, "../test/testdata/search", name), "utf8");
  return text
    .trimEnd()
    .split("\n")
    .map((line) => line.split("\t"));
}

function textPieces() {
  const words = rows("passages.tsv").flatMap(([, text]) => text.split(" "));
  return Array.from({ length: Math.floor(words.length / WORDS) }, (_, i) => words.slice(i * WORDS, (i + 1) * WORDS).join(" "));
}
