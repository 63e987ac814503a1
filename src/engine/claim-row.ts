/**
 * A recorded claim as the engine holds it: integers only. Rows never change; a claim that is superseded or cut is
 * replaced by another row.
 */
import { RowInserter } from "./insert-rows";
import type { Sql, SqlRow, SqlValue } from "./sql";
import { addToSum, damaged, startSum } from "./stored-sum";

export interface ClaimRow {
  /** Orders rows within a position; unique for all time. A superseded row keeps the id it had. */
  readonly id: number;
  readonly field: number;
  readonly subject: number;
  /** Symbol of the value; of `null` for an asserted absence. */
  readonly value: number;
  readonly source: number;
  /** `[from, to)` in microseconds, infinite where open. */
  readonly from: number;
  readonly to: number;
  readonly position: number;
  /** The position of the write it comes from: a claim that a restore brought back stands at a later one. */
  readonly written: number;
  readonly recordedAt: number;
  /** The instant from which on a read could know it: later than `recordedAt` only for a remaining part. */
  readonly knownFrom: number;
  readonly writer: number;
  /** Symbol of the qualifiers as a dict; 0 for none. */
  readonly qualifiers: number;
  /** Position of the statement that superseded it; 0 while it stands; `SUCCESSOR_ERASED` once that is gone. */
  readonly goneBy: number;
  readonly goneAt: number;
}

export const SUCCESSOR_ERASED = -1;

export const COLUMNS = "id, value, source, valid_from, valid_to, position, recorded, known, writer, qualifiers, gone_by, gone_at, written";
const CHECKED = `${COLUMNS}, sum`;
const SELECT_STANDING = `SELECT ${CHECKED} FROM claim WHERE field = ? AND subject = ? AND past = 0`;
const SELECT_PAST = `SELECT ${CHECKED} FROM claim WHERE field = ? AND subject = ? AND past = 1`;
const SELECT_CELL = `SELECT ${CHECKED} FROM claim WHERE field = ? AND subject = ?`;
const SELECT_SUBJECTS = `SELECT ${CHECKED}, subject FROM claim WHERE field = ? AND subject BETWEEN ? AND ? ORDER BY subject, past, id LIMIT ?`;
const SELECT_FIELD = `SELECT ${CHECKED}, subject FROM claim WHERE field = ? AND subject >= ? AND past = ? ORDER BY subject, past, id LIMIT ?`;
const SELECT_WINDOWS = `SELECT subject, valid_from IS NOT NULL OR valid_to IS NOT NULL FROM claim WHERE field = ? AND subject > ? AND past = 0 ORDER BY subject LIMIT ?`;
const INSERT = `INSERT INTO claim (${CHECKED}, field, subject, past) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
/** Nearly every claim: fewer parameters cost less. */
const PLAIN = new RowInserter(
  "INSERT INTO claim (field, subject, past, id, value, source, position, recorded, writer, sum)",
  "(?, ?, 0, ?, ?, ?, ?, ?, ?, ?)",
);
const SELECT_NEXT = `SELECT ${CHECKED}, subject FROM claim WHERE field = ? ORDER BY subject, past, id LIMIT ?`;
const DELETE_UP_TO = "DELETE FROM claim WHERE field = ? AND (subject, past, id) <= (?, ?, ?)";
const DELETE = "DELETE FROM claim WHERE field = ? AND subject = ? AND past = ? AND id = ?";

/** Standing claims of a cell, in no order. */
export function selectStanding(sql: Sql, field: number, subject: number): ClaimRow[] {
  return sql.exec(SELECT_STANDING, field, subject).map((row) => checkedClaim(row, field, subject));
}

/** Superseded versions, in no order. */
export function selectPast(sql: Sql, field: number, subject: number): ClaimRow[] {
  return sql.exec(SELECT_PAST, field, subject).map((row) => checkedClaim(row, field, subject));
}

/** Standing claims and superseded versions, in no order. */
export function selectCell(sql: Sql, field: number, subject: number): ClaimRow[] {
  return sql.exec(SELECT_CELL, field, subject).map((row) => checkedClaim(row, field, subject));
}

/** Likewise of all subjects from `first` to `last`, ascending by subject, as `checkedClaim` takes them, and each one's subject behind that. */
export function selectSubjects(sql: Sql, field: number, first: number, last: number, rowsMax: number): SqlRow[] {
  return sql.exec(SELECT_SUBJECTS, field, first, last, rowsMax);
}
/** Of such a row, the subject left out. */
export const PAGE_COLUMNS = 14;

/** In force or in history; undefined where the store does not hold it. */
export function selectClaim(sql: Sql, field: number, subject: number, id: number): ClaimRow | undefined {
  const [row] = sql.exec(`${SELECT_CELL} AND past IN (0, 1) AND id = ?`, field, subject, id);
  return row === undefined ? undefined : checkedClaim(row, field, subject);
}

/**
 * Standing claims, or superseded versions, of a field, cell by cell. Read some at a time, so that whoever takes them may stop for others
 * between two cells; few at first, for whoever only asks whether there are any. Not across a write.
 */
export function* scanField(sql: Sql, field: number, past: boolean): Iterable<ClaimRow[]> {
  for (let next = 0, atOnce = SCANNED_FIRST; ; atOnce = Math.min(8 * atOnce, SCANNED_AT_ONCE)) {
    const rows = sql.exec(SELECT_FIELD, field, next, past ? 1 : 0, atOnce);
    const isLast = rows.length < atOnce;
    let cell: ClaimRow[] = [];
    for (const row of rows) {
      const subject = row[14] as number;
      if (cell.length > 0 && cell[0].subject !== subject) {
        yield cell.length > 1 ? cell.sort(byPosition) : cell;
        cell = [];
      }
      cell.push(checkedClaim(row, field, subject));
    }
    if (isLast) {
      if (cell.length > 0) yield cell.length > 1 ? cell.sort(byPosition) : cell;
      return;
    }
    // The last cell may go on behind the page.
    const { subject } = cell[0];
    if (cell.length < rows.length) next = subject;
    else {
      yield (past ? selectPast(sql, field, subject) : selectStanding(sql, field, subject)).sort(byPosition);
      next = subject + 1;
    }
  }
}
const SCANNED_FIRST = 8;
const SCANNED_AT_ONCE = 512;

/** A subject of standing claims at a field, and whether one of them is not true for all time. */
export type Standing = readonly [subject: number, windowed: 0 | 1];

/** Ascending from behind `after`, at most `STANDING_AT_ONCE`; a subject once for each of its claims. */
export function selectStandingSubjects(sql: Sql, field: number, after: number): readonly Standing[] {
  return sql.exec(SELECT_WINDOWS, field, after, STANDING_AT_ONCE) as readonly unknown[] as readonly Standing[];
}
export const STANDING_AT_ONCE = 2048;

/** The subject so many claims behind `after`, up to which others may be asked for at once; null: there are fewer. */
export function selectStride(sql: Sql, field: number, after: number): number | null {
  const [row] = sql.exec(
    "SELECT subject FROM claim WHERE field = ? AND subject > ? ORDER BY subject LIMIT 1 OFFSET ?",
    field,
    after,
    STRIDE,
  );
  return row === undefined ? null : (row[0] as number);
}
const STRIDE = 8192;

/** Subjects from behind `after` to `last` with a standing claim of one of the values; a subject once for each of them. */
export function selectSubjectsValued(sql: Sql, field: number, after: number, last: number, values: readonly number[]): number[] {
  const marks = values.map(() => "?").join(", ");
  const rows = sql.exec(
    `SELECT subject FROM claim WHERE field = ? AND subject > ? AND subject <= ? AND past = 0 AND value IN (${marks})`,
    field,
    after,
    last,
    ...values,
  );
  return rows.map((row) => row[0] as number);
}

/** Subjects with any recorded claim at the field, superseded ones included. */
export function subjectsOfField(sql: Sql, field: number): number[] {
  return sql.exec("SELECT DISTINCT subject FROM claim WHERE field = ?", field).map((row) => row[0] as number);
}

/** 0 where nothing is recorded at the field. */
export function lastSubjectOfField(sql: Sql, field: number): number {
  return (sql.exec("SELECT max(subject) FROM claim WHERE field = ?", field)[0][0] as number | null) ?? 0;
}

export function insertClaims(sql: Sql, rows: readonly ClaimRow[]): void {
  const plain: SqlValue[][] = [];
  for (const row of rows) {
    if (isPlain(row)) {
      plain.push([row.field, row.subject, row.id, row.value, row.source, row.position, row.recordedAt, row.writer, sumOf(row)]);
    } else sql.exec(INSERT, ...rowValues(row), sumOf(row), row.field, row.subject, isPast(row) ? 1 : 0);
  }
  PLAIN.insert(sql, plain);
}

/** What `COLUMNS` names. */
export function rowValues(row: ClaimRow): SqlValue[] {
  return [
    row.id,
    row.value,
    row.source,
    boundToSql(row.from),
    boundToSql(row.to),
    row.position,
    row.recordedAt,
    row.knownFrom === row.recordedAt ? null : row.knownFrom,
    row.writer,
    row.qualifiers || null,
    row.goneBy || null,
    row.goneBy > 0 ? row.goneAt : null,
    row.written === row.position ? null : row.written,
  ];
}

/** Standing where it was written, always valid, without qualifiers, known since it was recorded. */
function isPlain(row: ClaimRow): boolean {
  return (
    row.goneBy === 0 &&
    row.qualifiers === 0 &&
    row.written === row.position &&
    row.from === Number.NEGATIVE_INFINITY &&
    row.to === Number.POSITIVE_INFINITY &&
    row.knownFrom === row.recordedAt
  );
}

export function deleteClaim(sql: Sql, row: ClaimRow): void {
  sql.exec(DELETE, row.field, row.subject, isPast(row) ? 1 : 0, row.id);
}

/** Deletes all claims of a field, some at a time, and gives those it deleted. */
export function* deleteField(sql: Sql, field: number): Iterable<ClaimRow[]> {
  for (;;) {
    const rows = sql.exec(SELECT_NEXT, field, SCANNED_AT_ONCE).map((row) => checkedClaim(row, field, row[14] as number));
    const last = rows.at(-1);
    if (last === undefined) return;
    sql.exec(DELETE_UP_TO, field, last.subject, isPast(last) ? 1 : 0, last.id);
    yield rows;
  }
}

/** In force or superseded. */
export function countOfField(sql: Sql, field: number): number {
  return sql.exec("SELECT count(*) FROM claim WHERE field = ?", field)[0][0] as number;
}

/** What becomes of one row by a save: `before` is what SQL holds of it, `after` what it will hold. Both have one id, field and subject. */
export interface NetClaim {
  readonly before: ClaimRow | null;
  readonly after: ClaimRow | null;
}

export function isPast(row: ClaimRow): boolean {
  return row.goneBy !== 0;
}

/** The order of `get`, `history` and judgement: position, then `valid_from`, open first, then id. */
export function byPosition(a: ClaimRow, b: ClaimRow): number {
  if (a.position !== b.position) return a.position - b.position;
  if (a.from !== b.from) return a.from < b.from ? -1 : 1;
  return a.id - b.id;
}

/** A row with its sum behind it. Refuses one whose bits have changed since it was written. */
export function checkedClaim(row: SqlRow, field: number, subject: number): ClaimRow {
  const claim = claimFromRow(row, field, subject);
  if (row[13] !== sumOf(claim)) throw damaged("a claim");
  return claim;
}

export function sumOf(row: ClaimRow): number {
  let sum = startSum();
  sum = addToSum(sum, row.field);
  sum = addToSum(sum, row.subject);
  sum = addToSum(sum, row.id);
  sum = addToSum(sum, row.value);
  sum = addToSum(sum, row.source);
  sum = addToSum(sum, Number.isFinite(row.from) ? row.from : FOREVER);
  sum = addToSum(sum, Number.isFinite(row.to) ? row.to : FOREVER);
  sum = addToSum(sum, row.position);
  sum = addToSum(sum, row.written);
  sum = addToSum(sum, row.recordedAt);
  sum = addToSum(sum, row.knownFrom);
  sum = addToSum(sum, row.writer);
  sum = addToSum(sum, row.qualifiers);
  sum = addToSum(sum, row.goneBy);
  return addToSum(sum, row.goneBy > 0 ? row.goneAt : 0) >>> 0;
}
/** No instant of the years 1 to 9999. */
const FOREVER = 2 ** 60;

export function claimFromRow(row: SqlRow, field: number, subject: number): ClaimRow {
  const position = row[5] as number;
  const recordedAt = row[6] as number;
  return {
    id: row[0] as number,
    field,
    subject,
    value: row[1] as number,
    source: row[2] as number,
    from: row[3] === null ? Number.NEGATIVE_INFINITY : boundFromSql(row[3] as number),
    to: row[4] === null ? Number.POSITIVE_INFINITY : boundFromSql(row[4] as number),
    position,
    written: orElse(row[12], position),
    recordedAt,
    knownFrom: orElse(row[7], recordedAt),
    writer: row[8] as number,
    qualifiers: orElse(row[9], 0),
    goneBy: orElse(row[10], 0),
    goneAt: orElse(row[11], Number.POSITIVE_INFINITY),
  };
}

/**
 * A window's bound in SQL, in units of 256 µs. Bounds of the years 1 to 9999 reach 2^58 µs, and an integer past 2^53
 * comes back from an object's SQLite rounded; divided by a power of two nothing is lost.
 */
const BOUND_UNIT = 256;
export function boundToSql(micros: number): number | null {
  return Number.isFinite(micros) ? micros / BOUND_UNIT : null;
}
export function boundFromSql(value: number): number {
  return value * BOUND_UNIT;
}

function orElse(value: SqlValue, otherwise: number): number {
  return value === null ? otherwise : (value as number);
}
