/** -32001 clears by paying, -32002 by waiting; both say so, and both come as JSON-RPC: contract §6, §7. And a small fuzz of the header. */
import { request } from "node:http";
import fc from "fast-check";
import { describe, expect, inject, it } from "vitest";
import { readAuthorization } from "../../src/worker/auth";
import { callTool, freshStore, rpc } from "./fresh-store";

describe("credit", () => {
  it("[7] a balance of nothing is -32001 before anything runs, and says what clears it; spec and report still answer", async () => {
    const { keys } = await freshStore(0);
    for (const [tool, args] of [
      ["run", { source: "print(1)" }],
      ["compile", { name: "m", source: "def f():\n    return 1\n" }],
    ] as const) {
      const { error } = await callTool(keys["read-write-delete"], tool, args);
      expect(error?.code).toBe(-32001);
      expect(error?.message).toMatch(/payment|pay|top/i);
      expect(error?.message).not.toMatch(/wait|rate/i);
    }
    expect((await callTool(keys.read, "spec", { topic: "header" })).result.isError).toBe(false);
    expect((await callTool(keys.read, "report", { kind: "feedback", text: "x" })).result.isError).toBe(false);
    expect((await rpc(keys.read, "ping")).result).toEqual({});
  });

  it("[6] what is wrong in the request is told before the balance is looked at", async () => {
    const { keys } = await freshStore(0);
    expect((await callTool(keys["read-write-delete"], "run", {})).error?.code).toBe(-32602);
    expect((await callTool(keys["read-write-delete"], "nothing")).error?.code).toBe(-32601);
  });
});

describe("one store beside another", () => {
  it("[C7.42] while one works and has more calls waiting, the other's are answered (how soon: npm run bench -- isolation)", async () => {
    const loaded = (await freshStore()).keys["read-write"];
    const other = (await freshStore()).keys["read-write"];
    const source = 'for i in range(10000000):\n    update(L[f"{i % 50}"].x, i, "s")\n    t = sorted(range(100))';
    let ended = 0;
    const work = Array.from({ length: 4 }, () => callTool(loaded, "run", { source }).finally(() => ended++));
    await expect.poll(async () => (await callTool(loaded, "stop")).result._meta.outcome).toBe("stopped");
    for (let i = 0; i < 20; i++)
      expect((await callTool(other, "run", { source: `remember(O.a.x${i}, 1, "s")\nprint(O.a.x${i})` })).result.isError).toBe(false);
    expect(ended).toBe(1);
    while (ended < work.length) await callTool(loaded, "stop");
    for (const answer of await Promise.all(work))
      expect(answer.result.content[0].text).toContain("the run was stopped before this statement");
  });
});

describe("header fuzz", () => {
  it("[C7.29] any text is one of the four codes, never a key and never an exception", () => {
    const token = fc.oneof(
      fc.string(),
      fc.string({ unit: "binary" }),
      fc.stringMatching(/^dke_[sc]_[0-9A-Za-z]{0,120}$/),
      fc.constant("Bearer"),
    );
    fc.assert(
      fc.property(fc.constantFrom("Bearer ", "bearer\t", "Bearer", "Basic ", ""), token, (scheme, rest) => {
        const read = readAuthorization(scheme + rest);
        expect(read.ok).toBe(false);
        if (!read.ok) expect(read.code).toMatch(/^AUTH_/);
      }),
      { numRuns: 5000 },
    );
  });

  it("[C7.29] over HTTP any header is 401, never 5xx, and the service goes on [A2.33]", async () => {
    const values = fc.sample(
      fc.string({ unit: fc.integer({ min: 32, max: 126 }).map((code) => String.fromCharCode(code)), maxLength: 300 }),
      { numRuns: 200, seed: 7 },
    );
    for (const value of values) {
      const status = await new Promise<number | undefined>((resolve, reject) => {
        const sent = request(inject("serviceUrl"), { method: "POST", headers: { authorization: value } }, (response) =>
          resolve(response.resume().statusCode),
        );
        sent.on("error", reject);
        sent.end("{}");
      });
      expect(status, JSON.stringify(value)).toBe(401);
    }
    const { keys } = await freshStore();
    expect((await rpc(keys.none, "ping")).result).toEqual({});
  });
});
