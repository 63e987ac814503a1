/**
 * Does the store meet the reasoning over it (contract §9.6; rulings, "checkup", "checkup, what counts", "Constraints").
 *
 * What rules and constraints need is read off them (rule-need.ts) and held against what is recorded now: fields that
 * nothing gives a value, Kinds that nothing reads, and pairs of the two that differ by a letter or two. Constraints are
 * rules whose value is whether their `require` holds, so they mean what rules mean. Changes nothing.
 */
import { Subject } from "../datum";
import { spellField, spellSubject } from "./address";
import { editDistance } from "./edit-distance";
import type { Ledger } from "./ledger";
import type { CellTerm, Constraint, Rule } from "./rule";
import type { RuleLook } from "./rule-look";
import { kindsRead, needsOfConstraint, needsOfRule } from "./rule-need";
import type { Sliced } from "./rule-work";
import { holds } from "./span";
import { compareDatums, compareText } from "./value-order";

export type UnmetClass = "no-such-kind" | "no-values" | "not-in-force";

export interface Unmet {
  readonly kind: string;
  readonly field: string;
  readonly why: UnmetClass;
}

export interface Violated {
  /** `module.constraint`. */
  readonly constraint: string;
  /** Subjects that breach it. */
  readonly count: number;
  /** The least five, spelled. */
  readonly subjects: readonly string[];
}

export interface CheckupCounts {
  readonly rules: number;
  readonly unfirable: number;
  readonly unreadable: number;
  readonly declined: number;
  readonly kinds: number;
  readonly unread: number;
  readonly constraints: number;
  readonly unevaluable: number;
  readonly violated: number;
}

export interface Checkup {
  readonly counts: CheckupCounts;
  readonly unmet: readonly Unmet[];
  readonly unread: readonly string[];
  /** An unread Kind and one that something unmet is of. */
  readonly near: readonly (readonly [unread: string, unmet: string])[];
  readonly violated: readonly Violated[];
}

interface Tested {
  readonly unevaluable: boolean;
  readonly violated: Violated | null;
}

const SUBJECTS_NAMED = 5;

/** A step a claim or a conclusion that is asked, or some facts that a constraint or a rule looks at. */
export function checkingUp(ledger: Ledger, instant: number): Sliced<Checkup> {
  return ledger.readers.reading(() => new Checker(ledger, instant).report());
}

/** The findings, one a line, after the counts. */
export function checkupLines({ counts, unmet, unread, near, violated }: Checkup): string[] {
  return [
    `counts ${Object.entries(counts)
      .map(([name, count]) => `${name}=${count}`)
      .join(" ")}`,
    ...unmet.map(({ kind, field, why }) => `unmet ${spellField(kind, field)} ${why}`),
    ...unread.map((kind) => `unread ${kind}`),
    ...near.map(([a, b]) => `near ${a} ~ ${b}`),
    ...violated.map(({ constraint, count, subjects }) => `violated ${constraint} ${count} ${subjects.join(" ")}`),
  ];
}

class Checker {
  readonly #ledger: Ledger;
  readonly #instant: number;
  readonly #rules: readonly Rule[];
  readonly #constraints: readonly Constraint[];
  /** By the field they conclude at, as it is spelled. */
  readonly #concluding = new Map<string, Rule[]>();
  readonly #look: RuleLook | null;
  readonly #unmet = new Map<string, Unmet | null>();
  readonly #held = new Map<string, boolean>();

  constructor(ledger: Ledger, instant: number) {
    this.#ledger = ledger;
    this.#instant = instant;
    this.#rules = ledger.modules.rules();
    this.#constraints = ledger.modules.constraints();
    for (const rule of this.#rules) {
      const { kind, field } = rule.conclusion.cell;
      const known = this.#concluding.get(spellField(kind, field));
      if (known === undefined) this.#concluding.set(spellField(kind, field), [rule]);
      else known.push(rule);
    }
    this.#look = ledger.reasoner?.newLook() ?? null;
  }

  *report(): Sliced<Checkup> {
    const kinds = yield* this.#recordedKinds();
    const read = new Set<string>();
    for (const declaration of [...this.#rules, ...this.#constraints]) for (const kind of kindsRead(declaration)) read.add(kind);
    const unread = [...kinds].filter((kind) => !read.has(kind)).sort(compareText);
    const unmet = yield* this.#unmetFields();
    const tested: Tested[] = [];
    for (const constraint of this.#constraints) tested.push(yield* this.#test(constraint));
    const violated = tested.flatMap(({ violated: one }) => one ?? []).sort((a, b) => compareText(a.constraint, b.constraint));
    const authored = this.#rules.filter((rule) => !rule.computed);
    const unfirable = yield* this.#unfirable();
    const declined = this.#look === null ? new Set<string>() : yield* this.#look.declining(this.#instant);
    const unreadable = this.#ledger.modules.unreadable();
    return {
      counts: {
        rules: authored.length + unreadable.rules,
        unfirable: authored.filter((rule) => unfirable.has(rule)).length,
        unreadable: unreadable.rules,
        declined: authored.filter((rule) => declined.has(rule.name)).length,
        kinds: kinds.size,
        unread: unread.length,
        constraints: this.#constraints.length + unreadable.constraints,
        unevaluable: tested.filter((one) => one.unevaluable).length + unreadable.constraints,
        violated: violated.length,
      },
      unmet,
      unread,
      near: nearKinds(unread, [...new Set(unmet.map(({ kind }) => kind))].sort(compareText)),
      violated,
    };
  }

  // ---- what is recorded ----

  *#recordedKinds(): Sliced<Set<string>> {
    const kinds = new Set<string>();
    for (const { id, kind } of this.#ledger.symbols.allFields()) {
      yield;
      if (kinds.has(kind)) continue;
      for (const _ of this.#ledger.cells.scan(id)) {
        kinds.add(kind);
        break;
      }
    }
    return kinds;
  }

  /** Anything under the Kind, recorded or concluded, in force or not. */
  #kindHolds(kind: string): boolean {
    for (const { id } of [...this.#ledger.symbols.fieldsOf(kind)]) {
      for (const _ of this.#ledger.cells.scan(id)) return true;
      if (this.#ledger.isDerived(id)) for (const _ of this.#ledger.reasoner!.derivedSubjects(id)) return true;
    }
    return false;
  }

  // ---- unmet ----

  *#unmetFields(): Sliced<Unmet[]> {
    yield* this.#ask();
    const named = new Map<string, CellTerm>();
    const name = (cells: readonly CellTerm[]) => {
      for (const cell of cells) named.set(spellField(cell.kind, cell.field), cell);
    };
    for (const rule of this.#rules) {
      const branches = needsOfRule(rule);
      for (const { useful } of branches) name(useful);
      // What one branch needs and another does without is wanted only where no branch has all it needs.
      const inAll = branches[0]!.needed.filter((cell) =>
        branches.every(({ needed }) => needed.some((other) => other.kind === cell.kind && other.field === cell.field)),
      );
      const stuck = branches.every(({ needed }) => needed.some((cell) => this.#unmetAt(cell) !== null));
      if (stuck) for (const { needed } of branches) name(needed);
      else name(inAll);
    }
    for (const constraint of this.#constraints) {
      const { needed, useful } = needsOfConstraint(constraint);
      name([...needed, ...useful]);
    }
    return [...named].sort(([a], [b]) => compareText(a, b)).flatMap(([, cell]) => this.#unmetAt(cell) ?? []);
  }

  /** Asks of every field that a rule or a constraint needs. */
  *#ask(): Sliced<void> {
    for (const { needed, useful } of [...this.#rules.flatMap(needsOfRule), ...this.#constraints.map(needsOfConstraint)]) {
      for (const { kind, field } of [...needed, ...useful]) {
        const key = spellField(kind, field);
        if (this.#unmet.has(key)) continue;
        const why = this.#rulesAt(kind, field).length > 0 ? null : yield* this.#unmetClass(kind, field);
        this.#unmet.set(key, why === null ? null : { kind, field, why });
      }
    }
  }

  /** Why no recorded value stands at the field now; null where one does, or where a rule concludes. */
  #unmetAt({ kind, field }: CellTerm): Unmet | null {
    return this.#unmet.get(spellField(kind, field))!;
  }

  *#unmetClass(kind: string, field: string): Sliced<UnmetClass | null> {
    const { symbols, cells } = this.#ledger;
    const none = symbols.findDatumId(null);
    const id = symbols.findFieldId(kind, field);
    let values = false;
    if (id !== 0) {
      for (const rows of cells.scan(id)) {
        for (const row of rows) {
          if (row.value === none) continue;
          if (holds(row, this.#instant)) return null;
          values = true;
        }
        yield;
      }
    }
    if (values) return "not-in-force";
    return this.#kindHolds(kind) ? "no-values" : "no-such-kind";
  }

  // ---- firing ----

  /** Least set of rules that can fire, then the others. */
  *#unfirable(): Sliced<Set<Rule>> {
    const stuck = new Set(this.#rules);
    for (let grew = true; grew; ) {
      grew = false;
      for (const rule of stuck) {
        if (!(yield* this.#canFire(rule, stuck))) continue;
        stuck.delete(rule);
        grew = true;
      }
    }
    return stuck;
  }

  *#canFire(rule: Rule, stuck: ReadonlySet<Rule>): Sliced<boolean> {
    branches: for (const { needed } of needsOfRule(rule)) {
      for (const cell of needed) if (!(yield* this.#canHold(cell, stuck))) continue branches;
      return true;
    }
    return false;
  }

  *#canHold(cell: CellTerm, stuck: ReadonlySet<Rule>): Sliced<boolean> {
    const concluding = this.#rulesAt(cell.kind, cell.field);
    if (concluding.length === 0) return this.#unmetAt(cell) === null;
    return concluding.some((rule) => !stuck.has(rule)) || (yield* this.#holdsNow(cell));
  }

  /** Some value, recorded or concluded, is in force at the field. */
  *#holdsNow({ kind, field }: CellTerm): Sliced<boolean> {
    const key = spellField(kind, field);
    const known = this.#held.get(key);
    if (known !== undefined) return known;
    const found = (yield* this.#unmetClass(kind, field)) === null || (yield* this.#concludedNow(kind, field));
    this.#held.set(key, found);
    return found;
  }

  *#concludedNow(kind: string, field: string): Sliced<boolean> {
    const id = this.#ledger.symbols.findFieldId(kind, field);
    const { reasoner } = this.#ledger;
    if (id === 0 || reasoner === null) return false;
    for (const subject of reasoner.derivedSubjects(id)) {
      if (reasoner.derivedAt(id, subject).some((fact) => holds(fact, this.#instant))) return true;
      yield;
    }
    return false;
  }

  #rulesAt(kind: string, field: string): readonly Rule[] {
    return this.#concluding.get(spellField(kind, field)) ?? [];
  }

  // ---- constraints ----

  *#test(constraint: Constraint): Sliced<Tested> {
    const { symbols } = this.#ledger;
    if (this.#look === null) return { unevaluable: true, violated: null };
    let tested = false;
    const breaching = new Set<number>();
    yield* this.#look.matching(verdictOf(constraint), this.#instant, (subject, value) => {
      tested = true;
      if (symbols.datumOf(value) === false) breaching.add(subject);
    });
    if (breaching.size > 0) {
      const subjects = [...breaching].map((id) => symbols.datumOf(id)).sort(compareDatums);
      const named = subjects
        .slice(0, SUBJECTS_NAMED)
        .map((one) => (one instanceof Subject ? spellSubject(one.kind, one.name) : String(one)));
      return { unevaluable: false, violated: { constraint: constraint.name, count: breaching.size, subjects: named } };
    }
    if (tested) return { unevaluable: false, violated: null };
    let matched = false;
    const unasked = { ...verdictOf(constraint), conclusion: { cell: verdictCell(constraint), value: literal(true) } };
    yield* this.#look.matching(unasked, this.#instant, () => {
      matched = true;
    });
    return { unevaluable: matched, violated: null };
  }
}

/** The constraint as a rule whose value says whether `require` holds; none where that reads an empty cell. */
function verdictOf(constraint: Constraint): Rule {
  const { name, variables, parameterCount, premises, require, line } = constraint;
  // biome-ignore lint/suspicious/noThenProperty: a branch of the rule language; nothing awaits it.
  const value = { tag: "if", test: require, then: literal(true), orelse: literal(false) } as const;
  return { name, computed: false, variables, parameterCount, premises, conclusion: { cell: verdictCell(constraint), value }, line };
}

/** No field of a store begins with two underscores. */
function verdictCell({ variables }: Constraint): CellTerm {
  const type = variables[0]!.type;
  return { kind: type.tag === "kind" ? type.kind : "", subject: { tag: "variable", variable: 0 }, field: "__verdict" };
}

function literal(value: boolean) {
  return { tag: "literal", literal: { type: "bool", value } } as const;
}

/** Last name segments at most two letters apart, one where a name has four or fewer; equal ones are the forgotten import. */
function nearKinds(unread: readonly string[], unmet: readonly string[]): (readonly [string, string])[] {
  const out: (readonly [string, string])[] = [];
  for (const a of unread) {
    for (const b of unmet) {
      if (a === b) continue;
      const x = lastSegment(a);
      const y = lastSegment(b);
      const max = Math.min([...x].length, [...y].length) <= 4 ? 1 : 2;
      if (editDistance(x, y, max) <= max) out.push([a, b]);
    }
  }
  return out;
}

function lastSegment(kind: string): string {
  return kind.slice(kind.lastIndexOf(".") + 1);
}
