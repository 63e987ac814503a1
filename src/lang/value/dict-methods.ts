/** Methods of `dict` and of its views, and `dict.update`'s way of taking its argument. */
import { checkCount, noArgs, noKeywords, oneArg, positional } from "./arguments";
import type { Method } from "./attribute";
import { PyDict, PyDictView } from "./dict";
import { raise } from "./exception";
import { isMapping, mappingOf } from "./mapping";
import { checkHashed, spendOps } from "./meter";
import { settle, type Task } from "./pending";
import { contains, isIterable, takeAll } from "./protocol-iterate";
import { typeName } from "./protocol-type";
import { PyRange, PyTuple, type Value } from "./value";
import { walk } from "./walk";

/** `dict.update(other)`: a mapping, or an iterable of pairs. */
export function dictUpdate(dict: PyDict, other: Value): void {
  const mapping = mappingOf(other);
  if (mapping !== null) {
    if (mapping === dict) return;
    spendOps(mapping.size);
    if (dict.size === 0 && dict.keyList.length === 0) {
      dict.assign(mapping);
      return;
    }
    for (const [key, value] of mapping.entries()) dict.set(key, value);
    return;
  }
  settle(addPairs(dict, other, () => null));
}
function addPairs(dict: PyDict, pairs: Value, end: () => Value): Value | Task {
  let i = 0;
  return walk(
    pairs,
    (e) => {
      spendOps(1);
      if (!isIterable(e)) raise("TypeError", `cannot convert dictionary update sequence element #${i} to a sequence`);
      const pair = takeAll(e);
      if (pair.length !== 2) raise("ValueError", `dictionary update sequence element #${i} has length ${pair.length}; 2 is required`);
      dict.set(pair[0], pair[1]);
      i++;
    },
    end,
  );
}

/** `dict(...)`, `d.update(...)`; gives `result`. */
export function dictUpdateCall(
  dict: PyDict,
  name: string,
  args: readonly Value[],
  kwargs: ReadonlyMap<string, Value> | null,
  result: Value,
): Value | Task {
  checkCount(name, args.length, 0, 1);
  const end = (): Value => {
    if (kwargs !== null) for (const [key, value] of kwargs) dict.set(key, value);
    return result;
  };
  if (args.length === 1 && !isMapping(args[0])) return addPairs(dict, args[0], end);
  if (args.length === 1) dictUpdate(dict, args[0]);
  return end();
}

/** KeyError with the key as its one argument. */
export function keyError(key: Value): never {
  raise("KeyError", key);
}

export const DICT_METHODS: ReadonlyMap<string, Method> = new Map<string, Method>([
  [
    "get",
    (self: PyDict, args, kwargs) => {
      positional("dict.get", args, kwargs, 1, 2);
      return self.get(args[0]) ?? withDefault(self, args);
    },
  ],
  [
    "setdefault",
    (self: PyDict, args, kwargs) => {
      positional("dict.setdefault", args, kwargs, 1, 2);
      if (self.has(args[0])) return self.get(args[0])!;
      const value = args.length > 1 ? args[1] : null;
      self.set(args[0], value);
      return value;
    },
  ],
  [
    "pop",
    (self: PyDict, args, kwargs) => {
      positional("dict.pop", args, kwargs, 1, 2);
      // An empty dict does not hash the key.
      const value = self.size === 0 ? undefined : self.delete(args[0]);
      if (value !== undefined) return value;
      if (args.length > 1) return args[1];
      return keyError(args[0]);
    },
  ],
  [
    "popitem",
    (self: PyDict, args, kwargs) => {
      noArgs("dict.popitem", args, kwargs);
      const last = self.popLast();
      if (last === undefined) raise("KeyError", "popitem(): dictionary is empty");
      return new PyTuple(last);
    },
  ],
  [
    "update",
    (self: PyDict, args, kwargs) => {
      return dictUpdateCall(self, "update", args, kwargs, null);
    },
  ],
  [
    "clear",
    (self: PyDict, args, kwargs) => {
      noArgs("dict.clear", args, kwargs);
      self.clear();
      return null;
    },
  ],
  [
    "copy",
    (self: PyDict, args, kwargs) => {
      noArgs("dict.copy", args, kwargs);
      return self.copy();
    },
  ],
  ["keys", view("keys")],
  ["values", view("values")],
  ["items", view("items")],
  ["fromkeys", (_self: PyDict, args, kwargs) => fromKeys(args, kwargs)],
]);

function withDefault(dict: PyDict, args: readonly Value[]): Value {
  // `get` may have found None, which `??` cannot tell from nothing found.
  return args.length > 1 && !dict.has(args[0]) ? args[1] : null;
}

function view(kind: "keys" | "values" | "items"): Method {
  return (self: PyDict, args, kwargs) => {
    noArgs(`dict.${kind}`, args, kwargs);
    return new PyDictView(self, kind);
  };
}

/** `dict.fromkeys(iterable, value=None)`, into a new `dict`. */
export function fromKeys(args: readonly Value[], kwargs: ReadonlyMap<string, Value> | null, dict = new PyDict()): Value | Task {
  noKeywords("dict.fromkeys", kwargs);
  checkCount("fromkeys", args.length, 1, 2);
  const value = args.length > 1 ? args[1] : null;
  if (args[0] instanceof PyRange) checkHashed(Number(args[0].length));
  return walk(
    args[0],
    (key) => {
      spendOps(1);
      dict.set(key, value);
    },
    () => dict,
  );
}

export const DICT_VIEW_METHODS: ReadonlyMap<string, Method> = new Map<string, Method>([
  [
    "isdisjoint",
    (self: PyDictView, args, kwargs) => {
      let apart = true;
      return walk(
        oneArg(`${typeName(self)}.isdisjoint`, args, kwargs),
        (e) => {
          spendOps(1);
          apart = !contains(self, e);
          return !apart;
        },
        () => apart,
      );
    },
  ],
]);
