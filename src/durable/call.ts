/**
 * What crosses from the worker to a store object and back: plain data, nothing thrown for an expected failure.
 */

import type { Level } from "../engine/claim";
import type { ToolAnswer } from "../tools/answer";

/** Not a tool: how the worker asks for a file of the store, by `args.path`. */
export const READ_EXPORT = "read_export";

export interface StoreRequest {
  /** Lower-case hex SHA-256 of the whole key text. */
  readonly keyHash: string;
  /** HKDF-SHA256(key secret, salt = store id bytes, info = "dke/wrap/v1"): 32 bytes. Unwraps the data key; kept only while the call runs. */
  readonly keyEncryptionKey: Uint8Array;
  readonly tool: string;
  readonly args: { readonly [name: string]: unknown };
  /** JSON-RPC id with its type, for `notifications/cancelled`. */
  readonly requestId: string | number | null;
  /** Names this call for `cancel`, should its connection close. */
  readonly cancelToken: string;
}

export type StoreReply =
  /** The key opens nothing here (unknown or revoked): HTTP 401. */
  | { readonly tag: "denied" }
  /** -32002 with Retry-After: this key called too often, or as many calls of its account are at work as may be. */
  | { readonly tag: "rate_limited"; readonly why: "key_rate" | "calls_at_once"; readonly retryAfterS: number }
  /** -32001. `message` says what clears it. */
  | { readonly tag: "payment_required"; readonly message: string }
  | { readonly tag: "invalid_params"; readonly message: string }
  /** The tool needs no store (`spec`, `report`): the key may call it; the worker answers. */
  | { readonly tag: "admitted"; readonly identity: Identity }
  | { readonly tag: "answered"; readonly identity: Identity; readonly answer: ToolAnswer; readonly work?: Work }
  /** The same of a long answer, written out: the text of its `result`, in pieces. `told` is what the worker notes of it. */
  | { readonly tag: "written"; readonly identity: Identity; readonly pieces: readonly string[]; readonly told: Noted; readonly work?: Work }
  /** The work is done and what it wrote is saved; the file that was to hold its answer is not. `data` tells of each op. */
  | { readonly tag: "file_not_kept"; readonly identity: Identity; readonly message: string; readonly data: unknown; readonly work?: Work }
  /** A file that an earlier call had written; null where there is none. */
  | { readonly tag: "file"; readonly identity: Identity; readonly bytes: Uint8Array | null }
  /** Our fault: -32000 "engine error"; `id` is in the log. */
  | { readonly tag: "failed"; readonly id: string };

/** What the worker notes of an answer. */
export interface Noted {
  readonly status: ToolAnswer["status"];
  readonly ops: number;
  readonly reason: string | null;
}

export function notedOf({ status, ops, meta }: ToolAnswer): Noted {
  const { refuse_reason: reason } = meta;
  return { status, ops, reason: typeof reason === "string" ? reason : null };
}

/** How a call fared in its store, for the operator's log. */
export interface Work {
  /** The id it is billed under. */
  readonly callId: string;
  readonly waitedMs: number;
  /** Calls of the store that waited and that ran when this one ended, itself included. */
  readonly waiting: number;
  readonly running: number;
}

export interface Identity {
  readonly tenantId: string;
  readonly keyId: string;
  readonly level: Level;
  /** RFC 3339, UTC, microseconds: the call's instant. */
  readonly answeredAt: string;
}

/** What makes a store: made once, by the account side (locally by the development start). */
export interface StoreProvision {
  readonly accountId: string;
  readonly createdAtMicros: number;
  readonly keys: readonly KeyRow[];
  /** Of a store made to pass: until when it is open. All of it is gone then. */
  readonly expiresAtMs?: number;
}

/** A store key at rest: its hash, its wrap of the data key, its level. Never the key. */
export interface KeyRow {
  readonly keyId: string;
  readonly hash: string;
  readonly wrap: Uint8Array;
  readonly level: Level;
  readonly label: string;
  /** What made it: `browser`, `dkekey`, `dke.keys`; absent: the service's own start. */
  readonly made?: string;
}
