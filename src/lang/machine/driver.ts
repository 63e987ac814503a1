/**
 * A program at work, from outside: run it slice by slice, stop it, see how it ended.
 *
 * The machine's shared state (`vm`, `meter`) belongs to the program that runs; `advance` puts this program's in and
 * takes it out again, so programs of several readers interleave slice by slice. Results and ops are the same for any
 * size of slice.
 */
import { Refusal, type RefuseReason } from "../../failure";
import { CALL_STEPS_MAX, SURVEY_BYTES_MIN } from "../../limits";
import type { IrUnit } from "../compile/ir";
import type { Host } from "../host";
import { meter } from "../value/meter";
import { exceptionText } from "../value/protocol-text";
import { type Remembered, swapRemembered } from "../value/str";
import { type PyException, Raised } from "../value/value";
import { Builder } from "./builder";
import { MachineFunction } from "./function";
import { type Link, Modules } from "./module";
import { type Record, Recorder } from "./recorder";
import { Survey } from "./survey";
import { type At, enter, reenter, SUSPEND, unwind, vm } from "./vm";

/** What ended a program. */
export type Ending =
  | { readonly tag: "completed" }
  | { readonly tag: "stopped"; readonly line: number; readonly module: string }
  | {
      readonly tag: "refused";
      readonly reason: RefuseReason;
      readonly message: string;
      readonly hint: string | null;
      /** Class of an exception that nothing caught, for the text; null for a refusal of the store or a ceiling. */
      readonly exception: string | null;
      readonly line: number;
      readonly module: string;
    }
  /** Not the program's fault and not a refusal: what was thrown, for the caller to judge. */
  | { readonly tag: "failed"; readonly thrown: unknown; readonly line: number; readonly module: string };

export interface RunOptions {
  readonly unit: IrUnit;
  /** "" for a program; a module's name where its body runs at `compile`. */
  readonly module: string;
  readonly host: Host;
  readonly link: Link;
  readonly opsMax: number;
  readonly opsMaxMessage: string;
  readonly stepsMax?: number;
}

/** What looking at one value takes, in steps of the usual length, and how many are looked at in the shortest slice. */
const STEPS_A_LOOK = 8;
const SURVEY_LOOKS_MIN = 64;

/** Programs begun so far: tells one from the next where something is remembered between their turns. */
let programs = 0;

export class Execution {
  readonly #recorder = new Recorder();
  readonly #modules: Modules;
  readonly #main: MachineFunction;
  /** What this program remembers of long texts. */
  #texts: Remembered[] = [];
  #made = 0;
  #madeChars = 0;
  #kept = 0;
  readonly #program = ++programs;
  #surveyAt = SURVEY_BYTES_MIN;
  #survey: Survey | null = null;
  #ops = 0;
  #steps = 0;
  #stack: MachineFunction[] = [];
  #handling: PyException | null = null;
  #at: At;
  #started = false;
  #ending: Ending | null = null;
  #stop = false;
  #between = true;

  constructor(readonly options: RunOptions) {
    this.#modules = new Modules(options.link);
    const builder = new Builder(options.unit, options.module);
    const code = builder.code(0);
    const globals: unknown[] = new Array(code.slots);
    globals[0] = globals;
    this.#main = new MachineFunction(code, globals, [], []);
    this.#at = builder.at(1);
  }

  get ops(): number {
    return Math.min(this.#ops, this.options.opsMax);
  }
  get steps(): number {
    return this.#steps;
  }
  get ending(): Ending | null {
    return this.#ending;
  }
  record(keepEffects = true): Record {
    return this.#recorder.record(keepEffects);
  }
  /** The program begins no further statement: the one running goes on to its end. Without effect once it has ended. */
  stop(): void {
    this.#stop = true;
  }

  /** Runs about `steps` steps more. True once the program has ended. */
  advance(steps: number): boolean {
    if (this.#ending) return true;
    if (this.#stopsHere()) return true;
    this.#enter(steps);
    try {
      const code = this.#run();
      if (code !== SUSPEND) this.#ending = { tag: "completed" };
      else if (meter.steps >= meter.stepsMax)
        this.#end(this.#refused(new Refusal("limit_exceeded", "the call did more internal work than one call may", null, false)));
    } catch (thrown) {
      this.#end(this.#refused(thrown));
    } finally {
      this.#leave();
    }
    return this.#ending !== null || this.#stopsHere();
  }

  /** Ends a program that is to stop, once no statement of it is half done (contract §9.8). */
  #stopsHere(): boolean {
    if (!this.#stop || !this.#between) return false;
    this.#end({ tag: "stopped", line: this.#at.line, module: this.#at.module });
    return true;
  }

  /** Runs to the end of the slice; where the program is to be counted, it suspends for that and goes on. */
  #run(): number {
    const { sliceEnd } = meter;
    // Costs no steps, so that they say nothing of it, but takes its part of the slice.
    const looks = Math.max(SURVEY_LOOKS_MIN, Math.floor((Math.max(sliceEnd, meter.finishEnd) - meter.steps) / STEPS_A_LOOK));
    for (;;) {
      if (this.#survey !== null) {
        if (!this.#survey.goOn(looks)) return SUSPEND;
        this.#survey = null;
        if (meter.steps >= sliceEnd) return SUSPEND;
        meter.sliceEnd = sliceEnd;
      }
      vm.resuming = this.#started;
      const code = this.#started ? reenter(this.#main, this.#main.globals) : enter(this.#main, this.#main.globals);
      this.#started = true;
      if (code !== SUSPEND || !meter.surveyDue) return code;
      this.#survey = new Survey([this.#main.globals, ...this.#modules.frames(), ...vm.stack.map((fn) => fn.frame), vm.handling, vm.ret]);
    }
  }

  #end(ending: Ending): void {
    this.#ending = ending;
    unwind(0);
  }
  #refused(thrown: unknown): Ending {
    const { line, module } = vm.at ?? this.#at;
    if (thrown instanceof Raised) {
      const x = thrown.exception;
      const text = exceptionText(x);
      // A refusal that travelled as an exception keeps its own reason.
      if (x.reason !== null) return { tag: "refused", reason: x.reason, message: text, hint: x.hint, exception: null, line, module };
      return {
        tag: "refused",
        reason: "invalid_value",
        message: text === "" ? x.className : `${x.className}: ${text}`,
        hint: null,
        exception: x.className,
        line,
        module,
      };
    }
    if (thrown instanceof Refusal)
      return { tag: "refused", reason: thrown.reason, message: thrown.message, hint: thrown.hint, exception: null, line, module };
    return { tag: "failed", thrown, line, module };
  }

  #enter(steps: number): void {
    const o = this.options;
    meter.ops = this.#ops;
    meter.opsMax = o.opsMax;
    meter.opsMaxMessage = o.opsMaxMessage;
    meter.steps = this.#steps;
    meter.stepsMax = o.stepsMax ?? CALL_STEPS_MAX;
    const sliceEnd = Math.min(this.#steps + Math.max(1, steps), meter.stepsMax);
    meter.sliceEnd = this.#stop ? this.#steps : sliceEnd;
    meter.finishEnd = this.#stop ? sliceEnd : Number.NEGATIVE_INFINITY;
    this.#texts = swapRemembered(this.#texts);
    vm.stack = this.#stack;
    vm.handling = this.#handling;
    vm.host = o.host;
    vm.recorder = this.#recorder;
    vm.modules = this.#modules;
    vm.at = this.#at;
    vm.between = false;
    meter.nested = 0;
    meter.made = this.#made;
    meter.madeChars = this.#madeChars;
    meter.kept = this.#kept;
    meter.program = this.#program;
    meter.surveyAt = this.#surveyAt;
    meter.surveyDue = false;
  }
  #leave(): void {
    this.#texts = swapRemembered(this.#texts);
    this.#ops = meter.ops;
    this.#made = meter.made;
    this.#madeChars = meter.madeChars;
    this.#kept = meter.kept;
    this.#surveyAt = meter.surveyAt;
    meter.surveyAt = Number.POSITIVE_INFINITY;
    this.#steps = meter.steps;
    this.#stack = vm.stack;
    this.#handling = vm.handling;
    this.#at = vm.at;
    this.#between = vm.between;
    vm.resuming = false;
    meter.sliceEnd = Number.POSITIVE_INFINITY;
    meter.finishEnd = Number.NEGATIVE_INFINITY;
    meter.opsMax = Number.POSITIVE_INFINITY;
    meter.stepsMax = Number.POSITIVE_INFINITY;
  }
}
