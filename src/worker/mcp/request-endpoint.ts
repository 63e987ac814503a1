/**
 * The second endpoint, `/request`: one tool whose text makes calls of verbs. What it says of itself, and what is refused
 * or answered before a store is asked for anything.
 */
import { FORMATS, PRESENTATIONS } from "../../request/request-arguments";
import { RELEASE } from "./release";

export const REQUEST_INSTRUCTIONS =
  "One tool, `request`, over the store behind your key. Its `ops` holds calls of verbs: verb(name=value), a batch [a(), b()], a chain a() | b(id=$prev.id). verbs() lists the verbs, help=true on any verb tells what it takes, plan=true checks a text without running it.";

const DESCRIPTION = `Calls one or more verbs on your store. ops is text: create(kind="concept", name="LoRA") for one call, [stats(), search(kind="entity", query="LoRA")] for independent ones, create(...) | link(source_id=$prev.id, ...) where a call needs the result of the one before; JSON {"tool": "...", "args": {...}} or an array of such objects does the same without chains.

Values are JSON: strings in double quotes, no barewords, arguments always by name. Verbs: verbs() lists them, verbs(pack="kg") those of one pack, create(help=true) everything about one. Kept are entities and notes, joined by relations; dke.run(source="...") reasons over them in DKE Python, where they are Kinds of the module kg.

The answer is JSON: {"results": [{"ok": true, "tool", "result"} | {"ok": false, "tool", "error"}], "summary", "status"}. An op that fails stops only the rest of its own chain. plan=true reads the text and runs nothing.`;

const nullable = (schema: object) => ({ anyOf: [schema, { type: "null" }] });
const words = (values: readonly string[], description: string) => ({ ...nullable({ type: "string", enum: values }), description });
const perOp = (values: readonly string[], description: string) => ({
  ...nullable({ type: "array", items: nullable({ type: "string", enum: values }) }),
  description,
});

const REQUEST = {
  name: "request",
  description: DESCRIPTION,
  inputSchema: {
    type: "object",
    properties: {
      ops: { type: "string", description: "The calls, in the call form or the JSON form; at most 100 of them in 1 MiB." },
      presentation: words(
        PRESENTATIONS,
        "agent (default; with `save_to` the default is verbose): short ids, nothing empty. verbose, human: results as they are.",
      ),
      presentation_per_op: perOp(PRESENTATIONS, "Entry i for op i; null takes `presentation`."),
      format: words(FORMATS, "json (default), or auto and table: rows as a Markdown table."),
      format_per_op: perOp(FORMATS, "Entry i for op i; null takes `format`."),
      save_to: {
        ...nullable({ type: "string" }),
        description: "A relative path: results go to a file of one JSON line an op; a manifest is answered.",
      },
      request_id: {
        ...nullable({ type: "integer", minimum: 0 }),
        description: "A label of yours, up to 2^64 - 1: the answer and the events of the request carry it.",
      },
      plan: { ...nullable({ type: "boolean" }), description: "true: only read the text and look the verbs up. Takes `ops` alone." },
    },
    required: ["ops"],
    additionalProperties: false,
  },
  annotations: { title: "Call verbs", readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
  _meta: { "anthropic/maxResultSizeChars": 500_000 },
};

/** The `tools/list` result. */
export const REQUEST_CATALOGUE = { tools: [REQUEST], _meta: RELEASE };
