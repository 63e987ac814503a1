/** `merge`: two records that are one thing become one record. */
import * as z from "zod";
import type { Subject } from "../../datum";
import { isJsonObject, type JsonObject, jsonText } from "../request-json";
import { describeVerb, type Verb } from "../verb";
import { invalidInput } from "../verb-failure";
import { type EdgeEnd, type EdgeRef, EdgeStore, kindOfEnd } from "./edge-store";
import { idText } from "./kg-params";
import { recordKind } from "./record-kind";
import { objectIn, propertiesDatum, type RecordFields, type RecordRef, RecordStore, streamMember } from "./record-store";
import { mayJoin } from "./relation-table";
import { removeRecord } from "./verbs-record";

const STRATEGIES = ["prefer_into", "prefer_from", "union"] as const;
const CONTENT_STRATEGIES = ["append", "prefer_into", "prefer_from"] as const;

export const MERGE: Verb = describeVerb({
  name: "merge",
  pack: "kg",
  class: "Declaration",
  description:
    "Makes two records one: `into` keeps its id and gains the other's edges, properties and tags; `from` is deleted softly and says where it went. An entry of a stream is never merged. `dry_run` only tells what would happen.",
  params: z.strictObject({
    into_id: idText("What stays").optional(),
    from_id: idText("What goes").optional(),
    winner_id: idText("As into_id").optional(),
    target_id: idText("As into_id").optional(),
    loser_id: idText("As from_id").optional(),
    source_id: idText("As from_id").optional(),
    kind: z.string().default("entity").describe("`entity`, `note`, or a kind of either: what both are."),
    strategy: z.enum(STRATEGIES).default("prefer_into").describe("Whose value stays where both have one; union also joins lists."),
    content_strategy: z.enum(CONTENT_STRATEGIES).default("append").describe("What becomes of description or content."),
    dry_run: z.boolean().default(false).describe("Nothing is written."),
    force: z.boolean().default(false).describe("Also where the two are notes of different kinds."),
    reason: z.string().optional().describe("Kept in the properties of what stays."),
  }),
  result:
    "`{kept_id, removed_id, edges_rewired, edges_contract_skipped, edge_conflict_preimages[], properties_merged, tags_unioned, content_appended, dry_run}`.",
  example: 'merge(into_id="1f0c9a52", from_id="9b11c0de", dry_run=true)',
  level: "read-add",
  inUnit: true,
  event: (result, { kind }) => {
    const { kept_id: kept, removed_id: removed, dry_run: dry, ...payload } = result as JsonObject;
    const substrate = kind === "note" || recordKind(kind as string)?.substrate === "note" ? "note" : "entity";
    return dry === true ? null : { kind: `${substrate}_merged`, substrate, target: kept as string, observed: [removed as string], payload };
  },
  run: (site, args) => {
    const records = new RecordStore(site);
    const into = records.find(required("into_id", args.into_id, args.winner_id, args.target_id));
    const from = records.find(required("from_id", args.from_id, args.loser_id, args.source_id));
    return mergeRecords(records, into, from, args);
  },
});

interface MergeOptions {
  readonly kind: string;
  readonly strategy: (typeof STRATEGIES)[number];
  readonly content_strategy: (typeof CONTENT_STRATEGIES)[number];
  readonly dry_run: boolean;
  readonly force: boolean;
  readonly reason?: string;
}

function required(name: string, ...given: readonly (string | undefined)[]): string {
  const ids = given.filter((id) => id !== undefined);
  if (ids.length === 0) throw invalidInput(`\`${name}\` is missing`);
  if (ids.length > 1) throw invalidInput(`\`${name}\` is given under two names`);
  return ids[0];
}

function mergeRecords(records: RecordStore, into: RecordRef, from: RecordRef, options: MergeOptions): JsonObject {
  if (into.id === from.id) throw invalidInput("a record is not merged into itself");
  for (const ref of [into, from]) {
    const { substrate, kind } = ref.kind;
    const stream = records.json(ref, "stream");
    if (stream !== null) throw streamMember(stream);
    if (options.kind !== substrate && options.kind !== kind)
      throw invalidInput(`\`kind\` says ${options.kind}, and ${ref.id} is a ${kind}`);
  }
  if (into.kind.substrate !== from.kind.substrate) throw invalidInput("an entity and a note are not merged");
  if (into.kind !== from.kind && (into.kind.substrate === "entity" || !options.force)) {
    throw invalidInput(`the two differ in kind (${into.kind.kind}, ${from.kind.kind}), and a merge keeps one`);
  }
  const edges = new EdgeStore(records);
  const rewiring = edges.incident(from.symbol, "both").map((edge) => rewired(edges, edge, into, from));
  const fields = mergedFields(records, into, from, options);
  if (!options.dry_run) {
    for (const plan of rewiring) {
      if (plan.tag !== "move") continue;
      const { relation, namespace } = plan.edge;
      const wish = { relation, namespace, weight: edges.weight(plan.edge), metadata: edges.metadata(plan.edge) as JsonObject };
      edges.link(plan.source, plan.target, wish, true);
    }
    records.update(into, fields.changes);
    removeRecord(records, edges, from, { soft: true, mergedInto: into.id });
  }
  return {
    kept_id: into.id,
    removed_id: from.id,
    edges_rewired: rewiring.filter((plan) => plan.tag === "move").length,
    edges_contract_skipped: rewiring.filter((plan) => plan.tag === "skip").length,
    edge_conflict_preimages: rewiring.flatMap((plan) => (plan.tag === "conflict" ? [edges.row(plan.edge)] : [])),
    properties_merged: fields.properties,
    tags_unioned: fields.tags,
    content_appended: fields.appended,
    dry_run: options.dry_run,
  };
}

/** `conflict`: what stays has that edge already, and keeps its own weight. */
type Rewiring =
  | { readonly tag: "move"; readonly edge: EdgeRef; readonly source: RecordRef; readonly target: EdgeEnd }
  | { readonly tag: "skip" | "conflict"; readonly edge: EdgeRef };

function rewired(edges: EdgeStore, edge: EdgeRef, into: RecordRef, from: RecordRef): Rewiring {
  const end = (subject: Subject): EdgeEnd | null => (subject.name === from.id ? { tag: "record", ref: into } : edges.endOf(subject));
  const source = end(edge.source);
  const target = end(edge.target);
  if (source === null || target === null || source.tag !== "record") return { tag: "skip", edge };
  if (target.tag === "record" && target.ref.id === source.ref.id) return { tag: "skip", edge };
  if (!mayJoin(edge.relation, kindOfEnd(source), kindOfEnd(target))) return { tag: "skip", edge };
  return edges.stands(source.ref, target, edge.relation, edge.namespace)
    ? { tag: "conflict", edge }
    : { tag: "move", edge, source: source.ref, target };
}

interface MergedFields {
  readonly changes: RecordFields;
  readonly properties: number;
  readonly tags: number;
  readonly appended: boolean;
}

function mergedFields(records: RecordStore, into: RecordRef, from: RecordRef, options: MergeOptions): MergedFields {
  const changes: { [field: string]: RecordFields[string] } = {};
  // What rules conclude of either is concluded anew, and written nowhere.
  const mine = objectIn(records.recorded(into, "properties"));
  const theirs = objectIn(records.recorded(from, "properties"));
  const properties = joined(mine, theirs, options.strategy);
  const changed = Object.keys(properties).filter((key) => jsonText(properties[key]) !== jsonText(mine[key])).length;
  const said = options.reason === undefined ? properties : { ...properties, merge_reason: options.reason };
  if (changed > 0 || options.reason !== undefined) changes["properties"] = propertiesDatum(said);
  const before = records.recordedTags(into);
  const tags = [...new Set([...before, ...records.recordedTags(from)])];
  if (tags.length > before.length) changes["tags"] = tags;
  const body = into.kind.substrate === "entity" ? "description" : "content";
  const [own, other] = [records.recorded(into, body), records.recorded(from, body)];
  let appended = false;
  if (typeof other === "string" && other !== "" && other !== own) {
    const text = typeof own === "string" ? own : "";
    const next =
      text === "" || options.content_strategy === "prefer_from"
        ? other
        : options.content_strategy === "append"
          ? `${text}\n\n${other}`
          : text;
    appended = next !== text;
    if (appended) changes[body] = next;
  }
  for (const field of ["entity_type", "name", "status", "salience", "decay_factor"]) {
    if (!into.kind.fields.has(field) || field === into.kind.core) continue;
    const [a, b] = [records.recorded(into, field), records.recorded(from, field)];
    if (b !== null && (a === null || options.strategy === "prefer_from")) changes[field] = b;
  }
  return { changes, properties: changed, tags: tags.length - before.length, appended };
}

function joined(mine: JsonObject, theirs: JsonObject, strategy: MergeOptions["strategy"]): JsonObject {
  if (strategy === "prefer_from") return { ...mine, ...theirs };
  if (strategy === "prefer_into") return { ...theirs, ...mine };
  const out: { [key: string]: JsonObject[string] } = { ...theirs, ...mine };
  for (const key of Object.keys(out)) {
    const [a, b] = [mine[key], theirs[key]];
    if (Array.isArray(a) && Array.isArray(b)) out[key] = [...new Map([...a, ...b].map((item) => [jsonText(item), item])).values()];
    else if (isJsonObject(a) && isJsonObject(b)) out[key] = joined(a, b, "union");
  }
  return out;
}
