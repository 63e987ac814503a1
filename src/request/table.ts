/**
 * The formats `auto` and `table`: rows as a Markdown table, anything else as compact JSON text (request facts §4.2).
 */
import { isJsonArray, isJsonObject, type JsonObject, jsonText, type RequestJson } from "./request-json";

const CELL_CHARS_MAX = 120;
/** Properties that are worth a column. */
const LIFTED = ["trigger_at", "due", "status"] as const;

/** @param whole  Nothing is cut or left out: the presentation is `verbose`. */
export function tableText(result: RequestJson, whole: boolean): string {
  if (isRows(result)) return table(result, whole);
  if (isJsonObject(result)) {
    const rowsKey = Object.keys(result).find((key) => isRows(result[key]));
    if (rowsKey !== undefined) {
      const rest = Object.entries(result).filter(([key]) => key !== rowsKey);
      const lines = rest.filter(([key]) => whole || key !== "full_id").map(([key, value]) => `${key}: ${lineText(value)}`);
      return [table(result[rowsKey] as readonly JsonObject[], whole), ...(lines.length > 0 ? ["", ...lines] : [])].join("\n");
    }
  }
  return jsonText(whole ? result : withoutFullId(result));
}

/** Of a record, or of each in a list. */
function withoutFullId(value: RequestJson): RequestJson {
  if (isJsonArray(value)) return value.map(withoutFullId);
  if (!isJsonObject(value)) return value;
  const left = Object.entries(value).filter(([key]) => key !== "full_id");
  return Object.fromEntries(left.map(([key, member]) => [key, isJsonArray(member) ? withoutFullId(member) : member]));
}

/** What would run on into the next line, or stand for nothing, is told as JSON. */
function lineText(value: RequestJson): string {
  return typeof value === "string" && !/[\r\n]/.test(value) ? value : jsonText(value);
}

function isRows(value: RequestJson): value is readonly JsonObject[] {
  return isJsonArray(value) && value.length >= 2 && value.every(isJsonObject);
}

function table(rows: readonly JsonObject[], whole: boolean): string {
  const lifted = rows.map((row) => withColumns(row, whole));
  const columns = [...new Set(lifted.flatMap((row) => Object.keys(row)))];
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  const body = lifted.map((row) =>
    line(
      columns.map((column) => {
        const text = Object.hasOwn(row, column)
          ? cellText(row[column])
              .replaceAll("|", "\\|")
              .replace(/\r\n|\r|\n/g, " ")
          : "";
        return whole ? text : cut(text);
      }),
    ),
  );
  return [line(columns.map((column) => column.replaceAll("|", "\\|"))), line(columns.map(() => "---")), ...body].join("\n");
}

function withColumns(row: JsonObject, whole: boolean): JsonObject {
  const out: { [key: string]: RequestJson } = Object.create(null);
  for (const [key, value] of Object.entries(row)) if (whole || key !== "full_id") out[key] = value;
  const properties = row["properties"];
  if (!isJsonObject(properties)) return out;
  const left: { [key: string]: RequestJson } = { ...properties };
  for (const name of LIFTED) {
    if (!Object.hasOwn(properties, name)) continue;
    if (!Object.hasOwn(row, name)) out[name] = properties[name];
    delete left[name];
  }
  if (Object.keys(left).length > 0) out["properties"] = left;
  else delete out["properties"];
  return out;
}

function cellText(value: RequestJson): string {
  return typeof value === "string" ? value : value === null ? "" : jsonText(value);
}

function cut(text: string): string {
  const chars = [...text];
  return chars.length <= CELL_CHARS_MAX ? text : `${chars.slice(0, CELL_CHARS_MAX - 1).join("")}…`;
}
