/**
 * `datetime` and `duration`: how programs build them, read their parts and compute with them (language.md §2).
 *
 * An instant is UTC, years 1–9999; a duration is exact time, so it has no years and no months. What the microsecond
 * counter of datum.ts cannot hold exactly refuses `invalid_value` instead of being rounded.
 */
import { Datetime, Duration, Float, type Int } from "../../datum";
import { Refusal } from "../../failure";
import type { BinaryOp } from "../syntax/ast";
import { raise } from "./exception";
import { integerRatio } from "./float-digits";
import {
  type Civil,
  civilOf,
  dateText,
  exactNumber,
  instantText,
  isInstant,
  LENGTH_MICROS_MAX,
  lengthText,
  parseInstant,
  parseLength,
  SECOND,
} from "./instant-text";
import { intFloorDiv, intFromDouble, intMod, intTrueDiv } from "./int";
import { strRepr } from "./str";
import type { Value } from "./value";

/** `datetime(text)`. */
export function datetimeOf(text: string): Datetime {
  const micros = parseInstant(text);
  if (typeof micros === "number") return new Datetime(micros);
  const shown = strRepr(text);
  switch (micros) {
    case "no offset":
      return raise("ValueError", `datetime ${shown} has no offset: end it with Z or with an offset like +02:00`);
    case "field":
      return raise("ValueError", `datetime ${shown} has a month, day, hour, minute, second or offset out of range`);
    case "years":
      return raise("ValueError", `datetime ${shown} is outside the years 1 to 9999`);
    case "inexact":
      throw inexact(shown);
    default:
      return raise("ValueError", `invalid datetime ${shown}: write it like 2026-01-01T00:00:00Z`);
  }
}

/** `duration(text)`. */
export function durationOf(text: string): Duration {
  const micros = parseLength(text);
  if (typeof micros === "number") return new Duration(micros);
  const shown = strRepr(text);
  switch (micros) {
    case "calendar":
      return raise("ValueError", `duration ${shown} has years or months, which have no fixed length: write weeks, days or less`);
    case "too long":
      return raise("OverflowError", "duration out of range");
    case "inexact":
      throw inexact(shown);
    default:
      return raise("ValueError", `invalid duration ${shown}: write it like PT1H or P1DT30M`);
  }
}

function inexact(what: string): Refusal {
  return new Refusal("invalid_value", `${what} needs microseconds that cannot be kept so far from 1970 (whole seconds can)`);
}

/** Keyword → microseconds, the arguments of `duration(days=1, hours=2)`. */
export const DURATION_UNITS: ReadonlyMap<string, number> = new Map([
  ["weeks", 604_800 * SECOND],
  ["days", 86_400 * SECOND],
  ["hours", 3_600 * SECOND],
  ["minutes", 60 * SECOND],
  ["seconds", SECOND],
  ["milliseconds", 1_000],
  ["microseconds", 1],
]);

/** `duration(**parts)`: the exact sum of the parts, rounded once to microseconds, halves to even. */
export function durationFromParts(parts: ReadonlyMap<string, Int | Float>): Duration {
  let numerator = 0n;
  let denominator = 1n;
  for (const [unit, count] of parts) {
    const [n, d] = ratioOf(count);
    const scaled = n * BigInt(DURATION_UNITS.get(unit)!);
    // Denominators are powers of two: the larger is the common one.
    if (d > denominator) {
      numerator = numerator * (d / denominator) + scaled;
      denominator = d;
    } else numerator += scaled * (denominator / d);
  }
  return lengthFromRatio(numerator, denominator);
}

/** A finite number as numerator and positive denominator. */
function ratioOf(v: Int | Float): [bigint, bigint] {
  if (!(v instanceof Float)) return [BigInt(v), 1n];
  if (Number.isNaN(v.v)) raise("ValueError", "cannot convert float NaN to integer");
  if (!Number.isFinite(v.v)) raise("OverflowError", "cannot convert float infinity to integer");
  const [n, d] = integerRatio(v.v);
  return [BigInt(n), BigInt(d)];
}

/** n/d microseconds (d not 0), halves to even. */
function lengthFromRatio(n: bigint, d: bigint): Duration {
  const negative = n < 0n !== d < 0n;
  const a = n < 0n ? -n : n;
  const b = d < 0n ? -d : d;
  let q = a / b;
  const twice = (a - q * b) * 2n;
  if (twice > b || (twice === b && (q & 1n) === 1n)) q += 1n;
  return lengthFromMicros(negative ? -q : q);
}

function lengthFromMicros(micros: bigint): Duration {
  const size = micros < 0n ? -micros : micros;
  if (size > BigInt(LENGTH_MICROS_MAX)) raise("OverflowError", "duration out of range");
  const n = exactNumber(micros);
  if (n === null) throw inexact("this duration");
  return new Duration(n);
}

function instantFromMicros(micros: bigint): Datetime {
  const n = exactNumber(micros);
  if (!isInstant(Number(micros))) raise("OverflowError", "date value out of range");
  if (n === null) throw inexact("this datetime");
  return new Datetime(n);
}

/** a + sign * b of two counts of microseconds. */
function sum(a: number, b: number, sign: 1 | -1): bigint {
  const r = a + sign * b;
  return Number.isSafeInteger(r) && Number.isSafeInteger(a) && Number.isSafeInteger(b) ? BigInt(r) : BigInt(a) + BigInt(sign) * BigInt(b);
}

/** `a op b` where one is a datetime or a duration; undefined where the operator has no such operands. */
export function datetimeBinary(op: BinaryOp, a: Value, b: Value): Value | undefined {
  if (a instanceof Datetime) {
    if (b instanceof Duration && (op === "+" || op === "-")) return instantFromMicros(sum(a.micros, b.micros, op === "+" ? 1 : -1));
    if (b instanceof Datetime && op === "-") return lengthFromMicros(sum(a.micros, b.micros, -1));
    return undefined;
  }
  if (b instanceof Datetime) return a instanceof Duration && op === "+" ? instantFromMicros(sum(b.micros, a.micros, 1)) : undefined;
  if (a instanceof Duration && b instanceof Duration) return lengthsBinary(op, a, b);
  if (b instanceof Duration) return op === "*" ? scaled(b, a, false) : undefined;
  if (!(a instanceof Duration)) return undefined;
  if (op === "*") return scaled(a, b, false);
  if (op === "/") return scaled(a, b, true);
  if (op === "//" && isIntValue(b)) return lengthFromMicros(BigInt(intFloorDiv(intFromDouble(a.micros), plain(b))));
  return undefined;
}

function lengthsBinary(op: BinaryOp, a: Duration, b: Duration): Value | undefined {
  switch (op) {
    case "+":
      return lengthFromMicros(sum(a.micros, b.micros, 1));
    case "-":
      return lengthFromMicros(sum(a.micros, b.micros, -1));
    case "/":
      return new Float(intTrueDiv(intFromDouble(a.micros), intFromDouble(b.micros)));
    case "//":
      return intFloorDiv(intFromDouble(a.micros), intFromDouble(b.micros));
    case "%":
      return lengthFromMicros(BigInt(intMod(intFromDouble(a.micros), intFromDouble(b.micros))));
    default:
      return undefined;
  }
}

function isIntValue(v: Value): v is Int | boolean {
  return typeof v === "number" || typeof v === "bigint" || typeof v === "boolean";
}
function plain(v: Int | boolean): Int {
  return typeof v === "boolean" ? Number(v) : v;
}

/** d * factor, or d / factor; undefined where factor is not a real number. */
function scaled(d: Duration, factor: Value, divide: boolean): Duration | undefined {
  if (!isIntValue(factor) && !(factor instanceof Float)) return undefined;
  const [n, m] = ratioOf(factor instanceof Float ? factor : plain(factor));
  if (!divide) return lengthFromRatio(BigInt(d.micros) * n, m);
  if (n === 0n) raise("ZeroDivisionError", "division by zero");
  return lengthFromRatio(BigInt(d.micros) * m, n);
}

export function durationNeg(d: Duration): Duration {
  return new Duration(0 - d.micros);
}
export function durationAbs(d: Duration): Duration {
  return new Duration(Math.abs(d.micros));
}

/** Attributes of a datetime that are ints. */
export const DATETIME_PARTS: ReadonlySet<string> = new Set(["year", "month", "day", "hour", "minute", "second", "microsecond"]);

/** `d.year` … `d.microsecond`, or undefined. */
export function datetimePart(d: Datetime, name: string): number | undefined {
  return DATETIME_PARTS.has(name) ? civilOf(d.micros)[name as keyof Civil] : undefined;
}
/** `d.weekday()`: Monday is 0. */
export function datetimeWeekday(d: Datetime): number {
  return civilOf(d.micros).weekday;
}
/** `d.date()`: `2026-01-01`. */
export function datetimeDate(d: Datetime): string {
  return dateText(civilOf(d.micros));
}
/** `str(d)`, and how it prints anywhere. */
export function datetimeText(d: Datetime): string {
  return instantText(d.micros);
}
/** `d.total_seconds()`. */
export function durationSeconds(d: Duration): Float {
  return new Float(d.micros / SECOND);
}
/** `str(d)`, and how it prints anywhere. */
export function durationText(d: Duration): string {
  return lengthText(d.micros);
}
