/**
 * Edges as the verbs see them: each is the claim of a relation, its id, weight and metadata what the claim carries.
 *
 * Between the same ends, under the same relation and in the same namespace there is one edge. An edge that was deleted
 * softly stands under `kg_deleted`, at the Kind of its source.
 */
import { Datetime, type Datum, Float, Subject } from "../../datum";
import type { Cell } from "../../engine/claim";
import type { ClaimRow } from "../../engine/claim-row";
import { instantText } from "../../lang/value/instant-text";
import type { EventRef } from "../event/event-log";
import type { JsonObject, RequestJson } from "../request-json";
import { notFound } from "../verb-failure";
import { dictFromJson, jsonFromDatum } from "./datum-json";
import { EDGE_DELETED_AT, EDGE_ID, EDGE_METADATA, EDGE_PLACE, EDGE_SINCE, EDGE_WEIGHT, edgeIdOf, qualifierOf } from "./kg-index";
import { requireKgModules } from "./kg-module";
import { headOf, type IdText, readId } from "./record-id";
import { EDGE_KIND, EVENT_KIND, placeOfKind, RECORD_KINDS, type RecordKind, storeKind } from "./record-kind";
import { ambiguousId, type RecordRef, type RecordStore } from "./record-store";
import { type EndKind, isSymmetric } from "./relation-table";

export interface EdgeRef {
  readonly id: string;
  readonly relation: string;
  readonly source: Subject;
  readonly target: Subject;
  readonly sourceKind: RecordKind;
  readonly namespace: string;
  readonly deleted: boolean;
  readonly row: ClaimRow;
}

/** What an edge can join: a record, another edge, or an event. */
export type EdgeEnd =
  | { readonly tag: "record"; readonly ref: RecordRef }
  | { readonly tag: "edge"; readonly ref: EdgeRef }
  | { readonly tag: "event"; readonly ref: EventRef };

export interface EdgeWish {
  readonly relation: string;
  readonly weight: number;
  readonly metadata: JsonObject;
  /** Where the edge belongs; the call's own unless another is named. */
  readonly namespace?: string;
}

export type EdgeMutation = "created" | "updated" | "resurrected";

const FEW_ROWS = 16;

export class EdgeStore {
  readonly #records: RecordStore;
  /** The many rows that were looked at last. */
  #rows: readonly ClaimRow[] = [];
  #rowsById: ReadonlyMap<number, ClaimRow> = new Map();

  constructor(records: RecordStore) {
    this.#records = records;
  }

  // ---- finding

  candidates(id: IdText): EdgeRef[] {
    if (id.tag === "name") return [];
    const head = id.tag === "prefix" ? Number.parseInt(id.digits.slice(0, 8), 16) : headOf(id.id);
    const rows = this.#records.edgeSql.exec("SELECT claim, field, source FROM kg_edge WHERE head = ?", head) as number[][];
    const found = rows
      .flatMap(([claim, field, source]) => this.#edge(claim, field, source) ?? [])
      .filter((edge) => (id.tag === "prefix" ? edge.id.replaceAll("-", "").startsWith(id.digits) : edge.id === id.id));
    return found.sort((a, b) => Number(a.deleted) - Number(b.deleted));
  }

  /** A record, an edge or an event that stands under an id or the beginning of one. */
  findEnd(text: string): EdgeEnd {
    const id = readId(text);
    const records = this.#records.candidates(id).filter((ref) => !ref.deleted);
    // No two things share a whole id.
    if (id.tag === "full" && records.length === 1) return { tag: "record", ref: records[0] };
    const ends: EdgeEnd[] = [
      ...records.map((ref) => ({ tag: "record", ref }) as const),
      ...this.candidates(id).flatMap((ref) => (ref.deleted ? [] : [{ tag: "edge", ref } as const])),
      ...this.#records.site.events.candidates(id).map((ref) => ({ tag: "event", ref }) as const),
    ];
    if (ends.length === 1) return ends[0];
    if (ends.length === 0) throw notFound(`nothing has the id ${JSON.stringify(text.slice(0, 64))}`);
    throw ambiguousId(
      text,
      ends.map((end) => end.ref.id),
    );
  }

  /** What stands at an end of an edge; null where a program named it and nobody made a record of it. */
  endOf(subject: Subject): EdgeEnd | null {
    if (subject.kind === EDGE_KIND || subject.kind === EVENT_KIND) return this.findEnd(subject.name);
    const ref = this.#records.refOfSubject(subject);
    return ref === null ? null : { tag: "record", ref };
  }

  /** Edges that touch a subject, oldest first. */
  incident(symbol: number, direction: "outgoing" | "incoming" | "both", deleted = false): EdgeRef[] {
    return [...this.along(symbol, direction, deleted)];
  }

  /** The same, one at a time, for who may not want all of them. Not across a write. */
  *along(symbol: number, direction: "outgoing" | "incoming" | "both", deleted = false): Iterable<EdgeRef> {
    const sql = this.#records.edgeSql;
    const out =
      direction === "incoming" ? [] : sql.exec("SELECT claim, field, source FROM kg_edge WHERE source = ? ORDER BY claim", symbol);
    const into =
      direction === "outgoing"
        ? []
        : sql.exec("SELECT claim, field, source FROM kg_edge WHERE target = ? AND source <> ? ORDER BY claim", symbol, symbol);
    const rows = [...out, ...into] as number[][];
    for (const [claim, field, source] of rows.sort((a, b) => a[0] - b[0])) {
      const edge = this.#edge(claim, field, source);
      if (edge !== null && edge.deleted === deleted) yield edge;
    }
  }

  /** Fields that the relations are, of whatever kind their sources are. */
  fieldsOf(relations: readonly string[]): number[] {
    const { symbols } = this.#records.session.ledger;
    return RECORD_KINDS.flatMap((kind) =>
      relations.filter((name) => kind.relations.includes(name)).map((name) => symbols.findFieldId(storeKind(kind), name)),
    ).filter((field) => field !== 0);
  }

  /** Whether an edge of the relation that stands leads to a subject. */
  isTarget(symbol: number, relation: string): boolean {
    const fields = this.fieldsOf([relation]);
    if (fields.length === 0) return false;
    const marks = fields.map(() => "?").join(", ");
    return (
      this.#records.edgeSql.exec(`SELECT 1 FROM kg_edge WHERE target = ? AND field IN (${marks}) LIMIT 1`, symbol, ...fields).length > 0
    );
  }

  /** Ids that a record is joined to, what this op has joined included. */
  targets(kind: RecordKind, id: string, relation: string): string[] {
    const { symbols, cells } = this.#records.session.ledger;
    const field = symbols.findFieldId(storeKind(kind), relation);
    const source = symbols.findSubjectId(storeKind(kind), id);
    if (field === 0 || source === 0) return [];
    return cells.standing(field, source).map((row) => (symbols.datumOf(row.value) as Subject).name);
  }

  /** The edges of a page of claims, by their numbers. */
  edges(rows: readonly (readonly number[])[]): EdgeRef[] {
    return rows.flatMap(([claim, field, source]) => this.#edge(claim, field, source) ?? []);
  }

  #edge(claim: number, field: number, source: number): EdgeRef | null {
    const { symbols, cells } = this.#records.session.ledger;
    const row = this.#rowOf(cells.standing(field, source), claim);
    if (row === undefined) return null;
    return this.#edgeOf(row, symbols.fieldOf(field).kind, symbols.fieldOf(field).field, symbols.datumOf(source) as Subject);
  }

  /** Of a subject with many edges, one after the other: by number, not by looking through all of them each time. */
  #rowOf(rows: readonly ClaimRow[], claim: number): ClaimRow | undefined {
    if (rows.length <= FEW_ROWS) return rows.find((one) => one.id === claim);
    // What is taken from a cell leaves another list, and what is added makes it longer.
    if (this.#rows !== rows || this.#rowsById.size !== rows.length) {
      this.#rows = rows;
      this.#rowsById = new Map(rows.map((row) => [row.id, row]));
    }
    return this.#rowsById.get(claim);
  }

  #edgeOf(row: ClaimRow, kindName: string, relation: string, source: Subject): EdgeRef | null {
    const { symbols } = this.#records.session.ledger;
    const place = placeOfKind(kindName);
    const target = symbols.datumOf(row.value);
    if (place === null || !(target instanceof Subject)) return null;
    return {
      id: edgeIdOf(this.#records.site.bornAs, row, symbols),
      relation,
      source,
      target,
      sourceKind: place.kind,
      namespace: symbols.datumOf(row.source) as string,
      deleted: place.deleted,
      row,
    };
  }

  // ---- reading

  weight(edge: EdgeRef): number {
    const weight = this.#qualifier(edge, EDGE_WEIGHT);
    return weight instanceof Float ? weight.v : typeof weight === "number" ? weight : 1;
  }

  /** Where it stands among edges, or stood before it was deleted. */
  place(edge: EdgeRef): number {
    const place = edge.deleted ? this.#qualifier(edge, EDGE_PLACE) : undefined;
    return typeof place === "number" ? place : edge.row.id;
  }

  metadata(edge: EdgeRef): RequestJson {
    const metadata = this.#qualifier(edge, EDGE_METADATA);
    return metadata === undefined ? {} : jsonFromDatum(metadata);
  }

  #qualifier(edge: EdgeRef, name: string): Datum | undefined {
    const { qualifiers } = edge.row;
    return qualifiers === 0 ? undefined : qualifierOf(this.#records.session.ledger.symbols.datumOf(qualifiers), name);
  }

  #madeAt(edge: EdgeRef): number {
    const since = this.#qualifier(edge, EDGE_SINCE);
    return since instanceof Datetime ? since.micros : edge.row.recordedAt;
  }

  row(edge: EdgeRef): JsonObject {
    this.#records.site.meter.count(1);
    const deletedAt = this.#qualifier(edge, EDGE_DELETED_AT);
    const made = this.#madeAt(edge);
    return {
      id: edge.id,
      namespace: edge.namespace,
      source_id: edge.source.name,
      target_id: edge.target.name,
      relation: edge.relation,
      weight: this.weight(edge),
      created_at: instantText(made),
      updated_at: instantText(edge.row.recordedAt),
      deleted_at: deletedAt instanceof Datetime ? instantText(deletedAt.micros) : null,
      metadata: this.metadata(edge),
      target_backend: null,
    };
  }

  // ---- writing

  /** The edge between two records, made or brought up to date. `resurrect`: also where it was deleted. */
  link(
    source: RecordRef,
    target: EdgeEnd,
    wish: EdgeWish,
    resurrect: boolean,
  ): { readonly edge: EdgeRef; readonly mutation: EdgeMutation } | null {
    requireKgModules(this.#records.session);
    const [from, to] = ordered(source, target, wish.relation);
    const { namespace = this.#records.site.namespace } = wish;
    const cell = this.#records.cell(from, wish.relation);
    const subject = subjectOfEnd(to);
    const known = this.#claimAt(cell, subject, namespace);
    if (known !== null) {
      this.#records.setEdge(cell, subject, namespace, this.#qualifiers(known, wish));
      return { edge: this.#claimAt(cell, subject, namespace)!, mutation: "updated" };
    }
    const buried = this.#claimAt(this.#records.cell({ ...from, deleted: true }, wish.relation), subject, namespace);
    if (buried !== null && !resurrect) return null;
    this.#records.setEdge(cell, subject, namespace, this.#qualifiers(buried, wish));
    return { edge: this.#claimAt(cell, subject, namespace)!, mutation: buried === null ? "created" : "resurrected" };
  }

  /** Whether these two are joined so in the namespace. */
  stands(source: RecordRef, target: EdgeEnd, relation: string, namespace: string): boolean {
    const [from, to] = ordered(source, target, relation);
    return this.#claimAt(this.#records.cell(from, relation), subjectOfEnd(to), namespace) !== null;
  }

  #claimAt(cell: Cell, target: Subject, namespace: string): EdgeRef | null {
    const { symbols, cells } = this.#records.session.ledger;
    const field = symbols.findFieldId(cell.kind, cell.field);
    const source = symbols.findSubjectId(cell.kind, cell.subject);
    const value = symbols.findSubjectId(target.kind, target.name);
    const space = symbols.findDatumId(namespace);
    if (field === 0 || source === 0 || value === 0) return null;
    const row = cells.standing(field, source).find((one) => one.value === value && one.source === space);
    return row === undefined ? null : this.#edgeOf(row, cell.kind, cell.field, symbols.datumOf(source) as Subject);
  }

  /** The same edge under another relation; null where its ends are joined so already. */
  move(edge: EdgeRef, source: RecordRef, target: EdgeEnd, wish: EdgeWish): EdgeRef | null {
    const [from, to] = ordered(source, target, wish.relation);
    const cell = this.#records.cell(from, wish.relation);
    const subject = subjectOfEnd(to);
    if (this.#claimAt(cell, subject, edge.namespace) !== null) return null;
    this.#records.dropEdge(this.#cellOf(edge), edge.target, edge.namespace);
    this.#records.setEdge(cell, subject, edge.namespace, this.#qualifiers(edge, wish));
    return this.#claimAt(cell, subject, edge.namespace)!;
  }

  /** Other weight or metadata. */
  revise(edge: EdgeRef, change: { readonly weight?: number; readonly metadata?: JsonObject }): EdgeRef {
    const cell = this.#cellOf(edge);
    const metadata = change.metadata ?? (this.metadata(edge) as JsonObject);
    this.#records.setEdge(
      cell,
      edge.target,
      edge.namespace,
      this.#qualifiers(edge, { weight: change.weight ?? this.weight(edge), metadata }),
    );
    return this.#claimAt(cell, edge.target, edge.namespace)!;
  }

  remove(edge: EdgeRef, soft: boolean): void {
    const { session, site } = this.#records;
    if (soft) {
      requireKgModules(session);
      const cell = this.#records.cell({ id: edge.source.name, kind: edge.sourceKind, deleted: true }, edge.relation);
      const qualifiers = this.#qualifiers(edge, { weight: this.weight(edge), metadata: this.metadata(edge) as JsonObject });
      qualifiers.set(EDGE_DELETED_AT, new Datetime(session.instant));
      qualifiers.set(EDGE_PLACE, edge.row.id);
      this.#records.setEdge(cell, edge.target, edge.namespace, qualifiers);
    }
    this.#records.unsaved.edges = true;
    const effect = session.forgetValue(this.#cellOf(edge), edge.target, edge.namespace);
    site.meter.count(effect?.removed ?? 0);
  }

  /** What its claim carries. A new edge with nothing to say carries nothing: its id and its age follow from the claim. */
  #qualifiers(known: EdgeRef | null, { weight, metadata }: Pick<EdgeWish, "weight" | "metadata">): Map<string, Datum> {
    const qualifiers = new Map<string, Datum>();
    if (known !== null) {
      qualifiers.set(EDGE_ID, known.id);
      qualifiers.set(EDGE_SINCE, new Datetime(this.#madeAt(known)));
    }
    if (weight !== 1) qualifiers.set(EDGE_WEIGHT, new Float(weight));
    if (Object.keys(metadata).length > 0) qualifiers.set(EDGE_METADATA, dictFromJson(metadata));
    return qualifiers;
  }

  #cellOf(edge: EdgeRef): Cell {
    return this.#records.cell({ id: edge.source.name, kind: edge.sourceKind, deleted: edge.deleted }, edge.relation);
  }
}

/** Of a symmetric relation the smaller id comes first. */
function ordered(source: RecordRef, target: EdgeEnd, relation: string): readonly [RecordRef, EdgeEnd] {
  if (!isSymmetric(relation) || target.tag !== "record" || source.id <= target.ref.id) return [source, target];
  return [target.ref, { tag: "record", ref: source }];
}

export function subjectOfEnd(end: EdgeEnd): Subject {
  if (end.tag === "record") return new Subject(storeKind(end.ref.kind), end.ref.id);
  return new Subject(end.tag === "edge" ? EDGE_KIND : EVENT_KIND, end.ref.id);
}

export function kindOfEnd(end: EdgeEnd): EndKind {
  if (end.tag !== "record") return { substrate: end.tag, kind: end.tag };
  return { substrate: end.ref.kind.substrate, kind: end.ref.kind.kind };
}
