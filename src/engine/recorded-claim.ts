/**
 * A recorded claim as a program sees it, and the cell an id names.
 */
import type { Datum, StoredCollection } from "../datum";
import type { Cell, Claim, Qualifiers } from "./claim";
import { type ClaimRow, isPast } from "./claim-row";
import type { Ledger } from "./ledger";

const NO_QUALIFIERS: Qualifiers = new Map();

export function recordedClaim(ledger: Ledger, row: ClaimRow): Claim {
  const { symbols } = ledger;
  return {
    cell: cellOf(ledger, row.field, row.subject),
    value: symbols.datumOf(row.value),
    source: symbols.datumOf(row.source) as string,
    trust: "asserted",
    rule: null,
    writtenBy: symbols.datumOf(row.writer) as string,
    recordedAt: row.recordedAt,
    window: { from: Number.isFinite(row.from) ? row.from : null, to: Number.isFinite(row.to) ? row.to : null },
    qualifiers: row.qualifiers === 0 ? NO_QUALIFIERS : qualifiersOf(symbols.datumOf(row.qualifiers) as StoredCollection),
    position: row.position,
    superseded: isPast(row),
    pinned: ledger.belief.isPinned(row.field, row.subject),
  };
}

function qualifiersOf({ items }: StoredCollection): Qualifiers {
  const map = new Map<string, Datum>();
  for (let i = 0; i < items.length; i += 2) map.set(items[i] as string, items[i + 1]);
  return map;
}

export function cellOf(ledger: Ledger, field: number, subject: number): Cell {
  const { kind, field: name } = ledger.symbols.fieldOf(field);
  const named = ledger.symbols.datumOf(subject) as { readonly name: string };
  return { kind, subject: named.name, field: name };
}
