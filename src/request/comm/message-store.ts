/**
 * Messages as records: each is two notes of kind `message`, the sender's copy (outbound) and the receiver's (inbound), which
 * points at the first. A thread is named by the id of the outbound copy it began with.
 *
 * An actor is a name: who the client says acts, else the key's id. It is attribution, not access: whoever may read the store
 * may read every message in it.
 */
import { Datetime, Subject } from "../../datum";
import { keyedSubjects } from "../kg/kg-index";
import { noteKindNamed } from "../kg/notes-of-kind";
import { idMicros } from "../kg/record-id";
import { storeKind } from "../kg/record-kind";
import type { RecordRef, RecordStore } from "../kg/record-store";
import type { JsonObject } from "../request-json";
import { conflict, invalidInput } from "../verb-failure";

export type Direction = "inbound" | "outbound";

export interface MessageWish {
  readonly from: string;
  readonly to: string;
  readonly content: string;
  readonly subject: string | null;
  readonly threadId: string | null;
  readonly replyTo: string | null;
  readonly idempotencyKey?: string;
}

export interface Sent {
  readonly outbound: RecordRef;
  readonly inbound: RecordRef | null;
  /** It had been sent before, under the same key. */
  readonly replayed: boolean;
}

const KIND = storeKind(noteKindNamed("message"));

export class MessageStore {
  readonly records: RecordStore;

  constructor(records: RecordStore) {
    this.records = records;
  }

  /** Both copies, or neither. The same idempotency key of the same sender sends once; another message under it is a conflict. */
  send(wish: MessageWish): Sent {
    if (wish.content.trim() === "") throw invalidInput("`content` is blank: a message says something");
    const before =
      wish.idempotencyKey === undefined ? undefined : this.matching({ idempotency_key: wish.idempotencyKey, from_actor: wish.from }).at(0);
    if (before !== undefined) return { outbound: before, inbound: this.inboundOf(before), replayed: this.#sameMessage(before, wish) };
    const { records } = this;
    const copy = (direction: Direction, more: { readonly [field: string]: string | undefined }): RecordRef =>
      records.create(noteKindNamed("message"), {
        content: wish.content,
        direction,
        from_actor: wish.from,
        to_actor: wish.to,
        subject: wish.subject ?? undefined,
        reply_to: wish.replyTo ?? undefined,
        ...more,
      });
    const outbound = copy("outbound", { thread_id: wish.threadId ?? undefined, idempotency_key: wish.idempotencyKey });
    if (wish.threadId === null) records.update(outbound, { thread_id: outbound.id });
    const inbound = copy("inbound", { thread_id: wish.threadId ?? outbound.id, outbound_ref: outbound.id });
    return { outbound, inbound, replayed: false };
  }

  #sameMessage(before: RecordRef, wish: MessageWish): true {
    const { records } = this;
    const same =
      records.json(before, "content") === wish.content &&
      records.json(before, "to_actor") === wish.to &&
      records.json(before, "subject") === wish.subject;
    if (same) return true;
    throw conflict("another message was sent under this `idempotency_key`", { reason: "key_conflict", existing_id: before.id });
  }

  /** Copies whose fields have these values, oldest first. The first field is one that messages are looked up by. */
  matching(wanted: { readonly [field: string]: string }): RecordRef[] {
    const { namespaceAsked: space } = this.records.site;
    return this.#subjects(wanted)
      .flatMap((subject) => this.records.refOfSubject(subject) ?? [])
      .filter((ref) => space === null || ref.namespace === space)
      .sort(older);
  }

  #subjects(wanted: { readonly [field: string]: string }): Subject[] {
    const { session, sql } = this.records;
    const { symbols } = session.ledger;
    const [[name, value], ...others] = Object.entries(wanted);
    const field = symbols.findFieldId(KIND, name);
    const key = symbols.findDatumId(value);
    if (field === 0 || key === 0) return [];
    // What a rule concludes stands in no claim.
    if (session.ledger.isDerived(field)) {
      return session.find(KIND, new Map(Object.entries(wanted))).map((id) => new Subject(KIND, id));
    }
    return keyedSubjects(sql, field, key, null)
      .map((symbol) => symbols.datumOf(symbol) as Subject)
      .filter((subject) => this.#says(subject, name, value) && others.every(([other, text]) => this.#says(subject, other, text)));
  }

  /** A claim in force says so. */
  #says(subject: Subject, field: string, value: string): boolean {
    return this.records.session.value({ kind: KIND, subject: subject.name, field }).value === value;
  }

  inboundOf(outbound: RecordRef): RecordRef | null {
    return this.matching({ outbound_ref: outbound.id }).at(0) ?? null;
  }

  /** What was received has arrived. */
  isDelivered(ref: RecordRef): boolean {
    return this.records.json(ref, "direction") === "inbound" || this.inboundOf(ref) !== null;
  }

  /** Null where it has not been read; a message of one's own is read. */
  isRead(ref: RecordRef): boolean {
    return this.records.json(ref, "direction") === "outbound" || this.records.json(ref, "read_at") !== null;
  }

  /** False where it had been read before. Throws where it is no message that somebody received. */
  markRead(ref: RecordRef): boolean {
    if (this.records.json(ref, "direction") !== "inbound")
      throw invalidInput(`${ref.id} is the sender's copy: what was received is marked as read`);
    if (this.isRead(ref)) return false;
    return this.records.update(ref, { read_at: new Datetime(this.records.session.instant) });
  }

  row(ref: RecordRef): JsonObject {
    const { records } = this;
    const text = (field: string) => records.json(ref, field);
    return {
      id: ref.id,
      full_id: ref.id,
      short_id: ref.id.slice(0, 8),
      namespace: ref.namespace,
      direction: text("direction"),
      from: text("from_actor"),
      to: text("to_actor"),
      subject: text("subject"),
      content: text("content"),
      thread_id: text("thread_id"),
      reply_to: text("reply_to"),
      outbound_ref: text("outbound_ref"),
      read: this.isRead(ref),
      read_at: text("read_at"),
      created_at: records.row(ref)["created_at"],
    };
  }

  /** When it was made, microseconds. */
  micros(ref: RecordRef): number {
    return idMicros(ref.id) ?? this.records.rows(ref, "content").at(-1)?.recordedAt ?? 0;
  }
}

/** Symbols are given out in the order things are first named. */
function older(a: RecordRef, b: RecordRef): number {
  return a.symbol - b.symbol;
}
