/**
 * What a value's type is called: by CPython (`type(x).__name__`, messages) and by the wire (`type` of a transcript
 * entry, rulings "Transcript and result words").
 */
import { Bytes, Complex, Datetime, Duration, Float, Subject } from "../../datum";
import { PyDict, PyDictView } from "./dict";
import { PyFrozenSet, PySet } from "./set";
import {
  PyEllipsis,
  PyException,
  PyFunction,
  PyIterator,
  PyList,
  PyModule,
  PyNative,
  PyOpaque,
  PyRange,
  PySlice,
  PyStringList,
  PyTuple,
  type Value,
} from "./value";

/** CPython's name of the type. */
export function typeName(v: Value): string {
  switch (typeof v) {
    case "number":
    case "bigint":
      return "int";
    case "string":
      return "str";
    case "boolean":
      return "bool";
  }
  if (v === null) return "NoneType";
  if (v instanceof Float) return "float";
  if (v instanceof PyList) return "list";
  if (v instanceof PyTuple) return v.typeName;
  if (v instanceof PyDict) return v.typeName;
  if (v instanceof PySet) return "set";
  if (v instanceof PyFrozenSet) return "frozenset";
  if (v instanceof PyRange) return "range";
  if (v instanceof PySlice) return "slice";
  if (v instanceof Bytes) return "bytes";
  if (v instanceof Complex) return "complex";
  if (v instanceof Datetime) return "datetime";
  if (v instanceof Duration) return "duration";
  if (v instanceof Subject) return "subject";
  if (v instanceof PyIterator || v instanceof PyFunction || v instanceof PyOpaque || v instanceof PyNative) return v.typeName;
  if (v instanceof PyDictView) return v.typeName;
  if (v instanceof PyException) return v.className;
  if (v instanceof PyModule) return "module";
  if (v instanceof PyEllipsis) return "ellipsis";
  const never: never = v;
  return String(never);
}

/** `type(v).__name__`, which leaves out the module that `typeName` may have. */
export function className(v: Value): string {
  const name = typeName(v);
  return name.slice(name.lastIndexOf(".") + 1);
}

const WORD: ReadonlyMap<string, string> = new Map([
  ["NoneType", "none"],
  ["float", "real"],
  ["str", "string"],
  ["bytes", "blob"],
]);

/** The transcript's word for the type; of a type that the list has no word for, CPython's `type(v).__name__`. */
export function typeWord(v: Value): string {
  if (v instanceof PyStringList) return "string_list";
  if (v instanceof PyIterator) return "iterator";
  if (v instanceof PyFunction) return "function";
  if (v instanceof PyTuple) return "tuple";
  if (v instanceof PyDict) return "dict";
  if (v instanceof PyNative) return v.typeWord;
  return WORD.get(typeName(v)) ?? className(v);
}
