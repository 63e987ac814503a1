/** Methods and attributes of the number types, datetime and duration, by CPython's name of the type (attribute.ts). */
import { Complex, type Datetime, type Duration, Float, type Int } from "../../datum";
import { bindArgs, type Kwargs, noArgs, parameters } from "./arguments";
import type { Method, Property, TypeTables } from "./attribute";
import { DATETIME_PARTS, datetimeDate, datetimePart, datetimeWeekday, durationSeconds } from "./datetime";
import { raise } from "./exception";
import { integerRatio } from "./float-digits";
import { floatHex } from "./float-text";
import { sizeOf } from "./index-of";
import { bitLength } from "./int";
import { bitCount, intToBytes } from "./int-text";
import { truthy } from "./protocol-iterate";
import { typeName } from "./protocol-type";
import { PyTuple, type Value } from "./value";

/** A method without arguments. */
function plain<Self>(qualified: string, of: (self: Self) => Value): [string, Method] {
  return [
    qualified.slice(qualified.indexOf(".") + 1),
    (self: Self, args, kwargs) => {
      noArgs(qualified, args, kwargs);
      return of(self);
    },
  ];
}

const intOf = (v: Int | boolean): Int => (typeof v === "boolean" ? Number(v) : v);

const TO_BYTES = parameters("to_bytes", "length byteorder signed", 0, 2);

function toBytes(self: Int | boolean, args: readonly Value[], kwargs: Kwargs): Value {
  const [length = 1, order = "big", signed = false] = bindArgs(TO_BYTES, args, kwargs);
  const size = sizeOf(length);
  if (typeof order !== "string") raise("TypeError", `to_bytes() argument 'byteorder' must be str, not ${typeName(order)}`);
  return intToBytes(intOf(self), size, order, truthy(signed));
}

const INT_METHODS: ReadonlyMap<string, Method> = new Map<string, Method>([
  plain("int.bit_length", (i: Int | boolean) => bitLength(intOf(i))),
  plain("int.bit_count", (i: Int | boolean) => bitCount(intOf(i))),
  plain("int.as_integer_ratio", (i: Int | boolean) => new PyTuple([intOf(i), 1])),
  plain("int.conjugate", intOf),
  ["to_bytes", toBytes],
]);
const INT_PROPERTIES: ReadonlyMap<string, Property> = new Map<string, Property>([
  ["real", intOf],
  ["imag", () => 0],
  ["numerator", intOf],
  ["denominator", () => 1],
]);

function ratio({ v }: Float): Value {
  if (Number.isNaN(v)) raise("ValueError", "cannot convert NaN to integer ratio");
  if (!Number.isFinite(v)) raise("OverflowError", "cannot convert Infinity to integer ratio");
  return new PyTuple(integerRatio(v));
}

const FLOAT_METHODS: ReadonlyMap<string, Method> = new Map<string, Method>([
  plain("float.is_integer", (x: Float) => Number.isInteger(x.v)),
  plain("float.as_integer_ratio", ratio),
  plain("float.hex", (x: Float) => floatHex(x.v)),
  plain("float.conjugate", (x: Float) => x),
]);
const FLOAT_PROPERTIES: ReadonlyMap<string, Property> = new Map<string, Property>([
  ["real", (x: Float) => x],
  ["imag", () => new Float(0)],
]);

const COMPLEX_METHODS: ReadonlyMap<string, Method> = new Map<string, Method>([
  plain("complex.conjugate", (z: Complex) => new Complex(z.re, -z.im)),
]);
const COMPLEX_PROPERTIES: ReadonlyMap<string, Property> = new Map<string, Property>([
  ["real", (z: Complex) => new Float(z.re)],
  ["imag", (z: Complex) => new Float(z.im)],
]);

const DATETIME_METHODS: ReadonlyMap<string, Method> = new Map<string, Method>([
  plain("datetime.weekday", datetimeWeekday),
  plain("datetime.date", datetimeDate),
]);
const DATETIME_PROPERTIES: ReadonlyMap<string, Property> = new Map<string, Property>(
  [...DATETIME_PARTS].map((name) => [name, (d: Datetime) => datetimePart(d, name)!]),
);

const DURATION_METHODS: ReadonlyMap<string, Method> = new Map<string, Method>([
  plain("duration.total_seconds", (d: Duration) => durationSeconds(d)),
]);

export const NUMBER_TABLES: readonly (readonly [string, TypeTables])[] = [
  ["int", { methods: INT_METHODS, properties: INT_PROPERTIES }],
  ["bool", { methods: INT_METHODS, properties: INT_PROPERTIES }],
  ["float", { methods: FLOAT_METHODS, properties: FLOAT_PROPERTIES }],
  ["complex", { methods: COMPLEX_METHODS, properties: COMPLEX_PROPERTIES }],
  ["datetime", { methods: DATETIME_METHODS, properties: DATETIME_PROPERTIES }],
  ["duration", { methods: DURATION_METHODS, properties: new Map() }],
];
