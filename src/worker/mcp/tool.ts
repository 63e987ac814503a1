/**
 * What the wire says of one tool, and how its arguments are checked.
 *
 * A schema is strict: an argument it does not list is refused by name (rulings, "Not found"). What only the store or
 * the language can tell of an argument (a name's form, a mark that is not there) is the tool's to say.
 */
import * as z from "zod";

export interface Tool {
  readonly name: string;
  readonly title: string;
  /** First sentence: when to use it. At most 1,800 bytes, since clients cut at 2 KB. */
  readonly description: string;
  readonly schema: z.ZodObject;
  readonly readOnly?: true;
  readonly destructive?: true;
  readonly idempotent?: true;
  /** Reaches beyond the store: `report`. */
  readonly openWorld?: true;
  /** Its results are long by nature; some clients then keep more of them. */
  readonly longResult?: true;
}

export type Arguments = Readonly<Record<string, unknown>>;
export type Checked = { readonly ok: true; readonly args: Arguments } | { readonly ok: false; readonly message: string };

/** A program or module text, taken as it is: what is wrong in it is the language's to say, with line and column. */
export const sourceText = (description: string) => z.string().describe(description);
/** Any other text. What JSON can spell and Unicode cannot (half of a surrogate pair) is refused. */
export const text = (description: string) =>
  z
    .string()
    .refine((value) => !HALF_A_PAIR.test(value), "holds half of a surrogate pair, which is not Unicode text")
    .describe(description);
const HALF_A_PAIR = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/;

export const edition = z.enum(["python"]).optional().meta({ description: "The concrete language.", default: "python" });
export const language = z.enum(["eng"]).optional().meta({ description: "The natural-language keyword surface.", default: "eng" });

export function checkArguments(tool: Tool, given: Arguments): Checked {
  const result = tool.schema.safeParse(given);
  if (result.success) return { ok: true, args: result.data };
  const messages = result.error.issues.map((issue) => describeIssue(issue, given, tool));
  return { ok: false, message: `invalid params: ${[...new Set(messages)].join("; ")}` };
}

function describeIssue(issue: z.core.$ZodIssue, given: Arguments, tool: Tool): string {
  const name = String(issue.path[0] ?? "");
  switch (issue.code) {
    case "unrecognized_keys": {
      const listed = Object.keys(tool.schema.shape);
      const taken = listed.length === 0 ? "no argument" : listed.map((key) => `\`${key}\``).join(", ");
      return `${tool.name} takes ${taken}; got ${issue.keys.map((key) => `\`${key.slice(0, 64)}\``).join(", ")}`;
    }
    case "invalid_type":
      if (!Object.hasOwn(given, name) || given[name] === undefined) return `\`${name}\` is missing`;
      return `\`${name}\` must be ${issue.expected === "string" ? "text" : issue.expected}, got ${jsonTypeOf(given[name])}`;
    case "invalid_value": {
      const wanted = issue.values.map((value) => JSON.stringify(value)).join(", ");
      if (!Object.hasOwn(given, name)) return `\`${name}\` is missing: it takes ${wanted}`;
      return `\`${name}\` takes ${wanted}, got ${typeof given[name] === "string" ? JSON.stringify(given[name].slice(0, 64)) : jsonTypeOf(given[name])}`;
    }
    default:
      return `\`${name}\` ${issue.message}`;
  }
}

function jsonTypeOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "boolean") return String(value);
  return typeof value === "object" ? "an object" : typeof value === "string" ? "text" : `a ${typeof value}`;
}

/** The `tools/list` entry. No `$schema`, no `outputSchema`: clients fetch the one and show only the other's result. */
export function listEntry(tool: Tool): Record<string, unknown> {
  const { type, properties, required } = z.toJSONSchema(tool.schema, { target: "draft-7", io: "input" });
  const inputSchema = { type, properties, ...(required === undefined ? {} : { required }), additionalProperties: false };
  const annotations = {
    title: tool.title,
    readOnlyHint: tool.readOnly === true,
    ...(tool.readOnly === true ? {} : { destructiveHint: tool.destructive === true, idempotentHint: tool.idempotent === true }),
    openWorldHint: tool.openWorld === true,
  };
  const entry = { name: tool.name, description: tool.description, inputSchema, annotations };
  return tool.longResult === true ? { ...entry, _meta: { "anthropic/maxResultSizeChars": 500_000 } } : entry;
}
