/** `kkernel` and the Python package `khive`, each in a process of its own, on the running service's request endpoint. */
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { ROOT } from "../tidy/sources";
import { type FreshStore, freshStore } from "../worker/fresh-store";

const PYTHON = spawnSync("python3", ["-c", "import sys; sys.exit(sys.version_info < (3, 9))"]).status === 0;
const requestUrl = new URL("/request", inject("serviceUrl")).href;
const folder = mkdtempSync(join(tmpdir(), "dke-clients-"));
let store: FreshStore;

beforeAll(async () => {
  store = await freshStore();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

async function run(command: string, words: readonly string[], environment: Record<string, string>): Promise<Ran> {
  const env = { PATH: process.env["PATH"], HOME: folder, ...environment };
  const child = spawn(command, words, { env, stdio: ["ignore", "pipe", "pipe"], cwd: folder });
  let [out, err] = ["", ""];
  child.stdout.on("data", (data) => (out += data));
  child.stderr.on("data", (data) => (err += data));
  return { code: await new Promise((resolve) => child.once("close", resolve)), out, err };
}

// biome-ignore lint/suspicious/noExplicitAny: an answer is looked at member by member.
type Answer = Ran & { readonly said: any };

async function kkernel(words: readonly string[], environment: Record<string, string> = {}): Promise<Answer> {
  const settings = { KHIVE_URL: requestUrl, KHIVE_KEY: store.keys["read-write"], ...environment };
  const ran = await run(process.execPath, [join(ROOT, "clients/cli/kkernel.mjs"), "exec", ...words], settings);
  return { ...ran, said: ran.out.startsWith("{") ? JSON.parse(ran.out) : undefined };
}

function opsFile(name: string, ...ops: object[]): string {
  const path = join(folder, name);
  writeFileSync(path, ops.map((op) => `${JSON.stringify(op)}\n`).join(""));
  return path;
}

/** A new entity's id. */
async function made(name: string): Promise<string> {
  const { said } = await kkernel([`create(kind="concept", name=${JSON.stringify(name)})`]);
  return said.results[0].result.id;
}

async function nameOf(id: string): Promise<string> {
  return (await kkernel([`get(id="${id}")`])).said.results[0].result.name;
}

describe("kkernel on the service", () => {
  it("plans without running, with a key that may only read", async () => {
    const before = await kkernel(["stats()"]);
    const { code, said } = await kkernel(["--plan", 'create(kind="concept", name="Draft") | get(id=$prev.id)'], {
      KHIVE_KEY: store.keys.read,
    });
    expect([code, said.parsed, said.mode]).toEqual([0, true, "chain"]);
    expect(said.stages.map((stage: { verb: string; known: boolean }) => [stage.verb, stage.known])).toEqual([
      ["create", true],
      ["get", true],
    ]);
    expect((await kkernel(["stats()"])).out).toBe(before.out);
  });

  it("runs one operation, a chain and a batch, and says by its exit code what worked", async () => {
    const chain = await kkernel(['create(kind="concept", name="Kestrel") | get(id=$prev.id)']);
    expect([chain.code, chain.said.status, chain.said.results[1].result.name]).toEqual([0, "success", "Kestrel"]);
    expect(chain.said.results[1].result.id).toBe(chain.said.results[0].result.id);
    const half = '[create(kind="concept", name="Falcon"), get(id="ffffffff")]';
    const batch = await kkernel([half]);
    expect([batch.code, batch.said.summary]).toEqual([0, { total: 2, succeeded: 1, failed: 1, aborted: 0 }]);
    expect((await kkernel(["--strict", half])).code).toBe(1);
    expect((await kkernel(['get(id="ffffffff")'])).code).toBe(1);
    const unread = await kkernel(["create(kind="]);
    expect([unread.code, unread.said.invocation, unread.said.error.reason]).toEqual([1, { started: false }, "parse-error"]);
    const misused = await kkernel(["--atomic", "stats()"]);
    expect([misused.code, misused.out]).toEqual([2, ""]);
    const stranger = await kkernel(["stats()"], { KHIVE_KEY: "dke_s_nobody" });
    expect([stranger.code, stranger.said.invocation]).toEqual([1, { started: false }]);
    const nowhere = await kkernel(["stats()"], { KHIVE_URL: "http://127.0.0.1:1/request" });
    expect([nowhere.code, nowhere.said.error.code]).toEqual([1, "transport"]);
  });

  it("keeps every digit of a big integer, on the way in and out, printed and saved", async () => {
    const digits = '"n":18446744073709551615';
    const wrote = await kkernel(['create(kind="concept", name="Big", properties={"n": 18446744073709551615})']);
    expect(wrote.out).toContain(digits);
    const id = wrote.said.results[0].result.id;
    expect((await kkernel([`get(id="${id}")`])).out).toContain(digits);
    const saved = join(folder, "rows", "big.jsonl");
    const manifest = await kkernel([`get(id="${id}")`, "--save-file", saved]);
    expect([manifest.code, manifest.said.rows, manifest.said.path]).toEqual([0, 1, saved]);
    expect(readFileSync(saved, "utf8")).toContain(digits);
  });

  it("keeps a unit whole, or nothing of it", async () => {
    const [one, other] = [await made("One"), await made("Other")];
    const link = { tool: "link", args: { source_id: one, target_id: other, relation: "extends" } };
    const kept = await kkernel(["--ops-file", opsFile("kept", { tool: "update", args: { id: one, name: "First" } }, link), "--atomic"]);
    expect([kept.code, kept.said.atomic.committed]).toEqual([0, true]);
    const astray = { tool: "link", args: { source_id: one, target_id: "ffffffff", relation: "extends" } };
    const dropped = await kkernel([
      "--ops-file",
      opsFile("dropped", { tool: "update", args: { id: one, name: "Lost" } }, astray),
      "--atomic",
    ]);
    expect([dropped.code, dropped.said.atomic]).toMatchObject([1, { committed: false, status: "rolled_back" }]);
    expect(await nameOf(one)).toBe("First");
    const { said } = await kkernel([`neighbors(node_id="${one}")`]);
    expect(said.results[0].result.map((near: { id: string }) => near.id)).toEqual([other]);
    const long = await kkernel(["--ops-file", opsFile("long", link, link), "--atomic", "--atomic-max-ops", "1"]);
    expect([long.code, long.said.error.code]).toEqual([1, "too_many_ops"]);
  });

  it("checks a whole file before anything of it runs, and runs it in batches or one by one", async () => {
    const before = await kkernel(["stats()"]);
    const create = (name: string) => ({ tool: "create", args: { kind: "concept", name } });
    const bad = opsFile("bad", create("Never"), { tool: "get", args: { id: "$prev" } });
    const refused = await kkernel(["--ops-file", bad]);
    expect([refused.code, refused.said.invocation]).toEqual([1, { started: false }]);
    expect(refused.said.error.message).toContain("line 2");
    const dry = await kkernel(["--ops-file", opsFile("dry", create("Never"), { tool: "nobody", args: {} }), "--dry-run"]);
    expect([dry.code, dry.said]).toEqual([0, { dry_run: true, ops: 2, batches: 1, unknown_verbs: ["nobody"] }]);
    expect((await kkernel(["stats()"])).out).toBe(before.out);
    const many = opsFile("many", ...Array.from({ length: 101 }, (_, i) => create(`Row ${i}`)));
    const whole = await kkernel(["--ops-file", many, "--verbose"]);
    expect([whole.code, whole.said.summary.succeeded, whole.err]).toEqual([
      0,
      101,
      "batch 1 of 2: 100 of 100 worked\nbatch 2 of 2: 1 of 1 worked\n",
    ]);
    const serial = await kkernel(["--ops-file", opsFile("two", create("Two"), create("Three")), "--serial"]);
    expect([serial.code, serial.said.summary.succeeded]).toEqual([0, 2]);
    const after = (await kkernel(["stats()"])).said.results[0].result.entities;
    expect(after - before.said.results[0].result.entities).toBe(103);
  });

  it("refuses another store, or another actor, than the one meant, before anything runs", async () => {
    const other = await freshStore();
    const before = await kkernel(["stats()"]);
    const create = 'create(kind="concept", name="Never")';
    const astray = await kkernel([create, "--db", other.id]);
    expect([astray.code, astray.said.error.code, astray.said.invocation]).toEqual([1, "config_mismatch", { started: false }]);
    const file = opsFile("never", { tool: "create", args: { kind: "concept", name: "Never" } });
    expect((await kkernel(["--ops-file", file, "--db", other.id])).said.error.code).toBe("config_mismatch");
    expect((await kkernel([create, "--expect-actor", "somebody"])).said.error.code).toBe("actor_mismatch");
    expect((await kkernel(["stats()", "--db", store.id])).out).toBe(before.out);
  });
});

describe.skipIf(!PYTHON)("khive on the service", () => {
  it("passes its tests there, none of them skipped", async () => {
    const { id, keys } = await freshStore();
    const words = ["-B", "-m", "unittest", "discover", "-s", join(ROOT, "clients/python/khive-py/tests"), "-p", "test_service.py"];
    const { code, err } = await run("python3", words, {
      KHIVE_TEST_URL: requestUrl,
      KHIVE_TEST_STORE: id,
      KHIVE_TEST_KEY: keys["read-write"],
      KHIVE_TEST_READ_KEY: keys.read,
    });
    expect(err).toMatch(/Ran 12 tests in [\d.]+s\n\nOK\n$/);
    expect(code).toBe(0);
  });
});
