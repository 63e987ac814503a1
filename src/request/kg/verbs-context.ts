/** `context` and `resolve`: what is known around a question, and which record somebody means. */
import * as z from "zod";
import { Subject } from "../../datum";
import { type JsonObject, jsonText } from "../request-json";
import { describeVerb, type Verb } from "../verb";
import { invalidInput } from "../verb-failure";
import { clamp, direction, idText, limit, relations } from "./kg-params";
import { readId } from "./record-id";
import { RECORD_KINDS, type RecordKind, type Substrate, storeKind } from "./record-kind";
import { fusedScore, searchBothWays, searchRecords, tellWays } from "./record-search";
import { type RecordRef, RecordStore } from "./record-store";
import { relationNamed } from "./relation-table";
import { neighborRows } from "./walk-edges";
import { wantedKinds } from "./wanted-kinds";

/** A token of a model, about. */
const CHARS_A_TOKEN = 4;
const ANCHORS_MAX = 20;

const CONTEXT: Verb = describeVerb({
  name: "context",
  pack: "kg",
  class: "Assertive",
  description:
    "What is known around a question or around records: the entities that fit best, each with what it is joined to, as much as a budget holds. Whole anchors are dropped last first, and their number is told, with those of `entity_ids` beyond `limit`.",
  params: z.strictObject({
    query: z.string().optional().describe("The question; entities are found by its words."),
    entity_ids: z.array(idText("An entity")).optional().describe("Records to begin with, in this order."),
    hops: z.int("must be an integer").min(0, "is at least 0").max(2, "is at most 2").default(1).describe("How far to look around each."),
    budget: z
      .int("must be an integer")
      .min(256, "is at least 256")
      .max(65_536, "is at most 65536")
      .default(4096)
      .describe("Tokens that the answer may take, about; a token is taken as four characters."),
    relations,
    direction,
    limit: limit(5, ANCHORS_MAX),
    fanout: z
      .int("must be an integer")
      .min(1, "is at least 1")
      .max(50, "is at most 50")
      .default(10)
      .describe("Neighbors of one record at most."),
  }),
  result:
    "`{anchors[{entity, neighbors[]}], truncated, dropped, requested_limit, effective_limit, limit_clamped}`; a neighbor is as in `neighbors`, with its `hop`.",
  example: 'context(query="low rank adaptation", hops=1)',
  level: "read",
  meaning: ({ query }) => (query as string | undefined) ?? null,
  run: (site, args) => {
    const records = new RecordStore(site);
    const question = args.query?.trim() ?? "";
    const named = [...new Map((args.entity_ids ?? []).map((id) => records.find(id)).map((ref) => [ref.id, ref])).values()];
    if (question === "" && named.length === 0) throw invalidInput("`query` or `entity_ids` says where to begin, and neither says anything");
    const limits = clamp(args.limit, ANCHORS_MAX);
    const most = limits.effective_limit;
    const found = question === "" ? [] : best(records, question, most, named.length);
    const anchors = [...new Map([...named, ...found].map((ref) => [ref.id, ref])).values()].slice(0, most);
    const wanted = args.relations?.map(relationNamed) ?? null;
    const around = (ref: RecordRef) =>
      aroundRecord(records, ref, {
        relations: wanted,
        direction: args.direction,
        minWeight: 0,
        limit: args.fanout,
        entityType: false,
        hops: args.hops,
      });
    let left = args.budget * CHARS_A_TOKEN;
    const shown: JsonObject[] = [];
    let truncated = false;
    for (const ref of anchors) {
      const entity = records.row(ref);
      left -= jsonText(entity).length;
      if (left < 0) break;
      const neighbors: JsonObject[] = [];
      for (const neighbor of around(ref)) {
        const size = jsonText(neighbor).length;
        if (size > left) {
          truncated = true;
          break;
        }
        left -= size;
        neighbors.push(neighbor);
      }
      shown.push({ entity, neighbors });
    }
    // What was named and is beyond the limit was wanted too.
    const dropped = anchors.length - shown.length + Math.max(0, named.length - most);
    return { anchors: shown, truncated: truncated || dropped > 0, dropped, ...limits };
  },
});

/** Entities whose words fit, all of them first, then any; fused with those nearest in meaning. */
function best(records: RecordStore, text: string, limit: number, named: number): RecordRef[] {
  const query = { substrate: "entity", text, limit, accepts: () => true } as const;
  const strict = searchRecords(records, { ...query, mode: "all" });
  const { hits, arms } = searchBothWays(records, { ...query, mode: "any" });
  tellWays(records, arms, strict.length + hits.length + named);
  const fused = hits.map((hit) => ({ ref: hit.ref, score: fusedScore(records, hit, text) })).sort((a, b) => b.score - a.score);
  return [...strict, ...fused].map(({ ref }) => ref);
}

function aroundRecord(
  records: RecordStore,
  ref: RecordRef,
  options: Parameters<typeof neighborRows>[2] & { readonly hops: number },
): JsonObject[] {
  const rows: JsonObject[] = [];
  const seen = new Set([ref.id]);
  let frontier = [ref];
  for (let hop = 1; hop <= options.hops; hop++) {
    const next: RecordRef[] = [];
    for (const from of frontier) {
      for (const row of neighborRows(records, from, options)) {
        const id = row["id"] as string;
        if (seen.has(id)) continue;
        seen.add(id);
        rows.push({ ...row, hop });
        const [reached] = records.candidates(readId(id)).filter((one) => !one.deleted);
        if (reached !== undefined) next.push(reached);
      }
    }
    frontier = next;
  }
  return rows;
}

const RESOLVE: Verb = describeVerb({
  name: "resolve",
  pack: "kg",
  class: "Assertive",
  description:
    "Which record somebody means: by an id or its beginning, else by the exact name, else by its words. Each reference is answered on its own.",
  params: z.strictObject({
    refs: z.array(z.string().min(1, "is empty")).min(1, "is empty").max(100, "has at most 100 entries").describe("Ids, names, or words."),
    kind: z
      .string()
      .optional()
      .describe(
        "Only records of this kind: `entity`, `note`, or a kind of either. Unsaid, ids and names may be of any record, and words find entities.",
      ),
    limit: z.int("must be an integer").min(1, "is at least 1").max(20, "is at most 20").default(5).describe("Candidates at most."),
  }),
  result:
    'An array, one for each: `{ref, outcome: "resolved", id, name, kind, confidence}`, `{ref, outcome: "ambiguous", candidates[]}` or `{ref, outcome: "not_found"}`.',
  example: 'resolve(refs=["LoRA", "1f0c9a52"])',
  level: "read",
  run: (site, args) => {
    const records = new RecordStore(site);
    const kinds = args.kind === undefined ? RECORD_KINDS : wantedKinds({ kind: args.kind });
    return args.refs.map((ref) => resolved(records, ref, kinds, args.limit));
  },
});

/** By words alone nobody is ever quite sure. */
const CONFIDENCE = { id: 1, name: 0.95, onlyHit: 0.7 } as const;

function resolved(records: RecordStore, text: string, kinds: readonly RecordKind[], limit: number): JsonObject {
  const byId = records.candidates(readId(text)).filter((ref) => !ref.deleted && kinds.includes(ref.kind));
  if (byId.length > 0) return outcome(records, text, byId, CONFIDENCE.id, limit);
  const substrates = [...new Set(kinds.map((kind) => kind.substrate))];
  // One that is found alone is told from one of several, whatever the limit.
  const most = Math.max(2, limit);
  for (const substrate of substrates) {
    const named = namesakes(records, text, kinds, substrate, most);
    if (named.length > 0) return outcome(records, text, named, CONFIDENCE.name, limit);
  }
  const accepts = (ref: RecordRef) => kinds.includes(ref.kind);
  const byWords = searchRecords(records, { substrate: substrates[0], text, mode: "all", limit: most, accepts });
  return outcome(
    records,
    text,
    byWords.map(({ ref }) => ref),
    CONFIDENCE.onlyHit,
    limit,
  );
}

/** Records of that very name, in whatever case; of a name without words (`+++`), as it is written. */
function namesakes(records: RecordStore, text: string, kinds: readonly RecordKind[], substrate: Substrate, limit: number): RecordRef[] {
  const own = kinds.filter((kind) => kind.substrate === substrate);
  const wanted = text.trim().toLowerCase();
  const accepts = (ref: RecordRef) =>
    own.includes(ref.kind) &&
    String(records.json(ref, "name") ?? "")
      .trim()
      .toLowerCase() === wanted;
  const found = searchRecords(records, { substrate, text, mode: "all", limit, accepts });
  if (found.length > 0) return found.map(({ ref }) => ref);
  const { namespaceAsked } = records.site;
  return own.flatMap((kind) =>
    records.session
      .find(storeKind(kind), new Map([["name", text]]))
      .flatMap((name) => records.refOfSubject(new Subject(storeKind(kind), name)) ?? [])
      .filter((ref) => namespaceAsked === null || ref.namespace === namespaceAsked),
  );
}

function outcome(records: RecordStore, text: string, refs: readonly RecordRef[], confidence: number, limit: number): JsonObject {
  const shown = (ref: RecordRef): JsonObject => ({ id: ref.id, name: records.json(ref, "name"), kind: ref.kind.kind });
  if (refs.length === 0) return { ref: text, outcome: "not_found" };
  if (refs.length === 1) return { ref: text, outcome: "resolved", ...shown(refs[0]), confidence };
  return { ref: text, outcome: "ambiguous", candidates: refs.slice(0, limit).map(shown) };
}

export const CONTEXT_VERBS: readonly Verb[] = [CONTEXT, RESOLVE];
