/**
 * The format mini-language, read: `[[fill]align][sign][z][#][0][width][grouping][.precision][type]`, with CPython
 * 3.11's order of checks and messages.
 */
import { raise } from "./exception";
import { powerOfTwo } from "./float-bits";
import { decimalValue } from "./unicode";

export interface Spec {
  /** One code point; "" where none is given. */
  readonly fill: string;
  readonly align: string;
  /** `+`, `-`, space, or "". */
  readonly sign: string;
  readonly positiveZero: boolean;
  readonly alternate: boolean;
  /** -1 where none is given. */
  readonly width: number;
  /** `,`, `_` or "". */
  readonly grouping: string;
  /** -1 where none is given. */
  readonly precision: number;
  /** One code point, or the default handed in. */
  readonly type: string;
}

/** 2**63: from here on a C ssize_t cannot hold the number. */
export const SIZE_MAX = powerOfTwo(63);

const isAlign = (c: string | undefined): boolean => c === "<" || c === ">" || c === "=" || c === "^";

/** Specs read before, by the type they were read for (which decides the defaults): a program has few, and loops over them. */
const known = new Map<string, Map<string, Spec>>();
const KNOWN_MAX = 200;
const KNOWN_UNITS_MAX = 40;

/** Reads a spec that is not empty. `typeName` is for the message. */
export function parseSpec(spec: string, typeName: string, defaultType: string, defaultAlign: "<" | ">"): Spec {
  let ofType = known.get(typeName);
  if (ofType === undefined) known.set(typeName, (ofType = new Map()));
  const before = ofType.get(spec);
  if (before !== undefined) return before;
  const read = readSpec(spec, typeName, defaultType, defaultAlign);
  if (spec.length > KNOWN_UNITS_MAX) return read;
  if (ofType.size >= KNOWN_MAX) ofType.clear();
  ofType.set(spec, read);
  return read;
}

function readSpec(spec: string, typeName: string, defaultType: string, defaultAlign: "<" | ">"): Spec {
  const chars = Array.from(spec);
  let at = 0;
  let fill = "";
  let align = "";
  if (isAlign(chars[1])) {
    fill = chars[0]!;
    align = chars[1]!;
    at = 2;
  } else if (isAlign(chars[0])) {
    align = chars[0]!;
    at = 1;
  }
  let sign = "";
  if (chars[at] === "+" || chars[at] === "-" || chars[at] === " ") sign = chars[at++]!;
  const positiveZero = chars[at] === "z";
  if (positiveZero) at++;
  const alternate = chars[at] === "#";
  if (alternate) at++;
  if (fill === "" && chars[at] === "0") {
    fill = "0";
    if (align === "" && defaultAlign === ">") align = "=";
    at++;
  }
  let width = -1;
  [width, at] = readInteger(chars, at);
  let grouping = "";
  if (chars[at] === ",") grouping = chars[at++]!;
  if (chars[at] === "_") {
    if (grouping !== "") raise("ValueError", "Cannot specify both ',' and '_'.");
    grouping = chars[at++]!;
  }
  if (chars[at] === "," && grouping === "_") raise("ValueError", "Cannot specify both ',' and '_'.");
  let precision = -1;
  if (chars[at] === ".") {
    [precision, at] = readInteger(chars, at + 1);
    if (precision < 0) raise("ValueError", "Format specifier missing precision");
  }
  if (chars.length - at > 1) raise("ValueError", `Invalid format specifier '${spec}' for object of type '${typeName}'`);
  const type = chars[at] ?? defaultType;
  if (grouping !== "") checkGrouping(grouping, type);
  return { fill, align: align === "" ? defaultAlign : align, sign, positiveZero, alternate, width, grouping, precision, type };
}

function checkGrouping(grouping: string, type: string): void {
  if (type === "" || "defgEG%F".includes(type)) return;
  if (grouping === "_" && "boxX".includes(type)) return;
  raise("ValueError", `Cannot specify '${grouping}' with ${shownType(type)}.`);
}

/** A type code as CPython's messages spell it. */
export function shownType(type: string): string {
  const code = type.codePointAt(0)!;
  return code > 32 && code < 128 ? `'${type}'` : `'\\x${code.toString(16)}'`;
}

export function unknownType(type: string, typeName: string): never {
  raise("ValueError", `Unknown format code ${shownType(type)} for object of type '${typeName}'`);
}

/** Decimal digits of any script from `at`: their value (-1 for none) and the place after them. */
export function readInteger(chars: readonly string[], at: number): [value: number, end: number] {
  let value = -1;
  let end = at;
  for (; end < chars.length; end++) {
    const digit = decimalValue(chars[end]!.codePointAt(0)!);
    if (digit < 0) break;
    value = Math.max(value, 0) * 10 + digit;
    if (value >= SIZE_MAX) raise("ValueError", "Too many decimal digits in format string");
  }
  return [value, end];
}
