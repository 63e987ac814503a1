/** What events tell: the words for them, and what a verb says of an op of its own. */
import { isJsonObject, type JsonObject, type RequestJson } from "../request-json";

/** `audit`: whatever has no word of its own. */
export const EVENT_KINDS = [
  "audit",
  "entity_created",
  "entity_updated",
  "entity_deleted",
  "entity_merged",
  "note_created",
  "note_updated",
  "note_deleted",
  "note_merged",
  "link_created",
  "edge_updated",
  "edge_deleted",
  "search_executed",
  "recall_executed",
  "task_transitioned",
  "feedback_explicit",
  "proposal_created",
  "proposal_reviewed",
  "proposal_withdrawn",
] as const;
export type EventKind = (typeof EVENT_KINDS)[number];

/** `denied`: the key may not. */
export const EVENT_OUTCOMES = ["success", "denied", "error"] as const;
export type EventOutcome = (typeof EVENT_OUTCOMES)[number];

export const EVENT_SUBSTRATES = ["entity", "note", "edge", "event", "proposal"] as const;
export type EventSubstrate = (typeof EVENT_SUBSTRATES)[number];

/** What a verb says of an op that succeeded. */
export interface EventSaid {
  readonly kind?: EventKind;
  readonly substrate?: EventSubstrate;
  /** Id of what was acted on. */
  readonly target?: string;
  /** Ids that were shown, or touched beside the target. */
  readonly observed?: readonly string[];
  /** Ids that somebody chose among those shown. */
  readonly selected?: readonly string[];
  readonly session?: string;
  /** What events belong to together. */
  readonly aggregate?: { readonly kind: string; readonly id: string };
  readonly payload?: JsonObject;
}

export function textOf(value: RequestJson | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** The `id` of each row. */
export function idsOf(rows: RequestJson | undefined): string[] {
  return Array.isArray(rows) ? rows.flatMap((row: JsonObject) => textOf(row?.["id"]) ?? []) : [];
}

/** Something happened to the note that a result is or names. */
export function noteEvent(change: "created" | "updated" | "deleted", result: RequestJson): EventSaid {
  return { kind: `note_${change}`, substrate: "note", target: isJsonObject(result) ? textOf(result["id"]) : undefined };
}
