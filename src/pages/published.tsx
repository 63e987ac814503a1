/**
 * The published pages: tutorial, references, specification, security. Each is a Markdown document, served as a page, and as it is
 * at the same path with `.md` (or `index.md`) and to whoever asks for `text/markdown`.
 *
 * The texts come in as an argument: what is generated is read off the service's own tables by whoever has them.
 */
import { type Context, Hono } from "hono";
import { raw } from "hono/html";
import type { Child } from "hono/jsx";
import { Head } from "../dashboard/head";
import { type Heading, htmlOf } from "./markdown";

export interface PublishedDocument {
  /** Begins with a slash; ends in one where pages hang below it. */
  readonly path: string;
  readonly title: string;
  /** One sentence, for the index. */
  readonly says: string;
  readonly markdown: string;
  /** Other paths of the Markdown. */
  readonly twins?: readonly string[];
  /** Other addresses it is linked by, each sent on to `path`. */
  readonly aliases?: readonly string[];
  /** Reached from another document, and so not in the bar of every page. */
  readonly isPart?: boolean;
}

/** Of every published page: no script but our own, nothing from elsewhere. */
export const PAGE_HEADERS = {
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cache-control": "public, max-age=300",
  vary: "Accept",
};
const MARKDOWN = { ...PAGE_HEADERS, "content-type": "text/markdown; charset=utf-8" };
const INDEX_NOTE = "> All documents of this service: /llms.txt\n\n";

/** Where the Markdown of a page lies. */
export function twinOf(path: string): string {
  return path.endsWith("/") ? `${path}index.md` : `${path}.md`;
}

export function publishedPages(documents: readonly PublishedDocument[]): Hono {
  const app = new Hono();
  const rendered = new Map<string, { readonly html: string; readonly headings: readonly Heading[] }>();
  for (const document of documents) {
    const { path, markdown } = document;
    const link = { link: `<${twinOf(path)}>; rel="alternate"; type="text/markdown"` };
    app.get(path, (c) => {
      if (prefersMarkdown(c)) return c.body(INDEX_NOTE + markdown, 200, MARKDOWN);
      let page = rendered.get(path);
      if (page === undefined) {
        page = htmlOf(markdown);
        rendered.set(path, page);
      }
      const contents = page.headings.filter(({ depth }) => depth === 2);
      // What is on the page is told under its first heading.
      const headEnd = page.html.indexOf("</h1>") < 0 ? 0 : page.html.indexOf("</h1>") + "</h1>".length;
      return c.html(
        <Frame title={document.title} path={path} documents={documents} script="published.js">
          {raw(page.html.slice(0, headEnd))}
          <p class="hint choices">
            <a href={twinOf(path)}>This page as Markdown</a>{" "}
            <button type="button" class="plain" data-twin={twinOf(path)} hidden>
              Copy as Markdown
            </button>
          </p>
          {contents.length < 4 ? null : (
            <nav aria-label="On this page">
              <ul>
                {contents.map(({ text, id }) => (
                  <li>
                    <a href={`#${id}`}>{text}</a>
                  </li>
                ))}
              </ul>
            </nav>
          )}
          {raw(page.html.slice(headEnd))}
        </Frame>,
        200,
        { ...PAGE_HEADERS, ...link },
      );
    });
    for (const twin of [twinOf(path), ...(document.twins ?? [])]) app.get(twin, (c) => c.body(INDEX_NOTE + markdown, 200, MARKDOWN));
    const sentOn = path.endsWith("/") ? [path.slice(0, -1), ...(document.aliases ?? [])] : (document.aliases ?? []);
    for (const alias of sentOn) app.get(alias, (c) => c.redirect(path, 301));
  }
  const text = { ...PAGE_HEADERS, "content-type": "text/plain; charset=utf-8" };
  app.get("/llms.txt", (c) => c.body(index(documents), 200, text));
  app.get("/llms-full.txt", (c) => c.body(documents.map(({ markdown }) => markdown.trimEnd()).join("\n\n---\n\n"), 200, text));
  return app;
}

/** The frame of every published page; a page that needs a script names a file under `/dashboard/page/`. */
export function Frame({
  title,
  path,
  documents,
  script,
  children,
}: {
  title: string;
  path: string;
  documents: readonly PublishedDocument[];
  script?: string;
  children?: Child;
}) {
  return (
    <html lang="en">
      <Head title={title} script={script} twin={documents.some((one) => one.path === path) ? twinOf(path) : undefined} />
      <body>
        <a class="skip" href="#main">
          Skip to content
        </a>
        <header class="bar">
          <strong>
            <a href="/docs/">DKE</a>
          </strong>
          <nav aria-label="Documents">
            <ul>
              {documents
                .filter(({ isPart }) => !isPart)
                .map((one) => (
                  <li>
                    <a href={one.path} aria-current={one.path === path ? "page" : undefined}>
                      {one.title}
                    </a>
                  </li>
                ))}
              <li>
                <a href="/playground" aria-current={path === "/playground" ? "page" : undefined}>
                  Playground
                </a>
              </li>
              <li>
                <a href="/dashboard">Dashboard</a>
              </li>
            </ul>
          </nav>
        </header>
        <main id="main">{children}</main>
      </body>
    </html>
  );
}

/** Clients that read Markdown say so; browsers do not. */
function prefersMarkdown(c: Context): boolean {
  const accept = c.req.header("accept") ?? "";
  const quality = (type: string) => {
    const part = accept.split(",").find((one) => one.trim().split(";")[0].trim().toLowerCase() === type);
    return part === undefined ? 0 : Number(/;\s*q=([\d.]+)/.exec(part)?.[1] ?? 1);
  };
  return quality("text/markdown") > 0 && quality("text/markdown") >= quality("text/html");
}

function index(documents: readonly PublishedDocument[]): string {
  const lines = documents.map(({ path, title, says }) => `- [${title}](${twinOf(path)}): ${says}`);
  return `# DKE

> A deterministic reasoning engine that agents talk to over MCP: facts with a source and two times, rules kept current, a proof of every conclusion.

All of it in one text: [llms-full.txt](/llms-full.txt)

## Documents

${lines.join("\n")}
`;
}
