/**
 * What one statement's rules have looked at, in rows: what bounds it, and what cuts it into slices.
 *
 * Rows are counted, not time, so that where a statement is refused does not depend on the machine, nor on where it was
 * cut: a row that a slice ended before is counted when the next slice looks at it.
 */
import { Refusal } from "../failure";

/** Work that yields where a slice ends, and goes on from there. */
export type Sliced<T> = Generator<undefined, T, undefined>;

export class RuleWork {
  rows = 0;
  /** Past this many rows the slice, or the statement, ends. */
  bound: number;
  #rowsMax: number;
  #sliceEnd = Number.POSITIVE_INFINITY;

  constructor(rowsMax: number) {
    this.#rowsMax = rowsMax;
    this.bound = rowsMax;
  }

  get rowsMax(): number {
    return this.#rowsMax;
  }
  set rowsMax(rowsMax: number) {
    this.#rowsMax = rowsMax;
    this.bound = Math.min(rowsMax, this.#sliceEnd);
  }

  /** A statement begins, or a read. */
  begin(): void {
    this.#sliceEnd -= this.rows;
    this.rows = 0;
    this.bound = Math.min(this.#rowsMax, this.#sliceEnd);
  }

  /** The slice that begins may look at this many rows more; infinitely many: nothing is cut. */
  slice(rows: number): void {
    this.#sliceEnd = this.rows + rows;
    this.bound = Math.min(this.#rowsMax, this.#sliceEnd);
  }

  /** `work` in one go, whatever slice it falls in: what is small, or gives an answer at once. */
  uncut<T>(work: () => T): T {
    const sliceEnd = this.#sliceEnd;
    this.#sliceEnd = Number.POSITIVE_INFINITY;
    this.bound = this.#rowsMax;
    try {
      return work();
    } finally {
      this.#sliceEnd = sliceEnd;
      this.bound = Math.min(this.#rowsMax, sliceEnd);
    }
  }

  /**
   * `run` again and again until it does not end for its slice, a step after so many rows. Others may count theirs between: what it may
   * look at in all is its own.
   */
  *inSteps(run: () => boolean): Sliced<void> {
    for (let rows = 0, more = true; more; ) {
      this.begin();
      this.rows = rows;
      this.slice(ROWS_PER_STEP);
      try {
        more = run();
      } finally {
        rows = this.rows;
        this.slice(Number.POSITIVE_INFINITY);
      }
      if (more) yield;
    }
  }

  /** Where `rows` passed `bound`: refuses past what a statement may look at, else gives the row back to the next slice. */
  pass(rule: string): void {
    if (this.rows > this.#rowsMax) throw tooMuchWork(rule, this.#rowsMax);
    this.rows--;
  }
}

/** After so many facts read or cells judged, none of them a row looked at, a slice ends too. */
export const FACTS_PER_SLICE = 4096;

/** So few that a step takes microseconds, and going on where it ended costs little beside them. */
const ROWS_PER_STEP = 64;

/** Runs sliced work in one go. */
export function toTheEnd<T>(work: Sliced<T>): T {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}

function tooMuchWork(rule: string, rowsMax: number): Refusal {
  return new Refusal(
    "limit_exceeded",
    `the standing rules would look at more than ${rowsMax} facts for this statement, last in \`${rule}\`: join its parameters by \`p.field == q\` or a shared value, so that not every pair is tried`,
    rule,
  );
}
