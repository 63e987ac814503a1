/** `run` and `compile` at work: compile the source, run it slice by slice, keep or discard (contract §4). */
import { requireLevel } from "../engine/level";
import type { Session } from "../engine/session";
import { assert, EngineError } from "../failure";
import { type Compiled, type CompileResult, compiling } from "../lang/compile/compile";
import type { ScriptParams } from "../lang/compile/ir";
import { LIBRARY_MEMBERS } from "../lang/compile/served";
import { Execution } from "../lang/machine/driver";
import { KEYWORDS } from "../lang/syntax/token";
import { isIdentifier, nfkc } from "../lang/value/unicode";
import { FORM_SLICE_CHARS, WORLD_CLAIM_STEPS } from "../limits";
import { InvalidParams, type ToolAnswer, type ToolCall, type ToolTask } from "./answer";
import {
  compileAnswer,
  compileFailure,
  diagnosticsAnswer,
  type Failing,
  type Finished,
  failingFrom,
  type Installed,
  runAnswer,
  runFailure,
} from "./compute-answer";
import { KEPT_MODULES } from "./kept-modules";
import { type FormPart, formText } from "./module-form";
import type { ModuleShelf, ShelfView } from "./module-shelf";
import { scriptHost } from "./script-host";

/** What a compute call needs of its store. */
export interface ComputeSite {
  readonly session: Session;
  readonly shelf: ModuleShelf;
}

abstract class ComputeTask implements ToolTask {
  protected readonly session: Session;
  protected readonly view: ShelfView;
  protected readonly call: ToolCall;
  #answer: ToolAnswer | null = null;
  #execution: Execution | null = null;
  /** The compiling and storing before anything runs: a long source takes several slices. */
  #beginning: Generator<void, Execution | ToolAnswer, void> | null = null;
  /** Of the slice at hand. */
  protected stepsMax = 0;
  #isRunning = false;
  /** The answer in the making, once the execution has ended. */
  #finishing: Generator<void, ToolAnswer, void> | null = null;
  #stopAsked = false;

  constructor(site: ComputeSite, call: ToolCall) {
    this.session = site.session;
    this.view = site.shelf.view(site.session);
    this.call = call;
  }
  get ops(): number {
    return this.#execution?.ops ?? 0;
  }
  get instant(): number {
    return this.session.instant;
  }
  get stopped(): boolean {
    return this.#execution?.ending?.tag === "stopped";
  }
  stop(): void {
    this.#stopAsked = true;
    this.#execution?.stop();
  }
  answer(): ToolAnswer {
    assert(this.#answer !== null, "a task answers once it has ended");
    return this.#answer;
  }

  advance(stepsMax: number): boolean {
    if (this.#answer) return true;
    if (!this.#stopAsked && this.session.mustWait()) return false;
    if (this.#execution === null) {
      this.#beginning ??= this.begin();
      this.stepsMax = stepsMax;
      const { done, value: began } = this.#beginning.next();
      if (done !== true) return false;
      if (!(began instanceof Execution)) return this.#end(began);
      this.#execution = began;
      if (this.#stopAsked) began.stop();
    }
    // The rules may still be at work on what `begin` wrote.
    if (!this.#isRunning) {
      try {
        if (!this.session.conclude(stepsMax)) return false;
      } catch (thrown) {
        return this.#end(this.refused(thrown));
      }
      this.#isRunning = true;
    }
    if (this.#finishing !== null) return this.#finish(this.#finishing);
    const execution = this.#execution;
    if (!execution.advance(stepsMax + this.session.resume() * WORLD_CLAIM_STEPS)) {
      this.session.flush();
      return false;
    }
    this.#finishing = this.finish(execution);
    const isDone = this.#finish(this.#finishing);
    if (!isDone) this.#leaveStore();
    return isDone;
  }
  #finish(finishing: Generator<void, ToolAnswer, void>): boolean {
    const { done, value } = finishing.next();
    return done === true && this.#end(value);
  }
  #end(answer: ToolAnswer): boolean {
    this.#leaveStore();
    this.#answer = answer;
    return true;
  }
  #leaveStore(): void {
    this.session.abandonLayers();
    this.session.flush();
  }

  /** Compiles, pausing between slices; gives the execution to drive, or the answer where there is nothing to run. */
  protected abstract begin(): Generator<void, Execution | ToolAnswer, void>;
  /** The answer where what `begin` wrote is refused. */
  protected abstract refused(thrown: unknown): ToolAnswer;
  /** Makes the answer, pausing where that is long; what it does to the store it does before it pauses. */
  protected abstract finish(execution: Execution): Generator<void, ToolAnswer, void>;

  protected execution(unit: Compiled["unit"], module: string): Execution {
    const { opsMax, opsMaxIsCredit } = this.call;
    return new Execution({
      unit,
      module,
      host: scriptHost(this.session),
      link: (form) => this.view.link(form),
      opsMax,
      opsMaxMessage: opsMaxIsCredit
        ? `the account's balance is spent: the call reached the ${opsMax} operations it still covered. Top up and run the rest again; what it wrote stays.`
        : `the call reached its ceiling of ${opsMax} operations: narrow what it works over, or split it into several calls`,
    });
  }
  /** A source that did not compile, or a program the tool declines. */
  protected rejected(tool: "run" | "compile", result: Extract<CompileResult, { ok: false }>): ToolAnswer {
    if ("diagnostics" in result) return diagnosticsAnswer(tool, result.status, result.diagnostics);
    const text = `line ${result.line}: ${result.message}`;
    const failing: Failing = { status: "refuse", refuseReason: result.status, text, hint: result.hint };
    return tool === "run" ? runFailure(failing) : compileFailure(failing);
  }
}

export class RunTask extends ComputeTask {
  #compiled: Compiled | null = null;

  protected override *begin(): Generator<void, Execution | ToolAnswer, void> {
    try {
      requireLevel(this.session.level, "read");
    } catch (thrown) {
      return this.refused(thrown);
    }
    const result = yield* compiling(this.call.args["source"] as string, { mode: "run", module: "", environment: this.view.forProgram() });
    if (!result.ok) return this.rejected("run", result);
    this.#compiled = result.compiled;
    return this.execution(result.compiled.unit, "");
  }
  protected override refused(thrown: unknown): ToolAnswer {
    return runFailure(failingFrom(thrown));
  }
  protected override finish(execution: Execution): Generator<void, ToolAnswer, void> {
    const { notes, spelling } = this.#compiled!;
    return runAnswer({ ending: execution.ending!, record: execution.record(), notes, spelling, ops: execution.ops });
  }
}

export class CompileTask extends ComputeTask {
  #installed: Installed | null = null;
  #spelling: Compiled["spelling"] = new Map();
  #notes: Compiled["notes"] = [];

  protected override *begin(): Generator<void, Execution | ToolAnswer, void> {
    const name = moduleName(this.call.args["name"] as string);
    try {
      requireLevel(this.session.level, "read-write");
      const source = this.call.args["source"];
      if (typeof source !== "string") return this.session.inSlices(this.stepsMax, () => this.#reload(name));
      const result = yield* compiling(source, { mode: "compile", module: name, environment: this.view });
      if (!result.ok) return this.rejected("compile", result);
      const { compiled } = result;
      const form = formText({ unit: compiled.unit, scripts: scriptParams(compiled), bound: this.#bound(compiled) });
      const isLong = form.length > FORM_SLICE_CHARS;
      if (isLong) yield;
      requireLevel(this.session.level, "read-write"); // it may have been lowered meanwhile
      const execution = this.session.inSlices(this.stepsMax, () => this.#install(name, compiled, form));
      if (isLong) yield;
      return execution;
    } catch (thrown) {
      return this.refused(thrown);
    }
  }
  protected override refused(thrown: unknown): ToolAnswer {
    return compileFailure(failingFrom(thrown));
  }

  #install(name: string, compiled: Compiled, form: string): Execution {
    const version = this.call.args["version"];
    this.session.layerPush("compile");
    this.session.installModule({
      name,
      form,
      ...(typeof version === "string" ? { version } : {}),
      language: "eng",
      kinds: compiled.kinds,
      scripts: compiled.scripts.map((s) => ({ name: s.name, signature: `${name}.${s.name}(${s.signature})` })),
      rules: compiled.rules,
      constraints: compiled.constraints,
      imports: [...compiled.links.keys()],
      uses: compiled.uses,
    });
    this.#installed = installed(name, compiled);
    this.#spelling = compiled.spelling;
    this.#notes = compiled.notes;
    // A line of it is a line of the source submitted.
    return this.execution(compiled.unit, "");
  }

  /** Runs the stored module's body again. */
  #reload(name: string): Execution {
    const form = this.view.form(name);
    if (form === undefined)
      throw new EngineError(`no module named \`${name}\` is stored: send its source, or \`list_modules\` for the names`);
    if (form === null)
      throw new EngineError(
        `module \`${name}\` was stored by a version of the service that this one cannot read: compile its source again`,
      );
    this.#installed = { module: name, lines: [], names: {} };
    this.#spelling = new Map(this.view.record(name)!.kinds.map((k) => [k.name, k.name.slice(name.length + 1)]));
    this.session.layerPush("compile");
    const version = this.call.args["version"];
    if (typeof version === "string") this.session.labelModule(name, version);
    return this.execution(form.unit, name);
  }

  /** The code of every module this one is bound to. */
  #bound(compiled: Compiled): { [form: string]: FormPart } {
    const bound: { [form: string]: FormPart } = {};
    for (const [name, form] of compiled.links) {
      const stored = this.view.form(name)!;
      bound[form] = { name, unit: stored.unit };
      Object.assign(bound, stored.bound);
    }
    return bound;
  }

  // biome-ignore lint/correctness/useYield: what a module's body tells is short.
  protected override *finish(execution: Execution): Generator<void, ToolAnswer, void> {
    const ending = execution.ending!;
    if (ending.tag === "completed") {
      try {
        this.session.layerCommit();
      } catch (thrown) {
        const f: Failing = failingFrom(thrown);
        return compileFailure(f, [], this.#notes, execution.ops);
      }
    }
    const done: Finished = {
      ending,
      record: execution.record(ending.tag === "completed"),
      notes: this.#notes,
      spelling: this.#spelling,
      ops: execution.ops,
    };
    return compileAnswer(this.#installed!, done);
  }
}

/** Contract §4.1: one identifier, as `import` accepts; not a keyword, not a served standard module. */
function moduleName(name: string): string {
  if (!isIdentifier(name))
    throw new InvalidParams(
      `\`name\` must be one identifier, as \`import\` takes it, with no dot and no hyphen: got ${JSON.stringify(name)}`,
    );
  if (KEYWORDS.has(name)) throw new InvalidParams(`\`name\` must not be a keyword of the language: got ${JSON.stringify(name)}`);
  if (LIBRARY_MEMBERS.has(name))
    throw new InvalidParams(`\`name\` must not be a standard module of the language: got ${JSON.stringify(name)}`);
  if (KEPT_MODULES.has(name))
    throw new InvalidParams(
      `\`name\` must not be a module that the service keeps itself (import it and build on it): got ${JSON.stringify(name)}`,
    );
  return nfkc(name);
}
function scriptParams(compiled: Compiled): { [name: string]: ScriptParams } {
  return Object.fromEntries(compiled.scripts.map((s) => [s.name, s.params]));
}

function installed(module: string, c: Compiled): Installed {
  const rules = c.rules.filter((r) => !r.computed).map((r) => r.name);
  const computed = c.rules.filter((r) => r.computed).map((r) => r.name);
  const names = {
    classes: c.kinds.map((k) => k.name),
    scripts: c.scripts.map((s) => `${module}.${s.name}`),
    rules,
    computed_fields: computed,
    constraints: c.constraints.map((x) => x.name),
  };
  const lines = [
    ...names.classes.map((n) => `class ${n}`),
    ...c.scripts.map((s) => `script ${module}.${s.name}(${s.signature})`),
    ...rules.map((n) => `rule ${n}`),
    ...computed.map((n) => `computed field ${n}`),
    ...names.constraints.map((n) => `constraint ${n}`),
  ];
  return {
    module,
    lines: lines.map((l) => `installed ${l}`),
    names: Object.fromEntries(Object.entries(names).filter(([, v]) => v.length > 0)),
  };
}
