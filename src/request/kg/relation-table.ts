/**
 * The closed table of relations, and who may be joined by which (request facts §8.1).
 */
import type { JsonObject } from "../request-json";
import { invalidInput, type VerbFailure } from "../verb-failure";

export type EntityKind = "concept" | "document" | "dataset" | "project" | "person" | "org" | "artifact" | "service" | "resource";

/** What stands at an end of an edge: an entity of a kind, a note of a kind, an edge, an event. */
export interface EndKind {
  readonly substrate: "entity" | "note" | "edge" | "event";
  readonly kind: string;
}

interface RelationRule {
  /** Pairs of entity kinds; a target list belongs to each source. */
  readonly pairs: { readonly [source: string]: readonly string[] };
  /** Pairs of notes: of any kinds, or of the kinds named. */
  readonly notes?: "any" | { readonly [source: string]: readonly string[] };
  /** From a note to whatever there is. */
  readonly fromNote?: true;
  readonly symmetric?: true;
}

const same = (...kinds: readonly EntityKind[]): { [source: string]: readonly string[] } =>
  Object.fromEntries(kinds.map((kind) => [kind, [kind]]));

export const ENTITY_KINDS: readonly EntityKind[] = [
  "concept",
  "document",
  "dataset",
  "project",
  "person",
  "org",
  "artifact",
  "service",
  "resource",
];

export const RELATIONS: { readonly [relation: string]: RelationRule } = {
  contains: { pairs: { concept: ["concept"], project: ["project", "artifact"], org: ["project", "service", "org"] } },
  part_of: { pairs: { concept: ["concept"], project: ["project", "org"], person: ["org", "project"], org: ["org"] } },
  instance_of: {
    pairs: Object.fromEntries(
      ENTITY_KINDS.map((kind) => [
        kind,
        kind === "service" ? ["concept", "project"] : kind === "person" ? ["concept", "org", "project"] : ["concept"],
      ]),
    ),
  },
  extends: { pairs: same("concept") },
  variant_of: { pairs: same("concept", "artifact") },
  introduced_by: { pairs: { concept: ["document", "person", "org"], artifact: ["document"], document: ["person", "org"] } },
  supersedes: { pairs: same("concept", "document", "artifact", "service", "dataset"), notes: "any" },
  derived_from: { pairs: { artifact: ["dataset", "document", "project", "artifact"], document: ["document"] } },
  precedes: { pairs: same("document", "dataset", "artifact", "service", "project", "org") },
  depends_on: {
    pairs: {
      project: ["project"],
      service: ["project", "service", "artifact", "dataset"],
      artifact: ["project", "service"],
      document: ["document"],
      org: ["org"],
    },
    notes: { task: ["task"] },
  },
  enables: { pairs: { concept: ["concept"], service: ["concept"], dataset: ["concept"], org: ["org"] } },
  implements: { pairs: { project: ["concept"], service: ["concept"] } },
  competes_with: { pairs: same("concept", "project", "service"), symmetric: true },
  composed_with: { pairs: same("concept", "project"), symmetric: true },
  annotates: { pairs: {}, fromNote: true },
  supports: { pairs: { concept: ["concept"], document: ["concept"], dataset: ["concept"], artifact: ["concept"] }, notes: "any" },
  refutes: { pairs: { concept: ["concept"], document: ["concept"], dataset: ["concept"], artifact: ["concept"] }, notes: "any" },
};

export const DEPENDENCY_KINDS = ["build", "runtime", "data", "artifact", "tooling", "normative"] as const;

const INFERRED: { readonly [pair: string]: (typeof DEPENDENCY_KINDS)[number] } = {
  "project→project": "build",
  "service→service": "runtime",
  "service→dataset": "data",
  "service→artifact": "artifact",
  "artifact→project": "tooling",
  "artifact→service": "tooling",
  "document→document": "normative",
};

export function inferredDependency(source: EndKind, target: EndKind): string | null {
  return INFERRED[`${source.kind}→${target.kind}`] ?? null;
}

/** The relation as it is stored: lower case, `_` for `-`. Throws where there is none of the name. */
export function relationNamed(text: string): string {
  const name = text.toLowerCase().replaceAll("-", "_");
  if (Object.hasOwn(RELATIONS, name)) return name;
  throw invalidInput(`unknown relation ${JSON.stringify(text.slice(0, 64))}: the relations are ${Object.keys(RELATIONS).join(", ")}`);
}

export const SYMMETRIC_RELATIONS: readonly string[] = Object.keys(RELATIONS).filter((name) => RELATIONS[name].symmetric === true);

/** Read alike from either end. False for what is no relation. */
export function isSymmetric(relation: string): boolean {
  return Object.hasOwn(RELATIONS, relation) && RELATIONS[relation].symmetric === true;
}

export function mayJoin(relation: string, source: EndKind, target: EndKind): boolean {
  const { pairs, notes, fromNote } = RELATIONS[relation];
  if (fromNote === true) return source.substrate === "note";
  if (source.substrate === "entity" && target.substrate === "entity") return pairs[source.kind]?.includes(target.kind) ?? false;
  if (source.substrate !== "note" || target.substrate !== "note" || notes === undefined) return false;
  return notes === "any" || (notes[source.kind]?.includes(target.kind) ?? false);
}

/** Names the pairs that would be legal, and the relations that would join these two. */
export function endpointRefusal(relation: string, source: EndKind, target: EndKind): VerbFailure {
  const legal = legalPairs(relation);
  const fitting = Object.keys(RELATIONS).filter((name) => mayJoin(name, source, target));
  const instead = fitting.length === 0 ? "no relation joins these two" : `these two may be joined by ${fitting.join(", ")}`;
  const details: JsonObject = { relation, source: source.kind, target: target.kind, legal_pairs: legal, legal_relations: fitting };
  return invalidInput(`${relation} does not join ${source.kind} → ${target.kind}: it joins ${legal.join(", ")}; ${instead}`, { details });
}

function legalPairs(relation: string): string[] {
  const { pairs, notes, fromNote } = RELATIONS[relation];
  if (fromNote === true) return ["note → anything"];
  const listed = Object.entries(pairs).flatMap(([source, targets]) => targets.map((target) => `${source} → ${target}`));
  if (notes === "any") listed.push("note → note");
  else if (notes !== undefined)
    for (const [source, targets] of Object.entries(notes)) listed.push(...targets.map((target) => `${source} → ${target}`));
  return listed;
}
