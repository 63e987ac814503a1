/** Getting in, staying in, getting back in and being put out: over HTTP, with the directory at hand for what time does. */
import crypto from "node:crypto";
import { syncBuiltinESMExports } from "node:module";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTrial } from "../../scripts/trial-service.mjs";
import { openDirectory } from "../../src/directory/directory";
import { checkPassword, hashPassword, passwordFault } from "../../src/directory/password";
import { sweepSessions } from "../../src/directory/sessions";
import { BrowserLike, makeStore, type PageSeen, type Person, signUp } from "./browser-like";

let trial: Awaited<ReturnType<typeof startTrial>>;
let directory: D1Database;
beforeAll(async () => {
  trial = await startTrial();
  directory = await trial.directory();
});
afterAll(() => trial.end());

const person = () => signUp(trial.url);
const browser = () => new BrowserLike(trial.url);

async function signIn(email: string, password: string, next = "", by = browser()): Promise<PageSeen & { browser: BrowserLike }> {
  await by.get("/dashboard/sign-in");
  return { ...(await by.post("/dashboard/sign-in", { email, password, next })), browser: by };
}

async function isSignedIn(by: BrowserLike): Promise<boolean> {
  return (await by.get("/dashboard/stores")).status === 200;
}

async function rows(sql: string, ...values: unknown[]): Promise<Record<string, unknown>[]> {
  return (
    await directory
      .prepare(sql)
      .bind(...values)
      .all()
  ).results;
}

async function accountIdOf({ email }: Person): Promise<string> {
  return String((await rows("SELECT id FROM account WHERE email = ?", email))[0]["id"]);
}

function sessionOf(by: BrowserLike): string {
  return by.cookies.get("__Host-dke_session") ?? "";
}

/** The code of the latest link sent to this address. */
async function codeSentTo(email: string): Promise<string> {
  for (let tries = 0; tries < 50; tries++) {
    const [letter] = await rows("SELECT body FROM outbox WHERE to_address = ? AND subject LIKE 'A new password%' ORDER BY id DESC", email);
    if (letter !== undefined) return /\/dashboard\/reset#([\w-]{43})\n/.exec(String(letter["body"]))?.[1] ?? "";
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error("no letter came");
}

async function askForLink(email: string): Promise<PageSeen> {
  const by = browser();
  await by.get("/dashboard/forgotten");
  return by.post("/dashboard/forgotten", { email });
}

async function reset(code: string, password: string): Promise<PageSeen & { browser: BrowserLike }> {
  const by = browser();
  await by.get("/dashboard/reset");
  return { ...(await by.post("/dashboard/reset", { code, password })), browser: by };
}

describe("cookies and sessions", () => {
  it("[C7.46] every cookie is for this host alone, over TLS, out of reach of scripts and of other sites' forms", async () => {
    const by = browser();
    const seen: string[] = [];
    const { send } = by;
    by.send = async (...args) => {
      const response = await send.apply(by, args);
      seen.push(...response.headers.getSetCookie().filter((line) => !/max-age=0\b/i.test(line)));
      return response;
    };
    await by.get("/dashboard/sign-up");
    await by.post("/dashboard/sign-up", { email: "cookies@example.org", password: "a quiet red harbour" });
    expect(seen.map((line) => line.split("=")[0])).toEqual(["__Host-dke_visit", "__Host-dke_session"]);
    for (const line of seen) {
      const flags = line.split("; ").slice(1);
      expect(flags).toEqual(expect.arrayContaining(["Path=/", "Secure", "HttpOnly", "SameSite=Lax"]));
      expect(line).not.toMatch(/domain=/i);
      expect(/^[^=]+=([^;]+)/.exec(line)?.[1]).toMatch(/^[\w-]{43}$/);
    }
    expect(Number(/Max-Age=(\d+)/.exec(seen[1])?.[1])).toBe(30 * 86_400);
  });

  it("[C7.46] a session is kept as its hash; what stands in a page is not what stands in the cookie", async () => {
    const { browser: by } = await person();
    const page = await by.get("/dashboard/stores");
    expect(page.text).not.toContain(sessionOf(by));
    expect(JSON.stringify(await rows("SELECT * FROM session"))).not.toContain(sessionOf(by));
    expect(by.formToken).toMatch(/^[0-9a-f]{64}$/);
    expect(await rows("SELECT * FROM session WHERE hash = ?", by.formToken)).toEqual([]);
  });

  it("[C7.47] a session's secret is new at each sign-in and dead after sign-out, and so is the one it replaced", async () => {
    const one = await person();
    const first = sessionOf(one.browser);
    const kept = new Map(one.browser.cookies);
    await one.browser.get("/dashboard/sign-in");
    await one.browser.post("/dashboard/sign-in", { email: one.email, password: one.password });
    const second = sessionOf(one.browser);
    expect(second).not.toBe(first);
    const withOld = (secret: string) => browser().send("GET", "/dashboard/stores", { headers: { cookie: `__Host-dke_session=${secret}` } });
    expect(kept.get("__Host-dke_session")).toBe(first);
    expect((await withOld(first)).status).toBe(303);
    expect((await withOld(second)).status).toBe(200);
    await one.browser.get("/dashboard/stores");
    expect((await one.browser.post("/dashboard/sign-out")).location).toBe("/dashboard/sign-in");
    expect(sessionOf(one.browser)).toBe("");
    expect((await withOld(second)).status).toBe(303);
  });

  it("[C7.47] a secret that somebody plants beforehand is never taken over", async () => {
    const one = await person();
    const by = browser();
    const planted = "A".repeat(43);
    const page = await by.send("GET", "/dashboard/sign-in", { headers: { cookie: `__Host-dke_session=${planted}` } });
    expect(await page.text()).toContain("Sign in");
    await signIn(one.email, one.password, "", by);
    expect(sessionOf(by)).not.toBe(planted);
  });

  it.each([
    ["twelve hours unused", "last_seen_ms", 12],
    ["thirty days old", "created_ms", 30 * 24],
  ])("[C4] a session %s is over, and one a minute younger is not", async (_, column, hours) => {
    const one = await person();
    const id = await accountIdOf(one);
    const age = (ms: number) =>
      directory
        .prepare(`UPDATE session SET ${column} = ? WHERE account_id = ?`)
        .bind(Date.now() - ms, id)
        .run();
    await age(hours * 3_600_000 - 60_000);
    expect(await isSignedIn(one.browser)).toBe(true);
    await age(hours * 3_600_000 + 1000);
    expect(await isSignedIn(one.browser)).toBe(false);
  });

  it("[C4] sessions that are over are swept, and no other", async () => {
    const [one, two] = [await person(), await person()];
    const id = await accountIdOf(one);
    await directory.prepare("UPDATE session SET last_seen_ms = 0 WHERE account_id = ?").bind(id).run();
    await sweepSessions(openDirectory(directory), Date.now());
    expect(await rows("SELECT id FROM session WHERE account_id = ?", id)).toEqual([]);
    expect(await isSignedIn(two.browser)).toBe(true);
  });

  it("[C4] sessions are listed with their browsers; one is ended, then all others", async () => {
    const one = await person();
    const others = [];
    for (let count = 0; count < 3; count++) others.push((await signIn(one.email, one.password)).browser);
    const page = await one.browser.get("/dashboard/sessions");
    expect(page.text.match(/Firefox\/140/g)?.length).toBe(4);
    expect(page.text.match(/this one/g)?.length).toBe(1);
    const [id] = /ses_[\w-]+/.exec(page.text) ?? [];
    await one.browser.post(`/dashboard/sessions/${id}/end`);
    expect((await Promise.all(others.map(isSignedIn))).filter(Boolean).length).toBe(2);
    await one.browser.get("/dashboard/sessions");
    await one.browser.post("/dashboard/sessions/end-others");
    expect((await Promise.all(others.map(isSignedIn))).filter(Boolean).length).toBe(0);
    expect(await isSignedIn(one.browser)).toBe(true);
  });
});

describe("what asks for the password again", () => {
  /** As if it was eleven minutes ago. */
  async function longAgo(one: Person): Promise<void> {
    const proven = Date.now() - 11 * 60_000;
    await directory
      .prepare("UPDATE session SET proven_ms = ? WHERE account_id = ?")
      .bind(proven, await accountIdOf(one))
      .run();
  }

  const hash = "0".repeat(64);
  const ACTS: readonly (readonly [string, string, (store: string) => string, Record<string, string>])[] = [
    ["the page in which a key is issued", "GET", (store) => `/stores/${store}/keys/new`, {}],
    ["making a store", "POST", () => "/stores", { name: "Second" }],
    ["deleting a store", "POST", (store) => `/stores/${store}/delete`, { name: "First" }],
    ["the page in which a passkey is made", "GET", () => "/passkeys/new", {}],
    ["restoring a snapshot", "POST", (store) => `/stores/${store}/snapshots/x/restore`, {}],
    ["making an account token", "POST", () => "/tokens", { label: "a", level: "read" }],
    ["changing the address", "POST", () => "/account/email", { email: "else@example.org" }],
    ["making recovery codes", "POST", () => "/account/codes", {}],
    ["removing a passkey", "POST", () => "/passkeys/x/remove", {}],
  ];

  it.each(ACTS)("[C7.53] %s: not after ten minutes, and again once it was shown", async (_, method, path, fields) => {
    const one = await person();
    const store = await makeStore(one);
    await longAgo(one);
    await one.browser.get("/dashboard/stores");
    const act = () =>
      method === "GET" ? one.browser.get(`/dashboard${path(store)}`) : one.browser.post(`/dashboard${path(store)}`, fields);
    const before = await rows("SELECT id FROM audit");
    const asked = await act();
    expect([asked.status, asked.location.split("?")[0]]).toEqual([303, "/dashboard/prove"]);
    expect((await rows("SELECT id FROM audit")).length).toBe(before.length);
    await one.browser.get("/dashboard/prove");
    expect((await one.browser.post("/dashboard/prove", { password: "not the password" })).status).toBe(403);
    expect((await act()).location.split("?")[0]).toBe("/dashboard/prove");
    await one.browser.get("/dashboard/prove");
    expect((await one.browser.post("/dashboard/prove", { password: one.password, next: "/dashboard/stores" })).location).toBe(
      "/dashboard/stores",
    );
    expect((await act()).location.split("?")[0]).not.toBe("/dashboard/prove");
  });

  it("[C7.53] issuing a key and raising its level, asked by a script, and by a form; lowering one asks for nothing", async () => {
    const one = await person();
    const store = await makeStore(one);
    await one.browser.get("/dashboard/stores");
    const wish = { hash, wrap: btoa("x".repeat(61)), level: "read", label: "a", made: "browser" };
    const issued = await one.browser.ask("POST", `/stores/${store}/keys`, wish);
    expect(issued.status).toBe(201);
    const path = `/stores/${store}/keys/key_${hash.slice(0, 16)}/level`;
    await longAgo(one);
    expect((await one.browser.ask("POST", `/stores/${store}/keys`, { ...wish, hash: "1".repeat(64) })).body).toMatchObject({
      error: { code: "prove" },
    });
    expect((await one.browser.ask("POST", path, { level: "read-write" })).body).toMatchObject({ error: { code: "prove" } });
    expect((await one.browser.post(`/dashboard${path}`, { level: "read-write" })).location).toContain("/dashboard/prove");
    expect((await one.browser.ask("POST", path, { level: "none" })).status).toBe(200);
  });

  it("[C7.53] a form is come back to: the page it was sent from, and no other site's", async () => {
    const one = await person();
    await longAgo(one);
    await one.browser.get("/dashboard/tokens");
    const fields = { label: "a", level: "read" };
    const back = await one.browser.post("/dashboard/tokens", fields, { referer: new URL("/dashboard/tokens", trial.url).href });
    expect(back.location).toBe("/dashboard/prove?next=%2Fdashboard%2Ftokens");
    const elsewhere = await one.browser.post("/dashboard/tokens", fields, { referer: "https://evil.example/dashboard/tokens" });
    expect(elsewhere.location).toBe("/dashboard/prove?next=%2Fdashboard");
    // Browsers say where a form was only where a page lets them.
    expect((await one.browser.get("/dashboard/tokens")).headers.get("referrer-policy")).toBe("same-origin");
  });
});

describe("passwords", () => {
  it.each([
    ["seven77", "at least 8"],
    ["x".repeat(129), "at most 128"],
    ["aaaaaaaaaaaa", "one character"],
    ["Password123", "first that anybody"],
    ["SOMEBODY@example.org", "your address"],
  ])("[C7.54] %j is not taken", async (password, why) => {
    expect(passwordFault(password, "somebody@example.org")).toContain(why);
    const by = browser();
    await by.get("/dashboard/sign-up");
    const { status, text } = await by.post("/dashboard/sign-up", { email: "somebody@example.org", password });
    expect([status, text.includes(why)]).toEqual([400, true]);
    expect(await rows("SELECT id FROM account WHERE email = 'somebody@example.org'")).toEqual([]);
  });

  it("[C7.54] length alone is asked for: 8 to 128 characters of any kind, counted as people count", () => {
    for (const password of ["lowerabc", "        x y", "Ωμέγα-ψι", `${"😀".repeat(6)}😁😂`, `ab${"c".repeat(126)}`])
      expect(passwordFault(password, "a@b.c"), password).toBe(null);
    expect(passwordFault("😀😁😂🤣", "a@b.c")).toContain("at least 8");
  });

  it("[C7.54] one is kept as scrypt with a salt of its own, and opens however its letters were typed", async () => {
    const [one, two] = [await hashPassword("a quiet red harbour"), await hashPassword("a quiet red harbour")];
    expect(one).toMatch(/^scrypt\$14\$8\$5\$[\w+/]{22}==\$[\w+/]{43}=$/);
    expect(two).not.toBe(one);
    const by = browser();
    await by.get("/dashboard/sign-up");
    await by.post("/dashboard/sign-up", { email: "accents@example.org", password: "caf\u00e9 at noon" });
    expect((await signIn("accents@example.org", "cafe\u0301 at noon")).status).toBe(303);
    expect((await signIn("ACCENTS@example.org", "caf\u00e9 at noon")).status).toBe(303);
    expect((await signIn("accents@example.org", "cafe at noon")).status).toBe(403);
  });

  it("[C7.54] an address without an account gets the same page, status and headers as a wrong password, after the same work", async () => {
    const one = await person();
    const shown = async (email: string) => {
      const { status, text, headers } = await signIn(email, "not the password");
      return {
        status,
        text: text.replaceAll(email, "EMAIL").replaceAll(/[0-9a-f]{64}/g, "TOKEN"),
        headers: [...headers].filter(([name]) => !/cookie|date|length/.test(name)),
      };
    };
    const [known, unknown] = [await shown(one.email), await shown("nobody@example.org")];
    expect(unknown).toEqual(known);
    expect(known.status).toBe(403);
  });

  it("[C7.54] a password costs one derivation, and the same one where there is no account to check it against", async () => {
    const kept = await hashPassword("a quiet red harbour");
    const { scrypt } = crypto;
    const costs: unknown[] = [];
    crypto.scrypt = ((...args: Parameters<typeof scrypt>) => {
      costs.push({ salt: (args[1] as Uint8Array).length, bytes: args[2], ...args[3] });
      scrypt(...args);
    }) as typeof scrypt;
    syncBuiltinESMExports();
    try {
      expect([await checkPassword("a quiet red harbour", kept), await checkPassword("not the password", kept)]).toEqual([true, false]);
      expect(await checkPassword("a quiet red harbour", null)).toBe(false);
    } finally {
      crypto.scrypt = scrypt;
      syncBuiltinESMExports();
    }
    const cost = { salt: 16, bytes: 32, N: 16_384, r: 8, p: 5, maxmem: 64 * 1024 * 1024 };
    expect(costs).toEqual([cost, cost, cost]);
  });

  it("[C7.54] ten wrong passwords close an account's sign-in for a quarter of an hour, whatever the address they come from; the right one clears the count", async () => {
    const one = await person();
    for (let count = 0; count < 9; count++) expect((await signIn(one.email, "not the password")).status).toBe(403);
    expect((await signIn(one.email, one.password)).status).toBe(303);
    for (let count = 0; count < 10; count++) expect((await signIn(one.email, "not the password")).status).toBe(403);
    const closed = await signIn(one.email.toUpperCase(), one.password);
    expect([closed.status, /try again in 1[45] minutes/.test(closed.text)]).toEqual([429, true]);
    await directory.prepare("UPDATE throttle SET window_ms = window_ms - 900001 WHERE key = ?").bind(`account ${one.email}`).run();
    expect((await signIn(one.email, one.password)).status).toBe(303);
  });

  it("[C7.54] thirty attempts from one address close it for all accounts, and others go on", async () => {
    const by = browser();
    await by.get("/dashboard/recover");
    const status = async (count: number) =>
      (await by.post("/dashboard/recover", { email: `nobody-${count}@example.net`, code: "x" })).status;
    for (let count = 0; count < 30; count++) expect(await status(count)).toBe(403);
    expect(await status(31)).toBe(429);
    const one = await person();
    expect((await signIn(one.email, one.password, "", by)).status).toBe(429);
    expect((await signIn(one.email, one.password)).status).toBe(303);
  });

  it("[C7.55] another password ends every session but the one that set it, and asks for the old one", async () => {
    const one = await person();
    const other = (await signIn(one.email, one.password)).browser;
    await one.browser.get("/dashboard/account");
    expect((await one.browser.post("/dashboard/account/password", { current: "wrong one", password: "another harbour" })).status).toBe(403);
    expect((await one.browser.post("/dashboard/account/password", { current: one.password, password: "short" })).status).toBe(400);
    const before = sessionOf(one.browser);
    await one.browser.get("/dashboard/account");
    expect((await one.browser.post("/dashboard/account/password", { current: one.password, password: "another harbour" })).location).toBe(
      "/dashboard/account",
    );
    expect(sessionOf(one.browser)).not.toBe(before);
    expect([await isSignedIn(one.browser), await isSignedIn(other)]).toEqual([true, false]);
    expect((await signIn(one.email, one.password)).status).toBe(403);
    expect((await signIn(one.email, "another harbour")).status).toBe(303);
  });
});

describe("getting back in", () => {
  it("[C7.55] a link sets another password once, ends every session, and is kept as its hash", async () => {
    const one = await person();
    await askForLink(one.email.toUpperCase());
    const code = await codeSentTo(one.email.toUpperCase());
    expect(code).toMatch(/^[\w-]{43}$/);
    expect(JSON.stringify(await rows("SELECT * FROM ticket"))).not.toContain(code);
    expect((await reset(code, "short")).status).toBe(400); // and the link is not spent on it
    const done = await reset(code, "another harbour");
    expect([done.status, done.location]).toEqual([303, "/dashboard"]);
    expect([await isSignedIn(done.browser), await isSignedIn(one.browser)]).toEqual([true, false]);
    expect((await signIn(one.email, one.password)).status).toBe(403);
    expect((await signIn(one.email, "another harbour")).status).toBe(303);
    expect((await reset(code, "a third harbour")).status).toBe(403);
    expect((await done.browser.get("/dashboard/audit")).text).toContain("account.password");
  });

  it("[C7.55] a link is over after thirty minutes, when a later one was sent, or when the password was changed", async () => {
    const one = await person();
    const id = await accountIdOf(one);
    await askForLink(one.email);
    const first = await codeSentTo(one.email);
    const [{ expires_ms }] = await rows("SELECT expires_ms FROM ticket WHERE account_id = ? AND purpose = 'reset'", id);
    expect(Math.abs(Number(expires_ms) - Date.now() - 30 * 60_000)).toBeLessThan(60_000);
    await directory
      .prepare("UPDATE ticket SET expires_ms = ? WHERE account_id = ?")
      .bind(Date.now() - 1, id)
      .run();
    expect((await reset(first, "another harbour")).status).toBe(403);
    await directory.prepare("DELETE FROM outbox").run();
    await askForLink(one.email);
    const second = await codeSentTo(one.email);
    await directory.prepare("DELETE FROM outbox").run();
    await askForLink(one.email);
    const third = await codeSentTo(one.email);
    expect((await reset(second, "another harbour")).status).toBe(403);
    await one.browser.get("/dashboard/account");
    expect((await one.browser.post("/dashboard/account/password", { current: one.password, password: "my own harbour" })).status).toBe(303);
    expect((await reset(third, "another harbour")).status).toBe(403);
    expect(await isSignedIn(one.browser)).toBe(true);
  });

  it("[C7.55] who has no account is told the same, and sent nothing; an address is sent five an hour", async () => {
    const one = await person();
    const words = (text: string) => /<div class="notice[\s\S]*?<\/div>/.exec(text)?.[0];
    const [known, unknown] = [await askForLink(one.email), await askForLink("nobody@example.org")];
    expect([unknown.status, words(unknown.text)]).toEqual([known.status, words(known.text)]);
    await codeSentTo(one.email);
    expect(await rows("SELECT * FROM outbox WHERE to_address = 'nobody@example.org'")).toEqual([]);
    for (let count = 0; count < 4; count++) expect((await askForLink(one.email)).status).toBe(200);
    expect((await askForLink(one.email)).status).toBe(429);
  });

  it("[C7.55] a recovery code signs in once, however it is typed, to its own account, and is kept as its hash", async () => {
    const [one, two] = [await person(), await person()];
    await one.browser.get("/dashboard/account");
    const { text } = await one.browser.post("/dashboard/account/codes");
    const codes: string[] = text.match(/\b[a-z0-9]{4}(?:-[a-z0-9]{4}){3}\b/g) ?? [];
    expect(new Set(codes).size).toBe(10);
    const page = await one.browser.get("/dashboard/account");
    expect([page.text.includes(codes[0]), page.text.includes("You have 10 left")]).toEqual([false, true]);
    expect(JSON.stringify(await rows("SELECT * FROM ticket"))).not.toContain(codes[0].replaceAll("-", ""));
    const recover = async (email: string, code: string) => {
      const by = browser();
      await by.get("/dashboard/recover");
      return { ...(await by.post("/dashboard/recover", { email, code })), by };
    };
    expect((await recover(two.email, codes[0])).status).toBe(403);
    const typed = await recover(one.email, ` ${codes[0].toUpperCase().replaceAll("-", " ")} `);
    expect([typed.status, await isSignedIn(typed.by)]).toEqual([303, true]);
    expect((await recover(one.email, codes[0])).status).toBe(403);
    expect((await typed.by.get("/dashboard/account")).text).toContain("You have 9 left");
    await typed.by.post("/dashboard/account/codes");
    expect((await recover(one.email, codes[1])).status).toBe(403);
  });

  it("[C4] another address signs in from then on, the old one is told and its links are void, and one that is taken is refused", async () => {
    const [one, two] = [await person(), await person()];
    await askForLink(one.email);
    const code = await codeSentTo(one.email);
    await one.browser.get("/dashboard/account");
    expect((await one.browser.post("/dashboard/account/email", { email: two.email.toUpperCase() })).status).toBe(409);
    expect((await one.browser.post("/dashboard/account/email", { email: "no address" })).status).toBe(400);
    expect((await one.browser.post("/dashboard/account/email", { email: "Moved@example.org" })).status).toBe(303);
    expect((await signIn(one.email, one.password)).status).toBe(403);
    expect((await signIn("moved@example.org", one.password)).status).toBe(303);
    const letters = await rows("SELECT subject FROM outbox WHERE to_address = ?", one.email);
    expect((await reset(code, "another harbour")).status).toBe(403);
    expect(letters.map(({ subject }) => subject)).toEqual([
      "Confirm the address of your DKE account",
      "A new password for your DKE account",
      "The address of your DKE account was changed",
    ]);
  });

  it("[C4] a development service shows its letters, as text", async () => {
    await askForLink((await person()).email);
    const by = browser();
    for (let tries = 0; tries < 50 && !(await by.get("/dashboard/outbox")).text.includes("/dashboard/reset#"); tries++);
    expect((await by.get("/dashboard/outbox")).text).toContain("/dashboard/reset#");
  });
});

describe("where one is sent", () => {
  let one: Person;
  beforeAll(async () => {
    one = await person();
    await one.browser.get("/dashboard/prove");
  });

  it.each([
    ["/dashboard/tokens", "/dashboard/tokens"],
    ["https://evil.example/dashboard", "/dashboard"],
    ["//evil.example/dashboard/stores", "/dashboard"],
    ["/\\evil.example/dashboard", "/dashboard"],
    ["\\\\evil.example", "/dashboard"],
    ["javascript:alert(1)", "/dashboard"],
    ["data:text/html,x", "/dashboard"],
    ["/dashboard/../request", "/dashboard"],
    ["/dashboardevil", "/dashboard"],
    ["https://dashboard@evil.example/dashboard", "/dashboard"],
    ["\t//evil.example", "/dashboard"],
    ["", "/dashboard"],
  ])("[C7.57] once the password was shown, %j leads to %s", async (next, to) => {
    expect((await one.browser.post("/dashboard/prove", { password: one.password, next })).location).toBe(to);
  });

  it.each([
    ["/dashboard/tokens", "/dashboard/tokens"],
    ["//evil.example/dashboard", "/dashboard"],
    ["", "/dashboard"],
  ])("[C7.57] after sign-in, %j leads to %s", async (next, to) => {
    expect((await signIn(one.email, one.password, next)).location).toBe(to);
  });

  it("[C7.57] a page for the signed in is come back to", async () => {
    const { location } = await browser().get("/dashboard/audit?before=5");
    expect(location).toBe("/dashboard/sign-in?next=%2Fdashboard%2Faudit");
  });
});
