/**
 * Drives a task slice by slice, giving every other request of the object a real turn between two slices.
 *
 * Only a timer lets other requests in (a resolved promise does not), and only then can a `stop`, a departure or another
 * reader's slice arrive; so `stop` is simply called on the task in between, and readers interleave by themselves.
 *
 * A slice is counted in steps, because a deployed Worker's clock stands still while it computes; what a program answers
 * never depends on where it is cut. But a step may cost a nanosecond or, where it writes, a millisecond. So slices begin
 * small and find their size: larger while they are quick, smaller when one was slow.
 */
import { SLICE_MS, SLICE_STEPS, SLICE_STEPS_FIRST, SLICE_STEPS_MIN } from "../limits";
import type { Allowance, Embedded, ToolTask } from "../tools/answer";

export interface RunLoopRim {
  /** One slice as one unit: all of what `body` writes or, should it throw, none of it. */
  atomically<T>(body: () => T): T;
  /** After each slice, inside its unit: `done` with the last. */
  sliceEnded(task: ToolTask, done: boolean): void;
  /** After so many slices of this task. */
  giveTurn(slices: number): Promise<void>;
  /** Never rejects. Absent: no task of this driver waits for vectors. */
  embed?(texts: readonly string[]): Promise<Embedded>;
  /**
   * Gives the store to others until one of them has written, or so long, and gives what the task may use from there on; never
   * rejects. Absent: nothing is waited for.
   */
  awaitChange?(msMax: number): Promise<Allowance>;
  /** What a slice may take now. Absent: `SLICE_MS`. */
  sliceMs?(): number;
  nowMs(): number;
}

export async function drive(task: ToolTask, rim: RunLoopRim): Promise<void> {
  const pace = new Pace();
  let beganMs = rim.nowMs();
  for (let slices = 1; ; slices++) {
    const done = rim.atomically(() => {
      const ended = task.advance(pace.steps);
      rim.sliceEnded(task, ended);
      return ended;
    });
    if (done) return;
    const endedMs = rim.nowMs();
    await rim.giveTurn(slices);
    await provideVectors(task, rim);
    await provideChange(task, rim);
    const againMs = rim.nowMs();
    pace.sliceTook({ computingMs: endedMs - beganMs, turnMs: againMs - beganMs }, rim.sliceMs?.());
    beganMs = againMs;
  }
}

/** What comes from outside arrives between two slices, and other requests have their turns meanwhile. */
async function provideVectors(task: ToolTask, rim: RunLoopRim): Promise<void> {
  const texts = task.waitsFor ?? null;
  if (texts === null) return;
  task.provide?.(await (rim.embed?.(texts) ?? { tag: "failed", kind: "unavailable", message: "nothing here embeds texts" }));
}

async function provideChange(task: ToolTask, rim: RunLoopRim): Promise<void> {
  const msMax = task.awaitsChangeMs ?? null;
  if (msMax === null || rim.awaitChange === undefined) return;
  const beganMs = rim.nowMs();
  const allowance = await rim.awaitChange(msMax);
  task.changeAwaited?.(rim.nowMs() - beganMs, allowance);
}

/** How many steps the next slice is. */
export class Pace {
  #steps = SLICE_STEPS_FIRST;

  get steps(): number {
    return this.#steps;
  }

  /**
   * @param took.computingMs  From begin to end of the slice; 0 where the clock stands still meanwhile.
   * @param took.turnMs       From begin of the slice to begin of the next: others' work is in it.
   * @param msMax             What a slice may take.
   */
  sliceTook(took: { readonly computingMs: number; readonly turnMs: number }, msMax = SLICE_MS): void {
    if (took.computingMs > msMax) this.#resize(this.#steps * (msMax / took.computingMs));
    else if (took.computingMs <= 0 && took.turnMs > 4 * SLICE_MS) this.#resize(this.#steps / 2);
    else if (took.computingMs <= msMax / 2) this.#resize(this.#steps * 2);
  }

  #resize(steps: number): void {
    this.#steps = Math.max(SLICE_STEPS_MIN, Math.min(SLICE_STEPS, Math.floor(steps)));
  }
}

/** `setTimeout(0)`: about 3 µs, and all waiting requests are delivered first. */
export function giveTurn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}
