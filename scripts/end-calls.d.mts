/** Types of end-calls.mjs, for the tests. */
import type { Trial } from "./trial-service.mjs";

export const WAYS: readonly ["stop", "cancelled", "fin", "rst"];
export function endCalls(trial: {
  readonly service: Trial;
  readonly way: (typeof WAYS)[number];
  readonly count: number;
  readonly seed: number;
  readonly atOnce?: number;
}): Promise<string[]>;
