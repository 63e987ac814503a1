/**
 * From the hash of a value to the ids of the symbols that may be it, at a cost that does not grow with the store.
 *
 * Hashes lie in SQL in chunks of about a thousand (symbol-chunk.ts): a look-up reads one, which then stays in memory for a
 * while. Each page of symbols says its own hashes too, so nothing is put into the chunks when a symbol is stored: when a
 * page is full, one stripe is written anew, with what all pages up to that one hold of it, page n the stripe n modulo 64. So
 * a stripe lags behind by 64 pages at most, these are read when the first value is looked up, and no write does more than
 * its share of the work.
 *
 * A symbol lies in one place only, in its chunk or among what waits to be put there: once it goes, no hash of it is left.
 * Only half of the 64-bit hash is here; who asks compares the values.
 *
 * All of it happens inside the transaction that writes the pages; where that is undone, the whole index is forgotten.
 */
import { SYMBOL_HASHES_HELD_BYTES_MAX } from "../limits";
import { HashTable } from "./hash-table";
import type { Sql } from "./sql";
import { readMeta, writeMeta } from "./store-schema";
import { damaged, summedWords } from "./stored-sum";
import {
  type Chunk,
  chunkFirst,
  chunkFirsts,
  chunksOf,
  dropChunk,
  FIRST_ZEROS,
  FULL_PAGE,
  type HashPairs,
  mergedPairs,
  placeInChunk,
  readChunk,
  STRIPES,
  stripeFirst,
  stripeOf,
  writeChunk,
  writtenUpTo,
} from "./symbol-chunk";

/** A stored symbol by its hash: 32 bits, unsigned, evenly spread. */
export interface HashedSymbol {
  readonly hash: number;
  readonly id: number;
}

export class SymbolIndex {
  readonly #sql: Sql;
  /** What is in no chunk yet, by stripe. */
  readonly #waiting = Array.from({ length: STRIPES }, () => new HashTable());
  /** By `keyOf` their first hashes, the longest held first. */
  readonly #chunks = new Map<number, Chunk>();
  #heldBytes = 0;
  /** Of a stripe's chunks; -1 until asked for. */
  readonly #depths = new Int8Array(STRIPES).fill(-1);
  readonly #heldBytesMax: number;
  #fullPage: number;

  constructor(sql: Sql, heldBytesMax = SYMBOL_HASHES_HELD_BYTES_MAX) {
    this.#sql = sql;
    this.#heldBytesMax = heldBytesMax;
    this.#fullPage = readMeta(sql, FULL_PAGE) ?? 0;
    const written = this.#waiting.map((_, stripe) => writtenUpTo(stripe, this.#fullPage));
    for (const [page, blob] of sql.scan("SELECT id, keys FROM symbol_page WHERE id > ?", this.#fullPage - STRIPES)) {
      const keys = summedWords(blob as Uint8Array);
      for (let i = 0; i < keys.length; i += 3) {
        const stripe = stripeOf(keys[i + 1]);
        if ((page as number) > written[stripe]) this.#waiting[stripe].add(keys[i + 1], keys[i]);
      }
    }
  }

  /** The last page that is full: those up to it take no more symbols, and no other page gets their numbers. */
  get fullPage(): number {
    return this.#fullPage;
  }

  /** An id of that hash that `accepts` takes; 0 for none. */
  find(hash: number, accepts: (id: number) => boolean): number {
    const waiting = this.#waiting[stripeOf(hash)].find(hash, accepts);
    if (waiting !== 0) return waiting;
    const chunk = this.#chunkOf(hash);
    if (chunk === null) return 0;
    const { pairs } = chunk;
    for (let at = placeInChunk(chunk, hash); pairs[at] === hash; at += 2) if (accepts(pairs[at + 1])) return pairs[at + 1];
    return 0;
  }

  /** A symbol of the page that is being filled. */
  add({ hash, id }: HashedSymbol): void {
    this.#waiting[stripeOf(hash)].add(hash, id);
  }

  /** These are stored no more. */
  remove(symbols: readonly HashedSymbol[]): void {
    // By chunk, and not by the object that stands for it: where they are many, one is let go and read again.
    const ids = new Map<number, Set<number>>();
    for (const { hash, id } of symbols) {
      if (this.#waiting[stripeOf(hash)].remove(hash, id)) continue;
      const first = this.#chunkOf(hash)?.first;
      if (first === undefined) continue;
      const others = ids.get(first);
      if (others === undefined) ids.set(first, new Set([id]));
      else others.add(id);
    }
    for (const [first, gone] of ids) {
      const chunk = this.#chunk(first);
      this.#write({ ...chunk, pairs: chunk.pairs.filter((_, i, pairs) => !gone.has(pairs[i | 1])) });
    }
  }

  /** `page` is being filled from now on: those before it are full. */
  beginPage(page: number): void {
    if (page - 1 <= this.#fullPage) return;
    while (this.#fullPage < page - 1) this.#putAway((this.#fullPage + 1) % STRIPES);
    writeMeta(this.#sql, FULL_PAGE, this.#fullPage);
  }

  /** One page more is full, and what waits of its stripe goes into chunks. */
  #putAway(stripe: number): void {
    const depth = this.#depthOf(stripe);
    const before = depth === null ? [] : chunkFirsts(stripe, depth).map((first) => this.#chunk(first)!);
    const after = chunksOf(stripe, mergedPairs(joined(before), this.#waiting[stripe].sorted()));
    const kept = new Set(after.map(({ first }) => first));
    for (const { first } of before) if (!kept.has(first)) this.#drop(first);
    for (const chunk of after) this.#write(chunk);
    this.#depths[stripe] = after[0].depth;
    this.#waiting[stripe].clear();
    this.#fullPage++;
  }

  #chunkOf(hash: number): Chunk | null {
    const depth = this.#depthOf(stripeOf(hash));
    return depth === null ? null : this.#chunk(chunkFirst(hash, depth));
  }

  /** Null where a stripe has no chunks yet. */
  #depthOf(stripe: number): number | null {
    if (writtenUpTo(stripe, this.#fullPage) < 1) return null;
    if (this.#depths[stripe] < 0) this.#depths[stripe] = this.#chunk(stripeFirst(stripe)).depth;
    return this.#depths[stripe];
  }

  #chunk(first: number): Chunk {
    const held = this.#chunks.get(keyOf(first));
    if (held !== undefined) return held;
    const chunk = readChunk(this.#sql, first);
    if (chunk === null) throw damaged("the index of names and values");
    this.#hold(chunk);
    return chunk;
  }

  #write(chunk: Chunk): void {
    writeChunk(this.#sql, chunk);
    this.#letGo(chunk.first);
    this.#hold(chunk);
  }

  #drop(first: number): void {
    dropChunk(this.#sql, first);
    this.#letGo(first);
  }

  /** The longest held make room. */
  #hold(chunk: Chunk): void {
    const key = keyOf(chunk.first);
    this.#chunks.set(key, chunk);
    this.#heldBytes += chunk.pairs.byteLength;
    for (const [longest, { first }] of this.#chunks) {
      if (this.#heldBytes <= this.#heldBytesMax || longest === key) break;
      this.#letGo(first);
    }
  }

  #letGo(first: number): void {
    const key = keyOf(first);
    this.#heldBytes -= this.#chunks.get(key)?.pairs.byteLength ?? 0;
    this.#chunks.delete(key);
  }
}

/** One number a chunk that is a small int everywhere: a larger one is a box of its own at each look. */
function keyOf(first: number): number {
  return first >>> FIRST_ZEROS;
}

/** The pairs of a stripe's chunks, in order. */
function joined(chunks: readonly Chunk[]): HashPairs {
  const out = new Uint32Array(chunks.reduce((sum, { pairs }) => sum + pairs.length, 0));
  let at = 0;
  for (const { pairs } of chunks) {
    out.set(pairs, at);
    at += pairs.length;
  }
  return out;
}
