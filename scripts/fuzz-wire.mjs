/**
 * Requests that nobody would send, drawn from a seed: headers, bodies, JSON-RPC shapes, arguments, sources, and several
 * at once. Whatever is sent is answered, soon, in the shape of the contract, and never by our own fault.
 *
 *   node scripts/fuzz-wire.mjs [--requests N] [--seed S]      (20000)
 *
 * A problem names the seed and the number of the request: the same seed draws the same requests.
 */
import { request as httpRequest } from "node:http";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { seeded } from "./seeded.mjs";

/** Past this an answer counts as a hang. A draw's own work is short. */
const ANSWER_MS_MAX = 20_000;

/** @returns what was found wrong, and how many requests had which kind of answer. */
export async function fuzzWire({ url, keys, tools, requests, seed, atOnce = 4 }) {
  const chance = seeded(seed);
  const problems = [];
  const kinds = {};
  let drawn = 0;
  const work = async () => {
    while (drawn < requests && problems.length < 20) {
      const number = drawn++;
      const sent = drawRequest(chance, keys, tools);
      try {
        const answer = await send(url, sent);
        const kind = judge(sent, answer);
        kinds[kind] = (kinds[kind] ?? 0) + 1;
      } catch (error) {
        problems.push(`request ${number} of seed ${seed}: ${error.message}\n  ${JSON.stringify(sent).slice(0, 1500)}`);
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return { problems, kinds };
}

// ---- what is sent

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
const PIECES = [
  "x",
  "y",
  "K",
  "K.a.x",
  "=",
  "==",
  "(",
  ")",
  "[",
  "]",
  "{",
  "}",
  ":",
  "\n",
  "\n    ",
  "    ",
  "\t",
  "def f(",
  "for i in ",
  "range(3)",
  "if ",
  "else:",
  "while ",
  "try:",
  "except ",
  "finally:",
  "raise ",
  "class P:",
  "@rule",
  "@computed",
  "@constraint",
  "when(",
  "conclude(",
  "import m",
  "from m import *",
  "lambda x: ",
  "1",
  "1.5e400",
  "10 ** 99999999",
  "'a'",
  '"',
  "'",
  "f'{",
  "}'",
  "b'\\x00'",
  "+",
  "-",
  "**",
  "//",
  "%",
  "@",
  "~",
  ",",
  ".",
  ";",
  "\\",
  "#",
  "# dke: edition=python.1\n",
  "# dke:\n",
  "with branch('b'):",
  "match x:",
  "case ",
  "_",
  "*",
  "return ",
  "yield ",
  "await ",
  "remember(K.a.x, ",
  ", 's')",
  "update(",
  "forget(K.a)",
  "why(K.a.x)",
  "print(",
  "current(",
  "get(",
  "[x for x in ",
  "'%s' % ",
  ".format(",
  "'x' * 10 ** 9",
  "[0] * 10 ** 9",
  "print(1, end=''",
  "é",
  "𝔘",
  "\u2028",
  "\ufeff",
  "\r\n",
  "\r",
  "del x",
  "global x",
  "x += ",
  "not ",
  "in ",
  "is ",
  "and ",
  "None",
  "True",
  "datetime('2026-01-01T00:00:00Z')",
  "duration('PT1H')",
  "prefer(K.a.x, 's')",
  "pin(K.a.x)",
  "commit()",
  "rollback()",
  "str(",
  "sorted(",
  "json.loads('{')",
  "import json\n",
  "import re\nre.match('(a*)*b', 'a' * 99)",
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
  "/dashboard",
];

function drawRequest(chance, keys, tools) {
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
  if (chance.chance(0.06)) return drawJson(chance, 3);
  const computing = tools.filter((tool) => tool.name === "run" || tool.name === "compile");
  const tool = chance.pick(chance.chance(0.5) ? computing : tools);
  const params = { name: chance.chance(0.97) ? tool.name : chance.pick(WORDS), arguments: drawArguments(chance, tool) };
  if (chance.chance(0.05)) params._meta = drawJson(chance, 2);
  if (chance.chance(0.03)) params.clientInfo = drawJson(chance, 2);
  if (chance.chance(0.03)) params.requestId = drawId(chance);
  if (chance.chance(0.02)) delete params.arguments;
  return params;
}

/** Right, nearly right, or anything. `report` is sent wrong only: what is right would be kept for people to read. */
function drawArguments(chance, tool) {
  if (chance.chance(0.05)) return drawJson(chance, 3);
  const args = {};
  for (const [name, schema] of Object.entries(tool.inputSchema.properties)) {
    const required = tool.inputSchema.required?.includes(name) ?? false;
    if (!chance.chance(required ? 0.95 : 0.3)) continue;
    args[name] = drawArgument(chance, name, schema);
  }
  if (tool.name === "report") args.kind = chance.pick(["nothing", 1, null]);
  if (chance.chance(0.05)) args[chance.pick(WORDS)] = drawJson(chance, 2);
  return args;
}

function drawArgument(chance, name, schema) {
  if (chance.chance(0.08)) return drawJson(chance, 2);
  if (schema.enum !== undefined && chance.chance(0.9)) return chance.pick(schema.enum);
  if (schema.const !== undefined && chance.chance(0.9)) return schema.const;
  return name === "source" ? drawSource(chance) : chance.pick(WORDS);
}

function drawSource(chance) {
  if (chance.chance(0.05))
    return chance.pick([
      "(".repeat(3000),
      `${"-".repeat(5000)}1`,
      "x = 1\n".repeat(5000),
      `x = ${"1 + ".repeat(5000)}1`,
      `${"if 1:\n ".repeat(200)}`,
      "'".repeat(10_000),
      `f'${"{".repeat(500)}`,
      "for i in range(10 ** 6):\n    x = [i] * 3",
    ]);
  return Array.from({ length: 1 + chance.below(25) }, () => chance.pick(PIECES)).join(chance.pick(["", " ", "\n"]));
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

// ---- how it is sent

function send(url, { method, path, headers, body, bytes }) {
  const { hostname, port } = new URL(url);
  const payload = bytes === undefined ? Buffer.from(body, "utf8") : Buffer.from(bytes, "hex");
  return new Promise((resolve, reject) => {
    let sent;
    try {
      // A header that Node itself will not send is sent without what it minds.
      const clean = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value.replace(/[^\t\x20-\x7e]/g, "?")]));
      const withBody = method === "GET" || method === "HEAD" ? {} : { "content-length": payload.length };
      sent = httpRequest({ hostname, port, path, method, headers: { ...clean, ...withBody } });
    } catch (error) {
      return reject(error);
    }
    const timer = setTimeout(() => {
      sent.destroy();
      reject(new Error(`no answer within ${ANSWER_MS_MAX} ms`));
    }, ANSWER_MS_MAX);
    sent.on("error", (error) => {
      clearTimeout(timer);
      reject(new Error(`the connection failed: ${error.message}`));
    });
    sent.on("continue", () => {});
    sent.on("response", (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (chunk) => {
        text += chunk;
      });
      response.on("error", reject);
      response.on("end", () => {
        clearTimeout(timer);
        resolve({ status: response.statusCode, headers: response.headers, text });
      });
    });
    sent.end(method === "GET" || method === "HEAD" ? undefined : payload);
  });
}

// ---- what may come back

const HTTP_CODES = {
  401: /^AUTH_/,
  403: /^ORIGIN_FORBIDDEN$/,
  404: /^NOT_FOUND$/,
  405: /^METHOD_NOT_ALLOWED$/,
  408: /^BODY_TIMEOUT$/,
  413: /^BODY_TOO_LARGE$/,
  415: /^BODY_ENCODED$/,
  429: /^RATE_LIMITED$/,
};
const RPC_CODES = [-32700, -32600, -32601, -32602, -32002];
const STATUSES = ["success", "refuse", "engine_error", "compile_error"];
const REASONS = [
  "out_of_surface",
  "incomplete_slots",
  "ambiguous",
  "scope_forbidden",
  "still_referenced",
  "pinned_address",
  "immutable_in_branch",
  "conflicting_write",
  "invalid_value",
  "limit_exceeded",
  "derived_field",
  "asserted_field",
  "not_recorded",
  "already_in_effect",
];

function want(condition, what) {
  if (!condition) throw new Error(what);
}

/** Throws where the answer is not one the contract knows; gives its kind. */
function judge(sent, { status, headers, text }) {
  want(status < 500, `HTTP ${status}: ${text.slice(0, 300)}`);
  want(!/\.[jt]s:\d|node_modules|SQLITE_|workerd|\\n +at \w/.test(text), `an answer tells how the service is built: ${text.slice(0, 400)}`);
  if (status === 202 || status === 204) {
    want(text === "", `${status} with a body`);
    return String(status);
  }
  if (sent.method === "HEAD") return `HEAD ${status}`;
  want(headers["content-type"] === "application/json", `content-type ${headers["content-type"]}`);
  const answer = JSON.parse(text);
  if (status !== 200) {
    want(HTTP_CODES[status]?.test(answer.code) === true, `HTTP ${status} ${text.slice(0, 200)}`);
    want(typeof answer.message === "string" && answer.message.endsWith("."), "an HTTP refusal says what to do");
    want(status !== 401 || headers["www-authenticate"] === 'Bearer realm="DKE"', "a 401 carries the challenge");
    return `HTTP ${status}`;
  }
  if (answer.status === "ok" && sent.path === "/health") return "health";
  want(answer.jsonrpc === "2.0" && "id" in answer, "JSON-RPC 2.0 with an id");
  want("result" in answer !== "error" in answer, "a result or an error, and one of them");
  checkId(sent, answer.id);
  if ("error" in answer) {
    want(RPC_CODES.includes(answer.error.code), `error ${answer.error.code}: ${answer.error.message}`);
    want(typeof answer.error.message === "string" && answer.error.message.length > 0, "an error has a message");
    return `error ${answer.error.code}`;
  }
  if (answer.result.content === undefined) return "result";
  return checkToolResult(answer.result);
}

/** The id of a request comes back as it was, its type included; otherwise null. */
function checkId(sent, id) {
  let message;
  try {
    message = JSON.parse(sent.body.replace(/^\ufeff/, ""));
  } catch {
    return want(id === null, `an id of a body that is no JSON: ${id}`);
  }
  const given = typeof message === "object" && message !== null ? message.id : undefined;
  const valid = typeof given === "string" || Number.isSafeInteger(given);
  want(id === null || (valid && id === given), `asked as ${JSON.stringify(given)}, answered as ${JSON.stringify(id)}`);
}

function checkToolResult({ content, isError, _meta: meta }) {
  want(STATUSES.includes(meta.status), `status ${meta.status}`);
  want(isError === (meta.status !== "success"), "isError is status other than success");
  want((meta.refuse_reason !== undefined) === (meta.status === "refuse"), "a refusal has its reason, and nothing else has one");
  want(meta.refuse_reason === undefined || REASONS.includes(meta.refuse_reason), `refuse_reason ${meta.refuse_reason}`);
  want(Number.isSafeInteger(meta.ops) && meta.ops >= 0, `ops ${meta.ops}`);
  for (const name of ["tenant_id", "key_id", "answered_at"]) want(typeof meta[name] === "string" && meta[name] !== "", name);
  for (const item of content) want(item.type === "text" && typeof item.text === "string" && item.text !== "", "content is text");
  if (meta.status === "compile_error") {
    want(["parse_error", "type_error"].includes(meta.compile_status), `compile_status ${meta.compile_status}`);
    want(meta.diagnostics.length > 0 && meta.diagnostics.length <= 20, `${meta.diagnostics.length} diagnostics`);
    for (const one of meta.diagnostics) want(one.line > 0 && one.col > 0 && one.message !== "", `diagnostic ${JSON.stringify(one)}`);
  }
  if (content.length > 1) want(JSON.parse(content[1].text).status === meta.status, "the mirror agrees");
  return meta.status === "refuse" ? `refuse ${meta.refuse_reason}` : meta.status;
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { values } = parseArgs({ options: { requests: { type: "string", default: "20000" }, seed: { type: "string", default: "1" } } });
  const { startTrial } = await import("./trial-service.mjs");
  const service = await startTrial();
  const { keys } = await service.newStore();
  const listed = await fetch(service.url, {
    method: "POST",
    headers: { authorization: `Bearer ${keys.read}` },
    body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
  });
  const { result } = await listed.json();
  const beganMs = Date.now();
  const found = await fuzzWire({
    url: service.url,
    keys: Object.values(keys),
    tools: result.tools,
    requests: Number(values.requests),
    seed: Number(values.seed),
  });
  const summary = Object.entries(found.kinds)
    .sort()
    .map(([kind, count]) => `  ${kind}: ${count}`);
  process.stdout.write(
    `${values.requests} requests, ${found.problems.length} problems, ${Date.now() - beganMs} ms, seed ${values.seed}\n${[...summary, ...found.problems].join("\n")}\n`,
  );
  await service.end();
  process.exit(found.problems.length === 0 ? 0 : 1);
}
