/** `type(v)`: the type of every value as a value, and `type` itself. */

import { Refusal } from "../../failure";
import { noKeywords } from "../value/arguments";
import { provideTypes } from "../value/attribute";
import type { BuiltinBody } from "../value/builtin-function";
import { PyDict } from "../value/dict";
import { raise } from "../value/exception";
import { typeName } from "../value/protocol-type";
import { PyNative, PyTuple, PyType, type Value } from "../value/value";
import { BuiltinType } from "./builtin-type";
import { COLLECTION_TYPES } from "./collection-types";
import { EXCEPTION_TYPES } from "./exception-types";
import { DATETIME, DURATION } from "./instant-types";
import { NUMBER_TYPES } from "./number-types";
import { BYTES, STR } from "./text-types";

const TYPE: BuiltinType = new BuiltinType(
  "type",
  (args, kwargs) => {
    if (args.length === 3) throw new Refusal("out_of_surface", "types are not made as a program runs: declare a class in a module");
    if (args.length !== 1) raise("TypeError", "type() takes 1 or 3 arguments");
    noKeywords("type", kwargs);
    return typeOf(args[0]);
  },
  (v) => v instanceof PyType,
);

/** The types a program can name, by name. */
export const NAMED_TYPES: ReadonlyMap<string, BuiltinType> = new Map(
  [...NUMBER_TYPES, STR, BYTES, ...COLLECTION_TYPES, DATETIME, DURATION, TYPE, ...EXCEPTION_TYPES.values()].map((t) => [t.name, t]),
);

/** `name` with its module where it has one, as `types.UnionType`. */
class UnnamedType extends BuiltinType {
  constructor(
    private readonly qualified: string,
    construct: BuiltinBody,
    test: (v: Value) => boolean,
  ) {
    super(qualified.slice(qualified.lastIndexOf(".") + 1), construct, test);
  }
  override ownRepr(): string {
    return `<class '${this.qualified}'>`;
  }
}

/** Types of the served modules that their values do not bring themselves, by `typeName`. */
const served = new Map<string, PyType>();
export function serveType(name: string, type: PyType): void {
  served.set(name, type);
}

/** Types without a name in programs (`NoneType`, `list_iterator` …), made when first asked for: only identity and name matter. */
const unnamed = new Map<string, BuiltinType>();

/** `type(v)`. */
export function typeOf(v: Value): PyType {
  if (v instanceof PyDict || v instanceof PyTuple || v instanceof PyNative) {
    if (v.pyType !== null) return v.pyType;
  }
  const name = typeName(v);
  const named = NAMED_TYPES.get(name) ?? served.get(name);
  if (named !== undefined) return named;
  let type = unnamed.get(name);
  if (type === undefined) {
    type = new UnnamedType(
      name,
      () => raise("TypeError", `cannot create '${name}' instances`),
      (other) => typeName(other) === name,
    );
    unnamed.set(name, type);
  }
  return type;
}

provideTypes(typeOf);
