/**
 * The worker as one file, and the local runtime it is given to: what `wrangler.toml` says, for Miniflare.
 *
 * Used by the local start and by the tests' shared service; deployment bundles by wrangler.
 */
import { readFileSync } from "node:fs";
import { build, stop } from "esbuild";

const ROOT = new URL("..", import.meta.url).pathname;

/** Compiled code stays a file of its own: the runtime compiles it, a script may not. */
const KERNEL = "numbers.wasm";
const besideTheScript = {
  name: "beside-the-script",
  setup(build) {
    build.onResolve({ filter: /\.wasm$/ }, () => ({ path: `./${KERNEL}`, external: true }));
  },
};

/** The development entry unless another is named. */
export async function bundle(entry = "src/worker/local.ts") {
  const result = await build({
    absWorkingDir: ROOT,
    entryPoints: [entry],
    bundle: true,
    format: "esm",
    target: "es2024",
    write: false,
    // Names and lines for stack traces; the sources themselves would double the script.
    sourcemap: "inline",
    sourcesContent: false,
    conditions: ["workerd", "worker", "browser"],
    mainFields: ["module", "main"],
    external: ["cloudflare:*", "node:*"],
    loader: { ".md": "text", ".css": "text" },
    plugins: [besideTheScript],
    logLevel: "error",
  });
  await stop(); // its process would otherwise stay as long as ours
  return result.outputFiles[0].text;
}

/**
 * The worker listens itself, as at the edge, and not behind the worker that Miniflare puts before it: that one costs 0.7 ms of
 * CPU a request, and heeds headers (`MF-*`) of its own that answer 500 where they are odd.
 *
 * @param place  `port` 0 takes a free one; `stateFolder` holds everything that outlives the process.
 */
export function runtimeOptions(script, { port, stateFolder, bindings, onOutput }) {
  return {
    name: "dke",
    cf: false,
    host: "127.0.0.1",
    port: 0,
    unsafeDirectSockets: [{ host: "127.0.0.1", port }],
    modules: [
      { type: "ESModule", path: "worker.js", contents: script },
      { type: "CompiledWasm", path: KERNEL, contents: readFileSync(`${ROOT}src/lang/machine/${KERNEL}`) },
    ],
    compatibilityDate: "2026-04-20",
    compatibilityFlags: ["nodejs_compat", "enable_request_signal"],
    durableObjects: {
      STORE: { className: "StoreObject", useSQLite: true },
      ACCOUNT: { className: "AccountObject", useSQLite: true },
    },
    d1Databases: { DIRECTORY: "dke-directory" },
    r2Buckets: { FILES: "dke-files" },
    durableObjectsPersist: `${stateFolder}/do`,
    d1Persist: `${stateFolder}/d1`,
    r2Persist: `${stateFolder}/r2`,
    bindings: { OWN_ORIGINS: "", FLOOD_PER_S: 10_000, ...bindings },
    // Standard output belongs to the one line that says where the service is.
    handleRuntimeStdio: onOutput,
  };
}

/** Where the worker listens, once it does; ends in a slash. */
export async function urlOf(miniflare) {
  await miniflare.ready;
  return (await miniflare.unsafeGetDirectURL()).href;
}

/** Passes what the runtime prints on to standard error. */
export function outputToStderr(stdout, stderr) {
  stdout.pipe(process.stderr, { end: false });
  stderr.pipe(process.stderr, { end: false });
}
