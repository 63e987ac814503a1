/**
 * Types where they can be known before the run: literals, operators on them, builtins with one result type, annotated
 * parameters. A *definite* fault is one Python would raise whatever the values: it is found by trying the operation on
 * one value of each type, so that its text is the very text the run would give.
 *
 * Inside a `try` that has an `except` such a fault is left to be raised as the line runs (rulings, "What the checker may
 * refuse"). Says nothing where a type is not known.
 */
import { Bytes, Complex, Float } from "../../datum";
import type { Span } from "../../diagnostic";
import type { Cx } from "../compile/context";
import type { IrParams, ScriptParams } from "../compile/ir";
import type { KindRef } from "../compile/lower-address";
import { kindRoot } from "../compile/lower-address";
import type { Attribute, Call, Expr, Name } from "../syntax/ast";
import { nearest } from "../syntax/nearest";
import { PyDict } from "../value/dict";
import { exceptionOf } from "../value/exception";
import { binary } from "../value/protocol-arith";
import { compare } from "../value/protocol-order";
import { typeName } from "../value/protocol-type";
import { PySet } from "../value/set";
import { PyList, PyTuple, type Value } from "../value/value";
import type { Binding, Scope } from "./scope";
import { unknownName } from "./teaching-names";
import { VERBS } from "./verbs";

export type StaticType = "int" | "float" | "bool" | "str" | "bytes" | "complex" | "list" | "tuple" | "dict" | "set" | "none";

const RESULT: ReadonlyMap<string, StaticType> = new Map([
  ["len", "int"],
  ["int", "int"],
  ["str", "str"],
  ["repr", "str"],
  ["float", "float"],
  ["bool", "bool"],
  ["list", "list"],
  ["sorted", "list"],
  ["tuple", "tuple"],
  ["dict", "dict"],
  ["ord", "int"],
  ["chr", "str"],
  ["hex", "str"],
  ["oct", "str"],
  ["bin", "str"],
  ["format", "str"],
  ["isinstance", "bool"],
  ["any", "bool"],
  ["all", "bool"],
  ["complex", "complex"],
  ["ascii", "str"],
]);

const METHOD_RESULT: ReadonlyMap<StaticType, ReadonlyMap<string, StaticType>> = new Map([
  [
    "str",
    resultsOf({
      str: "capitalize casefold center expandtabs format format_map join ljust lower lstrip removeprefix removesuffix replace rjust rstrip strip swapcase title translate upper zfill",
      list: "split rsplit splitlines",
      tuple: "partition rpartition",
      int: "count find index rfind rindex",
      bool: "startswith endswith isalnum isalpha isascii isdecimal isdigit isidentifier islower isnumeric isprintable isspace istitle isupper",
      bytes: "encode",
    }),
  ],
  ["list", resultsOf({ none: "append clear extend insert remove reverse sort", list: "copy", int: "count index" })],
  ["dict", resultsOf({ none: "clear update", dict: "copy" })],
  [
    "set",
    resultsOf({
      none: "add clear difference_update discard intersection_update remove symmetric_difference_update update",
      set: "copy difference intersection symmetric_difference union",
      bool: "isdisjoint issubset issuperset",
    }),
  ],
]);
function resultsOf(methods: Partial<Record<StaticType, string>>): ReadonlyMap<string, StaticType> {
  return new Map(
    Object.entries(methods).flatMap(([t, names]) => names.split(" ").map((name): [string, StaticType] => [name, t as StaticType])),
  );
}

export const LITERALS: ReadonlySet<Expr["kind"]> = new Set([
  "Constant",
  "JoinedStr",
  "List",
  "Tuple",
  "Dict",
  "Set",
  "ListComp",
  "DictComp",
]);

function isInFunction(s: Scope | null): boolean {
  for (; s !== null; s = s.parent) if (s.kind === "function") return true;
  return false;
}

/** Whether a name's value is being asked: a name within it is not followed, since names may hang together in any way. */
let following = false;
/**
 * The type of what a name is bound to, where one line binds it, to a literal or to what a call gives. Not in a function of a
 * source that has handlers: it may be called to show what they catch.
 */
export function boundType(cx: Cx, e: Name): StaticType | null {
  if (following || (cx.u.tree.hasHandlers && isInFunction(cx.s))) return null;
  const m = cx.u.names.meaning(e.id, cx.s, false);
  const b = m.tag === "variable" && !m.early ? m.binding : null;
  if (b?.writes !== 1 || b.value === null || !(LITERALS.has(b.value.kind) || b.value.kind === "Call")) return null;
  following = true;
  try {
    return staticType(cx, b.value);
  } finally {
    following = false;
  }
}

/** The type `e` certainly has, or null. */
export function staticType(cx: Cx, e: Expr): StaticType | null {
  switch (e.kind) {
    case "Constant": {
      const v = e.value;
      if (v === null) return "none";
      if (typeof v === "boolean") return "bool";
      if (typeof v === "number" || typeof v === "bigint") return "int";
      if (typeof v === "string") return "str";
      if (v instanceof Float) return "float";
      if (v instanceof Complex) return "complex";
      return v instanceof Bytes ? "bytes" : null;
    }
    case "JoinedStr":
      return "str";
    case "List":
    case "ListComp":
      return "list";
    case "Tuple":
      return "tuple";
    case "Dict":
    case "DictComp":
      return "dict";
    case "Set":
    case "SetComp":
      return "set";
    case "UnaryOp": {
      if (e.op === "not") return "bool";
      const t = staticType(cx, e.operand);
      return t === "bool" ? "int" : t === "int" || (t === "float" && e.op !== "~") ? t : null;
    }
    case "BinOp": {
      const a = sample(staticType(cx, e.left));
      const b = sample(staticType(cx, e.right));
      if (a === undefined || b === undefined || e.op === "**" || (e.op === "%" && typeof a === "string")) return null;
      try {
        return typeOf(binary(e.op, a, b));
      } catch {
        return null; // reported where the operation stands
      }
    }
    case "Call": {
      const f = e.func;
      if (f.kind === "Name") return cx.u.names.meaning(f.id, cx.s, false).tag === "builtin" ? (RESULT.get(f.id) ?? null) : null;
      const t = f.kind === "Attribute" ? staticType(cx, f.value) : null;
      return t === null ? null : (METHOD_RESULT.get(t)?.get((f as Attribute).attr) ?? null);
    }
    case "Name": {
      // None is what a name is bound to that a condition around its uses asks for.
      const t = boundType(cx, e);
      return t === "none" ? null : t;
    }
    default:
      return null;
  }
}

/** One value of a type, such that no operation on it fails for its value. */
export function sample(t: StaticType | null): Value | undefined {
  switch (t) {
    case "int":
      return 1;
    case "float":
      return new Float(1);
    case "bool":
      return true;
    case "str":
      return "a";
    case "bytes":
      return new Bytes(new Uint8Array([97]));
    case "complex":
      return new Complex(1, 1);
    case "list":
      return new PyList([]);
    case "tuple":
      return new PyTuple([]);
    case "dict":
      return new PyDict();
    case "set":
      return new PySet();
    case "none":
      return null;
    default:
      return undefined;
  }
}
function typeOf(v: Value): StaticType | null {
  if (v === null) return "none";
  if (typeof v === "boolean") return "bool";
  if (typeof v === "number" || typeof v === "bigint") return "int";
  if (typeof v === "string") return "str";
  if (v instanceof Float) return "float";
  if (v instanceof Complex) return "complex";
  if (v instanceof Bytes) return "bytes";
  if (v instanceof PyList) return "list";
  if (v instanceof PyTuple) return "tuple";
  if (v instanceof PyDict) return "dict";
  if (v instanceof PySet) return "set";
  return null;
}

/** A fault that `e` itself certainly has (its parts are asked on their own), with the text Python would raise. */
export function definiteFault(cx: Cx, e: Expr): { span: Span; message: string } | null {
  switch (e.kind) {
    case "BinOp": {
      const a = sample(staticType(cx, e.left));
      const b = sample(staticType(cx, e.right));
      if (a === undefined || b === undefined || e.op === "**" || (e.op === "%" && (typeof a === "string" || a instanceof Bytes)))
        return null;
      return tried(e.span, () => binary(e.op, a, b));
    }
    case "Compare": {
      if (e.ops.length !== 1) return null;
      const op = e.ops[0]!;
      if (op !== "<" && op !== "<=" && op !== ">" && op !== ">=") return null;
      const a = sample(staticType(cx, e.left));
      const b = sample(staticType(cx, e.comparators[0]!));
      if (a === undefined || b === undefined) return null;
      return tried(e.span, () => compare(op, a, b));
    }
    case "Call": {
      if (e.func.kind !== "Name" || e.func.id !== "len" || e.args.length !== 1 || cx.u.names.meaning("len", cx.s, false).tag !== "builtin")
        return null;
      const t = staticType(cx, e.args[0]!);
      if (t !== "int" && t !== "float" && t !== "bool" && t !== "none" && t !== "complex") return null;
      return {
        span: e.span,
        message: `TypeError: object of type '${t === "none" ? "NoneType" : t}' has no len(). A number has no length; \`len(str(x))\` counts its digits.`,
      };
    }
    default:
      return null;
  }
}
/** Reports a call of a name that was bound once, to what is certainly no function; it may hide a verb or a builtin (rulings, "Reserved words"). */
export function callFault(cx: Cx, f: Name, binding: Binding): void {
  if (cx.guarded || binding.writes !== 1 || binding.value === null) return;
  const v = sample(staticType(cx, binding.value));
  if (v === undefined) return;
  const hidden = VERBS.has(f.id) ? "verb" : cx.u.names.isBuiltin(f.id) ? "builtin" : null;
  const why = hidden === null ? "" : ` \`${f.id}\` is assigned in this source, which hides the ${hidden}: give the variable another name.`;
  cx.u.report.type(f.span, `TypeError: '${typeName(v)}' object is not callable.${why}`);
}
function tried(span: Span, operation: () => Value): { span: Span; message: string } | null {
  try {
    operation();
    return null;
  } catch (thrown) {
    const x = exceptionOf(thrown);
    if (x?.className !== "TypeError") return null;
    return { span, message: `TypeError: ${String(x.args[0])}` };
  }
}

/** The Kind whose subject `e` certainly is: a parameter annotated with it and never bound again. */
export function kindOfExpression(cx: Cx, e: Expr): KindRef | null {
  if (e.kind !== "Name") return null;
  const b = cx.s.find(e.id);
  if (b?.writes !== 1 || !b.annotation) return null;
  const a = b.annotation;
  if (a.kind !== "Name" && a.kind !== "Attribute") return null;
  if (a.kind === "Name" && ANNOTATIONS.has(a.id)) return null;
  return kindRoot(cx, a);
}

const ANNOTATIONS: ReadonlySet<string> = new Set([
  "int",
  "float",
  "real",
  "str",
  "string",
  "bool",
  "bytes",
  "blob",
  "complex",
  "list",
  "tuple",
  "dict",
  "set",
  "frozenset",
  "range",
  "slice",
  "datetime",
  "duration",
  "any",
  "object",
  "type",
  "None",
  "callable",
]);

/** Whether a name stands for a builtin type in an annotation; any other is a Kind's. */
export function isTypeName(name: string): boolean {
  return ANNOTATIONS.has(name);
}

/** Reports a name that stands in an annotation and is no type (rulings, "Annotations"). */
export function annotationFault(cx: Cx, a: Expr): void {
  switch (a.kind) {
    case "Name": {
      if (ANNOTATIONS.has(a.id)) return;
      if (cx.s.find(a.id) !== null || unknownName(a.id) === null || cx.u.names.meaning(a.id, cx.s, true).tag !== "kind") {
        if (kindRoot(cx, a) !== null) return;
      }
      const m = cx.u.names.meaning(a.id, cx.s, true);
      if ((m.tag === "kind" && m.declaration !== null) || m.tag === "import") return;
      const taught = unknownName(a.id);
      const near = nearest(a.id, ANNOTATIONS);
      cx.u.report.type(
        a.span,
        taught?.message ??
          `Unknown type \`${a.id}\`${near ? `; did you mean \`${near}\`?` : ": name a builtin type or a Kind, or leave the annotation out."}`,
        taught?.fix ?? near ?? undefined,
      );
      return;
    }
    case "Attribute":
      if (kindRoot(cx, a) === null)
        cx.u.report.type(a.span, "An annotation names a builtin type or a Kind, as `int`, `Person` or `module.Person`.");
      return;
    case "Subscript":
      annotationFault(cx, a.value);
      for (const x of a.slice.kind === "Tuple" ? a.slice.elts : [a.slice])
        if (!(x.kind === "Constant" && x.value === undefined)) annotationFault(cx, x);
      return;
    case "List":
      for (const x of a.elts) annotationFault(cx, x);
      return;
    case "BinOp":
      if (a.op === "|") {
        annotationFault(cx, a.left);
        annotationFault(cx, a.right);
        return;
      }
      break;
    case "Constant":
      if (a.value === null || typeof a.value === "string") return;
      break;
    default:
      break;
  }
  cx.u.report.type(a.span, "An annotation names a type, as `int`, `list[str]`, `Person` or `int | None`; or leave it out.");
}

/** Reports a call of a script, or of a top-level def, that cannot bind its arguments. */
export function argumentFault(cx: Cx, e: Call, binding: Binding | null, script: ScriptParams | null = null, label = ""): void {
  if (e.args.some((a) => a.kind === "Starred") || e.keywords.some((k) => k.arg === null)) return;
  let p: IrParams;
  let optional: Set<string>;
  let name = label;
  if (binding) {
    const d = binding.def;
    if (d?.kind !== "FunctionDef" || binding.writes !== 1 || binding.scope !== cx.u.tree.top) return;
    const a = d.args;
    p = {
      posonly: a.posonly.map((x) => x.name),
      args: a.args.map((x) => x.name),
      vararg: a.vararg?.name ?? null,
      kwonly: a.kwonly.map((x) => x.name),
      kwarg: a.kwarg?.name ?? null,
    };
    optional = new Set([...a.posonly, ...a.args, ...a.kwonly].filter((x) => x.default).map((x) => x.name));
    name = d.name;
  } else if (script) {
    p = script;
    const positional = [...script.posonly, ...script.args];
    optional = new Set(positional.slice(script.required));
    for (const k of script.kwonly) optional.add(k); // keyword-only ones are bound as the call runs
  } else return;
  const positional = [...p.posonly, ...p.args];
  const form = `${name}(${parameterList(p)})`;
  if (e.args.length > positional.length && !p.vararg) {
    cx.u.report.type(
      e.span,
      `${name}() takes ${positional.length} positional argument${positional.length === 1 ? "" : "s"} but ${e.args.length} ${e.args.length === 1 ? "was" : "were"} given: ${form}.`,
    );
    return;
  }
  const given = new Set(positional.slice(0, e.args.length));
  for (const k of e.keywords) {
    const known = p.args.includes(k.arg!) || p.kwonly.includes(k.arg!);
    if (!known && !p.kwarg && p.posonly.includes(k.arg!)) {
      cx.u.report.type(k.span, `${name}() takes '${k.arg}' by position only: ${form}.`);
      return;
    }
    if (!known && !p.kwarg) {
      const near = nearest(k.arg!, [...p.args, ...p.kwonly]);
      cx.u.report.type(
        k.span,
        `${name}() got an unexpected keyword argument '${k.arg}'${near ? `; did you mean \`${near}\`?` : `: ${form}.`}`,
      );
      return;
    }
    if (known && given.has(k.arg!)) {
      cx.u.report.type(k.span, `${name}() got multiple values for argument '${k.arg}'.`);
      return;
    }
    given.add(k.arg!);
  }
  const missing = [...positional, ...p.kwonly].filter((x) => !given.has(x) && !optional.has(x));
  if (missing.length > 0)
    cx.u.report.type(
      e.span,
      `${name}() is missing ${missing.length === 1 ? "the argument" : "the arguments"} ${missing.map((m) => `'${m}'`).join(", ")}: ${form}.`,
    );
}

/** Parameters as a `def` lists them. */
export function parameterList(p: IrParams): string {
  return [
    ...p.posonly,
    ...(p.posonly.length > 0 ? ["/"] : []),
    ...p.args,
    ...(p.vararg !== null ? [`*${p.vararg}`] : p.kwonly.length > 0 ? ["*"] : []),
    ...p.kwonly,
    ...(p.kwarg !== null ? [`**${p.kwarg}`] : []),
  ].join(", ");
}
