/**
 * Which characters an identifier is made of, and its normal form (Unicode 14, NFKC), for the scanner.
 *
 * The one place of the syntax that asks about Unicode.
 */
const START = /^\p{XID_Start}$/u;
const CONTINUE = /^\p{XID_Continue}$/u;

/** @param code  A code point; `_` counts as a start, as in Python. */
export function startsIdentifier(code: number): boolean {
  return code === 0x5f || START.test(String.fromCodePoint(code));
}

export function continuesIdentifier(code: number): boolean {
  return CONTINUE.test(String.fromCodePoint(code));
}

export function normalIdentifier(text: string): string {
  return text.normalize("NFKC");
}
