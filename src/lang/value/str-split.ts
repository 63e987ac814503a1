/**
 * The methods of str that take a text apart and put it together: split, rsplit, splitlines, strip, join.
 *
 * Every white space and every line break of Unicode 14 is one UTF-16 unit, so the scans go by unit.
 */

import { COLLECTION_ITEMS_MAX } from "../../limits";
import { bindArgs, type Kwargs, parameters } from "./arguments";
import { raise } from "./exception";
import { checkChars, checkGrown, checkItems, spendSteps } from "./meter";
import { mayPause, soon, type Task } from "./pending";
import { isIterable } from "./protocol-iterate";
import { typeName } from "./protocol-type";
import { intArgument, sizeArgument } from "./str-arguments";
import { isLineBreak, isSpace } from "./unicode";
import { PAUSED, PyList, type Value } from "./value";
import { taking } from "./walk";

const SPLIT = parameters("split", "sep maxsplit", 0);
const RSPLIT = parameters("rsplit", "sep maxsplit", 0);
const SPLITLINES = parameters("splitlines", "keepends", 0);

/** What both splits ask: the separator (null for white space) and how many splits at most. */
function splitArguments(p: typeof SPLIT, args: readonly Value[], kwargs: Kwargs): { sep: string | null; most: number } {
  const [sep, maxsplit] = bindArgs(p, args, kwargs);
  const limit = maxsplit === undefined ? -1 : sizeArgument(maxsplit);
  const most = limit < 0 ? Number.POSITIVE_INFINITY : limit;
  if (sep === undefined || sep === null) return { sep: null, most };
  if (typeof sep !== "string") raise("TypeError", `must be str or None, not ${typeName(sep)}`);
  if (sep === "") raise("ValueError", "empty separator");
  return { sep, most };
}

export function split(text: string, args: readonly Value[], kwargs: Kwargs): Value {
  const { sep, most } = splitArguments(SPLIT, args, kwargs);
  spendSteps(text.length >> 4);
  const parts = sep === null ? splitSpace(text, most, isSpace) : splitText(text, sep, most);
  checkItems(parts.length);
  return new PyList(parts);
}

export function rsplit(text: string, args: readonly Value[], kwargs: Kwargs): Value {
  const { sep, most } = splitArguments(RSPLIT, args, kwargs);
  spendSteps(text.length >> 4);
  const parts = sep === null ? rsplitSpace(text, most, isSpace) : rsplitText(text, sep, most);
  checkItems(parts.length);
  return new PyList(parts);
}

/** Keeps a growing list of parts under the limit while it grows. */
function keep(parts: Value[], part: string): void {
  parts.push(part);
  if ((parts.length & 0xffff) === 0) checkGrown(parts.length);
}

export function splitText(text: string, sep: string, most: number): Value[] {
  // All of them, and no more than a list may have: the platform's own way.
  if (most >= text.length && text.length < COLLECTION_ITEMS_MAX) return text.split(sep);
  const parts: Value[] = [];
  let from = 0;
  for (let n = 0; n < most; n++) {
    const at = text.indexOf(sep, from);
    if (at < 0) break;
    keep(parts, text.slice(from, at));
    from = at + sep.length;
  }
  keep(parts, text.slice(from));
  return parts;
}

export function rsplitText(text: string, sep: string, most: number): Value[] {
  const parts: Value[] = [];
  let to = text.length;
  for (let n = 0; n < most; n++) {
    const at = to < sep.length ? -1 : text.lastIndexOf(sep, to - sep.length);
    if (at < 0) break;
    keep(parts, text.slice(at + sep.length, to));
    to = at;
  }
  keep(parts, text.slice(0, to));
  return parts.reverse();
}

export function splitSpace(text: string, most: number, space: (unit: number) => boolean): Value[] {
  const parts: Value[] = [];
  let i = 0;
  for (let n = 0; n < most; n++) {
    while (i < text.length && space(text.charCodeAt(i))) i++;
    if (i === text.length) return parts;
    const from = i;
    while (i < text.length && !space(text.charCodeAt(i))) i++;
    keep(parts, text.slice(from, i));
  }
  while (i < text.length && space(text.charCodeAt(i))) i++;
  if (i < text.length) keep(parts, text.slice(i));
  return parts;
}

export function rsplitSpace(text: string, most: number, space: (unit: number) => boolean): Value[] {
  const parts: Value[] = [];
  let i = text.length;
  for (let n = 0; n < most; n++) {
    while (i > 0 && space(text.charCodeAt(i - 1))) i--;
    if (i === 0) return parts.reverse();
    const to = i;
    while (i > 0 && !space(text.charCodeAt(i - 1))) i--;
    keep(parts, text.slice(i, to));
  }
  while (i > 0 && space(text.charCodeAt(i - 1))) i--;
  if (i > 0) keep(parts, text.slice(0, i));
  return parts.reverse();
}

export function splitlines(text: string, args: readonly Value[], kwargs: Kwargs): Value {
  const [keepends] = bindArgs(SPLITLINES, args, kwargs);
  const parts = splitLines(text, keepends !== undefined && intArgument(keepends) !== 0, isLineBreak);
  checkItems(parts.length);
  return new PyList(parts);
}

export function splitLines(text: string, withEnds: boolean, breaks: (unit: number) => boolean): Value[] {
  spendSteps(text.length >> 4);
  const parts: Value[] = [];
  let from = 0;
  for (let i = 0; i < text.length; ) {
    const unit = text.charCodeAt(i);
    if (!breaks(unit)) {
      i++;
      continue;
    }
    const next = i + (unit === 13 && text.charCodeAt(i + 1) === 10 ? 2 : 1);
    keep(parts, text.slice(from, withEnds ? next : i));
    from = i = next;
  }
  if (from < text.length) keep(parts, text.slice(from));
  return parts;
}

/** `strip`, `lstrip`, `rstrip`: which ends are asked. */
export function strip(name: string, text: string, chars: Value, left: boolean, right: boolean): string {
  if (chars !== null && typeof chars !== "string") raise("TypeError", `${name} arg must be None or str`);
  return stripText(text, chars, left, right, isSpace);
}

/** `chars` null strips white space. */
export function stripText(text: string, chars: string | null, left: boolean, right: boolean, space: (unit: number) => boolean): string {
  let from = 0;
  let to = text.length;
  if (chars === null) {
    if (left) while (from < to && space(text.charCodeAt(from))) from++;
    if (right) while (to > from && space(text.charCodeAt(to - 1))) to--;
  } else {
    spendSteps(chars.length >> 4);
    const set = new Set<number>();
    for (const character of chars) set.add(character.codePointAt(0)!);
    if (left) {
      while (from < to) {
        const code = text.codePointAt(from)!;
        if (!set.has(code)) break;
        from += code > 0xffff ? 2 : 1;
      }
    }
    if (right) {
      while (to > from) {
        const width = to - from > 1 && (text.charCodeAt(to - 1) & 0xfc00) === 0xdc00 ? 2 : 1;
        if (!set.has(text.codePointAt(to - width)!)) break;
        to -= width;
      }
    }
  }
  spendSteps((text.length - (to - from)) >> 4);
  return text.slice(from, to);
}

/** Joins the elements that `join` is given. */
export function joining(iterable: Value, of: (items: readonly Value[]) => Value | Task): Value | Task {
  if (!isIterable(iterable)) raise("TypeError", "can only join an iterable");
  return taking(iterable, of);
}

export function join(separator: string, iterable: Value): Value | Task {
  return joining(iterable, (items) => joinItems(separator, items));
}
/** Texts that are joined at once, and what each is in steps: about a third of a millisecond together. */
const JOINED_AT_ONCE = 4096;
const STEPS_A_TEXT = 0.5;

function joinItems(separator: string, items: readonly Value[]): Value | Task {
  let units = items.length > 1 ? separator.length * (items.length - 1) : 0;
  for (let i = 0; i < items.length; i++) {
    const item = items[i];
    if (typeof item !== "string") raise("TypeError", `sequence item ${i}: expected str instance, ${typeName(item)} found`);
    units += item.length;
  }
  checkChars(units);
  if (items.length === 1) return items[0] as string;
  if (items.length <= JOINED_AT_ONCE) return (items as string[]).join(separator);
  const joined: string[] = [];
  return soon(() => {
    for (let from = joined.length * JOINED_AT_ONCE; from < items.length; from += JOINED_AT_ONCE) {
      joined.push((items.slice(from, from + JOINED_AT_ONCE) as string[]).join(separator));
      spendSteps(JOINED_AT_ONCE * STEPS_A_TEXT);
      if (mayPause()) return PAUSED;
    }
    return joined.join(separator);
  }, joined);
}
