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
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const INSTANT = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(\.\d+)?(Z|[+-]\d{2}:\d{2})$/;

/** Members that a verb's answers keep as they are (request facts §4.1, "keeps its …"). */
const VERB_KEEPS: { readonly [verb: string]: readonly string[] } = {
  "stream.append": ["created_at"],
  "stream.batch": ["created_at", "updated_at"],
  "schedule.agenda": ["next", "events"],
};

/** @param nowMicros  The request's instant. */
export function presentForAgent(result: RequestJson, verb: string, nowMicros: number): RequestJson {
  const keeps = new Set(VERB_KEEPS[verb] ?? []);
  return new Presenter(keeps, nowMicros).value(result, "", false);
}

class Presenter {
  readonly #keeps: ReadonlySet<string>;
  readonly #nowMicros: number;

  constructor(keeps: ReadonlySet<string>, nowMicros: number) {
    this.#keeps = keeps;
    this.#nowMicros = nowMicros;
  }

  value(value: RequestJson, name: string, isRow: boolean): RequestJson {
    if (typeof value === "string") return this.#text(value, name);
    if (typeof value === "number") return ROUNDED.has(name) ? threeFigures(value) : value;
    if (isJsonArray(value)) return value.map((item) => this.value(item, name, true));
    if (isJsonObject(value)) return this.#object(value, isRow);
    return value;
  }

  #object(object: JsonObject, isRow: boolean): JsonObject {
    const isPage = isPageEnvelope(object);
    const out: { [key: string]: RequestJson } = Object.create(null);
    for (const [key, member] of Object.entries(object)) {
      if (this.#keeps.has(key) || key === "record") {
        out[key] = member;
        continue;
      }
      if (key === "namespace" && member === "local") continue;
      const shown = key === "properties" && isJsonObject(member) ? propertiesOf(member, object) : this.value(member, key, false);
      if (shown === null ? !NULLS_KEPT.has(key) && !(isPage && key === "next_after") : isEmpty(shown) && !(isPage && PAGE_ROWS.has(key)))
        continue;
      out[key] = shown;
      if (isRow && key === "created_at" && typeof member === "string") {
        const ago = relative(member, this.#nowMicros);
        if (ago !== null) out["created_at_relative"] = ago;
      }
    }
    return out;
  }

  #text(text: string, name: string): string {
    const isId = name === "id" || name.endsWith("_id") || name === "superseded_by" || name === "replaced_by";
    if (isId && UUID.test(text) && !NEVER_SHORTENED.has(name)) return text.slice(0, 8);
    return TIMES_KEPT.has(name) ? text : inUtc(text);
  }
}

/** Untouched, but for what stands beside them already, and for nulls. */
function propertiesOf(properties: JsonObject, beside: JsonObject): JsonObject {
  const out: { [key: string]: RequestJson } = Object.create(null);
  for (const [key, member] of Object.entries(properties)) {
    if (member === null || (isEmpty(member) && member !== "")) continue;
    const isRepeated = Object.hasOwn(beside, key) && key !== "full_id" && !NEVER_SHORTENED.has(key) && same(beside[key], member);
    if (!isRepeated) out[key] = member;
  }
  return out;
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
  const micros = parseInstant(parts[1] + parts[3]);
  return typeof micros === "number" ? `${instantText(micros).slice(0, -1)}${parts[2] ?? ""}Z` : text;
}

function relative(text: string, nowMicros: number): string | null {
  const parts = INSTANT.exec(text);
  const micros = parts === null ? null : parseInstant(parts[1] + parts[3]);
  if (typeof micros !== "number") return null;
  const seconds = Math.floor((nowMicros - micros) / 1_000_000);
  if (seconds < 0) return null;
  if (seconds < 60) return `${seconds}s ago`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m ago`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)}h ago`;
  return `${Math.floor(seconds / 86_400)}d ago`;
}
