/**
 * The machine beside CPython and beside the same program in plain JavaScript: CPU time of compile and run, median of
 * the runs, one process a run, taken in turn so that the load of the machine falls on all alike.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { median, table } from "./report.mjs";

const HERE = import.meta.dirname;

export async function benchLanguage({ runs = 3, python = "python3" } = {}) {
  const folder = mkdtempSync(join(tmpdir(), "dke-bench-"));
  try {
    const ours = join(folder, "ours.mjs");
    await build({
      entryPoints: [join(HERE, "lang/ours.ts")],
      bundle: true,
      format: "esm",
      platform: "node",
      target: "node20",
      loader: { ".wasm": "binary" },
      outfile: ours,
      logLevel: "error",
    });
    const hasPython = spawnSync(python, ["-c", "import sys; assert sys.version_info[:2] == (3, 11)"]).status === 0;
    const rows = [];
    for (const file of readdirSync(join(HERE, "lang/programs")).sort()) {
      const name = file.replace(/\.py$/, "");
      if (name.startsWith("b0")) continue;
      const path = join(HERE, "lang/programs", file);
      const peers = {
        limit: [process.execPath, [join(HERE, "lang/limit.mjs"), name]],
        ...(hasPython ? { cpython: [python, [join(HERE, "lang/cpython.py"), path]] } : {}),
        ours: [process.execPath, [ours, path]],
        warm: [process.execPath, [ours, path, "50000", "3"]],
        sliced: [process.execPath, [ours, path, "1000"]],
      };
      const times = Object.fromEntries(Object.keys(peers).map((p) => [p, []]));
      const outs = {};
      for (let i = 0; i < runs; i++)
        for (const [peer, [command, args]] of Object.entries(peers)) {
          const r = spawnSync(command, args, { encoding: "utf8", maxBuffer: 1 << 28, env: { ...process.env, PYTHONHASHSEED: "0" } });
          if (r.status !== 0) throw new Error(`${peer} failed on ${name}: ${r.stderr}`);
          const told = JSON.parse(r.stdout);
          times[peer].push(told.cpuMs);
          outs[peer] = told.out;
        }
      if (hasPython && outs.ours !== outs.cpython) throw new Error(`${name}: our output differs from CPython's`);
      rows.push({ name, ...Object.fromEntries(Object.entries(times).map(([p, t]) => [p, median(t)])) });
    }
    const mean = (key, over) => Math.exp(rows.reduce((s, r) => s + Math.log(r[key] / r[over]), 0) / rows.length);
    return [
      "## The machine: CPU ms of compile and run",
      "",
      table(
        [
          "program",
          "plain JS",
          ...(hasPython ? ["CPython 3.11"] : []),
          "DKE",
          ...(hasPython ? ["DKE / CPython"] : []),
          "DKE, third run in one process",
          ...(hasPython ? ["third run / CPython"] : []),
          "DKE / JS",
          "slices of 1,000 / 50,000",
        ],
        rows.map((r) => [
          r.name,
          r.limit.toFixed(0),
          ...(hasPython ? [r.cpython.toFixed(0)] : []),
          r.ours.toFixed(0),
          ...(hasPython ? [(r.ours / r.cpython).toFixed(2)] : []),
          r.warm.toFixed(0),
          ...(hasPython ? [(r.warm / r.cpython).toFixed(2)] : []),
          (r.ours / r.limit).toFixed(1),
          (r.sliced / r.ours).toFixed(2),
        ]),
      ),
      "",
      `Geometric means: ${hasPython ? `DKE / CPython ${mean("ours", "cpython").toFixed(2)}, third run / CPython ${mean("warm", "cpython").toFixed(2)}, ` : ""}DKE / plain JS ${mean("ours", "limit").toFixed(1)}, price of fifty times more suspensions ${mean("sliced", "ours").toFixed(2)}.`,
    ].join("\n");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
