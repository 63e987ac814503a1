/**
 * The smallest sets of recorded cells that would make a value hold (language.md §5.3; rulings, "what_needs and missing
 * premises"): at most five sets of at most five cells, by size, then by address.
 *
 * A match is completed by *freeing* cells: what is recorded there may become anything. Every premise that reads a freed
 * cell is then a condition on it, with the values of all other cells put in; every other premise must hold as things
 * are. Conditions stay as they are, thresholds included: no value and no subject is invented. A cell that rules
 * conclude is never freed; where the value it must have is known, the cells that would conclude it take its place.
 *
 * Searched by growing size, in bounded steps.
 */
import { Subject } from "../datum";
import {
  WHY_NOT_BINDINGS_MAX,
  WHY_NOT_DEPTH_MAX,
  WHY_NOT_NEED_STEPS_MAX,
  WHY_NOT_SEARCH_STEPS_MAX,
  WHY_NOT_SET_CELLS_MAX,
  WHY_NOT_SETS_MAX,
} from "../limits";
import { spellCell, spellSubject } from "./address";
import { type CellTerm, type Generator, givesWay, type Premise, type Rule } from "./rule";
import { DemandState } from "./rule-demand";
import { datumFromLiteral } from "./rule-literal";
import type { RuleView } from "./rule-view";
import { instantAfter } from "./spans";
import { compareText } from "./value-order";
import { type CellEdit, WhatIf } from "./what-if";
import { bindHead, type WhyNotQuestion } from "./why-not";
import { inlineParameters, names } from "./why-not-inline";
import { Bindings, cellsIn, cellsOfExpr, type MatchFacts, OutOfSteps, RuleMatcher } from "./why-not-match";
import { exprText, premiseText } from "./why-not-text";

/** A cell and what must hold of it. */
export interface NeededCell {
  readonly cell: string;
  readonly conditions: readonly string[];
  /** What each condition comes to; null for one that leaves a choice. */
  readonly edits: readonly (CellEdit | null)[];
}

type NeedSet = readonly NeededCell[];

interface Given {
  readonly address: string;
  readonly text: string;
  readonly edit: CellEdit | null;
}

export function neededSets(view: RuleView, facts: MatchFacts, question: WhyNotQuestion): NeedSet[] {
  return new Needs(view, facts, question.at).sets(question, WHY_NOT_DEPTH_MAX, new Set());
}

class Needs {
  /** For all searches together, those within searches too. */
  steps = WHY_NOT_NEED_STEPS_MAX;

  constructor(
    readonly view: RuleView,
    readonly facts: MatchFacts,
    readonly at: number,
  ) {}

  sets({ field, subject, value }: Omit<WhyNotQuestion, "at">, depth: number, inside: ReadonlySet<string>): NeedSet[] {
    const key = `${field},${subject},${value}`;
    if (inside.has(key)) return [];
    const deeper = new Set([...inside, key]);
    const found: NeedSet[] = [];
    if (this.isRecorded(field)) {
      const cell = this.spell(field, subject);
      const told = value < 0 ? `present(${cell})` : `${cell} == ${this.shown(value)}`;
      const edit: CellEdit | null = value < 0 ? null : { field, subject, change: { tag: "add", value } };
      found.push([{ cell, conditions: [told], edits: [edit] }]);
    }
    for (let size = 1; size <= WHY_NOT_SET_CELLS_MAX && found.length < WHY_NOT_SETS_MAX; size++) {
      const fresh: NeedSet[] = [];
      for (const rule of this.view.rulesAt(field)) {
        if (this.steps <= 0) break;
        const search = new Search(this, inlineParameters(rule, value >= 0), size, depth, deeper);
        fresh.push(...search.run(subject, value));
      }
      // Of two conditions on the same cells the one that asks for less: any value.
      fresh.sort(
        (a, b) => compareText(addresses(a), addresses(b)) || asksMore(a) - asksMore(b) || compareText(conditions(a), conditions(b)),
      );
      for (const set of fresh) {
        if (found.length >= WHY_NOT_SETS_MAX || found.some((other) => isWithin(other, set))) continue;
        if (inside.size > 0 || this.#works(set, { field, subject, value })) found.push(set);
      }
    }
    return found.slice(0, WHY_NOT_SETS_MAX);
  }

  /** Tried out where the set leaves no choice: a change may take away what another premise rests on. */
  #works(set: NeedSet, { field, subject, value }: Omit<WhyNotQuestion, "at">): boolean {
    const edits: CellEdit[] = [];
    for (const edit of set.flatMap((needed) => needed.edits)) {
      if (edit === null) return true;
      edits.push(edit);
    }
    const { symbols, calculus, rules, source } = this.view;
    const then = new DemandState(rules, symbols, new WhatIf(source, symbols, edits), calculus, {
      from: this.at,
      to: instantAfter(this.at),
    });
    const values = then.valuesAt(field, subject, false, this.at);
    return value < 0 ? values.length > 0 : values.includes(value);
  }

  /** Somebody may record a value at the field. */
  isRecorded(field: number): boolean {
    return this.view.rulesAt(field).every(givesWay);
  }

  spell(field: number, subject: number): string {
    const datum = this.view.symbols.datumOf(subject) as Subject;
    return spellCell({ kind: datum.kind, subject: datum.name, field: this.view.symbols.fieldOf(field).field });
  }

  shown(value: number): string {
    const datum = this.view.symbols.datumOf(value);
    return datum instanceof Subject ? spellSubject(datum.kind, datum.name) : (this.view.calculus.format(datum, "r", "") ?? "…");
  }
}

/** The sets of one size by which one rule would conclude. */
class Search {
  readonly #matcher: RuleMatcher;
  readonly #b: Bindings;
  readonly #free = new Map<string, { readonly field: number; readonly subject: number }>();
  /** Conditions by cell that stand whatever the premises say: of cells that conclude others, of rows of generators. */
  readonly #given = new Map<string, Map<string, CellEdit | null>>();
  readonly #out: NeedSet[] = [];
  #wanted = -1;

  constructor(
    readonly needs: Needs,
    readonly rule: Rule,
    readonly size: number,
    readonly depth: number,
    readonly inside: ReadonlySet<string>,
  ) {
    this.#matcher = new RuleMatcher(needs.view, rule, needs.at, needs.facts, WHY_NOT_SEARCH_STEPS_MAX, WHY_NOT_BINDINGS_MAX);
    this.#b = Bindings.of(rule);
  }

  run(subject: number, value: number): NeedSet[] {
    const { cell } = this.rule.conclusion;
    if (cell.subject.tag === "fixed" && this.#matcher.subjectOf(cell, this.#b) !== subject) return [];
    if (bindHead(this.#matcher, this.#b, subject, value) !== null) return [];
    this.#wanted = value;
    const before = this.#matcher.steps;
    try {
      this.#from(this.#matcher.order, 0, () => this.#conclude());
    } catch (problem) {
      // What was found within the bound is right; there may be more.
      if (!(problem instanceof OutOfSteps)) throw problem;
    } finally {
      this.needs.steps -= before - this.#matcher.steps;
    }
    return this.#out;
  }

  get #cost(): number {
    const cells = new Set(this.#given.keys());
    for (const { field, subject } of this.#free.values()) cells.add(this.needs.spell(field, subject));
    return cells.size;
  }

  #from(premises: readonly Premise[], at: number, end: () => void): void {
    const premise = premises[at];
    if (premise === undefined) {
      end();
      return;
    }
    this.#matcher.step();
    const next = () => this.#from(premises, at + 1, end);
    const cells = cellsIn(premise);
    // A premise on a freed cell becomes a condition; of its other cells one value is put in.
    if (cells.some((cell) => this.#isFree(cell))) {
      const others = cells.filter((cell) => !this.#isFree(cell));
      const empty = others.filter((cell) => {
        const subject = this.#matcher.subjectOf(cell, this.#b);
        return subject >= 0 && this.#matcher.valuesOf(cell, subject).length === 0;
      });
      if (empty.length > 0) this.#freeing(empty, () => this.#withOthers(premise, next));
      else this.#withOthers(premise, next);
      return;
    }
    this.#matcher.extend(premise, this.#b, next, () => {});
    if (this.#cost < this.size) this.#assume(premise, next);
  }

  #isFree(cell: CellTerm): boolean {
    const subject = this.#matcher.subjectOf(cell, this.#b);
    return subject >= 0 && this.#free.has(this.#matcher.cellKey(cell, subject));
  }

  /** Ways to make a premise hold that does not, or that holds for other bindings. */
  #assume(premise: Premise, next: () => void): void {
    const b = this.#b;
    switch (premise.tag) {
      case "bind": {
        const subject = this.#matcher.subjectOf(premise.cell, b);
        if (subject < 0) return;
        const wanted = b.variables[premise.variable]!;
        if (wanted >= 0 && this.#holds(premise.cell, subject, wanted)) return;
        if (!this.#freeing([premise.cell], next) && wanted >= 0) this.#concluding(premise.cell, subject, wanted, next);
        return;
      }
      case "present": {
        const subject = this.#matcher.subjectOf(premise.cell, b);
        if (subject < 0 || this.#matcher.valuesOf(premise.cell, subject).length > 0) return;
        if (!this.#freeing([premise.cell], next)) this.#concluding(premise.cell, subject, -1, next);
        return;
      }
      case "absent":
      case "not_asserted": {
        const subject = this.#matcher.subjectOf(premise.cell, b);
        if (subject < 0) return;
        let holds = false;
        this.#matcher.extend(
          premise,
          b,
          () => {
            holds = true;
          },
          () => {},
        );
        if (!holds) this.#freeing([premise.cell], next);
        return;
      }
      case "compare":
      case "text":
      case "among":
        this.#assumeTest(premise, next);
        return;
      case "any":
        this.#addingRows(premise.over, 1, next);
        return;
      case "none":
        this.#breakingRows(premise.over, next);
    }
  }

  /** Goes on with so many subjects more that meet the generator's conditions, each by a cell that is freed. */
  #addingRows(over: Generator, count: number, next: () => void, after: string | null = null): void {
    if (count === 0) {
      next();
      return;
    }
    const { variables } = this.#b;
    const outer = variables[over.variable]!;
    const { symbols } = this.#matcher.view;
    for (const subject of this.#matcher.view.rangeAt(this.#kindOf(over.variable), this.needs.at, WHY_NOT_BINDINGS_MAX)) {
      const { name } = symbols.datumOf(subject) as Subject;
      if (after !== null && compareText(name, after) <= 0) continue;
      variables[over.variable] = subject;
      const before = this.#cost;
      this.#from(over.conditions, 0, () => {
        if (this.#cost === before) return;
        this.#giving(this.#rowConditions(over), () => {
          variables[over.variable] = outer;
          this.#addingRows(over, count - 1, next, name);
          variables[over.variable] = subject;
        });
      });
    }
    variables[over.variable] = outer;
  }

  #rowConditions(over: Generator): Given[] {
    return over.conditions.flatMap((condition) =>
      cellsNamed(condition)
        .filter((cell) => this.#isFree(cell))
        .map((cell) => ({ address: this.#addressOf(cell), text: this.#premiseText(condition), edit: this.#edit(condition, cell) })),
    );
  }

  /** Goes on with every row of the generator broken at one of its cells. */
  #breakingRows(over: Generator, next: () => void): void {
    const rows: number[] = [];
    for (const subject of this.#matcher.candidates(over, this.#b)) {
      if (this.#meets(over, subject)) rows.push(subject);
      if (rows.length > this.size) return;
    }
    if (rows.length > 0) this.#breaking(over, rows, 0, next);
  }

  #breaking(over: Generator, rows: readonly number[], at: number, next: () => void): void {
    const subject = rows[at];
    if (subject === undefined) {
      next();
      return;
    }
    for (const condition of over.conditions) {
      for (const cell of cellsIn(condition)) {
        if (!isRowCell(cell, over)) continue;
        this.#within(over, subject, () => {
          const added = this.#edit(condition, cell);
          const edit: CellEdit | null =
            added?.change.tag === "add" ? { ...added, change: { tag: "remove", value: added.change.value } } : null;
          const given = [{ address: this.#addressOf(cell), text: `not (${premiseText(this.#matcher, condition, this.#b)})`, edit }];
          this.#freeing([cell], () => this.#giving(given, () => this.#breaking(over, rows, at + 1, next)));
        });
      }
    }
  }

  /** A fold that misses its mark: a row's folded value may become anything, or, for a count that is short, rows be added. */
  #assumeFold(premise: Extract<Premise, { tag: "compare" }>, next: () => void): void {
    const isLeft = premise.left.tag === "fold";
    const expr = isLeft ? premise.left : premise.right;
    if (expr.tag !== "fold") return;
    const { over } = expr;
    if (expr.op === "count") {
      const other = this.#matcher.value(isLeft ? premise.right : premise.left, this.#b);
      const now = this.#matcher.foldValue(expr, this.#b);
      const { op } = premise;
      const isLow = op === "==" || (isLeft ? op === ">" || op === ">=" : op === "<" || op === "<=");
      if (!isLow || typeof other !== "number" || typeof now !== "number") return;
      const more = other - now + (op === ">" || op === "<" ? 1 : 0);
      if (more > 0 && more <= this.size) this.#addingRows(over, more, next);
      return;
    }
    const text = premiseText(this.#matcher, premise, this.#b);
    for (const subject of this.#matcher.candidates(over, this.#b)) {
      if (!this.#meets(over, subject)) continue;
      for (const cell of cellsOfExpr(expr.of)) {
        if (!isRowCell(cell, over)) continue;
        this.#within(over, subject, () => {
          const given = [{ address: this.#addressOf(cell), text, edit: null }];
          this.#freeing([cell], () => this.#within(over, -1, () => this.#giving(given, next)));
        });
      }
    }
  }

  /** The subject is a row of the generator as things are. */
  #meets(over: Generator, subject: number): boolean {
    let met = false;
    this.#within(over, subject, () =>
      this.#matcher.furthest(
        over.conditions,
        this.#b,
        () => {},
        () => {
          met = true;
        },
      ),
    );
    return met;
  }

  #within(over: Generator, subject: number, work: () => void): void {
    const { variables } = this.#b;
    const outer = variables[over.variable]!;
    variables[over.variable] = subject;
    work();
    variables[over.variable] = outer;
  }

  #giving(conditions: readonly Given[], next: () => void): void {
    const before = new Map([...this.#given].map(([address, texts]) => [address, new Map(texts)]));
    for (const { address, text, edit } of conditions) {
      const texts = this.#given.get(address) ?? new Map<string, CellEdit | null>();
      texts.set(text, edit);
      this.#given.set(address, texts);
    }
    if (this.#cost <= this.size) next();
    this.#given.clear();
    for (const [address, texts] of before) this.#given.set(address, texts);
  }

  /** Cells that are empty are freed together; where none is, each alone. */
  #assumeTest(premise: Extract<Premise, { tag: "compare" | "text" | "among" }>, next: () => void): void {
    const { left, right } = premise.tag === "compare" ? premise : { left: null, right: null };
    if (premise.tag === "compare" && (left?.tag === "fold" || right?.tag === "fold")) this.#assumeFold(premise, next);
    const cells = cellsIn(premise);
    const placed = cells.map((cell) => ({ cell, subject: this.#matcher.subjectOf(cell, this.#b) }));
    if (placed.some(({ subject }) => subject < 0)) return;
    const empty = placed.filter(({ cell, subject }) => this.#matcher.valuesOf(cell, subject).length === 0).map(({ cell }) => cell);
    if (empty.length > 0) {
      if (this.#freeing(empty, () => this.#withOthers(premise, next))) return;
      const exact = premise.tag === "compare" && premise.op === "==" && left?.tag === "cell" && right?.tag === "literal";
      if (!exact || left?.tag !== "cell" || right?.tag !== "literal") return;
      const value = this.#matcher.view.symbols.datumId(datumFromLiteral(right.literal));
      this.#concluding(left.cell, this.#matcher.subjectOf(left.cell, this.#b), value, next);
      return;
    }
    for (const cell of cells) this.#freeing([cell], () => this.#withOthers(premise, next));
  }

  #withOthers(premise: Premise, next: () => void): void {
    const others = cellsIn(premise).filter((cell) => !this.#isFree(cell));
    this.#matcher.withCells(others, this.#b, next, () => {});
  }

  #holds(cell: CellTerm, subject: number, wanted: number): boolean {
    const { symbols } = this.#matcher.view;
    return this.#matcher
      .valuesOf(cell, subject)
      .some((value) => value === wanted || symbols.equalityId(value) === symbols.equalityId(wanted));
  }

  /** Goes on with the cells freed; false where one of them is not for anybody to record. */
  #freeing(cells: readonly CellTerm[], next: () => void): boolean {
    const added: string[] = [];
    if (!cells.every((cell) => this.needs.isRecorded(this.#matcher.fieldOf(cell)))) return false;
    for (const cell of cells) {
      const subject = this.#matcher.subjectOf(cell, this.#b);
      const key = this.#matcher.cellKey(cell, subject);
      if (this.#free.has(key)) continue;
      this.#free.set(key, { field: this.#matcher.fieldOf(cell), subject });
      added.push(key);
    }
    // A cell that gave its value to an earlier premise gives it no longer.
    const held = new Map(added.flatMap((key) => (this.#b.cells.has(key) ? [[key, this.#b.cells.get(key)!] as const] : [])));
    for (const key of held.keys()) this.#b.cells.delete(key);
    if (this.#cost <= this.size) next();
    for (const [key, value] of held) this.#b.cells.set(key, value);
    for (const key of added) this.#free.delete(key);
    return true;
  }

  /** Goes on with the cells that would conclude a value at a derived cell. */
  #concluding(cell: CellTerm, subject: number, value: number, next: () => void): void {
    if (this.depth === 0) return;
    const field = this.#matcher.fieldOf(cell);
    for (const set of this.needs.sets({ field, subject, value }, this.depth - 1, this.inside)) {
      this.#giving(
        set.flatMap(({ cell: address, conditions, edits }) => conditions.map((text, i) => ({ address, text, edit: edits[i]! }))),
        next,
      );
    }
  }

  #kindOf(variable: number): string {
    const { type } = this.rule.variables[variable]!;
    return type.tag === "kind" ? type.kind : "";
  }

  // ---- the conclusion ----

  #conclude(): void {
    const { value } = this.rule.conclusion;
    const cells = cellsOfExpr(value);
    if (value.tag === "fold" || value.tag === "if") return;
    const wanted = this.#wanted;
    const free = cells.some((cell) => this.#isFree(cell));
    if (cells.length > 0 && !free) {
      const placed = cells.map((cell) => ({ cell, subject: this.#matcher.subjectOf(cell, this.#b) }));
      if (placed.some(({ subject }) => subject < 0)) return;
      const empty = placed.filter(({ cell, subject }) => this.#matcher.valuesOf(cell, subject).length === 0).map(({ cell }) => cell);
      if (empty.length > 0) {
        this.#freeing(empty, () => this.#finish());
        return;
      }
      this.#matcher.withCells(
        cells,
        this.#b,
        () => {
          const datum = this.#matcher.value(value, this.#b);
          const id =
            datum === undefined || datum === null
              ? -1
              : this.#matcher.view.acceptable(this.rule, this.#matcher.view.symbols.datumId(datum));
          if (id >= 0 && (wanted < 0 || id === wanted)) this.#finish();
        },
        () => {},
      );
      if (wanted >= 0) for (const cell of cells) this.#freeing([cell], () => this.#finish());
      return;
    }
    if (value.tag === "variable" && wanted >= 0 && this.#b.variables[value.variable]! >= 0 && this.#b.variables[value.variable] !== wanted)
      return;
    this.#finish();
  }

  #finish(): void {
    if (this.#cost !== this.size || !this.#isNamed()) return;
    const conditions = new Map([...this.#given].map(([address, texts]) => [address, new Map(texts)]));
    const exact = new Map<string, string>();
    for (const { field, subject } of this.#free.values()) {
      const address = this.needs.spell(field, subject);
      if (!conditions.has(address)) conditions.set(address, new Map());
    }
    for (const premise of this.#matcher.order) {
      const freed = cellsNamed(premise).filter((cell) => this.#isFree(cell));
      if (freed.length === 0) continue;
      const text = this.#condition(premise);
      if (text === null) return;
      for (const cell of freed) {
        const address = this.#addressOf(cell);
        conditions.get(address)!.set(text, this.#edit(premise, cell));
        if (premise.tag !== "bind" || this.#isMany(cell)) continue;
        if (exact.has(address) && exact.get(address) !== text) return;
        exact.set(address, text);
      }
    }
    const { value } = this.rule.conclusion;
    for (const cell of cellsOfExpr(value).filter((one) => this.#isFree(one))) {
      const address = this.#addressOf(cell);
      // Whatever is asked of a cell asks it to hold a value.
      if (this.#wanted < 0 && conditions.get(address)!.size > 0) continue;
      const text = this.#wanted < 0 ? `present(${address})` : `${this.#text(value)} == ${this.needs.shown(this.#wanted)}`;
      const isCell = value.tag === "cell" && this.#wanted >= 0;
      conditions.get(address)!.set(text, isCell ? this.#adding(cell, this.#wanted) : null);
    }
    if ([...conditions.values()].some((texts) => texts.size === 0)) return;
    const cells = [...conditions].map(([cell, texts]) => {
      const sorted = [...texts].sort(([a], [b]) => compareText(a, b));
      return { cell, conditions: sorted.map(([text]) => text), edits: sorted.map(([, edit]) => edit) };
    });
    this.#out.push(cells.sort((a, b) => compareText(a.cell, b.cell)));
  }

  /** The premise with all but the freed cells put in; null where a value would have to be invented. */
  #condition(premise: Premise): string | null {
    if (premise.tag === "bind" && this.#b.variables[premise.variable]! < 0) {
      const { value } = this.rule.conclusion;
      const elsewhere = this.#matcher.order.some((other) => other !== premise && names(other, premise.variable));
      const passed = value.tag === "variable" && value.variable === premise.variable;
      if (elsewhere || (names(value, premise.variable) && !(passed && this.#wanted < 0))) return null;
      const { name, type } = this.rule.variables[premise.variable]!;
      const address = this.#addressOf(premise.cell);
      // What stands there now the parameter cannot be.
      const isFilled = this.#matcher.valuesOf(premise.cell, this.#matcher.subjectOf(premise.cell, this.#b)).length > 0;
      return isFilled ? `${address} == ${name} (${type.tag === "kind" ? type.kind : type.type})` : `present(${address})`;
    }
    return this.#premiseText(premise);
  }

  /** What a premise on a freed cell comes to, where it leaves no choice. */
  #edit(premise: Premise, cell: CellTerm): CellEdit | null {
    if (premise.tag === "absent" || premise.tag === "not_asserted") {
      return { field: this.#matcher.fieldOf(cell), subject: this.#matcher.subjectOf(cell, this.#b), change: { tag: "clear" } };
    }
    if (premise.tag === "bind") {
      const value = this.#b.variables[premise.variable]!;
      return value < 0 ? null : this.#adding(cell, value);
    }
    if (premise.tag !== "compare" || premise.op !== "==" || premise.left.tag !== "cell" || premise.left.cell !== cell) return null;
    const { right } = premise;
    if (right.tag === "literal") return this.#adding(cell, this.#matcher.view.symbols.datumId(datumFromLiteral(right.literal)));
    const value = right.tag === "variable" ? this.#b.variables[right.variable]! : -1;
    return value < 0 ? null : this.#adding(cell, value);
  }

  #adding(cell: CellTerm, value: number): CellEdit {
    return { field: this.#matcher.fieldOf(cell), subject: this.#matcher.subjectOf(cell, this.#b), change: { tag: "add", value } };
  }

  #premiseText(premise: Premise): string {
    return premiseText(this.#matcher, premise, this.#b, (cell, subject) => this.#valueText(cell, subject));
  }

  #text(expr: Rule["conclusion"]["value"]): string {
    return exprText(this.#matcher, expr, this.#b, (cell, subject) => this.#valueText(cell, subject));
  }

  #valueText(cell: CellTerm, subject: number): string | null {
    const key = this.#matcher.cellKey(cell, subject);
    const value = this.#b.cells.get(key);
    return this.#free.has(key) || value === undefined ? null : this.#matcher.shown(value);
  }

  #addressOf(cell: CellTerm): string {
    return this.needs.spell(this.#matcher.fieldOf(cell), this.#matcher.subjectOf(cell, this.#b));
  }

  #isMany(cell: CellTerm): boolean {
    return this.#matcher.view.source.fieldType(this.#matcher.fieldOf(cell))?.many ?? false;
  }

  /** Every parameter that no premise binds is named by a recorded claim, one of the set if need be. */
  #isNamed(): boolean {
    const bound = new Set(this.rule.premises.flatMap((premise) => (premise.tag === "bind" ? [premise.variable] : [])));
    for (let slot = 0; slot < this.rule.parameterCount; slot++) {
      const { type } = this.rule.variables[slot]!;
      if (type.tag !== "kind") continue;
      const subject = this.#b.variables[slot]!;
      if (subject < 0) {
        if (!bound.has(slot)) return false;
        continue;
      }
      if (bound.has(slot) || [...this.#free.values()].some((one) => one.subject === subject)) continue;
      if (!this.#matcher.view.isNamedAt(type.kind, subject, this.needs.at)) return false;
    }
    return true;
  }
}

function isRowCell(cell: CellTerm, over: Generator): boolean {
  return cell.subject.tag === "variable" && cell.subject.variable === over.variable;
}

function cellsNamed(premise: Premise): CellTerm[] {
  if (premise.tag === "absent" || premise.tag === "not_asserted") return [premise.cell];
  return cellsIn(premise);
}

function addresses(set: NeedSet): string {
  return set.map(({ cell }) => cell).join("\n");
}

function conditions(set: NeedSet): string {
  return set.flatMap((one) => one.conditions).join("\n");
}

function asksMore(set: NeedSet): number {
  return set.flatMap((one) => one.conditions).filter((text) => !text.startsWith("present(")).length;
}

function isWithin(small: NeedSet, large: NeedSet): boolean {
  return small.every(({ cell }) => large.some((other) => other.cell === cell));
}
