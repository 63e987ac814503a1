/** The brake on traffic without a valid key, and the places of the HTTP face that need no runtime. */
import { describe, expect, it } from "vitest";
import { createApp } from "../../src/worker/app";
import type { Env, StoreNamespace } from "../../src/worker/env";
import { FloodBrake } from "../../src/worker/flood";
import type { SpecDocument } from "../../src/worker/spec-document";

const SPEC = Object.fromEntries(
  ["header", "declarations", "statements", "expressions", "types", "verbs", "scripts"].map((topic) => [topic, topic]),
) as SpecDocument;

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
    const app = createApp(SPEC);
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
    const app = createApp(SPEC);
    const statusFor = async (origin: string) => (await app.request("/", { method: "OPTIONS", headers: { origin } }, env)).status;
    expect(await statusFor("https://dke.langsyn.net")).toBe(204);
    expect(await statusFor("https://dke.langsyn.com")).toBe(204);
    expect(await statusFor("http://dke.langsyn.net")).toBe(403);
    expect(await statusFor("https://dke.langsyn.net.evil.example")).toBe(403);
  });
});
