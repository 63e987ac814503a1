/**
 * Functions of ours as values: `def`s, lambdas, and the generators that generator expressions make. Argument binding
 * with CPython's error texts.
 */
import type { IrCode, IrExpr, IrParams } from "../compile/ir";
import { PyDict } from "../value/dict";
import { raise } from "../value/exception";
import { meter } from "../value/meter";
import { Pending, unsuspended } from "../value/pending";
import type { TextGrowth } from "../value/str";
import { DONE, LazyIterator, PAUSED, PyException, PyFunction, PyTuple, Raised, type Value } from "../value/value";
import type { Registers, SavedRegisters } from "./registers";
import {
  type At,
  activate,
  Cell,
  type Eval,
  type Exec,
  enter,
  FRAMES_MAX,
  type Frame,
  reenter,
  SUSPEND,
  takeReturn,
  unwind,
  vm,
  YIELD,
} from "./vm";

/** Code made ready to run. */
export interface Code {
  readonly ir: IrCode;
  /** Its lines in this call. */
  readonly at: (line: number) => At;
  /** By slot: whether some path may read it unbound. */
  readonly unsure: readonly boolean[];
  readonly name: string;
  /** `__qualname__`: what complaints about arguments call it. */
  readonly qualname: string;
  /** `__name__` of its module. */
  readonly module: string;
  readonly params: IrParams;
  readonly paramSlots: readonly number[];
  readonly cells: readonly number[];
  readonly free: readonly (readonly [number, number])[];
  readonly slots: number;
  /** Where its numbers are; null where it has none. */
  readonly registers: Registers | null;
  body: Exec;
  /** Only positional parameters: the fast way of binding. */
  readonly simple: boolean;
  /** How many arguments go straight to their slots, where no cell is involved either; else -1. */
  readonly direct: number;
  /** The most statements it can run where it calls nothing and has no loop: it may run within the slice; else -1. */
  readonly leaf: number;
  /** The frame a leaf runs in, call after call; null where a name may be read unbound and must not see the last call's. */
  readonly leafFrame: Frame | null;
  /** The places of its `+=` where a text may grow. */
  readonly growths: Map<IrExpr, TextGrowth>;
  /** What a leaf of one `return` gives; null for other code. */
  result: { readonly at: At; readonly value: Eval } | null;
}

export class MachineFunction extends PyFunction {
  override readonly typeName = "function";
  active = false;
  /** Its frame while it is suspended. */
  frame: Frame | null = null;
  /** The registers of another function of the same code that was active when this one began. */
  saved: SavedRegisters | null = null;
  constructor(
    readonly code: Code,
    readonly globals: Frame,
    /** Cells of outer functions, as `code.free` lists them. */
    readonly cells: readonly Cell[],
    /** Default of each of posonly, args, kwonly in order; undefined where there is none. */
    readonly defaults: readonly (Value | undefined)[],
  ) {
    super();
  }
  override get name(): string {
    return this.code.name;
  }
  override get qualname(): string {
    return this.code.qualname;
  }
  override call(args: readonly Value[], kwargs: ReadonlyMap<string, Value> | null): Value {
    return unsuspended(() => this.start(args, kwargs) as Value);
  }
  override start(args: readonly Value[], kwargs: ReadonlyMap<string, Value> | null): Value | Pending {
    const { code } = this;
    const at = vm.at;
    const depth = vm.stack.length;
    let result: Value;
    vm.resuming = false;
    try {
      if (kwargs === null && code.direct === args.length && code.leafFrame !== null && runsThrough(code.leaf)) {
        const F = directFrame(this);
        for (let i = 0; i < args.length; i++) F[code.paramSlots[i]!] = args[i];
        meter.ops++;
        const given = runLeaf(code, F);
        if (given === SUSPENDED) return new PausedCall(this, leafLeft(this, F), at);
        result = given;
      } else {
        const F = bindFrame(this, args, kwargs);
        meter.ops++;
        const left = enter(this, F);
        if (left === SUSPEND) return new PausedCall(this, F, at);
        result = takeReturn(left);
      }
    } catch (thrown) {
      throw leaving(thrown, depth, at);
    }
    vm.at = at;
    return result;
  }
  override startEach(values: readonly Value[], given: Value[]): Pending | null {
    const { code } = this;
    if (code.direct !== 1 || code.leafFrame === null) return null;
    const at = vm.at;
    const depth = vm.stack.length;
    const [slot] = code.paramSlots;
    vm.resuming = false;
    try {
      while (given.length < values.length && runsThrough(code.leaf)) {
        const F = directFrame(this);
        F[slot] = values[given.length];
        meter.ops++;
        const result = runLeaf(code, F);
        if (result === SUSPENDED) return new PausedCall(this, leafLeft(this, F), at);
        given.push(result);
      }
    } catch (thrown) {
      throw leaving(thrown, depth, at);
    }
    vm.at = at;
    return null;
  }
}

/** An exception on its way out of a call that a builtin made, begun at that depth and place: the builtin may take it for an answer. */
function leaving(thrown: unknown, depth: number, at: At): unknown {
  if (!(thrown instanceof Raised)) return thrown;
  unwind(depth);
  thrown.taken = () => {
    vm.at = at;
  };
  return thrown;
}

/** A call that a builtin made, suspended. */
class PausedCall extends Pending {
  constructor(
    private readonly fn: MachineFunction,
    private readonly frame: Frame,
    private readonly at: At,
  ) {
    super();
  }
  goOn(): Value | Pending {
    vm.resuming = true;
    const depth = vm.stack.indexOf(this.fn);
    try {
      const left = reenter(this.fn, this.frame);
      if (left === SUSPEND) return this;
      vm.at = this.at;
      return takeReturn(left);
    } catch (thrown) {
      throw leaving(thrown, depth, this.at);
    }
  }
}

/** A generator expression at work. */
export class MachineGenerator extends LazyIterator {
  override readonly typeName = "generator";
  /** `paused`: suspended before a statement; else it has yielded. */
  #state: "new" | "yielded" | "paused" | "done" = "new";
  constructor(
    readonly fn: MachineFunction,
    readonly frame: Frame,
  ) {
    super();
  }
  override poll(): Value | typeof DONE | typeof PAUSED {
    if (this.#state === "done") return DONE;
    if (this.fn.active && this.#state !== "paused") raise("ValueError", "generator already executing");
    const at = vm.at;
    const code = this.#run();
    if (code === SUSPEND) {
      this.#state = "paused";
      return PAUSED;
    }
    vm.at = at;
    if (code === YIELD) {
      this.#state = "yielded";
      vm.stack.pop();
      this.fn.active = false;
      const v = vm.ret;
      vm.ret = null;
      return v;
    }
    this.#state = "done";
    return DONE;
  }
  #run(): number {
    const before = this.#state;
    // Whatever is raised ends it.
    this.#state = "done";
    vm.resuming = before !== "new";
    try {
      if (before === "new") return enter(this.fn, this.frame);
      if (before === "yielded") {
        this.fn.active = true;
        vm.stack.push(this.fn);
      }
      return reenter(this.fn, this.frame);
    } catch (thrown) {
      throw notAnEnd(thrown);
    }
  }
}

/** An end that code inside a generator raises is not the generator's own (PEP 479). */
function notAnEnd(thrown: unknown): unknown {
  if (!(thrown instanceof Raised) || thrown.exception.className !== "StopIteration") return thrown;
  const x = new PyException("RuntimeError", ["generator raised StopIteration"]);
  x.cause = thrown.exception;
  x.suppressContext = true;
  x.context = thrown.exception;
  return new Raised(x);
}

function newFrame(fn: MachineFunction): Frame {
  const F: Frame = new Array(fn.code.slots);
  F[0] = fn.globals;
  return F;
}

/** Whether the slice, and the depth of calls, have room for a leaf of so many statements. */
export function runsThrough(statements: number): boolean {
  return meter.steps + statements < meter.sliceEnd && vm.stack.length < FRAMES_MAX;
}
/** What a leaf gives whose slice was used up after all: an operation took more steps than there are statements. */
export const SUSPENDED: unique symbol = Symbol("suspended");
/** Runs a leaf, which calls nothing: nothing needs to know that it is active, unless it is left half way (`leafLeft`). */
export function runLeaf(code: Code, F: Frame): Value | typeof SUSPENDED {
  const { result } = code;
  if (result === null) {
    const left = code.body(F);
    return left === SUSPEND ? SUSPENDED : takeReturn(left);
  }
  vm.at = result.at;
  meter.steps++;
  return result.value(F);
}
/** A leaf suspended half way is a call like any other: its frame, no longer the one that all its calls share. */
export function leafLeft(fn: MachineFunction, F: Frame): Frame {
  activate(fn);
  return F.slice();
}
/** A frame for a call of a `direct` function, its arguments evaluated: a leaf's own where it runs through at once. */
export function directFrame(fn: MachineFunction): Frame {
  const { leaf, leafFrame } = fn.code;
  if (leafFrame === null || !runsThrough(leaf)) return newFrame(fn);
  leafFrame[0] = fn.globals;
  return leafFrame;
}

/** A frame for a call with these arguments. Raises TypeError as CPython does. */
export function bindFrame(fn: MachineFunction, args: readonly Value[], kwargs: ReadonlyMap<string, Value> | null): Frame {
  const code = fn.code;
  const F: Frame = new Array(code.slots);
  F[0] = fn.globals;
  const slots = code.paramSlots;
  if (code.simple && kwargs === null && args.length === slots.length) for (let i = 0; i < slots.length; i++) F[slots[i]!] = args[i];
  else bindSlow(fn, F, args, kwargs);
  const cells = code.cells;
  for (let i = 0; i < cells.length; i++) {
    const c = new Cell();
    c.v = F[cells[i]!];
    F[cells[i]!] = c;
  }
  const free = code.free;
  for (let i = 0; i < free.length; i++) F[free[i]![0]] = fn.cells[i];
  return F;
}

function bindSlow(fn: MachineFunction, F: Frame, args: readonly Value[], kwargs: ReadonlyMap<string, Value> | null): void {
  const { params: p, paramSlots: slots, qualname: name } = fn.code;
  const positional = [...p.posonly, ...p.args];
  const n = positional.length;
  const given = args.length;
  for (let i = 0; i < Math.min(n, given); i++) F[slots[i]!] = args[i];
  let next = n;
  const varSlot = p.vararg !== null ? slots[next++]! : -1;
  const kwonlyAt = next;
  next += p.kwonly.length;
  const kwSlot = p.kwarg !== null ? slots[next]! : -1;
  if (varSlot >= 0) F[varSlot] = new PyTuple(given > n ? args.slice(n) : []);
  const extra = kwSlot >= 0 ? new PyDict() : null;
  if (extra) F[kwSlot] = extra;
  const wrongPosonly: string[] = [];
  for (const [k, v] of kwargs ?? []) {
    const i = p.args.indexOf(k);
    const slot = i >= 0 ? slots[p.posonly.length + i]! : p.kwonly.includes(k) ? slots[kwonlyAt + p.kwonly.indexOf(k)]! : -1;
    if (slot >= 0) {
      if (F[slot] !== undefined) raise("TypeError", `${name}() got multiple values for argument '${k}'`);
      F[slot] = v;
    } else if (extra) extra.set(k, v);
    else if (p.posonly.includes(k)) wrongPosonly.push(k);
    else raise("TypeError", `${name}() got an unexpected keyword argument '${k}'`);
  }
  if (wrongPosonly.length > 0)
    raise("TypeError", `${name}() got some positional-only arguments passed as keyword arguments: '${wrongPosonly.join(", ")}'`);
  if (given > n && varSlot < 0) tooMany(fn, given, F, kwonlyAt);
  const missing: string[] = [];
  for (let i = 0; i < n; i++)
    if (F[slots[i]!] === undefined) {
      const d = fn.defaults[i];
      if (d === undefined) missing.push(positional[i]!);
      else F[slots[i]!] = d;
    }
  if (missing.length > 0)
    raise(
      "TypeError",
      `${name}() missing ${missing.length} required positional argument${missing.length === 1 ? "" : "s"}: ${listed(missing)}`,
    );
  const missingKw: string[] = [];
  for (let i = 0; i < p.kwonly.length; i++)
    if (F[slots[kwonlyAt + i]!] === undefined) {
      const d = fn.defaults[n + i];
      if (d === undefined) missingKw.push(p.kwonly[i]!);
      else F[slots[kwonlyAt + i]!] = d;
    }
  if (missingKw.length > 0)
    raise(
      "TypeError",
      `${name}() missing ${missingKw.length} required keyword-only argument${missingKw.length === 1 ? "" : "s"}: ${listed(missingKw)}`,
    );
}

function tooMany(fn: MachineFunction, given: number, F: Frame, kwonlyAt: number): never {
  const p = fn.code.params;
  const n = p.posonly.length + p.args.length;
  const optional = fn.defaults.slice(0, n).filter((d) => d !== undefined).length;
  const kwGiven = p.kwonly.filter((_, i) => F[fn.code.paramSlots[kwonlyAt + i]!] !== undefined).length;
  const takes = optional > 0 ? `from ${n - optional} to ${n}` : `${n}`;
  const plural = optional > 0 || n !== 1 ? "s" : "";
  const kw =
    kwGiven > 0 ? ` positional argument${given === 1 ? "" : "s"} (and ${kwGiven} keyword-only argument${kwGiven === 1 ? "" : "s"})` : "";
  raise(
    "TypeError",
    `${fn.code.qualname}() takes ${takes} positional argument${plural} but ${given}${kw} ${given === 1 && kwGiven === 0 ? "was" : "were"} given`,
  );
}

/** `'a'`, `'a' and 'b'`, `'a', 'b', and 'c'`: as CPython lists names. */
function listed(names: readonly string[]): string {
  const q = names.map((n) => `'${n}'`);
  if (q.length <= 2) return q.join(" and ");
  return `${q.slice(0, -1).join(", ")}, and ${q[q.length - 1]}`;
}
