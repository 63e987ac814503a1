/**
 * How builtins call what a program gave them (`key=`, `map`, `filter` …), and who charges the call: a `def` or a lambda
 * charges its own (machine/function.ts), everything else is charged here, as the machine charges a call a program writes.
 */
import { raise } from "./exception";
import { spendOps } from "./meter";
import { Pending, type Work } from "./pending";
import { typeName } from "./protocol-type";
import { PAUSED, PyFunction, type Value } from "./value";

/** `f(*args)`, to the end. */
export function callValue(f: Value, args: readonly Value[]): Value {
  return charged(f).call(args, null);
}
/** `f(*args)`, in slices. */
export function startValue(f: Value, args: readonly Value[]): Value | Pending {
  return charged(f).start(args, null);
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

/** The call that an iterator makes for its next element, kept until it has ended. */
export class HeldCall {
  private held: Pending | null = null;
  get waits(): boolean {
    return this.held !== null;
  }
  start(f: Value, args: readonly Value[]): Value | typeof PAUSED {
    return this.keep(startValue(f, args));
  }
  goOn(): Value | typeof PAUSED {
    const call = this.held!;
    this.held = null;
    return this.keep(call.goOn());
  }
  private keep(result: Value | Pending): Value | typeof PAUSED {
    if (!(result instanceof Pending)) return result;
    this.held = result;
    return PAUSED;
  }
}
