/**
 * What an `ops` text says, once read: calls in units, each call a verb and its arguments. Plain data, no behaviour.
 *
 * Arguments are JSON values, except that an integer beyond 2^53 is a `bigint`, and that a reference to the result of the
 * call before is a `PrevRef`. Any text can be a key of an object: ask for own members only.
 */

export type OpsValue = null | boolean | number | bigint | string | PrevRef | readonly OpsValue[] | OpsObject;
export interface OpsObject {
  readonly [key: string]: OpsValue;
}

/** One step of a reference: a field, an index, or what stands in for neither (a quoted path may say anything). */
export type PrevStep = string | number | { readonly unsupported: string };

/** `$prev` and a path into it. */
export class PrevRef {
  constructor(
    readonly steps: readonly PrevStep[],
    /** The path as the parser keeps it: `rows.[3].id`, as written where it was quoted. */
    readonly path: string,
    /** Where it stands, as an index into the text. */
    readonly at: number,
  ) {}

  /** As it would be written: `$prev.rows[3].id`. */
  toString(): string {
    if (this.path === "") return "$prev";
    const path = this.path.replaceAll(".[", "[");
    return path.startsWith("[") ? `$prev${path}` : `$prev.${path}`;
  }
}

export interface OpsCall {
  readonly verb: string;
  /** Ascending by name. */
  readonly args: readonly (readonly [name: string, value: OpsValue])[];
}

export type OpsMode = "single" | "chain" | "parallel";

export interface OpsProgram {
  readonly mode: OpsMode;
  readonly form: "call" | "json";
  /** In source order. */
  readonly calls: readonly OpsCall[];
  /** Ranges of `calls`, `[start, end)`: a chain each. They cover `calls` without a gap. */
  readonly units: readonly { readonly start: number; readonly end: number }[];
}

export interface OpsLimits {
  readonly max_ops: number;
  readonly max_depth: number;
  /** Bytes of the trimmed text. */
  readonly max_input_len: number;
}
export const OPS_LIMITS: OpsLimits = { max_ops: 100, max_depth: 64, max_input_len: 1_048_576 };

/** The references in a call's arguments, in the order of argument names and, inside one, as written. */
export function prevRefs(call: OpsCall): PrevRef[] {
  const found: PrevRef[] = [];
  for (const [, value] of call.args) collect(value, found);
  return found;
}

function collect(value: OpsValue, found: PrevRef[]): void {
  if (typeof value !== "object" || value === null) return;
  if (value instanceof PrevRef) found.push(value);
  else if (Array.isArray(value)) for (const item of value) collect(item, found);
  else for (const key of Object.keys(value)) collect((value as OpsObject)[key], found);
}
