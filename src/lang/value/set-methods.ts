/** Methods of `set` and `frozenset`. What they compute, and in which order it iterates, is in set.ts. */
import { noArgs, noKeywords, oneArg } from "./arguments";
import type { Method } from "./attribute";
import { raise } from "./exception";
import { spendOps } from "./meter";
import { frozenKey, hashKey } from "./protocol-hash";
import { iterate } from "./protocol-iterate";
import {
  copySet,
  difference,
  differenceUpdate,
  intersection,
  isSet,
  isSubset,
  PyFrozenSet,
  PySet,
  symmetricDifference,
  symmetricUpdate,
  takeBody,
  update,
} from "./set";
import { DONE, type Value } from "./value";

type AnySet = PySet | PyFrozenSet;

/** A method of any number of iterables. */
function many(name: string, run: (self: AnySet, others: readonly Value[]) => Value): [string, Method] {
  return [
    name,
    (self: AnySet, args, kwargs) => {
      noKeywords(`${self.kind}.${name}`, kwargs);
      return run(self, args);
    },
  ];
}
function one(name: string, run: (self: AnySet, other: Value) => Value): [string, Method] {
  return [name, (self: AnySet, args, kwargs) => run(self, oneArg(`${self.kind}.${name}`, args, kwargs))];
}
const READING: readonly [string, Method][] = [
  many("union", (self, others) => {
    const result = copySet(self);
    for (const other of others) if (other !== self) update(result, other, 1);
    return result;
  }),
  many("intersection", (self, others) => intersectionOf(self, others)),
  many("difference", (self, others) => {
    if (others.length === 0) return copySet(self);
    const result = difference(self, others[0], 1);
    for (let i = 1; i < others.length; i++) differenceUpdate(result, others[i], 1);
    return result;
  }),
  one("symmetric_difference", (self, other) => {
    return symmetricDifference(self, other, 1);
  }),
  one("issubset", (self, other) => {
    if (isSet(other)) spendOps(self.size);
    return isSubset(self, asSet(other));
  }),
  one("issuperset", (self, other) => {
    if (isSet(other)) return isSubset(other, self);
    const it = iterate(other);
    for (let e = it.next(); e !== DONE; e = it.next()) {
      spendOps(1);
      if (!self.has(e)) return false;
    }
    return true;
  }),
  one("isdisjoint", (self, other) => {
    const it = isSet(other) && other.size > self.size ? iterate(self) : iterate(other);
    const inside = isSet(other) && other.size > self.size ? other : self;
    for (let e = it.next(); e !== DONE; e = it.next()) {
      spendOps(1);
      if (inside.has(e)) return false;
    }
    return true;
  }),
  [
    "copy",
    (self: AnySet, args, kwargs) => {
      noArgs(`${self.kind}.copy`, args, kwargs);
      return self instanceof PyFrozenSet ? self : copySet(self);
    },
  ],
];

export const FROZENSET_METHODS: ReadonlyMap<string, Method> = new Map(READING);

export const SET_METHODS: ReadonlyMap<string, Method> = new Map<string, Method>([
  ...READING,
  [
    "add",
    (self: PySet, args, kwargs) => {
      self.add(oneArg("set.add", args, kwargs));
      return null;
    },
  ],
  [
    "discard",
    (self: PySet, args, kwargs) => {
      self.discardKeyed(lookupKey(oneArg("set.discard", args, kwargs)));
      return null;
    },
  ],
  [
    "remove",
    (self: PySet, args, kwargs) => {
      const item = oneArg("set.remove", args, kwargs);
      if (!self.discardKeyed(lookupKey(item))) raise("KeyError", item);
      return null;
    },
  ],
  [
    "pop",
    (self: PySet, args, kwargs) => {
      noArgs("set.pop", args, kwargs);
      if (self.size === 0) raise("KeyError", "pop from an empty set");
      return self.popFirst();
    },
  ],
  [
    "clear",
    (self: PySet, args, kwargs) => {
      noArgs("set.clear", args, kwargs);
      self.clear();
      return null;
    },
  ],
  many("update", (self, others) => {
    for (const other of others) update(self, other, 1);
    return null;
  }),
  many("intersection_update", (self, others) => {
    takeBody(self as PySet, intersectionOf(self, others));
    return null;
  }),
  many("difference_update", (self, others) => {
    for (const other of others) differenceUpdate(self, other, 1);
    return null;
  }),
  one("symmetric_difference_update", (self, other) => {
    symmetricUpdate(self, other, 1);
    return null;
  }),
]);

function intersectionOf(self: AnySet, others: readonly Value[]): AnySet {
  if (others.length === 0) return copySet(self);
  let result = self;
  for (const other of others) result = intersection(result, other, 1);
  return result;
}

function asSet(v: Value): AnySet {
  return isSet(v) ? v : update(new PySet(), v, 1);
}

/** A `set` among the elements is looked up as if frozen. */
function lookupKey(v: Value): unknown {
  return v instanceof PySet ? frozenKey(v, 0) : hashKey(v);
}
