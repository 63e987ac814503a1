/**
 * How long one call keeps the thread at a time, and what kept it: `npm run bench -- stretches`.
 *
 * The service runs in this process (scripts/load-in-node.mjs). A stretch is what the thread computes between two chances
 * for others, in its own processor time, so that what else the machine does is not in it. A profile of the same call
 * tells which functions the longest one spent it in: those that lie deepest under half of it.
 */
import { readFileSync } from "node:fs";
import { Session } from "node:inspector/promises";
import { loadInNode } from "../scripts/load-in-node.mjs";
import { median, table } from "./report.mjs";

const WARM = 4;
const ROUNDS = 5;
/** A turn that takes less was waited through. */
const IDLE_MS = 0.1;
const MODULE =
  "class Item:\n    size: int\n\n@rule\ndef large(i: Item):\n    when(i.size > 900)\n    conclude(i.large, True)\n\n@constraint\ndef apart(i: Item, j: Item):\n    when(i.size > 880, j.size > 870)\n    require(i.size + j.size < 1800)\n\ndef sum_of(n: int):\n    total = 0\n    for i in range(n):\n        total += i\n    return total\n";
const functions = (count, n) => Array.from({ length: count }, (_, i) => `def f${i}(a: int):\n    return a + ${i + n}\n`).join("\n");
const run = (source) => ["run", { source }];

/** By name, what is called: `n` is another number each time, so that no two calls are the same. */
const CALLS = {
  "a read": () => run('import items\nprint(Item["i1"].size)'),
  "300 updates": (n) => run(`import items\nfor i in range(300):\n    update(Item[f"i{i}"].size, i + ${n}, "s")`),
  "a dict of 20,000": (n) => run(`d = {}\nfor i in range(20000):\n    d[f"k{i}"] = [i + ${n}, str(i)]\nprint(len(d))`),
  "2,000 printed lines": (n) => run(`for i in range(2000):\n    print("line", i, ${n})`),
  "a module of 1,500 lines": (n) => ["compile", { name: "long", source: functions(500, n) }],
  "a module of 3,000 lines": (n) => ["compile", { name: "longer", source: functions(1000, n) }],
  "20,000 printed lines": (n) => run(`for i in range(20000):\n    print("line", i, ${n})`),
  "a run of 3,000 statements": (n) => run(Array.from({ length: 3000 }, (_, i) => `x${i} = ${i + n} * 3`).join("\n")),
  "16,000 subjects read": (n) => run(`import items\nprint(len([x for x in subjects(Item)]), ${n})`),
  "a checkup, 5,000,000 pairs looked at": () => ["checkup", {}],
  "200,000 texts sorted and joined": (n) =>
    run(`xs = [str(i * 7919 % 200003) for i in range(200000)]\nprint(len("".join(sorted(xs))), ${n})`),
  "a million numbers loaded": (n) => run(`import json\ns = "[" + "1," * 999999 + "${n}]"\nprint(len(json.loads(s)))`),
  "a list of 100,000 lists dumped": (n) => run(`import json\nprint(len(json.dumps([[i, str(i)] for i in range(100000)])), ${n})`),
  "a union of sets of 300,000": (n) => run(`a = set(range(300000))\nb = set(range(${n}, 300000 + ${n}))\nprint(len(a | b))`),
  "900,000 floats as text": (n) => run(`xs = [0.1] * 900000\nprint(len(str(xs)), ${n})`),
};

/** Those that read 16,000 subjects. */
const FILLED = ["16,000 subjects read", "a checkup, 5,000,000 pairs looked at"];

export async function benchStretches(wanted = Object.keys(CALLS)) {
  const service = await loadInNode({ CALL_LOG: "off", OPS_MAX: undefined });
  const { keys } = await service.newStore();
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.setSamplingInterval", { interval: 200 });
  let id = 0;
  const call = async ([name, args]) => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: ++id, method: "tools/call", params: { name, arguments: args } });
    const headers = { authorization: `Bearer ${keys["read-write"]}`, "content-type": "application/json" };
    const response = await service.fetch(new Request("http://127.0.0.1/", { method: "POST", headers, body }));
    let bytes = 0;
    let head = "";
    for await (const chunk of response.body) {
      if (bytes === 0) head = Buffer.from(chunk.slice(0, 4000)).toString();
      bytes += chunk.length;
    }
    if (!/"isError":false|^\s*$|"text":"OK /.test(head)) throw new Error(`${name}: ${head.slice(0, 300)}`);
    return bytes;
  };
  await call(["compile", { name: "items", source: MODULE }]);
  if (wanted.some((name) => FILLED.includes(name)))
    for (let at = 0; at < 16000; at += 4000)
      await call(run(`import items\nfor i in range(${at}, ${at + 4000}):\n    remember(Item[f"i{i}"].size, i % 900, "s")`));
  const rows = [];
  for (const name of wanted) {
    let n = 0;
    const make = () => CALLS[name](++n);
    for (let i = 0; i < WARM; i++) await call(make());
    const longest = [];
    const over = [];
    const total = [];
    for (let i = 0; i < ROUNDS; i++) {
      const stretches = await watched(call, make());
      longest.push(Math.max(...stretches.map((s) => s.ms)));
      over.push(stretches.filter((s) => s.ms > 8).length);
      total.push(stretches.reduce((sum, s) => sum + (s.ms > IDLE_MS ? s.ms : 0), 0));
    }
    await session.post("Profiler.start");
    const stretches = await watched(call, make());
    const { profile } = await session.post("Profiler.stop");
    const worst = [...stretches].sort((a, b) => b.ms - a.ms).slice(0, 3);
    rows.push([
      name,
      stretches.length,
      median(total).toFixed(0),
      median(longest).toFixed(1),
      median(over),
      worst.map((s) => `${s.ms.toFixed(1)}: ${holders(profile, s)}`).join("; "),
    ]);
  }
  service.end();
  session.disconnect();
  return [
    "## How long a call keeps the thread",
    "",
    table(
      [
        "call",
        "turns",
        "CPU ms in all",
        "longest stretch, CPU ms",
        "stretches over 8 ms",
        "the longest three of a profiled call, and what held them",
      ],
      rows,
    ),
  ].join("\n");
}

/** The stretches of one call: processor time of this thread from one turn of the loop to the next. */
async function watched(call, made) {
  const stretches = [];
  let isOn = true;
  let cpu = threadMs();
  let beganUs = nowUs();
  const beat = () => {
    const after = threadMs();
    const endedUs = nowUs();
    stretches.push({ ms: after - cpu, beganUs, endedUs });
    if (!isOn) return;
    cpu = threadMs();
    beganUs = nowUs();
    setImmediate(beat);
  };
  setImmediate(beat);
  await call(made);
  isOn = false;
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  return stretches;
}

/** Of the thread that asks. The kernel brings its figure up to date when it is asked for the whole process's. */
function threadMs() {
  process.cpuUsage();
  return Number(readFileSync("/proc/thread-self/schedstat", "latin1").split(" ", 1)[0]) / 1e6;
}
function nowUs() {
  return Number(process.hrtime.bigint() / 1000n);
}

/** What ran in a stretch: functions by how much of it lay in them or under them, those alone that lie deepest for their share. */
function holders(profile, { beganUs, endedUs }) {
  const nodes = new Map(profile.nodes.map((node) => [node.id, node]));
  const parent = new Map();
  for (const node of profile.nodes) for (const child of node.children ?? []) parent.set(child, node.id);
  const own = new Map();
  const under = new Map();
  let at = profile.startTime;
  let samples = 0;
  profile.samples.forEach((id, i) => {
    at += profile.timeDeltas[i];
    if (at < beganUs || at > endedUs) return;
    samples++;
    const seen = new Set();
    for (let node = id; node !== undefined; node = parent.get(node)) {
      const name = nameOf(nodes.get(node));
      if (node === id) own.set(name, (own.get(name) ?? 0) + 1);
      if (!seen.has(name)) under.set(name, (under.get(name) ?? 0) + 1);
      seen.add(name);
    }
  });
  if (samples === 0) return "nothing sampled";
  const share = (map, least, count) =>
    [...map]
      .filter(([name, hits]) => hits >= samples * least && !OUTER.has(name))
      .sort((a, b) => b[1] - a[1])
      .slice(0, count)
      .map(([name, hits]) => `${name} ${Math.round((hits / samples) * 100)} %`);
  return `under ${share(under, 0.15, 12).join(", ")}; in ${share(own, 0.08, 5).join(", ")}`;
}
const OUTER = new Set(["", "(root)", "processTicksAndRejections", "processTimers", "listOnTimeout", "drive"]);

function nameOf({ callFrame }) {
  return callFrame.functionName;
}
