/** Notes of one kind, as the packs that keep such notes go through them. */
import type { JsonObject, RequestJson } from "../request-json";
import { invalidInput } from "../verb-failure";
import { type RecordKind, recordKind, storeKind } from "./record-kind";
import type { RecordRef, RecordStore } from "./record-store";

export function noteKindNamed(kind: string): RecordKind {
  return recordKind(kind)!;
}

/** Those that stand, in the namespace asked for or in all, oldest first. */
export function notesOfKind(records: RecordStore, kind: string, namespace: string | null = records.site.namespaceAsked): RecordRef[] {
  const { symbols } = records.session.ledger;
  const { core } = noteKindNamed(kind);
  const field = symbols.findFieldId(storeKind(noteKindNamed(kind)), core);
  if (field === 0) return [];
  const space = namespace === null ? null : symbols.findDatumId(namespace);
  const rows =
    space === null
      ? records.sql.exec("SELECT field, subject, space FROM kg_record WHERE field = ? ORDER BY subject", field)
      : records.sql.exec("SELECT field, subject, space FROM kg_record WHERE field = ? AND space = ? ORDER BY subject", field, space);
  return (rows as number[][]).flatMap(([of, subject, own]) => records.refOf(of, subject, own) ?? []);
}

/** The note of one kind that stands under an id or its beginning. Throws where it is something else. */
export function findNote(records: RecordStore, kind: string, id: string): RecordRef {
  const ref = records.find(id);
  if (ref.kind.kind !== kind) throw invalidInput(`${ref.id} is of kind ${ref.kind.kind}, not ${kind}`);
  return ref;
}

/** A page of rows by offset, with what was asked and what was given. A limit outside its bounds is taken as the bound. */
export function pageOf<Row extends RequestJson>(
  rows: readonly Row[],
  asked: number,
  cap: number,
  offset = 0,
): JsonObject & { readonly items: readonly Row[] } {
  const effective = Math.min(Math.max(asked, 1), cap);
  const items = rows.slice(offset, offset + effective);
  const next = offset + items.length;
  return {
    items,
    total: rows.length,
    offset,
    has_more: next < rows.length,
    next_offset: next < rows.length ? next : null,
    requested_limit: asked,
    effective_limit: effective,
    limit_clamped: asked !== effective,
  };
}

/** Only the members named, of those a row has. Throws where a name is none of them. */
export function projected(row: JsonObject, fields: readonly string[] | undefined): JsonObject {
  if (fields === undefined) return row;
  const unknown = fields.find((field) => !Object.hasOwn(row, field));
  if (unknown !== undefined)
    throw invalidInput(`\`fields\` has ${JSON.stringify(unknown.slice(0, 64))}, which no row has: it has ${Object.keys(row).join(", ")}`);
  return Object.fromEntries(fields.map((field) => [field, row[field]]));
}
