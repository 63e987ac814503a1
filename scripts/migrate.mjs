/** Applies the files of `migrations/` to a local service's directory, through its development entry. */
import { readdirSync, readFileSync } from "node:fs";

const MIGRATIONS = new URL("../migrations/", import.meta.url);

/** What the directory has seen already is left alone. */
export async function migrate(url, localToken) {
  const names = readdirSync(MIGRATIONS).filter((name) => name.endsWith(".sql"));
  const files = names.sort().map((name) => ({
    name,
    statements: readFileSync(new URL(name, MIGRATIONS), "utf8").split("--> statement-breakpoint"),
  }));
  await askLocal(url, localToken, "migrate", { files });
}

/** One question to the development entry (src/worker/local.ts). */
export async function askLocal(url, localToken, what, body) {
  const response = await fetch(new URL(`/__local/${what}`, url), {
    method: "POST",
    headers: { "x-local-token": localToken },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`the service could not ${what}: ${response.status} ${await response.text()}`);
  return response.json();
}
