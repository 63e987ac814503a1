/** How an answer that takes its time is kept alive, and when its caller's leaving is noticed: contract §4.2. In plain Node, no store. */
import { describe, expect, it } from "vitest";
import { answerOrKeepAlive } from "../../src/worker/mcp/long-call";

function longCall(answer: Promise<Response>, admitted: () => Promise<unknown> = async () => {}) {
  const controller = new AbortController();
  const left: number[] = [];
  const work: Promise<unknown>[] = [];
  const response = answerOrKeepAlive({
    request: new Request("http://localhost/", { signal: controller.signal }),
    answer,
    admitted,
    lateText: '{"late":true}',
    leave: () => left.push(1),
    waitUntil: (one) => work.push(one),
  });
  return { response, left, work, abort: () => controller.abort() };
}

const later = <T>(ms: number, value: T) => new Promise<T>((resolve) => setTimeout(() => resolve(value), ms));

describe("a long call", () => {
  it("[4.2] that is quick answers as it is, status and headers its own", async () => {
    const { response, left, abort } = longCall(Promise.resolve(new Response("x", { status: 401, headers: { "retry-after": "3" } })));
    const answer = await response;
    expect([answer.status, answer.headers.get("retry-after"), await answer.text()]).toEqual([401, "3", "x"]);
    abort();
    expect(left).toEqual([]);
  });

  it("[B4] is asked whether it was admitted before the answer begins: a late refusal keeps its status", async () => {
    let refuse: (response: Response) => void = () => {};
    const answer = new Promise<Response>((resolve) => (refuse = resolve));
    const { response } = longCall(answer, async () => refuse(new Response("no", { status: 401 })));
    expect((await response).status).toBe(401);
  });

  it("[B6] begins after half a second and beats until the answer is there; the whole is JSON", async () => {
    const startedMs = Date.now();
    const { response, left, work } = longCall(later(1300, new Response('{"a":1}')));
    const answer = await response;
    expect(Date.now() - startedMs).toBeLessThan(1200);
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "application/json"]);
    // Neither the local runtime nor the edge may compress it: a beat would stay in the compressor.
    expect(answer.headers.get("content-encoding")).toBe("identity");
    expect(answer.headers.get("cache-control")).toContain("no-transform");
    const text = await answer.text();
    expect(text).toMatch(/^\n{2,5}\{"a":1\}$/);
    expect(JSON.parse(text)).toEqual({ a: 1 });
    await Promise.all(work);
    expect(left).toEqual([]);
  });

  it("[B4] that fails after the answer began says so in JSON", async () => {
    const { response } = longCall(later(800, new Response("gone", { status: 503 })));
    expect(JSON.parse(await (await response).text())).toEqual({ late: true });
  });

  it.each(["abort", "cancel"])("[4.2] whose caller leaves (%s) is told once", async (how) => {
    const { response, left, abort, work } = longCall(later(3000, new Response("{}")));
    const answer = await response;
    if (how === "abort") abort();
    await answer.body?.cancel();
    await Promise.all(work);
    abort();
    expect(left).toEqual([1]);
  });

  it("[4.2] whose caller left before it began is told at once", async () => {
    const { left, abort } = longCall(later(100, new Response("{}")));
    abort();
    expect(left).toEqual([1]);
  });
});
