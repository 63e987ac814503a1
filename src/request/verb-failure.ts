/**
 * An op that did not do what it was asked: what its entry of the answer says (request facts §5.2).
 *
 * An expected failure is a `VerbFailure`; a refusal of the store becomes one here. Anything else that is thrown is our
 * fault and ends the request.
 */
import { EngineError, Refusal } from "../failure";
import { InvalidParams } from "../tools/answer";
import type { JsonObject, RequestJson } from "./request-json";

/** Whether what the op was to change has changed. Only `not_committed` says that a repeat is safe. */
export type Disposition = "committed" | "not_committed" | "unknown";

export interface FailureMore {
  /** A stable token beside the error. */
  readonly reason?: string;
  readonly disposition?: Disposition;
  /** Members of the error object beside `kind` and `message`. */
  readonly members?: JsonObject;
}

/** `kind` null: an untyped failure, whose error is its message. */
export class VerbFailure extends Error {
  override readonly name = "VerbFailure";
  constructor(
    readonly kind: string | null,
    message: string,
    readonly more: FailureMore = {},
  ) {
    super(message);
  }

  get disposition(): Disposition {
    return this.more.disposition ?? "not_committed";
  }

  /** `error` of the entry. */
  get error(): RequestJson {
    if (this.kind === null) return this.message;
    return { kind: this.kind, message: this.message, ...this.more.members, domain_disposition: this.disposition };
  }
}

export const notFound = (what: string): VerbFailure => new VerbFailure(null, `not found: ${what}`, { reason: "not-found" });

export const invalidInput = (message: string, members: JsonObject = {}): VerbFailure =>
  new VerbFailure("invalid_input", message, { members });

export const conflict = (message: string, details: JsonObject): VerbFailure =>
  new VerbFailure("conflict", message, { members: { details } });

/** Null for what nobody expected. */
export function failureFrom(thrown: unknown): VerbFailure | null {
  if (thrown instanceof VerbFailure) return thrown;
  if (thrown instanceof InvalidParams) return invalidInput(thrown.message);
  if (thrown instanceof Refusal)
    return new VerbFailure(thrown.reason, thrown.message, { members: thrown.hint === null ? {} : { hint: thrown.hint } });
  if (thrown instanceof EngineError) return new VerbFailure(null, thrown.message);
  return null;
}
