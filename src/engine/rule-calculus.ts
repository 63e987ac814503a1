/**
 * The port through which rules compute: Python's arithmetic, order and texts over stored values.
 *
 * The language owns those (src/lang/value); rules must give the very same answers, so the engine asks instead of
 * having a second arithmetic. `undefined` always means: Python would raise here, or a limit is passed; the premise
 * is then not met and the conclusion not drawn (rulings, "One match of a rule").
 */
import type { Datum } from "../datum";
import type { Arithmetic, Comparison } from "./rule";

export interface RuleCalculus {
  unary(op: "-" | "+" | "~", operand: Datum): Datum | undefined;
  binary(op: Arithmetic, left: Datum, right: Datum): Datum | undefined;
  /** `==` and `!=` never give undefined. */
  compare(op: Comparison, left: Datum, right: Datum): boolean | undefined;
  /** One field of an f-string: conversion, then `format(value, spec)`. */
  format(value: Datum, conversion: "s" | "r" | "a" | null, spec: string): string | undefined;
}
