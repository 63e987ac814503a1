/**
 * What all declarations share: reporting a fault at a node, and field types as written.
 */
import type { Diagnostic, Span } from "../../diagnostic";
import type { FieldType } from "../../engine/claim";
import type { Expr, FunctionDef, Stmt } from "../syntax/ast";
import type { KindNames } from "./kind-names";

export type Tell = (diagnostic: Diagnostic) => void;

export function tellAt(tell: Tell, span: Span, message: string, fix?: string, fixSpan: Span = span): void {
  tell({ class: "type_error", line: span.line, col: span.col, message, ...(fix === undefined ? {} : { fix, fixSpan }) });
}

/** Type words of a class body, with Python's spellings. */
const FIELD_WORDS: ReadonlyMap<string, FieldType["type"]> = new Map([
  ["any", "any"],
  ["bool", "bool"],
  ["int", "int"],
  ["float", "real"],
  ["real", "real"],
  ["complex", "complex"],
  ["string", "string"],
  ["str", "string"],
  ["bytes", "blob"],
  ["blob", "blob"],
  ["datetime", "datetime"],
  ["duration", "duration"],
  ["list", "list"],
  ["tuple", "tuple"],
  ["set", "set"],
  ["frozenset", "frozenset"],
  ["dict", "dict"],
]);
const COLLECTIONS: ReadonlySet<string> = new Set(["list", "tuple", "set", "frozenset", "dict"]);

/** A scalar type's word, or null where the name is none. */
export function scalarWord(expr: Expr): Exclude<FieldType["type"], "subject" | "list" | "tuple" | "set" | "frozenset" | "dict"> | null {
  if (expr.kind !== "Name") return null;
  const word = FIELD_WORDS.get(expr.id);
  return word === undefined || COLLECTIONS.has(word) ? null : (word as ReturnType<typeof scalarWord>);
}

/** The type a class body writes, or null after a fault was told. */
export function fieldTypeOf(annotation: Expr, names: KindNames, tell: Tell): FieldType | null {
  if (annotation.kind === "Name") {
    const word = FIELD_WORDS.get(annotation.id);
    if (word !== undefined) return { type: word, many: false };
    if (annotation.id === "many") {
      tellAt(tell, annotation.span, "`many` needs the type of its values: `many[Person]`, `many[string]`, or `many[any]`", "many[any]");
      return null;
    }
  }
  if (annotation.kind === "Constant" && annotation.value === null) {
    tellAt(tell, annotation.span, "`None` is no type of a field: a cell may always be empty. Write the type of its values, or `any`");
    return null;
  }
  if (annotation.kind === "Name" || annotation.kind === "Attribute") {
    const kind = names.kind(annotation);
    if ("problem" in kind) {
      if (kind.problem !== null) tell(kind.problem);
      return null;
    }
    return { type: "subject", kind: kind.name, many: false };
  }
  if (annotation.kind === "Subscript" && annotation.value.kind === "Name")
    return genericType(annotation.value.id, annotation.slice, annotation.span, names, tell);
  if (annotation.kind === "BinOp" && annotation.op === "|") {
    tellAt(tell, annotation.span, "a field has one type: write `any` for several; a cell may always be empty, so `| None` is left out");
    return null;
  }
  if (annotation.kind === "Constant" && typeof annotation.value === "string") {
    tellAt(tell, annotation.span, "a type is written without quotes", annotation.value);
    return null;
  }
  tellAt(
    tell,
    annotation.span,
    "a field's type is one of `string int float bool bytes complex datetime duration any`, a Kind, `many[T]`, or `list[T]` and the other collections",
  );
  return null;
}

function genericType(name: string, slice: Expr, span: Expr["span"], names: KindNames, tell: Tell): FieldType | null {
  if (name === "many") {
    const inner = fieldTypeOf(slice, names, tell);
    if (inner === null) return null;
    if (inner.many) {
      tellAt(tell, slice.span, "`many` stands once: a field holds any number of values, not of groups of values");
      return null;
    }
    return { ...inner, many: true };
  }
  if (COLLECTIONS.has(name)) {
    // The elements' types are checked no deeper than that they are types (rulings, "Annotations").
    for (const element of slice.kind === "Tuple" ? slice.elts : [slice]) {
      if (element.kind === "Constant" && element.value === undefined) continue;
      if (fieldTypeOf(element, names, tell) === null) return null;
    }
    return { type: FIELD_WORDS.get(name)!, many: false };
  }
  tellAt(tell, span, `\`${name}[…]\` is no type of a field: \`many[T]\` holds any number of values, \`list[T]\` one list`);
  return null;
}

/** `name: type` of a diagnostic's text. */
export function typeText(type: FieldType): string {
  const word = type.type === "subject" ? type.kind! : type.type === "real" ? "float" : type.type;
  return type.many ? `many[${word}]` : word;
}

/** The statements of a function without its docstring. */
export function bodyOf(fn: FunctionDef): readonly Stmt[] {
  const [first, ...rest] = fn.body;
  const doc = first?.kind === "Expr" && first.value.kind === "Constant" && typeof first.value.value === "string";
  return doc ? rest : fn.body;
}
