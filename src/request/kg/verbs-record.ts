/** `get`, `list`, `update`, `delete`, `stats`: records and edges one by one, page by page, and counted. */
import * as z from "zod";
import { exactJson } from "../../lang/ops/exact-json";
import { EVENT_KINDS, EVENT_OUTCOMES, EVENT_SUBSTRATES } from "../event/event-kind";
import { eventRow } from "../event/event-log";
import { listEvents } from "../event/list-events";
import { TaskStore } from "../gtd/task-record";
import { taskStatus } from "../gtd/task-status";
import { EMBED_CHARS } from "../meaning/embedder";
import { isJsonObject, type JsonObject, type RequestJson } from "../request-json";
import { describeVerb, type Verb } from "../verb";
import { conflict, invalidInput, notFound } from "../verb-failure";
import type { VerbSite } from "../verb-site";
import { type EdgeEnd, type EdgeRef, EdgeStore } from "./edge-store";
import { fullId, idText, instant, jsonObject, limit, nonNegative, offset, tags, unit } from "./kg-params";
import { linkWish, rejoin } from "./link-records";
import { listEdges, listRecords } from "./list-records";
import { ProposalStore } from "./proposal-store";
import { recordEvent } from "./record-event";
import { readId } from "./record-id";
import { EDGE_KIND, RECORD_KINDS, storeKind } from "./record-kind";
import { ambiguousId, propertiesDatum, type RecordFields, type RecordRef, RecordStore, realDatum, streamMember } from "./record-store";
import { relationNamed } from "./relation-table";
import { withTags } from "./verbs-create";

const kindHint = z.string().optional().describe("What it is, where you know: entity, note, edge, or a kind.");

const GET: Verb = describeVerb({
  name: "get",
  pack: "kg",
  class: "Assertive",
  description: "Reads one record, edge, proposal or event by its id. `include_deleted` with a full id also shows what was deleted softly.",
  params: z.strictObject({
    id: idText("What to read"),
    include_deleted: z.boolean().optional().describe("Also what was deleted; the id is then a full one."),
    parse_content: z.boolean().optional().describe("Of a note: content that is JSON is given as what it says."),
  }),
  result: "The record itself. An edge has `annotations[]` too: the notes about it.",
  example: 'get(id="1f0c9a52")',
  level: "read",
  alwaysVerbose: true,
  run: (site, args) => {
    const records = new RecordStore(site);
    const edges = new EdgeStore(records);
    const proposals = new ProposalStore(records);
    const id = readId(args.id);
    const deletedToo = args.include_deleted === true;
    if (deletedToo && id.tag === "prefix") throw invalidInput("`include_deleted` asks for a full id");
    const found = [
      ...records.candidates(id).map((ref) => ({ id: ref.id, deleted: ref.deleted, row: () => records.row(ref) })),
      ...proposals.candidates(id).map((one) => ({ id: one, deleted: false, row: () => proposals.whole(one) })),
      ...edges.candidates(id).map((edge) => ({ id: edge.id, deleted: edge.deleted, row: () => edgeWithNotes(records, edges, edge) })),
      ...site.events.candidates(id).map((event) => ({ id: event.id, deleted: false, row: () => eventRow(event) })),
    ];
    const standing = found.filter((one) => !one.deleted);
    // What stands hides what once was deleted under the same id.
    const meant = standing.length > 0 ? standing : deletedToo ? found : [];
    if (meant.length === 0) throw notFound(`nothing has the id ${JSON.stringify(args.id.slice(0, 64))}`);
    if (meant.length > 1)
      throw ambiguousId(
        args.id,
        meant.map((one) => one.id),
      );
    const row = meant[0].row();
    if (args.parse_content !== true) return row;
    if (typeof row["content"] !== "string") throw invalidInput("`parse_content` is for a note: this has no content");
    return { ...row, content: exactJson(row["content"]) };
  },
});

function edgeWithNotes(records: RecordStore, edges: EdgeStore, edge: EdgeRef): JsonObject {
  const symbol = records.session.ledger.symbols.findSubjectId(EDGE_KIND, edge.id);
  const notes = symbol === 0 ? [] : edges.incident(symbol, "incoming");
  const annotations = notes.flatMap((annotation) => {
    const note = records.refOfSubject(annotation.source);
    return note === null ? [] : [{ ...records.row(note), annotation_edge_id: annotation.id }];
  });
  return { ...edges.row(edge), annotations };
}

const LIST: Verb = describeVerb({
  name: "list",
  pack: "kg",
  class: "Assertive",
  description:
    'Records of a kind, newest first, a page at a time: with `offset`, or as a walk that writing does not disturb, begun with `after=""` and gone on with `next_after`. Edges with `kind="edge"`; with `kind="event"` what the ops of this endpoint did.',
  params: z.strictObject({
    kind: z.string().describe("`entity`, `note`, `edge`, `event`, `proposal`, or a kind of record."),
    limit: limit(20, 1000),
    offset,
    after: z.string().optional().describe("Where the walk goes on: the `next_after` of the page before; empty to begin."),
    entity_kind: z.string().optional().describe('With `kind="entity"`: one kind of entity.'),
    entity_type: z.string().optional().describe("Only entities of this type."),
    note_kind: z.string().optional().describe('With `kind="note"`: one kind of note.'),
    tags: tags.optional().describe("Only records with one of these, however written."),
    source_id: idText("Only edges from here").optional(),
    target_id: idText("Only edges to here").optional(),
    relations: z.array(z.string()).optional().describe("Only edges of these relations."),
    min_weight: unit("Only edges of at least this weight.").optional(),
    max_weight: unit("Only edges of at most this weight.").optional(),
    status: z.string().optional().describe("Only proposals of this status."),
    proposer: z.string().optional().describe("Only proposals of this key."),
    thread_id: z.string().optional().describe("Only messages of this thread."),
    direction: z.enum(["inbound", "outbound"]).optional().describe("Only messages received, or sent."),
    from: z.string().optional().describe("Only messages from this actor."),
    to: z.string().optional().describe("Only messages to this actor."),
    read: z.boolean().optional().describe("Only messages that have been read, or that have not."),
    delivered: z.boolean().optional().describe("Only messages that have arrived, or that have not."),
    event_kind: z
      .string()
      .optional()
      .describe(`Only events of this kind: ${EVENT_KINDS.join(", ")}.`),
    event_kinds: z.array(z.string()).min(1, "is empty").optional().describe("Only events of one of these kinds."),
    verb: z.string().optional().describe("Only events of this verb."),
    verbs: z.array(z.string()).min(1, "is empty").optional().describe("Only events of one of these verbs."),
    outcome: z
      .string()
      .optional()
      .describe(`Only events that ended so: ${EVENT_OUTCOMES.join(", ")}.`),
    actor: z.string().optional().describe("Only events of this actor."),
    substrate: z
      .string()
      .optional()
      .describe(`Only events about one: ${EVENT_SUBSTRATES.join(", ")}.`),
    since: instant("Only events from this instant on").optional(),
    until: instant("Only events before this instant").optional(),
    session_id: fullId("Only events of this session").optional(),
    observed: z
      .array(fullId("A record"))
      .min(1, "is empty")
      .optional()
      .describe("Only events that showed or touched one of these: full ids."),
    selected: z.array(fullId("A record")).min(1, "is empty").optional().describe("Only events by which one of these was chosen: full ids."),
  }),
  result:
    "`{items, requested_limit, effective_limit, limit_clamped}`; of a walk `{entities | notes | edges | events, next_after, …}`, where `next_after` is null at the end.",
  example: 'list(kind="concept", limit=50)',
  level: "read",
  run: (site, args) => {
    const records = new RecordStore(site);
    if (args.kind === "event") return listEvents(site.events, site.namespaceAsked, args);
    return args.kind === "edge" ? listEdges(records, args) : listRecords(records, args);
  },
});

const UPDATE: Verb = describeVerb({
  name: "update",
  pack: "kg",
  class: "Declaration",
  description:
    "Changes what is named and nothing else. `properties` joins what is there, a null takes a property away; `tags` replaces, and an empty list clears. A task moves as gtd.transition would move it; of an entry of a stream only name, salience and decay_factor change.",
  params: z.strictObject({
    id: idText("What to change"),
    kind: kindHint,
    name: z.string().optional().describe("Another name."),
    description: z.string().nullable().optional().describe("Of an entity; null clears it."),
    content: z.string().optional().describe("Of a note."),
    entity_type: z.string().nullable().optional().describe("Of an entity; null clears it."),
    properties: jsonObject("Joined to those there are; of an edge, to its metadata.").optional(),
    tags: tags.optional(),
    salience: unit("Of a note.").optional(),
    decay_factor: nonNegative("Of a note.").optional(),
    status: z.string().optional().describe("Of a note."),
    relation: z.string().optional().describe("Of an edge: what it says, where its ends may be joined so."),
    weight: unit("Of an edge.").optional(),
    expected_version: z
      .int("must be an integer")
      .min(1, "is at least 1")
      .optional()
      .describe("Of a note that was given a key: only if it is at this version."),
  }),
  result: "The record as it now is.",
  example: 'update(id="1f0c9a52", description="Low-rank adaptation", tags=["finetuning", "peft"])',
  level: "read-add",
  inUnit: true,
  event: (result, args) => ({ ...recordEvent("updated", result), payload: { fields: Object.keys(args).filter((name) => name !== "id") } }),
  run: (site, args) => {
    const records = new RecordStore(site);
    const edges = new EdgeStore(records);
    const end = edges.findEnd(args.id);
    if (end.tag === "event") throw eternal();
    checkHint(
      args.kind,
      end.tag === "edge" ? { substrate: "edge", kind: "edge" } : { substrate: end.ref.kind.substrate, kind: end.ref.kind.kind },
    );
    if (end.tag === "edge") {
      if (args.expected_version !== undefined) throw invalidInput("`expected_version` is for a note that was given a key");
      return edges.row(updateEdge(edges, end.ref, args));
    }
    if (args.expected_version !== undefined) holdVersion(records, end.ref, args.expected_version);
    updateRecord(records, end.ref, args);
    return records.row(records.refOfSubject(records.subject(end.ref))!);
  },
});

function eternal(): Error {
  return invalidInput("an event is what happened: it is neither changed nor deleted");
}

function holdVersion(records: RecordStore, ref: RecordRef, expected: number): void {
  const version = records.json(ref, "version");
  if (typeof version !== "number") throw invalidInput("`expected_version` is for a note that was given a key: this has no version");
  if (version === expected) return;
  throw conflict(`the note is at version ${version}, not ${expected}`, {
    reason: "version_conflict",
    expected_version: String(expected),
    actual_version: String(version),
  });
}

type UpdateArguments = {
  readonly [field: string]: RequestJson | undefined;
};

const ENTITY_CHANGES = ["name", "description", "properties", "tags", "entity_type"];
const NOTE_CHANGES = ["name", "content", "salience", "decay_factor", "properties", "tags", "status"];
/** What an entry of a stream lets be changed: how it is found and weighed, not what it says. */
const ENTRY_CHANGES: ReadonlySet<string> = new Set(["name", "salience", "decay_factor"]);
/** What says which record is meant, and as it was seen. */
const ADDRESS: ReadonlySet<string> = new Set(["id", "kind", "expected_version"]);
const EDGE_CHANGES = ["relation", "weight", "properties"];

function refuseOthers(args: UpdateArguments, allowed: readonly string[], what: string): void {
  const wrong = Object.keys(args).find((name) => args[name] !== undefined && !ADDRESS.has(name) && !allowed.includes(name));
  if (wrong !== undefined) throw invalidInput(`${what} has no \`${wrong}\` to change: it has ${allowed.join(", ")}`);
}

function updateRecord(records: RecordStore, ref: RecordRef, args: UpdateArguments): void {
  const isEntity = ref.kind.substrate === "entity";
  refuseOthers(args, isEntity ? ENTITY_CHANGES : NOTE_CHANGES, isEntity ? "an entity" : "a note");
  const { name, description, content } = args;
  if (isEntity && typeof name === "string" && name.trim() === "") throw invalidInput("`name` is blank: an entity has one");
  if (typeof content === "string" && content.trim() === "") throw invalidInput("`content` is blank: a note has one");
  const stream = records.json(ref, "stream");
  if (stream !== null && NOTE_CHANGES.some((field) => args[field] !== undefined && !ENTRY_CHANGES.has(field))) throw streamMember(stream);
  const isTask = ref.kind.kind === "task";
  if (ref.kind.kind === "scheduled_event" && args["status"] !== undefined)
    throw invalidInput("where an event stands changes as it fires; schedule.cancel takes it back");
  if (isTask && typeof args["status"] === "string") moveTask(records, ref, args["status"]);
  const given = args["properties"];
  const { tags: own, properties } = withTags({
    tags: args["tags"] as readonly string[] | undefined,
    properties: isJsonObject(given) ? given : undefined,
  });
  const fields: { [field: string]: RecordFields[string] } = {
    name: name === "" ? null : (name as string | undefined),
    description: description === "" ? null : (description as string | null | undefined),
    content: content as string | undefined,
    entity_type: args["entity_type"] as string | null | undefined,
    status: isTask ? undefined : (args["status"] as string | undefined),
    salience: realDatum(args["salience"] as number | undefined),
    decay_factor: realDatum(args["decay_factor"] as number | undefined),
    tags: own,
  };
  // What it said was the beginning of it is no more.
  if (typeof content === "string" && !isEntity && records.json(ref, EMBED_CHARS) !== 0) fields[EMBED_CHARS] = null;
  if (given !== undefined) fields["properties"] = propertiesDatum(merged(records.properties(ref), properties));
  records.update(ref, fields);
}

/** Where a task stands is not any text: it moves as its own verbs would move it. */
function moveTask(records: RecordStore, ref: RecordRef, status: string): void {
  const tasks = new TaskStore(records);
  const to = taskStatus(status);
  if (tasks.status(ref) !== to) tasks.move(ref, to);
}

/** A null takes a member away. */
function merged(before: JsonObject, change: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries({ ...before, ...change }).filter(([, value]) => value !== null));
}

function updateEdge(edges: EdgeStore, edge: EdgeRef, args: UpdateArguments): EdgeRef {
  refuseOthers(args, EDGE_CHANGES, "an edge");
  const relation = typeof args["relation"] === "string" ? relationNamed(args["relation"]) : edge.relation;
  const weight = args["weight"] as number | undefined;
  const given = args["properties"];
  const isMoved = relation !== edge.relation;
  if (!isMoved && !isJsonObject(given)) return edges.revise(edge, { weight });
  const metadata = edges.metadata(edge);
  const { dependency_kind: dependency, ...others } = isJsonObject(metadata) ? metadata : {};
  // Which kind of dependency it is, is said of no other relation.
  const before = isMoved || dependency === undefined ? others : { ...others, dependency_kind: dependency };
  const wish = linkWish({ relation, weight: weight ?? edges.weight(edge), metadata: merged(before, isJsonObject(given) ? given : {}) });
  return isMoved ? rejoin(edges, edge, wish) : edges.revise(edge, wish);
}

function checkHint(hint: string | undefined, is: { readonly substrate: string; readonly kind: string }): void {
  if (hint === undefined || hint === is.substrate || hint === is.kind) return;
  throw invalidInput(`\`kind\` says ${JSON.stringify(hint)}, and the id is of kind ${is.kind}`);
}

const DELETE: Verb = describeVerb({
  name: "delete",
  pack: "kg",
  class: "Declaration",
  description:
    "Takes a record or an edge out of the store, and its edges with it: no read, search or rule sees it. Softly unless `hard`, so that `get(include_deleted=true)` still shows it, until it is deleted again by its full id with `hard`. Under a mark `dke.restore` brings back either.",
  params: z.strictObject({
    id: idText("What to delete"),
    kind: kindHint,
    hard: z.boolean().default(false).describe("Nothing of it is kept."),
  }),
  result: "`{deleted: true, id, kind, hard, edges_removed}`.",
  example: 'delete(id="1f0c9a52")',
  level: "read-write-delete",
  inUnit: true,
  event: (result, { hard }) => ({ ...recordEvent("deleted", result), payload: { hard } }),
  run: (site, args) => {
    const records = new RecordStore(site);
    const edges = new EdgeStore(records);
    const end = args.hard ? (buried(records, edges, args.id) ?? edges.findEnd(args.id)) : edges.findEnd(args.id);
    if (end.tag === "event") throw eternal();
    const is = end.tag === "edge" ? { substrate: "edge", kind: "edge" } : { substrate: end.ref.kind.substrate, kind: end.ref.kind.kind };
    checkHint(args.kind, is);
    const removed =
      end.tag === "edge" ? removeEdge(records, edges, end.ref, !args.hard) : removeRecord(records, edges, end.ref, { soft: !args.hard });
    return { deleted: true, id: end.ref.id, kind: is.kind, hard: args.hard, edges_removed: removed };
  },
});

/** What was deleted softly under a full id, where nothing stands under it. */
function buried(records: RecordStore, edges: EdgeStore, text: string): EdgeEnd | null {
  const id = readId(text);
  if (id.tag === "prefix") return null;
  const ends: Exclude<EdgeEnd, { tag: "event" }>[] = [
    ...records.candidates(id).map((ref) => ({ tag: "record", ref }) as const),
    ...edges.candidates(id).map((ref) => ({ tag: "edge", ref }) as const),
  ];
  return ends.every((end) => end.ref.deleted) ? (ends[0] ?? null) : null;
}

/** Edges that go with it. */
export function removeRecord(
  records: RecordStore,
  edges: EdgeStore,
  ref: RecordRef,
  how: { readonly soft: boolean; readonly mergedInto?: string },
): number {
  if (records.json(ref, "stream") !== null) throw streamMember(records.json(ref, "stream"));
  let removed = 0;
  for (const edge of edges.incident(ref.symbol, "both")) removed += 1 + removeEdge(records, edges, edge, how.soft);
  if (!how.soft) {
    // Deleted edges to it stand with their sources, and name it as it stood.
    const symbol = records.session.ledger.symbols.findSubjectId(storeKind(ref.kind), ref.id);
    if (symbol !== 0) for (const edge of edges.incident(symbol, "incoming", true)) edges.remove(edge, false);
  }
  records.remove(ref, how);
  return removed;
}

/** The notes about it let go of it. */
function removeEdge(records: RecordStore, edges: EdgeStore, edge: EdgeRef, soft: boolean): number {
  const symbol = records.session.ledger.symbols.findSubjectId(EDGE_KIND, edge.id);
  const about = symbol === 0 ? [] : edges.incident(symbol, "incoming");
  for (const annotation of about) edges.remove(annotation, soft);
  edges.remove(edge, soft);
  return about.length;
}

const STATS: Verb = describeVerb({
  name: "stats",
  pack: "kg",
  class: "Assertive",
  description: "How much there is: entities, notes, edges, edges by relation.",
  params: z.strictObject({}),
  result: "`{entities, edges, edges_by_relation, notes, count_scope}`.",
  example: "stats()",
  level: "read",
  run: (site) => stats(site),
});

function stats(site: VerbSite): JsonObject {
  const records = new RecordStore(site);
  const { symbols } = site.session.ledger;
  const space = site.namespaceAsked === null ? null : symbols.findDatumId(site.namespaceAsked);
  const where = space === null ? "" : " AND space = ?";
  const more = space === null ? [] : [space];
  const count = (table: string, field: number) =>
    records.sql.exec(`SELECT count(*) FROM ${table} WHERE field = ?${where}`, field, ...more)[0][0] as number;
  const totals = { entity: 0, note: 0 };
  const byRelation: { [relation: string]: number } = {};
  for (const kind of RECORD_KINDS) {
    const core = symbols.findFieldId(storeKind(kind), kind.core);
    if (core !== 0) totals[kind.substrate] += count("kg_record", core);
    for (const relation of kind.relations) {
      const field = symbols.findFieldId(storeKind(kind), relation);
      const edges = field === 0 ? 0 : count("kg_edge", field);
      if (edges > 0) byRelation[relation] = (byRelation[relation] ?? 0) + edges;
    }
  }
  return {
    entities: totals.entity,
    edges: Object.values(byRelation).reduce((sum, n) => sum + n, 0),
    edges_by_relation: byRelation,
    notes: totals.note,
    count_scope: { namespaces: "caller_visible", rows: "live_only" },
  };
}

export const RECORD_VERBS: readonly Verb[] = [GET, LIST, STATS, UPDATE, DELETE];
