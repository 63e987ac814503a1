/** The report of `checkup` line by line: contract §9.6; rulings "checkup", "checkup, what counts", "Constraints". */
import { describe, expect, test } from "vitest";
import { OpenStore } from "../../src/tools/start-tool";
import { CipherNode } from "../engine/cipher-node";
import { SqlNode } from "../engine/sql-node";
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
  // In the smallest slices it reads the same.
  expect(f.call("checkup", {}, { level: "read", slice: 1 })).toEqual(answer);
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

describe("[9.6] checkup against what the rules and the store do", () => {
  const FIELDS = ["a", "b", "c", "d"];
  /** A stream of small integers that repeats. */
  function stream(seed: number): (below: number) => number {
    let state = seed * 7919;
    return (below) => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return Math.floor((state / 2 ** 32) * below);
    };
  }
  for (let seed = 1; seed <= 8; seed++) {
    test(`random rules, constraints and data, seed ${seed}`, () => {
      const random = stream(seed);
      const field = () => FIELDS[random(FIELDS.length)]!;
      const kind = () => ["K", "L"][random(2)]!;
      const premise = (v: string) =>
        [
          `${v}.${field()} > ${random(3)}`,
          `absent(${v}.${field()})`,
          `present(${v}.${field()})`,
          `sum(o.${field()} for o in ${kind()}) >= ${random(4)}`,
          `any(o for o in ${kind()} if o.${field()} == ${v}.${field()})`,
        ][random(5)]!;
      // Derived fields of their own, each rule above the one before it.
      const rules = Array.from({ length: 4 }, (_, i) => {
        const below = i > 0 && random(2) > 0 ? `, s.r${random(i)} == 1` : "";
        return `@rule\ndef r${i}(s: ${kind()}):\n    when(${premise("s")}, ${premise("s")}${below})\n    conclude(s.r${i}, 1)\n`;
      });
      const constraints = Array.from({ length: 2 }, (_, i) => {
        const k = kind();
        const [when, f, n] = [`s.${field()} >= ${random(2)}`, field(), random(3)];
        return { k, when, f, n, source: `@constraint\ndef c${i}(s: ${k}):\n    when(${when})\n    require(s.${f} > ${n})\n` };
      });
      const f = new ToolFixture();
      expect(f.compile("m", [...rules, ...constraints.map(({ source }) => source)].join("\n")).status).toBe("success");
      const subjects = ["x", "y", "z"];
      const data = Array.from({ length: random(9) }, () => {
        const window = random(4) === 0 ? ', valid_to=datetime("2020-01-01T00:00:00Z")' : "";
        return `update(${kind()}.${subjects[random(3)]}.${field()}, ${random(4)}, "s"${window})`;
      });
      if (data.length > 0) expect(f.run(data.join("\n")).status).toBe("success");
      const ask = (source: string) =>
        (f.run(source).meta["transcript"] as { kind: string; value: string }[]).filter((e) => e.kind === "print").map((e) => e.value);
      const found = lines(f);
      const count = (name: string) => Number(new RegExp(`${name}=(\\d+)`).exec(found[0]!)![1]);
      // Whatever fires can fire.
      const [firing] = ask(`print(len([1 for i in range(4) if any(present(s["r" + str(i)]) for s in subjects(K) + subjects(L))]))`);
      expect(count("unfirable"), found.join("\n")).toBeLessThanOrEqual(4 - Number(firing));
      // What is unmet holds no value now, and its class says which.
      for (const line of found.filter((one) => one.startsWith("unmet "))) {
        const [, place, why] = line.split(" ");
        const [k, name] = place!.split(".");
        const [held, recorded, any] = ask(
          `print(any(present(s["${name}"]) for s in subjects(${k})))\nprint(any(len(get(${k}[n]["${name}"])) > 0 for n in ["x", "y", "z"]))\nprint("${k}" in kinds())`,
        );
        expect([line, held]).toEqual([line, "False"]);
        expect([line, recorded === "True" ? "not-in-force" : any === "True" ? "no-values" : "no-such-kind"]).toEqual([line, why]);
      }
      // Constraints once more, in Python.
      constraints.forEach(({ k, when, f: name, n }, i) => {
        const [, asked, least] = /^s\.(\w) >= (\d)$/.exec(when)!;
        const [breaching] = ask(
          `print([str(s) for s in subjects(${k}) if present(s["${asked}"]) and value(s["${asked}"]) >= ${least} and present(s["${name}"]) and not value(s["${name}"]) > ${n}])`,
        );
        const names = [...breaching!.matchAll(/'([^']+)'/g)].map(([, one]) => one);
        const line = found.find((one) => one.startsWith(`violated m.c${i} `));
        expect(line, found.join("\n")).toBe(names.length === 0 ? undefined : `violated m.c${i} ${names.length} ${names.join(" ")}`);
      });
    });
  }

  test("declarations of a later version are counted and left alone", () => {
    const sql = new SqlNode();
    const cipher = new CipherNode();
    const open = () => new OpenStore(sql, cipher, { storeId: "store1", createdAtMicros: 1_700_000_000_000_000 });
    let store = open();
    let clock = 1_767_225_600_000_000;
    const call = (tool: string, args: { [name: string]: unknown }) => {
      const task = store.startTool({
        tool,
        args,
        caller: { keyId: "key_1", level: "read-write-delete" },
        wallMicros: (clock += 1_000_000),
        opsMax: 50_000_000,
        opsMaxIsCredit: false,
      });
      while (!task.advance(50_000));
      return task.answer().text;
    };
    const first = () => call("checkup", {}).split("\n")[0];
    call("compile", { name: "h", source: HOT });
    call("compile", {
      name: "k",
      source: "@rule\ndef r(p: P):\n    when(p.x == 1)\n    conclude(p.y, 1)\n\n@constraint\ndef c(p: P):\n    require(p.x > 0)\n",
    });
    // The record of `k` as a later version would have stored it: its rules in a form of its own.
    for (const [module, part, sealed] of sql.exec("SELECT module, part, sealed FROM module_part WHERE form = 0")) {
      const context = `module_part/${module}/0/${part}`;
      const text = new TextDecoder().decode(cipher.open(sealed as Uint8Array, context));
      const record = JSON.parse(text) as { name: string; ruleForm: number; rules: object[] };
      if (record.name !== "k") continue;
      record.ruleForm = 2;
      record.rules = record.rules.map((rule) => ({ ...rule, premises: [{ tag: "later" }] }));
      const plain = new TextEncoder().encode(JSON.stringify(record));
      sql.exec("UPDATE module_part SET sealed = ? WHERE module = ? AND form = 0 AND part = ?", cipher.seal(plain, context), module!, part!);
    }
    store = open();
    expect(first()).toBe(counts({ rules: 2, unfirable: 1, unreadable: 1, constraints: 1, unevaluable: 1 }));
    expect(call("list", { target: "rules" })).toContain("k.r");
    call("run", { source: 'remember(P.a.x, 1, "s")' });
    expect(call("run", { source: "print(P.a.y)" })).toContain("None");
    call("forget_rule", { name: "k.r" });
    const after = counts({ rules: 1, unfirable: 1, kinds: 1, unread: 1, constraints: 1, unevaluable: 1 });
    expect(first()).toBe(after);
    store = open();
    expect(first()).toBe(after);
    expect(call("list", { target: "rules" })).not.toContain("k.r");
    call("compile", { name: "k", source: "@rule\ndef r(p: P):\n    when(p.x == 1)\n    conclude(p.y, 1)\n" });
    expect(call("run", { source: "print(P.a.y)" })).toContain("1");
    expect(first()).toBe(counts({ rules: 2, unfirable: 1, kinds: 1 }));
  });
});
