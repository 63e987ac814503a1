/** Imports go only upwards in the table of layers, and the pure layers stay pure: architecture, "Layers". */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { PAGE_FOLDER, pageSources } from "../../scripts/page-scripts.mjs";
import { importsOf, ROOT, resolveImport, sourceFiles } from "./sources";

/** Each may import itself and what stands above it. */
const LAYERS = [
  "src/",
  "src/engine/",
  "src/lang/",
  "src/tools/",
  "src/request/",
  "src/picture/",
  "src/directory/",
  "src/durable/",
  "src/dashboard/",
  "src/pages/",
  "src/worker/",
] as const;
const PURE_RANK_MAX = LAYERS.indexOf("src/picture/");

/** What holds or computes over a store. The language may not reach these, not even through another file of the engine. */
const STORE_FILES = ["src/engine/sql.ts", "src/engine/store.ts", "src/engine/session.ts", "src/engine/ledger.ts", "src/engine/reasoner.ts"];

/** Packages, by the first layer that may import them. */
const PACKAGES: Readonly<Record<string, (typeof LAYERS)[number]>> = {
  stemmer: "src/engine/",
  "node:crypto": "src/directory/",
  "cloudflare:workers": "src/durable/",
  "@simplewebauthn/browser": "src/dashboard/",
  "@simplewebauthn/server": "src/dashboard/",
  hono: "src/dashboard/",
  "hono/cookie": "src/dashboard/",
  "hono/factory": "src/dashboard/",
  "hono/html": "src/dashboard/",
  "hono/jsx": "src/dashboard/",
  "hono/trailing-slash": "src/dashboard/",
  marked: "src/pages/",
  zod: "src/request/",
  "drizzle-orm": "src/directory/",
  "drizzle-orm/d1": "src/directory/",
  "drizzle-orm/sqlite-core": "src/directory/",
};

function rankOf(path: string): number {
  if (path.startsWith("src/spec/")) return 0;
  for (let rank = LAYERS.length - 1; rank > 0; rank--) if (path.startsWith(LAYERS[rank])) return rank;
  return 0;
}

const FILES = sourceFiles(["src"], /\.tsx?$/);

describe("layers", () => {
  it("[architecture] sees the files it is about", () => {
    for (let rank = 0; rank < LAYERS.length; rank++)
      expect(FILES.filter((file) => rankOf(file.path) === rank).length, LAYERS[rank]).toBeGreaterThan(0);
  });

  it("[architecture] no file imports from a layer below its own", () => {
    const wrong: string[] = [];
    for (const file of FILES) {
      for (const { target } of importsOf(file)) {
        const path = resolveImport(file.path, target);
        if (path !== null && rankOf(path) > rankOf(file.path)) wrong.push(`${file.path} imports ${path}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  it("[architecture] the language takes only data, its spelling and its order from the engine", () => {
    const byPath = new Map(FILES.map((file) => [file.path, file]));
    expect(STORE_FILES.filter((path) => !byPath.has(path))).toEqual([]);
    const reached = new Map<string, string>();
    const follow = (path: string, from: string): void => {
      if (reached.has(path)) return;
      reached.set(path, from);
      const file = byPath.get(path);
      for (const { target, typeOnly } of file === undefined ? [] : importsOf(file)) {
        const next = resolveImport(path, target);
        if (next?.startsWith("src/engine/") && !typeOnly) follow(next, path);
      }
    };
    for (const file of FILES) if (file.path.startsWith("src/lang/")) follow(file.path, "");
    expect(STORE_FILES.filter((path) => reached.has(path)).map((path) => `${reached.get(path)} imports ${path}`)).toEqual([]);
  });

  it("[architecture] each package is imported only where the table allows it", () => {
    const wrong: string[] = [];
    for (const file of FILES) {
      for (const { target } of importsOf(file)) {
        if (target.startsWith(".")) continue;
        const layer = PACKAGES[target];
        if (layer === undefined || rankOf(file.path) < LAYERS.indexOf(layer)) wrong.push(`${file.path} imports ${target}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  it("[architecture] every import names a file that is there, without an extension", () => {
    const wrong: string[] = [];
    for (const file of FILES) {
      for (const { target } of importsOf(file)) {
        const path = resolveImport(file.path, target);
        if (path !== null && (/\.[jt]s$/.test(target) || !existsSync(join(ROOT, path)))) wrong.push(`${file.path} imports ${target}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  it("[architecture] time, chance and the platform come into the pure layers as arguments", () => {
    const banned =
      /\b(Date\s*\.\s*now|new\s+Date\b|Date\s*\(|Math\s*\.\s*random|performance\s*\.|crypto\s*\.|setTimeout|setInterval|queueMicrotask|fetch\s*\(|process\s*\.|console\s*\.|eval\s*\(|new\s+Function\b|toLocale\w*|Intl\s*\.)/;
    const wrong: string[] = [];
    for (const file of FILES.filter((one) => rankOf(one.path) <= PURE_RANK_MAX)) {
      const found = banned.exec(file.code);
      if (found !== null) wrong.push(`${file.path}: ${found[0]}`);
    }
    expect(wrong).toEqual([]);
  });

  it("[architecture] no file is imported by nobody", () => {
    const entries = ["src/worker/index.ts", "src/worker/local.ts", ...pageSources().map((name) => PAGE_FOLDER + name)];
    const imported = new Set(FILES.flatMap((file) => importsOf(file).map(({ target }) => resolveImport(file.path, target))));
    const orphans = FILES.map((file) => file.path).filter(
      (path) => !path.endsWith(".d.ts") && !entries.includes(path) && !imported.has(path),
    );
    expect(orphans).toEqual([]);
  });
});
