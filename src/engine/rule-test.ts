/**
 * Tests and values of a running match: pure functions of its slots.
 *
 * Empty cells, asserted absences and what Python would refuse make a test unmet and a value undefined (rulings,
 * "One match of a rule").
 */
import type { Datum } from "../datum";
import type { Comparison } from "./rule";
import type { RuleCalculus } from "./rule-calculus";
import type { MeasuredCalculus } from "./rule-effort";

/** The state of one match. */
export interface Env {
  /** Value ids by slot; -1 is empty. */
  readonly slots: Int32Array;
  /** What folds and claims gave, by slot. */
  readonly temps: (Datum | undefined)[];
}

export interface Evaluate {
  readonly slots: readonly number[];
  run(env: Env): Datum | undefined;
}

export interface Test {
  readonly slots: readonly number[];
  run(env: Env): boolean;
}

/** Met if the comparison gives `holds`. */
export function compareTest(op: Comparison, left: Evaluate, right: Evaluate, holds: boolean, calculus: RuleCalculus): Test {
  return {
    slots: [...left.slots, ...right.slots],
    run(env) {
      const a = left.run(env);
      const b = right.run(env);
      if (a === undefined || b === undefined || a === null || b === null) return false;
      if (typeof a === "number" && typeof b === "number") return compareNumbers(op, a, b) === holds;
      return calculus.compare(op, a, b) === holds;
    },
  };
}

function compareNumbers(op: Comparison, a: number, b: number): boolean {
  switch (op) {
    case "==":
      return a === b;
    case "!=":
      return a !== b;
    case "<":
      return a < b;
    case "<=":
      return a <= b;
    case ">":
      return a > b;
    case ">=":
      return a >= b;
  }
}

/** `fails`: the test must be false of two texts, as `not in` and the other branch of an `if` ask. */
export function textTest(
  test: "startswith" | "endswith" | "in",
  of: Evaluate,
  part: Evaluate,
  fails: boolean,
  calculus: MeasuredCalculus,
): Test {
  return {
    slots: [...of.slots, ...part.slots],
    run(env) {
      const whole = of.run(env);
      const piece = part.run(env);
      if (typeof whole !== "string" || typeof piece !== "string") return false;
      calculus.reads(test === "in" ? whole : piece);
      const met = test === "startswith" ? whole.startsWith(piece) : test === "endswith" ? whole.endsWith(piece) : whole.includes(piece);
      return met !== fails;
    },
  };
}

export function among(of: Evaluate, items: readonly Datum[], fails: boolean, calculus: RuleCalculus): Test {
  return {
    slots: of.slots,
    run(env) {
      const value = of.run(env);
      if (value === undefined || value === null) return false;
      return items.some((item) => item !== null && calculus.compare("==", value, item) === true) !== fails;
    },
  };
}
