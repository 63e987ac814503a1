/**
 * `dkekey`: makes store keys on the machine that will use them. One program for Linux, macOS and Windows, under Node 20 or later.
 *
 * Exit code 0: done; 1: the account service refused, or a file is not what it should be; 2: asked wrongly, nothing was sent.
 * Keys, tokens and passwords come by environment, file or standard input, never by flag: a command line is seen by others.
 */
import { closeSync, existsSync, openSync, readFileSync, writeSync } from "node:fs";
import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { parseArgs } from "node:util";
import { Account, DEFAULT_ACCOUNT, LEVELS, type Level, Misuse, Refusal, type SignIn } from "./account.ts";
import { CLIENTS, type ClientName, configFor } from "./client-config.ts";
import { digestOf, fingerprintOf, namesOf, readDigests } from "./digests.ts";
import { RELEASE_KEY } from "./release-key.ts";

export const VERSION = "1.3.0";

/** Set in an executable, to its name in the list of digests. */
declare const EXECUTABLE: string | undefined;

export const USAGE = `dkekey: store keys made on this machine; the key itself is never sent

  dkekey stores
  dkekey issue --store ID --label TEXT [--level LEVEL] (--out FILE | --show)
               [--opener-file FILE [--copy-of ID] | --first] [--print-config CLIENT [--endpoint URL]]
  dkekey list --store ID
  dkekey revoke --store ID KEY_ID
  dkekey verify FILE [--digests LIST --signature FILE]
  dkekey --version

  sign-in      DKE_TOKEN, an account token; or --email ADDRESS with DKE_PASSWORD, or asked for
  opener       a key that opens the store: DKE_KEY, --opener-file FILE, - for standard input
  --copy-of    the store that this one was copied from, for its first key: the opener is a key of that one
  --level      ${LEVELS.join(", ")} (read)
  --print-config  ${CLIENTS.join(", ")}: writes that client's configuration instead of the bare key
  --endpoint URL  what that configuration points to (DKE_URL; where the account service says)
  --account URL   the account service (DKE_ACCOUNT_URL; ${DEFAULT_ACCOUNT})
`;

const FLAGS = {
  store: { type: "string" },
  label: { type: "string" },
  level: { type: "string" },
  out: { type: "string" },
  show: { type: "boolean" },
  "opener-file": { type: "string" },
  first: { type: "boolean" },
  "copy-of": { type: "string" },
  "print-config": { type: "string" },
  endpoint: { type: "string" },
  email: { type: "string" },
  account: { type: "string" },
  digests: { type: "string" },
  signature: { type: "string" },
  version: { type: "boolean" },
  help: { type: "boolean", short: "h" },
} as const;

type Flags = { readonly [name in keyof typeof FLAGS]?: string | boolean };

/** What a run reads and writes beside the network. */
export interface Rim {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The file that this program is. */
  readonly ownFile: string;
  /** As the list of digests names it. */
  readonly ownName: string;
  say(text: string): void;
  tell(text: string): void;
  readInput(): string;
  askPassword(prompt: string): Promise<string>;
}

export async function main(words: readonly string[], rim: Rim): Promise<number> {
  try {
    const { flags, positionals } = read(words);
    const [command, ...rest] = positionals;
    if (flags.version === true) {
      rim.say(`dkekey ${VERSION}\n${digestOf(readFileSync(rim.ownFile))}  ${rim.ownName}\n`);
      return 0;
    }
    if (flags.help === true || command === undefined) {
      rim.say(USAGE);
      return command === undefined && flags.help !== true ? 2 : 0;
    }
    switch (command) {
      case "stores":
        for (const { id, name } of await (await account(flags, rim)).stores()) rim.say(`${id}  ${name}\n`);
        return 0;
      case "issue":
        return await issue(flags, rim);
      case "list":
        return await list(flags, rim);
      case "revoke":
        return await revoke(flags, rest[0], rim);
      case "verify":
        return verify(flags, rest[0], rim);
      default:
        throw new Misuse(`no command ${command}; there are stores, issue, list, revoke, verify`);
    }
  } catch (error) {
    if (error instanceof Misuse) rim.tell(`dkekey: ${error.message}\n`);
    else if (error instanceof Refusal) rim.tell(`dkekey: ${error.code}: ${error.message}\n`);
    else throw error;
    return error instanceof Misuse ? 2 : 1;
  }
}

function read(words: readonly string[]) {
  try {
    const { values, positionals } = parseArgs({ args: [...words], options: FLAGS, allowPositionals: true, strict: true });
    return { flags: values as Flags, positionals };
  } catch (error) {
    throw new Misuse((error as Error).message);
  }
}

async function account(flags: Flags, rim: Rim): Promise<Account> {
  return new Account(await signIn(flags, rim), accountUrl(flags, rim));
}

function accountUrl(flags: Flags, { environment }: Rim): string {
  return text(flags, "account") ?? environment["DKE_ACCOUNT_URL"] ?? DEFAULT_ACCOUNT;
}

async function signIn(flags: Flags, { environment, askPassword }: Rim): Promise<SignIn> {
  const email = text(flags, "email") ?? environment["DKE_EMAIL"];
  if (email !== undefined) return { email, password: environment["DKE_PASSWORD"] ?? (await askPassword(`Password of ${email}: `)) };
  const token = environment["DKE_TOKEN"];
  if (!token) throw new Misuse("no sign-in: set DKE_TOKEN to an account token, or give --email");
  return { token };
}

async function issue(flags: Flags, rim: Rim): Promise<number> {
  const [store, label, out] = [needed(flags, "store"), needed(flags, "label"), text(flags, "out")];
  const level = text(flags, "level") ?? "read";
  if (!(LEVELS as readonly string[]).includes(level)) throw new Misuse(`--level is one of ${LEVELS.join(", ")}`);
  const client = text(flags, "print-config");
  if (client !== undefined && !(CLIENTS as readonly string[]).includes(client))
    throw new Misuse(`--print-config is one of ${CLIENTS.join(", ")}`);
  if (out === undefined && flags.show !== true)
    throw new Misuse("where should the key go? --out FILE writes it for you alone, --show prints it");
  // Looked at before a key is made, so that none is made for nothing.
  if (out !== undefined && existsSync(out)) throw new Misuse(`${out} is there already, and is not written over`);
  const copyOf = text(flags, "copy-of");
  if (copyOf !== undefined && flags.first === true)
    throw new Misuse("--copy-of names the store whose key is the opener, and --first says there is none: give one of them");
  const order = { storeId: store, opener: opener(flags, rim), copyOf, label, level: level as Level };
  const service = await account(flags, rim);
  const issued = await service.issue(order);
  // A key goes nowhere but to the service that issued it, unless its owner says so.
  const endpoint = text(flags, "endpoint") ?? rim.environment["DKE_URL"] ?? service.endpointOf(issued);
  const { text: key } = issued.key;
  const written = client === undefined ? `${key}\n` : configFor(client as ClientName, endpoint, key);
  if (out !== undefined) {
    writePrivate(out, written);
    rim.tell(`written to ${out}, readable by you alone\n`);
  }
  if (flags.show === true) rim.say(written);
  return 0;
}

function opener(flags: Flags, { environment, readInput }: Rim): string | null {
  if (flags.first === true) return null;
  const file = text(flags, "opener-file");
  if (file === "-") return readInput().trim();
  if (file !== undefined) {
    if (!existsSync(file)) throw new Misuse(`${file} does not exist`);
    return readFileSync(file, "utf8").trim();
  }
  const held = environment["DKE_KEY"];
  if (!held) throw new Misuse("no opener: give --opener-file, set DKE_KEY, or say --first for a store without a key");
  return held;
}

/** Its owner alone may read it; one that is there is never written over. */
export function writePrivate(path: string, content: string): void {
  const file = openSync(path, "wx", 0o600);
  try {
    writeSync(file, content);
  } finally {
    closeSync(file);
  }
}

async function list(flags: Flags, rim: Rim): Promise<number> {
  for (const key of await (await account(flags, rim)).keys(needed(flags, "store"))) {
    const state = key.revoked_at === null ? key.level : "revoked";
    rim.say(
      `${key.key_id}  ${state.padEnd(18)}  ${key.made.padEnd(9)}  ${(key.last_used_at ?? "never opened").padEnd(26)}  ${key.label}\n`,
    );
  }
  return 0;
}

async function revoke(flags: Flags, keyId: string | undefined, rim: Rim): Promise<number> {
  if (keyId === undefined) throw new Misuse("which key? dkekey revoke --store ID KEY_ID");
  const wasLast = await (await account(flags, rim)).revoke(needed(flags, "store"), keyId);
  if (wasLast) rim.tell("That was the store's last key: what is in it cannot be opened any more.\n");
  return 0;
}

function verify(flags: Flags, file: string | undefined, rim: Rim): number {
  if (file === undefined) throw new Misuse("which file? dkekey verify FILE");
  const [listPath, signaturePath] = [text(flags, "digests") ?? "SHA256SUMS", text(flags, "signature") ?? "SHA256SUMS.sig"];
  for (const path of [file, listPath, signaturePath]) if (!existsSync(path)) throw new Misuse(`${path} does not exist`);
  const digests = readDigests(readFileSync(listPath, "utf8"), readFileSync(signaturePath, "utf8"), RELEASE_KEY);
  if (digests === null) {
    rim.tell(`${listPath} is not signed by the release key: do not use what it names\n`);
    return 1;
  }
  const names = namesOf(digests, readFileSync(file));
  if (names.length === 0) {
    rim.tell(`${file} is none of the files that ${listPath} names: do not use it\n`);
    return 1;
  }
  rim.say(`${file} is ${names.join(", ")}, as signed by ${fingerprintOf(RELEASE_KEY)}\n`);
  return 0;
}

function text(flags: Flags, name: keyof typeof FLAGS): string | undefined {
  const value = flags[name];
  return typeof value === "string" && value !== "" ? value : undefined;
}

function needed(flags: Flags, name: keyof typeof FLAGS): string {
  const value = text(flags, name);
  if (value === undefined) throw new Misuse(`--${name} is missing`);
  return value;
}

/** The terminal this runs in. A password is not shown while it is typed. */
export function terminal(): Rim {
  return {
    environment: process.env,
    ownFile: typeof EXECUTABLE === "undefined" ? (process.argv[1] ?? "") : process.execPath,
    ownName: typeof EXECUTABLE === "undefined" ? "dkekey.mjs" : EXECUTABLE,
    say: (said) => process.stdout.write(said),
    tell: (said) => process.stderr.write(said),
    readInput: () => readFileSync(0, "utf8").split("\n")[0],
    async askPassword(prompt) {
      process.stderr.write(prompt);
      const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
      const lines = createInterface({ input: process.stdin, output: silent, terminal: process.stdin.isTTY === true });
      try {
        // Input that is at its end gives no answer, and the question would wait for ever.
        const ended = new Promise<never>((_, refuse) => lines.once("close", () => refuse(new Misuse("no password: set DKE_PASSWORD"))));
        return await Promise.race([lines.question(""), ended]);
      } finally {
        lines.close();
        process.stderr.write("\n");
      }
    },
  };
}
