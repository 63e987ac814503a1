/** Writes `migrations/` from the directory's schema: `npx drizzle-kit generate`. */
import { defineConfig } from "drizzle-kit";

export default defineConfig({ dialect: "sqlite", schema: "./src/worker/directory-schema.ts", out: "./migrations" });
