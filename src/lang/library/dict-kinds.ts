/** `collections.defaultdict` and `collections.OrderedDict`. */
import { bindArgs, type Kwargs, noArgs, parameters } from "../value/arguments";
import type { Method, Property, TypeTables } from "../value/attribute";
import type { BuiltinBody } from "../value/builtin-function";
import { callValue, ended, startValue } from "../value/call";
import { PyDict } from "../value/dict";
import { DICT_METHODS, dictUpdate, dictUpdateCall, fromKeys, keyError } from "../value/dict-methods";
import { raise } from "../value/exception";
import { isMapping } from "../value/mapping";
import { spendOps } from "../value/meter";
import { begin, Pending, settle, Task, type Work } from "../value/pending";
import { same, takeAll, truthy } from "../value/protocol-iterate";
import { repr } from "../value/protocol-text";
import { PyException, PyFunction, PyTuple, type PyType, Raised, type Value } from "../value/value";
import { walk } from "../value/walk";
import { DICT_TYPE } from "./dict-type";
import { ServedType } from "./type";

class DefaultDict extends PyDict {
  constructor(readonly factory: Value) {
    super();
  }
  override get pyType(): PyType {
    return DEFAULT_DICT;
  }
  override get tables(): TypeTables {
    return DEFAULT_TABLES;
  }
  override get typeName(): string {
    return "collections.defaultdict";
  }
  override missing(key: Value): Value | undefined {
    if (this.factory === null) return undefined;
    const v = callValue(this.factory, []);
    this.set(key, v);
    return v;
  }
  override startMissing(key: Value): Value | Pending {
    if (this.factory === null) return keyError(key);
    const v = startValue(this.factory, []);
    if (v instanceof Pending) return begin(new Task(this.filling(key, v)));
    this.set(key, v);
    return v;
  }
  private *filling(key: Value, made: Pending): Work<Value> {
    const v = yield* ended(made);
    this.set(key, v);
    return v;
  }
  override copy(): DefaultDict {
    const out = new DefaultDict(this.factory);
    out.assign(this);
    return out;
  }
  override reprAround(): readonly [string, string] {
    return [`defaultdict(${repr(this.factory)}, `, ")"];
  }
  override binary(op: string, other: Value, reflected: boolean): Value | undefined {
    if (op !== "|" || !(other instanceof PyDict)) return undefined;
    const out = new DefaultDict(this.factory);
    dictUpdate(out, reflected ? other : this);
    dictUpdate(out, reflected ? this : other);
    return out;
  }
}

/** A method of `dict` that takes nothing, as `type` has it: its complaints name that type. */
const own = (type: string, name: string): [string, Method] => [
  name,
  (self: PyDict, args, kwargs) => {
    noArgs(`${type}.${name}`, args, kwargs);
    return DICT_METHODS.get(name)!(self, [], null);
  },
];

const defaultFromKeys: BuiltinBody = (args, kwargs) => fromKeys(args, kwargs, new DefaultDict(null));
const DEFAULT_TABLES: TypeTables = {
  methods: new Map<string, Method>([
    ...DICT_METHODS,
    own("defaultdict", "copy"),
    ["fromkeys", (_self, args, kwargs) => defaultFromKeys(args, kwargs)],
  ]),
  properties: new Map<string, Property>([["default_factory", (self: DefaultDict) => self.factory]]),
};

export const DEFAULT_DICT = new ServedType(
  "collections.defaultdict",
  (v) => v instanceof DefaultDict,
  (args, kwargs) => {
    const [factory = null, ...rest] = args;
    if (factory !== null && !(factory instanceof PyFunction)) raise("TypeError", "first argument must be callable or None");
    const dict = new DefaultDict(factory);
    return dictUpdateCall(dict, "dict", rest, kwargs, dict);
  },
  DICT_TYPE,
  {
    fromkeys: defaultFromKeys,
  },
  DEFAULT_TABLES.methods,
);

class OrderedDict extends PyDict {
  override get pyType(): PyType {
    return ORDERED_DICT;
  }
  override get tables(): TypeTables {
    return ORDERED_TABLES;
  }
  override get typeName(): string {
    return "collections.OrderedDict";
  }
  override copy(): OrderedDict {
    const out = new OrderedDict();
    out.assign(this);
    return out;
  }
  override get viewWord(): "odict" {
    return "odict";
  }
  override setKeyed(canonical: unknown, key: Value, value: Value): void {
    if (!this.index.has(canonical)) this.state++;
    super.setKeyed(canonical, key, value);
  }
  override delete(key: Value): Value | undefined {
    this.state++;
    return super.delete(key);
  }
  override get pairedRepr(): boolean {
    return true;
  }
  override reprAround(): readonly [string, string] {
    return ["OrderedDict(", ")"];
  }
  /** Two ordered dicts are equal in the same order only. */
  override equalTo(other: PyDict): boolean | undefined {
    if (!(other instanceof OrderedDict)) return undefined;
    const mine = this.entries();
    const theirs = other.entries();
    return mine.length === theirs.length && mine.every(([key, v], i) => same(key, theirs[i][0]) && same(v, theirs[i][1]));
  }
  override binary(op: string, other: Value, reflected: boolean): Value | undefined {
    if (op === "|=") return settle(filled(this, [other], null, this));
    if (op !== "|" || !(other instanceof PyDict)) return undefined;
    const out = new OrderedDict();
    dictUpdate(out, reflected ? other : this);
    dictUpdate(out, reflected ? this : other);
    return out;
  }
  /** Puts the entries in this order. */
  reorder(entries: readonly [Value, Value][]): void {
    this.clear();
    for (const [key, v] of entries) this.set(key, v);
  }
}

/** One pair of an iterable, with the complaints of an unpacking. */
function addPair(dict: PyDict, e: Value): void {
  const pair = takeAll(e);
  if (pair.length > 2) raise("ValueError", "too many values to unpack (expected 2)");
  if (pair.length < 2) raise("ValueError", `need more than ${pair.length} value${pair.length === 1 ? "" : "s"} to unpack`);
  dict.set(pair[0], pair[1]);
}

/** `OrderedDict(…)`, `d.update(…)`; gives `result`. */
function filled(dict: OrderedDict, args: readonly Value[], kwargs: Kwargs, result: Value): Value | Task {
  const end = (): Value => {
    for (const [key, v] of kwargs ?? []) dict.set(key, v);
    return result;
  };
  if (args.length > 0 && !isMapping(args[0]))
    return walk(
      args[0],
      (e) => {
        spendOps(1);
        addPair(dict, e);
      },
      end,
    );
  if (args.length > 0) dictUpdate(dict, args[0]);
  return end();
}

/** The key is handed on as what the exception is made with: of None one without arguments, of a tuple one with its elements. */
function absent(key: Value): never {
  if (key instanceof PyException && key.className === "KeyError") throw new Raised(key);
  return raise("KeyError", ...(key === null ? [] : key instanceof PyTuple && key.pyType === null ? key.a : [key]));
}

const MOVE = parameters("move_to_end", "key last", 1);
const POP_ITEM = parameters("popitem", "last", 0);
const POP = parameters("pop", "key default", 1);
const SET_DEFAULT = parameters("setdefault", "key default", 1);
const FROM_KEYS = parameters("fromkeys", "iterable value", 1);

const orderedFromKeys: BuiltinBody = (args, kwargs) => {
  const [iterable, value = null] = bindArgs(FROM_KEYS, args, kwargs);
  return fromKeys([iterable as Value, value], null, new OrderedDict());
};

const ORDERED_TABLES: TypeTables = {
  methods: new Map<string, Method>([
    ...DICT_METHODS,
    ...["copy", "clear", "keys", "values", "items"].map((name) => own("OrderedDict", name)),
    [
      "update",
      (self: OrderedDict, args, kwargs) => {
        if (args.length > 1) raise("TypeError", `update() takes at most 1 positional argument (${args.length} given)`);
        return filled(self, args, kwargs, null);
      },
    ],
    ["fromkeys", (_self, args, kwargs) => orderedFromKeys(args, kwargs)],
    [
      "move_to_end",
      (self: OrderedDict, args, kwargs) => {
        const [key, last] = bindArgs(MOVE, args, kwargs);
        if (self.size === 0) return absent(key as Value);
        const entry = self.entries().find(([k]) => same(k, key as Value));
        const v = self.delete(key as Value);
        if (v === undefined || entry === undefined) return absent(key as Value);
        if (last === undefined || truthy(last)) self.set(entry[0], v);
        else self.reorder([[entry[0], v], ...self.entries()]);
        return null;
      },
    ],
    [
      "pop",
      (self: OrderedDict, args, kwargs) => {
        const [key, otherwise] = bindArgs(POP, args, kwargs);
        const value = self.delete(key as Value);
        if (value !== undefined) return value;
        return otherwise === undefined ? absent(key as Value) : otherwise;
      },
    ],
    [
      "setdefault",
      (self: OrderedDict, args, kwargs) => {
        const [key, otherwise = null] = bindArgs(SET_DEFAULT, args, kwargs);
        if (self.has(key as Value)) return self.get(key as Value) as Value;
        self.set(key as Value, otherwise);
        return otherwise;
      },
    ],
    [
      "popitem",
      (self: OrderedDict, args, kwargs) => {
        const [last] = bindArgs(POP_ITEM, args, kwargs);
        if (self.size === 0) raise("KeyError", "dictionary is empty");
        if (last === undefined || truthy(last)) return new PyTuple(self.popLast() as [Value, Value]);
        const [key] = self.keys();
        return new PyTuple([key, self.delete(key) as Value]);
      },
    ],
  ]),
  properties: new Map(),
};

export const ORDERED_DICT = new ServedType(
  "collections.OrderedDict",
  (v) => v instanceof OrderedDict,
  (args: readonly Value[], kwargs: Kwargs) => {
    if (args.length > 1) raise("TypeError", `expected at most 1 arguments, got ${args.length}`);
    const dict = new OrderedDict();
    return filled(dict, args, kwargs, dict);
  },
  DICT_TYPE,
  {
    fromkeys: orderedFromKeys,
  },
  ORDERED_TABLES.methods,
);
