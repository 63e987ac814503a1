/**
 * Rows by a key, as chains through a column: what an index of a relation is.
 *
 * Rows are pushed at the front and taken out only between batches, so a walk survives inserts. There is no way back: a row
 * near the front is taken out, and one that lies deep is left where it is for its owner to count.
 */

/** `heads` gives a key's first row, `next` the one after a row, -1 at the end. */
export interface RowChains {
  readonly heads: { get(key: number): number; keys(): Iterable<number> };
  readonly next: Int32Array;
}

/** Wider than this, with few keys in it, an array of heads gives way to a table. */
const SPARSE_SPAN_MIN = 1024;
const SPARSE_SPAN_PER_KEY = 4;

/** From a non-negative int to an int: an array while the keys lie close together, else an open-addressing table. */
class IntHeads {
  /** Heads by key minus `#base`; null once the keys are too far apart. */
  #dense: Int32Array | null = new Int32Array(0);
  #base = 0;
  /** Of the table: keys are never removed, their heads only set to -1. */
  #keys = new Int32Array(0);
  #heads = new Int32Array(0);
  #count = 0;

  get(key: number): number {
    const dense = this.#dense;
    if (dense !== null) {
      const at = key - this.#base;
      return at >= 0 && at < dense.length ? dense[at]! : -1;
    }
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
    const dense = this.#dense;
    if (dense !== null) {
      const at = key - this.#base;
      if (at >= 0 && at < dense.length) {
        if (dense[at] === -1) this.#count++;
        dense[at] = head;
        return;
      }
      if (this.#widen(key)) {
        this.set(key, head);
        return;
      }
    }
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

  /** Before the first key: those to come lie within these. Gives the array of heads, the first key's first, if there will be one. */
  expect(low: number, high: number, count: number): Int32Array | null {
    const span = high - low + 1;
    if (span > SPARSE_SPAN_MIN + count * SPARSE_SPAN_PER_KEY) {
      this.#dense = null;
      this.#makeTable(count);
      return null;
    }
    this.#base = low;
    this.#dense = new Int32Array(span).fill(-1);
    return this.#dense;
  }

  *keys(): Iterable<number> {
    // Either may change while somebody walks; keys that came meanwhile may or may not be met.
    const dense = this.#dense;
    const base = this.#base;
    if (dense !== null) {
      for (let at = 0; at < dense.length; at++) if (dense[at] !== -1) yield base + at;
      return;
    }
    const keys = this.#keys;
    const heads = this.#heads;
    for (let slot = 0; slot < keys.length; slot++) if (keys[slot] !== -1 && heads[slot] !== -1) yield keys[slot]!;
  }

  /** Makes room for the key in the array; false: the keys are too far apart, and stand in the table now. */
  #widen(key: number): boolean {
    const dense = this.#dense!;
    let low = key;
    let high = key;
    let kept = 1;
    for (let at = 0; at < dense.length; at++) {
      if (dense[at] === -1) continue;
      kept++;
      if (this.#base + at < low) low = this.#base + at;
      if (this.#base + at > high) high = this.#base + at;
    }
    const span = high - low + 1;
    if (span <= SPARSE_SPAN_MIN + kept * SPARSE_SPAN_PER_KEY) {
      // Room on the side the keys grow to; ids mostly grow.
      const room = Math.max(16, span >> 1);
      const base = key === low && kept > 1 ? Math.max(0, low - room) : low;
      const wider = new Int32Array(high + (key === high ? room : 0) - base + 1).fill(-1);
      for (let at = 0; at < dense.length; at++) if (dense[at] !== -1) wider[this.#base + at - base] = dense[at]!;
      this.#dense = wider;
      this.#base = base;
      this.#count = kept - 1;
      return true;
    }
    this.#makeTable(kept);
    this.#dense = null;
    for (let at = 0; at < dense.length; at++) if (dense[at] !== -1) this.set(this.#base + at, dense[at]!);
    return false;
  }

  /** Empty, with room for twice as many keys. */
  #makeTable(count: number): void {
    let size = 16;
    while (size < count * 4) size *= 2;
    this.#keys = new Int32Array(size).fill(-1);
    this.#heads = new Int32Array(size).fill(-1);
    this.#count = 0;
  }

  #grow(): void {
    const keys = this.#keys;
    const heads = this.#heads;
    // Emptied keys are left behind here, so a relation that shrinks does not keep them for ever.
    let kept = 0;
    for (let slot = 0; slot < keys.length; slot++) if (keys[slot] !== -1 && heads[slot] !== -1) kept++;
    this.#makeTable(kept);
    for (let slot = 0; slot < keys.length; slot++) if (keys[slot] !== -1 && heads[slot] !== -1) this.set(keys[slot]!, heads[slot]!);
  }
}

/** How far a row to be taken out is looked for: what came last lies in front, and often goes first. */
const UNLINK_STEPS_MAX = 16;

export class Chains implements RowChains {
  readonly heads = new IntHeads();
  next: Int32Array;

  constructor(capacity: number) {
    this.next = new Int32Array(capacity).fill(-1);
  }

  /**
   * Links rows 0 to `end`, whose keys stand `stride` apart in `keys`; not those in the state `left`, nor those whose key
   * is negative. Plain loops: a relation's first index is built before anything here is compiled.
   */
  static of(capacity: number, end: number, keys: Int32Array, stride: number, states: Uint8Array, left: number): Chains {
    const chains = new Chains(capacity);
    let low = Number.POSITIVE_INFINITY;
    let high = -1;
    for (let row = 0, at = 0; row < end; row++, at += stride) {
      const key = keys[at]!;
      if (key < 0) continue;
      if (key < low) low = key;
      if (key > high) high = key;
    }
    if (high < 0) return chains;
    const dense = chains.heads.expect(low, high, Math.min(end, high - low + 1));
    const { next } = chains;
    for (let row = 0, at = 0; row < end; row++, at += stride) {
      const key = keys[at]!;
      if (key < 0 || states[row] === left) continue;
      if (dense === null) chains.link(key, row);
      else {
        next[row] = dense[key - low]!;
        dense[key - low] = row;
      }
    }
    return chains;
  }

  resize(capacity: number): void {
    this.next = longer(this.next, capacity);
  }

  link(key: number, row: number): void {
    this.next[row] = this.heads.get(key);
    this.heads.set(key, row);
  }

  /** False: it lies too deep to be looked for, and stays. */
  unlink(key: number, row: number): boolean {
    let previous = -1;
    let steps = 0;
    for (let at = this.heads.get(key); at !== row; at = this.next[at]!) {
      if (++steps > UNLINK_STEPS_MAX) return false;
      previous = at;
    }
    const next = this.next[row]!;
    if (previous >= 0) this.next[previous] = next;
    else this.heads.set(key, next);
    this.next[row] = -1;
    return true;
  }
}

/** A column with room for more rows; new ones stand at -1. */
function longer(column: Int32Array, capacity: number): Int32Array {
  const out = new Int32Array(capacity);
  out.set(column);
  return out.fill(-1, column.length);
}
