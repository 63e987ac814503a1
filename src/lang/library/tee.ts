/**
 * `itertools.tee`: several readers of one iterator. What one has taken and another has not yet waits in a chain, each reader
 * at its own place in it; what all have passed nobody holds any longer.
 */
import { type Kwargs, positional } from "../value/arguments";
import { raise } from "../value/exception";
import { sizeOf } from "../value/index-of";
import { checkItems, ELEMENT_BYTES, making, spendOps } from "../value/meter";
import { iterate } from "../value/protocol-iterate";
import { DONE, LazyIterator, PAUSED, type PyIterator, PyTuple, type Value } from "../value/value";

interface Link {
  value: Value;
  next: Link | null;
}

export class Tee extends LazyIterator {
  readonly typeName = "itertools._tee";
  constructor(
    private readonly source: PyIterator,
    /** The last element it gave. */
    private at: Link = { value: null, next: null },
  ) {
    super();
  }
  /** Another reader that stands where this one does. */
  copy(): Tee {
    return new Tee(this.source, this.at);
  }
  poll(): Value | typeof DONE | typeof PAUSED {
    if (this.at.next === null) {
      const v = this.source.poll();
      if (v === DONE || v === PAUSED) return v;
      spendOps(1);
      making(ELEMENT_BYTES);
      this.at.next = { value: v, next: null };
    }
    this.at = this.at.next;
    return this.at.value;
  }
}

/** `tee(iterable, n=2)`; a reader that is given is the first itself. */
export function tee(args: readonly Value[], kwargs: Kwargs): Value {
  positional("itertools.tee", args, kwargs, 1, 2);
  const n = args.length > 1 ? sizeOf(args[1]!) : 2;
  if (n < 0) raise("ValueError", "n must be >= 0");
  if (n === 0) return new PyTuple([]);
  checkItems(n);
  const it = iterate(args[0]!);
  const first = it instanceof Tee ? it : new Tee(it);
  return new PyTuple(Array.from({ length: n }, (_, i) => (i === 0 ? first : first.copy())));
}
