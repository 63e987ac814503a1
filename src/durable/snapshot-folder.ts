/**
 * A store's snapshots in object storage: of each a manifest and parts, under the store's own prefix.
 *
 * Parts are written first and the manifest last, so that what has a manifest is whole. The manifest says of every part what it
 * must hash to, so that a damaged one is found before anything is put back.
 */
import { createHash } from "node:crypto";
import type { SqlRow } from "../engine/sql";
import type { StoreCount } from "./snapshot-count";
import { readRows } from "./snapshot-rows";

const FORMAT = 1;
/** Object storage lists and deletes so many at once. */
const KEYS_AT_ONCE = 1000;

/** What is wrong with a snapshot, for whoever asked for it. */
export class SnapshotFault extends Error {
  override readonly name = "SnapshotFault";
}

export interface SnapshotTable {
  readonly name: string;
  /** As SQLite keeps it: what makes the table anew. */
  readonly sql: string;
  readonly columns: readonly string[];
  readonly rows: number;
  readonly parts: readonly SnapshotPart[];
}

export interface SnapshotPart {
  readonly number: number;
  readonly bytes: number;
  readonly sha256: string;
}

export interface SnapshotManifest {
  readonly format: number;
  readonly takenMs: number;
  /** Whose sub-keys seal the rows: the id that the data key is joined with. */
  readonly sealedAs: string;
  readonly createdAtMicros: number;
  /** Base64 of what shows that a data key is the right one (vault.ts); null where no key had opened the store. */
  readonly keyCheck: string | null;
  readonly count: StoreCount;
  readonly tables: readonly SnapshotTable[];
  readonly indexes: readonly string[];
}

export class SnapshotFolder {
  readonly #bucket: R2Bucket | undefined;
  readonly #prefix: string;

  /** @param storeId  The store the snapshot was taken of. */
  constructor(bucket: R2Bucket | undefined, storeId: string, snapshotId: string) {
    this.#bucket = bucket;
    this.#prefix = `snapshots/${storeId}/${snapshotId}/`;
  }

  async keepPart(number: number, bytes: Uint8Array): Promise<SnapshotPart> {
    await this.#there().put(`${this.#prefix}${number}`, bytes);
    return { number, bytes: bytes.length, sha256: sha256(bytes) };
  }

  async keepManifest(said: Omit<SnapshotManifest, "format">): Promise<SnapshotManifest> {
    const manifest = { format: FORMAT, ...said };
    await this.#there().put(`${this.#prefix}manifest`, JSON.stringify(manifest));
    return manifest;
  }

  async readManifest(): Promise<SnapshotManifest> {
    const found = await this.#there().get(`${this.#prefix}manifest`);
    if (found === null) throw new SnapshotFault("the snapshot is not there, or was never finished");
    const manifest = (await found.json()) as SnapshotManifest;
    if (manifest.format !== FORMAT) throw new SnapshotFault("the snapshot was taken by another version of this service");
    return manifest;
  }

  /** The rows of a table, a part at a time; of a part that is not as it was written, none. */
  async *rows(table: SnapshotTable): AsyncIterable<Iterable<SqlRow>> {
    for (const part of table.parts) {
      const found = await this.#there().get(`${this.#prefix}${part.number}`);
      const bytes = found === null ? null : new Uint8Array(await found.arrayBuffer());
      if (bytes === null || sha256(bytes) !== part.sha256) throw new SnapshotFault("a part of the snapshot is missing or damaged");
      yield readRows(bytes, table.columns.length);
    }
  }

  async delete(): Promise<void> {
    for (;;) {
      const { objects } = await this.#there().list({ prefix: this.#prefix, limit: KEYS_AT_ONCE });
      if (objects.length === 0) return;
      await this.#there().delete(objects.map(({ key }) => key));
    }
  }

  #there(): R2Bucket {
    if (this.#bucket === undefined) throw new SnapshotFault("this service has no object storage to keep snapshots in");
    return this.#bucket;
  }
}

/** All that it takes in object storage; never 0. */
export function bytesOf(manifest: SnapshotManifest): number {
  const parts = manifest.tables.flatMap((table) => table.parts);
  return parts.reduce((sum, part) => sum + part.bytes, JSON.stringify(manifest).length);
}

function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
