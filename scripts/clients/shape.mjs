/** What a client looks at in an answer: recorded once, and held against each later answer to the same request. */

/** @param text  The body as it came; leading newlines of a long call are whitespace. */
export function shapeOf(status, text) {
  if (text.trim() === "") return { status };
  const body = JSON.parse(text);
  if (status !== 200) return { status, code: body.code, error: body.error };
  const { id, error, result } = body;
  if (error !== undefined) return { status, id, error: error.code };
  if (result.tools !== undefined) return { status, id, tools: result.tools.map((tool) => tool.name), release: result._meta };
  if (result.protocolVersion !== undefined)
    return { status, id, protocolVersion: result.protocolVersion, capabilities: result.capabilities, serverInfo: result.serverInfo };
  if (result.content === undefined) return { status, id, result };
  const { _meta: meta } = result;
  const prints = meta.transcript?.filter((entry) => entry.kind === "print").map((entry) => entry.value);
  return {
    status,
    id,
    isError: result.isError,
    items: result.content.map((item) => item.type),
    said: meta.status,
    reason: meta.refuse_reason,
    compile: meta.compile_status,
    // How far an ended call came is chance.
    prints: prints?.some((value) => /^\d+$/.test(value)) ? "a number" : prints,
  };
}
