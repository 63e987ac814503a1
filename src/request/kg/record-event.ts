/** What the log says where an op made, changed or deleted a record or an edge. */
import { type EventSaid, idsOf, textOf } from "../event/event-kind";
import { isJsonObject, type JsonObject, type RequestJson } from "../request-json";
import { recordKind } from "./record-kind";

/** `result` is the row of what it happened to, or names it by `id` and `kind`. */
export function recordEvent(change: "created" | "updated" | "deleted", result: RequestJson): EventSaid {
  const row: JsonObject = isJsonObject(result) ? result : {};
  const target = textOf(row["id"]);
  const substrate = recordKind(String(row["kind"]))?.substrate;
  if (substrate === undefined) return { kind: change === "created" ? "link_created" : `edge_${change}`, substrate: "edge", target };
  return { kind: `${substrate}_${change}`, substrate, target };
}

/** Many records or edges made by one op: which, as far as its answer says, and how many. */
export function bulkEvent(said: Pick<EventSaid, "kind" | "substrate">, result: JsonObject, rows: "entities" | "edges"): EventSaid {
  const { [rows]: made, errors: _errors, ...counts } = result;
  return { ...said, observed: idsOf(made), payload: counts };
}
