/** The conclusions that `diff` tells of, against what every conclusion was before and after each call. */
import { expect, test } from "vitest";
import { ToolFixture } from "./tool-fixture";

const MODULE = `class P:
    n: int
    off: bool
    to: many[P]
    sum: int

    @computed
    def twice(self) -> int:
        return self.n * 2

@rule
def near(p: P, q: P):
    when(p.to == q)
    conclude(p.reach, q)

@rule
def far(p: P, q: P, r: P):
    when(p.reach == q, q.to == r)
    conclude(p.reach, r)

@rule
def alone(p: P):
    when(p.n >= 0, absent(p.to))
    conclude(p.alone, True)

@rule
def on(p: P):
    when(p.n > 1, none(q for q in P if q.to == p and q.off == True))
    conclude(p.on, p.n)

@rule
def total(p: P):
    when(p.to == p)
    conclude(p.sum, sum(q.n for q in P if q.off == True))
`;
const SUBJECTS = ["a", "b", "c"];
const FIELDS = ["alone", "on", "reach", "sum", "twice"];

/** mulberry32: a seed gives one sequence on every machine. */
function random(seed: number): (n: number) => number {
  let state = seed;
  return (n) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % n;
  };
}

/** Every conclusion in order, whatever the time it holds at; the windows of the test all hold now. */
function conclusions(f: ToolFixture): string[] {
  const reads = SUBJECTS.flatMap((s) => FIELDS.map((field) => `    print('${s}.${field}', values(P.${s}.${field}))`));
  const answer = f.run(`import m\nif True:\n${reads.join("\n")}`);
  expect(answer.status, answer.text).toBe("success");
  const lines: string[] = [];
  for (const entry of answer.meta["transcript"] as unknown as { kind: string; value: string }[]) {
    if (entry.kind !== "print") continue;
    const [, place, list] = /^(\S+) \[(.*)\]$/.exec(entry.value)!;
    for (const value of list === "" ? [] : list.split(", ")) lines.push(`added m.P.${place} = ${value}`);
  }
  return lines;
}

function statement(pick: (n: number) => number): string {
  const s = SUBJECTS[pick(3)];
  const t = SUBJECTS[pick(3)];
  const source = ["x", "y"][pick(2)];
  switch (pick(8)) {
    case 0:
    case 1:
      return `update(P.${s}.n, ${pick(4)}, "${source}")`;
    case 2:
    case 3:
      return `remember(P.${s}.to, P.${t}, "${source}")`;
    case 4:
      return `update(P.${s}.off, ${["True", "False"][pick(2)]}, "${source}")`;
    case 5:
      return `forget(P.${s}.to, P.${t}, "${source}")`;
    case 6:
      return `forget(P.${s}.${["n", "off"][pick(2)]})`;
    default:
      return `forget(P.${s})`;
  }
}

test.each([1, 2, 3, 4])("[rulings, Conclusions and change] each conclusion that came to hold has its line, in order, seed %i", (seed) => {
  const f = new ToolFixture();
  const pick = random(seed);
  expect(f.compile("m", MODULE).status).toBe("success");
  f.call("checkpoint", { name: "m" });
  let before = conclusions(f);
  let told = 0;
  for (let i = 0; i < 40; i++) {
    const inBranch = pick(4) === 0;
    const restores = pick(6) === 0;
    const statements = Array.from({ length: inBranch ? 4 : 1 }, () => statement(pick));
    if (restores) expect(f.call("restore", { since: "m" }).status).toBe("success");
    else if (inBranch) {
      // A removal of what is older than the branch is refused; the branch goes on.
      const body = statements.map((one) => `    try:\n        ${one}\n    except Refusal:\n        pass`);
      expect(f.run(`import m\nwith branch("b"):\n${body.join("\n")}`).status).toBe("success");
    } else expect(f.run(`import m\n${statements[0]}`).status).toBe("success");
    const after = conclusions(f);
    const lines = (f.call("diff", { since: "m" }).meta["lines"] as string[]).filter(
      (line) => line.startsWith("added") && !/ \(per .\)$/.test(line),
    );
    const fresh = lines.slice(told);
    const wanted = after.filter((line) => !before.includes(line));
    if (inBranch) {
      fresh.sort();
      wanted.sort();
    } else wanted.sort((a, b) => compareLines(a, b));
    expect(fresh, statements.join("\n")).toEqual(wanted);
    told = lines.length;
    before = after;
  }
  expect(told).toBeGreaterThan(20);
});

/** By subject, then field; values of one cell come in value order from `values` already. */
function compareLines(a: string, b: string): number {
  const [x, y] = [a, b].map((line) => line.split(" = ")[0]);
  return x < y ? -1 : x > y ? 1 : 0;
}
