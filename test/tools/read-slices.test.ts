/**
 * Reads of all subjects of a Kind, and `checkup`, in slices (contract §9.8): others get their turn between, a stop is heard, and the answer and what
 * it cost are those of one go.
 */
import { expect, test } from "vitest";
import type { ToolTask } from "../../src/tools/answer";
import { ToolFixture } from "./tool-fixture";

const SUBJECTS = 3000;
const MODULE = `class Item:
    size: int
    tags: many[string]
    after: Item

@rule
def large(i: Item):
    when(i.size > 2900)
    conclude(i.large, True)

@rule
def near(i: Item, j: Item):
    when(i.after == j, j.size < 20)
    conclude(i.near, j)
`;
/** One in three has a window, one in seven more than one claim, two in five nothing that is in force now. */
const FILL = `import items
for i in range(${SUBJECTS}):
    s = Item[f"i{i * 7919 % ${SUBJECTS}}"]
    remember(Note[f"n{i}"].parts, [i], "s")
    if i % 5 < 3:
        remember(s.size, i, "s")
    elif i % 5 == 3:
        remember(s.size, i, "s", valid_from=datetime("2020-01-01T00:00:00Z"), valid_to=datetime("2021-01-01T00:00:00Z"))
    if i % 3 == 0:
        remember(s.size, i, "t", valid_from=datetime("2020-01-01T00:00:00Z"))
    if i % 7 == 0:
        remember(s.tags, "a", "s", valid_to=datetime("2019-01-01T00:00:00Z"))
        remember(s.tags, "b", "s", valid_from=datetime("2021-01-01T00:00:00Z"), valid_to=datetime("2022-01-01T00:00:00Z"))
    if i % 11 == 0:
        remember(s.after, Item[f"i{(i + 5) % ${SUBJECTS}}"], "s")
prefer(Item.size, "s")
`;
const READS = `import items
before = now()
told = lambda xs: print(len(xs), xs[:3], xs == sorted(xs, key=str))
told(subjects(Item))
told(subjects(Item, at=datetime("2020-06-01T00:00:00Z")))
told(subjects(Item, at=datetime("2021-06-01T00:00:00Z"), known_at=before))
told(find(Item, size=1000))
told(find(Item, large=True))
told(find(Item, tags="b"))
print([len(xs) for xs in [subjects(Item), find(Item, size=7), subjects(Item, at=datetime("2018-06-01T00:00:00Z"))]])
print(sum(x.size for x in subjects(Item) if x.size is not None))
print(sorted([3, 1, 2], key=lambda n: len(subjects(Item)) - n))
update(Item.i4.size, 5000, "s")
with branch("b"):
    for i in range(20):
        update(Item[f"fresh{i}"].size, 3000 + i, "s")
        forget(Item[f"fresh{i}"].size, 3000 + i, "s") if i % 2 == 0 else None
    told(subjects(Item))
    told(find(Item, large=True))
`;

function filled(): ToolFixture {
  const f = new ToolFixture();
  expect(f.call("compile", { name: "items", source: MODULE }).text).toMatch(/^OK/);
  expect(f.run(FILL).text).toMatch(/^OK/);
  return f;
}

function slices(task: ToolTask, steps: number): number {
  let count = 1;
  while (!task.advance(steps)) count++;
  return count;
}

test("[9.8] what is read of all subjects does not depend on the slices it is read in, nor does what it costs", () => {
  const whole = filled().call("run", { source: READS });
  expect(whole.status, whole.text).toBe("success");
  expect(whole.text).toContain("True");
  expect(whole.text).not.toContain("False");
  for (const steps of [1, 777, 40_000]) {
    const task = filled().start("run", { source: READS });
    expect(slices(task, steps)).toBeGreaterThan(20);
    expect(task.answer()).toEqual(whole);
  }
});

test.each([
  ["subjects", "subjects(Item)", 3],
  ["subjects at a moment", 'subjects(Item, at=datetime("2020-06-01T00:00:00Z"))', 3],
  ["subjects as known", "subjects(Item, known_at=now())", 10],
  ["find", "find(Note, parts=w)", 8],
] as const)("[9.8] others get their turn inside one %s", (_, read, least) => {
  const f = filled();
  const empty = slices(f.start("run", { source: "import items\nxs = []" }), 20_000);
  const task = f.start("run", { source: `import items\nw = [1]\nxs = ${read}` });
  expect(slices(task, 20_000)).toBeGreaterThanOrEqual(empty + least);
  expect(task.answer().status).toBe("success");
});

test("[9.8] a stop is heard inside a read of all subjects, which then is the last statement", () => {
  const f = filled();
  const task = f.start("run", { source: "import items\nw = [1]\nxs = find(Note, parts=w)\nprint(len(xs))\nprint(2)" });
  for (let i = 0; i < 4; i++) expect(task.advance(2000)).toBe(false);
  task.stop();
  while (!task.advance(2000));
  expect(task.stopped).toBe(true);
  expect(task.answer().text).toContain("stopped");
  expect(task.answer().text).not.toContain("\n2");
});

const PAIRS = `import items

@constraint
def apart(i: items.Item, j: items.Item):
    when(i.size > 2990, j.size > 0)
    require(i.size + j.size != 4000)

@rule
def pair(i: items.Item):
    when(i.size > 0)
    conclude(i.spare, sum(j.size for j in items.Item if j.size > 2995))
`;

function paired(): ToolFixture {
  const f = filled();
  expect(f.compile("pairs", PAIRS).text).toMatch(/^OK/);
  return f;
}

test("[9.8] others get their turn inside one constraint that looks at many pairs, and a stop is heard there", () => {
  const f = paired();
  const whole = f.call("checkup", {}, { level: "read" });
  expect(whole.text).toContain("violated pairs.apart 3 ");
  const task = f.start("checkup", {}, { level: "read" });
  expect(slices(task, 100)).toBeGreaterThan(5);
  expect(task.answer()).toEqual(whole);
  const stopped = f.start("checkup", {}, { level: "read" });
  for (let i = 0; i < 3; i++) expect(stopped.advance(100)).toBe(false);
  stopped.stop();
  expect(stopped.advance(100)).toBe(true);
  expect(stopped.stopped).toBe(true);
  expect(f.call("checkup", {}, { level: "read" })).toEqual(whole);
});

test("[9.8] readers beside one another, some of them in a world, say what each says alone", () => {
  const f = new ToolFixture();
  const module = `class Item:
    size: int

@rule
def large(i: Item):
    when(i.size > 250)
    conclude(i.large, True)

@constraint
def apart(i: Item, j: Item):
    when(i.size >= 0, j.size >= 0)
    require(i.size != 7)
`;
  expect(f.compile("items", module).text).toMatch(/^OK/);
  expect(f.call("checkpoint", { name: "m" }).status).toBe("success");
  const world = ["i7", "i299", "other"].map((name, i) => `    update(Item.${name}.size, ${298 - i}, "s")\n`).join("");
  const fill = `import items\nfor i in range(500):\n    update(Item[f"i{i}"].size, i, "s")\ncreate_world("w")\nwith world("w"):\n${world}`;
  expect(f.run(fill).text).toMatch(/^OK/);
  const reads = `told = [Item.i7.size, Item.other.large, len(subjects(Item)), find(Item, size=298), len(find(Item, large=True))]
xs = subjects(Item, known_at=now())
print(told, len(xs), xs[-1], Item.i7.size)`;
  const calls = [
    ["checkup", {}, 40],
    ["diff", { since: "m" }, 20],
    ["run", { source: `import items\n${reads}` }, 900],
    ["run", { source: `import items\nwith world("w"):\n    ${reads.replaceAll("\n", "\n    ")}` }, 700],
  ] as const;
  const alone = calls.map(([tool, args]) => f.call(tool, args, { level: "read" }));
  for (const { status, text } of alone) expect(status, text).toBe("success");
  expect(alone[0]!.text).toContain("violated items.apart 1 items.Item.i7");
  expect(alone[3]!.text).not.toBe(alone[2]!.text);
  // What was found half way is not gone on with where a world showed meanwhile: it begins anew, in slices too, and who goes into worlds waits.
  const disturbed = () => {
    const checkup = f.start("checkup", {}, { level: "read" });
    expect(checkup.advance(40)).toBe(false);
    const inWorld = f.start("run", calls[3][1], { level: "read" });
    expect(inWorld.advance(700)).toBe(false);
    expect(checkup.advance(40)).toBe(false);
    expect(inWorld.advance(1_000_000)).toBe(false);
    return { checkup, inWorld };
  };
  const { checkup, inWorld } = disturbed();
  expect(f.call("run", calls[2][1], { level: "read" }).text).toBe(alone[2]!.text);
  expect(slices(checkup, 40)).toBeGreaterThan(5);
  expect(checkup.answer()).toEqual(alone[0]);
  expect(inWorld.advance(1_000_000)).toBe(true);
  expect(inWorld.answer().text).toBe(alone[3]!.text);
  // Disturbed again and again it ends too.
  const again = f.start("checkup", {}, { level: "read" });
  for (let turns = 0; !again.advance(40); turns++) {
    expect(turns).toBeLessThan(500);
    const entering = f.start("run", calls[3][1], { level: "read" });
    for (let i = 0; i < 30 && !entering.advance(1000); i++);
  }
  expect(again.answer()).toEqual(alone[0]);
  // Stopped, or never gone on with, it keeps nobody; and a stop is heard while waiting.
  const stopped = disturbed();
  stopped.checkup.stop();
  expect(stopped.checkup.advance(1)).toBe(true);
  expect(stopped.inWorld.advance(1_000_000)).toBe(true);
  const left = disturbed();
  left.inWorld.stop();
  expect(left.inWorld.advance(1_000_000)).toBe(true);
  expect(left.inWorld.stopped).toBe(true);
  const later = f.start("run", calls[3][1], { level: "read" });
  for (let turns = 0; !later.advance(700); turns++) expect(turns).toBeLessThan(30_000);
  expect(later.answer().text).toBe(alone[3]!.text);
  while (!left.checkup.advance(40));
  expect(left.checkup.answer()).toEqual(alone[0]);
  const begun = [...calls, ...calls].map(([tool, args, steps], i) => ({ i, steps, task: f.start(tool, args, { level: "read" }) }));
  const open = new Set(begun);
  let turns = 0;
  for (; open.size > 0; turns++) for (const one of open) if (one.task.advance(one.steps)) open.delete(one);
  expect(turns).toBeGreaterThan(4);
  for (const { i, task } of begun) expect(task.answer().text).toBe(alone[i % calls.length]!.text);
});
