/** What a caller is told when the platform loses the store object's answer, turns the call away, or cannot reach it: contract §6, A4. */
import { describe, expect, it } from "vitest";
import type { StoreReply, StoreRequest } from "../../src/durable/call";
import { createApp } from "../../src/worker/app";
import type { Env, StoreStub } from "../../src/worker/env";
import { formatStoreKey } from "../../src/worker/key";
import type { SpecDocument } from "../../src/worker/spec-document";

const SPEC = Object.fromEntries(
  ["header", "declarations", "statements", "expressions", "types", "verbs", "scripts"].map((topic) => [topic, topic]),
) as SpecDocument;
const KEY = formatStoreKey({ objectId: "ab".repeat(32), secret: new Uint8Array(32).fill(1) });
const IDENTITY = { tenantId: "acct", keyId: "key_1", level: "read-write", answeredAt: "2026-11-30T12:00:00.000000Z" } as const;
const ADMITTED: StoreReply = { tag: "admitted", identity: IDENTITY };

interface Seen {
  readonly calls: StoreRequest[];
  readonly cancelled: string[];
  readonly cancelledRequests: unknown[];
}

/** The platform's side of a call: `answer` is what comes of each call to the object. */
async function ask(message: unknown, answer: (request: StoreRequest) => Promise<StoreReply>): Promise<{ response: Response; seen: Seen }> {
  const seen: Seen = { calls: [], cancelled: [], cancelledRequests: [] };
  const stub: StoreStub = {
    call: (request) => {
      seen.calls.push(request);
      return answer(request);
    },
    cancel: async (token) => seen.cancelled.push(token),
    cancelRequest: async (...named) => seen.cancelledRequests.push(named[1]),
    recordClient: async () => {},
    provision: async () => {},
  };
  const STORE = {
    idFromString: (hex: string) => hex as unknown as DurableObjectId,
    newUniqueId: () => "" as unknown as DurableObjectId,
    get: () => stub,
  };
  const env: Env = { STORE, OWN_ORIGINS: "", FLOOD_PER_S: 100, CALL_LOG: "off" };
  const work: Promise<unknown>[] = [];
  const context = {
    waitUntil: (one: Promise<unknown>) => work.push(one),
    passThroughOnException: () => {},
    props: {},
  } as unknown as ExecutionContext;
  const init = { method: "POST", headers: { authorization: `Bearer ${KEY}` }, body: JSON.stringify(message) };
  const response = await createApp(SPEC).request("/", init, env, context);
  await Promise.all(work);
  return { response, seen };
}

const toolsCall = (name: string, args: unknown) => ({ jsonrpc: "2.0", id: 5, method: "tools/call", params: { name, arguments: args } });
const RUN = toolsCall("run", { source: "print(1)" });
const lost = (more: Record<string, unknown> = {}) => Promise.reject(Object.assign(new Error("Network connection lost."), more));

describe("a store that does not answer", () => {
  it("[A4.49] lost after it was asked: engine_error that says to read back, and the call is never sent twice [A4.50] [A1.12] [A7.76]", async () => {
    const { response, seen } = await ask(RUN, (request) =>
      request.tool === "run" ? lost({ retryable: true }) : Promise.resolve(ADMITTED),
    );
    expect(response.status).toBe(200);
    const { result } = (await response.json()) as { result: { isError: boolean; content: { text: string }[]; _meta: object } };
    expect(result.isError).toBe(true);
    expect(result._meta).toMatchObject({ status: "engine_error", tenant_id: "acct", key_id: "key_1" });
    expect(result.content[0].text).toMatch(/could not be confirmed.*[Rr]ead back/);
    expect(seen.calls.filter((call) => call.tool === "run")).toHaveLength(1);
  });

  it("[6] lost, and unreachable after: -32000 engine error and nothing else", async () => {
    const { response } = await ask(RUN, () => lost());
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ jsonrpc: "2.0", id: 5, error: { code: -32000, message: "engine error" } });
  });

  it("[B4] turned away undelivered: 503, since nothing was run [A7.74]", async () => {
    const { response } = await ask(RUN, () => lost({ overloaded: true }));
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({ code: "UPSTREAM_UNAVAILABLE" });
  });

  it("[6] not reached at the door: 503", async () => {
    const { response } = await ask({ jsonrpc: "2.0", id: 5, method: "tools/list" }, () => lost());
    expect([response.status, response.headers.get("www-authenticate")]).toEqual([503, null]);
  });

  it("[rulings] failed inside: -32000 engine error, no id, path or stack", async () => {
    const { response } = await ask(RUN, async () => ({ tag: "failed", id: "secret-log-id" }));
    expect(await response.json()).toEqual({ jsonrpc: "2.0", id: 5, error: { code: -32000, message: "engine error" } });
  });
});

describe("what is sent to a store", () => {
  it("[rulings] one call, with the key's hash and nothing of its text; arguments as given", async () => {
    const answer = {
      status: "success",
      text: "OK",
      meta: { invoke_status: "completed" },
      mirror: { invoke_status: "completed" },
      ops: 3,
    } as const;
    const { response, seen } = await ask(toolsCall("run", { source: "print(1)", language: "eng" }), async () => ({
      tag: "answered",
      identity: IDENTITY,
      answer,
    }));
    expect(seen.calls).toHaveLength(1);
    expect(seen.calls[0]).toMatchObject({ tool: "run", args: { source: "print(1)", language: "eng" }, requestId: 5 });
    expect(seen.calls[0].keyHash).toMatch(/^[0-9a-f]{64}$/);
    expect(seen.calls[0].keyEncryptionKey).toHaveLength(32);
    expect(JSON.stringify(seen.calls)).not.toContain(KEY.slice(6, 40));
    const head = { status: "success", tenant_id: "acct", key_id: "key_1", answered_at: IDENTITY.answeredAt, ops: 3 };
    expect(await response.json()).toEqual({
      jsonrpc: "2.0",
      id: 5,
      result: {
        content: [
          { type: "text", text: "OK" },
          { type: "text", text: `\n${JSON.stringify({ ...head, invoke_status: "completed" })}` },
        ],
        isError: false,
        _meta: { ...head, invoke_status: "completed" },
      },
    });
    expect(seen.cancelled).toEqual([]);
  });

  it.each([7, "7", 0, ""])("[B6] a cancellation keeps the id's type: %j", async (requestId) => {
    const { response, seen } = await ask(
      { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId } },
      async () => ADMITTED,
    );
    expect(response.status).toBe(202);
    expect(seen.cancelledRequests).toEqual([requestId]);
  });

  it.each([null, undefined, 1.5, {}, true])("[B6] a cancellation of %j is ignored", async (requestId) => {
    const { response, seen } = await ask(
      { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId } },
      async () => ADMITTED,
    );
    expect(response.status).toBe(202);
    expect(seen.cancelledRequests).toEqual([]);
    expect(seen.calls).toEqual([]);
  });

  it("[9.9] a server without a directory says that it takes no reports", async () => {
    const { response } = await ask(toolsCall("report", { kind: "bug", text: "x" }), async () => ADMITTED);
    expect(await response.json()).toEqual({
      jsonrpc: "2.0",
      id: 5,
      error: { code: -32000, message: "This server does not take reports." },
    });
  });
});

describe("a store that turns a call away", () => {
  it.each([
    ["key_rate", /^rate limited: this key has called too often; try again in 7 s$/],
    ["calls_at_once", /^rate limited: the service is at capacity.*; try again in 7 s$/],
  ] as const)("[6] %s: -32002, in words that say which, and Retry-After", async (why, words) => {
    const { response } = await ask(RUN, async () => ({ tag: "rate_limited", why, retryAfterS: 7 }));
    expect([response.status, response.headers.get("retry-after")]).toEqual([200, "7"]);
    expect(await response.json()).toEqual({ jsonrpc: "2.0", id: 5, error: { code: -32002, message: expect.stringMatching(words) } });
  });

  it("[6] payment_required: -32001 and its words, no Retry-After", async () => {
    const { response } = await ask(RUN, async () => ({ tag: "payment_required", message: "Payment required: x" }));
    expect([response.status, response.headers.get("retry-after")]).toEqual([200, null]);
    expect(await response.json()).toEqual({ jsonrpc: "2.0", id: 5, error: { code: -32001, message: "Payment required: x" } });
  });
});
