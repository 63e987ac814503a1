/**
 * Which functions are leaves: they call nothing, loop nowhere and catch nothing, so that one can run from its start to its
 * end within a slice that has room for its statements.
 */
import type { IrBlock, IrCode, IrExpr, IrStep } from "./ir";

/** The most statements one run of the code can make; -1 where it is no leaf. */
export function leafStatements(code: IrCode): number {
  const n = ofBlock(code.body);
  return Number.isFinite(n) ? n : -1;
}

function ofBlock(b: IrBlock | null): number {
  return (b?.b ?? []).reduce((n, s) => n + ofStep(s), 0);
}

function ofStep(s: IrStep): number {
  const own = s.line ? 1 : 0;
  switch (s.k) {
    case "seq":
      return own + ofBlock(s.b);
    case "set":
      return s.ts.every((t) => t.k === "local") && isQuiet(s.e) ? own : Number.POSITIVE_INFINITY;
    case "temp":
    case "expr":
      return isQuiet(s.e) ? own : Number.POSITIVE_INFINITY;
    case "return":
      return s.e === null || isQuiet(s.e) ? own : Number.POSITIVE_INFINITY;
    case "if":
      return isQuiet(s.c) ? own + Math.max(ofBlock(s.a), ofBlock(s.b)) : Number.POSITIVE_INFINITY;
    case "pass":
      return own;
    default:
      return Number.POSITIVE_INFINITY;
  }
}

/** Whether evaluating runs no other code of ours and asks nothing of the store. */
function isQuiet(e: IrExpr): boolean {
  switch (e.k) {
    case "const":
    case "big":
    case "float":
    case "imag":
    case "bytes":
    case "local":
    case "temp":
    case "global":
      return true;
    case "bin":
      return isQuiet(e.a) && isQuiet(e.b);
    case "un":
    case "not":
      return isQuiet(e.a);
    case "cmp":
      // `in` may run a generator.
      return !e.ops.some((op) => op.endsWith("in")) && e.es.every(isQuiet);
    case "and":
    case "or":
      return e.es.every(isQuiet);
    case "cond":
      return isQuiet(e.c) && isQuiet(e.a) && isQuiet(e.b);
    case "list":
    case "tuple":
      return e.es.every((x) => !x.star && isQuiet(x.e));
    default:
      return false;
  }
}
