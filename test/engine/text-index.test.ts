/** The full-text index against the formula computed over all texts, and what it keeps on disk. */
import { describe, expect, it } from "vitest";
import { type TextDocument, TextIndex, type TextQuery } from "../../src/engine/text-index";
import { termsOf } from "../../src/engine/text-terms";
import { SqlNode } from "./sql-node";

const KEY = [0x0706050403020100n, 0x0f0e0d0c0b0a0908n] as const;

function makeIndex(): { index: TextIndex; sql: SqlNode } {
  const sql = new SqlNode();
  return { index: new TextIndex(sql, KEY), sql };
}

/** Scores of every text, from the published formula and nothing else. */
function scoresOf(documents: readonly TextDocument[], query: TextQuery): { claim: number; subject: number; score: number }[] {
  const held = documents
    .filter((document) => document.field === query.field)
    .map((document) => ({ ...document, terms: termsOf(document.text) }));
  const average = held.reduce((sum, { terms }) => sum + terms.length, 0) / held.length;
  const asked = termsOf(query.text);
  const scored = held.map(({ claim, subject, terms }) => {
    let score = 0;
    for (const term of asked) {
      const having = held.filter((other) => other.terms.includes(term)).length;
      const count = terms.filter((one) => one === term).length;
      const idf = Math.log(1 + (held.length - having + 0.5) / (having + 0.5));
      score += (idf * count * 2.2) / (count + 1.2 * (0.25 + (0.75 * terms.length) / average));
    }
    return { claim, subject, score, whole: asked.every((term) => terms.includes(term)) };
  });
  const taken = new Set<number>();
  return scored
    .filter(({ score, whole, subject }) => score > 0 && (query.mode === "any" || whole) && query.accepts?.(subject) !== false)
    .sort((a, b) => b.score - a.score || a.claim - b.claim)
    .filter(({ subject }) => !taken.has(subject) && taken.add(subject))
    .slice(0, query.limit)
    .map(({ claim, subject, score }) => ({ claim, subject, score }));
}

function makeRandom(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 0x100000000) * below);
  };
}

/** Words as they fall in real text: few common ones, many rare ones. */
function randomText(random: (below: number) => number, words: number): string {
  return Array.from({ length: words }, () => `w${Math.floor(300 ** (random(1000) / 1000))}`).join(" ");
}

describe("text index", () => {
  it.each([1, 2, 3, 4])("[rulings] finds and ranks as BM25 over all that stands, whatever came and went (seed %i)", (seed) => {
    const random = makeRandom(seed);
    const { index } = makeIndex();
    let standing: TextDocument[] = [];
    const past: TextDocument[] = [];
    for (let claim = 1; claim <= 500; ) {
      const come = Array.from({ length: 1 + random(60) }, () => {
        const id = claim++;
        return { claim: id, field: 1 + random(2), subject: 1 + random(500), text: randomText(random, 1 + random(30)) };
      });
      // Some that went come back under the id they had.
      for (let i = random(4); i > 0 && past.length > 0; i--) come.push(past.splice(random(past.length), 1)[0]);
      const gone = standing.filter(() => random(12) === 0);
      index.follow(gone, come);
      standing = [...standing.filter((document) => !gone.includes(document)), ...come];
      past.push(...gone);
    }
    for (let i = 0; i < 60; i++) {
      const refused = random(4);
      const query: TextQuery = {
        field: 1 + random(2),
        text: randomText(random, 1 + random(5)),
        mode: random(3) === 0 ? "all" : "any",
        limit: 1 + random(15),
        accepts: refused === 0 ? undefined : (subject) => subject % (refused + 1) !== 0,
      };
      const wanted = scoresOf(standing, query);
      const found = index.search(query);
      expect(found.map((hit) => hit.claim)).toEqual(wanted.map((hit) => hit.claim));
      for (const [n, hit] of found.entries()) expect(hit.score).toBeCloseTo(wanted[n].score, 9);
    }
  });

  it("[rulings] answers nothing for a query without words, for a field without texts, and once all has gone", () => {
    const { index, sql } = makeIndex();
    const document = { claim: 1, field: 1, subject: 1, text: "The quick brown fox" };
    index.follow([], [document]);
    const ask = (text: string, field = 1) => index.search({ field, text, mode: "any", limit: 5 }).length;
    expect([ask("foxes"), ask("!?"), ask(""), ask("fox", 2), ask("hound")]).toEqual([1, 0, 0, 0, 0]);
    index.follow([document], []);
    expect(ask("fox")).toBe(0);
    expect(sql.exec("SELECT count(*) FROM text_posting")).toEqual([[0]]);
    expect(sql.exec("SELECT count(*) FROM text_document")).toEqual([[0]]);
  });

  it("[store-and-rules §6] keeps integers only, and other integers under another key", () => {
    const { index, sql } = makeIndex();
    const other = new SqlNode();
    const document = { claim: 7, field: 1, subject: 1, text: "wolfsbane beside the weir" };
    index.follow([], [document]);
    new TextIndex(other, [1n, 2n]).follow([], [document]);
    const terms = (db: SqlNode) => db.exec("SELECT term FROM text_posting ORDER BY term").flat();
    expect(terms(sql)).toHaveLength(4);
    expect(terms(sql)).not.toEqual(terms(other));
    for (const [bytes] of sql.exec("SELECT postings FROM text_posting")) expect([...(bytes as Uint8Array)]).toEqual([0, 1, 4]);
  });
});

describe("terms", () => {
  it.each([
    ["Running runners RAN", ["run", "runner", "ran"]],
    ["Café, CAFÉ and cafe\u0301", ["cafe", "cafe", "and", "cafe"]],
    ["the king's don’t", ["the", "king", "dont"]],
    ["snake_case getUserName HTTPServer x2", ["snake", "case", "get", "user", "name", "getusernam", "http", "server", "httpserver", "x2"]],
    ["ﬁne Ⅻ ½", ["fine", "xii", "1", "2"]],
    ["機械学習 is 学", ["機械", "械学", "学習", "is", "学"]],
    ["Привет, МИР", ["привет", "мир"]],
    ["", []],
    ["… — 🚜", []],
  ])("[rulings] of %j are %j", (text, terms) => {
    expect(termsOf(text)).toEqual(terms);
  });

  it("[rulings] are read from the first twenty thousand words, each cut at 64 letters", () => {
    expect(termsOf("word ".repeat(30_000))).toHaveLength(20_000);
    expect(termsOf("x".repeat(1000))).toEqual([expect.stringMatching(/^x{1,64}$/)]);
  });
});
