/** The module `functools`: reduce, partial, cmp_to_key. */
import { bindArgs, type Kwargs, parameters, positional } from "../value/arguments";
import type { Method } from "../value/attribute";
import { callValue, ended, startValue } from "../value/call";
import { dictOf } from "../value/dict";
import { raise } from "../value/exception";
import { HASHED_BYTES, making, spendOps } from "../value/meter";
import { begin, Pending, Task, type Work } from "../value/pending";
import { equal } from "../value/protocol-equal";
import { isIterable, iterate } from "../value/protocol-iterate";
import { compare, type OrderOp } from "../value/protocol-order";
import { repr } from "../value/protocol-text";
import { DONE, PAUSED, PyFunction, type PyIterator, PyNative, PyTuple, type Value } from "../value/value";
import { functionMember } from "./member";
import { ServedType } from "./type";

function reduce(args: readonly Value[], kwargs: Kwargs): Value | Task {
  if (kwargs !== null && kwargs.size > 0) raise("TypeError", "reduce() takes no keyword arguments");
  positional("reduce", args, null, 2, 3);
  const [f, v] = args;
  if (!isIterable(v)) raise("TypeError", "reduce() arg 2 must support iteration");
  return new Task(reducing(f, iterate(v), args.length > 2 ? args[2] : undefined));
}
function* reducing(f: Value, it: PyIterator, initial: Value | undefined): Work<Value> {
  let total = initial;
  for (;;) {
    let e = it.poll();
    while (e === PAUSED) {
      yield;
      e = it.poll();
    }
    if (e === DONE) break;
    spendOps(1);
    if (total === undefined) total = e;
    else {
      const made = startValue(f, [total, e]);
      total = made instanceof Pending ? yield* ended(made) : made;
    }
  }
  if (total === undefined) raise("TypeError", "reduce() of empty iterable with no initial value");
  return total;
}

/** A function with its first arguments given; one of a partial joins the two. */
class Partial extends PyFunction {
  readonly typeName = "functools.partial";
  readonly name = "partial";
  constructor(
    readonly f: PyFunction,
    readonly args: readonly Value[],
    readonly kwargs: ReadonlyMap<string, Value>,
  ) {
    super();
    making(HASHED_BYTES);
  }
  override call(args: readonly Value[], kwargs: Kwargs): Value {
    return this.f.call([...this.args, ...args], this.named(kwargs));
  }
  override start(args: readonly Value[], kwargs: Kwargs): Value | Pending {
    return this.f.start([...this.args, ...args], this.named(kwargs));
  }
  private named(kwargs: Kwargs): Kwargs {
    const named = new Map([...this.kwargs, ...(kwargs ?? [])]);
    return named.size > 0 ? named : null;
  }
  override attribute(name: string): Value | undefined {
    if (name === "func") return this.f;
    if (name === "args") return new PyTuple(this.args);
    return name === "keywords" ? dictOf([...this.kwargs]) : undefined;
  }
  override ownRepr(): string {
    const named = [...this.kwargs].map(([name, v]) => `${name}=${repr(v)}`);
    return `functools.partial(${[this.f, ...this.args].map(repr).concat(named).join(", ")})`;
  }
}

const partial = new ServedType(
  "functools.partial",
  (v) => v instanceof Partial,
  (args, kwargs) => {
    const [f, ...rest] = args;
    if (f === undefined) raise("TypeError", "type 'partial' takes at least one argument");
    if (!(f instanceof PyFunction)) raise("TypeError", "the first argument must be callable");
    if (f instanceof Partial) return new Partial(f.f, [...f.args, ...rest], new Map([...f.kwargs, ...(kwargs ?? [])]));
    return new Partial(f, rest, new Map(kwargs ?? []));
  },
);

const NO_METHODS: ReadonlyMap<string, Method> = new Map();
const ORDER: ReadonlySet<string> = new Set(["<", "<=", ">", ">="]);

/** What `cmp_to_key` makes of an element: ordered as the comparison function says. */
class ComparedKey extends PyNative {
  readonly typeName = "functools.KeyWrapper";
  readonly methods = NO_METHODS;
  constructor(
    private readonly f: Value,
    readonly v: Value,
  ) {
    super();
  }
  repr(): string {
    return "<functools.KeyWrapper object>";
  }
  override attribute(name: string): Value | undefined {
    return name === "obj" ? this.v : undefined;
  }
  override hashKey(): undefined {
    return undefined;
  }
  private against(other: Value): Value {
    return callValue(this.f, this.pair(other));
  }
  private pair(other: Value): Value[] {
    if (!(other instanceof ComparedKey)) raise("TypeError", "other argument must be K instance");
    return [this.v, other.v];
  }
  override startLess(other: Value): Value | Pending {
    const order = startValue(this.f, this.pair(other));
    return order instanceof Pending ? begin(new Task(isLess(order))) : compare("<", order, 0);
  }
  override equals(other: Value): boolean {
    return this === other || equal(this.against(other), 0);
  }
  /** Where this stands on the right the operator comes mirrored already. */
  override binary(op: string, other: Value): Value | undefined {
    return ORDER.has(op) ? compare(op as OrderOp, this.against(other), 0) : undefined;
  }
}

function* isLess(order: Pending): Work<Value> {
  return compare("<", yield* ended(order), 0);
}

class KeyMaker extends PyFunction {
  readonly typeName = "functools.KeyWrapper";
  readonly name = "KeyWrapper";
  constructor(private readonly f: Value) {
    super();
  }
  override call(args: readonly Value[], kwargs: Kwargs): Value {
    const [v] = bindArgs(KEY, args, kwargs);
    return new ComparedKey(this.f, v as Value);
  }
  override ownRepr(): string {
    return "<functools.KeyWrapper object>";
  }
}
const KEY = parameters("K", "obj", 1);

export const FUNCTOOLS: ReadonlyMap<string, Value> = new Map<string, Value>([
  functionMember("cmp_to_key", (args, kwargs) => {
    const total = args.length + (kwargs?.size ?? 0);
    if (total > 1) raise("TypeError", `cmp_to_key() takes at most 1 argument (${total} given)`);
    const [f] = bindArgs(parameters("cmp_to_key", "mycmp", 1), args, kwargs);
    return new KeyMaker(f as Value);
  }),
  ["partial", partial],
  functionMember("reduce", reduce),
]);
