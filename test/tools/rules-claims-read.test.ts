/**
 * Conclusions as claims. What was read of one stays what it was. Premises on one: its window is the maximal one of its rule, wherever the match looks. It may grow or
 * shrink while nothing changes of what is in force where another premise holds; what reads it must follow.
 */
import { describe, expect, test } from "vitest";
import type { Level } from "../../src/engine/claim";
import { ToolFixture } from "./tool-fixture";

const CLASS = `
class A:
    to: many[A]
    r: many[str]
    k: int
    one: str
    more: many[str]
    told: str
`;

/** A single rule concludes two values at a single-valued field: the least hides the other where both hold. */
const HIDDEN = `${CLASS}
@rule
def rival(p: A, v: str):
    when(p.r == v)
    conclude(p.one, v)

@rule
def tells(p: A):
    when(valid_to(p.one) >= datetime("2027-01-01T00:00:00Z"))
    conclude(p.told, p.one)
`;

/** The window grows by another match of the same rule. */
const JOINED = `${CLASS}
@rule
def gathers(p: A, q: A, v: str):
    when(p.to == q, q.r == v)
    conclude(p.more, v)

@rule
def tells(p: A, v: str):
    when(p.more == v, valid_to(p.more) >= datetime("2027-01-01T00:00:00Z"), p.k == 1)
    conclude(p.told, v)
`;

const RECURSIVE = `${CLASS}
@rule
def starts(p: A, v: str):
    when(p.r == v)
    conclude(p.more, v)

@rule
def passes(p: A, q: A, v: str):
    when(p.to == q, q.more == v)
    conclude(p.more, v)

@rule
def tells(p: A, v: str):
    when(p.more == v, valid_to(p.more) >= datetime("2027-01-01T00:00:00Z"), p.k == 1)
    conclude(p.told, v)
`;

const EARLY = `valid_from=datetime("2020-01-01T00:00:00Z"), valid_to=datetime("2025-01-01T00:00:00Z")`;
const LATE = `valid_from=datetime("2025-01-01T00:00:00Z"), valid_to=datetime("2030-01-01T00:00:00Z")`;
const READ = `print(value(A.x.told, at=datetime("2021-01-01T00:00:00Z")))`;

const BIG = `
class K:
    n: int

@rule
def grown(k: K):
    when(k.n > 1)
    conclude(k.big, True)
`;

describe("[rulings: Derived claims as claims] a conclusion that was read says the same whenever it is asked", () => {
  const store = () => {
    const fixture = new ToolFixture();
    expect(fixture.compile("m", BIG).status).toBe("success");
    expect(fixture.run('import m\nremember(K.x.n, 5, "s")').status).toBe("success");
    return fixture;
  };
  const FIRST = "2026-01-01T00:00:02Z";
  const printed = (fixture: ToolFixture, source: string, level: Level = "read-write-delete") => {
    const answer = fixture.run(`import m\n${source}`, { level });
    expect(answer.status, answer.text).toBe("success");
    return (answer.meta["transcript"] as { kind: string; value: string }[]).flatMap(({ kind, value }) => (kind === "print" ? [value] : []));
  };

  test.each([
    ["an update", 'c = current(K.x.big)\nupdate(K.x.n, 7, "s")'],
    ["a forget", "c = current(K.x.big)\nforget(K.x.n)"],
    ["a prefer", 'remember(K.x.n, 1, "t")\nprefer(K.x.n, "s")\nc = current(K.x.big)\nprefer(K.x.n, "t")'],
    [
      "entering a world",
      'create_world("w")\nwith world("w"):\n    update(K.x.n, 1, "s")\nc = current(K.x.big)\nwith world("w"):\n    absent(K.x.big)',
    ],
    ["a rollback", 'with branch("b"):\n    c = current(K.x.big)\n    update(K.x.n, 1, "s")\n    rollback()'],
  ])("after %s", (_name, source) => {
    expect(printed(store(), `${source}\nprint(c.recorded_at)`)).toEqual([FIRST]);
  });

  test("after a rollback of what it rested on, and inside another world", () => {
    const source = `with branch("b"):
    update(K.x.n, 9, "s")
    c = current(K.x.big)
    rollback()
print(c.recorded_at, current(K.x.big).recorded_at)`;
    expect(printed(store(), source)).toEqual([`2026-01-01T00:00:03Z ${FIRST}`]);
  });

  test("a key that only reads goes into a world with it", () => {
    const fixture = store();
    printed(fixture, 'create_world("w")\nwith world("w"):\n    update(K.x.n, 9, "s")');
    const source = `c = current(K.x.big)
with world("w"):
    d = current(K.x.big)
    print(c.recorded_at, d.recorded_at)
print(c.recorded_at, d.recorded_at, c == d)`;
    const both = `${FIRST} 2026-01-01T00:00:03Z`;
    expect(printed(fixture, source, "read")).toEqual([both, `${both} False`]);
  });

  test("two that were read before and after a change are compared as they were", () => {
    const source = `before = current(K.x.big)
again = current(K.x.big)
update(K.x.n, 7, "s")
print(before == again, before == current(K.x.big))`;
    expect(printed(store(), source)).toEqual(["True False"]);
  });

  test("of more than are worked out the first refuse, and say what to do", () => {
    const source = `claims = [current(K.x.big) for i in range(2500)]
update(K.x.n, 7, "s")
print(claims[-1].recorded_at, claims[-1000].recorded_at)
try:
    print(claims[0].recorded_at)
except LimitExceeded as e:
    print(e.reason, e.hint, "before the change" in str(e))`;
    expect(printed(store(), source)).toEqual([`${FIRST} ${FIRST}`, "limit_exceeded m.K.x.big True"]);
  });
});

test("[language 5.2] claims stand in sets and dicts by the fields they compare by: cell and all", () => {
  const fixture = new ToolFixture();
  expect(fixture.compile("m", BIG).status).toBe("success");
  const source = `import m
remember(K.a.n, 5, "s")
remember(K.b.n, 5, "s")
a = current(K.a.big)
b = current(K.b.big)
print(a == b, len({a, b}), a in {b}, {a: 1, b: 2}[current(K.b.big)])
remember(K.c.n, 1, "s", note=[1, True])
c = current(K.c.n)
forget(K.c.n)
remember(K.c.n, 1, "s", note=[1, True])
again = current(K.c.n)
print(c == again, len({c, again}), hash(c) == hash(again))
remember(Free.x.v, 1, "s")
one = current(Free.x.v)
forget(Free.x.v)
remember(Free.x.v, 1.0, "s")
print(one == current(Free.x.v), one in {current(Free.x.v)})
update(Free.x.v, float("nan"), "s")
nan = current(Free.x.v)
print(nan == current(Free.x.v), len({nan, current(Free.x.v)}), nan in {nan})`;
  const answer = fixture.run(source);
  const prints = (answer.meta["transcript"] as { kind: string; value: string }[]).filter(({ kind }) => kind === "print");
  expect(prints.map(({ value }) => value)).toEqual(["False 2 False 2", "True 1 True", "True True", "False 2 True"]);
});

describe("[rulings: Premises on a claim]", () => {
  const store = (rules: string) => {
    const fixture = new ToolFixture();
    const compiled = fixture.compile("m", rules);
    expect(compiled.status, compiled.text).toBe("success");
    return (source: string) => {
      const answer = fixture.run(`import m\n${source}\n${READ}`);
      expect(answer.status, answer.text).toBe("success");
      const [print] = answer.meta["transcript"] as { value: string }[];
      const live = print!.value;
      fixture.reopen();
      const again = fixture.run(`import m\n${READ}`);
      expect((again.meta["transcript"] as { value: string }[])[0]!.value, "as a store opened now has it").toBe(live);
      return live;
    };
  };

  test("the window of a conclusion grows behind a rival of the same rule, and what reads its end follows", () => {
    const run = store(HIDDEN);
    expect(run(`remember(A.x.r, "a", "s", ${LATE})\nremember(A.x.r, "b", "s", ${EARLY})`)).toBe("None");
    expect(run(`remember(A.x.r, "b", "s", ${LATE})`)).toBe("b");
  });

  test("it shrinks there too", () => {
    const run = store(HIDDEN);
    expect(run(`remember(A.x.r, "a", "s", ${LATE})\nremember(A.x.r, "b", "s", ${EARLY})\nremember(A.x.r, "b", "t", ${LATE})`)).toBe("b");
    expect(run(`forget(A.x.r, "b", "t")`)).toBe("None");
  });

  test.each([
    ["a plain rule", JOINED],
    ["a recursive one", RECURSIVE],
  ])("another match makes the window longer where the match does not look: %s", (_name, rules) => {
    const run = store(rules);
    const there = `remember(A.x.to, A.y, "s")\nremember(A.x.to, A.z, "s")\nremember(A.x.k, 1, "s", ${EARLY})\nremember(A.y.r, "b", "s", ${EARLY})`;
    expect(run(there)).toBe("None");
    expect(run(`remember(A.z.r, "b", "s", ${LATE})`)).toBe("b");
    expect(run("forget(A.z.r)")).toBe("None");
  });
});
