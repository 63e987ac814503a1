/**
 * `format(v, spec)` for every value: the mini-language of format-spec.ts applied to texts, ints, floats and complex
 * numbers; what has no format of its own takes only the empty spec. `str.format` is in format-template.ts.
 */
import { Complex, Float, type Int } from "../../datum";
import { raise } from "./exception";
import { floatRepr } from "./float";
import { fixedDigits } from "./float-digits";
import { floatLayout } from "./format-number";
import { parseSpec, type Spec, unknownType } from "./format-spec";
import { intToDouble } from "./int";
import { baseDigits, intText } from "./int-text";
import { checkChars } from "./meter";
import { str } from "./protocol-text";
import { typeName } from "./protocol-type";
import { chrText, isFlat, strLength, strRange } from "./str";
import { Raised, type Value } from "./value";

/** `format(v, spec)`, and a replacement field of an f-string. */
export function format(v: Value, spec: string): string {
  if (spec === "") return typeof v === "string" ? v : typeof v === "number" ? String(v) : v instanceof Float ? floatRepr(v.v) : str(v);
  if (typeof v === "string") return formatText(v, spec);
  if (typeof v === "number" || typeof v === "bigint") return formatInt(v, spec, "int");
  if (v instanceof Float) return formatFloat(v.v, parseSpec(spec, "float", "", ">"), "float");
  if (typeof v === "boolean") return formatInt(Number(v), spec, "bool");
  if (v instanceof Complex) return formatComplex(v, parseSpec(spec, "complex", "", ">"));
  raise("TypeError", `unsupported format string passed to ${typeName(v)}.__format__`);
}

/** A spec that only pads, groups or rounds; the rest goes the long way. */
export interface PlainSpec {
  readonly width: number;
  /** One unit. */
  readonly fill: string;
  /** Zeros after the sign; else the text stands left or right. */
  readonly where: "left" | "right" | "after sign";
  readonly base: 10 | 16;
  readonly grouping: string;
  readonly precision: number;
}
/** Wider ones are weighed before they are built. */
const PLAIN_WIDTH_MAX = 64;

/** The spec where it is plain and of one of the types; null for any other. */
function plainSpec(spec: Spec, types: string): PlainSpec | null {
  const { fill, align, width, precision, type, grouping } = spec;
  const where = align === "<" ? "left" : align === ">" ? "right" : align === "=" && fill === "0" ? "after sign" : null;
  if (where === null || fill.length > 1 || width > PLAIN_WIDTH_MAX || type === "" || !types.includes(type)) return null;
  if (spec.sign !== "" || spec.positiveZero || spec.alternate || precision > PLAIN_WIDTH_MAX) return null;
  if (type === "f" ? grouping !== "" || precision < 0 : precision >= 0) return null;
  if (grouping !== "" && (type !== "d" || where === "after sign")) return null;
  return { width, fill: fill === "" ? " " : fill, where, base: type === "x" ? 16 : 10, grouping, precision };
}
function padPlain(text: string, length: number, { width, fill, where }: PlainSpec): string {
  const count = width - length;
  if (count <= 0) return text;
  if (where === "right") return fill.repeat(count) + text;
  if (where === "left") return text + fill.repeat(count);
  return text.charCodeAt(0) === 45 ? `-${"0".repeat(count)}${text.slice(1)}` : "0".repeat(count) + text;
}

/** What a spec is for each type that has plain ones; null where it is none. */
export interface SpecsByType {
  readonly int: PlainSpec | null;
  readonly float: PlainSpec | null;
  readonly text: PlainSpec | null;
}
/** A spec that cannot be read is no plain one: whoever formats by it raises. */
export function plainSpecs(spec: string): SpecsByType {
  const of = (typeName: string, type: string, align: "<" | ">", types: string): PlainSpec | null => {
    try {
      return plainSpec(parseSpec(spec, typeName, type, align), types);
    } catch (thrown) {
      if (!(thrown instanceof Raised)) throw thrown;
      return null;
    }
  };
  const text = of("str", "s", "<", "s");
  return { int: of("int", "d", ">", "dx"), float: of("float", "", ">", "f"), text: text?.where === "after sign" ? null : text };
}

/** `format(v, spec)` by a spec known beforehand: what it says is read once for each type that comes. */
export function formatBy(spec: string): (v: Value) => string {
  let ofInt: PlainSpec | null | undefined;
  let ofFloat: PlainSpec | null | undefined;
  let ofText: PlainSpec | null | undefined;
  return (v) => {
    if (typeof v === "number") {
      if (ofInt === undefined) ofInt = plainSpec(parseSpec(spec, "int", "d", ">"), "dx");
      if (ofInt !== null) {
        const digits = ofInt.base === 10 ? String(v) : v.toString(16);
        const text =
          ofInt.grouping === ""
            ? digits
            : v < 0
              ? `-${separated(digits.slice(1), 3, ofInt.grouping)}`
              : separated(digits, 3, ofInt.grouping);
        return padPlain(text, text.length, ofInt);
      }
    } else if (v instanceof Float) {
      if (ofFloat === undefined) ofFloat = plainSpec(parseSpec(spec, "float", "", ">"), "f");
      const x = v.v;
      if (ofFloat !== null && Number.isFinite(x)) {
        const digits = fixedDigits(x, ofFloat.precision);
        const text = x < 0 || Object.is(x, -0) ? `-${digits}` : digits;
        return padPlain(text, text.length, ofFloat);
      }
    } else if (typeof v === "string") {
      // As it stands, and not measured: nothing is asked of its length.
      if (spec === "") return v;
      if (ofText === undefined) ofText = plainSpec(parseSpec(spec, "str", "s", "<"), "s");
      if (ofText !== null && ofText.where !== "after sign") return padPlain(v, strLength(v), ofText);
    }
    return format(v, spec);
  };
}

function pad(text: string, length: number, spec: Spec): string {
  const count = spec.width - length;
  if (count <= 0) return text;
  checkChars(spec.width);
  const fill = spec.fill === "" ? " " : spec.fill;
  if (spec.align === "<") return text + fill.repeat(count);
  if (spec.align === "^") return fill.repeat(count >> 1) + text + fill.repeat(count - (count >> 1));
  return fill.repeat(count) + text;
}

function formatText(text: string, specText: string): string {
  const spec = parseSpec(specText, "str", "s", "<");
  if (spec.type !== "s") unknownType(spec.type, "str");
  if (spec.sign !== "")
    raise("ValueError", spec.sign === " " ? "Space not allowed in string format specifier" : "Sign not allowed in string format specifier");
  if (spec.positiveZero) raise("ValueError", "Negative zero coercion (z) not allowed in string format specifier");
  if (spec.alternate) raise("ValueError", "Alternate form (#) not allowed in string format specifier");
  if (spec.align === "=") raise("ValueError", "'=' alignment not allowed in string format specifier");
  let shown = text;
  let length = isFlat(text) ? text.length : strLength(text);
  if (spec.precision >= 0 && length > spec.precision) {
    shown = strRange(text, 0, spec.precision);
    length = spec.precision;
  }
  return pad(shown, length, spec);
}

function formatInt(i: Int, specText: string, type: string): string {
  const spec = parseSpec(specText, type, "d", ">");
  switch (spec.type) {
    case "d":
    case "n":
    case "b":
    case "o":
    case "x":
    case "X":
    case "c":
      return formatWhole(i, spec);
    case "e":
    case "E":
    case "f":
    case "F":
    case "g":
    case "G":
    case "%":
      return formatFloat(intToDouble(i), spec, type);
    default:
      return unknownType(spec.type, type);
  }
}

function formatWhole(i: Int, spec: Spec): string {
  if (spec.precision >= 0) raise("ValueError", "Precision not allowed in integer format specifier");
  if (spec.positiveZero) raise("ValueError", "Negative zero coercion (z) not allowed in integer format specifier");
  if (spec.type === "c") return formatCharacter(i, spec);
  const negative = i < 0;
  const size = negative ? -i : i;
  let digits: string;
  let prefix = "";
  switch (spec.type) {
    case "b":
      digits = baseDigits(size, 2);
      prefix = "0b";
      break;
    case "o":
      digits = baseDigits(size, 8);
      prefix = "0o";
      break;
    case "x":
    case "X":
      digits = baseDigits(size, 16);
      prefix = "0x";
      if (spec.type === "X") {
        digits = digits.toUpperCase();
        prefix = "0X";
      }
      break;
    default:
      digits = intText(size);
  }
  if (!spec.alternate) prefix = "";
  return layoutNumber({ negative, prefix, digits, rest: "" }, spec);
}

function formatCharacter(i: Int, spec: Spec): string {
  if (spec.sign !== "") raise("ValueError", "Sign not allowed with integer format specifier 'c'");
  if (spec.alternate) raise("ValueError", "Alternate form (#) not allowed with integer format specifier 'c'");
  if (i > 9223372036854775807n || i < -9223372036854775808n) raise("OverflowError", "Python int too large to convert to C long");
  if (i < 0 || i > 0x10ffff) raise("OverflowError", "%c arg not in range(0x110000)");
  const text = chrText(Number(i));
  return pad(text, 1, spec);
}

interface NumberParts {
  readonly negative: boolean;
  readonly prefix: string;
  /** The digits that may be grouped; none for inf and nan. */
  readonly digits: string;
  /** Point, fraction, exponent, `%`; the word for inf and nan. */
  readonly rest: string;
}

/** Sign, prefix, grouped digits and rest, filled to the width. */
function layoutNumber(parts: NumberParts, spec: Spec): string {
  const sign = parts.negative ? "-" : spec.sign === "+" ? "+" : spec.sign === " " ? " " : "";
  const outer = sign.length + parts.prefix.length + parts.rest.length;
  const zeros = spec.fill === "0" && spec.align === "=" ? spec.width - outer : 0;
  if (spec.width > 0) checkChars(spec.width);
  const digits = parts.digits === "" ? "" : groupDigits(parts.digits, zeros, spec);
  const lead = sign + parts.prefix;
  if (spec.align !== "=") return pad(lead + digits + parts.rest, outer + digits.length, spec);
  const count = spec.width - outer - digits.length;
  return lead + (count > 0 ? (spec.fill === "" ? " " : spec.fill).repeat(count) : "") + digits + parts.rest;
}

/** Digits with separators, led by zeros up to `width` characters in all; a zero may come to stand before a separator. */
function groupDigits(digits: string, width: number, spec: Spec): string {
  if (spec.grouping === "") return width > digits.length ? digits.padStart(width, "0") : digits;
  const size = "boxX".includes(spec.type) && spec.type !== "" ? 4 : 3;
  if (width <= digits.length) return separated(digits, size, spec.grouping);
  const groups: string[] = [];
  let left = digits.length;
  let want = width;
  while (left > 0) {
    const length = Math.min(size, Math.max(left, want, 1));
    groups.push(digits.slice(Math.max(left - length, 0), left).padStart(length, "0"));
    left -= length;
    want -= length;
    if (left > 0 || want > 0) want -= 1;
    else return groups.reverse().join(spec.grouping);
  }
  // Only zeros are left to give, in groups: all at once, for there may be millions.
  const full = Math.floor(Math.max(want, 0) / (size + 1));
  const first = "0".repeat(Math.max(want - full * (size + 1), 1));
  return first + (spec.grouping + "0".repeat(size)).repeat(full) + spec.grouping + groups.reverse().join(spec.grouping);
}

function separated(digits: string, size: number, separator: string): string {
  let end = digits.length % size || size;
  let out = digits.slice(0, end);
  for (; end < digits.length; end += size) out += separator + digits.slice(end, end + size);
  return out;
}

/** Splits a text of floatLayout, without its sign. */
function partsOf(text: string): NumberParts {
  const negative = text[0] === "-";
  const body = negative ? text.slice(1) : text;
  let end = 0;
  while (end < body.length && body.charCodeAt(end) >= 48 && body.charCodeAt(end) <= 57) end++;
  return { negative, prefix: "", digits: body.slice(0, end), rest: body.slice(end) };
}

function checkPrecision(precision: number): void {
  if (precision > 2147483647) raise("ValueError", "precision too big");
}

function formatFloat(value: number, spec: Spec, type: string): string {
  if (spec.type !== "" && !"eEfFgGn%".includes(spec.type)) unknownType(spec.type, type);
  checkPrecision(spec.precision);
  const percent = spec.type === "%";
  const x = percent ? value * 100 : value;
  let code = percent ? "f" : spec.type === "n" ? "g" : spec.type;
  if (code === "") code = spec.precision < 0 ? "r" : "g";
  const text = floatLayout(x, {
    type: code,
    precision: spec.precision < 0 ? (code === "r" ? 0 : 6) : spec.precision,
    alternate: spec.alternate,
    pointZero: spec.type === "",
    positiveZero: spec.positiveZero,
  });
  return layoutNumber(partsOf(percent ? `${text}%` : text), spec);
}

function formatComplex(z: Complex, spec: Spec): string {
  if (spec.type !== "" && !"eEfFgGn".includes(spec.type)) unknownType(spec.type, "complex");
  checkPrecision(spec.precision);
  if (spec.fill === "0") raise("ValueError", "Zero padding is not allowed in complex format specifier");
  if (spec.align === "=") raise("ValueError", "'=' alignment flag is not allowed in complex format specifier");
  let code = spec.type === "n" ? "g" : spec.type;
  if (code === "") code = spec.precision < 0 ? "r" : "g";
  const layout = {
    type: code,
    precision: spec.precision < 0 ? (code === "r" ? 0 : 6) : spec.precision,
    alternate: spec.alternate,
    pointZero: false,
    positiveZero: spec.positiveZero,
  };
  const bare: Spec = { ...spec, width: -1, fill: "", align: "<" };
  const onlyIm = spec.type === "" && z.re === 0 && !Object.is(z.re, -0);
  const re = onlyIm ? "" : layoutNumber(partsOf(floatLayout(z.re, layout)), bare);
  const im = layoutNumber(partsOf(floatLayout(z.im, layout)), onlyIm ? bare : { ...bare, sign: "+" });
  const text = spec.type === "" && !onlyIm ? `(${re}${im}j)` : `${re}${im}j`;
  return pad(text, text.length, spec);
}
