/**
 * The HTTP face: which paths there are, and the order in which a request is refused before anything is asked of a store.
 *
 * path, origin, method, bearer form and checksum, an id of our namespace, body. Each costs less than the next; up to the
 * body none costs any I/O. From there on the answer is JSON-RPC with HTTP 200 (mcp/server.ts).
 */
import { type Context, Hono } from "hono";
import { ROOT as DASHBOARD, dashboard } from "../dashboard/dashboard";
import { READ_EXPORT } from "../durable/call";
import { logLine } from "../durable/log";
import { NEWCOMERS } from "../durable/newcomers";
import { playgroundPages } from "../pages/playground";
import { programPages } from "../pages/program-pages";
import { publishedPages } from "../pages/published";
import { PACKS } from "../request/packs";
import { referencePage } from "../request/reference-page";
import { type Credential, credentialOf, readAuthorization } from "./auth";
import { discardBody, readBody } from "./body";
import { COUNTERS } from "./counters";
import type { Env } from "./env";
import { logFault } from "./fault";
import { FloodBrake, KeysSeen } from "./flood";
import { readExactly } from "./mcp/exact-message";
import { errorText, NOT_UTF8, parseMessage, SERVER_ERROR } from "./mcp/message";
import { RELEASE } from "./mcp/release";
import { answerPost, type Endpoint } from "./mcp/server";
import { answerOperator, type OperatorEnv } from "./operator";
import { corsHeaders, originAllowed, preflightHeaders } from "./origin";
import { takePayment } from "./payments";
import { publishedDocuments } from "./published-documents";
import type { SpecDocument } from "./spec-document";
import { type WireErrorCode, wireError } from "./wire-error";

type App = Hono<{ Bindings: Env }>;
type Call = Context<{ Bindings: Env }>;

const NO_SIGN_IN =
  "This service has no OAuth sign-in. The store key in the Authorization header was refused: check it in your dashboard, or issue a new one.";
/** Where clients look for an OAuth server once a key was refused. They show `error_description`, and must find nothing. */
const SIGN_IN_PATHS = ["/.well-known/*", "/register", "/authorize", "/token"];
/** Cancellations a second of one key that reach its store: a client that gives up many calls at once sends one for each. */
const NOTIFICATIONS_PER_S = 50;
const ENDPOINTS: readonly (readonly [path: string, Endpoint])[] = [
  ["/", "tools"],
  ["/request", "request"],
];
/** Files that `save_to` wrote, for whoever has a key of the store. */
const EXPORTS_PATH = "/request/exports/";

export function createApp(spec: SpecDocument): App {
  const app: App = new Hono();
  let door: Door | undefined;
  let reference: string | undefined;

  app.use(async (c, next) => {
    const origin = c.req.header("origin");
    if (!originAllowed(origin, c.env.OWN_ORIGINS)) c.res = wireError("ORIGIN_FORBIDDEN");
    else if (origin !== undefined && c.req.method === "OPTIONS" && ENDPOINTS.some(([path]) => path === c.req.path))
      c.res = new Response(null, { status: 204, headers: preflightHeaders(origin) });
    else {
      await next();
      // Pages are for a person's own browser, not for other sites' scripts.
      if (origin !== undefined && !c.req.path.startsWith(DASHBOARD))
        for (const [name, value] of Object.entries(corsHeaders(origin))) c.res.headers.set(name, value);
    }
    COUNTERS.add(`http.${c.res.status}`);
    const counts = COUNTERS.due(Date.now());
    if (counts !== null && c.env.CALL_LOG !== "off") logLine("counters", counts);
    await discardBody(c.req.raw);
  });

  for (const [path, endpoint] of ENDPOINTS) {
    app.all(path, async (c) => {
      if (c.req.method !== "POST") return wireError("METHOD_NOT_ALLOWED", { headers: { allow: "POST" } });
      door ??= new Door(Number(c.env.FLOOD_PER_S));
      return answerEndpoint(c, endpoint, spec, door);
    });
  }
  app.get("/request/reference", (c) => {
    reference ??= referencePage(PACKS);
    return c.body(reference, 200, { "content-type": "text/markdown; charset=utf-8" });
  });
  app.get(`${EXPORTS_PATH}*`, async (c) => {
    door ??= new Door(Number(c.env.FLOOD_PER_S));
    return serveExport(c, door);
  });
  app.post("/payments/stripe", async (c) => (await takePayment(c.req.raw, accounts(c), Date.now())) ?? wireError("NOT_FOUND"));
  app.post("/operator/:command", async (c) => {
    return (await answerOperator(c.req.param("command"), c.req.raw, accounts(c), Date.now())) ?? wireError("NOT_FOUND");
  });
  app.get("/health", (c) => c.json({ status: "ok", ...RELEASE }));
  for (const path of SIGN_IN_PATHS) {
    app.all(path, () => wireError("NOT_FOUND", { message: NO_SIGN_IN, body: { error: "invalid_request", error_description: NO_SIGN_IN } }));
  }
  app.route(DASHBOARD, dashboard() as unknown as App);
  // Read off tables that a request to the endpoints does not need: made when a page is first asked for.
  let published: App | undefined;
  app.use(async (c, next) => {
    published ??= publicPages(spec);
    const response = await published.fetch(c.req.raw, c.env);
    if (response.status === 404 && !response.headers.has("cache-control")) return next();
    return response;
  });
  app.notFound(() => wireError("NOT_FOUND"));
  app.onError((error, c) => {
    logFault("http", error);
    return c.json(JSON.parse(errorText(null, SERVER_ERROR, "engine error")));
  });
  return app;
}

/** The environment as those see it who book and keep accounts: the endpoints never do. */
function accounts(c: Call): OperatorEnv {
  return c.env as unknown as OperatorEnv;
}

function publicPages(spec: SpecDocument): App {
  const documents = publishedDocuments(spec);
  const pages: App = new Hono();
  pages.route("/", publishedPages(documents) as unknown as App);
  pages.route("/", programPages(documents) as unknown as App);
  pages.route("/", playgroundPages(documents, RELEASE.revision) as unknown as App);
  return pages;
}

/** What this isolate remembers of who came to its door: see flood.ts. */
class Door {
  readonly #brake: FloodBrake;
  readonly #seen = new KeysSeen();
  readonly #notifications: FloodBrake;
  constructor(floodPerS: number) {
    this.#brake = new FloodBrake(floodPerS);
    this.#notifications = new FloodBrake(NOTIFICATIONS_PER_S);
  }

  /** The answer to a request without a valid key. */
  refuse(c: Call, code: WireErrorCode): Response {
    const retryAfterS = this.#brake.count(addressOf(c), Date.now());
    return retryAfterS === 0 ? wireError(code) : tooMany(retryAfterS);
  }

  /** Where an address is past its bounds, only a key known from before goes any further. */
  holdBack(c: Call, keyHash: string): Response | null {
    if (this.#seen.has(keyHash)) return null;
    const retryAfterS = this.#brake.waitS(addressOf(c), Date.now());
    return retryAfterS === 0 ? null : tooMany(retryAfterS);
  }

  opened(keyHash: string): void {
    this.#seen.add(keyHash);
  }

  denied(keyHash: string): void {
    this.#seen.delete(keyHash);
  }

  mayNotify(keyHash: string): boolean {
    return this.#notifications.count(keyHash, Date.now()) === 0;
  }
}

function addressOf(c: Call): string {
  return c.req.header("cf-connecting-ip") ?? "";
}

function tooMany(retryAfterS: number): Response {
  return wireError("RATE_LIMITED", { headers: { "retry-after": String(retryAfterS) } });
}

/** A key of good form, and the object it names. */
interface Knock {
  readonly objectId: DurableObjectId;
  readonly storeId: string;
  readonly credential: Credential;
}

function knock(c: Call, door: Door): Knock | Response {
  const authorization = readAuthorization(c.req.header("authorization"));
  if (!authorization.ok) return door.refuse(c, authorization.code);
  const { key } = authorization;
  let objectId: DurableObjectId;
  try {
    objectId = c.env.STORE.idFromString(key.objectId);
  } catch {
    return door.refuse(c, "AUTH_MALFORMED"); // an id that this namespace did not make
  }
  const credential = credentialOf(key);
  return door.holdBack(c, credential.keyHash) ?? { objectId, storeId: key.objectId, credential };
}

async function answerEndpoint(c: Call, endpoint: Endpoint, spec: SpecDocument, door: Door): Promise<Response> {
  const caller = knock(c, door);
  if (caller instanceof Response) return caller;
  const callToken = crypto.randomUUID();
  NEWCOMERS.add(callToken, caller.storeId, Date.now());
  try {
    return await answerCall(c, caller, callToken, endpoint, spec, door);
  } finally {
    NEWCOMERS.delete(callToken);
  }
}

async function answerCall(
  c: Call,
  caller: Knock,
  callToken: string,
  endpoint: Endpoint,
  spec: SpecDocument,
  door: Door,
): Promise<Response> {
  const { objectId, credential } = caller;
  const body = await readBody(c.req.raw);
  if (body.tag === "refused") return wireError(body.code);
  const response = await answerPost(
    {
      endpoint,
      request: c.req.raw,
      env: c.env,
      credential,
      storeId: caller.storeId,
      callToken,
      store: () => c.env.STORE.get(objectId),
      spec,
      refuseKey: () => {
        door.denied(credential.keyHash);
        return door.refuse(c, "AUTH_MALFORMED"); // the same answer as for a forged key
      },
      mayNotify: () => door.mayNotify(credential.keyHash),
      waitUntil: (work) => c.executionCtx.waitUntil(work),
      nowMs: () => Date.now(),
    },
    body.tag === "text" ? parseMessage(body.text, endpoint === "request" ? readExactly : undefined) : NOT_UTF8,
  );
  if (response.status === 200) door.opened(credential.keyHash); // JSON-RPC: the store knows the key
  return response;
}

/** A file of the store's, to whoever has a key that may read it. */
async function serveExport(c: Call, door: Door): Promise<Response> {
  const caller = knock(c, door);
  if (caller instanceof Response) return caller;
  const { objectId, credential } = caller;
  const path = decoded(new URL(c.req.url).pathname.slice(EXPORTS_PATH.length));
  const reply = await c.env.STORE.get(objectId).call({
    ...credential,
    tool: READ_EXPORT,
    args: { path },
    requestId: null,
    cancelToken: crypto.randomUUID(),
  });
  if (reply.tag === "denied") {
    door.denied(credential.keyHash);
    return door.refuse(c, "AUTH_MALFORMED");
  }
  if (reply.tag === "rate_limited") return tooMany(reply.retryAfterS);
  if (reply.tag !== "file" || reply.bytes === null) return wireError("NOT_FOUND", { message: "This store has no file of that name." });
  return new Response(reply.bytes, { headers: { "content-type": "application/x-ndjson", "cache-control": "no-store" } });
}

/** Empty, which is no path, where the escapes are wrong. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return "";
  }
}
