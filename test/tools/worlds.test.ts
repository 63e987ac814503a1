/** Worlds as a program meets them: what is printed, told, counted, caught, and what a call that ends inside one leaves. */
import { describe, expect, it } from "vitest";
import { LEVELS, type Level } from "../../src/engine/claim";
import { ToolFixture } from "./tool-fixture";

const PLANNED = [
  'remember(K.a.x, 1, "s")',
  'create_world("plan")',
  'with world("plan"):',
  '    update(K.a.x, 2, "s")',
  '    remember(K.b.x, 3, "t")',
].join("\n");

/** A store with a world that holds a revision and a claim of its own. */
function planned(more = ""): ToolFixture {
  const f = new ToolFixture();
  const answer = f.run(`${PLANNED}\n${more}`);
  expect(answer.status, answer.text).toBe("success");
  return f;
}

function body(f: ToolFixture, source: string, more: Parameters<ToolFixture["run"]>[1] = {}): string {
  return f.run(source, more).text.split("\n").slice(1).join("\n");
}

describe("with world", () => {
  it("[4.2] what is written inside says so, and is counted apart until the merge", () => {
    const f = new ToolFixture();
    expect(f.run(PLANNED).text).toBe(
      [
        "OK program: 1 claim added, 2 changes in worlds, 1 world change",
        "remember K.a.x = 1 (per s)",
        "create_world 'plan'",
        "update K.a.x = 2 (per s) in world 'plan'",
        "remember K.b.x = 3 (per t) in world 'plan'",
      ].join("\n"),
    );
    expect(f.run('merge_world("plan")').text).toBe("OK program: 2 claims added, 1 world change\nmerge_world 'plan' (2 claims added)");
    expect(f.run('create_world("w")\nwith world("w"):\n    remember(K.c.x, 1, "s")\ndiscard_world("w")').text.split("\n").at(-1)).toBe(
      "discard_world 'w' (1 claim discarded)",
    );
  });

  it("[5] adds no entry to the transcript; what is bound inside is bound outside", () => {
    const f = planned();
    const answer = f.run('with world("plan"):\n    x = K.a.x\nprint(x, K.a.x)');
    const entries = answer.meta["transcript"] as { kind: string; value: string }[];
    expect(entries.map(({ kind, value }) => `${kind} ${value}`)).toEqual(["assign 2", "print 2 1"]);
  });

  it("[language 4] in slices of one step, in a loop, in a script, left by break, return and an exception", () => {
    const f = planned();
    const module = [
      "def inside(w):",
      "    with world(w):",
      "        for s in subjects(K):",
      "            if s.x == 3:",
      "                return s",
    ].join("\n");
    expect(f.compile("m", module).status).toBe("success");
    const source = [
      "import m",
      "for i in range(3):",
      '    with world("plan"):',
      '        remember(K[f"n{i}"].x, i + 10, "s")',
      "        if i == 1:",
      "            break",
      'print(m.inside("plan"), subjects(K))',
      "try:",
      '    with world("plan"):',
      '        remember(K.late.x, 4, "s")',
      "        print(1 // 0)",
      "except ZeroDivisionError:",
      "    print(subjects(K))",
      'with world("plan"):',
      "    print(subjects(K))",
    ].join("\n");
    const twin = planned();
    twin.compile("m", module);
    const wanted = twin.run(source);
    expect(wanted.text.split("\n").filter((line) => line.startsWith("K") || line.startsWith("["))).toEqual([
      "K.b [K.a]",
      "[K.a]",
      "[K.a, K.b, K.late, K.n0, K.n1]",
    ]);
    expect(f.run(source, { slice: 1 })).toEqual(wanted);
  });

  it("[4.2] a stop inside leaves what was written in the world, discards an open branch, and the store is untouched", () => {
    const f = planned();
    const task = f.store.startTool({
      tool: "run",
      args: {
        source: [
          'with world("plan"):',
          '    remember(K.c.x, 1, "s")',
          '    with branch("b"):',
          '        remember(K.d.x, 1, "s")',
          "        for i in range(10**9):",
          "            z = i",
        ].join("\n"),
      },
      caller: { keyId: "key_1", level: "read-write-delete" },
      wallMicros: 1_767_300_000_000_000,
      opsMax: 50_000_000,
      opsMaxIsCredit: false,
    });
    for (let i = 0; i < 5; i++) expect(task.advance(3_000)).toBe(false);
    task.stop();
    expect(task.advance(3_000)).toBe(true);
    expect(task.answer().text.split("\n").slice(1)).toEqual(["remember K.c.x = 1 (per s) in world 'plan'"]);
    expect(body(f, "print(subjects(K))")).toBe("[K.a]");
    f.reopen();
    expect(body(f, 'print(subjects(K))\nwith world("plan"):\n    print(subjects(K))')).toBe("[K.a]\n[K.a, K.b, K.c]");
  });

  it("a reader in a large world and one outside, slice by slice in turn, both get on: a slice does more than it takes to show what it works in", () => {
    const f = new ToolFixture();
    f.run(
      'remember(K.a.x, 1, "s")\ncreate_world("large")\nwith world("large"):\n    for i in range(500):\n        remember(K[f"n{i}"].x, i, "s")',
    );
    const body = "for i in range(2000):\n        x = K.n7.x";
    const tasks = [`with world("large"):\n    ${body}\n    print(x)`, `for j in range(1):\n    ${body}\nprint(x)`].map((source) =>
      f.store.startTool({
        tool: "run",
        args: { source },
        caller: { keyId: "key_1", level: "read" },
        wallMicros: 1_767_300_000_000_000,
        opsMax: 50_000_000,
        opsMaxIsCredit: false,
      }),
    );
    let rounds = 0;
    while (tasks.map((task) => task.advance(16)).includes(false)) rounds++;
    expect(rounds).toBeLessThan(50);
    expect(tasks.map((task) => task.answer().text.split("\n").at(-1))).toEqual(["7", "None"]);
  });

  it("[6] every reason can be caught by name; scope_forbidden by nothing", () => {
    const f = planned();
    const tries: readonly [string, string][] = [
      ['create_world("plan")', "AlreadyInEffect"],
      ['merge_world("none")', "NotRecorded"],
      ['with world("none"):\n        pass', "NotRecorded"],
      ['with branch("plan"):\n        pass', "InvalidValue"],
      ['with world("plan"):\n        forget(K.a.x)', "ImmutableInBranch"],
      ['with world("plan"):\n        create_world("v")', "ImmutableInBranch"],
      ['with branch("b"):\n        with world("plan"):\n            pass', "ImmutableInBranch"],
      ["create_world(3)", "TypeError"],
    ];
    for (const [source, name] of tries) {
      expect(body(f, `try:\n    ${source}\nexcept ${name} as e:\n    print("caught")`), source).toBe("caught");
    }
    const forbidden = f.run('try:\n    with world("plan"):\n        remember(K.z.x, 1, "s")\nfinally:\n    print("no")', {
      level: "read-add",
    });
    expect(forbidden.meta).toMatchObject({ refuse_reason: "scope_forbidden" });
    expect(forbidden.meta).not.toHaveProperty("teaching_hint");
    expect(forbidden.text).not.toContain("no\n");
  });

  it("[rulings, Branch, world, merge] a compile lands as one: a body that enters a world is refused, and nothing is stored", () => {
    const f = planned();
    const answer = f.compile("m", 'with world("plan"):\n    remember(K.z.x, 1, "s")\n');
    expect(answer.meta).toMatchObject({ refuse_reason: "immutable_in_branch" });
    expect(f.call("list_modules", {}).text).not.toContain("m ");
    expect(body(f, 'with world("plan"):\n    print(subjects(K))')).toBe("[K.a, K.b]");
  });

  it("[6] a merge refused as conflicting_write names the first cell and how many more", () => {
    const f = planned('update(K.a.x, 9, "s")\nremember(K.b.x, 9, "t")');
    const answer = f.run('merge_world("plan")');
    expect(answer.meta).toMatchObject({ refuse_reason: "conflicting_write", teaching_hint: "K.a.x" });
    expect(answer.text).toContain("nothing was merged: K.a.x and 1 other cell ");
  });

  it("[9.7] diff since a mark before the merge: added, even what was written before the mark; what was taken back inside, never", () => {
    const f = planned();
    f.call("checkpoint", { name: "m" });
    f.run('with world("plan"):\n    remember(K.c.x, 5, "s")\n    forget(K.c.x)');
    expect(f.call("diff", { since: "m" }).text).toBe("Nothing has changed since m.");
    f.run('merge_world("plan")');
    expect(f.call("diff", { since: "m" }).text).toBe("added K.a.x = 2 (per s)\nadded K.b.x = 3 (per t)");
    expect(f.call("restore", { since: "m" }).text).toBe("OK restored 0 values.");
  });

  it("[9.7] marks, checkup and the lists know nothing of what a world holds", () => {
    const f = planned();
    expect(f.call("list", { target: "kinds" }).text).not.toContain("b");
    expect(f.call("checkup", {}).text).toContain("kinds=1");
    f.call("checkpoint", { name: "m" });
    f.run('with world("plan"):\n    print(K.a.x)');
    expect(f.call("diff", { since: "m" }).text).toBe("Nothing has changed since m.");
  });

  const verbs: readonly (readonly [string, Level])[] = [
    ["print(worlds())", "read"],
    ['with world("plan"):\n    print(K.a.x)', "read"],
    ['create_world("new")', "read-write"],
    ['with world("plan"):\n    remember(K.c.x, 1, "s")', "read-write"],
    ['merge_world("plan")', "read-write"],
    ['discard_world("plan")', "read-write-delete"],
  ];
  it.each(verbs.flatMap(([source, from]) => LEVELS.map((level) => [source, level, from] as const)))(
    "[rulings, Levels] %j by a key of level %s (from %s)",
    (source, level, from) => {
      const f = planned();
      const answer = f.run(source, { level });
      if (LEVELS.indexOf(level) >= LEVELS.indexOf(from)) expect(answer.status, answer.text).toBe("success");
      else expect(answer.meta).toMatchObject({ refuse_reason: "scope_forbidden" });
    },
  );
});
