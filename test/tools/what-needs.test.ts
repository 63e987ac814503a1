/** `what_needs`: language.md §5.3; rulings, "what_needs and missing premises". */
import { describe, expect, test } from "vitest";
import { ToolFixture } from "./tool-fixture";

const SOURCE = `
class P:
    parent: many[P]
    ancestor: many[P]
    born: int
    rich: bool
    calm: bool
    many_kids: bool
    weight: int

    @computed
    def age(self) -> int:
        return 2026 - self.born

@rule
def base(p: P, q: P):
    when(p.parent == q)
    conclude(p.ancestor, q)

@rule
def step(p: P, q: P, r: P):
    when(p.parent == q, q.ancestor == r)
    conclude(p.ancestor, r)

@rule
def rich(p: P):
    when(sum(o.weight for o in P if o.parent == p) > 3)
    conclude(p.rich, True)

@rule
def calm(p: P):
    when(p.age > 20, absent(p.rich))
    conclude(p.calm, True)

@rule
def lonely(p: P):
    when(p.age > 0, none(o for o in P if o.parent == p and o.weight > 5))
    conclude(p.lonely, True)

@constraint
def grown(p: P):
    when(p.calm == True)
    require(p.age < 150)
`;

function asking(data: string): ToolFixture {
  const f = new ToolFixture();
  expect(f.compile("m", SOURCE).status).toBe("success");
  expect(f.run(`import m\n${data}`).status).toBe("success");
  return f;
}
function printed(f: ToolFixture, expression: string): string[] {
  const answer = f.run(`import m\nprint(${expression})`);
  if (answer.status !== "success") throw new Error(answer.text);
  return (answer.meta["transcript"] as { value: string }[])[0]!.value.split("\n");
}

describe("[5.3] what_needs", () => {
  test("rules, computed fields, constraints and the cells concluded through it, transitively", () => {
    const f = asking('remember(P.a.born, 1990, "s")');
    expect(printed(f, "what_needs(P.a.born)")).toEqual([
      "m.P.a.born = 1990",
      "  computed field m.P.age",
      "    m.P.a.age = 36",
      "      rule m.calm",
      "        m.P.a.calm = True",
      "          constraint m.grown",
      "      rule m.lonely",
      "        m.P.a.lonely = True",
      "      constraint m.grown",
    ]);
  });

  test("through a chain of conclusions, each cell once", () => {
    const f = asking('remember(P.a.parent, P.b, "s")\nremember(P.b.parent, P.c, "s")\nremember(P.z.parent, P.a, "s")');
    const lines = printed(f, "what_needs(P.b.parent)");
    const cells = (text: string) => lines.filter((line) => line.trim().startsWith(text));
    expect(cells("m.P.b.ancestor")).toEqual(["    m.P.b.ancestor = m.P.c"]);
    expect(cells("m.P.a.ancestor")[0]).toBe("        m.P.a.ancestor = m.P.b, m.P.c");
    expect(cells("m.P.z.ancestor")[0]).toBe("            m.P.z.ancestor = m.P.a, m.P.b, m.P.c");
    expect(cells("m.P.c.ancestor")).toEqual([]);
  });

  test("a row of a fold, an absence, and what a none looks at", () => {
    const f = asking(
      'remember(P.k.parent, P.a, "s")\nremember(P.k.weight, 4, "s")\nremember(P.a.born, 1990, "s")\nremember(P.b.born, 1990, "s")',
    );
    expect(printed(f, "what_needs(P.k.weight)")).toEqual([
      "m.P.k.weight = 4",
      "  rule m.lonely",
      "    m.P.a.lonely = True",
      "  rule m.rich",
      "    m.P.a.rich = True",
      "      rule m.calm (concludes nothing through it now)",
      "        m.P.calm",
      "          constraint m.grown",
    ]);
    expect(printed(f, "what_needs(P.b.rich)")).toEqual([
      "m.P.b.rich",
      "  rule m.calm",
      "    m.P.b.calm = True",
      "      constraint m.grown",
    ]);
  });

  test("nothing rests on a cell that nothing reads", () => {
    const f = asking('remember(Other.x.y, 1, "s")');
    expect(printed(f, "what_needs(Other.x.y)")).toEqual(["Other.x.y = 1"]);
    expect(printed(f, "what_needs(Nobody.x.y)")).toEqual(["Nobody.x.y"]);
    expect(f.run("import m\nwhat_needs(P.a.nothing)").status).not.toBe("success");
  });

  test("a proof_tree with .cell, .value, .rule, .premises and .to_json()", () => {
    const f = asking('remember(P.a.born, 1990, "s")');
    expect(
      printed(
        f,
        "type(what_needs(P.a.born)), [(n.cell, n.value, n.rule, n.premises[0].rule, n.premises[0].premises[0].cell) for n in [what_needs(P.a.born)]]",
      ),
    ).toEqual(["<class 'proof_tree'> [('m.P.a.born', 1990, None, 'm.P.age', 'm.P.a.age')]"]);
    const told = JSON.parse(printed(f, "what_needs(P.a.born).to_json()")[0]!);
    expect(told.premises[0]).toMatchObject({ rule: "m.P.age", computed: true });
    expect(told.premises[0].premises[0]).toMatchObject({ cell: "m.P.a.age", value: "36", repeated: false });
  });

  test("what a change of the cell changes is among what rests on it", () => {
    const names = ["a", "b", "c", "d", "e"];
    let seen = 0;
    for (let seed = 1; seed <= 12; seed++) {
      let state = seed * 77;
      const random = (below: number) => {
        state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
        return Math.floor((state / 2 ** 32) * below);
      };
      const node = () => `P.${names[random(names.length)]}`;
      const data = Array.from({ length: 10 }, () =>
        random(2) > 0 ? `remember(${node()}.parent, ${node()}, "s")` : `update(${node()}.weight, ${random(8)}, "s")`,
      );
      const f = asking(`${names.map((n) => `remember(P.${n}.born, 1990, "s")`).join("\n")}\n${data.join("\n")}`);
      const all = `[(n + "." + g, values(P[n][g])) for n in ${JSON.stringify(names)} for g in ["ancestor", "rich", "calm", "lonely"]]`;
      for (const cell of [`${node()}.weight`, `${node()}.parent`, `${node()}.born`]) {
        const rests = printed(f, `what_needs(${cell}).to_json()`)[0]!;
        const program = `import m\nbefore = dict(${all})\nwith branch("t"):\n    update(${cell}, ${cell.endsWith("parent") ? "P.zz" : "7"}, "s")\n    after = dict(${all})\n    rollback()\nprint([k for k in before if before[k] != after[k] and not all(v in after[k] for v in before[k])])`;
        const answer = f.run(program);
        expect(answer.status, answer.text).toBe("success");
        const changed = [
          ...(answer.meta["transcript"] as { kind: string; value: string }[]).find((e) => e.kind === "print")!.value.matchAll(/'([^']+)'/g),
        ];
        for (const [, place] of changed) {
          // What a rule would conclude and does not is told by its field.
          const told = rests.includes(`"m.P.${place}"`) || rests.includes(`"field":"m.P.${place!.split(".")[1]}"`);
          expect(told, `${data.join("; ")} | ${cell} | ${place} | ${rests}`).toBe(true);
          seen++;
        }
      }
    }
    expect(seen).toBeGreaterThan(3);
  });
});
