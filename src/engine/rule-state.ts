/**
 * Derived facts of one set of rules, kept current stratum by stratum.
 *
 * *Non-recursive stratum*: from the changes below find the conclusions they may touch, evaluate the rules for each
 * anew, keep the difference; right for negation, folds and windows alike.
 * *Recursive stratum*: rule-recursive.ts.
 * A declared single-valued field has a second relation, *judged*, which rules above it read.
 *
 * A batch ends with `settle` or is undone with `revert`. The face is reasoner.ts.
 */
import { assert } from "../failure";
import type { FactChange } from "./fact";
import type { DerivedChange, FactSource, Symbols, TouchedCell } from "./reasoner";
import { Relation, ROW_DYING, ROW_NEWBORN } from "./relation";
import type { Rule } from "./rule";
import type { RuleCalculus } from "./rule-calculus";
import { DerivedRows } from "./rule-derive";
import type { FoldGroups } from "./rule-group";
import { componentsOf, cycleFault } from "./rule-order";
import type { ClausePlans } from "./rule-plans";
import { SubjectRange } from "./rule-range";
import type { Source } from "./rule-reads";
import { RecursiveStratum } from "./rule-recursive";
import { kindsRangedOver, reusableFields, type Standing, sameSubjects, typeKey } from "./rule-reuse";
import { gatherInto, NO_RANK, type Relations, RuleView } from "./rule-view";
import { ALWAYS_SPANS, instantAfter, NEVER_SPANS, normalSpans, SpanGather, type Spans, sameSpans } from "./spans";

interface Stratum {
  readonly fields: ReadonlySet<number>;
  readonly recursive: RecursiveStratum | null;
  readonly clauses: readonly ClausePlans[];
}

const ALL_TIME = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };

export class RuleState extends RuleView {
  readonly #strata: Stratum[] = [];
  readonly #relations = new Map<number, Relations>();
  readonly #ranges = new Map<string, SubjectRange>();
  readonly #concluding = new Map<number, ClausePlans[]>();
  /** The type each relation's field had when its facts were read. */
  readonly #types = new Map<number, string>();
  /** While the state is made: relations to take over when asked for. */
  #taken: ReadonlyMap<number, Relations> | null = null;
  readonly #rows: DerivedRows;
  #touched: readonly TouchedCell[] = [];
  /** Until the constructor is through. */
  #loading = true;

  /** @param standing  Of the state before: what still serves is taken over, and the rest let go of. */
  constructor(
    rules: readonly Rule[],
    symbols: Symbols,
    source: FactSource,
    calculus: RuleCalculus,
    rowsMax: number,
    standing: Standing | null = null,
    ranges: ReadonlyMap<string, SubjectRange> | null = null,
  ) {
    super(rules, symbols, source, calculus, ALL_TIME, rowsMax);
    const kept = new Set<number>();
    if (standing !== null) {
      const sameRange = (kind: string) => {
        const known = ranges?.get(kind)?.relation;
        return known !== undefined && sameSubjects(known, this.rangeOf(kind));
      };
      for (const field of reusableFields(standing, rules, symbols, (id) => source.fieldType(id), sameRange)) kept.add(field);
      for (const field of standing.relations.keys()) if (!kept.has(field)) standing.relations.delete(field);
      this.#taken = standing.relations;
    }
    this.#rows = new DerivedRows((value) => symbols.datumOf(value));
    const fault = cycleFault(rules, () => null);
    assert(fault === null, "rules that close a forbidden cycle are refused before they are installed");
    for (const field of this.derivedFields()) this.relationsOf(field);
    for (const component of componentsOf(rules)) {
      const fields = new Set(component.fields.map((f) => symbols.fieldId(f.kind, f.field)));
      const plans = component.rules.flatMap((rule) => this.plansOf(rule, fields, "kept"));
      for (const plan of plans) {
        const known = this.#concluding.get(plan.headField);
        if (plan.headValueSlot < 0) this.#rows.weigh(this.relationsOf(plan.headField).raw);
        if (known === undefined) this.#concluding.set(plan.headField, [plan]);
        else known.push(plan);
      }
      this.#strata.push({ fields, recursive: component.recursive ? this.#recursive(fields, plans) : null, clauses: plans });
    }
    this.#rows.recount([...this.#relations.values()].map(({ raw }) => raw));
    for (const stratum of this.#strata) if (![...stratum.fields].every((field) => kept.has(field))) this.#fill(stratum);
    this.#loading = false;
    this.#taken = null;
    for (const { raw, judged } of this.#relations.values()) {
      raw.loading = false;
      if (judged !== null) judged.loading = false;
    }
  }

  /** What the state of the next rules may take over. */
  standing(): { standing: Standing; ranges: ReadonlyMap<string, SubjectRange> } | null {
    // Under no rules nothing was kept current.
    if (this.rules.length === 0) return null;
    const rangedOver = new Map<number, ReadonlySet<string>>();
    for (const { fields, clauses } of this.#strata) {
      const kinds = new Set<string>();
      for (const { clause } of clauses) kindsRangedOver(clause, kinds);
      for (const field of fields) rangedOver.set(field, kinds);
    }
    return { standing: { rules: this.rules, relations: new Map(this.#relations), types: this.#types, rangedOver }, ranges: this.#ranges };
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

  /** Every match at the instant of a rule that is not installed: its subject and its value. */
  matches(rule: Rule, at: number, visit: (subject: number, value: number) => void): void {
    this.looking(() => {
      for (const plans of this.plansOf(rule, new Set(), "once")) {
        plans.runWithin(at, instantAfter(at), (subject, value) => {
          visit(subject, value);
          return false;
        });
      }
    });
  }

  /** Names of the rules of which some match concludes nothing at the instant, though its premises hold (contract §9.6, `declined`). */
  declined(at: number): Set<string> {
    const names = new Set<string>();
    for (const [field, all] of this.#concluding) {
      const type = this.source.fieldType(field);
      for (const plans of all) {
        const { clause, rule } = plans;
        const folds = clause.probes.some((probe) => probe.tag === "fold");
        if (names.has(rule.name) || (!folds && clause.head.value === null && type === null)) continue;
        if (plans.declines(at, instantAfter(at))) names.add(rule.name);
      }
    }
    return names;
  }

  get derivedCount(): number {
    return this.#rows.total;
  }

  rawRelation(field: number): Relation | null {
    return this.#relations.get(field)?.raw ?? null;
  }

  get strata(): readonly Stratum[] {
    return this.#strata;
  }

  concluding(field: number): readonly ClausePlans[] {
    return this.#concluding.get(field) ?? [];
  }

  protected componentOf(field: number): ReadonlySet<number> | undefined {
    return this.#strata.find((stratum) => stratum.fields.has(field))?.fields;
  }

  /** Brings everything up to the changes; ends with the caller's `settle` or `revert`. */
  change(changes: readonly FactChange[], touched: readonly TouchedCell[]): void {
    this.#touched = touched;
    this.work.rows = 0;
    // What ceased first: a change of span is both.
    for (const change of changes) if (change.sign < 0) this.#recorded(change);
    for (const change of changes) if (change.sign > 0) this.#recorded(change);
    for (const range of this.#ranges.values()) range.refresh();
    for (const stratum of this.#strata) {
      this.#changeGroups(stratum);
      if (stratum.recursive !== null) stratum.recursive.keep();
      else this.#keepFlat(stratum);
      this.#judgeTouched(stratum);
    }
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
    for (const groups of this.#groups()) groups.settle();
  }

  revert(): void {
    for (const { raw, judged } of this.#relations.values()) {
      raw.revert();
      judged?.revert();
    }
    for (const range of this.#ranges.values()) range.revert();
    for (const groups of this.#groups()) groups.clear();
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

  /** Where a pair is concluded. */
  spansAt(field: number, subject: number, value: number): Spans {
    const raw = this.#relations.get(field)?.raw;
    return raw === undefined ? NEVER_SPANS : raw.derivedSpans(subject, value, this.symbols.equalityId(value), false);
  }

  /** The relations of a field, loaded with its recorded facts when first asked for. */
  protected relationsOf(field: number): Relations {
    const known = this.#relations.get(field);
    if (known !== undefined) return known;
    this.#types.set(field, typeKey(this.source.fieldType(field)));
    const taken = this.#taken?.get(field);
    if (taken !== undefined) {
      this.#relations.set(field, taken);
      return taken;
    }
    const raw = new Relation();
    for (const fact of this.source.scan(field))
      raw.add(fact.subject, fact.value, this.symbols.equalityId(fact.value), fact.from, fact.to, 0);
    raw.loading = this.#loading;
    const type = this.rulesAt(field).length > 0 ? this.source.fieldType(field) : null;
    const made: Relations = { raw, judged: type === null || type.many ? null : new Relation() };
    if (made.judged !== null) made.judged.loading = this.#loading;
    this.#relations.set(field, made);
    return made;
  }

  protected rangeOf(kind: string): Relation {
    return this.#subjectRange(kind).relation;
  }

  #subjectRange(kind: string): SubjectRange {
    const known = this.#ranges.get(kind);
    if (known !== undefined) return known;
    const range = new SubjectRange();
    this.#ranges.set(kind, range);
    for (const fact of this.source.scanMentions(kind)) {
      if (this.symbols.fieldOf(fact.field).kind === kind) range.load(fact.subject, fact.from, fact.to);
      if (this.isOfKind(fact.value, kind)) range.load(fact.value, fact.from, fact.to);
    }
    range.refresh();
    range.relation.loading = false;
    return range;
  }

  #recursive(fields: ReadonlySet<number>, clauses: readonly ClausePlans[]): RecursiveStratum {
    return new RecursiveStratum(
      {
        rows: this.#rows,
        noneId: this.noneId,
        relation: (atom, own) => this.relationOf(atom, own),
        equalityId: (value) => this.symbols.equalityId(value),
        detectChanges: (plans, source, state) => this.#detectChanges(fields, plans, source, state),
      },
      [...fields].map((field) => ({ field, relation: this.relationsOf(field).raw })),
      clauses,
    );
  }

  // ---- recorded facts -----------------------------------------------------------------------------------------

  #recorded(change: FactChange): void {
    for (const [kind, range] of this.#ranges) {
      if (this.symbols.fieldOf(change.field).kind === kind) range.change(change.subject, change.from, change.to, change.sign);
      if (this.isOfKind(change.value, kind)) range.change(change.value, change.from, change.to, change.sign);
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

  // ---- deriving -----------------------------------------------------------------------------------------------

  #fill(stratum: Stratum): void {
    if (stratum.recursive !== null) stratum.recursive.fill();
    else {
      const nothing = () => {};
      for (const plans of stratum.clauses) {
        const { raw } = this.relationsOf(plans.headField);
        plans.runAll((subject, value, from, to) => {
          this.#rows.derive(raw, subject, value, this.symbols.equalityId(value), from, to, 1, nothing);
          return false;
        });
      }
    }
    for (const field of stratum.fields) this.#judgeAll(field);
  }

  *#groups(): Iterable<FoldGroups> {
    for (const { clauses } of this.#strata) for (const plans of clauses) yield* plans.groups.values();
  }

  #changeGroups(stratum: Stratum): void {
    for (const plans of stratum.clauses) {
      for (const groups of plans.groups.values()) {
        groups.change((source, visit) => this.#touchedRows(stratum.fields, source, "all", visit));
      }
    }
  }

  /** Every row that came or went at a source in this batch; `state`: only those that went. */
  #touchedRows(
    fields: ReadonlySet<number>,
    { atom }: Source,
    state: "all" | typeof ROW_DYING,
    visit: (relation: Relation, row: number) => void,
  ): void {
    if (atom.value < 0 && atom.from.tag !== "range") return;
    const relation = this.relationOf(atom, atom.from.tag === "field" && fields.has(atom.from.field));
    const { touched } = relation;
    for (let i = 0; i < touched.length; i++) {
      const row = touched[i]!;
      const now = relation.stateOf(row);
      if (now !== ROW_DYING && (state === ROW_DYING || now !== ROW_NEWBORN)) continue;
      if (relation.valueOf(row) !== this.noneId) visit(relation, row);
    }
  }

  /** Calls `detect` for every change at a source since the batch began. */
  #detectChanges(fields: ReadonlySet<number>, plans: ClausePlans, source: Source, state: "all" | typeof ROW_DYING): void {
    const { atom } = source;
    this.#touchedRows(fields, source, state, (relation, row) => {
      plans.detect(source, relation.subjectOf(row), relation.valueOf(row), relation.from(row), relation.to(row));
    });
    if (!source.byCell || atom.from.tag !== "field") return;
    for (const cell of this.#touched) {
      if (cell.field !== atom.from.field) continue;
      for (const subject of cell.subject === null ? this.#subjectsAt(cell.field) : [cell.subject]) {
        plans.detect(source, subject, -1, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY);
      }
    }
  }

  #subjectsAt(field: number): number[] {
    return [...this.relationsOf(field).raw.bySubject().heads.keys()];
  }

  #keepFlat(stratum: Stratum): void {
    const [field] = stratum.fields;
    const { raw } = this.relationsOf(field!);
    /** By subject: the values to look at, or null for all. */
    const affected = new Map<number, Set<number> | null>();
    for (const plans of stratum.clauses) {
      plans.detected = (subject, value) => {
        const known = affected.get(subject);
        if (value < 0) affected.set(subject, null);
        else if (known === undefined) affected.set(subject, new Set([value]));
        else known?.add(value);
      };
      for (const source of plans.sources) this.#detectChanges(stratum.fields, plans, source, source.positive ? ROW_DYING : "all");
    }
    for (const [subject, values] of affected) {
      if (values === null) this.#setAll(raw, stratum, subject);
      else for (const value of values) this.#setOne(raw, stratum, subject, value);
    }
    this.#addMatches(raw, stratum);
  }

  /** What new rows of positive atoms give can only be more. */
  #addMatches(raw: Relation, stratum: Stratum): void {
    const nothing = () => {};
    for (const plans of stratum.clauses) {
      for (const source of plans.sources) {
        if (!source.positive) continue;
        const relation = this.relationOf(source.atom, false);
        for (const row of relation.touched) {
          if (relation.stateOf(row) !== ROW_NEWBORN || relation.valueOf(row) === this.noneId) continue;
          plans.runFrom(
            source.atom,
            relation.subjectOf(row),
            relation.valueOf(row),
            relation.from(row),
            relation.to(row),
            0,
            (subject, value, from, to) => {
              this.#rows.derive(
                raw,
                subject,
                value,
                plans.concludesSubjects ? value : this.symbols.equalityId(value),
                from,
                to,
                1,
                nothing,
              );
              return false;
            },
          );
        }
      }
    }
  }

  #setAll(raw: Relation, stratum: Stratum, subject: number): void {
    const gathered = new Map<number, SpanGather>();
    for (const plans of stratum.clauses) {
      plans.runAt(subject, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY, NO_RANK, gatherInto(gathered));
    }
    const before = this.derivedPieces(raw, subject);
    for (const [value, spans] of before) this.#replace(raw, subject, value, spans, gathered.get(value)?.spans() ?? NEVER_SPANS);
    for (const [value, gather] of gathered) if (!before.has(value)) this.#replace(raw, subject, value, NEVER_SPANS, gather.spans());
  }

  #setOne(raw: Relation, stratum: Stratum, subject: number, value: number): void {
    const gather = new SpanGather();
    for (const plans of stratum.clauses) {
      plans.runFor(subject, value, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY, NO_RANK, (_s, _v, from, to) => {
        gather.add(from, to);
        return gather.covers(Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY);
      });
    }
    this.#replace(raw, subject, value, raw.derivedSpans(subject, value, this.symbols.equalityId(value), false), gather.spans());
  }

  #replace(raw: Relation, subject: number, value: number, before: Spans, after: Spans): void {
    if (sameSpans(before, after)) return;
    const equal = this.symbols.equalityId(value);
    for (let row = raw.pairFirst(subject, equal); row >= 0; row = raw.pairNext(row)) {
      if (raw.subjectOf(row) === subject && raw.valueOf(row) === value && raw.rankOf(row) > 0) this.#rows.kill(raw, row);
    }
    for (let i = 0; i < after.length; i += 2) {
      this.#rows.add(raw, subject, value, equal, after[i]!, after[i + 1]!, 1);
    }
  }

  // ---- judgement of declared single-valued derived fields -----------------------------------------------------

  #judgeTouched(stratum: Stratum): void {
    for (const field of stratum.fields) {
      const { raw, judged } = this.relationsOf(field);
      if (judged === null) continue;
      const subjects = new Set<number>();
      for (const row of raw.touched) subjects.add(raw.subjectOf(row));
      for (const cell of this.#touched) {
        if (cell.field !== field) continue;
        if (cell.subject !== null) subjects.add(cell.subject);
        else for (const subject of this.#subjectsAt(field)) subjects.add(subject);
      }
      for (const subject of subjects) this.#judge(field, judged, subject);
    }
  }

  #judgeAll(field: number): void {
    const { judged } = this.relationsOf(field);
    if (judged !== null) for (const subject of this.#subjectsAt(field)) this.#judge(field, judged, subject);
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
