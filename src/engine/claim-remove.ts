/**
 * `forget` in all its forms: which claims go, and what stands in the way (language.md §5.4).
 *
 * A removal takes recorded claims only, never conclusions. The whole statement refuses if one claim it would take
 * is older than the branch at work (`immutable_in_branch`) or lies at a pinned cell (`pinned_address`); a version
 * left behind whose successor goes can no longer tell until when it was in force.
 */
import type { Datum } from "../datum";
import { Refusal } from "../failure";
import { spellCell, spellTarget } from "./address";
import { LINE, type LineCode } from "./change";
import { lineOf } from "./change-log";
import type { Cell, Effect, RangeKeyword, Target } from "./claim";
import { type ClaimRow, isPast, SUCCESSOR_ERASED } from "./claim-row";
import type { Writer } from "./claim-write";
import type { Ledger } from "./ledger";
import { requireLevel } from "./level";
import { cellOf } from "./recorded-claim";
import { type Sliced, toTheEnd } from "./rule-work";
import { holds } from "./span";
import { compareText } from "./value-order";

/** A cell or a subject, whole. */
export function forget(by: Writer, target: Target): Effect | null {
  if (target.tag === "kind" || target.tag === "field") {
    requireLevel(by.level, "read-write-delete");
    throw new Refusal(
      "invalid_value",
      `a whole ${target.tag} is not forgotten at once: \`forget(${spellTarget(target)}, recorded_before=…)\` takes older versions, \`forget(Kind.subject)\` and \`forget(cell)\` what they name`,
      spellTarget(target),
    );
  }
  return remove(by, target, claimsAt(by.ledger, target), LINE.removed, 0);
}

/** One value of one source, all windows and versions of it. */
export function forgetValue(by: Writer, cell: Cell, value: Datum, source: string): Effect | null {
  const { symbols } = by.ledger;
  const target: Target = { tag: "cell", cell };
  const wanted = symbols.findDatumId(value);
  const from = symbols.findDatumId(source);
  if (wanted === 0 || from === 0) return null;
  return remove(
    by,
    target,
    claimsAt(by.ledger, target).filter((row) => row.value === wanted && row.source === from),
    LINE.removed_value,
    0,
  );
}

/** The standing claims true at the instant, and every superseded version of those same values by the same sources. */
export function forgetAt(by: Writer, cell: Cell, at: number): Effect | null {
  const target: Target = { tag: "cell", cell };
  const rows = claimsAt(by.ledger, target);
  const hit = rows.filter((row) => !isPast(row) && holds(row, at));
  const gone = rows.filter((row) =>
    isPast(row) ? hit.some((other) => other.value === row.value && other.source === row.source) : hit.includes(row),
  );
  return remove(by, target, gone, LINE.removed_at, at);
}

/** Older versions: superseded ones, and those whose window ended by now. */
export function forgetRange(by: Writer, target: Target, keyword: RangeKeyword, instant: number): Effect | null {
  const reached = REACHED[keyword];
  const rows = claimsAt(by.ledger, target).filter((row) => (isPast(row) || row.to <= by.instant) && reached(row, instant));
  return remove(by, target, rows, LINE[keyword], instant);
}

const REACHED: Record<RangeKeyword, (row: ClaimRow, instant: number) => boolean> = {
  recorded_before: (row, instant) => row.recordedAt < instant,
  recorded_at_or_before: (row, instant) => row.recordedAt <= instant,
  valid_before: (row, instant) => row.from < instant,
  valid_at_or_before: (row, instant) => row.from <= instant,
};

/** Every recorded claim a target names, superseded ones included. */
export function claimsAt(ledger: Ledger, target: Target): ClaimRow[] {
  const { symbols, cells } = ledger;
  const rows: ClaimRow[] = [];
  const take = (field: number, subject: number) => rows.push(...cells.past(field, subject), ...cells.standing(field, subject));
  switch (target.tag) {
    case "cell": {
      const field = symbols.findFieldId(target.cell.kind, target.cell.field);
      const subject = symbols.findSubjectId(target.cell.kind, target.cell.subject);
      if (field !== 0 && subject !== 0) take(field, subject);
      break;
    }
    case "subject": {
      const subject = symbols.findSubjectId(target.kind, target.subject);
      if (subject !== 0) for (const field of symbols.fieldsOf(target.kind)) take(field.id, subject);
      break;
    }
    case "field": {
      const field = symbols.findFieldId(target.kind, target.field);
      if (field !== 0) rows.push(...toTheEnd(claimsOf(ledger, field)));
      break;
    }
    case "kind":
      for (const field of symbols.fieldsOf(target.kind)) rows.push(...toTheEnd(claimsOf(ledger, field.id)));
  }
  return rows;
}

/** All recorded claims of a field, a step a cell. */
export function* claimsOf({ cells }: Ledger, field: number): Sliced<ClaimRow[]> {
  const rows: ClaimRow[] = [];
  for (const scan of [cells.scanPast(field), cells.scan(field)]) {
    for (const cell of scan) {
      rows.push(...cell);
      yield;
    }
  }
  return rows;
}

function remove(by: Writer, target: Target, rows: readonly ClaimRow[], code: LineCode, instant: number): Effect | null {
  if (rows.length === 0) return null;
  requireLevel(by.level, "read-write-delete");
  refuseOlder(by.ledger, target, rows);
  refusePinned(by.ledger, rows);
  by.ledger.statement(() => {
    const position = by.ledger.nextId();
    removeClaims(by.ledger, rows, { position, unit: false });
    if (by.ledger.isMarked) by.ledger.log(position, lineOf(code, { ...namedBy(by.ledger, target), instant }));
  });
  return { verb: "forget", target, added: 0, removed: rows.length };
}

/** A target in ids, as a line of the log names it. */
function namedBy({ symbols }: Ledger, target: Target): { readonly field?: number; readonly subject?: number; readonly symbol?: number } {
  switch (target.tag) {
    case "cell": {
      const { kind, subject, field } = target.cell;
      return { field: symbols.fieldId(kind, field), subject: symbols.subjectId(kind, subject) };
    }
    case "field":
      return { field: symbols.fieldId(target.kind, target.field) };
    case "subject":
      return { subject: symbols.subjectId(target.kind, target.subject) };
    case "kind":
      return { symbol: symbols.datumId(target.kind) };
  }
}

/** The statement that takes claims away; `unit`: with the module whose they are. */
interface Removal {
  readonly position: number;
  readonly unit: boolean;
}

/**
 * Inside a statement. Versions that stay behind lose the record of when their erased successor took over. While a mark
 * stands, what is taken is kept, and for a restore also what had superseded those versions.
 */
export function removeClaims(ledger: Ledger, rows: readonly ClaimRow[], removal: Removal): void {
  toTheEnd(removingClaims(ledger, rows, removal));
}

/** The same, a step a claim. */
export function* removingClaims(ledger: Ledger, rows: readonly ClaimRow[], { position: removal, unit }: Removal): Sliced<void> {
  const gone = new Set(rows.map((row) => row.id));
  const written = new Map<string, Set<number>>();
  for (const row of rows) {
    ledger.make({ tag: "claim", sign: -1, row });
    if (ledger.isMarked) ledger.make({ tag: "grave_claim", removal, row, unit, sign: 1 });
    const key = `${row.field}/${row.subject}`;
    const known = written.get(key);
    if (known === undefined) written.set(key, new Set([row.written]));
    else known.add(row.written);
    yield;
  }
  for (const [key, erased] of written) {
    const [field, subject] = key.split("/").map(Number);
    for (const row of ledger.cells.past(field, subject)) {
      if (gone.has(row.id) || !erased.has(row.goneBy)) continue;
      if (ledger.isMarked) ledger.make({ tag: "grave_link", removal, row, sign: 1 });
      ledger.make({ tag: "claim", sign: -1, row });
      ledger.make({ tag: "claim", sign: 1, row: { ...row, goneBy: SUCCESSOR_ERASED, goneAt: Number.POSITIVE_INFINITY } });
    }
  }
}

/** A branch, or a world, removes only what it holds; what a branch has committed is older than that. */
function refuseOlder(ledger: Ledger, target: Target, rows: readonly ClaimRow[]): void {
  if (rows.every((row) => row.position > ledger.floor)) return;
  const inside = ledger.layers.length > 0 ? "branch" : "world";
  throw new Refusal(
    "immutable_in_branch",
    `${spellTarget(target)} holds what is older than this ${inside}, and a ${inside} removes only what it created: leave the ${inside}, then forget it`,
    spellTarget(target),
  );
}

/** The hint names the first pinned address in order. */
export function refusePinned(ledger: Ledger, rows: readonly ClaimRow[]): void {
  const pinned = new Set<string>();
  for (const row of rows) {
    if (!ledger.belief.isPinned(row.field, row.subject)) continue;
    pinned.add(spellCell(cellOf(ledger, row.field, row.subject)));
  }
  if (pinned.size === 0) return;
  const [first] = [...pinned].sort(compareText);
  throw new Refusal(
    "pinned_address",
    `${first} is pinned, so nothing there is removed: \`unpin(${first})\`, then repeat the removal`,
    first,
  );
}
