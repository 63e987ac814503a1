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

/**
 * Symbols of the sources believed before all others at a cell, the most preferred first: the cell's, then its field's.
 * One that has no claim in force leaves it to the next (rulings, "Preferences").
 */
export type Preferred = readonly number[];
export const NO_PREFERENCE: Preferred = [];

/** The judged claim at an instant, or undefined. */
export function judgeAt(rows: readonly ClaimRow[], at: number, preferred: Preferred): ClaimRow | undefined {
  let best: ClaimRow | undefined;
  let bestWeight = -1;
  for (let i = rows.length - 1; i >= 0; i--) {
    const row = rows[i];
    if (row.from > at || row.to <= at) continue;
    const weight = weightOf(row.source, preferred);
    if (weight === preferred.length) return row;
    if (weight > bestWeight) {
      best = row;
      bestWeight = weight;
    }
  }
  return best;
}

/** Greater is more believed; 0 for a source that nobody prefers. */
function weightOf(source: number, preferred: Preferred): number {
  for (let i = 0; i < preferred.length; i++) if (preferred[i] === source) return preferred.length - i;
  return 0;
}

/** Where a claim is in force: a maximal span in which it, and no other, is judged. */
export interface Span {
  readonly row: ClaimRow;
  readonly from: number;
  readonly to: number;
}

/**
 * The judged claims of a single-valued cell over all time, ascending.
 *
 * One sweep over the window ends. Of the claims whose windows have begun the heap has the judged one on top; those that
 * have ended leave it when they come up there.
 */
export function judgedSpans(rows: readonly ClaimRow[], preferred: Preferred): Span[] {
  if (rows.length === 0) return [];
  if (rows.length === 1) return [{ row: rows[0], from: rows[0].from, to: rows[0].to }];
  const ends = new Set<number>();
  for (const row of rows) ends.add(row.from).add(row.to);
  const cuts = [...ends].sort(ascending);
  const rank = (i: number): number => weightOf(rows[i].source, preferred) * rows.length + i;
  const begin = rows.map((_, i) => i).sort((a, b) => ascending(rows[a].from, rows[b].from) || a - b);
  const open = new HighestFirst();
  const spans: { row: ClaimRow; from: number; to: number }[] = [];
  let next = 0;
  for (let i = 0; i + 1 < cuts.length; i++) {
    for (; next < begin.length && rows[begin[next]].from <= cuts[i]; next++) open.add(rank(begin[next]));
    while (open.size > 0 && rows[open.top % rows.length].to <= cuts[i]) open.removeTop();
    if (open.size === 0) continue;
    const row = rows[open.top % rows.length];
    const before = spans.at(-1);
    if (before !== undefined && before.row === row && before.to === cuts[i]) before.to = cuts[i + 1];
    else spans.push({ row, from: cuts[i], to: cuts[i + 1] });
  }
  return spans;
}

/** Window ends may be infinite, whose difference is no number. */
function ascending(a: number, b: number): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** A binary heap of numbers. */
class HighestFirst {
  readonly #a: number[] = [];

  get size(): number {
    return this.#a.length;
  }
  get top(): number {
    return this.#a[0];
  }
  add(n: number): void {
    const a = this.#a;
    let i = a.push(n) - 1;
    for (let up = (i - 1) >> 1; i > 0 && a[up] < n; i = up, up = (i - 1) >> 1) a[i] = a[up];
    a[i] = n;
  }
  removeTop(): void {
    const a = this.#a;
    const n = a.pop() as number;
    if (a.length === 0) return;
    let i = 0;
    for (let down = 1; down < a.length; i = down, down = 2 * i + 1) {
      if (down + 1 < a.length && a[down + 1] > a[down]) down++;
      if (a[down] <= n) break;
      a[i] = a[down];
    }
    a[i] = n;
  }
}

/** Where each claim of a cell stands: of a many-valued field over its whole window, else where judgement lets it. */
export function standingSpans(rows: readonly ClaimRow[], many: boolean, preferred: Preferred): readonly Span[] {
  return many ? rows.map((row) => ({ row, from: row.from, to: row.to })) : judgedSpans(rows, preferred);
}

/** A value in force and where: what the rules are fed. */
export interface Piece {
  readonly value: number;
  readonly from: number;
  readonly to: number;
}

/** The facts in force of a cell: claims of one value that touch or overlap are one piece. Ascending by value, then start. */
export function factPieces(rows: readonly ClaimRow[], many: boolean, preferred: Preferred): Piece[] {
  if (rows.length === 1) return [{ value: rows[0].value, from: rows[0].from, to: rows[0].to }];
  const pieces = standingSpans(rows, many, preferred).map(({ row, from, to }) => ({ value: row.value, from, to }));
  pieces.sort(comparePieces);
  const joined: { value: number; from: number; to: number }[] = [];
  for (const piece of pieces) {
    const last = joined.at(-1);
    if (last !== undefined && last.value === piece.value && piece.from <= last.to) last.to = Math.max(last.to, piece.to);
    else joined.push(piece);
  }
  return joined;
}

/** By value, then start, then end. */
export function comparePieces(a: Piece, b: Piece): number {
  return a.value - b.value || ascending(a.from, b.from) || ascending(a.to, b.to);
}
