/** The report of `checkup` line by line: contract §9.6; rulings "checkup", "checkup, what counts", "Constraints". */
import { describe, expect, test } from "vitest";
import { ToolFixture } from "./tool-fixture";

function report(...steps: readonly (readonly [module: string, source: string] | string)[]): string[] {
  const f = new ToolFixture();
  for (const step of steps) {
    const answer = typeof step === "string" ? f.run(step) : f.compile(...step);
    if (answer.status !== "success") throw new Error(answer.text);
  }
  return lines(f);
}
function lines(f: ToolFixture): string[] {
  const answer = f.call("checkup", {}, { level: "read" });
  expect(answer.status).toBe("success");
  return answer.text.split("\n");
}
function counts(over: Record<string, number>): string {
  const all = {
    rules: 0,
    unfirable: 0,
    unreadable: 0,
    declined: 0,
    kinds: 0,
    unread: 0,
    constraints: 0,
    unevaluable: 0,
    violated: 0,
    ...over,
  };
  return `counts ${Object.entries(all)
    .map(([name, n]) => `${name}=${n}`)
    .join(" ")}`;
}

const HOT = `
class Sensor:
    temp: int
    limit: int
    room: string

@rule
def hot(s: Sensor):
    when(s.temp > s.limit)
    conclude(s.hot, True)
`;

describe("[9.6] checkup", () => {
  test("an empty store reports its counts and nothing else", () => {
    expect(report()).toEqual([counts({})]);
  });

  test("no-such-kind, no-values and not-in-force are told apart", () => {
    expect(report(["h", HOT])).toEqual([
      counts({ rules: 1, unfirable: 1 }),
      "unmet h.Sensor.limit no-such-kind",
      "unmet h.Sensor.temp no-such-kind",
    ]);
    expect(report(["h", HOT], 'import h\nremember(Sensor.s1.room, "hall", "a")')).toEqual([
      counts({ rules: 1, unfirable: 1, kinds: 1 }),
      "unmet h.Sensor.limit no-values",
      "unmet h.Sensor.temp no-values",
    ]);
    expect(
      report(
        ["h", HOT],
        'import h\nremember(Sensor.s1.temp, 3, "a", valid_to=datetime("2020-01-01T00:00:00Z"))\nremember(Sensor.s1.limit, 2, "a")\nassert_absent(Sensor.s2.limit, "a")',
      ),
    ).toEqual([counts({ rules: 1, unfirable: 1, kinds: 1 }), "unmet h.Sensor.temp not-in-force"]);
    expect(report(["h", HOT], 'import h\nremember(Sensor.s1.temp, 3, "a")\nremember(Sensor.s2.limit, 2, "a")')).toEqual([
      counts({ rules: 1, kinds: 1 }),
    ]);
  });

  test("a claim that begins later is not in force; an asserted absence is no value", () => {
    expect(
      report(
        ["h", HOT],
        'import h\nremember(Sensor.s1.temp, 3, "a", valid_from=datetime("2999-01-01T00:00:00Z"))\nassert_absent(Sensor.s2.limit, "a")',
      ).slice(1),
    ).toEqual(["unmet h.Sensor.limit no-values", "unmet h.Sensor.temp not-in-force"]);
  });

  test("near: the forgotten import, a letter or two; one letter for short names", () => {
    expect(
      report(["h", HOT], 'remember(Sensor.s1.temp, 3, "a")\nremember(Sensr.s1.temp, 3, "a")\nremember(Censored.s1.x, 1, "a")'),
    ).toEqual([
      counts({ rules: 1, unfirable: 1, kinds: 3, unread: 3 }),
      "unmet h.Sensor.limit no-such-kind",
      "unmet h.Sensor.temp no-such-kind",
      "unread Censored",
      "unread Sensor",
      "unread Sensr",
      "near Sensor ~ h.Sensor",
      "near Sensr ~ h.Sensor",
    ]);
    const cat = "@rule\ndef r(c: Cats):\n    when(c.x == 1)\n    conclude(c.y, 1)\n";
    const found = report(["m", cat], 'remember(Cast.a.x, 1, "a")\nremember(Cat.a.x, 1, "a")\nremember(Catsup.a.x, 1, "a")');
    expect(found.filter((line) => line.startsWith("near"))).toEqual(["near Cat ~ Cats"]);
  });

  test("a premise that asks for an absence is met by an empty cell, and nothing inside none(...) is named", () => {
    expect(
      report([
        "m",
        `
@rule
def quiet(c: C):
    when(absent(c.closed), none(o for o in Order if o.customer == c and o.open == True), not_asserted(c.quiet))
    conclude(c.quiet, True)
`,
      ]),
    ).toEqual([counts({ rules: 1 })]);
  });

  test("cells in folds and any are named; count and sum of nothing still fire, max of nothing does not", () => {
    const source = (fold: string) => `
@rule
def r(c: C):
    when(c.name == "x", ${fold})
    conclude(c.y, True)
`;
    const data = 'remember(C.a.name, "x", "a")';
    expect(report(["m", source("sum(o.amount for o in Order if o.open == True) < 10")], data)).toEqual([
      counts({ rules: 1, kinds: 1 }),
      "unmet Order.amount no-such-kind",
      "unmet Order.open no-such-kind",
    ]);
    expect(report(["m", source("max(o.amount for o in Order) < 10")], data)[0]).toBe(counts({ rules: 1, unfirable: 1, kinds: 1 }));
    expect(report(["m", source("any(o for o in Order if o.open == True)")], data)).toEqual([
      counts({ rules: 1, unfirable: 1, kinds: 1 }),
      "unmet Order.open no-such-kind",
    ]);
  });

  test("a concluded field is never unmet; a rule over what only unfirable rules conclude is unfirable, through a cycle too", () => {
    const source = `
@rule
def base(p: P, q: P):
    when(p.parent == q)
    conclude(p.ancestor, q)

@rule
def step(p: P, q: P, r: P):
    when(p.parent == q, q.ancestor == r)
    conclude(p.ancestor, r)

@rule
def noble(p: P, q: P):
    when(p.ancestor == q)
    conclude(p.noble, True)

@rule
def fixed():
    conclude(Total.all.n, count(p for p in P))
`;
    expect(report(["m", source])).toEqual([counts({ rules: 4, unfirable: 3 }), "unmet P.parent no-such-kind"]);
    expect(report(["m", source], 'remember(P.a.parent, P.b, "x")')).toEqual([counts({ rules: 4, kinds: 1 })]);
  });

  test("computed fields need their cells and are not counted; of an if only what every branch needs is named", () => {
    const source = `
class P:
    born: int
    died: int
    nick: string
    name: string

    @computed
    def age(self) -> int:
        return self.died - self.born

    @computed
    def shown(self) -> string:
        return self.nick if present(self.nick) else self.name
`;
    expect(report(["m", source], 'import m\nremember(P.a.name, "ann", "x")')).toEqual([
      counts({ kinds: 1 }),
      "unmet m.P.born no-values",
      "unmet m.P.died no-values",
    ]);
  });

  test("being concluded at is not being read; a parameter named in a premise is", () => {
    const source = `
@rule
def r(a: A, b: B):
    when(a.friend == b)
    conclude(b.liked, True)
`;
    expect(report(["m", source], 'remember(A.x.friend, B.y, "s")\nremember(B.y.name, "y", "s")\nremember(C.z.name, "z", "s")')).toEqual([
      counts({ rules: 1, kinds: 3, unread: 1 }),
      "unread C",
    ]);
    expect(report(["m", "@rule\ndef r(d: D):\n    conclude(d.ok, True)\n"], 'remember(D.x.name, "y", "s")')).toEqual([
      counts({ rules: 1, kinds: 1, unread: 1 }),
      "unread D",
    ]);
  });

  test("declined: a fold that cannot take a value it reads, where the other premises hold", () => {
    const source = `
class C:
    name: string
    label: string

@rule
def total(c: C):
    when(c.name == "x")
    conclude(c.total, sum(o.amount for o in Order if o.customer == c))

@rule
def large(c: C):
    when(sum(o.amount for o in Order if o.customer == c) > 10, c.name == "y")
    conclude(c.large, True)

@rule
def most(c: C):
    conclude(c.most, max(o.amount for o in Order if o.customer == c))
`;
    const data = 'import m\nremember(C.a.name, "x", "s")\nremember(Order.o1.customer, C.a, "s")\n';
    expect(report(["m", source], `${data}remember(Order.o1.amount, 3, "s")`)[0]).toBe(counts({ rules: 3, kinds: 2 }));
    expect(report(["m", source], `${data}remember(Order.o1.amount, "three", "s")`)[0]).toBe(counts({ rules: 3, declined: 1, kinds: 2 }));
    expect(report(["m", source], `${data}remember(Order.o1.amount, "three", "s")\nremember(C.b.name, "y", "s")`)[0]).toBe(
      counts({ rules: 3, declined: 1, kinds: 2 }),
    );
    expect(
      report(
        ["m", source],
        `${data}remember(Order.o1.amount, "three", "s")\nupdate(C.a.name, "y", "s")\nremember(Order.o2.amount, 1, "s")`,
      )[0],
    ).toBe(counts({ rules: 3, declined: 1, kinds: 2 }));
  });

  test("declined: a value that the declared field cannot hold", () => {
    const source = `
class C:
    a: any
    b: int

@rule
def r(c: C):
    conclude(c.b, c.a)
`;
    expect(report(["m", source], 'import m\nremember(C.x.a, "text", "s")\nremember(C.y.a, 1, "s")')[0]).toBe(
      counts({ rules: 1, declined: 1, kinds: 1 }),
    );
    expect(report(["m", source], 'import m\nremember(C.y.a, 1, "s")')[0]).toBe(counts({ rules: 1, kinds: 1 }));
  });
});

describe("[9.6] constraints", () => {
  const BORN = `
class P:
    parent: many[P]
    born: int

@constraint
def born_first(p: P, q: P):
    when(p.parent == q)
    require(q.born < p.born)
`;
  test("a breach counts distinct first parameters and names the least five in order", () => {
    const rows = Array.from({ length: 12 }, (_, i) => `remember(P["p${i}"].parent, P.old, "s")\nremember(P["p${i}"].born, ${i}, "s")`);
    expect(report(["m", BORN], `import m\nremember(P.old.born, 7, "s")\n${rows.join("\n")}\nremember(P.p0.parent, P.p11, "s")`)).toEqual([
      counts({ kinds: 1, constraints: 1, violated: 1 }),
      "violated m.born_first 8 m.P.p0 m.P.p1 m.P.p2 m.P.p3 m.P.p4",
    ]);
  });

  test("a match whose require reads an empty cell is no breach; none that could be tested is unevaluable; no match holds", () => {
    expect(report(["m", BORN], 'import m\nremember(P.a.parent, P.b, "s")')).toEqual([
      counts({ kinds: 1, constraints: 1, unevaluable: 1 }),
      "unmet m.P.born no-values",
    ]);
    expect(report(["m", BORN], 'import m\nremember(P.a.born, 1, "s")')).toEqual([
      counts({ kinds: 1, constraints: 1 }),
      "unmet m.P.parent no-values",
    ]);
    expect(
      report(
        ["m", BORN],
        'import m\nremember(P.a.parent, P.b, "s")\nremember(P.a.born, 2, "s")\nremember(P.b.born, 1, "s")\nremember(P.c.parent, P.d, "s")',
      ),
    ).toEqual([counts({ kinds: 1, constraints: 1 })]);
  });

  test("present, absence, folds and windows mean what they mean in rules; concluded fields are read", () => {
    const source = `
@rule
def adult(p: Q):
    when(p.age >= 18)
    conclude(p.adult, True)

@constraint
def has_mail(p: Q):
    when(p.adult == True)
    require(present(p.mail))

@constraint
def few(p: Q):
    require(count(o for o in Order if o.by == p) <= 1)
`;
    expect(
      report(
        ["m", source],
        'remember(Q.a.age, 20, "s")\nremember(Q.b.age, 10, "s")\nremember(Q["c d"].age, 30, "s", valid_to=datetime("2020-01-01T00:00:00Z"))\nremember(Q.e.age, 40, "s")\nremember(Q.e.mail, "e@x", "s")\nfor i in range(3):\n    remember(Order[str(i)].by, Q.e if i < 2 else Q.a, "s")',
      ),
    ).toEqual([counts({ rules: 1, kinds: 2, constraints: 2, violated: 2 }), "violated m.few 1 Q.e", "violated m.has_mail 1 Q.a"]);
  });

  test("forget_constraint ends the watch and leaves the data", () => {
    const f = new ToolFixture();
    f.compile("m", BORN);
    f.run('import m\nremember(P.a.parent, P.b, "s")\nremember(P.a.born, 1, "s")\nremember(P.b.born, 2, "s")');
    expect(lines(f)[1]).toBe("violated m.born_first 1 m.P.a");
    f.call("forget_constraint", { name: "m.born_first" });
    expect(lines(f)).toEqual([counts({ kinds: 1, unread: 1 }), "unread m.P"]);
  });
});

describe("[9.6] the tool", () => {
  test("needs a read key, changes nothing, and says the same again, after a restart too", () => {
    const f = new ToolFixture();
    expect(f.call("checkup", {}, { level: "none" }).meta["refuse_reason"]).toBe("scope_forbidden");
    f.compile("h", HOT);
    f.run('remember(Sensor.s1.temp, 3, "a")');
    const bytes = f.sql.exec("SELECT name, value FROM meta WHERE name = 'last_id'");
    const first = lines(f);
    expect(lines(f)).toEqual(first);
    f.reopen();
    expect(lines(f)).toEqual(first);
    expect(f.sql.exec("SELECT name, value FROM meta WHERE name = 'last_id'")).toEqual(bytes);
  });

  test("carries its counts and findings as data", () => {
    const f = new ToolFixture();
    f.compile("h", HOT);
    const { meta, text } = f.call("checkup", {});
    expect(meta["counts"]).toMatchObject({ rules: 1, unfirable: 1, violated: 0 });
    expect([text.split("\n")[0], ...(meta["findings"] as string[])].join("\n")).toBe(text);
  });
});
