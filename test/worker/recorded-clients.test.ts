/**
 * What clients that cannot run here send, in their order and with their headers, and what each of them needs back so as
 * not to give the server up: editors, agents and the Python SDK, from their sources and from reports of their users.
 */
import { beforeAll, describe, expect, inject, it } from "vitest";
import { TOOLS } from "../../src/worker/mcp/tools";
import { type FreshStore, freshStore } from "./fresh-store";

let store: FreshStore;
beforeAll(async () => {
  store = await freshStore();
});

interface Step {
  readonly send: "POST" | "GET" | "DELETE";
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Without the key. */
  readonly anonymous?: true;
  readonly body?: unknown;
  readonly status: number;
  /** What the client looks at in the answer. */
  readonly gets?: object;
  /** Headers the client looks at; null for one that must not be there. */
  readonly has?: Readonly<Record<string, string | null>>;
}

const BOTH = { accept: "application/json, text/event-stream", "content-type": "application/json" };
const EVENTS = { accept: "text/event-stream" };
const later = (version: string) => ({ ...BOTH, "mcp-protocol-version": version });
const initialize = (version: string, name: string, id: string | number = 0, capabilities: object = {}) => ({
  jsonrpc: "2.0",
  id,
  method: "initialize",
  params: { protocolVersion: version, capabilities, clientInfo: { name, version: "1.0" } },
});
const INITIALIZED = { jsonrpc: "2.0", method: "notifications/initialized" };
const list = (id: string | number, params?: object) => ({ jsonrpc: "2.0", id, method: "tools/list", ...(params && { params }) });
const run = (id: string | number, source: string, meta?: object) => ({
  jsonrpc: "2.0",
  id,
  method: "tools/call",
  params: { name: "run", arguments: { source }, ...(meta && { _meta: meta }) },
});

const AGREED = { result: { protocolVersion: "2024-11-05", capabilities: { tools: {} } } };
const NO_SESSION = { "mcp-session-id": null, "content-type": "application/json" };
const LISTED = { result: { tools: expect.toSatisfy((tools: unknown[]) => tools.length === TOOLS.length) } };
const ANSWERED = { result: { isError: false, content: [{ type: "text" }, { type: "text" }] } };
const NO_METHOD = { error: { code: -32601 } };
const NO_STREAM = { allow: "POST" };
const NOT_FOUND = { error: "invalid_request", error_description: expect.stringContaining("store key") };

/** A sign-in that a refused key sets off in many clients. */
const SIGN_IN: readonly Step[] = [
  {
    send: "GET",
    path: "/.well-known/oauth-protected-resource",
    anonymous: true,
    headers: { "mcp-protocol-version": "2025-11-25" },
    status: 404,
    gets: NOT_FOUND,
  },
  { send: "GET", path: "/.well-known/oauth-authorization-server", anonymous: true, status: 404, gets: NOT_FOUND },
  { send: "GET", path: "/.well-known/openid-configuration", anonymous: true, status: 404, gets: NOT_FOUND },
  {
    send: "POST",
    path: "/register",
    anonymous: true,
    headers: { "content-type": "application/json" },
    body: { client_name: "x", redirect_uris: ["http://127.0.0.1/cb"] },
    status: 404,
    gets: NOT_FOUND,
  },
];

const RECORDED: Readonly<Record<string, readonly Step[]>> = {
  // Any 4xx on the first POST but 401 and 403 sends it to SSE, where it dies; a GET other than 405 shows as an error.
  "VS Code": [
    {
      send: "POST",
      headers: BOTH,
      body: initialize("2025-11-25", "Visual Studio Code", 1, { roots: { listChanged: true }, sampling: {}, elicitation: {} }),
      status: 200,
      gets: { ...AGREED, id: 1 },
      has: NO_SESSION,
    },
    { send: "POST", headers: later("2024-11-05"), body: INITIALIZED, status: 202 },
    { send: "GET", headers: { ...EVENTS, "mcp-protocol-version": "2024-11-05" }, status: 405, has: NO_STREAM },
    { send: "POST", headers: later("2024-11-05"), body: list(2, {}), status: 200, gets: LISTED },
    {
      send: "POST",
      headers: later("2024-11-05"),
      body: run(3, "print(1)", { progressToken: "8a7" }),
      status: 200,
      gets: { ...ANSWERED, id: 3 },
    },
    {
      send: "POST",
      headers: later("2024-11-05"),
      body: { jsonrpc: "2.0", id: 4, method: "ping" },
      status: 200,
      gets: { id: 4, result: {} },
    },
  ],
  // Keeps sending its newest version after agreeing on an older one.
  "VS Code, version kept": [
    { send: "POST", headers: later("2025-11-25"), body: initialize("2025-11-25", "Visual Studio Code", 1), status: 200, gets: AGREED },
    { send: "POST", headers: later("2025-11-25"), body: list(2), status: 200, gets: LISTED },
  ],
  // Strict about GET: only 405 is silent; starts over by GET with Last-Event-ID after a while.
  Cursor: [
    {
      send: "POST",
      headers: BOTH,
      body: initialize("2025-06-18", "cursor-vscode", 0, { tools: true, prompts: true, resources: true, roots: { listChanged: false } }),
      status: 200,
      gets: AGREED,
      has: NO_SESSION,
    },
    { send: "POST", headers: later("2024-11-05"), body: INITIALIZED, status: 202 },
    { send: "GET", headers: EVENTS, status: 405, has: NO_STREAM },
    { send: "POST", headers: later("2024-11-05"), body: list(1), status: 200, gets: LISTED },
    {
      send: "POST",
      headers: later("2024-11-05"),
      body: { jsonrpc: "2.0", id: 2, method: "prompts/list", params: {} },
      status: 200,
      gets: NO_METHOD,
    },
    {
      send: "POST",
      headers: later("2024-11-05"),
      body: { jsonrpc: "2.0", id: 3, method: "resources/list", params: {} },
      status: 200,
      gets: NO_METHOD,
    },
    { send: "GET", headers: { ...EVENTS, "last-event-id": "4" }, status: 405, has: NO_STREAM },
    { send: "POST", headers: later("2024-11-05"), body: run(4, "print(1)"), status: 200, gets: ANSWERED },
  ],
  "Claude Code": [
    {
      send: "POST",
      headers: { ...BOTH, "user-agent": "claude-code/2.1 (cli)" },
      body: initialize("2025-11-25", "claude-code", 0, { roots: {} }),
      status: 200,
      gets: AGREED,
      has: NO_SESSION,
    },
    { send: "POST", headers: later("2024-11-05"), body: INITIALIZED, status: 202 },
    { send: "GET", headers: { ...EVENTS, "mcp-protocol-version": "2024-11-05" }, status: 405, has: NO_STREAM },
    { send: "POST", headers: later("2024-11-05"), body: list(1), status: 200, gets: LISTED },
    {
      send: "POST",
      headers: later("2024-11-05"),
      body: run(2, "print(1)", { progressToken: 2, "claudecode/toolUseId": "toolu_01" }),
      status: 200,
      gets: ANSWERED,
    },
    {
      send: "POST",
      headers: later("2024-11-05"),
      body: { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 2, reason: "AbortError" } },
      status: 202,
    },
  ],
  "Claude Code, key refused": [
    {
      send: "POST",
      headers: { ...BOTH, authorization: "Bearer " },
      anonymous: true,
      body: initialize("2025-11-25", "claude-code"),
      status: 401,
      gets: { code: "AUTH_EMPTY_TOKEN" },
      has: { "www-authenticate": 'Bearer realm="DKE"' },
    },
    ...SIGN_IN,
    { send: "POST", headers: BOTH, body: initialize("2025-11-25", "claude-code"), status: 200, gets: AGREED },
  ],
  // Opens by a probe of the newest revision; goes back to `initialize` only for a plain "no such method".
  "Python SDK 2, auto": [
    {
      send: "POST",
      headers: { ...later("2026-07-28"), "mcp-method": "server/discover", "user-agent": "python-httpx/0.28" },
      body: {
        jsonrpc: "2.0",
        id: 1,
        method: "server/discover",
        params: {
          _meta: {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientInfo": { name: "mcp", version: "2.0" },
          },
        },
      },
      status: 200,
      gets: { id: 1, ...NO_METHOD },
    },
    { send: "POST", headers: BOTH, body: initialize("2025-11-25", "mcp", 2), status: 200, gets: { ...AGREED, id: 2 }, has: NO_SESSION },
    { send: "POST", headers: later("2024-11-05"), body: INITIALIZED, status: 202 },
    { send: "POST", headers: later("2024-11-05"), body: list(3), status: 200, gets: LISTED },
    { send: "POST", headers: later("2024-11-05"), body: run(4, "print(1)"), status: 200, gets: ANSWERED },
    { send: "POST", headers: later("2024-11-05"), body: run(5, "x ="), status: 200, gets: { result: { isError: true } } },
  ],
  "Python SDK 1": [
    {
      send: "POST",
      headers: BOTH,
      body: initialize("2025-06-18", "mcp", 0, { roots: { listChanged: true }, sampling: {} }),
      status: 200,
      gets: { ...AGREED, id: 0 },
    },
    { send: "POST", headers: later("2024-11-05"), body: INITIALIZED, status: 202 },
    { send: "GET", headers: { ...EVENTS, "mcp-protocol-version": "2024-11-05" }, status: 405, has: NO_STREAM },
    { send: "POST", headers: later("2024-11-05"), body: list(1, { cursor: null }), status: 200, gets: LISTED },
    {
      send: "POST",
      headers: later("2024-11-05"),
      body: { jsonrpc: "2.0", id: 2, method: "logging/setLevel", params: { level: "debug" } },
      status: 200,
      gets: NO_METHOD,
    },
    { send: "DELETE", headers: { "mcp-protocol-version": "2024-11-05" }, status: 405, has: NO_STREAM },
  ],
  // A GET and three look-ups before anything, a trial connection, then the real one.
  "mcp-remote": [
    { send: "GET", headers: EVENTS, status: 405, has: NO_STREAM },
    ...SIGN_IN.slice(0, 3),
    { send: "POST", headers: BOTH, body: initialize("2025-11-25", "mcp-remote-fallback-test"), status: 200, gets: AGREED },
    {
      send: "POST",
      headers: BOTH,
      body: initialize("2025-11-25", "Claude (via mcp-remote 0.15.1)", "b2c9"),
      status: 200,
      gets: { ...AGREED, id: "b2c9" },
    },
    { send: "POST", headers: later("2024-11-05"), body: INITIALIZED, status: 202 },
    { send: "POST", headers: later("2024-11-05"), body: list("b2ca"), status: 200, gets: { ...LISTED, id: "b2ca" } },
  ],
  // Sends no `initialize` at all: each request says its revision.
  "a client of the newest revision": [
    {
      send: "POST",
      headers: { ...later("2026-07-28"), "mcp-method": "tools/list" },
      body: list(1, { _meta: { "io.modelcontextprotocol/protocolVersion": "2026-07-28" } }),
      status: 200,
      gets: LISTED,
    },
    {
      send: "POST",
      headers: { ...later("2026-07-28"), "mcp-method": "tools/call", "mcp-name": "run" },
      body: run(2, "print(1)", { "io.modelcontextprotocol/protocolVersion": "2026-07-28" }),
      status: 200,
      gets: ANSWERED,
    },
  ],
  // The whole of an agent's own client.
  curl: [
    {
      send: "POST",
      headers: { accept: "*/*", "content-type": "application/x-www-form-urlencoded" },
      body: run("x", "print(1)"),
      status: 200,
      gets: { ...ANSWERED, id: "x" },
    },
  ],
};

describe("recorded", () => {
  it.each(Object.keys(RECORDED))("[B3] %s gets what it needs [A1.5] [A1.10] [A2.25]", async (name) => {
    for (const [index, step] of RECORDED[name]!.entries()) {
      const headers: Record<string, string> = {
        ...(step.anonymous ? {} : { authorization: `Bearer ${store.keys["read-write"]}` }),
        ...step.headers,
      };
      const response = await fetch(new URL(step.path ?? "/", inject("serviceUrl")), {
        method: step.send,
        headers,
        redirect: "manual",
        ...(step.body === undefined ? {} : { body: JSON.stringify(step.body) }),
      });
      const where = `${name}, step ${index + 1}`;
      const text = await response.text();
      expect([where, response.status, response.status === 202 ? text : ""]).toEqual([where, step.status, ""]);
      for (const [header, value] of Object.entries(step.has ?? {})) expect(response.headers.get(header), `${where}: ${header}`).toBe(value);
      if (response.status !== 202) expect(JSON.parse(text), where).toMatchObject(step.gets ?? {});
    }
  });
});
