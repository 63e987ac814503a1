/**
 * A loop that is nothing but numbers, and texts made of them (`region-texts.ts`), as code of the number kernel.
 *
 * The code is made when the loop first runs, for the types its names have then; functions it calls are taken in at each
 * call, so their parameters have the types of that call's arguments. What is not understood is refused here (`Unfit`) and
 * runs by closures, as everything does where there is no kernel.
 *
 * Each step of the form has its own mark in the code: where it stands (`Place`) and, for each instruction, what was
 * charged since the step began. So the machine can leave the kernel before any step and go on by closures as if the program had been
 * suspended there (`run-region.ts`). A step changes names only as the last thing it does.
 *
 * A float is an object (`is`): a name bound to another name's float, or to one that a call handed through, is unfit.
 */
import type { NumberType } from "../compile/infer-numbers";
import { isRange } from "../compile/infer-numbers";
import type { IrBlock, IrExpr, IrStep, IrTarget } from "../compile/ir";
import { PyList } from "../value/value";
import { type Code, MachineFunction } from "./function";
import * as K from "./kernel-code";
import { Activation, type KernelType, type Place, type Region, Unfit, type Variable } from "./region";
import { RegionCode } from "./region-code";
import { countOps, isOnePiece, joined, onlyArgumentOf, returnsAlways, type Type, typeOfValue } from "./region-form";
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
/** Calls within calls that are taken in, and how often the types are gone over. */
const DEPTH_MAX = 12;
const PASSES_MAX = 8;

type For = Extract<IrStep, { k: "for" }>;

/** `entry`: what a slot of the loop's own frame holds as it begins; null where it is unbound. Throws `Unfit`. */
export function compileRegion(code: Code, s: For, R: Frame, entry: (slot: number) => Type | null | "other"): Region {
  const compiler = new RegionCompiler(code, s, R, entry);
  for (let pass = 0; pass < PASSES_MAX; pass++) if (compiler.pass()) return compiler.region();
  throw new Unfit();
}

function noText({ type }: Operand): void {
  if (type === "text") throw new Unfit();
}

class RegionCompiler {
  readonly #root: Activation;
  readonly #to = new RegionCode();
  #places: (readonly Place[])[] = [];
  #names: { name: string; type: KernelType }[] = [];
  #callees: { frame: Frame; slot: number; fn: MachineFunction }[] = [];
  #lists: { slot: number; type: KernelType }[] = [];
  #shown: ShownList[] = [];
  #nested = false;
  readonly #globals = new Map<Frame, Map<number, Variable>>();
  readonly #floats: number[] = [];
  readonly #texts: TextCode;
  /** By line, whether what it binds are texts. */
  #textLines = new Map<number, boolean>();
  readonly #loops = new Map<IrStep, Map<Activation, number>>();
  #depth = 0;
  #changed = false;
  #incomplete = false;

  // ---- where the emission stands
  #path: Place[] = [];
  #line = 0;
  #breaks: number[] | null = null;
  #next = 0;
  #returns: { ends: number[]; result: Variable } | null = null;

  constructor(
    code: Code,
    readonly s: For,
    readonly R: Frame,
    readonly entry: (slot: number) => Type | null | "other",
  ) {
    this.#root = new Activation(code, null, null);
    this.#texts = new TextCode(this.#to);
  }

  /** Goes over the loop once. True where all types are settled: then the code stands. */
  pass(): boolean {
    this.#to.reset();
    this.#places = [];
    this.#names = [];
    this.#callees = [];
    this.#lists = [];
    this.#shown = [];
    this.#texts.reset();
    this.#textLines = new Map();
    this.#changed = this.#incomplete = false;
    this.#depth = 0;
    const k = this.#loop(this.#root, this.s);
    this.#path = [{ tag: "loop", is: this.s.is, k }];
    const ends: number[] = [];
    this.#turns(this.#root, this.s, k, ends);
    this.#to.emit(K.LEAVE, 0, K.EXHAUSTED);
    for (const at of ends) this.#to.land(at);
    if (ends.length > 0) this.#to.emit(K.LEAVE, 0, K.BROKE);
    if (this.#changed) return false;
    if (this.#incomplete) throw new Unfit();
    return true;
  }

  region(): Region {
    const named = this.#named();
    return {
      ...this.#to.made(),
      specs: [...this.#texts.specs],
      growing: [...this.#texts.growing],
      textLines: [...this.#textLines].flatMap(([line, of]) => (of ? [line] : [])),
      named,
      hasTexts: this.#texts.made || named.length > 0 || this.#to.textConstants.size > 0,
      floats: this.#floats,
      root: this.#root,
      loop: this.#loop(this.#root, this.s),
      globals: [...this.#globals].flatMap(([frame, of]) => [...of.values()].map((variable) => ({ frame, variable }))),
      callees: this.#callees,
      lists: this.#lists,
      shown: this.#shown,
      nested: this.#nested,
      depth: this.#depth,
      names: this.#names,
      places: this.#places,
    };
  }

  /** The names that hold texts, wherever they are. */
  #named(): Variable[] {
    const named = [...this.#globals.values()].flatMap((of) => [...of.values()]);
    const open = [this.#root];
    for (let a = open.pop(); a !== undefined; a = open.pop()) {
      named.push(...a.variables.values());
      open.push(...a.calls.values());
    }
    return named.filter((v) => v.type === "text");
  }

  #loop(a: Activation, s: IrStep): number {
    let of = this.#loops.get(s);
    if (of === undefined) this.#loops.set(s, (of = new Map()));
    let k = of.get(a);
    if (k === undefined) {
      k = this.#to.fresh();
      for (let i = 1; i < 4; i++) this.#to.fresh();
      of.set(a, k);
    }
    return k;
  }
  // ---- names ----------------------------------------------------------------------------------------------------------
  #variable(a: Activation, slot: number): Variable {
    let v = a.variables.get(slot);
    if (v === undefined) {
      const type = a.fn === null ? this.entry(slot) : null;
      if (type === "other") throw new Unfit();
      v = { slot, k: this.#to.fresh(), type: type ?? "none", lifted: true, assigned: false, shared: false };
      a.variables.set(slot, v);
    }
    return v;
  }
  #global(frame: Frame, slot: number): Variable {
    // The loop stands at the top level whose names these are: the same name.
    if (frame === this.R) return this.#variable(this.#root, slot);
    let of = this.#globals.get(frame);
    if (of === undefined) this.#globals.set(frame, (of = new Map()));
    let v = of.get(slot);
    if (v === undefined) {
      const type = typeOfValue(frame[slot]);
      if (type === null || type === "other") throw new Unfit();
      v = { slot, k: this.#to.fresh(), type, lifted: false, assigned: false, shared: true };
      of.set(slot, v);
    }
    return v;
  }
  #globalsOf(a: Activation): Frame {
    return a.fn === null ? this.R[0] : a.fn.globals;
  }
  #bind(v: Variable, type: Type, { lifted = false, shared = false } = {}): void {
    v.assigned = true;
    if (!lifted) v.lifted = false;
    if (shared && !v.shared) {
      v.shared = true;
      this.#changed = true;
    }
    if (type === "none" || type === v.type) return;
    if (v.type !== "none") throw new Unfit();
    v.type = type;
    this.#changed = true;
  }

  // ---- expressions ------------------------------------------------------------------------------------------------------
  #leaf(a: Activation, e: IrExpr): Operand | null {
    switch (e.k) {
      case "local":
      case "temp": {
        if (a.code.unsure[e.i]) throw new Unfit();
        const v = this.#variable(a, e.i);
        return { k: v.k, type: v.type };
      }
      case "global": {
        const v = this.#global(this.#globalsOf(a), e.i);
        return { k: v.k, type: v.type };
      }
      case "const":
        if (typeof e.v === "string") return { k: this.#to.text(e.v), type: "text" };
        if (typeof e.v !== "number") throw new Unfit();
        return { k: this.#to.constant(e.v), type: "int" };
      case "float":
        return { k: this.#to.constant(e.v === "inf" ? Number.POSITIVE_INFINITY : e.v), type: "float" };
      default:
        return null;
    }
  }

  /** The value of a tree, in register `dest` where one is given. Its ops are charged already. */
  #evaluate(a: Activation, e: IrExpr, dest = -1): Operand {
    const leaf = this.#leaf(a, e);
    if (leaf !== null) {
      if (leaf.type === "none") this.#incomplete = true;
      if (dest < 0 || dest === leaf.k) return leaf;
      this.#to.emit(K.MOVE, dest, leaf.k);
      return { k: dest, type: leaf.type };
    }
    switch (e.k) {
      case "bin":
      case "inplace":
        return this.#binary(a, e, dest);
      case "un": {
        if (e.op !== "-") throw new Unfit();
        const x = this.#evaluate(a, e.a);
        noText(x);
        const k = dest < 0 ? this.#to.temporary() : dest;
        this.#to.emit(x.type === "float" ? K.NEG_FLOAT : K.NEG_INT, k, x.k);
        return { k, type: x.type };
      }
      case "index": {
        const list = this.#shownOf(a, e.a);
        const { type } = this.#shown[list]!;
        const at = this.#indexOf(a, e.b);
        const k = dest < 0 ? this.#to.temporary() : dest;
        this.#to.risk(type === "truth" ? K.GET_TRUTH : K.GET_NUMBER, k, list, at);
        return { k, type: type === "float" ? "float" : "int" };
      }
      case "native": {
        const name = onlyArgumentOf(e);
        if (name === "len") return this.#length(a, e.args[0]!.e, dest);
        const x = name === "str" ? this.#number(a, e.args[0]!.e) : this.#evaluate(a, e.args[0]!.e);
        if (name === "str") return this.#texts.ofValue(x, dest < 0 ? this.#to.temporary() : dest);
        noText(x);
        // float(x) of a float is x itself.
        if (name === "float" && x.type === "float") throw new Unfit();
        const k = dest < 0 ? this.#to.temporary() : dest;
        this.#to.emit(name === "abs" ? K.ABS : K.MOVE, k, x.k);
        return { k, type: name === "abs" ? x.type : "float" };
      }
      case "fstring":
        return this.#texts.formatted(e.parts, (x) => this.#number(a, x), dest < 0 ? this.#to.temporary() : dest);
      default:
        throw new Unfit();
    }
  }
  #length(a: Activation, e: IrExpr, dest: number): Operand {
    const k = dest < 0 ? this.#to.temporary() : dest;
    if (this.#isList(a, e)) this.#to.emit(K.LENGTH, k, this.#shownOf(a, e));
    else {
      const x = this.#evaluate(a, e);
      if (x.type !== "text" && x.type !== "none") throw new Unfit();
      this.#to.risk(K.TEXT_LENGTH, k, x.k, 0);
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
    const x = bits ? this.#number(a, e.a) : this.#evaluate(a, e.a);
    const y = bits ? this.#number(a, e.b) : this.#evaluate(a, e.b);
    const k = dest < 0 ? this.#to.temporary() : dest;
    if (e.op === "+" && (x.type === "text" || y.type === "text")) return this.#texts.join(a.code, e, x, y, k);
    const of = joined(x.type, y.type);
    const op = of === "float" ? operation.float : operation.int;
    if (op === null) throw new Unfit();
    if (op === K.ADD_FLOAT || op === K.SUB_FLOAT || op === K.MUL_FLOAT) this.#to.emit(op, k, x.k, y.k);
    else this.#to.risk(op, k, x.k, y.k);
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
    const first = right ? this.#evaluate(a, e.a) : null;
    const p = this.#evaluate(a, product.a);
    const q = this.#evaluate(a, product.b);
    const x = first ?? this.#evaluate(a, e.b);
    const k = dest < 0 ? this.#to.temporary() : dest;
    if (type === "float") this.#to.emit(K.ADD_PRODUCT_FLOAT, k, x.k, p.k, q.k);
    else this.#to.risk(K.ADD_PRODUCT_INT, k, x.k, p.k, q.k);
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
        return this.#shown[this.#shownOf(a, e.a)]!.type === "float" ? "float" : "int";
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
  #shownOf(a: Activation, e: IrExpr): number {
    if (e.k === "temp") {
      const aside = a.lists.get(e.i);
      if (aside === undefined) throw new Unfit();
      return aside;
    }
    const own = e.k === "local" && a.fn === null;
    if ((!own && e.k !== "global") || (own && a.code.unsure[e.i])) throw new Unfit();
    const slot = (e as { i: number }).i;
    const globals = this.#globalsOf(a);
    const frame = own || globals === this.R ? null : globals;
    const known = this.#shown.findIndex((x) => x.frame === frame && x.slot === slot);
    if (known >= 0) return known;
    const list = (frame ?? this.R)[slot];
    const type = elementTypeOf(list);
    if (type === null || this.#shown.length >= K.SHOWN_MAX || this.#hasList(list)) throw new Unfit();
    return this.#shown.push({ frame, slot, type, written: false }) - 1;
  }
  /** Whether the loop has the list already, by whatever name. */
  #hasList(list: unknown): boolean {
    return this.#lists.some((x) => this.R[x.slot] === list) || this.#shown.some((x) => listAt(this.R, x) === list);
  }
  #isList(a: Activation, e: IrExpr): boolean {
    if (e.k === "temp") return a.lists.has(e.i);
    if (e.k !== "global" && (e.k !== "local" || a.fn !== null)) return false;
    return (e.k === "global" ? this.#globalsOf(a) : this.R)[e.i] instanceof PyList;
  }
  #indexOf(a: Activation, e: IrExpr): number {
    const { k, type } = this.#evaluate(a, e);
    if (type === "float" || type === "text") throw new Unfit();
    return k;
  }
  /** `xs[i] = e`: the value first, then the place. */
  #setItem(a: Activation, t: Extract<IrTarget, { k: "index" }>, e: IrExpr): void {
    const list = this.#shownOf(a, t.a);
    const shown = this.#shown[list]!;
    const truth = e.k === "const" && typeof e.v === "boolean";
    if (shown.type === "float" || truth !== (shown.type === "truth") || e.k === "cond") throw new Unfit();
    this.#to.charge(1 + countOps(e) + countOps(t.b));
    const x = truth ? { k: this.#to.constant(Number(e.v)), type: "int" } : this.#number(a, e);
    if (x.type === "float" || x.type === "text") throw new Unfit();
    if (x.type === "none") this.#incomplete = true;
    const at = this.#indexOf(a, t.b);
    shown.written = true;
    this.#to.risk(truth ? K.SET_TRUTH : K.SET_NUMBER, 0, list, at, x.k);
  }
  /** A tree whose value goes on as a number: not the truth that a list gives. */
  #number(a: Activation, e: IrExpr, dest = -1): Operand {
    if (e.k === "index" && this.#shown[this.#shownOf(a, e.a)]!.type === "truth") throw new Unfit();
    return this.#evaluate(a, e, dest);
  }

  /** A value of its own in `dest`: what a name is bound to, or a call gives. The step ends with it. */
  #evaluateInto(a: Activation, e: IrExpr, dest: number): Operand {
    if (e.k !== "cond") {
      this.#to.charge(countOps(e));
      return this.#number(a, e, dest);
    }
    const otherwise: number[] = [];
    this.#test(a, e.c, false, otherwise);
    if (!isOnePiece(e.c)) this.#to.sumKnown = false;
    const [sum, known] = [this.#to.sum, this.#to.sumKnown];
    const x = this.#evaluateInto(a, e.a, dest);
    const end = this.#to.emit(K.JUMP, 0);
    for (const at of otherwise) this.#to.land(at);
    [this.#to.sum, this.#to.sumKnown] = [sum, known];
    const y = this.#evaluateInto(a, e.b, dest);
    this.#to.land(end);
    if (x.type !== "none" && y.type !== "none" && x.type !== y.type) throw new Unfit();
    return { k: dest, type: x.type === "none" ? y.type : x.type };
  }
  /** Whether the value may be a float that something else holds too. */
  #isShared(a: Activation, e: IrExpr): boolean {
    if (e.k === "cond") return this.#isShared(a, e.a) || this.#isShared(a, e.b) || e.a.k === "float" || e.b.k === "float";
    if (e.k === "temp") return this.#variable(a, e.i).shared;
    return e.k === "local" || e.k === "global" || e.k === "index";
  }

  // ---- conditions ---------------------------------------------------------------------------------------------------------
  /** Jumps (from the instructions added to `jumps`) where the truth of `e` is `sense`; else goes on. */
  #test(a: Activation, e: IrExpr, sense: boolean, jumps: number[]): void {
    switch (e.k) {
      case "not":
        this.#to.charge(1);
        this.#test(a, e.a, !sense, jumps);
        return;
      case "and":
      case "or": {
        // The truth that settles it without looking further.
        const settles = e.k === "or";
        const out: number[] = [];
        e.es.forEach((x, i) => {
          const last = i === e.es.length - 1;
          if (last) this.#test(a, x, sense, jumps);
          else this.#test(a, x, settles, settles === sense ? jumps : out);
          if (!isOnePiece(x)) this.#to.sumKnown = false;
        });
        for (const at of out) this.#to.land(at);
        return;
      }
      case "cmp": {
        this.#to.charge(countOps(e.es[0]!));
        let left = this.#evaluate(a, e.es[0]!);
        const out: number[] = [];
        e.ops.forEach((op, i) => {
          this.#to.charge(1 + countOps(e.es[i + 1]!));
          const right = this.#evaluate(a, e.es[i + 1]!);
          const last = i === e.ops.length - 1;
          if (last) this.#compare(op, left, right, sense, jumps);
          else this.#compare(op, left, right, false, sense ? out : jumps);
          left = right;
        });
        for (const at of out) this.#to.land(at);
        return;
      }
      default: {
        this.#to.charge(countOps(e));
        const x = this.#evaluate(a, e);
        if (x.type === "text") {
          this.#compare("!=", x, { k: this.#to.text(""), type: "text" }, sense, jumps);
          return;
        }
        this.#compare("!=", x, { k: this.#to.constant(0), type: "int" }, sense, jumps);
      }
    }
  }
  #compare(op: string, x: Operand, y: Operand, sense: boolean, jumps: number[]): void {
    if (x.type === "text" || y.type === "text") {
      if (x.type !== y.type && x.type !== "none" && y.type !== "none") throw new Unfit();
      const k = this.#to.temporary();
      this.#to.emit(K.TEXT_ORDER, k, x.k, y.k);
      this.#compare(op, { k, type: "int" }, { k: this.#to.constant(0), type: "int" }, sense, jumps);
      return;
    }
    const [a, b] = op === ">" || op === ">=" ? [y.k, x.k] : [x.k, y.k];
    switch (op) {
      case "<":
      case ">":
        jumps.push(this.#to.emit(sense ? K.WHERE_LESS : K.UNLESS_LESS, 0, a, b));
        return;
      case "<=":
      case ">=":
        jumps.push(this.#to.emit(sense ? K.WHERE_LESS_EQUAL : K.UNLESS_LESS_EQUAL, 0, a, b));
        return;
      case "==":
        jumps.push(this.#to.emit(sense ? K.WHERE_EQUAL : K.UNLESS_EQUAL, 0, a, b));
        return;
      case "!=":
        jumps.push(this.#to.emit(sense ? K.UNLESS_EQUAL : K.WHERE_EQUAL, 0, a, b));
        return;
      default:
        throw new Unfit();
    }
  }

  // ---- steps ----------------------------------------------------------------------------------------------------------------
  #block(a: Activation, block: IrBlock): void {
    block.b.forEach((s, i) => {
      this.#path.push({ tag: "block", pc: block.pc, i });
      this.#begin();
      if (s.line) {
        this.#line = this.#to.lineOf(a.code.at(s.line));
        this.#to.emit(K.STEP, 0, this.#line);
      }
      this.#one(a, s);
      this.#path.pop();
    });
  }
  #begin(): void {
    this.#to.begin(this.#places.push([...this.#path]) - 1);
  }

  #one(a: Activation, s: IrStep): void {
    switch (s.k) {
      case "pass":
        return;
      case "seq":
        this.#block(a, s.b);
        return;
      case "expr":
        if (s.e.k === "method") {
          this.#append(a, s.e);
          return;
        }
        this.#to.charge(countOps(s.e));
        this.#evaluate(a, s.e);
        return;
      case "set":
        this.#set(a, s);
        return;
      case "temp": {
        const fn = this.#functionOf(a, s.e);
        if (fn !== null) {
          a.functions.set(s.i, fn);
          return;
        }
        if (this.#isList(a, s.e)) {
          a.lists.set(s.i, this.#shownOf(a, s.e));
          return;
        }
        const v = this.#variable(a, s.i);
        const { type } = this.#evaluateInto(a, s.e, v.k);
        this.#bind(v, type, { lifted: true, shared: type === "float" && (this.#isShared(a, s.e) || s.e.k === "float") });
        return;
      }
      case "call":
        this.#call(a, s);
        return;
      case "if":
        this.#if(a, s);
        return;
      case "for":
        this.#for(a, s);
        return;
      case "break":
        if (this.#breaks === null) throw new Unfit();
        this.#breaks.push(this.#to.emit(K.JUMP, 0));
        return;
      case "continue":
        if (this.#breaks === null) throw new Unfit();
        this.#to.emit(K.JUMP, 0, 0, 0, this.#next);
        return;
      case "return":
        this.#return(a, s);
        return;
      default:
        throw new Unfit();
    }
  }

  #set(a: Activation, s: Extract<IrStep, { k: "set" }>): void {
    const t = s.ts[0]!;
    if (s.ts.length !== 1) throw new Unfit();
    if (t.k === "index") {
      this.#setItem(a, t, s.e);
      return;
    }
    if (t.k !== "local") throw new Unfit();
    const v = this.#variable(a, t.i);
    const { type } = this.#evaluateInto(a, s.e, v.k);
    if (type === "float" && this.#isShared(a, s.e)) throw new Unfit();
    this.#bind(v, type);
    if (s.names.length > 1) throw new Unfit();
    if (s.names.length === 1) this.#record(v, t);
    else this.#to.emit(K.MARK, 0, v.k, 1);
    if (s.e.k === "float") {
      const value = s.e.v === "inf" ? Number.POSITIVE_INFINITY : s.e.v;
      let i = this.#floats.indexOf(value);
      if (i < 0) i = this.#floats.push(value) - 1;
      if (i > 250) throw new Unfit();
      this.#to.emit(K.MARK, 0, v.k, 2 + i);
    }
  }
  #record(v: Variable, t: IrTarget & { k: "local" | "cell" | "global" }): void {
    const type = v.type === "none" ? "int" : v.type;
    if (v.type !== "none") {
      if ((this.#textLines.get(this.#line) ?? type === "text") !== (type === "text")) throw new Unfit();
      this.#textLines.set(this.#line, type === "text");
    }
    let i = this.#names.findIndex((x) => x.name === t.n && x.type === type);
    if (i < 0) i = this.#names.push({ name: t.n, type }) - 1;
    this.#to.emit(K.RECORD, 0, this.#line, v.k, i);
  }

  /** `xs.append(x)` of a list that nothing else in the loop touches. */
  #append(a: Activation, e: Extract<IrExpr, { k: "method" }>): void {
    const to = e.a;
    if (e.n !== "append" || e.args.length !== 1 || e.args[0]!.star || e.kw.length > 0 || a.fn !== null || to.k !== "local")
      throw new Unfit();
    if (a.code.unsure[to.i] || !(this.R[to.i] instanceof PyList)) throw new Unfit();
    const value = e.args[0]!.e;
    this.#to.charge(1 + countOps(value));
    const x = this.#number(a, value);
    if (x.type === "float" && (this.#isShared(a, value) || value.k === "float")) throw new Unfit();
    const type = x.type === "none" ? "int" : x.type;
    let i = this.#lists.findIndex((list) => list.slot === to.i);
    if (i < 0) {
      if (this.#hasList(this.R[to.i])) throw new Unfit();
      i = this.#lists.push({ slot: to.i, type }) - 1;
    }
    if (i >= K.LISTS_MAX || this.#lists[i]!.type !== type) throw new Unfit();
    this.#to.emit(K.APPEND, 0, i, x.k);
  }

  #if(a: Activation, s: Extract<IrStep, { k: "if" }>): void {
    const otherwise: number[] = [];
    this.#test(a, s.c, false, otherwise);
    const arms = { tag: "arm", a: s.a.pc, b: s.b ? s.b.pc : -1 } as const;
    this.#path.push({ ...arms, taken: "a" });
    this.#block(a, s.a);
    this.#path.pop();
    if (s.b === null) {
      for (const at of otherwise) this.#to.land(at);
      return;
    }
    const end = this.#to.emit(K.JUMP, 0);
    for (const at of otherwise) this.#to.land(at);
    this.#path.push({ ...arms, taken: "b" });
    this.#block(a, s.b);
    this.#path.pop();
    this.#to.land(end);
  }

  #for(a: Activation, s: For): void {
    if (s.b !== null || s.comp || !isRange(s.e) || s.e.k !== "native" || s.e.kw.length > 0) throw new Unfit();
    const args = s.e.args.map((x) => {
      if (x.star) throw new Unfit();
      return x.e;
    });
    if (args.length < 1 || args.length > 3) throw new Unfit();
    this.#to.charge(1 + args.reduce((n, x) => n + countOps(x), 0));
    const at = args.map((x) => {
      const { k, type } = this.#evaluate(a, x);
      if (type === "float" || type === "text") throw new Unfit();
      return k;
    });
    const k = this.#loop(a, s);
    this.#nested = true;
    const [start, stop] = at.length === 1 ? [this.#to.constant(0), at[0]!] : [at[0]!, at[1]!];
    this.#to.risk(K.RANGE, k, start, stop, at[2] ?? this.#to.constant(1));
    const line = this.#line;
    this.#path.push({ tag: "loop", is: s.is, k });
    const ends: number[] = [];
    this.#turns(a, s, k, ends);
    this.#path.pop();
    this.#line = line;
    this.#to.emit(K.AT, 0, line);
    for (const end of ends) this.#to.land(end);
  }
  /** The turns of a loop; where it ends of itself goes on with what is emitted next. `ends`: its `break`s. */
  #turns(a: Activation, s: For, k: number, ends: number[]): void {
    if (s.to.k !== "local" || s.comp) throw new Unfit();
    const v = this.#variable(a, s.to.i);
    this.#bind(v, "int");
    const [breaks, next] = [this.#breaks, this.#next];
    this.#next = this.#to.emit(K.NEXT_OF_RANGE, v.k, k);
    const from = this.#next;
    this.#breaks = ends;
    this.#block(a, s.a);
    this.#to.emit(K.JUMP, 0, 0, 0, from);
    this.#to.land(from);
    [this.#breaks, this.#next] = [breaks, next];
  }

  // ---- calls ------------------------------------------------------------------------------------------------------------------
  /** The function of ours that an expression gives; null where it is something else. */
  #functionOf(a: Activation, e: IrExpr): MachineFunction | null {
    if (e.k === "temp") return a.functions.get(e.i) ?? null;
    const top = e.k === "local" && a.fn === null && this.R[0] === this.R;
    if (!top && e.k !== "global") return null;
    const frame = this.#globalsOf(a);
    const slot = (e as { i: number }).i;
    const fn: unknown = frame[slot];
    if (!(fn instanceof MachineFunction)) return null;
    if (!this.#callees.some((x) => x.frame === frame && x.slot === slot)) this.#callees.push({ frame, slot, fn });
    return fn;
  }

  #call(a: Activation, s: Extract<IrStep, { k: "call" }>): void {
    const fn = this.#functionOf(a, s.f);
    if (fn === null || s.kw.length > 0 || s.args.some((x) => x.star) || fn.code.direct !== s.args.length) throw new Unfit();
    let depth = 1;
    for (let at: Activation | null = a; at !== null; at = at.caller, depth++) if (at.fn === fn) throw new Unfit();
    if (depth > DEPTH_MAX || !returnsAlways(fn.code.ir.body)) throw new Unfit();
    this.#depth = Math.max(this.#depth, depth);
    let into = a.calls.get(s);
    if (into === undefined) a.calls.set(s, (into = new Activation(fn.code, fn, a)));
    this.#to.charge(s.args.reduce((n, x) => n + countOps(x.e), 0));
    s.args.forEach((x, i) => {
      const v = this.#variable(into, fn.code.paramSlots[i]!);
      const { type } = this.#number(a, x.e, v.k);
      this.#bind(v, type, { shared: type === "float" });
    });
    this.#to.emit(K.CALL, 0);
    const result = this.#variable(a, s.i);
    const line = this.#line;
    const outer = { breaks: this.#breaks, next: this.#next, returns: this.#returns, step: this.#to.step };
    const ends: number[] = [];
    this.#returns = { ends, result };
    this.#breaks = null;
    this.#path.push({ tag: "call", fs: s.fs, into });
    this.#block(into, fn.code.ir.body);
    this.#path.pop();
    // The last `return` of the body goes on to the end anyway.
    if (ends[ends.length - 1] === this.#to.length - 1) this.#to.drop(ends);
    for (const end of ends) this.#to.land(end);
    this.#breaks = outer.breaks;
    this.#next = outer.next;
    this.#returns = outer.returns;
    this.#to.step = outer.step;
    this.#line = line;
    this.#to.emit(K.AT, 0, line);
  }

  #return(a: Activation, s: Extract<IrStep, { k: "return" }>): void {
    if (s.e === null) throw new Unfit();
    const returns = a.fn === null ? null : this.#returns;
    const dest = returns === null ? this.#to.temporary() : returns.result.k;
    const { type } = this.#evaluateInto(a, s.e, dest);
    if (type === "float" && (this.#isShared(a, s.e) || s.e.k === "float")) throw new Unfit();
    if (returns === null) {
      this.#to.emit(K.LEAVE, 0, K.RETURNED, dest, type === "text" ? 2 : type === "float" ? 1 : 0);
      return;
    }
    this.#bind(returns.result, type, { lifted: true });
    returns.ends.push(this.#to.emit(K.JUMP, 0));
  }
}
