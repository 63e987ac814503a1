/**
 * Which page of symbols an id may lie in: the first and the last id of every page, in memory.
 *
 * Symbols are nearly always stored in the order of their ids, so one look finds the page. A symbol that was in memory
 * only for long makes its page's range wide; then more than one page may have to be asked.
 *
 * Some twelve bytes of an index in SQL a page of hundreds of symbols; read whole, and every row checked, when the first symbol is
 * looked for. Written with the page.
 */
import type { Sql } from "./sql";
import { checkedRow, sumOfRow } from "./stored-sum";

export interface PageRange {
  readonly page: number;
  readonly first: number;
  readonly last: number;
}

export class PageRanges {
  /** Ascending by first id, then by page. */
  readonly #ranges: PageRange[] = [];
  readonly #byPage = new Map<number, PageRange>();

  constructor(sql: Sql) {
    for (const row of sql.exec("SELECT id, first, last, sum FROM symbol_page ORDER BY first, id")) {
      const [page, first, last] = checkedRow(row, "a page of names and values") as number[];
      this.#ranges.push({ page, first, last });
      this.#byPage.set(page, this.#ranges[this.#ranges.length - 1]);
    }
  }

  /** Place of the page that most likely holds the id; -1 for none. */
  placeOf(id: number): number {
    return this.placeBefore(this.#placeAfter(id, Number.POSITIVE_INFINITY), id);
  }

  /** Place of the next likely one, where the one at `place` does not hold it; -1 for none. */
  placeBefore(place: number, id: number): number {
    let at = place - 1;
    while (at >= 0 && this.#ranges[at].last < id) at--;
    return at;
  }

  pageAt(place: number): number {
    return this.#ranges[place].page;
  }

  set(range: PageRange): void {
    this.remove(range.page);
    this.#ranges.splice(this.#placeAfter(range.first, range.page), 0, range);
    this.#byPage.set(range.page, range);
  }

  remove(page: number): void {
    const known = this.#byPage.get(page);
    if (known === undefined) return;
    this.#byPage.delete(page);
    this.#ranges.splice(this.#placeAfter(known.first, page) - 1, 1);
  }

  /** How many ranges come before or at (first, page). */
  #placeAfter(first: number, page: number): number {
    let low = 0;
    let high = this.#ranges.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const range = this.#ranges[middle];
      if (range.first < first || (range.first === first && range.page <= page)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** What a page's row says of its place, so that a bit changed there shows. */
export function sumOfRange({ page, first, last }: PageRange): number {
  return sumOfRow([page, first, last]);
}
