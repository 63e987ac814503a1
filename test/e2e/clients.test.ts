/**
 * What clients of different ages do with the service, step by step: the official client of two lines, its new line in
 * both of its modes, and the first release of all over plain POST.
 */
import { Client as NewClient, StreamableHTTPClientTransport as NewTransport } from "@modelcontextprotocol/client";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { Client as OldClient } from "sdk-1-0/client/index.js";
import { describe, expect, inject, it } from "vitest";
import { REPORTS_PER_DAY_MAX } from "../../src/limits";
import { TOOLS } from "../../src/worker/mcp/tools";
import { type FreshStore, freshStore } from "../worker/fresh-store";
import type { ToolResult } from "./mcp-client";
import { PostTransport } from "./post-transport";

interface Options {
  readonly signal?: AbortSignal;
  readonly timeout?: number;
}
interface AnyClient {
  listTools(): Promise<{ tools: { name: string }[] }>;
  callTool(name: string, args: Record<string, unknown>, options?: Options): Promise<ToolResult>;
  getServerVersion(): { name: string; version: string } | undefined;
  close(): Promise<void>;
}

const WHO = { name: "dke-clients", version: "1.0.0" };
const request = (key: string) => ({ requestInit: { headers: { authorization: `Bearer ${key}` } } });

const CLIENTS: Readonly<Record<string, (url: string, key: string) => Promise<AnyClient>>> = {
  "sdk 1.32": async (url, key) => {
    const client = new Client(WHO);
    await client.connect(new StreamableHTTPClientTransport(new URL(url), request(key)));
    return facade(client, (name, args, options) => client.callTool({ name, arguments: args }, undefined, options));
  },
  "client 2.4, legacy": (url, key) => newClient(url, key, "legacy"),
  "client 2.4, auto": (url, key) => newClient(url, key, "auto"),
  "sdk 1.0 over POST": async (url, key) => {
    const client = new OldClient(WHO, { capabilities: {} });
    await client.connect(new PostTransport(url, key));
    return facade(client, (name, args, options) => client.callTool({ name, arguments: args }, undefined, options));
  },
};

async function newClient(url: string, key: string, mode: "legacy" | "auto"): Promise<AnyClient> {
  const client = new NewClient(WHO, { versionNegotiation: { mode } });
  await client.connect(new NewTransport(new URL(url), request(key)));
  return facade(client, (name, args, options) => client.callTool({ name, arguments: args }, options));
}

function facade(
  client: Pick<AnyClient, "getServerVersion" | "close"> & { listTools(): Promise<unknown> },
  callTool: (name: string, args: Record<string, unknown>, options?: Options) => Promise<unknown>,
): AnyClient {
  return {
    listTools: () => client.listTools() as Promise<{ tools: { name: string }[] }>,
    callTool: (name, args, options) => callTool(name, args, options) as Promise<ToolResult>,
    getServerVersion: () => client.getServerVersion(),
    close: () => client.close(),
  };
}

/** Writes how far it came, and would go on for a long time. */
const ENDLESS = 'for i in range(100000000):\n    update(Beat.b.n, i, "w")';
/** Takes about a second: its answer is preceded by the beats that keep the line alive. */
const LONG = "t = 0\nfor i in range(20000000):\n    t = t + i\nprint(t)";

const prints = (result: ToolResult): string[] =>
  result._meta.transcript.filter((e: { kind: string }) => e.kind === "print").map((e: { value: string }) => e.value);
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const failure = async (work: Promise<unknown>): Promise<{ code?: number; message: string }> =>
  work.then(
    () => ({ message: "it did not fail" }),
    (error: { code?: number; message: string }) => error,
  );

describe.each(Object.keys(CLIENTS))("%s", (name) => {
  const connect = (key: string) => CLIENTS[name]!(inject("serviceUrl"), key);
  let lastStore: Promise<FreshStore> | undefined;
  const store = () => (lastStore ??= freshStore());

  it("[B7.1] connects", async () => {
    const client = await connect((await store()).keys.read);
    expect(client.getServerVersion()).toMatchObject({ name: "dke", version: "1.3" });
    await client.close();
  });

  it("[B7.2] lists every tool", async () => {
    const client = await connect((await store()).keys.none);
    expect((await client.listTools()).tools.map((tool) => tool.name)).toEqual(TOOLS.map((tool) => tool.name));
    await client.close();
  });

  it("[B7.3] calls: the text, the mirror and _meta arrive", async () => {
    const client = await connect((await store()).keys["read-write"]);
    const result = await client.callTool("run", { source: 'remember(K.a.x, "ü", "s")\nc = current(K.a.x)\nprint(c.value)' });
    expect(result.isError).toBe(false);
    expect(result.content.map((item) => item.type)).toEqual(["text", "text"]);
    expect(result.content[0]!.text).toBe("OK program: 1 claim added, 1 print\nremember K.a.x = 'ü' (per s)\nü");
    expect(result._meta).toMatchObject({ status: "success", invoke_status: "completed", ops: expect.any(Number) });
    expect(JSON.parse(result.content[1]!.text)).toMatchObject({ status: "success", transcript: result._meta.transcript });
    await client.close();
  });

  it("[B7.4] is refused in words, not by an exception", async () => {
    const client = await connect((await store()).keys["read-write"]);
    const result = await client.callTool("run", { source: "pin(K.nothing.x)" });
    expect(result).toMatchObject({ isError: true, _meta: { status: "refuse", refuse_reason: "not_recorded" } });
    expect(result.content[0]!.text).toMatch(/^error: program failed — line 1: /);
    await client.close();
  });

  it("[B7.5] mends a source by the diagnostics", async () => {
    const client = await connect((await store()).keys["read-write"]);
    const result = await client.callTool("compile", { name: "m", source: "def f(n):\n    while n > 0:\n        n = n - 1\n" });
    expect(result).toMatchObject({ isError: true, _meta: { status: "compile_error", compile_status: "parse_error" } });
    expect(result._meta.diagnostics[0]).toMatchObject({ line: 2, col: 5, fix: "for <name> in <iterable>:" });
    expect((await client.callTool("compile", { name: "m", source: "def f(n):\n    for i in range(n):\n        pass\n" })).isError).toBe(
      false,
    );
    await client.close();
  });

  it("[B7.6] with a key that opens nothing is told what to do", async () => {
    const { keys } = await store();
    const wrong = keys.read.slice(0, -1) + (keys.read.endsWith("0") ? "1" : "0");
    expect((await failure(connect(wrong))).message).toMatch(name.endsWith("auto") ? /HTTP 401/ : /store key|no OAuth sign-in/);
  });

  it("[B7.7] without credit gets -32001, and the words", async () => {
    const { keys } = await freshStore(0);
    const client = await connect(keys["read-write"]);
    const error = await failure(client.callTool("run", { source: "print(1)" }));
    expect(error.code).toBe(-32001);
    expect(error.message).toMatch(/[Pp]ayment required: .*Top up/);
    await client.close();
  });

  it("[B7.8] past an allowance gets -32002, and how long to wait", async () => {
    const { keys } = await freshStore();
    const client = await connect(keys.none);
    for (let i = 0; i < REPORTS_PER_DAY_MAX; i++) await client.callTool("report", { kind: "feedback", text: "x" });
    const error = await failure(client.callTool("report", { kind: "feedback", text: "x" }));
    expect(error.code).toBe(-32002);
    expect(error.message).toMatch(/rate limited: .* in \d+ s/);
    await client.close();
  });

  it("[B7.9] waits for a long call [A3.45]", async () => {
    const client = await connect((await store()).keys.read);
    const result = await client.callTool("run", { source: LONG }, { timeout: 50_000 });
    expect(prints(result)).toEqual(["199999990000000"]);
    await client.close();
  });

  it.each(["cancel", "timeout"])("[B7.10] gives a call up (%s), and the program stops", async (how) => {
    const { keys } = await freshStore();
    const client = await connect(keys["read-write-delete"]);
    const controller = new AbortController();
    const call = failure(client.callTool("run", { source: ENDLESS }, how === "cancel" ? { signal: controller.signal } : { timeout: 1000 }));
    await pause(1000);
    controller.abort("enough");
    expect((await call).message).not.toBe("it did not fail");
    const read = async () => prints(await client.callTool("run", { source: "print(value(Beat.b.n))" }))[0];
    const then = await read();
    await pause(200);
    expect(await read()).toBe(then);
    expect(Number(then)).toBeGreaterThan(0);
    await client.close();
  });

  it("[B7.11] closes, and another goes on", async () => {
    const { keys } = await store();
    const [one, other] = [await connect(keys.read), await connect(keys.read)];
    await one.close();
    expect((await other.callTool("run", { source: "print(1)" })).isError).toBe(false);
    await other.close();
  });
});
