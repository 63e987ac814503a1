/** Replacement templates of `re.sub` and `Match.expand`: literal parts and groups. */
import { raise } from "../value/exception";
import { strRepr } from "../value/str";
import { isIdentifier } from "../value/unicode";
import { groupNumber, patternError } from "./re-parse";

/** A text, or the number of a group. */
export type Template = readonly (string | number)[];

const ESCAPES: Readonly<Record<string, string>> = { a: "\x07", b: "\b", f: "\f", n: "\n", r: "\r", t: "\t", v: "\v", "\\": "\\" };
const isOctal = (c: string | undefined): boolean => c !== undefined && c >= "0" && c <= "7";
const isDigit = (c: string | undefined): boolean => c !== undefined && c >= "0" && c <= "9";

export function parseTemplate(source: string, groupCount: number, names: ReadonlyMap<string, number>): Template {
  if (!source.includes("\\")) return [source];
  const chars = [...source];
  const parts: (string | number)[] = [];
  const fail = (message: string, at: number): never => patternError(source, message, at);
  const group = (index: number, at: number): void => {
    if (index > groupCount) fail(`invalid group reference ${index}`, at);
    parts.push(index);
  };
  for (let i = 0; i < chars.length; ) {
    const start = i;
    const c = chars[i++];
    if (c !== "\\") {
      parts.push(c);
      continue;
    }
    const d = chars[i++];
    if (d === undefined) fail("bad escape (end of pattern)", start);
    if (d === "g") {
      if (chars[i] !== "<") fail("missing <", i);
      const from = ++i;
      while (chars[i] !== ">") {
        if (chars[i] === undefined) fail(i === from ? "missing group name" : "missing >, unterminated name", from);
        i++;
      }
      const name = chars.slice(from, i++).join("");
      if (name === "") fail("missing group name", from);
      if (isIdentifier(name)) {
        const known = names.get(name);
        if (known === undefined) raise("IndexError", `unknown group name ${strRepr(name)}`);
        parts.push(known);
      } else {
        const index = groupNumber(name);
        if (index < 0) fail(`bad character in group name ${strRepr(name)}`, from);
        group(index, from);
      }
    } else if (d === "0") {
      let digits = d;
      while (digits.length < 3 && isOctal(chars[i])) digits += chars[i++];
      parts.push(String.fromCharCode(Number.parseInt(digits, 8) & 0xff));
    } else if (isDigit(d)) {
      let digits = d;
      if (isDigit(chars[i])) {
        digits += chars[i++];
        if (isOctal(digits[0]) && isOctal(digits[1]) && isOctal(chars[i])) {
          digits += chars[i++];
          const code = Number.parseInt(digits, 8);
          if (code > 0o377) fail(`octal escape value \\${digits} outside of range 0-0o377`, start);
          parts.push(String.fromCharCode(code));
          continue;
        }
      }
      group(Number(digits), start + 1);
    } else if (ESCAPES[d] !== undefined) parts.push(ESCAPES[d]);
    else {
      if (/^[A-Za-z]$/.test(d)) fail(`bad escape \\${d}`, start);
      parts.push(`\\${d}`);
    }
  }
  return parts;
}
