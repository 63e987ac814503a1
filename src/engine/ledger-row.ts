/**
 * What a ledger holds whole in memory, as rows: preferences, pins, marks, and where rules stood whose text is not kept.
 *
 * Each row says its own sum, and all are read when a store is opened, so that one whose bits have changed is met there.
 * A preference that has ended stays for reads of what was known, until nothing is recorded where it stood.
 */
import type { Preference } from "./change";
import { countPreference } from "./graveyard";
import type { LostRule } from "./rule-history";
import type { Sql, SqlRow } from "./sql";
import { checkedRow, sumOfRow } from "./stored-sum";
import type { SymbolTable } from "./symbol";

export interface LedgerRows {
  /** Those that stand. */
  readonly preferences: readonly Preference[];
  /** Fields with a preference that stands or ended. */
  readonly everPreferred: ReadonlySet<number>;
  readonly pins: readonly { readonly field: number; readonly subject: number }[];
  /** Positions by the symbol of their name. */
  readonly marks: ReadonlyMap<number, number>;
  readonly lostRules: readonly LostRule[];
}

export function readLedgerRows(sql: Sql): LedgerRows {
  const read = (table: string, columns: string, what: string) =>
    sql.exec(`SELECT ${columns}, sum FROM ${table}`).map((row) => checkedRow(row, what) as readonly number[]);
  const preferences = sql.exec(`SELECT ${PREFERENCE}, sum FROM preference`).map(storedPreference);
  return {
    preferences: preferences.filter((one) => one.unsetAt === null),
    everPreferred: new Set(preferences.map(({ field }) => field)),
    pins: read("pin", "field, subject", "a pin").map(([field, subject]) => ({ field, subject })),
    marks: new Map(read("mark", "name, position", "a mark").map(([name, position]) => [name, position])),
    lostRules: read("lost_rule", "field, since, until", "the record of a rule").map(([field, from, until]) => ({ field, from, until })),
  };
}

// ---- preferences ----

const PREFERENCE = "id, field, subject, source, set_at, unset_at";

interface StoredPreference extends Preference {
  /** Null while it stands. */
  readonly unsetAt: number | null;
}

function storedPreference(row: SqlRow): StoredPreference {
  const [id, field, subject, source, setAt, unsetAt] = checkedRow(row, "a preference") as readonly (number | null)[] as number[];
  return { id, field, subject, source, setAt, unsetAt };
}

export function beginPreference(sql: Sql, symbols: SymbolTable, preference: Preference): void {
  const { id, field, subject, source, setAt } = preference;
  const row = [id, field, subject, source, setAt, null];
  sql.exec(`INSERT INTO preference (${PREFERENCE}, sum) VALUES (?, ?, ?, ?, ?, ?, ?)`, ...row, sumOfRow(row));
  countPreference(symbols, preference, 1);
}

/** One that never stood at an instant of its own leaves nothing to know of it. */
export function endPreference(sql: Sql, symbols: SymbolTable, preference: Preference, at: number): void {
  const { id, field, subject, source, setAt } = preference;
  if (setAt === at) {
    sql.exec("DELETE FROM preference WHERE id = ?", id);
    countPreference(symbols, preference, -1);
  } else sql.exec("UPDATE preference SET unset_at = ?, sum = ? WHERE id = ?", at, sumOfRow([id, field, subject, source, setAt, at]), id);
}

/** Where a preference has ended and is still known of; 0 for the whole field. */
export function preferredSubjects(sql: Sql, field: number): number[] {
  const rows = sql.exec("SELECT DISTINCT subject FROM preference WHERE field = ? AND unset_at IS NOT NULL", field);
  return rows.map(([subject]) => subject as number);
}

/** Whether some preference at the field has ended and is still known of. */
export function hasEndedPreferences(sql: Sql, field: number): boolean {
  return sql.exec("SELECT 1 FROM preference WHERE field = ? AND unset_at IS NOT NULL LIMIT 1", field).length > 0;
}

/**
 * Where nothing is recorded any longer, nobody may learn who was believed there. Subject 0: at the whole field. A rule that
 * concludes there (`rules`: symbols of names) was believed of what it concludes, recorded or not.
 */
export function dropEndedPreferences(sql: Sql, symbols: SymbolTable, field: number, subject: number, rules: ReadonlySet<number>): void {
  const left =
    subject === 0
      ? sql.exec("SELECT 1 FROM claim WHERE field = ? LIMIT 1", field)
      : sql.exec("SELECT 1 FROM claim WHERE field = ? AND subject = ? LIMIT 1", field, subject);
  if (left.length > 0) return;
  const ended = sql.exec(
    `SELECT ${PREFERENCE}, sum FROM preference WHERE field = ? AND subject = ? AND unset_at IS NOT NULL`,
    field,
    subject,
  );
  for (const preference of ended.map(storedPreference)) {
    if (rules.has(preference.source)) continue;
    sql.exec("DELETE FROM preference WHERE id = ?", preference.id);
    countPreference(symbols, preference, -1);
  }
}

/** Who was preferred at a moment: at the cell, then at its field. */
export function preferredThen(sql: Sql, field: number, subject: number, known: number): number[] {
  const rows = sql.exec(
    `SELECT ${PREFERENCE}, sum FROM preference
      WHERE field = ? AND subject IN (?, 0) AND set_at <= ? AND (unset_at IS NULL OR unset_at > ?) ORDER BY subject DESC`,
    field,
    subject,
    known,
    known,
  );
  return rows.map((row) => storedPreference(row).source);
}

// ---- the rest ----

/** `sign`: +1 where it is set, -1 where it is lifted. */
export function writePin(sql: Sql, symbols: SymbolTable, field: number, subject: number, sign: 1 | -1): void {
  if (sign > 0) sql.exec("INSERT INTO pin (field, subject, sum) VALUES (?, ?, ?)", field, subject, sumOfRow([field, subject]));
  else sql.exec("DELETE FROM pin WHERE field = ? AND subject = ?", field, subject);
  symbols.countField(field, sign);
  symbols.count(subject, sign);
}

export function writeMark(sql: Sql, symbols: SymbolTable, name: number, before: number | null, after: number | null): void {
  if (before !== null) sql.exec("DELETE FROM mark WHERE name = ?", name);
  if (after !== null) sql.exec("INSERT INTO mark (name, position, sum) VALUES (?, ?, ?)", name, after, sumOfRow([name, after]));
  symbols.count(name, (after === null ? 0 : 1) - (before === null ? 0 : 1));
}

export function writeLostRule(sql: Sql, symbols: SymbolTable, { field, from, until }: LostRule, sign: 1 | -1): void {
  const row = [field, from, until];
  if (sign > 0) sql.exec("INSERT INTO lost_rule (field, since, until, sum) VALUES (?, ?, ?, ?)", ...row, sumOfRow(row));
  else sql.exec("DELETE FROM lost_rule WHERE field = ? AND since = ?", field, from);
  symbols.countField(field, sign);
}
