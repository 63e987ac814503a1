/**
 * Closures for blocks: steps one after another, each statement counted, told (`vm.at`) and a place where the machine may
 * stop. Short blocks run without a loop over their steps; a block that goes on after a stop takes the long way.
 */
import type { IrBlock } from "../compile/ir";
import { meter } from "../value/meter";
import { buildStep } from "./build-step";
import type { Builder } from "./builder";
import { type At, type Exec, type Frame, NEXT, pause, SUSPEND, vm } from "./vm";

interface Steps {
  readonly pc: number;
  readonly steps: readonly Exec[];
  /** Null for a step that is no statement. */
  readonly ats: readonly (At | null)[];
}

/** `positioned`: the block keeps its place even where a lone step could keep its own (a comprehension stops before it). */
export function buildBlock(B: Builder, block: IrBlock, positioned = false): Exec {
  return buildBody(B, block, positioned).run;
}

/** A block, and its one statement where it has just one: a loop runs that itself, and the block only to go on in it. */
export interface Body {
  readonly run: Exec;
  readonly lone: { readonly at: At; readonly step: Exec; readonly pc: number } | null;
}
export function buildBody(B: Builder, block: IrBlock, positioned = false): Body {
  const { pc } = block;
  const steps = block.b.map((s) => buildStep(B, s));
  const ats = block.b.map((s): At | null => (s.line ? B.at(s.line) : null));
  const all: Steps = { pc, steps, ats };
  const [first, second, third] = steps;
  const [at0, at1, at2] = ats;
  if (steps.length === 1 && at0) return { run: one(all, at0, first!), lone: { at: at0, step: first!, pc } };
  if (steps.length === 1 && !positioned) return { run: first!, lone: null };
  if (steps.length === 2) return { run: two(all, at0!, first!, at1!, second!), lone: null };
  if (steps.length === 3) return { run: three(all, at0!, first!, at1!, second!, at2!, third!), lone: null };
  return { run: (R) => (vm.resuming ? goOn(all, R) : runFrom(all, R, 0)), lone: null };
}

/** One statement. */
function one(all: Steps, at: At, step: Exec): Exec {
  const { pc } = all;
  return (R) => {
    if (vm.resuming) return goOn(all, R);
    vm.at = at;
    if (++meter.steps >= meter.sliceEnd && pause(R, pc, 0) === SUSPEND) return SUSPEND;
    const c = step(R);
    if (c >= SUSPEND) R[pc] = 0;
    return c;
  };
}
function two(all: Steps, at0: At | null, step0: Exec, at1: At | null, step1: Exec): Exec {
  const { pc } = all;
  return (R) => {
    if (vm.resuming) return goOn(all, R);
    if (at0 !== null) {
      vm.at = at0;
      if (++meter.steps >= meter.sliceEnd && pause(R, pc, 0) === SUSPEND) return SUSPEND;
    }
    const c = step0(R);
    if (c !== NEXT) {
      if (c >= SUSPEND) R[pc] = 0;
      return c;
    }
    if (at1 !== null) {
      vm.at = at1;
      if (++meter.steps >= meter.sliceEnd && pause(R, pc, 1) === SUSPEND) return SUSPEND;
    }
    const d = step1(R);
    if (d >= SUSPEND) R[pc] = 1;
    return d;
  };
}
function three(all: Steps, at0: At | null, step0: Exec, at1: At | null, step1: Exec, at2: At | null, step2: Exec): Exec {
  const { pc } = all;
  return (R) => {
    if (vm.resuming) return goOn(all, R);
    if (at0 !== null) {
      vm.at = at0;
      if (++meter.steps >= meter.sliceEnd && pause(R, pc, 0) === SUSPEND) return SUSPEND;
    }
    const c = step0(R);
    if (c !== NEXT) {
      if (c >= SUSPEND) R[pc] = 0;
      return c;
    }
    if (at1 !== null) {
      vm.at = at1;
      if (++meter.steps >= meter.sliceEnd && pause(R, pc, 1) === SUSPEND) return SUSPEND;
    }
    const d = step1(R);
    if (d !== NEXT) {
      if (d >= SUSPEND) R[pc] = 1;
      return d;
    }
    if (at2 !== null) {
      vm.at = at2;
      if (++meter.steps >= meter.sliceEnd && pause(R, pc, 2) === SUSPEND) return SUSPEND;
    }
    const e = step2(R);
    if (e >= SUSPEND) R[pc] = 2;
    return e;
  };
}

function runFrom({ pc, steps, ats }: Steps, R: Frame, from: number): number {
  for (let i = from; i < steps.length; i++) {
    const at = ats[i]!;
    if (at !== null) {
      vm.at = at;
      if (++meter.steps >= meter.sliceEnd && pause(R, pc, i) === SUSPEND) return SUSPEND;
    }
    const c = steps[i]!(R);
    if (c !== NEXT) {
      if (c >= SUSPEND) R[pc] = i;
      return c;
    }
  }
  return NEXT;
}

/** Goes on where the block stopped: before a step, or within one. */
function goOn(all: Steps, R: Frame): number {
  const { pc, steps, ats } = all;
  const saved: number = R[pc];
  const i = saved < 0 ? ~saved : saved;
  // Stopped before this step: it runs now, from its start.
  if (saved < 0) vm.resuming = false;
  if (ats[i] !== null) vm.at = ats[i]!;
  const c = steps[i]!(R);
  if (c === NEXT) return runFrom(all, R, i + 1);
  if (c >= SUSPEND) R[pc] = i;
  return c;
}
