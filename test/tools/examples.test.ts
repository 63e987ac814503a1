/** [examples] Every module under examples/ compiles, and answers what is known by other means. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Installed, installedPackages, lockfilePrograms } from "../../examples/dependencies/lockfile-program.mjs";
import { payroll, payrollProgram, shortfalls } from "../../examples/wages/payroll.mjs";
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

describe.each([
  ["this project's own lockfile", "package-lock.json"],
  ["every package of react-scripts 5.0.1", "test/testdata/lockfile/react-scripts-5.0.1.json"],
])("[examples] dependencies: %s", (_title, path) => {
  const packages = installedPackages(JSON.parse(read(path)));
  const reachable = closure(packages);
  const f = new ToolFixture();
  expect(f.compile("dependencies", read("examples/dependencies/dependencies.dpy")).status).toBe("success");
  for (const program of lockfilePrograms(packages)) {
    const r = f.run(program);
    expect(r.status, r.text).toBe("success");
  }
  const ask = (program: string): string[] => f.run(`import dependencies\n${program}`).text.split("\n").slice(1);

  test("the transitive closure equals one computed by hand", () => {
    // A line a conclusion: the package, then what it reaches.
    const got = new Map<string, string[]>();
    for (const line of ask('for p in subjects(Package):\n    for q in values(p.reaches):\n        print(f"{p} -> {q}")')) {
      const [p, q] = line.split(" -> ").map((text) => nameOf(text));
      got.set(p!, [...(got.get(p!) ?? []), q!]);
    }
    for (const { id } of packages) expect((got.get(id) ?? []).sort(), id).toEqual([...reachable.get(id)!].sort());
  });
  test("a package taken away takes with it what was reached through it alone, and brings it back", () => {
    const root = packages.find((p) => p.id === ".")!;
    const edge = root.requires.at(-1)!;
    const left = closure(packages.map((p) => (p === root ? { ...p, requires: p.requires.filter((id) => id !== edge) } : p)));
    const count = 'print(len(values(Package["."].reaches)))';
    const cell = `Package["."].requires, Package[${JSON.stringify(edge)}], "package-lock.json"`;
    const lines = ask(`forget(${cell})\n${count}\nremember(${cell})\n${count}`).filter((line) => /^\d+$/.test(line));
    expect(lines).toEqual([String(left.get(".")!.size), String(reachable.get(".")!.size)]);
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

describe("[examples] wages: what was paid against what was due, for every day of seven years", () => {
  const f = new ToolFixture();
  const c = f.compile("wages", read("examples/wages/wages.dpy"));
  expect(c.status, c.text).toBe("success");
  const workers = payroll(40, 1);
  const r = f.run(payrollProgram(workers));
  expect(r.status, r.text).toBe("success");
  const ask = (program: string): string[] => f.run(`import wages\n${program}`).text.split("\n").slice(1);

  test("the rules conclude the very periods and amounts that a walk through the days finds", () => {
    const told = ask(
      'for i in range(40):\n    w = Worker[f"w{i}"]\n    for c in get(w.short_by):\n        print(f"{w} {c.valid_from} {c.valid_to} {c.value}")',
    );
    const want = workers.flatMap((worker) =>
      shortfalls(worker).map(({ from, to, value }) => `wages.Worker.${worker.id} ${from}T00:00:00Z ${to}T00:00:00Z ${value}`),
    );
    expect(want.length).toBeGreaterThan(60);
    expect(told.sort()).toEqual(want.sort());
  });
  test("why names the rate, the age and the pay of that day, and checkup whom it breaches", () => {
    const worker = workers.find((w) => shortfalls(w).some(({ to }) => to > "2026-01-01"))!;
    expect(worker).toBeDefined();
    f.clock = Date.parse("2026-01-15T00:00:00Z") * 1000;
    const lines = ask(`print(why(Worker.${worker.id}.short_by))`);
    expect(lines[0]).toMatch(/^wages\.Worker\.\w+\.short_by = \d+ \(derived by wages\.underpaid, valid \[/);
    expect(lines.some((line) => line.includes("(asserted by payroll, valid ["))).toBe(true);
    expect(lines.some((line) => line.includes(".hourly = ") && line.includes("(asserted by gov.uk, valid ["))).toBe(true);
    const breaching = workers.filter((w) => shortfalls(w).some(({ from, to }) => from <= "2026-01-15" && "2026-01-15" < to));
    expect(f.call("checkup", {}).text).toContain(`violated wages.paid_enough ${breaching.length} `);
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
