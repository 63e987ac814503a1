/** `o[k]`, `o[k] = v`, `del o[k]` of every value, slices included. */
import { Bytes } from "../../datum";
import { Refusal } from "../../failure";
import { PyDict, PyDictView } from "./dict";
import { keyError } from "./dict-methods";
import { raise } from "./exception";
import { checkChars, checkJoined, spendSteps } from "./meter";
import { isIterable, takeAll } from "./protocol-iterate";
import { typeName } from "./protocol-type";
import { rangeAt, rangeSlice } from "./range";
import { isSet } from "./set";
import { sliceBounds, sliceBoundsLong } from "./slice";
import { strIndex, strLength, strSlice } from "./str";
import { PyList, PyNative, PyRange, PySlice, PyTuple, PyType, type Value } from "./value";

/** The types that CPython lets a program subscript (`list[int]`), which makes a value we do not have. */
const GENERIC: ReadonlySet<string> = new Set(["list", "tuple", "dict", "set", "frozenset", "type", "enumerate"]);

/** `o[k]`. */
export function getItem(o: Value, k: Value): Value {
  if (o instanceof PyList) {
    if (typeof k === "number") {
      const v = o.a[k < 0 ? k + o.a.length : k];
      if (v !== undefined) return v;
      raise("IndexError", "list index out of range");
    }
    if (k instanceof PySlice) return new PyList(sliceArray(o.a, k));
    return listAt(o.a, indexFor("list", k), "list index out of range");
  }
  if (o instanceof PyDict) {
    const v = o.get(k);
    if (v !== undefined) return v;
    const made = o.missing(k);
    return made !== undefined ? made : keyError(k);
  }
  if (typeof o === "string") return strItem(o, k);
  if (o instanceof PyTuple) {
    if (k instanceof PySlice) return new PyTuple(sliceArray(o.a, k));
    return listAt(o.a, indexFor("tuple", k), "tuple index out of range");
  }
  if (o instanceof PyRange) return rangeItem(o, k);
  if (o instanceof Bytes) return bytesItem(o, k);
  if (o instanceof PyNative && o.getItem !== undefined) return o.getItem(k);
  if (o instanceof PyType && GENERIC.has(o.name))
    throw new Refusal("out_of_surface", `${o.name}[…] is there only in an annotation: as a value write ${o.name}`);
  if (o instanceof PyType) raise("TypeError", `type '${o.name}' is not subscriptable`);
  raise("TypeError", `'${typeName(o)}' object is not subscriptable`);
}

function listAt(a: readonly Value[], at: number, message: string): Value {
  const i = at < 0 ? at + a.length : at;
  if (i < 0 || i >= a.length) raise("IndexError", message);
  return a[i];
}

/** An index of a sequence, or CPython's TypeError. */
function indexFor(type: string, k: Value): number {
  if (typeof k === "number") return k;
  if (typeof k === "boolean") return k ? 1 : 0;
  if (typeof k === "bigint") {
    if (k > 9223372036854775807n || k < -9223372036854775808n) raise("IndexError", "cannot fit 'int' into an index-sized integer");
    return Number(k);
  }
  if (type === "string") raise("TypeError", `string indices must be integers, not '${typeName(k)}'`);
  if (type === "byte") raise("TypeError", `byte indices must be integers or slices, not ${typeName(k)}`);
  raise("TypeError", `${type} indices must be integers or slices, not ${typeName(k)}`);
}

function sliceArray(a: readonly Value[], k: PySlice): Value[] {
  const { start, step, count } = sliceBounds(k, a.length);
  checkJoined(0, count);
  if (step === 1) return a.slice(start, start + count);
  const out: Value[] = new Array(count);
  for (let i = 0, at = start; i < count; i++, at += step) out[i] = a[at];
  return out;
}

function strItem(text: string, k: Value): Value {
  if (k instanceof PySlice) {
    const { start, step, count } = sliceBounds(k, strLength(text));
    return strSlice(text, start, step, count);
  }
  const ch = strIndex(text, indexFor("string", k));
  if (ch === undefined) raise("IndexError", "string index out of range");
  return ch;
}

function bytesItem(o: Bytes, k: Value): Value {
  if (k instanceof PySlice) {
    const { start, step, count } = sliceBounds(k, o.b.length);
    checkChars(count);
    if (step === 1) return new Bytes(o.b.slice(start, start + count));
    const out = new Uint8Array(count);
    for (let i = 0, at = start; i < count; i++, at += step) out[i] = o.b[at];
    return new Bytes(out);
  }
  const at = indexFor("byte", k);
  const i = at < 0 ? at + o.b.length : at;
  if (i < 0 || i >= o.b.length) raise("IndexError", "index out of range");
  return o.b[i];
}

function rangeItem(r: PyRange, k: Value): Value {
  if (k instanceof PySlice) {
    const { start, stop, step } = sliceBoundsLong(k, r.length);
    return rangeSlice(r, start, stop, step);
  }
  if (typeof k !== "number" && typeof k !== "bigint" && typeof k !== "boolean")
    raise("TypeError", `range indices must be integers or slices, not ${typeName(k)}`);
  const at = BigInt(k);
  const length = BigInt(r.length);
  const i = at < 0n ? at + length : at;
  if (i < 0n || i >= length) raise("IndexError", "range object index out of range");
  return rangeAt(r, i <= 9007199254740991n ? Number(i) : i);
}

/** `o[k] = v`. */
export function setItem(o: Value, k: Value, v: Value) {
  if (o instanceof PyList) {
    if (k instanceof PySlice) return setSlice(o, k, v);
    const at = indexFor("list", k);
    const i = at < 0 ? at + o.a.length : at;
    if (i < 0 || i >= o.a.length) raise("IndexError", "list assignment index out of range");
    o.a[i] = v;
    return;
  }
  if (o instanceof PyDict) return o.set(k, v);
  if (o instanceof PyNative && o.setItem !== undefined) return o.setItem(k, v);
  raise("TypeError", `'${typeName(o)}' object does not support item assignment`);
}

function setSlice(list: PyList, k: PySlice, v: Value) {
  const { a } = list;
  const simple = k.step === null || k.step === 1 || k.step === true;
  if (!isIterable(v)) raise("TypeError", simple ? "can only assign an iterable" : "must assign iterable to extended slice");
  const values = takeAll(v);
  const { start, stop, step, count } = sliceBounds(k, a.length);
  if (step === 1) {
    checkJoined(a.length - count, values.length);
    spendSteps(a.length - Math.max(start, stop));
    const tail = a.slice(Math.max(start, stop));
    a.length = start;
    for (const e of values) a.push(e);
    for (const e of tail) a.push(e);
    return;
  }
  if (values.length !== count)
    raise("ValueError", `attempt to assign sequence of size ${values.length} to extended slice of size ${count}`);
  for (let i = 0, at = start; i < count; i++, at += step) a[at] = values[i];
}

/** `del o[k]`. */
export function delItem(o: Value, k: Value) {
  if (o instanceof PyList) {
    if (k instanceof PySlice) return delSlice(o, k);
    const at = indexFor("list", k);
    const i = at < 0 ? at + o.a.length : at;
    if (i < 0 || i >= o.a.length) raise("IndexError", "list assignment index out of range");
    spendSteps((o.a.length - i) >> 4);
    o.a.splice(i, 1);
    return;
  }
  if (o instanceof PyDict) {
    if (o.delete(k) === undefined) keyError(k);
    return;
  }
  if (o instanceof PyNative && o.delItem !== undefined) return o.delItem(k);
  raise("TypeError", `'${typeName(o)}' object ${isSequenceLike(o) && isIndex(k) ? "doesn't" : "does not"} support item deletion`);
}

/** Types with `tp_as_sequence`, which CPython asks in other words. */
function isSequenceLike(o: Value): boolean {
  return typeof o === "string" || o instanceof PyTuple || o instanceof Bytes || o instanceof PyRange || isSet(o) || o instanceof PyDictView;
}
function isIndex(k: Value): boolean {
  return typeof k === "number" || typeof k === "bigint" || typeof k === "boolean";
}

function delSlice(list: PyList, k: PySlice): void {
  const { a } = list;
  const { start, step, count } = sliceBounds(k, a.length);
  if (count === 0) return;
  spendSteps(a.length >> 2);
  if (step === 1) {
    a.splice(start, count);
    return;
  }
  const first = step > 0 ? start : start + step * (count - 1);
  const stride = Math.abs(step);
  let to = first;
  for (let i = first, gone = 0; i < a.length; i++) {
    if (gone < count && i === first + gone * stride) gone++;
    else a[to++] = a[i];
  }
  a.length = to;
}
