/**
 * What every page that a browser is shown is made of: its head with the one style sheet, the one icon and a script where it names one;
 * a way past the bar, the bar, and the one main part.
 */
import { raw } from "hono/html";
import type { Child } from "hono/jsx";
import { ROOT } from "./site";

/** A claim, and what is concluded from it: two bars and the step between them. */
export const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#0b5cad"/><path d="M7 9h11M7 23h18M18 9v7h-6v7" fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round" stroke-linejoin="round"/></svg>`;

export interface PageDocument {
  readonly title: string;
  /** A file under `/dashboard/page/`. */
  readonly script?: string;
  /** Where the page lies as Markdown. */
  readonly twin?: string;
  /** What the page's script sends with its requests to the dashboard. */
  readonly formToken?: string;
  /** Where the name in the bar leads. */
  readonly home: string;
  /** What else is in the bar. */
  readonly bar?: Child;
  readonly children?: Child;
}

export function Document({ title, script, twin, formToken, home, bar, children }: PageDocument) {
  return (
    <>
      {raw("<!DOCTYPE html>")}
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <title>{`${title} · DKE`}</title>
          <link rel="stylesheet" href={`${ROOT}/style.css`} />
          <link rel="icon" type="image/svg+xml" href={`${ROOT}/icon.svg`} />
          {twin === undefined ? null : <link rel="alternate" type="text/markdown" href={twin} />}
          {script === undefined ? null : <script type="module" src={`${ROOT}/page/${script}`} />}
        </head>
        <body data-form-token={formToken}>
          <a class="skip" href="#main">
            Skip to content
          </a>
          <header class="bar">
            <strong>
              <a href={home}>DKE</a>
            </strong>
            {bar}
          </header>
          <main id="main">{children}</main>
        </body>
      </html>
    </>
  );
}
