/** Writes `migrations/` from the directory's schema: `npx drizzle-kit generate`. */
import { defineConfig } from "drizzle-kit";

export default defineConfig({ dialect: "sqlite", schema: "./src/directory/schema.ts", out: "./migrations" });
