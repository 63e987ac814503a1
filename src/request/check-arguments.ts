/**
 * A call's arguments held against what its verb takes, and told in one sentence where they do not fit.
 *
 * `namespace` belongs to every verb. An integer beyond 2^53 fits only where a parameter takes any JSON.
 */
import type * as z from "zod";
import type { JsonObject, RequestJson } from "./request-json";
import type { Verb } from "./verb";
import { invalidInput } from "./verb-failure";

export interface VerbArguments {
  /** As the verb's schema gives them, defaults filled in. */
  readonly own: JsonObject;
  /** Null where the call names none. */
  readonly namespace: string | null;
}

const NAMESPACE_BYTES_MAX = 256;

/** Throws `invalid_input`. */
export function checkVerbArguments(verb: Verb, args: { readonly [name: string]: RequestJson }): VerbArguments {
  const { namespace, help, ...own } = args;
  if (help !== undefined && help !== false) throw invalidInput("`help` is true or false");
  if (namespace !== undefined && (typeof namespace !== "string" || namespace === ""))
    throw invalidInput("`namespace` is a text that is not empty");
  if (typeof namespace === "string" && namespace.length > NAMESPACE_BYTES_MAX) {
    throw invalidInput(`\`namespace\` has at most ${NAMESPACE_BYTES_MAX} characters`);
  }
  const read = verb.params.safeParse(own);
  if (read.success) return { own: read.data as JsonObject, namespace: namespace ?? null };
  const told = [...new Set(read.error.issues.map((issue) => describe(issue, own, verb)))];
  throw invalidInput(`${verb.name}: ${told.join("; ")}`);
}

function describe(issue: z.core.$ZodIssue, args: JsonObject, verb: Verb): string {
  const path = issue.path
    .map((step, index) => (typeof step === "number" ? `[${step}]` : `${index > 0 ? "." : ""}${String(step)}`))
    .join("");
  const given = valueAt(args, issue.path);
  switch (issue.code) {
    case "unrecognized_keys": {
      const unknown = issue.keys.map((key) => `\`${key.slice(0, 64)}\``).join(", ");
      if (path !== "") return `\`${path}\` has no ${unknown}`;
      return `it takes ${
        Object.keys(verb.params.shape)
          .map((key) => `\`${key}\``)
          .join(", ") || "no argument"
      } and \`namespace\`; got ${unknown}`;
    }
    case "invalid_type":
      if (given === undefined) return `\`${path}\` is missing`;
      if (typeof given === "bigint") return `\`${path}\` does not hold an integer beyond 2^53 - 1`;
      return `\`${path}\` must be ${WORDS[issue.expected] ?? issue.expected}, got ${shapeOf(given)}`;
    case "invalid_value":
      if (given === undefined) return `\`${path}\` is missing: it takes ${issue.values.map((value) => JSON.stringify(value)).join(", ")}`;
      return `\`${path}\` takes ${issue.values.map((value) => JSON.stringify(value)).join(", ")}, got ${typeof given === "string" ? JSON.stringify(given.slice(0, 64)) : shapeOf(given)}`;
    case "invalid_union":
      return `\`${path}\` is none of what it may be, got ${given === undefined ? "nothing" : shapeOf(given)}`;
    default:
      return path === "" ? issue.message : `\`${path}\` ${issue.message}`;
  }
}

const WORDS: { readonly [type: string]: string } = {
  string: "a string",
  number: "a number",
  int: "an integer",
  boolean: "true or false",
  array: "an array",
  object: "an object",
  record: "an object",
};

function valueAt(value: RequestJson | undefined, path: readonly PropertyKey[]): RequestJson | undefined {
  let at: unknown = value;
  for (const step of path) at = typeof at === "object" && at !== null ? (at as { [key: PropertyKey]: unknown })[step] : undefined;
  return at as RequestJson | undefined;
}

function shapeOf(value: RequestJson): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  if (typeof value === "object") return "an object";
  return typeof value === "string" ? "a string" : typeof value === "boolean" ? String(value) : "a number";
}
