/** What an operator sees: one line a call, the counters, and nothing of what was sent. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { COUNTERS } from "../../src/worker/counters";
import { type ServiceInNode, startInNode } from "./objects-in-node";
import { SPEC_OF_TOPICS } from "./spec-of-topics";

let service: ServiceInNode;
let store: Awaited<ReturnType<ServiceInNode["newStore"]>>;
const lines: string[] = [];
beforeAll(async () => {
  service = startInNode(SPEC_OF_TOPICS);
  store = await service.newStore();
});
afterAll(() => service.end());
beforeEach(() => {
  lines.length = 0;
  vi.spyOn(console, "log").mockImplementation((line: string) => void lines.push(line));
});
afterEach(() => vi.restoreAllMocks());

const URL_ = "http://127.0.0.1/";
const send = (key: string, message: object) =>
  service.fetch(new Request(URL_, { method: "POST", headers: { authorization: `Bearer ${key}` }, body: JSON.stringify(message) }));
const call = (key: string, name: string, args: object) =>
  send(key, { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } });
const calls = () => lines.map((line) => JSON.parse(line)).filter((line) => line.event === "call");

describe("[log] one line a POST", () => {
  it("says who called what, how it ended and how long it took", async () => {
    await call(store.keys["read-write"], "run", { source: "print(1)" });
    expect(calls()).toEqual([
      {
        event: "call",
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        store: store.id,
        key: expect.stringMatching(/^key_[0-9a-f]{16}$/),
        method: "tools/call",
        tool: "run",
        http: 200,
        status: "success",
        ops: expect.any(Number),
        ms: expect.any(Number),
        waited_ms: expect.any(Number),
        waiting: 0,
        running: 1,
      },
    ]);
  });

  it.each([
    ["tools/call", { name: "run", arguments: { source: "x = 1 / 0" } }, { status: "refuse", reason: "invalid_value" }],
    ["tools/call", { name: "run", arguments: { source: "x =" } }, { status: "compile_error" }],
    ["tools/call", { name: "info_module", arguments: { name: "nowhere" } }, { status: "engine_error" }],
    ["tools/call", { name: "run", arguments: {} }, { code: -32602, tool: "run" }],
    ["tools/call", { name: "spec", arguments: { topic: "types" } }, { status: "success", tool: "spec" }],
    ["initialize", {}, { method: "initialize" }],
    ["tools/list", {}, { method: "tools/list" }],
    ["ping", {}, { method: "ping" }],
  ])("%s %j: %j", async (method, params, fields) => {
    await send(store.keys["read-write"], { jsonrpc: "2.0", id: 1, method, params });
    expect(calls()).toHaveLength(1);
    expect(calls()[0]).toMatchObject({ store: store.id, key: expect.stringMatching(/^key_/), http: 200, ...fields });
  });

  it("[C7.4] holds nothing of a key, a program, a value, a name, or a method nobody serves", async () => {
    const secret = "nobody may see";
    const keys = Object.values(store.keys);
    for (const key of keys) {
      for (const tool of ["run", "compile", "report", "diff", secret])
        await call(key, tool, {
          source: `print("${secret}")\nremember(Secret.s.secret, "${secret}", "${secret}")`,
          name: "secret",
          since: "secret",
        });
      await send(key, { jsonrpc: "2.0", id: secret, method: secret, params: { [secret]: secret } });
      await send(key, { jsonrpc: "2.0", id: 1, method: "initialize", params: { clientInfo: { name: secret, version: secret } } });
      await send(key, { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: secret } });
      await send(key.slice(0, -1), { jsonrpc: "2.0", id: 1, method: "ping" });
    }
    expect(lines.length).toBeGreaterThan(30);
    const all = lines.join("\n");
    expect(all).not.toMatch(/nobody may see|secret/i);
    for (const key of keys) {
      expect(all).not.toContain(key);
      expect(all).not.toContain(key.slice(60));
    }
  });

  it("[A3.47] says of a call whose caller left that he did, in one line and without a stack", async () => {
    const controller = new AbortController();
    const source = "for i in range(100000000):\n    update(Beat.b.n, i, 'w')";
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "run", arguments: { source } } });
    const init = { method: "POST", headers: { authorization: `Bearer ${store.keys["read-write"]}` }, body, signal: controller.signal };
    const answer = service.fetch(new Request(URL_, init)).then(
      (response) => response.text(),
      () => "",
    );
    await new Promise((resolve) => setTimeout(resolve, 200));
    controller.abort();
    await answer;
    await vi.waitFor(() => expect(calls()).toHaveLength(1), { timeout: 20_000 });
    expect(calls()[0]).toMatchObject({ tool: "run", status: "refuse", reason: "limit_exceeded", left: true });
    expect(lines.join("\n")).not.toMatch(/stack|fault/);
  });

  it("is not written for requests without a valid key: they are counted", async () => {
    const before = COUNTERS.read()["http.401"] ?? 0;
    for (let i = 0; i < 5; i++) await service.fetch(new Request(URL_, { method: "POST", body: "{}" }));
    expect(calls()).toEqual([]);
    expect(COUNTERS.read()["http.401"]).toBe(before + 5);
  });
});

describe("[log] counters", () => {
  it("grow by what was answered, under names of our own", async () => {
    const before = COUNTERS.read();
    await call(store.keys["read-write"], "run", { source: "print(1)" });
    await call(store.keys["read-write"], "run", { source: "pin(Nothing.x.y)" });
    await call(store.keys["read-write"], "constructor", {});
    const after = COUNTERS.read();
    const grown = Object.fromEntries(Object.entries(after).map(([name, count]) => [name, count - (before[name] ?? 0)]));
    expect(grown).toMatchObject({ calls: 3, "run.success": 1, "run.refuse": 1, "refuse.not_recorded": 1, "rpc.-32601": 1, "http.200": 3 });
    expect(grown.ops).toBeGreaterThan(0);
    for (const name of Object.keys(after)) expect(name).toMatch(/^(calls|left|ops|(http|rpc|ms|refuse|[a-z_]+)\.[-\w]+)$/);
  });

  it("are a line of their own, at most once a minute", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 120_000 });
    try {
      for (let i = 0; i < 3; i++) await call(store.keys.none, "spec", { topic: "types" });
      vi.setSystemTime(Date.now() + 61_000);
      await call(store.keys.none, "spec", { topic: "types" });
    } finally {
      vi.useRealTimers();
    }
    const counters = lines.map((line) => JSON.parse(line)).filter((line) => line.event === "counters");
    expect(counters).toHaveLength(2);
    expect(counters[1].calls - counters[0].calls).toBeGreaterThanOrEqual(3);
  });
});
