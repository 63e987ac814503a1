/**
 * Lines that begin as another language writes them (or an older Python), recognised by their first tokens.
 *
 * Each answers with its row of teaching.ts and, where the rest of the line can still be read, reads it.
 */
import type { Stmt } from "./ast";
import { type Cursor, spanBetween } from "./cursor";
import { starExpressions } from "./expressions";
import { nearest } from "./nearest";
import { simpleStatements } from "./simple-statements";
import { headerSpan, matchStatement } from "./statements";
import type { Token } from "./token";

/** What follows `print` or `exec` where they are statements: nothing that could continue an expression. */
const OPERAND = /^(STRING|NUMBER|NAME|None|True|False|\{|lambda)$/;
const DECLARE = /^(let|var|const|auto|int|float|double|bool|boolean|char|long|string|String|str|final|local|my|val|dim|set)$/;
const FUNCTION = /^(function|func|fn|fun|proc|sub|define)$/;
const LOOP = /^(do|loop|repeat|until|unless|forever)$/;

/** At a statement that begins with a name. True where it was such a line, which then has been read. */
export function nameReflex(p: Cursor, body: Stmt[]): boolean {
  const word = p.tok.text;
  const second = p.peek();
  const start = p.tok;
  if (word === "print" && OPERAND.test(second.kind)) {
    p.next();
    starExpressions(p);
    p.teach(spanBetween(start, p.last), "printStatement", p.text(second, p.last));
    endLine(p);
    return true;
  }
  if (word === "exec" && OPERAND.test(second.kind)) return p.refuse(start, "execStatement");
  if (word === "type" && second.kind === "NAME" && /^[=[]$/.test(p.peek(2).kind)) return p.refuse(start, "typeAlias");
  if (FUNCTION.test(word) && second.kind === "NAME" && p.peek(2).kind === "(") functionHeader(p, start);
  if (DECLARE.test(word) && second.kind === "NAME" && /^(=|NEWLINE|;|,)$/.test(p.peek(2).kind)) {
    p.teach(spanBetween(start, second), "declare", word, second.text);
    p.next();
    simpleStatements(p, body);
    return true;
  }
  if (word === "throw" && OPERAND.test(second.kind)) {
    p.teach(start, "throw", word);
    p.next();
    starExpressions(p);
    endLine(p);
    return true;
  }
  if ((word === "foreach" || word === "forEach") && /^(NAME|\()$/.test(second.kind) && !lineHolds(p, "="))
    return p.refuse(start, "foreach", word);
  if ((word === "switch" || word === "select") && (OPERAND.test(second.kind) || second.kind === "(") && /^[:{]$/.test(blockMark(p)))
    return switchHeader(p, start, body);
  if (
    LOOP.test(word) &&
    (second.kind === "{" || (second.kind === ":" && p.peek(2).kind === "NEWLINE") || (OPERAND.test(second.kind) && blockMark(p) === ":"))
  ) {
    return p.refuse(start, "repeatUntil", word);
  }
  if ((word === "catch" || word === "rescue") && blockMark(p) !== "" && !lineHolds(p, "=")) return p.refuse(start, "catch", word);
  if ((word === "elseif" || word === "elsif") && blockMark(p) !== "") {
    return p.fail(start, `\`${word}\` is written \`elif\`, below the \`if\` it belongs to and aligned with it`);
  }
  return false;
}

/** After a statement that read well, with something left on its line. */
export function simpleReflex(p: Cursor, start: Token): void {
  for (let at = p.index - 1; at >= 0 && p.tokens[at].pos >= start.pos; at--) {
    const token = p.tokens[at];
    if (token.kind === "//" && token.pos > start.pos && p.tok.kind === "NAME") {
      p.fail(
        p.tok,
        `got name \`${p.tok.text}\`, want an operator, or the end of the line: \`//\` divides, and a comment begins with \`#\``,
      );
    }
  }
  if (p.at("{")) p.refuse(p.tok, "braceBlock");
  // One name, and then what continues nothing: `retrun x`.
  if (start.kind !== "NAME" || p.before() !== start) return;
  const meant = misspeltKeyword(start.text);
  if (meant !== null) p.fail(start, `got name \`${start.text}\`; did you mean \`${meant}\`?`, meant, start);
}

const OPENING = "assert class def del for from if import match raise return with".split(" ");
/** Of two keywords as near, the one with the same letters is meant: `form` is `from`. */
function misspeltKeyword(word: string): string | null {
  const letters = (text: string): string => [...text].sort().join("");
  return OPENING.find((k) => letters(k) === letters(word)) ?? nearest(word, OPENING);
}

function functionHeader(p: Cursor, start: Token): never {
  const name = p.peek();
  let level = 0;
  let end = p.peek(2);
  for (let ahead = 2; ; ahead++) {
    const token = p.peek(ahead);
    if (/^(NEWLINE|END)$/.test(token.kind)) break;
    end = token;
    if (token.kind === "(") level++;
    else if (token.kind === ")" && --level === 0) break;
  }
  const written = p.text(name, end).replace(/\s+/g, " ");
  const after = p.tokens[p.tokens.indexOf(end, p.index) + 1];
  const span = spanBetween(start, after.kind === "{" || after.kind === ":" ? after : end);
  return p.refuse(span, "function", written);
}

/** With `case` lines below, it is read as the `match` it is. */
function switchHeader(p: Cursor, start: Token, body: Stmt[]): boolean {
  const header = headerSpan(p, start);
  let ahead = 1;
  while (!/^(NEWLINE|END|\{)$/.test(p.peek(ahead).kind) && !(p.peek(ahead).kind === ":" && p.peek(ahead + 1).kind === "NEWLINE")) ahead++;
  const subject = p.text(p.peek(), p.peek(ahead - 1)).replace(/^\((.*)\)$/s, "$1");
  const mark = p.peek(ahead);
  const withCases = mark.kind === ":" && p.peek(ahead + 2).kind === "INDENT" && p.peek(ahead + 3).text === "case";
  if (!withCases) return p.refuse(mark.kind === "{" ? spanBetween(start, mark) : header, "switch", start.text, subject);
  p.teach(header, "switchCases", start.text, subject);
  body.push(matchStatement(p));
  return true;
}

/** The mark that opens a block at this line's end: `:`, `{`, or nothing. */
function blockMark(p: Cursor): string {
  let level = 0;
  for (let ahead = 1; ; ahead++) {
    const token = p.peek(ahead);
    if (token.kind === "{" && level === 0) return "{";
    if (/^[([{]$/.test(token.kind)) level++;
    else if (/^[)\]}]$/.test(token.kind)) level--;
    if (token.kind === ";") return "";
    if (/^(NEWLINE|END)$/.test(token.kind)) return p.peek(ahead - 1).kind === ":" ? ":" : "";
  }
}

function lineHolds(p: Cursor, kind: string): boolean {
  for (let ahead = 1; ; ahead++) {
    const found = p.peek(ahead).kind;
    if (found === kind) return true;
    if (/^(NEWLINE|END|;)$/.test(found)) return false;
  }
}

function endLine(p: Cursor): void {
  p.accept(";");
  if (!p.accept("NEWLINE") && !p.at("END")) p.want("the end of the line");
}
