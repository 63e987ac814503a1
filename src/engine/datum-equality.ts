/**
 * Which stored values Python's `==` finds equal: one of them stands for all.
 *
 * `1`, `1.0` and `True` are one; a set equals a frozenset, a dict one in another order, a range one of the same numbers;
 * a NaN equals nothing, nor does what holds one. Joins compare the ids of those that stand for the values (symbol.ts).
 */
import { Complex, type Datum, Float, StoredCollection } from "../datum";
import { compareDatums } from "./value-order";

/** The one value that stands for all that equal `datum` in Python; undefined where nothing does. */
export function equalityRepresentative(datum: Datum): Datum | undefined {
  switch (typeof datum) {
    case "boolean":
      return datum ? 1 : 0;
    case "object":
      break;
    default:
      return datum;
  }
  if (datum instanceof Float) return integral(datum.v);
  if (datum instanceof Complex) {
    if (datum.im === 0) return integral(datum.re);
    if (Number.isNaN(datum.re) || Number.isNaN(datum.im)) return undefined;
    return new Complex(datum.re + 0, datum.im);
  }
  return datum instanceof StoredCollection ? equalCollection(datum) : datum;
}

/** Every scalar that equals this one, itself among them; none for NaN; null for a collection, of which there are too many. */
export function equalScalars(datum: Datum): readonly Datum[] | null {
  if (datum instanceof StoredCollection) return null;
  const same = equalityRepresentative(datum);
  if (same === undefined) return [];
  if (same instanceof Complex) return zeros(same.re).map((re) => new Complex(re, same.im));
  const value = same instanceof Float ? same.v : typeof same === "number" || typeof same === "bigint" ? Number(same) : null;
  if (value === null) return [same];
  const equal: Datum[] = same instanceof Float ? [] : [same];
  if (same === 0 || same === 1) equal.push(same === 1);
  // An int between two doubles equals neither.
  if (typeof same === "bigint" && (!Number.isFinite(value) || BigInt(value) !== same)) return equal;
  for (const re of zeros(value)) equal.push(new Float(re), new Complex(re, 0), new Complex(re, -0));
  return equal;
}

/** A double in each of its forms: there are two zeros. */
function zeros(value: number): number[] {
  return value === 0 ? [0, -0] : [value];
}

/** An integral double as its int; NaN has no equal. */
function integral(value: number): Datum | undefined {
  if (Number.isNaN(value)) return undefined;
  if (!Number.isInteger(value)) return new Float(value);
  return Number.isSafeInteger(value) ? value + 0 : BigInt(value);
}

function equalCollection(datum: StoredCollection): Datum | undefined {
  if (datum.type === "range") return equalRange(datum);
  const items: Datum[] = [];
  let isOwn = true;
  let staysInOrder = true;
  for (const item of datum.items) {
    const same = equalityRepresentative(item);
    if (same === undefined) return undefined;
    if (same !== item) isOwn = false;
    if (typeof item === "boolean" || item instanceof StoredCollection) staysInOrder = false;
    items.push(same);
  }
  if (datum.type === "list" || datum.type === "tuple") return isOwn ? datum : new StoredCollection(datum.type, items);
  if (datum.type === "dict") return new StoredCollection("dict", sortedPairs(items));
  // A set is in value order, and so are those that stand for its numbers and texts.
  if (!staysInOrder) items.sort(compareDatums);
  return isOwn && staysInOrder && datum.type === "frozenset" ? datum : new StoredCollection("frozenset", items);
}

/** Ranges are equal as sequences. */
function equalRange(datum: StoredCollection): Datum {
  const [start, stop, step] = datum.items.map((item) => BigInt(item as number | bigint));
  const span = step > 0n ? stop - start : start - stop;
  const size = step > 0n ? step : -step;
  const length = span > 0n ? (span + size - 1n) / size : 0n;
  const last = start + (length - 1n) * step;
  const parts = length === 0n ? [0n] : length === 1n ? [1n, start] : [length, start, last];
  return new StoredCollection("range", parts.map(normalInt));
}

function sortedPairs(items: readonly Datum[]): Datum[] {
  const pairs: [Datum, Datum][] = [];
  for (let i = 0; i < items.length; i += 2) pairs.push([items[i], items[i + 1]]);
  return pairs.sort(([x], [y]) => compareDatums(x, y)).flat();
}

function normalInt(value: bigint): number | bigint {
  return value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : value;
}
