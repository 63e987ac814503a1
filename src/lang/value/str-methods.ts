/**
 * `STR_METHODS`: every method of str, by name. What each does lives beside (`str-case.ts`, `str-search.ts` …);
 * here is only how it takes its arguments.
 */

import { bindArgs, type Kwargs, noKeywords, parameters } from "./arguments";
import type { Method } from "./attribute";
import { encodeText } from "./encoding";
import { raise } from "./exception";
import { formatMap, formatMethod } from "./format-template";
import type { Task } from "./pending";
import { plainMethod, positionalMethod, searchMethod, unaryMethod } from "./str-arguments";
import { capitalize, casefold, lower, swapcase, title, upper } from "./str-case";
import { center, expandtabs, ljust, rjust, zfill } from "./str-pad";
import { count, find, found, hasAffix, partition, removePrefix, removeSuffix, replace, rfind, rpartition, wrongType } from "./str-search";
import { join, rsplit, split, splitlines, strip } from "./str-split";
import {
  isAlnum,
  isAlpha,
  isAsciiText,
  isDecimal,
  isDigit,
  isIdentifierText,
  isLower,
  isNumeric,
  isPrintableText,
  isSpaceText,
  isTitle,
  isUpper,
} from "./str-test";
import { maketrans, translate } from "./str-translate";
import type { Value } from "./value";

const plain = (name: string, of: (text: string) => Value): [string, Method] => [name, plainMethod(`str.${name}`, of)];
const unary = (name: string, of: (text: string, argument: Value) => Value | Task): [string, Method] => [
  name,
  unaryMethod(`str.${name}`, of),
];
const positional = (name: string, min: number, max: number, of: (text: string, args: readonly Value[]) => Value): [string, Method] => [
  name,
  positionalMethod(`str.${name}`, min, max, of),
];
const search = (name: string, of: (text: string, args: readonly Value[]) => Value): [string, Method] => [
  name,
  searchMethod(`str.${name}`, of),
];

const ENCODE = parameters("encode", "encoding errors", 0);

/** The two texts of `encode` and `decode`, and of `bytes(text, encoding, errors)`. */
export function codecArgument(method: string, name: string, v: Value | undefined): string | undefined {
  if (v === undefined) return undefined;
  if (typeof v !== "string") raise("TypeError", `${method}() argument '${name}' must be str, not ${wrongType(v)}`);
  if (v.includes("\0")) raise("ValueError", "embedded null character");
  return v;
}

function encode(text: string, args: readonly Value[], kwargs: Kwargs): Value {
  const [encoding, errors] = bindArgs(ENCODE, args, kwargs);
  const name = codecArgument("encode", "encoding", encoding);
  return encodeText(text, name, codecArgument("encode", "errors", errors));
}

export const STR_METHODS: ReadonlyMap<string, Method> = new Map<string, Method>([
  plain("capitalize", capitalize),
  plain("casefold", casefold),
  positional("center", 1, 2, center),
  search("count", count),
  ["encode", encode],
  search("endswith", (text, args) => hasAffix("endswith", text, args)),
  ["expandtabs", expandtabs],
  search("find", find),
  ["format", (text: string, args, kwargs) => formatMethod(text, args, kwargs)],
  unary("format_map", formatMap),
  search("index", (text, args) => found(find(text, args))),
  plain("isalnum", isAlnum),
  plain("isalpha", isAlpha),
  plain("isascii", isAsciiText),
  plain("isdecimal", isDecimal),
  plain("isdigit", isDigit),
  plain("isidentifier", isIdentifierText),
  plain("islower", isLower),
  plain("isnumeric", isNumeric),
  plain("isprintable", isPrintableText),
  plain("isspace", isSpaceText),
  plain("istitle", isTitle),
  plain("isupper", isUpper),
  unary("join", join),
  positional("ljust", 1, 2, ljust),
  plain("lower", lower),
  positional("lstrip", 0, 1, (text, [chars]) => strip("lstrip", text, chars ?? null, true, false)),
  positional("maketrans", 1, 3, (_text, args) => maketrans(args)),
  unary("partition", partition),
  unary("removeprefix", removePrefix),
  unary("removesuffix", removeSuffix),
  positional("replace", 2, 3, replace),
  search("rfind", rfind),
  search("rindex", (text, args) => found(rfind(text, args))),
  positional("rjust", 1, 2, rjust),
  unary("rpartition", rpartition),
  ["rsplit", rsplit],
  positional("rstrip", 0, 1, (text, [chars]) => strip("rstrip", text, chars ?? null, false, true)),
  ["split", split],
  ["splitlines", splitlines],
  search("startswith", (text, args) => hasAffix("startswith", text, args)),
  positional("strip", 0, 1, (text, [chars]) => strip("strip", text, chars ?? null, true, true)),
  plain("swapcase", swapcase),
  plain("title", title),
  unary("translate", translate),
  plain("upper", upper),
  unary("zfill", zfill),
]);

/** `str.maketrans(…)` called on the type. */
export function strMaketrans(args: readonly Value[], kwargs: Kwargs): Value {
  noKeywords("str.maketrans", kwargs);
  return STR_METHODS.get("maketrans")!("", args, kwargs);
}
