/**
 * The values a store can hold, shared by the store and the language so that a write converts nothing.
 *
 * Scalars are the same JavaScript values in both: `null` (None; stored, an asserted absence), boolean,
 * int as `number` (a safe integer) or `bigint` (canonical: never one that fits a safe integer), text as
 * a well-formed `string` (no lone surrogates), and the small classes below. A *bare* JavaScript number is
 * always an int; floats are always `Float`.
 * Collections are mutable in the language and therefore differ: `StoredCollection` is their frozen form.
 */

/** An int: a safe-integer `number`, else a `bigint`. Never -0. */
export type Int = number | bigint;

/** IEEE double, boxed so that `1` and `1.0` stay two values. */
export class Float {
  constructor(readonly v: number) {}
}
export class Complex {
  constructor(
    readonly re: number,
    readonly im: number,
  ) {}
}
/** Immutable bytes. */
export class Bytes {
  constructor(readonly b: Uint8Array) {}
}
/** An instant, UTC, in whole microseconds since 1970-01-01T00:00:00Z; years 1–9999, so up to 2^58: an integer that a double holds exactly, not always a safe one. */
export class Datetime {
  constructor(readonly micros: number) {}
}
/** A length of time in microseconds; a safe integer. */
export class Duration {
  constructor(readonly micros: number) {}
}
/** A subject: `kind` is qualified (`family.Person`) where a module declares it, else bare. Compared by both. */
export class Subject {
  constructor(
    readonly kind: string,
    readonly name: string,
  ) {}
}
/** A literal collection as stored. `items` of a dict alternate key, value; of a set they are in value order. */
export class StoredCollection {
  constructor(
    readonly type: "list" | "tuple" | "dict" | "set" | "frozenset" | "range",
    readonly items: readonly Datum[],
  ) {}
}

export type Scalar = null | boolean | number | bigint | string | Float | Complex | Bytes | Datetime | Duration | Subject;
export type Datum = Scalar | StoredCollection;

/** Type words of fields and transcripts (rulings, "Transcript and result words"). */
export type DatumType =
  | "none"
  | "bool"
  | "int"
  | "real"
  | "complex"
  | "string"
  | "blob"
  | "datetime"
  | "duration"
  | "subject"
  | "list"
  | "tuple"
  | "dict"
  | "set"
  | "frozenset"
  | "range";
