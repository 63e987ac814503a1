/**
 * Sealed pages of symbols: where the bytes of names and values lie, and the only place they lie.
 *
 * A page is one ciphertext of up to some tens of kilobytes: (id, length, bytes) after one another in ascending
 * id. Opening one costs about as much as opening a single value would, so new symbols are gathered, and a page
 * once opened stays open in a small cache. Removing a symbol rewrites its page without it.
 *
 * Does not know what the bytes mean, nor which page holds which symbol: symbol.ts does.
 */
import { assert } from "../failure";
import { SYMBOL_PAGES_OPEN_BYTES_MAX } from "../limits";
import { ByteReader, ByteWriter } from "./byte-writer";
import type { Cipher, Sql } from "./sql";

export class SymbolPage {
  constructor(
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

export class SymbolPages {
  readonly #sql: Sql;
  readonly #cipher: Cipher;
  readonly #open = new Map<number, SymbolPage>();
  #openBytes = 0;
  lastRead: { readonly id: number; readonly page: SymbolPage } | null = null;

  constructor(sql: Sql, cipher: Cipher) {
    this.#sql = sql;
    this.#cipher = cipher;
  }

  read(page: number): SymbolPage {
    const known = this.#open.get(page) ?? this.#readStored(page);
    this.lastRead = { id: page, page: known };
    return known;
  }

  #readStored(page: number): SymbolPage {
    const rows = this.#sql.exec("SELECT sealed FROM symbol_page WHERE id = ?", page);
    assert(rows.length === 1, "a symbol's page is stored");
    const parsed = parsePage(this.#cipher.open(rows[0][0] as Uint8Array, contextOf(page)));
    this.#keep(page, parsed);
    return parsed;
  }

  /** Writes a page whole, or drops it where nothing is left for it. `entries` ascend by id. */
  write(page: number, entries: readonly PageEntry[]): void {
    this.#forget(page);
    if (entries.length === 0) {
      this.#sql.exec("DELETE FROM symbol_page WHERE id = ?", page);
      return;
    }
    const out = new ByteWriter(1 << 14);
    for (const entry of entries) {
      out.count(entry.id);
      out.count(entry.bytes.length);
      out.bytes(entry.bytes);
    }
    const plain = out.take();
    this.#sql.exec("INSERT OR REPLACE INTO symbol_page (id, sealed) VALUES (?, ?)", page, this.#cipher.seal(plain, contextOf(page)));
    this.#keep(page, parsePage(plain));
  }

  entries(page: number): PageEntry[] {
    const { ids, bounds, bytes } = this.read(page);
    return ids.map((id, i) => ({ id, bytes: bytes.subarray(bounds[2 * i], bounds[2 * i + 1]) }));
  }

  /** Forgets what is open: what was written since may have been undone. */
  close(): void {
    this.#open.clear();
    this.#openBytes = 0;
    this.lastRead = null;
  }

  #keep(page: number, parsed: SymbolPage): void {
    if (this.#openBytes + parsed.bytes.length > SYMBOL_PAGES_OPEN_BYTES_MAX) {
      this.#open.clear();
      this.#openBytes = 0;
    }
    this.#open.set(page, parsed);
    this.#openBytes += parsed.bytes.length;
  }

  #forget(page: number): void {
    if (this.lastRead?.id === page) this.lastRead = null;
    const known = this.#open.get(page);
    if (known === undefined) return;
    this.#open.delete(page);
    this.#openBytes -= known.bytes.length;
  }
}

function parsePage(bytes: Uint8Array): SymbolPage {
  const ids: number[] = [];
  const bounds: number[] = [];
  const from = new ByteReader(bytes);
  while (!from.done) {
    ids.push(from.count());
    const length = from.count();
    bounds.push(from.at, from.at + length);
    from.bytes(length);
  }
  return new SymbolPage(bytes, ids, bounds);
}

function contextOf(page: number): string {
  return `symbol_page/${page}`;
}
