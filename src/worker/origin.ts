/**
 * Which web pages may call the service. Programs send no `Origin` and are always allowed.
 *
 * Allowed are the service's own origins, named in the configuration (never taken from the request: a rebound host name
 * would then allow itself), and pages served from the caller's own machine. No cookie is ever read here, so no answer
 * carries `Access-Control-Allow-Credentials`.
 */

const ALLOWED_HEADERS = "content-type, accept, authorization, mcp-session-id, mcp-protocol-version, mcp-method, mcp-name, last-event-id";
const EXPOSED_HEADERS = "retry-after, www-authenticate, mcp-session-id";

/** @param ownOrigins  Separated by blanks, e.g. `https://dke.langsyn.net`. */
export function originAllowed(origin: string | null | undefined, ownOrigins: string): boolean {
  if (origin === null || origin === undefined) return true;
  if (ownOrigins.split(/\s+/).includes(origin)) return true;
  let url: URL;
  try {
    url = new URL(origin);
  } catch {
    return false; // "null" (sandboxed frames, local files) and whatever is no origin at all
  }
  if (url.origin !== origin || (url.protocol !== "http:" && url.protocol !== "https:")) return false;
  return url.hostname === "localhost" || url.hostname === "[::1]" || /^127(\.\d{1,3}){3}$/.test(url.hostname);
}

/** Headers for any answer to an allowed page; `origin` is the request's. */
export function corsHeaders(origin: string): Record<string, string> {
  return { "access-control-allow-origin": origin, "access-control-expose-headers": EXPOSED_HEADERS, vary: "Origin" };
}

export function preflightHeaders(origin: string): Record<string, string> {
  return {
    ...corsHeaders(origin),
    "access-control-allow-methods": "POST, OPTIONS",
    "access-control-allow-headers": ALLOWED_HEADERS,
    "access-control-max-age": "86400",
  };
}
