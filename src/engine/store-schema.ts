/**
 * The tables of a store. Every column is an integer, or a sealed blob, or a blob of integers: a copied database shows counts,
 * times and shape, and no name or value.
 *
 * `claim` is clustered by cell, standing claims before superseded ones, so that a read of what stands never
 * touches history. Rows are addressed by `id`, which grows with every write and orders what happened at one
 * `position`; a remaining part of a cut claim has an `id` of its own and its first claim's `position`.
 */
import type { Sql } from "./sql";

export const SCHEMA_VERSION = 2;

const TABLES = [
  "CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID",
  // A page of names and values. first, last: ids of the symbols in it. keys: their ids and keyed hashes; refs: how many
  // rows name each; with the last of them a symbol goes. sealed: their bytes.
  `CREATE TABLE IF NOT EXISTS symbol_page (
     id INTEGER PRIMARY KEY, first INTEGER NOT NULL, last INTEGER NOT NULL, refs BLOB NOT NULL, keys BLOB NOT NULL, sealed BLOB NOT NULL)`,
  "CREATE TABLE IF NOT EXISTS field (id INTEGER PRIMARY KEY, kind INTEGER NOT NULL, name INTEGER NOT NULL, refs INTEGER NOT NULL)",
  // known: from when on it could be read, where that is not `recorded`. written: where it was written, where that is
  // not `position`. gone_by, gone_at: what superseded it, and
  // when; -1 and NULL where that has been erased since.
  `CREATE TABLE IF NOT EXISTS claim (
     field INTEGER NOT NULL, subject INTEGER NOT NULL, past INTEGER NOT NULL, id INTEGER NOT NULL,
     value INTEGER NOT NULL, source INTEGER NOT NULL, valid_from INTEGER, valid_to INTEGER,
     position INTEGER NOT NULL, recorded INTEGER NOT NULL, known INTEGER, writer INTEGER NOT NULL,
     qualifiers INTEGER, gone_by INTEGER, gone_at INTEGER, written INTEGER,
     PRIMARY KEY (field, subject, past, id)) WITHOUT ROWID`,
  // subject 0: the whole field. unset_at NULL: it stands; the others answer reads of what was known.
  `CREATE TABLE IF NOT EXISTS preference (
     id INTEGER PRIMARY KEY, field INTEGER NOT NULL, subject INTEGER NOT NULL, source INTEGER NOT NULL,
     set_at INTEGER NOT NULL, unset_at INTEGER)`,
  "CREATE INDEX IF NOT EXISTS preference_by_cell ON preference (field, subject)",
  "CREATE TABLE IF NOT EXISTS pin (field INTEGER NOT NULL, subject INTEGER NOT NULL, PRIMARY KEY (field, subject)) WITHOUT ROWID",
  // Instants from which until which a rule concluded at the field whose text is not kept.
  "CREATE TABLE IF NOT EXISTS lost_rule (field INTEGER NOT NULL, since INTEGER NOT NULL, until INTEGER NOT NULL, PRIMARY KEY (field, since)) WITHOUT ROWID",
  // A module's record and its compiled form, each sealed, cut where a row would pass 2 MB. part 0 opens the record.
  "CREATE TABLE IF NOT EXISTS module_part (module INTEGER NOT NULL, form INTEGER NOT NULL, part INTEGER NOT NULL, sealed BLOB NOT NULL, PRIMARY KEY (module, form, part)) WITHOUT ROWID",
  // A mark is a position and nothing else. name: a symbol.
  "CREATE TABLE IF NOT EXISTS mark (name INTEGER PRIMARY KEY, position INTEGER NOT NULL)",
  // What happened since the oldest mark, a row a line, in order; code: change.ts, LINE. Empty where no mark stands.
  `CREATE TABLE IF NOT EXISTS change (
     seq INTEGER PRIMARY KEY, position INTEGER NOT NULL, code INTEGER NOT NULL, field INTEGER, subject INTEGER,
     symbol INTEGER, claim INTEGER, instant INTEGER)`,
  // Claims removed since the oldest mark. removal: the position of the statement; unit: 1 where they went with their module.
  `CREATE TABLE IF NOT EXISTS grave_claim (
     removal INTEGER NOT NULL, id INTEGER NOT NULL, unit INTEGER NOT NULL, field INTEGER NOT NULL, subject INTEGER NOT NULL,
     value INTEGER NOT NULL, source INTEGER NOT NULL, valid_from INTEGER, valid_to INTEGER,
     position INTEGER NOT NULL, recorded INTEGER NOT NULL, known INTEGER, writer INTEGER NOT NULL,
     qualifiers INTEGER, gone_by INTEGER, gone_at INTEGER, written INTEGER,
     PRIMARY KEY (removal, id)) WITHOUT ROWID`,
  `CREATE TABLE IF NOT EXISTS grave_preference (
     removal INTEGER NOT NULL, field INTEGER NOT NULL, subject INTEGER NOT NULL, source INTEGER NOT NULL,
     PRIMARY KEY (removal, field, subject)) WITHOUT ROWID`,
  // claim: a version that stayed behind; gone_by, gone_at: what had superseded it, and when.
  `CREATE TABLE IF NOT EXISTS grave_link (
     claim INTEGER NOT NULL, removal INTEGER NOT NULL, field INTEGER NOT NULL, subject INTEGER NOT NULL, gone_by INTEGER NOT NULL,
     gone_at INTEGER NOT NULL, PRIMARY KEY (claim, removal)) WITHOUT ROWID`,
  "CREATE TABLE IF NOT EXISTS grave_module (removal INTEGER PRIMARY KEY, module INTEGER NOT NULL)",
  "CREATE TABLE IF NOT EXISTS grave_part (module INTEGER NOT NULL, form INTEGER NOT NULL, part INTEGER NOT NULL, sealed BLOB NOT NULL, PRIMARY KEY (module, form, part)) WITHOUT ROWID",
];

/** Makes the tables where they are not there yet. */
export function createTables(sql: Sql): void {
  sql.transaction(() => {
    for (const table of TABLES) sql.exec(table);
    if (readMeta(sql, "schema") === 1) {
      sql.exec("ALTER TABLE claim ADD COLUMN written INTEGER");
      writeMeta(sql, "schema", SCHEMA_VERSION);
    }
    sql.exec("INSERT OR IGNORE INTO meta (name, value) VALUES ('schema', ?)", SCHEMA_VERSION);
  });
}

export function readMeta(sql: Sql, name: string): number | null {
  const rows = sql.exec("SELECT value FROM meta WHERE name = ?", name);
  return rows.length === 0 ? null : (rows[0][0] as number);
}

export function writeMeta(sql: Sql, name: string, value: number): void {
  sql.exec("INSERT INTO meta (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value", name, value);
}
