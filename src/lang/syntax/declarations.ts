/**
 * `def`, `class` and their decorators: a class declares a Kind's fields, a decorator makes a function a rule,
 * a constraint or a computed field. What a rule may say is not asked here.
 */
import type { ClassDef, Expr, FunctionDef, Stmt } from "./ast";
import { type Cursor, spanBetween, spanOf } from "./cursor";
import { expression, namedExpression } from "./expressions";
import { parameters } from "./parameters";
import { block, headerSpan } from "./statements";
import { KEYWORDS, type Token } from "./token";

/** functionDef: 'def' NAME '(' parameters ')' ['->' expression] block */
export function functionDef(p: Cursor, decorators: readonly Expr[], underDecorator = false): FunctionDef {
  const start = p.next();
  if (KEYWORDS.has(p.tok.kind)) p.fail(p.tok, `\`${p.tok.kind}\` is a keyword and no function's name: choose another name`);
  const name = p.expectName("a function's name");
  if (p.inClass && !underDecorator) p.teach(name, "classMethod", name.text);
  if (!p.at("(")) p.want("`(` and parameters after the function's name");
  p.next();
  p.enter();
  const args = parameters(p);
  p.leave();
  p.expect(")");
  const returns = p.accept("->") ? expression(p) : null;
  const { inFunction, inLoop, inClass } = p;
  p.inFunction = true;
  p.inLoop = false;
  p.inClass = false;
  const body = block(p, "`def`", start);
  p.inFunction = inFunction;
  p.inLoop = inLoop;
  p.inClass = inClass;
  return { kind: "FunctionDef", name: name.text, nameSpan: spanOf(name), args, body, decorators, returns, span: p.from(start) };
}

/** decorated: ('@' namedExpression NEWLINE)+ (functionDef | classDef) */
export function decorated(p: Cursor): Stmt {
  const start = p.tok;
  const decorators = decoratorLines(p, p.inClass ? "class" : "top");
  if (p.at("class")) {
    if (decorators.length > 0) p.teach(lineSpan(start), "decoratedClass");
    return classDef(p);
  }
  if (p.at("async"))
    p.refuse(p.peek().kind === "def" ? spanBetween(p.tok, p.peek()) : p.tok, p.peek().kind === "def" ? "asyncDef" : "async");
  if (!p.at("def")) p.want("`def` after a decorator");
  const own = decorators[0];
  if (own?.kind === "Name" && !p.inClass && (p.depth > 0 || p.inFunction)) p.teach(own.span, "ruleNested", own.id);
  return functionDef(p, decorators, true);
}

const DROPPED: ReadonlyMap<string, string> = new Map(
  Object.entries({
    staticmethod: "A function that belongs to no subject is a script: a `def` at top level.",
    classmethod: "A function over a whole Kind is a script: a `def` at top level that reads `subjects(Kind)`.",
    property: "A value worked out from a subject's fields is `@computed`.",
    cached_property: "A value worked out from a subject's fields is `@computed`.",
    dataclass: "A class declares its fields as it is: leave the decorator out.",
    total_ordering: "A class declares its fields as it is: leave the decorator out.",
    cache: "A call may be repeated: leave the decorator out, the answer is the same.",
    lru_cache: "A call may be repeated: leave the decorator out, the answer is the same.",
    wraps: "A function keeps its own name: leave the decorator out.",
    override: "A type is checked without it: leave the decorator out.",
  }),
);

/** The accepted decorators above a function; others are reported and left out. */
function decoratorLines(p: Cursor, place: "top" | "class"): Expr[] {
  const accepted: Expr[] = [];
  while (p.at("@")) {
    const start = p.next();
    const value = namedExpression(p);
    const text = p.source.slice(start.end, p.last.end);
    if (!p.at("NEWLINE")) p.want("the end of the line after a decorator");
    p.next();
    if (value.kind === "Name" && (value.id === "rule" || value.id === "constraint")) {
      if (place === "class") p.teach(spanBetween(start, value.span), "ruleInClass", value.id);
      accepted.push(value);
    } else if (value.kind === "Name" && value.id === "computed") {
      if (place === "top") p.teach(spanBetween(start, value.span), "computedOutside");
      accepted.push(value);
    } else if (value.kind === "Call" && value.func.kind === "Name" && /^(rule|constraint|computed)$/.test(value.func.id)) {
      p.note(value.span, `\`@${value.func.id}\` takes no arguments: write it alone`, value.func.id, value.span);
      accepted.push(value.func);
    } else foreignDecorator(p, start, value, text.trim());
    if (accepted.length > 1) p.note(start, "one decorator a function: it is a rule, a constraint or a computed field");
  }
  return accepted;
}

function foreignDecorator(p: Cursor, start: Token, value: Expr, text: string): void {
  const called = value.kind === "Call" ? value.func : value;
  const name = called.kind === "Attribute" ? called.attr : called.kind === "Name" ? called.id : "";
  const advice = DROPPED.get(name) ?? "Write what it does inside the function, or call a function on the answer.";
  if (advice.includes("leave the decorator out")) p.teach(lineSpan(start), "decoratorDrop", text, advice);
  else p.teach(spanBetween(start, value.span), "decorator", text, advice);
}

/** A whole line, its end included: what a fix that deletes the line replaces. Reported at the token. */
function lineSpan(start: Token) {
  return { line: start.line, col: start.col, endLine: start.line + 1, endCol: start.col };
}

// ---- classes ----------------------------------------------------------------------------------------------------

/** classDef: 'class' NAME ':' (NEWLINE INDENT classItem+ DEDENT | classItem) */
export function classDef(p: Cursor): ClassDef {
  const start = p.next();
  if (p.depth > 0 || p.inFunction) p.teach(start, "classNested");
  if (KEYWORDS.has(p.tok.kind)) p.fail(p.tok, `\`${p.tok.kind}\` is a keyword and no class's name: choose another name`);
  const name = p.expectName("a class's name");
  if (p.at("(")) classBases(p, start, name);
  const { inFunction, inLoop, inClass } = p;
  p.inFunction = false;
  p.inLoop = false;
  p.inClass = true;
  const written = block(p, "`class`", start);
  p.inFunction = inFunction;
  p.inLoop = inLoop;
  p.inClass = inClass;
  const body = written.filter((item, place) => classItem(p, item, place));
  return { kind: "ClassDef", name: name.text, nameSpan: spanOf(name), body, span: p.from(start) };
}

/** Whether a statement belongs in a class; where not, says what to write. A method has been reported where it was read. */
function classItem(p: Cursor, item: Stmt, place: number): boolean {
  switch (item.kind) {
    case "Pass":
    case "FunctionDef":
      return true;
    case "Expr":
      if (item.value.kind === "Constant") {
        if (typeof item.value.value === "string" && place === 0) return true;
        if (item.value.value === undefined) {
          p.teach(item.span, "classEllipsis");
          return false;
        }
      }
      break;
    case "AnnAssign":
      if (item.target.kind !== "Name") p.teach(item.target.span, "classField", `\`${p.sourceOf(item.target.span)}\``);
      else if (item.value !== null) {
        p.teach(item.span, "classDefault", item.target.id, `${item.target.id}: ${p.sourceOf(item.annotation.span)}`);
      }
      return true;
    case "Assign": {
      const target = item.targets[0];
      if (target.kind === "Name") {
        p.teach(item.span, "classAssign", target.id);
        return false;
      }
      break;
    }
    case "ClassDef":
    case "Import":
    case "ImportFrom":
      return false; // Reported where they were read: they stand at top level only.
    default:
  }
  p.teach(item.span, "classBody");
  return false;
}

function classBases(p: Cursor, start: Token, name: Token): void {
  const header = headerSpan(p, start);
  const open = p.next();
  const empty = p.at(")");
  let level = 1;
  while (level > 0 && !p.at("NEWLINE") && !p.at("END")) {
    const kind = p.next().kind;
    if (kind === "(") level++;
    else if (kind === ")") level--;
  }
  if (level > 0) p.fail(open, "`(` was never closed: want its `)`");
  if (!empty) p.teach(header, "classBases", name.text);
}
