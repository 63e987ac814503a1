/**
 * What each read verb gives (language.md §5.2): claims, values and names, at a point in the two times.
 *
 * A read without `known_at` looks at memory. One with it looks at what SQL holds (rulings, "known_at edges": inside
 * a layer that is the store beneath), where history and ended preferences tell how things stood.
 */
import { type Datum, Subject } from "../datum";
import { assert, Refusal } from "../failure";
import { spellCell, spellSubject } from "./address";
import type { Cell, Claim, ReadPoint } from "./claim";
import { byPosition, type ClaimRow } from "./claim-row";
import { equalScalars } from "./datum-equality";
import { DerivedClaim, isDerivedFact, proofClaims } from "./derived-claim";
import { checkField, checkFieldOf } from "./field-check";
import { judgeAt, NO_PREFERENCE, type Preferred } from "./judgement";
import { KnownView } from "./known-view";
import type { Ledger } from "./ledger";
import type { OwedAnswers } from "./owed-answers";
import type { Proof } from "./proof";
import type { Reason } from "./reason";
import type { DerivedFact } from "./reasoner";
import { recordedClaim } from "./recorded-claim";
import { type RulesThen, rulesThen } from "./rule-history";
import { type Sliced, toTheEnd } from "./rule-work";
import { holds } from "./span";
import { compareDatums, compareText } from "./value-order";
import { whatNeeds } from "./what-needs";
import { whyNot } from "./why-not";
import { whyNotReason } from "./why-not-reason";

/** What is in force somewhere: a recorded claim or a conclusion. */
type InForce = ClaimRow | DerivedFact;

export class ClaimReads {
  readonly #ledger: Ledger;
  readonly #instant: number;
  readonly #owed: OwedAnswers;
  #then: { readonly known: number; readonly revision: number; readonly rules: RulesThen } | null = null;

  constructor(ledger: Ledger, instant: number, owed: OwedAnswers) {
    this.#ledger = ledger;
    this.#owed = owed;
    this.#instant = instant;
  }

  current(cell: Cell, point: ReadPoint): Claim | null {
    const place = this.#readable(cell, point);
    if (place === null) return null;
    const at = this.#at(point);
    const known = this.#known(point);
    const found = this.#judged(place.field, place.subject, at, known, cell);
    if (found === undefined) return null;
    if (known === null || !isDerivedFact(found)) return this.#claim(found, at);
    return new DerivedClaim(this.#ledger, this.#owed, known.whole(found), at, (fact) => known.why(fact));
  }

  value(cell: Cell, point: ReadPoint): { readonly found: boolean; readonly value: Datum } {
    const place = this.#readable(cell, point);
    if (place === null) return NOTHING;
    const found = this.#judged(place.field, place.subject, this.#at(point), this.#known(point), cell);
    return found === undefined ? NOTHING : { found: true, value: this.#ledger.symbols.datumOf(found.value) };
  }

  /** Every distinct value whose claim's window holds the instant, judged or not, in value order. */
  values(cell: Cell, point: ReadPoint): Datum[] {
    const place = this.#readable(cell, point);
    if (place === null) return [];
    const { field, subject } = place;
    const at = this.#at(point);
    const { rows, derived } = this.#view(field, subject, at, this.#known(point));
    const ids = new Set<number>();
    for (const one of rows) if (holds(one, at)) ids.add(one.value);
    for (const one of derived) ids.add(one.value);
    const values = [...ids].map((id) => this.#ledger.symbols.datumOf(id)).filter((value) => value !== null);
    return values.sort(compareDatums);
  }

  /** The claims that stand, in force or not, oldest first; conclusions after them. */
  get(cell: Cell): Claim[] {
    const place = this.#place(cell);
    if (place === null) return [];
    const rows = this.#ledger.cells.standing(place.field, place.subject);
    return [...this.#claims(rows), ...this.#derivedAt(place.field, place.subject).map((fact) => this.#claim(fact, this.#instant))];
  }

  /** As `get`, with superseded versions. */
  history(cell: Cell): Claim[] {
    const place = this.#place(cell);
    if (place === null) return [];
    const rows = [...this.#recorded(place.field, place.subject)];
    return [...this.#claims(rows), ...this.#derivedAt(place.field, place.subject).map((fact) => this.#claim(fact, this.#instant))];
  }

  /** Claims recorded after the instant, superseded ones too. */
  changed(cell: Cell, since: number): Claim[] {
    const place = this.#place(cell);
    if (place === null) return [];
    return this.#claims(this.#recorded(place.field, place.subject).filter((row) => row.recordedAt > since));
  }

  /** No value in force, or an asserted absence. */
  absent(cell: Cell): boolean {
    const place = this.#place(cell);
    if (place === null) return true;
    const none = this.#ledger.symbols.findDatumId(null);
    const found = this.#inForce(place.field, place.subject, this.#instant, null);
    return found.every((one) => one.value === none);
  }

  /** Subjects with something in force, by name order. */
  subjects(kind: string, point: ReadPoint): string[] {
    return this.find(kind, NOTHING_WANTED, point);
  }

  /** Subjects whose claim in force at each field named has a value equal to the wanted one, by name order. */
  find(kind: string, wanted: ReadonlyMap<string, Datum>, point: ReadPoint): string[] {
    return toTheEnd(this.finding(kind, wanted, point)).sort(compareText);
  }

  /** The same in no order; yields after so much work as reading some hundreds of cells. Nothing is written meanwhile. */
  finding(kind: string, wanted: ReadonlyMap<string, Datum>, point: ReadPoint): Sliced<string[]> {
    return this.#ledger.readers.reading(() => this.#finding(kind, wanted, point));
  }

  *#finding(kind: string, wanted: ReadonlyMap<string, Datum>, point: ReadPoint): Sliced<string[]> {
    const { symbols } = this.#ledger;
    for (const field of wanted.keys()) checkFieldOf(this.#ledger, kind, field);
    const at = this.#at(point);
    const known = this.#known(point);
    const found = wanted.size === 0 ? yield* this.#holding(kind, at, known) : yield* this.#equal(kind, wanted, at, known);
    const names: string[] = [];
    for (const subject of found) {
      names.push((symbols.datumOf(subject) as { readonly name: string }).name);
      if (names.length % NAMED_AT_ONCE === 0) yield;
    }
    return names;
  }

  /** Subjects of the Kind with something in force. */
  *#holding(kind: string, at: number, known: KnownView | null): Sliced<Set<number>> {
    const { cells, symbols } = this.#ledger;
    const found = new Set<number>();
    // By name, so that a refusal names the same one whatever order they came in.
    for (const { id } of [...symbols.fieldsOf(kind)].sort((a, b) => compareText(a.field, b.field))) {
      if (known !== null) {
        for (const one of this.#fieldInForce(id, at, known)) {
          if (one === null) yield;
          else if (one.held.length > 0) found.add(one.subject);
        }
        continue;
      }
      for (const page of cells.subjectsHolding(id, at)) {
        for (const subject of page) found.add(subject);
        yield;
      }
      if (!this.#ledger.isDerived(id)) continue;
      let looked = 0;
      for (const subject of this.#ledger.reasoner!.derivedSubjects(id)) {
        if (!found.has(subject) && this.#derivedAt(id, subject).some((fact) => holds(fact, at))) found.add(subject);
        if (++looked % CELLS_AT_ONCE === 0) yield;
      }
    }
    return found;
  }

  *#equal(kind: string, wanted: ReadonlyMap<string, Datum>, at: number, known: KnownView | null): Sliced<Set<number>> {
    const { symbols } = this.#ledger;
    const found = new Set<number>();
    const tests: Wanted[] = [];
    for (const [name, value] of wanted) {
      const field = symbols.findFieldId(kind, name);
      const test = field === 0 ? null : this.#wanted(field, value);
      if (test === null) return found;
      tests.push(test);
    }
    // Rather what is recorded alone, and rather no collection: of others more is looked at.
    const rank = ({ field, values }: Wanted) => (values === null ? 2 : 0) + (this.#ledger.isDerived(field) ? 1 : 0);
    const first = tests.reduce((least, test) => (rank(test) < rank(least) ? test : least));
    const others = tests.filter((test) => test !== first);
    for (const subject of this.#passing(first, at, known)) {
      if (subject === null) yield;
      else if (others.every(({ field, passes }) => passes(this.#inForce(field, subject, at, known)))) found.add(subject);
    }
    return found;
  }

  /** Subjects that pass, and null now and then: others may have their turn. */
  *#passing({ field, values, passes }: Wanted, at: number, known: KnownView | null): Iterable<number | null> {
    if (values === null || known !== null) {
      for (const one of this.#fieldInForce(field, at, known)) {
        if (one === null) yield null;
        else if (passes(one.held)) yield one.subject;
      }
      return;
    }
    const derived = this.#ledger.isDerived(field) ? [this.#ledger.reasoner!.derivedSubjects(field, values)] : [];
    for (const pages of [this.#ledger.cells.subjectsValued(field, values), derived]) {
      for (const page of pages) {
        let looked = 0;
        for (const subject of page) {
          if (passes(this.#inForce(field, subject, at, null))) yield subject;
          if (++looked % CELLS_AT_ONCE === 0) yield null;
        }
        yield null;
      }
    }
  }

  /** Claims whose value equals the wanted one as Python's `==` says; null where none ever can. */
  #wanted(field: number, wanted: Datum): Wanted | null {
    const { symbols } = this.#ledger;
    if (wanted === null) return null;
    const equals = equalScalars(wanted);
    if (equals !== null) {
      const values = equals.map((one) => symbols.findDatumId(one)).filter((id) => id !== 0);
      return values.length === 0 ? null : { field, values, passes: (held) => held.some((one) => values.includes(one.value)) };
    }
    const id = symbols.equalityId(symbols.datumId(wanted));
    return id < 0 ? null : { field, values: null, passes: (held) => held.some((one) => symbols.equalityId(one.value) === id) };
  }

  /** Fields of a subject that `get` would show something at. */
  fields(kind: string, subject: string): string[] {
    const id = this.#ledger.symbols.findSubjectId(kind, subject);
    if (id === 0) return [];
    const names: string[] = [];
    for (const field of this.#ledger.symbols.fieldsOf(kind)) {
      if (this.#ledger.cells.standing(field.id, id).length > 0 || this.#derivedAt(field.id, id).length > 0) names.push(field.field);
    }
    return names.sort(compareText);
  }

  /** Kinds that `get` would show something under. */
  kinds(): string[] {
    const kinds = new Set<string>();
    for (const { id, kind } of this.#ledger.symbols.allFields()) if (!kinds.has(kind) && this.#holdsAnything(id)) kinds.add(kind);
    return [...kinds].sort(compareText);
  }

  sources(cell: Cell): string[] {
    const place = this.#place(cell);
    if (place === null) return [];
    const { symbols, cells } = this.#ledger;
    const names = new Set<string>();
    for (const row of cells.standing(place.field, place.subject)) names.add(symbols.datumOf(row.source) as string);
    for (const fact of this.#derivedAt(place.field, place.subject)) names.add(fact.rule);
    return [...names].sort(compareText);
  }

  /** Whether `get` would show something under the subject. */
  subjectHolds(kind: string, subject: string): boolean {
    return this.fields(kind, subject).length > 0;
  }
  /** Whether `get` would show something at the field of any subject. */
  fieldHolds(kind: string, field: string): boolean {
    const id = this.#ledger.symbols.findFieldId(kind, field);
    return id !== 0 && this.#holdsAnything(id);
  }

  /** Why a cell holds what it holds now: one proof a value, in value order; of one value where it is named. */
  why(cell: Cell, value: Datum | undefined): Proof[] {
    const place = this.#place(cell);
    const found = place === null ? [] : this.#inForce(place.field, place.subject, this.#instant, null);
    const wanted = value === undefined ? undefined : this.#ledger.symbols.findDatumId(value);
    const held = wanted === undefined ? found : found.filter((one) => one.value === wanted);
    if (held.length === 0) {
      const spelled = spellCell(cell);
      const told =
        found.length === 0
          ? `${spelled} has no value in force, so there is nothing to explain: \`get(cell)\` shows every claim recorded there`
          : `that value is not in force at ${spelled}: \`why_not(cell, value)\` tells what keeps it from holding`;
      throw new Refusal("invalid_value", told, spelled);
    }
    const { symbols } = this.#ledger;
    const distinct = [...new Set(held.map((one) => one.value))].sort((a, b) => compareDatums(symbols.datumOf(a), symbols.datumOf(b)));
    return distinct.map((id) =>
      this.#proof(
        cell,
        held.filter((one) => one.value === id),
      ),
    );
  }
  /** Why a value, or any value, is not in force at a cell now, and what would bring it there. */
  whyNot(cell: Cell, value: Datum | undefined): Reason {
    checkField(this.#ledger, cell);
    const { symbols } = this.#ledger;
    const place = { field: symbols.fieldId(cell.kind, cell.field), subject: symbols.subjectId(cell.kind, cell.subject) };
    const none = symbols.datumId(null);
    const wanted = value === undefined ? -1 : symbols.datumId(value);
    const held = this.#inForce(place.field, place.subject, this.#instant, null).filter((one) => one.value !== none);
    if (wanted < 0 ? held.length > 0 : held.some((one) => one.value === wanted)) {
      const spelled = spellCell(cell);
      throw new Refusal(
        "invalid_value",
        `${spelled} ${wanted < 0 ? "has a value" : "holds that value"}: \`why(${spelled})\` gives its reasons`,
        `why(${spelled})`,
      );
    }
    const question = { ...place, value: wanted, at: this.#instant };
    return this.#ledger.reasoner!.look((view) => {
      const found = whyNot(view, { kindHolds: (kind) => this.#kindHolds(kind) }, question);
      return whyNotReason(found, {
        datumOf: (id) => symbols.datumOf(id),
        shown: (datum) => (datum instanceof Subject ? spellSubject(datum.kind, datum.name) : (view.calculus.format(datum, "r", "") ?? "…")),
      });
    });
  }

  /** Everything that rests on a cell now. */
  whatNeeds(cell: Cell): Reason {
    checkField(this.#ledger, cell);
    const { symbols, modules } = this.#ledger;
    const place = { field: symbols.fieldId(cell.kind, cell.field), subject: symbols.subjectId(cell.kind, cell.subject) };
    return this.#ledger.reasoner!.look((view) => whatNeeds(view, modules.constraints(), place, this.#instant));
  }

  #kindHolds(kind: string): boolean {
    for (const { id } of [...this.#ledger.symbols.fieldsOf(kind)]) if (this.#holdsAnything(id)) return true;
    return false;
  }

  /** `held`: the claims in force that give one value; a recorded one explains itself. */
  #proof(cell: Cell, held: readonly InForce[]): Proof {
    const one = held.find((candidate) => !isDerivedFact(candidate)) ?? held[0]!;
    const datum = this.#ledger.symbols.datumOf(one.value);
    if (!isDerivedFact(one)) return { cell, value: datum, claim: this.#claim(one, this.#instant), premises: [], repeated: false };
    const proof = this.#ledger.reasoner!.why(one.field, one.subject, one.value, this.#instant, proofClaims(this.#ledger));
    assert(proof !== null, "what a rule concludes has a proof");
    return proof;
  }

  // ---- claims in force ----

  #at(point: ReadPoint): number {
    return point.at ?? this.#instant;
  }

  /** As `#place`; of a subject nobody named a past moment can still be past answering. */
  #readable(cell: Cell, point: ReadPoint): { field: number; subject: number } | null {
    const place = this.#place(cell);
    if (place !== null || point.knownAt === undefined) return place;
    const field = this.#ledger.symbols.findFieldId(cell.kind, cell.field);
    const known = this.#known(point);
    if (field !== 0) known?.admit(field);
    return null;
  }

  /** The store as it was known at the point; null: as it stands. */
  #known(point: ReadPoint): KnownView | null {
    if (point.knownAt === undefined) return null;
    if (point.knownAt <= this.#instant) {
      return new KnownView(this.#ledger, this.#rulesThen(point.knownAt), { known: point.knownAt, at: this.#at(point) });
    }
    throw new Refusal(
      "invalid_value",
      "`known_at` is later than this call: what the store will have been told by then is not known",
      "known_at",
    );
  }

  /** Worked out once for many reads of one moment with nothing written between them. */
  #rulesThen(known: number): RulesThen {
    const { revision } = this.#ledger;
    if (this.#then?.known !== known || this.#then.revision !== revision) {
      this.#then = { known, revision, rules: rulesThen(this.#ledger, known) };
    }
    return this.#then.rules;
  }

  /** Null where no claim can be. Refuses `invalid_value` for a field the Kind does not have. */
  #place(cell: Cell): { field: number; subject: number } | null {
    const { symbols } = this.#ledger;
    const field = symbols.findFieldId(cell.kind, cell.field);
    const subject = symbols.findSubjectId(cell.kind, cell.subject);
    if (field !== 0 && subject !== 0 && !this.#ledger.modules.hasKinds) return { field, subject };
    checkField(this.#ledger, cell);
    return field === 0 || subject === 0 ? null : { field, subject };
  }

  #view(field: number, subject: number, at: number, known: KnownView | null): View {
    const { ledger, derived } = { ledger: this.#ledger, derived: known === null ? this.#derivedAt(field, subject) : NO_FACTS };
    if (known !== null) return known.cell(field, subject);
    return {
      rows: ledger.cells.standing(field, subject),
      preferred: ledger.belief.preferredAt(field, subject),
      derived: derived.length === 0 ? derived : derived.filter((fact) => holds(fact, at)),
    };
  }

  /** What is in force: one claim where there is a judge, every one where there is none. */
  #inForce(field: number, subject: number, at: number, known: KnownView | null): readonly InForce[] {
    return this.#resolve(field, at, this.#view(field, subject, at, known));
  }

  #resolve(field: number, at: number, { rows, preferred, derived }: View): readonly InForce[] {
    if (this.#ledger.isMany(field)) return [...rows.filter((row) => holds(row, at)), ...derived];
    const asserted = judgeAt(rows, at, preferred);
    if (derived.length === 0) return asserted === undefined ? [] : [asserted];
    const declared = this.#ledger.fieldType(field) !== null;
    for (const one of declared ? preferred : NO_PREFERENCE) {
      if (asserted?.source === one) return [asserted];
      const rule = this.#ledger.symbols.datumOf(one);
      const chosen = derived.filter((fact) => fact.rule === rule);
      if (chosen.length > 0) return [least(chosen)];
    }
    if (asserted !== undefined) return [asserted];
    // An undeclared field has no judge for what rules conclude.
    return declared ? [least(derived)] : derived;
  }

  /** The one claim a single answer rests on. Refuses `ambiguous` where values differ. */
  #judged(field: number, subject: number, at: number, known: KnownView | null, cell: Cell): InForce | undefined {
    const found = this.#inForce(field, subject, at, known);
    if (found.length <= 1) return found[0];
    if (found.some((one) => one.value !== found[0].value)) throw ambiguous(cell);
    const recorded = found.filter((one): one is ClaimRow => !isDerivedFact(one));
    return recorded.at(-1) ?? found[0];
  }

  #derivedAt(field: number, subject: number): readonly DerivedFact[] {
    return this.#ledger.isDerived(field) ? this.#ledger.reasoner!.derivedAt(field, subject) : NO_FACTS;
  }

  #recorded(field: number, subject: number): ClaimRow[] {
    const { cells } = this.#ledger;
    return [...cells.past(field, subject), ...cells.standing(field, subject)].sort(byPosition);
  }

  /** What is in force at a field, subject by subject, each once, and null now and then: others may have their turn. */
  *#fieldInForce(field: number, at: number, known: KnownView | null): Iterable<{ subject: number; held: readonly InForce[] } | null> {
    const ledger = this.#ledger;
    let looked = 0;
    if (known !== null) {
      for (const subject of known.subjects(field)) {
        yield { subject, held: this.#inForce(field, subject, at, known) };
        if (++looked % CELLS_AT_ONCE === 0) yield null;
      }
      return;
    }
    const isDerived = ledger.isDerived(field);
    const seen = isDerived ? new Set<number>() : null;
    for (const rows of ledger.cells.scan(field)) {
      const { subject } = rows[0];
      seen?.add(subject);
      const derived = isDerived ? this.#derivedAt(field, subject).filter((fact) => holds(fact, at)) : NO_FACTS;
      yield { subject, held: this.#resolve(field, at, { rows, preferred: ledger.belief.preferredAt(field, subject), derived }) };
      if (++looked % CELLS_AT_ONCE === 0) yield null;
    }
    if (seen === null) return;
    for (const subject of ledger.reasoner!.derivedSubjects(field)) {
      if (!seen.has(subject)) yield { subject, held: this.#inForce(field, subject, at, null) };
      if (++looked % CELLS_AT_ONCE === 0) yield null;
    }
  }

  #holdsAnything(field: number): boolean {
    for (const _ of this.#ledger.cells.scan(field)) return true;
    if (this.#ledger.isDerived(field)) for (const _ of this.#ledger.reasoner!.derivedSubjects(field)) return true;
    return false;
  }

  // ---- claims as a program sees them ----

  #claims(rows: readonly ClaimRow[]): Claim[] {
    return rows.map((row) => recordedClaim(this.#ledger, row));
  }

  #claim(one: InForce, at: number): Claim {
    return isDerivedFact(one) ? new DerivedClaim(this.#ledger, this.#owed, one, at) : recordedClaim(this.#ledger, one);
  }
}

/** What a field is asked for. */
interface Wanted {
  readonly field: number;
  /** The symbols of all values that pass; null where they are too many to tell. */
  readonly values: readonly number[] | null;
  readonly passes: (held: readonly InForce[]) => boolean;
}

interface View {
  readonly rows: readonly ClaimRow[];
  readonly preferred: Preferred;
  readonly derived: readonly DerivedFact[];
}

const NOTHING = { found: false, value: null } as const;
const NOTHING_WANTED: ReadonlyMap<string, Datum> = new Map();
/** Looked at between two chances for others. */
const CELLS_AT_ONCE = 256;
const NAMED_AT_ONCE = 2048;
const NO_FACTS: readonly DerivedFact[] = [];

/** Of rival conclusions: the least rule name, then the least value. `derivedAt` gives them in that order. */
function least(facts: readonly DerivedFact[]): DerivedFact {
  return facts[0];
}

function ambiguous(cell: Cell): Refusal {
  return new Refusal(
    "ambiguous",
    `${spellCell(cell)} holds several values and none is judged above the others: \`values(${spellCell(cell)})\` gives them all`,
    `values(${spellCell(cell)})`,
  );
}
