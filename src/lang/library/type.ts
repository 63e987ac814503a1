/** Types of the served modules as values: `collections.Counter`, `operator.itemgetter`. */
import { BuiltinType } from "../builtins/builtin-type";
import { serveType } from "../builtins/types";
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
  ) {
    super(qualified.slice(qualified.lastIndexOf(".") + 1), construct, test, parent, classMethods);
    serveType(qualified, this);
  }
  override ownRepr(): string {
    return `<class '${this.qualified}'>`;
  }
}
