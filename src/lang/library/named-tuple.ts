/** `collections.namedtuple`: makes a type whose values are tuples with names for their places. */

import { KEYWORDS } from "../syntax/token";
import type { Kwargs } from "../value/arguments";
import type { Method, Property, TypeTables } from "../value/attribute";
import { dictOf, type PyDict } from "../value/dict";
import { raise } from "../value/exception";
import type { Task } from "../value/pending";
import { takeAll, truthy } from "../value/protocol-iterate";
import { repr, str } from "../value/protocol-text";
import { TUPLE_METHODS } from "../value/tuple";
import { isIdentifier } from "../value/unicode";
import { PyTuple, type PyType, type Value } from "../value/value";
import { taking } from "../value/walk";
import { TUPLE_TYPE } from "./dict-type";
import { bindPython, signature } from "./python-call";
import { LibraryType } from "./type";

/** What the values of one made type share. */
interface Kind {
  readonly name: string;
  readonly fields: readonly string[];
  readonly tables: TypeTables;
  type: PyType;
}

class NamedTuple extends PyTuple {
  constructor(
    readonly kind: Kind,
    values: readonly Value[],
  ) {
    super(values);
  }
  override get pyType(): PyType {
    return this.kind.type;
  }
  override get tables(): TypeTables {
    return this.kind.tables;
  }
  override get typeName(): string {
    return this.kind.name;
  }
  override namedRepr(write: (v: Value) => string): string {
    return `${this.kind.name}(${this.a.map((v, i) => `${this.kind.fields[i]}=${write(v)}`).join(", ")})`;
  }
}

const NAMEDTUPLE = signature("namedtuple", "typename field_names", 2, 0, "rename defaults module");

/** `within`: the module it is called in, which the type names unless `module=` is given. */
export function namedtuple(args: readonly Value[], kwargs: Kwargs, within: string): Value {
  const [typename, fieldNames, rename, defaults, module] = bindPython(NAMEDTUPLE, args, kwargs);
  const name = str(typename as Value);
  const given =
    typeof fieldNames === "string"
      ? fieldNames
          .replaceAll(",", " ")
          .split(/[ \t\n\r\f\v]+/)
          .filter((f) => f !== "")
      : takeAll(fieldNames as Value).map(str);
  const fields = checked(name, rename !== undefined && truthy(rename) ? renamed(given) : given);
  const values = defaults === undefined || defaults === null ? [] : takeAll(defaults);
  if (values.length > fields.length) raise("TypeError", "Got more default values than field names");
  return typeOf(name, fields, values, module === undefined || module === null ? within : str(module));
}

/** Names that may not stand become `_` and their place. */
function renamed(given: readonly string[]): string[] {
  const seen = new Set<string>();
  return given.map((field, i) => {
    const bad = !isIdentifier(field) || KEYWORDS.has(field) || field.startsWith("_") || seen.has(field);
    seen.add(field);
    return bad ? `_${i}` : field;
  });
}

function checked(name: string, fields: readonly string[]): readonly string[] {
  for (const word of [name, ...fields]) {
    if (!isIdentifier(word)) raise("ValueError", `Type names and field names must be valid identifiers: ${repr(word)}`);
    if (KEYWORDS.has(word)) raise("ValueError", `Type names and field names cannot be a keyword: ${repr(word)}`);
  }
  const seen = new Set<string>();
  fields.forEach((field, i) => {
    if (field.startsWith("_") && field !== `_${i}`) raise("ValueError", `Field names cannot start with an underscore: ${repr(field)}`);
    if (seen.has(field)) raise("ValueError", `Encountered duplicate field name: ${repr(field)}`);
    seen.add(field);
  });
  return fields;
}

function typeOf(name: string, fields: readonly string[], defaults: readonly Value[], module: string): Value {
  const first = fields.length - defaults.length;
  const form = signature(`${name}.__new__`, fields.join(" "), first, 1);
  const build = (args: readonly Value[], kwargs: Kwargs): NamedTuple =>
    new NamedTuple(
      kind,
      bindPython(form, args, kwargs).map((v, i) => (v === undefined ? defaults[i - first] : v)),
    );
  const make = (args: readonly Value[], kwargs: Kwargs): Value | Task => {
    const [iterable] = bindPython(signature(`${name}._make`, "iterable", 1, 1), args, kwargs);
    return taking(iterable as Value, (values) => {
      if (values.length !== fields.length) raise("TypeError", `Expected ${fields.length} arguments, got ${values.length}`);
      return new NamedTuple(kind, values);
    });
  };
  const fieldTuple = new PyTuple(fields);
  const defaultDict = (): PyDict => dictOf(defaults.map((v, i) => [fields[first + i], v] as const));
  const methods = new Map<string, Method>([
    ...TUPLE_METHODS,
    ["_make", (_self, args, kwargs) => make(args, kwargs)],
    [
      "_asdict",
      (self: NamedTuple, args, kwargs) => {
        bindPython(signature(`${name}._asdict`, "", 0, 1), args, kwargs);
        return dictOf(fields.map((field, i) => [field, self.a[i]] as const));
      },
    ],
    ["_replace", (self: NamedTuple, args, kwargs) => replaced(self, args, kwargs)],
  ]);
  const properties = new Map<string, Property>([
    ["_fields", () => fieldTuple],
    ["_field_defaults", defaultDict],
    ...fields.map((field, i): [string, Property] => [field, (self: NamedTuple) => self.a[i]]),
  ]);
  const type = new NamedTupleType(
    `${module}.${name}`,
    kindTest,
    build,
    { _make: make },
    methods,
    new Map<string, Value>([["_fields", fieldTuple]]),
    defaultDict,
    fields,
  );
  const kind: Kind = { name, fields, tables: { methods, properties }, type };
  function kindTest(v: Value): boolean {
    return v instanceof NamedTuple && v.kind === kind;
  }
  return type;
}

class NamedTupleType extends LibraryType {
  constructor(
    name: string,
    test: (v: Value) => boolean,
    build: (args: readonly Value[], kwargs: Kwargs) => Value,
    classMethods: Readonly<Record<string, (args: readonly Value[], kwargs: Kwargs) => Value>>,
    methods: ReadonlyMap<string, Method>,
    private readonly data: ReadonlyMap<string, Value>,
    private readonly defaults: () => Value,
    private readonly fields: readonly string[],
  ) {
    super(name, test, build, TUPLE_TYPE, classMethods, methods);
  }
  override get matchArgs(): readonly string[] {
    return this.fields;
  }
  /** A field's descriptor. */
  override hides(name: string): boolean {
    return this.fields.includes(name);
  }
  override attribute(name: string): Value | undefined {
    return this.data.get(name) ?? (name === "_field_defaults" ? this.defaults() : super.attribute(name));
  }
}

function replaced(self: NamedTuple, args: readonly Value[], kwargs: Kwargs): Value {
  if (args.length > 0) raise("TypeError", `${self.kind.name}._replace() takes 1 positional argument but ${args.length + 1} were given`);
  const left = new Map(kwargs ?? []);
  const values = self.a.map((v, i) => {
    const field = self.kind.fields[i];
    const given = left.get(field);
    if (!left.delete(field)) return v;
    return given as Value;
  });
  if (left.size > 0) raise("ValueError", `Got unexpected field names: [${[...left.keys()].map(repr).join(", ")}]`);
  return new NamedTuple(self.kind, values);
}
