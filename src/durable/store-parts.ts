/** What a store object is built of: the engine that runs its calls, and how long it waits for what. */
import type { Level } from "../engine/claim";
import type { Cipher, Sql } from "../engine/sql";
import { QUEUE_WAIT_MS_MAX, SETTLE_AFTER_MS, STOP_WAIT_MS, VAULT_IDLE_MS } from "../limits";
import { ALL_TOOLS_SERVED, OpenRequestStore, type RequestOptions } from "../request/open-request-store";
import { earliestDue } from "../request/schedule/due-index";
import type { ToolCall, ToolTask } from "../tools/answer";
import type { StoreIdentity } from "../tools/start-tool";

/** What runs a call: the engine and the tools over it. Tests of this layer bring a small one of their own. */
export interface StoreEngine {
  readonly toolsServed: ReadonlySet<string>;
  /** Opens the engine over what lies in SQL. */
  open(sql: Sql, cipher: Cipher, store: StoreIdentity, options: RequestOptions): EngineSession;
  /** When the next scheduled event is due, microseconds; null where none is. Asks for no data key. */
  earliestDue?(sql: Sql): number | null;
}

export interface EngineSession {
  /** Throws `InvalidParams` where the arguments are wrong in a way only the tool can see. */
  startTool(call: ToolCall): ToolTask;
  /** Another number once a call has written. Absent: no task of this engine waits for that. */
  readonly changes?: number;
  /** No call is at work, nor waits for a change. */
  rest?(): void;
  /** What is done about the event that is due first; null where none is. Driven like a call, billed to the key that asked for it. */
  startDue?(call: DueCall, levelOf: (keyId: string) => Level | null): (ToolTask & { readonly keyId: string }) | null;
}

export type DueCall = Omit<ToolCall, "tool" | "args" | "caller">;

/** What a store object is built of. */
export interface StoreParts {
  readonly engine: StoreEngine;
  readonly queueWaitMsMax: number;
  readonly stopWaitMs: number;
  readonly vaultIdleMs: number;
  readonly settleAfterMs: number;
}

/** What the product's store is built of. */
export const PARTS: StoreParts = {
  engine: {
    toolsServed: ALL_TOOLS_SERVED,
    open: (sql, cipher, store, options) => new OpenRequestStore(sql, cipher, store, options),
    earliestDue,
  },
  queueWaitMsMax: QUEUE_WAIT_MS_MAX,
  stopWaitMs: STOP_WAIT_MS,
  vaultIdleMs: VAULT_IDLE_MS,
  settleAfterMs: SETTLE_AFTER_MS,
};
