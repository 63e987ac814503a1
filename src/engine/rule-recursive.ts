/**
 * One recursive stratum: growth by a worklist, shrinking by rank.
 *
 * Every derived row has a rank above the ranks of the own rows of some derivation of it, at each of its instants. So
 * when a row may have lost its ground it keeps what derivations of strictly lower rank still cover: those rows are
 * settled by then, because doubt is worked off by ascending rank. What is not covered goes, and what rested on it comes
 * into doubt. Afterwards what went is derived again where it can be, with a rank of its own, and growth goes on from
 * there. Rows that only support each other fall, which counting derivations would miss. Past half of the rows the
 * stratum is computed afresh instead: decided on counts, never on time.
 */
import { ROW_NEWBORN } from "./relation";
import type { DerivedRows } from "./rule-derive";
import { type Batch, detectChanges, type Feed, matchNew } from "./rule-feed";
import type { ClausePlans, Conclude, FromRow } from "./rule-plans";
import type { Source } from "./rule-reads";
import type { Sliced } from "./rule-work";
import { RowsByRank, Worklist, type WorkPlace } from "./rule-worklist";
import { minusSpans, NEVER_SPANS, SpanGather, type Spans } from "./spans";

/** What the stratum asks of the state around it. */
export interface StratumWorld extends Batch {
  readonly rows: DerivedRows;
  equalityId(value: number): number;
}

/** A relation smaller than this is never recomputed for the size of a deletion. */
const RECOMPUTE_ROWS_MIN = 2_000;
/** Share of the rows in doubt from which recomputing is the cheaper way. */
const RECOMPUTE_SHARE = 0.5;

/** A clause whose atom reads a row of this stratum. */
interface Reader {
  readonly plans: ClausePlans;
  readonly source: Source;
  readonly conclude: Conclude;
  // Made when first run: whether a stratum ever grows, or shrinks, from here shows then.
  grow: FromRow | null;
  detect: FromRow | null;
  readonly doubt: (subject: number, value: number, from: number, to: number) => void;
}

interface Again {
  readonly place: number;
  readonly subject: number;
  /** -1: all values. */
  readonly value: number;
  readonly from: number;
  readonly to: number;
}

export class RecursiveStratum {
  readonly #places: WorkPlace[];
  readonly #placeOf: ReadonlyMap<number, number>;
  readonly #clauses: readonly ClausePlans[];
  /** By clause. */
  readonly #derivers: readonly Conclude[];
  readonly #feeds: readonly Feed[];
  readonly #readers: Reader[][];
  readonly #world: StratumWorld;
  readonly #added: ((row: number) => void)[];
  #work: Worklist;
  #doubts: RowsByRank;
  #again: Again[] = [];
  // Registers of the row being looked at, so that the closures that read them are made once.
  #rank = 0;
  #from = 0;
  #to = 0;
  #covered = false;
  #higher = false;
  #ground: SpanGather | null = null;

  constructor(world: StratumWorld, places: WorkPlace[], clauses: readonly ClausePlans[], feeds: readonly Feed[]) {
    this.#world = world;
    this.#feeds = feeds;
    this.#places = places;
    this.#clauses = clauses;
    this.#placeOf = new Map(places.map(({ field }, place) => [field, place]));
    this.#work = new Worklist(places);
    this.#doubts = new RowsByRank(places);
    this.#added = places.map((_, place) => (row) => this.#work.push(place, row));
    this.#readers = places.map(() => []);
    this.#derivers = clauses.map((plans) => this.#deriver(plans));
    clauses.forEach((plans, i) => {
      for (const source of plans.sources) {
        const { from } = source.atom;
        if (!this.#isOwn(source) || from.tag !== "field") continue;
        this.#readers[this.#placeOf.get(from.field)!]!.push({
          plans,
          source,
          conclude: this.#derivers[i]!,
          grow: null,
          detect: null,
          doubt: this.#doubter(plans),
        });
      }
    });
  }

  /** From nothing. */
  *fill(): Sliced<void> {
    for (let i = 0; i < this.#clauses.length; i++) {
      const plans = this.#clauses[i]!;
      if (plans.sources.some((source) => this.#isOwn(source))) continue;
      while (plans.runAll(this.#derivers[i]!)) yield;
    }
    this.#places.forEach(({ relation }, place) => {
      for (let row = 0; row < relation.rowsEnd; row++) if (relation.rankOf(row) === 0 && relation.isLive(row)) this.#work.push(place, row);
    });
    yield* this.#grow();
  }

  /** Brings the stratum up to this batch's changes below. */
  *keep(): Sliced<void> {
    // A batch that was refused may have left rows behind.
    this.#work = new Worklist(this.#places);
    this.#doubts = new RowsByRank(this.#places);
    this.#again = [];
    yield* this.#gatherDoubts();
    if (yield* this.#shrink()) {
      yield* this.#recompute();
      return;
    }
    yield* this.#deriveAgain();
    yield* this.#growFromBelow();
    yield* this.#grow();
  }

  #isOwn(source: Source): boolean {
    return source.positive && source.atom.from.tag === "field" && this.#placeOf.has(source.atom.from.field);
  }

  #equal(plans: ClausePlans, value: number): number {
    return plans.concludesSubjects ? value : this.#world.equalityId(value);
  }

  #deriver(plans: ClausePlans): Conclude {
    const place = this.#placeOf.get(plans.headField)!;
    const { relation } = this.#places[place]!;
    const added = this.#added[place]!;
    const { rows } = this.#world;
    return (subject, value, from, to, rank) => {
      relation.noteBacking(subject);
      rows.derive(relation, subject, value, this.#equal(plans, value), from, to, rank + 1, added);
      return false;
    };
  }

  /** Puts into doubt what a conclusion's rows of a rank above the lost one may rest on. */
  #doubter(plans: ClausePlans): Reader["doubt"] {
    const place = this.#placeOf.get(plans.headField)!;
    const { relation } = this.#places[place]!;
    const look = (row: number, from: number, to: number) => {
      if (relation.rankOf(row) > this.#rank && relation.isLive(row) && relation.from(row) < to && relation.to(row) > from)
        this.#doubts.add(place, row);
    };
    return (subject, value, from, to) => {
      relation.noteBacking(subject);
      if (value >= 0) {
        for (let row = relation.pairFirst(subject, this.#equal(plans, value)); row >= 0; row = relation.pairNext(row)) {
          if (relation.subjectOf(row) === subject && relation.valueOf(row) === value) look(row, from, to);
        }
        return;
      }
      const chains = relation.bySubject();
      for (let row = chains.heads.get(subject); row >= 0; row = chains.next[row]!) look(row, from, to);
    };
  }

  *#gatherDoubts(): Sliced<void> {
    this.#rank = 0;
    for (const feed of this.#feeds) {
      const { plans, source } = feed;
      const place = this.#placeOf.get(plans.headField)!;
      const doubt = this.#doubter(plans);
      plans.detected = source.positive
        ? doubt
        : (subject, value, from, to) => {
            doubt(subject, value, from, to);
            this.#again.push({ place, subject, value, from, to });
          };
      yield* detectChanges(feed, source.positive ? "gone" : "all", this.#world);
    }
    this.#places.forEach(({ relation }, place) => {
      for (const row of relation.touched)
        if (relation.rankOf(row) === 0 && relation.stateOf(row) === ROW_NEWBORN) this.#work.push(place, row);
    });
  }

  /** Takes away what has no ground of lower rank left. True: so much is in doubt that recomputing is cheaper. */
  *#shrink(): Sliced<boolean> {
    const { rows } = this.#world;
    const doubts = this.#doubts;
    let rowCount = 0;
    for (const { relation } of this.#places) rowCount += relation.derivedCount;
    const doubtMax = rowCount < RECOMPUTE_ROWS_MIN ? Number.POSITIVE_INFINITY : rowCount * RECOMPUTE_SHARE;
    const support: Conclude = (_subject, _value, from, to, rank) => {
      if (rank >= this.#rank) {
        this.#higher = true;
        return false;
      }
      if (from <= this.#from && to >= this.#to) this.#covered = true;
      else {
        this.#ground ??= new SpanGather();
        this.#ground.add(from, to);
        this.#covered = this.#ground.covers(this.#from, this.#to);
      }
      return this.#covered;
    };
    while (doubts.next()) {
      if (doubts.seen > doubtMax) return true;
      const { place, row } = doubts;
      const { relation, field } = this.#places[place]!;
      const subject = relation.subjectOf(row);
      const value = relation.valueOf(row);
      const from = relation.from(row);
      const to = relation.to(row);
      const rank = relation.rankOf(row);
      this.#rank = rank;
      this.#from = from;
      this.#to = to;
      this.#covered = false;
      this.#higher = false;
      this.#ground = null;
      for (const plans of this.#clauses) {
        if (plans.headField !== field) continue;
        while (plans.runFor(subject, value, from, to, support)) yield;
        if (this.#covered) break;
      }
      if (this.#covered) continue;
      const higher = this.#higher;
      rows.kill(relation, row);
      const kept: Spans = this.#ground === null ? NEVER_SPANS : (this.#ground as SpanGather).spans();
      for (let i = 0; i < kept.length; i += 2) rows.add(relation, subject, value, relation.equalOf(row), kept[i]!, kept[i + 1]!, rank);
      const lost = kept.length === 0 ? [from, to] : minusSpans([from, to], kept);
      for (let i = 0; i < lost.length; i += 2) {
        // Some derivation without the rank's condition is left, so it is worth deriving again.
        if (higher) this.#again.push({ place, subject, value, from: lost[i]!, to: lost[i + 1]! });
        for (const reader of this.#readers[place]!) {
          reader.plans.detected = reader.doubt;
          reader.detect ??= reader.plans.detectFrom(reader.source);
          while (reader.detect(subject, value, lost[i]!, lost[i + 1]!, 0)) yield;
        }
      }
    }
    return false;
  }

  *#deriveAgain(): Sliced<void> {
    for (const { place, subject, value, from, to } of this.#again) {
      const { field } = this.#places[place]!;
      for (let i = 0; i < this.#clauses.length; i++) {
        const plans = this.#clauses[i]!;
        if (plans.headField !== field) continue;
        const derive = this.#derivers[i]!;
        while (value < 0 ? plans.runAt(subject, from, to, derive) : plans.runFor(subject, value, from, to, derive)) yield;
      }
    }
  }

  /** Matches that new rows below give. */
  *#growFromBelow(): Sliced<void> {
    for (const feed of this.#feeds) {
      if (feed.source.positive && !this.#isOwn(feed.source)) yield* matchNew(feed, this.#world, this.#deriver(feed.plans));
    }
  }

  /** Expands rows until nothing new follows. */
  *#grow(): Sliced<void> {
    const work = this.#work;
    while (work.next()) {
      const { relation } = this.#places[work.place]!;
      const { row } = work;
      if (!relation.isLive(row) || relation.valueOf(row) === this.#world.noneId) continue;
      const subject = relation.subjectOf(row);
      const value = relation.valueOf(row);
      const from = relation.from(row);
      const to = relation.to(row);
      const rank = relation.rankOf(row);
      for (const reader of this.#readers[work.place]!) {
        reader.grow ??= reader.plans.growthFrom(reader.source.atom);
        reader.plans.conclude = reader.conclude;
        while (reader.grow(subject, value, from, to, rank)) yield;
      }
    }
  }

  /** Computes the stratum afresh; rows that come back as they were are no change. */
  *#recompute(): Sliced<void> {
    const { rows } = this.#world;
    for (const { relation } of this.#places) {
      for (let row = 0; row < relation.rowsEnd; row++) if (relation.rankOf(row) > 0 && relation.isLive(row)) rows.kill(relation, row);
    }
    // What growth would have begun with is found anew.
    this.#work = new Worklist(this.#places);
    yield* this.fill();
  }
}
