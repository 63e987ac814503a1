/**
 * `class` to the declaration of a Kind: its fields in order, and the functions behind its computed fields.
 *
 * Two steps, because a computed field may read Kinds declared further down: `declareClass` for every class first, then
 * `declareComputed` for each function it gave.
 */
import type { FieldType, KindDeclaration } from "../../engine/claim";
import type { Rule } from "../../engine/rule";
import type { ClassDef, FunctionDef } from "../syntax/ast";
import { bodyOf, fieldTypeOf, type Tell, tellAt } from "./declaring";
import type { KindNames } from "./kind-names";
import { RuleReader } from "./rule-reader";

export interface DeclaredClass {
  readonly declaration: KindDeclaration;
  readonly computed: readonly FunctionDef[];
}

export function declareClass(cls: ClassDef, names: KindNames, tell: Tell): DeclaredClass {
  const fields = new Map<string, FieldType>();
  const computed: FunctionDef[] = [];
  const add = (name: string, span: ClassDef["span"], type: FieldType | null) => {
    if (name.startsWith("__")) {
      tellAt(tell, span, `a field's name does not begin with \`__\`: write \`${name.replace(/^_+/, "") || "name"}\``);
      return;
    }
    if (fields.has(name)) {
      tellAt(tell, span, `\`${name}\` is declared twice in \`class ${cls.name}\`: give one of them another name`);
      return;
    }
    fields.set(name, type ?? { type: "any", many: false });
  };
  for (const item of cls.body) {
    if (item.kind === "AnnAssign" && item.target.kind === "Name") {
      if (item.value !== null) {
        tellAt(
          tell,
          item.value.span,
          `a field has no default: a rule that says \`not_asserted(p.${item.target.id})\` concludes a value wherever none is recorded`,
        );
        continue;
      }
      add(item.target.id, item.target.span, fieldTypeOf(item.annotation, names, tell));
    } else if (item.kind === "FunctionDef") {
      add(item.name, item.nameSpan, item.returns === null ? null : fieldTypeOf(item.returns, names, tell));
      computed.push(item);
    } else if (item.kind !== "Pass" && !(item.kind === "Expr" && item.value.kind === "Constant")) {
      tellAt(
        tell,
        item.span,
        "a class holds a docstring, `name: type` lines and `@computed` fields: what a script does is a `def` beside it",
      );
    }
  }
  return { declaration: { name: `${names.module}.${cls.name}`, fields }, computed };
}

/** The rule behind a computed field: `self` ranges over the Kind, the field takes what `return` gives. Null after a fault. */
export function declareComputed(fn: FunctionDef, kind: string, names: KindNames, tell: Tell): Rule | null {
  let failed = false;
  const watch: Tell = (diagnostic) => {
    failed = true;
    tell(diagnostic);
  };
  const { args } = fn;
  const [self, ...others] = [...args.posonly, ...args.args];
  if (
    self === undefined ||
    others.length > 0 ||
    args.vararg !== null ||
    args.kwarg !== null ||
    args.kwonly.length > 0 ||
    self.default !== null
  ) {
    tellAt(watch, fn.nameSpan, `a computed field takes \`self\` alone, and reads the rest from its fields: \`def ${fn.name}(self)\``);
    return null;
  }
  const body = bodyOf(fn);
  const [only] = body;
  if (body.length !== 1 || only?.kind !== "Return" || only.value === null) {
    tellAt(
      watch,
      (body.find((s) => s.kind !== "Return") ?? fn).span,
      "a computed field is one `return` of one expression: what needs statements is a script, what needs several premises is a `@rule`",
    );
    return null;
  }
  const reader = new RuleReader(names, watch);
  reader.addKindParameter(self.name, kind);
  const value = reader.value(only.value, "value");
  if (value === null || failed) return null;
  const cell = { kind, subject: { tag: "variable" as const, variable: 0 }, field: fn.name };
  reader.checkConcluded(cell, value, only.value);
  if (failed) return null;
  return {
    name: `${kind}.${fn.name}`,
    computed: true,
    variables: reader.variables,
    parameterCount: 1,
    premises: [],
    conclusion: { cell, value },
    line: fn.span.line,
  };
}
