/** Exception classes of the served modules: `json.JSONDecodeError`, `re.error`, `statistics.StatisticsError`. */
import { EXCEPTION_TYPES } from "../builtins/exception-types";
import { serveType } from "../builtins/types";
import type { BuiltinBody } from "../value/builtin-function";
import { isExceptionSubclass } from "../value/exception";
import { PyException, type Value } from "../value/value";
import { type LibraryType, ServedType } from "./type";

/** `qualified` as `repr` shows it; its last part is the class's name in the hierarchy of value/exception.ts. */
export function exceptionType(qualified: string, parent: string, construct: BuiltinBody): LibraryType {
  const name = qualified.slice(qualified.lastIndexOf(".") + 1);
  const test = (v: Value): boolean => v instanceof PyException && isExceptionSubclass(v.className, name);
  const type = new ServedType(qualified, test, construct, EXCEPTION_TYPES.get(parent) ?? null);
  serveType(name, type);
  return type;
}

/** Line, column and text of a complaint at a position that counts code points: what `json` and `re` tell alike. */
export function placeIn(document: readonly string[], at: number): { line: number; column: number } {
  const before = document.slice(0, at);
  return { line: before.filter((c) => c === "\n").length + 1, column: at - before.lastIndexOf("\n") };
}

/** An exception of a served module, its one argument the text. */
export function libraryException(className: string, text: string, attributes: readonly (readonly [string, Value])[]): PyException {
  return new PyException(className, [text], null, null, new Map(attributes));
}
