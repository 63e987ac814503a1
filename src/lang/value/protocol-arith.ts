/**
 * The operators of arithmetic over all values.
 *
 * Each operator is a small function whose first lines are the hot path of the machine (two small ints, then two floats);
 * everything else is in the slow function below it: numbers by the tower int < float < complex, datetimes and durations,
 * sequences and sets, then CPython's TypeError.
 */

import { Complex, Datetime, Duration, Float, type Int } from "../../datum";
import type { BinaryOp } from "../syntax/ast";
import { complexAbs, complexAdd, complexDiv, complexMul, complexPow, complexSub, toComplex } from "./complex";
import { datetimeBinary, durationAbs, durationNeg } from "./datetime";
import { PyDict } from "./dict";
import { raise } from "./exception";
import { floatDiv, floatDivmod, floatFloorDiv, floatMod, floatPow, floatRound, floatRoundToInt, type Real, realToDouble } from "./float";
import {
  intAbs,
  intAdd,
  intAnd,
  intFloorDiv,
  intInvert,
  intLeftShift,
  intMod,
  intMul,
  intOr,
  intPow,
  intPowMod,
  intRightShift,
  intRound,
  intSub,
  intTrueDiv,
  intXor,
  SAFE_MAX,
} from "./int";
import { Task } from "./pending";
import { typeName } from "./protocol-type";
import { sequenceBinary, sequenceInplace } from "./sequence-arith";
import { checkConcat } from "./str";
import { PyFunction, PyNative, PyTuple, type Value } from "./value";

export function add(a: Value, b: Value): Value {
  if (typeof a === "number" && typeof b === "number") {
    const r = a + b;
    if (r <= SAFE_MAX && r >= -SAFE_MAX) return r;
  } else if (typeof a === "string" && typeof b === "string") {
    checkConcat(a, b);
    return a + b;
  } else if (a instanceof Float && b instanceof Float) return new Float(a.v + b.v);
  return slow("+", a, b, "+");
}
export function sub(a: Value, b: Value): Value {
  if (typeof a === "number" && typeof b === "number") {
    const r = a - b;
    if (r <= SAFE_MAX && r >= -SAFE_MAX) return r;
  } else if (a instanceof Float && b instanceof Float) return new Float(a.v - b.v);
  return slow("-", a, b, "-");
}
export function mul(a: Value, b: Value): Value {
  if (typeof a === "number" && typeof b === "number") {
    const r = a * b;
    if (r <= SAFE_MAX && r >= -SAFE_MAX) return r + 0;
  } else if (a instanceof Float && b instanceof Float) return new Float(a.v * b.v);
  return slow("*", a, b, "*");
}
export function truediv(a: Value, b: Value): Value {
  if (typeof a === "number" && typeof b === "number") {
    if (b !== 0) return new Float(a / b);
  } else if (a instanceof Float && b instanceof Float && b.v !== 0) return new Float(a.v / b.v);
  return slow("/", a, b, "/");
}
export function floordiv(a: Value, b: Value): Value {
  if (typeof a === "number" && typeof b === "number") return intFloorDiv(a, b);
  return slow("//", a, b, "//");
}
export function mod(a: Value, b: Value): Value {
  if (typeof a === "number" && typeof b === "number" && b !== 0) {
    const r = a % b;
    return (r !== 0 && r < 0 !== b < 0 ? r + b : r) + 0;
  }
  return slow("%", a, b, "%");
}
export function pow(a: Value, b: Value): Value {
  return slow("**", a, b, "** or pow()");
}
export function lshift(a: Value, b: Value): Value {
  if (typeof a === "number" && typeof b === "number") return intLeftShift(a, b);
  return slow("<<", a, b, "<<");
}
export function rshift(a: Value, b: Value): Value {
  if (typeof a === "number" && typeof b === "number") return intRightShift(a, b);
  return slow(">>", a, b, ">>");
}
export function bitand(a: Value, b: Value): Value {
  if (typeof a === "number" && typeof b === "number" && (a | 0) === a && (b | 0) === b) return a & b;
  return slow("&", a, b, "&");
}
export function bitor(a: Value, b: Value): Value {
  if (typeof a === "number" && typeof b === "number" && (a | 0) === a && (b | 0) === b) return a | b;
  return slow("|", a, b, "|");
}
export function bitxor(a: Value, b: Value): Value {
  if (typeof a === "number" && typeof b === "number" && (a | 0) === a && (b | 0) === b) return a ^ b;
  return slow("^", a, b, "^");
}

export const OPERATORS: Readonly<Record<BinaryOp, (a: Value, b: Value) => Value>> = {
  "+": add,
  "-": sub,
  "*": mul,
  "/": truediv,
  "//": floordiv,
  "%": mod,
  "**": pow,
  "<<": lshift,
  ">>": rshift,
  "&": bitand,
  "|": bitor,
  "^": bitxor,
};

/** `a op b` for an operator known only as it runs. */
export function binary(op: BinaryOp, a: Value, b: Value): Value {
  return OPERATORS[op](a, b);
}

/** `a op= b`: what the name is bound to afterwards. Lists, sets and dicts change in place. */
export function inplace(op: BinaryOp, a: Value, b: Value): Value {
  if (typeof a === "number" && typeof b === "number") return OPERATORS[op](a, b);
  const changed = sequenceInplace(op, a, b);
  return changed !== undefined ? changed : slow(op, a, b, `${op}=`);
}

/** `shown` is how CPython spells the operator in its TypeError. */
function slow(op: BinaryOp, a: Value, b: Value, shown: string): Value {
  if (isReal(a) && isReal(b)) {
    const r = realBinary(op, a, b);
    if (r !== undefined) return r;
  } else if (isNumber(a) && isNumber(b)) {
    const r = complexBinary(op, a, b);
    if (r !== undefined) return r;
  } else {
    const dated = isDated(a) || isDated(b) ? datetimeBinary(op, a, b) : undefined;
    const r = dated !== undefined ? dated : sequenceBinary(op, a, b);
    if (r !== undefined) return r;
  }
  return unsupported(shown, a, b);
}

function unsupported(shown: string, a: Value, b: Value): never {
  const hint =
    shown === ">>" && a instanceof PyFunction && a.name === "print" && typeName(a) === "builtin_function_or_method"
      ? '. Did you mean "print(<message>, file=<output_stream>)"?'
      : "";
  raise("TypeError", `unsupported operand type(s) for ${shown}: '${typeName(a)}' and '${typeName(b)}'${hint}`);
}

export function isInt(v: Value): v is Int | boolean {
  return typeof v === "number" || typeof v === "bigint" || typeof v === "boolean";
}
export function isReal(v: Value): v is Real {
  return isInt(v) || v instanceof Float;
}
export function isNumber(v: Value): v is Real | Complex {
  return isReal(v) || v instanceof Complex;
}
function isDated(v: Value): v is Datetime | Duration {
  return v instanceof Datetime || v instanceof Duration;
}
function plain(v: Int | boolean): Int {
  return typeof v === "boolean" ? Number(v) : v;
}

function realBinary(op: BinaryOp, a: Real, b: Real): Value | undefined {
  if (!(a instanceof Float) && !(b instanceof Float)) return intBinary(op, a, b);
  switch (op) {
    case "+":
      return new Float(realToDouble(a) + realToDouble(b));
    case "-":
      return new Float(realToDouble(a) - realToDouble(b));
    case "*":
      return new Float(realToDouble(a) * realToDouble(b));
    case "/":
      return new Float(floatDiv(realToDouble(a), realToDouble(b)));
    case "//":
      return new Float(floatFloorDiv(realToDouble(a), realToDouble(b)));
    case "%":
      return new Float(floatMod(realToDouble(a), realToDouble(b)));
    case "**":
      return power(realToDouble(a), realToDouble(b));
    default:
      return undefined;
  }
}

/** A negative base with a fractional exponent goes on as complex. */
function power(x: number, y: number): Value {
  if (x < 0 && Number.isFinite(x) && Number.isFinite(y) && !Number.isInteger(y)) return complexPow(new Complex(x, 0), new Complex(y, 0));
  return new Float(floatPow(x, y));
}

function intBinary(op: BinaryOp, left: Int | boolean, right: Int | boolean): Value {
  if (typeof left === "boolean" && typeof right === "boolean") {
    if (op === "&") return left && right;
    if (op === "|") return left || right;
    if (op === "^") return left !== right;
  }
  const a = plain(left);
  const b = plain(right);
  switch (op) {
    case "+":
      return intAdd(a, b);
    case "-":
      return intSub(a, b);
    case "*":
      return intMul(a, b);
    case "/":
      return new Float(intTrueDiv(a, b));
    case "//":
      return intFloorDiv(a, b);
    case "%":
      return intMod(a, b);
    case "**":
      return b >= 0 ? intPow(a, b) : power(realToDouble(a), realToDouble(b));
    case "<<":
      return intLeftShift(a, b);
    case ">>":
      return intRightShift(a, b);
    case "&":
      return intAnd(a, b);
    case "|":
      return intOr(a, b);
    case "^":
      return intXor(a, b);
  }
}

function complexBinary(op: BinaryOp, left: Real | Complex, right: Real | Complex): Value | undefined {
  switch (op) {
    case "+":
      return complexAdd(toComplex(left), toComplex(right));
    case "-":
      return complexSub(toComplex(left), toComplex(right));
    case "*":
      return complexMul(toComplex(left), toComplex(right));
    case "/":
      return complexDiv(toComplex(left), toComplex(right));
    case "**":
      return complexPow(toComplex(left), toComplex(right));
    default:
      return undefined;
  }
}

/** `pow(a, b, m)`; None for m is `a ** b`. */
export function powmod(a: Value, b: Value, m: Value): Value | Task {
  if (m === null) return pow(a, b);
  if (isInt(a) && isInt(b) && isInt(m)) {
    const r = intPowMod(plain(a), plain(b), plain(m));
    return typeof r === "object" ? new Task(r) : r;
  }
  // CPython asks the operands' types in turn.
  for (const v of [a, b, m]) {
    if (v instanceof Float) raise("TypeError", "pow() 3rd argument not allowed unless all arguments are integers");
    if (v instanceof Complex && isNumber(a) && isNumber(b)) raise("ValueError", "complex modulo");
  }
  raise("TypeError", `unsupported operand type(s) for ** or pow(): '${typeName(a)}', '${typeName(b)}', '${typeName(m)}'`);
}

/** `divmod(a, b)`. */
export function divmod(a: Value, b: Value): PyTuple {
  if (isReal(a) && isReal(b)) {
    if (a instanceof Float || b instanceof Float) {
      const [q, r] = floatDivmod(realToDouble(a), realToDouble(b));
      return new PyTuple([new Float(q), new Float(r)]);
    }
    return new PyTuple([intFloorDiv(plain(a), plain(b)), intMod(plain(a), plain(b))]);
  }
  if (isDated(a) && isDated(b)) {
    const q = datetimeBinary("//", a, b);
    const r = datetimeBinary("%", a, b);
    if (q !== undefined && r !== undefined) return new PyTuple([q, r]);
  }
  return unsupported("divmod()", a, b);
}

export function neg(v: Value): Value {
  if (typeof v === "number") return 0 - v;
  if (v instanceof Float) return new Float(-v.v);
  if (typeof v === "bigint") return -v;
  if (typeof v === "boolean") return 0 - Number(v);
  if (v instanceof Complex) return new Complex(-v.re, -v.im);
  if (v instanceof Duration) return durationNeg(v);
  if (v instanceof PyDict) return v.binary("u-", null, false) ?? badOperand("unary -", v);
  return badOperand("unary -", v);
}
export function pos(v: Value): Value {
  if (typeof v === "boolean") return Number(v);
  if (isNumber(v) || v instanceof Duration) return v;
  if (v instanceof PyDict) return v.binary("u+", null, false) ?? badOperand("unary +", v);
  return badOperand("unary +", v);
}
export function invert(v: Value): Value {
  if (isInt(v)) return intInvert(plain(v));
  return (v instanceof PyNative ? v.invert?.() : undefined) ?? badOperand("unary ~", v);
}
/** `abs(v)`. */
export function absolute(v: Value): Value {
  if (isInt(v)) return intAbs(plain(v));
  if (v instanceof Float) return new Float(Math.abs(v.v));
  if (v instanceof Complex) return new Float(complexAbs(v));
  if (v instanceof Duration) return durationAbs(v);
  return badOperand("abs()", v);
}
function badOperand(shown: string, v: Value): never {
  raise("TypeError", `bad operand type for ${shown}: '${typeName(v)}'`);
}

/** `round(v)` where digits is undefined or None, else `round(v, digits)`. */
export function roundValue(v: Value, digits?: Value): Value {
  if (!isReal(v)) raise("TypeError", `type ${typeName(v)} doesn't define __round__ method`);
  if (digits === undefined || digits === null) return v instanceof Float ? floatRoundToInt(v.v) : plain(v);
  if (!isInt(digits)) raise("TypeError", `'${typeName(digits)}' object cannot be interpreted as an integer`);
  return v instanceof Float ? new Float(floatRound(v.v, plain(digits))) : intRound(plain(v), plain(digits));
}
