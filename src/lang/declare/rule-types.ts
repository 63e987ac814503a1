/**
 * Types of rule expressions, as far as declarations and literals show them, and what Python must refuse of them
 * (rulings, "Types in rules"). Null is unknown, and unknown is never refused.
 */
import type { FieldType } from "../../engine/claim";
import type { Arithmetic, Comparison, Literal, RuleExpr } from "../../engine/rule";

export type RuleType = FieldType["type"] | "none" | null;

const NUMBERS: ReadonlySet<RuleType> = new Set<RuleType>(["bool", "int", "real", "complex"]);
const WHOLE: ReadonlySet<RuleType> = new Set<RuleType>(["bool", "int"]);
const SETS: ReadonlySet<RuleType> = new Set<RuleType>(["set", "frozenset"]);
const SEQUENCES: ReadonlySet<RuleType> = new Set<RuleType>(["string", "blob", "list", "tuple"]);

/** `"refused"` where Python must raise TypeError. */
export function arithmeticType(op: Arithmetic, left: RuleType, right: RuleType): RuleType | "refused" {
  if (left === null || right === null || left === "any" || right === "any") {
    return known(left) && left === "subject" ? "refused" : known(right) && right === "subject" ? "refused" : null;
  }
  if (op === "%" && (left === "string" || left === "blob")) return left;
  if (NUMBERS.has(left) && NUMBERS.has(right)) return numeric(op, left, right);
  if (op === "*") {
    if (SEQUENCES.has(left) && WHOLE.has(right)) return left;
    if (SEQUENCES.has(right) && WHOLE.has(left)) return right;
  }
  if (op === "+" && left === right && SEQUENCES.has(left)) return left;
  if (SETS.has(left) && SETS.has(right) && (op === "|" || op === "&" || op === "-" || op === "^")) return left;
  if (op === "|" && left === "dict" && right === "dict") return "dict";
  return timed(op, left, right);
}

function known(type: RuleType): boolean {
  return type !== null && type !== "any";
}

function numeric(op: Arithmetic, left: RuleType, right: RuleType): RuleType | "refused" {
  const complex = left === "complex" || right === "complex";
  const real = left === "real" || right === "real";
  switch (op) {
    case "+":
    case "-":
    case "*":
      return complex ? "complex" : real ? "real" : "int";
    case "/":
      return complex ? "complex" : "real";
    case "//":
    case "%":
      return complex ? "refused" : real ? "real" : "int";
    case "**":
      // A negative exponent makes a float, a negative base under a fraction a complex.
      return complex ? "complex" : null;
    default:
      return complex || real ? "refused" : "int";
  }
}

function timed(op: Arithmetic, left: RuleType, right: RuleType): RuleType | "refused" {
  if (left === "datetime" && right === "datetime" && op === "-") return "duration";
  if (left === "datetime" && right === "duration" && (op === "+" || op === "-")) return "datetime";
  if (left === "duration" && right === "datetime" && op === "+") return "datetime";
  if (left === "duration" && right === "duration")
    return op === "+" || op === "-" || op === "%" ? "duration" : op === "/" ? "real" : op === "//" ? "int" : "refused";
  if (left === "duration" && NUMBERS.has(right) && right !== "complex")
    return op === "*" || op === "/" || op === "//" ? "duration" : "refused";
  if (right === "duration" && NUMBERS.has(left) && left !== "complex") return op === "*" ? "duration" : "refused";
  return "refused";
}

/** Whether Python must refuse `left op right`. */
export function comparisonRefused(op: Comparison, left: RuleType, right: RuleType): boolean {
  if (op === "==" || op === "!=") return false;
  const unordered = (type: RuleType) => type === "complex" || type === "dict" || type === "none";
  if (unordered(left) || unordered(right)) return true;
  if (!known(left) || !known(right)) return false;
  if (NUMBERS.has(left) && NUMBERS.has(right)) return false;
  if (SETS.has(left) && SETS.has(right)) return false;
  return left !== right;
}

/** What a reading of a claim gives, in words, where that can never be this literal; null where it can. */
export function neverRead(read: RuleExpr, literal: Literal): string | null {
  if (read.tag !== "claim") return null;
  switch (read.property) {
    case "trust":
      return literal.type === "string" && (literal.text === "asserted" || literal.text === "derived")
        ? null
        : '`"asserted"` or `"derived"`';
    case "source":
      return literal.type === "string" ? null : "the name of a source, a text";
    default:
      return literal.type === "datetime" ? null : 'a datetime: `datetime("2026-01-01T00:00:00Z")`';
  }
}

export function unaryType(op: "-" | "+" | "~", operand: RuleType): RuleType | "refused" {
  if (!known(operand)) return null;
  if (operand === "bool") return "int";
  if (operand === "duration") return op === "~" ? "refused" : "duration";
  if (!NUMBERS.has(operand)) return "refused";
  return op === "~" && operand !== "int" ? "refused" : operand;
}

/** For messages. */
export function typeWords(type: RuleType): string {
  switch (type) {
    case null:
    case "any":
      return "a value of any type";
    case "none":
      return "`None`";
    case "real":
      return "a float";
    case "int":
      return "an int";
    case "subject":
      return "a subject";
    default:
      return `a ${type}`;
  }
}
