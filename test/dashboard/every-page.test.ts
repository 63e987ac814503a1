/** What holds of every page and every act, walked over the routes as they are: one that is added is walked too. */
import { beforeAll, describe, expect, inject, it } from "vitest";
import { dashboard, ROOT } from "../../src/dashboard/dashboard";
import { Authenticator } from "./authenticator";
import { BrowserLike, makeToken } from "./browser-like";
import { newKey, type StoreOwner, storeOwner } from "./store-owner";

const ROUTES = [
  ...new Set(
    dashboard()
      .routes.filter(({ method }) => method === "GET" || method === "POST")
      .map(({ method, path }) => `${method} ${path}`),
  ),
]
  .map((route) => {
    const [method, path] = route.split(" ");
    return { method, path };
  })
  .filter(({ path }) => !path.endsWith("*"));
const POSTS = ROUTES.filter(({ method }) => method === "POST").map(({ path }) => path);
/** The same for everybody, behind no cookie. */
const PUBLIC = ["/style.css", "/icon.svg", "/page/:name"];
const PAGES = ROUTES.filter(({ method, path }) => method === "GET" && !PUBLIC.includes(path) && !path.startsWith("/api/")).map(
  ({ path }) => path,
);

/** Everything of one account that has an id. */
interface Ids {
  readonly store: string;
  readonly key: string;
  readonly hash: string;
  readonly snapshot: string;
  readonly token: string;
  readonly session: string;
  readonly passkey: string;
}

/** What stands for a parameter, by the path it stands in. */
function filled(path: string, ids: Ids, store = ids.store): string {
  const named: Readonly<Record<string, string>> = {
    "/stores/:id": `/stores/${store}`,
    "/tokens/:id": `/tokens/${ids.token}`,
    "/sessions/:id": `/sessions/${ids.session}`,
    "/passkeys/:id": `/passkeys/${ids.passkey}`,
    "/keys/:key": `/keys/${ids.key}`,
    "/wraps/:hash": `/wraps/${ids.hash}`,
    "/snapshots/:snapshot": `/snapshots/${ids.snapshot}`,
    "/picture/:name": "/picture/why",
  };
  let text = path;
  for (const [from, to] of Object.entries(named)) text = text.replace(from, to);
  if (text.includes("/:")) throw new Error(`${path}: say here what stands for its parameter`);
  return text === "/" ? ROOT : `${ROOT}${text}`;
}

/** Fields that would be right for any form, so that it is not refused for another reason. */
const FIELDS = {
  name: "First",
  label: "a",
  level: "none",
  lost: "yes",
  days: "7",
  reason: "asked",
  kind: "read",
  email: "x@example.org",
  password: "a quiet red harbour",
};

async function somebody(): Promise<{ readonly owner: StoreOwner; readonly ids: Ids }> {
  const owner = await storeOwner("First");
  const { browser, storeId, at } = owner;
  const { key, keyId } = await newKey(owner);
  const hash = Buffer.from(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(key.text))).toString("hex");
  await makeToken(owner, "read");
  const token = /\/tokens\/(tok_[\w-]+)\/revoke/.exec((await browser.get("/dashboard/tokens")).text)?.[1] ?? "";
  const session = /\/sessions\/(ses_[\w-]+)\/end/.exec(await otherSession(owner))?.[1] ?? "";
  await browser.get(`${at}/snapshots`);
  const taken = await browser.post(`${at}/snapshots`, { label: "kept" });
  const snapshot =
    new RegExp(`${storeId}/snapshots/(snp_[\\w-]+)`).exec((await browser.get(`${at}/snapshots`)).text)?.[1] ?? taken.location;
  const passkey = await withPasskey(owner);
  return { owner, ids: { store: storeId, key: keyId, hash, snapshot, token, session, passkey } };
}

/** Signs in a second time; the page of sessions, which then has one that can be ended. */
async function otherSession({ browser, email, password }: StoreOwner): Promise<string> {
  const other = new BrowserLike();
  await other.get("/dashboard/sign-in");
  await other.post("/dashboard/sign-in", { email, password });
  return (await browser.get("/dashboard/sessions")).text;
}

async function withPasskey({ browser }: StoreOwner): Promise<string> {
  const device = new Authenticator();
  await browser.get("/dashboard/passkeys/new");
  const headers = { "content-type": "application/json", "x-form-token": browser.formToken };
  const wish = await (await browser.send("POST", "/dashboard/passkeys/options", { headers, body: "{}" })).json();
  const response = device.register(wish as never, { origin: new URL(inject("serviceUrl")).origin });
  const added = await browser.send("POST", "/dashboard/passkeys", { headers, body: JSON.stringify({ label: "a", response }) });
  if (added.status !== 201) throw new Error(`adding a passkey answered ${added.status}`);
  return device.name;
}

let mine: Awaited<ReturnType<typeof somebody>>;
let theirs: Awaited<ReturnType<typeof somebody>>;
beforeAll(async () => {
  mine = await somebody();
  theirs = await somebody();
});

/** What an account's pages say of it: what changes when something was done. */
async function told({ owner, ids }: typeof mine): Promise<string> {
  const pages = ["/stores", "/tokens", "/sessions", "/audit", "/account", `/stores/${ids.store}/keys`, `/stores/${ids.store}/snapshots`];
  const texts = [];
  for (const path of pages) texts.push((await owner.browser.get(ROOT + path)).text);
  // That a session was seen is no act: a test that takes minutes sees it change.
  return texts.join("\n").replaceAll(/<td data-head="Last seen"><time[^>]*>[^<]*<\/time>/g, "");
}

describe("every act", () => {
  it("[C7.48] is walked: the routes are those of the pages", () => {
    expect(POSTS.length).toBeGreaterThan(25);
    expect(POSTS).toEqual(
      expect.arrayContaining(["/sign-in", "/stores/:id/delete", "/tokens", "/api/stores/:id/keys", "/passkeys", "/account/email"]),
    );
    for (const value of Object.values(mine.ids)) expect(value).toMatch(/^[\w-]{8,}$/);
  });

  const FORGED: readonly (readonly [string, Record<string, string>, string | null])[] = [
    ["no token", {}, ""],
    ["a wrong token", {}, "0".repeat(64)],
    ["the token of somebody else", {}, "theirs"],
    ["the origin of another site", { origin: "https://evil.example" }, null],
    ["the origin of another service on this machine", { origin: "http://localhost:1" }, null],
    ["no origin, from another site", { origin: "null", "sec-fetch-site": "cross-site" }, null],
    ["no origin, from a sister site", { origin: "null", "sec-fetch-site": "same-site" }, null],
    ["no word of where it is from", { origin: "null", "sec-fetch-site": "" }, null],
  ];

  it.each(FORGED)("[C7.48] with %s is 403, whoever is signed in, and does nothing", async (_, headers, token) => {
    const before = await told(mine);
    await theirs.owner.browser.get("/dashboard/stores");
    for (const by of [mine.owner.browser, new BrowserLike()]) {
      for (const path of POSTS) {
        await by.get(by === mine.owner.browser ? "/dashboard/stores" : "/dashboard/sign-in");
        const sent = token === "theirs" ? theirs.owner.browser.formToken : (token ?? by.formToken);
        const form = await by.post(filled(path, mine.ids), { ...FIELDS, form_token: sent }, headers);
        expect([path, form.status]).toEqual([path, 403]);
        const script = await by.send("POST", filled(path, mine.ids), {
          headers: { "x-form-token": sent, "content-type": "application/json", ...headers },
          body: "{}",
        });
        expect([path, script.status]).toEqual([path, 403]);
      }
    }
    expect(await told(mine)).toBe(before);
  });

  it("[C7.48] that is for the signed in sends everybody else to sign in, or is 401", async () => {
    const open = [
      "/sign-up",
      "/sign-in",
      "/sign-out",
      "/forgotten",
      "/reset",
      "/recover",
      "/confirm",
      "/sign-in/passkey",
      "/sign-in/passkey/options",
    ];
    const by = new BrowserLike();
    for (const { method, path } of ROUTES.filter(({ path }) => !open.includes(path) && !PUBLIC.includes(path) && path !== "/outbox")) {
      await by.get("/dashboard/sign-in");
      const answer = method === "GET" ? await by.get(filled(path, mine.ids)) : await by.post(filled(path, mine.ids), FIELDS);
      if (path.startsWith("/api/")) expect([path, answer.status]).toEqual([path, 401]);
      else expect([path, answer.status, answer.location.split("?")[0]]).toEqual([path, 303, "/dashboard/sign-in"]);
    }
  });

  it("[C7.49] on any id of another account is 404, also under one's own store, and changes nothing there", async () => {
    const before = await told(theirs);
    const routes = ROUTES.filter(({ path }) => path.includes("/:") && !PUBLIC.includes(path) && path !== "/picture/:name");
    expect(routes.length).toBeGreaterThan(25);
    const { browser } = mine.owner;
    for (const { method, path } of routes) {
      const ofStore = /\/:(key|hash|snapshot)/.test(path);
      for (const store of ofStore ? [theirs.ids.store, mine.ids.store] : [theirs.ids.store]) {
        await browser.get("/dashboard/stores");
        const to = filled(path, theirs.ids, store);
        const answer = path.startsWith("/api/")
          ? await browser.ask(
              method as "GET" | "POST",
              to.slice(`${ROOT}/api`.length),
              method === "GET"
                ? undefined
                : { level: "none", label: "a", made: "browser", hash: "0".repeat(64), wrap: btoa("x".repeat(61)) },
            )
          : method === "GET"
            ? await browser.get(to)
            : await browser.post(to, FIELDS);
        expect([method, path, store === mine.ids.store, answer.status]).toEqual([method, path, store === mine.ids.store, 404]);
      }
    }
    expect(await told(theirs)).toBe(before);
  });
});

describe("every page", () => {
  /** Where it is not 200. */
  const STATUS: Readonly<Record<string, number>> = {
    "/": 303,
    "/account/password": 303,
    "/account/email": 303,
    "/account/codes": 303,
    "/closed": 303,
    "/nothing-here": 404,
  };

  const CSP =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'";

  it.each([true, false])(
    "[C7.50] [C7.52] [C7.58] has its headers and no script or style within, in no frame and no cache, under 30 KB (signed in: %s)",
    async (signedIn) => {
      const by = signedIn ? mine.owner.browser : new BrowserLike();
      for (const path of [...PAGES, "/nothing-here"]) {
        const page = await by.get(filled(path, mine.ids));
        expect([path, page.headers.get("content-security-policy")]).toEqual([path, CSP]);
        expect([path, page.headers.get("x-frame-options")]).toEqual([path, "DENY"]);
        expect([path, page.headers.get("cache-control")]).toEqual([path, "no-store"]);
        expect([path, page.headers.get("x-content-type-options")]).toEqual([path, "nosniff"]);
        expect([path, page.headers.get("access-control-allow-origin")]).toEqual([path, null]);
        if (signedIn) expect([path, page.status]).toEqual([path, STATUS[path] ?? 200]);
        if (page.headers.get("content-type")?.startsWith("text/html") !== true || page.text === "") continue;
        expect(page.text, path).toMatch(/^<!DOCTYPE html><html lang="en">/);
        expect(page.text, path).not.toMatch(
          /<script(?![^>]*\ssrc="\/dashboard\/page\/[a-z-]+\.js")|<style|\sstyle=|\son[a-z]+=|javascript:/i,
        );
        expect(page.text, path).not.toMatch(/<(?:script|link|img|iframe|form)[^>]*(?:src|href|action)="(?!\/dashboard|data:)/i);
        expect(page.text, path).toMatch(/<title>[^<]+ · DKE<\/title>/);
        expect(page.text.match(/<h1/g)?.length, path).toBe(1);
        expect(page.text.length, path).toBeLessThan(30_000);
        for (const [, id] of page.text.matchAll(/<label for="([^"]+)"/g)) expect(page.text, `${path} ${id}`).toContain(`id="${id}"`);
      }
    },
  );

  it("[dashboard] is found with a slash too many", async () => {
    for (const path of ["", "/tokens", "/stores"]) {
      const page = await mine.owner.browser.get(`${ROOT}${path}/`);
      expect([page.status, page.location]).toEqual([301, ROOT + path]);
      expect(page.headers.get("cache-control")).toBe("no-store");
    }
  });

  it("[C7.50] [C7.58] an act that is refused has the headers too", async () => {
    const { headers, status } = await mine.owner.browser.post("/dashboard/tokens", { form_token: "wrong" });
    expect([status, headers.get("content-security-policy"), headers.get("cache-control")]).toEqual([403, CSP, "no-store"]);
  });

  it("[C4] the API sets no cookie and reads none", async () => {
    const { browser } = mine.owner;
    for (const path of ["/", "/request", "/health", "/request/reference"]) {
      const response = await browser.send(path === "/health" || path === "/request/reference" ? "GET" : "POST", path, {
        body: path.length > 8 || path === "/health" ? undefined : "{}",
      });
      await response.text();
      expect(response.headers.getSetCookie(), path).toEqual([]);
      if (path === "/" || path === "/request") expect(response.status, path).toBe(401);
    }
  });
});
