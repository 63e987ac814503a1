/**
 * Reads of conclusions at a past moment: contract §6 (`known_at`), rulings "known_at and changed rules", "known_at edges".
 * What such a read gives must be what the same read gave then.
 */
import { describe, expect, test } from "vitest";
import { Datetime } from "../../src/datum";
import { datetimeText } from "../../src/lang/value/datetime";
import { ToolFixture } from "./tool-fixture";

class Known extends ToolFixture {
  /** The instant of the last call, as source. */
  get last(): string {
    return `datetime("${datetimeText(new Datetime(this.clock))}")`;
  }
  ok(source: string): string {
    const answer = this.run(source);
    if (answer.status !== "success") throw new Error(answer.text);
    return (answer.meta["transcript"] as { kind: string; value: string }[])
      .filter((entry) => entry.kind === "print")
      .map((entry) => entry.value)
      .join("\n");
  }
  module(name: string, source: string): void {
    const answer = this.compile(name, source);
    if (answer.status !== "success") throw new Error(answer.text);
  }
  refused(source: string): string {
    const answer = this.run(source);
    expect(answer.status).toBe("refuse");
    return answer.meta["refuse_reason"] as string;
  }
}

const FAMILY = `
class P:
    parent: many[P]
    ancestor: many[P]
    born: int
    grown: bool

@rule
def base(p: P, q: P):
    when(p.parent == q)
    conclude(p.ancestor, q)

@rule
def step(p: P, q: P, r: P):
    when(p.parent == q, q.ancestor == r)
    conclude(p.ancestor, r)

@rule
def grown(p: P):
    when(p.born < 2000, none(o for o in P if o.parent == p))
    conclude(p.grown, True)

@rule
def size(p: P):
    conclude(p.size, count(o for o in P if o.ancestor == p))
`;

const R = (n: number) => `@rule\ndef r(p: P):\n    when(p.born < ${n})\n    conclude(p.old, True)\n`;

describe("[6] known_at over conclusions", () => {
  test("answers what the same read answered then, past later writes", () => {
    const f = new Known();
    f.module("m", FAMILY);
    f.ok('import m\nremember(P.a.parent, P.b, "s")\nremember(P.b.parent, P.c, "s")\nremember(P.a.born, 1990, "s")');
    const first = f.last;
    f.ok('import m\nremember(P.c.parent, P.d, "s")\nremember(P.z.parent, P.a, "s")\nupdate(P.a.born, 2010, "s")');
    const second = f.last;
    f.ok('import m\nremember(P.d.parent, P.e, "s")');
    const read = (k: string) =>
      f.ok(
        `import m\nprint(values(P.a.ancestor, known_at=${k}), value(P.a.grown, known_at=${k}), value(P.c["size"], known_at=${k}), subjects(P, known_at=${k}))`,
      );
    expect(read(first)).toBe("[m.P.b, m.P.c] True 2 [m.P.a, m.P.b, m.P.c]");
    expect(read(second)).toBe("[m.P.b, m.P.c, m.P.d] None 3 [m.P.a, m.P.b, m.P.c, m.P.d, m.P.z]");
    expect(read("now()")).toBe(f.ok('import m\nprint(values(P.a.ancestor), value(P.a.grown), value(P.c["size"]), subjects(P))'));
  });

  test("at= over a conclusion, past and future instants, alone and with known_at", () => {
    const f = new Known();
    f.module("m", "@rule\ndef hot(s: S):\n    when(s.temp > s.limit)\n    conclude(s.hot, True)\n");
    f.ok(
      'remember(S.a.limit, 10, "x")\nremember(S.a.temp, 20, "x", valid_from=datetime("2020-01-01T00:00:00Z"), valid_to=datetime("2021-01-01T00:00:00Z"))',
    );
    const then = f.last;
    f.ok('remember(S.a.temp, 30, "x", valid_from=datetime("2099-01-01T00:00:00Z"))');
    const at = (text: string, more = "") => `value(S.a.hot, at=datetime("${text}T00:00:00Z")${more})`;
    const days = ["2019-12-31", "2020-01-01", "2020-12-31", "2021-01-01", "2099-01-01", "9000-01-01"];
    expect(f.ok(`print(${days.map((day) => at(day)).join(", ")})`)).toBe("None True True None True True");
    expect(f.ok(`print(${days.map((day) => at(day, `, known_at=${then}`)).join(", ")})`)).toBe("None True True None None None");
    expect(f.ok(`print(current(S.a.hot, at=datetime("2020-06-01T00:00:00Z"), known_at=${then}))`)).toBe(
      "active_claim=True src=m.hot valid=[2020-01-01T00:00:00Z, 2021-01-01T00:00:00Z) rule=m.hot",
    );
  });

  test("a claim read so has the rule as source, the latest recording of its proof, and its maximal window", () => {
    const f = new Known();
    f.module("m", FAMILY);
    f.ok('import m\nremember(P.a.parent, P.b, "s", valid_to=datetime("2050-01-01T00:00:00Z"))');
    const first = f.last;
    f.ok('import m\nremember(P.x.parent, P.c, "s")');
    const second = f.last;
    f.ok('import m\nupdate(P.a.parent, P.c, "s")');
    const read = (k: string) =>
      f.ok(`import m\nc = current(P.a.ancestor, known_at=${k})\nprint(c, c.recorded_at, c.trust, c.written_by, c.qualifiers)`);
    const stamp = (k: string) => /"(.*)"/.exec(k)![1];
    expect(read(second)).toBe(`active_claim=m.P.b src=m.base valid=[-, 2050-01-01T00:00:00Z) rule=m.base ${stamp(first)} derived None {}`);
    const third = f.last;
    const recorded = f.ok("import m\nprint(current(P.a.parent).recorded_at)");
    expect(read(third)).toBe(`active_claim=m.P.c src=m.base rule=m.base ${recorded} derived None {}`);
  });

  test("not_recorded: a claim whose window reaches where a version is not known any more", () => {
    const f = new Known();
    f.module("m", R(2000));
    f.ok(
      'remember(P.a.born, 1990, "s", valid_to=datetime("2050-01-01T00:00:00Z"))\nremember(P.a.born, 1985, "s", valid_from=datetime("2050-01-01T00:00:00Z"))',
    );
    const then = f.last;
    f.ok('update(P.a.born, 1986, "s", valid_from=datetime("2050-01-01T00:00:00Z"))');
    f.ok('forget(P.a.born, 1986, "s")');
    expect(f.ok(`print(value(P.a.old, known_at=${then}))`)).toBe("True");
    expect(f.refused(`current(P.a.old, known_at=${then})`)).toBe("not_recorded");
    expect(f.refused(`value(P.a.old, at=datetime("2060-01-01T00:00:00Z"), known_at=${then})`)).toBe("not_recorded");
  });

  test("a rule first stored after the moment takes no part", () => {
    const f = new Known();
    f.ok('remember(P.a.born, 1990, "s")');
    const before = f.last;
    f.module("m", "@rule\ndef r(p: P):\n    when(p.born < 2000)\n    conclude(p.old, True)\n");
    const stored = f.last;
    expect(f.ok(`print(value(P.a.old, known_at=${before}), value(P.a.old, known_at=${stored}))`)).toBe("None True");
    f.module("n", "@rule\ndef r(p: P):\n    when(p.old == True)\n    conclude(p.older, True)\n");
    expect(f.ok(`print(value(P.a.older, known_at=${stored}), value(P.a.older))`)).toBe("None True");
  });

  test("derived_field: a rule compiled to another form or removed after the moment, read through others and through absences too", () => {
    const f = new Known();
    f.module("m", R(2000));
    f.module("n", "@rule\ndef up(p: P):\n    when(absent(p.old), p.born > 0)\n    conclude(p.fresh, True)\n");
    f.ok('remember(P.a.born, 1990, "s")');
    const then = f.last;
    expect(f.ok(`print(value(P.a.old, known_at=${then}), value(P.a.fresh, known_at=${then}))`)).toBe("True None");
    f.module("m", `# the same, further down\n\n${R(2000)}`);
    expect(f.ok(`print(value(P.a.old, known_at=${then}))`)).toBe("True");
    f.module("m", R(1980));
    const changed = f.last;
    for (const cell of ["P.a.old", "P.a.fresh"]) expect(f.refused(`value(${cell}, known_at=${then})`)).toBe("derived_field");
    expect(f.refused(`subjects(P, known_at=${then})`)).toBe("derived_field");
    expect(
      f.ok(`print(value(P.a.old, known_at=${changed}), value(P.a.fresh, known_at=${changed}), value(P.a.born, known_at=${then}))`),
    ).toBe("None True 1990");
    f.call("forget_rule", { name: "m.r" });
    const removed = f.last;
    f.reopen();
    expect(f.refused(`value(P.a.old, known_at=${changed})`)).toBe("derived_field");
    expect(f.refused(`values(P.a.old, known_at=${changed})`)).toBe("derived_field");
    expect(f.refused(`current(P.a.fresh, known_at=${changed})`)).toBe("derived_field");
    expect(f.ok(`print(value(P.a.old, known_at=${removed}), value(P.a.fresh, known_at=${removed}))`)).toBe("None True");
    f.module("m", R(2000));
    const back = f.last;
    expect(f.ok(`print(value(P.a.old, known_at=${removed}), value(P.a.old, known_at=${back}))`)).toBe("None True");
    expect(f.refused(`value(P.a.old, known_at=${then})`)).toBe("derived_field");
  });

  test("derived_field: forget_module, and a compile that leaves the rule out; a compile that fails changes nothing of it", () => {
    const f = new Known();
    f.module("m", R(2000));
    f.ok('remember(P.a.born, 1990, "s")');
    const then = f.last;
    expect(f.compile("m", `${R(1)}\nremember(P.b.born, 1, "s")\nremember(P.b.born, 2, "s")\n`).status).toBe("refuse");
    expect(f.ok(`print(value(P.a.old, known_at=${then}))`)).toBe("True");
    f.module("m", "class Q:\n    x: int\n");
    expect(f.refused(`value(P.a.old, known_at=${then})`)).toBe("derived_field");
    f.module("k", R(1995));
    const other = f.last;
    f.call("forget_module", { name: "k", confirm: true });
    expect(f.refused(`value(P.a.old, known_at=${other})`)).toBe("derived_field");
    expect(f.ok("print(value(P.a.old, known_at=now()))")).toBe("None");
  });

  test("derived_field: a module brought back by a restore was away; from then on its rules are known again", () => {
    const f = new Known();
    f.module("m", `class P:\n    born: int\n\n${R(2000)}`);
    f.ok('import m\nremember(P.a.born, 1990, "s")');
    const then = f.last;
    expect(f.call("checkpoint", { name: "c" }).status).toBe("success");
    expect(f.call("forget_module", { name: "m", confirm: true }).status).toBe("success");
    const gone = f.last;
    expect(f.call("restore", { since: "c" }).status).toBe("success");
    const back = f.last;
    for (const known of [then, gone]) expect(f.refused(`import m\nvalue(P.a.old, known_at=${known})`)).toBe("derived_field");
    f.reopen();
    expect(f.ok(`import m\nprint(value(P.a.old, known_at=${back}), P.a.old)`)).toBe("True True");
    expect(f.refused(`import m\nvalue(P.a.old, known_at=${then})`)).toBe("derived_field");
  });

  test("derived_field: of several fields, subjects names the first by name, in an object opened anew too", () => {
    const f = new Known();
    const rule = (name: string) => `@rule\ndef ${name}_rule(p: P):\n    when(p.born > 0)\n    conclude(p.${name}, True)\n\n`;
    const bare = "class P:\n    born: int\n\n";
    f.module("m", `${bare}${rule("zeta")}`);
    f.module("m", `${bare}${rule("zeta")}${rule("alpha")}`);
    f.ok('import m\nremember(P.a.born, 1, "s")');
    const then = f.last;
    f.module("m", bare);
    const read = `import m\nsubjects(P, known_at=${then})`;
    expect(f.run(read).text).toContain("m.P.alpha");
    f.reopen();
    expect(f.run(read).text).toContain("m.P.alpha");
  });

  test("derived_field names the moment's field and can be caught", () => {
    const f = new Known();
    f.module("m", R(2000));
    f.ok('remember(P.a.born, 1990, "s")');
    const then = f.last;
    f.module("m", R(1980));
    expect(f.ok(`try:\n    value(P.a.old, known_at=${then})\nexcept DerivedField as e:\n    print(e.reason, e.hint)`)).toBe(
      "derived_field P.old",
    );
  });

  test("not_recorded: a premise's value was replaced by one that is forgotten since", () => {
    const f = new Known();
    f.module("m", R(2000));
    f.ok('remember(P.a.born, 1990, "s")\nremember(P.b.born, 1980, "s")');
    const then = f.last;
    f.ok('update(P.a.born, 1991, "s")');
    f.ok('forget(P.a.born, 1991, "s")');
    expect(f.refused(`value(P.a.old, known_at=${then})`)).toBe("not_recorded");
    expect(f.ok(`print(value(P.b.old, known_at=${then}))`)).toBe("True");
  });

  test("limit_exceeded: the same read over the same data refuses the same way; what rests on less is answered", () => {
    const f = new Known();
    f.ok('for i in range(330):\n    remember(P[str(i)].x, 1, "s")\nremember(T.t.on, True, "s")');
    f.module("m", "@rule\ndef pairs(p: P, q: P):\n    when(p.x == q.x)\n    conclude(p.pair, q)\n");
    f.module("n", "@rule\ndef r(t: T):\n    when(t.on == True)\n    conclude(t.most, max(p.x for p in P if p.pair == p))\n");
    f.module("k", "@rule\ndef r(t: T):\n    when(t.on == True)\n    conclude(t.least, min(p.x for p in P))\n");
    f.module(
      "j",
      "@rule\ndef r(t: T):\n    when(t.on == True, none(o for o in P if o.pair == T.t))\n    conclude(t.all, count(o for o in P if present(o.pair)))\n",
    );
    const then = f.last;
    expect(f.ok(`print(len(values(P["7"].pair, known_at=${then})), value(T.t.least, known_at=${then}))`)).toBe("330 1");
    const whole = f.run(`value(T.t.all, known_at=${then})`);
    expect(whole.meta["refuse_reason"]).toBe("limit_exceeded");
    f.reopen();
    expect(f.run(`value(T.t.all, known_at=${then})`).text).toBe(whole.text);
  });

  test("known_at later than the call is invalid_value", () => {
    const f = new Known();
    f.module("m", R(2000));
    for (const read of ["value(P.a.old", "current(P.a.old", "values(P.a.old", "subjects(P"])
      expect(f.refused(`${read}, known_at=now() + duration("PT1S"))`)).toBe("invalid_value");
  });

  test("the preference that stood then judges rival rules", () => {
    const f = new Known();
    const source =
      "class T:\n    x: int\n    y: int\n\n@rule\ndef a(t: T):\n    when(t.x == 1)\n    conclude(t.y, 1)\n\n@rule\ndef b(t: T):\n    when(t.x == 1)\n    conclude(t.y, 2)\n";
    f.module("m", `${source}\n@rule\ndef above(t: T, v: int):\n    when(t.y == v)\n    conclude(t.z, v * 10)\n`);
    f.ok('import m\nremember(T.t.x, 1, "s")');
    const first = f.last;
    f.ok('import m\nprefer(T.t.y, "m.b")');
    const second = f.last;
    f.ok("import m\nunprefer(T.t.y)");
    const read = (k: string) => f.ok(`import m\nprint(value(T.t.y, known_at=${k}), value(T.t.z, known_at=${k}))`);
    expect([read(first), read(second), read("now()")]).toEqual(["1 10", "2 20", "1 10"]);
  });

  test("a preference for a rule outlives what was recorded at the cell it gave way to", () => {
    const f = new Known();
    const rule = (name: string, value: number) =>
      `@rule\ndef ${name}(t: T):\n    when(t.x == 1, not_asserted(t.y))\n    conclude(t.y, ${value})\n\n`;
    f.module("m", `class T:\n    x: int\n    y: int\n\n${rule("a", 1)}${rule("b", 2)}`);
    f.ok('import m\nremember(T.t.x, 1, "s")\nremember(T.u.y, 5, "s")\nprefer(T.t.y, "m.b")');
    const preferred = f.last;
    f.ok('import m\nunprefer(T.t.y)\nremember(T.t.y, 7, "s")');
    f.ok("import m\nforget(T.t.y)");
    expect(f.ok(`import m\nprint(value(T.t.y, known_at=${preferred}), value(T.t.y))`)).toBe("2 1");
  });

  test("a value recorded where every rule gives way answers, though what the rules rest on is past telling", () => {
    const f = new Known();
    f.module(
      "m",
      "class T:\n    x: int\n    y: int\n\n@rule\ndef a(t: T):\n    when(t.x > 0, not_asserted(t.y))\n    conclude(t.y, t.x)\n",
    );
    f.ok('import m\nremember(T.t.x, 1, "s")\nremember(T.t.y, 7, "s")');
    const known = f.last;
    f.ok('import m\nupdate(T.t.x, 2, "s")');
    f.ok('import m\nforget(T.t.x, 2, "s")');
    expect(f.ok(`import m\nprint(value(T.t.y, known_at=${known}))`)).toBe("7");
  });
});

/** A stream of small integers that repeats. */
function stream(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const RANDOM = `
class N:
    edge: many[N]
    reach: many[N]
    weight: int
    kind: string
    total: int
    label: string

@rule
def one(a: N, b: N):
    when(a.edge == b)
    conclude(a.reach, b)

@rule
def more(a: N, b: N, c: N):
    when(a.reach == b, b.edge == c)
    conclude(a.reach, c)

@rule
def total(a: N):
    conclude(a.total, sum(o.weight for o in N if o.edge == a))

@rule
def end(a: N):
    when(absent(a.edge), a.total > 2)
    conclude(a.label, "end")

@rule
def heavy(a: N, b: N):
    when(a.reach == b, b.weight >= 3, none(o for o in N if o.edge == a and o.weight > 4))
    conclude(a.label, "heavy")

@rule
def plain(a: N):
    when(a.weight > 0, not_asserted(a.kind))
    conclude(a.kind, "plain")

@rule
def doubly(a: N):
    when(a.kind == "plain", any(o for o in N if o.edge == a and o.weight == a.weight))
    conclude(a.twin, True)
`;

describe("[6] known_at gives what was given then", () => {
  for (const seed of [1, 2, 3]) {
    test(`random writes, windows and preferences, seed ${seed}`, () => {
      const random = stream(seed);
      const f = new Known();
      f.module("g", RANDOM);
      const names = ["a", "b", "c", "d", "e"];
      const node = () => `N.${names[random(names.length)]}`;
      const days = ["2019-01-01", "2022-01-01", "2024-06-01", "2026-01-01", "2030-01-01"];
      const read = (day: string, known: string) =>
        `print([(n, values(n.reach${day}${known}), value(n.total${day}${known}), value(n.label${day}${known}), value(n.kind${day}${known}), value(n.twin${day}${known}), str(current(n.label${day}${known})), str(current(n.kind${day}${known})), (current(n.total${day}${known}).recorded_at if current(n.total${day}${known}) else 0)) for n in [${names.map((n) => `N.${n}`).join(", ")}]], subjects(N${day}${known}))`;
      const reads = days.map((day) => `, at=datetime("${day}T00:00:00Z")`);
      const past: { known: string; lines: string[] }[] = [];
      for (let round = 0; round < 7; round++) {
        const window = () => {
          const from = random(4);
          return random(3) > 0
            ? ""
            : `, valid_from=datetime("${days[from]}T00:00:00Z")${random(2) > 0 ? "" : `, valid_to=datetime("${days[from + 1]}T00:00:00Z")`}`;
        };
        const source = () => (random(2) > 0 ? '"s"' : '"t"');
        const statements: string[] = [];
        for (let i = 0; i < 4; i++) {
          const which = random(8);
          if (which < 3) statements.push(`remember(${node()}.edge, ${node()}, ${source()}${window()})`);
          else if (which < 5) statements.push(`update(${node()}.weight, ${random(7)}, ${source()}${window()})`);
          else if (which === 5) statements.push(`update(${node()}.edge, ${node()}, ${source()})`);
          else if (which === 6) statements.push(`update(${node()}.kind, "odd", ${source()}${window()})`);
          else statements.push(`try:\n    prefer(N.weight, ${source()})\nexcept Refusal:\n    pass`);
        }
        // Read in the call after: what is known at an instant is settled once it has been seen.
        f.ok(`import g\n${statements.join("\n")}`);
        const known = f.last;
        past.push({
          known,
          lines: f.ok(`import g\n${reads.map((at) => read(at, "")).join("\n")}`).split("\n"),
        });
      }
      for (const { known, lines } of past) {
        expect(f.ok(`import g\n${reads.map((at) => read(at, `, known_at=${known}`)).join("\n")}`).split("\n"), known).toEqual(lines);
      }
      expect(new Set(past.map(({ lines }) => lines.join())).size).toBeGreaterThan(5);
    });
  }
});

describe("[store-and-rules 5] a long way is one question", () => {
  test("a thousand ancestors at a past moment, through cycles too", () => {
    const f = new Known();
    f.module("m", FAMILY.slice(0, FAMILY.indexOf("@rule\ndef grown")));
    f.ok(
      'import m\nwith branch("b"):\n    for i in range(1000):\n        remember(P[f"p{i:04}"].parent, P[f"p{i + 1:04}"], "s")\n    remember(P.p1000.parent, P.p0990, "s")',
    );
    const then = f.last;
    f.ok('import m\nupdate(P.p0500.parent, P.elsewhere, "s")');
    expect(
      f.ok(
        `import m\nprint(len(values(P.p0000.ancestor, known_at=${then})), len(values(P.p0000.ancestor)), len(values(P.p0995.ancestor, known_at=${then})))`,
      ),
    ).toBe("1000 501 11");
  });
});

describe("[rulings] fields that lost their rule", () => {
  test("stay fields of their Kind for a program, and read empty; a compile no longer knows them", () => {
    const f = new Known();
    f.module("m", "class P:\n    born: int\n\n@rule\ndef r(p: P):\n    when(p.born < 2000)\n    conclude(p.old, True)\n");
    f.ok('import m\nremember(P.a.born, 1, "s")');
    f.call("forget_rule", { name: "m.r" });
    f.reopen();
    expect(f.ok("import m\nprint(P.a.old, value(P.a.old), get(P.a.old))")).toBe("None None []");
    expect(f.compile("n", "import m\n\n@rule\ndef r(p: P):\n    when(p.old == True)\n    conclude(p.older, True)\n").status).toBe(
      "compile_error",
    );
    expect(f.run("import m\nprint(P.a.never)").status).toBe("compile_error");
    // What a look at reasons loads is not kept: nothing would keep it current.
    f.ok("import m\nwhy_not(P.a.old, True)");
    f.ok('import m\nremember(P.a.old, False, "s")');
    expect(f.ok("import m\nprint(why_not(P.a.old, True))").split("\n")[1]).toBe("  value differs: m.P.a.old is False, not True");
  });
});
