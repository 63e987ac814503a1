/**
 * The tables of a store. Every column is an integer, or a sealed blob, or a blob of integers: a copied database shows counts,
 * times and shape, and no name or value.
 *
 * `claim` is clustered by cell, standing claims before superseded ones, so that a read of what stands never
 * touches history. Rows are addressed by `id`, which grows with every write and orders what happened at one
 * `position`; a remaining part of a cut claim has an `id` of its own and its first claim's `position`.
 */
import { EngineError } from "../failure";
import type { Sql } from "./sql";

const TABLES = [
  "CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID",
  // A page of names and values. first, last: ids of the symbols in it. keys: their ids and keyed hashes; refs: how many
  // rows name each; with the last of them a symbol goes. sealed: their bytes. sum, here and below: stored-sum.ts.
  `CREATE TABLE IF NOT EXISTS symbol_page (
     id INTEGER PRIMARY KEY, first INTEGER NOT NULL, last INTEGER NOT NULL, refs BLOB NOT NULL, keys BLOB NOT NULL, sealed BLOB NOT NULL)`,
  "CREATE TABLE IF NOT EXISTS field (id INTEGER PRIMARY KEY, kind INTEGER NOT NULL, name INTEGER NOT NULL, refs INTEGER NOT NULL, sum INTEGER NOT NULL)",
  // known: from when on it could be read, where that is not `recorded`. written: where it was written, where that is
  // not `position`. gone_by, gone_at: what superseded it, and
  // when; -1 and NULL where that has been erased since.
  `CREATE TABLE IF NOT EXISTS claim (
     field INTEGER NOT NULL, subject INTEGER NOT NULL, past INTEGER NOT NULL, id INTEGER NOT NULL,
     value INTEGER NOT NULL, source INTEGER NOT NULL, valid_from INTEGER, valid_to INTEGER,
     position INTEGER NOT NULL, recorded INTEGER NOT NULL, known INTEGER, writer INTEGER NOT NULL,
     qualifiers INTEGER, gone_by INTEGER, gone_at INTEGER, written INTEGER, sum INTEGER NOT NULL,
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
  // A world: an id and a symbol. What it holds: claims, each with the columns of `claim`, of one of the store's (base) only
  // what the world says of it; who it believes; what it pins (1) or frees (-1).
  "CREATE TABLE IF NOT EXISTS world (id INTEGER PRIMARY KEY, name INTEGER NOT NULL)",
  `CREATE TABLE IF NOT EXISTS world_claim (
     world INTEGER NOT NULL, field INTEGER NOT NULL, subject INTEGER NOT NULL, id INTEGER NOT NULL, base INTEGER,
     value INTEGER NOT NULL, source INTEGER NOT NULL, valid_from INTEGER, valid_to INTEGER,
     position INTEGER NOT NULL, recorded INTEGER NOT NULL, known INTEGER, writer INTEGER NOT NULL,
     qualifiers INTEGER, gone_by INTEGER, gone_at INTEGER, written INTEGER, sum INTEGER NOT NULL,
     PRIMARY KEY (world, field, subject, id)) WITHOUT ROWID`,
  `CREATE TABLE IF NOT EXISTS world_preference (
     world INTEGER NOT NULL, field INTEGER NOT NULL, subject INTEGER NOT NULL, source INTEGER NOT NULL,
     id INTEGER NOT NULL, set_at INTEGER NOT NULL, PRIMARY KEY (world, field, subject)) WITHOUT ROWID`,
  "CREATE TABLE IF NOT EXISTS world_pin (world INTEGER NOT NULL, field INTEGER NOT NULL, subject INTEGER NOT NULL, sign INTEGER NOT NULL, PRIMARY KEY (world, field, subject)) WITHOUT ROWID",
  "CREATE TABLE IF NOT EXISTS grave_part (module INTEGER NOT NULL, form INTEGER NOT NULL, part INTEGER NOT NULL, sealed BLOB NOT NULL, PRIMARY KEY (module, form, part)) WITHOUT ROWID",
];

/**
 * What tells one version of the tables from another: FNV-1a over their text, so that no change of them goes unnoticed.
 * No version is upgraded to another yet: before the first release there is no store to keep.
 */
export const SCHEMA_VERSION = fingerprint(TABLES.join("\n"));

/** Makes the tables where they are not there yet. Those of another version are left alone: `EngineError`. */
export function createTables(sql: Sql): void {
  sql.transaction(() => {
    requireVersion(sql);
    for (const table of TABLES) sql.exec(table);
    sql.exec("INSERT OR IGNORE INTO meta (name, value) VALUES ('schema', ?)", SCHEMA_VERSION);
  });
}

function requireVersion(sql: Sql): void {
  if (sql.exec("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'meta'").length === 0) return;
  const version = readMeta(sql, "schema");
  if (version === SCHEMA_VERSION) return;
  throw new EngineError(
    `the store was made by another development version of this service (its tables are ${version}, this one's ${SCHEMA_VERSION}) and was left as it is: open it with that version, or start with another state folder`,
  );
}

function fingerprint(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193) >>> 0;
  return hash;
}

export function readMeta(sql: Sql, name: string): number | null {
  const rows = sql.exec("SELECT value FROM meta WHERE name = ?", name);
  return rows.length === 0 ? null : (rows[0][0] as number);
}

export function writeMeta(sql: Sql, name: string, value: number): void {
  sql.exec("INSERT INTO meta (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value", name, value);
}
