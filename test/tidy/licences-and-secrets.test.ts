/** What must not be in the repository: secrets, and packages under a licence we cannot take (checklist item 64). */
import { execFileSync } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { formatKey, readKey } from "../../clients/keys/store-key";
import { ROOT } from "./sources";

/** What a secret looks like, by what it is. The words are put together here so that this file is none of its own finds. */
const SECRETS: Readonly<Record<string, RegExp>> = {
  "private key": new RegExp(`-----BEGIN ([A-Z0-9]+ )*${"PRIVATE"} KEY( BLOCK)?-----`),
  "store key": /dke_s_[0-9A-Za-z]{92}(?![0-9A-Za-z])/,
  "customer key": /dke_c_[0-9A-Za-z]{40,}/,
  "account token": /dke_t_[0-9A-Za-z_-]{40,}/,
  "token of a code host": /\b(gh[pousr]_[0-9A-Za-z]{36}|github_pat_[0-9A-Za-z_]{40,}|glpat-[0-9A-Za-z_-]{20,})/,
  "token of a package registry": /\b(npm_[0-9A-Za-z]{36}|pypi-[0-9A-Za-z_-]{40,})|_authToken\s*=/,
  "key of a cloud": /\b(AKIA|ASIA)[0-9A-Z]{16}\b|\bcfut_[0-9A-Za-z]{40}/,
  "key of a payment service": /\b([sr]k_live_|whsec_)[0-9A-Za-z]{24,}/,
  "key of a chat": /\bxox[abeprs]-[0-9A-Za-z-]{20,}/,
};

/** Files that hold what looks like a secret and is none: keys of stores that never were, the same in every copy. */
const VECTORS = "test/testdata/keys/vectors.json";

function secretsIn(text: string): string[] {
  return Object.entries(SECRETS).flatMap(([what, pattern]) => {
    const found = new RegExp(pattern.source, `${pattern.flags}g`);
    // A text with a wrong checksum is nobody's key.
    const isReal = (match: string) => what !== "store key" || readKey(match) !== null;
    return [...text.matchAll(found)].some(([match]) => isReal(match)) ? [what] : [];
  });
}

/** Every file that is or would be committed. */
function committed(): string[] {
  const listed = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard", "-z"], { cwd: ROOT, encoding: "utf8" });
  return [...new Set(listed.split("\0"))].filter((path) => path !== "" && statSync(join(ROOT, path), { throwIfNoEntry: false })?.isFile());
}

describe("secrets", () => {
  it("[C7.64] are in no file of the repository, and the one file with keys holds none of a store that is", () => {
    const paths = committed();
    expect(paths.length).toBeGreaterThan(500);
    const found = paths.flatMap((path) => secretsIn(readFileSync(join(ROOT, path), "latin1")).map((what) => `${path}: ${what}`));
    expect(found).toEqual([`${VECTORS}: store key`]);
  });

  it("[C7.64] no file is of a kind that only ever holds secrets or state", () => {
    const kinds = /(^|\/)(\.env(\..*)?|\.dev\.vars|\.npmrc|\.pypirc|id_(rsa|ed25519)|.*\.(pem|p12|pfx|key|keystore|sqlite3?|db))$/;
    expect(committed().filter((path) => kinds.test(path))).toEqual([]);
  });

  it.each([
    ["private key", `-----BEGIN ${"PRIVATE"} KEY-----\nMC4CAQ`],
    ["private key", `-----BEGIN OPENSSH ${"PRIVATE"} KEY-----`],
    ["store key", `DKE_KEY=${formatKey("ab".repeat(32), new Uint8Array(32).fill(7))}"`],
    ["account token", `dke_${"t"}_${"a-_Z9".repeat(9)}`],
    ["token of a code host", `ghp${"_"}${"a1".repeat(18)}`],
    ["token of a package registry", `//registry.npmjs.org/:_auth${"Token"}=x`],
    ["key of a cloud", `AKIA${"ABCDEFGH23456789"}`],
    ["key of a payment service", `sk_live${"_"}${"a1".repeat(12)}`],
  ])("[C7.64] the scan knows a %s when it sees one", (what, text) => {
    expect(secretsIn(`before ${text} after`)).toEqual([what]);
  });

  it("[C7.64] the scan takes no placeholder for a secret", () => {
    const key = formatKey("ab".repeat(32), new Uint8Array(32).fill(7));
    const mistyped = `${key.slice(0, -1)}${key.endsWith("0") ? "1" : "0"}`;
    expect(secretsIn(`dke_s_… dke_t_… ${mistyped} -----BEGIN PUBLIC KEY-----`)).toEqual([]);
  });
});

/** What a deployment carries: licences that ask for a notice and nothing more. */
const SERVED = ["MIT", "ISC", "0BSD", "BSD-2-Clause", "BSD-3-Clause", "Apache-2.0"];
/** What builds and tests it here and is handed on to nobody; copyleft of a file or a library is no matter there. */
const TOOLS = [...SERVED, "CC0-1.0", "MPL-2.0", "LGPL-3.0-or-later", "BlueOak-1.0.0", "Python-2.0", "Unlicense"];

interface Locked {
  readonly license?: string;
  readonly dev?: boolean;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly hasInstallScript?: boolean;
}

/** Whether an SPDX expression of AND and OR, without parentheses, leaves a choice among `allowed`. */
function mayTake(expression: string | undefined, allowed: readonly string[]): boolean {
  if (expression === undefined) return false;
  return expression.split(" OR ").some((choice) => choice.split(" AND ").every((licence) => allowed.includes(licence)));
}

describe("licences", () => {
  const lock = JSON.parse(readFileSync(join(ROOT, "package-lock.json"), "utf8")) as { packages: Record<string, Locked> };
  const packages = Object.entries(lock.packages).filter(([path]) => path !== "");

  it("[C7.64] of everything a deployment carries ask for a notice and nothing more; of every tool are known", () => {
    expect(packages.length).toBeGreaterThan(100);
    const served = packages.filter(([, { dev }]) => dev !== true);
    expect(served.map(([path]) => path)).toContain("node_modules/hono");
    expect(served.filter(([, { license }]) => !mayTake(license, SERVED)).map(([path, { license }]) => `${path}: ${license}`)).toEqual([]);
    expect(packages.filter(([, { license }]) => !mayTake(license, TOOLS)).map(([path, { license }]) => `${path}: ${license}`)).toEqual([]);
  });

  it.each([
    ["MIT", true],
    ["MIT OR GPL-3.0", true],
    ["MIT AND Apache-2.0", true],
    ["MIT AND GPL-3.0", false],
    ["GPL-3.0", false],
    ["SEE LICENSE IN LICENSE.md", false],
    [undefined, false],
  ])("[C7.64] the scan reads %s", (expression, taken) => {
    expect(mayTake(expression, SERVED)).toBe(taken);
  });

  it("[C7.63] every package is locked to its bytes, and what the service ships runs no script at install, nor do we", () => {
    for (const [path, one] of packages) {
      expect(one.integrity, path).toMatch(/^sha512-/);
      if (one.resolved !== undefined) expect(one.resolved, path).toMatch(/^https:\/\/registry\.npmjs\.org\//);
      if (one.dev !== true) expect(one.hasInstallScript, path).toBeUndefined();
    }
    const { scripts, dependencies, devDependencies } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
    for (const hook of ["preinstall", "install", "postinstall", "prepare"]) expect(scripts[hook]).toBeUndefined();
    for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies }))
      expect(version, name).toMatch(/^(npm:@?[^@]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/);
  });

  it("[C7.64] the Python packages need the standard library, and `dkepy` one audited package more", () => {
    const needs = (name: string) =>
      /^dependencies = (\[.*\])$/m.exec(readFileSync(join(ROOT, "clients/python", name, "pyproject.toml"), "utf8"))?.[1];
    expect([needs("dkepy"), needs("khive-py") ?? "[]"]).toEqual(['["cryptography>=38"]', "[]"]);
  });
});
