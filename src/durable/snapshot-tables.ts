/**
 * The tables of a store's database that are its content, copied out as they lie and put back.
 *
 * Content is all that is not the service's own: keys, levels, credit and what says whose the store is are in `service_…` tables,
 * which no snapshot holds and no restore touches. Putting back fills tables under other names, a part at a time, and then, in one
 * transaction, lets what is in them take the place of what was there: after a crash it is the one or the other, whole.
 */
import type { Sql, SqlRow, SqlValue } from "../engine/sql";
import { assert } from "../failure";
import { SQL_PARAMETERS_MAX } from "../limits";
import type { SnapshotFolder, SnapshotManifest, SnapshotPart, SnapshotTable } from "./snapshot-folder";
import { RowWriter } from "./snapshot-rows";

const PART_BYTES = 4 << 20;
const STAGED = "staged_";
/** The service's own, the platform's and SQLite's. */
const NO_CONTENT = ["service_", STAGED, "_cf_", "sqlite_"];

/** Copies all of it; nothing else may write meanwhile. */
export async function copyOut(sql: Sql, folder: SnapshotFolder): Promise<Pick<SnapshotManifest, "tables" | "indexes">> {
  let number = 0;
  const tables: SnapshotTable[] = [];
  for (const { name, text } of contentOf(sql, "table")) {
    const columns = columnsOf(sql, name);
    const parts: SnapshotPart[] = [];
    let rows = 0;
    for (const part of partsOf(sql, name, text)) {
      parts.push(await folder.keepPart(number++, part.bytes));
      rows += part.rows;
    }
    tables.push({ name, sql: text, columns, rows, parts });
  }
  return { tables, indexes: contentOf(sql, "index").map(({ text }) => text) };
}

/** Fills tables beside those that are there; what their names begin with. */
export async function stage(sql: Sql, manifest: SnapshotManifest, folder: SnapshotFolder): Promise<string> {
  const prefix = `${STAGED}${stagedTables(sql).length}_`;
  for (const table of manifest.tables) {
    sql.exec(stagedText(prefix, table));
    let rows = 0;
    for await (const part of folder.rows(table)) rows += sql.transaction(() => insert(sql, prefix, table, part));
    assert(rows === table.rows, "a snapshot holds as many rows as it says");
  }
  return prefix;
}

/**
 * What was filled takes the place of what was there, in one transaction with what `beside` does.
 *
 * No table is dropped that need not be: the platform closes a scan that was broken off when it is collected as garbage, and until
 * then SQLite drops nothing (workerd#959). So rows go and come, and tables stay, unless the snapshot's are of another form.
 */
export function swap(sql: Sql, manifest: SnapshotManifest, prefix: string, beside: () => void): void {
  sql.transaction(() => {
    beside();
    const here = new Map(contentOf(sql, "table").map(({ name, text }) => [name, text]));
    const wanted = new Map(manifest.tables.map((table) => [table.name, table.sql]));
    for (const [name, text] of here) sql.exec(wanted.get(name) === text ? `DELETE FROM "${name}"` : `DROP TABLE "${name}"`);
    for (const [name, text] of wanted) {
      if (here.get(name) !== text) sql.exec(text);
      sql.exec(`INSERT INTO "${name}" SELECT * FROM "${prefix}${name}"`);
    }
    const indexes = contentOf(sql, "index");
    for (const { name, text } of indexes) if (!manifest.indexes.includes(text)) sql.exec(`DROP INDEX "${name}"`);
    for (const text of manifest.indexes) if (!indexes.some((index) => index.text === text)) sql.exec(text);
    emptyStaged(sql);
  });
}

/** What was filled is of no use any more. */
export function emptyStaged(sql: Sql): void {
  for (const name of stagedTables(sql)) sql.exec(`DELETE FROM "${name}"`);
}

/** In a new life of the object, when nothing has read anything yet. */
export function dropStaged(sql: Sql): void {
  for (const name of stagedTables(sql)) sql.exec(`DROP TABLE "${name}"`);
}

function stagedTables(sql: Sql): string[] {
  const rows = sql.exec("SELECT name FROM sqlite_master WHERE type = 'table' AND substr(name, 1, ?) = ?", STAGED.length, STAGED);
  return rows.map(([name]) => name as string);
}

function contentOf(sql: Sql, type: "table" | "index"): { readonly name: string; readonly text: string }[] {
  return sql
    .exec("SELECT name, sql, tbl_name FROM sqlite_master WHERE type = ? AND sql IS NOT NULL ORDER BY rowid", type)
    .filter(([, , table]) => !NO_CONTENT.some((prefix) => (table as string).startsWith(prefix)))
    .map(([name, text]) => ({ name: name as string, text: text as string }));
}

function columnsOf(sql: Sql, table: string): string[] {
  return sql.exec("SELECT name FROM pragma_table_info(?) ORDER BY cid", table).map(([name]) => name as string);
}

/** Every row once, by its key: no cursor outlives the turn that a part is written in. */
function* partsOf(sql: Sql, table: string, text: string): Iterable<{ readonly bytes: Uint8Array; readonly rows: number }> {
  const key = /WITHOUT\s+ROWID/i.test(text) ? primaryKey(sql, table) : ["rowid"];
  const order = key.join(", ");
  const select = `SELECT ${order}, * FROM "${table}"`;
  const after = ` WHERE (${order}) > (${key.map(() => "?").join(", ")})`;
  const writer = new RowWriter();
  let last: readonly SqlValue[] | null = null;
  for (;;) {
    for (const row of sql.scan(`${select}${last === null ? "" : after} ORDER BY ${order}`, ...(last ?? []))) {
      writer.add(row.slice(key.length));
      last = row.slice(0, key.length);
      if (writer.bytes >= PART_BYTES) break;
    }
    if (writer.count === 0) return;
    const { count: rows, bytes: size } = writer;
    yield { rows, bytes: writer.take() };
    if (size < PART_BYTES) return;
  }
}

function primaryKey(sql: Sql, table: string): string[] {
  return sql.exec("SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk", table).map(([name]) => `"${name}"`);
}

function stagedText(prefix: string, { name, sql }: SnapshotTable): string {
  const head = /^CREATE TABLE\s+("?)(\w+)\1/i.exec(sql);
  assert(head !== null && head[2] === name, "a snapshot's table is made as it is named");
  return `CREATE TABLE "${prefix}${name}"${sql.slice(head[0].length)}`;
}

/** As many rows a statement as it has room for. */
function insert(sql: Sql, prefix: string, { name, columns }: SnapshotTable, rows: Iterable<SqlRow>): number {
  const atOnce = Math.max(1, Math.floor(SQL_PARAMETERS_MAX / columns.length));
  const places = `(${columns.map(() => "?").join(", ")})`;
  const text = (count: number): string => `INSERT INTO "${prefix}${name}" VALUES ${Array.from({ length: count }, () => places).join(", ")}`;
  const full = text(atOnce);
  let held: SqlValue[] = [];
  let count = 0;
  for (const row of rows) {
    held.push(...row);
    count++;
    if (held.length === atOnce * columns.length) {
      sql.exec(full, ...held);
      held = [];
    }
  }
  if (held.length > 0) sql.exec(text(held.length / columns.length), ...held);
  return count;
}
