/**
 * Between the values of a running program and the datums of the store. Scalars are the same in both; a collection is
 * frozen on the way in and made anew on the way out (rulings, "Collections as values"). Sizes in bytes are the store's to check.
 */
import { Bytes, Complex, Datetime, type Datum, Duration, Float, StoredCollection, Subject } from "../../datum";
import { compareDatums } from "../../engine/value-order";
import { Refusal } from "../../failure";
import { VALUE_DEPTH_MAX } from "../../limits";
import { PyDict } from "./dict";
import { checkItems } from "./meter";
import { makeRange } from "./range";
import { frozenSetOf, isSet, setOf } from "./set";
import { PyList, PyRange, PyTuple, type Value } from "./value";

/** The storable form, or undefined where the value (or one inside it) cannot be stored. */
export function datumOf(v: Value): Datum | undefined {
  return freeze(v, 0);
}

/** Of a value that cannot be stored, the part that is why: itself, or something inside it. */
export function unstorablePart(v: Value): Value {
  const inside = v instanceof PyDict && v.typeName === "dict" ? v.entries().flat() : v instanceof PyList ? v.a : null;
  const parts = inside ?? (v instanceof PyTuple && v.typeName === "tuple" ? v.a : isSet(v) ? [...v.map.values()] : []);
  const found = parts.find((part) => datumOf(part) === undefined);
  return found === undefined ? v : unstorablePart(found);
}

function freeze(v: Value, depth: number): Datum | undefined {
  if (v === null || typeof v !== "object") return v as Datum;
  if (v instanceof Float || v instanceof Complex || v instanceof Bytes || v instanceof Subject) return v;
  if (v instanceof Datetime || v instanceof Duration) return v;
  if (depth > VALUE_DEPTH_MAX) throw new Refusal("limit_exceeded", `a value nested deeper than ${VALUE_DEPTH_MAX} is past the limit`);
  if (v instanceof PyList) return collection("list", v.a, depth);
  if (v instanceof PyTuple) return v.typeName === "tuple" ? collection("tuple", v.a, depth) : undefined;
  if (v instanceof PyRange) return new StoredCollection("range", [v.start, v.stop, v.step]);
  if (v instanceof PyDict) return v.typeName === "dict" ? collection("dict", v.entries().flat(), depth) : undefined;
  if (isSet(v)) {
    const frozen = collection(v.kind, [...v.map.values()], depth);
    return frozen === undefined ? undefined : new StoredCollection(v.kind, frozen.items.slice().sort(compareDatums));
  }
  return undefined;
}

function collection(type: StoredCollection["type"], values: readonly Value[], depth: number): StoredCollection | undefined {
  checkItems(values.length);
  const items: Datum[] = [];
  for (const v of values) {
    const item = freeze(v, depth + 1);
    if (item === undefined) return undefined;
    items.push(item);
  }
  return new StoredCollection(type, items);
}

/** The value of a datum; collections are fresh ones that the program may change. */
export function valueOf(d: Datum): Value {
  if (!(d instanceof StoredCollection)) return d;
  checkItems(d.items.length);
  switch (d.type) {
    case "list":
      return new PyList(d.items.map(valueOf));
    case "tuple":
      return new PyTuple(d.items.map(valueOf));
    case "set":
      return setOf(d.items.map(valueOf));
    case "frozenset":
      return frozenSetOf(d.items.map(valueOf));
    case "dict": {
      const dict = new PyDict();
      for (let i = 0; i < d.items.length; i += 2) dict.set(valueOf(d.items[i]), valueOf(d.items[i + 1]));
      return dict;
    }
    case "range": {
      const [start, stop, step] = d.items as readonly (number | bigint)[];
      return makeRange(start, stop, step);
    }
  }
}
