/**
 * Requests that nobody would send, drawn from a seed: headers, bodies, JSON-RPC shapes, arguments, sources, and several
 * at once. Whatever is sent is answered, soon, in the shape of the contract, and never by our own fault.
 *
 *   node scripts/fuzz-wire.mjs [--requests N] [--seed S] [--over http]      (20000; over http or node)
 *
 * Over `node` the worker and the objects run in this process, some ten times as fast, and every line of the log is judged
 * too. A problem names the seed and the number of the request: the same seed draws the same requests.
 */
import { request as httpRequest } from "node:http";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { drawRequest } from "./fuzz/draw.mjs";
import { judge } from "./fuzz/judge.mjs";
import { judgeLog } from "./fuzz/judge-log.mjs";
import { seeded } from "./seeded.mjs";

/** Past this an answer counts as a hang. A draw's own work is short. */
const ANSWER_MS_MAX = 20_000;
/** Requests to one store: it grows, and so would the time of each. */
const REQUESTS_A_STORE = 1000;
/** More problems than anybody reads. */
const PROBLEMS_MAX = 20;

/**
 * @param draw.send  Sends one drawn request; gives `{status, headers, text}`.
 * @returns what was found wrong, and how many requests had which kind of answer.
 */
export async function fuzzWire({ send, keys, tools, requests, seed, atOnce = 4 }) {
  const chance = seeded(seed);
  const problems = [];
  const kinds = {};
  let drawn = 0;
  const work = async () => {
    while (drawn < requests && problems.length < PROBLEMS_MAX) {
      const number = drawn++;
      const sent = drawRequest(chance, keys, tools);
      try {
        const kind = judge(sent, await send(sent));
        kinds[kind] = (kinds[kind] ?? 0) + 1;
      } catch (error) {
        problems.push(`request ${number} of seed ${seed}: ${error.message}\n  ${JSON.stringify(sent).slice(0, 1500)}`);
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return { problems, kinds };
}

/** A header that Node itself will not send is sent without what it minds. */
const sendable = (headers) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value.replace(/[^\t\x20-\x7e]/g, "?")]));
const payloadOf = ({ body, bytes }) => (bytes === undefined ? Buffer.from(body, "utf8") : Buffer.from(bytes, "hex"));
const isBodiless = (method) => method === "GET" || method === "HEAD";

/** To a service in this process: `fetch` takes a Request. */
export function overFetch(fetch) {
  return async (sent) => {
    const { method, path, headers } = sent;
    const body = isBodiless(method) ? {} : { body: payloadOf(sent) };
    const response = await fetch(new Request(`http://127.0.0.1${path}`, { method, headers: sendable(headers), ...body }));
    return { status: response.status, headers: Object.fromEntries(response.headers), text: await response.text() };
  };
}

/** To a service at an address, each request on a connection of its own: a starved client would else write to one that is being closed. */
export function overHttp(url) {
  const { hostname, port } = new URL(url);
  return (sent) => sendOver(hostname, port, sent);
}

function sendOver(hostname, port, drawn) {
  const { method, path, headers } = drawn;
  const payload = payloadOf(drawn);
  return new Promise((resolve, reject) => {
    let sent;
    try {
      const withBody = isBodiless(method) ? {} : { "content-length": payload.length };
      sent = httpRequest({ hostname, port, path, method, agent: false, headers: { ...sendable(headers), ...withBody } });
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
    sent.end(isBodiless(method) ? undefined : payload);
  });
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { values } = parseArgs({
    options: {
      requests: { type: "string", default: "20000" },
      seed: { type: "string", default: "1" },
      over: { type: "string", default: "http" },
    },
  });
  const service = await (values.over === "node" ? startHere() : startThere());
  const total = { problems: [], kinds: {} };
  const names = { tools: [] };
  const log = values.over === "node" ? judgeLog(names) : undefined;
  const beganMs = Date.now();
  for (let sent = 0, seed = Number(values.seed); sent < Number(values.requests); sent += REQUESTS_A_STORE, seed++) {
    const { keys } = await service.newStore();
    const listed = await service.send({
      method: "POST",
      path: "/",
      headers: { authorization: `Bearer ${keys.read}` },
      body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
    });
    names.tools = JSON.parse(listed.text).result.tools;
    const found = await fuzzWire({
      send: service.send,
      keys: [...Object.values(keys), ...new Array(5).fill(keys["read-write-delete"])],
      tools: names.tools,
      requests: Math.min(REQUESTS_A_STORE, Number(values.requests) - sent),
      seed,
    });
    total.problems.push(...found.problems);
    for (const [kind, count] of Object.entries(found.kinds)) total.kinds[kind] = (total.kinds[kind] ?? 0) + count;
  }
  log?.end();
  total.problems.push(...(log?.problems ?? []));
  const summary = Object.entries(total.kinds)
    .sort()
    .map(([kind, count]) => `  ${kind}: ${count}`);
  process.stdout.write(
    `${values.requests} requests over ${values.over}, ${log === undefined ? "" : `${log.lines()} lines of the log, `}${total.problems.length} problems, ${Date.now() - beganMs} ms, seeds from ${values.seed}\n${[...summary, ...total.problems].join("\n")}\n`,
  );
  await service.end();
  process.exit(total.problems.length === 0 ? 0 : 1);
}

async function startThere() {
  const { startTrial } = await import("./trial-service.mjs");
  const service = await startTrial();
  return { ...service, send: overHttp(service.url) };
}

async function startHere() {
  const { loadInNode } = await import("./load-in-node.mjs");
  const service = await loadInNode({ CALL_OPS_MAX: 1_000_000 });
  return { ...service, send: overFetch(service.fetch) };
}
