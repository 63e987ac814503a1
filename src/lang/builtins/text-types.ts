/** `str`, `bytes` and DKE's `blob` as values: what calling them makes. */
import { Bytes } from "../../datum";
import { bindArgs, checkCount, noKeywords, parameters } from "../value/arguments";
import { bytesFromHex, bytesMaketrans } from "../value/bytes-methods";
import { decodeBytes, encodeText } from "../value/encoding";
import { raise } from "../value/exception";
import { indexOf } from "../value/index-of";
import { checkChars, spendOps } from "../value/meter";
import type { Task } from "../value/pending";
import { isIterable } from "../value/protocol-iterate";
import { str } from "../value/protocol-text";
import { typeName } from "../value/protocol-type";
import { codecArgument, strMaketrans } from "../value/str-methods";
import type { Value } from "../value/value";
import { walk } from "../value/walk";
import { checkGrowing } from "../value/weight";
import { BuiltinType } from "./builtin-type";

const STR_PARAMETERS = parameters("str", "object encoding errors", 0);
export const STR = new BuiltinType(
  "str",
  (args, kwargs) => {
    if (args.length === 1 && kwargs === null) return str(args[0]);
    const [object, encodingArgument, errorsArgument] = bindArgs(STR_PARAMETERS, args, kwargs);
    const encoding = codecArgument("str", "encoding", encodingArgument);
    const errors = codecArgument("str", "errors", errorsArgument);
    if (object === undefined) return "";
    if (encoding === undefined && errors === undefined) return str(object);
    if (typeof object === "string") raise("TypeError", "decoding str is not supported");
    if (!(object instanceof Bytes)) raise("TypeError", `decoding to str: need a bytes-like object, ${typeName(object)} found`);
    return decodeBytes(object.b, encoding, errors);
  },
  (v) => typeof v === "string",
  null,
  { maketrans: strMaketrans },
  "",
);

const BYTES_PARAMETERS = parameters("bytes", "source encoding errors", 0);
export const BYTES = new BuiltinType(
  "bytes",
  (args, kwargs) => {
    const [source, encodingArgument, errorsArgument] = bindArgs(BYTES_PARAMETERS, args, kwargs);
    const encoding = codecArgument("bytes", "encoding", encodingArgument);
    const errors = codecArgument("bytes", "errors", errorsArgument);
    if (typeof source === "string") {
      if (encoding === undefined) raise("TypeError", "string argument without an encoding");
      return encodeText(source, encoding, errors);
    }
    if (encoding !== undefined) raise("TypeError", "encoding without a string argument");
    if (errors !== undefined) raise("TypeError", "errors without a string argument");
    return bytesFrom(source);
  },
  (v) => v instanceof Bytes,
  null,
  { fromhex: bytesFromHex, maketrans: bytesMaketrans },
);

/** `bytes(source)`: a count of zeros, bytes, or an iterable of ints. */
function bytesFrom(source: Value | undefined): Value | Task {
  if (source === undefined) return new Bytes(new Uint8Array(0));
  if (source instanceof Bytes) return source;
  if (typeof source === "number" || typeof source === "bigint" || typeof source === "boolean") {
    const n = indexOf(source);
    if (typeof n === "bigint" && (n > 9223372036854775807n || n < -9223372036854775808n))
      raise("OverflowError", "cannot fit 'int' into an index-sized integer");
    if (n < 0) raise("ValueError", "negative count");
    checkChars(Number(n));
    return new Bytes(new Uint8Array(Number(n)));
  }
  if (!isIterable(source)) raise("TypeError", `cannot convert '${typeName(source)}' object to bytes`);
  const octets: number[] = [];
  return walk(
    source,
    (v) => {
      spendOps(1);
      const n = indexOf(v);
      if (n < 0 || n > 255) raise("ValueError", "bytes must be in range(0, 256)");
      checkGrowing(octets);
      octets.push(Number(n));
    },
    () => new Bytes(Uint8Array.from(octets)),
  );
}

/** `blob(x)`: bytes from a hex text, or bytes themselves (language.md §2). */
export function blob(args: readonly Value[], kwargs: ReadonlyMap<string, Value> | null): Value {
  noKeywords("blob", kwargs);
  checkCount("blob", args.length, 1, 1);
  const [x] = args;
  if (x instanceof Bytes) return x;
  if (typeof x === "string") return bytesFromHex(args, null);
  raise("TypeError", `blob() argument must be a text of hexadecimal digits or bytes, not '${typeName(x)}'`);
}
