/**
 * Builtin types as values (`int`, `list`, `map`, `ValueError`): callable, comparable by identity, with their class methods
 * and their methods taken unbound (`str.upper`).
 */
import { type Method, tablesOf } from "../value/attribute";
import { Builtin, type BuiltinBody, UnboundMethod } from "../value/builtin-function";
import { raise } from "../value/exception";
import { begin, type Pending, settle } from "../value/pending";
import { typeName } from "../value/protocol-type";
import { specialMethod } from "../value/special-methods";
import { PyNative, PyType, type Value } from "../value/value";

export class BuiltinType extends PyType {
  private readonly made = new Map<string, Value>();
  constructor(
    readonly name: string,
    private readonly construct: BuiltinBody,
    private readonly test: (v: Value) => boolean,
    /** The type above it, where that is not `object`. */
    readonly parent: BuiltinType | null = null,
    private readonly classMethods: Readonly<Record<string, BuiltinBody>> = {},
    /** Some instance: tells which special methods (`str.__len__`) the type has. */
    private readonly sample?: Value,
  ) {
    super();
  }
  override call(args: readonly Value[], kwargs: ReadonlyMap<string, Value> | null): Value {
    return settle(this.construct(args, kwargs));
  }
  override start(args: readonly Value[], kwargs: ReadonlyMap<string, Value> | null): Value | Pending {
    return begin(this.construct(args, kwargs));
  }
  override isInstance(v: Value): boolean {
    return this.test(v);
  }
  override isSubtypeOf(other: PyType): boolean {
    return this === other || (this.parent?.isSubtypeOf(other) ?? false);
  }
  override attribute(name: string): Value | undefined {
    let value = this.made.get(name);
    if (value === undefined) {
      value = this.make(name);
      if (value !== undefined) this.made.set(name, value);
    }
    return value;
  }

  /** As descriptors name it: with its module, where it is of one. */
  protected get fullName(): string {
    return this.name;
  }
  protected get methodTable(): ReadonlyMap<string, Method> {
    return tablesOf(this.name).methods;
  }

  private make(name: string): Value | undefined {
    if (Object.hasOwn(this.classMethods, name)) return new Builtin(name, this.classMethods[name]);
    const method = this.methodTable.get(name) ?? (this.sample === undefined ? undefined : specialMethod(this.sample, name));
    if (method === undefined) return undefined;
    return new UnboundMethod(this.fullName, name, (args, kwargs) => {
      if (args.length === 0) raise("TypeError", `unbound method ${this.name}.${name}() needs an argument`);
      if (!this.isInstance(args[0]))
        raise("TypeError", `descriptor '${name}' for '${this.fullName}' objects doesn't apply to a '${typeName(args[0])}' object`);
      return method(receiver(args[0]), args.slice(1), kwargs);
    });
  }
}

/** A value as the methods of its builtin type take it. */
function receiver(v: Value): Value {
  return v instanceof PyNative ? (v.asInt?.() ?? v) : v;
}
