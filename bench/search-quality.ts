/**
 * How good search is without a model: judged queries over real text, beside SQLite's FTS5 in the clear.
 *
 * The text is eight books of the King James version (public domain) in passages of about five verses; queries are written from
 * memory in today's words, each with the passages that answer it. Printed: the share of queries with an answer among the first
 * five, and the mean of 1 / rank of the first answer. Figures do not depend on the machine.
 *
 *   npx tsx bench/search-quality.ts [--misses]
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import sqlite from "node-sqlite3-wasm";
import { TextIndex } from "../src/engine/text-index";
import { SqlNode } from "../test/engine/sql-node";

const FIRST = 5;
const DEPTH = 50;

interface Query {
  readonly text: string;
  readonly answers: readonly string[];
}

function rows(name: string): string[][] {
  const text = readFileSync(join(import.meta.dirname, "../test/testdata/search", name), "utf8");
  return text
    .trimEnd()
    .split("\n")
    .map((line) => line.split("\t"));
}

export const PASSAGES = rows("passages.tsv").map(([id, text]) => ({ id, text }));
export const QUERIES: Query[] = rows("queries.tsv").map(([text, ...answers]) => ({ text, answers }));

/** Ids of passages for a query, best first. */
type Search = (query: string) => string[];

export function ours(): Search {
  const sql = new SqlNode();
  const index = new TextIndex(sql, [1n, 2n]);
  index.follow(
    [],
    PASSAGES.map(({ text }, document) => ({ document, group: 1, parts: [{ text, weight: 1 }] })),
  );
  return (text) => index.search({ group: 1, text, mode: "any", limit: DEPTH }).map(({ document }) => PASSAGES[document].id);
}

export function fts5(): Search {
  const db = new sqlite.Database();
  db.exec("CREATE VIRTUAL TABLE t USING fts5(id UNINDEXED, body, tokenize = 'porter unicode61')");
  const insert = db.prepare("INSERT INTO t VALUES (?, ?)");
  for (const { id, text } of PASSAGES) insert.run([id, text]);
  const select = db.prepare(`SELECT id FROM t WHERE t MATCH ? ORDER BY bm25(t), rowid LIMIT ${DEPTH}`);
  return (text) => {
    const words = text.match(/[\p{L}\p{N}]+/gu) ?? [];
    return (select.all([words.map((word) => `"${word}"`).join(" OR ")]) as { id: string }[]).map(({ id }) => id);
  };
}

/** `recall`: share of queries with an answer among the first five; `reciprocalRank`: mean of 1 / rank, 0 where none is found. */
export function quality(search: Search): { recall: number; reciprocalRank: number; misses: { text: string; rank: number }[] } {
  let recalled = 0;
  let reciprocal = 0;
  const misses: { text: string; rank: number }[] = [];
  for (const { text, answers } of QUERIES) {
    const rank = search(text).findIndex((id) => answers.includes(id)) + 1;
    if (rank > 0) reciprocal += 1 / rank;
    if (rank > 0 && rank <= FIRST) recalled++;
    else misses.push({ text, rank });
  }
  return { recall: recalled / QUERIES.length, reciprocalRank: reciprocal / QUERIES.length, misses };
}

if (process.argv[1] === import.meta.filename) {
  process.stdout.write(`${QUERIES.length} queries, ${PASSAGES.length} passages\n\n| search | recall@5 | MRR |\n| --- | --: | --: |\n`);
  for (const [name, search] of [
    ["DKE, terms hashed", ours()],
    ["SQLite FTS5, in the clear", fts5()],
  ] as const) {
    const { recall, reciprocalRank, misses } = quality(search);
    process.stdout.write(`| ${name} | ${recall.toFixed(3)} | ${reciprocalRank.toFixed(3)} |\n`);
    if (process.argv.includes("--misses")) for (const { text, rank } of misses) process.stderr.write(`${name}: ${rank}\t${text}\n`);
  }
}
