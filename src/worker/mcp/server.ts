/**
 * One JSON-RPC message in, one HTTP answer out: the MCP methods over a store.
 *
 * No session: every message stands alone. Whoever asks for anything is first known to the store: a `tools/call` that
 * passes its schema goes there in the one call that does the work, everything else asks only to be admitted. So a key
 * that opens nothing gets the same 401 for every method, and a valid one gets HTTP 200 with JSON-RPC inside.
 */
import { type Identity, type Noted, notedOf, type StoreReply } from "../../durable/call";
import { assert } from "../../failure";
import { readStatement, servedMeta } from "../../request/client-statement";
import { PACKS } from "../../request/packs";
import { planOps } from "../../request/plan";
import { REQUEST_TOOL, type RequestFault, readRequest } from "../../request/request-arguments";
import { jsonText } from "../../request/request-json";
import type { ToolAnswer } from "../../tools/answer";
import { declarationFault } from "../../tools/declared-language";
import { toolResult } from "../../tools/envelope";
import type { Credential } from "../auth";
import { CallRecord } from "../call-record";
import { COUNTERS } from "../counters";
import type { Env, StoreStub } from "../env";
import { logFault } from "../fault";
import { keepReport, reportFault } from "../report";
import { type SpecDocument, specText } from "../spec-document";
import { wireError } from "../wire-error";
import { answerOrKeepAlive, type LongCall } from "./long-call";
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
  resultOfPieces,
  resultText,
  SERVER_ERROR,
} from "./message";
import { INSTRUCTIONS, PROTOCOL_VERSION, RELEASE, SERVER_INFO } from "./release";
import { REQUEST_CATALOGUE, REQUEST_INSTRUCTIONS } from "./request-endpoint";
import { type Arguments, checkArguments } from "./tool";
import type { SpecTopic } from "./tool-introspection";
import { CATALOGUE, toolNamed } from "./tools";

export type Endpoint = "tools" | "request";

/** One POST with a key of good form. */
export interface Exchange {
  /** Which of the two: the tools of the reasoning endpoint, or `request`. */
  readonly endpoint: Endpoint;
  readonly request: Request;
  readonly env: Env;
  readonly credential: Credential;
  readonly storeId: string;
  /** Names the call to its store. */
  readonly callToken: string;
  /** A new stub each time: one that saw an exception is of no further use. */
  readonly store: () => StoreStub;
  readonly spec: SpecDocument;
  /** The answer to a key that its store does not know. */
  readonly refuseKey: () => Response;
  /** False where this key has sent more notifications than anybody needs: they are acknowledged and go no further. */
  readonly mayNotify: () => boolean;
  readonly waitUntil: (work: Promise<unknown>) => void;
  readonly nowMs: () => number;
}

/** An exchange, and what is noted of it. */
interface Call extends Exchange {
  readonly record: CallRecord;
}

/** An answer under way. */
interface Begun {
  readonly answer: Promise<Response>;
  /** Where it may take long: how its line is kept alive. */
  readonly alive?: Pick<LongCall, "admitted" | "leave">;
}

/** Names no call: cancelling it changes nothing and is answered at once. */
const NO_CALL = "";

export async function answerPost(exchange: Exchange, message: Incoming): Promise<Response> {
  const record = new CallRecord(exchange.storeId, exchange.nowMs());
  const call: Call = { ...exchange, record };
  const begun = begin(call, message);
  const answer = begun.answer.then((response) => {
    record.end(response.status, exchange.nowMs(), { counters: COUNTERS, log: exchange.env.CALL_LOG !== "off" });
    return response;
  });
  if (begun.alive === undefined) return answer;
  // The answer is awaited to its end even when nobody is left to read it, so that the object is not cut off.
  exchange.waitUntil(answer);
  return answerOrKeepAlive({
    request: exchange.request,
    answer,
    ...begun.alive,
    lateText: errorText(message.tag === "request" ? message.id : null, SERVER_ERROR, "engine error"),
    waitUntil: exchange.waitUntil,
  });
}

function begin(call: Call, message: Incoming): Begun {
  switch (message.tag) {
    case "response":
      return { answer: Promise.resolve(acknowledged()) };
    case "notification":
      if (message.method === "notifications/cancelled") passOnCancellation(call, message.params.requestId);
      return { answer: Promise.resolve(acknowledged()) };
    case "bad":
      return { answer: admitted(call, message.id, async () => rpcError(call, message.id, message.code, message.message)) };
    case "request":
      return beginRequest(call, message.id, message.method, message.params);
  }
}

function acknowledged(): Response {
  return new Response(null, { status: 202 });
}

function json(text: string, headers: Record<string, string> = {}): Response {
  return new Response(text, { headers: { "content-type": "application/json", ...headers } });
}

function rpcError(
  call: Call,
  id: RequestId | null,
  code: number,
  message: string,
  headers: Record<string, string> = {},
  data?: unknown,
): Response {
  call.record.code = code;
  return json(errorText(id, code, message, data), headers);
}

/** A `tools/call` that was carried out, or refused in words. */
function toolAnswer(call: Call, id: RequestId, identity: Identity, answer: ToolAnswer): Response {
  noteAnswer(call.record, notedOf(answer));
  return json(resultText(id, toolResult(identity, answer)));
}

function noteAnswer(record: CallRecord, { status, ops, reason }: Noted): void {
  record.status = status;
  record.ops = ops;
  if (reason !== null) record.reason = reason;
}

function passOnCancellation(call: Call, requestId: unknown): void {
  call.record.method = "notifications/cancelled";
  if (!isRequestId(requestId) || !call.mayNotify()) return;
  const passed = call.store().cancelRequest(call.credential.keyHash, requestId);
  call.waitUntil(passed.catch((error: unknown) => logFault("cancelRequest", error)));
}

function beginRequest(call: Call, id: RequestId, method: string, params: Arguments): Begun {
  const result = (value: unknown): Begun => {
    call.record.method = method;
    return { answer: admitted(call, id, async () => json(resultText(id, value))) };
  };
  switch (method) {
    case "initialize": {
      call.record.method = method;
      const answer = admitted(call, id, async () => {
        rememberClient(call, params.clientInfo);
        return json(resultText(id, INITIALIZED[call.endpoint]));
      });
      return { answer };
    }
    case "ping":
      return result({});
    case "tools/list":
      return result(call.endpoint === "tools" ? CATALOGUE : REQUEST_CATALOGUE);
    case "tools/call":
      call.record.method = method;
      return call.endpoint === "tools" ? beginTool(call, id, params) : beginVerbs(call, id, params);
    default:
      return refused(call, id, METHOD_NOT_FOUND, "method not found: this server has initialize, ping, tools/list and tools/call");
  }
}

const SERVER = { protocolVersion: PROTOCOL_VERSION, capabilities: { tools: {} }, serverInfo: SERVER_INFO, _meta: RELEASE };
const INITIALIZED: { readonly [endpoint in Endpoint]: unknown } = {
  tools: { ...SERVER, instructions: INSTRUCTIONS },
  request: { ...SERVER, instructions: REQUEST_INSTRUCTIONS },
};

function refused(call: Call, id: RequestId, code: number, message: string): Begun {
  return { answer: admitted(call, id, async () => rpcError(call, id, code, message)) };
}

/** A label for the dashboard, self-declared: nothing waits for it and nothing depends on it (contract §3). */
function rememberClient(call: Call, clientInfo: unknown): void {
  if (!isObject(clientInfo)) return;
  const recorded = call.store().recordClient(call.credential.keyHash, { name: clientInfo.name, version: clientInfo.version });
  call.waitUntil(recorded.catch((error: unknown) => logFault("recordClient", error)));
}

const NO_TOOL_NAME = "invalid params: `name` must be the name of a tool";

function beginTool(call: Call, id: RequestId, params: Arguments): Begun {
  const refuse = (code: number, message: string) => refused(call, id, code, message);
  if (typeof params.name !== "string") return refuse(INVALID_PARAMS, NO_TOOL_NAME);
  const tool = toolNamed(params.name);
  if (tool === undefined) return refuse(METHOD_NOT_FOUND, "tool not found: tools/list has every tool that is served");
  call.record.tool = tool.name;
  const given = params.arguments ?? {};
  if (!isObject(given)) return refuse(INVALID_PARAMS, "invalid params: `arguments` must be an object");
  const checked = checkArguments(tool, given);
  if (!checked.ok) return refuse(INVALID_PARAMS, checked.message);
  const fault = tool.name === "report" ? reportFault(checked.args) : declarationFault(checked.args);
  if (fault !== null) return refuse(INVALID_PARAMS, fault);
  if (tool.name === "spec") return { answer: admitted(call, id, async (identity) => serveSpec(call, id, identity, checked.args)) };
  if (tool.name === "report") return { answer: admitted(call, id, (identity) => takeReport(call, id, identity, checked.args)) };
  return beginStoreCall(call, id, tool.name, checked.args);
}

/** `request`: what can be told from the arguments alone is told here; the rest is one call to the store. */
function beginVerbs(call: Call, id: RequestId, params: Arguments): Begun {
  if (typeof params.name !== "string") return refused(call, id, INVALID_PARAMS, NO_TOOL_NAME);
  if (params.name !== REQUEST_TOOL) return refused(call, id, METHOD_NOT_FOUND, "tool not found: this endpoint has the tool `request`");
  call.record.tool = REQUEST_TOOL;
  const given = params.arguments ?? {};
  if (!isObject(given)) return refused(call, id, INVALID_PARAMS, "invalid params: `arguments` must be an object");
  const refuse = ({ message, data }: RequestFault): Begun => ({
    answer: admitted(call, id, async () => rpcError(call, id, INVALID_PARAMS, message, {}, data)),
  });
  const client = readStatement(params._meta, call.storeId);
  if (!client.ok) return refuse(client.fault);
  const read = readRequest(given, client.statement);
  switch (read.tag) {
    case "fault":
      return refuse(read.fault);
    case "plan":
      return {
        answer: admitted(call, id, async (identity) => {
          const text = jsonText(planOps(read.ops, PACKS));
          return toolAnswer(call, id, identity, { status: "success", text, meta: servedMeta(call.storeId), mirror: null, ops: 0 });
        }),
      };
    case "run":
      return beginStoreCall(call, id, REQUEST_TOOL, { ...given, client: client.statement });
  }
}

function serveSpec(call: Call, id: RequestId, identity: Identity, args: Arguments): Response {
  const text = specText(call.spec, args.topic as SpecTopic | undefined);
  return toolAnswer(call, id, identity, { status: "success", text, meta: { revision: RELEASE.revision }, mirror: null, ops: 0 });
}

async function takeReport(call: Call, id: RequestId, identity: Identity, args: Arguments): Promise<Response> {
  if (call.env.DIRECTORY === undefined) return rpcError(call, id, SERVER_ERROR, "This server does not take reports.");
  const outcome = await keepReport(call.env.DIRECTORY, identity.tenantId, args, call.nowMs()).catch((error: unknown) => {
    // A failed query's own message tells its parameters, and a report's text is for no log.
    logFault("keepReport", error instanceof Error && error.cause !== undefined ? error.cause : error);
    return { tag: "not_received" as const };
  });
  if (outcome.tag === "not_received")
    return rpcError(call, id, SERVER_ERROR, "Your report could not be received right now. Send it again later.");
  if (outcome.tag === "allowance_spent") {
    const { retryAfterS } = outcome;
    const message = `rate limited: your account has sent the most reports it may in a day; another can be sent in ${retryAfterS} s. Nothing was kept.`;
    return rpcError(call, id, RATE_LIMITED, message, { "retry-after": String(retryAfterS) });
  }
  const text = `OK report: received as ${outcome.reportId}. LangSyn keeps it and reads it; no reply is sent.`;
  return toolAnswer(call, id, identity, { status: "success", text, meta: { report_id: outcome.reportId }, mirror: null, ops: 0 });
}

/** The one call that does the work; its line is kept alive, and its caller's leaving stops it. */
function beginStoreCall(call: Call, id: RequestId, tool: string, args: Arguments): Begun {
  const { callToken: cancelToken } = call;
  const stub = call.store();
  const answer = stub.call({ ...call.credential, tool, args, requestId: id, cancelToken }).then(
    (reply) => replyResponse(call, id, reply),
    (error: unknown) => outcomeUnknown(call, id, error),
  );
  const leave = () => {
    call.record.left = true;
    const cancelled = call.store().cancel(cancelToken);
    call.waitUntil(cancelled.catch((error: unknown) => logFault("cancel", error)));
  };
  // The object decides at its door, in order of arrival: once it has answered this, the call before it is past the door.
  const admitted = () => stub.cancel(NO_CALL).catch(() => {}); // the call's own failure is answered by `answer`
  return { answer, alive: { admitted, leave } };
}

/** Does `then` for a key that its store knows; anything else is answered as the store says. */
async function admitted(call: Call, id: RequestId | null, then: (identity: Identity) => Promise<Response>): Promise<Response> {
  let reply: StoreReply;
  try {
    reply = await admit(call);
  } catch (error) {
    logFault("admit", error);
    return wireError("UPSTREAM_UNAVAILABLE");
  }
  if (reply.tag !== "admitted") return replyResponse(call, id, reply);
  call.record.keyId = reply.identity.keyId;
  return then(reply.identity);
}

/** `spec` needs no store: the object looks the key up, counts the call, and leaves the rest to us. */
function admit(call: Call): Promise<StoreReply> {
  return call.store().call({ ...call.credential, tool: "spec", args: {}, requestId: null, cancelToken: call.callToken });
}

/**
 * The object was asked and its answer did not come: the work may or may not be saved. Never asked again, because that
 * could do it twice (contract §6: the message says exactly that).
 */
async function outcomeUnknown(call: Call, id: RequestId, error: unknown): Promise<Response> {
  logFault("call", error);
  if (isObject(error) && error.overloaded === true) return wireError("UPSTREAM_UNAVAILABLE"); // turned away, not delivered
  try {
    const reply = await admit(call);
    if (reply.tag === "admitted") {
      const text =
        "error: whether the work of this call was saved could not be confirmed. Read back what it wrote before sending it again.";
      call.record.keyId = reply.identity.keyId;
      const meta: ToolAnswer["meta"] = call.endpoint === "request" ? { domain_disposition: "unknown" } : {};
      return storeAnswer(call, id, reply.identity, { status: "engine_error", text, meta, mirror: null, ops: 0 });
    }
  } catch (second) {
    logFault("admit after a lost call", second);
  }
  return rpcError(call, id, SERVER_ERROR, "engine error");
}

/** Both clear by waiting; only the one by calling less often. */
const RATE_WORDS = {
  key_rate: "this key has called too often",
  calls_at_once: "the service is at capacity for this account, whose calls at work are as many as it may have at once",
};

function replyResponse(call: Call, id: RequestId | null, reply: StoreReply): Response {
  switch (reply.tag) {
    case "denied":
      return call.refuseKey();
    case "rate_limited": {
      const message = `rate limited: ${RATE_WORDS[reply.why]}; try again in ${reply.retryAfterS} s`;
      return rpcError(call, id, RATE_LIMITED, message, { "retry-after": String(reply.retryAfterS) });
    }
    case "payment_required":
      return rpcError(call, id, PAYMENT_REQUIRED, reply.message);
    case "invalid_params":
      return rpcError(call, id, INVALID_PARAMS, `invalid params: ${reply.message}`);
    case "answered":
      assert(id !== null, "only a request with an id goes to a tool");
      noteWork(call.record, reply);
      return storeAnswer(call, id, reply.identity, reply.answer);
    case "written":
      assert(id !== null, "only a request with an id goes to a tool");
      noteWork(call.record, reply);
      noteAnswer(call.record, reply.told);
      return json(resultOfPieces(id, reply.pieces));
    case "admitted":
    case "file":
      throw new Error("a tool of the store is answered by the store");
    case "file_not_kept":
      noteWork(call.record, reply);
      return rpcError(call, id, SERVER_ERROR, reply.message, {}, reply.data);
    case "failed":
      call.record.callId = reply.id;
      return rpcError(call, id, SERVER_ERROR, "engine error");
  }
}

/** Where the store answered instead of a request (it was busy, stopped, or could not save) there is no envelope to give. */
function storeAnswer(call: Call, id: RequestId, identity: Identity, answer: ToolAnswer): Response {
  const { domain_disposition: disposition } = answer.meta;
  if (call.endpoint === "tools" || disposition === undefined) return toolAnswer(call, id, identity, answer);
  call.record.status = answer.status;
  const kind = answer.status === "engine_error" ? "unavailable" : "cancelled";
  const data = { kind, message: answer.text, retryable: disposition === "not_committed", domain_disposition: disposition };
  return rpcError(call, id, SERVER_ERROR, answer.text, {}, data);
}

function noteWork(record: CallRecord, reply: Extract<StoreReply, { tag: "answered" | "written" | "file_not_kept" }>): void {
  record.keyId = reply.identity.keyId;
  if (reply.work === undefined) return;
  record.callId = reply.work.callId;
  record.waitedMs = reply.work.waitedMs;
  record.waiting = reply.work.waiting;
  record.running = reply.work.running;
}
