/** Looks for bytes in the files of a service's state: what is written down anywhere is found, in whatever form it was written. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** What `npm start` keeps for whoever works on this machine: no database, and meant to be secret. */
const OF_THE_START = /(dev-keys|operator)\.json$/;

/** Every other file under a folder: databases with what is not yet folded into them, and object storage. */
export class StateSearch {
  readonly #files: readonly { readonly path: string; readonly bytes: Buffer }[];

  constructor(folder: string) {
    this.#files = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !OF_THE_START.test(entry.name))
      .map((entry) => ({ path: join(entry.parentPath, entry.name), bytes: readFileSync(join(entry.parentPath, entry.name)) }));
  }

  get paths(): string[] {
    return this.#files.map(({ path }) => path);
  }

  /** The files that hold it. */
  holding(needle: Uint8Array | string): string[] {
    const bytes = Buffer.from(needle as string);
    return this.#files.filter((file) => file.bytes.includes(bytes)).map(({ path }) => path);
  }
}

/** Bytes in every form in which they could have been written down. */
export function formsOf(bytes: Uint8Array): Buffer[] {
  const raw = Buffer.from(bytes);
  const hex = raw.toString("hex");
  const base64 = raw.toString("base64").replace(/=+$/, "");
  return [raw, ...[hex, hex.toUpperCase(), base64, base64.replaceAll("+", "-").replaceAll("/", "_")].map((text) => Buffer.from(text))];
}

/** A text of a store in both forms in which it could have been written down. */
export function formsOfText(text: string): Buffer[] {
  return [Buffer.from(text), Buffer.from(text, "utf16le")];
}
