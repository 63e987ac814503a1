/**
 * Rivals at a conclusion: which rule stands behind a value decides who is in force, though the value stays concluded all the
 * while by another rule. What reads above must follow.
 */
import { describe, expect, test } from "vitest";
import { ToolFixture } from "./tool-fixture";

const BACKED = `
class A:
    n: int
    d: any
    many: many[any]
    told: str
    told_many: str
    told_free: str

@rule
def a_first(p: A):
    when(p.n == 0)
    conclude(p.d, "x")

@rule
def c_third(p: A):
    when(p.n >= 0)
    conclude(p.d, "x")

@rule
def tells(p: A):
    when(source(p.d) == "m.a_first")
    conclude(p.told, "the first")

@rule
def a_many(p: A):
    when(p.n == 0)
    conclude(p.many, "x")

@rule
def c_many(p: A):
    when(p.n >= 0)
    conclude(p.many, "x")

@rule
def tells_many(p: A, v: any):
    when(p.many == v, source(p.many) == "m.a_many")
    conclude(p.told_many, "the first")

@rule
def a_free(p: A):
    when(p.n == 0)
    conclude(p.free, "x")

@rule
def c_free(p: A):
    when(p.n >= 0)
    conclude(p.free, "x")

@rule
def tells_free(p: A, v: any):
    when(p.free == v, source(p.free) == "m.a_free")
    conclude(p.told_free, "the first")
`;

const CHAIN = `
class A:
    next: A
    start: int
    reach: any
    seen: any

@rule
def a_start(p: A):
    when(p.start == 1)
    conclude(p.reach, "x")

@rule
def b_other(p: A):
    when(p.start >= 0)
    conclude(p.reach, "y")

@rule
def c_step(p: A, q: A, v: any):
    when(p.next == q, q.reach == v)
    conclude(p.reach, v)

@rule
def sees(p: A, v: any):
    when(p.reach == v)
    conclude(p.seen, v)
`;

const RULES = `
class A:
    n: int
    d: any
    e: any
    who: str
    open: many[A]

@rule
def a_first(p: A):
    when(p.n == 0)
    conclude(p.d, "x")

@rule
def b_second(p: A):
    when(p.n >= 0)
    conclude(p.d, "y")

@rule
def c_third(p: A):
    when(p.n >= 0)
    conclude(p.d, "x")

@rule
def reads(p: A, v: any):
    when(p.d == v)
    conclude(p.e, v)

@rule
def tells(p: A, v: any):
    when(p.d == v, source(p.d) == "m.a_first")
    conclude(p.who, "the first")
`;

describe("[rulings: Rivals and order]", () => {
  const read = `print(value(A.z.d), value(A.z.e), value(A.z.who))`;
  const printed = (fixture: ToolFixture, source: string) => {
    const answer = fixture.run(source);
    expect(answer.status, answer.text).toBe("success");
    return (answer.meta["transcript"] as { kind: string; value: string }[]).flatMap(({ kind, value }) => (kind === "print" ? [value] : []));
  };
  const store = (rules = RULES) => {
    const fixture = new ToolFixture();
    const compiled = fixture.compile("m", rules);
    expect(compiled.status, compiled.text).toBe("success");
    return fixture;
  };

  test("a rule that ceases gives way, though the value it concluded is concluded by another", () => {
    const fixture = store();
    expect(printed(fixture, `import m\nremember(A.z.n, 0, "s")\n${read}`)).toEqual(["x x the first"]);
    expect(printed(fixture, `import m\nupdate(A.z.n, 1, "s")\n${read}`)).toEqual(["y y None"]);
  });

  test("a rule that begins comes into force, though the value it concludes was concluded by another", () => {
    const fixture = store();
    expect(printed(fixture, `import m\nremember(A.z.n, 1, "s")\n${read}`)).toEqual(["y y None"]);
    expect(printed(fixture, `import m\nupdate(A.z.n, 0, "s")\n${read}`)).toEqual(["x x the first"]);
  });

  test("the source of a conclusion is the rule in force, though its value stays", () => {
    const fixture = store(BACKED);
    const told = "print(value(A.z.told), value(A.z.told_many), value(A.z.told_free))";
    expect(printed(fixture, `import m\nremember(A.z.n, 0, "s")\n${told}`)).toEqual(["the first the first the first"]);
    expect(printed(fixture, `import m\nupdate(A.z.n, 1, "s")\n${told}`)).toEqual(["None None None"]);
    expect(printed(fixture, `import m\nupdate(A.z.n, 0, "s")\n${told}`)).toEqual(["the first the first the first"]);
  });

  test("in a recursive stratum too", () => {
    const fixture = store(CHAIN);
    const seen = "print(value(A.z.reach), value(A.z.seen))";
    expect(
      printed(fixture, `import m\nremember(A.z.start, 1, "s")\nremember(A.z.next, A.w, "s")\nremember(A.w.start, 1, "s")\n${seen}`),
    ).toEqual(["x x"]);
    expect(printed(fixture, `import m\nupdate(A.z.start, 0, "s")\n${seen}`)).toEqual(["y y"]);
    expect(printed(fixture, `import m\nupdate(A.z.start, 1, "s")\n${seen}`)).toEqual(["x x"]);
  });
});
