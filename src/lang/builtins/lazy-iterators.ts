/** `map`, `filter`, `zip`, `enumerate`, `reversed` as iterators: they take from their sources only when asked. */
import type { Int } from "../../datum";
import { Bytes } from "../../datum";
import { callValue } from "../value/call";
import { DictIterator, PyDict, PyDictView } from "../value/dict";
import { raise } from "../value/exception";
import { intAdd } from "../value/int";
import { spendOps } from "../value/meter";
import { getItem } from "../value/protocol-item";
import { ListReverseIterator, length, rangeIterator, truthy } from "../value/protocol-iterate";
import { typeName } from "../value/protocol-type";
import { DONE, PyIterator, PyList, PyNative, PyRange, PyTuple, type Value } from "../value/value";

export class MapIterator extends PyIterator {
  readonly typeName = "map";
  constructor(
    private readonly f: Value,
    private readonly sources: readonly PyIterator[],
  ) {
    super();
  }
  next(): Value | typeof DONE {
    const args: Value[] = [];
    for (const source of this.sources) {
      const v = source.next();
      if (v === DONE) return DONE;
      spendOps(1);
      args.push(v);
    }
    return callValue(this.f, args);
  }
  override lengthHint(): number {
    return shortest(this.sources);
  }
}

export class FilterIterator extends PyIterator {
  readonly typeName = "filter";
  constructor(
    /** None, or `bool` itself, keeps what is true without a call. */
    private readonly f: Value,
    private readonly source: PyIterator,
  ) {
    super();
  }
  next(): Value | typeof DONE {
    for (;;) {
      const v = this.source.next();
      if (v === DONE) return DONE;
      spendOps(1);
      if (this.f === null ? truthy(v) : truthy(callValue(this.f, [v]))) return v;
    }
  }
}

export class ZipIterator extends PyIterator {
  readonly typeName = "zip";
  constructor(
    private readonly sources: readonly PyIterator[],
    private readonly strict: boolean,
  ) {
    super();
  }
  next(): Value | typeof DONE {
    const { sources } = this;
    if (sources.length === 0) return DONE;
    const row: Value[] = [];
    for (let i = 0; i < sources.length; i++) {
      const v = sources[i].next();
      if (v === DONE) {
        if (this.strict) this.checkEnds(i);
        return DONE;
      }
      spendOps(1);
      row.push(v);
    }
    return new PyTuple(row);
  }
  /** Source `i` ended: with `strict` all must end in the same round. */
  private checkEnds(i: number): void {
    const before = (n: number): string => (n === 1 ? "argument 1" : `arguments 1-${n}`);
    if (i > 0) raise("ValueError", `zip() argument ${i + 1} is shorter than ${before(i)}`);
    for (let k = 1; k < this.sources.length; k++)
      if (this.sources[k].next() !== DONE) raise("ValueError", `zip() argument ${k + 1} is longer than ${before(k)}`);
  }
  override lengthHint(): number {
    return shortest(this.sources);
  }
}

export class EnumerateIterator extends PyIterator {
  readonly typeName = "enumerate";
  constructor(
    private readonly source: PyIterator,
    private at: Int,
  ) {
    super();
  }
  next(): Value | typeof DONE {
    const v = this.source.next();
    if (v === DONE) return DONE;
    spendOps(1);
    const row = new PyTuple([this.at, v]);
    this.at = intAdd(this.at, 1);
    return row;
  }
  override lengthHint(): number {
    return this.source.lengthHint();
  }
}

/** A sequence backwards by index: text, tuple, bytes. */
export class ReversedIterator extends PyIterator {
  readonly typeName = "reversed";
  private at: number;
  constructor(private readonly sequence: Value) {
    super();
    this.at = length(sequence) - 1;
  }
  next(): Value | typeof DONE {
    return this.at < 0 ? DONE : getItem(this.sequence, this.at--);
  }
  override lengthHint(): number {
    return this.at + 1;
  }
}

/** `reversed(v)`. */
export function reverseIterator(v: Value): PyIterator {
  if (v instanceof PyList) return new ListReverseIterator(v);
  if (v instanceof PyRange) return rangeIterator(v, true);
  if (v instanceof PyDict) return new DictIterator(v, "keys", true);
  if (v instanceof PyDictView) return new DictIterator(v.dict, v.kind, true);
  if (typeof v === "string" || v instanceof PyTuple || v instanceof Bytes) return new ReversedIterator(v);
  if (v instanceof PyNative && v.reversed !== undefined) return v.reversed();
  raise("TypeError", `'${typeName(v)}' object is not reversible`);
}

function shortest(sources: readonly PyIterator[]): number {
  let least = -1;
  for (const source of sources) {
    const hint = source.lengthHint();
    if (hint >= 0 && (least < 0 || hint < least)) least = hint;
  }
  return least;
}
