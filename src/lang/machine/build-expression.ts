/**
 * Closures for expressions: `(R) => value`, one shape an operator so that V8 sees each operation by itself, with the
 * common leaves (a slot, a small constant) read without a call.
 *
 * Each operator, subscript, comparison, call and f-string field counts one op as it is evaluated (language.md §8); names,
 * attributes and constants are free. Nothing here suspends.
 */
import { Bytes, Complex, Float, Subject } from "../../datum";
import { unreachable } from "../../failure";
import { BUILTINS } from "../builtins/builtins";
import { VERBS } from "../check/verbs";
import type { IrExpr, IrFormat, IrItem, IrKeyword } from "../compile/ir";
import { attributeError, findAttribute, getAttribute } from "../value/attribute";
import { PyDict } from "../value/dict";
import { raise } from "../value/exception";
import { format, formatBy } from "../value/format";
import { mappingOf } from "../value/mapping";
import { CONTAINER_BYTES, checkJoined, ELEMENT_BYTES, ENTRY_BYTES, FUNCTION_BYTES, HASHED_BYTES, making, meter } from "../value/meter";
import { inplace, invert, neg, pos } from "../value/protocol-arith";
import { getItem } from "../value/protocol-item";
import { iterate, truthy } from "../value/protocol-iterate";
import { ascii, repr, str } from "../value/protocol-text";
import { typeName, typeWord } from "../value/protocol-type";
import { frozenSetOfConstants, PySet, setOf, setOfConstants, update } from "../value/set";
import { checkConcat, checkUnits, grown } from "../value/str";
import { ELLIPSIS, PyFunction, PyList, PySlice, PyTuple, Raised, type Value } from "../value/value";
import { buildAddress } from "./build-address";
import { buildMethod, buildNative } from "./build-call";
import { buildNumberValue, intRegister, numberType } from "./build-number";
import { buildBinary, buildCompare, buildTest } from "./build-operator";
import { buildAssign } from "./build-target";
import type { Builder } from "./builder";
import { bindFrame, MachineFunction, MachineGenerator } from "./function";
import { StoredModuleValue } from "./module";
import { buildOperand } from "./operand";
import { growthAt } from "./region-texts";
import { keywordTwice, takeKeywords, takeStarred } from "./star-arguments";
import { type Address, cellOf, plainRead, runVerb, subjectOf } from "./verbs";
import { type Cell, type Eval, type Frame, vm } from "./vm";

const INT_MAX = Number.MAX_SAFE_INTEGER;

export function buildExpr(B: Builder, e: IrExpr): Eval {
  if (e.k !== "const" && e.k !== "float" && numberType(B, e) !== null) return buildNumberValue(B, e);
  switch (e.k) {
    case "const": {
      const v = e.v;
      return () => v;
    }
    case "big": {
      const v = BigInt(e.v);
      return () => v;
    }
    case "float": {
      const v = new Float(e.v === "inf" ? Number.POSITIVE_INFINITY : e.v);
      return () => v;
    }
    case "imag": {
      const v = new Complex(0, e.v === "inf" ? Number.POSITIVE_INFINITY : e.v);
      return () => v;
    }
    case "bytes": {
      const v = new Bytes(Uint8Array.from(e.v.match(/../g) ?? [], (h) => Number.parseInt(h, 16)));
      return () => v;
    }
    case "ellipsis":
      return () => ELLIPSIS;
    case "local": {
      const { i, n } = e;
      const top = B.top;
      return (R) => {
        const v = R[i];
        return v !== undefined ? v : unbound(n, top);
      };
    }
    case "temp": {
      const { i } = e;
      return (R) => R[i];
    }
    case "cell": {
      const { i, n, free } = e;
      return (R) => {
        const v = (R[i] as Cell).v;
        if (v !== undefined) return v;
        if (free) raise("NameError", `cannot access free variable '${n}' where it is not associated with a value in enclosing scope`);
        return unbound(n, false);
      };
    }
    case "global": {
      const { i, n } = e;
      return (R) => {
        const v = R[0][i];
        return v !== undefined ? v : unbound(n, true);
      };
    }
    case "builtin": {
      const v = BUILTINS.get(e.n) ?? PRINT;
      return () => v;
    }
    case "member": {
      const v = B.library.members(e.m).get(e.n)!;
      return () => v;
    }
    case "script": {
      const f = buildExpr(B, e.e);
      const { m, n } = e;
      return (R) => {
        const module = f(R);
        if (!(module instanceof StoredModuleValue)) raise("NameError", `name '${m}' is not defined`);
        return module.script(n);
      };
    }
    case "bin":
      return buildBinary(B, e.op, e.a, e.b);
    case "inplace": {
      const { i, f: a } = buildOperand(B, e.a);
      const { i: j, f: b, constant } = buildOperand(B, e.b);
      const op = e.op as Parameters<typeof inplace>[0];
      if (op === "+") {
        const growth = growthAt(B.building!, e);
        return (R) => {
          meter.ops++;
          const x = i >= 0 ? R[i] : a(R);
          const y = constant !== undefined ? constant : j >= 0 ? R[j] : b(R);
          if (typeof x === "number" && typeof y === "number") {
            const r = x + y;
            if (r <= INT_MAX && r >= -INT_MAX) return r;
          } else if (typeof x === "string" && typeof y === "string") {
            return grown(growth, x, y);
          }
          return inplace("+", x, y);
        };
      }
      return (R) => {
        meter.ops++;
        const x = a(R);
        return inplace(op, x, b(R));
      };
    }
    case "un": {
      const a = buildExpr(B, e.a);
      const f = e.op === "-" ? neg : e.op === "+" ? pos : invert;
      if (e.op === "-" && e.a.k === "const" && typeof e.a.v === "number" && e.a.v !== 0) {
        const v = -e.a.v;
        return () => {
          meter.ops++;
          return v;
        };
      }
      return (R) => {
        meter.ops++;
        return f(a(R));
      };
    }
    case "not": {
      const t = buildTest(B, e.a);
      return (R) => {
        meter.ops++;
        return !t(R);
      };
    }
    case "cmp":
      return buildCompare(B, e.ops, e.es);
    case "and":
    case "or": {
      const fs = e.es.map((x) => buildExpr(B, x));
      const stop = e.k === "or";
      const last = fs.length - 1;
      return (R) => {
        for (let i = 0; i < last; i++) {
          const v = fs[i]!(R);
          if (truthy(v) === stop) return v;
        }
        return fs[last]!(R);
      };
    }
    case "cond": {
      const c = buildTest(B, e.c);
      const a = buildExpr(B, e.a);
      const b = buildExpr(B, e.b);
      return (R) => (c(R) ? a(R) : b(R));
    }
    case "list": {
      const f = buildItems(B, e.es);
      const bytes = CONTAINER_BYTES + e.es.length * ELEMENT_BYTES;
      return (R) => {
        making(bytes);
        return new PyList(f(R));
      };
    }
    case "tuple": {
      const f = buildItems(B, e.es);
      const bytes = CONTAINER_BYTES + e.es.length * ELEMENT_BYTES;
      return (R) => {
        making(bytes);
        return new PyTuple(f(R));
      };
    }
    case "set":
      return buildSetDisplay(B, e);
    case "dict": {
      return buildDictDisplay(B, e.es);
    }
    case "slice": {
      const part = (x: IrExpr | null): Eval => (x ? buildExpr(B, x) : () => null);
      const a = part(e.a);
      const b = part(e.b);
      const c = part(e.c);
      return (R) => new PySlice(a(R), b(R), c(R));
    }
    case "index": {
      const a = buildExpr(B, e.a);
      const b = buildExpr(B, e.b);
      const N = B.registers;
      const r = intRegister(B, e.b);
      if (r >= 0)
        return (R) => {
          meter.ops++;
          const o = a(R);
          if (o instanceof PyList) {
            const k = N.D[r]! | 0;
            if (k === N.D[r] && k >= 0 && k < o.a.length) return o.a[k]!;
          } else if (o instanceof Subject) return readField(o, N.int(r));
          return getItem(o, N.int(r));
        };
      return (R) => {
        meter.ops++;
        const o = a(R);
        const k = b(R);
        if (o instanceof PyList && typeof k === "number") {
          const v = o.a[k < 0 ? k + o.a.length : k];
          if (v !== undefined) return v;
        } else if (o instanceof PyDict) {
          const v = o.get(k);
          if (v !== undefined) return v;
        } else if (o instanceof Subject) return readField(o, k);
        return getItem(o, k);
      };
    }
    case "attr": {
      const a = buildExpr(B, e.a);
      const n = e.n;
      return (R) => {
        const o = a(R);
        return o instanceof Subject ? plainRead(cellOf(o, n)) : getAttribute(o, n);
      };
    }
    case "unpack": {
      const f = buildExpr(B, e.e);
      if (e.as === "list") return (R) => new PyList(takeStarred(f(R), undefined));
      const callee = e.callee ? buildExpr(B, e.callee) : null;
      if (e.as === "keywords")
        return (R) => {
          const d = takeKeywords(f(R), callee ? callee(R) : undefined);
          meter.ops += d.size;
          return d.copy();
        };
      return (R) => {
        const d = new PyDict();
        mergeMapping(d, f(R), true);
        return d;
      };
    }
    case "having": {
      const a = buildExpr(B, e.a);
      const n = e.n;
      return (R) => {
        const o = a(R);
        if (!(o instanceof Subject) && findAttribute(o, n) === undefined) attributeError(o, n);
        return o;
      };
    }
    case "native":
      return buildNative(B, e);
    case "method":
      return buildMethod(B, e);
    case "print":
      return buildPrint(B, e.args, e.kw);
    case "fstring": {
      const f = buildFormat(B, e.parts);
      return f;
    }
    case "function": {
      const code = B.code(e.c);
      const defaults = e.defaults.map((d) => (d ? buildExpr(B, d) : null));
      const free = code.free;
      return (R) => {
        const values = defaults.map((d) => (d ? d(R) : undefined));
        making(FUNCTION_BYTES);
        return new MachineFunction(
          code,
          R[0],
          free.map((p) => R[p[1]] as Cell),
          values,
        );
      };
    }
    case "generator": {
      const code = B.code(e.c);
      const iter = buildExpr(B, e.iter);
      return (R) => {
        const it = iterate(iter(R));
        making(FUNCTION_BYTES + CONTAINER_BYTES + code.slots * ELEMENT_BYTES);
        const fn = new MachineFunction(
          code,
          R[0],
          code.free.map((p) => R[p[1]] as Cell),
          [],
        );
        const F = bindFrame(fn, [], null);
        F[code.paramSlots[0]!] = it;
        return new MachineGenerator(fn, F);
      };
    }
    case "walrus": {
      const v = buildExpr(B, e.e);
      const set = buildAssign(B, e.to);
      return (R) => {
        const x = v(R);
        set(R, x);
        return x;
      };
    }
    case "subject": {
      const kind = e.kind;
      if (e.e.k === "const" && typeof e.e.v === "string") {
        const s = new Subject(kind, e.e.v);
        return () => s;
      }
      const f = buildExpr(B, e.e);
      return (R) => {
        return subjectOf(kind, f(R));
      };
    }
    case "read": {
      const f = buildAddress(B, e.addr, "read");
      return (R) => plainRead((f(R) as Extract<Address, { a: "cell" }>).cell);
    }
    case "verb":
      return buildVerb(B, e, runVerb);
    default:
      return unreachable(e);
  }
}

export function buildVerb<T>(
  B: Builder,
  e: Extract<IrExpr, { k: "verb" }>,
  run: (name: string, address: Address | null, args: readonly Value[], kw: ReadonlyMap<string, Value> | null) => T,
): (R: Frame) => T {
  const { n } = e;
  const addr = e.addr ? buildAddress(B, e.addr, VERBS.get(n)!.least) : null;
  const args = buildItems(B, e.args);
  const kw = buildKeywords(B, e.kw);
  return (R) => {
    const a = addr ? addr(R) : null;
    const xs = args(R);
    return run(n, a, xs, kw ? kw(R) : null);
  };
}

/** `print` as a value: passing it on is refused, calling it is the machine's own. */
class PrintFunction extends PyFunction {
  override readonly name = "print";
  override readonly typeName = "builtin_function_or_method";
  override call(args: readonly Value[], kwargs: ReadonlyMap<string, Value> | null): Value {
    return print(args, kwargs);
  }
}
const PRINT = new PrintFunction();

function unbound(name: string, top: boolean): never {
  if (top) raise("NameError", `name '${name}' is not defined`);
  raise("UnboundLocalError", `cannot access local variable '${name}' where it is not associated with a value`);
}

/** Pairs up to the next `**` are evaluated together before the first is put in, as CPython does up to 15 of them. */
function buildDictDisplay(B: Builder, es: readonly [IrExpr | null, IrExpr, "taken"?][]): Eval {
  const pairs = es.map(([k, v, taken]) => [k ? buildExpr(B, k) : null, buildExpr(B, v), taken === undefined] as const);
  const runs: [from: number, to: number][] = [];
  for (let i = 0, from = 0; i <= pairs.length; i++) {
    const end = i === pairs.length || pairs[i]![0] === null;
    if (!end && i - from < 16) continue;
    const to = end ? i : i + 1;
    if (to > from) runs.push([from, to]);
    if (end && i < pairs.length) runs.push([i, i]);
    from = i + 1;
  }
  const bytes = HASHED_BYTES + es.length * ENTRY_BYTES;
  return (R) => {
    making(bytes);
    const d = new PyDict();
    for (const [from, to] of runs) {
      if (from === to) mergeMapping(d, pairs[from]![1](R), pairs[from]![2]);
      else if (to - from > 15)
        for (let i = from; i < to; i++) {
          const key = pairs[i]![0]!(R);
          d.set(key, pairs[i]![1](R));
        }
      else {
        const held: Value[] = [];
        for (let i = from; i < to; i++) held.push(pairs[i]![0]!(R), pairs[i]![1](R));
        for (let i = 0; i < held.length; i += 2) d.set(held[i]!, held[i + 1]!);
      }
    }
    return d;
  };
}

function buildSetDisplay(B: Builder, e: Extract<IrExpr, { k: "set" }>): Eval {
  const bytes = HASHED_BYTES + e.es.length * ENTRY_BYTES;
  const make = buildSetMaker(B, e);
  return (R) => {
    making(bytes);
    return make(R);
  };
}
function buildSetMaker(B: Builder, e: Extract<IrExpr, { k: "set" }>): Eval {
  if (e.constants) {
    const f = buildItems(B, e.es);
    const names = new Set(e.names ?? []);
    const make = e.constants === "walked" ? frozenSetOfConstants : setOfConstants;
    return (R) => make(f(R), names);
  }
  if (!e.es.some((x) => x.star)) {
    const f = buildItems(B, e.es);
    return (R) => setOf(f(R));
  }
  const parts = e.es.map((x) => [x.star === true, buildExpr(B, x.e)] as const);
  const begun = e.es[0]!.taken === true ? parts.shift()![1] : null;
  return (R) => {
    const set = begun ? (begun(R) as PySet) : new PySet();
    for (const [star, f] of parts) {
      const v = f(R);
      if (star) update(set, v, 1);
      else set.add(v);
    }
    return set;
  };
}

// ---- displays and arguments ----------------------------------------------------------------------------------------
/** `call`: arguments; a complaint about the only one, `*xs`, names the callee. */
export function buildItems(B: Builder, items: readonly IrItem[], call = false): (R: Frame, callee?: Value) => Value[] {
  const fs = items.map((x) => buildExpr(B, x.e));
  if (!items.some((x) => x.star)) {
    switch (fs.length) {
      case 0:
        return () => [];
      case 1: {
        const [a] = fs as [Eval];
        return (R) => [a(R)];
      }
      case 2: {
        const [a, b] = fs as [Eval, Eval];
        return (R) => [a(R), b(R)];
      }
      case 3: {
        const [a, b, c] = fs as [Eval, Eval, Eval];
        return (R) => [a(R), b(R), c(R)];
      }
      default:
        return (R) => {
          const out: Value[] = new Array(fs.length);
          for (let i = 0; i < fs.length; i++) out[i] = fs[i]!(R);
          return out;
        };
    }
  }
  const stars = items.map((x) => x.star === true);
  const taken = items.map((x) => x.taken === true);
  const sole = call && items.length === 1;
  return (R, callee) => {
    const out: Value[] = [];
    for (let i = 0; i < fs.length; i++) {
      const v = fs[i]!(R);
      if (!stars[i]) out.push(v);
      else {
        const more = taken[i] ? (v as PyList).a : takeStarred(v, sole ? callee : undefined);
        checkJoined(out.length, more.length);
        for (const x of more) out.push(x);
      }
    }
    return out;
  };
}

/** Keyword arguments as a map in order; null where there are none. */
export function buildKeywords(B: Builder, kw: readonly IrKeyword[]): ((R: Frame, callee?: Value) => ReadonlyMap<string, Value>) | null {
  if (kw.length === 0) return null;
  const fs = kw.map((k) => [k.n, buildExpr(B, k.e), k.taken !== true] as const);
  return (R, callee) => {
    const m = new Map<string, Value>();
    for (const [n, f, counted] of fs) {
      const v = f(R);
      if (n !== null) {
        if (m.has(n)) keywordTwice(n, callee);
        m.set(n, v);
        continue;
      }
      const d = takeKeywords(v, callee);
      for (const [k, x] of d.entries()) {
        if (typeof k !== "string") raise("TypeError", "keywords must be strings");
        if (m.has(k)) keywordTwice(k, callee);
        m.set(k, x);
      }
      if (counted) meter.ops += d.size;
    }
    return m;
  };
}

function mergeMapping(d: PyDict, v: Value, counted: boolean): void {
  const m = mappingOf(v) ?? raise("TypeError", `'${typeName(v)}' object is not a mapping`);
  if (counted) meter.ops += m.size;
  checkJoined(d.size, m.size);
  for (const [k, x] of m.entries()) d.set(k, x);
}

// ---- print ----------------------------------------------------------------------------------------------------------
function buildPrint(B: Builder, args: readonly IrItem[], keywords: readonly IrKeyword[]): Eval {
  const f = buildItems(B, args, true);
  const kw = buildKeywords(B, keywords);
  return (R) => {
    meter.ops++;
    const xs = f(R, PRINT);
    return print(xs, kw ? kw(R, PRINT) : null);
  };
}

/** What is printed is never held back, so `flush` asks for nothing. */
const PRINT_KEYWORDS: ReadonlySet<string> = new Set(["sep", "end", "flush"]);
/** `print(*args, sep=" ", end="\n")`. */
function print(args: readonly Value[], kw: ReadonlyMap<string, Value> | null): null {
  for (const k of kw?.keys() ?? []) if (!PRINT_KEYWORDS.has(k)) raise("TypeError", `'${k}' is an invalid keyword argument for print()`);
  const sep = textOption(kw, "sep", " ");
  const end = textOption(kw, "end", "\n");
  let text = "";
  for (let i = 0; i < args.length; i++) {
    let part: string;
    try {
      part = str(args[i]!);
    } catch (thrown) {
      // What came before the argument that fails is written already, as in CPython.
      if (i > 0 && thrown instanceof Raised) vm.recorder.print(vm.at, text + sep, "", "string");
      throw thrown;
    }
    checkConcat(text, part);
    text += i === 0 ? part : sep + part;
  }
  vm.recorder.print(vm.at, text, end, args.length === 1 ? typeWord(args[0]!) : "string");
  return null;
}
function textOption(kw: ReadonlyMap<string, Value> | null, name: string, otherwise: string): string {
  const v = kw?.get(name);
  if (v === undefined || v === null) return otherwise;
  if (typeof v !== "string") raise("TypeError", `${name} must be None or a string, not ${typeName(v)}`);
  return v;
}

function buildFormat(B: Builder, parts: readonly IrFormat[]): (R: Frame) => string {
  const fs = parts.map((p): string | ((R: Frame) => string) => {
    if (typeof p === "string") return p;
    const f = buildExpr(B, p.e);
    if (p.done) return f as (R: Frame) => string;
    const convert = p.c === "r" ? repr : p.c === "a" ? ascii : p.c === "s" ? str : null;
    if (p.spec === null)
      return (R) => {
        meter.ops++;
        const v = f(R);
        return convert === null ? (typeof v === "string" ? v : format(v, "")) : convert(v);
      };
    if (p.spec.length === 1 && typeof p.spec[0] === "string") {
      const by = formatBy(p.spec[0]);
      return (R) => {
        meter.ops++;
        const v = f(R);
        return by(convert === null ? v : convert(v));
      };
    }
    const spec = buildFormat(B, p.spec);
    return (R) => {
      meter.ops++;
      const v = f(R);
      return format(convert ? convert(v) : v, spec(R));
    };
  });
  if (fs.length === 1 && typeof fs[0] === "string") {
    const [text] = fs;
    return () => text;
  }
  const count = fs.length;
  return (R) => {
    const made: string[] = new Array(count);
    let units = 0;
    for (let i = 0; i < count; i++) {
      const f = fs[i]!;
      const part = typeof f === "string" ? f : f(R);
      units += part.length;
      made[i] = part;
    }
    checkUnits(made, units);
    return made.join("");
  };
}

/** `s[name]`: the subscript is a step of an address, which costs nothing, however it is spelled. */
export function readField(subject: Subject, name: Value): Value {
  meter.ops--;
  return plainRead(cellOf(subject, name));
}
