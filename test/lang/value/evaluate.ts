/**
 * A naive evaluator of Python expressions over the value layer: every node is walked, nothing is compiled, nothing metered.
 * Tests of value/ and builtins/ read their cases with it; it is also the slow twin of the machine.
 */
import { BUILTINS } from "../../../src/lang/builtins/builtins";
import type { Arguments, Comprehension, Expr } from "../../../src/lang/syntax/ast";
import { parseExpression } from "../../../src/lang/syntax/parser";
import { getAttribute } from "../../../src/lang/value/attribute";
import { callValue } from "../../../src/lang/value/call";
import { PyDict } from "../../../src/lang/value/dict";
import { dictUpdate } from "../../../src/lang/value/dict-methods";
import { exceptionOf } from "../../../src/lang/value/exception";
import { format } from "../../../src/lang/value/format";
import { binary, invert, neg, pos } from "../../../src/lang/value/protocol-arith";
import { equal, identical } from "../../../src/lang/value/protocol-equal";
import { getItem } from "../../../src/lang/value/protocol-item";
import { contains, iterate, truthy } from "../../../src/lang/value/protocol-iterate";
import { compare } from "../../../src/lang/value/protocol-order";
import { ascii, exceptionText, repr, str } from "../../../src/lang/value/protocol-text";
import { frozenSetOfConstants, PySet, setOfConstants, update } from "../../../src/lang/value/set";
import { DONE, ELLIPSIS, PyFunction, PyIterator, PyList, PySlice, PyTuple, type Value } from "../../../src/lang/value/value";

type Scope = Map<string, Value> & { up?: Scope };

function scope(up?: Scope): Scope {
  const s: Scope = new Map();
  if (up !== undefined) s.up = up;
  return s;
}

/** The value of a Python expression. */
export function evaluate(source: string, names: Readonly<Record<string, Value>> = {}): Value {
  const top = scope();
  for (const [name, v] of Object.entries(names)) top.set(name, v);
  return run(parseExpression(source), top);
}

/** `repr` of the value, or `ValueError: text` where it raises. */
export function outcome(source: string, names: Readonly<Record<string, Value>> = {}): string {
  try {
    return repr(evaluate(source, names));
  } catch (thrown) {
    const e = exceptionOf(thrown);
    if (e === null) throw thrown;
    return `${e.className}: ${exceptionText(e)}`;
  }
}

class LambdaFunction extends PyFunction {
  override readonly name = "<lambda>";
  override readonly typeName = "function";
  constructor(
    readonly parameters: Arguments,
    readonly body: Expr,
    readonly closure: Scope,
  ) {
    super();
  }
  override call(args: readonly Value[], kwargs: ReadonlyMap<string, Value> | null): Value {
    const s = scope(this.closure);
    const list = [...this.parameters.posonly, ...this.parameters.args];
    list.forEach((p, i) => {
      const v = i < args.length ? args[i] : (kwargs?.get(p.name) ?? (p.default === null ? undefined : run(p.default, this.closure)));
      if (v === undefined) throw new Error(`lambda without ${p.name}`);
      s.set(p.name, v);
    });
    if (this.parameters.vararg !== null) s.set(this.parameters.vararg.name, new PyTuple(args.slice(list.length)));
    for (const p of this.parameters.kwonly) s.set(p.name, kwargs?.get(p.name) ?? run(p.default!, this.closure));
    return run(this.body, s);
  }
}

class Generator extends PyIterator {
  override readonly typeName = "generator";
  constructor(private readonly source: Iterator<Value>) {
    super();
  }
  override next(): Value | typeof DONE {
    const step = this.source.next();
    return step.done === true ? DONE : step.value;
  }
}

function* comprehension(generators: readonly Comprehension[], s: Scope, produce: (s: Scope) => Value, at = 0): Generator2 {
  if (at === generators.length) {
    yield produce(s);
    return;
  }
  const g = generators[at];
  const it = iterate(runIterable(g.iter, s));
  for (let v = it.next(); v !== DONE; v = it.next()) {
    bind(g.target, v, s);
    if (g.ifs.every((test) => truthy(run(test, s)))) yield* comprehension(generators, s, produce, at + 1);
  }
}
type Generator2 = globalThis.Generator<Value, void, unknown>;

function bind(target: Expr, v: Value, s: Scope): void {
  if (target.kind === "Name") s.set(target.id, v);
  else if (target.kind === "Tuple" || target.kind === "List") {
    const values: Value[] = [];
    const it = iterate(v);
    for (let e = it.next(); e !== DONE; e = it.next()) values.push(e);
    const star = target.elts.findIndex((e) => e.kind === "Starred");
    target.elts.forEach((e, i) => {
      if (e.kind !== "Starred") bind(e, values[star >= 0 && i > star ? values.length - (target.elts.length - i) : i], s);
      else bind(e.value, new PyList(values.slice(i, values.length - (target.elts.length - 1 - i))), s);
    });
  } else throw new Error(`target ${target.kind}`);
}

function elements(list: readonly Expr[], s: Scope): Value[] {
  const out: Value[] = [];
  for (const e of list) {
    if (e.kind !== "Starred") {
      out.push(run(e, s));
      continue;
    }
    const it = iterate(run(e.value, s));
    for (let v = it.next(); v !== DONE; v = it.next()) out.push(v);
  }
  return out;
}

/** What CPython's compiler folds to a constant. */
function isConstant(e: Expr): boolean {
  switch (e.kind) {
    case "Constant":
      return true;
    case "UnaryOp":
      return e.op !== "not" && isConstant(e.operand);
    case "BinOp":
      return isConstant(e.left) && isConstant(e.right);
    case "Tuple":
      return e.elts.every(isConstant);
    default:
      return false;
  }
}

function runIterable(e: Expr, s: Scope): Value {
  if (e.kind === "Set" && e.elts.every(isConstant)) return frozenSetOfConstants(elements(e.elts, s));
  return run(e, s);
}

function lookUp(name: string, s: Scope): Value {
  for (let at: Scope | undefined = s; at !== undefined; at = at.up) {
    const v = at.get(name);
    if (v !== undefined) return v;
  }
  const v = BUILTINS.get(name);
  if (v === undefined) throw new Error(`unknown name ${name}`);
  return v;
}

function run(e: Expr, s: Scope): Value {
  switch (e.kind) {
    case "Constant":
      return e.value === undefined ? ELLIPSIS : e.value;
    case "Name":
      return lookUp(e.id, s);
    case "BoolOp": {
      let v: Value = null;
      for (const part of e.values) {
        v = run(part, s);
        if (truthy(v) !== (e.op === "and")) return v;
      }
      return v;
    }
    case "NamedExpr": {
      const v = run(e.value, s);
      s.set(e.target.id, v);
      return v;
    }
    case "BinOp": {
      const left = run(e.left, s);
      return binary(e.op, left, run(e.right, s));
    }
    case "UnaryOp": {
      const v = run(e.operand, s);
      return e.op === "not" ? !truthy(v) : e.op === "-" ? neg(v) : e.op === "+" ? pos(v) : invert(v);
    }
    case "Lambda":
      return new LambdaFunction(e.args, e.body, s);
    case "IfExp":
      return truthy(run(e.test, s)) ? run(e.body, s) : run(e.orelse, s);
    case "List":
      return new PyList(elements(e.elts, s));
    case "Tuple":
      return new PyTuple(elements(e.elts, s));
    case "Set":
      return setDisplay(e.elts, s);
    case "Dict": {
      const dict = new PyDict();
      e.keys.forEach((key, i) => {
        if (key === null) dictUpdate(dict, run(e.values[i], s));
        else {
          const k = run(key, s);
          dict.set(k, run(e.values[i], s));
        }
      });
      return dict;
    }
    case "ListComp":
      return new PyList([...comprehension(e.generators, scope(s), (inner) => run(e.elt, inner))]);
    case "SetComp": {
      const set = new PySet();
      for (const v of comprehension(e.generators, scope(s), (inner) => run(e.elt, inner))) set.add(v);
      return set;
    }
    case "DictComp": {
      const dict = new PyDict();
      for (const _ of comprehension(e.generators, scope(s), (inner) => {
        const key = run(e.key, inner);
        dict.set(key, run(e.value, inner));
        return null;
      }));
      return dict;
    }
    case "GeneratorExp":
      return new Generator(comprehension(e.generators, scope(s), (inner) => run(e.elt, inner)));
    case "Compare": {
      let left = run(e.left, s);
      for (let i = 0; i < e.ops.length; i++) {
        const right = run(e.comparators[i], s);
        if (!holds(e.ops[i], left, right)) return false;
        left = right;
      }
      return true;
    }
    case "Call": {
      const f = run(e.func, s);
      const args = elements(e.args, s);
      const kwargs = new Map<string, Value>();
      for (const k of e.keywords) {
        if (k.arg !== null) kwargs.set(k.arg, run(k.value, s));
        else for (const [name, v] of (run(k.value, s) as PyDict).entries()) kwargs.set(name as string, v);
      }
      return f instanceof PyFunction ? f.call(args, kwargs.size > 0 ? kwargs : null) : callValue(f, args);
    }
    case "JoinedStr":
      return e.values
        .map((part) => {
          if (part.kind === "Constant") return part.value as string;
          const v = run(part.value, s);
          const spec = part.spec === null ? "" : (run(part.spec, s) as string);
          const shown = part.conversion === "s" ? str(v) : part.conversion === "r" ? repr(v) : part.conversion === "a" ? ascii(v) : v;
          return format(shown, spec);
        })
        .join("");
    case "Attribute":
      return getAttribute(run(e.value, s), e.attr);
    case "Subscript": {
      const o = run(e.value, s);
      return getItem(o, run(e.slice, s));
    }
    case "Slice": {
      const part = (p: Expr | null): Value => (p === null ? null : run(p, s));
      return new PySlice(part(e.lower), part(e.upper), part(e.step));
    }
    default:
      throw new Error(`cannot evaluate ${e.kind}`);
  }
}

function setDisplay(elts: readonly Expr[], s: Scope): Value {
  if (elts.length > 2 && elts.every(isConstant)) return setOfConstants(elements(elts, s));
  const set = new PySet();
  for (const e of elts) {
    if (e.kind === "Starred") update(set, run(e.value, s));
    else set.add(run(e, s));
  }
  return set;
}

function holds(op: string, a: Value, b: Value): boolean {
  switch (op) {
    case "==":
      return equal(a, b);
    case "!=":
      return !equal(a, b);
    case "is":
      return identical(a, b);
    case "is not":
      return !identical(a, b);
    case "in":
      return contains(b, a);
    case "not in":
      return !contains(b, a);
    default:
      return compare(op as "<", a, b);
  }
}
