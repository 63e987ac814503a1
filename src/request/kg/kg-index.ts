/**
 * Where records and edges are found: by the beginning of an id, by kind, by what they point at, by their place in a
 * stream. A projection of the claims of `kg` and `kg_deleted` (engine/projection.ts): integers only, of which an id's
 * first digits are the one thing a copied file shows.
 *
 * `kg_record`: a row for each subject with a core field (an entity's name, a note's content). `kg_edge`: one for each
 * standing claim of a relation, whose id is the claim's own number. `kg_entry`: one for each note in a stream; `kg_key`: one
 * for each value that notes are looked up by, a document's key or who a message is to.
 */
import { type Datum, StoredCollection, Subject } from "../../datum";
import type { ClaimRow, NetClaim } from "../../engine/claim-row";
import { isPast, scanField } from "../../engine/claim-row";
import { RowInserter } from "../../engine/insert-rows";
import type { Projection, ProjectionFactory, ProjectionSite } from "../../engine/projection";
import type { Sql, SqlValue } from "../../engine/sql";
import { readMeta, writeMeta } from "../../engine/store-schema";
import type { SymbolTable } from "../../engine/symbol";
import { fingerprint } from "./fingerprint";
import { edgeId, headOf } from "./record-id";
import { PROPOSAL_KIND, placeOfKind } from "./record-kind";

const TABLES = [
  "CREATE TABLE IF NOT EXISTS kg_record (field INTEGER NOT NULL, subject INTEGER NOT NULL, space INTEGER NOT NULL, head INTEGER NOT NULL, PRIMARY KEY (field, subject)) WITHOUT ROWID",
  "CREATE INDEX IF NOT EXISTS kg_record_by_head ON kg_record (head)",
  "CREATE TABLE IF NOT EXISTS kg_edge (claim INTEGER PRIMARY KEY, field INTEGER NOT NULL, source INTEGER NOT NULL, target INTEGER NOT NULL, space INTEGER NOT NULL, head INTEGER NOT NULL)",
  "CREATE INDEX IF NOT EXISTS kg_edge_by_source ON kg_edge (source, field)",
  "CREATE INDEX IF NOT EXISTS kg_edge_by_target ON kg_edge (target, field)",
  "CREATE INDEX IF NOT EXISTS kg_edge_by_head ON kg_edge (head)",
  "CREATE TABLE IF NOT EXISTS kg_entry (space INTEGER NOT NULL, stream INTEGER NOT NULL, seq INTEGER NOT NULL, subject INTEGER NOT NULL, PRIMARY KEY (space, stream, seq)) WITHOUT ROWID",
  "CREATE INDEX IF NOT EXISTS kg_entry_by_subject ON kg_entry (subject)",
  "CREATE TABLE IF NOT EXISTS kg_key (field INTEGER NOT NULL, space INTEGER NOT NULL, key INTEGER NOT NULL, subject INTEGER NOT NULL, PRIMARY KEY (field, key, space, subject)) WITHOUT ROWID",
];

/** Tells one form of the tables from another: a store whose tables have another gets them anew. */
const VERSION_NAME = "kg_index";
const VERSION = fingerprint(TABLES.join("\n"));

/** Qualifiers of a relation's claim. */
export const EDGE_ID = "edge";
export const EDGE_SINCE = "since";
export const EDGE_WEIGHT = "weight";
export const EDGE_METADATA = "metadata";
export const EDGE_DELETED_AT = "deleted_at";
/** Of a deleted edge: the number of the claim it was, by which lists are ordered. */
export const EDGE_PLACE = "place";

export function kgIndex(storeId: string): ProjectionFactory {
  return (site) => new KgIndex(site, storeId);
}

const EDGES = new RowInserter("INSERT OR REPLACE INTO kg_edge (claim, field, source, target, space, head)", "(?, ?, ?, ?, ?, ?)");
const RECORDS = new RowInserter("INSERT OR REPLACE INTO kg_record (field, subject, space, head)", "(?, ?, ?, ?)");

/** What happened to a record's core. `source`: of a claim that is the only one there ever was; null: it has to be looked up. */
interface CoreChange {
  readonly field: number;
  readonly subject: number;
  readonly source: number | null;
}

/** A new record has one new core, which is most of what happens here. */
function noteCore(cores: Map<string, CoreChange>, before: ClaimRow | null, after: ClaimRow | null): void {
  const { field, subject } = (after ?? before)!;
  const key = `${field}/${subject}`;
  const isFirst = !cores.has(key) && before === null && after !== null && !isPast(after) && after.written === after.position;
  cores.set(key, { field, subject, source: isFirst ? after.source : null });
}

/** Fields whose values notes are looked up by. */
const KEY_FIELDS: ReadonlySet<string> = new Set(["key", "thread_id", "outbound_ref", "idempotency_key", "to_actor", "from_actor"]);

/** Subjects, ascending, of claims that stand and have this value; in force or not. `space`: a source; null: any. */
export function keyedSubjects(sql: Sql, field: number, key: number, space: number | null): number[] {
  const rows =
    space === null
      ? sql.exec("SELECT DISTINCT subject FROM kg_key WHERE field = ? AND key = ? ORDER BY subject", field, key)
      : sql.exec("SELECT subject FROM kg_key WHERE field = ? AND key = ? AND space = ? ORDER BY subject", field, key, space);
  return rows.map(([subject]) => subject as number);
}

type Role = "none" | "core" | "relation" | "seq" | "key";

class KgIndex implements Projection {
  readonly #sql: Sql;
  readonly #symbols: SymbolTable;
  readonly #storeId: string;
  readonly #roles = new Map<number, Role>();

  constructor({ sql, symbols }: ProjectionSite, storeId: string) {
    this.#sql = sql;
    this.#symbols = symbols;
    this.#storeId = storeId;
    if (readMeta(sql, VERSION_NAME) !== VERSION) sql.transaction(() => this.#fill());
  }

  /** Makes the tables anew, from the claims there are. */
  #fill(): void {
    for (const name of ["kg_record", "kg_edge", "kg_entry", "kg_key"]) this.#sql.exec(`DROP TABLE IF EXISTS ${name}`);
    for (const table of TABLES) this.#sql.exec(table);
    for (const { id } of [...this.#symbols.allFields()]) {
      if (this.#role(id) === "none") continue;
      for (const rows of scanField(this.#sql, id, false)) this.follow(rows.map((row) => ({ before: null, after: row })));
    }
    writeMeta(this.#sql, VERSION_NAME, VERSION);
  }

  follow(claims: readonly NetClaim[]): void {
    const cores = new Map<string, CoreChange>();
    const entries: ClaimRow[] = [];
    const edges: SqlValue[][] = [];
    for (const { before, after } of claims) {
      const row = (after ?? before)!;
      switch (this.#role(row.field)) {
        case "core":
          noteCore(cores, before, after);
          break;
        case "relation":
          if (before !== null) this.#sql.exec("DELETE FROM kg_edge WHERE claim = ?", before.id);
          if (after !== null && !isPast(after)) edges.push(...this.#edgeRow(after));
          break;
        case "key":
          if (before !== null && !isPast(before)) {
            this.#sql.exec(
              "DELETE FROM kg_key WHERE field = ? AND space = ? AND key = ? AND subject = ?",
              row.field,
              row.source,
              row.value,
              row.subject,
            );
          }
          if (after !== null && !isPast(after)) {
            this.#sql.exec(
              "INSERT OR REPLACE INTO kg_key (field, space, key, subject) VALUES (?, ?, ?, ?)",
              row.field,
              row.source,
              row.value,
              row.subject,
            );
          }
          break;
        case "seq":
          entries.push(row);
      }
    }
    EDGES.insert(this.#sql, edges);
    this.#settleCores([...cores.values()]);
    for (const { field, subject } of entries) this.#settleEntry(field, subject);
  }

  #role(field: number): Role {
    let role = this.#roles.get(field);
    if (role === undefined) this.#roles.set(field, (role = roleOf(this.#symbols.fieldOf(field))));
    return role;
  }

  /** One row, or none of what a relation has that is no subject. */
  #edgeRow(row: ClaimRow): SqlValue[][] {
    const target = this.#symbols.datumOf(row.value);
    if (!(target instanceof Subject)) return [];
    return [[row.id, row.field, row.subject, row.value, row.source, headOf(edgeIdOf(this.#storeId, row, this.#symbols))]];
  }

  /** As the claims now stand. */
  #settleCores(cores: readonly CoreChange[]): void {
    const rows: SqlValue[][] = [];
    for (const { field, subject, source } of cores) {
      const space = source ?? this.#spaceOf(field, subject);
      if (space === null) this.#sql.exec("DELETE FROM kg_record WHERE field = ? AND subject = ?", field, subject);
      else rows.push([field, subject, space, headOf((this.#symbols.datumOf(subject) as Subject).name)]);
    }
    RECORDS.insert(this.#sql, rows);
  }

  #spaceOf(field: number, subject: number): number | null {
    const claims = this.#sql.exec(
      "SELECT source FROM claim WHERE field = ? AND subject = ? AND past = 0 ORDER BY position DESC LIMIT 1",
      field,
      subject,
    );
    return claims.length === 0 ? null : (claims[0][0] as number);
  }

  #settleEntry(seqField: number, subject: number): void {
    const { kind } = this.#symbols.fieldOf(seqField);
    const streamField = this.#symbols.findFieldId(kind, "stream");
    const standing = (field: number) =>
      this.#sql.exec(
        "SELECT value, source FROM claim WHERE field = ? AND subject = ? AND past = 0 ORDER BY position DESC LIMIT 1",
        field,
        subject,
      )[0];
    const seq = standing(seqField);
    const stream = standing(streamField);
    const number = seq === undefined ? null : this.#symbols.datumOf(seq[0] as number);
    if (stream === undefined || typeof number !== "number") this.#sql.exec("DELETE FROM kg_entry WHERE subject = ?", subject);
    else {
      this.#sql.exec(
        "INSERT OR REPLACE INTO kg_entry (space, stream, seq, subject) VALUES (?, ?, ?, ?)",
        stream[1],
        stream[0],
        number,
        subject,
      );
    }
  }
}

function roleOf({ kind, field }: { readonly kind: string; readonly field: string }): Role {
  if (kind === PROPOSAL_KIND) return field === "title" ? "core" : "none";
  const place = placeOfKind(kind);
  if (place === null) return "none";
  if (place.kind.core === field) return "core";
  if (place.kind.relations.includes(field)) return "relation";
  if (place.deleted || place.kind.substrate !== "note") return "none";
  if (field === "seq") return "seq";
  return KEY_FIELDS.has(field) ? "key" : "none";
}

/** An edge has the id its claim was first made with. */
export function edgeIdOf(storeId: string, row: ClaimRow, symbols: Pick<SymbolTable, "datumOf">): string {
  const named = row.qualifiers === 0 ? undefined : qualifierOf(symbols.datumOf(row.qualifiers), EDGE_ID);
  return typeof named === "string" ? named : edgeId(storeId, row.id);
}

export function qualifierOf(qualifiers: Datum, name: string): Datum | undefined {
  if (!(qualifiers instanceof StoredCollection)) return undefined;
  const at = qualifiers.items.indexOf(name);
  return at >= 0 && at % 2 === 0 ? qualifiers.items[at + 1] : undefined;
}
