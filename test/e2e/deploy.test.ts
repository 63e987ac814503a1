/** What would be deployed: wrangler takes the configuration, the bundle holds the specification and no development entry. */
import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { runtimeOptions } from "../../scripts/bundle.mjs";

const ROOT = join(__dirname, "..", "..");

describe("deployment", () => {
  it("bundles by wrangler, dry: bindings, specification, no /__local", async () => {
    const folder = mkdtempSync(join(tmpdir(), "dke-deploy-"));
    try {
      const env = { ...process.env, CI: "1", WRANGLER_SEND_METRICS: "false", NO_COLOR: "1" };
      const wrangler = join(ROOT, "node_modules", ".bin", "wrangler");
      const { stdout } = await promisify(execFile)(wrangler, ["deploy", "--dry-run", "--outdir", folder], { cwd: ROOT, env });
      for (const binding of [
        "env.STORE (StoreObject)",
        "env.ACCOUNT (AccountObject)",
        "env.DIRECTORY",
        "env.FILES",
        "env.OWN_ORIGINS",
        "env.FLOOD_PER_S",
      ]) {
        expect(stdout).toContain(binding);
      }
      const files = readdirSync(folder);
      const script = readFileSync(join(folder, "index.js"), "utf8");
      expect(script).toContain("AUTH_EMPTY_TOKEN");
      expect(script).not.toContain("__local");
      const kernel = files.find((name) => name.endsWith("-numbers.wasm"));
      expect(kernel).toBeDefined();
      expect(readFileSync(join(folder, kernel as string))).toEqual(readFileSync(join(ROOT, "src/lang/machine/numbers.wasm")));
      for (const topic of ["header", "declarations", "statements", "expressions", "types", "verbs", "scripts"]) {
        const taken = files.find((name) => name.endsWith(`-${topic}.md`));
        expect(taken, topic).toBeDefined();
        expect(readFileSync(join(folder, taken as string), "utf8")).toBe(readFileSync(join(ROOT, "src/spec", `${topic}.md`), "utf8"));
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it("and the local start give the same code to the same platform", () => {
    const toml = readFileSync(join(ROOT, "wrangler.toml"), "utf8");
    const local = runtimeOptions("", { port: 0, stateFolder: "", bindings: {}, onOutput: () => {} }) as unknown as {
      compatibilityDate: string;
      compatibilityFlags: string[];
      durableObjects: Record<string, { className: string; useSQLite: boolean }>;
      d1Databases: Record<string, string>;
      r2Buckets: Record<string, string>;
      bindings: Record<string, unknown>;
    };
    expect(toml).toContain(`compatibility_date = "${local.compatibilityDate}"`);
    expect(toml).toContain(`compatibility_flags = ${JSON.stringify(local.compatibilityFlags).replaceAll(",", ", ")}`);
    const objects = [...toml.matchAll(/\[\[durable_objects\.bindings\]\]\nname = "(\w+)"\nclass_name = "(\w+)"/g)].map((one) => [
      one[1],
      one[2],
    ]);
    expect(objects).toEqual(Object.entries(local.durableObjects).map(([name, { className }]) => [name, className]));
    expect(toml).toContain(`new_sqlite_classes = ${JSON.stringify(objects.map((one) => one[1])).replaceAll(",", ", ")}`);
    for (const binding of Object.keys({ ...local.d1Databases, ...local.r2Buckets })) expect(toml).toContain(`binding = "${binding}"`);
    for (const name of Object.keys(local.bindings)) expect(toml).toMatch(new RegExp(`^${name} = `, "m"));
  });
});
