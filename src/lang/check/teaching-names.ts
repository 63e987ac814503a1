/**
 * What to say of a name that means nothing here: the Python, JavaScript and DKE habits people bring, each with the form
 * to write instead and, where one edit mends it, that edit. Data; the lowering asks by name.
 */
import { nearest } from "../syntax/nearest";
import { RULE_WORDS, TOOLS_NOT_VERBS, VERBS } from "./verbs";

export interface Teaching {
  readonly message: string;
  /** Text to write in place of the name. */
  readonly fix?: string;
}

const TABLE: ReadonlyMap<string, Teaching> = new Map<string, Teaching>([
  [
    "open",
    {
      message:
        'DKE Python has no files: `open` is not here. What a program needs to keep it records with `remember(Kind.subject.field, value, "source")`.',
    },
  ],
  ["input", { message: "DKE Python reads no input: write the values you want into the program." }],
  ["eval", { message: "DKE Python has no `eval`: write the expression itself, or parse the text with `int`, `float` or `split`." }],
  ["exec", { message: "DKE Python has no `exec`: compile the source as a module and call its scripts." }],
  ["compile", { message: "`compile` is a tool, not a verb: call it over MCP with the module's source." }],
  ["getattr", { message: "`getattr` is not here. A field whose name you hold in a variable is `s[name]`." }],
  ["setattr", { message: '`setattr` is not here. Write a field with `remember(s[name], value, "source")`.' }],
  ["hasattr", { message: "`hasattr` is not here. Whether a field has a value is `present(s[name])`." }],
  ["delattr", { message: "`delattr` is not here. `forget(s[name])` removes what a field holds." }],
  ["vars", { message: "`vars` is not here. `fields(subject)` gives the names of a subject's fields." }],
  ["dir", { message: "`dir` is not here. `fields(subject)` gives the names of a subject's fields." }],
  ["id", { message: "`id` is not here: an address in memory is not the same twice. Compare with `is` or `==`." }],
  ["object", { message: "`object` is not here: DKE Python has no classes of objects. Use a dict, a tuple, or a Kind of the store." }],
  ["bytearray", { message: "`bytearray` is not here: bytes are immutable. Gather a list of ints and build `bytes(xs)`." }],
  ["memoryview", { message: "`memoryview` is not here: slice `bytes` instead." }],
  [
    "exit",
    {
      message:
        '`exit` is not here: a program ends at its last line. To stop early, put the rest under an `if`, or `raise ValueError("why")`.',
    },
  ],
  [
    "quit",
    {
      message:
        '`quit` is not here: a program ends at its last line. To stop early, put the rest under an `if`, or `raise ValueError("why")`.',
    },
  ],
  ["globals", { message: "`globals` is not here: use a dict of your own." }],
  ["locals", { message: "`locals` is not here: use a dict of your own." }],
  ["super", { message: "`super` is not here: a class declares a Kind and its fields; there is no inheritance." }],
  ["staticmethod", { message: "`staticmethod` is not here: write a `def` at the module's top level; it is a script." }],
  ["property", { message: "`property` is not here: a field worked out from others is `@computed` in its class." }],
  ["__import__", { message: "`__import__` is not here: write `import name` at the top level." }],
  ["branch", { message: '`branch` opens a block and gives no value: `with branch("name"):`, and under it what lands together.' }],
  ["world", { message: '`world` opens a block and gives no value: `with world("name"):` works in it, `create_world("name")` makes one.' }],
  ["null", { message: "`null` is `None` in Python.", fix: "None" }],
  ["nil", { message: "`nil` is `None` in Python.", fix: "None" }],
  ["undefined", { message: "`undefined` is `None` in Python.", fix: "None" }],
  ["true", { message: "`true` is `True` in Python.", fix: "True" }],
  ["false", { message: "`false` is `False` in Python.", fix: "False" }],
  ["this", { message: "`this` is not here: a script takes the subject as a parameter." }],
  ["console", { message: "`console` is not here: `print(value)` prints." }],
  ["Math", { message: "`Math` is `math` in Python: `import math` first." }],
  ["xrange", { message: "`xrange` is `range` in Python 3.", fix: "range" }],
  ["unicode", { message: "`unicode` is `str` in Python 3.", fix: "str" }],
  ["long", { message: "`long` is `int` in Python 3: ints have any size.", fix: "int" }],
  ["basestring", { message: "`basestring` is `str` in Python 3.", fix: "str" }],
  ["raw_input", { message: "DKE Python reads no input: write the values you want into the program." }],
  ["reduce", { message: "`reduce` is in a module: `from functools import reduce` first." }],
  ["Counter", { message: "`Counter` is in a module: `from collections import Counter` first." }],
  ["defaultdict", { message: "`defaultdict` is in a module: `from collections import defaultdict` first." }],
  ["deque", { message: "`deque` is in a module: `from collections import deque` first." }],
  [
    "OrderedDict",
    { message: "`OrderedDict` is in a module: `from collections import OrderedDict` first. A plain dict keeps its order as well." },
  ],
  ["namedtuple", { message: "`namedtuple` is in a module: `from collections import namedtuple` first." }],
  ["sqrt", { message: "`sqrt` is in a module: `import math` and write `math.sqrt(x)`, or `x ** 0.5`." }],
  ["List", { message: "`List` is `list` in an annotation: `list[int]`.", fix: "list" }],
  ["Dict", { message: "`Dict` is `dict` in an annotation: `dict[str, int]`.", fix: "dict" }],
  ["Tuple", { message: "`Tuple` is `tuple` in an annotation.", fix: "tuple" }],
  ["Set", { message: "`Set` is `set` in an annotation.", fix: "set" }],
  ["Optional", { message: "`Optional[X]` is written `X | None`." }],
  ["Union", { message: "`Union[X, Y]` is written `X | Y`." }],
  ["Any", { message: "`Any` is `any` in an annotation, or leave the annotation out.", fix: "any" }],
  ["text", { message: "A field of text is `string`.", fix: "string" }],
  ["number", { message: "A field of numbers is `int` or `float`." }],
  ["boolean", { message: "`boolean` is `bool`.", fix: "bool" }],
  ["double", { message: "`double` is `float`.", fix: "float" }],
  ["integer", { message: "`integer` is `int`.", fix: "int" }],
  ["today", { message: "`today` is not here: `now()` gives the call's instant." }],
  ["BaseException", { message: "`BaseException` is not here: all that can be caught is an `Exception`.", fix: "Exception" }],
  ["ImportError", { message: "`ImportError` is not here: an `import` that cannot be done ends the call, and nothing catches it." }],
  [
    "ModuleNotFoundError",
    { message: "`ModuleNotFoundError` is not here: an `import` that cannot be done ends the call, and nothing catches it." },
  ],
  ["IOError", { message: "`IOError` is `OSError`.", fix: "OSError" }],
  ["EnvironmentError", { message: "`EnvironmentError` is `OSError`.", fix: "OSError" }],
  ["KeyboardInterrupt", { message: "`KeyboardInterrupt` is not here: a call that is stopped ends, and nothing catches it." }],
  ["SystemExit", { message: "`SystemExit` is not here: a program ends at its last line." }],
  ["help", { message: "`help` is not here: the tool `spec` gives the specification." }],
  ["breakpoint", { message: "`breakpoint` is not here: `print` what you want to see, or read the transcript." }],
  ["classmethod", { message: "`classmethod` is not here: write a `def` at the module's top level; it is a script." }],
  [
    "NotImplemented",
    { message: "`NotImplemented` is not here: there are no operators of your own. `raise NotImplementedError(…)` raises." },
  ],
  ["length", { message: "A length is `len(x)`.", fix: "len" }],
  ["lenght", { message: "A length is `len(x)`.", fix: "len" }],
  ["println", { message: "`print` ends its line by itself.", fix: "print" }],
  ["printf", { message: '`print(f"{x:.2f}")` prints with a format.', fix: "print" }],
  ["echo", { message: "`print(value)` prints.", fix: "print" }],
  ["puts", { message: "`print(value)` prints.", fix: "print" }],
  ["alert", { message: "`print(value)` prints.", fix: "print" }],
  ["NULL", { message: "`NULL` is `None` in Python.", fix: "None" }],
  ["Null", { message: "`Null` is `None` in Python.", fix: "None" }],
  ["TRUE", { message: "`TRUE` is `True` in Python.", fix: "True" }],
  ["FALSE", { message: "`FALSE` is `False` in Python.", fix: "False" }],
  ["NaN", { message: 'Not a number is `float("nan")`.', fix: 'float("nan")' }],
  ["nan", { message: 'Not a number is `float("nan")`.', fix: 'float("nan")' }],
  ["Infinity", { message: 'The infinite float is `float("inf")`.', fix: 'float("inf")' }],
  ["inf", { message: 'The infinite float is `float("inf")`.', fix: 'float("inf")' }],
  ["parseInt", { message: "The int of a text is `int(text)`.", fix: "int" }],
  ["parseFloat", { message: "The float of a text is `float(text)`.", fix: "float" }],
  ["String", { message: "The text of a value is `str(x)`.", fix: "str" }],
  ["Number", { message: "The number of a text is `int(text)` or `float(text)`." }],
  ["Array", { message: "A list is `[…]`, or `list(xs)`; `[x] * n` is n times x." }],
  ["Object", { message: "A dict is `{key: value}`." }],
  ["Map", { message: "A dict is `{key: value}`." }],
  ["Boolean", { message: "The truth of a value is `bool(x)`.", fix: "bool" }],
  ["typeof", { message: "The type of a value is `type(x)`; a test is `isinstance(x, int)`.", fix: "type" }],
  ["instanceof", { message: "A test of a type is `isinstance(x, int)`.", fix: "isinstance" }],
  ["System", { message: "`print(value)` prints; there is no `System`." }],
  ["JSON", { message: "`import json` and write `json.dumps(x)` or `json.loads(text)`." }],
  ["Date", { message: '`now()` gives the call\'s instant; another is `datetime("2026-01-01T00:00:00Z")`.' }],
  ["Promise", { message: "A call gives its answer when it returns: there are no promises." }],
  ["require", { message: "`require` stands in a `@constraint`; a module is taken with `import name` at the top." }],
  ["date", { message: 'A date is an instant: `datetime("2026-01-01T00:00:00Z")`; `.date()` gives its text.' }],
  ["timedelta", { message: "`timedelta` is `duration` here: `duration(days=1, hours=2)`.", fix: "duration" }],
  ["sleep", { message: "Nothing waits here: a call runs to its end at one instant." }],
  ["randint", { message: "Nothing is random here: the same program gives the same bytes." }],
  ["shuffle", { message: "Nothing is random here: sort by a key instead." }],
  ["np", { message: "Lists, `sum` and comprehensions do the work of arrays." }],
  ["pd", { message: "Rows of a table are dicts in a list, or subjects of a Kind." }],
  ["Decimal", { message: "Ints are exact at any size: keep money in its smallest unit." }],
  ["Fraction", { message: "Ints are exact at any size: keep numerator and denominator." }],
  ["dataclass", { message: "A class declares a Kind: `name: type` lines, and data is written with `remember`." }],
  ["Enum", { message: "Use texts, or subjects of a Kind." }],
  ["deepcopy", { message: "`xs[:]`, `list(xs)` and `dict(d)` copy one level; a comprehension copies two." }],
  ["lru_cache", { message: "Results are not kept between calls: put them in a dict of your own." }],
  ["self", { message: "`self` stands in a `@computed` of a class; a script takes the subject as a parameter." }],
  ["cls", { message: "A class declares a Kind and its fields; a script takes the subject as a parameter." }],
  ["__file__", { message: "A source here is no file; its module is `__name__`." }],
  ["__doc__", { message: "A source keeps no text of its own at run time: bind the text to a name." }],
  ["assertEqual", { message: "Write `assert a == b`." }],
]);

/** Modules whose names people use without importing them. */
const LIBRARY_NAMES: ReadonlySet<string> = new Set([
  "math",
  "json",
  "itertools",
  "functools",
  "collections",
  "string",
  "statistics",
  "re",
  "operator",
]);

/** What to say of an unknown name; null where it is nobody's habit. */
export function unknownName(name: string): Teaching | null {
  const known = TABLE.get(name);
  if (known) return known;
  if (LIBRARY_NAMES.has(name)) return { message: `\`${name}\` is a module: write \`import ${name}\` at the top first.` };
  if (TOOLS_NOT_VERBS.has(name)) return { message: `\`${name}\` is a tool, called over MCP, not a verb of a program.` };
  if (RULE_WORDS.has(name)) return { message: `\`${name}\` has a meaning only inside a \`@rule\` or \`@constraint\` of a module.` };
  return null;
}

/** Python modules people import, and what to write here instead. */
const PYTHON_MODULES: ReadonlyMap<string, string> = new Map([
  ["os", "a program here touches no machine; keep what you need in the store"],
  ["sys", "a program here has no process; it ends at its last line, and `print` writes its output"],
  ["time", "the only clock is `now()`, fixed for the whole call"],
  ["datetime", '`datetime("2026-01-01T00:00:00Z")` and `duration("PT1H")` are builtins, and `now()` gives the call\'s instant'],
  ["random", "nothing is random here: the same program gives the same bytes"],
  ["secrets", "nothing is random here: the same program gives the same bytes"],
  ["uuid", "nothing is random here: name subjects by what they are"],
  ["requests", "a program here reaches no network; put the data into the program"],
  ["urllib", "a program here reaches no network; put the data into the program"],
  ["socket", "a program here reaches no network; put the data into the program"],
  ["asyncio", "a program here runs one statement after another"],
  ["threading", "a program here runs one statement after another"],
  ["dataclasses", "a class declares a Kind: `name: type` lines, and data is written with `remember`"],
  ["enum", "use texts, or subjects of a Kind"],
  ["decimal", "ints are exact at any size; keep money in its smallest unit"],
  ["fractions", "ints are exact at any size; keep numerator and denominator"],
  ["copy", "`xs[:]`, `list(xs)` and `dict(d)` copy one level"],
  ["pathlib", "a program here has no files"],
  ["logging", "`print` writes output"],
  ["numpy", "lists, `sum` and comprehensions do the work"],
  ["pandas", "lists, dicts and the store's own reads do the work"],
  ["sqlite3", "the store is the database: `remember`, `current`, `find`"],
  ["csv", 'split lines with `line.split(",")`'],
  ...several(
    "subprocess multiprocessing concurrent queue signal sched",
    "a program here runs one statement after another, and starts nothing",
  ),
  ...several("shutil glob tempfile io zipfile gzip fileinput", "a program here has no files"),
  ...several("http httpx aiohttp ssl smtplib ftplib selenium bs4", "a program here reaches no network; put the data into the program"),
  ...several("platform getpass locale argparse dotenv", "a program here touches no machine; write the values into the program"),
  ...several("scipy sympy", "`math`, `statistics` and comprehensions do the work"),
  ...several("matplotlib seaborn plotly", "a program here draws nothing: print rows of text"),
  ...several("networkx", "edges are fields that hold subjects, and a rule follows them"),
  ...several("pydantic attrs", "a class declares a Kind: `name: type` lines, and a `@constraint` says what must hold"),
  ...several("pickle shelve sqlalchemy redis", "the store keeps values: `remember`, `current`, `find`"),
  ...several("unittest pytest doctest", "write `assert a == b`"),
  ...several("warnings traceback pprint", "`print` writes output"),
  ...several("abc types inspect typing_extensions", "there are no classes of objects: write a `def`, or declare a Kind"),
  ...several("contextlib weakref gc atexit", "nothing has to be closed or freed here"),
  ["heapq", "`sorted(xs)[:n]` gives the least, `min(xs)` the first of them"],
  ["bisect", "`sum(x < v for x in xs)` is the place of `v` in a sorted list"],
  ["textwrap", "build lines with `join` and slices"],
  ["hashlib", "name subjects by what they are; `hash(text)` is the same in every run"],
  ["base64", "`bytes.hex` and `bytes.fromhex` write bytes as text"],
  ["struct", "`int.to_bytes` and `int.from_bytes` do the work"],
  ["array", "use a list"],
  ["cmath", "`complex` has its operators; roots are `z ** 0.5`"],
  ["calendar", "`datetime` values have `.year`, `.month` and `.weekday()`"],
  ["zoneinfo", "every instant is UTC; add a `duration` for another clock"],
  ["dateutil", '`datetime("2026-01-01T00:00:00Z")` reads ISO 8601'],
  ["yaml", "`json.loads(text)` reads JSON"],
  ["xml", "take the text apart with `re`"],
  ["html", "take the text apart with `re`"],
]);

function several(names: string, instead: string): [string, string][] {
  return names.split(" ").map((name) => [name, instead]);
}

/** The message for an `import` of a module that is not stored. */
export function absentModule(name: string): string {
  const instead = PYTHON_MODULES.get(name);
  return instead
    ? `No module named \`${name}\` is stored, and Python's own \`${name}\` is not served: ${instead}.`
    : `No module named \`${name}\` is stored. \`list_modules\` names the stored modules; \`compile\` stores one.`;
}

/** Members of Python's modules that are not served, and what to write instead. */
const MEMBERS_NOT_SERVED: ReadonlyMap<string, string> = new Map([
  ["itertools.count", "has no end: take numbers from a `range`, or number elements with `enumerate(xs, start)`"],
  ["itertools.cycle", "has no end: write `xs[i % len(xs)]`, or `xs * n`"],
  ["functools.lru_cache", "is a decorator, and functions here take none: keep what was computed in a dict"],
  ["functools.cache", "is a decorator, and functions here take none: keep what was computed in a dict"],
  ["functools.wraps", "is a decorator, and functions here take none"],
  ["functools.singledispatch", "is a decorator, and functions here take none: write `match x:` with a `case int():` a type"],
  ["functools.total_ordering", "is a decorator of classes, and a class here declares a Kind: sort with `key=`"],
  ["json.load", "reads a file, and there are none: `json.loads(text)` reads a text"],
  ["json.dump", "writes a file, and there are none: `json.dumps(x)` gives the text"],
]);

/** What to say of a member that a served module does not have. */
export function absentMember(module: string, member: string, members: Iterable<string>): Teaching {
  const instead = MEMBERS_NOT_SERVED.get(`${module}.${member}`);
  if (instead !== undefined) return { message: `\`${module}.${member}\` ${instead}.` };
  const near = nearest(member, members);
  if (near === null) return { message: `\`${module}\` has no \`${member}\` here; the specification lists its members.` };
  return { message: `\`${module}\` has no \`${member}\` here; did you mean \`${near}\`?`, fix: near };
}

/** For "did you mean": every verb's name. */
export function verbNames(): Iterable<string> {
  return VERBS.keys();
}
