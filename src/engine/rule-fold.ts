/**
 * The rows of one group of a fold, each once however many matches give it, and the fold over them, cut where the set of
 * rows changes.
 */
import type { Datum } from "../datum";
import { type Aggregate, type FoldOp, fold, newAggregate } from "./rule-aggregate";
import type { RuleCalculus } from "./rule-calculus";
import { ALWAYS_SPANS, SpanGather, type Spans } from "./spans";

/** `undefined`: the folded expression has no value here, and the fold cannot take that; `LEFT_OUT`: the row is left out. */
export type RowValue = Datum | undefined | typeof LEFT_OUT;
export const LEFT_OUT: unique symbol = Symbol("row left out");

export interface FoldPiece {
  readonly from: number;
  readonly to: number;
  /** `undefined`: the group has no value, or rows the fold cannot take. */
  readonly value: Datum | undefined;
}

/** Used again from group to group, so that a group costs no objects. */
export class FoldRows {
  readonly #width: number;
  #count = 0;
  /** What tells rows apart, `#width` ints a row. */
  #ids: Int32Array;
  #from = new Float64Array(16);
  #to = new Float64Array(16);
  readonly #values: RowValue[] = [];
  /** Open addressing: a row plus one, or 0; its length is a power of two. */
  #table = new Int32Array(32);
  /** Where in the table each row stands, to empty it by. */
  #places = new Int32Array(16);
  /** Where several matches gave one row at different times. */
  readonly #spans = new Map<number, SpanGather>();

  /** `slots`: those that tell rows apart. */
  constructor(readonly slots: readonly number[]) {
    this.#width = slots.length;
    this.#ids = new Int32Array(16 * this.#width);
  }

  clear(): void {
    for (let row = 0; row < this.#count; row++) this.#table[this.#places[row]!] = 0;
    this.#count = 0;
    if (this.#spans.size > 0) this.#spans.clear();
  }

  /** The value is asked for when a row is new. */
  add(held: Int32Array, from: number, to: number, value: () => RowValue): void {
    const { slots } = this;
    let hash = 0;
    for (let i = 0; i < this.#width; i++) hash = Math.imul(hash ^ held[slots[i]!]!, 0x9e3779b1);
    hash ^= hash >>> 15;
    const mask = this.#table.length - 1;
    let place = hash & mask;
    for (let row = this.#table[place]! - 1; row >= 0; row = this.#table[place]! - 1) {
      if (this.#isRow(row, held)) {
        this.#again(row, from, to);
        return;
      }
      place = (place + 1) & mask;
    }
    const row = this.#count++;
    this.#table[place] = row + 1;
    this.#places[row] = place;
    this.#from[row] = from;
    this.#to[row] = to;
    for (let i = 0; i < this.#width; i++) this.#ids[row * this.#width + i] = held[slots[i]!]!;
    this.#values[row] = value();
    if (this.#count === this.#from.length) this.#grow();
  }

  #isRow(row: number, held: Int32Array): boolean {
    for (let i = 0; i < this.#width; i++) if (this.#ids[row * this.#width + i] !== held[this.slots[i]!]) return false;
    return true;
  }

  #again(row: number, from: number, to: number): void {
    if (this.#from[row]! <= from && to <= this.#to[row]!) return;
    let spans = this.#spans.get(row);
    if (spans === undefined) {
      spans = new SpanGather();
      spans.add(this.#from[row]!, this.#to[row]!);
      this.#spans.set(row, spans);
    }
    spans.add(from, to);
  }

  #grow(): void {
    const capacity = this.#from.length * 2;
    const grown = <T extends Int32Array | Float64Array>(into: T, column: T): T => {
      into.set(column);
      return into;
    };
    this.#ids = grown(new Int32Array(capacity * this.#width), this.#ids);
    this.#from = grown(new Float64Array(capacity), this.#from);
    this.#to = grown(new Float64Array(capacity), this.#to);
    this.#places = grown(new Int32Array(capacity), this.#places);
    this.#table = new Int32Array(capacity * 2);
    const mask = this.#table.length - 1;
    for (let row = 0; row < this.#count; row++) {
      let hash = 0;
      for (let i = 0; i < this.#width; i++) hash = Math.imul(hash ^ this.#ids[row * this.#width + i]!, 0x9e3779b1);
      hash ^= hash >>> 15;
      let place = hash & mask;
      while (this.#table[place] !== 0) place = (place + 1) & mask;
      this.#table[place] = row + 1;
      this.#places[row] = place;
    }
  }

  /** The fold over the group, to be kept; null where a row does not hold always, or the values have no answer to keep. */
  whole(op: FoldOp, calculus: RuleCalculus): Aggregate | null {
    if (!this.#allCover(Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY)) return null;
    const aggregate = newAggregate(op, calculus);
    for (let row = 0; row < this.#count; row++) {
      const value = this.#values[row];
      if (op === "count") aggregate.add(null);
      else if (value !== LEFT_OUT && !aggregate.add(value)) return null;
    }
    return aggregate;
  }

  /** The fold over the group within a span, cut where its rows change. */
  pieces(op: FoldOp, from: number, to: number, calculus: RuleCalculus): FoldPiece[] {
    const rows: { readonly value: Datum | undefined; readonly spans: Spans }[] = [];
    let cut = false;
    for (let row = 0; row < this.#count; row++) {
      const value = op === "count" ? null : this.#values[row];
      if (value === LEFT_OUT) continue;
      const covers = this.#covers(row, from, to);
      rows.push({ value, spans: covers ? ALWAYS_SPANS : this.#spansOf(row) });
      cut ||= !covers;
    }
    const values = rows.map(({ value }) => value);
    return cut ? sweep(op, rows, from, to, calculus) : [{ from, to, value: fold(op, values, calculus) }];
  }

  #spansOf(row: number): Spans {
    return this.#spans.get(row)?.spans() ?? [this.#from[row]!, this.#to[row]!];
  }

  #covers(row: number, from: number, to: number): boolean {
    return (this.#from[row]! <= from && to <= this.#to[row]!) || this.#spans.get(row)?.covers(from, to) === true;
  }

  #allCover(from: number, to: number): boolean {
    for (let row = 0; row < this.#count; row++) if (!this.#covers(row, from, to)) return false;
    return true;
  }
}

interface SpannedValue {
  readonly value: Datum | undefined;
  readonly spans: Spans;
}

/** Values come and go from the first instant to the last; where what is left cannot be told it is folded anew. */
function sweep(op: FoldOp, rows: readonly SpannedValue[], from: number, to: number, calculus: RuleCalculus): FoldPiece[] {
  const ends: { readonly at: number; readonly row: SpannedValue; readonly comes: boolean }[] = [];
  for (const row of rows) {
    for (let i = 0; i < row.spans.length; i += 2) {
      const begin = Math.max(row.spans[i]!, from);
      const end = Math.min(row.spans[i + 1]!, to);
      if (begin >= end) continue;
      ends.push({ at: begin, row, comes: true });
      if (end < to) ends.push({ at: end, row, comes: false });
    }
  }
  ends.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
  const there = new Set<SpannedValue>();
  let kept: Aggregate | null = newAggregate(op, calculus);
  const pieces: FoldPiece[] = [];
  for (let at = from, i = 0; ; ) {
    for (; i < ends.length && ends[i]!.at === at; i++) {
      const { row, comes } = ends[i]!;
      if (comes) there.add(row);
      else there.delete(row);
      if (kept !== null && !(comes ? kept.add(row.value) : kept.remove(row.value))) kept = null;
    }
    const end: number = ends[i]?.at ?? to;
    let value: Datum | undefined;
    if (kept !== null) value = kept.value();
    else {
      const values = Array.from(there, (row) => row.value);
      value = fold(op, values, calculus);
      kept = keptOf(op, values, calculus);
    }
    pieces.push({ from: at, to: end, value });
    if (i >= ends.length) return pieces;
    at = end;
  }
}

function keptOf(op: FoldOp, values: readonly (Datum | undefined)[], calculus: RuleCalculus): Aggregate | null {
  const kept = newAggregate(op, calculus);
  return values.every((value) => kept.add(value)) ? kept : null;
}
