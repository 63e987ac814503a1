/**
 * Conditions of a match as text with its values put in: `5 * 2 > 9.5`, `absent(Person.ann.died)`.
 *
 * A premise that only takes a fact has no text of its own: the fact stands for it.
 */
import { type Datum, Subject } from "../datum";
import { spellCell, spellSubject } from "./address";
import type { CellTerm, Generator, Premise, RuleExpr, TextPart } from "./rule";
import type { Clause, Shown } from "./rule-clause";
import { datumFromLiteral } from "./rule-literal";
import type { Env } from "./rule-test";
import type { RuleView } from "./rule-view";

/** An f-string as its author wrote it, its values as `shown` gives them. */
export function formattedText(parts: readonly TextPart[], shown: (value: RuleExpr) => string): string {
  const spelled = parts.map((part) => {
    if (part.tag === "chars") return part.text.replace(/[{}]/g, "$&$&").replace(/[\\"]/g, "\\$&").replaceAll("\n", "\\n");
    const conversion = part.conversion === null ? "" : `!${part.conversion}`;
    return `{${shown(part.value)}${conversion}${part.spec === "" ? "" : `:${part.spec}`}}`;
  });
  return `f"${spelled.join("")}"`;
}

/** The premise's facts say it all, whatever the match. */
export function isSilent({ premise, holds }: Shown): boolean {
  if (premise === null || premise.tag === "bind" || premise.tag === "present") return true;
  return holds && (premise.tag === "any" || saysItself(premise));
}

/** Null where the premise's facts say it all. */
export function conditionText(shown: Shown, clause: Clause, env: Env, state: RuleView): string | null {
  const { premise } = shown;
  if (premise === null || isSilent(shown)) return null;
  const text = new ConditionText(clause, env, state).premise(premise, false);
  return shown.holds ? text : `not (${text})`;
}

/** `cell == literal`: the fact's own line says the value. */
function saysItself(premise: Premise): boolean {
  return premise.tag === "compare" && premise.op === "==" && premise.left.tag === "cell" && premise.right.tag === "literal";
}

class ConditionText {
  constructor(
    readonly clause: Clause,
    readonly env: Env,
    readonly state: RuleView,
  ) {}

  /** `inside`: a generator's condition, whose own cells are named and not replaced. */
  premise(premise: Premise, inside: boolean): string {
    switch (premise.tag) {
      case "bind":
        return `${this.cell(premise.cell, inside)} == ${this.#variable(premise.variable)}`;
      case "compare":
        return `${this.#expr(premise.left, inside)} ${premise.op} ${this.#expr(premise.right, inside)}`;
      case "text":
        return premise.test === "in"
          ? `${this.#expr(premise.part, inside)} ${premise.negated ? "not in" : "in"} ${this.#expr(premise.of, inside)}`
          : `${this.#expr(premise.of, inside)}.${premise.test}(${this.#expr(premise.part, inside)})`;
      case "among":
        return `${this.#expr(premise.of, inside)} ${premise.negated ? "not in" : "in"} [${premise.items.map((item) => this.#shown(datumFromLiteral(item))).join(", ")}]`;
      case "present":
      case "absent":
      case "not_asserted":
        return `${premise.tag}(${this.#address(premise.cell)})`;
      case "any":
      case "none": {
        const name = this.clause.rule.variables[premise.over.variable]!.name;
        return `${premise.tag}(${name} ${this.#over(premise.over)})`;
      }
    }
  }

  #over(over: Generator): string {
    const variable = this.clause.rule.variables[over.variable]!;
    const kind = variable.type.tag === "kind" ? variable.type.kind : "";
    const conditions = over.conditions.map((condition) => this.premise(condition, true)).join(" and ");
    return `for ${variable.name} in ${kind}${conditions === "" ? "" : ` if ${conditions}`}`;
  }

  #expr(expr: RuleExpr, inside: boolean): string {
    switch (expr.tag) {
      case "literal":
        return this.#shown(datumFromLiteral(expr.literal));
      case "variable":
        return this.#variable(expr.variable);
      case "cell":
        return this.cell(expr.cell, inside);
      case "unary":
        return `${expr.op}${this.#operand(expr.operand, inside)}`;
      case "binary":
        return `${this.#operand(expr.left, inside)} ${expr.op} ${this.#operand(expr.right, inside)}`;
      case "fold":
        return `${expr.op}(${this.#expr(expr.of, true)} ${this.#over(expr.over)})${this.#gave(expr)}`;
      case "claim":
        return `${expr.property}(${this.#address(expr.cell)})${this.#gave(expr)}`;
      case "text":
        return formattedText(expr.parts, (value) => this.#expr(value, inside));
      case "if":
        return `${this.#operand(expr.then, inside)} if ${expr.test.map((test) => this.premise(test, inside)).join(" and ")} else ${this.#operand(expr.orelse, inside)}`;
    }
  }

  #operand(expr: RuleExpr, inside: boolean): string {
    const text = this.#expr(expr, inside);
    return expr.tag === "binary" || expr.tag === "if" ? `(${text})` : text;
  }

  /** What a fold or a claim's property gave in this match. */
  #gave(expr: RuleExpr): string {
    const slot = this.clause.tempSlots.get(expr);
    const value = slot === undefined ? undefined : this.env.temps[slot];
    return value === undefined ? "" : ` [${this.#shown(value)}]`;
  }

  #variable(variable: number): string {
    const id = variable < this.clause.rule.parameterCount ? this.env.slots[variable]! : -1;
    return id < 0 ? this.clause.rule.variables[variable]!.name : this.#shown(this.state.symbols.datumOf(id));
  }

  /** A cell of the match by its value, a cell of a generator's row by its name. */
  cell(cell: CellTerm, inside: boolean): string {
    const own = cell.subject.tag === "variable" && cell.subject.variable >= this.clause.rule.parameterCount;
    const slot = own && inside ? undefined : this.clause.cellSlots.get(JSON.stringify(cell));
    const id = slot === undefined ? -1 : this.env.slots[slot]!;
    return id < 0 ? this.#address(cell) : this.#shown(this.state.symbols.datumOf(id));
  }

  #address(cell: CellTerm): string {
    if (cell.subject.tag === "fixed") return spellCell({ kind: cell.kind, subject: cell.subject.name, field: cell.field });
    const id = cell.subject.variable < this.clause.rule.parameterCount ? this.env.slots[cell.subject.variable]! : -1;
    const subject = id < 0 ? null : this.state.symbols.datumOf(id);
    if (subject instanceof Subject) return spellCell({ kind: subject.kind, subject: subject.name, field: cell.field });
    return `${this.clause.rule.variables[cell.subject.variable]!.name}.${cell.field}`;
  }

  #shown(datum: Datum): string {
    if (datum instanceof Subject) return spellSubject(datum.kind, datum.name);
    return this.state.calculus.format(datum, "r", "") ?? "…";
  }
}
