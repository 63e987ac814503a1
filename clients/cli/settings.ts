/**
 * Where the service is and which key opens it: flags, then the environment, then a file of JSON. An empty value is none.
 *
 * The same names and the same file serve the Python client, so one configuration is written once.
 */
import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { Refused } from "./request-wire.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

/** `db` is the id of the store that must be meant; undefined takes the one the key opens. */
export type Settings = { readonly url: string; readonly key: string; readonly db: string | undefined };

export const DEFAULT_URL = "http://127.0.0.1:8787/request";

/** The settings in force. Refuses where no key is given anywhere, or a named file cannot be read. */
export function readSettings(flags: Partial<Settings> & { config?: string }, environment: Environment): Settings {
  const stored = readFile(flags.config || environment["KHIVE_CONFIG"], environment);
  const key = flags.key || environment["KHIVE_KEY"] || environment["DKE_KEY"] || stored.key;
  if (!key) throw new Refused("no store key: give --key, set KHIVE_KEY, or write it into the configuration file", { kind: "no_key" });
  return {
    url: flags.url || environment["KHIVE_URL"] || stored.url || DEFAULT_URL,
    key,
    db: flags.db || environment["KHIVE_DB"] || stored.db,
  };
}

function readFile(named: string | undefined, environment: Environment): Partial<Settings> {
  const path = named ?? join(environment["XDG_CONFIG_HOME"] ?? join(homedir(), ".config"), "khive", "config.json");
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if (named === undefined && (error as { code?: string }).code === "ENOENT") return {};
    throw new Refused(`configuration file ${path} cannot be read`, { kind: "no_configuration" });
  }
  try {
    const stored: unknown = JSON.parse(text);
    if (typeof stored === "object" && stored !== null && !Array.isArray(stored)) return stored;
  } catch {
    // Told below, together with a file that holds something else.
  }
  throw new Refused(`configuration file ${path} must hold a JSON object`, { kind: "no_configuration" });
}
