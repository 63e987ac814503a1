/**
 * Cells in memory, over the rows in SQL.
 *
 * A cell that has been touched holds its standing claims whole; of its history what SQL does not have yet, and what it has
 * once somebody asked and it is short.
 * Memory is the truth, SQL what has landed: between two flushes `dirty` says where they differ, so that a scan of
 * a field takes those cells from memory and all others from SQL.
 */
import { assert } from "../failure";
import { CELLS_HELD_MAX } from "../limits";
import { ClaimPages, type StoredCell } from "./claim-page";
import {
  byPosition,
  type ClaimRow,
  isPast,
  lastSubjectOfField,
  STANDING_AT_ONCE,
  scanField,
  selectStandingSubjects,
  selectStride,
  selectSubjectsValued,
  subjectsOfField,
} from "./claim-row";
import { holds } from "./span";
import type { Sql } from "./sql";
import type { SymbolTable } from "./symbol";

/** A row that came (+1) or went (-1). */
export interface ClaimChange {
  readonly row: ClaimRow;
  readonly sign: 1 | -1;
}

export class ClaimCell {
  /** What of its history SQL has otherwise; null for nothing, which nearly every cell has. */
  past: PastDifference | null = null;
  constructor(
    /** Standing claims, oldest first. */
    public rows: ClaimRow[],
    /** Superseded rows that SQL has, in no order; null: not asked, or more than are held. */
    public storedPast: readonly ClaimRow[] | null,
  ) {}
}

interface PastDifference {
  /** Superseded rows that SQL lacks. */
  readonly added: Map<number, ClaimRow>;
  /** Ids of those it has and that are gone. */
  readonly removed: Set<number>;
}

/** Superseded rows held of a cell, at most. */
const PAST_HELD_MAX = 16;

export class ClaimCells {
  readonly #sql: Sql;
  readonly #pages: ClaimPages;
  readonly #symbols: SymbolTable;
  readonly #fields = new Map<number, Map<number, ClaimCell>>();
  readonly #dirty = new Map<number, Set<number>>();
  /** By field: no row in SQL has a greater subject. A cell beyond it is known to be empty without a look. */
  readonly #lastSubject = new Map<number, number>();
  /** Fields whose claims are all gone while SQL has them yet, with the cells that were in memory. */
  readonly #emptied = new Map<number, Map<number, ClaimCell> | undefined>();
  /** Cells held, each superseded row of theirs counted as another. */
  #count = 0;

  constructor(sql: Sql, symbols: SymbolTable) {
    this.#sql = sql;
    this.#pages = new ClaimPages(sql);
    this.#symbols = symbols;
  }

  at(field: number, subject: number): ClaimCell {
    const known = this.#fields.get(field)?.get(subject);
    if (known !== undefined) return known;
    const fresh = this.#symbols.isOnlyInMemory(subject) || !this.#isStored(field) || subject > this.#lastStored(field);
    if (fresh) return this.#keep(field, subject, new ClaimCell([], []));
    return this.#keepStored(field, subject, this.#pages.read(field, subject));
  }

  #keepStored(field: number, subject: number, { standing, past }: StoredCell): ClaimCell {
    const cell = new ClaimCell(standing.length > 1 ? standing.sort(byPosition) : standing, null);
    this.#keep(field, subject, cell);
    if (past !== null) this.#keepPast(cell, past);
    return cell;
  }

  #keep(field: number, subject: number, cell: ClaimCell): ClaimCell {
    if (this.#count > CELLS_HELD_MAX) this.shed();
    const cells = this.#fields.get(field);
    if (cells === undefined) this.#fields.set(field, new Map([[subject, cell]]));
    else cells.set(subject, cell);
    this.#count++;
    return cell;
  }

  #keepPast(cell: ClaimCell, past: readonly ClaimRow[]): void {
    if (past.length > PAST_HELD_MAX) return;
    cell.storedPast = past;
    this.#count += past.length;
  }

  /** Superseded rows that SQL has, in no order. */
  #storedPast(field: number, subject: number, cell: ClaimCell): readonly ClaimRow[] {
    if (cell.storedPast !== null) return cell.storedPast;
    const past = this.#pages.past(field, subject);
    this.#keepPast(cell, past);
    return past;
  }

  standing(field: number, subject: number): readonly ClaimRow[] {
    return this.at(field, subject).rows;
  }

  /**
   * All that SQL holds of a cell, standing claims and versions, in no order: from memory where that is not ahead of SQL.
   * A cell that was not in memory is so afterwards.
   */
  landed(field: number, subject: number): readonly ClaimRow[] {
    const known = this.#fields.get(field)?.get(subject);
    if (known !== undefined && !this.#dirty.get(field)?.has(subject)) {
      const past = this.#storedPast(field, subject, known);
      return past.length === 0 ? known.rows : [...past, ...known.rows];
    }
    if (!this.#isStored(field)) return [];
    const stored = this.#pages.readWhole(field, subject);
    if (known === undefined) this.#keepStored(field, subject, stored);
    return stored.past.length === 0 ? stored.standing : [...stored.past, ...stored.standing];
  }

  /** Superseded versions, oldest first. */
  past(field: number, subject: number): ClaimRow[] {
    const cell = this.at(field, subject);
    const stored = this.#storedPast(field, subject, cell);
    if (cell.past === null) return [...stored].sort(byPosition);
    const { added, removed } = cell.past;
    const rows = stored.filter((row) => !removed.has(row.id) && !added.has(row.id));
    rows.push(...added.values());
    return rows.sort(byPosition);
  }

  add(row: ClaimRow): void {
    const cell = this.at(row.field, row.subject);
    const last = this.#lastSubject.get(row.field);
    if (last !== undefined && row.subject > last) this.#lastSubject.set(row.field, row.subject);
    if (isPast(row)) addPast(cell, row);
    else if (cell.rows.length === 0 || byPosition(cell.rows[cell.rows.length - 1], row) < 0) cell.rows.push(row);
    else {
      cell.rows.push(row);
      cell.rows.sort(byPosition);
    }
    this.#markDirty(row);
  }

  remove(row: ClaimRow): void {
    const cell = this.at(row.field, row.subject);
    if (isPast(row)) removePast(cell, row);
    else cell.rows = cell.rows.filter((other) => other.id !== row.id);
    this.#markDirty(row);
  }

  /** Takes all claims of a field away; none of them is in memory alone. */
  empty(field: number): void {
    assert(!this.#dirty.has(field) && !this.#emptied.has(field), "what is emptied is as SQL has it");
    const cells = this.#fields.get(field);
    this.#emptied.set(field, cells);
    this.#fields.delete(field);
    this.#count -= countOf(cells);
  }

  /** Undoes `empty`: what came since has been undone. */
  refill(field: number): void {
    this.#count -= countOf(this.#fields.get(field));
    const cells = this.#emptied.get(field);
    this.#emptied.delete(field);
    this.#dirty.delete(field);
    if (cells === undefined) this.#fields.delete(field);
    else this.#fields.set(field, cells);
    this.#count += countOf(cells);
  }

  /** SQL has a say in what stands at the field. */
  #isStored(field: number): boolean {
    return !this.#symbols.isFieldOnlyInMemory(field) && !this.#emptied.has(field);
  }

  /** Standing claims of a field, cell by cell. Not across a write. */
  scan(field: number): Iterable<readonly ClaimRow[]> {
    return this.#scan(field, false);
  }

  /** Superseded versions likewise. */
  scanPast(field: number): Iterable<readonly ClaimRow[]> {
    return this.#scan(field, true);
  }

  *#scan(field: number, past: boolean): Iterable<readonly ClaimRow[]> {
    const dirty = this.#dirty.get(field);
    if (this.#isStored(field)) {
      for (const rows of scanField(this.#sql, field, past)) if (dirty === undefined || !dirty.has(rows[0].subject)) yield rows;
    }
    if (dirty === undefined) return;
    for (const subject of dirty) {
      const rows = past ? this.past(field, subject) : this.standing(field, subject);
      if (rows.length > 0) yield rows;
    }
  }

  /** Subjects with a recorded claim that is true at the instant, in no order, some at a time; one may come twice. Not across a write. */
  *subjectsHolding(field: number, at: number): Iterable<readonly number[]> {
    const dirty = this.#dirty.get(field);
    const holdsAt = (subject: number) => this.standing(field, subject).some((row) => holds(row, at));
    for (let after = 0, more = this.#isStored(field); more; ) {
      const page = selectStandingSubjects(this.#sql, field, after);
      const found = new Set<number>();
      for (const [subject, windowed] of page) {
        const isSeen = subject === after;
        after = subject;
        if (windowed === 1 ? !isSeen && holdsAt(subject) : dirty === undefined || !dirty.has(subject)) found.add(subject);
      }
      yield [...found];
      more = page.length === STANDING_AT_ONCE;
    }
    if (dirty !== undefined) yield [...dirty].filter(holdsAt);
  }

  /** Subjects with a standing claim of one of the values, in no order, some at a time; one may come twice. Not across a write. */
  *subjectsValued(field: number, values: readonly number[]): Iterable<readonly number[]> {
    const dirty = this.#dirty.get(field);
    for (let after: number | null = this.#isStored(field) ? 0 : null; after !== null; ) {
      const last = selectStride(this.#sql, field, after);
      const page = selectSubjectsValued(this.#sql, field, after, last ?? Number.MAX_SAFE_INTEGER, values);
      yield dirty === undefined ? page : page.filter((subject) => !dirty.has(subject));
      after = last;
    }
    if (dirty !== undefined) yield [...dirty].filter((subject) => this.standing(field, subject).some((row) => values.includes(row.value)));
  }

  /** Subjects with any recorded claim at the field, superseded ones included. */
  subjects(field: number): number[] {
    const found = new Set<number>();
    const dirty = this.#dirty.get(field);
    if (this.#isStored(field)) for (const subject of subjectsOfField(this.#sql, field)) found.add(subject);
    for (const subject of dirty ?? []) {
      if (this.at(field, subject).rows.length > 0 || this.past(field, subject).length > 0) found.add(subject);
      else found.delete(subject);
    }
    return [...found];
  }

  /** `landed` are in SQL now; `open` is what layers still hold back, in order. */
  settle(landed: readonly ClaimChange[], open: readonly ClaimChange[]): void {
    for (const field of this.#emptied.keys()) {
      this.#pages.forgetField(field);
      this.#lastSubject.delete(field);
    }
    this.#emptied.clear();
    for (const { row } of landed) {
      this.#pages.forget(row.field, row.subject);
      if (!isPast(row)) continue;
      const cell = this.at(row.field, row.subject);
      cell.past = null;
      this.#count -= cell.storedPast?.length ?? 0;
      cell.storedPast = null;
    }
    this.#dirty.clear();
    for (const { row, sign } of open) {
      this.#markDirty(row);
      if (!isPast(row)) continue;
      const cell = this.at(row.field, row.subject);
      if (sign > 0) addPast(cell, row);
      else removePast(cell, row);
    }
    this.shed();
  }

  /** Drops what SQL can give back, where too much is held and nothing here is ahead of SQL. */
  shed(): void {
    if (this.#count <= CELLS_HELD_MAX || this.#dirty.size > 0) return;
    this.#fields.clear();
    this.#count = 0;
  }

  #lastStored(field: number): number {
    let last = this.#lastSubject.get(field);
    if (last === undefined) this.#lastSubject.set(field, (last = lastSubjectOfField(this.#sql, field)));
    return last;
  }

  #markDirty(row: ClaimRow): void {
    const subjects = this.#dirty.get(row.field);
    if (subjects === undefined) this.#dirty.set(row.field, new Set([row.subject]));
    else subjects.add(row.subject);
  }
}

/** Cells, each superseded row of theirs counted as another. */
function countOf(cells: ReadonlyMap<number, ClaimCell> | undefined): number {
  let count = 0;
  for (const cell of cells?.values() ?? []) count += 1 + (cell.storedPast?.length ?? 0);
  return count;
}

function addPast(cell: ClaimCell, row: ClaimRow): void {
  cell.past ??= { added: new Map(), removed: new Set() };
  cell.past.removed.delete(row.id);
  cell.past.added.set(row.id, row);
}

function removePast(cell: ClaimCell, row: ClaimRow): void {
  cell.past ??= { added: new Map(), removed: new Set() };
  cell.past.added.delete(row.id);
  cell.past.removed.add(row.id);
}
