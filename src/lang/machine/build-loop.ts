/**
 * Closures for `for`. A range or a list is walked by its place in it, anything else by its iterator; an int that counts a
 * range lives in a register (`registers.ts`).
 */
import { isRange } from "../compile/infer-numbers";
import type { IrExpr, IrStep } from "../compile/ir";
import { meter, opsSpent } from "../value/meter";
import { iterate } from "../value/protocol-iterate";
import { makeRange, rangeOf } from "../value/range";
import { DONE, PAUSED, type PyIterator, PyList, PyRange, type Value } from "../value/value";
import { type Body, buildBlock, buildBody } from "./build-block";
import { buildExpr } from "./build-expression";
import { type Assign, buildAssign } from "./build-target";
import type { Builder } from "./builder";
import type { Registers } from "./registers";
import { EXHAUSTED, NOT_TAKEN, PausedRegion, RegionLoop } from "./run-region";
import { BREAK, CONTINUE, type Eval, type Exec, type Frame, NEXT, pause, pauseWithin, SUSPEND, vm } from "./vm";

/** Mark in the place of a loop: in its `else` block. */
const IN_ELSE = -1;
/** Likewise: its iterator has not given the next element yet. */
const WAITING = -2;
/** A loop at work: from place `at` of the source; `again`: the element is bound already, its body goes on. */
type Loop<Source> = (R: Frame, source: Source, at: number, again: boolean) => number;

/**
 * `is` holds the iterator, or for a range or a list the place in it, while the body is suspended. A comprehension's loop
 * (`comp`) has no statement inside, so it stops before an element instead.
 */
export function buildFor(B: Builder, s: Extract<IrStep, { k: "for" }>): Exec {
  const iter = buildSource(B, s.e);
  const body = buildBody(B, s.a, s.comp === true);
  const orelse = s.b ? buildBlock(B, s.b) : null;
  const [it0, at0] = [s.is, s.is + 1];
  const pc = s.comp === true ? s.a.pc : -1;
  const set = buildAssign(B, s.to);
  const counted = s.to.k === "local" && B.registers.types[s.to.i] === "int";
  const overRange = counted ? countedLoop(B.registers, (s.to as { i: number }).i, body, it0, pc) : rangeLoop(set, body, it0, pc);
  const inKernel = s.comp ? null : new RegionLoop(B.building!, B.registers, s, (R, range, place) => overRange(R, range, place, true));
  const overList = listLoop(set, body, it0, pc);
  const overIterator = iteratorLoop(set, body, it0, pc);
  return (R) => {
    const here = vm.at;
    const again = vm.resuming;
    const at = again ? (R[at0] as number) : 0;
    if (at === IN_ELSE) return inElse(R);
    const source: Value = again ? R[it0] : iter(R);
    let c: number;
    if (source instanceof PyList) c = overList(R, source, at, again);
    else if (source instanceof PyRange && isSmall(source)) {
      c = inKernel === null || again ? NOT_TAKEN : inKernel.start(R, source);
      if (c === NOT_TAKEN) c = overRange(R, source, at, again);
    } else if (source instanceof PausedRegion) c = inKernel!.resume(R, source);
    else c = overIterator(R, again ? (source as PyIterator) : iterate(source), at, again);
    if (c !== EXHAUSTED) return c;
    vm.at = here;
    return orelse === null ? NEXT : inElse(R);
  };
  function inElse(R: Frame): number {
    const c = orelse!(R);
    if (c >= SUSPEND) R[at0] = IN_ELSE;
    return c;
  }
}

/** What is looped over; `range(…)` of ints without the way of a call. */
function buildSource(B: Builder, e: IrExpr): Eval {
  if (e.k !== "native" || !isRange(e) || e.args.length < 1 || e.args.length > 3 || e.kw.length > 0 || e.args.some((x) => x.star))
    return buildExpr(B, e);
  const [a, b, c] = e.args.map((x) => buildExpr(B, x.e)) as [Eval, Eval | undefined, Eval | undefined];
  return (R) => {
    meter.ops++;
    const x = a(R);
    if (b === undefined) return typeof x === "number" ? makeRange(0, x, 1) : rangeOf([x]);
    const y = b(R);
    const step = c === undefined ? 1 : c(R);
    if (typeof x === "number" && typeof y === "number" && typeof step === "number" && step !== 0) return makeRange(x, y, step);
    return rangeOf(c === undefined ? [x, y] : [x, y, step]);
  };
}

function isSmall(r: PyRange): boolean {
  return typeof r.length === "number" && typeof r.start === "number" && typeof r.stop === "number" && typeof r.step === "number";
}

/** A range of small ints, its counter in register `k`. `pc`: where a comprehension keeps its place; -1 for a statement. */
function countedLoop(N: Registers, k: number, { run, lone }: Body, it0: number, pc: number): Loop<PyRange> {
  const D = N.D;
  return (R, range, from, again) => {
    const start = range.start as number;
    const step = range.step as number;
    const length = range.length as number;
    let at = from;
    let c = again ? run(R) : NEXT;
    while (c === NEXT || c === CONTINUE) {
      if (at >= length) return EXHAUSTED;
      D[k] = start + at * step;
      at++;
      if (++meter.ops > meter.opsMax) opsSpent();
      if (lone !== null) c = runLone(R, lone);
      else if (pc >= 0 && stopsHere(R, pc)) c = SUSPEND;
      else c = run(R);
    }
    return leaves(R, it0, c, range, at);
  };
}
function rangeLoop(set: Assign, { run, lone }: Body, it0: number, pc: number): Loop<PyRange> {
  return (R, range, from, again) => {
    const start = range.start as number;
    const step = range.step as number;
    const length = range.length as number;
    let at = from;
    let c = again ? run(R) : NEXT;
    while (c === NEXT || c === CONTINUE) {
      if (at >= length) return EXHAUSTED;
      const v = start + at * step;
      at++;
      if (++meter.ops > meter.opsMax) opsSpent();
      set(R, v);
      if (lone !== null) c = runLone(R, lone);
      else if (pc >= 0 && stopsHere(R, pc)) c = SUSPEND;
      else c = run(R);
    }
    return leaves(R, it0, c, range, at);
  };
}
/** A list may change under the loop: its length is asked each time. */
function listLoop(set: Assign, { run, lone }: Body, it0: number, pc: number): Loop<PyList> {
  return (R, list, from, again) => {
    let at = from;
    let c = again ? run(R) : NEXT;
    while (c === NEXT || c === CONTINUE) {
      if (at >= list.a.length) return EXHAUSTED;
      const v = list.a[at++]!;
      if (++meter.ops > meter.opsMax) opsSpent();
      set(R, v);
      if (lone !== null) c = runLone(R, lone);
      else if (pc >= 0 && stopsHere(R, pc)) c = SUSPEND;
      else c = run(R);
    }
    return leaves(R, it0, c, list, at);
  };
}
function iteratorLoop(set: Assign, { run, lone }: Body, it0: number, pc: number): Loop<PyIterator> {
  return (R, source, from, again) => {
    let c = again && from !== WAITING ? run(R) : NEXT;
    while (c === NEXT || c === CONTINUE) {
      const v = vm.resuming ? pollAgain(source) : source.poll();
      if (v === DONE) return EXHAUSTED;
      if (v === PAUSED) return leaves(R, it0, SUSPEND, source, WAITING);
      if (++meter.ops > meter.opsMax) opsSpent();
      set(R, v);
      if (lone !== null) c = runLone(R, lone);
      else if (pc >= 0 && stopsHere(R, pc)) c = SUSPEND;
      else c = run(R);
    }
    return leaves(R, it0, c, source, 0);
  };
}

/** Asks an iterator on that had to wait. */
function pollAgain(source: PyIterator): Value | typeof DONE | typeof PAUSED {
  try {
    return source.poll();
  } finally {
    vm.resuming = false;
  }
}

/** The one statement of a body. */
function runLone(R: Frame, { at, step, pc }: NonNullable<Body["lone"]>): number {
  vm.at = at;
  if (++meter.steps >= meter.sliceEnd && pause(R, pc, 0) === SUSPEND) return SUSPEND;
  const c = step(R);
  if (c >= SUSPEND) R[pc] = 0;
  return c;
}
/** A comprehension's element is taken and bound; where the slice is used up, its body comes when we go on. */
function stopsHere(R: Frame, pc: number): boolean {
  return ++meter.steps >= meter.sliceEnd && pauseWithin(R, pc, 0) === SUSPEND;
}
/** The loop is left before its end: for good, or with its place kept. */
function leaves(R: Frame, it0: number, c: number, source: PyIterator | PyRange | PyList, at: number): number {
  if (c === BREAK) return NEXT;
  if (c >= SUSPEND) {
    R[it0] = source;
    R[it0 + 1] = at;
  }
  return c;
}
