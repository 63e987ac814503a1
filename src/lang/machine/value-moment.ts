/**
 * What a value holds now, kept so that its text can be taken later although the program goes on to change it.
 *
 * Of the bindings a line makes in a loop only the last is told, and which that is shows at the end. Writing out each
 * would make `xs = xs + [i]` quadratic in characters; copying the elements is some fifty times cheaper.
 *
 * Only for what is told whole: of a longer value a preview is cheap, and the caller writes that at once.
 */
import { Bytes, Complex, Datetime, Duration, Float, Subject } from "../../datum";
import { TRANSCRIPT_VALUE_CHARS_MAX } from "../../limits";
import { PyDict } from "../value/dict";
import { PyFunction, PyList, PyNative, PyOpaque, PyRange, PyTuple, PyType, type Value } from "../value/value";

/** `chars`: about how many characters its text has, never more than that by much. */
export interface Moment {
  readonly value: Value;
  readonly chars: number;
}

/**
 * Null where there is none to be had for less than the text itself.
 *
 * @param before  The value of a moment that is needed no more: what it holds elements in is used again.
 */
export function momentOf(v: Value, before: Value = null): Moment | null {
  const copier = new Copier();
  const value = copier.copyOver(v, before);
  return value === undefined ? null : { value, chars: copier.chars };
}

/** Values whose text is the same whenever it is taken. */
export function isUnchanging(v: Value): boolean {
  return (
    v === null ||
    typeof v !== "object" ||
    v instanceof Float ||
    v instanceof Complex ||
    v instanceof Bytes ||
    v instanceof Subject ||
    v instanceof Datetime ||
    v instanceof Duration ||
    v instanceof PyRange ||
    v instanceof PyOpaque ||
    v instanceof PyType ||
    v instanceof PyFunction ||
    (v instanceof PyNative && v.isUnchanging)
  );
}

/** Deeper than this, or a value inside itself: the text is taken at once. */
const DEPTH_MAX = 8;

class Copier {
  chars = 2;

  copyOver(v: Value, before: Value): Value | undefined {
    if (!(before instanceof ListMoment && v instanceof PyList && v.constructor === PyList)) return this.copy(v, 0);
    return this.elements(v.a, 0, before.a) && before;
  }

  /** Undefined: give up. */
  copy(v: Value, depth: number): Value | undefined {
    if (typeof v === "string") this.chars += v.length;
    if (isUnchanging(v)) return v;
    if (depth > DEPTH_MAX) return undefined;
    if (v instanceof PyList && v.constructor === PyList) {
      const elements = this.elements(v.a, depth);
      return elements && new ListMoment(elements);
    }
    if (v instanceof PyTuple) {
      // What it holds stays; only what that holds may change.
      if (v.a.every(isUnchanging)) return this.counted(v.a) ? v : undefined;
      if (v.constructor !== PyTuple) return undefined;
      const elements = this.elements(v.a, depth);
      return elements && new PyTuple(elements);
    }
    if (v instanceof PyDict && v.constructor === PyDict) {
      const keys = this.elements(v.keys(), depth);
      const values = keys && this.elements(v.values(), depth);
      return keys && values && new DictMoment(keys, values);
    }
    return undefined;
  }

  private counted(values: readonly Value[]): boolean {
    this.chars += 3 * values.length;
    for (const v of values) if (typeof v === "string") this.chars += v.length;
    return this.chars <= TRANSCRIPT_VALUE_CHARS_MAX;
  }

  private elements(from: readonly Value[], depth: number, over: Value[] | null = null): Value[] | undefined {
    this.chars += 3 * from.length;
    if (this.chars > TRANSCRIPT_VALUE_CHARS_MAX) return undefined;
    const into = over ?? from.slice();
    if (into.length > from.length) into.length = from.length;
    for (let i = 0; i < from.length; i++) {
      const element = from[i]!;
      if (typeof element === "number" || typeof element === "boolean" || element === null) {
        into[i] = element;
        continue;
      }
      const copied = this.copy(element, depth + 1);
      if (copied === undefined) return undefined;
      into[i] = copied;
    }
    return this.chars > TRANSCRIPT_VALUE_CHARS_MAX ? undefined : into;
  }
}

/** A copy, whose elements nobody else has. */
class ListMoment extends PyList {}

/** Only ever written out. */
class DictMoment extends PyDict {
  constructor(keys: Value[], values: Value[]) {
    super();
    this.keyList = keys;
    this.valueList = values;
  }
  override get size(): number {
    return this.keyList.length;
  }
}
