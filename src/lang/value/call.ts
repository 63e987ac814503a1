/**
 * How builtins call what a program gave them (`key=`, `map`, `filter` …), and who charges the call: a `def` or a lambda
 * charges its own (machine/function.ts), everything else is charged here, as the machine charges a call a program writes.
 */
import { raise } from "./exception";
import { spendOps } from "./meter";
import { Pending, type Work } from "./pending";
import { typeName } from "./protocol-type";
import { DONE, PAUSED, type PyException, PyFunction, Raised, type Value } from "./value";

/** `f(*args)`, to the end. */
export function callValue(f: Value, args: readonly Value[]): Value {
  return charged(f).call(args, null);
}
/** `f(*args)`, in slices. */
export function startValue(f: Value, args: readonly Value[]): Value | Pending {
  return charged(f).start(args, null);
}
/** `f(v)` of each of `values` in order, in slices: `given` has what they gave so far. */
export function* calledEach(f: Value, values: readonly Value[], given: Value[]): Work<void> {
  while (given.length < values.length) {
    const left = f instanceof PyFunction ? f.startEach(values, given) : null;
    if (left === null && given.length === values.length) return;
    const result = left ?? startValue(f, [values[given.length]]);
    given.push(result instanceof Pending ? yield* ended(result) : result);
  }
}
function charged(f: Value): PyFunction {
  if (!(f instanceof PyFunction)) raise("TypeError", `'${typeName(f)}' object is not callable`);
  if (f.typeName !== "function") spendOps(1);
  return f;
}

/** Waits for what has begun. */
export function* ended(call: Pending): Work<Value> {
  let result: Value | Pending = call;
  do {
    yield;
    result = (result as Pending).goOn();
  } while (result instanceof Pending);
  return result;
}

/**
 * The call that an iterator makes for its next element, kept until it has ended. A StopIteration that the function raises
 * is the iterator's end, as in Python.
 */
export class HeldCall {
  private held: Pending | null = null;
  private stop: PyException | null = null;
  /** What the function raised to end the iterator, once. */
  takeStop(): PyException | null {
    const stop = this.stop;
    this.stop = null;
    return stop;
  }
  get waits(): boolean {
    return this.held !== null;
  }
  start(f: Value, args: readonly Value[]): Value | typeof PAUSED | typeof DONE {
    try {
      return this.keep(startValue(f, args));
    } catch (thrown) {
      return this.endOf(thrown);
    }
  }
  goOn(): Value | typeof PAUSED | typeof DONE {
    const call = this.held!;
    this.held = null;
    try {
      return this.keep(call.goOn());
    } catch (thrown) {
      return this.endOf(thrown);
    }
  }
  private keep(result: Value | Pending): Value | typeof PAUSED {
    if (!(result instanceof Pending)) return result;
    this.held = result;
    return PAUSED;
  }
  private endOf(thrown: unknown): typeof DONE {
    if (!(thrown instanceof Raised) || thrown.exception.className !== "StopIteration") throw thrown;
    thrown.taken?.();
    this.stop = thrown.exception;
    return DONE;
  }
}
