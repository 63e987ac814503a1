/**
 * `set` and `frozenset`: what they hold and the operations between sets, with CPython's choice of algorithm wherever it
 * decides the order of the result (which operand is copied, which is walked). Methods and operators: set-methods.ts.
 *
 * Membership is a Map from canonical key to element. As long as a set was only added to, the Map's own order is the
 * history from which set-order.ts can rebuild CPython's table; so the table, and with it every hash, is made only when
 * somebody looks at the order. Once made it is kept up to date.
 */
import { PyDict } from "./dict";
import { raise } from "./exception";
import { INTERNED_NAMES } from "./interned-names.generated";
import { checkHashed, ENTRY_BYTES, making, meter, spendOps, spendSteps } from "./meter";
import { hashKey } from "./protocol-hash";
import { iterate } from "./protocol-iterate";
import { SetTable } from "./set-order";
import { DONE, PyIterator, PyRange, type Value } from "./value";
import { checkEntryWeight } from "./weight";

export abstract class AnySet {
  abstract readonly kind: "set" | "frozenset";
  map = new Map<unknown, Value>();
  /** Null while `map` was only added to since it was empty. */
  table: SetTable | null = null;

  /** An empty set of the same type. */
  abstract fresh(): PySet | PyFrozenSet;

  get size(): number {
    return this.map.size;
  }
  has(v: Value): boolean {
    return this.map.has(hashKey(v));
  }
  /** The table of slots, made now if it was not. */
  ordered(): SetTable {
    if (this.table === null) this.table = SetTable.of(this.map);
    return this.table;
  }
  /** Elements in CPython's order. */
  elements(): Value[] {
    return this.ordered().elements();
  }
  addKeyed(key: unknown, element: Value): void {
    if (this.map.has(key)) return;
    meter.kept++;
    if ((this.map.size & 0xf) === 0xf) making(16 * ENTRY_BYTES);
    if ((this.map.size & 0xfff) === 0xfff) {
      checkHashed(this.map.size + 1);
      checkEntryWeight(this.map.size, element, null);
    }
    this.map.set(key, element);
    if (this.table !== null) this.table.add(key, element);
  }
  /** Whether it was there. */
  discardKeyed(key: unknown): boolean {
    const element = this.map.get(key);
    if (element === undefined) return false;
    this.ordered().discard(key, element);
    this.map.delete(key);
    return true;
  }
}

export class PySet extends AnySet {
  override readonly kind = "set";
  /** Where the next `pop` begins to look; stays with the set whatever becomes of its table. */
  private finger = 0;
  override fresh(): PySet {
    return new PySet();
  }
  add(v: Value): void {
    this.addKeyed(hashKey(v), v);
  }
  /** `set.pop`: not empty. */
  popFirst(): Value {
    const { key, at } = this.ordered().popFrom(this.finger);
    this.finger = at + 1;
    const element = this.map.get(key)!;
    this.map.delete(key);
    return element;
  }
  clear(): void {
    this.map = new Map();
    this.table = null;
  }
}

export class PyFrozenSet extends AnySet {
  override readonly kind = "frozenset";
  override fresh(): PyFrozenSet {
    return new PyFrozenSet();
  }
}

export function isSet(v: Value): v is PySet | PyFrozenSet {
  return v instanceof PySet || v instanceof PyFrozenSet;
}

/** The set of some values, added in their order (displays, comprehensions). */
export function setOf(values: readonly Value[]): PySet {
  const set = new PySet();
  for (const v of values) set.add(v);
  return set;
}
export function frozenSetOf(values: readonly Value[]): PyFrozenSet {
  const set = new PyFrozenSet();
  for (const v of values) set.addKeyed(hashKey(v), v);
  return set;
}

/**
 * A set display of constants where a loop walks it, or where the compiler folds it. CPython makes the frozenset twice (to
 * fold it, and to share its constants), each time in the order of the one before, and a third time when a text in it
 * is put in the place of an equal one interned earlier: a name of the source, or one that every start interns.
 *
 * @param names  The identifiers of the source the display stands in.
 */
export function frozenSetOfConstants(values: readonly Value[], names: ReadonlySet<string> = NO_NAMES): PyFrozenSet {
  let set = frozenSetOf(values);
  const passes = values.some((v) => typeof v === "string" && isInterned(v, names)) ? 2 : 1;
  for (let i = 0; i < passes; i++) set = frozenSetOf(set.elements());
  return set;
}

/** A set display of three or more constants (`{1, 2, 3}`): the folded frozenset merged into an empty set. */
export function setOfConstants(values: readonly Value[], names: ReadonlySet<string> = NO_NAMES): PySet {
  return update(new PySet(), frozenSetOfConstants(values, names)) as PySet;
}

const NO_NAMES: ReadonlySet<string> = new Set();
let interned: ReadonlySet<string> | null = null;

/** Whether an equal text, another object, was interned before. Of one character there is only one object, but for a few. */
function isInterned(text: string, names: ReadonlySet<string>): boolean {
  if (!/^[A-Za-z0-9_]+$/.test(text)) return false;
  interned ??= new Set(INTERNED_NAMES.split(" "));
  return interned.has(text) || (text.length > 1 && names.has(text));
}

/** A new set of the same type with the same elements, in the order CPython's copy has. */
export function copySet(from: PySet | PyFrozenSet): PySet | PyFrozenSet {
  return merge(from.fresh(), from);
}

/**
 * `set_update_internal`: adds every element of an iterable.
 *
 * @param opsEach  What each element taken costs, here and below: 1 for methods and constructors, 0 for operators.
 */
export function update(so: PySet | PyFrozenSet, other: Value, opsEach = 0): PySet | PyFrozenSet {
  if (isSet(other) || other instanceof PyDict) spendOps(other.size * opsEach);
  if (other instanceof PyRange) checkHashed(Number(other.length));
  if (isSet(other)) return merge(so, other);
  if (isPlainDict(other)) {
    reserve(so, other.size);
    for (const key of other.keys()) so.addKeyed(hashKey(key), key);
    return so;
  }
  const it = iterate(other);
  for (let v = it.next(); v !== DONE; v = it.next()) {
    spendOps(opsEach);
    so.addKeyed(hashKey(v), v);
  }
  return so;
}

function merge(so: PySet | PyFrozenSet, other: PySet | PyFrozenSet): PySet | PyFrozenSet {
  if (so === other || other.size === 0) return so;
  spendSteps(other.size);
  if (so.size === 0) checkHashed(other.size);
  reserve(so, other.size);
  const mine = so.ordered();
  const theirs = other.ordered();
  if (mine.fill === 0) {
    mine.fillFrom(theirs);
    so.map = new Map(other.map);
    return so;
  }
  for (let at = theirs.slotFrom(0); at >= 0; at = theirs.slotFrom(at + 1)) {
    const slot = theirs.slots[at]!;
    so.addKeyed(slot.key, slot.element);
  }
  return so;
}

/** `PyDict_CheckExact`: CPython walks a subclass (Counter, defaultdict …) like any iterable. */
function isPlainDict(v: Value): v is PyDict {
  return v instanceof PyDict && v.pyType === null;
}

function reserve(so: PySet | PyFrozenSet, count: number): void {
  so.ordered().reserve(count);
}

/** An element that `so` is asked for: whether `result` now holds all that can come. */
export function keepCommon(so: PySet | PyFrozenSet, result: PySet | PyFrozenSet, v: Value): boolean {
  const key = hashKey(v);
  if (!so.map.has(key)) return false;
  result.addKeyed(key, v);
  return result.size >= so.size;
}

/** `set_intersection`: a new set of the elements `other` gives that are in `so` (sets: the smaller is walked). */
export function intersection(so: PySet | PyFrozenSet, other: Value, opsEach = 0): PySet | PyFrozenSet {
  if (isSet(other)) spendOps(Math.min(so.size, other.size) * opsEach);
  if (so === other) return copySet(so);
  const result = so.fresh();
  if (isSet(other)) {
    let [inside, walked] = [so, other];
    if (other.size > so.size) [inside, walked] = [other, so];
    for (const [key, element] of inOrder(walked)) if (inside.map.has(key)) result.addKeyed(key, element);
    return result;
  }
  const it = iterate(other);
  for (let v = it.next(); v !== DONE; v = it.next()) {
    spendOps(opsEach);
    if (keepCommon(so, result, v)) break;
  }
  return result;
}

/** `set_difference`. */
export function difference(so: PySet | PyFrozenSet, other: Value, opsEach = 0): PySet | PyFrozenSet {
  const has = isSet(other) ? other.map : isPlainDict(other) ? other.index : null;
  if (has === null || so.size >> 2 > has.size) return differenceUpdate(copySet(so), other, opsEach);
  spendOps(has.size * opsEach);
  const result = so.fresh();
  for (const [key, element] of inOrder(so)) if (!has.has(key)) result.addKeyed(key, element);
  return result;
}

/** `set_difference_update_internal`. */
export function differenceUpdate(so: PySet | PyFrozenSet, other: Value, opsEach = 0): PySet | PyFrozenSet {
  if (isSet(other)) spendOps(other.size * opsEach);
  if (so === other) {
    (so as PySet).clear();
    return so;
  }
  if (isSet(other)) {
    const taken = other.size >> 3 > so.size ? intersection(so, other) : other;
    // Order of removal leaves no trace, so no table of `taken` is needed.
    for (const key of [...taken.map.keys()]) so.discardKeyed(key);
  } else {
    const it = iterate(other);
    for (let v = it.next(); v !== DONE; v = it.next()) {
      spendOps(opsEach);
      so.discardKeyed(hashKey(v));
    }
  }
  so.ordered().dropDummies();
  return so;
}

/** `set_symmetric_difference_update`. */
export function symmetricUpdate(so: PySet | PyFrozenSet, other: Value, opsEach = 0): PySet | PyFrozenSet {
  if (isSet(other) || other instanceof PyDict) spendOps(other.size * opsEach);
  if (so === other) {
    (so as PySet).clear();
    return so;
  }
  if (isPlainDict(other)) {
    for (const key of other.keys()) {
      const canonical = hashKey(key);
      if (!so.discardKeyed(canonical)) so.addKeyed(canonical, key);
    }
    return so;
  }
  const theirs = isSet(other) ? other : update(so.fresh(), other, opsEach);
  for (const [key, element] of inOrder(theirs)) if (!so.discardKeyed(key)) so.addKeyed(key, element);
  return so;
}

/** `set_symmetric_difference`: built on a copy of `other`. */
export function symmetricDifference(so: PySet | PyFrozenSet, other: Value, opsEach = 0): PySet | PyFrozenSet {
  return symmetricUpdate(update(so.fresh(), other, opsEach), so);
}

/** `a | b` where both are sets. */
export function union(so: PySet | PyFrozenSet, other: PySet | PyFrozenSet): PySet | PyFrozenSet {
  const result = copySet(so);
  return so === other ? result : update(result, other);
}

/** Takes over the content of `from`, as `&=` and `intersection_update` do. */
export function takeBody(so: PySet, from: PySet | PyFrozenSet): void {
  so.map = from.map;
  so.table = from.table;
}

/** Every element of a is in b. */
export function isSubset(a: PySet | PyFrozenSet, b: PySet | PyFrozenSet): boolean {
  if (a.size > b.size) return false;
  for (const key of a.map.keys()) if (!b.map.has(key)) return false;
  return true;
}

function inOrder(set: PySet | PyFrozenSet): [unknown, Value][] {
  const table = set.ordered();
  spendSteps(table.slots.length >> 1);
  const out: [unknown, Value][] = [];
  for (let at = table.slotFrom(0); at >= 0; at = table.slotFrom(at + 1)) out.push([table.slots[at]!.key, table.slots[at]!.element]);
  return out;
}

export class SetIterator extends PyIterator {
  readonly typeName = "set_iterator";
  private set: PySet | PyFrozenSet | null;
  private used: number;
  private at = 0;
  private left: number;
  constructor(set: PySet | PyFrozenSet) {
    super();
    this.set = set;
    this.used = set.size;
    this.left = set.size;
  }
  next(): Value | typeof DONE {
    const set = this.set;
    if (set === null) return DONE;
    if (this.used !== set.size) {
      this.used = -1;
      raise("RuntimeError", "Set changed size during iteration");
    }
    const table = set.ordered();
    const at = table.slotFrom(this.at);
    if (at < 0) {
      this.set = null;
      return DONE;
    }
    this.at = at + 1;
    this.left--;
    return table.slots[at]!.element;
  }
  override lengthHint(): number {
    return this.set === null ? 0 : this.left;
  }
}
