/**
 * A file of operations: one `{"tool", "args"}` a line, every line checked before anything is written.
 *
 * Lines are gathered into batches the service takes, each planned first; only when the whole file parses is the first one run.
 * Each operation is kept by itself, but with --atomic, where the file is one request and all of it is kept or nothing.
 */
import { readFileSync, statSync } from "node:fs";
import { EXIT, exitCode, type Summary, summaryOf } from "./outcome.ts";
import { Refused, type RequestWire } from "./request-wire.ts";
import { manifestOf, rowsOf, writeRows } from "./save-file.ts";

const FILE_BYTES = 512 * 1024 * 1024;
const LINE_BYTES = 96 * 1024 * 1024;
const BATCH_OPS = 100;
/** What the service reads as one text of operations. */
const BATCH_BYTES = 1_048_576;
const ATOMIC_OPS = 2000;

export type FileOptions = {
  readonly dryRun: boolean;
  readonly serial: boolean;
  readonly atomic: boolean;
  readonly atomicMaxOps: number | undefined;
  readonly strict: boolean;
  readonly saveFile: string | undefined;
  readonly verbose: boolean;
};

/** One operation as it stands in the file. */
type Line = { readonly number: number; readonly text: string };

/** Runs a file; the exit code. */
export async function runOpsFile(
  wire: RequestWire,
  path: string,
  options: FileOptions,
  say: (text: string) => void,
  tell: (text: string) => void,
): Promise<number> {
  const lines = readLines(path);
  if (options.atomic) return runAtomic(wire, lines, options, say);
  const batches = gathered(lines, options.serial ? 1 : BATCH_OPS);
  const unknown = await planned(wire, batches);
  if (options.dryRun) {
    say(`${JSON.stringify({ dry_run: true, ops: lines.length, batches: batches.length, unknown_verbs: unknown })}\n`);
    return EXIT.worked;
  }
  const total: Summary = { total: 0, succeeded: 0, failed: 0, aborted: 0 };
  const rows: string[] = [];
  for (const [index, batch] of batches.entries()) {
    const answer = await wire.run(textOf(batch), { presentation: "verbose", format: "json" });
    const summary = summaryOf(answer);
    for (const key of Object.keys(total) as (keyof Summary)[]) total[key] += summary[key];
    rows.push(...rowsOf(answer.text));
    if (options.verbose) tell(`batch ${index + 1} of ${batches.length}: ${summary.succeeded} of ${summary.total} worked\n`);
  }
  const status = total.failed + total.aborted === 0 ? "success" : "partial";
  if (options.saveFile !== undefined) {
    writeRows(options.saveFile, rows);
    say(`${JSON.stringify(manifestOf(options.saveFile, rows, total))}\n`);
  } else say(`{"results":[${rows.join(",")}],"summary":${JSON.stringify(total)},"status":"${status}"}\n`);
  return exitCode(total, options.strict);
}

async function runAtomic(wire: RequestWire, lines: readonly Line[], options: FileOptions, say: (text: string) => void): Promise<number> {
  const most = options.atomicMaxOps ?? ATOMIC_OPS;
  if (lines.length > most) throw new Refused(`the file holds ${lines.length} operations; one unit takes at most ${most}`, TOO_MANY);
  const answer = await wire.runAtomic(textOf(lines), most);
  if (options.saveFile === undefined) say(`${answer.text}\n`);
  else {
    const rows = rowsOf(answer.text);
    writeRows(options.saveFile, rows);
    say(`${JSON.stringify(manifestOf(options.saveFile, rows, summaryOf(answer)))}\n`);
  }
  const { atomic } = answer.value as { atomic?: { committed: boolean } };
  return atomic?.committed === true ? EXIT.worked : EXIT.failed;
}

const TOO_MANY = { kind: "too_many_ops" };

/** The operations of a file. Refuses the first line that is none, by its number. */
function readLines(path: string): Line[] {
  const lines: Line[] = [];
  for (const [index, text] of readText(path).split("\n").entries()) {
    if (text.trim() === "") continue;
    const number = index + 1;
    if (Buffer.byteLength(text) > LINE_BYTES) throw badLine(number, `longer than ${LINE_BYTES} bytes`);
    let op: { tool?: unknown; args?: unknown } | null;
    try {
      op = JSON.parse(text);
    } catch (error) {
      throw badLine(number, (error as Error).message);
    }
    if (typeof op !== "object" || op === null || Array.isArray(op)) throw badLine(number, 'not an object {"tool", "args"}');
    if (typeof op.tool !== "string") throw badLine(number, "tool must be a text");
    if ("args" in op && (typeof op.args !== "object" || op.args === null || Array.isArray(op.args)))
      throw badLine(number, "args must be an object");
    lines.push({ number, text: text.trim() });
  }
  if (lines.length === 0) throw new Refused("the file holds no operation", { kind: "empty_batch", reason: "parse-error" });
  return lines;
}

function readText(path: string): string {
  try {
    if (statSync(path).size > FILE_BYTES) throw new Refused(`${path} is larger than ${FILE_BYTES} bytes`, { kind: "input_too_large" });
    return readFileSync(path, "utf8");
  } catch (error) {
    if (error instanceof Refused) throw error;
    throw new Refused(`${path} cannot be read: ${(error as Error).message}`, { kind: "no_file" });
  }
}

/** Batches of at most `most` operations and as many bytes as one request takes. Refuses a line that alone is too long. */
function gathered(lines: readonly Line[], most: number): Line[][] {
  const batches: Line[][] = [];
  let bytes = BATCH_BYTES;
  for (const line of lines) {
    const own = Buffer.byteLength(line.text) + 1;
    if (own + 1 > BATCH_BYTES) throw badLine(line.number, `${own - 1} bytes; one operation is at most ${BATCH_BYTES - 2} bytes here`);
    const last = batches.at(-1);
    if (last === undefined || last.length === most || bytes + own > BATCH_BYTES) {
      batches.push([line]);
      bytes = own + 1;
    } else {
      last.push(line);
      bytes += own;
    }
  }
  return batches;
}

/** Checks every batch without running it; the verbs nobody knows, each once, in the order met. */
async function planned(wire: RequestWire, batches: readonly (readonly Line[])[]): Promise<string[]> {
  const unknown = new Set<string>();
  for (const batch of batches) {
    const plan = (await wire.plan(textOf(batch))).value as { parsed: boolean; error?: string; stages?: { verb: string; known: boolean }[] };
    if (!plan.parsed) throw await faultOf(wire, batch, plan.error ?? "");
    for (const stage of plan.stages ?? []) if (!stage.known) unknown.add(stage.verb);
  }
  return [...unknown];
}

/** The first line of a batch that does not parse by itself. */
async function faultOf(wire: RequestWire, batch: readonly Line[], said: string): Promise<Refused> {
  for (const line of batch) {
    const plan = (await wire.plan(textOf([line]))).value as { parsed: boolean; error?: string };
    if (!plan.parsed) return badLine(line.number, plan.error ?? said);
  }
  return new Refused(said, { kind: "parse_error", reason: "parse-error" });
}

function textOf(batch: readonly Line[]): string {
  return `[${batch.map((line) => line.text).join(",")}]`;
}

function badLine(number: number, why: string): Refused {
  return new Refused(`line ${number}: ${why}`, { kind: "parse_error", reason: "parse-error" });
}
