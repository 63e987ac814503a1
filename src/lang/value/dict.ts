/**
 * `dict` and its views.
 *
 * Entries stand in two arrays in insertion order with a Map from canonical key (protocol-hash.ts) to their index, so a
 * lookup is one Map access and iteration a walk over an array. A deletion leaves a hole. Holes go when CPython would
 * resize its key table (its growth rule is followed in `usable`), because a running iterator can tell.
 */

import type { TypeTables } from "./attribute";
import { raise } from "./exception";
import { checkHashed, ENTRY_BYTES, making, meter, spendSteps } from "./meter";
import type { Pending } from "./pending";
import { hashKey } from "./protocol-hash";
import { DONE, PyIterator, PyTuple, type PyType, type Value } from "./value";
import { checkEntryWeight } from "./weight";

/** A deleted entry. Never a value a program sees. */
export const HOLE: unique symbol = Symbol("hole");

const usableOf = (size: number): number => Math.floor((size * 2) / 3);

export class PyDict {
  keyList: (Value | typeof HOLE)[] = [];
  valueList: Value[] = [];
  index = new Map<unknown, number>();
  /** Insertions left before CPython's table would be rebuilt. */
  usable = 5;

  /** `type(v)` of a subclass in a served module; null for the builtin type. */
  get pyType(): PyType | null {
    return null;
  }
  /** Methods and attributes of a subclass in a served module (its own and the inherited); null for the builtin type's. */
  get tables(): TypeTables | null {
    return null;
  }
  /** CPython's name of the type; subclasses of served modules have their own. */
  get typeName(): string {
    return "dict";
  }
  /** Whether `isinstance` takes it for a dict. */
  get isDict(): boolean {
    return true;
  }
  /** What `str` shows the `repr` of. */
  get shown(): PyDict {
    return this;
  }
  /** The same in slices, where a function of the program makes it. */
  startMissing?(key: Value): Value | Pending;
  /** `__missing__`: what `d[key]` gives for an absent key, undefined to raise KeyError. */
  missing(_key: Value): Value | undefined {
    return undefined;
  }

  /** `self op other` of a subclass (`+=`, `<=`, unary `u-` too; reflected: `other op self`), undefined where it is dict's own. */
  binary(_op: string, _other: Value, _reflected: boolean): Value | undefined {
    return undefined;
  }
  /** `self == other` of a subclass, undefined where it is dict's own. */
  equalTo(_other: PyDict): boolean | undefined {
    return undefined;
  }
  /** Whether `repr` shows a list of pairs. */
  get pairedRepr(): boolean {
    return false;
  }

  /** What its views and iterators are called after: `dict_keys`, `odict_keys`. */
  get viewWord(): "dict" | "odict" {
    return "dict";
  }
  /** Changes with each entry put in, taken out or moved, where iteration minds more than the size. */
  state = 0;
  /** What stands around the braces in `repr`: subclasses have their call (`OrderedDict(`, `)`). */
  reprAround(_repr: (v: Value) => string): readonly [string, string] {
    return ["", ""];
  }
  /** The entries in the order in which `repr` shows them. */
  reprEntries(): [Value, Value][] {
    return this.entries();
  }

  get size(): number {
    return this.index.size;
  }
  get(key: Value): Value | undefined {
    const i = this.index.get(hashKey(key));
    return i === undefined ? undefined : this.valueList[i];
  }
  has(key: Value): boolean {
    return this.index.has(hashKey(key));
  }
  set(key: Value, value: Value): void {
    meter.kept++;
    this.setKeyed(hashKey(key), key, value);
  }
  /** `set` with the canonical key already known. The first key stays (`{1: "a", True: "b"}` is `{1: "b"}`). */
  setKeyed(canonical: unknown, key: Value, value: Value): void {
    const i = this.index.get(canonical);
    if (i !== undefined) {
      this.valueList[i] = value;
      return;
    }
    if (this.usable <= 0) this.grow();
    this.usable--;
    if ((this.index.size & 0xfff) === 0xfff) {
      checkHashed(this.index.size + 1);
      checkEntryWeight(this.index.size, key, value);
    }
    this.index.set(canonical, this.keyList.length);
    this.keyList.push(key);
    this.valueList.push(value);
  }
  /** Removes the key and gives its value; undefined where absent. */
  delete(key: Value): Value | undefined {
    const canonical = hashKey(key);
    const i = this.index.get(canonical);
    if (i === undefined) return undefined;
    const value = this.valueList[i];
    this.index.delete(canonical);
    this.keyList[i] = HOLE;
    this.valueList[i] = null;
    return value;
  }
  clear(): void {
    this.keyList = [];
    this.valueList = [];
    this.index = new Map();
    this.usable = 5;
  }
  /** The last entry, removed; undefined when empty. */
  popLast(): [Value, Value] | undefined {
    if (this.index.size === 0) return undefined;
    let i = this.keyList.length - 1;
    while (this.keyList[i] === HOLE) i--;
    const key = this.keyList[i] as Value;
    const value = this.valueList[i];
    this.keyList.length = i;
    this.valueList.length = i;
    this.index.delete(hashKey(key));
    return [key, value];
  }
  /** Keys in order. */
  keys(): Value[] {
    return this.index.size === this.keyList.length
      ? (this.keyList as Value[]).slice()
      : (this.keyList.filter((k) => k !== HOLE) as Value[]);
  }
  values(): Value[] {
    return this.index.size === this.keyList.length ? this.valueList.slice() : this.valueList.filter((_, i) => this.keyList[i] !== HOLE);
  }
  entries(): [Value, Value][] {
    const out: [Value, Value][] = [];
    for (let i = 0; i < this.keyList.length; i++) {
      const key = this.keyList[i];
      if (key !== HOLE) out.push([key, this.valueList[i]]);
    }
    return out;
  }
  copy(): PyDict {
    const out = new PyDict();
    out.assign(this);
    return out;
  }
  /** Takes over a copy of the entries of `from`; `this` is empty. */
  assign(from: PyDict): void {
    checkHashed(from.size);
    spendSteps(from.size);
    if (from.index.size === from.keyList.length) {
      this.keyList = from.keyList.slice();
      this.valueList = from.valueList.slice();
      this.index = new Map(from.index);
      this.usable = from.usable;
      return;
    }
    for (let i = 0; i < from.keyList.length; i++) {
      const key = from.keyList[i];
      if (key !== HOLE) this.set(key, from.valueList[i]);
    }
  }

  private grow(): void {
    const used = this.index.size;
    making((used + 1) * ENTRY_BYTES);
    let size = 8;
    while (size < used * 3) size *= 2;
    if (used < this.keyList.length) {
      const keyList: Value[] = [];
      const valueList: Value[] = [];
      for (let i = 0; i < this.keyList.length; i++) {
        const key = this.keyList[i];
        if (key === HOLE) continue;
        this.index.set(hashKey(key), keyList.length);
        keyList.push(key);
        valueList.push(this.valueList[i]);
      }
      this.keyList = keyList;
      this.valueList = valueList;
    }
    this.usable = usableOf(size) - used;
  }
}

/** `d.keys()`, `d.values()`, `d.items()`: live views. */
export class PyDictView {
  constructor(
    readonly dict: PyDict,
    readonly kind: "keys" | "values" | "items",
  ) {}
  get typeName(): string {
    return `${this.dict.viewWord}_${this.kind}`;
  }
}

/** Iterator over a dict or a view of it, forwards or back; notices mutation as CPython's does. */
export class DictIterator extends PyIterator {
  readonly typeName: string;
  private dict: PyDict | null;
  private readonly used: number;
  private readonly state: number;
  private left: number;
  private at: number;
  private broken = false;
  constructor(
    dict: PyDict,
    readonly kind: "keys" | "values" | "items",
    readonly reversed = false,
  ) {
    super();
    this.dict = dict;
    this.used = dict.size;
    this.state = dict.state;
    this.left = dict.size;
    this.at = reversed ? dict.keyList.length - 1 : 0;
    const each = `${reversed ? "reverse" : ""}${kind === "keys" ? "key" : kind === "values" ? "value" : "item"}iterator`;
    this.typeName = dict.viewWord === "dict" ? `dict_${each}` : "odict_iterator";
  }
  next(): Value | typeof DONE {
    const dict = this.dict;
    if (dict === null) return DONE;
    const linked = dict.viewWord === "odict";
    if (linked && this.left === 0) {
      this.dict = null;
      return DONE;
    }
    if (this.broken || dict.size !== this.used || dict.state !== this.state) {
      // The state is sticky: every further step raises again.
      this.broken = true;
      raise("RuntimeError", linked ? "OrderedDict mutated during iteration" : "dictionary changed size during iteration");
    }
    const keys = dict.keyList;
    let i = this.at;
    if (this.reversed) {
      if (i >= keys.length) i = keys.length - 1;
      while (i >= 0 && keys[i] === HOLE) i--;
      if (i < 0) {
        this.dict = null;
        return DONE;
      }
      this.at = i - 1;
    } else {
      while (i < keys.length && keys[i] === HOLE) i++;
      if (i >= keys.length) {
        this.dict = null;
        return DONE;
      }
      if (this.left === 0) {
        this.dict = null;
        raise("RuntimeError", "dictionary keys changed during iteration");
      }
      this.at = i + 1;
    }
    this.left--;
    if (this.kind === "keys") return keys[i] as Value;
    if (this.kind === "values") return dict.valueList[i];
    return new PyTuple([keys[i] as Value, dict.valueList[i]]);
  }
  override lengthHint(): number {
    return this.dict === null ? 0 : this.left;
  }
}

/** The dict of alternating pairs: displays. */
export function dictOf(pairs: readonly (readonly [Value, Value])[]): PyDict {
  const dict = new PyDict();
  for (const [key, value] of pairs) dict.set(key, value);
  return dict;
}
