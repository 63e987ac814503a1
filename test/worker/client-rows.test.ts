/**
 * What clients send, row by row, and what they need to get, at both endpoints. Each row's requests and answers are data; what
 * needs a real connection (a body in chunks, a broken one) is in wire.test.ts and body.test.ts.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ServiceInNode, startInNode } from "./objects-in-node";
import { SPEC_OF_TOPICS } from "./spec-of-topics";

let service: ServiceInNode;
let key: string;
beforeAll(async () => {
  service = startInNode(SPEC_OF_TOPICS, { CALL_LOG: "off" });
  ({ "read-write": key } = (await service.newStore()).keys);
});
afterAll(() => service.end());

interface Row {
  readonly row: number;
  readonly says: string;
  /** At the endpoint's path unless another is named; bodies of JSON are given as values. */
  readonly sent: readonly {
    readonly method?: string;
    readonly path?: string;
    readonly body?: unknown;
    readonly headers?: Record<string, string>;
  }[];
  readonly status: number;
  /** Members of the JSON body; null where there is none. */
  readonly body: object | null;
  readonly headers?: Readonly<Record<string, string>>;
  readonly unkeyed?: true;
}

const message = (method: string, more: object = {}) => ({ jsonrpc: "2.0", id: 7, method, ...more });
const error = (code: number, id: number | null = 7) => ({ jsonrpc: "2.0", id, error: { code, message: expect.stringMatching(/\S/) } });

const ROWS: readonly Row[] = [
  {
    row: 1,
    says: "initialize with any version",
    sent: ["2024-10-07", "2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28", "x", 7, null, undefined].map(
      (protocolVersion) => ({
        body: message("initialize", { params: { protocolVersion, capabilities: {}, clientInfo: { name: "c", version: "1" } } }),
      }),
    ),
    status: 200,
    body: {
      id: 7,
      result: {
        protocolVersion: "2024-11-05",
        capabilities: { tools: {} },
        serverInfo: { name: "dke", version: "1.3" },
        instructions: expect.stringMatching(/\S/),
        _meta: { stage: "alpha", api_version: "1.3", revision: 159 },
      },
    },
  },
  {
    row: 2,
    says: "a notification, known or not, a tools/call without an id among them",
    sent: ["notifications/initialized", "notifications/cancelled", "notifications/nobody-knows", "tools/call"].map((method) => ({
      body: { jsonrpc: "2.0", method, params: { requestId: 99, name: "run", arguments: { source: 'remember(Row.two.x, 1, "s")' } } },
    })),
    status: 202,
    body: null,
  },
  {
    row: 3,
    says: "ping",
    sent: [{ body: message("ping") }, { body: message("ping", { params: {} }) }],
    status: 200,
    body: { id: 7, result: {} },
  },
  {
    row: 4,
    says: "tools/list, in one page whatever cursor is given",
    sent: [undefined, {}, { cursor: "next" }, { cursor: null }].map((params) => ({ body: message("tools/list", { params }) })),
    status: 200,
    body: { id: 7, result: { tools: expect.anything(), _meta: { stage: "alpha", api_version: "1.3", revision: 159 } } },
  },
  {
    row: 5,
    says: "methods of capabilities that are not offered, and of later revisions",
    sent: [
      "server/discover",
      "resources/list",
      "resources/templates/list",
      "resources/read",
      "prompts/list",
      "prompts/get",
      "logging/setLevel",
      "completion/complete",
      "subscriptions/listen",
      "tasks/get",
    ].map((method) => ({ body: message(method) })),
    status: 200,
    body: error(-32601),
  },
  {
    row: 6,
    says: "a request of 2026, with reserved members in _meta and no initialize",
    sent: [
      {
        body: message("tools/list", { params: { _meta: { "io.modelcontextprotocol/protocolVersion": "2026-07-28" } } }),
        headers: { "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/list" },
      },
    ],
    status: 200,
    body: { id: 7, result: { tools: expect.anything() } },
  },
  { row: 7, says: "an array of messages", sent: [{ body: [message("ping")] }, { body: [] }], status: 200, body: error(-32600, null) },
  {
    row: 8,
    says: "what is not JSON",
    sent: ["{", "", "ping", '{"id":1', "\u0000"].map((body) => ({ body })),
    status: 200,
    body: error(-32700, null),
  },
  {
    row: 8,
    says: "JSON that is no message",
    sent: ["5", '"ping"', "null", "true"].map((body) => ({ body })),
    status: 200,
    body: error(-32600, null),
  },
  {
    row: 8,
    says: "an id that is none",
    sent: [null, 1.5, true, {}, [], 2 ** 60].map((id) => ({ body: { jsonrpc: "2.0", id, method: "ping" } })),
    status: 200,
    body: error(-32600, null),
  },
  {
    row: 8,
    says: "another version of JSON-RPC, or none",
    sent: ["1.0", 2, null, undefined].map((jsonrpc) => ({ body: { jsonrpc, id: 7, method: "ping" } })),
    status: 200,
    body: error(-32600),
  },
  {
    row: 9,
    says: "a response that nobody asked for",
    sent: [{ body: { jsonrpc: "2.0", id: 7, result: {} } }, { body: { jsonrpc: "2.0", id: 7, error: { code: 1, message: "no" } } }],
    status: 202,
    body: null,
  },
  {
    row: 10,
    says: "any other method of HTTP, before authentication",
    sent: ["GET", "DELETE", "PUT", "PATCH"].map((method) => ({ method })),
    status: 405,
    body: { code: "METHOD_NOT_ALLOWED", message: expect.stringMatching(/\.$/) },
    headers: { allow: "POST" },
    unkeyed: true,
  },
  {
    row: 11,
    says: "OPTIONS without an origin",
    sent: [{ method: "OPTIONS" }],
    status: 405,
    body: { code: "METHOD_NOT_ALLOWED" },
    unkeyed: true,
  },
  {
    row: 11,
    says: "OPTIONS from an origin that may call",
    sent: [{ method: "OPTIONS", headers: { origin: "http://localhost:3000" } }],
    status: 204,
    body: null,
    headers: { "access-control-allow-origin": "http://localhost:3000" },
    unkeyed: true,
  },
  {
    row: 12,
    says: "where an OAuth server would be",
    sent: ["/.well-known/oauth-protected-resource", "/.well-known/oauth-authorization-server/x", "/register", "/authorize", "/token"].map(
      (path) => ({
        path,
      }),
    ),
    status: 404,
    body: { code: "NOT_FOUND", error: "invalid_request", error_description: expect.stringContaining("no OAuth sign-in") },
    headers: { "content-type": "application/json" },
    unkeyed: true,
  },
  {
    row: 13,
    says: "any other path",
    sent: ["/mcp", "/sse", "/v1/x"].map((path) => ({ path })),
    status: 404,
    body: { code: "NOT_FOUND" },
    unkeyed: true,
  },
  {
    row: 14,
    says: "a body too large",
    sent: [{ body: " ".repeat((4 << 20) + 1) }],
    status: 413,
    body: { code: "BODY_TOO_LARGE", message: expect.stringContaining("4 MiB") },
  },
];

describe.each(["/", "/request"])("at %s", (endpoint) => {
  it.each(ROWS.map((row) => [row.row, row.says, row] as const))(
    "[B2.%i] %s",
    async (_number, _says, { sent, status, body, headers = {}, unkeyed }) => {
      for (const one of sent) {
        const { method = "POST", path = endpoint } = one;
        const text = one.body === undefined || typeof one.body === "string" ? one.body : JSON.stringify(one.body);
        const authorization: Record<string, string> = unkeyed === true ? {} : { authorization: `Bearer ${key}` };
        const given = { ...authorization, ...one.headers };
        const response = await service.fetch(new Request(`http://127.0.0.1${path}`, { method, headers: given, body: text }));
        const answer = await response.text();
        expect(response.status, `${method} ${path} ${text?.slice(0, 80)}: ${answer.slice(0, 200)}`).toBe(status);
        for (const [name, value] of Object.entries(headers)) expect(response.headers.get(name)).toBe(value);
        if (body === null) expect(answer).toBe("");
        else expect(JSON.parse(answer)).toMatchObject(body);
        expect(answer).not.toContain("nextCursor");
      }
    },
  );

  it("[B2.2] nothing is executed for what is only acknowledged", async () => {
    const body = JSON.stringify(message("tools/call", { params: { name: "run", arguments: { source: "print(Row.two.x)" } } }));
    const response = await service.fetch(
      new Request("http://127.0.0.1/", { method: "POST", headers: { authorization: `Bearer ${key}` }, body }),
    );
    expect(JSON.parse(await response.text()).result.content[0].text).toContain("None");
  });
});
