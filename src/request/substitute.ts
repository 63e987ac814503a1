/**
 * `$prev` in a call's arguments, replaced by what the call before it gave (request facts §2.3).
 *
 * The result is taken whole, before any presentation cut it short. Each way to fail has a name and says what is there.
 */
import { type OpsCall, PrevRef, type PrevStep } from "../lang/ops/ops";
import { isJsonArray, isJsonObject, type RequestJson, resolveValue } from "./request-json";
import { VerbFailure } from "./verb-failure";

export interface PrevResult {
  readonly value: RequestJson;
}

/** The arguments by name. Throws a `VerbFailure` of kind `substitution_error`. */
export function substituted(call: OpsCall, prev: PrevResult | null): { [name: string]: RequestJson } {
  const args: { [name: string]: RequestJson } = Object.create(null);
  for (const [name, value] of call.args) {
    const resolved = resolveValue(value, (ref) => resolveRef(ref, prev));
    // Inside a list or an object the whole result is what was meant; as an argument it hardly ever is.
    if (value instanceof PrevRef && value.steps.length === 0 && typeof resolved === "object" && resolved !== null) {
      throw failed(
        "bare_ref_ambiguous",
        `argument "${name}" is the whole result before it, which is ${shapeOf(resolved)}: name the part that is meant, as in $prev.id`,
      );
    }
    args[name] = resolved;
  }
  return args;
}

function resolveRef(ref: PrevRef, prev: PrevResult | null): RequestJson {
  if (prev === null) {
    throw failed("no_preceding_op", `${ref} has no call before it: the first call of a chain has no result to read`);
  }
  let value = prev.value;
  let walked = "$prev";
  for (const step of ref.steps) {
    value = take(value, step, walked, ref);
    walked += typeof step === "number" ? `[${step}]` : `.${String(step)}`;
  }
  return value;
}

function take(value: RequestJson, step: PrevStep, walked: string, ref: PrevRef): RequestJson {
  if (typeof step === "object") {
    throw failed("path_unsupported", `${ref}: \`${step.unsupported}\` is neither a field nor an index; write .name or [0]`);
  }
  if (typeof step === "number") {
    if (!Array.isArray(value))
      throw failed("path_wrong_type", `${ref}: ${walked} is ${shapeOf(value)}, and [${step}] asks for an element of an array`);
    if (step < value.length) return value[step];
    throw failed("path_not_found", `${ref}: ${walked} is an array of ${value.length}, so it has no element [${step}]`);
  }
  if (!isJsonObject(value)) {
    const how = isJsonArray(value) ? "; take an element first, as in $prev[0]" : "";
    throw failed("path_wrong_type", `${ref}: ${walked} is ${shapeOf(value)}, and .${step} asks for a field of an object${how}`);
  }
  if (Object.hasOwn(value, step)) return value[step];
  const fields = Object.keys(value);
  const listed =
    fields.length === 0 ? "it has none" : `it has ${fields.slice(0, FIELDS_SHOWN).join(", ")}${fields.length > FIELDS_SHOWN ? ", …" : ""}`;
  throw failed("path_not_found", `${ref}: ${walked} has no field ${JSON.stringify(step)}; ${listed}`);
}

const FIELDS_SHOWN = 20;

function shapeOf(value: RequestJson): string {
  if (value === null) return "null";
  if (isJsonArray(value)) return `an array of ${value.length}`;
  if (typeof value === "object") return `an object with the fields ${Object.keys(value).slice(0, FIELDS_SHOWN).join(", ") || "(none)"}`;
  return typeof value === "string" ? "a string" : typeof value === "boolean" ? "a boolean" : "a number";
}

function failed(reason: string, message: string): VerbFailure {
  return new VerbFailure("substitution_error", message, { reason, members: { reason } });
}
