/**
 * `@rule` and `@constraint` functions to rule data, and the checks over all rules of a compile together.
 *
 * A rule is `when(…)` (which may be left out) and one `conclude(cell, value)`; a constraint ends in `require(…)`.
 */
import type { Span } from "../../diagnostic";
import type { FieldType } from "../../engine/claim";
import type { Constraint, Premise, Rule } from "../../engine/rule";
import { type CycleFault, cycleFault, type FieldName } from "../../engine/rule-order";
import type { Call, Expr, FunctionDef, Param } from "../syntax/ast";
import { bodyOf, scalarWord, type Tell, tellAt } from "./declaring";
import type { KindNames } from "./kind-names";
import { RuleReader } from "./rule-reader";

/** Null after a fault was told. */
export function declareRule(fn: FunctionDef, names: KindNames, tell: Tell): Rule | null {
  const read = readBody(fn, names, tell, "conclude");
  if (read === null) return null;
  const { reader, premises, last, watch } = read;
  const [cellExpr, valueExpr] = last.args;
  if (last.args.length !== 2 || last.keywords.length > 0 || cellExpr === undefined || valueExpr === undefined) {
    tellAt(watch.tell, last.span, "`conclude` takes a cell and a value: `conclude(p.field, value)`");
    return null;
  }
  const cell = reader.conclusionCell(cellExpr);
  const value = reader.value(valueExpr, "value");
  if (cell === null || value === null) return null;
  reader.checkConcluded(cell, value, valueExpr);
  if (watch.failed) return null;
  return {
    name: `${names.module}.${fn.name}`,
    computed: false,
    variables: reader.variables,
    parameterCount: parametersOf(fn).length,
    premises,
    conclusion: { cell, value },
    line: fn.span.line,
  };
}

export function declareConstraint(fn: FunctionDef, names: KindNames, tell: Tell): Constraint | null {
  const read = readBody(fn, names, tell, "require");
  if (read === null) return null;
  const { reader, premises, last, watch } = read;
  if (last.args.length === 0 || last.keywords.length > 0) {
    tellAt(watch.tell, last.span, "`require` takes the condition that must hold: `require(q.born < p.born)`");
    return null;
  }
  const require = last.args.flatMap((arg) => reader.premises(arg, "premise") ?? []);
  const given = require.find((premise) => premise.tag === "not_asserted");
  if (given !== undefined) tellAt(watch.tell, last.span, "`not_asserted` stands in `when`");
  const first = parametersOf(fn)[0];
  if (first === undefined || (reader.variables[0]?.type.tag !== "kind" && !reader.unsettled.has(first.name))) {
    tellAt(watch.tell, fn.nameSpan, "a constraint's first parameter is a subject: breaches are reported by it");
  }
  if (watch.failed) return null;
  return {
    name: `${names.module}.${fn.name}`,
    variables: reader.variables,
    parameterCount: parametersOf(fn).length,
    premises,
    // A parameter is the match's by now: a condition compares with it.
    require: require.map((premise) =>
      premise.tag === "bind"
        ? { tag: "compare", op: "==", left: { tag: "cell", cell: premise.cell }, right: { tag: "variable", variable: premise.variable } }
        : premise,
    ),
    line: fn.span.line,
  };
}

function parametersOf(fn: FunctionDef): readonly Param[] {
  return [...fn.args.posonly, ...fn.args.args];
}

interface Body {
  readonly reader: RuleReader;
  readonly premises: readonly Premise[];
  readonly last: Call;
  readonly watch: { tell: Tell; failed: boolean };
}

function readBody(fn: FunctionDef, names: KindNames, tell: Tell, ending: "conclude" | "require"): Body | null {
  const what = ending === "conclude" ? "rule" : "constraint";
  const watch = {
    failed: false,
    tell: (diagnostic: Parameters<Tell>[0]) => {
      watch.failed = true;
      tell(diagnostic);
    },
  };
  const reader = new RuleReader(names, watch.tell);
  readParameters(fn, names, reader, watch.tell, what);
  if (fn.returns !== null) tellAt(watch.tell, fn.returns.span, `a ${what} gives no value: leave out \`-> …\``);
  let when: Call | null = null;
  let last: Call | null = null;
  for (const statement of bodyOf(fn)) {
    const call = statement.kind === "Expr" && statement.value.kind === "Call" ? statement.value : null;
    const word = call?.func.kind === "Name" ? call.func.id : null;
    if (call !== null && word === "when" && when === null && last === null) when = call;
    else if (call !== null && word === ending && last === null) last = call;
    else if (word === ending) tellAt(watch.tell, statement.span, `a ${what} has one \`${ending}\`: write another ${what} for the other`);
    else if (word === "when")
      tellAt(watch.tell, statement.span, `one \`when\` holds all premises, joined by commas, and stands before \`${ending}\``);
    else if (word === "conclude" || word === "require") {
      tellAt(
        watch.tell,
        statement.span,
        word === "require"
          ? "`require` belongs to a `@constraint`: a rule ends in `conclude(cell, value)`"
          : "`conclude` belongs to a `@rule`: a constraint ends in `require(condition)`",
      );
    } else
      tellAt(
        watch.tell,
        statement.span,
        `a ${what} holds \`when(…)\` and \`${ending}(…)\` and nothing else: what needs statements is a script`,
      );
  }
  if (last === null) {
    if (!watch.failed)
      tellAt(watch.tell, fn.nameSpan, `a ${what} ends in \`${ending === "conclude" ? "conclude(cell, value)" : "require(condition)"}\``);
    return null;
  }
  const premises: Premise[] = [];
  if (when !== null) {
    for (const keyword of when.keywords) tellAt(watch.tell, keyword.span, "`when` takes premises: a field is compared by `==`");
    // Bindings first, so that a second step can be answered with the parameter that already holds it.
    const args = when.args.filter((arg) => !reader.isUnsettled(arg));
    const read = new Map<Expr, Premise[] | null>();
    for (const arg of args.filter(isBinding)) read.set(arg, reader.premises(arg, "premise"));
    for (const arg of args) {
      if (!read.has(arg)) read.set(arg, reader.premises(arg, "premise"));
      premises.push(...(read.get(arg) ?? []));
    }
  }
  const bound = new Set(premises.flatMap((premise) => (premise.tag === "bind" ? [premise.variable] : [])));
  parametersOf(fn).forEach((param, i) => {
    if (watch.failed || reader.unsettled.has(param.name) || reader.variables[i]?.type.tag !== "scalar" || bound.has(i)) return;
    tellAt(watch.tell, param.span, `nothing gives \`${param.name}\` a value: bind it with a premise \`cell == ${param.name}\``);
  });
  if (reader.isUnsettled(last)) return null;
  return watch.failed && premises.length === 0 && when !== null ? null : { reader, premises, last, watch };
}

function isBinding(expr: Expr): boolean {
  return (
    expr.kind === "Compare" &&
    expr.ops.length === 1 &&
    expr.ops[0] === "==" &&
    (expr.left.kind === "Name" || expr.comparators[0]!.kind === "Name")
  );
}

function readParameters(fn: FunctionDef, names: KindNames, reader: RuleReader, tell: Tell, what: string): void {
  const { args } = fn;
  for (const param of parametersOf(fn)) {
    if (param.default !== null)
      tellAt(tell, param.default.span, `a ${what}'s parameter takes every subject of its Kind and has no default`);
    const { annotation } = param;
    const word = annotation === null ? null : scalarWord(annotation);
    if (annotation === null) {
      tellAt(tell, param.span, `a ${what}'s parameter says what it ranges over: \`${param.name}: Kind\``);
      reader.addUnsettledParameter(param.name);
    } else if (word !== null) reader.addScalarParameter(param.name, word);
    else if (annotation.kind === "Name" || annotation.kind === "Attribute") {
      const kind = names.kind(annotation);
      if ("problem" in kind) {
        if (kind.problem !== null) tell(kind.problem);
        reader.addUnsettledParameter(param.name);
      } else reader.addKindParameter(param.name, kind.name);
    } else {
      tellAt(
        tell,
        annotation.span,
        `a ${what}'s parameter is of a Kind, or of a scalar type that a premise binds: \`${param.name}: Kind\``,
      );
      reader.addUnsettledParameter(param.name);
    }
  }
  for (const extra of [args.vararg, args.kwarg, ...args.kwonly]) {
    if (extra === null) continue;
    tellAt(tell, extra.span, `a ${what}'s parameters are plain: \`p: Kind\`, one a subject`);
    reader.addUnsettledParameter(extra.name);
  }
}

/**
 * Refuses what the rules of a source would do together with the standing ones of other modules: cycles through a
 * reading that needs its field finished, computed fields in a cycle, a single-valued field changed from afar.
 */
export function checkStrata(
  own: readonly { readonly rule: Rule; readonly span: Span }[],
  standing: readonly Rule[],
  fieldType: (kind: string, field: string) => FieldType | null,
  tell: Tell,
): void {
  const fault = cycleFault([...standing, ...own.map(({ rule }) => rule)], fieldType);
  if (fault === null) return;
  const spoken =
    own.find(({ rule }) => rule === fault.rule) ??
    own.find(({ rule }) => fault.cycle.some((f) => f.kind === rule.conclusion.cell.kind && f.field === rule.conclusion.cell.field)) ??
    own[0];
  if (spoken !== undefined) tellAt(tell, spoken.span, faultText(fault));
}

function faultText({ rule, cycle, reason, word }: CycleFault): string {
  const name = ({ kind, field }: FieldName) => `\`${kind}.${field}\``;
  const way = cycle.map(name).join(" → ");
  const read = cycle.length > 1 ? name(cycle[1]!) : name(cycle[0]!);
  switch (reason) {
    case "strict":
      return `\`${rule.name}\` reads ${read} through \`${word}\`, which needs it finished, and ${read} depends on the conclusion again: ${way}. Conclude one of them at a field of its own that does not read back`;
    case "computed":
      return `computed fields read each other without a cycle, and \`${rule.name}\` closes one: ${way}. Write the recursion as a \`@rule\` with a conclusion of its own`;
    case "single":
      return `${name(cycle[0]!)} would be concluded and read in one cycle, where a single-valued field has no judge: ${way}. Declare the field \`many[…]\`, or conclude it in the module that declares its Kind`;
    case "not_asserted":
      return `\`${rule.name}\` reads the field it concludes, ${way}, and so may not say \`not_asserted\`: give its conclusion a field of its own`;
  }
}

/** Scripts, rules, constraints and classes of one module have names of their own. */
export function checkNames(declarations: readonly { readonly name: string; readonly nameSpan: Span }[], tell: Tell): void {
  const seen = new Map<string, Span>();
  for (const { name, nameSpan } of declarations) {
    const first = seen.get(name);
    if (first === undefined) seen.set(name, nameSpan);
    else
      tellAt(
        tell,
        nameSpan,
        `\`${name}\` is declared twice, first on line ${first.line}: Python would keep the second alone; give one of them another name`,
      );
  }
}
