/**
 * `collections.deque`: a list open at both ends, with an optional bound.
 *
 * The elements are `cells` from `head` on; the room before `head` takes what is put in front, so that both ends are
 * cheap. A running iterator raises as soon as the length changed.
 */
import { Bytes } from "../../datum";
import { bindArgs, noArgs, oneArg, parameters } from "../value/arguments";
import type { Method } from "../value/attribute";
import { raise } from "../value/exception";
import { clippedOf, intOf, sizeOf } from "../value/index-of";
import { checkGrowth, checkItems, spendOps, spendSteps } from "../value/meter";
import { settle, type Task } from "../value/pending";
import { equal } from "../value/protocol-equal";
import { same } from "../value/protocol-iterate";
import { compare, type OrderOp } from "../value/protocol-order";
import { repr } from "../value/protocol-text";
import { typeName } from "../value/protocol-type";
import { DONE, PyIterator, PyList, PyNative, PyTuple, type PyType, type Value } from "../value/value";
import { walk } from "../value/walk";
import { ServedType } from "./type";

export class Deque extends PyNative {
  readonly typeName = "collections.deque";
  readonly methods = METHODS;
  private cells: Value[] = [];
  private head = 0;
  /** Told by every change of length. */
  changes = 0;
  private showing = false;
  constructor(readonly maxlen: number | null) {
    super();
  }
  override get pyType(): PyType {
    return DEQUE;
  }
  override get isUnchanging(): boolean {
    return false;
  }
  get size(): number {
    return this.cells.length - this.head;
  }
  get values(): Value[] {
    return this.head === 0 ? this.cells : this.cells.slice(this.head);
  }
  override get sequence(): readonly Value[] {
    return this.values;
  }
  at(i: number): Value {
    return this.cells[this.head + i];
  }
  put(i: number, v: Value): void {
    this.cells[this.head + i] = v;
  }
  replace(values: Value[]): void {
    this.cells = values;
    this.head = 0;
    this.changes++;
  }
  append(v: Value): void {
    this.cells.push(v);
    this.changes++;
    if ((this.cells.length & 0xffff) === 0) checkGrowth(this.size, 0x10000);
    if (this.maxlen !== null && this.size > this.maxlen) this.popLeft();
  }
  appendLeft(v: Value): void {
    if (this.head === 0) {
      const room = Math.max(16, this.cells.length);
      checkItems(this.cells.length);
      this.cells = new Array<Value>(room).fill(null).concat(this.cells);
      this.head = room;
    }
    this.cells[--this.head] = v;
    this.changes++;
    if (this.maxlen !== null && this.size > this.maxlen) this.pop();
  }
  pop(): Value {
    if (this.size === 0) raise("IndexError", "pop from an empty deque");
    this.changes++;
    return this.cells.pop() as Value;
  }
  popLeft(): Value {
    if (this.size === 0) raise("IndexError", "pop from an empty deque");
    this.changes++;
    const v = this.cells[this.head];
    this.cells[this.head++] = null;
    // The room in front is given back once it is half of all.
    if (this.head > 32 && this.head * 2 > this.cells.length) {
      this.cells = this.cells.slice(this.head);
      this.head = 0;
    }
    return v;
  }
  /** Gives `result`. */
  extend(source: Value, left: boolean, result: Value): Value | Task {
    return walk(
      source === this ? new PyTuple(this.values.slice()) : source,
      (v) => {
        spendOps(1);
        left ? this.appendLeft(v) : this.append(v);
      },
      () => result,
    );
  }
  copy(): Deque {
    const out = new Deque(this.maxlen);
    out.replace(this.values.slice());
    return out;
  }

  repr(spell: (v: Value) => string): string {
    if (this.showing) return "[...]";
    this.showing = true;
    try {
      return `deque(${spell(new PyList(this.values))}${this.maxlen === null ? "" : `, maxlen=${this.maxlen}`})`;
    } finally {
      this.showing = false;
    }
  }
  override attribute(name: string): Value | undefined {
    return name === "maxlen" ? this.maxlen : undefined;
  }
  override hashKey(): undefined {
    return undefined;
  }
  override equals(other: Value): boolean {
    if (!(other instanceof Deque)) return false;
    return this === other || (this.size === other.size && equal(new PyList(this.values), new PyList(other.values)));
  }
  override iterate(): PyIterator {
    return new DequeIterator(this, false);
  }
  override reversed(): PyIterator {
    return new DequeIterator(this, true);
  }
  override length(): number {
    return this.size;
  }
  override contains(item: Value): boolean {
    spendSteps(this.size);
    const before = this.changes;
    for (let i = 0; i < this.size; i++) {
      if (same(this.at(i), item)) return true;
      if (this.changes !== before) raise("RuntimeError", "deque mutated during iteration");
    }
    return false;
  }
  private position(key: Value): number {
    if (typeof key !== "number" && typeof key !== "bigint" && typeof key !== "boolean")
      raise("TypeError", `sequence index must be integer, not '${typeName(key)}'`);
    const i = sizeOf(key, "IndexError");
    const at = i < 0 ? i + this.size : i;
    if (at < 0 || at >= this.size) raise("IndexError", "deque index out of range");
    return at;
  }
  override getItem(key: Value): Value {
    return this.at(this.position(key));
  }
  override setItem(key: Value, v: Value): void {
    this.put(this.position(key), v);
  }
  override delItem(key: Value): void {
    const at = this.position(key);
    this.replace(this.values.filter((_, i) => i !== at));
  }
  override binary(op: string, other: Value, reflected: boolean): Value | undefined {
    if (op === "+=" && !reflected) {
      settle(this.extend(other, false, null));
      return this;
    }
    if (op === "*" || op === "*=") {
      if (typeof other !== "number" && typeof other !== "bigint" && typeof other !== "boolean") {
        // A sequence on the left complains itself.
        if (reflected && (typeof other === "string" || other instanceof PyList || other instanceof PyTuple || other instanceof Bytes))
          return undefined;
        raise("TypeError", `can't multiply sequence by non-int of type '${typeName(other)}'`);
      }
      return this.repeated(Math.max(0, sizeOf(other)), op === "*=");
    }
    if (op === "+" && !reflected) {
      if (!(other instanceof Deque)) raise("TypeError", `can only concatenate deque (not "${typeName(other)}") to deque`);
      const out = this.copy();
      settle(out.extend(other, false, null));
      return out;
    }
    if (["<", "<=", ">", ">="].includes(op) && other instanceof Deque)
      return compare(op as OrderOp, new PyList(this.values), new PyList(other.values));
    return undefined;
  }
  private repeated(times: number, inPlace: boolean): Deque {
    checkItems(this.size * times);
    const out = inPlace ? this : new Deque(this.maxlen);
    const once = this.values.slice();
    let all: Value[] = [];
    for (let i = 0; i < times; i++) all = all.concat(once);
    out.replace(this.maxlen === null ? all : all.slice(Math.max(0, all.length - this.maxlen)));
    return out;
  }
}

class DequeIterator extends PyIterator {
  readonly typeName: string;
  private at = 0;
  private readonly changes: number;
  constructor(
    private readonly deque: Deque,
    private readonly backwards: boolean,
  ) {
    super();
    this.typeName = backwards ? "_collections._deque_reverse_iterator" : "_collections._deque_iterator";
    this.changes = deque.changes;
  }
  next(): Value | typeof DONE {
    const { deque } = this;
    if (deque.changes !== this.changes) raise("RuntimeError", "deque mutated during iteration");
    if (this.at >= deque.size) return DONE;
    const i = this.at++;
    return deque.at(this.backwards ? deque.size - 1 - i : i);
  }
  override lengthHint(): number {
    return Math.max(0, this.deque.size - this.at);
  }
}

function rotate(d: Deque, by: number): void {
  const n = d.size;
  if (n <= 1) return;
  const k = ((by % n) + n) % n;
  if (k === 0) return;
  spendSteps(n >> 2);
  // A turn by a few moves a few; a turn by many lays the elements anew.
  if (k <= 8) for (let i = 0; i < k; i++) d.appendLeft(d.pop());
  else if (n - k <= 8) for (let i = 0; i < n - k; i++) d.append(d.popLeft());
  else {
    const values = d.values;
    d.replace(values.slice(n - k).concat(values.slice(0, n - k)));
  }
}

function index(d: Deque, args: readonly Value[]): number {
  const bound = (v: Value | undefined, absent: number): number => {
    if (v === undefined) return absent;
    if (intOf(v) === undefined) raise("TypeError", "slice indices must be integers or have an __index__ method");
    const i = clippedOf(v);
    return i < 0 ? Math.max(0, i + d.size) : i;
  };
  const start = bound(args[1], 0);
  const stop = Math.min(bound(args[2], d.size), d.size);
  spendSteps(Math.max(0, stop - start));
  for (let i = start; i < stop; i++) if (same(d.at(i), args[0])) return i;
  raise("ValueError", `${repr(args[0])} is not in deque`);
}

function insert(d: Deque, at: number, v: Value): void {
  if (d.maxlen !== null && d.size >= d.maxlen) raise("IndexError", "deque already at its maximum size");
  const values = d.values.slice();
  values.splice(at < 0 ? Math.max(0, at + values.length) : Math.min(at, values.length), 0, v);
  spendSteps(values.length >> 4);
  d.replace(values);
}

const nothing = (name: string, of: (d: Deque) => Value): [string, Method] => [
  name,
  (self: Deque, args, kwargs) => {
    noArgs(`deque.${name}`, args, kwargs);
    return of(self);
  },
];
const one = (name: string, of: (d: Deque, v: Value) => Value | Task): [string, Method] => [
  name,
  (self: Deque, args, kwargs) => of(self, oneArg(`deque.${name}`, args, kwargs)),
];
const done = (of: () => void): null => {
  of();
  return null;
};

const METHODS: ReadonlyMap<string, Method> = new Map<string, Method>([
  one("append", (d, v) => done(() => d.append(v))),
  one("appendleft", (d, v) => done(() => d.appendLeft(v))),
  nothing("clear", (d) => done(() => d.replace([]))),
  nothing("copy", (d) => d.copy()),
  one("count", (d, v) => d.values.filter((e) => same(e, v)).length),
  one("extend", (d, v) => d.extend(v, false, null)),
  one("extendleft", (d, v) => d.extend(v, true, null)),
  [
    "index",
    (self: Deque, args, kwargs) => {
      if (kwargs !== null && kwargs.size > 0) raise("TypeError", "deque.index() takes no keyword arguments");
      if (args.length < 1) raise("TypeError", "index() takes at least 1 argument (0 given)");
      if (args.length > 3) raise("TypeError", `index() takes at most 3 arguments (${args.length} given)`);
      return index(self, args);
    },
  ],
  [
    "insert",
    (self: Deque, args, kwargs) => {
      if (kwargs !== null && kwargs.size > 0) raise("TypeError", "deque.insert() takes no keyword arguments");
      if (args.length !== 2) raise("TypeError", `insert() takes exactly 2 arguments (${args.length} given)`);
      insert(self, sizeOf(args[0]), args[1]);
      return null;
    },
  ],
  nothing("pop", (d) => d.pop()),
  nothing("popleft", (d) => d.popLeft()),
  one("remove", (d, v) => {
    const at = d.values.findIndex((e) => same(e, v));
    if (at < 0) raise("ValueError", `${repr(v)} is not in deque`);
    d.replace(d.values.filter((_, i) => i !== at));
    return null;
  }),
  nothing("reverse", (d) => done(() => d.replace(d.values.slice().reverse()))),
  [
    "rotate",
    (self: Deque, args, kwargs) => {
      if (kwargs !== null && kwargs.size > 0) raise("TypeError", "deque.rotate() takes no keyword arguments");
      if (args.length > 1) raise("TypeError", `deque.rotate expected at most 1 argument, got ${args.length}`);
      rotate(self, args.length === 0 ? 1 : sizeOf(args[0]));
      return null;
    },
  ],
]);

const NEW = parameters("deque", "iterable maxlen", 0);

export const DEQUE = new ServedType(
  "collections.deque",
  (v) => v instanceof Deque,
  (args, kwargs) => {
    const given = args.length + (kwargs?.size ?? 0);
    if (given > 2) raise("TypeError", `deque() takes at most 2 arguments (${given} given)`);
    const [source, bound = null] = bindArgs(NEW, args, kwargs);
    let maxlen: number | null = null;
    if (bound !== null) {
      if (typeof bound !== "number" && typeof bound !== "bigint" && typeof bound !== "boolean")
        raise("TypeError", "an integer is required");
      maxlen = sizeOf(bound);
      if (maxlen < 0) raise("ValueError", "maxlen must be non-negative");
    }
    const deque = new Deque(maxlen);
    return source === undefined ? deque : deque.extend(source, false, deque);
  },
  null,
  {},
  METHODS,
);
