/**
 * `try` and `raise`. An exception is a JavaScript exception inside a slice; what no handler may see (a stop, the ops
 * ceiling, `scope_forbidden`, our own faults) passes through everything, `finally` included.
 *
 * `except` and `finally` are two closures, one around the other, each with its own saved state.
 */
import type { IrHandler, IrStep } from "../compile/ir";
import { exceptionOf, isExceptionClass, isExceptionSubclass, raise } from "../value/exception";
import { PyException, type PyFunction, PyTuple, PyType, Raised, type Value } from "../value/value";
import { buildBlock } from "./build-block";
import { buildExpr } from "./build-expression";
import { buildAssign } from "./build-target";
import type { Builder } from "./builder";
import { type Cell, type Eval, type Exec, type Frame, NEXT, SUSPEND, unwind, vm } from "./vm";

export function buildTry(B: Builder, s: Extract<IrStep, { k: "try" }>): Exec {
  let run = buildBlock(B, s.a);
  if (s.hs.length > 0) run = buildExcept(B, run, s.hs, s.orelse ? buildBlock(B, s.orelse) : null, s.s);
  return s.fin ? buildFinally(run, buildBlock(B, s.fin), s.s + 2) : run;
}

interface Handler {
  readonly type: Eval | null;
  readonly bind: ((R: Frame, v: Value) => void) | null;
  readonly unbind: ((R: Frame) => void) | null;
  readonly body: Exec;
}

/** Saved state: `st` the phase (0 body, 1 handler, 2 else), `st + 1` the frames below, or the handler and what it interrupted. */
function buildExcept(B: Builder, body: Exec, hs: readonly IrHandler[], orelse: Exec | null, st: number): Exec {
  const handlers = hs.map((h): Handler => {
    const t = h.bind;
    return {
      type: h.type ? buildExpr(B, h.type) : null,
      bind: t ? buildAssign(B, t) : null,
      unbind: t
        ? (R) => {
            if (t.k === "cell") (R[t.i] as Cell).v = undefined;
            else if (t.k === "local") R[t.i] = undefined;
            else if (t.k === "global") R[0][t.i] = undefined;
          }
        : null,
      body: buildBlock(B, h.a),
    };
  });
  return (R) => {
    let phase = 0;
    let h = -1;
    let before: PyException | null = null;
    let code = NEXT;
    let depth = vm.stack.length;
    if (vm.resuming) {
      phase = R[st];
      // The frames that were active when the body stopped are on the stack again.
      if (phase === 0) depth = R[st + 1] as number;
      if (phase === 1) [h, before] = R[st + 1] as [number, PyException | null];
    }
    if (phase === 0) {
      const at = vm.at;
      try {
        code = body(R);
      } catch (thrown) {
        const x = exceptionOf(thrown);
        if (x === null) throw thrown;
        const raisedAt = vm.at;
        vm.at = at;
        h = asHandled(x, () => handlers.findIndex((c) => c.type === null || matches(x, c.type(R))));
        vm.at = raisedAt;
        if (h < 0) throw thrown;
        unwind(depth);
        vm.at = at;
        before = vm.handling;
        vm.handling = x;
        handlers[h]!.bind?.(R, x);
        phase = 1;
      }
      if (phase === 0) {
        if (code >= SUSPEND) {
          R[st] = 0;
          R[st + 1] = depth;
          return code;
        }
        if (code !== NEXT || orelse === null) return code;
        phase = 2;
      }
    }
    if (phase === 2) {
      code = orelse!(R);
      if (code >= SUSPEND) R[st] = 2;
      return code;
    }
    const handler = handlers[h]!;
    try {
      code = handler.body(R);
    } catch (thrown) {
      setContext(thrown, vm.handling);
      vm.handling = before;
      handler.unbind?.(R);
      throw thrown;
    }
    if (code >= SUSPEND) {
      R[st] = 1;
      R[st + 1] = [h, before];
      return code;
    }
    vm.handling = before;
    handler.unbind?.(R);
    return code;
  };
}

/** What an operation raises while an exception is handled has that one for its context, as what `raise` raises. */
function setContext(thrown: unknown, handled: PyException | null): void {
  const x = exceptionOf(thrown);
  if (x !== null && x !== handled) x.context ??= handled;
}

/** What finds a handler runs as the exception is handled: what it raises has it for its context. */
function asHandled<T>(x: PyException, find: () => T): T {
  const before = vm.handling;
  vm.handling = x;
  try {
    return find();
  } catch (thrown) {
    setContext(thrown, x);
    throw thrown;
  } finally {
    vm.handling = before;
  }
}

/** `x` is raised while `handled` is handled; a chain that led back to `x` ends before it. */
function putContext(x: PyException, handled: PyException): void {
  for (let e = handled; e.context !== null; e = e.context)
    if (e.context === x) {
      e.context = null;
      break;
    }
  x.context = handled;
}

/** Whether an exception is of what an `except` names: a class, or a tuple of them. */
function matches(x: PyException, type: Value): boolean {
  const classes = (type instanceof PyTuple ? type.a : [type]).map((t) => {
    const name = t instanceof PyType ? exceptionClass(t) : null;
    return name ?? raise("TypeError", "catching classes that do not inherit from BaseException is not allowed");
  });
  return classes.some((name) => isExceptionSubclass(x.className, name));
}

/** The name of an exception class given as a value; null for any other type. */
function exceptionClass(t: PyType): string | null {
  return isExceptionClass(t.name) ? t.name : null;
}

interface Pending {
  readonly code: number;
  readonly ret: Value;
  readonly thrown: unknown;
  readonly handling: PyException | null;
}
const NOTHING = Symbol("nothing thrown");

/** Saved state: `st` 1 while in `finally`, `st + 1` what it holds back, before that the frames below. */
function buildFinally(body: Exec, fin: Exec, st: number): Exec {
  return (R) => {
    let pending: Pending;
    if (vm.resuming && R[st] === 1) pending = R[st + 1];
    else {
      const depth: number = vm.resuming ? R[st + 1] : vm.stack.length;
      const at = vm.at;
      let code = NEXT;
      let thrown: unknown = NOTHING;
      try {
        code = body(R);
      } catch (t) {
        if (exceptionOf(t) === null) throw t;
        unwind(depth);
        vm.at = at;
        thrown = t;
      }
      if (code >= SUSPEND) {
        R[st] = 0;
        R[st + 1] = depth;
        return code;
      }
      pending = { code, ret: vm.ret, thrown, handling: vm.handling };
      if (thrown !== NOTHING) vm.handling = exceptionOf(thrown);
    }
    let c: number;
    try {
      c = fin(R);
    } catch (thrown) {
      setContext(thrown, vm.handling);
      vm.handling = pending.handling;
      R[st] = 0;
      throw thrown;
    }
    if (c >= SUSPEND) {
      R[st] = 1;
      R[st + 1] = pending;
      return c;
    }
    vm.handling = pending.handling;
    R[st] = 0;
    if (c !== NEXT) return c;
    if (pending.thrown !== NOTHING) throw pending.thrown;
    vm.ret = pending.ret;
    return pending.code;
  };
}

export function buildRaise(B: Builder, s: Extract<IrStep, { k: "raise" }>): Exec {
  const e = s.e ? buildExpr(B, s.e) : null;
  const cause = s.cause ? buildExpr(B, s.cause) : null;
  return (R) => {
    if (e === null) {
      if (vm.handling === null) raise("RuntimeError", "No active exception to reraise");
      throw new Raised(vm.handling);
    }
    const x = instance(e(R), "exceptions must derive from BaseException");
    if (cause !== null) {
      const c = cause(R);
      x.cause = c === null ? null : instance(c, "exception causes must derive from BaseException");
      x.suppressContext = true;
    }
    if (vm.handling !== null && vm.handling !== x) putContext(x, vm.handling);
    throw new Raised(x);
  };
}

function instance(v: Value, otherwise: string): PyException {
  if (v instanceof PyException) return v;
  if (v instanceof PyType && exceptionClass(v) !== null) {
    const made = (v as PyFunction).call([], null);
    if (made instanceof PyException) return made;
  }
  return raise("TypeError", otherwise);
}
