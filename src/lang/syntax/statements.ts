/**
 * Statements, rule by rule as in grammar.txt, and going on behind a line that cannot be read.
 *
 * Every statement catches the `Fault` of what it holds, reports it once, and resumes at the next logical line,
 * so that a source gets all its reports in one answer. `def` and `class` are in declarations.ts.
 */
import { SOURCE_DEPTH_MAX } from "../../limits";
import type { ExceptHandler, Expr, MatchCase, Stmt, WithItem } from "./ast";
import { type Cursor, Fault, spanBetween, spanOf } from "./cursor";
import { classDef, decorated, functionDef } from "./declarations";
import {
  beginsExpression,
  binary,
  expression,
  failStarred,
  namedExpression,
  starExpressions,
  targetList,
  valueExpressions,
} from "./expressions";
import { matchesAll, patterns } from "./patterns";
import { nameReflex } from "./reflexes";
import { simpleStatements } from "./simple-statements";
import { requireTarget } from "./targets";
import { describeToken, KEYWORDS, type Token } from "./token";

/** statements: statement*, up to a `DEDENT` or the end */
export function statements(p: Cursor): Stmt[] {
  const body: Stmt[] = [];
  while (!p.at("DEDENT") && !p.at("END")) {
    if (p.at("INDENT")) {
      p.note(p.tok, "this line is indented and no block opens above it: align it with the line above, or end that line with `:`");
      p.next();
      body.push(...recovered(p));
      continue;
    }
    guarded(p, () => statement(p, body));
  }
  return body;
}

/** The statements of a block that nothing readable opened: read for their faults. */
function recovered(p: Cursor): Stmt[] {
  const outer = p.contextUnknown;
  p.contextUnknown = true;
  p.depth++;
  const body = p.depth > SOURCE_DEPTH_MAX ? skipBlock(p) : statements(p);
  p.depth--;
  p.contextUnknown = outer;
  p.accept("DEDENT");
  return body;
}

function skipBlock(p: Cursor): Stmt[] {
  for (let level = 1; level > 0 && !p.at("END"); ) {
    if (p.at("INDENT")) level++;
    if (p.at("DEDENT") && --level === 0) break;
    p.next();
  }
  return [];
}

/** Runs a rule; where it faults, reports and moves behind the logical line and any block below it. */
function guarded(p: Cursor, rule: () => void): void {
  const from = p.index;
  const { depth, inFunction, inLoop, inClass } = p;
  try {
    rule();
  } catch (fault) {
    if (!(fault instanceof Fault)) throw fault;
    p.depth = depth;
    p.inFunction = inFunction;
    p.inLoop = inLoop;
    p.inClass = inClass;
    report(p, fault, from);
    if (p.at("INDENT")) {
      p.next();
      recovered(p);
    }
  }
}

/** One cause, one report: what the scanner found on the same line comes before what the parser made of it (as in CPython). */
function report(p: Cursor, fault: Fault, from: number): void {
  const before = p.before().kind;
  const lineDone = p.index > from && (before === "NEWLINE" || before === "DEDENT" || before === "INDENT");
  let cause = fault.diagnostic;
  let scanned = false;
  while (!lineDone && !p.at("END")) {
    if (p.at("DEDENT") || p.at("INDENT")) {
      if (p.index > from) break;
      p.next();
      continue;
    }
    const token = p.next();
    const found = token.diagnostic;
    if (found !== undefined && !scanned && (token.openLine === undefined || fault.line > token.openLine)) {
      cause = found;
      scanned = true;
    }
    if (token.kind === "NEWLINE") break;
  }
  p.report(cause);
}

/** statement: compoundStatement | simpleStatements */
function statement(p: Cursor, body: Stmt[]): void {
  const token = p.tok;
  if (KEYWORDS.has(token.kind) && p.peek().kind === "=" && !/^(None|True|False)$/.test(token.kind))
    p.refuse(token, "keywordName", token.kind);
  switch (token.kind) {
    case "if":
      body.push(ifStatement(p));
      return;
    case "for":
      body.push(forStatement(p));
      return;
    case "def":
      body.push(functionDef(p, []));
      return;
    case "class":
      body.push(classDef(p));
      return;
    case "@":
      body.push(decorated(p));
      return;
    case "try":
      body.push(tryStatement(p));
      return;
    case "with":
      body.push(withStatement(p));
      return;
    case "while":
      whileStatement(p);
      return;
    case "async":
      asyncStatement(p, body);
      return;
    case "NAME":
      if (token.text === "match" && opensMatch(p)) body.push(matchStatement(p));
      else if (!nameReflex(p, body)) simpleStatements(p, body);
      return;
    case "FAULT":
      // A comment of another language is a whole line; any other fault takes its line with it.
      p.next();
      p.report(token.diagnostic!);
      if (/^(NEWLINE|END)$/.test(p.tok.kind)) p.accept("NEWLINE");
      else skipLine(p);
      return;
    default:
      simpleStatements(p, body);
  }
}

function skipLine(p: Cursor): void {
  while (!p.at("END") && !p.at("NEWLINE")) p.next();
  p.accept("NEWLINE");
}

// ---- blocks -----------------------------------------------------------------------------------------------------

/** block: ':' NEWLINE INDENT statements DEDENT | ':' simpleStatements */
export function block(p: Cursor, what: string, header: Token): Stmt[] {
  colon(p, what);
  return suite(p, what, header);
}

/** What follows the `:`. */
export function suite(p: Cursor, what: string, header: Token): Stmt[] {
  p.enter();
  let body: Stmt[];
  if (!p.at("NEWLINE")) {
    body = [];
    if (/^(if|for|def|class|with|try|while|@)$/.test(p.tok.kind)) {
      p.fail(p.tok, `\`${p.tok.kind}\` opens a block of its own: begin it on a new, indented line`);
    }
    simpleStatements(p, body);
  } else {
    p.next();
    if (!p.at("INDENT")) {
      p.fail(
        p.tok,
        `got ${p.at("END") ? "the end of the source" : "a line that is not indented"}, want an indented block after ${what} on line ${header.line}: write \`pass\` where nothing is to be done`,
      );
    }
    p.next();
    body = statements(p);
    p.accept("DEDENT");
  }
  p.leave();
  return body;
}

/** The `:` that ends a header; what stands instead is mostly a habit. */
function colon(p: Cursor, what: string): void {
  if (p.accept(":")) return;
  if (p.at("=")) p.refuse(p.tok, "assignInTest");
  if (p.at("{")) p.refuse(p.tok, "braceBlock");
  if (p.at("NAME") && p.tok.text === "then") {
    const then = p.next();
    p.teach(p.at(":") ? spanBetween(then, p.tok) : then, "thenWord");
    p.accept(":");
    return;
  }
  if (p.at("NEWLINE") && p.peek().kind === "INDENT") {
    const end = { line: p.last.endLine, col: p.last.endCol, endLine: p.last.endLine, endCol: p.last.endCol };
    p.teach(end, "missingColon", describeToken(p.tok), what);
    return;
  }
  p.want(`\`:\` after ${what}`);
}

/** ifStatement: 'if' namedExpression block ('elif' namedExpression block)* ['else' block] */
function ifStatement(p: Cursor): Stmt {
  const arms: { start: Token; test: Expr; body: Stmt[] }[] = [];
  const arm = (start: Token, what: string) => {
    const test = namedExpression(p);
    arms.push({ start, test, body: block(p, what, start) });
    p.chain(arms.length);
  };
  arm(p.next(), "`if`");
  let orelse: Stmt[] = [];
  for (;;) {
    const start = p.tok;
    if (p.accept("elif")) arm(start, "`elif`");
    else if (p.at("NAME") && /^(elseif|elsif)$/.test(p.tok.text) && !/^[=.,(]$/.test(p.peek().kind)) {
      p.teach(p.next(), "elseIf", start.text);
      arm(start, "`elif`");
    } else if (p.accept("else")) {
      if (!p.at("if")) {
        orelse = block(p, "`else`", start);
        break;
      }
      p.teach(spanBetween(start, p.next()), "elseIf", "else if");
      arm(start, "`elif`");
    } else break;
  }
  const end = p.from(arms[0].start);
  for (let at = arms.length - 1; ; at--) {
    const { start, test, body } = arms[at];
    const node: Stmt = {
      kind: "If",
      test,
      body,
      orelse,
      span: { line: start.line, col: start.col, endLine: end.endLine, endCol: end.endCol },
    };
    if (at === 0) return node;
    orelse = [node];
  }
}

function loopBody(p: Cursor, what: string, start: Token): Stmt[] {
  const outer = p.inLoop;
  p.inLoop = true;
  const body = block(p, what, start);
  p.inLoop = outer;
  return body;
}

/** forStatement: 'for' targetList 'in' starExpressions block ['else' block] */
export function forStatement(p: Cursor): Stmt {
  const start = p.next();
  if (p.at("(") && forOfC(p))
    p.fail(start, "Python loops over values: `for <name> in <iterable>:`, where a counting loop takes its numbers from `range(n)`");
  const target = targetList(p);
  if (p.at("NAME") && p.tok.text === "of") p.fail(p.tok, "Python writes `of` as `in`", "in", spanOf(p.tok));
  if (!p.at("in")) p.want("`in`: a loop is `for <name> in <iterable>:`");
  p.next();
  const iter = valueExpressions(p);
  const body = loopBody(p, "`for`", start);
  const orelse = elseBlock(p);
  return { kind: "For", target, iter, body, orelse, span: p.from(start) };
}

/** `for (i = 0; i < n; i++)`: a `;` before the bracket closes. */
function forOfC(p: Cursor): boolean {
  let level = 0;
  for (let ahead = 0; ; ahead++) {
    const kind = p.peek(ahead).kind;
    if (kind === "(") level++;
    else if (kind === ")" && --level === 0) return false;
    else if (kind === ";") return true;
    else if (kind === "NEWLINE" || kind === "END") return false;
  }
}

function elseBlock(p: Cursor): Stmt[] {
  const start = p.tok;
  return p.accept("else") ? block(p, "`else`", start) : [];
}

/** Refused; read as a loop, for what is wrong inside. */
function whileStatement(p: Cursor): void {
  const start = p.next();
  const header = headerSpan(p, start);
  p.teach(header, "while");
  namedExpression(p);
  loopBody(p, "`while`", start);
  elseBlock(p);
}

/** From a header's first token through its `:`, or to the line's end. */
export function headerSpan(p: Cursor, start: Token) {
  let level = 0;
  let end: Token = start;
  for (let ahead = 0; ; ahead++) {
    const token = p.peek(ahead);
    if (/^(NEWLINE|END|INDENT|DEDENT)$/.test(token.kind)) return spanBetween(start, end);
    end = token;
    if (/^[([{]$/.test(token.kind)) level++;
    else if (/^[)\]}]$/.test(token.kind)) level--;
    else if (token.kind === ":" && level === 0) return spanBetween(start, end);
  }
}

function asyncStatement(p: Cursor, body: Stmt[]): void {
  const start = p.next();
  const kind = p.tok.kind;
  if (kind !== "def" && kind !== "for" && kind !== "with") p.refuse(start, "async");
  p.teach(spanBetween(start, p.tok), kind === "def" ? "asyncDef" : kind === "for" ? "asyncFor" : "asyncWith");
  statement(p, body);
}

/** withStatement: 'with' '(' withItem (',' withItem)* [','] ')' block | 'with' withItem (',' withItem)* block */
function withStatement(p: Cursor): Stmt {
  const start = p.next();
  const items = bracketedItems(p) ?? withItems(p);
  return { kind: "With", items, body: block(p, "`with`", start), span: p.from(start) };
}

/** The items in one pair of brackets, if that is what they are: a `:` follows the bracket, and every item reads. Else null, at the start. */
function bracketedItems(p: Cursor): WithItem[] | null {
  if (!p.at("(")) return null;
  const from = p.index;
  const { depth } = p;
  try {
    p.next();
    p.enter();
    const items: WithItem[] = [];
    while (!p.at(")")) {
      items.push(withItem(p));
      if (!p.accept(",")) break;
    }
    p.expect(")");
    if (items.length === 0 || !p.at(":")) p.want("`:`");
    p.leave();
    return items;
  } catch (fault) {
    if (!(fault instanceof Fault)) throw fault;
    p.depth = depth;
    p.back(from);
    return null;
  }
}

function withItems(p: Cursor): WithItem[] {
  const items = [withItem(p)];
  while (p.accept(",")) items.push(withItem(p));
  return items;
}

/** withItem: expression ['as' target] */
function withItem(p: Cursor): WithItem {
  const start = p.tok;
  const context = expression(p);
  if (!p.accept("as")) return { context, target: null, span: p.from(start) };
  const target = binary(p, 0);
  requireTarget(p, target, "with");
  return { context, target, span: p.from(start) };
}

/** tryStatement: 'try' block (exceptBlock+ ['else' block] ['finally' block] | 'finally' block) */
function tryStatement(p: Cursor): Stmt {
  const start = p.next();
  const body = block(p, "`try`", start);
  const handlers: ExceptHandler[] = [];
  while (p.at("except")) {
    const at = p.tok;
    const handler = exceptBlock(p);
    const bare = handlers[handlers.length - 1];
    if (bare !== undefined && bare.type === null) p.note(at, "`except:` catches everything, so nothing after it is reached: put it last");
    handlers.push(handler);
  }
  const orelse = handlers.length > 0 ? elseBlock(p) : [];
  const finallyAt = p.tok;
  const finalbody = p.accept("finally") ? block(p, "`finally`", finallyAt) : [];
  if (handlers.length === 0 && finalbody.length === 0 && finallyAt.kind !== "finally") {
    if (p.at("NAME") && p.tok.text === "catch") p.refuse(p.tok, "catch", "catch");
    p.want(`\`except\` or \`finally\` after the block of \`try\` on line ${start.line}`);
  }
  return { kind: "Try", body, handlers, orelse, finalbody, span: p.from(start) };
}

/** exceptBlock: 'except' [expression ['as' NAME]] block */
function exceptBlock(p: Cursor): ExceptHandler {
  const start = p.next();
  if (p.at("*")) p.teach(spanBetween(start, p.next()), "exceptStar");
  let type: Expr | null = null;
  let name: string | null = null;
  if (!p.at(":") && !p.at("NEWLINE")) {
    const from = p.tok;
    type = expression(p);
    if (p.at(",")) exceptComma(p, from);
    if (p.accept("as")) {
      const bound = p.expectName("a plain name after `as`");
      if (!p.at(":")) p.want("`:` after the name: `as` binds one plain name");
      name = bound.text;
    }
  }
  return { type, name, body: block(p, "`except`", start), span: p.from(start) };
}

function exceptComma(p: Cursor, from: Token): never {
  const first = p.text(from, p.last);
  p.next();
  const second = p.tok;
  starExpressions(p);
  const span = spanBetween(from, p.last);
  if (second === p.last && /^[a-z_]+$/.test(second.text)) return p.refuse(span, "exceptComma", first, second.text);
  return p.refuse(span, "exceptTuple", p.text(from, p.last));
}

// ---- match ------------------------------------------------------------------------------------------------------

/** `match` is a name unless the line goes on as a subject and ends with `:`. */
function opensMatch(p: Cursor): boolean {
  const second = p.peek().kind;
  if (!beginsExpression(p.peek()) && second !== "*") return false;
  let level = 0;
  let lambda = false;
  for (let ahead = 1; ; ahead++) {
    const token = p.peek(ahead);
    if (token.kind === "NEWLINE" || token.kind === "END") {
      return p.peek(ahead - 1).kind === ":" && ahead > 2;
    }
    if (/^[([{]$/.test(token.kind)) level++;
    else if (/^[)\]}]$/.test(token.kind)) level--;
    else if (level === 0 && (token.kind === ";" || token.kind === "=")) return false;
    else if (token.kind === "lambda") lambda = true;
    else if (level === 0 && token.kind === ":" && p.peek(ahead + 1).kind !== "NEWLINE" && !lambda) return false;
  }
}

/** matchStatement: 'match' subject ':' NEWLINE INDENT caseBlock+ DEDENT;  subject: starNamed ',' [starNamed …] | namedExpression */
export function matchStatement(p: Cursor): Stmt {
  const start = p.next();
  const subject = matchSubject(p);
  p.expect(":");
  p.expect("NEWLINE");
  if (!p.at("INDENT")) p.fail(p.tok, `got a line that is not indented, want indented \`case\` lines after \`match\` on line ${start.line}`);
  p.next();
  p.enter();
  const cases: MatchCase[] = [];
  while (!p.at("DEDENT") && !p.at("END")) {
    guarded(p, () => {
      const last = cases[cases.length - 1];
      const all = last !== undefined && last.guard === null ? matchesAll(last.pattern) : null;
      if (all !== null) p.note(last.pattern.span, `${all} matches everything, so the cases below are never tried: put it last`);
      cases.push(caseBlock(p));
    });
  }
  p.accept("DEDENT");
  p.leave();
  return { kind: "Match", subject, cases, span: p.from(start) };
}

function matchSubject(p: Cursor): Expr {
  const start = p.tok;
  const one = () => (p.at("*") ? starExpressions(p) : namedExpression(p));
  if (p.at("*")) {
    const value = starExpressions(p);
    if (value.kind === "Starred") failStarred(p, value);
    return value;
  }
  const first = one();
  if (!p.at(",")) return first;
  const elts = [first];
  while (p.accept(",")) {
    if (p.at(":")) break;
    if (p.at("*")) {
      const star = p.next();
      const value = binary(p, 0);
      elts.push({ kind: "Starred", value, span: p.from(star) });
    } else elts.push(namedExpression(p));
  }
  return { kind: "Tuple", elts, span: p.from(start) };
}

/** caseBlock: 'case' patterns ['if' namedExpression] block */
function caseBlock(p: Cursor): MatchCase {
  const start = p.tok;
  if (!p.at("NAME") || p.tok.text !== "case") {
    if (p.at("NAME") && p.tok.text === "default") p.fail(p.tok, "Python writes `default:` as `case _:`", "case _", spanOf(p.tok));
    p.want("`case` and a pattern");
  }
  p.next();
  const pattern = patterns(p);
  const guard = p.accept("if") ? namedExpression(p) : null;
  return { pattern, guard, body: block(p, "`case`", start), span: p.from(start) };
}
