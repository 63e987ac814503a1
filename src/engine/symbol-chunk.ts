/**
 * How hashes of symbols lie in SQL: in 64 stripes, by their first bits, and a stripe in chunks, all ascending. What is
 * looked up and when what is written: symbol-index.ts.
 *
 * A chunk is a row, numbered by the first hash that would lie in it, of words with their sum: that hash again, the
 * depth of its stripe (of which there are 2 to the power of it chunks), then hash and id of each symbol. A stripe that was once
 * written has its chunks, empty ones too, so that one that is missing shows.
 */
import { HashTable } from "./hash-table";
import type { Sql } from "./sql";
import { damaged, summedBlob, summedWords } from "./stored-sum";

export const STRIPES = 64;
const STRIPE_SHIFT = 26;
/** Low bits that are zero in the first hash of every chunk. */
export const FIRST_ZEROS = 4;
const DEPTH_MAX = STRIPE_SHIFT - FIRST_ZEROS;
/** Symbols of a chunk on average, at most: 8 kB. */
const CHUNK_SYMBOLS = 1024;
/** Words before the first symbol. */
const HEAD = 2;
/** Symbols held at once while the pages of an older store are gone through. */
const PASS_SYMBOLS_MAX = 1 << 20;

/** Pairs of words: hash, 32 bits unsigned, and id; ascending by hash. */
export type HashPairs = Uint32Array;

export interface Chunk {
  readonly first: number;
  readonly depth: number;
  readonly pairs: HashPairs;
}

export const CHUNK_TABLE = "CREATE TABLE symbol_hash (first INTEGER PRIMARY KEY, words BLOB NOT NULL)";

/** The number in `meta` of the last full page. */
export const FULL_PAGE = "full_page";

export function stripeFirst(stripe: number): number {
  return stripe * 2 ** STRIPE_SHIFT;
}

export function stripeOf(hash: number): number {
  return hash >>> STRIPE_SHIFT;
}

/** The first hash of the chunk that a hash lies in. */
export function chunkFirst(hash: number, depth: number): number {
  const shift = STRIPE_SHIFT - depth;
  return ((hash >>> shift) << shift) >>> 0;
}

/** First hashes of a stripe's chunks. */
export function chunkFirsts(stripe: number, depth: number): number[] {
  return Array.from({ length: 2 ** depth }, (_, i) => stripeFirst(stripe) + i * 2 ** (STRIPE_SHIFT - depth));
}

/** The last page whose symbols of a stripe are in its chunks, where `fullPage` is the last whose stripe was written; below 1: none. */
export function writtenUpTo(stripe: number, fullPage: number): number {
  return fullPage - ((((fullPage - stripe) % STRIPES) + STRIPES) % STRIPES);
}

/** Null where there is none. */
export function readChunk(sql: Sql, first: number): Chunk | null {
  const rows = sql.exec("SELECT words FROM symbol_hash WHERE first = ?", first);
  if (rows.length === 0) return null;
  const words = summedWords(rows[0][0] as Uint8Array);
  if (words[0] !== first) throw damaged("the index of names and values");
  return { first, depth: words[1], pairs: words.subarray(HEAD) };
}

export function writeChunk(sql: Sql, { first, depth, pairs }: Chunk): void {
  const words = new Uint32Array(HEAD + pairs.length);
  words[0] = first;
  words[1] = depth;
  words.set(pairs, HEAD);
  sql.exec("INSERT OR REPLACE INTO symbol_hash (first, words) VALUES (?, ?)", first, summedBlob(words));
}

export function dropChunk(sql: Sql, first: number): void {
  sql.exec("DELETE FROM symbol_hash WHERE first = ?", first);
}

/** A stripe as the chunks it is kept in. */
export function chunksOf(stripe: number, pairs: HashPairs): Chunk[] {
  let depth = 0;
  while (pairs.length / 2 / 2 ** depth > CHUNK_SYMBOLS && depth < DEPTH_MAX) depth++;
  const firsts = chunkFirsts(stripe, depth);
  let from = 0;
  return firsts.map((first, i) => {
    const to = i + 1 < firsts.length ? placeOf(pairs, firsts[i + 1]) : pairs.length;
    const chunk = { first, depth, pairs: pairs.subarray(from, to) };
    from = to;
    return chunk;
  });
}

/** Where the first pair lies whose hash is not below this one. */
export function placeOf(pairs: HashPairs, hash: number): number {
  let low = 0;
  let high = pairs.length / 2;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (pairs[2 * middle] < hash) low = middle + 1;
    else high = middle;
  }
  return 2 * low;
}

/** As `placeOf`: hashes are evenly spread, so it lies some places beside where the share of the hashes below it says. */
export function placeInChunk({ first, depth, pairs }: Chunk, hash: number): number {
  const guess = 2 * Math.floor(((hash - first) / 2 ** (STRIPE_SHIFT - depth)) * (pairs.length / 2));
  let at = guess;
  while (at > 0 && pairs[at - 2] >= hash) at -= 2;
  while (at < pairs.length && pairs[at] < hash) at += 2;
  return at;
}

/** All of both. */
export function mergedPairs(left: HashPairs, right: HashPairs): HashPairs {
  const out = new Uint32Array(left.length + right.length);
  let at = 0;
  let from = 0;
  for (let i = 0; i < right.length; i += 2) {
    const to = placeOf(left, right[i]);
    out.set(left.subarray(from, to), at);
    at += to - from;
    from = to;
    out[at++] = right[i];
    out[at++] = right[i + 1];
  }
  out.set(left.subarray(from), at);
  return out;
}

/**
 * Makes the chunks of a store that has pages and no chunks yet. `fullPage`: all stripes are written, each up to the page it would
 * be written up to by then. In passes over some stripes each, so that memory does not grow with the store.
 */
export function writeAllChunks(sql: Sql, fullPage: number): void {
  const symbols = (sql.exec("SELECT coalesce(sum(length(refs)), 0) FROM symbol_page")[0][0] as number) / 4;
  let stripes = STRIPES;
  while (stripes > 1 && (symbols * stripes) / STRIPES > PASS_SYMBOLS_MAX) stripes /= 2;
  for (let from = 0; from < STRIPES; from += stripes) {
    const found = Array.from({ length: stripes }, () => new HashTable());
    for (const [page, blob] of sql.scan("SELECT id, keys FROM symbol_page WHERE id <= ?", fullPage)) {
      const keys = summedWords(blob as Uint8Array);
      for (let i = 0; i < keys.length; i += 3) {
        const stripe = stripeOf(keys[i + 1]);
        if ((page as number) <= writtenUpTo(stripe, fullPage)) found[stripe - from]?.add(keys[i + 1], keys[i]);
      }
    }
    for (const [i, symbols] of found.entries()) {
      if (writtenUpTo(from + i, fullPage) < 1) continue;
      for (const chunk of chunksOf(from + i, symbols.sorted())) writeChunk(sql, chunk);
    }
  }
}
