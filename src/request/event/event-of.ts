/**
 * The event of an op: what its verb says of it, or that it was done, or that it was not.
 *
 * Acts leave one, and the reads that their verb says write something of their own; help, a read like any other, and what was
 * never begun leave none. A key that may only read leaves none either: what it asks runs beside other reads and writes nothing.
 */
import { allows } from "../../engine/level";
import type { Session } from "../../engine/session";
import type { OpOutcome } from "../op-entry";
import { isJsonObject, type JsonObject } from "../request-json";
import type { Verb } from "../verb";
import { type EventSaid, textOf } from "./event-kind";
import type { EventLog } from "./event-log";

/** An op that was begun. */
export interface OpDone {
  readonly verb: Verb;
  readonly session: Session;
  readonly namespace: string;
  readonly actor: string;
  readonly args: JsonObject;
  /** Label of the whole request. */
  readonly requestId: number | bigint;
}

export function logOp(events: EventLog, { verb, session, namespace, actor, args, requestId }: OpDone, outcome: OpOutcome): void {
  if (outcome.tag === "aborted" || (verb.class === "Assertive" && verb.writesOnRead !== true)) return;
  if (!allows(session.level, "read-add")) return;
  const said = saidOf(verb, args, outcome);
  if (said === null) return;
  const ended = outcome.tag === "succeeded" ? "success" : outcome.failure.kind === "scope_forbidden" ? "denied" : "error";
  events.append({
    kind: "audit",
    ...said,
    verb: verb.name,
    namespace,
    actor,
    outcome: ended,
    request: String(requestId),
    micros: session.instant,
  });
}

function saidOf(verb: Verb, args: JsonObject, outcome: Exclude<OpOutcome, { tag: "aborted" }>): EventSaid | null {
  if (outcome.tag === "failed") {
    const target = textOf(args["id"]) ?? textOf(args["target_id"]);
    return {
      target,
      payload: { error: outcome.failure.kind ?? "runtime_error", message: outcome.failure.message.slice(0, MESSAGE_CHARS) },
    };
  }
  const { result } = outcome;
  if (verb.event !== undefined) return verb.event(result, args);
  return isJsonObject(result) ? { target: textOf(result["id"]) } : {};
}

const MESSAGE_CHARS = 500;
