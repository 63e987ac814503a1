/**
 * From the hash of a value to the ids of the symbols that may be it.
 *
 * In memory, because a query for every name and value a program mentions would cost more than all else a write does.
 * Only half of the 64-bit hash is here; who asks compares the values.
 *
 * What is stored when the index is made goes into buckets by the first bits of the hash, written one after another: a
 * table open to every place, for two million symbols, costs five times as much to fill and twice the room. Whatever does
 * not fit its bucket, and what comes when there are none, goes into such a table.
 */

/** Symbols that a bucket is laid out for, at least and at most twice as many: a look goes through all of one. */
const BUCKET_SYMBOLS_MIN = 48;
/** Room for what chance puts above the mean, in its standard deviations: beyond that is one bucket in ten thousand. */
const DEVIATIONS = 4;

export class SymbolIndex {
  readonly #shift: number;
  readonly #capacity: number;
  readonly #counts: Uint32Array;
  /** Bucket by bucket, two words a symbol: hash, id. */
  readonly #words: Uint32Array;
  readonly #rest = new HashTable();

  /** `count`: how many symbols will be added at first, about. */
  constructor(count: number) {
    let bits = 0;
    while (count / 2 ** (bits + 1) >= BUCKET_SYMBOLS_MIN) bits++;
    const mean = bits === 0 ? 0 : count / 2 ** bits;
    this.#shift = 32 - bits;
    this.#capacity = bits === 0 ? 0 : Math.ceil(mean + DEVIATIONS * Math.sqrt(mean));
    this.#counts = new Uint32Array(2 ** bits);
    this.#words = new Uint32Array(2 * this.#capacity * 2 ** bits);
  }

  /** `hash`: 32 bits, unsigned, evenly spread. */
  add(hash: number, id: number): void {
    const bucket = this.#bucketOf(hash);
    const count = this.#counts[bucket];
    if (count === this.#capacity) {
      this.#rest.add(hash, id);
      return;
    }
    const at = 2 * (bucket * this.#capacity + count);
    this.#words[at] = hash;
    this.#words[at + 1] = id;
    this.#counts[bucket] = count + 1;
  }

  remove(hash: number, id: number): void {
    const bucket = this.#bucketOf(hash);
    const words = this.#words;
    const first = 2 * bucket * this.#capacity;
    const last = first + 2 * (this.#counts[bucket] - 1);
    for (let at = first; at <= last; at += 2) {
      if (words[at + 1] !== id || words[at] !== hash) continue;
      words[at] = words[last];
      words[at + 1] = words[last + 1];
      this.#counts[bucket]--;
      return;
    }
    this.#rest.remove(hash, id);
  }

  /** An id of that hash that `accepts` takes; 0 for none. */
  find(hash: number, accepts: (id: number) => boolean): number {
    const bucket = this.#bucketOf(hash);
    const words = this.#words;
    const first = 2 * bucket * this.#capacity;
    const end = first + 2 * this.#counts[bucket];
    for (let at = first; at < end; at += 2) if (words[at] === hash && accepts(words[at + 1])) return words[at + 1];
    return this.#rest.find(hash, accepts);
  }

  #bucketOf(hash: number): number {
    // By 32 bits JavaScript does not shift at all.
    return this.#shift === 32 ? 0 : hash >>> this.#shift;
  }
}

const GONE = 0xffffffff;

/** Open addressing, eight bytes a slot. */
class HashTable {
  /** Two words a slot: hash, id. Id 0 is free, `GONE` was taken. */
  #slots = new Uint32Array(2 * 1024);
  #mask = 1023;
  /** Slots not free. */
  #used = 0;

  add(hash: number, id: number): void {
    if (this.#used * 4 > (this.#mask + 1) * 3) this.#grow();
    let slot = hash & this.#mask;
    while (this.#slots[2 * slot + 1] !== 0) slot = (slot + 1) & this.#mask;
    this.#slots[2 * slot] = hash;
    this.#slots[2 * slot + 1] = id;
    this.#used++;
  }

  remove(hash: number, id: number): void {
    for (let slot = hash & this.#mask; this.#slots[2 * slot + 1] !== 0; slot = (slot + 1) & this.#mask) {
      if (this.#slots[2 * slot + 1] !== id || this.#slots[2 * slot] !== hash) continue;
      this.#slots[2 * slot + 1] = GONE;
      return;
    }
  }

  find(hash: number, accepts: (id: number) => boolean): number {
    for (let slot = hash & this.#mask; ; slot = (slot + 1) & this.#mask) {
      const id = this.#slots[2 * slot + 1];
      if (id === 0) return 0;
      if (this.#slots[2 * slot] === hash && id !== GONE && accepts(id)) return id;
    }
  }

  #grow(): void {
    const old = this.#slots;
    let live = 0;
    for (let i = 1; i < old.length; i += 2) if (old[i] !== 0 && old[i] !== GONE) live++;
    let size = this.#mask + 1;
    while (size < live * 2) size *= 2;
    this.#slots = new Uint32Array(size * 2);
    this.#mask = size - 1;
    this.#used = 0;
    for (let i = 0; i < old.length; i += 2) if (old[i + 1] !== 0 && old[i + 1] !== GONE) this.add(old[i], old[i + 1]);
  }
}
