/** `int | str` as a value: what `isinstance` and `issubclass` take besides types and tuples. `None` stands for its type. */
import type { Method } from "./attribute";
import { PyNative, PyType, type Value } from "./value";

const NO_METHODS: ReadonlyMap<string, Method> = new Map();

export class UnionType extends PyNative {
  override readonly typeName = "types.UnionType";
  override readonly methods = NO_METHODS;
  constructor(readonly members: readonly (PyType | null)[]) {
    super();
  }
  override repr(): string {
    return this.members.map((m) => (m === null ? "None" : m.name)).join(" | ");
  }
  override equals(other: Value): boolean {
    return (
      other instanceof UnionType && this.members.length === other.members.length && this.members.every((m) => other.members.includes(m))
    );
  }
  override hashKey(): unknown {
    return `union ${this.members.map((m) => m?.name ?? "None").sort()}`;
  }
}

/** `a | b` where both are types, unions or None (not both None); undefined otherwise. */
export function unionOf(a: Value, b: Value): Value | undefined {
  if (a === null && b === null) return undefined;
  const members: (PyType | null)[] = [];
  for (const side of [a, b]) {
    if (side !== null && !(side instanceof PyType) && !(side instanceof UnionType)) return undefined;
    for (const m of side instanceof UnionType ? side.members : [side?.name === "NoneType" ? null : side])
      if (!members.includes(m)) members.push(m);
  }
  return members.length === 1 ? members[0] : new UnionType(members);
}
