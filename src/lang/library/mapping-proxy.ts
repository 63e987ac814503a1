/** A dict that may only be read, and is no `dict` to `isinstance`: `re.Pattern.groupindex`. */
import type { Method, TypeTables } from "../value/attribute";
import { PyDict } from "../value/dict";
import { DICT_METHODS } from "../value/dict-methods";
import { raise } from "../value/exception";
import type { Value } from "../value/value";

const READING = ["copy", "get", "items", "keys", "values"];
const TABLES: TypeTables = {
  methods: new Map(READING.map((name): [string, Method] => [name, DICT_METHODS.get(name)!])),
  properties: new Map(),
};

export class MappingProxy extends PyDict {
  constructor(private readonly of: PyDict) {
    super();
    this.assign(of);
  }
  override get typeName(): string {
    return "mappingproxy";
  }
  override get tables(): TypeTables {
    return TABLES;
  }
  override get isDict(): boolean {
    return false;
  }
  /** `str` shows the dict itself. */
  override get shown(): PyDict {
    return this.of;
  }
  override reprAround(): readonly [string, string] {
    return ["mappingproxy(", ")"];
  }
  override copy(): PyDict {
    return this.of.copy();
  }
  override set(): never {
    raise("TypeError", "'mappingproxy' object does not support item assignment");
  }
  override setKeyed(): never {
    return this.set();
  }
  override delete(): never {
    raise("TypeError", "'mappingproxy' object doesn't support item deletion");
  }
  override binary(op: string, other: Value): Value | undefined {
    return op === "|=" && other instanceof PyDict
      ? raise("TypeError", `'${op}' is not supported by mappingproxy; use '|' instead`)
      : undefined;
  }
}
