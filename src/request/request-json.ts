/**
 * Values of the request endpoint: JSON, with integers exact as far as 64 bits go.
 *
 * An integer beyond 2^53 is a `bigint` and stands in JSON text with all its digits; who reads it with a parser that
 * rounds has been given the right digits all the same.
 */
import { setMember } from "../lang/ops/object-member";
import type { OpsValue } from "../lang/ops/ops";
import { PrevRef } from "../lang/ops/ops";

export type RequestJson = null | boolean | number | bigint | string | readonly RequestJson[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: RequestJson;
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function isJsonArray(value: RequestJson): value is readonly RequestJson[] {
  return Array.isArray(value);
}

export function jsonText(value: RequestJson): string {
  try {
    return JSON.stringify(value);
  } catch (thrown) {
    if (!(thrown instanceof TypeError)) throw thrown;
    return exactText(value); // what `JSON.stringify` cannot write is a bigint
  }
}

function exactText(value: RequestJson): string {
  if (typeof value === "bigint") return value.toString();
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (isJsonArray(value)) return `[${value.map(exactText).join(",")}]`;
  const members: string[] = [];
  for (const [key, member] of Object.entries(value as JsonObject)) {
    if (member !== undefined) members.push(`${JSON.stringify(key)}:${exactText(member)}`);
  }
  return `{${members.join(",")}}`;
}

/** How deep arrays and objects nest; counting stops past `most`. */
export function depthOf(value: RequestJson, most: number): number {
  if (typeof value !== "object" || value === null) return 0;
  if (most === 0) return 1;
  let deepest = 0;
  for (const member of isJsonArray(value) ? value : Object.values(value as JsonObject)) {
    deepest = Math.max(deepest, depthOf(member, most - 1));
    if (deepest >= most) break;
  }
  return deepest + 1;
}

/** A value without references as it is; a reference as `resolve` says. */
export function resolveValue(value: OpsValue, resolve: (ref: PrevRef) => RequestJson): RequestJson {
  if (typeof value !== "object" || value === null) return value;
  if (value instanceof PrevRef) return resolve(value);
  if (Array.isArray(value)) return value.map((item) => resolveValue(item, resolve));
  const object: { [key: string]: RequestJson } = {};
  for (const [key, member] of Object.entries(value)) setMember(object, key, resolveValue(member, resolve));
  return object;
}
