/** Data attributes of exceptions: `e.args`, and of refusals `e.reason` and `e.hint` (rulings, "What a refusal carries"). */
import { isExceptionSubclass } from "./exception";
import { type PyException, PyTuple, type Value } from "./value";

type Read = (e: PyException) => Value | undefined;

const ofRefusal =
  (read: (e: PyException) => Value): Read =>
  (e) =>
    isExceptionSubclass(e.className, "Refusal") ? read(e) : undefined;

export const EXCEPTION_PROPERTIES: ReadonlyMap<string, Read> = new Map<string, Read>([
  ["args", (e) => new PyTuple(e.args)],
  ["reason", ofRefusal((e) => e.reason)],
  ["hint", ofRefusal((e) => e.hint)],
  ["__cause__", (e) => e.cause],
  ["__context__", (e) => e.context],
  ["value", (e) => (e.className === "StopIteration" ? (e.args.length > 0 ? e.args[0] : null) : undefined)],
]);
