/**
 * A rule that is not installed, held against what stands: of which subjects it would conclude something, and what.
 *
 * Reads the relations and ranges of the state where it has them, and others of its own, which go with it: nobody would
 * keep them current. Good until anything is written; whoever works in slices must know that nothing was.
 */
import { Relation } from "./relation";
import type { Rule } from "./rule";
import type { RuleCalculus } from "./rule-calculus";
import { loadFacts, loadRange } from "./rule-load";
import type { ClausePlans } from "./rule-plans";
import { SubjectRange } from "./rule-range";
import type { RuleState } from "./rule-state";
import { type Relations, RuleView } from "./rule-view";
import type { Sliced } from "./rule-work";
import { instantAfter } from "./spans";

export class RuleLook extends RuleView {
  readonly #state: RuleState;
  readonly #relations = new Map<number, Relations>();
  readonly #ranges = new Map<string, SubjectRange>();
  /** What is not loaded yet of those two. */
  readonly #owed: Sliced<void>[] = [];

  constructor(state: RuleState, calculus: RuleCalculus) {
    super(state.rules, state.symbols, state.source, calculus, state.frame, state.work);
    this.#state = state;
  }

  /** Every match at the instant: its subject and its value. A step a fact loaded, or some rows looked at. */
  *matching(rule: Rule, at: number, visit: (subject: number, value: number) => void): Sliced<void> {
    const clauses = this.plansOf(rule, new Set(), "once");
    for (let load = this.#owed.pop(); load !== undefined; load = this.#owed.pop()) yield* load;
    for (const plans of clauses) {
      yield* this.work.inSteps(() =>
        plans.runWithin(at, instantAfter(at), (subject, value) => {
          visit(subject, value);
          return false;
        }),
      );
    }
  }

  /** Names of the installed rules of which some match concludes nothing at the instant, though its premises hold (contract §9.6, `declined`). */
  *declining(at: number): Sliced<Set<string>> {
    const names = new Set<string>();
    for (const field of this.derivedFields()) {
      const type = this.source.fieldType(field);
      for (const plans of this.concluding(field)) {
        const { clause, rule } = plans;
        const folds = clause.probes.some((probe) => probe.tag === "fold");
        if (names.has(rule.name) || (!folds && clause.head.value === null && type === null)) continue;
        if (yield* plans.declining(at, instantAfter(at))) names.add(rule.name);
      }
    }
    return names;
  }

  concluding(field: number): readonly ClausePlans[] {
    return this.#state.concluding(field);
  }

  componentOf(field: number): ReadonlySet<number> | undefined {
    return this.#state.componentOf(field);
  }

  protected relationsOf(field: number): Relations {
    const known = this.#state.standingRelations(field) ?? this.#relations.get(field);
    if (known !== undefined) return known;
    // No rule concludes here: the state has every field of its rules.
    const made: Relations = { raw: new Relation(), judged: null };
    this.#relations.set(field, made);
    this.#owed.push(loadFacts(made.raw, this, field));
    return made;
  }

  protected rangeOf(kind: string): Relation {
    const known = this.#state.standingRange(kind) ?? this.#ranges.get(kind)?.relation;
    if (known !== undefined) return known;
    const made = new SubjectRange();
    this.#ranges.set(kind, made);
    this.#owed.push(loadRange(made, this, kind, (field) => this.#state.standingRelations(field)?.raw));
    return made.relation;
  }
}
