/**
 * `npm run bench`: every figure this project keeps, as Markdown on standard output.
 *
 *   npm run bench                 all of it
 *   npm run bench -- lang store   only those named: lang, rules, store, wire, keys, search, recall, snapshot, newcomer, isolation, stretches, load (ten minutes)
 *
 * Ratios within one run are what counts; absolute times move with the machine.
 */
import { execFileSync } from "node:child_process";
import { cpus } from "node:os";
import { join } from "node:path";
import { benchIsolation } from "./isolation.mjs";
import { benchKeys } from "./keys.mjs";
import { benchLanguage } from "./lang.mjs";
import { benchLoad } from "./load.mjs";
import { benchRecall } from "./recall.mjs";
import { benchRules } from "./rules.mjs";
import { benchStart } from "./start.mjs";
import { benchStretches } from "./stretches.mjs";
import { benchWire } from "./wire.mjs";

/** What a script in TypeScript prints. */
function script(name) {
  const tsx = join(import.meta.dirname, "../node_modules/tsx/dist/cli.mjs");
  return execFileSync(process.execPath, [tsx, join(import.meta.dirname, name)], { encoding: "utf8" });
}

const PARTS = {
  lang: () => benchLanguage(),
  start: () => benchStart(),
  rules: () => benchRules(),
  store: () =>
    `## The store inside a Durable Object, beside raw SQL in the same object\n\n\`\`\`\n${script("store-durable.ts").trimEnd()}\n\`\`\``,
  wire: () => benchWire(),
  keys: () => benchKeys(),
  search: () => `## Search without a model\n\n${script("search-quality.ts")}`,
  recall: () => benchRecall(),
  snapshot: () => script("snapshot.ts"),
  newcomer: () => script("newcomer.ts"),
  isolation: () => benchIsolation(),
  stretches: () => benchStretches(),
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
