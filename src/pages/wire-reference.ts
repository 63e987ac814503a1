/** The reference of the wire, one page of Markdown read off what the service itself works from: its tools and its errors. */

export interface ToolEntry {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: {
    readonly properties: Readonly<
      Record<string, { readonly type?: string; readonly enum?: readonly string[]; readonly description?: string }>
    >;
    readonly required?: readonly string[];
  };
}

export interface WireFacts {
  readonly release: { readonly stage: string; readonly api_version: string; readonly revision: number };
  readonly protocolVersion: string;
  readonly tools: readonly ToolEntry[];
  readonly httpErrors: readonly (readonly [code: string, status: number, message: string])[];
  readonly rpcErrors: readonly (readonly [code: number, means: string])[];
}

export function wireReference({ release, protocolVersion, tools, httpErrors, rpcErrors }: WireFacts): string {
  return `# The wire: MCP over HTTPS

Release: ${release.stage}, API ${release.api_version}, revision ${release.revision}. Read off the service's own catalogue.

## Connecting

- One message a \`POST\` to the root of the service's host: JSON-RPC 2.0, MCP over Streamable HTTP (not SSE), protocol ${protocolVersion}.
- \`Authorization: Bearer dke_s_…\`, a store key; \`Content-Type: application/json\`. There is no sign-in and no session.
- A tool's result is one text, \`content[0].text\`; \`_meta\` tells its \`status\`, \`key_id\`, \`answered_at\` and \`ops\`.
- The same tools as verbs, and records over the same store: [the request endpoint](/ref/request).
- The language of programs: [DKE Python](/spec/dke/python/).

\`\`\`json
{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "run", "arguments": {"source": "print(1 + 1)"}}}
\`\`\`

## Tools

${tools.map(toolSection).join("\n\n")}

## Errors of HTTP

The body is \`{"code", "message"}\`. Everything else is HTTP 200 and JSON-RPC.

| code | status | message |
|---|---|---|
${httpErrors.map(([code, status, message]) => `| \`${code}\` | ${status} | ${cell(message)} |`).join("\n")}

## Errors of JSON-RPC

| code | means |
|---|---|
${rpcErrors.map(([code, means]) => `| \`${code}\` | ${cell(means)} |`).join("\n")}
`;
}

function toolSection({ name, description, inputSchema }: ToolEntry): string {
  const required = new Set(inputSchema.required ?? []);
  const rows = Object.entries(inputSchema.properties).map(([argument, schema]) => {
    const type = schema.enum?.map((one) => `\`${one}\``).join(", ") ?? schema.type ?? "any";
    return `| \`${argument}\`${required.has(argument) ? " •" : ""} | ${cell(type)} | ${cell(schema.description ?? "")} |`;
  });
  const table = rows.length === 0 ? "Takes nothing." : ["| argument | type | meaning |", "|---|---|---|", ...rows].join("\n");
  return `### ${name}\n\n${description}\n\n${table}`;
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll("\n", " ");
}
