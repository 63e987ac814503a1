/**
 * `npm run bench`: every figure this project keeps, as Markdown on standard output.
 *
 *   npm run bench                 all of it
 *   npm run bench -- lang store   only those named: lang, rules, store, wire, load (ten minutes)
 *
 * Ratios within one run are what counts; absolute times move with the machine.
 */
import { execFileSync } from "node:child_process";
import { cpus } from "node:os";
import { join } from "node:path";
import { benchLanguage } from "./lang.mjs";
import { benchLoad } from "./load.mjs";
import { benchRules } from "./rules.mjs";
import { benchWire } from "./wire.mjs";

const PARTS = {
  lang: () => benchLanguage(),
  rules: () => benchRules(),
  store: () => {
    const text = execFileSync(
      process.execPath,
      [join(import.meta.dirname, "../node_modules/tsx/dist/cli.mjs"), join(import.meta.dirname, "store-durable.ts")],
      { encoding: "utf8" },
    );
    return `## The store inside a Durable Object, beside raw SQL in the same object\n\n\`\`\`\n${text.trimEnd()}\n\`\`\``;
  },
  wire: () => benchWire(),
  load: () => benchLoad(),
};
const wanted = process.argv.slice(2).length > 0 ? process.argv.slice(2) : Object.keys(PARTS);
const unknown = wanted.filter((p) => !PARTS[p]);
if (unknown.length > 0) {
  process.stderr.write(`unknown: ${unknown.join(", ")}; there are ${Object.keys(PARTS).join(", ")}\n`);
  process.exit(2);
}
process.stdout.write(`Node ${process.version}, ${cpus().length} cores (${cpus()[0]?.model ?? "unknown"})\n`);
for (const part of wanted) process.stdout.write(`\n${await PARTS[part]()}\n`);
