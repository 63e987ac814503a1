/**
 * From the hash of a value to the ids of the symbols that may be it: one open-addressed table, eight bytes a slot.
 *
 * In memory, because a query for every name and value a program mentions would cost more than all else a write does.
 * Only half of the 64-bit hash is here; who asks compares the values.
 */
const GONE = 0xffffffff;

export class SymbolIndex {
  /** Two words a slot: hash, id. Id 0 is free, `GONE` was taken. */
  #slots: Uint32Array;
  #mask: number;
  /** Slots not free. */
  #used = 0;

  constructor(count: number) {
    let size = 1024;
    while (size < count * 2) size *= 2;
    this.#slots = new Uint32Array(size * 2);
    this.#mask = size - 1;
  }

  /** `hash`: 32 bits, unsigned, evenly spread. */
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

  /** The first id of that hash that `accepts` takes; 0 for none. */
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
