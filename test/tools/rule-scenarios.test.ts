/** Rules told as their readers would try them, from source to what a program prints. */
import { expect, test } from "vitest";
import { ToolFixture } from "./tool-fixture";

interface Scenario {
  readonly rule: string;
  readonly module: string;
  readonly program: string;
  /** What it prints, line by line. */
  readonly prints: readonly string[];
}

const SCENARIOS: readonly Scenario[] = [
  {
    rule: "[language 3] a rule without premises holds always: a count over nothing is 0, a max has no value",
    module: `
@rule
def t():
    conclude(Total.all.n, count(o for o in Order))

@rule
def m():
    conclude(Total.all.most, max(o.amount for o in Order))
`,
    program: `
print(value(Total.all.n), value(Total.all.most))
remember(Order.a.amount, 3, "s")
remember(Order.b.amount, 3, "s")
remember(Order.b.note, "x", "s")
print(Total.all.n, Total.all.most)
print(why(Total.all.n))
print(why(Total.all.most))
`,
    prints: [
      "0 None",
      "2 3",
      "Total.all.n = 2 (derived by m.t)",
      "Total.all.most = 3 (derived by m.m)",
      "  Order.a.amount = 3 (asserted by s)",
      "  Order.b.amount = 3 (asserted by s)",
    ],
  },
  {
    rule: "[language 3] a literal subject and an f-string with conversion and format are values; where Python would refuse nothing is concluded",
    module: `
@rule
def t(p: P):
    when(p.port > 0)
    conclude(p.team, Team.red)

@rule
def l(p: P):
    conclude(p.label, f"{p.name!r}:{p.port:05d}|{p.load:.2f}|{{}}")
`,
    program: `
remember(P.a.port, 80, "s")
remember(P.a.name, "it's", "s")
remember(P.a.load, 1.005, "s")
print(P.a.team, P.a.label)
remember(P.b.port, "x", "s")
remember(P.b.name, "b", "s")
remember(P.b.load, 1.0, "s")
print(value(P.b.label), value(P.b.team))
print(why_not(P.b.label))
`,
    prints: [
      'Team.red "it\'s":00080|1.00|{}',
      "None None",
      "not present(P.b.label)",
      "  rule m.l: no values",
      '    conclude(P.b.label, f"{P.b.name!r}:{P.b.port:05d}|{P.b.load:.2f}|{{}}")',
      "    it has no value",
    ],
  },
  {
    rule: "[language 3] not_asserted gives way exactly where something is recorded, an asserted absence too",
    module: `
@rule
def d(p: P):
    when(p.kind == "x", not_asserted(p.status))
    conclude(p.status, "idle")
`,
    program: `
remember(P.a.kind, "x", "s")
remember(P.a.status, "busy", "s", valid_from=datetime("2030-01-01T00:00:00Z"), valid_to=datetime("2031-01-01T00:00:00Z"))
for c in get(P.a.status): print(c)
print(P.a.status, value(P.a.status, at=datetime("2030-06-01T00:00:00Z")))
assert_absent(P.b.status, "s")
remember(P.b.kind, "x", "s")
print(value(P.b.status), absent(P.b.status))
print(why_not(P.b.status))
`,
    prints: [
      "active_claim='busy' src=s valid=[2030-01-01T00:00:00Z, 2031-01-01T00:00:00Z)",
      "active_claim='idle' src=m.d valid=[-, 2030-01-01T00:00:00Z) rule=m.d",
      "active_claim='idle' src=m.d valid=[2031-01-01T00:00:00Z, -) rule=m.d",
      "idle busy",
      "None True",
      "not present(P.b.status)",
      "  rule m.d: gave way",
      "    not_asserted(P.b.status) (premise 2 of 2)",
      "    P.b.status is recorded",
      "  would hold with present(P.b.status)",
    ],
  },
  {
    rule: "[rulings, Preferring a rule] of two rules the least name is in force, unless the other is preferred and concludes there",
    module: `
class P:
    a: int
    f: any

@rule
def r2(p: P):
    when(p.a > 0)
    conclude(p.f, "two")

@rule
def r1(p: P):
    when(p.a > 1)
    conclude(p.f, "one")

@rule
def reads(p: P):
    conclude(p.g, p.f)
`,
    program: `
import m
remember(P.x.a, 5, "s")
print(P.x.f, values(P.x.f), P.x.g)
prefer(P.x.f, "m.r2")
print(P.x.f, values(P.x.f), P.x.g)
update(P.x.a, 1, "s")
print(P.x.f, P.x.g)
unprefer(P.x.f)
print(P.x.f)
try:
    prefer(P.x.f, "m.r1")
except NotRecorded as e:
    print(e.reason, e.hint)
`,
    prints: ["one ['one', 'two'] one", "two ['one', 'two'] two", "two two", "two", "not_recorded m.P.x.f"],
  },
  {
    rule: "[rulings, Recursion through a single-valued field] a depth is the least by rule name, then value; recursion reads every value",
    module: `
class N:
    next: many[N]
    root: bool
    depth: int

@rule
def zero(n: N):
    when(n.root == True)
    conclude(n.depth, 0)

@rule
def more(n: N, k: N):
    when(n.next == k, n.depth < 20)
    conclude(k.depth, n.depth + 1)
`,
    program: `
import m
remember(N.a.root, True, "s")
remember(N.a.next, N.b, "s")
remember(N.b.next, N.c, "s")
remember(N.a.next, N.c, "s")
remember(N.c.next, N.a, "s")
print(N.a.depth, N.b.depth, N.c.depth, values(N.c.depth))
print(why(N.c.depth))
`,
    prints: [
      "2 1 1 [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20]",
      "m.N.c.depth = 1 (derived by m.more)",
      "  m.N.a.next = m.N.c (asserted by s)",
      "  m.N.a.depth = 0 (derived by m.zero)",
      "    m.N.a.root = True (asserted by s)",
      "  0 < 20",
    ],
  },
  {
    rule: "[rulings, Premises on a claim] times are compared, subtracted and read off claims; an open bound meets no comparison",
    module: `
@rule
def long(p: P):
    when(p.end - p.start > duration("PT1H"), p.start >= datetime("2026-01-01T00:00:00Z"))
    conclude(p.length, p.end - p.start)

@rule
def early(p: P):
    when(valid_from(p.room) < datetime("2020-01-01T00:00:00Z"))
    conclude(p.early, p.room)

@rule
def ends(p: P):
    when(p.room == "k", valid_to(p.room) > datetime("2020-01-01T00:00:00Z"))
    conclude(p.ends, True)
`,
    program: `
remember(P.a.start, datetime("2026-01-01T00:00:00Z"), "s")
remember(P.a.end, datetime("2026-01-01T02:30:00Z"), "s")
print(P.a.length)
remember(P.a.room, "k", "s", valid_from=datetime("2019-01-01T00:00:00Z"))
print(value(P.a.early), value(P.a.ends))
print(why_not(P.a.ends))
`,
    prints: [
      "PT2H30M",
      "k None",
      "not present(P.a.ends)",
      "  rule m.ends: value differs",
      "    valid_to(P.a.room) > 2020-01-01T00:00:00Z (premise 2 of 2)",
      "    P.a.room is valid [2019-01-01T00:00:00Z, -)",
      "  would hold with P.a.room == 'k' and valid_to(P.a.room) > 2020-01-01T00:00:00Z",
    ],
  },
  {
    rule: "[rulings, What a rule's parameter ranges over] a parameter that no premise binds ranges over what recorded claims name",
    module: `
@rule
def r(p: P, q: Q):
    conclude(p.x, 1)
`,
    program: `
remember(P.a.n, 1, "s")
print(value(P.a.x))
print(why_not(P.a.x))
remember(Z.z.q, Q.one, "s")
print(value(P.a.x))
`,
    prints: [
      "None",
      "not present(P.a.x)",
      "  rule m.r: no values",
      "    conclude(P.a.x, 1)",
      "    no recorded claim in force names a Q, and `q` ranges over them",
      "1",
    ],
  },
  {
    rule: "[rulings, One match of a rule] a text test asks of each value; folds leave out asserted absences; avg is a float",
    module: `
class A:
    role: many[string]
    boss: A
    pay: int

@rule
def admin(a: A):
    when("adm" in a.role)
    conclude(a.is_admin, True)

@rule
def total(a: A):
    conclude(a.total, sum(o.pay for o in A if o.boss == a))

@rule
def mean(a: A):
    conclude(a.mean, avg(o.pay for o in A if o.boss == a))
`,
    program: `
import m
remember(A.x.role, "user", "s")
remember(A.x.role, "sysadmin", "s")
remember(A.y.boss, A.x, "s")
remember(A.z.boss, A.x, "s")
remember(A.y.pay, 3, "s")
assert_absent(A.z.pay, "s")
print(value(A.x.is_admin), A.x.total, A.x.mean, value(A.y.total), value(A.y.mean))
update(A.z.pay, 4, "s")
print(A.x.total, A.x.mean)
print(why(A.x.total))
print(what_needs(A.y.pay))
`,
    prints: [
      "True 3 3.0 0 None",
      "7 3.5",
      "m.A.x.total = 7 (derived by m.total)",
      "  m.A.y.pay = 3 (asserted by s)",
      "  m.A.y.boss = m.A.x (asserted by s)",
      "  m.A.z.pay = 4 (asserted by s)",
      "  m.A.z.boss = m.A.x (asserted by s)",
      "m.A.y.pay = 3",
      "  rule m.mean",
      "    m.A.x.mean = 3.5",
      "  rule m.total",
      "    m.A.x.total = 7",
    ],
  },
  {
    rule: "[6] a derived field is never written, in any of the verbs; its claim is the rule's",
    module: `
@rule
def r(p: P):
    when(p.a > 0)
    conclude(p.b, p.a * 2)
`,
    program: `
remember(P.x.a, 1, "s")
try:
    remember(P.x.b, 5, "s")
except DerivedField as e:
    print(e.reason, "|", e.hint, "|", e)
try:
    update(P.x.b, 5, "s")
except Refusal as e:
    print(e.reason)
try:
    assert_absent(P.x.b, "s")
except Refusal as e:
    print(e.reason)
forget(P.x.b)
pin(P.x.a)
print(P.x.b, current(P.x.b), current(P.x.b).written_by, current(P.x.b).qualifiers, current(P.x.b).recorded_at == current(P.x.a).recorded_at)
try:
    pin(P.x.b)
except Refusal as e:
    print(e.reason)
`,
    prints: [
      "derived_field | P.a | P.x.b is concluded by `m.r` and is never written: write the fields it is derived from (P.a), or say `not_asserted` in the rule",
      "derived_field",
      "derived_field",
      "2 active_claim=2 src=m.r rule=m.r None {} True",
      "not_recorded",
    ],
  },
  {
    rule: "[rulings, Meaning of rules] none is asked at each instant: the conclusion has a gap where a row is met",
    module: `
@rule
def idle(m: M):
    when(present(m.made), none(j for j in J if j.on == m and j.active == True))
    conclude(m.idle, True)
`,
    program: `
remember(M.a.made, 1, "s", valid_from=datetime("2020-01-01T00:00:00Z"))
remember(J.j.on, M.a, "s")
remember(J.j.active, True, "s", valid_from=datetime("2021-01-01T00:00:00Z"), valid_to=datetime("2022-01-01T00:00:00Z"))
for c in get(M.a.idle): print(c)
print(values(M.a.idle, at=datetime("2021-06-01T00:00:00Z")))
print(why(M.a.idle))
`,
    prints: [
      "active_claim=True src=m.idle valid=[2020-01-01T00:00:00Z, 2021-01-01T00:00:00Z) rule=m.idle",
      "active_claim=True src=m.idle valid=[2022-01-01T00:00:00Z, -) rule=m.idle",
      "[]",
      "M.a.idle = True (derived by m.idle, valid [2022-01-01T00:00:00Z, -))",
      "  M.a.made = 1 (asserted by s, valid [2020-01-01T00:00:00Z, -))",
      "  none(j for j in J if j.on == M.a and j.active == True)",
    ],
  },
  {
    rule: "[rulings, Scalar parameters] an int parameter admits ints only; == is Python's",
    module: `
@rule
def same(a: A, x: int):
    when(a.v == x)
    conclude(a.int, x)

@rule
def any_(a: A, x: any):
    when(a.v == x)
    conclude(a.any, x)

@rule
def eq(a: A):
    when(a.v == 1)
    conclude(a.one, True)
`,
    program: `
remember(A.i.v, 1, "s")
remember(A.b.v, True, "s")
remember(A.f.v, 1.0, "s")
for a in [A.i, A.b, A.f]:
    print(a, value(a.int), value(a.any), value(a.one))
`,
    prints: ["A.i 1 1 True", "A.b None True True", "A.f None 1.0 True"],
  },
  {
    rule: "[language 4] conclusions follow a branch and its rollback; a broken cycle does not keep itself alive",
    module: `
@rule
def r(p: P, q: P):
    when(p.to == q)
    conclude(p.reach, q)

@rule
def s(p: P, q: P, t: P):
    when(p.reach == q, q.to == t)
    conclude(p.reach, t)
`,
    program: `
remember(P.a.to, P.b, "s")
with branch("x"):
    remember(P.b.to, P.c, "s")
    print(values(P.a.reach))
    rollback()
    print(values(P.a.reach))
    remember(P.b.to, P.a, "s")
    print(values(P.a.reach))
print(values(P.a.reach))
forget(P.a.to)
print(values(P.a.reach), values(P.b.reach))
print(find(P, reach=P.a), subjects(P))
`,
    prints: ["[P.b, P.c]", "[P.b]", "[P.a, P.b]", "[P.a, P.b]", "[] [P.a]", "[P.b] [P.b]"],
  },
  {
    rule: "[language 3] chained comparisons, not in, real parameters, nested ifs, arithmetic as Python's, any in a join",
    module: `
@rule
def chain(p: P):
    when(0 < p.a < 5, p.a not in [3], "x" not in p.name, p.name != "zz")
    conclude(p.ok, True)

@rule
def real_(p: P, x: real):
    when(p.a == x)
    conclude(p.real, x)

@rule
def nested(p: P):
    conclude(p.size, "big" if p.a > 10 else "mid" if p.a > 2 else "small")

@rule
def arith(p: P):
    conclude(p.q, (p.a // 2) ** 2 % 7 - -1)

@rule
def flags(p: P, q: P):
    when(p.boss == q, any(o for o in P if o.boss == p and o.a >= 1))
    conclude(q.middle, p)
`,
    program: `
remember(P.x.a, 2, "s")
remember(P.x.name, "ann", "s")
remember(P.y.a, 3, "s")
remember(P.y.name, "bob", "s")
remember(P.z.a, 2.0, "s")
remember(P.x.boss, P.y, "s")
remember(P.z.boss, P.x, "s")
for p in subjects(P):
    print(p, value(p.ok), value(p.real), value(p.size), value(p.q), values(p.middle))
`,
    prints: ["P.x True None small 2 []", "P.y None None mid 2 [P.x]", "P.z None 2.0 small 2.0 []"],
  },
  {
    rule: "[language 5.2] conclusions are read at an instant: value, current, subjects; history shows them all",
    module: `
@rule
def r(p: P):
    when(p.a > 0)
    conclude(p.b, p.a * 2)
`,
    program: `
remember(P.x.a, 1, "s", valid_from=datetime("2020-01-01T00:00:00Z"), valid_to=datetime("2021-01-01T00:00:00Z"))
remember(P.x.a, 4, "s", valid_from=datetime("2022-01-01T00:00:00Z"))
for y in [2019, 2020, 2021, 2022]:
    t = datetime(f"{y}-06-01T00:00:00Z")
    print(y, value(P.x.b, at=t), subjects(P, at=t), current(P.x.b, at=t))
print([c.value for c in history(P.x.b)])
`,
    prints: [
      "2019 None [] None",
      "2020 2 [P.x] active_claim=2 src=m.r valid=[2020-01-01T00:00:00Z, 2021-01-01T00:00:00Z) rule=m.r",
      "2021 None [] None",
      "2022 8 [P.x] active_claim=8 src=m.r valid=[2022-01-01T00:00:00Z, -) rule=m.r",
      "[2, 8]",
    ],
  },
];

for (const { rule, module, program, prints } of SCENARIOS) {
  test(rule, () => {
    const f = new ToolFixture();
    const compiled = f.compile("m", module);
    expect(compiled.status, compiled.text).toBe("success");
    const ran = f.run(program);
    expect(ran.status, ran.text).toBe("success");
    const printed = (ran.meta["transcript"] as { kind: string; value: string }[]).filter((entry) => entry.kind === "print");
    expect(printed.flatMap(({ value }) => value.split("\n"))).toEqual(prints);
  });
}
