/** What each request gets, below and at the tool surface: contract §3, §6 and what clients do, row by row. */
import { Agent, request as httpRequest } from "node:http";
import { beforeAll, describe, expect, inject, it } from "vitest";
import { type FreshStore, freshStore, post, rpc } from "./fresh-store";

let store: FreshStore;
let key: string;
beforeAll(async () => {
  store = await freshStore();
  key = store.keys["read-write-delete"];
});

const url = (path = "/") => new URL(path, inject("serviceUrl"));
const jsonOf = async (response: Response) => JSON.parse(await response.text());

describe("keys", () => {
  it.each([
    [{}, "AUTH_MISSING"],
    [{ authorization: "Basic abc" }, "AUTH_MALFORMED"],
    [{ authorization: "Bearer" }, "AUTH_EMPTY_TOKEN"],
    [{ authorization: "Bearer dke_c_0123" }, "AUTH_CUSTOMER_KEY_NOT_ALLOWED"],
    [{ authorization: `Bearer dke_s_${"A".repeat(92)}` }, "AUTH_MALFORMED"],
  ])("[6] %j is 401 %s, whatever is asked [C7.1] [C7.2] [A2.26] [A2.27] [A2.28] [A2.31]", async (headers, code) => {
    for (const method of ["initialize", "server/discover", "ping", "tools/call"]) {
      const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method });
      const response = await fetch(url(), { method: "POST", headers: headers as Record<string, string>, body });
      expect(response.status).toBe(401);
      expect(response.headers.get("www-authenticate")).toBe('Bearer realm="DKE"');
      const answer = await jsonOf(response);
      expect(Object.keys(answer)).toEqual(["code", "message"]);
      expect(answer.code).toBe(code);
      expect(answer.message).toMatch(/^[A-Z].*\.$/);
    }
  });

  it("[rulings] a forged id, and another store's id with this secret, get one body: AUTH_MALFORMED [C7.9]", async () => {
    const { formatStoreKey, parseStoreKey } = await import("../../src/worker/key");
    const other = parseStoreKey((await freshStore()).keys.read);
    const mine = parseStoreKey(key);
    if (other === null || mine === null) throw new Error("keys parse");
    const forged = formatStoreKey({ objectId: "ab".repeat(32), secret: mine.secret });
    const foreign = formatStoreKey({ objectId: other.objectId, secret: mine.secret });
    const bodies: string[] = [];
    for (const wrong of [forged, foreign]) {
      for (const method of ["initialize", "tools/list", "ping", "nothing/such"]) {
        const response = await post(wrong, JSON.stringify({ jsonrpc: "2.0", id: 1, method }));
        expect(response.status).toBe(401);
        bodies.push(await response.text());
      }
      for (const args of [{ source: "print(1)" }, { nonsense: 1 }]) {
        const response = await post(
          wrong,
          JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "run", arguments: args } }),
        );
        expect(response.status).toBe(401);
        bodies.push(await response.text());
      }
    }
    expect(new Set(bodies).size).toBe(1);
    expect(JSON.parse(bodies[0]).code).toBe("AUTH_MALFORMED");
  });

  it("[C7.11] a key in the query or the body is no key", async () => {
    const response = await fetch(url(`/?key=${key}`), {
      method: "POST",
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping", params: { key } }),
    });
    expect((await jsonOf(response)).code).toBe("AUTH_MISSING");
  });

  it("[C7.10] two Authorization headers are malformed", async () => {
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const request = httpRequest(url(), { method: "POST" }, (response) => resolve(response.resume().statusCode));
      request.on("error", reject);
      request.setHeader("authorization", [`Bearer ${key}`, `Bearer ${key}`]);
      request.end("{}");
    });
    expect(status).toBe(401);
  });
});

describe("paths and methods", () => {
  it.each(["GET", "DELETE", "PUT", "PATCH", "HEAD"])(
    "[B2] %s on the endpoint is 405, key or not [A1.7] [A1.8] [A1.9] [A2.29]",
    async (method) => {
      const headerSets: Record<string, string>[] = [{}, { authorization: `Bearer ${key}`, accept: "text/event-stream" }];
      for (const headers of headerSets) {
        const response = await fetch(url(), { method, headers });
        expect(response.status).toBe(405);
        expect(response.headers.get("allow")).toBe("POST");
        if (method !== "HEAD") expect((await jsonOf(response)).code).toBe("METHOD_NOT_ALLOWED");
      }
    },
  );

  it.each([
    "/.well-known/oauth-protected-resource",
    "/.well-known/oauth-protected-resource/mcp",
    "/.well-known/oauth-authorization-server",
    "/.well-known/openid-configuration",
    "/register",
    "/authorize",
    "/token",
  ])("[B5] %s is a JSON 404 that says what a refused key is [A2.20] [A2.21] [A2.22]", async (path) => {
    for (const method of ["GET", "POST"]) {
      const response = await fetch(url(path), { method, redirect: "manual" });
      expect(response.status).toBe(404);
      expect(response.headers.get("content-type")).toBe("application/json");
      expect(await jsonOf(response)).toMatchObject({
        code: "NOT_FOUND",
        error: "invalid_request",
        error_description: expect.stringContaining("no OAuth sign-in"),
      });
    }
  });

  it.each(["/nowhere", "/mcp", "//", "/__local/store", "/__local/", "/dashboards", "/docs/", "/playground"])(
    "[B2] %s is a JSON 404",
    async (path) => {
      const response = await fetch(url().origin + path, { method: "POST", headers: { "x-local-token": "" } });
      expect(response.status).toBe(404);
      expect(await jsonOf(response)).toMatchObject({ code: "NOT_FOUND" });
    },
  );

  it("answers /health without a key", async () => {
    expect(await jsonOf(await fetch(url("/health")))).toEqual({ status: "ok", stage: "alpha", api_version: "1.3", revision: 159 });
  });
});

describe("origins", () => {
  it.each(["http://localhost:3000", "http://127.0.0.1", "http://[::1]:8080", "https://localhost"])(
    "[C7.35] a page of %s may call",
    async (origin) => {
      const preflight = await fetch(url(), { method: "OPTIONS", headers: { origin, "access-control-request-method": "POST" } });
      expect(preflight.status).toBe(204);
      expect(preflight.headers.get("access-control-allow-origin")).toBe(origin);
      expect(preflight.headers.get("access-control-allow-credentials")).toBeNull();
      // Every header that a client of any revision sends.
      const allowed = preflight.headers.get("access-control-allow-headers")?.split(", ");
      for (const name of [
        "authorization",
        "content-type",
        "accept",
        "mcp-protocol-version",
        "mcp-session-id",
        "mcp-method",
        "mcp-name",
        "last-event-id",
      ])
        expect(allowed).toContain(name);
      const response = await post(key, JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" }), { headers: { origin } });
      expect(response.status).toBe(200);
      expect(response.headers.get("access-control-allow-origin")).toBe(origin);
    },
  );

  it.each([
    "https://evil.example",
    "null",
    "http://localhost.evil.example",
    "http://127.0.0.1.evil.example",
    "file://",
    "http://evil.example:8787",
  ])("[C7.35] a page of %s may not", async (origin) => {
    for (const method of ["POST", "OPTIONS", "GET"]) {
      const response = await fetch(url(), {
        method,
        headers: { origin, authorization: `Bearer ${key}`, host: new URL("http://evil.example").host },
      });
      expect(response.status).toBe(403);
      expect(response.headers.get("access-control-allow-origin")).toBeNull();
    }
  });

  it("[B2] OPTIONS without an origin is 405", async () => {
    expect((await fetch(url(), { method: "OPTIONS" })).status).toBe(405);
  });
});

describe("framing", () => {
  it.each([
    ["", -32700, null],
    ["{", -32700, null],
    ['{"jsonrpc":"2.0","id":1,"method":"ping"} x', -32700, null],
    ["[]", -32600, null],
    ['[{"jsonrpc":"2.0","id":1,"method":"ping"}]', -32600, null],
    ["1", -32600, null],
    ["null", -32600, null],
    ['"x"', -32600, null],
    ["{}", -32600, null],
    ['{"jsonrpc":"1.0","id":7,"method":"ping"}', -32600, 7],
    ['{"jsonrpc":"2.0","id":"7"}', -32600, "7"],
    ['{"jsonrpc":"2.0","id":7,"method":1}', -32600, 7],
    ['{"jsonrpc":"2.0","id":null,"method":"ping"}', -32600, null],
    ['{"jsonrpc":"2.0","id":1.5,"method":"ping"}', -32600, null],
    ['{"jsonrpc":"2.0","id":1e400,"method":"ping"}', -32600, null],
    ['{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}', -32600, null],
    ['{"jsonrpc":"2.0","id":{},"method":"ping"}', -32600, null],
    ['{"jsonrpc":"2.0","id":1,"method":"ping","params":[1]}', -32602, 1],
    ['{"jsonrpc":"2.0","id":1,"method":"server/discover"}', -32601, 1],
    ['{"jsonrpc":"2.0","id":1,"method":"resources/list"}', -32601, 1],
    ['{"jsonrpc":"2.0","id":1,"method":"prompts/list"}', -32601, 1],
    ['{"jsonrpc":"2.0","id":1,"method":"logging/setLevel"}', -32601, 1],
    ['{"jsonrpc":"2.0","id":1,"method":"completion/complete"}', -32601, 1],
    ['{"jsonrpc":"2.0","id":1,"method":"toString"}', -32601, 1],
    ['{"jsonrpc":"2.0","id":1,"method":"tools/call"}', -32602, 1],
    ['{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"nothing"}}', -32601, 1],
    ['{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"constructor"}}', -32601, 1],
    ['{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"snapshot","arguments":{"name":"a"}}}', -32601, 1],
    ['{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"run"}}', -32602, 1],
    ['{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"run","arguments":[]}}', -32602, 1],
  ])("[6] %s is %i [A1.6] [A1.11]", async (body, code, id) => {
    const response = await post(key, body);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("application/json");
    expect(await jsonOf(response)).toEqual({ jsonrpc: "2.0", id, error: { code, message: expect.stringMatching(/./) } });
  });

  it("[6] a body that is not UTF-8 is a parse error", async () => {
    const response = await fetch(url(), {
      method: "POST",
      headers: { authorization: `Bearer ${key}` },
      body: new Uint8Array([0x7b, 0xff, 0x7d]),
    });
    expect((await jsonOf(response)).error.code).toBe(-32700);
  });

  it("[B2] notifications, known or not, and stray responses are 202 without a body, and nothing is executed", async () => {
    for (const body of [
      { jsonrpc: "2.0", method: "notifications/initialized" },
      { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 12 } },
      { jsonrpc: "2.0", method: "notifications/cancelled" },
      { jsonrpc: "2.0", method: "anything" },
      { jsonrpc: "2.0", method: "tools/call", params: { name: "report", arguments: { kind: "bug", text: "x" } } },
      { jsonrpc: "2.0", id: 3, result: {} },
      { jsonrpc: "2.0", id: 3, error: { code: 1, message: "" } },
    ]) {
      const response = await post(key, JSON.stringify(body));
      expect(response.status).toBe(202);
      expect(await response.text()).toBe("");
    }
  });

  it("[6] `params` of null are none, as some libraries write it", async () => {
    const response = await post(key, '{"jsonrpc":"2.0","id":1,"method":"ping","params":null}');
    expect(await jsonOf(response)).toEqual({ jsonrpc: "2.0", id: 1, result: {} });
  });

  it("[A1.13] ids keep their type", async () => {
    for (const id of [0, 1, -1, "1", "", "ä", Number.MAX_SAFE_INTEGER]) {
      const response = await post(key, JSON.stringify({ jsonrpc: "2.0", id, method: "ping" }));
      expect(await jsonOf(response)).toEqual({ jsonrpc: "2.0", id, result: {} });
    }
  });

  it("[C7.30] deep, odd and hostile JSON is answered", async () => {
    for (const params of [
      "[".repeat(10_000) + "]".repeat(10_000),
      '{"__proto__":{"name":"run"}}',
      '{"name":"\\ud800"}',
      '{"a":1e999}',
      '{"name":"run","name":"spec","arguments":{"__proto__":1}}',
    ]) {
      const response = await post(key, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`);
      expect(response.status).toBe(200);
      expect([-32601, -32602]).toContain((await jsonOf(response)).error.code);
    }
    const marked = await post(key, '\ufeff{"jsonrpc":"2.0","id":1,"method":"ping"}');
    expect((await jsonOf(marked)).result).toEqual({});
  });

  it("[C7.31] a body over 4 MiB is 413, with a length or without; one of 4 MiB is read", async () => {
    const over = "x".repeat((4 << 20) + 1);
    const sized = await post(key, over);
    expect([sized.status, (await jsonOf(sized)).code]).toEqual([413, "BODY_TOO_LARGE"]);
    const chunked = new ReadableStream({
      pull(controller) {
        controller.enqueue(new Uint8Array(1 << 20).fill(32));
        if (++sent === 5) controller.close();
      },
    });
    let sent = 0;
    const headers = { authorization: `Bearer ${key}` };
    const streamed = await fetch(url(), { method: "POST", headers, body: chunked, duplex: "half" } as RequestInit);
    expect(streamed.status).toBe(413);
    const message = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
    const full = await post(key, message + " ".repeat((4 << 20) - message.length));
    expect((await jsonOf(full)).result).toEqual({});
  });

  it("[A1.19] a refusal keeps the connection, whatever it refused", async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const ports = new Set<number | undefined>();
    for (const headers of [
      {},
      { authorization: "Bearer x" },
      { authorization: `Bearer ${key}`, "content-encoding": "gzip" },
      { origin: "https://evil.example" },
      { authorization: `Bearer ${key}` },
    ]) {
      for (const [path, body] of [
        ["/", "{}"],
        ["/", "x".repeat(1 << 20)],
        ["/nowhere", "x".repeat(1 << 20)],
        ["/", " ".repeat((4 << 20) + 1)],
      ]) {
        ports.add(
          await new Promise<number | undefined>((resolve, reject) => {
            const sent = httpRequest(url(path), { method: "POST", agent, headers }, (response) =>
              response.resume().on("end", () => resolve(sent.socket?.localPort)),
            );
            sent.on("error", reject);
            sent.end(body);
          }),
        );
      }
    }
    agent.destroy();
    expect(ports.size).toBe(1);
  });

  it("[C7.33] a compressed body is refused, not unpacked", async () => {
    expect((await post(key, "x", { headers: { "content-encoding": "gzip" } })).status).toBe(415);
  });
});

describe("initialize and tools/list", () => {
  it.each(["2024-10-07", "2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28", "x", 7, undefined])(
    "[3] initialize with version %s answers 2024-11-05 [A1.2] [A1.3] [A1.4]",
    async (protocolVersion) => {
      const { result } = await rpc(key, "initialize", { protocolVersion, capabilities: {}, clientInfo: { name: "t", version: "1" } });
      expect(Object.keys(result).sort()).toEqual(["_meta", "capabilities", "instructions", "protocolVersion", "serverInfo"]);
      expect(result).toMatchObject({
        protocolVersion: "2024-11-05",
        capabilities: { tools: {} },
        serverInfo: { name: "dke", version: "1.3" },
        _meta: { stage: "alpha", api_version: "1.3", revision: 159 },
      });
      expect(Object.keys(result.capabilities.tools)).toEqual([]);
      expect(result.instructions.slice(0, 60)).toMatch(/alpha.*1\.3.*159/);
      expect(Buffer.byteLength(result.instructions)).toBeLessThanOrEqual(1500);
    },
  );

  it("[A1.1] no header changes the bytes of tools/list", async () => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: { cursor: "x" } });
    const plain = await (await post(key, body)).text();
    for (const headers of [
      { accept: "text/html" },
      { accept: "application/json, text/event-stream" },
      { "mcp-protocol-version": "2026-07-28" },
      { "mcp-protocol-version": "nonsense" },
      { "mcp-session-id": "abc" },
      { "mcp-method": "x", "mcp-name": "y" },
      { "content-type": "text/plain" },
      { cookie: "a=b" },
      { "last-event-id": "4" },
      { "content-type": "application/json; charset=utf-16" },
    ]) {
      const response = await post(key, body, { headers: headers as unknown as Record<string, string> });
      expect(response.status).toBe(200);
      expect(await response.text()).toBe(plain);
      expect(response.headers.get("mcp-session-id")).toBeNull();
    }
    expect(Buffer.byteLength(plain)).toBeLessThanOrEqual(20_480);
  });

  it("[B2] a 2026-style call with reserved _meta and no initialize is served", async () => {
    const { result } = await rpc(key, "tools/list", { _meta: { "io.modelcontextprotocol/protocolVersion": "2026-07-28" } });
    expect(result._meta).toEqual({ stage: "alpha", api_version: "1.3", revision: 159 });
    expect(result.nextCursor).toBeUndefined();
  });
});
