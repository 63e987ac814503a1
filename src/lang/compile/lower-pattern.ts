/** `case` patterns: structure to match, captures to bind. Values in patterns are literals or dotted names, which cannot suspend. */
import type { Pattern } from "../syntax/ast";
import { type Cx, targetBinding } from "./context";
import type { IrPattern, IrTarget } from "./ir";
import { lowerExpr } from "./lower-expression";

export function lowerPattern(cx: Cx, p: Pattern): IrPattern {
  switch (p.kind) {
    case "MatchValue":
      return { k: "value", e: lowerExpr(cx, p.value) };
    case "MatchSingleton":
      return { k: "is", v: p.value };
    case "MatchSequence":
      return { k: "seq", ps: p.patterns.map((q) => lowerPattern(cx, q)), star: p.patterns.findIndex((q) => q.kind === "MatchStar") };
    case "MatchStar":
      return { k: "star", to: capture(cx, p.name) };
    case "MatchMapping":
      return {
        k: "map",
        keys: p.keys.map((k) => lowerExpr(cx, k)),
        ps: p.patterns.map((q) => lowerPattern(cx, q)),
        rest: capture(cx, p.rest),
      };
    case "MatchClass":
      return {
        k: "class",
        e: lowerExpr(cx, p.cls),
        ps: p.patterns.map((q) => lowerPattern(cx, q)),
        names: [...p.kwdAttrs],
        nps: p.kwdPatterns.map((q) => lowerPattern(cx, q)),
      };
    case "MatchAs":
      return { k: "as", p: p.pattern ? lowerPattern(cx, p.pattern) : null, to: capture(cx, p.name) };
    case "MatchOr":
      return { k: "or", ps: p.patterns.map((q) => lowerPattern(cx, q)) };
  }
}

function capture(cx: Cx, name: string | null): IrTarget | null {
  return name === null ? null : targetBinding(cx, cx.s.find(name)!);
}
