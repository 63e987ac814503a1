/** What number-region.ts asks of the stored form of a loop before it makes code of it: types, ops, whether it is whole. */
import { Float } from "../../datum";
import type { IrBlock, IrExpr } from "../compile/ir";
import { type KernelType, Unfit } from "./region";

/** The type of a tree; "none" while it is not known. */
export type Type = KernelType | "none";

/** What a slot holds, for the kernel; null where it is unbound. */
export function typeOfValue(v: unknown): KernelType | null | "other" {
  if (v === undefined) return null;
  return typeof v === "number" ? "int" : typeof v === "string" ? "text" : v instanceof Float ? "float" : "other";
}

export function joined(a: Type, b: Type): Type {
  if (a === "none" || b === "none") return "none";
  if (a === "text" || b === "text") throw new Unfit();
  return a === "float" || b === "float" ? "float" : "int";
}

/** The builtin of one argument that the kernel has; anything else is unfit. */
export function onlyArgumentOf(e: Extract<IrExpr, { k: "native" }>): "abs" | "float" | "len" | "str" {
  if (e.f.k !== "builtin" || e.args.length !== 1 || e.args[0]!.star || e.kw.length > 0) throw new Unfit();
  if (e.f.n !== "abs" && e.f.n !== "float" && e.f.n !== "len" && e.f.n !== "str") throw new Unfit();
  return e.f.n;
}

/** Whether a condition is charged whole, whatever its truth: else ways of different length meet behind it. */
export function isOnePiece(e: IrExpr): boolean {
  if (e.k === "not") return isOnePiece(e.a);
  return e.k !== "and" && e.k !== "or" && !(e.k === "cmp" && e.ops.length > 1);
}

/** Ops of a tree; those of a conditional are charged as its parts are reached. */
export function countOps(e: IrExpr): number {
  switch (e.k) {
    case "bin":
    case "inplace":
    case "index":
      return 1 + countOps(e.a) + countOps(e.b);
    case "un":
      return 1 + countOps(e.a);
    case "native":
      return 1 + e.args.reduce((n, x) => n + countOps(x.e), 0);
    case "fstring":
      return e.parts.reduce((n, p) => n + (typeof p === "string" ? 0 : 1 + countOps(p.e)), 0);
    default:
      return 0;
  }
}

/** Whether the code ends in a `return` on every path. */
export function returnsAlways(block: IrBlock | null): boolean {
  const s = block?.b[block.b.length - 1];
  if (s === undefined) return false;
  if (s.k === "seq") return returnsAlways(s.b);
  if (s.k === "if") return returnsAlways(s.a) && returnsAlways(s.b);
  return s.k === "return";
}
