/**
 * Methods other languages (and Python 2) have and Python's values have not, each with what to write. Data; definite.ts asks.
 *
 * `rename`: the method of this name is Python's, and the name alone is the fix. Where a list differs from a text, the type
 * is named. `onlyKnown`: the name may be a field of a subject's, so it is taught only where the type is known.
 */
import type { Call, Expr } from "../syntax/ast";

interface Habit {
  readonly message: string;
  readonly rename?: string;
  readonly onlyKnown?: true;
  /** The whole expression, over a base and at most one argument that are plain names. */
  readonly whole?: (base: string, argument: string) => string;
}

const HABITS: Readonly<Record<string, Habit>> = {
  push: { message: "A list takes an element with `append`.", rename: "append" },
  push_back: { message: "A list takes an element with `append`.", rename: "append" },
  unshift: { message: "A list takes an element in front with `insert(0, x)`." },
  shift: { message: "The first element is taken off with `pop(0)`.", onlyKnown: true },
  addAll: { message: "A list takes many elements with `extend`.", rename: "extend" },
  concat: { message: "Lists and texts are joined with `+`.", onlyKnown: true, whole: (b: string, x: string) => `${b} + ${x}` },
  length: { message: "A length is `len(x)`.", onlyKnown: true, whole: (b: string) => `len(${b})` },
  size: { message: "A size is `len(x)`.", onlyKnown: true, whole: (b: string) => `len(${b})` },
  isEmpty: { message: "What is empty is false: `not xs`.", whole: (b: string) => `not ${b}` },
  contains: { message: "Whether it is there is `x in xs`.", whole: (b: string, x: string) => `(${x} in ${b})` },
  includes: { message: "Whether it is there is `x in xs`.", whole: (b: string, x: string) => `(${x} in ${b})` },
  has: { message: "Whether it is there is `x in xs`.", onlyKnown: true, whole: (b: string, x: string) => `(${x} in ${b})` },
  has_key: { message: "Whether a key is there is `k in d`.", whole: (b: string, x: string) => `(${x} in ${b})` },
  hasOwnProperty: { message: "Whether a key is there is `k in d`.", whole: (b: string, x: string) => `(${x} in ${b})` },
  containsKey: { message: "Whether a key is there is `k in d`.", whole: (b: string, x: string) => `(${x} in ${b})` },
  indexOf: { message: "A place is `find` of a text (-1 where it is not), `index` of a list.", rename: "index" },
  lastIndexOf: { message: "The last place in a text is `rfind`.", rename: "rfind" },
  toUpperCase: { message: "Python's name is `upper`.", rename: "upper" },
  toLowerCase: { message: "Python's name is `lower`.", rename: "lower" },
  trim: { message: "Python's name is `strip`.", rename: "strip" },
  trimStart: { message: "Python's name is `lstrip`.", rename: "lstrip" },
  trimEnd: { message: "Python's name is `rstrip`.", rename: "rstrip" },
  startsWith: { message: "Python's name is `startswith`.", rename: "startswith" },
  endsWith: { message: "Python's name is `endswith`.", rename: "endswith" },
  replaceAll: { message: "Python's `replace` replaces all.", rename: "replace" },
  substring: { message: "A part of a text is a slice, `s[start:stop]`." },
  substr: { message: "A part of a text is a slice, `s[start:start + n]`." },
  slice: { message: "A part is a slice, `xs[start:stop]`.", onlyKnown: true },
  charAt: { message: "A character is `s[i]`.", whole: (b: string, x: string) => `${b}[${x}]` },
  charCodeAt: { message: "The number of a character is `ord(s[i])`." },
  padStart: { message: "Python's name is `rjust`.", rename: "rjust" },
  padEnd: { message: "Python's name is `ljust`.", rename: "ljust" },
  toString: { message: "The text of a value is `str(x)`.", whole: (b: string) => `str(${b})` },
  toFixed: { message: 'Decimals are written with a format: `f"{x:.2f}"`.' },
  forEach: { message: "Write a loop: `for x in xs:`." },
  map: { message: "Write a comprehension, `[f(x) for x in xs]`.", onlyKnown: true },
  filter: { message: "Write a comprehension, `[x for x in xs if keep(x)]`.", onlyKnown: true },
  reduce: { message: "`from functools import reduce` and write `reduce(f, xs)`; a sum is `sum(xs)`.", onlyKnown: true },
  some: { message: "Write `any(test(x) for x in xs)`.", onlyKnown: true },
  every: { message: "Write `all(test(x) for x in xs)`.", onlyKnown: true },
  iteritems: { message: "Python 3's name is `items`.", rename: "items" },
  iterkeys: { message: "Python 3's name is `keys`.", rename: "keys" },
  itervalues: { message: "Python 3's name is `values`.", rename: "values" },
  keySet: { message: "Python's name is `keys`.", rename: "keys" },
  entrySet: { message: "Python's name is `items`.", rename: "items" },
  getOrDefault: { message: "Python's name is `get`.", rename: "get" },
  put: { message: "A key is set by assigning it: `d[k] = v`.", onlyKnown: true },
  equals: { message: "Equality is `a == b`.", whole: (b: string, x: string) => `(${b} == ${x})` },
  sorted: { message: "Write `sorted(xs)`, or `xs.sort()` to sort the list itself.", onlyKnown: true },
  len: { message: "A length is `len(x)`.", onlyKnown: true, whole: (b: string) => `len(${b})` },
};
/** Where another type's method is Python's own. */
const OF_TYPE: Readonly<Record<string, Habit>> = {
  "list.add": { message: "A list takes an element with `append`.", rename: "append" },
  "set.append": { message: "A set takes an element with `add`.", rename: "add" },
  "set.push": { message: "A set takes an element with `add`.", rename: "add" },
  "dict.add": { message: "A key is set by assigning it: `d[k] = v`." },
  "dict.append": { message: "A key is set by assigning it: `d[k] = v`." },
  "tuple.append": { message: "A tuple never changes: make another, `t + (x,)`, or use a list." },
  "str.append": { message: "A text never changes: make another, `s + x`." },
  "str.indexOf": { message: "Python's name is `find`.", rename: "find" },
  "str.reverse": { message: "A text backwards is `s[::-1]`.", whole: (b: string) => `${b}[::-1]` },
  "str.len": { message: "A length is `len(s)`.", whole: (b: string) => `len(${b})` },
  "list.join": { message: 'The text between is first: `", ".join(xs)`.' },
  "list.find": { message: "A place in a list is `index`.", rename: "index" },
  "int.length": { message: "The digits of an int are `len(str(n))`." },
};

/** What Python's own `datetime` and `timedelta` offer beside their values. */
const OF_INSTANTS: Readonly<Record<string, Habit>> = {
  "datetime.now": { message: "`now()` gives the call's instant.", whole: (_: string) => "now()" },
  "datetime.utcnow": { message: "`now()` gives the call's instant.", whole: (_: string) => "now()" },
  "datetime.today": { message: "`now()` gives the call's instant, and `now().date()` the text of its day.", whole: (_: string) => "now()" },
  "datetime.fromisoformat": {
    message: "`datetime(text)` reads ISO 8601, with an offset or `Z`.",
    whole: (_: string, x: string) => `datetime(${x})`,
  },
  "datetime.strptime": {
    message: '`datetime(text)` reads ISO 8601, as `datetime("2026-01-01T00:00:00Z")`: put other texts in that form first.',
  },
  "datetime.fromtimestamp": {
    message: 'An instant so many seconds after another: `datetime("1970-01-01T00:00:00Z") + duration(seconds=n)`.',
  },
  "datetime.datetime": { message: '`datetime` is a builtin: `datetime("2026-01-01T00:00:00Z")`.' },
  "datetime.timedelta": { message: "`timedelta` is `duration` here: `duration(days=1, hours=2)`." },
  "datetime.date": { message: 'A date is an instant: `datetime("2026-01-01T00:00:00Z")`; `.date()` gives its text.' },
};
/** What to say of `datetime.name`, null where it is nobody's habit. */
export function instantHabit(type: string, name: string, base: Expr, call: Call | null): Taught | null {
  const key = `${type}.${name}`;
  return Object.hasOwn(OF_INSTANTS, key) ? taughtBy(OF_INSTANTS[key]!, name, base, call) : null;
}

export interface Taught {
  readonly message: string;
  readonly onlyKnown: boolean;
  readonly rename?: string;
  readonly fix?: string;
  readonly fixSpan?: Expr["span"];
}

/** What to say of `.name` on a value (`type` null: of any), null where it is nobody's habit. */
export function methodHabit(name: string, type: string | null, base: Expr, call: Call | null): Taught | null {
  const key = `${type}.${name}`;
  const h = Object.hasOwn(OF_TYPE, key) ? OF_TYPE[key]! : Object.hasOwn(HABITS, name) ? HABITS[name]! : null;
  return h && taughtBy(h, name, base, call);
}
function taughtBy(h: Habit, name: string, base: Expr, call: Call | null): Taught {
  const taught: Taught = {
    message: h.message,
    onlyKnown: h.onlyKnown === true,
    ...(h.rename === undefined ? {} : { rename: h.rename }),
  };
  if (h.rename !== undefined && call?.func.kind === "Attribute") return { ...taught, fix: h.rename, fixSpan: call.func.attrSpan };
  if (h.whole === undefined || base.kind !== "Name") return taught;
  const wanted = h.whole.length - 1;
  const args = call?.args ?? [];
  if (call === null ? wanted > 0 : args.length !== wanted || call.keywords.length > 0) return taught;
  const argument = wanted === 0 ? "" : written(args[0]!);
  if (argument === null) return taught;
  const span = call?.span ?? { ...base.span, endCol: base.span.endCol + 1 + [...name].length };
  return { ...taught, fix: h.whole(base.id, argument), fixSpan: span };
}

/** How a plain name or a small constant is written. */
function written(e: Expr): string | null {
  if (e.kind === "Name") return e.id;
  if (e.kind !== "Constant") return null;
  if (typeof e.value === "number") return String(e.value);
  return typeof e.value === "string" && /^[\w ,.-]*$/.test(e.value) ? `"${e.value}"` : null;
}
