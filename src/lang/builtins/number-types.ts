/** `bool`, `int`, `float`, `complex` as values: what calling them makes. */
import { Bytes, Complex, Float } from "../../datum";
import { bindArgs, checkCount, type Kwargs, noKeywords, oneArg, parameters } from "../value/arguments";
import { raise } from "../value/exception";
import { floatToInt, realToDouble } from "../value/float";
import { complexFromText, floatFromBytesText, floatFromHex, floatFromText } from "../value/float-text";
import { indexOf } from "../value/index-of";
import { checkByteOrder, intFromBytes, intFromBytesText, intFromText } from "../value/int-text";
import { isReal } from "../value/protocol-arith";
import { isIterable, takeAll, truthy } from "../value/protocol-iterate";
import { typeName } from "../value/protocol-type";
import { PyNative, type Value } from "../value/value";
import { BuiltinType } from "./builtin-type";

const INT_PARAMETERS = parameters("int", "_ base", 0);

const INT = new BuiltinType(
  "int",
  (args, kwargs) => {
    const [x, base] = bindArgs(INT_PARAMETERS, args, kwargs);
    if (x === undefined) {
      if (base !== undefined) raise("TypeError", "int() missing string argument");
      return 0;
    }
    if (base !== undefined) {
      const radix = Number(indexOf(base));
      if (radix !== 0 && (radix < 2 || radix > 36)) raise("ValueError", "int() base must be >= 2 and <= 36, or 0");
      if (typeof x === "string") return intFromText(x, radix);
      if (x instanceof Bytes) return intFromBytesText(x, radix);
      raise("TypeError", "int() can't convert non-string with explicit base");
    }
    if (typeof x === "number" || typeof x === "bigint") return x;
    if (typeof x === "boolean") return x ? 1 : 0;
    if (x instanceof Float) return floatToInt(x.v);
    if (typeof x === "string") return intFromText(x, 10);
    if (x instanceof PyNative && x.asInt !== undefined) return x.asInt();
    if (x instanceof Bytes) return intFromBytesText(x, 10);
    raise("TypeError", `int() argument must be a string, a bytes-like object or a real number, not '${typeName(x)}'`);
  },
  (v) => typeof v === "number" || typeof v === "bigint" || typeof v === "boolean" || (v instanceof PyNative && v.asInt !== undefined),
  null,
  { from_bytes: fromBytes },
);

const FROM_BYTES_PARAMETERS = parameters("from_bytes", "bytes byteorder signed", 1, 2);
function fromBytes(args: readonly Value[], kwargs: Kwargs): Value {
  const [source, order = "big", signed = false] = bindArgs(FROM_BYTES_PARAMETERS, args, kwargs);
  if (typeof order !== "string")
    raise("TypeError", `from_bytes() argument 'byteorder' must be str, not ${order === null ? "None" : typeName(order)}`);
  checkByteOrder(order);
  return intFromBytes(bytesOf(source!), order, truthy(signed));
}
function bytesOf(source: Value): Uint8Array {
  if (source instanceof Bytes) return source.b;
  if (typeof source === "string" || !isIterable(source)) raise("TypeError", `cannot convert '${typeName(source)}' object to bytes`);
  return Uint8Array.from(takeAll(source), (v) => {
    const n = indexOf(v);
    if (n < 0 || n > 255) raise("ValueError", "bytes must be in range(0, 256)");
    return Number(n);
  });
}

const BOOL = new BuiltinType(
  "bool",
  (args, kwargs) => {
    noKeywords("bool", kwargs);
    checkCount("bool", args.length, 0, 1);
    return args.length === 1 && truthy(args[0]);
  },
  (v) => typeof v === "boolean",
  INT,
  { from_bytes: (args, kwargs) => truthy(fromBytes(args, kwargs)) },
);

const FLOAT = new BuiltinType(
  "float",
  (args, kwargs) => {
    noKeywords("float", kwargs);
    checkCount("float", args.length, 0, 1);
    if (args.length === 0) return new Float(0);
    const [x] = args;
    if (x instanceof Float) return x;
    if (isReal(x)) return new Float(realToDouble(x));
    if (typeof x === "string") return new Float(floatFromText(x));
    if (x instanceof Bytes) return new Float(floatFromBytesText(x));
    raise("TypeError", `float() argument must be a string or a real number, not '${typeName(x)}'`);
  },
  (v) => v instanceof Float,
  null,
  {
    fromhex: (args, kwargs) => {
      const text = oneArg("float.fromhex", args, kwargs);
      if (typeof text !== "string") raise("TypeError", "bad argument type for built-in operation");
      return new Float(floatFromHex(text));
    },
  },
);

const COMPLEX_PARAMETERS = parameters("complex", "real imag", 0);
const COMPLEX = new BuiltinType(
  "complex",
  (args, kwargs) => {
    const [r, i] = bindArgs(COMPLEX_PARAMETERS, args, kwargs);
    if (r instanceof Complex && i === undefined) return r;
    if (typeof r === "string") {
      if (i !== undefined) raise("TypeError", "complex() can't take second arg if first is a string");
      return complexFromText(r);
    }
    if (typeof i === "string") raise("TypeError", "complex() second arg can't be a string");
    if (r !== undefined && !isReal(r) && !(r instanceof Complex))
      raise("TypeError", `complex() first argument must be a string or a number, not '${typeName(r)}'`);
    if (i !== undefined && !isReal(i) && !(i instanceof Complex))
      raise("TypeError", `complex() second argument must be a number, not '${typeName(i)}'`);
    // real + imag·j, where either may itself be complex.
    let re = r === undefined ? 0 : r instanceof Complex ? r.re : realToDouble(r);
    let im = i === undefined ? 0 : i instanceof Complex ? i.re : realToDouble(i);
    if (i instanceof Complex) re -= i.im;
    if (r instanceof Complex) im += r.im;
    return new Complex(re, im);
  },
  (v) => v instanceof Complex,
);

export const NUMBER_TYPES: readonly BuiltinType[] = [INT, BOOL, FLOAT, COMPLEX];
