/**
 * Literals of rules to stored values and back, exactly.
 */
import { Bytes, Complex, Datetime, type Datum, Duration, Float, type Int, StoredCollection, Subject } from "../datum";
import { assert } from "../failure";
import type { Literal } from "./rule";

export function datumFromLiteral(literal: Literal): Datum {
  switch (literal.type) {
    case "none":
      return null;
    case "bool":
      return literal.value;
    case "int":
      return intFromText(literal.text);
    case "real":
      return new Float(realFromText(literal.text));
    case "complex":
      return new Complex(realFromText(literal.re), realFromText(literal.im));
    case "string":
      return literal.text;
    case "blob":
      return new Bytes(Uint8Array.from(literal.hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16)));
    case "datetime":
      return new Datetime(literal.micros);
    case "duration":
      return new Duration(literal.micros);
    case "subject":
      return new Subject(literal.kind, literal.name);
  }
}

/** Null for what a rule cannot say as a literal. */
export function literalFromDatum(datum: Datum): Literal | null {
  if (datum === null) return { type: "none" };
  if (typeof datum === "boolean") return { type: "bool", value: datum };
  if (typeof datum === "number" || typeof datum === "bigint") return { type: "int", text: String(datum) };
  if (typeof datum === "string") return { type: "string", text: datum };
  if (datum instanceof Float) return { type: "real", text: realText(datum.v) };
  if (datum instanceof Complex) return { type: "complex", re: realText(datum.re), im: realText(datum.im) };
  if (datum instanceof Bytes) return { type: "blob", hex: Array.from(datum.b, (byte) => byte.toString(16).padStart(2, "0")).join("") };
  if (datum instanceof Datetime) return { type: "datetime", micros: datum.micros };
  if (datum instanceof Duration) return { type: "duration", micros: datum.micros };
  if (datum instanceof Subject) return { type: "subject", kind: datum.kind, name: datum.name };
  assert(datum instanceof StoredCollection, "a datum is one of its classes");
  return null;
}

function intFromText(text: string): Int {
  const value = BigInt(text);
  return value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : value;
}

/** JavaScript's shortest round-trip digits; -0 kept. */
function realText(value: number): string {
  if (Number.isNaN(value)) return "nan";
  if (!Number.isFinite(value)) return value > 0 ? "inf" : "-inf";
  return Object.is(value, -0) ? "-0" : String(value);
}

function realFromText(text: string): number {
  return text === "inf"
    ? Number.POSITIVE_INFINITY
    : text === "-inf"
      ? Number.NEGATIVE_INFINITY
      : text === "nan"
        ? Number.NaN
        : Number(text);
}
