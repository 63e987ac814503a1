/** `keys()`, `values()`, `items()` of a mapping that is no dict: what `collections.abc` makes for it. They are live. */
import { Refusal } from "../../failure";
import type { Method } from "../value/attribute";
import { PyDictView } from "../value/dict";
import { lookUp } from "../value/mapping";
import { spendSteps } from "../value/meter";
import { contains, isIterable, iterate, length, same, unpacked } from "../value/protocol-iterate";
import { isSet, PySet } from "../value/set";
import { DONE, PyIterator, PyNative, PyTuple, type PyType, type Value } from "../value/value";
import { bindPython, signature } from "./python-call";
import { LibraryType } from "./type";

/** What the views are views of. */
export interface ViewedMapping {
  iterate(): PyIterator;
  getItem(key: Value): Value;
  contains(key: Value): boolean;
  length(): number;
}

const NAMES = { keys: "KeysView", values: "ValuesView", items: "ItemsView" } as const;

export class MappingView extends PyNative {
  readonly typeName: string;
  readonly methods: ReadonlyMap<string, Method>;
  constructor(
    private readonly mapping: PyNative & ViewedMapping,
    readonly kind: keyof typeof NAMES,
  ) {
    super();
    this.typeName = NAMES[kind];
    this.methods = kind === "values" ? NO_METHODS : SET_METHODS;
  }
  override get pyType(): PyType {
    return TYPES[this.kind];
  }
  override get isUnchanging(): boolean {
    return false;
  }
  repr(spell: (v: Value) => string): string {
    return `${this.typeName}(${spell(this.mapping)})`;
  }
  override get spelled(): readonly Value[] {
    return [this.mapping];
  }
  override length(): number {
    return this.mapping.length();
  }
  override iterate(): PyIterator {
    return new ViewIterator(this.mapping, this.kind);
  }
  override contains(item: Value): boolean {
    switch (this.kind) {
      case "keys":
        return this.mapping.contains(item);
      case "items":
        return this.hasPair(item);
      case "values":
        return some(this, (v) => same(v, item));
    }
  }
  private hasPair(item: Value): boolean {
    const [key, value] = unpacked(item, 2) as [Value, Value];
    const there = lookUp(this.mapping, key);
    return there !== undefined && same(there, value);
  }
  override hashKey(): unknown {
    return this.kind === "values" ? this : undefined;
  }
  override equals(other: Value): boolean {
    if (this === other) return true;
    return this.kind !== "values" && isSetLike(other) && length(this) === length(other) && isWithin(this, other);
  }
  override binary(op: string, other: Value, reflected: boolean): Value | undefined {
    if (this.kind === "values") return undefined;
    switch (op) {
      case "<":
      case "<=":
      case ">":
      case ">=":
        return !isSetLike(other) ? undefined : ordered(op, this, other);
      case "&":
      case "|":
      case "-":
      case "^":
        // The view of a dict has operators of its own, and they come first.
        return !isIterable(other) || (reflected && other instanceof PyDictView) ? undefined : combined(op, this, other, reflected);
    }
    return undefined;
  }
}

class ViewIterator extends PyIterator {
  readonly typeName = "generator";
  private keys: PyIterator | null = null;
  constructor(
    private readonly mapping: ViewedMapping,
    private readonly kind: keyof typeof NAMES,
  ) {
    super();
  }
  next(): Value | typeof DONE {
    this.keys ??= this.mapping.iterate();
    const key = this.keys.next();
    if (key === DONE || this.kind === "keys") return key;
    const value = this.mapping.getItem(key);
    return this.kind === "values" ? value : new PyTuple([key, value]);
  }
}

function some(v: Value, holds: (e: Value) => boolean): boolean {
  const it = iterate(v);
  for (let e = it.next(); e !== DONE; e = it.next()) {
    spendSteps(1);
    if (holds(e)) return true;
  }
  return false;
}
function setOf(v: Value, keep: (e: Value) => boolean, into = new PySet()): PySet {
  some(v, (e) => {
    if (keep(e)) into.add(e);
    return false;
  });
  return into;
}
/** What `collections.abc.Set` takes for one of its kind. */
function isSetLike(v: Value): boolean {
  return isSet(v) || ((v instanceof PyDictView || v instanceof MappingView) && v.kind !== "values");
}
const isWithin = (a: Value, b: Value): boolean => !some(a, (e) => !contains(b, e));

function ordered(op: "<" | "<=" | ">" | ">=", a: Value, b: Value): boolean {
  if (op === ">" || op === ">=") return ordered(op === ">" ? "<" : "<=", b, a);
  return (op === "<" ? length(a) < length(b) : length(a) <= length(b)) && isWithin(a, b);
}

function combined(op: "&" | "|" | "-" | "^", self: MappingView, other: Value, reflected: boolean): PySet {
  const all = () => true;
  if (op === "&") return setOf(other, (e) => contains(self, e));
  if (op === "|") return setOf(other, all, setOf(self, all));
  const set = isSetLike(other) ? other : setOf(other, all);
  const mine = () => setOf(self, (e) => !contains(set, e));
  const theirs = () => setOf(set, (e) => !contains(self, e));
  if (op === "-") return reflected ? theirs() : mine();
  return setOf(theirs(), all, mine());
}

const NO_METHODS: ReadonlyMap<string, Method> = new Map();
const IS_DISJOINT = signature("Set.isdisjoint", "other", 1, 1);
const SET_METHODS: ReadonlyMap<string, Method> = new Map<string, Method>([
  [
    "isdisjoint",
    (self: MappingView, args, kwargs) => {
      const [other] = bindPython(IS_DISJOINT, args, kwargs);
      return !some(other as Value, (e) => contains(self, e));
    },
  ],
]);

const typeOf = (kind: keyof typeof NAMES): LibraryType =>
  new LibraryType(
    `collections.abc.${NAMES[kind]}`,
    (v) => v instanceof MappingView && v.kind === kind,
    () => {
      throw new Refusal("out_of_surface", `${NAMES[kind]} is made by a mapping: write m.${kind}()`, null, false);
    },
  );
const TYPES = { keys: typeOf("keys"), values: typeOf("values"), items: typeOf("items") };
