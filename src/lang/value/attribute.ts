/**
 * `v.name`: methods and data attributes of every value.
 *
 * A type's methods stand in one table beside the type (`LIST_METHODS` …), its data attributes in another; this file
 * finds the tables. `callMethod` runs a method without making the bound method a value first. Attributes of subjects
 * are reads of the store and never come here.
 */
import { Refusal } from "../../failure";
import { BoundMethod, Builtin } from "./builtin-function";
import { BYTES_METHODS } from "./bytes-methods";
import { detailOf } from "./detailed-exceptions";
import { PyDict, PyDictView } from "./dict";
import { DICT_METHODS, DICT_VIEW_METHODS } from "./dict-methods";
import { raise } from "./exception";
import { EXCEPTION_METHODS, EXCEPTION_PROPERTIES } from "./exception-attributes";
import { LIST_METHODS } from "./list";
import { NUMBER_TABLES } from "./number-tables";
import { settle, type Task } from "./pending";
import { typeName } from "./protocol-type";
import { RANGE_METHODS, RANGE_PROPERTIES } from "./range";
import { FROZENSET_METHODS, SET_METHODS } from "./set-methods";
import { SLICE_METHODS, SLICE_PROPERTIES } from "./slice";
import { specialMethod, unservedSpecial } from "./special-methods";
import { STR_METHODS } from "./str-methods";
import { TUPLE_METHODS } from "./tuple";
import { PyException, PyFunction, PyIterator, PyList, PyModule, PyNative, PyOpaque, PyTuple, PyType, type Value } from "./value";

// biome-ignore lint/suspicious/noExplicitAny: the table of a type is asked only for values of that type
export type Method = (self: any, args: readonly Value[], kwargs: ReadonlyMap<string, Value> | null) => Value | Task;
// biome-ignore lint/suspicious/noExplicitAny: as above
export type Property = (self: any) => Value;

export interface TypeTables {
  readonly methods: ReadonlyMap<string, Method>;
  readonly properties: ReadonlyMap<string, Property>;
}

const NO_METHODS: ReadonlyMap<string, Method> = new Map();
const NO_PROPERTIES: ReadonlyMap<string, Property> = new Map();

const tables = (methods: ReadonlyMap<string, Method>, properties: ReadonlyMap<string, Property> = NO_PROPERTIES): TypeTables => ({
  methods,
  properties,
});

let byType: ReadonlyMap<string, TypeTables> | null = null;

/** The tables of the builtin types by CPython's name. Made at first use, because the files of the types import each other. */
function tablesByType(): ReadonlyMap<string, TypeTables> {
  byType ??= new Map<string, TypeTables>([
    ["str", tables(STR_METHODS)],
    ["bytes", tables(BYTES_METHODS)],
    ["list", tables(LIST_METHODS)],
    ["tuple", tables(TUPLE_METHODS)],
    ["dict", tables(DICT_METHODS)],
    ["set", tables(SET_METHODS)],
    ["frozenset", tables(FROZENSET_METHODS)],
    ["range", tables(RANGE_METHODS, RANGE_PROPERTIES)],
    ["slice", tables(SLICE_METHODS, SLICE_PROPERTIES)],
    ["dict_keys", tables(DICT_VIEW_METHODS)],
    ["dict_items", tables(DICT_VIEW_METHODS)],
    ["odict_keys", tables(DICT_VIEW_METHODS)],
    ["odict_items", tables(DICT_VIEW_METHODS)],
    ...NUMBER_TABLES,
  ]);
  return byType;
}

const NONE: TypeTables = tables(NO_METHODS);
const OF_EXCEPTIONS: TypeTables = tables(EXCEPTION_METHODS);

/** Whether a builtin type has a method of that name. */
export function isUsualName(name: string): boolean {
  for (const { methods } of tablesByType().values()) if (methods.has(name)) return true;
  return false;
}

/** Tables of a type by name, for `str.upper` and the checker; empty where the type has none. */
export function tablesOf(type: string): TypeTables {
  return tablesByType().get(type) ?? NONE;
}

function tablesFor(v: Value): TypeTables {
  if (v instanceof PyDict) return v.tables ?? tablesOf("dict");
  if (v instanceof PyTuple) return v.tables ?? tablesOf("tuple");
  if (v instanceof PyNative) return { methods: v.methods, properties: NO_PROPERTIES };
  if (v instanceof PyException) return OF_EXCEPTIONS;
  return tablesOf(typeName(v));
}

/** A method of the types that programs call methods of most, found once for a name. */
export interface UsualMethods {
  readonly ofStr: Method | undefined;
  readonly ofList: Method | undefined;
  readonly ofDict: Method | undefined;
}
export function usualMethods(name: string): UsualMethods {
  return { ofStr: STR_METHODS.get(name), ofList: LIST_METHODS.get(name), ofDict: DICT_METHODS.get(name) };
}
/** `methodOf(v, name)`, where `usual` is of that name. */
export function methodBy(usual: UsualMethods, v: Value, name: string): Method | undefined {
  const found =
    typeof v === "string"
      ? usual.ofStr
      : v instanceof PyList
        ? usual.ofList
        : v instanceof PyDict && v.tables === null
          ? usual.ofDict
          : undefined;
  return found ?? methodOf(v, name);
}

export function methodOf(v: Value, name: string): Method | undefined {
  if (typeof v === "string" || v instanceof PyList) {
    const method = (typeof v === "string" ? STR_METHODS : LIST_METHODS).get(name);
    if (method !== undefined) return method;
  }
  return tablesFor(v).methods.get(name) ?? (name.startsWith("__") && !(v instanceof PyType) ? specialMethod(v, name) : undefined);
}

/** The data attribute, or undefined where there is none. */
function dataAttribute(v: Value, name: string): Value | undefined {
  if (v instanceof PyModule) return v.member(name);
  if (v instanceof PyOpaque || v instanceof PyNative) return v.attribute(name);
  if (v instanceof PyFunction) return name === "__name__" ? v.name : name === "__qualname__" ? v.qualname : v.attribute(name);
  if (v instanceof PyException) {
    const own = EXCEPTION_PROPERTIES.get(name)?.(v);
    if (own !== undefined) return own;
    const detail = detailOf(v, name);
    return detail === undefined ? v.attributes?.get(name) : detail;
  }
  return tablesFor(v).properties.get(name)?.(v);
}

/** `v.name`. AttributeError in CPython's words. */
export function getAttribute(v: Value, name: string): Value {
  const found = findAttribute(v, name);
  return found === undefined ? attributeError(v, name) : found;
}

/** `v.name`, undefined where there is no such attribute. */
export function findAttribute(v: Value, name: string): Value | undefined {
  const method = methodOf(v, name);
  if (method !== undefined) return new BoundMethod(v, name, method);
  const data = dataAttribute(v, name);
  if (data !== undefined) return data;
  const type = classOf(v);
  if (name === "__class__") return type;
  // A class method, reached through an instance: `(5).from_bytes`.
  const ofType = type instanceof PyType && !(v instanceof PyType) ? type.attribute(name) : undefined;
  return ofType instanceof Builtin ? ofType : undefined;
}

/** `v.name(*args, **kwargs)`. */
export function callMethod(v: Value, name: string, args: readonly Value[], kwargs: ReadonlyMap<string, Value> | null): Value {
  const method = methodOf(v, name);
  if (method !== undefined) return settle(method(v, args, kwargs));
  const f = getAttribute(v, name);
  if (f instanceof PyFunction) return f.call(args, kwargs);
  raise("TypeError", `'${typeName(f)}' object is not callable`);
}

export function attributeError(v: Value, name: string): never {
  refuseUnserved(v, name);
  if (v instanceof PyType) raise("AttributeError", `type object '${v.name}' has no attribute '${name}'`);
  if (v instanceof PyModule) raise("AttributeError", `module '${v.name}' has no attribute '${name}'`);
  raise("AttributeError", `'${typeName(v)}' object has no attribute '${name}'`);
}

/** Attributes CPython has and this language does not: no AttributeError, which would be a wrong answer. */
function refuseUnserved(v: Value, name: string): void {
  const special = unservedSpecial(name);
  if (special !== null) throw new Refusal("out_of_surface", special, null, false);
  const there =
    (v instanceof PyException && UNSERVED_OF_EXCEPTIONS.has(name)) ||
    (v instanceof PyIterator && v.typeName === "generator" && UNSERVED_OF_GENERATORS.test(name)) ||
    (v instanceof PyDictView && name === "mapping") ||
    (v instanceof PyType && (name.startsWith("__") || UNSERVED_OF_TYPES.has(name) || v.hides(name)));
  if (there) throw new Refusal("out_of_surface", `\`${name}\` is not served`, null, false);
}
const UNSERVED_OF_EXCEPTIONS: ReadonlySet<string> = new Set(["with_traceback", "name", "obj"]);
const UNSERVED_OF_GENERATORS = /^(close|send|throw|gi_\w+)$/;
const UNSERVED_OF_TYPES: ReadonlySet<string> = new Set(["real", "imag", "numerator", "denominator", "start", "stop", "step"]);

/** `type(v)`: builtins/types.ts puts the types here, because value/ may not import what is above it. */
let classOf: (v: Value) => Value | undefined = () => undefined;
export function provideTypes(of: (v: Value) => Value | undefined): void {
  classOf = of;
}
