/**
 * The methods of str that fill a text up to a width in code points: center, ljust, rjust, zfill, expandtabs.
 */
import { bindArgs, type Kwargs, parameters } from "./arguments";
import { raise } from "./exception";
import { checkChars, checkPiece, spendSteps } from "./meter";
import { typeName } from "./protocol-type";
import { strLength } from "./str";
import { intArgument, sizeArgument } from "./str-arguments";
import type { Value } from "./value";

function fillOf(v: Value | undefined): string {
  if (v === undefined) return " ";
  if (typeof v !== "string") raise("TypeError", `The fill character must be a unicode character, not ${typeName(v)}`);
  if (v.length === 1 || (v.length === 2 && strLength(v) === 1)) return v;
  raise("TypeError", "The fill character must be exactly one character long");
}

/** How much of a missing width goes to the left. */
export type Share = (missing: number, width: number) => number;
export const LEFT: Share = () => 0;
export const RIGHT: Share = (missing) => missing;
/** An odd column goes left where the width is odd too. */
export const CENTER: Share = (missing, width) => Math.floor(missing / 2) + (missing % 2 === 1 && width % 2 === 1 ? 1 : 0);

const padded = (text: string, args: readonly Value[], share: Share): string => padText(text, sizeArgument(args[0]), fillOf(args[1]), share);

export function padText(text: string, width: number, fill: string, share: Share): string {
  const length = strLength(text);
  if (width <= length) return text;
  checkChars(width);
  const left = share(width - length, width);
  return fill.repeat(left) + text + fill.repeat(width - length - left);
}

export const ljust = (text: string, args: readonly Value[]): string => padded(text, args, LEFT);
export const rjust = (text: string, args: readonly Value[]): string => padded(text, args, RIGHT);
export const center = (text: string, args: readonly Value[]): string => padded(text, args, CENTER);

export function zfill(text: string, argument: Value): string {
  const width = sizeArgument(argument);
  const missing = width - strLength(text);
  if (missing <= 0) return text;
  checkChars(width);
  const signed = text[0] === "+" || text[0] === "-";
  return signed ? text[0] + "0".repeat(missing) + text.slice(1) : "0".repeat(missing) + text;
}

const EXPANDTABS = parameters("expandtabs", "tabsize", 0);

export function expandtabs(text: string, args: readonly Value[], kwargs: Kwargs): Value {
  const [tabsize] = bindArgs(EXPANDTABS, args, kwargs);
  return expandTabs(text, tabsize === undefined ? 8 : intArgument(tabsize));
}

export function expandTabs(text: string, size: number): string {
  if (!text.includes("\t")) return text;
  spendSteps(text.length >> 4);
  const parts: string[] = [];
  let column = 0;
  let from = 0;
  let units = text.length;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit === 9) {
      const fill = size > 0 ? size - (column % size) : 0;
      units += fill - 1;
      checkPiece(units, fill);
      parts.push(text.slice(from, i), " ".repeat(fill));
      column += fill;
      from = i + 1;
    } else if (unit === 10 || unit === 13) column = 0;
    // A pair is one column: only its first half counts.
    else if ((unit & 0xfc00) !== 0xdc00) column++;
  }
  parts.push(text.slice(from));
  return parts.join("");
}
