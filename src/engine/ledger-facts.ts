/**
 * The recorded claims as the rules ask for them (reasoner.ts, `FactSource`).
 */
import type { FieldType } from "./claim";
import type { ClaimRow } from "./claim-row";
import type { Fact } from "./fact";
import { factPieces, type Preferred, standingSpans } from "./judgement";
import type { Ledger } from "./ledger";
import type { ClaimFact, DeclaredField, FactSource } from "./reasoner";

export class LedgerFacts implements FactSource {
  readonly #ledger: Ledger;
  constructor(ledger: Ledger) {
    this.#ledger = ledger;
  }

  *scan(field: number): Iterable<Fact> {
    const many = this.#ledger.isMany(field);
    for (const rows of this.#ledger.cells.scan(field)) yield* this.#facts(rows, many);
  }

  *scanSubject(field: number, subject: number): Iterable<Fact> {
    yield* this.#facts(this.#ledger.cells.standing(field, subject), this.#ledger.isMany(field));
  }

  fieldsNaming(kind: string): Iterable<number> {
    return fieldsNaming(this.#ledger, kind);
  }

  claims(field: number, subject: number): readonly ClaimFact[] {
    return claimFacts(this.#ledger, field, this.#ledger.cells.standing(field, subject), this.#ledger.belief.preferredAt(field, subject));
  }

  recordedSpans(field: number, subject: number): readonly { readonly from: number; readonly to: number }[] {
    return this.#ledger.cells.standing(field, subject);
  }

  fieldType(field: number): FieldType | null {
    return this.#ledger.fieldType(field);
  }

  declared(): Iterable<DeclaredField> {
    return declaredFields(this.#ledger);
  }

  preferred(field: number, subject: number): readonly string[] {
    return this.#ledger.belief.preferredAt(field, subject).map((source) => this.#ledger.symbols.datumOf(source) as string);
  }

  *#facts(rows: readonly ClaimRow[], many: boolean): Iterable<Fact> {
    if (rows.length === 0) return;
    const { field, subject } = rows[0];
    for (const { value, from, to } of factPieces(rows, many, this.#ledger.belief.preferredAt(field, subject))) {
      yield { field, subject, value, from, to };
    }
  }
}

/** What the rows of one cell say, each where it stands. */
export function claimFacts(ledger: Ledger, field: number, rows: readonly ClaimRow[], preferred: Preferred): readonly ClaimFact[] {
  return standingSpans(rows, ledger.isMany(field), preferred).map(({ row, from, to }) => ({
    value: row.value,
    source: ledger.symbols.datumOf(row.source) as string,
    from,
    to,
    windowFrom: Number.isFinite(row.from) ? row.from : null,
    windowTo: Number.isFinite(row.to) ? row.to : null,
    recordedAt: row.recordedAt,
  }));
}

/** Fields whose claims may name subjects of the Kind: its own, and those whose type lets them. */
export function* fieldsNaming(ledger: Ledger, kind: string): Iterable<number> {
  for (const field of [...ledger.symbols.allFields()]) {
    const type = field.kind === kind ? null : ledger.fieldType(field.id);
    if (type === null || type.type === "any" || (type.type === "subject" && type.kind === kind)) yield field.id;
  }
}

export function* declaredFields(ledger: Ledger): Iterable<DeclaredField> {
  for (const { name: kind, fields } of ledger.modules.kinds()) for (const [field, type] of fields) yield { kind, field, type };
}
