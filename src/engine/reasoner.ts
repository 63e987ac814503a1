/**
 * The standing rules over one view of the claims: derived facts, always current.
 *
 * The store feeds it the differences of the facts in force and gets back the differences of the derived facts.
 * Meaning (rulings, "Meaning of rules, recursion"): at each instant of valid time the least fixpoint of the rules,
 * stratum by stratum. The state is a pure function of the installed rules and of the facts fed in, whatever the way
 * there: applying the inverse changes undoes a rolled-back layer.
 *
 * Face only; how it works is in rule-clause.ts (rules as runnable clauses), rule-order.ts (strata), relation.ts
 * (facts in memory), rule-join.ts (joins) and rule-state.ts (keeping all of it current).
 */
import type { Datum } from "../datum";
import { RULE_ROWS_MAX } from "../limits";
import type { Claim, FieldType } from "./claim";
import type { Fact, FactChange } from "./fact";
import type { Proof } from "./proof";
import type { Rule } from "./rule";
import type { RuleCalculus } from "./rule-calculus";
import { RuleLook } from "./rule-look";
import { RuleState, type Taken } from "./rule-state";
import type { RuleView } from "./rule-view";
import { RuleWork, type Sliced, toTheEnd } from "./rule-work";
import { NEVER_SPANS, sameSpans } from "./spans";
import { prove } from "./why";

/** What the reasoner needs of symbol.ts. */
export interface Symbols {
  /** Interned id of the pair; stable. */
  fieldId(kind: string, field: string): number;
  fieldOf(id: number): { readonly kind: string; readonly field: string };
  datumId(datum: Datum): number;
  datumOf(id: number): Datum;
  /** One number for all values that Python's `==` finds equal; of a subject its own id; -1 for NaN, which equals nothing. */
  equalityId(id: number): number;
}

/** A claim in force as a premise on a claim (`source`, `trust`, `valid_from`, `valid_to`) reads it. */
export interface ClaimFact {
  readonly value: number;
  readonly source: string;
  /** Where it is in force, `[from, to)`. */
  readonly from: number;
  readonly to: number;
  /** The claim's own window; null is open. */
  readonly windowFrom: number | null;
  readonly windowTo: number | null;
  readonly recordedAt: number;
}

/**
 * Recorded claims only, judged, asserted absences included (their value is the id of `null`). Must already show
 * the new state when `apply` is called with the changes that led to it.
 */
export interface FactSource {
  /** Facts in force of one field. */
  scan(field: number): Iterable<Fact>;
  scanSubject(field: number, subject: number): Iterable<Fact>;
  /** Fields whose facts may name subjects of this Kind, as subject or as value: what a free parameter ranges over. */
  fieldsNaming(kind: string): Iterable<number>;
  /** The claims behind the facts in force of a cell. */
  claims(field: number, subject: number): readonly ClaimFact[];
  /** Windows of every recorded, not superseded claim of a cell, rivals and absences included: what `not_asserted` asks. */
  recordedSpans(field: number, subject: number): readonly { readonly from: number; readonly to: number }[];
  /** The declared type, or null where no class declares the field. */
  fieldType(field: number): FieldType | null;
  /** Every field that a class declares. */
  declared(): Iterable<DeclaredField>;
  /** The preferred source of a cell, then that of its field. May name a rule. */
  preferred(field: number, subject: number): readonly string[];
}

export interface DeclaredField {
  readonly kind: string;
  readonly field: string;
  readonly type: FieldType;
}

/** How one (cell, value) changed: the windows where it is concluded, before and after, as flat `[from, to, from, to …]`. */
export interface DerivedChange {
  readonly field: number;
  readonly subject: number;
  readonly value: number;
  readonly before: readonly number[];
  readonly after: readonly number[];
}

/** One derived claim: (rule, cell, value) and a maximal window. */
export interface DerivedFact extends Fact {
  readonly rule: string;
}

/** A cell whose recorded claims or preference changed, whether or not its facts in force did; `subject` null: the whole field. */
export interface TouchedCell {
  readonly field: number;
  readonly subject: number | null;
}

/** What class `Reasoner` (constructed from `Symbols`, `FactSource`, `RuleCalculus`) offers. All changes come in no particular order. */
export interface Reasoning {
  readonly calculus: RuleCalculus;
  /** Shows what stands, for reasons that are not proofs. Not to be kept. */
  look<T>(work: (view: RuleView) => T): T;
  /** Replaces the whole set of standing rules. `limit_exceeded` keeps everything as it was. */
  setRules(rules: readonly Rule[]): DerivedChange[];
  /** As `setRules`, where nobody asks what changed: when a store is opened. */
  load(rules: readonly Rule[]): void;
  /** As `load`, for a store that opens: what stands came about in many statements, each within the bound of one. */
  open(rules: readonly Rule[]): void;
  /** Adds rules, replacing those of the same name. */
  install(rules: readonly Rule[]): DerivedChange[];
  withdraw(names: readonly string[]): DerivedChange[];
  /** `touched`: every cell the statement wrote, preferred or removed at. `limit_exceeded` keeps everything as it was. */
  apply(changes: readonly FactChange[], touched: readonly TouchedCell[]): DerivedChange[];
  // The same in slices: each runs when `advance` is called for it, and nothing else may be asked meanwhile.
  settingRules(rules: readonly Rule[]): Sliced<DerivedChange[]>;
  loading(rules: readonly Rule[]): Sliced<void>;
  applying(changes: readonly FactChange[], touched: readonly TouchedCell[]): Sliced<DerivedChange[]>;
  /** Goes on with one of these for about so many rows more. */
  advance<T>(work: Sliced<T>, rows: number): IteratorResult<undefined, T>;
  /** `work` without the bound of one statement: it does, or undoes, what many statements did within theirs. */
  unbounded<T>(work: () => T): T;
  rules(): readonly Rule[];
  /** Rules that conclude at the field, by name; empty: the field is not derived. */
  concludes(field: number): readonly Rule[];
  /** Derived claims of a cell, by rule name, then value order, then window. */
  derivedAt(field: number, subject: number): readonly DerivedFact[];
  /** Subjects with a derived claim at the field, each once. `values`: of one of those, a subject once for each. */
  derivedSubjects(field: number, values?: readonly number[]): Iterable<number>;
  /** Derived claims in the store, counted as (cell, value, window). */
  derivedCount(): number;
  /** Proof of least height that the value holds at the cell at the instant; null where it does not. Refuses `limit_exceeded` past `PROOF_NODES_MAX`. */
  why(field: number, subject: number, value: number, at: number, claims: ProofClaims): Proof | null;
  /** For rules that are not installed, in slices. Good until anything is written. */
  newLook(): RuleLook;
}

/** How `why` gets the recorded claim that stands behind a fact in force, to show it. */
export interface ProofClaims {
  asserted(field: number, subject: number, value: number, at: number): Claim | null;
}

export class Reasoner implements Reasoning {
  #state: RuleState;
  readonly #symbols: Symbols;
  readonly #source: FactSource;
  readonly calculus: RuleCalculus;
  readonly #work: RuleWork;

  constructor(symbols: Symbols, source: FactSource, calculus: RuleCalculus, rowsMax = RULE_ROWS_MAX) {
    this.#work = new RuleWork(rowsMax);
    this.#symbols = symbols;
    this.#source = source;
    this.calculus = calculus;
    this.#state = toTheEnd(this.#stateOf([], null));
  }

  advance<T>(work: Sliced<T>, rows: number): IteratorResult<undefined, T> {
    this.#work.slice(rows);
    try {
      return work.next();
    } finally {
      this.#work.slice(Number.POSITIVE_INFINITY);
    }
  }

  #whole<T>(work: Sliced<T>): T {
    return this.#work.uncut(() => toTheEnd(work));
  }

  setRules(rules: readonly Rule[]): DerivedChange[] {
    return this.#whole(this.settingRules(rules));
  }

  *settingRules(rules: readonly Rule[]): Sliced<DerivedChange[]> {
    const before = this.#state;
    const after = yield* this.#stateOf(rules, before.standing());
    this.#state = after;
    return difference(before, after);
  }

  load(rules: readonly Rule[]): void {
    this.#whole(this.loading(rules));
  }

  *loading(rules: readonly Rule[]): Sliced<void> {
    const { rules: standing } = this.#state;
    const taken = this.#state.standing();
    // So that what the new rules cannot use is gone before what they need is made.
    this.#state = yield* this.#stateOf([], null);
    try {
      this.#state = yield* this.#stateOf(rules, taken);
    } catch (problem) {
      this.open(standing);
      throw problem;
    }
  }

  open(rules: readonly Rule[]): void {
    this.unbounded(() => {
      this.#state = this.#whole(this.#stateOf(rules, null));
    });
  }

  *#stateOf(rules: readonly Rule[], taken: Taken | null): Sliced<RuleState> {
    const state = new RuleState(rules, this.#symbols, this.#source, this.calculus, this.#work);
    yield* state.make(taken);
    return state;
  }

  install(rules: readonly Rule[]): DerivedChange[] {
    const names = new Set(rules.map((rule) => rule.name));
    return this.setRules([...this.#state.rules.filter((rule) => !names.has(rule.name)), ...rules]);
  }

  withdraw(names: readonly string[]): DerivedChange[] {
    const gone = new Set(names);
    return this.setRules(this.#state.rules.filter((rule) => !gone.has(rule.name)));
  }

  apply(changes: readonly FactChange[], touched: readonly TouchedCell[]): DerivedChange[] {
    return this.#whole(this.applying(changes, touched));
  }

  *applying(changes: readonly FactChange[], touched: readonly TouchedCell[]): Sliced<DerivedChange[]> {
    const state = this.#state;
    if (state.rules.length === 0) return [];
    try {
      yield* state.change(changes, touched);
      const derived = state.derivedChanges();
      state.settle();
      return derived;
    } catch (problem) {
      state.revert();
      throw problem;
    }
  }

  unbounded<T>(work: () => T): T {
    const { rowsMax } = this.#work;
    this.#work.rowsMax = Number.POSITIVE_INFINITY;
    try {
      return work();
    } finally {
      this.#work.rowsMax = rowsMax;
    }
  }

  rules(): readonly Rule[] {
    return this.#state.rules;
  }

  concludes(field: number): readonly Rule[] {
    return this.#state.rulesAt(field);
  }

  derivedAt(field: number, subject: number): readonly DerivedFact[] {
    this.#state.startWork();
    return this.#state.derivedAt(field, subject);
  }

  derivedSubjects(field: number, values?: readonly number[]): Iterable<number> {
    return values === undefined ? this.#state.derivedSubjects(field) : this.#state.derivedSubjectsOf(field, values);
  }

  derivedCount(): number {
    return this.#state.derivedCount;
  }

  why(field: number, subject: number, value: number, at: number, claims: ProofClaims): Proof | null {
    this.#state.startWork();
    return prove(this.#state, { field, subject, value, at }, claims);
  }

  newLook(): RuleLook {
    return new RuleLook(this.#state, this.calculus);
  }

  look<T>(work: (view: RuleView) => T): T {
    const state = this.#state;
    state.startWork();
    return state.looking(() => work(state));
  }
}

/** What differs between two sets of conclusions. */
function difference(before: RuleState, after: RuleState): DerivedChange[] {
  const out: DerivedChange[] = [];
  const fields = new Set([...before.derivedFields(), ...after.derivedFields()]);
  for (const field of fields) {
    if (before.standingRelations(field) === after.standingRelations(field)) continue;
    for (const { subject, value, spans } of after.derivedPairs(field)) {
      const was = before.spansAt(field, subject, value);
      if (!sameSpans(was, spans)) out.push({ field, subject, value, before: was, after: spans });
    }
    for (const { subject, value, spans } of before.derivedPairs(field)) {
      if (after.spansAt(field, subject, value).length === 0) out.push({ field, subject, value, before: spans, after: NEVER_SPANS });
    }
  }
  return out;
}
