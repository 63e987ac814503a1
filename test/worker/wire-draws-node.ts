/** Tens of thousands of drawn requests through the worker and the objects in this process: what the test files of each part share. */
import { expect } from "vitest";
import { judgeLog } from "../../scripts/fuzz/judge-log.mjs";
import { fuzzWire, overFetch } from "../../scripts/fuzz-wire.mjs";
import { CATALOGUE } from "../../src/worker/mcp/tools";
import { startInNode } from "./objects-in-node";
import { SPEC_OF_TOPICS } from "./spec-of-topics";

/** Kinds of answers that a draw of some thousands is meant to reach. */
export const KINDS = [
  "success",
  "compile_error",
  "engine_error",
  "refuse scope_forbidden",
  "refuse invalid_value",
  "refuse not_recorded",
  "refuse asserted_field",
  "refuse already_in_effect",
  "refuse conflicting_write",
  "refuse limit_exceeded",
  "result",
  "202",
  "HTTP 401",
  "HTTP 403",
  "HTTP 404",
  "HTTP 405",
  "HTTP 415",
  "error -32700",
  "error -32600",
  "error -32601",
  "error -32602",
];

/** Requests to one store, which each draw finds as the ones before it left it. */
const REQUESTS_A_STORE = 1000;

export async function drawInNode(firstSeed: number, requests: number): Promise<void> {
  const service = startInNode(SPEC_OF_TOPICS, { CALL_OPS_MAX: 100_000 });
  const log = judgeLog({ tools: CATALOGUE.tools });
  const kinds: Record<string, number> = {};
  for (let n = 0; n < requests / REQUESTS_A_STORE; n++) {
    const { keys } = await service.newStore();
    const objects = service.objectCount();
    const found = await fuzzWire({
      send: overFetch(service.fetch),
      keys: [...Object.values(keys), ...new Array(5).fill(keys["read-write-delete"])],
      tools: CATALOGUE.tools,
      requests: REQUESTS_A_STORE,
      seed: firstSeed + n,
    });
    expect(found.problems).toEqual([]);
    expect(service.objectCount()).toBe(objects);
    for (const [kind, count] of Object.entries(found.kinds)) kinds[kind] = (kinds[kind] ?? 0) + count;
  }
  service.end();
  log.end();
  expect(log.problems).toEqual([]);
  expect(log.lines()).toBeGreaterThan(requests / 2);
  expect(Object.values(kinds).reduce((sum, count) => sum + count, 0)).toBe(requests);
  for (const kind of KINDS) expect(kinds[kind] ?? 0, `${kind} of ${JSON.stringify(kinds)}`).toBeGreaterThan(0);
}
