/**
 * Requests that nobody would send: headers, bodies, JSON-RPC shapes, arguments. Sources come from draw-source.mjs.
 */
import { drawSource } from "./draw-source.mjs";

const WORDS = [
  "",
  "a",
  "a.b",
  "a.b.c",
  ".",
  "..",
  "__proto__",
  "__proto__.x",
  "a.constructor",
  "toString",
  "math",
  "é.ü",
  "\0",
  "a\u202e.b",
  "None",
  "def",
  "a b",
  "1",
  "-1",
  "true",
  "\ud800",
  "\udfff.x",
  "💥",
  "名前",
  "v1.2.3",
  "-rc",
  "_",
  "x".repeat(5000),
];
/** Names that other draws leave behind. */
const KNOWN = ["alpha", "beta", "alpha.go", "beta.go", "alpha.big", "alpha.labelled", "mark", "mark.2"];
const METHODS = [
  "tools/list",
  "initialize",
  "ping",
  "server/discover",
  "resources/list",
  "notifications/cancelled",
  "notifications/initialized",
  "toString",
  "",
  "tools/call\0",
];
const HEADERS = {
  accept: ["*/*", "text/html", "application/json", "text/event-stream", "", "x".repeat(4000)],
  "content-type": ["application/json", "text/plain", "application/json; charset=utf-16", "", "multipart/form-data; boundary=x"],
  "mcp-protocol-version": ["2024-11-05", "2026-07-28", "1", "é"],
  "mcp-session-id": ["x", "a".repeat(2000)],
  "mcp-method": ["tools/call", "x"],
  "last-event-id": ["4"],
  "x-forwarded-for": ["1.2.3.4", "x"],
  "cf-connecting-ip": ["1.2.3.4", "::1", "x"],
  "content-encoding": ["identity", "gzip", "br", "x"],
  origin: ["http://localhost:3000", "https://evil.example", "null", "http://127.0.0.1"],
  cookie: ["a=b"],
  expect: ["100-continue"],
  "x-local-token": ["", "a".repeat(64)],
  host: ["127.0.0.1", "evil.example", "127.0.0.1:1"],
  connection: ["close", "keep-alive"],
  range: ["bytes=0-1"],
  "if-none-match": ["*"],
};
const PATHS = [
  "/",
  "/",
  "/",
  "/",
  "/",
  "/",
  "/",
  "/",
  "/",
  "/",
  "/?key=x",
  "/nowhere",
  "/.well-known/oauth-protected-resource",
  "/register",
  "/__local/store",
  "/health",
  "//",
  "/%2e%2e/",
  "/request",
];

export function drawRequest(chance, keys, tools) {
  const headers = {};
  if (chance.chance(0.15)) for (let n = chance.below(4); n >= 0; n--) Object.assign(headers, drawHeader(chance));
  const authorization = drawAuthorization(chance, keys);
  if (authorization !== null) headers.authorization = authorization;
  const path = chance.chance(0.9) ? "/" : chance.pick(PATHS);
  const method = chance.chance(0.95) ? "POST" : chance.pick(["GET", "PUT", "DELETE", "HEAD", "OPTIONS", "PATCH"]);
  return { method, path, headers, ...drawBody(chance, tools) };
}

function drawHeader(chance) {
  const name = chance.pick(Object.keys(HEADERS));
  return { [name]: chance.pick(HEADERS[name]) };
}

function drawAuthorization(chance, keys) {
  if (chance.chance(0.9)) return `Bearer ${chance.pick(keys)}`;
  const key = chance.pick(keys);
  const at = chance.below(key.length);
  const odd = [
    null,
    "",
    "Bearer",
    "Bearer ",
    `bearer\t${key}`,
    `Bearer ${key}, Bearer ${key}`,
    key,
    `Basic ${key}`,
    "Bearer dke_c_x",
    `Bearer ${key.slice(0, at)}${chance.pick([..."0aZ-"])}${key.slice(at + 1)}`,
    `Bearer ${key.slice(0, at)}`,
    `Bearer ${"z".repeat(600)}`,
  ];
  return chance.pick(odd);
}

/** `body` is sent as UTF-8, `bytes` (hex) as they are. */
function drawBody(chance, tools) {
  if (chance.chance(0.04))
    return { bytes: Array.from({ length: chance.below(40) }, () => chance.below(256).toString(16).padStart(2, "0")).join("") };
  if (chance.chance(0.06)) return { body: breakText(chance, JSON.stringify(drawMessage(chance, tools))) };
  if (chance.chance(0.03))
    return {
      body: chance.pick([
        "",
        "[]",
        "{}",
        "null",
        "1",
        '"x"',
        `${"[".repeat(20_000)}`,
        `${'{"a":'.repeat(5000)}1${"}".repeat(5000)}`,
        '{"jsonrpc":"2.0","id":1,"method":"ping"}\n{"jsonrpc":"2.0","id":2,"method":"ping"}',
        " ".repeat(100_000),
        '\ufeff{"jsonrpc":"2.0","id":1,"method":"ping"}',
        '{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}',
        '[{"jsonrpc":"2.0","id":1,"method":"ping"}]',
      ]),
    };
  return { body: JSON.stringify(drawMessage(chance, tools)) };
}

function breakText(chance, text) {
  const at = chance.below(text.length + 1);
  return chance.pick([
    text.slice(0, at),
    text.slice(0, at) + chance.pick(["\0", '"', "}", "\\", "\n", "\\u12", "é", ","]) + text.slice(at),
    text + text,
    text.replaceAll('"', "'"),
  ]);
}

function drawMessage(chance, tools) {
  const message = {
    jsonrpc: "2.0",
    id: drawId(chance),
    method: chance.chance(0.8) ? "tools/call" : chance.pick(METHODS),
    params: drawParams(chance, tools),
  };
  if (chance.chance(0.05)) delete message[chance.pick(Object.keys(message))];
  if (chance.chance(0.05))
    message[chance.pick(["jsonrpc", "id", "method", "params", "result", "error", "__proto__", "extra"])] = drawJson(chance, 3);
  return message;
}

function drawId(chance) {
  return chance.chance(0.9)
    ? chance.below(1000)
    : chance.pick(["x", "", -1, 0, 2 ** 53 - 1, 2 ** 53, 1.5, null, true, [], {}, "é\ud800", "x".repeat(1000)]);
}

function drawParams(chance, tools) {
  if (chance.chance(0.03)) return drawJson(chance, 3);
  const computing = tools.filter((tool) => tool.name === "run" || tool.name === "compile");
  const tool = chance.pick(chance.chance(0.6) ? computing : tools);
  const params = { name: chance.chance(0.97) ? tool.name : chance.pick(WORDS), arguments: drawArguments(chance, tool) };
  if (chance.chance(0.05)) params._meta = drawJson(chance, 2);
  if (chance.chance(0.03)) params.clientInfo = drawJson(chance, 2);
  if (chance.chance(0.03)) params.requestId = drawId(chance);
  if (chance.chance(0.02)) delete params.arguments;
  return params;
}

/** Right, nearly right, or anything. `report` is sent wrong only: what is right would be kept for people to read. */
function drawArguments(chance, tool) {
  if (chance.chance(0.02)) return drawJson(chance, 3);
  const args = {};
  for (const [name, schema] of Object.entries(tool.inputSchema.properties)) {
    const required = tool.inputSchema.required?.includes(name) ?? false;
    if (!chance.chance(required ? 0.98 : name === "source" ? 0.9 : 0.1)) continue;
    args[name] = drawArgument(chance, tool, name, schema);
  }
  if (tool.name === "report") args.kind = chance.pick(["nothing", 1, null]);
  if (chance.chance(0.02)) args[chance.pick(WORDS)] = drawJson(chance, 2);
  return args;
}

function drawArgument(chance, tool, name, schema) {
  if (chance.chance(0.03)) return drawJson(chance, 2);
  if (schema.enum !== undefined && chance.chance(0.9)) return chance.pick(schema.enum);
  if (schema.const !== undefined && chance.chance(0.9)) return schema.const;
  if (name === "source") return drawSource(chance, tool.name === "compile");
  return chance.pick(chance.chance(0.7) ? KNOWN : WORDS);
}

function drawJson(chance, depth) {
  const kind = chance.below(depth > 0 ? 8 : 6);
  if (kind === 0) return null;
  if (kind === 1) return chance.chance(0.5);
  if (kind === 2) return chance.pick([0, -0, 1, -1, 1e308, 5e-324, 2 ** 53, 0.1]);
  if (kind < 6) return chance.pick(WORDS);
  if (kind === 6) return Array.from({ length: chance.below(4) }, () => drawJson(chance, depth - 1));
  return Object.fromEntries(Array.from({ length: chance.below(4) }, () => [chance.pick(WORDS), drawJson(chance, depth - 1)]));
}
