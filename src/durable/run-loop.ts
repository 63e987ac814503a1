/**
 * Drives a task slice by slice, giving every other request of the object a real turn between two slices.
 *
 * A slice is counted in steps, never in time: a deployed Worker's clock stands still while it computes. Only a
 * timer lets other requests in (a resolved promise does not), and only then can a `stop`, a departure or another
 * reader's slice arrive; so `stop` is simply called on the task in between, and readers interleave by themselves.
 */
import { SLICE_STEPS } from "../limits";
import type { ToolTask } from "../tools/answer";

export interface RunLoopRim {
  /** One slice as one unit: all of what `body` writes or, should it throw, none of it. */
  atomically<T>(body: () => T): T;
  /** After each slice, inside its unit: `done` with the last. */
  sliceEnded(task: ToolTask, done: boolean): void;
  giveTurn(): Promise<void>;
}

export async function drive(task: ToolTask, rim: RunLoopRim): Promise<void> {
  for (;;) {
    const done = rim.atomically(() => {
      const ended = task.advance(SLICE_STEPS);
      rim.sliceEnded(task, ended);
      return ended;
    });
    if (done) return;
    await rim.giveTurn();
  }
}

/** `setTimeout(0)`: about 3 µs, and all waiting requests are delivered first. */
export function giveTurn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}
