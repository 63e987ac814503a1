/** The JSON interface for keys: who may do what, and what is not taken (docs/decisions/issuing-keys-anywhere.md). */
import { beforeAll, describe, expect, inject, it } from "vitest";
import { type AskService, issueKey } from "../../clients/keys/issue-key";
import { makeFirstKey, makeFurtherKey } from "../../clients/keys/store-key";
import { LEVELS } from "../../src/engine/claim";
import { callTool, post } from "../worker/fresh-store";
import { makeToken } from "./browser-like";
import { type MadeKey, newKey, type StoreOwner, storeOwner } from "./store-owner";

let addresses = 0;

/** As a program asks: no cookie, a header that says who. */
function asking(authorization: string): AskService & ((method: "GET" | "POST", path: string, body?: unknown) => ReturnType<AskService>) {
  const address = `198.51.100.7 ${process.pid} ${++addresses}`;
  return async (method: "GET" | "POST", path: string, body?: unknown) => {
    const response = await fetch(new URL(`/dashboard/api${path}`, inject("serviceUrl")), {
      method,
      headers: { authorization, "cf-connecting-ip": address, "content-type": "application/json" },
      body: body === undefined ? undefined : typeof body === "string" ? body : JSON.stringify(body),
    });
    const text = await response.text();
    return { status: response.status, body: JSON.parse(text), retryAfter: response.headers.get("retry-after") };
  };
}

function basic({ email, password }: { readonly email: string; readonly password: string }): string {
  return `Basic ${btoa(`${email}:${password}`)}`;
}

describe("account tokens", () => {
  let owner: StoreOwner;
  let first: MadeKey;
  beforeAll(async () => {
    owner = await storeOwner();
    first = await newKey(owner, { level: "read-write-delete" });
  });

  it("[C7.17] a token adds a key to a store of its account, up to its level and no further", async () => {
    for (const level of LEVELS) {
      const ask = asking(`Bearer ${await makeToken(owner, level)}`);
      for (const wanted of LEVELS) {
        const order = { storeId: owner.storeId, level: wanted, label: `${wanted} by ${level}`, made: "dkekey", opener: first.key } as const;
        if (LEVELS.indexOf(wanted) > LEVELS.indexOf(level)) {
          await expect(issueKey(ask, order), `${wanted} by ${level}`).rejects.toMatchObject({ code: "not_allowed" });
          continue;
        }
        const { key, endpoint } = await issueKey(ask, order);
        expect(endpoint).toBe(inject("serviceUrl"));
        const answer = await callTool(key.text, "run", { source: "print(1)" });
        expect(answer.result._meta.refuse_reason === "scope_forbidden", wanted).toBe(wanted === "none");
      }
    }
  });

  it("[C7.17] a token lists no key, changes no level, revokes nothing, makes no store, and opens no page and no store", async () => {
    const token = await makeToken(owner, "read-write-delete");
    const ask = asking(`Bearer ${token}`);
    const at = `/stores/${owner.storeId}/keys`;
    for (const [method, path, body] of [
      ["GET", at],
      ["POST", `${at}/${first.keyId}/level`, { level: "none" }],
      ["POST", `${at}/${first.keyId}/revoke`],
    ] as const)
      expect(await ask(method, path, body), path).toMatchObject({ status: 403, body: { error: { code: "not_allowed" } } });
    expect((await ask("POST", "/stores", { name: "x" })).status).toBe(404);
    for (const path of ["stores", `stores/${owner.storeId}/keys`, "tokens", "audit"]) {
      const page = await fetch(new URL(`/dashboard/${path}`, inject("serviceUrl")), {
        headers: { authorization: `Bearer ${token}` },
        redirect: "manual",
      });
      expect([page.status, page.headers.get("location")?.startsWith("/dashboard/sign-in")], path).toEqual([303, true]);
    }
    for (const path of ["/", "/request"]) {
      const refused = await fetch(new URL(path, inject("serviceUrl")), {
        method: "POST",
        headers: { authorization: `Bearer ${token}` },
        body: "{}",
      });
      expect([refused.status, ((await refused.json()) as { code: string }).code]).toEqual([401, "AUTH_MALFORMED"]);
    }
    expect((await callTool(first.key.text, "run", { source: "print(1)" })).result.isError).toBe(false);
  });

  it("[C7.18] a token of another account finds none of this one's stores, and a revoked one nothing", async () => {
    const stranger = await storeOwner();
    const token = await makeToken(stranger, "read-write-delete");
    const ask = asking(`Bearer ${token}`);
    expect((await ask("GET", "/stores")).body.stores).toEqual([{ id: stranger.storeId, name: "Test" }]);
    const { record } = await makeFirstKey(owner.storeId);
    const order = { ...record, level: "read", label: "", made: "dkekey" };
    expect((await ask("POST", `/stores/${owner.storeId}/keys`, order)).status).toBe(404);
    expect((await ask("GET", `/stores/${owner.storeId}/wraps/${record.hash}`)).status).toBe(404);
    expect((await ask("POST", "/stores/nonsense/keys", order)).status).toBe(404);
    const { browser } = stranger;
    const page = await browser.get("/dashboard/tokens");
    const [, id] = /\/tokens\/([^/]+)\/revoke/.exec(page.text) ?? [];
    expect((await owner.browser.get("/dashboard/tokens")).status).toBe(200);
    expect((await owner.browser.post(`/dashboard/tokens/${id}/revoke`)).status).toBe(404);
    expect((await ask("GET", "/stores")).status).toBe(200);
    await browser.post(`/dashboard/tokens/${id}/revoke`);
    expect((await ask("GET", "/stores")).status).toBe(401);
    expect((await browser.get("/dashboard/tokens")).text).toContain("revoked");
  });

  it("[C7.17] a token's page shows it this once, and says when it was used; a token has a label and one of the five levels", async () => {
    const { browser } = owner;
    await browser.get("/dashboard/tokens");
    const made = await browser.post("/dashboard/tokens", { label: "<i>ci</i>", level: "read" });
    const [token] = /dke_t_[\w-]{43}/.exec(made.text) ?? [];
    expect([token?.length, made.headers.get("cache-control")]).toEqual([49, "no-store"]);
    await asking(`Bearer ${token}`)("GET", "/stores");
    const later = (await browser.get("/dashboard/tokens")).text;
    expect(later).not.toContain(token);
    expect(later).toContain("&lt;i&gt;ci&lt;/i&gt;");
    for (const fields of [{ label: "", level: "read" }, { label: "x", level: "all" }, {}])
      expect((await browser.post("/dashboard/tokens", fields as Record<string, string>)).status).toBe(400);
    expect((await browser.get("/dashboard/audit")).text).toContain("token.issued");
  });
});

describe("what is taken for a new key", () => {
  it("[C7.19] a wrap of the wrong length is not taken, and one of another key or store opens nothing and harms nobody", async () => {
    const owner = await storeOwner();
    const stranger = await storeOwner();
    const first = await newKey(owner);
    await callTool(first.key.text, "run", { source: 'remember(Lamp.a.room, "hall", "test")' });
    const at = `/stores/${owner.storeId}/keys`;
    const { record } = await makeFirstKey(owner.storeId);
    const order = { ...record, level: "read-write", label: "odd", made: "dkekey" };
    for (const wrap of ["", btoa("x".repeat(60)), btoa("x".repeat(62)), "not base64!", btoa("x".repeat(1000))])
      expect((await owner.browser.ask("POST", at, { ...order, wrap })).body.error.code, wrap).toBe("malformed");
    // A wrap that belongs to another key; to another store; of another data key.
    const replayed = await makeFirstKey(owner.storeId);
    const { body } = await owner.browser.ask("GET", `/stores/${owner.storeId}/wraps/${await hash(first.key.text)}`);
    const moved = await makeFurtherKey(first.key, body.wrap);
    const elsewhere = await makeFirstKey(stranger.storeId);
    const foreign = await makeFirstKey(owner.storeId);
    const odd: [string, { hash: string; wrap: string }][] = [
      [replayed.key.text, { ...replayed.record, wrap: body.wrap }],
      [elsewhere.key.text, { ...elsewhere.record, wrap: moved.record.wrap }],
      [foreign.key.text, foreign.record],
    ];
    for (const [, sent] of odd) expect((await owner.browser.ask("POST", at, { ...order, ...sent })).status).toBe(201);
    for (const [key] of odd) expect((await post(key, "{}")).status).toBe(401);
    const listed = (await owner.browser.ask("GET", at)).body.keys;
    expect(
      listed.filter((key: { label: string }) => key.label === "odd").map((key: { last_used_at: unknown }) => key.last_used_at),
    ).toEqual([null, null, null]);
    expect((await callTool(first.key.text, "run", { source: "print(Lamp.a.room)" })).result.content[0].text).toContain("hall");
  });

  it("[C7.20] the same hash is not issued twice, not even after it was revoked", async () => {
    const owner = await storeOwner();
    const at = `/stores/${owner.storeId}/keys`;
    const { record } = await makeFirstKey(owner.storeId);
    const order = { ...record, level: "read", label: "", made: "dkekey" };
    const { body, status } = await owner.browser.ask("POST", at, order);
    const keyId = `key_${record.hash.slice(0, 16)}`;
    expect([status, body]).toEqual([201, { key_id: keyId, level: "read", label: "", endpoint: inject("serviceUrl") }]);
    expect(await owner.browser.ask("POST", at, order)).toMatchObject({ status: 409, body: { error: { code: "known_hash" } } });
    expect((await owner.browser.ask("POST", `${at}/${body.key_id}/revoke`)).body).toEqual({
      key_id: body.key_id,
      revoked: true,
      last: true,
    });
    expect((await owner.browser.ask("POST", at, order)).status).toBe(409);
  });

  it("[C7.21] sixty keys an hour are issued for a store, and the next is told when to come back", async () => {
    const owner = await storeOwner();
    const ask = asking(basic(owner));
    const statuses = [];
    let last: unknown;
    for (let i = 0; i < 61; i++) {
      const { record } = await makeFirstKey(owner.storeId);
      const answer = await owner.browser.ask("POST", `/stores/${owner.storeId}/keys`, {
        ...record,
        level: "read",
        label: "",
        made: "dkekey",
      });
      statuses.push(answer.status);
      last = answer.body;
    }
    expect(statuses).toEqual([...Array(60).fill(201), 429]);
    expect(last).toMatchObject({ error: { code: "too_many_attempts" } });
    // Whoever asks: it is the store that has had enough.
    const { record } = await makeFirstKey(owner.storeId);
    const answer = (await ask("POST", `/stores/${owner.storeId}/keys`, {
      ...record,
      level: "read",
      label: "",
      made: "dkekey",
    })) as unknown as {
      retryAfter: string;
      status: number;
    };
    expect(answer.status).toBe(429);
    expect(Number(answer.retryAfter)).toBeGreaterThan(3000);
    expect(Number(answer.retryAfter)).toBeLessThanOrEqual(3600);
  });

  it("[3.1] whoever sends the key itself, or anything else beside, is told never to", async () => {
    const owner = await storeOwner();
    const { key, record } = await makeFirstKey(owner.storeId);
    const at = `/stores/${owner.storeId}/keys`;
    const order = { ...record, level: "read", label: "", made: "dkekey" };
    for (const extra of [{ key: key.text }, { secret: "x" }, { __proto__: null, dataKey: 1 }])
      expect((await owner.browser.ask("POST", at, { ...order, ...extra })).body.error.message).toContain("never send the key");
    const ask = asking(basic(owner));
    for (const body of ["", "null", "[]", "7", "{", '"text"', "{}", "x".repeat(5000), JSON.stringify({ ...order, made: "me" })])
      expect((await ask("POST", at, body)).status, body.slice(0, 20)).toBe(400);
    for (const [field, value] of Object.entries({
      hash: record.hash.toUpperCase(),
      wrap: 7,
      level: "constructor",
      label: null,
      made: undefined,
    }))
      expect((await owner.browser.ask("POST", at, { ...order, [field]: value })).body.error.code, field).toBe("malformed");
    expect((await owner.browser.ask("GET", at)).body.keys).toEqual([]);
  });
});

describe("who asks", () => {
  it("[3.1] an address with its password does what its session does; a wrong one, and a store key, do nothing", async () => {
    const owner = await storeOwner();
    const ask = asking(basic(owner));
    expect((await ask("GET", "/stores")).body.stores).toEqual([{ id: owner.storeId, name: "Test" }]);
    const { key, keyId } = await issueKey(ask, {
      storeId: owner.storeId,
      level: "read",
      label: "by password",
      made: "dke.keys",
      opener: null,
    });
    expect((await callTool(key.text, "run", { source: "print(1)" })).result.isError).toBe(false);
    expect((await ask("GET", `/stores/${owner.storeId}/keys`)).body.keys).toMatchObject([
      { key_id: keyId, label: "by password", made: "dke.keys" },
    ]);
    expect((await ask("POST", `/stores/${owner.storeId}/keys/${keyId}/level`, { level: "read-write" })).body).toEqual({
      key_id: keyId,
      level: "read-write",
    });
    expect((await ask("POST", `/stores/${owner.storeId}/keys/${keyId}/level`, { level: "root" })).status).toBe(400);
    expect((await ask("POST", `/stores/${owner.storeId}/keys/nobody/revoke`)).status).toBe(404);
    for (const wrong of [
      basic({ ...owner, password: "wrong" }),
      basic({ email: "nobody@example.org", password: "x" }),
      "Basic",
      "Basic ???",
      "Bearer",
      "Bearer x",
      "Digest x",
    ])
      expect(await asking(wrong)("GET", "/stores"), wrong).toMatchObject({ status: 401, body: { error: { code: "unknown" } } });
    expect((await asking(`Bearer ${key.text}`)("GET", "/stores")).body.error.message).toContain("This is a store key");
  });

  it("[C7.54] guesses of a password over this interface are counted with those of the sign-in page", async () => {
    const owner = await storeOwner();
    const statuses = [];
    for (let i = 0; i < 11; i++) statuses.push((await asking(basic({ ...owner, password: `guess ${i}` }))("GET", "/stores")).status);
    expect(statuses).toEqual([...Array(10).fill(401), 429]);
    // Not even the right one, from anywhere, until the window has passed.
    expect((await asking(basic(owner))("GET", "/stores")).status).toBe(429);
  });

  it("[C7.48] a session asks with its form token and from our own pages only", async () => {
    const owner = await storeOwner();
    const { keyId } = await newKey(owner);
    const path = `/dashboard/api/stores/${owner.storeId}/keys/${keyId}/revoke`;
    const token = owner.browser.formToken;
    const forged: Record<string, string>[] = [
      {},
      { "x-form-token": "wrong" },
      { "x-form-token": token, origin: "https://evil.example" },
      { "x-form-token": token, origin: "null", "sec-fetch-site": "cross-site" },
    ];
    for (const headers of forged) expect((await owner.browser.send("POST", path, { headers })).status, JSON.stringify(headers)).toBe(403);
    expect((await owner.browser.ask("POST", `/stores/${owner.storeId}/keys/${keyId}/revoke`)).status).toBe(200);
    const nobody = await fetch(new URL("/dashboard/api/stores", inject("serviceUrl")));
    expect([nobody.status, nobody.headers.get("access-control-allow-origin")]).toEqual([401, null]);
  });
});

async function hash(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return Buffer.from(digest).toString("hex");
}
