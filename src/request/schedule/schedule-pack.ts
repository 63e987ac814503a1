/** The pack `schedule`: reminders and calls for later. */
import * as z from "zod";
import { parseOps } from "../../lang/ops/parse-ops";
import { checkVerbArguments } from "../check-arguments";
import { noteEvent } from "../event/event-kind";
import { readInstant } from "../instant-argument";
import { idText } from "../kg/kg-params";
import { findNote, pageOf } from "../kg/notes-of-kind";
import { RecordStore } from "../kg/record-store";
import { substituted } from "../substitute";
import { describeVerb, type Verb } from "../verb";
import { invalidInput } from "../verb-failure";
import type { VerbSite } from "../verb-site";
import { EventStore } from "./event-store";

const LIMIT_MAX = 200;
const at = z.string().describe("When, RFC 3339.");
const repeat = z
  .string()
  .optional()
  .describe("Again and again: daily, weekly, monthly, every:<N><s|m|h|d>, or a cron line of five fields in UTC.");
const WHEN =
  "What a store holds can only be read while a key is at work on it, so what came due meanwhile is done, in order, before the next call is served.";

function eventsAt(site: VerbSite): EventStore {
  return new EventStore(new RecordStore(site));
}

const REMIND: Verb = describeVerb({
  name: "schedule.remind",
  pack: "schedule",
  class: "Commissive",
  description: `Sends you a message at a time to come (comm.inbox). ${WHEN}`,
  params: z.strictObject({ content: z.string().describe("What to be reminded of."), at, repeat }),
  result: "The event: `{id, full_id, kind, content, trigger_at, next_at, repeat, status, …}`.",
  example: 'schedule.remind(content="Call Ann", at="2026-07-01T09:00:00Z")',
  level: "read-add",
  event: (result) => noteEvent("created", result),
  run: (site, args) => {
    if (args.content.trim() === "") throw invalidInput("`content` is blank: a reminder says something");
    const events = eventsAt(site);
    return events.row(events.create({ content: args.content, action: null, at: args.at, repeat: args.repeat }, site.actor));
  },
});

const SCHEDULE: Verb = describeVerb({
  name: "schedule.schedule",
  pack: "schedule",
  class: "Commissive",
  description: `Runs one call at a time to come, as the key that asked and at the level that key then has. ${WHEN}`,
  params: z.strictObject({ action: z.string().describe("The text of one call."), at, repeat }),
  result: "The event: `{id, full_id, kind, action, trigger_at, next_at, repeat, status, …}`.",
  example: 'schedule.schedule(action="memory.prune(min_salience=0.05)", at="2026-07-01T03:00:00Z", repeat="weekly")',
  level: "read-add",
  event: (result) => noteEvent("created", result),
  run: (site, args) => {
    const read = parseOps(args.action);
    if (!read.ok) throw invalidInput(`\`action\`: ${read.fault.message}`);
    if (read.program.calls.length !== 1)
      throw invalidInput(`\`action\` is the text of one call, and this has ${read.program.calls.length}`);
    const [call] = read.program.calls;
    const verb = site.registry.get(call.verb);
    if (verb === undefined) throw invalidInput(`\`action\`: there is no verb ${JSON.stringify(call.verb.slice(0, 64))}`);
    // Nobody is there to be told when it is due.
    checkVerbArguments(verb, substituted(call, null));
    const events = eventsAt(site);
    return events.row(events.create({ content: args.action, action: args.action, at: args.at, repeat: args.repeat }, site.actor));
  },
});

const AGENDA: Verb = describeVerb({
  name: "schedule.agenda",
  pack: "schedule",
  class: "Assertive",
  description: "What is to come, soonest first.",
  params: z.strictObject({
    from: z.string().optional().describe("Not before this instant, RFC 3339."),
    to: z.string().optional().describe("Before this instant, RFC 3339."),
    limit: z.int("must be an integer").default(20).describe(`Rows at most, 1 to ${LIMIT_MAX}; 20 unless said otherwise.`),
  }),
  result: "`{events[], next, ticker{pending, overdue}, total, …}`.",
  example: "schedule.agenda(limit=5)",
  level: "read",
  run: (site, args) => {
    const events = eventsAt(site);
    const from = args.from === undefined ? Number.NEGATIVE_INFINITY : readInstant(args.from, "from");
    const to = args.to === undefined ? Number.POSITIVE_INFINITY : readInstant(args.to, "to");
    const pending = events
      .all()
      .filter((ref) => events.isPending(ref))
      .map((ref) => ({ ref, due: events.dueMicros(ref) }))
      .sort((a, b) => a.due - b.due || a.ref.symbol - b.ref.symbol);
    const wanted = pending.filter(({ due }) => due >= from && due < to);
    const { items, total, has_more, requested_limit, effective_limit, limit_clamped } = pageOf(
      wanted.map(({ ref }) => ref.id),
      args.limit,
      LIMIT_MAX,
    );
    const shown = wanted.slice(0, items.length).map(({ ref }) => events.row(ref));
    return {
      events: shown,
      next: pending.length === 0 ? null : events.row(pending[0].ref)["next_at"],
      ticker: { pending: pending.length, overdue: pending.filter(({ due }) => due <= site.session.instant).length },
      total,
      has_more,
      requested_limit,
      effective_limit,
      limit_clamped,
    };
  },
});

const CANCEL: Verb = describeVerb({
  name: "schedule.cancel",
  pack: "schedule",
  class: "Declaration",
  description: "Takes back what is to come. Of a repeated event all that is left of it.",
  params: z.strictObject({ id: idText("The event") }),
  result: "`{id, full_id, cancelled, trigger_at}`.",
  example: 'schedule.cancel(id="1f0c9a52")',
  level: "read-write",
  event: (result) => noteEvent("updated", result),
  run: (site, args) => {
    const events = eventsAt(site);
    const ref = findNote(events.records, "scheduled_event", args.id);
    events.cancel(ref);
    return { id: ref.id, full_id: ref.id, cancelled: true, trigger_at: events.records.json(ref, "trigger_at") };
  },
});

export const SCHEDULE_VERBS: readonly Verb[] = [REMIND, SCHEDULE, AGENDA, CANCEL];
