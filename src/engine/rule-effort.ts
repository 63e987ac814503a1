/**
 * What the arithmetic of rules costs beside the rows it is done for, told in rows: a join of few rows over long texts, or
 * over values that have to be unpacked, would else be bounded by nothing.
 *
 * By the values alone, so that the same statement is refused at the same place on every machine. Whoever runs a test or a
 * value counts what was added meanwhile (rule-join.ts); what only shows a value counts nothing.
 */
import { Bytes, type Datum, StoredCollection } from "../datum";
import type { Arithmetic, Comparison } from "./rule";
import type { RuleCalculus } from "./rule-calculus";
import type { Plan, Step } from "./rule-join";
import type { Env } from "./rule-test";
import type { RuleWork } from "./rule-work";

/** One step of it, once compiled, beside one row. */
const STEP_ROWS = 4;
/** Characters or bytes read for one row. */
const CHARS_PER_ROW = 128;
/** Of an int too large for a double each hexadecimal digit is a row: a product takes more than its digits, and a quotient more than that. */
const ITEM_ROWS = 4;
/** A value is worked out, and found among those there are. */
export const VALUE_ROWS = 2;

export class MeasuredCalculus implements RuleCalculus {
  /** In rows, ever growing. */
  effort = 0;
  readonly #calculus: RuleCalculus;

  constructor(calculus: RuleCalculus) {
    this.#calculus = calculus;
  }

  unary(op: "-" | "+" | "~", operand: Datum): Datum | undefined {
    return this.#gives(this.#calculus.unary(op, operand), operand, null);
  }

  binary(op: Arithmetic, left: Datum, right: Datum): Datum | undefined {
    return this.#gives(this.#calculus.binary(op, left, right), left, right);
  }

  compare(op: Comparison, left: Datum, right: Datum): boolean | undefined {
    this.effort += STEP_ROWS + Math.min(rowsOf(left), rowsOf(right));
    return this.#calculus.compare(op, left, right);
  }

  format(value: Datum, conversion: "s" | "r" | "a" | null, spec: string): string | undefined {
    return this.#gives(this.#calculus.format(value, conversion, spec), value, null);
  }

  /** `run`, its effort counted with the rows of the statement. */
  counted<T>(work: RuleWork, run: () => T): T {
    const before = this.effort;
    const result = run();
    work.rows += this.effort - before;
    return result;
  }

  /** A text is looked through. */
  reads(text: string): void {
    this.effort += rowsOf(text);
  }

  #gives<T extends Datum | undefined>(result: T, left: Datum, right: Datum): T {
    this.effort += STEP_ROWS + rowsOf(left) + rowsOf(right) + (result === undefined ? 0 : rowsOf(result));
    return result;
  }
}

/** A test between two steps of a plan. One that a pause further on has run again is not counted again. */
export function testStep(run: (env: Env) => boolean, plan: Plan, work: RuleWork, calculus: MeasuredCalculus, next: Step): Step {
  const { env } = plan;
  let isCounted = false;
  plan.forget.push(() => {
    isCounted = false;
  });
  return (from, to, rank) => {
    const before = calculus.effort;
    const met = run(env);
    if (!isCounted) work.rows += calculus.effort - before;
    isCounted = false;
    if (!met || !next(from, to, rank)) return false;
    isCounted = plan.isPaused;
    return true;
  };
}

function rowsOf(value: Datum): number {
  switch (typeof value) {
    case "string":
      return (value.length / CHARS_PER_ROW) | 0;
    case "bigint":
      return value.toString(16).length;
    case "object":
      if (value instanceof StoredCollection) return value.items.reduce((sum: number, item) => sum + ITEM_ROWS + rowsOf(item), 0);
      return value instanceof Bytes ? (value.b.length / CHARS_PER_ROW) | 0 : 0;
    default:
      return 0;
  }
}
