/** Keys made as the page makes them, and what their owner sees and does of them. */
import { describe, expect, inject, it } from "vitest";
import { makeFirstKey, toBase64 } from "../../clients/keys/store-key";
import { LEVELS, type Level } from "../../src/engine/claim";
import { callTool, post } from "../worker/fresh-store";
import type { BrowserLike } from "./browser-like";
import { newKey, storeOwner, withStore } from "./store-owner";

const INITIALIZE = (name: string, version: string) =>
  JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method: "initialize",
    params: { protocolVersion: "2024-11-05", capabilities: {}, clientInfo: { name, version } },
  });

function run(key: string, source: string) {
  return callTool(key, "run", { source });
}

async function audited(browser: BrowserLike): Promise<string> {
  return (await browser.get("/dashboard/audit")).text;
}

describe("keys made in the page", () => {
  it("[3] the first key opens its store, further ones the same data, each at its level", async () => {
    const owner = await storeOwner();
    const first = await newKey(owner, { level: "read-write" });
    expect((await run(first.key.text, 'remember(Lamp.a.room, "hall", "test")')).result.isError).toBe(false);
    const second = await newKey(owner, { level: "read", opener: first.key });
    expect((await run(second.key.text, "print(Lamp.a.room)")).result.content[0].text).toContain("hall");
    expect((await run(second.key.text, 'remember(Lamp.b.room, "attic", "test")')).result._meta.refuse_reason).toBe("scope_forbidden");
    const third = await newKey(owner, { level: "read-write", opener: second.key });
    expect((await run(third.key.text, "print(Lamp.a.room)")).result.content[0].text).toContain("hall");
  });

  it("[3.1] of a key nothing is sent but its hash, its wrap, its level and its label: the secret, the data key and the key opening it stay", async () => {
    const owner = await storeOwner();
    const { browser } = owner;
    const made: Uint8Array[] = [];
    const kept = crypto.getRandomValues.bind(crypto);
    crypto.getRandomValues = ((array: Uint8Array) => {
      kept(array);
      made.push(Uint8Array.from(array));
      return array;
    }) as typeof crypto.getRandomValues;
    const before = browser.sent.length;
    const keys = [];
    try {
      keys.push((await newKey(owner)).key);
      keys.push((await newKey(owner, { opener: keys[0] })).key);
    } finally {
      crypto.getRandomValues = kept;
    }
    const sent = browser.sent.slice(before).join("\n");
    expect(sent).toContain('"wrap"');
    // 32 random bytes: the data key once, a secret for each key.
    const secrets = made.filter((bytes) => bytes.length === 32);
    expect(secrets.length).toBe(3);
    for (const bytes of secrets) {
      const hex = Buffer.from(bytes).toString("hex");
      for (const form of [hex, hex.toUpperCase(), toBase64(bytes), toBase64(bytes).replaceAll("+", "-").replaceAll("/", "_")])
        expect(sent).not.toContain(form.replace(/=+$/, ""));
    }
    for (const key of keys) expect(sent).not.toContain(key.text.slice(49)); // past prefix and store id: the secret's digits
  });

  it("[C7.59] the page shows a key this once: no page has it, and the page of making one is in no cache", async () => {
    const owner = await storeOwner();
    const { browser, storeId: store } = owner;
    const page = await browser.get(`/dashboard/stores/${store}/keys/new`);
    expect(page.status).toBe(200);
    expect(page.headers.get("cache-control")).toBe("no-store");
    expect(page.text).toContain("/dashboard/page/keys.js");
    // The form has no address to be sent to and its fields no names but label and level: without script nothing goes anywhere.
    const form = /<form id="make"[\s\S]*?<\/form>/.exec(page.text)?.[0] ?? "";
    expect([...form.matchAll(/\bname="([^"]+)"/g)].map((match) => match[1])).toEqual(["label", "level"]);
    expect(form).not.toMatch(/\b(action|method)=/);
    const { key } = await newKey(owner);
    for (const path of ["keys", "keys/new", "connect", "activity", "settings"])
      expect((await browser.get(`/dashboard/stores/${store}/${path}`)).text).not.toContain(key.text.slice(49));
  });

  it("[3] an additional key is offered at read, the first at read-write, and a further one asks for a key that opens the store", async () => {
    const owner = await storeOwner();
    const { browser, storeId: store } = owner;
    const chosen = (text: string) => /<option value="([^"]+)" selected/.exec(text)?.[1];
    const first = await browser.get(`/dashboard/stores/${store}/keys/new`);
    expect([chosen(first.text), first.text.includes('id="opener"')]).toEqual(["read-write", false]);
    await newKey(owner);
    const further = await browser.get(`/dashboard/stores/${store}/keys/new`);
    expect([chosen(further.text), further.text.includes('id="opener"')]).toEqual(["read", true]);
  });

  it("[3.1] a key of another store, an unknown key and a revoked one make no further key", async () => {
    const owner = await storeOwner();
    const { browser, storeId: store } = owner;
    const [mine, theirs] = [await newKey(owner), await newKey(await withStore(owner))];
    await expect(newKey(owner, { opener: theirs.key })).rejects.toMatchObject({ code: "other_store" });
    const { key: stranger } = await makeFirstKey(store);
    await expect(newKey(owner, { opener: stranger })).rejects.toMatchObject({ code: "not_found" });
    const next = await newKey(owner, { opener: mine.key });
    await browser.get(`/dashboard/stores/${store}/keys`);
    await browser.post(`/dashboard/stores/${store}/keys/${mine.keyId}/revoke`);
    await expect(newKey(owner, { opener: mine.key })).rejects.toMatchObject({ code: "not_found" });
    expect((await run(next.key.text, "print(1)")).result.isError).toBe(false);
  });
});

describe("the list of keys", () => {
  it("[D.4] says label, level, how it was made, the client seen, and what it used in a day", async () => {
    const owner = await storeOwner("Listed");
    const { browser, storeId: store } = owner;
    const { key, keyId } = await newKey(owner, { label: "the agent" });
    let page = (await browser.get(`/dashboard/stores/${store}/keys`)).text;
    for (const text of ["the agent", keyId, "made in a browser", "none yet", key.text.slice(0, 10), ">0 calls<"])
      expect(page).toContain(text);
    await post(key.text, INITIALIZE("some-client", "9.8.7"));
    await run(key.text, "print(1 + 1)");
    page = (await browser.get(`/dashboard/stores/${store}/keys`)).text;
    expect(page).toContain("some-client 9.8.7");
    expect(page).toMatch(/>1 calls</);
    expect(page).not.toContain(">0 ops<");
    expect(new TextEncoder().encode(page).length).toBeLessThan(30_000);
  });

  it("[C7.51] what a client or a person calls itself is text, whatever stands in it", async () => {
    const owner = await storeOwner(`<img src=x onerror=alert(1)>"'&`);
    const { browser, storeId: store } = owner;
    const { key } = await newKey(owner, { label: "</td><script>alert(2)</script>" });
    await post(key.text, INITIALIZE('"><svg onload=alert(3)>', "<b>"));
    await run(key.text, "print(1)");
    for (const path of ["keys", "keys/new", "connect", "activity", "settings"]) {
      const { text, status } = await browser.get(`/dashboard/stores/${store}/${path}`);
      expect(status).toBe(200);
      expect(text, path).not.toMatch(/<(img|svg|b)\b|<script>/);
    }
    expect((await browser.get(`/dashboard/stores/${store}/keys`)).text).toContain("&lt;svg onload=alert(3)&gt;");
  });

  it("[3] a level is changed from the dashboard and in force at the next call, down and up through all five", async () => {
    const owner = await storeOwner();
    const { browser, storeId: store } = owner;
    const { key, keyId } = await newKey(owner, { level: "read-write-delete" });
    const may = async (): Promise<Level> => {
      if ((await run(key.text, "print(1)")).result.isError) return "none";
      const said = async (source: string) => (await run(key.text, source)).result._meta.refuse_reason !== "scope_forbidden";
      const unique = `Lamp.l${Math.random().toString(36).slice(2)}`;
      if (!(await said(`remember(${unique}.room, "hall", "test")`))) return "read";
      if (!(await said(`update(${unique}.room, "attic", "test")`))) return "read-add";
      return (await said(`forget(${unique}.room)`)) ? "read-write-delete" : "read-write";
    };
    for (const level of ["read", "read-write", "none", "read-add", "read-write-delete"] as const) {
      await browser.get(`/dashboard/stores/${store}/keys`);
      const answer = await browser.post(`/dashboard/stores/${store}/keys/${keyId}/level`, { level });
      expect([answer.status, answer.location]).toEqual([303, `/dashboard/stores/${store}/keys`]);
      expect(await may()).toBe(level);
    }
    expect((await browser.post(`/dashboard/stores/${store}/keys/${keyId}/level`, { level: "everything" })).status).toBe(400);
    expect((await browser.post(`/dashboard/stores/${store}/keys/key_0000000000000000/level`, { level: "read" })).status).toBe(404);
    const log = await audited(browser);
    for (const text of ["key.issued", "key.level", "read-write-delete to read"]) expect(log).toContain(text);
  });

  it("[C7.12] a revoked key opens nothing from its next call on, and stays in the list of the revoked", async () => {
    const owner = await storeOwner();
    const { browser, storeId: store } = owner;
    const first = await newKey(owner);
    const { key, keyId } = await newKey(owner, { label: "gone", opener: first.key });
    expect((await run(key.text, "print(1)")).result.isError).toBe(false);
    const page = await browser.get(`/dashboard/stores/${store}/keys/${keyId}/revoke`);
    expect(page.text).toContain("cannot be undone");
    expect(page.text).not.toContain("last key");
    expect((await browser.post(`/dashboard/stores/${store}/keys/${keyId}/revoke`)).status).toBe(303);
    expect((await post(key.text, "{}")).status).toBe(401);
    expect((await browser.get(`/dashboard/stores/${store}/keys`)).text).not.toContain("gone");
    expect((await browser.get(`/dashboard/stores/${store}/keys?revoked=1`)).text).toContain("gone");
    expect((await browser.post(`/dashboard/stores/${store}/keys/${keyId}/revoke`)).status).toBe(404);
    expect(await audited(browser)).toContain("key.revoked");
  });

  it("[C7.27] the last key warns that the data is lost, and goes only where that is agreed to; then no key can be made", async () => {
    const owner = await storeOwner();
    const { browser, storeId: store } = owner;
    const { key, keyId } = await newKey(owner);
    await run(key.text, 'remember(Lamp.a.room, "hall", "test")');
    const path = `/dashboard/stores/${store}/keys/${keyId}/revoke`;
    expect((await browser.get(path)).text).toContain("can never be read again");
    expect((await browser.post(path)).status).toBe(400);
    expect((await run(key.text, "print(1)")).result.isError).toBe(false);
    expect((await browser.post(path, { lost: "yes" })).status).toBe(303);
    expect((await post(key.text, "{}")).status).toBe(401);
    for (const tab of ["keys", "keys/new"]) {
      const { text } = await browser.get(`/dashboard/stores/${store}/${tab}`);
      expect(text).toContain("The last key of this store is revoked");
      expect(text).not.toContain('id="make"');
    }
  });

  it("[3] a first key that nobody saved and nothing used is revoked, and another first key made", async () => {
    const owner = await storeOwner();
    const { browser, storeId: store } = owner;
    const { keyId } = await newKey(owner);
    await browser.get(`/dashboard/stores/${store}/keys`);
    await browser.post(`/dashboard/stores/${store}/keys/${keyId}/revoke`, { lost: "yes" });
    expect((await browser.get(`/dashboard/stores/${store}/keys/new`)).text).toContain("Make the first key");
    const { key } = await newKey(owner);
    expect((await run(key.text, "print(1)")).result.isError).toBe(false);
  });

  it("[D.9] many keys are listed a page at a time, each page under 30 KB", async () => {
    const owner = await storeOwner();
    const { browser, storeId: store } = owner;
    let opener = null;
    for (let i = 0; i < 33; i++) {
      const { key } = await newKey(owner, { label: `${"a long label ".repeat(4)}${i}.`, level: LEVELS[i % 5], opener });
      opener ??= key;
    }
    const seen = new Set<string>();
    for (let page = 1; page <= 3; page++) {
      const { text } = await browser.get(`/dashboard/stores/${store}/keys?page=${page}`);
      expect(new TextEncoder().encode(text).length).toBeLessThan(30_000);
      for (const [, number] of text.matchAll(/a long label (\d+)\.</g)) seen.add(number);
      expect(text.includes("Older keys")).toBe(page < 3);
    }
    expect(seen.size).toBe(33);
  });
});

describe("whose keys they are", () => {
  it("[C7.49] a page or an act on another account's store or key is 404, and changes nothing", async () => {
    const [owner, stranger] = [await storeOwner(), await storeOwner()];
    const { at } = owner;
    const { key, keyId } = await newKey(owner);
    const other = stranger.browser;
    for (const path of ["keys", "keys/new", `keys/${keyId}/revoke`, "connect", "activity", "activity.csv", "settings"])
      expect((await other.get(`${at}/${path}`)).status, path).toBe(404);
    await other.get("/dashboard/stores");
    const acts: [string, Record<string, string>][] = [
      [`${at}/keys/${keyId}/level`, { level: "none" }],
      [`${at}/keys/${keyId}/revoke`, { lost: "yes" }],
      [`${stranger.at}/keys/${keyId}/level`, { level: "none" }],
      [`${stranger.at}/keys/${keyId}/revoke`, { lost: "yes" }],
      [`${at}/rename`, { name: "mine" }],
      [`${at}/delete`, { name: "Test" }],
      [`${at}/undelete`, {}],
    ];
    for (const [path, fields] of acts) expect((await other.post(path, fields)).status, path).toBe(404);
    expect((await run(key.text, "print(1)")).result.isError).toBe(false);
    expect((await owner.browser.get(`${at}/settings`)).text).toContain("<h1>Test</h1>");
  });

  it("[C7.48] pages of a store ask for a sign-in, and their acts for a form of ours", async () => {
    const owner = await storeOwner();
    const { browser, storeId: store } = owner;
    const { keyId } = await newKey(owner);
    const stranger = await fetch(new URL(`/dashboard/stores/${store}/keys`, inject("serviceUrl")), { redirect: "manual" });
    expect([stranger.status, stranger.headers.get("location")]).toEqual([
      303,
      `/dashboard/sign-in?next=${encodeURIComponent(`/dashboard/stores/${store}/keys`)}`,
    ]);
    for (const act of ["rename", "delete", "undelete", `keys/${keyId}/level`, `keys/${keyId}/revoke`]) {
      const path = `/dashboard/stores/${store}/${act}`;
      expect((await browser.post(path, {}, { origin: "https://evil.example" })).status, act).toBe(403);
      expect((await browser.post(path, { form_token: "wrong" })).status, act).toBe(403);
    }
  });
});
