/**
 * Closures for calls: of functions of ours, which may suspend and are steps of their own, and of builtins and methods,
 * which cannot and are expressions. A call counts one op: a native one before its arguments are evaluated, any other
 * once they are.
 */
import { Subject } from "../../datum";
import type { IrExpr, IrItem, IrStep } from "../compile/ir";
import { getAttribute, methodBy, usualMethods } from "../value/attribute";
import { BoundMethod } from "../value/builtin-function";
import { PyDict } from "../value/dict";
import { raise } from "../value/exception";
import { makingCall, meter, opsSpent } from "../value/meter";
import { Pending, settle, type Task } from "../value/pending";
import { absolute } from "../value/protocol-arith";
import { length } from "../value/protocol-iterate";
import { repr, str } from "../value/protocol-text";
import { typeName } from "../value/protocol-type";
import { PyFunction, PyList, type Value } from "../value/value";
import { buildExpr, buildItems, buildKeywords } from "./build-expression";
import { intRegister } from "./build-number";
import type { Builder } from "./builder";
import { type DirectMethod, directMethod } from "./direct-methods";
import { bindFrame, directFrame, leafLeft, MachineFunction, runLeaf, SUSPENDED } from "./function";
import { buildOperand, type Operand } from "./operand";
import { cellOf, plainRead } from "./verbs";
import { type At, type Eval, type Exec, enter, type Frame, NEXT, reenter, SUSPEND, takeReturn, vm } from "./vm";

/** A call of what may be a function of ours: its frame is kept while it is suspended. */
export function buildCall(B: Builder, s: Extract<IrStep, { k: "call" }>): Exec {
  const f = buildExpr(B, s.f);
  const args = buildItems(B, s.args, true);
  const kw = buildKeywords(B, s.kw);
  const { i, fs } = s;
  const positional = kw === null && !s.args.some((a) => a.star);
  const place = positional ? buildPlacing(B, s.args) : null;
  const n = s.args.length;
  return (R) => {
    if (vm.resuming) {
      if (R[fs] instanceof Pending) return began(R, goOn(R[fs]));
      const [fn, F] = R[fs] as [MachineFunction, Frame];
      const at = vm.at;
      return returned(R, fn, F, reenter(fn, F), at);
    }
    const fn = f(R);
    if (!(fn instanceof MachineFunction)) {
      const xs = args(R, fn);
      const k = kw ? kw(R, fn) : null;
      if (!(fn instanceof PyFunction)) raise("TypeError", `'${typeName(fn)}' object is not callable`);
      if (++meter.ops > meter.opsMax) opsSpent();
      makingCall();
      return began(R, fn.start(xs, k));
    }
    const code = fn.code;
    const at = vm.at;
    let F: Frame;
    if (place !== null && code.direct === n) {
      F = place(R, fn);
      if (++meter.ops > meter.opsMax) opsSpent();
      if (F === code.leafFrame) {
        const given = runLeaf(code, F);
        if (given === SUSPENDED) return returned(R, fn, leafLeft(fn, F), SUSPEND, at);
        R[i] = given;
        vm.at = at;
        return NEXT;
      }
    } else {
      const xs = args(R, fn);
      F = bindFrame(fn, xs, kw ? kw(R, fn) : null);
      if (++meter.ops > meter.opsMax) opsSpent();
    }
    const c = enter(fn, F);
    if (c >= SUSPEND) return returned(R, fn, F, c, at);
    R[i] = takeReturn(c);
    vm.at = at;
    return NEXT;
  };
  function began(R: Frame, result: Value | Pending): number {
    R[result instanceof Pending ? fs : i] = result;
    return result instanceof Pending ? SUSPEND : NEXT;
  }
  function returned(R: Frame, fn: MachineFunction, F: Frame, c: number, at: At): number {
    if (c >= SUSPEND) {
      R[fs] = [fn, F];
      return c;
    }
    R[i] = takeReturn(c);
    vm.at = at;
    return NEXT;
  }
}

/** Goes on with what waited; code of ours, if there is any in it, says itself that it resumes. */
export function goOn(pending: Pending): Value | Pending {
  try {
    return pending.goOn();
  } finally {
    vm.resuming = false;
  }
}

/** Evaluates arguments, then puts them where a `direct` function has its parameters. */
function buildPlacing(B: Builder, items: readonly IrItem[]): (R: Frame, fn: MachineFunction) => Frame {
  const ops = items.map((x) => buildOperand(B, x.e));
  if (ops.length === 1) {
    const { i, f } = ops[0]!;
    return (R, fn) => {
      const x = i >= 0 ? R[i] : f(R);
      const F = directFrame(fn);
      F[fn.code.paramSlots[0]!] = x;
      return F;
    };
  }
  if (ops.length === 2) {
    const [{ i, f }, { i: j, f: g }] = ops as [Operand, Operand];
    return (R, fn) => {
      const x = i >= 0 ? R[i] : f(R);
      const y = j >= 0 ? R[j] : g(R);
      const F = directFrame(fn);
      const slots = fn.code.paramSlots;
      F[slots[0]!] = x;
      F[slots[1]!] = y;
      return F;
    };
  }
  const values = buildItems(B, items);
  return (R, fn) => {
    const xs = values(R);
    const F = directFrame(fn);
    const slots = fn.code.paramSlots;
    for (let k = 0; k < xs.length; k++) F[slots[k]!] = xs[k];
    return F;
  };
}

/** Builtins that are one function of one argument: called without a list of arguments. */
const OF_ONE: ReadonlyMap<string, (v: Value) => Value> = new Map<string, (v: Value) => Value>([
  ["str", str],
  ["len", length],
  ["abs", absolute],
  ["repr", repr],
]);

export function buildNative(B: Builder, e: Extract<IrExpr, { k: "native" }>): Eval {
  const ofOne = e.f.k === "builtin" && e.args.length === 1 && !e.args[0]!.star && e.kw.length === 0 ? OF_ONE.get(e.f.n) : undefined;
  if (ofOne !== undefined) {
    const { i, f: a } = buildOperand(B, e.args[0]!.e);
    const N = B.registers;
    const r = intRegister(B, e.args[0]!.e);
    return (R) => {
      meter.ops++;
      return ofOne(r >= 0 ? N.int(r) : i >= 0 ? R[i] : a(R));
    };
  }
  return buildNativeCall(B, e, toTheEnd);
}
/** How a call is made once its arguments are there: to its end, or begun (`build-consume.ts`). */
type Make<T> = (f: PyFunction, args: readonly Value[], kwargs: ReadonlyMap<string, Value> | null) => T;
const toTheEnd: Make<Value> = (f, args, kwargs) => f.call(args, kwargs);

export function buildNativeCall<T>(B: Builder, e: Extract<IrExpr, { k: "native" }>, make: Make<T>): (R: Frame) => T {
  const args = buildItems(B, e.args, true);
  const kw = buildKeywords(B, e.kw);
  const f = buildExpr(B, e.f)([]);
  if (!(f instanceof PyFunction))
    return (R) => {
      args(R, f);
      raise("TypeError", `'${typeName(f)}' object is not callable`);
    };
  return (R) => {
    meter.ops++;
    makingCall();
    const xs = args(R, f);
    return make(f, xs, kw ? kw(R, f) : null);
  };
}

export function buildMethod(B: Builder, e: Extract<IrExpr, { k: "method" }>): Eval {
  const { i, f: a } = buildOperand(B, e.a);
  const call = methodCall(B, e, settle, toTheEnd);
  const plain = e.kw.length === 0 && e.args.length <= 2 && !e.args.some((x) => x.star);
  const direct = plain ? directMethod(e.n, e.args.length) : undefined;
  if (direct === undefined) return (R) => call(R, i >= 0 ? R[i] : a(R));
  return buildDirect(B, e, direct, call);
}
/** A method with a way of its own for the usual receivers. */
function buildDirect(
  B: Builder,
  e: Extract<IrExpr, { k: "method" }>,
  { ofStr, ofList, ofDict }: DirectMethod,
  call: (R: Frame, o: Value) => Value,
): Eval {
  const { i, f: a } = buildOperand(B, e.a);
  const none: Operand = { i: -1, f: () => null, constant: null };
  const [{ i: j, f: b, constant: given1 }, { i: k, f: c, constant: given2 }] = [none, none].map((x, n) =>
    n < e.args.length ? buildOperand(B, e.args[n]!.e) : x,
  ) as [Operand, Operand];
  const usual = usualMethods(e.n);
  const count = e.args.length;
  return (R) => {
    const o = i >= 0 ? R[i] : a(R);
    const isStr = ofStr !== undefined && typeof o === "string";
    const isList = ofList !== undefined && o instanceof PyList;
    if (!isStr && !isList && !(ofDict !== undefined && o instanceof PyDict && o.tables === null)) return call(R, o);
    meter.ops++;
    const x = given1 !== undefined ? given1 : j >= 0 ? R[j] : b(R);
    const y = given2 !== undefined ? given2 : k >= 0 ? R[k] : c(R);
    const given = isStr ? ofStr(o, x, y) : isList ? ofList(o, x, y) : ofDict!(o as PyDict, x, y);
    if (given !== undefined) return given;
    return settle(methodBy(usual, o, e.n)!(o, [x, y].slice(0, count), null));
  };
}

/** `made`: what is made of what a method gives; `make`: how a function that is an attribute is called. */
export function buildMethodCall<T>(
  B: Builder,
  e: Extract<IrExpr, { k: "method" }>,
  made: (result: Value | Task) => T,
  make: Make<T>,
): (R: Frame) => T {
  const { i, f: a } = buildOperand(B, e.a);
  const call = methodCall(B, e, made, make);
  return (R) => call(R, i >= 0 ? R[i] : a(R));
}
/** The same, the receiver being there. */
function methodCall<T>(
  B: Builder,
  e: Extract<IrExpr, { k: "method" }>,
  made: (result: Value | Task) => T,
  make: Make<T>,
): (R: Frame, o: Value) => T {
  const args = buildItems(B, e.args, true);
  const kw = buildKeywords(B, e.kw);
  const n = e.n;
  const usual = usualMethods(n);
  const unpacks = e.args.some((x) => x.star) || e.kw.some((k) => k.n === null);
  return (R, o) => {
    meter.ops++;
    makingCall();
    if (o instanceof Subject) fieldIsNotCalled(o, n);
    // The method is looked up before the arguments are evaluated, as in Python.
    const method = methodBy(usual, o, n);
    if (method === undefined) {
      const f = getAttribute(o, n);
      const xs = args(R, f);
      const k = kw ? kw(R, f) : null;
      if (!(f instanceof PyFunction)) raise("TypeError", `'${typeName(f)}' object is not callable`);
      return make(f, xs, k);
    }
    const bound = unpacks ? new BoundMethod(o, n, method) : undefined;
    const xs = args(R, bound);
    return made(method(o, xs, kw ? kw(R, bound) : null));
  };
}
function fieldIsNotCalled(o: Subject, n: string): never {
  const v = plainRead(cellOf(o, n));
  raise("TypeError", `'${typeName(v)}' object is not callable`);
}
