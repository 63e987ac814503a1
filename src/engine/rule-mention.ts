/**
 * Which fields a rule or a constraint names: what it reads, what it concludes, which Kinds it speaks of.
 *
 * A walk over the rule as data: every cell term in it, wherever it stands.
 */
import type { CellTerm, Constraint, Rule } from "./rule";

/** Cells that a rule's premises and its concluded value read, not the one it concludes. */
export function cellsRead(rule: Rule): Iterable<CellTerm> {
  return cellTerms([rule.premises, rule.conclusion.value]);
}

/** Every cell term a declaration names. */
export function cellsNamed(declaration: Rule | Constraint): Iterable<CellTerm> {
  return cellTerms(declaration);
}

/** Every Kind a declaration names: of cells, of variables, of literal subjects. */
export function kindsNamed(declaration: Rule | Constraint): ReadonlySet<string> {
  const kinds = new Set<string>();
  for (const node of objects(declaration)) if (typeof node.kind === "string") kinds.add(node.kind);
  return kinds;
}

function* cellTerms(root: unknown): Iterable<CellTerm> {
  for (const node of objects(root)) {
    if (typeof node.kind === "string" && typeof node.field === "string" && typeof node.subject === "object")
      yield node as unknown as CellTerm;
  }
}

function* objects(root: unknown): Iterable<Record<string, unknown>> {
  const waiting: unknown[] = [root];
  while (waiting.length > 0) {
    const node = waiting.pop();
    if (typeof node !== "object" || node === null) continue;
    if (!Array.isArray(node)) yield node as Record<string, unknown>;
    for (const child of Object.values(node)) if (typeof child === "object") waiting.push(child);
  }
}
