/**
 * Folds over the rows of a group, cut where the set of rows changes.
 *
 * Order-free and exact, so that nothing depends on the order of writes: ints are added exactly, floats as the exactly
 * rounded value of the exact sum (rulings, "Folds and numbers"). The exact sum is kept as an integer multiple of
 * 2^-1074, the grain of every double.
 */
import { type Datum, Float, type Int } from "../datum";
import type { RuleCalculus } from "./rule-calculus";
import { holdsAt, SpanGather } from "./spans";
import { compareDatums } from "./value-order";

/** `undefined`: the folded expression has no value here, and the fold cannot take that; `LEFT_OUT`: the row is left out. */
export type RowValue = Datum | undefined | typeof LEFT_OUT;
export const LEFT_OUT: unique symbol = Symbol("row left out");

export interface FoldPiece {
  readonly from: number;
  readonly to: number;
  /** `undefined`: the group has no value, or rows the fold cannot take. */
  readonly value: Datum | undefined;
}

type FoldOp = "count" | "sum" | "min" | "max" | "avg";

/** The rows of one group, each once however many matches give it. Kept from group to group, so that a group costs no objects. */
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

  /** The fold over the group within a span, cut where its rows change. */
  pieces(op: FoldOp, from: number, to: number, calculus: RuleCalculus): FoldPiece[] {
    if (op === "count" && this.#allCover(from, to)) return [{ from, to, value: this.#count }];
    const values = this.#values.slice(0, this.#count);
    if (this.#allCover(from, to)) return [{ from, to, value: fold(op, kept(values), calculus) }];
    const rows = values.flatMap((value, row) => {
      if (op !== "count" && value === LEFT_OUT) return [];
      return [{ value, spans: this.#spans.get(row)?.spans() ?? [this.#from[row]!, this.#to[row]!] }];
    });
    const cuts = new Set<number>([from]);
    for (const { spans } of rows) for (const end of spans) if (end > from && end < to) cuts.add(end);
    const starts = [...cuts].sort((a, b) => a - b);
    return starts.map((start, i) => {
      const there = rows.filter((row) => holdsAt(row.spans, start === Number.NEGATIVE_INFINITY ? firstInside(starts, i, to) : start));
      return {
        from: start,
        to: starts[i + 1] ?? to,
        value: fold(
          op,
          there.map((row) => row.value as Datum | undefined),
          calculus,
        ),
      };
    });
  }

  #allCover(from: number, to: number): boolean {
    for (let row = 0; row < this.#count; row++) {
      if (this.#from[row]! <= from && to <= this.#to[row]!) continue;
      if (this.#spans.get(row)?.covers(from, to) !== true) return false;
    }
    return true;
  }
}

function kept(values: readonly RowValue[]): readonly (Datum | undefined)[] {
  const some = values.includes(LEFT_OUT) ? values.filter((value) => value !== LEFT_OUT) : values;
  return some as readonly (Datum | undefined)[];
}

/** Some instant of an open beginning. */
function firstInside(starts: readonly number[], i: number, to: number): number {
  const end = starts[i + 1] ?? to;
  return end === Number.POSITIVE_INFINITY ? 0 : end - 1;
}

/** The folded value, or undefined. `values` in any order. */
export function fold(op: FoldOp, values: readonly (Datum | undefined)[], calculus: RuleCalculus): Datum | undefined {
  if (op === "count") return values.length;
  for (const value of values) if (value === undefined || value === null) return undefined;
  const held = values as readonly Datum[];
  if (op === "sum") return held.length === 0 ? 0 : sum(held);
  if (held.length === 0) return undefined;
  if (op === "avg") return average(held);
  return extreme(op, held, calculus);
}

function isNumber(value: Datum): value is Int | Float {
  return typeof value === "number" || typeof value === "bigint" || value instanceof Float;
}

function sum(values: readonly Datum[]): Datum | undefined {
  let ints = 0n;
  let small = 0;
  let floats: number[] | null = null;
  for (const value of values) {
    if (!isNumber(value)) return undefined;
    if (value instanceof Float) (floats ??= []).push(value.v);
    else if (typeof value === "number") {
      small += value;
      if (!Number.isSafeInteger(small)) {
        ints += BigInt(small - value) + BigInt(value);
        small = 0;
      }
    } else ints += value;
  }
  const whole = ints + BigInt(small);
  if (floats === null) return normal(whole);
  return rounded(whole, floats, 1n);
}

function average(values: readonly Datum[]): Datum | undefined {
  let whole = 0n;
  const floats: number[] = [];
  for (const value of values) {
    if (!isNumber(value)) return undefined;
    if (value instanceof Float) floats.push(value.v);
    else whole += BigInt(value);
  }
  return rounded(whole, floats, BigInt(values.length));
}

function normal(value: bigint): Int {
  return value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : value;
}

/** `(whole + Σ floats) / count`, rounded once to the nearest double, ties to even; undefined beyond the floats or where an infinity or NaN stands. */
function rounded(whole: bigint, floats: readonly number[], count: bigint): Float | undefined {
  let infinite = 0;
  let grains = whole << 1074n;
  for (const value of floats) {
    if (Number.isNaN(value)) return new Float(Number.NaN);
    if (!Number.isFinite(value)) {
      if (infinite !== 0 && infinite !== value) return new Float(Number.NaN);
      infinite = value;
    } else grains += grainsOf(value);
  }
  if (infinite !== 0) return new Float(infinite);
  const result = nearestDouble(grains, count << 1074n);
  return Number.isFinite(result) ? new Float(result) : undefined;
}

const BITS = new DataView(new ArrayBuffer(8));

/** A finite double as a multiple of 2^-1074. */
function grainsOf(value: number): bigint {
  BITS.setFloat64(0, value);
  const bits = BITS.getBigUint64(0);
  const exponent = (bits >> 52n) & 0x7ffn;
  const fraction = bits & 0xfffffffffffffn;
  const grains = exponent === 0n ? fraction : (fraction | 0x10000000000000n) << (exponent - 1n);
  return bits >> 63n === 1n ? -grains : grains;
}

/** The double nearest to `top / bottom`; `bottom` is positive. */
function nearestDouble(top: bigint, bottom: bigint): number {
  if (top === 0n) return 0;
  const negative = top < 0n;
  const size = negative ? -top : top;
  // Quotient with at least 55 significant bits, and whether anything was left over.
  const shift = BigInt(Math.max(0, 56 - (size.toString(2).length - bottom.toString(2).length)));
  const scaled = size << shift;
  let quotient = scaled / bottom;
  if (quotient * bottom !== scaled) quotient = (quotient << 1n) | 1n;
  else quotient <<= 1n;
  const result = scaleExact(quotient, -Number(shift) - 1);
  return negative ? -result : result;
}

/** `mantissa · 2^exponent` rounded once: the mantissa's last bit is sticky. */
function scaleExact(mantissa: bigint, exponent: number): number {
  const length = mantissa.toString(2).length;
  // Bits the result can hold: 53, or fewer below the normal range.
  const lowest = Math.max(length + exponent - 53, -1074);
  const drop = lowest - exponent;
  let kept = mantissa;
  if (drop > 0) {
    const cut = BigInt(drop);
    const half = 1n << (cut - 1n);
    const rest = mantissa & ((1n << cut) - 1n);
    kept = mantissa >> cut;
    if (rest > half || (rest === half && (kept & 1n) === 1n)) kept += 1n;
  }
  const power = drop > 0 ? lowest : exponent;
  return power < -1000
    ? Number(kept) * 2 ** -1000 * 2 ** (power + 1000)
    : power > 970
      ? Number(kept) * 2 ** 970 * 2 ** (power - 970)
      : Number(kept) * 2 ** power;
}

function extreme(op: "min" | "max", values: readonly Datum[], calculus: RuleCalculus): Datum | undefined {
  let best: Datum = values[0]!;
  if (isNaNumber(best)) return undefined;
  for (const value of values.slice(1)) {
    if (isNaNumber(value)) return undefined;
    const better: boolean | undefined = op === "min" ? calculus.compare("<", value, best) : calculus.compare(">", value, best);
    if (better === undefined) return undefined;
    if (better || (calculus.compare("==", value, best) === true && compareDatums(value, best) < 0)) best = value;
  }
  return best;
}

function isNaNumber(value: Datum): boolean {
  return value instanceof Float && Number.isNaN(value.v);
}
