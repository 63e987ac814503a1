/**
 * The recorded claims as the rules ask for them (reasoner.ts, `FactSource`), as they were known at a past moment.
 *
 * Cell by cell, since only what an answer rests on is asked for. A version whose successor was erased is left out where
 * it does not cover the instant read; where it lay is noted, because no window that reaches there is known.
 */
import { Refusal } from "../failure";
import { spellField } from "./address";
import type { Claim, FieldType } from "./claim";
import type { Fact } from "./fact";
import { factPieces, judgeAt, NO_PREFERENCE } from "./judgement";
import { eraseRefusal, type KnownCell, knownCell } from "./known-time";
import type { Ledger } from "./ledger";
import { claimFacts, declaredFields, fieldsNaming } from "./ledger-facts";
import type { ClaimFact, DeclaredField } from "./reasoner";
import { recordedClaim } from "./recorded-claim";
import type { DemandSource } from "./rule-demand";
import type { RulesThen } from "./rule-history";
import { holds } from "./span";

const NOTHING_KNOWN: KnownCell = { rows: [], preferred: NO_PREFERENCE, unknown: [] };

export class KnownFacts implements DemandSource {
  readonly #ledger: Ledger;
  readonly #then: RulesThen;
  readonly #known: number;
  readonly #at: number;
  readonly #cells = new Map<string, KnownCell>();
  readonly #empty = new Map<number, boolean>();
  readonly #askedOnce = new Set<number>();
  readonly #with = new Map<string, readonly number[]>();
  readonly #unknown: { readonly field: number; readonly subject: number; readonly from: number; readonly to: number }[] = [];

  constructor(ledger: Ledger, then: RulesThen, point: { readonly known: number; readonly at: number }) {
    this.#ledger = ledger;
    this.#then = then;
    this.#known = point.known;
    this.#at = point.at;
  }

  /** The recorded claims of a cell then. Refuses `not_recorded` where it is not known which held at the instant. */
  cell(field: number, subject: number): KnownCell {
    const key = `${field},${subject}`;
    let cell = this.#cells.get(key);
    if (cell === undefined) {
      cell = this.#isEmpty(field) ? NOTHING_KNOWN : knownCell(this.#ledger, field, subject, this.#known, this.#at);
      this.#cells.set(key, cell);
      for (const { from, to } of cell.unknown) this.#unknown.push({ field, subject, from, to });
    }
    return cell;
  }

  /** Nothing is recorded or preferred at the field, as at one that only rules conclude: its cells need not be asked for one by one. */
  #isEmpty(field: number): boolean {
    let isEmpty = this.#empty.get(field);
    if (isEmpty === undefined) {
      // One cell alone is quicker asked for itself; it is mostly in memory.
      if (!this.#askedOnce.has(field)) {
        this.#askedOnce.add(field);
        return false;
      }
      const holds = () => this.#ledger.landedSql().exec("SELECT 1 FROM claim WHERE field = ? LIMIT 1", field).length > 0;
      isEmpty = !this.#ledger.belief.wasEverPreferred(field) && !holds();
      this.#empty.set(field, isEmpty);
    }
    return isEmpty;
  }

  /** Refuses `not_recorded` where a window meets a time of which something asked for is not known. */
  checkWindow(from: number, to: number): void {
    const met = this.#unknown.find((one) => one.from <= to && from <= one.to);
    if (met !== undefined) throw eraseRefusal(this.#ledger, met.field, met.subject);
  }

  /** The recorded claim behind a fact in force at an instant. */
  asserted(field: number, subject: number, value: number, at: number): Claim | null {
    const { rows, preferred } = this.cell(field, subject);
    const row = this.#ledger.isMany(field)
      ? rows.filter((one) => one.value === value && holds(one, at)).at(-1)
      : judgeAt(rows, at, preferred);
    return row === undefined || row.value !== value ? null : recordedClaim(this.#ledger, row);
  }

  admit(field: number): void {
    const until = this.#then.lostUntil(field);
    if (until === null) return;
    const { kind, field: name } = this.#ledger.symbols.fieldOf(field);
    const spelled = spellField(kind, name);
    throw new Refusal(
      "derived_field",
      `the answer rests on ${spelled}, and a rule that concluded it at that moment was changed later; its text then is not kept: read it without \`known_at\`, or as of a moment after the change`,
      spelled,
    );
  }

  *scan(field: number): Iterable<Fact> {
    for (const subject of this.#ledger.cells.subjects(field)) yield* this.scanSubject(field, subject);
  }

  *scanSubject(field: number, subject: number): Iterable<Fact> {
    const { rows, preferred } = this.cell(field, subject);
    if (rows.length === 0) return;
    for (const { value, from, to } of factPieces(rows, this.#ledger.isMany(field), preferred)) yield { field, subject, value, from, to };
  }

  fieldsNaming(kind: string): Iterable<number> {
    return fieldsNaming(this.#ledger, kind);
  }

  *factsOf(kind: string, subject: number): Iterable<Fact> {
    for (const { id } of [...this.#ledger.symbols.fieldsOf(kind)]) yield* this.scanSubject(id, subject);
  }

  subjectsWith(field: number, value: number): readonly number[] {
    const key = `${field},${value}`;
    let subjects = this.#with.get(key);
    if (subjects === undefined) {
      const rows = this.#ledger.landedSql().exec("SELECT DISTINCT subject FROM claim WHERE field = ? AND value = ?", field, value);
      subjects = rows.map(([subject]) => subject as number);
      this.#with.set(key, subjects);
    }
    return subjects;
  }

  claims(field: number, subject: number): readonly ClaimFact[] {
    const { rows, preferred } = this.cell(field, subject);
    return claimFacts(this.#ledger, field, rows, preferred);
  }

  recordedSpans(field: number, subject: number): readonly { readonly from: number; readonly to: number }[] {
    return this.cell(field, subject).rows;
  }

  fieldType(field: number): FieldType | null {
    return this.#ledger.fieldType(field);
  }

  declared(): Iterable<DeclaredField> {
    return declaredFields(this.#ledger);
  }

  preferred(field: number, subject: number): readonly string[] {
    return this.cell(field, subject).preferred.map((source) => this.#ledger.symbols.datumOf(source) as string);
  }
}
