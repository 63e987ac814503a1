/**
 * What a browser is told of every page of ours, and what it must tell us of what it sends: no script but our own, nothing from elsewhere,
 * in no frame; and no request of another site's page.
 */
import { apiUrl, type Page } from "./site";

/** What of a request is looked at. */
type Asked = Pick<Page, "env" | "req">;

/** @param forms  Whether forms of the page are sent by the browser itself, or by its script alone. */
export function pageHeaders(asked: Asked, forms: "sent" | "none"): Record<string, string> {
  const own = new URL(asked.req.url).origin;
  const api = new URL(apiUrl(asked)).origin;
  // Pages that call the service with a key in them may reach it where it lies on a host of its own.
  const connect = api === own ? "'self'" : `'self' ${api}`;
  const form = forms === "sent" ? "'self'" : "'none'";
  return {
    "content-security-policy": `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src ${connect}; form-action ${form}; frame-ancestors 'none'; base-uri 'none'`,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=(), payment=()",
  };
}

/** Whether the browser says that a page of this origin sent it. */
export function isFromHere({ req }: Pick<Page, "req">): boolean {
  const origin = req.header("origin");
  if (origin === undefined || origin === "null") return req.header("sec-fetch-site") === "same-origin";
  return origin === new URL(req.url).origin;
}
