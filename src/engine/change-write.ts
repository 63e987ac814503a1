/**
 * How what has landed becomes rows, inside the transaction that writes it: each change once, and of a claim only what
 * has become of it. What rows name is counted as they come and go.
 */
import { assert } from "../failure";
import type { Change, Preference } from "./change";
import { dropLines, writeLine } from "./change-log";
import type { ClaimChange } from "./claim-cell";
import { type ClaimRow, deleteClaim, insertClaim, type NetClaim } from "./claim-row";
import { countPreference, countRow, dropGraves, writeGrave } from "./graveyard";
import type { ModuleTable } from "./module-table";
import type { Projection } from "./projection";
import type { Sql } from "./sql";
import type { SymbolTable } from "./symbol";
import { deleteWorld, insertWorld, writeWorldChange } from "./world-row";

/** Where rows go. */
interface Tables {
  readonly sql: Sql;
  readonly symbols: SymbolTable;
  readonly modules: ModuleTable;
}

export function isClaimChange(change: Change): change is Extract<Change, { tag: "claim" }> & ClaimChange {
  return change.tag === "claim";
}

export function writeChanges(tables: Tables, landed: readonly Change[], projections: readonly Projection[]): void {
  const { sql, symbols } = tables;
  const claims = netClaims(landed);
  for (const { before } of claims) {
    if (before === null) continue;
    deleteClaim(sql, before);
    countRow(symbols, before, -1);
  }
  for (const { after } of claims) {
    if (after === null) continue;
    insertClaim(sql, after);
    countRow(symbols, after, 1);
  }
  for (const projection of projections) projection.follow(claims);
  for (const change of landed) if (change.tag !== "claim") writeOther(tables, change);
  dropEndedPreferences(tables, claims);
  symbols.flush();
}

/** What becomes of each row, in the order the rows were first met. */
function netClaims(changes: readonly Change[]): NetClaim[] {
  // A run that only adds is the common one.
  if (changes.every((change) => change.tag !== "claim" || change.sign > 0)) {
    return changes.filter(isClaimChange).map(({ row }) => ({ before: null, after: row }));
  }
  const rows = new Map<number, { before: ClaimRow | null; after: ClaimRow | null }>();
  for (const change of changes) {
    if (change.tag !== "claim") continue;
    const known = rows.get(change.row.id);
    if (known === undefined) {
      rows.set(change.row.id, change.sign > 0 ? { before: null, after: change.row } : { before: change.row, after: null });
    } else known.after = change.sign > 0 ? change.row : null;
  }
  return [...rows.values()];
}

function writeOther(tables: Tables, change: Exclude<Change, { tag: "claim" }>): void {
  const { sql, symbols, modules } = tables;
  switch (change.tag) {
    case "preference":
      if (change.before !== null) endPreference(tables, change.before, change.at);
      if (change.after !== null) beginPreference(tables, change.after);
      return;
    case "pin":
      if (change.sign > 0) sql.exec("INSERT INTO pin (field, subject) VALUES (?, ?)", change.field, change.subject);
      else sql.exec("DELETE FROM pin WHERE field = ? AND subject = ?", change.field, change.subject);
      symbols.countField(change.field, change.sign);
      symbols.count(change.subject, change.sign);
      return;
    case "module":
      modules.write(change.before, change.after, change.held ?? 0);
      return;
    case "lost_rule": {
      const { field, from, until } = change.lost;
      if (change.sign > 0) sql.exec("INSERT INTO lost_rule (field, since, until) VALUES (?, ?, ?)", field, from, until);
      else sql.exec("DELETE FROM lost_rule WHERE field = ? AND since = ?", field, from);
      symbols.countField(field, change.sign);
      return;
    }
    case "mark":
      writeMark(tables, change.name, change.before, change.after);
      return;
    case "world":
      if (change.before !== null) deleteWorld(sql, symbols, change.name, change.before);
      if (change.after !== null) insertWorld(sql, symbols, change.name, change.after);
      return;
    case "let_go":
      dropLines(sql, symbols, change.upTo);
      dropGraves(sql, symbols, change.upTo);
      return;
    case "line":
      assert(change.sign > 0, "what ceased inside a layer is not told of");
      writeLine(sql, symbols, change.position, change.line);
      return;
    case "world_claim":
    case "world_preference":
    case "world_pin":
      writeWorldChange(sql, symbols, change);
      return;
    default:
      writeGrave(sql, symbols, change);
  }
}

function writeMark({ sql, symbols }: Tables, name: number, before: number | null, after: number | null): void {
  if (before !== null) sql.exec("DELETE FROM mark WHERE name = ?", name);
  if (after !== null) sql.exec("INSERT INTO mark (name, position) VALUES (?, ?)", name, after);
  symbols.count(name, (after === null ? 0 : 1) - (before === null ? 0 : 1));
}

function beginPreference({ sql, symbols }: Tables, { id, field, subject, source, setAt }: Preference): void {
  sql.exec(
    "INSERT INTO preference (id, field, subject, source, set_at, unset_at) VALUES (?, ?, ?, ?, ?, NULL)",
    id,
    field,
    subject,
    source,
    setAt,
  );
  countPreference(symbols, { field, subject, source }, 1);
}

/** One that never stood at an instant of its own leaves nothing to know of it. */
function endPreference({ sql, symbols }: Tables, { id, field, subject, source, setAt }: Preference, at: number): void {
  if (setAt === at) {
    sql.exec("DELETE FROM preference WHERE id = ?", id);
    countPreference(symbols, { field, subject, source }, -1);
  } else sql.exec("UPDATE preference SET unset_at = ? WHERE id = ?", at, id);
}

/** Where nothing is recorded any longer, nobody may learn who was believed there. */
function dropEndedPreferences({ sql, symbols }: Tables, claims: readonly NetClaim[]): void {
  const cells = new Map<string, readonly [field: number, subject: number]>();
  for (const { before, after } of claims) {
    if (before === null || after !== null || !hasEndedPreferences(sql, before.field)) continue;
    cells.set(`${before.field}/${before.subject}`, [before.field, before.subject]);
    cells.set(`${before.field}/0`, [before.field, 0]);
  }
  for (const [field, subject] of cells.values()) {
    const left =
      subject === 0
        ? sql.exec("SELECT 1 FROM claim WHERE field = ? LIMIT 1", field)
        : sql.exec("SELECT 1 FROM claim WHERE field = ? AND subject = ? LIMIT 1", field, subject);
    if (left.length > 0) continue;
    const ended = sql.exec(
      "DELETE FROM preference WHERE field = ? AND subject = ? AND unset_at IS NOT NULL RETURNING source",
      field,
      subject,
    );
    for (const [source] of ended) countPreference(symbols, { field, subject, source: source as number }, -1);
  }
}

function hasEndedPreferences(sql: Sql, field: number): boolean {
  return sql.exec("SELECT 1 FROM preference WHERE field = ? AND unset_at IS NOT NULL LIMIT 1", field).length > 0;
}
