/**
 * Iteration, length, membership and truth of every value, and the iterators of the sequence types. The iterator classes
 * are exported so that the machine can walk a list or a range without a call per element.
 */
import { Bytes, Complex, Duration, Float } from "../../datum";
import { DictIterator, PyDict, PyDictView } from "./dict";
import { raise } from "./exception";
import { checkGrown, checkJoined, spendOps, spendSteps } from "./meter";
import { equal, identical } from "./protocol-equal";
import { frozenKey, hashKey } from "./protocol-hash";
import { typeName } from "./protocol-type";
import { rangeAt, rangeHas } from "./range";
import { isSet, PyFrozenSet, PySet, SetIterator } from "./set";
import { strLength } from "./str";
import { DONE, PyIterator, PyList, PyNative, PyRange, PyTuple, type Value } from "./value";
import { checkWeight } from "./weight";

/** Walks a live list: what is appended under the loop is visited. */
export class ListIterator extends PyIterator {
  readonly typeName = "list_iterator";
  at = 0;
  constructor(public list: PyList | null) {
    super();
  }
  next(): Value | typeof DONE {
    const list = this.list;
    if (list === null) return DONE;
    if (this.at < list.a.length) return list.a[this.at++];
    this.list = null;
    return DONE;
  }
  override lengthHint(): number {
    return this.list === null ? 0 : Math.max(0, this.list.a.length - this.at);
  }
}

export class ListReverseIterator extends PyIterator {
  readonly typeName = "list_reverseiterator";
  private at: number;
  constructor(private list: PyList | null) {
    super();
    this.at = list === null ? -1 : list.a.length - 1;
  }
  next(): Value | typeof DONE {
    const list = this.list;
    if (list === null) return DONE;
    if (this.at >= 0 && this.at < list.a.length) return list.a[this.at--];
    this.list = null;
    return DONE;
  }
  override lengthHint(): number {
    return this.list === null || this.at >= this.list.a.length ? 0 : this.at + 1;
  }
}

/** Over an array that nobody changes: tuples, and the snapshots of builtins. */
export class ArrayIterator extends PyIterator {
  at = 0;
  constructor(
    readonly values: readonly Value[],
    readonly typeName: string = "tuple_iterator",
  ) {
    super();
  }
  next(): Value | typeof DONE {
    return this.at < this.values.length ? this.values[this.at++] : DONE;
  }
  override lengthHint(): number {
    return this.values.length - this.at;
  }
}

export class RangeIterator extends PyIterator {
  readonly typeName: string;
  at = 0;
  constructor(
    /** First value, step and count; all safe, as is every value between. */
    readonly start: number,
    readonly step: number,
    readonly count: number,
  ) {
    super();
    this.typeName = "range_iterator";
  }
  next(): Value | typeof DONE {
    return this.at < this.count ? this.start + this.step * this.at++ : DONE;
  }
  override lengthHint(): number {
    return this.count - this.at;
  }
}

/** A range whose bounds need big ints. */
export class LongRangeIterator extends PyIterator {
  readonly typeName = "longrange_iterator";
  private at = 0n;
  constructor(
    readonly range: PyRange,
    readonly backwards = false,
  ) {
    super();
  }
  next(): Value | typeof DONE {
    const length = BigInt(this.range.length);
    if (this.at >= length) return DONE;
    const i = this.at++;
    return rangeAt(this.range, this.backwards ? length - 1n - i : i);
  }
  override lengthHint(): number {
    return Number(BigInt(this.range.length) - this.at);
  }
}

/** Walks a text by code points. */
export class StrIterator extends PyIterator {
  readonly typeName: string;
  private unit = 0;
  constructor(readonly text: string) {
    super();
    let ascii = true;
    for (let i = 0; i < text.length && ascii; i++) if (text.charCodeAt(i) > 127) ascii = false;
    this.typeName = ascii ? "str_ascii_iterator" : "str_iterator";
  }
  next(): Value | typeof DONE {
    const { text, unit } = this;
    if (unit >= text.length) return DONE;
    const c = text.charCodeAt(unit);
    if ((c & 0xfc00) === 0xd800) {
      this.unit = unit + 2;
      return text.slice(unit, unit + 2);
    }
    this.unit = unit + 1;
    return text[unit];
  }
  override lengthHint(): number {
    return strLength(this.text.slice(this.unit));
  }
}

export class BytesIterator extends PyIterator {
  readonly typeName = "bytes_iterator";
  private at = 0;
  constructor(readonly b: Uint8Array) {
    super();
  }
  next(): Value | typeof DONE {
    return this.at < this.b.length ? this.b[this.at++] : DONE;
  }
  override lengthHint(): number {
    return this.b.length - this.at;
  }
}

/** `iter(v)`. */
export function iterate(v: Value): PyIterator {
  if (v instanceof PyList) return new ListIterator(v);
  if (v instanceof PyIterator) return v;
  if (v instanceof PyTuple) return new ArrayIterator(v.a);
  if (v instanceof PyRange) return rangeIterator(v);
  if (typeof v === "string") return new StrIterator(v);
  if (v instanceof PyDict) return new DictIterator(v, "keys");
  if (v instanceof PyDictView) return new DictIterator(v.dict, v.kind);
  if (isSet(v)) return new SetIterator(v);
  if (v instanceof Bytes) return new BytesIterator(v.b);
  if (v instanceof PyNative && v.iterate !== undefined) return v.iterate();
  raise("TypeError", `'${typeName(v)}' object is not iterable`);
}

export function rangeIterator(r: PyRange, backwards = false): PyIterator {
  const { start, step, length } = r;
  if (typeof start === "number" && typeof step === "number" && typeof length === "number") {
    if (length === 0) return new RangeIterator(0, 1, 0);
    const last = start + step * (length - 1);
    if (Number.isSafeInteger(last)) return backwards ? new RangeIterator(last, -step, length) : new RangeIterator(start, step, length);
  }
  return new LongRangeIterator(r, backwards);
}

/** Every element, as a new array; charges an op and a step each. Refuses before it builds where the length is known. */
export function takeAll(v: Value): Value[] {
  if (v instanceof PyList || v instanceof PyTuple) {
    checkJoined(0, v.a.length);
    spendOps(v.a.length);
    return v.a.slice();
  }
  const it = iterate(v);
  const hint = v instanceof PyRange ? Number(v.length) : it.lengthHint();
  checkHint(hint);
  if (hint > 0) spendSteps(hint);
  const out: Value[] = [];
  for (let e = it.next(); e !== DONE; e = it.next()) {
    spendOps(1);
    out.push(e);
    if ((out.length & 0xfff) === 0) {
      checkGrown(out.length);
      if ((out.length & 0x3fff) === 0) checkWeight(out);
      if (hint <= 0) spendSteps(0x1000);
    }
  }
  return out;
}

/** Refuses what an iterator says it will give, before anything is built. */
export function checkHint(hint: number): void {
  if (hint >= 2 ** 63) raise("OverflowError", "Python int too large to convert to C ssize_t");
  checkGrown(hint);
}

/** `len(v)`. */
export function length(v: Value): number {
  if (typeof v === "string") return strLength(v);
  if (v instanceof PyList || v instanceof PyTuple) return v.a.length;
  if (v instanceof PyDict || isSet(v)) return v.size;
  if (v instanceof PyDictView) return v.dict.size;
  if (v instanceof Bytes) return v.b.length;
  if (v instanceof PyRange) {
    if (v.length > 9223372036854775807n) raise("OverflowError", "Python int too large to convert to C ssize_t");
    return v.length as number;
  }
  if (v instanceof PyNative && v.length !== undefined) return v.length();
  raise("TypeError", `object of type '${typeName(v)}' has no len()`);
}

/** `item in container`. */
export function contains(container: Value, item: Value): boolean {
  if (container instanceof PyDict) return container.has(item);
  if (isSet(container)) return setHas(container, item);
  if (typeof container === "string") {
    if (typeof item !== "string") raise("TypeError", `'in <string>' requires string as left operand, not ${typeName(item)}`);
    spendSteps(container.length >> 6);
    return container.includes(item);
  }
  if (container instanceof PyList || container instanceof PyTuple) return indexIn(container.a, item, 0, container.a.length) >= 0;
  if (container instanceof PyRange) {
    if (typeof item === "number" || typeof item === "bigint") return rangeHas(container, item);
    if (typeof item === "boolean") return rangeHas(container, item ? 1 : 0);
  }
  if (container instanceof PyDictView) {
    const { dict, kind } = container;
    if (kind === "keys") return dict.has(item);
    if (kind === "items") {
      if (!(item instanceof PyTuple) || item.a.length !== 2) return false;
      const found = dict.get(item.a[0]);
      return found !== undefined && same(found, item.a[1]);
    }
  }
  if (container instanceof Bytes) return bytesHas(container.b, item);
  if (container instanceof PyNative && container.contains !== undefined) return container.contains(item);
  if (!isIterable(container)) raise("TypeError", `argument of type '${typeName(container)}' is not iterable`);
  const it = iterate(container);
  for (let e = it.next(); e !== DONE; e = it.next()) {
    spendSteps(1);
    if (same(e, item)) return true;
  }
  return false;
}

export function isIterable(v: Value): boolean {
  return (
    typeof v === "string" ||
    v instanceof PyList ||
    v instanceof PyTuple ||
    v instanceof PyDict ||
    v instanceof PyDictView ||
    v instanceof PySet ||
    v instanceof PyFrozenSet ||
    v instanceof PyRange ||
    v instanceof PyIterator ||
    v instanceof Bytes ||
    (v instanceof PyNative && v.iterate !== undefined)
  );
}

/** The elements of what is unpacked into `n` targets; no more are taken than tell that they are too many. */
export function unpacked(v: Value, n: number): Value[] {
  if (!isIterable(v)) raise("TypeError", `cannot unpack non-iterable ${typeName(v)} object`);
  const it = iterate(v);
  const taken: Value[] = [];
  for (let i = 0; i < n; i++) {
    const x = it.next();
    if (x === DONE) raise("ValueError", `not enough values to unpack (expected ${n}, got ${i})`);
    taken.push(x);
  }
  if (it.next() !== DONE) raise("ValueError", `too many values to unpack (expected ${n})`);
  return taken;
}

/** Membership of a set; an unhashable `set` is looked up as the frozenset of its elements. */
export function setHas(set: PySet | PyFrozenSet, item: Value): boolean {
  return item instanceof PySet ? set.map.has(frozenKey(item, 0)) : set.map.has(hashKey(item));
}

/** The first index in [from, to) whose element is or equals `item`, or -1. `to` follows a list that shrinks meanwhile. */
export function indexIn(values: readonly Value[], item: Value, from: number, to: number): number {
  spendSteps(Math.max(0, Math.min(to, values.length) - from) >> 3);
  if (typeof item === "string") {
    for (let i = from; i < to && i < values.length; i++) if (values[i] === item) return i;
    return -1;
  }
  for (let i = from; i < to && i < values.length; i++) if (same(values[i], item)) return i;
  return -1;
}

/** What containers compare elements by: identity, then equality. */
export function same(a: Value, b: Value): boolean {
  return identical(a, b) || equal(a, b);
}

function bytesHas(b: Uint8Array, item: Value): boolean {
  if (item instanceof Bytes) {
    const n = item.b.length;
    spendSteps(b.length);
    outer: for (let i = 0; i + n <= b.length; i++) {
      for (let k = 0; k < n; k++) if (b[i + k] !== item.b[k]) continue outer;
      return true;
    }
    return false;
  }
  if (typeof item === "number" || typeof item === "bigint" || typeof item === "boolean") {
    const n = Number(item);
    if (n < 0 || n > 255) raise("ValueError", "byte must be in range(0, 256)");
    return b.includes(n);
  }
  raise("TypeError", `a bytes-like object is required, not '${typeName(item)}'`);
}

/** `bool(v)`. */
export function truthy(v: Value): boolean {
  switch (typeof v) {
    case "boolean":
      return v;
    case "number":
      return v !== 0;
    case "string":
      return v !== "";
    case "bigint":
      return true;
  }
  if (v === null) return false;
  if (v instanceof Float) return v.v !== 0;
  if (v instanceof PyList || v instanceof PyTuple) return v.a.length !== 0;
  if (v instanceof PyDict || isSet(v)) return v.size !== 0;
  if (v instanceof PyDictView) return v.dict.size !== 0;
  if (v instanceof PyRange) return v.length !== 0;
  if (v instanceof Bytes) return v.b.length !== 0;
  if (v instanceof Complex) return v.re !== 0 || v.im !== 0;
  if (v instanceof Duration) return v.micros !== 0;
  if (v instanceof PyNative) return v.truth?.() ?? (v.length === undefined || v.length() !== 0);
  return true;
}
