/**
 * Text by code point: length, index, slice, order, search positions, repr.
 *
 * A text is a well-formed JavaScript string, so a code point is one UTF-16 unit or a pair. Nearly every text has no
 * pair; whether one does is found by one scan, remembered for the last long texts asked, so that a loop over
 * `text[i]` or `len(text)` stays linear. A long text with pairs gets a table of where each 32nd code point
 * begins, remembered the same way.
 *
 * Concatenation is JavaScript's `+` (ropes), so nothing here is called for it but the size check. Methods are in
 * str-methods.ts and its neighbours.
 */
import { Refusal } from "../../failure";
import { TEXT_CHARS_MAX } from "../../limits";
import { raise } from "./exception";
import { checkChars, makingText, meter, spendSteps } from "./meter";
import { isPrintable } from "./unicode";

/** Texts shorter than this are scanned each time: cheaper than remembering. */
const SHORT_UNITS = 64;
/** Code points between two entries of an index table. */
const STRIDE = 32;

/** What is known of one long text. `table` is null where it has no pair: units are code points. */
export interface Remembered {
  text: string;
  length: number;
  table: Int32Array | null;
}
let remembered: Remembered[] = [];
/**
 * Puts the memory of one program in and gives back the one that was there. Measuring costs steps and remembering saves
 * them, so what is remembered belongs to a program: its steps must not depend on what ran before or beside it.
 */
export function swapRemembered(mine: Remembered[]): Remembered[] {
  const before = remembered;
  remembered = mine;
  return before;
}
/** Two: a text may be 32 MiB, and remembering keeps it alive. */
const REMEMBERED_MAX = 2;

function hasPair(text: string): boolean {
  return /[\ud800-\udfff]/.test(text);
}

/**
 * The last texts measured, most recent first. Comparing two equal texts that are different objects costs their
 * length, and two different ones of one length stop at the first difference; both are less than a scan.
 */
function recall(text: string): Remembered {
  for (let i = 0; i < remembered.length; i++) {
    const known = remembered[i];
    if (known.text.length === text.length && known.text === text) {
      if (i > 0) {
        remembered.splice(i, 1);
        remembered.unshift(known);
      }
      return known;
    }
  }
  const measured = measure(text);
  remembered.unshift(measured);
  if (remembered.length > REMEMBERED_MAX) remembered.pop();
  return measured;
}

function measure(text: string): Remembered {
  spendSteps(text.length >> 6);
  if (!hasPair(text)) return { text, length: text.length, table: null };
  const starts: number[] = [];
  let length = 0;
  for (let i = 0; i < text.length; i++) {
    if (length % STRIDE === 0) starts.push(i);
    if (isHigh(text.charCodeAt(i))) i++;
    length++;
  }
  return { text, length, table: Int32Array.from(starts) };
}

function isHigh(unit: number): boolean {
  return (unit & 0xfc00) === 0xd800;
}

/** Whether code points and units are the same positions in `text`. */
export function isFlat(text: string): boolean {
  if (text.length >= SHORT_UNITS) return recall(text).table === null;
  for (let i = 0; i < text.length; i++) if (isHigh(text.charCodeAt(i))) return false;
  return true;
}

/** `len(text)`. */
export function strLength(text: string): number {
  const units = text.length;
  if (units >= SHORT_UNITS) return recall(text).length;
  let length = units;
  for (let i = 0; i < units; i++) if (isHigh(text.charCodeAt(i))) length--;
  return length;
}

/** The unit at which code point `position` begins; `position` in [0, length]. */
export function unitOf(text: string, position: number): number {
  let unit = 0;
  let left = position;
  if (text.length >= SHORT_UNITS) {
    const { table } = recall(text);
    if (table === null) return position;
    const entry = Math.min(Math.floor(position / STRIDE), table.length - 1);
    unit = table[entry];
    left = position - entry * STRIDE;
  }
  for (; left > 0; left--) unit += isHigh(text.charCodeAt(unit)) ? 2 : 1;
  return unit;
}

/** The code point position of the unit `unit`, which begins a code point (or is the end). */
export function positionOf(text: string, unit: number): number {
  let at = 0;
  let position = 0;
  if (text.length >= SHORT_UNITS) {
    const { table } = recall(text);
    if (table === null) return unit;
    let low = 0;
    let high = table.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (table[middle] <= unit) low = middle;
      else high = middle - 1;
    }
    at = table[low];
    position = low * STRIDE;
  }
  for (; at < unit; position++) at += isHigh(text.charCodeAt(at)) ? 2 : 1;
  return position;
}

/** The character at code point `position`, which must be in [0, length). */
export function strAt(text: string, position: number): string {
  const unit = unitOf(text, position);
  return isHigh(text.charCodeAt(unit)) ? text.slice(unit, unit + 2) : text[unit];
}

/** `text[index]` for an index as Python counts (negative from the end); undefined where it is out of range. */
export function strIndex(text: string, index: number): string | undefined {
  // Units bound code points, so an index past them is out of range without a scan.
  if (index >= text.length || index < -text.length) return undefined;
  const length = strLength(text);
  const position = index < 0 ? index + length : index;
  return position < 0 || position >= length ? undefined : strAt(text, position);
}

/** Code points [start, stop), both already clamped to 0 ≤ start, stop ≤ length. */
export function strRange(text: string, start: number, stop: number): string {
  if (stop <= start) return "";
  const from = unitOf(text, start);
  return text.slice(from, isFlat(text) ? stop : unitOf(text, stop));
}

/**
 * `count` code points from `start`, each `step` on: the bounds as `slice.indices` gives them, so every position is
 * inside the text.
 */
export function strSlice(text: string, start: number, step: number, count: number): string {
  if (count <= 0) return "";
  if (step === 1) return strRange(text, start, start + count);
  checkChars(count);
  if (isFlat(text)) {
    const units: string[] = [];
    for (let i = 0, at = start; i < count; i++, at += step) units.push(text[at]);
    return units.join("");
  }
  const characters = [...text];
  const taken: string[] = [];
  for (let i = 0, at = start; i < count; i++, at += step) taken.push(characters[at]);
  return taken.join("");
}

/** Code points of the text, for loops and searches that need all of them. */
export function codePoints(text: string): number[] {
  const codes: number[] = [];
  for (let i = 0; i < text.length; i++) {
    const code = text.codePointAt(i)!;
    if (code > 0xffff) i++;
    codes.push(code);
  }
  return codes;
}

/**
 * Order by code point: negative, 0 or positive. UTF-16 order differs from it only where a pair meets a unit from
 * U+E000 on, so only the first unit that differs matters.
 */
export function strCompare(a: string, b: string): number {
  if (a === b) return 0;
  const units = Math.min(a.length, b.length);
  let i = 0;
  while (i < units && a.charCodeAt(i) === b.charCodeAt(i)) i++;
  if (i === units) return a.length - b.length;
  const x = a.charCodeAt(i);
  const y = b.charCodeAt(i);
  // Both in [D800, FFFF]: surrogates stand above the rest of the plane.
  if (x >= 0xd800 && y >= 0xd800) return rank(x) - rank(y);
  return x - y;
}
function rank(unit: number): number {
  return unit >= 0xe000 ? unit - 0x800 : unit + 0x2000;
}

/** `text * count`; count already an exact JavaScript number (0 or less gives the empty text). */
export function strRepeat(text: string, count: number): string {
  if (count <= 0 || text === "") return "";
  if (text.length * count >= 2 ** 62 && strLength(text) * count >= 2 ** 63) raise("OverflowError", "repeated string is too long");
  // The unit count bounds the code points from above by two; measured only where that matters.
  checkChars((text.length * count > TEXT_CHARS_MAX ? strLength(text) : text.length) * count);
  return text.repeat(count);
}

/** The size check of `a + b`, by units: at most twice too strict, and then measured. */
export function checkConcat(a: string, b: string): void {
  const units = a.length + b.length;
  makingText(units);
  if (units > TEXT_CHARS_MAX) checkChars(strLength(a) + strLength(b));
}

/** The same of a text made of parts. */
export function checkUnits(parts: readonly string[], units: number): void {
  makingText(units);
  if (units > TEXT_CHARS_MAX) checkChars(parts.reduce((n, part) => n + strLength(part), 0));
}

/**
 * What a place where a text grows (`text += part`) remembers of its last turn. The text it made then is mostly the one that
 * grows now, and gone with it: as long as nothing was put into a collection since, only what is added counts. Otherwise a text
 * grown letter by letter would count as all its lengths together.
 */
export interface TextGrowth {
  program: number;
  kept: number;
  /** How many parts it has joined since the text was last written out in one piece. */
  pieces: number;
}
/** A rope of so many pieces, which take far more memory than their letters, is written out, but not before it has grown by a sixteenth. */
const PIECES_MAX = 4096;
const PIECES_SHIFT = 4;

/** `a += b` at one place. */
export function grown(at: TextGrowth, a: string, b: string): string {
  if (at.program === meter.program && at.kept === meter.kept && a.length + b.length <= TEXT_CHARS_MAX) makingText(b.length);
  else checkConcat(a, b);
  at.program = meter.program;
  at.kept = meter.kept;
  const text = a + b;
  if (++at.pieces > PIECES_MAX && at.pieces > text.length >> PIECES_SHIFT) {
    at.pieces = 0;
    writeOut(text);
  }
  return text;
}
/** The platform makes one piece of a rope where a letter of it is read; `lastRead` is there so that it is. */
let lastRead = 0;
function writeOut(text: string): void {
  lastRead = text.charCodeAt(lastRead % text.length);
}

/** Refuses a lone surrogate, which JavaScript would silently join to its neighbour (language.md §2). */
export function wellFormed(text: string): string {
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if ((unit & 0xf800) !== 0xd800) continue;
    if (isHigh(unit) && (text.charCodeAt(i + 1) & 0xfc00) === 0xdc00) i++;
    else throw surrogateRefusal(unit);
  }
  return text;
}

/** The refusal of a text that would hold the lone surrogate `code`. */
export function surrogateRefusal(code: number): Refusal {
  return new Refusal(
    "invalid_value",
    `a text cannot hold the lone surrogate '\\u${code.toString(16)}': write the character itself, or its code point above U+FFFF`,
  );
}

/** `chr(code)`, for a code in [0, 0x10FFFF]. */
export function chrText(code: number): string {
  if (code >= 0xd800 && code <= 0xdfff) throw surrogateRefusal(code);
  return String.fromCodePoint(code);
}

function hex(code: number, digits: number): string {
  return code.toString(16).padStart(digits, "0");
}

/** The escape of a code point that is not shown as itself. */
export function escapeCode(code: number): string {
  if (code === 10) return "\\n";
  if (code === 13) return "\\r";
  if (code === 9) return "\\t";
  if (code < 0x100) return `\\x${hex(code, 2)}`;
  return code < 0x10000 ? `\\u${hex(code, 4)}` : `\\U${hex(code, 8)}`;
}

function quoted(text: string, plain: (code: number) => boolean): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  // Most texts need no escape: nothing is built for them.
  let simple = true;
  for (let i = 0; i < text.length && simple; i++) {
    const unit = text.charCodeAt(i);
    simple = unit >= 32 && unit < 127 && unit !== 92 && unit !== 39;
  }
  if (!simple) checkEscaped(text, plain);
  if (simple) return quote + text + quote;
  // Pieces are joined now and then: a rope of a million small ones takes far more memory than its text.
  const whole: string[] = [];
  let pieces: string[] = [quote];
  let from = 0;
  for (let i = 0; i < text.length; ) {
    if (pieces.length > 8192) {
      whole.push(pieces.join(""));
      pieces = [];
    }
    const code = text.codePointAt(i)!;
    const width = code > 0xffff ? 2 : 1;
    if (code === 92 || code === quote.charCodeAt(0)) {
      pieces.push(text.slice(from, i), "\\", text[i]!);
      from = i + width;
    } else if (!plain(code)) {
      pieces.push(text.slice(from, i), escapeCode(code));
      from = i + width;
    }
    i += width;
  }
  pieces.push(text.slice(from), quote);
  whole.push(pieces.join(""));
  return whole.length === 1 ? whole[0]! : whole.join("");
}

/** Refuses a text whose escapes would make it too long, before they are written. */
export function checkEscaped(text: string, plain: (code: number) => boolean): void {
  if (text.length < 1 << 16) return;
  let length = text.length + 2;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit >= 32 && unit < 127) continue;
    const code = isHigh(unit) ? text.codePointAt(i++)! : unit;
    if (!plain(code)) length += code < 0x100 ? 3 : code < 0x10000 ? 5 : 8;
  }
  checkChars(length);
}

/** `repr(text)`. */
export function strRepr(text: string): string {
  return quoted(text, (code) => (code < 127 ? code >= 32 : isPrintable(code)));
}

/** `ascii(text)`. */
export function strAscii(text: string): string {
  return quoted(text, (code) => code >= 32 && code < 127);
}
