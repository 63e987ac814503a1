/**
 * A request at work: its ops one after the other, each landing on its own, and the answer at the end (request facts §5).
 *
 * The ops of a batch have no order that a caller may rely on; ours is the order of the text, unit by unit, because one
 * store does one thing at a time and the same request should always do the same (docs/decisions/eight-at-once.md). So at most one op is at
 * work, and none ever sees another half done.
 */
import { allows, requireLevel } from "../engine/level";
import type { Session } from "../engine/session";
import { assert } from "../failure";
import { OPS_LIMITS, type OpsCall } from "../lang/ops/ops";
import { utf8Bytes } from "../lang/ops/ops-fault";
import { REQUEST_BATCH_BYTES_MAX, REQUEST_FRAME_BYTES_MAX, REQUEST_WAIT_MS_MAX } from "../limits";
import { type Allowance, type Embedded, InvalidParams, type Json, type ToolAnswer, type ToolCall, type ToolTask } from "../tools/answer";
import { envelope } from "./answer-envelope";
import { checkVerbArguments, type VerbArguments } from "./check-arguments";
import { type ClientStatement, servedMeta } from "./client-statement";
import type { EventLog } from "./event/event-log";
import { logOp, type OpDone } from "./event/event-of";
import { exported } from "./export-rows";
import { VectorsOfRequest } from "./meaning/vectors-of-request";
import type { OpOutcome, OpPlace, OpRecord } from "./op-entry";
import type { Registry } from "./registry";
import { type RequestCall, readRequest } from "./request-arguments";
import { depthOf, type JsonObject, jsonText, type RequestJson } from "./request-json";
import { substituted } from "./substitute";
import { isVerbTask, type Verb, type VerbTask } from "./verb";
import { failureFrom, VerbFailure } from "./verb-failure";
import { verbHelp } from "./verb-help";
import { OpMeter, type Unsaved, type VerbSite } from "./verb-site";
import { writeConflicts } from "./write-keys";

/** What a request needs of its store. */
export interface RequestStore {
  readonly storeId: string;
  readonly bornAs: string;
  /** A session at a later instant than any before it. */
  begin(call: ToolCall): Session;
  startTool(call: ToolCall): ToolTask;
  readonly events: EventLog;
  /** Null: no model is configured. */
  readonly embeddingModel: string | null;
  bytes(): number;
  readonly bytesMax: number;
}

/** What an op that is done at once counts for in a slice. */
const OP_STEPS = 64;

/** An op that has begun. */
interface OpAtWork {
  readonly verb: Verb;
  readonly session: Session;
  readonly layered: boolean;
  readonly meter: OpMeter;
  readonly task: VerbTask;
  /** What the verb said beside its result. */
  readonly beside: JsonObject;
}

export interface RequestLimits {
  readonly frameBytesMax: number;
  readonly batchBytesMax: number;
}
export const REQUEST_LIMITS: RequestLimits = { frameBytesMax: REQUEST_FRAME_BYTES_MAX, batchBytesMax: REQUEST_BATCH_BYTES_MAX };

export class RequestTask implements ToolTask {
  readonly #store: RequestStore;
  readonly #registry: Registry;
  readonly #limits: RequestLimits;
  #toolCall: ToolCall;
  readonly #client: ClientStatement;
  readonly #call: RequestCall;
  /** By op: another it would write the same as, or -1. */
  readonly #conflicts: readonly number[];
  readonly #records: OpRecord[] = [];
  readonly #indexed: boolean;
  /** That of its first op. */
  readonly instant: number;
  /** What the first op works in, and what whole slices are saved by; begun anew after others had their turn. */
  #session: Session;
  readonly #unsaved: Unsaved = { records: false, edges: false };
  #unit = 0;
  #prev: { readonly value: RequestJson } | null = null;
  /** The op of this unit that did not succeed. */
  #brokenBy: string | null = null;
  #bytes = 0;
  #ops = 0;
  #atWork: OpAtWork | null = null;
  /** The op that has begun and not ended, for the log. */
  #begun: OpDone | null = null;
  #vectors: VectorsOfRequest;
  /** How long the op at hand, and all before it, have waited for others to write. */
  #opWaitedMs = 0;
  #waitedMs = 0;
  #awaitsChangeMs: number | null = null;
  #stopAsked = false;
  #stopped = false;
  #answer: ToolAnswer | null = null;

  /** Throws `InvalidParams`. */
  constructor(store: RequestStore, registry: Registry, toolCall: ToolCall, limits: RequestLimits = REQUEST_LIMITS) {
    const { client, ...given } = toolCall.args;
    const read = readRequest(given);
    if (read.tag !== "run") throw new InvalidParams(read.tag === "fault" ? read.fault.message : "a plan runs nothing");
    this.#store = store;
    this.#registry = registry;
    this.#limits = limits;
    this.#toolCall = toolCall;
    this.#client = (client ?? {}) as ClientStatement;
    this.#call = read.call;
    const { program } = read.call;
    this.#conflicts = writeConflicts(program);
    this.#indexed = program.mode === "parallel" && program.units.some(({ start, end }) => end - start > 1);
    this.#session = store.begin(toolCall);
    this.instant = this.#session.instant;
    this.#vectors = new VectorsOfRequest(store.embeddingModel, this.#session);
  }

  get ops(): number {
    return this.#ops + (this.#atWork === null ? 0 : this.#atWork.meter.ops + this.#atWork.task.ops);
  }
  get stopped(): boolean {
    return this.#stopped;
  }
  stop(): void {
    this.#stopAsked = true;
    this.#atWork?.task.stop();
  }
  answer(): ToolAnswer {
    assert(this.#answer !== null, "a task answers once it has ended");
    return this.#answer;
  }

  get waitsFor(): readonly string[] | null {
    return this.#vectors.waitsFor;
  }
  provide(embedded: Embedded): void {
    this.#vectors.provide(embedded);
  }

  get awaitsChangeMs(): number | null {
    return this.#awaitsChangeMs;
  }
  changeAwaited(waitedMs: number, allowance?: Allowance): void {
    const { wallMicros } = this.#toolCall;
    this.#awaitsChangeMs = null;
    this.#opWaitedMs += waitedMs;
    this.#waitedMs += waitedMs;
    if (this.#stopAsked) return;
    // Others have worked on the store meanwhile, and may have had it opened anew.
    this.#toolCall = { ...this.#toolCall, ...allowance, wallMicros: wallMicros + Math.round(waitedMs * 1000) };
    this.#session = this.#store.begin(this.#toolCall);
    this.#vectors = new VectorsOfRequest(this.#store.embeddingModel, this.#session);
  }

  advance(stepsMax: number): boolean {
    if (this.#answer !== null) return true;
    if (this.#awaitsChangeMs !== null) this.changeAwaited(this.#awaitsChangeMs);
    const { calls } = this.#call.program;
    this.#ops += this.#vectors.keep();
    // Ops that are done at once share a slice, and so a save; each has landed by itself all the same.
    for (let left = stepsMax; left > 0 && this.#records.length < calls.length; left -= OP_STEPS) {
      if (this.#atWork !== null) this.#goOn(stepsMax);
      else this.#begin(calls[this.#records.length], stepsMax);
      if (this.#atWork !== null || this.#vectors.waitsFor !== null || this.#awaitsChangeMs !== null) break;
    }
    this.#session.flush();
    this.#store.events.flush(this.#store.bytes() >= this.#store.bytesMax);
    this.#unsaved.records = false;
    this.#unsaved.edges = false;
    if (this.#atWork !== null || this.#records.length < calls.length || this.#leftOver()) return false;
    this.#answer = this.#finish();
    return true;
  }

  /** The service numbers a request that has no label. */
  get #requestId(): number | bigint {
    return this.#call.requestId ?? this.instant;
  }

  #leftOver(): boolean {
    return !this.#stopAsked && this.#vectors.leftOver();
  }

  // ---- one op

  #begin(call: OpsCall, stepsMax: number): void {
    const verb = this.#registry.get(call.verb);
    try {
      this.#refuseUnrun();
      const args = substituted(call, this.#prev);
      if (verb === undefined) throw unknownVerb(call.verb, this.#registry);
      if (args["help"] === true) {
        this.#end(verb, { tag: "succeeded", result: verbHelp(verb), beside: {} });
        return;
      }
      const checked = checkVerbArguments(verb, args);
      if (this.#vectors.asks(verb.meaning?.(checked.own) ?? null)) return;
      this.#atWork = this.#dispatch(verb, checked);
    } catch (thrown) {
      this.#end(verb, outcomeOf(thrown));
      return;
    }
    this.#goOn(stepsMax);
  }

  /** What keeps an op from being looked at. Throws. */
  #refuseUnrun(): void {
    if (this.#brokenBy !== null) throw new Aborted(`not run: ${this.#brokenBy} before it in this chain`);
    const index = this.#records.length;
    const rival = this.#conflicts[index];
    const { program } = this.#call;
    const unit = program.units[this.#unit];
    // A unit is refused whole where one of its ops is at odds with another unit.
    const refused = rival >= 0 ? rival : this.#conflicts.slice(unit.start, unit.end).find((other) => other >= 0);
    if (refused !== undefined && refused >= 0) throw writeConflict(refused, program.calls[refused].verb);
    if (this.#stopAsked) {
      this.#stopped = true;
      throw new VerbFailure("cancelled", "the request was stopped before this op");
    }
    if (this.#ops >= this.#toolCall.opsMax) throw spent(this.#toolCall);
    if (program.mode !== "parallel" || this.#call.saveTo !== null || this.#bytes <= this.#limits.batchBytesMax) return;
    throw new VerbFailure(
      "response_budget_exceeded",
      `the results so far have more than ${this.#limits.batchBytesMax} bytes, so this op was not begun: send it in another request`,
      { members: { max_batch_bytes: this.#limits.batchBytesMax } },
    );
  }

  #dispatch(verb: Verb, args: VerbArguments): OpAtWork {
    const meter = new OpMeter();
    const session = this.#records.length === 0 ? this.#session : this.#store.begin(this.#toolCall);
    const actor = this.#client.actor ?? session.keyId;
    const namespace = args.namespace ?? this.#client.namespace ?? "local";
    this.#begun = { verb, session, namespace, actor, args: args.own, requestId: this.#requestId };
    requireLevel(this.#toolCall.caller.level, verb.level);
    const layered = verb.ownSession !== true && verb.class !== "Assertive" && allows(session.level, "read-add");
    const beside: { [name: string]: RequestJson } = {};
    const site: VerbSite = {
      session,
      unsaved: this.#unsaved,
      storeId: this.#store.storeId,
      bornAs: this.#store.bornAs,
      actor,
      namespace,
      namespaceAsked: args.namespace ?? this.#client.namespace ?? null,
      namespaceNamed: args.namespace,
      meter,
      registry: this.#registry,
      events: this.#store.events,
      embeddingModel: this.#store.embeddingModel,
      meaning: this.#vectors.meaning,
      advise: (members) => void Object.assign(beside, members),
      bytes: () => this.#store.bytes(),
      bytesMax: this.#store.bytesMax,
      startTool: (tool, toolArgs) =>
        this.#store.startTool({ ...this.#toolCall, tool, args: toolArgs, opsMax: Math.max(1, this.#toolCall.opsMax - this.#ops) }),
    };
    // As a module lands: whole, and free to remove what is older than itself.
    if (layered) session.layerPush("compile");
    try {
      const given = verb.run(site, args.own);
      return { verb, session, layered, meter, task: isVerbTask(given) ? given : new DoneTask(given), beside };
    } catch (thrown) {
      this.#drop(session, meter);
      throw thrown;
    }
  }

  #goOn(stepsMax: number): void {
    const work = this.#atWork!;
    let result: RequestJson;
    try {
      if (this.#stopAsked) work.task.stop();
      if (!work.task.advance(stepsMax)) return;
      this.#stopped ||= work.task.stopped;
      result = work.task.result();
      this.#land(work);
    } catch (thrown) {
      this.#atWork = null;
      this.#ops += work.task.ops;
      this.#drop(work.session, work.meter);
      this.#end(work.verb, outcomeOf(thrown));
      return;
    }
    this.#atWork = null;
    if (this.#waits(work.verb, result)) return;
    this.#end(work.verb, this.#outcome(result, work.beside));
  }

  /** The op has found nothing yet, and is to look again once another call has written. What the look cost is counted. */
  #waits(verb: Verb, result: RequestJson): boolean {
    if (verb.waits === undefined || this.#stopAsked) return false;
    const leftMs = Math.min(verb.waits(result, this.#begun!.args) - this.#opWaitedMs, REQUEST_WAIT_MS_MAX - this.#waitedMs);
    if (leftMs <= 0) return false;
    this.#begun = null;
    this.#awaitsChangeMs = leftMs;
    return true;
  }

  #land({ session, layered, meter, task }: OpAtWork): void {
    if (layered) session.layerCommit();
    this.#ops += meter.ops + task.ops;
  }

  #drop(session: Session, meter: OpMeter): void {
    session.abandonLayers();
    this.#ops += meter.ops;
  }

  #outcome(result: RequestJson, beside: JsonObject): OpOutcome {
    if (depthOf(result, OPS_LIMITS.max_depth + 1) > OPS_LIMITS.max_depth) {
      const failure = new VerbFailure(
        "result_too_deep",
        `the op was carried out, and its result nests deeper than ${OPS_LIMITS.max_depth}`,
        {
          disposition: "committed",
          members: { code: "result_too_deep" },
        },
      );
      return { tag: "failed", failure };
    }
    return { tag: "succeeded", result, beside };
  }

  #end(verb: Verb | undefined, outcome: OpOutcome): void {
    if (this.#begun !== null) logOp(this.#store.events, this.#begun, outcome);
    this.#begun = null;
    this.#opWaitedMs = 0;
    this.#vectors.forgetQuestion();
    const { program } = this.#call;
    const index = this.#records.length;
    const unit = program.units[this.#unit];
    const place: OpPlace | null = this.#indexed ? { op_index: index, unit_index: this.#unit, step_index: index - unit.start } : null;
    const { verb: tool } = program.calls[index];
    this.#records.push({ tool, verb, place, outcome });
    if (outcome.tag === "succeeded") {
      this.#prev = { value: outcome.result };
      if (program.mode === "parallel" && this.#call.saveTo === null) this.#bytes += utf8Bytes(jsonText(outcome.result));
    } else this.#brokenBy ??= tool;
    if (index + 1 < unit.end) return;
    this.#unit++;
    this.#prev = null;
    this.#brokenBy = null;
  }

  // ---- the answer

  #finish(): ToolAnswer {
    const { presentations, formats, saveTo } = this.#call;
    const wording = { presentations, formats, nowMicros: this.instant };
    const meta: { [key: string]: Json } = { ...servedMeta(this.#store.storeId), request_id: this.#requestId };
    if (saveTo !== null) return exported(this.#records, wording, { path: saveTo, meta, ops: this.#ops });
    const { text, isError } = envelope(this.#records, wording, this.#limits.frameBytesMax);
    return { status: isError ? "refuse" : "success", text, meta, mirror: null, ops: this.#ops };
  }
}

class DoneTask implements VerbTask {
  readonly ops = 0;
  readonly stopped = false;
  constructor(private readonly value: RequestJson) {}
  advance(): boolean {
    return true;
  }
  stop(): void {}
  result(): RequestJson {
    return this.value;
  }
}

/** Not a failure of its own. */
class Aborted extends Error {
  constructor(readonly why: string) {
    super(why);
  }
}

function outcomeOf(thrown: unknown): OpOutcome {
  if (thrown instanceof Aborted) return { tag: "aborted", why: thrown.why };
  const failure = failureFrom(thrown);
  if (failure === null) throw thrown;
  return { tag: "failed", failure };
}

function unknownVerb(name: string, registry: Registry): VerbFailure {
  const names = registry.all().map((verb) => verb.name);
  return new VerbFailure(null, `unknown verb ${JSON.stringify(name)}: registered are ${names.join(", ")}`, { reason: "unknown-verb" });
}

function writeConflict(rival: number, verb: string): VerbFailure {
  return new VerbFailure(
    "conflict",
    `conflict: this op and op ${rival} (${verb}) write the same record, and the ops of a batch have no order: join them with | or send two requests`,
    { members: { details: { reason: "write_key_conflict", op_index: rival } } },
  );
}

function spent({ opsMax, opsMaxIsCredit }: ToolCall): VerbFailure {
  return new VerbFailure(
    "limit_exceeded",
    opsMaxIsCredit
      ? `the account's balance is spent: the request reached the ${opsMax} operations it still covered. Top up and send the rest again`
      : `the request reached its ceiling of ${opsMax} operations: send the rest in another request`,
  );
}
