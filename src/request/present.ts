/**
 * The presentation `agent`: a result cut to what a model reads (request facts §4.1).
 *
 * Short ids, no empty members, rounded scores, times in UTC with how long ago. Applied to the results of ops that
 * succeeded, after everything has run: what a chain passes on is never cut.
 */
import { instantText, parseInstant } from "../lang/value/instant-text";
import { isJsonArray, isJsonObject, type JsonObject, type RequestJson } from "./request-json";

const NEVER_SHORTENED = new Set(["full_id", "context_entity_id", "thread_id", "outbound_ref", "parent_id", "session_id", "project_id"]);
const NULLS_KEPT = new Set(
  (
    "completed_at deleted_at due_at read_at started_at superseded_at applied_at withdrawn_at reviewed_at parent_id superseded_by replaced_by " +
    "poll_interval_secs stalled last_success_at last_poll_attempt_at last_failure_at last_error consecutive_failures"
  ).split(" "),
);
const ROUNDED = new Set(
  "score rank_score vector_similarity keyword_score salience decay_factor rrf_score similarity cross_encoder_score graph_proximity_score".split(
    " ",
  ),
);
const PAGE_ROWS = new Set("items entities notes edges results entries neighbors".split(" "));
/** Times that stay as they were written. */
const TIMES_KEPT = new Set(["trigger_at", "due"]);
/** In the receipts of streams. */
const WRITTEN_TIMES = new Set(["created_at", "updated_at"]);
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const INSTANT = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(\.\d+)?(Z|[+-]\d{2}:?\d{2})$/;

/** Where a value stands, as far as that bears on how it is shown. */
interface Place {
  /** A member of an array. */
  readonly isRow?: true;
  /** What a stream says of what it wrote. */
  readonly isReceipt?: true;
  /** At or under `properties`, which are not ours. */
  readonly isProperties?: true;
  /** The same, where that is an object: an empty text in it was written by somebody. */
  readonly isProperty?: true;
}

/** @param nowMicros  The request's instant. */
export function presentForAgent(result: RequestJson, verb: string, nowMicros: number): RequestJson {
  const shown = new Presenter(verb, nowMicros).value(result, verb === "stream.append" ? { isReceipt: true } : {});
  if (verb !== "schedule.agenda" || !isJsonObject(result) || !isJsonObject(shown)) return shown;
  // `next` is where to go on, as it was written; an agenda without events is one all the same.
  const { next, events } = result;
  return { ...shown, ...(next === undefined ? {} : { next }), ...(isJsonArray(events) && events.length === 0 ? { events } : {}) };
}

class Presenter {
  readonly #verb: string;
  readonly #nowMicros: number;

  constructor(verb: string, nowMicros: number) {
    this.#verb = verb;
    this.#nowMicros = nowMicros;
  }

  /** A text or a number is shown as its field asks for; in an array it stays. */
  value(value: RequestJson, place: Place): RequestJson {
    if (isJsonArray(value)) return value.map((item) => this.value(item, { ...place, isRow: true }));
    return isJsonObject(value) ? this.#object(value, place) : value;
  }

  #object(object: JsonObject, place: Place): JsonObject {
    const isPage = isPageEnvelope(object);
    const isEntry = typeof object["seq"] === "number";
    const out: { [key: string]: RequestJson } = Object.create(null);
    for (const [key, member] of Object.entries(object)) {
      const isKept = (key === "record" && isEntry) || (place.isReceipt === true && WRITTEN_TIMES.has(key));
      if (isKept) out[key] = member;
      else if (!isDropped(key, member, place, isPage)) out[key] = this.#member(key, member, place);
    }
    const made = object["created_at"];
    if (typeof made === "string" && place.isRow && !place.isReceipt && !place.isProperties) {
      const ago = relative(made, this.#nowMicros);
      if (ago !== null && !Object.hasOwn(out, "created_at_relative")) out["created_at_relative"] = ago;
    }
    const { properties } = out;
    if (isJsonObject(properties) && !place.isProperties) {
      const own = withoutRepeats(properties, out);
      if (isEmpty(own)) delete out["properties"];
      else out["properties"] = own;
    }
    return out;
  }

  #member(key: string, member: RequestJson, place: Place): RequestJson {
    if (typeof member === "number") return ROUNDED.has(key) ? threeFigures(member) : member;
    if (typeof member === "string") {
      if (isIdField(key) && UUID.test(member)) return member.slice(0, 8);
      return TIMES_KEPT.has(key) || place.isProperties ? member : inUtc(member);
    }
    if (key === "results" && this.#verb === "stream.batch") return this.value(member, { isReceipt: true });
    const { isProperties, isProperty } = place;
    if (key !== "properties") return this.value(member, { isProperties, isProperty });
    return this.value(member, { isProperties: true, isProperty: isProperty ?? (isJsonObject(member) ? true : undefined) });
  }
}

function isDropped(key: string, member: RequestJson, place: Place, isPage: boolean): boolean {
  if (member === null) return !NULLS_KEPT.has(key) && !(isPage && key === "next_after");
  if (member === "") return place.isProperty !== true;
  if (member === "local" && key === "namespace") return place.isProperties !== true;
  return isEmpty(member) && !(isPage && PAGE_ROWS.has(key));
}

function isIdField(name: string): boolean {
  if (NEVER_SHORTENED.has(name)) return false;
  return name === "id" || name.endsWith("_id") || name === "superseded_by" || name === "replaced_by";
}

/** Without what stands beside the properties already, but for what is asked for by its whole id. */
function withoutRepeats(properties: JsonObject, beside: JsonObject): JsonObject {
  const isRepeated = (key: string) => Object.hasOwn(beside, key) && !NEVER_SHORTENED.has(key) && same(beside[key], properties[key]);
  return Object.fromEntries(Object.entries(properties).filter(([key]) => !isRepeated(key)));
}

function same(a: RequestJson, b: RequestJson): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (isJsonArray(a) || isJsonArray(b)) {
    return isJsonArray(a) && isJsonArray(b) && a.length === b.length && a.every((item, index) => same(item, b[index]));
  }
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && same(a[key], b[key]));
}

function isPageEnvelope(object: JsonObject): boolean {
  const has = (key: string) => Object.hasOwn(object, key);
  if (has("requested_limit") && has("effective_limit") && has("limit_clamped")) return true;
  return has("next_after") && (has("results") || (has("entries") && typeof object["head_seq"] === "number"));
}

function isEmpty(value: RequestJson): boolean {
  if (value === "") return true;
  if (typeof value !== "object" || value === null) return false;
  return isJsonArray(value) ? value.length === 0 : Object.keys(value).length === 0;
}

function threeFigures(value: number): number {
  return Number.isFinite(value) ? Number(value.toPrecision(3)) : value;
}

/** The same instant in UTC, its fraction digits kept; another text as it is. */
function inUtc(text: string): string {
  const parts = INSTANT.exec(text);
  if (parts === null || parts[3] === "Z") return text;
  const micros = wholeSeconds(parts);
  return micros === null ? text : `${instantText(micros).slice(0, -1)}${parts[2] ?? ""}Z`;
}

/** Microseconds of an instant without its fraction; null where there is no such day or hour. */
function wholeSeconds([, time, , offset]: RegExpExecArray): number | null {
  const micros = parseInstant(time + (/^[+-]\d{4}$/.test(offset) ? `${offset.slice(0, 3)}:${offset.slice(3)}` : offset));
  return typeof micros === "number" ? micros : null;
}

function relative(text: string, nowMicros: number): string | null {
  const parts = INSTANT.exec(text);
  const whole = parts === null ? null : wholeSeconds(parts);
  if (parts === null || whole === null) return null;
  const made = whole + Number((parts[2] ?? ".").slice(1, 7).padEnd(6, "0"));
  const seconds = Math.floor((nowMicros - made) / 1_000_000);
  if (seconds < 0) return null;
  if (seconds < 60) return `${seconds}s ago`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m ago`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)}h ago`;
  return `${Math.floor(seconds / 86_400)}d ago`;
}
