/**
 * Sealed pages of symbols: where the bytes of names and values lie, and the only place they lie.
 *
 * A page is one ciphertext of up to some tens of kilobytes: (id, length, bytes) after one another in ascending
 * id. Opening one costs about as much as opening a single value would, so new symbols are gathered, and a page
 * once opened stays open in a small cache. Removing a symbol rewrites its page without it.
 *
 * The first and last id of every page are in memory: symbols are nearly always stored in the order of their ids, so
 * that one look there finds the page of a symbol. A symbol that was in memory only for long makes a page's range
 * wide; then more than one page may have to be asked.
 */

import { assert } from "../failure";
import { SYMBOL_PAGES_OPEN_BYTES_MAX } from "../limits";
import { ByteReader, ByteWriter } from "./byte-writer";
import type { Cipher, Sql } from "./sql";

export class SymbolPage {
  constructor(
    readonly id: number,
    readonly bytes: Uint8Array,
    readonly ids: readonly number[],
    /** Where each symbol's bytes start and end: two numbers a symbol. */
    readonly bounds: readonly number[],
  ) {}

  /** The bytes of a symbol, as a view; undefined where it lies elsewhere. */
  find(id: number): Uint8Array | undefined {
    let low = 0;
    let high = this.ids.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.ids[middle] < id) low = middle + 1;
      else high = middle;
    }
    if (this.ids[low] !== id) return undefined;
    return this.bytes.subarray(this.bounds[2 * low], this.bounds[2 * low + 1]);
  }
}

export interface PageEntry {
  readonly id: number;
  readonly bytes: Uint8Array;
}

interface Range {
  readonly page: number;
  readonly first: number;
  readonly last: number;
}

export class SymbolPages {
  readonly #sql: Sql;
  readonly #cipher: Cipher;
  readonly #open = new Map<number, SymbolPage>();
  #openBytes = 0;
  #lastRead: SymbolPage | null = null;
  /** Ascending by first id; null once a page was written, until asked for. */
  #ranges: Range[] | null = null;

  constructor(sql: Sql, cipher: Cipher) {
    this.#sql = sql;
    this.#cipher = cipher;
  }

  /** Where a stored symbol lies, and its bytes as a view. */
  find(id: number): { readonly page: number; readonly bytes: Uint8Array } {
    // A scan meets symbols in about the order they were stored.
    const near = this.#lastRead?.find(id);
    if (near !== undefined) return { page: this.#lastRead!.id, bytes: near };
    const ranges = (this.#ranges ??= this.#readRanges());
    let low = 0;
    let high = ranges.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (ranges[middle].first <= id) low = middle + 1;
      else high = middle;
    }
    for (let i = low - 1; i >= 0; i--) {
      if (ranges[i].last < id) continue;
      const bytes = this.read(ranges[i].page).find(id);
      if (bytes !== undefined) return { page: ranges[i].page, bytes };
    }
    throw new Error("invariant broken: a symbol that a row refers to is stored");
  }

  read(page: number): SymbolPage {
    this.#lastRead = this.#open.get(page) ?? this.#readStored(page);
    return this.#lastRead;
  }

  /** The page with the greatest id; 0 where there is none. */
  lastPage(): number {
    return (this.#sql.exec("SELECT max(id) FROM symbol_page")[0][0] as number | null) ?? 0;
  }

  /** Writes a page whole, or drops it where nothing is left for it. `entries` ascend by id. */
  write(page: number, entries: readonly PageEntry[]): void {
    this.#forget(page);
    if (entries.length === 0) {
      this.#sql.exec("DELETE FROM symbol_page WHERE id = ?", page);
      this.#ranges = null;
      return;
    }
    const out = new ByteWriter(1 << 14);
    for (const entry of entries) {
      out.count(entry.id);
      out.count(entry.bytes.length);
      out.bytes(entry.bytes);
    }
    const plain = out.take();
    const range = { page, first: entries[0].id, last: entries[entries.length - 1].id };
    this.#sql.exec(
      "INSERT OR REPLACE INTO symbol_page (id, first, last, sealed) VALUES (?, ?, ?, ?)",
      page,
      range.first,
      range.last,
      this.#cipher.seal(plain, contextOf(page)),
    );
    this.#keep(parsePage(page, plain));
    this.#noteRange(range);
  }

  entries(page: number): PageEntry[] {
    const { ids, bounds, bytes } = this.read(page);
    return ids.map((id, i) => ({ id, bytes: bytes.subarray(bounds[2 * i], bounds[2 * i + 1]) }));
  }

  /** Forgets what is open: what was written since may have been undone. */
  close(): void {
    this.#open.clear();
    this.#openBytes = 0;
    this.#lastRead = null;
    this.#ranges = null;
  }

  /** A page at the end of all, new or grown, needs no look at the others. */
  #noteRange(range: Range): void {
    const ranges = this.#ranges;
    if (ranges === null) return;
    const last = ranges.at(-1);
    if (last?.page === range.page && last.first === range.first) ranges[ranges.length - 1] = range;
    else if (last === undefined || (range.first > last.first && range.page > last.page)) ranges.push(range);
    else this.#ranges = null;
  }

  #readRanges(): Range[] {
    const rows = this.#sql.exec("SELECT id, first, last FROM symbol_page ORDER BY first") as number[][];
    return rows.map(([page, first, last]) => ({ page, first, last }));
  }

  #readStored(page: number): SymbolPage {
    const rows = this.#sql.exec("SELECT sealed FROM symbol_page WHERE id = ?", page);
    assert(rows.length === 1, "a symbol's page is stored");
    const parsed = parsePage(page, this.#cipher.open(rows[0][0] as Uint8Array, contextOf(page)));
    this.#keep(parsed);
    return parsed;
  }

  #keep(parsed: SymbolPage): void {
    if (this.#openBytes + parsed.bytes.length > SYMBOL_PAGES_OPEN_BYTES_MAX) {
      this.#open.clear();
      this.#openBytes = 0;
    }
    this.#open.set(parsed.id, parsed);
    this.#openBytes += parsed.bytes.length;
  }

  #forget(page: number): void {
    if (this.#lastRead?.id === page) this.#lastRead = null;
    const known = this.#open.get(page);
    if (known === undefined) return;
    this.#open.delete(page);
    this.#openBytes -= known.bytes.length;
  }
}

function parsePage(page: number, bytes: Uint8Array): SymbolPage {
  const ids: number[] = [];
  const bounds: number[] = [];
  const from = new ByteReader(bytes);
  while (!from.done) {
    ids.push(from.count());
    const length = from.count();
    bounds.push(from.at, from.at + length);
    from.bytes(length);
  }
  return new SymbolPage(page, bytes, ids, bounds);
}

function contextOf(page: number): string {
  return `symbol_page/${page}`;
}
