/**
 * Which characters an identifier is made of, and its normal form, for the scanner: Unicode 14's XID sets and NFKC,
 * as Python 3.11's.
 *
 * The one place of the syntax that asks about Unicode.
 */
import { isXidContinue, isXidStart, nfkc } from "../value/unicode";

/** @param code  A code point; `_` counts as a start, as in Python. */
export function startsIdentifier(code: number): boolean {
  return code === 0x5f || isXidStart(code);
}

export function continuesIdentifier(code: number): boolean {
  return isXidContinue(code);
}

export function normalIdentifier(text: string): string {
  return nfkc(text);
}
