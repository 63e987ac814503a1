/** Premises as text, with what is bound put in; cells are named by address, so that it can be seen what to record. */
import { Subject } from "../datum";
import { spellCell } from "./address";
import type { CellTerm, Generator, Premise, RuleExpr } from "./rule";
import { datumFromLiteral } from "./rule-literal";
import type { Bindings, RuleMatcher } from "./why-not-match";
import { formattedText } from "./why-text";

/** `valued`: cells to show by their value instead of by their address. */
type Valued = (cell: CellTerm, subject: number) => string | null;
const byName: Valued = () => null;

export function premiseText(matcher: RuleMatcher, premise: Premise, b: Bindings, valued: Valued = byName): string {
  return new Text(matcher, b, valued).premise(premise);
}

export function exprText(matcher: RuleMatcher, expr: RuleExpr, b: Bindings, valued: Valued = byName): string {
  return new Text(matcher, b, valued).expr(expr);
}

export function conclusionText(matcher: RuleMatcher, b: Bindings): string {
  const { cell, value } = matcher.rule.conclusion;
  const text = new Text(matcher, b, byName);
  return `conclude(${text.address(cell)}, ${text.expr(value)})`;
}

class Text {
  constructor(
    readonly matcher: RuleMatcher,
    readonly b: Bindings,
    readonly valued: Valued,
  ) {}

  premise(premise: Premise): string {
    switch (premise.tag) {
      case "bind":
        return `${this.cell(premise.cell)} == ${this.#variable(premise.variable)}`;
      case "compare":
        return `${this.expr(premise.left)} ${premise.op} ${this.expr(premise.right)}`;
      case "text":
        if (premise.test === "in") return `${this.expr(premise.part)} ${premise.negated ? "not in" : "in"} ${this.expr(premise.of)}`;
        return `${this.expr(premise.of)}.${premise.test}(${this.expr(premise.part)})`;
      case "among": {
        const items = premise.items.map((item) => this.matcher.told(datumFromLiteral(item))).join(", ");
        return `${this.expr(premise.of)} ${premise.negated ? "not in" : "in"} [${items}]`;
      }
      case "present":
      case "absent":
      case "not_asserted":
        return `${premise.tag}(${this.address(premise.cell)})`;
      case "any":
      case "none":
        return `${premise.tag}(${this.matcher.rule.variables[premise.over.variable]!.name} ${this.#over(premise.over)})`;
    }
  }

  expr(expr: RuleExpr): string {
    switch (expr.tag) {
      case "literal":
        return this.matcher.told(datumFromLiteral(expr.literal));
      case "variable":
        return this.#variable(expr.variable);
      case "cell":
        return this.cell(expr.cell);
      case "unary":
        return `${expr.op}${this.#operand(expr.operand)}`;
      case "binary":
        return `${this.#operand(expr.left)} ${expr.op} ${this.#operand(expr.right)}`;
      case "fold":
        return `${expr.op}(${this.expr(expr.of)} ${this.#over(expr.over)})`;
      case "claim":
        return `${expr.property}(${this.address(expr.cell)})`;
      case "text":
        return formattedText(expr.parts, (value) => this.expr(value));
      case "if":
        return `${this.#operand(expr.then)} if ${expr.test.map((test) => this.premise(test)).join(" and ")} else ${this.#operand(expr.orelse)}`;
    }
  }

  cell(cell: CellTerm): string {
    const subject = this.matcher.subjectOf(cell, this.b);
    return (subject < 0 ? null : this.valued(cell, subject)) ?? this.address(cell);
  }

  address(cell: CellTerm): string {
    const subject = this.matcher.subjectOf(cell, this.b);
    const datum = subject < 0 ? null : this.matcher.view.symbols.datumOf(subject);
    if (datum instanceof Subject) return spellCell({ kind: cell.kind, subject: datum.name, field: cell.field });
    return cell.subject.tag === "variable" ? `${this.matcher.rule.variables[cell.subject.variable]!.name}.${cell.field}` : cell.field;
  }

  #over(over: Generator): string {
    const { name, type } = this.matcher.rule.variables[over.variable]!;
    const conditions = over.conditions.map((condition) => this.premise(condition)).join(" and ");
    return `for ${name} in ${type.tag === "kind" ? type.kind : ""}${conditions === "" ? "" : ` if ${conditions}`}`;
  }

  #operand(expr: RuleExpr): string {
    const text = this.expr(expr);
    return expr.tag === "binary" || expr.tag === "if" ? `(${text})` : text;
  }

  #variable(variable: number): string {
    const id = this.b.variables[variable]!;
    return id < 0 ? this.matcher.rule.variables[variable]!.name : this.matcher.shown(id);
  }
}
