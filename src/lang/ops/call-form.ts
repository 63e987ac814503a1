/**
 * The call form: `verb(name=value, …)`, alone, in a chain with `|`, or in brackets as units (request facts §1.2–§1.4).
 *
 * One pass, left to right. A scalar runs to the next `,` `)` `]` `}` outside quotes and brackets and is then asked to be
 * one JSON literal, so that a bareword is told with the quotes it lacks; containers and references end where they end.
 */
import { numberEnd, numberOf, readString, StringFault, stringEnd } from "./json-literal";
import { setMember } from "./object-member";
import { OPS_LIMITS, type OpsCall, type OpsMode, type OpsProgram, type OpsValue, PrevRef, type PrevStep, prevRefs } from "./ops";
import {
  badIdentifier,
  badValue,
  duplicateArgument,
  emptyBatch,
  mixedSeparators,
  nestedVerb,
  prevOutsideChain,
  tooDeep,
  tooManyOps,
  trailingComma,
  unclosedBracket,
  unclosedCall,
  unclosedString,
  unexpected,
} from "./ops-fault";
import { looksLikeRef, quotedRef } from "./prev-path";
import { refuseReserved } from "./reserved-argument";
import { trimmed } from "./white-space";

const IDENTIFIER = /[A-Za-z_][A-Za-z0-9_]*/y;
const BLANK = /[ \t\n\f\r]*/y;
const DIGITS = /[0-9]*/y;
const BAREWORD = /^[\p{L}_][\p{L}\p{N}_.-]*$/u;
/** What may follow a scalar. */
const ENDS = new Set([",", ")", "]", "}"]);
const CLOSER: { readonly [open: string]: string } = { "(": ")", "[": "]", "{": "}" };
const BRACKET_NAME: { readonly [open: string]: string } = { "(": "parenthesis", "[": "bracket", "{": "brace" };

/** Where a value stands, so that a bareword can be told as it should be written. */
type Spelling = (quoted: string) => string;

export class CallReader {
  readonly #text: string;
  #at = 0;
  readonly #calls: OpsCall[] = [];

  /** `text` is trimmed, well formed and not empty. */
  constructor(text: string) {
    this.#text = text;
  }

  read(): OpsProgram {
    return this.#text[0] === "[" ? this.#batch() : this.#chain();
  }

  // ---- calls and what joins them

  #chain(): OpsProgram {
    this.#calls.push(this.#call());
    for (;;) {
      this.#blank();
      if (this.#at === this.#text.length) break;
      const char = this.#text[this.#at];
      if (char === ",") throw mixedSeparators(this.#at);
      if (char !== "|") throw unexpected(this.#text, this.#at, "`|` and another call, or the end");
      if (this.#calls.length === 1) refuseReserved(this.#calls[0]);
      this.#at++;
      this.#calls.push(this.#nextCall());
      refuseReserved(this.#calls[this.#calls.length - 1]);
    }
    const mode: OpsMode = this.#calls.length === 1 ? "single" : "chain";
    if (mode === "single") {
      refusePrev(this.#calls[0]);
      refuseReserved(this.#calls[0]);
    }
    return { mode, form: "call", calls: this.#calls, units: [{ start: 0, end: this.#calls.length }] };
  }

  #batch(): OpsProgram {
    const units: { start: number; end: number }[] = [];
    this.#at++;
    this.#blank();
    if (this.#text[this.#at] === "]") throw emptyBatch();
    for (;;) {
      const start = this.#calls.length;
      this.#calls.push(this.#nextCall());
      this.#blank();
      while (this.#text[this.#at] === "|") {
        this.#at++;
        this.#calls.push(this.#nextCall());
        this.#blank();
      }
      units.push({ start, end: this.#calls.length });
      const char = this.#text[this.#at];
      if (char === "]") break;
      if (char !== ",") throw unexpected(this.#text, this.#at, "`,` and another call, `|` and the next of this unit, or `]`");
      const comma = this.#at++;
      this.#blank();
      if (this.#text[this.#at] === "]") throw trailingComma(comma);
    }
    this.#at++;
    this.#blank();
    if (this.#at < this.#text.length) throw unexpected(this.#text, this.#at, "the end after a batch");
    for (const { start } of units) refusePrev(this.#calls[start]);
    for (const call of this.#calls) refuseReserved(call);
    return { mode: "parallel", form: "call", calls: this.#calls, units };
  }

  #nextCall(): OpsCall {
    if (this.#calls.length === OPS_LIMITS.max_ops) throw tooManyOps(OPS_LIMITS.max_ops + 1);
    return this.#call();
  }

  #call(): OpsCall {
    this.#blank();
    const verb = this.#verb();
    this.#blank();
    const open = this.#at;
    if (this.#text[open] !== "(") throw unexpected(this.#text, open, "`(` after the verb");
    this.#at++;
    const args: [string, OpsValue][] = [];
    this.#blank();
    if (this.#text[this.#at] === ")") this.#at++;
    else this.#args(open, args);
    args.sort(byName);
    return { verb, args };
  }

  #args(open: number, args: [string, OpsValue][]): void {
    const names = new Set<string>();
    for (;;) {
      this.#blank();
      this.#unclosed(open);
      const start = this.#at;
      const name = this.#identifier("an argument as `name=value`");
      this.#blank();
      this.#unclosed(open);
      if (this.#text[this.#at] !== "=") throw unexpected(this.#text, this.#at, "`=` after the argument's name");
      this.#at++;
      this.#blank();
      this.#unclosed(open);
      const value = this.#value((quoted) => `${name}=${quoted}`, 0);
      if (names.has(name)) throw duplicateArgument(name, start);
      names.add(name);
      args.push([name, value]);
      this.#blank();
      this.#unclosed(open);
      const char = this.#text[this.#at];
      if (char !== "," && char !== ")") throw unexpected(this.#text, this.#at, "`,` or `)` after an argument");
      this.#at++;
      if (char === ")") return;
    }
  }

  #unclosed(open: number): void {
    if (this.#at === this.#text.length) throw unclosedCall(open);
  }

  #verb(): string {
    const first = this.#identifier("a verb");
    if (this.#text[this.#at] !== ".") return first;
    this.#at++;
    this.#blank();
    const second = this.#identifier("the verb's name after its pack");
    if (this.#text[this.#at] === ".") throw nestedVerb(this.#at);
    return `${first}.${second}`;
  }

  // ---- values

  #value(spelling: Spelling, depth: number): OpsValue {
    switch (this.#text[this.#at]) {
      case "[":
        return this.#array(depth + 1);
      case "{":
        return this.#object(depth + 1);
      case "$":
        return this.#reference();
      default:
        return this.#scalar(spelling);
    }
  }

  #array(depth: number): OpsValue {
    if (depth > OPS_LIMITS.max_depth) throw tooDeep(this.#at);
    const items: OpsValue[] = [];
    this.#at++;
    this.#blank();
    if (this.#text[this.#at] === "]") {
      this.#at++;
      return items;
    }
    for (;;) {
      this.#blank();
      this.#more("a value");
      items.push(this.#value((quoted) => quoted, depth));
      this.#blank();
      const char = this.#text[this.#at];
      if (char !== "," && char !== "]") throw unexpected(this.#text, this.#at, "`,` or `]` in an array");
      this.#at++;
      if (char === "]") return items;
    }
  }

  #object(depth: number): OpsValue {
    if (depth > OPS_LIMITS.max_depth) throw tooDeep(this.#at);
    const object: { [key: string]: OpsValue } = {};
    this.#at++;
    this.#blank();
    if (this.#text[this.#at] === "}") {
      this.#at++;
      return object;
    }
    for (;;) {
      this.#blank();
      const key = this.#key();
      this.#blank();
      if (this.#text[this.#at] !== ":") throw unexpected(this.#text, this.#at, "`:` after an object's key");
      this.#at++;
      this.#blank();
      this.#more("a value");
      setMember(
        object,
        key,
        this.#value((quoted) => `${JSON.stringify(key)}: ${quoted}`, depth),
      );
      this.#blank();
      const char = this.#text[this.#at];
      if (char !== "," && char !== "}") throw unexpected(this.#text, this.#at, "`,` or `}` in an object");
      this.#at++;
      if (char === "}") return object;
    }
  }

  #key(): string {
    const start = this.#at;
    if (this.#text[start] !== '"') throw unexpected(this.#text, start, 'a key in double quotes, as in {"key": 1}');
    const read = readString(this.#quoted(start), false);
    if (read instanceof StringFault) throw badValue(read.why, start);
    return read;
  }

  #more(what: string): void {
    if (this.#at === this.#text.length) throw unexpected(this.#text, this.#at, what);
  }

  /** What stands between the quote at `start` and the one that closes it; the reader then stands behind that. */
  #quoted(start: number): string {
    const end = stringEnd(this.#text, start);
    if (end < 0) throw unclosedString(start);
    this.#at = end + 1;
    return this.#text.slice(start + 1, end);
  }

  #scalar(spelling: Spelling): OpsValue {
    const start = this.#at;
    const value = this.#literal(start);
    if (value !== undefined && this.#scalarEnds()) return value;
    this.#at = start;
    return this.#slice(spelling);
  }

  /** The literal that begins here; undefined where none does. */
  #literal(start: number): OpsValue | undefined {
    const text = this.#text;
    if (text[start] === '"') {
      const read = readString(this.#quoted(start), true);
      if (read instanceof StringFault) throw badValue(read.why, start);
      return quotedRef(read, start) ?? unescaped(read);
    }
    const word = WORDS[text[start]];
    if (word !== undefined && text.startsWith(word.text, start)) {
      this.#at = start + word.text.length;
      return word.value;
    }
    const end = numberEnd(text, start);
    if (end === start) return undefined;
    this.#at = end;
    const number = numberOf(text.slice(start, end));
    if (number === null && this.#scalarEnds()) throw badValue("this number is too large for a 64-bit float", start);
    return number ?? undefined;
  }

  #scalarEnds(): boolean {
    this.#blank();
    return this.#at === this.#text.length || ENDS.has(this.#text[this.#at]);
  }

  /** The slow way: up to where the scalar ends, whatever it is. Nearly always a fault, told in terms of the whole of it. */
  #slice(spelling: Spelling): OpsValue {
    const text = this.#text;
    const start = this.#at;
    const open: number[] = [];
    let i = start;
    for (; i < text.length; i++) {
      const char = text[i];
      if (char === '"') {
        i = stringEnd(text, i);
        if (i < 0) throw unclosedString(text.indexOf('"', start));
      } else if (CLOSER[char] !== undefined) open.push(i);
      else if (char === ",") {
        if (open.length === 0) break;
      } else if (ENDS.has(char)) {
        const last = open.pop();
        if (last === undefined) break;
        if (CLOSER[text[last]] !== char) throw unclosedBracket(BRACKET_NAME[text[last]], last);
      }
    }
    if (open.length > 0) throw unclosedBracket(BRACKET_NAME[text[open[0]]], open[0]);
    const slice = trimmed(text.slice(start, i));
    // Spaces that are not ASCII stand around a value as in any text; between tokens they do not.
    if (slice !== text.slice(start, i)) {
      const inner = new CallReader(slice);
      const value = inner.#literalAlone();
      if (value !== undefined) {
        this.#at = i;
        return value;
      }
    }
    throw badValue(whyNoValue(slice, spelling), start);
  }

  #literalAlone(): OpsValue | undefined {
    const value = this.#literal(0);
    return this.#at === this.#text.length ? value : undefined;
  }

  #reference(): PrevRef {
    const start = this.#at++;
    this.#blank();
    const name = this.#identifierHere();
    if (name !== "prev") throw badValue(`after $ stands \`prev\` and nothing else, got \`$${name}\``, start);
    const steps: PrevStep[] = [];
    const path: string[] = [];
    for (;;) {
      const char = this.#text[this.#at];
      if (char === ".") {
        this.#at++;
        this.#blank();
        const field = this.#identifier("a field after `.`");
        steps.push(field);
        path.push(field);
      } else if (char === "[") {
        const digits = this.#index();
        steps.push(Number(digits));
        path.push(`[${digits}]`);
      } else return new PrevRef(steps, path.join("."), start);
    }
  }

  #index(): string {
    const bracket = this.#at++;
    this.#more("the digits of an index");
    DIGITS.lastIndex = this.#at;
    const [digits] = DIGITS.exec(this.#text)!;
    if (digits === "") throw badValue("an index into a result is digits, as in $prev[0]", bracket);
    this.#at += digits.length;
    if (this.#text[this.#at] !== "]") throw unexpected(this.#text, this.#at, "`]` after an index");
    this.#at++;
    return digits;
  }

  // ---- tokens

  #blank(): void {
    if (this.#text.charCodeAt(this.#at) > 0x20) return;
    BLANK.lastIndex = this.#at;
    BLANK.test(this.#text);
    this.#at = BLANK.lastIndex;
  }

  #identifier(what: string): string {
    const start = this.#at;
    const name = this.#identifierHere();
    if (name === "") throw badIdentifier(this.#text, start, what);
    return name;
  }

  /** Empty where none begins here. */
  #identifierHere(): string {
    IDENTIFIER.lastIndex = this.#at;
    const name = IDENTIFIER.exec(this.#text)?.[0] ?? "";
    this.#at += name.length;
    return name;
  }
}

/** By their first letter. */
const WORDS: { readonly [letter: string]: { readonly text: string; readonly value: OpsValue } } = {
  t: { text: "true", value: true },
  f: { text: "false", value: false },
  n: { text: "null", value: null },
};

/** JSON's words as other languages write them. */
const WORD_HABITS: { readonly [word: string]: string } = {
  True: "true",
  TRUE: "true",
  False: "false",
  FALSE: "false",
  None: "null",
  nil: "null",
  undefined: "null",
  NULL: "null",
};

function whyNoValue(slice: string, spelling: Spelling): string {
  if (slice === "") return "the value is missing";
  if (BAREWORD.test(slice)) {
    const habit = Object.hasOwn(WORD_HABITS, slice) ? `, or ${spelling(WORD_HABITS[slice])} for JSON's ${WORD_HABITS[slice]}` : "";
    return `a string stands in double quotes: write ${spelling(JSON.stringify(slice))}${habit}`;
  }
  if (/^'[^']*'$/.test(slice)) return `a string stands in double quotes: write ${spelling(JSON.stringify(slice.slice(1, -1)))}`;
  const shown = slice.length > 40 ? `${slice.slice(0, 40)}…` : slice;
  return `${JSON.stringify(shown)} is not one JSON value (a string in double quotes, a number, true, false, null, [..] or {..})`;
}

/** `\$prev…` written as text loses the backslash that kept it from being a reference. */
function unescaped(text: string): string {
  return text.startsWith("\\$prev") && looksLikeRef(text.slice(1)) ? text.slice(1) : text;
}

function byName(a: readonly [string, unknown], b: readonly [string, unknown]): number {
  return a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : 0;
}

function refusePrev(call: OpsCall): void {
  const [first] = prevRefs(call);
  if (first !== undefined) throw prevOutsideChain(first.at);
}
