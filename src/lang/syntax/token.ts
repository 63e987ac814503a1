/**
 * What a token is. Its `kind` is the text itself for operators and keywords, and a word in capitals
 * for the rest, so that the parser asks one question of every token.
 *
 * Positions: `pos`/`end` are UTF-16 offsets into the source with its newlines normalised; lines and
 * columns count from 1, columns in code points.
 */
import type { Diagnostic, Span } from "../../diagnostic";

export interface Token extends Span {
  /** `NAME NUMBER STRING NEWLINE INDENT DEDENT END FAULT`, else the operator or keyword itself. */
  readonly kind: string;
  /** The token as written; of a `NAME` in NFKC. */
  readonly text: string;
  readonly pos: number;
  readonly end: number;
  /** Of a `FAULT`: what the scanner has to say. */
  readonly diagnostic?: Diagnostic;
  /** Of a `FAULT` for a bracket left open: the line of that bracket. */
  readonly openLine?: number;
}

export const KEYWORDS: ReadonlySet<string> = new Set(
  (
    "False None True and as assert async await break class continue def del elif else except finally for from global if import " +
    "in is lambda nonlocal not or pass raise return try while with yield"
  ).split(" "),
);

/** Keywords that begin a statement and stand in no expression: a line that opens with one ends an unclosed bracket. */
export const STATEMENT_KEYWORDS: ReadonlySet<string> = new Set(
  "assert break class continue def del elif except finally global import nonlocal pass raise return try while with".split(" "),
);

/** How a message names a token. */
export function describeToken(token: Token): string {
  switch (token.kind) {
    case "NAME":
      return `name \`${shorten(token.text)}\``;
    case "NUMBER":
      return `number \`${shorten(token.text)}\``;
    case "STRING":
      return "text";
    case "NEWLINE":
      return "newline";
    case "INDENT":
      return "an indented line";
    case "DEDENT":
      return "the end of the block";
    case "END":
      return "the end of the source";
    default:
      return KEYWORDS.has(token.kind) ? `keyword \`${token.kind}\`` : `\`${token.kind}\``;
  }
}

function shorten(text: string): string {
  return text.length <= 40 ? text : `${text.slice(0, 40).replace(/[\ud800-\udbff]$/, "")}…`;
}
