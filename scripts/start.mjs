/**
 * `npm start`: the whole service on this machine, with stores ready to use.
 *
 * Standard output carries one thing, once the service answers: where it is and which keys open its stores (with --json
 * exactly one line). Everything else goes to standard error. All state lies in one folder, so a second start has the
 * same data and the same keys. The local runtime (workerd) is a child of this process and never outlives it.
 */
import { randomBytes } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { bundle, outputToStderr, runtimeOptions, urlOf } from "./bundle.mjs";
import { readDevKeys, writeDevKeys } from "./dev-keys.mjs";
import { greeting } from "./greeting.mjs";
import { askLocal, migrate } from "./migrate.mjs";
import { claimStateFolder, guardChildren } from "./state-lock.mjs";

const OPS_PER_LCN = 100_000;
const USAGE = `usage: npm start -- [--port P] [--state DIR] [--stores N] [--json] [--balance LCN] [--rate N] [--ops N]
                        [--model NAME]
  --port P       port on 127.0.0.1; 0 takes a free one (8787)
  --state DIR    where everything is kept (.dke)
  --stores N     how many stores to have ready (1)
  --json         one line of JSON instead of text for people
  --balance LCN  what the account of each store made now opens with (10^9 LangCoin)
  --rate N       calls a second of one key (1000)
  --ops N        ceiling of one call, in ops
  --model NAME   searches of the request endpoint go by meaning too: hash-512 is a stand-in for a model
`;

const flags = readFlags();
const stateFolder = resolve(flags.state);
mkdirSync(stateFolder, { recursive: true });
const release = await claimStateFolder(stateFolder);

let miniflare;
let ending = false;
listenForSignals();
endWithNpm();

try {
  await start();
} catch (error) {
  process.stderr.write(`dke did not start: ${error instanceof Error ? error.message : error}\n`);
  await end(1);
}

async function start() {
  await refuseTakenPort(flags.port);
  const localToken = randomBytes(32).toString("hex");
  const operatorSecret = randomBytes(32).toString("hex");
  const bindings = { LOCAL_TOKEN: localToken, OPERATOR_SECRET: operatorSecret, KEY_CALLS_PER_SECOND: flags.rate, CALL_LOG: "off" };
  if (flags.ops !== undefined) bindings.CALL_OPS_MAX = flags.ops;
  if (flags.model !== undefined) bindings.EMBEDDING_MODEL = flags.model;
  // Miniflare takes most of a second to load: the bundle is made beside it, and a wrong flag is told before it.
  const [script, { Miniflare }] = await Promise.all([bundle(), import("miniflare")]);
  miniflare = new Miniflare(runtimeOptions(script, { port: flags.port, stateFolder, bindings, onOutput: outputToStderr }));
  // It listens for signals too, and would end this process before the runtime has closed its databases.
  listenForSignals();
  const url = await urlOf(miniflare);
  guardChildren(stateFolder);
  await migrate(url, localToken);
  // For `npm run operator`: good for as long as this service runs.
  writeFileSync(join(stateFolder, "operator.json"), JSON.stringify({ url, secret: operatorSecret }), { mode: 0o600 });
  const stores = readDevKeys(stateFolder);
  while (stores.length < flags.stores) {
    stores.push(await askLocal(url, localToken, "store", { balanceOps: Math.round(flags.balance * OPS_PER_LCN) }));
    writeDevKeys(stateFolder, stores);
  }
  const dashboard = new URL("/dashboard", url);
  dashboard.hostname = "localhost"; // browsers make passkeys for names only
  const place = { url, request_url: new URL("/request", url).href, dashboard_url: dashboard.href };
  const ready = { ...place, stores: stores.slice(0, flags.stores) };
  process.stdout.write(flags.json ? `${JSON.stringify(ready)}\n` : greeting(ready));
}

/** The runtime would tell it as a crash of its own, with its stack. */
function refuseTakenPort(port) {
  return new Promise((free, taken) => {
    const probe = createServer();
    probe.once("error", (error) => taken(new Error(`port ${port} on 127.0.0.1 cannot be used (${error.code}): name another with --port`)));
    probe.listen(port, "127.0.0.1", () => probe.close(() => free()));
  });
}

function listenForSignals() {
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"]) {
    process.removeAllListeners(signal);
    process.on(signal, () => end(0));
  }
}

/**
 * Under `npm start` a signal to npm must end this process too, and npm killed outright can pass none on: then our
 * parent changes. Started by hand, a parent that goes away means nothing, since that is how one puts it in the background.
 */
function endWithNpm() {
  if (process.env.npm_lifecycle_event !== "start") return;
  const parent = process.ppid;
  setInterval(() => process.ppid !== parent && end(0), 250).unref();
}

/** Ends this process and the runtime under it; a second signal, or a runtime that will not go, changes nothing about that. */
async function end(code) {
  if (ending) return;
  ending = true;
  const late = setTimeout(() => process.exit(code), 3000);
  late.unref();
  try {
    await miniflare?.dispose();
  } finally {
    release();
    process.exit(code);
  }
}

function readFlags() {
  let values;
  try {
    ({ values } = parseArgs({
      options: {
        port: { type: "string", default: "8787" },
        state: { type: "string", default: ".dke" },
        stores: { type: "string", default: "1" },
        json: { type: "boolean", default: false },
        balance: { type: "string", default: "1000000000" },
        rate: { type: "string", default: "1000" },
        ops: { type: "string" },
        model: { type: "string" },
        help: { type: "boolean", default: false },
      },
    }));
  } catch (error) {
    return usage(error.message);
  }
  if (values.help) return usage("");
  const whole = (name, min, max) => {
    const value = Number(values[name]);
    if (values[name].trim() === "" || !Number.isInteger(value) || value < min || value > max)
      usage(`--${name}: got ${values[name]}, want a whole number from ${min} to ${max}`);
    return value;
  };
  return {
    port: whole("port", 0, 65_535),
    state: values.state,
    stores: whole("stores", 1, 1000),
    json: values.json,
    balance: decimal("balance", values.balance),
    rate: decimal("rate", values.rate),
    ops: values.ops === undefined ? undefined : whole("ops", 1, Number.MAX_SAFE_INTEGER),
    model: values.model,
  };
}

function decimal(name, text) {
  const value = Number(text);
  const positive = name === "balance" ? value >= 0 : value > 0;
  if (text.trim() === "" || !Number.isFinite(value) || !positive) usage(`--${name}: got ${text}, want a positive number`);
  return value;
}

function usage(problem) {
  process.stderr.write(problem === "" ? USAGE : `${problem}\n\n${USAGE}`);
  process.exit(problem === "" ? 0 : 2);
}
