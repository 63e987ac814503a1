/**
 * What the service serves under /tools/: `dkekey` built and with its sources, the Python package, and for each a list of digests with
 * its signature. Kept as text in src/pages/programs.generated.ts, so that every way of deploying serves the same bytes.
 *
 *   node scripts/served-programs.mjs [--key FILE]
 *
 * `--key` is the release key (PEM, Ed25519), which is on no machine of the service; its public half stands in
 * clients/dkekey/release-key.ts and clients/python/dkepy/dke/release_key.py. Without it the lists are signed by the development
 * key, which anybody can make from its seed below and which is worth nothing.
 */
import { createHash, createPrivateKey, createPublicKey, sign } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { buildDkekey } from "./build-dkekey.mjs";
import { pythonWheel } from "./python-wheel.mjs";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
export const SERVED_FILE = "src/pages/programs.generated.ts";
const DEVELOPMENT_SEED = "the development release key of dke, which is worth nothing";
/** An Ed25519 private key of 32 bytes, as PKCS #8. */
const PKCS8_HEAD = "302e020100300506032b657004220420";
const DKEPY = "clients/python/dkepy/";

export function developmentKey() {
  const seed = createHash("sha256").update(DEVELOPMENT_SEED).digest("hex");
  return createPrivateKey({ key: Buffer.from(PKCS8_HEAD + seed, "hex"), format: "der", type: "pkcs8" });
}

/** Every file that is served, by program and name, the list of digests and its signature last: a text, or bytes in base64. */
export async function servedPrograms(key = developmentKey()) {
  return { dkekey: signed(await dkekeyFiles(), key), dkepy: signed(dkepyFiles(), key) };
}

async function dkekeyFiles() {
  const { program, sources } = await buildDkekey();
  const files = { "README.md": textOf("clients/dkekey/README.md"), "dkekey.mjs": Buffer.from(program).toString("utf8") };
  for (const path of [...sources, "scripts/build-dkekey.mjs"]) files[`source/${path}`] = textOf(path);
  return files;
}

function dkepyFiles() {
  const [readme, project] = [textOf(`${DKEPY}README.md`), textOf(`${DKEPY}pyproject.toml`)];
  const names = readdirSync(`${ROOT}${DKEPY}dke`).filter((name) => name.endsWith(".py"));
  const modules = Object.fromEntries(names.sort().map((name) => [`dke/${name}`, textOf(`${DKEPY}dke/${name}`)]));
  const wheel = pythonWheel(project, readme, modules);
  return { "README.md": readme, "pyproject.toml": project, ...modules, [wheel.file]: wheel.bytes };
}

function signed(files, key) {
  const sorted = Object.entries(files).sort(([one], [other]) => (one < other ? -1 : 1));
  const list = sorted.map(([name, content]) => `${createHash("sha256").update(content).digest("hex")}  ${name}\n`).join("");
  const kept = sorted.map(([name, content]) => [name, typeof content === "string" ? content : { base64: content.toString("base64") }]);
  const signature = `${sign(null, Buffer.from(list), key).toString("base64")}\n`;
  return { ...Object.fromEntries(kept), SHA256SUMS: list, "SHA256SUMS.sig": signature };
}

function textOf(path) {
  return readFileSync(ROOT + path, "utf8").replaceAll("\r\n", "\n");
}

/** SHA-256 of the public key (SPKI, DER), in lower-case hex. */
export function fingerprintOf(key) {
  return createHash("sha256")
    .update(createPublicKey(key).export({ type: "spki", format: "der" }))
    .digest("hex");
}

/** The text of the file that is committed. */
export async function servedText(key = developmentKey()) {
  const programs = JSON.stringify(await servedPrograms(key), null, 1);
  const type = "Readonly<Record<string, string | { readonly base64: string }>>";
  return `// Written by \`node scripts/served-programs.mjs\`.\nexport const PROGRAMS: Readonly<Record<"dkekey" | "dkepy", ${type}>> = ${programs};\nexport const RELEASE_KEY_FINGERPRINT = "${fingerprintOf(key)}";\n`;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const { values } = parseArgs({ options: { key: { type: "string" } } });
  const key = values.key === undefined ? developmentKey() : createPrivateKey(readFileSync(values.key));
  const ours = createPublicKey(key).export({ type: "spki", format: "pem" });
  if (!textOf("clients/dkekey/release-key.ts").includes(ours)) {
    process.stderr.write("the programs ask for another key's signature: give the release key with --key FILE\n");
    process.exit(2);
  }
  writeFileSync(ROOT + SERVED_FILE, await servedText(key));
  process.stderr.write(`signed by ${fingerprintOf(key)}\n`);
  process.exit(0);
}
