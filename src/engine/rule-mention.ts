/**
 * Which fields a rule or a constraint names: what it reads, what it concludes, which Kinds it speaks of.
 *
 * A walk over the rule as data: every cell term in it, wherever it stands. A declaration never changes and is asked at
 * each compile, so what it names is found once and stays with it.
 */
import type { Constraint, Rule } from "./rule";

export interface FieldNamed {
  readonly kind: string;
  readonly field: string;
}

const FIELDS = new WeakMap<Rule | Constraint, readonly FieldNamed[]>();
const KINDS = new WeakMap<Rule | Constraint, ReadonlySet<string>>();

/** Fields that a rule's premises and its concluded value read, not the one it concludes; each once. */
export function cellsRead(rule: Rule): readonly FieldNamed[] {
  return fieldsIn([rule.premises, rule.conclusion.value]);
}

/** Every field a declaration names, each once. */
export function cellsNamed(declaration: Rule | Constraint): readonly FieldNamed[] {
  let known = FIELDS.get(declaration);
  if (known === undefined) {
    known = fieldsIn(declaration);
    FIELDS.set(declaration, known);
  }
  return known;
}

/** Every Kind a declaration names: of cells, of variables, of literal subjects. */
export function kindsNamed(declaration: Rule | Constraint): ReadonlySet<string> {
  let known = KINDS.get(declaration);
  if (known === undefined) {
    const kinds = new Set<string>();
    for (const node of objects(declaration)) if (typeof node.kind === "string") kinds.add(node.kind);
    known = kinds;
    KINDS.set(declaration, known);
  }
  return known;
}

function fieldsIn(root: unknown): FieldNamed[] {
  const named = new Map<string, FieldNamed>();
  for (const { kind, field, subject } of objects(root)) {
    if (typeof kind === "string" && typeof field === "string" && typeof subject === "object")
      named.set(`${kind}\u0000${field}`, { kind, field });
  }
  return [...named.values()];
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
