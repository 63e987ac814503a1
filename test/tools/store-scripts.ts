/** A store with something of everything in it, fifty-eight calls that change it, and all that it then says. */
import type { ToolFixture } from "./tool-fixture";

export const MODULE = (n: number) => `class Item:
    n: int
    part: many[Item]

@rule
def twice(i: Item):
    when(i.n > 0)
    conclude(i.twice, i.n * ${n})

@rule
def within(i: Item, j: Item, k: Item):
    when(i.part == j, j.part == k)
    conclude(i.deep, k)

def number():
    return ${n}

def other(x: int):
    return x + ${n}

update(Item["i"].n, ${n}, "body")
`;

export interface Script {
  readonly name: string;
  readonly tool: string;
  readonly args: { readonly [name: string]: unknown };
}

const run = (name: string, source: string): Script => ({ name, tool: "run", args: { source } });
const call = (tool: string, args: Script["args"]): Script => ({ name: `${tool} ${JSON.stringify(args).slice(0, 40)}`, tool, args });
const compile = (name: string, module: string, source: string): Script => ({ name, tool: "compile", args: { name: module, source } });

const FIRST_OF_2026 = 'valid_from=datetime("2026-01-01T00:00:00Z")';
const world = (body: string) => `with world("plan"):\n${body.replace(/^/gm, "    ")}`;
const branch = (body: string) => `with branch("b"):\n${body.replace(/^/gm, "    ")}`;

export const SCRIPTS: readonly Script[] = [
  run("remember", 'remember(P.c.x, 1, "s")'),
  run("remember, a value of the store", 'remember(P.c.x, "b", "s")'),
  run("remember, a window", `remember(P.c.x, 1, "s", ${FIRST_OF_2026}, valid_to=datetime("2027-01-01T00:00:00Z"))`),
  run("remember, qualifiers", 'remember(P.c.x, 1, "s", why="so", how=[1, 2])'),
  run("remember, another source", 'remember(P.a.x, 7, "u")'),
  run("remember, a list", 'remember(P.c.x, [1, "two", {"three": 3}], "s")'),
  run("remember, a subject", 'remember(P.c.x, P.a, "s")'),
  run("remember, a new Kind", 'remember(Q.a.z, 1, "s")'),
  run("remember, many", 'for i in range(60):\n    remember(P["n" + str(i)].x, "value " + str(i), "s")'),
  run("remember, what rules rest on", 'import m\nremember(m.Item.j.n, 5, "s")'),
  run("remember, a part that closes a chain", 'import m\nremember(m.Item.j.part, m.Item.k, "s")'),
  run("update", 'update(P.a.x, 9, "s")'),
  run("update, the middle of a window", `update(P.w.x, 9, "s", ${FIRST_OF_2026}, valid_to=datetime("2026-02-01T00:00:00Z"))`),
  run("update twice", 'update(P.a.x, 9, "s")\nupdate(P.a.x, 10, "s")'),
  run("update, what rules rest on", 'import m\nupdate(m.Item.i.n, 50, "body")'),
  run("assert_absent", 'assert_absent(P.c.x, "s")'),
  run("assert_absent beside a value", 'assert_absent(P.a.x, "u")'),
  run("forget a cell", "forget(P.a.x)"),
  run("forget the older versions of a field", "forget(P.x, recorded_at_or_before=now())"),
  run("forget a subject", "forget(P.a)"),
  run("forget two subjects", "forget(P.a)\nforget(P.w)"),
  run("forget a value", 'forget(P.a.x, 1, "s")'),
  run("forget by time recorded", "forget(P.f.x, recorded_at_or_before=now())"),
  run("forget by validity", 'forget(P.w.y, valid_before=datetime("2026-06-01T00:00:00Z"))'),
  run("forget what a rule rests on", "import m\nforget(m.Item.i.part)"),
  run("forget and remember again", 'forget(P.a.x)\nremember(P.a.x, 1, "s")'),
  run("prefer at a cell", 'prefer(P.a.x, "t")'),
  run("prefer at a field", 'prefer(P.x, "s")'),
  run("unprefer", "unprefer(P.a.x)"),
  run("prefer, unprefer, prefer", 'prefer(P.a.x, "t")\nunprefer(P.a.x)\nprefer(P.a.x, "t")'),
  run("pin", "pin(P.a.x)"),
  run("unpin", "unpin(P.b.x)"),
  run("a branch that lands", branch('remember(P.c.x, 1, "s")\nupdate(P.a.x, 8, "s")\npin(P.a.x)\ncommit()')),
  run("a branch that lands what it wrote and removed", branch('remember(P.c.x, 1, "s")\nforget(P.c.x)\nremember(P.c.y, 2, "s")\ncommit()')),
  run("a branch that is rolled back, and a write after it", `${branch('update(P.a.x, 8, "s")\nrollback()')}\nremember(P.c.x, 1, "s")`),
  run("a branch in a branch", branch(`remember(P.c.x, 1, "s")\n${branch('remember(P.c.y, 2, "s")\ncommit()')}\ncommit()`)),
  run("a program that fails in the middle", 'remember(P.c.x, 1, "s")\nprint(1 / 0)\nremember(P.c.y, 1, "s")'),
  run("a read of the past after a write", 'remember(P.c.x, 1, "s")\nprint(value(P.a.x, known_at=now()))\nremember(P.c.y, 1, "s")'),
  run("create_world", 'create_world("second")'),
  run("writes in a world", world('remember(P.c.x, "new", "s")\nupdate(P.e.x, 7, "t")\nforget(P.w.x, 6, "u")')),
  run("belief in a world", world("unprefer(P.c.v)\npin(P.e.x)\nunpin(P.b.x)")),
  run("what rules rest on, in a world", `import m\n${world('remember(m.Item.j.part, m.Item.k, "s")')}\nremember(m.Item.k.n, 5, "s")`),
  run(
    "a branch in a world",
    world(branch('update(P.f.x, 9, "s")\nremember(P.c.x, 1, "s")\ncommit()\nremember(P.c.y, 1, "s")\nrollback()')),
  ),
  run("a merge of a world", 'merge_world("plan")'),
  run("a discard of a world", 'discard_world("plan")'),
  run(
    "a world from its making to its merge",
    'create_world("w")\nwith world("w"):\n    update(P.a.x, 8, "s")\n    remember(P.c.x, 1, "s")\nmerge_world("w")',
  ),
  compile("compile a new module", "fresh", MODULE(3)),
  compile("compile the same name again", "m", MODULE(11)),
  compile("compile what drops a rule", "m", "class Item:\n    n: int\n    part: many[Item]\n\ndef number():\n    return 1\n"),
  compile("compile a body that fails", "fresh", 'remember(P.c.x, 1, "s")\nprint(1 / 0)\n'),
  call("forget_module", { name: "m", confirm: true }),
  call("forget_rule", { name: "m.twice", confirm: true }),
  call("checkpoint", { name: "fresh" }),
  call("checkpoint", { name: "mark" }),
  call("restore", { since: "mark" }),
  call("restore", { since: "early" }),
  call("forget_checkpoint", { name: "mark" }),
  call("forget_checkpoint", { name: "early" }),
];

/** Values, windows, qualifiers, preferences, pins, conclusions, two marks, and removals after each. */
export function fill(f: ToolFixture): void {
  const must = ({ status, text }: { status: string; text: string }) => {
    if (status !== "success") throw new Error(text);
  };
  must(
    f.run(
      'remember(P.a.x, 1, "s")\nremember(P.a.x, 2, "t")\nremember(P.b.x, "b", "s", why="so")\nremember(P.b.y, 3, "s")\nremember(P.d.x, 4, "s")\nremember(P.w.x, 5, "s", valid_from=datetime("2020-01-01T00:00:00Z"))\nremember(P.w.y, 5, "s", valid_from=datetime("2020-01-01T00:00:00Z"), valid_to=datetime("2021-01-01T00:00:00Z"))\nremember(P.e.x, 1, "s")\nremember(P.e.x, 2, "t")\nremember(P.f.x, 1, "s")\nupdate(P.f.x, 2, "s")',
    ),
  );
  must(f.compile("m", MODULE(2)));
  must(f.call("checkpoint", { name: "early" }));
  must(f.run('prefer(P.a.x, "s")\npin(P.b.x)\nupdate(P.d.x, 6, "s")\nforget(P.b.y)'));
  must(f.call("checkpoint", { name: "mark" }));
  must(f.run('import m\nremember(m.Item.i.part, m.Item.j, "s")\nremember(P.late.x, 9, "s")\nforget(P.d.x)'));
  must(
    f.run(
      `create_world("plan")\n${world('update(P.a.x, 3, "t", valid_from=datetime("2026-01-01T00:00:00Z"))\nremember(P.w.x, 6, "u", why="so")\nremember(P.c.v, 1, "s")\nprefer(P.c.v, "s")\npin(P.w.x)')}\nunpin(P.b.x)\npin(P.b.x)`,
    ),
  );
}

const CELLS = [..."abcdefw".split("").flatMap((s) => [`P.${s}.x`, `P.${s}.y`]), "P.late.x", "P.n0.x", "P.n59.x", "Q.a.z"];
const MODULE_CELLS = "ijk".split("").flatMap((s) => ["n", "part", "twice", "deep"].map((field) => `Item.${s}.${field}`));
const tell = (cell: string, say: string) =>
  `print("${say}", [[c.value, c.source, c.recorded_at, c.valid_from, c.valid_to, c.qualifiers, c.rule, c.pinned] for c in history(${cell})], absent(${cell}), sources(${cell}))`;

/** Everything the store says, by reads alone. Takes the same number of calls at each state. */
export function told(f: ToolFixture): string {
  const lines: string[] = [];
  const say = (tool: string, args: Script["args"]) => {
    const { status, text, meta } = f.call(tool, args, { level: "read" });
    const { transcript, lines: told, names } = meta;
    lines.push(JSON.stringify([tool, args, status, text, transcript, told, names]));
  };
  say("run", {
    source: `${CELLS.map((cell) => tell(cell, cell)).join("\n")}\nprint(kinds(), list_scripts(), subjects(P), value(P.a.x), value(P.e.x))`,
  });
  const inside = [...CELLS, "P.c.v"].map((cell) => tell(cell, cell).replace(/^/gm, "        ")).join("\n");
  say("run", { source: `for w in worlds():\n    print(w)\n    with world(w):\n${inside}\n        print(subjects(P), value(P.a.x))` });
  for (const module of ["m", "fresh"]) {
    const source = `import ${module}\n${MODULE_CELLS.map((cell) => tell(`${module}.${cell}`, cell)).join("\n")}\nprint(${module}.number())`;
    say("run", { source });
  }
  for (const since of ["early", "mark", "fresh"]) say("diff", { since });
  say("list", { target: "checkpoints" });
  return lines.join("\n");
}
