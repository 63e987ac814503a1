/**
 * The case methods of str: upper, lower, title, capitalize, swapcase, casefold.
 *
 * Each maps code point by code point with Unicode's full maps (`ß` to `SS`); only two things look at neighbours:
 * title case (a letter after a cased one is lowered) and the capital sigma, which `lower` writes `ς` at the end of a
 * word. ASCII texts, nearly all, take a path of their own over the units.
 */
import { TEXT_CHARS_MAX } from "../../limits";
import { checkChars, spendSteps } from "./meter";
import { foldOf, lowerOf, propertiesOf, titleOf, upperOf } from "./unicode";
import { CASE_IGNORABLE, CASED, LOWER, UPPER } from "./unicode.generated";

const CHUNK = 4096;

function isAscii(text: string): boolean {
  if (text.length < 24) {
    for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 127) return false;
    return true;
  }
  return !/[^\x00-\x7f]/.test(text);
}
const isLowerAscii = (unit: number): boolean => unit >= 97 && unit <= 122;
const isUpperAscii = (unit: number): boolean => unit >= 65 && unit <= 90;

/** Maps an ASCII text unit by unit. */
function mapAscii(text: string, of: (unit: number) => number): string {
  spendSteps(text.length >> 4);
  let out = "";
  if (text.length < 24) {
    for (let i = 0; i < text.length; i++) out += String.fromCharCode(of(text.charCodeAt(i)));
    return out;
  }
  const units = new Uint16Array(Math.min(text.length, CHUNK));
  for (let from = 0; from < text.length; from += CHUNK) {
    const count = Math.min(CHUNK, text.length - from);
    for (let i = 0; i < count; i++) units[i] = of(text.charCodeAt(from + i));
    out += String.fromCharCode.apply(null, units.subarray(0, count) as unknown as number[]);
  }
  return out;
}

/** Maps a text code point by code point; `at` is the unit where the character begins. */
function mapText(text: string, of: (code: number, character: string, at: number) => string): string {
  spendSteps(text.length);
  const whole: string[] = [];
  let parts: string[] = [];
  let units = 0;
  for (let i = 0; i < text.length; ) {
    if (parts.length >= CHUNK) {
      if (units > 2 * TEXT_CHARS_MAX) checkChars(units);
      whole.push(parts.join(""));
      parts = [];
    }
    const code = text.codePointAt(i)!;
    const width = code > 0xffff ? 2 : 1;
    const mapped = of(code, width === 1 ? text[i] : text.slice(i, i + 2), i);
    parts.push(mapped);
    units += mapped.length;
    i += width;
  }
  checkChars(units);
  whole.push(parts.join(""));
  return whole.length === 1 ? whole[0]! : whole.join("");
}

const SIGMA = 0x3a3;

/** Whether the sigma at unit `at` ends a word: a cased letter before it and none after, ignorable ones apart. */
function isFinalSigma(text: string, at: number): boolean {
  let i = at;
  let before = 0;
  while (i > 0) {
    i -= i > 1 && (text.charCodeAt(i - 1) & 0xfc00) === 0xdc00 ? 2 : 1;
    before = propertiesOf(text.codePointAt(i)!);
    if ((before & CASE_IGNORABLE) === 0) break;
  }
  if (at === 0 || (before & CASE_IGNORABLE) !== 0 || (before & CASED) === 0) return false;
  for (let j = at + 1; j < text.length; ) {
    const code = text.codePointAt(j)!;
    const after = propertiesOf(code);
    if ((after & CASE_IGNORABLE) === 0) return (after & CASED) === 0;
    j += code > 0xffff ? 2 : 1;
  }
  return true;
}

function lowerAt(text: string, code: number, character: string, at: number): string {
  if (code === SIGMA) return isFinalSigma(text, at) ? "ς" : "σ";
  return lowerOf(code, character);
}

export function upper(text: string): string {
  if (isAscii(text)) {
    // Of ASCII the platform's map is everybody's.
    spendSteps(text.length >> 4);
    return text.toUpperCase();
  }
  return mapText(text, upperOf);
}

function lowerAscii(text: string): string {
  spendSteps(text.length >> 4);
  return text.toLowerCase();
}
export function lower(text: string): string {
  if (isAscii(text)) return lowerAscii(text);
  return mapText(text, (code, character, at) => lowerAt(text, code, character, at));
}

export function casefold(text: string): string {
  if (isAscii(text)) return lowerAscii(text);
  return mapText(text, foldOf);
}

export function swapcase(text: string): string {
  if (isAscii(text)) return mapAscii(text, (unit) => (isUpperAscii(unit) || isLowerAscii(unit) ? unit ^ 32 : unit));
  return mapText(text, (code, character, at) => {
    const properties = propertiesOf(code);
    if ((properties & UPPER) !== 0) return lowerAt(text, code, character, at);
    return (properties & LOWER) !== 0 ? upperOf(code, character) : character;
  });
}

export function title(text: string): string {
  let afterCased = false;
  return mapText(text, (code, character, at) => {
    const mapped = afterCased ? lowerAt(text, code, character, at) : titleOf(code, character);
    afterCased = (propertiesOf(code) & CASED) !== 0;
    return mapped;
  });
}

export function capitalize(text: string): string {
  return mapText(text, (code, character, at) => (at === 0 ? titleOf(code, character) : lowerAt(text, code, character, at)));
}
