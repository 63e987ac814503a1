/** Pairs (hash, id) in memory, several of one hash too: open addressing, eight bytes a slot. */

const GONE = 0xffffffff;
const SLOTS_FIRST = 64;

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

  /** Every pair, in no order. */
  *pairs(): Iterable<readonly [hash: number, id: number]> {
    const slots = this.#slots;
    for (let i = 0; i < slots.length; i += 2) if (slots[i + 1] !== 0 && slots[i + 1] !== GONE) yield [slots[i], slots[i + 1]];
  }

  #grow(): void {
    const live = [...this.pairs()];
    let size = this.#mask + 1;
    while (size < live.length * 2) size *= 2;
    this.#slots = new Uint32Array(size * 2);
    this.#mask = size - 1;
    this.#used = 0;
    for (const [hash, id] of live) this.add(hash, id);
  }
}
