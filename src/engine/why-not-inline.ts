/**
 * A rule whose value parameters are replaced by the cell that gives them, so that what must hold of such a parameter can be
 * said of the cell: `s.x == n, n > 10` asks for `s.x > 10`.
 *
 * The same matches, but for the parameter's type, and so only for saying what is needed. A parameter that two bindings
 * give, that a generator reads, or whose value is asked for stays.
 */
import type { CellTerm, Premise, Rule, RuleExpr } from "./rule";

/** `asked`: a value is, which the conclusion may pass on from a parameter. */
export function inlineParameters(rule: Rule, asked: boolean): Rule {
  let inlined = rule;
  for (let variable = 0; variable < rule.parameterCount; variable++) {
    const { value } = rule.conclusion;
    const isAsked = asked && value.tag === "variable" && value.variable === variable;
    if (rule.variables[variable]!.type.tag === "scalar" && !isAsked) inlined = inlineOne(inlined, variable);
  }
  return inlined;
}

function inlineOne(rule: Rule, variable: number): Rule {
  const { premises, conclusion } = rule;
  const bindings = premises.filter((premise) => premise.tag === "bind" && premise.variable === variable);
  const [binding] = bindings;
  const readers = premises.filter((premise) => premise !== binding && names(premise, variable));
  if (binding?.tag !== "bind" || bindings.length > 1 || readers.length === 0) return rule;
  if (inGenerator(premises, variable) || inGenerator(conclusion.value, variable)) return rule;
  const { value } = conclusion;
  // Any value will do, and the premises ask for one.
  const isPassed = value.tag === "variable" && value.variable === variable;
  const concluded: RuleExpr = isPassed ? { tag: "literal", literal: { type: "bool", value: true } } : put(value, variable, binding.cell);
  return {
    ...rule,
    premises: premises.flatMap((premise): Premise[] => (premise === binding ? [] : [put(premise, variable, binding.cell)])),
    conclusion: { ...conclusion, value: concluded },
  };
}

/** The subject of a cell is never a value parameter, so every mention is a value. */
function put<T>(node: T, variable: number, cell: CellTerm): T {
  if (typeof node !== "object" || node === null) return node;
  if (Array.isArray(node)) return node.map((one) => put(one, variable, cell)) as T;
  const { tag, variable: named } = node as { tag?: unknown; variable?: unknown };
  if (tag === "variable" && named === variable) return { tag: "cell", cell } as T;
  return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, put(value, variable, cell)])) as T;
}

export function names(root: unknown, variable: number): boolean {
  if (typeof root !== "object" || root === null) return false;
  if ((root as { variable?: unknown }).variable === variable) return true;
  return Object.values(root).some((child) => names(child, variable));
}

function inGenerator(root: unknown, variable: number): boolean {
  if (typeof root !== "object" || root === null) return false;
  const { over } = root as { over?: unknown };
  if (over !== undefined) return names(root, variable);
  return Object.values(root).some((child) => inGenerator(child, variable));
}
