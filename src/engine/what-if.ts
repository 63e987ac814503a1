/**
 * Recorded facts with a few cells changed: what the rules would conclude then, so that `why_not` promises nothing untried.
 */
import type { FieldType } from "./claim";
import type { Fact } from "./fact";
import type { ClaimFact, DeclaredField, FactSource, Symbols } from "./reasoner";
import type { DemandSource } from "./rule-demand";

/** One change of a cell: a value more, a value less, or none at all. Of a single-valued cell a value takes the place of what stood. */
export interface CellEdit {
  readonly field: number;
  readonly subject: number;
  readonly change: { readonly tag: "add" | "remove"; readonly value: number } | { readonly tag: "clear" };
}

export class WhatIf implements DemandSource {
  readonly #cells = new Map<string, Fact[]>();
  readonly #fields = new Set<number>();

  constructor(
    readonly source: FactSource,
    readonly symbols: Symbols,
    edits: readonly CellEdit[],
  ) {
    for (const { field, subject, change } of edits) {
      const key = `${field},${subject}`;
      const facts = this.#cells.get(key) ?? [...source.scanSubject(field, subject)];
      const many = source.fieldType(field)?.many ?? false;
      this.#fields.add(field);
      if (change.tag === "clear") this.#cells.set(key, []);
      else {
        const others = change.tag === "add" && !many ? [] : facts.filter((fact) => fact.value !== change.value);
        const added = { field, subject, value: change.value, from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };
        this.#cells.set(key, change.tag === "add" ? [...others, added] : others);
      }
    }
  }

  #edited(field: number, subject: number): Fact[] | undefined {
    return this.#fields.has(field) ? this.#cells.get(`${field},${subject}`) : undefined;
  }

  *scan(field: number): Iterable<Fact> {
    for (const fact of this.source.scan(field)) if (this.#edited(field, fact.subject) === undefined) yield fact;
    for (const facts of this.#cells.values()) for (const fact of facts) if (fact.field === field) yield fact;
  }
  scanSubject(field: number, subject: number): Iterable<Fact> {
    return this.#edited(field, subject) ?? this.source.scanSubject(field, subject);
  }
  fieldsNaming(kind: string): Iterable<number> {
    return new Set([...this.source.fieldsNaming(kind), ...this.#fields]);
  }
  *subjectsWith(field: number, value: number): Iterable<number> {
    for (const fact of this.scan(field)) if (fact.value === value) yield fact.subject;
  }
  *factsOf(kind: string, subject: number): Iterable<Fact> {
    for (const field of this.fieldsNaming(kind)) if (this.symbols.fieldOf(field).kind === kind) yield* this.scanSubject(field, subject);
  }
  admit(): void {}

  claims(field: number, subject: number): readonly ClaimFact[] {
    const facts = this.#edited(field, subject);
    if (facts === undefined) return this.source.claims(field, subject);
    return facts.map(({ value, from, to }) => ({ value, source: "", from, to, windowFrom: null, windowTo: null, recordedAt: 0 }));
  }
  recordedSpans(field: number, subject: number): readonly { readonly from: number; readonly to: number }[] {
    return this.#edited(field, subject) ?? this.source.recordedSpans(field, subject);
  }
  fieldType(field: number): FieldType | null {
    return this.source.fieldType(field);
  }
  declared(): Iterable<DeclaredField> {
    return this.source.declared();
  }
  preferred(field: number, subject: number): readonly string[] {
    return this.source.preferred(field, subject);
  }
}
