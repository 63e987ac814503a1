/**
 * The rule language as data: what `@rule`, `@computed` and `@constraint` declare, after names are resolved.
 *
 * JSON-able throughout, because rules are stored and read back. It follows the source premise by premise and in
 * its order, so that proofs and `why_not` can speak of premises as the author wrote them; rule-clause.ts turns it
 * into what the reasoner runs. Variables are numbered: parameters first, then one for each generator.
 *
 * Meaning: rulings, "Rules and reasons". Building it from syntax, and refusing what it cannot say, is
 * src/lang/declare.
 */

/** A literal of a rule. Everything JSON cannot carry exactly travels as text. */
export type Literal =
  | { readonly type: "none" }
  | { readonly type: "bool"; readonly value: boolean }
  | { readonly type: "int"; readonly text: string }
  /** `text`: `repr` of the double, or `inf`, `-inf`, `nan`. */
  | { readonly type: "real"; readonly text: string }
  | { readonly type: "complex"; readonly re: string; readonly im: string }
  | { readonly type: "string"; readonly text: string }
  | { readonly type: "blob"; readonly hex: string }
  | { readonly type: "datetime"; readonly micros: number }
  | { readonly type: "duration"; readonly micros: number }
  | { readonly type: "subject"; readonly kind: string; readonly name: string };

/** Values a scalar parameter may range over. `any` takes every value. */
export type ScalarType = "any" | "bool" | "int" | "real" | "complex" | "string" | "blob" | "datetime" | "duration";

export interface Variable {
  readonly name: string;
  readonly type: { readonly tag: "kind"; readonly kind: string } | { readonly tag: "scalar"; readonly type: ScalarType };
}

/** A subject in a rule: a variable (by number) or a fixed one. */
export type SubjectTerm = { readonly tag: "variable"; readonly variable: number } | { readonly tag: "fixed"; readonly name: string };

/** `kind` is the Kind of the subject, as stored. */
export interface CellTerm {
  readonly kind: string;
  readonly subject: SubjectTerm;
  readonly field: string;
}

export type Arithmetic = "+" | "-" | "*" | "/" | "//" | "%" | "**" | "<<" | ">>" | "|" | "^" | "&";
export type Comparison = "==" | "!=" | "<" | "<=" | ">" | ">=";

export type RuleExpr =
  | { readonly tag: "literal"; readonly literal: Literal }
  | { readonly tag: "variable"; readonly variable: number }
  | { readonly tag: "cell"; readonly cell: CellTerm }
  | { readonly tag: "unary"; readonly op: "-" | "+" | "~"; readonly operand: RuleExpr }
  | { readonly tag: "binary"; readonly op: Arithmetic; readonly left: RuleExpr; readonly right: RuleExpr }
  | { readonly tag: "fold"; readonly op: "count" | "sum" | "min" | "max" | "avg"; readonly of: RuleExpr; readonly over: Generator }
  /** An f-string: texts and fields in order. `spec` is literal text. */
  | { readonly tag: "text"; readonly parts: readonly TextPart[] }
  | { readonly tag: "if"; readonly test: readonly Premise[]; readonly then: RuleExpr; readonly orelse: RuleExpr }
  /** `trust(cell)`, `source(cell)`, `valid_from(cell)`, `valid_to(cell)`: a property of the claim the match reads there. */
  | { readonly tag: "claim"; readonly property: "trust" | "source" | "valid_from" | "valid_to"; readonly cell: CellTerm };

export type TextPart =
  | { readonly tag: "chars"; readonly text: string }
  | { readonly tag: "field"; readonly value: RuleExpr; readonly conversion: "s" | "r" | "a" | null; readonly spec: string };

/** `for <variable> in <Kind> if <condition> and …`; conditions hold together. */
export interface Generator {
  readonly variable: number;
  readonly conditions: readonly Premise[];
}

export type Premise =
  /** `cell == parameter` or its mirror: chooses a value of the cell of its own and binds the variable to it. */
  | { readonly tag: "bind"; readonly cell: CellTerm; readonly variable: number }
  | { readonly tag: "compare"; readonly op: Comparison; readonly left: RuleExpr; readonly right: RuleExpr }
  /** `of.startswith(part)`, `of.endswith(part)`, `part in of`. */
  | {
      readonly tag: "text";
      readonly test: "startswith" | "endswith" | "in";
      readonly of: RuleExpr;
      readonly part: RuleExpr;
      readonly negated: boolean;
    }
  /** `of in [literal, …]`; `negated`: `not in`. */
  | { readonly tag: "among"; readonly of: RuleExpr; readonly items: readonly Literal[]; readonly negated: boolean }
  | { readonly tag: "present"; readonly cell: CellTerm }
  | { readonly tag: "absent"; readonly cell: CellTerm }
  | { readonly tag: "any"; readonly over: Generator }
  | { readonly tag: "none"; readonly over: Generator }
  | { readonly tag: "not_asserted"; readonly cell: CellTerm };

/** A rule or, with `computed`, the rule behind a computed field (its name is then `module.Kind.field`). */
export interface Rule {
  /** `module.rule`. */
  readonly name: string;
  readonly computed: boolean;
  /** Parameters, then generator variables. */
  readonly variables: readonly Variable[];
  readonly parameterCount: number;
  readonly premises: readonly Premise[];
  readonly conclusion: { readonly cell: CellTerm; readonly value: RuleExpr };
  /** Line of its declaration in its module's source. */
  readonly line: number;
}

/** A standing constraint: each match of `premises` must meet `require`. Read by `checkup` only. */
export interface Constraint {
  /** `module.constraint`. */
  readonly name: string;
  readonly variables: readonly Variable[];
  readonly parameterCount: number;
  readonly premises: readonly Premise[];
  readonly require: readonly Premise[];
  readonly line: number;
}

/** The rule gives way to recorded values: it says `not_asserted` of the very cell it concludes (rulings, "not_asserted"). */
export function givesWay(rule: Rule): boolean {
  const concluded = rule.conclusion.cell;
  return rule.premises.some((premise) => premise.tag === "not_asserted" && sameCell(premise.cell, concluded));
}

export function sameCell(a: CellTerm, b: CellTerm): boolean {
  if (a.kind !== b.kind || a.field !== b.field) return false;
  if (a.subject.tag === "fixed") return b.subject.tag === "fixed" && a.subject.name === b.subject.name;
  return b.subject.tag === "variable" && a.subject.variable === b.subject.variable;
}
