/**
 * Matching of `re`: a pattern's program is run by a backtracking machine that tries things in CPython's order and therefore
 * finds CPython's match.
 *
 * It is linear all the same: once a match has cost more steps than an ordinary one, each choice (instruction, position)
 * that was tried is remembered, and is not tried again, because it failed before and would fail again. Patterns whose
 * outcome depends on what groups hold (back references, conditions) cannot be remembered so; there, and everywhere, a
 * count of steps refuses in the end (rulings, "re, and bombs").
 *
 * It can be left at any step: what it has in hand stays in its fields, and the next `poll` begins there.
 */
import { Refusal } from "../../failure";
import { RE_CHOICES_MAX, RE_STEPS_MAX } from "../../limits";
import { spendSteps } from "../value/meter";
import { mayPause } from "../value/pending";
import { PAUSED } from "../value/value";
import { type Compiled, type Instruction, lowerCode, type Program, type Test } from "./re-compile";
import type { Place } from "./re-parse";

/** The text as code points: units where it has no pair. */
export interface Subject {
  readonly text: string;
  /** Null where units are code points. */
  readonly codes: readonly number[] | null;
  readonly length: number;
}

/** Steps between two looks at the slice. */
const STRETCH = 4096;
/** Characters that are looked through for a beginning between two looks: eight count as a step. */
const SKIPPED = 8 * STRETCH;
const UNDECIDED = -2;

/** What is asked: a match at `at`, or, where it may begin later, the first from there on. */
export interface Question {
  readonly at: number;
  readonly searches: boolean;
  /** It must reach the end. */
  readonly full: boolean;
  /** At `at` itself it must take something. */
  readonly notEmpty: boolean;
}

/** The run of one program: of the pattern, or of a part that looks around or is atomic. */
interface Run {
  readonly code: readonly Instruction[];
  /** Alternatives wait here with what to restore of the slots. */
  readonly stack: number[];
  /** Choices made. An instruction's number means another thing in each program. */
  tried: Set<number> | null;
  /** Steps from which on choices are remembered. */
  readonly remembersFrom: number;
  pc: number;
  at: number;
}
type Sub = Extract<Instruction, { op: "sub" }>;
/** A run that waits for a part of it. */
interface Outer {
  readonly run: Run;
  readonly sub: Sub;
  /** The slots before the part. */
  readonly kept: Int32Array;
}

export class Matcher {
  private steps = 0;
  /** How many of them are charged, and where to look next. */
  private charged = 0;
  private lookAt = STRETCH;
  private slots: Int32Array;
  private readonly patience: number;
  /** The slot that holds which group was closed last. */
  private readonly last: number;
  private question: Question | null = null;
  /** Where the match that is tried begins. */
  private place = 0;
  /** The run of the whole pattern: one for all tries, since what failed for one fails for the next. */
  private readonly top: Run;
  /** Null between two tries. */
  private running: Run | null = null;
  private readonly outer: Outer[] = [];
  constructor(
    private readonly compiled: Compiled,
    private readonly subject: Subject,
    private readonly end: number,
    private readonly ascii: boolean,
  ) {
    this.slots = new Int32Array(compiled.slotCount);
    this.last = 2 * (compiled.parsed.groupCount + 1);
    this.patience = 2000 + 8 * (end + 1);
    this.top = this.begun(compiled.program, 0, this.patience);
  }

  /** Begins to answer; its steps and choices count anew. */
  ask(question: Question): void {
    this.question = question;
    this.place = question.at;
    this.steps = 0;
    this.charged = 0;
    this.lookAt = STRETCH;
    this.top.tried = null;
    this.running = null;
    this.outer.length = 0;
  }

  /** The slots of the match, null where there is none, PAUSED where the slice is used up. */
  poll(): Int32Array | null | typeof PAUSED {
    const { searches, full, notEmpty, at } = this.question!;
    for (;;) {
      if (this.running === null) {
        if (searches) {
          if (!this.skip()) return PAUSED;
          if (this.place > this.end) return null;
        }
        this.slots.fill(-1);
        this.running = this.top;
        this.top.stack.length = 0;
        this.top.pc = 0;
        this.top.at = this.place;
      }
      const reached = this.run(full, notEmpty && this.place === at ? at : -1);
      if (reached === UNDECIDED) return PAUSED;
      this.charge();
      this.running = null;
      if (reached >= 0) return this.slots.slice();
      if (!searches) return null;
      this.place++;
    }
  }

  /** Goes to where a match may begin, past the end if there is no such place. False where the slice is used up before. */
  private skip(): boolean {
    const { opening } = this.compiled;
    if (opening === null) return true;
    const { end } = this;
    for (;;) {
      const from = this.place;
      const stop = Math.min(end, from + SKIPPED);
      let i = from;
      while (i < stop && !opening(this.code(i))) i++;
      spendSteps((i - from) >> 3);
      this.place = i;
      if (i < stop) return true;
      if (i >= end) {
        this.place = end + 1;
        return true;
      }
      if (mayPause()) return false;
    }
  }

  private charge(): void {
    spendSteps(this.steps - this.charged);
    this.charged = this.steps;
  }
  /** Looks at the slice: whether to wait. */
  private look(): boolean {
    if (this.steps >= RE_STEPS_MAX)
      throw new Refusal("limit_exceeded", "the pattern needed more steps on this text than one search may take");
    this.charge();
    this.lookAt = Math.min(this.steps + STRETCH, RE_STEPS_MAX);
    return mayPause();
  }

  private code(at: number): number {
    const { codes, text } = this.subject;
    return codes === null ? text.charCodeAt(at) : codes[at];
  }

  private begun({ code }: Program, at: number, patientTo: number): Run {
    const remembersFrom = this.compiled.rememberable ? patientTo : Number.POSITIVE_INFINITY;
    return { code, stack: [], tried: null, remembersFrom, pc: 0, at };
  }

  /** Where the program ends, -1 where it does not match, UNDECIDED where the slice is used up. */
  private run(full: boolean, notAt: number): number {
    let run = this.running!;
    let { code, stack, remembersFrom, pc, at } = run;
    for (;;) {
      if (this.steps >= this.lookAt && this.look()) {
        run.pc = pc;
        run.at = at;
        return UNDECIDED;
      }
      this.steps++;
      const instruction = code[pc];
      let failed = false;
      switch (instruction.op) {
        case "char":
          if (at < this.end && this.code(at) === instruction.code) {
            at++;
            pc++;
          } else failed = true;
          break;
        case "test":
          if (at < this.end && instruction.test(this.code(at))) {
            at++;
            pc++;
          } else failed = true;
          break;
        case "split":
          if (this.steps > remembersFrom && this.again(run, pc, at)) {
            failed = true;
            break;
          }
          stack.push(instruction.second, at);
          pc = instruction.first;
          break;
        case "jump":
          pc = instruction.to;
          break;
        case "save":
          if (instruction.slot > 1 && instruction.slot % 2 === 1) {
            stack.push(-1 - this.last, this.slots[this.last]);
            this.slots[this.last] = instruction.slot >> 1;
          }
          stack.push(-1 - instruction.slot, this.slots[instruction.slot]);
          this.slots[instruction.slot] = at;
          pc++;
          break;
        case "enter":
          // A negative entry restores a slot.
          stack.push(-1 - instruction.slot, this.slots[instruction.slot]);
          this.slots[instruction.slot] = at;
          pc++;
          break;
        case "repeat":
          // After an iteration that took nothing only the way out is left, which says nothing of the other way.
          if (this.slots[instruction.slot] === at) pc = instruction.out.at;
          else if (this.steps > remembersFrom && this.again(run, pc, at)) failed = true;
          else if (instruction.lazy) {
            stack.push(instruction.to, at);
            pc = instruction.out.at;
          } else {
            stack.push(instruction.out.at, at);
            pc = instruction.to;
          }
          break;
        case "at":
          if (this.holds(instruction.place, at, instruction.word)) pc++;
          else failed = true;
          break;
        case "ref": {
          const length = this.reference(instruction.index, instruction.fold, at);
          if (length < 0) failed = true;
          else {
            at += length;
            pc++;
          }
          break;
        }
        case "if":
          pc = this.slots[2 * instruction.index + 1] >= 0 ? pc + 1 : instruction.no;
          break;
        case "sub": {
          const start = at - instruction.back;
          if (start < 0) {
            failed = !instruction.negated;
            if (!failed) pc++;
            break;
          }
          run.pc = pc;
          run.at = at;
          this.outer.push({ run, sub: instruction, kept: this.slots.slice() });
          this.running = run = this.begun(instruction.program, start, this.steps + this.patience);
          ({ code, stack, remembersFrom, pc, at } = run);
          break;
        }
        case "done":
          if (this.outer.length > 0) {
            failed = !this.partEnded(at);
            run = this.running as Run;
            ({ code, stack, remembersFrom, pc, at } = run);
          } else if ((full && at !== this.end) || at === notAt) failed = true;
          else return at;
      }
      if (!failed) continue;
      for (;;) {
        if (stack.length === 0) {
          if (this.outer.length === 0) return -1;
          const goesOn = this.partEnded(-1);
          run = this.running as Run;
          ({ code, stack, remembersFrom, pc, at } = run);
          if (goesOn) break;
          continue;
        }
        const value = stack.pop() as number;
        const what = stack.pop() as number;
        if (what >= 0) {
          pc = what;
          at = value;
          break;
        }
        this.slots[-1 - what] = value;
      }
    }
  }

  /** Goes back to the run that waits for a part, which ended at `reached` (-1: it did not match). False: that one fails here. */
  private partEnded(reached: number): boolean {
    const { run, sub, kept } = this.outer.pop()!;
    this.running = run;
    const found = reached >= 0;
    if (found === sub.negated) {
      this.slots = kept;
      return false;
    }
    if (sub.negated) this.slots = kept;
    else for (let slot = 0; slot < kept.length; slot++) if (kept[slot] !== this.slots[slot]) run.stack.push(-1 - slot, kept[slot]);
    if (sub.what === "atomic") run.at = reached;
    run.pc++;
    return true;
  }

  /** Whether this choice was made before (and so failed); remembers it otherwise. */
  private again(run: Run, pc: number, at: number): boolean {
    const choices = (run.tried ??= new Set());
    const key = pc * (this.end + 1) + at;
    if (choices.has(key)) return true;
    if (choices.size >= RE_CHOICES_MAX)
      throw new Refusal("limit_exceeded", "the pattern needed more memory on this text than one search may take");
    choices.add(key);
    return false;
  }

  private holds(place: Place, at: number, word: Test): boolean {
    switch (place) {
      case "start":
        return at === 0;
      case "line-start":
        return at === 0 || this.code(at - 1) === 10;
      case "text-end":
        return at === this.end;
      case "end":
        return at === this.end || (at === this.end - 1 && this.code(at) === 10);
      case "line-end":
        return at === this.end || this.code(at) === 10;
      default: {
        const before = at > 0 && word(this.code(at - 1));
        const after = at < this.end && word(this.code(at));
        // CPython holds neither of the two to be true of an empty text.
        return this.end > 0 && (before !== after) === (place === "boundary");
      }
    }
  }

  /** How many characters repeat what the group holds, or -1. */
  private reference(index: number, fold: boolean, at: number): number {
    const from = this.slots[2 * index];
    const to = this.slots[2 * index + 1];
    if (from < 0 || to < from || at + to - from > this.end) return -1;
    this.steps += to - from;
    for (let i = 0; i < to - from; i++) {
      const x = this.code(from + i);
      const y = this.code(at + i);
      if (x !== y && !(fold && lowerCode(x, this.ascii) === lowerCode(y, this.ascii))) return -1;
    }
    return to - from;
  }
}
