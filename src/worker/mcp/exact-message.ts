/**
 * A message with its integers as they were written: the platform's reader gives 2^53 + 1 as 2^53.
 *
 * Nearly no message has such an integer, and none pays for those that have: the text is read again only where a number in it
 * was not told exactly. Depth is bounded before that, since the exact reader is recursive.
 */
import { readJson } from "../../lang/ops/exact-json";
import { OPS_LIMITS } from "../../lang/ops/ops";
import { OpsProblem } from "../../lang/ops/ops-fault";
import { depthOf, type RequestJson } from "../../request/request-json";

const MANY_DIGITS = /[0-9]{16}/;

/** Throws as `JSON.parse` does. An integer that 64 bits hold and a double does not is a `bigint`. */
export function readExactly(text: string): unknown {
  const value: unknown = JSON.parse(text);
  if (!MANY_DIGITS.test(text) || isDeep(value) || !hasRounded(value)) return value;
  try {
    return readJson(text);
  } catch (thrown) {
    if (thrown instanceof OpsProblem) return value; // half a surrogate pair: read as the platform reads it
    throw thrown;
  }
}

/** Deeper than any message that is served. */
function isDeep(value: unknown): boolean {
  return depthOf(value as RequestJson, OPS_LIMITS.max_depth + 1) > OPS_LIMITS.max_depth;
}

/** Whether a number may not be the one that was written. */
function hasRounded(value: unknown): boolean {
  if (typeof value === "number") return Number.isInteger(value) && !Number.isSafeInteger(value);
  if (typeof value !== "object" || value === null) return false;
  return Object.values(value).some(hasRounded);
}
