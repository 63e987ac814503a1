/**
 * What is said of a verb: the answer to `help=true`, its line in `verbs()`, its part of the reference page.
 */
import * as z from "zod";
import type { JsonObject, RequestJson } from "./request-json";
import type { Verb } from "./verb";

export function verbHelp(verb: Verb): JsonObject {
  const { properties, ...schema } = inputSchema(verb);
  return {
    verb: verb.name,
    pack: verb.pack,
    description: verb.description,
    category: verb.class,
    params: [...verbParams(verb), { name: "namespace", type: "string", required: false, description: NAMESPACE.description }].map(
      (param) => ({
        ...param,
      }),
    ),
    result: verb.result,
    example: verb.example,
    input_schema: { ...schema, properties: { ...(properties as JsonObject), namespace: NAMESPACE } },
    identifier_resolution: {
      full_uuid: "accepted wherever an id is: 36 characters, or 32 hexadecimal digits",
      short_prefix: "8 or more hexadecimal digits of an id, where a parameter says that a prefix will do; an ambiguous one is refused",
      parameter_rule: "a parameter whose description says `full id` takes no prefix",
    },
  };
}

/** What every verb takes beside its own. */
const NAMESPACE = {
  type: "string",
  minLength: 1,
  description: "Where a new record belongs, and what a list or a search is held to.",
};

export interface VerbParam {
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly description: string;
}

export function verbParams(verb: Verb): VerbParam[] {
  const { properties, required } = inputSchema(verb) as {
    readonly properties: { readonly [name: string]: JsonObject };
    readonly required?: readonly string[];
  };
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    type: typeText(schema),
    required: required?.includes(name) ?? false,
    description: typeof schema["description"] === "string" ? schema["description"] : "",
  }));
}

/** JSON Schema of the arguments. */
export function inputSchema(verb: Verb): JsonObject {
  const { $schema: _, ...schema } = z.toJSONSchema(verb.params, { target: "draft-7", io: "input", unrepresentable: "any" });
  return { properties: {}, ...schema } as unknown as JsonObject;
}

function typeText(schema: JsonObject): string {
  if (Array.isArray(schema["enum"])) return (schema["enum"] as readonly RequestJson[]).map((word) => JSON.stringify(word)).join(" | ");
  if ("const" in schema) return JSON.stringify(schema["const"]);
  const options = schema["anyOf"];
  if (Array.isArray(options)) return [...new Set((options as readonly JsonObject[]).map(typeText))].join(" | ");
  const { type } = schema;
  if (type === "array") return `array of ${typeText((schema["items"] ?? {}) as JsonObject)}`;
  if (Array.isArray(type)) return type.join(" | ");
  return typeof type === "string" ? type : "any";
}
