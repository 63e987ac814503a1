/** Passkeys, with an authenticator in software: made, signed in with, shown again, and what does not hold refused. */
import { describe, expect, inject, it } from "vitest";
import { Authenticator, type Circumstances, type Wish } from "./authenticator";
import { BrowserLike, type Person, signUp } from "./browser-like";

/** A passkey is for a host with a name. */
const BASE = `http://localhost:${new URL(inject("serviceUrl")).port}`;
const HERE: Circumstances = { origin: BASE };

// biome-ignore lint/suspicious/noExplicitAny: an answer is looked at member by member.
type Json = any;

/** As the page's script asks. */
async function ask(browser: BrowserLike, path: string, body: unknown = {}): Promise<{ status: number; body: Json }> {
  const headers = { "content-type": "application/json", "x-form-token": browser.formToken };
  const response = await browser.send("POST", `/dashboard${path}`, { headers, body: JSON.stringify(body) });
  const text = await response.text();
  return { status: response.status, body: text.startsWith("{") ? JSON.parse(text) : text };
}

async function addPasskey({ browser }: Person, device: Authenticator, there = HERE, label = "My phone") {
  await browser.get("/dashboard/passkeys/new");
  const { body: wish } = await ask(browser, "/passkeys/options");
  return ask(browser, "/passkeys", { label, response: device.register(wish, there) });
}

/** In another browser; what it was asked, what was answered. */
async function signIn(device: Authenticator, there = HERE, browser = new BrowserLike(BASE)) {
  await browser.get("/dashboard/sign-in");
  const { body: wish } = await ask(browser, "/sign-in/passkey/options");
  const response = device.sign(wish as Wish, there);
  return { browser, response, wish, ...(await ask(browser, "/sign-in/passkey", { response, next: "/dashboard/audit" })) };
}

async function isSignedIn(browser: BrowserLike): Promise<boolean> {
  return (await browser.get("/dashboard/stores")).status === 200;
}

describe("passkeys", () => {
  it.each([true, false])(
    "[C7.56] one that is made signs in again and again (it counts: %s), and is listed with when it was used",
    async (counts) => {
      const person = await signUp(BASE);
      const device = new Authenticator({ counts });
      expect(await addPasskey(person, device)).toEqual({ status: 201, body: { next: "/dashboard/sessions" } });
      const before = await person.browser.get("/dashboard/sessions");
      expect(before.text).toContain("My phone");
      expect(before.text).toContain("never");
      for (let times = 0; times < 2; times++) {
        const { browser, status, body } = await signIn(device);
        expect([status, body]).toEqual([200, { next: "/dashboard/audit" }]);
        expect((await browser.get("/dashboard/audit")).text).toContain(person.email);
      }
      const { text } = await person.browser.get("/dashboard/audit");
      expect(text).toMatch(/session\.begun[\s\S]*?passkey<\/td>/);
      expect(text).toContain("passkey.added");
      expect((await person.browser.get("/dashboard/sessions")).text).not.toContain("never");
    },
  );

  it("[C7.56] what is asked of an authenticator: this host, a person verified, none that is there already", async () => {
    const person = await signUp(BASE);
    const device = new Authenticator();
    await addPasskey(person, device);
    const { body: wish } = await ask(person.browser, "/passkeys/options");
    expect(wish.rp).toEqual({ id: "localhost", name: "DKE" });
    expect(wish.authenticatorSelection).toMatchObject({ residentKey: "required", userVerification: "required" });
    expect(wish.excludeCredentials.map(({ id }: { id: string }) => id)).toEqual([device.name]);
    expect(Buffer.from(wish.challenge, "base64url").length).toBe(32);
    const { wish: asked } = await signIn(device);
    expect(asked).toMatchObject({ rpId: "localhost", userVerification: "required", allowCredentials: [] });
  });

  const UNHELD: readonly (readonly [string, Circumstances])[] = [
    ["another origin", { origin: "https://dke.example" }],
    ["this host at another port", { origin: "http://localhost:1" }],
    ["another host's identity", { origin: BASE, rpId: "dke.example" }],
    ["a challenge nobody gave", { origin: BASE, challenge: Buffer.alloc(32, 7).toString("base64url") }],
    ["an answer to another question", { origin: BASE, type: "payment.get" }],
    ["a person who was not verified", { origin: BASE, verified: false }],
  ];

  it.each(UNHELD)("[C7.56] %s: refused at making and at signing in", async (_, there) => {
    const person = await signUp(BASE);
    const [refused, device] = [new Authenticator(), new Authenticator()];
    expect((await addPasskey(person, refused, there)).status).toBe(403);
    expect((await person.browser.get("/dashboard/sessions")).text).not.toContain("My phone");
    expect((await addPasskey(person, device)).status).toBe(201);
    const { browser, status } = await signIn(device, there);
    expect(status).toBe(403);
    expect(await isSignedIn(browser)).toBe(false);
    expect((await signIn(device)).status).toBe(200);
  });

  it("[C7.56] a challenge is good once, whether what was signed held or not", async () => {
    const person = await signUp(BASE);
    const device = new Authenticator({ counts: false });
    await addPasskey(person, device);
    const { browser, response, status } = await signIn(device);
    expect(status).toBe(200);
    await browser.get("/dashboard/stores");
    const other = new BrowserLike(BASE);
    await other.get("/dashboard/sign-in");
    expect((await ask(other, "/sign-in/passkey", { response })).status).toBe(403);
    const spoiled = await signIn(device, { origin: "https://dke.example" });
    const again = device.sign(spoiled.wish, HERE);
    expect((await ask(spoiled.browser, "/sign-in/passkey", { response: again })).status).toBe(403);
    await person.browser.get("/dashboard/passkeys/new");
    const { body: wish } = await ask(person.browser, "/passkeys/options");
    expect((await ask(person.browser, "/passkeys", { label: "a", response: new Authenticator().register(wish, HERE) })).status).toBe(201);
    expect((await ask(person.browser, "/passkeys", { label: "b", response: new Authenticator().register(wish, HERE) })).status).toBe(403);
  });

  it("[C7.56] a count that does not rise is a copy's: refused, and the one that counts on still signs in", async () => {
    const person = await signUp(BASE);
    const device = new Authenticator();
    device.counter = 40;
    await addPasskey(person, device);
    expect((await signIn(device)).status).toBe(200); // 41
    device.counter = 40;
    expect((await signIn(device)).status).toBe(403); // 41 again
    device.counter = 7;
    expect((await signIn(device)).status).toBe(403); // 8
    device.counter = 41;
    expect((await signIn(device)).status).toBe(200); // 42
  });

  it("[C7.56] a signature by another key, an unknown passkey and what is no answer at all: refused", async () => {
    const person = await signUp(BASE);
    const device = new Authenticator();
    await addPasskey(person, device);
    const browser = new BrowserLike(BASE);
    await browser.get("/dashboard/sign-in");
    const { body: wish } = await ask(browser, "/sign-in/passkey/options");
    const forged = { ...new Authenticator().sign(wish, HERE), id: device.name, rawId: device.name };
    for (const response of [
      forged,
      new Authenticator().sign(wish, HERE),
      null,
      1,
      "x",
      [],
      {},
      { id: device.name },
      { id: 1, response: {} },
    ])
      expect((await ask(browser, "/sign-in/passkey", { response })).status).toBe(403);
    expect((await ask(browser, "/sign-in/passkey", [])).status).toBe(403);
    expect(await isSignedIn(browser)).toBe(false);
  });

  it("[C7.56] a challenge given to one account or purpose serves no other", async () => {
    const [mine, theirs] = [await signUp(BASE), await signUp(BASE)];
    const device = new Authenticator();
    await addPasskey(mine, device);
    await theirs.browser.get("/dashboard/passkeys/new");
    const { body: wish } = await ask(theirs.browser, "/passkeys/options");
    await mine.browser.get("/dashboard/passkeys/new");
    expect((await ask(mine.browser, "/passkeys", { label: "x", response: new Authenticator().register(wish, HERE) })).status).toBe(403);
    // Somebody else's passkey proves nothing of mine, and what proves signs nobody in.
    await theirs.browser.get("/dashboard/prove");
    const { body: theirWish } = await ask(theirs.browser, "/prove/passkey/options");
    expect((await ask(theirs.browser, "/prove/passkey", { response: device.sign(theirWish, HERE) })).status).toBe(403);
    const { body: proofWish } = await ask(mine.browser, "/prove/passkey/options");
    const stranger = new BrowserLike(BASE);
    await stranger.get("/dashboard/sign-in");
    expect((await ask(stranger, "/sign-in/passkey", { response: device.sign(proofWish, HERE) })).status).toBe(403);
    expect(await isSignedIn(stranger)).toBe(false);
  });

  it("[C7.53] one that is shown again counts as the password does; its page is offered only to who has one", async () => {
    const person = await signUp(BASE);
    expect((await person.browser.get("/dashboard/prove")).text).not.toContain("data-act");
    const device = new Authenticator();
    await addPasskey(person, device);
    const page = await person.browser.get("/dashboard/prove?next=/dashboard/tokens");
    expect(page.text).toContain('data-act="prove"');
    expect(page.text).toContain('data-next="/dashboard/tokens"');
    const { body: wish } = await ask(person.browser, "/prove/passkey/options");
    expect(wish.allowCredentials.map(({ id }: { id: string }) => id)).toEqual([device.name]);
    for (const [next, to] of [
      ["/dashboard/tokens", "/dashboard/tokens"],
      ["https://evil.example/", "/dashboard"],
    ]) {
      const { body } = await ask(person.browser, "/prove/passkey/options");
      expect(await ask(person.browser, "/prove/passkey", { response: device.sign(body, HERE), next })).toEqual({
        status: 200,
        body: { next: to },
      });
    }
  });

  it("[C7.56] one that is removed signs in no more; nobody removes another's, or adds what is somebody's", async () => {
    const [mine, theirs] = [await signUp(BASE), await signUp(BASE)];
    const device = new Authenticator();
    await addPasskey(mine, device);
    await theirs.browser.get("/dashboard/sessions");
    expect((await theirs.browser.post(`/dashboard/passkeys/${device.name}/remove`)).status).toBe(404);
    expect((await addPasskey(theirs, device)).status).toBe(403);
    expect((await signIn(device)).status).toBe(200);
    await mine.browser.get("/dashboard/sessions");
    expect((await mine.browser.post(`/dashboard/passkeys/${device.name}/remove`)).location).toBe("/dashboard/sessions");
    expect((await signIn(device)).status).toBe(403);
    expect((await mine.browser.get("/dashboard/audit")).text).toContain("passkey.removed");
  });

  it("[C7.56] a host in figures has none: the pages say so, and offer none", async () => {
    const { browser } = await signUp();
    expect((await browser.get("/dashboard/passkeys/new")).text).toContain("localhost");
    expect((await new BrowserLike().get("/dashboard/sign-in")).text).not.toContain("data-act");
    expect((await new BrowserLike(BASE).get("/dashboard/sign-in")).text).toContain('data-act="sign-in"');
  });
});
