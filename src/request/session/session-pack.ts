/** The pack `session`: what an agent keeps of a piece of work, to go on with later. */
import * as z from "zod";
import { noteEvent } from "../event/event-kind";
import { readInstant } from "../instant-argument";
import { idText, tags } from "../kg/kg-params";
import { findNote, noteKindNamed, notesOfKind, pageOf } from "../kg/notes-of-kind";
import { idMicros } from "../kg/record-id";
import { type RecordRef, RecordStore } from "../kg/record-store";
import type { JsonObject } from "../request-json";
import { describeVerb, type Verb } from "../verb";
import { invalidInput } from "../verb-failure";

const LIMIT_MAX = 200;

function sessionRow(records: RecordStore, ref: RecordRef, whole: boolean): JsonObject {
  const row = records.row(ref);
  const content = records.json(ref, "content") as string;
  return {
    id: ref.id,
    full_id: ref.id,
    namespace: ref.namespace,
    title: records.json(ref, "name"),
    provider: records.json(ref, "provider"),
    provider_session_id: records.json(ref, "provider_session_id"),
    agent_id: agentOf(records, ref),
    tags: records.tags(ref),
    ...(whole ? { content } : { content_length: content.length }),
    created_at: row["created_at"],
    updated_at: row["updated_at"],
  };
}

/** The key under which it was stored. */
function agentOf(records: RecordStore, ref: RecordRef): string {
  return records.session.ledger.symbols.datumOf(records.rows(ref, "content")[0].writer) as string;
}

const STORE: Verb = describeVerb({
  name: "session.store",
  pack: "session",
  class: "Directive",
  description: "Keeps the text of a session: a transcript, a summary, whatever lets you go on.",
  params: z.strictObject({
    content: z.string().describe("The text."),
    title: z.string().optional().describe("What it was about."),
    provider: z.string().min(1, "is empty").optional().describe("Where it took place."),
    provider_session_id: z.string().min(1, "is empty").optional().describe("Its name there."),
    tags: tags.optional(),
  }),
  result: "`{id, full_id, title, provider, provider_session_id, agent_id, tags, content_length, created_at, …}`.",
  example: 'session.store(content="We chose plan B.", title="Planning", provider="claude")',
  level: "read-add",
  event: (result) => {
    const event = noteEvent("created", result);
    return { ...event, session: event.target };
  },
  run: (site, args) => {
    if (args.content.trim() === "") throw invalidInput("`content` is blank: a session has a text");
    const records = new RecordStore(site);
    const ref = records.create(noteKindNamed("session"), {
      content: args.content,
      name: args.title === "" ? undefined : args.title,
      provider: args.provider,
      provider_session_id: args.provider_session_id,
      tags: args.tags === undefined ? undefined : [...new Set(args.tags)],
    });
    return sessionRow(records, ref, false);
  },
});

const LIST: Verb = describeVerb({
  name: "session.list",
  pack: "session",
  class: "Assertive",
  description: "Sessions that were kept, newest first, without their texts.",
  params: z.strictObject({
    limit: z.int("must be an integer").default(20).describe(`Rows at most, 1 to ${LIMIT_MAX}; 20 unless said otherwise.`),
    offset: z.int("must be an integer").min(0, "is at least 0").default(0).describe("Rows to skip."),
    provider: z.string().optional().describe("Only from there."),
    agent_id: z.string().optional().describe("Only those stored by this key."),
    since: z.string().optional().describe("Not before this instant."),
  }),
  result: "`{items[], total, offset, has_more, next_offset, …}`.",
  example: 'session.list(provider="claude")',
  level: "read",
  run: (site, args) => {
    const records = new RecordStore(site);
    const since = args.since === undefined ? null : readInstant(args.since, "since");
    const wanted = notesOfKind(records, "session")
      .filter((ref) => {
        if (args.provider !== undefined && records.json(ref, "provider") !== args.provider) return false;
        if (args.agent_id !== undefined && agentOf(records, ref) !== args.agent_id) return false;
        return since === null || (idMicros(ref.id) ?? 0) >= since;
      })
      .reverse();
    const page = pageOf(
      wanted.map((ref) => ref.id),
      args.limit,
      LIMIT_MAX,
      args.offset,
    );
    return { ...page, items: wanted.slice(args.offset, args.offset + page.items.length).map((ref) => sessionRow(records, ref, false)) };
  },
});

const RESUME: Verb = describeVerb({
  name: "session.resume",
  pack: "session",
  class: "Assertive",
  description: "A session with its text, to go on from.",
  params: z.strictObject({ id: idText("The session") }),
  result: "`{id, full_id, title, provider, …, content}`.",
  example: 'session.resume(id="1f0c9a52")',
  level: "read",
  run: (site, args) => {
    const records = new RecordStore(site);
    return sessionRow(records, findNote(records, "session", args.id), true);
  },
});

const EXPORT: Verb = describeVerb({
  name: "session.export",
  pack: "session",
  class: "Assertive",
  description: "A session as one text, to be kept elsewhere.",
  params: z.strictObject({ id: idText("The session"), format: z.enum(["json", "markdown"]).default("json").describe("json or markdown.") }),
  result: "`{id, full_id, format, text}`.",
  example: 'session.export(id="1f0c9a52", format="markdown")',
  level: "read",
  run: (site, args) => {
    const records = new RecordStore(site);
    const ref = findNote(records, "session", args.id);
    const row = sessionRow(records, ref, true);
    return { id: ref.id, full_id: ref.id, format: args.format, text: args.format === "json" ? JSON.stringify(row) : markdown(row) };
  },
});

function markdown(row: JsonObject): string {
  const facts = ["provider", "provider_session_id", "agent_id", "created_at"].flatMap((name) =>
    row[name] === null ? [] : [`- ${name}: ${row[name]}`],
  );
  const labels = row["tags"] as readonly string[];
  return `# ${row["title"] ?? row["id"]}\n\n${[...facts, ...(labels.length > 0 ? [`- tags: ${labels.join(", ")}`] : [])].join("\n")}\n\n${row["content"]}\n`;
}

export const SESSION_VERBS: readonly Verb[] = [STORE, LIST, RESUME, EXPORT];
