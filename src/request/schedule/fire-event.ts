/**
 * An event at work: what was asked for at a time, done now, as the key that asked.
 *
 * That an event has fired is written in the transaction of what it did: a reminder, or a call that lands in one slice, is done
 * exactly once whatever breaks off; a program of many slices begins anew when it was broken off.
 */
import type { Subject } from "../../datum";
import type { Level } from "../../engine/claim";
import type { Embedded, ToolAnswer, ToolCall, ToolTask } from "../../tools/answer";
import { MessageStore } from "../comm/message-store";
import { type RecordRef, RecordStore } from "../kg/record-store";
import type { Registry } from "../registry";
import { type RequestStore, RequestTask } from "../run-request";
import { failureFrom } from "../verb-failure";
import { OpMeter, type VerbSite } from "../verb-site";
import { EventStore } from "./event-store";

/** Whose message a reminder is. */
const REMINDER_ACTOR = "schedule";

export interface FireSite {
  readonly store: RequestStore;
  readonly registry: Registry;
  /** The level a key has now; null where it has been revoked. */
  levelOf(keyId: string): Level | null;
  /** As of an ordinary call, but for who calls. */
  readonly call: Omit<ToolCall, "tool" | "args" | "caller">;
}

/** The key an event was made with, for its firing to be billed to. */
export interface Fired extends ToolTask {
  readonly keyId: string;
}

export class FireTask implements Fired {
  readonly keyId: string;
  readonly instant: number;
  readonly stopped = false;
  readonly #site: FireSite;
  readonly #subject: Subject;
  readonly #action: RequestTask | null;
  readonly #refusal: string | null;
  #done = false;

  /** `subject`: symbol of the event. */
  constructor(site: FireSite, subject: number) {
    this.#site = site;
    const reader = site.store.begin({ ...site.call, tool: "request", args: {}, caller: { keyId: "", level: "read" } });
    const { symbols } = reader.ledger;
    this.#subject = symbols.datumOf(subject) as Subject;
    const records = new RecordStore(this.#verbSite(reader, "", "local"));
    const ref = records.refOfSubject(this.#subject)!;
    this.keyId = symbols.datumOf(records.rows(ref, "content")[0].writer) as string;
    const level = site.levelOf(this.keyId);
    const action = records.json(ref, "action");
    this.#refusal = level === null ? "the key that asked for it was revoked" : null;
    this.instant = reader.instant;
    this.#action =
      level === null || typeof action !== "string"
        ? null
        : new RequestTask(site.store, site.registry, {
            ...site.call,
            tool: "request",
            args: {
              ops: action,
              presentation: "verbose",
              client: { namespace: ref.namespace, actor: records.json(ref, "actor") ?? this.keyId },
            },
            caller: { keyId: this.keyId, level },
          });
  }

  get ops(): number {
    return this.#action?.ops ?? (this.#done ? 1 : 0);
  }
  stop(): void {
    this.#action?.stop();
  }
  get waitsFor(): readonly string[] | null {
    return this.#action?.waitsFor ?? null;
  }
  provide(embedded: Embedded): void {
    this.#action?.provide(embedded);
  }
  answer(): ToolAnswer {
    return { status: "success", text: "", meta: {}, mirror: null, ops: this.ops };
  }

  advance(stepsMax: number): boolean {
    if (this.#done) return true;
    if (this.#action !== null && !this.#action.advance(stepsMax)) return false;
    this.#done = true;
    this.#settle();
    return true;
  }

  /** Inside the slice that ended the work. */
  #settle(): void {
    // The service keeps the event's books, whatever level its key has now.
    const session = this.#site.store.begin({
      ...this.#site.call,
      tool: "request",
      args: {},
      caller: { keyId: this.keyId, level: "read-write-delete" },
    });
    const records = new RecordStore(this.#verbSite(session, this.keyId, "local"));
    const ref = records.refOfSubject(this.#subject);
    // Its own action may have deleted it.
    if (ref === null) return;
    const events = new EventStore(records);
    session.layerPush("compile");
    const error =
      this.#refusal ??
      (this.#action === null ? remind(session, this.#verbSite(session, this.keyId, ref.namespace), ref) : outcomeOf(this.#action));
    events.settle(ref, { error });
    session.layerCommit();
    session.flush();
  }

  #verbSite(session: VerbSite["session"], actor: string, namespace: string): VerbSite {
    const { store, registry } = this.#site;
    return {
      session,
      storeId: store.storeId,
      bornAs: store.bornAs,
      actor,
      namespace,
      namespaceAsked: null,
      namespaceNamed: null,
      meter: new OpMeter(),
      registry,
      events: store.events,
      embeddingModel: store.embeddingModel,
      meaning: null,
      advise: () => {},
      unsaved: { records: true, edges: true },
      bytes: () => store.bytes(),
      bytesMax: store.bytesMax,
      startTool: (call, args) =>
        store.startTool({ ...this.#site.call, tool: call, args, caller: { keyId: this.keyId, level: session.level } }),
    };
  }
}

/** Sends the reminder; what went wrong, or null. */
function remind(session: VerbSite["session"], site: VerbSite, event: RecordRef): string | null {
  const records = new RecordStore(site);
  session.layerPush("compile");
  try {
    new MessageStore(records).send({
      from: REMINDER_ACTOR,
      to: (records.json(event, "actor") as string | null) ?? site.actor,
      content: records.json(event, "content") as string,
      subject: "reminder",
      threadId: null,
      replyTo: null,
    });
    session.layerCommit();
    return null;
  } catch (thrown) {
    const failure = failureFrom(thrown);
    if (failure === null) throw thrown;
    session.layerRollback();
    return failure.message;
  }
}

/** What the one op of an action said when it failed; null where it worked. */
function outcomeOf(action: RequestTask): string | null {
  const { results } = JSON.parse(action.answer().text) as { results: { ok: boolean; error?: string | { message: string } }[] };
  const [{ ok, error }] = results;
  if (ok) return null;
  return typeof error === "string" ? error : (error?.message ?? "it was not carried out");
}
