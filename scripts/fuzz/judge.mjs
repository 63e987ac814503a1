/** What may come back, whatever was sent: the shapes of the contract and nothing else. */

const HTTP_CODES = {
  400: /^BODY_BROKEN_OFF$/,
  401: /^AUTH_/,
  403: /^ORIGIN_FORBIDDEN$/,
  404: /^NOT_FOUND$/,
  405: /^METHOD_NOT_ALLOWED$/,
  408: /^BODY_TIMEOUT$/,
  413: /^BODY_TOO_LARGE$/,
  415: /^BODY_ENCODED$/,
  429: /^RATE_LIMITED$/,
};
const RPC_CODES = [-32700, -32600, -32601, -32602, -32002];
const STATUSES = ["success", "refuse", "engine_error", "compile_error"];
const REASONS = [
  "out_of_surface",
  "incomplete_slots",
  "ambiguous",
  "scope_forbidden",
  "still_referenced",
  "pinned_address",
  "immutable_in_branch",
  "conflicting_write",
  "invalid_value",
  "limit_exceeded",
  "derived_field",
  "asserted_field",
  "not_recorded",
  "already_in_effect",
];

function want(condition, what) {
  if (!condition) throw new Error(what);
}

/** Throws where the answer is not one the contract knows; gives its kind. */
export function judge(sent, { status, headers, text }) {
  want(status < 500, `HTTP ${status}: ${text.slice(0, 300)}`);
  want(!/\.[jt]s:\d|node_modules|SQLITE_|workerd|\\n +at \w/.test(text), `an answer tells how the service is built: ${text.slice(0, 400)}`);
  if (status === 202 || status === 204) {
    want(text === "", `${status} with a body`);
    want(status !== 202 || !isRequest(sent), "a request is answered, not acknowledged");
    return String(status);
  }
  if (sent.method === "HEAD") return `HEAD ${status}`;
  want(headers["content-type"] === "application/json", `content-type ${headers["content-type"]}`);
  const answer = JSON.parse(text);
  if (status !== 200) {
    want(HTTP_CODES[status]?.test(answer.code) === true, `HTTP ${status} ${text.slice(0, 200)}`);
    want(typeof answer.message === "string" && answer.message.endsWith("."), "an HTTP refusal says what to do");
    want(status !== 401 || headers["www-authenticate"] === 'Bearer realm="DKE"', "a 401 carries the challenge");
    return `HTTP ${status}`;
  }
  if (answer.status === "ok" && sent.path === "/health") return "health";
  want(answer.jsonrpc === "2.0" && "id" in answer, "JSON-RPC 2.0 with an id");
  want("result" in answer !== "error" in answer, "a result or an error, and one of them");
  checkId(sent, answer.id);
  if ("error" in answer) {
    want(RPC_CODES.includes(answer.error.code), `error ${answer.error.code}: ${answer.error.message}`);
    want(typeof answer.error.message === "string" && answer.error.message.length > 0, "an error has a message");
    return `error ${answer.error.code}`;
  }
  if (answer.result.content === undefined) return "result";
  return checkToolResult(answer.result);
}

function isRequest({ body }) {
  let message;
  try {
    message = JSON.parse(body.replace(/^\ufeff/, ""));
  } catch {
    return false;
  }
  return typeof message?.method === "string" && Object.hasOwn(message, "id");
}

/** The id of a request comes back as it was, its type included; otherwise null. */
function checkId(sent, id) {
  let message;
  try {
    message = JSON.parse(sent.body.replace(/^\ufeff/, ""));
  } catch {
    return want(id === null, `an id of a body that is no JSON: ${id}`);
  }
  const given = typeof message === "object" && message !== null && !Array.isArray(message) ? message.id : undefined;
  const valid = typeof given === "string" || Number.isSafeInteger(given);
  want(id === (valid ? given : null), `asked as ${JSON.stringify(given)}, answered as ${JSON.stringify(id)}`);
}

function checkToolResult({ content, isError, _meta: meta }) {
  want(STATUSES.includes(meta.status), `status ${meta.status}`);
  want(isError === (meta.status !== "success"), "isError is status other than success");
  want((meta.refuse_reason !== undefined) === (meta.status === "refuse"), "a refusal has its reason, and nothing else has one");
  want(meta.refuse_reason === undefined || REASONS.includes(meta.refuse_reason), `refuse_reason ${meta.refuse_reason}`);
  want(Number.isSafeInteger(meta.ops) && meta.ops >= 0, `ops ${meta.ops}`);
  for (const name of ["tenant_id", "key_id", "answered_at"]) want(typeof meta[name] === "string" && meta[name] !== "", name);
  for (const item of content) want(item.type === "text" && typeof item.text === "string" && item.text !== "", "content is text");
  if (meta.status === "compile_error") {
    want(["parse_error", "type_error"].includes(meta.compile_status), `compile_status ${meta.compile_status}`);
    want(meta.diagnostics.length > 0 && meta.diagnostics.length <= 20, `${meta.diagnostics.length} diagnostics`);
    for (const one of meta.diagnostics) want(one.line > 0 && one.col > 0 && one.message !== "", `diagnostic ${JSON.stringify(one)}`);
  }
  for (const note of meta.notes ?? []) want(note.line > 0 && note.col > 0 && note.reason !== "" && note.teaching_hint !== "", "a note");
  if (meta.invoke_status !== undefined) checkRun(content, meta);
  else want(content.length === 1, "only a run has a mirror");
  return meta.status === "refuse" ? `refuse ${meta.refuse_reason}` : meta.status;
}

/** A run: its head, its transcript, and the mirror that holds less of it and counts the rest. */
function checkRun([{ text }, mirrored], meta) {
  want(
    meta.status === "success" ? text.startsWith("OK program: ") : text.startsWith("error: program failed — "),
    `head ${text.slice(0, 80)}`,
  );
  want((meta.invoke_status === "completed") === (meta.status === "success"), `invoke_status ${meta.invoke_status}`);
  for (const entry of meta.transcript) {
    want(entry.kind === "assign" || entry.kind === "print", `kind ${entry.kind}`);
    want((entry.kind === "assign") === (typeof entry.name === "string"), "a binding has a name, and nothing else has one");
    want(/^[A-Za-z_]\w*$/.test(entry.type), `type ${entry.type}`);
    want(typeof entry.value === "string" && entry.line > 0, "an entry has a value and a line");
  }
  const mirror = JSON.parse(mirrored.text);
  want(mirrored.text.startsWith("\n{") && mirror.status === meta.status && mirror.ops === meta.ops, "the mirror agrees");
  const prints = (entries) => JSON.stringify(entries.filter((entry) => entry.kind === "print"));
  want(prints(mirror.transcript) === prints(meta.transcript), "the mirror has every print");
  const kept = mirror.transcript.length + (mirror.transcript_omitted ?? 0);
  want(kept === meta.transcript.length + (meta.transcript_omitted ?? 0), "what is left out is counted");
}
