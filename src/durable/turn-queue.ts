/**
 * Who may work on the store now: first come, first served.
 *
 * Shared turns (calls of keys that may only read) run together, an alone turn runs with nothing beside it, and
 * nobody overtakes: a reader behind a waiting writer waits, so neither side can starve the other (contract §9.8).
 * The queue is bounded in length and in time; past either bound the caller is told "busy" (contract §6).
 *
 * Pure: the timer comes in. Knows nothing of calls, keys or `stop`; whoever bypasses the queue does not enter it.
 */
import { assert } from "../failure";

export type TurnMode = "shared" | "alone";

/** `turn`: work, then `leave`. `busy`: the queue was full or the wait too long. `left`: `leave` came first. */
export type TurnOutcome = "turn" | "busy" | "left";

export interface Place {
  readonly outcome: Promise<TurnOutcome>;
  /** Gives the turn back, or gives the place up. The second time does nothing. */
  leave(): void;
}

export interface TurnQueueOptions {
  readonly lengthMax: number;
  readonly waitMsMax: number;
  /** Calls `then` once after `ms`, unless the function it returns is called first. */
  readonly after: (ms: number, then: () => void) => () => void;
}

interface Waiter {
  readonly mode: TurnMode;
  settle(outcome: TurnOutcome): void;
}

export class TurnQueue {
  readonly #options: TurnQueueOptions;
  readonly #waiting: Waiter[] = [];
  #sharedCount = 0;
  #aloneCount = 0;

  constructor(options: TurnQueueOptions) {
    this.#options = options;
  }

  get waitingCount(): number {
    return this.#waiting.length;
  }

  get runningCount(): number {
    return this.#sharedCount + this.#aloneCount;
  }

  /** `patient`: neither bound holds, since what it is for has begun. */
  enter(mode: TurnMode, how: { readonly patient?: boolean } = {}): Place {
    let state: "waiting" | "running" | "gone" = "waiting";
    let stopTimer: () => void = () => {};
    let resolve!: (outcome: TurnOutcome) => void;
    const outcome = new Promise<TurnOutcome>((done) => (resolve = done));
    const waiter: Waiter = {
      mode,
      settle: (result) => {
        assert(state === "waiting", "a place is settled once");
        stopTimer();
        state = result === "turn" ? "running" : "gone";
        resolve(result);
      },
    };
    const giveUp = (result: TurnOutcome): void => {
      const index = this.#waiting.indexOf(waiter);
      assert(index >= 0, "a waiting place is in the queue");
      this.#waiting.splice(index, 1);
      waiter.settle(result);
      // A writer that gives up may have been all that held back the readers behind it.
      this.#admit();
    };
    const leave = (): void => {
      if (state === "waiting") giveUp("left");
      else if (state === "running") {
        state = "gone";
        if (mode === "alone") this.#aloneCount--;
        else this.#sharedCount--;
        this.#admit();
      }
    };

    this.#waiting.push(waiter);
    this.#admit();
    // `as`: #admit may have settled the place, which the compiler cannot see.
    if ((state as string) === "waiting" && how.patient !== true) {
      if (this.#waiting.length > this.#options.lengthMax) giveUp("busy");
      else stopTimer = this.#options.after(this.#options.waitMsMax, () => giveUp("busy"));
    }
    return { outcome, leave };
  }

  /** Lets in from the front whatever may work beside what works now. */
  #admit(): void {
    for (let first = this.#waiting[0]; first !== undefined; first = this.#waiting[0]) {
      if (this.#aloneCount > 0) return;
      if (first.mode === "alone" && this.#sharedCount > 0) return;
      this.#waiting.shift();
      if (first.mode === "alone") this.#aloneCount++;
      else this.#sharedCount++;
      first.settle("turn");
    }
  }
}
