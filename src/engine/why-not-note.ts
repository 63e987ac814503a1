/**
 * What helps to see why a premise is missed: where the value of a parameter in it comes from, and of a fold that is short
 * or an `any` without a row, which subject comes nearest to being one and what stops it.
 *
 * Asked only of the miss that is told, since it looks at every subject of the generator's Kind.
 */
import type { Generator, Premise } from "./rule";
import { type Bindings, type Miss, nearer, OutOfSteps, type RuleMatcher, valueVariables } from "./why-not-match";
import { premiseText } from "./why-not-text";

/** `b`: as it was when the premise was missed. `matcher`: with steps of its own. */
export function missNotes(matcher: RuleMatcher, premise: Premise, miss: Miss, b: Bindings): string[] {
  const row = miss.rowsOf === undefined ? null : nearestRow(matcher, miss.rowsOf, b);
  return [...parameterNotes(matcher, premise, b), ...(row === null ? [] : [row])];
}

/** `n is 4, as S.a.x`. */
function parameterNotes(matcher: RuleMatcher, premise: Premise, b: Bindings): string[] {
  const notes: string[] = [];
  for (const variable of new Set(valueVariables(premise))) {
    const { name, type } = matcher.rule.variables[variable]!;
    const value = b.variables[variable]!;
    const binding = matcher.rule.premises.find((other) => other.tag === "bind" && other.variable === variable);
    if (type.tag !== "scalar" || value < 0 || binding?.tag !== "bind" || binding === premise) continue;
    const subject = matcher.subjectOf(binding.cell, b);
    if (subject >= 0) notes.push(`${name} is ${matcher.shown(value)}, as ${matcher.address(binding.cell, subject)}`);
  }
  return notes;
}

/** `nearest row O.k: O.k.open == True, False against True`; null where no subject has a condition to miss. */
function nearestRow(matcher: RuleMatcher, over: Generator, b: Bindings): string | null {
  const inner = b.copy();
  let best: { readonly depth: number; readonly miss: Miss; readonly text: string } | null = null;
  try {
    for (const subject of matcher.rangeOf(over)) {
      inner.variables[over.variable] = subject;
      matcher.furthest(over.conditions, inner, (depth, miss) => {
        if (best !== null && (depth < best.depth || (depth === best.depth && !nearer(miss, best.miss)))) return;
        const condition = premiseText(matcher, over.conditions[depth]!, inner);
        best = { depth, miss, text: `nearest row ${matcher.shown(subject)}: ${condition}, ${miss.detail}` };
      });
    }
  } catch (problem) {
    // The nearest of those looked at.
    if (!(problem instanceof OutOfSteps)) throw problem;
  }
  return (best as { readonly text: string } | null)?.text ?? null;
}
