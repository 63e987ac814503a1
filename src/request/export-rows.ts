/**
 * The answer as a file: one line of JSON for each op, and the manifest that stands in its place (request facts §4.3).
 *
 * Only the text and what is counted in it are made here; where it is kept, and its checksum, are the platform's.
 */
import type { Json, ToolAnswer } from "../tools/answer";
import { shownResult, type Wording } from "./answer-envelope";
import { entryOf, type OpRecord, summaryOf } from "./op-entry";
import { isJsonArray, isJsonObject, type JsonObject, jsonText, type RequestJson } from "./request-json";

export interface ExportPlace {
  readonly path: string;
  readonly meta: { readonly [key: string]: Json };
  readonly ops: number;
}

export function exported(records: readonly OpRecord[], wording: Wording, { path, meta, ops }: ExportPlace): ToolAnswer {
  const rows = records.map((record, index) => entryOf(record, shownResult(record, index, wording)));
  const nulls = new Map<string, number>();
  for (const row of rows) countNulls(row, "", nulls);
  const columns = [...nulls.keys()].sort();
  const failures = rows.flatMap((row, index) => (row["ok"] === true || row["aborted"] === true ? [] : [failureOf(row, index)]));
  const summary = summaryOf(records);
  const manifest: { [key: string]: Json } = {
    rows: rows.length,
    per_column_null_counts: Object.fromEntries(columns.map((column) => [column, nulls.get(column)!])),
    summary: { ...summary },
    ...(failures.length > 0 ? { failures } : {}),
  };
  const isError = summary.succeeded === 0 && summary.failed + summary.aborted > 0;
  return {
    status: isError ? "refuse" : "success",
    text: "",
    meta,
    mirror: null,
    ops,
    file: { path, text: rows.map((row) => `${jsonText(row)}\n`).join(""), columns, manifest },
  };
}

function failureOf(row: JsonObject, index: number): Json {
  return {
    op_index: index,
    tool: row["tool"] as string,
    error: row["error"] as Json,
    ...(row["reason"] === undefined ? {} : { reason: row["reason"] as string }),
  };
}

/** Columns are paths: `result.items[].name`. */
function countNulls(value: RequestJson, path: string, nulls: Map<string, number>): void {
  if (isJsonArray(value)) {
    for (const item of value) countNulls(item, `${path}[]`, nulls);
    return;
  }
  if (isJsonObject(value)) {
    for (const [key, member] of Object.entries(value)) countNulls(member, path === "" ? key : `${path}.${key}`, nulls);
    return;
  }
  nulls.set(path, (nulls.get(path) ?? 0) + (value === null ? 1 : 0));
}
