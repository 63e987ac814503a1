/** The programs under /tools/: what is committed is what their sources make, what is served is that, and its signature holds. */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, inject, it } from "vitest";
import { fingerprintOf, readDigests } from "../../clients/dkekey/digests";
import { RELEASE_KEY } from "../../clients/dkekey/release-key";
import { version } from "../../package.json";
import { SERVED_FILE, servedPrograms, servedText } from "../../scripts/served-programs.mjs";
import { programPages } from "../../src/pages/program-pages";
import { PROGRAMS, RELEASE_KEY_FINGERPRINT } from "../../src/pages/programs.generated";
import { ROOT } from "../tidy/sources";

const PYTHON = spawnSync("python3", ["-c", "import cryptography, sys; sys.exit(sys.version_info < (3, 9))"]).status === 0;
const WHEEL = `dkepy-${version}-py3-none-any.whl`;
const NAMES = ["dkekey", "dkepy"] as const;
const SIGNATURE = /"SHA256SUMS.sig": "[^"]*"|RELEASE_KEY_FINGERPRINT = "[^"]*"/g;
const folder = mkdtempSync(join(tmpdir(), "dke-tools-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Program = (typeof NAMES)[number];

function contentOf(name: Program, file: string): Buffer {
  const kept = PROGRAMS[name][file];
  return typeof kept === "string" ? Buffer.from(kept) : Buffer.from(kept.base64, "base64");
}
const textOf = (name: Program, file: string) => contentOf(name, file).toString("utf8");
const filesOf = (name: Program) => Object.keys(PROGRAMS[name]);

/** Everything of a program, as somebody has it who has downloaded it. */
function download(name: Program): void {
  for (const file of filesOf(name)) {
    const path = join(folder, name, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, contentOf(name, file));
  }
}

/** Object storage that holds these. */
function bucketOf(files: Readonly<Record<string, string>>) {
  return {
    list: async ({ prefix }: { prefix: string }) => ({
      objects: Object.entries(files).flatMap(([key, text]) => (key.startsWith(prefix) ? [{ key, size: text.length }] : [])),
    }),
    get: async (key: string) => (key in files ? { body: new Blob([files[key]]).stream(), size: files[key].length } : null),
  };
}

const get = (path: string) => fetch(new URL(path, inject("serviceUrl")));

const pages = programPages([]);

describe("executables", () => {
  it("[C6] are listed and served where a release has put them into object storage, and nothing else of it is", async () => {
    const FILES = bucketOf({ "programs/dkekey/dkekey-linux-x64": "ELF", "snapshots/x/secret": "sealed" });
    const page = await (await pages.request("/tools/", {}, { FILES })).text();
    expect(page).toContain('href="/tools/executables/dkekey-linux-x64"');
    const file = await pages.request("/tools/executables/dkekey-linux-x64", {}, { FILES });
    expect([file.status, file.headers.get("content-length"), await file.text()]).toEqual([200, "3", "ELF"]);
    for (const path of ["nothing", "..%2F..%2Fsnapshots%2Fx%2Fsecret"])
      expect((await pages.request(`/tools/executables/${path}`, {}, { FILES })).status).toBe(404);
    for (const env of [{}, { FILES: bucketOf({}) }])
      expect(await (await pages.request("/tools/", {}, env)).text()).not.toContain("as one executable");
  });
});

describe("the programs that are served", () => {
  it("[C7.61] are committed as their sources make them; the signature is that of whoever holds the release key", async () => {
    const [committed, made] = [readFileSync(join(ROOT, SERVED_FILE), "utf8"), await servedText()];
    expect(committed.replace(SIGNATURE, "") === made.replace(SIGNATURE, ""), "run npm run pages").toBe(true);
  });

  it.each(NAMES)("[C7.61] of %s bear the release key's signature over the digest of every file", (name) => {
    const [list, signature] = [textOf(name, "SHA256SUMS"), textOf(name, "SHA256SUMS.sig")];
    const digests = readDigests(list, signature, RELEASE_KEY);
    const files = filesOf(name).filter((file) => !file.startsWith("SHA256SUMS"));
    expect(digests).toEqual(new Map(files.map((file) => [file, createHash("sha256").update(contentOf(name, file)).digest("hex")])));
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
    for (const name of NAMES) expect(textOf(name, "README.md")).toContain(fingerprint);
    expect(textOf("dkepy", "dke/release_key.py")).toContain(RELEASE_KEY);
    expect(textOf("dkekey", "dkekey.mjs")).toContain(RELEASE_KEY.trim().split("\n")[1]);
    expect(await (await get("/tools/")).text()).toContain(fingerprint);
  });

  it.each(NAMES)("[C6] of %s are had as they were committed, as text that no page runs", async (name) => {
    for (const file of filesOf(name)) {
      const response = await get(`/tools/${name}/${file}`);
      const text = file.endsWith(".md") ? "text/markdown; charset=utf-8" : "text/plain; charset=utf-8";
      const type = file.endsWith(".whl") ? "application/octet-stream" : text;
      expect([response.status, response.headers.get("content-type"), response.headers.get("x-content-type-options")], file).toEqual([
        200,
        type,
        "nosniff",
      ]);
      expect(Buffer.from(await response.arrayBuffer()).equals(contentOf(name, file)), file).toBe(true);
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
      for (const file of filesOf(name)) expect(text).toContain(`href="/tools/${name}/${file}"`);
      for (const line of textOf(name, "SHA256SUMS").trimEnd().split("\n")) expect(text).toContain(line.slice(0, 64));
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
    download("dkekey");
    const place = join(folder, "dkekey", "source");
    symlinkSync(join(ROOT, "node_modules"), join(place, "node_modules"));
    const ran = spawnSync(process.execPath, ["scripts/build-dkekey.mjs", "--out", "made/dkekey.mjs"], { cwd: place, encoding: "utf8" });
    expect([ran.status, ran.stderr]).toEqual([0, ""]);
    expect(readFileSync(join(place, "made/dkekey.mjs")).equals(contentOf("dkekey", "dkekey.mjs"))).toBe(true);
  });

  it("[C7.61] verify one another: each program takes what is served and refuses one changed byte", async () => {
    NAMES.forEach(download);
    const asked = spawnSync(process.execPath, [join(folder, "dkekey", "dkekey.mjs"), "--version"], { encoding: "utf8" });
    expect(asked.stdout).toBe(`dkekey ${version}\n${textOf("dkekey", "SHA256SUMS").match(/^.* {2}dkekey.mjs\n/m)?.[0]}`);
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
        ["dkepy", WHEEL],
      ] as const) {
        const good = verify(name, file);
        expect([good.status, good.stdout, good.stderr]).toEqual([
          0,
          `${file} is ${file}, as signed by ${fingerprintOf(RELEASE_KEY)}\n`,
          "",
        ]);
        writeFileSync(join(folder, name, "changed"), textOf(name, "README.md").replace("key", "kez"));
        const bad = verify(name, "changed");
        expect([bad.status, bad.stdout]).toEqual([1, ""]);
        expect(bad.stderr).toContain("none of the files");
      }
    }
  });

  it.skipIf(!PYTHON)("[C6] of Python are a whole wheel: every entry sound and as its record says, and it runs where it lies", () => {
    download("dkepy");
    expect(textOf("dkepy", "README.md")).toContain(`/tools/dkepy/${WHEEL}`);
    const check = [
      "import base64, csv, hashlib, io, sys, zipfile",
      "wheel = zipfile.ZipFile(sys.argv[1])",
      "assert wheel.testzip() is None",
      `about = 'dkepy-${version}.dist-info/'`,
      "rows = list(csv.reader(io.StringIO(wheel.read(about + 'RECORD').decode())))",
      "assert [row[0] for row in rows] == wheel.namelist(), rows",
      "for name, digest, size in rows[:-1]:",
      "    data = wheel.read(name)",
      "    assert digest == 'sha256=' + base64.urlsafe_b64encode(hashlib.sha256(data).digest()).decode().rstrip('='), name",
      "    assert int(size) == len(data)",
      "print(wheel.read(about + 'METADATA').decode().split('\\n\\n')[0])",
      "print(wheel.read(about + 'entry_points.txt').decode(), end='')",
    ].join("\n");
    const checked = spawnSync("python3", ["-B", "-c", check, WHEEL], { cwd: join(folder, "dkepy"), encoding: "utf8" });
    expect([checked.status, checked.stderr]).toEqual([0, ""]);
    for (const line of [
      "Name: dkepy",
      `Version: ${version}`,
      "Requires-Python: >=3.9",
      "Requires-Dist: cryptography>=38",
      "dke-keys = dke.keys:main",
    ])
      expect(checked.stdout.split("\n")).toContain(line);
    // Away from the modules that lie beside it.
    mkdirSync(join(folder, "elsewhere"), { recursive: true });
    for (const file of [WHEEL, "SHA256SUMS", "SHA256SUMS.sig"]) writeFileSync(join(folder, "elsewhere", file), contentOf("dkepy", file));
    const run = (...words: string[]) =>
      spawnSync("python3", ["-B", "-m", "dke.keys", ...words], {
        cwd: join(folder, "elsewhere"),
        encoding: "utf8",
        env: { PATH: process.env["PATH"], PYTHONPATH: WHEEL },
      });
    const modules = textOf("dkepy", "SHA256SUMS")
      .match(/^.* {2}dke\/.*\n/gm)
      ?.join("");
    expect(run("--version")).toMatchObject({ status: 0, stdout: `dke.keys ${version}\n${modules}` });
    const ran = run("verify", WHEEL);
    expect([ran.status, ran.stdout]).toEqual([0, `${WHEEL} is ${WHEEL}, as signed by ${fingerprintOf(RELEASE_KEY)}\n`]);
  });

  it("[C7.61] are signed anew by another key without any other byte changing", async () => {
    const { generateKeyPairSync } = await import("node:crypto");
    const { privateKey, publicKey } = generateKeyPairSync("ed25519");
    const made = await servedPrograms(privateKey);
    for (const name of NAMES) {
      expect({ ...made[name], "SHA256SUMS.sig": "" }).toEqual({ ...PROGRAMS[name], "SHA256SUMS.sig": "" });
      const pem = publicKey.export({ type: "spki", format: "pem" }) as string;
      expect(readDigests(made[name]["SHA256SUMS"] as string, made[name]["SHA256SUMS.sig"] as string, pem)).not.toBeNull();
      expect(readDigests(made[name]["SHA256SUMS"] as string, made[name]["SHA256SUMS.sig"] as string, RELEASE_KEY)).toBeNull();
    }
  });
});
