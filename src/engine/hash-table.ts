/** Pairs (hash, id) in memory, several of one hash too: open addressing, eight bytes a slot. */

import { assert } from "../failure";

const GONE = 0xffffffff;
const SLOTS_FIRST = 256;
const SLOTS_MAX = 2 ** 21;

export class HashTable {
  /** Two words a slot: hash, id. Id 0 is free, `GONE` was taken. */
  #slots = new Uint32Array(2 * SLOTS_FIRST);
  #mask = SLOTS_FIRST - 1;
  /** Slots not free. */
  #used = 0;

  /** `hash`: 32 bits, unsigned; its low ones evenly spread. */
  add(hash: number, id: number): void {
    if (this.#used * 4 > (this.#mask + 1) * 3) this.#grow();
    let slot = hash & this.#mask;
    while (this.#slots[2 * slot + 1] !== 0) slot = (slot + 1) & this.#mask;
    this.#slots[2 * slot] = hash;
    this.#slots[2 * slot + 1] = id;
    this.#used++;
  }

  /** False where it was not there. */
  remove(hash: number, id: number): boolean {
    for (let slot = hash & this.#mask; this.#slots[2 * slot + 1] !== 0; slot = (slot + 1) & this.#mask) {
      if (this.#slots[2 * slot + 1] !== id || this.#slots[2 * slot] !== hash) continue;
      this.#slots[2 * slot + 1] = GONE;
      return true;
    }
    return false;
  }

  /** An id of that hash that `accepts` takes; 0 for none. */
  find(hash: number, accepts: (id: number) => boolean): number {
    for (let slot = hash & this.#mask; ; slot = (slot + 1) & this.#mask) {
      const id = this.#slots[2 * slot + 1];
      if (id === 0) return 0;
      if (this.#slots[2 * slot] === hash && id !== GONE && accepts(id)) return id;
    }
  }

  /** All pairs, two words each: hash, id. Ascending by hash. */
  sorted(): Uint32Array {
    const slots = this.#slots;
    // A hash and its slot fit a float's 53 bits, and floats are sorted natively.
    const keys = new Float64Array(this.#used);
    let count = 0;
    for (let slot = 0; slot <= this.#mask; slot++) {
      const id = slots[2 * slot + 1];
      if (id !== 0 && id !== GONE) keys[count++] = slots[2 * slot] * SLOTS_MAX + slot;
    }
    const pairs = new Uint32Array(2 * count);
    for (const [i, key] of keys.subarray(0, count).sort().entries()) {
      const slot = key % SLOTS_MAX;
      pairs[2 * i] = slots[2 * slot];
      pairs[2 * i + 1] = slots[2 * slot + 1];
    }
    return pairs;
  }

  /** Keeps its room: as many will come again. */
  clear(): void {
    this.#slots.fill(0);
    this.#used = 0;
  }

  #grow(): void {
    const old = this.#slots;
    let live = 0;
    for (let i = 1; i < old.length; i += 2) if (old[i] !== 0 && old[i] !== GONE) live++;
    let size = this.#mask + 1;
    while (size < live * 2) size *= 4;
    assert(size <= SLOTS_MAX, "a table of hashes holds what some pages hold of one stripe");
    this.#slots = new Uint32Array(size * 2);
    this.#mask = size - 1;
    this.#used = 0;
    for (let i = 0; i < old.length; i += 2) if (old[i + 1] !== 0 && old[i + 1] !== GONE) this.add(old[i], old[i + 1]);
  }
}
