/** Applies to a local D1 the files of `migrations/` that it has not seen, in wrangler's own table. */
import { readdirSync, readFileSync } from "node:fs";

const MIGRATIONS = new URL("../migrations/", import.meta.url);

export async function migrate(d1) {
  await d1
    .prepare(
      "CREATE TABLE IF NOT EXISTS d1_migrations(id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE, applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL)",
    )
    .run();
  const applied = await d1.prepare("SELECT name FROM d1_migrations").all();
  const done = new Set(applied.results.map((row) => row.name));
  const names = readdirSync(MIGRATIONS).filter((name) => name.endsWith(".sql"));
  for (const name of names.sort()) {
    if (done.has(name)) continue;
    const statements = readFileSync(new URL(name, MIGRATIONS), "utf8").split("--> statement-breakpoint");
    await d1.batch([...statements.map((text) => d1.prepare(text)), d1.prepare("INSERT INTO d1_migrations(name) VALUES (?)").bind(name)]);
  }
}
