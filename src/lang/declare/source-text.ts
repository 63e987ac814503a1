/**
 * An expression written back as source, for the text of a `fix`. Only the forms rules use; `null` for others, and then
 * no fix is offered.
 */
import { quoted } from "../../engine/address";
import type { Expr } from "../syntax/ast";
import { repr } from "../value/protocol-text";

export function sourceText(expr: Expr): string | null {
  switch (expr.kind) {
    case "Name":
      return expr.id;
    case "Constant":
      return expr.value === undefined ? "..." : typeof expr.value === "string" ? quoted(expr.value) : repr(expr.value);
    case "Attribute":
      return joined(sourceText(expr.value), ".", expr.attr);
    case "Subscript":
      return around(joined(sourceText(expr.value), "[", sourceText(expr.slice)), "]");
    case "UnaryOp":
      return joined(expr.op === "not" ? "not " : expr.op, "", operand(expr.operand));
    case "BinOp":
      return joined(operand(expr.left), ` ${expr.op} `, operand(expr.right));
    case "Compare": {
      let text = operand(expr.left);
      expr.ops.forEach((op, i) => {
        text = joined(text, ` ${op} `, operand(expr.comparators[i]!));
      });
      return text;
    }
    case "Call": {
      if (expr.keywords.length > 0) return null;
      const args = expr.args.map(sourceText);
      return args.includes(null) ? null : around(joined(sourceText(expr.func), "(", args.join(", ")), ")");
    }
    case "List":
    case "Tuple": {
      const items = expr.elts.map(sourceText);
      if (items.includes(null)) return null;
      return expr.kind === "List" ? `[${items.join(", ")}]` : `(${items.join(", ")}${items.length === 1 ? "," : ""})`;
    }
    default:
      return null;
  }
}

function operand(expr: Expr): string | null {
  const text = sourceText(expr);
  const compound = expr.kind === "BinOp" || expr.kind === "Compare" || (expr.kind === "UnaryOp" && expr.op === "not");
  return compound ? around(joined("(", "", text), ")") : text;
}

function joined(left: string | null, between: string, right: string | null): string | null {
  return left === null || right === null ? null : `${left}${between}${right}`;
}

function around(left: string | null, end: string): string | null {
  return left === null ? null : left + end;
}
