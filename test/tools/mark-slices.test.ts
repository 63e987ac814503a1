/** `diff` and `restore` in slices: others get their turn between, a stop is heard, and nothing is half done (contract §9.8). */
import { expect, test } from "vitest";
import type { ToolTask } from "../../src/tools/answer";
import { ToolFixture } from "./tool-fixture";

const CELLS = 300;

function marked(): ToolFixture {
  const f = new ToolFixture();
  expect(f.call("checkpoint", { name: "m" }).status).toBe("success");
  expect(f.run(`for i in range(${CELLS}):\n    remember(P[str(i)].x, i, "s")\n    update(P[str(i)].x, i + 1, "s")`).status).toBe("success");
  expect(f.run(`for i in range(${CELLS}):\n    forget(P[str(i)].x)`).status).toBe("success");
  return f;
}

function slices(task: ToolTask, steps: number): number {
  let count = 1;
  while (!task.advance(steps)) count++;
  return count;
}

test("[9.8] a diff is told in slices and reads as in one", () => {
  const f = marked();
  const whole = f.call("diff", { since: "m" });
  const task = f.start("diff", { since: "m" });
  expect(slices(task, 10)).toBe(CELLS / 10 + 1);
  expect(task.answer()).toEqual(whole);
  expect(whole.meta["lines"]).toHaveLength(CELLS);
});

test("[9.8] a stopped diff ends where it is", () => {
  const f = marked();
  const task = f.start("diff", { since: "m" });
  expect(task.advance(10)).toBe(false);
  task.stop();
  expect(task.advance(10)).toBe(true);
  expect(task.stopped).toBe(true);
  expect(task.answer()).toMatchObject({ status: "refuse", text: expect.stringContaining("the run was stopped before this statement") });
});

test("[9.7] a restore works in slices, comes to the same, and a stop lets it finish", () => {
  const one = marked();
  const whole = one.call("restore", { since: "m" });
  const f = marked();
  const task = f.start("restore", { since: "m" });
  expect(task.advance(100)).toBe(false);
  task.stop();
  expect(slices(task, 100)).toBeGreaterThan(5);
  expect(task.stopped).toBe(false);
  expect(task.answer()).toEqual(whole);
  expect(whole.meta).toMatchObject({ restored: 2 * CELLS, not_restored: 0 });
  expect(f.call("diff", { since: "m" }).meta["lines"]).toEqual(one.call("diff", { since: "m" }).meta["lines"]);
});

test("[9.7] a restore whose object is lost half way has restored nothing", () => {
  const f = marked();
  const before = f.call("diff", { since: "m" }).text;
  const task = f.start("restore", { since: "m" });
  expect(task.advance(400)).toBe(false);
  f.reopen();
  expect(f.call("diff", { since: "m" }).text).toBe(before);
  expect(f.run("print(subjects(P))").text).toContain("[]");
  expect(f.call("restore", { since: "m" }).meta).toMatchObject({ restored: 2 * CELLS });
});
