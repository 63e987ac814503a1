/**
 * The pages that make and test keys, in a real browser: headless Chromium where the machine has it (`.ci/run` installs it).
 *
 * What the other tests of these pages do by hand, the page's own script does here, under the page's own content policy.
 */
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it } from "vitest";
import { callTool } from "../worker/fresh-store";
import { CHROMIUM, makeKey, makeStore, openBrowser, saveKey, signUp } from "./chromium";

/** Where the secret begins in a key's text: after the prefix and the store's id. */
const SECRET_AT = 49;

describe.runIf(CHROMIUM !== undefined)("in a browser", () => {
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let sent: string[];
  let complaints: string[];
  let people = 0;

  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser?.close());
  beforeEach(async () => {
    context = await browser.newContext({ baseURL: inject("serviceUrl") });
    page = await context.newPage();
    page.setDefaultTimeout(15_000);
    [sent, complaints] = [[], []];
    page.on("request", (request) =>
      sent.push(`${request.method()} ${request.url()} ${JSON.stringify(request.headers())} ${request.postData()}`),
    );
    page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
    page.on("pageerror", (error) => complaints.push(error.message));
  });
  afterEach(async () => {
    expect(complaints).toEqual([]);
    await context.close();
  });

  /** A new account with a store, in this browser; the store's path. */
  async function withStore(): Promise<string> {
    // An address of its own for each: attempts to sign up are counted by it.
    await page.setExtraHTTPHeaders({ "cf-connecting-ip": `2001:db8:b::${++people}` });
    await signUp(page, `in-browser-${process.pid}-${people}@example.org`);
    return makeStore(page, "Seen");
  }

  it("[C7.59] a key is made with the keyboard alone, shown once behind the gate, gone when the page is left, and its secret was never sent", async () => {
    const at = await withStore();
    await page.click("text=Make its first key");
    await page.waitForURL("**/keys/new");
    await page.focus("#label");
    await page.keyboard.type("by keyboard");
    await page.keyboard.press("Enter");
    await page.waitForSelector("#made:not([hidden])");
    const key = (await page.textContent("#key")) ?? "";
    expect(key).toMatch(/^dke_s_[0-9A-Za-z]{92}$/);
    expect(await page.evaluate("document.activeElement.id")).toBe("made");
    // To the copy button, the box and, once it is ticked, the button that goes on.
    expect(await page.isDisabled("#done")).toBe(true);
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Space");
    expect(await page.isDisabled("#done")).toBe(false);
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/connect");
    expect((await callTool(key, "run", { source: "print(1)" })).result.isError).toBe(false);
    const secret = key.slice(SECRET_AT);
    expect(sent.join("\n")).toContain('"wrap"');
    expect(sent.join("\n")).not.toContain(secret);
    // The page that showed it is in no history, and nothing that a page could keep has it.
    await page.goBack();
    expect(new URL(page.url()).pathname).toBe(`${at}/keys`);
    const kept = await page.evaluate(
      "JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, document.documentElement.outerHTML, history.state])",
    );
    expect(kept).not.toContain(secret);
  });

  it("[C7.59] whoever leaves before the key is saved is asked, and coming back shows nothing", async () => {
    const at = await withStore();
    await page.click("text=Make its first key");
    const key = await makeKey(page);
    const asked: string[] = [];
    page.once("dialog", async (dialog) => {
      asked.push(dialog.type());
      await dialog.dismiss();
    });
    await page.click("nav[aria-label=Store] >> text=Activity");
    await expect.poll(() => asked).toEqual(["beforeunload"]);
    expect(await page.textContent("#key")).toBe(key);
    page.once("dialog", (dialog) => dialog.accept());
    await page.click("nav[aria-label=Store] >> text=Activity");
    await page.waitForURL("**/activity");
    await page.goBack();
    await page.waitForURL("**/keys/new");
    await page.waitForSelector("#make");
    expect(await page.content()).not.toContain(key.slice(SECRET_AT));
    expect(new URL(page.url()).pathname).toBe(`${at}/keys/new`);
  });

  it("[3.1] a further key is wrapped with one that is pasted, which is not sent; what opens nothing is told in words", async () => {
    const at = await withStore();
    await page.click("text=Make its first key");
    const first = await makeKey(page);
    await saveKey(page);
    await callTool(first, "run", { source: 'remember(Lamp.a.room, "hall", "test")' });
    await page.goto(`${at}/keys/new`);
    const told = async (opener: string) => {
      await page.fill("#label", "second");
      await page.fill("#opener", opener);
      await page.click("#make-button");
      await page.waitForSelector("#said:not([hidden])");
      return page.textContent("#said");
    };
    expect(await told("dke_s_short")).toContain("This is no store key");
    expect(await told(`${first.slice(0, -1)}${first.endsWith("0") ? "1" : "0"}`)).toContain("This is no store key");
    expect(complaints).toEqual([]);
    const second = await makeKey(page, { opener: first });
    expect((await callTool(second, "run", { source: "print(Lamp.a.room)" })).result.content[0].text).toContain("hall");
    for (const key of [first, second]) expect(sent.join("\n")).not.toContain(key.slice(SECRET_AT));
    await saveKey(page);
  });

  it("[D.3] the test of a connection shows the very answer, and says of a key of another store that it is one", async () => {
    await withStore();
    await page.click("text=Make its first key");
    const other = await makeKey(page);
    await saveKey(page);
    await page.goto("/dashboard/stores");
    await makeStore(page, "Another");
    await page.click("text=Make its first key");
    const key = await makeKey(page);
    await saveKey(page);
    const test = async (text: string) => {
      await page.fill("#key", text);
      await page.click("#test button");
      await expect.poll(async () => ((await page.isHidden("#verdict")) ? "Asking…" : page.textContent("#verdict"))).not.toBe("Asking…");
      return page.textContent("#verdict");
    };
    expect(await test(other)).toBe("This key is of another store.");
    expect(await test("nonsense")).toContain("This is no store key");
    expect(sent.join("\n")).not.toContain(other.slice(SECRET_AT));
    expect(await test(key)).toBe("Connected: the key opens this store.");
    expect(JSON.parse((await page.textContent("#answer")) ?? "")).toMatchObject({ jsonrpc: "2.0", id: 1, result: { isError: false } });
    // A test is no client.
    await page.click("nav[aria-label=Store] >> text=Keys");
    expect(await page.textContent("table")).toContain("none yet");
  });

  it("[D.9] without script a level is set, a key revoked, a store renamed and deleted; only making a key says that it needs one", async () => {
    const at = await withStore();
    await page.click("text=Make its first key");
    const key = await makeKey(page);
    await saveKey(page);
    const bare = await browser.newContext({
      baseURL: inject("serviceUrl"),
      javaScriptEnabled: false,
      storageState: await context.storageState(),
    });
    const plain = await bare.newPage();
    await plain.goto(`${at}/keys`);
    await plain.selectOption("select[name=level]", "read");
    await plain.click("td button");
    expect((await callTool(key, "run", { source: 'remember(Lamp.a.room, "hall", "test")' })).result._meta.refuse_reason).toBe(
      "scope_forbidden",
    );
    await plain.goto(`${at}/keys/new`);
    expect(await plain.textContent("noscript")).toContain("needs this page's script");
    expect(await plain.isDisabled("#make-button")).toBe(true);
    await plain.goto(`${at}/keys`);
    await plain.click("a.danger");
    await plain.check("input[name=lost]");
    await plain.click("button.danger");
    await plain.waitForURL("**/keys");
    await plain.goto(`${at}/settings`);
    await plain.fill("#name", "Renamed");
    await plain.click("text=Rename");
    expect(await plain.textContent("h1")).toBe("Renamed");
    await plain.fill("#typed", "Renamed");
    await plain.click("text=Delete the store");
    await plain.waitForURL("**/dashboard/stores");
    expect(await plain.textContent("main")).toContain("gone for good");
    await plain.click("text=Bring it back");
    await plain.waitForURL("**/keys");
    await bare.close();
  });
});
