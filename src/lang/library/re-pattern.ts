/** Compiled patterns and matches of `re` as values, and what they do. Bytes are matched as texts of one character a byte. */
import { Bytes } from "../../datum";
import { bindArgs, noKeywords, parameters } from "../value/arguments";
import type { Method } from "../value/attribute";
import { ended, startValue } from "../value/call";
import { dictOf } from "../value/dict";
import { latin1Bytes, latin1Text } from "../value/encoding";
import { raise } from "../value/exception";
import { sizeOf } from "../value/index-of";
import { checkGrowth, checkPiece } from "../value/meter";
import { mayPause, Pending, soon, Task, type Work } from "../value/pending";
import { hashKey } from "../value/protocol-hash";
import { repr } from "../value/protocol-text";
import { typeName } from "../value/protocol-type";
import { codePoints, isFlat } from "../value/str";
import { DONE, LazyIterator, PAUSED, PyFunction, PyList, PyNative, PyTuple, type Value } from "../value/value";
import { MappingProxy } from "./mapping-proxy";
import { type Compiled, compilePattern } from "./re-compile";
import { flagNames } from "./re-flag";
import { Matcher, type Subject } from "./re-match";
import { FLAG, parsePattern } from "./re-parse";
import { parseTemplate, type Template } from "./re-template";

/** Characters of a pattern, and of a match, that their printed forms show. */
const PATTERN_SHOWN = 200;
const MATCH_SHOWN = 50;

function shown(v: Value, most: number): string {
  return [...repr(v)].slice(0, most).join("");
}

export class Pattern extends PyNative {
  readonly typeName = "re.Pattern";
  readonly methods = PATTERN_METHODS;
  readonly compiled: Compiled;
  readonly bytes: boolean;
  constructor(
    readonly source: string | Bytes,
    flags: number,
  ) {
    super();
    this.bytes = source instanceof Bytes;
    const text = source instanceof Bytes ? latin1Text(source.b) : source;
    this.compiled = compilePattern(parsePattern(text, flags, this.bytes), this.bytes);
  }
  get flags(): number {
    return this.compiled.parsed.flags;
  }
  get groupCount(): number {
    return this.compiled.parsed.groupCount;
  }
  repr(): string {
    const plain = this.bytes || (this.flags & FLAG.ASCII) !== 0 ? this.flags : this.flags & ~FLAG.UNICODE;
    return `re.compile(${shown(this.source, PATTERN_SHOWN)}${plain === 0 ? "" : `, ${flagNames(plain)}`})`;
  }
  override attribute(name: string): Value | undefined {
    if (name === "pattern") return this.source;
    if (name === "flags") return this.flags;
    if (name === "groups") return this.groupCount;
    if (name !== "groupindex") return undefined;
    const names = dictOf([...this.compiled.parsed.names]);
    return names.size === 0 ? names : new MappingProxy(names);
  }
  override equals(other: Value): boolean {
    return other instanceof Pattern && other.flags === this.flags && other.hashKey() === this.hashKey();
  }
  override hashKey(): string {
    return `\u0001re${this.flags}${repr(this.source)}`;
  }

  /** The text to match in, which must be of the pattern's own type. */
  subject(v: Value): Subject & { readonly value: Value } {
    let text: string;
    if (typeof v === "string") {
      if (this.bytes) raise("TypeError", "cannot use a bytes pattern on a string-like object");
      text = v;
    } else if (v instanceof Bytes) {
      if (!this.bytes) raise("TypeError", "cannot use a string pattern on a bytes-like object");
      text = latin1Text(v.b);
    } else raise("TypeError", `expected string or bytes-like object, got '${typeName(v)}'`);
    if (isFlat(text)) return { text, codes: null, length: text.length, value: v };
    const codes = codePoints(text);
    return { text, codes, length: codes.length, value: v };
  }
  /** A part of a subject as a value of its type. */
  part(subject: Subject, from: number, to: number): Value {
    const text = this.partText(subject, from, to);
    return this.bytes ? new Bytes(latin1Bytes(text)) : text;
  }
  partText({ text, codes }: Subject, from: number, to: number): string {
    return codes === null
      ? text.slice(from, to)
      : codes
          .slice(from, to)
          .map((code) => String.fromCodePoint(code))
          .join("");
  }
}

/** Where to search, and how: the state of `findall`, `sub`, `split` between two matches. */
class Scan {
  private notEmpty = false;
  private asked = false;
  private found = 0;
  private readonly machine: Matcher;
  constructor(
    readonly pattern: Pattern,
    readonly subject: Subject & { readonly value: Value },
    private at: number,
    readonly end: number,
    private readonly from: number = at,
  ) {
    this.machine = matcher(pattern, subject, end);
  }
  /** The next match, which may not be empty where the last one ended empty; PAUSED where the slice is used up before. */
  poll(): Match | null | typeof PAUSED {
    if (!this.asked) {
      if (this.found > 0 && mayPause()) return PAUSED;
      this.machine.ask({ at: this.at, searches: true, full: false, notEmpty: this.notEmpty });
    }
    const slots = this.machine.poll();
    this.asked = slots === PAUSED;
    if (slots === PAUSED || slots === null) return slots;
    this.notEmpty = slots[0] === slots[1];
    this.at = slots[1];
    this.found++;
    return new Match(this.pattern, this.subject, slots, this.from, this.end);
  }
}

function matcher(pattern: Pattern, subject: Subject, end: number): Matcher {
  return new Matcher(pattern.compiled, subject, end, pattern.bytes || (pattern.flags & FLAG.ASCII) !== 0);
}

export class Match extends PyNative {
  readonly typeName = "re.Match";
  readonly methods = MATCH_METHODS;
  constructor(
    readonly pattern: Pattern,
    readonly subject: Subject & { readonly value: Value },
    private readonly slots: Int32Array,
    private readonly from: number,
    private readonly to: number,
  ) {
    super();
  }
  start(group: number): number {
    return this.end(group) < 0 ? -1 : this.slots[2 * group];
  }
  end(group: number): number {
    const end = this.slots[2 * group + 1];
    return this.slots[2 * group] < 0 ? -1 : end;
  }
  /** What a group holds; undefined where it took no part. */
  group(group: number): Value | undefined {
    return this.end(group) < 0 ? undefined : this.pattern.part(this.subject, this.start(group), this.end(group));
  }
  /** The number of a group given by number or name. */
  index(v: Value): number {
    let index = -1;
    if (typeof v === "number" || typeof v === "bigint" || typeof v === "boolean") index = Number(v);
    else if (typeof v === "string") index = this.pattern.compiled.parsed.names.get(v) ?? -1;
    if (index < 0 || index > this.pattern.groupCount) raise("IndexError", "no such group");
    return index;
  }
  span(group: number): PyTuple {
    return new PyTuple([this.start(group), this.end(group)]);
  }
  groups(absent: Value): Value[] {
    return Array.from({ length: this.pattern.groupCount }, (_, i) => this.group(i + 1) ?? absent);
  }
  fill(template: Template): string {
    const { pattern, subject } = this;
    return template
      .map((part) => {
        if (typeof part === "string") return part;
        return this.end(part) < 0 ? "" : pattern.partText(subject, this.start(part), this.end(part));
      })
      .join("");
  }
  repr(): string {
    return `<re.Match object; span=(${this.start(0)}, ${this.end(0)}), match=${shown(this.group(0) as Value, MATCH_SHOWN)}>`;
  }
  override attribute(name: string): Value | undefined {
    const last = this.slots[2 * (this.pattern.groupCount + 1)];
    switch (name) {
      case "string":
        return this.subject.value;
      case "re":
        return this.pattern;
      case "pos":
        return this.from;
      case "endpos":
        return this.to;
      case "lastindex":
        return last < 0 ? null : last;
      case "lastgroup":
        for (const [group, index] of this.pattern.compiled.parsed.names) if (index === last) return group;
        return null;
      case "regs":
        return new PyTuple(Array.from({ length: this.pattern.groupCount + 1 }, (_, i) => this.span(i)));
    }
    return undefined;
  }
  override getItem(key: Value): Value {
    return this.group(this.index(key)) ?? null;
  }
}

// ---- what a pattern does

/** The places come before the text is looked at, as CPython reads its arguments. */
function within(pattern: Pattern, v: Value, pos: Value | undefined, endpos: Value | undefined) {
  const first = pos === undefined ? 0 : sizeOf(pos);
  const last = endpos === undefined ? Number.POSITIVE_INFINITY : sizeOf(endpos);
  const subject = pattern.subject(v);
  const upTo = (at: number): number => Math.min(Math.max(at, 0), subject.length);
  return { subject, from: upTo(first), to: upTo(last) };
}

export type Want = "match" | "fullmatch" | "search";

export function matchOnce(pattern: Pattern, want: Want, v: Value, pos?: Value, endpos?: Value): Value | Task {
  const { subject, from, to } = within(pattern, v, pos, endpos);
  if (from > to) return null;
  const machine = matcher(pattern, subject, to);
  machine.ask({ at: from, searches: want === "search", full: want === "fullmatch", notEmpty: false });
  return soon(() => {
    const slots = machine.poll();
    return slots === null || slots === PAUSED ? slots : new Match(pattern, subject, slots, from, to);
  }, machine);
}

function scan(pattern: Pattern, v: Value, pos?: Value, endpos?: Value): Scan {
  const { subject, from, to } = within(pattern, v, pos, endpos);
  return new Scan(pattern, subject, from, to);
}

export function findAll(pattern: Pattern, v: Value, pos?: Value, endpos?: Value): Value | Task {
  const found: Value[] = [];
  const empty = pattern.bytes ? new Bytes(new Uint8Array(0)) : "";
  const state = scan(pattern, v, pos, endpos);
  return soon(() => {
    for (let m = state.poll(); m !== null; m = state.poll()) {
      if (m === PAUSED) return PAUSED;
      const groups = m.groups(empty);
      found.push(groups.length === 0 ? (m.group(0) as Value) : groups.length === 1 ? groups[0] : new PyTuple(groups));
      if ((found.length & 0xfff) === 0) checkGrowth(found.length, 0x1000);
    }
    return new PyList(found);
  }, found);
}

class MatchIterator extends LazyIterator {
  readonly typeName = "callable_iterator";
  private over = false;
  constructor(private readonly state: Scan) {
    super();
  }
  poll(): Value | typeof DONE | typeof PAUSED {
    if (this.over) return DONE;
    const m = this.state.poll();
    if (m !== null) return m;
    this.over = true;
    return DONE;
  }
}

export function findIter(pattern: Pattern, v: Value, pos?: Value, endpos?: Value): Value {
  return new MatchIterator(scan(pattern, v, pos, endpos));
}

export function splitBy(pattern: Pattern, v: Value, maxsplit: Value): Value | Task {
  const most = sizeOf(maxsplit);
  const state = scan(pattern, v);
  const parts: Value[] = [];
  let last = 0;
  let n = 0;
  return soon(() => {
    for (; most === 0 || n < most; n++) {
      const m = state.poll();
      if (m === PAUSED) return PAUSED;
      if (m === null) break;
      parts.push(pattern.part(state.subject, last, m.start(0)), ...m.groups(null));
      checkGrowth(parts.length, 1 + pattern.groupCount);
      last = m.end(0);
    }
    parts.push(pattern.part(state.subject, last, state.end));
    return new PyList(parts);
  }, parts);
}

/** What `finish` makes of the text and the number of replacements. */
export function substitute(
  pattern: Pattern,
  replacement: Value,
  v: Value,
  count: Value,
  finish: (text: Value, count: number) => Value,
): Value | Task {
  const most = sizeOf(count);
  const work = substituting(pattern, replacer(pattern, replacement), v, most, finish);
  return new Task(work);
}
function* substituting(pattern: Pattern, by: Replacer, v: Value, most: number, finish: (text: Value, count: number) => Value): Work<Value> {
  const state = scan(pattern, v);
  const parts: string[] = [];
  let size = 0;
  let last = 0;
  let n = 0;
  const put = (text: string): void => {
    parts.push(text);
    checkPiece((size += text.length), text.length);
  };
  for (; most === 0 || n < most; n++) {
    let m = state.poll();
    while (m === PAUSED) {
      yield;
      m = state.poll();
    }
    if (m === null) break;
    if (last < m.start(0)) put(pattern.partText(state.subject, last, m.start(0)));
    let made = by.of(m, parts.length);
    if (made instanceof Pending) made = yield* ended(made);
    const text = by.text(made, parts.length);
    if (text !== null) put(text);
    last = m.end(0);
  }
  if (n === 0) return finish(state.subject.value, 0);
  if (last < state.end) put(pattern.partText(state.subject, last, state.end));
  const joined = parts.join("");
  return finish(pattern.bytes ? new Bytes(latin1Bytes(joined)) : joined, n);
}

/** What stands for a match, and its text (null: nothing). `at` is for the complaint. */
interface Replacer {
  of(m: Match, at: number): Value | Pending;
  text(made: Value, at: number): string | null;
}
function templated(of: (m: Match, at: number) => string): Replacer {
  return { of, text: (made) => made as string };
}
/** A template filled, or what a function gives. */
function replacer(pattern: Pattern, replacement: Value): Replacer {
  if (replacement instanceof PyFunction) {
    const text = (made: Value, at: number): string | null => {
      if (made === null) return null;
      if (!pattern.bytes) {
        if (typeof made !== "string") raise("TypeError", `sequence item ${at}: expected str instance, ${typeName(made)} found`);
        return made;
      }
      if (!(made instanceof Bytes)) raise("TypeError", `sequence item ${at}: expected a bytes-like object, ${typeName(made)} found`);
      return latin1Text(made.b);
    };
    return { of: (m) => startValue(replacement, [m]), text };
  }
  // A template of the other type shows only when its first piece is joined.
  if (typeof replacement === "string" && pattern.bytes)
    return templated((_, at) => raise("TypeError", `sequence item ${at}: expected a bytes-like object, str found`));
  if (replacement instanceof Bytes && !pattern.bytes)
    return templated((_, at) => raise("TypeError", `sequence item ${at}: expected str instance, bytes found`));
  const template = templateOf(pattern, replacement);
  return templated((m) => m.fill(template));
}

function templateOf(pattern: Pattern, v: Value): Template {
  if (typeof v === "string") {
    if (pattern.bytes) raise("TypeError", "sequence item 0: expected a bytes-like object, str found");
    return parseTemplate(v, pattern.groupCount, pattern.compiled.parsed.names);
  }
  // CPython looks a template up among those it has parsed before it asks what it is.
  hashKey(v);
  if (!(v instanceof Bytes)) raise("TypeError", `decoding to str: need a bytes-like object, ${typeName(v)} found`);
  if (!pattern.bytes) raise("TypeError", "sequence item 0: expected str instance, bytes found");
  return parseTemplate(latin1Text(v.b), pattern.groupCount, pattern.compiled.parsed.names);
}

const once = (want: Want): [string, Method] => {
  const form = parameters(want, "string pos endpos", 1);
  return [
    want,
    (self: Pattern, args, kwargs) => {
      const [v, pos, endpos] = bindArgs(form, args, kwargs);
      return matchOnce(self, want, v as Value, pos, endpos);
    },
  ];
};
const FINDALL = parameters("findall", "string pos endpos", 1);
const FINDITER = parameters("finditer", "string pos endpos", 1);
const SPLIT = parameters("split", "string maxsplit", 1);
const SUB = parameters("sub", "repl string count", 2);
const SUBN = parameters("subn", "repl string count", 2);

const PATTERN_METHODS: ReadonlyMap<string, Method> = new Map<string, Method>([
  once("match"),
  once("fullmatch"),
  once("search"),
  [
    "findall",
    (self: Pattern, args, kwargs) => {
      const [v, pos, endpos] = bindArgs(FINDALL, args, kwargs);
      return findAll(self, v as Value, pos, endpos);
    },
  ],
  [
    "finditer",
    (self: Pattern, args, kwargs) => {
      const [v, pos, endpos] = bindArgs(FINDITER, args, kwargs);
      return findIter(self, v as Value, pos, endpos);
    },
  ],
  [
    "split",
    (self: Pattern, args, kwargs) => {
      const [v, most = 0] = bindArgs(SPLIT, args, kwargs);
      return splitBy(self, v as Value, most);
    },
  ],
  [
    "sub",
    (self: Pattern, args, kwargs) => {
      const [by, v, most = 0] = bindArgs(SUB, args, kwargs);
      return substitute(self, by as Value, v as Value, most, (text) => text);
    },
  ],
  [
    "subn",
    (self: Pattern, args, kwargs) => {
      const [by, v, most = 0] = bindArgs(SUBN, args, kwargs);
      return substitute(self, by as Value, v as Value, most, (text, count) => new PyTuple([text, count]));
    },
  ],
]);

const GROUPS = parameters("groups", "default", 0);
const GROUPDICT = parameters("groupdict", "default", 0);
const EXPAND = parameters("expand", "template", 1);

const place = (name: string, of: (m: Match, group: number) => Value): [string, Method] => [
  name,
  (self: Match, args, kwargs) => {
    if (kwargs !== null && kwargs.size > 0) raise("TypeError", `Match.${name}() takes no keyword arguments`);
    if (args.length > 1) raise("TypeError", `${name} expected at most 1 argument, got ${args.length}`);
    return of(self, args.length === 0 ? 0 : self.index(args[0]));
  },
];

const MATCH_METHODS: ReadonlyMap<string, Method> = new Map<string, Method>([
  [
    "group",
    (self: Match, args, kwargs) => {
      noKeywords("Match.group", kwargs);
      if (args.length === 0) {
        return self.group(0) as Value;
      }
      const found = args.map((v) => self.group(self.index(v)) ?? null);
      return found.length === 1 ? found[0] : new PyTuple(found);
    },
  ],
  [
    "groups",
    (self: Match, args, kwargs) => {
      const [absent = null] = bindArgs(GROUPS, args, kwargs);
      return new PyTuple(self.groups(absent));
    },
  ],
  [
    "groupdict",
    (self: Match, args, kwargs) => {
      const [absent = null] = bindArgs(GROUPDICT, args, kwargs);
      return dictOf([...self.pattern.compiled.parsed.names].map(([name, index]) => [name, self.group(index) ?? absent] as const));
    },
  ],
  place("start", (m, group) => m.start(group)),
  place("end", (m, group) => m.end(group)),
  place("span", (m, group) => m.span(group)),
  [
    "expand",
    (self: Match, args, kwargs) => {
      const given = args.length + (kwargs?.size ?? 0);
      if (given > 1) raise("TypeError", `expand() takes at most 1 ${args.length === 0 ? "keyword " : ""}argument (${given} given)`);
      const [template] = bindArgs(EXPAND, args, kwargs);
      const filled = self.fill(templateOf(self.pattern, template as Value));
      return self.pattern.bytes ? new Bytes(latin1Bytes(filled)) : filled;
    },
  ],
]);
