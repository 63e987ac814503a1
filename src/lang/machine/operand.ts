/**
 * An operand of a closure: what it is, so that the commonest ones (a slot that is always bound, a constant) are read
 * without a call.
 *
 *   const x = i >= 0 ? R[i] : a(R);
 */
import type { IrExpr } from "../compile/ir";
import type { Value } from "../value/value";
import { buildExpr } from "./build-expression";
import type { Builder } from "./builder";
import type { Eval } from "./vm";

export interface Operand {
  /** The slot it is read from; -1 where it takes a call. */
  readonly i: number;
  readonly f: Eval;
  /** The constant it is; undefined for any other. */
  readonly constant: Value | undefined;
}

export function buildOperand(B: Builder, e: IrExpr): Operand {
  return { i: slotOf(B, e), f: buildExpr(B, e), constant: e.k === "const" ? e.v : undefined };
}

/** The slot of the frame that an expression reads and that is bound whenever it does; -1 for anything else. */
function slotOf(B: Builder, e: IrExpr): number {
  return (e.k === "temp" || e.k === "local") && B.registers.types[e.i] === null && !B.building!.unsure[e.i] ? e.i : -1;
}
