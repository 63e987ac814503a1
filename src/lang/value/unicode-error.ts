/**
 * `str(e)` of UnicodeEncodeError, UnicodeDecodeError and UnicodeTranslateError: CPython writes it from the arguments
 * (codec, object, start, end, reason; the last has no codec), not from one message.
 */
import { Bytes } from "../../datum";
import { escapeCode, strAt, strLength } from "./str";
import type { PyException, Value } from "./value";

/** The text, or null where the exception is none of the three with its arguments. */
export function unicodeErrorText({ className, args }: PyException): string | null {
  if (className === "UnicodeTranslateError") return translateErrorText(args);
  if (args.length !== 5) return null;
  const [codec, object, start, end, reason] = args;
  if (typeof start !== "number" || typeof end !== "number") return null;
  if (className === "UnicodeEncodeError" && typeof object === "string") {
    if (end !== start + 1 || start >= strLength(object))
      return `'${codec}' codec can't encode characters in position ${start}-${end - 1}: ${reason}`;
    const code = strAt(object, start).codePointAt(0)!;
    return `'${codec}' codec can't encode character '${escapeCode(code)}' in position ${start}: ${reason}`;
  }
  if (className === "UnicodeDecodeError" && object instanceof Bytes) {
    if (end !== start + 1 || start >= object.b.length)
      return `'${codec}' codec can't decode bytes in position ${start}-${end - 1}: ${reason}`;
    const byte = object.b[start].toString(16).padStart(2, "0");
    return `'${codec}' codec can't decode byte 0x${byte} in position ${start}: ${reason}`;
  }
  return null;
}

function translateErrorText(args: readonly Value[]): string | null {
  if (args.length !== 4) return null;
  const [object, start, end, reason] = args;
  if (typeof object !== "string" || typeof start !== "number" || typeof end !== "number") return null;
  if (end !== start + 1 || start >= strLength(object)) return `can't translate characters in position ${start}-${end - 1}: ${reason}`;
  return `can't translate character '${escapeCode(strAt(object, start).codePointAt(0)!)}' in position ${start}: ${reason}`;
}
