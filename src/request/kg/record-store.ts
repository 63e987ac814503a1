/**
 * Records as the verbs see them, over the claims that they are: finding one by its id, reading it whole, making, changing
 * and removing it.
 *
 * The namespace of a record is the source of its claims. What a record says is read as any program reads it, so a value
 * that a rule concluded shows like one that was written. Looks for ids see what landed before this op.
 */
import type { Datum } from "../../datum";
import { Datetime, Float, Subject } from "../../datum";
import { ALWAYS, type Cell, type Qualifiers } from "../../engine/claim";
import { dropValue, restate, setQualifiers, setValues } from "../../engine/claim-revise";
import type { ClaimRow } from "../../engine/claim-row";
import type { Session } from "../../engine/session";
import { holds } from "../../engine/span";
import type { Sql } from "../../engine/sql";
import { instantText } from "../../lang/value/instant-text";
import { EMBED_CHARS } from "../meaning/embedder";
import { isJsonObject, type JsonObject, type RequestJson } from "../request-json";
import { conflict, invalidInput, notFound } from "../verb-failure";
import type { Unsaved, VerbSite } from "../verb-site";
import { dictFromJson, jsonFromDatum } from "./datum-json";
import { requireKgModules } from "./kg-module";
import { hasPrefix, headOf, type IdText, idMicros, readId, recordId } from "./record-id";
import { DELETED_FIELDS, placeOfKind, RECORD_KINDS, type RecordKind, storeKind } from "./record-kind";

/** A record, found. */
export interface RecordRef {
  readonly id: string;
  readonly kind: RecordKind;
  readonly deleted: boolean;
  readonly namespace: string;
  /** Symbol of its subject. */
  readonly symbol: number;
}

/** What a record is made of, by field; a list at a many-valued one. */
export type RecordFields = { readonly [field: string]: Datum | readonly Datum[] | undefined };

const NO_QUALIFIERS: Qualifiers = new Map();

export class RecordStore {
  readonly site: VerbSite;
  readonly session: Session;
  readonly unsaved: Unsaved;

  constructor(site: VerbSite) {
    this.site = site;
    this.session = site.session;
    this.unsaved = site.unsaved;
  }

  /** All that has landed. */
  get sql(): Sql {
    return this.session.ledger.landedSql();
  }

  /** The tables of records as they stand, saved only where an op before this one wrote to what they show. */
  get recordSql(): Sql {
    return this.unsaved.records ? this.sql : this.session.ledger.storedSql();
  }

  get edgeSql(): Sql {
    return this.unsaved.records || this.unsaved.edges ? this.sql : this.session.ledger.storedSql();
  }

  // ---- finding

  /** Every record whose id this can be, those that stand before those that were deleted. */
  candidates(id: IdText): RecordRef[] {
    const head = id.tag === "prefix" ? Number.parseInt(id.digits.slice(0, 8), 16) : headOf(id.id);
    const rows = this.recordSql.exec("SELECT field, subject, space FROM kg_record WHERE head = ?", head) as number[][];
    const found = rows
      .flatMap(([field, subject, space]) => this.refOf(field, subject, space) ?? [])
      .filter((ref) => this.rows(ref, ref.kind.core).length > 0) // what this op took away is gone already
      .filter((ref) => (id.tag === "prefix" ? hasPrefix(new Subject("", ref.id), id.digits) : ref.id === id.id));
    return found.sort((a, b) => Number(a.deleted) - Number(b.deleted));
  }

  /** The record that stands under an id or the beginning of one. Throws not found, and where several might be meant. */
  find(text: string): RecordRef {
    const standing = this.candidates(readId(text)).filter((ref) => !ref.deleted);
    if (standing.length === 1) return standing[0];
    if (standing.length === 0) throw notFound(`no record has the id ${JSON.stringify(text.slice(0, 64))}`);
    throw ambiguousId(
      text,
      standing.map((ref) => ref.id),
    );
  }

  /** Null for what has an id and is no record. */
  refOf(field: number, subject: number, space: number): RecordRef | null {
    const { symbols } = this.session.ledger;
    const place = placeOfKind(symbols.fieldOf(field).kind);
    if (place === null) return null;
    const { name } = symbols.datumOf(subject) as Subject;
    return { id: name, kind: place.kind, deleted: place.deleted, namespace: symbols.datumOf(space) as string, symbol: subject };
  }

  /** As `refOfSubject`, of what a symbol stands for. */
  refOfSymbol(datum: Datum): RecordRef | null {
    return datum instanceof Subject ? this.refOfSubject(datum) : null;
  }

  /** The record that a subject is; null where it is none, or none any longer. */
  refOfSubject(subject: Subject): RecordRef | null {
    const place = placeOfKind(subject.kind);
    if (place === null) return null;
    const { symbols, cells } = this.session.ledger;
    const symbol = symbols.findSubjectId(subject.kind, subject.name);
    const field = symbols.findFieldId(subject.kind, place.kind.core);
    const core = symbol === 0 || field === 0 ? undefined : cells.standing(field, symbol).at(-1);
    if (core === undefined) return null;
    return { id: subject.name, kind: place.kind, deleted: place.deleted, namespace: symbols.datumOf(core.source) as string, symbol };
  }

  // ---- reading

  cell(ref: Pick<RecordRef, "id" | "kind" | "deleted">, field: string): Cell {
    return { kind: storeKind(ref.kind, ref.deleted), subject: ref.id, field };
  }

  subject(ref: Pick<RecordRef, "id" | "kind" | "deleted">): Subject {
    return new Subject(storeKind(ref.kind, ref.deleted), ref.id);
  }

  /** Null too where records of its kind say nothing of the sort. */
  value(ref: RecordRef, field: string): Datum {
    if (!ref.kind.fields.has(field) && !DELETED_FIELDS.has(field)) return null;
    return this.session.value(this.cell(ref, field)).value;
  }

  json(ref: RecordRef, field: string): RequestJson {
    return jsonFromDatum(this.value(ref, field));
  }

  /** As `value`, where somebody recorded one: null where it is only concluded. */
  recorded(ref: RecordRef, field: string): Datum {
    return this.rows(ref, field).length === 0 ? null : this.value(ref, field);
  }

  /** In the order they were made. */
  recordedTags(ref: RecordRef): string[] {
    return this.#texts(this.rows(ref, "tags"));
  }

  /** What is in force: what was recorded, in the order it was made, then what rules conclude. */
  tags(ref: RecordRef): string[] {
    const { instant, ledger } = this.session;
    const said = this.#texts(this.rows(ref, "tags").filter((row) => holds(row, instant)));
    const field = ledger.symbols.findFieldId(storeKind(ref.kind, ref.deleted), "tags");
    if (field === 0 || !ledger.isDerived(field)) return said;
    const concluded = this.session.values(this.cell(ref, "tags")).filter((tag) => typeof tag === "string");
    return [...new Set([...said, ...concluded])];
  }

  #texts(rows: readonly ClaimRow[]): string[] {
    const { symbols } = this.session.ledger;
    return [...new Set(rows.map((row) => symbols.datumOf(row.value)).filter((value) => typeof value === "string"))];
  }

  /** Recorded claims that stand, in the order they were made. */
  rows(ref: Pick<RecordRef, "kind" | "deleted" | "symbol">, field: string): readonly ClaimRow[] {
    const id = this.session.ledger.symbols.findFieldId(storeKind(ref.kind, ref.deleted), field);
    return id === 0 ? [] : this.session.ledger.cells.standing(id, ref.symbol);
  }

  /** The record as a row (request facts §8). */
  row(ref: RecordRef): JsonObject {
    this.site.meter.count(1);
    const times = this.#times(ref);
    if (ref.kind.substrate === "entity") {
      return {
        id: ref.id,
        namespace: ref.namespace,
        kind: ref.kind.kind,
        entity_type: this.json(ref, "entity_type"),
        name: this.json(ref, "name"),
        description: this.json(ref, "description"),
        properties: this.properties(ref),
        tags: this.tags(ref),
        ...times,
        merged_into: ref.deleted ? this.json(ref, "merged_into") : null,
        merge_event_id: this.#mergeEvent(ref),
        content_ref: null,
      };
    }
    const { status: ownStatus, ...properties } = this.properties(ref);
    const status = this.json(ref, "status");
    const tags = this.tags(ref);
    const version = this.json(ref, "version");
    return {
      id: ref.id,
      namespace: ref.namespace,
      kind: ref.kind.kind,
      ...(version === null ? {} : { key: this.json(ref, "key"), version }),
      status: ownStatus ?? status,
      ...(ownStatus === undefined ? {} : { lifecycle: status }),
      name: this.json(ref, "name"),
      content: this.json(ref, "content"),
      salience: this.json(ref, "salience"),
      decay_factor: this.json(ref, "decay_factor"),
      expires_at: this.json(ref, "expires_at"),
      properties: {
        ...properties,
        ...(ownStatus === undefined ? {} : { status: ownStatus }),
        ...(tags.length > 0 ? { tags } : {}),
        ...this.#ownFields(ref),
      },
      ...times,
    };
  }

  /** The event of the op that merged it into another, as long as the log has it. */
  #mergeEvent(ref: RecordRef): string | null {
    if (!ref.deleted || this.value(ref, "merged_into") === null) return null;
    const events = this.site.events.at((this.value(ref, "deleted_at") as Datetime).micros);
    const told = events.find(({ said }) => said.observed?.includes(ref.id));
    // That of a proposal that was carried out tells of the proposal.
    return (told ?? (events.length === 1 ? events[0] : null))?.id ?? null;
  }

  /** Its type; of an entity without one, what its properties call it. */
  entityType(ref: RecordRef): RequestJson {
    return this.json(ref, "entity_type") ?? this.properties(ref)["type"] ?? null;
  }

  properties(ref: RecordRef): JsonObject {
    return objectIn(this.value(ref, "properties"));
  }

  /** Fields that only this kind of note has, where they say something. */
  #ownFields(ref: RecordRef): JsonObject {
    const own: { [field: string]: RequestJson } = {};
    for (const field of ownFieldsOf(ref.kind)) {
      const value = this.json(ref, field);
      if (value !== null) own[field] = value;
    }
    return own;
  }

  createdAt(ref: RecordRef): string {
    return instantText(idMicros(ref.id) ?? this.rows(ref, ref.kind.core)[0].recordedAt);
  }

  #times(ref: RecordRef): JsonObject {
    let first = Number.POSITIVE_INFINITY;
    let last = 0;
    for (const field of ref.kind.own) {
      for (const row of this.rows(ref, field)) {
        first = Math.min(first, row.recordedAt);
        last = Math.max(last, row.recordedAt);
      }
    }
    const made = idMicros(ref.id) ?? first;
    const createdAt = instantText(made);
    const deleted = ref.deleted ? (this.value(ref, "deleted_at") as Datetime) : null;
    // What a restore brought back was recorded when that happened.
    const updated = Math.max(made, deleted?.micros ?? last);
    return {
      created_at: createdAt,
      updated_at: updated === made ? createdAt : instantText(updated),
      deleted_at: jsonFromDatum(deleted),
    };
  }

  // ---- writing

  /** A number for a new id, and the id. */
  newId(): string {
    return recordId(this.site.storeId, this.session.ledger.nextId(), this.session.instant);
  }

  create(kind: RecordKind, fields: RecordFields, namespace = this.site.namespace): RecordRef {
    requireKgModules(this.session);
    this.unsaved.records = true;
    const id = this.newId();
    const ref = { id, kind, deleted: false };
    for (const [field, value] of Object.entries(fields)) {
      if (value === undefined || value === null) continue;
      for (const one of Array.isArray(value) ? (value as readonly Datum[]) : [value as Datum]) {
        this.session.remember(this.cell(ref, field), one, namespace, ALWAYS, NO_QUALIFIERS);
        this.site.meter.count(1);
      }
    }
    const symbol = this.session.ledger.symbols.subjectId(storeKind(kind), id);
    return { ...ref, namespace, symbol };
  }

  /** Fields that are named become what is given; null or an empty list clears one. */
  update(ref: RecordRef, fields: RecordFields): boolean {
    this.unsaved.records = true;
    let changed = false;
    let said = false;
    for (const [field, value] of Object.entries(fields)) {
      if (value === undefined) continue;
      const values = value === null ? [] : Array.isArray(value) ? (value as readonly Datum[]) : [value as Datum];
      if (!setValues(this.session, this.cell(ref, field), values, ref.namespace)) continue;
      changed = true;
      said ||= this.rows(ref, field).at(-1)?.recordedAt === this.session.instant;
      this.site.meter.count(Math.max(1, values.length));
    }
    // What was only taken away leaves nothing that says when.
    if (changed && !said) restate(this.session, this.cell(ref, ref.kind.core), ref.namespace);
    if (changed && fields["version"] === undefined) this.#raiseVersion(ref);
    return changed;
  }

  /** Of what has one, whoever changed it: who holds a fence to it is to notice. */
  #raiseVersion(ref: RecordRef): void {
    const version = this.json(ref, "version");
    if (typeof version === "number") setValues(this.session, this.cell(ref, "version"), [version + 1], ref.namespace);
  }

  /** Its own claims go, edges apart; `soft` keeps them under `kg_deleted`. */
  remove(ref: RecordRef, how: { readonly soft: boolean; readonly mergedInto?: string }): void {
    this.unsaved.records = true;
    if (how.soft) this.#bury(ref, how.mergedInto ?? null);
    const effect = this.session.forget({ tag: "subject", kind: storeKind(ref.kind, ref.deleted), subject: ref.id });
    this.site.meter.count(effect?.removed ?? 0);
  }

  #bury(ref: RecordRef, mergedInto: string | null): void {
    requireKgModules(this.session);
    const { symbols } = this.session.ledger;
    const buried = { ...ref, deleted: true };
    for (const field of ref.kind.own) {
      const bySource = new Map<number, Datum[]>();
      for (const row of this.rows(ref, field)) {
        const known = bySource.get(row.source);
        if (known === undefined) bySource.set(row.source, [symbols.datumOf(row.value)]);
        else known.push(symbols.datumOf(row.value));
      }
      for (const [source, values] of bySource) {
        setValues(this.session, this.cell(buried, field), field === "tags" ? values : values.slice(-1), symbols.datumOf(source) as string);
      }
    }
    setValues(this.session, this.cell(buried, "deleted_at"), [new Datetime(this.session.instant)], ref.namespace);
    if (mergedInto !== null) setValues(this.session, this.cell(buried, "merged_into"), [mergedInto], ref.namespace);
  }

  setEdge(cell: Cell, target: Subject, namespace: string, qualifiers: Qualifiers): boolean {
    this.unsaved.edges = true;
    this.site.meter.count(1);
    return setQualifiers(this.session, cell, target, namespace, qualifiers);
  }

  dropEdge(cell: Cell, target: Subject, namespace: string): void {
    this.unsaved.edges = true;
    this.site.meter.count(1);
    dropValue(this.session, cell, target, namespace);
  }
}

const COMMON_NOTE_FIELDS = new Set(
  `name content status salience decay_factor expires_at stream seq key version ${EMBED_CHARS} properties tags`.split(" "),
);

function ownFieldsOf(kind: RecordKind): string[] {
  return kind.own.filter((field) => !COMMON_NOTE_FIELDS.has(field));
}

/** Kinds a caller may name: a substrate, or one kind of it. */
export function kindsNamed(kind: string): readonly RecordKind[] | null {
  if (kind === "entity" || kind === "note") return RECORD_KINDS.filter((one) => one.substrate === kind);
  const one = RECORD_KINDS.find((known) => known.kind === kind);
  return one === undefined ? null : [one];
}

export function ambiguousId(text: string, ids: readonly string[]): Error {
  return invalidInput(
    `ambiguous id ${JSON.stringify(text)}: ${ids.slice(0, 5).join(", ")}${ids.length > 5 ? ", …" : ""} begin with it; write more of it`,
    {
      candidates: ids.slice(0, 20),
    },
  );
}

/** An entry of a stream stands for good: nothing that was appended is rewritten or taken away. */
export function streamMember(stream: RequestJson): Error {
  return conflict(`it is an entry of the stream ${JSON.stringify(stream)}, and entries are never rewritten or deleted`, {
    reason: "stream_member",
    stream,
  });
}

export function propertiesDatum(properties: JsonObject): Datum | null {
  return Object.keys(properties).length === 0 ? null : dictFromJson(properties);
}

export function objectIn(value: Datum): JsonObject {
  const json = jsonFromDatum(value);
  return isJsonObject(json) ? json : {};
}

export function realDatum(value: number | undefined): Datum | undefined {
  return value === undefined ? undefined : new Float(value);
}
