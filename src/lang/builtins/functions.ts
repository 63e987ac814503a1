/** The builtin functions that are not types. Types are beside this file, `print` is the machine's. */
import { Bytes } from "../../datum";
import { Refusal } from "../../failure";
import { bindArgs, checkCount, type Kwargs, noKeywords, oneArg, parameters } from "../value/arguments";
import { Builtin, type BuiltinBody } from "../value/builtin-function";
import { callValue } from "../value/call";
import { raise } from "../value/exception";
import { format } from "../value/format";
import { indexOf } from "../value/index-of";
import { prefixedText } from "../value/int-text";
import { sortArguments } from "../value/list";
import { spendOps } from "../value/meter";
import { absolute, add, divmod, pow, powmod, roundValue } from "../value/protocol-arith";
import { pyHash } from "../value/protocol-hash";
import { iterate, length, takeAll, truthy } from "../value/protocol-iterate";
import { compare, type OrderOp, sortValues } from "../value/protocol-order";
import { ascii, repr } from "../value/protocol-text";
import { typeName } from "../value/protocol-type";
import { chrText, strLength } from "../value/str";
import { UnionType } from "../value/union-type";
import { DONE, PyFunction, PyIterator, PyList, PyTuple, PyType, type Value } from "../value/value";

const one =
  (name: string, of: (v: Value) => Value): BuiltinBody =>
  (args, kwargs) =>
    of(oneArg(name, args, kwargs));

/** The test of `all` and `any`: stops at the first element that settles it. */
const until =
  (name: string, settles: boolean): BuiltinBody =>
  (args, kwargs) => {
    const it = iterate(oneArg(name, args, kwargs));
    for (let v = it.next(); v !== DONE; v = it.next()) {
      spendOps(1);
      if (truthy(v) === settles) return settles;
    }
    return !settles;
  };

/** `bin`, `oct`, `hex`. */
const digits =
  (name: string, base: 2 | 8 | 16): BuiltinBody =>
  (args, kwargs) =>
    prefixedText(indexOf(oneArg(name, args, kwargs)), base);

function chr(v: Value): Value {
  const n = indexOf(v);
  if (n > 2147483647 || n < -2147483648) raise("OverflowError", "Python int too large to convert to C int");
  if (n < 0 || n > 0x10ffff) raise("ValueError", "chr() arg not in range(0x110000)");
  return chrText(Number(n));
}

function ord(v: Value): Value {
  if (typeof v === "string") {
    const n = strLength(v);
    if (n !== 1) raise("TypeError", `ord() expected a character, but string of length ${n} found`);
    return v.codePointAt(0)!;
  }
  if (v instanceof Bytes) {
    if (v.b.length !== 1) raise("TypeError", `ord() expected a character, but string of length ${v.b.length} found`);
    return v.b[0];
  }
  raise("TypeError", `ord() expected string of length 1, but ${typeName(v)} found`);
}

/** `max` and `min`. */
const extreme =
  (name: "max" | "min", op: OrderOp): BuiltinBody =>
  (args, kwargs) => {
    checkCount(name, args.length, 1, Number.POSITIVE_INFINITY);
    let key: Value = null;
    let fallback: Value | undefined;
    if (kwargs !== null)
      for (const [word, v] of kwargs) {
        if (word === "key") key = v;
        else if (word === "default") fallback = v;
        else raise("TypeError", `'${word}' is an invalid keyword argument for ${name}()`);
      }
    if (args.length > 1 && fallback !== undefined)
      raise("TypeError", `Cannot specify a default for ${name}() with multiple positional arguments`);
    const it = iterate(args.length > 1 ? new PyList([...args]) : args[0]);
    let best: Value | undefined;
    let bestKey: Value = null;
    for (let v = it.next(); v !== DONE; v = it.next()) {
      spendOps(1);
      const k = key === null ? v : callValue(key, [v]);
      if (best === undefined || compare(op, k, bestKey)) {
        best = v;
        bestKey = k;
      }
    }
    if (best !== undefined) return best;
    if (fallback !== undefined) return fallback;
    raise("ValueError", `${name}() arg is an empty sequence`);
  };

const SUM = parameters("sum", "_ start", 1);
function sum(args: readonly Value[], kwargs: Kwargs): Value {
  const [iterable, start] = bindArgs(SUM, args, kwargs);
  const it = iterate(iterable!);
  if (typeof start === "string") raise("TypeError", "sum() can't sum strings [use ''.join(seq) instead]");
  if (start instanceof Bytes) raise("TypeError", "sum() can't sum bytes [use b''.join(seq) instead]");
  let total: Value = start === undefined ? 0 : start;
  for (let v = it.next(); v !== DONE; v = it.next()) {
    spendOps(1);
    total = add(total, v);
  }
  return total;
}

const POW = parameters("pow", "base exp mod", 2);
const ROUND = parameters("round", "number ndigits", 1);

const FUNCTIONS: Readonly<Record<string, BuiltinBody>> = {
  abs: one("abs", absolute),
  all: until("all", false),
  any: until("any", true),
  ascii: one("ascii", ascii),
  bin: digits("bin", 2),
  callable: one("callable", (v) => v instanceof PyFunction),
  chr: one("chr", chr),
  divmod: (args, kwargs) => {
    noKeywords("divmod", kwargs);
    checkCount("divmod", args.length, 2, 2);
    return divmod(args[0], args[1]);
  },
  format: (args, kwargs) => {
    noKeywords("format", kwargs);
    checkCount("format", args.length, 1, 2);
    const spec = args.length === 2 ? args[1] : "";
    if (typeof spec !== "string") raise("TypeError", `format() argument 2 must be str, not ${spec === null ? "None" : typeName(spec)}`);
    return format(args[0], spec);
  },
  hash: one("hash", pyHash),
  hex: digits("hex", 16),
  isinstance: (args, kwargs) => {
    noKeywords("isinstance", kwargs);
    checkCount("isinstance", args.length, 2, 2);
    return isInstance(args[0], args[1]);
  },
  issubclass: (args, kwargs) => {
    noKeywords("issubclass", kwargs);
    checkCount("issubclass", args.length, 2, 2);
    if (!(args[0] instanceof PyType)) raise("TypeError", "issubclass() arg 1 must be a class");
    return isSubclass(args[0], args[1]);
  },
  iter: (args, kwargs) => {
    noKeywords("iter", kwargs);
    checkCount("iter", args.length, 1, 2);
    if (args.length === 2 && !(args[0] instanceof PyFunction)) raise("TypeError", "iter(v, w): v must be callable");
    if (args.length === 2)
      throw new Refusal("out_of_surface", "iter(f, sentinel) has no bound: write a for loop over a range and break at the sentinel");
    return iterate(args[0]);
  },
  len: one("len", length),
  max: extreme("max", ">"),
  min: extreme("min", "<"),
  next: (args, kwargs) => {
    noKeywords("next", kwargs);
    checkCount("next", args.length, 1, 2);
    const [it] = args;
    if (!(it instanceof PyIterator)) raise("TypeError", `'${typeName(it)}' object is not an iterator`);
    const v = it.next();
    if (v !== DONE) {
      spendOps(1);
      return v;
    }
    if (args.length === 2) return args[1];
    raise("StopIteration");
  },
  oct: digits("oct", 8),
  ord: one("ord", ord),
  pow: (args, kwargs) => {
    const [base, exponent, modulus] = bindArgs(POW, args, kwargs);
    return modulus === undefined || modulus === null ? pow(base!, exponent!) : powmod(base!, exponent!, modulus);
  },
  repr: one("repr", repr),
  round: (args, kwargs) => {
    const [number, places] = bindArgs(ROUND, args, kwargs);
    return roundValue(number!, places ?? undefined);
  },
  sorted: (args, kwargs) => {
    checkCount("sorted", args.length, 1, 1);
    const values = takeAll(args[0]);
    const { key, reverse } = sortArguments(kwargs, "sort");
    return new PyList(sortValues(values, key, reverse));
  },
  sum,
};

/** `isinstance(v, wanted)`. */
export function isInstance(v: Value, wanted: Value): boolean {
  if (wanted instanceof PyType) return wanted.isInstance(v);
  if (wanted instanceof PyTuple) {
    for (const t of wanted.a) if (isInstance(v, t)) return true;
    return false;
  }
  if (wanted instanceof UnionType) return wanted.members.some((m) => (m === null ? v === null : m.isInstance(v)));
  raise("TypeError", "isinstance() arg 2 must be a type, a tuple of types, or a union");
}

function isSubclass(type: PyType, wanted: Value): boolean {
  if (wanted instanceof PyType) return type.isSubtypeOf(wanted);
  if (wanted instanceof PyTuple) {
    for (const t of wanted.a) if (isSubclass(type, t)) return true;
    return false;
  }
  if (wanted instanceof UnionType) return wanted.members.some((m) => (m === null ? type.name === "NoneType" : type.isSubtypeOf(m)));
  raise("TypeError", "issubclass() arg 2 must be a class, a tuple of classes, or a union");
}

export const BUILTIN_FUNCTIONS: readonly Builtin[] = Object.entries(FUNCTIONS).map(([name, body]) => new Builtin(name, body));
