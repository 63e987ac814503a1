/**
 * How builtins call what a program gave them (`key=`, `map`, `filter` …), and who charges the call: a `def` or a lambda
 * charges its own (machine/function.ts), everything else is charged here, as the machine charges a call a program writes.
 */
import { raise } from "./exception";
import { spendOps } from "./meter";
import { typeName } from "./protocol-type";
import { PyFunction, type Value } from "./value";

/** `f(*args)`. */
export function callValue(f: Value, args: readonly Value[]): Value {
  if (f instanceof PyFunction) {
    if (f.typeName !== "function") spendOps(1);
    return f.call(args, null);
  }
  raise("TypeError", `'${typeName(f)}' object is not callable`);
}
