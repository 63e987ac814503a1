/**
 * The published pages: tutorial, references, specification, security. Each is a Markdown document, served as a page, and as it is
 * at the same path with `.md` (or `index.md`) and to whoever asks for `text/markdown`.
 *
 * The texts come in as an argument: what is generated is read off the service's own tables by whoever has them.
 */
import { type Context, Hono } from "hono";
import { raw } from "hono/html";
import type { Child } from "hono/jsx";
import { Document } from "../dashboard/document";
import { pageHeaders } from "../dashboard/policy";
import type { DashboardBindings } from "../dashboard/site";
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

/** Published pages are kept for some minutes; their scripts send what they send by themselves. */
export function publishedHeaders(c: PublishedCall): Record<string, string> {
  return { ...pageHeaders(c, "none"), "referrer-policy": "no-referrer", "cache-control": "public, max-age=300", vary: "Accept" };
}

/** Of the environment it is looked at where the service is. */
export type PublishedCall = Context<{ Bindings: DashboardBindings }>;

function textOf(c: PublishedCall, text: string, type: "markdown" | "plain") {
  return c.body(text, 200, { ...publishedHeaders(c), "content-type": `text/${type}; charset=utf-8` });
}

const INDEX_NOTE = "> All documents of this service: /llms.txt\n\n";

/** Where the Markdown of a page lies. */
export function twinOf(path: string): string {
  return path.endsWith("/") ? `${path}index.md` : `${path}.md`;
}

export function publishedPages(documents: readonly PublishedDocument[]): Hono<{ Bindings: DashboardBindings }> {
  const app = new Hono<{ Bindings: DashboardBindings }>();
  const rendered = new Map<string, { readonly html: string; readonly headings: readonly Heading[] }>();
  for (const document of documents) {
    const { path, markdown } = document;
    const link = { link: `<${twinOf(path)}>; rel="alternate"; type="text/markdown"` };
    app.get(path, (c) => {
      if (prefersMarkdown(c)) return textOf(c, INDEX_NOTE + markdown, "markdown");
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
        { ...publishedHeaders(c), ...link },
      );
    });
    for (const twin of [twinOf(path), ...(document.twins ?? [])]) app.get(twin, (c) => textOf(c, INDEX_NOTE + markdown, "markdown"));
    const sentOn = path.endsWith("/") ? [path.slice(0, -1), ...(document.aliases ?? [])] : (document.aliases ?? []);
    for (const alias of sentOn) app.get(alias, (c) => c.redirect(path, 301));
  }
  app.get("/llms.txt", (c) => textOf(c, index(documents), "plain"));
  app.get("/llms-full.txt", (c) => textOf(c, documents.map(({ markdown }) => markdown.trimEnd()).join("\n\n---\n\n"), "plain"));
  return app;
}

/** Pages that are no documents. */
const PLACES: readonly (readonly [path: string, label: string])[] = [
  ["/playground", "Playground"],
  ["/tools/", "Programs"],
  ["/dashboard", "Dashboard"],
];

/** The frame of every published page; a page that needs a script names a file under `/dashboard/page/`. */
export function Frame({ title, path, documents, script, children }: PublishedFrame) {
  const named = documents.filter(({ isPart }) => !isPart).map((one) => [one.path, one.title] as const);
  const bar = (
    <nav aria-label="Documents">
      <ul>
        {[...named, ...PLACES].map(([to, label]) => (
          <li>
            <a href={to} aria-current={to === path ? "page" : undefined}>
              {label}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
  const twin = documents.some((one) => one.path === path) ? twinOf(path) : undefined;
  return (
    <Document title={title} script={script} twin={twin} home="/docs/" bar={bar}>
      {children}
    </Document>
  );
}

interface PublishedFrame {
  readonly title: string;
  readonly path: string;
  readonly documents: readonly PublishedDocument[];
  readonly script?: string;
  readonly children?: Child;
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

## Programs and pages

- [Programs that make keys](/tools/): \`dkekey\` and \`dke.keys\`, with their sources and the signed lists of their digests.
- [Playground](/playground): a program run on a store of one hour, in a browser, without an account.
- [Dashboard](/dashboard): stores, keys, snapshots and what calls cost, for whoever has an account.
`;
}
