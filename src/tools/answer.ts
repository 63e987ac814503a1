/**
 * What a tool answers, as plain data that crosses an object call; and a tool at work, as a task run in slices.
 *
 * The worker wraps an answer into the envelope of contract §5 and adds nothing but `tenant_id`, `key_id`,
 * `answered_at`; all text is made here, so that every tool is testable without the platform.
 */
export type Json = null | boolean | number | bigint | string | readonly Json[] | { readonly [key: string]: Json };

export interface ToolAnswer {
  readonly status: "success" | "refuse" | "engine_error" | "compile_error";
  /** `content[0].text`; alone it must answer the call. */
  readonly text: string;
  /** Members of `_meta` beside status, ids, answered_at, ops: `refuse_reason`, `transcript`, `diagnostics`, `notes`, `outcome` … */
  readonly meta: { readonly [key: string]: Json };
  /** The trailing content item (contract §5), for `run`; null where there is none. */
  readonly mirror: Json;
  readonly ops: number;
  /** Of a call that failed: some of what it wrote stays. */
  readonly keptSome?: true;
  /** A file to be kept beside the store; its whereabouts then stand in the answer. */
  readonly file?: AnswerFile;
}

/** What a call wants written to the store's own folder of files. */
export interface AnswerFile {
  /** Relative, checked. */
  readonly path: string;
  readonly text: string;
  /** Sorted names, for the fingerprint of what rows look like. */
  readonly columns: readonly string[];
  /** What the answer says beside where the file is, and its checksum. */
  readonly manifest: { readonly [key: string]: Json };
}

/** The arguments are wrong in a way that only the tool can see: JSON-RPC -32602. */
export class InvalidParams extends Error {
  override readonly name = "InvalidParams";
}

/** A key as a tool sees it. */
export interface Caller {
  readonly keyId: string;
  /** Now: it may be lowered while the call runs, and the next statement then meets the lower one. */
  readonly level: import("../engine/claim").Level;
}

/** What a call may use. */
export interface Allowance {
  /** The call's ceiling in ops: the configured one, or the credit it holds if that is less. */
  readonly opsMax: number;
  /** True where `opsMax` is the credit: the refusal then names the balance. */
  readonly opsMaxIsCredit: boolean;
}

export interface ToolCall extends Allowance {
  readonly tool: string;
  readonly args: { readonly [name: string]: unknown };
  readonly caller: Caller;
  /** The wall clock when the call left the turn queue, microseconds; the store makes the instant from it. */
  readonly wallMicros: number;
}

/**
 * A call at work. The driver repeats `advance` until it gives true, giving other requests a turn between;
 * every `advance` leaves what it wrote on disk. After `stop` the next `advance` ends the call as contract §9.8.
 */
export interface ToolTask {
  advance(stepsMax: number): boolean;
  stop(): void;
  /** True once `stop` ended a statement that would otherwise have run. */
  readonly stopped: boolean;
  /** Ops so far; exact once `advance` gave true. */
  readonly ops: number;
  /** The call's instant, microseconds. */
  readonly instant: number;
  answer(): ToolAnswer;
  /** Texts whose vectors the next `advance` needs; null: none. The driver gives them to `provide` between two slices. */
  readonly waitsFor?: readonly string[] | null;
  provide?(embedded: Embedded): void;
  /**
   * It would rather see what another call writes, and waits for that so many milliseconds at most; null: it does not. The driver
   * tells `changeAwaited` how many it was, and what it may use in all. One that only goes on says with that that the time is up.
   */
  readonly awaitsChangeMs?: number | null;
  changeAwaited?(waitedMs: number, allowance?: Allowance): void;
}

/** What became of texts that were to be embedded. */
export type Embedded =
  | { readonly tag: "vectors"; readonly vectors: readonly Float32Array[] }
  | { readonly tag: "failed"; readonly kind: "timeout" | "unavailable"; readonly message: string };
