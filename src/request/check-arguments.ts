/**
 * A call's arguments held against what its verb takes, and told in one sentence where they do not fit.
 *
 * `namespace` belongs to every verb. An integer beyond 2^53 fits only where a parameter takes any JSON.
 */
import type * as z from "zod";
import { isJsonObject, type JsonObject, type RequestJson } from "./request-json";
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
  throw invalidInput(`${verb.name}: ${told(read.error, own, [...Object.keys(verb.params.shape), "namespace"])}`);
}

/** A member of a list that a verb reads by itself, held against what such a member takes. Throws `invalid_input`. */
export function checkMember<Params extends z.ZodObject>(params: Params, member: RequestJson): z.infer<Params> {
  const read = params.safeParse(member);
  if (read.success) return read.data;
  if (!isJsonObject(member)) throw invalidInput(`must be an object, got ${shapeOf(member)}`);
  throw invalidInput(told(read.error, member, Object.keys(params.shape)));
}

/** Each fault once. `takes`: the names there are. */
function told(error: z.core.$ZodError, args: JsonObject, takes: readonly string[]): string {
  return [...new Set(error.issues.map((issue) => describe(issue, args, takes)))].join("; ");
}

function describe(issue: z.core.$ZodIssue, args: JsonObject, takes: readonly string[]): string {
  const path = issue.path
    .map((step, index) => (typeof step === "number" ? `[${step}]` : `${index > 0 ? "." : ""}${String(step)}`))
    .join("");
  const given = valueAt(args, issue.path);
  switch (issue.code) {
    case "unrecognized_keys": {
      const unknown = issue.keys.map((key) => `\`${key.slice(0, 64)}\``).join(", ");
      if (path !== "") return `\`${path}\` has no ${unknown}`;
      return `it takes ${listed(takes)}; got ${unknown}`;
    }
    case "invalid_type":
      if (given === undefined) return `\`${path}\` is missing`;
      if (typeof given === "bigint") return `\`${path}\` does not hold an integer beyond 2^53 - 1`;
      return `\`${path}\` must be ${WORDS[issue.expected] ?? issue.expected}, got ${shapeOf(given)}`;
    case "invalid_value":
      if (given === undefined) return `\`${path}\` is missing: it takes ${issue.values.map((value) => JSON.stringify(value)).join(", ")}`;
      return `\`${path}\` takes ${issue.values.map((value) => JSON.stringify(value)).join(", ")}, got ${typeof given === "string" ? JSON.stringify(given.slice(0, 64)) : shapeOf(given)}`;
    case "invalid_union": {
      const meant = issue.errors.find((branch) => branch.every((one) => one.path.length > 0 || one.code !== "invalid_type"));
      if (meant !== undefined) return describe({ ...meant[0], path: [...issue.path, ...meant[0].path] }, args, takes);
      return `\`${path}\` is none of what it may be, got ${given === undefined ? "nothing" : shapeOf(given)}`;
    }
    default:
      return path === "" ? issue.message : `\`${path}\` ${issue.message}`;
  }
}

function listed(names: readonly string[]): string {
  const shown = names.map((name) => `\`${name}\``);
  return shown.length < 2 ? shown.join("") : `${shown.slice(0, -1).join(", ")} and ${shown.at(-1)}`;
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
