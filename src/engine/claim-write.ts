/**
 * What each write verb does to a store (language.md §5.4), one statement each: all of it, or a refusal and nothing.
 *
 * Order of refusals (rulings, "Level before other refusals", "Two reasons at once"): a statement that would change
 * nothing succeeds at any level and a conflict is told at any level; every other statement is asked its level first.
 */
import type { Datum } from "../datum";
import { StoredCollection } from "../datum";
import { Refusal } from "../failure";
import { spellCell } from "./address";
import { LINE } from "./change";
import { lineOf } from "./change-log";
import type { Cell, Effect, Level, Qualifiers, Window } from "./claim";
import type { ClaimRow } from "./claim-row";
import { refuseDerived } from "./derived-field";
import { checkField } from "./field-check";
import type { Ledger } from "./ledger";
import { allows, requireLevel, scopeForbidden } from "./level";
import { type Bounds, boundsOf, covers, overlaps } from "./span";
import { checkStorable, valueForField } from "./typed-value";

/** The call on whose behalf a statement runs. */
export interface Writer {
  readonly ledger: Ledger;
  readonly keyId: string;
  readonly level: Level;
  readonly instant: number;
}

type RecordVerb = "remember" | "update" | "assert_absent";

/** A claim about to be written, all of it interned. */
export interface Draft extends Bounds {
  readonly field: number;
  readonly subject: number;
  readonly value: number;
  readonly source: number;
  readonly qualifiers: number;
}

export function remember(by: Writer, cell: Cell, value: Datum, source: string, window: Window, qualifiers: Qualifiers): Effect | null {
  return record(by, "remember", cell, value, source, window, qualifiers);
}

export function assertAbsent(by: Writer, cell: Cell, source: string, window: Window): Effect | null {
  return record(by, "assert_absent", cell, null, source, window, NO_QUALIFIERS);
}

function record(
  by: Writer,
  verb: "remember" | "assert_absent",
  cell: Cell,
  value: Datum,
  source: string,
  window: Window,
  qualifiers: Qualifiers,
): Effect | null {
  const { ledger } = by;
  const draft = draftOrFault(by, verb, cell, value, source, window, qualifiers);
  if (draft instanceof Refusal) {
    requireLevel(by.level, addingLevel(ledger));
    throw draft;
  }
  const { rows } = ledger.cells.at(draft.field, draft.subject);
  const rival = rows.length === 0 ? undefined : rows.find((row) => row.source === draft.source && overlaps(row, draft));
  if (rival !== undefined && isRecorded(ledger, rows, draft)) return null;
  const conflict = rival !== undefined && !ledger.isMany(draft.field);
  if (!allows(by.level, addingLevel(ledger))) throw conflict ? conflicting(ledger, cell, rival, draft) : scopeForbidden();
  refuseDerived(ledger, draft.field, cell);
  if (conflict) throw conflicting(ledger, cell, rival, draft);
  ledger.statement(() => addClaim(by, draft, ledger.nextId()));
  return recordEffect(verb, cell, ledger.symbols.datumOf(draft.value), source, window, qualifiers);
}

export function update(by: Writer, cell: Cell, value: Datum, source: string, window: Window, qualifiers: Qualifiers): Effect | null {
  const { ledger } = by;
  const draft = draftOrFault(by, "update", cell, value, source, window, qualifiers);
  if (draft instanceof Refusal) {
    requireLevel(by.level, addingLevel(ledger));
    throw draft;
  }
  const { rows } = ledger.cells.at(draft.field, draft.subject);
  const held = rows.filter((row) => row.source === draft.source && overlaps(row, draft));
  const same = held.filter((row) => row.value === draft.value && sameQualifiers(ledger, row.qualifiers, draft.qualifiers));
  const restates = covers(same, draft);
  // Only a many-valued field can hold others beside what is restated.
  const replaced = restates ? held.filter((row) => !same.includes(row)) : held;
  if (restates && replaced.length === 0) return null;
  requireLevel(by.level, replaced.length === 0 ? addingLevel(ledger) : "read-write");
  refuseDerived(ledger, draft.field, cell);
  ledger.statement(() => {
    const position = ledger.nextId();
    for (const row of replaced) supersede(by, row, draft, position);
    if (!restates) addClaim(by, draft, position);
  });
  const effect = recordEffect("update", cell, ledger.symbols.datumOf(draft.value), source, window, qualifiers);
  return restates ? { ...effect, added: 0 } : effect;
}

export const NO_QUALIFIERS: Qualifiers = new Map();

/** What it takes to add a claim (rulings, "A world block"). */
export function addingLevel(ledger: Ledger): Level {
  return ledger.world === null ? "read-add" : "read-write";
}

export function addClaim(by: Writer, draft: Draft, position: number): void {
  const { field, subject } = draft;
  if (by.ledger.isMarked) by.ledger.log(position, lineOf(LINE.added, { field, subject, claim: position }));
  by.ledger.make({
    tag: "claim",
    sign: 1,
    row: {
      id: position,
      field: draft.field,
      subject: draft.subject,
      value: draft.value,
      source: draft.source,
      from: draft.from,
      to: draft.to,
      position,
      written: position,
      recordedAt: by.instant,
      knownFrom: by.instant,
      writer: by.ledger.symbols.datumId(by.keyId),
      qualifiers: draft.qualifiers,
      goneBy: 0,
      goneAt: Number.POSITIVE_INFINITY,
    },
  });
}

/** The version goes into history; what of it lies outside the window stays, cut. */
export function supersede(by: Writer, row: ClaimRow, window: Bounds, position: number): void {
  const { ledger } = by;
  ledger.make({ tag: "claim", sign: -1, row });
  ledger.make({ tag: "claim", sign: 1, row: { ...row, goneBy: position, goneAt: by.instant } });
  if (row.from < window.from) ledger.make({ tag: "claim", sign: 1, row: part(by, row, row.from, window.from), of: row });
  if (window.to < row.to) ledger.make({ tag: "claim", sign: 1, row: part(by, row, window.to, row.to), of: row });
}

/** Keeps its first position and `recordedAt`, and is known only from now on. */
function part(by: Writer, row: ClaimRow, from: number, to: number): ClaimRow {
  return { ...row, id: by.ledger.nextId(), from, to, knownFrom: by.instant };
}

function recordEffect(verb: RecordVerb, cell: Cell, value: Datum, source: string, window: Window, qualifiers: Qualifiers): Effect {
  const bounded = window.from !== null || window.to !== null;
  return {
    verb,
    target: { tag: "cell", cell },
    value: verb === "assert_absent" ? undefined : value,
    source,
    window: bounded ? { from: window.from ?? undefined, to: window.to ?? undefined } : undefined,
    qualifierNames: qualifiers.size > 0 ? [...qualifiers.keys()] : undefined,
    added: 1,
    removed: 0,
  };
}

/** Interns what a statement would write, or gives the `invalid_value` that it is. */
export function draftOrFault(
  by: Writer,
  verb: RecordVerb,
  cell: Cell,
  value: Datum,
  source: string,
  window: Window,
  qualifiers: Qualifiers,
): Draft | Refusal {
  const { ledger } = by;
  try {
    const bounds = boundsOf(window);
    if (bounds.from >= bounds.to) {
      throw new Refusal("invalid_value", "a window begins before it ends: `valid_from` must be earlier than `valid_to`", spellCell(cell));
    }
    if (value === null && verb !== "assert_absent") {
      throw new Refusal(
        "invalid_value",
        `\`None\` is not a value to ${verb}: \`assert_absent(cell, source)\` records that there is none`,
        spellCell(cell),
      );
    }
    if (source === "") throw new Refusal("invalid_value", "a source has a name: write who says so", spellCell(cell));
    checkStorable(source, cell);
    checkField(ledger, cell);
    const field = ledger.symbols.fieldId(cell.kind, cell.field);
    const type = ledger.modules.hasKinds ? ledger.fieldType(field) : null;
    const stored = value === null ? null : valueForField(value, type, cell);
    return {
      field,
      subject: ledger.symbols.subjectId(cell.kind, cell.subject),
      value: ledger.symbols.datumId(stored),
      source: ledger.symbols.datumId(source),
      qualifiers: qualifiers.size === 0 ? 0 : qualifierId(ledger, qualifiers, cell),
      from: bounds.from,
      to: bounds.to,
    };
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

function qualifierId(ledger: Ledger, qualifiers: Qualifiers, cell: Cell): number {
  const items: Datum[] = [];
  for (const [name, value] of qualifiers) items.push(name, value);
  const dict = new StoredCollection("dict", items);
  checkStorable(dict, cell);
  return ledger.symbols.datumId(dict);
}

/** Qualifiers are one whatever order they were written in. */
export function sameQualifiers(ledger: Ledger, a: number, b: number): boolean {
  if (a === b) return true;
  if (a === 0 || b === 0) return false;
  return sortedQualifiers(ledger, a) === sortedQualifiers(ledger, b);
}

function sortedQualifiers(ledger: Ledger, id: number): string {
  const { items } = ledger.symbols.datumOf(id) as StoredCollection;
  const pairs: string[] = [];
  for (let i = 0; i < items.length; i += 2) pairs.push(`${JSON.stringify(items[i])}:${ledger.symbols.datumId(items[i + 1])}`);
  return pairs.sort().join(",");
}

/**
 * That source has recorded this there before: in force, or superseded while it still holds something over the window.
 * Called where the source holds a standing claim that overlaps.
 */
function isRecorded(ledger: Ledger, rows: readonly ClaimRow[], draft: Draft): boolean {
  const alike = (row: ClaimRow) =>
    row.value === draft.value && row.source === draft.source && sameQualifiers(ledger, row.qualifiers, draft.qualifiers);
  if (covers(rows.filter(alike), draft)) return true;
  return ledger.cells.past(draft.field, draft.subject).some((row) => alike(row) && row.from === draft.from && row.to === draft.to);
}

function conflicting(ledger: Ledger, cell: Cell, rival: ClaimRow, draft: Draft): Refusal {
  const source = ledger.symbols.datumOf(rival.source) as string;
  const what = rival.value !== draft.value ? "another value" : "this value in another window or with other qualifiers";
  return new Refusal(
    "conflicting_write",
    `${JSON.stringify(source)} has already recorded ${what} at ${spellCell(cell)} over that time: \`update\` revises it, or cite a different source`,
    spellCell(cell),
  );
}
