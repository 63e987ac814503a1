/**
 * The tables of a store. Every column is an integer, or a sealed blob, or a blob of integers: a copied database shows counts,
 * times and shape, and no name or value.
 *
 * `claim` is clustered by cell, standing claims before superseded ones, so that a read of what stands never
 * touches history. Rows are addressed by `id`, which grows with every write and orders what happened at one
 * `position`; a remaining part of a cut claim has an `id` of its own and its first claim's `position`.
 *
 * They are made in numbered steps, and a store of an earlier step is taken through those it has not seen, all in one
 * transaction. A step that has been released never changes: what is to be otherwise is another step.
 */
import { EngineError } from "../failure";
import { sumOfRange } from "./page-range";
import type { Sql, SqlRow } from "./sql";
import { checkedRow, sumOfRow } from "./stored-sum";
import { CHUNK_TABLE, FULL_PAGE, writeAllChunks } from "./symbol-chunk";

/** A step: statements, or work on the rows that lie there. */
export type Step = readonly string[] | ((sql: Sql) => void);

const FIRST_TABLES: Step = [
  "CREATE TABLE meta (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID",
  // A page of names and values. first, last: ids of the symbols in it. keys: their ids and keyed hashes; refs: how many
  // rows name each; with the last of them a symbol goes. sealed: their bytes. sum, here and below: stored-sum.ts.
  `CREATE TABLE symbol_page (
     id INTEGER PRIMARY KEY, first INTEGER NOT NULL, last INTEGER NOT NULL, refs BLOB NOT NULL, keys BLOB NOT NULL, sealed BLOB NOT NULL)`,
  "CREATE TABLE field (id INTEGER PRIMARY KEY, kind INTEGER NOT NULL, name INTEGER NOT NULL, refs INTEGER NOT NULL, sum INTEGER NOT NULL)",
  // known: from when on it could be read, where that is not `recorded`. written: where it was written, where that is
  // not `position`. gone_by, gone_at: what superseded it, and
  // when; -1 and NULL where that has been erased since.
  `CREATE TABLE claim (
     field INTEGER NOT NULL, subject INTEGER NOT NULL, past INTEGER NOT NULL, id INTEGER NOT NULL,
     value INTEGER NOT NULL, source INTEGER NOT NULL, valid_from INTEGER, valid_to INTEGER,
     position INTEGER NOT NULL, recorded INTEGER NOT NULL, known INTEGER, writer INTEGER NOT NULL,
     qualifiers INTEGER, gone_by INTEGER, gone_at INTEGER, written INTEGER, sum INTEGER NOT NULL,
     PRIMARY KEY (field, subject, past, id)) WITHOUT ROWID`,
  // subject 0: the whole field. unset_at NULL: it stands; the others answer reads of what was known.
  `CREATE TABLE preference (
     id INTEGER PRIMARY KEY, field INTEGER NOT NULL, subject INTEGER NOT NULL, source INTEGER NOT NULL,
     set_at INTEGER NOT NULL, unset_at INTEGER)`,
  "CREATE INDEX preference_by_cell ON preference (field, subject)",
  "CREATE TABLE pin (field INTEGER NOT NULL, subject INTEGER NOT NULL, PRIMARY KEY (field, subject)) WITHOUT ROWID",
  // Instants from which until which a rule concluded at the field whose text is not kept.
  "CREATE TABLE lost_rule (field INTEGER NOT NULL, since INTEGER NOT NULL, until INTEGER NOT NULL, PRIMARY KEY (field, since)) WITHOUT ROWID",
  // A module's record and its compiled form, each sealed, cut where a row would pass 2 MB. part 0 opens the record.
  "CREATE TABLE module_part (module INTEGER NOT NULL, form INTEGER NOT NULL, part INTEGER NOT NULL, sealed BLOB NOT NULL, PRIMARY KEY (module, form, part)) WITHOUT ROWID",
  // A mark is a position and nothing else. name: a symbol.
  "CREATE TABLE mark (name INTEGER PRIMARY KEY, position INTEGER NOT NULL)",
  // What happened since the oldest mark, a row a line, in order; code: change.ts, LINE. Empty where no mark stands.
  `CREATE TABLE change (
     seq INTEGER PRIMARY KEY, position INTEGER NOT NULL, code INTEGER NOT NULL, field INTEGER, subject INTEGER,
     symbol INTEGER, claim INTEGER, instant INTEGER)`,
  // Claims removed since the oldest mark. removal: the position of the statement; unit: 1 where they went with their module.
  `CREATE TABLE grave_claim (
     removal INTEGER NOT NULL, id INTEGER NOT NULL, unit INTEGER NOT NULL, field INTEGER NOT NULL, subject INTEGER NOT NULL,
     value INTEGER NOT NULL, source INTEGER NOT NULL, valid_from INTEGER, valid_to INTEGER,
     position INTEGER NOT NULL, recorded INTEGER NOT NULL, known INTEGER, writer INTEGER NOT NULL,
     qualifiers INTEGER, gone_by INTEGER, gone_at INTEGER, written INTEGER,
     PRIMARY KEY (removal, id)) WITHOUT ROWID`,
  `CREATE TABLE grave_preference (
     removal INTEGER NOT NULL, field INTEGER NOT NULL, subject INTEGER NOT NULL, source INTEGER NOT NULL,
     PRIMARY KEY (removal, field, subject)) WITHOUT ROWID`,
  // claim: a version that stayed behind; gone_by, gone_at: what had superseded it, and when.
  `CREATE TABLE grave_link (
     claim INTEGER NOT NULL, removal INTEGER NOT NULL, field INTEGER NOT NULL, subject INTEGER NOT NULL, gone_by INTEGER NOT NULL,
     gone_at INTEGER NOT NULL, PRIMARY KEY (claim, removal)) WITHOUT ROWID`,
  "CREATE TABLE grave_module (removal INTEGER PRIMARY KEY, module INTEGER NOT NULL)",
  "CREATE TABLE grave_part (module INTEGER NOT NULL, form INTEGER NOT NULL, part INTEGER NOT NULL, sealed BLOB NOT NULL, PRIMARY KEY (module, form, part)) WITHOUT ROWID",
];

const WORLDS: Step = [
  // A world: an id and a symbol. What it holds: claims, each with the columns of `claim`, of one of the store's (base) only
  // what the world says of it; who it believes; what it pins (1) or frees (-1).
  "CREATE TABLE world (id INTEGER PRIMARY KEY, name INTEGER NOT NULL)",
  `CREATE TABLE world_claim (
     world INTEGER NOT NULL, field INTEGER NOT NULL, subject INTEGER NOT NULL, id INTEGER NOT NULL, base INTEGER,
     value INTEGER NOT NULL, source INTEGER NOT NULL, valid_from INTEGER, valid_to INTEGER,
     position INTEGER NOT NULL, recorded INTEGER NOT NULL, known INTEGER, writer INTEGER NOT NULL,
     qualifiers INTEGER, gone_by INTEGER, gone_at INTEGER, written INTEGER, sum INTEGER NOT NULL,
     PRIMARY KEY (world, field, subject, id)) WITHOUT ROWID`,
  `CREATE TABLE world_preference (
     world INTEGER NOT NULL, field INTEGER NOT NULL, subject INTEGER NOT NULL, source INTEGER NOT NULL,
     id INTEGER NOT NULL, set_at INTEGER NOT NULL, PRIMARY KEY (world, field, subject)) WITHOUT ROWID`,
  "CREATE TABLE world_pin (world INTEGER NOT NULL, field INTEGER NOT NULL, subject INTEGER NOT NULL, sign INTEGER NOT NULL, PRIMARY KEY (world, field, subject)) WITHOUT ROWID",
];

/** Tables whose rows had no sum, with the columns it is of. Those of `claim` and of names have had one from the first. */
const UNSUMMED: readonly (readonly [table: string, key: string, columns: string])[] = [
  ["meta", "name", "name, value"],
  ["preference", "id", "id, field, subject, source, set_at, unset_at"],
  ["pin", "field, subject", "field, subject"],
  ["lost_rule", "field, since", "field, since, until"],
  ["mark", "name", "name, position"],
  ["change", "seq", "position, code, field, subject, symbol, claim, instant"],
  [
    "grave_claim",
    "removal, id",
    "id, value, source, valid_from, valid_to, position, recorded, known, writer, qualifiers, gone_by, gone_at, written, field, subject, removal, unit",
  ],
  ["grave_preference", "removal, field, subject", "removal, field, subject, source"],
  ["grave_link", "claim, removal", "claim, removal, field, subject, gone_by, gone_at"],
  ["grave_module", "removal", "removal, module"],
  ["world", "id", "id, name"],
  ["world_preference", "world, field, subject", "id, field, subject, source, set_at, world"],
  ["world_pin", "world, field, subject", "field, subject, sign, world"],
];

/** Every row says its own sum (stored-sum.ts). */
const SUMS: Step = (sql) => {
  for (const [table, key, columns] of UNSUMMED) {
    sql.exec(`ALTER TABLE ${table} ADD COLUMN sum INTEGER NOT NULL DEFAULT 0`);
    const keys = key.split(", ");
    const places = keys.map(() => "?").join(", ");
    const where = keys.map((name) => `${name} = ?`).join(" AND ");
    const select = `SELECT ${columns}, ${keys.map((name, i) => `${name} AS key_${i}`).join(", ")} FROM ${table}`;
    let rows = sql.exec(`${select} ORDER BY ${key} LIMIT ${ROWS_AT_ONCE}`);
    while (rows.length > 0) {
      let last: SqlRow = [];
      for (const row of rows) {
        last = row.slice(-keys.length);
        sql.exec(`UPDATE ${table} SET sum = ? WHERE ${where}`, sumOfRow(row, row.length - keys.length), ...last);
      }
      rows = sql.exec(
        `SELECT ${columns}, ${key} FROM ${table} WHERE (${key}) > (${places}) ORDER BY ${key} LIMIT ${ROWS_AT_ONCE}`,
        ...last,
      );
    }
  }
};
/** What is held in memory while rows are summed. */
const ROWS_AT_ONCE = 1000;

/** Names and values are looked up without a look at all pages. Of a page's row only its place had no sum. */
const HASHES: Step = (sql) => {
  sql.exec("ALTER TABLE symbol_page ADD COLUMN sum INTEGER NOT NULL DEFAULT 0");
  for (const [page, first, last] of sql.exec("SELECT id, first, last FROM symbol_page") as number[][]) {
    sql.exec("UPDATE symbol_page SET sum = ? WHERE id = ?", sumOfRange({ page, first, last }), page);
  }
  sql.exec("CREATE INDEX symbol_page_by_first ON symbol_page (first, id, last, sum)");
  sql.exec(CHUNK_TABLE);
  const [[lastPage]] = sql.exec("SELECT coalesce(max(id), 0) FROM symbol_page") as number[][];
  if (lastPage < 2) return;
  writeAllChunks(sql, lastPage - 1);
  writeMeta(sql, FULL_PAGE, lastPage - 1);
};

export const STEPS: readonly Step[] = [FIRST_TABLES, WORLDS, SUMS, HASHES];

/** Stores made before steps were counted say a fingerprint of their tables: these are of the first step. */
const FIRST_STEP_FINGERPRINT = 1_708_721_717;

/** Makes the tables, or brings those of an earlier version up to this one. Of a later version they are left alone: `EngineError`. */
export function createTables(sql: Sql): void {
  sql.transaction(() => {
    const done = stepsDone(sql);
    if (done === STEPS.length) return;
    for (const step of STEPS.slice(done)) {
      if (typeof step === "function") step(sql);
      else for (const statement of step) sql.exec(statement);
    }
    writeMeta(sql, "schema", STEPS.length);
  });
}

function stepsDone(sql: Sql): number {
  if (sql.exec("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'meta'").length === 0) return 0;
  const rows = sql.exec("SELECT value FROM meta WHERE name = 'schema'");
  const version = rows.length === 0 ? null : rows[0][0];
  if (version === FIRST_STEP_FINGERPRINT) return 1;
  if (typeof version === "number" && version >= 1 && version <= STEPS.length) return version;
  throw new EngineError(
    `the store was made by another version of this service (its tables are ${version}, this one's ${STEPS.length}) and was left as it is: open it with that version, or start with another state folder`,
  );
}

export function readMeta(sql: Sql, name: string): number | null {
  const rows = sql.exec("SELECT name, value, sum FROM meta WHERE name = ?", name);
  return rows.length === 0 ? null : (checkedRow(rows[0], "a number of the store")[1] as number);
}

export function writeMeta(sql: Sql, name: string, value: number): void {
  sql.exec("INSERT OR REPLACE INTO meta (name, value, sum) VALUES (?, ?, ?)", name, value, sumOfRow([name, value]));
}
