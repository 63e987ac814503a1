/**
 * What a verb has at hand: the call it belongs to, the store at one instant, and what the op has cost so far.
 *
 * Each op has a session, and so an instant, of its own: an op is a call like any other, and lands on its own.
 */
import type { Session } from "../engine/session";
import type { ToolTask } from "../tools/answer";
import type { EventLog } from "./event/event-log";
import type { Meaning } from "./meaning/embedder";
import type { Registry } from "./registry";
import type { JsonObject } from "./request-json";

export class OpMeter {
  /** The call itself. */
  ops = 1;
  /** Records read, claims added or removed. */
  count(ops: number): void {
    this.ops += ops;
  }
}

/** What ops of this slice wrote, so that the tables of kg-index.ts may not show it before it is saved. */
export interface Unsaved {
  records: boolean;
  edges: boolean;
}

export interface VerbSite {
  readonly session: Session;
  readonly unsaved: Unsaved;
  readonly storeId: string;
  /** What ids that are not written down are drawn from. */
  readonly bornAs: string;
  /** Who acts, by name: what the client says of itself, else the key's id. It is attribution and grants nothing. */
  readonly actor: string;
  /** Who is recorded as having said it, and where a new record belongs. */
  readonly namespace: string;
  /** Null where the call names none: a read then sees every namespace. */
  readonly namespaceAsked: string | null;
  /** What the op itself names, whatever the client says of itself; null for nothing. */
  readonly namespaceNamed: string | null;
  readonly meter: OpMeter;
  readonly registry: Registry;
  readonly events: EventLog;
  /** The model that texts are embedded with; null: none is configured. */
  readonly embeddingModel: string | null;
  /** What the verb's question means; null where no model is configured or the verb asks by words alone. */
  readonly meaning: Meaning | null;
  /** Size of the database, which is asked for when it is wanted, and its limit, in bytes. */
  bytes(): number;
  readonly bytesMax: number;
  /**
   * Says something beside the result, in the op's entry: of a search, which of its legs answered (`status`, `partial`,
   * `missing_backends`, `backend_errors`, `arm_participation`).
   */
  advise(members: JsonObject): void;
  /** Starts a tool of the reasoning endpoint on this store, under this key. */
  startTool(tool: string, args: { readonly [name: string]: unknown }): ToolTask;
}
