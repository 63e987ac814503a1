/**
 * The text of a value in a transcript: as `print` writes it, shortened past 65,536 characters (contract §5, "A value
 * too long to carry whole").
 */
import { Bytes } from "../../datum";
import { Refusal } from "../../failure";
import { OUTPUT_CHARS_MAX, TRANSCRIPT_VALUE_CHARS_MAX, VALUE_DEPTH_MAX } from "../../limits";
import { Deque } from "../library/deque";
import { PyDict, PyDictView } from "../value/dict";
import { bitLength } from "../value/int";
import { repr, reprWithin, str } from "../value/protocol-text";
import { typeName } from "../value/protocol-type";
import { isSet, PyFrozenSet } from "../value/set";
import { PyException, PyList, PyNative, PyOpaque, PyTuple, type Value } from "../value/value";

/** Elements of a counted preview. */
const PREVIEW_ITEMS = 8;
/** Bytes of a blob's preview. */
const PREVIEW_BYTES = 8;
/** Characters written for one shortened text, kept or not, after which further long collections show their count alone. */
const SHORTENED_CHARS_MAX = 5 * TRANSCRIPT_VALUE_CHARS_MAX;
/** Bits of the least int that may have more digits than are carried whole. */
const INT_BITS_WHOLE = Math.ceil(TRANSCRIPT_VALUE_CHARS_MAX * Math.log2(10));

/** What one shortened text may still hold. */
interface Room {
  chars: number;
}

/** The text of a bound value; a string is never shortened. */
export function valueText(v: Value): string {
  if (typeof v === "string") return v;
  return v instanceof PyException ? str(v) : elementText(v);
}

/** As `valueText`, for a value inside something: a string in quotes. Binding never fails because a text would be long. */
export function elementText(v: Value): string {
  return textWithin(v, 0, { chars: SHORTENED_CHARS_MAX });
}

function textWithin(v: Value, level: number, room: Room): string {
  if (typeof v === "string") return repr(v);
  const long = isLong(v);
  const whole = long || room.chars <= 0 || !isWritten(v) ? null : reprWithin(v, TRANSCRIPT_VALUE_CHARS_MAX);
  room.chars -= whole === null ? (long ? 0 : TRANSCRIPT_VALUE_CHARS_MAX) : whole.length;
  return whole ?? shortened(v, level, room) ?? (isWritten(v) ? reprWithin(v, OUTPUT_CHARS_MAX) : null) ?? `<${typeName(v)} object>`;
}

/** Certainly longer than the limit, without writing it out: each element takes a character and its comma. */
function isLong(v: Value): boolean {
  if (typeof v === "bigint") return bitLength(v) > INT_BITS_WHOLE;
  const n = count(v);
  return n !== null && n * 3 > TRANSCRIPT_VALUE_CHARS_MAX + 2;
}
/** Whether `repr` would write it: false where it nests deeper, has more collections in it than there may be characters, or refuses to. */
function isWritten(v: Value): boolean {
  const around = new Set<Value>();
  let left = TRANSCRIPT_VALUE_CHARS_MAX / 2;
  const fits = (x: Value): boolean => {
    if (typeof x !== "object" || x === null || around.has(x)) return true;
    if (x instanceof PyOpaque) return x.isShort;
    const inside = insideOf(x);
    if (inside === null) return true;
    if (--left < 0 || around.size > VALUE_DEPTH_MAX) return false;
    around.add(x);
    for (const y of inside) if (typeof y === "object" && !fits(y)) return false;
    around.delete(x);
    return true;
  };
  return fits(v);
}
function insideOf(v: object): readonly Value[] | null {
  if (v instanceof PyList || v instanceof PyTuple) return v.a;
  if (v instanceof PyDict) return v.valueList;
  return v instanceof PyNative ? v.spelled : null;
}
function count(v: Value): number | null {
  if (v instanceof PyList || v instanceof PyTuple) return v.a.length;
  if (v instanceof PyDict || isSet(v) || v instanceof Deque) return v.size;
  return v instanceof PyDictView ? v.dict.size : null;
}

/** The shortened form, or null for a value that has none. `level` 0 is the value itself, 1 an element of it; below only the count is kept. */
function shortened(v: Value, level: number, room: Room): string | null {
  if (typeof v === "bigint") return `<int ${bitLength(v)} bits>`;
  if (v instanceof Bytes) {
    const head = Array.from(v.b.subarray(0, PREVIEW_BYTES), (x) => x.toString(16).padStart(2, "0")).join("");
    return `<blob ${v.b.length} bytes, ${head}…>`;
  }
  if (v instanceof PyOpaque) return spelledShort(v, level, room);
  const n = count(v);
  if (n === null) return null;
  // Where it nests too deep, or a few long elements hold a few long elements each, the count says enough.
  if (level >= VALUE_DEPTH_MAX || room.chars <= 0) return `${n} entries [+${n} more]`;
  if (n > PREVIEW_ITEMS) {
    if (level >= 2) return `${n} entries [+${n} more]`;
    const first = parts(v, PREVIEW_ITEMS, level, room);
    return `${n} entries [${first.join(", ")}, +${n - PREVIEW_ITEMS} more]`;
  }
  return ownSpelling(v, parts(v, n, level, room));
}

/** A claim or a proof around values that are shortened where they are too long; null where it is too long even so. */
function spelledShort(v: PyOpaque, level: number, room: Room): string | null {
  try {
    return v.spelled((held) => textWithin(held, level, room));
  } catch (problem) {
    if (problem instanceof Refusal) return null;
    throw problem;
  }
}

/** A collection as `repr` spells it, around elements that are spelled already. */
function ownSpelling(v: Value, elements: readonly string[]): string {
  const inside = elements.join(", ");
  if (v instanceof PyTuple) {
    let next = 0;
    if (v.typeName !== "tuple") return v.namedRepr(() => elements[next++]!);
    return elements.length === 1 ? `(${inside},)` : `(${inside})`;
  }
  if (v instanceof PyDict) {
    const [before, after] = v.reprAround(repr);
    return `${before}${v.pairedRepr ? `[${inside}]` : `{${inside}}`}${after}`;
  }
  if (v instanceof Deque) return `deque([${inside}]${v.maxlen === null ? "" : `, maxlen=${v.maxlen}`})`;
  if (v instanceof PyDictView) return `${v.typeName}([${inside}])`;
  if (v instanceof PyFrozenSet) return `frozenset({${inside}})`;
  return v instanceof PyList ? `[${inside}]` : `{${inside}}`;
}

/** The first `n` elements as text, each shortened where it is itself too long. */
function parts(v: Value, n: number, level: number, room: Room): string[] {
  const text = (x: Value): string => textWithin(x, level + 1, room);
  if (v instanceof PyList || v instanceof PyTuple) return v.a.slice(0, n).map(text);
  if (v instanceof Deque) return v.values.slice(0, n).map(text);
  const out: string[] = [];
  if (v instanceof PyDictView) {
    for (const [k, x] of v.dict.entries()) {
      if (out.length === n) break;
      out.push(v.kind === "items" ? `(${text(k)}, ${text(x)})` : text(v.kind === "keys" ? k : x));
    }
    return out;
  }
  if (v instanceof PyDict) {
    const paired = v.pairedRepr && v.size <= PREVIEW_ITEMS;
    for (const [k, x] of v.reprEntries()) {
      if (out.length === n) break;
      out.push(paired ? `(${text(k)}, ${text(x)})` : `${text(k)}: ${text(x)}`);
    }
    return out;
  }
  if (isSet(v))
    for (const x of v.elements()) {
      if (out.length === n) break;
      out.push(text(x));
    }
  return out;
}
