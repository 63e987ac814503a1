/**
 * What SQL holds of cells, read by the page where neighbours are asked for.
 *
 * A statement costs several times what one row more of it costs. So the first cells of a page are read each by itself, and
 * once about as much has been spent on them as the page would have cost, the page is read: no order of reads costs
 * more than twice what it must, and cells that are read all, in whatever order, cost a fraction each. A page holds plain
 * numbers, some 70 bytes a claim, history included; each row's sum is checked when its cell is taken out.
 *
 * Mirrors SQL and nothing else: whoever writes there says so with `forget`. Cells as they stand now are claim-cell.ts.
 */
import { CLAIM_PAGES_BYTES_MAX } from "../limits";
import { type ClaimRow, checkedClaim, isPast, PAGE_COLUMNS, selectCell, selectPast, selectStanding, selectSubjects } from "./claim-row";
import type { Sql, SqlRow, SqlValue } from "./sql";

/** What SQL holds of a cell, in no order. */
export interface StoredCell {
  readonly standing: ClaimRow[];
  /** Superseded versions; null: not looked at. */
  readonly past: ClaimRow[] | null;
}

/** Ids of subjects in a page. Values take ids too, so that there may be fewer subjects. */
const PAGE_SHIFT = 6;
const PAGE_SUBJECTS = 1 << PAGE_SHIFT;
/** Rows of a page, so that one whose cells are many-valued, or much revised, stays about as cheap. */
const PAGE_ROWS_MAX = 256;
/** Pages of a field whose reads are counted at once. */
const COUNTED_MAX = 50_000;

class Page {
  constructor(
    readonly field: number,
    readonly number: number,
    readonly rows: number,
    /** How many of its subjects, the first ones, are here whole. */
    readonly whole: number,
    /** Where the rows of each of them begin in `numbers`, and where the last one's end. */
    readonly starts: Uint16Array,
    /** A row: which of its columns are not NULL, as bits, then these. */
    readonly numbers: Float64Array,
  ) {}

  get bytes(): number {
    return this.starts.byteLength + this.numbers.byteLength;
  }
}

/** The pages of a field. */
class FieldPages {
  readonly pages = new Map<number, Page>();
  /** How many cells were read each by itself, of pages not held. */
  readonly reads = new Map<number, number>();
  /** What reading a page costs, in such reads: by the last one read, and before that by one that has a row for each id. */
  price = priceOf(PAGE_SUBJECTS);
}

/** In cells read each by itself. */
function priceOf(rows: number): number {
  return 2 + Math.floor(rows / 6);
}

const scratch = new Float64Array(PAGE_ROWS_MAX * (1 + PAGE_COLUMNS));

export class ClaimPages {
  readonly #sql: Sql;
  readonly #fields = new Map<number, FieldPages>();
  /** The longest held first. */
  readonly #held = new Set<Page>();
  #heldBytes = 0;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  /** Versions are looked at where that costs nothing. */
  read(field: number, subject: number): StoredCell {
    return this.#paged(field, subject) ?? { standing: selectStanding(this.#sql, field, subject), past: null };
  }

  readWhole(field: number, subject: number): StoredCell & { readonly past: ClaimRow[] } {
    return this.#paged(field, subject) ?? parted(selectCell(this.#sql, field, subject));
  }

  past(field: number, subject: number): ClaimRow[] {
    return this.#paged(field, subject)?.past ?? selectPast(this.#sql, field, subject);
  }

  /** SQL holds something else of the cell now. */
  forget(field: number, subject: number): void {
    if (this.#held.size === 0) return;
    const page = this.#fields.get(field)?.pages.get(subject >>> PAGE_SHIFT);
    if (page !== undefined) this.#letGo(page);
  }

  /** SQL holds nothing of the field any longer. */
  forgetField(field: number): void {
    for (const page of [...(this.#fields.get(field)?.pages.values() ?? [])]) this.#letGo(page);
    this.#fields.delete(field);
  }

  #paged(field: number, subject: number): (StoredCell & { readonly past: ClaimRow[] }) | null {
    const number = subject >>> PAGE_SHIFT;
    let known = this.#fields.get(field);
    if (known === undefined) this.#fields.set(field, (known = new FieldPages()));
    let page = known.pages.get(number);
    if (page === undefined) {
      const reads = known.reads.get(number) ?? 0;
      if (reads < known.price) {
        if (known.reads.size >= COUNTED_MAX) known.reads.clear();
        known.reads.set(number, reads + 1);
        return null;
      }
      known.reads.delete(number);
      page = readPage(this.#sql, field, number);
      known.price = priceOf(page.rows);
      known.pages.set(number, page);
      this.#hold(page);
    }
    const place = subject & (PAGE_SUBJECTS - 1);
    return place < page.whole ? parted(rowsAt(page, place, subject)) : null;
  }

  #hold(page: Page): void {
    this.#held.add(page);
    this.#heldBytes += page.bytes;
    for (const longest of this.#held) {
      if (this.#heldBytes <= CLAIM_PAGES_BYTES_MAX) break;
      this.#letGo(longest);
    }
  }

  #letGo(page: Page): void {
    this.#fields.get(page.field)!.pages.delete(page.number);
    this.#held.delete(page);
    this.#heldBytes -= page.bytes;
  }
}

function readPage(sql: Sql, field: number, number: number): Page {
  const first = number * PAGE_SUBJECTS;
  const rows = selectSubjects(sql, field, first, first + PAGE_SUBJECTS - 1, PAGE_ROWS_MAX);
  // Of the last cell that a full page shows there may be more.
  const whole = rows.length < PAGE_ROWS_MAX ? PAGE_SUBJECTS : (rows[rows.length - 1][PAGE_COLUMNS] as number) - first;
  const starts = new Uint16Array(whole + 1);
  let end = 0;
  let place = 0;
  for (const row of rows) {
    const at = (row[PAGE_COLUMNS] as number) - first;
    if (at >= whole) break;
    while (place <= at) starts[place++] = end;
    end = packRow(row, end);
  }
  starts.fill(end, place);
  return new Page(field, number, rows.length, whole, starts, scratch.slice(0, end));
}

/** Gives where the next one goes. */
function packRow(row: SqlRow, at: number): number {
  let present = 0;
  let end = at + 1;
  for (let column = 0; column < PAGE_COLUMNS; column++) {
    const value = row[column];
    if (value === null) continue;
    present |= 1 << column;
    scratch[end++] = value as number;
  }
  scratch[at] = present;
  return end;
}

function rowsAt({ field, starts, numbers }: Page, place: number, subject: number): ClaimRow[] {
  const rows: ClaimRow[] = [];
  for (let at = starts[place]; at < starts[place + 1]; ) {
    const present = numbers[at++];
    const row: SqlValue[] = [];
    for (let column = 0; column < PAGE_COLUMNS; column++) row.push((present >> column) & 1 ? numbers[at++] : null);
    rows.push(checkedClaim(row, field, subject));
  }
  return rows;
}

function parted(rows: ClaimRow[]): StoredCell & { readonly past: ClaimRow[] } {
  const standing = rows.filter((row) => !isPast(row));
  return { standing, past: standing.length === rows.length ? [] : rows.filter(isPast) };
}
