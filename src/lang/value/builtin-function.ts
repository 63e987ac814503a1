/**
 * Builtin functions and bound methods as values. Both only wrap a JavaScript function that checks its own arguments
 * (arguments.ts); the machine charges the call.
 */
import type { Method } from "./attribute";
import { begin, type Pending, settle, type Task } from "./pending";
import { PyFunction, type Value } from "./value";

/** Gives a value, or the work that makes it where that may run code of the program. */
export type BuiltinBody = (args: readonly Value[], kwargs: ReadonlyMap<string, Value> | null) => Value | Task;

/** `len`, `math.sqrt` … */
export class Builtin extends PyFunction {
  override readonly typeName = "builtin_function_or_method";
  constructor(
    readonly name: string,
    readonly body: BuiltinBody,
  ) {
    super();
  }
  override call(args: readonly Value[], kwargs: ReadonlyMap<string, Value> | null): Value {
    return settle(this.body(args, kwargs));
  }
  override start(args: readonly Value[], kwargs: ReadonlyMap<string, Value> | null): Value | Pending {
    return begin(this.body(args, kwargs));
  }
}

/** A function that knows the module it is called from: `namedtuple` makes its types there. */
export class PlacedBuiltin extends Builtin {
  constructor(
    name: string,
    private readonly bodyIn: (within: string) => BuiltinBody,
    /** The function as its own module holds it. */
    readonly origin: PlacedBuiltin | null = null,
    within = "__main__",
  ) {
    super(name, bodyIn(within));
  }
  placed(within: string): PlacedBuiltin {
    return new PlacedBuiltin(this.name, this.bodyIn, this, within);
  }
}

/** `[].append`: a method with its receiver. Two are equal when receiver (by identity) and method are. */
export class BoundMethod extends PyFunction {
  override readonly typeName = "builtin_function_or_method";
  constructor(
    readonly self: Value,
    readonly name: string,
    readonly method: Method,
  ) {
    super();
  }
  override call(args: readonly Value[], kwargs: ReadonlyMap<string, Value> | null): Value {
    return settle(this.method(this.self, args, kwargs));
  }
  override start(args: readonly Value[], kwargs: ReadonlyMap<string, Value> | null): Value | Pending {
    return begin(this.method(this.self, args, kwargs));
  }
}

/** `str.upper`: a method taken from its type, the receiver its first argument. */
export class UnboundMethod extends PyFunction {
  override readonly typeName = "method_descriptor";
  constructor(
    readonly owner: string,
    readonly name: string,
    readonly body: BuiltinBody,
  ) {
    super();
  }
  override call(args: readonly Value[], kwargs: ReadonlyMap<string, Value> | null): Value {
    return settle(this.body(args, kwargs));
  }
  override start(args: readonly Value[], kwargs: ReadonlyMap<string, Value> | null): Value | Pending {
    return begin(this.body(args, kwargs));
  }
}
