/**
 * How the served modules write their members: functions with CPython's argument checks, and types.
 *
 * `qualified` is the function's name as its complaints spell it (`math.sqrt`, `_operator.add`); the last part is its
 * `__name__`.
 */
import { oneArg, positional } from "../value/arguments";
import { Builtin, type BuiltinBody } from "../value/builtin-function";
import type { Task } from "../value/pending";
import type { Value } from "../value/value";

export type Member = readonly [name: string, value: Value];

const bare = (qualified: string): string => qualified.slice(qualified.lastIndexOf(".") + 1);

/** A function that looks at its arguments itself. */
export function functionMember(name: string, body: BuiltinBody): Member {
  return [name, new Builtin(name, body)];
}

/** METH_O. */
export function unaryMember(qualified: string, of: (v: Value) => Value): Member {
  return functionMember(bare(qualified), (args, kwargs) => of(oneArg(qualified, args, kwargs)));
}

/** METH_FASTCALL: from `min` to `max` positional arguments. */
export function positionalMember(qualified: string, min: number, max: number, of: (args: readonly Value[]) => Value | Task): Member {
  return functionMember(bare(qualified), (args, kwargs) => {
    positional(qualified, args, kwargs, min, max);
    return of(args);
  });
}
