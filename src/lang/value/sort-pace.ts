/**
 * What a long sort has to know of the slice: its steps are charged as it compares, and where the slice is used up it waits.
 * In all it charges what its length says, however many comparisons there were, so that steps do not depend on the way it is done:
 * half a step a comparison, so that there are steps left where it takes more of them than it should, and the rest at its end.
 */
import { spendSteps } from "./meter";
import { mayPause } from "./pending";

/** Comparisons between two looks at the slice. */
export const STRETCH = 1024;

/** Steps of sorting `n` values. */
export function sortSteps(n: number): number {
  return n * Math.ceil(Math.log2(n + 1));
}

export class SortPace {
  private left: number;
  /** Of a sort of `n` values. */
  constructor(n: number) {
    this.left = sortSteps(n);
  }
  /** After `n` comparisons: whether to wait. A sort inside what cannot be left goes on. */
  mustWait(n: number): boolean {
    const steps = Math.min(n >> 1, this.left);
    this.left -= steps;
    spendSteps(steps);
    return mayPause();
  }
  /** Charges what was not needed. */
  end(): void {
    spendSteps(this.left);
    this.left = 0;
  }
}
