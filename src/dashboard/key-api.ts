/**
 * The small JSON interface by which keys made anywhere reach their stores: the page, `dkekey` and `dke.keys` use it
 * (docs/decisions/issuing-keys-anywhere.md).
 *
 * It never sees a key: hashes and wraps come in, wraps go out to whoever may already sign in. Who asks is a session with its form
 * token, an address with its password, or an account token; a store key is refused by name.
 */
import { type Context, Hono } from "hono";
import { createMiddleware } from "hono/factory";
import { accountByEmail, writeAudit } from "../directory/accounts";
import { openDirectory } from "../directory/directory";
import { checkPassword } from "../directory/password";
import { PROVEN_MS } from "../directory/sessions";
import { type StoreRow, storeOf, storesOf } from "../directory/stores";
import { attempt, forgive } from "../directory/throttle";
import { readToken, type TokenRow } from "../directory/tokens";
import { LEVELS, type Level } from "../engine/claim";
import { door } from "./door";
import { changeLevel, type KeyActor, levelOf, revokeKey } from "./key-acts";
import { apiUrl, type Site } from "./site";
import { cleanName } from "./store-list";
import { addressOf, BY_ACCOUNT, BY_ADDRESS } from "./throttled";

/** Who asks, and what of an account they may do. */
interface Asker {
  readonly accountId: string;
  /** What the audit log names: a session, a token, `password`. */
  readonly by: string;
  readonly token: TokenRow | null;
  /** A password or passkey was shown just now. */
  readonly proven: boolean;
}

type Api = { Bindings: Site["Bindings"]; Variables: Site["Variables"] & { asker: Asker } };
type Call = Context<Api>;

const MADE_BY = ["browser", "dkekey", "dke.keys"] as const;
const ISSUED_AN_HOUR = { max: 60, seconds: 3600 };
const BODY_CHARS_MAX = 4096;

type ErrorCode = "malformed" | "unknown" | "not_allowed" | "prove" | "not_found" | "known_hash" | "too_many_keys" | "too_many_attempts";
const STATUS = {
  malformed: 400,
  unknown: 401,
  not_allowed: 403,
  prove: 403,
  not_found: 404,
  known_hash: 409,
  too_many_keys: 409,
  too_many_attempts: 429,
} as const satisfies Record<ErrorCode, number>;

function refuse(c: Call, code: ErrorCode, message: string, headers: Record<string, string> = {}) {
  return c.json({ error: { code, message } }, STATUS[code], headers);
}

const asking = createMiddleware<Api>(async (c, next) => {
  const authorization = c.req.header("authorization");
  if (authorization !== undefined) return asOther(c, authorization, next);
  return door(c as never, async () => {
    const who = c.get("who");
    if (who === null) {
      c.res = refuse(c, "unknown", "Sign in, or send an account token or an address and password in the Authorization header.");
      return;
    }
    const { accountId, sessionId, provenMs } = who;
    c.set("asker", { accountId, by: sessionId, token: null, proven: c.get("nowMs") - provenMs <= PROVEN_MS });
    await next();
  });
});

/** No cookie: no other site's page can have sent it. */
async function asOther(c: Call, authorization: string, next: () => Promise<void>) {
  c.set("db", openDirectory(c.env.DIRECTORY));
  c.set("nowMs", Date.now());
  const [db, nowMs] = [c.get("db"), c.get("nowMs")];
  const [scheme, credential = ""] = authorization.split(" ", 2);
  if (/^dke_[sc]_/.test(credential))
    return refuse(c, "unknown", "This is a store key: it opens its store, and nothing here. Send an account token.");
  const waitS = await attempt(db, `api ${addressOf(c as never)}`, { ...BY_ADDRESS, max: 10 * BY_ADDRESS.max }, nowMs);
  if (waitS > 0) return tooMany(c, waitS);
  const asker =
    scheme.toLowerCase() === "bearer"
      ? await byToken(c, credential)
      : scheme.toLowerCase() === "basic"
        ? await byPassword(c, credential)
        : null;
  if (asker instanceof Response) return asker;
  if (asker === null) return refuse(c, "unknown", "This token, or this address and password, is not known.");
  c.set("asker", asker);
  await next();
  c.res.headers.set("cache-control", "no-store");
}

async function byToken(c: Call, text: string): Promise<Asker | null> {
  const token = await readToken(c.get("db"), text, c.get("nowMs"));
  return token === null ? null : { accountId: token.accountId, by: token.id, token, proven: true };
}

async function byPassword(c: Call, credential: string): Promise<Asker | Response | null> {
  let pair: string;
  try {
    pair = new TextDecoder().decode(Uint8Array.from(atob(credential), (char) => char.charCodeAt(0)));
  } catch {
    return null;
  }
  const colon = pair.indexOf(":");
  const email = pair.slice(0, Math.max(0, colon)).toLowerCase();
  const waitS = await attempt(c.get("db"), `account ${email}`, BY_ACCOUNT, c.get("nowMs"));
  if (waitS > 0) return tooMany(c, waitS);
  const account = await accountByEmail(c.get("db"), email);
  const isTheirs = await checkPassword(pair.slice(colon + 1), account?.password ?? null);
  if (account === null || !isTheirs) return null;
  await forgive(c.get("db"), `account ${email}`);
  return { accountId: account.id, by: "password", token: null, proven: true };
}

function tooMany(c: Call, waitS: number) {
  return refuse(c, "too_many_attempts", `Too many attempts: try again in ${waitS} seconds.`, { "retry-after": String(waitS) });
}

export const keyApi = new Hono<Api>();
keyApi.use(asking);

keyApi.get("/stores", async (c) => {
  const stores = await storesOf(c.get("db"), c.get("asker").accountId);
  return c.json({ stores: stores.map(({ id, name }) => ({ id, name })) });
});

keyApi.get("/stores/:id/wraps/:hash", async (c) => {
  const store = await ownStore(c);
  if (store instanceof Response) return store;
  const wrap = await objectOf(c, store).readWrap(c.req.param("hash"));
  if (wrap === null) return refuse(c, "not_found", "No key of this hash opens this store.");
  return c.json({ wrap: btoa(String.fromCharCode(...wrap)) });
});

keyApi.post("/stores/:id/keys", async (c) => {
  const store = await ownStore(c);
  if (store instanceof Response) return store;
  const { by, token, proven, accountId } = c.get("asker");
  if (!proven) return refuse(c, "prove", "Show your password once more before a key is issued.");
  const wish = await keyWish(c);
  if (typeof wish === "string") return refuse(c, "malformed", wish);
  if (token !== null && LEVELS.indexOf(wish.level) > LEVELS.indexOf(token.level)) {
    return refuse(c, "not_allowed", `This account token issues keys up to ${token.level}, not ${wish.level}.`);
  }
  const waitS = await attempt(c.get("db"), `issue ${store.id}`, ISSUED_AN_HOUR, c.get("nowMs"));
  if (waitS > 0) return tooMany(c, waitS);
  const keyId = `key_${wish.hash.slice(0, 16)}`;
  const issued = await objectOf(c, store).issueKey({
    keyId,
    hash: wish.hash,
    wrap: wish.wrap,
    level: wish.level,
    label: wish.label,
    made: wish.made,
  });
  if (issued.tag === "refused") {
    switch (issued.why) {
      case "malformed":
        return refuse(c, "malformed", "The hash has 64 hex digits and the wrap 61 bytes.");
      case "too_many":
        return refuse(c, "too_many_keys", "This store has as many keys as it may; revoked ones count.");
      default:
        return refuse(c, "known_hash", "A key of this hash was issued before.");
    }
  }
  await writeAudit(
    c.get("db"),
    { accountId, act: "key.issued", subject: keyId, detail: `${store.id} ${wish.level} ${wish.made}`, by },
    c.get("nowMs"),
  );
  return c.json({ key_id: keyId, level: wish.level, label: wish.label, endpoint: apiUrl(c as never) }, 201);
});

keyApi.get("/stores/:id/keys", async (c) => {
  const store = await ownStore(c, "person");
  if (store instanceof Response) return store;
  const keys = await objectOf(c, store).listKeys();
  return c.json({
    keys: keys.map((key) => ({
      key_id: key.keyId,
      level: key.level,
      label: key.label,
      made: key.made,
      issued_at: iso(key.issuedAtMs),
      last_used_at: iso(key.lastUsedAtMs),
      revoked_at: iso(key.revokedAtMs),
      clients: key.clients.map(({ name, version, firstSeenAtMs, lastSeenAtMs }) => ({
        name,
        version,
        first_seen_at: iso(firstSeenAtMs),
        last_seen_at: iso(lastSeenAtMs),
      })),
    })),
  });
});

keyApi.post("/stores/:id/keys/:key/level", async (c) => {
  const store = await ownStore(c, "person");
  if (store instanceof Response) return store;
  const level = levelOf((await body(c))["level"]);
  if (level === null) return refuse(c, "malformed", `\`level\` is one of ${LEVELS.join(", ")}.`);
  const keyId = c.req.param("key");
  switch (await changeLevel(actorOf(c, store), keyId, level)) {
    case "unknown":
      return refuse(c, "not_found", "This store has no such key.");
    case "prove":
      return refuse(c, "prove", "Show your password once more before a level is raised.");
    case "changed":
      return c.json({ key_id: keyId, level });
  }
});

keyApi.post("/stores/:id/keys/:key/revoke", async (c) => {
  const store = await ownStore(c, "person");
  if (store instanceof Response) return store;
  const keyId = c.req.param("key");
  if (!(await revokeKey(actorOf(c, store), keyId))) return refuse(c, "not_found", "This store has no such key.");
  const { keysOpen } = await objectOf(c, store).overview();
  return c.json({ key_id: keyId, revoked: true, last: keysOpen === 0 });
});

// Not `notFound`: what is mounted elsewhere would be asked for the path next.
keyApi.all("*", (c) => refuse(c, "not_found", "There is nothing here of this name."));

/** The store named, of the account that asks; a token may only add keys. */
async function ownStore(c: Call, who: "any" | "person" = "any"): Promise<StoreRow | Response> {
  const { accountId, token } = c.get("asker");
  const store = await storeOf(c.get("db"), accountId, c.req.param("id") ?? "");
  if (store === null || store.deletedMs !== null) return refuse(c, "not_found", "This account has no such store.");
  if (who === "person" && token !== null)
    return refuse(c, "not_allowed", "An account token only adds keys: sign in to see or change them.");
  return store;
}

function actorOf(c: Call, store: StoreRow): KeyActor {
  const { by, proven } = c.get("asker");
  return { db: c.get("db"), nowMs: c.get("nowMs"), object: objectOf(c, store), store, by, proven };
}

function objectOf(c: Call, { id }: StoreRow) {
  return c.env.STORE.get(c.env.STORE.idFromString(id));
}

async function body(c: Call): Promise<{ readonly [name: string]: unknown }> {
  const text = await c.req.text();
  if (text.length > BODY_CHARS_MAX) return {};
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as { readonly [name: string]: unknown }) : {};
  } catch {
    return {};
  }
}

interface KeyWish {
  readonly hash: string;
  readonly wrap: Uint8Array;
  readonly level: Level;
  readonly label: string;
  readonly made: (typeof MADE_BY)[number];
}

/** What is asked, or what is wrong with it. */
async function keyWish(c: Call): Promise<KeyWish | string> {
  const { hash, wrap, level, label, made, ...others } = await body(c);
  // What should never leave the machine that made it is not even looked at.
  if (Object.keys(others).length > 0)
    return "A new key is told of by hash, wrap, level, label and made, and nothing else: never send the key.";
  if (typeof hash !== "string" || !/^[0-9a-f]{64}$/.test(hash)) return "`hash` is the lower-case hex SHA-256 of the key.";
  const asked = levelOf(level);
  if (asked === null) return `\`level\` is one of ${LEVELS.join(", ")}.`;
  const how = MADE_BY.find((one) => one === made);
  if (how === undefined) return `\`made\` is one of ${MADE_BY.join(", ")}.`;
  if (typeof label !== "string" || typeof wrap !== "string") return "`label` and `wrap` are texts.";
  try {
    return { hash, wrap: Uint8Array.from(atob(wrap), (char) => char.charCodeAt(0)), level: asked, label: cleanName(label), made: how };
  } catch {
    return "`wrap` is base64.";
  }
}

function iso(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}
