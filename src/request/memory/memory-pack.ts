/** The pack `memory`: what an agent keeps to be reminded of, and how it is recalled. */
import * as z from "zod";
import { Datetime } from "../../datum";
import { idsOf, noteEvent } from "../event/event-kind";
import { EdgeStore } from "../kg/edge-store";
import { advisedLimit, embeddingModel, fullId, idText, nonNegative, requireModel, tags, unit } from "../kg/kg-params";
import { joinRecords, linkWish } from "../kg/link-records";
import { findNote, noteKindNamed, notesOfKind } from "../kg/notes-of-kind";
import { idMicros } from "../kg/record-id";
import { type HybridHit, type RecordQuery, searchBothWays, tellWays, type Ways } from "../kg/record-search";
import { propertiesDatum, type RecordRef, RecordStore, realDatum } from "../kg/record-store";
import { StreamStore } from "../kg/stream-store";
import { removeRecord } from "../kg/verbs-record";
import { isJsonObject, type JsonObject } from "../request-json";
import { describeVerb, type Verb } from "../verb";
import { conflict, invalidInput } from "../verb-failure";
import type { VerbSite } from "../verb-site";

const MEMORY_TYPES = ["episodic", "semantic"] as const;
type MemoryType = (typeof MEMORY_TYPES)[number];

/** How much a memory matters at first and how fast it fades, a day, where neither is said. */
const USUAL: { readonly [type in MemoryType]: { readonly salience: number; readonly decay: number } } = {
  episodic: { salience: 0.3, decay: 0.02 },
  semantic: { salience: 0.5, decay: 0.005 },
};
/** Where knowledge is kept that is not of one occasion, unless another place is named. */
const SHARED_NAMESPACE = "local";

const RECALL_MAX = 100;
const CUT_CHARS = 200;
const CANDIDATES_MIN = 100;
/** The published weights of a recall: how well the words match, how much the memory still matters, how new it is. */
const WEIGHT = { retrieval: 0.7, salience: 0.2, recency: 0.1 } as const;
const FUSION_K = 60;
const ENTITY_BOOST = 1.3;
const DAY = 86_400_000_000;
/** A memory is half as new after so many days. */
const RECENCY_HALF_LIFE_DAYS = 30;

const REMEMBER: Verb = describeVerb({
  name: "memory.remember",
  pack: "memory",
  class: "Commissive",
  description:
    "Keeps a memory. `episodic` is what happened, and fades; `semantic` is what is so, fades slowly, and is kept in the namespace `local` unless the call names another. Under a `key` it is kept once: the same again changes nothing, another text is a conflict.",
  params: z.strictObject({
    content: z.string().describe("What is to be remembered."),
    memory_type: z.enum(MEMORY_TYPES).default("episodic").describe("episodic or semantic."),
    salience: unit("How much it matters; 0.3 of an episodic memory, 0.5 of a semantic one unless said otherwise.").optional(),
    decay_factor: nonNegative("How fast it fades, a day; 0.02 and 0.005 unless said otherwise.").optional(),
    source_id: idText("What it comes from").optional(),
    tags: tags.optional(),
    embedding_model: embeddingModel,
    key: z.string().min(1, "is empty").max(256, "has at most 256 characters").optional().describe("A name of yours for it, kept once."),
  }),
  result: "The memory: `{id, full_id, content, memory_type, salience, decay_factor, …}`.",
  example: 'memory.remember(content="Ann prefers mornings.", memory_type="semantic", tags=["ann"])',
  level: "read-add",
  event: (result) => (isJsonObject(result) && result["replayed"] === true ? null : noteEvent("created", result)),
  run: (site, args) => {
    if (args.content.trim() === "") throw invalidInput("`content` is blank: a memory has a text");
    requireModel(site, args.embedding_model);
    const records = new RecordStore(site);
    const namespace = site.namespaceNamed ?? (args.memory_type === "semantic" ? SHARED_NAMESPACE : site.namespace);
    const before = args.key === undefined ? null : new StreamStore(records).document(args.key, "memory", namespace);
    if (before !== null) {
      if (records.json(before, "content") === args.content) return { ...memoryRow(records, before), replayed: true };
      throw conflict("another memory is kept under this `key`", { reason: "key_conflict", existing_id: before.id });
    }
    const usual = USUAL[args.memory_type];
    const ref = records.create(
      noteKindNamed("memory"),
      {
        content: args.content,
        memory_type: args.memory_type,
        salience: realDatum(args.salience ?? usual.salience),
        decay_factor: realDatum(args.decay_factor ?? usual.decay),
        key: args.key,
        tags: args.tags === undefined ? undefined : [...new Set(args.tags)],
      },
      namespace,
    );
    if (args.source_id !== undefined) joinRecords(new EdgeStore(records), ref, args.source_id, linkWish({ relation: "annotates" }), false);
    return memoryRow(records, ref);
  },
});

function memoryRow(records: RecordStore, ref: RecordRef): JsonObject {
  const { id, namespace, content, salience, decay_factor, created_at, updated_at } = records.row(ref);
  return {
    id,
    full_id: id,
    namespace,
    kind: "memory",
    memory_type: records.json(ref, "memory_type"),
    content,
    salience,
    decay_factor,
    tags: records.tags(ref),
    key: records.json(ref, "key"),
    created_at,
    updated_at,
  };
}

const STRATEGIES = ["rrf", "weighted", "union", "vector_only", "keyword_only"] as const;
type Strategy = (typeof STRATEGIES)[number];
const WAYS: { readonly [strategy in Strategy]: Ways } = {
  rrf: "both",
  weighted: "both",
  union: "both",
  vector_only: "meaning",
  keyword_only: "words",
};

const RECALL: Verb = describeVerb({
  name: "memory.recall",
  pack: "memory",
  class: "Assertive",
  description:
    "Memories by the words in them, best first, and by their meaning where a model is configured. The score is 0.70 of how well they match, 0.20 of how much they still matter (salience, faded by `decay_factor` a day) and 0.10 of how new they are.",
  params: z.strictObject({
    query: z.string().describe("The words."),
    limit: z
      .int("must be an integer")
      .min(1, "is at least 1")
      .default(10)
      .describe(`Rows at most; 10 unless said otherwise, no more than ${RECALL_MAX}.`),
    top_k: z
      .int("must be an integer")
      .min(1, "is at least 1")
      .max(RECALL_MAX, `is at most ${RECALL_MAX}`)
      .optional()
      .describe("Another word for `limit`, which it overrides."),
    min_score: z.number().optional().describe("Only rows that score as much."),
    score_floor: z.number().optional().describe("Another word for `min_score`."),
    min_salience: unit("Only memories that matter as much, unfaded.").optional(),
    memory_type: z.enum(MEMORY_TYPES).optional().describe("Only of this type."),
    fusion_strategy: z
      .enum(STRATEGIES)
      .default("rrf")
      .describe(
        "How ranks become a match: rrf fuses the rank by words with that by meaning, union takes the better of them, weighted goes by scores beside the best ones; keyword_only goes by words alone, vector_only by meaning alone. Where no model is configured all go by words, and vector_only is refused.",
      ),
    tags: tags.optional().describe("Only memories with these labels, however written."),
    tag_mode: z.enum(["any", "all"]).default("any").describe("Whether one of `tags` is enough."),
    entity_names: z
      .array(z.string().min(1, "is empty"))
      .optional()
      .describe("Memories that name one of these count for 1.3 times as much."),
    full_content: z.boolean().default(true).describe(`False: contents are cut at ${CUT_CHARS} characters.`),
    embedding_model: embeddingModel,
    include_breakdown: z.boolean().default(false).describe("What each score is made of."),
  }),
  result: "An array, best first: `{id, full_id, content, score, salience, decay_factor, memory_type, serve_attribution, …}`.",
  example: 'memory.recall(query="when does Ann like to meet", limit=3)',
  level: "read",
  writesOnRead: true,
  meaning: ({ query, fusion_strategy: strategy }) => (strategy === "keyword_only" ? null : (query as string)),
  event: (result, { query }) => ({ kind: "recall_executed", substrate: "note", observed: idsOf(result), payload: { query } }),
  run: (site, args) => {
    if (args.query.trim() === "") throw invalidInput("`query` is blank: it has the words to recall by");
    requireModel(site, args.embedding_model);
    if (args.fusion_strategy === "vector_only" && site.embeddingModel === null)
      throw invalidInput("`vector_only` asks for a vector search, and none is configured: leave it to the words");
    if (args.min_score !== undefined && args.score_floor !== undefined && args.min_score !== args.score_floor) {
      throw invalidInput("`score_floor` is another word for `min_score`: give one of them");
    }
    const limit = args.top_k ?? advisedLimit(site, args.limit, RECALL_MAX);
    const floor = args.min_score ?? args.score_floor ?? Number.NEGATIVE_INFINITY;
    const records = new RecordStore(site);
    const query: RecordQuery = {
      substrate: "note",
      text: args.query,
      mode: "any",
      // What weighs beside the words can lift a memory over better matches; beyond a hundred ranks it can no more.
      limit: Math.max(CANDIDATES_MIN, 2 * limit),
      accepts: (ref) => ref.kind.kind === "memory" && isWanted(records, ref, args),
    };
    const { hits, arms } = searchBothWays(records, query, WAYS[args.fusion_strategy]);
    const fused = fusion(hits, args.fusion_strategy);
    const rows = hits
      .map((hit) => ({ ref: hit.ref, ...scored(records, hit, fused(hit), args.entity_names) }))
      .filter(({ score }) => score >= floor)
      .sort((a, b) => b.score - a.score || a.ref.symbol - b.ref.symbol)
      .slice(0, limit)
      .map(({ ref, score, breakdown }) => recalled(records, ref, score, args.full_content, args.include_breakdown ? breakdown : null));
    tellWays(records, arms, rows.length);
    return rows;
  },
});

interface Wanted {
  readonly memory_type?: MemoryType;
  readonly min_salience?: number;
  readonly tags?: readonly string[];
  readonly tag_mode: "any" | "all";
}

function isWanted(
  records: RecordStore,
  ref: RecordRef,
  { memory_type: type, min_salience: least, tags: labels, tag_mode: mode }: Wanted,
): boolean {
  if (type !== undefined && records.json(ref, "memory_type") !== type) return false;
  if (least !== undefined && salienceOf(records, ref) < least) return false;
  if (labels === undefined) return true;
  const own = new Set(records.tags(ref).map((tag) => tag.toLowerCase()));
  const has = (tag: string): boolean => own.has(tag.toLowerCase());
  return mode === "all" ? labels.every(has) : labels.some(has);
}

function salienceOf(records: RecordStore, ref: RecordRef): number {
  const salience = records.json(ref, "salience");
  return typeof salience === "number" ? salience : USUAL.episodic.salience;
}

function ageDays(records: RecordStore, ref: RecordRef): number {
  const made = idMicros(ref.id) ?? records.rows(ref, "content")[0]?.recordedAt ?? records.session.instant;
  return Math.max(0, records.session.instant - made) / DAY;
}

/** How much a memory matters after the time that has passed. */
function faded(records: RecordStore, ref: RecordRef): number {
  const decay = records.json(ref, "decay_factor");
  return salienceOf(records, ref) * Math.exp(-(typeof decay === "number" ? decay : 0) * ageDays(records, ref));
}

/** How well each of the hits fits: 1 for one that is first in every way that was gone. */
function fusion(hits: readonly HybridHit[], strategy: Strategy): (hit: HybridHit) => number {
  const ways = (["words", "meaning"] as const).filter((way) => hits.some((hit) => hit[way] !== null));
  const best = new Map(ways.map((way) => [way, Math.max(...hits.map((hit) => hit[way]?.score ?? 0))]));
  const fits = (hit: HybridHit) =>
    ways.map((way) => {
      const fit = hit[way];
      if (fit === null) return 0;
      return strategy === "weighted" ? fit.score / best.get(way)! : (FUSION_K + 1) / (FUSION_K + fit.rank);
    });
  if (strategy === "union") return (hit) => Math.max(...fits(hit));
  return (hit) => fits(hit).reduce((sum, fit) => sum + fit, 0) / ways.length;
}

function scored(
  records: RecordStore,
  { ref, words, meaning }: HybridHit,
  retrieval: number,
  names: readonly string[] | undefined,
): { readonly score: number; readonly breakdown: JsonObject } {
  const salience = faded(records, ref);
  const recency = 2 ** (-ageDays(records, ref) / RECENCY_HALF_LIFE_DAYS);
  const boost = names !== undefined && namesOne(records, ref, names) ? ENTITY_BOOST : 1;
  const score = boost * (WEIGHT.retrieval * retrieval + WEIGHT.salience * salience + WEIGHT.recency * recency);
  const told: JsonObject = {
    ...(words === null ? {} : { text_rank: words.rank, text_score: words.score }),
    ...(meaning === null ? {} : { vector_rank: meaning.rank, vector_similarity: meaning.score }),
  };
  return { score, breakdown: { retrieval, ...told, salience, recency, entity_boost: boost } };
}

function namesOne(records: RecordStore, ref: RecordRef, names: readonly string[]): boolean {
  const content = (records.json(ref, "content") as string).toLowerCase();
  return names.some((name) => content.includes(name.toLowerCase()));
}

function recalled(records: RecordStore, ref: RecordRef, score: number, whole: boolean, breakdown: JsonObject | null): JsonObject {
  const row = memoryRow(records, ref);
  const content = row["content"] as string;
  const letters = whole ? null : [...content];
  return {
    id: ref.id,
    full_id: ref.id,
    content: letters === null || letters.length <= CUT_CHARS ? content : `${letters.slice(0, CUT_CHARS - 1).join("")}…`,
    score,
    salience: row["salience"],
    decay_factor: row["decay_factor"],
    memory_type: row["memory_type"],
    tags: row["tags"],
    namespace: row["namespace"],
    created_at: row["created_at"],
    serve_attribution: "unattributed",
    ...(breakdown === null ? {} : { breakdown }),
  };
}

/** What each signal does to a memory's salience. */
const SIGNALS = {
  useful: 0.1,
  explicit_positive: 0.1,
  implicit_positive: 0.05,
  implicit_negative: -0.05,
  not_useful: -0.1,
  explicit_negative: -0.1,
  correction: -0.2,
  wrong: -0.2,
} as const;

const FEEDBACK: Verb = describeVerb({
  name: "memory.feedback",
  pack: "memory",
  class: "Commissive",
  description:
    "Says how a memory served you: its salience rises or falls by up to 0.2, within 0 and 1, and how often each was said is counted.",
  params: z.strictObject({
    target_id: fullId("The memory"),
    signal: z.enum(Object.keys(SIGNALS) as (keyof typeof SIGNALS)[]).describe(`One of ${Object.keys(SIGNALS).join(", ")}.`),
  }),
  result: "`{target_id, signal, recorded, salience}`.",
  example: 'memory.feedback(target_id="1f0c9a52-0006-8a2b-9c3d-4e5f60718293", signal="useful")',
  level: "read-write",
  alwaysVerbose: true,
  event: (_result, { target_id: target, signal }) => ({
    kind: "feedback_explicit",
    substrate: "note",
    target: target as string,
    selected: [target as string],
    payload: { signal },
  }),
  run: (site, args) => {
    const records = new RecordStore(site);
    const ref = findNote(records, "memory", args.target_id);
    const salience = Math.min(1, Math.max(0, salienceOf(records, ref) + SIGNALS[args.signal]));
    const properties = records.properties(ref);
    const counts = isJsonObject(properties["feedback"]) ? properties["feedback"] : {};
    const feedback = { ...counts, [args.signal]: (typeof counts[args.signal] === "number" ? (counts[args.signal] as number) : 0) + 1 };
    records.update(ref, { salience: realDatum(salience), properties: propertiesDatum({ ...properties, feedback }) });
    return { target_id: ref.id, signal: args.signal, recorded: true, salience };
  },
});

const PRUNE: Verb = describeVerb({
  name: "memory.prune",
  pack: "memory",
  class: "Commissive",
  description:
    "Deletes memories softly: those that matter less than `min_salience` by now, and those that had expired before `before`. `dry_run` only counts.",
  params: z.strictObject({
    min_salience: unit("What still matters as much is kept.").optional(),
    before: z
      .int("must be an integer")
      .min(0, "is at least 0")
      .optional()
      .describe("Microseconds since 1970; now unless said otherwise, 0 for no expiry."),
    dry_run: z.boolean().default(false).describe("Only count."),
  }),
  result: "`{pruned, expired, low_salience, examined, dry_run}`.",
  example: "memory.prune(min_salience=0.05, dry_run=true)",
  level: "read-write-delete",
  event: (result, { dry_run: dry }) => (dry === true ? null : { kind: "note_deleted", substrate: "note", payload: result as JsonObject }),
  run: (site, args) => {
    const records = new RecordStore(site);
    const edges = new EdgeStore(records);
    const before = args.before ?? site.session.instant;
    const all = notesOfKind(records, "memory", site.namespaceAsked ?? SHARED_NAMESPACE);
    const isExpired = (ref: RecordRef): boolean => {
      const expires = records.value(ref, "expires_at");
      return before > 0 && expires instanceof Datetime && expires.micros < before;
    };
    const expired = all.filter(isExpired);
    const low = all.filter((ref) => !isExpired(ref) && args.min_salience !== undefined && faded(records, ref) < args.min_salience);
    if (!args.dry_run) for (const ref of [...expired, ...low]) removeRecord(records, edges, ref, { soft: true });
    return {
      pruned: args.dry_run ? 0 : expired.length + low.length,
      expired: expired.length,
      low_salience: low.length,
      examined: all.length,
      dry_run: args.dry_run,
    };
  },
});

const VACUUM: Verb = describeVerb({
  name: "memory.vacuum",
  pack: "memory",
  class: "Commissive",
  description:
    "Compacts the store. What a removal frees is reused at once here, so there is nothing left to do; the answer says how large the store is.",
  params: z.strictObject({}),
  result: "`{compacted, size_bytes, size_limit_bytes}`.",
  example: "memory.vacuum()",
  level: "read-add",
  run: (site: VerbSite) => ({ compacted: true, size_bytes: site.bytes(), size_limit_bytes: site.bytesMax }),
});

export const MEMORY_VERBS: readonly Verb[] = [REMEMBER, RECALL, FEEDBACK, PRUNE, VACUUM];
