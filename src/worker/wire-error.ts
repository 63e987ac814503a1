/**
 * Answers below the tool surface: an HTTP status other than 200 and a body `{"code", "message"}` (contract §6).
 *
 * The message is one sentence that says what to do, because some clients show people nothing else. No stack, path,
 * version or value of the request ever stands in one.
 */

const ERRORS = {
  AUTH_MISSING: [401, "Send your store key in the Authorization header, as `Authorization: Bearer dke_s_...`."],
  AUTH_MALFORMED: [401, "This is not a store key that opens a store here: check it in your dashboard, or issue a new one."],
  AUTH_EMPTY_TOKEN: [
    401,
    "The Authorization header says Bearer and then nothing: the variable that holds your key is probably empty where the client runs.",
  ],
  AUTH_CUSTOMER_KEY_NOT_ALLOWED: [
    401,
    "This is a customer key (dke_c_...), which no endpoint takes: use a store key (dke_s_...), issued in your dashboard.",
  ],
  RATE_LIMITED: [429, "Too many requests without a valid key: wait, then try again with a store key."],
  UPSTREAM_UNAVAILABLE: [503, "The service cannot be reached right now and nothing was run: send the request again in a moment."],
  ORIGIN_FORBIDDEN: [
    403,
    "Pages of this origin may not call this endpoint: call it from a program, or from a page on this service's own site.",
  ],
  METHOD_NOT_ALLOWED: [
    405,
    "This endpoint takes POST only: send one JSON-RPC message in the body of a POST (MCP over Streamable HTTP, not SSE).",
  ],
  NOT_FOUND: [404, "There is nothing at this path: the MCP endpoint is the root of this host."],
  BODY_TOO_LARGE: [413, "The request body is larger than 4 MiB: send less in one call."],
  BODY_TIMEOUT: [408, "The request body did not arrive in time: send the request again."],
  BODY_BROKEN_OFF: [
    400,
    "The request body ended before it was whole, or is not in chunks as its headers say: send the request again, with a Content-Length.",
  ],
  BODY_ENCODED: [415, "Send the request body as plain JSON, without a Content-Encoding."],
} as const satisfies Record<string, readonly [number, string]>;

export type WireErrorCode = keyof typeof ERRORS;

export interface WireErrorExtra {
  readonly message?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Members beside `code` and `message`: what OAuth clients show of a 404 on a sign-in path. */
  readonly body?: Readonly<Record<string, string>>;
}

export function wireError(code: WireErrorCode, extra: WireErrorExtra = {}): Response {
  const [status, message] = ERRORS[code];
  const headers: Record<string, string> = { "content-type": "application/json", "cache-control": "no-store", ...extra.headers };
  // Exactly this challenge: `resource_metadata` would promise an OAuth sign-in that is not there.
  if (status === 401) headers["www-authenticate"] = 'Bearer realm="DKE"';
  return new Response(JSON.stringify({ code, message: extra.message ?? message, ...extra.body }), { status, headers });
}

/** All of them, for the published reference. */
export function wireErrors(): (readonly [code: string, status: number, message: string])[] {
  return Object.entries(ERRORS).map(([code, [status, message]]) => [code, status, message]);
}
