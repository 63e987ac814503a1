/**
 * What the store's verbs cost inside a Durable Object, beside raw SQL there: `npx tsx bench/store-durable.ts [claims]`.
 * Bundles `store-durable-worker.ts` and runs it in one Miniflare.
 */
import { build } from "esbuild";
import { Miniflare } from "miniflare";

const count = Number(process.argv[2] ?? 100_000);
const { outputFiles } = await build({
  entryPoints: [new URL("store-durable-worker.ts", import.meta.url).pathname],
  bundle: true,
  write: false,
  format: "esm",
  target: "es2022",
  external: ["cloudflare:workers", "node:*"],
});
const miniflare = new Miniflare({
  modules: true,
  script: outputFiles[0].text,
  compatibilityDate: "2026-04-01",
  compatibilityFlags: ["nodejs_compat"],
  durableObjects: { BENCH: { className: "Bench", useSQLite: true } },
});
const response = await miniflare.dispatchFetch(`http://bench/?claims=${count}`);
console.log("| work | a piece | raw SQL beside it | ratio |\n|---|--:|--:|--:|");
console.log(await response.text());
await miniflare.dispose();
