/**
 * The face of the tools: one open store, and each call on it as a task. Everything below the platform's rim starts here.
 */
import { allows } from "../engine/level";
import { Reasoner } from "../engine/reasoner";
import type { Sliced } from "../engine/rule-work";
import type { Session } from "../engine/session";
import type { Cipher, Sql } from "../engine/sql";
import { Store, type StoreOptions } from "../engine/store";
import { assert, Refusal } from "../failure";
import { RULE_CALCULUS } from "../lang/declare/rule-calculus";
import { WORLD_CLAIM_STEPS } from "../limits";
import { InvalidParams, type ToolAnswer, type ToolCall, type ToolTask } from "./answer";
import { STOPPED_TEXT } from "./compute-answer";
import { CompileTask, RunTask } from "./compute-task";
import { MANAGEMENT_TOOLS, manage, refusedTool } from "./management";
import { ModuleShelf } from "./module-shelf";

/** Tools served over a store. `stop` is the store object's; `spec` and `report` need no store. */
export const TOOLS_SERVED: ReadonlySet<string> = new Set(["compile", "run", ...MANAGEMENT_TOOLS.keys()]);

export interface StoreIdentity {
  readonly storeId: string;
  readonly createdAtMicros: number;
  /** Of a copy of a store, the store it is a copy of: what was named there keeps its name. */
  readonly bornAs?: string;
}

export class OpenStore {
  readonly #store: Store;
  readonly #shelf = new ModuleShelf();
  readonly #identity: StoreIdentity;

  constructor(sql: Sql, cipher: Cipher, identity: StoreIdentity, options: Omit<StoreOptions, "reasoner"> = {}) {
    this.#identity = identity;
    this.#store = Store.open(sql, cipher, { ...options, reasoner: (symbols, facts) => new Reasoner(symbols, facts, RULE_CALCULUS) });
  }

  get storeId(): string {
    return this.#identity.storeId;
  }

  get bornAs(): string {
    return this.#identity.bornAs ?? this.#identity.storeId;
  }
  get changes(): number {
    return this.#store.changes;
  }
  bytes(): number {
    return this.#store.bytes();
  }
  get bytesMax(): number {
    return this.#store.bytesMax;
  }

  /** The store at an instant of its own. */
  begin(call: ToolCall): Session {
    const { caller } = call;
    return this.#store.beginCall({
      keyId: caller.keyId,
      get level() {
        return caller.level;
      },
      wallMicros: call.wallMicros,
      writes: allows(caller.level, "read-add"),
    });
  }

  /** Throws away what is in memory: a slice that failed may have left it ahead of the disk. */
  forgetMemory(): void {
    this.#store.forgetMemory();
  }

  /** No call is at work, nor waits for a change. */
  rest(): void {
    this.#store.rest();
  }

  /** Throws `InvalidParams` at once or at the first `advance`. */
  startTool(call: ToolCall): ToolTask {
    assert(TOOLS_SERVED.has(call.tool), `a tool of the store: ${call.tool}`);
    const session = this.begin(call);
    const site = { session, shelf: this.#shelf };
    const task =
      call.tool === "run"
        ? new RunTask(site, call)
        : call.tool === "compile"
          ? new CompileTask(site, call)
          : new ManagementTask(
              call.tool,
              session,
              manage(call.tool, { session, ...this.#identity, bytes: this.#store.bytes(), bytesMax: this.#store.bytesMax }, call.args),
            );
    return guarded(task, () => this.#store.forgetMemory());
  }
}

/**
 * One statement: its own work step by step, then that of the rules on what it wrote. One that only reads ends where it is
 * when it is stopped; one that writes finishes (contract §9.8).
 */
class ManagementTask implements ToolTask {
  stopped = false;
  #answer: ToolAnswer | null = null;
  #isDone = false;
  #stopAsked = false;
  constructor(
    readonly tool: string,
    readonly session: Session,
    readonly work: Sliced<ToolAnswer>,
  ) {}
  get instant(): number {
    return this.session.instant;
  }
  get ops(): number {
    return this.#answer?.ops ?? 0;
  }
  stop(): void {
    this.#stopAsked = true;
  }
  advance(stepsMax: number): boolean {
    if (this.#isDone) return true;
    if (!this.#stopAsked && this.session.mustWait()) return false;
    // Other readers may have shown a world meanwhile.
    const steps = stepsMax + this.session.resume() * WORLD_CLAIM_STEPS;
    if (this.#answer === null && this.#stopAsked && MANAGEMENT_TOOLS.get(this.tool)!.level === "read") {
      this.stopped = true;
      this.session.abandonLayers();
      this.#answer = refusedTool(this.tool, new Refusal("limit_exceeded", STOPPED_TEXT));
    }
    this.#answer ??= this.session.inSlices(steps, () => this.#step(steps));
    if (this.#answer === null) return false;
    try {
      if (!this.session.conclude(stepsMax)) return false;
    } catch (thrown) {
      this.#answer = refusedTool(this.tool, thrown);
    }
    this.session.flush();
    this.#isDone = true;
    return true;
  }
  #step(stepsMax: number): ToolAnswer | null {
    for (let i = 0; i < stepsMax; i++) {
      const { done, value } = this.work.next();
      if (done === true) return value;
    }
    return null;
  }
  answer(): ToolAnswer {
    assert(this.#answer !== null, "a task answers once it has ended");
    return this.#answer;
  }
}

/** What is thrown out of a slice undoes the slice on disk; the memory it leaves is not to be trusted either. */
export function guarded(task: ToolTask, forget: () => void): ToolTask {
  return {
    advance(stepsMax) {
      try {
        return task.advance(stepsMax);
      } catch (thrown) {
        // Wrong arguments are told before anything is touched.
        if (!(thrown instanceof InvalidParams)) forget();
        throw thrown;
      }
    },
    stop: () => task.stop(),
    get stopped() {
      return task.stopped;
    },
    get ops() {
      return task.ops;
    },
    instant: task.instant,
    answer: () => task.answer(),
    get waitsFor() {
      return task.waitsFor;
    },
    provide: (embedded) => task.provide?.(embedded),
    get awaitsChangeMs() {
      return task.awaitsChangeMs;
    },
    changeAwaited: (waitedMs, allowance) => task.changeAwaited?.(waitedMs, allowance),
  };
}
