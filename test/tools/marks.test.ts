/** Marks, sentence by sentence of contract §9.7 and of the rulings on them, over a whole store. */
import { beforeEach, describe, expect, it } from "vitest";
import type { Level } from "../../src/engine/claim";
import { InvalidParams, type ToolAnswer } from "../../src/tools/answer";
import { ToolFixture } from "./tool-fixture";

let f: ToolFixture;
beforeEach(() => {
  f = new ToolFixture();
});

function ok(answer: ToolAnswer): ToolAnswer {
  expect(answer.status, answer.text).toBe("success");
  return answer;
}
const run = (source: string) => ok(f.run(source));
const compile = (name: string, source: string) => ok(f.compile(name, source));
const mark = (name = "m") => ok(f.call("checkpoint", { name }));
/** The lines of `diff`; text and `_meta.lines` are one. */
function diff(since = "m"): readonly string[] {
  const { text, meta } = ok(f.call("diff", { since }));
  const lines = meta["lines"] as string[];
  if (lines.length > 0) expect(text).toBe(lines.join("\n"));
  return lines;
}
const restore = (since = "m") => ok(f.call("restore", { since })).text;
const forgetModule = (name: string) => ok(f.call("forget_module", { name, confirm: true }));
/** What a program prints. */
const printed = (source: string) => run(source).meta["transcript"] as unknown as { kind: string; value: string }[];
const shows = (expression: string, before = "") => printed(`${before}\nprint(${expression})`).find((e) => e.kind === "print")!.value;

describe("checkpoint", () => {
  it("[9.7] records a position, not a copy: the same two numbers at any size, and nothing stored changes", () => {
    run("for i in range(500):\n    remember(K[str(i)].n, i, 's')");
    const before = f.sql.exec("SELECT count(*) FROM claim");
    mark();
    expect(f.sql.exec("SELECT count(*) FROM claim")).toEqual(before);
    expect(f.sql.exec("SELECT count(*) FROM mark")).toEqual([[1]]);
    expect(f.sql.exec("SELECT count(*) FROM change")).toEqual([[0]]);
  });

  it("[9.7] taking one again under a name already used moves that mark rather than leaving two", () => {
    mark();
    run("remember(K.s.a, 1, 's')");
    const moved = mark();
    expect(moved.meta).toMatchObject({ moved: true });
    expect(diff()).toEqual([]);
    expect(ok(f.call("list", { target: "checkpoints" })).meta["names"]).toEqual(["m"]);
  });

  it("[rulings, Moving a mark] lets go the removals that only the old position held", () => {
    mark();
    run("remember(K.s.a, 1, 's')\nforget(K.s.a)");
    expect(mark().meta).toMatchObject({ let_go: 1 });
    expect(restore()).toBe("OK restored 0 values.");
    mark("older");
    run("remember(K.s.a, 2, 's')\nforget(K.s.a)");
    expect(mark().meta).toMatchObject({ let_go: 0 });
    expect(restore("older")).toBe("OK restored 1 value.");
  });

  it("[9.7] a mark's name is at most as long as a subject's", () => {
    const longest = "m".repeat(1024);
    mark(longest);
    expect(ok(f.call("diff", { since: longest })).meta["found"]).toBe(true);
    expect(() => f.call("checkpoint", { name: `${longest}m` })).toThrow(InvalidParams);
    expect(ok(f.call("diff", { since: `${longest}m` })).meta["found"]).toBe(false);
  });

  it.each(["v1.2.3", "release-candidate", "before_import", "_x", "a.-b", "a.1st", "A"])("[9.7] %s is a name", (name) => {
    mark(name);
    expect(ok(f.call("list", { target: "checkpoints" })).meta["names"]).toEqual([name]);
  });

  it.each(["-rc", "1st", "v1..2", "", ".a", "a.", "naïve", "a b", "a/b"])(
    "[9.7, rulings, Mark names] %j is none: -32602 in all four",
    (name) => {
      for (const [tool, argument] of [
        ["checkpoint", "name"],
        ["diff", "since"],
        ["restore", "since"],
        ["forget_checkpoint", "name"],
      ] as const)
        for (const level of ["read-write-delete", "none"] as Level[])
          expect(() => f.call(tool, { [argument]: name }, { level })).toThrow(InvalidParams);
    },
  );

  it("[9.7] list(target = checkpoints) shows the marks that stand, ascending", () => {
    for (const name of ["b", "a", "B", "a.b"]) mark(name);
    ok(f.call("forget_checkpoint", { name: "b" }));
    f.reopen();
    expect(ok(f.call("list", { target: "checkpoints" })).meta["names"]).toEqual(["B", "a", "a.b"]);
  });
});

describe("diff", () => {
  it("[9.7] one line per change, in the order the changes happened", () => {
    mark();
    run("remember(K.s.b, 1, 's')\nremember(K.s.a, 2, 't')\nforget(K.s.b)\nremember(K.r.a, 3, 's')");
    expect(diff()).toEqual(["added K.s.a = 2 (per t)", "removed K.s.b", "added K.r.a = 3 (per s)"]);
  });

  it("[9.7] none: there is no mark by that name; a mark that has seen no change reports no lines", () => {
    expect(ok(f.call("diff", { since: "nothing" }))).toMatchObject({ text: "none", meta: { found: false, lines: [] } });
    mark();
    const empty = ok(f.call("diff", { since: "m" }));
    expect(empty.meta).toMatchObject({ found: true, lines: [] });
    expect(empty.text).not.toMatch(/^(none|added|removed)/m);
  });

  it.each([
    ["41", "41"],
    ["3.5", "3.5"],
    ["True", "True"],
    ["'hi'", "'hi'"],
    ["'41'", "'41'"],
    ['"it\'s"', '"it\'s"'],
    ["float('inf')", "inf"],
    ["float('-inf')", "-inf"],
    ["float('nan')", "nan"],
    ["'inf'", "'inf'"],
    ["datetime('2026-01-01T00:00:00Z')", "2026-01-01T00:00:00Z"],
    ["duration(hours=1)", "PT1H"],
    ["[1, None, 'x']", "[1, None, 'x']"],
    ["K.other", "K.other"],
    ["b'ab'", "b'ab'"],
  ])("[9.7] the value %s is shown the way DKE Python shows it inside a list: %s", (value, text) => {
    mark();
    run(`remember(K.s.a, ${value}, 's')`);
    expect(diff()).toEqual([`added K.s.a = ${text} (per s)`]);
    expect(shows("[value(K.s.a)]")).toBe(`[${text}]`);
  });

  it("[9.7] one line per change, whatever the names and values hold", () => {
    mark();
    run('remember(K["a\\nb"].x, "c\\nd", "e\\nf (per g)")\nremember(K.s.x, 1, "The Registry (old)")');
    expect(diff()).toEqual(['added K["a\\nb"].x = \'c\\nd\' (per "e\\nf (per g)")', "added K.s.x = 1 (per The Registry (old))"]);
  });

  it("[9.7] null is an asserted absence", () => {
    mark();
    run("assert_absent(K.s.a, 's')");
    expect(diff()).toEqual(["added K.s.a = null (per s)"]);
  });

  it("[9.7] a value you revised reads as added at its new value, and what it replaced is not removed", () => {
    run("remember(K.s.a, 1, 's')");
    mark();
    run("update(K.s.a, 2, 's')");
    expect(diff()).toEqual(["added K.s.a = 2 (per s)"]);
  });

  it("[9.7] a value changed and then changed back reads as two added lines", () => {
    run("remember(K.s.a, 1, 's')");
    mark();
    run("update(K.s.a, 2, 's')\nupdate(K.s.a, 1, 's')");
    expect(diff()).toEqual(["added K.s.a = 2 (per s)", "added K.s.a = 1 (per s)"]);
  });

  it("[9.7] a value written after the mark and removed again reads as removed, though the mark never held it", () => {
    mark();
    run("remember(K.s.a, 1, 's')\nforget(K.s.a)");
    expect(diff()).toEqual(["removed K.s.a"]);
  });

  it("[9.7] each form of removal has its line", () => {
    run(
      `for f in ['a', 'b', 'c', 'd']:
    remember(K.s[f], 1, 's')
    remember(K.s[f], 2, 't')
    update(K.s[f], 3, 's')
remember(K["two words"].a, 1, 's')`,
    );
    mark();
    run(
      `forget(K.s.a, 2, 't')
forget(K.s.b, datetime("2026-01-01T00:00:00.5Z"))
forget(K.s.c, recorded_before=datetime("2030-01-01T00:00:00Z"))
forget(K.d, recorded_at_or_before=datetime("2030-01-01T00:00:00Z"))
forget(K.s, valid_before=datetime("2030-01-01T00:00:00Z"))
forget(K["two words"])`,
    );
    expect(diff()).toEqual([
      "removed a value of K.s.a",
      "removed the values of K.s.b in force at 2026-01-01T00:00:00.500000Z",
      "removed values of K.s.c recorded before 2030-01-01T00:00:00Z",
      "removed values of K.d recorded at or before 2030-01-01T00:00:00Z",
      "removed values of K.s valid before 2030-01-01T00:00:00Z",
      'removed K["two words"]',
    ]);
    run(`remember(K.r.z, 1, 's')\nupdate(K.r.z, 2, 's')\nforget(K, valid_at_or_before=datetime("2400-01-01T00:00:00Z"))`);
    expect(diff().at(-1)).toBe("removed values of K valid at or before 2400-01-01T00:00:00Z");
  });

  it("[rulings, A removed line] is written whenever the statement removed at least one claim, and only then", () => {
    run("remember(K.s.a, 1, 's')\nupdate(K.s.a, 2, 's')");
    mark();
    run("forget(K.s.b)\nforget(K.s.a, recorded_before=datetime('2000-01-01T00:00:00Z'))");
    expect(diff()).toEqual([]);
    run("forget(K.s.a, recorded_before=datetime('2030-01-01T00:00:00Z'))");
    expect(diff()).toEqual(["removed values of K.s.a recorded before 2030-01-01T00:00:00Z"]);
  });

  it("[9.7] what a rule worked out appears without a source, after the write that caused it, by Kind, subject and field", () => {
    compile(
      "m",
      `class P:
    n: int
    high: bool
    label: string

@rule
def high(p: P):
    when(p.n > 10)
    conclude(p.high, True)

@rule
def label(p: P, q: P):
    when(q.high == True, p.n >= 0)
    conclude(p.label, "some")
`,
    );
    mark();
    run("import m\nremember(P.b.n, 20, 's')\nremember(P.a.n, 1, 's')\nremember(K.s.a, 1, 's')");
    expect(diff()).toEqual([
      "added m.P.b.n = 20 (per s)",
      "added m.P.b.high = True",
      "added m.P.b.label = 'some'",
      "added m.P.a.n = 1 (per s)",
      "added m.P.a.label = 'some'",
      "added K.s.a = 1 (per s)",
    ]);
    run("import m\nupdate(P.b.n, 30, 's')");
    expect(diff().at(-1)).toBe("added m.P.b.n = 30 (per s)");
    run("import m\nupdate(P.b.n, 1, 's')");
    expect(diff().at(-1)).toBe("added m.P.b.n = 1 (per s)");
    run("import m\nupdate(P.b.n, 40, 's')");
    expect(diff().slice(-4)).toEqual([
      "added m.P.b.n = 40 (per s)",
      "added m.P.a.label = 'some'",
      "added m.P.b.high = True",
      "added m.P.b.label = 'some'",
    ]);
  });

  it("[rulings, Conclusions and change] computed fields make lines, and a conclusion that a removal lets hold comes after it", () => {
    compile(
      "m",
      `class P:
    n: int
    off: bool

    @computed
    def twice(self) -> int:
        return self.n * 2

@rule
def open(p: P):
    when(p.n > 0, absent(p.off))
    conclude(p.open, True)
`,
    );
    run("import m\nremember(P.a.n, 1, 's')\nremember(P.a.off, True, 's')");
    mark();
    run("import m\nforget(P.a.off)\nupdate(P.a.n, 2, 's')");
    expect(diff()).toEqual(["removed m.P.a.off", "added m.P.a.open = True", "added m.P.a.n = 2 (per s)", "added m.P.a.twice = 4"]);
  });

  it("[rulings, Withdrawn conclusions] one added line per cell and value, whatever its window; one that ceases makes none", () => {
    compile("m", "class P:\n    n: int\n    m: int\n\n@rule\ndef copy(p: P):\n    when(p.n == p.m)\n    conclude(p.same, p.n)\n");
    run("import m\nremember(P.a.n, 1, 's')");
    mark();
    run(
      `import m
remember(P.a.m, 1, 's', valid_from=datetime("2026-01-01T00:00:00Z"), valid_to=datetime("2027-01-01T00:00:00Z"))
remember(P.a.m, 1, 't', valid_from=datetime("2028-01-01T00:00:00Z"))
forget(P.a.m)`,
    );
    expect(diff()).toEqual(["added m.P.a.same = 1", "removed m.P.a.m"]);
  });

  it("[9.7] removed rule: a standing rule you wrote was removed, and what it had worked out went with it", () => {
    const source = "class P:\n    n: int\n\n    @computed\n    def twice(self) -> int:\n        return self.n * 2\n\n";
    const rules = ["a", "b", "c"].map((name) => `@rule\ndef ${name}(p: P):\n    when(p.n > 0)\n    conclude(p.${name}, True)\n\n`);
    compile("m", source + rules.join(""));
    run("import m\nremember(P.x.n, 1, 's')");
    mark();
    ok(f.call("forget_rule", { name: "m.b" }));
    ok(f.call("forget_rule", { name: "m.b" }));
    expect(diff()).toEqual(["removed rule m.b"]);
    compile("m", source);
    expect(diff()).toEqual(["removed rule m.b", "removed rule m.a", "removed rule m.c"]);
    compile("m", source + rules[1]);
    expect(diff().at(-1)).toBe("added m.P.x.b = True");
    forgetModule("m");
    expect(diff().slice(-2)).toEqual(["removed m.P.x", "removed rule m.b"]);
  });

  it("[rulings, diff and time] added is logged at the write, whatever the window", () => {
    mark();
    run('remember(K.s.a, 1, "s", valid_from=datetime("2100-01-01T00:00:00Z"))');
    expect(diff()).toEqual(["added K.s.a = 1 (per s)"]);
  });

  it("[rulings, Writes and windows] the parts that an update leaves make no line", () => {
    run("remember(K.s.a, 1, 's')");
    mark();
    run('update(K.s.a, 2, "s", valid_from=datetime("2026-01-01T00:00:00Z"), valid_to=datetime("2027-01-01T00:00:00Z"))');
    expect(diff()).toEqual(["added K.s.a = 2 (per s)"]);
  });

  it("a statement that changes nothing, a preference and a pin make no line", () => {
    run("remember(K.s.a, 1, 's')\nremember(K.s.a, 2, 't')");
    mark();
    run("remember(K.s.a, 1, 's')\nprefer(K.s.a, 's')\npin(K.s.a)\nunpin(K.s.a)\nunprefer(K.s.a)");
    expect(diff()).toEqual([]);
  });

  it("[9.7] what a diff can reach is the store's history since the mark, whichever mark", () => {
    mark("one");
    run("remember(K.s.a, 1, 's')");
    mark("two");
    run("remember(K.s.b, 2, 's')");
    f.reopen();
    expect(diff("one")).toEqual(["added K.s.a = 1 (per s)", "added K.s.b = 2 (per s)"]);
    expect(diff("two")).toEqual(["added K.s.b = 2 (per s)"]);
  });

  it("[rulings] the lines of a compile's body come in order, and only what it leaves behind", () => {
    run("remember(K.old.a, 1, 's')\nupdate(K.old.a, 2, 's')\nremember(K.both.a, 1, 's')");
    mark();
    compile(
      "m",
      `remember(K.x.a, 1, 's')
remember(K.gone.a, 1, 's')
forget(K.gone.a)
update(K.old.a, 3, 's')
forget(K.old.a)
remember(K.both.a, 2, 't')
forget(K.both.a, 2, 't')
`,
    );
    expect(diff()).toEqual(["added K.x.a = 1 (per s)", "removed K.old.a"]);
    expect(restore()).toBe("OK restored 2 values.");
    expect(shows("history(K.old.a)")).toBe("[active_claim=1 src=s, active_claim=2 src=s]");
  });

  it("[9.7] a branch commits when it completes: what it wrote and removed again never reached the store", () => {
    compile("m", "class P:\n    n: int\n\n@rule\ndef pos(p: P):\n    when(p.n > 0)\n    conclude(p.pos, p.n)\n");
    run("import m\nremember(P.z.n, 5, 's')");
    mark();
    run(
      `import m
with branch("b"):
    remember(P.a.n, 1, "s")
    remember(P.b.n, 1, "s")
    forget(P.b.n)
    update(P.a.n, 2, "s")
    update(P.z.n, -1, "s")
    update(P.z.n, 5, "s")
with branch("c"):
    remember(K.s.a, 1, "s")
    rollback()
    remember(K.s.b, 1, "s")`,
    );
    // Versions superseded inside a layer land both; of conclusions, what holds at the end and did not before.
    expect(diff()).toEqual([
      "added m.P.a.n = 1 (per s)",
      "added m.P.a.n = 2 (per s)",
      "added m.P.a.pos = 2",
      "added m.P.z.n = -1 (per s)",
      "added m.P.z.n = 5 (per s)",
      "added K.s.b = 1 (per s)",
    ]);
    expect(restore()).toBe("OK restored 0 values.");
    expect(shows("len(history(m.P.a.n))", "import m")).toBe("2");
  });
});

describe("restore", () => {
  it("[9.7] puts back the values diff reports as removed, at the current position, and undoes nothing done after the mark", () => {
    run("remember(K.s.a, 1, 's', note='n')\nremember(K.s.b, 2, 's')");
    mark();
    run("forget(K.s.a)\nupdate(K.s.b, 3, 's')\nremember(K.s.c, 4, 's')");
    expect(restore()).toBe("OK restored 1 value.");
    expect(shows("[get(K.s.a), value(K.s.b), value(K.s.c)]")).toBe("[[active_claim=1 src=s qualifiers={note: 'n'}], 3, 4]");
    expect(diff()).toEqual(["removed K.s.a", "added K.s.b = 3 (per s)", "added K.s.c = 4 (per s)", "added K.s.a = 1 (per s)"]);
  });

  it("[rulings, Restore] a returned value takes the restore's recorded_at, and keeps source, writer, window and qualifiers", () => {
    run('remember(K.s.a, 1, "s", valid_from=datetime("2020-01-01T00:00:00Z"), q=1)');
    const before = shows("[current(K.s.a).source, current(K.s.a).written_by, current(K.s.a).valid_from, current(K.s.a).qualifiers]");
    mark();
    run("forget(K.s.a)");
    const instant = f.clock + 1_000_000;
    restore();
    expect(shows("[current(K.s.a).source, current(K.s.a).written_by, current(K.s.a).valid_from, current(K.s.a).qualifiers]")).toBe(before);
    expect(shows("current(K.s.a).recorded_at")).toBe(new Date(instant / 1000).toISOString().replace(".000Z", "Z"));
    expect(
      shows("[value(K.s.a, known_at=current(K.s.a).recorded_at - duration(seconds=1)), value(K.s.a, known_at=current(K.s.a).recorded_at)]"),
    ).toBe("[None, 1]");
  });

  it("[9.7] is idempotent", () => {
    run("remember(K.s.a, 1, 's')");
    mark();
    run("forget(K.s.a)");
    restore();
    expect(restore()).toBe("OK restored 0 values.");
    expect(diff()).toEqual(["removed K.s.a", "added K.s.a = 1 (per s)"]);
  });

  it("[9.7] a rule removed with forget_rule is not among them: it comes back by compiling it again", () => {
    const source = "class P:\n    n: int\n\n@rule\ndef r(p: P):\n    when(p.n > 0)\n    conclude(p.pos, True)\n";
    compile("m", source);
    mark();
    ok(f.call("forget_rule", { name: "m.r" }));
    expect(restore()).toBe("OK restored 0 values.");
    expect(ok(f.call("list", { target: "rules" })).meta["names"]).toEqual([]);
    compile("m", source);
    expect(ok(f.call("list", { target: "rules" })).meta["names"]).toEqual(["m.r"]);
  });

  it("[9.7] an older version comes back into the history, beneath the value it was older than, when it was first recorded", () => {
    run("remember(K.s.a, 1, 's')");
    const recorded = shows("history(K.s.a)[0].recorded_at");
    run("update(K.s.a, 2, 's')");
    mark();
    run("forget(K.s.a, recorded_before=now())");
    expect(shows("len(history(K.s.a))")).toBe("1");
    expect(restore()).toBe("OK restored 1 value.");
    expect(shows("history(K.s.a)")).toBe("[active_claim=1 src=s, active_claim=2 src=s]");
    expect(shows("[value(K.s.a), len(get(K.s.a)), history(K.s.a)[0].recorded_at]")).toBe(`[2, 1, ${recorded}]`);
    expect(diff().filter((line) => line.startsWith("added"))).toEqual([]);
  });

  it("[9.7] an older version written after the mark reads as added where it was first recorded, ahead of the removed line", () => {
    mark();
    run("remember(K.s.a, 1, 's')\nupdate(K.s.a, 2, 's')\nforget(K.s.a, recorded_at_or_before=now())");
    expect(diff()[0]).toBe("added K.s.a = 2 (per s)");
    restore();
    const lines = diff();
    expect(lines[0]).toBe("added K.s.a = 1 (per s)");
    expect(lines[1]).toBe("added K.s.a = 2 (per s)");
    expect(lines[2]).toMatch(/^removed values of K.s.a recorded at or before /);
    expect(lines).toHaveLength(3);
  });

  it("[9.7] if the value it was older than does not come back, it does not either, and it returns when that value does", () => {
    run("remember(K.s.a, 1, 's')\nupdate(K.s.a, 2, 's')");
    mark();
    run("forget(K.s.a)\nremember(K.s.a, 9, 's')");
    expect(restore()).toBe("OK restored 0 values, 2 not restored.");
    run("forget(K.s.a)");
    expect(restore()).toBe("OK restored 2 values, 1 not restored.");
    expect(shows("history(K.s.a)")).toBe("[active_claim=1 src=s, active_claim=2 src=s]");
    expect(shows("value(K.s.a)")).toBe("2");
  });

  it("[rulings, Restore] a superseded version is never skipped because of a newer write", () => {
    run("remember(K.s.a, 1, 's')\nupdate(K.s.a, 2, 's')");
    mark();
    run("forget(K.s.a, recorded_before=now())\nupdate(K.s.a, 3, 's')");
    expect(restore()).toBe("OK restored 1 value.");
    expect(shows("[value(K.s.a), history(K.s.a)]")).toBe("[3, [active_claim=1 src=s, active_claim=2 src=s, active_claim=3 src=s]]");
  });

  it("an older version whose newer one went by itself waits for it", () => {
    run("remember(K.s.a, 1, 's')\nupdate(K.s.a, 2, 's')");
    mark();
    run("forget(K.s.a, 2, 's')");
    mark("later");
    run("forget(K.s.a)");
    expect(restore("later")).toBe("OK restored 0 values, 1 not restored.");
    expect(restore()).toBe("OK restored 2 values.");
    expect(shows("[value(K.s.a), history(K.s.a)]")).toBe("[2, [active_claim=1 src=s, active_claim=2 src=s]]");
    // And again, now that what returned stands elsewhere.
    run("forget(K.s.a)");
    expect(restore()).toBe("OK restored 2 values.");
    expect(shows("[value(K.s.a), history(K.s.a)]")).toBe("[2, [active_claim=1 src=s, active_claim=2 src=s]]");
  });

  it("[9.7] the count is of values", () => {
    run("remember(K.s.a, 1, 's')\nupdate(K.s.a, 2, 's')\nremember(K.s.a, 3, 't')\nremember(K.s.b, 4, 's')");
    mark();
    run("forget(K.s)");
    expect(restore()).toBe("OK restored 4 values.");
  });

  it("[9.7] a value is skipped when its source has written the cell again: not overwritten, counted, not discarded", () => {
    run("remember(K.s.a, 1, 's')\nremember(K.s.b, 2, 's')");
    mark();
    run("forget(K.s)\nremember(K.s.a, 7, 's')");
    expect(restore()).toBe("OK restored 1 value, 1 not restored.");
    expect(shows("[get(K.s.a), value(K.s.b)]")).toBe("[[active_claim=7 src=s], 2]");
    run("forget(K.s.a)");
    expect(restore()).toBe("OK restored 1 value, 1 not restored.");
    expect(shows("value(K.s.a)")).toBe("1");
  });

  it("[9.7] written again under a different attribution is not a skip: the cell then holds both", () => {
    run("remember(K.s.a, 1, 's')");
    mark();
    run("forget(K.s.a)\nremember(K.s.a, 7, 't')");
    expect(restore()).toBe("OK restored 1 value.");
    expect(shows("get(K.s.a)")).toBe("[active_claim=7 src=t, active_claim=1 src=s]");
  });

  it("[rulings, Skips and waits] written again means written after the removal", () => {
    compile("m", "class P:\n    n: many[int]\n");
    run("import m\nremember(P.a.n, 1, 's')");
    mark();
    run("import m\nremember(P.a.n, 2, 's')\nforget(P.a.n, 1, 's')");
    expect(restore()).toBe("OK restored 1 value.");
    run("import m\nforget(P.a.n, 1, 's')\nremember(P.a.n, 3, 's')");
    expect(restore()).toBe("OK restored 0 values, 1 not restored.");
  });

  it("[rulings, Skips and waits] of values removed by different statements only those wait that cannot stand together", () => {
    compile("m", "class P:\n    n: many[int]\n    o: int\n");
    mark();
    run(
      `import m
for v in range(3):
    remember(P.a.n, v, "s")
for v in range(3):
    forget(P.a.n, v, "s")
remember(P.a.o, 1, "s", valid_to=datetime("2020-01-01T00:00:00Z"))
remember(P.a.o, 2, "s", valid_from=datetime("2020-01-01T00:00:00Z"))
forget(P.a.o)
remember(P.b.o, 1, "s")
forget(P.b.o)
remember(P.b.o, 2, "s")
forget(P.b.o)`,
    );
    expect(restore()).toBe("OK restored 6 values, 1 not restored.");
    expect(shows("[values(P.a.n), len(get(P.a.o)), value(P.b.o)]", "import m")).toBe("[[0, 1, 2], 2, 1]");
    run("import m\nforget(P.b.o)");
    expect(restore()).toBe("OK restored 1 value, 1 not restored.");
    expect(shows("value(P.b.o)", "import m")).toBe("2");
  });

  it("[9.7] reaches only removals made while a mark stood, and after the mark named", () => {
    run("remember(K.s.a, 1, 's')\nremember(K.s.b, 1, 's')\nremember(K.s.c, 1, 's')\nforget(K.s.a)");
    mark("one");
    run("forget(K.s.b)");
    mark("two");
    run("forget(K.s.c)");
    expect(restore("two")).toBe("OK restored 1 value.");
    expect(restore("one")).toBe("OK restored 1 value.");
    expect(shows("fields(K.s)")).toBe("['b', 'c']");
  });

  it("[9.7] naming a mark that does not exist is an error", () => {
    expect(f.call("restore", { since: "nothing" })).toMatchObject({ status: "engine_error", text: expect.stringContaining("`nothing`") });
  });

  it("[rulings, Restore] a value at a field since derived, or that its field no longer holds, is counted as not restored", () => {
    compile("m", "class P:\n    n: int\n    t: string\n    gone: int\n");
    run("import m\nremember(P.a.n, 1, 's')\nremember(P.a.t, 'x', 's')\nremember(P.a.gone, 1, 's')\nremember(K.s.a, 1, 's')");
    mark();
    run("import m\nforget(P.a)\nforget(K.s)");
    compile("m", "class P:\n    n: int\n    t: int\n\n@rule\ndef n(p: P):\n    when(p.t == 1)\n    conclude(p.n, 5)\n");
    expect(restore()).toBe("OK restored 1 value, 3 not restored.");
    compile("m", "class P:\n    n: int\n    t: string\n    gone: int\n");
    expect(restore()).toBe("OK restored 3 values.");
  });

  it("[rulings] a restored part is a claim of its own", () => {
    run(
      'remember(K.s.a, 1, "s")\nupdate(K.s.a, 2, "s", valid_from=datetime("2020-01-01T00:00:00Z"), valid_to=datetime("2021-01-01T00:00:00Z"))',
    );
    const before = shows("get(K.s.a)");
    mark();
    run("forget(K.s.a)");
    expect(restore()).toBe("OK restored 4 values.");
    expect(diff()).toEqual(["removed K.s.a", "added K.s.a = 1 (per s)", "added K.s.a = 1 (per s)", "added K.s.a = 2 (per s)"]);
    expect(shows("sorted(str(c) for c in get(K.s.a))")).toBe(shows(`sorted(str(c) for c in ${"get(K.s.a)"})`));
    expect(shows("len(history(K.s.a))")).toBe("4");
    expect(before.length).toBe(shows("get(K.s.a)").length);
  });

  it("[rulings] a restore lands by original position: the later recorded is judged again", () => {
    run('remember(K.s.a, 1, "s")\nremember(K.s.a, 2, "t", valid_from=datetime("2000-01-01T00:00:00Z"))\nremember(K.s.a, 3, "u")');
    mark();
    run("forget(K.s.a)");
    restore();
    expect(shows("[c.value for c in get(K.s.a)]")).toBe("[1, 2, 3]");
    expect(shows("value(K.s.a)")).toBe("3");
  });

  it("[rulings] what rules conclude from a returned value holds again, and makes its line after all that came back", () => {
    compile("m", "class P:\n    n: int\n\n@rule\ndef pos(p: P):\n    when(p.n > 0)\n    conclude(p.pos, True)\n");
    run("import m\nremember(P.a.n, 1, 's')\nremember(P.b.n, 1, 's')");
    mark();
    run("import m\nforget(P.a)\nforget(P.b)");
    expect(restore()).toBe("OK restored 2 values.");
    expect(diff().slice(2)).toEqual([
      "added m.P.a.n = 1 (per s)",
      "added m.P.b.n = 1 (per s)",
      "added m.P.a.pos = True",
      "added m.P.b.pos = True",
    ]);
    expect(shows("value(P.a.pos)", "import m")).toBe("True");
  });
});

describe("a compile lands as what it leaves behind", () => {
  const OLDER = "forget(K.s.a, recorded_at_or_before=now())";
  it.each([
    ["an older version beneath what the body wrote", ["update(K.s.a, 2, 's')", OLDER], "OK restored 1 value.", "[1, 2]", "2"],
    [
      "and beneath the last of several, one of which never landed",
      ["update(K.s.a, 2, 's')", "update(K.s.a, 3, 's')", OLDER],
      "OK restored 1 value.",
      "[1, 3]",
      "3",
    ],
    [
      "what the body revised and took away, in force as it was",
      ["update(K.s.a, 2, 's')", "forget(K.s.a)"],
      "OK restored 1 value.",
      "[1]",
      "1",
    ],
    ["nothing for what only the body had made", ["update(K.s.a, 2, 's')", "forget(K.s.a, 2, 's')"], "OK restored 0 values.", "[1]", "None"],
    [
      "what was taken away before the body wrote anew waits",
      ["forget(K.s.a)", "remember(K.s.a, 2, 's')"],
      "OK restored 0 values, 1 not restored.",
      "[2]",
      "2",
    ],
  ])("[store-and-rules 4] %s", (_, body, answer, history, value) => {
    run("remember(K.s.a, 1, 's')");
    mark();
    compile("m", body.join("\n"));
    expect(restore()).toBe(answer);
    f.reopen();
    expect(shows("[c.value for c in history(K.s.a)]")).toBe(history);
    expect(shows("value(K.s.a)")).toBe(value);
    expect(restore()).toMatch(/^OK restored 0 values/);
    ok(f.call("forget_checkpoint", { name: "m" }));
    expect(
      f.sql.exec("SELECT (SELECT count(*) FROM change) + (SELECT count(*) FROM grave_claim) + (SELECT count(*) FROM grave_link)"),
    ).toEqual([[0]]);
  });
});

describe("known_at and restore", () => {
  it("[rulings, known_at edges] an erased successor refuses though a mark keeps it; once it is back, the version before it answers", () => {
    run("remember(K.s.a, 1, 's')");
    const first = shows("now()");
    run("update(K.s.a, 2, 's')");
    const second = shows("now()");
    mark();
    run("forget(K.s.a, 2, 's')");
    const known = (at: string) => f.run(`print(value(K.s.a, known_at=datetime("${at}")))`);
    expect(known(first).meta).toMatchObject({ refuse_reason: "not_recorded" });
    restore();
    f.reopen();
    const answers = [first, second, shows("now()")].map((at) => shows(`value(K.s.a, known_at=datetime("${at}"))`));
    expect(answers).toEqual(["1", "None", "2"]);
    // Forgotten once more, it is as forgotten as before.
    run("forget(K.s.a, 2, 's')");
    expect(known(first).meta).toMatchObject({ refuse_reason: "not_recorded" });
  });

  it("[rulings, known_at edges] a restored value is known from its restore on, and an older version that came back is never in force", () => {
    run("remember(K.s.a, 1, 's')");
    const first = shows("now()");
    run("update(K.s.a, 2, 's')");
    mark();
    run("forget(K.s.a)");
    restore();
    const answers = [first, shows("now()")].map((at) => shows(`value(K.s.a, known_at=datetime("${at}"))`));
    expect(answers).toEqual(["None", "2"]);
  });
});

describe("modules as units", () => {
  const INVENTORY = `class Widget:
    n: int
    low: bool

@rule
def low(w: Widget):
    when(w.n < 5)
    conclude(w.low, True)

def add(name: string, n: int):
    remember(Widget[name].n, n, "s")
`;

  it("[9.7] comes back as a unit: scripts, rules, kinds and data; its values are counted, and its rules reason again", () => {
    compile("inventory", INVENTORY);
    run("import inventory\ninventory.add('a', 1)\nremember(Widget.a.n, 7, 't')\nprefer(Widget.a.n, 's')\nprefer(Widget.n, 't')");
    mark();
    forgetModule("inventory");
    expect(diff()).toEqual(["removed inventory.Widget.a", "removed rule inventory.low"]);
    expect(ok(f.call("list_modules", {})).text).not.toContain("inventory");
    f.reopen();
    expect(restore()).toBe("OK restored 2 values.\nmodule `inventory` restored.");
    expect(shows("[value(Widget.a.n), value(Widget.a.low)]", "import inventory")).toBe("[1, True]");
    run("import inventory\ninventory.add('b', 2)\nunprefer(Widget.a.n)");
    expect(shows("[value(Widget.b.low), value(Widget.a.n)]", "import inventory")).toBe("[True, 7]");
    expect(ok(f.call("list", { target: "rules" })).meta["names"]).toEqual(["inventory.low"]);
    f.reopen();
    expect(shows("value(Widget.b.low)", "import inventory")).toBe("True");
    expect(restore()).toBe("OK restored 0 values.");
  });

  it("[9.7] a module holding one value adds one to the count however many scripts it has", () => {
    compile("m", "class P:\n    n: int\n\ndef a():\n    pass\n\ndef b():\n    pass\n\nremember(P.a.n, 1, 's')\n");
    mark();
    forgetModule("m");
    expect(restore()).toBe("OK restored 1 value.\nmodule `m` restored.");
  });

  it("[9.7] if the name is in use the whole unit is skipped, named, and all else still comes back", () => {
    compile("m", "class P:\n    n: int\n\nremember(P.a.n, 1, 's')\n");
    run("remember(K.s.a, 1, 's')");
    mark();
    forgetModule("m");
    run("forget(K.s.a)");
    compile("m", "def other():\n    return 1\n");
    expect(restore()).toBe("OK restored 1 value, 1 not restored.\nmodule `m` not restored: that name is in use.");
    forgetModule("m");
    expect(restore()).toBe("OK restored 1 value.\nmodule `m` restored.\nmodule `m` not restored: that name is in use.");
    expect(shows("value(P.a.n)", "import m")).toBe("1");
  });

  it("[9.7] each removal of a module is its own unit: the versions come back in the order they were removed, one at a time", () => {
    compile("m", "class P:\n    n: int\n\nremember(P.a.n, 1, 's')\n");
    mark();
    forgetModule("m");
    compile("m", "class Q:\n    n: int\n\nremember(Q.a.n, 2, 's')\nremember(Q.b.n, 2, 's')\n");
    forgetModule("m");
    expect(restore()).toBe("OK restored 1 value, 2 not restored.\nmodule `m` restored.\nmodule `m` not restored: that name is in use.");
    forgetModule("m");
    expect(restore()).toBe("OK restored 2 values, 1 not restored.\nmodule `m` restored.\nmodule `m` not restored: that name is in use.");
    expect(shows("value(Q.a.n)", "import m")).toBe("2");
  });

  it("[9.7] if no module holds the name and it still cannot come back, the reply says it could not be brought back whole", () => {
    compile("base", "class P:\n    n: int\n");
    compile("m", "import base\n\nclass W:\n    n: int\n\ndef f():\n    return P.a.n\n\nremember(W.a.n, 1, 's')\n");
    mark();
    forgetModule("m");
    forgetModule("base");
    const both = restore();
    expect(both).toBe("OK restored 1 value.\nmodule `m` restored.\nmodule `base` restored.");
    forgetModule("m");
    compile("base", "class Q:\n    n: int\n");
    expect(restore()).toBe("OK restored 0 values, 1 not restored.\nmodule `m` not restored: it could not be brought back whole.");
  });

  it("[rulings, Restore] a module whose rules would meet recorded values, or close a cycle, is not brought back whole", () => {
    compile("m", "class P:\n    n: int\n\n@rule\ndef r(p: P):\n    when(p.n > 0)\n    conclude(Total.all.n, 1)\n");
    compile("c", "@rule\ndef odd(x: Node):\n    when(x.on == True, absent(x.even))\n    conclude(x.odd, True)\n");
    mark();
    forgetModule("m");
    forgetModule("c");
    run("remember(Total.all.n, 5, 's')");
    compile("d", "@rule\ndef even(x: Node):\n    when(x.on == True, absent(x.odd))\n    conclude(x.even, True)\n");
    expect(restore()).toBe(
      "OK restored 0 values.\nmodule `m` not restored: it could not be brought back whole.\nmodule `c` not restored: it could not be brought back whole.",
    );
    run("forget(Total.all.n)");
    forgetModule("d");
    expect(restore()).toBe(
      "OK restored 0 values, 1 not restored.\nmodule `m` restored.\nmodule `c` restored.\nmodule `d` not restored: it could not be brought back whole.",
    );
  });

  it("[9.4] with no mark standing at the moment you remove it, it is gone", () => {
    compile("m", "class P:\n    n: int\n\nremember(P.a.n, 1, 's')\n");
    forgetModule("m");
    mark();
    expect(restore()).toBe("OK restored 0 values.");
    expect(f.sql.exec("SELECT count(*) FROM grave_part")).toEqual([[0]]);
  });

  it("a value removed before its module, whose source wrote it again, stays out when the module comes back", () => {
    compile("m", "class P:\n    n: int\n");
    run("import m\nremember(P.a.n, 1, 's')");
    mark();
    run("import m\nforget(P.a.n)\nremember(P.a.n, 2, 's')");
    forgetModule("m");
    expect(restore()).toBe("OK restored 1 value, 1 not restored.\nmodule `m` restored.");
    expect(shows("value(P.a.n)", "import m")).toBe("2");
  });
});

describe("forget_checkpoint", () => {
  it("[9.7] answers how many removals it let go; the name then reads like one never used", () => {
    mark("before_import");
    run("remember(K.s.a, 1, 's')\nupdate(K.s.a, 2, 's')\nforget(K.s.a)");
    expect(ok(f.call("forget_checkpoint", { name: "before_import" })).text).toBe("OK forgot checkpoint before_import (2).");
    expect(ok(f.call("diff", { since: "before_import" })).text).toBe("none");
    expect(f.call("restore", { since: "before_import" }).status).toBe("engine_error");
    expect(f.sql.exec("SELECT (SELECT count(*) FROM change) + (SELECT count(*) FROM grave_claim)")).toEqual([[0]]);
  });

  it("[9.7] dropping a newer mark while an older one stands lets go of nothing yet; the oldest, what lies before the next", () => {
    mark("one");
    run("remember(K.s.a, 1, 's')\nforget(K.s.a)");
    mark("two");
    run("remember(K.s.b, 1, 's')\nforget(K.s.b)");
    mark("three");
    run("remember(K.s.c, 1, 's')\nforget(K.s.c)");
    expect(ok(f.call("forget_checkpoint", { name: "two" })).meta).toMatchObject({ let_go: 0 });
    expect(ok(f.call("forget_checkpoint", { name: "one" })).meta).toMatchObject({ let_go: 2 });
    expect(restore("three")).toBe("OK restored 1 value.");
  });

  it("[9.7] dropping a name that is not a mark changes nothing and answers none", () => {
    mark();
    expect(ok(f.call("forget_checkpoint", { name: "other" })).text).toBe("none");
    expect(diff()).toEqual([]);
  });

  it.each([
    ["checkpoint", { name: "new" }, "read-add"],
    ["checkpoint", { name: "m" }, "read-write-delete"],
    ["diff", { since: "m" }, "read"],
    ["diff", { since: "nothing" }, "read"],
    ["restore", { since: "m" }, "read-write-delete"],
    ["restore", { since: "nothing" }, "read-write-delete"],
    ["forget_checkpoint", { name: "nothing" }, "read-write-delete"],
    ["forget_checkpoint", { name: "m" }, "read-write-delete"],
  ] as const)("[9.7, rulings, Levels] %s %j needs %s", (tool, args, least) => {
    mark();
    const levels: Level[] = ["none", "read", "read-add", "read-write", "read-write-delete"];
    for (const level of levels.slice(0, levels.indexOf(least)))
      expect(f.call(tool, args, { level }).meta).toMatchObject({ refuse_reason: "scope_forbidden" });
    expect(f.call(tool, args, { level: least }).meta).not.toHaveProperty("refuse_reason");
  });

  it("[9.7] all four are metered", () => {
    expect(mark().ops).toBe(1);
    run("remember(K.s.a, 1, 's')\nremember(K.s.b, 1, 's')\nforget(K.s)");
    expect(ok(f.call("restore", { since: "m" })).ops).toBe(3);
    expect(ok(f.call("diff", { since: "m" })).ops).toBe(4);
    expect(ok(f.call("forget_checkpoint", { name: "m" })).ops).toBe(1);
  });
});
