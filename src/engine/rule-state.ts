/**
 * Derived facts of one set of rules, kept current stratum by stratum.
 *
 * A stratum without recursion is rule-flat.ts, one with it rule-recursive.ts; one that nothing below touched is passed
 * over. A declared single-valued field has a second relation, *judged*, which rules above it read.
 *
 * A batch ends with `settle` or is undone with `revert`. The face is reasoner.ts.
 */
import { Subject } from "../datum";
import { assert } from "../failure";
import type { FactChange } from "./fact";
import type { DerivedChange, FactSource, Symbols, TouchedCell } from "./reasoner";
import { Relation } from "./relation";
import type { Rule } from "./rule";
import type { RuleCalculus } from "./rule-calculus";
import { DerivedRows } from "./rule-derive";
import { type Feed, feedsOf, isTouched, NO_SUBJECTS } from "./rule-feed";
import { FlatStratum, type FlatWorld } from "./rule-flat";
import type { FoldGroups } from "./rule-group";
import { loadFacts, loadRange } from "./rule-load";
import { cellsNamed } from "./rule-mention";
import { componentsOf, cycleFault, type FieldName } from "./rule-order";
import type { ClausePlans } from "./rule-plans";
import { SubjectRange } from "./rule-range";
import { RecursiveStratum } from "./rule-recursive";
import {
  changedBetween,
  type Declared,
  declaredBy,
  kindsRangedOver,
  type Reach,
  reusableFields,
  type Standing,
  sameSubjects,
  typeKey,
} from "./rule-reuse";
import { type Relations, RuleView } from "./rule-view";
import { FACTS_PER_SLICE, type RuleWork, type Sliced, toTheEnd } from "./rule-work";
import { ALWAYS_SPANS, NEVER_SPANS, normalSpans, type Spans, sameSpans } from "./spans";

/** A component of the rules. What runs it is made when it is first needed: after a compile most strata stand as they stood. */
interface Stratum {
  readonly fields: ReadonlySet<number>;
  readonly rules: readonly Rule[];
  readonly recursive: boolean;
  reach: Reach;
  run: StratumRun | null;
}

interface StratumRun {
  /** Those that conclude at each of its fields. */
  readonly concluding: ReadonlyMap<number, readonly ClausePlans[]>;
  readonly feeds: readonly Feed[];
  readonly groups: readonly FoldGroups[];
  readonly work: FlatStratum | RecursiveStratum;
}

/** What a state's successor may take over. */
export interface Taken {
  readonly standing: Standing;
  readonly ranges: ReadonlyMap<string, SubjectRange>;
  readonly declared: Declared;
}

const NO_REACH: Reach = { fields: new Set(), kinds: new Set(), computed: new Set() };
const ALL_TIME = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };

export class RuleState extends RuleView {
  readonly #strata: Stratum[] = [];
  readonly #relations = new Map<number, Relations>();
  readonly #ranges = new Map<string, SubjectRange>();
  readonly #stratumAt = new Map<number, Stratum>();
  /** The type each relation's field had when its facts were read. */
  readonly #types = new Map<number, string>();
  /** What classes declared when facts were read: it decides which claims are facts, and whom they name. */
  readonly #declared: Declared;
  /** While the state is made: relations, and ranges, to take over when asked for. */
  #taken: ReadonlyMap<number, Relations> | null = null;
  #takenRanges: ReadonlyMap<string, SubjectRange> | null = null;
  readonly #rows: DerivedRows;
  /** What strata see of the state and of the batch under way. */
  readonly #batch: FlatWorld;
  #touched: readonly TouchedCell[] = [];
  /** Until the constructor is through. */
  #loading = true;

  /** Nothing is asked of it before `make` is through. */
  constructor(rules: readonly Rule[], symbols: Symbols, source: FactSource, calculus: RuleCalculus, work: RuleWork) {
    super(rules, symbols, source, calculus, ALL_TIME, work);
    this.#declared = declaredBy(source);
    this.#rows = new DerivedRows((value) => symbols.datumOf(value));
    this.#batch = {
      rows: this.#rows,
      noneId: this.noneId,
      touchedCells: () => this.#touched,
      subjectsAt: (field) => this.#subjectsAt(field),
      backedAt: (field) => this.#relations.get(field)?.raw.backed ?? NO_SUBJECTS,
      equalityId: (value) => symbols.equalityId(value),
      derivedPieces: (raw, subject) => this.derivedPieces(raw, subject),
    };
  }

  /**
   * Works out what the rules conclude from the facts there are. Once, before all else.
   * @param taken  Of the state before: what still serves is taken over, and the rest let go of.
   */
  *make(taken: Taken | null): Sliced<void> {
    const { rules, symbols } = this;
    this.work.begin();
    const fault = cycleFault(rules, () => null);
    assert(fault === null, "rules that close a forbidden cycle are refused before they are installed");
    const kept = taken === null ? new Set<number>() : this.#take(taken);
    for (const field of this.#fieldsNamed()) yield* this.#loadField(field);
    const anew: Stratum[] = [];
    for (const { fields: names, rules: mine, recursive } of componentsOf(rules)) {
      const fields = new Set(names.map((f) => symbols.fieldId(f.kind, f.field)));
      const [first] = fields;
      const reach = [...fields].every((field) => kept.has(field)) ? taken!.standing.reaches.get(first!) : undefined;
      const stratum: Stratum = { fields, rules: mine, recursive, reach: reach ?? NO_REACH, run: null };
      this.#strata.push(stratum);
      for (const field of fields) this.#stratumAt.set(field, stratum);
      if (reach === undefined) {
        anew.push(stratum);
        this.#runOf(stratum);
      }
      for (const kind of stratum.reach.kinds) this.#subjectRange(kind);
      for (const field of stratum.reach.computed) this.#rows.weigh(this.relationsOf(field).raw);
    }
    this.#rows.recount([...this.#relations.values()].map(({ raw }) => raw));
    for (const stratum of anew) {
      yield* this.#runOf(stratum).work.fill();
      for (const field of stratum.fields) yield* this.#judgeAll(field);
    }
    this.#loading = false;
    this.#taken = null;
    this.#takenRanges = null;
    for (const { raw, judged } of this.#relations.values()) {
      raw.loading = false;
      if (judged !== null) judged.loading = false;
    }
  }

  /** Fields of which the relation stands on. */
  #take({ standing, ranges, declared }: Taken): Set<number> {
    const { source, symbols } = this;
    const holds = ({ kind, field }: FieldName) => !isEmpty(source.scan(symbols.fieldId(kind, field)));
    // Changes of facts reached the ranges as they came; a class declared otherwise may make others of the claims there are.
    if (![...changedBetween(declared, this.#declared)].some(holds)) this.#takenRanges = ranges;
    const sameRange = (kind: string) => {
      const known = ranges.get(kind)?.relation;
      if (known === undefined) return false;
      const now = this.rangeOf(kind);
      return known === now || sameSubjects(known, now);
    };
    const kept = reusableFields(standing, this.rules, symbols, (id) => source.fieldType(id), sameRange);
    for (const field of standing.relations.keys()) if (!kept.has(field)) standing.relations.delete(field);
    this.#taken = standing.relations;
    return kept;
  }

  /** Every field that a rule reads or concludes at. */
  #fieldsNamed(): Set<number> {
    const fields = new Set<number>(this.derivedFields());
    for (const rule of this.rules) this.#addNamed(rule, fields);
    return fields;
  }

  #addNamed(rule: Rule, fields: Set<number>): void {
    for (const { kind, field } of cellsNamed(rule)) fields.add(this.symbols.fieldId(kind, field));
  }

  /** What the state of the next rules may take over. */
  standing(): Taken | null {
    // Under no rules nothing was kept current.
    if (this.rules.length === 0) return null;
    const reaches = new Map<number, Reach>();
    for (const { fields, reach } of this.#strata) for (const field of fields) reaches.set(field, reach);
    return {
      standing: { rules: this.rules, relations: new Map(this.#relations), types: this.#types, reaches },
      ranges: this.#ranges,
      declared: this.#declared,
    };
  }

  /** Lets go of what was loaded only to look at: nobody would keep it current. */
  looking<T>(work: () => T): T {
    const relations = new Set(this.#relations.keys());
    const ranges = new Set(this.#ranges.keys());
    try {
      return work();
    } finally {
      for (const field of this.#relations.keys()) if (!relations.has(field)) this.#relations.delete(field);
      for (const kind of this.#ranges.keys()) if (!ranges.has(kind)) this.#ranges.delete(kind);
    }
  }

  get derivedCount(): number {
    return this.#rows.total;
  }

  concluding(field: number): readonly ClausePlans[] {
    const stratum = this.#stratumAt.get(field);
    return stratum === undefined ? [] : this.#runOf(stratum).concluding.get(field)!;
  }

  componentOf(field: number): ReadonlySet<number> | undefined {
    return this.#stratumAt.get(field)?.fields;
  }

  /** Brings everything up to the changes; ends with the caller's `settle` or `revert`. */
  *change(changes: readonly FactChange[], touched: readonly TouchedCell[]): Sliced<void> {
    this.#touched = touched;
    this.work.begin();
    // What ceased first: a change of span is both.
    for (const change of changes) if (change.sign < 0) this.#recorded(change);
    for (const change of changes) if (change.sign > 0) this.#recorded(change);
    for (const range of this.#ranges.values()) range.refresh();
    for (const stratum of this.#strata) {
      if (!this.#isTouched(stratum)) continue;
      const { groups, work } = this.#runOf(stratum);
      for (const one of groups) yield* one.change();
      yield* work.keep();
      this.#judgeTouched(stratum);
    }
  }

  #isTouched(stratum: Stratum): boolean {
    if (stratum.run === null && !this.#isReached(stratum.reach)) return false;
    const { fields } = stratum;
    const { feeds } = this.#runOf(stratum);
    for (const feed of feeds) if (isTouched(feed, this.#batch)) return true;
    for (const field of fields) if (this.#relations.get(field)!.raw.touched.length > 0) return true;
    return this.#touched.some((cell) => fields.has(cell.field));
  }

  /** Something it names changed, or whom it ranges over. */
  #isReached({ fields, kinds }: Reach): boolean {
    for (const field of fields) {
      const { raw, judged } = this.#relations.get(field)!;
      if (raw.touched.length > 0 || (judged !== null && judged.touched.length > 0) || (raw.backed ?? NO_SUBJECTS).size > 0) return true;
    }
    for (const kind of kinds) if (this.#ranges.get(kind)!.relation.touched.length > 0) return true;
    return this.#touched.some((cell) => fields.has(cell.field));
  }

  derivedChanges(): DerivedChange[] {
    const out: DerivedChange[] = [];
    for (const [field, { raw }] of this.#relations) {
      for (const row of raw.touched) {
        if (!raw.isFirstChange(row)) continue;
        const subject = raw.subjectOf(row);
        const value = raw.valueOf(row);
        const before = raw.derivedSpans(subject, value, raw.equalOf(row), true);
        const after = raw.derivedSpans(subject, value, raw.equalOf(row), false);
        if (!sameSpans(before, after)) out.push({ field, subject, value, before, after });
      }
    }
    return out;
  }

  settle(): void {
    for (const { raw, judged } of this.#relations.values()) {
      raw.settle();
      judged?.settle();
    }
    for (const range of this.#ranges.values()) range.settle();
    for (const { run } of this.#strata) if (run !== null) for (const one of run.groups) one.settle();
  }

  revert(): void {
    for (const { raw, judged } of this.#relations.values()) {
      raw.revert();
      judged?.revert();
    }
    for (const range of this.#ranges.values()) range.revert();
    for (const { run } of this.#strata) if (run !== null) for (const one of run.groups) one.clear();
    this.#rows.recount([...this.#relations.values()].map(({ raw }) => raw));
  }

  /** Every (subject, value) concluded at a field, with its spans. */
  *derivedPairs(field: number): Iterable<{ subject: number; value: number; spans: Spans }> {
    const raw = this.#relations.get(field)?.raw;
    if (raw === undefined || this.rulesAt(field).length === 0) return;
    for (let row = 0; row < raw.rowsEnd; row++) {
      if (!raw.isFirstDerived(row)) continue;
      const subject = raw.subjectOf(row);
      const value = raw.valueOf(row);
      yield { subject, value, spans: raw.windowed ? raw.derivedSpans(subject, value, raw.equalOf(row), false) : ALWAYS_SPANS };
    }
  }

  *derivedSubjects(field: number): Iterable<number> {
    const raw = this.#relations.get(field)?.raw;
    if (raw === undefined || this.rulesAt(field).length === 0) return;
    const chains = raw.bySubject();
    for (const subject of chains.heads.keys()) {
      for (let row = chains.heads.get(subject); row >= 0; row = chains.next[row]!) {
        if (raw.rankOf(row) === 0 || !raw.isLive(row)) continue;
        yield subject;
        break;
      }
    }
  }

  /** Those of one of the values, once for each. */
  *derivedSubjectsOf(field: number, values: readonly number[]): Iterable<number> {
    const raw = this.#relations.get(field)?.raw;
    if (raw === undefined || this.rulesAt(field).length === 0) return;
    for (let row = 0; row < raw.rowsEnd; row++) {
      if (raw.rankOf(row) !== 0 && raw.isLive(row) && values.includes(raw.valueOf(row))) yield raw.subjectOf(row);
    }
  }

  /** Where a pair is concluded. */
  spansAt(field: number, subject: number, value: number): Spans {
    const raw = this.#relations.get(field)?.raw;
    return raw === undefined ? NEVER_SPANS : raw.derivedSpans(subject, value, this.symbols.equalityId(value), false);
  }

  /** The relations of a field, loaded with its recorded facts when first asked for. */
  protected relationsOf(field: number): Relations {
    const known = this.#relations.get(field);
    if (known !== undefined) return known;
    toTheEnd(this.#loadField(field));
    return this.#relations.get(field)!;
  }

  *#loadField(field: number): Sliced<void> {
    if (this.#relations.has(field)) return;
    this.#types.set(field, typeKey(this.source.fieldType(field)));
    const taken = this.#taken?.get(field);
    if (taken !== undefined) {
      this.#relations.set(field, taken);
      return;
    }
    const raw = new Relation();
    let count = 0;
    for (const _ of loadFacts(raw, this, field)) if (++count % FACTS_PER_SLICE === 0) yield;
    raw.loading = this.#loading;
    const type = this.rulesAt(field).length > 0 ? this.source.fieldType(field) : null;
    const made: Relations = { raw, judged: type === null || type.many ? null : new Relation() };
    if (made.judged !== null) made.judged.loading = this.#loading;
    this.#relations.set(field, made);
  }

  protected rangeOf(kind: string): Relation {
    return this.#subjectRange(kind).relation;
  }

  /** The relations of a field, if they are there. */
  standingRelations(field: number): Relations | undefined {
    return this.#relations.get(field);
  }

  standingRange(kind: string): Relation | undefined {
    return this.#ranges.get(kind)?.relation;
  }

  #subjectRange(kind: string): SubjectRange {
    const known = this.#ranges.get(kind) ?? this.#takenRanges?.get(kind);
    if (known !== undefined) {
      this.#ranges.set(kind, known);
      return known;
    }
    const range = new SubjectRange();
    this.#ranges.set(kind, range);
    toTheEnd(loadRange(range, this, kind, (field) => this.#relations.get(field)?.raw));
    return range;
  }

  #runOf(stratum: Stratum): StratumRun {
    stratum.run ??= this.#makeRun(stratum);
    return stratum.run;
  }

  #makeRun(stratum: Stratum): StratumRun {
    const { fields, rules, recursive } = stratum;
    const clauses = rules.flatMap((rule) => this.plansOf(rule, fields, "kept"));
    const named = new Set(fields);
    for (const rule of rules) this.#addNamed(rule, named);
    const kinds = new Set<string>();
    for (const { clause } of clauses) kindsRangedOver(clause, kinds);
    const computed = clauses.filter((plans) => plans.headValueSlot < 0).map((plans) => plans.headField);
    stratum.reach = { fields: named, kinds, computed: new Set(computed) };
    const feeds = feedsOf(clauses, (atom) => this.relationOf(atom, atom.from.tag === "field" && fields.has(atom.from.field)));
    const groups = clauses.flatMap((plans) => [...plans.groups.values()]);
    const places = [...fields].map((field) => ({ field, relation: this.relationsOf(field).raw }));
    // A relation that was taken over may be in the middle of a batch, and keeps what it noted.
    for (const { field, relation } of places) if (this.rulesAt(field).length > 1) relation.backed ??= new Set();
    // Claims are read of lower components, whose relations are there already.
    for (const { claims } of feeds) if (claims !== null) this.relationsOf(claims).raw.backed ??= new Set();
    const work = recursive
      ? new RecursiveStratum(this.#batch, places, clauses, feeds)
      : new FlatStratum(this.#batch, places[0]!.relation, clauses, feeds);
    const concluding = new Map([...fields].map((field) => [field, clauses.filter((plans) => plans.headField === field)]));
    return { concluding, feeds, groups, work };
  }

  // ---- recorded facts -----------------------------------------------------------------------------------------

  #recorded(change: FactChange): void {
    const { kind } = this.symbols.fieldOf(change.field);
    this.#ranges.get(kind)?.change(change.subject, change.from, change.to, change.sign);
    if (this.#ranges.size > 0) {
      const value = this.symbols.datumOf(change.value);
      if (value instanceof Subject) this.#ranges.get(value.kind)?.change(change.value, change.from, change.to, change.sign);
    }
    const raw = this.#relations.get(change.field)?.raw;
    if (raw === undefined) return;
    const equal = this.symbols.equalityId(change.value);
    if (change.sign > 0) {
      raw.add(change.subject, change.value, equal, change.from, change.to, 0);
      return;
    }
    for (let row = raw.pairFirst(change.subject, equal); row >= 0; row = raw.pairNext(row)) {
      if (raw.subjectOf(row) !== change.subject || raw.valueOf(row) !== change.value || raw.rankOf(row) !== 0) continue;
      if (!raw.isLive(row) || raw.from(row) !== change.from || raw.to(row) !== change.to) continue;
      raw.kill(row);
      return;
    }
    assert(false, "a fact that ceases had come to hold");
  }

  #subjectsAt(field: number): number[] {
    return [...this.relationsOf(field).raw.bySubject().heads.keys()];
  }

  // ---- judgement of declared single-valued derived fields -----------------------------------------------------

  #judgeTouched(stratum: Stratum): void {
    for (const field of stratum.fields) {
      const { raw, judged } = this.relationsOf(field);
      if (judged === null) continue;
      const subjects = new Set<number>();
      for (const row of raw.touched) subjects.add(raw.subjectOf(row));
      for (const subject of raw.backed ?? NO_SUBJECTS) subjects.add(subject);
      for (const cell of this.#touched) {
        if (cell.field !== field) continue;
        if (cell.subject !== null) subjects.add(cell.subject);
        else for (const subject of this.#subjectsAt(field)) subjects.add(subject);
      }
      for (const subject of subjects) this.#judge(field, judged, subject);
    }
  }

  *#judgeAll(field: number): Sliced<void> {
    const { judged } = this.relationsOf(field);
    if (judged === null) return;
    let count = 0;
    for (const subject of this.#subjectsAt(field)) {
      this.#judge(field, judged, subject);
      if (++count % FACTS_PER_SLICE === 0) yield;
    }
  }

  #judge(field: number, judged: Relation, subject: number): void {
    const after = new Map<number, number[]>();
    for (const { value, spans } of this.judgement(field, subject)) {
      const known = after.get(value);
      if (known === undefined) after.set(value, [...spans]);
      else known.push(...spans);
    }
    const before = this.derivedPieces(judged, subject);
    for (const [value, spans] of before) this.#rejudge(judged, subject, value, spans, normalSpans(after.get(value) ?? []));
    for (const [value, spans] of after) if (!before.has(value)) this.#rejudge(judged, subject, value, NEVER_SPANS, normalSpans(spans));
  }

  /** Judged rows all have rank 1, and are not derived claims of their own. */
  #rejudge(judged: Relation, subject: number, value: number, before: Spans, after: Spans): void {
    if (sameSpans(before, after)) return;
    const equal = this.symbols.equalityId(value);
    for (let row = judged.pairFirst(subject, equal); row >= 0; row = judged.pairNext(row)) {
      if (judged.subjectOf(row) === subject && judged.valueOf(row) === value) judged.kill(row);
    }
    for (let i = 0; i < after.length; i += 2) judged.add(subject, value, equal, after[i]!, after[i + 1]!, 1);
  }
}

function isEmpty(items: Iterable<unknown>): boolean {
  for (const _ of items) return false;
  return true;
}
