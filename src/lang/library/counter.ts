/** `collections.Counter`: a dict of counts, with the arithmetic of multisets. */
import type { Kwargs } from "../value/arguments";
import { positional } from "../value/arguments";
import type { Method, TypeTables } from "../value/attribute";
import { dictOf, PyDict } from "../value/dict";
import { DICT_METHODS, dictUpdate, keyError } from "../value/dict-methods";
import { raise } from "../value/exception";
import { intOf, sizeOf } from "../value/index-of";
import { mappingOf } from "../value/mapping";
import { spendOps } from "../value/meter";
import type { Task } from "../value/pending";
import { add, inplace, sub } from "../value/protocol-arith";
import { equal } from "../value/protocol-equal";
import { getItem } from "../value/protocol-item";
import { compare } from "../value/protocol-order";
import { typeName } from "../value/protocol-type";
import { sortByKeys } from "../value/sort";
import { DONE, PyIterator, PyList, PyTuple, type PyType, type Value } from "../value/value";
import { walk } from "../value/walk";
import { DICT_TYPE } from "./dict-type";
import { bindPython, signature } from "./python-call";
import { ServedType } from "./type";

export class Counter extends PyDict {
  override get pyType(): PyType {
    return COUNTER;
  }
  override get tables(): TypeTables {
    return TABLES;
  }
  override get typeName(): string {
    return "Counter";
  }
  override missing(): Value {
    return 0;
  }
  /** `del c[key]` of an absent key is no error. */
  override delete(key: Value): Value {
    return super.delete(key) ?? null;
  }
  /** The dict's own removal. */
  remove(key: Value): Value | undefined {
    return super.delete(key);
  }
  override copy(): Counter {
    const out = new Counter();
    out.assign(this);
    return out;
  }
  override reprAround(): readonly [string, string] {
    return ["Counter(", ")"];
  }
  /** Most common first, where the counts can be ordered. */
  override reprEntries(): [Value, Value][] {
    try {
      return mostCommon(this).map((pair) => pair.a as unknown as [Value, Value]);
    } catch {
      return this.entries();
    }
  }
  count(key: Value): Value {
    const count = this.get(key);
    return count === undefined ? 0 : count;
  }
  override equalTo(other: PyDict): boolean | undefined {
    if (!(other instanceof Counter)) return undefined;
    return [this, other].every((c) => c.keys().every((key) => equal(this.count(key), other.count(key))));
  }
  override binary(op: string, other: Value, reflected: boolean): Value | undefined {
    if (op === "u+" || op === "u-") return signed(this, op);
    if (op.length > 1 && op.endsWith("=") && "+-|&".includes(op[0])) return change(this, op[0], other);
    if (reflected || !(other instanceof PyDict)) return undefined;
    // Left to the other dict, if it has an operator of its own.
    if (!(other instanceof Counter))
      return op === "|" ? (other.binary(op, this, true) ?? dictOf([...this.entries(), ...other.entries()])) : undefined;
    switch (op) {
      case "+":
      case "-":
      case "|":
      case "&":
        return combined(this, op, other);
      case "<=":
        return within(this, other);
      case ">=":
        return within(other, this);
      case "<":
        return within(this, other) && this.equalTo(other) === false;
      case ">":
        return within(other, this) && this.equalTo(other) === false;
    }
    return undefined;
  }
}

const positive = (v: Value): boolean => compare(">", v, 0);

function within(a: Counter, b: Counter): boolean {
  return [a, b].every((c) => c.keys().every((key) => compare("<=", a.count(key), b.count(key))));
}

function signed(c: Counter, op: "u+" | "u-"): Counter {
  const out = new Counter();
  for (const [key, count] of c.entries()) {
    if (op === "u+") {
      if (positive(count)) out.set(key, count);
    } else if (compare("<", count, 0)) out.set(key, sub(0, count));
  }
  return out;
}

function combined(a: Counter, op: "+" | "-" | "|" | "&", b: Counter): Counter {
  const out = new Counter();
  spendOps(a.size + b.size);
  for (const [key, count] of a.entries()) {
    const other = b.count(key);
    let total: Value;
    if (op === "+") total = add(count, other);
    else if (op === "-") total = sub(count, other);
    else if (op === "|") total = compare("<", count, other) ? other : count;
    else total = compare("<", count, other) ? count : other;
    if (positive(total)) out.set(key, total);
  }
  if (op === "&") return out;
  for (const [key, count] of b.entries()) {
    if (a.has(key)) continue;
    if (op === "-") {
      if (compare("<", count, 0)) out.set(key, sub(0, count));
    } else if (positive(count)) out.set(key, count);
  }
  return out;
}

/** `c += other` and its like: in place, keeping positive counts. `c &= other` asks for its own keys, whatever `other` is. */
function change(c: Counter, op: string, other: Value): Counter {
  const theirs = mappingOf(other);
  // As `combined`: `c += d` and `c = c + d` cost the same (rulings, "ops").
  spendOps(c.size + (theirs?.size ?? 0));
  if (op === "&") {
    for (const [key, count] of c.entries()) {
      const most = getItem(other, key);
      if (compare("<", most, count)) c.set(key, most);
    }
  } else {
    if (theirs === null) return raise("AttributeError", `'${typeName(other)}' object has no attribute 'items'`);
    for (const [key, count] of theirs.entries()) {
      const before = c.count(key);
      if (op === "+" || op === "-") c.set(key, inplace(op, before, count));
      else if (compare(">", count, before)) c.set(key, count);
    }
  }
  for (const [key, count] of c.entries()) if (!positive(count)) c.delete(key);
  return c;
}

/** Pairs of key and count, most common first, of equal ones in the order first met. */
function mostCommon(c: Counter): PyTuple[] {
  const entries = c.entries();
  const counts = entries.map(([, count]) => count);
  spendOps(entries.length);
  return sortByKeys(entries, counts, true).map((e) => new PyTuple(e));
}

/** The pair of the greatest count, the first met of equal ones. */
function greatest(c: Counter): PyTuple[] {
  spendOps(c.size);
  let best: [Value, Value] | undefined;
  for (const e of c.entries()) if (best === undefined || compare(">", e[1], best[1])) best = e;
  return best === undefined ? [] : [new PyTuple(best)];
}

/** Adds or takes away what a mapping counts. */
function tallyDict(c: Counter, source: PyDict, sign: 1 | -1): void {
  if (sign === 1 && c.size === 0) dictUpdate(c, source);
  else {
    spendOps(source.size);
    for (const [key, count] of source.entries()) c.set(key, sign === 1 ? add(count, c.count(key)) : sub(c.count(key), count));
  }
}

/** `Counter(…)`, `update`, `subtract`: one iterable by position, and keywords that are counts. Gives `result`. */
function tallyCall(name: string, c: Counter, args: readonly Value[], kwargs: Kwargs, sign: 1 | -1, result: Value): Value | Task {
  bindPython(signature(`Counter.${name}`, "iterable", 0, 1), args, null);
  const named = (): Value => {
    if (kwargs !== null && kwargs.size > 0) tallyDict(c, dictOf([...kwargs]), sign);
    return result;
  };
  const [source = null] = args;
  if (source === null) return named();
  const mapping = mappingOf(source);
  if (mapping !== null) {
    tallyDict(c, mapping, sign);
    return named();
  }
  return walk(
    source,
    (key) => {
      spendOps(1);
      c.set(key, sign === 1 ? add(c.count(key), 1) : sub(c.count(key), 1));
    },
    named,
  );
}

/** Each key as often as its count. */
class Elements extends PyIterator {
  readonly typeName = "itertools.chain";
  private at = 0;
  private left = 0;
  private key: Value = null;
  constructor(private readonly entries: readonly [Value, Value][]) {
    super();
  }
  next(): Value | typeof DONE {
    while (this.left <= 0) {
      if (this.at === this.entries.length) return DONE;
      const [key, count] = this.entries[this.at++];
      this.key = key;
      this.left = sizeOf(count);
    }
    this.left--;
    return this.key;
  }
}

const MOST_COMMON = signature("Counter.most_common", "n", 0, 1);
const none = (name: string) => signature(`Counter.${name}`, "", 0, 1);

const METHODS: ReadonlyMap<string, Method> = new Map<string, Method>([
  ...DICT_METHODS,
  [
    "most_common",
    (self: Counter, args, kwargs) => {
      const [n] = bindPython(MOST_COMMON, args, kwargs);
      if (n === undefined || n === null) return new PyList(mostCommon(self));
      // As `heapq.nlargest`: one is the greatest, whatever type says one; of all there are a slice is taken, of fewer a range is made.
      if (equal(n, 1)) return new PyList(greatest(self));
      const whole = compare(">=", n, self.size);
      const most = whole ? Number.POSITIVE_INFINITY : sizeOf(n);
      const pairs = most <= 0 ? [] : mostCommon(self);
      if (whole && intOf(n) === undefined) raise("TypeError", "slice indices must be integers or None or have an __index__ method");
      return new PyList(pairs.slice(0, most));
    },
  ],
  [
    "elements",
    (self: Counter, args, kwargs) => {
      bindPython(none("elements"), args, kwargs);
      return new Elements(self.entries());
    },
  ],
  [
    "total",
    (self: Counter, args, kwargs) => {
      bindPython(none("total"), args, kwargs);
      spendOps(self.size);
      return self.values().reduce((total, count) => add(total, count), 0 as Value);
    },
  ],
  [
    "update",
    (self: Counter, args, kwargs) => {
      return tallyCall("update", self, args, kwargs, 1, null);
    },
  ],
  [
    "subtract",
    (self: Counter, args, kwargs) => {
      return tallyCall("subtract", self, args, kwargs, -1, null);
    },
  ],
  [
    "copy",
    (self: Counter, args, kwargs) => {
      bindPython(none("copy"), args, kwargs);
      return self.copy();
    },
  ],
  [
    "pop",
    (self: Counter, args, kwargs) => {
      positional("dict.pop", args, kwargs, 1, 2);
      // An empty dict does not hash the key.
      const count = self.size === 0 ? undefined : self.remove(args[0]);
      if (count !== undefined) return count;
      return args.length > 1 ? args[1] : keyError(args[0]);
    },
  ],
  ["fromkeys", (_self, args, kwargs) => noFromKeys(args, kwargs)],
]);
const TABLES: TypeTables = { methods: METHODS, properties: new Map() };

const FROM_KEYS = signature("Counter.fromkeys", "iterable v", 1, 1);
function noFromKeys(args: readonly Value[], kwargs: Kwargs): never {
  bindPython(FROM_KEYS, args, kwargs);
  raise("NotImplementedError", "Counter.fromkeys() is undefined.  Use Counter(iterable) instead.");
}

export const COUNTER = new ServedType(
  "collections.Counter",
  (v) => v instanceof Counter,
  (args, kwargs) => {
    const c = new Counter();
    return tallyCall("__init__", c, args, kwargs, 1, c);
  },
  DICT_TYPE,
  { fromkeys: noFromKeys },
  METHODS,
);
