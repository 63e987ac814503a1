/**
 * What rules conclude: programs of rules with recorded facts and the conclusions expected, a line each.
 */
import { expect, test } from "vitest";
import { fact, storeOf } from "./rule-facts";

interface Case {
  readonly rule: string;
  readonly source: string;
  readonly facts: readonly string[];
  readonly derived: readonly string[];
}

const ANCESTOR = `
@rule
def base(p: P, q: P):
    when(p.parent == q)
    conclude(p.ancestor, q)

@rule
def step(p: P, q: P, r: P):
    when(p.parent == q, q.ancestor == r)
    conclude(p.ancestor, r)
`;

const CASES: readonly Case[] = [
  {
    rule: "a recursive rule gives the closure, with the spans of its premises met",
    source: ANCESTOR,
    facts: ["P.a.parent = P.b", "P.b.parent = P.c [0, 10)", "P.c.parent = P.d [5, 20)"],
    derived: [
      "P.a.ancestor = P.b m.base",
      "P.a.ancestor = P.c [0, 10) m.step",
      "P.a.ancestor = P.d [5, 10) m.step",
      "P.b.ancestor = P.c [0, 10) m.base",
      "P.b.ancestor = P.d [5, 10) m.step",
      "P.c.ancestor = P.d [5, 20) m.base",
    ],
  },
  {
    rule: "a comparison takes numbers of different types and is not met by an empty cell or another type",
    source: `
@rule
def hot(s: S):
    when(s.temp * 2 > s.limit)
    conclude(s.hot, True)
`,
    facts: ["S.a.temp = 5", "S.a.limit = 9.5", "S.b.temp = 4", "S.b.limit = 9", "S.c.temp = 100", 'S.d.temp = "x"', "S.d.limit = 1"],
    derived: ["S.a.hot = true m.hot"],
  },
  {
    rule: "joins use Python's equality: 1 == 1.0 == True, NaN equals nothing",
    source: `
@rule
def same(a: A, b: B):
    when(a.v == b.v)
    conclude(a.same, b)
`,
    facts: ["A.x.v = 1", "A.y.v = nan", "B.p.v = 1.0", "B.q.v = True", "B.r.v = nan", "B.s.v = 2"],
    derived: ["A.x.same = B.p m.same", "A.x.same = B.q m.same"],
  },
  {
    rule: "text tests and a literal list",
    source: `
@rule
def served(r: R):
    when(r.path.startswith("/srv/"), r.path.endswith(".html"), "index" in r.path, r.state in ["up", "slow"])
    conclude(r.served, f"{r.state}:{r.path}")
`,
    facts: [
      'R.a.path = "/srv/index.html"',
      'R.a.state = "up"',
      'R.b.path = "/srv/index.html"',
      'R.b.state = "down"',
      'R.c.path = "/x/index.html"',
      'R.c.state = "up"',
    ],
    derived: ["R.a.served = up:/srv/index.html m.served"],
  },
  {
    rule: "absent holds where no value is in force, and at an asserted absence",
    source: `
@rule
def alive(p: P):
    when(present(p.born), absent(p.died))
    conclude(p.alive, True)
`,
    facts: ["P.a.born = 1", "P.b.born = 1", "P.b.died = 5 [10, -)", "P.c.born = 1", "P.c.died = None"],
    derived: ["P.a.alive = true m.alive", "P.b.alive = true [-Infinity, 10) m.alive", "P.c.alive = true m.alive"],
  },
  {
    rule: "none and any over a generator",
    source: `
@rule
def idle(c: C):
    when(present(c.name), none(o for o in Order if o.customer == c and o.open == True))
    conclude(c.idle, True)

@rule
def busy(c: C):
    when(any(o for o in Order if o.customer == c and o.open == True))
    conclude(c.busy, True)
`,
    facts: [
      'C.a.name = "a"',
      'C.b.name = "b"',
      'C.c.name = "c"',
      "Order.x.customer = C.a",
      "Order.x.open = True [0, 5)",
      "Order.y.customer = C.b",
      "Order.y.open = False",
    ],
    derived: [
      "C.a.busy = true [0, 5) m.busy",
      "C.a.idle = true [-Infinity, 0) m.idle",
      "C.a.idle = true [5, Infinity) m.idle",
      "C.b.idle = true m.idle",
      "C.c.idle = true m.idle",
    ],
  },
  {
    rule: "folds count, add, and take the least and greatest, cut where the rows change",
    source: `
@rule
def total(c: C):
    conclude(c.total, sum(o.amount for o in Order if o.customer == c))

@rule
def howmany(c: C):
    conclude(c.n, count(o for o in Order if o.customer == c))

@rule
def least(c: C):
    conclude(c.least, min(o.amount for o in Order if o.customer == c))

@rule
def mean(c: C):
    when(sum(o.amount for o in Order if o.customer == c) > 10)
    conclude(c.mean, avg(o.amount for o in Order if o.customer == c))
`,
    facts: [
      'C.a.name = "a"',
      'C.b.name = "b"',
      "Order.x.customer = C.a",
      "Order.x.amount = 7",
      "Order.y.customer = C.a",
      "Order.y.amount = 4 [0, -)",
      "Order.z.customer = C.a",
    ],
    derived: [
      "C.a.least = 4 [0, Infinity) m.least",
      "C.a.least = 7 [-Infinity, 0) m.least",
      "C.a.mean = 5.5f [0, Infinity) m.mean",
      "C.a.n = 3 m.howmany",
      "C.a.total = 11 [0, Infinity) m.total",
      "C.a.total = 7 [-Infinity, 0) m.total",
      "C.b.n = 0 m.howmany",
      "C.b.total = 0 m.total",
    ],
  },
  {
    rule: "a computed field reads other computed fields, and only the branch taken",
    source: `
class Person:
    born: int
    died: int
    label: string

    @computed
    def lifespan(self) -> int:
        return self.died - self.born

    @computed
    def group(self):
        return "old" if self.lifespan > 60 else self.label
`,
    facts: ["m.Person.a.born = 1900", "m.Person.a.died = 1980", "m.Person.b.born = 1900", "m.Person.b.died = 1910", "m.Person.c.born = 5"],
    derived: [
      "m.Person.a.group = old m.Person.group",
      "m.Person.a.lifespan = 80 m.Person.lifespan",
      "m.Person.b.lifespan = 10 m.Person.lifespan",
    ],
  },
  {
    rule: "not_asserted gives way where something is recorded",
    source: `
@rule
def usual(p: P):
    when(present(p.name), not_asserted(p.status))
    conclude(p.status, "usual")
`,
    facts: ['P.a.name = "a"', 'P.b.name = "b"', 'P.b.status = "odd" [0, 10)'],
    derived: ["P.a.status = usual m.usual", "P.b.status = usual [-Infinity, 0) m.usual", "P.b.status = usual [10, Infinity) m.usual"],
  },
  {
    rule: "trust, source and bounds of the claim a premise reads",
    source: `
@rule
def sure(p: P):
    when(source(p.born) == "registry", trust(p.born) == "asserted")
    conclude(p.sure, p.born)

@rule
def early(p: P):
    when(valid_from(p.born) < datetime("1970-01-01T00:00:10Z"))
    conclude(p.early, True)

@rule
def guessed(p: P):
    when(trust(p.sure) == "derived")
    conclude(p.guessed, True)
`,
    facts: ["P.a.born = 1 @registry", "P.b.born = 2 @hearsay", "P.c.born = 3 [5, -) @hearsay", "P.d.born = 3 [50000000, -) @hearsay"],
    derived: ["P.a.guessed = true m.guessed", "P.a.sure = 1 m.sure", "P.c.early = true [5, Infinity) m.early"],
  },
  ...['p.n == x, source(p.n) == "s1", p.n > 1', 'p.n > 1, p.n == x, source(p.n) == "s1"', 'source(p.n) == "s1", p.n == x, 1 < p.n'].map(
    (premises) => ({
      rule: `a claim premise reads the cell's ordinary occurrence, wherever it stands: ${premises}`,
      source: `
class A:
    n: many[int]

@rule
def hit(p: A, x: int):
    when(${premises})
    conclude(p.hit, x)
`,
      facts: ["m.A.a.n = 1 @s1", "m.A.a.n = 2 @s2", "m.A.a.n = 3 @s1", "m.A.b.n = 1 @s1", "m.A.b.n = 2 @s2"],
      derived: ["m.A.a.hit = 1 m.hit", "m.A.a.hit = 2 m.hit", "m.A.a.hit = 3 m.hit"],
    }),
  ),
  ...['source(q.n) == "s1", p.n == x, q.n == x', 'p.n == x, q.n == x, source(q.n) == "s1"'].map((premises) => ({
    rule: `a claim premise reads the cell's first binding, wherever it stands: ${premises}`,
    source: `
class A:
    n: many[int]

@rule
def hit(p: A, q: A, x: int):
    when(${premises})
    conclude(p.hit, x)
`,
    facts: ["m.A.a.n = 1 @s1", "m.A.a.n = 2 @s2"],
    derived: ["m.A.a.hit = 1 m.hit"],
  })),
  {
    rule: "a parameter that no premise binds ranges over the subjects recorded claims in force name",
    source: `
@rule
def known(p: P):
    conclude(p.known, True)
`,
    facts: ["P.a.x = 1", "Q.z.who = P.b [0, 5)", "P.c.x = None"],
    derived: ["P.a.known = true m.known", "P.b.known = true [0, 5) m.known", "P.c.known = true m.known"],
  },
  {
    rule: "a parameter that no premise binds is named by recorded claims, also where it reads a field at whose fixed subject a rule concludes",
    source: `
@rule
def fixed():
    conclude(P.hidden.open, True)

@rule
def opens(p: P):
    when(p.x > 0)
    conclude(p.open, True)

@rule
def reads(p: P):
    when(p.open == True)
    conclude(p.seen, True)
`,
    facts: ["P.a.x = 1"],
    derived: ["P.a.open = true m.opens", "P.a.seen = true m.reads", "P.hidden.open = true m.fixed"],
  },
  {
    rule: "a parameter that no premise binds is named by recorded claims, also where it reads a field concluded at concluded values",
    source: `
@rule
def leads(p: P):
    when(p.x > 0)
    conclude(p.next, P.hidden)

@rule
def reached(p: P, q: P):
    when(p.next == q)
    conclude(q.reached, True)

@rule
def onwards(p: P, q: P):
    when(p.reached == True, p.way == q)
    conclude(q.reached, True)

@rule
def reads(q: P):
    when(q.reached == True)
    conclude(q.seen, True)
`,
    facts: ["P.a.x = 1", "P.b.next = P.c [0, 9)", "P.c.way = P.d [5, -)"],
    derived: [
      "P.a.next = P.hidden m.leads",
      "P.c.reached = true [0, 9) m.reached",
      "P.c.seen = true [0, 9) m.reads",
      "P.d.reached = true [5, 9) m.onwards",
      "P.d.seen = true [5, 9) m.reads",
      "P.hidden.reached = true m.reached",
    ],
  },
  {
    rule: "a rule without parameters and premises concludes at a fixed cell",
    source: `
@rule
def everything():
    conclude(Total.all.n, count(o for o in Order))
`,
    facts: ["Order.a.x = 1", "Order.b.x = 1 [0, -)"],
    derived: ["Total.all.n = 1 [-Infinity, 0) m.everything", "Total.all.n = 2 [0, Infinity) m.everything"],
  },
  {
    rule: "a scalar parameter takes the value of its first binding, of its very type",
    source: `
@rule
def twin(a: A, b: A, x: int):
    when(a.v == x, b.w == x)
    conclude(a.twin, x)
`,
    facts: ["A.p.v = 1", "A.q.w = 1.0", "A.r.v = True", "A.s.v = 2.0", "A.t.w = 2"],
    derived: ["A.p.twin = 1 m.twin"],
  },
  {
    rule: "rivals at a declared single-valued field: the least rule name is in force for rules above",
    source: `
class K:
    a: int
    f: int
    g: many[int]

@rule
def a_low(k: K):
    when(k.a > 0)
    conclude(k.f, 1)

@rule
def b_high(k: K):
    when(k.a > 10)
    conclude(k.f, 2)

@rule
def reads(k: K):
    conclude(k.g, k.f)
`,
    facts: ["m.K.x.a = 20"],
    derived: ["m.K.x.f = 1 m.a_low", "m.K.x.f = 2 m.b_high", "m.K.x.g = 1 m.reads"],
  },
  {
    rule: "a value its declared field cannot hold concludes nothing; an int is stored as the float it is",
    source: `
class K:
    f: float
    g: string

@rule
def f(k: K):
    conclude(k.f, k.h + 1)

@rule
def h(k: K, b: B):
    when(b.of == k)
    conclude(k.h, b.n)

@rule
def g(k: K):
    conclude(k.g, k.h)
`,
    facts: ["B.b.of = m.K.x", "B.b.n = 1"],
    derived: ["m.K.x.f = 2f m.f", "m.K.x.h = 1 m.h"],
  },
  {
    rule: "a NaN passed on stays concluded while one of its grounds stands",
    source: `
@rule
def passed(k: K, b: B):
    when(b.of == k)
    conclude(k.h, b.n)
`,
    facts: ["B.b.n = nan", "B.c.n = nan", "B.b.of = K.x", "B.c.of = K.x"],
    derived: ["K.x.h = NaNf m.passed"],
  },
];

for (const { rule, source, facts, derived } of CASES) {
  test(`[rules] ${rule}`, () => {
    const store = storeOf(source);
    const records = facts.map(fact);
    for (const record of records) store.change([record]);
    expect(store.derived()).toEqual([...derived].sort());
    // The same facts given before the rules, and after other facts came and went.
    const again = storeOf(source);
    again.change(records);
    expect(again.derived()).toEqual(store.derived());
    for (const record of records) {
      store.change([], [record]);
      store.change([record]);
    }
    expect(store.derived()).toEqual([...derived].sort());
    store.change([], records);
    const bare = store.derived();
    expect(bare).toEqual(storeOf(source).derived());
  });
}
