/**
 * What stands beside `ops` on the request: which fields there are, what they may say, and in what order a fault is told
 * (request facts §4). Pure, so that the endpoint can refuse before it asks anything of a store.
 */
import { OPS_LIMITS, type OpsProgram } from "../lang/ops/ops";
import { parseOps } from "../lang/ops/parse-ops";
import { BODY_BYTES_MAX } from "../limits";
import type { ClientStatement } from "./client-statement";

/** The one tool of the request endpoint, as the store object knows it. */
export const REQUEST_TOOL = "request";
export const PRESENTATIONS = ["agent", "verbose", "human"] as const;
export const FORMATS = ["json", "auto", "table"] as const;
export type Presentation = (typeof PRESENTATIONS)[number];
export type Format = (typeof FORMATS)[number];

export interface RequestCall {
  readonly program: OpsProgram;
  /** By op. */
  readonly presentations: readonly Presentation[];
  readonly formats: readonly Format[];
  /** Path under the store's exports; null: the answer comes inline. */
  readonly saveTo: string | null;
  /** Null: the service numbers the request. */
  readonly requestId: number | bigint | null;
}

export interface RequestFault {
  readonly message: string;
  /** `error.data` of the JSON-RPC answer (request facts §5.1). */
  readonly data: { readonly [name: string]: string | number };
}

export type RequestRead =
  | { readonly tag: "plan"; readonly ops: string }
  | { readonly tag: "run"; readonly call: RequestCall }
  | { readonly tag: "fault"; readonly fault: RequestFault };

/** Fields that a plan takes none of, not even null. */
const RUN_FIELDS = ["presentation", "presentation_per_op", "format", "format_per_op", "save_to", "request_id"] as const;
const FIELDS: ReadonlySet<string> = new Set(["ops", "plan", ...RUN_FIELDS]);

/** `atomicMaxOps`: the text is a JSON batch that is one unit, which may hold more ops than any other. */
export function readRequest(
  args: { readonly [name: string]: unknown },
  { atomicMaxOps }: Pick<ClientStatement, "atomicMaxOps"> = {},
): RequestRead {
  const { ops, plan } = args;
  for (const name of Object.keys(args)) {
    if (!FIELDS.has(name)) return invalid(`request takes ops, plan, ${RUN_FIELDS.join(", ")}; got ${JSON.stringify(name.slice(0, 64))}`);
  }
  if (typeof ops !== "string") return invalid(ops === undefined ? "`ops` is missing: the text of the calls" : "`ops` must be text");
  if (plan !== undefined && plan !== null && typeof plan !== "boolean") return invalid("`plan` is true, false or null");
  if (plan === true) {
    const companion = RUN_FIELDS.find((name) => Object.hasOwn(args, name));
    if (companion !== undefined) return invalid(`\`plan\` takes \`ops\` alone: leave \`${companion}\` out`);
    return { tag: "plan", ops };
  }
  const read = parseOps(
    ops,
    atomicMaxOps === undefined ? OPS_LIMITS : { ...OPS_LIMITS, max_ops: atomicMaxOps, max_input_len: BODY_BYTES_MAX },
  );
  if (read.ok && atomicMaxOps !== undefined && read.program.form !== "json")
    return invalid("a unit is a JSON batch: one array of objects {tool, args}");
  if (!read.ok) {
    const { message, kind } = read.fault;
    const data = { reason: "parse-error", kind: "parse_error", syntax: kind, message, domain_disposition: "not_committed" };
    return { tag: "fault", fault: { message, data } };
  }
  return readBeside(args, read.program);
}

function readBeside(args: { readonly [name: string]: unknown }, program: OpsProgram): RequestRead {
  const count = program.calls.length;
  // A file is for programs: nothing is cut unless that is asked for.
  const inline = (args["save_to"] ?? null) === null;
  const presentations = perOp(args, "presentation", PRESENTATIONS, inline ? "agent" : "verbose", count);
  if (typeof presentations === "string") return invalid(presentations);
  const formats = perOp(args, "format", FORMATS, "json", count);
  if (typeof formats === "string") return invalid(formats);
  const { save_to: saveTo = null, request_id: requestId = null } = args;
  if (saveTo !== null && typeof saveTo !== "string") return invalid("`save_to` is a path, or null");
  const fault = saveTo === null ? null : exportFault(saveTo);
  if (fault !== null) return invalid(`save_to: ${fault}`);
  if (requestId !== null && !isLabel(requestId)) return invalid("`request_id` is an integer from 0 to 2^64 - 1, or null");
  return { tag: "run", call: { program, presentations, formats, saveTo, requestId } };
}

const LABEL_MAX = 2n ** 64n - 1n;

/** A number that is not safe is not the one that was sent. */
function isLabel(value: unknown): value is number | bigint {
  return typeof value === "bigint" ? value >= 0n && value <= LABEL_MAX : Number.isSafeInteger(value) && (value as number) >= 0;
}

/** One value for each op, or what is wrong. */
function perOp<T extends string>(
  args: { readonly [name: string]: unknown },
  field: string,
  words: readonly T[],
  otherwise: T,
  count: number,
): readonly T[] | string {
  const isWord = (value: unknown): value is T => words.includes(value as T);
  const whole = args[field] ?? otherwise;
  if (!isWord(whole)) return `\`${field}\` is one of ${words.join(", ")}`;
  const each = args[`${field}_per_op`] ?? [];
  if (!Array.isArray(each)) return `\`${field}_per_op\` is an array with an entry for each op`;
  if (each.length > count) return `\`${field}_per_op\` has ${each.length} entries for ${count} ops`;
  const wrong = each.findIndex((entry) => entry !== null && !isWord(entry));
  if (wrong >= 0) return `\`${field}_per_op\`: entry ${wrong} is one of ${words.join(", ")}, or null`;
  return Array.from({ length: count }, (_, index) => (each[index] as T | null | undefined) ?? whole);
}

const EXPORT_PATH_CHARS_MAX = 512;

/** Why a path may not be written to; null where it may. Asked before anything runs. */
export function exportFault(path: string): string | null {
  if (path === "" || path.length > EXPORT_PATH_CHARS_MAX) return `a path has 1 to ${EXPORT_PATH_CHARS_MAX} characters`;
  if (path.startsWith("/")) return "a path is relative: it hangs under this store's exports";
  const segments = path.split("/");
  if (segments.includes("..")) return "a path stays under this store's exports, so it has no `..`";
  if (segments.some((segment) => segment === "" || segment === ".")) return "every segment of a path has a name";
  if (/[^A-Za-z0-9._ -]/.test(path.replaceAll("/", ""))) return "a path has letters, digits, `.`, `_`, `-`, blanks and `/`";
  return null;
}

function invalid(message: string): RequestRead {
  return { tag: "fault", fault: { message, data: { kind: "invalid_input", message, domain_disposition: "not_committed" } } };
}
