/** Methods of `list`. The class itself is data (value.ts). */
import { noArgs, oneArg, positional } from "./arguments";
import type { Method } from "./attribute";
import { raise } from "./exception";
import { clippedOf, intOf, sizeOf } from "./index-of";
import { checkJoined, spendOps, spendSteps } from "./meter";
import { Task, type Work } from "./pending";
import { indexIn, same, takeAll, truthy } from "./protocol-iterate";
import { repr } from "./protocol-text";
import { typeName } from "./protocol-type";
import { isLongSort, type SortArguments, sortingValues, sortKeyed, sortValues } from "./sort";
import { LazyIterator, PyList, type Value } from "./value";
import { walkIterator } from "./walk";
import { checkGrowing } from "./weight";

/** `list.append` without argument checks: what the machine calls in comprehensions. */
export function listAppend(list: PyList, v: Value): void {
  checkGrowing(list.a);
  list.a.push(v);
}

/** `list.extend`, and `+=` with what is no list. */
export function listExtend(list: PyList, iterable: Value): void {
  addAll(list, takeAll(iterable));
}
/** The same in slices: what a generator gives joins the list as it comes. Gives `result`. */
export function extendWith(list: PyList, iterable: Value, result: Value): Value | Task {
  if (iterable instanceof LazyIterator)
    return walkIterator(
      iterable,
      (v) => {
        spendOps(1);
        listAppend(list, v);
      },
      () => result,
    );
  listExtend(list, iterable);
  return result;
}

/** `list += list`: one operation whatever their size, as `list + list` is (rulings, "ops"). */
export function listConcatInPlace(list: PyList, other: PyList): void {
  addAll(list, list === other ? [...other.a] : other.a);
}

function addAll(list: PyList, more: readonly Value[]): void {
  checkJoined(list.a.length, more.length);
  for (let i = 0, n = more.length; i < n; i++) list.a.push(more[i]);
}

/** `list *= n`. */
export function listRepeatInPlace(list: PyList, n: number): void {
  const { a } = list;
  if (n <= 0) {
    a.length = 0;
    return;
  }
  const { length } = a;
  checkJoined(length, length * (n - 1));
  for (let i = length; i < length * n; i++) a.push(a[i - length]);
}

export const LIST_METHODS: ReadonlyMap<string, Method> = new Map<string, Method>([
  [
    "append",
    (self: PyList, args, kwargs) => {
      listAppend(self, oneArg("list.append", args, kwargs));
      return null;
    },
  ],
  [
    "extend",
    (self: PyList, args, kwargs) => {
      return extendWith(self, oneArg("list.extend", args, kwargs), null);
    },
  ],
  [
    "insert",
    (self: PyList, args, kwargs) => {
      positional("list.insert", args, kwargs, 2, 2);
      let at = sizeOf(args[0]);
      const { a } = self;
      checkGrowing(a);
      spendSteps(1 + (a.length >> 6));
      if (at < 0) at = Math.max(0, at + a.length);
      a.splice(Math.min(at, a.length), 0, args[1]);
      return null;
    },
  ],
  [
    "pop",
    (self: PyList, args, kwargs) => {
      positional("list.pop", args, kwargs, 0, 1);
      const { a } = self;
      let at = args.length === 0 ? -1 : sizeOf(args[0]);
      if (a.length === 0) raise("IndexError", "pop from empty list");
      if (at < 0) at += a.length;
      if (at < 0 || at >= a.length) raise("IndexError", "pop index out of range");
      if (at === a.length - 1) return a.pop()!;
      spendSteps((a.length - at) >> 4);
      return a.splice(at, 1)[0];
    },
  ],
  [
    "remove",
    (self: PyList, args, kwargs) => {
      const item = oneArg("list.remove", args, kwargs);
      const at = indexIn(self.a, item, 0, Number.POSITIVE_INFINITY);
      if (at < 0) raise("ValueError", "list.remove(x): x not in list");
      self.a.splice(at, 1);
      return null;
    },
  ],
  [
    "clear",
    (self: PyList, args, kwargs) => {
      noArgs("list.clear", args, kwargs);
      self.a.length = 0;
      return null;
    },
  ],
  [
    "copy",
    (self: PyList, args, kwargs) => {
      noArgs("list.copy", args, kwargs);
      checkJoined(0, self.a.length);
      return new PyList(self.a.slice());
    },
  ],
  [
    "reverse",
    (self: PyList, args, kwargs) => {
      noArgs("list.reverse", args, kwargs);
      spendSteps(self.a.length >> 2);
      self.a.reverse();
      return null;
    },
  ],
  ["count", (self: PyList, args, kwargs) => countIn(self.a, oneArg("list.count", args, kwargs))],
  ["index", (self: PyList, args, kwargs) => indexMethod("list", self.a, args, kwargs)],
  [
    "sort",
    (self: PyList, args, kwargs) => {
      const given = args.length + (kwargs?.size ?? 0);
      if (given > 2) raise("TypeError", `sort() takes at most 2 ${args.length === 0 ? "keyword " : ""}arguments (${given} given)`);
      if (args.length > 0) raise("TypeError", "sort() takes no positional arguments");
      const sort = sortArguments(kwargs, "sort");
      if (sort.key !== null) {
        const values = self.a.splice(0, self.a.length);
        const keys: Value[] = [];
        return new Task(sortingList(self, values, keys, sort), [values, keys]);
      }
      spendOps(self.a.length);
      if (isLongSort(self.a)) return new Task(sortingLong(self, sort.reverse));
      setElements(
        self,
        sortValues(self.a, sort.reverse, (left) => setElements(self, left)),
      );
      return null;
    },
  ],
]);

function* sortingLong(list: PyList, reverse: boolean): Work<Value> {
  setElements(list, yield* sortingValues(list.a, reverse, (left) => setElements(list, left)));
  return null;
}
function setElements(list: PyList, sorted: readonly Value[]): void {
  for (let i = 0; i < sorted.length; i++) list.a[i] = sorted[i];
}

/** Sorts a list by keys; while that runs the list reads as empty, and a change made meanwhile raises. */
function* sortingList(list: PyList, values: Value[], keys: Value[], sort: SortArguments): Work<Value> {
  const watched = new Watched(list);
  spendOps(values.length);
  let sorted = values;
  let failed = true;
  try {
    sorted = yield* sortKeyed(values, sort, keys, (left) => {
      sorted = left;
    });
    failed = false;
  } finally {
    watched.end(sorted);
    if (watched.touched && !failed) raise("ValueError", "list modified during sort");
  }
  return null;
}

/** An empty list whose elements stand elsewhere for a while: tells whether it was changed, also back. */
class Watched {
  touched = false;
  private readonly own: Value[];
  constructor(private readonly list: { a: Value[] }) {
    this.own = list.a;
    list.a = new Proxy<Value[]>([], {
      set: (target, name, value) => {
        if (name !== "length" || value !== target.length) this.touched = true;
        return Reflect.set(target, name, value);
      },
    });
  }
  end(elements: readonly Value[]): void {
    this.list.a = this.own;
    for (const v of elements) this.own.push(v);
  }
}

/** `key=` and `reverse=` of sort and sorted. */
export function sortArguments(kwargs: ReadonlyMap<string, Value> | null, name: string): SortArguments {
  let key: Value = null;
  let reverse = false;
  if (kwargs !== null)
    for (const [word, v] of kwargs) {
      if (word === "key") key = v;
      else if (word === "reverse") reverse = reverseOf(v);
      else raise("TypeError", `'${word}' is an invalid keyword argument for ${name}()`);
    }
  return { key, reverse };
}

function reverseOf(v: Value): boolean {
  if (typeof v === "boolean") return v;
  if (typeof v === "number" || typeof v === "bigint") {
    if (v > 2147483647 || v < -2147483648) raise("OverflowError", "Python int too large to convert to C int");
    return truthy(v);
  }
  raise("TypeError", `'${typeName(v)}' object cannot be interpreted as an integer`);
}

/** `count` of list and tuple. */
export function countIn(values: readonly Value[], item: Value): number {
  spendSteps(values.length >> 2);
  let n = 0;
  for (let i = 0; i < values.length; i++) if (same(values[i], item)) n++;
  return n;
}

/** `index(x, start, stop)` of list and tuple. */
export function indexMethod(
  type: "list" | "tuple",
  values: readonly Value[],
  args: readonly Value[],
  kwargs: ReadonlyMap<string, Value> | null,
): number {
  positional(`${type}.index`, args, kwargs, 1, 3);
  const bound = (v: Value): number => {
    if (intOf(v) === undefined) raise("TypeError", "slice indices must be integers or have an __index__ method");
    const n = clippedOf(v);
    return n < 0 ? Math.max(0, n + values.length) : n;
  };
  const start = args.length > 1 ? bound(args[1]) : 0;
  const stop = args.length > 2 ? bound(args[2]) : Number.POSITIVE_INFINITY;
  const at = indexIn(values, args[0], start, stop);
  if (at < 0) raise("ValueError", type === "list" ? `${repr(args[0])} is not in list` : "tuple.index(x): x not in tuple");
  return at;
}
