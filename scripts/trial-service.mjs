/**
 * A service of one trial's own: memory for a disk, no rate limit, stores on demand, and a look at what was billed.
 *
 * For the trials that are run by hand at length (scripts/fuzz-wire.mjs, scripts/end-calls.mjs); a test run has the like
 * in test/service.ts.
 */
import { randomBytes } from "node:crypto";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Miniflare } from "miniflare";
import { bundle, outputToStderr, runtimeOptions, urlOf } from "./bundle.mjs";
import { askLocal, migrate } from "./migrate.mjs";
import { guardChildren } from "./state-lock.mjs";

export async function startTrial() {
  const stateFolder = mkdtempSync(join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "dke-trial-"));
  const localToken = randomBytes(32).toString("hex");
  const bindings = { LOCAL_TOKEN: localToken, KEY_CALLS_PER_SECOND: 1_000_000, FLOOD_PER_S: 1_000_000, CALL_LOG: "off" };
  const miniflare = new Miniflare(runtimeOptions(await bundle(), { port: 0, stateFolder, bindings, onOutput: outputToStderr }));
  const url = await urlOf(miniflare);
  guardChildren(stateFolder);
  await migrate(url, localToken);
  return {
    ...trialOf(url, localToken),
    directory: () => miniflare.getD1Database("DIRECTORY"),
    async end() {
      await miniflare.dispose();
      rmSync(stateFolder, { recursive: true, force: true });
    },
  };
}

/** The same face on a service that runs already. */
export function trialOf(url, localToken) {
  return {
    url,
    newStore: (balanceOps = 1e14) => askLocal(url, localToken, "store", { balanceOps }),
    ledger: (storeId) => askLocal(url, localToken, "ledger", { storeId }),
  };
}
