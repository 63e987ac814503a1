/**
 * Rules from source for tests: parses a module, declares its classes and rules, with a resolver of its own that knows
 * the module's classes and takes every other upper-case name for a bare kind.
 */
import type { Diagnostic } from "../../src/diagnostic";
import type { FieldType, KindDeclaration } from "../../src/engine/claim";
import type { Constraint, Rule } from "../../src/engine/rule";
import { declareClass, declareComputed } from "../../src/lang/declare/class";
import type { KindNames } from "../../src/lang/declare/kind-names";
import { checkNames, checkStrata, declareConstraint, declareRule } from "../../src/lang/declare/rule";
import type { Attribute, ClassDef, FunctionDef, Name } from "../../src/lang/syntax/ast";
import { parseModule } from "../../src/lang/syntax/parser";

export interface Declared {
  readonly rules: readonly Rule[];
  readonly constraints: readonly Constraint[];
  readonly kinds: readonly KindDeclaration[];
  readonly diagnostics: readonly Diagnostic[];
}

export function declareSource(source: string, module = "m", standing: readonly Rule[] = []): Declared {
  const parsed = parseModule(source);
  if (parsed.module === null) return { rules: [], constraints: [], kinds: [], diagnostics: parsed.diagnostics };
  const diagnostics: Diagnostic[] = [];
  const tell = (d: Diagnostic) => diagnostics.push(d);
  const classes = parsed.module.body.filter((s): s is ClassDef => s.kind === "ClassDef");
  const functions = parsed.module.body.filter((s): s is FunctionDef => s.kind === "FunctionDef");
  const classNames = new Set(classes.map((c) => c.name));
  const kinds = new Map<string, KindDeclaration>();
  const concluded = new Set<string>();
  const names: KindNames = {
    module,
    kind(expr: Name | Attribute) {
      if (expr.kind === "Name" && classNames.has(expr.id))
        return { name: `${module}.${expr.id}`, declaration: kinds.get(`${module}.${expr.id}`) ?? null };
      if (expr.kind === "Name" && /^[A-Z]/.test(expr.id)) return { name: expr.id, declaration: null };
      return {
        problem: {
          class: "type_error",
          line: expr.span.line,
          col: expr.span.col,
          message: `unknown name \`${expr.kind === "Name" ? expr.id : expr.attr}\``,
        },
      };
    },
    concludedField: (kind, field) => concluded.has(`${kind}|${field}`),
    fieldType: (kind, field): FieldType | null => kinds.get(kind)?.fields.get(field) ?? null,
  };
  checkNames([...classes, ...functions], tell);
  const declared = classes.map((cls) => declareClass(cls, names, tell));
  for (const { declaration } of declared) kinds.set(declaration.name, declaration);
  for (const fn of functions) {
    const last = fn.body[fn.body.length - 1];
    const cell = last?.kind === "Expr" && last.value.kind === "Call" ? last.value.args[0] : undefined;
    if (cell?.kind === "Attribute" && cell.value.kind === "Name") {
      const root = cell.value.id;
      const param = fn.args.args.find((p) => p.name === root);
      if (param?.annotation?.kind === "Name") concluded.add(`${module}.${param.annotation.id}|${cell.attr}`);
    }
  }
  const own: { rule: Rule; span: FunctionDef["nameSpan"] }[] = [];
  const constraints: Constraint[] = [];
  for (const { declaration, computed } of declared) {
    for (const fn of computed) {
      const rule = declareComputed(fn, declaration.name, names, tell);
      if (rule !== null) own.push({ rule, span: fn.nameSpan });
    }
  }
  for (const fn of functions) {
    const word = fn.decorators[0]?.kind === "Name" ? fn.decorators[0].id : null;
    if (word === "rule") {
      const rule = declareRule(fn, names, tell);
      if (rule !== null) own.push({ rule, span: fn.nameSpan });
    } else if (word === "constraint") {
      const constraint = declareConstraint(fn, names, tell);
      if (constraint !== null) constraints.push(constraint);
    }
  }
  if (diagnostics.length === 0) checkStrata(own, standing, names.fieldType, tell);
  return { rules: own.map(({ rule }) => rule), constraints, kinds: [...kinds.values()], diagnostics };
}
