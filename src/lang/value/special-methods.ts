/**
 * The methods with two underscores that programs call by name (`key=d.__getitem__`, `map(str.__len__, words)`): each is the
 * protocol of the operator, there only where the type has that protocol. The rest of CPython's are not served.
 */
import { Bytes } from "../../datum";
import { oneArg } from "./arguments";
import type { Method } from "./attribute";
import { PyDict, PyDictView } from "./dict";
import { raise, raiseStop } from "./exception";
import { format } from "./format";
import { delItem, getItem, setItem } from "./protocol-item";
import { contains, isIterable, iterate, length } from "./protocol-iterate";
import { repr, str } from "./protocol-text";
import { typeName } from "./protocol-type";
import { isSet } from "./set";
import { DONE, PyIterator, PyList, PyNative, PyRange, PyTuple, type Value } from "./value";

const isSized = (v: Value): boolean =>
  typeof v === "string" ||
  v instanceof PyList ||
  v instanceof PyTuple ||
  v instanceof PyDict ||
  isSet(v) ||
  v instanceof PyDictView ||
  v instanceof PyRange ||
  v instanceof Bytes ||
  (v instanceof PyNative && v.length !== undefined);
const isContainer = (v: Value): boolean =>
  isSized(v) && !(v instanceof PyDictView && v.kind === "values") && !(v instanceof PyNative && v.contains === undefined);
const isIndexed = (v: Value): boolean =>
  typeof v === "string" ||
  v instanceof PyList ||
  v instanceof PyTuple ||
  v instanceof PyDict ||
  v instanceof PyRange ||
  v instanceof Bytes ||
  (v instanceof PyNative && v.getItem !== undefined);
const isWritable = (v: Value): boolean => v instanceof PyList || v instanceof PyDict || (v instanceof PyNative && v.setItem !== undefined);

interface Special {
  readonly applies: (v: Value) => boolean;
  readonly method: Method;
}

const qualified = (self: Value, name: string): string => `${typeName(self)}.${name}`;
/** A slot wrapper of no arguments complains in its own words. */
function none(args: readonly Value[]): void {
  if (args.length !== 0) raise("TypeError", `expected 0 arguments, got ${args.length}`);
}
function exactly(args: readonly Value[], n: number): void {
  if (args.length !== n) raise("TypeError", `expected ${n} argument${n === 1 ? "" : "s"}, got ${args.length}`);
}

const SPECIAL: ReadonlyMap<string, Special> = new Map<string, Special>([
  [
    "__len__",
    {
      applies: isSized,
      method: (self, args) => {
        none(args);
        return length(self);
      },
    },
  ],
  [
    "__contains__",
    {
      applies: isContainer,
      method: (self, args) => {
        exactly(args, 1);
        return contains(self, args[0]);
      },
    },
  ],
  [
    "__getitem__",
    {
      applies: isIndexed,
      method: (self, args) => {
        exactly(args, 1);
        return getItem(self, args[0]);
      },
    },
  ],
  [
    "__setitem__",
    {
      applies: isWritable,
      method: (self, args) => {
        exactly(args, 2);
        setItem(self, args[0], args[1]);
        return null;
      },
    },
  ],
  [
    "__delitem__",
    {
      applies: isWritable,
      method: (self, args) => {
        exactly(args, 1);
        delItem(self, args[0]);
        return null;
      },
    },
  ],
  [
    "__iter__",
    {
      applies: isIterable,
      method: (self, args) => {
        none(args);
        return iterate(self);
      },
    },
  ],
  [
    "__next__",
    {
      applies: (v) => v instanceof PyIterator,
      method: (self: PyIterator, args) => {
        none(args);
        self.takeStop();
        const v = self.next();
        return v === DONE ? raiseStop(self) : v;
      },
    },
  ],
  [
    "__str__",
    {
      applies: () => true,
      method: (self, args) => {
        none(args);
        return str(self);
      },
    },
  ],
  [
    "__repr__",
    {
      applies: () => true,
      method: (self, args) => {
        none(args);
        return repr(self);
      },
    },
  ],
  [
    "__format__",
    {
      applies: () => true,
      method: (self, args, kwargs) => {
        const spec = oneArg(qualified(self, "__format__"), args, kwargs);
        if (typeof spec !== "string")
          raise("TypeError", `__format__() argument must be str, not ${spec === null ? "None" : typeName(spec)}`);
        return format(self, spec);
      },
    },
  ],
]);

/** Names with two underscores on both sides that a program may write after a dot. */
const SERVED: ReadonlySet<string> = new Set([
  ...SPECIAL.keys(),
  "__class__",
  "__name__",
  "__qualname__",
  "__cause__",
  "__context__",
  "__suppress_context__",
  "__notes__",
]);

/** Python's own spelling of what the common ones do. */
const INSTEAD: ReadonlyMap<string, string> = new Map([
  ["__add__", "a + b"],
  ["__radd__", "a + b"],
  ["__iadd__", "a += b"],
  ["__sub__", "a - b"],
  ["__mul__", "a * b"],
  ["__truediv__", "a / b"],
  ["__floordiv__", "a // b"],
  ["__mod__", "a % b"],
  ["__pow__", "a ** b"],
  ["__neg__", "-a"],
  ["__pos__", "+a"],
  ["__invert__", "~a"],
  ["__and__", "a & b"],
  ["__or__", "a | b"],
  ["__xor__", "a ^ b"],
  ["__lshift__", "a << b"],
  ["__rshift__", "a >> b"],
  ["__eq__", "a == b"],
  ["__ne__", "a != b"],
  ["__lt__", "a < b"],
  ["__le__", "a <= b"],
  ["__gt__", "a > b"],
  ["__ge__", "a >= b"],
  ["__abs__", "abs(a)"],
  ["__bool__", "bool(a)"],
  ["__int__", "int(a)"],
  ["__float__", "float(a)"],
  ["__complex__", "complex(a)"],
  ["__index__", "int(a)"],
  ["__hash__", "hash(a)"],
  ["__round__", "round(a)"],
  ["__divmod__", "divmod(a, b)"],
  ["__reversed__", "reversed(a)"],
  ["__call__", "f(x)"],
  ["__dict__", "fields(subject)"],
]);

/** What to say of a name with two underscores on both sides that is not served; null for any other name. */
export function unservedSpecial(name: string): string | null {
  if (!/^__\w+__$/.test(name) || SERVED.has(name)) return null;
  const instead = INSTEAD.get(name);
  return `\`${name}\` is not served${instead === undefined ? ": a program reaches no inside of a value or a function." : `: write \`${instead}\`.`}`;
}

/** The special method, where the value's type has it. */
export function specialMethod(v: Value, name: string): Method | undefined {
  const special = SPECIAL.get(name);
  return special?.applies(v) ? special.method : undefined;
}
