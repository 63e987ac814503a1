/**
 * What the store had been told by a moment (rulings, "Instants", "known_at edges").
 *
 * A version was known from its recording until its successor's. Where that successor has been erased nobody can tell
 * until when, so a read that would rest on such a version refuses.
 */

import { Refusal } from "../failure";
import { spellCell } from "./address";
import { byPosition, type ClaimRow, SUCCESSOR_ERASED } from "./claim-row";
import { NO_PREFERENCE, type Preferred } from "./judgement";
import type { Ledger } from "./ledger";
import { preferredThen } from "./ledger-row";
import { cellOf } from "./recorded-claim";
import { holds } from "./span";

/** The recorded claims of a cell as they stood at a moment, and who was preferred then; in order of position. */
export interface KnownCell {
  readonly rows: readonly ClaimRow[];
  readonly preferred: Preferred;
  /** Where a version lay of which it is not known until when it stood. */
  readonly unknown: readonly { readonly from: number; readonly to: number }[];
}

/** Refuses `not_recorded` where such a version covers `at` and nothing later of its source does. */
export function knownCell(ledger: Ledger, field: number, subject: number, known: number, at: number): KnownCell {
  const sql = ledger.landedSql();
  const all = ledger.cells.landed(field, subject).filter((row) => row.knownFrom <= known);
  const rows = all.filter((row) => row.goneBy !== SUCCESSOR_ERASED && row.goneAt > known).sort(byPosition);
  const unknown = all.filter((row) => row.goneBy === SUCCESSOR_ERASED);
  for (const row of unknown) {
    if (!holds(row, at)) continue;
    const followed = all.some((other) => other.source === row.source && other.position > row.position && holds(other, at));
    if (!followed) throw eraseRefusal(ledger, field, subject);
  }
  if (!ledger.belief.wasEverPreferred(field)) return { rows, preferred: NO_PREFERENCE, unknown };
  return { rows, preferred: preferredThen(sql, field, subject, known), unknown };
}

export function eraseRefusal(ledger: Ledger, field: number, subject: number): Refusal {
  const cell = spellCell(cellOf(ledger, field, subject));
  return new Refusal(
    "not_recorded",
    `a value of ${cell} was replaced by one that has since been forgotten, so when it stopped being in force is not recorded: read it without \`known_at\``,
    cell,
  );
}
