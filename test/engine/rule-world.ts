/**
 * A small store for tests of rules: symbols in memory, recorded facts in a list, no judgement of its own (tests give
 * each single-valued cell one fact at a time).
 */
import { Bytes, Complex, Datetime, type Datum, Duration, Float, StoredCollection, Subject } from "../../src/datum";
import type { FieldType } from "../../src/engine/claim";
import type { Fact, FactChange } from "../../src/engine/fact";
import {
  type ClaimFact,
  type DeclaredField,
  type DerivedChange,
  type FactSource,
  Reasoner,
  type Symbols,
  type TouchedCell,
} from "../../src/engine/reasoner";
import type { Rule } from "../../src/engine/rule";
import type { Sliced } from "../../src/engine/rule-work";
import { RULE_CALCULUS } from "../../src/lang/declare/rule-calculus";

export class TestSymbols implements Symbols {
  readonly #fields = new Map<string, number>();
  readonly #fieldList: { kind: string; field: string }[] = [];
  readonly #ids = new Map<string, number>();
  readonly #datums: Datum[] = [];

  fieldId(kind: string, field: string): number {
    const key = `${kind}|${field}`;
    let id = this.#fields.get(key);
    if (id === undefined) {
      id = this.#fieldList.push({ kind, field }) - 1;
      this.#fields.set(key, id);
    }
    return id;
  }
  fieldOf(id: number): { kind: string; field: string } {
    return this.#fieldList[id]!;
  }
  datumId(datum: Datum): number {
    const key = identity(datum);
    let id = this.#ids.get(key);
    if (id === undefined) {
      id = this.#datums.push(datum) - 1;
      this.#ids.set(key, id);
    }
    return id;
  }
  datumOf(id: number): Datum {
    return this.#datums[id]!;
  }
  equalityId(id: number): number {
    const datum = this.datumOf(id);
    if (typeof datum === "boolean") return this.datumId(Number(datum));
    if (datum instanceof Float) {
      if (Number.isNaN(datum.v)) return -1;
      return Number.isSafeInteger(datum.v) ? this.datumId(datum.v === 0 ? 0 : datum.v) : id;
    }
    return id;
  }
}

function identity(datum: Datum): string {
  if (datum === null) return "none";
  if (typeof datum !== "object") return `${typeof datum}:${datum}`;
  if (datum instanceof Float) return `float:${Object.is(datum.v, -0) ? "-0" : datum.v}`;
  if (datum instanceof Subject) return `subject:${datum.kind}|${datum.name}`;
  if (datum instanceof Datetime) return `datetime:${datum.micros}`;
  if (datum instanceof Duration) return `duration:${datum.micros}`;
  if (datum instanceof Complex) return `complex:${datum.re},${datum.im}`;
  if (datum instanceof Bytes) return `bytes:${datum.b.join()}`;
  if (datum instanceof StoredCollection) return `${datum.type}:${datum.items.map(identity).join()}`;
  throw new Error("what is this");
}

/** A recorded claim of the test store; `value` null is an asserted absence. */
export interface Recorded {
  readonly kind: string;
  readonly subject: string;
  readonly field: string;
  readonly value: Datum;
  readonly from?: number;
  readonly to?: number;
  readonly source?: string;
}

export class TestStore implements FactSource {
  readonly facts: (Fact & { readonly source: string })[] = [];
  readonly types = new Map<number, FieldType>();
  readonly preferences = new Map<string, string>();
  readonly symbols = new TestSymbols();
  readonly reasoner: Reasoner;

  /** `sliceRows`: all work of the rules is cut into slices of so many rows. */
  constructor(
    rowsMax?: number,
    readonly sliceRows = Number.POSITIVE_INFINITY,
  ) {
    this.reasoner = new Reasoner(this.symbols, this, RULE_CALCULUS, rowsMax);
  }

  declare(kind: string, field: string, type: FieldType): void {
    this.types.set(this.symbols.fieldId(kind, field), type);
  }

  factOf(r: Recorded): Fact & { readonly source: string } {
    return {
      field: this.symbols.fieldId(r.kind, r.field),
      subject: this.symbols.datumId(new Subject(r.kind, r.subject)),
      value: this.symbols.datumId(r.value),
      from: r.from ?? Number.NEGATIVE_INFINITY,
      to: r.to ?? Number.POSITIVE_INFINITY,
      source: r.source ?? "test",
    };
  }

  /** Adds and removes in one batch. */
  change(add: readonly Recorded[], remove: readonly Recorded[] = []): DerivedChange[] {
    const changes: FactChange[] = [];
    const touched: TouchedCell[] = [];
    const before = [...this.facts];
    for (const r of remove) {
      const fact = this.factOf(r);
      const at = this.facts.findIndex(
        (f) => f.field === fact.field && f.subject === fact.subject && f.value === fact.value && f.from === fact.from && f.to === fact.to,
      );
      if (at < 0) throw new Error("removing what is not there");
      this.facts.splice(at, 1);
      changes.push({ ...fact, sign: -1 });
      touched.push(fact);
    }
    for (const r of add) {
      const fact = this.factOf(r);
      this.facts.push(fact);
      changes.push({ ...fact, sign: 1 });
      touched.push(fact);
    }
    try {
      return this.#sliced(this.reasoner.applying(changes, touched));
    } catch (problem) {
      this.facts.splice(0, this.facts.length, ...before);
      throw problem;
    }
  }

  setRules(rules: readonly Rule[]): DerivedChange[] {
    return this.#sliced(this.reasoner.settingRules(rules));
  }

  /** How many slices the last change took. */
  slices = 0;

  #sliced<T>(work: Sliced<T>): T {
    for (this.slices = 1; ; this.slices++) {
      const step = this.reasoner.advance(work, this.sliceRows);
      if (step.done === true) return step.value;
    }
  }

  scan(field: number): Iterable<Fact> {
    return this.facts.filter((f) => f.field === field);
  }
  scanSubject(field: number, subject: number): Iterable<Fact> {
    return this.facts.filter((f) => f.field === field && f.subject === subject);
  }
  fieldsNaming(): Iterable<number> {
    return new Set(this.facts.map((fact) => fact.field));
  }
  claims(field: number, subject: number): ClaimFact[] {
    return this.facts
      .filter((f) => f.field === field && f.subject === subject)
      .map((f) => ({
        value: f.value,
        source: f.source,
        from: f.from,
        to: f.to,
        windowFrom: Number.isFinite(f.from) ? f.from : null,
        windowTo: Number.isFinite(f.to) ? f.to : null,
        recordedAt: 0,
      }));
  }
  recordedSpans(field: number, subject: number): { from: number; to: number }[] {
    return this.facts.filter((f) => f.field === field && f.subject === subject);
  }
  fieldType(field: number): FieldType | null {
    return this.types.get(field) ?? null;
  }
  *declared(): Iterable<DeclaredField> {
    for (const [field, type] of this.types) yield { ...this.symbols.fieldOf(field), type };
  }
  preferred(field: number, subject: number): readonly string[] {
    const source = this.preferences.get(`${field},${subject}`);
    return source === undefined ? [] : [source];
  }

  /** Everything derived, as sorted lines `Kind.subject.field = value [from, to) rule`. */
  derived(): string[] {
    const out: string[] = [];
    const fields = new Set(this.reasoner.rules().map((r) => this.symbols.fieldId(r.conclusion.cell.kind, r.conclusion.cell.field)));
    for (const field of fields) {
      for (const subject of this.reasoner.derivedSubjects(field)) {
        for (const fact of this.reasoner.derivedAt(field, subject)) out.push(`${this.spell(fact)} ${fact.rule}`);
      }
    }
    return out.sort();
  }

  spell(fact: { field: number; subject: number; value: number; from: number; to: number }): string {
    const subject = this.symbols.datumOf(fact.subject) as Subject;
    const window = fact.from === Number.NEGATIVE_INFINITY && fact.to === Number.POSITIVE_INFINITY ? "" : ` [${fact.from}, ${fact.to})`;
    return `${subject.kind}.${subject.name}.${this.symbols.fieldOf(fact.field).field} = ${show(this.symbols.datumOf(fact.value))}${window}`;
  }
}

export function show(datum: Datum): string {
  if (datum instanceof Subject) return `${datum.kind}.${datum.name}`;
  if (datum instanceof Float) return `${datum.v}f`;
  return String(datum);
}
