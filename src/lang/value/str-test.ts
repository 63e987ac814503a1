/**
 * The predicates of str (`isalpha` …): what Unicode 14 says of every character, and the three that count cased letters.
 */
import { spendSteps } from "./meter";
import { isIdentifier, propertiesOf } from "./unicode";
import { ALPHA, DECIMAL, DIGIT, LOWER, NUMERIC, PRINTABLE, SPACE, TITLE, UPPER } from "./unicode.generated";

/** Whether the text is not empty and every character has one of the properties. */
function every(text: string, properties: number): boolean {
  spendSteps(text.length >> 4);
  for (let i = 0; i < text.length; i++) {
    const code = text.codePointAt(i)!;
    if ((propertiesOf(code) & properties) === 0) return false;
    if (code > 0xffff) i++;
  }
  return text !== "";
}

export const isAlpha = (text: string): boolean => every(text, ALPHA);
export const isAlnum = (text: string): boolean => every(text, ALPHA | DECIMAL | DIGIT | NUMERIC);
export const isDecimal = (text: string): boolean => every(text, DECIMAL);
export const isDigit = (text: string): boolean => every(text, DIGIT);
export const isNumeric = (text: string): boolean => every(text, NUMERIC);
export const isSpaceText = (text: string): boolean => every(text, SPACE);
export const isPrintableText = (text: string): boolean => text === "" || every(text, PRINTABLE);
export const isIdentifierText = (text: string): boolean => {
  spendSteps(text.length >> 4);
  return isIdentifier(text);
};
export const isAsciiText = (text: string): boolean => {
  spendSteps(text.length >> 6);
  return !/[^\x00-\x7f]/.test(text);
};

/** Some cased letter, and none of the properties in `never`. */
function cased(text: string, wanted: number, never: number): boolean {
  spendSteps(text.length >> 4);
  let found = false;
  for (let i = 0; i < text.length; i++) {
    const code = text.codePointAt(i)!;
    const properties = propertiesOf(code);
    if ((properties & never) !== 0) return false;
    if ((properties & wanted) !== 0) found = true;
    if (code > 0xffff) i++;
  }
  return found;
}
export const isLower = (text: string): boolean => cased(text, LOWER, UPPER | TITLE);
export const isUpper = (text: string): boolean => cased(text, UPPER, LOWER | TITLE);

/** Every run of cased letters begins with a capital or title letter and goes on in small ones. */
export function isTitle(text: string): boolean {
  spendSteps(text.length >> 4);
  let found = false;
  let afterCased = false;
  for (let i = 0; i < text.length; i++) {
    const code = text.codePointAt(i)!;
    const properties = propertiesOf(code);
    const big = (properties & (UPPER | TITLE)) !== 0;
    const small = (properties & LOWER) !== 0;
    if ((big && afterCased) || (small && !afterCased)) return false;
    afterCased = big || small;
    found ||= afterCased;
    if (code > 0xffff) i++;
  }
  return found;
}
