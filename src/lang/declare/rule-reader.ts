/**
 * The expressions and premises of one rule, constraint or computed field: syntax to rule data, checked and typed.
 *
 * Everything the rule language does not have is refused at its place with the form to write instead; after a fault the
 * reader answers null and goes on, so that one look shows all of them. Rulings: "Rule grammar", "Fields and methods",
 * "Generators and declarations", "Types in rules".
 */
import { Bytes, Complex, type Datum, Float } from "../../datum";
import type { Arithmetic, CellTerm, Comparison, Generator, Literal, Premise, RuleExpr, TextPart } from "../../engine/rule";
import { branchCount, CLAUSES_PER_RULE_MAX } from "../../engine/rule-clause";
import { literalFromDatum } from "../../engine/rule-literal";
import type { Attribute, Call, Compare, Expr, GeneratorExp, JoinedStr, Name } from "../syntax/ast";
import { datetimeOf, durationOf } from "../value/datetime";
import { Raised } from "../value/value";
import { noneFault, severalFault } from "./rule-faults";
import { flat, RuleScope } from "./rule-scope";
import { arithmeticType, comparisonRefused, neverRead, typeWords, unaryType } from "./rule-types";
import { sourceText } from "./source-text";

/** Where an expression stands: a premise, a generator's condition, a folded expression, or the concluded value. */
export type Place = "premise" | "condition" | "folded" | "value";

const FOLDS: ReadonlySet<string> = new Set(["count", "sum", "min", "max", "avg"]);
const CLAIM_WORDS: ReadonlySet<string> = new Set(["trust", "source", "valid_from", "valid_to"]);
const COMPARISONS: ReadonlySet<string> = new Set(["==", "!=", "<", "<=", ">", ">="]);
const ARITHMETIC: ReadonlySet<string> = new Set(["+", "-", "*", "/", "//", "%", "**", "<<", ">>", "|", "^", "&"]);
/** What says the contrary without `not`. */
const OPPOSITES: ReadonlyMap<string, string> = new Map(
  Object.entries({ present: "absent", absent: "present", any: "none", none: "any", "==": "!=", "!=": "==", in: "not in", "not in": "in" }),
);

export class RuleReader extends RuleScope {
  // ---- premises -------------------------------------------------------------------------------------------------

  /** The premises one expression says; a chained comparison says several. Null after a fault. */
  premises(expr: Expr, place: "premise" | "condition"): Premise[] | null {
    this.leading = place === "premise" ? leadingOf(expr) : null;
    switch (expr.kind) {
      case "Compare":
        return this.#comparison(expr, place);
      case "Call":
        return this.#callPremise(expr, place);
      case "BoolOp":
        return this.#joined(expr.op, expr.values, expr, place);
      case "UnaryOp":
        if (expr.op === "not") return this.#negated(expr.operand, expr);
        break;
      case "Attribute": {
        const text = sourceText(expr);
        return this.fault(
          expr,
          `a premise compares or tests: ${text === null ? "compare the field" : `\`${text} == True\` for a flag, \`present(${text})\` for any value`}`,
          text === null ? undefined : `${text} == True`,
        );
      }
      case "GeneratorExp":
        return this.fault(expr, "a premise over other subjects says which way it asks: `any(o for o in Order if …)`, or `none(…)`");
      case "Constant":
        if (typeof expr.value === "boolean") return this.fault(expr, "a premise that always holds, or never, says nothing: leave it out");
        break;
      case "NamedExpr":
        return this.fault(expr, "a rule binds its parameters by `cell == parameter`, not by `:=`");
      case "IfExp":
        return this.fault(expr, "`if … else` stands in a concluded value only: write two rules, one a case");
    }
    return this.fault(
      expr,
      "a premise is a comparison, a text test, `in` a literal list, `absent`, `present`, `any`, `none`, or `not_asserted`",
    );
  }

  #joined(op: "and" | "or", values: readonly Expr[], expr: Expr, place: "premise" | "condition"): Premise[] | null {
    if (op === "and" && place === "condition") {
      const parts = values.map((value) => this.premises(value, place));
      return parts.includes(null) ? null : (parts.flat() as Premise[]);
    }
    if (op === "and") {
      const texts = values.map(sourceText);
      const fix = texts.includes(null) ? undefined : texts.join(", ");
      return this.fault(expr, "premises are joined by commas: all of them must hold", fix);
    }
    return this.fault(
      expr,
      "`or` is not there in rules: write two rules with the same conclusion, or `x in [a, b]` where one cell has one of several values",
    );
  }

  #negated(operand: Expr, expr: Expr): null {
    const text = sourceText(operand);
    if (operand.kind === "Call" && operand.func.kind === "Name") {
      const other = OPPOSITES.get(operand.func.id);
      const cell = operand.args.length === 1 ? sourceText(operand.args[0]!) : null;
      if (other !== undefined)
        return this.fault(
          expr,
          `\`not ${operand.func.id}(…)\` is written \`${other}(…)\``,
          cell === null ? undefined : `${other}(${cell})`,
        );
    }
    if (operand.kind === "Compare" && operand.ops.length === 1) {
      const inverse = OPPOSITES.get(operand.ops[0]!);
      const left = sourceText(operand.left);
      const right = sourceText(operand.comparators[0]!);
      if (inverse !== undefined && left !== null && right !== null) {
        return this.fault(expr, "`not` is not there in rules: turn the comparison round", `${left} ${inverse} ${right}`);
      }
    }
    if (operand.kind === "Attribute" && text !== null) {
      return this.fault(
        expr,
        `\`not\` is not there in rules: \`${text} == False\` for a flag, \`absent(${text})\` for no value`,
        `${text} == False`,
      );
    }
    return this.fault(
      expr,
      "`not` is not there in rules: turn the comparison round, or say `absent(cell)` or `none(o for o in Order if …)`",
    );
  }

  #comparison(expr: Compare, place: "premise" | "condition"): Premise[] | null {
    const out: Premise[] = [];
    let left = expr.left;
    let failed = false;
    expr.ops.forEach((op, i) => {
      const right = expr.comparators[i]!;
      const premise = this.#link(expr, left, op, right, place);
      if (premise === null) failed = true;
      else out.push(premise);
      left = right;
    });
    return failed ? null : out;
  }

  #link(whole: Compare, left: Expr, op: string, right: Expr, place: "premise" | "condition"): Premise | null {
    if (op === "is" || op === "is not" || isNone(right) || isNone(left)) return this.#identity(whole, left, op, right);
    if (op === "in" || op === "not in") return this.#membership(left, right, op === "not in", place);
    if (op === "==") {
      const bound = this.#binding(left, right) ?? this.#binding(right, left);
      if (bound !== null) return bound;
    }
    const a = this.value(left, place);
    const b = this.value(right, place);
    if (a === null || b === null) return null;
    if (!COMPARISONS.has(op)) return this.fault(whole, `rules compare by ${[...COMPARISONS].join(" ")} and \`in\``);
    const leftType = this.typeOf(a);
    const rightType = this.typeOf(b);
    if (comparisonRefused(op as Comparison, leftType, rightType)) {
      return this.fault(whole, `${typeWords(leftType)} and ${typeWords(rightType)} have no order: \`${op}\` compares values of one type`);
    }
    if (!this.#canBeRead(a, b, right) || !this.#canBeRead(b, a, left)) return null;
    // A field stands left, so that proofs read as rules are written.
    if (op === "==" && a.tag === "literal" && b.tag !== "literal") return { tag: "compare", op: "==", left: b, right: a };
    return { tag: "compare", op: op as Comparison, left: a, right: b };
  }

  /** False after a fault: what a premise reads of a claim is compared with what that never is. */
  #canBeRead(read: RuleExpr, other: RuleExpr, at: Expr): boolean {
    const gives = read.tag === "claim" && other.tag === "literal" ? neverRead(read, other.literal) : null;
    if (gives !== null && read.tag === "claim") this.fault(at, `\`${read.property}(…)\` is ${gives}`);
    return gives === null;
  }

  /** `cell == parameter`: null where it is another form. */
  #binding(cellSide: Expr, variableSide: Expr): Premise | null {
    if (variableSide.kind !== "Name" || cellSide.kind === "Name") return null;
    const variable = this.scope.get(variableSide.id);
    if (variable === undefined || !this.#isCellForm(cellSide)) return null;
    const cell = this.cell(cellSide as Attribute);
    if (cell === null) return null;
    this.bindings.set(JSON.stringify(cell), variableSide.id);
    return { tag: "bind", cell, variable };
  }

  /** Whether an expression is an address of a field, faults aside. */
  #isCellForm(expr: Expr): boolean {
    if (expr.kind !== "Attribute") return false;
    const chain = flat(expr);
    if (chain === null) return false;
    const [root] = chain.steps;
    return this.scope.has(chain.root.id)
      ? chain.steps.length === 1 && root !== undefined
      : chain.steps.length >= 2 && this.fixed(expr) === "cell";
  }

  #identity(whole: Compare, left: Expr, op: string, right: Expr): null {
    const cell = isNone(right) ? left : isNone(left) ? right : null;
    if (cell === null)
      return this.fault(
        whole,
        "rules compare values, not identities: write `==` or `!=`",
        this.#compareFix(left, op === "is" ? "==" : "!=", right),
      );
    const { message, fix } = noneFault(cell, op === "is" || op === "==");
    return this.fault(whole, message, fix);
  }

  #compareFix(left: Expr, op: string, right: Expr): string | undefined {
    const a = sourceText(left);
    const b = sourceText(right);
    return a === null || b === null ? undefined : `${a} ${op} ${b}`;
  }

  #membership(left: Expr, right: Expr, negated: boolean, place: Place): Premise | null {
    if (right.kind === "List" || right.kind === "Tuple" || right.kind === "Set") {
      const of = this.value(left, place);
      const items: Literal[] = [];
      let failed = of === null;
      for (const element of right.elts) {
        const item = this.value(element, place);
        if (item === null) failed = true;
        else if (item.tag !== "literal") {
          this.fault(element, "`in` takes a list of literals here: compare with `==` for a field or a parameter");
          failed = true;
        } else if (of !== null && !this.#canBeRead(of, item, element)) failed = true;
        else items.push(item.literal);
      }
      return failed || of === null ? null : { tag: "among", of, items, negated };
    }
    const of = this.value(right, place);
    const part = this.value(left, place);
    if (of === null || part === null) return null;
    const ofType = this.typeOf(of);
    if (ofType !== null && ofType !== "any" && ofType !== "string") {
      return this.fault(
        right,
        `\`in\` tests part of a text, or one of a literal list, and this is ${typeWords(ofType)}${of.tag === "cell" && this.many(of.cell) ? `: \`${sourceText(right) ?? "cell"} == parameter\` takes each of a many-valued field's values` : ""}`,
      );
    }
    if (!this.#needsText(part, left)) return null;
    return { tag: "text", test: "in", of, part, negated };
  }

  #needsText(expr: RuleExpr, at: Expr): boolean {
    const type = this.typeOf(expr);
    if (type === null || type === "any" || type === "string") return true;
    this.fault(at, `a text test takes a text, and this is ${typeWords(type)}`);
    return false;
  }

  #callPremise(call: Call, place: "premise" | "condition"): Premise[] | null {
    const { func } = call;
    if (
      func.kind === "Attribute" &&
      (func.attr === "startswith" || func.attr === "endswith") &&
      !(func.value.kind === "Name" && this.scope.has(func.value.id) && this.isKindVariable(func.value.id))
    ) {
      return this.#textTest(call, func, func.attr, place);
    }
    if (func.kind === "Attribute") {
      const base = sourceText(func.value);
      return this.fault(
        call,
        `of a field's methods rules have \`startswith\` and \`endswith\`: compute \`${func.attr}\` in a script and record what it gives, or test part of a text with \`"…" in ${base ?? "cell"}\``,
      );
    }
    if (func.kind !== "Name") return this.fault(call, "rules call nothing but what the rule language lists");
    switch (func.id) {
      case "present":
      case "absent": {
        const cell = this.#cellArgument(call, func.id);
        return cell === null ? null : [{ tag: func.id, cell }];
      }
      case "not_asserted": {
        if (place === "condition") return this.fault(call, "`not_asserted` stands in `when`, not inside a generator");
        const cell = this.#cellArgument(call, func.id);
        return cell === null ? null : [{ tag: "not_asserted", cell }];
      }
      case "any":
      case "none": {
        if (place === "condition")
          return this.fault(call, `generators do not nest: conclude \`${func.id}(…)\` at a field of its own, and test that field here`);
        const over = this.#generatorArgument(call, func.id, null);
        return over === null ? null : [{ tag: func.id, over: over.generator }];
      }
      case "all":
        return this.fault(call, "`all(…)` is written as what must not be: `none(o for o in Order if o.open == True)`");
      case "exists":
        return this.fault(call, "something like this exists: `any(o for o in Order if …)`, or `present(cell)` for one cell");
    }
    if (FOLDS.has(func.id) || CLAIM_WORDS.has(func.id)) {
      return this.fault(
        call,
        `\`${func.id}(…)\` gives a value: compare it, as in \`${func.id === "trust" ? 'trust(p.born) == "asserted"' : func.id === "source" ? 'source(p.born) == "registry"' : CLAIM_WORDS.has(func.id) ? `${func.id}(p.born) < datetime("2026-01-01T00:00:00Z")` : `${func.id}(…) > 0`}\``,
      );
    }
    this.#refuseCall(call, func);
    return null;
  }

  #textTest(call: Call, func: Attribute, test: "startswith" | "endswith", place: Place): Premise[] | null {
    if (call.keywords.length > 0 || call.args.length !== 1) return this.fault(call, `\`${test}\` takes one text here`);
    const of = this.value(func.value, place);
    const part = this.value(call.args[0]!, place);
    if (of === null || part === null) return null;
    const type = this.typeOf(of);
    if (type !== null && type !== "any" && type !== "string")
      return this.fault(call, `\`${test}\` tests a text, and this is ${typeWords(type)}`);
    return this.#needsText(part, call.args[0]!) ? [{ tag: "text", test, of, part, negated: false }] : null;
  }

  protected isKindVariable(name: string): boolean {
    return this.variables[this.scope.get(name)!]!.type.tag === "kind";
  }

  #cellArgument(call: Call, verb: string): CellTerm | null {
    const [arg] = call.args;
    if (call.args.length !== 1 || call.keywords.length > 0 || arg === undefined)
      return this.fault(call, `\`${verb}\` takes one cell: \`${verb}(p.field)\``);
    if (arg.kind !== "Attribute") return this.fault(arg, `\`${verb}\` takes a cell: \`${verb}(p.field)\``);
    return this.cell(arg);
  }

  // ---- generators -----------------------------------------------------------------------------------------------

  /** `of`: null for `any` and `none`, whose element is the variable itself or one more condition. */
  #generatorArgument(call: Call, verb: string, of: "folded" | null): { generator: Generator; of: RuleExpr } | null {
    const [arg] = call.args;
    if (call.args.length !== 1 || call.keywords.length > 0 || arg?.kind !== "GeneratorExp") {
      return this.fault(
        call,
        `\`${verb}\` takes a generator over a Kind: \`${verb}(${of === null ? "o" : verb === "count" ? "o" : "o.amount"} for o in Order if o.customer == c)\``,
      );
    }
    return this.#generator(arg, of, verb);
  }

  #generator(expr: GeneratorExp, of: "folded" | null, verb: string): { generator: Generator; of: RuleExpr } | null {
    const [clause, ...more] = expr.generators;
    if (clause === undefined || more.length > 0)
      return this.fault(expr, "a generator of a rule has one `for`: join the other Kind by its fields, in a rule of its own");
    if (clause.target.kind !== "Name") return this.fault(clause.target, "a generator takes one name: `for o in Order`");
    const { iter } = clause;
    if (iter.kind !== "Name" && iter.kind !== "Attribute")
      return this.fault(iter, "a generator of a rule ranges over a Kind: `for o in Order`");
    const kind = this.names.kind(iter);
    if ("problem" in kind) {
      if (iter.kind === "Attribute" && iter.value.kind === "Name" && this.scope.has(iter.value.id)) {
        return this.fault(iter, `a generator ranges over a Kind, not over a cell: \`for o in Order if ${sourceText(iter)} == o\``);
      }
      if (kind.problem !== null) this.tell(kind.problem);
      return null;
    }
    const name = clause.target.id;
    const outer = this.scope.get(name);
    const variable = this.variables.push({ name, type: { tag: "kind", kind: kind.name } }) - 1;
    this.scope.set(name, variable);
    const conditions: Premise[] = [];
    let failed = false;
    for (const test of clause.ifs) {
      const read = this.premises(test, "condition");
      if (read === null) failed = true;
      else conditions.push(...read);
    }
    let value: RuleExpr | null = { tag: "variable", variable };
    if (!(expr.elt.kind === "Name" && expr.elt.id === name)) {
      if (of === null) {
        const read = this.premises(expr.elt, "condition");
        if (read === null) failed = true;
        else conditions.push(...read);
      } else value = this.value(expr.elt, "folded");
    }
    if (outer === undefined) this.scope.delete(name);
    else this.scope.set(name, outer);
    if (failed || value === null) return null;
    if (of !== null && verb !== "count") {
      const type = this.typeOf(value);
      const taken = verb === "sum" || verb === "avg" ? type === "int" || type === "real" : type !== "complex" && type !== "dict";
      if (type !== null && type !== "any" && !taken)
        return this.fault(
          expr.elt,
          `\`${verb}\` cannot take ${typeWords(type)}: it folds ${verb === "sum" || verb === "avg" ? "ints and floats" : "values with an order"}`,
        );
    }
    return { generator: { variable, conditions }, of: value };
  }

  // ---- values ---------------------------------------------------------------------------------------------------

  value(expr: Expr, place: Place): RuleExpr | null {
    switch (expr.kind) {
      case "Constant":
        return this.#constant(expr.value, expr);
      case "Name": {
        const variable = this.scope.get(expr.id);
        if (variable !== undefined) return { tag: "variable", variable };
        return this.#unknownName(expr);
      }
      case "Attribute":
        return this.attribute(expr);
      case "Subscript":
        return this.subjectLiteral(expr);
      case "UnaryOp": {
        if (expr.op === "not") return this.fault(expr, "`not` is not there in rules: turn the comparison round, or say `absent(cell)`");
        const operand = this.value(expr.operand, place);
        if (operand === null) return null;
        if (operand.tag === "literal" && (operand.literal.type === "int" || operand.literal.type === "real") && expr.op === "-")
          return { tag: "literal", literal: negative(operand.literal) };
        if (unaryType(expr.op, this.typeOf(operand)) === "refused")
          return this.fault(expr, `\`${expr.op}\` has no meaning for ${typeWords(this.typeOf(operand))}`);
        return { tag: "unary", op: expr.op, operand };
      }
      case "BinOp": {
        if (!ARITHMETIC.has(expr.op)) return this.fault(expr, `rules do not have \`${expr.op}\``);
        const left = this.value(expr.left, place);
        const right = this.value(expr.right, place);
        if (left === null || right === null) return null;
        const [a, b] = [this.typeOf(left), this.typeOf(right)];
        if (arithmeticType(expr.op as Arithmetic, a, b) === "refused") {
          return this.fault(
            expr,
            `\`${expr.op}\` cannot take ${typeWords(a)} and ${typeWords(b)}${a === "string" || b === "string" ? ': a text of several values is an f-string, f"{p.name}: {p.born}"' : ""}`,
          );
        }
        return { tag: "binary", op: expr.op as Arithmetic, left, right };
      }
      case "JoinedStr":
        return this.#text(expr, place);
      case "IfExp":
        return this.#choice(expr, place);
      case "Call":
        return this.#callValue(expr, place);
      case "Compare":
      case "BoolOp":
        return this.fault(
          expr,
          "a value of a rule is no comparison: conclude `True` where the premises hold, or choose with `a if c else b`",
        );
      case "List":
      case "Tuple":
      case "Dict":
      case "Set":
        return this.fault(expr, severalFault(place === "value"));
      case "Lambda":
      case "ListComp":
      case "SetComp":
      case "DictComp":
      case "GeneratorExp":
        return this.fault(expr, "rules fold over a Kind with `count`, `sum`, `min`, `max` and `avg`: `sum(o.amount for o in Order if …)`");
      default:
        return this.fault(
          expr,
          "this form is not there in rules: a value is a literal, a parameter, a field, arithmetic, a fold, or an f-string",
        );
    }
  }

  #constant(value: unknown, expr: Expr): RuleExpr | null {
    if (value === null) return this.fault(expr, "`None` is no value of a rule: ask `absent(cell)`; what is not concluded is empty anyway");
    if (value === undefined) return this.fault(expr, "`...` is no value");
    const ok = typeof value !== "object" || value instanceof Float || value instanceof Complex || value instanceof Bytes;
    const literal = ok ? literalFromDatum(value as Datum) : null;
    return literal === null ? this.fault(expr, "this is no literal that a rule can hold") : { tag: "literal", literal };
  }

  #unknownName(expr: Name): null {
    const kind = this.names.kind(expr);
    if (!("problem" in kind))
      return this.fault(
        expr,
        `\`${expr.id}\` is a Kind: a parameter \`x: ${expr.id}\` ranges over its subjects, \`${expr.id}["name"]\` is one of them`,
      );
    const known = [...this.scope.keys()].map((name) => `\`${name}\``).join(", ");
    return this.fault(
      expr,
      `unknown name \`${expr.id}\` in a rule: it has its parameters${known === "" ? "" : ` ${known}`}, and reads nothing else of its module; declare \`${expr.id}: Kind\` as one`,
    );
  }

  #text(expr: JoinedStr, place: Place): RuleExpr | null {
    const parts: TextPart[] = [];
    let failed = false;
    for (const part of expr.values) {
      if (part.kind === "Constant") parts.push({ tag: "chars", text: part.value as string });
      else {
        const value = this.value(part.value, place);
        let spec = "";
        for (const piece of part.spec?.values ?? []) {
          if (piece.kind === "Constant") spec += piece.value as string;
          else {
            this.fault(piece, "a format of a rule's text is written out: `{r.price:.2f}`");
            failed = true;
          }
        }
        if (value === null) failed = true;
        else parts.push({ tag: "field", value, conversion: part.conversion, spec });
      }
    }
    return failed ? null : { tag: "text", parts };
  }

  #choice(expr: Extract<Expr, { kind: "IfExp" }>, place: Place): RuleExpr | null {
    if (place !== "value") return this.fault(expr, "`if … else` stands in a concluded value only: write two rules, one a case");
    const tests = expr.test.kind === "BoolOp" && expr.test.op === "and" ? expr.test.values : [expr.test];
    const read = tests.map((test) => this.premises(test, "premise"));
    const then = this.value(expr.body, place);
    const orelse = this.value(expr.orelse, place);
    if (read.includes(null) || then === null || orelse === null) return null;
    const test = (read.flat() as Premise[]).map(asTest);
    if (test.some((premise) => premise.tag === "not_asserted")) return this.fault(expr.test, "`not_asserted` stands in `when`");
    const value: RuleExpr = { tag: "if", test, then, orelse };
    if (branchCount(value) > CLAUSES_PER_RULE_MAX)
      return this.fault(expr, `a value of more than ${CLAUSES_PER_RULE_MAX} cases is past the limit: write a rule a case`);
    return value;
  }

  #callValue(call: Call, place: Place): RuleExpr | null {
    const { func } = call;
    if (func.kind !== "Name") {
      if (func.kind === "Attribute")
        return this.fault(call, `a rule's value calls no method: compute \`${func.attr}\` in a script, or write the value as an f-string`);
      return this.fault(call, "rules call nothing but what the rule language lists");
    }
    if (FOLDS.has(func.id)) {
      if (place === "condition" || place === "folded")
        return this.fault(call, "folds do not nest: conclude the inner one at a field of its own, and read that field here");
      const read = this.#generatorArgument(call, func.id, "folded");
      return read === null ? null : { tag: "fold", op: func.id as "count", of: read.of, over: read.generator };
    }
    if (CLAIM_WORDS.has(func.id)) {
      if (place === "condition" || place === "folded")
        return this.fault(call, `\`${func.id}(…)\` stands in \`when\`, not inside a generator`);
      if (place === "value") return this.fault(call, `\`${func.id}(…)\` is a premise: compare it in \`when\``);
      const cell = this.#cellArgument(call, func.id);
      return cell === null ? null : { tag: "claim", property: func.id as "trust", cell };
    }
    if (func.id === "datetime" || func.id === "duration") return this.#instant(call, func.id);
    this.#refuseCall(call, func);
    return null;
  }

  #instant(call: Call, word: "datetime" | "duration"): RuleExpr | null {
    const [arg] = call.args;
    if (call.args.length !== 1 || call.keywords.length > 0 || arg?.kind !== "Constant" || typeof arg.value !== "string") {
      return this.fault(
        call,
        `in a rule \`${word}\` takes a literal text: \`${word === "datetime" ? 'datetime("2026-01-01T00:00:00Z")' : 'duration("P30D")'}\``,
      );
    }
    try {
      const value = word === "datetime" ? datetimeOf(arg.value) : durationOf(arg.value);
      return { tag: "literal", literal: { type: word, micros: value.micros } };
    } catch (problem) {
      if (!(problem instanceof Raised)) throw problem;
      return this.fault(arg, String(problem.exception.args[0] ?? `this text is no ${word}`));
    }
  }

  #refuseCall(call: Call, func: Name): void {
    if (func.id === "now")
      this.fault(
        call,
        "rules do not read the clock: give claims windows (`valid_from=`, `valid_to=`), and conclusions hold where their premises do",
      );
    else if (func.id === "str" || func.id === "repr" || func.id === "format") {
      const text = call.args.length === 1 ? sourceText(call.args[0]!) : null;
      this.fault(
        call,
        "a rule writes a text as an f-string",
        text === null || text.includes('"') ? undefined : `f"{${text}${func.id === "repr" ? "!r" : ""}}"`,
      );
    } else if (func.id === "len")
      this.fault(
        call,
        "`len` is not there in rules: `count(o for o in Order if …)` counts subjects; a text's length is recorded by a script",
      );
    else if (func.id === "not_asserted" || func.id === "absent" || func.id === "present" || func.id === "any" || func.id === "none")
      this.fault(call, `\`${func.id}(…)\` is a premise of its own: it is not compared and gives no value`);
    else
      this.fault(
        call,
        `rules do not call \`${func.id}\`: they have fields, arithmetic, folds and f-strings; what needs more is a script that records its answer`,
      );
  }
}

function leadingOf(expr: Expr): Expr {
  if (expr.kind === "Compare" || expr.kind === "BinOp") return leadingOf(expr.left);
  if (expr.kind === "Call" && expr.func.kind === "Attribute") return leadingOf(expr.func.value);
  return expr;
}

function isNone(expr: Expr): boolean {
  return expr.kind === "Constant" && expr.value === null;
}

/** A binding has no meaning where a branch is chosen: there the cell and the parameter are compared. */
function asTest(premise: Premise): Premise {
  if (premise.tag !== "bind") return premise;
  return { tag: "compare", op: "==", left: { tag: "cell", cell: premise.cell }, right: { tag: "variable", variable: premise.variable } };
}

function negative(literal: Extract<Literal, { type: "int" | "real" }>): Literal {
  if (literal.type === "int" && literal.text === "0") return literal;
  return { ...literal, text: literal.text.startsWith("-") ? literal.text.slice(1) : `-${literal.text}` };
}
