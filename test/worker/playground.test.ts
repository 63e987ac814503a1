/** The playground: a store for whoever comes by, with one key made in the page, a small balance, and an end. */
import { describe, expect, inject, it } from "vitest";
import { type AskService, issueKey } from "../../clients/keys/issue-key";
import { PLAYGROUND_MS, PLAYGROUND_OPS } from "../../src/pages/playground";
import { callTool, freshStore, post } from "./fresh-store";

let visitors = 0;

class Visitor {
  readonly #address = `2001:db8:abcd:${process.pid.toString(16)}::${(++visitors).toString(16)}`;
  readonly sent: string[] = [];

  readonly ask: AskService = async (method, path, body) => {
    const response = await this.send(path, JSON.stringify(body), method);
    return { status: response.status, body: await response.json() };
  };

  send(path: string, body: string, method = "POST", headers: Record<string, string> = {}): Promise<Response> {
    this.sent.push(`${path} ${body}`);
    const origin = new URL(inject("serviceUrl")).origin;
    return fetch(`${origin}/playground${path}`, {
      method,
      body,
      headers: { "content-type": "application/json", "cf-connecting-ip": this.#address, origin, ...headers },
    });
  }

  async store(): Promise<{ readonly id: string; readonly expiresAt: string }> {
    const { status, body } = await this.ask("POST", "/stores", {});
    expect(status).toBe(201);
    return { id: body.store, expiresAt: body.expires_at };
  }
}

const ORDER = { level: "read-write-delete", label: "playground", made: "browser", opener: null } as const;

describe("the playground", () => {
  it("[docs] makes a store that a key made in the page opens, and never sees the key", async () => {
    const visitor = new Visitor();
    const beforeMs = Date.now();
    const { id, expiresAt } = await visitor.store();
    const lasts = Date.parse(expiresAt) - beforeMs;
    expect(lasts).toBeGreaterThanOrEqual(PLAYGROUND_MS);
    expect(lasts).toBeLessThan(PLAYGROUND_MS + 60_000);
    const { key } = await issueKey(visitor.ask, { storeId: id, ...ORDER });
    const { result } = await callTool(key.text, "run", { source: 'remember(Lamp.a.room, "hall", "test")\nprint(Lamp.a.room)' });
    expect(result.content[0].text).toContain("\nhall");
    expect(visitor.sent.join("\n")).not.toContain(key.text);
  });

  it("[docs] gives a store one key, and no key to any other store", async () => {
    const visitor = new Visitor();
    const { id } = await visitor.store();
    await issueKey(visitor.ask, { storeId: id, ...ORDER });
    await expect(issueKey(visitor.ask, { storeId: id, ...ORDER })).rejects.toThrow("or it has its key");
    const other = await freshStore();
    await expect(issueKey(visitor.ask, { storeId: other.id, ...ORDER })).rejects.toThrow("no such store");
    await expect(issueKey(visitor.ask, { storeId: "0".repeat(64), ...ORDER })).rejects.toThrow("no such store");
    for (const body of ["", "{}", "[]", "null", '{"hash":"x","wrap":""}', `{"hash":"${"a".repeat(64)}","wrap":"%"}`])
      expect((await visitor.send(`/stores/${id}/keys`, body)).status, body).toBe(400);
  });

  it("[docs] runs no further than its balance", async () => {
    const visitor = new Visitor();
    const { key } = await issueKey(visitor.ask, { storeId: (await visitor.store()).id, ...ORDER });
    const source = `n = 0\nfor i in range(${PLAYGROUND_OPS}):\n    n += i\nprint(n)`;
    const { result } = await callTool(key.text, "run", { source });
    expect(result.isError).toBe(true);
    const after = JSON.parse(await (await post(key.text, RUN)).text());
    expect(after.error?.code).toBe(-32001);
  });

  it("[docs] counts the stores of an address, and takes none of another site's page", async () => {
    const visitor = new Visitor();
    for (let i = 0; i < 10; i++) await visitor.store();
    const refused = await visitor.send("/stores", "{}");
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(3000);
    expect((await new Visitor().send("/stores", "{}")).status).toBe(201);
    expect((await new Visitor().send("/stores", "{}", "POST", { origin: "http://127.0.0.1:1" })).status).toBe(403);
    expect((await new Visitor().send("/stores", "{}", "POST", { origin: "https://evil.example" })).status).toBe(403);
    expect((await new Visitor().send("/stores", "{}", "POST", { origin: "null", "sec-fetch-site": "same-site" })).status).toBe(403);
  });

  it("[docs] is a page under 30 KB that begins with a program", async () => {
    const text = await (await fetch(new URL("/playground", inject("serviceUrl")))).text();
    expect(text).toContain("print(why(Probe.p1.state))");
    expect(new TextEncoder().encode(text).length).toBeLessThan(30_000);
  });
});

const RUN = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "run", arguments: { source: "print(1)" } } });
