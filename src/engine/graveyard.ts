/**
 * What removals under a mark took, kept until no mark can bring it back: claims with their history links, and of a
 * module all that it was (contract §9.7, "Dropping a mark").
 *
 * Rows of SQL only, written as they land and read by a restore; `removal` is the position of the statement that took
 * them. What a grave names counts as named, so its names and values stay readable, sealed like all others.
 */
import type { Grave } from "./change";
import { type ClaimRow, COLUMNS, claimFromRow, rowValues } from "./claim-row";
import type { Sql, SqlRow } from "./sql";
import { checkedRow, sumOfRow } from "./stored-sum";
import type { SymbolTable } from "./symbol";

export interface GraveClaim {
  readonly removal: number;
  /** It went with its module, and comes back with it or not at all. */
  readonly unit: boolean;
  readonly row: ClaimRow;
}

/** A module that was removed: its parts lie under its id. */
export interface GraveUnit {
  readonly removal: number;
  readonly module: number;
}

export interface GravePreference {
  readonly field: number;
  readonly subject: number;
  readonly source: number;
}

export function writeGrave(sql: Sql, symbols: SymbolTable, grave: Grave): void {
  switch (grave.tag) {
    case "grave_claim":
      if (grave.sign > 0) insertGrave(sql, grave.removal, grave.row, grave.unit);
      else sql.exec("DELETE FROM grave_claim WHERE removal = ? AND id = ?", grave.removal, grave.row.id);
      countRow(symbols, grave.row, grave.sign);
      return;
    case "grave_preference": {
      const { field, subject, source } = grave.preference;
      if (grave.sign > 0) {
        const row = [grave.removal, field, subject, source];
        sql.exec(`INSERT INTO grave_preference (${PREFERENCE_COLUMNS}, sum) VALUES (?, ?, ?, ?, ?)`, ...row, sumOfRow(row));
      } else {
        sql.exec("DELETE FROM grave_preference WHERE removal = ? AND field = ? AND subject = ?", grave.removal, field, subject);
      }
      countPreference(symbols, grave.preference, grave.sign);
      return;
    }
    case "grave_link": {
      const { removal, row } = grave;
      if (grave.sign < 0) sql.exec("DELETE FROM grave_link WHERE claim = ? AND removal = ?", row.id, removal);
      else {
        const link = [row.id, removal, row.field, row.subject, row.goneBy, row.goneAt];
        sql.exec(`INSERT INTO grave_link (${LINK_COLUMNS}, sum) VALUES (?, ?, ?, ?, ?, ?, ?)`, ...link, sumOfRow(link));
      }
    }
  }
}

/** Everything removed up to a position goes. */
export function dropGraves(sql: Sql, symbols: SymbolTable, upTo: number): void {
  for (const { row } of sql.exec(`DELETE FROM grave_claim WHERE removal <= ? RETURNING ${GRAVE_COLUMNS}, sum`, upTo).map(graveFromRow)) {
    countRow(symbols, row, -1);
  }
  const preferences = sql.exec(`DELETE FROM grave_preference WHERE removal <= ? RETURNING ${PREFERENCE_COLUMNS}, sum`, upTo);
  for (const preference of preferences.map(preferenceFromRow)) countPreference(symbols, preference, -1);
  sql.exec("DELETE FROM grave_link WHERE removal <= ?", upTo);
  sql.exec("DELETE FROM grave_part WHERE module IN (SELECT module FROM grave_module WHERE removal <= ?)", upTo);
  sql.exec("DELETE FROM grave_module WHERE removal <= ?", upTo);
}

/** Claims removed up to a position. */
export function countGraves(sql: Sql, upTo: number): number {
  return sql.exec("SELECT count(*) FROM grave_claim WHERE removal <= ?", upTo)[0][0] as number;
}

/** Claims removed after a position, in the order of their removal. */
export function readGraves(sql: Sql, since: number): GraveClaim[] {
  return sql
    .exec(`SELECT ${GRAVE_COLUMNS}, sum FROM grave_claim WHERE removal > ? ORDER BY removal, position, id`, since)
    .map(graveFromRow);
}

/** Modules removed after a position, in the order of their removal. */
export function readUnits(sql: Sql, since: number): GraveUnit[] {
  const rows = sql.exec("SELECT removal, module, sum FROM grave_module WHERE removal > ? ORDER BY removal", since);
  return rows.map((row) => {
    const [removal, module] = checkedRow(row, "a removed module") as readonly number[];
    return { removal, module };
  });
}

export function writeUnit(sql: Sql, { removal, module }: GraveUnit): void {
  sql.exec("INSERT INTO grave_module (removal, module, sum) VALUES (?, ?, ?)", removal, module, sumOfRow([removal, module]));
}

export function readUnitPreferences(sql: Sql, removal: number): GravePreference[] {
  return sql
    .exec(`SELECT ${PREFERENCE_COLUMNS}, sum FROM grave_preference WHERE removal = ? ORDER BY field, subject`, removal)
    .map(preferenceFromRow);
}

/** A version that stayed behind in the store, or did when its successor went. */
export interface GraveLink {
  readonly claim: number;
  readonly removal: number;
  readonly field: number;
  readonly subject: number;
  readonly goneBy: number;
  readonly goneAt: number;
}

/** Links cut after a position. */
export function readLinks(sql: Sql, since: number): GraveLink[] {
  return sql.exec(`SELECT ${LINK_COLUMNS}, sum FROM grave_link WHERE removal > ? ORDER BY removal, claim`, since).map(linkFromRow);
}

/** What had superseded a version whose successor went last, as long as a mark knows; 0 where none does. */
export function supersededBy(sql: Sql, claim: number): number {
  const [row] = sql.exec(`SELECT ${LINK_COLUMNS}, sum FROM grave_link WHERE claim = ? ORDER BY removal DESC LIMIT 1`, claim);
  return row === undefined ? 0 : linkFromRow(row).goneBy;
}

const LINK_COLUMNS = "claim, removal, field, subject, gone_by, gone_at";
function linkFromRow(row: SqlRow): GraveLink {
  const [claim, removal, field, subject, goneBy, goneAt] = checkedRow(row, "a removed claim") as readonly number[];
  return { claim, removal, field, subject, goneBy, goneAt };
}

const PREFERENCE_COLUMNS = "removal, field, subject, source";
function preferenceFromRow(row: SqlRow): GravePreference {
  const [, field, subject, source] = checkedRow(row, "a removed preference") as readonly number[];
  return { field, subject, source };
}

const GRAVE_COLUMNS = `${COLUMNS}, field, subject, removal, unit`;

function graveFromRow(row: SqlRow): GraveClaim {
  const columns = checkedRow(row, "a removed claim");
  return {
    row: claimFromRow(columns, columns[13] as number, columns[14] as number),
    removal: columns[15] as number,
    unit: columns[16] === 1,
  };
}

function insertGrave(sql: Sql, removal: number, row: ClaimRow, unit: boolean): void {
  const columns = [...rowValues(row), row.field, row.subject, removal, unit ? 1 : 0];
  const places = columns.map(() => "?").join(", ");
  sql.exec(`INSERT INTO grave_claim (${GRAVE_COLUMNS}, sum) VALUES (${places}, ?)`, ...columns, sumOfRow(columns));
}

/** A claim's names and values, wherever its row lies. */
export function countRow(symbols: SymbolTable, row: ClaimRow, change: 1 | -1): void {
  symbols.countField(row.field, change);
  symbols.count(row.subject, change);
  symbols.count(row.value, change);
  symbols.count(row.source, change);
  symbols.count(row.writer, change);
  if (row.qualifiers !== 0) symbols.count(row.qualifiers, change);
}

export function countPreference(symbols: SymbolTable, { field, subject, source }: GravePreference, change: 1 | -1): void {
  symbols.countField(field, change);
  if (subject !== 0) symbols.count(subject, change);
  symbols.count(source, change);
}
