/** The declarations of a source, in the order they need each other: class names, classes, then rules and constraints. */
import type { KindDeclaration } from "../../engine/claim";
import type { Constraint, Rule } from "../../engine/rule";
import type { Names } from "../check/names";
import type { Report } from "../check/report";
import type { Module } from "../syntax/ast";

export interface Declared {
  readonly kinds: readonly KindDeclaration[];
  readonly rules: readonly Rule[];
  readonly constraints: readonly Constraint[];
}

export function declareAll(module: Module, names: Names, report: Report): Declared {
  void module;
  void names;
  void report;
  return { kinds: [], rules: [], constraints: [] };
}
