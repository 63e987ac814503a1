/**
 * What became of each op, and the entry of the answer that tells it (request facts §5.2).
 */
import type { JsonObject, RequestJson } from "./request-json";
import type { Verb } from "./verb";
import type { VerbFailure } from "./verb-failure";

export interface OpSucceeded {
  readonly tag: "succeeded";
  readonly result: RequestJson;
  /** Members beside `result`: what a search tells of its legs. */
  readonly beside: JsonObject;
}
export interface OpFailed {
  readonly tag: "failed";
  readonly failure: VerbFailure;
}
/** An op before it in its chain did not succeed. */
export interface OpAborted {
  readonly tag: "aborted";
  /** What was not to be, and by which op: `not run: create before it in this chain`. */
  readonly why: string;
}
export type OpOutcome = OpSucceeded | OpFailed | OpAborted;

/** Where an op stands in a batch of units; null elsewhere. */
export interface OpPlace {
  readonly op_index: number;
  readonly unit_index: number;
  readonly step_index: number;
}

export interface OpRecord {
  readonly tool: string;
  /** Undefined: no verb of that name. */
  readonly verb: Verb | undefined;
  readonly place: OpPlace | null;
  readonly outcome: OpOutcome;
}

export interface Summary {
  readonly total: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly aborted: number;
}

/** `shown` stands for the result. */
export function entryOf({ tool, place, outcome }: OpRecord, shown: RequestJson): JsonObject {
  switch (outcome.tag) {
    case "succeeded":
      return { ok: true, tool, ...place, result: shown, ...outcome.beside };
    case "failed": {
      const { failure } = outcome;
      const reason: JsonObject = failure.more.reason === undefined ? {} : { reason: failure.more.reason };
      return { ok: false, tool, ...place, error: failure.error, ...reason, domain_disposition: failure.disposition };
    }
    case "aborted": {
      const message = `${outcome.why} did not succeed`;
      return { ok: false, tool, ...place, aborted: true, message, domain_disposition: "not_committed" };
    }
  }
}

export function summaryOf(records: readonly OpRecord[]): Summary {
  const count = (tag: OpOutcome["tag"]) => records.filter(({ outcome }) => outcome.tag === tag).length;
  return { total: records.length, succeeded: count("succeeded"), failed: count("failed"), aborted: count("aborted") };
}
