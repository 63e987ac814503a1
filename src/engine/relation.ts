/**
 * One field's facts in memory: rows (subject, value, span, rank) as integer columns.
 *
 * A row is one span of one pair; a pair with several spans has several rows. During a batch nothing is unlinked:
 * a row that goes is *dying* and still findable, so that what rested on it can be found from the old state; rows
 * that come are *newborn*. `settle` ends a batch, `revert` undoes it. Rank 0 marks recorded facts; a derived row's
 * rank is above the rank of every row of its own component in one derivation of it (rule-stratum.ts).
 *
 * Indexes are chains through the columns: by subject and by equal value, each built when first asked for, and a
 * hash over the pair. Chains are pushed at the front and never unlinked inside a batch, so a walk survives inserts.
 * Knows nothing of rules.
 */
import { ALWAYS_SPANS, NEVER_SPANS, normalSpans, type Spans } from "./spans";

export const ROW_FREE = 0;
export const ROW_LIVE = 1;
export const ROW_DYING = 2;
export const ROW_NEWBORN = 3;
/** Came and went within the batch. */
export const ROW_STILLBORN = 4;

/** Open-addressing map from a non-negative int to an int. Keys are never removed, only set to -1. */
class IntHeads {
  #keys = new Int32Array(16).fill(-1);
  #heads = new Int32Array(16).fill(-1);
  #count = 0;

  get(key: number): number {
    const keys = this.#keys;
    const mask = keys.length - 1;
    let slot = (Math.imul(key, 0x9e3779b1) >>> 7) & mask;
    for (;;) {
      const found = keys[slot]!;
      if (found === key) return this.#heads[slot]!;
      if (found === -1) return -1;
      slot = (slot + 1) & mask;
    }
  }

  set(key: number, head: number): void {
    if (this.#count * 2 >= this.#keys.length) this.#grow();
    const keys = this.#keys;
    const mask = keys.length - 1;
    let slot = (Math.imul(key, 0x9e3779b1) >>> 7) & mask;
    while (keys[slot] !== key && keys[slot] !== -1) slot = (slot + 1) & mask;
    if (keys[slot] === -1) {
      keys[slot] = key;
      this.#count++;
    }
    this.#heads[slot] = head;
  }

  *keys(): Iterable<number> {
    for (let slot = 0; slot < this.#keys.length; slot++) if (this.#keys[slot] !== -1 && this.#heads[slot] !== -1) yield this.#keys[slot]!;
  }

  #grow(): void {
    const keys = this.#keys;
    const heads = this.#heads;
    // Emptied keys are left behind here, so a relation that shrinks does not keep them for ever.
    let kept = 0;
    for (let slot = 0; slot < keys.length; slot++) if (keys[slot] !== -1 && heads[slot] !== -1) kept++;
    let size = 16;
    while (size < kept * 4) size *= 2;
    this.#keys = new Int32Array(size).fill(-1);
    this.#heads = new Int32Array(size).fill(-1);
    this.#count = 0;
    for (let slot = 0; slot < keys.length; slot++) if (keys[slot] !== -1 && heads[slot] !== -1) this.set(keys[slot]!, heads[slot]!);
  }
}

/** Rows by a key: `heads` gives the first, `next` the one after a row, -1 at the end. */
export interface RowChains {
  readonly heads: { get(key: number): number; keys(): Iterable<number> };
  readonly next: Int32Array;
}

/** A doubly linked chain of rows a key. */
class Chains {
  readonly heads = new IntHeads();
  next: Int32Array;
  #previous: Int32Array;

  constructor(capacity: number) {
    this.next = new Int32Array(capacity);
    this.#previous = new Int32Array(capacity);
  }

  resize(capacity: number): void {
    this.next = grown(this.next, capacity);
    this.#previous = grown(this.#previous, capacity);
  }

  link(key: number, row: number): void {
    const head = this.heads.get(key);
    this.next[row] = head;
    this.#previous[row] = -1;
    if (head >= 0) this.#previous[head] = row;
    this.heads.set(key, row);
  }

  unlink(key: number, row: number): void {
    const next = this.next[row]!;
    const previous = this.#previous[row]!;
    if (next >= 0) this.#previous[next] = previous;
    if (previous >= 0) this.next[previous] = next;
    else this.heads.set(key, next);
  }
}

function grown(column: Int32Array, capacity: number): Int32Array<ArrayBuffer> {
  const out = new Int32Array(capacity);
  out.set(column);
  return out;
}

export class Relation {
  subject = new Int32Array(16);
  value = new Int32Array(16);
  /** Equality id of the value: what joins compare. */
  equal = new Int32Array(16);
  rank = new Int32Array(16);
  state = new Uint8Array(16);
  /** Null while every row holds always. */
  #from: Float64Array | null = null;
  #to: Float64Array | null = null;
  #rowsEnd = 0;
  #free: number[] = [];
  #pairHeads = new Int32Array(16).fill(-1);
  pairNext = new Int32Array(16);
  #bySubject: Chains | null = null;
  #byEqual: Chains | null = null;
  /** Rows that came or went in this batch. */
  readonly touched: number[] = [];
  /** While set, rows are how things stand and no change of a batch: nothing is kept to undo them. */
  loading = true;
  /** Live derived rows (rank above 0). */
  derivedCount = 0;
  liveCount = 0;

  get rowsEnd(): number {
    return this.#rowsEnd;
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

  /** First row in the pair's bucket; walk with `pairNext` and compare subject and `equal`. */
  pairFirst(subject: number, equal: number): number {
    return this.#pairHeads[pairHash(subject, equal) & (this.#pairHeads.length - 1)]!;
  }

  bySubject(): RowChains {
    this.#bySubject ??= this.#index(this.subject);
    return this.#bySubject;
  }
  byEqual(): RowChains {
    this.#byEqual ??= this.#index(this.equal);
    return this.#byEqual;
  }

  /** Adds a newborn row. The caller sees to it that it overlaps no live derived row of the pair. */
  add(subject: number, value: number, equal: number, from: number, to: number, rank: number): number {
    const row = this.#free.length > 0 ? this.#free.pop()! : this.#rowsEnd++;
    if (row >= this.subject.length) this.#resize();
    this.subject[row] = subject;
    this.value[row] = value;
    this.equal[row] = equal;
    this.rank[row] = rank;
    this.state[row] = this.loading ? ROW_LIVE : ROW_NEWBORN;
    if (this.#from === null && (from !== Number.NEGATIVE_INFINITY || to !== Number.POSITIVE_INFINITY)) {
      this.#from = new Float64Array(this.subject.length).fill(Number.NEGATIVE_INFINITY);
      this.#to = new Float64Array(this.subject.length).fill(Number.POSITIVE_INFINITY);
    }
    if (this.#from !== null) {
      this.#from[row] = from;
      this.#to![row] = to;
    }
    const bucket = pairHash(subject, equal) & (this.#pairHeads.length - 1);
    this.pairNext[row] = this.#pairHeads[bucket]!;
    this.#pairHeads[bucket] = row;
    this.#bySubject?.link(subject, row);
    if (equal >= 0) this.#byEqual?.link(equal, row);
    if (!this.loading) this.touched.push(row);
    this.liveCount++;
    if (rank > 0) this.derivedCount++;
    return row;
  }

  kill(row: number): void {
    const state = this.state[row];
    if (state === ROW_LIVE) {
      this.state[row] = ROW_DYING;
      this.touched.push(row);
    } else if (state === ROW_NEWBORN) this.state[row] = ROW_STILLBORN;
    else return;
    this.liveCount--;
    if (this.rank[row]! > 0) this.derivedCount--;
  }

  /** Takes a kill of this batch back. */
  revive(row: number, rank: number): void {
    if (this.state[row] !== ROW_DYING) return;
    this.state[row] = ROW_LIVE;
    this.rank[row] = rank;
    this.liveCount++;
    if (rank > 0) this.derivedCount++;
  }

  isLive(row: number): boolean {
    const state = this.state[row];
    return state === ROW_LIVE || state === ROW_NEWBORN;
  }

  /** Derived spans of a pair of exactly this value: now, or as the batch began. */
  derivedSpans(subject: number, value: number, equal: number, before: boolean): Spans {
    let one = -1;
    let pieces: number[] | null = null;
    for (let row = this.pairFirst(subject, equal); row >= 0; row = this.pairNext[row]!) {
      if (this.subject[row] !== subject || this.value[row] !== value || this.rank[row] === 0) continue;
      const state = this.state[row];
      if (state !== ROW_LIVE && state !== (before ? ROW_DYING : ROW_NEWBORN)) continue;
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
    if (this.rank[row] === 0 || !this.#changed(row)) return false;
    for (let other = this.pairFirst(this.subject[row]!, this.equal[row]!); other !== row; other = this.pairNext[other]!) {
      if (
        this.subject[other] === this.subject[row] &&
        this.value[other] === this.value[row] &&
        this.rank[other]! > 0 &&
        this.#changed(other)
      )
        return false;
    }
    return true;
  }

  /** The row is derived and live, and none before it in its bucket is such a row of the same pair. */
  isFirstDerived(row: number): boolean {
    if (this.rank[row] === 0 || !this.isLive(row)) return false;
    // Without windows a pair is derived once.
    if (!this.windowed) return true;
    for (let other = this.pairFirst(this.subject[row]!, this.equal[row]!); other !== row; other = this.pairNext[other]!) {
      if (this.subject[other] === this.subject[row] && this.value[other] === this.value[row] && this.rank[other]! > 0 && this.isLive(other))
        return false;
    }
    return true;
  }

  #changed(row: number): boolean {
    return this.state[row] === ROW_NEWBORN || this.state[row] === ROW_DYING;
  }

  settle(): void {
    this.#end(ROW_NEWBORN);
  }
  revert(): void {
    this.#end(ROW_DYING);
  }

  /** Rows in `kept` state become live, the rest of what was touched is unlinked. */
  #end(kept: number): void {
    for (const row of this.touched) {
      const state = this.state[row]!;
      if (state === ROW_FREE || state === ROW_LIVE) continue;
      if (state === kept) {
        this.state[row] = ROW_LIVE;
        if (kept === ROW_DYING) {
          this.liveCount++;
          if (this.rank[row]! > 0) this.derivedCount++;
        }
        continue;
      }
      if (state === ROW_NEWBORN) {
        this.liveCount--;
        if (this.rank[row]! > 0) this.derivedCount--;
      }
      this.#unlink(row);
    }
    this.touched.length = 0;
  }

  #unlink(row: number): void {
    const subject = this.subject[row]!;
    const equal = this.equal[row]!;
    const bucket = pairHash(subject, equal) & (this.#pairHeads.length - 1);
    if (this.#pairHeads[bucket] === row) this.#pairHeads[bucket] = this.pairNext[row]!;
    else {
      let before = this.#pairHeads[bucket]!;
      while (this.pairNext[before] !== row) before = this.pairNext[before]!;
      this.pairNext[before] = this.pairNext[row]!;
    }
    this.#bySubject?.unlink(subject, row);
    if (equal >= 0) this.#byEqual?.unlink(equal, row);
    this.state[row] = ROW_FREE;
    this.#free.push(row);
  }

  #index(keys: Int32Array): Chains {
    const chains = new Chains(this.subject.length);
    for (let row = 0; row < this.#rowsEnd; row++) {
      if (this.state[row] !== ROW_FREE && keys[row]! >= 0) chains.link(keys[row]!, row);
    }
    return chains;
  }

  #resize(): void {
    const capacity = this.subject.length * 2;
    this.subject = grown(this.subject, capacity);
    this.value = grown(this.value, capacity);
    this.equal = grown(this.equal, capacity);
    this.rank = grown(this.rank, capacity);
    const state = new Uint8Array(capacity);
    state.set(this.state);
    this.state = state;
    if (this.#from !== null) {
      const from = new Float64Array(capacity).fill(Number.NEGATIVE_INFINITY);
      from.set(this.#from);
      this.#from = from;
      const to = new Float64Array(capacity).fill(Number.POSITIVE_INFINITY);
      to.set(this.#to!);
      this.#to = to;
    }
    this.pairNext = grown(this.pairNext, capacity);
    this.#bySubject?.resize(capacity);
    this.#byEqual?.resize(capacity);
    this.#rehash(capacity);
  }

  /** Splits every bucket keeping its order, so that a walk under way still meets every row of its pair. */
  #rehash(size: number): void {
    const old = this.#pairHeads;
    const heads = new Int32Array(size).fill(-1);
    const tails = new Int32Array(size).fill(-1);
    for (let bucket = 0; bucket < old.length; bucket++) {
      for (let row = old[bucket]!; row >= 0; ) {
        const next = this.pairNext[row]!;
        const to = pairHash(this.subject[row]!, this.equal[row]!) & (size - 1);
        if (tails[to]! >= 0) this.pairNext[tails[to]!] = row;
        else heads[to] = row;
        tails[to] = row;
        this.pairNext[row] = -1;
        row = next;
      }
    }
    this.#pairHeads = heads;
  }
}

function pairHash(subject: number, equal: number): number {
  let h = Math.imul(subject, 0x9e3779b1) ^ Math.imul(equal + 0x7f4a7c15, 0x85ebca6b);
  h ^= h >>> 15;
  h = Math.imul(h, 0x2c1b3c6d);
  return (h ^ (h >>> 13)) >>> 0;
}
