/** Data attributes of exceptions: `e.args`, and of refusals `e.reason` and `e.hint` (rulings, "What a refusal carries"). */
import { oneArg } from "./arguments";
import type { Method } from "./attribute";
import { isExceptionSubclass, raise } from "./exception";
import { typeName } from "./protocol-type";
import { type PyException, PyList, PyTuple, type Value } from "./value";

type Read = (e: PyException) => Value | undefined;

const ofRefusal =
  (read: (e: PyException) => Value): Read =>
  (e) =>
    isExceptionSubclass(e.className, "Refusal") ? read(e) : undefined;

/** The five arguments of UnicodeEncodeError and UnicodeDecodeError, and the four of UnicodeTranslateError, by name. */
const PARTS: ReadonlyMap<string, readonly string[]> = new Map([
  ["UnicodeEncodeError", ["encoding", "object", "start", "end", "reason"]],
  ["UnicodeDecodeError", ["encoding", "object", "start", "end", "reason"]],
  ["UnicodeTranslateError", ["object", "start", "end", "reason"]],
]);
function partOf(e: PyException, name: string): Value | undefined {
  const at = PARTS.get(e.className)?.indexOf(name) ?? -1;
  return at < 0 ? undefined : e.args[at];
}

export const EXCEPTION_METHODS: ReadonlyMap<string, Method> = new Map<string, Method>([
  [
    "add_note",
    (self: PyException, args, kwargs) => {
      const note = oneArg("BaseException.add_note", args, kwargs);
      if (typeof note !== "string") raise("TypeError", `note must be a str, not '${typeName(note)}'`);
      self.notes ??= new PyList([]);
      self.notes.a.push(note);
      return null;
    },
  ],
]);

export const EXCEPTION_PROPERTIES: ReadonlyMap<string, Read> = new Map<string, Read>([
  ["args", (e) => new PyTuple(e.args)],
  ["reason", (e) => partOf(e, "reason") ?? ofRefusal((x) => x.reason)(e)],
  ["hint", ofRefusal((e) => e.hint)],
  ["__cause__", (e) => e.cause],
  ["__context__", (e) => e.context],
  ["__suppress_context__", (e) => e.suppressContext],
  ["__notes__", (e) => e.notes ?? undefined],
  ...["encoding", "object", "start", "end"].map((name): [string, Read] => [name, (e) => partOf(e, name)]),
  ["value", (e) => (e.className === "StopIteration" ? (e.args.length > 0 ? e.args[0] : null) : undefined)],
]);
