/** `json.loads`: a scanner that complains where and as CPython's does. */
import { Bytes, Float } from "../../datum";
import { Refusal } from "../../failure";
import type { Kwargs } from "../value/arguments";
import { callValue } from "../value/call";
import { PyDict } from "../value/dict";
import { decodeBytes } from "../value/encoding";
import { raise } from "../value/exception";
import { intFromText } from "../value/int-text";
import { checkGrowth, spendSteps } from "../value/meter";
import { deeper } from "../value/protocol-equal";
import { truthy } from "../value/protocol-iterate";
import { className } from "../value/protocol-type";
import { strLength, surrogateRefusal } from "../value/str";
import { type PyException, PyList, PyTuple, Raised, type Value } from "../value/value";
import { libraryException, placeIn } from "./exception-type";

const HOOKS = ["object_hook", "parse_float", "parse_int", "parse_constant", "object_pairs_hook"] as const;
type Hooks = Partial<Record<(typeof HOOKS)[number], Value>>;

/** `json.loads(s, *, …)`. */
export function loads(args: readonly Value[], kwargs: Kwargs): Value {
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
  spendSteps(text.length);
  return new Scanner(text, hooks, strict).document();
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

class Scanner {
  private at = 0;
  constructor(
    private readonly text: string,
    private readonly hooks: Hooks,
    /** Whether control characters in a text are refused. */
    private readonly strict: boolean,
  ) {}

  document(): Value {
    this.skip();
    const v = this.value(0);
    this.skip();
    if (this.at !== this.text.length) this.fail("Extra data");
    return v;
  }

  private fail(what: string, at: number = this.at): never {
    return fail(this.text, at, what);
  }

  private skip(): void {
    for (;;) {
      const unit = this.text.charCodeAt(this.at);
      if (unit !== 32 && unit !== 10 && unit !== 13 && unit !== 9) return;
      this.at++;
    }
  }

  private value(depth: number): Value {
    const first = this.text[this.at];
    if (first === '"') return this.string();
    if (first === "{" || first === "[") {
      deeper(depth);
      return first === "{" ? this.object(depth + 1) : this.array(depth + 1);
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

  private array(depth: number): Value {
    this.at++;
    this.skip();
    const items: Value[] = [];
    if (this.text[this.at] === "]") {
      this.at++;
      return new PyList(items);
    }
    for (;;) {
      if ((items.push(this.value(depth)) & 0xffff) === 0) checkGrowth(items.length, 0x10000);
      this.skip();
      const unit = this.text[this.at];
      if (unit === "]") break;
      if (unit !== ",") this.fail("Expecting ',' delimiter");
      this.at++;
      this.skip();
    }
    this.at++;
    return new PyList(items);
  }

  private object(depth: number): Value {
    this.at++;
    this.skip();
    const pairs: [string, Value][] = [];
    if (this.text[this.at] !== "}") {
      for (;;) {
        if (this.text[this.at] !== '"') this.fail("Expecting property name enclosed in double quotes");
        const key = this.string();
        this.skip();
        if (this.text[this.at] !== ":") this.fail("Expecting ':' delimiter");
        this.at++;
        this.skip();
        if ((pairs.push([key, this.value(depth)]) & 0xffff) === 0) checkGrowth(pairs.length, 0x10000);
        this.skip();
        const unit = this.text[this.at];
        if (unit === "}") break;
        if (unit !== ",") this.fail("Expecting ',' delimiter");
        this.at++;
        this.skip();
      }
    }
    this.at++;
    if (this.hooks.object_pairs_hook !== undefined)
      return callValue(this.hooks.object_pairs_hook, [new PyList(pairs.map((pair) => new PyTuple(pair)))]);
    const dict = new PyDict();
    for (const [key, v] of pairs) dict.set(key, v);
    return this.hooks.object_hook !== undefined ? callValue(this.hooks.object_hook, [dict]) : dict;
  }
}
