/**
 * Pages of records and of edges, newest first: by offset, or as a walk from one row to the next (request facts §7.1, `list`).
 *
 * Filters that look into a record are tried row by row (list-page.ts).
 */

import { MessageStore } from "../comm/message-store";
import type { JsonObject } from "../request-json";
import { invalidInput } from "../verb-failure";
import { type EdgeRef, EdgeStore, subjectOfEnd } from "./edge-store";
import { type ListArguments, refuseOtherFilters } from "./list-arguments";
import { collect, envelope, type Placed } from "./list-page";
import { ProposalStore } from "./proposal-store";
import { readId } from "./record-id";
import { type RecordKind, storeKind } from "./record-kind";
import type { RecordRef, RecordStore } from "./record-store";
import { relationNamed, SYMMETRIC_RELATIONS } from "./relation-table";
import { wantedKinds } from "./wanted-kinds";

const CAPS = { entity: 500, note: 200, edge: 1000 } as const;
const BATCH_ROWS = 256;

export function listRecords(records: RecordStore, args: ListArguments): JsonObject {
  if (args.kind === "proposal") {
    refuseOtherFilters(args, ["proposal"], "a proposal");
    return new ProposalStore(records).list(args);
  }
  refuseOtherFilters(args, ["record", "message"], "a record");
  const kinds = wantedKinds(args, ["edge", "event", "proposal"]);
  if (kinds.length > 1 || kinds[0].kind !== "message") refuseOtherFilters(args, ["record"], "what is no message");
  const messages = new MessageStore(records);
  const { substrate } = kinds[0];
  if (substrate === "note" && args.entity_type !== undefined) throw invalidInput("`entity_type` belongs to entities");
  const { symbols } = records.session.ledger;
  const space = records.site.namespaceAsked === null ? null : symbols.findDatumId(records.site.namespaceAsked);
  const wantedTags = args.tags?.map((tag) => tag.toLowerCase());
  const accepts = (ref: RecordRef): boolean =>
    (args.entity_type === undefined || records.entityType(ref) === args.entity_type) &&
    isWantedMessage(messages, ref, args) &&
    (wantedTags === undefined || records.tags(ref).some((tag) => wantedTags.includes(tag.toLowerCase())));
  const page = collect(args, CAPS[substrate], {
    from: (after) => newestRecords(records, kinds, space, after),
    place: (text) => {
      const id = readId(text);
      if (id.tag === "prefix") return undefined;
      return kinds.map((kind) => symbols.findSubjectId(storeKind(kind), id.id)).find((symbol) => symbol !== 0);
    },
    accepts,
    row: (ref) => records.row(ref),
    id: (ref) => ref.id,
  });
  return envelope(args, page, substrate === "entity" ? "entities" : "notes");
}

export function listEdges(records: RecordStore, args: ListArguments): JsonObject {
  refuseOtherFilters(args, ["edge"], "an edge");
  const edges = new EdgeStore(records);
  const symbolOf = (id: string | undefined) => (id === undefined ? null : symbolOfEnd(records, edges, id));
  const ends = { source: symbolOf(args.source_id), target: symbolOf(args.target_id) };
  const wanted = args.relations?.map(relationNamed);
  const page = collect(args, CAPS.edge, {
    from: (after) => newestEdges(records, edges, ends, after),
    place: (text) => {
      const id = readId(text);
      return id.tag === "prefix" ? undefined : edges.candidates(id).map((edge) => edges.place(edge))[0];
    },
    accepts: (edge: EdgeRef) => {
      const { namespaceAsked } = records.site;
      if (edge.deleted || (namespaceAsked !== null && edge.namespace !== namespaceAsked)) return false;
      if (wanted !== undefined && !wanted.includes(edge.relation)) return false;
      const weight = edges.weight(edge);
      return weight >= (args.min_weight ?? 0) && weight <= (args.max_weight ?? 1);
    },
    row: (edge) => edges.row(edge),
    id: (edge) => edge.id,
  });
  return envelope(args, page, "edges");
}

/** True of what no filter for messages is given for. */
function isWantedMessage(
  messages: MessageStore,
  ref: RecordRef,
  { thread_id: thread, direction, from, to, read, delivered }: ListArguments,
): boolean {
  const says = (field: string, wanted: string | undefined) => wanted === undefined || messages.records.json(ref, field) === wanted;
  return (
    says("thread_id", thread) &&
    says("direction", direction) &&
    says("from_actor", from) &&
    says("to_actor", to) &&
    (read === undefined || messages.isRead(ref) === read) &&
    (delivered === undefined || messages.isDelivered(ref) === delivered)
  );
}

function symbolOfEnd(records: RecordStore, edges: EdgeStore, id: string): number {
  const { kind, name } = subjectOfEnd(edges.findEnd(id));
  return records.session.ledger.symbols.findSubjectId(kind, name);
}

// ---- rows, newest first

/** Kind by kind in the order of their subjects, merged. `space`: a source, null for any; `after`: a subject, whose elder ones are wanted. */
export function* newestRecords(
  records: RecordStore,
  kinds: readonly RecordKind[],
  space: number | null,
  after = Number.MAX_SAFE_INTEGER,
): Iterable<Placed<RecordRef>> {
  const { symbols } = records.session.ledger;
  const fields = kinds.map((kind) => symbols.findFieldId(storeKind(kind), kind.core)).filter((field) => field !== 0);
  let before = after;
  for (;;) {
    const rows = fields.flatMap((field) =>
      records.sql
        .exec(
          `SELECT subject, space FROM kg_record WHERE field = ? AND subject < ?${space === null ? "" : " AND space = ?"} ORDER BY subject DESC LIMIT ${BATCH_ROWS}`,
          field,
          before,
          ...(space === null ? [] : [space]),
        )
        .map(([subject, own]) => ({ field, subject: subject as number, space: own as number })),
    );
    if (rows.length === 0) return;
    rows.sort((a, b) => b.subject - a.subject);
    // Beyond the batch some kind's own may lie that was not read yet.
    for (const { field, subject, space: own } of rows.slice(0, BATCH_ROWS)) {
      before = subject;
      yield { place: subject, item: records.refOf(field, subject, own)! };
    }
  }
}

/** Symbols; null: whichever. */
interface Ends {
  readonly source: number | null;
  readonly target: number | null;
}

/** Those with these ends; of a symmetric relation, in either direction. */
function* newestEdges(records: RecordStore, edges: EdgeStore, { source, target }: Ends, after: number): Iterable<Placed<EdgeRef>> {
  let before = after;
  const asked = [
    { column: "source", turned: "target", symbol: source },
    { column: "target", turned: "source", symbol: target },
  ].filter(({ symbol }) => symbol !== null);
  const symmetric = edges.fieldsOf(SYMMETRIC_RELATIONS);
  const straight = asked.map(({ column }) => `${column} = ?`).join(" AND ");
  const turned = asked.map((end) => `${end.turned} = ?`).join(" AND ");
  const where = asked.length === 0 ? "" : ` AND ((${straight}) OR (${turned} AND field IN (${symmetric.map(() => "?").join(", ")})))`;
  const symbols = asked.map(({ symbol }) => symbol as number);
  const values = asked.length === 0 ? [] : [...symbols, ...symbols, ...symmetric];
  for (;;) {
    const rows = records.sql.exec(
      `SELECT claim, field, source FROM kg_edge WHERE claim < ?${where} ORDER BY claim DESC LIMIT ${BATCH_ROWS}`,
      before,
      ...values,
    ) as number[][];
    if (rows.length === 0) return;
    for (const row of rows) {
      before = row[0];
      for (const edge of edges.edges([row])) yield { place: row[0], item: edge };
    }
  }
}
