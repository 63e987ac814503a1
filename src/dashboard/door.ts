/**
 * What stands before every page: headers that keep other sites out, the session's cookie, and the proof that a form came from
 * one of our pages.
 *
 * A form is taken when the browser says it was sent from this origin (`Origin`, or `Sec-Fetch-Site`), and when it carries the
 * token of the cookie it came with. Cookies are `__Host-`, so no other host can set one. Nothing here reads a store key.
 */

import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import { createMiddleware } from "hono/factory";
import { openDirectory } from "../directory/directory";
import { newSecret, sha256 } from "../directory/secret";
import { PROVEN_MS, readSession, SESSION_MAX_MS } from "../directory/sessions";
import { isFromHere, pageHeaders } from "./policy";
import { type Page, ROOT, type Site } from "./site";

const SESSION_COOKIE = "__Host-dke_session";
/** Before there is a session, what forms are held against. */
const VISIT_COOKIE = "__Host-dke_visit";
const COOKIE = { path: "/", secure: true, httpOnly: true, sameSite: "Lax" } as const;

/** Beside what every page is told: signed-in pages are in no cache and no history of another person. */
const SIGNED_IN_HEADERS: Readonly<Record<string, string>> = {
  // Nothing to other sites; to our own, so that a form is come back to, and says its origin where there is no Sec-Fetch-Site.
  "referrer-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "cache-control": "no-store",
};

export const door = createMiddleware<Site>(async (c, next) => {
  c.set("db", openDirectory(c.env.DIRECTORY));
  c.set("nowMs", Date.now());
  const session = getCookie(c, SESSION_COOKIE);
  c.set("who", session === undefined ? null : await readSession(c.get("db"), session, c.get("nowMs")));
  let secret = c.get("who") === null ? getCookie(c, VISIT_COOKIE) : session;
  if (secret === undefined) {
    secret = newSecret();
    setCookie(c, VISIT_COOKIE, secret, COOKIE);
  }
  // Derived, so that what stands in a page is not what stands in the cookie.
  c.set("formToken", await sha256(`form ${secret}`));
  const headers = { ...pageHeaders(c, "sent"), ...SIGNED_IN_HEADERS };
  if (c.req.method !== "GET" && c.req.method !== "HEAD" && !(await isOwnForm(c))) {
    return c.text(
      "This form did not come from one of our pages, or its page is out of date: go back, reload, and send it again.",
      403,
      headers,
    );
  }
  await next();
  for (const [name, value] of Object.entries(headers)) if (!c.res.headers.has(name)) c.res.headers.set(name, value);
});

async function isOwnForm(c: Page): Promise<boolean> {
  if (!isFromHere(c)) return false;
  const token = c.req.header("x-form-token") ?? (await formField(c, "form_token"));
  return token === c.get("formToken");
}

/** A field of the form that was sent, or "" where it has none. */
export async function formField(c: Page, name: string): Promise<string> {
  const type = c.req.header("content-type") ?? "";
  if (!type.startsWith("application/x-www-form-urlencoded") && !type.startsWith("multipart/form-data")) return "";
  const value = (await c.req.parseBody())[name];
  return typeof value === "string" ? value : "";
}

export function keepSession(c: Page, secret: string): void {
  setCookie(c, SESSION_COOKIE, secret, { ...COOKIE, maxAge: SESSION_MAX_MS / 1000 });
  deleteCookie(c, VISIT_COOKIE, { ...COOKIE });
}

export function dropSession(c: Page): void {
  deleteCookie(c, SESSION_COOKIE, { ...COOKIE });
}

/** Pages for the signed in: everybody else is sent to sign in, and comes back; to an account that is closed one page is left. */
export const signedIn = createMiddleware<Site>(async (c, next) => {
  const who = c.get("who");
  if (who === null) return toSignIn(c);
  return who.closedMs === null ? next() : c.redirect(`${ROOT}/closed`, 303);
});

/** That page. */
export const signedInToClosed = createMiddleware<Site>(async (c, next) => {
  const who = c.get("who");
  if (who === null) return toSignIn(c);
  return who.closedMs !== null ? next() : c.redirect(ROOT, 303);
});

function toSignIn(c: Page) {
  if (c.req.method !== "GET") return c.redirect(`${ROOT}/sign-in`, 303);
  return c.redirect(`${ROOT}/sign-in?next=${encodeURIComponent(new URL(c.req.url).pathname)}`, 303);
}

/** Acts that ask for the password or a passkey again, where it was not shown just now. */
export const proven = createMiddleware<Site>(async (c, next) => {
  const who = c.get("who");
  if (who !== null && c.get("nowMs") - who.provenMs <= PROVEN_MS) return next();
  if (c.req.header("x-form-token") !== undefined) return c.json({ error: "prove", prove: `${ROOT}/prove` }, 403);
  // A page is come back to; a form is filled in again where it was sent from.
  const back = c.req.method === "GET" ? c.req.url : (c.req.header("referer") ?? "");
  return c.redirect(`${ROOT}/prove?next=${encodeURIComponent(safeNext(back, c.req.url))}`, 303);
});

/** Where to go afterwards: a path of the dashboard, and nowhere else. */
export function safeNext(asked: string, base: string): string {
  if (asked === "") return ROOT;
  try {
    const url = new URL(asked, base);
    if (url.origin === new URL(base).origin && (url.pathname === ROOT || url.pathname.startsWith(`${ROOT}/`))) return url.pathname;
  } catch {
    // No address at all.
  }
  return ROOT;
}
