/**
 * `BYTES_METHODS`: every method of bytes, and `bytes.fromhex`, `bytes.maketrans`.
 *
 * Bytes are searched, split and filled as a text of one character a byte, by the very code that does it for str
 * (str-search.ts, str-split.ts, str-pad.ts); what is letter, digit or space is ASCII's. Only argument checks and
 * messages are bytes' own.
 */
import { Bytes } from "../../datum";
import { bindArgs, type Kwargs, oneArg, parameters, positional } from "./arguments";
import type { Method } from "./attribute";
import { byteValue } from "./bytes";
import { decodeBytes, latin1Bytes, latin1Text } from "./encoding";
import { raise } from "./exception";
import { checkChars, checkItems, spendSteps } from "./meter";
import type { Task } from "./pending";
import { length } from "./protocol-iterate";
import { typeName } from "./protocol-type";
import { intArgument, plainMethod, positionalMethod, searchBounds, searchMethod, sizeArgument, unaryMethod } from "./str-arguments";
import { codecArgument } from "./str-methods";
import { CENTER, expandTabs, LEFT, padText, RIGHT, type Share, zfill } from "./str-pad";
import { countIn, findIn, partsAround, replaceText, rfindIn, type Search, withoutPrefix, withoutSuffix, wrongType } from "./str-search";
import { joining, rsplitSpace, rsplitText, splitLines, splitSpace, splitText, stripText } from "./str-split";
import { PyList, PyTuple, type Value } from "./value";

const text = (bytes: Bytes): string => {
  spendSteps(bytes.b.length >> 4);
  return latin1Text(bytes.b);
};
const made = (latin1: string): Bytes => new Bytes(latin1Bytes(latin1));
const list = (parts: readonly Value[]): PyList => {
  checkItems(parts.length);
  return new PyList(parts.map((part) => made(part as string)));
};

/** An argument that must be bytes, as a text. */
function like(v: Value): string {
  if (v instanceof Bytes) return text(v);
  raise("TypeError", `a bytes-like object is required, not '${typeName(v)}'`);
}

// ---- letters

const isUpperByte = (byte: number): boolean => byte >= 65 && byte <= 90;
const isLowerByte = (byte: number): boolean => byte >= 97 && byte <= 122;
const isLetter = (byte: number): boolean => isUpperByte(byte) || isLowerByte(byte);
const isDigitByte = (byte: number): boolean => byte >= 48 && byte <= 57;
const isSpaceByte = (byte: number): boolean => byte === 32 || (byte >= 9 && byte <= 13);
const isBreakByte = (byte: number): boolean => byte === 10 || byte === 13;

function map({ b }: Bytes, of: (byte: number, at: number) => number): Bytes {
  spendSteps(b.length >> 4);
  return new Bytes(b.map(of));
}
const lowered = (byte: number): number => (isUpperByte(byte) ? byte + 32 : byte);
const raised = (byte: number): number => (isLowerByte(byte) ? byte - 32 : byte);

function title(bytes: Bytes): Bytes {
  let afterLetter = false;
  return map(bytes, (byte) => {
    const mapped = afterLetter ? lowered(byte) : raised(byte);
    afterLetter = isLetter(byte);
    return mapped;
  });
}

const every = ({ b }: Bytes, test: (byte: number) => boolean): boolean => b.length > 0 && b.every((byte) => test(byte));
const cased = ({ b }: Bytes, wanted: (byte: number) => boolean, never: (byte: number) => boolean): boolean =>
  b.some((byte) => wanted(byte)) && !b.some((byte) => never(byte));

function isTitle({ b }: Bytes): boolean {
  let found = false;
  let afterLetter = false;
  for (const byte of b) {
    if ((isUpperByte(byte) && afterLetter) || (isLowerByte(byte) && !afterLetter)) return false;
    afterLetter = isLetter(byte);
    found ||= afterLetter;
  }
  return found;
}

// ---- search

function searchOf(bytes: Bytes, args: readonly Value[]): Search {
  const size = bytes.b.length;
  const bounds = searchBounds(args, () => size);
  const item = args[0];
  let sub: string;
  if (item instanceof Bytes) sub = text(item);
  else if (typeof item === "number" || typeof item === "bigint" || typeof item === "boolean") sub = String.fromCharCode(byteValue(item));
  else raise("TypeError", `argument should be integer or bytes-like object, not '${typeName(item)}'`);
  if (bounds === null) return { sub, range: { from: 0, to: size } };
  return { sub, range: bounds.end < bounds.start ? null : { from: bounds.start, to: bounds.end } };
}

function found(position: number): number {
  if (position < 0) raise("ValueError", "subsection not found");
  return position;
}

function hasAffix(name: "startswith" | "endswith", bytes: Bytes, args: readonly Value[]): boolean {
  const bounds = searchBounds(args, () => bytes.b.length);
  const affix = args[0];
  const outside = bounds !== null && bounds.end < bounds.start;
  const part = outside ? "" : text(bytes).slice(bounds?.start ?? 0, bounds?.end);
  const test = (sought: string): boolean => !outside && (name === "startswith" ? part.startsWith(sought) : part.endsWith(sought));
  if (affix instanceof Bytes) return test(text(affix));
  if (!(affix instanceof PyTuple)) raise("TypeError", `${name} first arg must be bytes or a tuple of bytes, not ${typeName(affix)}`);
  for (const sought of affix.a) if (test(like(sought))) return true;
  return false;
}

// ---- apart and together

const SPLIT = parameters("split", "sep maxsplit", 0);
const RSPLIT = parameters("rsplit", "sep maxsplit", 0);
const SPLITLINES = parameters("splitlines", "keepends", 0);

function splitArguments(p: typeof SPLIT, args: readonly Value[], kwargs: Kwargs): { sep: string | null; most: number } {
  const [sep, maxsplit] = bindArgs(p, args, kwargs);
  const limit = maxsplit === undefined ? -1 : sizeArgument(maxsplit);
  const most = limit < 0 ? Number.POSITIVE_INFINITY : limit;
  if (sep === undefined || sep === null) return { sep: null, most };
  const separator = like(sep);
  if (separator === "") raise("ValueError", "empty separator");
  return { sep: separator, most };
}

function split(self: Bytes, args: readonly Value[], kwargs: Kwargs): Value {
  const { sep, most } = splitArguments(SPLIT, args, kwargs);
  return list(sep === null ? splitSpace(text(self), most, isSpaceByte) : splitText(text(self), sep, most));
}
function rsplit(self: Bytes, args: readonly Value[], kwargs: Kwargs): Value {
  const { sep, most } = splitArguments(RSPLIT, args, kwargs);
  return list(sep === null ? rsplitSpace(text(self), most, isSpaceByte) : rsplitText(text(self), sep, most));
}
function splitlines(self: Bytes, args: readonly Value[], kwargs: Kwargs): Value {
  const [keepends] = bindArgs(SPLITLINES, args, kwargs);
  return list(splitLines(text(self), keepends !== undefined && intArgument(keepends) !== 0, isBreakByte));
}

function join(separator: Bytes, iterable: Value): Value | Task {
  return joining(iterable, (items) => joinItems(separator, items));
}
function joinItems(separator: Bytes, items: readonly Value[]): Bytes {
  let size = items.length > 1 ? separator.b.length * (items.length - 1) : 0;
  for (let i = 0; i < items.length; i++) {
    const item = items[i];
    if (!(item instanceof Bytes)) raise("TypeError", `sequence item ${i}: expected a bytes-like object, ${typeName(item)} found`);
    size += item.b.length;
  }
  checkChars(size);
  if (items.length === 1) return items[0] as Bytes;
  const joined = new Uint8Array(size);
  let at = 0;
  for (let i = 0; i < items.length; i++) {
    if (i > 0) {
      joined.set(separator.b, at);
      at += separator.b.length;
    }
    joined.set((items[i] as Bytes).b, at);
    at += (items[i] as Bytes).b.length;
  }
  return new Bytes(joined);
}

function partition(which: "first" | "last"): (self: Bytes, separator: Value) => PyTuple {
  return (self, separator) => new PyTuple(partsAround(text(self), like(separator), which).map(made));
}

function strip(left: boolean, right: boolean): (self: Bytes, args: readonly Value[]) => Bytes {
  return (self, [chars]) =>
    made(stripText(text(self), chars === undefined || chars === null ? null : like(chars), left, right, isSpaceByte));
}

function replace(self: Bytes, args: readonly Value[]): Bytes {
  const old = like(args[0]);
  const by = like(args[1]);
  const limit = args.length > 2 ? sizeArgument(args[2]) : -1;
  return made(replaceText(text(self), old, by, limit < 0 ? Number.POSITIVE_INFINITY : limit));
}

function pad(name: string, share: Share): [string, Method] {
  const of = (self: Bytes, args: readonly Value[]): Bytes => {
    const width = sizeArgument(args[0]);
    const fill = args[1];
    if (fill !== undefined && !(fill instanceof Bytes && fill.b.length === 1))
      raise("TypeError", `${name}() argument 2 must be a byte string of length 1, not ${typeName(fill)}`);
    return made(padText(text(self), width, fill === undefined ? " " : text(fill as Bytes), share));
  };
  return [name, positionalMethod(`bytes.${name}`, 1, 2, of)];
}

// ---- tables, hex, decode

const TRANSLATE = parameters("translate", "_ delete", 1);

function translate(self: Bytes, args: readonly Value[], kwargs: Kwargs): Value {
  const [table, remove] = bindArgs(TRANSLATE, args, kwargs);
  let by: Uint8Array | null = null;
  if (table !== null) {
    const given = latin1Bytes(like(table as Value));
    if (given.length !== 256) raise("ValueError", "translation table must be 256 characters long");
    by = given;
  }
  const gone = new Set(remove === undefined ? [] : latin1Bytes(like(remove)));
  spendSteps(self.b.length >> 4);
  const kept = gone.size === 0 ? self.b.slice() : self.b.filter((byte) => !gone.has(byte));
  if (by !== null) for (let i = 0; i < kept.length; i++) kept[i] = by[kept[i]];
  return new Bytes(kept);
}

/** `bytes.maketrans(from, to)`. */
export const bytesMaketrans = (args: readonly Value[], kwargs: Kwargs): Bytes => {
  positional("bytes.maketrans", args, kwargs, 2, 2);
  const from = latin1Bytes(like(args[0]));
  const to = latin1Bytes(like(args[1]));
  if (from.length !== to.length) raise("ValueError", "maketrans arguments must have same length");
  const table = Uint8Array.from({ length: 256 }, (_, i) => i);
  for (let i = 0; i < from.length; i++) table[from[i]] = to[i];
  return new Bytes(table);
};

function hexDigit(unit: number): number {
  if (unit >= 48 && unit <= 57) return unit - 48;
  const letter = unit | 32;
  return letter >= 97 && letter <= 102 ? letter - 87 : -1;
}

/** `bytes.fromhex(text)`: pairs of digits, ASCII white space between pairs. */
export const bytesFromHex = (args: readonly Value[], kwargs: Kwargs): Bytes => {
  const digits = oneArg("bytes.fromhex", args, kwargs);
  if (typeof digits !== "string") raise("TypeError", `fromhex() argument must be str, not ${wrongType(digits)}`);
  spendSteps(digits.length >> 4);
  const wrongAt = (at: number): never => {
    // Positions count code points; all before `at` are ASCII, so they are units.
    return raise("ValueError", `non-hexadecimal number found in fromhex() arg at position ${at}`);
  };
  const firstWide = digits.search(/[^\x00-\x7f]/);
  if (firstWide >= 0) wrongAt(firstWide);
  const bytes: number[] = [];
  for (let i = 0; i < digits.length; ) {
    if (isSpaceByte(digits.charCodeAt(i))) {
      i++;
      continue;
    }
    const high = hexDigit(digits.charCodeAt(i));
    if (high < 0) wrongAt(i);
    const low = i + 1 < digits.length ? hexDigit(digits.charCodeAt(i + 1)) : -1;
    if (low < 0) wrongAt(i + 1);
    bytes.push(high * 16 + low);
    i += 2;
  }
  return new Bytes(Uint8Array.from(bytes));
};

const HEX = parameters("hex", "sep bytes_per_sep", 0);

function hex(self: Bytes, args: readonly Value[], kwargs: Kwargs): Value {
  const [sep, perSep] = bindArgs(HEX, args, kwargs);
  const group = perSep === undefined ? 1 : intArgument(perSep);
  const size = self.b.length;
  let separator = "";
  if (sep !== undefined) {
    if (typeof sep !== "string" && !(sep instanceof Bytes)) {
      if (length(sep) !== 1) raise("ValueError", "sep must be length 1.");
      raise("TypeError", "sep must be str or bytes.");
    }
    separator = typeof sep === "string" ? sep : text(sep);
    if ([...separator].length !== 1) raise("ValueError", "sep must be length 1.");
    if (separator.charCodeAt(0) > 127) raise("ValueError", "sep must be ASCII.");
  }
  const width = Math.abs(group);
  if (width === 0) separator = "";
  checkChars(size * 2 + (separator === "" ? 0 : Math.ceil(size / width)));
  const parts: string[] = [];
  for (let i = 0; i < size; i++) {
    // Groups count from the right, or with a negative width from the left.
    if (separator !== "" && i > 0 && (group > 0 ? size - i : i) % width === 0) parts.push(separator);
    parts.push((self.b[i] < 16 ? "0" : "") + self.b[i].toString(16));
  }
  return parts.join("");
}

/** `len(sep)` of a separator that is no text: the complaint comes from there. */
const DECODE = parameters("decode", "encoding errors", 0);

function decode(self: Bytes, args: readonly Value[], kwargs: Kwargs): Value {
  const [encoding, errors] = bindArgs(DECODE, args, kwargs);
  const name = codecArgument("decode", "encoding", encoding);
  return decodeBytes(self.b, name, codecArgument("decode", "errors", errors));
}

const EXPANDTABS = parameters("expandtabs", "tabsize", 0);

function expandtabs(self: Bytes, args: readonly Value[], kwargs: Kwargs): Value {
  const [tabsize] = bindArgs(EXPANDTABS, args, kwargs);
  return made(expandTabs(text(self), tabsize === undefined ? 8 : intArgument(tabsize)));
}

// ---- the table

const plain = (name: string, of: (self: Bytes) => Value): [string, Method] => [name, plainMethod(`bytes.${name}`, of)];
const unary = (name: string, of: (self: Bytes, argument: Value) => Value | Task): [string, Method] => [
  name,
  unaryMethod(`bytes.${name}`, of),
];
const some = (name: string, min: number, max: number, of: (self: Bytes, args: readonly Value[]) => Value): [string, Method] => [
  name,
  positionalMethod(`bytes.${name}`, min, max, of),
];
const search = (name: string, of: (self: Bytes, args: readonly Value[]) => Value): [string, Method] => [
  name,
  searchMethod(`bytes.${name}`, of),
];

export const BYTES_METHODS: ReadonlyMap<string, Method> = new Map<string, Method>([
  plain("capitalize", (self) => map(self, (byte, at) => (at === 0 ? raised(byte) : lowered(byte)))),
  pad("center", CENTER),
  search("count", (self, args) => countIn(text(self), searchOf(self, args))),
  ["decode", decode],
  search("endswith", (self, args) => hasAffix("endswith", self, args)),
  ["expandtabs", expandtabs],
  search("find", (self, args) => findIn(text(self), searchOf(self, args))),
  ["fromhex", (_self, args, kwargs) => bytesFromHex(args, kwargs)],
  ["hex", hex],
  search("index", (self, args) => found(findIn(text(self), searchOf(self, args)))),
  plain("isalnum", (self) => every(self, (byte) => isLetter(byte) || isDigitByte(byte))),
  plain("isalpha", (self) => every(self, isLetter)),
  plain("isascii", (self) => self.b.every((byte) => byte < 128)),
  plain("isdigit", (self) => every(self, isDigitByte)),
  plain("islower", (self) => cased(self, isLowerByte, isUpperByte)),
  plain("isspace", (self) => every(self, isSpaceByte)),
  plain("istitle", isTitle),
  plain("isupper", (self) => cased(self, isUpperByte, isLowerByte)),
  unary("join", join),
  pad("ljust", LEFT),
  plain("lower", (self) => map(self, lowered)),
  some("lstrip", 0, 1, strip(true, false)),
  ["maketrans", (_self, args, kwargs) => bytesMaketrans(args, kwargs)],
  unary("partition", partition("first")),
  unary("removeprefix", (self, prefix) => made(withoutPrefix(text(self), like(prefix)))),
  unary("removesuffix", (self, suffix) => made(withoutSuffix(text(self), like(suffix)))),
  some("replace", 2, 3, replace),
  search("rfind", (self, args) => rfindIn(text(self), searchOf(self, args))),
  search("rindex", (self, args) => found(rfindIn(text(self), searchOf(self, args)))),
  pad("rjust", RIGHT),
  unary("rpartition", partition("last")),
  ["rsplit", rsplit],
  some("rstrip", 0, 1, strip(false, true)),
  ["split", split],
  ["splitlines", splitlines],
  search("startswith", (self, args) => hasAffix("startswith", self, args)),
  some("strip", 0, 1, strip(true, true)),
  plain("swapcase", (self) => map(self, (byte) => (isLetter(byte) ? byte ^ 32 : byte))),
  plain("title", title),
  ["translate", translate],
  plain("upper", (self) => map(self, raised)),
  unary("zfill", (self, width) => made(zfill(text(self), width))),
]);
