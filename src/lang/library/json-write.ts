/**
 * `json.dumps`, to the byte. CPython has two encoders, one in C for `indent=None` and one in Python; where their
 * complaints differ (a NaN that is not allowed) so do ours. What is open the writer keeps in fields, so that much is written
 * in slices.
 */
import { Float } from "../../datum";
import { Refusal } from "../../failure";
import type { Kwargs } from "../value/arguments";
import { callValue } from "../value/call";
import { PyDict } from "../value/dict";
import { raise } from "../value/exception";
import { floatRepr } from "../value/float";
import { intText } from "../value/int-text";
import { checkChars, checkPiece, spendOps, spendSteps } from "../value/meter";
import { mayPause, soon, type Task } from "../value/pending";
import { mul } from "../value/protocol-arith";
import { deeper } from "../value/protocol-equal";
import { takeAll, truthy } from "../value/protocol-iterate";
import { className, typeName } from "../value/protocol-type";
import { sortValues } from "../value/sort";
import { PAUSED, PyList, PyTuple, type Value } from "../value/value";

interface Style {
  readonly skipKeys: boolean;
  readonly ascii: boolean;
  readonly circular: boolean;
  readonly nan: boolean;
  /** One level of indentation, or null for a single line. */
  readonly indent: string | null;
  readonly item: string;
  readonly key: string;
  readonly fallback: Value;
  readonly sorted: boolean;
}

const OPTIONS = ["skipkeys", "ensure_ascii", "check_circular", "allow_nan", "cls", "indent", "separators", "default", "sort_keys"];

/** `json.dumps(obj, *, …)`. */
export function dumps(args: readonly Value[], kwargs: Kwargs): Value | Task {
  const named = new Map(kwargs ?? []);
  let value = args[0];
  if (args.length > 1) raise("TypeError", `dumps() takes 1 positional argument but ${args.length} were given`);
  if (value !== undefined && named.has("obj")) raise("TypeError", "dumps() got multiple values for argument 'obj'");
  value ??= named.get("obj") ?? (named.has("obj") ? null : value);
  if (value === undefined) raise("TypeError", "dumps() missing 1 required positional argument: 'obj'");
  named.delete("obj");
  for (const name of named.keys())
    if (!OPTIONS.includes(name)) raise("TypeError", `JSONEncoder.__init__() got an unexpected keyword argument '${name}'`);
  const writer = new JsonWriter(styleOf(named, value), value);
  return soon(() => writer.poll(), writer.written);
}

function styleOf(named: ReadonlyMap<string, Value>, value: Value): Style {
  const option = (name: string, absent: boolean): boolean => (named.has(name) ? truthy(named.get(name) as Value) : absent);
  if ((named.get("cls") ?? null) !== null)
    throw new Refusal("out_of_surface", "json.dumps takes no encoder class: give a function as default=");
  const indent = named.get("indent") ?? null;
  // A text is written without a look at the indent.
  const level =
    indent === null || typeof indent === "string" || typeof value === "string" ? (indent as string | null) : (mul(" ", indent) as string);
  const separators = named.get("separators") ?? null;
  const [item, key] = separators === null ? [level === null ? ", " : ",", ": "] : separatorsOf(separators);
  return {
    skipKeys: option("skipkeys", false),
    ascii: option("ensure_ascii", true),
    circular: option("check_circular", true),
    nan: option("allow_nan", true),
    indent: level,
    item,
    key,
    fallback: named.get("default") ?? null,
    sorted: option("sort_keys", false),
  };
}

function separatorsOf(v: Value): readonly [string, string] {
  let pair: readonly Value[];
  if (v instanceof PyTuple || v instanceof PyList) pair = v.a;
  else if (typeof v === "string" || v instanceof PyDict) pair = takeAll(v);
  else raise("TypeError", `cannot unpack non-iterable ${typeName(v)} object`);
  if (pair.length > 2) raise("ValueError", "too many values to unpack (expected 2)");
  if (pair.length < 2) raise("ValueError", `not enough values to unpack (expected 2, got ${pair.length})`);
  const [item, key] = pair;
  if (typeof key !== "string") raise("TypeError", `make_encoder() argument 5 must be str, not ${typeName(key)}`);
  if (typeof item !== "string") raise("TypeError", `make_encoder() argument 6 must be str, not ${typeName(item)}`);
  return [item, key];
}

/** Elements between two looks at the slice. */
const STRETCH = 256;
/** Pieces that are joined at a time. */
const PIECES = 1024;

/** A value that is not written to its end yet. */
interface Open {
  readonly value: Value;
  /** Of a list; null of a dict, and of a value that another is written for. */
  readonly items: readonly Value[] | null;
  readonly entries: readonly (readonly [Value, Value])[];
  /** Of the items or the entries. */
  next: number;
  isFirst: boolean;
  /** The break and indentation of the level it stands on, and of its elements. */
  readonly line: string;
  readonly inner: string;
  readonly depth: number;
  readonly closing: string;
}

class JsonWriter {
  /** The text so far: long pieces, and the short ones that have come since. */
  readonly written: [long: string[], short: string[]] = [[], []];
  private size = 0;
  /** From the outermost. */
  private readonly open: Open[] = [];
  private readonly above = new Set<Value>();
  private count = 0;
  private begun = false;
  constructor(
    private readonly style: Style,
    private readonly root: Value,
  ) {}

  /** The text, or PAUSED before an element. */
  poll(): string | typeof PAUSED {
    if (!this.begun) {
      this.begun = true;
      this.write(this.root, "\n", 0);
    }
    for (let top = this.open.at(-1); top !== undefined; top = this.open.at(-1)) {
      if (++this.count % STRETCH === 0 && mayPause()) return PAUSED;
      this.goOn(top);
    }
    this.join();
    return this.written[0].join("");
  }

  private put(text: string): void {
    const short = this.written[1];
    if (short.push(text) === PIECES) this.join();
    this.size += text.length;
    checkPiece(this.size, text.length);
  }
  private join(): void {
    const [long, short] = this.written;
    long.push(short.join(""));
    short.length = 0;
  }

  /** Writes a value, or how it begins. `line` is the break and indentation of the level the value stands on. */
  private write(v: Value, line: string, depth: number): void {
    const scalar = this.scalar(v);
    if (scalar !== undefined) {
      this.put(scalar);
      return;
    }
    deeper(depth);
    if (this.style.circular) {
      if (this.above.has(v)) raise("ValueError", "Circular reference detected");
      this.above.add(v);
    }
    if (v instanceof PyList || v instanceof PyTuple) this.beginList(v, v.a, line, depth);
    else if (v instanceof PyDict) this.beginDict(v, line, depth);
    else if (this.style.fallback !== null) {
      this.open.push({ value: v, items: null, entries: [], next: 0, isFirst: true, line, inner: line, depth, closing: "" });
      this.write(callValue(this.style.fallback, [v]), line, depth + 1);
    } else raise("TypeError", `Object of type ${className(v)} is not JSON serializable`);
  }

  /** The next element, or the end. */
  private goOn(top: Open): void {
    if (top.items !== null && top.next < top.items.length) this.writeItem(top, top.items[top.next++]);
    else if (top.items === null && top.next < top.entries.length) this.writeEntry(top, top.entries[top.next++]);
    else {
      this.open.pop();
      if (top.closing !== "") this.put(this.style.indent === null ? top.closing : top.line + top.closing);
      this.above.delete(top.value);
    }
  }

  private scalar(v: Value): string | undefined {
    if (typeof v === "string") return jsonText(v, this.style.ascii);
    if (v === null) return "null";
    if (typeof v === "boolean") return v ? "true" : "false";
    if (typeof v === "number" || typeof v === "bigint") return intText(v);
    return v instanceof Float ? this.float(v.v) : undefined;
  }

  private float(x: number): string {
    if (Number.isFinite(x)) return floatRepr(x);
    if (!this.style.nan) {
      const shown = this.style.indent === null ? "" : `: ${floatRepr(x)}`;
      raise("ValueError", `Out of range float values are not JSON compliant${shown}`);
    }
    return Number.isNaN(x) ? "NaN" : x > 0 ? "Infinity" : "-Infinity";
  }

  private beginList(value: Value, items: readonly Value[], line: string, depth: number): void {
    if (items.length === 0) {
      this.put("[]");
      this.above.delete(value);
      return;
    }
    const inner = this.style.indent === null ? "" : line + this.style.indent;
    this.put(`[${inner}`);
    this.open.push({ value, items, entries: [], next: 0, isFirst: true, line, inner, depth, closing: "]" });
  }
  private writeItem(top: Open, item: Value): void {
    spendOps(1);
    if (!top.isFirst) this.put(this.style.item + top.inner);
    top.isFirst = false;
    this.write(item, top.inner, top.depth + 1);
  }

  private beginDict(dict: PyDict, line: string, depth: number): void {
    if (dict.size === 0) {
      this.put("{}");
      this.above.delete(dict);
      return;
    }
    const inner = this.style.indent === null ? "" : line + this.style.indent;
    this.put("{");
    let entries = dict.entries();
    if (this.style.sorted) entries = sortValues(entries.map((e) => new PyTuple(e))).map((e) => (e as PyTuple).a as [Value, Value]);
    this.open.push({ value: dict, items: null, entries, next: 0, isFirst: true, line, inner, depth, closing: "}" });
  }
  private writeEntry(top: Open, [key, value]: readonly [Value, Value]): void {
    spendOps(1);
    const name = this.keyText(key);
    if (name === undefined) return;
    this.put(top.isFirst ? top.inner : this.style.item + top.inner);
    top.isFirst = false;
    this.put(jsonText(name, this.style.ascii) + this.style.key);
    this.write(value, top.inner, top.depth + 1);
  }

  /** A key as text; undefined where it is to be left out. */
  private keyText(key: Value): string | undefined {
    if (typeof key === "string") return key;
    const scalar = this.scalar(key);
    if (scalar !== undefined) return scalar;
    if (this.style.skipKeys) return undefined;
    raise("TypeError", `keys must be str, int, float, bool or None, not ${typeName(key)}`);
  }
}

const SHORT: Readonly<Record<string, string>> = {
  '"': '\\"',
  "\\": "\\\\",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
  "\f": "\\f",
  "\b": "\\b",
};

/** A text in quotes. Not only controls are escaped where ASCII is asked: every unit past `~`. */
export function jsonText(text: string, ascii: boolean): string {
  spendSteps(text.length >> 4);
  if (text.length >= 1 << 16) {
    let escapes = 0;
    for (let i = 0; i < text.length; i++) {
      const unit = text.charCodeAt(i);
      if (unit < 32 || (ascii && unit > 126)) escapes++;
    }
    checkChars(text.length + 5 * escapes);
  }
  const special = ascii ? /["\\]|[^ -~]/g : /["\\\x00-\x1f]/g;
  return `"${text.replace(special, (unit) => SHORT[unit] ?? `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)}"`;
}
