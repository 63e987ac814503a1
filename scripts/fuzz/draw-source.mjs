/**
 * Sources of all kinds: bombs for the reader, pieces thrown together, and programs and modules that are right or nearly so,
 * over a few Kinds and modules, so that what one leaves behind is met by the next.
 */

const PIECES = [
  "x",
  "y",
  "K",
  "K.a.x",
  "=",
  "==",
  "(",
  ")",
  "[",
  "]",
  "{",
  "}",
  ":",
  "\n",
  "\n    ",
  "    ",
  "\t",
  "def f(",
  "for i in ",
  "range(3)",
  "if ",
  "else:",
  "while ",
  "try:",
  "except ",
  "finally:",
  "raise ",
  "class P:",
  "@rule",
  "@computed",
  "@constraint",
  "when(",
  "conclude(",
  "import m",
  "from m import *",
  "lambda x: ",
  "1",
  "1.5e400",
  "10 ** 99999999",
  "'a'",
  '"',
  "'",
  "f'{",
  "}'",
  "b'\\x00'",
  "+",
  "-",
  "**",
  "//",
  "%",
  "@",
  "~",
  ",",
  ".",
  ";",
  "\\",
  "#",
  "# dke: edition=python.1\n",
  "# dke:\n",
  "with branch('b'):",
  "match x:",
  "case ",
  "_",
  "*",
  "return ",
  "yield ",
  "await ",
  "remember(K.a.x, ",
  ", 's')",
  "update(",
  "forget(K.a)",
  "why(K.a.x)",
  "print(",
  "current(",
  "get(",
  "[x for x in ",
  "'%s' % ",
  ".format(",
  "'x' * 10 ** 9",
  "[0] * 10 ** 9",
  "print(1, end=''",
  "é",
  "𝔘",
  "\u2028",
  "\ufeff",
  "\r\n",
  "\r",
  "del x",
  "global x",
  "x += ",
  "not ",
  "in ",
  "is ",
  "and ",
  "None",
  "True",
  "datetime('2026-01-01T00:00:00Z')",
  "duration('PT1H')",
  "prefer(K.a.x, 's')",
  "pin(K.a.x)",
  "commit()",
  "rollback()",
  "str(",
  "sorted(",
  "json.loads('{')",
  "import json\n",
  "import re\nre.match('(a*)*b', 'a' * 99)",
];

const BOMBS = [
  "(".repeat(3000),
  `${"-".repeat(5000)}1`,
  "x = 1\n".repeat(2000),
  `x = ${"1 + ".repeat(5000)}1`,
  `${"if 1:\n ".repeat(200)}`,
  "'".repeat(10_000),
  `f'${"{".repeat(500)}`,
  "for i in range(10 ** 5):\n    x = [i] * 3",
];

/** For `run`; for `compile` where `module`. */
export function drawSource(chance, module = false) {
  if (chance.chance(0.01)) return chance.pick(BOMBS);
  if (chance.chance(0.2)) return Array.from({ length: 1 + chance.below(25) }, () => chance.pick(PIECES)).join(chance.pick(["", " ", "\n"]));
  const source =
    (chance.chance(0.1) ? "# dke: edition=python.1 language=eng.1\n" : "") + (module ? drawModule(chance) : drawProgram(chance));
  return chance.chance(0.15) ? mutated(chance, source) : source;
}

/** A character less, twice, or another in its place, somewhere. */
function mutated(chance, source) {
  const at = chance.below(source.length + 1);
  return source.slice(0, at) + chance.pick(["", "x", " ", "\n", "(", ")", ":", "'", "0", "."]) + source.slice(at + chance.below(2));
}

const MODULES = ["alpha", "beta"];
const NAMES = ["x", "y", "z", "rows", "t"];
const CELLS = [
  "Bin.b1.size",
  "Bin.b2.size",
  "Bin.b1.label",
  "Bin.b3.big",
  "Loose.a.x",
  "Loose.b.tags",
  'Bin["two words"].size',
  "Loose.a.next",
];
const SUBJECTS = ["Bin.b1", "Loose.a", 'Bin["two words"]'];

function drawProgram(chance) {
  const imports = chance.chance(0.3) ? [`import ${chance.pick(MODULES)}`] : [];
  const body = [];
  for (let n = 1 + chance.below(3); n > 0; n--) {
    const statement = drawStatement(chance, 2);
    body.push(...(chance.chance(0.85) ? ["try:", ...indented(statement), "except Exception as e:", "    print(e)"] : statement));
  }
  return [...imports, ...drawBindings(chance), ...body].join("\n");
}

/** Names are bound first, and faults of types mostly left to the run, so that most of what follows is run. */
function drawBindings(chance) {
  const values = ["1", "2.5", "'ab'", "[3, 1, 2]", "{'a': 1}", "{1, 2}", "(1, 'x')", "None"];
  return NAMES.map((name) => `${name} = ${chance.pick(values)}`);
}

function drawModule(chance) {
  const lines = drawBindings(chance);
  if (chance.chance(0.7))
    lines.push("class Bin:", "    size: int", "    label: string", ...(chance.chance(0.3) ? ["    near: many[Bin]"] : []), "");
  if (chance.chance(0.4))
    lines.push(
      "@rule",
      "def big(b: Bin):",
      `    when(b.size ${chance.pick([">", ">=", "=="])} ${chance.below(9)})`,
      "    conclude(b.big, True)",
      "",
    );
  if (chance.chance(0.2)) lines.push("@constraint", "def labelled(b: Bin):", "    when(present(b.size))", "    require(b.size >= 0)", "");
  if (chance.chance(0.5))
    lines.push(
      `def go(n${chance.pick(["", ": int", ": int = 3"])}):`,
      ...indented(drawStatement(chance, 1)),
      `    return ${drawExpression(chance, 2)}`,
      "",
    );
  if (chance.chance(0.5)) lines.push("try:", ...indented(drawStatement(chance, 1)), "except Exception as e:", "    print(e)");
  return lines.join("\n");
}

/** One source says two things of one cell. */
const rivals = (cell, a, b) => [`remember(${cell}, ${a}, 's1')`, `remember(${cell}, ${b}, 's1')`];

const indented = (lines) => lines.map((line) => `    ${line}`);

function drawStatement(chance, depth) {
  const inner = () => indented(drawStatement(chance, depth - 1));
  const cell = () => chance.pick(CELLS);
  const from = () => chance.pick(["'s1'", "'s2'", "Loose.a", "x"]);
  const instant = () =>
    chance.pick([`datetime('202${chance.below(9)}-01-01T00:00:00Z')`, "now()", "now() - duration('P400D')", "None", "x"]);
  const bound = (name) => (chance.chance(0.2) ? `, ${name}=${instant()}` : "");
  const window = () => bound("valid_from") + bound("valid_to") + (chance.chance(0.1) ? `, note=${drawExpression(chance, 1)}` : "");
  const target = () => chance.pick([cell(), chance.pick(SUBJECTS), "Bin", "Loose", "Bin.size"]);
  const world = () => chance.pick(["'w1'", "'w2'", "x"]);
  const simple = [
    () => [`${chance.pick(NAMES)} ${chance.pick(["=", "=", "+=", "*="])} ${drawExpression(chance, 2)}`],
    () => [`print(${drawExpression(chance, 2)}${chance.chance(0.1) ? ", end=''" : ""})`],
    () => [`remember(${cell()}, ${drawExpression(chance, 1)}, ${from()}${window()})`],
    () => [`update(${cell()}, ${drawExpression(chance, 1)}, ${from()}${window()})`],
    () => rivals(cell(), chance.below(3), chance.below(3)),
    () => [`forget(${chance.pick([cell(), chance.pick(SUBJECTS), `${cell()}, 1, 's1'`, `${cell()}, ${instant()}`])})`],
    () => [`forget(${target()}, ${chance.pick(["recorded", "valid"])}_${chance.pick(["before", "at_or_before"])}=${instant()})`],
    () => [`${chance.pick(["create", "create", "merge", "discard"])}_world(${world()})`],
    () => [`c = ${chance.pick(["current", "value", "values"])}(${cell()}${bound("at")}${bound("known_at")})`],
    () => [
      `print(${chance.pick([`changed(${cell()}, since=${instant()})`, `subjects(Bin${bound("at")}${bound("known_at")})`, "worlds()"])})`,
    ],
    () => [`${chance.pick(["pin", "unpin", "unprefer"])}(${cell()})`],
    () => [`${chance.pick(["prefer", "assert_absent"])}(${cell()}, 's1')`],
    () => [`c = ${chance.pick(["current", "get", "history", "values", "why", "why_not", "what_needs", "sources"])}(${cell()})`],
    () => [`print(${chance.pick(["subjects(Bin)", "find(Bin, size=1)", "kinds()", "fields(Bin.b1)", "list_scripts()", "now()"])})`],
    () => [`print(${chance.pick(MODULES)}.go(${chance.below(5)}))`],
    () => ["del x"],
    () => [`assert ${drawExpression(chance, 1)}, 'no'`],
    () => ["raise ValueError('x')"],
  ];
  if (depth <= 0 || chance.chance(0.6)) return chance.pick(simple)();
  return chance.pick([
    () => [`if ${drawExpression(chance, 1)}:`, ...inner(), "else:", ...inner()],
    () => [`for i in ${drawExpression(chance, 1)}:`, ...inner()],
    () => [`for i in range(${chance.below(20)}):`, ...inner(), ...(chance.chance(0.2) ? ["    break"] : [])],
    () => [
      "try:",
      ...inner(),
      `except ${chance.pick(["Exception", "ValueError", "Refused", "PinnedAddress", "KeyError"])} as e:`,
      "    print(e)",
      ...inner(),
    ],
    () => ["try:", ...inner(), "finally:", ...inner()],
    () => [
      `with branch('b${chance.below(3)}'):`,
      ...inner(),
      ...(chance.chance(0.3) ? [chance.pick(["    commit()", "    rollback()"])] : []),
    ],
    () => [`with world(${world()}):`, ...inner()],
    () => [`match ${drawExpression(chance, 1)}:`, "    case [a, *_]:", ...indented(inner()), "    case _:", ...indented(inner())],
  ])();
}

function drawExpression(chance, depth) {
  const atom = () =>
    chance.pick([
      () => chance.pick(NAMES),
      () => chance.pick(NAMES),
      () => String(chance.below(1000)),
      () => chance.pick(["0", "-1", "1.5", "1e308", "10 ** 30", "True", "None", "2j", "float('nan')"]),
      () => chance.pick(["''", "'ab'", "'é💥'", "'a b c'", "b'\\x00\\xff'", "'%s'", "'{}'"]),
      () => chance.pick(["[]", "[1, 2, 3]", "{}", "{'a': 1}", "{1, 2}", "()", "(1, 'a')", "range(5)"]),
      () => chance.pick(CELLS),
    ])();
  if (depth <= 0) return atom();
  const e = () => drawExpression(chance, depth - 1);
  return chance.pick([
    atom,
    () => `${e()} ${chance.pick(["+", "-", "*", "/", "//", "%", "==", "<", "and", "or", "in", "is not", "|", "&", "<<"])} ${e()}`,
    () => `(${e()})`,
    () =>
      `${chance.pick(["len", "str", "repr", "int", "float", "list", "sorted", "sum", "min", "max", "abs", "set", "tuple", "dict", "bool", "type", "hash"])}(${e()})`,
    () => `${e()}[${chance.pick([e(), "0", "-1", "1:", "::-1", "'a'"])}]`,
    () =>
      `${chance.pick(["x", "'a,b'", e()])}.${chance.pick(["upper()", "split(',')", "append(1)", "keys()", "items()", "format(1)", "join(['a'])", "pop()", "add(1)", "strip()", "value", "nothing"])}`,
    () => `[${e()} for i in ${e()}${chance.chance(0.4) ? ` if ${e()}` : ""}]`,
    () => `{k: ${e()} for k in ${e()}}`,
    () => `f'{${chance.pick(NAMES)}${chance.pick(["", "!r", ":>10", ":.2f", ":x"])}}'`,
    () => `${e()} if ${e()} else ${e()}`,
    () => `not ${e()}`,
    () => `(lambda a: a)(${e()})`,
    () => `'%s and %d' % (${e()}, ${e()})`,
  ])();
}
