/**
 * Calls that wait for another call to write: each is told when one has ended, and looks for itself whether anything is other
 * than it was. Holds no turn and no timer of its own; whoever waits has given its turn back.
 */
export class ChangeWatch {
  readonly #after: (ms: number, then: () => void) => () => void;
  readonly #waiting = new Set<() => void>();

  /** `after`: calls `then` once after `ms`, unless the function it returns is called first. */
  constructor(after: (ms: number, then: () => void) => () => void) {
    this.#after = after;
  }

  /** A call has ended that may have written. */
  tell(): void {
    for (const look of [...this.#waiting]) look();
  }

  /** Until `isOther` holds when a call has ended, `ms` are over, or `givenUp` settles; never rejects. */
  async wait(ms: number, isOther: () => boolean, givenUp: Promise<void>): Promise<void> {
    let stopTimer = (): void => {};
    let look = (): void => {};
    const changed = new Promise<void>((resolve) => {
      look = () => {
        if (isOther()) resolve();
      };
      this.#waiting.add(look);
      stopTimer = this.#after(ms, resolve);
    });
    await Promise.race([changed, givenUp]);
    stopTimer();
    this.#waiting.delete(look);
  }
}
