/**
 * Scheduled events as records, and what becomes of one that has fired.
 *
 * An event is a reminder (its content is sent to the actor who made it) or a call (its action is run as the key that made it).
 * It fires once for all the times that passed while nobody could: the next time of a repeated one lies after now.
 */
import { Datetime } from "../../datum";
import { instantText } from "../../lang/value/instant-text";
import { readInstant } from "../instant-argument";
import { noteKindNamed, notesOfKind } from "../kg/notes-of-kind";
import { propertiesDatum, type RecordRef, type RecordStore } from "../kg/record-store";
import type { JsonObject } from "../request-json";
import { invalidInput } from "../verb-failure";
import { PENDING } from "./due-index";
import { nextDue, readRepeat } from "./repeat";

export interface EventWish {
  readonly content: string;
  /** Text of one call; null for a reminder. */
  readonly action: string | null;
  readonly at: string;
  readonly repeat?: string;
}

/** How one firing ended; `error` null where it worked. */
export interface Firing {
  readonly error: string | null;
}

export class EventStore {
  readonly records: RecordStore;

  constructor(records: RecordStore) {
    this.records = records;
  }

  create({ content, action, at, repeat }: EventWish, actor: string): RecordRef {
    const due = readInstant(at, "at");
    if (repeat !== undefined) readRepeat(repeat);
    return this.records.create(noteKindNamed("scheduled_event"), {
      content,
      action: action ?? undefined,
      trigger_at: at,
      due_at: new Datetime(due),
      repeat,
      status: PENDING,
      actor,
    });
  }

  all(): RecordRef[] {
    return notesOfKind(this.records, "scheduled_event");
  }

  dueMicros(ref: RecordRef): number {
    const due = this.records.value(ref, "due_at");
    return due instanceof Datetime ? due.micros : 0;
  }

  isPending(ref: RecordRef): boolean {
    return this.records.json(ref, "status") === PENDING;
  }

  cancel(ref: RecordRef): void {
    const status = this.records.json(ref, "status");
    if (status !== PENDING) throw invalidInput(`the event is ${status}: one that is pending can be cancelled`);
    this.records.update(ref, { status: "cancelled" });
  }

  /** What it is after it has fired: due again, or done. */
  settle(ref: RecordRef, { error }: Firing): void {
    const { records } = this;
    const { instant } = records.session;
    const repeat = records.json(ref, "repeat") as string | null;
    const again =
      repeat === null ? null : nextDue(readRepeat(repeat), readInstant(records.json(ref, "trigger_at") as string, "trigger_at"), instant);
    const properties = records.properties(ref);
    const runs = typeof properties["runs"] === "number" ? properties["runs"] : 0;
    records.update(ref, {
      fired_at: new Datetime(instant),
      properties: propertiesDatum({ ...properties, runs: runs + 1, last_error: error }),
      ...(again === null ? { status: error === null ? "fired" : "failed" } : { due_at: new Datetime(again) }),
    });
  }

  row(ref: RecordRef): JsonObject {
    const { records } = this;
    const row = records.row(ref);
    const { runs = 0, last_error: lastError = null } = records.properties(ref);
    const action = records.json(ref, "action");
    return {
      id: ref.id,
      full_id: ref.id,
      namespace: ref.namespace,
      kind: action === null ? "reminder" : "call",
      content: row["content"],
      action,
      trigger_at: records.json(ref, "trigger_at"),
      next_at: this.isPending(ref) ? instantText(this.dueMicros(ref)) : null,
      repeat: records.json(ref, "repeat"),
      status: records.json(ref, "status"),
      fired_at: records.json(ref, "fired_at"),
      runs,
      last_error: lastError,
      actor: records.json(ref, "actor"),
      created_at: row["created_at"],
    };
  }
}
