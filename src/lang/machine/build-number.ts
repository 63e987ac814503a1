/**
 * Closures for arithmetic whose types are known (`compile/infer-numbers.ts`): trees of int and float operators over
 * registers. Each node leaves its result in a register; nothing is boxed and no frame is read.
 *
 * Ops: a tree is charged whole before it runs. A node that raises gives back what comes after it (`after`: the operators
 * not yet reached), so the count is exactly that of charging each operator as it is reached, before its operands.
 */
import { Float } from "../../datum";
import type { NumberType } from "../compile/infer-numbers";
import { typeOf } from "../compile/infer-numbers";
import type { IrExpr } from "../compile/ir";
import { meter } from "../value/meter";
import { binary, inplace, neg } from "../value/protocol-arith";
import type { Value } from "../value/value";
import type { Builder } from "./builder";
import type { Registers } from "./registers";
import { type Eval, type Frame, NEXT, vm } from "./vm";

const INT_MAX = Number.MAX_SAFE_INTEGER;
/** Quotients of ints up to here are found by a division of doubles and one correction. */
const QUOTIENT_MAX = 2 ** 52;

/** Runs a tree: afterwards its register holds the result. */
export type Run = () => void;
export interface NumberTree {
  readonly type: NumberType;
  readonly k: number;
  /** Null where the register holds the value without any work. */
  readonly run: Run | null;
  /** Operators in the tree: what it charges. */
  readonly ops: number;
}

/** The type of a tree that consists of numbers in registers, constants and arithmetic alone; else null. */
export function numberType(B: Builder, e: IrExpr): NumberType | null {
  const known = B.numberTypes.get(e);
  if (known !== undefined) return known;
  const t = isTree(B, e) ? typeOf(e, B.registers.types) : null;
  const type = t === "int" || t === "float" ? t : null;
  B.numberTypes.set(e, type);
  return type;
}
function isTree(B: Builder, e: IrExpr): boolean {
  switch (e.k) {
    case "local":
    case "temp":
      return B.registers.types[e.i] !== null;
    case "const":
      return typeof e.v === "number";
    case "float":
      return true;
    case "bin":
    case "inplace":
      return numberType(B, e.a) !== null && numberType(B, e.b) !== null;
    case "un":
      return e.op === "-" && numberType(B, e.a) !== null;
    default:
      return false;
  }
}

/** `dest`: the register of the result; `after`: operators charged beforehand that come after this tree. */
export function buildNumber(B: Builder, e: IrExpr, dest = -1, after = 0): NumberTree {
  const N = B.registers;
  const type = numberType(B, e)!;
  const leaf = leafRegister(N, e);
  if (leaf >= 0) {
    const ops = e.k === "un" ? 1 : 0;
    if (dest < 0 || dest === leaf) return { type, k: leaf, run: null, ops };
    return { type, k: dest, run: copy(N, type, leaf, dest), ops };
  }
  if (e.k === "un") {
    const a = buildNumber(B, e.a, -1, after);
    const k = dest >= 0 ? dest : N.fresh();
    const run = sequence(a.run, type === "float" ? floatNeg(N, a.k, k) : byValue(N, "int", k, after, () => neg(N.int(a.k))));
    return { type, k, run, ops: a.ops + 1 };
  }
  if (e.k !== "bin" && e.k !== "inplace") throw new TypeError("not a tree of numbers");
  const a = buildNumber(B, e.a, -1, after + countOps(e.b));
  const b = buildNumber(B, e.b, -1, after);
  const k = dest >= 0 ? dest : N.fresh();
  const values = sequence(a.run, b.run);
  const operands: NumberType = a.type === "float" || b.type === "float" ? "float" : "int";
  // Both operands are there before either is converted: the first to raise is the one Python meets first.
  const x = operands === a.type ? null : asFloat(N, a.k, e.a, after);
  const y = operands === b.type ? null : asFloat(N, b.k, e.b, after);
  const pre = sequence(sequence(values, x?.run ?? null), y?.run ?? null);
  const combine = e.k === "inplace" ? inplace : binary;
  const op = e.op as Parameters<typeof binary>[0];
  const general = byValue(N, type, k, after, () => combine(op, N.temporary(a.k, a.type), N.temporary(b.k, b.type)));
  const make = OPERATORS[`${operands} ${e.op}`];
  if (e.op === "+" && x === null && y === null) {
    const product = productOf(N, e.b);
    if (product !== null) {
      const run = addProduct(N.D, operands, a, product, k, sequence(b.run, general)!);
      return { type, k, run, ops: a.ops + b.ops + 1 };
    }
  }
  const run = make ? make(N.D, pre, x ? x.k : a.k, y ? y.k : b.k, k, general) : sequence(values, general)!;
  return { type, k, run, ops: a.ops + b.ops + 1 };
}

/** The registers of a product's two factors, where both are in registers already and no conversion is due. */
function productOf(N: Registers, e: IrExpr): readonly [number, number] | null {
  if (e.k !== "bin" || e.op !== "*") return null;
  const [p, q] = [leafRegister(N, e.a), leafRegister(N, e.b)];
  const alike = typeOf(e.a, N.types) === typeOf(e.b, N.types);
  return p >= 0 && q >= 0 && alike && e.a.k !== "un" && e.b.k !== "un" ? [p, q] : null;
}
/** `a + p * q` in one closure: the commonest of sums. `slow`: the product and the sum by values, the rest being done. */
function addProduct(D: Float64Array, type: NumberType, left: NumberTree, [p, q]: readonly [number, number], c: number, slow: Run): Run {
  const { k: a, run: pre } = left;
  if (type === "float")
    return () => {
      if (pre !== null) pre();
      D[c] = D[a]! + D[p]! * D[q]!;
    };
  return () => {
    if (pre !== null) pre();
    const m = D[p]! * D[q]!;
    const r = D[a]! + m;
    if (m <= INT_MAX && m >= -INT_MAX && r <= INT_MAX && r >= -INT_MAX) D[c] = r;
    else slow();
  };
}

/** The register an expression is already in, or -1. */
function leafRegister(N: Registers, e: IrExpr): number {
  if (e.k === "local" || e.k === "temp") return e.i;
  if (e.k === "const") return N.constant(e.v as number);
  if (e.k === "float") return N.constant(e.v === "inf" ? Number.POSITIVE_INFINITY : e.v);
  if (e.k === "un" && e.a.k === "const") return N.constant(0 - (e.a.v as number));
  if (e.k === "un" && e.a.k === "float" && e.a.v !== "inf") return N.constant(-e.a.v);
  return -1;
}
/** The register of a name, or a lifted value, that is an int; -1 for any other expression. */
export function intRegister(B: Builder, e: IrExpr): number {
  return (e.k === "local" || e.k === "temp") && B.registers.types[e.i] === "int" ? e.i : -1;
}
function countOps(e: IrExpr): number {
  if (e.k === "bin" || e.k === "inplace") return 1 + countOps(e.a) + countOps(e.b);
  return e.k === "un" ? 1 + countOps(e.a) : 0;
}

function sequence(a: Run | null, b: Run | null): Run | null {
  if (a === null) return b;
  if (b === null) return a;
  return () => {
    a();
    b();
  };
}
function copy(N: Registers, type: NumberType, a: number, c: number): Run {
  const { D, X } = N;
  if (type === "float")
    return () => {
      D[c] = D[a]!;
      X[c] = N.float(a);
    };
  return () => {
    const v = D[a]!;
    D[c] = v;
    // biome-ignore lint/suspicious/noSelfCompare: NaN says that the int is a big one
    if (v !== v) X[c] = X[a];
  };
}
function floatNeg(N: Registers, a: number, c: number): Run {
  const D = N.D;
  return () => {
    D[c] = -D[a]!;
  };
}
/** An int operand of a float operator, converted. */
function asFloat(N: Registers, a: number, e: IrExpr, after: number): { readonly k: number; readonly run: Run | null } {
  // A small int and the float of its value are one double.
  if (e.k === "const") return { k: a, run: null };
  const D = N.D;
  const k = N.fresh();
  const big = byValue(N, "float", k, after, () => binary("*", N.int(a), ONE));
  return {
    k,
    run: () => {
      const v = D[a]!;
      D[k] = v;
      // biome-ignore lint/suspicious/noSelfCompare: NaN says that the int is a big one
      if (v !== v) big();
    },
  };
}
const ONE = new Float(1);

/** The general way: operands as values. What is charged after the node is given back if it raises. */
function byValue(N: Registers, type: NumberType, c: number, after: number, f: () => Value): Run {
  return () => {
    try {
      N.set(c, type, f());
    } catch (thrown) {
      meter.ops -= after;
      throw thrown;
    }
  };
}

// ---- the operators ---------------------------------------------------------------------------------------------------
type Make = (D: Float64Array, pre: Run | null, a: number, b: number, c: number, slow: Run) => Run;

/** By operand type and operator. An operator that is not here takes the general way. */
const OPERATORS: { readonly [typeAndOp: string]: Make } = {
  "float +": (D, pre, a, b, c) =>
    pre === null
      ? () => {
          D[c] = D[a]! + D[b]!;
        }
      : () => {
          pre();
          D[c] = D[a]! + D[b]!;
        },
  "float -": (D, pre, a, b, c) =>
    pre === null
      ? () => {
          D[c] = D[a]! - D[b]!;
        }
      : () => {
          pre();
          D[c] = D[a]! - D[b]!;
        },
  "float *": (D, pre, a, b, c) =>
    pre === null
      ? () => {
          D[c] = D[a]! * D[b]!;
        }
      : () => {
          pre();
          D[c] = D[a]! * D[b]!;
        },
  "float /": (D, pre, a, b, c, slow) => () => {
    if (pre !== null) pre();
    const y = D[b]!;
    if (y === 0) slow();
    else D[c] = D[a]! / y;
  },
  "int +": (D, pre, a, b, c, slow) =>
    pre === null
      ? () => {
          const r = D[a]! + D[b]!;
          if (r <= INT_MAX && r >= -INT_MAX) D[c] = r;
          else slow();
        }
      : () => {
          pre();
          const r = D[a]! + D[b]!;
          if (r <= INT_MAX && r >= -INT_MAX) D[c] = r;
          else slow();
        },
  "int -": (D, pre, a, b, c, slow) =>
    pre === null
      ? () => {
          const r = D[a]! - D[b]!;
          if (r <= INT_MAX && r >= -INT_MAX) D[c] = r;
          else slow();
        }
      : () => {
          pre();
          const r = D[a]! - D[b]!;
          if (r <= INT_MAX && r >= -INT_MAX) D[c] = r;
          else slow();
        },
  // + 0: a product of zero and a negative int is 0, never -0.
  "int *": (D, pre, a, b, c, slow) =>
    pre === null
      ? () => {
          const r = D[a]! * D[b]!;
          if (r <= INT_MAX && r >= -INT_MAX) D[c] = r + 0;
          else slow();
        }
      : () => {
          pre();
          const r = D[a]! * D[b]!;
          if (r <= INT_MAX && r >= -INT_MAX) D[c] = r + 0;
          else slow();
        },
  "int /": (D, pre, a, b, c, slow) => () => {
    if (pre !== null) pre();
    const q = D[a]! / D[b]!;
    // NaN and an infinity: a big operand, or a division by zero.
    if (q - q === 0) D[c] = q;
    else slow();
  },
  "int %": (D, pre, a, b, c, slow) => () => {
    if (pre !== null) pre();
    const x = D[a]!;
    const y = D[b]!;
    if (y > 0 && y <= QUOTIENT_MAX && x <= QUOTIENT_MAX && x >= -QUOTIENT_MAX) {
      const r = x - Math.floor(x / y) * y;
      D[c] = r < 0 ? r + y : r >= y ? r - y : r;
    } else slow();
  },
  "int //": (D, pre, a, b, c, slow) => () => {
    if (pre !== null) pre();
    const x = D[a]!;
    const y = D[b]!;
    if (y > 0 && y <= QUOTIENT_MAX && x <= QUOTIENT_MAX && x >= -QUOTIENT_MAX) {
      const q = Math.floor(x / y);
      const r = x - q * y;
      D[c] = (r < 0 ? q - 1 : r >= y ? q + 1 : q) + 0;
    } else slow();
  },
  "int &": (D, pre, a, b, c, slow) => () => {
    if (pre !== null) pre();
    const x = D[a]!;
    const y = D[b]!;
    if ((x | 0) === x && (y | 0) === y) D[c] = x & y;
    else slow();
  },
};

// ---- what the rest of the machine asks for ------------------------------------------------------------------------------
/** The tree as a value. */
export function buildNumberValue(B: Builder, e: IrExpr): Eval {
  const N = B.registers;
  const { D } = N;
  const { k, run, ops, type } = buildNumber(B, e);
  if (run === null && ops === 0)
    return type === "float"
      ? () => N.float(k)
      : () => {
          const v = D[k]!;
          // biome-ignore lint/suspicious/noSelfCompare: NaN says that the int is a big one
          return v === v ? v : (N.X[k] as bigint);
        };
  const f = run ?? (() => {});
  if (type === "float")
    return () => {
      meter.ops += ops;
      f();
      return new Float(D[k]!);
    };
  return () => {
    meter.ops += ops;
    f();
    const v = D[k]!;
    // biome-ignore lint/suspicious/noSelfCompare: NaN says that the int is a big one
    return v === v ? v : (N.X[k] as bigint);
  };
}

/** A comparison of two trees. */
export function buildNumberTest(B: Builder, op: string, ea: IrExpr, eb: IrExpr, slow: (a: Value, b: Value) => boolean): () => boolean {
  const N = B.registers;
  const { D } = N;
  const ops = 1 + countOps(ea) + countOps(eb);
  const left = buildNumber(B, ea, -1, countOps(eb));
  const right = buildNumber(B, eb);
  const [a, b] = [left.k, right.k];
  const pre = sequence(left.run, right.run);
  const values = (): boolean => slow(N.temporary(a, left.type), N.temporary(b, right.type));
  // A NaN is a big int, or a float that is not a number: the general way knows.
  const small = (f: () => boolean): (() => boolean) =>
    pre === null
      ? () => {
          meter.ops += ops;
          return f();
        }
      : () => {
          meter.ops += ops;
          pre();
          return f();
        };
  switch (op) {
    case "<":
      return small(() => D[a]! < D[b]! || (!(D[a]! >= D[b]!) && values()));
    case "<=":
      return small(() => D[a]! <= D[b]! || (!(D[a]! > D[b]!) && values()));
    case ">":
      return small(() => D[a]! > D[b]! || (!(D[a]! <= D[b]!) && values()));
    case ">=":
      return small(() => D[a]! >= D[b]! || (!(D[a]! < D[b]!) && values()));
    case "==":
      return small(() => D[a]! === D[b]! || (!(D[a]! < D[b]! || D[a]! > D[b]!) && values()));
    case "!=":
      return small(() => D[a]! < D[b]! || D[a]! > D[b]! || (D[a]! !== D[b]! && values()));
    default:
      return small(values);
  }
}

/** `name = e` where the slot of the name is a register. `n`: what the transcript calls it; null where it does not. */
export function buildNumberSet(B: Builder, i: number, e: IrExpr, n: string | null, general: (e: IrExpr) => Eval): (R: Frame) => number {
  const N = B.registers;
  const type = N.types[i]!;
  if (numberType(B, e) === null) {
    const f = general(e);
    return (R) => {
      N.set(i, type, f(R));
      if (n !== null) vm.recorder.assignNumber(vm.at, n, N, i);
      return NEXT;
    };
  }
  const { run, ops } = buildNumber(B, e, i);
  const f = run ?? (() => {});
  if (type === "float" && leafRegister(N, e) < 0) return setFloat(N, i, f, ops, n);
  if (n === null)
    return () => {
      meter.ops += ops;
      f();
      return NEXT;
    };
  return () => {
    meter.ops += ops;
    f();
    vm.recorder.assignNumber(vm.at, n, N, i);
    return NEXT;
  };
}
/** A computed float is a new object. */
function setFloat(N: Registers, i: number, f: Run, ops: number, n: string | null): () => number {
  const X = N.X;
  return () => {
    meter.ops += ops;
    f();
    X[i] = undefined;
    if (n !== null) vm.recorder.assignNumber(vm.at, n, N, i);
    return NEXT;
  };
}
