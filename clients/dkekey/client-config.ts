/** What popular clients want to be told of an endpoint and a key. */
import { Misuse } from "./account.ts";

export const CLIENTS = ["claude-code", "cursor", "vscode", "claude-desktop", "codex"] as const;
export type ClientName = (typeof CLIENTS)[number];

/** The text of the client's configuration file, the key in it. */
export function configFor(client: ClientName, endpoint: string, key: string): string {
  const authorization = `Bearer ${key}`;
  const server = { type: "http", url: endpoint, headers: { Authorization: authorization } };
  switch (client) {
    case "claude-code":
    case "cursor":
      return json({ mcpServers: { dke: server } });
    case "vscode":
      return json({ servers: { dke: server } });
    case "claude-desktop":
      // Through mcp-remote; a header with a blank in it does not survive the command line of Windows, so it goes by the environment.
      return json({
        mcpServers: {
          dke: {
            command: "npx",
            args: ["mcp-remote", endpoint, "--transport", "http-only", "--header", `Authorization:\${DKE_AUTH}`],
            env: { DKE_AUTH: authorization },
          },
        },
      });
    case "codex":
      return `[mcp_servers.dke]\nurl = ${JSON.stringify(endpoint)}\nhttp_headers = { Authorization = ${JSON.stringify(authorization)} }\n`;
    default:
      throw new Misuse(`client is one of ${CLIENTS.join(", ")}`);
  }
}

function json(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
