/** The brake on traffic without a valid key, and the places of the HTTP face that need no runtime. */
import { describe, expect, it } from "vitest";
import { createApp } from "../../src/worker/app";
import type { Env, StoreNamespace } from "../../src/worker/env";
import { FloodBrake } from "../../src/worker/flood";
import { formatStoreKey, parseStoreKey } from "../../src/worker/key";
import { type ServiceInNode, startInNode } from "./objects-in-node";
import { SPEC_OF_TOPICS } from "./spec-of-topics";

describe("flood brake", () => {
  it("[6] lets ten seconds' worth pass, then one each interval, and says how long to wait", () => {
    const brake = new FloodBrake(2);
    const counts = Array.from({ length: 21 }, () => brake.count("1.2.3.4", 0));
    expect(counts.slice(0, 20)).toEqual(new Array(20).fill(0));
    expect(counts[20]).toBe(1);
    expect(brake.count("1.2.3.4", 500)).toBe(0);
    expect(brake.count("1.2.3.4", 500)).toBeGreaterThan(0);
    expect(brake.count("5.6.7.8", 500)).toBe(0);
  });

  it("[6] answers 429 RATE_LIMITED with Retry-After, and never touches a store", async () => {
    const touched = () => {
      throw new Error("a store was touched");
    };
    const STORE = { idFromString: touched, newUniqueId: touched, get: touched } as unknown as StoreNamespace;
    const env: Env = { STORE, OWN_ORIGINS: "", FLOOD_PER_S: 1 };
    const app = createApp(SPEC_OF_TOPICS);
    const statuses: number[] = [];
    let last: Response | undefined;
    for (let i = 0; i < 12; i++) {
      last = await app.request("/", { method: "POST", headers: { "cf-connecting-ip": "9.9.9.9" }, body: "{}" }, env);
      statuses.push(last.status);
    }
    expect(statuses).toEqual([...new Array(10).fill(401), 429, 429]);
    expect(last?.headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
    expect(await last?.json()).toMatchObject({ code: "RATE_LIMITED" });
    const other = await app.request("/", { method: "POST", headers: { "cf-connecting-ip": "9.9.9.8" }, body: "{}" }, env);
    expect(other.status).toBe(401);
  });

  it("[C7.35] a page may call only from a configured origin or this machine", async () => {
    const env = { OWN_ORIGINS: "https://dke.langsyn.net https://dke.langsyn.com", FLOOD_PER_S: 100 } as Env;
    const app = createApp(SPEC_OF_TOPICS);
    const statusFor = async (origin: string) => (await app.request("/", { method: "OPTIONS", headers: { origin } }, env)).status;
    expect(await statusFor("https://dke.langsyn.net")).toBe(204);
    expect(await statusFor("https://dke.langsyn.com")).toBe(204);
    expect(await statusFor("http://dke.langsyn.net")).toBe(403);
    expect(await statusFor("https://dke.langsyn.net.evil.example")).toBe(403);
  });

  it("[C7.7] one character of a key changed: 401, and no object is asked", async () => {
    const service = startInNode(SPEC_OF_TOPICS, { CALL_LOG: "off" });
    const { keys } = await service.newStore();
    const before = service.objectCalls();
    const key = keys["read-write"];
    for (let at = 0; at < key.length; at++) {
      const wrong = `${key.slice(0, at)}${key[at] === "x" ? "y" : "x"}${key.slice(at + 1)}`;
      expect((await ping(service, wrong)).status, wrong).toBe(401);
    }
    expect(service.objectCalls()).toBe(before);
    service.end();
  });

  it("[C7.8] ten thousand requests with made-up keys make no object and ask none; most are 429 [A2.23] [A7.75]", async () => {
    const service = startInNode(SPEC_OF_TOPICS, { CALL_LOG: "off", FLOOD_PER_S: 20 });
    const { keys } = await service.newStore();
    const before = [service.objectCount(), service.objectCalls()];
    const statuses: Record<number, number> = {};
    for (let n = 0; n < 10_000; n++) {
      const objectId = n.toString(16).padStart(64, "a");
      const { status } = await ping(service, formatStoreKey({ objectId, secret: new Uint8Array(32).fill(n & 255) }));
      statuses[status] = (statuses[status] ?? 0) + 1;
    }
    expect(Object.keys(statuses)).toEqual(["401", "429"]);
    expect(statuses[401]).toBeLessThan(2000);
    expect([service.objectCount(), service.objectCalls()]).toEqual(before);
    expect((await ping(service, keys.read, "5.5.5.5")).status).toBe(200);
    service.end();
  });

  it("[C7.8] well-formed keys of a real store, with secrets of their own: past the brake they cost no object call, and a key known from before still works", async () => {
    const service = startInNode(SPEC_OF_TOPICS, { CALL_LOG: "off", FLOOD_PER_S: 1 });
    const { keys } = await service.newStore();
    const { objectId } = parseStoreKey(keys.read)!;
    expect((await ping(service, keys.read)).status).toBe(200);
    const before = service.objectCalls();
    const statuses: number[] = [];
    for (let n = 0; n < 500; n++)
      statuses.push((await ping(service, formatStoreKey({ objectId, secret: new Uint8Array(32).fill(n & 255) }))).status);
    expect(statuses.slice(0, 10)).toEqual(new Array(10).fill(401));
    expect(statuses.filter((status) => status !== 429).length).toBeLessThan(20);
    expect(service.objectCalls() - before).toBeLessThan(20);
    expect((await ping(service, keys.read)).status).toBe(200);
    // Not known from before, from the same address: held back, and told for how long.
    const held = await ping(service, keys["read-write"]);
    expect(held.status).toBe(429);
    expect(Number(held.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await ping(service, keys["read-write"], "5.5.5.5")).status).toBe(200);
    expect((await ping(service, keys["read-write"])).status).toBe(200);
    service.end();
  });

  it("[B6] cancellations past what anybody needs are acknowledged and reach no store", async () => {
    const service = startInNode(SPEC_OF_TOPICS, { CALL_LOG: "off" });
    const { keys } = await service.newStore();
    const before = service.objectCalls();
    for (let n = 0; n < 2000; n++) {
      const body = JSON.stringify({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: n } });
      const response = await service.fetch(new Request(HERE, { method: "POST", headers: { authorization: `Bearer ${keys.read}` }, body }));
      expect([response.status, await response.text()]).toEqual([202, ""]);
    }
    expect(service.objectCalls() - before).toBeGreaterThanOrEqual(500);
    expect(service.objectCalls() - before).toBeLessThan(1500);
    service.end();
  });
});

const HERE = "http://127.0.0.1/";
async function ping(service: ServiceInNode, key: string, address = "9.9.9.9"): Promise<Response> {
  const headers = { authorization: `Bearer ${key}`, "cf-connecting-ip": address };
  return service.fetch(new Request(HERE, { method: "POST", headers, body: '{"jsonrpc":"2.0","id":1,"method":"ping"}' }));
}
