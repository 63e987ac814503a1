/** What became of the operations of a request, and the exit code that says so. */
import { type Exchange, Unreachable } from "./request-wire.ts";

export const EXIT = { worked: 0, failed: 1, misused: 2 } as const;

/** How many operations there were, and what became of them. */
export type Summary = { total: number; succeeded: number; failed: number; aborted: number };

export function summaryOf(answer: Exchange): Summary {
  const { summary } = answer.value as { summary?: Summary };
  if (summary === undefined) throw new Unreachable("the service answered without a summary");
  return summary;
}

/** Partial failure is in what is printed; only --strict makes it the exit code too. Nothing worked is never 0. */
export function exitCode(summary: Summary, strict: boolean): number {
  const ended = summary.failed + summary.aborted;
  if (ended === 0) return EXIT.worked;
  return strict || summary.succeeded === 0 ? EXIT.failed : EXIT.worked;
}
