/**
 * One rule read premise by premise at one instant, so that it can be said how far a match gets and what stops it.
 *
 * Where the reasoner joins in whatever order is quickest, this goes by the text: each premise either holds for the
 * bindings made so far, in one or several ways, or it is *missed* for a reason of a fixed class. A premise whose value
 * parameter is bound only further down waits for that one; order never changes meaning (rulings, "Range").
 *
 * Slow on purpose and bounded by steps. Does not decide what to tell: why-not.ts.
 */
import { Datetime, type Datum, Subject } from "../datum";
import { inLine, spellCell, spellSubject } from "./address";
import { type CellTerm, type Comparison, type Generator, type Premise, type Rule, type RuleExpr, sameCell } from "./rule";
import { fold } from "./rule-aggregate";
import { admits, type ReadClaim } from "./rule-join";
import { datumFromLiteral } from "./rule-literal";
import type { RuleView } from "./rule-view";

/** Why a premise does not hold (language.md §5.3). */
export type MissClass =
  | "no such kind"
  | "no values"
  | "value differs"
  | "not in force"
  | "source not trusted"
  | "negated premise holds"
  | "fold short"
  | "gave way";

export interface Miss {
  readonly class: MissClass;
  /** What is there instead. */
  readonly detail: string;
  /** How far off, where that can be counted; smaller is nearer. */
  readonly distance: number;
  /** An empty cell that rules conclude: why it is empty can be asked in turn. */
  readonly open: { readonly field: number; readonly subject: number; readonly value: number } | null;
  /** One more row of this generator, or a few, would do. */
  readonly rowsOf?: Generator | undefined;
}

/** Bindings of one match in the making. */
export class Bindings {
  readonly cells = new Map<string, number>();
  private constructor(readonly variables: number[]) {}

  static of(rule: Rule): Bindings {
    return new Bindings(rule.variables.map(() => -1));
  }
  copy(): Bindings {
    const copy = new Bindings([...this.variables]);
    for (const [key, value] of this.cells) copy.cells.set(key, value);
    return copy;
  }
}

/** Thrown where the search has taken all the steps it may. */
export class OutOfSteps extends Error {}

export interface MatchFacts {
  kindHolds(kind: string): boolean;
}

export class RuleMatcher {
  readonly order: readonly Premise[];
  readonly #ownFields: ReadonlySet<number>;
  #steps: number;

  constructor(
    readonly view: RuleView,
    readonly rule: Rule,
    readonly at: number,
    readonly facts: MatchFacts,
    stepsMax: number,
    readonly candidatesMax: number,
  ) {
    this.#steps = stepsMax;
    const head = this.fieldOf(rule.conclusion.cell);
    this.#ownFields = new Set(view.componentFields(head));
    this.order = inOrder(rule);
  }

  fieldOf(cell: CellTerm): number {
    return this.view.symbols.fieldId(cell.kind, cell.field);
  }
  own(field: number): boolean {
    return this.#ownFields.has(field);
  }
  step(): void {
    if (--this.#steps < 0) throw new OutOfSteps();
  }

  /** Steps that are left. */
  get steps(): number {
    return Math.max(this.#steps, 0);
  }

  /** Id of the subject a cell is about; -1 while its variable is unbound. */
  subjectOf(cell: CellTerm, b: Bindings): number {
    if (cell.subject.tag === "variable") return b.variables[cell.subject.variable]!;
    return this.view.symbols.datumId(new Subject(cell.kind, cell.subject.name));
  }

  valuesOf(cell: CellTerm, subject: number): number[] {
    const field = this.fieldOf(cell);
    return this.view.valuesAt(field, subject, this.own(field), this.at);
  }

  /** Calls `then` for every way in which the premise holds, `missed` where it does not for some choice of its subjects. */
  extend(premise: Premise, b: Bindings, then: () => void, missed: (miss: Miss) => void): void {
    this.step();
    switch (premise.tag) {
      case "bind":
        this.withSubject(premise.cell, b, premise.variable, (subject) => this.#bind(premise, subject, b, then, missed), missed);
        return;
      case "compare":
      case "text":
      case "among":
        this.withCells(
          cellsIn(premise),
          b,
          () => {
            const miss = this.test(premise, b);
            if (miss === null) then();
            else missed(miss);
          },
          missed,
        );
        return;
      case "present":
        this.withSubject(
          premise.cell,
          b,
          -1,
          (subject) => {
            if (this.valuesOf(premise.cell, subject).length > 0) then();
            else missed(this.empty(premise.cell, subject));
          },
          missed,
        );
        return;
      case "absent":
        this.#withRange(premise.cell, b, (subject) => {
          const [value] = this.valuesOf(premise.cell, subject);
          if (value === undefined) then();
          else missed(miss("negated premise holds", this.fact(premise.cell, subject, value)));
        });
        return;
      case "not_asserted":
        this.#withRange(premise.cell, b, (subject) => {
          const field = this.fieldOf(premise.cell);
          const taken = this.view.source.recordedSpans(field, subject).some((one) => one.from <= this.at && this.at < one.to);
          if (!taken) then();
          else {
            const { kind, field: name } = this.rule.conclusion.cell;
            const here = premise.cell.kind === kind && premise.cell.field === name;
            missed(miss(here ? "gave way" : "negated premise holds", this.recorded(premise.cell, subject)));
          }
        });
        return;
      case "any":
        this.#any(premise.over, b, then, missed);
        return;
      case "none": {
        let found: string | null = null;
        this.rows(premise.over, b, (facts) => {
          found ??= facts;
          return true;
        });
        if (found === null) then();
        else missed(miss("negated premise holds", found));
      }
    }
  }

  // ---- binding ----

  #bind(premise: Extract<Premise, { tag: "bind" }>, subject: number, b: Bindings, then: () => void, missed: (miss: Miss) => void): void {
    const { cell, variable } = premise;
    const { symbols } = this.view;
    const values = this.valuesOf(cell, subject);
    const type = this.rule.variables[variable]!.type;
    const wanted = b.variables[variable]!;
    if (wanted >= 0) {
      const equal = symbols.equalityId(wanted);
      const held = values.some((value) => value === wanted || (type.tag === "scalar" && equal >= 0 && symbols.equalityId(value) === equal));
      if (held) then();
      else missed(values.length === 0 ? this.empty(cell, subject, wanted) : this.differs(cell, subject, values, wanted));
      return;
    }
    let any = false;
    for (const value of values) {
      if (!admits(type, symbols.datumOf(value))) continue;
      any = true;
      b.variables[variable] = value;
      then();
      b.variables[variable] = -1;
    }
    if (any) return;
    if (values.length === 0) missed(this.empty(cell, subject));
    else
      missed(miss("value differs", `${this.fact(cell, subject, values[0]!)}, which \`${this.rule.variables[variable]!.name}\` cannot be`));
  }

  /** Binds the cell's subject to every one with a value there; of `variable` bound, only those with its value. */
  withSubject(cell: CellTerm, b: Bindings, variable: number, use: (subject: number) => void, missed: (miss: Miss) => void): void {
    const known = this.subjectOf(cell, b);
    if (known >= 0) {
      use(known);
      return;
    }
    if (cell.subject.tag !== "variable") return;
    const slot = cell.subject.variable;
    const field = this.fieldOf(cell);
    const value = variable < 0 ? -1 : b.variables[variable]!;
    const equal = value < 0 ? null : this.view.symbols.equalityId(value);
    const subjects = this.view.subjectsAt(field, this.own(field), this.at, equal, this.candidatesMax);
    for (const subject of subjects) {
      this.step();
      b.variables[slot] = subject;
      use(subject);
    }
    b.variables[slot] = -1;
    if (subjects.length > 0) return;
    const where = equal === null ? "" : ` equal to ${this.shown(value)}`;
    if (!this.facts.kindHolds(cell.kind)) missed(miss("no such kind", `nothing is recorded under ${cell.kind}`));
    else missed(miss("no values", `no ${cell.kind} has a value in force at \`${cell.field}\`${where}`));
  }

  #withRange(cell: CellTerm, b: Bindings, use: (subject: number) => void): void {
    const known = this.subjectOf(cell, b);
    if (known >= 0) {
      use(known);
      return;
    }
    if (cell.subject.tag !== "variable") return;
    const slot = cell.subject.variable;
    for (const subject of this.view.rangeAt(cell.kind, this.at, this.candidatesMax)) {
      this.step();
      b.variables[slot] = subject;
      use(subject);
    }
    b.variables[slot] = -1;
  }

  /** Gives every cell one value, in every way; unbound subjects too. */
  withCells(cells: readonly CellTerm[], b: Bindings, use: () => void, missed: (miss: Miss) => void, from = 0): void {
    const cell = cells[from];
    if (cell === undefined) {
      use();
      return;
    }
    const next = () => this.withCells(cells, b, use, missed, from + 1);
    this.withSubject(
      cell,
      b,
      -1,
      (subject) => {
        const key = this.cellKey(cell, subject);
        if (b.cells.has(key)) {
          next();
          return;
        }
        const values = this.valuesOf(cell, subject);
        if (values.length === 0) missed(this.empty(cell, subject));
        for (const value of values) {
          this.step();
          b.cells.set(key, value);
          next();
        }
        b.cells.delete(key);
      },
      missed,
    );
  }

  cellKey(cell: CellTerm, subject: number): string {
    return `${this.fieldOf(cell)},${subject}`;
  }

  // ---- generators ----

  /** Bindings of the generator's variable that meet every condition; `facts` says by what. True from `use` ends it. */
  rows(over: Generator, b: Bindings, use: (facts: string) => boolean | undefined): void {
    const slot = over.variable;
    const inner = b.copy();
    for (const subject of this.candidates(over, b)) {
      this.step();
      inner.variables[slot] = subject;
      let met = false;
      this.#all(over.conditions, 0, inner, () => {
        met = true;
      });
      if (met && use(this.#rowFacts(over, inner)) === true) break;
    }
  }

  #all(premises: readonly Premise[], from: number, b: Bindings, use: () => void): void {
    const premise = premises[from];
    if (premise === undefined) use();
    else this.extend(premise, b, () => this.#all(premises, from + 1, b, use), ignore);
  }

  #any(over: Generator, b: Bindings, then: () => void, missed: (miss: Miss) => void): void {
    let found = false;
    this.rows(over, b, () => {
      found = true;
      return true;
    });
    if (found) {
      then();
      return;
    }
    let best: { depth: number; miss: Miss } | null = null;
    const inner = b.copy();
    const kind = this.#kindOf(over);
    for (const subject of this.rangeOf(over)) {
      inner.variables[over.variable] = subject;
      this.furthest(over.conditions, inner, (depth, one) => {
        if (best === null || depth > best.depth || (depth === best.depth && one.distance < best.miss.distance)) best = { depth, miss: one };
      });
    }
    const nearest = best as { depth: number; miss: Miss } | null;
    if (nearest !== null) missed({ ...nearest.miss, rowsOf: over });
    else if (!this.facts.kindHolds(kind)) missed(miss("no such kind", `nothing is recorded under ${kind}`));
    else missed(miss("no values", `no recorded claim in force names a ${kind}`));
  }

  /** Reports every premise that stops a way through them, with how many hold before it. */
  furthest(premises: readonly Premise[], b: Bindings, report: (depth: number, miss: Miss) => void, end: () => void = ignore): void {
    const from = (depth: number): void => {
      const premise = premises[depth];
      if (premise === undefined) end();
      else
        this.extend(
          premise,
          b,
          () => from(depth + 1),
          (one) => report(depth, one),
        );
    };
    from(0);
  }

  /** Subjects worth trying for a generator: those a condition names by a value that is known, else the whole range. */
  candidates(over: Generator, b: Bindings): number[] {
    for (const condition of over.conditions) {
      const named = this.#namedBy(condition, over.variable, b);
      if (named !== null) return named;
    }
    return this.view.rangeAt(this.#kindOf(over), this.at, Number.POSITIVE_INFINITY);
  }

  #namedBy(condition: Premise, variable: number, b: Bindings): number[] | null {
    const mine = (cell: CellTerm) => cell.subject.tag === "variable" && cell.subject.variable === variable;
    let cell: CellTerm | null = null;
    let value = -1;
    if (condition.tag === "bind" && mine(condition.cell)) {
      cell = condition.cell;
      value = b.variables[condition.variable]!;
    } else if (condition.tag === "compare" && condition.op === "==" && condition.left.tag === "cell" && mine(condition.left.cell)) {
      cell = condition.left.cell;
      if (condition.right.tag === "literal") value = this.view.symbols.datumId(datumFromLiteral(condition.right.literal));
      else if (condition.right.tag === "variable") value = b.variables[condition.right.variable]!;
    }
    if (cell === null || value < 0) return null;
    const field = this.fieldOf(cell);
    return this.view.subjectsAt(field, this.own(field), this.at, this.view.symbols.equalityId(value), Number.POSITIVE_INFINITY);
  }

  /** The subjects that a generator goes over, by name. */
  rangeOf(over: Generator): number[] {
    return this.view.rangeAt(this.#kindOf(over), this.at, this.candidatesMax);
  }

  #kindOf(over: Generator): string {
    const { type } = this.rule.variables[over.variable]!;
    return type.tag === "kind" ? type.kind : "";
  }

  #rowFacts(over: Generator, b: Bindings): string {
    const subject = b.variables[over.variable]!;
    const facts = over.conditions.flatMap(cellsIn).flatMap((cell) => {
      const where = this.subjectOf(cell, b);
      const [value] = where < 0 ? [] : this.valuesOf(cell, where);
      return value === undefined ? [] : [this.fact(cell, where, value)];
    });
    return facts.length === 0 ? `${this.shown(subject)} is one` : [...new Set(facts)].join(", ");
  }

  // ---- values ----

  /** Null where a comparison or test holds. Its cells have values. */
  test(premise: Premise, b: Bindings): Miss | null {
    const { calculus } = this.view;
    if (premise.tag === "compare") {
      const lefts = this.#valuesOf(premise.left, b);
      const rights = this.#valuesOf(premise.right, b);
      const met = (left: Datum | undefined, right: Datum | undefined) =>
        left !== undefined && right !== undefined && left !== null && right !== null && calculus.compare(premise.op, left, right) === true;
      if (lefts.some((left) => rights.some((right) => met(left, right)))) return null;
      return this.#comparison(premise, b, lefts[0], rights[0]);
    }
    if (premise.tag === "text") {
      const whole = this.value(premise.of, b);
      const part = this.value(premise.part, b);
      if (typeof whole !== "string" || typeof part !== "string")
        return miss("value differs", `${this.told(whole)} and ${this.told(part)} are not both texts`);
      const met =
        premise.test === "startswith" ? whole.startsWith(part) : premise.test === "endswith" ? whole.endsWith(part) : whole.includes(part);
      return met !== premise.negated ? null : miss("value differs", `it is ${this.told(whole)}`);
    }
    if (premise.tag === "among") {
      const value = this.value(premise.of, b);
      if (value === undefined || value === null) return miss("value differs", "it has no value");
      const met = premise.items.some((item) => {
        const other = datumFromLiteral(item);
        return other !== null && calculus.compare("==", value, other) === true;
      });
      return met !== premise.negated ? null : miss("value differs", `it is ${this.told(value)}`);
    }
    return null;
  }

  /** One value, but of a claim's property one for each claim that gives what the match took there. */
  #valuesOf(expr: RuleExpr, b: Bindings): readonly (Datum | undefined)[] {
    return expr.tag === "claim" ? this.#claimsOf(expr, b).map((claim) => propertyOf(expr, claim)) : [this.value(expr, b)];
  }

  #comparison(premise: Extract<Premise, { tag: "compare" }>, b: Bindings, left: Datum | undefined, right: Datum | undefined): Miss {
    const claim = [premise.left, premise.right].find((side) => side.tag === "claim");
    if (claim?.tag === "claim" && (claim.property === "source" || claim.property === "trust")) {
      const got = premise.left === claim ? left : right;
      return miss("source not trusted", `the ${claim.property} is ${this.told(got)}`);
    }
    const turned = premise.left.tag !== "fold" && premise.right.tag === "fold";
    const [got, other, op] = turned ? [right, left, TURNED[premise.op]] : [left, right, premise.op];
    const gap = got === undefined || other === undefined ? undefined : this.#gap(op, got, other);
    const fold = turned ? premise.right : premise.left;
    if (fold.tag === "fold") {
      const short = gap === undefined ? "" : `, ${gap.word} by ${this.told(gap.by)}`;
      const found = miss("fold short", got === undefined ? "it has no value" : `it is ${this.told(got)}${short}`, gap?.distance);
      const grows = fold.op === "count" || fold.op === "sum" || fold.op === "max";
      return got === undefined || (grows && gap?.word === "short") ? { ...found, rowsOf: fold.over } : found;
    }
    if (claim?.tag === "claim") return miss("value differs", this.#windowsTold(claim, b), gap?.distance);
    if (left === undefined || right === undefined) return miss("value differs", "one side has no value");
    return miss("value differs", `${this.told(got)} against ${this.told(other)}`, gap?.distance);
  }

  #gap(op: Comparison, left: Datum, right: Datum): { word: string; by: Datum; distance: number } | undefined {
    const { calculus } = this.view;
    const isLess = calculus.compare("<", left, right);
    const gap = isLess === true ? calculus.binary("-", right, left) : isLess === false ? calculus.binary("-", left, right) : undefined;
    if (gap === undefined || gap === null) return undefined;
    // Of ints a strict comparison asks for one more.
    const strict = (op === ">" || op === "<") && (typeof gap === "number" || typeof gap === "bigint");
    const by = strict ? (calculus.binary("+", gap, 1) ?? gap) : gap;
    const word = op === "!=" ? "the same" : op === ">" || op === ">=" || (op === "==" && isLess === true) ? "short" : "over";
    const distance =
      typeof by === "number" || typeof by === "bigint" ? Number(by) : typeof by === "object" && "v" in by ? by.v : Number.MAX_VALUE;
    return { word, by, distance };
  }

  /** The value of an expression whose cells have values; undefined where there is none. */
  value(expr: RuleExpr, b: Bindings): Datum | undefined {
    const { symbols, calculus } = this.view;
    switch (expr.tag) {
      case "literal":
        return datumFromLiteral(expr.literal);
      case "variable": {
        const id = b.variables[expr.variable]!;
        return id < 0 ? undefined : symbols.datumOf(id);
      }
      case "cell": {
        const id = b.cells.get(this.cellKey(expr.cell, this.subjectOf(expr.cell, b)));
        return id === undefined ? undefined : symbols.datumOf(id);
      }
      case "unary": {
        const a = this.value(expr.operand, b);
        return a === undefined || a === null ? undefined : calculus.unary(expr.op, a);
      }
      case "binary": {
        const x = this.value(expr.left, b);
        const y = this.value(expr.right, b);
        return x === undefined || y === undefined || x === null || y === null ? undefined : calculus.binary(expr.op, x, y);
      }
      case "text": {
        let text = "";
        for (const part of expr.parts) {
          if (part.tag === "chars") text += part.text;
          else {
            const value = this.value(part.value, b);
            const shown = value === undefined ? undefined : calculus.format(value, part.conversion, part.spec);
            if (shown === undefined) return undefined;
            text += shown;
          }
        }
        return text;
      }
      case "fold":
        return this.foldValue(expr, b);
      case "if": {
        for (const test of expr.test) {
          let met = false;
          this.extend(
            test,
            b,
            () => {
              met = true;
            },
            ignore,
          );
          if (!met) return this.#inFull(expr.orelse, b);
        }
        return this.#inFull(expr.then, b);
      }
      case "claim": {
        const [claim] = this.#claimsOf(expr, b);
        return claim === undefined ? undefined : propertyOf(expr, claim);
      }
    }
  }

  /** A branch's cells are read only where it is taken. */
  #inFull(expr: RuleExpr, b: Bindings): Datum | undefined {
    let result: Datum | undefined;
    this.withCells(
      cellsOfExpr(expr),
      b,
      () => {
        result ??= this.value(expr, b);
      },
      ignore,
    );
    return result;
  }

  #claimsOf(expr: ClaimExpr, b: Bindings): ReadClaim[] {
    const subject = this.subjectOf(expr.cell, b);
    const binding = this.rule.premises.find((premise) => premise.tag === "bind" && sameCell(premise.cell, expr.cell));
    const bound = binding?.tag === "bind" ? b.variables[binding.variable]! : -1;
    const took = b.cells.get(this.cellKey(expr.cell, subject)) ?? bound;
    const { symbols } = this.view;
    const claims = this.view.claimsAt(this.fieldOf(expr.cell), subject, this.at);
    return claims.filter(({ value }) => took < 0 || value === took || symbols.equalityId(value) === symbols.equalityId(took));
  }

  /** `P.a.room is valid [2019-01-01T00:00:00Z, -)`: of every claim that was asked. */
  #windowsTold(expr: ClaimExpr, b: Bindings): string {
    const spans = this.#claimsOf(expr, b).map(({ windowFrom, windowTo }) => {
      return `[${this.instant(windowFrom ?? Number.NEGATIVE_INFINITY)}, ${this.instant(windowTo ?? Number.POSITIVE_INFINITY)})`;
    });
    return `${this.address(expr.cell, this.subjectOf(expr.cell, b))} is valid ${[...new Set(spans)].sort().join(", ")}`;
  }

  foldValue(expr: Extract<RuleExpr, { tag: "fold" }>, b: Bindings): Datum | undefined {
    const values: (Datum | undefined)[] = [];
    const inner = b.copy();
    const cells = cellsOfExpr(expr.of).filter((cell) => cell.subject.tag === "variable" && cell.subject.variable === expr.over.variable);
    for (const subject of this.candidates(expr.over, b)) {
      this.step();
      inner.variables[expr.over.variable] = subject;
      inner.cells.clear();
      for (const [key, value] of b.cells) inner.cells.set(key, value);
      const row = () => {
        let met = false;
        this.#all(expr.over.conditions, 0, inner, () => {
          met = true;
        });
        if (!met) return;
        if (expr.op === "count") values.push(1);
        else this.withCells(cellsOfExpr(expr.of), inner, () => values.push(this.value(expr.of, inner)), ignore);
      };
      this.withCells(cells, inner, row, ignore);
    }
    return fold(expr.op, values, this.view.calculus);
  }

  // ---- words ----

  /** Why nothing is in force at a cell. `wanted`: the value asked for, -1 for any. */
  empty(cell: CellTerm, subject: number, wanted = -1): Miss {
    const field = this.fieldOf(cell);
    const open = this.view.rulesAt(field).length > 0 ? { field, subject, value: wanted } : null;
    const spelled = this.address(cell, subject);
    const windows = [
      ...this.view.source.recordedSpans(field, subject),
      ...this.view.derivedAt(field, subject).map(({ from, to }) => ({ from, to })),
    ];
    if (windows.length > 0) {
      if (windows.some((one) => one.from <= this.at && this.at < one.to))
        return miss("no values", `${spelled} is asserted absent`, undefined, open);
      const spans = [...new Set(windows.map(({ from, to }) => `[${this.instant(from)}, ${this.instant(to)})`))].sort().join(", ");
      return miss("not in force", `${spelled} is valid ${spans}`, undefined, open);
    }
    if (open === null && !this.facts.kindHolds(cell.kind)) return miss("no such kind", `nothing is recorded under ${cell.kind}`);
    return miss("no values", `${spelled} is empty`, undefined, open);
  }

  differs(cell: CellTerm, subject: number, values: readonly number[], wanted: number): Miss {
    const held = values.slice(0, 3).map((value) => this.shown(value));
    const more = values.length > 3 ? ` and ${values.length - 3} more` : "";
    return miss("value differs", `${this.address(cell, subject)} is ${held.join(", ")}${more}, not ${this.shown(wanted)}`);
  }

  /** `P.a.born = 1990 (per registry)`. */
  fact(cell: CellTerm, subject: number, value: number): string {
    const claim = this.view.claimsAt(this.fieldOf(cell), subject, this.at).find((one) => one.value === value);
    const by = claim === undefined ? "" : claim.trust === "derived" ? ` (derived by ${claim.source})` : ` (per ${inLine(claim.source)})`;
    return `${this.address(cell, subject)} = ${this.shown(value)}${by}`;
  }

  recorded(cell: CellTerm, subject: number): string {
    const [value] = this.valuesOf(cell, subject);
    return value === undefined ? `${this.address(cell, subject)} is recorded` : this.fact(cell, subject, value);
  }

  address(cell: CellTerm, subject: number): string {
    const datum = this.view.symbols.datumOf(subject) as Subject;
    return spellCell({ kind: cell.kind, subject: datum.name, field: cell.field });
  }

  shown(value: number): string {
    return this.told(this.view.symbols.datumOf(value));
  }

  told(datum: Datum | undefined): string {
    if (datum === undefined) return "no value";
    if (datum instanceof Subject) return spellSubject(datum.kind, datum.name);
    return this.view.calculus.format(datum, "r", "") ?? "…";
  }

  instant(micros: number): string {
    if (!Number.isFinite(micros)) return "-";
    return this.view.calculus.format(new Datetime(micros), "s", "") ?? String(micros);
  }
}

function miss(kind: MissClass, detail: string, distance: number = Number.MAX_VALUE, open: Miss["open"] = null): Miss {
  return { class: kind, detail, distance, open };
}

function ignore(): void {}

/** `3 < f` says `f > 3`. */
const TURNED: { readonly [op in Comparison]: Comparison } = { "<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!=" };

/** Text order, but a premise waits for the premise that first binds a value parameter it compares with. */
function inOrder(rule: Rule): Premise[] {
  const waiting = [...rule.premises];
  const bound = new Set<number>();
  const out: Premise[] = [];
  while (waiting.length > 0) {
    const later = new Set(waiting.flatMap((premise) => (premise.tag === "bind" ? [premise.variable] : [])));
    let next = waiting.findIndex(
      (premise) => premise.tag === "bind" || [...valueVariables(premise)].every((v) => bound.has(v) || !later.has(v)),
    );
    if (next < 0) next = 0;
    const [premise] = waiting.splice(next, 1);
    if (premise!.tag === "bind") bound.add(premise!.variable);
    out.push(premise!);
  }
  return out;
}

/** Variables that stand as values, not as the subject of a cell. */
export function* valueVariables(root: unknown): Iterable<number> {
  if (typeof root !== "object" || root === null) return;
  const node = root as { tag?: unknown; variable?: unknown };
  if (node.tag === "variable" && typeof node.variable === "number" && !("field" in node)) yield node.variable;
  for (const child of Object.values(root))
    if (!(typeof child === "object" && child !== null && "field" in child)) yield* valueVariables(child);
}

/** Cells that a comparison or test reads, its folds apart. */
export function cellsIn(premise: Premise): CellTerm[] {
  if (premise.tag === "compare") return [...cellsOfExpr(premise.left), ...cellsOfExpr(premise.right)];
  if (premise.tag === "text") return [...cellsOfExpr(premise.of), ...cellsOfExpr(premise.part)];
  if (premise.tag === "among") return cellsOfExpr(premise.of);
  if (premise.tag === "bind" || premise.tag === "present") return [premise.cell];
  return [];
}

export function cellsOfExpr(expr: RuleExpr): CellTerm[] {
  if (expr.tag === "cell" || expr.tag === "claim") return [expr.cell];
  if (expr.tag === "unary") return cellsOfExpr(expr.operand);
  if (expr.tag === "binary") return [...cellsOfExpr(expr.left), ...cellsOfExpr(expr.right)];
  if (expr.tag === "text") return expr.parts.flatMap((part) => (part.tag === "field" ? cellsOfExpr(part.value) : []));
  return [];
}

/** Of two misses at one depth the nearer, else the first. */
export function nearer(a: Miss, b: Miss): boolean {
  return a.distance < b.distance;
}

type ClaimExpr = Extract<RuleExpr, { tag: "claim" }>;

function propertyOf({ property }: ClaimExpr, claim: ReadClaim): Datum | undefined {
  if (property === "trust" || property === "source") return claim[property];
  const bound = property === "valid_from" ? claim.windowFrom : claim.windowTo;
  return bound === null ? undefined : new Datetime(bound);
}
