/** `link`, `neighbors`, `traverse`: edges, what lies along one, and what lies along many. */
import * as z from "zod";
import { checkMember } from "../check-arguments";
import type { JsonObject, RequestJson } from "../request-json";
import { describeVerb, type Verb } from "../verb";
import { failureFrom, invalidInput } from "../verb-failure";
import type { VerbSite } from "../verb-site";
import { EdgeStore } from "./edge-store";
import { advisedLimit, anyJson, direction, idText, jsonObject, limit, relations, unit } from "./kg-params";
import { findSource, joinRecords, linkWish } from "./link-records";
import { bulkEvent, recordEvent } from "./record-event";
import { RecordStore } from "./record-store";
import { relationNamed } from "./relation-table";
import { neighborRows, traverseFrom } from "./walk-edges";

const LINKS_MAX = 1000;
const ROOTS_MAX = 100;
const ROWS_MAX = 1000;

const shape = {
  source_id: idText("Where from").optional(),
  target_id: idText("Where to").optional(),
  relation: z.string().optional().describe("One of the relations; its direction matters."),
  weight: unit("How sure: 1 by definition, .7 to .9 strong, .4 to .6 plausible.").optional(),
  metadata: jsonObject("Kept with the edge; replaces what was kept.").optional(),
  dependency_kind: z
    .string()
    .optional()
    .describe("Of depends_on: build, runtime, data, artifact, tooling or normative; inferred where it can be."),
  resurrect: z.boolean().optional().describe("Also where the edge was deleted."),
};
const single = z.strictObject(shape);
type LinkWish = z.infer<typeof single>;

const LINK: Verb = describeVerb({
  name: "link",
  pack: "kg",
  class: "Commissive",
  description:
    "Joins two records by one of the relations. Linking again is no second edge: it replaces weight and metadata. With `links` many at once, all or nothing unless `atomic=false`.",
  params: z.strictObject({
    ...shape,
    links: z
      .array(anyJson)
      .min(1, "is empty")
      .max(LINKS_MAX, `has at most ${LINKS_MAX} entries`)
      .optional()
      .describe("Many edges, each as the arguments of one `link`."),
    atomic: z.boolean().optional().describe("With `links`: one refused edge refuses all; true unless said otherwise."),
    verbose: z.boolean().optional().describe("With `links`: the edges stand in the answer."),
  }),
  result:
    "The edge, with `mutation`: created, updated or resurrected. With `links`: `{attempted, created, updated, resurrected, skipped, failed, errors?, edges?}`.",
  example: 'link(source_id="1f0c9a52", target_id="9b11c0de", relation="introduced_by")',
  level: "read-add",
  alwaysVerbose: true,
  inUnit: true,
  event: (result, { links }) => {
    const edge = result as JsonObject;
    if (links !== undefined) return bulkEvent({ kind: "link_created", substrate: "edge" }, edge, "edges");
    const { source_id: source, target_id: target, relation, mutation } = edge;
    return {
      ...recordEvent(mutation === "updated" ? "updated" : "created", edge),
      observed: [source as string, target as string],
      payload: { relation, mutation },
    };
  },
  run: (site, { links, atomic, verbose, ...wish }) => {
    if (links === undefined) {
      if (atomic !== undefined || verbose !== undefined) throw invalidInput("`atomic` and `verbose` go with `links`");
      const records = new RecordStore(site);
      return linkOne(new EdgeStore(records), wish).row;
    }
    if (Object.keys(wish).length > 0) throw invalidInput("`links` holds whole edges: give no other field beside it");
    return linkMany(site, links as readonly RequestJson[], atomic ?? true, verbose ?? false);
  },
});

function linkOne(edges: EdgeStore, wish: LinkWish) {
  const { source_id: source, target_id: target, relation } = wish;
  if (source === undefined || target === undefined || relation === undefined) {
    throw invalidInput(`\`${source === undefined ? "source_id" : target === undefined ? "target_id" : "relation"}\` is missing`);
  }
  const read = linkWish({ ...wish, relation });
  return joinRecords(edges, findSource(edges, source), target, read, wish.resurrect ?? false);
}

function linkMany(site: VerbSite, links: readonly RequestJson[], atomic: boolean, verbose: boolean): JsonObject {
  const records = new RecordStore(site);
  const edges = new EdgeStore(records);
  const counts = { created: 0, updated: 0, resurrected: 0 };
  const rows: JsonObject[] = [];
  const errors: JsonObject[] = [];
  const seen = new Set<string>();
  let skipped = 0;
  links.forEach((link, index) => {
    try {
      const made = linkOne(edges, checkMember(single, link));
      const id = made.row["id"] as string;
      // The same edge twice in one list is one edge, as last said.
      if (seen.has(id)) skipped++;
      else counts[made.mutation]++;
      seen.add(id);
      if (verbose) rows.push(made.row);
    } catch (thrown) {
      const failure = failureFrom(thrown);
      if (failure === null) throw thrown;
      errors.push({ index, error: failure.message });
    }
  });
  if (atomic && errors.length > 0) {
    throw invalidInput(
      `${errors.length} of ${links.length} links are refused, so none was made; link ${errors[0]["index"]}: ${errors[0]["error"]}`,
      {
        details: { errors },
      },
    );
  }
  return {
    attempted: links.length,
    ...counts,
    skipped,
    failed: errors.length,
    ...(errors.length > 0 ? { errors } : {}),
    ...(verbose ? { edges: rows } : {}),
  };
}

const NEIGHBORS: Verb = describeVerb({
  name: "neighbors",
  pack: "kg",
  class: "Assertive",
  description: "What one record is joined to, oldest edge first. A symmetric relation counts in both directions.",
  params: z.strictObject({
    node_id: idText("Whose neighbors"),
    direction,
    relations,
    min_weight: unit("Only edges of at least this weight.").optional(),
    limit: limit(100, ROWS_MAX),
    include_entity_type: z.boolean().default(false).describe("Each with its `entity_type`."),
  }),
  result: "An array of `{origin_id, id, edge_id, relation, weight, name?, kind?, entity_type?}`.",
  example: 'neighbors(node_id="1f0c9a52", direction="outgoing")',
  level: "read",
  alwaysVerbose: true,
  run: (site, args) => {
    const records = new RecordStore(site);
    const origin = records.find(args.node_id);
    return neighborRows(records, origin, {
      direction: args.direction,
      relations: args.relations?.map(relationNamed) ?? null,
      minWeight: args.min_weight ?? 0,
      limit: advisedLimit(site, args.limit, ROWS_MAX),
      entityType: args.include_entity_type,
    });
  },
});

const TRAVERSE: Verb = describeVerb({
  name: "traverse",
  pack: "kg",
  class: "Assertive",
  description:
    "Everything within some steps of each root, nearest first, each node once. Refused whole where it would look at too many edges.",
  params: z.strictObject({
    roots: z.array(idText("Where to begin")).min(1, "is empty").max(ROOTS_MAX, `has at most ${ROOTS_MAX}`).describe("Where to begin."),
    max_depth: z.int("must be an integer").min(1, "is at least 1").max(10, "is at most 10").default(3).describe("Steps at most."),
    direction,
    relations,
    min_weight: unit("Only edges of at least this weight.").optional(),
    limit: limit(100, ROWS_MAX),
    include_roots: z.boolean().default(true).describe("The root stands in its own list, at depth 0."),
    include_properties: z.boolean().default(false).describe("Each node with its properties."),
  }),
  result: "One `{root_id, nodes[], truncated}` for each distinct root; a node is `{id, via_edge, depth, name?, kind?, properties?}`.",
  example: 'traverse(roots=["1f0c9a52"], max_depth=2, relations=["extends"])',
  level: "read",
  alwaysVerbose: true,
  run: (site, args) => {
    const records = new RecordStore(site);
    const roots = [...new Map(args.roots.map((id) => records.find(id)).map((ref) => [ref.id, ref])).values()];
    const named = args.relations?.map(relationNamed) ?? null;
    return traverseFrom(records, roots, {
      direction: args.direction,
      relations: named,
      minWeight: args.min_weight ?? 0,
      depthMax: args.max_depth,
      limit: advisedLimit(site, args.limit, ROWS_MAX),
      roots: args.include_roots,
      properties: args.include_properties,
    });
  },
});

export const GRAPH_VERBS: readonly Verb[] = [LINK, NEIGHBORS, TRAVERSE];
