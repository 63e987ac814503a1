/**
 * Conclusions kept current over random statements are those a freshly opened store computes: whatever was written,
 * preferred, forgotten and rolled back between (rulings, "Rivals and order").
 */
import { expect, test } from "vitest";
import { ToolFixture } from "./tool-fixture";

const MODULE = `
class N:
    to: many[N]
    n: int
    one: any
    level: int

@rule
def base(p: N, q: N):
    when(p.to == q)
    conclude(p.reach, q)

@rule
def step(p: N, q: N, r: N):
    when(p.to == q, q.reach == r)
    conclude(p.reach, r)

@rule
def alone(p: N):
    when(none(o for o in N if o.reach == p))
    conclude(p.alone, True)

@rule
def total(p: N):
    conclude(p.total, sum(o.n for o in N if p.reach == o))

@rule
def low(p: N):
    when(p.n > 0)
    conclude(p.level, 1)

@rule
def high(p: N):
    when(p.n > 1)
    conclude(p.level, 2)

@rule
def shown(p: N):
    conclude(p.shown, f"{p.level}/{p.total}")

@rule
def usual(p: N):
    when(present(p.n), not_asserted(p.one))
    conclude(p.one, p.n * 10)

@rule
def sure(p: N):
    when(source(p.n) == "a", trust(p.level) == "derived")
    conclude(p.sure, p.n)

@rule
def late(p: N):
    when(valid_from(p.n) > datetime("2020-06-01T00:00:00Z"))
    conclude(p.late, True)
`;

const SHOW = `import g
for t in ["2019-01-01T00:00:00Z", "2020-07-01T00:00:00Z", "2021-07-01T00:00:00Z", "2030-01-01T00:00:00Z"]:
    at = datetime(t)
    for s in ["a", "b", "c"]:
        k = N[s]
        print(t, s, values(k.reach, at=at), values(k.alone, at=at), values(k.total, at=at), values(k.level, at=at), values(k.shown, at=at), values(k.one, at=at), values(k.sure, at=at), values(k.late, at=at))
        print(value(k.level, at=at), value(k.one, at=at))
for s in ["a", "b", "c"]:
    for v in values(N[s].reach):
        print(why(N[s].reach, v))
    for v in values(N[s].shown):
        print(why(N[s].shown, v))
`;

function statements(random: (n: number) => number): string[] {
  const pick = <T>(list: readonly T[]): T => list[random(list.length)]!;
  const subject = () => `N.${pick(["a", "b", "c"])}`;
  const bounds = () =>
    pick([
      "",
      "",
      ', valid_from=datetime("2020-01-01T00:00:00Z")',
      ', valid_to=datetime("2021-01-01T00:00:00Z")',
      ', valid_from=datetime("2020-12-01T00:00:00Z"), valid_to=datetime("2022-01-01T00:00:00Z")',
    ]);
  const source = () => pick(['"a"', '"b"']);
  const one = (): string =>
    pick([
      () => `remember(${subject()}.to, ${subject()}, ${source()}${bounds()})`,
      () => `remember(${subject()}.to, ${subject()}, ${source()}${bounds()})`,
      () => `update(${subject()}.n, ${random(4)}, ${source()}${bounds()})`,
      () => `update(${subject()}.n, ${random(4)}, ${source()}${bounds()})`,
      () => `assert_absent(${subject()}.n, "c"${bounds()})`,
      () => `remember(${subject()}.one, ${random(3)}, ${source()}${bounds()})`,
      () => `forget(${subject()}.${pick(["to", "n", "one"])})`,
      () => `forget(${subject()}.to, ${subject()}, ${source()})`,
      () => `prefer(${subject()}.n, ${source()})`,
      () => `prefer(N.n, ${source()})`,
      () => `unprefer(N.n)`,
      () => `prefer(${subject()}.level, "g.high")`,
      () => `unprefer(${subject()}.level)`,
    ])();
  const guarded = (line: string, indent = "") => `${indent}try:\n${indent}    ${line}\n${indent}except Refusal:\n${indent}    pass\n`;
  if (random(4) > 0) return [guarded(one())];
  return [`with branch("b"):\n${guarded(one(), "    ")}${guarded(one(), "    ")}    ${pick(["rollback()", "commit()", "pass"])}\n`];
}

test("[rules] what is kept current equals what a store opened anew computes", () => {
  const seeds = (globalThis as { process?: { env: Record<string, string | undefined> } }).process?.env.REOPEN_SEEDS?.split(",").map(
    Number,
  ) ?? [1, 3];
  for (let seed = seeds[0]!; seed <= seeds[1]!; seed++) {
    let state = (seed * 2654435761) >>> 0;
    const random = (n: number) => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return (state >>> 8) % n;
    };
    const fixture = new ToolFixture();
    expect(fixture.compile("g", MODULE).text).toContain("OK module");
    const done: string[] = [];
    for (let step = 0; step < 12; step++) {
      const program = `import g\n${Array.from({ length: 3 }, () => statements(random))
        .flat()
        .join("")}`;
      done.push(program);
      expect(fixture.run(program).text, program).toContain("OK program");
      const kept = fixture.run(SHOW).text;
      expect(kept, `${done.join("\n---\n")}`).toContain("OK program");
      if (step % 4 < 3) continue;
      fixture.reopen();
      expect(fixture.run(SHOW).text, `seed ${seed}\n${done.join("\n---\n")}`).toBe(kept);
    }
  }
});
