/**
 * By hand: `npx tsx test/lang/fuzz/compare.ts <first seed> <count>` runs that many programs here and in CPython 3.11 and
 * shows where they differ. `--library`: programs over the served library instead (library_programs.py). `--record <n>` writes
 * the expectations that fuzz.test.ts reads.
 */
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { generate } from "./generate";
import { type Outcome, outcomeOf } from "./outcome";

const BATCH = 250;

/** The programs of these seeds. */
function programs(seeds: readonly number[]): string[] {
  if (!process.argv.includes("--library")) return seeds.map(generate);
  const args = [join(import.meta.dirname, "library_programs.py"), String(seeds[0]), String(seeds.length)];
  const made = spawnSync("python3.11", args, { maxBuffer: 1 << 28 });
  if (made.status !== 0) throw new Error(String(made.stderr));
  return JSON.parse(String(made.stdout)) as string[];
}

function cpython(sources: readonly string[]): Outcome[] {
  const ran = spawnSync("python3.11", [join(import.meta.dirname, "cpython.py")], {
    input: JSON.stringify(sources),
    env: { ...process.env, PYTHONHASHSEED: "0" },
    maxBuffer: 1 << 28,
  });
  if (ran.status !== 0) throw new Error(String(ran.stderr));
  return (JSON.parse(String(ran.stdout)) as [string, string][]).map(([out, ending]) => ({ out, ending }));
}

/** What CPython answers differently from run to run: the hash of a NaN, the order of types and of None in a set. */
function isUnsettled(source: string, want: Outcome, got: Outcome): boolean {
  if (/hash\(/.test(source) && /nan/.test(source)) return true;
  const [x, y] = [want.out.split("\n"), got.out.split("\n")];
  const at = x.findIndex((line, i) => line !== y[i]);
  if (at < 0) return false;
  const reordered = [...x[at]!].sort().join("") === [...(y[at] ?? "")].sort().join("");
  return /\{.*<class '/.test(x[at]!) || (reordered && /\{.*None/.test(x[at]!));
}

function firstDifference(a: string, b: string): string {
  const x = a.split("\n");
  const y = b.split("\n");
  const at = x.findIndex((l, i) => l !== y[i]);
  const i = at < 0 ? x.length : at;
  return `  python: ${x[i] ?? "(nothing)"}\n  dke:    ${y[i] ?? "(nothing)"}`;
}

const [first, count] = [Number(process.argv[2] ?? 1), Number(process.argv[3] ?? 250)];
const record = process.argv[4] === "--record";
const recorded: { seed: number; out: string; ending: string }[] = [];
let same = 0;
let completed = 0;
let skipped = 0;
let rejected = 0;
let limited = 0;
let unsettled = 0;
for (let at = first; at < first + count; at += BATCH) {
  const seeds = Array.from({ length: Math.min(BATCH, first + count - at) }, (_, i) => at + i);
  const sources = programs(seeds);
  const wanted = cpython(sources);
  seeds.forEach((seed, i) => {
    const want = wanted[i]!;
    if (want.ending.startsWith("SyntaxError") || want.ending === "too long" || /MemoryError/.test(want.ending + want.out)) {
      skipped++;
      if (process.argv.includes("--syntax")) console.log(`seed ${seed}: ${want.ending}`);
      return;
    }
    let got: Outcome;
    try {
      got = outcomeOf(sources[i]!);
      const cut = outcomeOf(sources[i]!, 1 + (seed % 7));
      if (cut.out !== got.out || cut.ending !== got.ending)
        console.log(`seed ${seed} cut: ${cut.ending}\n${firstDifference(got.out, cut.out)}`);
    } catch (thrown) {
      got = { out: "", ending: `crash: ${(thrown as Error).stack}` };
    }
    if (got.out === want.out && got.ending === want.ending) {
      same++;
      if (want.ending === "completed") completed++;
      if (record) recorded.push({ seed, ...want });
      return;
    }
    if (isUnsettled(sources[i]!, want, got)) {
      unsettled++;
      return;
    }
    // A size that this language bounds and CPython does not; what is refused by name.
    if (/LimitExceeded|the sign of a NaN is not kept/.test(got.out + got.ending) || got.ending.startsWith("refused: limit_exceeded")) {
      limited++;
      return;
    }
    // What the checker refuses, Python raises as well.
    if (got.ending.startsWith("rejected: TypeError: ") && got.ending.slice(10) === want.ending) {
      same++;
      return;
    }
    if (got.ending.startsWith("rejected")) {
      rejected++;
      if (!process.argv.includes("--rejected")) return;
    }
    console.log(`seed ${seed}\n  ended  ${want.ending} | ${got.ending}\n${firstDifference(want.out, got.out)}`);
  });
}
console.log(
  `${count} programs: ${same} the same (${completed} completed), ${rejected} rejected, ${limited} limited, ${unsettled} unsettled, ${skipped} skipped`,
);
if (record)
  writeFileSync(join(import.meta.dirname, "../../testdata/fuzz/recorded.jsonl"), recorded.map((r) => `${JSON.stringify(r)}\n`).join(""));
