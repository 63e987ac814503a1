/**
 * One service at a time on a state folder, and no runtime left behind.
 *
 * The folder names its owner: this process and the runtime under it. A folder whose owner lives is refused. If the
 * owner was killed outright, its runtime may still hold the databases: a small shell, waiting on a pipe that only the
 * owner's death closes, ends it at once, and the next start makes sure of it before it opens anything.
 */
import { execFileSync, spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

/** @returns  A function that gives the folder free again. */
export async function claimStateFolder(stateFolder) {
  const path = join(stateFolder, "owner.json");
  const mine = JSON.stringify({ pid: process.pid, runtimePids: [] });
  // Made by the one process that finds it missing; of two starts at once the other sees a living owner.
  while (!createdAlone(path, mine)) {
    const owner = readOwner(path);
    if (owner !== null && owner.pid !== process.pid && isOurs(owner.pid, "start.mjs")) {
      process.stderr.write(`${stateFolder} is in use by process ${owner.pid}: end that one first, or name another folder with --state\n`);
      process.exit(1);
    }
    for (const pid of owner?.runtimePids ?? []) await endRuntime(pid);
    rmSync(path, { force: true });
  }
  return () => {
    if (readOwner(path)?.pid === process.pid) rmSync(path, { force: true });
  };
}

function createdAlone(path, text) {
  try {
    writeFileSync(path, text, { flag: "wx" });
    return true;
  } catch (error) {
    if (error.code === "EEXIST") return false;
    throw error;
  }
}

/** Call once the runtime is there. */
export function guardChildren(stateFolder) {
  const runtimePids = childrenNamed("workerd");
  writeFileSync(join(stateFolder, "owner.json"), JSON.stringify({ pid: process.pid, runtimePids }));
  if (process.platform === "win32" || runtimePids.length === 0) return;
  const script = `trap '' INT TERM HUP; read line; kill -9 ${runtimePids.join(" ")} 2>/dev/null`;
  const guard = spawn("/bin/sh", ["-c", script], { stdio: ["pipe", "ignore", "ignore"], detached: true });
  guard.unref();
  guard.stdin.unref?.();
}

function readOwner(path) {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return null; // no file, or one that a crash cut short: nobody is known to own the folder
  }
}

function childrenNamed(name) {
  const rows = processTable().filter((row) => row.parent === process.pid && row.command.includes(name));
  return rows.map((row) => row.pid);
}

function isOurs(pid, word) {
  return processTable().some((row) => row.pid === pid && row.command.includes(word));
}

/** Process numbers are used again, so what is ended is only ever a runtime. */
async function endRuntime(pid) {
  if (!isOurs(pid, "workerd")) return;
  process.kill(pid, "SIGKILL");
  for (let waitedMs = 0; waitedMs < 5000 && isOurs(pid, "workerd"); waitedMs += 20) await pause(20);
}

/** From /proc where there is one: a small Linux has no `ps`. */
function processTable() {
  if (process.platform === "win32") return [];
  if (existsSync("/proc/self/stat"))
    return readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .flatMap(processOf);
  const text = execFileSync("ps", ["-A", "-o", "pid=,ppid=,args="], { encoding: "utf8", maxBuffer: 16 << 20 });
  return text.split("\n").flatMap((line) => {
    const row = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line);
    return row === null ? [] : [{ pid: Number(row[1]), parent: Number(row[2]), command: row[3] }];
  });
}

function processOf(name) {
  try {
    // `pid (command) state parent …`, and a command may hold brackets itself.
    const stat = readFileSync(`/proc/${name}/stat`, "utf8");
    const [state, parent] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    if (state === "Z") return [];
    const command = readFileSync(`/proc/${name}/cmdline`, "utf8").replaceAll("\0", " ");
    return [{ pid: Number(name), parent: Number(parent), command }];
  } catch {
    return []; // it ended while we looked
  }
}
