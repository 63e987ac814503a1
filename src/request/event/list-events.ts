/** Pages of events, newest first (request facts §7.1, `list`). */
import { readInstant } from "../instant-argument";
import { type ListArguments, refuseOtherFilters } from "../kg/list-arguments";
import { collect, envelope } from "../kg/list-page";
import { readId } from "../kg/record-id";
import type { JsonObject, RequestJson } from "../request-json";
import { invalidInput } from "../verb-failure";
import { EVENT_KINDS, EVENT_OUTCOMES, EVENT_SUBSTRATES } from "./event-kind";
import { type EventLog, type EventRef, eventRow } from "./event-log";

const PAGE_MAX = 1000;

export function listEvents(log: EventLog, namespace: string | null, args: ListArguments): JsonObject {
  refuseOtherFilters(args, ["event"], "an event");
  const kinds = words(args.event_kind, args.event_kinds, "event_kind", EVENT_KINDS);
  const outcomes = words(args.outcome, undefined, "outcome", EVENT_OUTCOMES);
  const substrates = words(args.substrate, undefined, "substrate", EVENT_SUBSTRATES);
  const verbs = words(args.verb, args.verbs, "verb", null);
  const accepts = ({ said }: EventRef): boolean =>
    (namespace === null || said.namespace === namespace) &&
    (kinds?.includes(said.kind) ?? true) &&
    (verbs?.includes(said.verb) ?? true) &&
    (outcomes?.includes(said.outcome) ?? true) &&
    (substrates === null || (said.substrate !== undefined && substrates.includes(said.substrate))) &&
    (args.actor === undefined || said.actor === args.actor) &&
    (args.session_id === undefined || said.session === args.session_id) &&
    hasOne(said.observed, args.observed) &&
    hasOne(said.selected, args.selected);
  const page = collect(args, PAGE_MAX, {
    from: function* (before) {
      for (const item of log.newest({
        before,
        from: micros(args.since, "since", 0),
        to: micros(args.until, "until", Number.MAX_SAFE_INTEGER),
      }))
        yield { place: item.seq, item };
    },
    place: (id) => log.candidates(readId(id)).find((event) => event.id === id)?.seq,
    accepts,
    row: eventRow,
    id: (event) => event.id,
  });
  return envelope(args, page, "events");
}

/** One word and a list of them are one list; null: any. */
function words(
  one: string | undefined,
  many: readonly string[] | undefined,
  name: string,
  known: readonly string[] | null,
): readonly string[] | null {
  if (one === undefined && many === undefined) return null;
  const wanted = [...(one === undefined ? [] : [one]), ...(many ?? [])];
  const unknown = known === null ? undefined : wanted.find((word) => !known.includes(word));
  if (unknown !== undefined) throw invalidInput(`\`${name}\` is one of ${known!.join(", ")}; got ${JSON.stringify(unknown.slice(0, 64))}`);
  return wanted;
}

function hasOne(ids: readonly string[] | undefined, wanted: readonly string[] | undefined): boolean {
  return wanted === undefined || (ids?.some((id) => wanted.includes(id)) ?? false);
}

/** An instant as RFC 3339 writes it, or microseconds since 1970. */
function micros(given: RequestJson | undefined, name: string, otherwise: number): number {
  if (given === undefined) return otherwise;
  return typeof given === "number" ? given : readInstant(given as string, name);
}
