/**
 * The parameter list of a `def` or `lambda`: `/`, `*`, defaults, annotations, and the order they must stand in.
 */
import type { Arguments, Expr, Param } from "./ast";
import type { Cursor } from "./cursor";
import { expression, starExpression } from "./expressions";
import { KEYWORDS } from "./token";

/** parameters (of a `def`): between its brackets; the closing one is left to the caller. */
export function parameters(p: Cursor): Arguments {
  return parameterList(p, ")", true);
}

/** lambdaParameters: as `parameters`, without annotations, up to the `:`. */
export function lambdaParameters(p: Cursor): Arguments {
  return parameterList(p, ":", false);
}

/** parameterList: [parameter (',' parameter)* [',']], with '/' after the positional-only and '*' or '*args' before the keyword-only */
function parameterList(p: Cursor, close: string, annotated: boolean): Arguments {
  let posonly: Param[] = [];
  let args: Param[] = [];
  const kwonly: Param[] = [];
  let vararg: Param | null = null;
  let kwarg: Param | null = null;
  let star = false;
  let bareStar = false;
  let slash = false;
  const names = new Set<string>();
  const one = (kind: "plain" | "*" | "**") => {
    const found = parameter(p, annotated, kind);
    if (names.has(found.name)) p.fail(found.span, `the parameter \`${found.name}\` is named twice: rename one`);
    names.add(found.name);
    return found;
  };
  while (!p.at(close)) {
    const start = p.tok;
    if (kwarg !== null) p.fail(start, "nothing follows the `**` parameter: move this one before it");
    if (p.at("/")) {
      if (slash) p.fail(start, "`/` stands once in a parameter list: leave one out");
      if (star) p.fail(start, "`/` stands before `*`: move it forward");
      if (args.length === 0) p.fail(start, "`/` follows at least one parameter: put those given by position alone before it");
      p.next();
      slash = true;
      posonly = args;
      args = [];
    } else if (p.at("*")) {
      if (star) p.fail(start, "`*` stands once in a parameter list: leave one out");
      star = true;
      if (p.peek().kind === "," || p.peek().kind === close) {
        p.next();
        bareStar = true;
      } else vararg = one("*");
    } else if (p.at("**")) {
      kwarg = one("**");
    } else {
      const found = one("plain");
      const before = args.length > 0 ? args : posonly;
      if (!star && found.default === null && before.some((earlier) => earlier.default !== null)) {
        p.fail(found.span, `\`${found.name}\` has no default and follows a parameter that has one: give it one, or move it forward`);
      }
      (star ? kwonly : args).push(found);
    }
    if (p.at(close)) break;
    if (!p.at(",")) p.want(`\`,\` or \`${close}\` after this parameter`);
    p.next();
  }
  if (bareStar && kwonly.length === 0) p.fail(p.tok, "parameters given by name alone follow a bare `*`: add one, or leave the `*` out");
  return { posonly, args, vararg, kwonly, kwarg };
}

/** parameter: ['*' | '**'] NAME [':' expression] ['=' expression] */
function parameter(p: Cursor, annotated: boolean, kind: "plain" | "*" | "**"): Param {
  if (kind !== "plain") p.next();
  if (p.at("(")) p.fail(p.tok, "a parameter is a plain name: take a tuple by one name and unpack it in the body");
  if (KEYWORDS.has(p.tok.kind)) p.fail(p.tok, `\`${p.tok.kind}\` is a keyword and no parameter's name: choose another name`);
  const name = p.expectName("a parameter's name");
  if (name.text === "__debug__") p.fail(name, "`__debug__` is a constant and no parameter's name: choose another name");
  let annotation: Expr | null = null;
  if (annotated && p.accept(":")) annotation = kind === "*" ? starExpression(p) : expression(p);
  const span = p.from(name); // As CPython's `arg`: neither the star nor the default.
  let value: Expr | null = null;
  if (p.at("=")) {
    if (kind !== "plain") p.fail(p.tok, `a \`${kind}\` parameter has no default: it is empty when nothing is given`);
    p.next();
    if (p.at(",") || p.at(")")) p.want(`a default for \`${name.text}\``);
    value = expression(p);
  }
  const text = p.source.slice(name.pos, p.last.end);
  return { name: name.text, annotation, default: value, text: kind === "plain" ? text : kind + text, span };
}
