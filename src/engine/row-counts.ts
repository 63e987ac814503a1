/**
 * How many recorded rows of a relation name each id: in plain loops over its columns, since it is asked of whole
 * relations when rules are put in place and nothing is compiled yet.
 */
import { RANK, type Relation, ROW_INTS, SEES_NOW } from "./relation";

/** Ids further apart than this, with few rows to name them, are counted in a table. */
const SPARSE_SPAN_MIN = 1024;
const SPARSE_SPAN_PER_ROW = 4;

/** `column`: where in a row the id stands. Ids come in no particular order. */
export function countRecorded(relation: Relation, column: number, visit: (id: number, count: number) => void): void {
  const { ints, states, end } = relation.columns;
  let low = Number.POSITIVE_INFINITY;
  let high = -1;
  for (let row = 0, at = column; row < end; row++, at += ROW_INTS) {
    const id = ints[at]!;
    if (id < low) low = id;
    if (id > high) high = id;
  }
  if (high < 0) return;
  const isCounted = (row: number) => ((SEES_NOW >> states[row]!) & 1) === 1 && ints[row * ROW_INTS + RANK] === 0;
  if (high - low > SPARSE_SPAN_MIN + end * SPARSE_SPAN_PER_ROW) {
    const counts = new Map<number, number>();
    for (let row = 0, at = column; row < end; row++, at += ROW_INTS) {
      if (isCounted(row)) counts.set(ints[at]!, (counts.get(ints[at]!) ?? 0) + 1);
    }
    for (const [id, count] of counts) visit(id, count);
    return;
  }
  const counts = new Int32Array(high - low + 1);
  for (let row = 0, at = column; row < end; row++, at += ROW_INTS) if (isCounted(row)) counts[ints[at]! - low]!++;
  for (let i = 0; i < counts.length; i++) if (counts[i]! > 0) visit(low + i, counts[i]!);
}
