/**
 * What the two objects are given by the deployment. The worker's own environment extends it.
 */
import type { AccountObject } from "./account-object";
import type { TextEmbeddings } from "./embedding";
import type { StoreObject } from "./store-object";

export interface DurableEnv {
  readonly STORE: DurableObjectNamespace<StoreObject>;
  readonly ACCOUNT: DurableObjectNamespace<AccountObject>;
  /** Object storage for what calls save to files; absent: `save_to` is refused as it is written. */
  readonly FILES?: R2Bucket;
  /** The directory, where an account's holder is found to be written to; absent: nobody is. */
  readonly DIRECTORY?: D1Database;
  /** Where letters go; absent: into the directory's outbox. */
  readonly MAIL?: Fetcher;
  /** The model that texts are embedded with, so that searches go by meaning too; absent: by words alone. */
  readonly EMBEDDING_MODEL?: string;
  /** Workers AI, where such a model runs. */
  readonly AI?: TextEmbeddings;
  /** Ceiling of one call, in ops; absent: limits.ts. The local start's `--ops`. */
  readonly CALL_OPS_MAX?: string | number;
  /** Bytes of one answer of the request endpoint, and of results after which a batch begins no further op; absent: limits.ts. */
  readonly REQUEST_FRAME_BYTES?: string | number;
  readonly REQUEST_BATCH_BYTES?: string | number;
  /** Calls a second of one key, on average; absent: `KEY_CALLS_PER_SECOND_DEFAULT`. The local start's `--rate`. */
  readonly KEY_CALLS_PER_SECOND?: string | number;
  /** Calls of one key at once; absent: as many as a second brings. */
  readonly KEY_CALLS_BURST?: string | number;
}

/** A setting as a positive number, or `otherwise` where it is absent. Anything else is a deployment fault. */
export function positiveSetting(setting: string | number | undefined, otherwise: number): number {
  if (setting === undefined || setting === "") return otherwise;
  const value = Number(setting);
  if (!(value > 0) || !Number.isFinite(value)) throw new Error(`a setting is not a positive number: ${setting}`);
  return value;
}
