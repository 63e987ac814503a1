/**
 * What may stand where Python asks for a mapping: `dict(m)`, `f(**m)`, `{**m}`, `d.update(m)`. A dict is one, and so is a
 * value of a served module that brings its pairs (`PyNative.asDict`).
 */
import { PyDict } from "./dict";
import { isExceptionSubclass } from "./exception";
import { getItem } from "./protocol-item";
import { type PyException, PyNative, Raised, type Value } from "./value";

export function isMapping(v: Value): boolean {
  return v instanceof PyDict || (v instanceof PyNative && v.asDict !== undefined);
}

/** The mapping as a dict, which may be the very one it is; null where it is none. */
export function mappingOf(v: Value): PyDict | null {
  if (v instanceof PyDict) return v;
  return v instanceof PyNative && v.asDict !== undefined ? v.asDict() : null;
}

/** `m[key]`; undefined where that raises `absent`. */
export function lookUp(m: Value, key: Value, absent: "KeyError" | "LookupError" = "KeyError"): Value | undefined {
  if (m instanceof PyDict) {
    const there = m.get(key);
    if (there !== undefined || m.typeName === "dict") return there;
  }
  try {
    return getItem(m, key);
  } catch (thrown) {
    takenFor(thrown, absent);
    return undefined;
  }
}

/** The exception where it is of that class, which is taken for an answer; anything else is thrown again. */
export function takenFor(thrown: unknown, className: string): PyException {
  if (!(thrown instanceof Raised) || !isExceptionSubclass(thrown.exception.className, className)) throw thrown;
  thrown.taken?.();
  return thrown.exception;
}
