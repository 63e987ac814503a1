/**
 * The whole way of somebody who comes by, in a real browser on a service of its own: an account, a store, a key made in the page, the
 * official client with it, what the pages then tell; a level lowered, a key revoked; a snapshot, a loss, the restore; the proof in
 * Explore. Then every other page is looked at, the service ends, and what it left on the disk is searched.
 */
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { call, connect, printed } from "../e2e/mcp-client";
import { cleanUp, type Started, start, stateFolder } from "../e2e/start-process";
import { CHROMIUM, look, makeKey, makeStore, openBrowser, PASSWORD, saveKey, signUp } from "./chromium";
import { formsOf, formsOfText, StateSearch } from "./state-search";

const MODULE = `class Zephyrkind:
    marzipanheat: float
    quincelimit: float
    tapirstate: string

@rule
def okapirule(p: Zephyrkind):
    when(p.marzipanheat > p.quincelimit)
    conclude(p.tapirstate, "the conclusion nobody may read")
`;
const RECORD = `import walrusmodule
remember(Zephyrkind.quokka.quincelimit, 25.0, "an-oracle-as-source")
remember(Zephyrkind.quokka.marzipanheat, 31.5, "a-meter-as-source")
print(Zephyrkind.quokka.tapirstate)
`;
const READ = "import walrusmodule\nprint(Zephyrkind.quokka.tapirstate)\n";
/** Of the store, and so in no file of the service. */
const CONTENTS = [
  "Zephyrkind",
  "quokka",
  "marzipanheat",
  "quincelimit",
  "tapirstate",
  "okapirule",
  "walrusmodule",
  "the conclusion nobody may read",
  "an-oracle-as-source",
  "a-meter-as-source",
  "lemurmark",
];
const EMAIL = "whole-way@example.org";

describe.runIf(CHROMIUM !== undefined)("the whole way", () => {
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let service: Started;
  let folder: string;
  const complaints: string[] = [];
  const faults: string[] = [];
  /** What the page drew from the browser's random source, 32 bytes at a time: the data key, and a secret for each key. */
  const drawn: Uint8Array[] = [];

  beforeAll(async () => {
    folder = stateFolder();
    [browser, service] = await Promise.all([openBrowser(), start(folder)]);
    context = await browser.newContext({ baseURL: service.ready.dashboard_url });
    page = await context.newPage();
    const authenticator = await context.newCDPSession(page);
    await authenticator.send("WebAuthn.enable");
    const options = { protocol: "ctap2", transport: "internal", hasResidentKey: true, hasUserVerification: true } as const;
    await authenticator.send("WebAuthn.addVirtualAuthenticator", {
      options: { ...options, isUserVerified: true, automaticPresenceSimulation: true },
    });
    page.setDefaultTimeout(60_000);
    page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
    page.on("pageerror", (error) => complaints.push(error.message));
    await page.exposeFunction("drawn", (bytes: number[]) => drawn.push(Uint8Array.from(bytes)));
    await page.addInitScript(`{
      const draw = crypto.getRandomValues.bind(crypto);
      crypto.getRandomValues = (array) => { draw(array); if (array.length === 32) drawn([...array]); return array; };
    }`);
  });
  afterAll(async () => {
    await browser?.close();
    await cleanUp();
  });

  const looked = async (name: string): Promise<void> => {
    faults.push(...(await look(page, name)));
  };
  const toTab = async (label: string): Promise<void> => {
    await page.click(`nav[aria-label=Store] >> text=${label}`);
    await page.waitForURL(`**/${label.toLowerCase()}`);
  };

  it("from signing up to the proof; afterwards no file of the service opens anything or names what is in a store", async () => {
    // An account, a store, its first key.
    await page.goto("/dashboard");
    await looked("sign-in");
    await page.click("text=Make an account");
    await looked("sign-up");
    await signUp(page, EMAIL);
    await looked("stores-empty");
    await page.goto("/dashboard/outbox");
    const link = /http\S+\/confirm#\S+/.exec((await page.textContent("pre")) ?? "")?.[0] ?? "";
    await page.goto(link);
    await looked("confirm");
    await page.click("main form button");
    await page.waitForSelector("text=The address is confirmed");
    await page.click("text=To your stores");
    const at = await makeStore(page, "Garden");
    await looked("keys-none");
    await page.click("text=Make its first key");
    await looked("keys-new");
    const key = await makeKey(page, { label: "the agent", level: "read-write-delete" });
    await looked("keys-made");
    await saveKey(page);
    await looked("connect");
    const clients = await page.locator("nav[aria-label=Client] a").evaluateAll((links) => links.map((link) => link.getAttribute("href")));
    expect(clients.length).toBeGreaterThan(5);
    for (const client of clients.slice(1)) {
      await page.goto(`${at}/connect${client}`);
      await looked(`connect-${client?.slice("?client=".length)}`);
    }

    // The official client with it.
    const agent: Client = await connect(service.ready.url, key);
    expect((await call(agent, "compile", { name: "walrusmodule", source: MODULE })).isError).toBe(false);
    expect(await printed(agent, RECORD)).toEqual(["the conclusion nobody may read"]);
    expect((await call(agent, "checkpoint", { name: "lemurmark" })).isError).toBe(false);
    await toTab("Keys");
    await looked("keys");
    expect(await page.textContent("tbody")).toContain("dke-e2e 1.0.0");
    expect(await page.textContent("tbody")).toMatch(/[1-9]\d* calls/);
    await toTab("Activity");
    await looked("activity");
    const tools = await page.locator("tbody tr td:nth-child(4)").allTextContents();
    expect(tools).toContain("run");
    await page.goto("/dashboard/usage");
    await looked("usage");
    expect(await page.locator("text=Buy LangCoin").count()).toBe(0); // nothing is sold here
    expect(await page.textContent("figure pre")).toMatch(/: Garden [1-9]\d* ops/);
    expect(await page.locator("tbody tr").first().textContent()).toContain("Garden");

    // A level lowered holds at the client's next call; a key revoked opens nothing.
    await page.goto(`${at}/keys`);
    const level = async (to: string) => {
      await page.selectOption("select[name=level]", to);
      await page.click("td button");
      await page.waitForLoadState();
    };
    await level("read");
    const refused = await call(agent, "run", { source: 'remember(Lamp.a.room, "hall", "x")' });
    expect(refused._meta["refuse_reason"]).toBe("scope_forbidden");
    expect(await printed(agent, READ)).toEqual(["the conclusion nobody may read"]);
    await level("read-write-delete");
    await page.click("text=Make a key");
    const second = await makeKey(page, { label: "for an hour", opener: key });
    await saveKey(page);
    const other = await connect(service.ready.url, second);
    expect(await printed(other, READ)).toEqual(["the conclusion nobody may read"]);
    await page.goto(`${at}/keys`);
    await page.click('a[aria-label="Revoke for an hour"]');
    await looked("keys-revoke");
    await page.click("button.danger");
    await page.waitForURL("**/keys");
    await expect(call(other, "run", { source: READ })).rejects.toThrow(/401|Unauthorized|AUTH/i);
    await page.click("text=Revoked keys (1)");
    await looked("keys-revoked");
    expect(await page.textContent("tbody")).toContain("for an hour");

    // A snapshot, a loss, and the restore with its preview.
    await toTab("Snapshots");
    await looked("snapshots-none");
    await page.fill("#label", "before the storm");
    await page.click("text=Take the snapshot");
    await page.waitForSelector("text=before the storm");
    await looked("snapshots");
    expect((await call(agent, "run", { source: "import walrusmodule\nforget(Zephyrkind.quokka)\n" })).isError).toBe(false);
    expect(await printed(agent, READ)).toEqual(["None"]);
    await page.click("text=Restore or delete");
    await page.fill("#opener", key);
    await page.click("text=Show kinds");
    await page.waitForSelector("#kinds:not([hidden])");
    await looked("snapshot");
    expect(await page.locator("#kinds tbody tr").allTextContents()).toEqual(["walrusmodule.Zephyrkind02"]);
    await page.click("text=Restore into this store");
    await page.waitForSelector("text=The store is as it was");
    await looked("snapshots-restored");
    expect(await printed(agent, READ)).toEqual(["the conclusion nobody may read"]);

    // What the store holds, seen with a key that stays in the page.
    await toTab("Explore");
    await looked("explore-closed");
    await page.fill("#key", key);
    await page.click("text=Look into the store");
    await page.click("#kinds >> text=Zephyrkind");
    await page.click("#subjects >> text=quokka");
    await page.click("#cells >> text=tapirstate");
    await page.waitForSelector("#result:not([hidden])");
    await looked("explore-claims");
    await page.click("text=Why it holds");
    await page.waitForSelector("#result-head:has-text('Why')");
    await looked("explore-proof");
    const words = (await page.textContent("#words")) ?? "";
    for (const told of ["okapirule", "31.5", "a-meter-as-source", "25.0", "an-oracle-as-source"]) expect(words).toContain(told);
    expect(await page.locator("#picture svg text").allTextContents()).toEqual(
      expect.arrayContaining([expect.stringContaining("a-meter-as-source"), expect.stringContaining("okapirule")]),
    );
    // In words it can be folded.
    await page.click("summary:has-text('The same in words')");
    const premise = page.locator("#tree li li").first();
    expect(await premise.isVisible()).toBe(true);
    await looked("explore-proof-words");
    await page.locator("#tree summary").first().press("Enter");
    expect(await premise.isVisible()).toBe(false);
    await page.click("text=Kinds and rules");
    await page.waitForSelector("#result-head:has-text('Kinds and rules')");
    await looked("explore-graph");
    await page.click("#changes");
    await page.waitForSelector("#result-head:has-text('Changes since')");
    await looked("explore-changes");

    // Every other page.
    await page.goto("/dashboard/tokens");
    await page.fill("#label", "a machine");
    await page.click("text=Make the token");
    const token = (await page.textContent("pre")) ?? "";
    expect(token).toMatch(/^dke_t_/);
    await looked("tokens");
    await page.goto("/dashboard/passkeys/new");
    await page.fill("#passkey-label", "this machine");
    await page.click("#passkey button");
    await page.waitForURL("**/sessions");
    expect(await page.textContent("main")).toContain("this machine");
    await page.goto("/dashboard/account");
    await page.click("text=Make ten new codes");
    const codes = ((await page.textContent("pre")) ?? "").split("\n");
    expect(codes).toHaveLength(10);
    await looked("account-codes");
    for (const path of ["stores", "account", "account/close", "sessions", "passkeys/new", "audit", "reports", "prove", "outbox"]) {
      await page.goto(`/dashboard/${path}`);
      await looked(path.replace("/", "-"));
    }
    await page.goto(`${at}/settings`);
    await looked("settings");
    await page.goto("/ref/");
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.click("text=Copy as Markdown");
    await page.waitForSelector("text=Copied");
    expect(await page.evaluate("navigator.clipboard.readText()")).toContain("[Wire reference](/ref/dke/mcp/)");
    for (const path of ["/docs/", "/ref/", "/ref/dke/mcp/", "/ref/request", "/spec/dke/python/", "/security", "/playground", "/tools/"]) {
      await page.goto(path);
      await looked(`published${path.replaceAll("/", "-").replace(/-$/, "")}`);
    }
    const cookies = (await context.cookies()).map(({ value }) => value);
    await page.goto("/dashboard/account");
    const formToken = (await page.getAttribute("body", "data-form-token")) ?? "";
    await page.click("text=Sign out");
    await page.click("text=Sign in with a passkey");
    await page.waitForURL("**/stores");
    cookies.push(...(await context.cookies()).map(({ value }) => value));
    await page.click("text=Sign out");
    for (const path of ["forgotten", "recover", "reset"]) {
      await page.goto(`/dashboard/${path}`);
      await looked(path);
    }
    await Promise.all([agent.close(), other.close()]);
    expect(complaints).toEqual([]);
    expect(faults).toEqual([]);

    // What lies on the disk.
    service.process.kill("SIGTERM");
    await service.ended;
    const state = new StateSearch(folder);
    for (const shown of [EMAIL, "Garden", "the agent", "before the storm"]) expect(state.holding(shown), shown).not.toEqual([]);
    expect(drawn).toHaveLength(3); // the data key, and a secret for each key
    const secrets = [...drawn.flatMap(formsOf), ...[key, second].flatMap((text) => [text, text.slice(49, 92)])];
    secrets.push(token, token.slice(6), PASSWORD, formToken, ...cookies, ...codes, ...codes.map((code) => code.replaceAll("-", "")));
    expect(cookies.length).toBeGreaterThan(0);
    for (const secret of secrets) {
      expect(secret.length).toBeGreaterThan(15);
      expect(state.holding(secret), secret.toString()).toEqual([]);
    }
    for (const told of CONTENTS) for (const needle of formsOfText(told)) expect(state.holding(needle), told).toEqual([]);
  }, 600_000);
});
