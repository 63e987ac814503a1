/** What a transcript shows of a value too long to carry whole: contract §5, its table, letter for letter. */
import { describe, expect, it } from "vitest";
import { ToolFixture } from "./tool-fixture";

interface Entry {
  readonly kind: string;
  readonly name?: string;
  readonly type: string;
  readonly value: string;
}

/** The text of what `expression` gives, as an `assign` entry carries it. */
function bound(expression: string, before = ""): Entry {
  const answer = new ToolFixture().run(`${before}x = ${expression}`);
  expect(answer.status, answer.text).toBe("success");
  return (answer.meta["transcript"] as unknown as Entry[]).at(-1)!;
}

const ZEROS = "0, 0, 0, 0, 0, 0, 0, 0";
const LIBRARY = "from collections import Counter, OrderedDict, deque, defaultdict, namedtuple\nP = namedtuple('P', ['a', 'b'])\n";

describe("a value too long to carry whole", () => {
  it.each([
    // Both sides of the limit: 3n characters for n zeros.
    ["[0] * 21845", `[${new Array(21845).fill(0).join(", ")}]`],
    ["[0] * 21845 + ['']", `21846 entries [${ZEROS}, +21838 more]`],
    ["[0] * 21844 + [10]", `[${new Array(21844).fill(0).join(", ")}, 10]`],
    ["[0] * 21844 + [100]", `21845 entries [${ZEROS}, +21837 more]`],
    ["[0] * 30000", `30000 entries [${ZEROS}, +29992 more]`],
    ["(0,) * 30000", `30000 entries [${ZEROS}, +29992 more]`],
    ["set(range(30000))", "30000 entries [0, 1, 2, 3, 4, 5, 6, 7, +29992 more]"],
    ["frozenset(range(30000))", "30000 entries [0, 1, 2, 3, 4, 5, 6, 7, +29992 more]"],
    ["{i: str(i) for i in range(20000)}", "20000 entries [0: '0', 1: '1', 2: '2', 3: '3', 4: '4', 5: '5', 6: '6', 7: '7', +19992 more]"],
    ["['a', None] + [1.5] * 30000", "30002 entries ['a', None, 1.5, 1.5, 1.5, 1.5, 1.5, 1.5, +29994 more]"],
    ["deque([0] * 30000)", `30000 entries [${ZEROS}, +29992 more]`],
    ["dict.fromkeys(range(30000), 'a').keys()", "30000 entries [0, 1, 2, 3, 4, 5, 6, 7, +29992 more]"],
    [
      "dict.fromkeys(range(30000), 'a').items()",
      "30000 entries [(0, 'a'), (1, 'a'), (2, 'a'), (3, 'a'), (4, 'a'), (5, 'a'), (6, 'a'), (7, 'a'), +29992 more]",
    ],
    // Nine long elements are a preview of the outer collection, and of each of its first eight.
    ["[[0] * 30000] * 9", `9 entries [${new Array(8).fill(`30000 entries [${ZEROS}, +29992 more]`).join(", ")}, +1 more]`],
  ])("[5] of more than 8 elements is a counted preview: %s", (expression, text) => {
    expect(bound(expression, LIBRARY).value).toBe(text);
  });

  it.each([
    ["[[0] * 21846, [1]]", `[21846 entries [${ZEROS}, +21838 more], [1]]`],
    ["([0] * 30000,)", `(30000 entries [${ZEROS}, +29992 more],)`],
    ["([0] * 30000, 'a')", `(30000 entries [${ZEROS}, +29992 more], 'a')`],
    ["{'k': [0] * 30000}", `{'k': 30000 entries [${ZEROS}, +29992 more]}`],
    ["{(0,) * 30000: 1}", `{30000 entries [${ZEROS}, +29992 more]: 1}`],
    ["{(0,) * 30000}", `{30000 entries [${ZEROS}, +29992 more]}`],
    ["frozenset([(0,) * 30000])", `frozenset({30000 entries [${ZEROS}, +29992 more]})`],
    ["[b'x' * 70000, b'y']", "[<blob 70000 bytes, 7878787878787878…>, b'y']"],
    ["OrderedDict([('a', [0] * 30000), ('b', 1)])", `OrderedDict([('a', 30000 entries [${ZEROS}, +29992 more]), ('b', 1)])`],
    ["defaultdict(list, {'a': [0] * 30000})", `defaultdict(<class 'list'>, {'a': 30000 entries [${ZEROS}, +29992 more]})`],
    ["Counter({('k',) * 20000: 2})", "Counter({20000 entries ['k', 'k', 'k', 'k', 'k', 'k', 'k', 'k', +19992 more]: 2})"],
    ["P([0] * 30000, 'a')", `P(a=30000 entries [${ZEROS}, +29992 more], b='a')`],
    ["deque([[0] * 30000, 1])", `deque([30000 entries [${ZEROS}, +29992 more], 1])`],
    ["deque([[0] * 30000], maxlen=3)", `deque([30000 entries [${ZEROS}, +29992 more]], maxlen=3)`],
    ["{'k': [0] * 30000}.values()", `dict_values([30000 entries [${ZEROS}, +29992 more]])`],
    ["{'k': [0] * 30000}.items()", `dict_items([('k', 30000 entries [${ZEROS}, +29992 more])])`],
  ])("[5] of 8 elements or fewer keeps its own spelling around the shortened ones: %s", (expression, text) => {
    expect(bound(expression, LIBRARY).value).toBe(text);
  });

  it.each([
    ["[[[0] * 21846]]", "[[21846 entries [+21846 more]]]"],
    ["{'a': {'b': [0] * 21846}}", "{'a': {'b': 21846 entries [+21846 more]}}"],
    ["[[[[0] * 21846]]]", "[[[21846 entries [+21846 more]]]]"],
    ["[[[0] * 30000] * 9]", `[9 entries [${new Array(8).fill("30000 entries [+30000 more]").join(", ")}, +1 more]]`],
    ["([0] * 30000, [[0] * 30000])", `(30000 entries [${ZEROS}, +29992 more], [30000 entries [+30000 more]])`],
  ])("[5] two levels down keeps only the count: %s", (expression, text) => {
    expect(bound(expression).value).toBe(text);
  });

  it.each([
    ["bytes([0, 17, 34, 51, 68, 85, 102, 119]) + b'z' * 69992", "<blob 70000 bytes, 0011223344556677…>"],
    // b'' and one character a byte: 65,536 characters are 65,533 bytes.
    ["b'z' * 65534", "<blob 65534 bytes, 7a7a7a7a7a7a7a7a…>"],
    ["b'z' * 65533", `b'${"z".repeat(65533)}'`],
  ])("[5] that is a blob is its length and its first 8 bytes: %s", (expression, text) => {
    expect(bound(expression)).toMatchObject({ type: "blob", value: text });
  });

  it("[5] that is a string is whole, alone and inside a collection", () => {
    expect(bound("'q' * 100000").value).toBe("q".repeat(100_000));
    expect(bound("['q' * 70000]").value).toBe(`['${"q".repeat(70_000)}']`);
    expect(bound("['q' * 10000] * 9").value).toBe(`9 entries [${new Array(8).fill(`'${"q".repeat(10_000)}'`).join(", ")}, +1 more]`);
  });

  it("[5] is whole in print, str, repr and len, and in what a script returns", () => {
    const f = new ToolFixture();
    f.compile("m", "def make():\n    return [0] * 30000\n");
    const answer = f.run("import m\nx = m.make()\nprint(x)\nprint(len(str(x)), len(repr(x)), len(x))\nprint(b'z' * 70000)");
    const prints = (answer.meta["transcript"] as unknown as Entry[]).filter((entry) => entry.kind === "print");
    expect(prints.map((entry) => entry.value.length)).toEqual([90_000, 17, 70_003]);
    expect(prints[1]!.value).toBe("90000 90000 30000");
  });

  it("[5] reads the same in the claim an assign shows and in the echo of a write", () => {
    const f = new ToolFixture();
    const answer = f.run(
      "remember(K.s.a, b'z' * 70000, 'src')\nc = current(K.s.a)\nupdate(K.s.a, b'y' * 70001, 'src')\nprint(len(c.value))",
    );
    expect(answer.text).toBe(
      [
        "OK program: 2 claims added, 1 print",
        "remember K.s.a = <blob 70000 bytes, 7a7a7a7a7a7a7a7a…> (per src)",
        "update K.s.a = <blob 70001 bytes, 7979797979797979…> (per src)",
        "70000",
      ].join("\n"),
    );
    expect((answer.meta["transcript"] as unknown as Entry[])[0]).toMatchObject({
      type: "claim",
      value: "active_claim=<blob 70000 bytes, 7a7a7a7a7a7a7a7a…> src=src",
    });
  });

  it("[5] str, repr and print of a claim and of reasons are never shortened", () => {
    const f = new ToolFixture();
    f.run("remember(K.s.a, b'z' * 70000, 'src')\nremember(K.s.b, list(range(14000)), 'src', q='t')");
    const answer = f.run(
      [
        "for c in [current(K.s.a), current(K.s.b)]:",
        "    print(len(str(c)), len(repr(c)), len(str([c])), str(c) == f'{c}')",
        "print(str(current(K.s.a)) == f'active_claim={K.s.a} src=src')",
        "print(str(current(K.s.b)) == f'active_claim={K.s.b} src=src qualifiers={current(K.s.b).qualifiers}'.replace(\"'q'\", 'q'))",
        "print(str(why(K.s.a)) == f'K.s.a = {K.s.a} (asserted by src)', len(why(K.s.a).to_json()) > 70000)",
        "print(current(K.s.a))",
        "x = [current(K.s.a), current(K.s.b), why(K.s.a)]",
        "y = current(K.s.b)",
      ].join("\n"),
    );
    const shown = answer.meta["transcript"] as unknown as Entry[];
    const blob = "<blob 70000 bytes, 7a7a7a7a7a7a7a7a…>";
    const claim = "active_claim=14000 entries [0, 1, 2, 3, 4, 5, 6, 7, +13992 more] src=src qualifiers={q: 't'}";
    expect(shown.map((entry) => entry.value)).toEqual([
      "70024 70024 70026 True",
      expect.stringMatching(/^(\d+) \1 \d+ True$/),
      "True",
      "True",
      "True True",
      `active_claim=b'${"z".repeat(70_000)}' src=src`,
      `[active_claim=${blob} src=src, active_claim=14000 entries [+14000 more] src=src qualifiers={q: 't'}, K.s.a = ${blob} (asserted by src)]`,
      claim,
    ]);
  });

  it("[5] the blob form, pasted into a program, is refused", () => {
    expect(new ToolFixture().run("x = <blob 70000 bytes, 7a7a7a7a7a7a7a7a…>").status).toBe("compile_error");
  });
});

describe("words for types", () => {
  it.each([
    ["True", "bool"],
    ["1", "int"],
    ["1.0", "real"],
    ["1j", "complex"],
    ["'a'", "string"],
    ["b'a'", "blob"],
    ["[]", "list"],
    ["()", "tuple"],
    ["{1}", "set"],
    ["frozenset()", "frozenset"],
    ["{}", "dict"],
    ["range(3)", "range"],
    ["None", "none"],
    ["now()", "datetime"],
    ["duration('PT1H')", "duration"],
    ["K.s", "subject"],
    ["current(K.s.a)", "claim"],
    ["why(K.s.a)", "proof_tree"],
    ["list_scripts()", "string_list"],
    ["kinds()", "string_list"],
    ["fields(K.s)", "string_list"],
    ["sources(K.s.a)", "string_list"],
    ["len", "function"],
    ["lambda: 1", "function"],
    ["iter([1])", "iterator"],
    ["Counter()", "dict"],
    ["P(1, 2)", "tuple"],
    ["deque()", "deque"],
    ["ValueError('a')", "ValueError"],
    ["{}.keys()", "dict_keys"],
  ])("[rulings] %s is a %s", (expression, word) => {
    expect(bound(expression, `${LIBRARY}from collections import deque\nremember(K.s.a, 1, 'src')\n`).type).toBe(word);
  });
});

it("[5] a proof whose values are more than a text may hold is refused as it is printed, and bound all the same", () => {
  const f = new ToolFixture();
  f.compile("m", "@rule\ndef r(s: S):\n    conclude(s.n, count(o for o in O if o.of == s and present(o.t)))\n");
  const data = 'for i in range(100):\n    remember(O[f"o{i}"].of, S.a, "s")\n    remember(O[f"o{i}"].t, set(range(i, i + 12000)), "s")\n';
  expect(f.run(data).status).toBe("success");
  for (const line of ["print(why(S.a.n))", "print(why(S.a.n).to_json())"])
    expect(f.run(line).meta["refuse_reason"], line).toBe("limit_exceeded");
  const bound = f.run("w = why(S.a.n)\nprint(w.value, len(w.premises), w.premises[1].cell)\nx = [w, 1]");
  expect(bound.text).toContain("100 200 O.o0.t");
  expect((bound.meta["transcript"] as { value: string }[]).map(({ value }) => value)).toContain("<proof_tree object>");
});
