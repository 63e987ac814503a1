/**
 * From a rule as written to clauses as run.
 *
 * A clause is a conjunction over numbered *slots*, each holding a value id: positive atoms (a fact of a field),
 * equalities between slots (what joins look up by), tests (pure, once their slots are bound) and probes (what needs
 * a look at time: absence, folds, `none`, claims). A rule is several clauses only where its value says `if`: one a
 * branch. `any` may be written out into the clause, since union over
 * matches is what a conclusion means anyway.
 *
 * Slots: the rule's variables, one for each cell expression of the match ("one value within one match"), one for
 * each binding `p.f == q` ("chooses its own"), constants preset. Rulings: "One match of a rule", "Rows",
 * "Scalar parameters", "What a rule's parameter ranges over". Does not run anything: rule-join.ts.
 */
import { type Datum, Subject } from "../datum";
import { assert, unreachable } from "../failure";
import type { Symbols } from "./reasoner";
import type { Arithmetic, CellTerm, Generator, Premise, Rule, RuleExpr, ScalarType, Variable } from "./rule";
import type { MeasuredCalculus } from "./rule-effort";
import { datumFromLiteral } from "./rule-literal";
import { among, compareTest, type Evaluate, type Test, textTest } from "./rule-test";

/** Which values an atom may take for its slot; null: any. */
export type Admit = { readonly tag: "kind"; readonly kind: string } | { readonly tag: "scalar"; readonly type: ScalarType } | null;

export interface Atom {
  /** A field's id, or the Kind whose mentioned subjects a free parameter ranges over. */
  readonly from: { readonly tag: "field"; readonly field: number } | { readonly tag: "range"; readonly kind: string };
  readonly subject: number;
  /** -1 for a range. */
  readonly value: number;
  readonly admit: Admit;
}

export interface Part {
  readonly atoms: Atom[];
  /** Pairs of slots whose values Python's `==` must find equal. */
  readonly equalities: [number, number][];
  readonly tests: Test[];
  readonly probes: Probe[];
}

/** A condition that asks over time; runs once `needs` are bound, then `gives` are. */
export type Probe = { readonly needs: readonly number[]; readonly gives: readonly number[] } & (
  | { readonly tag: "absent"; readonly atom: Atom }
  /** A cell of an outer parameter named only inside generators: its value, or empty (-1). */
  | { readonly tag: "optional"; readonly atom: Atom }
  | { readonly tag: "none" | "any"; readonly part: Part }
  | {
      readonly tag: "fold";
      readonly op: "count" | "sum" | "min" | "max" | "avg";
      readonly part: Part;
      /** The generator's variable, then the cells named in the folded expression: what tells rows apart. */
      readonly row: readonly number[];
      readonly of: Evaluate;
      readonly temp: number;
    }
  | { readonly tag: "claim"; readonly field: number; readonly subject: number; readonly value: number; readonly temps: ClaimTemps }
  | { readonly tag: "not_asserted"; readonly field: number; readonly subject: number }
);

export interface ClaimTemps {
  readonly trust: number;
  readonly source: number;
  readonly valid_from: number;
  readonly valid_to: number;
}

export interface Clause extends Part {
  readonly rule: Rule;
  readonly slotCount: number;
  /** Preset slots. */
  readonly constants: ReadonlyMap<number, number>;
  /** Slots that hold subjects: their equality id is their id. */
  readonly subjectSlots: ReadonlySet<number>;
  /** What a proof shows of a match: for each premise in order, then for the concluded value. */
  readonly shown: readonly Shown[];
  /** Slots of the match's cell expressions, by the JSON of the cell; of its folds and claim properties, by the expression. */
  readonly cellSlots: ReadonlyMap<string, number>;
  readonly tempSlots: ReadonlyMap<RuleExpr, number>;
  readonly head: { readonly field: number; readonly subject: number; readonly valueSlot: number; readonly value: Evaluate | null };
}

/** A premise with the atoms and probes that were made of it. */
export interface Shown {
  /** Null: the concluded value. */
  readonly premise: Premise | null;
  /** Must it hold: false for the condition of a branch not taken. */
  readonly holds: boolean;
  readonly atoms: readonly Atom[];
  readonly probes: readonly Probe[];
}

/** More `if` branches than this in one rule are refused where the rule is declared. */
export const CLAUSES_PER_RULE_MAX = 64;

/** A premise and the outcome it must have. */
interface Expected {
  readonly premise: Premise;
  readonly holds: boolean;
}

/**
 * @param writesOut  Whether an `any` becomes atoms of the clause: where it reads its own component, since a probe must
 *   read what is finished, and for proofs, which show its witness. Else it is a probe, so that two of them do not multiply.
 */
export function clausesOf(rule: Rule, symbols: Symbols, calculus: MeasuredCalculus, writesOut: (over: Generator) => boolean): Clause[] {
  return branchesOf(rule.conclusion.value).map(({ tests, value }) =>
    new ClauseBuilder(rule, symbols, calculus, writesOut).build(tests, value),
  );
}

/** Number of clauses a value makes. */
export function branchCount(value: RuleExpr): number {
  return branchesOf(value).length;
}

/** A value with its `if`s decided in every way, each with what decides it. */
function branchesOf(value: RuleExpr): { tests: Expected[]; value: RuleExpr }[] {
  switch (value.tag) {
    case "literal":
    case "variable":
    case "cell":
    case "claim":
    case "fold":
      return [{ tests: [], value }];
    case "unary":
      return branchesOf(value.operand).map((b) => ({ tests: b.tests, value: { ...value, operand: b.value } }));
    case "binary":
      return branchesOf(value.left).flatMap((l) =>
        branchesOf(value.right).map((r) => ({ tests: [...l.tests, ...r.tests], value: { ...value, left: l.value, right: r.value } })),
      );
    case "text": {
      let out: { tests: Expected[]; parts: typeof value.parts }[] = [{ tests: [], parts: [] }];
      for (const part of value.parts) {
        if (part.tag === "chars") out = out.map((o) => ({ tests: o.tests, parts: [...o.parts, part] }));
        else {
          const choices = branchesOf(part.value);
          out = out.flatMap((o) =>
            choices.map((c) => ({ tests: [...o.tests, ...c.tests], parts: [...o.parts, { ...part, value: c.value }] })),
          );
        }
      }
      return out.map((o) => ({ tests: o.tests, value: { ...value, parts: o.parts } }));
    }
    case "if": {
      const met = value.test.map((premise): Expected => ({ premise, holds: true }));
      const out = branchesOf(value.then).map((b) => ({ tests: [...met, ...b.tests], value: b.value }));
      // `a and b` fails at the first that fails, as Python reads it.
      for (let failing = 0; failing < value.test.length; failing++) {
        const unmet: Expected[] = [...met.slice(0, failing), { premise: value.test[failing]!, holds: false }];
        for (const b of branchesOf(value.orelse)) out.push({ tests: [...unmet, ...b.tests], value: b.value });
      }
      return out;
    }
    default:
      return unreachable(value);
  }
}

/** Slots of cell expressions of one scope, by cell. */
type CellSlots = Map<string, number>;

class ClauseBuilder {
  readonly #part: Part = newPart();
  readonly #constants = new Map<number, number>();
  readonly #subjectSlots = new Set<number>();
  readonly #cells: CellSlots = new Map();
  readonly #optional: CellSlots = new Map();
  readonly #claims = new Map<string, ClaimTemps>();
  readonly #temps = new Map<RuleExpr, number>();
  readonly #givenScalars = new Set<number>();
  /** Slots of bindings, each with a value of its own, and of each cell the first one's. */
  readonly #bindings = new Map<Premise, number>();
  readonly #firstBinding = new Map<string, number>();
  #slotCount: number;

  constructor(
    readonly rule: Rule,
    readonly symbols: Symbols,
    readonly calculus: MeasuredCalculus,
    readonly writesOut: (over: Generator) => boolean,
  ) {
    this.#slotCount = rule.variables.length;
    rule.variables.forEach((variable, slot) => {
      if (variable.type.tag === "kind") this.#subjectSlots.add(slot);
    });
  }

  build(tests: readonly Expected[], value: RuleExpr): Clause {
    const { rule, symbols } = this;
    const expected = [...rule.premises.map((premise): Expected => ({ premise, holds: true })), ...tests];
    for (const premise of rule.premises) if (premise.tag === "bind") this.#noteBinding(premise);
    for (const key of ordinaryCells(rule)) this.#firstBinding.delete(key);
    const shown = new Map<Expected | null, Shown>();
    const show = (e: Expected | null, read: () => void) => {
      const { atoms, probes } = this.#part;
      const [firstAtom, firstProbe] = [atoms.length, probes.length];
      read();
      shown.set(e, {
        premise: e?.premise ?? null,
        holds: e?.holds ?? true,
        atoms: atoms.slice(firstAtom),
        probes: probes.slice(firstProbe),
      });
    };
    for (const e of expected) if (!overGenerator(e.premise)) show(e, () => this.#premise(e, null, this.#part));
    // The value may name cells that generators share, so it is read before them.
    let held: { valueSlot: number; value: Evaluate | null } = { valueSlot: -1, value: null };
    show(null, () => {
      held = this.#value(value, null);
    });
    for (const e of expected) if (overGenerator(e.premise)) show(e, () => this.#premise(e, null, this.#part));
    const subject = this.#subject(rule.conclusion.cell);
    const bound = new Set(rule.premises.flatMap((premise) => (premise.tag === "bind" ? [premise.variable] : [])));
    for (let slot = 0; slot < rule.parameterCount; slot++) if (!bound.has(slot)) this.#range(slot, this.#part);
    return {
      ...this.#part,
      rule,
      slotCount: this.#slotCount,
      constants: this.#constants,
      subjectSlots: this.#subjectSlots,
      shown: [...expected, null].map((e) => shown.get(e)!),
      cellSlots: new Map([...this.#optional, ...this.#cells]),
      tempSlots: this.#temps,
      head: {
        field: symbols.fieldId(rule.conclusion.cell.kind, rule.conclusion.cell.field),
        subject,
        ...held,
      },
    };
  }

  #value(value: RuleExpr, scope: Scope | null): { valueSlot: number; value: Evaluate | null } {
    const slot = this.#simple(value, scope, this.#part);
    return slot === null ? { valueSlot: -1, value: this.#expr(value, scope, this.#part) } : { valueSlot: slot, value: null };
  }

  #newSlot(): number {
    return this.#slotCount++;
  }

  #constant(datum: Datum): number {
    const id = this.symbols.datumId(datum);
    for (const [slot, held] of this.#constants) if (held === id) return slot;
    const slot = this.#newSlot();
    this.#constants.set(slot, id);
    if (datum instanceof Subject) this.#subjectSlots.add(slot);
    return slot;
  }

  #subject(cell: CellTerm): number {
    return cell.subject.tag === "variable" ? cell.subject.variable : this.#constant(new Subject(cell.kind, cell.subject.name));
  }

  #field(cell: CellTerm): number {
    return this.symbols.fieldId(cell.kind, cell.field);
  }

  #atom(cell: CellTerm, value: number, admit: Admit): Atom {
    return { from: { tag: "field", field: this.#field(cell) }, subject: this.#subject(cell), value, admit };
  }

  #range(slot: number, part: Part): void {
    const type = this.rule.variables[slot]!.type;
    assert(type.tag === "kind", `parameter ${this.rule.variables[slot]!.name} of ${this.rule.name} ranges over a Kind`);
    part.atoms.push({ from: { tag: "range", kind: type.kind }, subject: slot, value: -1, admit: null });
  }

  /** The slot of a cell expression: the match's one value there, or a row's. */
  #cell(cell: CellTerm, scope: Scope | null, part: Part): number {
    const key = JSON.stringify(cell);
    if (scope !== null && cell.subject.tag === "variable" && cell.subject.variable === scope.variable) {
      const known = scope.cells.get(key);
      if (known !== undefined) return known;
      const slot = this.#newSlot();
      scope.cells.set(key, slot);
      part.atoms.push(this.#atom(cell, slot, null));
      return slot;
    }
    const known = this.#cells.get(key) ?? this.#optional.get(key);
    if (known !== undefined) return known;
    const slot = this.#newSlot();
    const atom = this.#atom(cell, slot, null);
    if (scope === null || scope.inlined) {
      this.#cells.set(key, slot);
      this.#part.atoms.push(atom);
    } else {
      this.#optional.set(key, slot);
      this.#part.probes.push({ tag: "optional", needs: [atom.subject], gives: [slot], atom });
    }
    return slot;
  }

  /** The slot that already is the value of a variable, literal or cell; null for what has to be computed. */
  #simple(expr: RuleExpr, scope: Scope | null, part: Part): number | null {
    switch (expr.tag) {
      case "literal":
        return this.#constant(datumFromLiteral(expr.literal));
      case "variable":
        return expr.variable;
      case "cell":
        return this.#cell(expr.cell, scope, part);
      default:
        return null;
    }
  }

  #premise(expected: Expected, scope: Scope | null, part: Part): void {
    const { premise, holds } = expected;
    switch (premise.tag) {
      case "bind":
        if (holds && !scope?.folded.has(JSON.stringify(premise.cell))) this.#bind(premise, scope, part);
        else this.#compare("==", { tag: "cell", cell: premise.cell }, { tag: "variable", variable: premise.variable }, holds, scope, part);
        return;
      case "compare":
        this.#compare(premise.op, premise.left, premise.right, holds, scope, part);
        return;
      case "text":
        part.tests.push(
          textTest(
            premise.test,
            this.#expr(premise.of, scope, part),
            this.#expr(premise.part, scope, part),
            premise.negated === holds,
            this.calculus,
          ),
        );
        return;
      case "among":
        part.tests.push(
          among(this.#expr(premise.of, scope, part), premise.items.map(datumFromLiteral), premise.negated === holds, this.calculus),
        );
        return;
      case "present":
      case "absent": {
        const atom = this.#atom(premise.cell, this.#newSlot(), null);
        if ((premise.tag === "present") === holds) part.atoms.push(atom);
        else part.probes.push({ tag: "absent", needs: [atom.subject], gives: [], atom });
        return;
      }
      case "any":
      case "none":
        if ((premise.tag === "any") === holds && this.writesOut(premise.over)) {
          this.#generator(premise.over, { ...this.#scope(premise.over, null), inlined: true }, part);
        } else {
          const inner = newPart();
          this.#generator(premise.over, this.#scope(premise.over, null), inner);
          const tag = (premise.tag === "any") === holds ? "any" : "none";
          part.probes.push({ tag, needs: this.#outer(inner, premise.over.variable), gives: [], part: inner });
        }
        return;
      case "not_asserted": {
        assert(holds, "not_asserted stands only as a premise");
        const subject = this.#subject(premise.cell);
        part.probes.push({ tag: "not_asserted", needs: [subject], gives: [], field: this.#field(premise.cell), subject });
        return;
      }
      default:
        unreachable(premise);
    }
  }

  #bind(premise: Extract<Premise, { tag: "bind" }>, scope: Scope | null, part: Part): void {
    const { cell, variable } = premise;
    const type = this.rule.variables[variable]!.type;
    if (type.tag === "kind") {
      part.atoms.push(this.#atom(cell, variable, type));
      return;
    }
    const slot = (scope === null ? this.#bindings.get(premise) : undefined) ?? this.#newSlot();
    part.atoms.push(this.#atom(cell, slot, slot === variable ? type : null));
    if (slot !== variable) part.equalities.push([slot, variable]);
  }

  /** The first binding of a scalar gives it its value; the others compare. Noted before any premise is read, so that their order means nothing. */
  #noteBinding(premise: Extract<Premise, { tag: "bind" }>): void {
    const { cell, variable } = premise;
    const gives = this.rule.variables[variable]!.type.tag === "kind" || !this.#givenScalars.has(variable);
    this.#givenScalars.add(variable);
    const slot = gives ? variable : this.#newSlot();
    this.#bindings.set(premise, slot);
    const key = JSON.stringify(cell);
    if (!this.#firstBinding.has(key)) this.#firstBinding.set(key, slot);
  }

  #compare(
    op: "==" | "!=" | "<" | "<=" | ">" | ">=",
    left: RuleExpr,
    right: RuleExpr,
    holds: boolean,
    scope: Scope | null,
    part: Part,
  ): void {
    if (op === "==" && holds) {
      const a = this.#simple(left, scope, part);
      const b = this.#simple(right, scope, part);
      if (a !== null && b !== null) {
        part.equalities.push([a, b]);
        return;
      }
    }
    part.tests.push(compareTest(op, this.#expr(left, scope, part), this.#expr(right, scope, part), holds, this.calculus));
  }

  #scope(over: Generator, of: RuleExpr | null): Scope {
    const folded = new Set<string>();
    if (of !== null) cellsOf(of, (cell) => folded.add(JSON.stringify(cell)));
    return { variable: over.variable, cells: new Map(), folded, inlined: false };
  }

  #generator(over: Generator, scope: Scope, part: Part): void {
    this.#range(over.variable, part);
    for (const premise of over.conditions) this.#premise({ premise, holds: true }, scope, part);
  }

  /** Slots of the match that a generator reads. */
  #outer(part: Part, variable: number): number[] {
    const inner = new Set([variable, ...part.atoms.map((atom) => atom.value)]);
    const read = new Set<number>();
    for (const atom of part.atoms) {
      read.add(atom.subject);
      if (atom.value >= 0 && atom.value < this.rule.variables.length) read.add(atom.value);
    }
    for (const pair of part.equalities) for (const slot of pair) read.add(slot);
    for (const test of part.tests) for (const slot of test.slots) read.add(slot);
    for (const probe of part.probes) for (const slot of probe.needs) read.add(slot);
    // A parameter can be the value of an atom here and still be the match's.
    for (let slot = 0; slot < this.rule.parameterCount; slot++) inner.delete(slot);
    return [...read].filter((slot) => !inner.has(slot) && !this.#constants.has(slot));
  }

  #expr(expr: RuleExpr, scope: Scope | null, part: Part): Evaluate {
    const simple = this.#simple(expr, scope, part);
    const { symbols, calculus } = this;
    if (simple !== null) {
      const slot = simple;
      return {
        slots: [slot],
        run: (env) => (env.slots[slot]! < 0 ? undefined : symbols.datumOf(env.slots[slot]!)),
      };
    }
    switch (expr.tag) {
      case "unary": {
        const operand = this.#expr(expr.operand, scope, part);
        return {
          slots: operand.slots,
          run: (env) => {
            const value = operand.run(env);
            return value === undefined || value === null ? undefined : calculus.unary(expr.op, value);
          },
        };
      }
      case "binary": {
        const left = this.#expr(expr.left, scope, part);
        const right = this.#expr(expr.right, scope, part);
        return {
          slots: [...left.slots, ...right.slots],
          run: (env) => {
            const a = left.run(env);
            const b = right.run(env);
            if (a === undefined || b === undefined || a === null || b === null) return undefined;
            return (
              (typeof a === "number" && typeof b === "number" ? smallInts(expr.op, a, b) : undefined) ?? calculus.binary(expr.op, a, b)
            );
          },
        };
      }
      case "text": {
        const parts = expr.parts.map((p) => (p.tag === "chars" ? p : { ...p, run: this.#expr(p.value, scope, part) }));
        return {
          slots: parts.flatMap((p) => (p.tag === "chars" ? [] : p.run.slots)),
          run: (env) => {
            let text = "";
            for (const p of parts) {
              if (p.tag === "chars") text += p.text;
              else {
                const value = p.run.run(env);
                const shown = value === undefined ? undefined : calculus.format(value, p.conversion, p.spec);
                if (shown === undefined) return undefined;
                text += shown;
              }
            }
            return text;
          },
        };
      }
      case "fold": {
        const temp = this.#newSlot();
        const inner = newPart();
        const foldScope = this.#scope(expr.over, expr.of);
        // Cells of the row first, so that conditions on them share the row's value.
        const of = this.#expr(expr.of, foldScope, inner);
        const rowCells = [...foldScope.cells.values()];
        this.#generator(expr.over, foldScope, inner);
        part.probes.push({
          tag: "fold",
          op: expr.op,
          part: inner,
          row: [expr.over.variable, ...rowCells],
          of,
          temp,
          needs: this.#outer({ ...inner, tests: [...inner.tests, { slots: of.slots, run: () => true }] }, expr.over.variable),
          gives: [temp],
        });
        this.#temps.set(expr, temp);
        return { slots: [temp], run: (env) => env.temps[temp] };
      }
      case "claim": {
        const temp = this.#claim(expr.cell, part)[expr.property];
        this.#temps.set(expr, temp);
        return { slots: [temp], run: (env) => env.temps[temp] };
      }
      default:
        assert(false, `no value of form ${expr.tag} after branches are decided`);
    }
  }

  /** The claim the match reads at a cell: at its ordinary occurrence, else at its first binding. */
  #claim(cell: CellTerm, part: Part): ClaimTemps {
    const key = JSON.stringify(cell);
    const known = this.#claims.get(key);
    if (known !== undefined) return known;
    const value = this.#firstBinding.get(key) ?? this.#cell(cell, null, part);
    const temps = { trust: this.#newSlot(), source: this.#newSlot(), valid_from: this.#newSlot(), valid_to: this.#newSlot() };
    this.#claims.set(key, temps);
    const subject = this.#subject(cell);
    part.probes.push({
      tag: "claim",
      needs: [subject, value],
      gives: [temps.trust, temps.source, temps.valid_from, temps.valid_to],
      field: this.#field(cell),
      subject,
      value,
      temps,
    });
    return temps;
  }
}

interface Scope {
  readonly variable: number;
  readonly cells: CellSlots;
  /** Cells named in the folded expression. */
  readonly folded: ReadonlySet<string>;
  /** An `any`, written out into the clause. */
  readonly inlined: boolean;
}

function newPart(): Part {
  return { atoms: [], equalities: [], tests: [], probes: [] };
}

/** Cells of the match that stand elsewhere than in a binding or in a claim premise, by the JSON of the cell. */
function ordinaryCells(rule: Rule): Set<string> {
  const out = new Set<string>();
  const visit = (node: unknown): void => {
    if (typeof node !== "object" || node === null) return;
    const { tag, cell } = node as { tag?: unknown; cell?: CellTerm };
    if (tag === "cell") out.add(JSON.stringify(cell));
    for (const child of Object.values(node)) visit(child);
  };
  visit(rule.premises);
  visit(rule.conclusion.value);
  return out;
}

function overGenerator(premise: Premise): boolean {
  return premise.tag === "any" || premise.tag === "none" || hasFold(premise);
}

function hasFold(premise: Premise): boolean {
  if (premise.tag === "compare") return exprHasFold(premise.left) || exprHasFold(premise.right);
  if (premise.tag === "text") return exprHasFold(premise.of) || exprHasFold(premise.part);
  return premise.tag === "among" && exprHasFold(premise.of);
}

function exprHasFold(expr: RuleExpr): boolean {
  let found = false;
  walkExpr(expr, (e) => {
    if (e.tag === "fold") found = true;
  });
  return found;
}

/** Most arithmetic of rules is this; what it does not cover the calculus does. */
function smallInts(op: Arithmetic, a: number, b: number): number | undefined {
  const result = op === "+" ? a + b : op === "-" ? a - b : op === "*" ? a * b : Number.NaN;
  // An int is never -0.
  return Number.isSafeInteger(result) ? result + 0 : undefined;
}

/** Visits an expression and its operands; not the inside of folds. */
export function walkExpr(expr: RuleExpr, visit: (expr: RuleExpr) => void): void {
  visit(expr);
  if (expr.tag === "unary") walkExpr(expr.operand, visit);
  else if (expr.tag === "binary") {
    walkExpr(expr.left, visit);
    walkExpr(expr.right, visit);
  } else if (expr.tag === "text") {
    for (const part of expr.parts) if (part.tag === "field") walkExpr(part.value, visit);
  } else if (expr.tag === "if") {
    walkExpr(expr.then, visit);
    walkExpr(expr.orelse, visit);
  }
}

/** Cells read by an expression outside folds and claim properties. */
export function cellsOf(expr: RuleExpr, visit: (cell: CellTerm) => void): void {
  walkExpr(expr, (e) => {
    if (e.tag === "cell") visit(e.cell);
  });
}

export type { Variable };
