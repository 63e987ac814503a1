/** `search`: records by the words in them, and by their meaning where a model is configured. */
import * as z from "zod";
import { idsOf } from "../event/event-kind";
import type { JsonObject } from "../request-json";
import { jsonText } from "../request-json";
import { describeVerb, type Verb } from "../verb";
import { invalidInput } from "../verb-failure";
import { advisedLimit, jsonObject, tags } from "./kg-params";
import { fusedScore, type HybridHit, hasTag, isSuperseded, searchBothWays, tellWays } from "./record-search";
import { RecordStore } from "./record-store";
import { wantedKinds } from "./wanted-kinds";

const LIMIT_MAX = 100;
const SNIPPET_CHARS = 200;
/** How many candidates are weighed for each one shown: what weighs beside the words can lift a record that far. */
const CANDIDATES_A_ROW = 5;
const CANDIDATES_MIN = 50;
export const SEARCH: Verb = describeVerb({
  name: "search",
  pack: "kg",
  class: "Assertive",
  description:
    'Records by the words in them, best first: an entity by its name and description, a note by its name and content. Words are matched by their stems; all of them must occur unless `text_mode="any"`. Rarer words weigh more (BM25). Where a model is configured, what is nearest in meaning is found too, and the two rankings are fused.',
  params: z.strictObject({
    kind: z.string().describe("`entity`, `note`, or a kind of either."),
    query: z.string().describe("The words."),
    limit: z
      .int("must be an integer")
      .min(1, "is at least 1")
      .default(10)
      .describe(`Rows at most; 10 unless said otherwise, no more than ${LIMIT_MAX}.`),
    entity_kind: z.string().optional().describe('With `kind="entity"`: one kind of entity.'),
    entity_type: z.string().optional().describe("Only entities of this type."),
    note_kind: z.string().optional().describe('With `kind="note"`: one kind of note.'),
    include_superseded: z.boolean().default(false).describe("Also records that another one supersedes."),
    properties: jsonObject("Only records with all of these properties.").optional(),
    tags: tags.optional().describe("Only records with one of these, however written."),
    min_score: z.number().optional().describe("Only rows that score as much."),
    text_mode: z.enum(["all", "any"]).default("all").describe("Whether all words must occur, or any."),
  }),
  result: "An array of `{id, kind, entity_kind | note_kind, score, title, snippet, name, created_at, updated_at, …}`.",
  example: 'search(kind="entity", query="low rank adaptation", limit=5)',
  level: "read",
  writesOnRead: true,
  meaning: ({ query }) => query as string,
  event: (result, { query, kind }) => ({ kind: "search_executed", observed: idsOf(result), payload: { query, kind } }),
  run: (site, args) => {
    const records = new RecordStore(site);
    const kinds = wantedKinds(args);
    const [{ substrate }] = kinds;
    if (substrate === "note" && args.entity_type !== undefined)
      throw invalidInput("`entity_type` chooses among entities, and this searches notes");
    if (args.query.trim() === "") throw invalidInput("`query` is blank: it has the words to look for");
    const limit = advisedLimit(site, args.limit, LIMIT_MAX);
    const wanted = Object.entries((args.properties ?? {}) as JsonObject);
    const { hits, arms } = searchBothWays(records, {
      substrate,
      text: args.query,
      mode: args.text_mode,
      limit: Math.max(CANDIDATES_MIN, limit * CANDIDATES_A_ROW),
      accepts: (ref) => {
        if (!kinds.includes(ref.kind)) return false;
        if (args.entity_type !== undefined && records.entityType(ref) !== args.entity_type) return false;
        if (args.tags !== undefined && !hasTag(records, ref, args.tags)) return false;
        if (wanted.length > 0 && !hasProperties(records.properties(ref), wanted)) return false;
        return args.include_superseded || !isSuperseded(records, ref);
      },
    });
    const rows = hits
      .map((hit) => ({ ...hit, weighed: fusedScore(records, hit, args.query) }))
      .filter(({ weighed: score }) => args.min_score === undefined || score >= args.min_score)
      .sort((a, b) => b.weighed - a.weighed || firstRank(a) - firstRank(b) || a.ref.symbol - b.ref.symbol)
      .slice(0, limit)
      .map((hit) => row(records, hit));
    tellWays(records, arms, rows.length);
    return rows;
  },
});

function hasProperties(properties: JsonObject, wanted: readonly (readonly [string, JsonObject[string]])[]): boolean {
  return wanted.every(([name, value]) => Object.hasOwn(properties, name) && jsonText(properties[name]) === jsonText(value));
}

function firstRank({ words, meaning }: HybridHit): number {
  return Math.min(words?.rank ?? Number.POSITIVE_INFINITY, meaning?.rank ?? Number.POSITIVE_INFINITY);
}

function row(records: RecordStore, { ref, words, meaning, weighed }: HybridHit & { readonly weighed: number }): JsonObject {
  const { created_at, updated_at, name, description, content, namespace } = records.row(ref);
  const isEntity = ref.kind.substrate === "entity";
  const text = (isEntity ? description : content) as string | null;
  const title = (name as string | null) ?? cut((content as string | null) ?? "", 80);
  return {
    id: ref.id,
    full_id: ref.id,
    namespace,
    kind: ref.kind.kind,
    [isEntity ? "entity_kind" : "note_kind"]: ref.kind.kind,
    score: weighed,
    title,
    snippet: cut(text ?? "", SNIPPET_CHARS),
    name,
    created_at,
    updated_at,
    rank_score: (words ?? meaning)!.score,
    rank_score_kind: words === null ? "cosine" : "bm25",
    signals: {
      ...(words === null ? {} : { text_rank: words.rank }),
      ...(meaning === null ? {} : { vector_rank: meaning.rank, vector_similarity: meaning.score }),
    },
  };
}

function cut(text: string, chars: number): string {
  const letters = [...text];
  return letters.length <= chars ? text : `${letters.slice(0, chars - 1).join("")}…`;
}
