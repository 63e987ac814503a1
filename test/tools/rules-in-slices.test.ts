/**
 * The rules at work over many slices: the answer is that of one slice, a stop waits for the statement, and a refusal
 * leaves nothing of it.
 */
import { expect, test } from "vitest";
import type { ToolAnswer, ToolTask } from "../../src/tools/answer";
import { ToolFixture } from "./tool-fixture";

const RULES = `
@rule
def linked(g: Gate, p: Node, q: Node):
    when(g.open == True, p.on == True, q.on == True)
    conclude(p.linked, q)

@rule
def links(p: Node):
    conclude(p.links, count(q for q in Node if p.linked == q))
`;
const record = (count: number) => `
for i in range(${count}):
    remember(Node[f"n{i}"].on, True, "test")
`;
const OPEN = `
remember(Gate.g.open, True, "test")
print(Node.n1.links)
remember(Gate.g.seen, True, "test")
`;

/** Drives a task and counts its slices; `after` slices `meanwhile` is called. */
function drive(task: ToolTask, steps: number, after = -1, meanwhile = () => {}): { slices: number; answer: ToolAnswer } {
  for (let slices = 1; ; slices++) {
    if (task.advance(steps)) return { slices, answer: task.answer() };
    if (slices === after) meanwhile();
  }
}

function start(store: ToolFixture, tool: string, args: { [name: string]: unknown }): ToolTask {
  return store.store.startTool({
    tool,
    args,
    caller: { keyId: "key_1", level: "read-write-delete" },
    wallMicros: (store.clock += store.clockStep),
    opsMax: 50_000_000,
    opsMaxIsCredit: false,
  });
}

function storeWith(nodes: number, rules = RULES): ToolFixture {
  const store = new ToolFixture();
  if (rules !== "") expect(store.compile("m", rules).status).toBe("success");
  expect(store.run(record(nodes)).status).toBe("success");
  return store;
}

test("[9.8] a statement whose rules are at work for many slices answers as in one", () => {
  const [whole, sliced] = [storeWith(60), storeWith(60)];
  const one = drive(start(whole, "run", { source: OPEN }), 10_000_000);
  const many = drive(start(sliced, "run", { source: OPEN }), 50);
  expect(one.slices).toBe(1);
  expect(many.slices).toBeGreaterThan(60);
  expect(many.answer).toEqual(one.answer);
  expect(many.answer.text).toContain("60");
  expect(drive(start(sliced, "run", { source: "print(why(Node.n1.links))" }), 50).answer).toEqual(
    drive(start(whole, "run", { source: "print(why(Node.n1.links))" }), 50_000).answer,
  );
});

test("[9.8] what a statement left unfinished is not on disk; once it ended it is, with the rest", () => {
  const store = storeWith(60);
  const task = start(store, "run", { source: OPEN });
  for (let i = 0; i < 20; i++) expect(task.advance(50)).toBe(false);
  const claims = () => (store.sql.exec("SELECT COUNT(*) FROM claim") as number[][])[0]![0];
  expect(claims()).toBe(60);
  while (!task.advance(50));
  expect(claims()).toBe(62);
  store.reopen();
  expect(store.run("print(Node.n2.links)").text).toContain("60");
});

test("[9.8] a stop while the rules are at work lets the statement finish, and no other begin", () => {
  const store = storeWith(60);
  const task = start(store, "run", { source: OPEN });
  const { slices, answer } = drive(task, 50, 10, () => task.stop());
  expect(slices).toBeGreaterThan(60);
  expect(task.stopped).toBe(true);
  expect(answer.text).toContain("stopped");
  expect(store.run("print(Node.n1.links, Gate.g.open, Gate.g.seen)").text).toContain("60 True None");
});

test("[9.8] a compile works its rules out in slices, and a stop waits for that", () => {
  const store = storeWith(60, "");
  store.run(`remember(Gate.g.open, True, "test")`);
  const task = start(store, "compile", { name: "m", source: RULES });
  const { slices, answer } = drive(task, 50);
  expect(slices).toBeGreaterThan(60);
  expect(answer.status).toBe("success");
  expect(store.run("print(Node.n1.links)").text).toContain("60");
});

test("[9.8] a restore works its conclusions out in slices", () => {
  const store = storeWith(60);
  store.run(`remember(Gate.g.open, True, "test")`);
  store.call("checkpoint", { name: "before" });
  store.run("forget(Gate.g.open)");
  const restored = drive(start(store, "restore", { since: "before" }), 50);
  expect(restored.answer.status).toBe("success");
  expect(restored.slices).toBeGreaterThan(60);
  expect(store.run("print(Node.n1.links)").text).toContain("60");
});

/** A million and a half conclusions before it refuses. */
const REFUSED_MS = 120_000;

test("[9.8] a statement refused in its last slice leaves nothing, and says where it stood", { timeout: REFUSED_MS }, () => {
  const store = storeWith(1300);
  const task = start(store, "run", { source: OPEN });
  const { slices, answer } = drive(task, 100_000);
  expect(slices).toBeGreaterThan(5);
  expect(answer.status).toBe("refuse");
  expect(answer.meta["refuse_reason"]).toBe("limit_exceeded");
  expect(answer.text).toContain("line 2");
  expect(store.run("print(Gate.g.open, Node.n1.links)").text).toContain("None 0");
});

test("[9.8] a compile refused in its last slice leaves the modules and conclusions as they were", { timeout: REFUSED_MS }, () => {
  const store = storeWith(1300, "");
  store.run(`remember(Gate.g.open, True, "test")`);
  const { slices, answer } = drive(start(store, "compile", { name: "m", source: RULES }), 100_000);
  expect(slices).toBeGreaterThan(5);
  expect(answer.status).toBe("refuse");
  expect(answer.meta["refuse_reason"]).toBe("limit_exceeded");
  expect(store.call("list", { target: "rules" }).text).toContain("0 rules");
});
