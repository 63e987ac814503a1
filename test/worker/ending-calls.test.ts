/** Calls ended at random moments in each of the four ways; scripts/end-calls.mjs does the same by hand, with other seeds. */
import { expect, inject, it } from "vitest";
import { endCalls, WAYS } from "../../scripts/end-calls.mjs";
import { trialOf } from "../../scripts/trial-service.mjs";

const SEED = 20261130;

it.each(WAYS)(
  "[E12] %s, 300 times: the outcome is right, nothing is written after, no handler runs, billed is what was executed [A3.46]",
  { timeout: 600_000 },
  async (way) => {
    const service = trialOf(inject("serviceUrl"), inject("localToken"));
    expect(await endCalls({ service, way, count: 300, seed: SEED })).toEqual([]);
  },
);
