/**
 * Patterns of `re` to trees, with the complaints of CPython 3.11's parser at its positions.
 *
 * A pattern is a sequence of code points; flags that change what a node matches are written into the node as it is made,
 * because `(?i:…)` changes them for a part. Bytes patterns come as texts of code points below 256.
 */
import { Refusal } from "../../failure";
import { raise } from "../value/exception";
import { intFromText } from "../value/int-text";
import { deeper } from "../value/protocol-equal";
import { strRepr } from "../value/str";
import { isIdentifier } from "../value/unicode";
import { type PyException, Raised } from "../value/value";
import { libraryException, placeIn } from "./exception-type";

export const FLAG = { IGNORECASE: 2, LOCALE: 4, MULTILINE: 8, DOTALL: 16, UNICODE: 32, VERBOSE: 64, DEBUG: 128, ASCII: 256 } as const;

/** What a set holds: a range of code points, or a class (upper case: all but it). */
export interface CodeRange {
  readonly from: number;
  readonly to: number;
}
export type SetItem = CodeRange | "d" | "D" | "s" | "S" | "w" | "W";
export type Place = "start" | "end" | "line-start" | "line-end" | "text-end" | "boundary" | "inside";
export type Node =
  | { readonly kind: "char"; readonly code: number; readonly flags: number }
  | { readonly kind: "any"; readonly flags: number }
  | { readonly kind: "set"; readonly negated: boolean; readonly items: readonly SetItem[]; readonly flags: number }
  | { readonly kind: "at"; readonly place: Place; readonly flags: number }
  | { readonly kind: "cat"; readonly parts: readonly Node[] }
  | { readonly kind: "alt"; readonly branches: readonly Node[] }
  | {
      readonly kind: "repeat";
      readonly min: number;
      readonly max: number;
      readonly mode: "greedy" | "lazy" | "possessive";
      readonly body: Node;
    }
  | { readonly kind: "group"; readonly index: number; readonly body: Node }
  | { readonly kind: "look"; readonly ahead: boolean; readonly negated: boolean; readonly width: number; readonly body: Node }
  | { readonly kind: "ref"; readonly index: number; readonly flags: number }
  | { readonly kind: "atomic"; readonly body: Node }
  | { readonly kind: "if"; readonly index: number; readonly yes: Node; readonly no: Node };

export interface Parsed {
  readonly tree: Node;
  readonly flags: number;
  readonly groupCount: number;
  readonly names: ReadonlyMap<string, number>;
}

/** Raises `re.error` at a position of the pattern. */
export function patternError(pattern: string, message: string, at: number | null): never {
  throw new Raised(errorOf(message, pattern, at));
}

/** `re.error(msg, pattern=None, pos=None)`. */
export function errorOf(message: string, pattern: string | null, at: number | null): PyException {
  const place = pattern === null || at === null ? null : placeIn([...pattern], at);
  let text = message;
  if (place !== null) {
    text += ` at position ${at}`;
    if ((pattern as string).includes("\n")) text += ` (line ${place.line}, column ${place.column})`;
  }
  return libraryException("error", text, [
    ["msg", message],
    ["pattern", pattern],
    ["pos", at],
    ["lineno", place?.line ?? null],
    ["colno", place?.column ?? null],
  ]);
}

const CLASSES = new Set(["d", "D", "s", "S", "w", "W"]);
const SIMPLE: Readonly<Record<string, number>> = { a: 7, b: 8, f: 12, n: 10, r: 13, t: 9, v: 11, "\\": 92 };
const isOctal = (c: string | undefined): boolean => c !== undefined && c >= "0" && c <= "7";
const isDigit = (c: string | undefined): boolean => c !== undefined && c >= "0" && c <= "9";
const isHex = (c: string): boolean => /^[0-9a-fA-F]$/.test(c);
const isLetter = (c: string): boolean => /^[A-Za-z]$/.test(c);
const MAX_REPEAT = 4294967295;

export function parsePattern(pattern: string, flags: number, bytes: boolean): Parsed {
  const first = new Parser(pattern, flags, bytes);
  try {
    return first.whole();
  } catch (thrown) {
    // `(?x)` found at the start: read again as verbose.
    if (!(thrown instanceof VerboseFound)) throw thrown;
    return new Parser(pattern, flags | FLAG.VERBOSE, bytes).whole();
  }
}

class VerboseFound extends Error {}

class Parser {
  private readonly chars: readonly string[];
  private at = 0;
  private groupCount = 1;
  private readonly names = new Map<string, number>();
  private readonly open = new Set<number>();
  private readonly widths: ([number, number] | undefined)[] = [[0, 0]];
  /** Groups from this number on are defined in the lookbehind being read; null outside one. */
  private lookbehind: number | null = null;
  private readonly conditions: { index: number; at: number }[] = [];
  private flags: number;
  constructor(
    private readonly pattern: string,
    flags: number,
    private readonly bytes: boolean,
  ) {
    this.chars = [...pattern];
    this.flags = flags;
  }

  private fail(message: string, at: number | null = this.at): never {
    return patternError(this.pattern, message, at);
  }
  private peek(): string | undefined {
    return this.chars[this.at];
  }
  private match(c: string): boolean {
    if (this.chars[this.at] !== c) return false;
    this.at++;
    return true;
  }
  /** CPython's tokenizer takes a backslash and its character together, so one alone is found wherever a token is read. */
  private checkEscapeEnd(): void {
    if (this.chars[this.at] === "\\" && this.at + 1 >= this.chars.length) this.fail("bad escape (end of pattern)", this.at);
  }

  whole(): Parsed {
    const tree = this.alternatives(this.flags, true, 0);
    this.flags = this.fixFlags(this.flags);
    if (this.at < this.chars.length) this.fail("unbalanced parenthesis", this.at);
    for (const { index, at } of this.conditions) if (index >= this.groupCount) this.fail(`invalid group reference ${index}`, at);
    return { tree, flags: this.flags, groupCount: this.groupCount - 1, names: this.names };
  }

  private fixFlags(flags: number): number {
    if (this.bytes) {
      if ((flags & FLAG.UNICODE) !== 0) raise("ValueError", "cannot use UNICODE flag with a bytes pattern");
      if ((flags & FLAG.LOCALE) !== 0) throw new Refusal("invalid_value", "re has no locale here: leave the LOCALE flag out");
      return flags;
    }
    if ((flags & FLAG.LOCALE) !== 0) raise("ValueError", "cannot use LOCALE flag with a str pattern");
    if ((flags & FLAG.ASCII) === 0) return flags | FLAG.UNICODE;
    if ((flags & FLAG.UNICODE) !== 0) raise("ValueError", "ASCII and UNICODE flags are incompatible");
    return flags;
  }

  private alternatives(flags: number, top: boolean, depth: number): Node {
    deeper(depth);
    const branches: Node[] = [];
    for (;;) {
      branches.push(this.sequence(top ? this.flags : flags, top && branches.length === 0, depth));
      if (!this.match("|")) break;
    }
    return branches.length === 1 ? branches[0] : { kind: "alt", branches };
  }

  private sequence(given: number, first: boolean, depth: number): Node {
    let flags = given;
    const parts: Node[] = [];
    for (;;) {
      this.checkEscapeEnd();
      const start = this.at;
      const c = this.peek();
      if (c === undefined || c === "|" || c === ")") break;
      this.at++;
      if ((flags & FLAG.VERBOSE) !== 0) {
        if (" \t\n\r\v\f".includes(c)) continue;
        if (c === "#") {
          while (this.at < this.chars.length && this.chars[this.at++] !== "\n");
          continue;
        }
      }
      switch (c) {
        case "\\":
          parts.push(this.escape(start, flags));
          break;
        case "[":
          parts.push(this.set(start, flags));
          break;
        case "*":
        case "+":
        case "?":
        case "{":
          this.repeat(c, start, flags, parts);
          break;
        case ".":
          parts.push({ kind: "any", flags });
          break;
        case "(": {
          const node = this.group(start, flags, first && parts.length === 0, depth);
          if (node === "flags") flags = this.flags;
          else if (node !== null) parts.push(node);
          break;
        }
        case "^":
          parts.push({ kind: "at", place: (flags & FLAG.MULTILINE) !== 0 ? "line-start" : "start", flags });
          break;
        case "$":
          parts.push({ kind: "at", place: (flags & FLAG.MULTILINE) !== 0 ? "line-end" : "end", flags });
          break;
        default:
          parts.push({ kind: "char", code: c.codePointAt(0)!, flags });
      }
    }
    return parts.length === 1 ? parts[0] : { kind: "cat", parts };
  }

  private repeat(c: string, start: number, flags: number, parts: Node[]): void {
    let min = 0;
    let max = MAX_REPEAT;
    if (c === "?") max = 1;
    else if (c === "+") min = 1;
    else if (c === "{") {
      if (this.peek() === "}") {
        parts.push({ kind: "char", code: 123, flags });
        return;
      }
      const low = this.digits();
      const high = this.match(",") ? this.digits() : low;
      if (!this.match("}")) {
        parts.push({ kind: "char", code: 123, flags });
        this.at = start + 1;
        return;
      }
      if (low !== "") {
        min = Number(low);
        if (min >= MAX_REPEAT) raise("OverflowError", "the repetition number is too large");
      }
      if (high !== "") {
        max = Number(high);
        if (max >= MAX_REPEAT) raise("OverflowError", "the repetition number is too large");
        if (max < min) this.fail("min repeat greater than max repeat", start + 1);
      }
    }
    const body = parts[parts.length - 1];
    if (body === undefined || body.kind === "at") this.fail("nothing to repeat", start);
    if (body.kind === "repeat") this.fail("multiple repeat", start);
    const mode = this.match("?") ? "lazy" : this.match("+") ? "possessive" : "greedy";
    parts[parts.length - 1] = { kind: "repeat", min, max, mode, body };
  }

  private digits(): string {
    let out = "";
    while (isDigit(this.peek())) out += this.chars[this.at++];
    return out;
  }

  /** `count` hexadecimal digits of an escape that began at `start`. */
  private hexCode(start: number, count: number): number {
    let digits = "";
    while (digits.length < count && this.peek() !== undefined && isHex(this.peek()!)) digits += this.chars[this.at++];
    if (digits.length !== count) this.fail(`incomplete escape ${this.chars.slice(start, this.at).join("")}`, start);
    return Number.parseInt(digits, 16);
  }

  /** Escapes that mean one code point, in a set or not; undefined for others. `c` follows the backslash. */
  private codeEscape(c: string, start: number): number | undefined {
    if (c === "x") return this.hexCode(start, 2);
    if (this.bytes && "uUN".includes(c)) return undefined;
    if (c === "u") return this.hexCode(start, 4);
    if (c === "U") {
      const code = this.hexCode(start, 8);
      if (code > 0x10ffff) this.fail(`bad escape ${this.chars.slice(start, this.at).join("")}`, start);
      return code;
    }
    if (c === "N") throw new Refusal("invalid_value", "re has no character names (\\N{…}) here: write the character, or \\u and its code");
    return undefined;
  }

  private octal(digits: string, start: number): number {
    const code = Number.parseInt(digits, 8);
    if (code > 0o377) this.fail(`octal escape value \\${digits} outside of range 0-0o377`, start);
    return code;
  }

  private escape(start: number, flags: number): Node {
    const c = this.chars[this.at++];
    const char = (code: number): Node => ({ kind: "char", code, flags });
    if (CLASSES.has(c)) return { kind: "set", negated: false, items: [c as SetItem], flags };
    if (c === "A") return { kind: "at", place: "start", flags };
    if (c === "Z") return { kind: "at", place: "text-end", flags };
    if (c === "b") return { kind: "at", place: "boundary", flags };
    if (c === "B") return { kind: "at", place: "inside", flags };
    if (SIMPLE[c] !== undefined) return char(SIMPLE[c]);
    const code = this.codeEscape(c, start);
    if (code !== undefined) return char(code);
    if (c === "0") {
      let digits = c;
      while (digits.length < 3 && isOctal(this.peek())) digits += this.chars[this.at++];
      return char(Number.parseInt(digits, 8));
    }
    if (isDigit(c)) return this.backReference(c, start, flags);
    if (isLetter(c)) this.fail(`bad escape \\${c}`, start);
    return char(c.codePointAt(0)!);
  }

  private backReference(c: string, start: number, flags: number): Node {
    let digits = c;
    if (isDigit(this.peek())) {
      digits += this.chars[this.at++];
      if (isOctal(digits[0]) && isOctal(digits[1]) && isOctal(this.peek())) {
        digits += this.chars[this.at++];
        return { kind: "char", code: this.octal(digits, start), flags };
      }
    }
    const index = Number(digits);
    if (index >= this.groupCount) this.fail(`invalid group reference ${index}`, start + 1);
    return this.reference(index, start, flags);
  }

  private reference(index: number, at: number, flags: number): Node {
    if (this.open.has(index)) this.fail("cannot refer to an open group", at);
    this.checkLookbehind(index);
    return { kind: "ref", index, flags };
  }

  private checkLookbehind(index: number): void {
    if (this.lookbehind === null) return;
    if (this.open.has(index) || index >= this.groupCount) this.fail("cannot refer to an open group");
    if (index >= this.lookbehind) this.fail("cannot refer to group defined in the same lookbehind subpattern");
  }

  private set(start: number, flags: number): Node {
    const items: SetItem[] = [];
    const negated = this.match("^");
    const unterminated = (): never => this.fail("unterminated character set", start);
    for (let first = true; ; first = false) {
      this.checkEscapeEnd();
      const from = this.at;
      const c = this.peek();
      if (c === undefined) return unterminated();
      this.at++;
      if (c === "]" && !first) break;
      const low = c === "\\" ? this.setEscape(from) : c.codePointAt(0)!;
      if (this.match("-")) {
        this.checkEscapeEnd();
        const that = this.at;
        const d = this.peek();
        if (d === undefined) return unterminated();
        this.at++;
        if (d === "]") {
          items.push(typeof low === "number" ? { from: low, to: low } : low, { from: 45, to: 45 });
          break;
        }
        const high = d === "\\" ? this.setEscape(that) : d.codePointAt(0)!;
        const shown = this.chars.slice(from, this.at).join("");
        if (typeof low !== "number" || typeof high !== "number" || high < low) return this.fail(`bad character range ${shown}`, from);
        items.push({ from: low, to: high });
      } else items.push(typeof low === "number" ? { from: low, to: low } : low);
    }
    return { kind: "set", negated, items, flags };
  }

  private setEscape(start: number): number | SetItem {
    const c = this.chars[this.at++];
    if (CLASSES.has(c)) return c as SetItem;
    if (SIMPLE[c] !== undefined) return SIMPLE[c];
    const code = this.codeEscape(c, start);
    if (code !== undefined) return code;
    if (isOctal(c)) {
      let digits = c;
      while (digits.length < 3 && isOctal(this.peek())) digits += this.chars[this.at++];
      return this.octal(digits, start);
    }
    if (isDigit(c) || isLetter(c)) this.fail(`bad escape \\${c}`, start);
    return c.codePointAt(0)!;
  }

  /** Reads up to the terminator; complains as CPython where the name is empty or never ends. */
  private until(terminator: string, what: string): string {
    const from = this.at;
    let name = "";
    for (;;) {
      const c = this.peek();
      if (c === undefined) {
        if (name === "") this.fail(`missing ${what}`, from);
        this.fail(`missing ${terminator}, unterminated name`, from);
      }
      this.at++;
      if (c === terminator) {
        if (name === "") this.fail(`missing ${what}`, from);
        return name;
      }
      name += c;
    }
  }

  private checkName(name: string, at: number): void {
    if (!isIdentifier(name)) this.fail(`bad character in group name ${strRepr(name)}`, at);
  }

  /** A group; null for one that stands for nothing, "flags" for global flags. */
  private group(start: number, flags: number, first: boolean, depth: number): Node | "flags" | null {
    let inner = flags;
    let capture = true;
    let atomic = false;
    let name: string | null = null;
    let nameAt = 0;
    if (this.match("?")) {
      const c = this.chars[this.at++];
      if (c === undefined) this.fail("unexpected end of pattern", this.chars.length);
      switch (c) {
        case "P":
          if (this.match("<")) {
            nameAt = this.at;
            name = this.until(">", "group name");
            this.checkName(name, nameAt);
          } else if (this.match("=")) {
            const at = this.at;
            const referred = this.until(")", "group name");
            this.checkName(referred, at);
            const index = this.names.get(referred);
            if (index === undefined) this.fail(`unknown group name ${strRepr(referred)}`, at);
            return this.reference(index, at, flags);
          } else {
            const next = this.chars[this.at];
            if (next === undefined) this.fail("unexpected end of pattern", this.chars.length);
            this.fail(`unknown extension ?P${next}`, start + 1);
          }
          break;
        case ":":
          capture = false;
          break;
        case "#":
          for (;;) {
            if (this.peek() === undefined) this.fail("missing ), unterminated comment", start);
            if (this.chars[this.at++] === ")") return null;
          }
        case "=":
        case "!":
        case "<":
          return this.look(c, start, flags, depth);
        case "(":
          return this.conditional(start, flags, depth);
        case ">":
          capture = false;
          atomic = true;
          break;
        default: {
          if (!/^[a-zA-Z-]$/.test(c) || !"iLmsxatu-".includes(c)) this.fail(`unknown extension ?${c}`, start + 1);
          const changed = this.inlineFlags(c, flags);
          if (changed === null) {
            if (!first) this.fail("global flags not at the start of the expression", start);
            return "flags";
          }
          inner = changed;
          capture = false;
        }
      }
    }
    let index = 0;
    if (capture) {
      index = this.groupCount++;
      this.widths[index] = undefined;
      if (name !== null) {
        const before = this.names.get(name);
        if (before !== undefined) this.fail(`redefinition of group name ${strRepr(name)} as group ${index}; was group ${before}`, nameAt);
        this.names.set(name, index);
      }
      this.open.add(index);
    }
    const body = this.alternatives(inner, false, depth + 1);
    if (!this.match(")")) this.fail("missing ), unterminated subpattern", start);
    if (capture) {
      this.open.delete(index);
      this.widths[index] = this.widthOf(body);
      return { kind: "group", index, body };
    }
    // A group of its own even where it holds one node: `(?:a*)*` may be repeated, `a**` may not.
    return atomic ? { kind: "atomic", body } : { kind: "cat", parts: [body] };
  }

  private look(c: string, start: number, flags: number, depth: number): Node {
    let ahead = true;
    let sign = c;
    const before = this.lookbehind;
    if (c === "<") {
      const next = this.chars[this.at++];
      if (next === undefined) this.fail("unexpected end of pattern", this.chars.length);
      if (next !== "=" && next !== "!") this.fail(`unknown extension ?<${next}`, start + 1);
      sign = next;
      ahead = false;
      if (this.lookbehind === null) this.lookbehind = this.groupCount;
    }
    const body = this.alternatives(flags, false, depth + 1);
    if (!ahead) this.lookbehind = before;
    if (!this.match(")")) this.fail("missing ), unterminated subpattern", start);
    let width = 0;
    if (!ahead) {
      const [low, high] = this.widthOf(body);
      if (low !== high) throw new Raised(errorOf("look-behind requires fixed-width pattern", null, null));
      width = low;
    }
    return { kind: "look", ahead, negated: sign === "!", width, body };
  }

  private conditional(start: number, flags: number, depth: number): Node {
    const at = this.at;
    const name = this.until(")", "group name");
    let index: number;
    if (isIdentifier(name)) {
      const known = this.names.get(name);
      if (known === undefined) this.fail(`unknown group name ${strRepr(name)}`, at);
      index = known;
    } else {
      index = groupNumber(name);
      if (index < 0) this.fail(`bad character in group name ${strRepr(name)}`, at);
      if (index === 0) this.fail("bad group number", at);
      if (index >= 2147483647) this.fail(`invalid group reference ${index}`, at);
      this.conditions.push({ index, at });
    }
    this.checkLookbehind(index);
    const yes = this.sequence(flags, false, depth + 1);
    let no: Node = { kind: "cat", parts: [] };
    if (this.match("|")) {
      no = this.sequence(flags, false, depth + 1);
      if (this.peek() === "|") this.fail("conditional backref with more than two branches");
    }
    if (!this.match(")")) this.fail("missing ), unterminated subpattern", start);
    return { kind: "if", index, yes, no };
  }

  /** Flags after `(?`: the flags of a group, or null where they are the whole pattern's. */
  private inlineFlags(opening: string, flags: number): number | null {
    const bits: Readonly<Record<string, number>> = {
      i: FLAG.IGNORECASE,
      L: FLAG.LOCALE,
      m: FLAG.MULTILINE,
      s: FLAG.DOTALL,
      x: FLAG.VERBOSE,
      a: FLAG.ASCII,
      u: FLAG.UNICODE,
      t: 1,
    };
    const types = FLAG.ASCII | FLAG.LOCALE | FLAG.UNICODE;
    let on = 0;
    let off = 0;
    let c: string | undefined = opening;
    if (c !== "-") {
      for (;;) {
        const bit: number = bits[c];
        if (bit === 1) throw new Refusal("invalid_value", "re has no TEMPLATE flag here: leave `t` out");
        if (!this.bytes && c === "L") this.fail("bad inline flags: cannot use 'L' flag with a str pattern", this.at);
        if (this.bytes && c === "L") throw new Refusal("invalid_value", "re has no locale here: leave the flag `L` out");
        if (this.bytes && c === "u") this.fail("bad inline flags: cannot use 'u' flag with a bytes pattern", this.at);
        on |= bit;
        if ((bit & types) !== 0 && (on & types) !== bit) this.fail("bad inline flags: flags 'a', 'u' and 'L' are incompatible", this.at);
        c = this.chars[this.at++];
        if (c === undefined) this.fail("missing -, : or )", this.chars.length);
        if (c === ")" || c === "-" || c === ":") break;
        if (bits[c] === undefined) this.fail(isLetter(c) ? "unknown flag" : "missing -, : or )", this.at - 1);
      }
    }
    if (c === ")") {
      this.flags |= on;
      if ((on & FLAG.VERBOSE) !== 0 && (flags & FLAG.VERBOSE) === 0) throw new VerboseFound();
      return null;
    }
    if ((on & (FLAG.DEBUG | 1)) !== 0) this.fail("bad inline flags: cannot turn on global flag", this.at - 1);
    if (c === "-") {
      c = this.chars[this.at++];
      if (c === undefined) this.fail("missing flag", this.chars.length);
      if (bits[c] === undefined) this.fail(isLetter(c) ? "unknown flag" : "missing flag", this.at - 1);
      for (;;) {
        const bit: number = bits[c];
        if ((bit & types) !== 0) this.fail("bad inline flags: cannot turn off flags 'a', 'u' and 'L'", this.at);
        off |= bit;
        c = this.chars[this.at++];
        if (c === undefined) this.fail("missing :", this.chars.length);
        if (c === ":") break;
        if (bits[c] === undefined) this.fail(isLetter(c) ? "unknown flag" : "missing :", this.at - 1);
      }
    }
    if ((on & off) !== 0) this.fail("bad inline flags: flag turned on and off", this.at - 1);
    const base = (on & types) !== 0 ? flags & ~types : flags;
    return (base | on) & ~off;
  }

  /** Fewest and most characters a node matches. */
  private widthOf(node: Node): [number, number] {
    switch (node.kind) {
      case "char":
      case "any":
      case "set":
        return [1, 1];
      case "at":
      case "look":
        return [0, 0];
      case "cat":
        return node.parts.map((part) => this.widthOf(part)).reduce(([a, b], [c, d]) => [a + c, Math.min(b + d, MAX_REPEAT)], [0, 0]);
      case "alt":
        return between(node.branches.map((branch) => this.widthOf(branch)));
      case "if":
        return between([this.widthOf(node.yes), this.widthOf(node.no)]);
      case "group":
      case "atomic":
        return this.widthOf(node.body);
      case "repeat": {
        const [low, high] = this.widthOf(node.body);
        return [Math.min(low * node.min, MAX_REPEAT), Math.min(high * node.max, MAX_REPEAT)];
      }
      case "ref":
        return this.widths[node.index] ?? [0, MAX_REPEAT];
    }
  }
}

/** A group number as `int()` reads it, or -1. */
export function groupNumber(name: string): number {
  try {
    return Number(intFromText(name, 10));
  } catch (thrown) {
    if (thrown instanceof Raised) return -1;
    throw thrown;
  }
}

function between(widths: readonly [number, number][]): [number, number] {
  return [Math.min(...widths.map(([low]) => low)), Math.max(...widths.map(([, high]) => high))];
}
