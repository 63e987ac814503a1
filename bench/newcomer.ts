/**
 * From nothing to a connected client, and to a proof in the browser: the README's way in a fresh copy of this repository, with
 * headless Chromium as the person. What is measured is the machine's part; nobody reads or thinks in it.
 */
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeKey, makeStore, openBrowser, saveKey, signUp } from "../test/dashboard/chromium";

const folder = mkdtempSync(join(tmpdir(), "dke-newcomer-"));
const began = performance.now();
const steps: (readonly [what: string, seconds: number])[] = [];
const done = (what: string): void => void steps.push([what, (performance.now() - began) / 1000]);

const copy = join(folder, "dke");
mkdirSync(copy);
execFileSync("sh", ["-c", `git archive HEAD | tar x -C "${copy}"`], { cwd: join(import.meta.dirname, "..") });
execFileSync("npm", ["ci", "--no-audit", "--no-fund"], { cwd: copy, stdio: "ignore" });
done("`npm ci`");
const service = spawn("npm", ["start", "--silent", "--", "--json", "--port", "0"], { cwd: copy, stdio: ["ignore", "pipe", "ignore"] });
const ready = JSON.parse(
  await new Promise<string>((resolve, reject) => {
    let text = "";
    service.stdout.on("data", (data) => {
      text += data;
      if (text.includes("\n")) resolve(text);
    });
    service.once("exit", (code) => reject(new Error(`npm start ended with ${code}`)));
  }),
) as { readonly url: string; readonly dashboard_url: string };
done("`npm start` answers");
const browser = await openBrowser();
try {
  const page = await (await browser.newContext({ baseURL: ready.dashboard_url })).newPage();
  page.setDefaultTimeout(120_000);
  await signUp(page, "newcomer@example.org");
  const at = await makeStore(page, "First");
  await page.click("text=Make its first key");
  const key = await makeKey(page, { level: "read-write" });
  await saveKey(page);
  done("signed up, a store, a key saved");
  const need = createRequire(join(copy, "package.json"));
  const { Client } = need("@modelcontextprotocol/sdk/client/index.js");
  const { StreamableHTTPClientTransport } = need("@modelcontextprotocol/sdk/client/streamableHttp.js");
  const client = new Client({ name: "newcomer", version: "1.0.0" });
  const headers = { authorization: `Bearer ${key}` };
  await client.connect(new StreamableHTTPClientTransport(new URL(ready.url), { requestInit: { headers } }));
  await client.callTool({ name: "run", arguments: { source: 'remember(Sensor.s1.room, "kitchen", "survey")' } });
  await page.goto(`${at}/keys`);
  await page.waitForSelector("text=newcomer 1.0.0");
  done("the official client has connected, and the page shows it");
  await page.goto(`${at}/explore`);
  await page.fill("#key", key);
  await page.click("text=Look into the store");
  await page.click("#kinds >> text=Sensor");
  await page.click("#subjects >> text=s1");
  await page.click("#cells >> text=room");
  await page.waitForSelector("#result:not([hidden])");
  await page.click("text=Why it holds");
  await page.waitForSelector("#picture svg >> text=survey");
  done("a proof stands in the browser");
  await client.close();
} finally {
  await browser.close();
  service.kill("SIGTERM");
  await new Promise((resolve) => service.once("exit", resolve));
  rmSync(folder, { recursive: true, force: true });
}
process.stdout.write(`## A newcomer\n\n| after | seconds |\n| --- | --: |\n`);
for (const [what, seconds] of steps) process.stdout.write(`| ${what} | ${seconds.toFixed(1)} |\n`);
process.exit(0);
