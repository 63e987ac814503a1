/**
 * Which claim of a cell is in force (language.md §5.2), and the facts that follow from it for the rules.
 *
 * At an instant: a preferred source's claim, else the last recorded one. Over time: the same question asked once
 * between every two neighbouring window ends, neighbours with one answer joined. A many-valued field has no
 * judge: every claim there is in force in its own window.
 *
 * Pure, over recorded claims in the order of `byPosition`. Derived claims are the caller's: an asserted claim
 * always comes before them.
 */
import type { ClaimRow } from "./claim-row";

/** The judged claim at an instant, or undefined. `preferred` is a source's symbol, 0 for none. */
export function judgeAt(rows: readonly ClaimRow[], at: number, preferred: number): ClaimRow | undefined {
  let last: ClaimRow | undefined;
  let best: ClaimRow | undefined;
  for (let i = rows.length - 1; i >= 0; i--) {
    const row = rows[i];
    if (row.from > at || row.to <= at) continue;
    if (preferred === 0) return row;
    if (row.source === preferred) {
      best = row;
      break;
    }
    last ??= row;
  }
  return best ?? last;
}

/** Where a claim is in force: a maximal span in which it, and no other, is judged. */
export interface Span {
  readonly row: ClaimRow;
  readonly from: number;
  readonly to: number;
}

/** The judged claims of a single-valued cell over all time, ascending. */
export function judgedSpans(rows: readonly ClaimRow[], preferred: number): Span[] {
  if (rows.length === 0) return [];
  if (rows.length === 1) return [{ row: rows[0], from: rows[0].from, to: rows[0].to }];
  const ends = new Set<number>();
  for (const row of rows) ends.add(row.from).add(row.to);
  const cuts = [...ends].sort((a, b) => (a < b ? -1 : 1));
  const spans: { row: ClaimRow; from: number; to: number }[] = [];
  for (let i = 0; i + 1 < cuts.length; i++) {
    const row = judgeAt(rows, cuts[i], preferred);
    const before = spans.at(-1);
    if (row === undefined) continue;
    if (before !== undefined && before.row === row && before.to === cuts[i]) before.to = cuts[i + 1];
    else spans.push({ row, from: cuts[i], to: cuts[i + 1] });
  }
  return spans;
}

/** A value in force and where: what the rules are fed. */
export interface Piece {
  readonly value: number;
  readonly from: number;
  readonly to: number;
}

/** The facts in force of a cell: claims of one value that touch or overlap are one piece. Ascending by value, then start. */
export function factPieces(rows: readonly ClaimRow[], many: boolean, preferred: number): Piece[] {
  if (rows.length === 1) return [{ value: rows[0].value, from: rows[0].from, to: rows[0].to }];
  const spans: readonly Span[] = many ? rows.map((row) => ({ row, from: row.from, to: row.to })) : judgedSpans(rows, preferred);
  const pieces = spans.map(({ row, from, to }) => ({ value: row.value, from, to }));
  pieces.sort((a, b) => a.value - b.value || (a.from < b.from ? -1 : a.from > b.from ? 1 : 0));
  const joined: { value: number; from: number; to: number }[] = [];
  for (const piece of pieces) {
    const last = joined.at(-1);
    if (last !== undefined && last.value === piece.value && piece.from <= last.to) last.to = Math.max(last.to, piece.to);
    else joined.push(piece);
  }
  return joined;
}
