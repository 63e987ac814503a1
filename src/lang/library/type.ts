/** Types of the served modules as values: `collections.Counter`, `operator.itemgetter`. */
import { BuiltinType } from "../builtins/builtin-type";
import { serveType } from "../builtins/types";
import type { Method } from "../value/attribute";
import type { BuiltinBody } from "../value/builtin-function";
import type { Value } from "../value/value";

export class LibraryType extends BuiltinType {
  constructor(
    /** With its module, as `repr` shows it. */
    private readonly qualified: string,
    test: (v: Value) => boolean,
    construct: BuiltinBody,
    parent: BuiltinType | null = null,
    classMethods: Readonly<Record<string, BuiltinBody>> = {},
    private readonly methods: ReadonlyMap<string, Method> | null = null,
  ) {
    super(qualified.slice(qualified.lastIndexOf(".") + 1), construct, test, parent, classMethods);
  }
  protected override get fullName(): string {
    return this.qualified;
  }
  protected override get methodTable(): ReadonlyMap<string, Method> {
    return this.methods ?? super.methodTable;
  }
  override ownRepr(): string {
    return `<class '${this.qualified}'>`;
  }
}

/** A type that its values find by their `typeName`: one of a served module, never one that a program makes. */
export class ServedType extends LibraryType {
  constructor(...form: ConstructorParameters<typeof LibraryType>) {
    super(...form);
    serveType(form[0], this);
  }
}
