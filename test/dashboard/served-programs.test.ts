/** The programs under /tools/: what is committed is what their sources make, what is served is that, and its signature holds. */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, inject, it } from "vitest";
import { fingerprintOf, readDigests } from "../../clients/dkekey/digests";
import { RELEASE_KEY } from "../../clients/dkekey/release-key";
import { SERVED_FILE, servedPrograms, servedText } from "../../scripts/served-programs.mjs";
import { PROGRAMS, RELEASE_KEY_FINGERPRINT } from "../../src/dashboard/programs.generated";
import { ROOT } from "../tidy/sources";

const PYTHON = spawnSync("python3", ["-c", "import cryptography, sys; sys.exit(sys.version_info < (3, 9))"]).status === 0;
const NAMES = ["dkekey", "dkepy"] as const;
const SIGNATURE = /"SHA256SUMS.sig": "[^"]*"|RELEASE_KEY_FINGERPRINT = "[^"]*"/g;
const folder = mkdtempSync(join(tmpdir(), "dke-tools-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const get = (path: string) => fetch(new URL(path, inject("serviceUrl")));

describe("the programs that are served", () => {
  it("[C7.61] are committed as their sources make them; the signature is that of whoever holds the release key", async () => {
    const [committed, made] = [readFileSync(join(ROOT, SERVED_FILE), "utf8"), await servedText()];
    expect(committed.replace(SIGNATURE, "") === made.replace(SIGNATURE, ""), "run npm run pages").toBe(true);
  });

  it.each(NAMES)("[C7.61] of %s bear the release key's signature over the digest of every file", (name) => {
    const { SHA256SUMS: list, "SHA256SUMS.sig": signature, ...files } = PROGRAMS[name];
    const digests = readDigests(list, signature, RELEASE_KEY);
    expect(digests).toEqual(new Map(Object.entries(files).map(([file, text]) => [file, createHash("sha256").update(text).digest("hex")])));
    expect(
      readDigests(
        list.replace(/^./, (digit) => (digit === "0" ? "1" : "0")),
        signature,
        RELEASE_KEY,
      ),
    ).toBeNull();
  });

  it("[C6] have one release key, whose fingerprint the page, both READMEs, both programs and the repository agree on", async () => {
    const fingerprint = fingerprintOf(RELEASE_KEY);
    expect(RELEASE_KEY_FINGERPRINT).toBe(fingerprint);
    for (const name of NAMES) expect(PROGRAMS[name]["README.md"]).toContain(fingerprint);
    expect(PROGRAMS.dkepy["dke/release_key.py"]).toContain(RELEASE_KEY);
    expect(PROGRAMS.dkekey["dkekey.mjs"]).toContain(RELEASE_KEY.trim().split("\n")[1]);
    expect(await (await get("/tools/")).text()).toContain(fingerprint);
  });

  it.each(NAMES)("[C6] of %s are had as they were committed, as text that no page runs", async (name) => {
    for (const [file, text] of Object.entries(PROGRAMS[name])) {
      const response = await get(`/tools/${name}/${file}`);
      const type = file.endsWith(".md") ? "text/markdown; charset=utf-8" : "text/plain; charset=utf-8";
      expect([response.status, response.headers.get("content-type"), response.headers.get("x-content-type-options")], file).toEqual([
        200,
        type,
        "nosniff",
      ]);
      expect((await response.text()) === text, file).toBe(true);
    }
  });

  it("[C6] are listed with their digests on one small page without script", async () => {
    const response = await get("/tools/");
    const text = await response.text();
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/html; charset=UTF-8"]);
    expect(response.headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(text).not.toContain("<script");
    expect(text.length).toBeLessThan(30_000);
    for (const name of NAMES) {
      for (const file of Object.keys(PROGRAMS[name])) expect(text).toContain(`href="/tools/${name}/${file}"`);
      for (const line of PROGRAMS[name].SHA256SUMS.trimEnd().split("\n")) expect(text).toContain(line.slice(0, 64));
    }
    expect((await get("/tools")).status).toBe(200);
  });

  it.each([
    "/tools/nothing",
    "/tools/nothing/README.md",
    "/tools/dkekey",
    "/tools/dkekey/",
    "/tools/dkekey/constructor",
    "/tools/dkekey/../dkepy/nothing",
    "/tools/undefined/README.md",
    "/tools/dkekey/source/../../start.mjs",
  ])("[C6] are nothing at %s", async (path) => {
    expect((await get(path)).status).toBe(404);
  });

  it("[C7.62] can be built from the sources that are served, to the bytes that are served", async () => {
    const place = join(folder, "source");
    for (const [file, text] of Object.entries(PROGRAMS.dkekey)) {
      if (!file.startsWith("source/")) continue;
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), text);
    }
    symlinkSync(join(ROOT, "node_modules"), join(place, "node_modules"));
    const ran = spawnSync(process.execPath, ["scripts/build-dkekey.mjs", "--out", "made/dkekey.mjs"], { cwd: place, encoding: "utf8" });
    expect([ran.status, ran.stderr]).toEqual([0, ""]);
    expect(readFileSync(join(place, "made/dkekey.mjs"), "utf8") === PROGRAMS.dkekey["dkekey.mjs"]).toBe(true);
  });

  it("[C7.61] verify one another: each program takes what is served and refuses one changed byte", async () => {
    for (const name of NAMES)
      for (const [file, text] of Object.entries(PROGRAMS[name])) {
        const path = join(folder, name, file);
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, text);
      }
    const verifiers: (readonly [string, readonly string[]])[] = [[process.execPath, [join(folder, "dkekey", "dkekey.mjs")]]];
    if (PYTHON) verifiers.push(["python3", ["-B", "-m", "dke.keys"]]);
    for (const [command, before] of verifiers) {
      const verify = (name: string, file: string) =>
        spawnSync(command, [...before, "verify", file], {
          cwd: join(folder, name),
          encoding: "utf8",
          env: { PATH: process.env["PATH"], PYTHONPATH: join(folder, "dkepy") },
        });
      for (const [name, file] of [
        ["dkekey", "dkekey.mjs"],
        ["dkepy", "dke/keys.py"],
      ]) {
        const good = verify(name, file);
        expect([good.status, good.stdout, good.stderr]).toEqual([
          0,
          `${file} is ${file}, as signed by ${fingerprintOf(RELEASE_KEY)}\n`,
          "",
        ]);
        writeFileSync(join(folder, name, "changed"), PROGRAMS[name as "dkekey" | "dkepy"]["README.md"].replace("key", "kez"));
        const bad = verify(name, "changed");
        expect([bad.status, bad.stdout]).toEqual([1, ""]);
        expect(bad.stderr).toContain("none of the files");
      }
    }
  });

  it("[C7.61] are signed anew by another key without any other byte changing", async () => {
    const { generateKeyPairSync } = await import("node:crypto");
    const { privateKey, publicKey } = generateKeyPairSync("ed25519");
    const made = await servedPrograms(privateKey);
    for (const name of NAMES) {
      expect({ ...made[name], "SHA256SUMS.sig": "" }).toEqual({ ...PROGRAMS[name], "SHA256SUMS.sig": "" });
      const pem = publicKey.export({ type: "spki", format: "pem" }) as string;
      expect(readDigests(made[name].SHA256SUMS, made[name]["SHA256SUMS.sig"], pem)).not.toBeNull();
      expect(readDigests(made[name].SHA256SUMS, made[name]["SHA256SUMS.sig"], RELEASE_KEY)).toBeNull();
    }
  });
});
