/** Patterns of `re`: a tree becomes a small program for the backtracking machine (re-match.ts), and characters become tests. */
import { Refusal } from "../../failure";
import { RE_PROGRAM_MAX } from "../../limits";
import { lowerOf, propertiesOf, upperOf } from "../value/unicode";
import { ALPHA, DECIMAL, DIGIT, NUMERIC, SPACE } from "../value/unicode.generated";
import { type CodeRange, FLAG, type Node, type Parsed, type Place, type SetItem } from "./re-parse";

export type Test = (code: number) => boolean;
export type Instruction =
  | { readonly op: "char"; readonly code: number }
  | { readonly op: "test"; readonly test: Test }
  | { readonly op: "at"; readonly place: Place; readonly word: Test }
  | { op: "split"; first: number; second: number }
  | { op: "jump"; to: number }
  | { readonly op: "save"; readonly slot: number }
  /** Remembers where an iteration began, and ends a loop whose iteration took nothing. */
  | { readonly op: "enter"; readonly slot: number }
  | { readonly op: "repeat"; readonly slot: number; readonly to: number; readonly lazy: boolean; readonly out: { at: number } }
  | { readonly op: "ref"; readonly index: number; readonly fold: boolean }
  | { readonly op: "if"; readonly index: number; no: number }
  | { readonly op: "sub"; readonly program: Program; readonly what: "look" | "atomic"; readonly negated: boolean; readonly back: number }
  | { readonly op: "done" };

export interface Program {
  readonly code: Instruction[];
}

export interface Compiled {
  readonly program: Program;
  readonly parsed: Parsed;
  /** Two slots a group, one for the group closed last, then one a loop. */
  readonly slotCount: number;
  readonly rememberable: boolean;
  /** What the first character of a match must be; null where a match may be empty or begin with anything. */
  readonly opening: Test | null;
}

// ---- characters

/** Other characters that Python's `re` takes for the same one where case is ignored, by lower-case code point. */
const EXTRA = new Map<number, readonly number[]>(
  (
    "105:305 115:383 181:956 305:105 383:115 837:953,8126 912:8147 944:8163 946:976 949:1013 952:977 953:837,8126 954:1008 956:181 " +
    "960:982 961:1009 962:963 963:962 966:981 976:946 977:952 981:966 982:960 1008:954 1009:961 1013:949 1074:7296 1076:7297 1086:7298 " +
    "1089:7299 1090:7300,7301 1098:7302 1123:7303 7296:1074 7297:1076 7298:1086 7299:1089 7300:1090,7301 7301:1090,7300 7302:1098 " +
    "7303:1123 7304:42571 7777:7835 7835:7777 8126:837,953 8147:912 8163:944 42571:7304 64261:64262 64262:64261"
  )
    .split(" ")
    .map((entry) => {
      const [code, others] = entry.split(":");
      return [Number(code), others.split(",").map(Number)];
    }),
);

/** Characters that have this lower-case code point and are not its upper case: titles, signs, capitals of which no upper-case map tells. */
const ALSO_LOWERED = new Map<number, number>(
  (
    "105:304 107:8490 223:7838 229:8491 454:453 457:456 460:459 499:498 952:1012 969:8486 8064:8072 8065:8073 8066:8074 8067:8075 " +
    "8068:8076 8069:8077 8070:8078 8071:8079 8080:8088 8081:8089 8082:8090 8083:8091 8084:8092 8085:8093 8086:8094 8087:8095 " +
    "8096:8104 8097:8105 8098:8106 8099:8107 8100:8108 8101:8109 8102:8110 8103:8111 8115:8124 8131:8140 8179:8188"
  )
    .split(" ")
    .map((entry) => entry.split(":").map(Number) as [number, number]),
);

/** The simple lower-case map: one code point to one. */
export function lowerCode(code: number, ascii: boolean): number {
  if (code < 128 || ascii) return code >= 65 && code <= 90 ? code + 32 : code;
  if (code === 0x130) return 0x69;
  return lowerOf(code, String.fromCodePoint(code)).codePointAt(0)!;
}
function upperCode(code: number): number {
  const text = upperOf(code, String.fromCodePoint(code));
  const upper = text.codePointAt(0)!;
  return text.length === (upper > 0xffff ? 2 : 1) ? upper : code;
}

/** Every code point that is the same as `code` where case is ignored. */
function sameIgnoringCase(code: number, ascii: boolean): readonly number[] {
  const low = lowerCode(code, ascii);
  if (ascii) return low >= 97 && low <= 122 ? [low, low - 32] : [low];
  const lows = [low, ...(EXTRA.get(low) ?? [])];
  return [...new Set([code, ...lows, ...lows.map(upperCode), ...lows.flatMap((c) => ALSO_LOWERED.get(c) ?? [])])];
}

const isWord: Test = (code) => code === 95 || (propertiesOf(code) & (ALPHA | DECIMAL | DIGIT | NUMERIC)) !== 0;
const isWordAscii: Test = (code) => code === 95 || (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
const isSpace: Test = (code) => (propertiesOf(code) & SPACE) !== 0;
const isSpaceAscii: Test = (code) => code === 32 || (code >= 9 && code <= 13);
const isDecimal: Test = (code) => (propertiesOf(code) & DECIMAL) !== 0;
const isDecimalAscii: Test = (code) => code >= 48 && code <= 57;

function classTest(name: string, ascii: boolean): Test {
  const low = name.toString().replace(/[DSW]/, (c) => String.fromCharCode(c.charCodeAt(0) + 32));
  const test =
    low === "d" ? (ascii ? isDecimalAscii : isDecimal) : low === "s" ? (ascii ? isSpaceAscii : isSpace) : ascii ? isWordAscii : isWord;
  return low === name ? test : (code) => !test(code);
}

/**
 * A set where case is ignored. Beyond U+FFFF `re` looks for the lower-case character itself among the characters of a set,
 * and for it and its upper case in the ranges, whatever case the set is written in.
 */
function foldedTest(ranges: readonly CodeRange[], classes: readonly Test[], ascii: boolean): Test {
  // A set of one character is no set to it.
  const last = ranges.length === 1 && classes.length === 0 && ranges[0]!.from === ranges[0]!.to ? MAX_CODE : 0xffff;
  const below = ranges.filter(({ from }) => from <= last).map(({ from, to }) => ({ from, to: Math.min(to, last) }));
  const beyond = ranges.filter(({ to }) => to > last);
  const within = (some: readonly CodeRange[], code: number): boolean => some.some(({ from, to }) => from <= code && code <= to);
  return (code) => {
    if (classes.some((test) => test(code)) || sameIgnoringCase(code, ascii).some((same) => within(below, same))) return true;
    if (beyond.length === 0) return false;
    const low = lowerCode(code, ascii);
    const upper = upperCode(low);
    return beyond.some(({ from, to }) => (from <= low && low <= to) || (from < to && from <= upper && upper <= to));
  };
}

const MAX_CODE = 0x10ffff;

function setTest(items: readonly SetItem[], negated: boolean, fold: boolean, ascii: boolean): Test {
  const ranges: CodeRange[] = [];
  const classes: Test[] = [];
  for (const item of items) {
    if (typeof item === "string") classes.push(classTest(item, ascii));
    else ranges.push(item);
  }
  const inRanges = (code: number): boolean => ranges.some(({ from, to }) => from <= code && code <= to);
  const plain = (code: number): boolean => inRanges(code) || classes.some((test) => test(code));
  const test = fold && ranges.length > 0 ? foldedTest(ranges, classes, ascii) : plain;
  return tabled((code) => test(code) !== negated);
}

// ---- compiling

export function compilePattern(parsed: Parsed, bytes: boolean): Compiled {
  const compiler = new Compiler(parsed.groupCount, bytes);
  const program = compiler.program(parsed.tree, true);
  const opening = openingOf(program.code, 0, 0);
  return { program, parsed, slotCount: compiler.slotCount, rememberable: compiler.rememberable, opening: opening && tabled(opening) };
}

/** What the first character taken from instruction `pc` on must be, or null where that cannot be told. */
function openingOf(code: readonly Instruction[], pc: number, depth: number): Test | null {
  const instruction = code[pc];
  switch (instruction.op) {
    case "char":
      return (c) => c === instruction.code;
    case "test":
      return instruction.test;
    case "save":
    case "enter":
      return openingOf(code, pc + 1, depth);
    case "jump":
      return instruction.to > pc ? openingOf(code, instruction.to, depth) : null;
    case "split": {
      if (depth > 16) return null;
      const first = openingOf(code, instruction.first, depth + 1);
      const second = first && openingOf(code, instruction.second, depth + 1);
      return second && ((c) => (first as Test)(c) || second(c));
    }
    default:
      return null;
  }
}

/** The test with its answers for ASCII worked out. */
function tabled(test: Test): Test {
  const small = new Uint8Array(128);
  for (let code = 0; code < 128; code++) small[code] = test(code) ? 1 : 0;
  return (code) => (code < 128 ? small[code] === 1 : test(code));
}

class Compiler {
  slotCount: number;
  rememberable = true;
  private size = 0;
  constructor(
    groupCount: number,
    private readonly bytes: boolean,
  ) {
    this.slotCount = 2 * (groupCount + 1) + 1;
  }

  program(node: Node, whole: boolean): Program {
    const code: Instruction[] = [];
    if (whole) this.emit(code, { op: "save", slot: 0 });
    this.node(node, code);
    if (whole) this.emit(code, { op: "save", slot: 1 });
    this.emit(code, { op: "done" });
    return { code };
  }

  private emit(code: Instruction[], instruction: Instruction): number {
    if (++this.size > RE_PROGRAM_MAX)
      throw new Refusal("limit_exceeded", `a pattern of more than ${RE_PROGRAM_MAX} steps is past the limit`);
    return code.push(instruction) - 1;
  }

  private ascii(flags: number): boolean {
    return this.bytes || (flags & FLAG.ASCII) !== 0;
  }

  private node(node: Node, code: Instruction[]): void {
    switch (node.kind) {
      case "char": {
        const same = (node.flags & FLAG.IGNORECASE) !== 0 ? sameIgnoringCase(node.code, this.ascii(node.flags)) : [node.code];
        if (same.length === 1) this.emit(code, { op: "char", code: node.code });
        else this.emit(code, { op: "test", test: (c) => same.includes(c) });
        return;
      }
      case "any":
        this.emit(code, { op: "test", test: (node.flags & FLAG.DOTALL) !== 0 ? () => true : (c) => c !== 10 });
        return;
      case "set":
        this.emit(code, {
          op: "test",
          test: setTest(node.items, node.negated, (node.flags & FLAG.IGNORECASE) !== 0, this.ascii(node.flags)),
        });
        return;
      case "at":
        this.emit(code, { op: "at", place: node.place, word: this.ascii(node.flags) ? isWordAscii : isWord });
        return;
      case "cat":
        for (const part of node.parts) this.node(part, code);
        return;
      case "alt":
        this.alternatives(node.branches, code);
        return;
      case "group":
        this.emit(code, { op: "save", slot: 2 * node.index });
        this.node(node.body, code);
        this.emit(code, { op: "save", slot: 2 * node.index + 1 });
        return;
      case "look":
        this.emit(code, {
          op: "sub",
          program: this.program(node.body, false),
          what: "look",
          negated: node.negated,
          back: node.ahead ? 0 : node.width,
        });
        return;
      case "atomic":
        this.emit(code, { op: "sub", program: this.program(node.body, false), what: "atomic", negated: false, back: 0 });
        return;
      case "ref":
        this.rememberable = false;
        this.emit(code, { op: "ref", index: node.index, fold: (node.flags & FLAG.IGNORECASE) !== 0 });
        return;
      case "if": {
        this.rememberable = false;
        const test = { op: "if" as const, index: node.index, no: 0 };
        this.emit(code, test);
        this.node(node.yes, code);
        const jump = { op: "jump" as const, to: 0 };
        this.emit(code, jump);
        test.no = code.length;
        this.node(node.no, code);
        jump.to = code.length;
        return;
      }
      case "repeat":
        if (node.mode === "possessive") this.node({ kind: "atomic", body: { ...node, mode: "greedy" } }, code);
        else this.repeat(node.body, node.min, node.max, node.mode === "lazy", code);
    }
  }

  private alternatives(branches: readonly Node[], code: Instruction[]): void {
    const jumps: { op: "jump"; to: number }[] = [];
    branches.forEach((branch, i) => {
      if (i === branches.length - 1) {
        this.node(branch, code);
        return;
      }
      const split = { op: "split" as const, first: code.length + 1, second: 0 };
      this.emit(code, split);
      this.node(branch, code);
      const jump = { op: "jump" as const, to: 0 };
      this.emit(code, jump);
      jumps.push(jump);
      split.second = code.length;
    });
    for (const jump of jumps) jump.to = code.length;
  }

  private repeat(body: Node, min: number, max: number, lazy: boolean, code: Instruction[]): void {
    for (let i = 0; i < min; i++) this.node(body, code);
    if (max === min) return;
    const split = (): { op: "split"; first: number; second: number } => {
      const made = { op: "split" as const, first: code.length + 1, second: code.length + 1 };
      this.emit(code, made);
      return made;
    };
    const leave = (made: { first: number; second: number }): void => {
      if (lazy) made.first = code.length;
      else made.second = code.length;
    };
    if (max >= 4294967295) {
      const entry = split();
      const slot = this.slotCount++;
      const body0 = this.emit(code, { op: "enter", slot });
      this.node(body, code);
      const out = { at: 0 };
      this.emit(code, { op: "repeat", slot, to: body0, lazy, out });
      out.at = code.length;
      leave(entry);
      return;
    }
    const entries: { first: number; second: number }[] = [];
    for (let i = min; i < max; i++) {
      entries.push(split());
      this.node(body, code);
    }
    for (const entry of entries) leave(entry);
  }
}
