/**
 * The text of a value in a transcript: as `print` writes it, shortened past 65,536 characters (contract §5, "A value
 * too long to carry whole").
 */
import { Bytes } from "../../datum";
import { TRANSCRIPT_VALUE_CHARS_MAX } from "../../limits";
import { PyDict } from "../value/dict";
import { repr, str } from "../value/protocol-text";
import { isSet, PyFrozenSet } from "../value/set";
import { PyList, PyTuple, type Value } from "../value/value";

/** Elements of a counted preview. */
const PREVIEW_ITEMS = 8;
/** Bytes of a blob's preview. */
const PREVIEW_BYTES = 8;

/** The text of a bound value; a string is never shortened. */
export function valueText(v: Value): string {
  if (typeof v === "string") return v;
  const long = isLong(v) ? null : str(v);
  return long !== null && long.length <= TRANSCRIPT_VALUE_CHARS_MAX ? long : (shortened(v, 0) ?? long ?? str(v));
}

/** As `valueText`, for a value inside something: a string in quotes. */
export function elementText(v: Value): string {
  if (typeof v === "string") return repr(v);
  const text = isLong(v) ? null : repr(v);
  return text !== null && text.length <= TRANSCRIPT_VALUE_CHARS_MAX ? text : (shortened(v, 0) ?? text ?? repr(v));
}

/** Certainly longer than the limit, without writing it out: each element takes a character and its comma. */
function isLong(v: Value): boolean {
  const n = count(v);
  return n !== null && n * 3 > TRANSCRIPT_VALUE_CHARS_MAX + 2;
}
function count(v: Value): number | null {
  if (v instanceof PyList || v instanceof PyTuple) return v.a.length;
  if (v instanceof PyDict || isSet(v)) return v.size;
  return null;
}

/** The shortened form, or null for a value that has none. `level` 0 is the value itself, 1 an element of it; below only the count is kept. */
function shortened(v: Value, level: number): string | null {
  if (v instanceof Bytes) {
    const head = Array.from(v.b.subarray(0, PREVIEW_BYTES), (x) => x.toString(16).padStart(2, "0")).join("");
    return `<blob ${v.b.length} bytes, ${head}…>`;
  }
  const n = count(v);
  if (n === null) return null;
  if (n > PREVIEW_ITEMS) {
    if (level >= 2) return `${n} entries [+${n} more]`;
    const first = parts(v, PREVIEW_ITEMS, level);
    return `${n} entries [${first.join(", ")}, +${n - PREVIEW_ITEMS} more]`;
  }
  return ownSpelling(v, parts(v, n, level));
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
  if (v instanceof PyFrozenSet) return `frozenset({${inside}})`;
  return v instanceof PyList ? `[${inside}]` : `{${inside}}`;
}

/** The first `n` elements as text, each shortened where it is itself too long. */
function parts(v: Value, n: number, level: number): string[] {
  const text = (x: Value): string => {
    if (typeof x === "string") return repr(x);
    const whole = isLong(x) ? null : repr(x);
    if (whole !== null && whole.length <= TRANSCRIPT_VALUE_CHARS_MAX) return whole;
    return shortened(x, level + 1) ?? whole ?? repr(x);
  };
  if (v instanceof PyList || v instanceof PyTuple) return v.a.slice(0, n).map(text);
  const out: string[] = [];
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
