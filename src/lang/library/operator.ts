/** The module `operator`: every operator as a function, and itemgetter, attrgetter, methodcaller. */
import { Bytes, Subject } from "../../datum";
import { Refusal } from "../../failure";
import type { BinaryOp } from "../syntax/ast";
import { type Kwargs, noKeywords } from "../value/arguments";
import { callMethod, getAttribute } from "../value/attribute";
import { raise } from "../value/exception";
import { indexOf } from "../value/index-of";
import { spendOps } from "../value/meter";
import type { Task } from "../value/pending";
import { absolute, binary, inplace, invert, neg, pos } from "../value/protocol-arith";
import { equal, identical } from "../value/protocol-equal";
import { delItem, getItem, setItem } from "../value/protocol-item";
import { contains, isIterable, same, truthy } from "../value/protocol-iterate";
import { compare, type OrderOp } from "../value/protocol-order";
import { repr } from "../value/protocol-text";
import { typeName } from "../value/protocol-type";
import { PyFunction, PyList, PyTuple, type Value } from "../value/value";
import { walk } from "../value/walk";
import { type Member, positionalMember, unaryMember } from "./member";
import { ServedType } from "./type";

const BINARY: readonly (readonly [name: string, op: BinaryOp])[] = [
  ["add", "+"],
  ["sub", "-"],
  ["mul", "*"],
  ["truediv", "/"],
  ["floordiv", "//"],
  ["mod", "%"],
  ["pow", "**"],
  ["lshift", "<<"],
  ["rshift", ">>"],
  ["and_", "&"],
  ["or_", "|"],
  ["xor", "^"],
];
const ORDER: readonly (readonly [name: string, op: OrderOp])[] = [
  ["lt", "<"],
  ["le", "<="],
  ["gt", ">"],
  ["ge", ">="],
];

const unary = (name: string, of: (v: Value) => Value): Member => unaryMember(`_operator.${name}`, of);
const some = (name: string, count: number, of: (...args: Value[]) => Value | Task): Member =>
  positionalMember(`_operator.${name}`, count, count, (args) => of(...args));

function isSequence(v: Value): boolean {
  return typeof v === "string" || v instanceof PyList || v instanceof PyTuple || v instanceof Bytes;
}
function concat(a: Value, b: Value, join: (op: BinaryOp, a: Value, b: Value) => Value): Value {
  if (!isSequence(a)) raise("TypeError", `'${typeName(a)}' object can't be concatenated`);
  return join("+", a, b);
}

function elements(v: Value, each: (e: Value) => boolean, end: () => Value): Value | Task {
  if (!isIterable(v)) raise("TypeError", `argument of type '${typeName(v)}' is not iterable`);
  return walk(
    v,
    (e) => {
      spendOps(1);
      return each(e);
    },
    end,
  );
}
function countOf(v: Value, item: Value): Value | Task {
  let n = 0;
  const each = (e: Value): boolean => {
    if (same(e, item)) n++;
    return false;
  };
  return elements(v, each, () => n);
}
function indexIn(v: Value, item: Value): Value | Task {
  let n = 0;
  let found = false;
  const each = (e: Value): boolean => {
    found = same(e, item);
    if (!found) n++;
    return found;
  };
  return elements(v, each, () => (found ? n : raise("ValueError", "sequence.index(x): x not in sequence")));
}

/** What the three getters share: one argument when called, and a repr that shows how they were made. */
abstract class Getter extends PyFunction {
  abstract readonly shown: string;
  get name(): string {
    return this.typeName.slice("operator.".length);
  }
  override ownRepr(): string {
    return `${this.typeName}(${this.shown})`;
  }
  protected abstract of(v: Value): Value;
  override call(args: readonly Value[], kwargs: Kwargs): Value {
    noKeywords(this.name, kwargs);
    if (args.length !== 1) raise("TypeError", `${this.name} expected 1 argument, got ${args.length}`);
    return this.of(args[0]);
  }
}

class ItemGetter extends Getter {
  readonly typeName = "operator.itemgetter";
  constructor(private readonly items: readonly Value[]) {
    super();
  }
  get shown(): string {
    return this.items.map(repr).join(", ");
  }
  protected of(v: Value): Value {
    return this.items.length === 1 ? getItem(v, this.items[0]) : new PyTuple(this.items.map((item) => getItem(v, item)));
  }
}

class AttrGetter extends Getter {
  readonly typeName = "operator.attrgetter";
  constructor(private readonly names: readonly string[]) {
    super();
  }
  get shown(): string {
    return this.names.map(repr).join(", ");
  }
  protected of(v: Value): Value {
    const read = (path: string): Value => path.split(".").reduce(attribute, v);
    return this.names.length === 1 ? read(this.names[0]) : new PyTuple(this.names.map(read));
  }
}
/** An attribute of a subject is a read of the store, which only the program's own text can ask for. */
function attribute(v: Value, name: string): Value {
  if (v instanceof Subject)
    throw new Refusal(
      "out_of_surface",
      `attrgetter cannot read a field of a subject: write \`lambda s: s.${name}\` or \`value(s.${name})\``,
    );
  return getAttribute(v, name);
}

class MethodCaller extends Getter {
  readonly typeName = "operator.methodcaller";
  constructor(
    private readonly method: string,
    private readonly args: readonly Value[],
    private readonly kwargs: Kwargs,
  ) {
    super();
  }
  get shown(): string {
    const named = [...(this.kwargs ?? [])].map(([name, v]) => `${name}=${repr(v)}`);
    return [this.method, ...this.args].map(repr).concat(named).join(", ");
  }
  protected of(v: Value): Value {
    return callMethod(v, this.method, this.args, this.kwargs);
  }
}

const itemgetter = new ServedType(
  "operator.itemgetter",
  (v) => v instanceof ItemGetter,
  (args, kwargs) => {
    noKeywords("itemgetter", kwargs);
    if (args.length === 0) raise("TypeError", "itemgetter expected 1 argument, got 0");
    return new ItemGetter(args);
  },
);
const attrgetter = new ServedType(
  "operator.attrgetter",
  (v) => v instanceof AttrGetter,
  (args, kwargs) => {
    noKeywords("attrgetter", kwargs);
    if (args.length === 0) raise("TypeError", "attrgetter expected 1 argument, got 0");
    for (const name of args) if (typeof name !== "string") raise("TypeError", "attribute name must be a string");
    return new AttrGetter(args as readonly string[]);
  },
);
const methodcaller = new ServedType(
  "operator.methodcaller",
  (v) => v instanceof MethodCaller,
  (args, kwargs) => {
    if (args.length === 0) raise("TypeError", "methodcaller needs at least one argument, the method name");
    const [name, ...rest] = args;
    if (typeof name !== "string") raise("TypeError", "method name must be a string");
    return new MethodCaller(name, rest, kwargs);
  },
);

export const OPERATOR: ReadonlyMap<string, Value> = new Map<string, Value>([
  ...BINARY.map(([name, op]) => some(name, 2, (a, b) => binary(op, a, b))),
  ...BINARY.map(([name, op]) => some(`i${name.replace("_", "")}`, 2, (a, b) => inplace(op, a, b))),
  ...ORDER.map(([name, op]) => some(name, 2, (a, b) => compare(op, a, b))),
  some("eq", 2, equal),
  some("ne", 2, (a, b) => !equal(a, b)),
  some("is_", 2, identical),
  some("is_not", 2, (a, b) => !identical(a, b)),
  unary("neg", neg),
  unary("pos", pos),
  unary("invert", invert),
  unary("inv", invert),
  unary("abs", absolute),
  unary("index", indexOf),
  unary("not_", (v) => !truthy(v)),
  unary("truth", truthy),
  some("contains", 2, contains),
  some("getitem", 2, getItem),
  some("setitem", 3, (o, k, v) => {
    setItem(o, k, v);
    return null;
  }),
  some("delitem", 2, (o, k) => {
    delItem(o, k);
    return null;
  }),
  some("concat", 2, (a, b) => concat(a, b, binary)),
  some("iconcat", 2, (a, b) => concat(a, b, inplace)),
  some("countOf", 2, countOf),
  some("indexOf", 2, indexIn),
  ["itemgetter", itemgetter],
  ["attrgetter", attrgetter],
  ["methodcaller", methodcaller],
]);
