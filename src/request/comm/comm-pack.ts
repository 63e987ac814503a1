/** The pack `comm`: messages between those who work on one store. */
import * as z from "zod";
import { instantText } from "../../lang/value/instant-text";
import { REQUEST_WAIT_MS_MAX } from "../../limits";
import { type EventSaid, idsOf, noteEvent } from "../event/event-kind";
import { readInstant } from "../instant-argument";
import { fullId, idText } from "../kg/kg-params";
import { newestRecords } from "../kg/list-records";
import { findNote, noteKindNamed, pageOf, projected } from "../kg/notes-of-kind";
import { type RecordRef, RecordStore } from "../kg/record-store";
import { isJsonObject, type JsonObject, type RequestJson } from "../request-json";
import { describeVerb, type Verb } from "../verb";
import { failureFrom, invalidInput, notFound } from "../verb-failure";
import type { VerbSite } from "../verb-site";
import { MessageStore } from "./message-store";

const UNREAD_CAP = 1000;
const PAGE_MAX = 200;
const THREAD_MAX = 500;
const IDS_MAX = 500;
const NEW_MESSAGES_MAX = 100;
const MINUTE = 60_000_000;

const actorName = (what: string) => z.string().min(1, "is empty").max(256, "has at most 256 characters").describe(what);
const fieldNames = z.array(z.string()).min(1, "is empty").optional().describe("Only these members of each row.");
const manyIds = z.array(idText("A message")).min(1, "is empty").max(IDS_MAX, `has at most ${IDS_MAX} entries`);

function messagesAt(site: VerbSite): MessageStore {
  return new MessageStore(new RecordStore(site));
}

const SEND: Verb = describeVerb({
  name: "comm.send",
  pack: "comm",
  class: "Commissive",
  description: "Sends a message to an actor: their copy and yours are kept together or not at all. To yourself only with `self_send`.",
  params: z.strictObject({
    to: actorName("Who is to have it."),
    content: z.string().describe("What it says."),
    subject: z.string().optional().describe("What it is about."),
    thread_id: fullId("The thread it belongs to").optional(),
    self_send: z.boolean().default(false).describe("Yes, to myself."),
    idempotency_key: z
      .string()
      .min(1, "is empty")
      .max(256, "has at most 256 characters")
      .optional()
      .describe("Sent again under the same key, it is sent once."),
  }),
  result: "Your copy: `{id, full_id, thread_id, to, inbound_id, …}`; `replayed: true` where the key had been used.",
  example: 'comm.send(to="ann", content="The import is done.")',
  level: "read-add",
  event: (result) => (isJsonObject(result) && result["replayed"] === true ? null : noteEvent("created", result)),
  run: (site, args) => {
    const messages = messagesAt(site);
    if (args.to === site.actor && !args.self_send)
      throw invalidInput("this message is to yourself: say `self_send=true` where that is meant");
    const thread = args.thread_id === undefined ? null : threadNamed(messages, args.thread_id);
    const sent = messages.send({
      from: site.actor,
      to: args.to,
      content: args.content,
      subject: args.subject === undefined || args.subject === "" ? null : args.subject,
      threadId: thread,
      replyTo: null,
      idempotencyKey: args.idempotency_key,
    });
    return { ...messages.row(sent.outbound), inbound_id: sent.inbound?.id ?? null, ...(sent.replayed ? { replayed: true } : {}) };
  },
});

function threadNamed(messages: MessageStore, id: string): string {
  if (messages.matching({ thread_id: id }).length === 0) throw notFound(`no thread has the id ${JSON.stringify(id.slice(0, 64))}`);
  return id;
}

const REPLY: Verb = describeVerb({
  name: "comm.reply",
  pack: "comm",
  class: "Commissive",
  description: "Answers a message in its thread, and marks it as read.",
  params: z.strictObject({ id: idText("The message answered"), content: z.string().describe("What the answer says.") }),
  result: "Your copy of the answer: `{id, full_id, thread_id, reply_to, …}`.",
  example: 'comm.reply(id="1f0c9a52", content="Thank you.")',
  level: "read-add",
  event: (result, { id }) => ({ ...noteEvent("created", result), observed: [id as string] }),
  run: (site, args) => {
    const messages = messagesAt(site);
    const { records } = messages;
    const original = findNote(records, "message", args.id);
    const isInbound = records.json(original, "direction") === "inbound";
    const sent = messages.send({
      from: site.actor,
      to: records.json(original, isInbound ? "from_actor" : "to_actor") as string,
      content: args.content,
      subject: records.json(original, "subject") as string | null,
      threadId: records.json(original, "thread_id") as string,
      replyTo: original.id,
    });
    if (isInbound) markIfAllowed(messages, original);
    return { ...messages.row(sent.outbound), inbound_id: sent.inbound?.id ?? null };
  },
});

/** A key that may only add cannot mark: the answer is sent all the same. */
function markIfAllowed(messages: MessageStore, ref: RecordRef): void {
  try {
    messages.markRead(ref);
  } catch (thrown) {
    if (failureFrom(thrown) === null) throw thrown;
  }
}

const INBOX: Verb = describeVerb({
  name: "comm.inbox",
  pack: "comm",
  class: "Assertive",
  description:
    'What you have received, newest first, or with `box="sent"` what you have sent. With `wait_ms`, where there is nothing to show, it waits for something to arrive.',
  params: z.strictObject({
    limit: z.int("must be an integer").default(20).describe(`Rows at most, 1 to ${PAGE_MAX}; 20 unless said otherwise.`),
    offset: z.int("must be an integer").min(0, "is at least 0").default(0).describe("Rows to skip."),
    box: z.enum(["inbox", "sent"]).default("inbox").describe("Received or sent."),
    status: z.enum(["unread", "read", "all"]).optional().describe("Of the inbox: unread unless said otherwise; of what was sent: all."),
    wait_ms: z
      .int("must be an integer")
      .min(0, "is at least 0")
      .max(REQUEST_WAIT_MS_MAX, `is at most ${REQUEST_WAIT_MS_MAX}`)
      .default(0)
      .describe(
        "How long to wait for a first row; others use the store meanwhile, and ops behind it in the text begin afterwards. One request waits thirty seconds in all at most.",
      ),
    from_actor: actorName("Only from them.").optional(),
    from_prefix: actorName("Only from actors whose names begin so.").optional(),
    exclude_from_actor: actorName("Not from them.").optional(),
    to_actor: actorName("Of what was sent: only to them.").optional(),
    since: z.string().optional().describe("Not before this instant."),
    before: z.string().optional().describe("Before this instant."),
    subject_contains: z.string().optional().describe("Only where the subject has this in it."),
    content_contains: z.string().optional().describe("Only where the content has this in it."),
    fields: fieldNames,
  }),
  result: "`{items[], unread_count, unread_count_saturated, offset, has_more, next_offset, …}`.",
  example: 'comm.inbox(status="unread", limit=5)',
  level: "read",
  waits: (result, { wait_ms }) => (((result as JsonObject)["items"] as readonly RequestJson[]).length > 0 ? 0 : (wait_ms as number)),
  run: (site, args) => {
    if (args.from_actor !== undefined && args.from_prefix !== undefined)
      throw invalidInput("`from_actor` and `from_prefix` exclude each other");
    if (args.to_actor !== undefined && args.box !== "sent") throw invalidInput('`to_actor` goes with `box="sent"`');
    const messages = messagesAt(site);
    const isInbox = args.box === "inbox";
    const status = args.status ?? (isInbox ? "unread" : "all");
    const since = args.since === undefined ? null : readInstant(args.since, "since");
    const before = args.before === undefined ? null : readInstant(args.before, "before");
    const mine = isInbox ? received(messages, site.actor) : messages.matching({ from_actor: site.actor, direction: "outbound" });
    const text = (ref: RecordRef, field: string) => (messages.records.json(ref, field) as string | null) ?? "";
    const holds = (ref: RecordRef, field: string, piece: string | undefined) =>
      piece === undefined || text(ref, field).toLowerCase().includes(piece.toLowerCase());
    const wanted = mine
      .filter((ref) => {
        const from = text(ref, "from_actor");
        if (args.from_actor !== undefined && from !== args.from_actor) return false;
        if (args.from_prefix !== undefined && !from.startsWith(args.from_prefix)) return false;
        if (from === args.exclude_from_actor) return false;
        if (args.to_actor !== undefined && text(ref, "to_actor") !== args.to_actor) return false;
        const at = messages.micros(ref);
        if ((since !== null && at < since) || (before !== null && at >= before)) return false;
        if (!holds(ref, "subject", args.subject_contains) || !holds(ref, "content", args.content_contains)) return false;
        return status === "all" || messages.isRead(ref) === (status === "read");
      })
      .reverse();
    const page = pageOf(
      wanted.map((ref) => ref.id),
      args.limit,
      PAGE_MAX,
      args.offset,
    );
    const shown = wanted.slice(args.offset, args.offset + page.items.length);
    return {
      ...page,
      items: shown.map((ref) => projected(messages.row(ref), args.fields)),
      ...unreadCount(messages, isInbox ? mine : received(messages, site.actor), "unread_count"),
    };
  },
});

function received(messages: MessageStore, actor: string): RecordRef[] {
  return messages.matching({ to_actor: actor, direction: "inbound" });
}

function unreadCount(messages: MessageStore, inbox: readonly RecordRef[], name: string): JsonObject {
  const unread = inbox.filter((ref) => !messages.isRead(ref)).length;
  return { [name]: Math.min(unread, UNREAD_CAP), [`${name}_saturated`]: unread > UNREAD_CAP };
}

const UNREAD: Verb = describeVerb({
  name: "comm.unread",
  pack: "comm",
  class: "Assertive",
  description: "How many messages you have not read.",
  params: z.strictObject({}),
  result: "`{count, count_cap, count_saturated, actor}`.",
  example: "comm.unread()",
  level: "read",
  run: (site) => {
    const messages = messagesAt(site);
    return { ...unreadCount(messages, received(messages, site.actor), "count"), count_cap: UNREAD_CAP, actor: site.actor };
  },
});

function marked(messages: MessageStore, id: string): JsonObject {
  try {
    const ref = findNote(messages.records, "message", id);
    messages.markRead(ref);
    return { id: ref.id, full_id: ref.id, status: "success", read: true };
  } catch (thrown) {
    const failure = failureFrom(thrown);
    if (failure === null) throw thrown;
    return { id, status: "failed", read: false, mark_error: failure.message };
  }
}

function markedAll(messages: MessageStore, ids: readonly string[]): JsonObject {
  const results = ids.map((id) => marked(messages, id));
  const succeeded = results.filter((one) => one["status"] === "success").length;
  return { results, total: results.length, succeeded, failed: results.length - succeeded };
}

function markedEvent(result: RequestJson): EventSaid {
  const { results } = result as JsonObject;
  return { ...noteEvent("updated", result), ...(results === undefined ? {} : { observed: idsOf(results) }) };
}

const READ: Verb = describeVerb({
  name: "comm.read",
  pack: "comm",
  class: "Declaration",
  description: "Marks messages as read; it does not fetch them. Each of `ids` is marked by itself.",
  params: z.strictObject({ id: idText("A message").optional(), ids: manyIds.optional().describe("Messages; give `id` or `ids`.") }),
  result: "`{id, status, read, mark_error?}`; of `ids` `{results[], total, succeeded, failed}`.",
  example: 'comm.read(id="1f0c9a52")',
  level: "read-add",
  event: markedEvent,
  run: (site, args) => {
    if ((args.id === undefined) === (args.ids === undefined)) throw invalidInput("give `id` or `ids`, one of them");
    const messages = messagesAt(site);
    if (args.ids !== undefined) return markedAll(messages, args.ids);
    const ref = findNote(messages.records, "message", args.id as string);
    messages.markRead(ref);
    return { id: ref.id, full_id: ref.id, status: "success", read: true };
  },
});

const MARK_READ: Verb = describeVerb({
  name: "comm.mark_read",
  pack: "comm",
  class: "Declaration",
  description: "Marks messages as read; with `atomic` all of them or none.",
  params: z.strictObject({
    ids: manyIds.describe("Messages."),
    atomic: z.boolean().default(false).describe("One that cannot be marked refuses all."),
  }),
  result: "`{results[], total, succeeded, failed}`.",
  example: 'comm.mark_read(ids=["1f0c9a52", "2b7de011"], atomic=true)',
  level: "read-add",
  event: markedEvent,
  run: (site, args) => {
    const messages = messagesAt(site);
    const marks = markedAll(messages, args.ids);
    if (!args.atomic || marks["failed"] === 0) return marks;
    const failed = (marks["results"] as readonly JsonObject[]).filter((one) => one["status"] === "failed");
    const [first] = failed;
    throw invalidInput(`${marks["failed"]} of ${marks["total"]} cannot be marked, so none was; ${first["id"]}: ${first["mark_error"]}`, {
      details: { results: failed },
    });
  },
});

const THREAD: Verb = describeVerb({
  name: "comm.thread",
  pack: "comm",
  class: "Assertive",
  description: "The messages of a thread in order, named by any message of it. Each stands once: your copy, where you have one.",
  params: z.strictObject({
    id: idText("A message of the thread"),
    limit: z.int("must be an integer").default(100).describe(`Rows at most, 1 to ${THREAD_MAX}; 100 unless said otherwise.`),
    order: z.enum(["asc", "desc"]).default("asc").describe("Oldest or newest first."),
    after: fullId("Go on behind this message").optional(),
    fields: fieldNames,
  }),
  result: "`{thread_id, items[], has_more, next_after, …}`.",
  example: 'comm.thread(id="1f0c9a52")',
  level: "read",
  run: (site, args) => {
    const messages = messagesAt(site);
    const { records } = messages;
    const threadId = records.json(findNote(records, "message", args.id), "thread_id") as string;
    const thread = ownCopies(messages, messages.matching({ thread_id: threadId }), site.actor);
    if (args.order === "desc") thread.reverse();
    const from = args.after === undefined ? 0 : thread.findIndex((ref) => ref.id === args.after) + 1;
    if (args.after !== undefined && from === 0) throw notFound(`the thread has no message ${JSON.stringify(args.after.slice(0, 64))}`);
    const { items, requested_limit, effective_limit, limit_clamped, total, has_more } = pageOf(
      thread.map((ref) => ref.id),
      args.limit,
      THREAD_MAX,
      from,
    );
    const shown = thread.slice(from, from + items.length);
    return {
      thread_id: threadId,
      items: shown.map((ref) => projected(messages.row(ref), args.fields)),
      total,
      has_more,
      next_after: has_more === true ? shown.at(-1)!.id : null,
      requested_limit,
      effective_limit,
      limit_clamped,
    };
  },
});

/** One copy of each message: the one the actor received, else the one that was sent. */
function ownCopies(messages: MessageStore, copies: readonly RecordRef[], actor: string): RecordRef[] {
  const { records } = messages;
  const byMessage = new Map<string, RecordRef>();
  for (const ref of copies) {
    const outbound = records.json(ref, "outbound_ref") as string | null;
    const isMine = outbound !== null && records.json(ref, "to_actor") === actor;
    if (isMine || !byMessage.has(outbound ?? ref.id)) byMessage.set(outbound ?? ref.id, ref);
  }
  return [...byMessage.values()];
}

const DELIVERED: Verb = describeVerb({
  name: "comm.delivered",
  pack: "comm",
  class: "Assertive",
  description: "Whether a message that you sent has arrived.",
  params: z.strictObject({ id: fullId("Your copy of the message") }),
  result: "`{id, status, delivered, inbound_count}`.",
  example: 'comm.delivered(id="1f0c9a52-0006-8a2b-9c3d-4e5f60718293")',
  level: "read",
  alwaysVerbose: true,
  run: (site, args) => {
    const messages = messagesAt(site);
    const ref = findNote(messages.records, "message", args.id);
    if (messages.records.json(ref, "direction") !== "outbound")
      throw invalidInput(`${ref.id} is a message received: ask about the sender's copy`);
    const count = messages.matching({ outbound_ref: ref.id }).length;
    return { id: ref.id, status: count > 0 ? "delivered" : "undelivered", delivered: count > 0, inbound_count: count };
  },
});

const PROBE: Verb = describeVerb({
  name: "comm.probe",
  pack: "comm",
  class: "Assertive",
  description: "What has arrived for an actor since the last probe, and how much has long gone unread. It marks nothing.",
  params: z.strictObject({
    actor: actorName("Whose inbox."),
    since_us: z.int("must be an integer").min(0, "is at least 0").optional().describe("The `cursor_us` of the last probe."),
    stale_minutes: z.int("must be an integer").min(0, "is at least 0").default(20).describe("Unread for longer is stale."),
  }),
  result: `\`{cursor_us, stale_unread_count, new_messages[]}\`, at most ${NEW_MESSAGES_MAX}.`,
  example: 'comm.probe(actor="ann")',
  level: "read",
  run: (site, args) => {
    const messages = messagesAt(site);
    const inbox = received(messages, args.actor);
    const since = args.since_us ?? 0;
    const fresh = inbox.filter((ref) => messages.micros(ref) > since).slice(0, NEW_MESSAGES_MAX);
    const staleBefore = site.session.instant - args.stale_minutes * MINUTE;
    const stale = inbox.filter((ref) => !messages.isRead(ref) && messages.micros(ref) < staleBefore);
    const last = fresh.at(-1);
    return {
      cursor_us: last === undefined ? since : messages.micros(last),
      stale_unread_count: stale.length,
      new_messages: fresh.map((ref) => messages.row(ref)),
    };
  },
});

const HEALTH: Verb = describeVerb({
  name: "comm.health",
  pack: "comm",
  class: "Assertive",
  description: "How the channels are. There is one, the store itself, which delivers as it writes.",
  params: z.strictObject({}),
  result: "`{channels[{channel, stalled, last_success_at, …}]}`.",
  example: "comm.health()",
  level: "read",
  run: (site) => {
    const messages = messagesAt(site);
    const last = lastReceived(messages);
    return {
      channels: [
        {
          channel: "store",
          stalled: false,
          poll_interval_secs: null,
          last_success_at: last === null ? null : instantText(messages.micros(last)),
          last_poll_attempt_at: null,
          last_failure_at: null,
          last_error: null,
          consecutive_failures: 0,
        },
      ],
    };
  },
});

function lastReceived({ records }: MessageStore): RecordRef | null {
  const { namespaceAsked } = records.site;
  const space = namespaceAsked === null ? null : records.session.ledger.symbols.findDatumId(namespaceAsked);
  for (const { item } of newestRecords(records, [noteKindNamed("message")], space)) {
    if (records.json(item, "direction") === "inbound") return item;
  }
  return null;
}

export const COMM_VERBS: readonly Verb[] = [SEND, REPLY, INBOX, UNREAD, READ, MARK_READ, THREAD, DELIVERED, PROBE, HEALTH];
