/** What stands on the left of `=`, after `for`, after `del`: names, subscripts, nested unpacking. */
import type { Expr } from "../syntax/ast";
import { type Cx, targetBinding } from "./context";
import type { IrTarget } from "./ir";
import { kindRoot } from "./lower-address";
import { lowerExpr, operands } from "./lower-expression";

export function lowerTarget(cx: Cx, t: Expr): IrTarget {
  switch (t.kind) {
    case "Name": {
      const b = cx.s.find(t.id)!;
      return targetBinding(cx, b);
    }
    case "Tuple":
    case "List": {
      let star = -1;
      const ts = t.elts.map((e, i) => {
        if (e.kind === "Starred") {
          star = i;
          return lowerTarget(cx, e.value);
        }
        return lowerTarget(cx, e);
      });
      return { k: "unpack", ts, star };
    }
    case "Starred":
      return lowerTarget(cx, t.value);
    case "Subscript": {
      if (kindRoot(cx, t.value) !== null || (t.value.kind === "Attribute" && kindRoot(cx, t.value.value) !== null))
        return refuseWrite(cx, t);
      const [a, b] = operands(cx, [t.value, t.slice]);
      return { k: "index", a: a!, b: b! };
    }
    case "Attribute":
      return refuseWrite(cx, t);
    default:
      lowerExpr(cx, t);
      return { k: "unpack", ts: [], star: -1 };
  }
}

function refuseWrite(cx: Cx, t: Expr): IrTarget {
  cx.u.report.type(
    t.span,
    'A field is written with a verb: `remember(Kind.subject.field, value, "source")` records a value, `update(…)` revises it, `forget(…)` removes it.',
  );
  return { k: "unpack", ts: [], star: -1 };
}

/** Plain names a target binds, left to right: what the transcript records. */
export function namesOf(t: IrTarget): IrTarget[] {
  if (t.k === "unpack") return t.ts.flatMap(namesOf);
  return t.k === "index" ? [] : [t];
}
