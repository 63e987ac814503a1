/**
 * Faults of calls, attributes, loops and unpackings that are certain before the run, with Python's own text and what to
 * write instead: `len()`, `"a".push`, `for i in 5`, `a, b = 1, 2, 3`, `5()`, `{[1]: 2}`.
 *
 * As in types.ts the operation is tried on one value of each type (a written constant stands for itself), so that the
 * text is the run's. Says nothing where a type is not known, but for methods that no value of Python has.
 */
import type { Span } from "../../diagnostic";
import { BUILTINS } from "../builtins/builtins";
import type { Cx } from "../compile/context";
import type { Attribute, Call, Expr } from "../syntax/ast";
import { nearest } from "../syntax/nearest";
import { callMethod, findAttribute, tablesOf } from "../value/attribute";
import { exceptionOf } from "../value/exception";
import { invert, neg, pos } from "../value/protocol-arith";
import { getItem, setItem } from "../value/protocol-item";
import { contains, iterate } from "../value/protocol-iterate";
import { strRepr } from "../value/str";
import { PyFunction, type Value } from "../value/value";
import { methodHabit } from "./method-habits";
import { boundType, LITERALS, type StaticType, sample, staticType } from "./types";

export interface Fault {
  readonly span: Span;
  readonly message: string;
  readonly fix?: string;
  readonly fixSpan?: Span;
}

/** Type of what an attribute is asked of: a literal, what a call gives, a name bound once, to one of these. */
function baseType(cx: Cx, e: Expr): StaticType | null {
  if (e.kind === "Name") return boundType(cx, e);
  return LITERALS.has(e.kind) || e.kind === "Call" ? staticType(cx, e) : null;
}

/** A value that stands for `e`: itself where it is a written constant. */
function standIn(cx: Cx, e: Expr): Value | undefined {
  if (e.kind === "Constant" && e.value !== undefined && !(typeof e.value === "string" && e.value.length > 1000)) return e.value as Value;
  return sample(staticType(cx, e));
}

function tried(span: Span, operation: () => unknown, more = ""): Fault | null {
  try {
    operation();
    return null;
  } catch (thrown) {
    const x = exceptionOf(thrown);
    if (x?.className !== "TypeError") return null;
    return { span, message: `TypeError: ${String(x.args[0])}${more}` };
  }
}

/** A fault that `e` itself certainly has. */
export function certainFault(cx: Cx, e: Expr): Fault | null {
  switch (e.kind) {
    case "Call":
      return callFault(cx, e);
    case "Attribute": {
      const t = baseType(cx, e.value);
      return t === null ? null : attributeFault(e, t, false);
    }
    case "Subscript": {
      const t = e.slice.kind === "Slice" ? null : baseType(cx, e.value);
      const base = t === "dict" || t === "none" ? undefined : sample(t);
      if (base === undefined) return null;
      const key = standIn(cx, e.slice);
      return key === undefined ? null : tried(e.span, () => getItem(base, key));
    }
    case "UnaryOp": {
      const v = e.op === "not" ? undefined : sample(staticType(cx, e.operand));
      return v === undefined ? null : tried(e.span, () => (e.op === "-" ? neg(v) : e.op === "+" ? pos(v) : invert(v)));
    }
    case "Compare": {
      const op = e.ops[0]!;
      const right = e.ops.length === 1 && (op === "in" || op === "not in") ? sample(staticType(cx, e.comparators[0]!)) : undefined;
      const left = right === undefined ? undefined : standIn(cx, e.left);
      return left === undefined ? null : tried(e.span, () => contains(right!, left));
    }
    case "Dict": {
      const key = e.keys.find((k) => k !== null && UNHASHABLE.has(k.kind));
      return key ? unhashable(key) : null;
    }
    case "Set": {
      const element = e.elts.find((k) => UNHASHABLE.has(k.kind));
      return element ? unhashable(element) : null;
    }
    default:
      return null;
  }
}

const UNHASHABLE: ReadonlyMap<Expr["kind"], string> = new Map([
  ["List", "list"],
  ["ListComp", "list"],
  ["Dict", "dict"],
  ["DictComp", "dict"],
  ["Set", "set"],
  ["SetComp", "set"],
]);
function unhashable(e: Expr): Fault {
  const t = UNHASHABLE.get(e.kind)!;
  const instead = t === "list" ? "a tuple" : t === "set" ? "a frozenset" : "a tuple of pairs";
  return { span: e.span, message: `TypeError: unhashable type: '${t}'. A key, or an element of a set, is ${instead} instead.` };
}

/** Least and most positional arguments. */
const ARITY: Readonly<Record<string, readonly [number, number]>> = {
  len: [1, 1],
  abs: [1, 1],
  bin: [1, 1],
  hex: [1, 1],
  oct: [1, 1],
  chr: [1, 1],
  ord: [1, 1],
  callable: [1, 1],
  hash: [1, 1],
  ascii: [1, 1],
  repr: [1, 1],
  all: [1, 1],
  any: [1, 1],
  reversed: [1, 1],
  sorted: [1, 1],
  sum: [1, 2],
  divmod: [2, 2],
  isinstance: [2, 2],
  issubclass: [2, 2],
  format: [1, 2],
  next: [1, 2],
  filter: [2, 2],
  range: [1, 3],
  bool: [0, 1],
  float: [0, 1],
  int: [0, 2],
  list: [0, 1],
  tuple: [0, 1],
  set: [0, 1],
  frozenset: [0, 1],
  round: [1, 2],
  pow: [2, 3],
  enumerate: [1, 2],
  max: [1, Number.POSITIVE_INFINITY],
  min: [1, Number.POSITIVE_INFINITY],
};

function callFault(cx: Cx, e: Call): Fault | null {
  const f = e.func;
  if (LITERALS.has(f.kind)) {
    const t = staticType(cx, f);
    if (t === null) return null;
    const word = t === "none" ? "NoneType" : t;
    return { span: e.span, message: `TypeError: '${word}' object is not callable. Is a comma or an operator missing before the \`(\`?` };
  }
  if (f.kind === "Attribute") {
    const t = baseType(cx, f.value);
    if (t !== null) return attributeFault(f, t, true, e) ?? methodCallFault(cx, f, t, e);
    // A module may have anything: `operator.indexOf`, a script called `trim`.
    if (f.value.kind === "Name" && cx.u.names.meaning(f.value.id, cx.s, false).tag === "import") return null;
    const habit = methodHabit(f.attr, null, f.value, e);
    return habit === null || habit.onlyKnown
      ? null
      : { span: f.attrSpan, ...habit, message: `No value has \`${f.attr}\`. ${habit.message}` };
  }
  if (f.kind !== "Name" || cx.u.names.meaning(f.id, cx.s, false).tag !== "builtin") return null;
  const arity = Object.hasOwn(ARITY, f.id) ? ARITY[f.id]! : null;
  const builtin = BUILTINS.get(f.id);
  if (arity === null || !(builtin instanceof PyFunction) || e.keywords.length > 0 || e.args.some((a) => a.kind === "Starred")) return null;
  const n = e.args.length;
  if (n < arity[0] || n > arity[1]) {
    const key = f.id === "sorted" && n === 2 ? " The key is named: `sorted(xs, key=f)`." : "";
    return tried(e.span, () => builtin.call(new Array<Value>(n).fill(null), null), key);
  }
  const values = e.args.map((a) => standIn(cx, a));
  if (values.length === 0 || values.some((v) => v === undefined)) return null;
  return tried(e.span, () => builtin.call(values as Value[], null));
}

/**
 * A call of a method that certainly takes no such arguments. Only of a variable: of a literal it is written to see what it
 * raises.
 */
function methodCallFault(cx: Cx, f: Attribute, t: StaticType, e: Call): Fault | null {
  if (f.value.kind !== "Name" || e.keywords.length > 0 || e.args.some((a) => a.kind === "Starred")) return null;
  const values = e.args.map((a) => sample(staticType(cx, a)));
  if (values.some((v) => v === undefined)) return null;
  return tried(e.span, () => callMethod(sample(t)!, f.attr, values as Value[], null));
}

/** What changes its value in place and gives None, where the None is then asked for more. */
function inPlaceText(e: Expr): string {
  if (e.kind !== "Call" || e.func.kind !== "Attribute") return "";
  const { attr } = e.func;
  const instead = attr === "sort" ? "; `sorted(xs)` gives a sorted list" : attr === "reverse" ? "; `xs[::-1]` gives the reverse" : "";
  return ` \`${attr}\` changes its value in place and gives None${instead}.`;
}

/** `text[0] = …` */
export function itemFault(cx: Cx, target: Expr): Fault | null {
  if (target.kind !== "Subscript" || target.slice.kind === "Slice") return null;
  const t = baseType(cx, target.value);
  if (t === null || t === "none" || t === "list" || t === "dict") return null;
  const instead =
    t === "str"
      ? " A text never changes: build another, from slices or with `replace`."
      : t === "tuple"
        ? " A tuple never changes: use a list."
        : "";
  return tried(target.span, () => setItem(sample(t)!, 0, 0), `.${instead}`);
}

/** An attribute that no value of the type has. */
function attributeFault(e: Attribute, t: StaticType, called: boolean, call: Call | null = null): Fault | null {
  const v = sample(t);
  if (v === undefined || e.attr.startsWith("__")) return null;
  if (findAttribute(v, e.attr) !== undefined) return null;
  const word = t === "none" ? "NoneType" : t;
  const text = `AttributeError: '${word}' object has no attribute '${e.attr}'`;
  const habit = methodHabit(e.attr, t, e.value, called ? call : null);
  const misses = habit?.rename !== undefined && findAttribute(v, habit.rename) === undefined;
  if (habit !== null && !misses) return { span: e.attrSpan, ...habit, message: `${text}. ${habit.message}` };
  const near = nearest(e.attr, tablesOf(word).methods.keys());
  if (near === null) return { span: e.attrSpan, message: `${text}.${t === "none" ? inPlaceText(e.value) : ""}` };
  return { span: e.attrSpan, message: `${text}; did you mean \`${near}\`?`, fix: near, fixSpan: e.attrSpan };
}

/** What a loop walks, a comprehension too, and is certainly no iterable. */
export function iterationFault(cx: Cx, e: Expr): Fault | null {
  const v = sample(staticType(cx, e));
  if (v === undefined) return null;
  const fault = tried(e.span, () => iterate(v));
  if (fault === null) return null;
  if (e.kind === "Constant" && typeof e.value === "number")
    return {
      ...fault,
      message: `${fault.message}. A counting loop walks \`range(${e.value})\`.`,
      fix: `range(${e.value})`,
      fixSpan: e.span,
    };
  if (e.kind === "Call" && e.func.kind === "Name" && e.func.id === "len" && e.args[0]?.kind === "Name") {
    const written = `range(len(${e.args[0].id}))`;
    return { ...fault, message: `${fault.message}. Its positions are \`${written}\`.`, fix: written, fixSpan: e.span };
  }
  return { ...fault, message: `${fault.message}. A counting loop walks a \`range\`.` };
}

/** `a, b = 1, 2, 3`. */
export function unpackFault(cx: Cx, target: Expr, value: Expr): Fault | null {
  if (target.kind !== "Tuple" && target.kind !== "List") return null;
  const star = target.elts.some((t) => t.kind === "Starred");
  const want = target.elts.length - (star ? 1 : 0);
  if (value.kind === "Tuple" || value.kind === "List") {
    if (value.elts.some((x) => x.kind === "Starred")) return null;
    const got = value.elts.length;
    if (got < want)
      return {
        span: target.span,
        message: `ValueError: not enough values to unpack (expected ${star ? "at least " : ""}${want}, got ${got}).`,
      };
    if (got > want && !star)
      return {
        span: target.span,
        message: `ValueError: too many values to unpack (expected ${want}). \`*rest\` as the last name takes what is left.`,
      };
    return null;
  }
  const t = staticType(cx, value);
  const v = sample(t);
  if (v === undefined || tried(value.span, () => iterate(v)) === null) return null;
  return { span: value.span, message: `TypeError: cannot unpack non-iterable ${t === "none" ? "NoneType" : t} object.` };
}

/** `raise "text"`. */
export function raiseFault(cx: Cx, e: Expr): Fault | null {
  if (staticType(cx, e) === null) return null;
  const message = 'TypeError: exceptions must derive from BaseException. Raise one of Python\'s: `raise ValueError("what is wrong")`.';
  if (e.kind !== "Constant" || typeof e.value !== "string") return { span: e.span, message };
  return { span: e.span, message, fix: `ValueError(${strRepr(e.value)})`, fixSpan: e.span };
}
