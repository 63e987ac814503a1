/**
 * The rules once more, naively: at one instant, every assignment of every parameter and every cell is tried, stratum
 * after stratum until nothing new follows. Obviously right and hopelessly slow; the reasoner must agree with it.
 */
import { type Datum, Float, Subject } from "../../src/datum";
import type { FieldType } from "../../src/engine/claim";
import { type CellTerm, type Generator, type Premise, type Rule, type RuleExpr, sameCell } from "../../src/engine/rule";
import { fold } from "../../src/engine/rule-aggregate";
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
export interface TwinDerived extends TwinFact {
  readonly rule: string;
}

const EMPTY = Symbol("empty");
type Held = Datum | typeof EMPTY;
const same = (a: Datum, b: Datum) => compareDatums(a, b) === 0;
const equal = (a: Datum, b: Datum) => RULE_CALCULUS.compare("==", a, b) === true;
const fieldKey = (kind: string, field: string) => `${kind}|${field}`;

class Twin {
  derived: TwinDerived[] = [];
  component: ReadonlySet<string> = new Set();
  constructor(
    readonly recorded: readonly TwinFact[],
    readonly typeOf: (kind: string, field: string) => FieldType | null,
    readonly concluded: ReadonlySet<string>,
  ) {}

  range(kind: string): Subject[] {
    const out = new Map<string, Subject>();
    for (const f of this.recorded) {
      if (f.kind === kind) out.set(f.subject, new Subject(kind, f.subject));
      if (f.value instanceof Subject && f.value.kind === kind) out.set(f.value.name, f.value);
    }
    return [...out.values()];
  }

  /** Values a premise reads at a cell. */
  read(kind: string, field: string, subject: string): Datum[] {
    const at = (f: TwinFact) => f.kind === kind && f.field === field && f.subject === subject;
    const recorded = this.recorded.filter(at);
    const derived = this.derived.filter(at);
    const key = fieldKey(kind, field);
    const type = this.typeOf(kind, field);
    if (!this.component.has(key) && type !== null && !type.many && this.concluded.has(key)) {
      if (recorded.length > 0) return recorded.map((f) => f.value).filter((v) => v !== null);
      const [least] = derived.sort((a, b) => (a.rule < b.rule ? -1 : a.rule > b.rule ? 1 : compareDatums(a.value, b.value)));
      return least === undefined ? [] : [least.value];
    }
    const all: Datum[] = [];
    for (const f of [...recorded, ...derived]) if (f.value !== null && !all.some((v) => same(v, f.value))) all.push(f.value);
    return all;
  }
}

/** Everything the rules conclude at the instant at which the recorded facts hold. */
export function twinDerived(
  rules: readonly Rule[],
  recorded: readonly TwinFact[],
  typeOf: (kind: string, field: string) => FieldType | null,
): TwinDerived[] {
  const concluded = new Set(rules.map((r) => fieldKey(r.conclusion.cell.kind, r.conclusion.cell.field)));
  const twin = new Twin(recorded, typeOf, concluded);
  for (const component of componentsOf(rules)) {
    twin.component = new Set(component.recursive ? component.fields.map((f) => fieldKey(f.kind, f.field)) : []);
    for (let grew = true; grew; ) {
      grew = false;
      for (const rule of component.rules) {
        for (const found of new RuleTwin(twin, rule).conclusions()) {
          if (
            twin.derived.some(
              (d) =>
                d.rule === found.rule &&
                d.kind === found.kind &&
                d.field === found.field &&
                d.subject === found.subject &&
                same(d.value, found.value),
            )
          )
            continue;
          twin.derived.push(found);
          grew = true;
        }
      }
    }
  }
  return twin.derived;
}

class RuleTwin {
  constructor(
    readonly twin: Twin,
    readonly rule: Rule,
  ) {}

  *conclusions(): Iterable<TwinDerived> {
    const { rule } = this;
    for (const match of this.matches()) {
      const value = match.expr(rule.conclusion.value, null);
      if (value === undefined || value === null) continue;
      const { kind, field } = rule.conclusion.cell;
      const type = this.twin.typeOf(kind, field);
      const held = type?.type === "real" && typeof value === "number" ? new Float(value) : value;
      yield { kind, field, subject: match.subject(rule.conclusion.cell), value: held, rule: rule.name };
    }
  }

  *matches(): Iterable<Match> {
    const { rule } = this;
    for (const params of this.assignments(0, [])) {
      const cells = outerCells(rule);
      for (const chosen of this.choices(cells, params, new Map())) {
        const match = new Match(this.twin, rule, params, chosen);
        if (rule.premises.every((premise) => match.holds(premise, null))) yield match;
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
  constructor(
    readonly twin: Twin,
    readonly rule: Rule,
    readonly params: readonly Datum[],
    readonly cells: ReadonlyMap<string, Held>,
  ) {}

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
        const first = row === null && this.rule.premises.find((p) => p.tag === "bind" && p.variable === premise.variable) === premise;
        const values = this.twin.read(premise.cell.kind, premise.cell.field, this.subject(premise.cell, row));
        return values.some((v) => (first || wanted instanceof Subject ? same(v, wanted) : equal(v, wanted)));
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
      case "absent":
        return (
          this.twin.read(premise.cell.kind, premise.cell.field, this.subject(premise.cell, row)).length > 0 === (premise.tag === "present")
        );
      case "any":
      case "none":
        return this.rows(premise.over, null).length > 0 === (premise.tag === "any");
      case "not_asserted":
        return !this.twin.recorded.some(
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
        return fold(expr.op, (expr.op === "count" ? rows : rows.filter((r) => r !== "out")) as (Datum | undefined)[], RULE_CALCULUS);
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
        if (expr.property !== "trust") throw new Error("the twin knows trust alone");
        const value = this.cell(expr.cell, row);
        if (value === undefined) return undefined;
        // Some claim that gives the value; tests use fields that are recorded or derived, not both.
        const at = this.twin.recorded.some(
          (f) =>
            f.kind === expr.cell.kind &&
            f.field === expr.cell.field &&
            f.subject === this.subject(expr.cell) &&
            f.value !== null &&
            same(f.value, value),
        );
        return at ? "asserted" : "derived";
      }
    }
  }
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
  if (expr.tag === "cell" || expr.tag === "claim") visit(expr.cell);
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
