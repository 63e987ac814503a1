/**
 * The declarations of a source, in the order they need each other: class names, classes, the fields its rules conclude,
 * then computed fields, rules and constraints, last the cycles among all of them.
 */
import type { Span } from "../../diagnostic";
import type { KindDeclaration } from "../../engine/claim";
import type { Constraint, Rule } from "../../engine/rule";
import type { Names } from "../check/names";
import type { Report } from "../check/report";
import { VERBS } from "../check/verbs";
import { declareClass, declareComputed } from "../declare/class";
import { checkNames, checkStrata, declareConstraint, declareRule } from "../declare/rule";
import type { ClassDef, Expr, FunctionDef, Module } from "../syntax/ast";
import { BUILTIN_NAMES } from "./served";

export interface Declared {
  readonly kinds: readonly KindDeclaration[];
  readonly rules: readonly Rule[];
  readonly constraints: readonly Constraint[];
}

export function declareAll(module: Module, names: Names, report: Report): Declared {
  const tell = report.add.bind(report);
  const classes = module.body.filter((s): s is ClassDef => s.kind === "ClassDef");
  const functions = module.body.filter((s): s is FunctionDef => s.kind === "FunctionDef");
  const ruleFunctions = functions.filter((f) => decorated(f, "rule"));
  const constraintFunctions = functions.filter((f) => decorated(f, "constraint"));

  checkNames([...classes, ...functions], tell);
  for (const c of classes) {
    if (BUILTIN_NAMES.has(c.name) || VERBS.has(c.name))
      report.type(
        c.nameSpan,
        `\`${c.name}\` is a builtin or a verb and cannot be a Kind: name the class otherwise, as \`${c.name[0]!.toUpperCase()}${c.name.slice(1)}Record\`.`,
      );
    if (names.isImported(c.name))
      report.type(c.nameSpan, `\`${c.name}\` is imported too: name the class otherwise, or import what it hides \`as\` another name.`);
    names.classNames.add(c.name);
  }
  const made = classes.map((c) => ({ of: c, declared: declareClass(c, names, tell) }));
  for (const { of: c, declared } of made) names.declared.set(c.name, declared.declaration);
  for (const f of ruleFunctions) {
    const field = concludedField(f, names);
    if (field !== null) names.concludes.add(field);
  }
  const own: { rule: Rule; span: Span }[] = [];
  for (const { declared } of made)
    for (const f of declared.computed) {
      const rule = declareComputed(f, declared.declaration.name, names, tell);
      if (rule) own.push({ rule, span: f.nameSpan });
    }
  for (const f of ruleFunctions) {
    const rule = declareRule(f, names, tell);
    if (rule) own.push({ rule, span: f.nameSpan });
  }
  const constraints = constraintFunctions.map((f) => declareConstraint(f, names, tell)).filter((c): c is Constraint => c !== null);
  if (!report.failed && own.length > 0)
    checkStrata(own, names.environment.standingRules(names.module), (kind, field) => names.fieldType(kind, field), tell);
  return { kinds: made.map((m) => m.declared.declaration), rules: own.map((o) => o.rule), constraints };
}

function decorated(f: FunctionDef, name: string): boolean {
  return f.decorators.some((d) => d.kind === "Name" && d.id === name);
}

/** Where a rule concludes, read off its text, so that other rules may read that field: "kind\0field", or null. */
function concludedField(f: FunctionDef, names: Names): string | null {
  const last = f.body[f.body.length - 1];
  if (last?.kind !== "Expr" || last.value.kind !== "Call" || last.value.func.kind !== "Name" || last.value.func.id !== "conclude")
    return null;
  const cell = last.value.args[0];
  if (cell?.kind !== "Attribute") return null;
  const kind = kindOfSubject(cell.value, f, names);
  return kind === null ? null : `${kind}\0${cell.attr}`;
}
function kindOfSubject(e: Expr, f: FunctionDef, names: Names): string | null {
  if (e.kind === "Name") {
    const a = [...f.args.posonly, ...f.args.args].find((p) => p.name === e.id)?.annotation;
    if (a?.kind !== "Name" && a?.kind !== "Attribute") return null;
    const k = names.kindOf(a, names.top);
    return k && "name" in k ? k.name : null;
  }
  if (e.kind !== "Attribute" && e.kind !== "Subscript") return null;
  const k = names.kindOf(e.value, names.top);
  return k && "name" in k ? k.name : null;
}
