/** What was called on a store, as its owner sees it; its name, its end, and its way back. */
import { describe, expect, it } from "vitest";
import { csvField } from "../../src/dashboard/csv";
import { callTool, post } from "../worker/fresh-store";
import { newKey, storeOwner } from "./store-owner";

function run(key: string, source: string) {
  return callTool(key, "run", { source });
}

/** Rows of a CSV without line breaks in its fields. */
function rowsOf(text: string): string[][] {
  return text
    .trimEnd()
    .split("\r\n")
    .map((line) => [...line.matchAll(/"((?:[^"]|"")*)"/g)].map((match) => match[1].replaceAll('""', '"')));
}

describe("activity", () => {
  it("[D.6] every call with time, key, client, tool, status, ops and duration, latest first, by key where asked, and as CSV", async () => {
    const owner = await storeOwner();
    const first = await newKey(owner, { label: 'one, the "first"' });
    const second = await newKey(owner, { label: "=cmd()", opener: first.key });
    expect((await owner.browser.get(`${owner.at}/activity`)).text).toContain("No call has used anything yet");
    const params = { protocolVersion: "2024-11-05", capabilities: {}, clientInfo: { name: "agent", version: "2.0" } };
    await post(first.key.text, JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params }));
    const before = Date.now();
    await run(first.key.text, "print(1 + 1)");
    await callTool(second.key.text, "compile", { name: "m", source: "x = 1 + 2" });
    await run(second.key.text, 'remember(Lamp.a.room, "den", "s")');
    await run(second.key.text, "print(1)\nprint(1 / 0)");
    const third = await run(second.key.text, "print(sum(range(100)))");
    const { ops } = third.result._meta;
    const page = (await owner.browser.get(`${owner.at}/activity`)).text;
    const tools = [...page.matchAll(/<td data-head="Tool">(run|compile)<\/td>/g)].map((match) => match[1]);
    expect(tools).toEqual(["run", "run", "run", "compile", "run"]);
    const statuses = [...page.matchAll(/<td data-head="Status">([^<]*)<\/td>/g)].map((match) => match[1]);
    expect(statuses).toEqual(["success", "refuse: invalid_value", "success", "success", "success"]);
    expect(page).toContain('<td data-head="Client">agent 2.0</td>');
    const csv = await owner.browser.get(`${owner.at}/activity.csv`);
    expect(csv.headers.get("content-type")).toBe("text/csv; charset=utf-8");
    const [head, ...rows] = rowsOf(csv.text);
    expect(head).toEqual(["time", "key_id", "label", "client", "tool", "status", "ops", "ms", "call_id"]);
    expect(rows.map(([, keyId, label, client, tool]) => [keyId, label, client, tool])).toEqual([
      ...Array.from({ length: 3 }, () => [second.keyId, "'=cmd()", "", "run"]),
      [second.keyId, "'=cmd()", "", "compile"],
      [first.keyId, 'one, the "first"', "agent 2.0", "run"],
    ]);
    for (const [time] of rows) expect(Date.parse(time)).toBeGreaterThanOrEqual(before - 5);
    expect(rows[0].slice(5, 7)).toEqual(["success", String(ops)]);
    for (const [, , , , , , , ms] of rows) expect(Number(ms)).toBeLessThanOrEqual(Date.now() - before);
    const ofFirst = await owner.browser.get(`${owner.at}/activity?key=${first.keyId}`);
    expect([...ofFirst.text.matchAll(/<td data-head="Tool">(run|compile)<\/td>/g)].length).toBe(1);
    expect(rowsOf((await owner.browser.get(`${owner.at}/activity.csv?key=${first.keyId}`)).text).length).toBe(2);
    expect((await owner.browser.get(`${owner.at}/activity?key=nobody`)).status).toBe(200);
  });

  it("[D.6] many calls are listed a page at a time, none twice and none left out, each page under 30 KB", async () => {
    const owner = await storeOwner();
    const { key } = await newKey(owner, { label: "a busy one with a long label, as long as labels may be at all" });
    const calls = 93;
    for (let i = 0; i < calls; i++) await run(key.text, "print(1 + 1)");
    const seen = new Set<string>();
    let path: string | undefined = `${owner.at}/activity`;
    let pages = 0;
    for (; path !== undefined; pages++) {
      const { text } = await owner.browser.get(path);
      expect(new TextEncoder().encode(text).length).toBeLessThan(30_000);
      const ids = [...text.matchAll(/title="([0-9a-f-]{36})"/g)].map((match) => match[1]);
      for (const id of ids) {
        expect(seen.has(id)).toBe(false);
        seen.add(id);
      }
      path = /href="([^"]+)">Older calls/.exec(text)?.[1].replaceAll("&amp;", "&");
    }
    expect([seen.size, pages]).toEqual([calls, 3]);
  });

  it("[D.6] a field of the CSV is text to a spreadsheet, whatever it begins with", () => {
    for (const [text, field] of [
      ["plain", '"plain"'],
      ['say "hi", now', '"say ""hi"", now"'],
      ["=1+1", '"\'=1+1"'],
      ["+1", '"\'+1"'],
      ["-1", '"\'-1"'],
      ["@SUM(A1)", '"\'@SUM(A1)"'],
      ["\tx", '"\'\tx"'],
      ["", '""'],
    ])
      expect(csvField(text)).toBe(field);
  });
});

describe("the list of stores", () => {
  it("[D.1] many stores are listed a page at a time, each page under 30 KB, and the hundred and first is refused", async () => {
    const { browser } = await storeOwner("s0.");
    for (let i = 1; i < 100; i++) await browser.post("/dashboard/stores", { name: `s${i}. ${"a long name".repeat(5)}` });
    expect((await browser.post("/dashboard/stores", { name: "one more" })).status).toBe(409);
    const seen = new Set<string>();
    let path: string | undefined = "/dashboard/stores";
    for (; path !== undefined; ) {
      const { text } = await browser.get(path);
      expect(new TextEncoder().encode(text).length).toBeLessThan(30_000);
      for (const [, number] of text.matchAll(/>s(\d+)\./g)) seen.add(number);
      const next = /href="([^"]+)">Older stores/.exec(text)?.[1];
      path = next === undefined ? undefined : `/dashboard/stores${next}`;
    }
    expect(seen.size).toBe(100);
  });
});

describe("a store's settings", () => {
  it("[D.1] a store is renamed, and a name is cleaned and never empty", async () => {
    const owner = await storeOwner("Before");
    await owner.browser.get(`${owner.at}/settings`);
    expect((await owner.browser.post(`${owner.at}/rename`, { name: "  After\u202e\u0000 " })).location).toBe(`${owner.at}/settings`);
    expect((await owner.browser.get(`${owner.at}/settings`)).text).toContain("<h1>After</h1>");
    for (const name of ["", "   ", "\u200b"]) expect((await owner.browser.post(`${owner.at}/rename`, { name })).status).toBe(400);
    expect((await owner.browser.get("/dashboard/audit")).text).toContain("store.renamed");
  });

  it("[D.1] a store is deleted by typing its name, opens to no key meanwhile, and comes back whole within seven days", async () => {
    const owner = await storeOwner("Dear");
    const { browser, at, storeId } = owner;
    const { key, keyId } = await newKey(owner);
    await run(key.text, 'remember(Lamp.a.room, "hall", "test")');
    const settings = (await browser.get(`${at}/settings`)).text;
    for (const text of ["its 1 key", "seven days", "Type its name"]) expect(settings).toContain(text);
    expect((await browser.post(`${at}/delete`, { name: "dear" })).status).toBe(400);
    expect((await run(key.text, "print(1)")).result.isError).toBe(false);
    expect((await browser.post(`${at}/delete`, { name: "Dear" })).location).toBe("/dashboard/stores");
    expect((await post(key.text, "{}")).status).toBe(401);
    // Nothing of it is there: no page, no act, nothing of the JSON interface.
    for (const tab of ["keys", "keys/new", `keys/${keyId}/revoke`, "connect", "activity", "activity.csv", "settings"])
      expect((await browser.get(`${at}/${tab}`)).status, tab).toBe(404);
    expect((await browser.post(`${at}/keys/${keyId}/revoke`, { lost: "yes" })).status).toBe(404);
    expect((await browser.ask("GET", "/stores")).body.stores).toEqual([]);
    expect((await browser.ask("GET", `/stores/${storeId}/wraps/${"0".repeat(64)}`)).status).toBe(404);
    const list = (await browser.get("/dashboard/stores")).text;
    for (const text of ["Dear, gone for good at", "Bring back Dear"]) expect(list).toContain(text);
    expect((await browser.post(`${at}/undelete`)).location).toBe(`${at}/keys`);
    expect((await run(key.text, "print(Lamp.a.room)")).result.content[0].text).toContain("hall");
    expect((await browser.get("/dashboard/stores")).text).not.toContain("gone for good");
    expect((await browser.post(`${at}/undelete`)).status).toBe(404);
    const log = (await browser.get("/dashboard/audit")).text;
    for (const act of ["store.created", "store.deleted", "store.undeleted"]) expect(log).toContain(act);
  });
});
