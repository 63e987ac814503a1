/**
 * A batch as one unit: every op or none (request facts §9.1, `--atomic`). What it takes are verbs that only write and that
 * say they may stand in a unit; every other is refused by name, all of them together, before anything is written.
 *
 * The ops stand in one layer of one session, in the order of the batch. Records are looked up as they were before it: a
 * record that the unit makes or takes away is not found or lost by a later op of it.
 */
import { requireLevel } from "../engine/level";
import type { Session } from "../engine/session";
import { assert } from "../failure";
import { InvalidParams, type Json, type ToolAnswer, type ToolCall, type ToolTask } from "../tools/answer";
import { checkVerbArguments, type VerbArguments } from "./check-arguments";
import { type ClientStatement, servedMeta } from "./client-statement";
import { logOp } from "./event/event-of";
import { entryOf, type OpOutcome, type OpRecord, summaryOf } from "./op-entry";
import type { Registry } from "./registry";
import { readRequest } from "./request-arguments";
import { jsonText } from "./request-json";
import type { RequestStore } from "./run-request";
import { substituted } from "./substitute";
import { isVerbTask, type Verb } from "./verb";
import { failureFrom, invalidInput, VerbFailure } from "./verb-failure";
import { OpMeter } from "./verb-site";
import { writeConflicts } from "./write-keys";

interface Prepared {
  readonly verb: Verb;
  readonly args: VerbArguments;
}

export class AtomicTask implements ToolTask {
  readonly stopped = false;
  readonly #store: RequestStore;
  readonly #registry: Registry;
  readonly #toolCall: ToolCall;
  readonly #client: ClientStatement;
  readonly #session: Session;
  readonly #meter = new OpMeter();
  #answer: ToolAnswer | null = null;

  constructor(store: RequestStore, registry: Registry, toolCall: ToolCall, client: ClientStatement) {
    this.#store = store;
    this.#registry = registry;
    this.#toolCall = toolCall;
    this.#client = client;
    this.#session = store.begin(toolCall);
  }

  get ops(): number {
    return this.#meter.ops;
  }
  get instant(): number {
    return this.#session.instant;
  }
  stop(): void {} // one slice, and then it is over
  answer(): ToolAnswer {
    assert(this.#answer !== null, "a task answers once it has ended");
    return this.#answer;
  }

  advance(): boolean {
    if (this.#answer !== null) return true;
    const { client: _client, ...given } = this.#toolCall.args;
    const read = readRequest(given, this.#client);
    if (read.tag !== "run") throw new InvalidParams(read.tag === "fault" ? read.fault.message : "a plan runs nothing");
    const { program } = read.call;
    const requestId = read.call.requestId ?? this.instant;
    const conflicts = writeConflicts(program);
    const prepared = program.calls.map((call, index) => {
      if (conflicts[index] < 0) return this.#prepare(call);
      return new VerbFailure("conflict", `conflict: this op and op ${conflicts[index]} write the same record, and a unit does so once`);
    });
    const refused = prepared.some((one) => one instanceof VerbFailure);
    const outcomes = refused ? prepared.map(notRun) : this.#run(prepared as Prepared[], requestId);
    const records = program.calls.map(
      (call, index): OpRecord => ({ tool: call.verb, verb: this.#registry.get(call.verb), place: null, outcome: outcomes[index] }),
    );
    this.#answer = this.#finish(records, requestId);
    return true;
  }

  #prepare(call: Parameters<typeof substituted>[0]): Prepared | VerbFailure {
    try {
      const verb = this.#registry.get(call.verb);
      if (verb === undefined) throw new VerbFailure(null, `unknown verb ${JSON.stringify(call.verb)}`, { reason: "unknown-verb" });
      if (verb.inUnit !== true) throw invalidInput(`${verb.name} may not stand in a unit that is kept whole or not at all`);
      requireLevel(this.#toolCall.caller.level, verb.level);
      return { verb, args: checkVerbArguments(verb, substituted(call, null)) };
    } catch (thrown) {
      const failure = failureFrom(thrown);
      if (failure === null) throw thrown;
      return failure;
    }
  }

  #run(prepared: readonly Prepared[], requestId: number | bigint): OpOutcome[] {
    const session = this.#session;
    const outcomes: OpOutcome[] = [];
    session.layerPush("compile");
    try {
      for (const { verb, args } of prepared) {
        const result = verb.run(
          {
            session,
            storeId: this.#store.storeId,
            bornAs: this.#store.bornAs,
            actor: this.#actor,
            namespace: this.#namespaceOf(args),
            namespaceAsked: args.namespace ?? this.#client.namespace ?? null,
            namespaceNamed: args.namespace,
            meter: this.#meter,
            registry: this.#registry,
            events: this.#store.events,
            embeddingModel: this.#store.embeddingModel,
            meaning: null,
            advise: () => {},
            unsaved: { records: false, edges: false },
            bytes: () => this.#store.bytes(),
            bytesMax: this.#store.bytesMax,
            startTool: () => {
              throw new Error("a verb in a unit starts no tool");
            },
          },
          args.own,
        );
        assert(!isVerbTask(result), "a verb in a unit is done at once");
        outcomes.push({ tag: "succeeded", result, beside: {} });
      }
      session.layerCommit();
    } catch (thrown) {
      const failure = failureFrom(thrown);
      session.abandonLayers();
      if (failure === null) throw thrown;
      const failed = Math.min(outcomes.length, prepared.length - 1);
      session.flush();
      return prepared.map((one, index) => (index === failed ? { tag: "failed", failure } : notRun(one)));
    }
    session.flush();
    prepared.forEach(({ verb, args }, index) => {
      const done = { verb, session, namespace: this.#namespaceOf(args), actor: this.#actor, args: args.own, requestId };
      logOp(this.#store.events, done, outcomes[index]);
    });
    this.#store.events.flush(this.#store.bytes() >= this.#store.bytesMax);
    return outcomes;
  }

  get #actor(): string {
    return this.#client.actor ?? this.#session.keyId;
  }

  #namespaceOf(args: VerbArguments): string {
    return args.namespace ?? this.#client.namespace ?? "local";
  }

  #finish(records: readonly OpRecord[], requestId: number | bigint): ToolAnswer {
    const summary = summaryOf(records);
    const committed = summary.succeeded === summary.total;
    const results = records.map((record, index) => ({
      ...entryOf(record, record.outcome.tag === "succeeded" ? record.outcome.result : null),
      op_index: index,
    }));
    const atomic = { committed, status: committed ? "committed" : "rolled_back", degradations: [], retryable: false };
    const meta: { [name: string]: Json } = { ...servedMeta(this.#store.storeId), request_id: requestId };
    return {
      status: committed ? "success" : "refuse",
      text: jsonText({ results, summary: { ...summary }, status: committed ? "success" : "partial", atomic }),
      meta,
      mirror: null,
      ops: this.#meter.ops,
    };
  }
}

/** What becomes of an op whose unit is not kept: its own refusal, or none of its doing. */
function notRun(one: Prepared | VerbFailure): OpOutcome {
  return one instanceof VerbFailure ? { tag: "failed", failure: one } : { tag: "aborted", why: "not kept: another op of the unit" };
}
