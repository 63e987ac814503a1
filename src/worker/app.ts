/**
 * The HTTP face: which paths there are, and the order in which a request is refused before anything is asked of a store.
 *
 * path, origin, method, bearer form and checksum, an id of our namespace, body. Each costs less than the next; up to the
 * body none costs any I/O. From there on the answer is JSON-RPC with HTTP 200 (mcp/server.ts).
 */
import { type Context, Hono } from "hono";
import { credentialOf, readAuthorization } from "./auth";
import { discardBody, readBody } from "./body";
import type { Env } from "./env";
import { logFault } from "./fault";
import { FloodBrake } from "./flood";
import { errorText, NOT_UTF8, parseMessage, SERVER_ERROR } from "./mcp/message";
import { RELEASE } from "./mcp/release";
import { answerPost } from "./mcp/server";
import { corsHeaders, originAllowed, preflightHeaders } from "./origin";
import type { SpecDocument } from "./spec-document";
import { type WireErrorCode, wireError } from "./wire-error";

type App = Hono<{ Bindings: Env }>;
type Call = Context<{ Bindings: Env }>;

const NO_SIGN_IN =
  "This service has no OAuth sign-in. The store key in the Authorization header was refused: check it in your dashboard, or issue a new one.";
/** Where clients look for an OAuth server once a key was refused. They show `error_description`, and must find nothing. */
const SIGN_IN_PATHS = ["/.well-known/*", "/register", "/authorize", "/token"];
const LATER_PATHS = { "/request": "The request endpoint", "/dashboard": "The dashboard" };

export function createApp(spec: SpecDocument): App {
  const app: App = new Hono();
  let brake: FloodBrake | undefined;
  const refuseKey = (c: Call, code: WireErrorCode): Response => {
    brake ??= new FloodBrake(Number(c.env.FLOOD_PER_S));
    const retryAfterS = brake.count(c.req.header("cf-connecting-ip") ?? "", Date.now());
    return retryAfterS === 0 ? wireError(code) : wireError("RATE_LIMITED", { headers: { "retry-after": String(retryAfterS) } });
  };

  app.use(async (c, next) => {
    const origin = c.req.header("origin");
    if (!originAllowed(origin, c.env.OWN_ORIGINS)) c.res = wireError("ORIGIN_FORBIDDEN");
    else if (origin !== undefined && c.req.method === "OPTIONS" && c.req.path === "/")
      c.res = new Response(null, { status: 204, headers: preflightHeaders(origin) });
    else {
      await next();
      if (origin !== undefined) for (const [name, value] of Object.entries(corsHeaders(origin))) c.res.headers.set(name, value);
    }
    await discardBody(c.req.raw);
  });

  app.all("/", async (c) => {
    if (c.req.method !== "POST") return wireError("METHOD_NOT_ALLOWED", { headers: { allow: "POST" } });
    return answerEndpoint(c, spec, (code) => refuseKey(c, code));
  });
  app.get("/health", (c) => c.json({ status: "ok", ...RELEASE }));
  for (const path of SIGN_IN_PATHS) {
    app.all(path, () => wireError("NOT_FOUND", { message: NO_SIGN_IN, body: { error: "invalid_request", error_description: NO_SIGN_IN } }));
  }
  for (const [path, what] of Object.entries(LATER_PATHS)) {
    app.all(path, () => wireError("NOT_FOUND", { message: `${what} is not in this release; the MCP endpoint is the root of this host.` }));
  }
  app.notFound(() => wireError("NOT_FOUND"));
  app.onError((error, c) => {
    logFault("http", error);
    return c.json(JSON.parse(errorText(null, SERVER_ERROR, "engine error")));
  });
  return app;
}

async function answerEndpoint(c: Call, spec: SpecDocument, refuseKey: (code: WireErrorCode) => Response): Promise<Response> {
  const authorization = readAuthorization(c.req.header("authorization"));
  if (!authorization.ok) return refuseKey(authorization.code);
  const { key } = authorization;
  let objectId: DurableObjectId;
  try {
    objectId = c.env.STORE.idFromString(key.objectId);
  } catch {
    return refuseKey("AUTH_MALFORMED"); // an id that this namespace did not make
  }
  const body = await readBody(c.req.raw);
  if (body.tag === "refused") return wireError(body.code);
  return answerPost(
    {
      request: c.req.raw,
      env: c.env,
      credential: credentialOf(key),
      store: () => c.env.STORE.get(objectId),
      spec,
      refuseKey: () => refuseKey("AUTH_MALFORMED"), // the same answer as for a forged key
      waitUntil: (work) => c.executionCtx.waitUntil(work),
      nowMs: () => Date.now(),
    },
    body.tag === "text" ? parseMessage(body.text) : NOT_UTF8,
  );
}
