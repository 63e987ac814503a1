/**
 * What a rule needs to fire: the cells that must hold a value for any match of it (contract §9.6; rulings, "checkup").
 *
 * A premise that asks for an absence needs nothing, and nothing between the parentheses of a `none` is needed. A fold
 * over nothing gives 0 where it counts or adds, so its cells are *named* to be of use and not *needed*; `min`, `max` and
 * `avg` of nothing have no value. A value with `if` needs what its branches need, each branch on its own.
 *
 * Static: looks at no data. Kinds that a declaration reads are here too: what `unread` is about.
 */
import type { CellTerm, Constraint, Generator, Premise, Rule, RuleExpr, Variable } from "./rule";

/** What one way through a declaration needs. */
export interface Needs {
  /** Without a value at each of these there is no match. */
  readonly needed: readonly CellTerm[];
  /** Read by folds that can do without. */
  readonly useful: readonly CellTerm[];
}

const NOTHING: Needs = { needed: [], useful: [] };

/** One entry for each branch of the concluded value. */
export function needsOfRule(rule: Rule): Needs[] {
  const premises = together(rule.premises.map((premise) => ofPremise(premise, true)));
  return ofExpr(rule.conclusion.value).map((value) => together([premises, value]));
}

export function needsOfConstraint(constraint: Constraint): Needs {
  return together([...constraint.premises, ...constraint.require].map((premise) => ofPremise(premise, true)));
}

/** Kinds of which a premise, a generator or a concluded value names a cell or a variable. */
export function kindsRead(declaration: Rule | Constraint): Set<string> {
  const kinds = new Set<string>();
  const { variables } = declaration;
  const roots =
    "conclusion" in declaration ? [declaration.premises, declaration.conclusion.value] : [declaration.premises, declaration.require];
  const waiting: unknown[] = [...roots];
  while (waiting.length > 0) {
    const node = waiting.pop();
    if (typeof node !== "object" || node === null) continue;
    const { kind, field, variable } = node as { kind?: unknown; field?: unknown; variable?: unknown };
    if (typeof kind === "string" && typeof field === "string") kinds.add(kind);
    if (typeof variable === "number") addKindOf(variables[variable], kinds);
    for (const child of Object.values(node)) if (typeof child === "object") waiting.push(child);
  }
  return kinds;
}

function addKindOf(variable: Variable | undefined, kinds: Set<string>): void {
  if (variable?.type.tag === "kind") kinds.add(variable.type.kind);
}

/** `holds` false: what the branch of an `if` needs that is taken where the condition fails. */
function ofPremise(premise: Premise, holds: boolean): Needs {
  switch (premise.tag) {
    case "bind":
      return need(premise.cell);
    case "compare":
      return together([first(premise.left), first(premise.right)]);
    case "text":
      return together([first(premise.of), first(premise.part)]);
    case "among":
      return first(premise.of);
    case "present":
      return holds ? need(premise.cell) : NOTHING;
    case "absent":
      return holds ? NOTHING : need(premise.cell);
    case "any":
      return holds ? ofGenerator(premise.over) : NOTHING;
    case "none":
      return holds ? NOTHING : ofGenerator(premise.over);
    case "not_asserted":
      return NOTHING;
  }
}

function ofGenerator(over: Generator): Needs {
  return together(over.conditions.map((condition) => ofPremise(condition, true)));
}

/** Of an expression without `if`. */
function first(expr: RuleExpr): Needs {
  return ofExpr(expr)[0]!;
}

function ofExpr(expr: RuleExpr): Needs[] {
  switch (expr.tag) {
    case "literal":
    case "variable":
      return [NOTHING];
    case "cell":
    case "claim":
      return [need(expr.cell)];
    case "unary":
      return ofExpr(expr.operand);
    case "binary":
      return products([ofExpr(expr.left), ofExpr(expr.right)]);
    case "text":
      return products(expr.parts.map((part) => (part.tag === "chars" ? [NOTHING] : ofExpr(part.value))));
    case "fold": {
      const inside = together([first(expr.of), ofGenerator(expr.over)]);
      return expr.op === "count" || expr.op === "sum" ? [{ needed: [], useful: [...inside.needed, ...inside.useful] }] : [inside];
    }
    case "if": {
      const met = expr.test.map((premise) => ofPremise(premise, true));
      const taken = ofExpr(expr.then).map((value) => together([...met, value]));
      const left = expr.test.flatMap((premise, failing) =>
        ofExpr(expr.orelse).map((value) => together([...met.slice(0, failing), ofPremise(premise, false), value])),
      );
      return [...taken, ...left];
    }
  }
}

function products(choices: readonly Needs[][]): Needs[] {
  return choices.reduce<Needs[]>((all, some) => all.flatMap((one) => some.map((other) => together([one, other]))), [NOTHING]);
}

function together(all: readonly Needs[]): Needs {
  return { needed: all.flatMap((one) => one.needed), useful: all.flatMap((one) => one.useful) };
}

function need(cell: CellTerm): Needs {
  return { needed: [cell], useful: [] };
}
