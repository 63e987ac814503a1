/** Calls ended at random moments in each of the four ways; scripts/end-calls.mjs does the same at length. */
import { expect, inject, it } from "vitest";
import { endCalls, WAYS } from "../../scripts/end-calls.mjs";
import { trialOf } from "../../scripts/trial-service.mjs";

const SEED = 20261130;

it.each(WAYS)(
  "[E12] %s, 30 times: the outcome is right, nothing is written after, no handler runs, billed is what was executed",
  { timeout: 180_000 },
  async (way) => {
    const service = trialOf(inject("serviceUrl"), inject("localToken"));
    expect(await endCalls({ service, way, count: 30, seed: SEED, atOnce: way === "fin" ? 6 : 3 })).toEqual([]);
  },
);
