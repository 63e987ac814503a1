/**
 * Names, expressions, lists and conditions of a loop, as code of the number kernel: the value of a tree in a register, a jump where a
 * test says so. What a loop cannot have there is refused (`Unfit`). The steps around them are `number-region.ts`'s.
 */
import type { NumberType } from "../compile/infer-numbers";
import type { IrExpr, IrTarget } from "../compile/ir";
import { PyList } from "../value/value";
import * as K from "./kernel-code";
import { type Activation, type KernelType, Unfit, type Variable } from "./region";
import { RegionCode } from "./region-code";
import { countOps, isOnePiece, joined, onlyArgumentOf, type Type, typeOfValue } from "./region-form";
import { elementTypeOf, listAt, type ShownList } from "./region-lists";
import { type Operand, TextCode } from "./region-texts";
import type { Frame } from "./vm";

type Operation = { readonly int: number | null; readonly float: number | null; readonly gives: NumberType | null };
const OPERATIONS: { readonly [op: string]: Operation } = {
  "+": { int: K.ADD_INT, float: K.ADD_FLOAT, gives: null },
  "-": { int: K.SUB_INT, float: K.SUB_FLOAT, gives: null },
  "*": { int: K.MUL_INT, float: K.MUL_FLOAT, gives: null },
  "/": { int: K.DIV_INT, float: K.DIV_FLOAT, gives: "float" },
  "//": { int: K.FLOORDIV_INT, float: null, gives: null },
  "%": { int: K.MOD_INT, float: null, gives: null },
  "&": { int: K.AND_INT, float: null, gives: null },
  "|": { int: K.OR_INT, float: null, gives: null },
  "^": { int: K.XOR_INT, float: null, gives: null },
};
function noText({ type }: Operand): void {
  if (type === "text") throw new Unfit();
}

export class ExpressionCode {
  readonly to = new RegionCode();
  readonly texts = new TextCode(this.to);
  /** Lists appended to. */
  lists: { slot: number; type: KernelType }[] = [];
  /** Lists read and written by subscript. */
  shown: ShownList[] = [];
  readonly globals = new Map<Frame, Map<number, Variable>>();
  /** Whether a type has changed: the code is made once more. */
  changed = false;
  /** Whether a type is not known yet. */
  incomplete = false;

  constructor(
    readonly root: Activation,
    readonly R: Frame,
    readonly entry: (slot: number) => Type | null | "other",
  ) {}

  /** Begins anew: what is known of types stays. */
  reset(): void {
    this.to.reset();
    this.texts.reset();
    this.lists = [];
    this.shown = [];
    this.changed = this.incomplete = false;
  }

  // ---- names ------------------------------------------------------------------------------------------------------------
  variable(a: Activation, slot: number): Variable {
    let v = a.variables.get(slot);
    if (v === undefined) {
      const type = a.fn === null ? this.entry(slot) : null;
      if (type === "other") throw new Unfit();
      v = { slot, k: this.to.fresh(), type: type ?? "none", lifted: true, assigned: false, shared: false };
      a.variables.set(slot, v);
    }
    return v;
  }
  #global(frame: Frame, slot: number): Variable {
    // The loop stands at the top level whose names these are: the same name.
    if (frame === this.R) return this.variable(this.root, slot);
    let of = this.globals.get(frame);
    if (of === undefined) this.globals.set(frame, (of = new Map()));
    let v = of.get(slot);
    if (v === undefined) {
      const type = typeOfValue(frame[slot]);
      if (type === null || type === "other") throw new Unfit();
      v = { slot, k: this.to.fresh(), type, lifted: false, assigned: false, shared: true };
      of.set(slot, v);
    }
    return v;
  }
  globalsOf(a: Activation): Frame {
    return a.fn === null ? this.R[0] : a.fn.globals;
  }
  bind(v: Variable, type: Type, { lifted = false, shared = false } = {}): void {
    v.assigned = true;
    if (!lifted) v.lifted = false;
    if (shared && !v.shared) {
      v.shared = true;
      this.changed = true;
    }
    if (type === "none" || type === v.type) return;
    if (v.type !== "none") throw new Unfit();
    v.type = type;
    this.changed = true;
  }

  // ---- expressions ------------------------------------------------------------------------------------------------------
  #leaf(a: Activation, e: IrExpr): Operand | null {
    switch (e.k) {
      case "local":
      case "temp": {
        if (a.code.unsure[e.i]) throw new Unfit();
        const v = this.variable(a, e.i);
        return { k: v.k, type: v.type };
      }
      case "global": {
        const v = this.#global(this.globalsOf(a), e.i);
        return { k: v.k, type: v.type };
      }
      case "const":
        if (typeof e.v === "string") return { k: this.to.text(e.v), type: "text" };
        if (typeof e.v !== "number") throw new Unfit();
        return { k: this.to.constant(e.v), type: "int" };
      case "float":
        return { k: this.to.constant(e.v === "inf" ? Number.POSITIVE_INFINITY : e.v), type: "float" };
      default:
        return null;
    }
  }

  /** The value of a tree, in register `dest` where one is given. Its ops are charged already. */
  evaluate(a: Activation, e: IrExpr, dest = -1): Operand {
    const leaf = this.#leaf(a, e);
    if (leaf !== null) {
      if (leaf.type === "none") this.incomplete = true;
      if (dest < 0 || dest === leaf.k) return leaf;
      this.to.emit(K.MOVE, dest, leaf.k);
      return { k: dest, type: leaf.type };
    }
    switch (e.k) {
      case "bin":
      case "inplace":
        return this.#binary(a, e, dest);
      case "un": {
        if (e.op !== "-") throw new Unfit();
        const x = this.evaluate(a, e.a);
        noText(x);
        const k = dest < 0 ? this.to.temporary() : dest;
        this.to.emit(x.type === "float" ? K.NEG_FLOAT : K.NEG_INT, k, x.k);
        return { k, type: x.type };
      }
      case "index": {
        const list = this.shownOf(a, e.a);
        const { type } = this.shown[list]!;
        const at = this.#indexOf(a, e.b);
        const k = dest < 0 ? this.to.temporary() : dest;
        this.to.risk(type === "truth" ? K.GET_TRUTH : K.GET_NUMBER, k, list, at);
        return { k, type: type === "float" ? "float" : "int" };
      }
      case "native": {
        const name = onlyArgumentOf(e);
        if (name === "len") return this.#length(a, e.args[0]!.e, dest);
        const x = name === "str" ? this.number(a, e.args[0]!.e) : this.evaluate(a, e.args[0]!.e);
        if (name === "str") return this.texts.ofValue(x, dest < 0 ? this.to.temporary() : dest);
        noText(x);
        // float(x) of a float is x itself.
        if (name === "float" && x.type === "float") throw new Unfit();
        const k = dest < 0 ? this.to.temporary() : dest;
        this.to.emit(name === "abs" ? K.ABS : K.MOVE, k, x.k);
        return { k, type: name === "abs" ? x.type : "float" };
      }
      case "fstring":
        return this.texts.formatted(e.parts, (x) => this.number(a, x), dest < 0 ? this.to.temporary() : dest);
      default:
        throw new Unfit();
    }
  }
  #length(a: Activation, e: IrExpr, dest: number): Operand {
    const k = dest < 0 ? this.to.temporary() : dest;
    if (this.isList(a, e)) this.to.emit(K.LENGTH, k, this.shownOf(a, e));
    else {
      const x = this.evaluate(a, e);
      if (x.type !== "text" && x.type !== "none") throw new Unfit();
      this.to.risk(K.TEXT_LENGTH, k, x.k, 0);
    }
    return { k, type: "int" };
  }
  #binary(a: Activation, e: Extract<IrExpr, { k: "bin" | "inplace" }>, dest: number): Operand {
    const operation = OPERATIONS[e.op];
    if (operation === undefined) throw new Unfit();
    if (e.op === "+") {
      const fused = this.#sumWithProduct(a, e, dest);
      if (fused !== null) return fused;
    }
    // Bits of truths are a truth.
    const bits = e.op === "&" || e.op === "|" || e.op === "^";
    const x = bits ? this.number(a, e.a) : this.evaluate(a, e.a);
    const y = bits ? this.number(a, e.b) : this.evaluate(a, e.b);
    const k = dest < 0 ? this.to.temporary() : dest;
    if (e.op === "+" && (x.type === "text" || y.type === "text")) return this.texts.join(a.code, e, x, y, k);
    const of = joined(x.type, y.type);
    const op = of === "float" ? operation.float : operation.int;
    if (op === null) throw new Unfit();
    if (op === K.ADD_FLOAT || op === K.SUB_FLOAT || op === K.MUL_FLOAT) this.to.emit(op, k, x.k, y.k);
    else this.to.risk(op, k, x.k, y.k);
    return { k, type: of === "none" ? "none" : (operation.gives ?? of) };
  }
  /** `x + p * q` and `p * q + x` of one type: one instruction. */
  #sumWithProduct(a: Activation, e: Extract<IrExpr, { k: "bin" | "inplace" }>, dest: number): Operand | null {
    const right = e.b.k === "bin" && e.b.op === "*";
    const product = right ? e.b : e.a;
    if (product.k !== "bin" || product.op !== "*") return null;
    const types = [product.a, product.b, right ? e.a : e.b].map((x) => this.#typeOf(a, x));
    const type = types[0]!;
    if (type === "none" || type === "text" || types[1] !== type || types[2] !== type) return null;
    const first = right ? this.evaluate(a, e.a) : null;
    const p = this.evaluate(a, product.a);
    const q = this.evaluate(a, product.b);
    const x = first ?? this.evaluate(a, e.b);
    const k = dest < 0 ? this.to.temporary() : dest;
    if (type === "float") this.to.emit(K.ADD_PRODUCT_FLOAT, k, x.k, p.k, q.k);
    else this.to.risk(K.ADD_PRODUCT_INT, k, x.k, p.k, q.k);
    return { k, type };
  }
  /** The type of a tree as far as it is known, without emitting it. */
  #typeOf(a: Activation, e: IrExpr): Type {
    const leaf = this.#leaf(a, e);
    if (leaf !== null) return leaf.type;
    switch (e.k) {
      case "bin":
      case "inplace": {
        const [x, y] = [this.#typeOf(a, e.a), this.#typeOf(a, e.b)];
        if (e.op === "+" && (x === "text" || y === "text")) return "text";
        const of = joined(x, y);
        return of === "none" ? of : (OPERATIONS[e.op]?.gives ?? of);
      }
      case "un":
        return this.#typeOf(a, e.a);
      case "index":
        return this.shown[this.shownOf(a, e.a)]!.type === "float" ? "float" : "int";
      case "native": {
        const name = onlyArgumentOf(e);
        if (name === "str") return "text";
        return name === "len" ? "int" : name === "float" ? "float" : this.#typeOf(a, e.args[0]!.e);
      }
      case "fstring":
        return "text";
      default:
        throw new Unfit();
    }
  }

  // ---- lists ----------------------------------------------------------------------------------------------------------------
  /** Which of the loop's lists an expression names. */
  shownOf(a: Activation, e: IrExpr): number {
    if (e.k === "temp") {
      const aside = a.lists.get(e.i);
      if (aside === undefined) throw new Unfit();
      return aside;
    }
    const own = e.k === "local" && a.fn === null;
    if ((!own && e.k !== "global") || (own && a.code.unsure[e.i])) throw new Unfit();
    const slot = (e as { i: number }).i;
    const globals = this.globalsOf(a);
    const frame = own || globals === this.R ? null : globals;
    const known = this.shown.findIndex((x) => x.frame === frame && x.slot === slot);
    if (known >= 0) return known;
    const list = (frame ?? this.R)[slot];
    const type = elementTypeOf(list);
    if (type === null || this.shown.length >= K.SHOWN_MAX || this.hasList(list)) throw new Unfit();
    return this.shown.push({ frame, slot, type, written: false }) - 1;
  }
  /** Whether the loop has the list already, by whatever name. */
  hasList(list: unknown): boolean {
    return this.lists.some((x) => this.R[x.slot] === list) || this.shown.some((x) => listAt(this.R, x) === list);
  }
  isList(a: Activation, e: IrExpr): boolean {
    if (e.k === "temp") return a.lists.has(e.i);
    if (e.k !== "global" && (e.k !== "local" || a.fn !== null)) return false;
    return (e.k === "global" ? this.globalsOf(a) : this.R)[e.i] instanceof PyList;
  }
  #indexOf(a: Activation, e: IrExpr): number {
    const { k, type } = this.evaluate(a, e);
    if (type === "float" || type === "text") throw new Unfit();
    return k;
  }
  /** `xs[i] = e`: the value first, then the place. */
  setItem(a: Activation, t: Extract<IrTarget, { k: "index" }>, e: IrExpr): void {
    const list = this.shownOf(a, t.a);
    const shown = this.shown[list]!;
    const truth = e.k === "const" && typeof e.v === "boolean";
    if (shown.type === "float" || truth !== (shown.type === "truth") || e.k === "cond") throw new Unfit();
    this.to.charge(1 + countOps(e) + countOps(t.b));
    const x = truth ? { k: this.to.constant(Number(e.v)), type: "int" } : this.number(a, e);
    if (x.type === "float" || x.type === "text") throw new Unfit();
    if (x.type === "none") this.incomplete = true;
    const at = this.#indexOf(a, t.b);
    shown.written = true;
    this.to.risk(truth ? K.SET_TRUTH : K.SET_NUMBER, 0, list, at, x.k);
  }
  /** A tree whose value goes on as a number: not the truth that a list gives. */
  number(a: Activation, e: IrExpr, dest = -1): Operand {
    if (e.k === "index" && this.shown[this.shownOf(a, e.a)]!.type === "truth") throw new Unfit();
    return this.evaluate(a, e, dest);
  }

  /** A value of its own in `dest`: what a name is bound to, or a call gives. The step ends with it. */
  evaluateInto(a: Activation, e: IrExpr, dest: number): Operand {
    if (e.k !== "cond") {
      this.to.charge(countOps(e));
      return this.number(a, e, dest);
    }
    const otherwise: number[] = [];
    this.test(a, e.c, false, otherwise);
    if (!isOnePiece(e.c)) this.to.sumKnown = false;
    const [sum, known] = [this.to.sum, this.to.sumKnown];
    const x = this.evaluateInto(a, e.a, dest);
    const end = this.to.emit(K.JUMP, 0);
    for (const at of otherwise) this.to.land(at);
    [this.to.sum, this.to.sumKnown] = [sum, known];
    const y = this.evaluateInto(a, e.b, dest);
    this.to.land(end);
    if (x.type !== "none" && y.type !== "none" && x.type !== y.type) throw new Unfit();
    return { k: dest, type: x.type === "none" ? y.type : x.type };
  }
  /** Whether the value may be a float that something else holds too. */
  isShared(a: Activation, e: IrExpr): boolean {
    if (e.k === "cond") return this.isShared(a, e.a) || this.isShared(a, e.b) || e.a.k === "float" || e.b.k === "float";
    if (e.k === "temp") return this.variable(a, e.i).shared;
    return e.k === "local" || e.k === "global" || e.k === "index";
  }

  // ---- conditions ---------------------------------------------------------------------------------------------------------
  /** Jumps (from the instructions added to `jumps`) where the truth of `e` is `sense`; else goes on. */
  test(a: Activation, e: IrExpr, sense: boolean, jumps: number[]): void {
    switch (e.k) {
      case "not":
        this.to.charge(1);
        this.test(a, e.a, !sense, jumps);
        return;
      case "and":
      case "or": {
        // The truth that settles it without looking further.
        const settles = e.k === "or";
        const out: number[] = [];
        e.es.forEach((x, i) => {
          const last = i === e.es.length - 1;
          if (last) this.test(a, x, sense, jumps);
          else this.test(a, x, settles, settles === sense ? jumps : out);
          if (!isOnePiece(x)) this.to.sumKnown = false;
        });
        for (const at of out) this.to.land(at);
        return;
      }
      case "cmp": {
        this.to.charge(countOps(e.es[0]!));
        let left = this.evaluate(a, e.es[0]!);
        const out: number[] = [];
        e.ops.forEach((op, i) => {
          this.to.charge(1 + countOps(e.es[i + 1]!));
          const right = this.evaluate(a, e.es[i + 1]!);
          const last = i === e.ops.length - 1;
          if (last) this.#compare(op, left, right, sense, jumps);
          else this.#compare(op, left, right, false, sense ? out : jumps);
          left = right;
        });
        for (const at of out) this.to.land(at);
        return;
      }
      default: {
        this.to.charge(countOps(e));
        const x = this.evaluate(a, e);
        if (x.type === "text") {
          this.#compare("!=", x, { k: this.to.text(""), type: "text" }, sense, jumps);
          return;
        }
        this.#compare("!=", x, { k: this.to.constant(0), type: "int" }, sense, jumps);
      }
    }
  }
  #compare(op: string, x: Operand, y: Operand, sense: boolean, jumps: number[]): void {
    if (x.type === "text" || y.type === "text") {
      if (x.type !== y.type && x.type !== "none" && y.type !== "none") throw new Unfit();
      const k = this.to.temporary();
      this.to.emit(K.TEXT_ORDER, k, x.k, y.k);
      this.#compare(op, { k, type: "int" }, { k: this.to.constant(0), type: "int" }, sense, jumps);
      return;
    }
    const [a, b] = op === ">" || op === ">=" ? [y.k, x.k] : [x.k, y.k];
    switch (op) {
      case "<":
      case ">":
        jumps.push(this.to.emit(sense ? K.WHERE_LESS : K.UNLESS_LESS, 0, a, b));
        return;
      case "<=":
      case ">=":
        jumps.push(this.to.emit(sense ? K.WHERE_LESS_EQUAL : K.UNLESS_LESS_EQUAL, 0, a, b));
        return;
      case "==":
        jumps.push(this.to.emit(sense ? K.WHERE_EQUAL : K.UNLESS_EQUAL, 0, a, b));
        return;
      case "!=":
        jumps.push(this.to.emit(sense ? K.UNLESS_EQUAL : K.WHERE_EQUAL, 0, a, b));
        return;
      default:
        throw new Unfit();
    }
  }
}
