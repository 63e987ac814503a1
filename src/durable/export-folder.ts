/**
 * Files that a store's calls asked to be written (`save_to`): in object storage, under the store's own prefix, sealed under
 * its data key like everything else of it. Only a keyed call can read one back.
 */
import { createHash } from "node:crypto";
import type { Cipher } from "../engine/sql";
import { ANSWER_BYTES_MAX } from "../limits";
import type { AnswerFile, Json } from "../tools/answer";

/** Where a file is fetched, relative to the host. */
const FETCHED_AT = "/request/exports/";

export class ExportFolder {
  readonly #bucket: R2Bucket | undefined;
  readonly #storeId: string;
  readonly #cipher: Cipher;

  constructor(bucket: R2Bucket | undefined, storeId: string, cipher: Cipher) {
    this.#bucket = bucket;
    this.#storeId = storeId;
    this.#cipher = cipher;
  }

  /** Writes it whole or not at all; gives the manifest. Throws what the storage throws. */
  async keep(file: AnswerFile): Promise<{ readonly [key: string]: Json }> {
    if (this.#bucket === undefined) throw new Error("this service has no object storage to write to");
    const plain = new TextEncoder().encode(file.text);
    if (plain.length > ANSWER_BYTES_MAX)
      throw new Error(`the file would have ${plain.length} bytes, and ${ANSWER_BYTES_MAX} can be fetched again`);
    const { rows, per_column_null_counts: nulls, ...rest } = file.manifest;
    await this.#bucket.put(this.#key(file.path), this.#cipher.seal(plain, this.#key(file.path)));
    return {
      path: `${FETCHED_AT}${file.path.split("/").map(encodeURIComponent).join("/")}`,
      rows,
      per_column_null_counts: nulls,
      schema_fingerprint: sha256(new TextEncoder().encode(JSON.stringify(file.columns))),
      checksum: sha256(plain),
      ...rest,
    };
  }

  /** Null where there is no such file. */
  async read(path: string): Promise<Uint8Array | null> {
    const found = await this.#bucket?.get(this.#key(path));
    if (found === null || found === undefined) return null;
    return this.#cipher.open(new Uint8Array(await found.arrayBuffer()), this.#key(path));
  }

  #key(path: string): string {
    return `exports/${this.#storeId}/${path}`;
  }
}

function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
