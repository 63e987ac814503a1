/**
 * `*xs` and `**m` in calls and displays: what they take, and what CPython says where they cannot be taken.
 *
 * A call names its callee in the complaint, as `m.f() argument after * must be an iterable, not int`; a display, and a call
 * that gathers several arguments first, does not.
 */
import { LIBRARY } from "../library/library";
import { BoundMethod, PlacedBuiltin } from "../value/builtin-function";
import type { PyDict } from "../value/dict";
import { raise } from "../value/exception";
import { mappingOf } from "../value/mapping";
import { isIterable, takeAll } from "../value/protocol-iterate";
import { str } from "../value/protocol-text";
import { typeName } from "../value/protocol-type";
import { PyFunction, PyType, type Value } from "../value/value";
import { MachineFunction } from "./function";

/** The elements of `*v`. `callee`: what is called, where `*v` is its only positional argument. */
export function takeStarred(v: Value, callee: Value | undefined): Value[] {
  if (isIterable(v)) return takeAll(v);
  raise(
    "TypeError",
    `${callee === undefined ? "Value" : `${calleeText(callee)} argument`} after * must be an iterable, not ${typeName(v)}`,
  );
}

/** The pairs of `**v` in a call. */
export function takeKeywords(v: Value, callee: Value | undefined): PyDict {
  return mappingOf(v) ?? raise("TypeError", `${prefix(callee)}argument after ** must be a mapping, not ${typeName(v)}`);
}

export function keywordTwice(name: string, callee: Value | undefined): never {
  raise("TypeError", `${prefix(callee)}got multiple values for keyword argument '${name}'`);
}

function prefix(callee: Value | undefined): string {
  return callee === undefined ? "" : `${calleeText(callee)} `;
}

/** Where the functions of a served module say they come from, if not from there. */
const HOME: ReadonlyMap<string, string> = new Map([
  ["operator", "_operator"],
  ["functools.reduce", "_functools"],
  ["functools.cmp_to_key", "_functools"],
]);

function calleeText(f: Value): string {
  if (f instanceof MachineFunction) return `${f.code.module}.${f.code.qualname}()`;
  if (f instanceof BoundMethod) return `${typeName(f.self)}.${f.name}()`;
  if (!(f instanceof PyFunction)) return str(f);
  if (f instanceof PlacedBuiltin && f.origin !== null) return calleeText(f.origin);
  for (const [m, members] of LIBRARY)
    if (members.get(f.name) === f) return `${HOME.get(`${m}.${f.name}`) ?? (f instanceof PyType ? m : (HOME.get(m) ?? m))}.${f.name}()`;
  return `${f.name}()`;
}
