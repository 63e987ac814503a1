/**
 * What declarations refuse, and the form each refusal names: a source, the place, words of the message, and the fix.
 */
import { expect, test } from "vitest";
import { declareSource } from "../../engine/rule-source";

interface Fault {
  readonly rule: string;
  readonly source: string;
  /** `line:col`. */
  readonly at: string;
  readonly says: string;
  readonly fix?: string;
}

const CLASS = `class Person:
    name: string
    parent: many[Person]
    born: int
    died: int
    city: City

class City:
    name: string
`;

/** A rule over `CLASS`, whose first line is 10. */
const rule = (body: string, params = "p: Person") => `${CLASS}@rule
def r(${params}):
    ${body}
`;

const FAULTS: readonly Fault[] = [
  { rule: "an unknown field of a declared Kind", source: rule("conclude(p.x, p.nam)"), at: "12:21", says: "has no field `nam`" },
  { rule: "a field beginning with two underscores", source: rule("conclude(p.__x, 1)"), at: "12:16", says: "does not begin with" },
  { rule: "an unknown name", source: rule("conclude(p.x, y)"), at: "12:19", says: "unknown name `y`" },
  { rule: "an unknown parameter in a cell", source: rule("conclude(p.x, y.born)"), at: "12:19", says: "unknown name `y`" },
  { rule: "an unknown Kind", source: rule("conclude(p.x, 1)", "p: Person, q: thing"), at: "11:21", says: "thing" },
  {
    rule: "a second step, with the binding form",
    source: rule('when(p.city.name == "Rome")\n    conclude(p.x, 1)'),
    at: "12:10",
    says: "one step",
    fix: "p.city == city, city.name",
  },
  {
    rule: "a second step whose first is bound",
    source: rule('when(p.city == c, p.city.name == "Rome")\n    conclude(p.x, 1)', "p: Person, c: City"),
    at: "12:23",
    says: "is bound to `c`",
    fix: "c.name",
  },
  { rule: "or", source: rule("when(p.born > 1 or p.died > 1)\n    conclude(p.x, 1)"), at: "12:10", says: "write two rules" },
  {
    rule: "and",
    source: rule("when(p.born > 1 and p.died > 1)\n    conclude(p.x, 1)"),
    at: "12:10",
    says: "joined by commas",
    fix: "p.born > 1, p.died > 1",
  },
  {
    rule: "not of a comparison",
    source: rule("when(not p.born == 1)\n    conclude(p.x, 1)"),
    at: "12:10",
    says: "turn the comparison round",
    fix: "p.born != 1",
  },
  {
    rule: "not present",
    source: rule("when(not present(p.born))\n    conclude(p.x, 1)"),
    at: "12:10",
    says: "absent(…)",
    fix: "absent(p.born)",
  },
  { rule: "is None", source: rule("when(p.born is None)\n    conclude(p.x, 1)"), at: "12:10", says: "absent(cell)", fix: "absent(p.born)" },
  {
    rule: "!= None",
    source: rule("when(p.born != None)\n    conclude(p.x, 1)"),
    at: "12:10",
    says: "present(cell)",
    fix: "present(p.born)",
  },
  {
    rule: "a bare field",
    source: rule("when(p.born)\n    conclude(p.x, 1)"),
    at: "12:10",
    says: "compares or tests",
    fix: "p.born == True",
  },
  { rule: "now()", source: rule("when(p.born < now())\n    conclude(p.x, 1)"), at: "12:19", says: "do not read the clock" },
  { rule: "a call", source: rule("when(len(p.name) > 3)\n    conclude(p.x, 1)"), at: "12:10", says: "`len`" },
  { rule: "str as an f-string", source: rule("conclude(p.x, str(p.born))"), at: "12:19", says: "f-string", fix: 'f"{p.born}"' },
  { rule: "a method", source: rule("conclude(p.x, p.name.upper())"), at: "12:19", says: "calls no method" },
  { rule: "an order Python must refuse", source: rule('when(p.born < "x")\n    conclude(p.x, 1)'), at: "12:10", says: "have no order" },
  { rule: "a text test of an int", source: rule('when(p.born.startswith("x"))\n    conclude(p.x, 1)'), at: "12:10", says: "tests a text" },
  { rule: "arithmetic Python must refuse", source: rule("conclude(p.x, p.name + p.born)"), at: "12:19", says: "`+` cannot take" },
  {
    rule: "a concluded value its declared field cannot hold",
    source: rule('conclude(p.born, "x")'),
    at: "12:22",
    says: "is declared `int`",
  },
  { rule: "a subject of another Kind", source: rule("conclude(p.city, p)"), at: "12:22", says: "is declared `m.City`" },
  {
    rule: "a scalar parameter that nothing binds",
    source: rule("conclude(p.x, n)", "p: Person, n: int"),
    at: "11:18",
    says: "nothing gives `n` a value",
  },
  { rule: "a parameter without a type", source: rule("conclude(p.x, 1)", "p: Person, q"), at: "11:18", says: "ranges over" },
  { rule: "a default", source: rule("conclude(p.x, 1)", "p: Person = 1"), at: "11:19", says: "has no default" },
  { rule: "two conclusions", source: rule("conclude(p.x, 1)\n    conclude(p.y, 1)"), at: "13:5", says: "one `conclude`" },
  { rule: "no conclusion", source: rule("when(p.born > 1)"), at: "11:5", says: "ends in" },
  { rule: "a statement", source: rule("x = 1\n    conclude(p.x, 1)"), at: "12:5", says: "nothing else" },
  { rule: "require in a rule", source: rule("require(p.born > 1)"), at: "12:5", says: "belongs to a `@constraint`" },
  {
    rule: "a nested generator",
    source: rule("when(none(o for o in Person if any(q for q in Person if q.parent == o)))\n    conclude(p.x, 1)"),
    at: "12:36",
    says: "do not nest",
  },
  { rule: "two fors", source: rule("when(any(o for o in Person for q in Person))\n    conclude(p.x, 1)"), at: "12:13", says: "one `for`" },
  {
    rule: "a generator over a cell",
    source: rule("when(any(o for o in p.parent))\n    conclude(p.x, 1)"),
    at: "12:25",
    says: "ranges over a Kind",
  },
  { rule: "a fold of what it cannot take", source: rule("conclude(p.x, sum(o.name for o in Person))"), at: "12:23", says: "cannot take" },
  { rule: "a fold as a premise", source: rule("when(count(o for o in Person))\n    conclude(p.x, 1)"), at: "12:10", says: "gives a value" },
  { rule: "None as a value", source: rule("conclude(p.x, None)"), at: "12:19", says: "`None` is no value" },
  { rule: "a comparison as a value", source: rule("conclude(p.x, p.born > 1)"), at: "12:19", says: "no comparison" },
  { rule: "a list as a value", source: rule("conclude(p.x, [1])"), at: "12:19", says: "concludes one value" },
  {
    rule: "if in a premise",
    source: rule("when((1 if p.born > 1 else 2) == 1)\n    conclude(p.x, 1)"),
    at: "12:11",
    says: "concluded value only",
  },
  { rule: "trust as a value", source: rule("conclude(p.x, trust(p.born))"), at: "12:19", says: "is a premise" },
  {
    rule: "trust against what it never is",
    source: rule('when(trust(p.born) == "sure")\n    conclude(p.x, 1)'),
    at: "12:27",
    says: '`trust(…)` is `"asserted"` or `"derived"`',
  },
  {
    rule: "trust against what it never is, from the left",
    source: rule('when("sure" != trust(p.born))\n    conclude(p.x, 1)'),
    at: "12:10",
    says: '`"derived"`',
  },
  {
    rule: "trust in a list with a word it never is",
    source: rule('when(trust(p.born) in ["derived", "sure"])\n    conclude(p.x, 1)'),
    at: "12:39",
    says: '`"derived"`',
  },
  {
    rule: "a source that is no text",
    source: rule("when(source(p.born) == 3)\n    conclude(p.x, 1)"),
    at: "12:28",
    says: "name of a source",
  },
  {
    rule: "a window's end that is no datetime",
    source: rule('when(valid_to(p.born) != "2026-01-01")\n    conclude(p.x, 1)'),
    at: "12:30",
    says: 'datetime("2026',
  },
  {
    rule: "a datetime of no text",
    source: rule("when(p.born < datetime(p.born))\n    conclude(p.x, 1)"),
    at: "12:19",
    says: "literal text",
  },
  {
    rule: "recursion through absent, naming the cycle",
    source: `@rule
def a(k: K):
    when(absent(k.y))
    conclude(k.x, 1)

@rule
def b(k: K):
    when(k.x == 1)
    conclude(k.y, 1)
`,
    at: "2:5",
    says: "`K.x` → `K.y` → `K.x`",
  },
  {
    rule: "recursion through a fold",
    source: `@rule
def a(k: K):
    conclude(k.n, count(o for o in K if o.n == k))
`,
    at: "2:5",
    says: "through `count`",
  },
  {
    rule: "computed fields in a cycle",
    source: `class K:
    @computed
    def a(self):
        return self.b

    @computed
    def b(self):
        return self.a
`,
    at: "3:9",
    says: "without a cycle",
  },
  {
    rule: "not_asserted by a rule that reads what it concludes",
    source: `@rule
def a(k: K, j: K):
    when(k.to == j, not_asserted(k.x), j.x == 1)
    conclude(k.x, 1)
`,
    at: "2:5",
    says: "give its conclusion a field of its own",
  },
  {
    rule: "a name declared twice",
    source: "@rule\ndef a():\n    conclude(K.x.n, 1)\n\ndef a():\n    pass\n",
    at: "5:5",
    says: "declared twice",
  },
  { rule: "a field declared twice", source: "class K:\n    a: int\n    a: string\n", at: "3:5", says: "declared twice" },
  { rule: "an unknown type", source: "class K:\n    a: number\n", at: "2:8", says: "number" },
  { rule: "many without a type", source: "class K:\n    a: many\n", at: "2:8", says: "needs the type", fix: "many[any]" },
  { rule: "a quoted type", source: 'class K:\n    a: "int"\n', at: "2:8", says: "without quotes", fix: "int" },
  { rule: "an optional type", source: "class K:\n    a: int | None\n", at: "2:8", says: "one type" },
  {
    rule: "a computed field of statements",
    source: "class K:\n    @computed\n    def a(self):\n        x = 1\n        return x\n",
    at: "4:9",
    says: "one `return`",
  },
  {
    rule: "a constraint without require",
    source: "@constraint\ndef c(k: K):\n    when(k.a == 1)\n",
    at: "2:5",
    says: "ends in `require(condition)`",
  },
];

for (const fault of FAULTS) {
  test(`[declarations] refuses ${fault.rule}`, () => {
    const { diagnostics } = declareSource(fault.source);
    expect(diagnostics.length, JSON.stringify(diagnostics)).toBeGreaterThan(0);
    const found = diagnostics.find((d) => `${d.line}:${d.col}` === fault.at);
    expect(found, JSON.stringify(diagnostics)).toBeDefined();
    expect(found!.class).toBe("type_error");
    expect(found!.message).toContain(fault.says);
    if (fault.fix !== undefined) expect(found!.fix).toBe(fault.fix);
  });
}

test("[declarations] a class gives its fields in order, with their types", () => {
  const { kinds, diagnostics } = declareSource(`class K:
    """What it is."""
    a: string
    b: many[Person]
    c: list[int]
    d: float
    e: blob
    f: K
    g: dict[str, int]

    @computed
    def h(self) -> int:
        return 1
`);
  expect(diagnostics).toEqual([]);
  expect(kinds[0]!.name).toBe("m.K");
  expect([...kinds[0]!.fields]).toEqual([
    ["a", { type: "string", many: false }],
    ["b", { type: "subject", kind: "Person", many: true }],
    ["c", { type: "list", many: false }],
    ["d", { type: "real", many: false }],
    ["e", { type: "blob", many: false }],
    ["f", { type: "subject", kind: "m.K", many: false }],
    ["g", { type: "dict", many: false }],
    ["h", { type: "int", many: false }],
  ]);
});

test("[declarations] every premise and value form is rule data that JSON carries", () => {
  const { rules, constraints, diagnostics } = declareSource(`@rule
def all_forms(p: P, q: P, n: int):
    when(p.r == q, n == p.a, 1 < p.a <= 5, p.s.startswith("x"), "y" in p.s, "z" not in p.s, p.a in [1, 2.5, "x"],
         absent(p.d), present(p.e), none(o for o in O if o.c == p and o.open == True), any(o for o in O if p.os == o),
         sum(o.amount for o in O if o.c == p) > -100, trust(p.a) == "asserted", source(p.a) != "x",
         valid_from(p.a) < datetime("2026-01-01T00:00:00Z"), not_asserted(p.out), q.team == Team.red, q.team == Team["two words"])
    conclude(p.out, f"{p.a:>3}{q.b!r}" if p.a > 1 and q.b == 2 else -p.a ** 2)

@constraint
def ok(p: P):
    when(p.r == p)
    require(p.a < p.b, p.c == p)
`);
  expect(diagnostics).toEqual([]);
  expect(JSON.parse(JSON.stringify(rules))).toEqual(rules);
  expect(JSON.parse(JSON.stringify(constraints))).toEqual(constraints);
  expect(rules[0]!.premises.map((p) => p.tag)).toEqual([
    "bind",
    "bind",
    "compare",
    "compare",
    "text",
    "text",
    "text",
    "among",
    "absent",
    "present",
    "none",
    "any",
    "compare",
    "compare",
    "compare",
    "compare",
    "not_asserted",
    "compare",
    "compare",
  ]);
  expect(constraints[0]!.require.map((p) => p.tag)).toEqual(["compare", "compare"]);
});

/** The source with the first fix put in. */
function mended(source: string): string {
  const found = declareSource(source).diagnostics.find((d) => d.fix !== undefined)!;
  const { line, col, endLine, endCol } = found.fixSpan!;
  expect(line).toBe(endLine);
  const lines = source.split("\n");
  const chars = [...lines[line - 1]!];
  lines[line - 1] = [...chars.slice(0, col - 1), found.fix!, ...chars.slice(endCol - 1)].join("");
  return lines.join("\n");
}

for (const fault of FAULTS.filter((f) => f.fix !== undefined && !f.rule.startsWith("a second step, with"))) {
  test(`[declarations] the fix of ${fault.rule} mends it`, () => {
    expect(declareSource(mended(fault.source)).diagnostics).toEqual([]);
  });
}

test("[declarations] the fix of a second step asks for the parameter it binds, and then compiles", () => {
  const once = mended(rule('when(p.city.name == "Rome")\n    conclude(p.x, 1)'));
  expect(declareSource(once).diagnostics[0]!.message).toContain("declare `city: Kind` as one");
  expect(declareSource(once.replace("def r(p: Person)", "def r(p: Person, city: City)")).diagnostics).toEqual([]);
});
