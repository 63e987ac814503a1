/**
 * How what has landed becomes rows, inside the transaction that writes it: each change once, and of a claim only what
 * has become of it. What rows name is counted as they come and go.
 */
import { assert } from "../failure";
import type { Change } from "./change";
import { dropLines, writeLine } from "./change-log";
import type { ClaimChange } from "./claim-cell";
import { type ClaimRow, deleteClaim, deleteField, insertClaims, type NetClaim } from "./claim-row";
import { countRow, dropGraves, writeGrave } from "./graveyard";
import {
  beginPreference,
  dropEndedPreferences,
  endPreference,
  hasEndedPreferences,
  preferredSubjects,
  writeLostRule,
  writeMark,
  writePin,
} from "./ledger-row";
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
  /** Names of the rules that conclude at a field. */
  readonly rulesAt: (field: number) => readonly string[];
}

export function isClaimChange(change: Change): change is Extract<Change, { tag: "claim" }> & ClaimChange {
  return change.tag === "claim";
}

export function writeChanges(tables: Tables, landed: readonly Change[], projections: readonly Projection[]): void {
  const { sql, symbols } = tables;
  for (const change of landed) if (change.tag === "emptied") emptyField(tables, change.field, projections);
  const claims = netClaims(landed);
  for (const { before } of claims) {
    if (before === null) continue;
    deleteClaim(sql, before);
    countRow(symbols, before, -1);
  }
  const standing = claims.flatMap(({ after }) => after ?? []);
  insertClaims(sql, standing);
  for (const row of standing) countRow(symbols, row, 1);
  for (const projection of projections) projection.follow(claims);
  for (const change of landed) if (change.tag !== "claim" && change.tag !== "emptied") writeOther(tables, change);
  dropEnded(tables, claims, landed);
  symbols.flush();
}

/** Row by row, so that no more than some of them are in memory: a field may hold as much as the store. */
function emptyField({ sql, symbols, rulesAt }: Tables, field: number, projections: readonly Projection[]): void {
  for (const rows of deleteField(sql, field)) {
    for (const row of rows) countRow(symbols, row, -1);
    const gone = projections.length === 0 ? [] : rows.map((row) => ({ before: row, after: null }));
    for (const projection of projections) projection.follow(gone);
  }
  if (!hasEndedPreferences(sql, field)) return;
  const rules = new Set(rulesAt(field).map((name) => symbols.findDatumId(name)));
  for (const subject of preferredSubjects(sql, field)) dropEndedPreferences(sql, symbols, field, subject, rules);
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
  // What came and went in between has left nothing.
  return [...rows.values()].filter(({ before, after }) => before !== null || after !== null);
}

function writeOther(tables: Tables, change: Exclude<Change, { tag: "claim" | "emptied" }>): void {
  const { sql, symbols, modules } = tables;
  switch (change.tag) {
    case "preference":
      if (change.before !== null) endPreference(sql, symbols, change.before, change.at);
      if (change.after !== null) beginPreference(sql, symbols, change.after);
      return;
    case "pin":
      writePin(sql, symbols, change.field, change.subject, change.sign);
      return;
    case "module":
      modules.write(change.before, change.after, change.held ?? 0);
      return;
    case "lost_rule":
      writeLostRule(sql, symbols, change.lost, change.sign);
      return;
    case "mark":
      writeMark(sql, symbols, change.name, change.before, change.after);
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

/** Where the last claim went, or a preference ended after it had gone. */
function dropEnded({ sql, symbols, rulesAt }: Tables, claims: readonly NetClaim[], landed: readonly Change[]): void {
  const ended = new Map<number, boolean>();
  const cells = new Map<string, readonly [field: number, subject: number]>();
  const look = (field: number, subject: number) => {
    if (!ended.has(field)) ended.set(field, hasEndedPreferences(sql, field));
    if (!ended.get(field)) return;
    cells.set(`${field}/${subject}`, [field, subject]);
    cells.set(`${field}/0`, [field, 0]);
  };
  for (const { before, after } of claims) if (before !== null && after === null) look(before.field, before.subject);
  for (const change of landed) if (change.tag === "preference" && change.before !== null) look(change.field, change.subject);
  for (const [field, subject] of cells.values()) {
    const rules = new Set(rulesAt(field).map((name) => symbols.findDatumId(name)));
    dropEndedPreferences(sql, symbols, field, subject, rules);
  }
}
