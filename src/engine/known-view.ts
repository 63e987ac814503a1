/**
 * The store as it was known at a past moment, rules included: what reads with `known_at` look at.
 *
 * Serves one read. A value is worked out at its instant alone; a claim's window needs all time, and so do rules that
 * ask for the bounds of a conclusion.
 */
import { Refusal } from "../failure";
import type { ClaimRow } from "./claim-row";
import { KnownFacts } from "./known-facts";
import type { KnownCell } from "./known-time";
import type { Ledger } from "./ledger";
import type { Proof } from "./proof";
import type { DerivedFact } from "./reasoner";
import { givesWay, type Rule, type RuleExpr } from "./rule";
import type { RuleCalculus } from "./rule-calculus";
import { DemandState } from "./rule-demand";
import { rulesThen } from "./rule-history";
import { holds } from "./span";
import { instantAfter } from "./spans";
import { prove } from "./why";

export class KnownView {
  readonly #ledger: Ledger;
  readonly #facts: KnownFacts;
  readonly #rules: readonly Rule[];
  readonly #calculus: RuleCalculus | null;
  readonly #at: number;
  readonly #readsBounds: boolean;
  #state: DemandState | null = null;
  #whole: DemandState | null = null;

  constructor(ledger: Ledger, point: { readonly known: number; readonly at: number }) {
    const then = rulesThen(ledger, point.known);
    this.#ledger = ledger;
    this.#at = point.at;
    this.#facts = new KnownFacts(ledger, then, point);
    this.#rules = then.rules;
    this.#calculus = ledger.reasoner?.calculus ?? null;
    this.#readsBounds = then.rules.some((rule) => asksBounds(rule));
  }

  /** Refuses `derived_field` where what rules concluded at the field then is not known. */
  admit(field: number): void {
    this.#facts.admit(field);
  }

  /** Recorded claims and conclusions of a cell at the instant. */
  cell(field: number, subject: number): KnownCell & { readonly derived: readonly DerivedFact[] } {
    this.#facts.admit(field);
    const recorded = this.#facts.cell(field, subject);
    if (!this.#concludes(field) || this.#givesWay(field, recorded.rows)) return { ...recorded, derived: [] };
    const derived = this.#limited(() => this.#here().derivedAt(field, subject)).filter((fact) => holds(fact, this.#at));
    return { ...recorded, derived };
  }

  /** Subjects with a recorded claim or a conclusion at the field, and perhaps some more. */
  subjects(field: number): Iterable<number> {
    this.#facts.admit(field);
    const recorded = this.#ledger.cells.subjects(field);
    if (!this.#concludes(field)) return recorded;
    return new Set([...recorded, ...this.#limited(() => this.#here().derivedSubjects(field))]);
  }

  /** The conclusion with its maximal window. Refuses `not_recorded` where that is not known. */
  whole(fact: DerivedFact): DerivedFact {
    return this.#limited(() => {
      const found = this.#always()
        .derivedAt(fact.field, fact.subject)
        .find((one) => one.rule === fact.rule && one.value === fact.value && holds(one, this.#at));
      if (found === undefined) return fact;
      this.#facts.checkWindow(found.from, found.to);
      return found;
    });
  }

  why({ field, subject, value }: DerivedFact): Proof | null {
    return this.#limited(() => prove(this.#here(), { field, subject, value, at: this.#at }, this.#facts));
  }

  #concludes(field: number): boolean {
    return this.#rules.length > 0 && this.#calculus !== null && this.#here().rulesAt(field).length > 0;
  }

  /** Every rule there gives way to what is recorded at the instant: what they rest on is not asked for. */
  #givesWay(field: number, rows: readonly ClaimRow[]): boolean {
    return rows.some((row) => holds(row, this.#at)) && this.#here().rulesAt(field).every(givesWay);
  }

  #here(): DemandState {
    if (this.#readsBounds) return this.#always();
    this.#state ??= this.#demand({ from: this.#at, to: instantAfter(this.#at) });
    return this.#state;
  }

  #always(): DemandState {
    this.#whole ??= this.#demand({ from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY });
    return this.#whole;
  }

  #demand(frame: { readonly from: number; readonly to: number }): DemandState {
    return new DemandState(this.#rules, this.#ledger.symbols, this.#facts, this.#calculus!, frame);
  }

  /** Past its bounds such a read says what to do about it. */
  #limited<T>(work: () => T): T {
    try {
      const result = work();
      if (this.#readsBounds) this.#facts.checkWindow(Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY);
      return result;
    } catch (problem) {
      if (!(problem instanceof Refusal) || problem.reason !== "limit_exceeded") throw problem;
      throw new Refusal(
        "limit_exceeded",
        "the answer rests on more of the store than a read with `known_at` may work over: read it without `known_at`",
        "known_at",
      );
    }
  }
}

/** The rule asks when a claim began or ended. */
function asksBounds(rule: Rule): boolean {
  const waiting: unknown[] = [rule.premises, rule.conclusion.value];
  while (waiting.length > 0) {
    const node = waiting.pop();
    if (typeof node !== "object" || node === null) continue;
    const expr = node as Partial<RuleExpr>;
    if (expr.tag === "claim" && (expr.property === "valid_from" || expr.property === "valid_to")) return true;
    waiting.push(...Object.values(node));
  }
  return false;
}
