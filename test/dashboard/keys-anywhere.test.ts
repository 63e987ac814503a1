/**
 * Keys made by a page, by `dkekey` and by `dke.keys`, on the running service: each opens what any other made (clients C6),
 * and an account token does what it may and no more.
 */
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { issueKey } from "../../clients/keys/issue-key";
import { hashOf, readKey, type StoreKey } from "../../clients/keys/store-key";
import { buildDkekey } from "../../scripts/build-dkekey.mjs";
import type { Level } from "../../src/engine/claim";
import { ROOT } from "../tidy/sources";
import { callTool, post } from "../worker/fresh-store";
import { BrowserLike, makeStore, makeToken, type Person, signUp } from "./browser-like";
import { newKey } from "./store-owner";

const PYTHON = spawnSync("python3", ["-c", "import cryptography, sys; sys.exit(sys.version_info < (3, 9))"]).status === 0;
type Program = "dkekey" | "dke.keys";
type Maker = "browser" | Program;
const PROGRAMS: readonly Program[] = PYTHON ? ["dkekey", "dke.keys"] : ["dkekey"];
const MAKERS: readonly Maker[] = ["browser", ...PROGRAMS];

const folder = mkdtempSync(join(tmpdir(), "dke-keys-"));
const DKEKEY = join(folder, "dkekey.mjs");
const accountUrl = new URL("/dashboard/api", inject("serviceUrl")).href;
let person: Person;
/** Up to read-add, and up to read-write. */
let token: string;
let widerToken: string;
let files = 0;

beforeAll(async () => {
  writeFileSync(DKEKEY, (await buildDkekey()).program);
  person = await signUp();
  token = await makeToken(person, "read-add");
  widerToken = await makeToken(person, "read-write");
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** One of the programs as it is delivered, in a process of its own. */
async function runProgram(maker: Program, words: readonly string[], environment: Record<string, string>): Promise<Ran> {
  const [command, before] = maker === "dkekey" ? [process.execPath, [DKEKEY]] : ["python3", ["-B", "-m", "dke.keys"]];
  const child = spawn(command, [...before, ...words], {
    env: { PATH: process.env["PATH"], PYTHONPATH: join(ROOT, "clients/python/dkepy"), DKE_ACCOUNT_URL: accountUrl, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
    cwd: folder,
  });
  let [out, err] = ["", ""];
  child.stdout.on("data", (data) => (out += data));
  child.stderr.on("data", (data) => (err += data));
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  return { code, out, err };
}

/** Makes a key as its maker does, and hands back what the maker wrote down. */
async function makeKeyBy(maker: Maker, storeId: string, opener: StoreKey | null, level: Level = "read-write"): Promise<StoreKey> {
  if (maker === "browser") return (await newKey({ ...person, storeId }, { level, label: maker, opener })).key;
  const file = join(folder, `key-${++files}.txt`);
  const words = ["issue", "--store", storeId, "--label", maker, "--level", level, "--out", file];
  const ran = await runProgram(maker, opener === null ? [...words, "--first"] : words, {
    DKE_TOKEN: widerToken,
    DKE_KEY: opener?.text ?? "",
  });
  expect(ran).toEqual({ code: 0, out: "", err: `written to ${file}, readable by you alone\n` });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  return readKey(readFileSync(file, "utf8").trim())!;
}

const LINES = (value: string) => [`remember(Sensor.s1.room, ${JSON.stringify(value)}, "survey")`, "print(Sensor.s1.room)"].join("\n");

/** What a program printed under a key; `source` runs in the store the key opens. */
async function printed(key: StoreKey, source: string): Promise<string[]> {
  const { result, error } = await callTool(key.text, "run", { source });
  if (error !== undefined || result.isError) throw new Error(error?.message ?? result.content[0].text);
  return result._meta.transcript.filter((entry: { kind: string }) => entry.kind === "print").map((entry: { value: string }) => entry.value);
}

async function idOf(key: StoreKey): Promise<string> {
  return `key_${(await hashOf(key.text)).slice(0, 16)}`;
}

describe("a key made anywhere", () => {
  it.each(MAKERS)("[3.1] of %s can be a store's first, and opens the way for those made by every other", async (first) => {
    const storeId = await makeStore(person, first);
    let opener = await makeKeyBy(first, storeId, null);
    expect(opener.storeId).toBe(storeId);
    expect(await printed(opener, LINES("kitchen"))).toEqual(["kitchen"]);
    // Each is made with the one before it: a chain over all of them.
    for (const maker of [...MAKERS, first]) {
      opener = await makeKeyBy(maker, storeId, opener);
      expect(await printed(opener, "print(Sensor.s1.room)"), maker).toEqual(["kitchen"]);
    }
    const { body } = await person.browser.ask("GET", `/stores/${storeId}/keys`);
    expect(body.keys.map((key: { made: string }) => key.made).sort()).toEqual([first, ...MAKERS, first].sort());
  });

  it("[3.1] is taken by the service as it is revoked: the next call is refused, and the other keys go on", async () => {
    const storeId = await makeStore(person);
    const opener = await makeKeyBy("browser", storeId, null);
    await printed(opener, LINES("cellar"));
    for (const maker of PROGRAMS) {
      const key = await makeKeyBy(maker, storeId, opener);
      expect(await printed(key, "print(Sensor.s1.room)")).toEqual(["cellar"]);
      const signIn = { DKE_PASSWORD: person.password, DKE_EMAIL: person.email };
      const listed = await runProgram(maker, ["list", "--store", storeId], signIn);
      expect(listed.out).toMatch(new RegExp(`^${await idOf(key)}  read-write .* ${maker}$`, "m"));
      expect(await runProgram(maker, ["revoke", "--store", storeId, await idOf(key)], signIn)).toMatchObject({ code: 0, out: "", err: "" });
      expect((await post(key.text, "{}")).status).toBe(401);
      expect((await runProgram(maker, ["list", "--store", storeId], signIn)).out).toMatch(new RegExp(`^${await idOf(key)}  revoked `, "m"));
      expect(await printed(opener, "print(Sensor.s1.room)")).toEqual(["cellar"]);
      // A revoked key opens the way for none.
      const further = await runProgram(maker, ["issue", "--store", storeId, "--label", "x", "--show"], {
        DKE_TOKEN: token,
        DKE_KEY: key.text,
      });
      expect([further.code, further.out]).toEqual([1, ""]);
      expect(further.err).toContain("not_found");
    }
    const last = await person.browser.ask("POST", `/stores/${storeId}/keys/${await idOf(opener)}/revoke`, {});
    expect(last.body).toMatchObject({ revoked: true, last: true });
    expect((await post(opener.text, "{}")).status).toBe(401);
  });

  it.each(PROGRAMS)(
    "[3.1] is the first of a store that is a copy: %s makes it with a key of the store it was copied from",
    async (program) => {
      const storeId = await makeStore(person, `Copied by ${program}`);
      const first = await makeKeyBy("browser", storeId, null);
      await callTool(first.text, "run", { source: 'remember(Lamp.a.room, "hall", "test")' });
      const { browser } = person;
      const at = `/dashboard/stores/${storeId}/snapshots`;
      await browser.get(at);
      await browser.post(at, { label: "to copy" });
      const [, snapshot] = new RegExp(`${storeId}/snapshots/(snp_[\\w-]+)`).exec((await browser.get(at)).text) ?? [];
      const { location } = await browser.post(`${at}/${snapshot}/copy`, { name: "The copy" });
      const [, copy] = /stores\/([0-9a-f]{64})\/keys\/new/.exec(location) ?? [];
      const issue = (...more: string[]) =>
        runProgram(program, ["issue", "--store", copy, "--label", "x", "--show", ...more], { DKE_TOKEN: widerToken, DKE_KEY: first.text });
      expect(await issue()).toMatchObject({ code: 2, err: expect.stringContaining("the opener opens another store") });
      expect(await issue("--copy-of", storeId, "--first")).toMatchObject({ code: 2, err: expect.stringContaining("give one of them") });
      const made = await issue("--copy-of", storeId);
      expect([made.code, made.err]).toEqual([0, ""]);
      expect((await callTool(made.out.trim(), "run", { source: "print(Lamp.a.room)" })).result.content[0].text).toContain("hall");
    },
  );

  it("[3.1] is never sent: neither it nor its secret nor its opener is in anything a page asks", async () => {
    const storeId = await makeStore(person);
    const before = person.browser.sent.length;
    const first = await newKey({ ...person, storeId });
    const next = await newKey({ ...person, storeId }, { opener: first.key });
    const sent = person.browser.sent.slice(before).filter((line) => line.includes("/dashboard/api/"));
    expect(sent).toHaveLength(3);
    for (const { key } of [first, next])
      for (const form of [key.text, Buffer.from(key.secret).toString("hex"), Buffer.from(key.secret).toString("base64")])
        expect(sent.join("\n")).not.toContain(form);
  });
});

describe("an account token", () => {
  it.each(PROGRAMS)("[C7.17] issues keys up to its level by %s, and none above it", async (maker) => {
    const storeId = await makeStore(person);
    const opener = await makeKeyBy("browser", storeId, null);
    await printed(opener, LINES("attic"));
    const issue = (level: string) =>
      runProgram(maker, ["issue", "--store", storeId, "--label", level, "--level", level, "--show"], {
        DKE_TOKEN: token,
        DKE_KEY: opener.text,
      });
    for (const level of ["none", "read", "read-add"]) {
      const { code, out } = await issue(level);
      expect([code, readKey(out.trim())?.storeId], level).toEqual([0, storeId]);
      if (level !== "none") expect(await printed(readKey(out.trim())!, "print(Sensor.s1.room)"), level).toEqual(["attic"]);
    }
    for (const level of ["read-write", "read-write-delete"]) {
      const { code, out, err } = await issue(level);
      expect([code, out], level).toEqual([1, ""]);
      expect(err).toContain(`up to read-add, not ${level}`);
    }
    for (const words of [
      ["list", "--store", storeId],
      ["revoke", "--store", storeId, await idOf(opener)],
    ]) {
      const { code, err } = await runProgram(maker, words, { DKE_TOKEN: token });
      expect([code, err], words[0]).toEqual([1, expect.stringContaining("not_allowed")]);
    }
    expect(await printed(opener, "print(Sensor.s1.room)")).toEqual(["attic"]);
  });

  it("[C7.17] opens no store: the service's API refuses it as it refuses any other text that is no key", async () => {
    for (const path of ["/", "/request"]) {
      const response = await fetch(new URL(path, inject("serviceUrl")), {
        method: "POST",
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
      });
      expect([response.status, response.headers.get("www-authenticate")?.startsWith("Bearer")], path).toEqual([401, true]);
    }
  });

  it("[C7.17] is no sign-in to any page, and makes no store", async () => {
    const other = new BrowserLike();
    for (const path of ["/dashboard/stores", "/dashboard/tokens", "/dashboard/audit"]) {
      const response = await other.send("GET", path, { headers: { authorization: `Bearer ${token}` } });
      expect([response.status, response.headers.get("location")], path).toEqual([
        303,
        `/dashboard/sign-in?next=${encodeURIComponent(path)}`,
      ]);
    }
    const made = await other.send("POST", "/dashboard/stores", { headers: { authorization: `Bearer ${token}` }, body: "name=x" });
    expect(made.status).toBe(403);
    const api = await other.send("POST", "/dashboard/api/stores", { headers: { authorization: `Bearer ${token}` }, body: "{}" });
    expect([api.status, ((await api.json()) as { error: { code: string } }).error.code]).toEqual([404, "not_found"]);
  });

  it("[C7.18] reaches the stores of its own account and no other", async () => {
    const somebody = await signUp();
    const foreign = await makeStore(somebody);
    const { key: theirs } = await newKey({ ...somebody, storeId: foreign });
    const own = await makeStore(person);
    const withToken = async (method: "GET" | "POST", path: string, body?: object) => {
      const response = await fetch(accountUrl + path, {
        method,
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        body: body && JSON.stringify(body),
      });
      return { status: response.status, body: await response.json() };
    };
    // Even with a key in hand that opens the store.
    await expect(
      issueKey(withToken, { storeId: foreign, level: "read", label: "x", made: "dkekey", opener: theirs }),
    ).rejects.toMatchObject({ code: "not_found" });
    await expect(issueKey(withToken, { storeId: foreign, level: "read", label: "x", made: "dkekey", opener: null })).rejects.toMatchObject({
      code: "not_found",
    });
    const { body } = (await withToken("GET", "/stores")) as { body: { stores: { id: string }[] } };
    const ids = body.stores.map((store) => store.id);
    expect([ids.includes(own), ids.includes(foreign)]).toEqual([true, false]);
  });

  it("[C7.17] that was revoked adds no further key", async () => {
    const somebody = await signUp();
    const storeId = await makeStore(somebody);
    const gone = await makeToken(somebody, "read");
    const ask = async () => {
      const wrap = `${accountUrl}/stores/${storeId}/wraps/${"0".repeat(64)}`;
      return (await fetch(wrap, { headers: { authorization: `Bearer ${gone}` } })).status;
    };
    expect(await ask()).toBe(404); // known, and there is no such wrap
    const [, action] = /action="(\/dashboard\/tokens\/[^"/]+\/revoke)"/.exec((await somebody.browser.get("/dashboard/tokens")).text) ?? [];
    expect((await somebody.browser.post(action)).status).toBe(303);
    expect(await ask()).toBe(401);
  });
});
