/**
 * What a start costs: processor time of the whole runtime, all threads, for the first calls of cold objects, beside a request
 * that wakes the object and computes nothing. The module compiled has a thousand lines.
 */
import { readdirSync, readFileSync } from "node:fs";
import { startTrial } from "../scripts/trial-service.mjs";
import { largeModule } from "./large-module.mjs";
import { median, table } from "./report.mjs";

/** Processes that this one started, theirs included. */
function offspring(pid) {
  const parentOf = (id) => {
    try {
      return Number(readFileSync(`/proc/${id}/stat`, "utf8").split(") ")[1].split(" ")[1]);
    } catch {
      return -1;
    }
  };
  const mine = readdirSync("/proc").filter((id) => /^\d+$/.test(id) && parentOf(id) === pid);
  return mine.flatMap((id) => [id, ...offspring(Number(id))]);
}
function cpuMs(pids) {
  let ns = 0;
  for (const pid of pids)
    for (const thread of readdirSync(`/proc/${pid}/task`)) {
      try {
        ns += Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ")[0]);
      } catch {
        // The thread has ended.
      }
    }
  return ns / 1e6;
}
const settle = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** @param objects  Stores whose calls are measured, one after another. */
export async function benchStart(objects = 7) {
  const trial = await startTrial();
  try {
    const pids = offspring(process.pid);
    const source = largeModule();
    const use = `import m\nprint(m.describe_1("a,b"))`;
    const ask = async (store, method, params) => {
      const response = await fetch(trial.url, {
        method: "POST",
        headers: {
          authorization: `Bearer ${store.keys["read-write"]}`,
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
        },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, ...(params ? { params } : {}) }),
      });
      const text = await response.text();
      if (method !== "ping" && !text.includes(`"text":"OK `)) throw new Error(text.slice(0, 400));
    };
    const tool = (name, args) => (store) => ask(store, "tools/call", { name, arguments: args });
    const steps = [
      ["ping: the object wakes", (store) => ask(store, "ping")],
      ["`run` of `print(1)`, its first", tool("run", { source: "print(1)" })],
      ["the same again", tool("run", { source: "print(1)" })],
      [`\`compile\` of ${source.split("\n").length} lines, stored`, tool("compile", { name: "m", source })],
      ["`run` that imports it and calls one script, its first", tool("run", { source: use })],
      ["the same again", tool("run", { source: use })],
    ];
    const times = steps.map(() => []);
    for (let i = 0; i < objects; i++) {
      const store = await trial.newStore();
      for (const [k, [, step]] of steps.entries()) {
        await settle(200);
        const before = cpuMs(pids);
        await step(store);
        await settle(100);
        times[k].push(cpuMs(pids) - before);
      }
    }
    return [
      "## The start: CPU ms of the runtime, all threads",
      "",
      table(
        ["call", "in the first object of a new process", "in the objects after it, median"],
        steps.map(([name], k) => [name, times[k][0].toFixed(0), median(times[k].slice(1)).toFixed(0)]),
      ),
    ].join("\n");
  } finally {
    await trial.end();
  }
}
