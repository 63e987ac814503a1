/**
 * `+`, `*`, `%` on sequences and `|`, `&`, `-`, `^` on sets, views and dicts. Undefined where the operands are not such,
 * so that the caller raises CPython's "unsupported operand"; a sequence with the wrong partner raises its own text.
 */
import { Bytes } from "../../datum";
import type { BinaryOp } from "../syntax/ast";
import { PyDict, PyDictView } from "./dict";
import { dictUpdate } from "./dict-methods";
import { raise } from "./exception";
import { sizeOf } from "./index-of";
import { listConcatInPlace, listExtend, listRepeatInPlace } from "./list";
import { checkChars, checkJoined } from "./meter";
import { percentFormat } from "./percent";
import { contains, isIterable, takeAll } from "./protocol-iterate";
import { typeName } from "./protocol-type";
import {
  difference,
  differenceUpdate,
  intersection,
  isSet,
  PySet,
  symmetricDifference,
  symmetricUpdate,
  takeBody,
  union,
  update,
} from "./set";
import { checkConcat, strRepeat } from "./str";
import { unionOf } from "./union-type";
import { PyList, PyNative, PyRange, PyTuple, type Value } from "./value";

export function sequenceBinary(op: BinaryOp, a: Value, b: Value): Value | undefined {
  if (isHooked(a) || isHooked(b)) {
    const answer = nativeBinary(op, a, b);
    if (answer !== undefined) return answer;
  }
  switch (op) {
    case "+":
      return concat(a, b);
    case "*":
      return repeated(a, b);
    case "%":
      return typeof a === "string" || a instanceof Bytes ? percentFormat(a, b) : undefined;
    case "|":
      if (a instanceof PyDict && b instanceof PyDict) {
        const out = a.copy();
        dictUpdate(out, b);
        return out;
      }
      return setBinary(op, a, b) ?? unionOf(a, b);
    case "&":
    case "-":
    case "^":
      return setBinary(op, a, b);
  }
  return undefined;
}

function nativeBinary(op: string, a: Value, b: Value): Value | undefined {
  const forward = isHooked(a) && a.binary !== undefined ? a.binary(op, b, false) : undefined;
  if (forward !== undefined) return forward;
  return isHooked(b) && b.binary !== undefined ? b.binary(op, a, true) : undefined;
}

/** Values that bring their own operators: those of served modules, and subclasses of dict. */
function isHooked(v: Value): v is PyNative | PyDict {
  return v instanceof PyNative || (v instanceof PyDict && v.pyType !== null);
}

function concat(a: Value, b: Value): Value | undefined {
  if (typeof a === "string") {
    if (typeof b !== "string") raise("TypeError", `can only concatenate str (not "${typeName(b)}") to str`);
    checkConcat(a, b);
    return a + b;
  }
  if (a instanceof PyList) {
    if (!(b instanceof PyList)) raise("TypeError", `can only concatenate list (not "${typeName(b)}") to list`);
    checkJoined(0, a.a.length + b.a.length);
    return new PyList(a.a.concat(b.a));
  }
  if (a instanceof PyTuple) {
    if (!(b instanceof PyTuple)) raise("TypeError", `can only concatenate tuple (not "${typeName(b)}") to tuple`);
    checkJoined(0, a.a.length + b.a.length);
    return new PyTuple(a.a.concat(b.a));
  }
  if (a instanceof Bytes) {
    if (!(b instanceof Bytes)) raise("TypeError", `can't concat ${typeName(b)} to bytes`);
    checkChars(a.b.length + b.b.length);
    const out = new Uint8Array(a.b.length + b.b.length);
    out.set(a.b);
    out.set(b.b, a.b.length);
    return new Bytes(out);
  }
  return undefined;
}

function isSequence(v: Value): v is string | PyList | PyTuple | Bytes {
  return typeof v === "string" || v instanceof PyList || v instanceof PyTuple || v instanceof Bytes;
}

function repeated(a: Value, b: Value): Value | undefined {
  if (isSequence(a)) return repeat(a, b);
  if (isSequence(b)) return repeat(b, a);
  return undefined;
}

function repeat(s: string | PyList | PyTuple | Bytes, times: Value): Value {
  const n = timesOf(times);
  if (typeof s === "string") return strRepeat(s, n);
  if (s instanceof Bytes) {
    if (n <= 0 || s.b.length === 0) return new Bytes(new Uint8Array(0));
    if (s.b.length * n >= 2 ** 63) raise("OverflowError", "repeated bytes are too long");
    checkChars(s.b.length * n);
    const out = new Uint8Array(s.b.length * n);
    for (let i = 0; i < n; i++) out.set(s.b, i * s.b.length);
    return new Bytes(out);
  }
  const list = s.a.length === 0 ? [] : repeatArray(s.a, n);
  if (s instanceof PyTuple) return n === 1 && s.typeName === "tuple" ? s : new PyTuple(list);
  return new PyList(list);
}

function repeatArray(a: readonly Value[], n: number): Value[] {
  if (n <= 0) return [];
  checkJoined(0, a.length * n);
  if (a.length === 1) return new Array<Value>(n).fill(a[0]);
  const out: Value[] = [];
  for (let i = 0; i < n; i++) for (let j = 0; j < a.length; j++) out.push(a[j]);
  return out;
}

function timesOf(v: Value): number {
  if (typeof v === "number") return v;
  if (typeof v === "boolean" || typeof v === "bigint") {
    if (typeof v === "bigint" && (v > 9223372036854775807n || v < -9223372036854775808n))
      raise("OverflowError", "cannot fit 'int' into an index-sized integer");
    return sizeOf(v);
  }
  raise("TypeError", `can't multiply sequence by non-int of type '${typeName(v)}'`);
}

const isView = (v: Value): v is PyDictView => v instanceof PyDictView && v.kind !== "values";

function setBinary(op: "|" | "&" | "-" | "^", a: Value, b: Value): Value | undefined {
  if (isSet(a) && isSet(b)) {
    switch (op) {
      case "|":
        return union(a, b);
      case "&":
        return intersection(a, b);
      case "-":
        return difference(a, b);
      case "^":
        return symmetricDifference(a, b);
    }
  }
  if (isView(a) || isView(b)) return viewBinary(op, a, b);
  return undefined;
}

/** Operators of `keys()` and `items()`: always a new set, built as dictobject.c builds it. */
function viewBinary(op: "|" | "&" | "-" | "^", a: Value, b: Value): Value | undefined {
  if (!isIterable(b)) raise("TypeError", `'${typeName(b)}' object is not iterable`);
  if (!isIterable(a)) raise("TypeError", `'${typeName(a)}' object is not iterable`);
  switch (op) {
    case "|":
      return update(setOfView(a), b);
    case "-":
      return differenceUpdate(setOfView(a), b);
    case "^":
      if (isView(a) && a.kind === "items" && b instanceof PyDictView && b.kind === "items") return itemsXor(a, b);
      return symmetricUpdate(setOfView(a), b);
    case "&": {
      // The view is the side that is asked; if both are views, the longer one.
      let [view, walked] = isView(a) ? [a, b] : [b as PyDictView, a];
      // A frozenset is walked, whatever its size: only for a set does CPython ask the set.
      if (walked instanceof PySet && view.dict.size <= walked.size) return intersection(walked, view);
      if (isView(walked) && walked.dict.size > view.dict.size) [view, walked] = [walked, view];
      const out = new PySet();
      for (const e of takeAll(walked)) if (contains(view, e)) out.add(e);
      return out;
    }
  }
}

/** The set an operator makes of a view: of the keys of a plain dict as `set(d)` does, with room for all at once. */
function setOfView(v: Value): PySet {
  const whole = v instanceof PyDictView && v.kind === "keys" && v.dict.pyType === null;
  return update(new PySet(), whole ? v.dict : v) as PySet;
}

function itemsXor(a: PyDictView, b: PyDictView): PySet {
  const out = new PySet();
  const theirs = b.dict.copy();
  for (const [key, value] of a.dict.entries()) {
    const pair = new PyTuple([key, value]);
    if (contains(b, pair)) theirs.delete(key);
    else out.add(pair);
  }
  for (const [key, value] of theirs.entries()) out.add(new PyTuple([key, value]));
  return out;
}

/** `a op= b` for what changes in place; undefined where `a` does not, or not with this operand. */
export function sequenceInplace(op: BinaryOp, a: Value, b: Value): Value | undefined {
  // `a *= b` repeats `b` only where `a` has nothing of a sequence.
  const isNative = a instanceof PyNative && a.sequence === null && a.asInt === undefined;
  if (op === "*" && (isNative || isSet(a) || a instanceof PyDict || a instanceof PyDictView || a instanceof PyRange))
    raise("TypeError", `unsupported operand type(s) for *=: '${typeName(a)}' and '${typeName(b)}'`);
  if (a instanceof PyList) {
    if (op === "+") {
      if (b instanceof PyList) listConcatInPlace(a, b);
      else listExtend(a, b);
      return a;
    }
    if (op === "*") {
      listRepeatInPlace(a, timesOf(b));
      return a;
    }
    return undefined;
  }
  if (a instanceof PyDict) {
    const hooked = a.binary(`${op}=`, b, false);
    if (hooked !== undefined) return hooked;
    if (op !== "|") return undefined;
    dictUpdate(a, b);
    return a;
  }
  if (a instanceof PyNative && a.binary !== undefined) return a.binary(`${op}=`, b, false);
  if (!(a instanceof PySet) || !isSet(b)) return undefined;
  switch (op) {
    case "|":
      return update(a, b);
    case "&":
      takeBody(a, intersection(a, b));
      return a;
    case "-":
      return differenceUpdate(a, b);
    case "^":
      return symmetricUpdate(a, b);
  }
  return undefined;
}
