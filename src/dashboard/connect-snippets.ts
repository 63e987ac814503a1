/**
 * How each popular client is connected: ready text, with the address in it and the key in the variable DKE_KEY.
 *
 * Pure data, so that tests can parse or execute every snippet as it is shown.
 */

/** What a text is, and so how a test holds it: `show` is a command whose program a test cannot have. */
export type SnippetKind = "shell" | "show" | "json" | "toml" | "python" | "typescript";

export interface Snippet {
  readonly say: string;
  readonly kind: SnippetKind;
  readonly text: string;
}

export interface ClientGuide {
  readonly id: string;
  readonly label: string;
  readonly snippets: readonly Snippet[];
  /** Opens the client with the server filled in. */
  readonly link?: { readonly label: string; readonly href: string };
  readonly note?: string;
}

/** @param url  Where clients connect. */
export function clientGuides(url: string): readonly ClientGuide[] {
  return [claudeCode(url), cursor(url), vsCode(url), claudeDesktop(url), codex(url), python(url), typescript(url), curl(url)];
}

const KEEP: Snippet = { say: "Put the key into the environment of the client:", kind: "shell", text: 'export DKE_KEY="dke_s_…"' };

/** As the client that reads it writes a variable. */
function variable(name: string): string {
  return `\${${name}}`;
}

function json(value: unknown): string {
  return JSON.stringify(value, null, 2);
}

function claudeCode(url: string): ClientGuide {
  return {
    id: "claude-code",
    label: "Claude Code",
    snippets: [
      KEEP,
      {
        say: "Then add the server:",
        kind: "show",
        text: `claude mcp add --transport http dke ${url} --header "Authorization: Bearer $DKE_KEY"`,
      },
      {
        say: "Or, for everybody who works on a project, in its .mcp.json; the key stays in the environment:",
        kind: "json",
        text: json({ mcpServers: { dke: { type: "http", url, headers: { Authorization: `Bearer ${variable("DKE_KEY")}` } } } }),
      },
    ],
  };
}

function cursor(url: string): ClientGuide {
  const server = { url, headers: { Authorization: `Bearer ${variable("env:DKE_KEY")}` } };
  return {
    id: "cursor",
    label: "Cursor",
    snippets: [
      KEEP,
      { say: "Then, in ~/.cursor/mcp.json or a project's .cursor/mcp.json:", kind: "json", text: json({ mcpServers: { dke: server } }) },
    ],
    link: {
      label: "Add to Cursor",
      href: `cursor://anysphere.cursor-deeplink/mcp/install?name=dke&config=${encodeURIComponent(btoa(JSON.stringify(server)))}`,
    },
    note: "Cursor reads the variable from the environment it was started in.",
  };
}

function vsCode(url: string): ClientGuide {
  const inputs = [{ type: "promptString", id: "dke_key", description: "Store key of DKE", password: true }];
  const server = { type: "http", url, headers: { Authorization: `Bearer ${variable("input:dke_key")}` } };
  return {
    id: "vs-code",
    label: "VS Code",
    snippets: [
      {
        say: "In .vscode/mcp.json; VS Code asks for the key once, and keeps it:",
        kind: "json",
        text: json({ inputs, servers: { dke: server } }),
      },
    ],
    link: { label: "Add to VS Code", href: `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name: "dke", ...server, inputs }))}` },
    note: "If VS Code asks for a client id, the key was refused: it looks for a sign-in page, and there is none. Check the key.",
  };
}

function claudeDesktop(url: string): ClientGuide {
  const server = {
    command: "npx",
    args: ["-y", "mcp-remote", url, "--transport", "http-only", "--header", `Authorization:${variable("DKE_AUTHORIZATION")}`],
    env: { DKE_AUTHORIZATION: `Bearer ${variable("DKE_KEY")}` },
  };
  return {
    id: "claude-desktop",
    label: "Claude Desktop",
    snippets: [
      {
        say: `In claude_desktop_config.json, with your key in the place of ${variable("DKE_KEY")}: Claude Desktop fills in no variables.`,
        kind: "json",
        text: json({ mcpServers: { dke: server } }),
      },
    ],
    note: "The blank of the header stands in the variable, since arguments with blanks are torn apart on Windows.",
  };
}

function codex(url: string): ClientGuide {
  return {
    id: "codex",
    label: "Codex",
    snippets: [
      KEEP,
      { say: "Then, in ~/.codex/config.toml:", kind: "toml", text: `[mcp_servers.dke]\nurl = "${url}"\nbearer_token_env_var = "DKE_KEY"` },
    ],
  };
}

function python(url: string): ClientGuide {
  return {
    id: "python",
    label: "Python",
    snippets: [
      KEEP,
      {
        say: "With the package mcp:",
        kind: "python",
        text: `import asyncio, os
from mcp import ClientSession
from mcp.client.streamable_http import streamablehttp_client

async def main():
    headers = {"Authorization": f"Bearer {os.environ['DKE_KEY']}"}
    async with streamablehttp_client("${url}", headers=headers) as (read, write, _):
        async with ClientSession(read, write) as session:
            await session.initialize()
            answer = await session.call_tool("run", {"source": "print(1 + 1)"})
            print(answer.content[0].text)

asyncio.run(main())`,
      },
      {
        say: "Or with nothing but Python:",
        kind: "python",
        text: `import json, os, urllib.request

call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": {"name": "run", "arguments": {"source": "print(1 + 1)"}}}
request = urllib.request.Request("${url}", json.dumps(call).encode(), {
    "Authorization": f"Bearer {os.environ['DKE_KEY']}",
    "Content-Type": "application/json",
})
with urllib.request.urlopen(request) as response:
    print(json.load(response)["result"]["content"][0]["text"])`,
      },
    ],
  };
}

function typescript(url: string): ClientGuide {
  return {
    id: "typescript",
    label: "TypeScript",
    snippets: [
      KEEP,
      {
        say: "With the package @modelcontextprotocol/sdk:",
        kind: "typescript",
        text: `import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

const headers = { Authorization: \`Bearer \${process.env.DKE_KEY}\` };
const client = new Client({ name: "my-client", version: "1.0.0" });
await client.connect(new StreamableHTTPClientTransport(new URL("${url}"), { requestInit: { headers } }));
const answer = await client.callTool({ name: "run", arguments: { source: "print(1 + 1)" } });
console.log(JSON.stringify(answer.content));
await client.close();`,
      },
    ],
  };
}

function curl(url: string): ClientGuide {
  return {
    id: "curl",
    label: "curl",
    snippets: [
      KEEP,
      {
        say: "Then:",
        kind: "shell",
        text: `curl -s ${url} \\
  -H "Authorization: Bearer $DKE_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"run","arguments":{"source":"print(1 + 1)"}}}'`,
      },
    ],
  };
}
