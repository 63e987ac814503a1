/**
 * The scripts of the dashboard's pages: each file of src/dashboard/page/ becomes, with what it imports, one file that a browser takes
 * as it is, kept beside it as text (`NAME.generated.ts`), so that every way of deploying serves the same bytes.
 *
 * `node scripts/page-scripts.mjs` writes them; test/dashboard/page-scripts.test.ts holds what is committed to what this makes.
 */
import { readdirSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";

const ROOT = new URL("..", import.meta.url).pathname;
export const PAGE_FOLDER = "src/dashboard/page/";

export function pageSources() {
  return readdirSync(ROOT + PAGE_FOLDER)
    .filter((name) => name.endsWith(".ts") && !name.endsWith(".generated.ts"))
    .sort();
}

/** What a source becomes, as the text of the file that is committed. */
export async function generated(name) {
  const result = await build({
    absWorkingDir: ROOT,
    entryPoints: [PAGE_FOLDER + name],
    bundle: true,
    format: "esm",
    target: "es2022",
    minify: true,
    write: false,
    logLevel: "error",
  });
  return `// Written by \`node scripts/page-scripts.mjs\` from ${name}.\nexport default ${JSON.stringify(result.outputFiles[0].text)};\n`;
}

export function generatedName(name) {
  return name.replace(/\.ts$/, ".generated.ts");
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const wished = process.argv.slice(2);
  for (const name of pageSources()) {
    if (wished.length > 0 && !wished.includes(name.replace(/\.ts$/, ""))) continue;
    writeFileSync(ROOT + PAGE_FOLDER + generatedName(name), await generated(name));
  }
  process.exit(0);
}
