/**
 * The names of one rule: its parameters and generator variables, the cells and subjects they address, and the types of
 * what is built of them. rule-reader.ts reads premises and values on top of it.
 */
import type { FieldType } from "../../engine/claim";
import type { CellTerm, RuleExpr, SubjectTerm, Variable } from "../../engine/rule";
import type { Attribute, Expr, Name } from "../syntax/ast";
import { type Tell, tellAt, typeText } from "./declaring";
import type { KindNames } from "./kind-names";
import { arithmeticType, type RuleType, typeWords, unaryType } from "./rule-types";
import { sourceText } from "./source-text";

export abstract class RuleScope {
  readonly variables: Variable[] = [];
  protected readonly scope = new Map<string, number>();
  protected readonly names: KindNames;
  protected readonly tell: Tell;
  /** Fields that bind a parameter, to offer it where a second step is refused: `JSON of cell` → parameter's name. */
  readonly bindings = new Map<string, string>();

  /** The expression a premise begins with: there a binding can be put before it. */
  protected leading: Expr | null = null;

  /** Parameters whose annotation was told of: what is said of them is not read, so that one cause makes one diagnostic. */
  readonly unsettled = new Set<string>();

  constructor(names: KindNames, tell: Tell) {
    this.names = names;
    this.tell = tell;
  }

  addKindParameter(name: string, kind: string): void {
    this.scope.set(name, this.variables.push({ name, type: { tag: "kind", kind } }) - 1);
  }

  addScalarParameter(name: string, type: Extract<Variable["type"], { tag: "scalar" }>["type"]): void {
    this.scope.set(name, this.variables.push({ name, type: { tag: "scalar", type } }) - 1);
  }

  addUnsettledParameter(name: string): void {
    this.addScalarParameter(name, "any");
    this.unsettled.add(name);
  }

  /** Whether a node of the tree names a parameter that is unsettled. */
  isUnsettled(node: unknown): boolean {
    if (this.unsettled.size === 0 || typeof node !== "object" || node === null) return false;
    if (Array.isArray(node)) return node.some((inner) => this.isUnsettled(inner));
    if ("kind" in node && node.kind === "Name" && "id" in node && this.unsettled.has(node.id as string)) return true;
    return Object.values(node).some((inner) => this.isUnsettled(inner));
  }

  has(name: string): boolean {
    return this.scope.has(name);
  }

  protected attribute(expr: Attribute): RuleExpr | null {
    const chain = flat(expr);
    if (chain !== null && !this.scope.has(chain.root.id) && this.fixed(expr) === "subject") return this.subjectLiteral(expr);
    if (chain === null && this.fixed(expr) === "subject") return this.subjectLiteral(expr);
    const cell = this.cell(expr);
    return cell === null ? null : { tag: "cell", cell };
  }

  /** What an address that begins with a Kind names: its subject, a field of it, or neither. */
  protected fixed(expr: Expr): "subject" | "cell" | null {
    const address = this.address(expr);
    if (address === null || "problem" in address) return null;
    return address.rest.length === 0 ? "subject" : address.rest.length === 1 ? "cell" : null;
  }

  /** `Kind.subject`, `Kind["subject"]`, `module.Kind.subject`, then attributes. */
  protected address(expr: Expr): { kind: string; declared: boolean; subject: string; rest: Attribute[] } | { problem: true } | null {
    const steps: (Attribute | Extract<Expr, { kind: "Subscript" }>)[] = [];
    let base: Expr = expr;
    while (base.kind === "Attribute" || base.kind === "Subscript") {
      steps.unshift(base);
      base = base.value;
    }
    if (base.kind !== "Name" || this.scope.has(base.id) || steps.length === 0) return null;
    let kind = this.names.kind(base);
    let used = 0;
    if ("problem" in kind) {
      const [first] = steps;
      if (first?.kind !== "Attribute") return null;
      kind = this.names.kind(first);
      used = 1;
      if ("problem" in kind) return null;
    }
    const [subjectStep, ...rest] = steps.slice(used);
    if (subjectStep === undefined) return null;
    let subject: string;
    if (subjectStep.kind === "Attribute") subject = subjectStep.attr;
    else if (subjectStep.slice.kind === "Constant" && typeof subjectStep.slice.value === "string") subject = subjectStep.slice.value;
    else return null;
    if (rest.some((step) => step.kind !== "Attribute")) return null;
    return { kind: kind.name, declared: kind.declaration !== null, subject, rest: rest as Attribute[] };
  }

  protected subjectLiteral(expr: Expr): RuleExpr | null {
    const address = this.address(expr);
    if (address !== null && !("problem" in address) && address.rest.length === 0) {
      if (address.subject === "") return this.fault(expr, "a subject's name is not empty");
      return { tag: "literal", literal: { type: "subject", kind: address.kind, name: address.subject } };
    }
    if (expr.kind === "Subscript") {
      if (expr.value.kind === "Name" && this.scope.has(expr.value.id))
        return this.fault(expr, "in a rule a field is written by its name: `p.field`");
      return this.fault(expr, 'rules take no elements: `Kind["name"]` is a subject, and a field that holds several values is `many[T]`');
    }
    return this.fault(expr, "this names no subject and no cell");
  }

  /** The cell an attribute names. Null after a fault. */
  protected cell(expr: Attribute): CellTerm | null {
    const chain = flat(expr);
    const variable = chain === null ? undefined : this.scope.get(chain.root.id);
    if (chain !== null && variable !== undefined) {
      const type = this.variables[variable]!.type;
      if (type.tag !== "kind") return this.fault(expr, `\`${chain.root.id}\` is a value, and a value has no fields`);
      if (chain.steps.length > 1) return this.secondStep(expr, chain, type.kind, variable);
      return this.field(type.kind, { tag: "variable", variable }, chain.steps[0]!);
    }
    const address = this.address(expr);
    if (address === null || "problem" in address) {
      const root = chain?.root;
      if (root !== undefined) {
        const kind = this.names.kind(root);
        if ("problem" in kind) {
          if (kind.problem === null) return null;
          const known = [...this.scope.keys()].map((name) => `\`${name}\``).join(", ");
          if (/^[a-z_]/.test(root.id))
            return this.fault(
              root,
              `unknown name \`${root.id}\` in a rule: it has its parameters${known === "" ? "" : ` ${known}`}; declare \`${root.id}: Kind\` as one`,
            );
          this.tell(kind.problem);
          return null;
        }
      }
      return this.fault(expr, "a cell of a rule is `parameter.field`, or `Kind.subject.field`");
    }
    const [field, ...more] = address.rest;
    if (field === undefined) return this.fault(expr, `this is a subject, not a cell: name its field, \`${sourceText(expr)}.field\``);
    if (more.length > 0)
      return this.fault(
        expr,
        "a rule takes one step from a subject: bind what the first field holds to a parameter, and read the second of that",
      );
    return this.field(address.kind, { tag: "fixed", name: address.subject }, field);
  }

  protected field(kind: string, subject: SubjectTerm, step: Attribute): CellTerm | null {
    const field = step.attr;
    const at = { span: step.attrSpan };
    if (field.startsWith("__")) return this.fault(at, `a field's name does not begin with \`__\``);
    if (this.declares(kind) && this.names.fieldType(kind, field) === null && !this.names.concludedField(kind, field)) {
      return this.fault(at, `\`${kind}\` has no field \`${field}\`: its class declares none of that name, and no rule concludes one`);
    }
    return { kind, subject, field };
  }

  /** Whether a class declares the Kind. */
  protected declares(kind: string): boolean {
    return kind.includes(".");
  }

  /** `o.customer.name`: the binding form instead. */
  protected secondStep(expr: Attribute, chain: { root: Name; steps: Attribute[] }, kind: string, variable: number): null {
    const [first, second] = chain.steps as [Attribute, Attribute];
    const cell = this.field(kind, { tag: "variable", variable }, first);
    if (cell === null) return null;
    const known = this.bindings.get(JSON.stringify(cell));
    const type = this.names.fieldType(kind, first.attr);
    const firstText = `${chain.root.id}.${first.attr}`;
    if (known !== undefined && chain.steps.length === 2) {
      return this.fault(
        expr,
        `a rule takes one step from a subject: \`${firstText}\` is bound to \`${known}\`, so read the field of that`,
        `${known}.${second.attr}`,
      );
    }
    let name = first.attr;
    while (this.scope.has(name)) name += "_";
    const of = type?.type === "subject" ? type.kind! : "Kind";
    return this.fault(
      expr,
      `a rule takes one step from a subject: add a parameter \`${name}: ${of}\`, bind it with \`${firstText} == ${name}\`, and read \`${name}.${second.attr}\``,
      expr === this.leading && chain.steps.length === 2 ? `${firstText} == ${name}, ${name}.${second.attr}` : undefined,
    );
  }

  // ---- types ----------------------------------------------------------------------------------------------------

  typeOf(expr: RuleExpr): RuleType {
    switch (expr.tag) {
      case "literal":
        return expr.literal.type;
      case "variable": {
        const { type } = this.variables[expr.variable]!;
        return type.tag === "kind" ? "subject" : type.type;
      }
      case "cell":
        return this.names.fieldType(expr.cell.kind, expr.cell.field)?.type ?? null;
      case "unary": {
        const type = unaryType(expr.op, this.typeOf(expr.operand));
        return type === "refused" ? null : type;
      }
      case "binary": {
        const type = arithmeticType(expr.op, this.typeOf(expr.left), this.typeOf(expr.right));
        return type === "refused" ? null : type;
      }
      case "fold":
        if (expr.op === "count") return "int";
        if (expr.op === "avg") return "real";
        return expr.op === "sum" && this.typeOf(expr.of) !== "int" ? null : this.typeOf(expr.of);
      case "text":
        return "string";
      case "if": {
        const then = this.typeOf(expr.then);
        return then === this.typeOf(expr.orelse) ? then : null;
      }
      case "claim":
        return expr.property === "trust" || expr.property === "source" ? "string" : "datetime";
    }
  }

  /** Refuses a value that the concluded field's declared type can never hold. */
  checkConcluded(cell: CellTerm, value: RuleExpr, at: Expr): void {
    const type = this.names.fieldType(cell.kind, cell.field);
    if (type === null || type.type === "any") return;
    const given = this.typeOf(value);
    if (given === null || given === "any") return;
    const kind =
      value.tag === "literal" && value.literal.type === "subject"
        ? value.literal.kind
        : value.tag === "variable"
          ? this.#variableKind(value.variable)
          : value.tag === "cell"
            ? this.#cellKind(value.cell)
            : null;
    if (given === type.type && (given !== "subject" || kind === null || kind === type.kind)) return;
    if (type.type === "real" && given === "int") return;
    this.fault(
      at,
      `\`${cell.kind}.${cell.field}\` is declared \`${typeText(type)}\`, and this is ${given === "subject" && kind !== null ? `a subject of \`${kind}\`` : typeWords(given)}`,
    );
  }

  #variableKind(variable: number): string | null {
    const { type } = this.variables[variable]!;
    return type.tag === "kind" ? type.kind : null;
  }

  #cellKind(cell: CellTerm): string | null {
    return this.names.fieldType(cell.kind, cell.field)?.kind ?? null;
  }

  protected many(cell: CellTerm): boolean {
    return (this.names.fieldType(cell.kind, cell.field) as FieldType | null)?.many === true;
  }

  /** The cell a rule concludes at: any field of its Kind, declared or not. */
  conclusionCell(expr: Expr): CellTerm | null {
    if (expr.kind !== "Attribute") return this.fault(expr, "`conclude` takes a cell first: `conclude(p.field, value)`");
    return this.cell(expr);
  }

  protected fault(at: { readonly span: Expr["span"] }, message: string, fix?: string): null {
    tellAt(this.tell, at.span, message, fix);
    return null;
  }
}

/** `a.b.c` as its root name and steps; null where it does not begin with a name. */
export function flat(expr: Attribute): { root: Name; steps: Attribute[] } | null {
  const steps: Attribute[] = [];
  let base: Expr = expr;
  while (base.kind === "Attribute") {
    steps.unshift(base);
    base = base.value;
  }
  return base.kind === "Name" ? { root: base, steps } : null;
}
