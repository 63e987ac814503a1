/** The service as a user starts it: `node scripts/start.mjs` in a process of its own, on a state folder of its own. */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Level } from "../../src/engine/claim";

const ROOT = join(__dirname, "..", "..");

export interface Ready {
  readonly url: string;
  readonly request_url: string;
  readonly dashboard_url: string;
  readonly stores: readonly { readonly id: string; readonly keys: Readonly<Record<Level, string>> }[];
}

export interface Started {
  readonly ready: Ready;
  readonly readyMs: number;
  readonly process: ChildProcess;
  /** All of standard output so far. */
  readonly stdout: () => string;
  /** All of the log so far. */
  readonly stderr: () => string;
  /** Resolves with the exit code once the process is gone. */
  readonly ended: Promise<number | null>;
}

interface Command {
  readonly command: string;
  readonly before: readonly string[];
  readonly cwd: string;
}
const BY_HAND: Command = { command: process.execPath, before: [join(ROOT, "scripts", "start.mjs")], cwd: tmpdir() };
const BY_NPM: Command = { command: "npm", before: ["start", "--silent", "--"], cwd: ROOT };

const running = new Set<ChildProcess>();
const folders = new Set<string>();

export function stateFolder(): string {
  const folder = mkdtempSync(join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "dke-e2e-"));
  folders.add(folder);
  return folder;
}

/** Ends what a file's tests started and throws its folders away. For `afterAll`. */
export async function cleanUp(): Promise<void> {
  const gone = [...running].map((child) => new Promise((resolve) => child.once("exit", resolve)));
  for (const child of running) child.kill("SIGTERM");
  await Promise.all(gone);
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  folders.clear();
}

export async function start(folder: string, ...flags: string[]): Promise<Started> {
  const started = await startUntil((stdout) => stdout.includes("\n"), ["--json", "--port", "0", "--state", folder, ...flags]);
  return { ...started, ready: JSON.parse(started.stdout()) as Ready };
}

/** @param isReady  Asked with all of standard output so far. */
export async function startUntil(
  isReady: (stdout: string) => boolean,
  flags: readonly string[],
  how: Command = BY_HAND,
): Promise<Omit<Started, "ready">> {
  const beganMs = Date.now();
  const child = launch(flags, how);
  const ended = new Promise<number | null>((resolve) => child.once("exit", (code) => resolve(code)));
  let stdout = "";
  let stderr = "";
  child.stderr?.on("data", (data) => {
    stderr += data;
  });
  await new Promise<void>((resolve, reject) => {
    child.stdout?.on("data", (data) => {
      stdout += data;
      if (isReady(stdout)) resolve();
    });
    ended.then((code) => reject(new Error(`the start ended with ${code}: ${stderr}`)));
  });
  return { readyMs: Date.now() - beganMs, process: child, stdout: () => stdout, stderr: () => stderr, ended };
}

/** A start that is expected to end by itself. */
export async function startAndFail(...flags: string[]): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const child = launch(flags);
  let stdout = "";
  let stderr = "";
  child.stdout?.on("data", (data) => (stdout += data));
  child.stderr?.on("data", (data) => (stderr += data));
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  return { code, stdout, stderr };
}

/** Processes whose parent is this one and whose command says `word`. Linux only; elsewhere none are seen. */
export function childrenOf(parent: number, word: string): number[] {
  if (!existsSync("/proc/self/stat")) return [];
  return readdirSync("/proc")
    .filter((name) => {
      if (!/^\d+$/.test(name)) return false;
      try {
        const stat = readFileSync(`/proc/${name}/stat`, "utf8");
        const parentField = stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1];
        return Number(parentField) === parent && readFileSync(`/proc/${name}/cmdline`, "utf8").includes(word);
      } catch {
        return false; // it ended while we looked
      }
    })
    .map(Number);
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/\) Z /.test(existsSync(`/proc/${pid}/stat`) ? readFileSync(`/proc/${pid}/stat`, "utf8") : "");
  } catch {
    return false;
  }
}

export async function until(what: string, condition: () => boolean, msMax = 5000): Promise<void> {
  const deadlineMs = Date.now() + msMax;
  while (!condition()) {
    if (Date.now() > deadlineMs) throw new Error(`waited ${msMax} ms in vain: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** `npm start` itself. With --silent, since npm otherwise prints what it runs before our line. */
export async function startByNpm(folder: string): Promise<Started> {
  const flags = ["--json", "--port", "0", "--state", folder];
  const started = await startUntil((stdout) => stdout.includes("\n"), flags, BY_NPM);
  return { ...started, ready: JSON.parse(started.stdout()) as Ready };
}

function launch(flags: readonly string[], how: Command = BY_HAND): ChildProcess {
  const child = spawn(how.command, [...how.before, ...flags], { stdio: ["ignore", "pipe", "pipe"], cwd: how.cwd });
  running.add(child);
  child.once("exit", () => running.delete(child));
  return child;
}
