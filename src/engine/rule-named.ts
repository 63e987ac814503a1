/**
 * The concluded fields at which every subject is one that recorded claims name: a parameter that reads such a field need
 * not be looked for among the subjects of its Kind once more.
 *
 * A parameter that no premise binds is such a subject wherever its rule concludes, and what a rule takes from a recorded
 * fact, or from a field of this sort, is one as well. So the sort is the largest set of fields that supports itself: a
 * conclusion rests on recorded facts in the end, however its rules go round.
 */
import type { Rule } from "./rule";

/** @param idOf  A field's number. */
export function namedFields(rules: readonly Rule[], idOf: (kind: string, field: string) => number): ReadonlySet<number> {
  const concluded = new Set(rules.map(({ conclusion: { cell } }) => idOf(cell.kind, cell.field)));
  const named = new Set(concluded);
  const names = ({ premises, conclusion }: Rule): boolean => {
    const { subject } = conclusion.cell;
    if (subject.tag !== "variable") return false;
    const { variable } = subject;
    const binds = premises.filter((premise) => premise.tag === "bind");
    if (!binds.some((premise) => premise.variable === variable)) return true;
    return binds.some((premise) => {
      const field = idOf(premise.cell.kind, premise.cell.field);
      if (!concluded.has(field) && premise.variable === variable) return true;
      const isAbout = premise.cell.subject.tag === "variable" && premise.cell.subject.variable === variable;
      return isAbout && (!concluded.has(field) || named.has(field));
    });
  };
  for (let before = -1; named.size !== before; ) {
    before = named.size;
    for (const rule of rules) if (!names(rule)) named.delete(idOf(rule.conclusion.cell.kind, rule.conclusion.cell.field));
  }
  return named;
}
