/** Functions: parameters with their defaults, and the closing of a finished frame into code. */
import { annotationFault } from "../check/types";
import type { Arguments } from "../syntax/ast";
import { block, type Cx, type Fn, freePairs } from "./context";
import type { IrCode, IrExpr, IrParams, IrStep } from "./ir";
import { lowerExpr } from "./lower-expression";

export interface LoweredParameters {
  readonly ir: IrParams;
  /** All names in slot order: posonly, args, vararg, kwonly, kwarg. */
  readonly names: readonly string[];
}

/** Defaults are evaluated where the function is defined, left to right; `null` where a parameter has none. */
export function lowerParameters(cx: Cx, a: Arguments): { defaults: (IrExpr | null)[]; params: LoweredParameters } {
  const defaults: (IrExpr | null)[] = [];
  for (const p of [...a.posonly, ...a.args, ...a.kwonly]) {
    if (p.annotation) annotationFault(cx, p.annotation);
    defaults.push(p.default ? lowerExpr(cx, p.default) : null);
  }
  for (const p of [a.vararg, a.kwarg]) if (p?.annotation) annotationFault(cx, p.annotation);
  const ir: IrParams = {
    posonly: a.posonly.map((p) => p.name),
    args: a.args.map((p) => p.name),
    vararg: a.vararg?.name ?? null,
    kwonly: a.kwonly.map((p) => p.name),
    kwarg: a.kwarg?.name ?? null,
  };
  const names = [...ir.posonly, ...ir.args, ...(ir.vararg ? [ir.vararg] : []), ...ir.kwonly, ...(ir.kwarg ? [ir.kwarg] : [])];
  return { defaults, params: { ir, names } };
}

export function closeCode(f: Fn, params: IrParams, paramSlots: readonly number[], steps: IrStep[]): IrCode {
  const free = freePairs(f);
  const body = block(f, steps);
  return {
    name: f.name,
    ...(f.qualname === f.name ? {} : { qualname: f.qualname }),
    params,
    paramSlots: [...paramSlots],
    cells: [...f.cells],
    free,
    slots: f.slots,
    body,
  };
}
