/**
 * What one store at full load does to the calls of another, over HTTP: quiet and loaded rounds in turn, so that what else
 * the machine does falls on both alike. About 80 seconds; 2,000 reads a side, so that p99 is the twentieth worst.
 *
 * Here all objects share one thread of the local runtime, so this measures how long the loaded store keeps it at a time.
 * Beside the time of the clock, which other work on the machine stretches, stands what that thread computed meanwhile.
 */
import { startTrial } from "../scripts/trial-service.mjs";
import { median, quantile, table } from "./report.mjs";
import { runtimeUnder, threadCpuMsOf } from "./runtime-cpu.mjs";
import { expectDone, resultFault, Sender, steadily } from "./sending.mjs";

const ROUNDS = 10;
const ROUND_MS = 4_000;
const READS_PER_S = 50;
const MODULE =
  "class Item:\n    size: int\n\n@rule\ndef large(i: Item):\n    when(i.size > 900)\n    conclude(i.large, True)\n\ndef sum_of(n: int):\n    total = 0\n    for i in range(n):\n        total += i\n    return total\n";
/** What the loaded store always has before it, one of each: no two calls of a kind are the same. */
const LOADS = [
  (n) => ["run", { source: `import items\nfor i in range(300):\n    update(Item[f"i{i}"].size, i + ${n}, "s")` }],
  (n) => ["run", { source: `d = {}\nfor i in range(20000):\n    d[f"k{i}"] = [i + ${n}, str(i)]\nprint(len(d))` }],
  (n) => ["run", { source: `for i in range(2000):\n    print("line", i, ${n})` }],
  (n) => [
    "compile",
    { name: "long", source: Array.from({ length: 500 }, (_, i) => `def f${i}(a: int):\n    return a + ${i + n}\n`).join("\n") },
  ],
];
const READ = 'import items\nprint(Item["i1"].size)';

export async function benchIsolation() {
  const service = await startTrial();
  const runtime = runtimeUnder();
  const sender = new Sender();
  try {
    const loaded = (await service.newStore()).keys["read-write"];
    const other = (await service.newStore()).keys;
    const run = (key, source) => resultFault(sender.call(service.url, key, "run", { source }));
    for (const key of [loaded, other["read-write"]])
      await expectDone(sender.call(service.url, key, "compile", { name: "items", source: MODULE }));
    await run(other["read-write"], 'import items\nupdate(Item.i1.size, 5, "s")');
    const times = { quiet: [], loaded: [] };
    const computed = { quiet: [], loaded: [] };
    const errors = [];
    const noted = async (call) => {
      const fault = await call;
      if (fault !== null) errors.push(fault);
    };
    let calls = 0;
    const load = (make) => resultFault(sender.call(service.url, loaded, ...make(calls++)));
    // The code both run is compiled before anything counts.
    for (let i = 0; i < 10; i++) for (const make of LOADS) await noted(load(make));
    for (let i = 0; i < 200; i++) await noted(run(other.read, READ));
    for (let round = 0; round < 2 * ROUNDS; round++) {
      const state = round % 2 === 0 ? "quiet" : "loaded";
      let on = state === "loaded";
      const callers = LOADS.map(async (make) => {
        while (on) await noted(load(make));
      });
      await steadily(ROUND_MS, READS_PER_S, async () => {
        const beganMs = performance.now();
        const began = threadCpuMsOf(runtime);
        await noted(run(other.read, READ));
        computed[state].push(threadCpuMsOf(runtime) - began);
        times[state].push(performance.now() - beganMs);
      });
      on = false;
      await Promise.all(callers);
    }
    return render(times, computed, { calls, errors, sentAgain: sender.sentAgain });
  } finally {
    sender.end();
    await service.end();
  }
}

function render(times, computed, { calls, errors, sentAgain }) {
  const row = (name, all) => [name, all.length, median(all), quantile(all, 0.9), quantile(all, 0.99), Math.max(...all)].map(shown);
  const ratio = (q, of = times) => (quantile(of.loaded, q) / quantile(of.quiet, q)).toFixed(2);
  return [
    "## A store beside another at full load",
    "",
    table(
      ["a read of one store", "calls", "p50 ms", "p90 ms", "p99 ms", "most ms"],
      [
        row("quiet", times.quiet),
        row("beside the load", times.loaded),
        row("quiet, computed meanwhile", computed.quiet),
        row("beside the load, computed meanwhile", computed.loaded),
      ],
    ),
    "",
    `At p99 ${ratio(0.99)} × the quiet time, at p50 ${ratio(0.5)} ×; by what was computed ${ratio(0.99, computed)} × and ${ratio(0.5, computed)} ×. The other store answered ${calls} calls meanwhile: 300 updates, a dict of 20,000, 2,000 printed lines, a module of 1,500 lines. Errors: ${errors.length}${errors.length === 0 ? "" : ` (${errors[0]})`}. Sent once more: ${sentAgain}.`,
  ].join("\n");
}

const shown = (value) => (typeof value === "number" && !Number.isInteger(value) ? value.toFixed(1) : value);
