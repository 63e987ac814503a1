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
import { isRange } from "../compile/infer-numbers";
import type { IrBlock, IrExpr, IrStep, IrTarget } from "../compile/ir";
import { PyList } from "../value/value";
import { type Code, MachineFunction } from "./function";
import * as K from "./kernel-code";
import { Activation, type KernelType, type Place, type Region, Unfit, type Variable } from "./region";
import type { RegionCode } from "./region-code";
import { ExpressionCode } from "./region-expressions";
import { countOps, returnsAlways, type Type } from "./region-form";
import type { Frame } from "./vm";

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

class RegionCompiler {
  readonly #trees: ExpressionCode;
  readonly #to: RegionCode;
  #places: (readonly Place[])[] = [];
  #names: { name: string; type: KernelType }[] = [];
  #callees: { frame: Frame; slot: number; fn: MachineFunction }[] = [];
  #nested = false;
  readonly #floats: number[] = [];
  /** By line, whether what it binds are texts. */
  #textLines = new Map<number, boolean>();
  readonly #loops = new Map<IrStep, Map<Activation, number>>();
  #depth = 0;

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
    entry: (slot: number) => Type | null | "other",
  ) {
    this.#trees = new ExpressionCode(new Activation(code, null, null), R, entry);
    this.#to = this.#trees.to;
  }

  /** Goes over the loop once. True where all types are settled: then the code stands. */
  pass(): boolean {
    this.#trees.reset();
    this.#places = [];
    this.#names = [];
    this.#callees = [];
    this.#textLines = new Map();
    this.#depth = 0;
    const k = this.#loop(this.#trees.root, this.s);
    this.#path = [{ tag: "loop", is: this.s.is, k }];
    const ends: number[] = [];
    this.#turns(this.#trees.root, this.s, k, ends);
    this.#to.emit(K.LEAVE, 0, K.EXHAUSTED);
    for (const at of ends) this.#to.land(at);
    if (ends.length > 0) this.#to.emit(K.LEAVE, 0, K.BROKE);
    if (this.#trees.changed) return false;
    if (this.#trees.incomplete) throw new Unfit();
    return true;
  }

  region(): Region {
    const named = this.#named();
    return {
      ...this.#to.made(),
      specs: [...this.#trees.texts.specs],
      growing: [...this.#trees.texts.growing],
      textLines: [...this.#textLines].flatMap(([line, of]) => (of ? [line] : [])),
      named,
      hasTexts: this.#trees.texts.made || named.length > 0 || this.#to.textConstants.size > 0,
      floats: this.#floats,
      root: this.#trees.root,
      loop: this.#loop(this.#trees.root, this.s),
      globals: [...this.#trees.globals].flatMap(([frame, of]) => [...of.values()].map((variable) => ({ frame, variable }))),
      callees: this.#callees,
      lists: this.#trees.lists,
      shown: this.#trees.shown,
      nested: this.#nested,
      depth: this.#depth,
      names: this.#names,
      places: this.#places,
    };
  }

  /** The names that hold texts, wherever they are. */
  #named(): Variable[] {
    const named = [...this.#trees.globals.values()].flatMap((of) => [...of.values()]);
    const open = [this.#trees.root];
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
        this.#trees.evaluate(a, s.e);
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
        if (this.#trees.isList(a, s.e)) {
          a.lists.set(s.i, this.#trees.shownOf(a, s.e));
          return;
        }
        const v = this.#trees.variable(a, s.i);
        const { type } = this.#trees.evaluateInto(a, s.e, v.k);
        this.#trees.bind(v, type, { lifted: true, shared: type === "float" && (this.#trees.isShared(a, s.e) || s.e.k === "float") });
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
      this.#trees.setItem(a, t, s.e);
      return;
    }
    if (t.k !== "local") throw new Unfit();
    const v = this.#trees.variable(a, t.i);
    const { type } = this.#trees.evaluateInto(a, s.e, v.k);
    if (type === "float" && this.#trees.isShared(a, s.e)) throw new Unfit();
    this.#trees.bind(v, type);
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
    const x = this.#trees.number(a, value);
    if (x.type === "float" && (this.#trees.isShared(a, value) || value.k === "float")) throw new Unfit();
    const type = x.type === "none" ? "int" : x.type;
    let i = this.#trees.lists.findIndex((list) => list.slot === to.i);
    if (i < 0) {
      if (this.#trees.hasList(this.R[to.i])) throw new Unfit();
      i = this.#trees.lists.push({ slot: to.i, type }) - 1;
    }
    if (i >= K.LISTS_MAX || this.#trees.lists[i]!.type !== type) throw new Unfit();
    this.#to.emit(K.APPEND, 0, i, x.k);
  }

  #if(a: Activation, s: Extract<IrStep, { k: "if" }>): void {
    const otherwise: number[] = [];
    this.#trees.test(a, s.c, false, otherwise);
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
      const { k, type } = this.#trees.evaluate(a, x);
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
    const v = this.#trees.variable(a, s.to.i);
    this.#trees.bind(v, "int");
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
    const frame = this.#trees.globalsOf(a);
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
      const v = this.#trees.variable(into, fn.code.paramSlots[i]!);
      const { type } = this.#trees.number(a, x.e, v.k);
      this.#trees.bind(v, type, { shared: type === "float" });
    });
    this.#to.emit(K.CALL, 0);
    const result = this.#trees.variable(a, s.i);
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
    const { type } = this.#trees.evaluateInto(a, s.e, dest);
    if (type === "float" && (this.#trees.isShared(a, s.e) || s.e.k === "float")) throw new Unfit();
    if (returns === null) {
      this.#to.emit(K.LEAVE, 0, K.RETURNED, dest, type === "text" ? 2 : type === "float" ? 1 : 0);
      return;
    }
    this.#trees.bind(returns.result, type, { lifted: true });
    returns.ends.push(this.#to.emit(K.JUMP, 0));
  }
}
