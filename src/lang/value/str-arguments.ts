/**
 * How the methods of str and bytes take their arguments: the conversions CPython's argument parser makes, the
 * `find(sub, start, end)` convention, and wrappers that turn a plain function into a `Method`.
 *
 * Counts and keywords are checked by arguments.ts; only the one wording it lacks (`PyArg_ParseTuple`'s) is here.
 */
import { noArgs, oneArg, positional } from "./arguments";
import type { Method } from "./attribute";
import { raise } from "./exception";
import { indexOf, intOf, sizeOf } from "./index-of";
import type { Task } from "./pending";
import type { Value } from "./value";

/** METH_NOARGS. */
export function plainMethod<Self>(qualified: string, of: (self: Self) => Value): Method {
  return (self, args, kwargs) => {
    if (args.length !== 0 || kwargs !== null) noArgs(qualified, args, kwargs);
    return of(self);
  };
}

/** METH_O. */
export function unaryMethod<Self>(qualified: string, of: (self: Self, argument: Value) => Value | Task): Method {
  return (self, args, kwargs) => of(self, oneArg(qualified, args, kwargs));
}

/** METH_FASTCALL: from `min` to `max` positional arguments. */
export function positionalMethod<Self>(
  qualified: string,
  min: number,
  max: number,
  of: (self: Self, args: readonly Value[]) => Value,
): Method {
  return (self, args, kwargs) => {
    positional(qualified, args, kwargs, min, max);
    return of(self, args);
  };
}

/** METH_VARARGS with `PyArg_ParseTuple`: `find() takes at least 1 argument (0 given)`. */
export function searchMethod<Self>(qualified: string, of: (self: Self, args: readonly Value[]) => Value): Method {
  const bare = qualified.slice(qualified.indexOf(".") + 1);
  return (self, args, kwargs) => {
    if (kwargs !== null && kwargs.size > 0) raise("TypeError", `${qualified}() takes no keyword arguments`);
    if (args.length < 1) raise("TypeError", `${bare}() takes at least 1 argument (0 given)`);
    if (args.length > 3) raise("TypeError", `${bare}() takes at most 3 arguments (${args.length} given)`);
    return of(self, args);
  };
}

/** A `Py_ssize_t`. */
export const sizeArgument = (v: Value): number => sizeOf(v);

/** A C `int`. */
export function intArgument(v: Value): number {
  const n = Number(indexOf(v));
  if (n > 0x7fffffff || n < -0x80000000) raise("OverflowError", "Python int too large to convert to C int");
  return n;
}

/** Start and end of a search, clamped to [0, length] as `ADJUST_INDICES` does; `start` may pass the end. */
export function searchBounds(args: readonly Value[], length: () => number): { start: number; end: number } | null {
  if (args.length === 1) return null;
  const start = sliceBound(args[1], 0);
  const end = sliceBound(args.length > 2 ? args[2] : null, Number.MAX_SAFE_INTEGER);
  const size = length();
  return { start: fromEnd(start, size), end: end > size ? size : fromEnd(end, size) };
}
function fromEnd(n: number, size: number): number {
  return n < 0 ? Math.max(n + size, 0) : n;
}
function sliceBound(v: Value, absent: number): number {
  if (v === null) return absent;
  if (typeof v === "number") return v;
  if (typeof v === "boolean") return v ? 1 : 0;
  if (typeof v === "bigint") return v < 0n ? -Number.MAX_SAFE_INTEGER : Number.MAX_SAFE_INTEGER;
  if (intOf(v) !== undefined) return Number(intOf(v));
  raise("TypeError", "slice indices must be integers or None or have an __index__ method");
}
