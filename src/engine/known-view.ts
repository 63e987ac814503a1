/**
 * The store as it was known at a past moment, rules included: what reads with `known_at` look at.
 *
 * Serves one read. A value is worked out at its instant alone; a claim's window needs all time, and so do rules that
 * ask for the bounds of a conclusion.
 */
import { Refusal } from "../failure";
import type { ClaimRow } from "./claim-row";
import { KnownFacts } from "./known-facts";
import { type KnownCell, knownCell } from "./known-time";
import type { Ledger } from "./ledger";
import type { Proof } from "./proof";
import type { DerivedFact } from "./reasoner";
import { givesWay } from "./rule";
import type { RuleCalculus } from "./rule-calculus";
import { DemandState } from "./rule-demand";
import type { RulesThen } from "./rule-history";
import { holds } from "./span";
import { instantAfter } from "./spans";
import { prove } from "./why";

export class KnownView {
  readonly #ledger: Ledger;
  readonly #then: RulesThen;
  readonly #point: { readonly known: number; readonly at: number };
  readonly #calculus: RuleCalculus | null;
  /** What rules ask; null while none has asked. */
  #held: KnownFacts | null = null;
  #state: DemandState | null = null;
  #whole: DemandState | null = null;

  /** `then`: the rules as they stood at `point.known`. */
  constructor(ledger: Ledger, then: RulesThen, point: { readonly known: number; readonly at: number }) {
    this.#ledger = ledger;
    this.#then = then;
    this.#point = point;
    this.#calculus = ledger.reasoner?.calculus ?? null;
  }

  /** Refuses `derived_field` where what rules concluded at the field then is not known. */
  admit(field: number): void {
    if (this.#then.lostUntil(field) !== null) this.#facts.admit(field);
  }

  /** Recorded claims and conclusions of a cell at the instant. */
  cell(field: number, subject: number): KnownCell & { readonly derived: readonly DerivedFact[] } {
    this.admit(field);
    const { known, at } = this.#point;
    if (this.#then.rules.length === 0) return { ...knownCell(this.#ledger, field, subject, known, at), derived: [] };
    const recorded = this.#facts.cell(field, subject);
    if (!this.#concludes(field) || this.#givesWay(field, recorded.rows)) return { ...recorded, derived: [] };
    const derived = this.#limited(() => this.#here().derivedAt(field, subject)).filter((fact) => holds(fact, this.#point.at));
    return { ...recorded, derived };
  }

  /** Subjects with a recorded claim or a conclusion at the field, and perhaps some more. */
  subjects(field: number): Iterable<number> {
    this.admit(field);
    const recorded = this.#ledger.cells.subjects(field);
    if (!this.#concludes(field)) return recorded;
    return new Set([...recorded, ...this.#limited(() => this.#here().derivedSubjects(field))]);
  }

  /** The conclusion with its maximal window. Refuses `not_recorded` where that is not known. */
  whole(fact: DerivedFact): DerivedFact {
    return this.#limited(() => {
      const found = this.#always()
        .derivedAt(fact.field, fact.subject)
        .find((one) => one.rule === fact.rule && one.value === fact.value && holds(one, this.#point.at));
      if (found === undefined) return fact;
      this.#facts.checkWindow(found.from, found.to);
      return found;
    });
  }

  why({ field, subject, value }: DerivedFact): Proof | null {
    return this.#limited(() => prove(this.#here(), { field, subject, value, at: this.#point.at }, this.#facts));
  }

  get #facts(): KnownFacts {
    this.#held ??= new KnownFacts(this.#ledger, this.#then, this.#point);
    return this.#held;
  }

  #concludes(field: number): boolean {
    return this.#then.rules.length > 0 && this.#calculus !== null && this.#here().rulesAt(field).length > 0;
  }

  /** Every rule there gives way to what is recorded at the instant: what they rest on is not asked for. */
  #givesWay(field: number, rows: readonly ClaimRow[]): boolean {
    return rows.some((row) => holds(row, this.#point.at)) && this.#here().rulesAt(field).every(givesWay);
  }

  #here(): DemandState {
    if (this.#then.asksBounds) return this.#always();
    this.#state ??= this.#demand({ from: this.#point.at, to: instantAfter(this.#point.at) });
    return this.#state;
  }

  #always(): DemandState {
    this.#whole ??= this.#demand({ from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY });
    return this.#whole;
  }

  #demand(frame: { readonly from: number; readonly to: number }): DemandState {
    return new DemandState(this.#then.rules, this.#ledger.symbols, this.#facts, this.#calculus!, frame);
  }

  /** Past its bounds such a read says what to do about it. */
  #limited<T>(work: () => T): T {
    try {
      const result = work();
      if (this.#then.asksBounds) this.#facts.checkWindow(Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY);
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
