/**
 * JSON-RPC 2.0 framing: one message a POST. What arrived is a request, something to acknowledge, or wrong.
 *
 * Ids keep their type (`"1"` is not `1`). A notification and a stray response are acknowledged and nothing is executed
 * for them, whatever method they name. Pure.
 */

import { jsonText, type RequestJson } from "../../request/request-json";

export type RequestId = string | number;

export type Incoming =
  | { readonly tag: "request"; readonly id: RequestId; readonly method: string; readonly params: Readonly<Record<string, unknown>> }
  | { readonly tag: "notification"; readonly method: string; readonly params: Readonly<Record<string, unknown>> }
  | { readonly tag: "response" }
  | { readonly tag: "bad"; readonly id: RequestId | null; readonly code: number; readonly message: string };

export const PARSE_ERROR = -32700;
export const INVALID_REQUEST = -32600;
export const METHOD_NOT_FOUND = -32601;
export const INVALID_PARAMS = -32602;
export const SERVER_ERROR = -32000;
export const PAYMENT_REQUIRED = -32001;
export const RATE_LIMITED = -32002;

/** `read`: throws where the text is no JSON. */
export function parseMessage(text: string, read: (text: string) => unknown = JSON.parse): Incoming {
  let value: unknown;
  try {
    value = read(text);
  } catch {
    return bad(null, PARSE_ERROR, "parse error: the body is not JSON");
  }
  if (Array.isArray(value)) return bad(null, INVALID_REQUEST, "invalid request: one message per POST, not a batch");
  if (!isObject(value)) return bad(null, INVALID_REQUEST, "invalid request: got no JSON object, want a JSON-RPC 2.0 message");
  const id = isRequestId(value.id) ? value.id : null;
  if (value.jsonrpc !== "2.0") return bad(id, INVALID_REQUEST, 'invalid request: `jsonrpc` must be "2.0"');
  if (!Object.hasOwn(value, "method")) {
    if (Object.hasOwn(value, "result") || Object.hasOwn(value, "error")) return { tag: "response" };
    return bad(id, INVALID_REQUEST, "invalid request: `method` is missing");
  }
  if (typeof value.method !== "string") return bad(id, INVALID_REQUEST, "invalid request: `method` must be text");
  if (!Object.hasOwn(value, "id")) return { tag: "notification", method: value.method, params: isObject(value.params) ? value.params : {} };
  if (id === null) return bad(null, INVALID_REQUEST, "invalid request: `id` must be text or an integer");
  // Some libraries write what is absent as null.
  if (value.params === undefined || value.params === null) return { tag: "request", id, method: value.method, params: {} };
  if (!isObject(value.params)) return bad(id, INVALID_PARAMS, "invalid params: `params` must be an object");
  return { tag: "request", id, method: value.method, params: value.params };
}

/** An integer beyond 2^53 would come back as another number, so it is no id. */
export function isRequestId(value: unknown): value is RequestId {
  return typeof value === "string" || (typeof value === "number" && Number.isSafeInteger(value));
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function resultText(id: RequestId, result: unknown): string {
  return jsonText({ jsonrpc: "2.0", id, result: result as RequestJson });
}

/** The same of a result that is written already, in pieces. */
export function resultOfPieces(id: RequestId, pieces: readonly string[]): string {
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${pieces.join("")}}`;
}

export function errorText(id: RequestId | null, code: number, message: string, data?: unknown): string {
  return JSON.stringify({ jsonrpc: "2.0", id, error: { code, message, data } });
}

/** A body that is not text at all. */
export const NOT_UTF8: Incoming = { tag: "bad", id: null, code: PARSE_ERROR, message: "parse error: the body is not UTF-8" };

function bad(id: RequestId | null, code: number, message: string): Incoming {
  return { tag: "bad", id, code, message };
}
