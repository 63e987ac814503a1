/** `create`: an entity or a note, alone or many at once. */
import * as z from "zod";
import { checkMember } from "../check-arguments";
import type { EventSaid } from "../event/event-kind";
import { TaskStore } from "../gtd/task-record";
import { PRIORITIES } from "../gtd/task-status";
import { EMBED_CHARS, EMBEDDED_CHARS_MAX } from "../meaning/embedder";
import { isJsonObject, type JsonObject, type RequestJson } from "../request-json";
import { describeVerb, type Verb } from "../verb";
import { conflict, failureFrom, invalidInput } from "../verb-failure";
import type { VerbSite } from "../verb-site";
import { EdgeStore } from "./edge-store";
import { fence, fences } from "./fence";
import { anyJson, fullId, idText, jsonObject, nonNegative, tags, unit } from "./kg-params";
import { joinRecords, linkWish } from "./link-records";
import { bulkEvent, recordEvent } from "./record-event";
import { type RecordKind, recordKind } from "./record-kind";
import { fusedScore, searchRecords } from "./record-search";
import { propertiesDatum, type RecordFields, type RecordRef, RecordStore, realDatum } from "./record-store";
import { StreamStore } from "./stream-store";

const ITEMS_MAX = 1000;

/** Kinds of note that have a verb of their own to make them. */
const MADE_ELSEWHERE: { readonly [kind: string]: string } = {
  scheduled_event: "schedule.remind or schedule.schedule",
  message: "comm.send",
};

/** What is kept, and is no record. */
const NO_RECORD: { readonly [kind: string]: string } = {
  edge: "an edge is made by link",
  proposal: "a proposal is made by propose",
  event: "an event is what happened: nobody makes one",
};

const shape = {
  kind: z.string().optional().describe("`entity`, `note`, or a kind of either: `concept`, `document`, `insight`, …"),
  entity_kind: z.string().optional().describe('With `kind="entity"`: the kind of entity.'),
  note_kind: z.string().optional().describe('With `kind="note"`: the kind of note; observation unless said otherwise.'),
  name: z.string().optional().describe("Of an entity, and it is not blank; a note may have one."),
  description: z.string().optional().describe("What the entity is."),
  content: z.string().optional().describe("The text of a note."),
  embedding_content: z
    .string()
    .optional()
    .describe("Of a note alone: the beginning of `content` that a search by meaning is to go by, where a model is configured."),
  embed: z.boolean().optional().describe("Of a note: false, and no search by meaning finds it."),
  key: z
    .string()
    .min(1, "is empty")
    .max(256, "has at most 256 characters")
    .optional()
    .describe("Of a note: a name of yours for it, kept once in its namespace and kind. It then has a version, which every change raises."),
  fence: fence.optional(),
  entity_type: z.string().optional().describe("A finer kind of your own."),
  properties: jsonObject("Whatever else is to be kept with it.").optional(),
  tags: tags.optional(),
  salience: unit("How much a note matters.").optional(),
  decay_factor: nonNegative("How fast a note fades, a day.").optional(),
  status: z.string().optional().describe("Where a note stands."),
  annotates: z.array(idText("What a note is about")).optional().describe("What a note is about."),
  title: z.string().optional().describe("Of a task: what is to be done."),
  priority: z.enum(PRIORITIES).optional().describe("Of a task; p0 is the most pressing."),
  assignee: z.string().min(1, "is empty").optional().describe("Of a task: who is to do it."),
  due: z.string().optional().describe("Of a task: by when, ISO 8601."),
  start: z.string().optional().describe("Of a task: from when, ISO 8601."),
  end: z.string().optional().describe("Of a task: until when, ISO 8601."),
  depends_on: z.array(idText("A task")).optional().describe("Of a task: those to be done before it."),
  context_entity_id: fullId("An entity").optional().describe("Of a task: the entity it is about."),
  skip_dedup_check: z.boolean().optional().describe("Of an entity: do not look for others of its name."),
  edges: z
    .array(z.strictObject({ target_id: idText("Where to"), relation: z.string(), weight: unit("0 to 1").optional() }))
    .optional()
    .describe("Edges from the new record, each `{target_id, relation, weight?}`."),
};

const single = z.strictObject(shape);
type Wish = z.infer<typeof single>;

export const CREATE: Verb = describeVerb({
  name: "create",
  pack: "kg",
  class: "Commissive",
  description:
    "Makes an entity or a note. With `items` many at once, all or nothing unless `atomic=false`. An entity is found again by its name, a note by its content.",
  params: z.strictObject({
    ...shape,
    items: z
      .array(anyJson)
      .min(1, "is empty")
      .max(ITEMS_MAX, `has at most ${ITEMS_MAX} entries`)
      .optional()
      .describe("Many records, each as the arguments of one `create`."),
    atomic: z.boolean().optional().describe("With `items`: one refused item refuses all; true unless said otherwise."),
    verbose: z.boolean().optional().describe("With `items`: the records made stand in the answer."),
  }),
  result:
    "The record. With `edges` also `edges[]` and, of those refused, `edge_errors[]`. With `items`: `{attempted, created, skipped, failed, errors?[{index, error}], entities?[]}`.",
  example: 'create(kind="entity", entity_kind="concept", name="LoRA", tags=["finetuning"])',
  level: "read-add",
  event: (result, { items }) =>
    items === undefined
      ? recordEvent("created", result)
      : bulkEvent(itemsCreated(items as readonly RequestJson[]), result as JsonObject, "entities"),
  run: (site, { items, atomic, verbose, ...wish }) => {
    if (items === undefined) {
      if (atomic !== undefined || verbose !== undefined) throw invalidInput("`atomic` and `verbose` go with `items`");
      return createOne(site, wish);
    }
    if (Object.keys(wish).length > 0) throw invalidInput("`items` holds whole records: give no other field beside it");
    return createMany(site, items as readonly RequestJson[], atomic ?? true, verbose ?? false);
  },
});

/** What many items are called together; nothing, where some are entities and some notes. */
function itemsCreated(items: readonly RequestJson[]): Pick<EventSaid, "kind" | "substrate"> {
  const kinds = new Set(items.map((item) => (isJsonObject(item) ? String(item["kind"]) : "")));
  const substrates = new Set([...kinds].map((kind) => (kind === "entity" || kind === "note" ? kind : recordKind(kind)?.substrate)));
  const [substrate] = substrates;
  return substrate === undefined || substrates.size > 1 ? {} : { kind: `${substrate}_created`, substrate };
}

function createOne(site: VerbSite, wish: Wish): JsonObject {
  const records = new RecordStore(site);
  const similar = similarExisting(records, wish);
  const ref = makeRecord(records, wish);
  return {
    ...records.row(ref),
    ...linked(records, ref, wish),
    ...(similar.length > 0 ? { similar_existing: similar } : {}),
    ...cutWarning(site, wish),
  };
}

/** A model reads a text only so far, which whoever wrote a longer one may want to know. */
function cutWarning({ embeddingModel: model }: VerbSite, { content, description, embedding_content: beginning }: Wish): JsonObject {
  const text = beginning ?? content ?? description ?? "";
  if (model === null || text.length <= EMBEDDED_CHARS_MAX) return {};
  const message = `a search by meaning goes by the first ${EMBEDDED_CHARS_MAX} characters; the words of all of it are found`;
  return { warnings: [{ kind: "embedding_input_cut", model, message, chars: text.length, chars_max: EMBEDDED_CHARS_MAX }] };
}

const SIMILAR_MAX = 3;
const SIMILAR_SCORE = 0.1;

/** Entities that are very likely the same: so alike in name that a search would put them first. */
function similarExisting(records: RecordStore, wish: Wish): JsonObject[] {
  if (wish.skip_dedup_check === true || wish.name === undefined || kindOf(wish).substrate !== "entity") return [];
  const { name } = wish;
  return searchRecords(records, { substrate: "entity", text: name, mode: "all", limit: SIMILAR_MAX, accepts: () => true })
    .map((hit) => ({
      id: hit.ref.id,
      name: records.json(hit.ref, "name"),
      entity_kind: hit.ref.kind.kind,
      score: fusedScore(records, { ref: hit.ref, words: hit, meaning: null }, name),
    }))
    .filter(({ score }) => score >= SIMILAR_SCORE);
}

const TASK_FIELDS = ["title", "priority", "assignee", "due", "start", "end", "depends_on", "context_entity_id"] as const;

/** How a note alone is kept. */
const OF_NOTES = ["embedding_content", "embed", "key", "fence"] as const;

function makeRecord(records: RecordStore, wish: Wish): RecordRef {
  const kind = kindOf(wish);
  if (kind.kind === "task") return makeTask(records, wish);
  refuse(wish, TASK_FIELDS, `a ${kind.kind}`);
  if (kind.substrate === "entity") return records.create(kind, entityFields(wish));
  const fields = noteFields(wish, kind);
  holdKeyed(records, wish, kind);
  return records.create(kind, fields);
}

/** A task is named by its title; one made as any note is may give it as its name or content. */
function makeTask(records: RecordStore, wish: Wish): RecordRef {
  refuse(wish, ["entity_type", "salience", "decay_factor", ...OF_NOTES], "a task");
  const { tags: own, properties } = withTags(wish);
  const ref = new TaskStore(records).create({
    ...wish,
    title: wish.title ?? wish.name ?? wish.content ?? "",
    description: wish.description ?? wish.content,
    tags: own,
  });
  const kept = propertiesDatum(properties);
  if (kept !== null) records.update(ref, { properties: kept });
  return ref;
}

/** `kind` names a substrate with the kind beside it, or the kind itself; what contradicts is refused. */
export function kindOf({
  kind,
  entity_kind: entityKind,
  note_kind: noteKind,
}: Pick<Wish, "kind" | "entity_kind" | "note_kind">): RecordKind {
  if (kind === undefined) throw invalidInput("`kind` is missing: `entity`, `note`, or a kind of either");
  const named = kind === "entity" ? entityKind : kind === "note" ? (noteKind ?? "observation") : kind;
  if (named === undefined) throw invalidInput("`entity_kind` is missing: which kind of entity, such as concept or document");
  if (Object.hasOwn(NO_RECORD, named)) throw invalidInput(NO_RECORD[named]);
  const found = recordKind(named);
  if (found === undefined) {
    throw invalidInput(
      `unknown kind ${JSON.stringify(named.slice(0, 64))}: entities are concept, document, dataset, project, person, org, artifact, service, resource; notes are observation, insight, question, decision, reference and those of the packs`,
    );
  }
  const wrong = found.substrate === "entity" ? noteKind : entityKind;
  const beside = found.substrate === "entity" ? entityKind : noteKind;
  const contradicts =
    wrong !== undefined ||
    (beside !== undefined && beside !== named) ||
    (kind === "entity" && found.substrate !== "entity") ||
    (kind === "note" && found.substrate !== "note");
  if (contradicts) {
    const said = Object.entries({ kind, entity_kind: entityKind, note_kind: noteKind }).flatMap(([name, word]) =>
      word === undefined ? [] : [`\`${name}\` says ${JSON.stringify(word.slice(0, 64))}`],
    );
    throw invalidInput(`${said.join(" and ")}, which contradict each other: ${named} is a kind of ${found.substrate}`);
  }
  return found;
}

function entityFields(wish: Wish): RecordFields {
  refuse(wish, ["content", ...OF_NOTES, "salience", "decay_factor", "annotates", "status"], "an entity");
  if (wish.name === undefined || wish.name.trim() === "") throw invalidInput("`name` is missing or blank: an entity has one");
  const { tags: own, properties } = withTags(wish);
  return {
    name: wish.name,
    description: wish.description === "" ? undefined : wish.description,
    entity_type: wish.entity_type,
    properties: propertiesDatum(properties),
    tags: own,
  };
}

function noteFields(wish: Wish, kind: RecordKind): RecordFields {
  const elsewhere = MADE_ELSEWHERE[kind.kind];
  if (elsewhere !== undefined) throw invalidInput(`a ${kind.kind} is made by ${elsewhere}`);
  refuse(wish, ["description", "entity_type"], "a note");
  if (wish.content === undefined || wish.content.trim() === "") throw invalidInput("`content` is missing or blank: a note has one");
  const { embedding_content: beginning } = wish;
  if (beginning !== undefined && (beginning.trim() === "" || beginning === wish.content || !wish.content.startsWith(beginning)))
    throw invalidInput("`embedding_content` is the beginning of `content`, and less than all of it");
  const { tags: own, properties } = withTags(wish);
  return {
    content: wish.content,
    [EMBED_CHARS]: wish.embed === false ? 0 : beginning?.length,
    key: wish.key,
    version: wish.key === undefined ? undefined : 1,
    name: wish.name,
    status: wish.status,
    salience: realDatum(wish.salience),
    decay_factor: realDatum(wish.decay_factor),
    properties: propertiesDatum(properties),
    tags: own,
  };
}

/** Throws where the key is another note's, or a fence does not hold. */
function holdKeyed(records: RecordStore, { key, fence: held }: Wish, { kind }: RecordKind): void {
  if (key === undefined && held === undefined) return;
  const documents = new StreamStore(records);
  documents.hold(fences(held));
  const known = key === undefined ? null : documents.document(key, kind);
  if (known !== null) throw conflict(`another ${kind} is kept under this \`key\``, { reason: "key_conflict", existing_id: known.id });
}

function refuse(wish: Wish, fields: readonly (keyof Wish)[], what: string): void {
  const wrong = fields.find((field) => wish[field] !== undefined);
  if (wrong !== undefined) throw invalidInput(`${what} has no \`${wrong}\``);
}

/** Labels may stand in `properties.tags` too; those given by themselves win. */
export function withTags(wish: { readonly tags?: readonly string[]; readonly properties?: JsonObject }): {
  readonly tags: readonly string[] | undefined;
  readonly properties: JsonObject;
} {
  const { tags: inside, ...properties } = wish.properties ?? {};
  const listed = Array.isArray(inside) && inside.every((tag) => typeof tag === "string" && tag !== "");
  if (inside !== undefined && !listed) throw invalidInput("`properties.tags` is an array of texts");
  const own = wish.tags ?? (inside as readonly string[] | undefined);
  return { tags: own === undefined ? undefined : [...new Set(own)], properties };
}

/** What a new record is joined to. An edge that is refused does not undo the record. */
function linked(records: RecordStore, ref: RecordRef, wish: Wish): JsonObject {
  const edges = new EdgeStore(records);
  for (const about of wish.annotates ?? []) joinRecords(edges, ref, about, linkWish({ relation: "annotates" }), false);
  if (wish.edges === undefined) return {};
  const made: JsonObject[] = [];
  const errors: JsonObject[] = [];
  wish.edges.forEach((edge, index) => {
    try {
      made.push(joinRecords(edges, ref, edge.target_id, linkWish(edge), false).row);
    } catch (thrown) {
      const failure = failureFrom(thrown);
      if (failure === null) throw thrown;
      errors.push({ index, error: failure.message });
    }
  });
  return { edges: made, ...(errors.length > 0 ? { edge_errors: errors } : {}) };
}

function createMany(site: VerbSite, items: readonly RequestJson[], atomic: boolean, verbose: boolean): JsonObject {
  const records = new RecordStore(site);
  const rows: JsonObject[] = [];
  const errors: JsonObject[] = [];
  items.forEach((item, index) => {
    // An item that is refused half made is not made at all. Where one refuses all, the op takes everything back.
    if (!atomic) site.session.layerPush("compile");
    try {
      const ref = makeItem(records, item);
      rows.push(verbose ? records.row(ref) : { id: ref.id });
      if (!atomic) site.session.layerCommit();
    } catch (thrown) {
      const failure = failureFrom(thrown);
      if (failure === null) throw thrown;
      if (!atomic) site.session.layerRollback();
      errors.push({ index, error: failure.message });
    }
  });
  if (atomic && errors.length > 0) {
    const first = errors[0];
    throw invalidInput(
      `${errors.length} of ${items.length} items are refused, so none was made; item ${first["index"]}: ${first["error"]}`,
      {
        details: { errors },
      },
    );
  }
  return {
    attempted: items.length,
    created: rows.length,
    skipped: 0,
    failed: errors.length,
    ...(errors.length > 0 ? { errors } : {}),
    entities: rows,
  };
}

function makeItem(records: RecordStore, item: RequestJson): RecordRef {
  const wish = checkMember(single, item);
  refuse(wish, OF_NOTES, "one of many items");
  if (wish.edges !== undefined || wish.annotates !== undefined)
    throw invalidInput("an item takes no `edges` or `annotates`: link afterwards, many at once");
  return makeRecord(records, wish);
}
