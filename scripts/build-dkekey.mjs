/**
 * Builds `dkekey` to one file for Node 20 and later, and signs the list of what is served with it.
 *
 *   node scripts/build-dkekey.mjs [--out DIR] [--key FILE]
 *
 * The same sources give the same bytes. `--key` is the release key (PEM, Ed25519), which is on no machine of the service; without it
 * the list is signed by the development key, which anybody can make from its seed below and which is worth nothing.
 */
import { createHash, createPrivateKey, createPublicKey, sign } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { build, stop } from "esbuild";

const ROOT = new URL("..", import.meta.url).pathname;
const DEVELOPMENT_SEED = "the development release key of dke, which is worth nothing";
/** An Ed25519 private key of 32 bytes, as PKCS #8. */
const PKCS8_HEAD = "302e020100300506032b657004220420";

export function developmentKey() {
  const seed = createHash("sha256").update(DEVELOPMENT_SEED).digest("hex");
  return createPrivateKey({ key: Buffer.from(PKCS8_HEAD + seed, "hex"), format: "der", type: "pkcs8" });
}

/** The program, as bytes. */
export async function buildDkekey() {
  const result = await build({
    absWorkingDir: ROOT,
    entryPoints: ["clients/dkekey/run.ts"],
    bundle: true,
    platform: "node",
    target: "node20",
    format: "esm",
    banner: { js: "#!/usr/bin/env node" },
    write: false,
    legalComments: "none",
    logLevel: "error",
  });
  await stop();
  return result.outputFiles[0].contents;
}

/** Everything that is served, by name: the program, its list of digests, the list's signature. */
export async function releaseFiles(key = developmentKey()) {
  const program = await buildDkekey();
  const readme = readFileSync(join(ROOT, "clients/dkekey/README.md"));
  const files = new Map([
    ["README.md", readme],
    ["dkekey.mjs", Buffer.from(program)],
  ]);
  const list = [...files].map(([name, bytes]) => `${createHash("sha256").update(bytes).digest("hex")}  ${name}\n`).join("");
  files.set("SHA256SUMS", Buffer.from(list));
  files.set("SHA256SUMS.sig", Buffer.from(`${sign(null, Buffer.from(list), key).toString("base64")}\n`));
  return files;
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  const { values } = parseArgs({ options: { out: { type: "string", default: "dist/dkekey" }, key: { type: "string" } } });
  const key = values.key === undefined ? developmentKey() : createPrivateKey(readFileSync(values.key));
  mkdirSync(values.out, { recursive: true });
  for (const [name, bytes] of await releaseFiles(key)) writeFileSync(join(values.out, name), bytes);
  process.stderr.write(`${createPublicKey(key).export({ type: "spki", format: "pem" })}`);
}
