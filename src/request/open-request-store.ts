/**
 * A store with the request endpoint beside the tools of the reasoning endpoint: one engine, one memory, two ways in.
 */
import type { Cipher, Sql } from "../engine/sql";
import { TextSearch } from "../engine/text-search";
import type { ToolCall, ToolTask } from "../tools/answer";
import { guarded, OpenStore, type StoreIdentity, TOOLS_SERVED } from "../tools/start-tool";
import type { ClientStatement } from "./client-statement";
import { kgIndex } from "./kg/kg-index";
import { SEARCHED_KINDS } from "./kg/record-search";
import { PACKS } from "./packs";
import { REQUEST_TOOL } from "./request-arguments";
import { AtomicTask } from "./run-atomic";
import { REQUEST_LIMITS, type RequestLimits, RequestTask } from "./run-request";
import { DueIndex, firstDue } from "./schedule/due-index";
import { type Fired, type FireSite, FireTask } from "./schedule/fire-event";

export const ALL_TOOLS_SERVED: ReadonlySet<string> = new Set([...TOOLS_SERVED, REQUEST_TOOL]);

export interface RequestOptions {
  readonly bytesMax?: number;
  readonly limits?: RequestLimits;
}

export class OpenRequestStore {
  readonly #sql: Sql;
  readonly #store: OpenStore;
  readonly #limits: RequestLimits;

  constructor(sql: Sql, cipher: Cipher, identity: StoreIdentity, options: RequestOptions = {}) {
    this.#sql = sql;
    this.#store = new OpenStore(sql, cipher, identity, {
      bytesMax: options.bytesMax,
      projections: [
        kgIndex(identity.bornAs ?? identity.storeId),
        (site) => new TextSearch(site, SEARCHED_KINDS),
        (site) => new DueIndex(site),
      ],
    });
    this.#limits = options.limits ?? REQUEST_LIMITS;
  }

  /** What is done about the event that is due first at this instant, to be driven like a call; null where none is due. */
  startDue(call: FireSite["call"], levelOf: FireSite["levelOf"]): Fired | null {
    const subject = firstDue(this.#sql, call.wallMicros);
    if (subject === null) return null;
    return new FireTask({ store: this.#store, registry: PACKS, levelOf, call }, subject);
  }

  /** Throws `InvalidParams` where the arguments are wrong in a way only the tool can see. */
  startTool(call: ToolCall): ToolTask {
    if (call.tool !== REQUEST_TOOL) return this.#store.startTool(call);
    const client = (call.args["client"] ?? {}) as ClientStatement;
    const task =
      client.atomicMaxOps === undefined
        ? new RequestTask(this.#store, PACKS, call, this.#limits)
        : new AtomicTask(this.#store, PACKS, call, client);
    return guarded(task, () => this.#store.forgetMemory());
  }
}
