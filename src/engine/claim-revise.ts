/**
 * Writes that say what a cell holds as a whole: the request endpoint's, which have no verb of the language behind them.
 *
 * As `update`, what they replace goes into history; unlike it, they may leave a cell with nothing in force, and at a
 * many-valued field they touch only the values they are about. All of it, or a refusal and nothing.
 */
import type { Datum } from "../datum";
import { Refusal } from "../failure";
import { LINE } from "./change";
import { lineOf } from "./change-log";
import { ALWAYS, type Cell, type Qualifiers } from "./claim";
import type { ClaimRow } from "./claim-row";
import { addClaim, type Draft, draftOrFault, NO_QUALIFIERS, sameQualifiers, supersede, type Writer } from "./claim-write";
import { refuseDerived } from "./derived-field";
import { requireLevel } from "./level";

/** Always: no part of what is superseded stays. */
const WHOLE = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };

/** What a source holds at the cell becomes exactly these values, without qualifiers. False: it held just them. */
export function setValues(by: Writer, cell: Cell, values: readonly Datum[], source: string): boolean {
  const drafts = values.map((value) => drafted(by, cell, value, source, NO_QUALIFIERS));
  const { symbols, cells } = by.ledger;
  const field = symbols.findFieldId(cell.kind, cell.field);
  const subject = symbols.findSubjectId(cell.kind, cell.subject);
  const from = symbols.findDatumId(source);
  const held = field === 0 || subject === 0 ? [] : cells.standing(field, subject).filter((row) => row.source === from);
  const kept = (row: ClaimRow) => drafts.some((draft) => draft.value === row.value && row.qualifiers === 0);
  const dropped = held.filter((row) => !kept(row));
  const added = drafts.filter((draft) => !held.some((row) => row.value === draft.value && row.qualifiers === 0));
  return revise(by, cell, dropped, added);
}

/** What a source holds at the cell is said anew, as it stands. */
export function restate(by: Writer, cell: Cell, source: string): void {
  const { symbols, cells } = by.ledger;
  const from = symbols.findDatumId(source);
  const held = cells
    .standing(symbols.findFieldId(cell.kind, cell.field), symbols.findSubjectId(cell.kind, cell.subject))
    .filter((row) => row.source === from && row.qualifiers === 0);
  revise(
    by,
    cell,
    held,
    held.map((row) => drafted(by, cell, symbols.datumOf(row.value), source, NO_QUALIFIERS)),
  );
}

/** The claims that a source has of this value there get these qualifiers, or one is made. False: that is how it stood. */
export function setQualifiers(by: Writer, cell: Cell, value: Datum, source: string, qualifiers: Qualifiers): boolean {
  const draft = drafted(by, cell, value, source, qualifiers);
  const held = by.ledger.cells
    .standing(draft.field, draft.subject)
    .filter((row) => row.source === draft.source && row.value === draft.value);
  if (held.length === 1 && sameQualifiers(by.ledger, held[0].qualifiers, draft.qualifiers)) return false;
  return revise(by, cell, held, [draft]);
}

/** A source no longer has this value there. False: it had not. */
export function dropValue(by: Writer, cell: Cell, value: Datum, source: string): boolean {
  const draft = drafted(by, cell, value, source, NO_QUALIFIERS);
  const held = by.ledger.cells
    .standing(draft.field, draft.subject)
    .filter((row) => row.source === draft.source && row.value === draft.value);
  return revise(by, cell, held, []);
}

function drafted(by: Writer, cell: Cell, value: Datum, source: string, qualifiers: Qualifiers): Draft {
  const draft = draftOrFault(by, "update", cell, value, source, ALWAYS, qualifiers);
  if (!(draft instanceof Refusal)) return draft;
  requireLevel(by.level, "read-add");
  throw draft;
}

function revise(by: Writer, cell: Cell, dropped: readonly ClaimRow[], added: readonly Draft[]): boolean {
  if (dropped.length === 0 && added.length === 0) return false;
  const { ledger } = by;
  requireLevel(by.level, dropped.length === 0 ? "read-add" : "read-write");
  const field = (dropped[0] ?? added[0]).field;
  refuseDerived(ledger, field, cell);
  ledger.statement(() => {
    const position = ledger.nextId();
    for (const row of dropped) supersede(by, row, WHOLE, position);
    // Several claims of one statement need an id each.
    let id = position;
    for (const draft of added) {
      addClaim(by, draft, id);
      id = ledger.nextId();
    }
    if (added.length > 0 || !ledger.isMarked) return;
    ledger.log(position, lineOf(LINE.removed_value, { field, subject: dropped[0].subject }));
  });
  return true;
}
