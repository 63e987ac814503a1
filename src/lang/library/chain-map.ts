/**
 * `collections.ChainMap`: several mappings read as one, the first that has a key answering; what is written goes to the first.
 * It keeps the mappings themselves, so that what changes in them shows.
 */
import type { Kwargs } from "../value/arguments";
import { callMethod, type Method } from "../value/attribute";
import type { BuiltinBody } from "../value/builtin-function";
import { DictIterator, PyDict } from "../value/dict";
import { dictUpdate, fromKeys, keyError } from "../value/dict-methods";
import { raise } from "../value/exception";
import { isMapping, lookUp, mappingOf, takenFor } from "../value/mapping";
import { checkJoined, spendOps, spendSteps } from "../value/meter";
import { settle, type Task } from "../value/pending";
import { deeper, equal } from "../value/protocol-equal";
import { hashKey } from "../value/protocol-hash";
import { delItem, getItem, setItem } from "../value/protocol-item";
import { contains, iterate, truthy, unpacked } from "../value/protocol-iterate";
import { repr } from "../value/protocol-text";
import { DONE, PyException, type PyIterator, PyList, PyNative, type PyType, Raised, type Value } from "../value/value";
import { walk } from "../value/walk";
import { MappingView } from "./mapping-view";
import { bindPython, type Signature, signature } from "./python-call";
import { ServedType } from "./type";

/** Chains of chains that are asked at once. */
let depth = 0;
function within<T>(of: () => T): T {
  deeper(depth);
  depth++;
  try {
    return of();
  } finally {
    depth--;
  }
}

/** What the first mapping does, its KeyError in the chain's words. */
function orElse(of: () => Value, words: () => string): Value {
  try {
    return of();
  } catch (thrown) {
    const said = new PyException("KeyError", [words()]);
    said.context = takenFor(thrown, "KeyError");
    throw new Raised(said);
  }
}

export class ChainMap extends PyNative {
  readonly typeName = "ChainMap";
  readonly methods = METHODS;
  readonly maps: PyList;
  private showing = false;
  constructor(maps: readonly Value[]) {
    super();
    checkJoined(0, maps.length);
    this.maps = new PyList(maps.length === 0 ? [new PyDict()] : maps.slice());
  }
  override get pyType(): PyType {
    return CHAIN_MAP;
  }
  override get isUnchanging(): boolean {
    return false;
  }
  override get spelled(): readonly Value[] {
    return this.maps.a;
  }
  get first(): Value {
    return getItem(this.maps, 0);
  }
  /** What the first mapping does by a method of its own. */
  firstDoes(method: string, args: readonly Value[] = []): Value {
    return within(() => callMethod(this.first, method, args, null));
  }
  override attribute(name: string): Value | undefined {
    if (name === "maps") return this.maps;
    return name === "parents" ? new ChainMap(this.maps.a.slice(1)) : undefined;
  }
  override getItem(key: Value): Value {
    return within(() => {
      for (const m of this.maps.a) {
        spendSteps(1);
        const there = lookUp(m, key);
        if (there !== undefined) return there;
      }
      return keyError(key);
    });
  }
  override contains(key: Value): boolean {
    return within(() =>
      this.maps.a.some((m) => {
        spendSteps(1);
        return contains(m, key);
      }),
    );
  }
  override length(): number {
    return within(() => {
      const seen = new Set<unknown>();
      for (const m of this.maps.a) each(m, (key) => seen.add(hashKey(key)));
      return seen.size;
    });
  }
  /** Its keys in order: those of the last mapping first, as if each mapping had updated the one behind it. */
  private ordered(): PyDict {
    return within(() => {
      const keys = new PyDict();
      for (const m of this.maps.a.slice().reverse()) each(m, (key) => keys.set(key, null));
      return keys;
    });
  }
  override iterate(): PyIterator {
    return new DictIterator(this.ordered(), "keys");
  }
  override asDict(): PyDict {
    const dict = new PyDict();
    for (const key of this.ordered().keys()) dict.set(key, this.getItem(key));
    return dict;
  }
  override setItem(key: Value, value: Value): void {
    within(() => setItem(this.first, key, value));
  }
  override delItem(key: Value): void {
    orElse(
      () => {
        within(() => delItem(this.first, key));
        return null;
      },
      () => missing(key),
    );
  }
  override truth(): boolean {
    return within(() => this.maps.a.some(truthy));
  }
  override hashKey(): undefined {
    return undefined;
  }
  override equals(other: Value): boolean {
    if (this === other) return true;
    // A copy compares as a dict: a counter has an equality of its own.
    const theirs = other instanceof PyDict ? other.copy() : mappingOf(other);
    return theirs !== null && within(() => equal(this.asDict(), theirs));
  }
  override binary(op: string, other: Value, reflected: boolean): Value | undefined {
    if (op === "|=" && !reflected) {
      this.firstDoes("update", [other]);
      return this;
    }
    if (op !== "|" || !isMapping(other)) return undefined;
    if (!reflected) {
      const joined = copyOf(this);
      joined.firstDoes("update", [other]);
      return joined;
    }
    const joined = new PyDict();
    for (const m of [other, ...this.maps.a.slice().reverse()]) dictUpdate(joined, m);
    return new ChainMap([joined]);
  }
  repr(spell: (v: Value) => string): string {
    if (this.showing) return "...";
    this.showing = true;
    try {
      return `ChainMap(${this.maps.a.map(spell).join(", ")})`;
    } finally {
      this.showing = false;
    }
  }
}

function each(m: Value, of: (key: Value) => void): void {
  const it = iterate(m);
  for (let key = it.next(); key !== DONE; key = it.next()) {
    spendSteps(1);
    of(key);
  }
}
const missing = (key: Value): string => `Key not found in the first mapping: ${repr(key)}`;
const copyOf = (c: ChainMap): ChainMap => new ChainMap([c.firstDoes("copy"), ...c.maps.a.slice(1)]);

/** `update`: a mapping, or an iterable of pairs; keywords too. */
function update(c: ChainMap, other: Value | undefined, kwargs: Kwargs): Value | Task {
  const end = (): null => {
    for (const [key, v] of kwargs ?? []) c.setItem(key, v);
    return null;
  };
  if (other === undefined) return end();
  const dict = mappingOf(other);
  if (dict !== null) {
    spendOps(dict.size);
    for (const [key, v] of dict.entries()) c.setItem(key, v);
    return end();
  }
  return walk(
    other,
    (pair) => {
      spendOps(1);
      const [key, v] = unpacked(pair, 2) as [Value, Value];
      c.setItem(key, v);
    },
    end,
  );
}

const chainFromKeys: BuiltinBody = (args, kwargs) => {
  bindPython(FROM_KEYS, args.slice(0, 1), kwargs);
  const keys = args.length > 0 ? args : [...(kwargs?.values() ?? [])];
  return new ChainMap([settle(fromKeys(keys, null))]);
};

const taking = (s: Signature, of: (c: ChainMap, bound: readonly (Value | undefined)[]) => Value): [string, Method] => [
  s.name.slice(s.name.indexOf(".") + 1),
  (self: ChainMap, args, kwargs) => of(self, bindPython(s, args, kwargs)),
];
const view = (kind: "keys" | "values" | "items") => taking(signature(`Mapping.${kind}`, "", 0, 1), (c) => new MappingView(c, kind));

const FROM_KEYS = signature("ChainMap.fromkeys", "iterable", 1, 1);
const POP = signature("ChainMap.pop", "key", 1, 1);
const NEW_CHILD = signature("ChainMap.new_child", "m", 0, 1);
const UPDATE = signature("MutableMapping.update", "other", 0, 1);

const METHODS: ReadonlyMap<string, Method> = new Map<string, Method>([
  view("keys"),
  view("values"),
  view("items"),
  taking(signature("ChainMap.get", "key default", 1, 1), (c, [key, otherwise = null]) =>
    c.contains(key as Value) ? c.getItem(key as Value) : otherwise,
  ),
  taking(signature("ChainMap.copy", "", 0, 1), copyOf),
  taking(signature("ChainMap.clear", "", 0, 1), (c) => {
    c.firstDoes("clear");
    return null;
  }),
  taking(signature("ChainMap.popitem", "", 0, 1), (c) =>
    orElse(
      () => c.firstDoes("popitem"),
      () => "No keys found in the first mapping.",
    ),
  ),
  taking(signature("MutableMapping.setdefault", "key default", 1, 1), (c, [key, otherwise = null]) => {
    const there = lookUp(c, key as Value);
    if (there !== undefined) return there;
    c.setItem(key as Value, otherwise);
    return otherwise;
  }),
  [
    "pop",
    (self: ChainMap, args, kwargs) => {
      const [key] = bindPython(POP, args.slice(0, 1), kwargs) as [Value];
      return orElse(
        () => self.firstDoes("pop", [key, ...args.slice(1)]),
        () => missing(key),
      );
    },
  ],
  [
    "new_child",
    (self: ChainMap, args, kwargs) => {
      const named = new Map(kwargs ?? []);
      const [given = null] = bindPython(NEW_CHILD, args, named.has("m") ? new Map([["m", named.get("m") as Value]]) : null);
      named.delete("m");
      if (given !== null && named.size > 0) callMethod(given, "update", [], named);
      const child = given ?? new PyDict();
      if (given === null) for (const [key, v] of named) (child as PyDict).set(key, v);
      return new ChainMap([child, ...self.maps.a]);
    },
  ],
  [
    "update",
    (self: ChainMap, args, kwargs) => {
      const [other] = bindPython(UPDATE, args, null);
      return update(self, other, kwargs);
    },
  ],
  ["fromkeys", (_self, args, kwargs) => settle(chainFromKeys(args, kwargs))],
]);

export const CHAIN_MAP = new ServedType(
  "collections.ChainMap",
  (v) => v instanceof ChainMap,
  (args, kwargs) => {
    for (const [name] of kwargs ?? []) raise("TypeError", `ChainMap.__init__() got an unexpected keyword argument '${name}'`);
    return new ChainMap(args);
  },
  null,
  { fromkeys: chainFromKeys },
  METHODS,
);
