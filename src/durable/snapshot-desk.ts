/**
 * What is done with a store's snapshots, by the one who has the store to themselves: taken, looked at, put back.
 *
 * A copy of a store in another keeps the name that its rows are sealed under: sub-keys are drawn from the data key and that name,
 * so the rows are taken as they lie, and no key but one that wraps the same data key opens them.
 */
import type { Sql } from "../engine/sql";
import { assert } from "../failure";
import { type Counted, countStore, type KindChange, kindChanges } from "./snapshot-count";
import { bytesOf, SnapshotFault, SnapshotFolder, type SnapshotManifest } from "./snapshot-folder";
import { copyOut, emptyStaged, stage, swap } from "./snapshot-tables";
import { type StoreCipher, sameSecret } from "./vault";

/** What a store's data lies under. */
export interface StoreOrigin {
  /** The store whose id the sub-keys are drawn from: its own, or of a copy that of the first it descends from. */
  readonly sealedAs: string;
  /** The store it is a copy of: a key of that one makes its first key. Null where it is none. */
  readonly copiedFrom: string | null;
}

export interface SnapshotTaken {
  readonly bytes: number;
  readonly claims: number;
}

export interface SnapshotChanges {
  readonly counts: readonly { readonly what: Counted; readonly now: number; readonly after: number }[];
  /** Null where no key was given. */
  readonly kinds: readonly KindChange[] | null;
}

/** Whose snapshot: of this store, or of another of the same account. */
export interface SnapshotName {
  readonly storeId: string;
  readonly snapshotId: string;
}

export class SnapshotDesk {
  readonly #sql: Sql;
  readonly #bucket: R2Bucket | undefined;
  readonly #storeId: string;
  readonly #createdAtMicros: number;

  constructor(sql: Sql, bucket: R2Bucket | undefined, store: { readonly storeId: string; readonly createdAtMicros: number }) {
    this.#sql = sql;
    this.#bucket = bucket;
    this.#storeId = store.storeId;
    this.#createdAtMicros = store.createdAtMicros;
  }

  get origin(): StoreOrigin {
    return readOrigin(this.#sql, this.#storeId);
  }

  async take(snapshotId: string, nowMs: number): Promise<SnapshotTaken> {
    const folder = this.#folder({ storeId: this.#storeId, snapshotId });
    const count = countStore(this.#sql);
    const tables = await copyOut(this.#sql, folder);
    const keyCheck = this.#keyCheck();
    const manifest = await folder.keepManifest({
      takenMs: nowMs,
      sealedAs: this.origin.sealedAs,
      createdAtMicros: this.#createdAtMicros,
      keyCheck: keyCheck === null ? null : Buffer.from(keyCheck).toString("base64"),
      count,
      ...tables,
    });
    return { bytes: bytesOf(manifest), claims: count.counts.claims };
  }

  async changes(snapshotId: string, cipher: StoreCipher | null): Promise<SnapshotChanges> {
    const folder = this.#folder({ storeId: this.#storeId, snapshotId });
    const manifest = await folder.readManifest();
    this.#checkFits(manifest);
    const now = countStore(this.#sql).counts;
    const counts = (Object.keys(now) as Counted[]).map((what) => ({ what, now: now[what], after: manifest.count.counts[what] }));
    return { counts, kinds: cipher === null ? null : await kindChanges(this.#sql, cipher, manifest, folder) };
  }

  /** Puts this store's content back to what it was, all of it or none, once what is there now is kept as a snapshot too. */
  async restore(snapshotId: string, keptAs: string, nowMs: number): Promise<SnapshotTaken> {
    const folder = this.#folder({ storeId: this.#storeId, snapshotId });
    const manifest = await folder.readManifest();
    this.#checkFits(manifest);
    const kept = await this.take(keptAs, nowMs);
    await this.#replace(manifest, folder, () => {});
    return kept;
  }

  /** Makes a store that was never opened a copy of another, as it was. */
  async copy(name: SnapshotName): Promise<void> {
    assert(this.#keyCheck() === null, "a copy is made in a store that nobody has opened");
    const folder = this.#folder(name);
    const manifest = await folder.readManifest();
    await this.#replace(manifest, folder, () => {
      this.#sql.exec(
        "CREATE TABLE service_origin (one INTEGER PRIMARY KEY CHECK (one = 1), sealed_as TEXT NOT NULL, copied_from TEXT NOT NULL) STRICT",
      );
      this.#sql.exec("INSERT INTO service_origin VALUES (1, ?, ?)", manifest.sealedAs, name.storeId);
      if (manifest.keyCheck !== null)
        this.#sql.exec("UPDATE service_store SET key_check = ?", new Uint8Array(Buffer.from(manifest.keyCheck, "base64")));
    });
  }

  async #replace(manifest: SnapshotManifest, folder: SnapshotFolder, beside: () => void): Promise<void> {
    try {
      swap(this.#sql, manifest, await stage(this.#sql, manifest, folder), beside);
    } catch (error) {
      emptyStaged(this.#sql);
      throw error;
    }
  }

  /** What another data key sealed would be unreadable here, for good. */
  #checkFits({ sealedAs, keyCheck }: SnapshotManifest): void {
    const known = this.#keyCheck();
    const sameKey = keyCheck === null || (known !== null && sameSecret(known, Buffer.from(keyCheck, "base64")));
    if (sealedAs !== this.origin.sealedAs || !sameKey) throw new SnapshotFault("the snapshot was sealed under another data key");
  }

  #keyCheck(): Uint8Array | null {
    return this.#sql.exec("SELECT key_check FROM service_store")[0][0] as Uint8Array | null;
  }

  #folder({ storeId, snapshotId }: SnapshotName): SnapshotFolder {
    return new SnapshotFolder(this.#bucket, storeId, snapshotId);
  }
}

export function readOrigin(sql: Sql, storeId: string): StoreOrigin {
  const isCopy = sql.exec("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'service_origin'").length > 0;
  if (!isCopy) return { sealedAs: storeId, copiedFrom: null };
  const [[sealedAs, copiedFrom]] = sql.exec("SELECT sealed_as, copied_from FROM service_origin");
  return { sealedAs: sealedAs as string, copiedFrom: copiedFrom as string };
}
