/**
 * The methods of str that look for a text: find, index, count, startswith, replace, partition, removeprefix …
 *
 * Both sides are well-formed, so a match over UTF-16 units is a match over code points; only positions are converted,
 * and only where the text has pairs.
 */
import { raise } from "./exception";
import { checkChars, spendSteps } from "./meter";
import { typeName } from "./protocol-type";
import { positionOf, strLength, unitOf } from "./str";
import { searchBounds, sizeArgument } from "./str-arguments";
import { PyTuple, type Value } from "./value";

function textArgument(v: Value): string {
  if (typeof v === "string") return v;
  raise("TypeError", `must be str, not ${typeName(v)}`);
}

/** CPython's name of a wrong argument's type in `… must be str, not …`. */
export function wrongType(v: Value): string {
  return v === null ? "None" : typeName(v);
}

export interface Search {
  sub: string;
  /** Units [from, to) in which a match must lie; null where the bounds leave no place even for the empty text. */
  range: { from: number; to: number } | null;
}

function searchOf(text: string, args: readonly Value[]): Search {
  const sub = args[0];
  const bounds = searchBounds(args, () => strLength(text));
  if (typeof sub !== "string") raise("TypeError", `must be str, not ${typeName(sub)}`);
  spendSteps(text.length >> 6);
  if (bounds === null) return { sub, range: { from: 0, to: text.length } };
  if (bounds.end < bounds.start) return { sub, range: null };
  return { sub, range: { from: unitOf(text, bounds.start), to: unitOf(text, bounds.end) } };
}

export const find = (text: string, args: readonly Value[]): number => findIn(text, searchOf(text, args));
export const rfind = (text: string, args: readonly Value[]): number => rfindIn(text, searchOf(text, args));
export const count = (text: string, args: readonly Value[]): number => countIn(text, searchOf(text, args));

/** Code point position of the first match, or -1. */
export function findIn(text: string, { sub, range }: Search): number {
  if (range === null) return -1;
  // A needle that is not there would be sought past the end of the range: cut first where the range is the smaller part.
  const at = range.to === text.length ? text.indexOf(sub, range.from) : offset(text.slice(range.from, range.to).indexOf(sub), range.from);
  return at < 0 || at + sub.length > range.to ? -1 : positionOf(text, at);
}
function offset(at: number, by: number): number {
  return at < 0 ? -1 : at + by;
}

export function rfindIn(text: string, { sub, range }: Search): number {
  if (range === null || range.to - range.from < sub.length) return -1;
  const at =
    range.from === 0 ? text.lastIndexOf(sub, range.to - sub.length) : offset(text.slice(range.from, range.to).lastIndexOf(sub), range.from);
  return at < 0 ? -1 : positionOf(text, at);
}

/** `index` and `rindex`: a position, or ValueError. */
export function found(position: number): number {
  if (position < 0) raise("ValueError", "substring not found");
  return position;
}

export function countIn(text: string, { sub, range }: Search): number {
  if (range === null) return 0;
  const part = range.from === 0 && range.to === text.length ? text : text.slice(range.from, range.to);
  return sub === "" ? strLength(part) + 1 : occurrences(part, sub, Number.POSITIVE_INFINITY);
}

export function occurrences(text: string, sub: string, most: number): number {
  let n = 0;
  for (let at = text.indexOf(sub); at >= 0 && n < most; at = text.indexOf(sub, at + sub.length)) n++;
  return n;
}

/** `startswith` and `endswith`. */
export function hasAffix(name: "startswith" | "endswith", text: string, args: readonly Value[]): boolean {
  const affix = args[0];
  if (args.length === 1 && typeof affix === "string") return name === "startswith" ? text.startsWith(affix) : text.endsWith(affix);
  const bounds = searchBounds(args, () => strLength(text));
  let from = 0;
  let to = text.length;
  const outside = bounds !== null && bounds.end < bounds.start;
  if (bounds !== null && !outside) {
    from = unitOf(text, bounds.start);
    to = unitOf(text, bounds.end);
  }
  const test = (part: string): boolean => {
    if (outside || to - from < part.length) return false;
    return text.startsWith(part, name === "startswith" ? from : to - part.length);
  };
  if (typeof affix === "string") return test(affix);
  if (!(affix instanceof PyTuple)) raise("TypeError", `${name} first arg must be str or a tuple of str, not ${typeName(affix)}`);
  spendSteps(affix.a.length);
  for (const part of affix.a) {
    if (typeof part !== "string") raise("TypeError", `tuple for ${name} must only contain str, not ${typeName(part)}`);
    if (test(part)) return true;
  }
  return false;
}

export function replace(text: string, args: readonly Value[]): string {
  const [old, by] = args;
  if (typeof old !== "string") raise("TypeError", `replace() argument 1 must be str, not ${wrongType(old)}`);
  if (typeof by !== "string") raise("TypeError", `replace() argument 2 must be str, not ${wrongType(by)}`);
  const limit = args.length > 2 ? sizeArgument(args[2]) : -1;
  return replaceText(text, old, by, limit < 0 ? Number.POSITIVE_INFINITY : limit);
}

export function replaceText(text: string, old: string, by: string, most: number): string {
  spendSteps(text.length >> 6);
  if (old === "") return interleave(text, by, most);
  const first = most === 0 ? -1 : text.indexOf(old);
  if (first < 0) return text;
  // Most often there is just one.
  if (most === 1 || text.indexOf(old, first + old.length) < 0) {
    checkChars(text.length + by.length - old.length);
    return text.slice(0, first) + by + text.slice(first + old.length);
  }
  const n = occurrences(text, old, most);
  checkChars(text.length + n * (by.length - old.length));
  const parts: string[] = [];
  let from = 0;
  for (let i = 0; i < n; i++) {
    const at = text.indexOf(old, from);
    parts.push(text.slice(from, at));
    from = at + old.length;
  }
  parts.push(text.slice(from));
  return parts.join(by);
}

/** `replace("", by)`: `by` before each character and at the end, at most `most` times. */
function interleave(text: string, by: string, most: number): string {
  const length = strLength(text);
  const n = Math.min(most, length + 1);
  checkChars(text.length + n * by.length);
  if (n > length) return by + (text === "" ? "" : [...text].join(by) + by);
  const cut = unitOf(text, n);
  return [...text.slice(0, cut)].map((character) => by + character).join("") + text.slice(cut);
}

export function partition(text: string, separator: Value): PyTuple {
  return new PyTuple(partsAround(text, textArgument(separator), "first"));
}

export function rpartition(text: string, separator: Value): PyTuple {
  return new PyTuple(partsAround(text, textArgument(separator), "last"));
}

/** Before, separator, after; where it is absent the text stands first (`first`) or last (`last`). */
export function partsAround(text: string, sep: string, which: "first" | "last"): readonly [string, string, string] {
  if (sep === "") raise("ValueError", "empty separator");
  spendSteps(text.length >> 6);
  const at = which === "first" ? text.indexOf(sep) : text.lastIndexOf(sep);
  if (at < 0) return which === "first" ? [text, "", ""] : ["", "", text];
  return [text.slice(0, at), sep, text.slice(at + sep.length)];
}

export function removePrefix(text: string, prefix: Value): string {
  if (typeof prefix !== "string") raise("TypeError", `removeprefix() argument must be str, not ${wrongType(prefix)}`);
  return withoutPrefix(text, prefix);
}
export function withoutPrefix(text: string, prefix: string): string {
  return text.startsWith(prefix) ? text.slice(prefix.length) : text;
}

export function removeSuffix(text: string, suffix: Value): string {
  if (typeof suffix !== "string") raise("TypeError", `removesuffix() argument must be str, not ${wrongType(suffix)}`);
  return withoutSuffix(text, suffix);
}
export function withoutSuffix(text: string, suffix: string): string {
  return suffix !== "" && text.endsWith(suffix) ? text.slice(0, -suffix.length) : text;
}
