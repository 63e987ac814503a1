/** `map`, `filter`, `zip`, `enumerate`, `reversed` as iterators: they take from their sources only when asked. */
import type { Int } from "../../datum";
import { Bytes } from "../../datum";
import { HeldCall } from "../value/call";
import { DictIterator, PyDict, PyDictView } from "../value/dict";
import { raise } from "../value/exception";
import { intAdd } from "../value/int";
import { spendOps, spendSteps } from "../value/meter";
import { mustWait } from "../value/pending";
import { getItem } from "../value/protocol-item";
import { ListReverseIterator, length, rangeIterator, truthy } from "../value/protocol-iterate";
import { typeName } from "../value/protocol-type";
import { DONE, LazyIterator, PAUSED, type PyException, PyIterator, PyList, PyNative, PyRange, PyTuple, type Value } from "../value/value";
import { STRETCH } from "../value/walk";

type Polled = Value | typeof DONE | typeof PAUSED;

export class MapIterator extends LazyIterator {
  readonly typeName = "map";
  private readonly call = new HeldCall();
  /** Arguments taken before the slice ended. */
  private held: Value[] | null = null;
  constructor(
    private readonly f: Value,
    private readonly sources: readonly PyIterator[],
  ) {
    super();
  }
  override takeStop(): PyException | null {
    return this.call.takeStop();
  }
  poll(): Polled {
    if (this.call.waits) return this.call.goOn();
    const args = this.held ?? [];
    this.held = null;
    while (args.length < this.sources.length) {
      const v = this.sources[args.length].poll();
      if (v === DONE) return DONE;
      if (v === PAUSED) {
        this.held = args;
        return PAUSED;
      }
      spendOps(1);
      args.push(v);
    }
    return this.call.start(this.f, args);
  }
  override lengthHint(): number {
    return shortest(this.sources);
  }
}

export class FilterIterator extends LazyIterator {
  readonly typeName = "filter";
  private readonly call = new HeldCall();
  private tested: Value = null;
  constructor(
    /** None, or `bool` itself, keeps what is true without a call. */
    private readonly f: Value,
    private readonly source: PyIterator,
  ) {
    super();
  }
  override takeStop(): PyException | null {
    return this.call.takeStop();
  }
  poll(): Polled {
    for (let n = 1; ; n++) {
      let kept: Polled;
      if (this.call.waits) kept = this.call.goOn();
      else {
        const v = this.source.poll();
        if (v === DONE || v === PAUSED) return v;
        spendOps(1);
        this.tested = v;
        kept = this.f === null ? v : this.call.start(this.f, [v]);
      }
      if (kept === PAUSED || kept === DONE) return kept;
      if (truthy(kept)) return this.tested;
      if (n % STRETCH === 0) {
        spendSteps(STRETCH);
        if (mustWait()) return PAUSED;
      }
    }
  }
}

export class ZipIterator extends LazyIterator {
  readonly typeName = "zip";
  /** The row begun before the slice ended. */
  private held: Value[] | null = null;
  /** The source asked last whether it has ended with the first; 0 while rows are made. */
  private checked = 0;
  constructor(
    private readonly sources: readonly PyIterator[],
    private readonly strict: boolean,
  ) {
    super();
  }
  poll(): Polled {
    const { sources } = this;
    if (sources.length === 0) return DONE;
    if (this.checked > 0) return this.checkEnds();
    const row = this.held ?? [];
    this.held = null;
    while (row.length < sources.length) {
      const i = row.length;
      const v = sources[i].poll();
      if (v === PAUSED) {
        this.held = row;
        return PAUSED;
      }
      if (v === DONE) {
        if (!this.strict) return DONE;
        if (i > 0) raise("ValueError", `zip() argument ${i + 1} is shorter than ${argumentsTo(i)}`);
        this.checked = 1;
        return this.checkEnds();
      }
      spendOps(1);
      row.push(v);
    }
    return new PyTuple(row);
  }
  /** The first source ended: with `strict` all must end in the same round. */
  private checkEnds(): typeof DONE | typeof PAUSED {
    for (let k = this.checked; k < this.sources.length; k++) {
      const v = this.sources[k].poll();
      this.checked = v === PAUSED ? k : 0;
      if (v === PAUSED) return PAUSED;
      if (v !== DONE) raise("ValueError", `zip() argument ${k + 1} is longer than ${argumentsTo(k)}`);
    }
    this.checked = 0;
    return DONE;
  }
  override lengthHint(): number {
    return shortest(this.sources);
  }
}

function argumentsTo(n: number): string {
  return n === 1 ? "argument 1" : `arguments 1-${n}`;
}

export class EnumerateIterator extends LazyIterator {
  readonly typeName = "enumerate";
  constructor(
    private readonly source: PyIterator,
    private at: Int,
  ) {
    super();
  }
  poll(): Polled {
    const v = this.source.poll();
    if (v === DONE || v === PAUSED) return v;
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
