/**
 * The cells a statement has changed, with the facts they gave the rules before: what the rules are told once it is made is
 * the difference.
 */
import type { Change } from "./change";
import type { ClaimCells } from "./claim-cell";
import { isPast } from "./claim-row";
import type { FactChange } from "./fact";
import { comparePieces, factPieces, type Piece } from "./judgement";
import type { TouchedCell } from "./reasoner";
import type { StandingBelief } from "./standing-belief";

/** Where facts come from. */
interface Recorded {
  readonly cells: ClaimCells;
  readonly belief: StandingBelief;
  isMany(field: number): boolean;
}

/** `value`: the one that changed at a many-valued field; null: any. */
interface Touched {
  readonly cell: TouchedCell;
  readonly value: number | null;
  readonly before: ReadonlyMap<number, readonly Piece[]>;
}

export class TouchedCells {
  readonly #recorded: Recorded;
  readonly #touched = new Map<string, Touched>();

  constructor(recorded: Recorded) {
    this.#recorded = recorded;
  }

  /** Keeps what a cell gives before its first change. To be called before the change is done. */
  note(change: Change): void {
    if (change.tag !== "claim" && change.tag !== "preference") return;
    const { field, subject } = change.tag === "claim" ? change.row : change;
    if (change.tag === "claim" && isPast(change.row)) return;
    // Values of a many-valued cell are in force each for itself: of thousands only those that change are looked at.
    const value = change.tag === "claim" && this.#recorded.isMany(field) ? change.row.value : null;
    const key = `${field}/${subject}/${value}`;
    if (this.#touched.has(key)) return;
    const before = new Map<number, readonly Piece[]>();
    if (subject !== 0) before.set(subject, this.#pieces(field, subject, value));
    else
      for (const rows of this.#recorded.cells.scan(field))
        if (rows.length > 1) before.set(rows[0].subject, this.#pieces(field, rows[0].subject, null));
    this.#touched.set(key, { cell: { field, subject: subject === 0 ? null : subject }, value, before });
  }

  /** What became of the facts of those cells, and the cells. */
  changes(): [FactChange[], TouchedCell[]] {
    const touched = [...this.#touched.values()];
    const changes: FactChange[] = [];
    const seen = new Set<string>();
    for (const { cell, value, before } of touched) {
      for (const [subject, pieces] of before) {
        const key = `${cell.field}/${subject}/${value}`;
        if (seen.has(key)) continue;
        seen.add(key);
        pieceChanges(cell.field, subject, pieces, this.#pieces(cell.field, subject, value), changes);
      }
    }
    return [changes, touched.map(({ cell }) => cell)];
  }

  /** The facts in force that a cell's recorded claims give. `value`: those of that value, at a many-valued field. */
  #pieces(field: number, subject: number, value: number | null): Piece[] {
    const { cells, belief } = this.#recorded;
    const standing = cells.standing(field, subject);
    const rows = value === null ? standing : standing.filter((row) => row.value === value);
    return factPieces(rows, this.#recorded.isMany(field), belief.preferredAt(field, subject));
  }
}

/** Both ascend as `factPieces` gives them, so one pass tells them apart. */
function pieceChanges(field: number, subject: number, before: readonly Piece[], after: readonly Piece[], out: FactChange[]): void {
  const come: Piece[] = [];
  let i = 0;
  let j = 0;
  while (i < before.length || j < after.length) {
    const order = i === before.length ? 1 : j === after.length ? -1 : comparePieces(before[i], after[j]);
    if (order < 0) out.push({ field, subject, ...before[i++], sign: -1 });
    else if (order > 0) come.push(after[j++]);
    else {
      i++;
      j++;
    }
  }
  for (const piece of come) out.push({ field, subject, ...piece, sign: 1 });
}
