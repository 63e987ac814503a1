/**
 * The tables of Unicode against CPython 3.11's, over every code point: one recorded number a table
 * (scripts/str-cases.py says how it is made).
 */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { strAscii, strRepr } from "../../../src/lang/value/str";
import { capitalize, casefold, lower, swapcase, title, upper } from "../../../src/lang/value/str-case";
import * as is from "../../../src/lang/value/str-test";
import { decimalValue, isLineBreak, isXidContinue, nfkc } from "../../../src/lang/value/unicode";

const recorded = JSON.parse(readFileSync(new URL("../../testdata/unicode-digest.json", import.meta.url), "utf8")) as Record<string, number>;

function digest(of: (character: string, code: number) => string): number {
  let h = 0;
  for (let code = 0; code < 0x110000; code++) {
    if (code >= 0xd800 && code <= 0xdfff) continue;
    for (const c of of(String.fromCodePoint(code), code)) h = (Math.imul(h, 31) + c.codePointAt(0)!) >>> 0;
  }
  return h;
}
const bit = (yes: boolean): string => (yes ? "\x01" : "\x00");

const tables: Record<string, (character: string, code: number) => string> = {
  isalnum: (c) => bit(is.isAlnum(c)),
  isalpha: (c) => bit(is.isAlpha(c)),
  isascii: (c) => bit(is.isAsciiText(c)),
  isdecimal: (c) => bit(is.isDecimal(c)),
  isdigit: (c) => bit(is.isDigit(c)),
  isidentifier: (c) => bit(is.isIdentifierText(c)),
  islower: (c) => bit(is.isLower(c)),
  isnumeric: (c) => bit(is.isNumeric(c)),
  isprintable: (c) => bit(is.isPrintableText(c)),
  isspace: (c) => bit(is.isSpaceText(c)),
  istitle: (c) => bit(is.isTitle(c)),
  isupper: (c) => bit(is.isUpper(c)),
  upper,
  lower,
  title,
  casefold,
  swapcase,
  capitalize,
  repr: strRepr,
  ascii: strAscii,
  continue: (_, code) => bit(isXidContinue(code)),
  lines: (_, code) => bit(isLineBreak(code)),
  sigma: (c) => lower(`A${c}Σ`),
  nfkc,
  decimal: (_, code) => String.fromCharCode(decimalValue(code) < 0 ? 10 : decimalValue(code)),
  after: (c) => title(`${c}b`),
};

describe("[2] Unicode 14 as CPython 3.11 has it", () => {
  test.each(Object.keys(recorded))("[2] %s of every code point", (name) => {
    expect(digest(tables[name])).toBe(recorded[name]);
  });
});
