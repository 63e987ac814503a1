/**
 * Many keys on many stores at once, over HTTP, and beside it in the same run a Durable Object that only echoes: what the
 * platform takes here for any call at all. Then readers of one store. (What one store at full load does to another:
 * isolation.mjs.)
 *
 * `LOAD_MINUTES` (10; with 1 it ends in about 100 s), `LOAD_CALLS_PER_S` (60): calls come at a steady rate, whether or not earlier
 * ones are answered, so that a slow answer is seen as what it is. CPU time is that of the runtime's process, all its threads.
 */
import { Miniflare } from "miniflare";
import { urlOf } from "../scripts/bundle.mjs";
import { seeded } from "../scripts/seeded.mjs";
import { startTrial } from "../scripts/trial-service.mjs";
import { median, quantile, table } from "./report.mjs";
import { cpuMsOf, runtimeUnder } from "./runtime-cpu.mjs";
import { expectDone, pause, resultFault, Sender, steadily } from "./sending.mjs";

const STORES = 50;
/** Made at once, while the bench is set up. */
const STORES_AT_ONCE = 10;
const LEVELS = ["read", "read-add", "read-write", "read-write-delete"];
const MODULE =
  "class Item:\n    size: int\n    label: string\n\n@rule\ndef large(i: Item):\n    when(i.size > 900)\n    conclude(i.large, True)\n\ndef sum_of(n: int):\n    total = 0\n    for i in range(n):\n        total += i\n    return total\n";

export async function benchLoad() {
  const minutes = Number(process.env.LOAD_MINUTES ?? 10);
  const perSecond = Number(process.env.LOAD_CALLS_PER_S ?? 60);
  const service = await startTrial();
  const servicePid = runtimeUnder();
  const echo = await startEcho(servicePid);
  const sender = new Sender();
  try {
    const chance = seeded(20261130);
    const stores = [];
    while (stores.length < STORES) {
      const made = Array.from({ length: STORES_AT_ONCE }, async () => {
        const store = await service.newStore();
        await expectDone(sender.call(service.url, store.keys["read-write"], "compile", { name: "items", source: MODULE }));
        return store;
      });
      stores.push(...(await Promise.all(made)));
    }
    sender.sentAgain = 0;
    const load = { ours: [], echo: [], errors: [], kinds: {}, cpuMs: 0, echoCpuMs: 0 };
    // In turn, so that the load of the machine falls on both alike.
    const rounds = Math.max(1, Math.round(minutes));
    for (let round = 0; round < rounds; round++) {
      const cpu = cpuMsOf(servicePid);
      await steadily((minutes / rounds) * 60_000, perSecond, async () => {
        const { kind, level, send } = drawCall(chance, sender, service.url, stores);
        const beganMs = performance.now();
        const wrong = await send().catch((error) => String(error.message));
        load.ours.push(performance.now() - beganMs);
        load.kinds[kind] = (load.kinds[kind] ?? 0) + 1;
        if (wrong !== null) load.errors.push(`${kind} at ${level}: ${wrong}`);
      });
      load.cpuMs += cpuMsOf(servicePid) - cpu;
      const echoCpu = cpuMsOf(echo.pid);
      await steadily(Math.max(3000, (minutes / rounds) * 5_000), perSecond, async () => {
        const beganMs = performance.now();
        const body = JSON.stringify({
          jsonrpc: "2.0",
          id: 1,
          method: "tools/call",
          params: { name: "run", arguments: { source: "print(1)" } },
        });
        const { text } = await sender.post(`${echo.url}?store=${chance.below(STORES)}`, "", body);
        load.echo.push(performance.now() - beganMs);
        if (text !== body) load.errors.push(`echo: ${text.slice(0, 100)}`);
      });
      load.echoCpuMs += cpuMsOf(echo.pid) - echoCpu;
    }
    load.sentAgain = sender.sentAgain;
    const readers = await readersTogether(sender, service, stores[2]);
    return render({ minutes, perSecond, load, readers });
  } finally {
    sender.end();
    await service.end();
    await echo.end();
  }
}

// ---- what is called

function drawCall(chance, sender, url, stores) {
  const store = chance.pick(stores);
  const level = chance.pick(LEVELS);
  const key = store.keys[level];
  const item = `Item["i${chance.below(500)}"]`;
  const tool = (kind, name, args) => ({ kind, level, send: () => resultFault(sender.call(url, key, name, args)) });
  const run = (kind, source) => tool(kind, "run", { source });
  const writes = level === "read-write" || level === "read-write-delete";
  const part = chance.below(100);
  if (part < 30) return run("a read", `import items\nprint(${item}.size, ${item}.large)`);
  if (part < 40) return run("a search", "import items\nprint(len(find(Item, large=True)))");
  if (part < 65)
    return writes
      ? run("a write", `import items\nupdate(${item}.size, ${chance.below(1000)}, "s")\nupdate(${item}.label, "${chance.below(1e6)}", "s")`)
      : run("a read", `import items\nprint(value(${item}.label))`);
  if (part < 75) return run("a script", `import items\nprint(items.sum_of(${1000 * (1 + chance.below(20))}))`);
  if (part < 78)
    return writes ? tool("compile", "compile", { name: "items", source: MODULE }) : tool("list", "list", { target: "scripts" });
  if (part < 83) return tool("list", "list", { target: chance.pick(["scripts", "rules", "kinds"]) });
  if (part < 88) return tool("checkup", "checkup", {});
  if (part < 92) return tool("spec", "spec", { topic: "header" });
  return {
    kind: "initialize, tools/list, ping",
    level,
    send: async () => {
      const method = chance.pick(["initialize", "tools/list", "ping"]);
      const { status, text } = await sender.post(
        url,
        key,
        JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { clientInfo: { name: "load", version: "1" } } }),
      );
      return status === 200 && JSON.parse(text).result !== undefined ? null : `HTTP ${status} ${text.slice(0, 200)}`;
    },
  };
}

/** A short read while eight long ones run on the same store, and a short write in the same place. */
async function readersTogether(sender, service, store) {
  const { read } = store.keys;
  const long = () => expectDone(sender.call(service.url, read, "run", { source: "t = 0\nfor i in range(3000000):\n    t += i\nprint(t)" }));
  await long();
  const began = performance.now();
  const running = Array.from({ length: 8 }, () => long().then(() => performance.now() - began));
  await pause(100);
  const shortBegan = performance.now();
  const short = sender.call(service.url, read, "run", { source: "print(1)" }).then(() => performance.now() - shortBegan);
  const write = sender.call(service.url, store.keys["read-write"], "run", { source: "print(1)" }).then(() => performance.now() - began);
  const ends = await Promise.all(running);
  return { shortMs: await short, firstEndMs: Math.min(...ends), lastEndMs: Math.max(...ends), writerMs: await write };
}

// ---- the echo

/** A worker before one Durable Object a store, which gives back what it got. */
async function startEcho(notPid) {
  const script = `
    import { DurableObject } from "cloudflare:workers";
    export class Echo extends DurableObject { echo(text) { return text; } }
    export default { async fetch(request, env) {
      const store = new URL(request.url).searchParams.get("store");
      return new Response(await env.ECHO.get(env.ECHO.idFromName(store)).echo(await request.text()), { headers: { "content-type": "application/json" } });
    } };`;
  const miniflare = new Miniflare({
    name: "echo",
    cf: false,
    host: "127.0.0.1",
    port: 0,
    unsafeDirectSockets: [{ host: "127.0.0.1", port: 0 }],
    modules: [{ type: "ESModule", path: "echo.js", contents: script }],
    compatibilityDate: "2026-04-20",
    durableObjects: { ECHO: { className: "Echo", useSQLite: true } },
  });
  const url = await urlOf(miniflare);
  return { url, pid: runtimeUnder(notPid), end: () => miniflare.dispose() };
}

// ---- what it says

function render({ minutes, perSecond, load, readers }) {
  const row = (name, times, cpuMs) => [
    name,
    times.length,
    median(times).toFixed(1),
    quantile(times, 0.99).toFixed(1),
    Math.max(...times).toFixed(0),
    (cpuMs / times.length).toFixed(2),
  ];
  return [
    `## ${STORES * LEVELS.length} keys on ${STORES} stores, ${perSecond} calls a second for ${minutes} minutes`,
    "",
    table(
      ["", "calls", "p50 ms", "p99 ms", "most ms", "CPU ms a call"],
      [row("ours, mixed calls", load.ours, load.cpuMs), row("a bare object's echo", load.echo, load.echoCpuMs)],
    ),
    "",
    `Errors: ${load.errors.length}${load.errors.length === 0 ? "" : `\n${load.errors.slice(0, 10).join("\n")}`}. Calls: ${Object.entries(
      load.kinds,
    )
      .map(([kind, count]) => `${kind} ${count}`)
      .join(", ")}. Sent once more, because a kept connection was reset before an answer: ${load.sentAgain}.`,
    "",
    `Readers of one store: beside eight long reads a short one was answered after ${readers.shortMs.toFixed(0)} ms; the long ones ended after ${readers.firstEndMs.toFixed(0)} to ${readers.lastEndMs.toFixed(0)} ms; a call of a key that may write had its turn after ${readers.writerMs.toFixed(0)} ms.`,
  ].join("\n");
}
