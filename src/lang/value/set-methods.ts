/** Methods of `set` and `frozenset`. What they compute, and in which order it iterates, is in set.ts. */
import { noArgs, noKeywords, oneArg } from "./arguments";
import type { Method } from "./attribute";
import { raise } from "./exception";
import { spendOps } from "./meter";
import { Task, type Work } from "./pending";
import { frozenKey, hashKey } from "./protocol-hash";
import {
  copySet,
  difference,
  differenceUpdate,
  intersection,
  isSet,
  isSubset,
  keepCommon,
  PyFrozenSet,
  PySet,
  symmetricDifference,
  symmetricUpdate,
  takeBody,
  update,
} from "./set";
import { LazyIterator, PyTuple, type Value } from "./value";
import { handing, walk } from "./walk";
import { checkGrowing } from "./weight";

type AnySet = PySet | PyFrozenSet;

/** A method of any number of iterables. */
function many(name: string, run: (self: AnySet, others: readonly Value[]) => Value | Task): [string, Method] {
  return [
    name,
    (self: AnySet, args, kwargs) => {
      noKeywords(`${self.kind}.${name}`, kwargs);
      return run(self, args);
    },
  ];
}
function one(name: string, run: (self: AnySet, other: Value) => Value | Task): [string, Method] {
  return [name, (self: AnySet, args, kwargs) => run(self, oneArg(`${self.kind}.${name}`, args, kwargs))];
}
/** The same for methods that make something new: of a generator all elements are taken, and hashed, first. */
function manyTaken(name: string, run: (self: AnySet, others: readonly Value[]) => Value): [string, Method] {
  return many(name, (self, others) => (others.some(isLazy) ? new Task(takenFirst(self, others, run)) : run(self, others)));
}
function oneTaken(name: string, run: (self: AnySet, other: Value) => Value): [string, Method] {
  return one(name, (self, other) => (isLazy(other) ? new Task(takenFirst(self, [other], (s, [o]) => run(s, o))) : run(self, other)));
}
function isLazy(v: Value): boolean {
  return v instanceof LazyIterator;
}
function* takenFirst(self: AnySet, others: readonly Value[], run: (self: AnySet, others: readonly Value[]) => Value): Work<Value> {
  const given: Value[] = [];
  for (const other of others) {
    if (!(other instanceof LazyIterator)) {
      given.push(other);
      continue;
    }
    const elements: Value[] = [];
    yield* handing(other, (e) => {
      hashKey(e);
      checkGrowing(elements);
      elements.push(e);
    });
    given.push(new PyTuple(elements));
  }
  return run(self, given);
}
/** `update` and `difference_update`: of a generator each element as it comes. */
function oneByOne(
  self: AnySet,
  others: readonly Value[],
  whole: (self: AnySet, other: Value, opsEach: number) => void,
  single: (self: AnySet, e: Value) => void,
): Value | Task {
  if (others.some(isLazy)) return new Task(changing(self, others, whole, single));
  for (const other of others) whole(self, other, 1);
  return null;
}
function* changing(
  self: AnySet,
  others: readonly Value[],
  whole: (self: AnySet, other: Value, opsEach: number) => void,
  single: (self: AnySet, e: Value) => void,
): Work<Value> {
  for (const other of others) {
    if (!(other instanceof LazyIterator)) {
      whole(self, other, 1);
      continue;
    }
    yield* handing(other, (e) => {
      spendOps(1);
      single(self, e);
    });
    self.ordered().dropDummies();
  }
  return null;
}
const READING: readonly [string, Method][] = [
  manyTaken("union", (self, others) => {
    const result = copySet(self);
    for (const other of others) if (other !== self) update(result, other, 1);
    return result;
  }),
  many("intersection", (self, others) => intersectionOf(self, others, (common) => common)),
  manyTaken("difference", (self, others) => {
    if (others.length === 0) return copySet(self);
    const result = difference(self, others[0], 1);
    for (let i = 1; i < others.length; i++) differenceUpdate(result, others[i], 1);
    return result;
  }),
  oneTaken("symmetric_difference", (self, other) => {
    return symmetricDifference(self, other, 1);
  }),
  oneTaken("issubset", (self, other) => {
    if (isSet(other)) spendOps(self.size);
    return isSubset(self, isSet(other) ? other : update(new PySet(), other, 1));
  }),
  one("issuperset", (self, other) => {
    if (isSet(other)) return isSubset(other, self);
    let all = true;
    return walk(
      other,
      (e) => {
        spendOps(1);
        all = self.has(e);
        return !all;
      },
      () => all,
    );
  }),
  one("isdisjoint", (self, other) => {
    const [walked, inside] = isSet(other) && other.size > self.size ? [self, other] : [other, self];
    let apart = true;
    return walk(
      walked,
      (e) => {
        spendOps(1);
        apart = !inside.has(e);
        return !apart;
      },
      () => apart,
    );
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
    return oneByOne(self, others, update, (so, e) => so.addKeyed(hashKey(e), e));
  }),
  many("intersection_update", (self, others) =>
    intersectionOf(self, others, (common) => {
      takeBody(self as PySet, common);
      return null;
    }),
  ),
  many("difference_update", (self, others) => {
    return oneByOne(self, others, differenceUpdate, (so, e) => so.discardKeyed(hashKey(e)));
  }),
  oneTaken("symmetric_difference_update", (self, other) => {
    symmetricUpdate(self, other, 1);
    return null;
  }),
]);

/** What is in all, given to `use`; of a generator no more is taken than that needs. */
function intersectionOf(self: AnySet, others: readonly Value[], use: (common: AnySet) => Value): Value | Task {
  if (others.length === 0) return use(copySet(self));
  if (others.some(isLazy)) return new Task(intersecting(self, others, use));
  let result = self;
  for (const other of others) result = intersection(result, other, 1);
  return use(result);
}
function* intersecting(self: AnySet, others: readonly Value[], use: (common: AnySet) => Value): Work<Value> {
  let result = self;
  for (const other of others) {
    if (!(other instanceof LazyIterator)) {
      result = intersection(result, other, 1);
      continue;
    }
    const [so, common] = [result, result.fresh()];
    yield* handing(other, (e) => {
      spendOps(1);
      return keepCommon(so, common, e);
    });
    result = common;
  }
  return use(result);
}

/** A `set` among the elements is looked up as if frozen. */
function lookupKey(v: Value): unknown {
  return v instanceof PySet ? frozenKey(v, 0) : hashKey(v);
}
