/** Connecting: every snippet as it is shown is parsed or executed, and the test of a connection sends what the page says. */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { type ClientGuide, clientGuides, type SnippetKind } from "../../src/dashboard/connect-snippets";
import { dashboard } from "../../src/dashboard/dashboard";
import { playgroundPages } from "../../src/pages/playground";
import { ROOT } from "../tidy/sources";
import { type MadeKey, newKey, type StoreOwner, storeOwner } from "./store-owner";

/** Beside the packages that a snippet imports. */
const folder = mkdtempSync(join(ROOT, "node_modules/.connect-"));
const url = new URL("/", inject("serviceUrl")).href;
const GUIDES = clientGuides(url);
let owner: StoreOwner;
let made: MadeKey;

beforeAll(async () => {
  owner = await storeOwner("Connected");
  made = await newKey(owner);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function guide(id: string): ClientGuide {
  const found = GUIDES.find((one) => one.id === id);
  if (found === undefined) throw new Error(`no client ${id}`);
  return found;
}

function snippet(id: string, kind: SnippetKind, index = 0): string {
  return guide(id).snippets.filter((one) => one.kind === kind && !one.text.startsWith("export "))[index].text;
}

/** Standard output of a program; it must end well. */
function runs(command: string, args: readonly string[], input = "", environment: Record<string, string> = {}): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: folder, env: { PATH: process.env["PATH"], DKE_KEY: made.key.text, ...environment } });
    let [out, err] = ["", ""];
    child.stdout.on("data", (data) => (out += data));
    child.stderr.on("data", (data) => (err += data));
    child.once("error", reject);
    child.once("close", (code) => (code === 0 ? resolve(out) : reject(new Error(`${command} ended with ${code}: ${err}`))));
    child.stdin.end(input);
  });
}

/** As the client that reads it fills in its variables. */
function filledIn(value: unknown, environment: Readonly<Record<string, string>>): unknown {
  return JSON.parse(
    JSON.stringify(value).replace(/\$\{([^}]+)\}/g, (_, name) => environment[name.replace(/^(env|input):/, "")] ?? "unknown"),
  );
}

/** A server entry of a client's file takes a call to the store. */
async function connects(server: { url: string; headers: Record<string, string> }): Promise<void> {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" });
  const response = await fetch(server.url, { method: "POST", headers: { ...server.headers, "content-type": "application/json" }, body });
  expect([response.status, ((await response.json()) as { result: { tools: unknown[] } }).result.tools.length]).toEqual([200, 19]);
}

describe("snippets", () => {
  const environment = () => ({ DKE_KEY: made.key.text, dke_key: made.key.text });

  it("[D.3] are shown as they are tested, a page for each client, each under 30 KB", async () => {
    expect(GUIDES.map(({ id }) => id)).toEqual([
      "claude-code",
      "cursor",
      "vs-code",
      "claude-desktop",
      "codex",
      "python",
      "typescript",
      "curl",
    ]);
    for (const { id, label, snippets, link } of GUIDES) {
      const { text } = await owner.browser.get(`${owner.at}/connect?client=${id}`);
      const shown = [...text.matchAll(/<pre tabindex="0">([\s\S]*?)<\/pre>/g)].map((match) => unescaped(match[1]));
      expect(shown, label).toEqual(snippets.map((one) => one.text));
      if (link !== undefined) expect(unescaped(text)).toContain(`href="${link.href}"`);
      expect(new TextEncoder().encode(text).length).toBeLessThan(30_000);
      // A key stands in no snippet.
      expect(JSON.stringify(snippets)).not.toMatch(/dke_s_[0-9A-Za-z]/);
    }
  });

  it("[D.3] curl: the command is executed, and answers", async () => {
    const answer = JSON.parse(await runs("bash", ["-c", snippet("curl", "shell")]));
    expect(answer.result.content[0].text).toContain("2");
  });

  it("[D.3] Python: the program without packages is executed, the one with mcp is well formed", async () => {
    expect(await runs("python3", ["-"], snippet("python", "python", 1))).toContain("2");
    expect(
      await runs("python3", ["-c", "import ast, sys; print(type(ast.parse(sys.stdin.read())).__name__)"], snippet("python", "python", 0)),
    ).toBe("Module\n");
  });

  it("[D.3] TypeScript: the program is executed with the official client", async () => {
    const file = join(folder, "connect.mts");
    writeFileSync(file, snippet("typescript", "typescript"));
    expect(await runs(process.execPath, ["--import", "tsx", file])).toContain("2");
    await owner.browser.get(`${owner.at}/keys`);
    expect((await owner.browser.get(`${owner.at}/keys`)).text).toContain("my-client 1.0.0");
  });

  it("[D.3] Claude Code: the command has its words in the order the program wants, and .mcp.json connects", async () => {
    const words = JSON.parse(
      await runs("bash", [
        "-c",
        `claude() { python3 -c 'import json, sys; print(json.dumps(sys.argv[1:]))' "$@"; }; ${snippet("claude-code", "show")}`,
      ]),
    );
    expect(words).toEqual(["mcp", "add", "--transport", "http", "dke", url, "--header", `Authorization: Bearer ${made.key.text}`]);
    const { dke } = (filledIn(JSON.parse(snippet("claude-code", "json")), environment()) as { mcpServers: { dke: never } }).mcpServers;
    expect(dke).toMatchObject({ type: "http" });
    await connects(dke);
  });

  it("[D.3] Cursor: the file connects, and the link carries the same server", async () => {
    const { dke } = JSON.parse(snippet("cursor", "json")).mcpServers;
    await connects(filledIn(dke, environment()) as never);
    const link = new URL(guide("cursor").link?.href ?? "");
    expect([link.protocol, link.host, link.pathname, link.searchParams.get("name")]).toEqual([
      "cursor:",
      "anysphere.cursor-deeplink",
      "/mcp/install",
      "dke",
    ]);
    expect(JSON.parse(atob(link.searchParams.get("config") ?? ""))).toEqual(dke);
  });

  it("[D.3] VS Code: the file connects and asks for the key hidden, and the link carries the same server", async () => {
    const { inputs, servers } = JSON.parse(snippet("vs-code", "json"));
    expect(inputs).toMatchObject([{ id: "dke_key", password: true }]);
    await connects(filledIn(servers.dke, environment()) as never);
    const href = guide("vs-code").link?.href ?? "";
    expect(href.startsWith("vscode:mcp/install?")).toBe(true);
    expect(JSON.parse(decodeURIComponent(href.slice(href.indexOf("?") + 1)))).toEqual({ name: "dke", ...servers.dke, inputs });
  });

  it("[D.3] Claude Desktop: mcp-remote is given the address and a header without a blank of its own", async () => {
    const { command, args, env } = JSON.parse(snippet("claude-desktop", "json")).mcpServers.dke;
    expect([command, args.slice(0, 3)]).toEqual(["npx", ["-y", "mcp-remote", url]]);
    const own = filledIn(env, environment()) as Record<string, string>;
    const header = (filledIn(args, own) as string[])[args.indexOf("--header") + 1];
    expect(args.every((word: string) => !word.includes(" "))).toBe(true);
    const [name, value] = header.split(/:(.*)/s);
    await connects({ url, headers: { [name]: value } });
  });

  it("[D.3] Codex: the file is TOML, with the address and the variable", async () => {
    const read = "import json, sys, tomllib; print(json.dumps(tomllib.loads(sys.stdin.read())))";
    expect(JSON.parse(await runs("python3", ["-c", read], snippet("codex", "toml")))).toEqual({
      mcp_servers: { dke: { url, bearer_token_env_var: "DKE_KEY" } },
    });
  });
});

describe("the test of a connection", () => {
  it.each([
    ["the dashboard's pages", () => dashboard(), "/sign-in"],
    ["the playground", () => playgroundPages([], 1), "/playground"],
  ] as const)("[C7.50] %s reach the service on a host of its own, and no other", async (_, pages, path) => {
    const policy = async (settings: object) => {
      const answer = await pages().request(`https://pages.example${path}`, {}, { DIRECTORY: {}, ...settings });
      expect(answer.status).toBe(200);
      return /connect-src ([^;]*);/.exec(answer.headers.get("content-security-policy") ?? "")?.[1];
    };
    expect(await policy({})).toBe("'self'");
    expect(await policy({ API_URL: "https://pages.example/" })).toBe("'self'");
    expect(await policy({ API_URL: "https://api.example/" })).toBe("'self' https://api.example");
  });

  it("[D.3] sends the call that the page shows, and every key but one of another store gets an answer that says something", async () => {
    const { text } = await owner.browser.get(`${owner.at}/connect`);
    const form = /<form id="test"[^>]*>/.exec(text)?.[0] ?? "";
    const attribute = (name: string) => unescaped(new RegExp(`data-${name}="([^"]*)"`).exec(form)?.[1] ?? "");
    expect([attribute("store"), attribute("url")]).toEqual([owner.storeId, url]);
    expect(form).not.toMatch(/action=|method=/);
    const ask = async (key: string) => {
      const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
      const response = await fetch(attribute("url"), { method: "POST", headers, body: attribute("request") });
      return { status: response.status, body: (await response.json()) as { result?: { isError: boolean; content: { text: string }[] } } };
    };
    const taken = await ask(made.key.text);
    expect([taken.status, taken.body.result?.isError]).toEqual([200, false]);
    expect(taken.body.result?.content[0].text).toContain(owner.storeId);
    const none = await newKey(owner, { level: "none", opener: made.key });
    expect((await ask(none.key.text)).body.result?.isError).toBe(true);
    expect((await ask(`${made.key.text.slice(0, -1)}x`)).status).toBe(401);
    // It costs nothing.
    expect((await owner.browser.get(`${owner.at}/activity`)).text).not.toContain(">stores</td>");
  });

  it("[D.9] a store without a key says what comes first", async () => {
    const fresh = await storeOwner();
    const { text } = await fresh.browser.get(`${fresh.at}/connect`);
    expect(text).toContain("Make its first key");
  });
});

function unescaped(text: string): string {
  return text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"').replaceAll("&#39;", "'").replaceAll("&amp;", "&");
}
