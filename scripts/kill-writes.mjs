/**
 * Kills the service with `kill -9` at random moments while writers write, starts it again, and holds what it then says
 * against what it had acknowledged: nothing acknowledged lost, nothing torn, no half compile (contract §6).
 *
 *   node scripts/kill-writes.mjs [--kills N] [--seed S] [--writers N]      (20, 1, 4)
 *
 * The service is `scripts/start.mjs` in a process of its own; the runtime under it is killed first, so that nothing has
 * time to tidy up. Standard error tells how it goes, standard output one line at the end.
 */
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { seeded } from "./seeded.mjs";

const START = join(import.meta.dirname, "start.mjs");
/** From the start of the writers to the kill, in milliseconds. */
const ALIVE_MS = { least: 20, most: 2500 };
const RESTART_MS_MAX = 60_000;
const MODULES = 3;
const BRANCH_FIELDS = Array.from({ length: 12 }, (_, i) => `f${i}`);

/** Each is one call, number `n` of round `r`. */
const WRITES = {
  /** Two statements of one call: both or, unacknowledged, any first part. */
  plain: (r, n) => `remember(Plain_${r}["${n}"].a, ${n}, "w")\nremember(Plain_${r}["${n}"].b, ${n}, "w")`,
  /** A branch lands whole or not at all, even where nobody was told. */
  branch: (r, n) =>
    `with branch("b"):\n${BRANCH_FIELDS.map((f) => `    remember(Branch_${r}["${n}"].${f}, ${n}, "w")`).join("\n")}\n    commit()`,
  /** One cell that is written again and again: its history has them all. */
  update: (r, n) => `update(Last_${r}.one.n, ${n}, "w")`,
  /** As `plain`, in a world that lasts. */
  world: (r, n) =>
    `if "kept_${r}" not in worlds():\n    create_world("kept_${r}")\nwith world("kept_${r}"):\n    remember(Inside_${r}["${n}"].a, ${n}, "w")\n    remember(Inside_${r}["${n}"].b, ${n}, "w")`,
  /** A world's merge lands whole or not at all. */
  merge: (r, n) =>
    `create_world("m_${r}_${n}")\nwith world("m_${r}_${n}"):\n${BRANCH_FIELDS.map((f) => `    remember(Merged_${r}["${n}"].${f}, ${n}, "w")`).join("\n")}\nmerge_world("m_${r}_${n}")`,
};

/** A module that says one number in three ways: its script, its body's write, and its rule, which adds the two. */
const moduleSource = (n) =>
  `class Thing:\n    n: int\n\n@rule\ndef doubled(t: Thing):\n    when(t.n > 0)\n    conclude(t.twice, t.n * 2 + ${n})\n\ndef number():\n    return ${n}\n\nupdate(Thing["t"].n, ${n}, "body")\n`;

/** @returns {{ kills, acknowledged, restartsMs, problems }} `problems`: what was found wrong, a sentence each. */
export async function killWrites({ kills, seed, writers = 4, tell = () => {} }) {
  const chance = seeded(seed);
  const folder = mkdtempSync(join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "dke-kills-"));
  const found = { kills: 0, acknowledged: 0, restartsMs: [], problems: [] };
  const rounds = [];
  let service = null;
  try {
    for (; found.kills <= kills; found.kills++) {
      const beganMs = Date.now();
      service = await startService(folder);
      const before = rounds.at(-1);
      await firstAnswer(service);
      found.restartsMs.push(Date.now() - beganMs);
      if (before !== undefined)
        await checkRound(service, before, (problem) => found.problems.push(`seed ${seed}, kill ${found.kills}: ${problem}`));
      if (found.kills === kills) break;
      const round = {
        id: found.kills,
        sent: 0,
        acknowledged: { plain: [], branch: [], update: [], world: [], merge: [], compile: [] },
        compiled: [],
      };
      rounds.push(round);
      await writeUntilKilled(service, round, writers, ALIVE_MS.least + chance.below(ALIVE_MS.most - ALIVE_MS.least), chance.below(2) === 0);
      for (const list of Object.values(round.acknowledged)) found.acknowledged += list.length;
      tell(`kill ${found.kills + 1}: ${found.acknowledged} acknowledged so far, ${found.problems.length} problems`);
    }
    // What stood after its own kill must stand after all later ones.
    for (const round of rounds)
      await checkRound(service, round, (problem) => found.problems.push(`seed ${seed}, at the end: ${problem}`), true);
  } finally {
    await service?.end();
    rmSync(folder, { recursive: true, force: true });
  }
  return found;
}

async function writeUntilKilled(service, round, writers, aliveMs, compiles) {
  let killed = false;
  const loops = Array.from({ length: writers }, async (_, writer) => {
    while (!killed) {
      const n = ++round.sent;
      if (compiles && writer === 0) {
        const module = `m${n % MODULES}`;
        const answer = await call(service, "compile", { name: module, source: moduleSource(n + 1000 * round.id) });
        if (isDone(answer)) round.acknowledged.compile.push({ module, n: n + 1000 * round.id });
        else if (answer !== null && !killed && answer.error === undefined)
          throw new Error(`compile was not done: ${JSON.stringify(answer)}`);
        continue;
      }
      const [kind, source] = pickWrite(round, n);
      const answer = await call(service, "run", { source });
      if (isDone(answer)) round.acknowledged[kind].push(n);
      else if (answer !== null && !killed && answer.error === undefined) throw new Error(`${kind} was not done: ${JSON.stringify(answer)}`);
    }
  });
  await pause(aliveMs);
  service.kill();
  killed = true;
  await service.ended;
  await Promise.all(loops);
}

function pickWrite(round, n) {
  const kinds = Object.keys(WRITES);
  const kind = kinds[n % kinds.length];
  return [kind, WRITES[kind](round.id, n)];
}

/** `later`: other rounds came since, so that modules say other numbers. */
async function checkRound(service, round, problem, later = false) {
  const r = round.id;
  const plain = await printed(service, `print([s.a for s in subjects(Plain_${r}) if s.b == s.a])`);
  missing(round.acknowledged.plain, plain, (n) => problem(`round ${r}: call ${n} of two writes was acknowledged and is not there whole`));
  const whole = BRANCH_FIELDS.map((f) => `s.${f} == s.f0`).join(" and ");
  for (const [kind, Kind] of [
    ["branch", "Branch"],
    ["merge", "Merged"],
  ]) {
    const landed = await printed(service, `print([s.f0 for s in subjects(${Kind}_${r}) if ${whole}])`);
    missing(round.acknowledged[kind], landed, (n) => problem(`round ${r}: ${kind} ${n} was acknowledged and is not there`));
    const [any] = await printed(service, `print([len(subjects(${Kind}_${r}))])`);
    if (any !== landed.length) problem(`round ${r}: of kind ${kind} ${any - landed.length} are there in part`);
  }
  const there = `found = []\nif "kept_${r}" in worlds():\n    with world("kept_${r}"):\n        found = [s.a for s in subjects(Inside_${r}) if s.b == s.a]\nprint(found)`;
  const inside = await printed(service, there);
  missing(round.acknowledged.world, inside, (n) => problem(`round ${r}: call ${n} in a world was acknowledged and is not there whole`));
  if ((await printed(service, `print([len(subjects(Inside_${r}))])`))[0] !== 0) problem(`round ${r}: what a world holds shows outside`);
  const updates = await printed(service, `print([c.value for c in history(Last_${r}.one.n)])`);
  missing(round.acknowledged.update, updates, (n) => problem(`round ${r}: update ${n} was acknowledged and is not in the history`));
  if (later) return;
  for (let i = 0; i < MODULES; i++) {
    const module = `m${i}`;
    const kept = round.acknowledged.compile.filter((one) => one.module === module).at(-1);
    const [stands] = await printed(service, `print([1 if "${module}.number" in list_scripts() else 0])`);
    if (stands === 0) {
      if (kept !== undefined) problem(`round ${r}: ${module} was acknowledged and is not there`);
      continue;
    }
    const source = `import ${module}\nt = ${module}.Thing["t"]\nprint([${module}.number(), t.n, t.twice])`;
    const [said, written, concluded] = await printed(service, source);
    if (written !== said || concluded !== written * 2 + said)
      problem(`round ${r}: ${module} is half compiled: ${[said, written, concluded]}`);
    if (kept !== undefined && said < kept.n) problem(`round ${r}: ${module} says ${said} though ${kept.n} was acknowledged`);
  }
}

function missing(acknowledged, found, tell) {
  const there = new Set(found);
  for (const n of acknowledged) if (!there.has(n)) tell(n);
}

const isDone = (answer) => answer?.result?.isError === false;

/** The list of numbers that a program prints. */
async function printed(service, source) {
  const answer = await call(service, "run", { source });
  if (!isDone(answer)) throw new Error(`a read was not answered: ${JSON.stringify(answer)}`);
  return JSON.parse(answer.result._meta.transcript.find((entry) => entry.kind === "print").value);
}

/** Null where no answer came. */
async function call({ url, key }, name, args) {
  try {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } });
    const response = await fetch(url, { method: "POST", headers: { authorization: `Bearer ${key}` }, body });
    return JSON.parse(await response.text());
  } catch {
    return null;
  }
}

async function firstAnswer(service) {
  if ((await printed(service, "print([1 + 1])"))[0] !== 2) throw new Error("a wrong first answer");
}

async function startService(folder) {
  const flags = ["--json", "--port", "0", "--state", folder, "--rate", "1000000"];
  const child = spawn(process.execPath, [START, ...flags], { stdio: ["ignore", "pipe", "pipe"], cwd: tmpdir() });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  let stdout = "";
  let stderr = "";
  child.stderr.on("data", (data) => {
    stderr += data;
  });
  await new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`no start within ${RESTART_MS_MAX} ms: ${stderr}`)), RESTART_MS_MAX);
    child.stdout.on("data", (data) => {
      stdout += data;
      if (stdout.includes("\n")) {
        clearTimeout(late);
        resolve();
      }
    });
    ended.then((code) => reject(new Error(`the start ended with ${code}: ${stderr}`)));
  });
  const { url, stores } = JSON.parse(stdout);
  return {
    url,
    key: stores[0].keys["read-write-delete"],
    ended,
    kill() {
      for (const pid of childrenOf(child.pid)) process.kill(pid, "SIGKILL");
      child.kill("SIGKILL");
    },
    async end() {
      child.kill("SIGTERM");
      await ended;
    },
  };
}

/** Linux tells them; elsewhere the runtime ends with its parent a moment later. */
function childrenOf(parent) {
  if (!existsSync("/proc/self/stat")) return [];
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, "utf8");
        const isChild = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]) === parent;
        return isChild && readFileSync(`/proc/${name}/cmdline`, "utf8").includes("workerd");
      } catch {
        return false; // it ended while we looked
      }
    })
    .map(Number);
}

function pause(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function quantile(values, q) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))];
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { values } = parseArgs({ options: { kills: { type: "string" }, seed: { type: "string" }, writers: { type: "string" } } });
  const { kills, acknowledged, restartsMs, problems } = await killWrites({
    kills: Number(values.kills ?? 20),
    seed: Number(values.seed ?? 1),
    writers: Number(values.writers ?? 4),
    tell: (line) => process.stderr.write(`${line}\n`),
  });
  for (const problem of problems) process.stdout.write(`${problem}\n`);
  process.stdout.write(
    `${kills} kills, ${acknowledged} calls acknowledged, ${problems.length} problems; start to first answer: median ${quantile(restartsMs, 0.5)} ms, p99 ${quantile(restartsMs, 0.99)} ms\n`,
  );
  process.exit(problems.length === 0 ? 0 : 1);
}
