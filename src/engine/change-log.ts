/**
 * What happened since the oldest mark, line by line (contract §9.7): written as it lands, read by `diff`, let go with
 * the marks that could ask for it.
 *
 * A recorded claim's line only points at the claim: it is shown while the store holds the claim where it was recorded,
 * and so goes and comes back with it. All other lines stand by themselves, and what they name counts as named.
 */
import type { Subject } from "../datum";
import { type Change, type Grave, LINE, type Line } from "./change";
import { boundFromSql, boundToSql, type ClaimRow, isPast, selectClaim } from "./claim-row";
import type { DerivedChange } from "./reasoner";
import type { Sql, SqlRow } from "./sql";
import { checkedRow, damaged, sumOfRow } from "./stored-sum";
import type { SymbolTable } from "./symbol";
import { compareDatums, compareText } from "./value-order";

const NO_LINE: Omit<Line, "code"> = { field: 0, subject: 0, symbol: 0, claim: 0, instant: 0 };

export function lineOf(code: Line["code"], named: Partial<Omit<Line, "code">>): Line {
  return { ...NO_LINE, ...named, code };
}

export function writeLine(sql: Sql, symbols: SymbolTable, position: number, line: Line): void {
  const { code, field, subject, symbol, claim } = line;
  const instant = isTimed(code) ? boundToSql(line.instant) : null;
  const row = [position, code, field || null, subject || null, symbol || null, claim || null, instant];
  sql.exec(`INSERT INTO change (${LINE_COLUMNS}, sum) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`, ...row, sumOfRow(row));
  countLine(symbols, line, 1);
}

const LINE_COLUMNS = "position, code, field, subject, symbol, claim, instant";

/** The log up to a position goes. */
export function dropLines(sql: Sql, symbols: SymbolTable, upTo: number): void {
  const gone = sql.exec(`DELETE FROM change WHERE seq < ? RETURNING ${LINE_COLUMNS}, sum`, firstAfter(sql, upTo));
  for (const row of gone) countLine(symbols, lineFromRow(row), -1);
}

/** The number of the first line after a position. Positions ascend with the lines, so a few looks find it in a log of any length. */
function firstAfter(sql: Sql, position: number): number {
  const [[first, last]] = sql.exec("SELECT min(seq), max(seq) FROM change") as (number | null)[][];
  if (first === null || last === null) return 1;
  let low = first;
  let high = last + 1;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const [row] = sql.exec(`SELECT ${LINE_COLUMNS}, sum FROM change WHERE seq = ?`, middle);
    if (row === undefined) throw damaged("the log of changes");
    if (((checkedRow(row, "the log of changes") as number[])[0] as number) > position) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** A line, and of a recorded claim its value and source. */
export interface LineFound {
  readonly line: Line;
  readonly value: number;
  readonly source: number;
}

/** The lines after a position, in order; those of claims that the store no longer holds there left out. No cursor stays open. */
export function* readLines(sql: Sql, since: number): Iterable<LineFound> {
  const select = `SELECT ${LINE_COLUMNS}, sum, seq FROM change WHERE seq >= ? ORDER BY seq LIMIT ${LINES_AT_ONCE}`;
  let seq = firstAfter(sql, since);
  for (let rows = sql.exec(select, seq); rows.length > 0; rows = sql.exec(select, seq)) {
    for (const row of rows) {
      // Lines are only ever dropped from the front, so one that is missing is damage too.
      if (row[8] !== seq++) throw damaged("the log of changes");
      const line = lineFromRow(row.slice(0, 8));
      if (line.claim === 0) yield { line, value: 0, source: 0 };
      else {
        const claim = selectClaim(sql, line.field, line.subject, line.claim);
        if (claim?.position === row[0]) yield { line, value: claim.value, source: claim.source };
      }
    }
  }
}
/** Held in memory while their claims are looked up. */
const LINES_AT_ONCE = 500;

function lineFromRow(row: SqlRow): Line {
  const [, code, field, subject, symbol, claim, instant] = checkedRow(row, "the log of changes") as (number | null)[];
  return {
    code: code as Line["code"],
    field: field ?? 0,
    subject: subject ?? 0,
    symbol: symbol ?? 0,
    claim: claim ?? 0,
    instant: instant === null ? 0 : boundFromSql(instant),
  };
}

/** The claim itself, in the store or in the graveyard, names what its line shows. */
function countLine(symbols: SymbolTable, line: Line, change: 1 | -1): void {
  if (line.claim !== 0) return;
  if (line.field !== 0) symbols.countField(line.field, change);
  if (line.subject !== 0) symbols.count(line.subject, change);
  if (line.symbol !== 0) symbols.count(line.symbol, change);
}

function isTimed(code: number): boolean {
  return code >= LINE.removed_at && code <= LINE.valid_at_or_before;
}

// ---- what of a layer is told once it lands ----

/** What becomes of a claim over a whole layer. */
interface Fate {
  before: ClaimRow | null;
  after: ClaimRow | null;
}

/**
 * The changes of a layer as they land. Only what the layer leaves behind has happened: a claim that it wrote and took
 * away never reached the store, so it has no line, its removal has none, and nothing keeps it; a conclusion that came
 * and went has none; and a claim of the store that it revised and then removed is kept as the store had it.
 */
export function landChanges(changes: readonly Change[]): Change[] {
  const fates = new Map<number, Fate>();
  const written = new Map<number, Fate>();
  for (const change of changes) {
    if (change.tag !== "claim") continue;
    const { row, sign } = change;
    const fate = fates.get(row.id);
    if (fate !== undefined) fate.after = sign > 0 ? row : null;
    else {
      const met: Fate = sign > 0 ? { before: null, after: row } : { before: row, after: null };
      fates.set(row.id, met);
      if (row.id === row.written) written.set(row.id, met);
    }
  }
  const laid = new Map<Change, Grave | null>();
  const removals = new Set<number>();
  // What a statement sent into history, putting nothing in its place, is no longer held, and no grave says so.
  for (const { before, after } of fates.values()) {
    if (before !== null && after !== null && !isPast(before) && isPast(after)) removals.add(after.goneBy);
  }
  const lost = new Map<number, ClaimRow>();
  for (const change of changes) {
    if (change.tag !== "grave_claim" || change.row.id !== change.row.written) continue;
    if (fates.get(change.row.id)?.before === null) lost.set(change.row.written, change.row);
  }
  for (const change of changes) {
    if (change.tag === "grave_claim") {
      const row = asStored(change.row, fates.get(change.row.id)?.before ?? null, written, lost);
      laid.set(change, row === null ? null : { ...change, row });
      if (row !== null) removals.add(change.removal);
    } else if (change.tag === "grave_link") {
      laid.set(change, lost.has(change.row.goneBy) ? null : change);
    }
  }
  const conclusions = lastConclusions(changes);
  const landed: Change[] = [];
  for (const change of changes) {
    if (laid.has(change)) {
      const grave = laid.get(change);
      if (grave) landed.push(grave);
    } else if (change.tag !== "line") landed.push(change);
    else if (change.line.code === LINE.concluded) {
      if (conclusions.has(change)) landed.push(change);
    } else if (change.line.claim !== 0) {
      if (fates.get(change.line.claim)?.after) landed.push(change);
    } else if (change.line.code === LINE.removed_rule || removals.has(change.position)) landed.push(change);
  }
  return landed;
}

/** A removed claim as a mark keeps it; null for one that the layer had made itself. */
function asStored(
  row: ClaimRow,
  before: ClaimRow | null,
  written: ReadonlyMap<number, Fate>,
  lost: ReadonlyMap<number, ClaimRow>,
): ClaimRow | null {
  if (before === null) return null;
  if (row.goneBy === before.goneBy) return row;
  // Superseded inside the layer: by something that lands, or by what was taken away again before it could.
  let { goneBy, goneAt } = row;
  for (;;) {
    if (written.get(goneBy)?.after) return { ...row, goneBy, goneAt };
    const next = lost.get(goneBy);
    if (next === undefined || next.goneBy <= 0) return before;
    goneBy = next.goneBy;
    goneAt = next.goneAt;
  }
}

/** Of each conclusion the line at which it came to hold for good, where it did not hold before the layer. */
function lastConclusions(changes: readonly Change[]): Set<Change> {
  const held = new Map<string, { readonly heldBefore: boolean; last: Change & { readonly tag: "line" } }>();
  for (const change of changes) {
    if (change.tag !== "line" || change.line.code !== LINE.concluded) continue;
    const { field, subject, symbol } = change.line;
    const key = `${field}/${subject}/${symbol}`;
    const known = held.get(key);
    if (known === undefined) held.set(key, { heldBefore: change.sign < 0, last: change });
    else known.last = change;
  }
  const kept = new Set<Change>();
  for (const { heldBefore, last } of held.values()) if (!heldBefore && last.sign > 0) kept.add(last);
  return kept;
}

/**
 * The lines of what the rules came to conclude (+1) and ceased to (-1) in one statement: by Kind, subject and field,
 * then in value order. A value that some rule concluded there before, at whatever time, has not come to hold.
 */
export function conclusionLines(symbols: SymbolTable, changes: readonly DerivedChange[]): { readonly line: Line; readonly sign: 1 | -1 }[] {
  const first = new Map<string, DerivedChange>();
  const last = new Map<string, DerivedChange>();
  for (const change of changes) {
    const key = `${change.field}/${change.subject}/${change.value}`;
    if (!first.has(key)) first.set(key, change);
    last.set(key, change);
  }
  const lines: { readonly line: Line; readonly sign: 1 | -1; readonly names: readonly [string, string, string] }[] = [];
  for (const [key, { field, subject, value, after }] of last) {
    const held = first.get(key)!.before.length > 0;
    const holds = after.length > 0;
    if (held === holds) continue;
    const { kind, field: name } = symbols.fieldOf(field);
    const names = [kind, (symbols.datumOf(subject) as Subject).name, name] as const;
    lines.push({ line: lineOf(LINE.concluded, { field, subject, symbol: value }), sign: holds ? 1 : -1, names });
  }
  return lines.sort((a, b) => {
    for (const i of [0, 1, 2] as const) if (a.names[i] !== b.names[i]) return compareText(a.names[i], b.names[i]);
    return compareDatums(symbols.datumOf(a.line.symbol), symbols.datumOf(b.line.symbol));
  });
}
