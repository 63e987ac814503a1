/** The types of collections and of lazy iterators as values: what calling them makes. */
import { bindArgs, checkCount, type Kwargs, noKeywords, parameters } from "../value/arguments";
import { PyDict } from "../value/dict";
import { dictUpdateCall, fromKeys } from "../value/dict-methods";
import { raise } from "../value/exception";
import { indexOf } from "../value/index-of";
import { spendOps } from "../value/meter";
import type { Task } from "../value/pending";
import { hashKey } from "../value/protocol-hash";
import { iterate, truthy } from "../value/protocol-iterate";
import { rangeOf } from "../value/range";
import { PyFrozenSet, PySet, update } from "../value/set";
import { EMPTY_TUPLE } from "../value/tuple";
import { LazyIterator, PyList, PyRange, PySlice, PyTuple, type Value } from "../value/value";
import { taking, walkIterator } from "../value/walk";
import { BuiltinType } from "./builtin-type";
import { EnumerateIterator, FilterIterator, MapIterator, reverseIterator, ZipIterator } from "./lazy-iterators";

/** `name(iterable=(), /)`: the argument, or undefined. */
function oneIterable(name: string, args: readonly Value[], kwargs: Kwargs): Value | undefined {
  noKeywords(name, kwargs);
  checkCount(name, args.length, 0, 1);
  return args[0];
}

const LIST = new BuiltinType(
  "list",
  (args, kwargs) => {
    const from = oneIterable("list", args, kwargs);
    return from === undefined ? new PyList([]) : taking(from, (elements) => new PyList(elements));
  },
  (v) => v instanceof PyList,
  null,
  {},
  new PyList([]),
);

const TUPLE = new BuiltinType(
  "tuple",
  (args, kwargs) => {
    const from = oneIterable("tuple", args, kwargs);
    if (from === undefined) return EMPTY_TUPLE;
    if (from instanceof PyTuple && from.typeName === "tuple") {
      spendOps(from.a.length);
      return from;
    }
    return taking(from, (elements) => new PyTuple(elements));
  },
  (v) => v instanceof PyTuple,
);

const SET = new BuiltinType(
  "set",
  (args, kwargs) => setFrom(new PySet(), oneIterable("set", args, kwargs)),
  (v) => v instanceof PySet,
);

const FROZENSET = new BuiltinType(
  "frozenset",
  (args, kwargs) => {
    const from = oneIterable("frozenset", args, kwargs);
    if (from instanceof PyFrozenSet) {
      spendOps(from.size);
      return from;
    }
    return setFrom(new PyFrozenSet(), from);
  },
  (v) => v instanceof PyFrozenSet,
);

function setFrom(set: PySet | PyFrozenSet, from: Value | undefined): Value | Task {
  if (from === undefined) return set;
  if (!(from instanceof LazyIterator)) return update(set, from, 1);
  return walkIterator(
    from,
    (v) => {
      spendOps(1);
      set.addKeyed(hashKey(v), v);
    },
    () => set,
  );
}

const DICT = new BuiltinType(
  "dict",
  (args, kwargs) => {
    const dict = new PyDict();
    return dictUpdateCall(dict, "dict", args, kwargs, dict);
  },
  (v) => v instanceof PyDict && v.isDict,
  null,
  { fromkeys: fromKeys },
  new PyDict(),
);

const RANGE = new BuiltinType(
  "range",
  (args, kwargs) => {
    noKeywords("range", kwargs);
    return rangeOf(args);
  },
  (v) => v instanceof PyRange,
);

const SLICE = new BuiltinType(
  "slice",
  (args, kwargs) => {
    noKeywords("slice", kwargs);
    checkCount("slice", args.length, 1, 3);
    if (args.length === 1) return new PySlice(null, args[0], null);
    return new PySlice(args[0], args[1], args.length === 3 ? args[2] : null);
  },
  (v) => v instanceof PySlice,
);

const MAP = new BuiltinType(
  "map",
  (args, kwargs) => {
    noKeywords("map", kwargs);
    if (args.length < 2) raise("TypeError", "map() must have at least two arguments.");
    return new MapIterator(args[0], args.slice(1).map(iterate));
  },
  (v) => v instanceof MapIterator,
);

const FILTER = new BuiltinType(
  "filter",
  (args, kwargs) => {
    noKeywords("filter", kwargs);
    checkCount("filter", args.length, 2, 2);
    return new FilterIterator(args[0], iterate(args[1]));
  },
  (v) => v instanceof FilterIterator,
);

const ZIP = new BuiltinType(
  "zip",
  (args, kwargs) => {
    let strict = false;
    if (kwargs !== null)
      for (const [word, v] of kwargs) {
        if (word !== "strict" && kwargs.size > 1) raise("TypeError", `zip() takes at most 1 keyword argument (${kwargs.size} given)`);
        if (word !== "strict") raise("TypeError", `'${word}' is an invalid keyword argument for zip()`);
        strict = truthy(v);
      }
    return new ZipIterator(args.map(iterate), strict);
  },
  (v) => v instanceof ZipIterator,
);

const ENUMERATE_PARAMETERS = parameters("enumerate", "iterable start", 1);
const ENUMERATE = new BuiltinType(
  "enumerate",
  (args, kwargs) => {
    if (args.length === 0 && kwargs === null) raise("TypeError", "enumerate() missing required argument 'iterable'");
    if (args.length === 0 && kwargs !== null)
      for (const name of kwargs.keys())
        if (name !== "iterable" && (name !== "start" || kwargs.size === 1))
          raise("TypeError", `'${name}' is an invalid keyword argument for enumerate()`);
    const [iterable, start] = bindArgs(ENUMERATE_PARAMETERS, args, kwargs);
    const first = start === undefined ? 0 : indexOf(start);
    return new EnumerateIterator(iterate(iterable!), first);
  },
  (v) => v instanceof EnumerateIterator,
);

const REVERSED = new BuiltinType(
  "reversed",
  (args, kwargs) => {
    noKeywords("reversed", kwargs);
    checkCount("reversed", args.length, 1, 1);
    return reverseIterator(args[0]);
  },
  (v) => typeof v === "object" && v !== null && "typeName" in v && v.typeName === "reversed",
);

export const COLLECTION_TYPES: readonly BuiltinType[] = [
  LIST,
  TUPLE,
  SET,
  FROZENSET,
  DICT,
  RANGE,
  SLICE,
  MAP,
  FILTER,
  ZIP,
  ENUMERATE,
  REVERSED,
];
