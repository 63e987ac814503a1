/**
 * Why a value does not hold at a cell, and what would make it hold (language.md §5.3, `why_not`).
 *
 * For each rule that could conclude there the head is bound and the premises are read in text order over all bindings;
 * told is the furthest premise that is reached and why it fails, of equal ones the nearest miss. Where that premise
 * reads an empty cell which rules conclude, the same is asked of that cell. The smallest sets of recorded cells that
 * would do are worked out in why-not-need.ts.
 */
import { Subject } from "../datum";
import { WHY_NOT_BINDINGS_MAX, WHY_NOT_DEPTH_MAX, WHY_NOT_STEPS_MAX } from "../limits";
import { spellCell } from "./address";
import type { Premise, Rule } from "./rule";
import type { RuleView } from "./rule-view";
import { Bindings, cellsOfExpr, type MatchFacts, type Miss, type MissClass, nearer, OutOfSteps, RuleMatcher } from "./why-not-match";
import { type NeededCell, neededSets } from "./why-not-need";
import { missNotes } from "./why-not-note";
import { conclusionText, premiseText } from "./why-not-text";

/** What stops one rule. */
export interface RuleMiss {
  readonly rule: string;
  readonly class: MissClass;
  /** The premise, or the conclusion, with what is bound put in. */
  readonly premise: string;
  /** It is the conclusion that is amiss. */
  readonly isConclusion: boolean;
  /** Premises that hold before it, of how many. */
  readonly held: number;
  readonly of: number;
  readonly detail: string;
  /** What helps to see it: why-not-note.ts. */
  readonly notes: readonly string[];
  /** Of a cell that the premise reads and rules could conclude. */
  readonly below: WhyNot | null;
  /** Not every binding was tried: the search is bounded. */
  readonly bounded: boolean;
}

export interface WhyNot {
  /** Spelled. */
  readonly cell: string;
  /** Id of the value asked for; -1 for any. */
  readonly value: number;
  /** How things stand with recorded values there; null where rules alone give the cell its value. */
  readonly recorded: { readonly class: MissClass; readonly detail: string } | null;
  readonly rules: readonly RuleMiss[];
  /** The smallest sets of recorded cells that would make it hold, each with what must hold of the cell. */
  readonly sets: readonly (readonly NeededCell[])[];
}

export interface WhyNotQuestion {
  readonly field: number;
  readonly subject: number;
  /** -1: any value. */
  readonly value: number;
  readonly at: number;
}

export function whyNot(view: RuleView, facts: MatchFacts, question: WhyNotQuestion): WhyNot {
  return new Asker(view, facts, question.at).ask(question, WHY_NOT_DEPTH_MAX, true);
}

interface Found {
  readonly depth: number;
  readonly miss: Miss;
  readonly text: string;
  readonly isConclusion: boolean;
  readonly bindings: Bindings;
}

class Asker {
  readonly #asked = new Set<string>();

  constructor(
    readonly view: RuleView,
    readonly facts: MatchFacts,
    readonly at: number,
  ) {}

  ask({ field, subject, value }: Omit<WhyNotQuestion, "at">, depth: number, withSets: boolean): WhyNot {
    this.#asked.add(`${field},${subject},${value}`);
    const rules = this.view.rulesAt(field).filter((rule) => this.#concludesAt(rule, subject));
    const misses = rules.map((rule) => this.#missOf(rule, { field, subject, value }, depth));
    const sets = withSets ? neededSets(this.view, this.facts, { field, subject, value, at: this.at }) : [];
    return { cell: this.#cell(field, subject), value, recorded: this.#recorded(field, subject, value), rules: misses, sets };
  }

  #concludesAt(rule: Rule, subject: number): boolean {
    const { cell } = rule.conclusion;
    if (cell.subject.tag === "variable") return true;
    return this.view.symbols.datumId(new Subject(cell.kind, cell.subject.name)) === subject;
  }

  #cell(field: number, subject: number): string {
    const datum = this.view.symbols.datumOf(subject) as Subject;
    return spellCell({ kind: datum.kind, subject: datum.name, field: this.view.symbols.fieldOf(field).field });
  }

  /** Where no rule concludes, or all give way, the cell is somebody's to record. */
  #recorded(field: number, subject: number, value: number): WhyNot["recorded"] {
    const { view } = this;
    const rules = view.rulesAt(field);
    const { kind, field: name } = view.symbols.fieldOf(field);
    const cell = { kind, subject: { tag: "fixed", name: (view.symbols.datumOf(subject) as Subject).name }, field: name } as const;
    const matcher = new RuleMatcher(view, recordedOnly(cell), this.at, this.facts, WHY_NOT_STEPS_MAX, WHY_NOT_BINDINGS_MAX);
    const values = view.valuesAt(field, subject, false, this.at);
    if (values.length > 0) {
      const { class: kind, detail } = matcher.differs(cell, subject, values, value);
      return { class: kind, detail };
    }
    if (rules.length > 0) return null;
    const { class: missClass, detail } = matcher.empty(cell, subject);
    return { class: missClass, detail };
  }

  #missOf(rule: Rule, asked: Omit<WhyNotQuestion, "at">, depth: number): RuleMiss {
    const matcher = new RuleMatcher(this.view, rule, this.at, this.facts, WHY_NOT_STEPS_MAX, WHY_NOT_BINDINGS_MAX);
    const b = Bindings.of(rule);
    let best: Found | null = null;
    const report = (reached: number, miss: Miss, text: () => string, isConclusion = false) => {
      if (best !== null && (reached < best.depth || (reached === best.depth && !nearer(miss, best.miss)))) return;
      best = { depth: reached, miss, text: text(), isConclusion, bindings: b.copy() };
    };
    const of = matcher.order.length;
    const conclusion = () => conclusionText(matcher, b);
    let bounded = false;
    const refused = bindHead(matcher, b, asked.subject, asked.value);
    if (refused !== null) report(0, refused, conclusion, true);
    else {
      try {
        matcher.furthest(
          matcher.order,
          b,
          (reached, miss) => report(reached, miss, () => premiseText(matcher, matcher.order[reached] as Premise, b)),
          () => this.#concluded(matcher, b, asked, (miss) => report(of, miss, conclusion, true)),
        );
      } catch (problem) {
        if (!(problem instanceof OutOfSteps)) throw problem;
        bounded = true;
      }
    }
    const found = best as Found | null;
    if (found === null) {
      const detail = bounded ? "no binding was reached that a premise refuses" : this.#unnamed(matcher, b, asked.subject);
      const nothing = { notes: [], below: null, bounded };
      return { rule: rule.name, class: "no values", premise: conclusion(), isConclusion: true, held: 0, of, detail, ...nothing };
    }
    return {
      rule: rule.name,
      class: found.miss.class,
      premise: found.text,
      isConclusion: found.isConclusion,
      held: found.depth,
      of,
      detail: found.miss.detail,
      notes: this.#notes(rule, found),
      below: this.#below(found.miss, depth),
      bounded,
    };
  }

  #notes(rule: Rule, { depth, miss, isConclusion, bindings }: Found): string[] {
    if (isConclusion) return [];
    const matcher = new RuleMatcher(this.view, rule, this.at, this.facts, WHY_NOT_STEPS_MAX, WHY_NOT_BINDINGS_MAX);
    return missNotes(matcher, matcher.order[depth]!, miss, bindings);
  }

  /** Every premise holds and nothing is amiss with the conclusion: a parameter that no premise binds has nothing to range over. */
  #unnamed(matcher: RuleMatcher, b: Bindings, subject: number): string {
    const { rule, view } = matcher;
    for (let i = 0; i < rule.parameterCount; i++) {
      const { name, type } = rule.variables[i]!;
      if (type.tag !== "kind" || b.variables[i]! >= 0 || rule.premises.some((premise) => premise.tag === "bind" && premise.variable === i))
        continue;
      if (view.rangeAt(type.kind, this.at, 1).length === 0)
        return `no recorded claim in force names a ${type.kind}, and \`${name}\` ranges over them`;
    }
    return `no recorded claim in force names ${matcher.shown(subject)}`;
  }

  #below({ open }: Miss, depth: number): WhyNot | null {
    if (open === null || depth === 0 || this.#asked.has(`${open.field},${open.subject},${open.value}`)) return null;
    return this.ask(open, depth - 1, false);
  }

  /** Every premise holds: what of the conclusion is amiss. */
  #concluded(matcher: RuleMatcher, b: Bindings, asked: Omit<WhyNotQuestion, "at">, report: (miss: Miss) => void): void {
    const { view, rule } = matcher;
    const expr = rule.conclusion.value;
    matcher.withCells(
      cellsOfExpr(expr),
      b,
      () => {
        const datum = matcher.value(expr, b);
        if (datum === undefined || datum === null) {
          const isFold = expr.tag === "fold";
          report({ class: isFold ? "fold short" : "no values", detail: "it has no value", distance: Number.MAX_VALUE, open: null });
          return;
        }
        const held = view.acceptable(rule, view.symbols.datumId(datum));
        if (held < 0)
          report({
            class: "value differs",
            detail: `the field cannot hold ${matcher.told(datum)}`,
            distance: Number.MAX_VALUE,
            open: null,
          });
        else if (asked.value >= 0 && held !== asked.value)
          report({ class: "value differs", detail: `it concludes ${matcher.shown(held)}`, distance: Number.MAX_VALUE, open: null });
        else if (
          view
            .derivedAt(asked.field, asked.subject)
            .some((fact) => fact.rule === rule.name && fact.value === held && fact.from <= this.at && this.at < fact.to)
        ) {
          const detail = `it concludes ${matcher.shown(held)}, and another value is in force`;
          report({ class: "gave way", detail, distance: Number.MAX_VALUE, open: null });
        }
      },
      report,
    );
  }
}

/** Puts the cell's subject, and the value where the rule passes one on, into the parameters. Not null: it cannot conclude that. */
export function bindHead(matcher: RuleMatcher, b: Bindings, subject: number, value: number): Miss | null {
  const { rule, view } = matcher;
  const { cell, value: expr } = rule.conclusion;
  if (cell.subject.tag === "variable") b.variables[cell.subject.variable] = subject;
  if (value < 0) return null;
  const concludes = (detail: string): Miss => ({ class: "value differs", detail, distance: Number.MAX_VALUE, open: null });
  if (expr.tag === "literal") {
    const held = view.acceptable(rule, view.symbols.datumId(matcher.value(expr, b)!));
    return held === value ? null : concludes(`it concludes ${matcher.told(matcher.value(expr, b))}`);
  }
  if (expr.tag !== "variable") return null;
  const bound = b.variables[expr.variable]!;
  if (bound >= 0) return bound === value ? null : concludes(`it concludes ${matcher.shown(bound)}`);
  const { type, name } = rule.variables[expr.variable]!;
  const datum = view.symbols.datumOf(value);
  if (type.tag === "kind" && !(datum instanceof Subject && datum.kind === type.kind)) return concludes(`\`${name}\` is a ${type.kind}`);
  // A value the field changes to fit it is met by whatever becomes it.
  if (view.acceptable(rule, value) === value && !(typeof datum === "object" && datum !== null && "v" in datum))
    b.variables[expr.variable] = value;
  return null;
}

/** A rule of no premise, to have cells spelled and their state told. */
function recordedOnly(cell: Rule["conclusion"]["cell"]): Rule {
  const value = { tag: "cell", cell } as const;
  return { name: "", computed: false, variables: [], parameterCount: 0, premises: [], conclusion: { cell, value }, line: 0 };
}
