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

/** A document of one part. */
interface Text {
  readonly document: number;
  readonly group: number;
  readonly text: string;
}

function whole({ document, group, text }: Text): TextDocument {
  return { document, group, parts: [{ text, weight: 1 }] };
}

/** Scores of every document, from the published formula and nothing else. */
function scoresOf(texts: readonly Text[], query: TextQuery): { document: number; score: number }[] {
  const held = texts.filter(({ group }) => group === query.group).map((one) => ({ ...one, terms: termsOf(one.text) }));
  const average = held.reduce((sum, { terms }) => sum + terms.length, 0) / held.length;
  const asked = termsOf(query.text);
  const scored = held.map(({ document, terms }) => {
    let score = 0;
    for (const term of asked) {
      const having = held.filter((other) => other.terms.includes(term)).length;
      const count = terms.filter((one) => one === term).length;
      const idf = Math.log(1 + (held.length - having + 0.5) / (having + 0.5));
      score += (idf * count * 2.2) / (count + 1.2 * (0.25 + (0.75 * terms.length) / average));
    }
    return { document, score, whole: asked.every((term) => terms.includes(term)) };
  });
  return scored
    .filter((one) => one.score > 0 && (query.mode === "any" || one.whole) && query.accepts?.(one.document) !== false)
    .sort((a, b) => b.score - a.score || a.document - b.document)
    .slice(0, query.limit)
    .map(({ document, score }) => ({ document, score }));
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
  it.each([1, 2, 3, 4])("[rulings] finds and ranks as BM25 over all there is, whatever came, changed and went (seed %i)", (seed) => {
    const random = makeRandom(seed);
    const { index } = makeIndex();
    const standing = new Map<number, Text>();
    for (let next = 1; next <= 500; ) {
      const come = Array.from({ length: 1 + random(60) }, () => {
        // Mostly new ones, now and then one that was there before, or is.
        const document = random(8) === 0 ? 1 + random(next) : next++;
        return { document, group: 1 + (document % 2), text: randomText(random, random(30)) };
      });
      const last = new Map(come.map((text) => [text.document, text]));
      const gone = [...standing.keys()].filter((document) => !last.has(document) && random(12) === 0);
      index.follow(gone, [...last.values()].map(whole));
      for (const document of gone) standing.delete(document);
      for (const [document, text] of last) standing.set(document, text);
    }
    const texts = [...standing.values()].filter(({ text }) => text !== "");
    for (let i = 0; i < 60; i++) {
      const refused = random(4);
      const query: TextQuery = {
        group: 1 + random(2),
        text: randomText(random, 1 + random(5)),
        mode: random(3) === 0 ? "all" : "any",
        limit: 1 + random(15),
        accepts: refused === 0 ? undefined : (document) => document % (refused + 1) !== 0,
      };
      const wanted = scoresOf(texts, query);
      const found = index.search(query);
      expect(found.map((hit) => hit.document)).toEqual(wanted.map((hit) => hit.document));
      for (const [n, hit] of found.entries()) expect(hit.score).toBeCloseTo(wanted[n].score, 9);
    }
  });

  it("[rulings] counts a word as often as its part weighs", () => {
    const { index } = makeIndex();
    index.follow(
      [],
      [
        {
          document: 1,
          group: 1,
          parts: [
            { text: "heron", weight: 3 },
            { text: "bird of rivers", weight: 1 },
          ],
        },
        whole({ document: 2, group: 1, text: "heron heron heron bird of rivers" }),
        whole({ document: 3, group: 1, text: "the heron is a bird" }),
      ],
    );
    const hits = index.search({ group: 1, text: "heron", mode: "any", limit: 5 });
    expect(hits.map((hit) => hit.document)).toEqual([1, 2, 3]);
    expect(hits[0].score).toBe(hits[1].score);
  });

  it("[rulings] answers nothing for a query without words, for a group without documents, and once all has gone", () => {
    const { index, sql } = makeIndex();
    const document = whole({ document: 1, group: 1, text: "The quick brown fox" });
    index.follow([], [document]);
    const ask = (text: string, group = 1) => index.search({ group, text, mode: "any", limit: 5 }).length;
    expect([ask("foxes"), ask("!?"), ask(""), ask("fox", 2), ask("hound")]).toEqual([1, 0, 0, 0, 0]);
    index.follow([1, 1, 77], []);
    expect(ask("fox")).toBe(0);
    for (const table of ["text_posting", "text_document"]) expect(sql.exec(`SELECT count(*) FROM ${table}`)).toEqual([[0]]);
  });

  it("[store-and-rules §6] keeps integers only, and other integers under another key", () => {
    const { index, sql } = makeIndex();
    const other = new SqlNode();
    const document = whole({ document: 7, group: 1, text: "wolfsbane beside the weir" });
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
