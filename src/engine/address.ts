/**
 * How subjects, cells and fields are spelled in answers: `family.Person.ann`, `family.Person["two words"].born`
 * (rulings, "How a subject and a cell are spelled").
 */
import type { Cell, Target } from "./claim";

const IDENTIFIER = /^[\p{XID_Start}_]\p{XID_Continue}*$/u;
const KEYWORDS = new Set(
  "False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield".split(
    " ",
  ),
);
const UNPRINTABLE = /[\\"\p{C}\p{Z}]/gu;

export function spellSubject(kind: string, name: string): string {
  return `${kind}${step(name)}`;
}

export function spellCell(cell: Cell): string {
  return `${cell.kind}${step(cell.subject)}${step(cell.field)}`;
}

export function spellField(kind: string, field: string): string {
  return `${kind}${step(field)}`;
}

export function spellTarget(target: Target): string {
  switch (target.tag) {
    case "cell":
      return spellCell(target.cell);
    case "field":
      return spellField(target.kind, target.field);
    case "subject":
      return spellSubject(target.kind, target.subject);
    case "kind":
      return target.kind;
  }
}

/** True for a name that can stand after a dot. */
export function isIdentifier(name: string): boolean {
  return IDENTIFIER.test(name) && !KEYWORDS.has(name);
}

/** A text in double quotes with Python's escapes. */
export function quoted(text: string): string {
  return `"${text.replace(UNPRINTABLE, escaped)}"`;
}

/** A text of the caller's inside a line of ours, as a source or a label: as it is; in quotes where it would break the line in two. */
export function inLine(text: string): string {
  return BREAKS_LINE.test(text) ? quoted(text) : text;
}
const BREAKS_LINE = /[\p{Cc}\p{Zl}\p{Zp}]/u;

function step(name: string): string {
  return isIdentifier(name) ? `.${name}` : `[${quoted(name)}]`;
}

function escaped(char: string): string {
  switch (char) {
    case " ":
      return " ";
    case "\\":
      return "\\\\";
    case '"':
      return '\\"';
    case "\n":
      return "\\n";
    case "\r":
      return "\\r";
    case "\t":
      return "\\t";
  }
  const code = char.codePointAt(0)!;
  if (code < 0x100) return `\\x${code.toString(16).padStart(2, "0")}`;
  if (code < 0x10000) return `\\u${code.toString(16).padStart(4, "0")}`;
  return `\\U${code.toString(16).padStart(8, "0")}`;
}
