/**
 * Runs one part of a clause: finds all its matches, each with the span in which it holds.
 *
 * A plan orders the steps once for a given set of slots bound at the start, and is a chain of closures, each
 * calling the next for every way to go on. Spans and ranks travel as arguments: an atom narrows the span to its
 * row's, and the rank of a match is the greatest among its rows of the rule's own component. Absence, folds and
 * claims cut the span into the pieces where they hold.
 *
 * A *detecting* plan runs over the old and the new state together, leaves probes out, and ends once what is
 * wanted is bound and cells at hand match: it finds every match that may have changed, and perhaps some that did not.
 */
import { Datetime, type Datum, Subject } from "../datum";
import { assert } from "../failure";
import type { Symbols } from "./reasoner";
import { type Relation, SEES_BOTH, SEES_NOW } from "./relation";
import { copyOf, pick, rivalOf, score, type Todo, take, takePartner } from "./rule-choice";
import type { Admit, Atom, Clause, Part, Probe } from "./rule-clause";
import { type MeasuredCalculus, testStep } from "./rule-effort";
import { type FoldPiece, FoldRows, LEFT_OUT, type RowValue } from "./rule-fold";
import type { FoldGroups } from "./rule-group";
import type { Env } from "./rule-test";
import type { RuleWork } from "./rule-work";
import { meetSpans, minusSpans, normalSpans, SpanGather, type Spans } from "./spans";

/** A claim as a premise on a claim sees it. `from`, `to`: where it is in force. */
export interface ReadClaim {
  readonly value: number;
  readonly trust: "asserted" | "derived";
  readonly source: string;
  readonly from: number;
  readonly to: number;
  readonly windowFrom: number | null;
  readonly windowTo: number | null;
}

/** The relations a plan reads. */
export interface Field {
  /** The facts an atom of a rule reads; `own`: the atom's field lies in the rule's own component. */
  relation(atom: Atom, own: boolean): Relation;
  own(atom: Atom): boolean;
  claims(field: number, subject: number): readonly ReadClaim[];
  recordedSpans(field: number, subject: number): Spans;
  readonly symbols: Symbols;
  readonly calculus: MeasuredCalculus;
  readonly noneId: number;
  readonly work: RuleWork;
}

/**
 * Gives true to end the search. Where the plan is then `isPaused`, the slice is spent: started again with the same slots
 * and span it goes on where it was, each step from where it stood.
 */
export type Step = (from: number, to: number, rank: number) => boolean;

export interface Plan {
  readonly env: Env;
  /** Which state it runs over: as things stand, unless said otherwise. */
  sees: number;
  isPaused: boolean;
  /** Steps stand where they paused. */
  isHalfway: boolean;
  /** Each has one step forget where it paused. */
  readonly forget: (() => void)[];
  start: Step;
}

export interface PlanWish {
  readonly clause: Clause;
  readonly part: Part;
  /** Slots set before the start, beside the constants. */
  readonly bound: readonly number[];
  /** The atom whose row the caller has put into the slots. */
  readonly given?: Atom;
  /** Detecting: end when these are bound. */
  readonly wanted?: readonly number[];
  /** Folds whose groups are kept; the others are folded at each match. */
  readonly groups?: ReadonlyMap<Probe, FoldGroups>;
}

/** Of two ways to go on, one with so few rows is taken without a look at the other: more, the larger the other's relation. */
const FEW_ROWS = 8;
const FEW_ROWS_MAX = 64;
const NO_GROUPS: ReadonlyMap<Probe, FoldGroups> = new Map();

/** Runs a plan whose slots are set; true where it has to go on in a later slice. */
export function runPlan(plan: Plan, from: number, to: number, rank: number): boolean {
  // It paused and was then refused, and begins anew.
  if (plan.isHalfway && !plan.isPaused) for (const forget of plan.forget) forget();
  plan.isPaused = false;
  plan.start(from, to, rank);
  plan.isHalfway = plan.isPaused;
  return plan.isPaused;
}

export function makePlan(field: Field, wish: PlanWish, done: (plan: Plan) => Step): Plan {
  const { clause } = wish;
  const env: Env = { slots: new Int32Array(clause.slotCount).fill(-1), temps: new Array(clause.slotCount).fill(undefined) };
  for (const [slot, id] of clause.constants) env.slots[slot] = id;
  const sees = wish.wanted === undefined ? SEES_NOW : SEES_BOTH;
  const plan: Plan = { env, sees, isPaused: false, isHalfway: false, forget: [], start: () => false };
  const bound = new Set<number>([...clause.constants.keys(), ...wish.bound]);
  plan.start = new Planner(field, clause, plan, wish.wanted ?? null, wish.groups ?? NO_GROUPS).chain(
    wish.part,
    bound,
    wish.given ?? null,
    done(plan),
  );
  return plan;
}

type MakeStep = (next: Step) => Step;

interface Walk {
  readonly relation: Relation;
  chains(): { readonly next: Int32Array };
  first(): number;
}

class Planner {
  constructor(
    readonly field: Field,
    readonly clause: Clause,
    readonly plan: Plan,
    readonly wanted: readonly number[] | null,
    readonly groups: ReadonlyMap<Probe, FoldGroups>,
  ) {}

  /** Orders the steps of `part` and links them up to `done`. */
  chain(part: Part, initial: ReadonlySet<number>, given: Atom | null, done: Step): Step {
    const todo: Todo = {
      bound: new Set(initial),
      atoms: part.atoms.filter((atom) => atom !== given),
      equalities: [...part.equalities],
      tests: [...part.tests],
      probes: this.wanted === null ? [...part.probes] : [],
    };
    const made: MakeStep[] = [];
    if (given !== null && given.admit !== null) made.push(this.#admit(given));
    return this.#link(todo, made, true, done);
  }

  /** `mayChoose`: two ways to go on may both be kept, the shorter taken at each run; once a chain, so that chains stay few. */
  #link(todo: Todo, made: MakeStep[], mayChoose: boolean, done: Step): Step {
    const { bound, atoms, equalities, tests, probes } = todo;
    const linked = (last: Step): Step => made.reduceRight((next, make) => make(next), last);
    this.#settle(todo, made);
    for (;;) {
      const best = pick(atoms, (atom) => score(atom, bound, equalities));
      // What a look at one cell shows not to match changed nothing.
      if (this.wanted?.every((slot) => bound.has(slot)) && (best === null || best.score < 3)) break;
      // A probe that can run beats scanning a whole relation.
      const probe = best === null || best.score <= 1 ? probes.find((p) => p.needs.every((slot) => bound.has(slot))) : undefined;
      if (probe !== undefined) {
        probes.splice(probes.indexOf(probe), 1);
        const before = new Set(bound);
        made.push((next) => this.#probe(probe, before, next));
        for (const slot of probe.gives) bound.add(slot);
      } else if (best !== null) {
        const rival = mayChoose ? rivalOf(best, todo) : null;
        if (rival !== null && this.#isCounted(best.atom) && this.#isCounted(rival))
          return linked(this.#choose(best.atom, rival, todo, done));
        this.#take(best.atom, todo, made);
      } else break;
      this.#settle(todo, made);
    }
    assert(
      this.wanted !== null || (probes.length === 0 && tests.length === 0 && equalities.length === 0),
      `rule ${this.clause.rule.name} binds all it reads`,
    );
    return linked(done);
  }

  #isCounted(atom: Atom): boolean {
    return !this.field.relation(atom, this.field.own(atom)).filledAsRead;
  }

  /** Equalities and tests whose slots are all bound. */
  #settle({ bound, equalities, tests }: Todo, made: MakeStep[]): void {
    take(
      equalities,
      ([a, b]) => bound.has(a) && bound.has(b),
      ([a, b]) => made.push(this.#equal(a, b)),
    );
    take(
      tests,
      (test) => test.slots.every((slot) => bound.has(slot)),
      (test) => made.push((next) => testStep(test.run, this.plan, this.field.work, this.field.calculus, next)),
    );
  }

  #take(atom: Atom, { bound, atoms, equalities }: Todo, made: MakeStep[]): void {
    atoms.splice(atoms.indexOf(atom), 1);
    made.push(this.#atom(atom, bound, equalities));
    bound.add(atom.subject);
    if (atom.value >= 0) bound.add(atom.value);
    if (atom.admit !== null) made.push(this.#admit(atom));
  }

  /**
   * Two atoms, each found through one of its columns, that once one is taken meet in the other: `p.path == q,
   * q.edge == r` with p and r known. Which has fewer rows differs from match to match by thousands, so it is looked
   * at each time; both chains are walked together until the shorter ends.
   */
  #choose(first: Atom, second: Atom, todo: Todo, done: Step): Step {
    const [a, b] = [first, second].map((atom) => {
      const rest = copyOf(todo);
      const walk = this.#walk(atom, rest);
      const made: MakeStep[] = [];
      this.#take(atom, rest, made);
      return { walk, run: this.#link(rest, made, false, done) };
    });
    const { walk: walkA, run: runA } = a!;
    const { walk: walkB, run: runB } = b!;
    const { plan } = this;
    let pausedIn: Step | null = null;
    plan.forget.push(() => {
      pausedIn = null;
    });
    const among = (walk: Walk, most: number): number => {
      const { next } = walk.chains();
      let count = 0;
      for (let row = walk.first(); row >= 0 && count <= most; row = next[row]!) count++;
      return count;
    };
    const shorter = (): Step => {
      const countA = walkA.relation.liveCount;
      const countB = walkB.relation.liveCount;
      // So few that the index of the larger relation, which may be a million rows, is not made to ask it.
      const few = fewBeside(Math.min(countA, countB), Math.max(countA, countB));
      if (among(countA <= countB ? walkA : walkB, few) <= few) return countA <= countB ? runA : runB;
      let rowA = walkA.first();
      let rowB = walkB.first();
      const nextA = walkA.chains().next;
      const nextB = walkB.chains().next;
      while (rowA >= 0 && rowB >= 0) {
        rowA = nextA[rowA]!;
        rowB = nextB[rowB]!;
      }
      return rowA < 0 ? runA : runB;
    };
    return (from, to, rank) => {
      const run = pausedIn ?? shorter();
      pausedIn = null;
      if (!run(from, to, rank)) return false;
      if (plan.isPaused) pausedIn = run;
      return true;
    };
  }

  /** The rows an atom would be found among, of which one column is bound. */
  #walk(atom: Atom, { bound, equalities }: Todo): Walk {
    const { symbols } = this.field;
    const { slots } = this.plan.env;
    const relation = this.field.relation(atom, this.field.own(atom));
    if (bound.has(atom.subject)) {
      return {
        relation,
        chains: () => relation.bySubject(),
        first: () => (slots[atom.subject]! < 0 ? -1 : relation.bySubject().heads.get(slots[atom.subject]!)),
      };
    }
    const looked = bound.has(atom.value) ? atom.value : takePartner(atom.value, bound, [...equalities]);
    return {
      relation,
      chains: () => relation.byEqual(),
      first: () => {
        const equal = slots[looked]! < 0 ? -1 : symbols.equalityId(slots[looked]!);
        return equal < 0 ? -1 : relation.byEqual().heads.get(equal);
      },
    };
  }

  #equal(a: number, b: number): MakeStep {
    const { symbols } = this.field;
    const { slots } = this.plan.env;
    return (next) => (from, to, rank) => {
      if (slots[a]! < 0 || slots[b]! < 0) return false;
      const equal = symbols.equalityId(slots[a]!);
      return equal >= 0 && equal === symbols.equalityId(slots[b]!) && next(from, to, rank);
    };
  }

  #admit(atom: Atom): MakeStep {
    const { slots } = this.plan.env;
    const { symbols } = this.field;
    const { admit, value } = atom;
    return (next) => (from, to, rank) => admits(admit, symbols.datumOf(slots[value]!)) && next(from, to, rank);
  }

  #atom(atom: Atom, bound: ReadonlySet<number>, equalities: [number, number][]): MakeStep {
    const { field, plan, clause } = this;
    const { slots } = plan.env;
    const own = field.own(atom);
    const relation = field.relation(atom, own);
    const { noneId, symbols, work } = field;
    const { subject, value } = atom;
    const subjectBound = bound.has(subject);
    // For a range the value column repeats the subject.
    const valueSlot = value < 0 ? subject : value;
    const valueBound = bound.has(valueSlot);
    const partner = valueBound || value < 0 ? -1 : takePartner(value, bound, equalities);
    const looked = valueBound ? valueSlot : partner;
    const plain = looked >= 0 && clause.subjectSlots.has(looked);

    return (next) => {
      // The row at which it paused, with what the loop needs beside it; -1 where it begins anew.
      let pausedAt = -1;
      let isCounted = false;
      let scanEnd = 0;
      plan.forget.push(() => {
        pausedAt = -1;
      });
      /** Goes on from one row; the slots it binds are set by the caller. */
      const enter = (row: number, from: number, to: number, rank: number): boolean => {
        // What is no more does not count: what was forgotten before would show in what a statement may look at.
        if (!relation.isSeen(row, plan.sees)) return false;
        if (++work.rows > work.bound) {
          work.pass(clause.rule.name);
          plan.isPaused = true;
          isCounted = false;
          return true;
        }
        isCounted = true;
        if (relation.windowed) {
          const rowFrom = relation.from(row);
          const rowTo = relation.to(row);
          if (rowFrom > from) from = rowFrom;
          if (rowTo < to) to = rowTo;
          if (from >= to) return false;
        }
        return next(from, to, own && relation.rankOf(row) > rank ? relation.rankOf(row) : rank);
      };
      /** Where the loop ends at a row: for good, or to begin there again. */
      const end = (row: number): true => {
        if (plan.isPaused) pausedAt = row;
        return true;
      };
      /** The row to begin at. One that was counted already is not counted twice. */
      const begin = (): number => {
        const row = pausedAt;
        pausedAt = -1;
        if (isCounted) work.rows--;
        return row;
      };
      if (looked >= 0 && subjectBound) {
        return (from, to, rank) => {
          const s = slots[subject]!;
          const id = slots[looked]!;
          if (id < 0 || s < 0) return false;
          const equal = plain ? id : symbols.equalityId(id);
          // NaN equals nothing, yet where this very value is asked for it is there.
          if (equal < 0 && !valueBound) return false;
          for (let row = pausedAt >= 0 ? begin() : relation.pairFirst(s, equal); row >= 0; row = relation.pairNext(row)) {
            if (relation.subjectOf(row) !== s || relation.equalOf(row) !== equal || relation.valueOf(row) === noneId) continue;
            if (valueBound) {
              if (relation.valueOf(row) !== id) continue;
            } else slots[value] = relation.valueOf(row);
            if (enter(row, from, to, rank)) return end(row);
          }
          return false;
        };
      }
      if (subjectBound) {
        return (from, to, rank) => {
          const s = slots[subject]!;
          if (s < 0) return false;
          const chains = relation.bySubject();
          for (let row = pausedAt >= 0 ? begin() : chains.heads.get(s); row >= 0; row = chains.next[row]!) {
            const v = relation.valueOf(row);
            if (v === noneId) continue;
            slots[value] = v;
            if (enter(row, from, to, rank)) return end(row);
          }
          return false;
        };
      }
      const sameSlot = subject === valueSlot && value >= 0;
      const scan: Step = (from, to, rank) => {
        if (pausedAt < 0) scanEnd = relation.rowsEnd;
        for (let row = pausedAt >= 0 ? begin() : 0; row < scanEnd; row++) {
          const v = relation.valueOf(row);
          if (v === noneId || (sameSlot && v !== relation.subjectOf(row)) || (valueBound && v !== slots[valueSlot])) continue;
          slots[subject] = relation.subjectOf(row);
          if (value >= 0) slots[value] = v;
          if (enter(row, from, to, rank)) return end(row);
        }
        return false;
      };
      if (looked >= 0 && !sameSlot) {
        return (from, to, rank) => {
          const id = slots[looked]!;
          if (id < 0) return false;
          const equal = plain ? id : symbols.equalityId(id);
          if (equal < 0) return valueBound && scan(from, to, rank);
          const chains = relation.byEqual();
          for (let row = pausedAt >= 0 ? begin() : chains.heads.get(equal); row >= 0; row = chains.next[row]!) {
            const v = relation.valueOf(row);
            if (v === noneId || (valueBound && v !== id)) continue;
            slots[subject] = relation.subjectOf(row);
            if (!valueBound) slots[value] = v;
            if (enter(row, from, to, rank)) return end(row);
          }
          return false;
        };
      }
      return scan;
    };
  }

  #probe(probe: Probe, bound: ReadonlySet<number>, next: Step): Step {
    switch (probe.tag) {
      case "absent":
        return this.#absent(probe.atom, next);
      case "optional":
        return this.#optional(probe.atom, next);
      case "none":
        return this.#generated(probe.part, bound, (whole, there) => minusSpans(whole, there), next);
      case "any":
        return this.#generated(probe.part, bound, (whole, there) => meetSpans(whole, there), next);
      case "fold":
        return this.#fold(probe, bound, next);
      case "claim":
        return this.#claim(probe, next);
      case "not_asserted":
        return this.#notAsserted(probe, next);
    }
  }

  /** Goes on in each of several spans. */
  #through(next: Step): (spans: Spans, rank: number) => boolean {
    const { plan } = this;
    let pausedAt = 0;
    plan.forget.push(() => {
      pausedAt = 0;
    });
    return (spans, rank) => {
      for (let i = pausedAt; i < spans.length; i += 2) {
        pausedAt = 0;
        if (next(spans[i]!, spans[i + 1]!, rank)) {
          if (plan.isPaused) pausedAt = i;
          return true;
        }
      }
      return false;
    };
  }

  #notAsserted(probe: Extract<Probe, { tag: "not_asserted" }>, next: Step): Step {
    const { slots } = this.plan.env;
    const through = this.#through(next);
    return (from, to, rank) => through(minusSpans([from, to], this.field.recordedSpans(probe.field, slots[probe.subject]!)), rank);
  }

  #absent(atom: Atom, next: Step): Step {
    const { plan } = this;
    const { slots } = plan.env;
    const relation = this.field.relation(atom, false);
    const { noneId } = this.field;
    const through = this.#through(next);
    return (from, to, rank) => {
      const subject = slots[atom.subject]!;
      if (relation.bySubject().heads.get(subject) < 0) return next(from, to, rank);
      const present = valueSpans(relation, subject, noneId, plan.sees);
      return present.length === 0 ? next(from, to, rank) : through(minusSpans([from, to], present), rank);
    };
  }

  #optional(atom: Atom, next: Step): Step {
    const { plan } = this;
    const { slots } = plan.env;
    const { noneId } = this.field;
    const relation = this.field.relation(atom, false);
    const through = this.#through(next);
    let pausedAt = -1;
    let isEmpty = false;
    plan.forget.push(() => {
      pausedAt = -1;
      isEmpty = false;
    });
    return (from, to, rank) => {
      const chains = relation.bySubject();
      const subject = slots[atom.subject]!;
      if (!isEmpty) {
        const first = pausedAt >= 0 ? pausedAt : chains.heads.get(subject);
        pausedAt = -1;
        for (let row = first; row >= 0; row = chains.next[row]!) {
          if (!relation.isSeen(row, plan.sees) || relation.valueOf(row) === noneId) continue;
          slots[atom.value] = relation.valueOf(row);
          const start = Math.max(from, relation.from(row));
          const end = Math.min(to, relation.to(row));
          if (start < end && next(start, end, rank)) {
            if (plan.isPaused) pausedAt = row;
            return true;
          }
        }
      }
      slots[atom.value] = -1;
      const ends = through(minusSpans([from, to], valueSpans(relation, subject, noneId, plan.sees)), rank);
      isEmpty = ends && plan.isPaused;
      return ends;
    };
  }

  /** Where a generator has a row, or where it has none. */
  #generated(part: Part, bound: ReadonlySet<number>, holds: (whole: Spans, there: Spans) => Spans, next: Step): Step {
    const { plan } = this;
    const through = this.#through(next);
    let gather: SpanGather | null = null;
    let there: Spans | null = null;
    let wholeFrom = 0;
    let wholeTo = 0;
    plan.forget.push(() => {
      gather = null;
      there = null;
    });
    const inner = this.chain(part, bound, null, (from, to) => {
      gather!.add(from, to);
      return gather!.covers(wholeFrom, wholeTo);
    });
    return (from, to, rank) => {
      if (there === null) {
        gather ??= new SpanGather();
        wholeFrom = from;
        wholeTo = to;
        inner(from, to, 0);
        if (plan.isPaused) return true;
        there = gather.spans();
        gather = null;
      }
      const ends = through(holds([from, to], there), rank);
      if (!plan.isPaused) there = null;
      return ends;
    };
  }

  #fold(probe: Extract<Probe, { tag: "fold" }>, bound: ReadonlySet<number>, next: Step): Step {
    const { env } = this.plan;
    const { calculus, work } = this.field;
    const groups = this.groups.get(probe) ?? null;
    const rows = new FoldRows(probe.row);
    const read = () => rowValue(probe, env);
    const value = () => calculus.counted(work, read);
    const inner = this.chain(probe.part, bound, null, (from, to) => {
      rows.add(env.slots, from, to, value);
      return false;
    });
    const { plan } = this;
    let isGathering = false;
    let pieces: FoldPiece[] | null = null;
    let pausedAt = 0;
    plan.forget.push(() => {
      isGathering = false;
      pieces = null;
      pausedAt = 0;
    });
    /** False where it has to go on. */
    const gather = (from: number, to: number): boolean => {
      if (!isGathering) rows.clear();
      inner(from, to, 0);
      isGathering = plan.isPaused;
      return !isGathering;
    };
    const afresh = (rank: number): boolean => {
      for (let i = pausedAt; i < pieces!.length; i++) {
        pausedAt = 0;
        const piece = pieces![i]!;
        env.temps[probe.temp] = piece.value;
        if (next(piece.from, piece.to, rank)) {
          if (plan.isPaused) pausedAt = i;
          else pieces = null;
          return true;
        }
      }
      pieces = null;
      return false;
    };
    if (groups === null) {
      return (from, to, rank) => {
        if (pieces === null) {
          if (!gather(from, to)) return true;
          pieces = calculus.counted(work, () => rows.pieces(probe.op, from, to, calculus));
        }
        return afresh(rank);
      };
    }
    return (from, to, rank) => {
      if (pieces !== null) return afresh(rank);
      let group = isGathering ? undefined : groups.find(env.slots);
      if (group === undefined || group.aggregate === null) {
        if (!gather(Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY)) return true;
        group ??= groups.keep(env.slots, rows.whole(probe.op, calculus));
      }
      if (group.aggregate === null) {
        pieces = calculus.counted(work, () => rows.pieces(probe.op, from, to, calculus));
        return afresh(rank);
      }
      if (!group.isValueKnown) {
        group.value = group.aggregate.value();
        group.isValueKnown = true;
      }
      env.temps[probe.temp] = group.value;
      return next(from, to, rank);
    };
  }

  #claim(probe: Extract<Probe, { tag: "claim" }>, next: Step): Step {
    const { plan } = this;
    const { slots, temps } = plan.env;
    let pausedAt = 0;
    plan.forget.push(() => {
      pausedAt = 0;
    });
    return (from, to, rank) => {
      const claims = this.field.claims(probe.field, slots[probe.subject]!);
      for (let i = pausedAt; i < claims.length; i++) {
        pausedAt = 0;
        const claim = claims[i]!;
        if (claim.value !== slots[probe.value]) continue;
        const start = Math.max(from, claim.from);
        const end = Math.min(to, claim.to);
        if (start >= end) continue;
        temps[probe.temps.trust] = claim.trust;
        temps[probe.temps.source] = claim.source;
        temps[probe.temps.valid_from] = claim.windowFrom === null ? undefined : new Datetime(claim.windowFrom);
        temps[probe.temps.valid_to] = claim.windowTo === null ? undefined : new Datetime(claim.windowTo);
        if (next(start, end, rank)) {
          if (plan.isPaused) pausedAt = i;
          return true;
        }
      }
      return false;
    };
  }
}

function fewBeside(smaller: number, larger: number): number {
  return Math.min(FEW_ROWS_MAX, Math.max(FEW_ROWS, larger / (2 * Math.max(1, smaller))));
}

/** What a row gives its fold. */
export function rowValue(probe: Extract<Probe, { tag: "fold" }>, env: Env): RowValue {
  // A cell of the match that is empty leaves the row without a value to fold.
  const { slots } = probe.of;
  for (let i = 0; i < slots.length; i++) if (env.slots[slots[i]!] === -1 && env.temps[slots[i]!] === undefined) return LEFT_OUT;
  return probe.of.run(env);
}

/** Where some value other than an asserted absence is in force at the cell. */
function valueSpans(relation: Relation, subject: number, noneId: number, sees: number): Spans {
  const chains = relation.bySubject();
  const pieces: number[] = [];
  for (let row = chains.heads.get(subject); row >= 0; row = chains.next[row]!) {
    if (relation.isSeen(row, sees) && relation.valueOf(row) !== noneId) pieces.push(relation.from(row), relation.to(row));
  }
  return normalSpans(pieces);
}

export function admits(admit: Admit, datum: Datum): boolean {
  if (admit === null) return true;
  if (admit.tag === "kind") return datum instanceof Subject && datum.kind === admit.kind;
  switch (admit.type) {
    case "any":
      return datum !== null;
    case "bool":
      return typeof datum === "boolean";
    case "int":
      return typeof datum === "number" || typeof datum === "bigint";
    case "string":
      return typeof datum === "string";
    default:
      return className(datum) === admit.type;
  }
}

function className(datum: Datum): string | null {
  if (datum === null || typeof datum !== "object") return null;
  const names: Record<string, string> = { Float: "real", Complex: "complex", Bytes: "blob", Datetime: "datetime", Duration: "duration" };
  return names[datum.constructor.name] ?? null;
}
