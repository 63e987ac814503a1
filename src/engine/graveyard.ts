/**
 * What removals under a mark took, kept until no mark can bring it back: claims with their history links, and of a
 * module all that it was (contract §9.7, "Dropping a mark").
 *
 * Rows of SQL only, written as they land and read by a restore; `removal` is the position of the statement that took
 * them. What a grave names counts as named, so its names and values stay readable, sealed like all others.
 */
import type { Grave } from "./change";
import { boundToSql, type ClaimRow, COLUMNS, claimFromRow } from "./claim-row";
import type { Sql } from "./sql";
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
        sql.exec(
          "INSERT INTO grave_preference (removal, field, subject, source) VALUES (?, ?, ?, ?)",
          grave.removal,
          field,
          subject,
          source,
        );
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
        sql.exec(
          "INSERT INTO grave_link (claim, removal, field, subject, gone_by, gone_at) VALUES (?, ?, ?, ?, ?, ?)",
          row.id,
          removal,
          row.field,
          row.subject,
          row.goneBy,
          row.goneAt,
        );
      }
    }
  }
}

/** Everything removed up to a position goes. */
export function dropGraves(sql: Sql, symbols: SymbolTable, upTo: number): void {
  for (const { row } of sql.exec(`DELETE FROM grave_claim WHERE removal <= ? RETURNING ${GRAVE_COLUMNS}`, upTo).map(graveFromRow)) {
    countRow(symbols, row, -1);
  }
  const preferences = sql.exec("DELETE FROM grave_preference WHERE removal <= ? RETURNING field, subject, source", upTo) as number[][];
  for (const [field, subject, source] of preferences) countPreference(symbols, { field, subject, source }, -1);
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
  return sql.exec(`SELECT ${GRAVE_COLUMNS} FROM grave_claim WHERE removal > ? ORDER BY removal, position, id`, since).map(graveFromRow);
}

/** Modules removed after a position, in the order of their removal. */
export function readUnits(sql: Sql, since: number): GraveUnit[] {
  const rows = sql.exec("SELECT removal, module FROM grave_module WHERE removal > ? ORDER BY removal", since) as number[][];
  return rows.map(([removal, module]) => ({ removal, module }));
}

export function readUnitPreferences(sql: Sql, removal: number): GravePreference[] {
  const rows = sql.exec(
    "SELECT field, subject, source FROM grave_preference WHERE removal = ? ORDER BY field, subject",
    removal,
  ) as number[][];
  return rows.map(([field, subject, source]) => ({ field, subject, source }));
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
  const rows = sql.exec(
    "SELECT claim, removal, field, subject, gone_by, gone_at FROM grave_link WHERE removal > ? ORDER BY removal, claim",
    since,
  ) as number[][];
  return rows.map(([claim, removal, field, subject, goneBy, goneAt]) => ({ claim, removal, field, subject, goneBy, goneAt }));
}

/** What had superseded a version whose successor went last, as long as a mark knows; 0 where none does. */
export function supersededBy(sql: Sql, claim: number): number {
  const rows = sql.exec("SELECT gone_by FROM grave_link WHERE claim = ? ORDER BY removal DESC LIMIT 1", claim);
  return rows.length === 0 ? 0 : (rows[0][0] as number);
}

const GRAVE_COLUMNS = `${COLUMNS}, field, subject, removal, unit`;

function graveFromRow(row: readonly (string | number | null | Uint8Array)[]): GraveClaim {
  return {
    row: claimFromRow(row, row[13] as number, row[14] as number),
    removal: row[15] as number,
    unit: row[16] === 1,
  };
}

function insertGrave(sql: Sql, removal: number, row: ClaimRow, unit: boolean): void {
  sql.exec(
    `INSERT INTO grave_claim (${GRAVE_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
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
    row.field,
    row.subject,
    removal,
    unit ? 1 : 0,
  );
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
