/** A request that waits for another's: the store is free meanwhile, and whatever ends a running call ends the wait. */
import { describe, expect, inject, it } from "vitest";
import { callTool, freshStore } from "./fresh-store";

// biome-ignore lint/suspicious/noExplicitAny: an answer is looked at member by member.
async function request(key: string, actor: string, ops: string, signal?: AbortSignal): Promise<any> {
  const response = await fetch(new URL("request", inject("serviceUrl")), {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "request", arguments: { ops, presentation: "verbose" }, _meta: { "khive/actor": actor } },
    }),
    signal,
  });
  const { result } = (await response.json()) as { result: { content: { text: string }[] } };
  return JSON.parse(result.content[0].text);
}

/** Once it has nothing at work but what waits. */
async function settled(key: string): Promise<void> {
  for (let i = 0; i < 3; i++) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    await callTool(key, "run", { source: "1" });
  }
}

describe("a request that waits", () => {
  it.each(["read", "read-write"] as const)("[request facts §7.4] is answered when a message comes (a key of level %s)", async (level) => {
    const { keys } = await freshStore();
    await request(keys["read"], "bob", "comm.inbox()");
    const waiting = request(keys[level], "bob", "comm.inbox(wait_ms=30000)");
    await settled(keys["read"]);
    await callTool(keys["read-write"], "run", { source: "class Note:\n    text: str\n" });
    await request(keys["read-add"], "ann", 'comm.send(to="bob", content="here")');
    expect((await waiting).results[0].result.items).toMatchObject([{ from: "ann", content: "here" }]);
  });

  it.each(["bob", "ann"])(
    "two that write wait for each other's answers, %s first",
    async (first) => {
      const { keys } = await freshStore();
      const key = keys["read-write"];
      // Longer than the test may take: each has to be woken by what the other wrote before it waited.
      const ask = () => request(key, "bob", 'comm.send(to="ann", content="ping") | comm.inbox(wait_ms=30000)');
      const answer = () => request(key, "ann", 'comm.inbox(wait_ms=30000) | comm.reply(id=$prev.items[0].id, content="pong")');
      const early = first === "bob" ? ask() : answer();
      // No call but these two: one that ended would wake them.
      await new Promise((resolve) => setTimeout(resolve, 300));
      const late = first === "bob" ? answer() : ask();
      const [asked, answered] = await Promise.all(first === "bob" ? [early, late] : [late, early]);
      expect(answered.summary).toMatchObject({ succeeded: 2 });
      expect(asked.results[1].result.items).toMatchObject([{ content: "pong" }]);
    },
    20_000,
  );

  it("is over when its time is, when it is stopped, and when its key is gone", async () => {
    const { keys } = await freshStore();
    expect((await request(keys["read"], "bob", "comm.inbox(wait_ms=60)")).results[0].result.items).toEqual([]);
    const waiting = request(keys["read"], "bob", "[comm.inbox(wait_ms=30000), stats()]");
    await settled(keys["read"]);
    await callTool(keys["read-write"], "stop", {});
    const { results } = await waiting;
    expect(results.map((one: { ok: boolean }) => one.ok)).toEqual([false, false]);
    expect(results[0].error).toMatchObject({ kind: "cancelled" });
  });

  it.each([500, 700, 1])(
    "[contract §7] holds nothing of the credit that another call needs (a balance of %i LCN)",
    async (balanceLcn) => {
      const { keys } = await freshStore(balanceLcn);
      // The first may use fifty million operations, which is five hundred LCN.
      const waiting = [1, 2, 3].map(() => request(keys["read-add"], "bob", "comm.inbox(wait_ms=30000)"));
      await new Promise((resolve) => setTimeout(resolve, 300));
      expect((await request(keys["read-add"], "ann", 'comm.send(to="bob", content="here")')).summary.succeeded).toBe(1);
      for (const answer of await Promise.all(waiting)) expect(answer.results[0].result.items).toMatchObject([{ content: "here" }]);
    },
    20_000,
  );

  it("[contract §7] ends as any call does where others have spent the balance meanwhile", async () => {
    const { keys } = await freshStore(1);
    const waiting = request(keys["read"], "bob", "comm.inbox(wait_ms=2000)");
    await new Promise((resolve) => setTimeout(resolve, 200));
    const other = await callTool(keys["read"], "run", { source: "for i in range(1000000):\n    x = i" });
    expect(other.result._meta).toMatchObject({ refuse_reason: "limit_exceeded" });
    expect((await waiting).results[0]).toMatchObject({
      ok: false,
      error: { kind: "limit_exceeded", message: expect.stringContaining("balance") },
    });
  }, 20_000);

  it("whose caller leaves keeps nothing from the store", async () => {
    const { keys } = await freshStore();
    const leaving = new AbortController();
    const left = request(keys["read-write"], "bob", "comm.inbox(wait_ms=30000)", leaving.signal).catch(() => "left");
    await settled(keys["read"]);
    leaving.abort();
    expect(await left).toBe("left");
    expect((await request(keys["read-write"], "ann", 'comm.send(to="bob", content="late")')).summary.succeeded).toBe(1);
  });
});
