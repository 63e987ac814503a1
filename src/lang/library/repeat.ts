/** `itertools.repeat`: one value a number of times. Without a number it has no end and is refused. */
import { Refusal } from "../../failure";
import { bindArgs, type Kwargs, parameters } from "../value/arguments";
import { sizeOf } from "../value/index-of";
import { repr } from "../value/protocol-text";
import { DONE, PyIterator, type Value } from "../value/value";

class Repeat extends PyIterator {
  readonly typeName = "itertools.repeat";
  constructor(
    private readonly value: Value,
    private left: number,
  ) {
    super();
  }
  next(): Value | typeof DONE {
    if (this.left === 0) return DONE;
    this.left--;
    return this.value;
  }
  override lengthHint(): number {
    return this.left;
  }
  override repr(): string {
    return `repeat(${repr(this.value)}, ${this.left})`;
  }
}

const REPEAT = parameters("repeat", "object times", 1);

export function repeated(args: readonly Value[], kwargs: Kwargs): Value {
  const [value, times] = bindArgs(REPEAT, args, kwargs);
  if (times === undefined)
    throw new Refusal("out_of_surface", "itertools.repeat(x) has no end: say how many times, repeat(x, n), or write [x] * n", null, false);
  return new Repeat(value as Value, Math.max(0, sizeOf(times)));
}
