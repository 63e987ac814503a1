/**
 * The run-time values of DKE Python: what a slot of a frame, an element of a list or an argument can be.
 *
 * Scalars are the datums of `src/datum.ts`; the mutable and the transient values are the classes here.
 * A bare JavaScript number is an int, a float is `Float`. This file is data only: what the values *do*
 * lives in one file a type beside it, and the protocols (equality, order, hash, repr, iteration, truth,
 * arithmetic) in `protocol-*.ts`.
 */
import type { Bytes, Complex, Datetime, Duration, Float, Subject } from "../../datum";
import type { RefuseReason } from "../../failure";
import type { Method, TypeTables } from "./attribute";
import type { PyDict, PyDictView } from "./dict";
import { type Pending, unsuspended } from "./pending";
import type { PyFrozenSet, PySet } from "./set";

export type Value =
  | null
  | boolean
  | number
  | bigint
  | string
  | Float
  | Complex
  | Bytes
  | Datetime
  | Duration
  | Subject
  | PyList
  | PyTuple
  | PyDict
  | PySet
  | PyFrozenSet
  | PyRange
  | PySlice
  | PyIterator
  | PyFunction
  | PyType
  | PyModule
  | PyException
  | PyOpaque
  | PyEllipsis
  | PyDictView
  | PyNative;

export class PyList {
  constructor(public a: Value[]) {}
}
/** A list of names that a read gave: a list in every way, under a word of its own in a transcript. */
export class PyStringList extends PyList {}
export class PyTuple {
  constructor(readonly a: readonly Value[]) {}
  /** `type(v)` of a subclass in a served module; null for the builtin type. */
  get pyType(): PyType | null {
    return null;
  }
  /** Methods and attributes of a subclass in a served module (its own and the inherited); null for the builtin type's. */
  get tables(): TypeTables | null {
    return null;
  }
  /** CPython's name of the type; a named tuple has its own. */
  get typeName(): string {
    return "tuple";
  }
  /** `repr` of a named tuple: `Point(x=1, y=2)`. Plain tuples print in protocol-text.ts. */
  namedRepr(repr: (v: Value) => string): string {
    return `${this.typeName}(${this.a.map(repr).join(", ")})`;
  }
}
/** `range`: start, stop, step are ints of any size; `length` is exact. */
export class PyRange {
  constructor(
    readonly start: number | bigint,
    readonly stop: number | bigint,
    readonly step: number | bigint,
    readonly length: number | bigint,
  ) {}
}
export class PySlice {
  constructor(
    readonly start: Value,
    readonly stop: Value,
    readonly step: Value,
  ) {}
}
export class PyEllipsis {}
export const ELLIPSIS = new PyEllipsis();

/**
 * An iterator. `next` gives the following value or `DONE`, for ever `DONE` once exhausted, as CPython's; so does `poll`,
 * which may also say `PAUSED`: the slice is used up, the next `poll` goes on (`pending.ts`).
 * `typeName` is CPython's (`list_iterator`, `zip`, `map`, `generator` …) for `type(x)` and messages.
 */
export abstract class PyIterator {
  abstract readonly typeName: string;
  abstract next(): Value | typeof DONE;
  poll(): Value | typeof DONE | typeof PAUSED {
    return this.next();
  }
  /** The StopIteration of the program's own that made the last `DONE`, once; null where the iterator ended by itself. */
  takeStop(): PyException | null {
    return null;
  }
  repr(): string {
    return `<${this.typeName} object>`;
  }
  /** `__length_hint__`, or -1 where unknown: lets a limit refuse before memory is spent. */
  lengthHint(): number {
    return -1;
  }
}
export const DONE: unique symbol = Symbol("exhausted");
export const PAUSED: unique symbol = Symbol("paused");

/** An iterator that may run code of the program for an element: `poll` is its own, `next` runs that to the end. */
export abstract class LazyIterator extends PyIterator {
  override next(): Value | typeof DONE {
    return unsuspended(() => this.poll() as Value | typeof DONE);
  }
  abstract override poll(): Value | typeof DONE | typeof PAUSED;
}

/**
 * Something callable: a builtin, a bound method, a `def` or a lambda. The machine runs its own functions
 * (`machine/function.ts` extends this) and calls `call` for the rest.
 */
export abstract class PyFunction {
  /** `__name__`. */
  abstract readonly name: string;
  /** `__qualname__`. */
  get qualname(): string {
    return this.name;
  }
  /** `type(x).__name__`: `function`, `builtin_function_or_method`, `method` … */
  abstract readonly typeName: string;
  /** Runs to the end, without suspending. */
  abstract call(args: readonly Value[], kwargs: ReadonlyMap<string, Value> | null): Value;
  /** The same in slices, where it may run code of the program. */
  start(args: readonly Value[], kwargs: ReadonlyMap<string, Value> | null): Value | Pending {
    return this.call(args, kwargs);
  }
  /**
   * Calls with one argument each, from `values[given.length]` on: pushes onto `given` what they give, as far as that is quicker than
   * call by call. Gives the call that is left half way, or null.
   */
  startEach(_values: readonly Value[], _given: Value[]): Pending | null {
    return null;
  }
  /** An attribute beside `__name__` (a type's methods, a partial's `func`), or undefined. */
  attribute(_name: string): Value | undefined {
    return undefined;
  }
  /** `repr` where it is not the usual one of its class (`operator.itemgetter(1)`), else null. */
  ownRepr(): string | null {
    return null;
  }
}

/** A builtin type as a value: `int`, `str`, `ValueError` … `call` builds an instance. Identity is the object. */
export abstract class PyType extends PyFunction {
  override readonly typeName = "type";
  /** Whether `v` is an instance: `isinstance(v, self)` and class patterns. */
  abstract isInstance(v: Value): boolean;
  /** `issubclass(self, other)`. */
  isSubtypeOf(other: PyType): boolean {
    return this === other;
  }
  /** `__match_args__`: the attributes that the positional patterns of `case T(…)` are of. */
  get matchArgs(): readonly string[] | null {
    return null;
  }
  /** Whether CPython's has an attribute of that name that is not served here. */
  hides(_name: string): boolean {
    return false;
  }
}

/** A served module (`math`) or a stored one (`inventory`), as bound by `import`. */
export class PyModule {
  constructor(
    readonly name: string,
    readonly members: ReadonlyMap<string, Value>,
  ) {}
  /** Undefined where it has none of that name. */
  member(name: string): Value | undefined {
    return this.members.get(name);
  }
}

/** An instance of an exception class. `className` decides what catches it (`value/exception.ts` holds the hierarchy). */
export class PyException {
  /** Set by `raise … from`; printed nowhere, kept because programs can read it. */
  cause: PyException | null = null;
  context: PyException | null = null;
  suppressContext = false;
  /** What `add_note` added; null where nothing was. */
  notes: PyList | null = null;
  constructor(
    readonly className: string,
    readonly args: readonly Value[],
    /** For refusals: `e.reason`, `e.hint` (rulings, "What a refusal carries"). */
    readonly reason: RefuseReason | null = null,
    readonly hint: string | null = null,
    /** Data attributes of the classes that served modules raise (`JSONDecodeError.pos`). */
    readonly attributes: ReadonlyMap<string, Value> | null = null,
  ) {}
}

/** How a Python exception travels through JavaScript. Thrown by every operation that raises. */
export class Raised extends Error {
  /** Set by a call the exception has left: what a builtin does first that takes it for an answer and goes on. */
  taken: (() => void) | null = null;
  constructor(readonly exception: PyException) {
    super("python exception");
  }
}

/**
 * A value of the store that the language only passes around: a claim, a proof tree. It brings its own
 * behaviour, so that value/ knows nothing of the store.
 */
export abstract class PyOpaque {
  /** The transcript's type word: `claim`, `proof_tree`. */
  abstract readonly typeName: string;
  abstract repr(): string;
  /** As `repr`, with each value it holds spelled by `text`: the transcript shortens those that are too long. */
  spelled(_text: (held: Value) => string): string {
    return this.repr();
  }
  /** `repr` gives a text, and does not refuse for its length. */
  get isShort(): boolean {
    return true;
  }
  /** Attribute, or undefined where it has none. */
  abstract attribute(name: string): Value | undefined;
  abstract equals(other: Value): boolean;
  abstract hashKey(): string;
}

/**
 * A value of a served module (a deque, a compiled pattern …): it brings its methods and whichever protocols it has.
 * A protocol left undefined is one the type does not have, and the operation raises CPython's TypeError.
 */
export abstract class PyNative {
  abstract readonly typeName: string;
  /** `type(v)` where the module has the type as a value. */
  get pyType(): PyType | null {
    return null;
  }
  abstract readonly methods: ReadonlyMap<string, Method>;
  /** `spell`: of a value it holds, which may be one that is being spelled already. */
  abstract repr(spell: (v: Value) => string): string;
  /** The transcript's word for the type. */
  get typeWord(): string {
    return this.typeName.slice(this.typeName.lastIndexOf(".") + 1);
  }
  /** The values it is spelled with, where it may hold any. */
  get spelled(): readonly Value[] | null {
    return this.sequence;
  }
  /** The int it is, of a type that is a kind of int. */
  asInt?(): number;
  /** Whether `repr` gives the same whenever it is asked. */
  get isUnchanging(): boolean {
    return true;
  }
  /** The elements where it is a sequence to `match`, else null. */
  get sequence(): readonly Value[] | null {
    return null;
  }
  /** A data attribute, or undefined where there is none of that name. */
  attribute(_name: string): Value | undefined {
    return undefined;
  }
  equals(other: Value): boolean {
    return this === other;
  }
  /** Undefined where unhashable. */
  hashKey(): unknown {
    return this;
  }
  iterate?(): PyIterator;
  reversed?(): PyIterator;
  length?(): number;
  contains?(item: Value): boolean;
  getItem?(key: Value): Value;
  setItem?(key: Value, value: Value): void;
  delItem?(key: Value): void;
  /** The pairs of a mapping, as `dict(v)` takes them: each key asked for in turn. */
  asDict?(): PyDict;
  /** `self < other` as true or false, where a function of the program decides it. */
  startLess?(other: Value): Value | Pending;
  /** `self op other` (or reflected), undefined where not implemented. */
  binary?(op: string, other: Value, reflected: boolean): Value | undefined;
  /** `~v` */
  invert?(): Value;
  /** `bool(v)`, where its length does not tell. */
  truth?(): boolean;
}
