/** The published pages: each with its Markdown twin, every link alive, nothing a browser is told not to run. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, inject, it } from "vitest";
import { PACKS } from "../../src/request/packs";
import { SPEC_TOPICS } from "../../src/worker/mcp/tool-introspection";
import { TOOLS } from "../../src/worker/mcp/tools";
import { wireErrors } from "../../src/worker/wire-error";

const PATHS = [
  "/docs/",
  "/ref/",
  "/ref/dke/mcp/",
  "/ref/request",
  "/spec/dke/python/",
  ...SPEC_TOPICS.map((topic) => `/spec/dke/python/${topic}`),
  "/security",
];

interface Page {
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
}

const seen = new Map<string, Page>();
async function page(path: string, headers: Record<string, string> = {}): Promise<Page> {
  const name = path + JSON.stringify(headers);
  const known = seen.get(name);
  if (known !== undefined) return known;
  const response = await fetch(new URL(path, inject("serviceUrl")), { headers, redirect: "manual" });
  const read = { status: response.status, text: await response.text(), headers: response.headers };
  seen.set(name, read);
  return read;
}

const twin = (path: string) => (path.endsWith("/") ? `${path}index.md` : `${path}.md`);
const plain = (html: string) =>
  html
    .replace(/<[^>]+>/g, "")
    .replace(/&(lt|gt|quot|amp|#39);/g, (_, name) => ({ lt: "<", gt: ">", quot: '"', amp: "&", "#39": "'" })[name as string] ?? "");

/** Headings of Markdown, fences left out. */
function headingsOf(markdown: string): string[] {
  const text = markdown.replace(/^```[^\n]*\n[\s\S]*?^```$/gm, "");
  return [...text.matchAll(/^(#{1,6}) (.+)$/gm)].map(([, marks, words]) => `${marks.length} ${words.replace(/[`*]/g, "")}`);
}

describe("published pages", () => {
  beforeAll(async () => {
    for (const path of PATHS) await page(path);
  });

  it.each(PATHS)("[docs] %s and its Markdown have the same headings, and name each other", async (path) => {
    const html = await page(path);
    expect([html.status, html.headers.get("content-type")]).toEqual([200, "text/html; charset=UTF-8"]);
    expect(html.headers.get("link")).toBe(`<${twin(path)}>; rel="alternate"; type="text/markdown"`);
    const markdown = await page(twin(path));
    expect([markdown.status, markdown.headers.get("content-type")]).toEqual([200, "text/markdown; charset=utf-8"]);
    expect(markdown.text.startsWith("> All documents of this service: /llms.txt")).toBe(true);
    const body = html.text.slice(html.text.indexOf("<main"));
    const shown = [...body.matchAll(/<h([1-6])[^>]*>(.*?)<\/h\1>/gs)].map(([, depth, words]) => `${depth} ${plain(words)}`);
    expect(shown).toEqual(headingsOf(markdown.text));
    expect(markdown.text).not.toMatch(/\bundefined\. /);
    expect(shown.length).toBeGreaterThan(1);
    const asked = await page(path, { accept: "text/markdown, text/html;q=0.5" });
    expect(asked.text).toBe(markdown.text);
    expect(asked.headers.get("vary")).toContain("Accept");
    expect((await page(path, { accept: "text/html,application/xhtml+xml,*/*;q=0.8" })).text).toBe(html.text);
  });

  it("[docs] have no dead link, and no link to a part that is not there", async () => {
    const waiting = [...PATHS, "/playground", "/tools/", "/llms.txt", ...PATHS.map(twin)];
    const visited = new Set<string>();
    const dead: string[] = [];
    let links = 0;
    for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
      if (visited.has(path)) continue;
      visited.add(path);
      const { status, text, headers } = await page(path);
      if (status >= 400) dead.push(path);
      if (status !== 200) continue;
      const isHtml = headers.get("content-type")?.startsWith("text/html") === true;
      const targets = isHtml
        ? [...text.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, target]) => target)
        : [...text.matchAll(/\]\((\/[^)\s]*|#[^)\s]*)\)/g)].map(([, target]) => target);
      for (const target of targets) {
        links++;
        const url = new URL(target, new URL(path, "http://here/"));
        if (url.host !== "here") continue;
        const found = await page(url.pathname);
        if (found.status >= 400) dead.push(`${path} -> ${target}`);
        if (url.hash !== "" && isHtml && !found.text.includes(`id="${decodeURIComponent(url.hash.slice(1))}"`))
          dead.push(`${path} -> ${target}`);
        if (url.pathname.startsWith("/docs") || url.pathname.startsWith("/ref") || url.pathname.startsWith("/spec"))
          waiting.push(url.pathname);
      }
    }
    expect(dead).toEqual([]);
    expect(links).toBeGreaterThan(100);
  });

  it("[docs] llms.txt names every document, and llms-full.txt holds them", async () => {
    const index = (await page("/llms.txt")).text;
    for (const place of ["/tools/", "/playground", "/dashboard"]) expect(index).toContain(`(${place})`);
    const full = (await page("/llms-full.txt")).text;
    for (const path of PATHS) {
      expect(index).toContain(`(${twin(path)})`);
      expect(full).toContain((await page(twin(path))).text.split("\n").slice(2).join("\n").trimEnd());
    }
  });

  it("[docs] the references are read off what is served", async () => {
    const wire = (await page("/ref/dke/mcp/index.md")).text;
    expect((await page("/ref/dke/mcp/dke-mcp-ref.md")).text).toBe(wire);
    for (const { name } of TOOLS) expect(wire).toContain(`\n### ${name}\n`);
    for (const [code, status] of wireErrors()) expect(wire).toContain(`| \`${code}\` | ${status} |`);
    const verbs = (await page("/ref/request.md")).text;
    for (const { name } of PACKS.all()) expect(verbs).toContain(`\n### ${name}\n`);
    for (const topic of SPEC_TOPICS)
      expect((await page(`/spec/dke/python/${topic}.md`)).text).toContain(readFileSync(join("src/spec", `${topic}.md`), "utf8"));
  });

  it("[C7.50] every page has its policy and no script, style or handler of its own", async () => {
    for (const path of [...PATHS, "/playground", "/tools/"]) {
      const { text, headers } = await page(path);
      expect(headers.get("content-security-policy"), path).toBe(
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'",
      );
      expect([headers.get("x-content-type-options"), headers.get("x-frame-options")], path).toEqual(["nosniff", "DENY"]);
      expect(text, path).toMatch(/^<!DOCTYPE html><html lang="en">/);
      expect(text.replace(/<script type="module" src="\/dashboard\/page\/[a-z]+\.js"><\/script>/, ""), path).not.toMatch(
        /<script|<style|<iframe| style="| on[a-z]+="/i,
      );
      expect(headers.getSetCookie()).toEqual([]);
    }
  });

  it("[docs] what is no page is answered as before", async () => {
    for (const path of ["/nothing", "/docs/nothing", "/spec/dke/python/nothing.md", "/ref/constructor"]) {
      const { status, text } = await page(path);
      expect([status, JSON.parse(text).code], path).toEqual([404, "NOT_FOUND"]);
    }
    expect((await page("/docs")).headers.get("location")).toBe("/docs/");
  });

  it("[docs] the language is found where the contract links to it", async () => {
    for (const path of ["/ref/dke/python", "/ref/dke/python/"]) {
      const { status, headers } = await page(path);
      expect([status, headers.get("location")], path).toEqual([301, "/spec/dke/python/"]);
    }
  });
});
