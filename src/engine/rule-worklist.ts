/**
 * The two queues of a recursive stratum: rows to expand, and rows in doubt.
 *
 * Rows are (place, row) pairs of ints, a place being one of the stratum's relations, so that half a million of them cost
 * no objects.
 */
import { assert } from "../failure";
import type { Relation } from "./relation";

/** One relation of a stratum. */
export interface WorkPlace {
  readonly field: number;
  readonly relation: Relation;
}

/** Rows to expand: those without a beginning first come first served, then by beginning, so that each is expanded once whole. */
export class Worklist {
  /** A ring of (place, row); its length is a power of two. */
  #ring = new Int32Array(64);
  #ringAt = 0;
  #ringCount = 0;
  readonly #heap: { readonly place: number; readonly row: number; readonly from: number }[] = [];
  /** The row `next` came to. */
  place = 0;
  row = 0;

  constructor(readonly places: readonly WorkPlace[]) {}

  push(place: number, row: number): void {
    const from = this.places[place]!.relation.from(row);
    if (from === Number.NEGATIVE_INFINITY) {
      if (this.#ringCount === this.#ring.length) this.#growRing();
      const at = (this.#ringAt + this.#ringCount) & (this.#ring.length - 1);
      this.#ring[at] = place;
      this.#ring[at + 1] = row;
      this.#ringCount += 2;
      return;
    }
    const heap = this.#heap;
    const work = { place, row, from };
    let at = heap.length;
    heap.push(work);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (heap[parent]!.from <= from) break;
      heap[at] = heap[parent]!;
      at = parent;
    }
    heap[at] = work;
  }

  /** Moves to the next row; false at the end. */
  next(): boolean {
    if (this.#ringCount > 0) {
      this.place = this.#ring[this.#ringAt]!;
      this.row = this.#ring[this.#ringAt + 1]!;
      this.#ringAt = (this.#ringAt + 2) & (this.#ring.length - 1);
      this.#ringCount -= 2;
      return true;
    }
    const heap = this.#heap;
    if (heap.length === 0) return false;
    const first = heap[0]!;
    const last = heap.pop()!;
    if (heap.length > 0) {
      let at = 0;
      for (;;) {
        let child = at * 2 + 1;
        if (child >= heap.length) break;
        if (child + 1 < heap.length && heap[child + 1]!.from < heap[child]!.from) child++;
        if (heap[child]!.from >= last.from) break;
        heap[at] = heap[child]!;
        at = child;
      }
      heap[at] = last;
    }
    this.place = first.place;
    this.row = first.row;
    return true;
  }

  #growRing(): void {
    const wider = new Int32Array(this.#ring.length * 2);
    wider.set(this.#ring.subarray(this.#ringAt));
    wider.set(this.#ring.subarray(0, this.#ringAt), this.#ring.length - this.#ringAt);
    this.#ring = wider;
    this.#ringAt = 0;
  }
}

/** With more rows than this a set of them becomes a mark a row of the relation. */
const LISTED_ROWS_MAX = 1024;

/** Rows of one relation that were met already. */
class RowSet {
  readonly #listed = new Set<number>();
  #marks: Uint8Array | null = null;

  /** False: the row is in it already. */
  add(row: number, rowsEnd: number): boolean {
    if (this.#marks === null) {
      const { size } = this.#listed;
      if (size < LISTED_ROWS_MAX) return this.#listed.add(row).size > size;
      this.#marks = new Uint8Array(rowsEnd);
      for (const listed of this.#listed) this.#marks[listed] = 1;
    }
    if (this.#marks[row] === 1) return false;
    this.#marks[row] = 1;
    return true;
  }
}

/**
 * Rows in doubt, by ascending rank, each once. Rows added while one is looked at have a higher rank than it, and came
 * before the batch: no row that comes meanwhile is put into doubt.
 */
export class RowsByRank {
  readonly #byRank: number[][] = [];
  readonly #known: RowSet[];
  #rank = 0;
  seen = 0;
  place = 0;
  row = 0;

  constructor(readonly places: readonly WorkPlace[]) {
    this.#known = places.map(() => new RowSet());
  }

  add(place: number, row: number): void {
    const { relation } = this.places[place]!;
    if (!this.#known[place]!.add(row, relation.rowsEnd)) return;
    this.seen++;
    const rank = relation.rankOf(row);
    assert(rank >= this.#rank, "doubt spreads upwards");
    while (this.#byRank.length <= rank) this.#byRank.push([]);
    this.#byRank[rank]!.push(place, row);
  }

  next(): boolean {
    while (this.#rank < this.#byRank.length) {
      const rows = this.#byRank[this.#rank]!;
      if (rows.length > 0) {
        this.row = rows.pop()!;
        this.place = rows.pop()!;
        return true;
      }
      this.#rank++;
    }
    return false;
  }
}
