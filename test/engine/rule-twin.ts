/**
 * The rules once more, naively: all time is cut at every window end, and in each cut, stratum after stratum, every
 * assignment of every parameter and every cell is tried until nothing new follows. Obviously right and hopelessly slow;
 * the reasoner must agree with it, windows included.
 */
import { Datetime, type Datum, Float, Subject } from "../../src/datum";
import type { FieldType } from "../../src/engine/claim";
import { type CellTerm, type Constraint, type Generator, type Premise, type Rule, type RuleExpr, sameCell } from "../../src/engine/rule";
import { datumFromLiteral } from "../../src/engine/rule-literal";
import { componentsOf } from "../../src/engine/rule-order";
import { compareDatums } from "../../src/engine/value-order";
import { RULE_CALCULUS } from "../../src/lang/declare/rule-calculus";

export interface TwinFact {
  readonly kind: string;
  readonly subject: string;
  readonly field: string;
  readonly value: Datum;
}
/** A recorded claim, judged or not. */
export interface TwinClaim extends TwinFact {
  readonly source: string;
  readonly from: number;
  readonly to: number;
}
/** A conclusion over one of its maximal windows. */
export interface TwinConclusion extends TwinFact {
  readonly rule: string;
  readonly from: number;
  readonly to: number;
}
export interface TwinWorld {
  readonly rules: readonly Rule[];
  /** In the order in which they were recorded. */
  readonly claims: readonly TwinClaim[];
  readonly typeOf: (kind: string, field: string) => FieldType | null;
  /** Who is preferred at a cell, then who at its field. */
  readonly preferred: (kind: string, field: string, subject: string) => readonly string[];
}

/** A claim as a premise on a claim reads it. */
interface ReadClaim {
  readonly value: Datum;
  readonly trust: "asserted" | "derived";
  readonly source: string;
  readonly from: number;
  readonly to: number;
}

const EMPTY = Symbol("empty");
type Held = Datum | typeof EMPTY;
const same = (a: Datum, b: Datum) => compareDatums(a, b) === 0;
const equal = (a: Datum, b: Datum) => RULE_CALCULUS.compare("==", a, b) === true;
const fieldKey = (kind: string, field: string) => `${kind}|${field}`;
/** One text a fact. */
export const factKey = (fact: TwinFact) => `${cellKey(fact.kind, fact.field, fact.subject)}|${spellDatum(fact.value)}`;
const cellKey = (kind: string, field: string, subject: string) => `${kind}|${field}|${subject}`;

/** What holds in one cut of time. */
class Moment {
  readonly recorded: TwinClaim[] = [];
  readonly standing: readonly TwinClaim[];
  readonly derived: (TwinFact & { readonly rule: string })[] = [];
  component: ReadonlySet<string> = new Set();
  /** Null: everything. Else the only facts a premise finds. */
  #allowed: ReadonlySet<string> | null = null;
  readonly #recordedAt = new Map<string, TwinClaim[]>();
  readonly #derivedAt = new Map<string, (TwinFact & { readonly rule: string })[]>();

  constructor(
    readonly world: TwinWorld,
    readonly at: number,
    readonly concluded: ReadonlySet<string>,
    /** Maximal windows of what lower components conclude. */
    readonly windows: readonly TwinConclusion[],
    readonly work: { assignments: number },
  ) {
    this.standing = world.claims.filter((claim) => claim.from <= at && at < claim.to);
    const cells = new Map<string, TwinClaim[]>();
    for (const claim of this.standing) {
      const key = cellKey(claim.kind, claim.field, claim.subject);
      cells.set(key, [...(cells.get(key) ?? []), claim]);
    }
    for (const [key, there] of cells) {
      const { kind, field, subject } = there[0]!;
      const sources = world.preferred(kind, field, subject);
      const judged = [...sources.map((source) => there.filter((claim) => claim.source === source).at(-1)), there.at(-1)].find(
        (claim) => claim !== undefined,
      )!;
      const held = world.typeOf(kind, field)?.many === true ? there : [judged];
      this.#recordedAt.set(key, held);
      this.recorded.push(...held);
    }
  }

  /** What `body` reads is among these facts only. */
  within<T>(allowed: ReadonlySet<string> | null, body: () => T): T {
    const before = this.#allowed;
    this.#allowed = allowed;
    try {
      return body();
    } finally {
      this.#allowed = before;
    }
  }

  conclude(found: TwinFact & { readonly rule: string }): boolean {
    const key = cellKey(found.kind, found.field, found.subject);
    const there = this.#derivedAt.get(key) ?? [];
    if (there.some((one) => one.rule === found.rule && same(one.value, found.value))) return false;
    this.#derivedAt.set(key, [...there, found]);
    this.derived.push(found);
    return true;
  }

  range(kind: string): Subject[] {
    const out = new Map<string, Subject>();
    for (const f of this.recorded) {
      if (f.kind === kind) out.set(f.subject, new Subject(kind, f.subject));
      if (f.value instanceof Subject && f.value.kind === kind) out.set(f.value.name, f.value);
    }
    return [...out.values()];
  }

  /** The claims in force at a cell as a premise reads it, an asserted absence among them. */
  claims(kind: string, field: string, subject: string): ReadClaim[] {
    const held = this.#inForce(kind, field, subject);
    return this.#allowed === null ? held : held.filter(({ value }) => this.#allowed!.has(factKey({ kind, field, subject, value })));
  }

  #inForce(kind: string, field: string, subject: string): ReadClaim[] {
    const key = cellKey(kind, field, subject);
    const recorded = (this.#recordedAt.get(key) ?? []).map((claim): ReadClaim => ({ ...claim, trust: "asserted" }));
    const derived = (this.#derivedAt.get(key) ?? []).map((one): ReadClaim => {
      const window = this.windows.find(
        (w) =>
          w.rule === one.rule &&
          cellKey(w.kind, w.field, w.subject) === key &&
          same(w.value, one.value) &&
          w.from <= this.at &&
          this.at < w.to,
      );
      return { value: one.value, trust: "derived", source: one.rule, from: window?.from ?? Number.NaN, to: window?.to ?? Number.NaN };
    });
    derived.sort((a, b) => (a.source < b.source ? -1 : a.source > b.source ? 1 : compareDatums(a.value, b.value)));
    const type = this.world.typeOf(kind, field);
    const isJudged = type !== null && !type.many && this.concluded.has(fieldKey(kind, field));
    if (!isJudged || this.component.has(fieldKey(kind, field))) return [...recorded, ...derived];
    const sources = this.world.preferred(kind, field, subject);
    const judged = [
      ...sources.map((source) => [...recorded, ...derived].find((one) => one.source === source)),
      recorded[0],
      derived[0],
    ].find((claim) => claim !== undefined);
    return judged === undefined ? [] : [judged];
  }

  /** Values a premise reads at a cell. */
  read(kind: string, field: string, subject: string): Datum[] {
    const all: Datum[] = [];
    for (const { value } of this.claims(kind, field, subject)) if (value !== null && !all.some((v) => same(v, value))) all.push(value);
    return all;
  }
}

/** The naive way has no end in sight: more assignments were tried than this. The same world always ends the same way. */
export class TwinTooSlow extends Error {}
const ASSIGNMENTS_MAX = 20_000;

/** Instants at which something may change, from the beginning of time. */
export function cutsOf(claims: readonly TwinClaim[]): number[] {
  const ends = claims.flatMap(({ from, to }) => [from, to]).filter((end) => end !== Number.POSITIVE_INFINITY);
  return [...new Set([Number.NEGATIVE_INFINITY, ...ends])].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
}

export class RulesTwin {
  readonly conclusions: TwinConclusion[] = [];
  readonly #work = { assignments: 0 };
  readonly #cuts: readonly number[];
  readonly #moments: readonly Moment[];

  constructor(readonly world: TwinWorld) {
    const concluded = new Set(world.rules.map((r) => fieldKey(r.conclusion.cell.kind, r.conclusion.cell.field)));
    this.#cuts = cutsOf(world.claims);
    this.#moments = this.#cuts.map((at) => new Moment(world, at, concluded, this.conclusions, this.#work));
    for (const component of componentsOf(world.rules)) {
      const own = new Set(component.recursive ? component.fields.map((f) => fieldKey(f.kind, f.field)) : []);
      for (const moment of this.#moments) {
        moment.component = own;
        for (let grew = true; grew; ) {
          grew = false;
          for (const rule of component.rules) {
            for (const found of [...new RuleTwin(moment, rule).conclusions()]) if (moment.conclude(found)) grew = true;
          }
        }
        moment.component = new Set();
      }
      for (const rule of component.rules) this.#joinWindows(rule.name);
    }
  }

  moment(at: number): Moment {
    return this.#moments.filter((moment) => moment.at <= at).at(-1)!;
  }

  /** Whether a rule concludes a fact from these facts alone; what must not be there is looked for everywhere. */
  concludesFrom(name: string, allowed: ReadonlySet<string>, fact: TwinFact, at: number): boolean {
    const moment = this.moment(at);
    const component = componentsOf(this.world.rules).find(({ rules }) => rules.some((rule) => rule.name === name))!;
    const rule = component.rules.find((one) => one.name === name)!;
    moment.component = new Set(component.recursive ? component.fields.map((f) => fieldKey(f.kind, f.field)) : []);
    try {
      return moment.within(allowed, () => [...new RuleTwin(moment, rule).conclusions()].some((found) => factKey(found) === factKey(fact)));
    } finally {
      moment.component = new Set();
    }
  }

  #joinWindows(rule: string): void {
    const open = new Map<string, { fact: TwinFact & { readonly rule: string }; from: number }>();
    const close = (key: string, to: number) => {
      const { fact, from } = open.get(key)!;
      open.delete(key);
      this.conclusions.push({ ...fact, from, to });
    };
    for (const moment of this.#moments) {
      const now = new Map(moment.derived.filter((f) => f.rule === rule).map((f) => [factKey(f), f]));
      for (const key of [...open.keys()]) if (!now.has(key)) close(key, moment.at);
      for (const [key, fact] of now) if (!open.has(key)) open.set(key, { fact, from: moment.at });
    }
    for (const key of [...open.keys()]) close(key, Number.POSITIVE_INFINITY);
  }

  /** Subjects that breach a constraint at an instant; `matched` and `tested`: whether any match could be, and was, tested. */
  breaches(constraint: Constraint, at: number): { subjects: Set<string>; tested: boolean; matched: boolean } {
    const { name, variables, parameterCount, premises, line } = constraint;
    const kind = (variables[0]!.type as { kind: string }).kind;
    const cell: CellTerm = { kind, subject: { tag: "variable", variable: 0 }, field: "__verdict" };
    const verdict = (value: RuleExpr): Rule => ({
      name,
      computed: false,
      variables,
      parameterCount,
      premises,
      conclusion: { cell, value },
      line,
    });
    const yes: RuleExpr = { tag: "literal", literal: { type: "bool", value: true } };
    const no: RuleExpr = { tag: "literal", literal: { type: "bool", value: false } };
    const moment = this.moment(at);
    // biome-ignore lint/suspicious/noThenProperty: a branch of the rule language; nothing awaits it.
    const tests = [...new RuleTwin(moment, verdict({ tag: "if", test: constraint.require, then: yes, orelse: no })).conclusions()];
    const matched = [...new RuleTwin(moment, verdict(yes)).conclusions()].length > 0;
    return { subjects: new Set(tests.filter((t) => t.value === false).map((t) => t.subject)), tested: tests.length > 0, matched };
  }
}

/** One text a stored value. */
export function spellDatum(datum: Datum): string {
  if (datum instanceof Subject) return `${datum.kind}.${datum.name}`;
  if (datum instanceof Float) return `${Object.is(datum.v, -0) ? "-0" : datum.v}f`;
  return typeof datum === "string" ? JSON.stringify(datum) : String(datum);
}

class RuleTwin {
  readonly #cells: readonly CellTerm[];
  readonly #claimCells: readonly CellTerm[];

  constructor(
    readonly twin: Moment,
    readonly rule: Rule,
  ) {
    this.#cells = outerCells(rule);
    this.#claimCells = claimCells(rule);
  }

  *conclusions(): Iterable<TwinFact & { readonly rule: string }> {
    const { rule } = this;
    for (const match of this.matches()) {
      const value = match.expr(rule.conclusion.value, null);
      if (value === undefined || value === null) continue;
      const { kind, field } = rule.conclusion.cell;
      const type = this.twin.world.typeOf(kind, field);
      const held = type?.type === "real" && typeof value === "number" ? new Float(value) : value;
      if (type?.type === "real" && !(held instanceof Float)) continue;
      if (type?.type === "int" && typeof held !== "number") continue;
      yield { kind, field, subject: match.subject(rule.conclusion.cell), value: held, rule: rule.name };
    }
  }

  *matches(): Iterable<Match> {
    const { rule } = this;
    for (const params of this.assignments(0, [])) {
      for (const chosen of this.choices(this.#cells, params, new Map())) {
        for (const claims of this.claimChoices(this.#claimCells, params, chosen, new Map())) {
          if (++this.twin.work.assignments > ASSIGNMENTS_MAX) throw new TwinTooSlow();
          const match = new Match(this, params, chosen, claims);
          if (rule.premises.every((premise) => match.holds(premise, null))) yield match;
        }
      }
    }
  }

  *assignments(at: number, params: readonly Datum[]): Iterable<readonly Datum[]> {
    const { rule, twin } = this;
    if (at === rule.parameterCount) {
      yield params;
      return;
    }
    const { type } = rule.variables[at]!;
    const bound = rule.premises.some((p) => p.tag === "bind" && p.variable === at);
    const candidates: Datum[] = [];
    if (type.tag === "kind" && !bound) candidates.push(...twin.range(type.kind));
    else {
      for (const f of [...twin.recorded, ...twin.derived]) {
        const fits =
          type.tag === "kind"
            ? f.value instanceof Subject && f.value.kind === type.kind
            : type.type === "any"
              ? f.value !== null
              : type.type === "int" && typeof f.value === "number";
        if (fits && !candidates.some((c) => same(c, f.value))) candidates.push(f.value);
      }
    }
    for (const candidate of candidates) yield* this.assignments(at + 1, [...params, candidate]);
  }

  *choices(cells: readonly CellTerm[], params: readonly Datum[], chosen: Map<string, Held>): Iterable<Map<string, Held>> {
    const [cell, ...rest] = cells;
    if (cell === undefined) {
      yield chosen;
      return;
    }
    const values = this.twin.read(cell.kind, cell.field, subjectName(cell, params));
    for (const value of values.length === 0 ? [EMPTY as Held] : values)
      yield* this.choices(rest, params, new Map([...chosen, [JSON.stringify(cell), value]]));
  }

  /** For each cell whose claim is asked about: some claim that gives what the match took there. */
  *claimChoices(
    cells: readonly CellTerm[],
    params: readonly Datum[],
    chosen: ReadonlyMap<string, Held>,
    claims: ReadonlyMap<string, ReadClaim | null>,
  ): Iterable<ReadonlyMap<string, ReadClaim | null>> {
    const [cell, ...rest] = cells;
    if (cell === undefined) {
      yield claims;
      return;
    }
    const key = JSON.stringify(cell);
    const took = chosen.get(key);
    const binding = this.rule.premises.find((p) => p.tag === "bind" && sameCell(p.cell, cell)) as
      | Extract<Premise, { tag: "bind" }>
      | undefined;
    const gives = (value: Datum) => {
      if (value === null) return false;
      if (took !== undefined) return took !== EMPTY && same(value, took);
      return this.bindingMet(binding!, value, params[binding!.variable]!);
    };
    const there = this.twin.claims(cell.kind, cell.field, subjectName(cell, params)).filter((claim) => gives(claim.value));
    for (const claim of there.length === 0 ? [null] : there)
      yield* this.claimChoices(rest, params, chosen, new Map([...claims, [key, claim]]));
  }

  /** The first binding of a parameter gives it its value; the others compare. */
  bindingMet(premise: Extract<Premise, { tag: "bind" }>, value: Datum, wanted: Datum): boolean {
    const first = this.rule.premises.find((p) => p.tag === "bind" && p.variable === premise.variable) === premise;
    return first || wanted instanceof Subject ? same(value, wanted) : equal(value, wanted);
  }
}

function subjectName(cell: CellTerm, params: readonly Datum[]): string {
  return cell.subject.tag === "fixed" ? cell.subject.name : (params[cell.subject.variable] as Subject).name;
}

/** A generator's row under test: its subject and its cells. */
interface Row {
  readonly variable: number;
  readonly subject: Subject;
  readonly cells: ReadonlyMap<string, Datum>;
  readonly folded: ReadonlySet<string>;
}

class Match {
  readonly twin: Moment;
  readonly rule: Rule;

  constructor(
    readonly of: RuleTwin,
    readonly params: readonly Datum[],
    readonly cells: ReadonlyMap<string, Held>,
    readonly claims: ReadonlyMap<string, ReadClaim | null>,
  ) {
    this.twin = of.twin;
    this.rule = of.rule;
  }

  subject(cell: CellTerm, row: Row | null = null): string {
    if (cell.subject.tag === "variable" && row !== null && cell.subject.variable === row.variable) return row.subject.name;
    return subjectName(cell, this.params);
  }

  variable(variable: number, row: Row | null): Datum {
    return row !== null && variable === row.variable ? row.subject : this.params[variable]!;
  }

  cell(cell: CellTerm, row: Row | null): Datum | undefined {
    const key = JSON.stringify(cell);
    const held = row?.cells.get(key) ?? this.cells.get(key);
    if (held === undefined) throw new Error(`cell not chosen: ${key}`);
    return held === EMPTY ? undefined : held;
  }

  holds(premise: Premise, row: Row | null): boolean {
    switch (premise.tag) {
      case "bind": {
        const wanted = this.variable(premise.variable, row);
        if (row?.folded.has(JSON.stringify(premise.cell))) {
          const held = this.cell(premise.cell, row);
          return held !== undefined && equal(held, wanted);
        }
        const values = this.twin.read(premise.cell.kind, premise.cell.field, this.subject(premise.cell, row));
        if (row !== null) return values.some((v) => (wanted instanceof Subject ? same(v, wanted) : equal(v, wanted)));
        return values.some((v) => this.of.bindingMet(premise, v, wanted));
      }
      case "compare": {
        const a = this.expr(premise.left, row);
        const b = this.expr(premise.right, row);
        return a !== undefined && b !== undefined && a !== null && b !== null && RULE_CALCULUS.compare(premise.op, a, b) === true;
      }
      case "text": {
        const a = this.expr(premise.of, row);
        const b = this.expr(premise.part, row);
        if (typeof a !== "string" || typeof b !== "string") return false;
        return (
          (premise.test === "in" ? a.includes(b) : premise.test === "startswith" ? a.startsWith(b) : a.endsWith(b)) !== premise.negated
        );
      }
      case "among": {
        const a = this.expr(premise.of, row);
        return a !== undefined && a !== null && premise.items.some((item) => equal(datumFromLiteral(item), a)) !== premise.negated;
      }
      case "present":
        return this.twin.read(premise.cell.kind, premise.cell.field, this.subject(premise.cell, row)).length > 0;
      case "absent":
        return this.twin.within(
          null,
          () => this.twin.read(premise.cell.kind, premise.cell.field, this.subject(premise.cell, row)).length === 0,
        );
      case "any":
        return this.rows(premise.over, null).length > 0;
      case "none":
        return this.twin.within(null, () => this.rows(premise.over, null).length === 0);
      case "not_asserted":
        return !this.twin.standing.some(
          (f) => f.kind === premise.cell.kind && f.field === premise.cell.field && f.subject === this.subject(premise.cell),
        );
    }
  }

  /** Rows of a generator that meet its conditions; for each the folded value. */
  rows(over: Generator, of: RuleExpr | null): (Datum | undefined | "out")[] {
    const out: (Datum | undefined | "out")[] = [];
    const type = this.rule.variables[over.variable]!.type;
    if (type.tag !== "kind") throw new Error("a generator ranges over a Kind");
    const own = (cell: CellTerm) => cell.subject.tag === "variable" && cell.subject.variable === over.variable;
    const folded: CellTerm[] = [];
    if (of !== null) exprCells(of, (cell) => own(cell) && !folded.some((c) => sameCell(c, cell)) && folded.push(cell));
    const asked: CellTerm[] = [];
    for (const condition of over.conditions)
      premiseCells(condition, (cell) => own(cell) && ![...folded, ...asked].some((c) => sameCell(c, cell)) && asked.push(cell));
    const foldedKeys = new Set(folded.map((c) => JSON.stringify(c)));
    for (const subject of this.twin.range(type.kind)) {
      for (const rowCells of this.products(folded, subject, new Map())) {
        const met = [...this.products(asked, subject, rowCells)].some((cells) =>
          over.conditions.every((condition) => this.holds(condition, { variable: over.variable, subject, cells, folded: foldedKeys })),
        );
        if (!met) continue;
        if (of === null) {
          out.push(true);
          continue;
        }
        const row: Row = { variable: over.variable, subject, cells: rowCells, folded: foldedKeys };
        let empty = false;
        exprCells(of, (cell) => {
          if (!own(cell) && this.cell(cell, row) === undefined) empty = true;
        });
        out.push(empty ? "out" : this.expr(of, row));
      }
    }
    return out;
  }

  *products(cells: readonly CellTerm[], subject: Subject, chosen: ReadonlyMap<string, Datum>): Iterable<ReadonlyMap<string, Datum>> {
    const [cell, ...rest] = cells;
    if (cell === undefined) {
      yield chosen;
      return;
    }
    for (const value of this.twin.read(cell.kind, cell.field, subject.name))
      yield* this.products(rest, subject, new Map([...chosen, [JSON.stringify(cell), value]]));
  }

  expr(expr: RuleExpr, row: Row | null): Datum | undefined {
    switch (expr.tag) {
      case "literal":
        return datumFromLiteral(expr.literal);
      case "variable":
        return this.variable(expr.variable, row);
      case "cell":
        return this.cell(expr.cell, row);
      case "unary": {
        const a = this.expr(expr.operand, row);
        return a === undefined || a === null ? undefined : RULE_CALCULUS.unary(expr.op, a);
      }
      case "binary": {
        const a = this.expr(expr.left, row);
        const b = this.expr(expr.right, row);
        return a === undefined || b === undefined || a === null || b === null ? undefined : RULE_CALCULUS.binary(expr.op, a, b);
      }
      case "text": {
        let text = "";
        for (const part of expr.parts) {
          if (part.tag === "chars") text += part.text;
          else {
            const value = this.expr(part.value, row);
            if (value === undefined) return undefined;
            text += RULE_CALCULUS.format(value, part.conversion, part.spec);
          }
        }
        return text;
      }
      case "fold": {
        const rows = this.rows(expr.over, expr.of);
        return expr.op === "count" ? rows.length : fold(expr.op, rows.filter((r) => r !== "out") as (Datum | undefined)[]);
      }
      case "if": {
        for (const test of expr.test) {
          if (test.tag === "compare") {
            const a = this.expr(test.left, row);
            const b = this.expr(test.right, row);
            if (a === undefined || b === undefined || a === null || b === null || RULE_CALCULUS.compare(test.op, a, b) === undefined)
              return undefined;
          }
          if (!this.holds(test, row)) return this.expr(expr.orelse, row);
        }
        return this.expr(expr.then, row);
      }
      case "claim": {
        const claim = this.claims.get(JSON.stringify(expr.cell));
        if (claim === null || claim === undefined) return undefined;
        if (expr.property === "trust" || expr.property === "source") return claim[expr.property];
        const bound = expr.property === "valid_from" ? claim.from : claim.to;
        return Number.isFinite(bound) ? new Datetime(bound) : undefined;
      }
    }
  }
}

/** Plain arithmetic: exact for the ints and halves that the tests use; how sums are rounded is rule-fold.test.ts's. */
function fold(op: "sum" | "min" | "max" | "avg", values: readonly (Datum | undefined)[]): Datum | undefined {
  const plain = (value: Datum | undefined) => (typeof value === "number" ? value : value instanceof Float ? value.v : null);
  if (op === "sum" || op === "avg") {
    const numbers = values.map(plain);
    if (numbers.includes(null)) return undefined;
    const sum = (numbers as number[]).reduce((a, b) => a + b, 0);
    if (op === "avg") return values.length === 0 ? undefined : new Float(sum / values.length);
    return values.some((value) => value instanceof Float) ? new Float(sum) : sum;
  }
  let best: Datum | undefined;
  for (const value of values) {
    if (value === undefined || value === null) return undefined;
    const better = best === undefined ? true : RULE_CALCULUS.compare(op === "min" ? "<" : ">", value, best);
    if (better === undefined) return undefined;
    if (better || (equal(value, best!) && compareDatums(value, best!) < 0)) best = value;
  }
  return best;
}

/** Cells of the match: those of premises and value, those of outer subjects inside generators too. */
function outerCells(rule: Rule): CellTerm[] {
  const out: CellTerm[] = [];
  const add = (cell: CellTerm) => {
    const outer = cell.subject.tag === "fixed" || cell.subject.variable < rule.parameterCount;
    if (outer && !out.some((c) => sameCell(c, cell))) out.push(cell);
  };
  for (const premise of rule.premises) premiseCells(premise, add);
  exprCells(rule.conclusion.value, add);
  // A claim is read at the cell's ordinary occurrence, else at its first binding; where there is neither, it makes one.
  for (const cell of claimCells(rule)) if (!rule.premises.some((p) => p.tag === "bind" && sameCell(p.cell, cell))) add(cell);
  return out;
}

/** Cells whose claim the rule asks about, each once. */
function claimCells(rule: Rule): CellTerm[] {
  const out: CellTerm[] = [];
  const visit = (node: unknown): void => {
    if (typeof node !== "object" || node === null) return;
    const { tag, cell } = node as { tag?: string; cell?: CellTerm };
    if (tag === "claim" && !out.some((c) => sameCell(c, cell!))) out.push(cell!);
    for (const child of Object.values(node)) visit(child);
  };
  visit(rule.premises);
  visit(rule.conclusion.value);
  return out;
}

function premiseCells(premise: Premise, visit: (cell: CellTerm) => void): void {
  if (premise.tag === "compare") {
    exprCells(premise.left, visit);
    exprCells(premise.right, visit);
  } else if (premise.tag === "text") {
    exprCells(premise.of, visit);
    exprCells(premise.part, visit);
  } else if (premise.tag === "among") exprCells(premise.of, visit);
  else if (premise.tag === "any" || premise.tag === "none") for (const condition of premise.over.conditions) premiseCells(condition, visit);
}

function exprCells(expr: RuleExpr, visit: (cell: CellTerm) => void): void {
  if (expr.tag === "cell") visit(expr.cell);
  else if (expr.tag === "unary") exprCells(expr.operand, visit);
  else if (expr.tag === "binary") {
    exprCells(expr.left, visit);
    exprCells(expr.right, visit);
  } else if (expr.tag === "text") {
    for (const part of expr.parts) if (part.tag === "field") exprCells(part.value, visit);
  } else if (expr.tag === "fold") {
    exprCells(expr.of, visit);
    for (const condition of expr.over.conditions) premiseCells(condition, visit);
  } else if (expr.tag === "if") {
    for (const test of expr.test) premiseCells(test, visit);
    exprCells(expr.then, visit);
    exprCells(expr.orelse, visit);
  }
}
