/** `string.Template`: a text with `$name`, `${name}` and `$$` in it. Its delimiter and its names are Python's own: there are no subclasses. */

import { Bytes } from "../../datum";
import { Refusal } from "../../failure";
import type { Kwargs } from "../value/arguments";
import { callMethod, type Method } from "../value/attribute";
import { PyDict } from "../value/dict";
import { raise } from "../value/exception";
import { lookUp } from "../value/mapping";
import { checkPiece, spendSteps } from "../value/meter";
import { getItem } from "../value/protocol-item";
import { str } from "../value/protocol-text";
import { typeName } from "../value/protocol-type";
import { strLength } from "../value/str";
import { PyList, PyNative, type PyType, type Value } from "../value/value";
import { ChainMap } from "./chain-map";
import { bindPython, signature } from "./python-call";
import { ServedType } from "./type";

const DELIMITER = "$";
/** What CPython's has for subclasses to set. */
const OF_SUBCLASSES: ReadonlySet<string> = new Set(["idpattern", "braceidpattern", "flags", "pattern"]);

/** One placeholder, or a `$` that begins none. */
interface Mark {
  /** As it stands in the text. */
  readonly text: string;
  readonly at: number;
  /** Undefined of `$$` and of what is invalid. */
  readonly name: string | undefined;
  readonly escaped: boolean;
}

class Template extends PyNative {
  readonly typeName = "Template";
  readonly methods = METHODS;
  constructor(readonly template: Value) {
    super();
  }
  override get pyType(): PyType {
    return TEMPLATE;
  }
  repr(): string {
    return "<string.Template object>";
  }
  override attribute(name: string): Value | undefined {
    if (name === "template") return this.template;
    if (name === "delimiter") return DELIMITER;
    if (OF_SUBCLASSES.has(name)) throw new Refusal("out_of_surface", `\`${name}\` is not served: it is there for subclasses`, null, false);
    return undefined;
  }
  text(): string {
    const { template } = this;
    if (typeof template === "string") return template;
    const wrong = template instanceof Bytes ? "cannot use a string pattern on a bytes-like object" : null;
    return raise("TypeError", wrong ?? `expected string or bytes-like object, got '${typeName(template)}'`);
  }
  *marks(): Generator<Mark> {
    const text = this.text();
    spendSteps(1 + (text.length >> 6));
    for (const m of text.matchAll(/\$(?:(\$)|([_a-zA-Z][_a-zA-Z0-9]*)|\{([_a-zA-Z][_a-zA-Z0-9]*)\})?/g)) {
      spendSteps(1);
      yield { text: m[0], at: m.index, name: m[2] ?? m[3], escaped: m[1] !== undefined };
    }
  }
  /** The text with each placeholder as `of` gives it. */
  filled(of: (m: Mark) => string): string {
    const text = this.text();
    let out = "";
    let from = 0;
    const put = (piece: string) => {
      out += piece;
      checkPiece(out.length >> 1, piece.length);
    };
    for (const m of this.marks()) {
      put(text.slice(from, m.at));
      put(m.escaped ? DELIMITER : of(m));
      from = m.at + m.text.length;
    }
    put(text.slice(from));
    return out;
  }
}

function invalid(text: string, at: number): never {
  const before = text.slice(0, at + 1);
  const lines = (callMethod(before, "splitlines", [true], null) as PyList).a as string[];
  raise("ValueError", `Invalid placeholder in string: line ${lines.length}, col ${strLength(lines[lines.length - 1]!)}`);
}

/** What the names stand for: the keywords first, then the mapping. */
function source(method: string, args: readonly Value[], kwargs: Kwargs): Value {
  const [mapping] = bindPython(signature(`Template.${method}`, "mapping", 0, 1), args, null);
  const named = new PyDict();
  for (const [name, v] of kwargs ?? []) named.set(name, v);
  if (mapping === undefined) return named;
  return named.size === 0 ? mapping : new ChainMap([named, mapping]);
}

const IS_VALID = signature("Template.is_valid", "", 0, 1);
const GET_IDENTIFIERS = signature("Template.get_identifiers", "", 0, 1);

const METHODS: ReadonlyMap<string, Method> = new Map<string, Method>([
  [
    "substitute",
    (self: Template, args, kwargs) => {
      const from = source("substitute", args, kwargs);
      return self.filled((m) => (m.name === undefined ? invalid(self.text(), m.at) : str(getItem(from, m.name))));
    },
  ],
  [
    "safe_substitute",
    (self: Template, args, kwargs) => {
      const from = source("safe_substitute", args, kwargs);
      return self.filled((m) => {
        const v = m.name === undefined ? undefined : lookUp(from, m.name);
        return v === undefined ? m.text : str(v);
      });
    },
  ],
  [
    "is_valid",
    (self: Template, args, kwargs) => {
      bindPython(IS_VALID, args, kwargs);
      for (const m of self.marks()) if (m.name === undefined && !m.escaped) return false;
      return true;
    },
  ],
  [
    "get_identifiers",
    (self: Template, args, kwargs) => {
      bindPython(GET_IDENTIFIERS, args, kwargs);
      const names = new Set<string>();
      for (const m of self.marks()) if (m.name !== undefined) names.add(m.name);
      return new PyList([...names]);
    },
  ],
]);

const NEW = signature("Template.__init__", "template", 1, 1);

class TemplateType extends ServedType {
  override hides(name: string): boolean {
    return name === "delimiter" || OF_SUBCLASSES.has(name);
  }
}

export const TEMPLATE = new TemplateType(
  "string.Template",
  (v) => v instanceof Template,
  (args, kwargs) => new Template(bindPython(NEW, args, kwargs)[0] as Value),
  null,
  {},
  METHODS,
);
