/**
 * A person at a real browser: headless Chromium where the machine has it (`.ci/run` installs it where it can), and the steps that
 * several tests take with it.
 *
 * With the environment's SCREENSHOTS naming a folder, every page that is looked at is kept there as a picture, light, dark and narrow.
 */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Browser, chromium, type Page } from "playwright-core";
import { beyondTheKeyboard, brokenRules } from "./accessibility";

const PLACES = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
/** One that runs: on some systems the file only tells how it would be installed. */
export const CHROMIUM = PLACES.find((path) => existsSync(path) && spawnSync(path, ["--version"]).status === 0);
export const PASSWORD = "a quiet red harbour";

/** A telephone's, and a desk's. */
const NARROW = { width: 380, height: 760 };
const WIDE = { width: 1100, height: 800 };
/** What a narrower page can break that the wide one does not. */
const OF_WIDTH = ["scrollable-region-focusable", "target-size"];

export function openBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });
}

/** Makes an account; the page is then the list of its stores. */
export async function signUp(page: Page, email: string): Promise<void> {
  await page.goto("/dashboard/sign-up");
  await page.fill("#email", email);
  await page.fill("#password", PASSWORD);
  await page.keyboard.press("Enter");
  await page.waitForURL("**/dashboard/stores");
}

/** From the list of stores; the new store's path. */
export async function makeStore(page: Page, name: string): Promise<string> {
  await page.fill("#name", name);
  await page.keyboard.press("Enter");
  await page.waitForURL("**/keys");
  return new URL(page.url()).pathname.replace(/\/keys$/, "");
}

/** On the page that makes one; the key's text, as the page shows it. */
export async function makeKey(page: Page, { label = "an agent", level, opener }: { label?: string; level?: string; opener?: string } = {}) {
  await page.fill("#label", label);
  if (level !== undefined) await page.selectOption("#level", level);
  if (opener !== undefined) await page.fill("#opener", opener);
  await page.click("#make-button");
  await page.waitForSelector("#made:not([hidden])");
  return (await page.textContent("#key")) ?? "";
}

/** After that; the page is then the one that connects a client. */
export async function saveKey(page: Page): Promise<void> {
  await page.check("#saved");
  await page.click("#done");
  await page.waitForURL("**/connect");
}

/** What of a page is wrong to look at, to hear and to reach: nothing may lie beside a telephone's screen, and nobody be shut out. */
export async function look(page: Page, name: string): Promise<string[]> {
  const faults: string[] = [];
  for (const [size, viewport] of [
    ["wide", WIDE],
    ["narrow", NARROW],
  ] as const) {
    await page.setViewportSize(viewport);
    const wider = await page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth");
    if ((wider as number) > 0) faults.push(`${wider} px lie beside the ${size} page`);
    for (const broken of await brokenRules(page, size === "wide" ? undefined : OF_WIDTH)) faults.push(`${size}: ${broken}`);
    await keep(page, `${name}-${size}`);
  }
  await page.setViewportSize(WIDE);
  await page.emulateMedia({ colorScheme: "dark" });
  for (const broken of await brokenRules(page, ["color-contrast"])) faults.push(`dark: ${broken}`);
  await keep(page, `${name}-dark`);
  await page.emulateMedia({ colorScheme: "light" });
  const heads = await page.locator("h1").count();
  if (heads !== 1) faults.push(`${heads} first headings`);
  faults.push(...(await beyondTheKeyboard(page)));
  return faults.map((fault) => `${name}: ${fault}`);
}

async function keep(page: Page, name: string): Promise<void> {
  const folder = process.env["SCREENSHOTS"];
  if (folder !== undefined) await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
}
