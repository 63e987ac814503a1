/** JSON as the store holds it, and back: arrays are lists, objects dicts in the order they were written. */
import { Bytes, Complex, Datetime, type Datum, Duration, Float, StoredCollection, Subject } from "../../datum";
import { instantText, lengthText } from "../../lang/value/instant-text";
import { isJsonArray, type JsonObject, type RequestJson } from "../request-json";

function datumFromJson(value: RequestJson): Datum {
  if (typeof value === "number") return Number.isSafeInteger(value) ? value : new Float(value);
  if (typeof value !== "object" || value === null) return value;
  if (isJsonArray(value)) return new StoredCollection("list", value.map(datumFromJson));
  return dictFromJson(value as JsonObject);
}

export function dictFromJson(object: JsonObject): StoredCollection {
  return new StoredCollection(
    "dict",
    Object.entries(object).flatMap(([key, value]) => [key, datumFromJson(value)]),
  );
}

/** What a program may have stored and JSON has no word for is told as text. */
export function jsonFromDatum(datum: Datum): RequestJson {
  if (datum === null || typeof datum === "boolean" || typeof datum === "number" || typeof datum === "string" || typeof datum === "bigint")
    return datum;
  if (datum instanceof Float) return Number.isFinite(datum.v) ? datum.v : String(datum.v);
  if (datum instanceof Datetime) return instantText(datum.micros);
  if (datum instanceof Duration) return lengthText(datum.micros);
  if (datum instanceof Subject) return datum.name;
  if (datum instanceof Bytes) return Array.from(datum.b, (byte) => byte.toString(16).padStart(2, "0")).join("");
  if (datum instanceof Complex) return `${datum.re}${datum.im < 0 ? "-" : "+"}${Math.abs(datum.im)}j`;
  if (datum.type !== "dict") return datum.items.map(jsonFromDatum);
  const object: { [key: string]: RequestJson } = Object.create(null);
  for (let i = 0; i < datum.items.length; i += 2) {
    const key = jsonFromDatum(datum.items[i]);
    object[typeof key === "string" ? key : String(key)] = jsonFromDatum(datum.items[i + 1]);
  }
  return object;
}
