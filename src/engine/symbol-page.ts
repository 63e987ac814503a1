/**
 * Sealed pages of symbols: where the bytes of names and values lie, and the only place they lie.
 *
 * A page is one row: a ciphertext of up to some tens of kilobytes, (length, bytes) of its symbols in ascending id;
 * and beside it, in the clear, their ids with the two halves of their keyed hash, and how many rows refer to each.
 * Opening a page costs about as much as opening a single value would, so new symbols are gathered, and a page once
 * opened stays open in a small cache. Removing a symbol rewrites its page without it. Which page an id lies in: page-range.ts.
 */
import { assert } from "../failure";
import { SYMBOL_PAGES_OPEN_BYTES_MAX } from "../limits";
import { ByteReader, ByteWriter } from "./byte-writer";
import { PageRanges, sumOfRange } from "./page-range";
import type { Cipher, Sql, SqlValue } from "./sql";
import { summedBlob, summedWords } from "./stored-sum";

/** A symbol as it is stored. */
export interface PageEntry {
  readonly id: number;
  readonly low: number;
  readonly high: number;
  readonly refs: number;
  readonly bytes: Uint8Array;
}

export class SymbolPage {
  constructor(
    readonly id: number,
    /** Three words a symbol: id, low, high; ascending by id. */
    readonly keys: Uint32Array,
    readonly refs: Uint32Array,
    readonly bytes: Uint8Array,
    /** Where each symbol's bytes start and end: two words a symbol. */
    readonly bounds: Uint32Array,
  ) {}

  /** Place of a symbol in the page; -1 where it lies elsewhere. */
  place(id: number): number {
    let low = 0;
    let high = this.refs.length - 1;
    const from = this.keys[0];
    if (id < from || id > this.keys[3 * high]) return -1;
    // Ids are given in order, and most pages lack none of theirs.
    if (this.keys[3 * (id - from)] === id) return id - from;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.keys[3 * middle] < id) low = middle + 1;
      else high = middle;
    }
    return this.keys[3 * low] === id ? low : -1;
  }

  /** Whether the symbol there has these bytes. */
  holds(place: number, bytes: Uint8Array): boolean {
    const start = this.bounds[2 * place];
    if (this.bounds[2 * place + 1] - start !== bytes.length) return false;
    for (let i = 0; i < bytes.length; i++) if (this.bytes[start + i] !== bytes[i]) return false;
    return true;
  }

  bytesAt(place: number): Uint8Array {
    return this.bytes.subarray(this.bounds[2 * place], this.bounds[2 * place + 1]);
  }

  entries(): PageEntry[] {
    const { keys } = this;
    return Array.from(this.refs, (refs, i) => ({
      id: keys[3 * i],
      low: keys[3 * i + 1],
      high: keys[3 * i + 2],
      refs,
      bytes: this.bytesAt(i),
    }));
  }
}

export class SymbolPages {
  readonly #sql: Sql;
  readonly #cipher: Cipher;
  readonly #open = new Map<number, SymbolPage>();
  #openBytes = 0;
  #lastRead: SymbolPage | null = null;
  /** Null until asked for. */
  #ranges: PageRanges | null = null;

  constructor(sql: Sql, cipher: Cipher) {
    this.#sql = sql;
    this.#cipher = cipher;
  }

  /** Where a stored symbol lies. */
  find(id: number): { readonly page: SymbolPage; readonly place: number } {
    // A scan meets symbols in about the order they were stored.
    const last = this.#lastRead;
    const near = last === null ? -1 : last.place(id);
    if (near >= 0) return { page: last!, place: near };
    this.#ranges ??= new PageRanges(this.#sql);
    for (let at = this.#ranges.placeOf(id); at >= 0; at = this.#ranges.placeBefore(at, id)) {
      const page = this.read(this.#ranges.pageAt(at));
      const place = page.place(id);
      if (place >= 0) return { page, place };
    }
    throw new Error("invariant broken: a symbol that a row refers to is stored");
  }

  read(page: number): SymbolPage {
    this.#lastRead = this.#open.get(page) ?? this.#readStored(page);
    return this.#lastRead;
  }

  lastId(): number {
    return (this.#sql.exec("SELECT max(last) FROM symbol_page")[0][0] as number | null) ?? 0;
  }

  /** The page with the greatest number; 0 where there is none. */
  lastPage(): number {
    return (this.#sql.exec("SELECT max(id) FROM symbol_page")[0][0] as number | null) ?? 0;
  }

  /** Writes a page whole, or drops it where nothing is left for it. `entries` ascend by id. */
  write(page: number, entries: readonly PageEntry[]): void {
    this.#forget(page);
    if (entries.length === 0) {
      this.#sql.exec("DELETE FROM symbol_page WHERE id = ?", page);
      this.#ranges?.remove(page);
      return;
    }
    const out = new ByteWriter(1 << 14);
    const keys = new Uint32Array(entries.length * 3);
    const refs = new Uint32Array(entries.length);
    const bounds = new Uint32Array(entries.length * 2);
    for (let i = 0; i < entries.length; i++) {
      const entry = entries[i];
      out.count(entry.bytes.length);
      bounds[2 * i] = out.length;
      out.bytes(entry.bytes);
      bounds[2 * i + 1] = out.length;
      keys[3 * i] = entry.id;
      keys[3 * i + 1] = entry.low;
      keys[3 * i + 2] = entry.high;
      refs[i] = entry.refs;
    }
    const plain = out.take();
    const range = { page, first: entries[0].id, last: entries[entries.length - 1].id };
    this.#sql.exec(
      "INSERT OR REPLACE INTO symbol_page (id, first, last, refs, keys, sealed, sum) VALUES (?, ?, ?, ?, ?, ?, ?)",
      page,
      range.first,
      range.last,
      summedBlob(refs),
      summedBlob(keys),
      this.#cipher.seal(plain, contextOf(page)),
      sumOfRange(range),
    );
    this.#keep(new SymbolPage(page, keys, refs, plain, bounds));
    this.#ranges?.set(range);
  }

  /** As `write`, where only the counts differ: nothing is sealed again. */
  writeRefs(page: SymbolPage, refs: Uint32Array): void {
    this.#sql.exec("UPDATE symbol_page SET refs = ? WHERE id = ?", summedBlob(refs), page.id);
    this.#forget(page.id);
    this.#keep(new SymbolPage(page.id, page.keys, refs, page.bytes, page.bounds));
  }

  /** Forgets what is open: what was written since may have been undone. */
  close(): void {
    this.#open.clear();
    this.#openBytes = 0;
    this.#lastRead = null;
    this.#ranges = null;
  }

  #readStored(page: number): SymbolPage {
    const rows = this.#sql.exec("SELECT keys, refs, sealed FROM symbol_page WHERE id = ?", page);
    assert(rows.length === 1, "a symbol's page is stored");
    const [keys, refs, sealed] = rows[0];
    const parsed = openPage(this.#cipher, page, { keys, refs, sealed });
    this.#keep(parsed);
    return parsed;
  }

  /** The longest open make room. */
  #keep(parsed: SymbolPage): void {
    this.#open.set(parsed.id, parsed);
    this.#openBytes += parsed.bytes.length;
    for (const [page, { bytes }] of this.#open) {
      if (this.#openBytes <= SYMBOL_PAGES_OPEN_BYTES_MAX || page === parsed.id) break;
      this.#open.delete(page);
      this.#openBytes -= bytes.length;
    }
  }

  #forget(page: number): void {
    if (this.#lastRead?.id === page) this.#lastRead = null;
    const known = this.#open.get(page);
    if (known === undefined) return;
    this.#open.delete(page);
    this.#openBytes -= known.bytes.length;
  }
}

/** A page as its row holds it. */
export function openPage(cipher: Cipher, page: number, row: { readonly [column in "keys" | "refs" | "sealed"]: SqlValue }): SymbolPage {
  return parsePage(
    page,
    summedWords(row.keys as Uint8Array),
    summedWords(row.refs as Uint8Array),
    cipher.open(row.sealed as Uint8Array, contextOf(page)),
  );
}

function parsePage(page: number, keys: Uint32Array, refs: Uint32Array, bytes: Uint8Array): SymbolPage {
  assert(keys.length === 3 * refs.length, "a page counts as many symbols as it lists");
  const bounds = new Uint32Array(2 * refs.length);
  let at = 0;
  for (let i = 0; i < refs.length; i++) {
    // Nearly every symbol has fewer than 128 bytes, and says so in one.
    let length = bytes[at++];
    if (length >= 0x80) {
      const from = new ByteReader(bytes, at - 1);
      length = from.count();
      at = from.at;
    }
    bounds[2 * i] = at;
    bounds[2 * i + 1] = at += length;
  }
  assert(at === bytes.length, "a page holds as many symbols as it lists");
  return new SymbolPage(page, keys, refs, bytes, bounds);
}

function contextOf(page: number): string {
  return `symbol_page/${page}`;
}
