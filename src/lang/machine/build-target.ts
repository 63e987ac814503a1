/** Closures that bind: names, subscripts, unpacking. Unpacking takes elements, each one op. */
import { Subject } from "../../datum";
import { Refusal } from "../../failure";
import type { IrTarget } from "../compile/ir";
import { PyDict } from "../value/dict";
import { raise } from "../value/exception";
import { ELEMENT_BYTES, making, meter, spendOps } from "../value/meter";
import { delItem, setItem } from "../value/protocol-item";
import { isIterable, iterate, unpacked } from "../value/protocol-iterate";
import { typeName } from "../value/protocol-type";
import { DONE, PyList, PyTuple, type Value } from "../value/value";
import { buildExpr } from "./build-expression";
import type { Builder } from "./builder";
import type { Cell, Frame } from "./vm";

export type Assign = (R: Frame, v: Value) => void;

export function buildAssign(B: Builder, t: IrTarget): Assign {
  switch (t.k) {
    case "local": {
      const { i } = t;
      const N = B.registers;
      const type = N.types[i];
      if (type) return (_R, v) => N.set(i, type, v);
      return (R, v) => {
        R[i] = v;
      };
    }
    case "cell": {
      const { i } = t;
      return (R, v) => {
        (R[i] as Cell).v = v;
      };
    }
    case "global": {
      const { i } = t;
      return (R, v) => {
        R[0][i] = v;
      };
    }
    case "index": {
      const a = buildExpr(B, t.a);
      const b = buildExpr(B, t.b);
      return (R, v) => {
        const o = a(R);
        assignItem(o, b(R), v);
      };
    }
    case "unpack": {
      const ts = t.ts.map((x) => buildAssign(B, x));
      return t.star < 0 ? unpackExact(ts) : unpackStar(ts, t.star);
    }
  }
}

export function assignItem(o: Value, k: Value, v: Value): void {
  meter.ops++;
  if (typeof v !== "number" && typeof v !== "boolean") making(ELEMENT_BYTES);
  if (o instanceof PyList && typeof k === "number" && k >= 0 && k < o.a.length) o.a[k] = v;
  else if (o instanceof PyDict) o.set(k, v);
  else if (o instanceof Subject) refuseSubjectWrite();
  else setItem(o, k, v);
}

function refuseSubjectWrite(): never {
  throw new Refusal("invalid_value", "a field is written with a verb, not with `=`", 'write `update(s[name], value, "source")`');
}

function unpackExact(ts: readonly Assign[]): Assign {
  const n = ts.length;
  return (R, v) => {
    spendOps(n);
    if (v instanceof PyTuple || v instanceof PyList) {
      const a = v.a;
      if (a.length !== n) wrongCount(n, a.length, v);
      // A list may change under the targets: CPython has the elements in hand first.
      const taken = v instanceof PyList && n > 1 ? a.slice() : a;
      for (let i = 0; i < n; i++) ts[i]!(R, taken[i]!);
      return;
    }
    const taken = unpacked(v, n);
    for (let i = 0; i < n; i++) ts[i]!(R, taken[i]!);
  };
}
function wrongCount(want: number, got: number, _v: Value): never {
  if (got < want) raise("ValueError", `not enough values to unpack (expected ${want}, got ${got})`);
  raise("ValueError", `too many values to unpack (expected ${want})`);
}

function unpackStar(ts: readonly Assign[], star: number): Assign {
  const after = ts.length - star - 1;
  return (R, v) => {
    if (!isIterable(v)) raise("TypeError", `cannot unpack non-iterable ${typeName(v)} object`);
    const all: Value[] = [];
    const it = iterate(v);
    for (let x = it.next(); x !== DONE; x = it.next()) {
      spendOps(1);
      all.push(x);
    }
    if (all.length < star + after)
      raise("ValueError", `not enough values to unpack (expected at least ${star + after}, got ${all.length})`);
    for (let i = 0; i < star; i++) ts[i]!(R, all[i]!);
    ts[star]!(R, new PyList(all.slice(star, all.length - after)));
    for (let i = 0; i < after; i++) ts[star + 1 + i]!(R, all[all.length - after + i]!);
  };
}

/** `del`: unbinds a name or removes an item. */
export function buildDelete(B: Builder, t: IrTarget): (R: Frame) => void {
  switch (t.k) {
    case "local": {
      const { i, n } = t;
      const top = B.top;
      return (R) => {
        if (R[i] === undefined) missing(n, top);
        R[i] = undefined;
      };
    }
    case "cell": {
      const { i, n } = t;
      return (R) => {
        const c = R[i] as Cell;
        if (c.v === undefined) missing(n, false);
        c.v = undefined;
      };
    }
    case "global": {
      const { i, n } = t;
      return (R) => {
        if (R[0][i] === undefined) missing(n, true);
        R[0][i] = undefined;
      };
    }
    case "index": {
      const a = buildExpr(B, t.a);
      const b = buildExpr(B, t.b);
      return (R) => {
        const o = a(R);
        const k = b(R);
        meter.ops++;
        if (o instanceof Subject)
          throw new Refusal("invalid_value", "a field's value is removed with a verb, not with `del`", "write `forget(s[name])`");
        delItem(o, k);
      };
    }
    case "unpack":
      return () => {};
  }
}
function missing(name: string, top: boolean): never {
  if (top) raise("NameError", `name '${name}' is not defined`);
  raise("UnboundLocalError", `cannot access local variable '${name}' where it is not associated with a value`);
}

/** Reads a plain name a target has just bound, for the transcript. */
export function buildRead(t: IrTarget): (R: Frame) => Value {
  if (t.k === "local") {
    const { i } = t;
    return (R) => R[i];
  }
  if (t.k === "cell") {
    const { i } = t;
    return (R) => (R[i] as Cell).v!;
  }
  if (t.k === "global") {
    const { i } = t;
    return (R) => R[0][i];
  }
  return () => null;
}
