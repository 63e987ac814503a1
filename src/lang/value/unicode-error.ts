/**
 * `str(e)` of UnicodeEncodeError and UnicodeDecodeError: CPython writes it from the five arguments
 * (codec, object, start, end, reason), not from one message.
 */
import { Bytes } from "../../datum";
import { escapeCode, strAt, strLength } from "./str";
import type { PyException } from "./value";

/** The text, or null where the exception is none of the two with its five arguments. */
export function unicodeErrorText({ className, args }: PyException): string | null {
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
