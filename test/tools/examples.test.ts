/** [examples] Every module under examples/ compiles, and answers what is known by other means. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Installed, installedPackages, lockfilePrograms } from "../../examples/dependencies/lockfile-program.mjs";
import { ToolFixture } from "./tool-fixture";

const ROOT = join(import.meta.dirname, "../..");
const read = (path: string): string => readFileSync(join(ROOT, path), "utf8");

describe("[examples] monarchs: what holds for a time is concluded for a time", () => {
  test("the house that rules follows the reign and the name of the house", () => {
    const f = new ToolFixture();
    const c = f.compile("monarchs", read("examples/monarchs/monarchs.dpy"));
    expect(c.status, c.text).toBe("success");
    const r = f.run(read("examples/monarchs/questions.dpy"));
    expect(r.status, r.text).toBe("success");
    const lines = r.text.split("\n").slice(1);
    expect(lines.slice(0, 8)).toEqual([
      "1800 monarchs.Person.george_iii Hanover",
      "1850 monarchs.Person.victoria Hanover",
      "1905 monarchs.Person.edward_vii Saxe-Coburg and Gotha",
      "1915 monarchs.Person.george_v Saxe-Coburg and Gotha",
      "1920 monarchs.Person.george_v Windsor",
      "1936 monarchs.Person.edward_viii Windsor",
      "2000 monarchs.Person.elizabeth_ii Windsor",
      "2025 monarchs.Person.charles_iii Windsor",
    ]);
    expect(lines[8]).toContain("monarchs.Person.victoria");
    expect(lines[9]).toBe("monarchs.Person.charles_iii.ancestor = monarchs.Person.george_iii (derived by monarchs.ancestor_further)");
  });
});

describe("[examples] dependencies: this project's own lockfile", () => {
  const packages = installedPackages(JSON.parse(read("package-lock.json")));
  const reachable = closure(packages);
  const f = new ToolFixture();
  expect(f.compile("dependencies", read("examples/dependencies/dependencies.dpy")).status).toBe("success");
  for (const program of lockfilePrograms(packages)) {
    const r = f.run(program);
    expect(r.status, r.text).toBe("success");
  }
  const ask = (program: string): string[] => f.run(`import dependencies\n${program}`).text.split("\n").slice(1);

  test("the transitive closure equals one computed by hand", () => {
    for (const p of packages) {
      const want = [...reachable.get(p.id)!].sort();
      const got = ask(`for q in values(Package[${JSON.stringify(p.id)}].reaches):\n    print(q)`)
        .map(nameOf)
        .sort();
      expect(got, p.id).toEqual(want);
    }
  });
  test("two versions of one name are found, and nothing else", () => {
    const versions = new Map<string, Set<string>>();
    for (const p of packages) versions.set(p.name, (versions.get(p.name) ?? new Set()).add(p.version));
    const want = packages.filter((p) => versions.get(p.name)!.size > 1).map((p) => p.id);
    const got = ask("for p in subjects(Package):\n    if len(values(p.beside)) > 0:\n        print(p)").map(nameOf);
    expect(got.sort()).toEqual(want.sort());
  });
  test("a licence nobody accepted is a breach until it is accepted, and why says through what a package came", () => {
    const p = packages.find((x) => x.license === "MIT" && x.id !== ".")!;
    const cell = `Package[${JSON.stringify(p.id)}]`;
    expect(ask(`print(values(${cell}.breach))\ndependencies.accept("MIT")\nprint(values(${cell}.breach))`)).toEqual([
      "[dependencies.Licence.MIT]",
      "remember Licence.MIT.accepted = True (per policy)",
      "[]",
    ]);
    const why = ask(`print(dependencies.installed_because(${cell}, Package["."]))`);
    expect(why[0]).toContain("derived by dependencies.reaches_");
    expect(why.at(-1)).toContain("(asserted by package-lock.json)");
  });
});

/** `dependencies.Package["a/b"]` → `a/b`. */
function nameOf(text: string): string {
  const m = /^dependencies\.Package(?:\.(.*)|\["(.*)"\])$/.exec(text)!;
  return m[1] ?? m[2]!;
}

function closure(packages: readonly Installed[]): ReadonlyMap<string, ReadonlySet<string>> {
  const requires = new Map(packages.map((p) => [p.id, p.requires]));
  return new Map(
    packages.map((p) => {
      const seen = new Set<string>();
      const work = [...p.requires];
      for (let id = work.pop(); id !== undefined; id = work.pop()) {
        if (seen.has(id)) continue;
        seen.add(id);
        work.push(...requires.get(id)!);
      }
      return [p.id, seen];
    }),
  );
}
