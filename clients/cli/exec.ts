/**
 * `kkernel exec`: operations from a command line, at a store's request endpoint.
 *
 * It owns the flags, what is printed and the exit code; requests are `request-wire.ts`, files of operations `ops-file.ts`.
 * Standard output carries the answer alone, as JSON (or the format asked for); progress and sentences for people go to standard
 * error. Exit code 0: something worked (with --strict: everything did), or a plan was made; 1: nothing worked, or the request
 * never started; 2: the command line itself is wrong, nothing was sent.
 */
import { parseArgs } from "node:util";
import { runOpsFile } from "./ops-file.ts";
import { EXIT, exitCode, summaryOf } from "./outcome.ts";
import { Refused, RequestWire, Unreachable } from "./request-wire.ts";
import { manifestOf, rowsOf, writeRows } from "./save-file.ts";
import { type Environment, readSettings } from "./settings.ts";

/** A command line that asks for nothing we do: told in one sentence, exit code 2. */
export class Misuse extends Error {}

const FLAGS = {
  plan: { type: "boolean" },
  db: { type: "string" },
  config: { type: "string" },
  url: { type: "string" },
  key: { type: "string" },
  namespace: { type: "string" },
  actor: { type: "string" },
  "expect-actor": { type: "string" },
  presentation: { type: "string" },
  "output-format": { type: "string" },
  "save-file": { type: "string" },
  "ops-file": { type: "string" },
  "dry-run": { type: "boolean" },
  serial: { type: "boolean" },
  atomic: { type: "boolean" },
  "atomic-max-ops": { type: "string" },
  strict: { type: "boolean" },
  "pending-events": { type: "boolean" },
  verbose: { type: "boolean", short: "v" },
  help: { type: "boolean", short: "h" },
} as const;

type Flags = ReturnType<typeof readFlags>["flags"];

/** What a plan may be asked with: where to ask. Everything else belongs to running. */
const FLAGS_OF_A_PLAN: ReadonlySet<string> = new Set(["plan", "db", "config", "url", "key", "help"]);

/** Flags that mean something only beside another one. */
const NEEDS: readonly (readonly [keyof typeof FLAGS, keyof typeof FLAGS])[] = [
  ["dry-run", "ops-file"],
  ["serial", "ops-file"],
  ["atomic", "ops-file"],
  ["atomic-max-ops", "atomic"],
];

/** Flags that exclude each other. */
const EXCLUDES: readonly (readonly [keyof typeof FLAGS, keyof typeof FLAGS])[] = [
  ["serial", "atomic"],
  ["save-file", "dry-run"],
];

export const USAGE = `usage: kkernel exec '<ops>' [flags]
       kkernel exec --plan '<ops>' [--db ID] [--config FILE]
       kkernel exec --ops-file FILE [--dry-run | --serial | --atomic [--atomic-max-ops N]] [flags]

  --url URL            the request endpoint            (KHIVE_URL, or "url" in the file)
  --key KEY            the store key                   (KHIVE_KEY or DKE_KEY, or "key" in the file)
  --db ID              the store that must be meant    (KHIVE_DB, or "db" in the file)
  --config FILE        JSON: {"url", "key", "db"}      (KHIVE_CONFIG; ~/.config/khive/config.json)
  --namespace NAME     namespace of every call         (local)
  --actor NAME         who acts, for attribution
  --expect-actor NAME  refuse unless this is who acts
  --presentation P     verbose, agent or human         (verbose)
  --output-format F    json, auto or table             (KHIVE_OUTPUT_FORMAT; json)
  --save-file FILE     rows into FILE as JSONL; prints a manifest instead
  --ops-file FILE      one {"tool","args"} a line, checked whole before anything is sent
  --dry-run            checks the file and says what would run
  --serial             one operation at a time
  --atomic             the whole file or nothing of it
  --atomic-max-ops N   refuse a longer file            (2000)
  --strict             exit 1 when any operation failed
  -v, --verbose        progress on standard error
`;

/** Runs one command line. `say` and `tell` are standard output and standard error. */
export async function main(
  words: readonly string[],
  environment: Environment,
  say: (text: string) => void = (text) => process.stdout.write(text),
  tell: (text: string) => void = (text) => process.stderr.write(text),
): Promise<number> {
  try {
    const { flags, ops } = readFlags(words);
    if (flags.help) {
      say(USAGE);
      return EXIT.worked;
    }
    const settings = readSettings({ url: flags.url, key: flags.key, db: flags.db, config: flags.config }, environment);
    const wire = new RequestWire(settings, { namespace: flags.namespace, actor: flags.actor });
    if (flags.plan) {
      say(`${(await wire.plan(ops as string)).text}\n`);
      return EXIT.worked;
    }
    if (flags["expect-actor"] !== undefined) await requireActor(wire, flags["expect-actor"]);
    if (flags["ops-file"] !== undefined) {
      return await runOpsFile(wire, flags["ops-file"], fileOptions(flags), say, tell);
    }
    return await runInline(wire, ops as string, flags, environment, say);
  } catch (error) {
    return explain(error, say, tell);
  }
}

async function runInline(
  wire: RequestWire,
  ops: string,
  flags: Flags,
  environment: Environment,
  say: (text: string) => void,
): Promise<number> {
  const saving = flags["save-file"];
  const answer = await wire.run(ops, {
    // Rows that are kept are the whole JSON, whatever is printed.
    presentation: saving === undefined ? (flags.presentation ?? "verbose") : "verbose",
    format: saving === undefined ? (flags["output-format"] ?? environment["KHIVE_OUTPUT_FORMAT"] ?? "json") : "json",
  });
  if (saving === undefined) say(`${answer.text}\n`);
  else {
    const rows = rowsOf(answer.text);
    writeRows(saving, rows);
    say(`${JSON.stringify(manifestOf(saving, rows, summaryOf(answer)))}\n`);
  }
  return exitCode(summaryOf(answer), flags.strict === true);
}

async function requireActor(wire: RequestWire, expected: string): Promise<void> {
  const answer = await wire.run("whoami()", { presentation: "verbose", format: "json" });
  const { results } = answer.value as { results: { ok: boolean; result?: { actor_id?: string } }[] };
  const actor = results[0]?.result?.actor_id;
  if (actor !== expected) throw new Refused(`expected actor ${expected}, but ${actor ?? "nobody"} acts`, { kind: "actor_mismatch" });
}

function fileOptions(flags: Flags) {
  const atomicMaxOps = flags["atomic-max-ops"] === undefined ? undefined : Number(flags["atomic-max-ops"]);
  if (atomicMaxOps !== undefined && !(Number.isSafeInteger(atomicMaxOps) && atomicMaxOps > 0)) {
    throw new Misuse("--atomic-max-ops takes a whole number from 1");
  }
  return {
    dryRun: flags["dry-run"] === true,
    serial: flags.serial === true,
    atomic: flags.atomic === true,
    atomicMaxOps,
    strict: flags.strict === true,
    saveFile: flags["save-file"],
    verbose: flags.verbose === true,
  };
}

function readFlags(words: readonly string[]) {
  const parsed = parsedFlags(words);
  const flags = parsed.values;
  const [command, ...rest] = parsed.positionals;
  if (flags.help) return { flags, ops: undefined };
  if (command !== "exec") throw new Misuse(`${command === undefined ? "no command" : `no command ${command}`}; the one there is: exec`);
  if (rest.length > 1) throw new Misuse("more than one text of operations: quote the whole of it");
  const ops = rest[0];
  const given = (Object.keys(flags) as (keyof typeof FLAGS)[]).filter((name) => flags[name] !== undefined);
  if (flags["pending-events"]) {
    throw new Misuse("--pending-events is not needed here: the service fires what is due, in order, before it serves the next call");
  }
  if (flags.plan) {
    const other = given.find((name) => !FLAGS_OF_A_PLAN.has(name));
    if (other !== undefined) throw new Misuse(`--plan runs nothing, so --${other} has no meaning beside it`);
  }
  for (const [name, needed] of NEEDS) {
    if (given.includes(name) && !given.includes(needed)) throw new Misuse(`--${name} needs --${needed}`);
  }
  for (const [one, other] of EXCLUDES) {
    if (given.includes(one) && given.includes(other)) throw new Misuse(`--${one} and --${other} exclude each other`);
  }
  if (flags["ops-file"] !== undefined && ops !== undefined) throw new Misuse("give the operations as text or as --ops-file, not both");
  if (flags["ops-file"] === undefined && ops === undefined) throw new Misuse("no operations: kkernel exec '<ops>'");
  return { flags, ops };
}

function parsedFlags(words: readonly string[]) {
  try {
    return parseArgs({ args: [...words], options: FLAGS, allowPositionals: true, strict: true });
  } catch (error) {
    throw new Misuse((error as Error).message);
  }
}

/** Says what went wrong, as JSON where a program reads and as a sentence where a person does; the exit code. */
function explain(error: unknown, say: (text: string) => void, tell: (text: string) => void): number {
  if (error instanceof Misuse) {
    tell(`kkernel: ${error.message}\n${USAGE}`);
    return EXIT.misused;
  }
  if (error instanceof Refused) {
    const { reason, kind } = error.data;
    say(
      `${JSON.stringify({
        error: { code: kind === undefined || reason === "parse-error" ? "invalid_params" : kind, message: error.message, reason },
        invocation: { started: false },
      })}\n`,
    );
    return EXIT.failed;
  }
  if (error instanceof Unreachable) {
    say(`${JSON.stringify({ error: { code: "transport", message: error.message }, invocation: { started: "unknown" } })}\n`);
    return EXIT.failed;
  }
  throw error;
}
