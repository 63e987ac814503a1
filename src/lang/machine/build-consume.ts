/**
 * Closures for calls of builtins that may run code of the program: a callback, a generator they walk. Such a call is a step
 * of its own, like a call of a function of ours; what it has begun is kept in the frame while it waits (`value/pending.ts`).
 */
import { Subject } from "../../datum";
import { assert } from "../../failure";
import type { IrDrained, IrExpr, IrStep } from "../compile/ir";
import type { BinaryOp } from "../syntax/ast";
import { PyDict } from "../value/dict";
import { extendWith } from "../value/list";
import { meter, spendSteps } from "../value/meter";
import { begin, Pending } from "../value/pending";
import { inplace } from "../value/protocol-arith";
import { getItem } from "../value/protocol-item";
import { ArrayIterator, contains, same } from "../value/protocol-iterate";
import { LazyIterator, PyList, type Value } from "../value/value";
import { walkIterator } from "../value/walk";
import { checkGrowing } from "../value/weight";
import { buildMethodCall, buildNativeCall, goOn } from "./build-call";
import { buildExpr, buildVerb, readField } from "./build-expression";
import type { Builder } from "./builder";
import { startVerb } from "./verbs";
import { type Exec, type Frame, NEXT, SUSPEND, vm } from "./vm";

export function buildConsume(B: Builder, s: Extract<IrStep, { k: "consume" }>): Exec {
  const start = buildStart(B, s.e);
  const { i, fs } = s;
  return (R) => {
    const at = vm.at;
    const result = vm.resuming ? goOn(R[fs]) : start(R);
    if (result instanceof Pending) {
      R[fs] = result;
      return SUSPEND;
    }
    R[i] = result;
    vm.at = at;
    return NEXT;
  };
}

type Start = (R: Frame) => Value | Pending;
function buildStart(B: Builder, e: IrExpr | IrDrained): Start {
  if (e.k === "native") return buildNativeCall(B, e, (f, args, kwargs) => f.start(args, kwargs));
  if (e.k === "method") return buildMethodCall(B, e, begin, (f, args, kwargs) => f.start(args, kwargs));
  if (e.k === "drained") return buildDrained(B, e);
  if (e.k === "cmp") return buildIn(B, e);
  if (e.k === "inplace") return buildExtend(B, e);
  if (e.k === "verb") return buildVerb(B, e, startVerb);
  assert(e.k === "index", "a step that waits");
  return buildItem(B, e);
}

function buildDrained(B: Builder, e: IrDrained): Start {
  const f = buildExpr(B, e.e);
  const { most } = e;
  return (R) => {
    const v = f(R);
    if (!(v instanceof LazyIterator) || most === 0) return v;
    const taken: Value[] = [];
    const each = (x: Value): boolean => {
      checkGrowing(taken);
      taken.push(x);
      return taken.length === most;
    };
    return begin(walkIterator(v, each, () => new ArrayIterator(taken)));
  };
}

/** `a in b`, `a not in b`. */
function buildIn(B: Builder, e: Extract<IrExpr, { k: "cmp" }>): Start {
  const [a, b] = e.es.map((x) => buildExpr(B, x));
  const wanted = e.ops[0] === "in";
  return (R) => {
    meter.ops++;
    const x = a!(R);
    const container = b!(R);
    if (!(container instanceof LazyIterator)) return contains(container, x) === wanted;
    let found = false;
    const each = (v: Value): boolean => {
      spendSteps(1);
      found = same(v, x);
      return found;
    };
    return begin(walkIterator(container, each, () => found === wanted));
  };
}

/** `a += b`. */
function buildExtend(B: Builder, e: Extract<IrExpr, { k: "inplace" }>): Start {
  const a = buildExpr(B, e.a);
  const b = buildExpr(B, e.b);
  return (R) => {
    meter.ops++;
    const list = a(R);
    const more = b(R);
    if (list instanceof PyList && more instanceof LazyIterator) return begin(extendWith(list, more, list));
    return inplace(e.op as BinaryOp, list, more);
  };
}

/** `a[b]`, where `a` may be a dict that calls for what is missing. */
function buildItem(B: Builder, e: Extract<IrExpr, { k: "index" }>): Start {
  const a = buildExpr(B, e.a);
  const b = buildExpr(B, e.b);
  return (R) => {
    meter.ops++;
    const o = a(R);
    const k = b(R);
    if (o instanceof Subject) return readField(o, k);
    if (o instanceof PyDict && o.startMissing !== undefined && !o.has(k)) return o.startMissing(k);
    return getItem(o, k);
  };
}
