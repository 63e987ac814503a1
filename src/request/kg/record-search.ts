/**
 * Search over records: an entity by its name and description, a note by its name and content; by their words, and where a model is
 * configured by their meaning beside.
 *
 * Entities and notes are ranked each among themselves, over every namespace; filters choose among the ranked. Found is what
 * landed before this op.
 */
import type { Subject } from "../../datum";
import { type SearchedKind, TextSearch } from "../../engine/text-search";
import { assert } from "../../failure";
import { VectorSearch } from "../meaning/vector-search";
import type { JsonObject } from "../request-json";
import { VerbFailure } from "../verb-failure";
import { EdgeStore } from "./edge-store";
import { RECORD_KINDS, type Substrate, storeKind } from "./record-kind";
import type { RecordRef, RecordStore } from "./record-store";

const GROUPS: { readonly [substrate in Substrate]: number } = { entity: 1, note: 2 };
const TITLE_WEIGHT = 2;

export const SEARCHED_KINDS: readonly SearchedKind[] = RECORD_KINDS.map((kind) => ({
  kind: storeKind(kind),
  group: GROUPS[kind.substrate],
  fields: [
    { field: "name", weight: TITLE_WEIGHT },
    { field: kind.substrate === "entity" ? "description" : "content", weight: 1 },
  ],
}));

export interface RecordQuery {
  readonly substrate: Substrate;
  readonly text: string;
  readonly mode: "all" | "any";
  readonly limit: number;
  readonly accepts: (ref: RecordRef) => boolean;
}

/** How well a record fits in one of the two ways. */
export interface Fit {
  /** From 1. */
  readonly rank: number;
  /** Of words BM25, of meaning the cosine; above 0. */
  readonly score: number;
}

export interface RecordHit extends Fit {
  readonly ref: RecordRef;
}

/** A record that fits in one of the two ways at least. */
export interface HybridHit {
  readonly ref: RecordRef;
  readonly words: Fit | null;
  readonly meaning: Fit | null;
}

/** Records whose text matches, best first. */
export function searchRecords(records: RecordStore, { substrate, text, mode, limit, accepts }: RecordQuery): RecordHit[] {
  const { ledger } = records.session;
  // What was written before this op is found.
  ledger.landedSql();
  const search = ledger.projection(TextSearch);
  assert(search !== null, "a store with records is searched");
  const space = records.site.namespaceAsked;
  const refs = new Map<Subject, RecordRef>();
  const found = search.find({
    group: GROUPS[substrate],
    text,
    mode,
    limit,
    accepts: (subject) => {
      const ref = records.refOfSubject(subject);
      if (ref === null || (space !== null && ref.namespace !== space) || !accepts(ref)) return false;
      refs.set(subject, ref);
      return true;
    },
  });
  records.site.meter.count(found.length);
  return found.map(({ subject, score }, index) => ({ ref: refs.get(subject)!, rank: index + 1, score }));
}

/** Records whose text is nearest in meaning, nearest first. */
function searchMeaning(records: RecordStore, { substrate, limit, accepts }: RecordQuery, vector: Float32Array): RecordHit[] {
  const { ledger } = records.session;
  ledger.landedSql();
  const search = ledger.projection(VectorSearch);
  assert(search !== null, "a store whose questions have a meaning is searched by it");
  const space = records.site.namespaceAsked;
  const hits: RecordHit[] = [];
  for (const { subject, similarity } of search.nearest(GROUPS[substrate], vector)) {
    if (hits.length === limit) break;
    const ref = records.refOfSubject(subject);
    if (ref === null || (space !== null && ref.namespace !== space) || !accepts(ref)) continue;
    hits.push({ ref, rank: hits.length + 1, score: similarity });
  }
  records.site.meter.count(hits.length);
  return hits;
}

/** Which ways a search goes: both unless said otherwise, as far as a model is configured. */
export type Ways = "both" | "words" | "meaning";

export interface BothWays {
  /** In no order. */
  readonly hits: readonly HybridHit[];
  /** How each way went; null where the search went by words alone. */
  readonly arms: JsonObject | null;
}

/** Records by their words and by their meaning. What is shown of them is told to `tellWays`. */
export function searchBothWays(records: RecordStore, query: RecordQuery, ways: Ways = "both"): BothWays {
  const { meaning } = records.site;
  const words = ways === "meaning" ? [] : searchRecords(records, query);
  if (meaning === null || ways === "words")
    return { hits: words.map(({ ref, ...fit }) => ({ ref, words: fit, meaning: null })), arms: null };
  const near = meaning.tag === "known" ? searchMeaning(records, query, meaning.vector) : [];
  const bySymbol = new Map<number, HybridHit>();
  for (const { ref, ...fit } of words) bySymbol.set(ref.symbol, { ref, words: fit, meaning: null });
  for (const { ref, ...fit } of near) bySymbol.set(ref.symbol, { ref, words: bySymbol.get(ref.symbol)?.words ?? null, meaning: fit });
  const arms = {
    text: { status: ways === "meaning" ? "skipped" : "ran", candidate_count: words.length },
    vector: { status: meaning.tag === "known" ? "ran" : "error", candidate_count: near.length, ...stillDue(records) },
  };
  return { hits: [...bySymbol.values()], arms };
}

/** Records that could not be among the nearest, since they wait for their vectors. */
function stillDue(records: RecordStore): JsonObject {
  const due = records.session.ledger.projection(VectorSearch)?.dueCount() ?? 0;
  return due === 0 ? {} : { due_count: due };
}

/** What is waited before a search is asked for again, where its missing way only took too long. */
const RETRY_AFTER_MS = 2000;

/**
 * Says beside the result which ways answered (request facts §5.6). `shown`: how many records are.
 *
 * Throws `search_incomplete` where meaning could not be had and there is nothing to show.
 */
export function tellWays({ site }: RecordStore, arms: JsonObject | null, shown: number): void {
  if (arms === null) return;
  const { meaning } = site;
  if (meaning?.tag !== "failed") {
    site.advise({ arm_participation: arms });
    return;
  }
  const { kind, message } = meaning;
  const missing: JsonObject = { missing_backends: ["vector"], backend_errors: { vector: { kind, message } }, arm_participation: arms };
  if (shown > 0) {
    site.advise({ status: "partial", partial: true, ...missing });
    return;
  }
  const isLate = kind === "timeout";
  throw new VerbFailure("search_incomplete", `nothing was found by words, and the search by meaning failed: ${message}`, {
    members: { ...missing, retryable: isLate, ...(isLate ? { retry_after_ms: RETRY_AFTER_MS } : {}) },
  });
}

/** 1 / (k + rank), as ranks are fused. */
const FUSION_K = { entity: 10, note: 60 } as const;
const EXACT_TITLE = 0.5;
const USUAL_SALIENCE = 0.5;

/** The published formulae: the ranks fused, an exact title lifted, a note weighed by its salience. */
export function fusedScore(records: RecordStore, { ref, words, meaning }: HybridHit, query: string): number {
  const k = FUSION_K[ref.kind.substrate];
  const fused = [words, meaning].reduce((sum, fit) => sum + (fit === null ? 0 : 1 / (k + fit.rank)), 0);
  if (ref.kind.substrate === "note") {
    const salience = records.json(ref, "salience");
    return fused * (0.5 + 0.5 * (typeof salience === "number" ? salience : USUAL_SALIENCE));
  }
  const isExact = (records.json(ref, "name") as string).trim().toLowerCase() === query.trim().toLowerCase();
  return fused + (isExact ? EXACT_TITLE : 0);
}

/** Whether another record takes the place of this one. */
export function isSuperseded(records: RecordStore, ref: RecordRef): boolean {
  return new EdgeStore(records).isTarget(ref.symbol, "supersedes");
}

/** Whether a record has one of these labels, however written. */
export function hasTag(records: RecordStore, ref: RecordRef, tags: readonly string[]): boolean {
  const own = new Set(records.tags(ref).map((tag) => tag.toLowerCase()));
  return tags.some((tag) => own.has(tag.toLowerCase()));
}
