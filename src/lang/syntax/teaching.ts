/**
 * What the parser answers to habits from elsewhere: one row a reflex, its message and, where one mechanical
 * edit mends it, the text to write instead. `{0}`, `{1}` stand for pieces of the source.
 *
 * Data only; where each row applies is the parser's business. A row whose fix is `""` takes the marked text away.
 */
interface Lesson {
  readonly message: string;
  readonly fix?: string;
}

const LESSONS = {
  // ---- forms of Python that DKE does not have --------------------------------------------------------------
  while: {
    message:
      "DKE Python has no `while` loop — iteration is bounded: `for <name> in <iterable>:`, where a counting loop takes its numbers from `range(n)`. Bounded iteration is the termination guarantee; there is no unbounded loop.",
    fix: "for <name> in <iterable>:",
  },
  yield: {
    message:
      "DKE Python has no `yield`: a script gives its whole answer at once. Build a list and `return` it, or write a generator expression, `(f(x) for x in xs)`, where one is wanted.",
  },
  asyncDef: { message: "DKE Python has no `async`: every call runs to its end before the next. Write `def`.", fix: "def" },
  asyncFor: { message: "DKE Python has no `async`: every call runs to its end before the next. Write `for`.", fix: "for" },
  asyncWith: { message: "DKE Python has no `async`: every call runs to its end before the next. Write `with`.", fix: "with" },
  async: { message: "DKE Python has no `async`: every call runs to its end before the next. Leave the word out." },
  await: { message: "DKE Python has no `await`: a call gives its answer when it returns. Write the call alone.", fix: "{0}" },
  global: {
    message:
      "DKE Python has no `global`: a `def` reads its module's names and never assigns them. Take the value as a parameter and `return` the new one; what must last is a claim, written with `update(cell, value, source)`.",
  },
  nonlocal: {
    message:
      "DKE Python has no `nonlocal`: an inner function reads the names around it and never assigns them. `return` the new value, or keep it in a list or dict the outer function made.",
  },
  exceptStar: {
    message: "DKE Python has no `except*`: there are no exception groups, one exception is raised at a time. Write `except`.",
    fix: "except",
  },
  matmul: {
    message: "DKE Python has no `@` operator, as no builtin type has one. Write `sum(x * y for x, y in zip(a, b))` for a dot product.",
  },
  matmulAssign: { message: "DKE Python has no `@=` operator, as no builtin type has `@`. Write out the product." },
  importStar: {
    message: "DKE Python has no `from {0} import *`: a name must show where it comes from. Name what you take, `from {0} import a, b`.",
  },
  importBelow: {
    message: "an `import` stands at top level only, never inside a block or a `def`: move it to the head of the source.",
  },
  importRelative: {
    message: "DKE Python has no relative import: modules of a store have no parent. Write `import` and the module's name.",
  },
  keywordName: { message: "`{0}` is a keyword, and no name: call the variable `{0}_`, or something else." },
  typeAlias: {
    message: "DKE Python has no `type` statement. Write the type where it is used; a kind of things is a `class`.",
  },
  classBases: {
    message:
      "a class has no bases and no keywords: a Kind does not inherit. Write `class {0}:` and declare its fields; what two Kinds share, each declares.",
    fix: "class {0}:",
  },
  classMethod: {
    message:
      "a class holds fields, not methods: write `{0}` as a script, a `def` at top level that takes the subject as a parameter; a value worked out from fields is `@computed` with `self` alone.",
  },
  classAssign: {
    message:
      "a class declares fields, `name: type`, and holds no values: declare `{0}: <type>` and write values with `remember(Kind.subject.{0}, value, source)`. A default is a rule with `not_asserted`.",
  },
  classDefault: {
    message:
      "a field carries no default in its class: declare `{0}` with its type alone, and conclude the default in a rule with `not_asserted`, or record it with `remember`.",
    fix: "{1}",
  },
  classEllipsis: { message: "`...` is not a class body here: a Kind without fields of its own is `pass`.", fix: "pass" },
  classBody: {
    message:
      "a class body holds a docstring, fields (`name: type`), `@computed` functions and `pass`, nothing else: write other statements below the class.",
  },
  classField: { message: "a field of a class is a plain name with its type, `name: type`: got {0}." },
  classNested: { message: "a `class` declares a Kind and stands at top level only: move it out of this block." },
  decorator: {
    message: "the decorators are `@rule`, `@constraint` and, inside a class, `@computed`: `@{0}` is not one of them. {1}",
  },
  decoratorDrop: {
    message: "the decorators are `@rule`, `@constraint` and, inside a class, `@computed`: `@{0}` is not one of them. {1}",
    fix: "",
  },
  ruleNested: { message: "`@{0}` stands at top level of a module only: move the function out of this block." },
  computedOutside: {
    message: "`@computed` belongs inside the class whose field it gives. A conclusion over several subjects is an `@rule` at top level.",
  },
  ruleInClass: { message: "`@{0}` stands at top level of a module, outside every class; a field worked out from `self` is `@computed`." },
  decoratedClass: { message: "a class takes no decorator: its annotated names are its fields already. Leave the decorator out.", fix: "" },
  // ---- Python 2 --------------------------------------------------------------------------------------------
  printStatement: { message: "`print` is a function: write `print({0})`.", fix: "print({0})" },
  execStatement: { message: "DKE Python has no `exec`: a source runs as it was submitted. Write the statements themselves, or a `def`." },
  exceptComma: { message: "the exception is named with `as`: write `except {0} as {1}`.", fix: "{0} as {1}" },
  exceptTuple: { message: "several exception classes stand in brackets: write `except ({0}):`.", fix: "({0})" },
  raiseComma: { message: "a raised exception is a call: write `raise {0}({1})`.", fix: "{0}({1})" },
  notEqual: { message: "`<>` is Python 2: write `!=`.", fix: "!=" },
  octal: { message: "leading zeros are not allowed in an int: write `{1}`, or `{2}` for an octal one.", fix: "{1}" },
  longSuffix: { message: "`{0}` is Python 2, every int is of any size: write `{1}`.", fix: "{1}" },
  backtick: {
    message:
      'a backtick is no quote and no `repr`: a text stands in `"…"`, one with values in `f"…{x}…"`, and the spelling of a value is `repr(x)`.',
  },
  // ---- other languages -------------------------------------------------------------------------------------
  increment: { message: "Python has no `{0}{0}`: write `{1} {0}= 1`.", fix: "{1} {0}= 1" },
  and: { message: "Python writes `&&` as `and`.", fix: "and" },
  or: { message: "Python writes `||` as `or`.", fix: "or" },
  not: { message: "Python writes `!x` as `not x`.", fix: "not " },
  strictEqual: { message: "Python writes `===` as `==`; `is` asks for the same object.", fix: "==" },
  strictNotEqual: { message: "Python writes `!==` as `!=`; `is not` asks for another object.", fix: "!=" },
  elseIf: { message: "Python writes `{0}` as `elif`.", fix: "elif" },
  function: {
    message: "a function is declared with `def`, its header ends with `:` and its body is indented: write `def {0}:`.",
    fix: "def {0}:",
  },
  functionExpression: { message: "Python has no function expression: write `lambda x: …` for one expression, or a `def` above." },
  declare: { message: "a name is bound by assigning it, with no `{0}` before it: write `{1} = …`.", fix: "{1}" },
  conditional: { message: "Python writes `c ? a : b` as `a if c else b`.", fix: "{1} if {0} else {2}" },
  conditionalPart: { message: "`?` is not Python: `c ? a : b` is `a if c else b`, and `x ?? d` is `x if x is not None else d`." },
  arrowFunction: { message: "Python writes a function `x => y` as `lambda x: y`." },
  arrow: { message: "`->` stands only before the return type of a `def`: an attribute is read with `.`.", fix: "." },
  braceBlock: {
    message: "a block opens with `:` and its lines are indented, without `{` and `}`: write `:` here, and take the closing `}` away.",
  },
  thenWord: { message: "Python has no `then`: the condition ends with `:`.", fix: ":" },
  lineComment: { message: "a comment begins with `#`.", fix: "#" },
  blockComment: { message: "Python has no `/* … */`: a comment begins with `#`, on each line of its own." },
  dollar: { message: '`$` is not Python: a name stands alone, and a text with values in it is `f"…{name}…"`.' },
  switch: { message: "Python writes `{0}` as `match {1}:` with `case` lines below." },
  switchCases: { message: "Python writes `{0}` as `match {1}:`.", fix: "match {1}:" },
  catch: { message: "Python writes `{0}` as `except`: `except <Exception> as <name>:`." },
  throw: { message: "Python writes `{0}` as `raise`.", fix: "raise" },
  repeatUntil: {
    message:
      "Python has no `{0}` loop: iteration is bounded, `for <name> in <iterable>:`, where a counting loop takes its numbers from `range(n)`.",
  },
  foreach: { message: "Python writes `{0}` as `for`.", fix: "for" },
  newObject: { message: "Python has no `new`: call the type, `{0}(…)`.", fix: "{0}" },
  smartQuote: { message: "`{0}` is a typographic quote: a text stands between `\"` and `\"`, or `'` and `'`." },
  smartSign: { message: "`{0}` is not an operator of Python: write `{1}`.", fix: "{1}" },
  invisible: { message: "an invisible character stands here ({0}): take it away, or write a plain space.", fix: "{1}" },
  strayCharacter: { message: "`{0}` ({1}) begins no name, number, text or operator: take it away, or put it in quotes." },
  // ---- slips -----------------------------------------------------------------------------------------------
  assignInTest: { message: "got `=`, which assigns: a comparison is `==` (and `(name := value)` binds inside an expression).", fix: "==" },
  missingColon: { message: "got {0}, want `:` after {1}", fix: ":" },
  keywordAttribute: { message: '`{0}` is a keyword and cannot follow `.`: write `["{0}"]` for the field of that name.', fix: '["{0}"]' },
  namedEscape: { message: "the escape `\\N{…}` is not there: write the character itself, or its number as `\\u00e9` or `\\U0001f600`." },
} satisfies Record<string, Lesson>;

export type LessonId = keyof typeof LESSONS;

/** The row with its placeholders filled. */
export function teach(id: LessonId, ...pieces: readonly string[]): Lesson {
  const lesson: Lesson = LESSONS[id];
  const fill = (text: string) => text.replace(/\{([0-9])\}/g, (_, digit) => pieces[Number(digit)] ?? "");
  const message = fill(lesson.message);
  return lesson.fix === undefined ? { message } : { message, fix: fill(lesson.fix) };
}

// ---- what the scanner meets ------------------------------------------------------------------------------------

const QUOTES = "“”„«»‘’‚´";
const QUOTED = new RegExp(`[${QUOTES}]([^${QUOTES}"\\\\\\n]*)[${QUOTES}]`, "y");

/** A text in typographic quotes on one line: the same in plain ones. */
export function teachQuotes(source: string, start: number): (Lesson & { readonly end: number }) | null {
  QUOTED.lastIndex = start;
  const found = QUOTED.exec(source);
  if (found === null) return null;
  return { ...teach("smartQuote", source[start]), fix: `"${found[1]}"`, end: QUOTED.lastIndex };
}

const SIGNS: Readonly<Record<string, string>> = {
  "×": "*",
  "÷": "/",
  "−": "-",
  "–": "-",
  "—": "-",
  "≤": "<=",
  "≥": ">=",
  "≠": "!=",
  "…": "...",
  "，": ",",
  "：": ":",
  "（": "(",
  "）": ")",
  "；": ";",
};

/** A character that begins no token. */
export function teachCharacter(char: string): Lesson {
  const name = `U+${char.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}`;
  if (QUOTES.includes(char)) return teach("smartQuote", char);
  if (SIGNS[char] !== undefined) return teach("smartSign", char, SIGNS[char]);
  if (/^\p{Zs}$/u.test(char)) return teach("invisible", name, " ");
  if (/^[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cn}\p{Co}]$/u.test(char)) return teach("invisible", name, "");
  return teach("strayCharacter", char, name);
}

/** A number that is not one: `text` runs to the end of its letters and digits. */
export function teachNumber(text: string): Lesson {
  const digits = text.replace(/_/g, "");
  if (/^0\d+$/.test(digits)) {
    const plain = digits.replace(/^0+/, "");
    return teach("octal", text, plain, /^[0-7]+$/.test(plain) ? `0o${plain}` : plain);
  }
  if (/^[0-9]+[lL]$/.test(text)) return teach("longSuffix", text, text.slice(0, -1));
  const radix = /^0([xXoObB])/.exec(text)?.[1].toLowerCase();
  if (radix !== undefined) {
    const [kind, allowed] = radix === "x" ? ["hexadecimal", "0-9 and a-f"] : radix === "o" ? ["octal", "0-7"] : ["binary", "0 and 1"];
    return { message: `got \`${clip(text)}\`, want ${kind} digits (${allowed}) after \`0${radix}\`, single \`_\` between digits` };
  }
  return {
    message: `got \`${clip(text)}\`, want a number: digits with single \`_\` between them; a name begins with a letter, and an operator or a space ends a number`,
  };
}

function clip(text: string): string {
  return text.length <= 40 ? text : `${text.slice(0, 40)}…`;
}
