/**
 * Answers kept as JSONL: one row an operation, and a manifest that says what the file holds.
 *
 * A row is the text of the entry as the service sent it, so no number loses a digit on the way. The file appears whole under its
 * name or not at all.
 */
import { createHash } from "node:crypto";
import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";

/** The texts of the entries of an answer, in order. `text` is valid JSON: an object with a list under `results`. */
export function rowsOf(text: string): string[] {
  const rows: string[] = [];
  const start = topLevelList(text, "results");
  let from = start;
  for (let at = start, depth = 0; at < text.length; at++) {
    const c = text[at];
    if (c === '"') at = endOfString(text, at);
    else if (c === "{" || c === "[") depth += 1;
    else if (depth > 0 && (c === "}" || c === "]")) depth -= 1;
    else if (depth === 0 && (c === "," || c === "]")) {
      const row = text.slice(from, at).trim();
      if (row !== "") rows.push(row);
      if (c === "]") return rows;
      from = at + 1;
    }
  }
  return rows;
}

/** Where the list under a key of the outermost object begins, just behind its bracket. */
function topLevelList(text: string, key: string): number {
  for (let at = 0, depth = 0; at < text.length; at++) {
    const c = text[at];
    if (c === "{" || c === "[") depth += 1;
    else if (c === "}" || c === "]") depth -= 1;
    else if (c === '"') {
      const end = endOfString(text, at);
      if (depth === 1 && text.slice(at + 1, end) === key) {
        const list = /^\s*:\s*\[/.exec(text.slice(end + 1));
        if (list !== null) return end + 1 + list[0].length;
      }
      at = end;
    }
  }
  throw new Error(`no list under ${key}`);
}

/** The closing quote of the string that opens at `at`. */
function endOfString(text: string, at: number): number {
  let end = at + 1;
  while (text[end] !== '"') end += text[end] === "\\" ? 2 : 1;
  return end;
}

/** Writes rows under a name, whole or not at all. Makes the folders on the way. */
export function writeRows(path: string, rows: readonly string[]): void {
  const target = resolve(path);
  mkdirSync(dirname(target), { recursive: true });
  const unfinished = `${target}.${process.pid}.part`;
  try {
    writeFileSync(unfinished, rows.map((row) => `${row}\n`).join(""));
    renameSync(unfinished, target);
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw error;
  }
}

type Entry = { ok: boolean; tool: string; error?: unknown; reason?: string };

/** What the file at `path` holds: rows, nulls by column, fingerprints, and the entries that failed. */
export function manifestOf(path: string, rows: readonly string[], summary: object): object {
  const entries = rows.map((row) => JSON.parse(row) as Entry & Record<string, unknown>);
  const columns = [...new Set(entries.flatMap((entry) => Object.keys(entry)))].sort();
  const nulls = columns.map((name) => [name, entries.filter((entry) => (entry[name] ?? null) === null).length]);
  const failures = entries.flatMap(({ ok, tool, error, reason }, op_index) =>
    ok ? [] : [{ op_index, tool, error, ...(reason === undefined ? {} : { reason }) }],
  );
  return {
    path: resolve(path),
    rows: rows.length,
    per_column_null_counts: Object.fromEntries(nulls),
    schema_fingerprint: sha256(columns.join("\n")),
    checksum: sha256(rows.map((row) => `${row}\n`).join("")),
    summary,
    ...(failures.length === 0 ? {} : { failures }),
  };
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
