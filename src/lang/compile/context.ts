/**
 * What the lowering carries: the unit under work, the function whose frame it fills, the scope it reads names in and
 * the list that lifted steps go to.
 */
import type { Span } from "../../diagnostic";
import { assert } from "../../failure";
import type { Names } from "../check/names";
import type { Report } from "../check/report";
import type { Binding, Scope, ScopeTree } from "../check/scope";
import type { IrBlock, IrCode, IrExpr, IrParams, IrStep, IrTarget } from "./ir";
import { FIRST_SLOT } from "./ir";

/** One source under work. */
export interface Unit {
  readonly mode: "run" | "compile";
  readonly moduleName: string;
  readonly tree: ScopeTree;
  readonly names: Names;
  readonly report: Report;
  readonly codes: (IrCode | null)[];
  readonly top: Fn;
  /** Calls of a def by a name that is bound once: caller → callees, for the search for recursion. */
  readonly calls: CallEdge[];
  /** Every identifier of the source. */
  readonly identifiers: () => ReadonlySet<string>;
  /** What it names of other modules: `module.Kind`, `module.Kind.field`, `module.script` (for `still_referenced`). */
  readonly uses: Set<string>;
  /** Bare kinds written to, for the note of contract §5. */
  readonly bareWrites: { readonly kind: string; readonly span: Span }[];
}
export interface CallEdge {
  readonly from: Scope;
  readonly to: Binding;
  readonly span: Span;
  /** The callee is another module's script. */
  readonly script?: string;
}

/** One function's frame under work. */
export class Fn {
  slots = FIRST_SLOT;
  readonly cells: number[] = [];
  constructor(
    readonly scope: Scope,
    readonly parent: Fn | null,
    readonly name: string,
  ) {}
  get qualname(): string {
    return this.parent === null || this.parent.parent === null ? this.name : `${this.parent.qualname}.<locals>.${this.name}`;
  }
  slot(): number {
    return this.slots++;
  }
  /** The slot of a binding that lives in this frame. */
  slotOf(b: Binding): number {
    if (b.slot < 0) {
      b.slot = this.slot();
      // A captured name of a comprehension gets a fresh cell each time the comprehension starts (`newcell`).
      if (b.captured && b.scope.kind !== "comprehension") this.cells.push(b.slot);
    }
    return b.slot;
  }
  /** The slot of this frame that holds an outer function's cell. */
  freeSlot(b: Binding): number {
    let s = this.scope.free.get(b) ?? -1;
    if (s < 0) this.scope.free.set(b, (s = this.slot()));
    return s;
  }
}

export interface Cx {
  readonly u: Unit;
  readonly f: Fn;
  readonly s: Scope;
  /** Where lifted steps go, in evaluation order. */
  readonly out: IrStep[];
  /** Inside the body of a `try` that has an `except`: what Python would raise is left to be raised. */
  readonly guarded: boolean;
  /** Depth of `with branch` around, and whether a `for` is around: for `commit()`. */
  readonly branches: number;
  readonly line: number;
}

export function within(cx: Cx, more: Partial<Cx>): Cx {
  return { ...cx, ...more };
}

export function block(f: Fn, steps: IrStep[]): IrBlock {
  return { b: steps, pc: f.slot() };
}

/** Puts a value aside in a slot of its own, so that what comes after cannot change it. */
export function spill(cx: Cx, e: IrExpr): IrExpr {
  const i = cx.f.slot();
  cx.out.push({ k: "temp", i, e });
  return { k: "temp", i };
}

/** Whether evaluating `e` later gives the same value and does nothing. */
export function isStable(e: IrExpr): boolean {
  return (
    e.k === "const" ||
    e.k === "temp" ||
    e.k === "builtin" ||
    e.k === "member" ||
    e.k === "big" ||
    e.k === "float" ||
    e.k === "imag" ||
    e.k === "bytes" ||
    e.k === "ellipsis"
  );
}

/** How a use of a bound name reads its slot. */
export function readBinding(cx: Cx, b: Binding): IrExpr {
  const top = cx.u.tree.top;
  if (b.scope === top) {
    const i = cx.u.top.slotOf(b);
    return cx.f === cx.u.top ? { k: "local", i, n: b.name } : { k: "global", i, n: b.name };
  }
  if (b.scope.frame === cx.f.scope) {
    const i = cx.f.slotOf(b);
    return b.captured ? { k: "cell", i, n: b.name, free: false } : { k: "local", i, n: b.name };
  }
  assert(b.captured, `captured ${b.name}`);
  return { k: "cell", i: cx.f.freeSlot(b), n: b.name, free: true };
}

/** How an assignment to a bound name writes its slot. */
export function targetBinding(cx: Cx, b: Binding): IrTarget {
  const r = readBinding(cx, b);
  if (r.k === "local" || r.k === "global") return { k: r.k, i: r.i, n: r.n };
  assert(r.k === "cell", "a bound name has a slot");
  return { k: "cell", i: r.i, n: r.n, free: r.free };
}

export const NO_PARAMS: IrParams = { posonly: [], args: [], vararg: null, kwonly: [], kwarg: null };

/** Free slots of a finished function against its defining frame. */
export function freePairs(f: Fn): [number, number][] {
  const outer = f.parent;
  if (!outer) return [];
  const pairs: [number, number][] = [];
  for (const [b, own] of f.scope.free) {
    const mine = own < 0 ? f.freeSlot(b) : own;
    pairs.push([mine, b.scope.frame === outer.scope ? outer.slotOf(b) : outer.freeSlot(b)]);
  }
  return pairs;
}
