/**
 * JSON's numbers and strings, read exactly: what both forms of an `ops` text are made of.
 *
 * An integer keeps all its digits as far as 64 bits go; what JavaScript would take silently (`1e999`, half of a
 * surrogate pair) is refused, as is everything JSON does not have. Each function looks at each unit of its text once.
 */
import { utf8Bytes } from "./ops-fault";

const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const STRICT_CONTROL = /[\u0000-\u001f]/;
/** Line feed, carriage return and tab may stand in an argument's text as they are. */
const OTHER_CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f]/;
const HALF_A_PAIR = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/;
const BAD_ESCAPE = /\\(?:[^"\\/bfnrtu]|u(?![0-9A-Fa-f]{4})|$)/s;

const INT_MIN = -(2n ** 63n);
const INT_MAX = 2n ** 64n - 1n;

/** Where the number that begins at `start` ends; `start` itself where none does. */
export function numberEnd(text: string, start: number): number {
  NUMBER.lastIndex = start;
  return NUMBER.test(text) ? NUMBER.lastIndex : start;
}

/** Of a text that is one JSON number; null where it overflows a double. */
export function numberOf(text: string): number | bigint | null {
  const value = Number(text);
  if (Number.isSafeInteger(value)) return value + 0; // of -0, 0
  if (!Number.isFinite(value)) return null;
  // Longer than any 64-bit integer: a double, and no time spent on digits that cannot matter.
  if (text.length > 20 || !/^-?[0-9]+$/.test(text)) return value;
  const exact = BigInt(text);
  return exact >= INT_MIN && exact <= INT_MAX ? exact : value;
}

/** Index of the quote that closes the string opened at `start`; -1 where none does. */
export function stringEnd(text: string, start: number): number {
  for (let i = start + 1; ; ) {
    const quote = text.indexOf('"', i);
    if (quote < 0) return -1;
    let slash = quote;
    while (slash > i && text.charCodeAt(slash - 1) === 0x5c) slash--;
    if ((quote - slash) % 2 === 0) return quote;
    i = quote + 1;
  }
}

/** Why what stands between two quotes is no string. */
export class StringFault {
  constructor(readonly why: string) {}
}

/** What makes a string more than the text between its quotes. Nearly none has any of it. */
const SPECIAL = /[\u0000-\u001f\\]/;

/** The text between two quotes. `rawBreaks`: line feeds, carriage returns and tabs may stand in it unescaped. */
export function readString(raw: string, rawBreaks: boolean): string | StringFault {
  if (!SPECIAL.test(raw)) return raw;
  const control = (rawBreaks ? OTHER_CONTROL : STRICT_CONTROL).exec(raw);
  if (control !== null) return new StringFault(controlMessage(raw, control.index, rawBreaks));
  if (!raw.includes("\\")) return raw;
  const bad = BAD_ESCAPE.exec(raw.replaceAll("\\\\", "__"));
  if (bad !== null) return new StringFault(escapeMessage(raw, bad.index, rawBreaks));
  const value = JSON.parse(`"${rawBreaks ? raw.replaceAll("\n", "\\n").replaceAll("\r", "\\r").replaceAll("\t", "\\t") : raw}"`) as string;
  if (raw.includes("\\u") && HALF_A_PAIR.test(value)) {
    return new StringFault("a \\u escape gives half of a surrogate pair; the other half must follow it");
  }
  return value;
}

/** Index of a half of a surrogate pair standing alone in the text; -1 for none. */
export function loneSurrogate(text: string): number {
  return text.search(HALF_A_PAIR);
}

function controlMessage(raw: string, index: number, rawBreaks: boolean): string {
  const code = raw.charCodeAt(index);
  const byte = utf8Bytes(raw, index);
  const may = rawBreaks ? "only line feed, carriage return and tab may stand in a string as they are; " : "";
  return `the string holds the raw control byte 0x${code.toString(16).padStart(2, "0")} at index ${byte}: ${may}write \\n, \\r, \\t or \\u${code.toString(16).padStart(4, "0")}`;
}

function escapeMessage(raw: string, index: number, rawBreaks: boolean): string {
  const next = raw.charCodeAt(index + 1);
  if (rawBreaks && next < 0x20) {
    return `a backslash stands before the raw control byte 0x${next.toString(16).padStart(2, "0")} at index ${utf8Bytes(raw, index + 1)}: write \\n, \\r or \\t instead of both`;
  }
  return 'a string has the escapes \\" \\\\ \\/ \\b \\f \\n \\r \\t and \\u with four hex digits, and no others';
}
