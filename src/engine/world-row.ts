/**
 * Worlds in SQL: a row a world, and what each holds, clustered by world and cell.
 *
 * Integers only, as all rows: names and values are symbols, which count these rows as they count claims.
 */
import type { Preference } from "./change";
import { type ClaimRow, COLUMNS, claimFromRow, rowValues, sumOf } from "./claim-row";
import { countPreference, countRow } from "./graveyard";
import type { Sql, SqlRow } from "./sql";
import { addToSum, checkedRow, damaged, sumOfRow } from "./stored-sum";
import type { SymbolTable } from "./symbol";
import { Overlay, type WorldChange, type WorldClaim, type WorldPin } from "./world";

/** Ids of the worlds that stand, by the symbol of their name. */
export function selectWorlds(sql: Sql): Map<number, number> {
  const rows = sql.exec("SELECT id, name, sum FROM world").map((row) => checkedRow(row, "a world") as readonly number[]);
  return new Map(rows.map(([id, name]) => [name, id]));
}

export function insertWorld(sql: Sql, symbols: SymbolTable, name: number, id: number): void {
  sql.exec("INSERT INTO world (id, name, sum) VALUES (?, ?, ?)", id, name, sumOfRow([id, name]));
  symbols.count(name, 1);
}

/** The world and all it holds. */
export function deleteWorld(sql: Sql, symbols: SymbolTable, name: number, id: number): void {
  const claims = sql.exec(`DELETE FROM world_claim WHERE world = ? RETURNING ${CLAIM}`, id).map(claimOfWorld);
  for (const claim of claims) countClaim(symbols, claim, -1);
  const preferences = sql.exec(`DELETE FROM world_preference WHERE world = ? RETURNING ${PREFERENCE}, sum`, id).map(preferenceFromRow);
  for (const preference of preferences) countPreference(symbols, preference, -1);
  for (const pin of sql.exec(`DELETE FROM world_pin WHERE world = ? RETURNING ${PIN}, sum`, id).map(pinFromRow)) countPin(symbols, pin, -1);
  sql.exec("DELETE FROM world WHERE id = ?", id);
  symbols.count(name, -1);
}

export function selectOverlay(sql: Sql, world: number): Overlay {
  const overlay = new Overlay();
  for (const row of sql.scan(`SELECT ${CLAIM} FROM world_claim WHERE world = ?`, world)) {
    const claim = claimOfWorld(row);
    overlay.make({ tag: "world_claim", world, claim, sign: 1 });
  }
  for (const row of sql.exec(`SELECT ${PREFERENCE}, sum FROM world_preference WHERE world = ?`, world)) {
    overlay.make({ tag: "world_preference", world, preference: preferenceFromRow(row), sign: 1 });
  }
  for (const row of sql.exec(`SELECT ${PIN}, sum FROM world_pin WHERE world = ?`, world)) {
    overlay.make({ tag: "world_pin", world, pin: pinFromRow(row), sign: 1 });
  }
  return overlay;
}

export function writeWorldChange(sql: Sql, symbols: SymbolTable, change: WorldChange): void {
  const { world, sign } = change;
  switch (change.tag) {
    case "world_claim": {
      const { row, base } = change.claim;
      if (sign > 0) sql.exec(INSERT_CLAIM, ...rowValues(row), base || null, sumWithBase(row, base), row.field, row.subject, world);
      else
        sql.exec("DELETE FROM world_claim WHERE world = ? AND field = ? AND subject = ? AND id = ?", world, row.field, row.subject, row.id);
      countClaim(symbols, change.claim, sign);
      return;
    }
    case "world_preference": {
      const { id, field, subject, source, setAt } = change.preference;
      const row = [id, field, subject, source, setAt, world];
      if (sign > 0) sql.exec(`INSERT INTO world_preference (${PREFERENCE}, sum) VALUES (?, ?, ?, ?, ?, ?, ?)`, ...row, sumOfRow(row));
      else sql.exec("DELETE FROM world_preference WHERE world = ? AND field = ? AND subject = ?", world, field, subject);
      countPreference(symbols, change.preference, sign);
      return;
    }
    case "world_pin": {
      const { field, subject, sign: way } = change.pin;
      const row = [field, subject, way, world];
      if (sign > 0) sql.exec(`INSERT INTO world_pin (${PIN}, sum) VALUES (?, ?, ?, ?, ?)`, ...row, sumOfRow(row));
      else sql.exec("DELETE FROM world_pin WHERE world = ? AND field = ? AND subject = ?", world, field, subject);
      countPin(symbols, change.pin, sign);
    }
  }
}

/** Some world but `except` that has judged the field; 0 for none. */
export function worldJudging(sql: Sql, field: number, except: number): number {
  return first(sql, "SELECT world FROM world_preference WHERE field = ? AND world <> ? LIMIT 1", field, except);
}

/** Some world that holds anything at the field; 0 for none. */
export function worldHolding(sql: Sql, field: number): number {
  const tables = ["world_claim", "world_preference", "world_pin"];
  for (const table of tables) {
    const world = first(sql, `SELECT world FROM ${table} WHERE world IN (SELECT id FROM world) AND field = ? LIMIT 1`, field);
    if (world !== 0) return world;
  }
  return 0;
}

function first(sql: Sql, text: string, ...parameters: number[]): number {
  const rows = sql.exec(text, ...parameters);
  return rows.length === 0 ? 0 : (rows[0][0] as number);
}

// ---- rows ----

const CLAIM = `${COLUMNS}, base, sum, field, subject`;
const INSERT_CLAIM = `INSERT INTO world_claim (${CLAIM}, world) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
const PREFERENCE = "id, field, subject, source, set_at, world";
const PIN = "field, subject, sign, world";

/** Refuses a row whose bits have changed since it was written. */
function claimOfWorld(columns: SqlRow): WorldClaim {
  const [base, sum, field, subject] = columns.slice(13) as number[];
  const row = claimFromRow(columns, field, subject);
  const claim = { row, base: base ?? 0 };
  if (sum !== sumWithBase(row, claim.base)) throw damaged("a claim of a world");
  return claim;
}

function sumWithBase(row: ClaimRow, base: number): number {
  return addToSum(sumOf(row), base) >>> 0;
}

function preferenceFromRow(row: SqlRow): Preference {
  const [id, field, subject, source, setAt] = checkedRow(row, "a preference of a world") as readonly number[];
  return { id, field, subject, source, setAt };
}

function pinFromRow(row: SqlRow): WorldPin {
  const [field, subject, sign] = checkedRow(row, "a pin of a world") as readonly number[];
  return { field, subject, sign: sign > 0 ? 1 : -1 };
}

function countClaim(symbols: SymbolTable, { row, base }: WorldClaim, change: 1 | -1): void {
  if (base === 0) countRow(symbols, row, change);
  else countPlace(symbols, row, change);
}

function countPin(symbols: SymbolTable, pin: WorldPin, change: 1 | -1): void {
  countPlace(symbols, pin, change);
}

function countPlace(symbols: SymbolTable, { field, subject }: { readonly field: number; readonly subject: number }, change: 1 | -1): void {
  symbols.countField(field, change);
  symbols.count(subject, change);
}
