/**
 * `repr`, `str` and `ascii` of every value.
 *
 * Containers print as CPython's, a container inside itself as `[...]`. What CPython prints with an address prints its
 * name here (`<function f>`), because an address is not the same twice.
 */
import { Bytes, Complex, Datetime, Duration, Float, Subject } from "../../datum";
import { spellSubject } from "../../engine/address";
import { VALUE_DEPTH_MAX } from "../../limits";
import { BoundMethod, UnboundMethod } from "./builtin-function";
import { bytesRepr } from "./bytes";
import { complexRepr } from "./complex";
import { datetimeText, durationText } from "./datetime";
import { detailedText } from "./detailed-exceptions";
import { PyDict, PyDictView } from "./dict";
import { isExceptionSubclass } from "./exception";
import { floatRepr } from "./float";
import { intText } from "./int-text";
import { checkChars } from "./meter";
import { deeper } from "./protocol-equal";
import { typeName } from "./protocol-type";
import { isSet, PyFrozenSet } from "./set";
import { checkEscaped, escapeCode, strAscii, strRepr } from "./str";
import { unicodeErrorText } from "./unicode-error";
import {
  PyEllipsis,
  PyException,
  PyFunction,
  PyIterator,
  PyList,
  PyModule,
  PyNative,
  PyOpaque,
  PyRange,
  PySlice,
  PyTuple,
  PyType,
  type Value,
} from "./value";

/** `repr(v)`. */
export function repr(v: Value): string {
  switch (typeof v) {
    case "number":
      return String(v);
    case "string":
      return strRepr(v);
  }
  const writer = new Writer();
  writer.write(v, 0);
  return writer.text;
}

/**
 * `repr(v)` where it has at most `most` characters, else null. Takes no more time than that, and refuses nothing: an
 * int is written whatever its digits, and what nests too deep for `repr` is too long.
 */
export function reprWithin(v: Value, most: number): string | null {
  const writer = new Writer(most);
  try {
    writer.write(v, 0);
    return writer.text;
  } catch (thrown) {
    if (thrown === TOO_LONG) return null;
    throw thrown;
  }
}

/** `str(v)`. */
export function str(v: Value): string {
  if (typeof v === "string") return v;
  if (typeof v === "number") return String(v);
  if (v instanceof PyException) return exceptionText(v);
  return repr(v instanceof PyDict ? v.shown : v);
}

/** `ascii(v)`: the repr with everything outside ASCII escaped. */
export function ascii(v: Value): string {
  if (typeof v === "string") return strAscii(v);
  const text = repr(v);
  checkEscaped(text, (code) => code < 128);
  return text.replace(/[^\x00-\x7f]/gu, (character) => escapeCode(character.codePointAt(0)!));
}

/** `str(e)`: nothing, the one argument (KeyError its repr), or the tuple of arguments. */
export function exceptionText(e: PyException): string {
  const detailed = detailedText(e);
  if (detailed !== null) return detailed;
  if (e.args.length === 0) return "";
  if (e.args.length > 1) return unicodeErrorText(e) ?? repr(new PyTuple(e.args));
  return isExceptionSubclass(e.className, "KeyError") ? repr(e.args[0]) : str(e.args[0]);
}

/** Thrown inside `reprWithin` only. */
const TOO_LONG = Symbol("too long");

class Writer {
  /** Containers being written, outermost first. */
  private readonly open: Value[] = [];
  /** Pieces are joined now and then: a rope of millions of small ones takes far more memory than its text. */
  private whole: string[] = [];
  private pieces: string[] = [];
  private length = 0;
  /** Length at which the size is looked at again. */
  private checkAt = 65_536;

  /** @param most  Characters after which `TOO_LONG` is thrown; null: as `repr` of a program, with its limits. */
  constructor(private readonly most: number | null = null) {}

  private put(piece: string) {
    this.length += piece.length;
    if (this.pieces.push(piece) > 4096) {
      this.whole.push(this.pieces.join(""));
      this.pieces = [];
    }
    if (this.most !== null && this.length > this.most) throw TOO_LONG;
    if (this.length > this.checkAt) {
      checkChars(this.length);
      this.checkAt *= 2;
    }
  }

  get text(): string {
    return this.whole.join("") + (this.pieces.length === 1 ? this.pieces[0]! : this.pieces.join(""));
  }

  private deeper(depth: number) {
    if (this.most !== null && depth > VALUE_DEPTH_MAX) throw TOO_LONG;
    deeper(depth);
  }

  /** What something that spells itself needs to spell a value it holds. */
  private within(depth: number): (v: Value) => string {
    let chars = 0;
    return (v) => {
      const { whole, pieces, length } = this;
      [this.whole, this.pieces, this.length] = [[], [], 0];
      this.write(v, depth + 1);
      const piece = this.text;
      [this.whole, this.pieces, this.length] = [whole, pieces, length];
      chars += piece.length;
      if (this.most !== null && chars > this.most) throw TOO_LONG;
      return piece;
    };
  }

  write(v: Value, depth: number) {
    switch (typeof v) {
      case "number":
        return this.put(String(v));
      case "bigint":
        return this.put(this.most === null ? intText(v) : v.toString());
      case "string":
        if (this.most !== null && v.length > this.most) throw TOO_LONG;
        return this.put(strRepr(v));
      case "boolean":
        return this.put(v ? "True" : "False");
    }
    if (v === null) return this.put("None");
    if (v instanceof Float) return this.put(floatRepr(v.v));
    if (v instanceof PyList) return this.sequence(v, v.a, "[", "]", "[...]", depth);
    if (v instanceof PyTuple) {
      if (v.typeName !== "tuple") return this.put(this.namedTuple(v, depth));
      return this.sequence(v, v.a, "(", v.a.length === 1 ? ",)" : ")", "(...)", depth);
    }
    if (v instanceof PyDict) return this.dict(v, depth);
    if (isSet(v)) return this.set(v, depth);
    if (v instanceof PyDictView) return this.view(v, depth);
    if (v instanceof PyException) return this.exception(v, depth);
    if (v instanceof PySlice) {
      this.put("slice(");
      this.items([v.start, v.stop, v.step], depth);
      return this.put(")");
    }
    if (v instanceof PyNative) {
      this.deeper(depth);
      return this.put(v.repr(this.within(depth)));
    }
    this.put(plainRepr(v));
  }

  private enter(v: Value, cycle: string, depth: number): boolean {
    if (this.open.includes(v)) {
      this.put(cycle);
      return false;
    }
    this.deeper(depth);
    this.open.push(v);
    return true;
  }

  private items(values: readonly Value[], depth: number) {
    for (let i = 0; i < values.length; i++) {
      if (i > 0) this.put(", ");
      this.write(values[i], depth + 1);
    }
  }

  private sequence(v: Value, values: readonly Value[], open: string, close: string, cycle: string, depth: number) {
    if (values.length === 0) return this.put(open + close);
    if (this.most !== null && values.length * 3 > this.most + 2) throw TOO_LONG;
    if (values.every((e) => typeof e === "number")) return this.put(open + values.join(", ") + close);
    if (!this.enter(v, cycle, depth)) return;
    this.put(open);
    this.items(values, depth);
    this.put(close);
    this.open.pop();
  }

  private dict(v: PyDict, depth: number) {
    const wrapped = v.typeName !== "dict";
    const [before, after] = v.reprAround(this.within(depth));
    if (!this.enter(v, v.pairedRepr ? "..." : `${before}{...}${after}`, depth)) return;
    this.put(before);
    if (!(wrapped && v.size === 0 && before.endsWith("("))) {
      if (v.pairedRepr) {
        this.put("[");
        this.items(
          v.entries().map((e) => new PyTuple(e)),
          depth,
        );
        this.put("]");
      } else this.entries(v, depth);
    }
    this.put(after);
    this.open.pop();
  }

  private entries(v: PyDict, depth: number) {
    this.put("{");
    v.reprEntries().forEach(([key, value], i) => {
      if (i > 0) this.put(", ");
      this.write(key, depth + 1);
      this.put(": ");
      this.write(value, depth + 1);
    });
    this.put("}");
  }

  private set(v: Value & { kind: "set" | "frozenset"; size: number; elements(): Value[] }, depth: number) {
    const frozen = v instanceof PyFrozenSet;
    if (v.size === 0) return this.put(`${v.kind}()`);
    if (!this.enter(v, `${v.kind}(...)`, depth)) return;
    this.put(frozen ? "frozenset({" : "{");
    this.items(v.elements(), depth);
    this.put(frozen ? "})" : "}");
    this.open.pop();
  }

  private view(v: PyDictView, depth: number) {
    if (!this.enter(v, "...", depth)) return;
    this.put(`${v.typeName}([`);
    const { dict } = v;
    const values = v.kind === "keys" ? dict.keys() : v.kind === "values" ? dict.values() : dict.entries().map((e): Value => new PyTuple(e));
    this.items(values, depth);
    this.put("])");
    this.open.pop();
  }

  private exception(v: PyException, depth: number) {
    this.put(`${v.className}(`);
    this.items(v.args, depth);
    this.put(")");
  }

  private namedTuple(v: PyTuple, depth: number): string {
    this.deeper(depth);
    return v.namedRepr(this.within(depth));
  }
}

function plainRepr(v: Value): string {
  if (v instanceof Bytes) return bytesRepr(v);
  if (v instanceof Complex) return complexRepr(v);
  if (v instanceof Datetime) return datetimeText(v);
  if (v instanceof Duration) return durationText(v);
  if (v instanceof Subject) return spellSubject(v.kind, v.name);
  if (v instanceof PyRange) return `range(${v.start}, ${v.stop}${v.step === 1 ? "" : `, ${v.step}`})`;
  if (v instanceof PyOpaque || v instanceof PyIterator) return v.repr();
  if (v instanceof PyFunction) {
    const own = v.ownRepr();
    if (own !== null) return own;
  }
  if (v instanceof PyType) return `<class '${v.name}'>`;
  if (v instanceof BoundMethod) return `<built-in method ${v.name} of ${typeName(v.self)} object>`;
  if (v instanceof UnboundMethod) return `<method '${v.name}' of '${v.owner}' objects>`;
  if (v instanceof PyFunction)
    return v.typeName === "builtin_function_or_method" ? `<built-in function ${v.name}>` : `<function ${v.name}>`;
  if (v instanceof PyModule) return `<module '${v.name}'>`;
  if (v instanceof PyEllipsis) return "Ellipsis";
  return `<${typeName(v)} object>`;
}
