/** [A] The main job without its platform: compile a module, run a program, ask why. */
import { describe, expect, test } from "vitest";
import { ToolFixture } from "./tool-fixture";

const FAMILY = `class Person:
    name: string
    parent: many[Person]
    born: int

    @computed
    def century(self) -> int:
        return self.born // 100 + 1

@rule
def ancestor_base(p: Person, q: Person):
    when(p.parent == q)
    conclude(p.ancestor, q)

@rule
def ancestor_step(p: Person, q: Person, r: Person):
    when(p.parent == q, q.ancestor == r)
    conclude(p.ancestor, r)

def rename(who: Person, to: string, *, source: string = "clerk"):
    update(who.name, to, source)

def older(a: Person, b: Person):
    return a.born < b.born

remember(Person.ann.born, 1970, "registry")
remember(Person.ann.parent, Person.bob, "registry")
`;

describe("[4] compile and run", () => {
  test("a module compiles, its rules conclude, its scripts run, and why tells", () => {
    const f = new ToolFixture();
    const c = f.compile("family", FAMILY);
    expect(c.text).toBe(
      [
        "OK module: family",
        "installed class family.Person",
        'installed script family.rename(who: Person, to: string, *, source: string = "clerk")',
        "installed script family.older(a: Person, b: Person)",
        "installed rule family.ancestor_base",
        "installed rule family.ancestor_step",
        "installed computed field family.Person.century",
        "body: 2 claims added",
        "remember Person.ann.born = 1970 (per registry)",
        "remember Person.ann.parent = family.Person.bob (per registry)",
      ].join("\n"),
    );
    const r = f.run(`import family
remember(Person.bob.parent, Person.cid, "registry")
remember(Person.bob.born, 1940, "registry")
family.rename(Person.ann, "Ann")
n = family.older(Person.bob, Person.ann)
print(values(Person.ann.ancestor))
print(Person.ann.century, Person.ann.name)
print(why(Person.ann.ancestor, Person.cid))
`);
    expect(r.text).toBe(
      [
        "OK program: 3 claims added, 3 prints",
        "remember Person.bob.parent = family.Person.cid (per registry)",
        "remember Person.bob.born = 1940 (per registry)",
        "update Person.ann.name = 'Ann' (per clerk)",
        "[family.Person.bob, family.Person.cid]",
        "20 Ann",
        "family.Person.ann.ancestor = family.Person.cid (derived by family.ancestor_step)",
        "  family.Person.ann.parent = family.Person.bob (asserted by registry)",
        "  family.Person.bob.ancestor = family.Person.cid (derived by family.ancestor_base)",
        "    family.Person.bob.parent = family.Person.cid (asserted by registry)",
      ].join("\n"),
    );
    expect(r.meta["transcript"]).toContainEqual({ kind: "assign", name: "n", type: "bool", value: "True", line: 5 });
    f.reopen();
    expect(f.run("import family\nprint(values(Person.ann.ancestor))").text).toContain("[family.Person.bob, family.Person.cid]");
    expect(f.run("import family\nforget(Person.bob.parent)\nprint(values(Person.ann.ancestor))").text).toBe(
      "OK program: 1 claim removed, 1 print\nforget Person.bob.parent (1 claim removed)\n[family.Person.bob]",
    );
  });
});
