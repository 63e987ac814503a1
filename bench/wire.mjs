/**
 * Round trips over HTTP against the real service on this machine: the smallest `run` beside `ping`, which does no store
 * work, and beside the health route, which is the runtime's own answer (the physical limit of a request here).
 */
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { median, quantile, table } from "./report.mjs";

export async function benchWire({ calls = 1000 } = {}) {
  const state = mkdtempSync(join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "dke-bench-"));
  const service = spawn(
    process.execPath,
    [join(import.meta.dirname, "../scripts/start.mjs"), "--port", "0", "--state", state, "--json", "--rate", "1000000"],
    {
      stdio: ["ignore", "pipe", "ignore"],
    },
  );
  try {
    const told = await new Promise((resolve, reject) => {
      let text = "";
      service.stdout.on("data", (c) => (text += c).includes("\n") && resolve(JSON.parse(text)));
      service.on("exit", (code) => reject(new Error(`the service ended with ${code}`)));
    });
    const key = told.stores[0].keys["read-write"];
    const post = (body) =>
      fetch(told.url, {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        body: JSON.stringify(body),
      }).then((r) => r.text());
    const run = (source) => post({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "run", arguments: { source } } });
    let n = 0;
    const kinds = {
      "GET /health (no key, no store)": () => fetch(new URL("/health", told.url)).then((r) => r.text()),
      "ping (key checked)": () => post({ jsonrpc: "2.0", id: 1, method: "ping" }),
      "run `print(1)`": () => run("print(1)"),
      "run with a read": () => run("print(Bench.a.x)"),
      "run with one remember": () => run(`remember(Bench["s${n++}"].x, ${n}, "bench")`),
    };
    const times = Object.fromEntries(Object.keys(kinds).map((k) => [k, []]));
    for (const call of Object.values(kinds)) for (let i = 0; i < 50; i++) await call();
    // In turn, so that the load of the machine falls on all alike.
    for (let i = 0; i < calls; i++)
      for (const [name, call] of Object.entries(kinds)) {
        const t = performance.now();
        await call();
        times[name].push(performance.now() - t);
      }
    const limit = median(times["GET /health (no key, no store)"]);
    return [
      "## A round trip over HTTP, one after another",
      "",
      table(
        ["request", "median ms", "p99 ms", "of the bare request"],
        Object.entries(times).map(([k, t]) => [
          k,
          median(t).toFixed(2),
          quantile(t, 0.99).toFixed(2),
          `${(median(t) / limit).toFixed(1)} ×`,
        ]),
      ),
    ].join("\n");
  } finally {
    service.kill("SIGTERM");
    await new Promise((resolve) => service.on("exit", resolve));
    rmSync(state, { recursive: true, force: true });
  }
}
