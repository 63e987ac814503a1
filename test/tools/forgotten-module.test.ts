/**
 * `forget_module` of much data: a field at a time where no mark keeps what goes, else in slices with others between; whole or not at
 * all either way (contract §9.4, §9.8).
 */
import { describe, expect, test } from "vitest";
import { ToolFixture } from "./tool-fixture";

const ITEMS = 1500;
const MODULE = `class Item:
    size: int
    note: string

@rule
def large(i: Item):
    when(i.size > 10)
    conclude(i.large, True)
`;
const FILL = `import items
for i in range(${ITEMS}):
    s = Item[f"i{i}"]
    remember(s.size, i, "s")
    update(s.size, i + 1, "s")
    if i % 3 == 0:
        remember(s.note, f"note {i}", "t")
prefer(Item["i0"].note, "t")
remember(Other.a.item, Item["i3"], "s")
remember(Other.b.size, 4, "s")
`;
/** Claims at `size`, in force and superseded, and at `note`. */
const CLAIMS = 2 * ITEMS + ITEMS / 3;
const FORGET = { name: "items", confirm: true };
const TOLD = `print(kinds(), value(Other.b.size), value(Other.a.item))`;
const TOLD_ITEMS = `import items
print(len(subjects(Item)), value(Item.i3.size), value(Item.i3.note), value(Item.i40.large), len(history(Item.i4.size)), value(Item.i4.size, known_at=now()))`;

function filled(mark = false): ToolFixture {
  const f = new ToolFixture();
  expect(f.compile("items", MODULE).status).toBe("success");
  expect(f.run(FILL).status).toBe("success");
  if (mark) expect(f.call("checkpoint", { name: "m" }).status).toBe("success");
  return f;
}

function told(f: ToolFixture): string {
  return [TOLD, TOLD_ITEMS].map((source) => f.run(source, { level: "read" }).text).join("\n");
}

/** What `told` says of all that `FILL` recorded. */
const FULL = `${ITEMS} 4 note 3 True 2 5`;

function inSlices(f: ToolFixture, steps: number): number {
  const task = f.start("forget_module", FORGET);
  let count = 1;
  while (!task.advance(steps)) count++;
  expect(task.answer()).toMatchObject({ status: "success", meta: { module: "items", removed: CLAIMS } });
  return count;
}

describe("[9.4] forget_module of much data", () => {
  test("in one change or in slices: the same is gone, at once and in an object opened anew, and a new module begins empty", () => {
    const [whole, sliced] = [filled(), filled(true)];
    expect(inSlices(whole, 100)).toBeLessThan(5);
    expect(inSlices(sliced, 100)).toBeGreaterThan(CLAIMS / 100);
    for (const f of [whole, sliced]) {
      expect(f.run(TOLD, { level: "read" }).text).toContain("['Other'] 4 items.Item.i3");
      expect(f.run(TOLD_ITEMS, { level: "read" }).status).toBe("engine_error");
    }
    expect(sliced.call("diff", { since: "m" }).meta["lines"]).not.toHaveLength(0);
    expect(sliced.call("forget_checkpoint", { name: "m" }).status).toBe("success");
    for (const f of [whole, sliced]) {
      expect(f.sql.exec("SELECT count(*) FROM claim")).toEqual([[2]]);
      f.reopen();
      expect(f.compile("items", MODULE).status).toBe("success");
      expect(f.run(TOLD_ITEMS, { level: "read" }).text).toContain("0 None None None 0 None");
      expect(f.run('import items\nremember(Item.i3.size, 7, "s")\nprint(value(Item.i3.size), subjects(Item))').text).toContain(
        "7 [items.Item.i3]",
      );
    }
  });

  test("a mark's restore brings all of it back", () => {
    const f = filled(true);
    const before = told(f);
    expect(before).toContain(FULL);
    inSlices(f, 100);
    expect(f.call("restore", { since: "m" }).status).toBe("success");
    expect(told(f)).toBe(before);
  });

  test("[9.8] an object lost half way has forgotten nothing", () => {
    const f = filled(true);
    const before = told(f);
    expect(before).toContain(FULL);
    const task = f.start("forget_module", FORGET);
    expect(task.advance(CLAIMS + 200)).toBe(false);
    f.reopen();
    expect(told(f)).toBe(before);
    inSlices(f, 1000);
  });

  test("[R15] the n-th SQL call fails: all is there or nothing", () => {
    const before = told(filled());
    expect(before).toContain(FULL);
    const whole = filled();
    const calls = whole.sql.calls;
    whole.sql.transaction(() => inSlices(whole, 100_000));
    const count = whole.sql.calls - calls;
    const after = told(whole);
    for (let n = 1; n <= count; n += 7) {
      const f = filled();
      f.sql.calls = 0;
      f.sql.failAt = n;
      expect(() => f.sql.transaction(() => f.call("forget_module", FORGET)), `call ${n}`).toThrow("fails");
      f.sql.failAt = 0;
      expect([before, after], `call ${n} of ${count}`).toContain(told(f));
    }
  });
});
