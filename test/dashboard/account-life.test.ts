/** An account from its address confirmed to its being forgotten: letters, closing, and wanting it back. */
import { describe, expect, inject, it } from "vitest";
import { askLocal } from "../../scripts/migrate.mjs";
import { callTool } from "../worker/fresh-store";
import { BrowserLike, codeOfLetter, confirmAddress, makeToken, type Person, signUp } from "./browser-like";
import { newKey, withStore } from "./store-owner";

const DAY_MS = 86_400_000;

/** What the hourly sweep does some days later. */
function sweepAfter(days: number): Promise<unknown> {
  return askLocal(inject("serviceUrl"), inject("localToken"), "sweep", { closedAtMs: Date.now() + days * DAY_MS });
}

async function signIn({ email, password }: Person): Promise<{ readonly status: number; readonly browser: BrowserLike }> {
  const browser = new BrowserLike();
  await browser.get("/dashboard/sign-in");
  return { status: (await browser.post("/dashboard/sign-in", { email, password })).status, browser };
}

async function close(person: Person): Promise<void> {
  await person.browser.get("/dashboard/account/close");
  const { status, text } = await person.browser.post("/dashboard/account/close", { email: person.email });
  expect([status, text.includes("This account is closed")]).toEqual([200, true]);
}

/** What the letters of the development service say, those to one address. */
async function lettersTo({ email }: Person): Promise<string> {
  const { text } = await new BrowserLike().get("/dashboard/outbox");
  return text
    .split("<section>")
    .filter((letter) => letter.includes(`to ${email}, `))
    .join("\n");
}

describe("the address", () => {
  it("[D] is confirmed by the link of a letter, once; a link sent later voids the one before", async () => {
    const person = await signUp();
    const first = await codeOfLetter(person, "confirm");
    const { text } = await person.browser.get("/dashboard/account");
    for (const told of ["not confirmed yet", 'href="/dashboard/outbox"']) expect(text).toContain(told);
    await person.browser.post("/dashboard/account/confirm");
    await expect.poll(() => codeOfLetter(person, "confirm")).not.toBe(first);
    const second = await codeOfLetter(person, "confirm");
    // Whoever opens the link need not be signed in where they read their mail.
    const elsewhere = new BrowserLike();
    await elsewhere.get("/dashboard/confirm");
    for (const [code, status] of [
      [first, 403],
      ["", 403],
      [second, 200],
      [second, 403],
    ] as const)
      expect((await elsewhere.post("/dashboard/confirm", { code })).status).toBe(status);
    expect((await person.browser.get("/dashboard/account")).text).toContain("Confirmed <time");
    expect((await person.browser.get("/dashboard/audit")).text).toContain("account.confirmed");
    // There is nothing to confirm any more, and no letter for it.
    await person.browser.post("/dashboard/account/confirm");
    expect((await lettersTo(person)).split("Confirm the address").length - 1).toBe(2);
  });

  it("[D] that is new has to be confirmed anew, by a link sent to it", async () => {
    const person = await signUp();
    await confirmAddress(person);
    await person.browser.get("/dashboard/account");
    const moved = { ...person, email: `moved-${person.email}` };
    expect((await person.browser.post("/dashboard/account/email", { email: moved.email })).status).toBe(303);
    expect((await person.browser.get("/dashboard/account")).text).toContain("not confirmed yet");
    await confirmAddress(moved);
    expect((await person.browser.get("/dashboard/account")).text).toContain("Confirmed <time");
  });
});

describe("closing an account", () => {
  it("[D] needs its address typed; then no key, no token and no session opens anything, and the holder is told", async () => {
    const person = await signUp();
    const owner = await withStore(person);
    const { key } = await newKey(owner, { level: "read-write-delete" });
    const token = await makeToken(person, "read");
    const other = (await signIn(person)).browser;
    await person.browser.get("/dashboard/account/close");
    const wrong = await person.browser.post("/dashboard/account/close", { email: "somebody@example.org" });
    expect([wrong.status, wrong.text.includes("This is not the address")]).toEqual([400, true]);
    expect((await callTool(key.text, "run", { source: "print(1)" })).result.isError).toBe(false);
    await close(person);
    await expect(callTool(key.text, "run", { source: "print(1)" })).rejects.toThrow(/401/);
    for (const browser of [person.browser, other])
      expect((await browser.get("/dashboard/stores")).location).toContain("/dashboard/sign-in");
    const asked = await fetch(new URL("/dashboard/api/stores", inject("serviceUrl")), { headers: { authorization: `Bearer ${token}` } });
    expect(asked.status).toBe(401);
    await expect.poll(() => lettersTo(person)).toContain("Your DKE account is closed");
    // What is left of the balance is found by the id that the page had named.
    const [id] = /[0-9a-f]{64}(?=<)/.exec(wrong.text) ?? [];
    expect(await lettersTo(person)).toContain(`s id is ${id}: it is all`);
  });

  it("[D] leaves one page for seven days, which brings the stores back with their keys and what they hold", async () => {
    const person = await signUp();
    const owner = await withStore(person, "Kept");
    const before = await withStore(person, "Deleted before");
    const { key } = await newKey(owner, { level: "read-write-delete" });
    await callTool(key.text, "run", { source: 'remember(Lamp.a.room, "hall", "test")' });
    await person.browser.get(`${before.at}/settings`);
    await person.browser.post(`${before.at}/delete`, { name: "Deleted before" });
    await close(person);
    const { status, browser } = await signIn(person);
    expect(status).toBe(303);
    for (const path of ["stores", "usage", "account", "tokens", `stores/${owner.storeId}/keys`])
      expect((await browser.get(`/dashboard/${path}`)).location).toBe("/dashboard/closed");
    await browser.get("/dashboard/closed");
    expect((await browser.post("/dashboard/stores", { name: "Another" })).location).toBe("/dashboard/closed");
    expect((await browser.post(`/dashboard/stores/${owner.storeId}/undelete`)).location).toBe("/dashboard/closed");
    expect((await browser.post("/dashboard/closed/reopen")).location).toBe("/dashboard/stores");
    const { text } = await browser.get("/dashboard/stores");
    expect(text).toContain(">Kept</a>");
    expect(text).toContain("Deleted before, gone for good at");
    expect((await callTool(key.text, "run", { source: "print(Lamp.a.room)" })).result.content[0].text).toContain("hall");
    expect((await browser.get("/dashboard/audit")).text).toMatch(/account\.reopened[\s\S]*account\.closed/);
    // An account that is open has nothing to be brought back.
    expect((await browser.get("/dashboard/closed")).location).toBe("/dashboard");
    expect((await browser.post("/dashboard/closed/reopen")).location).toBe("/dashboard");
  });

  it("[D] is final after them: nobody signs in, and the address is free for another account", async () => {
    const person = await signUp();
    await close(person);
    await sweepAfter(6.9);
    expect((await signIn(person)).status).toBe(303);
    await sweepAfter(7.1);
    expect((await signIn(person)).status).toBe(403);
    const another = new BrowserLike();
    await another.get("/dashboard/sign-up");
    expect((await another.post("/dashboard/sign-up", { email: person.email, password: person.password })).status).toBe(303);
    expect((await another.get("/dashboard/audit")).text).not.toContain("account.closed");
  });
});
