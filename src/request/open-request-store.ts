/**
 * A store with the request endpoint beside the tools of the reasoning endpoint: one engine, one memory, two ways in.
 */
import type { Session } from "../engine/session";
import type { Cipher, Sql } from "../engine/sql";
import { TextSearch } from "../engine/text-search";
import type { ToolCall, ToolTask } from "../tools/answer";
import { guarded, OpenStore, type StoreIdentity, TOOLS_SERVED } from "../tools/start-tool";
import type { ClientStatement } from "./client-statement";
import { EventLog } from "./event/event-log";
import { kgIndex } from "./kg/kg-index";
import { SEARCHED_KINDS } from "./kg/record-search";
import { VectorSearch } from "./meaning/vector-search";
import { PACKS } from "./packs";
import { REQUEST_TOOL } from "./request-arguments";
import { AtomicTask } from "./run-atomic";
import { REQUEST_LIMITS, type RequestLimits, type RequestStore, RequestTask } from "./run-request";
import { DueIndex, firstDue } from "./schedule/due-index";
import { type Fired, type FireSite, FireTask } from "./schedule/fire-event";

export const ALL_TOOLS_SERVED: ReadonlySet<string> = new Set([...TOOLS_SERVED, REQUEST_TOOL]);

export interface RequestOptions {
  readonly bytesMax?: number;
  readonly limits?: RequestLimits;
  /** Name of the model that texts are embedded with; whoever drives the tasks embeds them. */
  readonly embeddingModel?: string;
}

export class OpenRequestStore {
  readonly #sql: Sql;
  readonly #store: OpenStore;
  readonly #served: RequestStore;
  readonly #limits: RequestLimits;

  constructor(sql: Sql, cipher: Cipher, identity: StoreIdentity, options: RequestOptions = {}) {
    this.#sql = sql;
    this.#store = new OpenStore(sql, cipher, identity, {
      bytesMax: options.bytesMax,
      projections: [
        kgIndex(identity.bornAs ?? identity.storeId),
        (site) => new TextSearch(site, SEARCHED_KINDS),
        (site) => new DueIndex(site),
        (site) => new VectorSearch(site, SEARCHED_KINDS, options.embeddingModel ?? null),
      ],
    });
    this.#served = new ServedStore(this.#store, new EventLog(sql, cipher, this.#store.bornAs), options.embeddingModel ?? null);
    this.#limits = options.limits ?? REQUEST_LIMITS;
  }

  /** Another number once a call has written. */
  get changes(): number {
    return this.#store.changes;
  }

  /** No call is at work, nor waits for a change. */
  rest(): void {
    this.#store.rest();
  }

  /** What is done about the event that is due first at this instant, to be driven like a call; null where none is due. */
  startDue(call: FireSite["call"], levelOf: FireSite["levelOf"]): Fired | null {
    const subject = firstDue(this.#sql, call.wallMicros);
    if (subject === null) return null;
    return new FireTask({ store: this.#served, registry: PACKS, levelOf, call }, subject);
  }

  /** Throws `InvalidParams` where the arguments are wrong in a way only the tool can see. */
  startTool(call: ToolCall): ToolTask {
    if (call.tool !== REQUEST_TOOL) return this.#store.startTool(call);
    const client = (call.args["client"] ?? {}) as ClientStatement;
    const task =
      client.atomicMaxOps === undefined
        ? new RequestTask(this.#served, PACKS, call, this.#limits)
        : new AtomicTask(this.#served, PACKS, call, client);
    return guarded(task, () => {
      this.#store.forgetMemory();
      this.#served.events.forget();
    });
  }
}

/** The store as verbs are given it. */
class ServedStore implements RequestStore {
  readonly #store: OpenStore;
  readonly events: EventLog;
  readonly storeId: string;
  readonly bornAs: string;

  readonly embeddingModel: string | null;

  constructor(store: OpenStore, events: EventLog, embeddingModel: string | null) {
    this.#store = store;
    this.events = events;
    this.embeddingModel = embeddingModel;
    this.storeId = store.storeId;
    this.bornAs = store.bornAs;
  }
  begin(call: ToolCall): Session {
    return this.#store.begin(call);
  }
  startTool(call: ToolCall): ToolTask {
    return this.#store.startTool(call);
  }
  bytes(): number {
    return this.#store.bytes();
  }
  get bytesMax(): number {
    return this.#store.bytesMax;
  }
}
