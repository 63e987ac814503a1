/** Where a page asks for a passkey: a form that page/passkey.ts handles, and what is said where there can be none. */
import type { Child } from "hono/jsx";
import { Notice } from "./layout";
import { type Page, ROOT } from "./site";

/** Browsers make passkeys for names only: an address in figures has none. */
export function passkeysWorkHere(c: Page): boolean {
  const { hostname } = new URL(c.req.url);
  return !/^[\d.]+$/.test(hostname) && !hostname.includes(":");
}

/** Without script it is not shown. */
export function PasskeyAct({
  act,
  button,
  next = "",
  children,
}: {
  act: "add" | "sign-in" | "prove";
  button: string;
  next?: string;
  children?: Child;
}) {
  return (
    <>
      <form id="passkey" data-act={act} data-root={ROOT} data-next={next} hidden>
        {children}
        <p>
          <button type="submit" class={act === "add" ? undefined : "plain"}>
            {button}
          </button>
        </p>
      </form>
      <div id="passkey-said" class="notice bad" role="alert" hidden></div>
      {act === "add" ? (
        <noscript>
          <Notice bad>Making a passkey needs this page's script.</Notice>
        </noscript>
      ) : null}
    </>
  );
}

/** Said where passkeysWorkHere is not so. */
export function NotHere() {
  return (
    <Notice bad>
      Browsers make passkeys for a host with a name, and this page was reached by an address in figures: on your own machine, open it as{" "}
      <code>localhost</code>.
    </Notice>
  );
}
