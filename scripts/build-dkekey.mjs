/**
 * Builds `dkekey` to one file for Node 20 and later. The same sources, under the same esbuild, give the same bytes.
 *
 *   node scripts/build-dkekey.mjs [--out FILE]
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { build, stop } from "esbuild";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

/**
 * The program, and the files it was made from, by their paths from the root.
 *
 * @param executable  The name of the executable that it goes into, which takes another form of module; absent: the one file.
 */
export async function buildDkekey({ executable } = {}) {
  const result = await build({
    absWorkingDir: ROOT,
    entryPoints: ["clients/dkekey/run.ts"],
    bundle: true,
    platform: "node",
    target: "node20",
    format: executable === undefined ? "esm" : "cjs",
    banner: executable === undefined ? { js: "#!/usr/bin/env node" } : {},
    define: executable === undefined ? {} : { EXECUTABLE: JSON.stringify(executable) },
    write: false,
    metafile: true,
    legalComments: "none",
    logLevel: "error",
    // Settings of a folder above would be taken where the sources lie alone.
    tsconfigRaw: "{}",
  });
  await stop();
  return { program: result.outputFiles[0].contents, sources: Object.keys(result.metafile.inputs).sort() };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const { values } = parseArgs({ options: { out: { type: "string", default: "dist/dkekey.mjs" } } });
  mkdirSync(dirname(values.out), { recursive: true });
  writeFileSync(values.out, (await buildDkekey()).program, { mode: 0o755 });
}
