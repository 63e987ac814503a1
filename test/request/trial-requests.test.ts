/** Drawn requests: each is answered, and the answer adds up. More of them: `npx tsx scripts/fuzz-request.ts`. */
import { expect, it } from "vitest";
import { trialRequests } from "./trial-requests";

it("[request facts §5.2] requests nobody would send are answered with envelopes that add up", () => {
  const trial = trialRequests(1, 1000);
  expect(trial.problems).toEqual([]);
  // Enough of them do something.
  expect(trial.succeeded).toBeGreaterThan(200);
  expect(trial.refused).toBeGreaterThan(100);
});
