/**
 * What one POST came to: one line of the log, and its share of the counters.
 *
 * Filled in as the call goes its way and written once, when its answer is there, whether or not anybody is left to read
 * it. Ids, names of our own and numbers only: never a program, a value, a name from a store, or a key.
 */
import { type LogField, logLine } from "../durable/log";
import type { Counters } from "./counters";

export class CallRecord {
  readonly storeId: string;
  readonly #startedMs: number;
  keyId: string | null = null;
  /** The id under which the store billed the call; null where it never had a turn. */
  callId: string | null = null;
  /** A method or a tool that is served; anything else is a text of the caller's. */
  method: string | null = null;
  tool: string | null = null;
  /** A JSON-RPC error. */
  code: number | null = null;
  status: string | null = null;
  reason: string | null = null;
  ops = 0;
  /** In the store's queue: milliseconds, and how many waited and ran when the call ended. */
  waitedMs: number | null = null;
  waiting: number | null = null;
  running: number | null = null;
  /** The caller left before the answer. */
  left = false;

  constructor(storeId: string, startedMs: number) {
    this.storeId = storeId;
    this.#startedMs = startedMs;
  }

  end(http: number, nowMs: number, to: { readonly counters: Counters; readonly log: boolean }): void {
    const ms = Math.max(0, nowMs - this.#startedMs);
    const { counters } = to;
    counters.add("calls");
    counters.took(ms);
    if (this.code !== null) counters.add(`rpc.${this.code}`);
    if (this.status !== null) counters.add(`${this.tool ?? "none"}.${this.status}`);
    if (this.reason !== null) counters.add(`refuse.${this.reason}`);
    if (this.left) counters.add("left");
    if (this.ops > 0) counters.add("ops", this.ops);
    if (!to.log) return;
    const fields: Record<string, LogField> = {
      id: this.callId,
      store: this.storeId,
      key: this.keyId,
      method: this.method,
      tool: this.tool,
      http,
      code: this.code,
      status: this.status,
      reason: this.reason,
      ops: this.ops,
      ms,
      waited_ms: this.waitedMs,
      waiting: this.waiting,
      running: this.running,
      left: this.left ? true : null,
    };
    logLine("call", Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null)));
  }
}
