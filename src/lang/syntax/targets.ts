/**
 * What can stand on the left of a binding, checked after it was read as an expression (as the tree has no
 * store context, reading it so and looking once is the whole rule).
 */
import type { Expr } from "./ast";
import type { Cursor } from "./cursor";

/** `for` covers comprehensions too, `with` its `as`. */
export type TargetUse = "assign" | "for" | "with" | "del";

/** Fails unless `target` is a name, attribute, subscript, or a list or tuple of such with at most one `*`. */
export function requireTarget(p: Cursor, target: Expr, use: TargetUse): void {
  if (target.kind === "Starred") {
    if (use === "del") p.fail(target.span, "`del` takes names, attributes and subscripts: leave the `*` out");
    p.fail(target.span, "a `*` target stands among others: write `[*x]`, or `*x,` to take all in a list");
  }
  check(p, target, use);
}

const VERB: Readonly<Record<TargetUse, string>> = { assign: "assign to", for: "loop into", with: "bind", del: "delete" };

function check(p: Cursor, target: Expr, use: TargetUse): void {
  switch (target.kind) {
    case "Name":
      if (target.id === "__debug__") p.fail(target.span, `cannot ${VERB[use]} \`__debug__\`: it is a constant, choose another name`);
      return;
    case "Attribute":
      if (target.attr === "__debug__") p.fail(target.span, `cannot ${VERB[use]} \`__debug__\`: it is a constant, choose another name`);
      return;
    case "Subscript":
      return;
    case "Tuple":
    case "List": {
      let starred = false;
      for (const element of target.elts) {
        if (element.kind !== "Starred") {
          check(p, element, use);
          continue;
        }
        if (use === "del") p.fail(element.span, "`del` takes names, attributes and subscripts: leave the `*` out");
        if (starred) p.fail(element.span, "two `*` targets in one list: which takes what is open, keep one");
        starred = true;
        check(p, element.value, use);
      }
      return;
    }
    default:
      failTarget(p, target, use);
  }
}

/** `cannot assign to <what>`, with the comparison where that is likely meant. */
function failTarget(p: Cursor, target: Expr, use: TargetUse): never {
  const hint =
    use === "assign" ? ": the left of `=` is a name, `x.attr` or `x[i]`, and a comparison is `==`" : ": want a name, `x.attr` or `x[i]`";
  return p.fail(target.span, `cannot ${VERB[use]} ${describe(target)}${hint}`);
}

export function describe(target: Expr): string {
  switch (target.kind) {
    case "Constant":
      if (target.value === null) return "`None`";
      if (target.value === true) return "`True`";
      if (target.value === false) return "`False`";
      return target.value === undefined ? "`...`" : "a literal";
    case "Call":
      return "a call";
    case "BoolOp":
    case "BinOp":
    case "UnaryOp":
      return "an expression";
    case "Compare":
      return "a comparison";
    case "JoinedStr":
      return "an f-string";
    case "Lambda":
      return "a lambda";
    case "IfExp":
      return "a conditional expression";
    case "Dict":
      return "a dict display";
    case "Set":
      return "a set display";
    case "ListComp":
    case "SetComp":
    case "DictComp":
      return "a comprehension";
    case "GeneratorExp":
      return "a generator expression";
    case "NamedExpr":
      return "a `:=` expression";
    case "Tuple":
      return "a tuple";
    case "List":
      return "a list";
    default:
      return "this";
  }
}
