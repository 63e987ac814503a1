/** Some thousands of requests that nobody would send; scripts/fuzz-wire.mjs sends as many as one likes. */
import { expect, inject, it } from "vitest";
import { fuzzWire, overHttp } from "../../scripts/fuzz-wire.mjs";
import { CATALOGUE } from "../../src/worker/mcp/tools";
import { freshStore, rpc } from "./fresh-store";

const SEED = 20261130;
const REQUESTS = 4000;

it("[E5] whatever is sent is answered, soon, in the contract's shape, and never by a fault of ours [A1.14]", {
  timeout: 180_000,
}, async () => {
  const { keys } = await freshStore();
  const { problems, kinds } = await fuzzWire({
    send: overHttp(inject("serviceUrl")),
    keys: [...Object.values(keys), ...new Array(5).fill(keys["read-write-delete"])],
    tools: CATALOGUE.tools,
    requests: REQUESTS,
    seed: SEED,
  });
  expect(problems).toEqual([]);
  // The draw reaches every kind of answer that it is meant to.
  for (const kind of [
    "success",
    "compile_error",
    "engine_error",
    "refuse scope_forbidden",
    "result",
    "202",
    "HTTP 401",
    "error -32700",
    "error -32600",
    "error -32601",
    "error -32602",
  ])
    expect(kinds[kind] ?? 0, `${kind} of ${JSON.stringify(kinds)}`).toBeGreaterThan(5);
  expect((await rpc(keys.read, "ping")).result).toEqual({});
});
