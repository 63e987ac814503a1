/**
 * What every evaluation of a set of rules shares, whether it keeps all conclusions current (rule-state.ts) or works
 * out those one answer rests on (rule-demand.ts): which clauses conclude where, what their plans read, who is in force
 * where several conclude.
 *
 * Knows nothing of where facts come from: a subclass gives the relations.
 */
import { Subject } from "../datum";
import { Refusal } from "../failure";
import type { FieldType } from "./claim";
import type { DerivedFact, FactSource, Symbols } from "./reasoner";
import type { Relation } from "./relation";
import type { Generator, Rule } from "./rule";
import type { RuleCalculus } from "./rule-calculus";
import { type Atom, clausesOf, type Part } from "./rule-clause";
import { MeasuredCalculus } from "./rule-effort";
import type { Field, ReadClaim } from "./rule-join";
import { namedFields } from "./rule-named";
import { readingsOf } from "./rule-order";
import { type Accept, ClausePlans, type Conclude } from "./rule-plans";
import type { RuleWork } from "./rule-work";
import { holdsAt, minusSpans, NEVER_SPANS, normalSpans, SpanGather, type Spans } from "./spans";
import { valueForField } from "./typed-value";
import { compareDatums, compareText } from "./value-order";

export interface Relations {
  readonly raw: Relation;
  /** Of a declared single-valued derived field. */
  readonly judged: Relation | null;
}

export abstract class RuleView {
  readonly noneId: number;
  readonly calculus: MeasuredCalculus;
  readonly #provers = new Map<number, readonly ClausePlans[]>();
  readonly #rulesAt = new Map<number, Rule[]>();
  readonly #named: ReadonlySet<number>;

  constructor(
    readonly rules: readonly Rule[],
    readonly symbols: Symbols,
    readonly source: FactSource,
    calculus: RuleCalculus,
    /** Conclusions are worked out in here, `[from, to)`. */
    readonly frame: { readonly from: number; readonly to: number },
    readonly work: RuleWork,
  ) {
    this.calculus = new MeasuredCalculus(calculus);
    this.noneId = symbols.datumId(null);
    for (const rule of rules) {
      const field = symbols.fieldId(rule.conclusion.cell.kind, rule.conclusion.cell.field);
      const known = this.#rulesAt.get(field);
      if (known === undefined) this.#rulesAt.set(field, [rule]);
      else known.push(rule);
    }
    for (const mine of this.#rulesAt.values()) mine.sort((a, b) => compareText(a.name, b.name));
    this.#named = namedFields(rules, (kind, field) => symbols.fieldId(kind, field));
  }

  /** The relations of a field. */
  protected abstract relationsOf(field: number): Relations;
  /** The subjects of a Kind that recorded claims in force name. */
  protected abstract rangeOf(kind: string): Relation;
  abstract concluding(field: number): readonly ClausePlans[];
  /** Fields of the component that concludes at the field; undefined where no rule does. */
  abstract componentOf(field: number): ReadonlySet<number> | undefined;

  /** Fields of the component that concludes at the field; none where no rule does. */
  componentFields(field: number): Iterable<number> {
    return this.componentOf(field) ?? [];
  }

  // ---- what is in force at an instant, for reasons ----

  /** Values that a premise reads at a cell, by value order. `own`: read within the component, where nothing is judged. */
  valuesAt(field: number, subject: number, own: boolean, at: number): number[] {
    const relation = this.#readRelation(field, own);
    const chains = relation.bySubject();
    const values = new Set<number>();
    for (let row = chains.heads.get(subject); row >= 0; row = chains.next[row]!) {
      if (relation.isLive(row) && relation.valueOf(row) !== this.noneId && relation.from(row) <= at && at < relation.to(row)) {
        values.add(relation.valueOf(row));
      }
    }
    return values.size > 1 ? [...values].sort((a, b) => compareDatums(this.symbols.datumOf(a), this.symbols.datumOf(b))) : [...values];
  }

  /** Subjects with a value at a field, by name; with `equal` only those with a value equal to it. At most `max`. */
  subjectsAt(field: number, own: boolean, at: number, equal: number | null, max: number): number[] {
    const relation = this.#readRelation(field, own);
    const found = new Set<number>();
    const take = (row: number) => {
      if (!relation.isLive(row) || relation.valueOf(row) === this.noneId || relation.from(row) > at || at >= relation.to(row)) return;
      found.add(relation.subjectOf(row));
    };
    if (equal === null) for (let row = 0, end = relation.rowsEnd; row < end; row++) take(row);
    else {
      const chains = relation.byEqual();
      for (let row = chains.heads.get(equal); row >= 0; row = chains.next[row]!) take(row);
    }
    return this.#byName(found).slice(0, max);
  }

  /** Subjects of a Kind that recorded claims in force name. */
  rangeAt(kind: string, at: number, max: number): number[] {
    const relation = this.rangeOf(kind);
    const found = new Set<number>();
    for (let row = 0, end = relation.rowsEnd; row < end; row++) {
      if (relation.isLive(row) && relation.from(row) <= at && at < relation.to(row)) found.add(relation.subjectOf(row));
    }
    return this.#byName(found).slice(0, max);
  }

  isNamedAt(kind: string, subject: number, at: number): boolean {
    const relation = this.rangeOf(kind);
    for (let row = relation.pairFirst(subject, subject); row >= 0; row = relation.pairNext(row)) {
      if (relation.subjectOf(row) === subject && relation.isLive(row) && relation.from(row) <= at && at < relation.to(row)) return true;
    }
    return false;
  }

  claimsAt(field: number, subject: number, at: number): ReadClaim[] {
    return this.#claims(field, subject).filter((claim) => claim.from <= at && at < claim.to);
  }

  /** The value as the field would hold it; -1 where it cannot. */
  acceptable(rule: Rule, value: number): number {
    const { kind, field } = rule.conclusion.cell;
    return this.#held(value, this.source.fieldType(this.symbols.fieldId(kind, field)), { kind, subject: "", field });
  }

  #readRelation(field: number, own: boolean): Relation {
    const { raw, judged } = this.relationsOf(field);
    return own || judged === null ? raw : judged;
  }

  #byName(subjects: Iterable<number>): number[] {
    const { symbols } = this;
    return [...subjects].sort((a, b) => compareDatums(symbols.datumOf(a), symbols.datumOf(b)));
  }

  derivedFields(): Iterable<number> {
    return this.#rulesAt.keys();
  }

  /** `use`: `proofs` writes every `any` out; `kept` keeps the groups of folds, and is told of every change below. */
  protected plansOf(rule: Rule, component: ReadonlySet<number>, use: "proofs" | "kept" | "once"): ClausePlans[] {
    const readsOwn = (over: Generator) =>
      readingsOf({ premises: over.conditions }).some(({ kind, field }) => component.has(this.symbols.fieldId(kind, field)));
    const face = this.#fieldFace(component);
    return clausesOf(rule, this.symbols, this.calculus, (over) => use === "proofs" || readsOwn(over)).map((clause) => {
      this.#dropImpliedRanges(clause);
      this.#provide(clause.atoms, clause.probes);
      return new ClausePlans(face, clause, this.#accept(rule, clause.head.valueSlot), use === "kept");
    });
  }

  /** A read asks the rules too, and has bounds of its own. */
  startWork(): void {
    this.work.begin();
  }

  /** Clauses that conclude at a field with every `any` written out, so that a match names its witness. */
  provers(field: number): readonly ClausePlans[] {
    let known = this.#provers.get(field);
    if (known === undefined) {
      const component = this.componentOf(field) ?? new Set<number>();
      known = this.rulesAt(field).flatMap((rule) => this.plansOf(rule, component, "proofs"));
      this.#provers.set(field, known);
    }
    return known;
  }

  rulesAt(field: number): readonly Rule[] {
    return this.#rulesAt.get(field) ?? [];
  }

  /** Derived claims of a cell: per rule and value, maximal windows; by rule name, then value order, then window. */
  derivedAt(field: number, subject: number): DerivedFact[] {
    const rules = this.#rulesAt.get(field);
    if (rules === undefined) return [];
    const { raw } = this.relationsOf(field);
    const out: DerivedFact[] = [];
    const there = this.derivedPieces(raw, subject);
    if (there.size === 0) return [];
    for (const rule of rules) {
      const mine = rules.length === 1 ? there : this.#concludedBy(rule, field, subject);
      const values = [...mine].sort(([a], [b]) => compareDatums(this.symbols.datumOf(a), this.symbols.datumOf(b)));
      for (const [value, spans] of values) {
        for (let i = 0; i < spans.length; i += 2) out.push({ field, subject, value, from: spans[i]!, to: spans[i + 1]!, rule: rule.name });
      }
    }
    return out;
  }

  /** Where a rule concludes a value at a subject. */
  concludedSpans(rule: string, field: number, subject: number, value: number): Spans {
    const gather = new SpanGather();
    for (const plans of this.concluding(field)) {
      if (plans.rule.name !== rule) continue;
      const add: Conclude = (_subject, _value, from, to) => {
        gather.add(from, to);
        return false;
      };
      this.work.uncut(() => plans.runFor(subject, value, this.frame.from, this.frame.to, add));
    }
    return gather.spans();
  }

  #concludedBy(rule: Rule, field: number, subject: number): Map<number, Spans> {
    const gathered = new Map<number, SpanGather>();
    for (const plans of this.concluding(field)) {
      if (plans.rule !== rule) continue;
      this.work.uncut(() => plans.runAt(subject, this.frame.from, this.frame.to, gatherInto(gathered)));
    }
    return new Map([...gathered].map(([value, gather]) => [value, gather.spans()]));
  }

  protected derivedPieces(raw: Relation, subject: number): Map<number, Spans> {
    const pieces = new Map<number, number[]>();
    const chains = raw.bySubject();
    for (let row = chains.heads.get(subject); row >= 0; row = chains.next[row]!) {
      if (!raw.isLive(row) || raw.rankOf(row) === 0) continue;
      const known = pieces.get(raw.valueOf(row));
      if (known === undefined) pieces.set(raw.valueOf(row), [raw.from(row), raw.to(row)]);
      else known.push(raw.from(row), raw.to(row));
    }
    return new Map([...pieces].map(([value, flat]) => [value, normalSpans(flat)]));
  }

  /** Who is in force at a declared single-valued derived cell: the rule, or null for a recorded claim; undefined where nothing is, or no judge. */
  judgeOf(field: number, subject: number, value: number, at: number): string | null | undefined {
    if (!this.#rulesAt.has(field) || this.relationsOf(field).judged === null) return undefined;
    for (const layer of this.judgement(field, subject)) {
      if (layer.value === value && holdsAt(layer.spans, at)) return layer.claim?.trust === "derived" ? layer.claim.source : null;
    }
    return undefined;
  }

  /** One component of the rules concludes at both. */
  sameComponent(a: number, b: number): boolean {
    return this.componentOf(a)?.has(b) ?? false;
  }

  // ---- what plans read ----------------------------------------------------------------------------------------

  #fieldFace(inside: ReadonlySet<number>): Field {
    return {
      symbols: this.symbols,
      calculus: this.calculus,
      noneId: this.noneId,
      work: this.work,
      own: (atom) => atom.from.tag === "field" && inside.has(atom.from.field),
      relation: (atom, own) => this.relationOf(atom, own),
      claims: (field, subject) => this.#claims(field, subject),
      recordedSpans: (field, subject) => normalSpans(this.source.recordedSpans(field, subject).flatMap(({ from, to }) => [from, to])),
    };
  }

  protected relationOf(atom: Atom, own: boolean): Relation {
    if (atom.from.tag === "range") return this.rangeOf(atom.from.kind);
    const { raw, judged } = this.relationsOf(atom.from.field);
    return own || judged === null ? raw : judged;
  }

  /** A recorded fact in force names its subject and its value: a range says nothing where one stands beside it, or what follows from one. */
  #dropImpliedRanges(part: Part): void {
    const names = ({ from, subject, value }: Atom, slot: number) => {
      if (from.tag !== "field") return false;
      if (!this.#rulesAt.has(from.field)) return subject === slot || value === slot;
      return subject === slot && this.#named.has(from.field);
    };
    const kept = part.atoms.filter((atom) => atom.from.tag !== "range" || !part.atoms.some((other) => names(other, atom.subject)));
    part.atoms.splice(0, part.atoms.length, ...kept);
    for (const probe of part.probes) if ("part" in probe) this.#dropImpliedRanges(probe.part);
  }

  protected isOfKind(value: number, kind: string): boolean {
    const datum = this.symbols.datumOf(value);
    return datum instanceof Subject && datum.kind === kind;
  }

  #provide(atoms: readonly Atom[], probes: ReturnType<typeof clausesOf>[number]["probes"]): void {
    for (const atom of atoms) this.relationOf(atom, true);
    for (const probe of probes) {
      if (probe.tag === "absent" || probe.tag === "optional") this.relationOf(probe.atom, true);
      else if ("part" in probe) this.#provide(probe.part.atoms, probe.part.probes);
      else this.relationsOf(probe.field);
    }
  }

  /** Claims in force at a cell, as premises on a claim read them. */
  #claims(field: number, subject: number): ReadClaim[] {
    const out: ReadClaim[] = this.source.claims(field, subject).map((claim) => ({ ...claim, trust: "asserted" as const }));
    if (!this.#rulesAt.has(field)) return out;
    const judged = this.relationsOf(field).judged;
    for (const fact of this.derivedAt(field, subject)) {
      const claim = {
        value: fact.value,
        trust: "derived" as const,
        source: fact.rule,
        windowFrom: fact.from === Number.NEGATIVE_INFINITY ? null : fact.from,
        windowTo: fact.to === Number.POSITIVE_INFINITY ? null : fact.to,
      };
      if (judged === null) out.push({ ...claim, from: fact.from, to: fact.to });
    }
    if (judged !== null) {
      out.length = 0;
      for (const layer of this.judgement(field, subject)) {
        for (let i = 0; i < layer.spans.length; i += 2) {
          if (layer.claim !== null) out.push({ ...layer.claim, from: layer.spans[i]!, to: layer.spans[i + 1]! });
        }
      }
    }
    return out;
  }

  #accept(rule: Rule, valueSlot: number): Accept {
    const { kind, field } = rule.conclusion.cell;
    const type = this.source.fieldType(this.symbols.fieldId(kind, field));
    const variable = valueSlot >= 0 && valueSlot < rule.variables.length ? rule.variables[valueSlot]! : null;
    if (variable !== null) {
      if (type === null) return (value) => value;
      if (type.type === "subject" && variable.type.tag === "kind" && variable.type.kind === type.kind) return (value) => value;
    }
    const known = new Map<number, number>();
    return (value) => {
      let held = known.get(value);
      if (held === undefined) {
        held = this.#held(value, type, { kind, subject: "", field });
        if (known.size > 10_000) known.clear();
        known.set(value, held);
      }
      return held;
    };
  }

  #held(value: number, type: FieldType | null, cell: { kind: string; subject: string; field: string }): number {
    const datum = this.symbols.datumOf(value);
    try {
      const held = valueForField(datum, type, cell);
      return held === datum ? value : this.symbols.datumId(held);
    } catch (problem) {
      // A rule value its field cannot hold concludes nothing (rulings, "Typed fields").
      if (problem instanceof Refusal) return -1;
      throw problem;
    }
  }

  /** Who is in force where: who is preferred, then recorded claims, then rules by name and values by order. */
  protected judgement(field: number, subject: number): { value: number; spans: Spans; claim: Omit<ReadClaim, "from" | "to"> | null }[] {
    const derived = this.derivedAt(field, subject);
    const preferred = this.source.preferred(field, subject);
    const asserted = this.source.claims(field, subject);
    // What is met again further down is taken already.
    const layers = [
      ...preferred.flatMap((name) => [
        ...asserted.filter((claim) => claim.source === name),
        ...derived.filter((fact) => fact.rule === name),
      ]),
      ...asserted,
      ...derived,
    ];
    let taken: Spans = NEVER_SPANS;
    const out: { value: number; spans: Spans; claim: Omit<ReadClaim, "from" | "to"> | null }[] = [];
    for (const layer of layers) {
      const spans = minusSpans([layer.from, layer.to], taken);
      if (spans.length === 0) continue;
      const claim =
        "rule" in layer
          ? {
              value: layer.value,
              trust: "derived" as const,
              source: layer.rule,
              windowFrom: layer.from === Number.NEGATIVE_INFINITY ? null : layer.from,
              windowTo: layer.to === Number.POSITIVE_INFINITY ? null : layer.to,
            }
          : {
              value: layer.value,
              trust: "asserted" as const,
              source: layer.source,
              windowFrom: layer.windowFrom,
              windowTo: layer.windowTo,
            };
      out.push({ value: layer.value, spans, claim });
      taken = normalSpans([...taken, ...spans]);
    }
    return out;
  }
}

/** Gathers the spans of each value. */
export function gatherInto(gathered: Map<number, SpanGather>): (subject: number, value: number, from: number, to: number) => boolean {
  return (_subject, value, from, to) => {
    let gather = gathered.get(value);
    if (gather === undefined) {
      gather = new SpanGather();
      gathered.set(value, gather);
    }
    gather.add(from, to);
    return false;
  };
}
