/**
 * Canonical bytes of a value: the one form by which a stored value is identified, hashed and kept.
 *
 * Identity (rulings, "Equality") is type and form: `1`, `1.0` and `True` differ, so do `0.0` and `-0.0`; NaN is
 * one; a dict keeps its order, a set is in value order already. What Python finds equal is datum-equality.ts.
 */
import { Bytes, Complex, Datetime, type Datum, Duration, Float, StoredCollection, Subject } from "../datum";
import { EngineError } from "../failure";
import { ByteReader, ByteWriter } from "./byte-writer";

const NONE = 0;
const FALSE = 1;
const TRUE = 2;
const INT = 3;
const BIG = 4;
const FLOAT = 5;
const COMPLEX = 6;
const TEXT = 7;
const BYTES = 8;
const DATETIME = 9;
const DURATION = 10;
const SUBJECT = 11;
const COLLECTION = 16;
const COLLECTION_TYPES = ["dict", "frozenset", "list", "range", "set", "tuple"] as const;

const shared = new ByteWriter(1024);

/** Fresh bytes, one for each distinct stored value. */
export function encodeDatum(datum: Datum): Uint8Array {
  shared.clear();
  writeDatum(shared, datum);
  return shared.take();
}

export function decodeDatum(bytes: Uint8Array): Datum {
  return readDatum(new ByteReader(bytes));
}

export function writeDatum(out: ByteWriter, datum: Datum): void {
  switch (typeof datum) {
    case "string":
      out.byte(TEXT);
      out.text(datum);
      return;
    case "number":
      out.byte(INT);
      out.signed(datum);
      return;
    case "boolean":
      out.byte(datum ? TRUE : FALSE);
      return;
    case "bigint":
      out.byte(BIG);
      out.text(datum.toString(36));
      return;
  }
  if (datum === null) out.byte(NONE);
  else if (datum instanceof Subject) {
    out.byte(SUBJECT);
    out.text(datum.kind);
    out.text(datum.name);
  } else if (datum instanceof Float) {
    out.byte(FLOAT);
    out.double(datum.v);
  } else if (datum instanceof Complex) {
    out.byte(COMPLEX);
    out.double(datum.re);
    out.double(datum.im);
  } else if (datum instanceof Bytes) {
    out.byte(BYTES);
    out.count(datum.b.length);
    out.bytes(datum.b);
  } else if (datum instanceof Datetime) {
    out.byte(DATETIME);
    out.signed(datum.micros);
  } else if (datum instanceof Duration) {
    out.byte(DURATION);
    out.signed(datum.micros);
  } else {
    out.byte(COLLECTION + COLLECTION_TYPES.indexOf(datum.type));
    out.count(datum.items.length);
    for (const item of datum.items) writeDatum(out, item);
  }
}

export function readDatum(from: ByteReader): Datum {
  const tag = from.byte();
  switch (tag) {
    case NONE:
      return null;
    case FALSE:
      return false;
    case TRUE:
      return true;
    case INT:
      return from.signed();
    case BIG:
      return bigFrom(from.text());
    case FLOAT:
      return new Float(from.double());
    case COMPLEX:
      return new Complex(from.double(), from.double());
    case TEXT:
      return from.text();
    case BYTES:
      return new Bytes(from.bytes(from.count()).slice());
    case DATETIME:
      return new Datetime(from.signed());
    case DURATION:
      return new Duration(from.signed());
    case SUBJECT:
      return new Subject(from.text(), from.text());
  }
  const type = COLLECTION_TYPES[tag - COLLECTION];
  if (type === undefined) throw new EngineError("a stored value has a form this version cannot read");
  const items: Datum[] = [];
  for (let left = from.count(); left > 0; left--) items.push(readDatum(from));
  return new StoredCollection(type, items);
}

/** A text that is equal for two datums exactly when they are one stored value: a Map key. */
export function identityKey(datum: Datum): string {
  return keyOf(encodeDatum(datum));
}

function bigFrom(text: string): bigint {
  const negative = text.startsWith("-");
  // Halving keeps a four-million-bit int from costing the square of its length.
  const value = bigFromDigits(negative ? text.slice(1) : text);
  return negative ? -value : value;
}

function bigFromDigits(digits: string): bigint {
  if (digits.length <= 10) return BigInt(Number.parseInt(digits || "0", 36));
  const cut = digits.length >> 1;
  const low = digits.length - cut;
  return bigFromDigits(digits.slice(0, cut)) * 36n ** BigInt(low) + bigFromDigits(digits.slice(cut));
}

/** Bytes as a text of one unit a byte. */
export function keyOf(bytes: Uint8Array): string {
  let text = "";
  for (let i = 0; i < bytes.length; i += 4096) text += String.fromCharCode(...bytes.subarray(i, i + 4096));
  return text;
}
