/**
 * Round trips over HTTP against the real service on this machine: the smallest `run` beside `ping`, which does no store
 * work, and beside the health route, which is the runtime's own answer (the physical limit of a request here).
 */
import { median, quantile, table } from "./report.mjs";
import { withService } from "./service.mjs";

export function benchWire({ calls = 1000 } = {}) {
  return withService(async ({ url, keys, post }) => {
    const ask = (body) => post(url, keys["read-write"], body);
    const run = (source) => ask({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "run", arguments: { source } } });
    let n = 0;
    const kinds = {
      "GET /health (no key, no store)": () => fetch(new URL("/health", url)).then((r) => r.text()),
      "ping (key checked)": () => ask({ jsonrpc: "2.0", id: 1, method: "ping" }),
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
  });
}
