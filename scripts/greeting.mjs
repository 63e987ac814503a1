/** What `npm start` tells a person: where the service is, its keys, and the two things to paste. */

export function greeting({ url, dashboard_url: dashboardUrl, stores }) {
  const key = stores[0].keys["read-write-delete"];
  const lines = [`DKE answers at ${url}`, `Its pages are at ${dashboardUrl}`, ""];
  for (const store of stores) {
    lines.push(`store ${store.id}`);
    for (const level of ["read", "read-add", "read-write", "read-write-delete", "none"])
      lines.push(`  ${level.padEnd(18)} ${store.keys[level]}`);
    lines.push("");
  }
  const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "run", arguments: { source: "print(1 + 1)" } } };
  const config = { mcpServers: { dke: { type: "http", url, headers: { Authorization: `Bearer ${key}` } } } };
  lines.push(
    "Try it:",
    "",
    `curl -s ${url} -H 'Authorization: Bearer ${key}' -H 'Content-Type: application/json' \\`,
    `  -d '${JSON.stringify(call)}'`,
    "",
  );
  lines.push(
    "A client's configuration (Streamable HTTP, not SSE):",
    "",
    JSON.stringify(config, null, 2),
    "",
    "Ctrl-C ends it; the data and the keys stay.",
    "",
  );
  return lines.join("\n");
}
