/**
 * Premises on a conclusion's claim: its window is the maximal one of its rule, wherever the match looks. It may grow or
 * shrink while nothing changes of what is in force where another premise holds; what reads it must follow.
 */
import { describe, expect, test } from "vitest";
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
