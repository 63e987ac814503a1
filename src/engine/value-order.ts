/**
 * The one total order of storable values (rulings, "Value order"), and code point order of text.
 *
 * None, bools, numbers, text, bytes, datetimes, durations, subjects by (Kind, name), collections by type name
 * and canonical bytes. Numbers go by value, real part then imaginary, NaN after every other float; at equal
 * value int before float before complex, and `-0.0` before `0.0`. Two datums compare 0 exactly when they are
 * one stored value.
 */
import { Bytes, Complex, Datetime, type Datum, Duration, Float, type StoredCollection, Subject } from "../datum";
import { encodeDatum } from "./datum-code";

/** Negative, 0 or positive, as `a` comes before, is, or comes after `b`. */
export function compareDatums(a: Datum, b: Datum): number {
  if (typeof a === "string" && typeof b === "string") return compareText(a, b);
  if (typeof a === "number" && typeof b === "number") return a - b;
  const rank = rankOf(a);
  const other = rankOf(b);
  if (rank !== other) return rank - other;
  switch (rank) {
    case 0:
      return 0;
    case 1:
      return Number(a) - Number(b);
    case 2:
      return compareNumbers(a as NumberDatum, b as NumberDatum);
    case 3:
      return compareText(a as string, b as string);
    case 4:
      return compareBytes((a as Bytes).b, (b as Bytes).b);
    case 5:
      return (a as Datetime).micros - (b as Datetime).micros;
    case 6:
      return (a as Duration).micros - (b as Duration).micros;
    case 7:
      return compareText((a as Subject).kind, (b as Subject).kind) || compareText((a as Subject).name, (b as Subject).name);
    default:
      return compareText((a as StoredCollection).type, (b as StoredCollection).type) || compareBytes(encodeDatum(a), encodeDatum(b));
  }
}

/** By code points, which is not the order of UTF-16 units where astral characters meet U+E000–U+FFFF. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0;
  const shared = Math.min(a.length, b.length);
  for (let i = 0; i < shared; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x !== y) return x >= 0xd800 && y >= 0xd800 ? astralLast(x) - astralLast(y) : x - y;
  }
  return a.length - b.length;
}

export function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const shared = Math.min(a.length, b.length);
  for (let i = 0; i < shared; i++) if (a[i] !== b[i]) return a[i] - b[i];
  return a.length - b.length;
}

type NumberDatum = number | bigint | Float | Complex;

/** Moves surrogates above U+E000–U+FFFF, where the code points they spell belong. */
function astralLast(unit: number): number {
  return unit >= 0xe000 ? unit - 0x800 : unit + 0x2000;
}

function rankOf(d: Datum): number {
  switch (typeof d) {
    case "boolean":
      return 1;
    case "number":
    case "bigint":
      return 2;
    case "string":
      return 3;
  }
  if (d === null) return 0;
  if (d instanceof Float || d instanceof Complex) return 2;
  if (d instanceof Bytes) return 4;
  if (d instanceof Datetime) return 5;
  if (d instanceof Duration) return 6;
  if (d instanceof Subject) return 7;
  return 8;
}

function compareNumbers(a: NumberDatum, b: NumberDatum): number {
  return (
    compareReals(realPart(a), realPart(b)) ||
    compareReals(imaginaryPart(a), imaginaryPart(b)) ||
    typeRank(a) - typeRank(b) ||
    compareZeros(realPart(a), realPart(b)) ||
    compareZeros(imaginaryPart(a), imaginaryPart(b))
  );
}

function realPart(d: NumberDatum): number | bigint {
  return d instanceof Float ? d.v : d instanceof Complex ? d.re : d;
}

function imaginaryPart(d: NumberDatum): number {
  return d instanceof Complex ? d.im : 0;
}

function typeRank(d: NumberDatum): number {
  return d instanceof Float ? 1 : d instanceof Complex ? 2 : 0;
}

/** Exact also between a bigint and a double; NaN last. */
function compareReals(a: number | bigint, b: number | bigint): number {
  if (a < b) return -1;
  if (a > b) return 1;
  return Number(Number.isNaN(a)) - Number(Number.isNaN(b));
}

function compareZeros(a: number | bigint, b: number | bigint): number {
  return Number(Object.is(b, -0)) - Number(Object.is(a, -0));
}
