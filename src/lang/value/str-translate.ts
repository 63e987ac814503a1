/**
 * `str.translate` and `str.maketrans`: a table from code point to what stands for it.
 *
 * Any value with subscripts is a table; each code point is looked up once a call.
 */

import { PyDict } from "./dict";
import { raise } from "./exception";
import { lookUp } from "./mapping";
import { checkChars, spendSteps } from "./meter";
import { chrText, codePoints } from "./str";
import { wrongType } from "./str-search";
import type { Value } from "./value";

function replacement(table: Value, code: number, character: string): string {
  const mapped = lookUp(table, code, "LookupError");
  if (mapped === undefined) return character;
  if (mapped === null) return "";
  if (typeof mapped === "string") return mapped;
  const n = typeof mapped === "boolean" ? Number(mapped) : mapped;
  if (typeof n !== "number" && typeof n !== "bigint") raise("TypeError", "character mapping must return integer, None or str");
  if (n < 0 || n > 0x10ffff) raise("ValueError", "character mapping must be in range(0x110000)");
  return chrText(Number(n));
}

export function translate(text: string, table: Value): string {
  spendSteps(text.length);
  const known = new Map<number, string>();
  const parts: string[] = [];
  let units = 0;
  for (const character of text) {
    const code = character.codePointAt(0)!;
    let mapped = known.get(code);
    if (mapped === undefined) {
      mapped = replacement(table, code, character);
      known.set(code, mapped);
    }
    units += mapped.length;
    if ((parts.push(mapped) & 0xffff) === 0) checkChars(units);
  }
  checkChars(units);
  return parts.join("");
}

/** `str.maketrans(…)`, one to three arguments, already counted. */
export function maketrans(args: readonly Value[]): PyDict {
  const table = new PyDict();
  const [x, y, z] = args;
  if (args.length === 1) {
    if (!(x instanceof PyDict) || x.typeName !== "dict") raise("TypeError", "if you give only one argument to maketrans it must be a dict");
    for (const [key, value] of x.entries()) {
      if (typeof key === "string") {
        const code = key.codePointAt(0);
        if (code === undefined || key.length !== (code > 0xffff ? 2 : 1))
          raise("ValueError", "string keys in translate table must be of length 1");
        table.set(code, value);
      } else if (typeof key === "number" || typeof key === "bigint" || typeof key === "boolean") table.set(key, value);
      else raise("TypeError", "keys in translate table must be strings or integers");
    }
    return table;
  }
  if (typeof y !== "string") raise("TypeError", `maketrans() argument 2 must be str, not ${wrongType(y)}`);
  if (args.length > 2 && typeof z !== "string") raise("TypeError", `maketrans() argument 3 must be str, not ${wrongType(z)}`);
  if (typeof x !== "string") raise("TypeError", "first maketrans argument must be a string if there is a second argument");
  const from = codePoints(x);
  const to = codePoints(y);
  if (from.length !== to.length) raise("ValueError", "the first two maketrans arguments must have equal length");
  spendSteps(from.length);
  for (let i = 0; i < from.length; i++) table.set(from[i], to[i]);
  if (typeof z === "string") for (const code of codePoints(z)) table.set(code, null);
  return table;
}
