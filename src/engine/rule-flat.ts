/**
 * One stratum without recursion: what a change below may touch is worked out anew, and the difference kept.
 *
 * Right for negation, folds and windows alike, since every conclusion in doubt is looked at as a whole. What new rows of
 * positive premises give can only be more, and is added without looking.
 */
import type { Relation } from "./relation";
import type { DerivedRows } from "./rule-derive";
import { type Batch, detectChanges, type Feed, matchNew } from "./rule-feed";
import type { ClausePlans, Conclude } from "./rule-plans";
import { gatherInto } from "./rule-view";
import type { Sliced } from "./rule-work";
import { NEVER_SPANS, SpanGather, type Spans, sameSpans } from "./spans";

export interface FlatWorld extends Batch {
  readonly rows: DerivedRows;
  equalityId(value: number): number;
  derivedPieces(raw: Relation, subject: number): Map<number, Spans>;
}

const ALWAYS_FROM = Number.NEGATIVE_INFINITY;
const ALWAYS_TO = Number.POSITIVE_INFINITY;
/** Up to here a look through a list is as quick as a set. */
const LISTED_VALUES_MAX = 8;

export class FlatStratum {
  readonly #world: FlatWorld;
  readonly #raw: Relation;
  readonly #clauses: readonly ClausePlans[];
  readonly #feeds: readonly Feed[];
  readonly #derivers: ReadonlyMap<ClausePlans, Conclude>;
  /** By subject: the values to look at, or null for all. */
  readonly #affected = new Map<number, Set<number> | null>();
  // What is found at the subject being looked at.
  readonly #values: number[] = [];
  #spans: Map<number, SpanGather> | null = null;

  constructor(world: FlatWorld, raw: Relation, clauses: readonly ClausePlans[], feeds: readonly Feed[]) {
    this.#world = world;
    this.#raw = raw;
    this.#clauses = clauses;
    this.#feeds = feeds;
    this.#derivers = new Map(clauses.map((plans) => [plans, this.#deriver(plans)]));
  }

  /** From nothing. */
  *fill(): Sliced<void> {
    for (const plans of this.#clauses) yield* plans.fillGroups(this.#fillFrom(plans));
  }

  *#fillFrom(plans: ClausePlans): Sliced<void> {
    const derive = this.#derivers.get(plans)!;
    while (plans.runAll(derive)) yield;
  }

  /** Brings the stratum up to this batch's changes below. */
  *keep(): Sliced<void> {
    this.#affected.clear();
    for (const feed of this.#feeds) {
      feed.plans.detected = this.#affect;
      yield* detectChanges(feed, feed.source.positive ? "gone" : "all", this.#world);
    }
    for (const [subject, values] of this.#affected) {
      if (values === null) yield* this.#setAll(subject);
      else for (const value of values) yield* this.#setOne(subject, value);
    }
    for (const feed of this.#feeds) {
      if (feed.source.positive) yield* matchNew(feed, this.#world, this.#derivers.get(feed.plans)!);
    }
  }

  readonly #affect = (subject: number, value: number): void => {
    this.#raw.noteBacking(subject);
    const known = this.#affected.get(subject);
    if (value < 0) this.#affected.set(subject, null);
    else if (known === undefined) this.#affected.set(subject, new Set([value]));
    else known?.add(value);
  };

  #deriver(plans: ClausePlans): Conclude {
    const { rows } = this.#world;
    const raw = this.#raw;
    const nothing = () => {};
    return (subject, value, from, to) => {
      raw.noteBacking(subject);
      rows.derive(raw, subject, value, plans.concludesSubjects ? value : this.#world.equalityId(value), from, to, 1, nothing);
      return false;
    };
  }

  readonly #find: Conclude = (subject, value, from, to) => {
    if (this.#spans === null && from === ALWAYS_FROM && to === ALWAYS_TO) {
      this.#values.push(value);
      return false;
    }
    if (this.#spans === null) {
      this.#spans = new Map();
      for (const known of this.#values) gatherInto(this.#spans)(subject, known, ALWAYS_FROM, ALWAYS_TO);
    }
    return gatherInto(this.#spans)(subject, value, from, to);
  };

  *#setAll(subject: number): Sliced<void> {
    this.#values.length = 0;
    this.#spans = this.#raw.windowed ? new Map() : null;
    for (const plans of this.#clauses) while (plans.runAt(subject, ALWAYS_FROM, ALWAYS_TO, this.#find)) yield;
    if (this.#spans === null) {
      this.#setValues(subject);
      return;
    }
    const found: ReadonlyMap<number, SpanGather> = this.#spans;
    const before = this.#world.derivedPieces(this.#raw, subject);
    for (const [value, spans] of before) this.#replace(subject, value, spans, found.get(value)?.spans() ?? NEVER_SPANS);
    for (const [value, gather] of found) if (!before.has(value)) this.#replace(subject, value, NEVER_SPANS, gather.spans());
  }

  /** Where neither what was nor what is has windows. */
  #setValues(subject: number): void {
    const raw = this.#raw;
    const { rows } = this.#world;
    const values = this.#values;
    const set = values.length > LISTED_VALUES_MAX ? new Set(values) : null;
    const chains = raw.bySubject();
    for (let row = chains.heads.get(subject); row >= 0; row = chains.next[row]!) {
      if (raw.rankOf(row) === 0 || !raw.isLive(row)) continue;
      const value = raw.valueOf(row);
      if (set === null ? !values.includes(value) : !set.has(value)) rows.kill(raw, row);
    }
    for (let i = 0; i < values.length; i++) {
      const value = values[i]!;
      const equal = this.#world.equalityId(value);
      if (!raw.isDerived(subject, value, equal)) rows.add(raw, subject, value, equal, ALWAYS_FROM, ALWAYS_TO, 1);
    }
  }

  *#setOne(subject: number, value: number): Sliced<void> {
    const gather = new SpanGather();
    const find: Conclude = (_subject, _value, from, to) => {
      gather.add(from, to);
      return gather.covers(ALWAYS_FROM, ALWAYS_TO);
    };
    for (const plans of this.#clauses) while (plans.runFor(subject, value, ALWAYS_FROM, ALWAYS_TO, find)) yield;
    this.#replace(subject, value, this.#raw.derivedSpans(subject, value, this.#world.equalityId(value), false), gather.spans());
  }

  #replace(subject: number, value: number, before: Spans, after: Spans): void {
    if (sameSpans(before, after)) return;
    const raw = this.#raw;
    const equal = this.#world.equalityId(value);
    for (let row = raw.pairFirst(subject, equal); row >= 0; row = raw.pairNext(row)) {
      if (raw.subjectOf(row) === subject && raw.valueOf(row) === value && raw.rankOf(row) > 0) this.#world.rows.kill(raw, row);
    }
    for (let i = 0; i < after.length; i += 2) this.#world.rows.add(raw, subject, value, equal, after[i]!, after[i + 1]!, 1);
  }
}
