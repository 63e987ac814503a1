/**
 * The service of test/worker/objects-in-node.ts for plain Node: bundled to a file beside the packages it needs, and taken from there.
 */
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build, stop } from "esbuild";

const ROOT = join(import.meta.dirname, "..");

/** @param settings  Bindings, as wrangler.toml and the local start give them. */
export async function loadInNode(settings) {
  const folder = join(ROOT, "node_modules/.cache/dke");
  mkdirSync(folder, { recursive: true });
  const outfile = join(folder, `service-${process.pid}.mjs`);
  await build({
    absWorkingDir: ROOT,
    stdin: {
      contents: `export { startInNode } from "./test/worker/objects-in-node"; export { SPEC_TEXT } from "./src/worker/spec-text";`,
      resolveDir: ROOT,
      loader: "ts",
    },
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20",
    outfile,
    alias: { "cloudflare:workers": "./test/worker/cloudflare-workers.ts" },
    packages: "external",
    loader: { ".md": "text" },
    logLevel: "error",
  });
  await stop(); // its process would otherwise stay as long as ours
  try {
    const { startInNode, SPEC_TEXT } = await import(pathToFileURL(outfile).href);
    return startInNode(SPEC_TEXT, settings);
  } finally {
    rmSync(outfile);
  }
}
