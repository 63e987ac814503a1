/**
 * Which slots of a frame only ever hold ints, and which only floats: the machine keeps those as raw doubles, without a
 * box for each value (`machine/registers.ts`).
 *
 * A slot qualifies when every definition of it is seen here (plain assignments, lifted values, `range` loops), all give
 * one number type, and on every path it is bound before it is read. Parameters, captured names, names that other code
 * reads as globals, and whatever a pattern, an unpacking, a handler or `:=` binds do not qualify: what is not understood
 * stays general. Types are the least fixpoint over the definitions; nothing is taken from annotations, which promise
 * nothing at run time.
 */
import type { IrBlock, IrBlockExpr, IrCode, IrExpr, IrItem, IrKeyword, IrPattern, IrStep, IrTarget, IrUnit } from "./ir";

export type NumberType = "int" | "float";
/** `none`: not known yet, the bottom of the fixpoint. */
type Type = NumberType | "any" | "none";

export interface Numbers {
  /** By slot; null for a general one. */
  readonly types: readonly (NumberType | null)[];
  /** By slot: whether some path may read it unbound. */
  readonly unsure: readonly boolean[];
  /** Expressions in the code: bounds the registers that its trees need. */
  readonly expressions: number;
}

const ARITHMETIC = new Set(["+", "-", "*", "//", "%"]);
const BITWISE = new Set(["&", "|", "^"]);
/** Builtins that give an int whatever they are given, or raise. */
const INT_BUILTINS = new Set(["len", "ord", "int"]);

/** Slots of the top level that other code of the unit, or another module, reads. */
export function sharedGlobals(unit: IrUnit): ReadonlySet<number> {
  const shared = new Set(Object.values(unit.scripts));
  const visit = (x: unknown): void => {
    if (Array.isArray(x)) for (const y of x) visit(y);
    else if (x !== null && typeof x === "object") {
      if ("k" in x && x.k === "global") shared.add((x as unknown as { i: number }).i);
      for (const y of Object.values(x)) visit(y);
    }
  };
  for (const code of unit.codes.slice(1)) visit(code.body);
  return shared;
}

export function inferNumbers(code: IrCode, shared: ReadonlySet<number>): Numbers {
  const walk = new Walk(code.slots);
  for (const i of [...code.paramSlots, ...code.cells, ...code.free.map((p) => p[0]), ...shared]) walk.general(i);
  walk.block(code.body, new Set(code.paramSlots));
  const types = walk.yields ? new Array<null>(code.slots).fill(null) : fixpoint(walk);
  return { types, unsure: walk.isUnsure, expressions: walk.expressions };
}

function fixpoint(walk: Walk): (NumberType | null)[] {
  const types: Type[] = walk.isGeneral.map((g) => (g ? "any" : "none"));
  for (let changed = true; changed; ) {
    changed = false;
    for (const { i, e } of walk.definitions) {
      const t = types[i]!;
      const joined = join(t, e === "int" || e === "any" ? e : typeOf(e, types));
      if (joined === t) continue;
      types[i] = joined;
      changed = true;
    }
  }
  return types.map((t) => (t === "int" || t === "float" ? t : null));
}
function join(a: Type, b: Type): Type {
  return a === "none" ? b : b === "none" || a === b ? a : "any";
}

/** The type of an expression, given the types of slots. */
export function typeOf(e: IrExpr, slots: readonly (Type | null)[]): Type {
  switch (e.k) {
    case "const":
      return typeof e.v === "number" ? "int" : "any";
    case "big":
      return "int";
    case "float":
      return "float";
    case "local":
    case "temp":
      return slots[e.i] ?? "any";
    case "bin":
    case "inplace":
      return ofBinary(e.op, typeOf(e.a, slots), typeOf(e.b, slots));
    case "un": {
      const t = typeOf(e.a, slots);
      return e.op === "-" ? t : "any";
    }
    case "cond":
      return join(typeOf(e.a, slots), typeOf(e.b, slots));
    case "native":
      if (e.f.k !== "builtin") return "any";
      return INT_BUILTINS.has(e.f.n) ? "int" : e.f.n === "float" ? "float" : "any";
    default:
      return "any";
  }
}
function ofBinary(op: string, a: Type, b: Type): Type {
  if (a === "any" || b === "any") return "any";
  const both = a === "none" || b === "none" ? "none" : a === "float" || b === "float" ? "float" : "int";
  if (ARITHMETIC.has(op)) return both;
  if (op === "/") return both === "none" ? "none" : "float";
  if (BITWISE.has(op)) return both === "float" ? "any" : both;
  return "any";
}

/** Definitions of slots, and what is bound where, in evaluation order. */
class Walk {
  readonly definitions: { readonly i: number; readonly e: IrExpr | "int" | "any" }[] = [];
  readonly isGeneral: boolean[];
  readonly isUnsure: boolean[];
  expressions = 0;
  yields = false;
  constructor(slots: number) {
    this.isGeneral = new Array(slots).fill(false);
    this.isUnsure = new Array(slots).fill(false);
  }
  general(i: number): void {
    this.isGeneral[i] = true;
  }
  /** May be read while unbound. */
  unsure(i: number): void {
    this.isGeneral[i] = true;
    this.isUnsure[i] = true;
  }

  /** `bound`: slots bound on every path to here; grows in place. */
  block(block: IrBlock | null, bound: Set<number>): void {
    for (const s of block?.b ?? []) this.step(s, bound);
  }

  step(s: IrStep, bound: Set<number>): void {
    switch (s.k) {
      case "seq":
        this.block(s.b, bound);
        return;
      case "set": {
        this.expr(s.e, bound);
        const t = s.ts[0]!;
        if (t.k !== "local") {
          this.target(t, bound);
          return;
        }
        this.definitions.push({ i: t.i, e: s.e });
        bound.add(t.i);
        return;
      }
      case "temp":
        this.expr(s.e, bound);
        this.definitions.push({ i: s.i, e: s.e });
        bound.add(s.i);
        return;
      case "call":
        this.expr(s.f, bound);
        this.items(s.args, s.kw, bound);
        this.general(s.i);
        bound.add(s.i);
        return;
      case "consume":
        this.expr(s.e.k === "drained" ? s.e.e : s.e, bound);
        this.general(s.i);
        bound.add(s.i);
        return;
      case "if": {
        this.expr(s.c, bound);
        const a = new Set(bound);
        const b = new Set(bound);
        this.block(s.a, a);
        this.block(s.b, b);
        // An arm that leaves says nothing of what comes after.
        for (const i of leaves(s.a) ? b : a) if (leaves(s.a) || leaves(s.b) || b.has(i)) bound.add(i);
        return;
      }
      case "for": {
        this.expr(s.e, bound);
        const inside = new Set(bound);
        if (s.to.k === "local") {
          this.definitions.push({ i: s.to.i, e: isRange(s.e) ? "int" : "any" });
          inside.add(s.to.i);
        } else this.target(s.to, inside);
        this.block(s.a, inside);
        this.block(s.b, new Set(bound));
        return;
      }
      case "keep":
        if (s.key) this.expr(s.key, bound);
        this.expr(s.e, bound);
        this.general(s.i);
        return;
      case "try":
        this.block(s.a, new Set(bound));
        for (const h of s.hs) {
          const inside = new Set(bound);
          if (h.type) this.expr(h.type, inside);
          // Unbound again at the handler's end.
          if (h.bind?.k === "local") this.unsure(h.bind.i);
          this.block(h.a, inside);
        }
        this.block(s.orelse, new Set(bound));
        this.block(s.fin, bound);
        return;
      case "with":
        if (s.name) this.expr(s.name, bound);
        this.block(s.a, bound);
        return;
      case "match":
        this.expr(s.e, bound);
        for (const c of s.cases) {
          const inside = new Set(bound);
          this.pattern(c.p, inside);
          if (c.guard) this.rare(c.guard, inside);
          this.block(c.a, inside);
        }
        return;
      case "assert":
        this.expr(s.c, bound);
        if (s.msg) this.rare(s.msg, new Set(bound));
        return;
      case "del":
        if (s.t.k === "local") this.unsure(s.t.i);
        else this.target(s.t, bound);
        return;
      case "newcell":
        this.general(s.i);
        return;
      case "import":
      case "library":
        if (s.to) this.target(s.to, bound);
        if (s.k === "library") for (const [, t] of s.names) this.target(t, bound);
        return;
      case "yield":
        this.yields = true;
        this.expr(s.e, bound);
        return;
      case "raise":
        if (s.cause) this.expr(s.cause, bound);
        if (s.e) this.expr(s.e, bound);
        return;
      case "expr":
      case "return":
        if (s.e) this.expr(s.e, bound);
        return;
      case "break":
      case "continue":
      case "pass":
    }
  }

  /** A target bound in a way not followed here. */
  target(t: IrTarget, bound: Set<number>): void {
    if (t.k === "local") {
      this.general(t.i);
      bound.add(t.i);
    } else if (t.k === "unpack") for (const x of t.ts) this.target(x, bound);
    else if (t.k === "index") {
      this.expr(t.a, bound);
      this.expr(t.b, bound);
    }
  }

  pattern(p: IrPattern, bound: Set<number>): void {
    if ("to" in p && p.to) this.target(p.to, bound);
    if ("rest" in p && p.rest) this.target(p.rest, bound);
    if ("e" in p) this.expr(p.e, bound);
    if ("keys" in p) for (const k of p.keys) this.expr(k, bound);
    if ("p" in p && p.p) this.pattern(p.p, bound);
    if ("ps" in p) for (const x of p.ps) this.pattern(x, bound);
    if ("nps" in p) for (const x of p.nps) this.pattern(x, bound);
  }

  rare(x: IrBlockExpr, bound: Set<number>): void {
    this.block(x.pre, bound);
    this.expr(x.e, bound);
  }
  items(args: readonly IrItem[], kw: readonly IrKeyword[], bound: Set<number>): void {
    for (const a of args) this.expr(a.e, bound);
    for (const k of kw) this.expr(k.e, bound);
  }

  /** Reads of slots; anything that holds expressions is looked through, whatever it is. */
  expr(e: IrExpr, bound: Set<number>): void {
    this.expressions++;
    if (e.k === "local" || e.k === "temp") {
      if (!bound.has(e.i)) this.unsure(e.i);
      return;
    }
    for (const part of Object.values(e)) this.parts(part, bound);
    // Perhaps reached only sometimes: binds nothing for sure.
    if (e.k === "walrus") this.target(e.to, new Set(bound));
  }
  parts(x: unknown, bound: Set<number>): void {
    if (Array.isArray(x)) for (const y of x) this.parts(y, bound);
    else if (x !== null && typeof x === "object") {
      if ("k" in x) this.expr(x as IrExpr, bound);
      else for (const y of Object.values(x)) this.parts(y, bound);
    }
  }
}

function leaves(block: IrBlock | null): boolean {
  const k = block?.b[block.b.length - 1]?.k;
  return k === "return" || k === "break" || k === "continue" || k === "raise";
}

/** `range(…)` of the builtin: its elements are ints. */
export function isRange(e: IrExpr): boolean {
  return e.k === "native" && e.f.k === "builtin" && e.f.n === "range";
}
