/**
 * Calls that only read run beside one another, slice by slice, on one memory in which only one world, or the store itself, shows at a
 * time. What reads much goes in steps, and is good for nothing once something else has shown between two of them.
 *
 * So it then begins anew, and others wait until it is through: first those that go in and out of worlds, and should it be disturbed
 * again and again, all. So it comes to its end, and nobody's turn is longer than others'. Waiting is a courtesy: whoever does not (a
 * call that is to stop, a request of records) costs it another beginning, in the end in one go.
 */
import { type Sliced, toTheEnd } from "./rule-work";

/** Who waits for what is read for the first time, for the second, and so on. */
const WAITING = ["nobody", "those in worlds", "those in worlds", "all"] as const;
/** More than the turns that all calls of a store have between two of one. */
const WAITS_MAX = 20_000;

export class SlicedReaders {
  readonly #revision: () => number;
  /** The call whose slice this is. */
  worker: object | null = null;
  /** The call that others are to wait for, and who they are. */
  #holder: object | null = null;
  #waiting: (typeof WAITING)[number] = "nobody";
  /** How often others were told to wait since it went on. */
  #waits = 0;

  /** @param revision  Another number once anything else shows. */
  constructor(revision: () => number) {
    this.#revision = revision;
  }

  /**
   * Whether the call should leave its turn to another one. Who has others wait and never goes on is gone.
   * @param isInWorlds  It would show something else, or has done so before.
   */
  mustWait(call: object, isInWorlds: boolean): boolean {
    if (this.#holder === null || this.#holder === call) return false;
    if (this.#waiting === "nobody" || (this.#waiting === "those in worlds" && !isInWorlds)) return false;
    if (++this.#waits > WAITS_MAX) this.#holder = null;
    return this.#holder !== null;
  }

  /** A call ends, in the midst of what it reads perhaps. */
  release(call: object | null): void {
    if (this.#holder === call) this.#holder = null;
  }

  /** Work in slices that only reads. */
  *reading<T>(begin: () => Sliced<T>): Sliced<T> {
    const call = this.worker;
    try {
      for (const waiting of WAITING) {
        const revision = this.#revision();
        const work = begin();
        do {
          if (waiting !== "nobody") this.#hold(call, waiting);
          const step = work.next();
          if (step.done === true) return step.value;
          yield;
        } while (this.#revision() === revision);
      }
    } finally {
      this.release(call);
    }
    return toTheEnd(begin());
  }

  #hold(call: object | null, waiting: (typeof WAITING)[number]): void {
    // Two may have been disturbed: the first one goes first.
    if (this.#holder !== null && this.#holder !== call) return;
    this.#holder = call;
    this.#waiting = waiting;
    this.#waits = 0;
  }
}
