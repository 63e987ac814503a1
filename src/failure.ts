/**
 * The three kinds of trouble, kept apart: a `Diagnostic` is about the user's source (diagnostic.ts),
 * a `Refusal` is the store or the language declining a statement, and a failed `assert` is our bug.
 *
 * A refusal carries its evidence as text for people plus a machine reason (contract §6). It is the
 * one exception class that the store throws and the language can catch; everything else that
 * escapes is an engine error and is never shown to a caller.
 */

/** Contract §6, `_meta.refuse_reason`. */
export type RefuseReason =
  | "out_of_surface"
  | "incomplete_slots"
  | "ambiguous"
  | "scope_forbidden"
  | "still_referenced"
  | "pinned_address"
  | "immutable_in_branch"
  | "conflicting_write"
  | "invalid_value"
  | "limit_exceeded"
  | "derived_field"
  | "asserted_field"
  | "not_recorded"
  | "already_in_effect";

/**
 * A statement declined. `hint` names the address or value to act on; `scope_forbidden` has none.
 * `catchable` is false for what no handler and no `finally` may see: `scope_forbidden`, the ops
 * ceiling and spent credit.
 */
export class Refusal extends Error {
  override readonly name = "Refusal";
  constructor(
    readonly reason: RefuseReason,
    message: string,
    readonly hint: string | null = null,
    readonly catchable: boolean = reason !== "scope_forbidden",
  ) {
    super(message);
  }
}

/** The call was well formed, nothing declined it, and it still cannot be carried out (contract §6, `engine_error`). No handler catches it. */
export class EngineError extends Error {
  override readonly name = "EngineError";
}

/** Ours to fix, never the caller's: an invariant did not hold. Stays on in production. */
export function assert(condition: unknown, what: string): asserts condition {
  if (!condition) throw new Error(`invariant broken: ${what}`);
}

/** For the `default` of an exhaustive switch. */
export function unreachable(value: never): never {
  throw new Error(`unreachable case: ${String(value)}`);
}
