/**
 * One clause with the plans that keeping it current needs, each made when first asked for.
 *
 * What it reads is in rule-reads.ts, the groups of its folds in rule-group.ts.
 */

import type { Datum } from "../datum";
import { assert } from "../failure";
import type { Symbols } from "./reasoner";
import type { Rule } from "./rule";
import type { Admit, Atom, Clause, Part, Probe } from "./rule-clause";
import { VALUE_ROWS } from "./rule-effort";
import { LEFT_OUT } from "./rule-fold";
import { FoldGroups, foldsOf } from "./rule-group";
import { type Field, makePlan, type Plan, type PlanWish, rowValue, runPlan, type Step } from "./rule-join";
import { boundBy, type Source, seed, setSlot, sourcesOf } from "./rule-reads";
import type { Env } from "./rule-test";
import type { Sliced } from "./rule-work";
import { instantAfter } from "./spans";

/** Takes a conclusion: the subject and value ids, its span, and the rank of the match. True ends the search. */
export type Conclude = (subject: number, value: number, from: number, to: number, rank: number) => boolean;

/** Runs from one row; true as runs do. */
export type FromRow = (subject: number, value: number, from: number, to: number, rank: number) => boolean;

/** Turns what a rule concludes into what the field can hold; -1: nothing. */
export type Accept = (value: number) => number;

/** See `ClausePlans.tail`. */
export interface Tail {
  /** Which values are passed on. */
  readonly admit: Admit;
  next(subject: number, from: number, to: number, visit: (subject: number) => void): void;
}

export class ClausePlans {
  readonly sources: readonly Source[];
  readonly headField: number;
  readonly headSubject: number;
  readonly headValueSlot: number;
  /** Every value it concludes is a subject: its equality id is its id. */
  readonly concludesSubjects: boolean;
  /** Set before a plan runs, so that plans need not be made anew for each use. */
  conclude: Conclude = () => false;
  /** Detecting plans report here: the value is -1 where it is not known. */
  detected: (subject: number, value: number, from: number, to: number) => void = () => {};
  /** Of folds; none where nobody tells what changes. */
  readonly groups: ReadonlyMap<Probe, FoldGroups>;
  readonly #field: Field;
  readonly #accept: Accept;
  /** Of the match that concludes just now. */
  #env: Env | null = null;
  #full: Plan | null = null;
  #bySubject: Plan | null = null;
  #forPair: FromRow | null = null;
  #byValue: Plan | null = null;
  readonly #growth = new Map<Atom, FromRow>();
  readonly #detect = new Map<Source, FromRow>();
  readonly #detectCell = new Map<Source, Plan>();

  constructor(
    field: Field,
    readonly clause: Clause,
    accept: Accept,
    keepsGroups: boolean,
  ) {
    this.#field = field;
    const groups = new Map<Probe, FoldGroups>();
    if (keepsGroups) {
      for (const probe of foldsOf(clause)) {
        const kept = FoldGroups.of(field, clause, probe);
        if (kept !== null) groups.set(probe, kept);
      }
    }
    this.groups = groups;
    this.#accept = accept;
    this.headField = clause.head.field;
    this.headSubject = clause.head.subject;
    this.headValueSlot = clause.head.valueSlot;
    this.concludesSubjects = clause.head.valueSlot >= 0 && clause.subjectSlots.has(clause.head.valueSlot);
    this.sources = sourcesOf(clause);
  }

  #plan(wish: Omit<PlanWish, "clause" | "groups">, done: (plan: Plan) => Step): Plan {
    return makePlan(this.#field, { clause: this.clause, groups: this.groups, ...wish }, done);
  }

  get rule(): Rule {
    return this.clause.rule;
  }

  /** Nothing it reads has windows: a match at one instant is one at all. */
  get isTimeless(): boolean {
    const field = this.#field;
    return this.sources.every(({ atom, byCell }) => !byCell && !field.relation(atom, field.own(atom)).windowed);
  }

  // Runs give true where the slice is spent: asked again for the same, they go on.

  /** Every match. */
  runAll(conclude: Conclude): boolean {
    return this.runWithin(Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY, conclude);
  }

  /** `work` asks for the folds of every match there is. */
  *fillGroups(work: Sliced<void>): Sliced<void> {
    for (const groups of this.groups.values()) groups.beginFilling();
    try {
      yield* work;
    } finally {
      for (const groups of this.groups.values()) groups.endFilling();
    }
  }

  /** Every match within the span. */
  runWithin(from: number, to: number, conclude: Conclude): boolean {
    this.#full ??= this.#plan({ part: this.clause, bound: [] }, (plan) => this.#done(plan));
    this.conclude = conclude;
    return runPlan(this.#full, from, to, 0);
  }

  /**
   * Some match within the span concludes nothing because a fold cannot take the values of its rows, or because the
   * field cannot hold the value (rulings, "One match of a rule", "Typed fields").
   */
  *declining(from: number, to: number): Sliced<boolean> {
    const { clause } = this;
    const folds = clause.probes.filter((probe) => probe.tag === "fold");
    const temps = new Set(folds.map((fold) => fold.temp));
    const late = clause.tests.filter((test) => test.slots.some((slot) => temps.has(slot)));
    let rows = 0;
    const counts = new Map(
      folds.map((fold) => {
        const run = this.rowPlan(fold, (env) => {
          if (rowValue(fold, env) !== LEFT_OUT) rows++;
        });
        return [fold.temp, run] as const;
      }),
    );
    let found = false;
    const part = { ...clause, tests: clause.tests.filter((test) => !late.includes(test)) };
    const plan = this.#plan({ part, bound: [] }, ({ env }) => (start) => {
      /** A fold without a value though it has rows. */
      const refused = (slot: number) => {
        const run = counts.get(slot);
        if (run === undefined || env.temps[slot] !== undefined) return false;
        rows = 0;
        this.#field.work.uncut(() => run(env, start));
        return rows > 0;
      };
      let declined = false;
      for (const test of late) {
        if (test.slots.some(refused)) declined = true;
        else if (!test.run(env)) return false;
      }
      const { value, valueSlot } = clause.head;
      if (value?.slots.some(refused)) declined = true;
      if (!declined) {
        const id = value === null ? env.slots[valueSlot]! : idOf(this.#field.symbols, value.run(env));
        declined = id >= 0 && id !== this.#field.noneId && this.#accept(id) < 0;
      }
      found ||= declined;
      return found;
    });
    yield* this.#field.work.inSteps(() => runPlan(plan, from, to, 0));
    return found;
  }

  /**
   * Where the clause passes on, unlooked at, every value that its own field has at another subject: how to that subject.
   * Null for any other clause.
   */
  tail(): Tail | null {
    const { clause, headField, headSubject, headValueSlot } = this;
    const reads = (atom: Atom, field: number) => atom.from.tag === "field" && atom.from.field === field;
    const passed = clause.atoms.filter((atom) => reads(atom, headField) && atom.value === headValueSlot);
    const [last] = passed;
    if (clause.head.value !== null || last === undefined || passed.length > 1 || clause.constants.has(headValueSlot)) return null;
    const others = clause.atoms.filter((atom) => atom !== last);
    const isLooked =
      others.some((atom) => atom.subject === headValueSlot || atom.value === headValueSlot || this.#field.own(atom)) ||
      clause.equalities.some((pair) => pair.includes(headValueSlot)) ||
      clause.tests.some((test) => test.slots.includes(headValueSlot)) ||
      clause.probes.some((probe) => probe.needs.includes(headValueSlot));
    const isLed = others.some((atom) => atom.subject === last.subject || atom.value === last.subject);
    if (isLooked || !isLed || last.subject === headSubject || last.subject === headValueSlot) return null;
    let found: (subject: number) => void = () => {};
    const plan = this.#plan({ part: { ...clause, atoms: others }, bound: [headSubject] }, ({ env }) => () => {
      found(env.slots[last.subject]!);
      return false;
    });
    return {
      admit: last.admit,
      next(subject, from, to, visit) {
        if (!setSlot(plan, clause, headSubject, subject)) return;
        found = visit;
        plan.start(from, to, 0);
      },
    };
  }

  /** Subjects at which some match within the span concludes that reads the cell, in whatever way. */
  restingOn(field: number, subject: number, from: number, to: number, found: (concluded: number) => void): void {
    const { clause } = this;
    const head = clause.head.subject;
    const concludes = (slots: Int32Array) => {
      found(slots[head]!);
      return false;
    };
    for (const atom of clause.atoms) {
      if (atom.from.tag !== "field" || atom.from.field !== field) continue;
      const plan = this.#plan({ part: clause, bound: [atom.subject] }, (p) => this.#done(p));
      if (!setSlot(plan, clause, atom.subject, subject)) continue;
      this.conclude = (concluded) => {
        found(concluded);
        return false;
      };
      plan.start(from, to, 0);
    }
    const readers = clause.probes.flatMap((probe) => this.#readerOf(probe, field, subject) ?? []);
    if (readers.length === 0) return;
    const plan = this.#plan({ part: clause, bound: [] }, (p) => this.#done(p));
    this.conclude = () => (readers.some((reads) => reads(plan.env, from)) ? concludes(plan.env.slots) : false);
    plan.start(from, to, 0);
  }

  /** Whether a probe reads the cell in a match; null where it never can. */
  #readerOf(probe: Probe, field: number, subject: number): ((env: Env, at: number) => boolean) | null {
    const { clause } = this;
    switch (probe.tag) {
      case "absent":
      case "optional":
        if (probe.atom.from.tag !== "field" || probe.atom.from.field !== field) return null;
        return (env) => env.slots[probe.atom.subject] === subject;
      case "claim":
      case "not_asserted":
        return probe.field === field ? (env) => env.slots[probe.subject] === subject : null;
      default: {
        const atoms = probe.part.atoms.filter((atom) => atom.from.tag === "field" && atom.from.field === field);
        const inner = probe.part.probes.flatMap((one) => this.#readerOf(one, field, subject) ?? []);
        const rows = atoms.map((atom) => {
          // A `none` that holds has no row: what it looks at is a row but for the values its conditions ask for.
          const part: Part =
            probe.tag === "none"
              ? {
                  ...probe.part,
                  equalities: probe.part.equalities.filter((pair) => !pair.includes(atom.value)),
                  tests: probe.part.tests.filter((test) => !test.slots.includes(atom.value)),
                }
              : probe.part;
          const bound = [...new Set([...probe.needs, atom.subject])];
          let met = false;
          const plan = this.#plan({ part, bound }, () => () => {
            met = true;
            return true;
          });
          return (env: Env, at: number) => {
            for (const slot of probe.needs) plan.env.slots[slot] = env.slots[slot]!;
            if (probe.needs.includes(atom.subject) && env.slots[atom.subject] !== subject) return false;
            if (!setSlot(plan, clause, atom.subject, subject)) return false;
            met = false;
            plan.start(at, instantAfter(at), 0);
            return met;
          };
        });
        if (rows.length + inner.length === 0) return null;
        return (env, at) => rows.some((reads) => reads(env, at)) || inner.some((reads) => reads(env, at));
      }
    }
  }

  /** Every match that concludes at the subject, within the span. */
  runAt(subject: number, from: number, to: number, conclude: Conclude): boolean {
    const { headSubject, clause } = this;
    this.#bySubject ??= this.#plan({ part: clause, bound: [headSubject] }, (plan) => this.#done(plan));
    const plan = this.#bySubject;
    if (!setSlot(plan, clause, headSubject, subject)) return false;
    this.conclude = conclude;
    return runPlan(plan, from, to, 0);
  }

  /** Every match that concludes the value, at any subject, within the span. */
  runAtValue(value: number, from: number, to: number, conclude: Conclude): void {
    const { headValueSlot, clause } = this;
    if (headValueSlot < 0 || this.#accept(value) !== value || this.#isConverted(value)) {
      this.runWithin(from, to, (s, v, f, t, r) => v === value && conclude(s, v, f, t, r));
      return;
    }
    this.#byValue ??= this.#plan({ part: clause, bound: [headValueSlot] }, (plan) => this.#done(plan));
    const plan = this.#byValue;
    if (!setSlot(plan, clause, headValueSlot, value)) return;
    this.conclude = conclude;
    plan.start(from, to, 0);
  }

  /** As `runAt`, for one value. */
  runFor(subject: number, value: number, from: number, to: number, conclude: Conclude): boolean {
    const { headSubject, headValueSlot } = this;
    if (headValueSlot === headSubject && subject !== value) return false;
    // What is computed, or changed to fit its field, cannot be put in beforehand.
    if (headValueSlot < 0 || this.#accept(value) !== value || this.#isConverted(value)) {
      return this.runAt(subject, from, to, (s, v, f, t, r) => v === value && conclude(s, v, f, t, r));
    }
    this.#forPair ??= this.#fromRow(
      { from: { tag: "field", field: this.headField }, subject: headSubject, value: headValueSlot, admit: null },
      this.#plan({ part: this.clause, bound: [headSubject, headValueSlot] }, (plan) => this.#done(plan)),
    );
    this.conclude = conclude;
    return this.#forPair(subject, value, from, to, 0);
  }

  /** The matches that conclude a value at an instant, each `match` while it is told of. */
  witnesses(subject: number, value: number, at: number, found: () => boolean): void {
    this.runFor(subject, value, at, at + 1, found);
  }

  /** Of the match that concludes just now, until the next. */
  get match(): Env {
    assert(this.#env !== null, "a match is told of");
    return this.#env;
  }

  /** A plan over the rows of a fold, from the slots of one match of it. */
  rowPlan(fold: Extract<Probe, { tag: "fold" }>, done: (env: Env) => void): (env: Env, at: number) => void {
    const bound = [...fold.needs];
    const plan = this.#plan({ part: fold.part, bound }, (p) => () => {
      done(p.env);
      return false;
    });
    return (env, at) => {
      for (const slot of bound) plan.env.slots[slot] = env.slots[slot]!;
      plan.start(at, at + 1, 0);
    };
  }

  /** Every match in which the atom takes this row. */
  runFrom(atom: Atom, subject: number, value: number, from: number, to: number, rank: number, conclude: Conclude): boolean {
    this.conclude = conclude;
    return this.growthFrom(atom)(subject, value, from, to, rank);
  }

  /** As `runFrom`, for one who asks often: the caller sets `conclude`. */
  growthFrom(atom: Atom): FromRow {
    let grow = this.#growth.get(atom);
    if (grow === undefined) {
      grow = this.#fromRow(
        atom,
        this.#plan({ part: this.clause, bound: boundBy(atom), given: atom }, (p) => this.#done(p)),
      );
      this.#growth.set(atom, grow);
    }
    return grow;
  }

  /** As `growthFrom`: reports to `detected` every conclusion that a change of a row of the source may touch. */
  detectFrom(source: Source): FromRow {
    let detect = this.#detect.get(source);
    if (detect === undefined) {
      detect = this.#fromRow(source.atom, this.#detector(source, boundBy(source.atom)));
      this.#detect.set(source, detect);
    }
    return detect;
  }

  /** The same for a change of a cell of the source, whatever its value. */
  detectCell(source: Source, subject: number): boolean {
    const { atom } = source;
    let plan = this.#detectCell.get(source);
    if (plan === undefined) {
      plan = this.#detector(source, [atom.subject]);
      this.#detectCell.set(source, plan);
    }
    if (!setSlot(plan, this.clause, atom.subject, subject)) return false;
    return runPlan(plan, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY, 0);
  }

  #detector({ atom, part }: Source, bound: readonly number[]): Plan {
    const { headSubject, headValueSlot } = this;
    const wanted = headValueSlot < 0 ? [headSubject] : [headSubject, headValueSlot];
    return this.#plan({ part, bound, given: atom, wanted }, ({ env: { slots } }) => (from, to) => {
      const value = headValueSlot < 0 ? -1 : this.#accept(slots[headValueSlot]!);
      if (headValueSlot < 0 || value >= 0) this.detected(slots[headSubject]!, value, from, to);
      return false;
    });
  }

  /** How a row of the atom, put into its slots, starts the plan. */
  #fromRow(atom: Atom, plan: Plan): FromRow {
    const { clause } = this;
    const { slots } = plan.env;
    const { subject: subjectSlot, value: valueSlot } = atom;
    const plain = valueSlot >= 0 && valueSlot !== subjectSlot && !clause.constants.has(subjectSlot) && !clause.constants.has(valueSlot);
    if (!plain) return (subject, value, from, to, rank) => seed(plan, clause, atom, subject, value) && runPlan(plan, from, to, rank);
    return (subject, value, from, to, rank) => {
      slots[subjectSlot] = subject;
      slots[valueSlot] = value;
      return runPlan(plan, from, to, rank);
    };
  }

  #isConverted(value: number): boolean {
    if (this.concludesSubjects) return false;
    const datum = this.#field.symbols.datumOf(value);
    return typeof datum === "object" && datum !== null && "v" in datum;
  }

  #done(plan: Plan): Step {
    const { symbols, noneId, calculus, work } = this.#field;
    const { slots } = plan.env;
    const { subject, valueSlot, value } = this.clause.head;
    const accept = this.#accept;
    if (value === null) {
      return (from, to, rank) => {
        const id = slots[valueSlot]!;
        if (id < 0 || id === noneId) return false;
        this.#env = plan.env;
        const held = accept(id);
        return held >= 0 && this.conclude(slots[subject]!, held, from, to, rank);
      };
    }
    return (from, to, rank) => {
      this.#env = plan.env;
      const before = calculus.effort;
      const datum = value.run(plan.env);
      work.rows += VALUE_ROWS + calculus.effort - before;
      if (datum === undefined || datum === null) return false;
      const held = accept(symbols.datumId(datum));
      return held >= 0 && this.conclude(slots[subject]!, held, from, to, rank);
    };
  }
}

function idOf(symbols: Symbols, datum: Datum | undefined): number {
  return datum === undefined || datum === null ? -1 : symbols.datumId(datum);
}
