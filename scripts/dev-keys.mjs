/**
 * The keys of the local stores, kept beside the state so that a second start opens the same data.
 *
 * The service itself holds only hashes and wraps; whoever loses this file loses the stores' contents. Mode 0600, and
 * replaced whole by a rename, so that a crash leaves the old file or the new one.
 */
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export function readDevKeys(stateFolder) {
  const path = join(stateFolder, "dev-keys.json");
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")).stores : [];
}

export function writeDevKeys(stateFolder, stores) {
  const path = join(stateFolder, "dev-keys.json");
  writeFileSync(`${path}.new`, `${JSON.stringify({ stores }, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${path}.new`, path);
}
