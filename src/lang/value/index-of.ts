/** What may stand where Python wants an index: ints and bools (`__index__`), with CPython's TypeErrors. */
import type { Int } from "../../datum";
import { raise } from "./exception";
import { typeName } from "./protocol-type";
import { PyNative, type Value } from "./value";

/** The int that `v` is, undefined where it is none. */
export function intOf(v: Value): Int | undefined {
  if (typeof v === "number" || typeof v === "bigint") return v;
  if (typeof v === "boolean") return v ? 1 : 0;
  return v instanceof PyNative ? v.asInt?.() : undefined;
}

/** `operator.index(v)`. */
export function indexOf(v: Value): Int {
  const n = intOf(v);
  if (n !== undefined) return n;
  raise("TypeError", `'${typeName(v)}' object cannot be interpreted as an integer`);
}

/** An index that must fit a C ssize_t; `overflow` names the exception where it does not. */
export function sizeOf(v: Value, overflow: "IndexError" | "OverflowError" = "OverflowError"): number {
  const n = indexOf(v);
  if (n > 9223372036854775807n || n < -9223372036854775808n)
    raise(
      overflow,
      overflow === "IndexError"
        ? `cannot fit '${typeName(v)}' into an index-sized integer`
        : "Python int too large to convert to C ssize_t",
    );
  // A bigint here lies past every length, so its nearest double serves.
  return Number(n);
}

/** `sizeOf`, but values past the range are clipped to it: what slices and `index(x, start)` do. */
export function clippedOf(v: Value): number {
  const n = indexOf(v);
  return n > 9223372036854775807n ? Number.MAX_SAFE_INTEGER : n < -9223372036854775808n ? Number.MIN_SAFE_INTEGER : Number(n);
}
