/** The official SDK's client on a started service, as an agent's program uses it. */
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

export interface ToolResult {
  readonly content: readonly { readonly type: string; readonly text: string }[];
  readonly isError: boolean;
  // biome-ignore lint/suspicious/noExplicitAny: `_meta` is looked at member by member.
  readonly _meta: any;
}

export async function connect(url: string, key: string): Promise<Client> {
  const client = new Client({ name: "dke-e2e", version: "1.0.0" });
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers: { authorization: `Bearer ${key}` } } }));
  return client;
}

/** A call whose answer is a tool result, whatever its status. */
export async function call(client: Client, name: string, args: Record<string, unknown> = {}, signal?: AbortSignal): Promise<ToolResult> {
  return (await client.callTool({ name, arguments: args }, undefined, { signal, timeout: 60_000 })) as unknown as ToolResult;
}

/** What a program printed, in order. */
export async function printed(client: Client, source: string): Promise<string[]> {
  const result = await call(client, "run", { source });
  if (result.isError) throw new Error(result.content[0].text);
  const prints = result._meta.transcript.filter((entry: { kind: string }) => entry.kind === "print");
  return prints.map((entry: { value: string }) => entry.value);
}
