/**
 * Closures for calls of builtins that may run code of the program: a callback, a generator they walk. Such a call is a step
 * of its own, like a call of a function of ours; what it has begun is kept in the frame while it waits (`value/pending.ts`).
 */
import type { IrExpr, IrStep } from "../compile/ir";
import { begin, Pending } from "../value/pending";
import type { Value } from "../value/value";
import { buildMethodCall, buildNativeCall, goOn } from "./build-call";
import { buildExpr } from "./build-expression";
import type { Builder } from "./builder";
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

function buildStart(B: Builder, e: IrExpr): (R: Frame) => Value | Pending {
  if (e.k === "native") return buildNativeCall(B, e, (f, args, kwargs) => f.start(args, kwargs));
  if (e.k === "method") return buildMethodCall(B, e, begin, (f, args, kwargs) => f.start(args, kwargs));
  return buildExpr(B, e);
}
