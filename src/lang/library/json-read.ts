/**
 * `json.loads`: a scanner that complains where and as CPython's does. What is open it keeps in fields, so that a long document
 * is read in slices.
 */
import { Bytes, Float } from "../../datum";
import { Refusal } from "../../failure";
import type { Kwargs } from "../value/arguments";
import { callValue } from "../value/call";
import { PyDict } from "../value/dict";
import { decodeBytes } from "../value/encoding";
import { raise } from "../value/exception";
import { intFromText } from "../value/int-text";
import { checkGrowth, spendSteps } from "../value/meter";
import { mayPause, soon, type Task } from "../value/pending";
import { deeper } from "../value/protocol-equal";
import { truthy } from "../value/protocol-iterate";
import { className } from "../value/protocol-type";
import { strLength, surrogateRefusal } from "../value/str";
import { PAUSED, type PyException, PyList, PyTuple, Raised, type Value } from "../value/value";
import { libraryException, placeIn } from "./exception-type";

const HOOKS = ["object_hook", "parse_float", "parse_int", "parse_constant", "object_pairs_hook"] as const;
type Hooks = Partial<Record<(typeof HOOKS)[number], Value>>;

/** `json.loads(s, *, …)`. */
export function loads(args: readonly Value[], kwargs: Kwargs): Value | Task {
  if (args.length > 1) raise("TypeError", `loads() takes 1 positional argument but ${args.length} were given`);
  const source = args.length > 0 ? args[0] : kwargs?.get("s");
  if (source === undefined) raise("TypeError", "loads() missing 1 required positional argument: 's'");
  const hooks: Hooks = {};
  let strict = true;
  for (const [name, v] of kwargs ?? []) {
    if (name === "s") {
      if (args.length > 0) raise("TypeError", "loads() got multiple values for argument 's'");
    } else if (name === "strict") strict = truthy(v);
    else if ((HOOKS as readonly string[]).includes(name)) {
      if (v !== null) hooks[name as (typeof HOOKS)[number]] = v;
    } else if (name !== "cls") raise("TypeError", `JSONDecoder.__init__() got an unexpected keyword argument '${name}'`);
    else if (v !== null) throw new Refusal("out_of_surface", "json.loads takes no decoder class: give a function as object_hook=");
  }
  let text: string;
  if (typeof source === "string") {
    text = source;
    if (text.startsWith("\ufeff")) fail(text, 0, "Unexpected UTF-8 BOM (decode using utf-8-sig)");
  } else if (source instanceof Bytes) text = decodeBytes(source.b, encodingOf(source.b), "surrogatepass");
  else raise("TypeError", `the JSON object must be str, bytes or bytearray, not ${className(source)}`);
  const scanner = new Scanner(text, hooks, strict);
  return soon(() => scanner.poll(), scanner.open);
}

/** UTF-8, -16 or -32, told by the mark or by where the zeros stand in the first two characters (RFC 4627). */
function encodingOf(b: Uint8Array): string {
  const opens = (...bytes: number[]): boolean => bytes.every((byte, i) => b[i] === byte);
  if (opens(0xff, 0xfe, 0, 0) || opens(0, 0, 0xfe, 0xff)) return "utf-32";
  if (opens(0xff, 0xfe) || opens(0xfe, 0xff)) return "utf-16";
  if (opens(0xef, 0xbb, 0xbf)) return "utf-8-sig";
  if (b.length >= 4) {
    if (b[0] === 0) return b[1] !== 0 ? "utf-16-be" : "utf-32-be";
    if (b[1] === 0) return b[2] !== 0 || b[3] !== 0 ? "utf-16-le" : "utf-32-le";
  } else if (b.length === 2) {
    if (b[0] === 0) return "utf-16-be";
    if (b[1] === 0) return "utf-16-le";
  }
  return "utf-8";
}

/** JSONDecodeError at the unit `at`; its position counts code points. */
function fail(text: string, at: number, what: string): never {
  throw new Raised(decodeError(what, text, strLength(text.slice(0, at))));
}

/** `json.JSONDecodeError(msg, doc, pos)`. */
export function decodeError(message: string, document: string, position: number): PyException {
  const { line, column } = placeIn([...document], position);
  return libraryException("JSONDecodeError", `${message}: line ${line} column ${column} (char ${position})`, [
    ["msg", message],
    ["doc", document],
    ["pos", position],
    ["lineno", line],
    ["colno", column],
  ]);
}

const NUMBER = /-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?/y;
const PLAIN = /[^"\\\x00-\x1f]*/y;
const CONSTANTS: readonly (readonly [string, Value])[] = [
  ["null", null],
  ["true", true],
  ["false", false],
];
const SPECIAL: readonly (readonly [string, number])[] = [
  ["NaN", Number.NaN],
  ["Infinity", Number.POSITIVE_INFINITY],
  ["-Infinity", Number.NEGATIVE_INFINITY],
];
const ESCAPES: Readonly<Record<string, string>> = { '"': '"', "\\": "\\", "/": "/", b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };

/** Characters between two looks at the slice, at least; a step each. */
const STRETCH = 4096;

/** A list or an object that is not closed yet. */
class Open {
  /** Of an object: the key whose value comes next. */
  key = "";
  constructor(
    /** Of a list. */
    readonly items: Value[] | null,
    readonly dict: PyDict | null,
    /** Of an object whose pairs a hook wants. */
    readonly pairs: [string, Value][] | null,
  ) {}
}

class Scanner {
  /** From the outermost. */
  readonly open: Open[] = [];
  private at = 0;
  /** As far as steps are charged. */
  private charged = 0;
  private begun = false;
  constructor(
    private readonly text: string,
    private readonly hooks: Hooks,
    /** Whether control characters in a text are refused. */
    private readonly strict: boolean,
  ) {}

  /** The document's value, or PAUSED before one of its values. */
  poll(): Value | typeof PAUSED {
    if (!this.begun) {
      this.begun = true;
      this.skip();
    }
    for (;;) {
      if (this.at - this.charged >= STRETCH) {
        this.charge(this.at);
        if (mayPause()) return PAUSED;
      }
      const made = this.value();
      if (made === undefined) continue;
      const outermost = this.placed(made);
      if (outermost === undefined) continue;
      this.skip();
      if (this.at !== this.text.length) this.fail("Extra data");
      this.charge(this.text.length);
      return outermost;
    }
  }

  private charge(upTo: number): void {
    spendSteps(upTo - this.charged);
    this.charged = upTo;
  }

  private fail(what: string, at: number = this.at): never {
    this.charge(this.text.length);
    return fail(this.text, at, what);
  }

  private skip(): void {
    for (;;) {
      const unit = this.text.charCodeAt(this.at);
      if (unit !== 32 && unit !== 10 && unit !== 13 && unit !== 9) return;
      this.at++;
    }
  }

  /** A value that is read whole; undefined where it is a list or an object that has been opened. */
  private value(): Value | undefined {
    const first = this.text[this.at];
    if (first === '"') return this.string();
    if (first === "{" || first === "[") {
      deeper(this.open.length);
      return first === "{" ? this.object() : this.array();
    }
    for (const [word, v] of CONSTANTS) {
      if (this.text.startsWith(word, this.at)) {
        this.at += word.length;
        return v;
      }
    }
    for (const [word, x] of SPECIAL) {
      if (this.text.startsWith(word, this.at)) {
        this.at += word.length;
        return this.hooks.parse_constant !== undefined ? callValue(this.hooks.parse_constant, [word]) : new Float(x);
      }
    }
    return this.number();
  }

  /** Puts a value where it belongs, and what that closes where that belongs. The outermost one comes back, once it is whole. */
  private placed(made: Value): Value | undefined {
    let v = made;
    for (;;) {
      const top = this.open.at(-1);
      if (top === undefined) return v;
      if (top.items === null) {
        if (top.dict !== null) top.dict.set(top.key, v);
        else if ((top.pairs!.push([top.key, v]) & 0xffff) === 0) checkGrowth(top.pairs!.length, 0x10000);
      } else if ((top.items.push(v) & 0xffff) === 0) checkGrowth(top.items.length, 0x10000);
      this.skip();
      const unit = this.text[this.at];
      if (unit === ",") {
        this.at++;
        this.skip();
        if (top.items === null) this.key(top);
        return undefined;
      }
      if (unit !== (top.items === null ? "}" : "]")) this.fail("Expecting ',' delimiter");
      this.at++;
      this.open.pop();
      v = this.closed(top);
    }
  }

  private number(): Value {
    NUMBER.lastIndex = this.at;
    const found = NUMBER.exec(this.text);
    if (found === null) this.fail("Expecting value");
    const [digits, fraction, exponent] = found;
    this.at += digits.length;
    if (fraction !== undefined || exponent !== undefined)
      return this.hooks.parse_float !== undefined ? callValue(this.hooks.parse_float, [digits]) : new Float(Number(digits));
    return this.hooks.parse_int !== undefined ? callValue(this.hooks.parse_int, [digits]) : intFromText(digits, 10);
  }

  private string(): string {
    const opening = this.at++;
    let out = "";
    for (;;) {
      PLAIN.lastIndex = this.at;
      const run = PLAIN.exec(this.text)![0];
      out += run;
      this.at += run.length;
      if (this.at >= this.text.length) this.fail("Unterminated string starting at", opening);
      const unit = this.text[this.at];
      if (unit === '"') {
        this.at++;
        return out;
      }
      if (unit === "\\") out += this.escape(opening);
      else if (this.strict) this.fail("Invalid control character at");
      else {
        out += unit;
        this.at++;
      }
    }
  }

  private escape(opening: number): string {
    const backslash = this.at;
    const letter = this.text[backslash + 1];
    if (letter === undefined) this.fail("Unterminated string starting at", opening);
    if (letter !== "u") {
      const plain = ESCAPES[letter];
      if (plain === undefined) this.fail("Invalid \\escape", backslash);
      this.at += 2;
      return plain;
    }
    const code = this.hex(backslash + 1);
    this.at += 6;
    if ((code & 0xf800) !== 0xd800) return String.fromCharCode(code);
    if (code < 0xdc00 && this.at + 6 < this.text.length && this.text.startsWith("\\u", this.at)) {
      const low = this.hex(this.at + 1);
      if ((low & 0xfc00) === 0xdc00) {
        this.at += 6;
        return String.fromCharCode(code, low);
      }
    }
    throw surrogateRefusal(code);
  }

  /** Four digits after the `u` at unit `u`; there must be a unit after them. */
  private hex(u: number): number {
    const digits = this.text.slice(u + 1, u + 5);
    if (u + 5 >= this.text.length || !/^[0-9a-fA-F]{4}$/.test(digits)) this.fail("Invalid \\uXXXX escape", u);
    return Number.parseInt(digits, 16);
  }

  private array(): Value | undefined {
    this.at++;
    this.skip();
    const opened = new Open([], null, null);
    if (this.text[this.at] !== "]") {
      this.open.push(opened);
      return undefined;
    }
    this.at++;
    return this.closed(opened);
  }

  private object(): Value | undefined {
    this.at++;
    this.skip();
    const opened = this.hooks.object_pairs_hook === undefined ? new Open(null, new PyDict(), null) : new Open(null, null, []);
    if (this.text[this.at] !== "}") {
      this.key(opened);
      this.open.push(opened);
      return undefined;
    }
    this.at++;
    return this.closed(opened);
  }

  private key(opened: Open): void {
    if (this.text[this.at] !== '"') this.fail("Expecting property name enclosed in double quotes");
    opened.key = this.string();
    this.skip();
    if (this.text[this.at] !== ":") this.fail("Expecting ':' delimiter");
    this.at++;
    this.skip();
  }

  private closed({ items, dict, pairs }: Open): Value {
    if (items !== null) return new PyList(items);
    if (dict === null) return callValue(this.hooks.object_pairs_hook!, [new PyList(pairs!.map((pair) => new PyTuple(pair)))]);
    return this.hooks.object_hook !== undefined ? callValue(this.hooks.object_hook, [dict]) : dict;
  }
}
