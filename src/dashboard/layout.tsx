/** The frame of every page, and the pieces pages are made of. Works without script; a page that needs one names it. */
import type { Child } from "hono/jsx";
import { Document } from "./document";
import { type Page, ROOT } from "./site";

export interface Frame {
  readonly title: string;
  /** Which entry of the navigation this page is. */
  readonly here?: string;
  /** A file under `/dashboard/page/`. */
  readonly script?: string;
}

const NAVIGATION: readonly (readonly [path: string, label: string])[] = [
  ["/stores", "Stores"],
  ["/usage", "Usage"],
  ["/tokens", "Tokens"],
  ["/account", "Account"],
  ["/sessions", "Sessions"],
  ["/audit", "Audit log"],
  ["/reports", "Reports"],
];

export function render(c: Page, { title, here, script }: Frame, body: Child, status: 200 | 400 | 403 | 404 | 409 | 429 = 200) {
  const who = c.get("who");
  const bar =
    who === null ? null : (
      <>
        <nav aria-label="Account" hidden={who.closedMs !== null}>
          <ul>
            {NAVIGATION.map(([path, label]) => (
              <li>
                <a href={`${ROOT}${path}`} aria-current={here === path ? "page" : undefined}>
                  {label}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <Form c={c} action="/sign-out" class="inline">
          <span class="muted">{who.email}</span>{" "}
          <button type="submit" class="plain">
            Sign out
          </button>
        </Form>
      </>
    );
  return c.html(
    <Document title={title} script={script} formToken={c.get("formToken")} home={ROOT} bar={bar}>
      {body}
    </Document>,
    status,
  );
}

/** A form that is sent to a path of the dashboard and carries the token it is known by. */
export function Form({ c, action, children, class: className }: { c: Page; action: string; children?: Child; class?: string }) {
  return (
    <form method="post" action={`${ROOT}${action}`} class={className}>
      <input type="hidden" name="form_token" value={c.get("formToken")} />
      {children}
    </form>
  );
}

export function Notice({ bad, good, children }: { bad?: boolean; good?: boolean; children?: Child }) {
  return (
    <div class={bad ? "notice bad" : good ? "notice good" : "notice"} role={bad ? "alert" : "status"}>
      {children}
    </div>
  );
}

/** An instant with its zone; ISO on hover. */
export function Time({ ms, never = "never" }: { ms: number | null; never?: string }) {
  if (ms === null) return <span class="muted">{never}</span>;
  const iso = new Date(ms).toISOString();
  return (
    <time datetime={iso} title={iso}>
      {`${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`}
    </time>
  );
}

export function bytesText(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  return bytes < 1024 * 1024 ? `${(bytes / 1024).toFixed(1)} KiB` : `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
}

/** LangCoin with what a thousandth of it is worth kept visible. */
export function lcnText(ops: number): string {
  return `${(ops / 100_000).toLocaleString("en-US", { maximumFractionDigits: 3 })} LCN`;
}
