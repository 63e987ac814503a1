/**
 * Full-text search over records: an entity by its name and description, a note by its name and content.
 *
 * Entities and notes are ranked each among themselves, over every namespace; filters choose among the ranked. Found is what
 * landed before this op.
 */
import type { Subject } from "../../datum";
import { type SearchedKind, TextSearch } from "../../engine/text-search";
import { assert } from "../../failure";
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

export interface RecordHit {
  readonly ref: RecordRef;
  /** From 1. */
  readonly rank: number;
  /** BM25, above 0. */
  readonly score: number;
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

/** 1 / (k + rank), as ranks are fused. */
const FUSION_K = { entity: 10, note: 60 } as const;
const EXACT_TITLE = 0.5;
const USUAL_SALIENCE = 0.5;

/** The published formulae: the rank fused, an exact title lifted, a note weighed by its salience. */
export function fusedScore(records: RecordStore, { ref, rank }: RecordHit, query: string): number {
  const fused = 1 / (FUSION_K[ref.kind.substrate] + rank);
  if (ref.kind.substrate === "note") {
    const salience = records.json(ref, "salience");
    return fused * (0.5 + 0.5 * (typeof salience === "number" ? salience : USUAL_SALIENCE));
  }
  const isExact = (records.json(ref, "name") as string).trim().toLowerCase() === query.trim().toLowerCase();
  return fused + (isExact ? EXACT_TITLE : 0);
}

/** Whether another record takes the place of this one. */
export function isSuperseded(records: RecordStore, ref: RecordRef): boolean {
  return new EdgeStore(records).incident(ref.symbol, "incoming").some((edge) => edge.relation === "supersedes");
}

/** Whether a record has one of these labels, however written. */
export function hasTag(records: RecordStore, ref: RecordRef, tags: readonly string[]): boolean {
  const own = new Set(records.texts(ref, "tags").map((tag) => tag.toLowerCase()));
  return tags.some((tag) => own.has(tag.toLowerCase()));
}
