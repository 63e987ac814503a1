/**
 * One field's facts in memory: rows (subject, value, span, rank) as integer columns.
 *
 * A row is one span of one pair; a pair with several spans has several rows. During a batch nothing is unlinked:
 * a row that goes is *dying* and still findable, so that what rested on it can be found from the old state; rows
 * that come are *newborn*, and one that went and comes again is *revived*, which is no change. `settle` ends a batch,
 * `revert` undoes it. Rank 0 marks recorded facts; a derived row's
 * rank is above the rank of every row of its own component in one derivation of it (rule-recursive.ts).
 *
 * Indexes are chains through the columns: by subject and by equal value, each built when first asked for, and a
 * hash over the pair. Chains are pushed at the front and never unlinked inside a batch, so a walk survives inserts. A
 * walk may meet rows that are no more: whoever walks asks for their state.
 * Knows nothing of rules.
 */
import { Chains, type RowChains } from "./row-chains";
import { ALWAYS_SPANS, NEVER_SPANS, normalSpans, type Spans } from "./spans";

export const ROW_FREE = 0;
export const ROW_LIVE = 1;
export const ROW_DYING = 2;
export const ROW_NEWBORN = 3;
/** Came and went within the batch. */
export const ROW_STILLBORN = 4;
/** Went and came back within the batch. */
export const ROW_REVIVED = 5;

/** Which states a look at rows takes for holding, as bits: as things stand, as the batch began, or either. */
export const SEES_NOW = (1 << ROW_LIVE) | (1 << ROW_NEWBORN) | (1 << ROW_REVIVED);
export const SEES_BEFORE = (1 << ROW_LIVE) | (1 << ROW_DYING) | (1 << ROW_REVIVED);
export const SEES_BOTH = SEES_NOW | SEES_BEFORE;

/** A row's ints stand together, since whoever looks at one of them looks at most. */
export const ROW_INTS = 4;
export const SUBJECT = 0;
export const VALUE = 1;
export const RANK = 2;
const NEXT = 3;
/** So many rows, and this share of all, may be left in chains. */
const LEFT_ROWS_MIN = 1024;
const LEFT_ROWS_SHARE = 1 / 8;
/** Up to here room doubles; from here on it grows by half, so that a large relation is not half empty. */
const DOUBLING_ROWS_MAX = 1 << 17;

/** Rows as they stand, until one comes: of row `r` the subject stands at `r * ROW_INTS + SUBJECT`, and so on. */
export interface RowColumns {
  readonly ints: Int32Array;
  readonly states: Uint8Array;
  readonly end: number;
}

export class Relation {
  /** Of each row: subject, value, rank, next row in its bucket. */
  #ints = new Int32Array(16 * ROW_INTS);
  #state = new Uint8Array(16);
  /** Equality ids of the values, what joins compare; null while every value is its own. */
  #equal: Int32Array | null = null;
  /** Null while every row holds always. */
  #from: Float64Array | null = null;
  #to: Float64Array | null = null;
  #rowsEnd = 0;
  readonly #free: number[] = [];
  /** Free rows that lie deep in a chain still: nobody takes them for standing, and they are not used again before a sweep. */
  readonly #left: number[] = [];
  /** First row by hash of the pair; null until a pair is first looked up. */
  #buckets: Int32Array | null = null;
  #bySubject: Chains | null = null;
  #byEqual: Chains | null = null;
  /** Rows that came or went in this batch, each once. */
  readonly touched: number[] = [];
  /** Derived rows that are dying just now. */
  #dyingCount = 0;
  /** Of what was revived in this batch: row and the rank it had, in turn. */
  readonly #ranksBefore: number[] = [];
  /**
   * Subjects at which a rule began or may have ceased to stand behind a derived row in this batch, whether or not the
   * row came or went: who is in force may change, and how long a claim holds of which a part is looked at. Null where a
   * single rule concludes the field and nobody reads its claims.
   */
  backed: Set<number> | null = null;
  /** Looking a row up costs more than a look: rows are fetched, or worked out, when asked for (rule-demand.ts). */
  readonly filledAsRead: boolean = false;
  /** While set, rows are how things stand and no change of a batch: nothing is kept to undo them. */
  loading = true;
  /** Live derived rows (rank above 0). */
  derivedCount = 0;
  liveCount = 0;

  get rowsEnd(): number {
    return this.#rowsEnd;
  }

  /** For loops over very many rows, which run before a call a row is compiled away. */
  get columns(): RowColumns {
    return { ints: this.#ints, states: this.#state, end: this.#rowsEnd };
  }

  subjectOf(row: number): number {
    return this.#ints[row * ROW_INTS]!;
  }
  valueOf(row: number): number {
    return this.#ints[row * ROW_INTS + VALUE]!;
  }
  equalOf(row: number): number {
    return this.#equal === null ? this.#ints[row * ROW_INTS + VALUE]! : this.#equal[row]!;
  }
  /** 0: a recorded fact. */
  rankOf(row: number): number {
    return this.#ints[row * ROW_INTS + RANK]!;
  }
  stateOf(row: number): number {
    return this.#state[row]!;
  }
  from(row: number): number {
    return this.#from === null ? Number.NEGATIVE_INFINITY : this.#from[row]!;
  }
  to(row: number): number {
    return this.#to === null ? Number.POSITIVE_INFINITY : this.#to[row]!;
  }
  get windowed(): boolean {
    return this.#from !== null;
  }
  /** A pair may stand in several rows: in several spans, or recorded and derived. */
  get mayRepeat(): boolean {
    return this.windowed || (this.derivedCount > 0 && this.derivedCount < this.liveCount);
  }

  /** First row in the pair's bucket; walk with `pairNext` and compare subject and equality id. */
  pairFirst(subject: number, equal: number): number {
    const buckets = this.#buckets ?? this.#hash();
    return buckets[pairHash(subject, equal) & (buckets.length - 1)]!;
  }
  pairNext(row: number): number {
    return this.#ints[row * ROW_INTS + NEXT]!;
  }

  bySubject(): RowChains {
    this.#bySubject ??= this.#index(this.#ints, ROW_INTS);
    return this.#bySubject;
  }
  byEqual(): RowChains {
    this.#byEqual ??= this.#equal === null ? this.#index(this.#ints.subarray(VALUE), ROW_INTS) : this.#index(this.#equal, 1);
    return this.#byEqual;
  }

  /** Adds a newborn row. The caller sees to it that it overlaps no live derived row of the pair. */
  add(subject: number, value: number, equal: number, from: number, to: number, rank: number): number {
    const row = this.#free.length > 0 ? this.#free.pop()! : this.#rowsEnd++;
    if (row >= this.#state.length) this.#resize();
    const ints = this.#ints;
    const at = row * ROW_INTS;
    ints[at] = subject;
    ints[at + VALUE] = value;
    ints[at + RANK] = rank;
    if (this.#buckets === null) ints[at + NEXT] = -1;
    else {
      if (row >= this.#buckets.length) this.#rehash(this.#buckets);
      const bucket = pairHash(subject, equal) & (this.#buckets.length - 1);
      ints[at + NEXT] = this.#buckets[bucket]!;
      this.#buckets[bucket] = row;
    }
    this.#state[row] = this.loading ? ROW_LIVE : ROW_NEWBORN;
    if (equal !== value && this.#equal === null) {
      this.#equal = new Int32Array(this.#state.length);
      for (let other = 0; other < this.#rowsEnd; other++) this.#equal[other] = this.valueOf(other);
    }
    if (this.#equal !== null) this.#equal[row] = equal;
    if (this.#from === null && (from !== Number.NEGATIVE_INFINITY || to !== Number.POSITIVE_INFINITY)) {
      this.#from = new Float64Array(this.#state.length).fill(Number.NEGATIVE_INFINITY);
      this.#to = new Float64Array(this.#state.length).fill(Number.POSITIVE_INFINITY);
    }
    if (this.#from !== null) {
      this.#from[row] = from;
      this.#to![row] = to;
    }
    this.#bySubject?.link(subject, row);
    if (equal >= 0) this.#byEqual?.link(equal, row);
    if (!this.loading) this.touched.push(row);
    this.liveCount++;
    if (rank > 0) this.derivedCount++;
    return row;
  }

  kill(row: number): void {
    const state = this.#state[row];
    if (state === ROW_LIVE || state === ROW_REVIVED) {
      this.#state[row] = ROW_DYING;
      if (state === ROW_LIVE) this.touched.push(row);
      if (this.rankOf(row) > 0) this.#dyingCount++;
    } else if (state === ROW_NEWBORN) this.#state[row] = ROW_STILLBORN;
    else return;
    this.liveCount--;
    if (this.rankOf(row) > 0) this.derivedCount--;
  }

  /** A dying derived row of exactly this value and span comes back, under another rank. The row, or -1 where there is none. */
  revive(subject: number, value: number, equal: number, from: number, to: number, rank: number): number {
    if (this.#dyingCount === 0) return -1;
    for (let row = this.pairFirst(subject, equal); row >= 0; row = this.pairNext(row)) {
      if (this.#state[row] !== ROW_DYING || this.subjectOf(row) !== subject || this.valueOf(row) !== value || this.rankOf(row) === 0)
        continue;
      if (this.from(row) !== from || this.to(row) !== to) continue;
      this.#ranksBefore.push(row, this.rankOf(row));
      this.#state[row] = ROW_REVIVED;
      this.#ints[row * ROW_INTS + RANK] = rank;
      this.#dyingCount--;
      this.liveCount++;
      this.derivedCount++;
      return row;
    }
    return -1;
  }

  /** Notes that other rules may stand behind what is derived at the subject. */
  noteBacking(subject: number): void {
    if (this.backed !== null && !this.loading) this.backed.add(subject);
  }

  isSeen(row: number, sees: number): boolean {
    return ((sees >> this.#state[row]!) & 1) === 1;
  }

  isLive(row: number): boolean {
    return ((SEES_NOW >> this.#state[row]!) & 1) === 1;
  }

  /** A live derived row gives exactly this value, at some time. */
  isDerived(subject: number, value: number, equal: number): boolean {
    const ints = this.#ints;
    for (let row = this.pairFirst(subject, equal); row >= 0; ) {
      const at = row * ROW_INTS;
      if (ints[at] === subject && ints[at + VALUE] === value && ints[at + RANK]! > 0 && this.isLive(row)) return true;
      row = ints[at + NEXT]!;
    }
    return false;
  }

  /** Derived spans of a pair of exactly this value: now, or as the batch began. */
  derivedSpans(subject: number, value: number, equal: number, before: boolean): Spans {
    let one = -1;
    let pieces: number[] | null = null;
    for (let row = this.pairFirst(subject, equal); row >= 0; row = this.pairNext(row)) {
      if (this.subjectOf(row) !== subject || this.valueOf(row) !== value || this.rankOf(row) === 0) continue;
      if (!this.isSeen(row, before ? SEES_BEFORE : SEES_NOW)) continue;
      if (one < 0) one = row;
      else {
        pieces ??= [this.from(one), this.to(one)];
        pieces.push(this.from(row), this.to(row));
      }
    }
    if (one < 0) return NEVER_SPANS;
    if (pieces !== null) return normalSpans(pieces);
    const from = this.from(one);
    const to = this.to(one);
    return from === Number.NEGATIVE_INFINITY && to === Number.POSITIVE_INFINITY ? ALWAYS_SPANS : [from, to];
  }

  /** The row came or went in this batch, is derived, and none before it in its bucket is such a row of the same pair. */
  isFirstChange(row: number): boolean {
    if (this.rankOf(row) === 0 || !this.#changed(row)) return false;
    for (let other = this.pairFirst(this.subjectOf(row), this.equalOf(row)); other !== row; other = this.pairNext(other)) {
      if (
        this.subjectOf(other) === this.subjectOf(row) &&
        this.valueOf(other) === this.valueOf(row) &&
        this.rankOf(other) > 0 &&
        this.#changed(other)
      )
        return false;
    }
    return true;
  }

  /** The row is derived and live, and none before it in its bucket is such a row of the same pair. */
  isFirstDerived(row: number): boolean {
    if (this.rankOf(row) === 0 || !this.isLive(row)) return false;
    // Without windows a pair is derived once.
    if (!this.windowed) return true;
    for (let other = this.pairFirst(this.subjectOf(row), this.equalOf(row)); other !== row; other = this.pairNext(other)) {
      if (
        this.subjectOf(other) === this.subjectOf(row) &&
        this.valueOf(other) === this.valueOf(row) &&
        this.rankOf(other) > 0 &&
        this.isLive(other)
      )
        return false;
    }
    return true;
  }

  #changed(row: number): boolean {
    return this.#state[row] === ROW_NEWBORN || this.#state[row] === ROW_DYING;
  }

  settle(): void {
    this.#end(ROW_NEWBORN);
  }
  revert(): void {
    this.#end(ROW_DYING);
  }

  /** Rows in `kept` state become live, the rest of what was touched is unlinked. */
  #end(kept: number): void {
    this.backed?.clear();
    if (this.touched.length === 0) return;
    this.#dyingCount = 0;
    if (kept === ROW_DYING) this.#restoreRanks();
    this.#ranksBefore.length = 0;
    // The last to come first: chains hold the newest rows in front, where taking out is quick.
    for (let i = this.touched.length - 1; i >= 0; i--) {
      const row = this.touched[i]!;
      const state = this.#state[row]!;
      if (state === ROW_REVIVED) {
        this.#state[row] = ROW_LIVE;
        continue;
      }
      if (state === kept) {
        this.#state[row] = ROW_LIVE;
        if (kept === ROW_DYING) {
          this.liveCount++;
          if (this.rankOf(row) > 0) this.derivedCount++;
        }
        continue;
      }
      if (state === ROW_NEWBORN) {
        this.liveCount--;
        if (this.rankOf(row) > 0) this.derivedCount--;
      }
      this.#unlink(row);
    }
    this.touched.length = 0;
    if (this.#left.length > LEFT_ROWS_MIN + this.#rowsEnd * LEFT_ROWS_SHARE) this.#sweep();
  }

  /** The last first: a row may have been revived twice. */
  #restoreRanks(): void {
    for (let i = this.#ranksBefore.length - 2; i >= 0; i -= 2)
      this.#ints[this.#ranksBefore[i]! * ROW_INTS + RANK] = this.#ranksBefore[i + 1]!;
  }

  #unlink(row: number): void {
    const subject = this.subjectOf(row);
    const equal = this.equalOf(row);
    this.#unhash(row, subject, equal);
    const isOut = this.#bySubject?.unlink(subject, row) ?? true;
    const isOutToo = equal < 0 || (this.#byEqual?.unlink(equal, row) ?? true);
    this.#state[row] = ROW_FREE;
    (isOut && isOutToo ? this.#free : this.#left).push(row);
  }

  /** Lets go of the chains, which are made anew, without the rows left in them, when they are next asked for. */
  #sweep(): void {
    this.#bySubject = null;
    this.#byEqual = null;
    for (const row of this.#left) this.#free.push(row);
    this.#left.length = 0;
  }

  #unhash(row: number, subject: number, equal: number): void {
    const buckets = this.#buckets;
    if (buckets === null) return;
    const bucket = pairHash(subject, equal) & (buckets.length - 1);
    if (buckets[bucket] === row) {
      buckets[bucket] = this.pairNext(row);
      return;
    }
    let before = buckets[bucket]!;
    while (this.pairNext(before) !== row) before = this.pairNext(before);
    this.#ints[before * ROW_INTS + NEXT] = this.pairNext(row);
  }

  #hash(): Int32Array {
    let size = 16;
    while (size < this.#rowsEnd) size *= 2;
    const buckets = new Int32Array(size).fill(-1);
    for (let row = 0; row < this.#rowsEnd; row++) {
      if (this.#state[row] === ROW_FREE) continue;
      const bucket = pairHash(this.subjectOf(row), this.equalOf(row)) & (size - 1);
      this.#ints[row * ROW_INTS + NEXT] = buckets[bucket]!;
      buckets[bucket] = row;
    }
    this.#buckets = buckets;
    return buckets;
  }

  #index(keys: Int32Array, stride: number): Chains {
    return Chains.of(this.#state.length, this.#rowsEnd, keys, stride, this.#state, ROW_FREE);
  }

  #resize(): void {
    const before = this.#state.length;
    const capacity = before < DOUBLING_ROWS_MAX ? before * 2 : before + (before >> 1);
    const ints = new Int32Array(capacity * ROW_INTS);
    ints.set(this.#ints);
    this.#ints = ints;
    const state = new Uint8Array(capacity);
    state.set(this.#state);
    this.#state = state;
    if (this.#equal !== null) {
      const equal = new Int32Array(capacity);
      equal.set(this.#equal);
      this.#equal = equal;
    }
    if (this.#from !== null) {
      const from = new Float64Array(capacity).fill(Number.NEGATIVE_INFINITY);
      from.set(this.#from);
      this.#from = from;
      const to = new Float64Array(capacity).fill(Number.POSITIVE_INFINITY);
      to.set(this.#to!);
      this.#to = to;
    }
    this.#bySubject?.resize(capacity);
    this.#byEqual?.resize(capacity);
  }

  /** Splits every bucket in two keeping its order, so that a walk under way still meets every row of its pair. */
  #rehash(old: Int32Array): void {
    const size = old.length * 2;
    const buckets = new Int32Array(size).fill(-1);
    const ints = this.#ints;
    for (let bucket = 0; bucket < old.length; bucket++) {
      let lastLow = -1;
      let lastHigh = -1;
      for (let row = old[bucket]!; row >= 0; ) {
        const next = ints[row * ROW_INTS + NEXT]!;
        const to = pairHash(ints[row * ROW_INTS]!, this.equalOf(row)) & (size - 1);
        const last = to === bucket ? lastLow : lastHigh;
        if (last >= 0) ints[last * ROW_INTS + NEXT] = row;
        else buckets[to] = row;
        if (to === bucket) lastLow = row;
        else lastHigh = row;
        ints[row * ROW_INTS + NEXT] = -1;
        row = next;
      }
    }
    this.#buckets = buckets;
  }
}

/** Pairs of one subject with values of ids close together lie close together: joins come upon them in that order. */
function pairHash(subject: number, equal: number): number {
  const h = Math.imul(subject, 0x9e3779b1);
  return (h ^ (h >>> 15)) + equal + Math.imul(equal >> 10, 0x85ebca6b);
}
