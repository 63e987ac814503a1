/**
 * What a fold makes of the values of a group, with values coming and going one at a time.
 *
 * Order-free and exact, so that nothing depends on the order of writes, nor on what came and went: ints are added
 * exactly, floats as the exactly rounded value of the exact sum (rulings, "Folds and numbers"). The exact sum is kept as
 * an integer multiple of 2^-1074, the grain of every double, so that taking a float out again leaves what there was.
 *
 * Knows values only; which rows a group has is rule-fold.ts, keeping it over changes rule-group.ts.
 */
import { type Datum, Float, type Int, StoredCollection } from "../datum";
import type { RuleCalculus } from "./rule-calculus";
import { compareDatums } from "./value-order";

export type FoldOp = "count" | "sum" | "min" | "max" | "avg";

/** `undefined` among the values: the folded expression has no value there, which no fold but `count` can take. */
export interface Aggregate {
  /** False: the values have no answer that could be kept, and the group has to be folded anew. */
  add(value: Datum | undefined): boolean;
  /** A value that was added. False: what is left cannot be told without looking at it. */
  remove(value: Datum | undefined): boolean;
  /** `undefined`: the group has no value, or values the fold cannot take. */
  value(): Datum | undefined;
}

export function newAggregate(op: FoldOp, calculus: RuleCalculus): Aggregate {
  if (op === "count") return new Count();
  if (op === "sum" || op === "avg") return new ExactSum(op);
  return new Extreme(op, calculus);
}

/** The folded value, or undefined. `values` in any order. */
export function fold(op: FoldOp, values: readonly (Datum | undefined)[], calculus: RuleCalculus): Datum | undefined {
  if ((op === "min" || op === "max") && values.some((value) => value instanceof StoredCollection)) return ordered(op, values, calculus);
  const aggregate = newAggregate(op, calculus);
  for (const value of values) if (!aggregate.add(value)) return undefined;
  return aggregate.value();
}

class Count implements Aggregate {
  #count = 0;
  add(): boolean {
    this.#count++;
    return true;
  }
  remove(): boolean {
    this.#count--;
    return true;
  }
  value(): Datum {
    return this.#count;
  }
}

class ExactSum implements Aggregate {
  readonly #op: "sum" | "avg";
  #count = 0;
  /** Values that cannot be added. */
  #unfit = 0;
  /** The ints are `#large + #small`; `#small` is safe. */
  #small = 0;
  #large = 0n;
  #floats = 0;
  #nans = 0;
  #infinities = 0;
  #minusInfinities = 0;
  /** Of the finite floats, in grains. */
  #grains = 0n;

  constructor(op: "sum" | "avg") {
    this.#op = op;
  }

  add(value: Datum | undefined): boolean {
    return this.#change(value, 1);
  }
  remove(value: Datum | undefined): boolean {
    return this.#change(value, -1);
  }

  #change(value: Datum | undefined, sign: 1 | -1): boolean {
    this.#count += sign;
    if (typeof value === "number") {
      const small = this.#small + sign * value;
      if (Number.isSafeInteger(small)) this.#small = small;
      else {
        this.#large += BigInt(this.#small) + BigInt(sign * value);
        this.#small = 0;
      }
    } else if (typeof value === "bigint") this.#large += sign > 0 ? value : -value;
    else if (value instanceof Float) this.#changeFloat(value.v, sign);
    else this.#unfit += sign;
    return true;
  }

  #changeFloat(value: number, sign: 1 | -1): void {
    this.#floats += sign;
    if (Number.isNaN(value)) this.#nans += sign;
    else if (value === Number.POSITIVE_INFINITY) this.#infinities += sign;
    else if (value === Number.NEGATIVE_INFINITY) this.#minusInfinities += sign;
    else this.#grains += sign > 0 ? grainsOf(value) : -grainsOf(value);
  }

  value(): Datum | undefined {
    if (this.#unfit > 0) return undefined;
    if (this.#count === 0) return this.#op === "sum" ? 0 : undefined;
    if (this.#op === "avg") return this.#rounded(BigInt(this.#count));
    if (this.#floats > 0) return this.#rounded(1n);
    return this.#large === 0n ? this.#small : normal(this.#large + BigInt(this.#small));
  }

  /** `sum / count`, rounded once to the nearest double, ties to even; undefined beyond the floats. */
  #rounded(count: bigint): Float | undefined {
    if (this.#nans > 0 || (this.#infinities > 0 && this.#minusInfinities > 0)) return new Float(Number.NaN);
    if (this.#infinities > 0) return new Float(Number.POSITIVE_INFINITY);
    if (this.#minusInfinities > 0) return new Float(Number.NEGATIVE_INFINITY);
    const grains = ((this.#large + BigInt(this.#small)) << 1074n) + this.#grains;
    const result = nearestDouble(grains, count << 1074n);
    return Number.isFinite(result) ? new Float(result) : undefined;
  }
}

/** Least or greatest. Scalars of one sort are in one order; what has no order with the others leaves the group without a value. */
class Extreme implements Aggregate {
  readonly #op: "min" | "max";
  readonly #calculus: RuleCalculus;
  #count = 0;
  #unfit = 0;
  #best: Datum = null;
  /** How many of the values are this very one. */
  #bestCount = 0;

  constructor(op: "min" | "max", calculus: RuleCalculus) {
    this.#op = op;
    this.#calculus = calculus;
  }

  add(value: Datum | undefined): boolean {
    if (isUnfit(value)) {
      this.#unfit++;
      return true;
    }
    // Collections may have an order with some others and none with the rest: which it is depends on all of them.
    if (value instanceof StoredCollection) return false;
    if (this.#count > 0) {
      const better = isBetter(this.#op, value, this.#best, this.#calculus);
      if (better === undefined) return false;
      this.#count++;
      if (better) {
        this.#best = value;
        this.#bestCount = 1;
      } else if (compareDatums(value, this.#best) === 0) this.#bestCount++;
      return true;
    }
    this.#count = 1;
    this.#best = value;
    this.#bestCount = 1;
    return true;
  }

  remove(value: Datum | undefined): boolean {
    if (isUnfit(value)) {
      this.#unfit--;
      return true;
    }
    this.#count--;
    if (compareDatums(value, this.#best) === 0) this.#bestCount--;
    return this.#bestCount > 0 || this.#count === 0;
  }

  value(): Datum | undefined {
    return this.#unfit > 0 || this.#count === 0 ? undefined : this.#best;
  }
}

function isUnfit(value: Datum | undefined): value is null | undefined {
  return value === undefined || value === null || (value instanceof Float && Number.isNaN(value.v));
}

/** Undefined where the two have no order. Of equal values the least in value order is the better. */
function isBetter(op: "min" | "max", value: Datum, best: Datum, calculus: RuleCalculus): boolean | undefined {
  const beyond = calculus.compare(op === "min" ? "<" : ">", value, best);
  if (beyond !== false) return beyond;
  return calculus.compare("==", value, best) === true && compareDatums(value, best) < 0;
}

/** As Python would find it in a list of the values in value order. */
function ordered(op: "min" | "max", values: readonly (Datum | undefined)[], calculus: RuleCalculus): Datum | undefined {
  if (values.some(isUnfit)) return undefined;
  const [first, ...rest] = (values as readonly Datum[]).slice().sort(compareDatums);
  let best: Datum = first!;
  for (const value of rest) {
    const better = isBetter(op, value, best, calculus);
    if (better === undefined) return undefined;
    if (better) best = value;
  }
  return best;
}

function normal(value: bigint): Int {
  return value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : value;
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
