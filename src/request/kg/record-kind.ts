/**
 * What kinds of record there are, and the Kind of the store that each is: the mapping of the request endpoint onto claims.
 *
 * An entity of kind `concept` is a subject of `kg.Concept`, a note of kind `insight` one of `kg.Insight`; what is said of
 * it stands in declared fields, and a relation is a many-valued field of its source. A record that was deleted softly
 * stands under `kg_deleted`, with the same Kinds and fields, where no rule of `kg` sees it (docs/decisions).
 */
import { KEPT_MODULES, KG_DELETED_MODULE, KG_MODULE } from "../../tools/kept-modules";
import { EMBED_CHARS } from "../meaning/embedder";
import { ENTITY_KINDS, RELATIONS } from "./relation-table";

export type Substrate = "entity" | "note";

export interface RecordKind {
  readonly substrate: Substrate;
  /** As callers write it. */
  readonly kind: string;
  /** As programs write it, without its module. */
  readonly className: string;
  /** The field without which there is no record. */
  readonly core: "name" | "content";
  /** Fields and their types as a class declares them, relations included. */
  readonly fields: ReadonlyMap<string, string>;
  /** Relations that it can be the source of. */
  readonly relations: readonly string[];
  /** Fields that are none. */
  readonly own: readonly string[];
}

/** Proposals are no records: nothing is joined to one (proposal-store.ts). */
export const PROPOSAL_KIND = `${KG_MODULE}.Proposal`;
export const PROPOSAL_FIELDS: ReadonlyMap<string, string> = new Map([
  ["title", "string"],
  ["description", "string"],
  ["changeset", "string"],
  ["status", "string"],
  ["proposer", "string"],
  ["reviewers", "many[string]"],
  ["decisions", "many[string]"],
  ["expiry", "int"],
  ["parent", "string"],
  ["rationale", "string"],
]);
/** An edge is a claim; where it is pointed at (`annotates`), it is pointed at as a subject of this Kind. */
export const EDGE_KIND = `${KG_MODULE}.Edge`;
/** So is an event, which is no claim. */
export const EVENT_KIND = `${KG_MODULE}.Event`;

const NOTE_KINDS = [
  "observation",
  "insight",
  "question",
  "decision",
  "reference",
  "task",
  "memory",
  "message",
  "scheduled_event",
  "session",
  "commit",
  "issue",
  "pull_request",
  "finding",
] as const;

/** What a deleted record says beside what it said before. */
export const DELETED_FIELDS: ReadonlyMap<string, string> = new Map([
  ["deleted_at", "datetime"],
  ["merged_into", "string"],
]);

/** What any record can say of itself. */
const COMMON: readonly (readonly [string, string])[] = [
  ["properties", "dict"],
  ["tags", "many[string]"],
];
const ENTITY_FIELDS: readonly (readonly [string, string])[] = [
  ["name", "string"],
  ["description", "string"],
  ["entity_type", "string"],
  ...COMMON,
];
const NOTE_FIELDS: readonly (readonly [string, string])[] = [
  ["name", "string"],
  ["content", "string"],
  ["status", "string"],
  ["salience", "float"],
  ["decay_factor", "float"],
  ["expires_at", "datetime"],
  ["stream", "string"],
  ["seq", "int"],
  ["key", "string"],
  ["version", "int"],
  // How much of it a search by meaning goes by, in characters, where that is not all of it.
  [EMBED_CHARS, "int"],
  ...COMMON,
];
/** Fields of one kind of note alone. The packs that keep such notes say what they mean. */
const OWN_FIELDS: { readonly [kind: string]: readonly (readonly [string, string])[] } = {
  task: [
    ["priority", "string"],
    ["assignee", "string"],
    ["due", "string"],
    ["start", "string"],
    ["end", "string"],
    ["description", "string"],
    ["result", "string"],
    ["completed_at", "datetime"],
    ["context_entity", "any"],
  ],
  memory: [
    ["memory_type", "string"],
    ["key", "string"],
  ],
  message: [
    ["from_actor", "string"],
    ["to_actor", "string"],
    ["direction", "string"],
    ["subject", "string"],
    ["thread_id", "string"],
    ["reply_to", "string"],
    ["read_at", "datetime"],
    ["outbound_ref", "string"],
    ["idempotency_key", "string"],
  ],
  scheduled_event: [
    ["trigger_at", "string"],
    ["due_at", "datetime"],
    ["repeat", "string"],
    ["action", "string"],
    ["fired_at", "datetime"],
    ["actor", "string"],
  ],
  session: [
    ["provider", "string"],
    ["provider_session_id", "string"],
  ],
};

function classNameOf(kind: string): string {
  return kind
    .split("_")
    .map((word) => word[0].toUpperCase() + word.slice(1))
    .join("");
}

/** `many[Concept]` where only one Kind can be meant, else `many[any]`. */
function relationType(relation: string, targets: readonly string[]): readonly [string, string] {
  return [relation, targets.length === 1 ? `many[${classNameOf(targets[0])}]` : "many[any]"];
}

function entityKind(kind: string): RecordKind {
  const relations = Object.entries(RELATIONS).flatMap(([name, { pairs }]) =>
    pairs[kind] === undefined ? [] : [relationType(name, pairs[kind])],
  );
  return {
    substrate: "entity",
    kind,
    className: classNameOf(kind),
    core: "name",
    fields: new Map([...ENTITY_FIELDS, ...relations]),
    relations: relations.map(([name]) => name),
    own: ENTITY_FIELDS.map(([name]) => name),
  };
}

function noteKind(kind: string): RecordKind {
  const relations = Object.entries(RELATIONS).flatMap(([name, { notes, fromNote }]) => {
    if (fromNote === true || notes === "any") return [[name, "many[any]"] as const];
    return notes?.[kind] === undefined ? [] : [relationType(name, notes[kind])];
  });
  const own = [...NOTE_FIELDS, ...(OWN_FIELDS[kind] ?? [])];
  return {
    substrate: "note",
    kind,
    className: classNameOf(kind),
    core: "content",
    fields: new Map([...own, ...relations]),
    relations: relations.map(([name]) => name),
    own: own.map(([name]) => name),
  };
}

export const RECORD_KINDS: readonly RecordKind[] = [...ENTITY_KINDS.map(entityKind), ...NOTE_KINDS.map(noteKind)];

const BY_KIND = new Map(RECORD_KINDS.map((one) => [one.kind, one]));
const BY_CLASS = new Map(RECORD_KINDS.map((one) => [one.className, one]));

export function recordKind(kind: string): RecordKind | undefined {
  return BY_KIND.get(kind);
}

/** Where a Kind of the store belongs; null where it holds no records. */
export interface KindPlace {
  readonly kind: RecordKind;
  readonly deleted: boolean;
}

export function placeOfKind(kindName: string): KindPlace | null {
  const dot = kindName.indexOf(".");
  const module = kindName.slice(0, dot);
  if (!KEPT_MODULES.has(module)) return null;
  const kind = BY_CLASS.get(kindName.slice(dot + 1));
  return kind === undefined ? null : { kind, deleted: module === KG_DELETED_MODULE };
}

const STORE_KINDS = new Map(
  RECORD_KINDS.map((kind) => [kind, [`${KG_MODULE}.${kind.className}`, `${KG_DELETED_MODULE}.${kind.className}`]]),
);

/** The Kind's name in the store. */
export function storeKind(kind: RecordKind, deleted = false): string {
  return STORE_KINDS.get(kind)![deleted ? 1 : 0];
}
