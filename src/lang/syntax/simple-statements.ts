/**
 * Statements of one line, rule by rule as in grammar.txt.
 */
import type { Alias, BinaryOp, Expr, Stmt } from "./ast";
import { type Cursor, spanBetween } from "./cursor";
import { beginsExpression, expression, failStarred, starExpressions, valueExpressions } from "./expressions";
import { simpleReflex } from "./reflexes";
import { describe, requireTarget } from "./targets";
import type { Token } from "./token";

/** simpleStatements: simpleStatement (';' simpleStatement)* [';'] NEWLINE */
export function simpleStatements(p: Cursor, body: Stmt[]): void {
  for (;;) {
    const start = p.tok;
    body.push(simpleStatement(p));
    if (p.at(";")) {
      p.next();
      if (p.accept("NEWLINE")) return;
      continue;
    }
    if (p.accept("NEWLINE")) return;
    if (p.at("END")) return;
    simpleReflex(p, start);
    p.want("an operator, or the end of the line");
  }
}

/** simpleStatement: assignment | return | raise | del | assert | import | pass | break | continue | starExpressions */
function simpleStatement(p: Cursor): Stmt {
  const start = p.tok;
  switch (start.kind) {
    case "pass":
      p.next();
      return { kind: "Pass", span: p.from(start) };
    case "break":
    case "continue":
      p.next();
      if (!p.inLoop && !p.contextUnknown) {
        const what = start.kind === "break" ? "ends" : "goes on with";
        p.note(start, `\`${start.kind}\` stands outside a loop: it ${what} the \`for\` around it, and there is none`);
      }
      return { kind: start.kind === "break" ? "Break" : "Continue", span: p.from(start) };
    case "return": {
      p.next();
      const value = p.at("NEWLINE") || p.at(";") || p.at("END") ? null : valueExpressions(p);
      return { kind: "Return", value, span: p.from(start) };
    }
    case "raise":
      return raiseStatement(p);
    case "del":
      return delStatement(p);
    case "assert": {
      p.next();
      const test = expression(p);
      if (p.at("=")) p.refuse(p.tok, "assignInTest");
      const msg = p.accept(",") ? expression(p) : null;
      return { kind: "Assert", test, msg, span: p.from(start) };
    }
    case "import":
      return importStatement(p);
    case "from":
      return fromStatement(p);
    case "global":
    case "nonlocal":
      return refusedNames(p, start.kind);
    case "yield":
      return refusedYield(p);
    case "else":
    case "elif":
    case "except":
    case "finally":
      return p.fail(
        start,
        `\`${start.kind}\` has no ${opener(start.kind)} above it at this indentation: align it with the one it belongs to`,
      );
    default:
      return expressionStatement(p);
  }
}

function opener(kind: string): string {
  if (kind === "else") return "`if`, `for` or `try`";
  return kind === "elif" ? "`if`" : "`try`";
}

function refusedNames(p: Cursor, kind: "global" | "nonlocal"): Stmt {
  const start = p.next();
  p.teach(start, kind);
  while (p.at("NAME") || p.at(",")) p.next();
  return { kind: "Pass", span: p.from(start) };
}

function refusedYield(p: Cursor): Stmt {
  const start = p.next();
  p.teach(start, "yield");
  p.accept("from");
  if (beginsExpression(p.tok)) starExpressions(p);
  return { kind: "Pass", span: p.from(start) };
}

/** raise: 'raise' [expression ['from' expression]] */
function raiseStatement(p: Cursor): Stmt {
  const start = p.next();
  if (p.at("NEWLINE") || p.at(";") || p.at("END")) return { kind: "Raise", exc: null, cause: null, span: p.from(start) };
  const from = p.tok;
  const exc = expression(p);
  if (p.at(",")) {
    const name = p.text(from, p.last);
    p.next();
    const second = p.tok;
    starExpressions(p);
    p.refuse(spanBetween(from, p.last), "raiseComma", name, p.text(second, p.last));
  }
  const cause = p.accept("from") ? expression(p) : null;
  return { kind: "Raise", exc, cause, span: p.from(start) };
}

/** del: 'del' target (',' target)* [','] */
function delStatement(p: Cursor): Stmt {
  const start = p.next();
  const targets: Expr[] = [];
  do {
    if (targets.length > 0 && !beginsExpression(p.tok)) break;
    const target = p.at("*") ? p.fail(p.tok, "`del` takes names, attributes and subscripts: leave the `*` out") : expression(p);
    requireTarget(p, target, "del");
    targets.push(target);
  } while (p.accept(","));
  return { kind: "Delete", targets, span: p.from(start) };
}

/** import: 'import' dottedName ['as' NAME] (',' dottedName ['as' NAME])* */
function importStatement(p: Cursor): Stmt {
  const start = p.next();
  if (p.depth > 0 || p.inFunction) p.teach(start, "importBelow");
  const names: Alias[] = [];
  do {
    const at = p.tok;
    const name = dottedName(p);
    names.push({ name, asname: aliasName(p), span: p.from(at) });
  } while (p.accept(","));
  return { kind: "Import", names, span: p.from(start) };
}

function dottedName(p: Cursor): string {
  let name = p.expectName("a module's name").text;
  while (p.accept(".")) name += `.${p.expectName("a name after `.`").text}`;
  return name;
}

function aliasName(p: Cursor): string | null {
  return p.accept("as") ? p.expectName("a name after `as`").text : null;
}

/** from: 'from' dottedName 'import' (names | '(' names [','] ')') */
function fromStatement(p: Cursor): Stmt {
  const start = p.next();
  if (p.depth > 0 || p.inFunction) p.teach(start, "importBelow");
  if (p.at(".") || p.at("...")) p.refuse(p.tok, "importRelative");
  const module = dottedName(p);
  if (!p.accept("import")) p.want("`import` and names after the module");
  if (p.at("*")) {
    p.next();
    p.refuse(spanBetween(start, p.last), "importStar", module);
  }
  const bracketed = p.accept("(");
  const names: Alias[] = [];
  for (;;) {
    const at = p.tok;
    const name = p.expectName("a name to import").text;
    names.push({ name, asname: aliasName(p), span: p.from(at) });
    if (!p.at(",")) break;
    p.next();
    if (bracketed && p.at(")")) break;
    if (!bracketed && p.at("NEWLINE")) p.fail(p.last, "a trailing `,` stands in a bracketed import only: leave it out");
  }
  if (bracketed) p.expect(")");
  return { kind: "ImportFrom", module, names, span: p.from(start) };
}

const AUGMENTED: ReadonlySet<string> = new Set(["+=", "-=", "*=", "/=", "//=", "%=", "**=", "<<=", ">>=", "|=", "^=", "&="]);

/**
 * assignment: target ':' expression ['=' starExpressions]
 *           | target augmented starExpressions
 *           | (targets '=')+ starExpressions
 */
function expressionStatement(p: Cursor): Stmt {
  const start = p.tok;
  const first = starExpressions(p);
  if (p.at("=")) return assignment(p, start, first);
  if (p.at(":")) return annotated(p, start, first);
  if (AUGMENTED.has(p.tok.kind)) {
    if (first.kind !== "Name" && first.kind !== "Attribute" && first.kind !== "Subscript") {
      p.fail(first.span, `cannot assign to ${describe(first)} with \`${p.tok.kind}\`: want a name, \`x.attr\` or \`x[i]\``);
    }
    requireTarget(p, first, "assign");
    const op = p.next().kind.slice(0, -1) as BinaryOp;
    const value = valueExpressions(p);
    return { kind: "AugAssign", target: first, op, value, span: p.from(start) };
  }
  if (p.at("@=")) p.refuse(p.tok, "matmulAssign");
  if (first.kind === "Starred") failStarred(p, first);
  return { kind: "Expr", value: first, span: p.from(start) };
}

function assignment(p: Cursor, start: Token, first: Expr): Stmt {
  const targets: Expr[] = [];
  let value = first;
  while (p.at("=")) {
    requireTarget(p, value, "assign");
    targets.push(value);
    p.next();
    value = starExpressions(p);
  }
  if (value.kind === "Starred") failStarred(p, value);
  return { kind: "Assign", targets, value, span: p.from(start) };
}

function annotated(p: Cursor, start: Token, target: Expr): Stmt {
  if (target.kind !== "Name" && target.kind !== "Attribute" && target.kind !== "Subscript") {
    p.fail(target.span, `${describe(target)} takes no annotation: want a name, \`x.attr\` or \`x[i]\` before \`:\``);
  }
  requireTarget(p, target, "assign");
  p.next();
  const annotation = expression(p);
  const value = p.accept("=") ? valueExpressions(p) : null;
  const simple = target.kind === "Name" && !p.bracketed.has(target);
  return { kind: "AnnAssign", target, annotation, value, simple, span: p.from(start) };
}
