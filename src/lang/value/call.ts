/**
 * How builtins call what a program gave them (`key=`, `map`, `filter` …). The caller of a function charges the call, so a
 * builtin charges here what the machine charges for a call a program writes.
 */
import { raise } from "./exception";
import { spendOps } from "./meter";
import { typeName } from "./protocol-type";
import { PyFunction, type Value } from "./value";

/** `f(*args)`. */
export function callValue(f: Value, args: readonly Value[]): Value {
  spendOps(1);
  if (f instanceof PyFunction) return f.call(args, null);
  raise("TypeError", `'${typeName(f)}' object is not callable`);
}
