/**
 * Records what MCP clients send to this service and get back, as test data that is replayed on every test run.
 *
 *   node scripts/clients/record.mjs --packages DIR [--client NAME]
 *
 * The clients are not among this project's packages, being large: DIR/NAME/node_modules holds each (drivers.mjs says which
 * package). Each goes the eleven steps: connect, list, call, refused, mended, key refused, no credit, past an allowance,
 * long call, given up, close. Between client and service stands a proxy that notes every request, answer and departure.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer, request as httpRequest } from "node:http";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { startTrial } from "../trial-service.mjs";
import { DRIVERS } from "./drivers.mjs";
import { shapeOf } from "./shape.mjs";

const OUT = join(import.meta.dirname, "../../test/testdata/clients");
/** Said of the connection, not of the client's wishes. */
const LEFT_OUT = ["host", "connection", "content-length", "transfer-encoding", "authorization", "accept-encoding", "keep-alive"];
const REPORTS_A_DAY = 20;

const { values } = parseArgs({ options: { packages: { type: "string" }, client: { type: "string" } } });
const service = await startTrial();
mkdirSync(OUT, { recursive: true });
for (const [name, driver] of Object.entries(DRIVERS)) {
  if (values.client !== undefined && values.client !== name) continue;
  const proxy = await startProxy(service.url);
  const stores = { rich: await service.newStore(), poor: await service.newStore(0), busy: await service.newStore() };
  const keys = Object.entries(stores).flatMap(([store, { keys: levels }]) =>
    Object.entries(levels).map(([level, key]) => [key, `${store} ${level}`]),
  );
  const named = new Map(keys);
  const wrong = `${stores.rich.keys.read.slice(0, -1)}${stores.rich.keys.read.endsWith("0") ? "1" : "0"}`;
  named.set(wrong, "wrong");
  const { connect, version } = await driver(resolve(values.packages, name));
  const steps = await goThrough((key) => connect(proxy.url, key), stores, wrong);
  await proxy.end();
  const events = proxy.events(named);
  const text = `${JSON.stringify({ client: `${name} ${version}`, steps, events }, null, 1)}\n`;
  writeFileSync(join(OUT, `${name}.json`), text);
  process.stdout.write(`${name} ${version}: ${events.length} events\n${steps.map((step) => `  ${step}\n`).join("")}`);
}
await service.end();
process.exit(0);

/** The eleven steps; what each came to, a line each. */
async function goThrough(connect, stores, wrong) {
  const lines = [];
  const step = async (name, work) => {
    try {
      lines.push(`${name}: ${await work()}`);
    } catch (error) {
      lines.push(
        `${name}: failed: ${String(error?.message ?? error)
          .replace(/dke_s_\w+/g, "<key>")
          .replace(/127\.0\.0\.1:\d+/g, "<host>")
          .slice(0, 300)}`,
      );
    }
  };
  const told = (result) => {
    const text = JSON.stringify(result) ?? "nothing";
    const status = /\\*"status\\*":\s*\\*"(\w+)/.exec(text)?.[1];
    return status ?? /(OK \w+|error: [^"\\]{0,60})/.exec(text)?.[0] ?? text.slice(0, 120);
  };
  let client;
  await step("connect", async () => {
    client = await connect(stores.rich.keys["read-write-delete"]);
    return "connected";
  });
  if (client === undefined) return lines;
  await step("list", async () => `${(await client.list()).length} tools`);
  await step("call", async () => told(await client.call("run", { source: 'remember(K.a.x, "ü", "s")\nprint(K.a.x)' })));
  await step("refused", async () => told(await client.call("run", { source: "pin(K.nothing.x)" })));
  await step("mended", async () => {
    const first = told(await client.call("compile", { name: "m", source: "def f(n):\n    while n > 0:\n        n = n - 1\n" }));
    return `${first}, then ${told(await client.call("compile", { name: "m", source: "def f(n):\n    for i in range(n):\n        pass\n" }))}`;
  });
  await step("key refused", async () => {
    const other = await connect(wrong);
    try {
      return `connected; ${told(await other.call("run", { source: "print(1)" }))}`;
    } finally {
      await other.close();
    }
  });
  await step("no credit", async () => {
    const other = await connect(stores.poor.keys["read-write"]);
    try {
      return told(await other.call("run", { source: "print(1)" }));
    } finally {
      await other.close();
    }
  });
  await step("past an allowance", async () => {
    const other = await connect(stores.busy.keys.none);
    try {
      for (let n = 0; n < REPORTS_A_DAY; n++) await other.call("report", { kind: "feedback", text: "x" });
      return told(await other.call("report", { kind: "feedback", text: "x" }));
    } finally {
      await other.close();
    }
  });
  await step("long call", async () =>
    told(await client.call("run", { source: "t = 0\nfor i in range(15000000):\n    t = t + i\nprint(t)" })),
  );
  await step("given up", async () => {
    if (client.giveUp === undefined) return "this client cannot";
    const said = await client.giveUp("run", { source: 'for i in range(100000000):\n    update(Beat.b.n, i, "w")' }, 1500);
    const read = async () => JSON.stringify(await client.call("run", { source: "print(value(Beat.b.n))" })).match(/\d{3,}/)?.[0];
    const then = await read();
    await new Promise((r) => setTimeout(r, 300));
    return `${said}; the program ${(await read()) === then ? "stopped" : "runs on"}`;
  });
  await step("close", async () => {
    await client.close();
    return "closed";
  });
  return lines;
}

/** Passes everything on, and notes it. */
async function startProxy(target) {
  const { hostname, port } = new URL(target);
  const noted = [];
  let count = 0;
  const server = createServer((received, answer) => {
    const chunks = [];
    received.on("data", (chunk) => chunks.push(chunk));
    received.on("end", () => {
      const body = Buffer.concat(chunks);
      const number = count++;
      noted.push({ send: number, method: received.method, path: received.url, headers: received.headers, body: body.toString() });
      const headers = { ...received.headers, "accept-encoding": "identity" };
      const passed = httpRequest({ hostname, port, method: received.method, path: received.url, headers }, (response) => {
        answer.writeHead(response.statusCode, response.headers);
        let text = "";
        response.on("data", (chunk) => {
          text += chunk;
          answer.write(chunk);
        });
        response.on("end", () => {
          noted.push({ answered: number, status: response.statusCode, text });
          answer.end();
        });
        response.on("error", () => answer.destroy());
      });
      passed.on("error", () => answer.destroy());
      answer.on("close", () => {
        if (answer.writableFinished) return;
        noted.push({ left: number });
        passed.destroy();
      });
      passed.end(body);
    });
  });
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    async end() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
    events: (named) =>
      noted.map((one) => {
        if (one.left !== undefined) return one;
        if (one.answered !== undefined) return { answered: one.answered, ...shapeOf(one.status, one.text) };
        const key = /^Bearer (.*)$/i.exec(one.headers.authorization ?? "")?.[1];
        const headers = Object.fromEntries(Object.entries(one.headers).filter(([name]) => !LEFT_OUT.includes(name)));
        return {
          send: one.send,
          method: one.method,
          path: one.path,
          ...(key === undefined ? {} : { key: named.get(key) ?? "another" }),
          headers,
          ...(one.body === "" ? {} : { body: one.body.startsWith("{") ? JSON.parse(one.body) : one.body }),
        };
      }),
  };
}
