/**
 * One JSON-RPC message in, one HTTP answer out: the MCP methods over a store.
 *
 * No session: every message stands alone. Whoever asks for anything is first known to the store: a `tools/call` that
 * passes its schema goes there in the one call that does the work, everything else asks only to be admitted. So a key
 * that opens nothing gets the same 401 for every method, and a valid one gets HTTP 200 with JSON-RPC inside.
 */
import type { Identity, StoreReply } from "../../durable/call";
import type { Credential } from "../auth";
import type { Env, StoreStub } from "../env";
import { logFault } from "../fault";
import { keepReport, reportFault } from "../report";
import { type SpecDocument, specText } from "../spec-document";
import { wireError } from "../wire-error";
import { declarationFault } from "./declared-language";
import { toolResult } from "./envelope";
import { answerOrKeepAlive } from "./long-call";
import {
  errorText,
  INVALID_PARAMS,
  type Incoming,
  isObject,
  isRequestId,
  METHOD_NOT_FOUND,
  PAYMENT_REQUIRED,
  RATE_LIMITED,
  type RequestId,
  resultText,
  SERVER_ERROR,
} from "./message";
import { INSTRUCTIONS, PROTOCOL_VERSION, RELEASE, SERVER_INFO } from "./release";
import { type Arguments, checkArguments } from "./tool";
import type { SpecTopic } from "./tool-introspection";
import { CATALOGUE, toolNamed } from "./tools";

/** One POST with a key of good form. */
export interface Exchange {
  readonly request: Request;
  readonly env: Env;
  readonly credential: Credential;
  /** A new stub each time: one that saw an exception is of no further use. */
  readonly store: () => StoreStub;
  readonly spec: SpecDocument;
  /** The answer to a key that its store does not know. */
  readonly refuseKey: () => Response;
  readonly waitUntil: (work: Promise<unknown>) => void;
  readonly nowMs: () => number;
}

/** Names no call: cancelling it changes nothing and is answered at once. */
const NO_CALL = "";

export async function answerPost(exchange: Exchange, message: Incoming): Promise<Response> {
  switch (message.tag) {
    case "response":
      return acknowledged();
    case "notification":
      if (message.method === "notifications/cancelled") passOnCancellation(exchange, message.params.requestId);
      return acknowledged();
    case "bad":
      return admitted(exchange, message.id, async () => json(errorText(message.id, message.code, message.message)));
    case "request":
      return answerRequest(exchange, message.id, message.method, message.params);
  }
}

function acknowledged(): Response {
  return new Response(null, { status: 202 });
}

function json(text: string, headers: Record<string, string> = {}): Response {
  return new Response(text, { headers: { "content-type": "application/json", ...headers } });
}

function passOnCancellation(exchange: Exchange, requestId: unknown): void {
  if (!isRequestId(requestId)) return;
  const passed = exchange.store().cancelRequest(exchange.credential.keyHash, requestId);
  exchange.waitUntil(passed.catch((error: unknown) => logFault("cancelRequest", error)));
}

function answerRequest(exchange: Exchange, id: RequestId, method: string, params: Arguments): Promise<Response> {
  switch (method) {
    case "initialize":
      return admitted(exchange, id, async () => {
        rememberClient(exchange, params.clientInfo);
        const result = {
          protocolVersion: PROTOCOL_VERSION,
          capabilities: { tools: {} },
          serverInfo: SERVER_INFO,
          instructions: INSTRUCTIONS,
          _meta: RELEASE,
        };
        return json(resultText(id, result));
      });
    case "ping":
      return admitted(exchange, id, async () => json(resultText(id, {})));
    case "tools/list":
      return admitted(exchange, id, async () => json(resultText(id, CATALOGUE)));
    case "tools/call":
      return callTool(exchange, id, params);
    default:
      return admitted(exchange, id, async () =>
        json(errorText(id, METHOD_NOT_FOUND, "method not found: this server has initialize, ping, tools/list and tools/call")),
      );
  }
}

/** A label for the dashboard, self-declared: nothing waits for it and nothing depends on it (contract §3). */
function rememberClient(exchange: Exchange, clientInfo: unknown): void {
  if (!isObject(clientInfo)) return;
  const recorded = exchange.store().recordClient(exchange.credential.keyHash, { name: clientInfo.name, version: clientInfo.version });
  exchange.waitUntil(recorded.catch((error: unknown) => logFault("recordClient", error)));
}

function callTool(exchange: Exchange, id: RequestId, params: Arguments): Promise<Response> {
  const refuse = (code: number, message: string) => admitted(exchange, id, async () => json(errorText(id, code, message)));
  if (typeof params.name !== "string") return refuse(INVALID_PARAMS, "invalid params: `name` must be the name of a tool");
  const tool = toolNamed(params.name);
  if (tool === undefined) return refuse(METHOD_NOT_FOUND, "tool not found: tools/list has every tool that is served");
  const given = params.arguments ?? {};
  if (!isObject(given)) return refuse(INVALID_PARAMS, "invalid params: `arguments` must be an object");
  const checked = checkArguments(tool, given);
  if (!checked.ok) return refuse(INVALID_PARAMS, checked.message);
  const fault = tool.name === "report" ? reportFault(checked.args) : declarationFault(checked.args);
  if (fault !== null) return refuse(INVALID_PARAMS, fault);
  if (tool.name === "spec") return admitted(exchange, id, async (identity) => serveSpec(exchange.spec, id, identity, checked.args));
  if (tool.name === "report") return admitted(exchange, id, (identity) => takeReport(exchange, id, identity, checked.args));
  return callStore(exchange, id, tool.name, checked.args);
}

function serveSpec(spec: SpecDocument, id: RequestId, identity: Identity, args: Arguments): Response {
  const text = specText(spec, args.topic as SpecTopic | undefined);
  const answer = { status: "success", text, meta: { revision: RELEASE.revision }, mirror: null, ops: 0 } as const;
  return json(resultText(id, toolResult(identity, answer)));
}

async function takeReport(exchange: Exchange, id: RequestId, identity: Identity, args: Arguments): Promise<Response> {
  if (exchange.env.DIRECTORY === undefined) return json(errorText(id, SERVER_ERROR, "This server does not take reports."));
  const outcome = await keepReport(exchange.env.DIRECTORY, identity.tenantId, args, exchange.nowMs()).catch((error: unknown) => {
    // A failed query's own message tells its parameters, and a report's text is for no log.
    logFault("keepReport", error instanceof Error && error.cause !== undefined ? error.cause : error);
    return { tag: "not_received" as const };
  });
  if (outcome.tag === "not_received")
    return json(errorText(id, SERVER_ERROR, "Your report could not be received right now. Send it again later."));
  if (outcome.tag === "allowance_spent") {
    const { retryAfterS } = outcome;
    const message = `rate limited: your account has sent the most reports it may in a day; another can be sent in ${retryAfterS} s. Nothing was kept.`;
    return json(errorText(id, RATE_LIMITED, message), { "retry-after": String(retryAfterS) });
  }
  const text = `OK report: received as ${outcome.reportId}. LangSyn keeps it and reads it; no reply is sent.`;
  const answer = { status: "success", text, meta: { report_id: outcome.reportId }, mirror: null, ops: 0 } as const;
  return json(resultText(id, toolResult(identity, answer)));
}

/** The one call that does the work; its line is kept alive, and its caller's leaving stops it. */
function callStore(exchange: Exchange, id: RequestId, tool: string, args: Arguments): Promise<Response> {
  const cancelToken = crypto.randomUUID();
  const stub = exchange.store();
  const answer = stub.call({ ...exchange.credential, tool, args, requestId: id, cancelToken }).then(
    (reply) => replyResponse(exchange, id, reply),
    (error: unknown) => outcomeUnknown(exchange, id, error),
  );
  // The answer is awaited to its end even when nobody is left to read it, so that the object is not cut off.
  exchange.waitUntil(answer);
  const leave = () =>
    exchange.waitUntil(
      exchange
        .store()
        .cancel(cancelToken)
        .catch((error: unknown) => logFault("cancel", error)),
    );
  return answerOrKeepAlive({
    request: exchange.request,
    answer,
    // The object decides at its door, in order of arrival: once it has answered this, the call before it is past the door.
    admitted: () => stub.cancel(NO_CALL).catch(() => {}), // the call's own failure is answered by `answer`
    lateText: errorText(id, SERVER_ERROR, "engine error"),
    leave,
    waitUntil: exchange.waitUntil,
  });
}

/** Does `then` for a key that its store knows; anything else is answered as the store says. */
async function admitted(exchange: Exchange, id: RequestId | null, then: (identity: Identity) => Promise<Response>): Promise<Response> {
  let reply: StoreReply;
  try {
    reply = await admit(exchange);
  } catch (error) {
    logFault("admit", error);
    return wireError("UPSTREAM_UNAVAILABLE");
  }
  return reply.tag === "admitted" ? then(reply.identity) : replyResponse(exchange, id, reply);
}

/** `spec` needs no store: the object looks the key up, counts the call, and leaves the rest to us. */
function admit(exchange: Exchange): Promise<StoreReply> {
  return exchange.store().call({ ...exchange.credential, tool: "spec", args: {}, requestId: null, cancelToken: crypto.randomUUID() });
}

/**
 * The object was asked and its answer did not come: the work may or may not be saved. Never asked again, because that
 * could do it twice (contract §6: the message says exactly that).
 */
async function outcomeUnknown(exchange: Exchange, id: RequestId, error: unknown): Promise<Response> {
  logFault("call", error);
  if (isObject(error) && error.overloaded === true) return wireError("UPSTREAM_UNAVAILABLE"); // turned away, not delivered
  try {
    const reply = await admit(exchange);
    if (reply.tag === "admitted") {
      const text =
        "error: whether the work of this call was saved could not be confirmed. Read back what it wrote before sending it again.";
      return json(resultText(id, toolResult(reply.identity, { status: "engine_error", text, meta: {}, mirror: null, ops: 0 })));
    }
  } catch (second) {
    logFault("admit after a lost call", second);
  }
  return json(errorText(id, SERVER_ERROR, "engine error"));
}

/** Both clear by waiting; only the one by calling less often. */
const RATE_WORDS = {
  key_rate: "this key has called too often",
  calls_at_once: "the service is at capacity for this account, whose calls at work are as many as it may have at once",
};

function replyResponse(exchange: Exchange, id: RequestId | null, reply: StoreReply): Response {
  switch (reply.tag) {
    case "denied":
      return exchange.refuseKey();
    case "rate_limited":
      return json(errorText(id, RATE_LIMITED, `rate limited: ${RATE_WORDS[reply.why]}; try again in ${reply.retryAfterS} s`), {
        "retry-after": String(reply.retryAfterS),
      });
    case "payment_required":
      return json(errorText(id, PAYMENT_REQUIRED, reply.message));
    case "invalid_params":
      return json(errorText(id, INVALID_PARAMS, reply.message));
    case "answered":
      return id === null
        ? json(errorText(id, SERVER_ERROR, "engine error"))
        : json(resultText(id, toolResult(reply.identity, reply.answer)));
    case "admitted":
    case "failed":
      return json(errorText(id, SERVER_ERROR, "engine error"));
  }
}
