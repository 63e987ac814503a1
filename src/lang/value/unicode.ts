/**
 * What Unicode 14 says of a code point, as CPython 3.11 has it: predicates, case maps, decimal digits, NFKC.
 *
 * The platform's own tables move under us, so nothing here asks it (interpreter.md, 0.3), but for NFKC: normalisation
 * is stable by Unicode's policy for code points once assigned, so `String.normalize` gives Unicode 14's answer when it
 * is kept to the code points assigned in 14; one not assigned then is left as it is and parts the text around it.
 *
 * Pages of 256 property words are laid out on first use. Does not know texts: rules that look at a neighbour (the
 * final sigma, title case) are in str-case.ts.
 */
import {
  ASSIGNED,
  CLASSES,
  DECIMAL,
  DECIMAL_ZEROS,
  LINE_BREAK,
  PRINTABLE,
  RUNS,
  SPACE,
  TO_FOLD,
  TO_FOLD_SPECIAL,
  TO_LOWER,
  TO_LOWER_SPECIAL,
  TO_TITLE,
  TO_TITLE_SPECIAL,
  TO_UPPER,
  TO_UPPER_SPECIAL,
  XID_CONTINUE,
  XID_START,
} from "./unicode.generated";

/** First code point of each run, ascending, and the property word of each; read from the table only as far as was asked. */
const RUN_STARTS: number[] = [];
const RUN_WORDS: number[] = [];
const RUN = /([0-9a-z]*)([A-Z]|_[A-Z]{2})/g;
let readTo = 0;
const PAGES: (Uint16Array | undefined)[] = new Array(0x1100);

/** Reads runs until they cover the code points before `end`. */
function readRuns(end: number): void {
  while (readTo < end) {
    const run = RUN.exec(RUNS);
    if (run === null) return;
    const [, length, name] = run;
    const index = name.length === 1 ? name.charCodeAt(0) - 65 : 26 + (name.charCodeAt(1) - 65) * 26 + name.charCodeAt(2) - 65;
    RUN_STARTS.push(readTo);
    RUN_WORDS.push(CLASSES[index]);
    readTo += length === "" ? 1 : Number.parseInt(length, 36);
  }
}

function layPage(page: number): Uint16Array {
  const words = new Uint16Array(256);
  const first = page << 8;
  readRuns(first + 256);
  let low = 0;
  let high = RUN_STARTS.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (RUN_STARTS[middle] <= first) low = middle;
    else high = middle - 1;
  }
  for (let i = 0; i < 256; i++) {
    while (low + 1 < RUN_STARTS.length && RUN_STARTS[low + 1] <= first + i) low++;
    words[i] = RUN_WORDS[low];
  }
  PAGES[page] = words;
  return words;
}

/** The property word of a code point: bits named in unicode.generated.ts. */
export function propertiesOf(code: number): number {
  return (PAGES[code >> 8] ?? layPage(code >> 8))[code & 255];
}

export function isSpace(code: number): boolean {
  return (propertiesOf(code) & SPACE) !== 0;
}
/** Whether `repr` shows the code point as itself. */
export function isPrintable(code: number): boolean {
  return (propertiesOf(code) & PRINTABLE) !== 0;
}
/** What `splitlines` ends a line at. */
export function isLineBreak(code: number): boolean {
  return (propertiesOf(code) & LINE_BREAK) !== 0;
}
/** First character of an identifier; `_` included, as in Python. */
export function isXidStart(code: number): boolean {
  return (propertiesOf(code) & XID_START) !== 0;
}
export function isXidContinue(code: number): boolean {
  return (propertiesOf(code) & XID_CONTINUE) !== 0;
}

/** Whether the text is an identifier of Python (keywords are). */
export function isIdentifier(text: string): boolean {
  if (text === "" || !isXidStart(text.codePointAt(0)!)) return false;
  for (const character of text) if (!isXidContinue(character.codePointAt(0)!)) return false;
  return true;
}

const ZEROS: readonly number[] = DECIMAL_ZEROS.split(",").map((zero) => Number.parseInt(zero, 36));

/** 0–9 for a decimal digit of any script, else -1. */
export function decimalValue(code: number): number {
  if (code < 128) return code >= 48 && code <= 57 ? code - 48 : -1;
  if ((propertiesOf(code) & DECIMAL) === 0) return -1;
  let value = -1;
  for (const zero of ZEROS) if (zero <= code && code <= zero + 9) value = code - zero;
  return value;
}

type CaseMap = ReadonlyMap<number, string>;

function readCaseMap(runs: string, special: string): CaseMap {
  const map = new Map<number, string>();
  for (const run of runs.split(";")) {
    const [code, count, step, delta] = run.split(",").map((n) => Number.parseInt(n, 36));
    for (let i = 0; i < count; i++) map.set(code + i * step, String.fromCodePoint(code + i * step + delta));
  }
  for (const entry of special.split(";")) {
    const [code, text] = entry.split(":");
    map.set(Number.parseInt(code, 36), String.fromCodePoint(...text.split(".").map((c) => Number.parseInt(c, 36))));
  }
  return map;
}

let upperMap: CaseMap | null = null;
let lowerMap: CaseMap | null = null;
let titleMap: CaseMap | null = null;
let foldMap: CaseMap | null = null;

/** The full map of one character (a text of one code point), in the four ways Python maps case. */
export function upperOf(code: number, character: string): string {
  upperMap ??= readCaseMap(TO_UPPER, TO_UPPER_SPECIAL);
  return upperMap.get(code) ?? character;
}
export function lowerOf(code: number, character: string): string {
  lowerMap ??= readCaseMap(TO_LOWER, TO_LOWER_SPECIAL);
  return lowerMap.get(code) ?? character;
}
export function titleOf(code: number, character: string): string {
  titleMap ??= readCaseMap(TO_TITLE, TO_TITLE_SPECIAL);
  return titleMap.get(code) ?? character;
}
export function foldOf(code: number, character: string): string {
  foldMap ??= readCaseMap(TO_FOLD, TO_FOLD_SPECIAL);
  return foldMap.get(code) ?? character;
}

/** NFKC by Unicode 14, as Python normalises identifiers. */
export function nfkc(text: string): string {
  let ascii = true;
  for (let i = 0; i < text.length && ascii; i++) ascii = text.charCodeAt(i) < 128;
  if (ascii) return text;
  let out = "";
  let assigned = "";
  for (const character of text) {
    if ((propertiesOf(character.codePointAt(0)!) & ASSIGNED) !== 0) assigned += character;
    else {
      out += assigned.normalize("NFKC") + character;
      assigned = "";
    }
  }
  return out + assigned.normalize("NFKC");
}
