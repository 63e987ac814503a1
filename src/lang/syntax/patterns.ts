/**
 * The patterns of `case`, and what they may not do: bind a name twice, bind different names in alternatives,
 * or make what follows unreachable.
 */

import { Complex } from "../../datum";
import type { Constant, Expr, MatchMapping, Pattern } from "./ast";
import { type Cursor, spanOf } from "./cursor";
import { strings } from "./fstring";
import { numberValue } from "./literal";

/** patterns: openSequence | pattern — what stands after `case`. */
export function patterns(p: Cursor): Pattern {
  const start = p.tok;
  const first = starOrPattern(p);
  let whole = first;
  if (p.at(",")) {
    const items = [first];
    while (p.accept(",")) {
      if (p.at(":") || p.at("if")) break;
      items.push(starOrPattern(p));
    }
    whole = { kind: "MatchSequence", patterns: items, span: p.from(start) };
    requireOneStar(p, items);
  } else if (first.kind === "MatchStar") p.fail(first.span, "`*` in a pattern stands inside a sequence: write `[*name]`");
  requireDistinct(p, whole);
  return whole;
}

/** Whether a pattern matches anything, so that nothing after it is reached; its words for the message. */
export function matchesAll(pattern: Pattern): string | null {
  if (pattern.kind === "MatchAs") {
    if (pattern.pattern !== null) return matchesAll(pattern.pattern);
    return pattern.name === null ? "`_`" : `the name \`${pattern.name}\``;
  }
  if (pattern.kind === "MatchOr") return matchesAll(pattern.patterns[pattern.patterns.length - 1]);
  return null;
}

/** starOrPattern: '*' NAME | pattern */
function starOrPattern(p: Cursor): Pattern {
  if (!p.at("*")) return pattern(p);
  const start = p.next();
  const name = p.expectName("a name after `*`");
  return { kind: "MatchStar", name: name.text === "_" ? null : name.text, span: p.from(start) };
}

/** pattern: orPattern ['as' NAME] */
function pattern(p: Cursor): Pattern {
  const start = p.tok;
  const inner = orPattern(p);
  if (!p.accept("as")) return inner;
  const name = p.expectName("a name after `as`");
  if (name.text === "_") p.fail(name, "`_` binds nothing: name what `as` binds, or leave `as _` out");
  if (p.at(".") || p.at("(") || p.at("[")) p.fail(name, "`as` in a pattern binds a plain name");
  const all = matchesAll(inner);
  if (all !== null && inner.kind === "MatchAs" && inner.pattern === null && inner.name === null) {
    p.fail(inner.span, `\`_ as ${name.text}\` is \`${name.text}\`: write the name alone`);
  }
  return { kind: "MatchAs", pattern: inner, name: name.text, span: p.from(start) };
}

/** orPattern: closedPattern ('|' closedPattern)* */
function orPattern(p: Cursor): Pattern {
  const start = p.tok;
  const first = closedPattern(p);
  if (!p.at("|")) return first;
  const alternatives = [first];
  while (p.accept("|")) alternatives.push(closedPattern(p));
  const names = boundNames(first);
  for (const [place, alternative] of alternatives.entries()) {
    const all = place < alternatives.length - 1 ? matchesAll(alternative) : null;
    if (all !== null) p.fail(alternative.span, `${all} matches everything, so the alternatives after it are never tried: put it last`);
    const others = boundNames(alternative);
    if (others.length !== names.length || names.some((name) => !others.includes(name))) {
      p.fail(start, "the alternatives of this pattern bind different names: bind the same in each, or none");
    }
  }
  return { kind: "MatchOr", patterns: alternatives, span: p.from(start) };
}

/** closedPattern: literal | capture | '_' | value | group | sequence | mapping | class */
function closedPattern(p: Cursor): Pattern {
  const start = p.tok;
  switch (start.kind) {
    case "NUMBER":
    case "-":
      return { kind: "MatchValue", value: signedNumber(p), span: p.from(start) };
    case "STRING":
      return { kind: "MatchValue", value: plainText(p), span: p.from(start) };
    case "None":
    case "True":
    case "False":
      p.next();
      return { kind: "MatchSingleton", value: start.kind === "None" ? null : start.kind === "True", span: spanOf(start) };
    case "NAME":
      return nameOrClass(p);
    case "(":
    case "[":
      return sequence(p);
    case "{":
      return mapping(p);
    case "*":
      return p.fail(start, "`*` in a pattern stands inside a sequence: write `[*name]`");
    default:
      return p.want("a pattern: a literal, a name, `_`, `[…]`, `{…}` or `Type(…)`");
  }
}

/** signedNumber: ['-'] NUMBER [('+' | '-') NUMBER], the second one imaginary */
function signedNumber(p: Cursor): Expr {
  const start = p.tok;
  const left = signedReal(p);
  if (!p.at("+") && !p.at("-")) return left;
  if (isImaginary(left)) p.fail(start, "a complex pattern is a real part, then an imaginary one: `1 + 2j`");
  const op = p.next().kind as "+" | "-";
  const number = p.tok;
  if (!p.at("NUMBER")) p.want("an imaginary number, as `2j`");
  const right = numberConstant(p);
  if (!(right.value instanceof Complex)) p.fail(number, "a pattern holds literals, not sums: only `1 + 2j` writes a complex number");
  return { kind: "BinOp", left, op, right, span: p.from(start) };
}

function signedReal(p: Cursor): Expr {
  const start = p.tok;
  if (!p.accept("-")) return numberConstant(p);
  if (!p.at("NUMBER")) p.want("a number after `-`");
  const operand = numberConstant(p);
  return { kind: "UnaryOp", op: "-", operand, span: p.from(start) };
}

function isImaginary(value: Expr): boolean {
  const inner = value.kind === "UnaryOp" ? value.operand : value;
  return inner.kind === "Constant" && inner.value instanceof Complex;
}

function numberConstant(p: Cursor): Constant {
  const token = p.next();
  return { kind: "Constant", value: numberValue(p, token), span: spanOf(token) };
}

function plainText(p: Cursor): Constant {
  const value = strings(p);
  if (value.kind === "JoinedStr")
    p.fail(value.span, 'a pattern matches literals: compare with an f-string in a guard, `case x if x == f"…":`');
  return value;
}

/** '_' | capture: NAME | value: NAME ('.' NAME)+ | class: NAME ('.' NAME)* '(' … ')' */
function nameOrClass(p: Cursor): Pattern {
  const start = p.next();
  let value: Expr = { kind: "Name", id: start.text, span: spanOf(start) };
  while (p.accept(".")) {
    const name = p.expectName("a name after `.`");
    value = { kind: "Attribute", value, attr: name.text, attrSpan: spanOf(name), span: p.from(start) };
  }
  if (p.at("(")) return classPattern(p, start, value);
  if (value.kind === "Attribute") return { kind: "MatchValue", value, span: p.from(start) };
  if (p.at("=")) p.want("a pattern, not `name=…`, which stands in a class pattern only");
  return { kind: "MatchAs", pattern: null, name: start.text === "_" ? null : start.text, span: spanOf(start) };
}

/** class: name '(' [pattern (',' pattern)*] [NAME '=' pattern (',' NAME '=' pattern)*] [','] ')' */
function classPattern(p: Cursor, start: { line: number; col: number }, cls: Expr): Pattern {
  p.next();
  p.enter();
  const positional: Pattern[] = [];
  const kwdAttrs: string[] = [];
  const kwdPatterns: Pattern[] = [];
  while (!p.at(")")) {
    const at = p.tok;
    if (p.at("NAME") && p.peek().kind === "=") {
      const name = p.next();
      p.next();
      if (kwdAttrs.includes(name.text)) p.fail(name, `the attribute \`${name.text}\` is matched twice in this pattern: leave one out`);
      kwdAttrs.push(name.text);
      kwdPatterns.push(pattern(p));
    } else {
      if (kwdAttrs.length > 0) p.fail(at, "a positional pattern stands before those given by name: move it forward");
      positional.push(pattern(p));
    }
    if (!p.at(")") && !p.accept(",")) p.want("`,` or `)` in this pattern");
  }
  p.leave();
  p.expect(")");
  return { kind: "MatchClass", cls, patterns: positional, kwdAttrs, kwdPatterns, span: p.from(start) };
}

/** group: '(' pattern ')';  sequence: '[' [items] ']' | '(' [starOrPattern ',' [items]] ')' */
function sequence(p: Cursor): Pattern {
  const start = p.next();
  const close = start.kind === "(" ? ")" : "]";
  p.enter();
  const items: Pattern[] = [];
  let commas = 0;
  while (!p.at(close)) {
    items.push(starOrPattern(p));
    if (!p.at(",")) break;
    p.next();
    commas++;
  }
  if (!p.at(close)) p.want(`\`,\` or \`${close}\` in this pattern`);
  p.next();
  p.leave();
  if (close === ")" && items.length === 1 && commas === 0) {
    if (items[0].kind === "MatchStar") p.fail(items[0].span, "`*` in a pattern stands inside a sequence: write `[*name]`");
    return items[0];
  }
  requireOneStar(p, items);
  return { kind: "MatchSequence", patterns: items, span: p.from(start) };
}

function requireOneStar(p: Cursor, items: readonly Pattern[]): void {
  const second = items.filter((item) => item.kind === "MatchStar")[1];
  if (second !== undefined) p.fail(second.span, "two `*` in one sequence pattern: which takes what is open, keep one");
}

/** mapping: '{' [key ':' pattern (',' key ':' pattern)*] ['**' NAME] [','] '}' */
function mapping(p: Cursor): MatchMapping {
  const start = p.next();
  p.enter();
  const keys: Expr[] = [];
  const values: Pattern[] = [];
  const literals = new Set<string>();
  let rest: string | null = null;
  while (!p.at("}")) {
    if (rest !== null) p.fail(p.tok, "`**` takes the rest of a mapping: put it last");
    if (p.accept("**")) {
      const name = p.expectName("a name after `**`");
      if (name.text === "_") p.fail(name, "`**_` binds nothing: a mapping pattern ignores other keys anyway, leave it out");
      rest = name.text;
    } else {
      const key = mappingKey(p);
      const spelling = keySpelling(key);
      if (spelling !== null && literals.has(spelling)) p.fail(key.span, "this mapping pattern asks for one key twice: leave one out");
      if (spelling !== null) literals.add(spelling);
      p.expect(":");
      keys.push(key);
      values.push(pattern(p));
    }
    if (!p.at("}") && !p.accept(",")) p.want("`,` or `}` in this pattern");
  }
  p.leave();
  p.expect("}");
  return { kind: "MatchMapping", keys, patterns: values, rest, span: p.from(start) };
}

function mappingKey(p: Cursor): Expr {
  const start = p.tok;
  if (p.at("NUMBER") || p.at("-")) return signedNumber(p);
  if (p.at("STRING")) return plainText(p);
  if (p.at("None") || p.at("True") || p.at("False")) {
    p.next();
    return { kind: "Constant", value: start.kind === "None" ? null : start.kind === "True", span: spanOf(start) };
  }
  if (!p.at("NAME")) p.want("a key: a literal or a dotted name");
  p.next();
  let value: Expr = { kind: "Name", id: start.text, span: spanOf(start) };
  if (!p.at(".")) p.fail(start, "a key of a mapping pattern is a literal or a dotted name: test for a variable's key in a guard");
  while (p.accept(".")) {
    const name = p.expectName("a name after `.`");
    value = { kind: "Attribute", value, attr: name.text, attrSpan: spanOf(name), span: p.from(start) };
  }
  return value;
}

/** One spelling for keys that Python holds equal; null for a name. */
function keySpelling(key: Expr): string | null {
  if (key.kind === "UnaryOp") {
    const inner = keySpelling(key.operand);
    return inner === null ? null : inner === "n:0" ? inner : `-${inner}`;
  }
  if (key.kind === "BinOp") return `${keySpelling(key.left)}${key.op}${keySpelling(key.right)}`;
  if (key.kind !== "Constant") return null;
  const value = key.value;
  if (typeof value === "boolean") return `n:${Number(value)}`;
  if (typeof value === "number" || typeof value === "bigint") return `n:${value}`;
  if (typeof value === "string") return `s:${value}`;
  if (value === null) return "none";
  if (value === undefined) return "...";
  if ("v" in value) return Number.isInteger(value.v) ? `n:${BigInt(value.v)}` : `n:${value.v}`;
  if ("im" in value) return `n:${value.re}+${value.im}j`;
  return `b:${value.b.join(",")}`;
}

// ---- names ------------------------------------------------------------------------------------------------------

function requireDistinct(p: Cursor, whole: Pattern): void {
  const seen = new Set<string>();
  for (const name of boundNames(whole)) {
    if (seen.has(name)) p.fail(whole.span, `the name \`${name}\` is bound twice in this pattern: choose another for one`);
    seen.add(name);
  }
}

/** The names a pattern binds; of alternatives, those of the first. */
function boundNames(whole: Pattern): string[] {
  switch (whole.kind) {
    case "MatchValue":
    case "MatchSingleton":
      return [];
    case "MatchStar":
      return whole.name === null ? [] : [whole.name];
    case "MatchAs":
      return [...(whole.pattern === null ? [] : boundNames(whole.pattern)), ...(whole.name === null ? [] : [whole.name])];
    case "MatchOr":
      return boundNames(whole.patterns[0]);
    case "MatchSequence":
      return whole.patterns.flatMap(boundNames);
    case "MatchMapping":
      return [...whole.patterns.flatMap(boundNames), ...(whole.rest === null ? [] : [whole.rest])];
    case "MatchClass":
      return [...whole.patterns.flatMap(boundNames), ...whole.kwdPatterns.flatMap(boundNames)];
  }
}
