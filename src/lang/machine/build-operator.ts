/**
 * Closures for binary operators, comparisons and conditions over values of any type: first the way of two small ints,
 * then the value layer's. Arithmetic whose types are known goes another way (`build-number.ts`).
 *
 * An operator counts one op before its operands are evaluated; a link of a chained comparison once both are.
 */
import { EngineError } from "../../failure";
import type { IrExpr } from "../compile/ir";
import type { BinaryOp } from "../syntax/ast";
import { meter } from "../value/meter";
import { add, floordiv, mod, mul, OPERATORS, sub } from "../value/protocol-arith";
import { equal, identical } from "../value/protocol-equal";
import { contains, truthy } from "../value/protocol-iterate";
import { compare } from "../value/protocol-order";
import { checkConcat } from "../value/str";
import type { Value } from "../value/value";
import { buildExpr } from "./build-expression";
import { buildNumberTest, numberType } from "./build-number";
import type { Builder } from "./builder";
import { buildOperand } from "./operand";
import type { Eval, Frame } from "./vm";

const INT_MAX = Number.MAX_SAFE_INTEGER;

/** Operators with a way of their own for two small ints; the rest go to the value layer at once. */
export function buildBinary(B: Builder, op: string, ea: IrExpr, eb: IrExpr): Eval {
  const { i, f: a, constant: before } = buildOperand(B, ea);
  const { i: j, f: b, constant } = buildOperand(B, eb);
  const c = typeof constant === "number" ? constant : null;
  switch (op) {
    case "+":
      if (typeof before === "string")
        return (R) => {
          meter.ops++;
          const y = j >= 0 ? R[j] : b(R);
          if (typeof y !== "string") return add(before, y);
          checkConcat(before, y);
          return before + y;
        };
      if (typeof constant === "string")
        return (R) => {
          meter.ops++;
          const x = i >= 0 ? R[i] : a(R);
          if (typeof x !== "string") return add(x, constant);
          checkConcat(x, constant);
          return x + constant;
        };
      if (c !== null)
        return (R) => {
          meter.ops++;
          const x = i >= 0 ? R[i] : a(R);
          if (typeof x === "number") {
            const r = x + c;
            if (r <= INT_MAX && r >= -INT_MAX) return r;
          }
          return add(x, c);
        };
      return (R) => {
        meter.ops++;
        const x = i >= 0 ? R[i] : a(R);
        const y = j >= 0 ? R[j] : b(R);
        if (typeof x === "number" && typeof y === "number") {
          const r = x + y;
          if (r <= INT_MAX && r >= -INT_MAX) return r;
        } else if (typeof x === "string" && typeof y === "string") {
          checkConcat(x, y);
          return x + y;
        }
        return add(x, y);
      };
    case "-":
      return (R) => {
        meter.ops++;
        const x = i >= 0 ? R[i] : a(R);
        const y = c !== null ? c : j >= 0 ? R[j] : b(R);
        if (typeof x === "number" && typeof y === "number") {
          const r = x - y;
          if (r <= INT_MAX && r >= -INT_MAX) return r;
        }
        return sub(x, y);
      };
    case "*":
      return (R) => {
        meter.ops++;
        const x = i >= 0 ? R[i] : a(R);
        const y = c !== null ? c : j >= 0 ? R[j] : b(R);
        if (typeof x === "number" && typeof y === "number") {
          const r = x * y;
          // + 0: a product of zero and a negative int is 0, never -0.
          if (r <= INT_MAX && r >= -INT_MAX) return r + 0;
        }
        return mul(x, y);
      };
    case "%":
      return (R) => {
        meter.ops++;
        const x = i >= 0 ? R[i] : a(R);
        const y = c !== null ? c : j >= 0 ? R[j] : b(R);
        if (typeof x === "number" && typeof y === "number" && y > 0) {
          const r = x % y;
          return r < 0 ? r + y : r + 0;
        }
        return mod(x, y);
      };
    case "//":
      return (R) => {
        meter.ops++;
        const x = i >= 0 ? R[i] : a(R);
        const y = c !== null ? c : j >= 0 ? R[j] : b(R);
        if (typeof x === "number" && typeof y === "number" && y > 0) {
          const r = x % y;
          return (x - (r < 0 ? r + y : r)) / y + 0;
        }
        return floordiv(x, y);
      };
    default: {
      const f = OPERATORS[op as BinaryOp];
      return (R) => {
        meter.ops++;
        const x = i >= 0 ? R[i] : a(R);
        return f(x, j >= 0 ? R[j] : b(R));
      };
    }
  }
}

/** A condition as a JavaScript boolean. */
export function buildTest(B: Builder, e: IrExpr): (R: Frame) => boolean {
  if (e.k === "cmp" && e.ops.length === 1) return buildComparison(B, e.ops[0]!, e.es[0]!, e.es[1]!);
  if (e.k === "not") {
    const t = buildTest(B, e.a);
    return (R) => {
      meter.ops++;
      return !t(R);
    };
  }
  if (e.k === "and" || e.k === "or") {
    const ts = e.es.map((x) => buildTest(B, x));
    if (ts.length === 2) {
      const [p, q] = ts as [(R: Frame) => boolean, (R: Frame) => boolean];
      return e.k === "and" ? (R) => p(R) && q(R) : (R) => p(R) || q(R);
    }
    return e.k === "and" ? (R) => ts.every((t) => t(R)) : (R) => ts.some((t) => t(R));
  }
  const f = buildExpr(B, e);
  return (R) => {
    const v = f(R);
    return v === true || (v !== false && truthy(v));
  };
}

export function buildCompare(B: Builder, ops: string[], es: IrExpr[]): Eval {
  if (ops.length === 1) return buildComparison(B, ops[0]!, es[0]!, es[1]!);
  const fs = es.map((x) => buildExpr(B, x));
  const tests = ops.map(comparison);
  return (R) => {
    let left = fs[0]!(R);
    for (let i = 0; i < tests.length; i++) {
      const right = fs[i + 1]!(R);
      meter.ops++;
      if (!tests[i]!(left, right)) return false;
      left = right;
    }
    return true;
  };
}

function comparison(op: string): (a: Value, b: Value) => boolean {
  switch (op) {
    case "==":
      return equal;
    case "!=":
      return (a, b) => !equal(a, b);
    case "is":
      return identical;
    case "is not":
      return (a, b) => !identical(a, b);
    case "in":
      return (a, b) => contains(b, a);
    case "not in":
      return (a, b) => !contains(b, a);
    default: {
      const o = op as "<" | "<=" | ">" | ">=";
      return (a, b) => compare(o, a, b);
    }
  }
}

const ORDERS: ReadonlySet<string> = new Set(["<", "<=", ">", ">=", "==", "!="]);
function buildComparison(B: Builder, op: string, ea: IrExpr, eb: IrExpr): (R: Frame) => boolean {
  if (ORDERS.has(op) && numberType(B, ea) !== null && numberType(B, eb) !== null) return buildNumberTest(B, op, ea, eb, comparison(op));
  const { i, f: a } = buildOperand(B, ea);
  const { i: j, f: b, constant: c } = buildOperand(B, eb);
  switch (op) {
    case "<":
      return (R) => {
        meter.ops++;
        const x = i >= 0 ? R[i] : a(R);
        const y = c !== undefined ? c : j >= 0 ? R[j] : b(R);
        return typeof x === "number" && typeof y === "number" ? x < y : compare("<", x, y);
      };
    case "<=":
      return (R) => {
        meter.ops++;
        const x = i >= 0 ? R[i] : a(R);
        const y = c !== undefined ? c : j >= 0 ? R[j] : b(R);
        return typeof x === "number" && typeof y === "number" ? x <= y : compare("<=", x, y);
      };
    case ">":
      return (R) => {
        meter.ops++;
        const x = i >= 0 ? R[i] : a(R);
        const y = c !== undefined ? c : j >= 0 ? R[j] : b(R);
        return typeof x === "number" && typeof y === "number" ? x > y : compare(">", x, y);
      };
    case ">=":
      return (R) => {
        meter.ops++;
        const x = i >= 0 ? R[i] : a(R);
        const y = c !== undefined ? c : j >= 0 ? R[j] : b(R);
        return typeof x === "number" && typeof y === "number" ? x >= y : compare(">=", x, y);
      };
    case "==":
      return (R) => {
        meter.ops++;
        const x = i >= 0 ? R[i] : a(R);
        const y = c !== undefined ? c : j >= 0 ? R[j] : b(R);
        return typeof x === "number" && typeof y === "number" ? x === y : equal(x, y);
      };
    case "!=":
      return (R) => {
        meter.ops++;
        const x = i >= 0 ? R[i] : a(R);
        const y = c !== undefined ? c : j >= 0 ? R[j] : b(R);
        return typeof x === "number" && typeof y === "number" ? x !== y : !equal(x, y);
      };
    case "in":
    case "not in": {
      const wanted = op === "in";
      return (R) => {
        meter.ops++;
        const x = i >= 0 ? R[i] : a(R);
        return contains(j >= 0 ? R[j] : b(R), x) === wanted;
      };
    }
    case "is":
    case "is not": {
      const wanted = op === "is";
      return (R) => {
        meter.ops++;
        const x = i >= 0 ? R[i] : a(R);
        const y = c !== undefined ? c : j >= 0 ? R[j] : b(R);
        return identical(x, y) === wanted;
      };
    }
    default:
      throw new EngineError(`no comparison ${op}`);
  }
}
