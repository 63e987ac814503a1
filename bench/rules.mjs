/**
 * The reasoner beside plain JavaScript and the WebAssembly products that do the same work: one process a measurement,
 * taken in turn, so that the load of the machine falls on all alike; median of the runs. Ours runs in a heap of 128 MiB.
 *
 * Oxigraph, SWI-Prolog, Cozo and clingo are no dependencies: they are installed at exact versions into a temporary folder,
 * and left out where that fails.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { median, table } from "./report.mjs";

const HERE = join(import.meta.dirname, "rules");
const PEERS = ["oxigraph@0.5.11", "swipl-wasm@8.0.5", "cozo-lib-wasm@0.7.6", "clingo-wasm@0.5.0"];
/** What has to be beaten, and what is aimed at, in seconds on an idle machine. */
const WORK = {
  chain: { text: "closure of a chain, 499,500 facts", least: 0.52, aim: 0.3 },
  random: { text: "closure of a random graph, 880,793", least: 1.36, aim: 0.75 },
  grid: { text: "closure of a grid, 266,750", least: 0.36, aim: 0.2 },
  generation: { text: "same generation, 1,398,100", least: 1.4, aim: 0.8 },
  totals: { text: "negation, count and sum over 100,000 orders", least: 0.24, aim: 0.05 },
};
const RECORDED_FACTS = 100_000;
const MS = (seconds) => (seconds === undefined ? "" : (seconds * 1000).toFixed(seconds < 0.01 ? 1 : 0));

export async function benchRules({ runs = 3 } = {}) {
  const folder = mkdtempSync(join(tmpdir(), "dke-bench-"));
  try {
    const ours = join(folder, "ours.mjs");
    await build({
      entryPoints: [join(HERE, "ours.ts")],
      bundle: true,
      format: "esm",
      platform: "node",
      target: "node20",
      outfile: ours,
      logLevel: "error",
    });
    writeFileSync(join(folder, "package.json"), "{}");
    const npm = spawnSync("npm", ["install", "--no-audit", "--no-fund", "--ignore-scripts", ...PEERS], { cwd: folder, timeout: 180_000 });
    const peers = {
      "plain JS": (work) => [join(HERE, "reference.mjs"), work],
      "SQLite wasm": (work) => [join(HERE, "sqlite.mjs"), work],
      ...(npm.status !== 0
        ? {}
        : {
            "Oxigraph wasm": (work) => (work === "generation" ? null : [join(HERE, "oxigraph.mjs"), work, folder]),
            "SWI-Prolog wasm": (work) => (work === "totals" ? null : [join(HERE, "swipl.mjs"), work, folder]),
            "Cozo wasm": (work) => [join(HERE, "cozo.mjs"), work, folder],
            // On the totals it answers with an error that has no text.
            "clingo wasm": (work) => (work === "totals" ? null : [join(HERE, "clingo.mjs"), work, folder]),
          }),
      DKE: (work) => ["--max-old-space-size=128", ours, work],
    };
    const found = {};
    for (const work of Object.keys(WORK)) {
      const told = Object.fromEntries(Object.keys(peers).map((peer) => [peer, []]));
      for (let i = 0; i < runs; i++)
        for (const [peer, argsOf] of Object.entries(peers)) {
          const args = argsOf(work);
          const line = args === null ? null : measure(peer, work, args);
          if (line !== null) told[peer].push(line);
        }
      found[work] = Object.fromEntries(Object.entries(told).map(([peer, lines]) => [peer, medians(lines)]));
    }
    const recorded = { bare: [], ruled: [] };
    for (let i = 0; i < runs; i++)
      for (const way of Object.keys(recorded)) recorded[way].push(printed("writes.ts", way, String(RECORDED_FACTS)).seconds);
    const writes = { withRules: median(recorded.ruled), without: median(recorded.bare) };
    return [report(found, Object.keys(peers)), writesReport(writes), momentsReport(printed("moments.ts"))].join("\n\n");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What a script beside this one prints, in a process of its own. */
function printed(name, ...args) {
  const tsx = join(HERE, "../../node_modules/tsx/dist/cli.mjs");
  return JSON.parse(execFileSync(process.execPath, [tsx, join(HERE, name), ...args], { encoding: "utf8" }));
}

/** Null where a product does not come to an end here: its cell stays empty. */
function measure(peer, work, args) {
  const r = spawnSync(process.execPath, args, { encoding: "utf8", timeout: 600_000 });
  if (r.error?.code === "ETIMEDOUT" && peer !== "DKE") return null;
  if (r.status !== 0) throw new Error(`${peer} failed on ${work}: ${r.stderr}`);
  // A product may say something of its own before.
  return JSON.parse(r.stdout.trim().split("\n").at(-1));
}

function medians(lines) {
  if (lines.length === 0) return {};
  return Object.fromEntries(Object.keys(lines[0]).map((key) => [key, median(lines.map((line) => line[key]))]));
}

function writesReport({ withRules, without }) {
  return [
    "### Recording under rules",
    "",
    `One program records ${RECORDED_FACTS.toLocaleString("en")} facts, store and encryption included, one process a measurement: ${without.toFixed(2)} s under no`,
    `rule, ${withRules.toFixed(2)} s under a negation, a count and a sum over groups of fifty orders: ${(withRules / without).toFixed(1)} times as long (at most 3, aim 2).`,
  ].join("\n");
}

function momentsReport({ orders, first, median: again }) {
  const rows = [
    ["a recorded value, now", "recorded"],
    ["a sum over fifty orders, now", "total"],
    ["the same, `at=` a past instant", "total at="],
    ["the same, `known_at=` a past moment", "total known_at="],
    ["one step of a rule, `known_at=`", "open known_at="],
    ["a closure of a thousand, `known_at=`", "path known_at="],
  ];
  return [
    "### One conclusion read, ms a call",
    "",
    `A store of ${orders.toLocaleString("en")} orders, one read a call, the whole call: at least 10, aim 2.`,
    "",
    table(
      ["read", "first", "median of fifteen"],
      rows.map(([text, key]) => [text, first[key].toFixed(1), again[key].toFixed(1)]),
    ),
  ].join("\n");
}

function report(found, peers) {
  const products = peers.filter((peer) => peer !== "DKE" && peer !== "plain JS");
  const closures = ["chain", "random", "grid"];
  const best = (work) => Math.min(...products.map((peer) => found[work][peer].s ?? Number.POSITIVE_INFINITY));
  return [
    "## Rules: from recorded facts to all conclusions, ms",
    "",
    table(
      ["work", ...peers, "DKE / best product", "DKE / plain JS", "at least", "aim", "DKE heap MB", "DKE peak RSS MB"],
      Object.entries(WORK).map(([work, { text, least, aim }]) => [
        text,
        ...peers.map((peer) => MS(found[work][peer].s)),
        (found[work].DKE.s / best(work)).toFixed(2),
        (found[work].DKE.s / found[work]["plain JS"].s).toFixed(1),
        MS(least),
        MS(aim),
        (found[work].DKE.standingMb ?? found[work].DKE.heapMb).toFixed(0),
        found[work].DKE.peakMb.toFixed(0),
      ]),
    ),
    "",
    "### One change once it stands, and one proof, ms",
    "",
    "First: nothing of it is compiled yet and indexes are built. Again: the third of five.",
    "",
    table(
      ["work", ...closures.map((work) => `${work}: plain JS`), ...closures.map((work) => `${work}: DKE`), "at least", "aim"],
      [
        ["an edge more, about 1,000 facts, first", "A", 5, 2],
        ["an edge more that adds nothing", "B", 5, 2],
        ["that edge less, about 1,000 facts lost, first", "C", 10, 5],
        ["an edge less: 187,250 / 0 / 624 facts lost", "D", 10, 5],
        ["an edge more, again", "later", 5, 2],
        ["that edge less, again", "laterLess", 10, 5],
        ["the longest proof, first", "why", 5, 1],
        ["the longest proof, again", "whyAgain", 5, 1],
      ].map(([text, key, least, aim]) => [
        text,
        ...closures.map((work) => MS(found[work]["plain JS"][key])),
        ...closures.map((work) => MS(found[work].DKE[key])),
        String(least),
        String(aim),
      ]),
    ),
  ].join("\n");
}
