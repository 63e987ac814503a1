/** What a run reports: the head, the tally in claims, the body in execution order, the transcript and its mirror: contract §4.2, §5. */
import { describe, expect, it } from "vitest";
import type { ToolAnswer } from "../../src/tools/answer";
import { ToolFixture } from "./tool-fixture";

interface Entry {
  readonly kind: "assign" | "print";
  readonly name?: string;
  readonly type: string;
  readonly value: string;
  readonly line: number;
  readonly from_module?: string;
  readonly end?: string;
}

const entries = (answer: ToolAnswer): readonly Entry[] => answer.meta["transcript"] as unknown as Entry[];
const mirrored = (answer: ToolAnswer): readonly Entry[] => (answer.mirror as unknown as { transcript: Entry[] }).transcript;
/** `name=value@line`, a print `"value"@line`, a module's with its name in front. */
const short = (list: readonly Entry[]): string[] =>
  list.map(
    (e) => `${e.from_module === undefined ? "" : `${e.from_module}:`}${e.kind === "assign" ? `${e.name}=` : ""}${e.value}@${e.line}`,
  );

function after(...sources: string[]): ToolFixture {
  const f = new ToolFixture();
  for (const source of sources) expect(f.run(source).status).toBe("success");
  return f;
}

const LIB = `print("loading")
base = 5

def add(a: int, b: int = 2):
    s = a + b
    print("adding", a)
    return s

def note(k: str):
    remember(Log.l[k], k, "lib")

def fail():
    x = 1
    raise ValueError("bad")
`;
function withLib(): ToolFixture {
  const f = new ToolFixture();
  expect(f.compile("lib", LIB).status).toBe("success");
  return f;
}

describe("the tally", () => {
  it.each<[string, string[], string, string]>([
    ["counts claims written", [], 'remember(K.a.x, 1, "s")\nupdate(K.a.x, 2, "s")\nremember(K.b.x, 1, "s")', "3 claims added"],
    [
      "counts claims removed, not statements",
      ['remember(K.a.x, 1, "s")\nremember(K.a.x, 2, "t")\nremember(K.a.y, 3, "s")'],
      "forget(K.a)",
      "3 claims removed",
    ],
    ["counts versions among the removed", ['remember(K.a.x, 1, "s")\nupdate(K.a.x, 2, "s")'], "forget(K.a.x)", "2 claims removed"],
    ["has no place for a forget that found nothing", [], "forget(K.a.x)\nforget(K.a)", "no change"],
    ["has no place for a remember of what its source has recorded", ['remember(K.a.x, 1, "s")'], 'remember(K.a.x, 1, "s")', "no change"],
    [
      "nor for one of what its source has revised since",
      ['remember(K.a.x, 1, "s")\nupdate(K.a.x, 2, "s")'],
      'remember(K.a.x, 1, "s")',
      "no change",
    ],
    [
      "nor for an update that restates value, qualifiers and window",
      ['update(K.a.x, 1, "s", conf=1, valid_from=datetime("2025-01-01T00:00:00Z"))'],
      'update(K.a.x, 1, "s", conf=1, valid_from=datetime("2025-01-01T00:00:00Z"))',
      "no change",
    ],
    ["but for one with other qualifiers", ['update(K.a.x, 1, "s", conf=1)'], 'update(K.a.x, 1, "s", conf=2)', "1 claim added"],
    ["but for another source's same value", ['remember(K.a.x, 1, "s")'], 'remember(K.a.x, 1, "t")', "1 claim added"],
    ["tells 1 from 1.0 and True", [], 'remember(K.a.x, 1, "s")\nremember(K.b.x, 1.0, "s")\nremember(K.b.x, 1.0, "s")', "2 claims added"],
    [
      "counts absences, preferences, pins placed and lifted, prints",
      ['remember(K.a.x, 1, "s")'],
      'assert_absent(K.a.y, "s")\nassert_absent(K.a.y, "s")\nprefer(K.a.x, "s")\nunprefer(K.a.x)\npin(K.a.x)\nunpin(K.a.x)\nprint(1)\nprint(2)',
      "1 absence asserted, 2 preference changes, 1 pin placed, 1 pin lifted, 2 prints",
    ],
    [
      "gives a range forget the older versions only",
      ['remember(K.a.x, 1, "s")\nupdate(K.a.x, 2, "s")\nupdate(K.a.x, 3, "s")'],
      "forget(K.a.x, recorded_before=now())",
      "2 claims removed",
    ],
    [
      "gives a range forget nothing where only the value in force is",
      ['remember(K.a.x, 1, "s")'],
      "forget(K.a.x, recorded_before=now())\nprint(K.a.x)",
      "1 print",
    ],
    [
      "leaves out what a branch rolled back",
      [],
      'with branch("b"):\n    remember(K.a.x, 1, "s")\n    rollback()\n    remember(K.a.y, 1, "s")',
      "1 claim added",
    ],
  ])("[4.2] %s", (_, before, source, tally) => {
    expect(
      after(...before)
        .run(source)
        .text.split("\n")[0],
    ).toBe(`OK program: ${tally}`);
  });

  it("[4.2] counts what changed in the store, whatever the statements", () => {
    const f = new ToolFixture();
    const answer = f.run('for i in range(50):\n    remember(K["s" + str(i % 20)].x, i % 20, "s")\nforget(K.s1)\nprint(len(subjects(K)))');
    expect(answer.text.split("\n")[0]).toBe("OK program: 20 claims added, 1 claim removed, 1 print");
    expect(answer.text.split("\n").at(-2)).toBe("19");
  });
});

describe("the body", () => {
  it("[4.2] lists prints and effects in execution order, each effect by its cell as the program spells it", () => {
    const f = new ToolFixture();
    f.compile("family", "class Person:\n    name: string\n");
    const answer = f.run(
      'import family\nprint("first")\nremember(Person.ann.name, "Ann", "reg")\nprint("then")\nremember(Person["two words"].name, "X", "reg")\nupdate(Thing.t.n, 2, "reg")\nforget(Thing.t.n)',
    );
    expect(answer.text.split("\n").slice(1)).toEqual([
      "first",
      "remember Person.ann.name = 'Ann' (per reg)",
      "then",
      "remember Person[\"two words\"].name = 'X' (per reg)",
      "update Thing.t.n = 2 (per reg)",
      "forget Thing.t.n (1 claim removed)",
    ]);
  });

  it("[4.2] names each bound that was given and the names of qualifiers, never their values", () => {
    const answer = new ToolFixture().run(
      'remember(K.a.x, 1, "s", valid_from=datetime("2025-01-01T00:00:00Z"), valid_to=datetime("2030-01-01T00:00:00Z"), conf=0.97, place="swordfish")\nupdate(K.a.y, 1, "s", valid_to=datetime("2030-01-01T00:00:00Z"))\nremember(K.a.z, 1, "s")\nassert_absent(K.a.w, "s", valid_from=datetime("2025-01-01T00:00:00Z"))',
    );
    expect(answer.text.split("\n").slice(1)).toEqual([
      "remember K.a.x = 1 (per s) valid_from=2025-01-01T00:00:00Z valid_to=2030-01-01T00:00:00Z qualifiers: conf, place",
      "update K.a.y = 1 (per s) valid_to=2030-01-01T00:00:00Z",
      "remember K.a.z = 1 (per s)",
      "assert_absent K.a.w (per s) valid_from=2025-01-01T00:00:00Z",
    ]);
    expect(JSON.stringify(answer)).not.toMatch(/0\.97|swordfish/);
  });

  it("[4.2] says nothing of bindings, control flow, branches and reads", () => {
    const answer = after('remember(K.a.x, 1, "s")').run(
      'x = K.a.x\nif x:\n    y = current(K.a.x)\nmatch x:\n    case 1:\n        z = 2\nfor i in range(3):\n    pass\nwith branch("b"):\n    get(K.a.x)\n    commit()\nvalues(K.a.x)\nhistory(K.a.x)\nwhy(K.a.x)\nfind(K, x=1)',
    );
    expect(answer.text).toBe("OK program: no change");
  });

  it("[4.2] covers what an imported module did, its body and its scripts", () => {
    const f = withLib();
    expect(f.run('import lib\nlib.note("a")\nprint("end")').text).toBe(
      "OK program: 1 claim added, 3 prints\nloading\nremember Log.l.a = 'a' (per lib)\nend".replace("3 prints", "2 prints"),
    );
  });

  it("[4.2] a print without its newline holds the line open, one with several lines keeps them", () => {
    expect(
      new ToolFixture().run(
        'print("a", end="")\nprint("b", "c", sep="-")\nprint()\nprint("x\\ny")\nprint(1, end="\\n\\n")\nprint(2, end="")',
      ).text,
    ).toBe("OK program: 6 prints\nab-c\n\nx\ny\n1\n\n2");
  });

  it("[4.2] of one line shows the first effects and the last, and says how many it left out", () => {
    const answer = new ToolFixture().run('for i in range(9):\n    remember(K["s" + str(i)].x, i, "s")');
    expect(answer.text.split("\n")).toEqual([
      "OK program: 9 claims added",
      "remember K.s0.x = 0 (per s)",
      "remember K.s1.x = 1 (per s)",
      "remember K.s2.x = 2 (per s)",
      "remember K.s8.x = 8 (per s)",
      "(5 more effects of lines that ran many times)",
    ]);
    const one = new ToolFixture().run('for i in range(5):\n    remember(K["s" + str(i)].x, i, "s")');
    expect(one.text.split("\n").at(-1)).toBe("(1 more effect of lines that ran many times)");
  });
});

describe("a run that fails", () => {
  it("[4.2] is headed by the reason and its line, lists what it did, and keeps what it wrote", () => {
    const f = new ToolFixture();
    const answer = f.run('remember(K.a.x, 1, "s")\nprint("a")\nremember(K.a.x, 2, "s")\nprint("b")');
    const lines = answer.text.split("\n");
    expect(lines[0]).toMatch(/^error: program failed — line 3: /);
    expect(lines.slice(2)).toEqual(["remember K.a.x = 1 (per s)", "a"]);
    expect(answer).toMatchObject({ status: "refuse", meta: { refuse_reason: "conflicting_write", invoke_status: "failed" } });
    expect(f.run("print(K.a.x)").text).toContain("\n1");
  });

  it("[4.2] in a module names the module and its line, reached by a call or by an import", () => {
    const f = withLib();
    expect(f.run("import lib\nlib.fail()").text.split("\n")[0]).toBe("error: program failed — line 14 of module `lib`: ValueError: bad");
    f.compile("late", 'if present(K.a.trap):\n    raise ValueError("trapped")\n');
    f.run('remember(K.a.trap, 1, "s")');
    expect(f.run("import late").text.split("\n")[0]).toBe("error: program failed — line 2 of module `late`: ValueError: trapped");
  });

  it("[4.2] inside a branch leaves nothing of the branch, and everything before it", () => {
    const f = new ToolFixture();
    const answer = f.run(
      'remember(K.a.x, 1, "s")\nwith branch("b"):\n    remember(K.a.y, 1, "s")\n    print("in")\n    raise ValueError("no")',
    );
    expect(answer.text.split("\n").slice(1)).toEqual(["remember K.a.x = 1 (per s)", "in"]);
    expect(f.run("print(K.a.x, K.a.y)").text).toContain("1 None");
  });
});

describe("a program", () => {
  it.each([
    ["def f():\n    return 1\n", "out_of_surface", "`def f`"],
    ["x = 1\nclass A:\n    x: int\n", "out_of_surface", "`class A`"],
    ["@rule\ndef r(p: P):\n    when(p.x == 1)\n    conclude(p.a, 1)\n", "out_of_surface", "`r`"],
    ["class A:\n    x: int\n\n    @computed\n    def y(self) -> int:\n        return self.x\n", "out_of_surface", "`class A`"],
  ])("[4.2] that declares (%j) is refused and told of `compile`", (source, reason, names) => {
    const f = new ToolFixture();
    const answer = f.run(`print("before")\n${source}`);
    expect(answer).toMatchObject({ status: "refuse", meta: { refuse_reason: reason, transcript: [], invoke_status: "failed" }, ops: 0 });
    expect(answer.text).toMatch(/^error: program failed — line \d+: /);
    expect(answer.text).toContain("`compile`");
    expect(answer.text).toContain(names);
  });

  it.each(["", "\n\n", "# only words\n", "   \n"])("[4.2] without statements (%j) is refused: incomplete_slots", (source) => {
    expect(new ToolFixture().run(source)).toMatchObject({ status: "refuse", meta: { refuse_reason: "incomplete_slots" } });
  });

  it("[4.2] cannot return: it prints or binds", () => {
    const answer = new ToolFixture().run("x = 1\nreturn x");
    expect(answer).toMatchObject({ status: "refuse", meta: { refuse_reason: "out_of_surface" } });
    expect(answer.text).toMatch(/line 2: .*print/);
  });

  it("[4.2] is not kept: nothing callable, nothing listed, nothing but what it remembered", () => {
    const f = after('x = 5\nremember(K.a.x, x, "s")');
    expect(f.run("print(x)").status).toBe("compile_error");
    for (const target of ["scripts", "rules"]) expect(f.call("list", { target }).text).toMatch(/^OK list: 0 /);
    expect(f.call("list_modules", {}).text).toBe("OK list_modules: 0 modules");
    expect(f.run("print(K.a.x)").text).toContain("\n5");
  });

  it("[4.2] is answered with the same bytes over the same store, in any slices, before and after reopening", () => {
    const program =
      'import lib\nn = lib.add(1)\nfor i in range(30):\n    x = [i] * i\n    print(i, x)\ns = {"b", "a", "c"}\nprint(s, get(K.a.x))\nfor k in ["p", "q"]:\n    lib.note(k)';
    const made = (slice: number, reopen: boolean): ToolAnswer => {
      const f = withLib();
      f.run('remember(K.a.x, 1, "s")');
      if (reopen) f.reopen();
      return f.run(program, { slice });
    };
    const first = made(50_000, false);
    expect(first.status).toBe("success");
    for (const [slice, reopen] of [
      [1, false],
      [7, true],
      [50_000, true],
    ] as const)
      expect(made(slice, reopen)).toEqual(first);
  });
});

describe("the transcript", () => {
  it("[5] has an entry for each plain name bound by an assignment, left to right, and each print; of nothing else", () => {
    const answer = after('remember(K.a.x, 1, "s")').run(
      `a, (b, *c) = 1, (2, 3, 4)
d = e = 5
f: int = 6
f += 1
g = [1]
g[0] = 9
g.append(2)
if (h := 3):
    i = h
for j in range(2):
    pass
match 7:
    case k:
        m = k
with branch("b"):
    n = 1
    remember(K.a.y, 1, "s")
try:
    o = 1 // 0
except ZeroDivisionError as p:
    print("caught")
[q for q in range(3)]
get(K.a.x)
r: int
print(a, b)`,
    );
    expect(short(entries(answer))).toEqual([
      "a=1@1",
      "b=2@1",
      "c=[3, 4]@1",
      "d=5@2",
      "e=5@2",
      "f=6@3",
      "f=7@4",
      "g=[1]@5",
      "i=3@9",
      "m=7@14",
      "n=1@16",
      "caught@21",
      "1 2@25",
    ]);
  });

  it("[5] an assign has name, type, value and line; a print has no name, and its `end` where that is no newline", () => {
    const answer = new ToolFixture().run('x = 1.5\nprint("a", end="")\nprint("b")');
    expect(entries(answer)).toEqual([
      { kind: "assign", name: "x", type: "real", value: "1.5", line: 1 },
      { kind: "print", type: "string", value: "a", end: "", line: 2 },
      { kind: "print", type: "string", value: "b", line: 3 },
    ]);
  });

  it("[5] holds the value as it was when it was bound", () => {
    expect(short(entries(new ToolFixture().run("x = [1]\ny = x\nx.append(2)\nfor i in range(9):\n    z = x\n    x.append(i)")))).toEqual([
      "x=[1]@1",
      "y=[1]@2",
      "z=[1, 2]@5",
      "z=[1, 2, 0]@5",
      "z=[1, 2, 0, 1]@5",
      "z=[1, 2, 0, 1, 2, 3, 4, 5, 6, 7]@5",
    ]);
  });

  it("[5] of a script: its prints and bindings under from_module, no entry for a parameter, its value under the name that took it", () => {
    const answer = withLib().run("import lib\nn = lib.add(1)\nlib.add(2, b=3)\nprint([lib.add(3)])");
    expect(short(entries(answer))).toEqual([
      "lib:loading@1",
      "lib:base=5@2",
      "lib:s=3@5",
      "lib:adding 1@6",
      "n=3@2",
      "lib:s=5@5",
      "lib:adding 2@6",
      "lib:s=5@5",
      "lib:adding 3@6",
      "[5]@4",
    ]);
  });

  it("[5] names the module an entry is from, not the one that reached it", () => {
    const f = withLib();
    f.compile("outer", "import lib\n\ndef go():\n    v = lib.add(7)\n    return v\n");
    expect(short(entries(f.run("import outer\nw = outer.go()")))).toEqual([
      "lib:loading@1",
      "lib:base=5@2",
      "lib:s=9@5",
      "lib:adding 7@6",
      "outer:v=9@4",
      "w=9@2",
    ]);
  });

  it("[5] of a line that ran many times keeps the first three and the last, counts the rest, and drops no print", () => {
    const answer = new ToolFixture().run("for i in range(100):\n    x = i * i\n    print(i)\nlast = x");
    const own = entries(answer);
    expect(short(own.filter((e) => e.kind === "assign"))).toEqual(["x=0@2", "x=1@2", "x=4@2", "x=9801@2", "last=9801@4"]);
    expect(own.filter((e) => e.kind === "print").map((e) => e.value)).toEqual(Array.from({ length: 100 }, (_, i) => String(i)));
    expect(answer.meta["transcript_omitted"]).toBe(96);
    // In execution order: the last binding stands before the last print.
    expect(short(own).slice(-3)).toEqual(["x=9801@2", "99@3", "last=9801@4"]);
  });

  it.each([
    [3, 3, undefined],
    [4, 4, undefined],
    [5, 4, 1],
    [6, 4, 2],
  ])("[5] of a line that ran %i times has %i entries and omits %s", (times, kept, omitted) => {
    const answer = new ToolFixture().run(`for i in range(${times}):\n    x = i`);
    expect(entries(answer)).toHaveLength(kept);
    expect(answer.meta["transcript_omitted"]).toBe(omitted);
    expect("transcript_omitted" in answer.meta).toBe(omitted !== undefined);
  });

  it("[5] counts a module's repetitions line by line too", () => {
    const f = new ToolFixture();
    f.compile("m", "def f(n: int):\n    y = n\n    return y\n");
    const answer = f.run("import m\nfor i in range(10):\n    z = m.f(i)");
    expect(short(entries(answer))).toEqual(["m:y=0@2", "z=0@3", "m:y=1@2", "z=1@3", "m:y=2@2", "z=2@3", "m:y=9@2", "z=9@3"]);
    expect(answer.meta["transcript_omitted"]).toBe(12);
  });

  it("[5] is there for a run that failed, up to the failure", () => {
    expect(short(entries(new ToolFixture().run("x = 1\nprint(x)\ny = 1 // 0\nz = 2")))).toEqual(["x=1@1", "1@2"]);
  });
});

describe("the mirror", () => {
  it("[5] holds every print, the final value of each statement of the program, and its own count of what it left out", () => {
    const answer = withLib().run("import lib\nn = lib.add(1)\nfor i in range(10):\n    x = i\n    print(i)\nn = 4");
    expect(short(mirrored(answer))).toEqual([
      "lib:loading@1",
      "lib:adding 1@6",
      "n=3@2",
      ...[0, 1, 2, 3, 4, 5, 6, 7, 8].map((i) => `${i}@5`),
      "x=9@4",
      "9@5",
      "n=4@6",
    ]);
    // Left out: base, s, and of x the first nine.
    expect(answer.meta["transcript_omitted"]).toBe(6);
    expect((answer.mirror as { transcript_omitted: number }).transcript_omitted).toBe(11);
  });

  it("[5] has the same fields as _meta, and no count where it left nothing out", () => {
    for (const source of ["x = 1\nprint(x)", "x = 1\nx = 1 // 0", "x =", "import nowhere", ""]) {
      const answer = new ToolFixture().run(source);
      expect(Object.keys(answer.mirror as object).sort(), source).toEqual(Object.keys(answer.meta).sort());
      expect(answer.mirror, source).toEqual(answer.meta);
    }
  });

  it("[5] shows no value of a line as final that is not: of two names on one repeated line only the last binding is known", () => {
    const answer = new ToolFixture().run("for i in range(10):\n    a, b = i, -i\nc, d = 1, 2\ne = f = g = h = 0");
    expect(short(mirrored(answer))).toEqual(["b=-9@2", "c=1@3", "d=2@3", "e=0@4", "f=0@4", "g=0@4", "h=0@4"]);
  });
});

describe("notes", () => {
  const HANDLER = "try:\n    x = 1\nexcept Exception:\n    y = 1\nexcept ValueError:\n    z = 2\n";
  const BARE = 'remember(Person.a.name, "x", "s")\n';
  function store(): ToolFixture {
    const f = new ToolFixture();
    f.compile("family", "class Person:\n    name: string\n");
    return f;
  }

  it.each([
    ["Exception", "ValueError", "put `except ValueError` above `except Exception`, or leave it out"],
    ["ValueError", "ValueError", "leave this handler out"],
    ["LookupError", "(KeyError, IndexError)", "put `except (KeyError, IndexError)` above `except LookupError`, or leave it out"],
    ["(KeyError, IndexError)", "(IndexError, KeyError)", "leave this handler out"],
  ])("[5] of a handler that never runs the hint is an edit that mends it: %s, then %s", (earlier, later, hint) => {
    const answer = new ToolFixture().run(`try:\n    x = 1\nexcept ${earlier}:\n    y = 1\nexcept ${later}:\n    z = 2\n`);
    expect((answer.meta["notes"] as unknown as { teaching_hint: string }[]).map((note) => note.teaching_hint)).toEqual([hint]);
  });

  it("[5] close the rendered text, one line each, in source order, and ride in _meta and the mirror whole", () => {
    const answer = store().run(`${BARE}${HANDLER}print("done")`);
    const notes = answer.meta["notes"] as { line: number; col: number; reason: string; teaching_hint: string }[];
    expect(notes.map((note) => [note.line, note.col])).toEqual([
      [1, 1],
      [6, 1],
    ]);
    for (const note of notes) expect(Object.keys(note).sort()).toEqual(["col", "line", "reason", "teaching_hint"]);
    expect((answer.mirror as { notes: unknown }).notes).toEqual(notes);
    expect(answer.text.split("\n").slice(-3)).toEqual([
      "done",
      ...notes.map((n) => `note: line ${n.line}, col ${n.col}: ${n.reason}; ${n.teaching_hint}`),
    ]);
    expect(answer.status).toBe("success");
    expect(answer.text).toContain("remember Person.a.name = 'x' (per s)");
  });

  it("[5] of a compile are on _meta and in the text; there is no mirror", () => {
    const answer = store().compile("m", `${BARE}${HANDLER}`);
    expect(answer.mirror).toBeNull();
    expect(answer.meta["notes"]).toHaveLength(2);
    expect(
      answer.text
        .split("\n")
        .slice(-2)
        .every((line) => line.startsWith("note: line ")),
    ).toBe(true);
  });

  it.each([
    ["an import of the module", `import family\n${BARE}`],
    ["a kind no module declares", 'remember(Other.a.name, "x", "s")'],
    ["a read of the bare kind", "print(get(Person.a.name))"],
    ["handlers in the useful order", "try:\n    x = 1\nexcept ValueError:\n    y = 1\nexcept Exception:\n    z = 2\n"],
  ])("[5] none for %s, and then no field", (_, source) => {
    const answer = store().run(source);
    expect(answer.status).toBe("success");
    expect(answer.meta).not.toHaveProperty("notes");
    expect(answer.mirror).not.toHaveProperty("notes");
    expect(answer.text).not.toContain("note:");
  });

  it("[5] come with a run that fails too", () => {
    expect(store().run(`${BARE}raise ValueError("x")`).meta["notes"]).toHaveLength(1);
  });
});

describe("what a caller names", () => {
  it("breaks no line of ours: a source, the name of a qualifier, a label", () => {
    const f = new ToolFixture();
    const run = f.run(
      'remember(K.a.x, 1, "reg\\nforget K.b (9 claims removed", **{"q\\u2028r": 1})\nupdate(K.a.y, 1, "s\\r")\nassert_absent(K.a.z, "\\x85")\nprefer(K.a.x, "reg\\nforget K.b (9 claims removed")',
    );
    expect(run.text.split("\n")).toEqual([
      "OK program: 2 claims added, 1 absence asserted, 1 preference change",
      'remember K.a.x = 1 (per "reg\\nforget K.b (9 claims removed") qualifiers: "q\\u2028r"',
      'update K.a.y = 1 (per "s\\r")',
      'assert_absent K.a.z (per "\\x85")',
      'prefer K.a.x ("reg\\nforget K.b (9 claims removed")',
    ]);
    expect(f.run("print(current(K.a.x))").text.split("\n")).toEqual([
      "OK program: 1 print",
      'active_claim=1 src="reg\\nforget K.b (9 claims removed" qualifiers={"q\\u2028r": 1}',
    ]);
    expect(f.run("print(why(K.a.y))").text).toContain('asserted by "s\\r"');
    expect(f.run('discard_world("w\\nOK")').text.split("\n").at(-1)).toBe('hint: "w\\nOK"');
    f.compile("m", "x = 1", {});
    f.call("compile", { name: "m", version: "1\nscripts: m.evil" });
    expect(f.call("info_module", { name: "m" }).text.split("\n")).toContain('version: "1\\nscripts: m.evil"');
    f.call("compile", { name: "m", version: "2.1.0 (stable)" });
    expect(f.call("info_module", { name: "m" }).text.split("\n")).toContain("version: 2.1.0 (stable)");
  });
});
