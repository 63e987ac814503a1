/**
 * Expressions, rule by rule as in grammar.txt; each function is named after its rule.
 *
 * Left-associative operators and trailers (`.x`, `(…)`, `[…]`) are read in loops, so a long flat line costs no
 * stack; brackets, unary operators, `**`, `else` and `lambda` recurse and count as depth.
 */
import type { BinaryOp, Call, CompareOp, Comprehension, Constant, Expr, Keyword, Name, UnaryOperator } from "./ast";
import { type Cursor, spanBetween, spanOf } from "./cursor";
import { strings } from "./fstring";
import { numberValue } from "./literal";
import { lambdaParameters } from "./parameters";
import { requireTarget } from "./targets";
import { KEYWORDS, type Token } from "./token";
import { checkWalrus } from "./walrus";

/** starExpressions: starExpression (',' starExpression)* [','] */
export function starExpressions(p: Cursor): Expr {
  const start = p.tok;
  const first = starExpression(p);
  if (!p.at(",")) return first;
  const elts = [first];
  while (p.accept(",")) {
    if (!beginsExpression(p.tok) && !p.at("*")) break;
    elts.push(starExpression(p));
  }
  return { kind: "Tuple", elts, span: p.from(start) };
}

/** As `starExpressions`, where a lone `*x` has nothing to unpack into. */
export function valueExpressions(p: Cursor): Expr {
  const value = starExpressions(p);
  if (value.kind === "Starred") failStarred(p, value);
  return value;
}

export function failStarred(p: Cursor, value: Expr): never {
  return p.fail(value.span, "`*` unpacks only inside a list, tuple, set or call: write `[*x]`, or `*x,` for a tuple");
}

/** starExpression: '*' binary | expression */
export function starExpression(p: Cursor): Expr {
  return p.at("*") ? starred(p) : expression(p);
}

/** starNamedExpression: '*' binary | namedExpression */
function starNamedExpression(p: Cursor): Expr {
  return p.at("*") ? starred(p) : namedExpression(p);
}

function starred(p: Cursor): Expr {
  const start = p.next();
  const value = binary(p, 0);
  return { kind: "Starred", value, span: p.from(start) };
}

/** namedExpression: NAME ':=' expression | expression */
export function namedExpression(p: Cursor): Expr {
  if (!p.at("NAME") || p.peek().kind !== ":=") {
    const value = expression(p);
    if (p.at(":=")) p.fail(value.span, "`:=` binds a plain name: write `name := value`, and assign to anything else on a line of its own");
    return value;
  }
  const start = p.next();
  const target: Name = { kind: "Name", id: start.text, span: spanOf(start) };
  requireTarget(p, target, "assign");
  p.next();
  p.walrusSeen = true;
  const value = expression(p);
  return { kind: "NamedExpr", target, value, span: p.from(start) };
}

/** expression: lambda | disjunction ['if' disjunction 'else' expression] */
export function expression(p: Cursor): Expr {
  if (p.at("lambda")) return lambda(p);
  const start = p.tok;
  const body = disjunction(p);
  if (p.at("?")) return questionMark(p, start);
  if (!p.at("if")) return body;
  p.next();
  const test = disjunction(p);
  if (!p.at("else")) p.want("`else`: a conditional expression is `a if c else b`");
  p.next();
  p.enter();
  const orelse = expression(p);
  p.leave();
  return { kind: "IfExp", test, body, orelse, span: p.from(start) };
}

/** `c ? a : b`: read as one, to offer the whole as Python writes it. */
function questionMark(p: Cursor, start: Token): never {
  const mark = p.tok;
  const condition = p.text(start, p.last);
  if (p.peek().kind !== "?" && p.peek().kind !== ".") {
    p.next();
    p.enter();
    const from = p.tok;
    disjunction(p);
    const yes = p.text(from, p.last);
    if (p.accept(":")) {
      const other = p.tok;
      disjunction(p);
      p.refuse(spanBetween(start, p.last), "conditional", condition, yes, p.text(other, p.last));
    }
  }
  return p.refuse(mark, "conditionalPart");
}

/** lambda: 'lambda' lambdaParameters ':' expression */
function lambda(p: Cursor): Expr {
  p.enter();
  const start = p.next();
  const args = lambdaParameters(p);
  p.expect(":");
  const outer = p.inFunction;
  p.inFunction = true;
  const body = expression(p);
  p.inFunction = outer;
  p.leave();
  return { kind: "Lambda", args, body, span: p.from(start) };
}

/** disjunction: conjunction ('or' conjunction)* */
export function disjunction(p: Cursor): Expr {
  const start = p.tok;
  const first = conjunction(p);
  if (!p.at("or") && !p.at("|")) return first;
  const values = [first];
  while (p.at("or") || doubled(p, "|")) {
    if (p.at("|")) teachDoubled(p, "or");
    else p.next();
    values.push(conjunction(p));
  }
  return values.length === 1 ? first : { kind: "BoolOp", op: "or", values, span: p.from(start) };
}

/** conjunction: inversion ('and' inversion)* */
function conjunction(p: Cursor): Expr {
  const start = p.tok;
  const first = inversion(p);
  if (!p.at("and") && !p.at("&")) return first;
  const values = [first];
  while (p.at("and") || doubled(p, "&")) {
    if (p.at("&")) teachDoubled(p, "and");
    else p.next();
    values.push(inversion(p));
  }
  return values.length === 1 ? first : { kind: "BoolOp", op: "and", values, span: p.from(start) };
}

/** `&&` or `||`: two tokens with nothing between. */
function doubled(p: Cursor, kind: string): boolean {
  const second = p.peek();
  return p.at(kind) && second.kind === kind && second.pos === p.tok.end;
}

function teachDoubled(p: Cursor, id: "and" | "or"): void {
  const first = p.next();
  p.teach(spanBetween(first, p.next()), id);
}

/** inversion: 'not' inversion | comparison */
function inversion(p: Cursor): Expr {
  const start = p.tok;
  if (!p.at("not") && !p.at("!")) return comparison(p);
  if (p.at("!")) p.teach(start, "not");
  p.next();
  p.enter();
  const operand = inversion(p);
  p.leave();
  return { kind: "UnaryOp", op: "not", operand, span: p.from(start) };
}

/** comparison: binary (compareOp binary)* */
function comparison(p: Cursor): Expr {
  const start = p.tok;
  const left = binary(p, 0);
  let op = compareOp(p);
  if (op === null) return left;
  const ops: CompareOp[] = [];
  const comparators: Expr[] = [];
  while (op !== null) {
    ops.push(op);
    comparators.push(binary(p, 0));
    op = compareOp(p);
  }
  return { kind: "Compare", left, ops, comparators, span: p.from(start) };
}

/** compareOp: '==' | '!=' | '<' | '<=' | '>' | '>=' | 'in' | 'not' 'in' | 'is' ['not'] */
function compareOp(p: Cursor): CompareOp | null {
  const kind = p.tok.kind;
  switch (kind) {
    case "==":
    case "!=": {
      const token = p.next();
      if (p.at("=") && p.tok.pos === token.end) p.teach(spanBetween(token, p.next()), kind === "==" ? "strictEqual" : "strictNotEqual");
      return kind;
    }
    case "<":
    case "<=":
    case ">":
    case ">=":
    case "in":
      p.next();
      return kind;
    case "<>":
      p.teach(p.next(), "notEqual");
      return "!=";
    case "is":
      p.next();
      return p.accept("not") ? "is not" : "is";
    case "not":
      if (p.peek().kind !== "in") return null;
      p.next();
      p.next();
      return "not in";
    default:
      return null;
  }
}

const LEVELS: Readonly<Record<string, number>> = {
  "|": 0,
  "^": 1,
  "&": 2,
  "<<": 3,
  ">>": 3,
  "+": 4,
  "-": 4,
  "*": 5,
  "/": 5,
  "//": 5,
  "%": 5,
  "@": 5,
};

/** binary(n): binary(n + 1) (operator of level n  binary(n + 1))*, from `|` (0) to `* / // %` (5) */
export function binary(p: Cursor, level: number): Expr {
  const start = p.tok;
  let left = factor(p);
  let links = 0;
  for (;;) {
    const kind = p.tok.kind;
    const found = LEVELS[kind];
    if (found === undefined || found < level) return left;
    if ((kind === "|" || kind === "&") && doubled(p, kind)) return left;
    if (kind === "@") p.refuse(p.tok, "matmul");
    const before = p.last;
    const operator = p.next();
    p.chain(++links);
    if ((kind === "+" || kind === "-") && p.at(kind) && p.tok.pos === operator.end && !beginsExpression(p.peek())) {
      p.refuse(spanBetween(start, p.tok), "increment", kind, p.text(start, before));
    }
    const right = found === 5 ? factor(p) : binary(p, found + 1);
    left = { kind: "BinOp", left, op: kind as BinaryOp, right, span: p.from(start) };
  }
}

/** factor: ('+' | '-' | '~') factor | power */
function factor(p: Cursor): Expr {
  const kind = p.tok.kind;
  if (kind !== "-" && kind !== "+" && kind !== "~") return power(p);
  const start = p.next();
  p.enter();
  const operand = factor(p);
  p.leave();
  return { kind: "UnaryOp", op: kind as UnaryOperator, operand, span: p.from(start) };
}

/** power: primary ['**' factor] */
function power(p: Cursor): Expr {
  const start = p.tok;
  if (p.at("await")) {
    p.next();
    const from = p.tok;
    primary(p);
    p.refuse(spanBetween(start, p.last), "await", p.text(from, p.last));
  }
  const left = primary(p);
  if (!p.at("**")) return left;
  p.next();
  p.enter();
  const right = factor(p);
  p.leave();
  return { kind: "BinOp", left, op: "**", right, span: p.from(start) };
}

/** primary: atom ('.' NAME | '(' arguments ')' | '[' slices ']')* */
export function primary(p: Cursor): Expr {
  const start = p.tok;
  let value = atom(p);
  for (let links = 1; ; links++) {
    if (p.at(".")) value = attribute(p, start, value);
    else if (p.at("(")) value = call(p, start, value);
    else if (p.at("[")) value = subscript(p, start, value);
    else if (p.at("->")) {
      p.teach(p.tok, "arrow");
      value = attribute(p, start, value);
    } else return value;
    p.chain(links);
  }
}

function attribute(p: Cursor, start: Token, value: Expr): Expr {
  const dot = p.next();
  if (KEYWORDS.has(p.tok.kind)) p.refuse(spanBetween(dot, p.tok), "keywordAttribute", p.tok.kind);
  const name = p.expectName("a name after `.`");
  return { kind: "Attribute", value, attr: name.text, attrSpan: spanOf(name), span: p.from(start) };
}

function subscript(p: Cursor, start: Token, value: Expr): Expr {
  p.next();
  p.enter();
  const slice = slices(p);
  p.leave();
  p.expect("]");
  return { kind: "Subscript", value, slice, span: p.from(start) };
}

/** slices: (slice | starred) (',' (slice | starred))* [','] */
function slices(p: Cursor): Expr {
  const start = p.tok;
  const first = p.at("*") ? starred(p) : slice(p);
  if (!p.at(",") && first.kind !== "Starred") return first;
  const elts = [first];
  while (p.accept(",")) {
    if (p.at("]")) break;
    elts.push(p.at("*") ? starred(p) : slice(p));
  }
  return { kind: "Tuple", elts, span: p.from(start) };
}

/** slice: [expression] ':' [expression] [':' [expression]] | namedExpression */
function slice(p: Cursor): Expr {
  const start = p.tok;
  const bound = () => (p.at(":") || p.at(",") || p.at("]") ? null : expression(p));
  const lower = p.at(":") ? null : p.at("]") ? p.want("an index or a slice") : namedExpression(p);
  if (!p.at(":")) return lower!;
  p.next();
  const upper = bound();
  const step = p.accept(":") ? bound() : null;
  return { kind: "Slice", lower, upper, step, span: p.from(start) };
}

// ---- calls ------------------------------------------------------------------------------------------------------

function call(p: Cursor, start: Token, func: Expr): Expr {
  const open = p.next();
  p.enter();
  const args: Expr[] = [];
  const keywords: Keyword[] = [];
  argumentList(p, open, args, keywords);
  p.leave();
  p.expect(")");
  const node: Call = { kind: "Call", func, args, keywords, span: p.from(start) };
  return node;
}

/** arguments: [argument (',' argument)* [',']] | namedExpression comprehensionClauses */
function argumentList(p: Cursor, open: Token, args: Expr[], keywords: Keyword[]): void {
  const names = new Set<string>();
  while (!p.at(")")) {
    argument(p, open, args, keywords, names);
    if (p.at(")")) return;
    if (!p.at(",")) p.want("`,` or `)` in this call");
    p.next();
  }
}

/** argument: '*' expression | '**' expression | NAME '=' expression | namedExpression */
function argument(p: Cursor, open: Token, args: Expr[], keywords: Keyword[], names: Set<string>): void {
  const start = p.tok;
  if (p.accept("**")) {
    const value = expression(p);
    keywords.push({ arg: null, value, span: p.from(start) });
    return;
  }
  if (p.accept("*")) {
    if (keywords.some((keyword) => keyword.arg === null)) p.fail(start, "`*` arguments stand before `**` arguments: move this one forward");
    const value = expression(p);
    args.push({ kind: "Starred", value, span: p.from(start) });
    return;
  }
  if (p.peek().kind === "=" && (p.at("NAME") || KEYWORDS.has(start.kind))) {
    keywordArgument(p, keywords, names);
    return;
  }
  const value = namedExpression(p);
  if (p.at("for") || p.at("async")) {
    const generators = comprehensionClauses(p);
    if (args.length > 0 || keywords.length > 0 || (p.at(",") && p.peek().kind !== ")")) {
      p.fail(value.span, "a generator expression beside other arguments stands in brackets of its own: `f((x for x in xs), y)`");
    }
    if (p.at(",")) p.fail(value.span, "a generator expression stands in brackets of its own where a `,` follows: `f((x for x in xs),)`");
    if (!p.at(")")) p.want("`)` after this generator expression");
    checkWalrus(p, [value], generators);
    args.push({ kind: "GeneratorExp", elt: value, generators, span: spanBetween(open, p.tok) });
    return;
  }
  if (p.at("=")) p.fail(value.span, "the left of `=` in a call is a parameter's name: a comparison is `==`", "==", spanOf(p.tok));
  if (keywords.length > 0) {
    const unpacked = keywords.some((keyword) => keyword.arg === null);
    p.fail(
      value.span,
      unpacked
        ? "a positional argument stands before `**` arguments: move it forward, or give it by name"
        : "a positional argument stands before those given by name: move it forward, or give it by name",
    );
  }
  args.push(value);
}

function keywordArgument(p: Cursor, keywords: Keyword[], names: Set<string>): void {
  const name = p.next();
  if (name.kind !== "NAME") p.fail(name, `\`${name.kind}\` is a keyword and no parameter's name: choose another name`);
  if (name.text === "__debug__") p.fail(name, "`__debug__` is a constant and no parameter's name: choose another name");
  p.next();
  if (p.at(",") || p.at(")")) p.want(`a value for \`${name.text}\``);
  const value = expression(p);
  if (p.at("for")) p.fail(name, "a generator expression has no name: a comparison is `==`, and a keyword argument takes `name=(… for …)`");
  if (names.has(name.text)) p.fail(name, `the keyword argument \`${name.text}\` is given twice: leave one out`);
  names.add(name.text);
  keywords.push({ arg: name.text, value, span: p.from(name) });
}

// ---- comprehensions ---------------------------------------------------------------------------------------------

/** comprehensionClauses: ('for' targetList 'in' disjunction ('if' disjunction)*)+ */
function comprehensionClauses(p: Cursor): Comprehension[] {
  const generators: Comprehension[] = [];
  while (p.at("for") || p.at("async")) {
    if (p.at("async"))
      p.refuse(p.peek().kind === "for" ? spanBetween(p.tok, p.peek()) : p.tok, p.peek().kind === "for" ? "asyncFor" : "async");
    const start = p.next();
    const target = targetList(p);
    if (!p.at("in")) p.want("`in` after the names of this `for`");
    p.next();
    const iter = disjunction(p);
    const ifs: Expr[] = [];
    while (p.accept("if")) ifs.push(disjunction(p));
    generators.push({ target, iter, ifs, span: p.from(start) });
    p.chain(generators.length);
  }
  return generators;
}

/** targetList: ['*'] binary (',' ['*'] binary)* [','], each a target */
export function targetList(p: Cursor): Expr {
  const start = p.tok;
  const one = () => (p.at("*") ? starred(p) : binary(p, 0));
  const first = one();
  let target = first;
  if (p.at(",")) {
    const elts = [first];
    while (p.accept(",")) {
      if (!beginsExpression(p.tok) && !p.at("*")) break;
      elts.push(one());
    }
    target = { kind: "Tuple", elts, span: p.from(start) };
  }
  requireTarget(p, target, "for");
  return target;
}

// ---- atoms ------------------------------------------------------------------------------------------------------

/** atom: NAME | NUMBER | strings | 'None' | 'True' | 'False' | '...' | group | list | braces */
export function atom(p: Cursor): Expr {
  const token = p.tok;
  switch (token.kind) {
    case "NAME":
      p.next();
      if (token.text === "new" && p.at("NAME")) p.refuse(spanBetween(token, p.tok), "newObject", p.tok.text);
      if (token.text === "function" && p.at("(") && braceFollows(p)) p.refuse(token, "functionExpression");
      if (p.at("=") && p.peek().kind === ">" && p.peek().pos === p.tok.end) p.refuse(token, "arrowFunction");
      return { kind: "Name", id: token.text, span: spanOf(token) };
    case "NUMBER":
      p.next();
      return { kind: "Constant", value: numberValue(p, token), span: spanOf(token) };
    case "STRING":
      return strings(p);
    case "None":
      return constant(p, null);
    case "True":
      return constant(p, true);
    case "False":
      return constant(p, false);
    case "...":
      return constant(p, undefined);
    case "(":
      return group(p);
    case "[":
      return list(p);
    case "{":
      return braces(p);
    case "yield":
      return p.refuse(token, "yield");
    case "async":
      return p.refuse(token, "async");
    case "$":
      return p.refuse(token, "dollar");
    case "?":
      return p.refuse(token, "conditionalPart");
    case "lambda":
      return p.fail(token, "a `lambda` that is an operand stands in brackets: `(lambda x: …)`");
    case "not":
      return p.fail(token, "`not` binds less than this operator: put it in brackets, `(not x)`");
    case "*":
    case "**":
      return p.fail(token, `\`${token.kind}\` unpacks only as an element of a list, tuple, set, dict or call`);
    default:
      return p.want("an expression");
  }
}

/** At a `(`: whether `{` stands right behind its `)`. */
function braceFollows(p: Cursor): boolean {
  let level = 0;
  for (let ahead = 0; ; ahead++) {
    const kind = p.peek(ahead).kind;
    if (kind === "(") level++;
    else if (kind === ")" && --level === 0) return p.peek(ahead + 1).kind === "{";
    else if (kind === "END") return false;
  }
}

function constant(p: Cursor, value: Constant["value"]): Constant {
  return { kind: "Constant", value, span: spanOf(p.next()) };
}

/** group: '(' [starNamedExpression ((',' starNamedExpression)* [','] | comprehensionClauses)] ')' */
function group(p: Cursor): Expr {
  const start = p.next();
  p.enter();
  if (p.at(")")) {
    p.next();
    p.leave();
    return arrowChecked(p, start, { kind: "Tuple", elts: [], span: p.from(start) });
  }
  const first = p.at("yield") ? p.refuse(p.tok, "yield") : starNamedExpression(p);
  let value = first;
  if (p.at("for") || p.at("async")) {
    const generators = comprehensionClauses(p);
    closeComprehension(p, ")", first, generators);
    value = { kind: "GeneratorExp", elt: first, generators, span: p.from(start) };
  } else if (p.at(",")) {
    const elts = commaElements(p, first, ")");
    closeDisplay(p, ")");
    value = { kind: "Tuple", elts, span: p.from(start) };
  } else {
    if (first.kind === "Starred") failStarred(p, first);
    closeDisplay(p, ")");
    p.bracketed.add(value);
  }
  p.leave();
  return arrowChecked(p, start, value);
}

function arrowChecked(p: Cursor, start: Token, value: Expr): Expr {
  if (p.at("=") && p.peek().kind === ">" && p.peek().pos === p.tok.end) p.refuse(start, "arrowFunction");
  return value;
}

/** list: '[' [starNamedExpression ((',' starNamedExpression)* [','] | comprehensionClauses)] ']' */
function list(p: Cursor): Expr {
  const start = p.next();
  p.enter();
  let value: Expr;
  if (p.at("]")) {
    p.next();
    value = { kind: "List", elts: [], span: p.from(start) };
  } else {
    const first = starNamedExpression(p);
    if (p.at("for") || p.at("async")) {
      const generators = comprehensionClauses(p);
      closeComprehension(p, "]", first, generators);
      value = { kind: "ListComp", elt: first, generators, span: p.from(start) };
    } else {
      const elts = commaElements(p, first, "]");
      closeDisplay(p, "]");
      value = { kind: "List", elts, span: p.from(start) };
    }
  }
  p.leave();
  return value;
}

function commaElements(p: Cursor, first: Expr, close: string): Expr[] {
  const elts = [first];
  while (p.accept(",")) {
    if (p.at(close)) break;
    elts.push(starNamedExpression(p));
  }
  return elts;
}

function closeDisplay(p: Cursor, close: string): void {
  if (p.at("for")) p.fail(p.tok, "the element of a comprehension is one expression: put a tuple in brackets, `[(a, b) for …]`");
  if (p.at("=")) p.fail(p.tok, "got `=`, which assigns and stands on a line of its own: a comparison is `==`", "==", spanOf(p.tok));
  if (!p.at(close)) p.want(`\`,\` or \`${close}\``);
  p.next();
}

function closeComprehension(p: Cursor, close: string, elt: Expr, generators: readonly Comprehension[]): void {
  if (elt.kind === "Starred") p.fail(elt.span, "`*` does not unpack in a comprehension: add an inner `for`, `[y for x in xs for y in x]`");
  if (!p.at(close)) p.want(`\`${close}\`, \`for\` or \`if\``);
  p.next();
  checkWalrus(p, [elt], generators);
}

/** braces: '{' '}' | '{' dictItems '}' | '{' setItems '}' | '{' key ':' value comprehensionClauses '}' | '{' elt comprehensionClauses '}' */
function braces(p: Cursor): Expr {
  const start = p.next();
  p.enter();
  let value: Expr;
  if (p.at("}")) {
    p.next();
    value = { kind: "Dict", keys: [], values: [], span: p.from(start) };
  } else if (p.at("**")) value = dict(p, start, null);
  else {
    const first = starNamedExpression(p);
    if (p.at(":") && first.kind !== "Starred") value = dict(p, start, first);
    else if (p.at("for") || p.at("async")) {
      const generators = comprehensionClauses(p);
      closeComprehension(p, "}", first, generators);
      value = { kind: "SetComp", elt: first, generators, span: p.from(start) };
    } else {
      const elts = commaElements(p, first, "}");
      if (p.at(":")) p.fail(p.tok, "this display mixes a set and a dict: give every element a key, or none");
      closeDisplay(p, "}");
      value = { kind: "Set", elts, span: p.from(start) };
    }
  }
  p.leave();
  return value;
}

/** dictItems: dictItem (',' dictItem)* [','];  dictItem: '**' binary | expression ':' expression */
function dict(p: Cursor, start: Token, firstKey: Expr | null): Expr {
  const keys: (Expr | null)[] = [];
  const values: Expr[] = [];
  let key = firstKey;
  do {
    if (p.at("}")) break;
    const item = p.tok;
    if (key === null && p.accept("**")) {
      keys.push(null);
      values.push(binary(p, 0));
      if (p.at("for"))
        p.fail(item, "`**` does not unpack in a comprehension: add an inner `for`, `{k: v for d in ds for k, v in d.items()}`");
      continue;
    }
    const itemKey: Expr = key ?? expression(p);
    if (key?.kind === "NamedExpr" && !p.bracketed.has(key))
      p.fail(key.span, "`:=` as a dict's key stands in brackets: `{(name := value): …}`");
    key = null;
    if (!p.at(":")) p.want("`:` and a value after this key");
    p.next();
    if (p.at("}") || p.at(",")) p.want("a value after `:`");
    if (p.at("*")) p.fail(p.tok, "a dict's value is one value: write `[*x]` to unpack into a list");
    const value = expression(p);
    if (keys.length === 0 && (p.at("for") || p.at("async"))) {
      const generators = comprehensionClauses(p);
      if (!p.at("}")) p.want("`}`, `for` or `if`");
      p.next();
      checkWalrus(p, [itemKey, value], generators);
      return { kind: "DictComp", key: itemKey, value, generators, span: p.from(start) };
    }
    keys.push(itemKey);
    values.push(value);
  } while (p.accept(","));
  closeDisplay(p, "}");
  return { kind: "Dict", keys, values, span: p.from(start) };
}

const OPENING = new Set("NAME NUMBER STRING FAULT None True False ... ( [ { - + ~ not ! lambda await yield $".split(" "));

/** Whether an expression can begin here (a `FAULT` counts: it is about to be told). */
export function beginsExpression(token: Token): boolean {
  return OPENING.has(token.kind);
}
