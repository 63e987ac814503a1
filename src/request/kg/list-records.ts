/**
 * Pages of records and of edges, newest first: by offset, or as a walk from one row to the next (request facts §7.1, `list`).
 *
 * A walk goes on behind the row it names, so what is written meanwhile moves no page. Filters that look into a record
 * are tried row by row; a page that would take too many tries ends early and says so.
 */

import { MessageStore } from "../comm/message-store";
import type { JsonObject } from "../request-json";
import { invalidInput } from "../verb-failure";
import { type EdgeRef, EdgeStore } from "./edge-store";
import { clamp } from "./kg-params";
import { ProposalStore } from "./proposal-store";
import { readId } from "./record-id";
import { RECORD_KINDS, type RecordKind, storeKind } from "./record-kind";
import { kindsNamed, type RecordRef, type RecordStore } from "./record-store";
import { relationNamed } from "./relation-table";

export interface ListArguments {
  readonly kind: string;
  readonly limit: number;
  readonly offset?: number;
  readonly after?: string;
  readonly entity_kind?: string;
  readonly entity_type?: string;
  readonly note_kind?: string;
  readonly tags?: readonly string[];
  readonly source_id?: string;
  readonly target_id?: string;
  readonly relations?: readonly string[];
  readonly min_weight?: number;
  readonly max_weight?: number;
  readonly status?: string;
  readonly proposer?: string;
  readonly thread_id?: string;
  readonly direction?: "inbound" | "outbound";
  readonly from?: string;
  readonly to?: string;
  readonly read?: boolean;
  readonly delivered?: boolean;
}

const CAPS = { entity: 500, note: 200, edge: 1000 } as const;
/** Rows looked at for one page. */
const SCAN_ROWS_MAX = 20_000;
const BATCH_ROWS = 256;
const NEWEST = Number.MAX_SAFE_INTEGER;

const EDGE_FILTERS = ["source_id", "target_id", "relations", "min_weight", "max_weight"] as const;
const PROPOSAL_FILTERS = ["status", "proposer"] as const;
const MESSAGE_FILTERS = ["thread_id", "direction", "from", "to", "read", "delivered"] as const;
const RECORD_FILTERS = ["entity_kind", "entity_type", "note_kind", "tags"] as const;

export function listRecords(records: RecordStore, args: ListArguments): JsonObject {
  if (args.kind === "proposal") {
    refuseFilters(args, [...EDGE_FILTERS, ...RECORD_FILTERS, ...MESSAGE_FILTERS], "a proposal");
    return new ProposalStore(records).list(args);
  }
  refuseFilters(args, [...EDGE_FILTERS, ...PROPOSAL_FILTERS], "a record");
  const kinds = wantedKinds(args);
  if (kinds.length > 1 || kinds[0].kind !== "message") refuseFilters(args, MESSAGE_FILTERS, "what is no message");
  const messages = new MessageStore(records);
  const { substrate } = kinds[0];
  if (substrate === "note" && args.entity_type !== undefined) throw invalidInput("`entity_type` belongs to entities");
  const { symbols } = records.session.ledger;
  const space = records.site.namespaceAsked === null ? null : symbols.findDatumId(records.site.namespaceAsked);
  const wantedTags = args.tags?.map((tag) => tag.toLowerCase());
  const accepts = (ref: RecordRef): boolean =>
    (args.entity_type === undefined || records.json(ref, "entity_type") === args.entity_type) &&
    isWantedMessage(messages, ref, args) &&
    (wantedTags === undefined || records.texts(ref, "tags").some((tag) => wantedTags.includes(tag.toLowerCase())));
  const page = collect(args, CAPS[substrate], {
    from: (after) => newestRecords(records, kinds, space, after),
    place: (id) => records.candidates(readId(id)).find((ref) => !ref.deleted && ref.id === id)?.symbol,
    accepts,
    row: (ref) => records.row(ref),
    id: (ref) => ref.id,
  });
  return envelope(args, page, substrate === "entity" ? "entities" : "notes");
}

export function listEdges(records: RecordStore, args: ListArguments): JsonObject {
  refuseFilters(args, [...RECORD_FILTERS, ...PROPOSAL_FILTERS, ...MESSAGE_FILTERS], "an edge");
  const edges = new EdgeStore(records);
  const symbolOf = (id: string | undefined) => (id === undefined ? null : symbolOfEnd(records, edges, id));
  const source = symbolOf(args.source_id);
  const target = symbolOf(args.target_id);
  const wanted = args.relations?.map(relationNamed);
  const page = collect(args, CAPS.edge, {
    from: (after) => newestEdges(records, edges, { source, target, after }),
    place: (id) => edges.candidates(readId(id)).find((edge) => !edge.deleted && edge.id === id)?.row.id,
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

function wantedKinds({ kind, entity_kind: entityKind, note_kind: noteKind }: ListArguments): readonly RecordKind[] {
  const named = kindsNamed(kind);
  if (named === null) {
    throw invalidInput(
      `unknown kind ${JSON.stringify(kind.slice(0, 64))}: entity, note, edge, proposal, ${RECORD_KINDS.map((one) => one.kind).join(", ")}`,
    );
  }
  const [{ substrate }] = named;
  const beside = substrate === "entity" ? entityKind : noteKind;
  if ((substrate === "entity" ? noteKind : entityKind) !== undefined)
    throw invalidInput(`\`${substrate === "entity" ? "note_kind" : "entity_kind"}\` does not belong to ${kind}`);
  if (beside === undefined) return named;
  const narrowed = named.filter((one) => one.kind === beside);
  if (narrowed.length === 0) throw invalidInput(`${JSON.stringify(beside)} is no kind of ${kind}`);
  return narrowed;
}

function refuseFilters(args: ListArguments, names: readonly (keyof ListArguments)[], what: string): void {
  const wrong = names.find((name) => args[name] !== undefined);
  if (wrong !== undefined) throw invalidInput(`\`${wrong}\` does not say anything of ${what}`);
}

function symbolOfEnd(records: RecordStore, edges: EdgeStore, id: string): number {
  const end = edges.findEnd(id);
  return end.tag === "record" ? end.ref.symbol : records.session.ledger.symbols.findSubjectId("kg.Edge", end.ref.id);
}

// ---- rows, newest first

interface Placed<T> {
  readonly place: number;
  readonly item: T;
}

/** Kind by kind in the order of their subjects, merged. */
function* newestRecords(
  records: RecordStore,
  kinds: readonly RecordKind[],
  space: number | null,
  after: number,
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

function* newestEdges(
  records: RecordStore,
  edges: EdgeStore,
  { source, target, after }: { readonly source: number | null; readonly target: number | null; readonly after: number },
): Iterable<Placed<EdgeRef>> {
  let before = after;
  const where = `${source === null ? "" : " AND source = ?"}${target === null ? "" : " AND target = ?"}`;
  const ends = [source, target].filter((end): end is number => end !== null);
  for (;;) {
    const rows = records.sql.exec(
      `SELECT claim, field, source FROM kg_edge WHERE claim < ?${where} ORDER BY claim DESC LIMIT ${BATCH_ROWS}`,
      before,
      ...ends,
    ) as number[][];
    if (rows.length === 0) return;
    for (const row of rows) {
      before = row[0];
      for (const edge of edges.edges([row])) yield { place: row[0], item: edge };
    }
  }
}

// ---- pages

interface Listing<T> {
  /** What lies before a place, newest first. */
  from(after: number): Iterable<Placed<T>>;
  place(id: string): number | undefined;
  accepts(item: T): boolean;
  row(item: T): JsonObject;
  id(item: T): string;
}

interface Page {
  readonly rows: readonly JsonObject[];
  readonly nextAfter: string | null;
  readonly limits: JsonObject;
  readonly scanIncomplete: boolean;
}

function collect<T>(args: ListArguments, cap: number, listing: Listing<T>): Page {
  if (args.after !== undefined && args.offset !== undefined) throw invalidInput("`offset` and `after` are two ways to page: give one");
  const limits = clamp(args.limit, cap);
  let after = NEWEST;
  if (args.after !== undefined && args.after !== "") {
    const place = listing.place(args.after);
    if (place === undefined)
      throw invalidInput(`\`after\` is the full id of a row that stands: got ${JSON.stringify(args.after.slice(0, 64))}`);
    after = place;
  }
  const rows: JsonObject[] = [];
  let skip = args.offset ?? 0;
  let looked = 0;
  let last: T | null = null;
  let more = false;
  for (const { item } of listing.from(after)) {
    if (rows.length === limits.effective_limit) {
      more = true;
      break;
    }
    if (looked++ === SCAN_ROWS_MAX) {
      more = true;
      return { rows, nextAfter: last === null ? null : listing.id(last), limits, scanIncomplete: true };
    }
    last = item;
    if (!listing.accepts(item)) continue;
    if (skip > 0) skip--;
    else rows.push(listing.row(item));
  }
  return { rows, nextAfter: more && last !== null ? listing.id(last) : null, limits, scanIncomplete: false };
}

function envelope(args: ListArguments, page: Page, rowsKey: string): JsonObject {
  const incomplete: JsonObject = page.scanIncomplete ? { scan_incomplete: true } : {};
  if (args.after !== undefined) return { [rowsKey]: page.rows, next_after: page.nextAfter, ...page.limits, ...incomplete };
  return { items: page.rows, ...page.limits, ...incomplete };
}
