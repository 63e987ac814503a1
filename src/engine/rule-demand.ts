/**
 * Conclusions worked out on demand: only those that one answer rests on, over claims as somebody asks to see them.
 *
 * A read of a relation asks for what it looks up, by subject, by value or whole; what is recorded there is fetched, and
 * where rules conclude the look-up becomes a *goal* with that much bound, so that a bound head stays bound through
 * joins, folds and absences. A goal of a lower component is settled before the look-up goes on. A goal of the component
 * at work is noted and worked at in its turn; whoever asked is worked at again when it has grown. What grows is
 * monotone there, since everything else reads strictly lower (rulings, "Meaning of rules, recursion").
 *
 * Nothing is kept: one state serves one read.
 */
import { Subject } from "../datum";
import { Refusal } from "../failure";
import { KNOWN_FACTS_MAX, KNOWN_ROWS_MAX } from "../limits";
import type { Fact } from "./fact";
import type { FactSource, Symbols } from "./reasoner";
import { Relation } from "./relation";
import type { RowChains } from "./row-chains";
import type { Rule } from "./rule";
import type { RuleCalculus } from "./rule-calculus";
import type { Admit, Atom } from "./rule-clause";
import { admits } from "./rule-join";
import { componentsOf } from "./rule-order";
import type { ClausePlans, Conclude, Tail } from "./rule-plans";
import { RuleView } from "./rule-view";
import { RuleWork } from "./rule-work";
import { instantAfter, minusSpans, normalSpans } from "./spans";

/** Recorded claims, asked for piece by piece. */
export interface DemandSource extends FactSource {
  /** Subjects at which a recorded claim may give the value, and perhaps some more. */
  subjectsWith(field: number, value: number): Iterable<number>;
  /** Facts at the subject's own fields: they name it. */
  factsOf(kind: string, subject: number): Iterable<Fact>;
  /** Refuses where what rules concluded at the field is not known. Asked before the field is read. */
  admit(field: number): void;
}

interface Ask {
  subject(subject: number): void;
  equal(equal: number): void;
  all(): void;
}

/** A relation that is filled as it is read. */
class DemandRelation extends Relation {
  override readonly filledAsRead = true;
  readonly #ask: Ask;
  readonly #subjects: RowChains;
  readonly #equals: RowChains;

  constructor(ask: Ask) {
    super();
    this.#ask = ask;
    this.#subjects = asking(
      (key) => ask.subject(key),
      ask.all,
      () => super.bySubject(),
    );
    this.#equals = asking(
      (key) => ask.equal(key),
      ask.all,
      () => super.byEqual(),
    );
  }

  override get rowsEnd(): number {
    this.#ask.all();
    return super.rowsEnd;
  }
  override pairFirst(subject: number, equal: number): number {
    this.#ask.subject(subject);
    return super.pairFirst(subject, equal);
  }
  override bySubject(): RowChains {
    return this.#subjects;
  }
  override byEqual(): RowChains {
    return this.#equals;
  }

  /** Rows that are there already. */
  *standing(subject: number): Iterable<number> {
    const chains = super.bySubject();
    for (let row = chains.heads.get(subject); row >= 0; row = chains.next[row]!) yield row;
  }
  standingSubjects(): number[] {
    return [...super.bySubject().heads.keys()];
  }
  standingWith(equal: number): number[] {
    const chains = super.byEqual();
    const out = new Set<number>();
    for (let row = chains.heads.get(equal); row >= 0; row = chains.next[row]!) out.add(this.subjectOf(row));
    return [...out];
  }

  /** Rows of a goal that came after the row `last`, the newest first; with -1 all. */
  rowsAfter(last: number, { subject, value }: Goal): number[] {
    const rows: number[] = [];
    if (subject < 0 && value < 0) {
      for (let row = super.rowsEnd - 1; row > last; row--) rows.push(row);
      return rows;
    }
    const chains = subject >= 0 ? super.bySubject() : super.byEqual();
    for (let row = chains.heads.get(subject >= 0 ? subject : value); row !== last && row >= 0; row = chains.next[row]!) rows.push(row);
    return rows;
  }

  /** Adds what of the span is not derived yet; how many rows that made. */
  derive(subject: number, value: number, equal: number, from: number, to: number): number {
    let pieces: number[] = [];
    for (let row = super.pairFirst(subject, equal); row >= 0; row = this.pairNext(row)) {
      if (this.subjectOf(row) !== subject || this.valueOf(row) !== value || this.rankOf(row) === 0) continue;
      if (this.from(row) <= from && this.to(row) >= to) return 0;
      pieces.push(this.from(row), this.to(row));
    }
    pieces = [...minusSpans([from, to], normalSpans(pieces))];
    for (let i = 0; i < pieces.length; i += 2) this.add(subject, value, equal, pieces[i]!, pieces[i + 1]!, 1);
    return pieces.length / 2;
  }
}

function asking(ask: (key: number) => void, all: () => void, chains: () => RowChains): RowChains {
  return {
    heads: {
      get(key) {
        ask(key);
        return chains().heads.get(key);
      },
      keys() {
        all();
        return chains().heads.keys();
      },
    },
    get next() {
      return chains().next;
    },
  };
}

/** What of a field was fetched. */
interface Place {
  readonly raw: DemandRelation;
  readonly judged: DemandRelation | null;
  readonly component: Component | null;
  admitted: boolean;
  whole: boolean;
  readonly subjects: Set<number>;
  readonly values: Set<number>;
}

interface Component {
  readonly fields: ReadonlySet<number>;
  readonly rules: readonly Rule[];
  plans: ReadonlyMap<number, readonly ClausePlans[]> | null;
  readonly goals: Map<string, Goal>;
  /** Goals to work at, the last first: what was asked for last is mostly what the others wait for. */
  readonly open: Goal[];
  current: Goal | null;
}

/** Conclusions wanted at a field: at one subject, of one value, or all. */
interface Goal {
  readonly field: number;
  readonly subject: number;
  readonly value: number;
  readonly askedBy: Set<Goal>;
  isOpen: boolean;
}

/** The clauses of a field for one kind of goal. */
interface Split {
  /** Their one premise on the component reads the goal itself: they go on from each of its rows. */
  readonly linear: readonly { readonly plans: ClausePlans; readonly atom: Atom }[];
  readonly others: readonly ClausePlans[];
}

interface Tails {
  readonly tails: readonly Tail[];
  readonly others: readonly ClausePlans[];
}

export class DemandState extends RuleView {
  readonly #places = new Map<number, Place>();
  readonly #ranges = new Map<string, DemandRelation>();
  readonly #components = new Map<number, Component>();
  readonly #tails = new Map<number, Tails | null>();
  readonly #splits = new Map<string, Split>();
  #facts = 0;

  constructor(
    rules: readonly Rule[],
    symbols: Symbols,
    override readonly source: DemandSource,
    calculus: RuleCalculus,
    frame: { readonly from: number; readonly to: number },
  ) {
    super(rules, symbols, source, calculus, frame, new RuleWork(KNOWN_ROWS_MAX));
    for (const { fields, rules: mine } of componentsOf(rules)) {
      const ids = new Set(fields.map(({ kind, field }) => symbols.fieldId(kind, field)));
      const component: Component = { fields: ids, rules: mine, plans: null, goals: new Map(), open: [], current: null };
      for (const id of ids) this.#components.set(id, component);
    }
  }

  /** Subjects with a conclusion at the field in the frame. */
  derivedSubjects(field: number): number[] {
    if (this.rulesAt(field).length === 0) return [];
    const { raw } = this.#place(field);
    this.#askAll(field);
    return raw.standingSubjects().filter((subject) => [...raw.standing(subject)].some((row) => raw.rankOf(row) > 0));
  }

  /** Refuses as a read of the field does. */
  admit(field: number): void {
    const place = this.#place(field);
    if (place.admitted) return;
    place.admitted = true;
    this.source.admit(field);
  }

  concluding(field: number): readonly ClausePlans[] {
    const component = this.#components.get(field);
    return component === undefined ? [] : (this.#plans(component).get(field) ?? []);
  }

  componentOf(field: number): ReadonlySet<number> | undefined {
    return this.#components.get(field)?.fields;
  }

  protected relationsOf(field: number): Place {
    return this.#place(field);
  }

  protected rangeOf(kind: string): Relation {
    let range = this.#ranges.get(kind);
    if (range === undefined) {
      range = this.#makeRange(kind);
      this.#ranges.set(kind, range);
    }
    return range;
  }

  // ---- recorded facts -----------------------------------------------------------------------------------------

  #place(field: number): Place {
    const known = this.#places.get(field);
    if (known !== undefined) return known;
    const component = this.#components.get(field) ?? null;
    const type = component === null ? null : this.source.fieldType(field);
    const raw = new DemandRelation({
      subject: (subject) => this.#askSubject(field, subject),
      equal: (equal) => this.#askEqual(field, equal),
      all: () => this.#askAll(field),
    });
    const judged = type === null || type.many ? null : this.#makeJudged(field, raw);
    const place: Place = { raw, judged, component, admitted: false, whole: false, subjects: new Set(), values: new Set() };
    this.#places.set(field, place);
    return place;
  }

  #askSubject(field: number, subject: number): void {
    this.admit(field);
    const place = this.#place(field);
    this.#bring(place, field, subject);
    if (place.component !== null) this.#ask(place.component, field, subject, -1);
  }

  #askEqual(field: number, equal: number): void {
    const datum = this.symbols.datumOf(equal);
    // Only these equal nothing but themselves, so that the id names every value that could be meant.
    if (typeof datum !== "string" && !(datum instanceof Subject)) {
      this.#askAll(field);
      return;
    }
    this.admit(field);
    const place = this.#place(field);
    if (!place.whole && !place.values.has(equal)) {
      place.values.add(equal);
      for (const subject of this.source.subjectsWith(field, equal)) this.#bring(place, field, subject);
    }
    if (place.component !== null) this.#ask(place.component, field, -1, equal);
  }

  #askAll(field: number): void {
    this.admit(field);
    const place = this.#place(field);
    if (!place.whole) {
      for (const fact of this.source.scan(field)) if (!place.subjects.has(fact.subject)) this.#record(place.raw, fact);
      place.whole = true;
    }
    if (place.component !== null) this.#ask(place.component, field, -1, -1);
  }

  #bring(place: Place, field: number, subject: number): void {
    if (place.whole || place.subjects.has(subject)) return;
    place.subjects.add(subject);
    this.#spend();
    for (const fact of this.source.scanSubject(field, subject)) this.#record(place.raw, fact);
  }

  #record(raw: DemandRelation, { subject, value, from, to }: Fact): void {
    this.#spend();
    raw.add(subject, value, this.symbols.equalityId(value), from, to, 0);
  }

  #makeRange(kind: string): DemandRelation {
    const known = new Set<number>();
    let whole = false;
    const add = (subject: number, pieces: readonly number[]) => {
      if (known.has(subject)) return;
      known.add(subject);
      const spans = normalSpans(pieces);
      for (let i = 0; i < spans.length; i += 2) relation.add(subject, subject, subject, spans[i]!, spans[i + 1]!, 1);
    };
    const all = () => {
      if (whole) return;
      whole = true;
      const pieces = new Map<number, number[]>();
      const mention = (subject: number, from: number, to: number) => {
        const mine = pieces.get(subject);
        if (mine === undefined) pieces.set(subject, [from, to]);
        else mine.push(from, to);
      };
      for (const field of this.source.fieldsNaming(kind)) {
        const isOwn = this.symbols.fieldOf(field).kind === kind;
        for (const fact of this.source.scan(field)) {
          this.#spend();
          if (isOwn) mention(fact.subject, fact.from, fact.to);
          if (this.isOfKind(fact.value, kind)) mention(fact.value, fact.from, fact.to);
        }
      }
      for (const [subject, mine] of pieces) add(subject, mine);
    };
    const one = (subject: number) => {
      if (whole || known.has(subject)) return;
      const pieces: number[] = [];
      for (const { from, to } of this.#naming(kind, subject)) {
        this.#spend();
        pieces.push(from, to);
        if (minusSpans([this.frame.from, this.frame.to], normalSpans(pieces)).length === 0) break;
      }
      add(subject, pieces);
    };
    const relation = new DemandRelation({ subject: one, equal: one, all });
    return relation;
  }

  /** Facts that name the subject: its own fields' first, since mostly they are enough. */
  *#naming(kind: string, subject: number): Iterable<Fact> {
    yield* this.source.factsOf(kind, subject);
    for (const field of this.source.fieldsNaming(kind)) {
      for (const other of this.source.subjectsWith(field, subject)) {
        for (const fact of this.source.scanSubject(field, other)) if (fact.value === subject) yield fact;
      }
    }
  }

  #makeJudged(field: number, raw: DemandRelation): DemandRelation {
    const known = new Set<number>();
    const judge = (subject: number) => {
      if (known.has(subject)) return;
      known.add(subject);
      for (const { value, spans } of this.judgement(field, subject)) {
        const equal = this.symbols.equalityId(value);
        for (let i = 0; i < spans.length; i += 2) judged.derive(subject, value, equal, spans[i]!, spans[i + 1]!);
      }
    };
    const judged = new DemandRelation({
      subject: judge,
      equal: (equal) => {
        this.#askEqual(field, equal);
        for (const subject of raw.standingWith(equal)) judge(subject);
      },
      all: () => {
        this.#askAll(field);
        for (const subject of raw.standingSubjects()) judge(subject);
      },
    });
    return judged;
  }

  // ---- conclusions --------------------------------------------------------------------------------------------

  #plans(component: Component): ReadonlyMap<number, readonly ClausePlans[]> {
    if (component.plans !== null) return component.plans;
    const plans = new Map<number, ClausePlans[]>();
    for (const plan of component.rules.flatMap((rule) => this.plansOf(rule, component.fields, "once"))) {
      const mine = plans.get(plan.headField);
      if (mine === undefined) plans.set(plan.headField, [plan]);
      else mine.push(plan);
    }
    component.plans = plans;
    return plans;
  }

  #ask(component: Component, field: number, subject: number, value: number): void {
    const key = `${field},${subject},${value}`;
    let goal = component.goals.get(key);
    const fresh = goal === undefined;
    if (goal === undefined) {
      goal = { field, subject, value, askedBy: new Set(), isOpen: false };
      component.goals.set(key, goal);
    }
    // Whoever is at work in this component takes what there is, and is worked at again when there is more.
    if (component.current !== null) goal.askedBy.add(component.current);
    if (fresh) this.#open(component, goal);
    if (component.current === null && component.open.length > 0) this.#work(component);
  }

  #open(component: Component, goal: Goal): void {
    if (goal.isOpen) return;
    goal.isOpen = true;
    component.open.push(goal);
  }

  #work(component: Component): void {
    for (let goal = component.open.pop(); goal !== undefined; goal = component.open.pop()) {
      goal.isOpen = false;
      component.current = goal;
      this.#reach(component, goal);
    }
    component.current = null;
  }

  #reach(component: Component, goal: Goal): void {
    const { from, to } = this.frame;
    const conclude = this.#into(component, goal.field, null);
    const tails = goal.subject < 0 ? null : this.#tailsOf(component, goal.field);
    if (tails !== null) {
      this.#reachAlong(component, goal, tails);
      return;
    }
    const { linear, others } = this.#splitOf(component, goal);
    for (const plans of others) {
      if (goal.subject >= 0) plans.runAt(goal.subject, from, to, conclude);
      else if (goal.value >= 0) plans.runAtValue(goal.value, from, to, conclude);
      else plans.runWithin(from, to, conclude);
    }
    if (linear.length > 0) this.#growAlong(goal, linear, conclude);
  }

  /** A goal that reads only itself goes on from each row once: asked for again as a whole, a chain would cost its square. */
  #growAlong(goal: Goal, linear: Split["linear"], conclude: Conclude): void {
    const { raw } = this.#place(goal.field);
    const within: Conclude = (subject, value, from, to, rank) =>
      (goal.subject < 0 || subject === goal.subject) &&
      (goal.value < 0 || this.symbols.equalityId(value) === goal.value) &&
      conclude(subject, value, from, to, rank);
    let last = -1;
    for (let rows = raw.rowsAfter(last, goal); rows.length > 0; rows = raw.rowsAfter(last, goal)) {
      last = rows[0]!;
      for (const row of rows) {
        const from = Math.max(this.frame.from, raw.from(row));
        const to = Math.min(this.frame.to, raw.to(row));
        if (from >= to || raw.valueOf(row) === this.noneId) continue;
        for (const { plans, atom } of linear) plans.runFrom(atom, raw.subjectOf(row), raw.valueOf(row), from, to, 0, within);
      }
    }
  }

  #splitOf(component: Component, { field, subject, value }: Goal): Split {
    const side = subject >= 0 ? "subject" : value >= 0 ? "value" : "all";
    const key = `${field},${side}`;
    const known = this.#splits.get(key);
    if (known !== undefined) return known;
    const linear: { plans: ClausePlans; atom: Atom }[] = [];
    const others: ClausePlans[] = [];
    for (const plans of this.#plans(component).get(field) ?? []) {
      const own = plans.clause.atoms.filter(({ from }) => from.tag === "field" && component.fields.has(from.field));
      const [atom] = own;
      const isLinear =
        atom !== undefined &&
        own.length === 1 &&
        atom.from.tag === "field" &&
        atom.from.field === field &&
        atom.value >= 0 &&
        (side !== "subject" || atom.subject === plans.headSubject) &&
        (side !== "value" || atom.value === plans.headValueSlot);
      if (isLinear) linear.push({ plans, atom });
      else others.push(plans);
    }
    const split = { linear, others };
    this.#splits.set(key, split);
    return split;
  }

  /** Adds what is concluded, at `subject` where that is given. */
  #into(component: Component, field: number, given: { readonly subject: number; readonly admit: Admit } | null): Conclude {
    const { raw } = this.#place(field);
    return (concluded, value, start, end) => {
      const subject = given?.subject ?? concluded;
      if (given !== null && !admits(given.admit, this.symbols.datumOf(value))) return false;
      const equal = this.symbols.equalityId(value);
      const added = raw.derive(subject, value, equal, start, end);
      if (added > 0) {
        this.#spend(added);
        this.#grew(component, field, subject, equal);
      }
      return false;
    };
  }

  /**
   * Values that clauses pass on from subject to subject are gathered from all subjects along the way at once: asked for
   * subject by subject, a chain of a thousand would be half a million conclusions.
   */
  #reachAlong(component: Component, goal: Goal, { tails, others }: Tails): void {
    const { from, to } = this.frame;
    const place = this.#place(goal.field);
    const seen = new Set([goal.subject]);
    const waiting = [goal.subject];
    for (let subject = waiting.pop(); subject !== undefined; subject = waiting.pop()) {
      this.#spend();
      this.#bring(place, goal.field, subject);
      const given = subject === goal.subject ? null : { subject: goal.subject, admit: tails[0]!.admit };
      const conclude = this.#into(component, goal.field, given);
      if (given !== null) {
        for (const row of [...place.raw.standing(subject)]) {
          if (place.raw.rankOf(row) > 0 || place.raw.valueOf(row) === this.noneId) continue;
          const start = Math.max(from, place.raw.from(row));
          const end = Math.min(to, place.raw.to(row));
          if (start < end) conclude(goal.subject, place.raw.valueOf(row), start, end, 0);
        }
      }
      for (const plans of others) plans.runAt(subject, from, to, conclude);
      for (const tail of tails) {
        tail.next(subject, from, to, (next) => {
          if (seen.has(next)) return;
          seen.add(next);
          waiting.push(next);
        });
      }
    }
  }

  /** At one instant only, where a step along the way holds or does not; and where all steps let the same values pass. */
  #tailsOf(component: Component, field: number): Tails | null {
    if (this.frame.to !== instantAfter(this.frame.from)) return null;
    const known = this.#tails.get(field);
    if (known !== undefined) return known;
    const all = (this.#plans(component).get(field) ?? []).map((plans) => ({ plans, tail: plans.tail() }));
    const tails = all.flatMap(({ tail }) => tail ?? []);
    const others = all.flatMap(({ plans, tail }) => (tail === null ? [plans] : []));
    const same = new Set(tails.map(({ admit }) => JSON.stringify(admit))).size === 1;
    const result = same ? { tails, others } : null;
    this.#tails.set(field, result);
    return result;
  }

  /** Whoever asked for the new conclusion is worked at again. */
  #grew(component: Component, field: number, subject: number, equal: number): void {
    for (const key of [`${field},${subject},-1`, `${field},-1,${equal}`, `${field},-1,-1`]) {
      const goal = component.goals.get(key);
      if (goal !== undefined) for (const asker of goal.askedBy) this.#open(component, asker);
    }
  }

  #spend(count = 1): void {
    this.#facts += count;
    if (this.#facts > KNOWN_FACTS_MAX) {
      throw new Refusal(
        "limit_exceeded",
        `the answer rests on more than ${KNOWN_FACTS_MAX} facts: read it without \`known_at\``,
        "known_at",
      );
    }
  }
}
