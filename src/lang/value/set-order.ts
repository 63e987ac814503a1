/**
 * The order in which CPython 3.11 iterates a set under PYTHONHASHSEED=0: a model of setobject.c's table.
 *
 * Membership never asks this table (set.ts keeps a Map), so it holds only what order needs: slots of element, key and
 * hash, and the count of slots ever filled. Deleted slots stay as dummies until they are taken again or a resize drops
 * them, exactly as in CPython, because they move what is added later.
 */
import { hashed, pyHashHalves } from "./protocol-hash";
import type { Value } from "./value";

interface Slot {
  readonly element: Value;
  /** Canonical key (protocol-hash.ts). */
  readonly key: unknown;
  readonly lo: number;
  readonly hi: number;
}
/** A deleted slot; its key equals no key. */
const DUMMY: Slot = { element: null, key: {}, lo: -1, hi: -1 };

const LINEAR_PROBES = 9;

export class SetTable {
  slots: (Slot | null)[] = new Array(8).fill(null);
  mask = 7;
  /** Active slots and dummies. */
  fill = 0;
  used = 0;

  /** The table that adding the elements one by one gives. */
  static of(map: ReadonlyMap<unknown, Value>): SetTable {
    const table = new SetTable();
    for (const [key, element] of map) table.add(key, element);
    return table;
  }

  /** Adds an element known to be absent. */
  add(key: unknown, element: Value): void {
    pyHashHalves(element);
    this.addSlot({ element, key, lo: hashed.lo, hi: hashed.hi });
  }

  private addSlot(slot: Slot): void {
    this.used++;
    // A dummy met on the way is used again, and then the table fills no further.
    if (this.place(slot, true)) return;
    this.fill++;
    if (this.fill * 5 >= this.mask * 3) this.resize(growth(this.used));
  }

  /**
   * Puts the slot in the first free place of its probe sequence, or, with `reuse`, in the last dummy before that place.
   * Whether a dummy was taken.
   */
  private place(slot: Slot, reuse = false): boolean {
    const { slots, mask } = this;
    let lo = slot.lo >>> 0;
    let hi = slot.hi >>> 0;
    let i = (lo & mask) >>> 0;
    let dummyAt = -1;
    for (;;) {
      const last = i + LINEAR_PROBES <= mask ? i + LINEAR_PROBES : i;
      for (let at = i; at <= last; at++) {
        if (slots[at] === null) {
          slots[dummyAt >= 0 ? dummyAt : at] = slot;
          return dummyAt >= 0;
        }
        if (reuse && slots[at] === DUMMY) dummyAt = at;
      }
      // perturb >>= 5 over 64 bits; then i*5 + 1 + perturb, of which only the mask's bits matter.
      lo = ((lo >>> 5) | (hi << 27)) >>> 0;
      hi = hi >>> 5;
      i = ((i * 5 + 1 + lo) & mask) >>> 0;
    }
  }

  private find(key: unknown, lo0: number, hi0: number): number {
    const { slots, mask } = this;
    let lo = lo0 >>> 0;
    let hi = hi0 >>> 0;
    let i = (lo & mask) >>> 0;
    for (;;) {
      const last = i + LINEAR_PROBES <= mask ? i + LINEAR_PROBES : i;
      for (let at = i; at <= last; at++) {
        const slot = slots[at];
        if (slot === null) return -1;
        if (slot.key === key) return at;
      }
      lo = ((lo >>> 5) | (hi << 27)) >>> 0;
      hi = hi >>> 5;
      i = ((i * 5 + 1 + lo) & mask) >>> 0;
    }
  }

  /** Removes an element known to be present. `element` only has to equal it. */
  discard(key: unknown, element: Value): void {
    pyHashHalves(element);
    const at = this.find(key, hashed.lo, hashed.hi);
    if (at < 0) throw new Error("invariant broken: element of a set has no slot");
    this.slots[at] = DUMMY;
    this.used--;
  }

  /** Removes the slot that `set.pop` takes when it begins to look at `finger`; the set is not empty. Gives its position. */
  popFrom(finger: number): { key: unknown; at: number } {
    let at = finger & this.mask;
    while (this.slots[at] === null || this.slots[at] === DUMMY) at = at === this.mask ? 0 : at + 1;
    const slot = this.slots[at]!;
    this.slots[at] = DUMMY;
    this.used--;
    return { key: slot.key, at };
  }

  /** `set_table_resize`. */
  private resize(minUsed: number): void {
    let size = 8;
    while (size <= minUsed) size *= 2;
    const old = this.slots;
    // A small table that holds no dummies and stays small is left alone.
    if (size === 8 && old.length === 8 && this.fill === this.used) return;
    this.slots = new Array(size).fill(null);
    this.mask = size - 1;
    this.fill = this.used;
    for (const slot of old) if (slot !== null && slot !== DUMMY) this.place(slot);
  }

  /** The resize that `difference_update` ends with. */
  dropDummies(): void {
    if (this.fill - this.used <= Math.floor(this.mask / 4)) return;
    this.resize(growth(this.used));
  }

  /** Makes room for `count` more, as `set_merge` and updates from a dict do before they begin. */
  reserve(count: number): void {
    if ((this.fill + count) * 5 >= this.mask * 3) this.resize((this.used + count) * 2);
  }

  /** `set_merge` where this table, room already made, holds nothing: slots are copied, or placed in the order of `other`. */
  fillFrom(other: SetTable): void {
    if (this.mask === other.mask && other.fill === other.used) {
      this.slots = other.slots.slice();
    } else {
      for (const slot of other.slots) if (slot !== null && slot !== DUMMY) this.place(slot);
    }
    this.fill = other.used;
    this.used = other.used;
  }

  /** Elements in CPython's order. */
  elements(): Value[] {
    const out: Value[] = [];
    for (const slot of this.slots) if (slot !== null && slot !== DUMMY) out.push(slot.element);
    return out;
  }

  /** The first taken slot at or after `at`, or -1: how an iterator walks a live table. */
  slotFrom(at: number): number {
    const { slots } = this;
    for (let i = at; i < slots.length; i++) if (slots[i] !== null && slots[i] !== DUMMY) return i;
    return -1;
  }
}

function growth(used: number): number {
  return used > 50_000 ? used * 2 : used * 4;
}
