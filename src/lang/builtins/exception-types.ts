/** The exception classes as values: callable, and the order of inheritance of value/exception.ts. */
import { makeException } from "../value/detailed-exceptions";
import { EXCEPTION_PARENT, isExceptionSubclass, raise } from "../value/exception";
import { PyException } from "../value/value";
import { BuiltinType } from "./builtin-type";

/** Every class a program can name, by name. */
export const EXCEPTION_TYPES: ReadonlyMap<string, BuiltinType> = makeTypes();

function makeTypes(): ReadonlyMap<string, BuiltinType> {
  const types = new Map<string, BuiltinType>();
  // Parents come first in the table.
  for (const [name, parent] of EXCEPTION_PARENT)
    types.set(
      name,
      new BuiltinType(
        name,
        (args, kwargs) => {
          if (kwargs !== null && kwargs.size > 0) raise("TypeError", `${name}() takes no keyword arguments`);
          if (isUnicodeDetail(name)) checkDetail(name, args.length);
          return makeException(name, args);
        },
        (v) => v instanceof PyException && isExceptionSubclass(v.className, name),
        types.get(parent) ?? null,
      ),
    );
  return types;
}

function isUnicodeDetail(name: string): boolean {
  return name === "UnicodeDecodeError" || name === "UnicodeEncodeError" || name === "UnicodeTranslateError";
}

function checkDetail(name: string, count: number): void {
  const wanted = name === "UnicodeTranslateError" ? 4 : 5;
  if (count !== wanted) raise("TypeError", `function takes exactly ${wanted} arguments (${count} given)`);
}
