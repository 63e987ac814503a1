/** DKE's own `datetime` and `duration` as values (rulings, "datetime and duration"). */
import { Datetime, Duration, Float, type Int } from "../../datum";
import { checkCount, noKeywords } from "../value/arguments";
import { DURATION_UNITS, datetimeOf, durationFromParts, durationOf } from "../value/datetime";
import { raise } from "../value/exception";
import { typeName } from "../value/protocol-type";
import { BuiltinType } from "./builtin-type";

export const DATETIME = new BuiltinType(
  "datetime",
  (args, kwargs) => {
    noKeywords("datetime", kwargs);
    checkCount("datetime", args.length, 1, 1);
    const [text] = args;
    if (text instanceof Datetime) return text;
    if (typeof text !== "string")
      raise("TypeError", `datetime() argument must be a text like "2026-01-01T00:00:00Z", not '${typeName(text)}'`);
    return datetimeOf(text);
  },
  (v) => v instanceof Datetime,
);

export const DURATION = new BuiltinType(
  "duration",
  (args, kwargs) => {
    if (args.length > 0 && kwargs !== null && kwargs.size > 0) raise("TypeError", "duration() takes a text or keyword arguments, not both");
    checkCount("duration", args.length, 0, 1);
    if (args.length === 1) {
      const [text] = args;
      if (text instanceof Duration) return text;
      if (typeof text !== "string") raise("TypeError", `duration() argument must be a text like "PT1H", not '${typeName(text)}'`);
      return durationOf(text);
    }
    const parts = new Map<string, Int | Float>();
    for (const [unit, count] of kwargs ?? []) {
      if (!DURATION_UNITS.has(unit)) raise("TypeError", `'${unit}' is an invalid keyword argument for duration()`);
      if (typeof count === "boolean") parts.set(unit, count ? 1 : 0);
      else if (typeof count === "number" || typeof count === "bigint" || count instanceof Float) parts.set(unit, count);
      else raise("TypeError", `duration() argument '${unit}' must be a number, not '${typeName(count)}'`);
    }
    if (parts.size === 0) raise("TypeError", "duration() expected a text or keyword arguments, got none");
    return durationFromParts(parts);
  },
  (v) => v instanceof Duration,
);
