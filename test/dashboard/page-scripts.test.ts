/** The pages' scripts: what is committed is what their sources make, and a browser gets those bytes. */
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, inject, it } from "vitest";
import { generated, generatedName, PAGE_FOLDER, pageSources } from "../../scripts/page-scripts.mjs";
import { PAGE_SCRIPTS } from "../../src/dashboard/page-scripts";

describe("page scripts", () => {
  it("[dashboard] are committed as their sources make them", async () => {
    expect(pageSources().length).toBeGreaterThan(0);
    for (const name of pageSources()) {
      expect(readFileSync(PAGE_FOLDER + generatedName(name), "utf8") === (await generated(name)), `run npm run pages: ${name}`).toBe(true);
    }
    const stray = readdirSync(PAGE_FOLDER).filter(
      (name) => name.endsWith(".generated.ts") && !pageSources().map(generatedName).includes(name),
    );
    expect(stray).toEqual([]);
  });

  it("[dashboard] are all served, as scripts, by their names, and nothing else is", async () => {
    expect([...PAGE_SCRIPTS.keys()].sort()).toEqual(pageSources().map((name) => name.replace(/\.ts$/, ".js")));
    for (const [name, text] of PAGE_SCRIPTS) {
      const response = await fetch(new URL(`/dashboard/page/${name}`, inject("serviceUrl")));
      expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/javascript; charset=utf-8"]);
      expect(await response.text()).toBe(text);
      expect(text.length, name).toBeLessThan(100_000);
    }
    for (const name of ["constructor", "keys.ts", "nothing.js", "..%2Fstyle.css"])
      expect((await fetch(new URL(`/dashboard/page/${name}`, inject("serviceUrl")))).status, name).toBe(404);
  });
});
