/**
 * A call from its admission to its answer: what `stop`, a departure, a revoked key or a lowered level finds of it.
 */
import type { Level } from "../engine/claim";
import { allows } from "../engine/level";
import type { ToolTask } from "../tools/answer";
import type { StoreRequest } from "./call";
import type { KnownKey } from "./key-ring";
import type { Place } from "./turn-queue";

export class CallAtWork {
  readonly callId: string;
  readonly keyId: string;
  readonly keyHash: string;
  readonly requestId: string | number | null;
  readonly cancelToken: string;
  place: Place | null = null;
  /** It has its turn: `stop` reaches it. */
  running = false;
  /** The key's level as this call meets it, from its turn on. */
  level: Level;
  stopAsked = false;
  task: ToolTask | null = null;
  readonly ended: Promise<void>;
  /** Settles when it is asked to stop. */
  readonly stopping: Promise<void>;
  #end: () => void = () => {};
  #stopping: () => void = () => {};

  constructor(request: StoreRequest, key: KnownKey, callId: string) {
    this.callId = callId;
    this.keyId = key.keyId;
    this.keyHash = request.keyHash;
    this.requestId = request.requestId;
    this.cancelToken = request.cancelToken;
    this.level = key.level;
    this.ended = new Promise((resolve) => (this.#end = resolve));
    this.stopping = new Promise((resolve) => (this.#stopping = resolve));
  }

  /** It is answered. */
  end(): void {
    this.#end();
  }

  /** Ends it at its next statement where it runs; takes it out of the queue where it waits. */
  stop(): void {
    this.stopAsked = true;
    this.#stopping();
    if (this.running) this.task?.stop();
    else this.place?.leave();
  }

  /** From its next statement on; a key at none runs nothing more at all. A level is never raised under a call. */
  lower(level: Level): void {
    if (allows(level, this.level)) return;
    this.level = level;
    if (level === "none") this.stop();
  }
}
