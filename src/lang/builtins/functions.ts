/** The builtin functions that are not types. Types are beside this file, `print` is the machine's. */
import { Bytes } from "../../datum";
import { Refusal } from "../../failure";
import { bindArgs, checkCount, type Kwargs, noKeywords, oneArg, parameters } from "../value/arguments";
import { Builtin, type BuiltinBody } from "../value/builtin-function";
import { ended, startValue } from "../value/call";
import { raise, raiseStop } from "../value/exception";
import { format } from "../value/format";
import { indexOf } from "../value/index-of";
import { prefixedText } from "../value/int-text";
import { sortArguments } from "../value/list";
import { spendOps } from "../value/meter";
import { Pending, Task, type Work } from "../value/pending";
import { absolute, add, divmod, pow, powmod, roundValue } from "../value/protocol-arith";
import { pyHash } from "../value/protocol-hash";
import { iterate, length, truthy } from "../value/protocol-iterate";
import { compare, type OrderOp } from "../value/protocol-order";
import { ascii, repr } from "../value/protocol-text";
import { typeName } from "../value/protocol-type";
import { isLongSort, type SortArguments, sortingValues, sortKeyed, sortValues } from "../value/sort";
import { chrText, strLength } from "../value/str";
import { UnionType } from "../value/union-type";
import { DONE, PAUSED, PyFunction, PyIterator, PyList, PyTuple, PyType, type Value } from "../value/value";
import { taking, walk, walkIterator } from "../value/walk";

const one =
  (name: string, of: (v: Value) => Value): BuiltinBody =>
  (args, kwargs) =>
    of(oneArg(name, args, kwargs));

/** The test of `all` and `any`: stops at the first element that settles it. */
const until =
  (name: string, settles: boolean): BuiltinBody =>
  (args, kwargs) => {
    let found = !settles;
    return walk(
      oneArg(name, args, kwargs),
      (v) => {
        spendOps(1);
        if (truthy(v) !== settles) return false;
        found = settles;
        return true;
      },
      () => found,
    );
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

/** Of arguments themselves. */
function extremeOf(args: readonly Value[], op: OrderOp): Value {
  let best = args[0];
  spendOps(1);
  for (let i = 1; i < args.length; i++) {
    spendOps(1);
    if (compare(op, args[i], best)) best = args[i];
  }
  return best;
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
    if (args.length > 1 && key === null) return extremeOf(args, op);
    let best: Value | undefined;
    let bestKey: Value = null;
    const take = (v: Value, k: Value): void => {
      if (best !== undefined && !compare(op, k, bestKey)) return;
      best = v;
      bestKey = k;
    };
    const end = (): Value => {
      if (best !== undefined) return best;
      if (fallback !== undefined) return fallback;
      raise("ValueError", `${name}() arg is an empty sequence`);
    };
    const source = args.length > 1 ? new PyList([...args]) : args[0];
    if (key === null)
      return walk(
        source,
        (v) => {
          spendOps(1);
          take(v, v);
        },
        end,
      );
    return new Task(keyed(iterate(source), key, take, end));
  };

/** Each element with its key. */
function* keyed(it: PyIterator, key: Value, take: (v: Value, k: Value) => void, end: () => Value): Work<Value> {
  for (;;) {
    let v = it.poll();
    while (v === PAUSED) {
      yield;
      v = it.poll();
    }
    if (v === DONE) return end();
    spendOps(1);
    let k = startValue(key, [v]);
    if (k instanceof Pending) k = yield* ended(k);
    take(v, k);
  }
}

const SUM = parameters("sum", "_ start", 1);
function sum(args: readonly Value[], kwargs: Kwargs): Value | Task {
  const [iterable, start] = bindArgs(SUM, args, kwargs);
  const it = iterate(iterable!);
  if (typeof start === "string") raise("TypeError", "sum() can't sum strings [use ''.join(seq) instead]");
  if (start instanceof Bytes) raise("TypeError", "sum() can't sum bytes [use b''.join(seq) instead]");
  let total: Value = start === undefined ? 0 : start;
  return walkIterator(
    it,
    (v) => {
      spendOps(1);
      total = add(total, v);
    },
    () => total,
  );
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
    let found: Value | undefined;
    // One that an earlier walk left is not of this step.
    it.takeStop();
    return walkIterator(
      it,
      (v) => {
        spendOps(1);
        found = v;
        return true;
      },
      () => {
        if (found !== undefined) return found;
        if (args.length === 2) return args[1];
        raiseStop(it);
      },
    );
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
    // Python makes the list, then sorts it: what the keywords are is asked when the elements are there.
    return taking(args[0], (values) => sortedList(values, sortArguments(kwargs, "sort")));
  },
  sum,
};

function sortedList(values: Value[], sort: SortArguments): Value | Task {
  if (sort.key === null && !isLongSort(values)) return new PyList(sortValues(values, sort.reverse));
  const keys: Value[] = [];
  return new Task(
    (function* () {
      return new PyList(yield* sort.key === null ? sortingValues(values, sort.reverse) : sortKeyed(values, sort, keys));
    })(),
    [values, keys],
  );
}

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
