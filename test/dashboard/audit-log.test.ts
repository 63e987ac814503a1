/** The audit log: a row for every act on a key, a level, a store or what signs in; latest first, by pages, and only added to. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTrial } from "../../scripts/trial-service.mjs";
import { type Letter, providerPost } from "../../src/directory/mail";
import { makeStore, makeToken, signUp } from "./browser-like";
import { newKey } from "./store-owner";

let trial: Awaited<ReturnType<typeof startTrial>>;
let directory: D1Database;
beforeAll(async () => {
  trial = await startTrial();
  directory = await trial.directory();
});
afterAll(() => trial.end());

describe("the audit log", () => {
  it("[C7.60] has a row for each act, with what it was done to and by which session, in their order", async () => {
    const person = await signUp(trial.url);
    const { browser } = person;
    const store = await makeStore(person);
    const at = `/dashboard/stores/${store}`;
    const { keyId } = await newKey({ browser, storeId: store }, { level: "read" });
    await browser.post(`${at}/keys/${keyId}/level`, { level: "read-write" });
    await browser.post(`${at}/keys/${keyId}/level`, { level: "none" });
    await browser.post(`${at}/rename`, { name: "Second" });
    await browser.post(`${at}/keys/${keyId}/revoke`, { lost: "yes" });
    await makeToken(person, "read");
    const token = /tok_[\w-]+/.exec((await browser.get("/dashboard/tokens")).text)?.[0] ?? "";
    await browser.post(`/dashboard/tokens/${token}/revoke`);
    await browser.post("/dashboard/account/codes");
    await browser.post(`${at}/delete`, { name: "Second" });
    await browser.post(`${at}/undelete`);
    const { results } = await directory
      .prepare("SELECT act, subject, detail, by FROM audit WHERE account_id = (SELECT id FROM account WHERE email = ?) ORDER BY id")
      .bind(person.email)
      .all<{ act: string; subject: string; detail: string; by: string }>();
    const done = results.slice(2);
    expect(
      results
        .slice(0, 2)
        .map(({ act }) => act)
        .sort(),
    ).toEqual(["account.created", "session.begun"]);
    expect(done.map(({ act, subject }) => [act, subject])).toEqual([
      ["store.created", store],
      ["key.issued", keyId],
      ["key.level", keyId],
      ["key.level", keyId],
      ["store.renamed", store],
      ["key.revoked", keyId],
      ["token.issued", token],
      ["token.revoked", token],
      ["recovery.made", done[8].subject],
      ["store.deleted", store],
      ["store.undeleted", store],
    ]);
    expect(done.filter(({ act }) => act === "key.level").map(({ detail }) => detail)).toEqual([
      `${store} read to read-write`,
      `${store} read-write to none`,
    ]);
    expect(new Set(done.map(({ by }) => by)).size).toBe(1);
    expect(done[0].by).toMatch(/^ses_/);
    const page = (await browser.get("/dashboard/audit")).text;
    const shown = [...page.matchAll(/<td data-head="What">((?:account|session|store|key|token|recovery)\.\w+)<\/td>/g)].map(
      ([, act]) => act,
    );
    expect(shown).toEqual(results.map(({ act }) => act).reverse());
    // A store by its name, whatever it was called then, and the beginning of its id; all of it on hover.
    const told = `<span title="${store}">Second ${store.slice(0, 8)}…</span>`;
    expect(page).toContain(`<td data-head="To" class="mono id">${told}</td>`);
    expect(page).toContain(`<td data-head="Detail" class="id">${told} read to read-write</td>`);
    expect(page.replaceAll(/<[^>]*>/g, "")).not.toMatch(/[0-9a-f]{64}/);
  });

  it("[C7.60] is only added to: the directory itself refuses a change or a removal", async () => {
    await signUp(trial.url);
    const all = async () => (await directory.prepare("SELECT * FROM audit ORDER BY id").all()).results;
    const before = await all();
    expect(before.length).toBeGreaterThan(1);
    for (const sql of [
      "UPDATE audit SET act = 'x'",
      "DELETE FROM audit",
      "DELETE FROM audit WHERE id = 1",
      "UPDATE audit SET at_ms = 0 WHERE id = 1",
    ])
      await expect(directory.prepare(sql).run(), sql).rejects.toThrow("the audit log is only added to");
    expect(await all()).toEqual(before);
  });

  it("[D] holds no address, though one is changed: nothing of a person stays in what cannot be changed", async () => {
    const person = await signUp(trial.url);
    await person.browser.get("/dashboard/account");
    expect((await person.browser.post("/dashboard/account/email", { email: "Somebody.Else@example.net" })).status).toBe(303);
    const rows = JSON.stringify((await directory.prepare("SELECT * FROM audit").all()).results);
    for (const address of [person.email, "somebody.else", "Somebody"]) expect(rows).not.toContain(address);
    expect(rows).toContain(`"detail":"${person.email[0]}…@example.org to s…@example.net"`);
  });

  it("[C7.60] is read by pages, latest first, each entry once", async () => {
    const person = await signUp(trial.url);
    const [{ id }] = (await directory.prepare("SELECT id FROM account WHERE email = ?").bind(person.email).all<{ id: string }>()).results;
    const entry = directory.prepare(
      "INSERT INTO audit(account_id, at_ms, act, subject, detail, by) VALUES (?, 0, 'operator', ?, '', 'operator')",
    );
    await directory.batch(Array.from({ length: 150 }, (_, number) => entry.bind(id, `entry-${number}.`)));
    const seen: string[] = [];
    let path = "/dashboard/audit";
    for (let pages = 0; path !== "" && pages < 5; pages++) {
      const { text } = await person.browser.get(path);
      expect(text.length).toBeLessThan(30_000);
      seen.push(...[...text.matchAll(/>(entry-\d+\.)</g)].map(([, subject]) => subject));
      path = /href="(\/dashboard\/audit\?before=\d+)"/.exec(text)?.[1] ?? "";
    }
    expect(seen).toEqual(Array.from({ length: 150 }, (_, number) => `entry-${149 - number}.`));
  });
});

describe("letters", () => {
  const LETTER: Letter = { to: "a@example.org", subject: "Hello", text: "Text" };

  it("[C4] leave through the provider's binding as one POST of JSON", async () => {
    const asked: { url: string; init: RequestInit }[] = [];
    const failures: unknown[] = [];
    const provider = {
      async fetch(url: string, init: RequestInit) {
        asked.push({ url, init });
        return new Response(null, { status: 202 });
      },
    };
    await providerPost(provider as unknown as Fetcher, (error) => failures.push(error)).send(LETTER);
    expect(asked.map(({ init }) => [init.method, JSON.parse(String(init.body))])).toEqual([["POST", LETTER]]);
    expect(failures).toEqual([]);
  });

  it.each([
    ["refuses it", async () => new Response("no", { status: 500 })],
    ["is not there", async () => Promise.reject(new Error("gone"))],
  ])("[C4] a provider that %s fails no page, and is told of without the letter", async (_, answer) => {
    const failures: Error[] = [];
    await providerPost({ fetch: answer } as unknown as Fetcher, (error) => failures.push(error as Error)).send(LETTER);
    expect(failures.length).toBe(1);
    expect(failures[0].message).not.toMatch(/example\.org|Hello|Text/);
  });
});
