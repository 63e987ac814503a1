/**
 * The state of the machine while a slice runs: what closures share.
 *
 * Code is closures over a frame `R` (an array of slots, slot 0 the globals frame). A step gives a code: `NEXT`, or why
 * it left early. `SUSPEND` and `YIELD` mean the position is saved in the frame's own slots all the way out; running the
 * outermost code again with `resuming` set goes back in to that very place. So a program stops before any statement and
 * goes on later, and a stop needs no exception that a handler could see: nobody resumes.
 *
 * One program runs at a time inside a slice; `driver.ts` swaps this state in and out.
 */
import { Refusal } from "../../failure";
import type { NumberType } from "../compile/infer-numbers";
import type { Host } from "../host";
import { meter } from "../value/meter";
import { mustWait } from "../value/pending";
import type { PyException, Value } from "../value/value";
import type { MachineFunction } from "./function";
import type { Recorder } from "./recorder";

// biome-ignore lint/suspicious/noExplicitAny: a slot holds a value, a cell, or saved machine state
export type Frame = any[];
export type Exec = (R: Frame) => number;
export type Eval = (R: Frame) => Value;

export const NEXT = 0;
export const BREAK = 1;
export const CONTINUE = 2;
export const RETURN = 3;
/** From here on: positions are saved, run again to go on. */
export const SUSPEND = 4;
export const YIELD = 5;

/** Where a statement stands, and what its line has recorded in this call (`recorder.ts`). */
export interface At {
  readonly line: number;
  /** The module the line is of; "" for the program submitted. */
  readonly module: string;
  /** `assign` entries of this line so far. */
  count: number;
  lastName: string;
  lastValue: Value;
  /** The last value where `lastType` says that it is a number kept raw. */
  lastNumber: number;
  lastType: NumberType | null;
  /** Text taken at the binding, where the value could change later. */
  lastText: string | null;
  /** Characters it counts for against what an answer may carry. */
  lastHeld: number;
  lastOrder: number;
}

/** A captured name. `v` undefined while unbound. */
export class Cell {
  v: Value | undefined = undefined;
}

export const vm = {
  resuming: false,
  /** It was suspended between two statements: none is half done. */
  between: false,
  /** What the statement running is at; an error is reported there. */
  at: null as unknown as At,
  /** The value of a RETURN, or of a YIELD. */
  ret: null as Value,
  /** Functions whose frames are active, outermost first. */
  stack: [] as MachineFunction[],
  /** The exception being handled, for a bare `raise`. */
  handling: null as PyException | null,
  host: null as unknown as Host,
  recorder: null as unknown as Recorder,
  /** Imports of the running call: form → instance (`module.ts`). */
  modules: null as unknown as import("./module").Modules,
};

/** Frames that may be active at once. JavaScript's stack holds about 12,000 of its own; a Python frame takes up to 40. */
export const FRAMES_MAX = 150;

/** The slice may be used up before a statement: suspends then, unless something underneath cannot. */
export function pause(R: Frame, pc: number, i: number): number {
  return statementWaits() ? suspended(R, pc, i) : NEXT;
}
/** The same at a step inside a statement. */
export function pauseWithin(R: Frame, pc: number, i: number): number {
  return mustWait() ? suspended(R, pc, i) : NEXT;
}
function suspended(R: Frame, pc: number, i: number): number {
  R[pc] = ~i;
  return SUSPEND;
}
/** Whether what begins here waits; a call that is to stop begins no further statement (contract §9.8). */
export function statementWaits(): boolean {
  // The body of a lambda has a line, but belongs to the statement that calls it.
  const begins = vm.stack.at(-1)?.name !== LAMBDA;
  const stops = begins && meter.nested === 0 && meter.steps < meter.finishEnd;
  if (!stops && !mustWait()) return false;
  vm.between = begins;
  return true;
}
const LAMBDA = "<lambda>";

/** Runs a function's body in its frame, from the start. */
export function enter(fn: MachineFunction, F: Frame): number {
  activate(fn);
  return leave(fn, F, fn.code.body(F));
}

/** The function is at work from here on. Refuses one that is already, and one too deep. */
export function activate(fn: MachineFunction): void {
  if (fn.active)
    throw new Refusal(
      "out_of_surface",
      `\`${fn.name}\` was called while it is running: DKE Python has no recursion. Loop over a list of work instead.`,
    );
  const stack = vm.stack;
  if (stack.length >= FRAMES_MAX)
    throw new Refusal(
      "out_of_surface",
      `calls stand ${FRAMES_MAX} deep here, an import counting as one, and that is the most there may be: call and import in fewer steps, or loop over a list of work.`,
    );
  fn.active = true;
  stack.push(fn);
  const registers = fn.code.registers;
  if (registers !== null && registers.live++ > 0) fn.saved = registers.save();
}

/** Goes on in a suspended frame; `vm.resuming` is set. */
export function reenter(fn: MachineFunction, F: Frame): number {
  return leave(fn, F, fn.code.body(F));
}

function leave(fn: MachineFunction, F: Frame, code: number): number {
  if (code < SUSPEND) {
    vm.stack.pop();
    deactivate(fn);
  } else fn.frame = F;
  return code;
}
function deactivate(fn: MachineFunction): void {
  fn.active = false;
  fn.frame = null;
  const registers = fn.code.registers;
  if (registers === null) return;
  registers.live--;
  if (fn.saved === null) return;
  registers.restore(fn.saved);
  fn.saved = null;
}

/** After an exception: frames above `depth` are gone. */
export function unwind(depth: number): void {
  const stack = vm.stack;
  while (stack.length > depth) deactivate(stack.pop()!);
}

/** Takes the value a RETURN left; `None` for a body that ran off its end. */
export function takeReturn(code: number): Value {
  if (code !== RETURN) return null;
  const v = vm.ret;
  vm.ret = null;
  return v;
}
